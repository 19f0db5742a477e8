// Generated from the tables of kinescope-ik; do not edit. To generate again: KINESCOPE_WRITE_MIRRORS=1 cargo test -p kinescope-ik --all-features --test library mirrors

//! Settings of modifiers in C.

use kinescope_library::Effector;
use kinescope_library::grounding::Side;
use kinescope_library::modifiers::{
    Aims, ArmBending, Breathing, FourBones, Head, HitReaction, Inertia, Keyed, LookAt, Modifier, ReachFor, Recoil,
    TwoHandedGrip,
};

use crate::modifiers::{Kind, KinescopeModifiers, get_settings, set_settings};
use crate::pose::{KinescopeQuat, KinescopeVec3};
use crate::settings::choice;
use crate::{KinescopeStatus, Refused};

/// The kinds of modifiers.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeModifierKind {
    /// A shot throws hands, shoulders and body back, and turns the weapon up.
    Recoil,
    /// One hand holds on to the object that the other carries, as far as its arm reaches.
    TwoHandedGrip,
    /// A blow moves nearby effectors, and turns spine and head.
    HitReaction,
    /// Effectors lag behind their animated motion, and overshoot its end.
    Inertia,
    /// The chest rises and falls, the body sways.
    Breathing,
    /// Spine, neck and head turn the eyes to a target, or the spine points a hand at it.
    LookAt,
    /// An effector moves to a point, holds it while the point moves, and lets go.
    ReachFor,
    /// Effectors follow keys over time.
    Keyed,
    /// Moves the head to a target; body, thighs and hands follow, spine and neck bend.
    Head,
    /// A hock, or a second elbow, shares the bend of its limb.
    FourBones,
    /// Turns elbows by the hands' positions and rotations; spreads the hands' twist over the forearms.
    ArmBending,
}

/// A side of the character.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeSide {
    /// The character's left.
    Left,
    /// The character's right.
    Right,
}

/// The eyes or the hand that points at the target of a look-at.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeAims {
    /// The eyes.
    Eyes,
    /// The left hand.
    LeftHand,
    /// The right hand.
    RightHand,
}

/// Settings of a modifier. A shot throws hands, shoulders and body back, and turns the weapon up.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeRecoil {
    /// Whether the modifier is off. 0 means no.
    pub off: u32,
    /// Weight of the whole effect. From 0 to 1, by default 1.
    pub weight: f32,
    /// The hand that fires. A number of KinescopeSide.
    pub hand: u32,
    /// Whether the other hand is also on the weapon and follows it. 0 means no.
    pub both_hands: u32,
    /// How far a shot throws the hand back, as a fraction of the character's height from foot to head. From 0 to 1, by default 0.055.
    pub kick: f32,
    /// How far a shot turns the weapon up. From -90 to 90 degrees, by default 8.
    pub rise: f32,
    /// How much of the kick the shoulders take. From 0 to 1, by default 0.5.
    pub shoulders: f32,
    /// How much of the kick the body takes. From 0 to 1, by default 0.15.
    pub body: f32,
    /// Time from the shot to the peak. From 0 to 2 seconds, by default 0.04.
    pub attack: f32,
    /// Time from the peak back to the aim. From 0 to 10 seconds, by default 0.35.
    pub release: f32,
    /// Time between automatic shots; 0 disables them. From 0 to 60 seconds, by default 0.
    pub interval: f32,
}

impl From<&Recoil> for KinescopeRecoil {
    fn from(own: &Recoil) -> Self {
        Self {
            off: own.off.into(),
            weight: own.weight,
            hand: own.hand as u32,
            both_hands: own.both_hands.into(),
            kick: own.kick,
            rise: own.rise,
            shoulders: own.shoulders,
            body: own.body,
            attack: own.attack,
            release: own.release,
            interval: own.interval,
        }
    }
}

impl KinescopeRecoil {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &Recoil) -> Result<Recoil, Refused> {
        Ok(Recoil {
            off: self.off != 0,
            weight: self.weight,
            hand: choice(self.hand, &Side::ALL, || "hand".to_owned())?,
            both_hands: self.both_hands != 0,
            kick: self.kick,
            rise: self.rise,
            shoulders: self.shoulders,
            body: self.body,
            attack: self.attack,
            release: self.release,
            interval: self.interval,
            ..own.clone()
        })
    }
}

