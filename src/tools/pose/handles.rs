//! Handles: the points that the user drags.

use glam::{Quat, Vec2, Vec3};
use kinescope_ik::stack::LayerId;

use crate::picture::camera::Projector;
use crate::picture::picking::{GRAB_RADIUS, nearest};
use crate::tools::chains::ChainHandle;
use crate::tools::pose::words as text;
use crate::world::bend_goal_key;
use kinescope_ik::full_body::draw::suggested_bend_goal;
use kinescope_ik::full_body::{Effector, Frame, Node, Settings, State};
use kinescope_ik::key::label;
use kinescope_ik::rig::LimbName;

/// Largest distance of a handle from the character along each axis, in character heights. The solver accepts any position,
/// but one such as 1e6 is a typing error, and the user could not drag the handle back.
const FARTHEST: f32 = 100.0;

/// The cube in which handles may be placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// Position of the character.
    pub center: Vec3,
    /// Half the side length, model units.
    pub half: f32,
}

impl Room {
    pub fn of(center: Vec3, height: f32) -> Self {
        Self { center, half: FARTHEST * height }
    }

    pub fn clamp(&self, point: Vec3) -> Vec3 {
        point.clamp(self.center - self.half, self.center + self.half)
    }

    fn contains(&self, point: Vec3) -> bool {
        (point - self.center).abs().cmple(Vec3::splat(self.half)).all()
    }

    /// Returns an error message if an edit moves a position out of the cube, else `None`. A position that was outside
    /// before, for example from a file, may stay or move into the cube.
    pub(crate) fn refuses(&self, what: &str, before: Option<Vec3>, after: Option<Vec3>) -> Option<String> {
        let after = after.filter(|&after| before != Some(after) && !self.contains(after))?;
        let (low, high) = (self.center - self.half, self.center + self.half);
        let axis = (0..3).find(|&axis| !(low[axis]..=high[axis]).contains(&after[axis])).unwrap_or(0);
        let name = ["x", "y", "z"][axis];
        Some(text::number_out_of_range(&what, &name, &after[axis], &low[axis], &high[axis]))
    }

    pub fn refuses_settings(&self, before: &Settings, after: &Settings) -> Option<String> {
        // Offsets are relative to positions, so their range does not depend on the character's place.
        let offsets = Self { center: Vec3::ZERO, ..*self };
        let effectors = Effector::ALL.into_iter().find_map(|effector| {
            let (before, after) = (before.effector(effector), after.effector(effector));
            let what = label(effector.key());
            self.refuses(&what, before.position, after.position).or_else(|| {
                let [before, after] = [before.position_offset, after.position_offset].map(Some);
                offsets.refuses(&text::offset_of(&what), before, after)
            })
        });
        effectors.or_else(|| {
            LimbName::ALL.into_iter().find_map(|limb| {
                let goals = [before, after].map(|settings| settings.chain(limb).bend_goal);
                self.refuses(&text::bend_goal_of(&limb.label()), goals[0], goals[1])
            })
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandleId {
    Effector(Effector),
    BendGoal(LimbName),
    Chain(LayerId, ChainHandle),
    PathPoint(usize),
    Modifier(usize, Grip),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grip {
    /// The target of look-at, reach-for and head modifiers, or the keyed position at the clip's time.
    Target,
    /// The position of reach-for's target when the effector lets go.
    To,
}

impl HandleId {
    pub fn name(self) -> String {
        match self {
            Self::Effector(effector) => label(effector.key()),
            Self::BendGoal(limb) => text::bend_goal_of(&limb.label()),
            Self::Chain(chain, handle) => handle.name(chain),
            Self::Modifier(index, Grip::Target) => text::target_of_modifier(&(index + 1)),
            Self::Modifier(index, Grip::To) => text::release_point_of_modifier(&(index + 1)),
            Self::PathPoint(index) => text::point_of_path(&(index + 1)),
        }
    }

    /// Returns the handle's key: `left_hand`, `left_arm_bend_goal`.
    pub fn key(self) -> String {
        match self {
            Self::Effector(effector) => effector.key().to_owned(),
            Self::BendGoal(limb) => bend_goal_key(limb),
            Self::Chain(chain, handle) => handle.key(chain),
            Self::PathPoint(index) => format!("path_{index}"),
            Self::Modifier(index, Grip::Target) => format!("modifier_{index}"),
            Self::Modifier(index, Grip::To) => format!("modifier_{index}_to"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    pub id: HandleId,
    /// Position in model space.
    pub position: Vec3,
    /// Position in logical pixels.
    pub screen: Vec2,
    /// Position weight or bend weight. 1 for handles of neither an effector nor a bend goal.
    pub weight: f32,
    /// Whether a target is set. Otherwise the handle marks the position of its node or a suggested bend goal.
    pub(crate) is_set: bool,
}

/// Distance of an unset bend goal from its elbow or knee, in character heights.
const WAITING_GOAL: f32 = 0.14;

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

/// Returns the handle nearest to the pointer within [`GRAB_RADIUS`], if any. At the same place an effector has priority
/// over a bend goal.
pub fn handle_at(handles: &[Handle], pointer: Vec2) -> Option<Handle> {
    nearest(handles.iter().map(|handle| (*handle, handle.screen)), pointer, GRAB_RADIUS)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandleDrag {
    pub id: HandleId,
    pub start: Vec3,
    /// Offset from the grabbed point to the handle, so that grabbing does not move the handle.
    grab_offset: Vec3,
}

impl HandleDrag {
    pub fn start(handle: &Handle, pointer: Vec2, projector: &Projector) -> Self {
        let under = projector.on_camera_plane(pointer, handle.position);
        Self { id: handle.id, start: handle.position, grab_offset: handle.position - under }
    }

    pub fn position(&self, pointer: Vec2, projector: &Projector) -> Vec3 {
        projector.on_camera_plane(pointer, self.start) + self.grab_offset
    }
}

/// Moves a handle. A zero weight becomes 1, because dragging would otherwise have no visible effect.
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
        // These handles belong to no effector or limb of the full-body settings.
        HandleId::Chain(..) | HandleId::PathPoint(_) | HandleId::Modifier(..) => {}
    }
}

/// A zero rotation weight becomes 1, because turning would otherwise have no visible effect.
pub(crate) fn turn(settings: &mut Settings, effector: Effector, rotation: Quat) {
    let own = settings.effector_mut(effector);
    own.rotation = Some(rotation.normalize());
    if own.rotation_weight == 0.0 {
        own.rotation_weight = 1.0;
    }
}

pub(crate) fn node_of(id: HandleId) -> Option<Node> {
    match id {
        HandleId::Effector(effector) => Some(effector.node()),
        HandleId::BendGoal(limb) => Some(Node::of_limb(limb)[1]),
        HandleId::Chain(..) | HandleId::PathPoint(_) | HandleId::Modifier(..) => None,
    }
}
