//! Key bones: the bones with a role, which the solver moves. Bones without a role follow them.
//!
//! A character has dozens of bones, of which about twenty are key bones. They form a small tree. In this tree, bones 2
//! and 3 of a limb are below the limb's previous bone, and each spine bone is below the previous one, even if the file
//! parents them differently; only a spine bone that the file puts above the previous one stays there. The parent of any
//! other key bone is the key bone, if any, that carries its parent in the file. Moving a key bone moves its descendants
//! in this tree.
//!
//! A bone without a role follows one key bone rigidly, usually its nearest ancestor with a role. A bone without such an
//! ancestor stays.

use glam::{Mat3A, Quat, Vec3, Vec3A};

use super::error::InputError;
use super::input::{Rotations, is_solved_in_lanes, is_usable};
use crate::error::{Fault, Problem};
use crate::fnv1a::Fnv1a;
use crate::lanes::{Number, Rotation, Vector, decide};
use crate::rig::{Biped, BoneIndex, LimbName, RigidTransform, Role, Skeleton};

/// Bones that a solve writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bones {
    /// All bones that the solver moves or carries.
    #[default]
    All,
    /// Only bones with a role, and siblings of a hand or foot that turn with it, see
    /// [`FullBody::written_bones`](super::FullBody::written_bones). The caller carries the other bones along, for
    /// example by computing local poses or skinning matrices.
    Key,
}

/// A set of key bones: bit `n` stands for key `n`.
type KeySet = u64;
/// Index of a key bone, in the order of writing: pelvis, spine, head, then for each limb its clavicle and three bones.
pub(crate) type Key = usize;

