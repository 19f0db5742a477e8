//! Section `chain_ik` of a preset: the chains of the character, and the chain lab, in which several solvers solve one chain
//! side by side.

use std::f32::consts::TAU;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::rig::Rig;
#[cfg(feature = "json")]
use crate::chain_ik::file::ChainFile;
use crate::chain_ik::settings::BONE_WEIGHT;
use crate::chain_ik::{self, Chain, ChainRun, Goal, Limit, Recording, Settings, Solver, State};
use crate::error::{self, BadValue, Fault};
use crate::grounding::Side;
use crate::key::named;
use crate::rig::{BoneIndex, RigidTransform};
use crate::stepped::{Cursor, Run};

/// Section `chain_ik` of a preset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChainSection {
    /// The chains of the character in their order. Section `stack` lists the chains that are solved before the full body.
    pub chains: Vec<ChainSolve>,
    /// The chain lab; null while it is closed.
    pub lab: Option<LabSection>,
}

named! {
    /// The source of a chain's target.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum TargetSource {
        /// Returns the label on screen.
        label: &'static str,
        /// Returns the foot whose goal the chain follows; `None` for its own target.
        side: Option<Side>,
    }
    /// Every source.
    ALL {
        /// The chain's own target, [`ChainSolve::target`].
        #[default]
        Own: "own target", None;
        /// The goal of the left foot bone, as retarget, grounding or foot lock set it last. Only for chains that are solved
        /// after the full body. Without such a goal the chain follows its own target.
        LeftFootGoal: "left foot goal", Some(Side::Left);
        /// The goal of the right foot bone, under the conditions of `LeftFootGoal`.
        RightFootGoal: "right foot goal", Some(Side::Right);
    }
}

impl TargetSource {
    /// Returns whether this is [`Self::Own`].
    pub fn is_own(&self) -> bool {
        *self == Self::Own
    }
}

/// A chain of the character.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChainSolve {
    /// The name that the user gave the chain.
    pub name: String,
    /// Whether the chain is switched off.
    pub off: bool,
    /// Names of the bones from root to end.
    pub bones: Vec<String>,
    /// Target of the end; world space, which is model space for a character at the origin without rotation. Null is the
    /// position of the end before the solve.
    pub target: Option<Vec3>,
    /// Where the target comes from: the field `target`, or the goal of a foot.
    #[serde(skip_serializing_if = "TargetSource::is_own")]
    pub target_source: TargetSource,
    /// Settings of the solver.
    pub settings: Settings,
    /// Limits, one for each bone; bones without one are free.
    pub limits: Vec<Limit>,
    /// The fraction of CCD's rotation that each bone gets, 0 to 1; 1 for bones without a weight.
    pub weights: Vec<f32>,
}

/// The chain of the lab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LabChain {
    /// A chain without a character, by its number of bones: see [`LAB_BONES`].
    Free(u32),
    /// A trunk with three branches, without a character.
    Branches,
    /// Bones of the character, from root to end.
    Bones(Vec<String>),
    /// A chain without a character, by its joints, such as one from a chain file.
    Joints(FreeChain),
}

/// The rest pose of a chain without a character; model space. Joint 0 is `root`, joint `b + 1` is `ends[b]`. Bone `b` leads
/// from joint `from[b]` to joint `b + 1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FreeChain {
    /// Position of joint 0.
    pub root: Vec3,
    /// The end position of each bone.
    pub ends: Vec<Vec3>,
    /// The joint at which each bone starts; smaller than the one at which it ends.
    pub from: Vec<usize>,
}

impl ChainSolve {
    fn check(&self) -> Result<(), Fault> {
        self.settings.validate().map_err(|fault| fault.within("settings"))?;
        self.target.map_or(Ok(()), BadValue::check_place).map_err(|bad| bad.at("target"))?;
        check_bones(&self.limits, &self.weights)
    }
}

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
                Err(Fault::new(
                    "free",
                    format!("is {bones}; a chain given by its number of bones has {least} to {most}"),
                ))
            }
            LabChain::Bones(bones) if bones.is_empty() => {
                Err(Fault::new("bones", error::Problem::Empty("list the bones from the root to the end")))
            }
            LabChain::Joints(FreeChain { ends, from, .. })
                if ends.len() > MOST_LAB_BONES || ends.len() != from.len() =>
            {
                let (ends, from) = (ends.len(), from.len());
                let cure = format!("the two numbers must be equal and at most {MOST_LAB_BONES}");
                Err(Fault::new("joints", format!("has {ends} ends and {from} starts; {cure}")))
            }
            _ => Ok(()),
        };
        chain.map_err(|fault| fault.within("chain"))?;
        if self.targets.is_empty() {
            return Err(Fault::new("targets", error::Problem::Empty("the lab needs at least one target")));
        }
        for (index, &target) in self.targets.iter().enumerate() {
            BadValue::check_place(target).map_err(|bad| bad.at(format!("targets[{index}]")))?;
        }
        for (index, lane) in self.lanes.iter().enumerate() {
            lane.validate().map_err(|fault| fault.within(format!("lanes[{index}]")))?;
        }
        check_bones(&self.limits, &self.weights)
    }

    /// Makes a lab with one lane, from a chain file.
    ///
    /// # Errors
    /// [`Fault`] for more than 256 bones, for no target, for two targets of one end, for a target within the chain or
    /// with a pull other than 1, and if an end without a target precedes an end with one.
    #[cfg(feature = "json")]
    pub fn of_file(file: &ChainFile) -> Result<Self, Fault> {
        let ChainFile { chain, settings, goals } = file;
        let count = chain.bones().len();
        if count > MOST_LAB_BONES {
            let message = format!(
                "has {count} bones; the lab takes at most {MOST_LAB_BONES}; `kinescope chain` solves longer chains"
            );
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
                let message = "must be one for each of the first ends of the chain, with a pull of 1, in the lab. Use `kinescope \
                           chain` for others";
                Fault::new("targets", message)
            })?;
        let (root, ends) = chain.rest().positions.split_first().unwrap_or((&Vec3::ZERO, &[]));
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