impl Kind for KinescopeRecoil {
    type Own = Recoil;

    fn of(modifier: &Modifier) -> Option<&Recoil> {
        if let Modifier::Recoil(own) = modifier { Some(own) } else { None }
    }

    fn read(&self, own: &Recoil) -> Result<Modifier, Refused> {
        Ok(Modifier::Recoil(self.read(own)?))
    }
}

/// Copies the settings of the modifier at `index`, whose kind must be recoil.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_get_recoil(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut KinescopeRecoil,
) -> KinescopeStatus {
    unsafe { get_settings(modifiers, index, settings) }
}

/// Changes the settings of the modifier at `index`, whose kind must be recoil. The modifier keeps its state. On failure,
/// the settings are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_recoil(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const KinescopeRecoil,
) -> KinescopeStatus {
    unsafe { set_settings(modifiers, index, settings) }
}

/// Settings of a modifier. One hand holds on to the object that the other carries, as far as its arm reaches.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeTwoHandedGrip {
    /// Whether the modifier is off. 0 means no.
    pub off: u32,
    /// How much the other hand holds on. From 0 to 1, by default 1.
    pub weight: f32,
    /// The leading hand; the other one holds on. A number of KinescopeSide.
    pub hand: u32,
    /// Whether `position` is set. 0 means no.
    pub has_position: u32,
    /// Position of the grip in the space of the leading hand.
    pub position: KinescopeVec3,
    /// Whether `rotation` is set. 0 means no.
    pub has_rotation: u32,
    /// Rotation of the other hand in the space of the leading hand.
    pub rotation: KinescopeQuat,
    /// How much the other hand takes the grip's rotation. From 0 to 1, by default 1.
    pub rotation_weight: f32,
    /// How much the grip turns with the leading hand, if its written rotation differs from the requested one. From 0 to 1, by default 1.
    pub turns: f32,
}

impl From<&TwoHandedGrip> for KinescopeTwoHandedGrip {
    fn from(own: &TwoHandedGrip) -> Self {
        Self {
            off: own.off.into(),
            weight: own.weight,
            hand: own.hand as u32,
            has_position: own.position.is_some().into(),
            position: own.position.unwrap_or_default().into(),
            has_rotation: own.rotation.is_some().into(),
            rotation: own.rotation.unwrap_or_default().into(),
            rotation_weight: own.rotation_weight,
            turns: own.turns,
        }
    }
}

impl KinescopeTwoHandedGrip {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &TwoHandedGrip) -> Result<TwoHandedGrip, Refused> {
        Ok(TwoHandedGrip {
            off: self.off != 0,
            weight: self.weight,
            hand: choice(self.hand, &Side::ALL, || "hand".to_owned())?,
            position: (self.has_position != 0).then(|| self.position.into()),
            rotation: (self.has_rotation != 0).then(|| self.rotation.into()),
            rotation_weight: self.rotation_weight,
            turns: self.turns,
            ..own.clone()
        })
    }
}

impl Kind for KinescopeTwoHandedGrip {
    type Own = TwoHandedGrip;

    fn of(modifier: &Modifier) -> Option<&TwoHandedGrip> {
        if let Modifier::TwoHandedGrip(own) = modifier { Some(own) } else { None }
    }

    fn read(&self, own: &TwoHandedGrip) -> Result<Modifier, Refused> {
        Ok(Modifier::TwoHandedGrip(self.read(own)?))
    }
}

/// Copies the settings of the modifier at `index`, whose kind must be two handed grip.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_get_two_handed_grip(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut KinescopeTwoHandedGrip,
) -> KinescopeStatus {
    unsafe { get_settings(modifiers, index, settings) }
}

/// Changes the settings of the modifier at `index`, whose kind must be two handed grip. The modifier keeps its state. On failure,
/// the settings are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_two_handed_grip(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const KinescopeTwoHandedGrip,
) -> KinescopeStatus {
    unsafe { set_settings(modifiers, index, settings) }
}

