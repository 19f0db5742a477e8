//! Hints on where to look, by the first difference of a port. The book has the table.

use crate::full_body::{Node, Part, Stage};
use crate::rig::LimbName;
use crate::trace_diff::{Place, StepDiff, TraceDiff};

/// A row of the table of hints.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The first difference, as in the book.
    pub first: &'static str,
    /// The parts of the port to check.
    pub look_at: &'static str,
    fits: fn(&Place, &TraceDiff) -> bool,
}

impl Row {
    /// Returns true if the row applies to the first difference between two traces.
    pub fn fits(&self, diff: &TraceDiff) -> bool {
        first_difference(diff).is_some_and(|place| (self.fits)(&place, diff))
    }
}

/// Returns the first difference of an answer; `None` if nothing differs. A different input comes before everything
/// else.
pub fn first_difference(diff: &TraceDiff) -> Option<Place<'_>> {
    let rig = diff.rig.first().map(|rig| Place::Rig(rig));
    let input = rig.or_else(|| diff.parameters.first().map(|parameter| Place::Parameter(parameter)));
    input.or_else(|| diff.first_place())
}

fn stage(place: &Place) -> Option<Stage> {
    match place {
        Place::Step(step, Some(_)) => Some(step.stage),
        Place::Move(own) => Some(own.step.stage),
        _ => None,
    }
}

/// Returns the nodes of the move that is the first difference; otherwise the nodes that differ in the first differing
/// stage that both traces have.
fn nodes(diff: &TraceDiff) -> Vec<Node> {
    if let Some(Place::Move(own)) = diff.first_place() {
        return own.a.iter().chain(&own.b).map(|own| own.node).collect();
    }
    let first = diff.steps.iter().find_map(|step| match step {
        StepDiff::Both { above, .. } if !above.is_empty() => Some(above),
        _ => None,
    });
    first.into_iter().flatten().map(|own| own.node).collect()
}

/// Returns true for elbow, knee, hand and foot, false for body, shoulder and thigh.
fn is_end(node: Node) -> bool {
    LimbName::ALL.into_iter().any(|limb| Node::of_limb(limb)[1..].contains(&node))
}

fn is_constant(place: &Place, endings: &[&str]) -> bool {
    matches!(place, Place::Constant(own) if endings.iter().any(|ending| own.name.ends_with(ending)))
}

