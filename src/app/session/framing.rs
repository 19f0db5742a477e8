//! What the camera is turned to.

use glam::Vec3;

use super::{Request, Selection, Session};
use crate::app::camera::AxisView;
use crate::app::debugger::CompareStyle;
use crate::app::layout::Pane;
use crate::app::motion::Travel;
use crate::full_body::Node;
use crate::rig::ModelPose;

impl Session {
    /// How far aside the second result is drawn: nothing where it lies over the first.
    pub fn other_offset(&self) -> Vec3 {
        let is_beside = self.debugger.what_if.is_none()
            && self.debugger.port.is_none()
            && self.debugger.compare.as_ref().is_some_and(|compare| compare.style == CompareStyle::SideBySide);
        let (right, _) = self.look.camera.right_and_up();
        if is_beside { right * self.character.height * 0.75 } else { Vec3::ZERO }
    }

    pub(super) fn look_along(&mut self, view: AxisView) {
        let facing = self.motion.root.rotation * self.character.detection.facing;
        self.look.camera.look_along(view, if self.lab().is_some() { Vec3::Z } else { facing });
    }

    pub(super) fn frame_selection(&mut self) {
        let node = match self.hands.selection {
            Selection::Nothing
            | Selection::Grounding
            | Selection::Footprints
            | Selection::FootLock
            | Selection::RotationsOnly
            | Selection::Modifier(..) => {
                return self.frame_shown();
            }
            Selection::Effector(effector) => effector.node(),
            Selection::Chain(chain) => chain.limb().map_or(Node::Body, |limb| Node::of_limb(limb)[1]),
            Selection::BendGoal(limb) => Node::of_limb(limb)[1],
            Selection::ChainIk(chain) => {
                if let Some(state) = self.chain_state(chain) {
                    let middle = state.positions[state.positions.len() / 2] + self.lane_offset(chain);
                    self.look.camera.frame(middle, self.lab_size() * 0.6, self.look.viewport);
                }
                return;
            }
        };
        if let Some(state) = self.state() {
            let radius = self.character.height_in(&self.picture.pose) * 0.25;
            self.look.camera.frame(state.node(node), radius, self.look.viewport);
        }
    }

    /// The whole character as it is shown: a clip may have taken it elsewhere, or scaled it.
    pub(super) fn frame_shown(&mut self) {
        let bounds = self.character.bounds(&self.picture.pose);
        // Who looks along an axis goes on to.
        match self.look.camera.orthographic_until_turned && self.lab().is_none() {
            true => self.frame_from_here(bounds),
            false => self.frame_sphere(bounds),
        }
    }

    /// The whole character where it rests, from in front and a little to the side and above.
    pub fn frame_all(&mut self) {
        let rest = ModelPose::from_local(&self.character.model.skeleton, &self.character.rest);
        let (center, radius) = self.character.bounds(&rest);
        self.frame_sphere((self.motion.root.transform_point(center), radius));
    }

    /// The pane of a crowd, if there is one; with `frames` the character among the others, from farther away and higher up.
    pub(super) fn show_crowd(&mut self, frames: bool) {
        if self.history.document().crowd.count == 0 {
            return;
        }
        self.desk.requests.push(Request::ShowPane(Pane::Crowd));
        if frames {
            self.frame_all();
            self.look.camera.distance *= 3.2;
            self.look.camera.pitch = 0.32;
        }
    }

    /// What is about a character from in front and a little to the side and above.
    pub(super) fn frame_sphere(&mut self, bounds: (Vec3, f32)) {
        if let Some((center, radius)) = self.lab_bounds() {
            self.look.camera.turn_to(0.35, 0.12);
            self.look.camera.frame(center, radius, self.look.viewport);
            return;
        }
        let facing = self.motion.root.rotation * self.character.detection.facing;
        let (mut yaw, mut pitch) = (facing.x.atan2(facing.z) + 0.6, 0.17);
        if self.plan().terrain.is_some() {
            // A walk is seen from its side.
            let aside = if self.plan().motion.travel == Travel::Path { 0.35 } else { -0.3 };
            (yaw, pitch) = (yaw + aside, 0.3);
        }
        self.look.camera.turn_to(yaw, pitch);
        self.frame_from_here(bounds);
    }

    /// What is about a character, and the second one beside it, from where the camera looks.
    pub(super) fn frame_from_here(&mut self, (center, radius): (Vec3, f32)) {
        // Ground is to be seen as well, and feet on it.
        let (scale, down) = if self.plan().terrain.is_some() { (1.35, 0.35) } else { (1.0, 0.0) };
        let aside = self.other_offset();
        let center = center - Vec3::Y * (down * radius) + aside / 2.0;
        self.look.camera.frame(center, radius * scale + aside.length() / 2.0, self.look.viewport);
    }
}
