//! Handles: the points a user drags.

use glam::{Quat, Vec2, Vec3};
use kinescope_ik::stack::LayerId;

use crate::picture::camera::Projector;
use crate::tools::chains::ChainHandle;
use crate::tools::pose::picking::{GRAB_RADIUS, nearest};
use kinescope_ik::full_body::draw::suggested_bend_goal;
use kinescope_ik::full_body::{Effector, Frame, Node, Settings, State};
use kinescope_ik::key::label;
use kinescope_ik::rig::LimbName;

/// How far from the character, in its heights, a handle is put in the window. The solver itself takes any number; but
/// who types 1e6 has slipped, and what is that far off cannot be seen or dragged back.
const FARTHEST: f32 = 100.0;

/// Where handles may be put.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// Where the character stands.
    pub center: Vec3,
    /// Model units, to every side.
    pub half: f32,
}

impl Room {
    pub fn of(center: Vec3, height: f32) -> Self {
        Self { center, half: FARTHEST * height }
    }

    /// The nearest point that is within.
    pub fn clamp(&self, point: Vec3) -> Vec3 {
        point.clamp(self.center - self.half, self.center + self.half)
    }

    fn contains(&self, point: Vec3) -> bool {
        (point - self.center).abs().cmple(Vec3::splat(self.half)).all()
    }

    /// What is wrong with a place that was changed; nothing if it is within, or no further off than it was: what came
    /// out of a file may be anywhere.
    pub fn refuses(&self, what: &str, before: Option<Vec3>, after: Option<Vec3>) -> Option<String> {
        let after = after.filter(|&after| before != Some(after) && !self.contains(after))?;
        let (low, high) = (self.center - self.half, self.center + self.half);
        let axis = (0..3).find(|&axis| !(low[axis]..=high[axis]).contains(&after[axis])).unwrap_or(0);
        let name = ["x", "y", "z"][axis];
        Some(format!(
            "{what}: {name} {} is too far off; in the window it is {:.4} to {:.4}",
            after[axis], low[axis], high[axis]
        ))
    }

    /// What is wrong with the places in new settings.
    pub fn refuses_settings(&self, before: &Settings, after: &Settings) -> Option<String> {
        let effectors = Effector::ALL.into_iter().find_map(|effector| {
            let (before, after) = (before.effector(effector), after.effector(effector));
            let what = label(effector.key());
            let offset = |offset: Vec3| Some(self.center + offset);
            self.refuses(&what, before.position, after.position).or_else(|| {
                let [before, after] = [before.position_offset, after.position_offset].map(offset);
                self.refuses(&format!("{what} offset"), before, after)
            })
        });
        effectors.or_else(|| {
            LimbName::ALL.into_iter().find_map(|limb| {
                let goals = [before, after].map(|settings| settings.chain(limb).bend_goal);
                self.refuses(&format!("{} bend goal", limb.label()), goals[0], goals[1])
            })
        })
    }
}

/// Something that can be grabbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandleId {
    Effector(Effector),
    BendGoal(LimbName),
    /// Of a chain that is solved by itself.
    Chain(LayerId, ChainHandle),
    /// Of the path that the character walks.
    PathPoint(usize),
    /// Of a modifier, by its place in the order.
    Modifier(usize, Grip),
}

/// What of a modifier is grabbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grip {
    /// What is looked at, or reached for; the head's target; the key of this time.
    Target,
    /// Where the point that is reached for has moved to.
    To,
}

impl HandleId {
    /// As in logs: `left_hand`, `left_arm_bend_goal`.
    pub fn key(self) -> String {
        match self {
            Self::Effector(effector) => effector.key().to_owned(),
            Self::BendGoal(limb) => format!("{}_bend_goal", kinescope_ik::full_body::Chain::from(limb).key()),
            Self::Chain(chain, handle) => handle.key(chain),
            Self::PathPoint(index) => format!("path_{index}"),
            Self::Modifier(index, Grip::Target) => format!("modifier_{index}"),
            Self::Modifier(index, Grip::To) => format!("modifier_{index}_to"),
        }
    }
}

/// Where a handle is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    pub id: HandleId,
    /// Model space.
    pub position: Vec3,
    /// Logical pixels.
    pub screen: Vec2,
    /// Position weight, or bend weight.
    pub weight: f32,
    /// It has a target of its own; otherwise it shows where its node or limb is.
    pub is_set: bool,
}

/// How far from elbow or knee a bend goal waits that is not set; of the character's height.
const WAITING_GOAL: f32 = 0.14;

/// All handles in the picture. `bend_goals` says whether those are shown.
pub fn handles(
    frame: &Frame,
    state: &State,
    settings: &Settings,
    projector: &Projector,
    height: f32,
    bend_goals: bool,
) -> Vec<Handle> {
    let mut found = Vec::with_capacity(13);
    let mut add = |id, position: Vec3, weight, is_set| {
        if let Some(screen) = projector.to_screen(position).filter(|&screen| projector.viewport.contains(screen)) {
            found.push(Handle { id, position, screen, weight, is_set });
        }
    };
    for effector in Effector::ALL {
        let own = settings.effector(effector);
        let position = own.position.unwrap_or(state.node(effector.node()));
        add(HandleId::Effector(effector), position, own.position_weight, own.position.is_some());
    }
    for limb in LimbName::ALL.into_iter().filter(|_| bend_goals) {
        let own = settings.chain(limb);
        let position = own.bend_goal.unwrap_or_else(|| suggested_bend_goal(frame, state, limb, height * WAITING_GOAL));
        add(HandleId::BendGoal(limb), position, own.bend_weight, own.bend_goal.is_some());
    }
    found
}

