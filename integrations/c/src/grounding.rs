//! Foot placement on the caller's own ground.

use std::ffi::c_char;

use kinescope_library::error::BadValue;
use kinescope_library::full_body::InputError;
use kinescope_library::glam::Vec3;
use kinescope_library::ground::Layers;
use kinescope_library::grounding::footprint::{FootprintFrame, FootprintSolve};
use kinescope_library::grounding::lock::{LockFoot, LockFrame, lock};
use kinescope_library::grounding::{
    DriveWeights, FootIkSettings, Footprint, FootprintSettings, FootprintState, Input, Legs, LockSettings, LockState,
    Output, PredictiveSettings, Side, Solver, SolverState, SpeedSettings, SpeedState, WeightSource, solve,
    speed_weights,
};
use kinescope_library::locomotion::Sole;
use kinescope_library::math::read_rotation;
use kinescope_library::preset::Preset;
use kinescope_library::stack::{GroundingSection, Method};
use kinescope_library::{RigidTransform, Settings, Skeleton, stepped};

use crate::ground::KinescopeGround;
use crate::pose::{KinescopePose, KinescopeTransform, KinescopeVec3};
use crate::settings::KinescopeSettings;
use crate::solver::KinescopeSolver;
use crate::solver_tables::{
    KinescopeDriveWeights, KinescopeFootIkSettings, KinescopeFootprintSettings, KinescopeLockSettings,
    KinescopePredictiveSettings, KinescopeSpeedSettings,
};
use crate::{
    Done, KinescopeStatus, Refused, exclusive, free, guard, hand_over, list, object, object_mut, objects, shared, text,
};

/// How feet find the ground.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeGrounding {
    /// Foot IK: one ray down at each foot.
    FootIk,
    /// Predictive grounding: casts where each foot will be, by its velocity.
    Predictive,
}

/// Where a foot will land as animated.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeFootprint {
    /// The animated foot bone at landing; world space.
    pub foot: KinescopeTransform,
    /// Seconds until landing.
    pub time: f32,
}

/// A frame of grounding. Pairs are the left and the right foot. kinescope_ground_frame_default fills it in.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeGroundFrame {
    /// The character's transform from model to world.
    pub root: KinescopeTransform,
    /// Seconds since the last frame.
    pub dt: f32,
    /// How much the animation plants each foot, 0 to 1. Foot IK weighs the foot by this number, the foot lock holds a
    /// foot with more than 0.5.
    pub planted: [f32; 2],
    /// Whether `crossed` is set. 0 means no.
    pub has_crossed: [u32; 2],
    /// The fraction of the frame at which the foot landed or lifted, 0 to 1. With it, a foot lands at the same place at every frame
    /// rate.
    pub crossed: [f32; 2],
    /// How far a platform moved the ground under the foot since the last frame; world space.
    pub carried: [KinescopeVec3; 2],
    /// Whether `footprint` is set. 0 for a foot that stands, or whose landing is not known.
    pub has_footprint: [u32; 2],
    /// Where the foot will land. Without a footprint, steps are not shifted.
    pub footprint: [KinescopeFootprint; 2],
    /// The ground layers that the foot may stand on: bit i is layer i.
    pub layers: [u32; 2],
    /// Whether up is the world's +Y instead of the root's. 0 means no.
    pub keeps_world_up: u32,
}

/// The goals of a foot, in world space.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeLegOutput {
    /// Target of the foot bone.
    pub position: KinescopeVec3,
    /// Rotation in world space, by which the animated foot's rotation is multiplied from the left.
    pub rotation_offset: crate::pose::KinescopeQuat,
    /// Height of the target over the animated foot, along up.
    pub offset: f32,
    /// Whether there is ground under the foot or on its path. 0 means no.
    pub is_grounded: u32,
    /// Smoothed velocity of the animated foot, metres per second; zero with foot IK.
    pub velocity: KinescopeVec3,
    /// Predicted place of the animated foot; its current place with foot IK.
    pub predicted: KinescopeVec3,
    /// Weight of the goal, 0 to 1.
    pub weight: f32,
    /// Offset by which the foot lock holds the foot, not scaled by `weight`; zero without the lock.
    pub held: KinescopeVec3,
}

