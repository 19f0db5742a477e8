//! What is asked of the solver, as plain data.

use std::ffi::c_char;

use kinescope_library::full_body::Smoothing;
use kinescope_library::preset::Preset;
use kinescope_library::{ChainSettings, Effector, EffectorSettings, LimbName, Settings, SolverSettings};

use crate::pose::{KinescopeQuat, KinescopeVec3};
use crate::{KINESCOPE_EFFECTORS, KINESCOPE_LIMBS, KinescopeStatus, Refused, exclusive, guard, shared, text};

/// The limbs, in the order of KinescopeSettings.chains.
#[allow(dead_code, reason = "numbers by name, for C")]
#[repr(u32)]
pub enum KinescopeLimb {
    LeftArm,
    RightArm,
    LeftLeg,
    RightLeg,
}

/// The effectors (IK goals), in the order of KinescopeSettings.effectors.
#[allow(dead_code, reason = "numbers by name, for C")]
#[repr(u32)]
pub enum KinescopeEffector {
    Body,
    LeftShoulder,
    RightShoulder,
    LeftThigh,
    RightThigh,
    LeftHand,
    RightHand,
    LeftFoot,
    RightFoot,
}

/// How push and reach weaken a small force.
#[allow(dead_code, reason = "numbers by name, for C")]
#[repr(u32)]
pub enum KinescopeSmoothing {
    /// As it is.
    None,
    /// Squared; the default.
    Exponential,
    /// To the third power.
    Cubic,
}

/// Parameters of the whole solver.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct KinescopeSolverSettings {
    /// Master weight of the whole solve, 0 to 1.
    pub weight: f32,
    /// Rounds of the main loop, 0 to 16.
    pub iterations: u32,
    /// Whether limbs and torso pull each other; 0 is no.
    pub fabrik_pass: u32,
    /// How much the torso's two diagonals resist being shortened, 0 to 1.
    pub spine_stiffness: f32,
    /// How much hands that reach too far move the body up and down, -1 to 1.
    pub pull_body_vertical: f32,
    /// How much hands that reach too far move the body over the ground, -1 to 1.
    pub pull_body_horizontal: f32,
    /// Rounds of the spine's own FABRIK when the pose is written, from 1.
    pub spine_iterations: u32,
    /// How much of the shoulders' twist is spread along the spine, 0 to 1.
    pub spine_twist_weight: f32,
    /// How much the head keeps the rotation it has in the animation, 0 to 1.
    pub head_maintain_rotation: f32,
}

/// Parameters of one limb.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct KinescopeChainSettings {
    /// How strongly this limb pulls the torso, against the other limbs, 0 to 1.
    pub pull: f32,
    /// How strongly the limb, when compressed, pushes its shoulder or hip away, 0 to 1.
    pub push: f32,
    /// How much of the push is passed on to the body, -1 to 1.
    pub push_parent: f32,
    /// A KinescopeSmoothing.
    pub push_smoothing: u32,
    /// How far a nearly straight limb draws its shoulder or hip after the target, 0 to 1.
    pub reach: f32,
    /// A KinescopeSmoothing.
    pub reach_smoothing: u32,
    /// Whether reach is the same in every unit of length; 0 is no.
    pub scale_free_reach: u32,
    /// How much bend goal or bend direction count against the natural direction, 0 to 1.
    pub bend_weight: f32,
    /// Whether there is a bend goal; 0 is no.
    pub has_bend_goal: u32,
    /// A point that elbow or knee turns to (a pole vector).
    pub bend_goal: KinescopeVec3,
    /// Whether there is a bend direction; 0 is no. A goal wins.
    pub has_bend_direction: u32,
    /// A direction for elbow or knee to point in, of any length but 0.
    pub bend_direction: KinescopeVec3,
    /// Sine iterations that smooth the bend limit, 0 to 2.
    pub clamp_smoothing: u32,
    /// How much of the solved limb is written to its bones, 0 to 1.
    pub mapping_weight: f32,
    /// How much hand or foot keeps the rotation it has in the animation, 0 to 1.
    pub maintain_rotation: f32,
}