named! {
    /// The motion of the lab's targets.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum TargetMotion {
        /// Returns the label on screen.
        label,
    }
    /// Every motion.
    ALL {
        /// The targets stay in place.
        #[default]
        Still;
        /// The targets move on a circle.
        Circle;
        /// The targets move on a figure eight.
        FigureEight;
        /// The targets move on a path that looks random but is the same in every run.
        Random;
    }
}

impl TargetMotion {
    /// Returns the offset of a target from its own place after a time in seconds; zero at time 0. `size` is the radius
    /// of the circle, and the largest offset along x of the figure eight. The random path stays within `size` on each
    /// axis.
    pub fn offset(self, seconds: f32, size: f32) -> Vec3 {
        let turn = seconds / 3.0 * TAU;
        let (sin, cos) = turn.sin_cos();
        size * match self {
            Self::Still => Vec3::ZERO,
            Self::Circle => Vec3::new(sin, 1.0 - cos, 0.0),
            Self::FigureEight => Vec3::new(sin, (2.0 * turn).sin() * 0.5, 0.5 * sin),
            // Together these frequencies repeat only after 300 s.
            Self::Random => {
                let wave = |a: f32, b: f32| (turn * a).sin() * 0.6 + (turn * b).sin() * 0.4;
                Vec3::new(wave(0.73, 1.91), wave(1.13, 0.57), wave(0.41, 1.37))
            }
        }
    }
}

/// The chain lab: one chain, targets for its ends, and lanes that solve the chain side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LabSection {
    /// The chain that every lane solves.
    pub chain: LabChain,
    /// The targets of the ends, in the order of the ends; model space. Ends beyond the list have no target.
    pub targets: Vec<Vec3>,
    /// The movement of the targets.
    pub motion: TargetMotion,
    /// The settings of each lane, which solves its own copy of the chain.
    pub lanes: Vec<Settings>,
    /// Limits for all lanes, one for each bone; bones without one are free.
    pub limits: Vec<Limit>,
    /// The fraction of CCD's rotation that each bone gets, 0 to 1; 1 for bones without a weight.
    pub weights: Vec<f32>,
    /// Whether every solve starts from the rest pose; otherwise it starts from the last result, as in a game.
    pub from_rest: bool,
    /// Whether lanes are drawn over each other instead of side by side.
    pub over: bool,
}

/// The most chains of a character; limited because every frame records every chain that is on.
pub const MOST_CHAINS: usize = 256;
/// The allowed numbers of bones of [`LabChain::Free`].
pub const LAB_BONES: std::ops::RangeInclusive<u32> = 2..=50;
/// The most bones of [`LabChain::Joints`].
const MOST_LAB_BONES: usize = 256;
/// The most lanes of either lab; more colours would be too similar.
pub const MOST_LANES: usize = 6;
/// Length of [`LabChain::Free`] and [`LabChain::Branches`] from the root to an end, model units.
const LAB_LENGTH: f32 = 1.5;
/// The root of [`LabChain::Free`] and [`LabChain::Branches`]; model space.
const LAB_ROOT: Vec3 = Vec3::new(0.0, 0.1, 0.0);

impl Default for LabSection {
    fn default() -> Self {
        let lane =
            |solver| Settings { solver, tolerance: LAB_LENGTH * 1e-3, max_iterations: 30, ..Settings::default() };
        Self {
            chain: LabChain::Free(10),
            targets: vec![Vec3::new(0.45, 0.75, 0.2)],
            motion: TargetMotion::Still,
            lanes: vec![lane(Solver::Ccd), lane(Solver::Fabrik)],
            limits: Vec::new(),
            weights: Vec::new(),
            from_rest: true,
            over: false,
        }
    }
}

