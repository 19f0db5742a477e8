//! The tape: every frame of the last minutes with its whole trace, in a ring with a memory budget.
//!
//! A frame keeps what went in (settings, animated pose) and every state that came out. Single moves are not kept:
//! [`TapeFrame::replay`] makes them again, with the states bit for bit, in the time of one solve.

use std::collections::VecDeque;
use std::sync::Arc;

use super::measure::Gaps;
use crate::chain_ik::{self, Chain, Goal};
use crate::full_body::recording::{Recording, settled};
use crate::full_body::{Frame, FullBody, InputError, Settings, State, Status, Step, Workspace};
use crate::grounding;
use crate::rig::{ModelPose, RigidTransform};

/// One frame.
#[derive(Clone, Debug)]
pub struct TapeFrame {
    /// Counted from the first frame ever recorded; does not change when old frames are dropped.
    pub number: u64,
    /// Seconds of recording before it.
    pub time: f64,
    /// What was solved, with all that grounding asked for.
    pub settings: Arc<Settings>,
    /// The pose handed to the solve.
    pub animated: Arc<ModelPose>,
    pub frame: Frame,
    /// Every step with the state after it; empty at master weight 0.
    pub steps: Box<[(Step, State)]>,
    /// Of the pose that was written.
    pub gaps: Gaps,
    /// What is left to what is wanted: the worst gap, or where a chain of the lab is looked at, that chain's. Model units.
    pub left: f32,
    /// Chains solved after the full body, in order.
    pub chains: Box<[ChainInput]>,
    /// Seconds that the targets of chains had moved by themselves.
    pub chain_time: f32,
    /// Where the character was: world from model.
    pub root: RigidTransform,
    /// Seconds that the ground had moved.
    pub ground_time: f32,
    /// How feet and pelvis were grounded before the full body.
    pub ground: Option<Box<GroundFrame>>,
    bytes: usize,
}

/// The grounding of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundFrame {
    /// What the full body was asked for by the user, before grounding put its goals in.
    pub asked: Arc<Settings>,
    pub recording: grounding::Recording,
    /// In the order of [`grounding::Side::ALL`].
    pub contacts: [Contact; 2],
}

/// Where a foot touches, or would touch, the ground: heel, ball and tip of its sole; world space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// How much the animation means the foot to stand, 0 to 1.
    pub planted: f32,
    /// The moving platform it is on, by its index, and where that is.
    pub platform: Option<(usize, glam::Vec3)>,
    /// In the animated pose.
    pub animated: [glam::Vec3; 3],
    /// In the solved pose.
    pub solved: [glam::Vec3; 3],
}

/// What a chain was solved from; solving it again gives every step bit for bit.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainInput {
    pub chain: Arc<Chain>,
    pub settings: chain_ik::Settings,
    pub goals: Box<[Goal]>,
    pub start: chain_ik::State,
}

impl ChainInput {
    /// # Errors
    /// As [`chain_ik::solve`].
    pub fn replay(&self) -> Result<chain_ik::Recording, crate::error::Fault> {
        chain_ik::Recording::record(&self.chain, &self.settings, &self.goals, &self.start)
    }

    /// Without the chain itself, which frames share.
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.goals.len() * size_of::<Goal>() + self.start.bytes()
    }
}

impl TapeFrame {
    /// What the user asked of the full body: the settings without what grounding added.
    pub fn asked(&self) -> &Settings {
        self.ground.as_ref().map_or(&self.settings, |ground| &ground.asked)
    }

    /// Index of the last step before the closing pass.
    pub fn settled(&self) -> usize {
        settled(self.steps.iter().map(|(step, _)| *step))
    }

    /// The state before the closing pass.
    pub fn settled_state(&self) -> Option<&State> {
        self.steps.get(self.settled()).map(|(_, state)| state)
    }

    /// The last state.
    pub fn last_state(&self) -> Option<&State> {
        self.steps.last().map(|(_, state)| state)
    }

    /// Solves the frame again, for its moves. `pose` receives the solved pose.
    ///
    /// # Errors
    /// As [`FullBody::solve`]; what was solved before can be solved again.
    pub fn replay(
        &self,
        solver: &FullBody,
        workspace: &mut Workspace,
        recording: &mut Recording,
        pose: &mut Vec<RigidTransform>,
    ) -> Result<Status, InputError> {
        pose.clone_from(&self.animated.bones);
        recording.record(solver, workspace, &self.settings, pose)
    }
}

/// A place on the tape with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// The frame's number.
    pub number: u64,
    pub text: String,
    /// Set by a break condition or the pop finder, not by hand.
    pub is_warning: bool,
}

/// The ring of frames.
#[derive(Clone, Debug)]
pub struct Tape {
    frames: VecDeque<TapeFrame>,
    pub markers: Vec<Marker>,
    budget: usize,
    bytes: usize,
    next: u64,
    time: f64,
}