/// The result of the last frame of a grounder.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeGroundOutput {
    /// The left and the right leg.
    pub legs: [KinescopeLegOutput; 2],
    /// Offset of the pelvis and everything it carries; world space.
    pub pelvis: KinescopeVec3,
    /// Offset of the pelvis along up.
    pub pelvis_height: f32,
    /// Whether the reach of a leg lowered the pelvis further. 0 means no.
    pub is_pelvis_limited: u32,
    /// How much each foot is planted, as given or by the speed of the foot bones.
    pub planted: [f32; 2],
}

impl KinescopeGroundOutput {
    pub(crate) fn of(own: &Output, planted: [f32; 2]) -> Self {
        Self {
            legs: own.legs.map(|leg| KinescopeLegOutput {
                position: leg.ik_position.into(),
                rotation_offset: leg.rotation_offset.into(),
                offset: leg.offset,
                is_grounded: leg.grounded.into(),
                velocity: leg.velocity.into(),
                predicted: leg.predicted.into(),
                weight: leg.weight,
                held: leg.held.into(),
            }),
            pelvis: own.pelvis.into(),
            pelvis_height: own.pelvis_height,
            is_pelvis_limited: own.pelvis_limited.into(),
            planted,
        }
    }
}

/// Keeps a character's feet on the ground, frame by frame.
pub struct KinescopeGrounder {
    legs: Legs,
    soles: [Sole; 2],
    solver: Solver,
    state: SolverState,
    weights: DriveWeights,
    lock: LockSettings,
    lock_state: LockState,
    footprints: FootprintSettings,
    /// Whether steps are shifted to footprints.
    is_path: bool,
    footprint_state: FootprintState,
    /// Thresholds of the weights, if these follow from the speed of the foot bones.
    speed: Option<SpeedSettings>,
    speed_state: SpeedState,
    skeleton: Skeleton,
    world: Vec<RigidTransform>,
    before: Vec<RigidTransform>,
    /// The last frame: its output, the weights of the feet, and the root.
    last: Option<(Output, [f32; 2], RigidTransform)>,
}

objects!(KinescopeGrounder);

/// Creates a grounder for a character; `grounding` is a KinescopeGrounding.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_new(
    solver: *const KinescopeSolver,
    grounding: u32,
    out: *mut *mut KinescopeGrounder,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let of = object(solver, "solver")?;
            let solver = match grounding {
                own if own == KinescopeGrounding::FootIk as u32 => Solver::FootIk(FootIkSettings::default()),
                own if own == KinescopeGrounding::Predictive as u32 => {
                    Solver::Predictive(PredictiveSettings::default())
                }
                other => return Err(Refused::argument(format!("grounding: is {other}, expected 0 or 1"))),
            };
            let skeleton = of.character.skeleton.clone();
            Ok(KinescopeGrounder {
                soles: Side::ALL.map(|side| Sole::new(&skeleton, &of.character.reference, &of.legs, side)),
                legs: of.legs,
                state: SolverState::fresh(&solver),
                solver,
                weights: DriveWeights::default(),
                lock: LockSettings::default(),
                lock_state: LockState::default(),
                footprints: FootprintSettings::default(),
                is_path: true,
                footprint_state: FootprintState::default(),
                speed: None,
                speed_state: SpeedState::default(),
                world: Vec::with_capacity(skeleton.len()),
                before: Vec::new(),
                skeleton,
                last: None,
            })
        })
    })
}

impl KinescopeGrounder {
    /// Changes the grounder; its state starts anew if the method changes.
    fn set_solver(&mut self, solver: Solver) {
        self.solver = solver;
        if !self.state.is_of(&self.solver) {
            self.state = SolverState::fresh(&self.solver);
        }
    }
}

