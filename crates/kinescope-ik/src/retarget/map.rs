//! The map from source bones to target bones, with the difference of the rest poses.

use glam::{Quat, Vec3};

use super::actor::Actor;
use crate::error::Fault;
use crate::math::{from_to_about_axis, from_to_rotation, read_rotation, unit};
use crate::rig::{BoneIndex, LimbName, ModelPose, RigidTransform, Role};

/// How the rests of a pair are aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Alignment {
    /// Not at all: both rests count as the same.
    #[default]
    Same,
    /// By the same rotation as the pair with this index, whose target bone is an ancestor.
    As(usize),
    /// Rotates the target's rest so that the target's bone points in the direction of the source's bone in the source's
    /// rest.
    Direction {
        /// The target's direction, in the target's model space and of any length.
        target: Vec3,
        /// The source's direction, turned to the target's facing; of any length.
        source: Vec3,
        /// The index of the pair of the limb's first bone, whose alignment is applied first; `None` for the first bone
        /// itself, and if that bone has no pair.
        above: Option<usize>,
    },
    /// Rotates the target's rest about +Y to the horizontal direction of the source's toes, so that soles stay level.
    Heading {
        /// The target's direction, in the target's model space and of any length.
        target: Vec3,
        /// The source's direction, turned to the target's facing; of any length.
        source: Vec3,
    },
}

/// A target bone and the source bones that turn it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The target bone.
    pub target: BoneIndex,
    /// The source bone, twice; or, in chains of different lengths, two neighbouring bones if [`Self::part`] is above 0.
    pub source: [BoneIndex; 2],
    /// Position between the two source bones, 0 to 1.
    pub part: f32,
    /// Rotations of the source bones in the source's reference pose; model space.
    pub source_rest: [Quat; 2],
    /// Rotation of the target bone in the target's reference pose; model space.
    pub target_rest: Quat,
    /// The rule that gives `align`.
    pub alignment: Alignment,
    /// The rest difference: the rotation that [`Self::alignment`] applies to the target's rest; model space.
    pub align: Quat,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bone {
    pub parent: Option<BoneIndex>,
    /// The transform relative to the parent in [`Actor::rest`], without scale.
    pub local: RigidTransform,
    pub pair: Option<usize>,
}

/// A bone of the source and the corresponding bone of the target.
pub(super) type Both = [BoneIndex; 2];

/// The map between two skeletons. Made once; a solve only reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    pub(super) pairs: Vec<Pair>,
    names: Vec<String>,
    below: Vec<bool>,
    left: Vec3,
    pub(super) bones: Vec<Bone>,
    pub(super) source_bones: usize,
    pub(super) pelvis: Both,
    pub(super) pelvis_rest: [Vec3; 2],
    pub(super) turn: Quat,
    pub(super) scale: f32,
    pub(super) feet: Option<[Both; 2]>,
    pub(super) hands: Option<[Both; 2]>,
    /// For the left and the right foot: the heights of the source's and of the target's ankle in their reference poses,
    /// in model units of each.
    pub(super) heights: [[f32; 2]; 2],
}

/// Collects pairs in any order; a target bone gets at most one.
struct Pairing<'a> {
    source: Actor<'a>,
    target: Actor<'a>,
    found: Vec<(BoneIndex, [BoneIndex; 2], f32)>,
}