#[derive(Clone, Debug)]
pub(crate) struct Hierarchy {
    bones: Vec<BoneIndex>,
    parents: Vec<Option<Key>>,
    descendants: Vec<KeySet>,
    /// Key bones that are written before one of their ancestors; their pose relative to the parent must be kept.
    written_before_ancestor: KeySet,
    /// For every bone of the skeleton, the key bone that carries it: itself; the hand or foot of which it is a
    /// [sibling in place](siblings_in_place); or else the key bone that carries its parent. `None` if no key bone does.
    carriers: Vec<Option<u8>>,
    /// Bones without a role, grouped by the key bone that carries them. Siblings in place come first in their group.
    riders: Vec<BoneIndex>,
    /// For each key bone, the ends of its siblings in place and of its whole group in `riders`.
    riders_end: Vec<[usize; 2]>,
    /// The largest number of key bones that the bend limit can rotate in a frame.
    most_limited: usize,
    /// Whether no limb has a bone below another limb, so that all limbs can be written at once.
    pub are_limbs_apart: bool,
    /// Hash of which key bones exist, how they are parented and which is the root node, independent of the bones'
    /// indices. Only characters of the same kind can be solved together.
    pub kind: u64,
    pub spine_len: usize,
    pub head: Option<Key>,
    pub limbs: [KeyLimb; 4],
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeyLimb {
    pub clavicle: Option<Key>,
    pub bones: [Key; 3],
}

impl Hierarchy {
    /// Builds the tree of key bones. `root_node` is the index of the root-node bone among pelvis and spine.
    pub fn new(skeleton: &Skeleton, biped: &Biped, root_node: usize) -> Result<Self, Fault> {
        let mut bones = vec![biped.pelvis];
        bones.extend(&biped.spine);
        let spine_len = bones.len();
        let head = biped.head.map(|head| push(&mut bones, head));
        let mut limbs = [KeyLimb::default(); 4];
        for (keys, limb) in limbs.iter_mut().zip(&biped.limbs) {
            keys.clavicle = limb.clavicle.map(|clavicle| push(&mut bones, clavicle));
            keys.bones = limb.bones.map(|bone| push(&mut bones, bone));
        }
        check_count(biped.spine.len(), bones.len())?;
        let mut key_of = vec![None; skeleton.len()];
        for (key, &bone) in bones.iter().enumerate() {
            let Some(slot) = key_of.get_mut(bone) else {
                let problem = Problem::Index { what: "bones", index: bone, count: skeleton.len() };
                return Err(Fault::new(format!("biped.{}", role_name(biped, key)), problem));
            };
            if let Some(other) = slot.replace(key as u8) {
                let roles = [role_name(biped, other.into()), role_name(biped, key)];
                let message = format!("is mapped twice, to {} and to {}; map it once", roles[0], roles[1]);
                return Err(Fault::new(format!("bone {:?}", skeleton.bones()[bone].name), message));
            }
        }

        let carriers = carriers(skeleton, key_of, limbs.map(|limb| (limb.bones[2], bones[limb.bones[2]])));
        let mut parents: Vec<Option<Key>> = bones
            .iter()
            .map(|&bone| skeleton.parent(bone).and_then(|parent| carriers[parent]).map(Key::from))
            .collect();
        let of_limbs = limbs.iter().flat_map(|limb| [[limb.bones[0], limb.bones[1]], [limb.bones[1], limb.bones[2]]]);
        // Parents each spine bone to the previous one; otherwise rigs with pelvis and spine side by side would tear at
        // the waist. A spine bone above the previous one, such as one that carries the pelvis, keeps its parent.
        let of_spine = (1..spine_len).map(|key| [key - 1, key]);
        for [above, key] in of_limbs.chain(of_spine) {
            if decide(parents[key] != Some(above)) && (key >= spine_len || !is_under(&parents, above, key)) {
                parents[key] = Some(above);
            }
        }

        let mut descendants = vec![0; bones.len()];
        let mut written_before_ancestor = 0;
        for key in 0..bones.len() {
            let mut above = parents[key];
            let mut steps = 0;
            while let Some(ancestor) = above {
                descendants[ancestor] |= 1 << key;
                if ancestor > key {
                    written_before_ancestor |= 1 << key;
                }
                above = parents[ancestor];
                steps += 1;
                if steps > bones.len() {
                    let place = format!("bone {:?}", skeleton.bones()[bones[key]].name);
                    let message = "is attached to a bone that its role puts below it: map each limb from root to end";
                    return Err(Fault::new(place, message));
                }
            }
        }
        let set_of = |limb: &KeyLimb| limb.clavicle.into_iter().chain(limb.bones).fold(0, |set, key| set | 1 << key);
        let under = |limb: &KeyLimb| keys_in(set_of(limb)).fold(0, |set, key| set | descendants[key]);
        let is_apart = |on: usize, other: usize| on == other || (under(&limbs[on]) & set_of(&limbs[other])) == 0;
        let are_limbs_apart = decide((0..4).all(|on| (0..4).all(|other| is_apart(on, other))));
        let mut kind = Fnv1a::new();
        let key = |key: Option<Key>| key.map_or(0, |key| key as u64 + 1);
        let shape = [spine_len as u64, key(head), root_node as u64].into_iter();
        let shape = shape.chain(limbs.iter().map(|limb| key(limb.clavicle))).chain(parents.iter().map(|&own| key(own)));
        shape.for_each(|number| kind.bytes(&number.to_le_bytes()));
        let mut riders = Vec::new();
        let rides_on = |bone: BoneIndex, key: Key| carriers[bone] == Some(key as u8) && bones[key] != bone;
        let follows_parent =
            |&bone: &BoneIndex| skeleton.parent(bone).is_some_and(|parent| carriers[parent] == carriers[bone]);
        let riders_end = (0..bones.len()).map(|key| {
            [false, true].map(|follows| {
                let own = (0..carriers.len()).filter(|&bone| rides_on(bone, key));
                riders.extend(own.filter(|bone| follows_parent(bone) == follows));
                riders.len()
            })
        });
        let riders_end = riders_end.collect();
        let most_limited = limbs.iter().map(|limb| most_limited(limb, &descendants)).sum();
        Ok(Self {
            bones,
            parents,
            descendants,
            written_before_ancestor,
            carriers,
            riders,
            riders_end,
            most_limited,
            are_limbs_apart,
            kind: kind.0,
            spine_len,
            head,
            limbs,
        })
    }

