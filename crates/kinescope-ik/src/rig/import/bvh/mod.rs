//! Conversion of BVH, the text format of motion capture, to binary glTF.
//!
//! The reader is part of Kinescope because the crate `bvh_anim` 0.4 panics on malformed hierarchies, reserves memory
//! for counts that a file only announces, reads one root, and cuts names at spaces.
//!
//! The rest pose has the offsets of the file and no rotations. End sites become bones named `PARENT_end`, or are
//! unnamed like their parent. A file may have several roots. Positions of joints replace the offset, as MotionBuilder
//! and Blender write them, unless the first frame shows that they add to it. A root at the origin with a position
//! channel and bones below height 0 is raised in the rest pose, so that its lowest bone is at height 0.

mod glb;
mod parse;
mod slice;
mod unit;

use super::converted::Converted;
use super::notes::{Notes, Outcome};
use crate::rig::length_unit::LengthUnit;

/// The progress of the conversion, 0 to 1, once the text is read.
const READ: f32 = 0.6;

/// Converts a BVH file to binary glTF in metres. Without a unit, the unit is guessed from the skeleton's height.
/// Returns the unit too. Pauses, and reports the part that is done; the conversion ends when `progress` returns false.
pub(super) async fn to_glb(
    bytes: &[u8],
    unit: Option<LengthUnit>,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Outcome<(Converted, LengthUnit)> {
    let mut notes = Notes::default();
    let file = parse::parse(bytes, &mut notes, &mut |done| progress(READ * done)).await?;
    let unit = unit::of_file(&file, unit, &mut notes);
    let mut of = |done: f32| progress(READ + (1.0 - READ) * done);
    let glb = glb::write(&file, unit.metres(), &mut notes, &mut of).await?;
    Ok((Converted { glb, notes: notes.finish() }, unit))
}