/// Settings of a modifier. A blow moves nearby effectors, and turns spine and head.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeHitReaction {
    /// Whether the modifier is off. 0 means no.
    pub off: u32,
    /// Weight of the whole reaction. From 0 to 1, by default 1.
    pub weight: f32,
    /// How far an automatic blow or a click throws the struck place, as a fraction of the character's height. From 0 to 1, by default 0.08.
    pub force: f32,
    /// Distance over which a blow fades, as a fraction of the character's height. From 0.01 to 10, by default 0.3.
    pub radius: f32,
    /// How much a hand follows its shoulder. From 0 to 1, by default 0.7.
    pub hands: f32,
    /// How far a blow of force 0.07 or more bends the spine. From 0 to 90 degrees, by default 14.
    pub spine: f32,
    /// Largest twist of the spine, by a blow of force 0.07 or more to its side. From 0 to 90 degrees, by default 12.
    pub twist: f32,
    /// How far a blow of force 0.07 or more bends neck and head relative to the spine. From 0 to 90 degrees, by default 16.
    pub head: f32,
    /// Delay of the head after the body. From 0 to 1 seconds, by default 0.05.
    pub lag: f32,
    /// Time from the blow to the peak. From 0 to 2 seconds, by default 0.07.
    pub attack: f32,
    /// Time from the peak back to the animation. From 0 to 10 seconds, by default 0.55.
    pub release: f32,
    /// Time between automatic blows, from different sides in turn. 0 disables them. From 0 to 60 seconds, by default 0.
    pub interval: f32,
}

impl From<&HitReaction> for KinescopeHitReaction {
    fn from(own: &HitReaction) -> Self {
        Self {
            off: own.off.into(),
            weight: own.weight,
            force: own.force,
            radius: own.radius,
            hands: own.hands,
            spine: own.spine,
            twist: own.twist,
            head: own.head,
            lag: own.lag,
            attack: own.attack,
            release: own.release,
            interval: own.interval,
        }
    }
}

impl KinescopeHitReaction {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &HitReaction) -> Result<HitReaction, Refused> {
        Ok(HitReaction {
            off: self.off != 0,
            weight: self.weight,
            force: self.force,
            radius: self.radius,
            hands: self.hands,
            spine: self.spine,
            twist: self.twist,
            head: self.head,
            lag: self.lag,
            attack: self.attack,
            release: self.release,
            interval: self.interval,
            ..own.clone()
        })
    }
}

impl Kind for KinescopeHitReaction {
    type Own = HitReaction;

    fn of(modifier: &Modifier) -> Option<&HitReaction> {
        if let Modifier::HitReaction(own) = modifier { Some(own) } else { None }
    }

    fn read(&self, own: &HitReaction) -> Result<Modifier, Refused> {
        Ok(Modifier::HitReaction(self.read(own)?))
    }
}

/// Copies the settings of the modifier at `index`, whose kind must be hit reaction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_get_hit_reaction(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut KinescopeHitReaction,
) -> KinescopeStatus {
    unsafe { get_settings(modifiers, index, settings) }
}

/// Changes the settings of the modifier at `index`, whose kind must be hit reaction. The modifier keeps its state. On failure,
/// the settings are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_hit_reaction(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const KinescopeHitReaction,
) -> KinescopeStatus {
    unsafe { set_settings(modifiers, index, settings) }
}

/// Settings of a modifier. Effectors lag behind their animated motion, and overshoot its end.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeInertia {
    /// Whether the modifier is off. 0 means no.
    pub off: u32,
    /// Weight of the whole effect. From 0 to 1, by default 1.
    pub weight: f32,
    /// Oscillations of the spring per second: how tightly it follows. From 0.1 to 30 times a second, by default 2.5.
    pub frequency: f32,
    /// Damping ratio: how soon oscillation ends; from 1 on, effectors overshoot once without oscillating. From 0 to 4, by default 0.5.
    pub damping: f32,
    /// How much of the lag the body takes. From 0 to 1, by default 0.5.
    pub body: f32,
    /// How much of the lag the shoulders take. From 0 to 1, by default 0.5.
    pub shoulders: f32,
    /// How much of the lag the hands take. From 0 to 1, by default 1.
    pub hands: f32,
    /// Largest displacement, as a fraction of the character's height from foot to head. From 0 to 10, by default 0.15.
    pub farthest: f32,
}