    /// Returns the bones without a role that a key bone carries and that are written, as `bones` selects.
    #[inline(always)]
    pub fn riders(&self, key: Key, bones: Bones) -> &[BoneIndex] {
        let start = if key == 0 { 0 } else { self.riders_end[key - 1][1] };
        let [siblings, all] = self.riders_end[key];
        &self.riders[start..if bones == Bones::All { all } else { siblings }]
    }

    /// Returns the bones that move relative to their parents: key bones, then siblings in place of hands and feet.
    pub fn written(&self) -> impl Iterator<Item = BoneIndex> {
        let keys = 0..self.key_count();
        keys.clone().map(|key| self.bone(key)).chain(keys.flat_map(|key| self.riders(key, Bones::Key)).copied())
    }

    pub fn bone_count(&self) -> usize {
        self.carriers.len()
    }

    /// Checks the bones of a pose that the solver moves or carries. Returns whether their rotations need normalizing.
    ///
    /// # Errors
    /// [`InputError::Bone`] with the first unusable bone.
    pub fn check(&self, pose: &[RigidTransform]) -> Result<Rotations, InputError> {
        let bones = || pose.iter().zip(&self.carriers);
        // First checks all bones without branches, because bad bones are rare.
        match bones().fold(false, |any, (bone, carrier)| any | (carrier.is_some() & !is_usable(bone)[1])) {
            true => match bones().position(|(bone, carrier)| carrier.is_some() && !is_usable(bone)[0]) {
                Some(bone) => Err(InputError::Bone { bone }),
                None => Ok(Rotations::Near),
            },
            false => Ok(Rotations::Exact),
        }
    }

    pub fn shape(&self, root_node: usize) -> u64 {
        let carriers = self.carriers.iter().map(|carrier| carrier.map_or(0, |key| usize::from(key) + 1));
        let parents = self.parents.iter().map(|parent| parent.map_or(0, |key| key + 1));
        let head = self.head.map_or(0, |key| key + 1);
        let limbs = self.limbs.iter().map(|limb| limb.clavicle.map_or(0, |key| key + 1));
        let all = [root_node, self.spine_len, head, self.bones.len()].into_iter();
        let all = all.chain(limbs).chain(self.bones.iter().copied()).chain(parents).chain(carriers);
        let mut hash = Fnv1a::new();
        all.for_each(|number| hash.bytes(&(number as u64).to_le_bytes()));
        hash.0
    }

    pub fn key_count(&self) -> usize {
        self.bones.len()
    }

    /// Returns the next key bone of the same spine or limb; `None` for its last bone and for the head.
    pub fn next_of(&self, key: Key) -> Option<Key> {
        let of_limb = |limb: &KeyLimb| match limb.bones.iter().position(|&own| own == key) {
            Some(index) => limb.bones.get(index + 1).copied(),
            None => limb.clavicle.filter(|&clavicle| clavicle == key).map(|_| limb.bones[0]),
        };
        match key + 1 < self.spine_len {
            true => Some(key + 1),
            false => self.limbs.iter().find_map(of_limb),
        }
    }

    /// Returns the name of a key bone: `spine 2`, `left forearm`.
    pub fn label(&self, key: Key) -> String {
        let of_limb = |limb: LimbName| {
            let own = &self.limbs[limb.index()];
            let index = own.bones.iter().position(|&bone| bone == key);
            let role = index.map(|index| limb.roles()[index].key().replace('_', " "));
            let side = if limb.is_left() { "left" } else { "right" };
            role.or(own.clavicle.filter(|&clavicle| clavicle == key).map(|_| format!("{side} clavicle")))
        };
        match key {
            0 => "pelvis".to_owned(),
            _ if key < self.spine_len => format!("spine {key}"),
            _ if Some(key) == self.head => "head".to_owned(),
            _ => LimbName::ALL.into_iter().find_map(of_limb).unwrap_or_default(),
        }
    }