/// Reads method, settings, foot lock, footprints and weights from the section `grounding` of a preset (zero-terminated
/// JSON). Returns KINESCOPE_STATUS_NOTHING_TO_DO if the preset has no such section, and KINESCOPE_STATUS_BAD_FILE for
/// the method `off`. The method `path` is the predictive one with footprints. The section's `cast_rate`, `blend`,
/// `drive`, `limbs`, `environment`, `rotate_solver` and `rules` have no effect here; kinescope_stack_solve uses them. The
/// section's `curves` have no effect in either function: a frame gives the weights of the feet, or their speed does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_preset(
    grounder: *mut KinescopeGrounder,
    json: *const c_char,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(grounder, "grounder") }?;
        let preset = Preset::from_json(unsafe { text(json, "json") }?).map_err(Refused::file)?;
        if !preset.sections.contains_key("grounding") {
            return Ok(KinescopeStatus::NothingToDo);
        }
        let section: GroundingSection = preset.section("grounding").map_err(Refused::file)?;
        section.validate().map_err(Refused::file)?;
        own.set_solver(match section.method {
            Method::FootIk => Solver::FootIk(section.foot_ik),
            Method::Off => {
                let why = "grounding.method: is off; to turn grounding off, do not call kinescope_ground".to_owned();
                return Err(Refused(KinescopeStatus::BadFile, why));
            }
            Method::Predictive | Method::Path => Solver::Predictive(section.predictive),
        });
        own.is_path = section.method == Method::Path;
        (own.weights, own.lock, own.footprints) = (section.weights, section.lock, section.footprints);
        own.speed = (section.weight_source == WeightSource::Speed).then_some(section.speed);
        Ok(KinescopeStatus::Done)
    })
}

/// Frees a grounder; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_free(grounder: *mut KinescopeGrounder) {
    unsafe { free(grounder) };
}

/// Forgets earlier frames. Call it after a cut. The grounder detects jumps of the root by itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_reset(grounder: *mut KinescopeGrounder) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(grounder, "grounder") }?;
        own.state = SolverState::fresh(&own.solver);
        (own.lock_state, own.footprint_state) = (LockState::default(), FootprintState::default());
        (own.speed_state, own.last) = (SpeedState::default(), None);
        Ok(KinescopeStatus::Done)
    })
}

unsafe fn set<C, T: kinescope_library::parameter::Parameters>(
    grounder: *mut KinescopeGrounder,
    settings: *const C,
    read: impl FnOnce(&C) -> Result<T, Refused>,
    put: impl FnOnce(&mut KinescopeGrounder, T),
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(grounder, "grounder") }?;
        let settings = read(unsafe { shared(settings, "settings") }?)?;
        settings.check_numbers().map_err(Refused::settings)?;
        put(own, settings);
        Ok(KinescopeStatus::Done)
    })
}

/// Copies a part of a grounder's settings. `NothingToDo` if the grounder has none.
unsafe fn get<C>(
    grounder: *const KinescopeGrounder,
    settings: *mut C,
    of: impl FnOnce(&KinescopeGrounder) -> Option<C>,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(grounder, "grounder") }?;
        let settings = unsafe { exclusive(settings, "settings") }?;
        let Some(found) = of(own) else { return Ok(KinescopeStatus::NothingToDo) };
        *settings = found;
        Ok(KinescopeStatus::Done)
    })
}

/// Copies the settings of foot IK; KINESCOPE_STATUS_NOTHING_TO_DO for a predictive grounder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_get_foot_ik(
    grounder: *const KinescopeGrounder,
    settings: *mut KinescopeFootIkSettings,
) -> KinescopeStatus {
    let of = |own: &KinescopeGrounder| if let Solver::FootIk(own) = &own.solver { Some(own.into()) } else { None };
    unsafe { get(grounder, settings, of) }
}

/// Changes the settings of foot IK, and makes the grounder one of foot IK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_set_foot_ik(
    grounder: *mut KinescopeGrounder,
    settings: *const KinescopeFootIkSettings,
) -> KinescopeStatus {
    let read = |own: &KinescopeFootIkSettings| own.read(&FootIkSettings::default());
    unsafe { set(grounder, settings, read, |own, settings| own.set_solver(Solver::FootIk(settings))) }
}

