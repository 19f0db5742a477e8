//! Sends every character's frames to a listening window.

use std::collections::BTreeMap;

use bevy_ecs::name::Name;
use bevy_ecs::prelude::*;
use bevy_time::Time;
use bevy_transform::components::Transform;
use kinescope_ik::game_recording::{GameCharacter, Header};
use kinescope_ik::link::{Frame, Sender};
use kinescope_ik::{Effector, EffectorSettings, LimbName, ModelPose, RigidTransform, Settings};

use crate::rig::local;
use crate::{Ik, Rig};

/// The link to a window that was started with `kinescope --listen`.
#[derive(Debug, Resource)]
pub struct Link {
    /// Whether settings that the window changes while it tunes the game are written to the characters' [`Ik`]. True by
    /// default.
    pub is_tuned: bool,
    address: String,
    sender: Option<Sender>,
    /// The number of each sent character, by its root entity.
    characters: BTreeMap<Entity, usize>,
    frame: u64,
    /// A pose that the game changed after the solve.
    changed: Vec<RigidTransform>,
    /// Why no sender could be created, or why a character is not sent.
    problem: Option<String>,
}

impl Link {
    pub(crate) fn new(address: &str) -> Self {
        let (address, characters) = (address.to_owned(), BTreeMap::new());
        Self { is_tuned: true, address, sender: None, characters, frame: 0, changed: Vec::new(), problem: None }
    }

    /// Returns whether a window is connected.
    pub fn is_connected(&self) -> bool {
        self.sender.as_ref().is_some_and(Sender::is_connected)
    }

    /// Returns how many frames were sent and how many were dropped.
    pub fn counts(&self) -> [u64; 2] {
        self.sender.as_ref().map_or([0; 2], |sender| [sender.sent(), sender.dropped()])
    }

    /// Returns why nothing is sent, such as an invalid address, or why a character was last refused; `None` if neither
    /// happened.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Marks a moment on the window's timeline with a text; `time` is in seconds of [`Time`].
    pub fn mark(&self, mark: &str, time: f64) {
        if let Some(sender) = &self.sender {
            sender.mark(mark, time);
        }
    }
}

pub(crate) fn send(
    mut link: ResMut<Link>,
    mut rigs: Query<(Entity, &Rig, Option<&Name>, Option<&mut Ik>)>,
    bones: Query<&Transform>,
    time: Option<Res<Time>>,
) {
    let link = &mut *link;
    if link.sender.is_none() && link.problem.is_none() && !rigs.is_empty() {
        // Characters join later on, so the header has none.
        let header = Header { producer: "a game in Bevy".to_owned(), characters: Vec::new() };
        match Sender::new(&link.address, &header) {
            Ok(sender) => link.sender = Some(sender),
            Err(error) => {
                let problem = format!("{}: {error}", link.address);
                tracing::warn!("Kinescope sends nothing to {problem}");
                link.problem = Some(problem);
            }
        }
    }
    let Some(sender) = &mut link.sender else { return };
    link.characters.retain(|&entity, &mut number| rigs.contains(entity) || !sender.leave(number));
    for (entity, rig, name, _) in &rigs {
        if link.characters.contains_key(&entity) {
            continue;
        }
        let name = name.map_or_else(|| format!("character {entity}"), |name| name.as_str().to_owned());
        // Another character may have the same name.
        let names = [name.clone(), format!("{name} {entity}")];
        let joined = names.map(|name| GameCharacter { name, ..rig.character.clone() });
        match sender.join(&joined[0]).or_else(|_| sender.join(&joined[1])) {
            Ok(number) => drop(link.characters.insert(entity, number)),
            // The character tries to join again in each frame. Only a new problem is logged.
            Err(fault) => {
                let problem = fault.to_string();
                if link.problem.as_ref() != Some(&problem) {
                    tracing::warn!("Kinescope does not send entity {entity}: {problem}");
                    link.problem = Some(problem);
                }
            }
        }
    }
    let seconds = time.map_or(link.frame as f64 / 60.0, |time| time.elapsed_secs_f64());
    for (entity, rig, ..) in &rigs {
        let Some(&character) = link.characters.get(&entity) else { continue };
        let [animated, solved] = rig.solver_poses();
        if rig.done.is_some() {
            let is_changed = rig.read_changed(&bones, &mut link.changed);
            sender.send(&Frame {
                frame: Some(link.frame),
                parameters: rig.used,
                result: Some(if is_changed { &link.changed } else { solved }),
                ..Frame::new(character, seconds, animated)
            });
        }
    }
    link.frame += 1;
    while let Some((character, settings)) = sender.tuned() {
        let entity = link.characters.iter().find(|(_, number)| **number == character).map(|(entity, _)| *entity);
        if link.is_tuned
            && let Some(entity) = entity
            && let Ok((_, rig, _, Some(mut ik))) = rigs.get_mut(entity)
        {
            ik.0 = without_targets(settings, rig, &ik.0);
        }
    }
}