impl From<&Inertia> for KinescopeInertia {
    fn from(own: &Inertia) -> Self {
        Self {
            off: own.off.into(),
            weight: own.weight,
            frequency: own.frequency,
            damping: own.damping,
            body: own.body,
            shoulders: own.shoulders,
            hands: own.hands,
            farthest: own.farthest,
        }
    }
}

impl KinescopeInertia {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &Inertia) -> Result<Inertia, Refused> {
        Ok(Inertia {
            off: self.off != 0,
            weight: self.weight,
            frequency: self.frequency,
            damping: self.damping,
            body: self.body,
            shoulders: self.shoulders,
            hands: self.hands,
            farthest: self.farthest,
            ..own.clone()
        })
    }
}

impl Kind for KinescopeInertia {
    type Own = Inertia;

    fn of(modifier: &Modifier) -> Option<&Inertia> {
        if let Modifier::Inertia(own) = modifier { Some(own) } else { None }
    }

    fn read(&self, own: &Inertia) -> Result<Modifier, Refused> {
        Ok(Modifier::Inertia(self.read(own)?))
    }
}

/// Copies the settings of the modifier at `index`, whose kind must be inertia.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_get_inertia(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut KinescopeInertia,
) -> KinescopeStatus {
    unsafe { get_settings(modifiers, index, settings) }
}

/// Changes the settings of the modifier at `index`, whose kind must be inertia. The modifier keeps its state. On failure,
/// the settings are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_inertia(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const KinescopeInertia,
) -> KinescopeStatus {
    unsafe { set_settings(modifiers, index, settings) }
}

/// Settings of a modifier. The chest rises and falls, the body sways.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeBreathing {
    /// Whether the modifier is off. 0 means no.
    pub off: u32,
    /// Weight of breathing and sway. From 0 to 1, by default 1.
    pub weight: f32,
    /// Breaths per second. From 0 to 5 times a second, by default 0.25.
    pub rate: f32,
    /// Depth of a breath, as a fraction of the height from foot to head: shoulders rise by 0.7 of it and move forward by 0.5. From 0 to 1, by default 0.008.
    pub depth: f32,
    /// How far the spine straightens with a breath. From 0 to 45 degrees, by default 1.5.
    pub lean: f32,
    /// How far the body sways over its feet, as a fraction of the character's height. From 0 to 1, by default 0.006.
    pub sway: f32,
    /// How often the body sways per second. From 0 to 5 times a second, by default 0.2.
    pub sway_rate: f32,
}

impl From<&Breathing> for KinescopeBreathing {
    fn from(own: &Breathing) -> Self {
        Self {
            off: own.off.into(),
            weight: own.weight,
            rate: own.rate,
            depth: own.depth,
            lean: own.lean,
            sway: own.sway,
            sway_rate: own.sway_rate,
        }
    }
}

impl KinescopeBreathing {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &Breathing) -> Result<Breathing, Refused> {
        Ok(Breathing {
            off: self.off != 0,
            weight: self.weight,
            rate: self.rate,
            depth: self.depth,
            lean: self.lean,
            sway: self.sway,
            sway_rate: self.sway_rate,
            ..own.clone()
        })
    }
}

impl Kind for KinescopeBreathing {
    type Own = Breathing;

    fn of(modifier: &Modifier) -> Option<&Breathing> {
        if let Modifier::Breathing(own) = modifier { Some(own) } else { None }
    }

    fn read(&self, own: &Breathing) -> Result<Modifier, Refused> {
        Ok(Modifier::Breathing(self.read(own)?))
    }
}

/// Copies the settings of the modifier at `index`, whose kind must be breathing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_get_breathing(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut KinescopeBreathing,
) -> KinescopeStatus {
    unsafe { get_settings(modifiers, index, settings) }
}

/// Changes the settings of the modifier at `index`, whose kind must be breathing. The modifier keeps its state. On failure,
/// the settings are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_breathing(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const KinescopeBreathing,
) -> KinescopeStatus {
    unsafe { set_settings(modifiers, index, settings) }
}

