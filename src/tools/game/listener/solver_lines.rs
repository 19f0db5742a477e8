//! Lines between Kinescope and an outside solver of the full-body lab, version 1.
//!
//! A solver sends a header and one answer for each frame; Kinescope sends the rig and the frames. Every answer is untrusted.

use std::sync::Arc;

use glam::{Quat, Vec3};
use kinescope_ik::error::Fault;
use kinescope_ik::full_body::Effector;
use kinescope_ik::full_body::{FullBody, Settings};
use kinescope_ik::game_recording::{GameCharacter, Writer};
use kinescope_ik::math::FARTHEST;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::ForeignPose;
use serde::{Deserialize, Serialize};

use crate::tools::game::words as text;

const FORMAT: &str = "kinescope-solver";
const VERSION: u64 = 1;
/// Largest length of an answer, bytes.
pub const MOST_ANSWER: usize = 4 << 20;
/// Largest length of a solver's name, characters.
const LONGEST_NAME: usize = 40;
const LONGEST_ERROR: usize = 200;
pub const MOST_ITERATIONS: usize = 256;
/// Largest difference of a rotation's length from 1. Kinescope normalizes rotations within it.
const UNIT_TOLERANCE: f32 = 0.01;

/// A target of a frame; model space, model units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Target {
    effector: &'static str,
    bone: usize,
    position: Vec3,
    rotation: Quat,
    position_weight: f32,
    rotation_weight: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    bend_goal: Option<Vec3>,
    bend_weight: f32,
}

/// Returns a target for each effector with a position, rotation or bend weight. An effector without a position or
/// rotation gets that of the pose `given`. The master weight scales all weights.
pub(crate) fn targets(solver: &FullBody, settings: &Settings, given: &[RigidTransform]) -> Vec<Target> {
    let master = settings.solver.weight;
    let target = |effector: Effector| {
        let own = settings.effector(effector);
        let bone = solver.bone_of(effector.node());
        let animated = given.get(bone)?;
        let chain = effector.limb().map(|limb| settings.chain(limb));
        let [position_weight, rotation_weight] = [own.position_weight, own.rotation_weight].map(|own| own * master);
        let bend_weight = chain.map_or(0.0, |chain| chain.bend_weight * master);
        let has_weight = position_weight > 0.0 || rotation_weight > 0.0 || bend_weight > 0.0;
        has_weight.then_some(Target {
            effector: effector.key(),
            bone,
            position: own.position.unwrap_or(animated.position),
            rotation: own.rotation.unwrap_or(animated.rotation),
            position_weight,
            rotation_weight,
            bend_goal: chain.and_then(|chain| chain.bend_goal),
            bend_weight,
        })
    };
    Effector::ALL.into_iter().filter_map(target).collect()
}

/// Returns the line with the rig of a character. `metres` is the length of a model unit.
pub(crate) fn rig_line(character: &GameCharacter, metres: f64) -> Result<String, Fault> {
    // A recording's line of a character that joins has the same fields.
    let (_, line) = Writer::default().join(character)?;
    let mut line: serde_json::Value = serde_json::from_str(&line).map_err(|error| Fault::from_syntax(&error))?;
    let mut rig = line["join"].take();
    rig["metres_per_unit"] = metres.into();
    Ok(format!("{}\n", serde_json::json!({ "character": rig })))
}

pub(super) fn frame_line(number: u64, pose: &[RigidTransform], targets: &[Target]) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        frame: u64,
        pose: Vec<[f32; 7]>,
        targets: &'a [Target],
    }
    let seven = |bone: &RigidTransform| {
        let (p, r) = (bone.position, bone.rotation);
        [p.x, p.y, p.z, r.x, r.y, r.z, r.w]
    };
    let line = Line { frame: number, pose: pose.iter().map(seven).collect(), targets };
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

