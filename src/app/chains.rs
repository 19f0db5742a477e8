//! Chains in the window: those of the character, solved one after the other on top of the full body, and the lab, where
//! one chain is solved by several solvers side by side.

use std::f32::consts::TAU;
use std::sync::Arc;
use std::time::Instant;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::character::Character;
use crate::chain_ik::draw::LimitPart;
use crate::chain_ik::file::ChainFile;
use crate::chain_ik::settings::BONE_WEIGHT;
use crate::chain_ik::{self, Chain, Goal, Limit, Problem, Recording, Settings, Solver, State, Workspace};
use crate::debugger::tape::ChainInput;
use crate::error::{self, BadValue, Fault};
use crate::rig::{BoneIndex, RigidTransform};

/// Section `chain_ik` of a preset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChainSection {
    /// Chains of the character in the order in which they are solved, after the full body.
    pub chains: Vec<ChainSolve>,
    /// The lab; null is closed.
    pub lab: Option<LabSection>,
}

/// A chain of the character.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChainSolve {
    /// What the user calls it.
    pub name: String,
    pub off: bool,
    /// Names of the bones from the first to the end.
    pub bones: Vec<String>,
    /// Model space; null is where the end is, that is, nothing to do.
    pub target: Option<Vec3>,
    pub settings: Settings,
    /// One per bone; what is missing is free.
    pub limits: Vec<Limit>,
    /// How much of its turn CCD gives each bone, 0 to 1; what is missing is 1.
    pub weights: Vec<f32>,
}

/// What is solved in the lab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LabChain {
    /// A free chain of so many bones.
    Free(u32),
    /// A free trunk with three branches.
    Branches,
    /// Bones of the character, from the first to the end.
    Bones(Vec<String>),
    /// A free chain of its own shape, as a chain file has it.
    Joints(FreeChain),
}

/// A free chain by its joints, at rest; model space. Bone `b` goes from joint `from[b]` to `ends[b]`, which is joint
/// `b + 1`; joint 0 is `root`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FreeChain {
    pub root: Vec3,
    pub ends: Vec<Vec3>,
    pub from: Vec<usize>,
}

impl ChainSolve {
    fn check(&self) -> Result<(), Fault> {
        self.settings.validate().map_err(|fault| fault.within("settings"))?;
        self.target.map_or(Ok(()), BadValue::check_place).map_err(|bad| bad.at("target"))?;
        check_bones(&self.limits, &self.weights)
    }
}

/// What there is for each bone of a chain.
fn check_bones(limits: &[Limit], weights: &[f32]) -> Result<(), Fault> {
    for (bone, limit) in limits.iter().enumerate() {
        limit.validate().map_err(|fault| fault.within(format!("limits[{bone}]")))?;
    }
    for (bone, &weight) in weights.iter().enumerate() {
        BONE_WEIGHT.check(weight).map_err(|bad| bad.at(format!("weights[{bone}]")))?;
    }
    Ok(())
}

impl LabSection {
    fn check(&self) -> Result<(), Fault> {
        if !(1..=MOST_LANES).contains(&self.lanes.len()) {
            let message = format!("has {} lanes; the lab takes 1 to {MOST_LANES}", self.lanes.len());
            return Err(Fault::new("lanes", message));
        }
        let chain = match &self.chain {
            LabChain::Free(bones) if !LAB_BONES.contains(bones) => {
                let (least, most) = (LAB_BONES.start(), LAB_BONES.end());
                Err(Fault::new("free", format!("is {bones}; the lab takes {least} to {most} bones")))
            }
            LabChain::Bones(bones) if bones.is_empty() => {
                Err(Fault::new("bones", error::Problem::Empty("name the bones from the first to the end")))
            }
            LabChain::Joints(FreeChain { ends, from, .. })
                if ends.len() > MOST_LAB_BONES || ends.len() != from.len() =>
            {
                let (ends, from) = (ends.len(), from.len());
                let cure = format!("the lab takes as many, up to {MOST_LAB_BONES}");
                Err(Fault::new("joints", format!("has {ends} ends and {from} starts; {cure}")))
            }
            _ => Ok(()),
        };
        chain.map_err(|fault| fault.within("chain"))?;
        if self.targets.is_empty() {
            return Err(Fault::new("targets", error::Problem::Empty("there is a place at least")));
        }
        for (index, &target) in self.targets.iter().enumerate() {
            BadValue::check_place(target).map_err(|bad| bad.at(format!("targets[{index}]")))?;
        }
        for (index, lane) in self.lanes.iter().enumerate() {
            lane.validate().map_err(|fault| fault.within(format!("lanes[{index}]")))?;
        }
        check_bones(&self.limits, &self.weights)
    }