/// Settings of a modifier. Spine, neck and head turn the eyes to a target, or the spine points a hand at it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeLookAt {
    /// Whether the modifier is off. 0 means no.
    pub off: u32,
    /// Weight of the whole rotation. From 0 to 1, by default 1.
    pub weight: f32,
    /// Whether `target` is set. 0 means no.
    pub has_target: u32,
    /// Target in the space of the poses. Without one, nothing turns.
    pub target: KinescopeVec3,
    /// The eyes or the hand that points at the target. A number of KinescopeAims.
    pub aims: u32,
    /// How much of the rotation the spine takes. From 0 to 1, by default 0.35.
    pub spine: f32,
    /// How much of the remaining rotation neck and head take. From 0 to 1, by default 1.
    pub head: f32,
    /// How much of the rotation of neck and head the neck takes. From 0 to 1, by default 0.5.
    pub neck: f32,
    /// Largest angle, from the direction that the character faces, to which the spine follows the target. From 0 to 180 degrees, by default 45.
    pub spine_limit: f32,
    /// Largest angle, from the direction that the chest faces, to which the neck follows the target. From 0 to 180 degrees, by default 60.
    pub neck_limit: f32,
    /// Largest angle of the eyes from the direction that the chest faces. From 0 to 180 degrees, by default 75.
    pub head_limit: f32,
}

impl From<&LookAt> for KinescopeLookAt {
    fn from(own: &LookAt) -> Self {
        Self {
            off: own.off.into(),
            weight: own.weight,
            has_target: own.target.is_some().into(),
            target: own.target.unwrap_or_default().into(),
            aims: own.aims as u32,
            spine: own.spine,
            head: own.head,
            neck: own.neck,
            spine_limit: own.spine_limit,
            neck_limit: own.neck_limit,
            head_limit: own.head_limit,
        }
    }
}

impl KinescopeLookAt {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &LookAt) -> Result<LookAt, Refused> {
        Ok(LookAt {
            off: self.off != 0,
            weight: self.weight,
            target: (self.has_target != 0).then(|| self.target.into()),
            aims: choice(self.aims, &Aims::ALL, || "aims".to_owned())?,
            spine: self.spine,
            head: self.head,
            neck: self.neck,
            spine_limit: self.spine_limit,
            neck_limit: self.neck_limit,
            head_limit: self.head_limit,
            ..own.clone()
        })
    }
}

impl Kind for KinescopeLookAt {
    type Own = LookAt;

    fn of(modifier: &Modifier) -> Option<&LookAt> {
        if let Modifier::LookAt(own) = modifier { Some(own) } else { None }
    }

    fn read(&self, own: &LookAt) -> Result<Modifier, Refused> {
        Ok(Modifier::LookAt(self.read(own)?))
    }
}

/// Copies the settings of the modifier at `index`, whose kind must be look at.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_get_look_at(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut KinescopeLookAt,
) -> KinescopeStatus {
    unsafe { get_settings(modifiers, index, settings) }
}

/// Changes the settings of the modifier at `index`, whose kind must be look at. The modifier keeps its state. On failure,
/// the settings are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_look_at(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const KinescopeLookAt,
) -> KinescopeStatus {
    unsafe { set_settings(modifiers, index, settings) }
}

/// Settings of a modifier. An effector moves to a point, holds it while the point moves, and lets go.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeReachFor {
    /// Whether the modifier is off. 0 means no.
    pub off: u32,
    /// Weight of the whole reach. From 0 to 1, by default 1.
    pub weight: f32,
    /// The effector that reaches. A number of KinescopeEffector.
    pub effector: u32,
    /// Whether `position` is set. 0 means no.
    pub has_position: u32,
    /// The point, in the space of the poses. Without one, no effector moves.
    pub position: KinescopeVec3,
    /// Whether `to` is set. 0 means no.
    pub has_to: u32,
    /// Position of the point when the effector lets go, in the space of the poses. Without one, the point stays.
    pub to: KinescopeVec3,
    /// Whether `rotation` is set. 0 means no.
    pub has_rotation: u32,
    /// Rotation of hand or foot at the point, in the space of the poses.
    pub rotation: KinescopeQuat,
    /// Position weight while holding. From 0 to 1, by default 1.
    pub position_weight: f32,
    /// Rotation weight while holding. From 0 to 1, by default 0.
    pub rotation_weight: f32,
    /// Time that the effector takes to the point. From 0 to 60 seconds, by default 0.5.
    pub approach: f32,
    /// Time that the effector stays at the point. From 0 to 600 seconds, by default 0.8.
    pub hold: f32,
    /// Time of the way back to the animation after letting go. From 0 to 60 seconds, by default 0.6.
    pub release: f32,
    /// Time between automatic reaches; 0 disables them. From 0 to 600 seconds, by default 0.
    pub interval: f32,
}

