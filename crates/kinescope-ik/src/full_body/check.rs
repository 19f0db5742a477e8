//! Check of a biped, for example one that was mapped by hand.

use super::body::FullBody;
use crate::error::Fault;
use crate::rig::detect::oddities;
use crate::rig::{Biped, LimbName, RigidTransform, Skeleton};

/// Checks a biped against its skeleton and reference pose (model space). Returns one sentence per oddity, naming the
/// bones: for example a straight limb, or one longer than its counterpart. Oddities do not prevent solving.
///
/// # Errors
/// As [`FullBody::new`]; also [`Fault`] if bone 1 or bone 2 of a limb is at most a thousandth as long as the other.
pub fn check(skeleton: &Skeleton, biped: &Biped, reference: &[RigidTransform]) -> Result<Vec<String>, Fault> {
    let solver = FullBody::new(skeleton, biped, reference)?;
    for limb in LimbName::ALL {
        let [a, b, c] = biped.limb(limb).bones.map(|bone| reference[bone].position);
        let (upper, lower) = (a.distance(b), b.distance(c));
        if upper.min(lower) <= upper.max(lower) * 1e-3 {
            let place = format!("biped.{}", limb.label().replace(' ', "_"));
            return Err(Fault::new(place, "has a bone of almost no length: map its three joints from root to end"));
        }
    }
    Ok(oddities(skeleton, biped, reference, solver.facing()))
}
