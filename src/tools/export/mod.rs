//! Exports poses as JSON, and poses and clips as a .glb copy of the model or as BVH.
//!
//! The JSON (`kinescope-pose`, version 1) has `model` and `bones`: `name`, `parent` (−1 for a root), `position` and
//! `rotation` in model space, parents before children.

pub(crate) mod names;
pub(crate) mod pane;
pub mod session;
pub(crate) mod words;

use std::path::Path;

use serde::Serialize;

use crate::character::{self, Character};
use crate::session::headless::Baked;
use crate::tools::export::words as text;
use kinescope_ik::json::to_json_pretty;
use kinescope_ik::rig::import::Source;
use kinescope_ik::rig::{BvhMotion, LocalPose, Model, ModelPose, RigidTransform};

pub struct Written {
    pub bytes: Vec<u8>,
    /// The changes relative to the model, one sentence each.
    pub notes: Vec<String>,
    /// One sentence for each texture from outside the model's folder. The file contains copies of these textures.
    pub copied: Vec<String>,
}

impl From<Vec<u8>> for Written {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, notes: Vec::new(), copied: Vec::new() }
    }
}

impl Written {
    pub(crate) fn warning(&self) -> Option<String> {
        let copied = self.copied.first().map(|first| match self.copied.len() - 1 {
            0 => text::one_copy(&first),
            more => text::copies(&first, &more),
        });
        let both: Vec<String> = copied.into_iter().chain(self.lost()).collect();
        (!both.is_empty()).then(|| both.join("; "))
    }

    pub fn lost(&self) -> Option<String> {
        const MOST: usize = 5;
        let notes = self.notes.get(..MOST).unwrap_or(&self.notes).join("; ");
        match self.notes.len() {
            0 => None,
            count if count <= MOST => Some(text::not_as_in_model(&notes)),
            count => Some(text::not_as_in_model_more(&notes, &(count - MOST))),
        }
    }
}

pub(crate) fn pose(character: &Character, pose: &ModelPose, path: &Path) -> Result<Written, String> {
    let model = &character.model;
    match extension(path).as_str() {
        "json" => Ok(pose_json(model, pose).into_bytes().into()),
        "glb" => pose_glb(character, &pose.to_local(&model.skeleton, &model.skeleton.rest_pose())),
        "bvh" => {
            let local = pose.to_local(&model.skeleton, &model.skeleton.rest_pose());
            Ok(bvh(character, &Baked { poses: vec![local], ..Baked::default() }))
        }
        _ => Err(text::pose_extension(&path.display())),
    }
}

fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

pub(crate) fn clip(character: &Character, clip: &Baked, path: &Path) -> Result<Written, String> {
    if extension(path) == "bvh" { Ok(bvh(character, clip)) } else { clip_glb(character, clip) }
}

/// Returns a clip as BVH, with the reference pose as its rest pose.
pub fn bvh(character: &Character, clip: &Baked) -> Written {
    let intervals = clip.times.len().saturating_sub(1);
    let frame_time = match clip.times.last() {
        Some(&last) if intervals > 0 => f64::from(last - clip.times[0]) / intervals as f64,
        Some(_) | None => 1.0 / 30.0,
    };
    let motion = BvhMotion {
        skeleton: &character.model.skeleton,
        reference: &character.detection.reference,
        frames: &clip.poses,
        frame_time,
        centimetres: character::centimetres(character.height),
    };
    let (text, notes) = motion.write();
    Written { bytes: text.into_bytes(), notes, copied: Vec::new() }
}

#[derive(Serialize)]
struct PoseFile<'a> {
    format: &'static str,
    version: u32,
    model: &'a str,
    bones: Vec<PoseBone<'a>>,
}

#[derive(Serialize)]
struct PoseBone<'a> {
    name: &'a str,
    parent: i64,
    #[serde(flatten)]
    transform: RigidTransform,
}

fn pose_json(model: &Model, pose: &ModelPose) -> String {
    let bones = model.skeleton.bones().iter().zip(&pose.bones).map(|(bone, &transform)| PoseBone {
        name: &bone.name,
        parent: bone.parent.map_or(-1, |parent| parent as i64),
        transform,
    });
    to_json_pretty(&PoseFile { format: "kinescope-pose", version: 1, model: &model.name, bones: bones.collect() })
}

pub fn pose_glb(character: &Character, pose: &LocalPose) -> Result<Written, String> {
    let (mut source, copied) = character.source()?;
    source.pose(&character.model.skeleton.rest_pose(), pose);
    written(source, copied)
}

/// Returns the model with a baked clip, as .glb. The clip replaces the movement of bones in the model's clip of the
/// same name, or becomes a new clip if it comes from another file.
pub fn clip_glb(character: &Character, clip: &Baked) -> Result<Written, String> {
    let (mut source, copied) = character.source()?;
    let animation = character.find_clip(&clip.name)?;
    let rest = character.model.skeleton.rest_pose();
    source.bake(animation, &clip.name, &rest, &clip.times, &clip.poses);
    written(source, copied)
}

fn written(source: Source, copied: Vec<String>) -> Result<Written, String> {
    let (bytes, notes) = source.to_glb()?;
    Ok(Written { bytes, notes, copied })
}
