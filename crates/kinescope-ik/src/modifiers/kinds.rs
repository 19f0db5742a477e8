//! The modifiers that are built in: one table, from which settings, memories, names and dispatch follow.

use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::arm_bending::{ArmBending, Related};
use super::ask::{Ask, Bones};
use super::breathing::{Breath, Breathing};
use super::figure::Figure;
use super::four_bones::{Folds, FourBones};
use super::grip::{Held, Hold, TwoHandedGrip};
use super::head::{Drawn, Head};
use super::hit_reaction::{Hit, HitReaction, Hits};
use super::inertia::{Inertia, Springs};
use super::keyed::Keyed;
use super::kind::Kind;
use super::look_at::LookAt;
use super::modify::Modify;
use super::reach_for::{ReachFor, Reaching};
use super::recoil::{Recoil, Shots};
use crate::attach::{Attachment, Posed};
use crate::error::Fault;
use crate::full_body::{Author, Frame, Pushing, Settings, Stage, State, Step};
use crate::parameter::{Parameter, Parameters};
use crate::rig::RigidTransform;

macro_rules! kinds {
    ($($kind:ident: $key:literal $name:literal, $memory:ty, $sentence:literal;)+) => {
        /// A modifier's settings. In presets its kind is the key: `{ "recoil": { "kick": 0.1 } }`.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Modifier {
            $(
                #[doc = $sentence]
                $kind($kind),
            )+
        }

        /// What a modifier remembers; that of no frame, or of another kind, counts as none.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Memory {
            /// There was no frame.
            #[default]
            Nothing,
            $(
                #[doc = $sentence]
                $kind($memory),
            )+
        }

        /// Calls a function of the kind with its settings and its memory.
        macro_rules! of_kind {
            ($modifier:expr, $own:expr, |$settings:ident, $remembered:ident| $call:expr) => {
                match $modifier {
                    $(Modifier::$kind($settings) => {
                        if !matches!($own, Memory::$kind(_)) {
                            *$own = Memory::$kind(<$memory>::default());
                        }
                        match $own {
                            Memory::$kind($remembered) => $call,
                            _ => Default::default(),
                        }
                    })+
                }
            };
        }

        impl Modifier {
            /// One of each kind, in the order in which they are offered.
            pub fn all() -> Vec<Self> {
                vec![$(Self::$kind($kind::default())),+]
            }

            /// As in presets.
            pub const fn key(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $key,)+
                }
            }

            /// As a person reads it: `hit reaction`.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $name,)+
                }
            }

            /// What it does, for a reader who sees it for the first time.
            pub const fn sentence(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $sentence,)+
                }
            }

            /// Its numbers.
            pub fn parameters(&self) -> &dyn Parameters {
                match self {
                    $(Self::$kind(settings) => settings,)+
                }
            }

            /// Its numbers, to be changed.
            pub fn parameters_mut(&mut self) -> &mut dyn Parameters {
                match self {
                    $(Self::$kind(settings) => settings,)+
                }
            }

            /// Whether it is at work.
            pub const fn is_on(&self) -> bool {
                match self {
                    $(Self::$kind(settings) => !settings.off,)+
                }
            }

            /// Switches it on or off.
            pub const fn switch(&mut self, on: bool) {
                match self {
                    $(Self::$kind(settings) => settings.off = !on,)+
                }
            }

            fn check_kind(&self) -> Result<(), Fault> {
                match self {
                    $(Self::$kind(settings) => Kind::check(settings),)+
                }
            }

            /// The numbers of the kind with that key.
            pub fn parameters_of(key: &str) -> Option<&'static [Parameter]> {
                match key {
                    $($key => Some($kind::PARAMETERS),)+
                    _ => None,
                }
            }

            /// The key, as it lives as long as the program.
            pub fn known_key(key: &str) -> Option<&'static str> {
                [$($key),+].into_iter().find(|own| *own == key)
            }
        }
    };
}

kinds! {
    Recoil: "recoil" "recoil", Shots, "A shot throws hands, shoulders and body back, and turns the weapon up.";
    TwoHandedGrip: "two_handed_grip" "two-handed grip", Held, "One hand holds on to what the other carries, where that one ends up.";
    HitReaction: "hit_reaction" "hit reaction", Hits, "A blow on the body moves what is near it, and turns spine and head.";
    Inertia: "inertia" "inertia", Springs, "Effectors lag behind their animated motion, and swing past its end.";
    Breathing: "breathing" "breathing", Breath, "The chest rises and falls, the body sways.";
    LookAt: "look_at" "look at", (), "Spine, neck and head turn until the eyes, or a hand, are on a target.";
    ReachFor: "reach_for" "reach for", Reaching, "An effector reaches for a point, holds it while it moves, and lets go.";
    Keyed: "keyed" "keyed effectors", (), "Effectors follow keys over time.";
    Head: "head" "head effector", Drawn, "A target for the head; body, thighs and hands follow, spine and neck bend.";
    FourBones: "four_bones" "four-bone limbs", Folds, "A hock, or a second elbow, shares the bend of its limb.";
    ArmBending: "arm_bending" "arm bending", Related, "Elbows go by where the hand is; the forearm shares the hand's twist.";
}

