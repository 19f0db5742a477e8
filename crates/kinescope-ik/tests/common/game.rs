//! A simulated game: its characters, and frames as its own solver would record them.

use glam::Vec3;
use kinescope_ik::full_body::{Effector, Nodes, Settings, Stage, Step};
use kinescope_ik::game_recording::{GameCharacter, GameFrame, Header, Writer};
use kinescope_ik::link::{Frame, Sender};
use kinescope_ik::trace::Trace;

use super::built_in::built_in;

pub fn character(name: &str) -> GameCharacter {
    let built_in = built_in();
    let skeleton = kinescope_ik::rig::Skeleton::clone(&built_in.model.skeleton);
    let (biped, reference) = (built_in.biped().clone(), built_in.reference().to_vec());
    GameCharacter { name: name.to_owned(), skeleton, biped, reference }
}

pub fn header() -> Header {
    Header { producer: "a test".to_owned(), characters: vec![character("player"), character("guard")] }
}

/// Returns frame `frame` of the walk clip at 30 frames per second, solved, with the nodes after every stage and the
/// bones after each part of the body was written.
pub fn solved(character: usize, frame: u64, settings: Settings) -> GameFrame {
    let time = frame as f32 / 30.0;
    let rig = header().characters[character].rig(built_in().pose("walk", time));
    GameFrame::of_trace(&Trace::solve("", rig, settings).unwrap(), (character, frame, f64::from(time)))
}

/// Returns the frame with a bug: the left hand is 4 cm too far to the side after stage 2 of the second iteration, and
/// in the result.
pub fn with_bug(mut frame: GameFrame) -> GameFrame {
    const OFF: Vec3 = Vec3::new(0.04, 0.0, 0.0);
    let hand = Effector::LeftHand.node();
    for (step, nodes) in &mut frame.steps {
        if *step == WRONG
            && let Some(place) = nodes.get_mut(&hand)
        {
            *place += OFF;
        }
    }
    let bone = built_in().solver.bone_of(hand);
    if let Some(result) = &mut frame.result {
        result[bone].position += OFF;
    }
    frame
}

/// The step after which [`with_bug`] moves the left hand.
pub const WRONG: Step = Step { iteration: Some(1), stage: Stage::Stage2 };

/// Returns frames of the game's first character, with the bug of [`with_bug`] from frame `bug_from` on.
pub fn played(frames: u64, bug_from: u64) -> Vec<GameFrame> {
    let mut settings = Settings::default();
    let hand = settings.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(Vec3::new(0.4, 1.2, 0.4)), 1.0);
    let frames = (0..frames).map(|number| solved(0, number, settings));
    frames.map(|frame| if frame.frame < bug_from { frame } else { with_bug(frame) }).collect()
}

/// Returns the frames as the text of a recording, with the mark `jump` before the eleventh frame.
pub fn recording(frames: &[GameFrame]) -> String {
    let (mut writer, mut text) = Writer::new(&header());
    for (index, frame) in frames.iter().enumerate() {
        if index == 10 {
            text += &Writer::mark(&kinescope_ik::game_recording::Mark { mark: "jump".to_owned(), time: frame.time });
        }
        text += &writer.frame(frame).unwrap();
    }
    text
}

pub fn send(sender: &mut Sender, frame: &GameFrame) {
    let nodes = |nodes: &std::collections::BTreeMap<_, Vec3>| {
        let mut all = Nodes::default();
        nodes.iter().for_each(|(&node, &place)| all[node] = place);
        all
    };
    let steps: Vec<(Step, Nodes)> = frame.steps.iter().map(|(step, own)| (*step, nodes(own))).collect();
    let frame = Frame {
        frame: Some(frame.frame),
        parameters: frame.parameters,
        steps: &steps,
        result: frame.result.as_deref(),
        ..Frame::new(frame.character, frame.time, &frame.animated)
    };
    // A sender drops a frame rather than wait for the lock of its thread; these tests need every frame.
    while !sender.send(&frame) {
        std::thread::yield_now();
    }
}
