//! Whether a biped made by hand can be solved, and what is odd about it.

use super::body::FullBody;
use crate::error::Fault;
use crate::rig::detect::oddities;
use crate::rig::{Biped, LimbName, RigidTransform, Skeleton};

/// Holds a biped against its skeleton and reference pose (model space): what is odd about it, a sentence each that names the
/// bones, as a straight limb, or one that is longer than its counterpart. None of that keeps it from being solved.
///
/// # Errors
/// [`Fault`] that says why it cannot be solved at all: a bone that is not there, has two roles or no place, a limb without
/// a length.
pub fn check(skeleton: &Skeleton, biped: &Biped, reference: &[RigidTransform]) -> Result<Vec<String>, Fault> {
    let solver = FullBody::new(skeleton, biped, reference)?;
    for limb in LimbName::ALL {
        let [a, b, c] = biped.limb(limb).bones.map(|bone| reference[bone].position);
        let (upper, lower) = (a.distance(b), b.distance(c));
        if upper.min(lower) <= upper.max(lower) * 1e-3 {
            let place = format!("biped.{}", limb.label().replace(' ', "_"));
            return Err(Fault::new(place, "has a bone of no length: name its three joints, root to end"));
        }
    }
    Ok(oddities(skeleton, biped, reference, solver.facing()))
}
