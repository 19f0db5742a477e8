//! Formulas of writing: each explains how one bone or one virtual joint of the spine moved.
//!
//! As in [`explain`](super::explain), every line is evaluated from the recording. The last line gives the joint's new
//! position, or the bone's new position or rotation; for pelvis and chest the last two lines give both.

use glam::{Quat, Vec3, Vec4};

use super::body::FullBody;
use super::explain::{at_length, chain_key, effector_key};
use super::hierarchy::{Hierarchy, Key};
use super::mapping::{CHEST_PLANE, LimbMapping, Mappings, PELVIS_PLANE};
use super::recording::Recording;
use super::state::Frame;
use super::written::{BoneMove, Moved, WriteCause, Written};
use crate::key::label;
use crate::lanes::{Layout, Single, Vector};
use crate::names::{Effector, Node, Nodes};
use crate::notation::{Expression, Named, Point, Sheet, Term, across, mix, nlerp, triangle, turn};
use crate::rig::LimbName;

/// Returns the formula of `recording.writing.events_of(step)[index]`; `None` if there is no such move. `solver` must be
/// the one that made the recording.
pub fn formula(recording: &Recording, solver: &FullBody, step: usize, index: usize) -> Option<Sheet> {
    let moved = *recording.writing.events_of(step).get(index)?;
    let mut at = Instant {
        recording,
        frame: &recording.frame,
        mappings: recording.mappings(),
        hierarchy: &solver.hierarchy,
        nodes: recording.solve.end().nodes(),
        written: recording.written_within(solver, step, index)?,
        moved,
        sheet: Sheet::default(),
    };
    match moved.cause {
        WriteCause::SpineOffset => at.spine_offset(),
        WriteCause::SpineForward { round } => at.spine_reach(round, true),
        WriteCause::SpineBackward { round } => at.spine_reach(round, false),
        WriteCause::RootPutBack { round } => {
            let body = at.node("body", Node::Body);
            Some(at.end_joint(&format!("return to body, {}", at.round(round)), body.term()))
        }
        WriteCause::SpineEnd => at.spine_end(),
        WriteCause::PelvisPlane => Some(at.pelvis()),
        WriteCause::Swing => at.swing(),
        WriteCause::Twist => at.twist(),
        WriteCause::ChestPlane => Some(at.chest()),
        WriteCause::HeadRotation => Some(at.head()),
        WriteCause::Clavicle(limb) => Some(at.clavicle(limb)),
        WriteCause::Placed(limb) => Some(at.placed(limb)),
        WriteCause::UpperPlane(limb) => Some(at.in_plane(limb, [0, 1, 2])),
        WriteCause::LowerPlane(limb) => Some(at.in_plane(limb, [1, 2, 0])),
        WriteCause::MaintainRotation(limb) => Some(at.maintain(limb)),
        WriteCause::EffectorRotation(limb) => Some(at.effector_rotation(limb)),
    }
}

struct Instant<'a> {
    recording: &'a Recording,
    frame: &'a Frame,
    mappings: &'a Mappings,
    hierarchy: &'a Hierarchy,
    /// Nodes at the end of the solve.
    nodes: Nodes,
    /// The bones and virtual joints that the formula starts from.
    written: Written,
    moved: BoneMove,
    sheet: Sheet,
}

fn joint_label(joint: usize) -> String {
    if joint == 0 { "virtual pelvis".to_owned() } else { format!("virtual spine joint {joint}") }
}