/// Copies the settings of the predictive grounder; KINESCOPE_STATUS_NOTHING_TO_DO for foot IK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_get_predictive(
    grounder: *const KinescopeGrounder,
    settings: *mut KinescopePredictiveSettings,
) -> KinescopeStatus {
    let of = |own: &KinescopeGrounder| if let Solver::Predictive(own) = &own.solver { Some(own.into()) } else { None };
    unsafe { get(grounder, settings, of) }
}

/// Changes the settings of the predictive grounder, and makes the grounder a predictive one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_set_predictive(
    grounder: *mut KinescopeGrounder,
    settings: *const KinescopePredictiveSettings,
) -> KinescopeStatus {
    let read = |own: &KinescopePredictiveSettings| own.read(&PredictiveSettings::default());
    unsafe { set(grounder, settings, read, |own, settings| own.set_solver(Solver::Predictive(settings))) }
}

/// Copies the settings of the foot lock.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_get_lock(
    grounder: *const KinescopeGrounder,
    settings: *mut KinescopeLockSettings,
) -> KinescopeStatus {
    unsafe { get(grounder, settings, |own| Some((&own.lock).into())) }
}

/// Changes the settings of the foot lock, which is off at first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_set_lock(
    grounder: *mut KinescopeGrounder,
    settings: *const KinescopeLockSettings,
) -> KinescopeStatus {
    let read = |own: &KinescopeLockSettings| own.read(&LockSettings::default());
    unsafe {
        set(grounder, settings, read, |own, settings| {
            own.lock = settings;
            if !settings.on {
                own.lock_state = LockState::default();
            }
        })
    }
}

/// Copies the settings by which footprints shift steps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_get_footprints(
    grounder: *const KinescopeGrounder,
    settings: *mut KinescopeFootprintSettings,
) -> KinescopeStatus {
    unsafe { get(grounder, settings, |own| Some((&own.footprints).into())) }
}

/// Changes the settings by which footprints shift steps, and turns the footprints on if a preset turned them off. They
/// act with predictive grounding, in frames with a footprint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_set_footprints(
    grounder: *mut KinescopeGrounder,
    settings: *const KinescopeFootprintSettings,
) -> KinescopeStatus {
    let read = |own: &KinescopeFootprintSettings| own.read(&FootprintSettings::default());
    unsafe { set(grounder, settings, read, |own, settings| (own.is_path, own.footprints) = (true, settings)) }
}

/// Copies the weights with which kinescope_ground and kinescope_grounder_drive_limbs apply the goals of feet and
/// pelvis.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_get_weights(
    grounder: *const KinescopeGrounder,
    settings: *mut KinescopeDriveWeights,
) -> KinescopeStatus {
    unsafe { get(grounder, settings, |own| Some((&own.weights).into())) }
}

/// Changes the weights with which kinescope_ground and kinescope_grounder_drive_limbs apply the goals of feet and
/// pelvis.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_set_weights(
    grounder: *mut KinescopeGrounder,
    settings: *const KinescopeDriveWeights,
) -> KinescopeStatus {
    let read = |own: &KinescopeDriveWeights| own.read(&DriveWeights::default());
    unsafe { set(grounder, settings, read, |own, settings| own.weights = settings) }
}

/// Copies the thresholds by which the speed of a foot bone becomes its weight; KINESCOPE_STATUS_NOTHING_TO_DO if the frame gives the
/// weights.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_get_speed(
    grounder: *const KinescopeGrounder,
    settings: *mut KinescopeSpeedSettings,
) -> KinescopeStatus {
    unsafe { get(grounder, settings, |own| own.speed.as_ref().map(Into::into)) }
}

