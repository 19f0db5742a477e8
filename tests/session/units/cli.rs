//! Tests of `src/cli`.

mod inspect {
    use kinescope::cli::inspect::{counted, width};

    #[test]
    fn columns_of_texts_are_counted() {
        assert_eq!(["Hips", "–", "左足", "LeftFoot 左"].map(width), [4, 1, 4, 11]);
        assert_eq!(counted((1, "clip")), "1 clip");
        assert_eq!(counted((0, "vertex")), "0 vertices");
    }
}
