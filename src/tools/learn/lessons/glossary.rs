//! The terms that the lessons use, in alphabetical order.

use crate::tools::learn::glossary::Term;

const fn term(name: &'static str, definition: &'static str) -> Term {
    Term { name, definition }
}

pub const TERMS: &[Term] = &[
    term("additive", "A layer that adds the difference between a clip and its base pose to another pose."),
    term(
        "animated pose",
        "The pose of clips and pose layers, or the rest pose without them, before the solver changes it.",
    ),
    term(
        "backward reach",
        "The half of a FABRIK iteration that goes from the root to the end: the root returns to its place.",
    ),
    term("bend direction", "The direction in which an elbow or knee points, at right angles to its limb."),
    term("bend goal", "A point toward which an elbow or knee turns, by the bend weight of its limb."),
    term("capsule", "A file with bones, frames, settings and an instant: a bug report that you can step through."),
    term(
        "CCD",
        "Cyclic coordinate descent: turns one bone after another, to bring the chain's end onto the line from the bone's \
         joint to the target.",
    ),
    term("chain", "A row of bones with a target for its end. In the full body: one of the four limbs, or the body."),
    term(
        "child constraint",
        "Keeps two nodes of the torso at their animated distance. Rigid ones push and pull. Diagonals only push, by the \
         spine stiffness.",
    ),
    term("closed form", "A solution that is computed at once, without iterations."),
    term("conformance kit", "Cases with expected traces, to check another implementation of the solver."),
    term("cross-fade", "The change from one clip to another, with a weight that grows from 0 to 1."),
    term("effector", "Moves a node toward a target, as far as its weights allow. The full body has nine."),
    term(
        "FABRIK",
        "Forward and backward reaching inverse kinematics: moves joints on lines so that bones keep their lengths.",
    ),
    term("foot lock", "The layer that keeps planted feet where they have landed."),
    term(
        "forward reach",
        "The half of a FABRIK iteration that goes from the end to the root: the end is put on the target.",
    ),
    term("gap", "The distance of a written bone from its target."),
    term("grounding", "The layer that computes goals for feet and pelvis on uneven ground."),
    term(
        "iteration",
        "One run of all stages between read and final effectors. In a chain: one pass of CCD, or both reaches of \
         FABRIK.",
    ),
    term("limit", "The range in which a joint may turn: a hinge, a cone, or an angle."),
    term(
        "master weight",
        "The solver's own weight: scales effector weights, offsets, bend weights, bend limit and maintained rotations.",
    ),
    term("move", "One displacement of one node, with its cause and its formula."),
    term("node", "One of the 13 points that the solver moves. Each stands for the start of a bone."),
    term("pin", "How much the body resists the pull of its limbs in stage 1, from 0 to 1."),
    term(
        "plane",
        "The plane of three nodes. A bone that follows it keeps its animated rotation relative to the plane; pelvis \
         and chest also keep their position.",
    ),
    term("position weight", "How far an effector moves its node toward the target, from 0 to 1."),
    term(
        "pull",
        "How strongly a limb pulls the torso, from 0 to 1. If all pulls add up to more than 1, each acts by \
         its share of the sum.",
    ),
    term("push", "How strongly a compressed limb pushes its shoulder or hip away, from 0 to 1."),
    term("push parent", "The share of a limb's push that the body takes, from −1 to 1."),
    term("ray", "A line downward from above a foot, along which grounding looks for the ground."),
    term("reach", "How early a limb that becomes straight moves its shoulder or hip along, from 0 to 1."),
    term(
        "soft zone",
        "The last part of a limb's reach, in which the end falls behind the target so that the joint does not snap.",
    ),
    term("spine stiffness", "How much the torso's diagonals resist being shortened, from 0 to 1."),
    term("stage", "A step of the solver that moves nodes for one purpose, such as push or stage 1."),
    term("strain", "How much longer or shorter a constraint is than in the animated pose, in percent."),
    term("swing", "The shortest turn of a bone that makes it point in a direction."),
    term("target", "The place where an effector or a chain's end should go."),
    term("trace", "A file with rig, parameters and the nodes after every stage of a solve."),
    term("twist", "The turn of a bone about its own axis, from joint to joint."),
    term("writing", "The last part of a solve, which converts nodes to rotations and positions of bones."),
];