impl Pairing<'_> {
    fn has(&self, bone: BoneIndex) -> bool {
        self.found.iter().any(|(own, ..)| *own == bone)
    }

    fn uses(&self, bone: BoneIndex) -> bool {
        self.found.iter().any(|(_, source, _)| source.contains(&bone))
    }

    fn add(&mut self, target: BoneIndex, source: [BoneIndex; 2], part: f32) {
        if !self.has(target) {
            self.found.push((target, source, part));
        }
    }

    /// Pairs two chains whose first and last bones correspond; bones between them are distributed evenly.
    fn chain(&mut self, source: &[BoneIndex], target: &[BoneIndex]) {
        let (Some(last), Some(count)) = (source.len().checked_sub(1), target.len().checked_sub(1)) else { return };
        for (index, &bone) in target.iter().enumerate() {
            // Whole numbers keep chains of the same length exact.
            let place = index * last;
            let (at, rest) = place.checked_div(count).map_or((last, 0), |at| (at, place % count));
            let part = if count == 0 { 0.0 } else { rest as f32 / count as f32 };
            let next = if rest == 0 { at } else { at + 1 };
            self.add(bone, [source[at], source[next]], part);
        }
    }

    fn role(&mut self, role: Role) {
        if let (Some(source), Some(target)) = (self.source.roles.bone(role), self.target.roles.bone(role)) {
            self.add(target, [source; 2], 0.0);
        }
    }

    fn torso(&mut self, pelvis: Both) {
        let spine = |actor: &Actor, pelvis: BoneIndex| {
            let mut bones = vec![pelvis];
            bones.extend(actor.roles.all(Role::Spine).iter().copied().filter(|&bone| bone != pelvis));
            bones
        };
        let spines = [spine(&self.source, pelvis[0]), spine(&self.target, pelvis[1])];
        if spines.iter().all(|spine| spine.len() > 1) {
            self.chain(&spines[0], &spines[1]);
        }
        self.add(pelvis[1], [pelvis[0]; 2], 0.0);
        let heads = [&self.source, &self.target].map(|actor| actor.roles.bone(Role::Head));
        if let [Some(source), Some(target)] = heads {
            let neck = |actor: &Actor, spine: &[BoneIndex], head: BoneIndex| {
                let top = *spine.last()?;
                Some([vec![top], actor.between(top, head), vec![head]].concat())
            };
            let necks = neck(&self.source, &spines[0], source).zip(neck(&self.target, &spines[1], target));
            if let Some((source, target)) = necks {
                self.chain(&source, &target);
            }
        }
    }

    fn limbs(&mut self) {
        for role in Role::ALL {
            if !matches!(role, Role::Pelvis | Role::Spine | Role::Head) {
                self.role(role);
            }
        }
        for limb in LimbName::ALL {
            let end = limb.roles()[2];
            let Some((source, target)) = self.source.roles.bone(end).zip(self.target.roles.bone(end)) else { continue };
            if limb.is_arm() {
                let fingers = self.source.fingers(source).into_iter().zip(self.target.fingers(target));
                for (source, target) in fingers.flat_map(|(source, target)| source.into_iter().zip(target)) {
                    self.add(target, [source; 2], 0.0);
                }
            } else if let Some((source, target)) = self.source.toe(source).zip(self.target.toe(target)) {
                self.add(target, [source; 2], 0.0);
            }
        }
    }

    /// Pairs each remaining bone below the pelvis with the source bone of the same name, if their nearest paired
    /// ancestors correspond and the source bone is in no pair.
    fn names(&mut self, pelvis: Both) {
        for bone in 0..self.target.skeleton.len() {
            let skeleton = self.target.skeleton;
            if self.has(bone) || !skeleton.is_ancestor(pelvis[1], bone) {
                continue;
            }
            let Some(source) = self.source.skeleton.find(&skeleton.bones()[bone].name) else { continue };
            let above = skeleton.ancestors(bone).find(|&own| self.has(own));
            let above = above.and_then(|above| self.found.iter().find(|(own, ..)| *own == above));
            let of_source = self.source.skeleton.ancestors(source).find(|&own| self.uses(own));
            let fits = above.zip(of_source).is_some_and(|((_, own, _), source)| own.contains(&source));
            if fits && !self.uses(source) {
                self.add(bone, [source; 2], 0.0);
            }
        }
    }
}

fn sane(rotation: Quat) -> Quat {
    read_rotation(rotation).unwrap_or(Quat::IDENTITY)
}

