//! Formulas of rotating bones: CCD, limits, and the rotations that follow from solved joints.

use glam::{Quat, Vec3};

use super::Instant;
use super::reaches::PASS_SHARE;
use crate::chain_ik::chain::{Bone, State};
use crate::chain_ik::fabrik::{follow, swing_to_next};
use crate::chain_ik::limits::Limit;
use crate::chain_ik::moves::Cause;
use crate::chain_ik::plane_limits::{is_in_plane, kept};
use crate::chain_ik::problem::Workspace;
use crate::chain_ik::program::Stage;
use crate::chain_ik::settings::{CcdTurn, MapTurn};
use crate::notation::{Named, Point, Sheet, angle, identity, inverse, nlerp, turn, turned, twist};
use crate::stepped::Unwatched;

impl<'a> Instant<'a> {
    pub(super) fn turn(mut self) -> Option<Sheet> {
        let index = self.moved.joint;
        let bone = self.bones().get(index)?;
        // Earlier rotations of the pass affect this one only through the end's position.
        let turned = &self.recording.solve.events_of(self.place.0)[..self.place.1];
        let end = turned.last().map_or(self.before.end(), |before| before.to);
        let j = self.joint("j", index, self.before.positions[index]);
        let target = self.target();
        let meaning = "Position of the end, after the bones beyond have turned, in model units.";
        let e = self.sheet.given("e", Point(end), meaning);
        let meaning = "Angle at joint j between end and target, in degrees.";
        self.sheet.define("α", angle(e - j, target - j), meaning);
        let full = self.turn_between(e - j, target - j);
        let mut turn =
            self.sheet.define("R", full, "The rotation about j that turns the end toward the target, in degrees.");
        let (parent, own) = (self.chain.rotation_before(self.before, index), self.before.rotations[index]);
        let frame = match self.settings.ccd_turn {
            CcdTurn::Model => None,
            CcdTurn::NotesLocal => {
                let meaning = "Rotation of the bone, as an angle: the code of Animation programming notes applies R \
                               about the bone's axes.";
                Some((own, meaning))
            }
            CcdTurn::BookMisread => Some((
                parent * own,
                "Rotation of the parent times rotation of the bone, as an angle: the frame in which the code of Hands-on C++ \
                 Game Animation Programming applies R if its products are read right to left.",
            )),
        };
        if let Some((frame, meaning)) = frame {
            let frame = self.sheet.given("F", frame, meaning);
            let wrong = frame * turn * inverse(frame);
            turn = self.sheet.define("R′", wrong, "The rotation R, applied in the frame F; in degrees.");
        }
        let share = self.settings.pass_share();
        if bone.weight * share < 1.0 {
            let meaning = format!("Weight of bone {index} in CCD, 0 to 1 (weights).");
            let weight = self.sheet.given("w", bone.weight, meaning);
            let (part, meaning) = match share < 1.0 {
                true => {
                    let share = self.sheet.given("k", share, PASS_SHARE);
                    (nlerp(identity(), turn, weight * share), "The rotation scaled by w · k, in degrees.")
                }
                false => (nlerp(identity(), turn, weight), "The rotation scaled by w, in degrees."),
            };
            turn = self.sheet.define("R₁", part, meaning);
        }
        if self.settings.limits && self.changes(bone, turn.get() * own * bone.axis) {
            turn = self.limited(index, parent * bone.rest, own, self.before.turns[index], turn);
        }
        Some(self.sheet.end(format!("CCD, bone {index}"), "e", j + turn * (e - j)))
    }

    fn plane_of_limits(&self) -> Option<Vec3> {
        self.workspace.plane_of_limits(&self.recording.problem())
    }

    /// Returns whether the limit, or the plane within which limits apply, can change a bone that points along `along`.
    fn changes(&self, bone: &Bone, along: Vec3) -> bool {
        bone.limit != Limit::Free || self.plane_of_limits().is_some_and(|normal| !is_in_plane(along, normal))
    }

