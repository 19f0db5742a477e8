//! Formulas of four-bone limbs and arm bending.

use super::{End, Lines};
use crate::math::unit_or_zero;
use crate::modifiers::act::Change;
use crate::modifiers::arm_bending::{HandRotations, twist_about};
use crate::modifiers::four_bones::{Folds, FourBones, MAX_ANGLE, MIN_ANGLE};
use crate::notation::{Degrees, Expression, about, clamp_angle, inverse};
use crate::rig::LimbName;

impl Lines<'_> {
    pub(super) fn four_bones(&mut self, own: &FourBones, folds: &Folds) -> Option<End> {
        let Change::Bone { bone, from, .. } = self.at.act.change else { return None };
        let figure = self.at.seen.figure;
        let limb = LimbName::ALL.into_iter().find(|limb| figure.inner[limb.index()] == Some(bone))?;
        let bones = figure.limbs[limb.index()];
        let share = own.share(limb);
        let (fold, distance) = FourBones::fold(folds, limb, bone, &bones, |bone| self.at.now(bone).position)?;
        let [_, second, third] = bones.map(|bone| self.at.now(bone).position);
        let axis = unit_or_zero((second - from.position).cross(third - from.position));
        self.sheet.given(
            "D",
            distance,
            "Solved distance between the limb's ends, corrected for a limb that is not planar, in model units.",
        );
        self.sheet.given(
            "κ₀",
            Degrees(fold.knee.to_degrees()),
            "Angle at the limb's second bone in the animated pose, in degrees.",
        );
        let theta = Degrees(fold.inner.to_degrees());
        let theta = self.sheet.given("θ₀", theta, "Angle at the inner joint in the animated pose, in degrees.");
        let opens = fold.solve(share, distance);
        let x = self.sheet.given(
            "x",
            Degrees(opens.to_degrees()),
            "Opening of both joints together that brings the limb's ends to distance D or nearest to it, in degrees; below 0 they close.",
        );
        let field = if limb.is_arm() { "arms" } else { "legs" };
        let share = self.setting("share", share, "Share of x by which the inner joint opens, 0 to 1", field);
        // An angle that is smaller than the limit as animated is the limit itself, see `Fold::opened`.
        let [least, most] = [MIN_ANGLE, MAX_ANGLE].map(|limit| Degrees(limit.to_degrees()).term());
        let least = if fold.inner < MIN_ANGLE { theta.term() } else { least };
        let opened = clamp_angle(theta + x * share, least, most);
        let inner = self.sheet.define("θ", opened, "New angle at the inner joint, in degrees.");
        let axis = self.sheet.given("axis", axis, "Axis orthogonal to the bones at the inner joint; unit.");
        Some(End::Turn(about(axis, inner - theta)))
    }

    pub(super) fn arm_bending(&mut self, related: &HandRotations) -> Option<End> {
        let Change::Bone { bone, from, to } = self.at.act.change else { return None };
        let figure = self.at.seen.figure;
        let index = [0, 1].into_iter().find(|&arm| {
            figure.limbs[arm][1] == bone || figure.twist_bones[arm].iter().any(|twist| twist.bone == bone)
        })?;
        let [_, forearm, hand] = figure.limbs[index].map(|bone| self.at.bone(bone));
        let along = unit_or_zero(hand.position - forearm.position);
        let back = (forearm.rotation * related.hand(index)).conjugate();
        let axis = self.sheet.given("axis", along, "Unit vector from elbow to wrist.");
        let hand = self.sheet.given("hand", hand.rotation, "Written rotation of the hand, as an angle.");
        let related =
            self.sheet.given("own", back.conjugate(), "Rotation of the hand if it followed the forearm, as an angle.");
        let rotation = self.sheet.define(
            "R",
            hand * inverse(related),
            "Rotation of the hand relative to the forearm since the animated pose, as an angle.",
        );
        let twist = twist_about(rotation.get(), along).to_degrees();
        let twist = self.sheet.given("τ", Degrees(twist), "Part of R about the forearm's axis, in degrees.");
        let made = twist_about(to.rotation * from.rotation.conjugate(), along).to_degrees();
        let share = if twist.get().0 == 0.0 { 0.0 } else { made / twist.get().0 };
        let share = self.sheet.given(
            "u",
            share,
            format!(
                "Share of τ that this bone takes, from its place along the forearm (½ without twist bones), {}.twist \
                 and the arm's weight.",
                self.key
            ),
        );
        Some(End::Turn(about(axis, twist * share)))
    }
}