impl Modifier {
    /// # Errors
    /// [`Fault`] for what it cannot work with, within its kind: `recoil.kick`.
    pub fn validate(&self) -> Result<(), Fault> {
        let checked = self.parameters().check_numbers().and_then(|()| self.check_kind());
        checked.map_err(|fault| fault.within(self.key()))
    }

    /// See [`Modify::before_read`].
    pub fn before_read(&self, memory: &mut Memory, ask: &mut Ask) {
        of_kind!(self, memory, |settings, own| {
            settings.pass(own, &ask.seen());
            settings.before_read(own, ask);
        });
    }

    /// Begins, for one that is told when.
    pub fn trigger(&self, memory: &mut Memory) {
        of_kind!(self, memory, |settings, own| settings.trigger(own));
    }

    /// A blow, for one that feels it. Returns whether it does.
    pub fn strike(&self, memory: &mut Memory, hit: Hit) -> bool {
        let Self::HitReaction(_) = self else { return false };
        if !matches!(memory, Memory::HitReaction(_)) {
            *memory = Memory::HitReaction(Hits::default());
        }
        let Memory::HitReaction(hits) = memory else { return false };
        hits.ages.start(0.0, hit);
        true
    }

    /// Whether there is something to [trigger](Self::trigger), and what that is called.
    pub const fn trigger_label(&self) -> Option<&'static str> {
        match self {
            Self::Recoil(_) => Some("fire"),
            Self::ReachFor(_) => Some("reach"),
            _ => None,
        }
    }

    /// Where a head effector wants the head, and by which weight.
    pub fn head_goal(&self, memory: &Memory) -> Option<(glam::Vec3, f32)> {
        match (self, memory) {
            (Self::Head(head), Memory::Head(drawn)) => head.goal(drawn),
            _ => None,
        }
    }

    /// How the hand of a two-handed grip holds on in a pose. `master` is the master weight.
    pub fn hold(&self, memory: &Memory, figure: &Figure, pose: &[RigidTransform], master: f32) -> Option<Hold> {
        match (self, memory) {
            (Self::TwoHandedGrip(grip), Memory::TwoHandedGrip(held)) => grip.hold(held, figure, pose, master),
            _ => None,
        }
    }

    /// What its target is attached to; `None` where it is a point, and for kinds without a target.
    pub const fn attachment(&self) -> Option<&Attachment> {
        match self {
            Self::LookAt(own) => own.attached.as_ref(),
            Self::ReachFor(own) => own.attached.as_ref(),
            Self::Recoil(_)
            | Self::TwoHandedGrip(_)
            | Self::HitReaction(_)
            | Self::Inertia(_)
            | Self::Breathing(_)
            | Self::Keyed(_)
            | Self::Head(_)
            | Self::FourBones(_)
            | Self::ArmBending(_) => None,
        }
    }

    /// The same, to be changed, set or taken away; `None` for kinds that have no target to attach.
    pub const fn attachment_mut(&mut self) -> Option<&mut Option<Attachment>> {
        match self {
            Self::LookAt(own) => Some(&mut own.attached),
            Self::ReachFor(own) => Some(&mut own.attached),
            Self::Recoil(_)
            | Self::TwoHandedGrip(_)
            | Self::HitReaction(_)
            | Self::Inertia(_)
            | Self::Breathing(_)
            | Self::Keyed(_)
            | Self::Head(_)
            | Self::FourBones(_)
            | Self::ArmBending(_) => None,
        }
    }

    /// Puts an attached target where its anchor has it, before [`Self::before_read`]; returns where the anchor is. `settings`
    /// are those with attached targets of effectors [resolved](crate::attach::resolve). Allocates nothing.
    ///
    /// # Errors
    /// [`Fault`] for a bone that there is not: `look_at.attached.to.bone`; the target stays where it was.
    pub fn attach(&mut self, posed: &Posed, settings: &Settings) -> Result<Option<RigidTransform>, Fault> {
        let Some(own) = self.attachment() else { return Ok(None) };
        let within = |fault: Fault| fault.within("attached").within(self.key());
        let anchor = posed.anchor(settings, &own.to).map_err(within)?;
        let (place, rotation) = (own.place(&anchor), own.rotation(&anchor));
        self.put_target(place, rotation);
        Ok(Some(anchor))
    }

    /// Puts the target of look-at or reach-for somewhere; a rotation counts for what reaches.
    pub fn put_target(&mut self, place: glam::Vec3, rotation: Option<glam::Quat>) {
        match self {
            Self::LookAt(own) => own.target = Some(place),
            Self::ReachFor(own) => {
                own.position = Some(place);
                own.rotation = rotation.or(own.rotation);
            }
            Self::Recoil(_)
            | Self::TwoHandedGrip(_)
            | Self::HitReaction(_)
            | Self::Inertia(_)
            | Self::Breathing(_)
            | Self::Keyed(_)
            | Self::Head(_)
            | Self::FourBones(_)
            | Self::ArmBending(_) => {}
        }
    }

    /// Where the target of look-at or reach-for is, and how it is turned.
    pub const fn own_target(&self) -> (Option<glam::Vec3>, Option<glam::Quat>) {
        match self {
            Self::LookAt(own) => (own.target, None),
            Self::ReachFor(own) => (own.position, own.rotation),
            Self::Recoil(_)
            | Self::TwoHandedGrip(_)
            | Self::HitReaction(_)
            | Self::Inertia(_)
            | Self::Breathing(_)
            | Self::Keyed(_)
            | Self::Head(_)
            | Self::FourBones(_)
            | Self::ArmBending(_) => (None, None),
        }
    }

    /// Whether the next frame will differ without anything else moving.
    pub fn is_moving(&self, memory: &Memory) -> bool {
        let mut memory = *memory;
        let memory = &mut memory;
        self.is_on() && of_kind!(self, memory, |settings, own| settings.is_moving(own))
    }

    /// See [`Modify::pushes_at`].
    pub fn pushes_at(&self, stage: Stage) -> bool {
        let memory = &mut Memory::Nothing;
        of_kind!(self, memory, |settings, _own| settings.pushes_at(stage))
    }

    /// See [`Modify::push`].
    pub fn push(&self, memory: &Memory, (author, at): (Author, Step), seen: &Seen, frame: &Frame, nodes: &mut Pushing) {
        let mut memory = *memory;
        let memory = &mut memory;
        of_kind!(self, memory, |settings, own| settings.push(own, author, at, seen, frame, nodes));
    }

    /// Whether it says how elbows and knees bend.
    pub fn sets_bends(&self) -> bool {
        let memory = &mut Memory::Nothing;
        of_kind!(self, memory, |settings, _own| settings.sets_bends())
    }

    /// See [`Modify::bend`].
    pub fn bend(&self, memory: &Memory, seen: &Seen, state: &State, frame: &mut Frame) {
        let mut memory = *memory;
        let memory = &mut memory;
        of_kind!(self, memory, |settings, own| settings.bend(own, seen, state, frame));
    }

    /// See [`Modify::after_write`].
    pub fn after_write(&self, memory: &Memory, asked: &Settings, bones: &mut Bones) {
        let mut memory = *memory;
        let memory = &mut memory;
        of_kind!(self, memory, |settings, own| settings.after_write(own, asked, bones));
    }
}

