use std::collections::BTreeMap;

use glam::{DQuat as Q, DVec3 as V};
use kinescope_ik::full_body::{Effector, Node, Settings};

use super::math::{STRAIGHT, across, clamp_direction, from_to, from_to_about, look, nlerp, plane, sine, unit_or_zero};
use super::{Bone, Bug, Character, Constraint, EffectorFrame, Frame, LimbFrame, Points, Port, SpineFrame, of_limb};

const BODY: usize = 0;

/// Computes the default bend direction of each limb in the space of bone 1, and the normal of its bend plane in the
/// space of bone 3.
pub fn initialize(character: &mut Character, bug: Bug) {
    let at = |node: usize| character.reference[character.bone_of(node)].p;
    let first = |limb: usize| at(of_limb(limb, 0));
    let up = (first(0) + first(1)) / 2.0 - (first(2) + first(3)) / 2.0;
    let mut facing = unit_or_zero((first(2) - first(3)).cross(up));
    if bug == Bug::FacingReversed {
        facing = -facing;
    }
    for limb in 0..4 {
        let [b1, b2, b3] = character.limbs[limb].map(|bone| character.reference[bone]);
        let (upper, lower, whole) = (b2.p - b1.p, b3.p - b2.p, b3.p - b1.p);
        let mut outward = across(whole, upper);
        if upper.angle_between(lower) < 5_f64.to_radians() {
            outward = if limb < 2 { -facing } else { facing };
        }
        let direction = across(upper, outward);
        character.default_local[limb] = match bug {
            Bug::DefaultDirectionNotLocal => direction,
            _ => b1.r.conjugate() * direction,
        };
        let normal = unit_or_zero(whole).cross(direction);
        character.default_child[limb] = match bug {
            Bug::DefaultNormalReversed => b3.r.conjugate() * -normal,
            Bug::DefaultNormalOfBone2 => b2.r.conjugate() * normal,
            _ => b3.r.conjugate() * normal,
        };
    }
}

pub fn read(port: &mut Port, settings: &Settings, animated: Vec<Bone>) -> (Frame, Points) {
    let mut frame = Frame {
        settings: *settings,
        weight: f64::from(settings.solver.weight),
        iterations: settings.solver.iterations,
        base: animated.clone(),
        animated,
        bones: [V::ZERO; Node::COUNT],
        offsets: [V::ZERO; Node::COUNT],
        effectors: [EffectorFrame::default(); 9],
        limbs: [LimbFrame::default(); 4],
        pull_body: V::ZERO,
        pull_sum: 0.0,
        constraints: [Constraint::default(); 4],
        spine: SpineFrame::default(),
        head_rotation: Q::IDENTITY,
    };
    read_effectors(port, &mut frame);
    pull_body(port, &mut frame);
    if !port.has(Bug::NoBendLimit) {
        (0..4).for_each(|limb| limit_bend(port, &mut frame, limb));
    }
    if port.has(Bug::TargetAfterLimit) {
        frame.animated.clone_from(&frame.base);
        read_effectors(port, &mut frame);
    }
    for node in 0..Node::COUNT {
        frame.bones[node] = frame.base[port.character.bone_of(node)].p;
    }
    read_offsets(port, &mut frame);
    let mut nodes = frame.bones;
    for (node, offset) in nodes.iter_mut().zip(frame.offsets) {
        *node += offset;
    }
    read_limbs(port, &mut frame, &nodes);
    read_constraints(port, &mut frame, &nodes);
    read_spine(port, &mut frame);
    if let Some(head) = port.character.head {
        frame.head_rotation = match (&port.memory.first, port.bug) {
            (Some(first), Bug::HeadOfFirstFrame) => first.head_rotation,
            (_, Bug::HeadOfReference) => port.character.reference[head].r,
            _ => frame.base[head].r,
        };
    }
    (frame, nodes)
}