    /// The lab with one lane that solves a chain file as the file says.
    ///
    /// # Errors
    /// What the lab cannot show of it.
    pub fn of_file(file: &ChainFile) -> Result<Self, Fault> {
        let ChainFile { chain, settings, goals } = file;
        let count = chain.bones().len();
        if count > MOST_LAB_BONES {
            let message = format!("has {count} bones; the lab takes {MOST_LAB_BONES}: solve it by `kinescope chain`");
            return Err(Fault::new("bones", message));
        }
        let ends: Vec<usize> = chain.ends().collect();
        let targets: Option<Vec<Vec3>> = ends
            .iter()
            .take(goals.len())
            .map(|&end| goals.iter().find(|goal| goal.joint == end && goal.pull == 1.0).map(|goal| goal.position))
            .collect();
        let targets =
            targets.filter(|targets| !targets.is_empty() && targets.len() == goals.len()).ok_or_else(|| {
                let message = "are not those of its ends, each with a pull of 1; the lab takes no others: solve it by \
                           `kinescope chain`";
                Fault::new("targets", message)
            })?;
        let (root, ends) = chain.rest().positions.split_first().ok_or_else(|| Fault::new("bones", "has no joints"))?;
        let bones = chain.bones();
        Ok(Self {
            chain: LabChain::Joints(FreeChain {
                root: *root,
                ends: ends.to_vec(),
                from: bones.iter().map(|bone| bone.from).collect(),
            }),
            targets,
            lanes: vec![*settings],
            limits: bones.iter().map(|bone| bone.limit).collect(),
            weights: bones.iter().map(|bone| bone.weight).collect(),
            from_rest: true,
            ..Self::default()
        })
    }
}

/// How the lab's target moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Motion {
    #[default]
    Still,
    Circle,
    FigureEight,
    Random,
}

impl Motion {
    pub const ALL: [Self; 4] = [Self::Still, Self::Circle, Self::FigureEight, Self::Random];

    pub const fn label(self) -> &'static str {
        ["still", "circle", "figure eight", "random"][self as usize]
    }

    /// Where the target is beside its own place, after so many seconds; `size` is the path's radius. 0 at the start.
    pub fn offset(self, seconds: f32, size: f32) -> Vec3 {
        let turn = seconds / 3.0 * TAU;
        let (sin, cos) = turn.sin_cos();
        size * match self {
            Self::Still => Vec3::ZERO,
            Self::Circle => Vec3::new(sin, 1.0 - cos, 0.0),
            Self::FigureEight => Vec3::new(sin, (2.0 * turn).sin() * 0.5, 0.5 * sin),
            // Periods without a common measure: it does not come again in an afternoon.
            Self::Random => {
                let wave = |a: f32, b: f32| (turn * a).sin() * 0.6 + (turn * b).sin() * 0.4;
                Vec3::new(wave(0.73, 1.91), wave(1.13, 0.57), wave(0.41, 1.37))
            }
        }
    }
}