/// All rows, in the order of the book: first a missing stage, then in solving order, last a different rig or parameter.
/// Several may fit.
pub const ROWS: &[Row] = &[
    Row {
        first: "a stage that only one of the two traces has",
        look_at: "the number of iterations: one without the FABRIK pass, none with 0 iterations or without master weight",
        fits: |place, _| matches!(place, Place::Step(_, None) | Place::Write(_, None)),
    },
    Row {
        first: "`read`, every node",
        look_at: "space (world instead of model), axes, units; `animated` is not the pose that the port solved",
        fits: |place, diff| stage(place) == Some(Stage::Read) && nodes(diff).len() > 10,
    },
    Row {
        first: "`read`, `body`, shoulders and thighs",
        look_at: "`root_node`; *pull body*; offsets times the master weight; the body's offset also moves the thighs",
        fits: |place, diff| {
            let own = nodes(diff);
            stage(place) == Some(Stage::Read) && own.len() <= 10 && own.iter().any(|own| !is_end(*own))
        },
    },
    Row {
        first: "`read`, arms and legs below shoulders and thighs",
        look_at: "the bend limit: default bend direction, reference pose, *clamp smoothing*; the offset of the hand or foot",
        fits: |place, diff| {
            let own = nodes(diff);
            stage(place) == Some(Stage::Read) && own.len() <= 10 && own.iter().all(|own| is_end(*own))
        },
    },
    Row {
        first: "constant `pull_body`",
        look_at: "*pull body*: by how much the distance from each shoulder to the hand's target exceeds the arm's length, in the pose before the bend limit; vertical and horizontal have their own settings",
        fits: |place, _| is_constant(place, &["pull_body"]),
    },
    Row {
        first: "constant `lengths`, `root_length`, `distance`, `body_child`",
        look_at: "lengths are those of the animated pose after the bend limit, not of the reference",
        fits: |place, _| is_constant(place, &[".lengths", ".root_length", ".distance", ".body_child"]),
    },
    Row {
        first: "constant `straight`, `default_direction`",
        look_at: "the default bend direction: from the reference pose, rotated with bone 1; the anatomical one for limbs that are bent by less than 5° there",
        fits: |place, _| is_constant(place, &["straight", "default_direction"]),
    },
    Row {
        first: "constant `pull_parent_sum`, `cross_fade`",
        look_at: "sums of pull, at least 1; the position weights of body, shoulder and thigh effectors, times the master weight; ½ for the diagonals",
        fits: |place, _| is_constant(place, &["pull_parent_sum", "cross_fade"]),
    },
    Row {
        first: "constant `nominal_distance`, `elasticity`",
        look_at: "child constraints: distances in the animated pose of each frame; elasticities of the diagonals: 1 − *spine stiffness* against shortening, 1 against stretching; of shoulders and hips: 0",
        fits: |place, _| is_constant(place, &["nominal_distance", "elasticity"]),
    },
    Row {
        first: "constant `pelvis_plane`, `chest_plane`",
        look_at: "the planes' corners: body, left, right; up is orthogonal to forward",
        fits: |place, _| is_constant(place, &["_plane"]),
    },
    Row {
        first: "`end_effectors`",
        look_at: "target in model space, not world space; position weight times the master weight; the torso plane of *maintain relative position*",
        fits: |place, _| stage(place) == Some(Stage::EndEffectors),
    },
    Row {
        first: "`push`, `reach`",
        look_at: "smoothing: «exponential» is the square; *push* compares with the animated distance; *reach* is multiplied by the position weight of the end effector and the master weight",
        fits: |place, _| matches!(stage(place), Some(Stage::Push | Stage::Reach)),
    },
    Row {
        first: "`body_effectors`, `body_effectors_again`",
        look_at: "body first, together with the thighs, then shoulders and thighs; each starts from the node's current position, not from the animation",
        fits: |place, _| matches!(stage(place), Some(Stage::BodyEffectors | Stage::BodyEffectorsAgain)),
    },
    Row {
        first: "`trigonometric`, elbow or knee only",
        look_at: "side of the bend: the sign of a cross product; limb length × 0.9999, with the lengths of the animated pose",
        fits: |place, _| stage(place) == Some(Stage::Trigonometric),
    },
    Row {
        first: "`stage1`",
        look_at: "the sum of pulls, at least 1; *pin*; child constraints once, after the limbs and before the body; the share of each node, for rigid pairs by pull; lengths of this frame's animated pose",
        fits: |place, _| stage(place) == Some(Stage::Stage1),
    },
    Row {
        first: "`stage2`",
        look_at: "number of rounds (the iterations, at least 2, at most 4); order of the constraints; the body's share in the linear constraints; nominal distances and elasticities of the diagonals",
        fits: |place, _| stage(place) == Some(Stage::Stage2),
    },
    Row {
        first: "a stage in a later iteration, none in iteration 0",
        look_at: "state that is kept or reset between iterations",
        fits: |place, _| matches!(place, Place::Step(step, Some(_)) if step.iteration.is_some_and(|own| own > 0)),
    },
    Row {
        first: "`final_effectors`",
        look_at: "end effectors once more after the last iteration: hands and feet end where their effectors put them, regardless of stage 2",
        fits: |place, _| stage(place) == Some(Stage::FinalEffectors),
    },
    Row {
        first: "`bend`",
        look_at: "order of quaternion products; normalized linear interpolation, not spherical; a goal takes precedence over a direction; the default bend direction of a limb that is straight in the animation",
        fits: |place, _| stage(place) == Some(Stage::Bend),
    },
    Row {
        first: "`write spine`",
        look_at: "the torso's planes (which corner is first), the rounds of the spine's FABRIK, swing before twist, the weight of the twist",
        fits: |place, _| matches!(place, Place::Write(Part::Spine, Some(_))),
    },
    Row {
        first: "`write head`",
        look_at: "*head maintain rotation* times the master weight; back to the animated rotation, not to the reference",
        fits: |place, _| matches!(place, Place::Write(Part::Head, Some(_))),
    },
    Row {
        first: "`write left arm` and other limbs",
        look_at: "rotations read from the animated pose, not from the reference; the clavicle's axis; hand or foot at its bone's length, not at its node; *maintain rotation* first, then the effector's rotation",
        fits: |place, _| matches!(place, Place::Write(part, Some(_)) if part.limb().is_some()),
    },
    Row {
        first: "only the result",
        look_at: "bones without a role: they follow their parents as in the animated pose",
        fits: |place, diff| matches!(place, Place::Result(_)) && !diff.steps.is_empty() && !diff.writes.is_empty(),
    },
    Row {
        first: "the result, without `writes`",
        look_at: "writing, because all stages agree: add `writes` to the trace and compare again",
        fits: |place, diff| matches!(place, Place::Result(_)) && !diff.steps.is_empty() && diff.writes.is_empty(),
    },
    Row {
        first: "the result, without `steps`",
        look_at: "any stage, because a pose does not show the stage: add `steps` and `writes` to the trace and compare again; at master weight 0 the pose stays unchanged",
        fits: |place, diff| matches!(place, Place::Result(_)) && diff.steps.is_empty(),
    },
    Row {
        first: "the rig, or a parameter",
        look_at: "the answer has another input than the case: copy the case's `rig` and `parameters` into it unchanged, and solve these",
        fits: |place, _| matches!(place, Place::Rig(_) | Place::Parameter(_)),
    },
];