impl From<&ReachFor> for KinescopeReachFor {
    fn from(own: &ReachFor) -> Self {
        Self {
            off: own.off.into(),
            weight: own.weight,
            effector: own.effector as u32,
            has_position: own.position.is_some().into(),
            position: own.position.unwrap_or_default().into(),
            has_to: own.to.is_some().into(),
            to: own.to.unwrap_or_default().into(),
            has_rotation: own.rotation.is_some().into(),
            rotation: own.rotation.unwrap_or_default().into(),
            position_weight: own.position_weight,
            rotation_weight: own.rotation_weight,
            approach: own.approach,
            hold: own.hold,
            release: own.release,
            interval: own.interval,
        }
    }
}

impl KinescopeReachFor {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &ReachFor) -> Result<ReachFor, Refused> {
        Ok(ReachFor {
            off: self.off != 0,
            weight: self.weight,
            effector: choice(self.effector, &Effector::ALL, || "effector".to_owned())?,
            position: (self.has_position != 0).then(|| self.position.into()),
            to: (self.has_to != 0).then(|| self.to.into()),
            rotation: (self.has_rotation != 0).then(|| self.rotation.into()),
            position_weight: self.position_weight,
            rotation_weight: self.rotation_weight,
            approach: self.approach,
            hold: self.hold,
            release: self.release,
            interval: self.interval,
            ..own.clone()
        })
    }
}

impl Kind for KinescopeReachFor {
    type Own = ReachFor;

    fn of(modifier: &Modifier) -> Option<&ReachFor> {
        if let Modifier::ReachFor(own) = modifier { Some(own) } else { None }
    }

    fn read(&self, own: &ReachFor) -> Result<Modifier, Refused> {
        Ok(Modifier::ReachFor(self.read(own)?))
    }
}

/// Copies the settings of the modifier at `index`, whose kind must be reach for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_get_reach_for(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut KinescopeReachFor,
) -> KinescopeStatus {
    unsafe { get_settings(modifiers, index, settings) }
}

/// Changes the settings of the modifier at `index`, whose kind must be reach for. The modifier keeps its state. On failure,
/// the settings are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_reach_for(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const KinescopeReachFor,
) -> KinescopeStatus {
    unsafe { set_settings(modifiers, index, settings) }
}

/// Settings of a modifier. Effectors follow keys over time.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeKeyed {
    /// Whether the modifier is off. 0 means no.
    pub off: u32,
    /// Weight of all keys. From 0 to 1, by default 1.
    pub weight: f32,
    /// Whether keys are in world space; otherwise they are relative to the character. 0 means no.
    pub in_world: u32,
}

impl From<&Keyed> for KinescopeKeyed {
    fn from(own: &Keyed) -> Self {
        Self {
            off: own.off.into(),
            weight: own.weight,
            in_world: own.in_world.into(),
        }
    }
}

impl KinescopeKeyed {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &Keyed) -> Result<Keyed, Refused> {
        Ok(Keyed {
            off: self.off != 0,
            weight: self.weight,
            in_world: self.in_world != 0,
            ..own.clone()
        })
    }
}

impl Kind for KinescopeKeyed {
    type Own = Keyed;

    fn of(modifier: &Modifier) -> Option<&Keyed> {
        if let Modifier::Keyed(own) = modifier { Some(own) } else { None }
    }

    fn read(&self, own: &Keyed) -> Result<Modifier, Refused> {
        Ok(Modifier::Keyed(self.read(own)?))
    }
}

/// Copies the settings of the modifier at `index`, whose kind must be keyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_get_keyed(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut KinescopeKeyed,
) -> KinescopeStatus {
    unsafe { get_settings(modifiers, index, settings) }
}