/// The lab: one chain, one target (one for each end of a chain with branches), several solvers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LabSection {
    pub chain: LabChain,
    /// Model space.
    pub targets: Vec<Vec3>,
    pub motion: Motion,
    /// Each is a solver at work on a chain of its own.
    pub lanes: Vec<Settings>,
    /// One per bone, for all lanes; what is missing is free.
    pub limits: Vec<Limit>,
    /// How much of its turn CCD gives each bone, 0 to 1; what is missing is 1.
    pub weights: Vec<f32>,
    /// Every solve starts from where the chain rests; otherwise from where the last one left it, as in a game.
    pub from_rest: bool,
    /// Drawn over each other instead of side by side.
    pub over: bool,
}

/// More chains than this no character has; every one is recorded in every frame.
pub const MOST_CHAINS: usize = 256;
/// Bones of the lab's free chain.
pub const LAB_BONES: std::ops::RangeInclusive<u32> = 2..=50;
/// Bones of a chain that was opened from a file.
const MOST_LAB_BONES: usize = 256;
/// More lanes than this cannot be told apart.
pub const MOST_LANES: usize = 6;
/// Length of the lab's free chains; metres.
const LAB_LENGTH: f32 = 1.5;
/// Where they begin.
const LAB_ROOT: Vec3 = Vec3::new(0.0, 0.1, 0.0);

impl Default for LabSection {
    fn default() -> Self {
        let lane =
            |solver| Settings { solver, tolerance: LAB_LENGTH * 1e-3, max_iterations: 30, ..Settings::default() };
        Self {
            chain: LabChain::Free(10),
            targets: vec![Vec3::new(0.45, 0.75, 0.2)],
            motion: Motion::Still,
            lanes: vec![lane(Solver::Ccd), lane(Solver::Fabrik)],
            limits: Vec::new(),
            weights: Vec::new(),
            from_rest: true,
            over: false,
        }
    }
}

impl ChainSection {
    /// Every place in it that is a handle in the picture, with its path as in a preset.
    pub fn places(&self) -> Vec<(String, Vec3)> {
        let mut places = Vec::new();
        for (index, chain) in self.chains.iter().enumerate() {
            places.extend(chain.target.map(|at| (format!("chain_ik.chains[{index}].target"), at)));
            places.extend(chain.settings.bend_goal.map(|at| (format!("chain_ik.chains[{index}].bend_goal"), at)));
        }
        if let Some(lab) = &self.lab {
            let targets = lab.targets.iter().enumerate();
            places.extend(targets.map(|(index, &at)| (format!("chain_ik.lab.targets[{index}]"), at)));
            let goals = lab.lanes.iter().enumerate().filter_map(|(index, lane)| Some((index, lane.bend_goal?)));
            places.extend(goals.map(|(index, at)| (format!("chain_ik.lab.lanes[{index}].bend_goal"), at)));
        }
        places
    }

    /// # Errors
    /// [`Fault`] that names the field.
    pub fn validate(&self) -> Result<(), Fault> {
        self.check().map_err(|fault| fault.within("chain_ik"))
    }

    fn check(&self) -> Result<(), Fault> {
        let found = self.chains.len();
        if found > MOST_CHAINS {
            return Err(Fault::new("chains", error::Problem::TooMany { what: "chains", found, most: MOST_CHAINS }));
        }
        for (index, chain) in self.chains.iter().enumerate() {
            chain.check().map_err(|fault| fault.within(format!("chains[{index}]")))?;
        }
        self.lab.as_ref().map_or(Ok(()), |lab| lab.check().map_err(|fault| fault.within("lab")))
    }
}

/// A chain of the window: by its place in the order, or by its lane in the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainRef {
    Layer(usize),
    Lane(usize),
}

/// A handle of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainHandle {
    /// Which of the targets.
    Target(usize),
    BendGoal,
    Limit {
        bone: usize,
        part: LimitPart,
    },
}