fn read_effectors(port: &mut Port, frame: &mut Frame) {
    let pose = &frame.animated;
    for effector in Effector::ALL {
        let (own, index) = (frame.settings.effector(effector), effector as usize);
        let bone = pose[port.character.bone_of(effector.node() as usize)];
        let mut rotation = own.rotation.map(|own| own.as_dquat().normalize());
        if index >= 5 && port.has(Bug::RotationKept) {
            let kept = &mut port.memory.rotations[index - 5];
            rotation = rotation.or(*kept);
            *kept = rotation;
        }
        let is_free = match port.bug {
            Bug::EndWeightWithoutMaster => index >= 5,
            Bug::BodyWeightWithoutMaster => index == 0,
            _ => false,
        };
        let master = if is_free { 1.0 } else { frame.weight };
        let rotation_master = if port.has(Bug::RotationWeightWithoutMaster) { 1.0 } else { frame.weight };
        frame.effectors[index] = EffectorFrame {
            position: own.position.map_or(bone.p, |at| at.as_dvec3()),
            rotation: rotation.unwrap_or(bone.r),
            weight: f64::from(own.position_weight) * master,
            rotation_weight: f64::from(own.rotation_weight) * rotation_master,
            relative: f64::from(own.maintain_relative_position),
        };
    }
    if port.has(Bug::FeetRotationsSwapped) {
        let [left, right] = [frame.effectors[7].rotation, frame.effectors[8].rotation];
        (frame.effectors[7].rotation, frame.effectors[8].rotation) = (right, left);
    }
}

fn pull_body(port: &Port, frame: &mut Frame) {
    if frame.iterations == 0 {
        return;
    }
    let pose = &frame.animated;
    let mut sum = V::ZERO;
    for arm in if port.has(Bug::PullBodyRightFirst) { [1, 0] } else { [0, 1] } {
        let [p1, p2, p3] = port.character.limbs[arm].map(|bone| pose[bone].p);
        let length = p1.distance(p2) + p2.distance(p3);
        let apart = frame.effectors[5 + arm].position - if port.has(Bug::PullBodyApart) { p1 } else { p1 + sum };
        let mut weight = f64::from(frame.settings.effectors[5 + arm].position_weight);
        if port.has(Bug::PullBodyWithoutWeight) {
            weight = weight.ceil();
        }
        if apart.length() > length {
            sum += unit_or_zero(apart) * (apart.length() - length) * weight;
        }
    }
    let solver = &frame.settings.solver;
    let (mut vertical, mut horizontal) = (f64::from(solver.pull_body_vertical), f64::from(solver.pull_body_horizontal));
    match port.bug {
        Bug::PullBodyHorizontalReversed => horizontal = -horizontal,
        Bug::PullBodyNegativeIgnored => (vertical, horizontal) = (vertical.max(0.0), horizontal.max(0.0)),
        Bug::PullBodyAlongZ => {
            frame.pull_body = sum * V::new(horizontal, horizontal, vertical);
            return;
        }
        _ => {}
    }
    frame.pull_body = sum * V::new(horizontal, vertical, horizontal);
}