/// Parameters of one effector. Hand or foot is pinned by a position weight without a position.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct KinescopeEffectorSettings {
    /// Whether there is a target; 0 is no: then it is the effector's own bone in the animated pose.
    pub has_position: u32,
    /// The target.
    pub position: KinescopeVec3,
    /// Whether there is a target rotation; 0 is no.
    pub has_rotation: u32,
    /// The target rotation.
    pub rotation: KinescopeQuat,
    /// How much the effector draws its node to the target, 0 to 1.
    pub position_weight: f32,
    /// How much hand or foot takes the effector's rotation, 0 to 1.
    pub rotation_weight: f32,
    /// Added to the animated position for one frame: kinescope_settings_clear_offsets after the solve.
    pub position_offset: KinescopeVec3,
    /// How much hand or foot, without position weight, goes along with the torso, 0 to 1.
    pub maintain_relative_position: f32,
}

/// All parameters of one solve: kinescope_settings_default fills them in.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct KinescopeSettings {
    /// Those of the whole solver.
    pub solver: KinescopeSolverSettings,
    /// How much the body node resists the limbs' pull, 0 to 1.
    pub pin: f32,
    /// By KinescopeLimb.
    pub chains: [KinescopeChainSettings; KINESCOPE_LIMBS],
    /// By KinescopeEffector.
    pub effectors: [KinescopeEffectorSettings; KINESCOPE_EFFECTORS],
}

const _: () = assert!(KINESCOPE_LIMBS == LimbName::ALL.len() && KINESCOPE_EFFECTORS == Effector::COUNT);
const _: () = assert!(KinescopeLimb::RightLeg as usize == LimbName::RightLeg as usize);
const _: () = assert!(KinescopeEffector::RightFoot as usize == Effector::RightFoot as usize);
const _: () = assert!(KinescopeEffector::LeftHand as usize == Effector::LeftHand as usize);

fn split<T: Default>(value: Option<T>) -> (u32, T) {
    (u32::from(value.is_some()), value.unwrap_or_default())
}

fn join<T>(has: u32, value: T) -> Option<T> {
    (has != 0).then_some(value)
}

fn smoothing(number: u32, place: impl Fn() -> String) -> Result<Smoothing, Refused> {
    let known = usize::try_from(number).ok().and_then(|number| Smoothing::ALL.get(number).copied());
    let why = || Refused(KinescopeStatus::BadSettings, format!("{}: is {number}; it must be 0, 1 or 2", place()));
    known.ok_or_else(why)
}

impl From<&Settings> for KinescopeSettings {
    fn from(settings: &Settings) -> Self {
        let SolverSettings {
            weight,
            iterations,
            fabrik_pass,
            spine_stiffness,
            pull_body_vertical,
            pull_body_horizontal,
            spine_iterations,
            spine_twist_weight,
            head_maintain_rotation,
        } = settings.solver;
        let chain = |own: ChainSettings| {
            let (has_bend_goal, bend_goal) = split(own.bend_goal);
            let (has_bend_direction, bend_direction) = split(own.bend_direction);
            KinescopeChainSettings {
                pull: own.pull,
                push: own.push,
                push_parent: own.push_parent,
                push_smoothing: own.push_smoothing as u32,
                reach: own.reach,
                reach_smoothing: own.reach_smoothing as u32,
                scale_free_reach: own.scale_free_reach.into(),
                bend_weight: own.bend_weight,
                has_bend_goal,
                bend_goal: bend_goal.into(),
                has_bend_direction,
                bend_direction: bend_direction.into(),
                clamp_smoothing: own.clamp_smoothing,
                mapping_weight: own.mapping_weight,
                maintain_rotation: own.maintain_rotation,
            }
        };
        let effector = |own: EffectorSettings| {
            let (has_position, position) = split(own.position);
            let (has_rotation, rotation) = split(own.rotation);
            KinescopeEffectorSettings {
                has_position,
                position: position.into(),
                has_rotation,
                rotation: rotation.into(),
                position_weight: own.position_weight,
                rotation_weight: own.rotation_weight,
                position_offset: own.position_offset.into(),
                maintain_relative_position: own.maintain_relative_position,
            }
        };
        Self {
            solver: KinescopeSolverSettings {
                weight,
                iterations,
                fabrik_pass: fabrik_pass.into(),
                spine_stiffness,
                pull_body_vertical,
                pull_body_horizontal,
                spine_iterations,
                spine_twist_weight,
                head_maintain_rotation,
            },
            pin: settings.pin,
            chains: settings.chains.map(chain),
            effectors: settings.effectors.map(effector),
        }
    }
}