/// A minute at 60 frames a second of the built-in biped, with room to spare.
pub const DEFAULT_BUDGET: usize = 64 << 20;
/// Less could not hold a second of a large character.
pub const LEAST_BUDGET: usize = 4 << 20;
/// A longer pause between two frames counts as this, seconds: standing still fills no tape.
const LONGEST_PAUSE: f32 = 0.1;

impl Default for Tape {
    fn default() -> Self {
        Self { frames: VecDeque::new(), markers: Vec::new(), budget: DEFAULT_BUDGET, bytes: 0, next: 0, time: 0.0 }
    }
}

impl Tape {
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub fn len(&self) -> usize {
        self.frames.len()
    }

    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &TapeFrame> + ExactSizeIterator {
        self.frames.iter()
    }

    /// Numbers of the oldest and the newest frame.
    pub fn range(&self) -> Option<[u64; 2]> {
        Some([self.frames.front()?.number, self.frames.back()?.number])
    }

    pub fn get(&self, number: u64) -> Option<&TapeFrame> {
        let index = number.checked_sub(self.frames.front()?.number)?;
        self.frames.get(usize::try_from(index).ok()?)
    }

    pub fn last(&self) -> Option<&TapeFrame> {
        self.frames.back()
    }

    /// The newest frame recorded at `time` or before; the oldest if there is none.
    pub fn at_time(&self, time: f64) -> Option<&TapeFrame> {
        let after = self.frames.partition_point(|frame| frame.time <= time);
        self.frames.get(after.saturating_sub(1))
    }

    /// Bytes that the frames take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes that the frames may take.
    pub fn budget(&self) -> usize {
        self.budget
    }

    /// Drops what no longer fits.
    pub fn set_budget(&mut self, bytes: usize) {
        self.budget = bytes.max(LEAST_BUDGET);
        self.drop_oldest();
    }

    /// Forgets everything but the budget; numbers go on.
    pub fn clear(&mut self) {
        *self = Self { budget: self.budget, next: self.next, ..Self::default() };
    }

    /// Records a frame `dt` seconds after the last; with 0 the last frame is recorded anew, with what it is now.
    pub fn record(&mut self, dt: f32, settings: &Settings, animated: &ModelPose, recording: &Recording, gaps: Gaps) {
        let again = dt <= 0.0;
        let time =
            if again || self.frames.is_empty() { self.time } else { self.time + f64::from(dt.min(LONGEST_PAUSE)) };
        if again && let Some(last) = self.frames.pop_back() {
            self.bytes -= last.bytes;
            self.next = last.number;
        }
        let last = self.frames.back();
        let mut bytes = size_of::<TapeFrame>() + recording.solve.steps.len() * size_of::<(Step, State)>();
        // What did not change is shared with the frame before.
        let settings = match last.filter(|last| *last.settings == *settings) {
            Some(last) => last.settings.clone(),
            None => {
                bytes += size_of::<Settings>();
                Arc::new(*settings)
            }
        };
        let animated = match last.filter(|last| *last.animated == *animated) {
            Some(last) => last.animated.clone(),
            None => {
                bytes += size_of::<ModelPose>() + size_of_val(&animated.bones[..]) + size_of_val(&animated.stretch[..]);
                Arc::new(animated.clone())
            }
        };
        let steps: Box<[_]> = recording.solve.steps.iter().map(|recorded| (recorded.step, recorded.state)).collect();
        let frame = TapeFrame {
            number: self.next,
            time,
            settings,
            animated,
            frame: recording.frame,
            steps,
            gaps,
            left: gaps.worst().map_or(0.0, |(_, gap)| gap),
            chains: Box::default(),
            chain_time: 0.0,
            root: RigidTransform::IDENTITY,
            ground_time: 0.0,
            ground: None,
            bytes,
        };
        self.frames.push_back(frame);
        self.next += 1;
        self.time = time;
        self.bytes += bytes;
        self.drop_oldest();
    }

    /// Adds to the newest frame the chains that were solved after it.
    pub fn record_chains(&mut self, mut chains: Vec<ChainInput>, time: f32) {
        let Some(mut last) = self.frames.pop_back() else { return };
        let earlier = self.frames.back();
        let mut bytes = 0;
        for (index, own) in chains.iter_mut().enumerate() {
            bytes += own.bytes();
            // A chain that did not change is shared with the frame before.
            match earlier.and_then(|earlier| earlier.chains.get(index)) {
                Some(before) if before.chain == own.chain => own.chain = before.chain.clone(),
                _ => bytes += own.chain.bytes(),
            }
        }
        last.bytes += bytes;
        self.bytes += bytes;
        (last.chains, last.chain_time) = (chains.into(), time);
        self.frames.push_back(last);
        self.drop_oldest();
    }