impl ChainHandle {
    /// As in logs: `lane_0_target`, `chain_0_limit_2_max`.
    pub fn key(self, chain: ChainRef) -> String {
        let chain = match chain {
            ChainRef::Layer(index) => format!("chain_{index}"),
            ChainRef::Lane(index) => format!("lane_{index}"),
        };
        match self {
            Self::Target(0) => format!("{chain}_target"),
            Self::Target(index) => format!("{chain}_target_{index}"),
            Self::BendGoal => format!("{chain}_bend_goal"),
            Self::Limit { bone, part } => {
                let part = match part {
                    LimitPart::Min => "min",
                    LimitPart::Max => "max",
                    LimitPart::Swing => "swing",
                    LimitPart::TwistMin => "twist_min",
                    LimitPart::TwistMax => "twist_max",
                };
                format!("{chain}_limit_{bone}_{part}")
            }
        }
    }
}

/// Where a target is for a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    TooNear,
    MidRange,
    NearlyStraight,
    OutOfReach,
}

impl Zone {
    /// From this share of its length on a chain is nearly straight.
    pub const NEARLY: f32 = 0.95;

    pub fn of(chain: &Chain, target: Vec3, root: Vec3) -> Self {
        let distance = target.distance(root);
        match distance / chain.length() {
            share if share > 1.0 => Self::OutOfReach,
            _ if distance < chain.least_reach() => Self::TooNear,
            share if share >= Self::NEARLY => Self::NearlyStraight,
            _ => Self::MidRange,
        }
    }

    pub const fn label(self) -> &'static str {
        ["too near", "mid-range", "nearly straight", "out of reach"][self as usize]
    }
}

/// How smoothly a lane's joints went, over the frames since its target last jumped.
#[derive(Clone, Debug, Default)]
pub struct Smoothness {
    /// The last two frames.
    before: [Vec<Vec3>; 2],
    target: Option<Vec3>,
    squared: f64,
    /// The farthest that a joint went in a frame over how far the target went.
    pub largest_jump: f32,
    pub frames: u32,
}

impl Smoothness {
    fn add(&mut self, positions: &[Vec3], target: Vec3) {
        let moved = self.target.replace(target).map_or(0.0, |before| before.distance(target));
        if moved <= 0.0 {
            return;
        }
        let [last, older] = &self.before;
        if older.len() == positions.len() && last.len() == positions.len() {
            let jerk = |joint: usize| positions[joint] - 2.0 * last[joint] + older[joint];
            let sum: f32 = (0..positions.len()).map(|joint| jerk(joint).length_squared()).sum();
            self.squared += f64::from(sum / positions.len() as f32);
            self.frames += 1;
            let step = positions.iter().zip(last).map(|(now, before)| now.distance(*before)).fold(0.0, f32::max);
            self.largest_jump = self.largest_jump.max(step / moved);
        }
        self.before.swap(0, 1);
        self.before[0].clear();
        self.before[0].extend_from_slice(positions);
    }

    /// Root mean square of what a joint's step differs from the one before it: how much it shakes; model units.
    pub fn shaking(&self) -> f32 {
        if self.frames == 0 { 0.0 } else { (self.squared / f64::from(self.frames)).sqrt() as f32 }
    }
}

/// A chain as the window has it: what it is solved from, and its solve.
#[derive(Clone, Debug, Default)]
pub struct Solve {
    /// What it is solved from; why it cannot be.
    pub input: Option<Result<ChainInput, String>>,
    pub recording: Option<Recording>,
    /// Of the character: its bones from the first to the end.
    pub bones: Vec<BoneIndex>,
    pub micros: f32,
    pub smoothness: Smoothness,
}

impl Solve {
    /// Why there is no solve.
    pub fn problem(&self) -> Option<&str> {
        match &self.input {
            Some(Err(problem)) => Some(problem),
            _ => None,
        }
    }

