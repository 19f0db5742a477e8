//! Writes the solved nodes to the bones, as a program of steps. Source: *Full-body notes*, «IKMapping».
//!
//! Writing starts from the pose after the bend limit and the solved nodes. Spine and head come first, then clavicle,
//! both bones and the end of each limb. Moving a bone carries its descendants.

use super::body::FullBody;
use super::hierarchy::Hierarchy;
use super::mapping::{Mappings, write_head, write_limbs};
use super::state::{Frame, Points};
use super::written::{BoneMove, Part, Written};
use crate::lanes::{Layout, Number, Single, decide};
use crate::stepped::{Flow, Stepped, Watch};
use crate::timing::Laps;

/// Writing of a frame, as a program of steps.
#[derive(Clone, Copy, Debug)]
pub struct Writing<'a, L: Layout = Single> {
    hierarchy: &'a Hierarchy,
    mappings: &'a Mappings<L>,
    frame: &'a Frame<L>,
    points: &'a Points<L>,
    next: usize,
}

impl<'a, L: Layout> Writing<'a, L> {
    pub(crate) fn new(
        solver: &'a FullBody,
        mappings: &'a Mappings<L>,
        frame: &'a Frame<L>,
        points: &'a Points<L>,
    ) -> Self {
        Self { hierarchy: &solver.hierarchy, mappings, frame, points, next: 0 }
    }

    /// Returns whether a part is written. At master weight 0 no part is; with 0 iterations, only the limbs are; a head
    /// only if the character has one.
    #[inline(always)]
    fn is_written(&self, part: Part) -> bool {
        self.frame.weight.lane(0) > 0.0
            && match part {
                Part::Spine => self.frame.iterations > 0,
                Part::Head => self.frame.iterations > 0 && decide(self.hierarchy.head.is_some()),
                _ => true,
            }
    }

    /// Runs every step. If `laps` has a clock, measures the time of the spine's swing and twist.
    ///
    /// Not inlined, because compiling a copy takes seconds.
    #[inline(never)]
    pub(crate) fn all(self, written: &mut Written<L::One>, laps: &mut Laps) {
        self.all_watched(written, laps);
    }

    /// Runs every step. Writes the limbs of a part at once if none has a bone below another limb.
    #[inline(always)]
    pub(crate) fn all_watched(mut self, written: &mut Written<L::One>, watch: &mut impl Watch<BoneMove>) {
        if !self.hierarchy.are_limbs_apart && L::PARTS == 1 {
            while let Some(part) = self.next(written) {
                let _ = self.run(written, part, watch);
            }
            return;
        }
        for part in [Part::Spine, Part::Head].into_iter().filter(|&part| self.is_written(part)) {
            let _ = self.write(written, part, watch);
        }
        for part in (0..L::PARTS).filter(|_| self.is_written(Part::LeftArm)) {
            let Self { hierarchy, mappings, frame, points, .. } = self;
            let _ = write_limbs(&mappings.limbs, hierarchy, written, frame, points, (part, None), watch);
        }
    }
}

impl<L: Layout> Stepped for Writing<'_, L> {
    type Step = Part;
    type State = Written<L::One>;
    type Event = BoneMove;

    fn next(&mut self, _: &Written<L::One>) -> Option<Part> {
        let rest = Part::ALL.get(self.next..)?;
        let skipped = rest.iter().position(|&part| self.is_written(part))?;
        self.next += skipped + 1;
        Some(rest[skipped])
    }

    /// Runs a step, then updates every bone, so that the bones can be inspected between steps.
    fn run(&mut self, written: &mut Written<L::One>, part: Part, watch: &mut impl Watch<BoneMove>) -> Flow {
        let flow = self.write(written, part, watch);
        written.keys.settle(self.hierarchy);
        flow
    }
}

impl<L: Layout> Writing<'_, L> {
    #[inline(always)]
    fn write<W: Watch<BoneMove>>(&self, written: &mut Written<L::One>, part: Part, watch: &mut W) -> Flow {
        let Self { hierarchy, mappings, frame, points, .. } = *self;
        match (part, part.limb()) {
            (_, Some(limb)) => {
                let of = (L::place(limb).0, Some(limb));
                write_limbs(&mappings.limbs, hierarchy, written, frame, points, of, watch)
            }
            (Part::Head, _) => write_head(hierarchy, written, frame, watch),
            _ => mappings.spine.write(hierarchy, written, frame, points, watch),
        }
    }
}
