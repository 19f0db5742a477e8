//! Formulas of moves by effectors, offsets and the pushes of hooks, and of the bend limit.

use glam::Vec3;

use super::{Instant, SINES, chain_key, effector_key};
use crate::full_body::bend_constraint::BEND_LIMIT;
use crate::full_body::moves::Author;
use crate::key::label;
use crate::math::{self, STRAIGHT_SINE, clamp_direction, sine};
use crate::names::{Effector, Node};
use crate::notation::{
    Degrees, Point, Shaping, Sheet, angle, clamp, identity, inverse, mix, nlerp, slerp, turn, twist,
};
use crate::rig::LimbName;

impl Instant<'_> {
    pub(super) fn bend_limit(mut self, limb: LimbName) -> Sheet {
        let frame = self.frame;
        let [first, second, last] = Node::of_limb(limb);
        let places = [frame.bone(first), frame.bone(second), self.place(last)];
        let [p1, p2, p3] = [("p₁", first, 0), ("p₂", second, 1), ("p₃", last, 2)].map(|(name, node, index)| {
            let meaning = format!("Position of the bone {} as animated, in model units.", label(node.key()));
            self.sheet.given(name, Point(places[index]), meaning)
        });
        let inward = self.sheet.given(
            "inward",
            -frame.limb(limb).default_direction,
            "Unit vector opposite to the limb's default bend direction, which points out of elbow or knee.",
        );
        let sheet = &mut self.sheet;
        let q = sheet.given(
            "q",
            (p3 - p2).get(),
            "Vector from p₂ to p₃: the limb's second bone as animated, in model units.",
        );
        let alpha = sheet.define("α", angle(q, inward), "Angle between the second bone and inward, in degrees.");
        let clamp_weight = BEND_LIMIT * frame.weight;
        let meaning = "Direction of the second bone: 1 along inward, 0 opposite to it (dot in the source). The limit acts below the \
                       clamp weight, 0.505 times the master weight (solver.weight).";
        let dot = sheet.define("dot", 1.0 - alpha / Degrees(180.0), meaning);
        let smoothing = frame.limb(limb).clamp_smoothing as usize;
        let (_, changed) = clamp_direction(q.get(), inward.get(), clamp_weight, smoothing as u32);
        let mut lower = q;
        if changed {
            let meaning = "Clamp weight: 0.505 times the master weight (solver.weight).";
            let clamp_weight = sheet.given("k", clamp_weight, meaning);
            let meaning = "Target clamp (targetClampMlp in the source): the angle of the limit, as a share of α.";
            let to_limit = clamp(1.0 - (clamp_weight - dot) / (1.0 - dot), 0.0, 1.0);
            let to_limit = sheet.define("t", to_limit, meaning);
            let meaning = format!(
                "Clamp (clampMlp in the source): 1 at the limit, 0 against inward, so that the limb does not flip there. \
                 Each sine is an iteration of the smoothing ({}).",
                chain_key(limb, "clamp_smoothing")
            );
            let sines: (&[Shaping], usize) = (&SINES, smoothing.min(SINES.len() - 1));
            let steady = sheet.define_on_curve("m", sines, clamp(dot / clamp_weight, 0.0, 1.0), meaning);
            let clamped = turn(q, slerp(inward, q, steady * to_limit)) * q;
            let meaning =
                "Vector of the second bone after the bend limit: m · t of the angle α to inward remains; model units.";
            lower = sheet.define("q₁", clamped, meaning);
            sheet.define(
                "γ",
                angle(lower, inward),
                "Angle between the second bone after the bend limit and inward, in degrees: m · t · α.",
            );
        }
        let effector = Effector::END[limb.index()];
        if frame.effector(effector).position_weight > 0.0 && sine((p2 - p1).get(), lower.get()) >= STRAIGHT_SINE {
            let weight = self.position_weight(effector);
            let sheet = &mut self.sheet;
            let about = sheet.define(
                "R",
                twist(lower, inward, p2 - p1),
                "The rotation about the first bone after which the limb bends in its default plane, in degrees.",
            );
            let meaning = "Vector of the second bone, turned by the fraction w of R, in model units.";
            lower = sheet.define("q₂", nlerp(identity(), about, weight) * lower, meaning);
        }
        self.sheet.end(format!("bend limit, {}", limb.label()), "p₃", p2 + lower)
    }

    pub(super) fn shared_offset(mut self, author: Author, effector: Effector, by: Vec3) -> Sheet {
        let p = self.moved("p");
        let weight = self.master_weight();
        let of = label(effector.key());
        let meaning = format!("Share of {} in the one-frame offset of {of}, in model units.", author.label());
        let by = self.sheet.given("o", by, meaning);
        self.sheet.end_shifted(format!("{}, offset {of}", author.label()), p, by * weight)
    }

    pub(super) fn pushed(mut self, author: Author, by: Vec3) -> Sheet {
        let p = self.moved("p");
        let by = self.sheet.given("push", by, format!("Push of {}, in model units.", author.label()));
        let title = format!("{}, {}", author.label(), label(self.node.key()));
        self.sheet.end_shifted(title, p, by)
    }

    /// Explains the part of an offset that comes from the settings. `shared` is the part that modifiers added, which
    /// the frame's offset includes.
    pub(super) fn offset(mut self, effector: Effector, shared: Vec3) -> Sheet {
        let frame = self.frame;
        let name = label(self.node.key());
        self.moved("p");
        let meaning = format!("Position of the bone {name} as animated, after the bend limit, in model units.");
        let bone = self.sheet.given("bone", Point(frame.bone(self.node)), meaning);
        let weight = self.master_weight();
        let sheet = &mut self.sheet;
        let key = effector_key(effector, "position_offset");
        let meaning = format!("One-frame offset of the effector, in model units ({key}).");
        let given = |scaled: Vec3| if frame.weight > 0.0 { scaled / frame.weight } else { Vec3::ZERO };
        let body = frame.offset(Node::Body);
        if effector == Effector::Body {
            let own = given(body - frame.pull_body * frame.weight) - shared;
            let own = sheet.given("position_offset", own, meaning);
            let meaning = "Offset that hands out of reach add to the body, in model units \
                           (solver.pull_body_vertical, solver.pull_body_horizontal).";
            let pull = sheet.given("pull_body", frame.pull_body, meaning);
            let pull = sheet.define("h", pull * weight, "pull_body times the master weight, in model units.");
            let meaning = "Offset of the body and of both thighs, in model units.";
            let offset = sheet.define("o", own * weight + pull, meaning);
            return self.sheet.end(format!("offset body, {name}"), "p", bone + offset);
        }
        let carried = match effector {
            Effector::LeftThigh | Effector::RightThigh => body,
            _ => Vec3::ZERO,
        };
        let own = sheet.given("position_offset", given(frame.offset(self.node) - carried) - shared, meaning);
        let own = sheet.define("o", own * weight, "position_offset times the master weight, in model units.");
        let title = format!("offset {}", label(effector.key()));
        if carried == Vec3::ZERO {
            return self.sheet.end(title, "p", bone + own);
        }
        let meaning = "Offset of the body, master weight included, which the thighs follow; model units.";
        let carried = sheet.given("o_body", carried, meaning);
        self.sheet.end(title, "p", bone + carried + own)
    }

    pub(super) fn end_effector(mut self, limb: LimbName) -> Sheet {
        let frame = self.frame;
        let effector = Effector::END[limb.index()];
        let settings = frame.effector(effector);
        let last = effector.node();
        self.node("p₃", last);
        let (target, weight) = (self.target(effector), self.position_weight(effector));
        let meaning =
            format!("Position of the bone {} as animated, after the bend limit, in model units.", label(last.key()));
        let bone = self.sheet.given("bone₃", Point(frame.bone(last)), meaning);
        let meaning = "One-frame offset of the node, master weight included, in model units.";
        let offset = self.sheet.given("offset", frame.offset(last), meaning);
        let from = match settings.maintain_relative_position > 0.0 {
            false => self.sheet.define("k", bone + offset, "The animated position plus the offset, in model units."),
            true => {
                let plane = Effector::plane_nodes(limb);
                let q = self.node("q", plane[0]);
                let [a, b, c] = plane.map(|node| label(node.key()));
                let now = math::plane_rotation(plane.map(|node| self.place(node)));
                let sheet = &mut self.sheet;
                let meaning = format!("Rotation of the plane through {a}, {b} and {c} before this move, as an angle.");
                let now = sheet.given("plane", now, meaning);
                let meaning = format!("Rotation of the plane through {a}, {b} and {c} as animated, as an angle.");
                let was = sheet.given("plane₀", settings.animated_plane.rotation(), meaning);
                let meaning = format!("Position of the bone {a} as animated, in model units.");
                let bone_q = sheet.given("bone_q", Point(frame.bone(plane[0])), meaning);
                let meaning = "Animated position of the node plus its offset, in model units.";
                let animated = sheet.given("animated", Point(settings.animated_position), meaning);
                let key = effector_key(effector, "maintain_relative_position");
                let meaning = format!("How much the node follows the torso, 0 to 1 ({key}).");
                let maintained = sheet.given("m", settings.maintain_relative_position, meaning);
                let meaning = "Rotation of the torso plane since the animated pose, in degrees.";
                let turned = sheet.define("R", now * inverse(was), meaning);
                let meaning = "Position to which the torso plane carries the node, in model units.";
                let carried = sheet.define("t", q + turned * (bone - bone_q) + offset, meaning);
                let meaning = "The animated position, carried by the torso with weight m, in model units.";
                sheet.define("k", mix(animated, carried, maintained), meaning)
            }
        };
        let v = self.sheet.define("v", target - from, "Vector from k to the target, in model units.");
        let drawn = self.sheet.define("Δ", v * weight, "Displacement from k by the effector, in model units.");
        self.sheet.end(format!("effector {}", label(effector.key())), "p₃", from + drawn)
    }

    pub(super) fn body_effector(mut self, effector: Effector) -> Sheet {
        let (p, target, weight) = (self.moved("p"), self.target(effector), self.position_weight(effector));
        let v = self.sheet.define("v", target - p, "Vector from the node to its target, in model units.");
        let drawn = self.sheet.define("Δ", v * weight, "Displacement by the effector, in model units.");
        self.sheet.end_shifted(format!("effector {}", label(effector.key())), p, drawn)
    }

    pub(super) fn effector_child(mut self, effector: Effector) -> Option<Sheet> {
        let local = match self.node {
            Node::LeftThigh => self.frame.body_child(LimbName::LeftLeg),
            Node::RightThigh => self.frame.body_child(LimbName::RightLeg),
            _ => return None,
        };
        let thigh = label(self.node.key());
        let (p, body, weight) = (self.moved("p"), self.node("body", effector.node()), self.position_weight(effector));
        let sheet = &mut self.sheet;
        let meaning = format!("Vector from the bone of the body node to the {thigh} as animated, in model units.");
        let local = sheet.given("local", local, meaning);
        let meaning = format!("Position of the {thigh} if it follows the body, in model units.");
        let wanted = sheet.define("k", body + local, meaning);
        let moved = sheet.define("Δ", (wanted - p) * weight, "Displacement toward k, in model units.");
        Some(self.sheet.end_shifted(format!("effector {}, {thigh}", label(effector.key())), p, moved))
    }
}