    pub fn bone(&self, key: Key) -> BoneIndex {
        self.bones[key]
    }
}

/// Returns the key bone that carries each bone. `ends` are hands and feet, as keys and as bones.
fn carriers(skeleton: &Skeleton, key_of: Vec<Option<u8>>, ends: [(Key, BoneIndex); 4]) -> Vec<Option<u8>> {
    let mut carriers = key_of;
    for (key, end) in ends {
        for sibling in siblings_in_place(skeleton, end) {
            carriers[sibling].get_or_insert(key as u8);
        }
    }
    for bone in 0..carriers.len() {
        if carriers[bone].is_none() {
            carriers[bone] = skeleton.parent(bone).and_then(|parent| carriers[parent]);
        }
    }
    carriers
}

/// Returns the siblings of a hand or foot that are at its position and have children. Some rigs have a palm for each
/// finger instead of a hand; all of them turn with the one that is mapped.
fn siblings_in_place(skeleton: &Skeleton, bone: BoneIndex) -> Vec<BoneIndex> {
    let Some(parent) = skeleton.parent(bone) else { return Vec::new() };
    let place = |bone: BoneIndex| skeleton.bones()[bone].rest.translation;
    let near = place(bone).length() * 1e-3;
    let mut carries = vec![false; skeleton.len()];
    (0..skeleton.len()).filter_map(|bone| skeleton.parent(bone)).for_each(|parent| carries[parent] = true);
    let is_sibling = |&other: &BoneIndex| {
        other != bone
            && skeleton.parent(other) == Some(parent)
            && carries[other]
            && place(other).distance(place(bone)) <= near
    };
    (parent + 1..skeleton.len()).filter(is_sibling).collect()
}

/// Returns the number of key bones that the bend limit of a limb can rotate: its second bone and that bone's
/// descendants, without the third bone and the third bone's descendants.
fn most_limited(&KeyLimb { bones: [_, lower, end], .. }: &KeyLimb, descendants: &[KeySet]) -> usize {
    1 + (descendants[lower] & !(descendants[end] | 1 << end)).count_ones() as usize
}

fn is_under(parents: &[Option<Key>], key: Key, other: Key) -> bool {
    // Limited to the number of bones, as the tree may still have a cycle.
    std::iter::successors(parents[key], |&above| parents[above]).take(parents.len()).any(|above| above == other)
}

fn check_count(spine: usize, bones: usize) -> Result<(), Fault> {
    let most = KeySet::BITS as usize;
    if bones <= most {
        return Ok(());
    }
    let message = format!(
        "has {spine} bones, and {bones} bones have a role; the solver takes at most {most}: map fewer to `spine`"
    );
    Err(Fault::new("biped.spine", message))
}

fn push(bones: &mut Vec<BoneIndex>, bone: BoneIndex) -> Key {
    bones.push(bone);
    bones.len() - 1
}

fn role_name(biped: &Biped, key: Key) -> &'static str {
    let mut roles = vec![Role::Pelvis];
    roles.extend(biped.spine.iter().map(|_| Role::Spine));
    roles.extend(biped.head.map(|_| Role::Head));
    for (limb, clavicle) in
        crate::rig::LimbName::ALL.into_iter().zip([Role::LeftClavicle, Role::RightClavicle, Role::Pelvis, Role::Pelvis])
    {
        roles.extend(biped.limb(limb).clavicle.map(|_| clavicle));
        roles.extend(limb.roles());
    }
    roles[key].key()
}

/// A key bone while a frame is written: its position, and its rotation relative to the pose as read (after the bend
/// limit). After [`KeyPose::turn_bases`], the rotation is relative to the animated pose. Model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeyBone<R: Number = f32> {
    pub position: R::Vec3,
    pub turn: R::Quat,
}

