//! Constants of a frame by name, so that a port of the solver can be compared by them, and not by its nodes alone.

use glam::Vec3;

use super::state::Frame;
use super::{child_constraint::PAIRS, mapping};
use crate::lanes::Basis;
use crate::names::{Chain, Node};
use crate::rig::LimbName;

/// Unit of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Model units.
    Length,
    /// No unit: a share, a factor, a flag (0 or 1), or the coordinates of a unit vector.
    Number,
}

/// One constant of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Name as in the table of [`constants`]: `left_arm.root_length`, `pelvis_plane`.
    pub name: String,
    /// Unit of the values.
    pub measure: Measure,
    /// One value or several, see [`constants`].
    pub values: Vec<f32>,
}

/// Returns the constants of a frame, in this order; lengths are model units:
///
/// | name | value |
/// |---|---|
/// | `pull_body` | offset that hands out of reach add to the body, before the master weight |
/// | `{limb}.lengths` | bone 1 to bone 2, bone 2 to bone 3, after the bend limit |
/// | `{limb}.root_length` | body bone to bone 1 |
/// | `{limb}.distance` | bone 1 to bone 3, after the bend limit |
/// | `{limb}.body_child` | bone 1 relative to the body bone, in model axes |
/// | `{limb}.straight` | 1 if the bones lie on one line after the bend limit, else 0 |
/// | `{limb}.default_direction` | direction out of elbow or knee: that of the reference pose, rotated with bone 1; unit |
/// | `pull_parent_sum` | max(1, Σ pull) |
/// | `{limb}.cross_fade` | the body's share in the linear constraint body ↔ first node |
/// | `{node}-{node}.nominal_distance` | distance between the bones of a child constraint's nodes, after the bend limit |
/// | `{node}-{node}.elasticity` | elasticity against shortening and against stretching; 0 is rigid |
/// | `{node}-{node}.cross_fade` | the first node's share of a correction |
/// | `pelvis_plane`, `chest_plane` | planes that carry the spine's ends: right, up and forward; only with iterations above 0 |
pub fn constants(frame: &Frame) -> Vec<Constant> {
    let mut found = Vec::new();
    let mut put = |name: String, measure: Measure, values: &[f32]| {
        found.push(Constant { name, measure, values: values.to_vec() });
    };
    use Measure::{Length, Number};
    put("pull_body".to_owned(), Length, &frame.pull_body.to_array());
    for limb in LimbName::ALL {
        let (key, own) = (Chain::from(limb).key(), frame.limb(limb));
        put(format!("{key}.lengths"), Length, &own.lengths);
        put(format!("{key}.root_length"), Length, &[own.root_length]);
        put(format!("{key}.distance"), Length, &[own.distance]);
        put(format!("{key}.body_child"), Length, &frame.body_child(limb).to_array());
        put(format!("{key}.straight"), Number, &[own.straight]);
        put(format!("{key}.default_direction"), Number, &own.default_direction.to_array());
    }
    put("pull_parent_sum".to_owned(), Number, &[frame.pull_parent_sum]);
    for limb in LimbName::ALL {
        put(format!("{}.cross_fade", Chain::from(limb).key()), Number, &[frame.limb(limb).cross_fade]);
    }
    for ([a, b], own) in PAIRS.into_iter().zip(frame.child_constraints()) {
        let key = format!("{}-{}", a.key(), b.key());
        put(format!("{key}.nominal_distance"), Length, &[own.nominal_distance]);
        put(format!("{key}.elasticity"), Number, &[own.push_elasticity, own.pull_elasticity]);
        put(format!("{key}.cross_fade"), Number, &[own.cross_fade]);
    }
    if frame.iterations > 0 {
        for (key, nodes) in [("pelvis_plane", mapping::PELVIS_PLANE), ("chest_plane", mapping::CHEST_PLANE)] {
            put(key.to_owned(), Number, &plane(frame, nodes));
        }
    }
    found
}

/// Returns the name and unit of every constant, in the order of [`constants`]. The values are meaningless.
pub fn known() -> Vec<Constant> {
    constants(&Frame { iterations: 1, ..Frame::default() })
}

fn plane(frame: &Frame, nodes: [Node; 3]) -> [f32; 9] {
    let Basis { right, up, forward } = Basis::<Vec3>::of_plane::<f32>(nodes.map(|node| frame.bone(node)));
    let mut axes = [0.0; 9];
    for (axes, axis) in axes.chunks_mut(3).zip([right, up, forward]) {
        axes.copy_from_slice(&axis.to_array());
    }
    axes
}