    /// Adds the part of `turn` that the bone's limit allows, in the 2D mode within the plane. `was` is the bone's
    /// rotation before the turn.
    fn limited(&mut self, index: usize, rest: Quat, was: Quat, hinge_turn: f32, turn: Named<Quat>) -> Named<Quat> {
        let (bone, plane) = (&self.bones()[index], self.plane_of_limits());
        let wanted = (rest.conjugate() * (turn.get() * was).normalize()).normalize();
        let limited = bone.limited(wanted, plane.map(|normal| rest.conjugate() * normal), hinge_turn);
        let kind = bone.limit.key().replace('_', " ");
        let sheet = &mut self.sheet;
        let meaning = format!("Rotation of bone {index} before it turns, as an angle; r₀⁻¹ is the inverse rotation.");
        let was = sheet.given("r₀", was, meaning);
        let (meaning, allows) = match (bone.limit, plane) {
            (Limit::Free, _) => (
                "Rotation of the bone after the turn, laid into the plane, as an angle (plane).".to_owned(),
                "The rotation that the plane allows, in degrees.",
            ),
            (_, None) => (
                format!("Rotation of the bone after the turn, clamped to its limit ({kind}), as an angle (limits)."),
                "The rotation that the limit allows, in degrees.",
            ),
            (_, Some(_)) => (
                format!(
                    "Rotation of the bone after the turn, clamped to its limit ({kind}) within the plane, as an angle \
                     (limits, plane)."
                ),
                "The rotation that limit and plane allow, in degrees.",
            ),
        };
        let allowed = sheet.given("r", (rest * limited.rotation).normalize(), meaning);
        let left = sheet.define("R₂", allowed * inverse(was), allows);
        let meaning = match (bone.limit, plane) {
            (Limit::Free, _) => "Angle by which the plane changes the rotation, in degrees.",
            (_, None) => "Angle by which the limit changes the rotation, in degrees.",
            (_, Some(_)) => "Angle by which limit and plane change the rotation, in degrees.",
        };
        sheet.define("β", turned(left * inverse(turn)), meaning);
        left
    }