fn limit_bend(port: &Port, frame: &mut Frame, limb: usize) {
    let [k1, k2, k3] = port.character.limbs[limb];
    let [b1, b2, b3] = [k1, k2, k3].map(|bone| frame.base[bone]);
    let chain = &frame.settings.chains[limb];
    let mut inward = b1.r * -port.character.default_local[limb];
    if port.has(Bug::InwardReversed) {
        inward = -inward;
    }
    let (upper, mut lower) = (b2.p - b1.p, b3.p - b2.p);
    let limit = if port.has(Bug::BendLimitHalf) { 0.5 } else { 0.505 };
    let master = if port.has(Bug::BendLimitWithoutMaster) { 1.0 } else { frame.weight };
    let smoothing = if port.has(Bug::ClampNotSmoothed) { 0 } else { chain.clamp_smoothing };
    let mut turn = Q::IDENTITY;
    if let Some(clamped) = clamp_direction(lower, inward, limit * master, smoothing) {
        turn = from_to(lower, clamped);
        lower = turn * lower;
    }
    let weight = f64::from(frame.settings.effectors[5 + limb].position_weight);
    if weight > 0.0 && sine(upper, lower) >= STRAIGHT && !port.has(Bug::NoTurnWithWeight) {
        let about = from_to_about(lower, inward, upper);
        turn = nlerp(turn, about * turn, weight * frame.weight);
    }
    if turn == Q::IDENTITY {
        return;
    }
    let to = b2.p + turn * (b3.p - b2.p);
    for &key in &port.character.keys {
        let bone = &mut frame.base[key];
        if key == k3 || port.character.is_under(key, k3) {
            bone.p += to - b3.p;
            if port.has(Bug::EndTurnsWithLimit) {
                bone.r = turn * bone.r;
            }
        } else if key == k2 || port.character.is_under(key, k2) {
            *bone = Bone { p: b2.p + turn * (bone.p - b2.p), r: turn * bone.r };
        }
    }
}

fn read_offsets(port: &mut Port, frame: &mut Frame) {
    let master = if port.has(Bug::OffsetWithoutMaster) { 1.0 } else { frame.weight };
    if port.has(Bug::OffsetsAddUp) {
        frame.offsets = port.memory.offsets;
    }
    for effector in Effector::ALL {
        let mut offset = frame.settings.effector(effector).position_offset.as_dvec3() * master;
        if effector == Effector::Body {
            offset += frame.pull_body * frame.weight;
            let follow = match port.bug {
                Bug::BodyOffsetAlone => [0; 2],
                Bug::BodyOffsetOnShoulders => [of_limb(0, 0), of_limb(1, 0)],
                _ => [of_limb(2, 0), of_limb(3, 0)],
            };
            follow.into_iter().filter(|&node| node > 0).for_each(|node| frame.offsets[node] += offset);
        }
        frame.offsets[effector.node() as usize] += offset;
    }
    port.memory.offsets = frame.offsets;
}

