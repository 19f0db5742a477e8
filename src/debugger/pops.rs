//! The pop finder: where on a tape a joint jerks, and which stage of the solve begins it.

use glam::Vec3;

use super::breaks::{bend_turn, joint_label};
use super::tape::{Tape, TapeFrame};
use crate::full_body::{Frame, Node, State, Step};
use crate::math::{angle, from_to_rotation};
use crate::rig::LimbName;

/// What is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// How far elbow or knee are bent.
    Flexion(LimbName),
    /// Elbow or knee about the limb's line.
    BendDirection(LimbName),
    /// Shoulder or hip.
    Root(LimbName),
    Chest,
    Pelvis,
}

impl Joint {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        LimbName::ALL
            .into_iter()
            .flat_map(|limb| [Self::Flexion(limb), Self::BendDirection(limb), Self::Root(limb)])
            .chain([Self::Chest, Self::Pelvis])
    }

    pub fn label(self) -> String {
        match self {
            Self::Flexion(limb) => format!("{}, flexion", joint_label(limb)),
            Self::BendDirection(limb) => format!("{}, bend direction", joint_label(limb)),
            Self::Root(limb) => ["left shoulder", "right shoulder", "left hip", "right hip"][limb.index()].to_owned(),
            Self::Chest => "chest".to_owned(),
            Self::Pelvis => "pelvis".to_owned(),
        }
    }

    /// The node to look at.
    pub fn node(self) -> Node {
        match self {
            Self::Flexion(limb) | Self::BendDirection(limb) => Node::of_limb(limb)[1],
            Self::Root(limb) => Node::of_limb(limb)[0],
            Self::Chest | Self::Pelvis => Node::Body,
        }
    }

    /// How the joint turned from one state to another, as a rotation vector, radians.
    fn turn(self, earlier: &State, later: &State) -> Vec3 {
        let direction = |state: &State, [from, to]: [Node; 2]| state.nodes[to] - state.nodes[from];
        match self {
            Self::Flexion(limb) => {
                let [first, second, last] = Node::of_limb(limb);
                let bent = |state: &State| angle(direction(state, [first, second]), direction(state, [second, last]));
                Vec3::X * (bent(later) - bent(earlier))
            }
            Self::BendDirection(limb) => Vec3::X * bend_turn(earlier, later, limb),
            Self::Root(limb) => {
                let [first, second, _] = Node::of_limb(limb);
                let [a, b] = [earlier, later].map(|state| direction(state, [first, second]));
                from_to_rotation(a, b).to_scaled_axis()
            }
            Self::Chest | Self::Pelvis => {
                let sides = match self {
                    Self::Chest => [Node::LeftUpperArm, Node::RightUpperArm],
                    _ => [Node::LeftThigh, Node::RightThigh],
                };
                let [a, b] = [earlier, later]
                    .map(|state| Frame::plane_rotation([sides[0], sides[1], Node::Body].map(|node| state.nodes[node])));
                let between = b * a.conjugate();
                (if between.w < 0.0 { -between } else { between }).to_scaled_axis()
            }
        }
    }
}

/// The worst jerk of one joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pop {
    pub joint: Joint,
    /// Second difference of the joint's angle, degrees.
    pub size: f32,
    /// The pop happens from this frame to the next.
    pub number: u64,
    /// The first step in which this frame and the next part: index and step. `None` if they already differ as read.
    pub parts_at: Option<(usize, Step)>,
}

/// Every joint by its worst jerk, the worst first. A tape of fewer than four frames has none: its first frame is where the
/// motion was not yet, and is left out.
pub fn find_pops(tape: &Tape) -> Vec<Pop> {
    let pairs: Vec<[&TapeFrame; 2]> = tape.pairs().skip(1).collect();
    let mut pops: Vec<Pop> = Joint::all().filter_map(|joint| worst(joint, &pairs)).collect();
    pops.sort_by(|a, b| b.size.total_cmp(&a.size));
    pops
}

fn worst(joint: Joint, pairs: &[[&TapeFrame; 2]]) -> Option<Pop> {
    let turn = |[earlier, later]: [&TapeFrame; 2]| Some(joint.turn(earlier.last_state()?, later.last_state()?));
    let mut worst: Option<(f32, [&TapeFrame; 2])> = None;
    let mut before: Option<([&TapeFrame; 2], Vec3)> = None;
    for &pair in pairs {
        let now = turn(pair)?;
        if let Some((pair_before, turned_before)) = before
            && pair_before[1].number == pair[0].number
        {
            let size = (now - turned_before).length();
            if size.is_finite() && worst.is_none_or(|(largest, _)| size > largest) {
                // Of the two steps the larger is the pop; the smaller is what motion there was.
                let pair = if now.length() >= turned_before.length() { pair } else { pair_before };
                worst = Some((size, pair));
            }
        }
        before = Some((pair, now));
    }
    let (size, pair) = worst.filter(|(size, _)| *size > 1e-4)?;
    Some(Pop { joint, size: size.to_degrees(), number: pair[0].number, parts_at: parting(joint, pair) })
}

/// The first step at which the two frames are half as far apart as at the end, and further than as read.
fn parting(joint: Joint, [earlier, later]: [&TapeFrame; 2]) -> Option<(usize, Step)> {
    let apart = |step: usize| joint.turn(&earlier.steps[step].1, &later.steps[step].1).length();
    let last = earlier.steps.len().checked_sub(1)?;
    let (read, end) = (apart(0), apart(last));
    let enough = (read + end) / 2.0;
    let found = (1..=last).find(|&step| apart(step) >= enough.max(read + 1e-5))?;
    Some((found, earlier.steps[found].0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::full_body::{Frame, Recording, Settings, Stage};
    use crate::rig::ModelPose;

    #[test]
    fn a_jerk_is_found_with_its_frame_and_stage() {
        let stages = [Stage::Read, Stage::Push, Stage::Bend];
        let mut tape = Tape::default();
        for frame in 0..20 {
            let state = |jerks: bool| {
                let mut state = State::default();
                let slow = frame as f32 * 0.01;
                let degrees: f32 = if jerks && frame > 12 { slow + 0.8 } else { slow };
                state.nodes[Node::LeftForearm] = Vec3::X;
                state.nodes[Node::LeftHand] = Vec3::X + Vec3::new(degrees.cos(), degrees.sin(), 0.0);
                state
            };
            let states = stages.map(|stage| (Step { iteration: None, stage }, state(stage != Stage::Read)));
            let recording = Recording::of_states(Frame::default(), states);
            tape.record(0.02, &Settings::default(), &ModelPose::default(), &recording, Default::default());
        }
        let pops = find_pops(&tape);
        let flexion = pops.iter().find(|pop| pop.joint == Joint::Flexion(LimbName::LeftArm)).unwrap();
        assert_eq!(pops[0].joint, flexion.joint);
        assert_eq!(flexion.number, 12);
        assert!((flexion.size - 0.8f32.to_degrees()).abs() < 0.1, "{}", flexion.size);
        assert_eq!(flexion.parts_at.map(|(index, step)| (index, step.stage)), Some((1, Stage::Push)));
        assert!(find_pops(&Tape::default()).is_empty());
    }
}