impl Map {
    /// Maps a source to a target by roles.
    ///
    /// The bones of spines and necks with different numbers of bones are distributed evenly. Fingers are found by their
    /// names, toes by their place. Other bones below the pelvis are paired if they have the same name and their nearest
    /// paired ancestors correspond. Bones without a pair keep their transforms in [`Actor::rest`] relative to
    /// their parents.
    ///
    /// # Errors
    /// [`Fault`] if a pose or a role does not fit its skeleton, or source or target has no pelvis.
    pub fn new(source: &Actor, target: &Actor) -> Result<Self, Fault> {
        let pelvis = [
            source.check().map_err(|fault| fault.within("source"))?,
            target.check().map_err(|fault| fault.within("target"))?,
        ];
        let both = |role| Some([source.roles.bone(role)?, target.roles.bone(role)?]);
        let mut pairing = Pairing { source: *source, target: *target, found: Vec::new() };
        pairing.torso(pelvis);
        pairing.limbs();
        pairing.names(pelvis);
        let mut found = pairing.found;
        found.sort_by_key(|(bone, ..)| *bone);
        let turn = facing_turn(source.facing, target.facing);
        let mut pairs: Vec<Pair> = Vec::with_capacity(found.len());
        for (bone, sources, part) in found {
            let rest =
                |actor: &Actor, bone: BoneIndex| actor.reference.get(bone).map_or(Quat::IDENTITY, |own| own.rotation);
            let alignment = alignment(source, target, turn, bone, &pairs);
            let align = align(alignment, &pairs);
            pairs.push(Pair {
                target: bone,
                source: sources,
                part,
                source_rest: sources.map(|own| sane(rest(source, own))),
                target_rest: sane(rest(target, bone)),
                alignment,
                align,
            });
        }
        let rest = ModelPose::from_local(target.skeleton, target.rest).bones;
        let bones = target.skeleton.bones().iter().enumerate().map(|(index, bone)| {
            let local = bone.parent.map_or(rest[index], |parent| rest[parent].to_local(&rest[index]));
            let local = if local.is_finite() { local } else { RigidTransform::IDENTITY };
            Bone { parent: bone.parent, local, pair: pairs.iter().position(|pair| pair.target == index) }
        });
        let bones = bones.collect();
        let scale = source.leg().zip(target.leg()).map_or(1.0, |(source, target)| target / source);
        let ends = |roles: [Role; 2]| {
            let [left, right] = roles.map(both);
            Some([left?, right?])
        };
        let feet = ends([Role::LeftFoot, Role::RightFoot]);
        let height =
            |actor: &Actor, bone: BoneIndex| Some(actor.place(bone).y).filter(|y| y.is_finite()).unwrap_or(0.0);
        let heights = feet.map_or([[0.0; 2]; 2], |feet| feet.map(|[a, b]| [height(source, a), height(target, b)]));
        let place = |actor: &Actor, bone: BoneIndex| Some(actor.place(bone)).filter(|own| own.is_finite());
        Ok(Self {
            names: pairs.iter().map(|pair| target.skeleton.bones()[pair.target].name.clone()).collect(),
            below: (0..source.skeleton.len())
                .map(|bone| bone == pelvis[0] || source.skeleton.is_ancestor(pelvis[0], bone))
                .collect(),
            left: unit(Vec3::Y.cross(target.facing)).unwrap_or(Vec3::X),
            pairs,
            bones,
            source_bones: source.skeleton.len(),
            pelvis,
            pelvis_rest: [place(source, pelvis[0]), place(target, pelvis[1])].map(Option::unwrap_or_default),
            turn,
            scale: if scale.is_finite() && scale > 0.0 { scale } else { 1.0 },
            feet,
            hands: ends([Role::LeftHand, Role::RightHand]),
            heights,
        })
    }

    /// Returns the pairs, in the order of the target's bones.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Returns the target's leg length divided by the source's; 1 if either has no complete leg of positive, finite
    /// length.
    pub const fn scale(&self) -> f32 {
        self.scale
    }

    /// Returns the number of bones of source and target.
    pub const fn sizes(&self) -> [usize; 2] {
        [self.source_bones, self.bones.len()]
    }

