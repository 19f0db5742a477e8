//! The implementations of the layers, one file or folder each, except solvers of the whole body, which have folders of
//! the library's own; and the dispatch to them. The table of layers declares the modules, so `cargo fmt` does not find
//! their files; `rustfmt` formats them by name.

use super::kind::{Kind, PoseSource, Poses};
use super::layer_id::{LayerId, Memory, Topic};
use super::order::Stack;
use super::parameters::Owner;
use super::pass::Pass;
use super::rig::Rig;
use super::solved::Solved;
use crate::grounding::Output;
use crate::joints::BodySolver;
use crate::stepped::Cursor;
use crate::timing::Work;

/// Declares the module of a layer: its file or folder here, or for a solver of the whole body a module with its `Kind`.
macro_rules! module {
    ($name:ident $module:ident solver [] stack $stack:tt remembers $memory:tt) => {
        mod $module;
    };
    (
        $name:ident $module:ident solver [$run:ty] stack [$help:literal $own:ident: $settings:ty]
            remembers [$($(#[$attribute:meta])* $memory:ident: $state:ty)?]
    ) => {
        mod $module {
            use crate::stack::layers::*;

            pub(crate) struct $name;

            impl Kind for $name {
                fn is_on(&self, _: LayerId, stack: &Stack) -> bool {
                    stack.order.$own.on
                }

                fn solve(
                    &self,
                    _: LayerId,
                    pass: &mut Pass,
                    poses: Poses,
                    memory: &mut Memory,
                ) -> Option<Result<Solved, String>> {
                    let memory = memory!(memory $($memory)?);
                    solve_body::<$run>(&pass.input.stack.order.$own, memory, pass, poses)
                }

                fn switch<'a>(&self, stack: &'a mut Stack) -> Option<&'a mut bool> {
                    Some(&mut stack.order.$own.on)
                }
            }
        }
    };
}

/// Expands to the memory that a row declares.
macro_rules! memory {
    ($memory:ident) => {{
        let _ = $memory;
        &mut None
    }};
    ($memory:ident $field:ident) => {
        &mut $memory.$field
    };
}

macro_rules! dispatch {
    ($(
        $name:ident $number:tt $module:ident $texts:tt solver $run:tt grounding $grounding:tt stack $stack:tt remembers $memory:tt;
    )+) => {
        $(module!($name $module solver $run stack $stack remembers $memory);)+

        fn kind(layer: LayerId) -> &'static dyn Kind {
            match layer {
                $(LayerId::$name { .. } => &$module::$name,)+
            }
        }
    };
}

layer_table!(dispatch);

/// Poses the body by a solver on joint angles: from the previous layer's output, by the targets of the full body with
/// the goals of feet and pelvis.
fn solve_body<S: BodySolver>(
    settings: &S::Settings,
    memory: &mut Option<S::Memory>,
    pass: &mut Pass,
    poses: Poses,
) -> Option<Result<Solved, String>> {
    let joints = match &pass.rig.joints {
        Ok(joints) => joints.clone(),
        Err(problem) => return Some(Err(problem.clone())),
    };
    let targets = pass.driven(poses.pose);
    let given = poses.given.clone();
    let recorded = S::record(joints, settings, &targets, memory.get_or_insert_default(), poses.pose);
    pass.laps.end(Work::Stages);
    match recorded {
        Ok(run) if run.steps() == 0 => None,
        Ok(run) => {
            pass.given = Some(given);
            Some(Ok(Solved::new(run)))
        }
        Err(fault) => Some(Err(fault.to_string())),
    }
}

pub(super) fn solve(
    layer: LayerId,
    pass: &mut Pass,
    poses: Poses,
    memory: &mut Memory,
) -> Option<Result<Solved, String>> {
    let is_on = pass.input.stack.is_on(layer);
    is_on.then(|| kind(layer).solve(layer, pass, poses, memory)).flatten()
}

pub(super) fn solves_body(layer: LayerId) -> bool {
    layer.topic() == Topic::Posing && kind(layer).solves_body()
}

/// Clears the memory of single layers and modifiers that are off, because the character may have moved by the time they
/// are switched on again. Drops the memory of lanes that do not exist, in both labs.
pub(super) fn forget_layers_that_are_off(stack: &Stack, memory: &mut Memory) {
    for layer in LayerId::single() {
        if !stack.is_on(layer) {
            memory.forget(layer);
        }
        kind(layer).forget(stack, memory);
    }
    memory.body_lanes.truncate(stack.order.body_lab.lanes.len());
    memory.lanes.truncate(stack.chain_ik.lab.as_ref().map_or(0, |lab| lab.lanes.len()));
}

pub(super) fn goals(layer: LayerId, run: &Solved, at: Option<Cursor>) -> Option<Output> {
    kind(layer).goals(run, at)
}

pub(super) fn pose_source_at(layer: LayerId, run: &Solved, at: Cursor) -> PoseSource {
    kind(layer).pose_source_at(run, at)
}

impl Stack {
    /// Returns the listed layers in solving order: those that are on, and those that are off but shown, such as the
    /// full body and grounding. The lanes of the full-body lab are the last. While the chain lab is open, returns only
    /// the chain lab's lanes.
    pub fn layers(&self) -> Vec<LayerId> {
        if let Some(lab) = &self.chain_ik.lab {
            return (0..lab.lanes.len()).map(LayerId::Lane).collect();
        }
        let chains = |before: bool| {
            let all = 0..self.chain_ik.chains.len();
            all.filter(move |chain| self.order.before_full_body.contains(chain) == before).map(LayerId::Chain)
        };
        let single = LayerId::single().filter(|&layer| kind(layer).is_listed(layer, self));
        let lanes = (0..self.order.body_lab.lanes.len()).map(LayerId::BodyLane);
        chains(true).chain(single).chain(chains(false)).chain(lanes).collect()
    }

    /// Returns whether the full body is the only layer that is on, and starts from the animated pose. The result of
    /// such a frame depends only on the rig, the animated pose and the settings of the full body.
    pub fn is_full_body_alone(&self) -> bool {
        let layers = self.layers();
        let has_own = layers.contains(&LayerId::FullBody) && !self.order.experiments.keep_pose;
        has_own && layers.into_iter().all(|layer| self.is_on(layer) == (layer == LayerId::FullBody))
    }

    pub(super) fn poses_body(&self) -> bool {
        LayerId::body_solvers().any(|layer| self.is_on(layer))
    }

    /// Returns whether a layer is on. A layer that is on can still have nothing to do in a frame.
    pub fn is_on(&self, layer: LayerId) -> bool {
        kind(layer).is_on(layer, self)
    }
}

impl LayerId {
    /// Returns the label on screen in a stack: of a chain its name, of a lane of the full-body lab its number and
    /// label. Grounding's label names the method if it is foot IK.
    pub fn label_in(self, stack: &Stack) -> String {
        kind(self).label(self, stack)
    }

    /// Returns the owner of the layer's main settings; [`Owner::Solver`] for the full body, and for layers without
    /// settings of their own.
    pub fn owner(self, stack: &Stack) -> Owner {
        kind(self).owner(self, stack)
    }

    /// Returns the setting that is true if the layer is switched on; `None` for layers without such a setting, such as
    /// the full body, whose switch is true if it is off.
    pub fn switch(self, stack: &mut Stack) -> Option<&mut bool> {
        kind(self).switch(stack)
    }

    /// Returns the reason why a layer has no run although it is on, in two words such as `no ground`. `rig` is that of the
    /// character: grounding of a character without legs returns `no legs`.
    pub fn missing(self, rig: &Rig) -> &'static str {
        kind(self).missing(rig)
    }
}
