//! Reading a frame: pose and settings become the constants of the solve.

use glam::{Quat, Vec3};

use super::bend_constraint::limit_bend;
use super::child_constraint::ChildConstraint;
use super::effector::torso_plane;
use super::hierarchy::{KeyPose, Rigid};
use super::input::InputError;
use super::mapping::Mappings;
use super::moves::{Cause, Move, of_limbs, tell_body};
use super::names::{Effector, Node};
use super::settings::{EffectorSettings, Settings};
use super::state::{EffectorFrame, Frame, LimbFrame, Points, State};
use super::writing::Written;
use super::{FullBody, Workspace};
use crate::lanes::{
    Basis, Layout, Mask, Number, Pairing, Rotation, RotationOf, TokenOf, Vector, VectorOf, length, sine,
};
use crate::math::STRAIGHT_SINE;
use crate::rig::{LimbName, RigidTransform};
use crate::stepped::{Flow, Watch};

/// A character whose frame is to be solved: checked, and of a master weight above 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Character<'a> {
    pub solver: &'a FullBody,
    pub settings: &'a Settings,
    /// The animated pose.
    pub pose: &'a [RigidTransform],
}

impl Character<'_> {
    #[inline(always)]
    fn bone(&self, node: Node) -> &RigidTransform {
        &self.pose[self.solver.hierarchy.bone(self.solver.node_keys[node as usize])]
    }
}

impl FullBody {
    /// Reads the animated pose (one transform per bone of the skeleton, model space) and the settings.
    ///
    /// The returned state is that before [`Stage::Read`](super::Stage::Read): the nodes are where the pose has them.
    ///
    /// # Errors
    /// [`InputError`] says which input cannot be solved with.
    pub fn read(
        &self,
        workspace: &mut Workspace,
        settings: &Settings,
        pose: &[RigidTransform],
    ) -> Result<(Frame, State), InputError> {
        workspace.is_read = false;
        self.check_input(workspace, settings, pose)?;
        Ok(self.read_usable(workspace, settings, pose))
    }

    /// [`Self::read`] of what was checked.
    #[inline(always)]
    pub(super) fn read_usable(
        &self,
        workspace: &mut Workspace,
        settings: &Settings,
        pose: &[RigidTransform],
    ) -> (Frame, State) {
        workspace.is_read = true;
        let characters = [Character { solver: self, settings, pose }];
        read((), &characters, &mut workspace.mappings, &mut workspace.writing)
    }
}

/// The effector on a limb's first node.
const fn first_effector(limb: LimbName) -> Effector {
    [Effector::LeftShoulder, Effector::RightShoulder, Effector::LeftThigh, Effector::RightThigh][limb.index()]
}