/// Key bones while a frame is read and written. Model space.
///
/// A carried bone takes its parent's turn, so carrying it only computes its position, unless the bone is `kept`.
#[derive(Debug, PartialEq)]
pub(crate) struct KeyPose<R: Number = f32> {
    /// The pose as read, after the bend limit; at the end of writing, with the written rotations.
    base: Vec<Rigid<R>>,
    now: Vec<KeyBone<R>>,
    /// For bones that were moved before one of their ancestors: position and turn relative to the parent.
    kept: Vec<KeyBone<R>>,
    is_kept: KeySet,
    /// For bones that the bend limit turned: their rotation before the limit, and the lanes in which it turned them.
    limited: Vec<(Key, R::Quat, R::Mask)>,
    /// Bones whose `now` is out of date because an ancestor moved.
    dirty: KeySet,
    touched: KeySet,
    rotations: Rotations,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rigid<R: Number = f32> {
    pub position: R::Vec3,
    pub rotation: R::Quat,
}

impl From<Rigid> for RigidTransform {
    #[inline(always)]
    fn from(Rigid { position, rotation }: Rigid) -> Self {
        Self { position, rotation }
    }
}

impl<R: Number> Default for KeyPose<R> {
    fn default() -> Self {
        Self {
            base: Vec::new(),
            now: Vec::new(),
            kept: Vec::new(),
            is_kept: 0,
            limited: Vec::new(),
            dirty: 0,
            touched: 0,
            rotations: Rotations::Exact,
        }
    }
}

impl<R: Number> Clone for KeyPose<R> {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.clone_from(self);
        clone
    }

    /// Reuses the buffers.
    fn clone_from(&mut self, source: &Self) {
        self.base.clone_from(&source.base);
        self.now.clone_from(&source.now);
        self.kept.clone_from(&source.kept);
        self.limited.clone_from(&source.limited);
        (self.is_kept, self.dirty, self.touched) = (source.is_kept, source.dirty, source.touched);
        self.rotations = source.rotations;
    }
}

impl<R: Number> KeyPose<R> {
    /// Reads the key bones of the animated pose. Allocates only to grow the buffers.
    #[inline(always)]
    pub fn read(
        &mut self,
        token: R::Token,
        hierarchy: &Hierarchy,
        rotations: Rotations,
        animated: impl Fn(Key) -> Rigid<R>,
    ) {
        self.rotations = rotations;
        let count = hierarchy.key_count();
        let turn = R::Quat::splat(token, Quat::IDENTITY);
        let position = R::Vec3::splat(token, Vec3::ZERO);
        self.base.resize(count, Rigid { position, rotation: turn });
        self.now.resize(count, KeyBone { position, turn });
        if hierarchy.written_before_ancestor != 0 {
            self.kept.resize(count, KeyBone { position, turn });
        }
        for (key, (base, now)) in self.base.iter_mut().zip(&mut self.now).enumerate() {
            *base = animated(key);
            *now = KeyBone { position: base.position, turn };
        }
        self.limited.clear();
        self.limited.reserve(hierarchy.most_limited);
        (self.is_kept, self.dirty, self.touched) = (0, 0, 0);
    }

    #[inline(always)]
    pub fn base(&self, key: Key) -> &Rigid<R> {
        &self.base[key]
    }

    /// Applies the bend limit of a limb in the lanes of `is_limited`: turns its second bone and moves the third, which
    /// keeps its rotation. Their descendants follow.
    #[inline(always)]
    pub fn limit_bend(&mut self, hierarchy: &Hierarchy, limb: &KeyLimb, turn: R::Quat, is_limited: R::Mask) {
        let [_, lower, end] = limb.bones;
        let pivot = self.base[lower].position;
        let from = self.base[end].position;
        let at_end = R::Vec3::select(is_limited, pivot + turn.rotate(from - pivot), from);
        let under_end = hierarchy.descendants[end];
        let under_lower = hierarchy.descendants[lower] & !(under_end | 1 << end);
        self.turn_base(lower, turn, is_limited);
        self.move_base(end, at_end);
        for key in keys_in(under_lower) {
            let from = self.base[key].position;
            self.move_base(key, R::Vec3::select(is_limited, pivot + turn.rotate(from - pivot), from));
            self.turn_base(key, turn, is_limited);
        }
        for key in keys_in(under_end) {
            let to = self.base[key].position + (at_end - from);
            self.move_base(key, R::Vec3::select(is_limited, to, self.base[key].position));
        }
        self.touched |= 1 << lower | hierarchy.descendants[lower];
    }