    /// Writes the chain, where `state` has it, to a pose of its character.
    pub fn write(&self, state: &State, character: &Character, pose: &mut [RigidTransform]) {
        let before = pose.to_vec();
        chain_ik::character::write(state, &character.model.skeleton, &self.bones, &before, pose);
    }

    /// Solves from its input.
    fn run(&mut self, workspace: &mut Workspace, measures_time: bool) {
        self.recording = None;
        let Some(Ok(input)) = &self.input else { return };
        self.micros = 0.0;
        if measures_time {
            // Recording keeps every state; what a game would pay is the solve alone.
            let problem = Problem { chain: &input.chain, settings: &input.settings, goals: &input.goals };
            let mut state = input.start.clone();
            let start = Instant::now();
            let _ = chain_ik::solve(&problem, &mut state, workspace);
            self.micros = start.elapsed().as_secs_f32() * 1e6;
        }
        match input.replay() {
            Ok(recording) => self.recording = Some(recording),
            Err(error) => self.input = Some(Err(error.to_string())),
        }
    }
}

/// All chains of the window.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    /// As many as the document has chains.
    pub layers: Vec<Solve>,
    /// As many as the lab has lanes.
    pub lanes: Vec<Solve>,
    /// The lane whose steps are shown.
    pub lane: usize,
    /// The bone whose limit is shown and edited.
    pub bone: usize,
    /// Seconds that the lab's target has moved.
    pub time: f32,
    /// The next solve of the lanes begins where the last one did.
    pub again: bool,
    workspace: Workspace,
    /// What the lab's lanes were built from.
    built: Option<(LabChain, u64)>,
}

impl Chains {
    pub fn get(&self, chain: ChainRef) -> Option<&Solve> {
        match chain {
            ChainRef::Layer(index) => self.layers.get(index),
            ChainRef::Lane(index) => self.lanes.get(index),
        }
    }

    /// What the frame's chains were solved from, layers first.
    pub fn inputs(&self) -> Vec<ChainInput> {
        let all = self.layers.iter().chain(&self.lanes);
        let solved = all.filter(|solve| solve.recording.is_some());
        solved.filter_map(|solve| solve.input.clone().and_then(Result::ok)).collect()
    }

    /// Solves the character's chains one after the other on a pose; `pose` becomes the result.
    pub fn solve_layers(
        &mut self,
        section: &ChainSection,
        character: &Character,
        pose: &mut [RigidTransform],
        measures_time: bool,
    ) {
        self.layers.resize_with(section.chains.len(), Solve::default);
        for (solve, settings) in self.layers.iter_mut().zip(&section.chains) {
            let made = layer(settings, character, pose);
            (solve.input, solve.bones) = match made {
                Ok((input, bones)) => (Some(Ok(input)), bones),
                Err(fault) => (Some(Err(fault.to_string())), Vec::new()),
            };
            if settings.off {
                solve.recording = None;
                continue;
            }
            solve.run(&mut self.workspace, measures_time);
            if let Some(recording) = &solve.recording {
                solve.write(recording.solve.end(), character, pose);
            }
        }
    }

