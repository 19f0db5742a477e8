//! Inputs of one or several characters, gathered into rows as a [`Layout`] loads them. A row has one number per
//! character: a number of a key bone, of a bend constraint, or of a setting that may differ within a batch.
//!
//! Gathering reads every character once; solving then loads whole registers.

use glam::Vec3;

use super::body::FullBody;
use super::hierarchy::{Key, Rigid};
use super::input::Rotations;
use super::settings::Settings;
use super::state::EffectorFrame;
use crate::lanes::{Basis, Layout, Number, Rotation, TokenOf, Vector, VectorOf, decide};
use crate::math::normalized;
use crate::names::Effector;
use crate::rig::{LimbName, RigidTransform};

/// A character to read, with input that was checked before. Its master weight is above 0, except in
/// [`FullBody::read`], which also reads at 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Character<'a> {
    pub solver: &'a FullBody,
    pub settings: &'a Settings,
    /// The animated pose, model space.
    pub pose: &'a [RigidTransform],
    pub rotations: Rotations,
}

/// Rows of the values that a character has once. A vector takes three rows, a rotation four.
pub(crate) mod character_row {
    pub const WEIGHT: usize = 0;
    pub const PIN: usize = 1;
    pub const PULL_PARENT_SUM: usize = 2;
    pub const SPINE_STIFFNESS: usize = 3;
    pub const SPINE_TWIST_WEIGHT: usize = 4;
    pub const HEAD_MAINTAIN_ROTATION: usize = 5;
    pub const PULL_BODY_VERTICAL: usize = 6;
    pub const PULL_BODY_HORIZONTAL: usize = 7;
    /// First row of the body effector, in the order of [`effector_row`].
    pub const BODY_EFFECTOR: usize = 8;
    pub const COUNT: usize = BODY_EFFECTOR + super::effector_row::COUNT;
}

/// Rows of an effector, relative to its first row.
pub(crate) mod effector_row {
    pub const POSITION: usize = 0;
    pub const ROTATION: usize = 3;
    pub const POSITION_WEIGHT: usize = 7;
    pub const ROTATION_WEIGHT: usize = 8;
    pub const MAINTAIN_RELATIVE_POSITION: usize = 9;
    pub const POSITION_OFFSET: usize = 10;
    pub const COUNT: usize = 13;
}

/// Rows of the values that each limb has: its settings, its bend constraint and its two effectors.
pub(crate) mod limb_row {
    pub const PULL: usize = 0;
    pub const PUSH: usize = 1;
    pub const PUSH_PARENT: usize = 2;
    pub const PUSH_SMOOTHING: usize = 3;
    pub const REACH: usize = 4;
    pub const REACH_SMOOTHING: usize = 5;
    pub const SCALE_FREE_REACH: usize = 6;
    pub const BEND_WEIGHT: usize = 7;
    pub const HAS_BEND_GOAL: usize = 8;
    pub const BEND_GOAL: usize = 9;
    pub const HAS_BEND_DIRECTION: usize = 12;
    pub const BEND_DIRECTION: usize = 13;
    pub const CLAMP_SMOOTHING: usize = 16;
    pub const MAPPING_WEIGHT: usize = 17;
    pub const MAINTAIN_ROTATION: usize = 18;
    pub const DEFAULT_LOCAL: usize = 19;
    pub const DEFAULT_CHILD: usize = 22;
    /// First row of the effector on the first node; [`END_EFFECTOR`] is the first row of the effector on the last node.
    pub const FIRST_EFFECTOR: usize = 25;
    pub const END_EFFECTOR: usize = FIRST_EFFECTOR + super::effector_row::COUNT;
    pub const COUNT: usize = END_EFFECTOR + super::effector_row::COUNT;
}