    #[inline(always)]
    fn turn_base(&mut self, key: Key, turn: R::Quat, is_turned: R::Mask) {
        let base = &mut self.base[key].rotation;
        self.limited.push((key, *base, is_turned));
        *base = R::Quat::select(is_turned, turn * *base, *base);
    }

    #[inline(always)]
    fn move_base(&mut self, key: Key, to: R::Vec3) {
        self.base[key].position = to;
        self.now[key].position = to;
    }

    #[inline(always)]
    pub fn settle(&mut self, hierarchy: &Hierarchy) {
        for key in keys_in(self.dirty) {
            self.get(hierarchy, key);
        }
    }

    /// Returns the bone as of its last update.
    #[inline(always)]
    pub fn settled(&self, key: Key) -> &KeyBone<R> {
        &self.now[key]
    }

    #[inline(always)]
    pub fn get(&mut self, hierarchy: &Hierarchy, key: Key) -> KeyBone<R> {
        if self.dirty >> key & 1 == 1 {
            self.carry(hierarchy, key);
        }
        self.now[key]
    }

    #[inline(always)]
    fn carry(&mut self, hierarchy: &Hierarchy, key: Key) {
        // Collects the bone and its outdated ancestors; `above` ends as the topmost of them.
        let mut chain = 0u64;
        let mut above = key;
        loop {
            chain |= 1 << above;
            match hierarchy.parents[above] {
                Some(parent) if self.dirty >> parent & 1 == 1 => above = parent,
                _ => break,
            }
        }
        loop {
            if let Some(parent) = hierarchy.parents[above] {
                self.now[above] = self.carried(parent, above);
            }
            self.dirty &= !(1 << above);
            chain &= !(1 << above);
            match keys_in(chain).find(|&next| hierarchy.parents[next] == Some(above)) {
                Some(next) => above = next,
                None => break,
            }
        }
    }

    /// Returns position and turn of a bone as its parent carries it. The parent must be up to date.
    #[inline(always)]
    fn carried(&self, parent: Key, key: Key) -> KeyBone<R> {
        let on = self.now[parent];
        match self.is_kept >> key & 1 == 1 {
            true => {
                let KeyBone { position, turn } = self.kept[key];
                KeyBone { position: on.position + on.turn.rotate(position), turn: on.turn * turn }
            }
            false => {
                let arm = self.base[key].position - self.base[parent].position;
                KeyBone { position: on.position + on.turn.rotate(arm), turn: on.turn }
            }
        }
    }

    /// Moves a bone; its descendants follow.
    #[inline(always)]
    pub fn set(&mut self, hierarchy: &Hierarchy, key: Key, to: KeyBone<R>) {
        self.now[key] = to;
        self.dirty = (self.dirty & !(1 << key)) | hierarchy.descendants[key];
        self.touched |= 1 << key | hierarchy.descendants[key];
        if decide(hierarchy.written_before_ancestor >> key & 1 == 1) {
            self.keep(hierarchy, key);
        }
    }

    /// Stores the bone relative to its parent, so that a later move of an ancestor carries it as it is now.
    #[cold]
    fn keep(&mut self, hierarchy: &Hierarchy, key: Key) {
        if let Some(parent) = hierarchy.parents[key] {
            let on = self.get(hierarchy, parent);
            let (now, back) = (self.now[key], on.turn.conjugate());
            self.kept[key] = KeyBone { position: back.rotate(now.position - on.position), turn: back * now.turn };
            self.is_kept |= 1 << key;
        }
    }
}