    /// Solves the lab's lanes. Each goes on from where it was; `starts` are where they were, of a frame gone by.
    pub fn solve_lanes(
        &mut self,
        section: &ChainSection,
        character: &Character,
        character_number: u64,
        starts: Option<&[ChainInput]>,
        measures_time: bool,
    ) {
        let Some(lab) = &section.lab else {
            self.lanes.clear();
            self.built = None;
            return;
        };
        let key = (lab.chain.clone(), character_number);
        if self.built.as_ref() != Some(&key) || self.lanes.len() != lab.lanes.len() {
            self.lanes.clear();
            self.built = Some(key);
        }
        self.lanes.resize_with(lab.lanes.len(), Solve::default);
        self.lane = self.lane.min(lab.lanes.len() - 1);
        let made = lab_chain(lab, character).map_err(|fault| fault.to_string());
        let again = std::mem::take(&mut self.again);
        let starts = starts.filter(|starts| starts.len() == lab.lanes.len());
        for (index, (solve, settings)) in self.lanes.iter_mut().zip(&lab.lanes).enumerate() {
            solve.input = Some(made.clone().map(|chain| {
                let start = match starts {
                    Some(starts) => starts[index].start.clone(),
                    None if lab.from_rest => chain.rest().clone(),
                    // Other settings are tried on the same problem: from where the last solve began.
                    None if again => solve.recording.as_ref().map(|last| last.solve.start.clone()).unwrap_or_default(),
                    None => solve.recording.as_ref().map(|last| last.solve.end().clone()).unwrap_or_default(),
                };
                let start = if chain.fits(&start) { start } else { chain.rest().clone() };
                let goals = goals(lab, &chain, self.time);
                ChainInput { chain: Arc::new(chain), settings: *settings, goals, start }
            }));
            solve.run(&mut self.workspace, measures_time);
            if let (Some(recording), None) = (&solve.recording, starts) {
                let target = recording.targets.first().copied().unwrap_or_default();
                solve.smoothness.add(&recording.solve.end().positions, target);
            }
        }
    }

    /// Solves what was recorded again: layers that are on, then lanes.
    pub fn replay(
        &mut self,
        section: &ChainSection,
        character: &Character,
        inputs: &[ChainInput],
        pose: &mut [RigidTransform],
        measures_time: bool,
    ) {
        let mut inputs = inputs.iter();
        self.layers.resize_with(section.chains.len(), Solve::default);
        for (solve, settings) in self.layers.iter_mut().zip(&section.chains) {
            solve.recording = None;
            if settings.off {
                continue;
            }
            solve.input = inputs.next().cloned().map(Ok);
            solve.bones = find_bones(&settings.bones, character).unwrap_or_default();
            solve.run(&mut self.workspace, measures_time);
            if let Some(recording) = &solve.recording {
                solve.write(recording.solve.end(), character, pose);
            }
        }
        self.lanes.resize_with(inputs.len(), Solve::default);
        for solve in &mut self.lanes {
            solve.input = inputs.next().cloned().map(Ok);
            solve.run(&mut self.workspace, measures_time);
        }
    }

    /// Puts the lab's chains back to where they rest.
    pub fn reset_lanes(&mut self) {
        self.lanes.clear();
        self.time = 0.0;
    }
}

/// The ends' goals, moved as far as they have come.
fn goals(lab: &LabSection, chain: &Chain, time: f32) -> Box<[Goal]> {
    let offset = lab.motion.offset(time, 0.3 * chain.length());
    let ends: Vec<usize> = chain.ends().collect();
    let count = ends.len().max(1);
    (0..count.min(lab.targets.len()).max(1))
        .map(|index| Goal {
            joint: ends.get(index).copied().unwrap_or(chain.joints() - 1),
            position: lab.targets.get(index).copied().unwrap_or_default() + offset,
            pull: 1.0,
        })
        .collect()
}

/// The lab's chain with its limits.
fn lab_chain(lab: &LabSection, character: &Character) -> Result<Chain, Fault> {
    let made = match &lab.chain {
        LabChain::Free(bones) => {
            let count = *bones.clamp(LAB_BONES.start(), LAB_BONES.end());
            Chain::from_positions(&curve(count))
        }
        LabChain::Branches => branches(),
        LabChain::Joints(FreeChain { root, ends, from }) => Chain::branched(*root, ends, from),
        LabChain::Bones(names) => {
            let bones = find_bones(names, character)?;
            Chain::of_bones(&character.model.skeleton, &character.detection.reference.bones, &bones)
        }
    };
    let mut chain = made?;
    set_limits(&mut chain, &lab.limits, &lab.weights)?;
    Ok(chain)
}

