//! Cases that contain, for any two of 13 settings of a limb, all nine combinations of three values: an orthogonal array
//! with 27 rows.
//!
//! Cases made by hand set what they need and leave the rest at its default. They do not find a port's bug in a setting,
//! or in a combination of two settings, that none of them sets. Each limb takes the columns in another order.

use glam::{Quat, Vec3};

use super::cases::{Input, bend, stride};
use super::person::{Build, carry, person};
use crate::error::Fault;
use crate::full_body::{Effector, Settings, Smoothing};
use crate::math::{angle, unit};
use crate::rig::LimbName;
use crate::trace::Rig;

/// The number of rows: each pair of columns has each pair of levels in three of them.
pub(super) const ROWS: usize = 27;

/// The factors of each column of the array: a level is the sum of the row's three ternary digits times these, modulo 3.
const COLUMNS: [[usize; 3]; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [1, 2, 0],
    [1, 0, 1],
    [1, 0, 2],
    [0, 1, 1],
    [0, 1, 2],
    [1, 1, 1],
    [1, 1, 2],
    [1, 2, 1],
    [1, 2, 2],
];

fn level(row: usize, column: usize) -> usize {
    let digits = [row / 9 % 3, row / 3 % 3, row % 3];
    digits.into_iter().zip(COLUMNS[column % COLUMNS.len()]).map(|(digit, factor)| digit * factor).sum::<usize>() % 3
}

const SHARES: [f32; 3] = [0.0, 0.5, 1.0];

/// Returns the cases of the design. `first` is the number of the first one.
pub(super) fn inputs(first: usize) -> impl Iterator<Item = Result<Input, Fault>> {
    (0..ROWS).map(move |row| {
        let (mut rig, mut settings) = (person(Build::WHOLE)?, Settings::default());
        stride(&mut rig);
        if row % 2 == 1 {
            bend(&mut rig, "spine 3", Vec3::Z, 0.15);
            bend(&mut rig, "right upper arm", Vec3::Y, 0.4);
        }
        set_torso(&rig, &mut settings, row);
        LimbName::ALL.into_iter().for_each(|limb| set_limb(&mut rig, &mut settings, limb, row));
        let about = format!(
            "Row {} of {ROWS} of an orthogonal array: in the rows together, two weights of a limb take all pairs of 0, ½ and 1.",
            row + 1
        );
        let (name, number) = (format!("{:02}-design-{}", first + row, row + 1), 1);
        Ok(Input { name, about, rig, settings, frame: number })
    })
}

fn set_torso(rig: &Rig, settings: &mut Settings, row: usize) {
    // The torso takes the rows in another order than the limbs, so that torso and limbs do not change together.
    let row = (2 * row + 5) % ROWS;
    let at = |column: usize| level(row, column);
    let share = |column: usize| SHARES[at(column)];
    let solver = &mut settings.solver;
    solver.weight = [1.0, 0.8, 0.5][at(5)];
    solver.iterations = [4, 1, 6][at(6)];
    solver.spine_stiffness = share(7);
    solver.pull_body_vertical = [-0.5, 0.0, 1.0][at(8)];
    solver.pull_body_horizontal = [-0.5, 0.5, 1.0][at(9)];
    solver.spine_twist_weight = share(10);
    solver.head_maintain_rotation = share(11);
    solver.spine_iterations = 1 + (row % 5) as u32;
    settings.pin = share(12);
    const MOVES: [Vec3; 5] = [
        Vec3::new(0.05, -0.07, 0.06),
        Vec3::new(0.03, -0.04, 0.09),
        Vec3::new(-0.06, 0.03, -0.05),
        Vec3::new(0.04, 0.05, 0.07),
        Vec3::new(-0.03, -0.06, -0.04),
    ];
    for (index, (effector, by)) in Effector::ALL.into_iter().zip(MOVES).enumerate() {
        let bone = match effector.node() {
            crate::full_body::Node::Body => rig.biped.root_node,
            _ => rig.biped.limb(LimbName::ALL[index - 1]).bones[0],
        };
        let own = settings.effector_mut(effector);
        (own.position, own.position_weight) = (Some(rig.animated[bone].position + by), share(index));
    }
    for (index, own) in settings.effectors.iter_mut().enumerate().filter(|(index, _)| (row + index).is_multiple_of(3)) {
        own.position_offset = Vec3::new(0.01, -0.015, 0.02) * (index as f32 - 3.5);
    }
}

fn set_limb(rig: &mut Rig, settings: &mut Settings, limb: LimbName, row: usize) {
    let index = limb.index();
    let at = |column: usize| level(row, column + 3 * index);
    let share = |column: usize| SHARES[at(column)];
    let side = if limb.is_left() { 1.0 } else { -1.0 };
    let chain = settings.chain_mut(limb);
    chain.pull = share(0);
    chain.push = share(1);
    chain.push_parent = share(2) * if (row / 5 + index).is_multiple_of(2) { 1.0 } else { -1.0 };
    chain.push_smoothing = Smoothing::ALL[at(3)];
    chain.reach = share(4);
    chain.reach_smoothing = Smoothing::ALL[at(5)];
    chain.scale_free_reach = (row / 3 + index).is_multiple_of(2);
    chain.bend_weight = share(6);
    chain.mapping_weight = share(7);
    chain.maintain_rotation = share(8);
    let bones = rig.biped.limb(limb).bones;
    let first = rig.animated[bones[0]].position;
    let (goal, direction) = match limb.is_arm() {
        true => (Vec3::new(0.3 * side, -0.5, -0.4), Vec3::new(0.2 * side, -1.0, 0.3)),
        false => (Vec3::new(0.3 * side, -0.3, 0.8), Vec3::new(0.4 * side, 0.2, 1.0)),
    };
    let kind = (row + index) % 3;
    chain.bend_goal = (kind != 1).then_some(first + goal);
    chain.bend_direction = (kind != 0).then_some(direction);
    // In each row one limb is bent the wrong way in the animation, with another smoothing of its bend limit each time
    // the limb has its turn.
    if row % 4 == index {
        chain.clamp_smoothing = ((row / 4 + 2) % 3) as u32;
        let [p1, p2, p3] = bones.map(|bone| rig.animated[bone].position);
        let (upper, lower) = (p2 - p1, p3 - p2);
        if let Some(axis) = unit(upper.cross(lower)) {
            carry(rig, bones[1], Quat::from_axis_angle(axis, -angle(upper, lower) - 0.7), Vec3::ZERO);
        }
    }
    let to = match (limb.is_arm(), at(9)) {
        (true, 0) => Vec3::new(0.12 * side, -0.12, 0.18),
        (true, 1) => Vec3::new(0.2 * side, -0.15, 0.38),
        (true, _) => Vec3::new(0.5 * side, 0.15, 0.55),
        (false, 0) => Vec3::new(0.06 * side, -0.45, 0.15),
        (false, 1) => Vec3::new(0.12 * side, -0.74, 0.25),
        (false, _) => Vec3::new(0.3 * side, -0.85, 0.4),
    };
    let own = settings.effector_mut(Effector::END[index]);
    (own.position, own.position_weight) = (Some(first + to), share(10));
    let turn = Quat::from_rotation_x(0.7 * side) * Quat::from_rotation_y(0.4 - 0.3 * index as f32);
    (own.rotation, own.rotation_weight) = (Some(turn * rig.animated[bones[2]].rotation), share(11));
    own.maintain_relative_position = share(12);
}
