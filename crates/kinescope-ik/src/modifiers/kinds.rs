//! The built-in modifiers. One table generates their enums, names and dispatch.

use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::ages::MAX_IMPULSES;
use super::arm_bending::{ArmBending, HandRotations};
use super::ask::{Ask, Bones};
use super::breathing::{Breath, Breathing};
use super::figure::Figure;
use super::four_bones::{Folds, FourBones};
use super::grip::{Held, Hold, TwoHandedGrip};
use super::head::{Head, HeadGoal};
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
        /// Settings of a modifier. In presets the kind is the key: `{ "recoil": { "kick": 0.1 } }`.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Modifier {
            $(
                #[doc = $sentence]
                $kind($kind),
            )+
        }

        /// Memory of a modifier. [`Self::Nothing`] and the memory of another kind count as empty.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Memory {
            /// Before the first frame, and after a frame in which the modifier is off.
            #[default]
            Nothing,
            $(
                #[doc = $sentence]
                $kind($memory),
            )+
        }

        /// Calls a function of the kind with its settings and memory. A memory of another kind is replaced by an empty one.
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
            /// Returns a default modifier of each kind, in menu order.
            pub fn all() -> Vec<Self> {
                vec![$(Self::$kind($kind::default())),+]
            }

            /// Returns the key in presets.
            pub const fn key(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $key,)+
                }
            }

            /// Returns a readable name: `hit reaction`.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $name,)+
                }
            }

            /// Returns a sentence for tooltips.
            pub const fn sentence(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $sentence,)+
                }
            }

            /// Returns the numbers among the settings.
            pub fn parameters(&self) -> &dyn Parameters {
                match self {
                    $(Self::$kind(settings) => settings,)+
                }
            }

            /// Returns mutable access to the numbers among the settings.
            pub fn parameters_mut(&mut self) -> &mut dyn Parameters {
                match self {
                    $(Self::$kind(settings) => settings,)+
                }
            }

            /// Returns whether the modifier is on.
            pub const fn is_on(&self) -> bool {
                match self {
                    $(Self::$kind(settings) => !settings.off,)+
                }
            }

            /// Switches the modifier on or off.
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

            /// Returns the numbers of a kind, by its key in presets; `None` for an unknown key.
            pub fn parameters_of(key: &str) -> Option<&'static [Parameter]> {
                match key {
                    $($key => Some($kind::PARAMETERS),)+
                    _ => None,
                }
            }

            /// Returns the key as a static string; `None` if no kind has it.
            pub fn known_key(key: &str) -> Option<&'static str> {
                [$($key),+].into_iter().find(|own| *own == key)
            }
        }
    };
}

kinds! {
    Recoil: "recoil" "recoil", Shots, "A shot throws hands, shoulders and body back, and turns the weapon up.";
    TwoHandedGrip: "two_handed_grip" "two-handed grip", Held, "One hand holds on to the object that the other carries, as far as its arm reaches.";
    HitReaction: "hit_reaction" "hit reaction", Hits, "A blow moves nearby effectors, and turns spine and head.";
    Inertia: "inertia" "inertia", Springs, "Effectors lag behind their animated motion, and overshoot its end.";
    Breathing: "breathing" "breathing", Breath, "The chest rises and falls, the body sways.";
    LookAt: "look_at" "look at", (), "Spine, neck and head turn the eyes to a target, or the spine points a hand at it.";
    ReachFor: "reach_for" "reach for", Reaching, "An effector moves to a point, holds it while the point moves, and lets go.";
    Keyed: "keyed" "keyed effectors", (), "Effectors follow keys over time.";
    Head: "head" "head effector", HeadGoal, "Moves the head to a target; body, thighs and hands follow, spine and neck bend.";
    FourBones: "four_bones" "four-bone limbs", Folds, "A hock, or a second elbow, shares the bend of its limb.";
    ArmBending: "arm_bending" "arm bending", HandRotations, "Turns elbows by the hands' positions and rotations; spreads the hands' twist over the forearms.";
}

