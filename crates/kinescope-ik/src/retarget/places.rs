//! The places of the source's feet and hands, scaled to the target.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::map::{Both, Map};
use crate::grounding::FARTHEST;
use crate::rig::RigidTransform;

/// Places of feet and hands of a source pose: from its pelvis, in the target's axes, scaled by leg length to the
/// target's model units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Places {
    /// Left and right ankle: x and z from the pelvis, y above the target's model origin. `None` without feet, or if a
    /// place is not finite or beyond ±[`FARTHEST`].
    pub feet: Option<[Vec3; 2]>,
    /// Left and right hand, from the pelvis. `None` without hands, or if a place is not finite or beyond ±[`FARTHEST`].
    pub hands: Option<[Vec3; 2]>,
    /// How much of the clip plays, 0 to 1: below 1 during a crossfade.
    pub weight: f32,
}

impl Places {
    pub(super) fn of(map: &Map, source: &[RigidTransform]) -> Self {
        let at = |bone: usize| {
            let place = source.get(bone).map(|own| own.position);
            place.filter(|place| place.abs().max_element() <= FARTHEST)
        };
        let pelvis = at(map.pelvis[0]);
        let from_pelvis = |[bone, _]: Both| Some(map.turn * (at(bone)? - pelvis?) * map.scale);
        let pair = |both: Option<[Both; 2]>| {
            let [left, right] = both?.map(from_pelvis);
            Some([left?, right?])
        };
        let feet = pair(map.feet).zip(map.feet).and_then(|(vectors, feet)| {
            let height = |side: usize| {
                let [source, target] = map.heights[side];
                Some(target + (at(feet[side][0])?.y - source) * map.scale)
            };
            Some([vectors[0].with_y(height(0)?), vectors[1].with_y(height(1)?)])
        });
        let sane = |both: &[Vec3; 2]| both.iter().all(|place| place.abs().max_element() <= FARTHEST);
        Self { feet: feet.filter(sane), hands: pair(map.hands).filter(sane), weight: 1.0 }
    }

    /// Returns whether the weight is from 0 to 1 and every place is within ±[`FARTHEST`].
    pub fn is_sane(&self) -> bool {
        let all = self.feet.iter().chain(&self.hands).flatten();
        (0.0..=1.0).contains(&self.weight) && all.into_iter().all(|place| place.abs().max_element() <= FARTHEST)
    }

    /// Returns the goals of both feet in the world; `None` without [`Self::feet`]. `root` maps the target's model space
    /// to the world, `pelvis` is the animated pelvis in the world.
    pub fn foot_goals(&self, root: &RigidTransform, pelvis: Vec3) -> Option<[Vec3; 2]> {
        let own = inside(root, pelvis);
        self.feet.map(|feet| feet.map(|foot| root.transform_point(Vec3::new(own.x + foot.x, foot.y, own.z + foot.z))))
    }

    /// Returns the goals of both hands in the world; `None` without [`Self::hands`]. `root` maps the target's model
    /// space to the world, `pelvis` is the animated pelvis in the world.
    pub fn hand_goals(&self, root: &RigidTransform, pelvis: Vec3) -> Option<[Vec3; 2]> {
        self.hands.map(|hands| hands.map(|hand| pelvis + root.rotation * hand))
    }
}

fn inside(root: &RigidTransform, point: Vec3) -> Vec3 {
    root.rotation.conjugate() * (point - root.position)
}
