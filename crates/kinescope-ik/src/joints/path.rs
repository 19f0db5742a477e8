//! The joints that carry an effector.

use super::limits::MAX_JOINTS;

/// The joints from the pelvis to the joint of an effector, both included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Path {
    len: u8,
    joints: [u8; MAX_JOINTS],
}

impl Path {
    /// Makes a path from its joints in reverse order, the pelvis last; takes at most [`MAX_JOINTS`].
    pub fn from_end(joints: impl Iterator<Item = usize>) -> Self {
        let mut path = Self::default();
        for (own, joint) in path.joints.iter_mut().zip(joints) {
            *own = joint as u8;
            path.len += 1;
        }
        path.joints[..usize::from(path.len)].reverse();
        path
    }

    /// Returns the joints, the pelvis first.
    #[inline(always)]
    pub fn joints(&self) -> &[u8] {
        &self.joints[..usize::from(self.len).min(MAX_JOINTS)]
    }
}
