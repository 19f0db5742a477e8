//! The macro `property!`, with which the other property tests are written.

use std::cell::RefCell;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::common::property::{Property, property};

property! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 1000, ..ProptestConfig::default() })]

    #[test]
    #[should_panic(expected = "minimal failing input: mut number = 5, (a, b) = (\n    0,\n    false,\n)")]
    fn a_failure_prints_the_smallest_values(mut number in 5..1000u32, (a, b) in (0..9u8, any::<bool>())) {
        number += 1;
        prop_assert!(number < 6, "{} {}", a, b);
    }

    #[test]
    #[should_panic(expected = "minimal failing input: number = 5")]
    fn a_panic_is_a_failure(number in 5..1000u32) {
        assert!(number < 5);
    }

    #[test]
    #[should_panic(expected = "Too many global rejects")]
    fn rejected_cases_do_not_count(number in 5..1000u32) {
        prop_assume!(number < 5);
    }
}

#[test]
fn cases_are_those_of_proptest() {
    let config = ProptestConfig { rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() };
    let (theirs, ours) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
    proptest!(config.clone(), |(number in 0..1000u32, word in "[a-z]{3}")| theirs.borrow_mut().push((number, word)));
    let property = Property { name: module_path!(), file: file!(), arguments: &["number", "word"], config };
    property.check((0..1000u32, "[a-z]{3}"), |case| {
        ours.borrow_mut().push(case);
        Ok(())
    });
    assert!(!ours.borrow().is_empty());
    assert_eq!(ours, theirs);
}