fn set_limits(chain: &mut Chain, limits: &[Limit], weights: &[f32]) -> Result<(), Fault> {
    for (bone, &weight) in weights.iter().enumerate() {
        chain.set_weight(bone, weight);
    }
    for (bone, limit) in limits.iter().enumerate().take(chain.bones().len()) {
        chain.set_limit(bone, *limit)?;
    }
    Ok(())
}

/// A free chain, slightly bent: the way a tail or a rope is held up.
fn curve(bones: u32) -> Vec<Vec3> {
    let length = LAB_LENGTH / bones as f32;
    let mut place = LAB_ROOT;
    let mut points = vec![place];
    for index in 0..bones {
        let share = (index as f32 + 0.5) / bones as f32;
        let lean = 0.9 * (share - 0.35);
        place += Vec3::new(lean.sin(), lean.cos(), 0.25 * (share * TAU).sin()).normalize() * length;
        points.push(place);
    }
    points
}

/// A trunk of four bones with three branches of three.
fn branches() -> Result<Chain, Fault> {
    let length = LAB_LENGTH / 7.0;
    let mut ends: Vec<Vec3> = (1..=4).map(|bone| LAB_ROOT + Vec3::Y * length * bone as f32).collect();
    let mut from: Vec<usize> = (0..4).collect();
    for branch in [-1.0f32, 0.0, 1.0] {
        let along = Vec3::new(branch * 0.8, 0.8, 0.25 * (1.0 - branch.abs())).normalize();
        for bone in 0..3 {
            from.push(if bone == 0 { 4 } else { ends.len() });
            let start = if bone == 0 { ends[3] } else { ends[ends.len() - 1] };
            ends.push(start + along * length);
        }
    }
    Chain::branched(LAB_ROOT, &ends, &from)
}

fn find_bones(names: &[String], character: &Character) -> Result<Vec<BoneIndex>, Fault> {
    let skeleton = &character.model.skeleton;
    let find = |name: &String| {
        skeleton.find(name).ok_or_else(|| Fault::new(&character.model.name, format!("has no bone {name:?}")))
    };
    names.iter().map(find).collect()
}

/// What one of the character's chains is solved from, on a pose.
fn layer(
    solve: &ChainSolve,
    character: &Character,
    pose: &[RigidTransform],
) -> Result<(ChainInput, Vec<BoneIndex>), Fault> {
    let bones = find_bones(&solve.bones, character)?;
    let skeleton = &character.model.skeleton;
    let made = Chain::of_bones(skeleton, &character.detection.reference.bones, &bones);
    let mut chain = made?;
    set_limits(&mut chain, &solve.limits, &solve.weights)?;
    let mut start = State::default();
    chain_ik::character::read(&chain, skeleton, &bones, pose, &mut start);
    let goals = [Goal::end(&chain, solve.target.unwrap_or(start.end()))];
    Ok((ChainInput { chain: Arc::new(chain), settings: solve.settings, goals: goals.into(), start }, bones))
}

