//! A port of the solver: plain double-precision code, written from the book, without the solver's own code. It takes
//! rig and settings of a case and answers with a trace. [`Bug`]s are planted in it where a programmer would make them.
//!
//! A port keeps its state between frames, so that bugs of stale state have an effect.

pub mod bugs;
mod math;
mod read;
mod stages;
mod writing;

use std::collections::BTreeMap;

use glam::{DQuat as Q, DVec3 as V};
use kinescope_ik::full_body::{Node, Nodes, Part, Settings, Stage, Step};
use kinescope_ik::trace::{More, Rig, Trace};
use kinescope_ik::{LimbName, RigidTransform};

pub use bugs::Bug;

#[derive(Clone, Copy)]
pub struct Bone {
    pub p: V,
    pub r: Q,
}

impl Bone {
    fn of(bone: &RigidTransform) -> Self {
        Self { p: bone.position.as_dvec3(), r: bone.rotation.as_dquat().normalize() }
    }

    fn transform(self) -> RigidTransform {
        RigidTransform { position: self.p.as_vec3(), rotation: self.r.as_quat() }
    }
}

/// Nodes by index: 0 is the body, then three for each limb.
pub type Points = [V; Node::COUNT];

pub const fn of_limb(limb: usize, joint: usize) -> usize {
    1 + 3 * limb + joint
}

/// The rig as the port needs it, computed once.
pub struct Character {
    pub reference: Vec<Bone>,
    pub parents: Vec<Option<usize>>,
    /// Bones with a role: pelvis, spine, head, then clavicle and three bones of each limb.
    pub keys: Vec<usize>,
    /// The key bone that carries each key bone: the nearest ancestor among them; within spine and limbs the previous
    /// bone, whatever the skeleton's parents are.
    pub above: BTreeMap<usize, usize>,
    /// Pelvis and spine bones.
    pub spine: Vec<usize>,
    pub root: usize,
    pub head: Option<usize>,
    pub clavicles: [Option<usize>; 4],
    pub limbs: [[usize; 3]; 4],
    pub default_local: [V; 4],
    pub default_child: [V; 4],
}

pub struct Port {
    pub bug: Bug,
    pub character: Character,
    pub memory: Memory,
    /// The nodes are rounded to multiples of this after each stage; 0 for no rounding.
    pub grid: f64,
}

/// State that stays between frames. A correct port uses only `carried`, which each frame sets anew.
#[derive(Default)]
pub struct Memory {
    first: Option<Box<Frame>>,
    last: Option<Box<Frame>>,
    offsets: [V; Node::COUNT],
    given: [Option<V>; 4],
    carried: [Q; 4],
    rotations: [Option<Q>; 4],
    joints: Option<Vec<V>>,
}

#[derive(Clone, Copy, Default)]
pub struct EffectorFrame {
    pub position: V,
    pub rotation: Q,
    pub weight: f64,
    pub rotation_weight: f64,
    pub relative: f64,
}

#[derive(Clone, Copy, Default)]
pub struct LimbFrame {
    pub lengths: [f64; 2],
    pub root_length: f64,
    pub distance: f64,
    pub body_child: V,
    pub is_straight: bool,
    pub default_direction: V,
    pub cross_fade: f64,
    pub reach_force: f64,
    pub bend_weight: f64,
    /// The rotation of the plane that the end effector follows, in the pose that was read.
    pub torso_plane: Q,
    /// The rotations of the planes that bone 1 and bone 2 follow.
    pub planes: [Q; 2],
    pub clavicle_axis: V,
    pub end_rotation: Q,
}

impl LimbFrame {
    pub fn length(&self) -> f64 {
        self.lengths[0] + self.lengths[1]
    }
}

#[derive(Clone, Copy, Default)]
pub struct Constraint {
    pub nodes: [usize; 2],
    pub nominal: f64,
    pub push: f64,
    pub pull: f64,
    pub cross_fade: f64,
}

#[derive(Clone, Default)]
pub struct SpineFrame {
    pub lengths: Vec<f64>,
    pub swing: Vec<V>,
    pub twist: Vec<V>,
    pub planes: [Q; 2],
}

#[derive(Clone)]
pub struct Frame {
    pub settings: Settings,
    pub weight: f64,
    pub iterations: u32,
    pub animated: Vec<Bone>,
    /// The animated pose after the bend limit.
    pub base: Vec<Bone>,
    pub bones: Points,
    pub offsets: Points,
    pub effectors: [EffectorFrame; 9],
    pub limbs: [LimbFrame; 4],
    pub pull_body: V,
    pub pull_sum: f64,
    pub constraints: [Constraint; 4],
    pub spine: SpineFrame,
    pub head_rotation: Q,
}

impl Port {
    pub fn new(rig: &Rig, bug: Bug) -> Self {
        let mut character = Character::new(rig);
        read::initialize(&mut character, bug);
        Self { bug, character, memory: Memory::default(), grid: 0.0 }
    }