/// Makes the weights of the feet follow from the speed of the foot bones; `planted` and `crossed` of a frame have no effect then.
/// NULL makes the frame give the weights again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_set_speed(
    grounder: *mut KinescopeGrounder,
    settings: *const KinescopeSpeedSettings,
) -> KinescopeStatus {
    if settings.is_null() {
        return guard(|| {
            let own = unsafe { object_mut(grounder, "grounder") }?;
            (own.speed, own.speed_state) = (None, SpeedState::default());
            Ok(KinescopeStatus::Done)
        });
    }
    let read = |own: &KinescopeSpeedSettings| own.read(&SpeedSettings::default());
    unsafe { set(grounder, settings, read, |own, settings| own.speed = Some(settings)) }
}

fn is_bone(bone: &RigidTransform) -> bool {
    BadValue::check_place(bone.position).is_ok() && BadValue::check_rotation(bone.rotation).is_ok()
}

fn normalized(bone: RigidTransform) -> RigidTransform {
    RigidTransform { rotation: read_rotation(bone.rotation).unwrap_or_default(), ..bone }
}

/// Reads a character's transform; a rotation of a length from 0.99 to 1.01 is normalized.
pub(crate) fn read_root(root: KinescopeTransform, name: &str) -> Result<RigidTransform, Refused> {
    let root = RigidTransform::from(root);
    match is_bone(&root) {
        true => Ok(normalized(root)),
        false => Err(Refused::argument(format!("{name}: expected a finite position and a unit rotation"))),
    }
}

/// Checks that a pose has a valid transform for each bone of the skeleton.
pub(crate) fn check_pose(pose: &[RigidTransform], skeleton: &Skeleton) -> Result<(), Refused> {
    let (found, expected) = (pose.len(), skeleton.len());
    if found < expected {
        return Err(InputError::PoseLength { found, expected }.into());
    }
    match pose.iter().position(|bone| !is_bone(bone)) {
        Some(bone) => Err(Refused::pose(InputError::Bone { bone }, skeleton, pose)),
        None => Ok(()),
    }
}

/// Moves a checked pose from model space to world space.
pub(crate) fn carry(root: &RigidTransform, pose: &mut [RigidTransform]) {
    pose.iter_mut().for_each(|bone| *bone = root.transform(&normalized(*bone)));
}

impl KinescopeGroundFrame {
    const DEFAULT: Self = {
        let zero = KinescopeVec3 { x: 0.0, y: 0.0, z: 0.0 };
        let root = KinescopeTransform {
            position: zero,
            rotation: crate::pose::KinescopeQuat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 },
        };
        Self {
            root,
            dt: 0.0,
            planted: [1.0; 2],
            has_crossed: [0; 2],
            crossed: [0.0; 2],
            carried: [zero; 2],
            has_footprint: [0; 2],
            footprint: [KinescopeFootprint { foot: root, time: 0.0 }; 2],
            layers: [u8::MAX as u32; 2],
            keeps_world_up: 0,
        }
    };

    pub(crate) fn layers(&self) -> [Layers; 2] {
        self.layers.map(|layers| Layers((layers & u32::from(u8::MAX)) as u8))
    }

    pub(crate) fn footprints(&self) -> Result<[Option<Footprint>; 2], Refused> {
        let mut found = [None; 2];
        for (side, found) in found.iter_mut().enumerate().filter(|(side, _)| self.has_footprint[*side] != 0) {
            let own = &self.footprint[side];
            let foot = read_root(own.foot, &format!("frame.footprint[{side}].foot"))?;
            *found = Some(Footprint { foot, time: own.time });
        }
        Ok(found)
    }
}

/// Fills in a frame: at the origin, planted feet, all layers, no footprints, a time step of 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_ground_frame_default(frame: *mut KinescopeGroundFrame) -> KinescopeStatus {
    guard(|| {
        *unsafe { exclusive(frame, "frame") }? = KinescopeGroundFrame::DEFAULT;
        Ok(KinescopeStatus::Done)
    })
}