impl Instant<'_> {
    fn joint_index(&self) -> Option<usize> {
        match self.moved.moved {
            Moved::SpineJoint(joint) => Some(joint),
            Moved::Bone(_) => None,
        }
    }

    fn spine_key(&self) -> Option<Key> {
        let last = self.mappings.spine.bones.len().checked_sub(1)?;
        (1..last).find(|&key| self.moved.moved == Moved::Bone(self.hierarchy.bone(key)))
    }

    fn mapping(&self, limb: LimbName) -> Option<&LimbMapping<Vec4>> {
        self.mappings.limbs.as_ref().map(|limbs| &limbs[Single::place(limb).0])
    }

    fn round(&self, round: u32) -> String {
        format!("round {} of {}", round + 1, self.frame.spine_iterations)
    }

    fn node(&mut self, name: &'static str, node: Node) -> Named<Point> {
        let meaning = format!("Position of the solved node {}, in model units.", label(node.key()));
        self.sheet.given(name, Point(self.nodes[node]), meaning)
    }

    fn joint(&mut self, name: &'static str, joint: usize) -> Named<Point> {
        let meaning = format!("Position of the {} before this move, in model units.", joint_label(joint));
        self.sheet.given(name, Point(self.written.joints[joint]), meaning)
    }

    fn place(&mut self) -> Named<Point> {
        let meaning = "Position of the bone before this move, in model units.";
        self.sheet.given("p", Point(self.moved.from.position), meaning)
    }

    fn rotation(&mut self) -> Named<Quat> {
        let meaning = "Rotation of the bone before this move, as an angle.";
        self.sheet.given("r", self.moved.from.rotation, meaning)
    }

    fn master_weight(&mut self) -> Named<f32> {
        self.sheet.given("weight", self.frame.weight, "Master weight of the solve, 0 to 1 (solver.weight).")
    }

    fn mapping_weight(&mut self, limb: LimbName) -> Named<f32> {
        let meaning = format!(
            "Mapping weight: how far the limb's bones follow its nodes, 0 to 1 ({}).",
            chain_key(limb, "mapping_weight")
        );
        self.sheet.given("w", self.frame.limb(limb).mapping_weight, meaning)
    }

    fn animated_rotation(&mut self, rotation: Quat) -> Named<Quat> {
        let meaning = "Rotation of the bone as animated, as an angle.";
        self.sheet.given("animated", rotation, meaning)
    }

    fn end_joint(&mut self, what: &str, to: Term<Point>) -> Sheet {
        let joint = self.joint_index().unwrap_or(0);
        let meaning = format!("Position of the {} before this move, in model units.", joint_label(joint));
        self.sheet.given("p", Point(self.moved.from.position), meaning);
        std::mem::take(&mut self.sheet).end(format!("{what}: {}", joint_label(joint)), "p", to)
    }

    fn end_turned(&mut self, title: impl Into<String>, rotation: Term<Quat>) -> Sheet {
        self.rotation();
        std::mem::take(&mut self.sheet).end_turned(title, "r", rotation)
    }

    /// Adds the rotation of a plane through three solved nodes; returns the first node and the rotation.
    fn plane(&mut self, nodes: [(&'static str, Node); 3]) -> (Named<Point>, Named<Quat>) {
        let [a, b, c] = nodes.map(|(name, node)| self.node(name, node));
        let names = nodes.map(|(_, node)| label(node.key()));
        let meaning =
            format!("Rotation of the plane through {}, {} and {}, as an angle.", names[0], names[1], names[2]);
        (a, self.sheet.define("P", triangle(a, b, c), meaning))
    }

    /// Adds a torso plane and the bone in its space; returns the position and the rotation to which the plane carries
    /// the bone.
    fn torso(&mut self, is_chest: bool) -> (Term<Point>, Term<Quat>) {
        let names = if is_chest { ["a_l", "a_r"] } else { ["t_l", "t_r"] };
        let [body, left, right] = if is_chest { CHEST_PLANE } else { PELVIS_PLANE };
        let (body, plane) = self.plane([("body", body), (names[0], left), (names[1], right)]);
        let key = if is_chest { self.hierarchy.spine_len - 1 } else { 0 };
        let as_read = *self.written.keys.base(key);
        let planes = self.mappings.spine.planes.map(|planes| planes[usize::from(is_chest)].rotation());
        let into_plane = planes.unwrap_or_default().conjugate();
        let position = into_plane * (as_read.position - self.frame.bone(Node::Body));
        let rotation = into_plane * as_read.rotation;
        let bone = if is_chest { "last spine bone" } else { "pelvis" };
        let meaning =
            format!("Vector from the body to the {bone} as animated, in the space of the animated plane; model units.");
        let position = self.sheet.given("i", position, meaning);
        let meaning = format!("Rotation of the {bone} as animated, in the space of the animated plane, as an angle.");
        let rotation = self.sheet.given("r_i", rotation, meaning);
        (body + plane * position, plane * rotation)
    }

    fn spine_offset(mut self) -> Option<Sheet> {
        let joint = self.joint_index()?;
        let (spine, body) = (&self.mappings.spine, self.node("body", Node::Body));
        let meaning = format!("Position of the bone of the {} as animated, in model units.", joint_label(joint));
        let [bone, root] = [joint, spine.root_node].map(|key| Point(self.written.keys.base(key).position));
        let bone = self.sheet.given("bone", bone, meaning);
        let meaning = "Position of the root-node bone as animated, in model units.";
        let root = self.sheet.given("root", root, meaning);
        let meaning = "Displacement of the root-node bone and the whole spine, in model units.";
        let offset = self.sheet.define("o", body - root, meaning);
        Some(self.end_joint("spine offset", bone + offset))
    }

    fn spine_reach(mut self, round: u32, is_forward: bool) -> Option<Sheet> {
        let joint = self.joint_index()?;
        let title = format!("spine, {}, {}", if is_forward { "forward" } else { "backward" }, self.round(round));
        let bones = &self.mappings.spine.bones;
        let first = if is_forward { bones.len() - 1 } else { 0 };
        if joint == first {
            let (place, _) = self.torso(is_forward);
            return Some(self.end_joint(&title, place));
        }
        let other = if is_forward { joint + 1 } else { joint - 1 };
        let places = [self.joint("p", joint), self.joint("q", other)];
        let meaning = format!(
            "Distance between the {} and the {} as animated, in model units.",
            joint_label(joint.min(other)),
            joint_label(joint.max(other))
        );
        let bone = self.sheet.given("bone", bones[joint.min(other)].length, meaning);
        let names = [joint_label(other), joint_label(joint)];
        let to = at_length(&mut self.sheet, places, bone, [&names[0], &names[1]]);
        Some(self.end_joint(&title, to))
    }

    fn spine_end(mut self) -> Option<Sheet> {
        let joint = self.joint_index()?;
        let last = self.mappings.spine.bones.len() - 1;
        let place = match joint {
            joint if joint == last => self.torso(true).0,
            0 => self.torso(false).0,
            _ => self.node("body", Node::Body).term(),
        };
        Some(self.end_joint("spine", place))
    }

    fn pelvis(mut self) -> Sheet {
        let (_, rotation) = self.torso(false);
        let joint = self.joint("j", 0);
        self.place();
        self.rotation();
        self.sheet.end_placed("pelvis, by its plane", ("p", joint), ("r", rotation))
    }

    fn chest(mut self) -> Sheet {
        let (place, rotation) = self.torso(true);
        self.place();
        self.rotation();
        self.sheet.end_placed("last spine bone, by its plane", ("p", place), ("r", rotation))
    }

    fn next_joint_vector(&mut self, key: Key) -> Named<Vec3> {
        let (p, next) = (self.place(), self.joint("next", key + 1));
        self.sheet.define("v", next - p, "Vector from the bone to the next virtual joint, in model units.")
    }

    fn swing(mut self) -> Option<Sheet> {
        let key = self.spine_key()?;
        let (v, r) = (self.next_joint_vector(key), self.rotation());
        let meaning = "Vector to the next bone as animated, in the bone's space; model units.";
        let axis = self.recording.in_bone(key, self.mappings.spine.bones[key].swing_axis);
        let axis = self.sheet.given("axis", axis, meaning);
        let meaning = "The rotation that points the bone at the next virtual joint, in degrees.";
        let swing = self.sheet.define("R", turn(r * axis, v), meaning);
        Some(self.end_turned(format!("swing, spine bone {key}"), swing * r))
    }

    fn twist(mut self) -> Option<Sheet> {
        let key = self.spine_key()?;
        let spine = &self.mappings.spine;
        let (v, r) = (self.next_joint_vector(key), self.rotation());
        let (left, right) = (self.node("a_l", Node::LeftUpperArm), self.node("a_r", Node::RightUpperArm));
        let sheet = &mut self.sheet;
        let meaning = "Direction across the shoulders as animated, orthogonal to the bone, in its space; unit.";
        let axis = sheet.given("axis", self.recording.in_bone(key, spine.bones[key].twist_axis), meaning);
        let meaning = "Direction across the shoulders, orthogonal to the bone; unit.";
        let wanted = sheet.define("t", across(left - right, v), meaning);
        let meaning = "The rotation from axis, turned by r, to t; in degrees.";
        let twist = sheet.define("R", turn(r * axis, wanted), meaning);
        let count = sheet.given("n", (spine.bones.len() - 2) as f32, "Number of spine bones before the last.");
        let number =
            sheet.given("k", key as f32, "Number of this spine bone, counted from the pelvis up: 1 is the first.");
        let meaning = "Share of the shoulders' twist that the spine takes, 0 to 1 (solver.spine_twist_weight).";
        let spine_weight = sheet.given("twist_weight", self.frame.spine_twist_weight, meaning);
        let share =
            sheet.define("w", number / count * spine_weight, "The share of the twist that this bone takes, 0 to 1.");
        Some(self.end_turned(format!("twist, spine bone {key}"), nlerp(r, twist * r, share)))
    }

    fn head(mut self) -> Sheet {
        let (r, weight) = (self.rotation(), self.master_weight());
        let head = self.hierarchy.head.map_or(Quat::IDENTITY, |head| self.written.keys.base(head).rotation);
        let animated = self.animated_rotation(head);
        let meaning = "How much the head keeps its animated rotation, 0 to 1 (solver.head_maintain_rotation).";
        let keeps = self.sheet.given("keeps", self.frame.head_maintain_rotation, meaning);
        let share = self.sheet.define("k", keeps * weight, "Weight of the animated rotation, 0 to 1.");
        self.end_turned("head keeps its rotation", nlerp(r, animated, share))
    }

    fn clavicle(mut self, limb: LimbName) -> Sheet {
        let first = Node::of_limb(limb)[0];
        let (p, r, w, p1) = (self.place(), self.rotation(), self.mapping_weight(limb), self.node("p₁", first));
        let meaning = "Vector to the limb's first bone as animated, in the clavicle's space; model units.";
        let key = self.hierarchy.limbs[limb.index()].clavicle.unwrap_or_default();
        let axis = self.mapping(limb).map_or(Vec3::ZERO, |mapping| mapping.clavicle_axis.lane(limb.index()));
        let axis = self.sheet.given("axis", self.recording.in_bone(key, axis), meaning);
        let meaning = format!("The rotation that points the clavicle at the node {}, in degrees.", label(first.key()));
        let swing = self.sheet.define("R", turn(r * axis, p1 - p), meaning);
        self.end_turned(format!("clavicle, {}", limb.label()), nlerp(r, swing * r, w))
    }

    fn placed(mut self, limb: LimbName) -> Sheet {
        let (p, w, p1) = (self.place(), self.mapping_weight(limb), self.node("p₁", Node::of_limb(limb)[0]));
        self.sheet.end(format!("bone 1 to its node, {}", limb.label()), "p", mix(p, p1, w))
    }

    /// Explains bone 1 or 2, which follows the plane through the limb's nodes in `order`.
    fn in_plane(mut self, limb: LimbName, order: [usize; 3]) -> Sheet {
        const NAMES: [&str; 3] = ["p₁", "p₂", "p₃"];
        let (r, w) = (self.rotation(), self.mapping_weight(limb));
        let nodes = Node::of_limb(limb);
        let (_, plane) = self.plane(order.map(|index| (NAMES[index], nodes[index])));
        let as_read = self
            .mapping(limb)
            .map_or(Quat::IDENTITY, |mapping| mapping.planes[order[0]].lane::<Vec4>(limb.index()).rotation());
        let bone = self.written.keys.base(self.hierarchy.limbs[limb.index()].bones[order[0]]);
        let in_plane = as_read.conjugate() * bone.rotation;
        let meaning = "Rotation of the bone as animated, in the space of the animated plane, as an angle.";
        let in_plane = self.sheet.given("i", in_plane, meaning);
        let carried =
            self.sheet.define("c", plane * in_plane, "The rotation to which the plane carries the bone, as an angle.");
        self.end_turned(format!("bone {} by its plane, {}", order[0] + 1, limb.label()), nlerp(r, carried, w))
    }

    fn maintain(mut self, limb: LimbName) -> Sheet {
        let (r, w, weight) = (self.rotation(), self.mapping_weight(limb), self.master_weight());
        let end = self.hierarchy.limbs[limb.index()].bones[2];
        let animated = self.animated_rotation(self.written.keys.base(end).rotation);
        let key = chain_key(limb, "maintain_rotation");
        let meaning = format!("How much hand or foot keeps its animated rotation, 0 to 1 ({key}).");
        let keeps = self.sheet.given("keeps", self.frame.limb(limb).maintain_rotation, meaning);
        let share = self.sheet.define("k", keeps * w * weight, "Weight of the animated rotation, 0 to 1.");
        self.end_turned(
            format!("{} keeps its rotation", label(Node::of_limb(limb)[2].key())),
            nlerp(r, animated, share),
        )
    }

    fn effector_rotation(mut self, limb: LimbName) -> Sheet {
        let effector = Effector::END[limb.index()];
        let (r, w, settings) = (self.rotation(), self.mapping_weight(limb), self.frame.effector(effector));
        let key = effector_key(effector, "rotation");
        let meaning = format!(
            "Target rotation of the effector, as an angle ({key}); without one, its bone's rotation in the input pose."
        );
        let target = self.sheet.given("target", settings.rotation, meaning);
        let key = effector_key(effector, "rotation_weight");
        let meaning = format!("Rotation weight times the master weight, 0 to 1 ({key} · solver.weight).");
        let weight = self.sheet.given("w_r", settings.rotation_weight, meaning);
        let share = self.sheet.define("k", w * weight, "Weight of the effector's rotation, 0 to 1.");
        self.end_turned(format!("rotation of {}", label(effector.key())), nlerp(r, target, share))
    }
}