/// Changes the settings of the modifier at `index`, whose kind must be keyed. The modifier keeps its state. On failure,
/// the settings are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_keyed(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const KinescopeKeyed,
) -> KinescopeStatus {
    unsafe { set_settings(modifiers, index, settings) }
}

/// Settings of a modifier. Moves the head to a target; body, thighs and hands follow, spine and neck bend.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeHead {
    /// Whether the modifier is off. 0 means no.
    pub off: u32,
    /// Whether `position` is set. 0 means no.
    pub has_position: u32,
    /// Target in the space of the poses; without it the head's position in the animated pose.
    pub position: KinescopeVec3,
    /// Whether `rotation` is set. 0 means no.
    pub has_rotation: u32,
    /// Target rotation in the space of the poses; without it the head's rotation in the animated pose.
    pub rotation: KinescopeQuat,
    /// How strongly the head moves to the target. From 0 to 1, by default 1.
    pub position_weight: f32,
    /// How much the head takes the target rotation. From 0 to 1, by default 0.
    pub rotation_weight: f32,
    /// How much the body follows the head's displacement. From 0 to 1, by default 0.8.
    pub body: f32,
    /// How much the thighs follow the body. From 0 to 1, by default 1.
    pub thighs: f32,
    /// How much hands without a target follow the head's displacement. From 0 to 1, by default 0.5.
    pub hands: f32,
    /// How much of the head's rotation is spread over spine and neck. From 0 to 1, by default 0.6.
    pub bend: f32,
    /// How much spine and neck bend toward the target, except bones with their own weight. From 0 to 1, by default 0.6.
    pub spine_weight: f32,
    /// How much a bone's rotation is damped in each round of CCD, except bones with their own damper. From 0 to 1, by default 0.3.
    pub damper: f32,
    /// How far the neck may stretch, as a fraction of the character's height from foot to head. From 0 to 1, by default 0.
    pub stretch: f32,
    /// Share of the head's remaining distance to its target that the pelvis covers. From 0 to 1, by default 1.
    pub settle: f32,
    /// Whether `chest_direction` is set. 0 means no.
    pub has_chest_direction: u32,
    /// Direction that the chest faces, in the space of the poses; of any length but 0.
    pub chest_direction: KinescopeVec3,
    /// How much the chest turns to the chest direction. From 0 to 1, by default 1.
    pub chest_weight: f32,
}

impl From<&Head> for KinescopeHead {
    fn from(own: &Head) -> Self {
        Self {
            off: own.off.into(),
            has_position: own.position.is_some().into(),
            position: own.position.unwrap_or_default().into(),
            has_rotation: own.rotation.is_some().into(),
            rotation: own.rotation.unwrap_or_default().into(),
            position_weight: own.position_weight,
            rotation_weight: own.rotation_weight,
            body: own.body,
            thighs: own.thighs,
            hands: own.hands,
            bend: own.bend,
            spine_weight: own.spine_weight,
            damper: own.damper,
            stretch: own.stretch,
            settle: own.settle,
            has_chest_direction: own.chest_direction.is_some().into(),
            chest_direction: own.chest_direction.unwrap_or_default().into(),
            chest_weight: own.chest_weight,
        }
    }
}

impl KinescopeHead {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &Head) -> Result<Head, Refused> {
        Ok(Head {
            off: self.off != 0,
            position: (self.has_position != 0).then(|| self.position.into()),
            rotation: (self.has_rotation != 0).then(|| self.rotation.into()),
            position_weight: self.position_weight,
            rotation_weight: self.rotation_weight,
            body: self.body,
            thighs: self.thighs,
            hands: self.hands,
            bend: self.bend,
            spine_weight: self.spine_weight,
            damper: self.damper,
            stretch: self.stretch,
            settle: self.settle,
            chest_direction: (self.has_chest_direction != 0).then(|| self.chest_direction.into()),
            chest_weight: self.chest_weight,
            ..own.clone()
        })
    }
}

impl Kind for KinescopeHead {
    type Own = Head;

    fn of(modifier: &Modifier) -> Option<&Head> {
        if let Modifier::Head(own) = modifier { Some(own) } else { None }
    }

    fn read(&self, own: &Head) -> Result<Modifier, Refused> {
        Ok(Modifier::Head(self.read(own)?))
    }
}