/// Reads as many characters as there are lanes, whose key bones hang on each other in the same way and whose solves take
/// the same steps.
#[inline(always)]
pub(super) fn read<L: Layout>(
    token: TokenOf<L>,
    characters: &[Character],
    mappings: &mut Mappings<L>,
    written: &mut Written<L::One>,
) -> (Frame<L>, State<L>) {
    let FullBody { hierarchy, root_node, .. } = characters[0].solver;
    let solver = &characters[0].settings.solver;
    let (iterations, fabrik_pass) = (solver.iterations, solver.fabrik_pass);
    let master = number::<L>(token, characters, |of| of.settings.solver.weight.clamp(0.0, 1.0));
    let of_limbs = L::spread(master);
    let zero = L::Limb::splat(token, 0.0);
    let nowhere = VectorOf::<L::Limb>::splat(token, Vec3::ZERO);

    read_keys::<L>(token, characters, written);
    let keys = &mut written.keys;
    let handed_in = L::each(|part| bones_of::<L>(keys, characters, part));

    let mut body_effector = {
        let no_vector = VectorOf::<L::One>::splat(token, Vec3::ZERO);
        let none = Basis { right: no_vector, up: no_vector, forward: no_vector };
        let asked = |of: &Character| asked(of, Effector::Body);
        let settings = |of: &Character| *of.settings.effector(Effector::Body);
        EffectorFrame {
            position: VectorOf::<L::One>::from_fn(token, |lane| asked(&characters[lane]).position),
            rotation: RotationOf::<L::One>::from_fn(token, |lane| asked(&characters[lane]).rotation),
            position_weight: number::<L>(token, characters, |of| settings(of).position_weight) * master,
            rotation_weight: number::<L>(token, characters, |of| settings(of).rotation_weight) * master,
            maintain_relative_position: number::<L>(token, characters, |of| settings(of).maintain_relative_position),
            animated_position: no_vector,
            animated_plane: none,
        }
    };
    let effectors = |of_limb: fn(LimbName) -> Effector| {
        L::each(|part| {
            let settings = |of: &Character, limb: LimbName| *of.settings.effector(of_limb(limb));
            let weights = |of: fn(&EffectorSettings) -> f32| {
                numbers::<L>(token, characters, part, |character, limb| of(&settings(character, limb)))
            };
            EffectorFrame {
                position: L::vectors(token, part, |character, limb| {
                    asked(&characters[character], of_limb(limb)).position
                }),
                rotation: L::rotations(token, part, |character, limb| {
                    asked(&characters[character], of_limb(limb)).rotation
                }),
                position_weight: weights(|settings| settings.position_weight) * of_limbs,
                rotation_weight: weights(|settings| settings.rotation_weight) * of_limbs,
                maintain_relative_position: weights(|settings| settings.maintain_relative_position),
                animated_position: nowhere,
                animated_plane: Basis { right: nowhere, up: nowhere, forward: nowhere },
            }
        })
    };
    let mut first_effectors = effectors(first_effector);
    let mut end_effectors = effectors(|limb| Effector::END[limb.index()]);

    let pull_body = match iterations > 0 {
        true => pull_body::<L>(token, characters, &handed_in, &end_effectors),
        false => VectorOf::<L::One>::splat(token, Vec3::ZERO),
    };

    // The bend limit alters the pose that all the rest is read from.
    for part in 0..L::PARTS {
        if L::PARTS > 1 || hierarchy.are_limbs_apart {
            limit_bends::<L>(token, characters, of_limbs, keys, (part, None));
            continue;
        }
        for &limb in L::limbs(part) {
            limit_bends::<L>(token, characters, of_limbs, keys, (part, Some(limb)));
        }
    }
    let bones: Points<L> =
        Points { body: keys.base(*root_node).position, limbs: L::each(|part| bones_of::<L>(keys, characters, part)) };

    let offset_of = |of: &Character, effector: Effector| of.settings.effector(effector).position_offset;
    let body_offset = VectorOf::<L::One>::from_fn(token, |lane| offset_of(&characters[lane], Effector::Body));
    let body_offset = (body_offset + pull_body) * master;
    let goes_along =
        L::each(|part| numbers::<L>(token, characters, part, |_, limb| if limb.is_arm() { 0.0 } else { 1.0 }));
    let offsets: Points<L> = Points {
        body: body_offset,
        limbs: L::each(|part| {
            let of = |of_limb: fn(LimbName) -> Effector| {
                let own = L::vectors(token, part, |character, limb| offset_of(&characters[character], of_limb(limb)));
                own * of_limbs
            };
            // The thighs go along with the body.
            let first = L::spread_vector(body_offset) * goes_along[part] + of(first_effector);
            [first, nowhere, of(|limb| Effector::END[limb.index()])]
        }),
    };
    body_effector.animated_position = bones.body + offsets.body;
    let mut weight_sum = L::One::splat(token, 0.0);
    let pulls = L::each(|part| numbers::<L>(token, characters, part, |of, limb| of.settings.chain(limb).pull));
    for part in 0..L::PARTS {
        let (first, end) = (&mut first_effectors[part], &mut end_effectors[part]);
        first.animated_position = bones.limbs[part][0] + offsets.limbs[part][0];
        end.animated_position = bones.limbs[part][2] + offsets.limbs[part][2];
        if end.maintain_relative_position.gt(zero).any() {
            end.animated_plane = torso_plane(&bones, part);
        }
        let weights = first.position_weight * pulls[part];
        for &limb in L::limbs(part) {
            weight_sum = weight_sum + L::one(weights, limb);
        }
    }
    let weight_sum = (body_effector.position_weight + weight_sum).greater(L::One::splat(token, 1.0));
    let weight_sum = L::spread(weight_sum);

    let mut shares_body = false;
    let limbs = L::each(|part| {
        let number = |of: &dyn Fn(&super::ChainSettings) -> f32| {
            numbers::<L>(token, characters, part, |character, limb| of(character.settings.chain(limb)))
        };
        let place = |of: fn(&super::ChainSettings) -> Option<Vec3>| {
            L::vectors(token, part, |character, limb| {
                of(characters[character].settings.chain(limb)).unwrap_or(Vec3::ZERO)
            })
        };
        let known = |character: usize, limb: LimbName| characters[character].solver.bend_constraint(limb);
        let [p1, p2, p3] = bones.limbs[part];
        let lengths: [L::Limb; 2] = [length(p2 - p1), length(p3 - p2)];
        let first_position_weight = first_effectors[part].position_weight;
        let cross_fade = first_position_weight * pulls[part] / weight_sum;
        shares_body |= (!cross_fade.is(zero)).any();
        let rotation = L::join_rotation(part, |limb| keys.base(hierarchy.limbs[limb.index()].bones[0]).rotation);
        let has = |is: bool| if is { 1.0 } else { 0.0 };
        let is_straight = sine::<L::Limb>(p2 - p1, p3 - p2).lt(zero.like(STRAIGHT_SINE));
        LimbFrame {
            lengths,
            length: lengths[0] + lengths[1],
            root_length: length(p1 - L::spread_vector(bones.body)),
            distance: length(p3 - p1),
            pull: pulls[part],
            push: number(&|chain| chain.push),
            push_parent: number(&|chain| chain.push_parent),
            push_smoothing: number(&|chain| chain.push_smoothing.power()),
            reach_force: number(&|chain| chain.reach) * end_effectors[part].position_weight,
            reach_smoothing: number(&|chain| chain.reach_smoothing.power()),
            first_position_weight,
            cross_fade,
            bend_weight: of_limbs
                * number(&|chain| match chain.bend_goal.is_some() || chain.bend_direction.is_some() {
                    true => chain.bend_weight,
                    false => 0.0,
                }),
            has_bend_goal: number(&|chain| has(chain.bend_goal.is_some())),
            bend_goal: place(|chain| chain.bend_goal),
            has_bend_direction: number(&|chain| has(chain.bend_direction.is_some())),
            bend_direction: place(|chain| chain.bend_direction),
            default_direction: rotation
                .rotate(L::vectors(token, part, |character, limb| known(character, limb).default_local)),
            default_child: L::vectors(token, part, |character, limb| known(character, limb).default_child),
            straight: L::Limb::select(is_straight, zero.like(1.0), zero),
            mapping_weight: number(&|chain| chain.mapping_weight),
            maintain_rotation: number(&|chain| chain.maintain_rotation),
        }
    });

    let constraints = [Pairing::Diagonals, Pairing::Sides].map(|pairing| {
        L::goes(|go| {
            let number = |of: &dyn Fn(&Settings, [LimbName; 2], bool) -> f32| {
                L::Limb::from_fn(token, |lane| {
                    let (character, limbs, is_second) = L::pair_at(pairing, go, lane);
                    of(characters[character].settings, limbs, is_second)
                })
            };
            let is_push_only = pairing == Pairing::Diagonals;
            let push_elasticity =
                number(&|settings, _, _| if is_push_only { 1.0 - settings.solver.spine_stiffness } else { 0.0 });
            let pull_elasticity = zero.like(if is_push_only { 1.0 } else { 0.0 });
            let pull = [0, 1].map(|index| number(&|settings, limbs, _| settings.chain(limbs[index]).pull));
            let [a, b] = L::pair(&bones.limbs, pairing, go);
            let constraint = ChildConstraint::new(push_elasticity, pull_elasticity, length(b - a), pull);
            let is_second = number(&|_, _, is_second| if is_second { 1.0 } else { 0.0 }).gt(zero);
            let of_first = constraint.cross_fade;
            let cross_fade = L::Limb::select(is_second, of_first.like(1.0) - of_first, of_first);
            ChildConstraint { cross_fade, ..constraint }
        })
    });

    let frame = Frame {
        weight: master,
        iterations,
        fabrik_pass,
        pin: number::<L>(token, characters, |of| of.settings.pin),
        pull_parent_sum: number::<L>(token, characters, |of| {
            of.settings.chains.iter().map(|chain| chain.pull).sum::<f32>().max(1.0)
        }),
        pull_body,
        bones,
        offsets,
        body_children: L::each(|part| bones.limbs[part][0] - L::spread_vector(bones.body)),
        goes_along,
        body_effector,
        first_effectors,
        end_effectors,
        limbs,
        constraints,
        shares_body,
        spine_iterations: solver.spine_iterations,
        spine_twist_weight: number::<L>(token, characters, |of| of.settings.solver.spine_twist_weight),
        head_maintain_rotation: number::<L>(token, characters, |of| of.settings.solver.head_maintain_rotation),
    };
    mappings.read(token, (hierarchy, *root_node), keys, &frame);
    let mut points = bones;
    for part in 0..L::PARTS {
        points.limbs[part][2] = handed_in[part][2];
    }
    let identity = RotationOf::<L::Limb>::splat(token, Quat::IDENTITY);
    (frame, State { points, plane_rotation_offsets: L::each(|_| identity) })
}

