//! Mappings write the solved nodes back to the bones. Source: *Full-body notes*, «IKMapping».
//!
//! The frame has what the solve needs, mainly positions; mappings add what writing needs: planes and axes of the pose
//! as read. At full weight, a bone with a plane turns by the rotation of its plane since the pose was read, and a bone
//! with an axis takes the shortest rotation that brings the axis to its solved direction.

mod head;
mod limb;
mod spine;

use super::hierarchy::{Hierarchy, KeyPose};
use super::state::Frame;
use crate::lanes::{Layout, Single, TokenOf, decide};

pub use head::write_head;
pub use limb::{LimbMapping, write_limbs};
pub use spine::{CHEST_PLANE, PELVIS_PLANE, SpineMapping};

/// All mappings of a character for one frame.
#[derive(Debug, PartialEq)]
pub struct Mappings<L: Layout = Single> {
    pub spine: SpineMapping<L::One>,
    /// `None` before the first frame.
    pub limbs: Option<L::Each<LimbMapping<L::Limb>>>,
}

impl<L: Layout> Default for Mappings<L> {
    #[inline(always)]
    fn default() -> Self {
        Self { spine: SpineMapping::default(), limbs: None }
    }
}

impl<L: Layout> Clone for Mappings<L> {
    fn clone(&self) -> Self {
        Self { spine: self.spine.clone(), limbs: self.limbs }
    }

    /// Reuses the buffer.
    fn clone_from(&mut self, source: &Self) {
        self.spine.clone_from(&source.spine);
        self.limbs = source.limbs;
    }
}

impl<L: Layout> Mappings<L> {
    /// Clears the spine mapping, for a frame that writes only the limbs.
    pub fn forget_spine(&mut self) {
        self.spine = SpineMapping::default();
    }

    /// Computes the mappings from the pose after the bend limit; at 0 iterations, only those of the limbs.
    #[inline(always)]
    pub fn read(
        &mut self,
        token: TokenOf<L>,
        (hierarchy, root_node): (&Hierarchy, usize),
        keys: &KeyPose<L::One>,
        frame: &Frame<L>,
    ) {
        if decide(frame.iterations > 0) {
            self.spine.read::<L>(token, (hierarchy, root_node), keys, frame);
        }
        self.limbs = Some(L::each(
            #[inline(always)]
            |part| LimbMapping::read::<L>(hierarchy, keys, frame, part),
        ));
    }
}