/// Returns whether a first line, or its beginning, names the format of solvers.
pub(super) fn is_header(first: &[u8]) -> bool {
    let quoted = |part: &[u8]| part.strip_prefix(b"\"")?.strip_suffix(b"\"").map(|name| name == FORMAT.as_bytes());
    first.windows(FORMAT.len() + 2).any(|part| quoted(part) == Some(true))
}

pub fn read_header(text: &str) -> Result<String, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Header {
        format: String,
        version: u64,
        name: String,
    }
    let header: Header = read(text)?;
    if header.format != FORMAT {
        return Err(Fault::new("format", text::solver_format(&header.format, &FORMAT)));
    }
    if header.version != VERSION {
        return Err(Fault::new("version", text::solver_version(&header.version, &VERSION)));
    }
    let name = header.name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(Fault::new("name", text::solver_name(&LONGEST_NAME)));
    }
    Ok(name.to_owned())
}

/// The answer of a solver to a frame, before its poses are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    pub(crate) frame: u64,
    pose: Option<Vec<[f32; 7]>>,
    #[serde(default)]
    iterations: Vec<Vec<[f32; 7]>>,
    us: Option<f32>,
    error: Option<String>,
}

impl Answer {
    pub fn read(line: &str) -> Result<Self, Fault> {
        if line.len() > MOST_ANSWER {
            return Err(Fault::new("", text::is_too_long(&(MOST_ANSWER >> 20))));
        }
        read(line)
    }

    /// Returns the pose for a character with this number of bones, or the reason that the solver sent instead of a
    /// pose.
    pub fn pose(self, bones: usize) -> Result<Result<Arc<ForeignPose>, String>, Fault> {
        if let Some(error) = self.error {
            return Ok(Err(error.chars().filter(|letter| !letter.is_control()).take(LONGEST_ERROR).collect()));
        }
        let pose = self.pose.ok_or_else(|| Fault::new("pose", text::POSE_MISSING))?;
        if self.iterations.len() > MOST_ITERATIONS {
            return Err(Fault::new("iterations", text::too_many_iterations(&self.iterations.len(), &MOST_ITERATIONS)));
        }
        if let Some(us) = self.us.filter(|us| !us.is_finite() || *us < 0.0) {
            return Err(Fault::new("us", text::wrong_time(&us)));
        }
        let pose = read_pose(pose, bones, "pose")?;
        let mut iterations = Vec::with_capacity(self.iterations.len() + 1);
        for (index, iteration) in self.iterations.into_iter().enumerate() {
            iterations.push(read_pose(iteration, bones, &format!("iterations[{index}]"))?);
        }
        // Iterations, if any, end with the result.
        if iterations.last().is_some_and(|last| *last != pose) {
            iterations.push(pose.clone());
        }
        Ok(Ok(Arc::new(ForeignPose { bones: pose, iterations, late: 0, micros: self.us })))
    }
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|error| {
        let fault = Fault::from_syntax(&error);
        // The parser sees one line and calls it line 1.
        let place = fault.place.replace(&(text::line(&1) + ", "), "");
        Fault { place, ..fault }
    })
}

fn read_pose(pose: Vec<[f32; 7]>, bones: usize, place: &str) -> Result<Vec<RigidTransform>, Fault> {
    if pose.len() != bones {
        return Err(Fault::new(place, text::wrong_bones(&pose.len(), &bones)));
    }
    let read = |(index, [x, y, z, a, b, c, d]): (usize, [f32; 7])| {
        let (position, rotation) = (Vec3::new(x, y, z), Quat::from_xyzw(a, b, c, d));
        if !position.is_finite() || position.abs().max_element() > FARTHEST {
            return Err(Fault::new(format!("{place}[{index}]"), text::WRONG_POSITION));
        }
        // A NaN length is refused too.
        let is_unit = (rotation.length() - 1.0).abs() <= UNIT_TOLERANCE;
        if !is_unit {
            return Err(Fault::new(format!("{place}[{index}]"), text::wrong_rotation(&rotation.length())));
        }
        Ok(RigidTransform { position, rotation: rotation.normalize() })
    };
    pose.into_iter().enumerate().map(read).collect()
}