impl Rig {
    /// Writes the solver's result to `pose`, with the changes that systems of the game made to bones after the solve.
    /// Returns false, and writes nothing, if they made none.
    fn read_changed(&self, bones: &Query<&Transform>, pose: &mut Vec<RigidTransform>) -> bool {
        let is_changed = |(&entity, memory): (&Entity, &Option<[Transform; 2]>)| {
            memory.is_some_and(|[written, _]| bones.get(entity).is_ok_and(|own| *own != written))
        };
        let mut changed: Vec<bool> = self.entities.iter().zip(&self.memory).map(is_changed).collect();
        if !changed.contains(&true) {
            return false;
        }
        let mut posed = self.local.clone();
        for (to, &entity) in posed.bones.iter_mut().zip(&self.entities) {
            if let Ok(own) = bones.get(entity) {
                *to = local(own);
            }
        }
        let posed = ModelPose::from_local(&self.character.skeleton, &posed).bones;
        pose.clear();
        pose.extend_from_slice(self.solver_poses()[1]);
        for bone in 0..pose.len() {
            // Descendants follow a bone that was changed. All other bones keep the solver's numbers.
            changed[bone] |= self.character.skeleton.parent(bone).is_some_and(|parent| changed[parent]);
            if changed[bone] {
                pose[bone] = posed[bone].transform(&self.solved.bones[bone].to_local(&pose[bone]));
            }
        }
        true
    }
}

/// Returns the tuned settings without offsets. Values of `own` replace the targets that entities, modifiers or
/// grounding set, the bend goals that entities set, and the reach of limbs whose reach modifiers or grounding changed.
fn without_targets(tuned: Settings, rig: &Rig, own: &Settings) -> Settings {
    let mut tuned = tuned;
    tuned.clear_offsets();
    for effector in Effector::ALL {
        let (set, asked) = (rig.used.effector(effector), rig.settings.effector(effector));
        let targets = |of: &EffectorSettings| (of.position, of.position_weight, of.rotation, of.rotation_weight);
        if rig.driven.0[effector as usize] || targets(set) != targets(asked) {
            let (to, own) = (tuned.effector_mut(effector), own.effector(effector));
            (to.position, to.position_weight) = (own.position, own.position_weight);
            (to.rotation, to.rotation_weight) = (own.rotation, own.rotation_weight);
        }
    }
    for limb in LimbName::ALL {
        let (set, asked) = (rig.used.chain(limb), rig.settings.chain(limb));
        let (to, own) = (tuned.chain_mut(limb), own.chain(limb));
        if rig.driven.1[limb.index()] {
            (to.bend_goal, to.bend_weight) = (own.bend_goal, own.bend_weight);
        }
        // Grounding sets the reach of legs to 0.
        if set.reach != asked.reach {
            to.reach = own.reach;
        }
    }
    tuned
}