impl KinescopeGrounder {
    /// Solves a frame. `self.world` holds the pose in model space before, and in world space after.
    fn solve(&mut self, ground: &KinescopeGround, frame: &KinescopeGroundFrame) -> Result<Output, Refused> {
        check_pose(&self.world, &self.skeleton)?;
        let (root, footprints) = (read_root(frame.root, "root")?, frame.footprints()?);
        carry(&root, &mut self.world);
        let dt = frame.dt;
        let carried = frame.carried.map(Vec3::from);
        let mut input = self.legs.input(root, &self.world, [1.0; 2], dt);
        for (foot, layers) in input.feet.iter_mut().zip(frame.layers()) {
            foot.layers = layers;
        }
        if frame.keeps_world_up != 0 {
            input.root.up = Vec3::Y;
        }
        let (mut planted, mut crossed) = (frame.planted, [None; 2]);
        match &self.speed {
            Some(settings) => planted = speed_weights(settings, &input, carried, &mut self.speed_state),
            None => {
                for (side, crossed) in crossed.iter_mut().enumerate() {
                    *crossed = (frame.has_crossed[side] != 0).then_some(frame.crossed[side]);
                }
            }
        }
        // Only foot IK weighs each foot by how much it is planted.
        if matches!(self.solver, Solver::FootIk(_)) {
            input.feet.iter_mut().zip(planted).for_each(|(foot, weight)| foot.weight = weight);
        } else if self.is_path {
            input = self.shifted(input, footprints, planted, ground);
        }
        let mut output = solve(&self.solver, &input, &mut self.state, ground);
        if self.lock.on {
            output = self.locked(input, output, planted, crossed, carried);
        }
        self.last = Some((output, planted, root));
        Ok(output)
    }

    fn shifted(
        &mut self,
        input: Input,
        footprints: [Option<Footprint>; 2],
        planted: [f32; 2],
        ground: &KinescopeGround,
    ) -> Input {
        let frame = FootprintFrame { settings: self.footprints.clamped(), input, footprints, planted };
        let start = self.footprint_state;
        stepped::solve(&mut FootprintSolve::new(&frame, &start, ground), &mut self.footprint_state);
        frame.moved(&self.footprint_state)
    }

    fn locked(
        &mut self,
        input: Input,
        output: Output,
        planted: [f32; 2],
        crossed: [Option<f32>; 2],
        carried: [Vec3; 2],
    ) -> Output {
        let goals = self.legs.goals(&output, &self.weights, &self.world);
        let feet = Side::ALL.map(|side| {
            let index = side as usize;
            let (sole, goal) = (&self.soles[index], goals[index]);
            let foot = self.world.get(sole.foot).copied().unwrap_or_default();
            let at = |point| goal.transform_point(foot.to_local(&RigidTransform { position: point, ..foot }).position);
            let points = sole.points(&self.world).map(at);
            LockFoot { goal, points, planted: planted[index], crossed: crossed[index], carried: carried[index] }
        });
        let frame = LockFrame { settings: self.lock.clamped(), input, output, feet, weight: 1.0 };
        lock(&frame, &mut self.lock_state)
    }
}

unsafe fn ground_frame(
    grounder: *mut KinescopeGrounder,
    ground: *const KinescopeGround,
    frame: &KinescopeGroundFrame,
    pose: *const KinescopePose,
    settings: *const KinescopeSettings,
    driven: *mut KinescopeSettings,
) -> Done {
    let own = unsafe { object_mut(grounder, "grounder") }?;
    let ground = unsafe { shared(ground, "ground") }?;
    let settings = unsafe { shared(settings, "settings") }?.read()?;
    let driven = unsafe { exclusive(driven, "driven") }?;
    unsafe { shared(pose, "pose")?.read("pose", &mut own.world) }?;
    let output = own.solve(ground, frame)?;
    let root = own.last.map_or(RigidTransform::IDENTITY, |(.., root)| root);
    let found = own.legs.drive_full_body(&output, &own.weights, &own.world, &settings.carried_by(&root));
    *driven = (&found.carried_by(&root.to_local(&RigidTransform::IDENTITY))).into();
    Ok(KinescopeStatus::Done)
}