/// A number of each character.
#[inline(always)]
fn number<L: Layout>(token: TokenOf<L>, characters: &[Character], of: impl Fn(&Character) -> f32) -> L::One {
    L::One::from_fn(token, |lane| of(&characters[lane]))
}

/// A number of each limb of a part.
#[inline(always)]
fn numbers<L: Layout>(
    token: TokenOf<L>,
    characters: &[Character],
    part: usize,
    of: impl Fn(&Character, LimbName) -> f32,
) -> L::Limb {
    L::Limb::from_fn(token, |lane| {
        let (character, limb) = L::at(part, lane);
        of(&characters[character], limb)
    })
}

/// Target and target rotation of an effector: those of its bone where none is given.
#[inline(always)]
fn asked(of: &Character, effector: Effector) -> RigidTransform {
    let (settings, bone) = (of.settings.effector(effector), of.bone(effector.node()));
    RigidTransform {
        position: settings.position.unwrap_or(bone.position),
        rotation: settings.rotation.unwrap_or(bone.rotation),
    }
}

/// The key bones of the animated poses.
#[inline(always)]
fn read_keys<L: Layout>(token: TokenOf<L>, characters: &[Character], written: &mut Written<L::One>) {
    let hierarchy = &characters[0].solver.hierarchy;
    let bone = |lane: usize, key: usize| &characters[lane].pose[characters[lane].solver.hierarchy.bone(key)];
    written.keys.read(token, hierarchy, |key| Rigid {
        position: VectorOf::<L::One>::from_fn(token, |lane| bone(lane, key).position),
        rotation: RotationOf::<L::One>::from_fn(token, |lane| bone(lane, key).rotation),
    });
    written.joints.clear();
    written.joints.extend((0..hierarchy.spine_len).map(|joint| written.keys.base(joint).position));
}

