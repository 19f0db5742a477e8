use std::sync::OnceLock;

use kinescope_ik::full_body::{FullBody, Settings};
use kinescope_ik::rig::{Biped, Detection, Mapping, Model, ModelPose, ReferenceChoice, RigidTransform, detect, import};
use kinescope_ik::stack::{Input, Rig, Stack};

pub const BYTES: &[u8] = include_bytes!("../../../../assets/biped.glb");

pub struct BuiltIn {
    pub model: Model,
    pub found: Detection,
    pub solver: FullBody,
}

pub fn built_in() -> &'static BuiltIn {
    static BUILT_IN: OnceLock<BuiltIn> = OnceLock::new();
    BUILT_IN.get_or_init(|| {
        let model = import("biped.glb", BYTES, &mut |uri| Err(uri.to_owned())).unwrap();
        let found = detect(&model, &Mapping::default(), ReferenceChoice::Auto);
        let solver = FullBody::new(&model.skeleton, found.biped.as_ref().unwrap(), &found.reference.bones).unwrap();
        BuiltIn { model, found, solver }
    })
}

pub fn input(settings: &Settings, pose: Vec<RigidTransform>) -> Input {
    let stack = Stack { full_body: *settings, ..Stack::default() };
    Input::new(stack, ModelPose::rigid(pose))
}

impl BuiltIn {
    pub fn biped(&self) -> &Biped {
        self.found.biped.as_ref().unwrap()
    }

    pub fn rig(&self) -> Rig {
        Rig::biped(&self.model.name, self.model.skeleton.clone(), self.biped(), self.reference().to_vec()).unwrap()
    }

    pub fn reference(&self) -> &[RigidTransform] {
        &self.found.reference.bones
    }

    /// Returns a clip's pose at a time in seconds, in model space.
    pub fn pose(&self, clip: &str, time: f32) -> Vec<RigidTransform> {
        let clip = self.model.clips.iter().find(|own| own.name == clip).unwrap();
        let mut local = self.model.skeleton.rest_pose();
        clip.sample(time, &mut local);
        ModelPose::from_local(&self.model.skeleton, &local).bones
    }
}