/// Builds an [`EffectorFrame`] from its rows; `animated_position` and `animated_plane` are left at zero.
macro_rules! effector_frame {
    ($number:ty, $token:ident, $row:ident, $master:ident) => {{
        let nowhere = VectorOf::<$number>::splat($token, Vec3::ZERO);
        EffectorFrame {
            position: Vector::from_parts([
                $row!(effector_row::POSITION),
                $row!(effector_row::POSITION + 1),
                $row!(effector_row::POSITION + 2),
            ]),
            rotation: Rotation::from_parts([
                $row!(effector_row::ROTATION),
                $row!(effector_row::ROTATION + 1),
                $row!(effector_row::ROTATION + 2),
                $row!(effector_row::ROTATION + 3),
            ]),
            position_weight: $row!(effector_row::POSITION_WEIGHT) * $master,
            rotation_weight: $row!(effector_row::ROTATION_WEIGHT) * $master,
            maintain_relative_position: $row!(effector_row::MAINTAIN_RELATIVE_POSITION),
            animated_position: nowhere,
            animated_plane: Basis { right: nowhere, up: nowhere, forward: nowhere },
        }
    }};
}

#[derive(Clone, Debug)]
pub(crate) struct InputRows<L: Layout> {
    characters: [L::Row; character_row::COUNT],
    /// One row per number and limb, limbs in the order of [`LimbName::ALL`].
    limbs: [[L::Row; 4]; limb_row::COUNT],
    /// Position (3) and rotation (4) of each key bone.
    keys: Vec<[L::Row; 7]>,
}

impl<L: Layout> Default for InputRows<L> {
    #[inline(always)]
    fn default() -> Self {
        let none = L::zero_row();
        Self { characters: [none; character_row::COUNT], limbs: [[none; 4]; limb_row::COUNT], keys: Vec::new() }
    }
}

impl<L: Layout> InputRows<L> {
    #[inline(always)]
    pub fn gather(&mut self, characters: &[Character]) {
        self.keys.resize(characters[0].solver.hierarchy.key_count(), [L::zero_row(); 7]);
        for (lane, character) in characters.iter().enumerate().take(L::CHARACTERS) {
            self.gather_one(lane, character);
        }
    }

    #[inline(always)]
    fn gather_one(&mut self, lane: usize, character: &Character) {
        let Character { solver, settings, pose, rotations } = *character;
        // Loops of known length, one array after the other, so that the compiler emits plain stores.
        macro_rules! put {
            ($rows:expr, $first:expr, $numbers:expr $(, $limb:expr)?) => {
                let numbers = $numbers;
                for row in 0..numbers.len() {
                    $rows[$first + row]$([$limb])?.as_mut()[lane] = numbers[row];
                }
            };
        }
        put!(self.characters, 0, character_values(settings));
        put!(self.characters, character_row::BODY_EFFECTOR, effector_values(character, Effector::Body));
        for limb in LimbName::ALL {
            let index = limb.index();
            put!(self.limbs, 0, limb_values(character, limb), index);
            put!(self.limbs, limb_row::FIRST_EFFECTOR, effector_values(character, Effector::FIRST[index]), index);
            put!(self.limbs, limb_row::END_EFFECTOR, effector_values(character, Effector::END[index]), index);
        }
        for (key, rows) in self.keys.iter_mut().enumerate() {
            let RigidTransform { position, rotation } = &pose[solver.hierarchy.bone(key)];
            let ([x, y, z], [i, j, k, w]) = (position.to_array(), rotations.read(*rotation).to_array());
            put!(rows, 0, [x, y, z, i, j, k, w]);
        }
    }

    #[inline(always)]
    pub fn character(&self, token: TokenOf<L>, row: usize) -> L::One {
        L::One::load(token, self.characters[row].as_ref())
    }

    #[inline(always)]
    pub fn limb(&self, token: TokenOf<L>, part: usize, row: usize) -> L::Limb {
        L::load(token, part, &self.limbs[row])
    }

    #[inline(always)]
    pub fn limb_vector(&self, token: TokenOf<L>, part: usize, row: usize) -> VectorOf<L::Limb> {
        let [x, y, z] = [row, row + 1, row + 2];
        Vector::from_parts([self.limb(token, part, x), self.limb(token, part, y), self.limb(token, part, z)])
    }

    #[inline(always)]
    pub fn key_bone(&self, token: TokenOf<L>, key: Key) -> Rigid<L::One> {
        let [x, y, z, i, j, k, w] = &self.keys[key];
        macro_rules! load {
            ($row:ident) => {
                L::One::load(token, $row.as_ref())
            };
        }
        Rigid {
            position: Vector::from_parts([load!(x), load!(y), load!(z)]),
            rotation: Rotation::from_parts([load!(i), load!(j), load!(k), load!(w)]),
        }
    }

