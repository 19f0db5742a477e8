//! The bones the solver moves itself, and how all others follow them.
//!
//! A character has dozens of bones, the solver moves some twenty: these are the key bones. They form a small tree of
//! their own, in which limbs are anatomical (forearm under upper arm, whatever the file says) and everything else
//! follows the file. Moving one moves those under it; all other bones follow their nearest key bone rigidly.

use super::input::{InputError, is_solved, is_usable};
use crate::error::{Fault, Problem};
use crate::fnv1a::Fnv1a;
use crate::rig::{Biped, BoneIndex, LimbName, RigidTransform, Role, Skeleton};

/// A set of key bones.
type KeySet = u64;
/// Index of a key bone, in the order in which the solver writes them: pelvis, spine, head, then limb by limb clavicle
/// and three bones.
pub(super) type Key = usize;

/// Which bones are key bones and what hangs on what: fixed for a character.
#[derive(Clone, Debug)]
pub(super) struct Hierarchy {
    bones: Vec<BoneIndex>,
    parents: Vec<Option<Key>>,
    descendants: Vec<KeySet>,
    /// A key bone above it is written after it, so what hangs on it must be told where it went.
    written_before_ancestor: KeySet,
    /// For every bone of the skeleton the key bone that carries it.
    carriers: Vec<Option<u8>>,
    pub spine_len: usize,
    pub head: Option<Key>,
    pub limbs: [KeyLimb; 4],
}

/// A limb's key bones.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyLimb {
    pub clavicle: Option<Key>,
    pub bones: [Key; 3],
}

impl Hierarchy {
    pub fn new(skeleton: &Skeleton, biped: &Biped) -> Result<Self, Fault> {
        let mut bones = vec![biped.pelvis];
        bones.extend(&biped.spine);
        let spine_len = bones.len();
        let head = biped.head.map(|head| push(&mut bones, head));
        let mut limbs = [KeyLimb::default(); 4];
        for (keys, limb) in limbs.iter_mut().zip(&biped.limbs) {
            keys.clavicle = limb.clavicle.map(|clavicle| push(&mut bones, clavicle));
            keys.bones = limb.bones.map(|bone| push(&mut bones, bone));
        }
        if bones.len() > KeySet::BITS as usize {
            let message = format!("has {} bones; the solver takes at most 48: map fewer to `spine`", biped.spine.len());
            return Err(Fault::new("biped.spine", message));
        }
        let mut key_of = vec![None; skeleton.len()];
        for (key, &bone) in bones.iter().enumerate() {
            let Some(slot) = key_of.get_mut(bone) else {
                let problem = Problem::Index { what: "bones", index: bone, count: skeleton.len() };
                return Err(Fault::new(format!("biped.{}", role_name(biped, key)), problem));
            };
            if let Some(other) = slot.replace(key as u8) {
                let roles = [role_name(biped, other.into()), role_name(biped, key)];
                let message = format!("is mapped to both {} and {}; a bone plays one role", roles[0], roles[1]);
                return Err(Fault::new(format!("bone {:?}", skeleton.bones()[bone].name), message));
            }
        }

        let mut carriers: Vec<Option<u8>> = key_of;
        for bone in 0..carriers.len() {
            if carriers[bone].is_none() {
                carriers[bone] = skeleton.parent(bone).and_then(|parent| carriers[parent]);
            }
        }
        let mut parents: Vec<Option<Key>> = bones
            .iter()
            .map(|&bone| skeleton.parent(bone).and_then(|parent| carriers[parent]).map(Key::from))
            .collect();
        for limb in &limbs {
            parents[limb.bones[1]] = Some(limb.bones[0]);
            parents[limb.bones[2]] = Some(limb.bones[1]);
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
                    let message = "hangs below a bone that it should carry: map that limb from root to end";
                    return Err(Fault::new(place, message));
                }
            }
        }
        Ok(Self { bones, parents, descendants, written_before_ancestor, carriers, spine_len, head, limbs })
    }

    /// Bones of the skeleton.
    pub fn bone_count(&self) -> usize {
        self.carriers.len()
    }

    /// The first bone of the pose, of those that the solver moves or carries along, that is not fit to be.
    pub fn first_unusable(&self, pose: &[RigidTransform]) -> Option<BoneIndex> {
        let is_broken = |(bone, carrier): (&RigidTransform, &Option<u8>)| carrier.is_some() & !is_usable(bone);
        // All of them without a branch first: hardly ever is one broken.
        match pose.iter().zip(&self.carriers).fold(false, |any, of| any | is_broken(of)) {
            true => pose.iter().zip(&self.carriers).position(is_broken),
            false => None,
        }
    }

    /// A number that tells one skeleton with its roles from another.
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

    /// The key bone that a bone points at: the next of spine or limb; `None` for ends.
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

    /// What a key bone is called: `spine 2`, `left forearm`.
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

    /// The skeleton's bone behind a key.
    pub fn bone(&self, key: Key) -> BoneIndex {
        self.bones[key]
    }
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