fn read_limbs(port: &Port, frame: &mut Frame, nodes: &Points) {
    let Port { character, memory, .. } = port;
    let reference = |limb: usize, joint: usize| character.reference[character.limbs[limb][joint]].p;
    let pulls: [f64; 4] = frame.settings.chains.map(|chain| f64::from(chain.pull));
    let pull_of = |limb: usize| pulls[if port.has(Bug::PullOfOppositeLimb) { limb ^ 1 } else { limb }];
    let first_weight = |limb: usize| frame.effectors[1 + limb].weight;
    let sum = frame.effectors[0].weight + (0..4).map(|limb| first_weight(limb) * pulls[limb]).sum::<f64>();
    let sum = if port.has(Bug::WeightSumNotClamped) { sum.max(1e-3) } else { sum.max(1.0) };
    let pull_sum = pulls.iter().sum::<f64>();
    let body = frame.bones[BODY];
    let mut limbs = [LimbFrame::default(); 4];
    for (limb, own) in limbs.iter_mut().enumerate() {
        let chain = &frame.settings.chains[limb];
        let [k1, _, k3] = character.limbs[limb];
        let [p1, p2, p3] = std::array::from_fn(|joint| match port.bug {
            Bug::LengthsOfReference => reference(limb, joint),
            Bug::LengthsBeforeLimit => frame.animated[character.limbs[limb][joint]].p,
            _ => frame.bones[of_limb(limb, joint)],
        });
        own.lengths = [p1.distance(p2), p2.distance(p3)];
        own.distance = p1.distance(p3);
        let [p1, p2, p3] = std::array::from_fn(|joint| frame.bones[of_limb(limb, joint)]);
        own.root_length = p1.distance(body);
        own.body_child =
            if port.has(Bug::BodyChildFromNodes) { nodes[of_limb(limb, 0)] - nodes[BODY] } else { p1 - body };
        let default_direction = frame.base[k1].r * character.default_local[limb];
        own.default_direction = default_direction;
        own.is_straight = sine(p2 - p1, p3 - p2) < STRAIGHT && !port.has(Bug::StraightNotSeen);
        own.cross_fade = first_weight(limb) * pull_of(limb) / sum;
        own.reach_force = f64::from(chain.reach) * frame.effectors[5 + limb].weight;
        own.bend_weight =
            f64::from(chain.bend_weight) * if port.has(Bug::BendWeightWithoutMaster) { 1.0 } else { frame.weight };
        own.torso_plane = plane(torso(&frame.bones, limb, port.bug));
        own.planes = [plane([p1, p2, p3]), plane([p2, p3, p1])];
        if own.is_straight {
            own.planes = [look(p2 - p1, -default_direction), look(p3 - p2, -default_direction)];
        }
        let clavicle = character.clavicles[limb].map_or(p1, |bone| frame.base[bone].p);
        own.clavicle_axis = p1 - clavicle;
        own.end_rotation = if port.has(Bug::EndKeepsReference) { character.reference[k3].r } else { frame.base[k3].r };
        if let (Some(first), Some(last)) = (&memory.first, &memory.last) {
            match port.bug {
                Bug::LengthsOfFirstFrame => own.lengths = first.limbs[limb].lengths,
                Bug::DistanceOfFirstFrame => own.distance = first.limbs[limb].distance,
                Bug::TorsoPlaneOfFirstFrame => own.torso_plane = first.limbs[limb].torso_plane,
                Bug::LimbPlanesOfLastFrame => own.planes = last.limbs[limb].planes,
                Bug::ClavicleAxisOfFirstFrame => own.clavicle_axis = first.limbs[limb].clavicle_axis,
                Bug::EndRotationOfLastFrame => own.end_rotation = last.limbs[limb].end_rotation,
                _ => {}
            }
        }
    }
    frame.limbs = limbs;
    frame.pull_sum = if port.has(Bug::PullSumNotClamped) { pull_sum.max(1e-3) } else { pull_sum.max(1.0) };
}

/// Returns the corners of the torso plane that a limb's end effector follows: the limb's shoulder or hip, the opposite
/// one, and the body.
pub fn torso(points: &Points, limb: usize, bug: Bug) -> [V; 3] {
    let [own, other] = [points[of_limb(limb, 0)], points[of_limb(limb ^ 1, 0)]];
    match bug {
        Bug::RightFootPlaneSwapped if limb == 3 => [other, own, points[BODY]],
        Bug::LeftHandPlaneSwapped if limb == 0 => [other, own, points[BODY]],
        _ => [own, other, points[BODY]],
    }
}

fn read_constraints(port: &Port, frame: &mut Frame, nodes: &Points) {
    let stiffness = f64::from(frame.settings.solver.spine_stiffness);
    let first = |limb: usize| of_limb(limb, 0);
    let diagonals = match port.bug {
        Bug::DiagonalsOnOneSide => [[first(0), first(2)], [first(1), first(3)]],
        _ => [[first(0), first(3)], [first(1), first(2)]],
    };
    let sides = [[first(0), first(1)], [first(2), first(3)]];
    let points = if port.has(Bug::NominalFromNodes) { nodes } else { &frame.bones };
    for (index, pair) in diagonals.into_iter().chain(sides).enumerate() {
        let pull = pair.map(|node| f64::from(frame.settings.chains[(node - 1) / 3].pull));
        let [push_elasticity, pull_elasticity] = match port.bug {
            Bug::DiagonalsRigid => [0.0, 0.0],
            Bug::StiffnessReversed if index < 2 => [stiffness, 1.0],
            Bug::ElasticitiesSwapped if index < 2 => [1.0, 1.0 - stiffness],
            _ if index < 2 => [1.0 - stiffness, 1.0],
            _ => [0.0, 0.0],
        };
        let is_rigid = push_elasticity <= 0.0 && pull_elasticity <= 0.0;
        let cross_fade = match port.bug {
            Bug::RigidSharesByHalf => 0.5,
            Bug::CrossFadeReversed if is_rigid => 0.5 + 0.5 * (pull[0] - pull[1]),
            _ if is_rigid => 0.5 - 0.5 * (pull[0] - pull[1]),
            _ => 0.5,
        };
        let nominal = match (&port.memory.first, port.bug) {
            (Some(first), Bug::NominalOfFirstFrame) => first.constraints[index].nominal,
            _ => points[pair[0]].distance(points[pair[1]]),
        };
        frame.constraints[index] =
            Constraint { nodes: pair, nominal, push: push_elasticity, pull: pull_elasticity, cross_fade };
    }
}