impl KinescopeSettings {
    /// As the library has them.
    pub(crate) fn read(&self) -> Result<Settings, Refused> {
        let solver = &self.solver;
        let mut found = Settings {
            solver: SolverSettings {
                weight: solver.weight,
                iterations: solver.iterations,
                fabrik_pass: solver.fabrik_pass != 0,
                spine_stiffness: solver.spine_stiffness,
                pull_body_vertical: solver.pull_body_vertical,
                pull_body_horizontal: solver.pull_body_horizontal,
                spine_iterations: solver.spine_iterations,
                spine_twist_weight: solver.spine_twist_weight,
                head_maintain_rotation: solver.head_maintain_rotation,
            },
            pin: self.pin,
            ..Settings::default()
        };
        for (index, own) in self.chains.iter().enumerate() {
            let at = |name: &'static str| move || format!("chains[{index}].{name}");
            found.chains[index] = ChainSettings {
                pull: own.pull,
                push: own.push,
                push_parent: own.push_parent,
                push_smoothing: smoothing(own.push_smoothing, at("push_smoothing"))?,
                reach: own.reach,
                reach_smoothing: smoothing(own.reach_smoothing, at("reach_smoothing"))?,
                scale_free_reach: own.scale_free_reach != 0,
                bend_weight: own.bend_weight,
                bend_goal: join(own.has_bend_goal, own.bend_goal.into()),
                bend_direction: join(own.has_bend_direction, own.bend_direction.into()),
                clamp_smoothing: own.clamp_smoothing,
                mapping_weight: own.mapping_weight,
                maintain_rotation: own.maintain_rotation,
            };
        }
        for (found, own) in found.effectors.iter_mut().zip(&self.effectors) {
            *found = EffectorSettings {
                position: join(own.has_position, own.position.into()),
                rotation: join(own.has_rotation, own.rotation.into()),
                position_weight: own.position_weight,
                rotation_weight: own.rotation_weight,
                position_offset: own.position_offset.into(),
                maintain_relative_position: own.maintain_relative_position,
            };
        }
        Ok(found)
    }
}

/// Fills in the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_settings_default(settings: *mut KinescopeSettings) -> KinescopeStatus {
    guard(|| {
        *unsafe { exclusive(settings, "settings") }? = (&Settings::default()).into();
        Ok(KinescopeStatus::Done)
    })
}

/// Reads a preset, as the window saves it: a text of JSON that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_settings_from_preset(
    json: *const c_char,
    settings: *mut KinescopeSettings,
) -> KinescopeStatus {
    guard(|| {
        let settings = unsafe { exclusive(settings, "settings") }?;
        let preset = Preset::from_json(unsafe { text(json, "json") }?).map_err(Refused::file)?;
        *settings = (&preset.settings).into();
        Ok(KinescopeStatus::Done)
    })
}

/// Writes a preset for the window to open: JSON that ends with a zero, into a buffer of `capacity` bytes. `needed`, which may
/// be NULL, gets the bytes that it takes with its zero; where there are fewer (NULL and 0 are a question) nothing is
/// written and it is KINESCOPE_STATUS_NOTHING_TO_DO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_settings_to_preset(
    settings: *const KinescopeSettings,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let settings = unsafe { shared(settings, "settings") }?.read()?;
        settings.validate().map_err(Refused::settings)?;
        let json = Preset { settings, ..Preset::default() }.to_json();
        if let Some(needed) = unsafe { needed.as_mut() } {
            *needed = json.len() + 1;
        }
        if buffer.is_null() || capacity <= json.len() {
            return Ok(KinescopeStatus::NothingToDo);
        }
        unsafe {
            buffer.copy_from_nonoverlapping(json.as_ptr().cast(), json.len());
            buffer.add(json.len()).write(0);
        }
        Ok(KinescopeStatus::Done)
    })
}

/// Whether every number is in its range; a solve takes more than that, but a preset does not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_settings_validate(settings: *const KinescopeSettings) -> KinescopeStatus {
    guard(|| {
        let settings = unsafe { shared(settings, "settings") }?.read()?;
        settings.validate().map_err(Refused::settings)?;
        Ok(KinescopeStatus::Done)
    })
}

/// Clears the offsets, which are meant for one frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_settings_clear_offsets(settings: *mut KinescopeSettings) -> KinescopeStatus {
    guard(|| {
        for effector in &mut unsafe { exclusive(settings, "settings") }?.effectors {
            effector.position_offset = KinescopeVec3::default();
        }
        Ok(KinescopeStatus::Done)
    })
}