    /// Returns the name of a pair's target bone; empty if there is no such pair.
    pub fn name(&self, pair: usize) -> &str {
        self.names.get(pair).map_or("", String::as_str)
    }

    /// Returns the pelvis bones of source and target.
    pub const fn pelvises(&self) -> [BoneIndex; 2] {
        self.pelvis
    }

    /// Returns the positions of both pelvises, of source and target, in their reference poses; model space of each.
    pub const fn pelvis_rests(&self) -> [Vec3; 2] {
        self.pelvis_rest
    }

    /// Returns whether a bone of the source is the pelvis or below it.
    pub fn is_of_body(&self, source: BoneIndex) -> bool {
        self.below.get(source).copied().unwrap_or(false)
    }

    /// Returns the direction to the target's left; unit, model space.
    pub const fn left(&self) -> Vec3 {
        self.left
    }

    /// Returns the rotation about +Y that turns the source's facing to the target's.
    pub const fn turn(&self) -> Quat {
        self.turn
    }
}

fn facing_turn(source: Vec3, target: Vec3) -> Quat {
    match (unit(source.with_y(0.0)), unit(target.with_y(0.0))) {
        (Some(source), Some(target)) => from_to_about_axis(source, target, Vec3::Y),
        _ => Quat::IDENTITY,
    }
}

/// Returns how a target bone is aligned; `above` has the pairs of all bones above it.
fn alignment(source: &Actor, target: &Actor, turn: Quat, bone: BoneIndex, above: &[Pair]) -> Alignment {
    let pair_of = |bone: BoneIndex| above.iter().position(|pair| pair.target == bone);
    let direction = |from: Role, to: Role| {
        let way = |actor: &Actor| Some(actor.place(actor.roles.bone(to)?) - actor.place(actor.roles.bone(from)?));
        let (source, target) = (way(source)?, way(target)?);
        Some((target, turn * source)).filter(|(target, source)| unit(*target).is_some() && unit(*source).is_some())
    };
    for limb in LimbName::ALL {
        let roles = limb.roles();
        for (from, to) in [(0, 1), (1, 2)] {
            if target.roles.bone(roles[from]) == Some(bone) {
                let first = (from > 0).then(|| target.roles.bone(roles[0]).and_then(pair_of)).flatten();
                return direction(roles[from], roles[to])
                    .map_or(Alignment::Same, |(target, source)| Alignment::Direction { target, source, above: first });
            }
        }
        if target.roles.bone(roles[2]) == Some(bone) {
            if limb.is_arm() {
                return target.roles.bone(roles[1]).and_then(pair_of).map_or(Alignment::Same, Alignment::As);
            }
            let toes =
                source.roles.bone(roles[2]).and_then(|foot| Some(source.place(source.toe(foot)?) - source.place(foot)));
            let own = target.toe(bone).map(|toe| target.place(toe) - target.place(bone));
            return toes
                .zip(own)
                .map_or(Alignment::Same, |(toes, own)| Alignment::Heading { target: own, source: turn * toes });
        }
    }
    // Fingers take the alignment of the hand and toes that of the foot, as the nearest paired bone above. The
    // torso takes that of the pelvis, which is none.
    target.skeleton.ancestors(bone).find_map(pair_of).map_or(Alignment::Same, Alignment::As)
}

fn align(alignment: Alignment, above: &[Pair]) -> Quat {
    let of = |index: usize| above.get(index).map_or(Quat::IDENTITY, |pair| pair.align);
    match alignment {
        Alignment::Same => Quat::IDENTITY,
        Alignment::As(index) => of(index),
        Alignment::Direction { target, source, above } => {
            let first = above.map_or(Quat::IDENTITY, of);
            from_to_rotation(first * target, source) * first
        }
        Alignment::Heading { target, source } => {
            let flat = [target.with_y(0.0), source.with_y(0.0)].map(unit);
            let [Some(target), Some(source)] = flat else { return Quat::IDENTITY };
            from_to_about_axis(target, source, Vec3::Y)
        }
    }
}
