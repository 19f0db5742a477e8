//! The character that the layers solve.

use std::sync::Arc;

use crate::error::Fault;
use crate::full_body::FullBody;
use crate::grounding::{Legs, Side};
use crate::joints::{JointRanges, Joints};
use crate::locomotion::Sole;
use crate::modifiers::Figure;
use crate::rig::{Biped, Clip, LocalPose, RigidTransform, Skeleton};
use crate::trackers::Wearer;

/// The character that the layers solve: skeleton, solvers and measurements. Clones share the large parts.
#[derive(Clone, Debug)]
pub struct Rig {
    /// The model's name, for messages.
    pub name: String,
    /// The skeleton.
    pub skeleton: Arc<Skeleton>,
    /// The pose with which solvers are initialized; model space.
    pub reference: Arc<Vec<RigidTransform>>,
    /// The full-body solver, or why there is none.
    pub full_body: Result<Arc<FullBody>, String>,
    /// Measurements of the legs, for grounding; `None` until [`Self::with_legs`] adds them.
    pub legs: Option<Legs>,
    /// Soles of the left and the right foot; `None` without legs.
    pub soles: Option<[Sole; 2]>,
    /// Bones and directions for modifiers; `None` for a character that is not a biped.
    pub figure: Option<Arc<Figure>>,
    /// The character as the wearer of trackers, or why it cannot wear any.
    pub wearer: Result<Arc<Wearer>, String>,
    /// Joints for least squares and the position-based solver, or why there are none.
    pub joints: Result<Arc<Joints>, String>,
}

impl Rig {
    /// Makes the rig of a biped; `reference` is as in [`FullBody::new`]. [`Self::with_legs`] adds what grounding needs.
    ///
    /// # Errors
    /// As [`FullBody::new`] and [`Figure::new`].
    pub fn biped(
        name: impl Into<String>,
        skeleton: impl Into<Arc<Skeleton>>,
        biped: &Biped,
        reference: Vec<RigidTransform>,
    ) -> Result<Self, Fault> {
        let skeleton = skeleton.into();
        let full_body = Ok(Arc::new(FullBody::new(&skeleton, biped, &reference)?));
        let figure = Some(Arc::new(Figure::new(&skeleton, biped, &reference)?));
        let reference = Arc::new(reference);
        let rig = Self { name: name.into(), skeleton, reference, full_body, figure, ..Self::default() };
        Ok(rig.with_joints(biped))
    }
}

impl Rig {
    /// Adds the joints of a biped, and the wearer of trackers.
    #[must_use]
    pub fn with_joints(self, biped: &Biped) -> Self {
        let joints = Joints::new(&self.skeleton, biped, &self.reference);
        let joints = joints.map(Arc::new).map_err(|fault| fault.to_string());
        let wearer = match &self.figure {
            Some(figure) => {
                Wearer::new(figure.clone(), &self.reference).map(Arc::new).map_err(|fault| fault.to_string())
            }
            None => Err("the full body cannot solve the biped, so the character cannot wear trackers".to_owned()),
        };
        Self { wearer, joints, ..self }
    }

    /// Samples the clips of the character once, for joint limits from clips. `rest` is the pose of bones that a clip
    /// does not animate. Removes earlier ranges if no pose of the clips can be read. Without joints, changes nothing.
    #[must_use]
    pub fn with_clips(self, rest: &LocalPose, clips: &[Clip]) -> Self {
        let joints = self.joints.as_ref().ok();
        let ranges = joints.and_then(|joints| JointRanges::of_clips(joints, &self.skeleton, rest, clips));
        self.with_clip_ranges(ranges)
    }

    /// Sets the ranges of the clips, from which joint limits can be taken; `None` removes them. Without joints, changes nothing.
    #[must_use]
    pub fn with_clip_ranges(mut self, ranges: Option<JointRanges>) -> Self {
        if let Ok(joints) = &mut self.joints
            && joints.clip_ranges != ranges
        {
            Arc::make_mut(joints).clip_ranges = ranges;
        }
        self
    }

    /// Returns the ranges of the clips; `None` if there are none.
    pub fn clip_ranges(&self) -> Option<&JointRanges> {
        self.joints.as_ref().ok()?.clip_ranges.as_ref()
    }

    /// Sets the legs for grounding, and measures their soles; `None` removes both.
    #[must_use]
    pub fn with_legs(self, legs: Option<Legs>) -> Self {
        let soles = legs.map(|legs| Side::ALL.map(|side| Sole::new(&self.skeleton, &self.reference, &legs, side)));
        Self { legs, soles, ..self }
    }
}

impl Default for Rig {
    /// Returns a character without bones.
    fn default() -> Self {
        Self {
            name: String::new(),
            skeleton: Arc::default(),
            reference: Arc::default(),
            full_body: Err(String::new()),
            legs: None,
            soles: None,
            figure: None,
            wearer: Err(String::new()),
            joints: Err(String::new()),
        }
    }
}