    /// Explains how a pass from the root (start, backward reach or map) swings a bone toward its end joint and rotates
    /// it into its limit.
    pub(super) fn limited_bone(mut self, title: &str) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let (step, moves) = (self.place.0, self.recording.solve.events_of(self.place.0));
        // Moves record positions only. How far earlier bones carried this one follows from the rotations before the
        // first bone rotated (`old`) and after this one did (`new`).
        let laid = moves.iter().take_while(|moved| moved.cause == Cause::Plane).count();
        let mut old = match laid {
            0 => self.before.clone(),
            laid => self.recording.state_within(step, laid)?,
        };
        if self.step.stage == Stage::Start && self.settings.plane.is_some() {
            let (problem, mut workspace) = (self.recording.problem(), Workspace::default());
            let _ = follow(&problem, &mut old, &mut workspace, false, Cause::Plane, &mut Unwatched);
        }
        let new = self.recording.state_within(step, self.place.1 + 1)?;
        let (carried, meaning) = before_turn(bone.from, index, &old, &new);
        let q = self.joint("q", bone.from, new.positions[bone.from]);
        let (p, length) = (self.moved(), self.length(index));
        let a = self.sheet.given("a", carried * bone.axis, meaning);
        let mut swing = match self.plane_of_limits() {
            None => {
                let meaning = "The rotation that points the bone at its end joint, in degrees.";
                self.sheet.define("R", turn(a, p - q), meaning)
            }
            Some(_) => {
                let normal = self.normal()?;
                let way = match self.workspace.unit_in_plane((p - q).get()) {
                    Some(_) => p - q,
                    None => self.fallback(self.workspace.fallback),
                };
                let meaning = "The rotation about n that turns the bone toward its end joint, in degrees.";
                self.sheet.define("R", twist(a, way, normal), meaning)
            }
        };
        if self.changes(bone, swing.get() * a.get()) {
            let rest = self.chain.rotation_before(&new, index) * bone.rest;
            swing = self.limited(index, rest, carried, old.turns[index], swing);
        }
        Some(self.end(title, q + length * (swing * a)))
    }

    pub(super) fn mapped_bone(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let new = self.recording.state_within(self.place.0, self.place.1 + 1)?;
        let (old, parent) = (self.before, self.chain.rotation_before(&new, index));
        let (carried, meaning) = before_turn(bone.from, index, old, &new);
        let q = self.joint("q", bone.from, new.positions[bone.from]);
        let length = self.length(index);
        let a = self.sheet.given("a", carried * bone.axis, meaning);
        let place = match self.settings.map_turn {
            // The notes compare the solved joint with itself, so there is no rotation.
            MapTurn::NotesCorrection => q + length * a,
            MapTurn::Model | MapTurn::BookMisread => {
                let p = self.moved();
                let meaning = "The rotation that points the bone at its end joint, in degrees.";
                let swing = self.sheet.define("R", turn(a, p - q), meaning);
                let meaning = "Rotation of the parent times the inverse rotation of the bone, as an angle: the frame of \
                               the code of Hands-on C++ Game Animation Programming, read right to left.";
                let frame = self.sheet.given("F", (parent * carried.conjugate()).normalize(), meaning);
                let wrong = frame * swing * inverse(frame);
                let wrong = self.sheet.define("R′", wrong, "The rotation R, applied in the frame F; in degrees.");
                q + length * (wrong * a)
            }
        };
        Some(self.end("map", place))
    }

    /// Explains the forward reach with limits: it rotates a bone into its limit, then swings the chain about the start
    /// of the previous bone (for bone 0, about its own start) and shifts it, so that the end stays in place.
    pub(super) fn limit_beyond(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let pivot = index.saturating_sub(1);
        let mut now = self.now.clone();
        // `now` ends with the previous move. After that move, before it applied the limit, the solver pointed these two
        // bones at their end joints; this repeats the two swings.
        for swung in [index, pivot] {
            swing_to_next(self.chain, &mut now, swung, self.plane_of_limits());
        }
        let was = now.rotations[index];
        let rest = self.chain.rotation_before(&now, index) * bone.rest;
        let normal = self.plane_of_limits().map(|normal| rest.conjugate() * normal);
        let limited = bone.limited((rest.conjugate() * was).normalize(), normal, now.turns[index]);
        let allowed = (rest * limited.rotation).normalize();
        let p = self.joint("p", index + 1, now.positions[index + 1]);
        let j = self.joint("j", index, now.positions[index]);
        let q = match pivot == index {
            true => self.sheet.given("q", j.get(), "Position of the root in this pass, in model units."),
            false => self.joint("q", pivot, now.positions[pivot]),
        };
        let e = self.end_joint(now.end());
        let kind = bone.limit.key().replace('_', " ");
        if let Some(normal) = self.plane_of_limits() {
            let along = kept(allowed * bone.axis, normal);
            return self.limit_beyond_in_plane([p, j, q, e], was * bone.axis, along, &kind);
        }
        let sheet = &mut self.sheet;
        let meaning = format!("Rotation of bone {index} before it turns, as an angle; r₀⁻¹ is the inverse rotation.");
        let was = sheet.given("r₀", was, meaning);
        let meaning = format!("Rotation of the bone, clamped to its limit ({kind}), as an angle (limits).");
        let allowed = sheet.given("r", allowed, meaning);
        let back = sheet.define("R", allowed * inverse(was), "The rotation back into the limit, in degrees.");
        let p1 = sheet.define("p₁", j + back * (p - j), "Position of the joint, rotated by R about j; model units.");
        let e1 = sheet.define("e₁", j + back * (e - j), "Position of the end, rotated by R about j; model units.");
        let meaning = "The rotation about q that turns e₁ back toward e, in degrees.";
        let swing = sheet.define("S", turn(e1 - q, e - q), meaning);
        let p2 =
            sheet.define("p₂", q + swing * (p1 - q), "Position of the joint, then rotated by S about q; model units.");
        let e2 =
            sheet.define("e₂", q + swing * (e1 - q), "Position of the end, then rotated by S about q; model units.");
        Some(self.end("bone rotated into its limit", p2 + (e - e2)))
    }

    /// Explains a move of [`Self::limit_beyond`] in the 2D mode: the bones after turn about the normal only. `p` and `e`
    /// are the end joint and the chain's end, `j` is the start joint, and `q` the joint about which the chain swings.
    fn limit_beyond_in_plane(
        mut self,
        [p, j, q, e]: [Named<Point>; 4],
        was: Vec3,
        allowed: Vec3,
        kind: &str,
    ) -> Option<Sheet> {
        let (index, _) = self.bone()?;
        let (normal, length) = (self.normal()?, self.length(index));
        let sheet = &mut self.sheet;
        let a = sheet.given("a", was, format!("Direction of bone {index} before it turns; unit."));
        let meaning =
            format!("Direction of the bone, clamped to its limit ({kind}) within the plane; unit (limits, plane).");
        let d = sheet.given("d", allowed, meaning);
        let back = sheet.define("R", twist(a, d, normal), "The rotation about n from a to d, in degrees.");
        let p1 = sheet.define("p₁", j + length * d, "Position of the joint along d, in model units.");
        let meaning = "Position of the end, moved with the joint and rotated by R about it; model units.";
        let e1 = sheet.define("e₁", p1 + back * (e - p), meaning);
        let meaning = "The rotation about q and n that turns e₁ back toward e, in degrees.";
        let swing = sheet.define("S", twist(e1 - q, e - q, normal), meaning);
        let meaning = "Position of the joint, then rotated by S about q; model units.";
        let p2 = sheet.define("p₂", q + swing * (p1 - q), meaning);
        let meaning = "Position of the end, then rotated by S about q; model units.";
        let e2 = sheet.define("e₂", q + swing * (e1 - q), meaning);
        Some(self.end("bone rotated into its limit", p2 + (e - e2)))
    }
}

/// Returns the rotation of bone `index` as its parent has carried it, before its own turn, and a sentence that explains
/// the bone's direction then. `from` is the bone's start joint. `old` is the state before the pass; in `new`, the
/// parent has turned.
fn before_turn(from: usize, index: usize, old: &State, new: &State) -> (Quat, String) {
    match from.checked_sub(1) {
        Some(before) => (
            new.rotations[before] * old.rotations[before].conjugate() * old.rotations[index],
            format!("Direction of bone {index}, after its parent has turned; unit."),
        ),
        None => (old.rotations[index], format!("Direction of bone {index} before this move; unit.")),
    }
}