impl Modifier {
    /// Checks that every setting is valid.
    ///
    /// # Errors
    /// [`Fault`] with the kind's key and the field: `recoil.kick`.
    pub fn validate(&self) -> Result<(), Fault> {
        let checked = self.parameters().check_numbers().and_then(|()| self.check_kind());
        checked.map_err(|fault| fault.within(self.key()))
    }

    /// Advances the memory by the frame's time, then runs the phase before read, also if the modifier is off.
    pub fn before_read(&self, memory: &mut Memory, ask: &mut Ask) {
        of_kind!(self, memory, |settings, own| {
            settings.pass(own, &ask.seen());
            settings.before_read(own, ask);
        });
    }

    /// Starts the action of a recoil or reach-for; other kinds ignore it.
    pub fn trigger(&self, memory: &mut Memory) {
        of_kind!(self, memory, |settings, own| settings.trigger(own));
    }

    /// Strikes a blow. Returns true for a hit reaction, also for one that is off; false for other kinds.
    pub fn strike(&self, memory: &mut Memory, hit: Hit) -> bool {
        let Self::HitReaction(_) = self else { return false };
        if !matches!(memory, Memory::HitReaction(_)) {
            *memory = Memory::HitReaction(Hits::default());
        }
        let Memory::HitReaction(hits) = memory else { return false };
        hits.ages.start(0.0, hit);
        true
    }

    /// Returns whether [`Self::trigger`] or [`Self::strike`] changes the memory.
    pub(crate) const fn can_be_triggered(&self) -> bool {
        self.trigger_label().is_some() || matches!(self, Self::HitReaction(_))
    }

    /// Triggers in `memory` what was triggered between two recorded frames: `before` is the memory at the end of the
    /// first one, `after` the memory from which the second one was solved, `recorded` the modifier in it. Blows keep
    /// their recorded force.
    pub(crate) fn trigger_again(&self, recorded: &Self, [before, after]: [&Memory; 2], memory: &mut Memory) {
        if let Memory::HitReaction(hits) = after {
            let known = if let Memory::HitReaction(known) = before { *known } else { Hits::default() };
            for hit in hits.struck_since(&known) {
                self.strike(memory, hit);
            }
            return;
        }
        if before == after {
            return;
        }
        // Shots and reaches have no data of their own, so triggers are repeated until the memories agree.
        let mut triggered = *before;
        for count in 1..=MAX_IMPULSES {
            recorded.trigger(&mut triggered);
            if triggered == *after {
                return (0..count).for_each(|_| self.trigger(memory));
            }
        }
    }