/// Chains of a character that are worth a try: its spine, its arms, its legs, and whatever hangs on it in a row of
/// three or more bones without being one of those (tails, hair, fingers). A name, and the bones.
pub fn suggestions(character: &Character) -> Vec<(String, Vec<String>)> {
    let skeleton = &character.model.skeleton;
    let reference = &character.detection.reference.bones;
    let mut found: Vec<(String, Vec<BoneIndex>)> = Vec::new();
    let mut taken = vec![false; skeleton.len()];
    let mut add = |name: String, first: BoneIndex, end: BoneIndex, taken: &mut Vec<bool>| {
        let Some(bones) = chain_ik::character::solvable_between(skeleton, reference, first, end) else { return };
        for &bone in &bones {
            taken[bone] = true;
        }
        found.push((name, bones));
    };
    if let Some(biped) = &character.detection.biped {
        let end = biped.head.or(biped.spine.last().copied());
        if let (Some(&first), Some(end)) = (biped.spine.first(), end) {
            add("spine".to_owned(), first, end, &mut taken);
        }
        for limb in crate::rig::LimbName::ALL {
            let [first, _, end] = biped.limbs[limb.index()].bones;
            add(limb.label().to_owned(), first, end, &mut taken);
        }
    }
    // Rows without a fork, from the first bone that is not spoken for.
    for first in 0..skeleton.len() {
        if taken[first] {
            continue;
        }
        let mut end = first;
        let mut count = 1;
        while let Some(child) = {
            let mut children = skeleton.children(end);
            children.next().filter(|_| children.next().is_none())
        } {
            taken[end] = true;
            end = child;
            count += 1;
        }
        taken[end] = true;
        if count >= 3 {
            add(skeleton.bones()[first].name.clone(), first, end, &mut taken);
        }
    }
    let name = |bone: &BoneIndex| skeleton.bones()[*bone].name.clone();
    found.into_iter().map(|(label, bones)| (label, bones.iter().map(name).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_survives_its_preset_and_a_bad_one_is_named() {
        let mut section = ChainSection { lab: Some(LabSection::default()), ..ChainSection::default() };
        section.chains.push(ChainSolve { name: "tail".into(), target: Some(Vec3::ONE), ..ChainSolve::default() });
        assert_eq!(section.validate(), Ok(()));
        let text = serde_json::to_string(&section).unwrap();
        assert_eq!(serde_json::from_str::<ChainSection>(&text).unwrap(), section);
        section.chains[0].settings.weight = f32::NAN;
        let error = section.validate().unwrap_err().to_string();
        assert!(error.starts_with("chain_ik.chains[0].settings.weight: is NaN"), "{error}");
        section.chains.clear();
        section.lab = Some(LabSection { chain: LabChain::Free(1), ..LabSection::default() });
        assert!(section.validate().unwrap_err().to_string().starts_with("chain_ik.lab.chain.free: is 1"));
        section.lab = Some(LabSection { lanes: Vec::new(), ..LabSection::default() });
        assert!(section.validate().unwrap_err().to_string().starts_with("chain_ik.lab.lanes: has 0"));
    }

    #[test]
    fn the_built_in_biped_has_chains_to_try() {
        let character = Character::built_in().unwrap();
        let names: Vec<String> = suggestions(&character).into_iter().map(|(name, _)| name).collect();
        for expected in ["spine", "left arm", "right leg"] {
            assert!(names.iter().any(|name| name == expected), "{names:?}");
        }
    }

    #[test]
    fn the_lab_solves_every_lane_and_goes_on_from_there() {
        let character = Character::built_in().unwrap();
        let mut section = ChainSection { lab: Some(LabSection::default()), ..ChainSection::default() };
        let mut chains = Chains::default();
        for frame in 0..30 {
            chains.time = frame as f32 / 60.0;
            if let Some(lab) = &mut section.lab {
                (lab.motion, lab.from_rest) = (Motion::Circle, false);
            }
            chains.solve_lanes(&section, &character, 0, None, false);
            for lane in &chains.lanes {
                assert!(lane.recording.as_ref().unwrap().outcome.is_reached());
            }
        }
        assert!(chains.lanes.iter().all(|lane| lane.smoothness.frames == 27));
        assert!(chains.lanes[1].smoothness.shaking() < 0.05);
        // From the same starts the same frame comes out.
        let (inputs, before) = (chains.inputs(), chains.lanes[0].recording.clone());
        chains.solve_lanes(&section, &character, 0, Some(&inputs), false);
        assert_eq!(chains.lanes[0].recording, before);
        // Branches are for FABRIK alone; the others say so.
        section.lab = Some(LabSection { chain: LabChain::Branches, ..LabSection::default() });
        chains.solve_lanes(&section, &character, 0, None, false);
        assert!(chains.lanes[0].problem().is_some_and(|problem| problem.starts_with("solver: is ccd")));
        assert!(chains.lanes[1].recording.is_some());
    }
}