    /// Adds to the newest frame where the character was, and when, by the ground's own motion.
    pub fn record_place(&mut self, root: RigidTransform, ground_time: f32) {
        if let Some(last) = self.frames.back_mut() {
            (last.root, last.ground_time) = (root, ground_time);
        }
    }

    /// Adds to the newest frame how it was grounded; `asked` is what the full body was asked for before that.
    pub fn record_ground(&mut self, asked: &Settings, recording: &grounding::Recording, contacts: [Contact; 2]) {
        let Some(mut last) = self.frames.pop_back() else { return };
        let earlier = self.frames.back();
        let mut bytes = size_of::<GroundFrame>() + recording.bytes();
        let shared = earlier.and_then(|earlier| earlier.ground.as_ref()).filter(|ground| *ground.asked == *asked);
        let asked = match shared {
            Some(ground) => ground.asked.clone(),
            None => {
                bytes += size_of::<Settings>();
                Arc::new(*asked)
            }
        };
        last.bytes += bytes;
        self.bytes += bytes;
        last.ground = Some(Box::new(GroundFrame { asked, recording: recording.clone(), contacts }));
        self.frames.push_back(last);
        self.drop_oldest();
    }

    /// Lets this be what the newest frame left: that of a chain, where the full body is not what is looked at.
    pub fn set_left(&mut self, left: f32) {
        if let Some(last) = self.frames.back_mut() {
            last.left = left;
        }
    }

    /// The newest frame stays whatever its size.
    fn drop_oldest(&mut self) {
        while self.bytes > self.budget && self.frames.len() > 1 {
            if let Some(frame) = self.frames.pop_front() {
                self.bytes -= frame.bytes;
            }
        }
        if let Some(first) = self.frames.front().map(|frame| frame.number) {
            self.markers.retain(|marker| marker.number >= first);
        }
    }

    /// Names a frame; a second mark of the same frame and kind replaces the first.
    pub fn mark(&mut self, marker: Marker) {
        self.markers.retain(|other| (other.number, other.is_warning) != (marker.number, marker.is_warning));
        let at = self.markers.partition_point(|other| other.number <= marker.number);
        self.markers.insert(at, marker);
    }

    /// Frames that follow each other without a change of steps: what frame-to-frame comparisons may look at.
    pub fn pairs(&self) -> impl Iterator<Item = [&TapeFrame; 2]> {
        self.frames
            .iter()
            .zip(self.frames.iter().skip(1))
            .map(|(a, b)| [a, b])
            .filter(|[a, b]| a.steps.len() == b.steps.len() && !a.steps.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(steps: usize) -> Recording {
        Recording::of_states(Frame::default(), vec![(Step::READ, State::default()); steps])
    }

    #[test]
    fn the_budget_drops_the_oldest_and_their_markers() {
        let mut tape = Tape::default();
        tape.set_budget(0);
        assert_eq!(tape.budget(), LEAST_BUDGET);
        let pose = ModelPose::default();
        for index in 0..2000 {
            let settings = Settings { pin: index as f32 / 2000.0, ..Settings::default() };
            tape.record(1.0 / 60.0, &settings, &pose, &recording(35), Gaps::default());
            if index == 0 {
                tape.mark(Marker { number: 0, text: "start".into(), is_warning: false });
            }
            assert!(tape.bytes() <= LEAST_BUDGET);
        }
        let [first, last] = tape.range().unwrap();
        assert_eq!(last, 1999);
        assert!(first > 0 && tape.len() as u64 == last - first + 1);
        assert!(tape.markers.is_empty());
        assert!(tape.get(first - 1).is_none());
        assert_eq!(tape.get(first + 3).unwrap().number, first + 3);
        let total: usize = tape.frames().map(|frame| frame.bytes).sum();
        assert_eq!(total, tape.bytes());
    }

    #[test]
    fn no_time_records_the_same_frame_anew() {
        let mut tape = Tape::default();
        let pose = ModelPose::default();
        tape.record(0.0, &Settings::default(), &pose, &recording(1), Gaps::default());
        tape.record(0.01, &Settings::default(), &pose, &recording(1), Gaps::default());
        tape.record(0.0, &Settings::default(), &pose, &recording(2), Gaps::default());
        assert_eq!(tape.len(), 2);
        assert_eq!(tape.last().unwrap().steps.len(), 2);
        assert_eq!(tape.last().unwrap().number, 1);
        // An hour of standing still is no hour of tape.
        tape.record(3600.0, &Settings::default(), &pose, &recording(1), Gaps::default());
        assert!(tape.last().unwrap().time < 1.0);
        assert_eq!(tape.at_time(0.005).unwrap().number, 0);
        assert_eq!(tape.at_time(-1.0).unwrap().number, 0);
        assert_eq!(tape.at_time(9.0).unwrap().number, 2);
        // Settings and pose that did not change are kept once.
        assert!(Arc::ptr_eq(&tape.get(0).unwrap().settings, &tape.get(2).unwrap().settings));
    }
}