impl LabSection {
    /// Makes the default lab with four lanes: CCD and FABRIK, each with and without acceleration.
    pub fn with_plain_lanes() -> Self {
        let lab = Self::default();
        let lanes = lab.lanes.iter().flat_map(|&lane| [lane, Settings { accelerate: false, ..lane }]).collect();
        Self { lanes, ..lab }
    }
}

impl ChainSection {
    /// Returns the position of each target and bend goal in the section, with its path, except targets of chains that
    /// follow a foot goal. Positions of chains are in the space of the poses, those of the lab in model space.
    pub fn places(&self) -> Vec<(String, Vec3)> {
        let mut places = Vec::new();
        for (index, chain) in self.chains.iter().enumerate() {
            let own = chain.target.filter(|_| chain.target_source.is_own());
            places.extend(own.map(|at| (format!("chain_ik.chains[{index}].target"), at)));
            places.extend(
                chain.settings.bend_goal.map(|at| (format!("chain_ik.chains[{index}].settings.bend_goal"), at)),
            );
        }
        if let Some(lab) = &self.lab {
            let targets = lab.targets.iter().enumerate();
            places.extend(targets.map(|(index, &at)| (format!("chain_ik.lab.targets[{index}]"), at)));
            let goals = lab.lanes.iter().enumerate().filter_map(|(index, lane)| Some((index, lane.bend_goal?)));
            places.extend(goals.map(|(index, at)| (format!("chain_ik.lab.lanes[{index}].bend_goal"), at)));
        }
        places
    }

    /// Checks all chains and the lab.
    ///
    /// # Errors
    /// [`Fault`] for more than [`MOST_CHAINS`] chains or an invalid value, with the path of the field.
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

fn lab_chain(lab: &LabSection, rig: &Rig) -> Result<Chain, Fault> {
    let made = match &lab.chain {
        LabChain::Free(bones) => {
            let count = *bones.clamp(LAB_BONES.start(), LAB_BONES.end());
            Chain::from_positions(&curve(count))
        }
        LabChain::Branches => branches(),
        LabChain::Joints(FreeChain { root, ends, from }) => Chain::branched(*root, ends, from),
        LabChain::Bones(names) => {
            let bones = find_bones(names, rig)?;
            Chain::of_bones(&rig.skeleton, &rig.reference, &bones)
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

fn find_bones(names: &[String], rig: &Rig) -> Result<Vec<BoneIndex>, Fault> {
    let find = |name: &String| {
        rig.skeleton
            .find(name)
            .ok_or_else(|| Fault::new(&rig.name, format!("has no bone {name:?}; choose one of its bones")))
    };
    names.iter().map(find).collect()
}

/// Solves a chain of the character and writes the result to `pose`. `foot_goals` are the positions of the goals of the
/// left and the right foot bone; `None` if there are none.
pub(super) fn solve_chain(
    own: &ChainSolve,
    foot_goals: Option<[Vec3; 2]>,
    rig: &Rig,
    pose: &mut [RigidTransform],
) -> Result<ChainRun, Fault> {
    let followed = own.target_source.side().and_then(|side| Some(foot_goals?[side as usize]));
    let bones = find_bones(&own.bones, rig)?;
    let mut chain = Chain::of_bones(&rig.skeleton, &rig.reference, &bones)?;
    set_limits(&mut chain, &own.limits, &own.weights)?;
    for (&bone, name) in bones.iter().zip(&own.bones) {
        let rotation = pose.get(bone).map_or(Ok(()), |own| BadValue::check_rotation(own.rotation));
        rotation.map_err(|bad| bad.at(format!("rotation of bone {name:?}")))?;
    }
    let mut start = State::default();
    chain_ik::character::read(&chain, &rig.skeleton, &bones, pose, &mut start);
    let goals = [Goal::end(&chain, followed.or(own.target).unwrap_or(start.end()))];
    let recording = Recording::record(&chain, &own.settings, &goals, &start)?;
    let run = ChainRun { recording, on: Some((rig.skeleton.clone(), bones)) };
    run.pose(Cursor::end(&run), pose);
    Ok(run)
}

/// Solves a lane of the lab from its last state `left`; from the rest pose if the lab says so, or if `left` is missing
/// or does not fit the chain.
pub(super) fn solve_lane(
    lab: &LabSection,
    lane: usize,
    rig: &Rig,
    left: Option<&State>,
    time: f32,
) -> Result<ChainRun, Fault> {
    let chain = lab_chain(lab, rig)?;
    let start = left.filter(|left| !lab.from_rest && chain.fits(left)).unwrap_or(chain.rest());
    let goals = goals(lab, &chain, time);
    let recording = Recording::record(&chain, &lab.lanes[lane], &goals, start)?;
    Ok(ChainRun { recording, on: None })
}