/// Copies the settings of the modifier at `index`, whose kind must be head.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_get_head(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut KinescopeHead,
) -> KinescopeStatus {
    unsafe { get_settings(modifiers, index, settings) }
}

/// Changes the settings of the modifier at `index`, whose kind must be head. The modifier keeps its state. On failure,
/// the settings are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_head(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const KinescopeHead,
) -> KinescopeStatus {
    unsafe { set_settings(modifiers, index, settings) }
}

/// Settings of a modifier. A hock, or a second elbow, shares the bend of its limb.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeFourBones {
    /// Whether the modifier is off. 0 means no.
    pub off: u32,
    /// How much of a leg's bend the hock takes; the knee takes the rest. From 0 to 1, by default 0.5.
    pub legs: f32,
    /// How much of an arm's bend the inner joint takes; the elbow takes the rest. From 0 to 1, by default 0.5.
    pub arms: f32,
}

impl From<&FourBones> for KinescopeFourBones {
    fn from(own: &FourBones) -> Self {
        Self {
            off: own.off.into(),
            legs: own.legs,
            arms: own.arms,
        }
    }
}

impl KinescopeFourBones {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &FourBones) -> Result<FourBones, Refused> {
        Ok(FourBones {
            off: self.off != 0,
            legs: self.legs,
            arms: self.arms,
            ..own.clone()
        })
    }
}

impl Kind for KinescopeFourBones {
    type Own = FourBones;

    fn of(modifier: &Modifier) -> Option<&FourBones> {
        if let Modifier::FourBones(own) = modifier { Some(own) } else { None }
    }

    fn read(&self, own: &FourBones) -> Result<Modifier, Refused> {
        Ok(Modifier::FourBones(self.read(own)?))
    }
}

/// Copies the settings of the modifier at `index`, whose kind must be four bones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_get_four_bones(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut KinescopeFourBones,
) -> KinescopeStatus {
    unsafe { get_settings(modifiers, index, settings) }
}

/// Changes the settings of the modifier at `index`, whose kind must be four bones. The modifier keeps its state. On failure,
/// the settings are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_four_bones(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const KinescopeFourBones,
) -> KinescopeStatus {
    unsafe { set_settings(modifiers, index, settings) }
}

/// Settings of a modifier. Turns elbows by the hands' positions and rotations; spreads the hands' twist over the forearms.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeArmBending {
    /// Whether the modifier is off. 0 means no.
    pub off: u32,
    /// Weight of the left arm. From 0 to 1, by default 1.
    pub left: f32,
    /// Weight of the right arm. From 0 to 1, by default 1.
    pub right: f32,
    /// How much the hand's rotation affects the elbow. From 0 to 1, by default 0.5.
    pub hand: f32,
    /// How much of the hand's twist is spread over the forearm. From 0 to 1, by default 1.
    pub twist: f32,
}

impl From<&ArmBending> for KinescopeArmBending {
    fn from(own: &ArmBending) -> Self {
        Self {
            off: own.off.into(),
            left: own.left,
            right: own.right,
            hand: own.hand,
            twist: own.twist,
        }
    }
}

impl KinescopeArmBending {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &ArmBending) -> Result<ArmBending, Refused> {
        Ok(ArmBending {
            off: self.off != 0,
            left: self.left,
            right: self.right,
            hand: self.hand,
            twist: self.twist,
            ..own.clone()
        })
    }
}

impl Kind for KinescopeArmBending {
    type Own = ArmBending;

    fn of(modifier: &Modifier) -> Option<&ArmBending> {
        if let Modifier::ArmBending(own) = modifier { Some(own) } else { None }
    }

    fn read(&self, own: &ArmBending) -> Result<Modifier, Refused> {
        Ok(Modifier::ArmBending(self.read(own)?))
    }
}

/// Copies the settings of the modifier at `index`, whose kind must be arm bending.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_get_arm_bending(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut KinescopeArmBending,
) -> KinescopeStatus {
    unsafe { get_settings(modifiers, index, settings) }
}

/// Changes the settings of the modifier at `index`, whose kind must be arm bending. The modifier keeps its state. On failure,
/// the settings are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_arm_bending(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const KinescopeArmBending,
) -> KinescopeStatus {
    unsafe { set_settings(modifiers, index, settings) }
}
