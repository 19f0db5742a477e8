use kinescope::animation::Clip;
use kinescope::rig::{ModelPose, Skeleton};
pub fn clips(_skeleton: &Skeleton, _rest: &ModelPose) -> Vec<Clip> {
    vec![]
}