    /// Returns the body effector without `animated_position` and `animated_plane`. `master` is the master weight.
    #[inline(always)]
    pub fn body_effector(&self, token: TokenOf<L>, master: L::One) -> EffectorFrame<L::One> {
        macro_rules! row {
            ($row:expr) => {
                self.character(token, character_row::BODY_EFFECTOR + $row)
            };
        }
        effector_frame!(L::One, token, row, master)
    }

    /// Returns the effectors on the first or last nodes of a part's limbs, without `animated_position` and
    /// `animated_plane`. `rows` is the effector's first row, `master` the master weight.
    #[inline(always)]
    pub fn effectors(&self, token: TokenOf<L>, part: usize, rows: usize, master: L::Limb) -> EffectorFrame<L::Limb> {
        macro_rules! row {
            ($row:expr) => {
                self.limb(token, part, rows + $row)
            };
        }
        effector_frame!(L::Limb, token, row, master)
    }

    #[inline(always)]
    pub fn body_offset(&self, token: TokenOf<L>) -> VectorOf<L::One> {
        let first = character_row::BODY_EFFECTOR + effector_row::POSITION_OFFSET;
        Vector::from_parts([
            self.character(token, first),
            self.character(token, first + 1),
            self.character(token, first + 2),
        ])
    }
}

/// Returns values in the order of [`character_row`], up to the body effector.
#[inline(always)]
fn character_values(settings: &Settings) -> [f32; character_row::BODY_EFFECTOR] {
    let own = &settings.solver;
    let pull_sum = settings.chains.iter().fold(0.0, |sum, chain| sum + chain.pull);
    [
        own.weight.clamp(0.0, 1.0),
        settings.pin,
        f32::max(pull_sum, 1.0),
        own.spine_stiffness,
        own.spine_twist_weight,
        own.head_maintain_rotation,
        own.pull_body_vertical,
        own.pull_body_horizontal,
    ]
}

/// Returns values in the order of [`effector_row`]. A target position or rotation that the settings lack is that of the
/// effector's bone in the input pose.
#[inline(always)]
fn effector_values(
    Character { solver, settings, pose, rotations }: &Character,
    effector: Effector,
) -> [f32; effector_row::COUNT] {
    let own = settings.effector(effector);
    let bone = &pose[solver.bone_of(effector.node())];
    let has_position = decide(own.position.is_some());
    let has_rotation = decide(own.rotation.is_some());
    let [x, y, z] = own.position.filter(|_| has_position).unwrap_or(bone.position).to_array();
    let rotation = match own.rotation.filter(|_| has_rotation) {
        Some(own) => normalized(own),
        None => rotations.read(bone.rotation),
    };
    let [i, j, k, w] = rotation.to_array();
    let [u, v, t] = own.position_offset.to_array();
    let maintained = own.maintain_relative_position;
    [x, y, z, i, j, k, w, own.position_weight, own.rotation_weight, maintained, u, v, t]
}

/// Returns values in the order of [`limb_row`], up to the effectors.
#[inline(always)]
fn limb_values(Character { solver, settings, .. }: &Character, limb: LimbName) -> [f32; limb_row::FIRST_EFFECTOR] {
    let (chain, known) = (settings.chain(limb), solver.bend_constraint(limb));
    let flag = |is: bool| if is { 1.0 } else { 0.0 };
    let (has_goal, has_direction) = (chain.bend_goal.is_some(), chain.bend_direction.is_some());
    let goal = chain.bend_goal.unwrap_or(Vec3::ZERO);
    let direction = chain.bend_direction.unwrap_or(Vec3::ZERO);
    let (local, child) = (known.default_local, known.default_child);
    [
        chain.pull,
        chain.push,
        chain.push_parent,
        chain.push_smoothing.power(),
        chain.reach,
        chain.reach_smoothing.power(),
        flag(chain.scale_free_reach),
        if decide(has_goal || has_direction) { chain.bend_weight } else { 0.0 },
        flag(has_goal),
        goal.x,
        goal.y,
        goal.z,
        flag(has_direction),
        direction.x,
        direction.y,
        direction.z,
        chain.clamp_smoothing as f32,
        chain.mapping_weight,
        chain.maintain_rotation,
        local.x,
        local.y,
        local.z,
        child.x,
        child.y,
        child.z,
    ]
}
