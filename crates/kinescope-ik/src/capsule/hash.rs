//! Hashes of recorded solves, by which capsules compare them exactly.

use crate::fnv1a::Fnv1a;
use crate::full_body::Recording;
use crate::rig::{LimbName, RigidTransform};
use crate::stepped::{Cursor, Run};

/// Returns a 64-bit hash of a solve. Two solves have the same hash if their steps, nodes, plane rotation offsets and
/// written bones are equal to the last bit.
///
/// FNV-1a (64 bits) over, for each step: the iteration from 1 as 4 bytes (0 outside the iterations), the stage's key
/// and a zero byte, the 13 nodes as x, y, z in the order of [`Node::ALL`](crate::full_body::Node::ALL), the four plane
/// rotation offsets as x, y, z, w; then for each bone of `result` (the written pose) its position and rotation. Numbers
/// are little-endian, and −0 counts as 0.
pub fn hash(recording: &Recording, result: &[RigidTransform]) -> u64 {
    let mut hash = Fnv1a::new();
    for recorded in &recording.solve.steps {
        hash.bytes(&recorded.step.iteration.map_or(0, |iteration| iteration.wrapping_add(1)).to_le_bytes());
        hash.bytes(recorded.step.stage.key().as_bytes());
        hash.bytes(&[0]);
        for node in recorded.state.nodes().0 {
            hash.numbers(node.to_array());
        }
        for limb in LimbName::ALL {
            hash.numbers(recorded.state.plane_rotation_offset(limb).to_array());
        }
    }
    hash.pose(result);
    hash.0
}

/// Returns a 64-bit hash of any layer's run. Two runs have the same hash if their steps, the points after each step and
/// the final bones (if the run moves bones) are equal to the last bit. `before` is the input pose of the layer.
///
/// FNV-1a (64 bits) over, for each step: the iteration from 1 as 4 bytes (0 outside the iterations), its key and a zero
/// byte, and its points as x, y, z; then, of a run that [moves bones](Run::moves_bones), for each bone at the end its
/// position and rotation. Numbers are little-endian, and −0 counts as 0.
pub fn hash_of_run(run: &dyn Run, before: &[RigidTransform]) -> u64 {
    let mut hash = Fnv1a::new();
    for step in 0..run.steps() {
        let view = run.step(step);
        hash.bytes(&view.iteration.map_or(0, |iteration| iteration.wrapping_add(1)).to_le_bytes());
        hash.bytes(view.key.as_bytes());
        hash.bytes(&[0]);
        for place in run.places(Cursor { step, within: None }) {
            hash.numbers(place.to_array());
        }
    }
    if run.moves_bones() {
        let mut pose = before.to_vec();
        run.pose(Cursor::end(run), &mut pose);
        hash.pose(&pose);
    }
    hash.0
}
