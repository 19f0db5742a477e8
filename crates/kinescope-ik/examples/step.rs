//! Solves a character step by step and prints how far the left hand is from its target after each step.
//!
//! `cargo run -p kinescope-ik --features json --example step`

use kinescope_ik::stack::{Input, LayerId, Rig, Stack, Tools, solve};
use kinescope_ik::stepped::{Cursor, run::Stride};
use kinescope_ik::{Effector, ModelPose, Trace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/reach-with-twist.trace.json");
    let trace = Trace::from_json(&std::fs::read_to_string(path)?)?;
    let rig = Rig::biped("mannequin", trace.rig.skeleton, &trace.rig.biped, trace.rig.reference)?;

    let mut stack = Stack::default();
    let hand = stack.full_body.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(glam::Vec3::new(0.4, 1.2, 0.5)), 1.0);
    let frame = solve(&rig, Tools::default(), &Input::new(stack, ModelPose::rigid(trace.rig.animated)));

    let run = frame.run(LayerId::FullBody).ok_or("the stack has no full body")?;
    let mut at = Cursor::default();
    while at != Cursor::end(run) {
        at = at.next(Stride::Step, run);
        println!("{:<28} {:.4}", run.step(at.step).name, frame.remaining(&rig, LayerId::FullBody, at));
    }
    Ok(())
}
