use glam::Vec3;

use crate::picture::camera::{AxisView, Viewport};
use crate::picture::framing::{fit_clear, inner, is_clear};
use crate::session::{Pane, Request, Selection, Session};
use crate::tools::body_lab;
use crate::tools::doctor::shown::motion_beside;
use crate::tools::pose::handles::Grip;
use crate::tools::steps::CompareStyle;
use crate::world::World;
use crate::world::motion::Travel;
use kinescope_ik::full_body::{Effector, Node};
use kinescope_ik::rig::{LimbName, ModelPose};

/// Smallest margin around framed points, as a fraction of the picture's size.
const LEAST_MARGIN: f32 = 0.02;
/// The margin after the camera has moved back to show the points, as a fraction of the picture's size.
const MARGIN: f32 = 0.05;
/// Height of the lane names below the roots, in logical pixels.
const LANE_NAMES: f32 = 84.0;
/// Height of the shorter lane names in a picture whose contents are lower than [`LOW`], in logical pixels.
const SHORT_LANE_NAMES: f32 = 34.0;
const LOW: f32 = 400.0;
/// Interval at which framing samples a scene's script, in seconds.
const SCRIPT_STEP: f32 = 0.25;
const SCRIPT_STEPS: usize = 40;
/// Distance from the character's centre, in radii of its bounds, beyond which vertices are not framed.
const FARTHEST_PART: f32 = 3.0;
const FARTHEST_TARGET: f32 = 5.0;

/// Returns whether the lab shows lanes side by side. They make the picture's contents wide, so the caption needs
/// another place: see [`places::caption`](crate::picture::places::caption).
pub fn has_wide_caption(session: &Session) -> bool {
    session.world.lab().is_some_and(|lab| !lab.over && lab.lanes.len() > 1)
}

impl Session {
    fn shows(&self, points: &[Vec3]) -> bool {
        let (viewport, camera) = (self.look.viewport, &self.look.camera);
        camera.shows(points, viewport, self.inner(LEAST_MARGIN))
            && is_clear(camera, points, viewport, has_wide_caption(self))
    }

    fn inner(&self, margin: f32) -> Viewport {
        let mut inner = inner(self.look.viewport, margin);
        if self.world.lab().is_some() {
            let names = if inner.size.y < LOW { SHORT_LANE_NAMES } else { LANE_NAMES };
            inner.size.y -= names.min(inner.size.y / 4.0);
        }
        inner
    }

    pub fn other_offset(&self) -> Vec3 {
        let is_beside = self.tools.debugger.what_if.is_none()
            && self.tools.debugger.port.is_none()
            && self.tools.debugger.compare.as_ref().is_some_and(|compare| compare.style == CompareStyle::SideBySide);
        let (right, _) = self.look.camera.right_and_up();
        if is_beside { right * self.world.character.height * 0.75 } else { Vec3::ZERO }
    }

    pub(crate) fn look_along(&mut self, view: AxisView) {
        let facing = self.world.motion.root.rotation * self.world.character.detection.facing;
        self.look.camera.look_along(view, if self.world.lab().is_some() { Vec3::Z } else { facing });
    }

    pub(crate) fn frame_selection(&mut self) {
        let node = match self.interaction.selection {
            Selection::Effector(effector) => effector.node(),
            Selection::Chain(chain) => chain.limb().map_or(Node::Body, |limb| Node::of_limb(limb)[1]),
            Selection::BendGoal(limb) => Node::of_limb(limb)[1],
            Selection::Layer(chain) if chain.index().is_some() => {
                if let Some(state) = self.chain_state(chain) {
                    let middle = state.positions[state.positions.len() / 2] + self.lane_offset(chain);
                    self.look.camera.frame(middle, self.world.lab_size() * 0.6, self.look.viewport);
                }
                return;
            }
            Selection::Nothing | Selection::Layer(_) | Selection::Modifier(..) => return self.frame_shown(),
        };
        if let Some(state) = self.state() {
            let radius = self.world.character.height_in(&self.world.picture.pose) * 0.25;
            self.look.camera.frame(state.node(node), radius, self.look.viewport);
            let target = match self.interaction.selection {
                Selection::Effector(effector) => self.world.target_of(effector),
                Selection::Chain(chain) => chain.limb().and_then(|limb| {
                    self.world.target_of(Effector::END[limb.index()]).or(self.world.bend_goal_of(limb))
                }),
                Selection::BendGoal(limb) => self.world.bend_goal_of(limb),
                _ => None,
            };
            if let Some(target) = target {
                self.keep_in_view(&[state.node(node), target], radius * 12.0);
            }
        }
    }

