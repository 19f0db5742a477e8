//! What a frame keeps while its stages run, by name: what a port can be asked for beside its nodes.

use glam::Vec3;

use super::state::Frame;
use super::{child_constraint::PAIRS, mapping};
use crate::lanes::Basis;
use crate::names::{Chain, Node};
use crate::rig::LimbName;

/// What a constant is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Model units.
    Length,
    /// A share, a factor, or the coordinates of a unit vector.
    Number,
}

/// One constant of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// `left_arm.root_length`, `left_upper_arm-right_thigh.cross_fade`, `pelvis_plane`: see [`constants`].
    pub name: String,
    /// What it is measured in.
    pub measure: Measure,
    /// One number, or several.
    pub values: Vec<f32>,
}

/// The constants of a frame, in the order in which reading makes them:
///
/// | name | what |
/// |---|---|
/// | `pull_body` | what hands out of reach add to the body's offset, before the master weight |
/// | `{limb}.lengths` | bone 1 to bone 2, bone 2 to bone 3, after the bend limit |
/// | `{limb}.root_length` | body bone to bone 1 |
/// | `{limb}.distance` | bone 1 to bone 3 |
/// | `{limb}.body_child` | bone 1 seen from the body bone; model axes |
/// | `{limb}.straight` | 1 where the bones lie on one line, else 0 |
/// | `{limb}.default_direction` | out of elbow or knee, as the reference pose has it |
/// | `pull_parent_sum` | max(1, Σ pull) |
/// | `{limb}.cross_fade` | the body's share in the linear constraint body ↔ first node |
/// | `{node}-{node}.nominal_distance` | of the four child constraints, after the bend limit |
/// | `{node}-{node}.elasticity` | against being shortened and stretched; 0 is rigid |
/// | `{node}-{node}.cross_fade` | the first node's share of a correction |
/// | `pelvis_plane`, `chest_plane` | the planes that carry the spine's ends: right, up and forward; with iterations above 0 |
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

/// Every constant that there is, in the same order; their values mean nothing.
pub fn known() -> Vec<Constant> {
    constants(&Frame { iterations: 1, ..Frame::default() })
}

/// The axes of a torso plane in the pose that was read.
fn plane(frame: &Frame, nodes: [Node; 3]) -> [f32; 9] {
    let Basis { right, up, forward } = Basis::<Vec3>::of_plane::<f32>(nodes.map(|node| frame.bone(node)));
    let mut axes = [0.0; 9];
    for (axes, axis) in axes.chunks_mut(3).zip([right, up, forward]) {
        axes.copy_from_slice(&axis.to_array());
    }
    axes
}