fn read_spine(port: &Port, frame: &mut Frame) {
    let at: Vec<V> = port.character.spine.iter().map(|&bone| frame.base[bone].p).collect();
    let first = |limb: usize| frame.bones[of_limb(limb, 0)];
    let shoulders = first(0) - first(1);
    let mut own = SpineFrame::default();
    for pair in at.windows(2) {
        let along = pair[1] - pair[0];
        own.lengths.push(along.length());
        own.swing.push(along);
        own.twist.push(across(along, shoulders));
    }
    let least = own.lengths.iter().sum::<f64>() * 1e-3;
    for index in 0..own.lengths.len() {
        if own.lengths[index] <= least && !port.has(Bug::ShortSpineBoneTurns) {
            (own.swing[index], own.twist[index]) = (V::ZERO, V::ZERO);
        }
    }
    let body = frame.bones[BODY];
    own.planes = match port.bug {
        Bug::PelvisPlaneSwapped => [plane([body, first(3), first(2)]), plane([body, first(0), first(1)])],
        Bug::ChestPlaneFromShoulder => [plane([body, first(2), first(3)]), plane([first(0), first(1), body])],
        _ => [plane([body, first(2), first(3)]), plane([body, first(0), first(1)])],
    };
    if let (Some(first), Bug::SpineOfFirstFrame) = (&port.memory.first, port.bug) {
        own.clone_from(&first.spine);
    }
    frame.spine = own;
}

pub fn constants(frame: &Frame) -> BTreeMap<String, Vec<f32>> {
    let mut found = BTreeMap::new();
    let mut put = |name: String, values: &[f64]| {
        found.insert(name, values.iter().map(|&value| value as f32).collect());
    };
    put("pull_body".to_owned(), &frame.pull_body.to_array());
    for (key, own) in ["left_arm", "right_arm", "left_leg", "right_leg"].into_iter().zip(&frame.limbs) {
        put(format!("{key}.lengths"), &own.lengths);
        put(format!("{key}.root_length"), &[own.root_length]);
        put(format!("{key}.distance"), &[own.distance]);
        put(format!("{key}.body_child"), &own.body_child.to_array());
        put(format!("{key}.straight"), &[f64::from(u8::from(own.is_straight))]);
        put(format!("{key}.default_direction"), &own.default_direction.to_array());
        put(format!("{key}.cross_fade"), &[own.cross_fade]);
    }
    put("pull_parent_sum".to_owned(), &[frame.pull_sum]);
    let pairs = [
        "left_upper_arm-right_thigh",
        "right_upper_arm-left_thigh",
        "left_upper_arm-right_upper_arm",
        "left_thigh-right_thigh",
    ];
    for (key, own) in pairs.into_iter().zip(&frame.constraints) {
        put(format!("{key}.nominal_distance"), &[own.nominal]);
        put(format!("{key}.elasticity"), &[own.push, own.pull]);
        put(format!("{key}.cross_fade"), &[own.cross_fade]);
    }
    if frame.iterations > 0 {
        for (key, own) in ["pelvis_plane", "chest_plane"].into_iter().zip(frame.spine.planes) {
            put(key.to_owned(), &[own * V::X, own * V::Y, own * V::Z].map(|axis| axis.to_array()).concat());
        }
    }
    found
}