    pub fn has(&self, bug: Bug) -> bool {
        self.bug == bug
    }

    pub fn answer(&mut self, rig: &Rig, settings: &Settings) -> Trace {
        let animated: Vec<Bone> = rig.animated.iter().map(Bone::of).collect();
        let mut trace = Trace {
            model: "a port".to_owned(),
            parameters: *settings,
            rig: rig.clone(),
            steps: Vec::new(),
            writes: Vec::new(),
            result: rig.animated.clone(),
            more: More::default(),
        };
        if settings.solver.weight <= 0.0 {
            return trace;
        }
        let (frame, mut nodes) = read::read(self, settings, animated);
        trace.more.constants = read::constants(&frame);
        for step in self.program(&frame) {
            self.run(&frame, &mut nodes, step.stage);
            if self.grid > 0.0 {
                nodes.iter_mut().for_each(|node| *node = (*node / self.grid).round() * self.grid);
            }
            trace.steps.push((step, Nodes(nodes.map(|node| node.as_vec3()))));
        }
        let mut pose = frame.base.clone();
        for part in Part::ALL {
            if !self.write(&frame, &nodes, part, &mut pose) {
                continue;
            }
            let bones = self.character.keys.iter().map(|&bone| (bone, pose[bone].transform())).collect();
            trace.writes.push((part, bones));
        }
        self.carry_others(&frame, &mut pose);
        trace.result = pose.into_iter().map(Bone::transform).collect();
        let frame = Box::new(frame);
        self.memory.first.get_or_insert_with(|| frame.clone());
        self.memory.last = Some(frame);
        trace
    }

    fn program(&self, frame: &Frame) -> Vec<Step> {
        use Stage::*;
        let mut stages =
            vec![EndEffectors, Push, Reach, BodyEffectors, Trigonometric, Stage1, BodyEffectorsAgain, Stage2];
        let mut rounds = frame.iterations;
        if self.has(Bug::BodyEffectorsOnce) {
            stages.retain(|stage| *stage != BodyEffectorsAgain);
        }
        if !frame.settings.solver.fabrik_pass {
            stages = vec![EndEffectors, Trigonometric];
            rounds = if self.has(Bug::IteratesWithoutFabrik) { rounds } else { rounds.min(1) };
        }
        match self.bug {
            Bug::OneIterationMore if rounds > 0 => rounds += 1,
            Bug::OneIterationFewer if rounds > 0 => rounds -= 1,
            _ => {}
        }
        let mut program = vec![Step { iteration: None, stage: Read }];
        for round in 0..rounds {
            program.extend(stages.iter().map(|&stage| Step { iteration: Some(round), stage }));
        }
        if !self.has(Bug::NoFinalEffectors) {
            program.push(Step { iteration: None, stage: FinalEffectors });
        }
        program.push(Step { iteration: None, stage: Bend });
        program
    }
}

impl Character {
    fn new(rig: &Rig) -> Self {
        let biped = &rig.biped;
        let parents: Vec<Option<usize>> = (0..rig.animated.len()).map(|bone| rig.skeleton.parent(bone)).collect();
        let mut spine = vec![biped.pelvis];
        spine.extend(&biped.spine);
        let mut keys = spine.clone();
        keys.extend(biped.head);
        for limb in &biped.limbs {
            keys.extend(limb.clavicle);
            keys.extend(limb.bones);
        }
        let mut above = BTreeMap::new();
        for &key in &keys {
            let mut up = parents[key];
            while let Some(bone) = up
                && !keys.contains(&bone)
            {
                up = parents[bone];
            }
            if let Some(bone) = up {
                above.insert(key, bone);
            }
        }
        let limbs = LimbName::ALL.map(|limb| biped.limb(limb).bones);
        above.extend(spine.windows(2).map(|pair| (pair[1], pair[0])));
        above.extend(limbs.iter().flat_map(|own| [(own[1], own[0]), (own[2], own[1])]));
        Self {
            reference: rig.reference.iter().map(Bone::of).collect(),
            parents,
            keys,
            above,
            root: biped.root_node,
            spine,
            head: biped.head,
            clavicles: LimbName::ALL.map(|limb| biped.limb(limb).clavicle),
            limbs,
            default_local: [V::ZERO; 4],
            default_child: [V::ZERO; 4],
        }
    }

    pub fn bone_of(&self, node: usize) -> usize {
        if node == 0 { self.root } else { self.limbs[(node - 1) / 3][(node - 1) % 3] }
    }

    pub fn is_under(&self, bone: usize, ancestor: usize) -> bool {
        let mut up = self.above.get(&bone);
        while let Some(own) = up {
            if *own == ancestor {
                return true;
            }
            up = self.above.get(own);
        }
        false
    }
}
