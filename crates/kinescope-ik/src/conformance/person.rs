//! The characters of the kit, built from a few bones with different rotations.

use glam::{EulerRot, Quat, Vec3};

use crate::error::Fault;
use crate::rig::{Biped, Bone, BoneIndex, Limb, LocalTransform, RigidTransform, Skeleton};
use crate::trace::Rig;

/// The variable parts of a character. Every character has two arms and two legs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build {
    /// The number of bones from the one next to the pelvis up to the chest.
    pub spine: usize,
    /// True for a character with head and clavicles.
    pub has_head: bool,
    /// True if the limbs are straight in the reference pose, so that their bend directions are the anatomical ones.
    pub is_straight: bool,
    /// True if the head is attached to the left clavicle. Writing moves the clavicle after the head.
    pub is_head_on_clavicle: bool,
    /// True if bones are attached elsewhere than usual: a forearm to the chest, a foot to the pelvis, an arm with its
    /// clavicle to the other hand.
    pub is_detached: bool,
    pub size: f32,
}

impl Build {
    pub const WHOLE: Self = Self {
        spine: 4,
        has_head: true,
        is_straight: false,
        is_head_on_clavicle: false,
        is_detached: false,
        size: 1.0,
    };
    pub const SHORT: Self = Self { spine: 2, has_head: false, ..Self::WHOLE };
}

struct Maker {
    bones: Vec<Bone>,
    reference: Vec<RigidTransform>,
    size: f32,
}

impl Maker {
    fn bone(&mut self, name: &str, parent: Option<BoneIndex>, at: [f32; 3]) -> BoneIndex {
        let index = self.bones.len();
        // All bones have different axes, none of them those of the model, so that a forgotten rotation shows.
        let turn = index as f32;
        let rotation = Quat::from_euler(EulerRot::YXZ, 0.7 + 1.1 * turn, 0.4 - 0.3 * turn, 0.2 * turn);
        self.bones.push(Bone { name: name.to_owned(), parent, rest: LocalTransform::IDENTITY });
        self.reference.push(RigidTransform { position: Vec3::from(at) * self.size, rotation: rotation.normalize() });
        index
    }

    /// Adds the three bones of a limb; `bend` displaces the middle one.
    fn limb(&mut self, names: [&str; 3], parent: BoneIndex, places: [[f32; 3]; 3], bend: [f32; 3]) -> [BoneIndex; 3] {
        let mut above = parent;
        let mut found = [0; 3];
        for (index, (name, at)) in names.into_iter().zip(places).enumerate() {
            let bend = if index == 1 { Vec3::from(bend) } else { Vec3::ZERO };
            above = self.bone(name, Some(above), (Vec3::from(at) + bend).to_array());
            found[index] = above;
        }
        found
    }
}

/// Builds a character whose animated pose is its reference pose.
pub(super) fn person(build: Build) -> Result<Rig, Fault> {
    let mut maker = Maker { bones: Vec::new(), reference: Vec::new(), size: build.size };
    let pelvis = maker.bone("pelvis", None, [0.0, 0.98, 0.0]);
    let mut spine = Vec::new();
    let mut above = pelvis;
    for index in 0..build.spine {
        let share = (index as f32 + 0.5) / build.spine as f32;
        // Not quite straight, like a real spine.
        let at = [0.0, 1.02 + 0.4 * share, 0.02 * (share * 3.0).sin()];
        above = maker.bone(&format!("spine {}", index + 1), Some(above), at);
        spine.push(above);
    }
    let chest = above;
    let head_on = |maker: &mut Maker, on: BoneIndex| maker.bone("head", Some(on), [0.0, 1.58, 0.03]);
    let mut head = (build.has_head && !build.is_head_on_clavicle).then(|| head_on(&mut maker, chest));
    let mut limbs = Vec::new();
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let clavicle =
            build.has_head.then(|| maker.bone(&format!("{side} clavicle"), Some(chest), [0.04 * sign, 1.4, 0.02]));
        if build.is_head_on_clavicle && head.is_none() {
            head = clavicle.map(|clavicle| head_on(&mut maker, clavicle));
        }
        let names = ["upper arm", "forearm", "hand"].map(|name| format!("{side} {name}"));
        // Left and right differ slightly, so that mixing them up shows.
        let down = if sign > 0.0 { 0.0 } else { 0.02 };
        let places = [[0.17 * sign, 1.42, 0.0], [0.43 * sign, 1.41 - down, 0.0], [0.69 * sign, 1.4 - 2.0 * down, 0.0]];
        let bend = if build.is_straight { [0.0; 3] } else { [0.0, 0.0, -0.04] };
        let bones = maker.limb([&names[0], &names[1], &names[2]], clavicle.unwrap_or(chest), places, bend);
        limbs.push(Limb { clavicle, bones });
        // A bone without a role, attached to the hand.
        maker.bone(&format!("{side} finger"), Some(bones[2]), [0.78 * sign, 1.38 - 2.0 * down, 0.03]);
    }
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let names = ["thigh", "calf", "foot"].map(|name| format!("{side} {name}"));
        let places = [[0.1 * sign, 0.94, 0.0], [0.11 * sign, 0.51, 0.0], [0.12 * sign, 0.08, 0.0]];
        let bend = if build.is_straight { [0.0; 3] } else { [0.0, 0.0, 0.03] };
        let bones = maker.limb([&names[0], &names[1], &names[2]], pelvis, places, bend);
        limbs.push(Limb { clavicle: None, bones });
        maker.bone(&format!("{side} toes"), Some(bones[2]), [0.12 * sign, 0.02, 0.13]);
    }
    let limbs: [Limb; 4] = std::array::from_fn(|index| limbs[index]);
    if build.is_detached {
        let [left_arm, right_arm, _, right_leg] = &limbs;
        maker.bones[left_arm.bones[1]].parent = Some(chest);
        maker.bones[right_arm.clavicle.unwrap_or(right_arm.bones[0])].parent = Some(left_arm.bones[2]);
        maker.bones[right_leg.bones[2]].parent = Some(pelvis);
    }
    let skeleton = Skeleton::new(maker.bones)?;
    let root_node = Biped::root_node_among(&spine, &limbs, &maker.reference).unwrap_or(chest);
    let biped = Biped { pelvis, spine, head, root_node, limbs };
    Ok(Rig { skeleton, biped, animated: maker.reference.clone(), reference: maker.reference })
}

/// Rotates a bone of the animated pose about its position, then moves it by a vector, with everything below it. Model
/// space.
pub(super) fn carry(rig: &mut Rig, bone: BoneIndex, turn: Quat, by: Vec3) {
    let pivot = rig.animated[bone].position;
    for index in 0..rig.animated.len() {
        let mut above = Some(index);
        while let Some(own) = above
            && own != bone
        {
            above = rig.skeleton.parent(own);
        }
        if above.is_some() {
            let own = &mut rig.animated[index];
            own.position = pivot + turn * (own.position - pivot) + by;
            own.rotation = (turn * own.rotation).normalize();
        }
    }
}
