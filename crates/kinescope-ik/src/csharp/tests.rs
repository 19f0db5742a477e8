//! Names of declarations.

use super::slots::{add_all, slots};
use crate::full_body::{ChainSettings, Effector, EffectorSettings, Settings, SolverSettings};
use crate::parameter::{Declaration, Declared, settings};

#[test]
fn every_declared_name_has_a_slot() {
    let named = |table: &[Declaration]| table.iter().filter(|own| !own.csharp.is_empty()).count();
    let (solver, chain) = (named(SolverSettings::DECLARATIONS), named(ChainSettings::DECLARATIONS));
    let (effector, own) = (named(EffectorSettings::DECLARATIONS), named(Settings::DECLARATIONS));
    assert_eq!((solver, chain, effector, own), (9, 11, 6, 1));
    assert_eq!(slots(&mut Settings::default()).len(), solver + own + 4 * chain + Effector::COUNT * effector);
    settings! {
        /// A table with a setting that the solver does not have.
        pub struct Table {
            /// How springy it is.
            spring: f32 = 0.5, from 0 to 1 in Share,
                too little: "Stiff.",
                too much: "Soft.",
                csharp: "solver.{effector}Effector.spring // new";
            /// A setting that the component does not have.
            hidden: bool = false;
        }
    }
    let (mut table, mut all) = (Table::default(), Vec::new());
    add_all(&mut all, &mut table, &[("{effector}", "leftHand")]);
    let lines: Vec<_> = all.iter().map(|(name, whose, slot)| (&**name, &**whose, slot.value().unwrap())).collect();
    assert_eq!(lines, [("solver.leftHandEffector.spring", "new", "0.5f".to_owned())]);
}