/// Where the key bones are while a frame is read and written. Model space.
#[derive(Debug, Default, PartialEq)]
pub(super) struct KeyPose {
    world: Vec<RigidTransform>,
    /// Relative to the key parent, if there is one.
    local: Vec<RigidTransform>,
    /// Carried along by a key bone above; `world` is out of date.
    dirty: KeySet,
    touched: KeySet,
}

impl Clone for KeyPose {
    fn clone(&self) -> Self {
        let (world, local) = (self.world.clone(), self.local.clone());
        Self { world, local, dirty: self.dirty, touched: self.touched }
    }

    /// The buffers are used again.
    fn clone_from(&mut self, source: &Self) {
        self.world.clone_from(&source.world);
        self.local.clone_from(&source.local);
        (self.dirty, self.touched) = (source.dirty, source.touched);
    }
}

impl KeyPose {
    pub fn new(hierarchy: &Hierarchy) -> Self {
        let bones = vec![RigidTransform::IDENTITY; hierarchy.key_count()];
        Self { world: bones.clone(), local: bones, dirty: 0, touched: 0 }
    }

    /// Takes the animated pose; `animated` becomes its key bones.
    pub fn read(&mut self, hierarchy: &Hierarchy, pose: &[RigidTransform], animated: &mut [RigidTransform]) {
        for (animated, &bone) in animated.iter_mut().zip(&hierarchy.bones) {
            *animated = pose[bone];
        }
        self.world.copy_from_slice(animated);
        for (key, parent) in hierarchy.parents.iter().enumerate() {
            self.local[key] = match *parent {
                Some(parent) => animated[parent].to_local(&animated[key]),
                None => animated[key],
            };
        }
        self.dirty = 0;
        self.touched = 0;
    }

    /// Brings every bone up to date, so that it can be looked at.
    pub fn settle(&mut self, hierarchy: &Hierarchy) {
        for key in 0..hierarchy.bones.len() {
            self.get(hierarchy, key);
        }
    }

    /// The bone as it was when it was last brought up to date.
    pub fn settled(&self, key: Key) -> &RigidTransform {
        &self.world[key]
    }

    /// The bone as it is now.
    #[inline]
    pub fn get(&mut self, hierarchy: &Hierarchy, key: Key) -> RigidTransform {
        if self.dirty >> key & 1 == 1 {
            self.carry(hierarchy, key);
        }
        self.world[key]
    }

    /// Brings a bone that was carried along up to date, and those above it.
    fn carry(&mut self, hierarchy: &Hierarchy, key: Key) {
        // Only a bone with a parent is ever marked.
        if let Some(parent) = hierarchy.parents[key] {
            let parent = self.get(hierarchy, parent);
            self.world[key] = parent.transform(&self.local[key]);
        }
        self.dirty &= !(1 << key);
    }

    /// Moves a bone; those under it follow.
    pub fn set(&mut self, hierarchy: &Hierarchy, key: Key, world: RigidTransform) {
        self.world[key] = world;
        self.dirty = (self.dirty & !(1 << key)) | hierarchy.descendants[key];
        self.touched |= 1 << key | hierarchy.descendants[key];
        if hierarchy.written_before_ancestor >> key & 1 == 1 {
            self.keep_local(hierarchy, key);
        }
    }

    /// Moves a bone that a later move of a bone above is to carry along as it is now.
    pub fn set_and_keep(&mut self, hierarchy: &Hierarchy, key: Key, world: RigidTransform) {
        self.set(hierarchy, key, world);
        self.keep_local(hierarchy, key);
    }

    fn keep_local(&mut self, hierarchy: &Hierarchy, key: Key) {
        if let Some(parent) = hierarchy.parents[key] {
            let parent = self.get(hierarchy, parent);
            self.local[key] = parent.to_local(&self.world[key]);
        }
    }

    /// Writes all bones: key bones where they are, the others as their carriers take them along. `pose` still holds
    /// the animated pose that was read, `animated` its key bones.
    ///
    /// # Errors
    /// [`InputError::State`] if a key bone came out as none; then nothing is written.
    pub fn write(
        &mut self,
        hierarchy: &Hierarchy,
        animated: &[RigidTransform],
        pose: &mut [RigidTransform],
    ) -> Result<(), InputError> {
        self.settle(hierarchy);
        if !self.world.iter().fold(true, |all, bone| all & is_solved(bone)) {
            return Err(InputError::State);
        }
        // `local` has done its work for this frame: reuse it for the turn of every key bone.
        for ((local, world), animated) in self.local.iter_mut().zip(&self.world).zip(animated) {
            local.rotation = world.rotation * animated.rotation.conjugate();
        }
        for (bone, carrier) in pose.iter_mut().zip(&hierarchy.carriers) {
            let Some(key) = carrier.map(Key::from).filter(|&key| self.touched >> key & 1 == 1) else { continue };
            let turned = self.local[key].rotation;
            bone.position = self.world[key].position + turned * (bone.position - animated[key].position);
            bone.rotation = turned * bone.rotation;
        }
        for (key, &bone) in hierarchy.bones.iter().enumerate() {
            if self.touched >> key & 1 == 1 {
                pose[bone] = self.world[key];
            }
        }
        Ok(())
    }
}
