//! Lanes of the full-body lab in a stack and in a frame: their settings, their results and the measures that compare
//! them.

use std::sync::Arc;

use glam::Vec3;

use super::body_lab::{BodyLab, BodyLane, LaneSource};
use super::chains::MOST_LANES;
use super::frame::Frame;
use super::layer_id::LayerId;
use super::layers;
use super::measures::Gap;
use super::order::Stack;
use super::parameters::{ParameterId, Tunable};
use super::rig::Rig;
use crate::error::{Fault, Problem};
use crate::joints::{JointLimits, JointPose, Joints};
use crate::names::Node;
use crate::rig::{BoneIndex, RigidTransform};
use crate::stepped::Cursor;

impl LayerId {
    /// Returns the layers that pose the body from targets: the possible solvers of a lane.
    pub fn body_solvers() -> impl Iterator<Item = Self> {
        Self::single().filter(|&layer| layers::solves_body(layer))
    }
}

impl BodyLab {
    /// Makes a lab with a lane for each solver, at most [`MOST_LANES`]. If there is only one solver, adds a lane of the full
    /// body without iterations.
    pub fn of_solvers() -> Self {
        let mut lanes: Vec<BodyLane> = LayerId::body_solvers().take(MOST_LANES).map(BodyLane::of).collect();
        if lanes.len() == 1 {
            let settings = [("solver.iterations".to_owned(), 0.0)].into();
            lanes.push(BodyLane { settings, ..BodyLane::default() });
        }
        Self { lanes, over: false }
    }
}

impl BodyLane {
    /// Returns the numeric settings that the lane can have of its own: those of its solver and of the full body's
    /// chains. Empty for a lane of another program.
    pub fn parameters(&self, stack: &Stack) -> Vec<ParameterId> {
        let LaneSource::Layer(layer) = self.source else { return Vec::new() };
        ParameterId::all(stack).filter(|parameter| parameter.owner.is_of_lane(layer)).collect()
    }

    /// Returns the value of a numeric setting in the lane: the lane's own, or that of the stack.
    pub fn number(&self, parameter: ParameterId, stack: &Stack) -> f32 {
        self.settings.get(&parameter.path()).copied().unwrap_or_else(|| parameter.get(stack))
    }

    pub(super) fn write(&self, stack: &Stack, settings: &mut dyn Tunable) {
        self.write_choices(stack, settings);
        for (path, &value) in &self.settings {
            let Some(ParameterId { owner, parameter }) = ParameterId::from_path(path) else { continue };
            if let Some(of) = settings.of_mut(owner) {
                of.set_number(parameter.key, value);
            }
        }
    }

    fn check(&self, stack: &Stack) -> Result<(), Fault> {
        self.check_choices(stack)?;
        let LaneSource::Layer(layer) = self.source else {
            return match self.settings.keys().next() {
                Some(path) => Err(Fault::new(
                    "settings",
                    format!("has {path}, but a lane of an outside solver has no settings; remove it"),
                )),
                None => Ok(()),
            };
        };
        if !layers::solves_body(layer) {
            let known: Vec<String> = LayerId::body_solvers().map(LayerId::key).collect();
            let message = format!("is {}, which does not pose the body; use {}", layer.key(), known.join(" or "));
            return Err(Fault::new("source.layer", message));
        }
        let own = self.parameters(stack);
        for (path, &value) in &self.settings {
            let parameter = ParameterId::from_path(path).filter(|parameter| own.contains(parameter));
            let Some(ParameterId { parameter, .. }) = parameter else {
                let message = format!("is not a numeric setting that a lane of {} can have; remove it", layer.label());
                return Err(Fault::new(format!("settings.{path}"), message));
            };
            parameter.check(value).map_err(|bad| bad.at(format!("settings.{path}")))?;
        }
        Ok(())
    }
}

impl Stack {
    /// Returns whether `clip_limits` is on in the settings of a solver, even of one that is off, or of a lane of the
    /// full-body lab.
    pub fn uses_clip_limits(&self) -> bool {
        let has_own = |layer| {
            let choices = BodyLane::of(layer).choices(self);
            choices.into_iter().any(|choice| choice.key == "clip_limits" && choice.get(self) == "on")
        };
        let is_on = |(path, value): (&String, &String)| path.ends_with(".clip_limits") && value == "on";
        let lanes = &self.order.body_lab.lanes;
        LayerId::body_solvers().any(has_own) || lanes.iter().any(|lane| lane.choices.iter().any(is_on))
    }

    pub(super) fn validate_body_lab(&self) -> Result<(), Fault> {
        let lanes = &self.order.body_lab.lanes;
        let check = || {
            if lanes.len() > MOST_LANES {
                let problem = Problem::TooMany { what: "lanes", found: lanes.len(), most: MOST_LANES };
                return Err(Fault::new("lanes", problem));
            }
            let mut lanes = lanes.iter().enumerate();
            lanes
                .try_for_each(|(index, lane)| lane.check(self).map_err(|fault| fault.within(format!("lanes[{index}]"))))
        };
        check().map_err(|fault| fault.within("stack.body_lab"))
    }
}

/// A joint by which results of lanes are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneJoint {
    /// The node of the joint; `None` for the head.
    pub node: Option<Node>,
    /// The bone at the joint.
    pub bone: BoneIndex,
}

