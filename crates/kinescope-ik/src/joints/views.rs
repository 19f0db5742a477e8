//! The joints as a debugger lists them.

use glam::Vec3;

use super::joint::{Joint, JointIndex, Joints, MAX_JOINTS};
use crate::rig::LimbName;
use crate::stepped::run::{Hinge, PointView, Rod, Tint};

impl Joints {
    pub(crate) fn points(&self, tint: impl Fn(JointIndex) -> Tint) -> Vec<PointView> {
        let point = |(joint, own): (JointIndex, &Joint)| {
            let label = self.label(joint);
            PointView { key: label.replace(' ', "_"), label, tint: tint(joint), bone: Some(own.bone) }
        };
        self.all().iter().enumerate().map(point).collect()
    }

    pub(crate) fn hinges(&self) -> Vec<Hinge> {
        let hinge = |limb: LimbName| Hinge {
            label: limb.joint_label().to_owned(),
            root: limb.root_label().to_owned(),
            points: self.limb(limb),
        };
        LimbName::ALL.map(hinge).into()
    }

    pub(crate) fn rods(&self, offsets: &[Vec3; MAX_JOINTS]) -> Vec<Rod> {
        let rod = |(joint, own): (JointIndex, &Joint)| {
            let parent = own.parent?;
            Some(Rod { label: self.label(joint), points: [parent, joint], length: offsets[joint].length() })
        };
        self.all().iter().enumerate().filter_map(rod).collect()
    }
}