    /// Frames the pose shown instead of the rest pose, because a clip may have moved or scaled the character. In the
    /// lab, frames the chains.
    pub(crate) fn frame_shown(&mut self) {
        let pose = self.world.picture.pose.clone();
        // An axis view keeps its direction.
        match self.look.camera.orthographic_until_turned && self.world.lab().is_none() {
            true => self.frame_from_here(&pose),
            false => self.frame_sphere(&pose),
        }
    }

    /// Frames the character at rest, or the chains while the lab is open.
    pub fn frame_all(&mut self) {
        let rest = ModelPose::from_local(&self.world.character.model.skeleton, &self.world.character.rest);
        let root = self.world.motion.root;
        let bones = rest.bones.iter().map(|bone| root.transform(bone)).collect();
        self.frame_sphere(&ModelPose { bones, ..rest });
    }

    /// Frames the contents of the picture again if a part of them is out of the picture or covered. Does nothing if the
    /// user or a walk has moved the camera.
    pub(crate) fn keep_shown_in_view(&mut self) {
        if self.look.framed != Some(self.look.camera) {
            return;
        }
        let bounds = self.world.character.bounds(&self.world.picture.pose);
        let points = self.framed_points(&self.world.picture.pose, bounds);
        if !self.shows(&points) {
            self.frame_shown();
        }
        self.look.is_unchecked = false;
    }

    /// Calls [`Self::keep_shown_in_view`] once after each change of framing, scene or clip, as soon as no clip fades.
    pub(crate) fn check_framing(&mut self) {
        if self.look.is_unchecked && self.world.clip.crossfade.fades().is_empty() {
            self.look.is_unchecked = false;
            self.keep_shown_in_view();
        }
    }

    pub fn set_viewport(&mut self, viewport: Viewport) {
        let is_other = self.look.viewport.size != viewport.size;
        self.look.viewport = viewport;
        if is_other {
            self.keep_shown_in_view();
        }
    }

    fn scripted_targets(&self) -> Vec<Vec3> {
        let Some(script) = self.started_scene.scene.and_then(|scene| scene.script) else { return Vec::new() };
        let mut settings = *self.world.settings();
        let mut places = Vec::new();
        for step in 0..SCRIPT_STEPS {
            script(&mut settings, &self.started_scene.rest, step as f32 * SCRIPT_STEP);
            let own = Effector::ALL.into_iter().map(|effector| settings.effector(effector));
            places.extend(own.filter(|own| own.position_weight > 0.0).filter_map(|own| own.position));
        }
        places
    }

    /// Returns the points that the camera should show for a pose, or in the lab for its chains. `center` and `radius`
    /// are the character's bounds in that pose.
    pub(crate) fn framed_points(&self, pose: &ModelPose, (center, radius): (Vec3, f32)) -> Vec<Vec3> {
        if self.world.lab().is_some() {
            return self.lab_points();
        }
        let mut points = self.world.character.surface(pose);
        if points.is_empty() {
            points.extend(pose.bones.iter().map(|bone| bone.position));
        }
        let aside = self.other_offset();
        let motion = motion_beside(self).map(|(_, points)| points);
        if let Some(other) = self.tools.debugger.other().filter(|_| aside != Vec3::ZERO) {
            points.extend(self.world.character.surface(&other.shown).into_iter().map(|at| at + aside));
        }
        let lanes = body_lab::picture::shown(self);
        let beside = lanes.iter().filter(|lane| lane.offset != Vec3::ZERO);
        let beside: Vec<Vec3> = beside
            .flat_map(|lane| self.world.character.surface(lane.pose).into_iter().map(|at| at + lane.offset))
            .collect();
        // Distant vertices, such as those of a floor in the model's file, are left out.
        points.retain(|at| {
            at.is_finite() && at.distance(center).min(at.distance(center + aside)) < FARTHEST_PART * radius
        });
        points.extend(motion.into_iter().flatten());
        if self.look.view.targets {
            points.extend(Effector::ALL.into_iter().filter_map(|effector| self.world.target_of(effector)));
            points.extend(self.scripted_targets());
            points.extend(self.world.keyed_places());
            let modifiers = self.world.stack().modifiers.iter().enumerate().filter(|(_, own)| own.is_on());
            points.extend(
                modifiers
                    .flat_map(|(index, own)| {
                        [Grip::Target, Grip::To]
                            .into_iter()
                            .filter_map(move |grip| self.modifier_place(index, own, grip))
                    })
                    .map(|(place, _)| place),
            );
        }
        if self.look.view.bend_goals {
            points.extend(LimbName::ALL.into_iter().filter_map(|limb| self.world.bend_goal_of(limb)));
        }
        // Framing distant targets would make the character tiny.
        points.retain(|at| at.distance(center) < FARTHEST_TARGET * radius);
        points.extend(beside);
        points
    }