/// Where the bones of a part's limbs are.
#[inline(always)]
fn bones_of<L: Layout>(keys: &KeyPose<L::One>, characters: &[Character], part: usize) -> [VectorOf<L::Limb>; 3] {
    let limbs = &characters[0].solver.hierarchy.limbs;
    [0, 1, 2].map(|joint| L::join_vector(part, |limb| keys.base(limbs[limb.index()].bones[joint]).position))
}

/// Undoes wrong bends of a part's limbs, or of only one of them.
#[inline(always)]
fn limit_bends<L: Layout>(
    token: TokenOf<L>,
    characters: &[Character],
    master: L::Limb,
    keys: &mut KeyPose<L::One>,
    (part, only): (usize, Option<LimbName>),
) {
    let hierarchy = &characters[0].solver.hierarchy;
    let rotation = L::join_rotation(part, |limb| keys.base(hierarchy.limbs[limb.index()].bones[0]).rotation);
    let outward =
        L::vectors(token, part, |character, limb| characters[character].solver.bend_constraint(limb).default_local);
    let position_weight = numbers::<L>(token, characters, part, |of, limb| {
        of.settings.effector(Effector::END[limb.index()]).position_weight
    });
    let points = bones_of::<L>(keys, characters, part);
    let (turn, is_limited) = limit_bend::<L::Limb>(points, -rotation.rotate(outward), master, position_weight);
    if !is_limited.any() {
        return;
    }
    for &limb in L::limbs(part) {
        let (_, lane) = L::place(limb);
        let is_meant = only.is_none_or(|only| only == limb);
        if is_meant && (L::PARTS > 1 || is_limited.lane(lane)) {
            keys.limit_bend(hierarchy, &hierarchy.limbs[limb.index()], L::one_rotation(turn, limb));
        }
    }
}