    /// Returns the label of the action that [`Self::trigger`] starts; `None` if there is none.
    pub const fn trigger_label(&self) -> Option<&'static str> {
        match self {
            Self::Recoil(_) => Some("fire"),
            Self::ReachFor(_) => Some("reach"),
            _ => None,
        }
    }

    /// Returns the target, in the space of the poses, and the position weight of a head effector. `None` for other
    /// kinds, before the first frame, without a head, or at position weight 0.
    pub fn head_goal(&self, memory: &Memory) -> Option<(glam::Vec3, f32)> {
        match (self, memory) {
            (Self::Head(head), Memory::Head(drawn)) => head.goal(drawn),
            _ => None,
        }
    }

    /// Returns the state of a two-handed grip in a pose; `None` for other kinds, before the first frame, or if the pose
    /// is too short. `master` is the master weight.
    pub fn hold(&self, memory: &Memory, figure: &Figure, pose: &[RigidTransform], master: f32) -> Option<Hold> {
        match (self, memory) {
            (Self::TwoHandedGrip(grip), Memory::TwoHandedGrip(held)) => grip.hold(held, figure, pose, master),
            _ => None,
        }
    }

    /// Returns the attachment of the target; `None` if the target is not attached, or for kinds whose target cannot be
    /// attached.
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

    /// Returns a mutable reference to the target's attachment; `None` for kinds whose target cannot be attached.
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

    /// Moves an attached target with its anchor; call it before [`Self::before_read`], with `settings` whose attached
    /// targets are [resolved](crate::attach::resolve). Returns the anchor's transform; `None` if the target is not
    /// attached. Allocates nothing.
    ///
    /// # Errors
    /// [`Fault`] for a bone that is missing or has invalid numbers: `look_at.attached.to.bone`. The target stays unchanged.
    pub fn attach(&mut self, posed: &Posed, settings: &Settings) -> Result<Option<RigidTransform>, Fault> {
        let Some(own) = self.attachment() else { return Ok(None) };
        let within = |fault: Fault| fault.within("attached").within(self.key());
        let anchor = posed.anchor(settings, &own.to).map_err(within)?;
        let (place, rotation) = (own.place(&anchor), own.rotation(&anchor));
        self.put_target(place, rotation);
        Ok(Some(anchor))
    }

    /// Sets the target of a look-at or reach-for, in the space of the poses; other kinds ignore it. Only a reach-for
    /// uses the rotation; `None` keeps its own.
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

    /// Returns the target of a look-at or reach-for and the target rotation of a reach-for, in the space of the poses;
    /// for other kinds neither.
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

    /// Returns whether the next frame may differ if only time passes; false for a modifier that is off.
    pub fn is_moving(&self, memory: &Memory) -> bool {
        let mut memory = *memory;
        let memory = &mut memory;
        self.is_on() && of_kind!(self, memory, |settings, own| settings.is_moving(own))
    }

    /// Calls the kind's [`Kind::pushes_at`], also if the modifier is off.
    pub fn pushes_at(&self, stage: Stage) -> bool {
        let memory = &mut Memory::Nothing;
        of_kind!(self, memory, |settings, _own| settings.pushes_at(stage))
    }

    /// Calls the kind's [`Kind::push`].
    pub fn push(&self, memory: &Memory, (author, at): (Author, Step), seen: &Seen, frame: &Frame, nodes: &mut Pushing) {
        let mut memory = *memory;
        let memory = &mut memory;
        of_kind!(self, memory, |settings, own| settings.push(own, author, at, seen, frame, nodes));
    }

    /// Calls the kind's [`Kind::sets_bends`], also if the modifier is off.
    pub fn sets_bends(&self) -> bool {
        let memory = &mut Memory::Nothing;
        of_kind!(self, memory, |settings, _own| settings.sets_bends())
    }

    /// Calls the kind's [`Kind::bend`].
    pub fn bend(&self, memory: &Memory, seen: &Seen, state: &State, frame: &mut Frame) {
        let mut memory = *memory;
        let memory = &mut memory;
        of_kind!(self, memory, |settings, own| settings.bend(own, seen, state, frame));
    }

    /// Calls the kind's [`Kind::after_write`].
    pub fn after_write(&self, memory: &Memory, used_settings: &Settings, bones: &mut Bones) {
        let mut memory = *memory;
        let memory = &mut memory;
        of_kind!(self, memory, |settings, own| settings.after_write(own, used_settings, bones));
    }
}

/// A built-in modifier with its memory, for use in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Running {
    /// Settings; may change from frame to frame.
    pub modifier: Modifier,
    /// Values kept from frame to frame; a frame in which the modifier is off empties them.
    pub memory: Memory,
}

impl Running {
    /// Creates a modifier before its first frame.
    pub const fn new(modifier: Modifier) -> Self {
        Self { modifier, memory: Memory::Nothing }
    }

    /// Returns whether the modifier acts between the stages of the solve, in addition to before read and after write.
    pub fn acts_between(&self) -> bool {
        let acts = || self.modifier.sets_bends() || Stage::HOOKS.iter().any(|&stage| self.modifier.pushes_at(stage));
        self.modifier.is_on() && acts()
    }

    /// Starts the action of a recoil or reach-for; other kinds ignore it.
    pub fn trigger(&mut self) {
        self.modifier.trigger(&mut self.memory);
    }

    /// Strikes a blow. Returns true for a hit reaction, also for one that is off; false for other kinds.
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

    fn after_write(&self, used_settings: &Settings, bones: &mut Bones) {
        if self.modifier.is_on() {
            self.modifier.after_write(&self.memory, used_settings, bones);
        }
    }
}