/// A built-in modifier with its memory, for a game of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Running {
    /// Its settings; may change from frame to frame.
    pub modifier: Modifier,
    /// What it remembers.
    pub memory: Memory,
}

impl Running {
    /// Before its first frame.
    pub const fn new(modifier: Modifier) -> Self {
        Self { modifier, memory: Memory::Nothing }
    }

    /// Whether it acts between the stages of the solve, not only before read and after write.
    pub fn acts_between(&self) -> bool {
        let acts = || self.modifier.sets_bends() || Stage::HOOKS.iter().any(|&stage| self.modifier.pushes_at(stage));
        self.modifier.is_on() && acts()
    }

    /// Fires, or begins to reach; nothing for other kinds.
    pub fn trigger(&mut self) {
        self.modifier.trigger(&mut self.memory);
    }

    /// Strikes a blow; returns whether it is felt.
    pub fn strike(&mut self, hit: Hit) -> bool {
        self.modifier.strike(&mut self.memory, hit)
    }
}

impl Modify for Running {
    fn name(&self) -> &'static str {
        self.modifier.name()
    }

    fn before_read(&mut self, ask: &mut Ask) {
        if self.modifier.is_on() {
            self.modifier.before_read(&mut self.memory, ask);
        } else {
            self.memory = Memory::Nothing;
        }
    }

    fn pushes_at(&self, stage: Stage) -> bool {
        self.modifier.is_on() && self.modifier.pushes_at(stage)
    }

    fn push(&self, author: Author, at: Step, seen: &Seen, frame: &Frame, nodes: &mut Pushing) {
        if self.pushes_at(at.stage) {
            self.modifier.push(&self.memory, (author, at), seen, frame, nodes);
        }
    }

    fn bend(&self, seen: &Seen, state: &State, frame: &mut Frame) {
        if self.modifier.is_on() {
            self.modifier.bend(&self.memory, seen, state, frame);
        }
    }

    fn after_write(&self, asked: &Settings, bones: &mut Bones) {
        if self.modifier.is_on() {
            self.modifier.after_write(&self.memory, asked, bones);
        }
    }
}