/// [`Stage::Read`](super::Stage::Read): what the bend limit and the one-frame offsets do to the nodes.
#[inline(always)]
pub fn read_nodes<L: Layout>(frame: &Frame<L>, state: &mut State<L>, watch: &mut impl Watch<Move>) -> Flow {
    let found = state.points.found();
    for part in 0..L::PARTS {
        state.points.limbs[part][2] = frame.bones.limbs[part][2];
    }
    state.points.tell(&found, of_limbs([2], Cause::BendLimit), watch)?;

    tell_body(state, frame.bones.body + frame.offsets.body, Cause::Offset(Effector::Body), watch)?;
    let found = state.points.found();
    let body_offset = L::spread_vector(frame.offsets.body);
    // The thighs go along with the body before their own offsets are added.
    for part in 0..L::PARTS {
        let first = frame.bones.limbs[part][0];
        state.points.limbs[part][0] = first + body_offset * frame.goes_along[part];
    }
    let along = [Node::LeftThigh, Node::RightThigh].map(|node| (node, Cause::Offset(Effector::Body)));
    state.points.tell(&found, along.into_iter(), watch)?;
    let found = state.points.found();
    for part in 0..L::PARTS {
        let (bones, offsets) = (frame.bones.limbs[part], frame.offsets.limbs[part]);
        state.points.limbs[part] = [bones[0] + offsets[0], bones[1], bones[2] + offsets[2]];
    }
    let own = Effector::ALL.into_iter().skip(1).map(|effector| (effector.node(), Cause::Offset(effector)));
    state.points.tell(&found, own, watch)
}

/// What hands out of reach add to the body effector's offset, left hand first; reads the pose as handed in.
#[inline(always)]
fn pull_body<L: Layout>(
    token: TokenOf<L>,
    characters: &[Character],
    handed_in: &L::Each<[VectorOf<L::Limb>; 3]>,
    end_effectors: &L::Each<EffectorFrame<L::Limb>>,
) -> VectorOf<L::One> {
    let nothing = VectorOf::<L::One>::splat(token, Vec3::ZERO);
    let mut sum = nothing;
    for limb in [LimbName::LeftArm, LimbName::RightArm] {
        let (part, _) = L::place(limb);
        let [p1, p2, p3] = handed_in[part].map(|points| L::one_vector(points, limb));
        let arm: L::One = length::<L::One>(p2 - p1) + length(p3 - p2);
        let to_target = L::one_vector(end_effectors[part].position, limb) - (p1 + sum);
        let distance: L::One = length(to_target);
        let weight =
            number::<L>(token, characters, |of| of.settings.effector(Effector::END[limb.index()]).position_weight);
        let pulled = to_target * ((distance - arm) / distance * weight);
        sum = sum + VectorOf::<L::One>::select(distance.gt(arm), pulled, nothing);
    }
    let vertical = number::<L>(token, characters, |of| of.settings.solver.pull_body_vertical);
    let horizontal = number::<L>(token, characters, |of| of.settings.solver.pull_body_horizontal);
    let [x, y, z] = sum.parts();
    VectorOf::<L::One>::from_parts([x * horizontal, y * vertical, z * horizontal])
}