/// The handle under the pointer. Effectors win over bend goals at the same spot.
pub fn handle_at(handles: &[Handle], pointer: Vec2) -> Option<Handle> {
    nearest(handles.iter().map(|handle| (*handle, handle.screen)), pointer, GRAB_RADIUS)
}

/// A drag of a handle on the plane that faces the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandleDrag {
    pub id: HandleId,
    /// Where the handle was when it was grabbed.
    pub start: Vec3,
    /// From the point under the pointer to the handle, so that it does not jump.
    grab_offset: Vec3,
}

impl HandleDrag {
    pub fn start(handle: &Handle, pointer: Vec2, projector: &Projector) -> Self {
        let under = projector.on_camera_plane(pointer, handle.position);
        Self { id: handle.id, start: handle.position, grab_offset: handle.position - under }
    }

    /// Where the handle is for a pointer.
    pub fn position(&self, pointer: Vec2, projector: &Projector) -> Vec3 {
        projector.on_camera_plane(pointer, self.start) + self.grab_offset
    }
}

/// Puts a handle somewhere. What had no weight gets full weight: a drag that moves nothing would help nobody.
pub fn place(settings: &mut Settings, id: HandleId, position: Vec3) {
    match id {
        HandleId::Effector(effector) => {
            let own = settings.effector_mut(effector);
            own.position = Some(position);
            if own.position_weight == 0.0 {
                own.position_weight = 1.0;
            }
        }
        HandleId::BendGoal(limb) => {
            let own = settings.chain_mut(limb);
            own.bend_goal = Some(position);
            if own.bend_weight == 0.0 {
                own.bend_weight = 1.0;
            }
        }
        // No settings of the full body.
        HandleId::Chain(..) | HandleId::PathPoint(_) | HandleId::Modifier(..) => {}
    }
}

/// Turns an effector's target. Gives it full weight if it had none.
pub fn turn(settings: &mut Settings, effector: Effector, rotation: Quat) {
    let own = settings.effector_mut(effector);
    own.rotation = Some(rotation.normalize());
    if own.rotation_weight == 0.0 {
        own.rotation_weight = 1.0;
    }
}

/// The node a handle belongs to: that of its effector, or elbow or knee; others belong to none.
pub fn node_of(id: HandleId) -> Option<Node> {
    match id {
        HandleId::Effector(effector) => Some(effector.node()),
        HandleId::BendGoal(limb) => Some(Node::of_limb(limb)[1]),
        HandleId::Chain(..) | HandleId::PathPoint(_) | HandleId::Modifier(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::camera::{Camera, Viewport};

    const VIEWPORT: Viewport = Viewport { min: Vec2::ZERO, size: Vec2::new(800.0, 600.0) };

    #[test]
    fn a_drag_does_not_jump_and_follows() {
        let projector = Camera::default().projector(VIEWPORT);
        let mut state = State::default();
        state.set_node(Node::LeftHand, Vec3::new(0.3, 1.1, 0.2));
        let all = handles(&Frame::default(), &state, &Settings::default(), &projector, 1.8, false);
        let hand = all.iter().find(|handle| handle.id == HandleId::Effector(Effector::LeftHand)).unwrap();
        let grabbed = hand.screen + Vec2::new(5.0, -3.0);
        assert_eq!(handle_at(&all, grabbed).unwrap().id, hand.id);
        let drag = HandleDrag::start(hand, grabbed, &projector);
        assert!(drag.position(grabbed, &projector).distance(hand.position) < 1e-5);
        let moved = drag.position(grabbed + Vec2::new(40.0, 10.0), &projector);
        assert!(projector.to_screen(moved).unwrap().distance(hand.screen + Vec2::new(40.0, 10.0)) < 0.1);
    }

    #[test]
    fn placing_gives_weight_only_where_there_was_none() {
        let mut settings = Settings::default();
        settings.effector_mut(Effector::LeftFoot).position_weight = 0.4;
        place(&mut settings, HandleId::Effector(Effector::LeftFoot), Vec3::X);
        place(&mut settings, HandleId::Effector(Effector::LeftHand), Vec3::X);
        place(&mut settings, HandleId::BendGoal(LimbName::LeftArm), Vec3::Y);
        assert_eq!(settings.effector(Effector::LeftFoot).position_weight, 0.4);
        assert_eq!(settings.effector(Effector::LeftHand).position_weight, 1.0);
        assert_eq!(settings.chain(LimbName::LeftArm).bend_goal, Some(Vec3::Y));
        assert_eq!(settings.chain(LimbName::LeftArm).bend_weight, 1.0);
    }
}