    /// Moves the camera back if points within `reach` of its target are out of the picture, or if caption or axes cover
    /// them.
    fn keep_in_view(&mut self, points: &[Vec3], reach: f32) {
        let center = self.look.camera.target;
        let points: Vec<Vec3> = points.iter().copied().filter(|at| at.distance(center) < reach).collect();
        if !self.shows(&points) {
            let whole = self.inner(MARGIN);
            let picture = (self.look.viewport, has_wide_caption(self));
            fit_clear(&mut self.look.camera, &points, picture, whole);
        }
    }

    pub(crate) fn show_crowd(&mut self, frames: bool) {
        if self.world.history.document().crowd.count == 0 {
            return;
        }
        self.window.requests.push(Request::ShowPane(Pane::Crowd));
        if frames {
            self.frame_all();
            self.look.camera.distance *= 3.2;
            self.look.camera.pitch = 0.32;
        }
    }

    /// Frames a pose from the front, slightly from the side and above. In the lab, frames the chains instead.
    pub(crate) fn frame_sphere(&mut self, pose: &ModelPose) {
        if self.world.lab().is_some() {
            self.look.camera.turn_to(0.35, 0.12);
            let whole = self.inner(MARGIN);
            // The points are measured after the camera has turned, because the offsets of lanes depend on its
            // direction.
            let points = self.lab_points();
            let picture = (self.look.viewport, has_wide_caption(self));
            fit_clear(&mut self.look.camera, &points, picture, whole);
            (self.look.framed, self.look.is_unchecked) = (Some(self.look.camera), true);
            return;
        }
        let facing = self.world.motion.root.rotation * self.world.character.detection.facing;
        let (mut yaw, mut pitch) = (facing.x.atan2(facing.z) + 0.6, 0.17);
        if self.world.plan().terrain.is_some() {
            // On terrain, the camera looks from higher up. It looks more from the side if the character follows a path,
            // and otherwise more from the front.
            let aside = if self.world.plan().motion.travel == Travel::Path { 0.35 } else { -0.3 };
            (yaw, pitch) = (yaw + aside, 0.3);
        }
        self.look.camera.turn_to(yaw, pitch);
        self.frame_from_here(pose);
    }

    pub(crate) fn frame_from_here(&mut self, pose: &ModelPose) {
        let bounds = self.world.character.bounds(pose);
        let (center, radius) = bounds;
        // On terrain, there is room for the ground below the feet.
        let (scale, down) = if self.world.plan().terrain.is_some() { (1.35, 0.35) } else { (1.0, 0.0) };
        let aside = self.other_offset();
        let lanes = body_lab::picture::shown(self)
            .iter()
            .map(|lane| lane.offset)
            .max_by(|a, b| a.length().total_cmp(&b.length()));
        let aside = lanes.filter(|own| own.length() > aside.length()).unwrap_or(aside);
        let aside = motion_beside(self).map_or(aside, |(offset, _)| offset);
        let middle = center - Vec3::Y * (down * radius) + aside / 2.0;
        self.look.camera.frame(middle, radius * scale + aside.length() / 2.0, self.look.viewport);
        self.keep_in_view(&self.framed_points(pose, bounds), f32::INFINITY);
        (self.look.framed, self.look.is_unchecked) = (Some(self.look.camera), true);
    }
}

impl World {
    fn target_of(&self, effector: Effector) -> Option<Vec3> {
        let own = self.settings().effector(effector);
        own.position.filter(|_| own.position_weight > 0.0)
    }

    fn bend_goal_of(&self, limb: LimbName) -> Option<Vec3> {
        let own = self.settings().chain(limb);
        own.bend_goal.filter(|_| own.bend_weight > 0.0)
    }
}