/// Runs one frame of grounding, before the solve: finds the ground under the animated pose and fills `driven` with the
/// caller's `settings`, changed so that the feet stand on it: targets of the feet, offsets that move the torso with the
/// pelvis, and a `reach` of 0 for the legs. `driven` may be `settings` itself only if the caller sets `settings` anew
/// in every frame.
///
/// `root` is the character's transform from model to world. `planted` holds how much the animation plants the left and
/// the right foot, 0 to 1, as in KinescopeGroundFrame; NULL means 1 for both. `dt` is the time since the last frame in
/// seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_ground(
    grounder: *mut KinescopeGrounder,
    ground: *const KinescopeGround,
    root: KinescopeTransform,
    pose: *const KinescopePose,
    planted: *const f32,
    dt: f32,
    settings: *const KinescopeSettings,
    driven: *mut KinescopeSettings,
) -> KinescopeStatus {
    guard(|| {
        let mut frame = KinescopeGroundFrame { root, dt, ..KinescopeGroundFrame::DEFAULT };
        if let [left, right] = unsafe { list(planted, if planted.is_null() { 0 } else { 2 }, "planted") }? {
            frame.planted = [*left, *right];
        }
        unsafe { ground_frame(grounder, ground, &frame, pose, settings, driven) }
    })
}

/// Runs one frame of grounding like kinescope_ground, with everything that a frame may have: footprints, moments of landing, moving
/// platforms, layers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_ground_frame(
    grounder: *mut KinescopeGrounder,
    ground: *const KinescopeGround,
    frame: *const KinescopeGroundFrame,
    pose: *const KinescopePose,
    settings: *const KinescopeSettings,
    driven: *mut KinescopeSettings,
) -> KinescopeStatus {
    guard(|| {
        let frame = *unsafe { shared(frame, "frame") }?;
        unsafe { ground_frame(grounder, ground, &frame, pose, settings, driven) }
    })
}

/// Copies the goals of the last frame. Returns KINESCOPE_STATUS_NOTHING_TO_DO before the first frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_output(
    grounder: *const KinescopeGrounder,
    output: *mut KinescopeGroundOutput,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(grounder, "grounder") }?;
        let output = unsafe { exclusive(output, "output") }?;
        let Some((found, planted, _)) = &own.last else { return Ok(KinescopeStatus::NothingToDo) };
        *output = KinescopeGroundOutput::of(found, *planted);
        Ok(KinescopeStatus::Done)
    })
}

/// Applies the goals of the last frame without the full body: moves `pose`, the animated pose, by the pelvis's offset,
/// scaled by the pelvis weight of kinescope_grounder_set_weights and the master weight, then solves each limb in closed
/// form. The torso does not react. Of `settings` it uses the master weight, the hands' and feet's targets and weights,
/// and the limbs' bends and maintained rotations. Returns KINESCOPE_STATUS_BAD_WORKSPACE before the first frame. On
/// failure, and at master weight 0, the pose is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_grounder_drive_limbs(
    grounder: *mut KinescopeGrounder,
    settings: *const KinescopeSettings,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(grounder, "grounder") }?;
        let settings: Settings = unsafe { shared(settings, "settings") }?.read()?;
        let pose = unsafe { shared(pose, "pose") }?;
        let Some((output, _, root)) = own.last else {
            let why = "grounder: has no goals yet; call kinescope_ground first".to_owned();
            return Err(Refused(KinescopeStatus::BadWorkspace, why));
        };
        unsafe { pose.read("pose", &mut own.world) }?;
        check_pose(&own.world, &own.skeleton)?;
        carry(&root, &mut own.world);
        let (settings, world) = (settings.carried_by(&root), &mut own.world);
        let done = own.legs.drive_limbs(&output, &own.weights, &settings, &own.skeleton, &mut own.before, world);
        let status = done.map_err(|error| Refused::pose(error, &own.skeleton, &own.world))?;
        if status == kinescope_library::Status::Solved {
            own.world.iter_mut().for_each(|bone| *bone = root.to_local(bone));
            unsafe { pose.write("pose", &own.world) }?;
        }
        Ok(status.into())
    })
}
