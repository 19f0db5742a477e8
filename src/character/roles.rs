use std::sync::Arc;

use kinescope_ik::full_body::{FullBody, Workspace};
use kinescope_ik::grounding::Legs;
use kinescope_ik::locomotion::Walker;
use kinescope_ik::modifiers::Figure;
use kinescope_ik::rig::Model;
use kinescope_ik::rig::detect::{Detection, Mapping, ReferenceChoice, detect_in_slices};
use kinescope_ik::slices::{finish, pause};
use kinescope_ik::stack::Rig;

pub struct Roles {
    pub(super) detection: Detection,
    pub(super) rig: Rig,
    pub(super) walker: Option<Arc<Walker>>,
    pub(super) mapped: (Mapping, ReferenceChoice),
}

impl Roles {
    /// Detects the roles of a model, and measures its clips. For thousands of bones or hundreds of clips this takes as
    /// long as many frames, so background jobs use [`Self::find_in_slices`].
    pub fn find(model: &Model, mapping: &Mapping, reference: ReferenceChoice) -> Self {
        finish(Self::find_in_slices(model, mapping, reference, &mut |_| {}))
    }

    pub(crate) async fn find_in_slices(
        model: &Model,
        mapping: &Mapping,
        reference: ReferenceChoice,
        progress: &mut dyn FnMut(f32),
    ) -> Self {
        let detection = detect_in_slices(model, mapping, reference).await;
        pause().await;
        let rig = make_rig(model, &detection).with_clips(&model.skeleton.rest_pose(), &model.clips);
        pause().await;
        let walker = match rig.legs {
            None => None,
            Some(legs) => {
                let (skeleton, rest) = (&model.skeleton, model.skeleton.rest_pose());
                let reference = &detection.reference.bones;
                let walker = Walker::new_in_slices(skeleton, reference, &rest, &model.clips, legs, progress).await;
                Some(Arc::new(walker))
            }
        };
        Self { rig, walker, detection, mapped: (mapping.clone(), reference) }
    }
}

pub(super) fn workspace_of(rig: &Rig) -> Option<Workspace> {
    rig.full_body.as_ref().ok().map(|solver| solver.workspace())
}

pub(super) fn make_rig(model: &Model, detection: &Detection) -> Rig {
    let (skeleton, reference) = (&model.skeleton, &detection.reference);
    let full_body = match &detection.biped {
        None => Err(match detection.problems.first() {
            Some(problem) => format!("no biped: {problem}"),
            None => "no biped was found".to_owned(),
        }),
        Some(biped) => {
            FullBody::new(skeleton, biped, &reference.bones).map(Arc::new).map_err(|error| error.to_string())
        }
    };
    let biped = detection.biped.as_ref();
    let legs = biped.and_then(|biped| Legs::new(model, biped, reference, detection.facing).ok());
    let of_biped = |biped| Figure::new(skeleton, biped, &reference.bones).ok();
    let figure = biped.filter(|_| full_body.is_ok()).and_then(of_biped).map(Arc::new);
    let rig = Rig {
        figure,
        name: model.name.clone(),
        skeleton: skeleton.clone(),
        reference: Arc::new(reference.bones.clone()),
        full_body,
        ..Rig::default()
    };
    let rig = rig.with_legs(legs);
    match biped {
        Some(biped) => rig.with_joints(biped),
        None => rig,
    }
}
