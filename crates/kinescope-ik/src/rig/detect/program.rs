//! The order of the search: in the rest pose, in the bind pose, and the choice between them.

use super::super::model::Model;
use super::super::model_pose::ModelPose;
use super::evidence::{Evidence, weighted_bones};
use super::finding::Detection;
use super::mapping::Mapping;
use super::names;
use super::reference::{ReferenceChoice, ReferenceKind};
use super::search::Search;
use super::several::choose_character;
use crate::slices::{finish, pause};

/// Finds the biped in a model. Required roles without a bone are listed in [`Detection::problems`].
pub fn detect(model: &Model, mapping: &Mapping, reference: ReferenceChoice) -> Detection {
    finish(detect_in_slices(model, mapping, reference))
}

/// Does the same as [`detect`], with [pauses](crate::slices) between the searches.
pub fn detect_in_slices(
    model: &Model,
    mapping: &Mapping,
    reference: ReferenceChoice,
) -> impl Future<Output = Detection> {
    detect_async(model, mapping, reference)
}

async fn detect_async(model: &Model, mapping: &Mapping, reference: ReferenceChoice) -> Detection {
    let rest = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
    let bind = model.bind.clone().filter(|bind| bind.bones.len() == model.skeleton.len());
    let mut names = names::read_names(model.skeleton.bones().iter().map(|bone| bone.name.as_str()));
    for bone in 0..names.len() {
        // A bone named as an end is a joint if the limb goes on below it.
        if let Some(parent) = model.skeleton.parent(bone).filter(|&parent| names[parent].is_end && !names[bone].is_end)
        {
            names[parent].is_helper = false;
        }
    }
    let (is_weighted, knows_weights) = weighted_bones(model);
    let all = Evidence { model, mapping, names: &names, is_weighted: &is_weighted, knows_weights, left_out: None };
    pause().await;
    let several = choose_character(&all, &rest);
    let evidence = several.as_ref().map_or(all, |one| one.evidence(&all));

    pause().await;
    let at_rest = Search::run(&evidence, &rest);
    pause().await;
    let distinct = bind.as_ref().filter(|bind| !are_same(&rest, bind, at_rest.size));
    let (search, pose, kind, reason) = match (distinct, reference) {
        (None, ReferenceChoice::Bind) => match bind {
            Some(bind) => (at_rest, bind, ReferenceKind::Bind, "you chose it; the rest pose is the same".to_owned()),
            None => (at_rest, rest, ReferenceKind::Rest, "the file has no bind pose".to_owned()),
        },
        (None, _) => {
            let reason = if bind.is_some() { "rest and bind pose are the same" } else { "the file has no bind pose" };
            (at_rest, rest, ReferenceKind::Rest, reason.to_owned())
        }
        (Some(_), ReferenceChoice::Rest) => (at_rest, rest, ReferenceKind::Rest, "you chose it".to_owned()),
        (Some(bind), choice) => {
            let at_bind = Search::run(&evidence, bind);
            pause().await;
            if choice == ReferenceChoice::Bind {
                (at_bind, bind.clone(), ReferenceKind::Bind, "you chose it".to_owned())
            } else {
                choose(at_rest, rest, at_bind, bind.clone())
            }
        }
    };
    let mut detection = search.finish(&evidence, pose, kind, reason);
    if let Some(one) = several {
        detection.problems.insert(0, one.note);
        detection.characters = one.characters;
    }
    detection
}

fn are_same(a: &ModelPose, b: &ModelPose, size: f32) -> bool {
    a.bones
        .iter()
        .zip(&b.bones)
        .all(|(a, b)| a.position.distance(b.position) <= size * 2e-3 && a.rotation.dot(b.rotation).abs() > 1.0 - 2e-5)
}

fn choose(
    at_rest: Search,
    rest: ModelPose,
    at_bind: Search,
    bind: ModelPose,
) -> (Search, ModelPose, ReferenceKind, String) {
    let (r, b) = (at_rest.unfitness, at_bind.unfitness);
    let bind_wins = b.total() < r.total() - 0.02;
    let (better, worse, other) = if bind_wins { (b, r, "rest") } else { (r, b, "bind") };
    let mut reasons = Vec::new();
    for (better, worse, what) in [
        (better.asymmetry * 5.0, worse.asymmetry * 5.0, "more symmetric"),
        (better.lean * 2.0, worse.lean * 2.0, "more upright"),
        (better.feet_apart * 3.0, worse.feet_apart * 3.0, "more level at the feet"),
        (better.bends, worse.bends, "better bent at elbows and knees"),
    ] {
        if better < worse - 0.02 {
            reasons.push(what);
        }
    }
    let reason = match (better.is_complete, worse.is_complete) {
        (false, false) => "no biped was found in either pose".to_owned(),
        (true, false) => format!("no biped was found in the {other} pose"),
        _ if reasons.is_empty() => format!("it is about as good as the {other} pose"),
        _ => format!("it is {} than the {other} pose", reasons.join(", ")),
    };
    if bind_wins { (at_bind, bind, ReferenceKind::Bind, reason) } else { (at_rest, rest, ReferenceKind::Rest, reason) }
}