/// The measures of a lane in one frame. Lengths are in model units.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneMeasures {
    /// The gaps of the lane's targets.
    pub gaps: Vec<Gap>,
    /// The largest relative change of the distance between a joint and its parent since the lane's input pose, see
    /// [`Joints::length_error`]: 0.01 is 1 %. `None` for a character without joints.
    pub length_error: Option<f32>,
    /// The largest angle by which a joint exceeds its limit, in radians; 0 if none does. Limits are those from clips if
    /// the lane has them switched on and the character has clips, else the anatomical ones. `None` for a character
    /// without joints, and for a pose in which a joint is missing or invalid.
    pub limit_violation: Option<f32>,
    /// The distance along the ground from the centre of mass to the edge of the feet's support polygon: positive
    /// inside, negative outside, 0 if the polygon is empty. `None` for a character without joints, and for a pose in
    /// which a joint is missing or invalid.
    pub balance: Option<f32>,
}

impl Rig {
    /// Returns the joints by which lanes are compared: those of the full body's nodes, and the head if there
    /// is one. Empty without a full-body solver.
    pub fn lane_joints(&self) -> Vec<LaneJoint> {
        let Ok(solver) = &self.full_body else { return Vec::new() };
        let nodes = Node::ALL.map(|node| LaneJoint { node: Some(node), bone: solver.bone_of(node) });
        let head = self.figure.as_ref().and_then(|figure| figure.head);
        nodes.into_iter().chain(head.map(|bone| LaneJoint { node: None, bone })).collect()
    }
}

impl Frame {
    /// Returns the solved pose of a lane; `None` if it has no result.
    pub fn lane_pose(&self, rig: &Rig, lane: usize) -> Option<Vec<RigidTransform>> {
        let id = LayerId::BodyLane(lane);
        Some(self.pose_at(rig, id, Cursor::end(self.run(id)?)))
    }

    /// Measures a lane whose solved pose is `pose`; `None` if the lane has no result. A character whose
    /// [joints](Rig::joints) are an error, such as one without a spine, has only gaps.
    pub fn lane_measures(&self, rig: &Rig, lane: usize, pose: &[RigidTransform]) -> Option<LaneMeasures> {
        let layer = self.layer(LayerId::BodyLane(lane))?;
        layer.run()?;
        let joints = rig.joints.as_ref().ok();
        let placed = joints.and_then(|joints| Some((joints, joints.placement_of(pose).ok()?)));
        let balance =
            placed.map(|(joints, placement)| joints.support(&placement).margin(joints.centre_of_mass(&placement)));
        let limit_violation = placed.map(|(joints, placement)| {
            let mut read = JointPose::default();
            joints.relate(&placement, &mut read);
            self.lane_limits(joints, lane).largest_violation(&read).1
        });
        Some(LaneMeasures {
            gaps: self.gaps_of(layer, pose),
            length_error: joints.map(|joints| joints.length_error(&layer.before, pose)),
            limit_violation,
            balance,
        })
    }

    fn lane_limits(&self, joints: &Joints, lane: usize) -> JointLimits {
        let stack = &self.input.stack;
        let margin = stack.order.body_lab.lanes.get(lane).and_then(|own| {
            let switch = own.choices(stack).into_iter().find(|choice| choice.key == "clip_limits")?;
            let margin = own.parameters(stack).into_iter().find(|number| number.parameter.key == "clip_margin")?;
            (own.choice(switch, stack) == "on").then(|| own.number(margin, stack))
        });
        margin.map_or(joints.limits, |margin| joints.clip_limits(margin))
    }

    /// Solves a lane again from another input pose, `first`, with the same targets and an empty memory, and returns the
    /// solved pose. `None` if the lane has no result or cannot solve the pose, and for a foreign lane.
    pub fn solve_lane_from(&self, rig: &Rig, lane: usize, first: Vec<RigidTransform>) -> Option<Vec<RigidTransform>> {
        let id = LayerId::BodyLane(lane);
        if !matches!(self.input.stack.order.body_lab.lanes.get(lane)?.source, LaneSource::Layer(_)) {
            return None;
        }
        self.run(id)?;
        let first = Arc::new(first);
        let run = self.solve_beside(rig, id, &first)?.ok()?;
        let mut pose = first.to_vec();
        run.run().pose(Cursor::end(run.run()), &mut pose);
        Some(pose)
    }
}

/// The largest distance between two lanes in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Apart {
    /// The joint, by its index in [`Rig::lane_joints`].
    pub joint: usize,
    /// The distance; model units.
    pub distance: f32,
}

/// Returns the joint at which two poses are farthest apart, and the distance; `None` if no joint is in both.
pub fn farthest_apart(joints: &[LaneJoint], a: &[RigidTransform], b: &[RigidTransform]) -> Option<Apart> {
    let place = |pose: &[RigidTransform], joint: &LaneJoint| pose.get(joint.bone).map(|bone| bone.position);
    let distances = joints.iter().enumerate().filter_map(|(index, joint)| {
        let (a, b): (Vec3, Vec3) = (place(a, joint)?, place(b, joint)?);
        Some(Apart { joint: index, distance: a.distance(b) })
    });
    distances.max_by(|a, b| a.distance.total_cmp(&b.distance))
}