impl<R: Number> KeyPose<R> {
    /// Ends writing: turns `base` into the written rotations and `now` into the turns since the animated pose. All
    /// bones must be up to date.
    #[inline(always)]
    pub fn turn_bases(&mut self) {
        for (base, now) in self.base.iter_mut().zip(&self.now) {
            base.rotation = now.turn * base.rotation;
        }
        // `base` includes the bend limit, so a limited bone's turn has to start from its rotation before the limit. In
        // reverse order, so that the earliest rotation of a bone limited twice decides.
        for &(key, animated, is_turned) in self.limited.iter().rev() {
            let turn = self.base[key].rotation * animated.conjugate();
            self.now[key].turn = R::Quat::select(is_turned, turn, self.now[key].turn);
        }
    }

    /// Returns the lanes in which every key bone may be written: its position is finite and not too far from the
    /// origin, its turn about a unit quaternion, see [`is_solved_in_lanes`]. Call [`Self::turn_bases`] first.
    #[inline(always)]
    pub fn are_solved(&self, token: R::Token) -> R::Mask {
        let all = R::splat(token, 0.0).is(R::splat(token, 0.0));
        self.now.iter().fold(all, |all, now| all & is_solved_in_lanes::<R>(now.position, now.turn))
    }

    /// Writes the bones of one lane's character to `pose`: the key bones that were touched and, as `bones` selects, the
    /// bones that they carry. `pose` still holds the animated pose that was read. The lane must be one of
    /// [`Self::are_solved`].
    #[inline(always)]
    pub fn write_lane(&self, hierarchy: &Hierarchy, lane: usize, pose: &mut [RigidTransform], bones: Bones) {
        for key in keys_in(self.touched) {
            let bone = hierarchy.bones[key];
            let animated = pose[bone];
            let position = self.now[key].position.lane(lane);
            pose[bone] = RigidTransform { position, rotation: self.base[key].rotation.lane(lane) };
            let riders = hierarchy.riders(key, bones);
            let turned = self.now[key].turn.lane(lane);
            // A bone may have moved only in other characters of the batch.
            let is_moved = position != animated.position || turned != Quat::IDENTITY;
            if !riders.is_empty() && is_moved {
                carry_riders(riders, animated.position, position, turned, pose);
                if self.rotations == Rotations::Near {
                    normalize_all(riders, pose);
                }
            }
        }
    }
}

impl KeyPose {
    /// Returns position and rotation of a key bone from its position and turn; model space. Call it before
    /// [`Self::turn_bases`].
    #[inline(always)]
    pub fn world(&self, key: Key, bone: KeyBone) -> RigidTransform {
        RigidTransform { position: bone.position, rotation: bone.turn * self.base[key].rotation }
    }

    /// Ends writing: updates all key bones, then writes to `pose` as [`Self::write_lane`] does.
    ///
    /// # Errors
    /// [`InputError::State`] if a key bone fails the check of [`Self::are_solved`]; nothing is written then.
    #[inline(always)]
    pub fn write(
        &mut self,
        hierarchy: &Hierarchy,
        pose: &mut [RigidTransform],
        bones: Bones,
    ) -> Result<(), InputError> {
        self.settle(hierarchy);
        self.turn_bases();
        if !self.are_solved(()) {
            return Err(InputError::State);
        }
        self.write_lane(hierarchy, 0, pose, bones);
        Ok(())
    }
}

#[inline(always)]
fn carry_riders(riders: &[BoneIndex], from: Vec3, to: Vec3, turned: Quat, pose: &mut [RigidTransform]) {
    let (matrix, from, to) = (Mat3A::from_quat(turned), Vec3A::from(from), Vec3A::from(to));
    for &rider in riders {
        let bone = &mut pose[rider];
        bone.position = (to + matrix * (Vec3A::from(bone.position) - from)).into();
        bone.rotation = turned * bone.rotation;
    }
}

#[cold]
fn normalize_all(bones: &[BoneIndex], pose: &mut [RigidTransform]) {
    bones.iter().for_each(|&bone| pose[bone].rotation = pose[bone].rotation.normalize());
}

/// Iterates over the keys of a set in ascending order.
#[inline(always)]
fn keys_in(mut set: KeySet) -> impl Iterator<Item = Key> {
    std::iter::from_fn(move || {
        let key = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            key as Key
        })
    })
}
