//! Export and import of C# assignments.

use glam::{Quat, Vec3};
use kinescope_ik::csharp::{from_csharp, is_csharp, to_csharp};
use kinescope_ik::full_body::{Effector, Settings, Smoothing};
use kinescope_ik::rig::LimbName;
use proptest::prelude::*;

use crate::common::property::property;

/// The comments at the start of an export: one that stands for all values at their defaults, and the space of vectors.
const HEAD: &str = "// Kinescope: values not listed here have their defaults.
// Positions and rotations assume a character at the world's origin, without rotation.
";
/// The first comment in exports of an earlier version.
const OLD_WHOLE: &str = "// Kinescope: what is not named here is at its default.";

#[test]
fn a_value_off_its_default_is_one_line_by_the_components_name() {
    let mut settings = Settings::default();
    assert_eq!(to_csharp(&settings).lines().count(), 1);
    settings.solver.fabrik_pass = false;
    settings.pin = 0.25;
    settings.chain_mut(LimbName::LeftArm).pull = 0.5;
    settings.chain_mut(LimbName::RightLeg).reach_smoothing = Smoothing::Cubic;
    settings.chain_mut(LimbName::RightLeg).bend_goal = Some(Vec3::new(0.5, 0.25, -1.0));
    settings.chain_mut(LimbName::LeftLeg).maintain_rotation = 1.0;
    let hand = settings.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(Vec3::new(0.4, 1.2, 0.5)), 1.0);
    hand.rotation = Some(Quat::from_xyzw(0.5, 0.5, 0.5, 0.5));
    let expected = r#"solver.FABRIKPass = false;
solver.chain[0].pin = 0.25f; // body
solver.chain[1].pull = 0.5f; // left arm
solver.limbMappings[2].maintainRotationWeight = 1f; // left leg
solver.chain[4].reachSmoothing = FBIKChain.Smoothing.Cubic; // right leg
if (solver.chain[4].bendConstraint.bendGoal == null) solver.chain[4].bendConstraint.bendGoal = new GameObject("bend goal, right leg").transform;
solver.chain[4].bendConstraint.bendGoal.position = new Vector3(-0.5f, 0.25f, -1f); // right leg
solver.leftHandEffector.position = new Vector3(-0.4f, 1.2f, 0.5f);
solver.leftHandEffector.rotation = new Quaternion(0.5f, -0.5f, -0.5f, 0.5f);
solver.leftHandEffector.positionWeight = 1f;
"#;
    let text = to_csharp(&settings);
    assert_eq!(text, format!("{HEAD}{expected}"));
    let mut back = Settings { pin: 0.9, ..Settings::default() };
    assert_eq!(from_csharp(&text, &mut back), Ok(Vec::new()));
    assert_eq!(back, settings);
}

#[test]
fn a_partial_text_changes_only_the_values_it_names() {
    let mut settings = Settings { pin: 0.9, ..Settings::default() };
    let text = "    ik.solver.leftArmChain.pull = .5f; ik.solver.iterations = 2; // both\n\nsolver.leftHandEffector.positionOffset = Vector3.zero;";
    assert_eq!(from_csharp(text, &mut settings), Ok(Vec::new()));
    assert_eq!((settings.pin, settings.chains[0].pull, settings.solver.iterations), (0.9, 0.5, 2));
}

#[test]
fn comments_are_ignored() {
    let text = "/* solver.iterations = 7; // was\n*/ solver.chain[1].pull = 0.5f; /**/ // solver.pin = 1f;\n/*/ solver.pin = 1f; /*/";
    let mut settings = Settings::default();
    assert_eq!(from_csharp(text, &mut settings), Ok(Vec::new()));
    let mut expected = Settings::default();
    expected.chains[0].pull = 0.5;
    assert_eq!(settings, expected);
}

#[test]
fn defaults_are_restored_and_a_pin_is_reported() {
    let mut settings = Settings::default();
    let text = to_csharp(&Settings::default());
    for text in [text.as_str(), OLD_WHOLE] {
        settings.pin = 0.5;
        assert!(is_csharp(text));
        assert_eq!(from_csharp(text, &mut settings), Ok(Vec::new()));
        assert_eq!(settings, Settings::default());
    }
    settings.effector_mut(Effector::LeftFoot).position_weight = 1.0;
    assert!(to_csharp(&settings).contains("\n// left foot: an unset target position or rotation"));
    settings.chain_mut(LimbName::RightArm).clamp_smoothing = 2;
    assert!(to_csharp(&settings).contains("\n// right arm: clamp_smoothing is left out"));
}

#[test]
fn errors_name_the_line_and_change_nothing() {
    for (text, says) in [
        ("\nsolver.chain[9].pull = 1f;", "line 2: \"solver.chain[9].pull\" does not exist"),
        ("solver.iterations = many;", "line 1: solver.iterations: \"many\" is not a whole number"),
        ("solver.iterations = 1.5;", "\"1.5\" is not a whole number"),
        ("solver.iterations = 1000000 * 2;", "line 1: solver.iterations: is 2000000; it must be a whole number from 0"),
        ("solver.chain[1].pull = 2f;", "line 1: chains.left_arm.pull"),
        ("solver.chain[1].pull = NaN;", "\"NaN\" is not a known constant"),
        ("solver.chain[1].pull = Vector3.up;", "is not a number"),
        ("solver.FABRIKPass = 1;", "neither true nor false"),
        ("solver.leftHandEffector.position = new Vector3(1f);", "new Vector3(…) cannot be read"),
        ("solver.leftHandEffector.position = 1f;", "is not a vector"),
        ("solver.leftHandEffector.rotation = Vector3.up;", "is not a rotation"),
        ("solver.leftHandEffector.rotation = new Quaternion(0, 0, 0, 0);", "line 1: effectors.left_hand.rotation"),
        ("solver.Update();", "is not an assignment"),
        ("solver.iterations += 1;", "is not an assignment"),
        ("/* solver.iterations = 2;", "line 1: begins a comment that does not end"),
        ("/* one\ntwo */ solver.iterations = many;", "line 2: solver.iterations"),
        ("solver.chain[1].pushSmoothing = Smoothing.Often;", "neither None, Exponential nor Cubic"),
        ("using UnityEngine;", "contains no assignment"),
    ] {
        let mut settings = Settings { pin: 0.5, ..Settings::default() };
        let error = from_csharp(text, &mut settings).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
        assert_eq!(settings, Settings { pin: 0.5, ..Settings::default() });
    }
}

#[test]
fn code_of_a_game_is_read_and_the_rest_is_listed() {
    let code = r#"
using UnityEngine;
#if UNITY_EDITOR
using UnityEditor;
#endif

namespace Game
{
    /// <summary>Reaches; for a cup.</summary>
    [RequireComponent(typeof(FullBodyBipedIK))]
    public class Reach : MonoBehaviour
    {
        [SerializeField] private FullBodyBipedIK ik;
        public Transform cup { get; set; }
        public float weight = 0.5f;

        void Start()
        {
            ik = GetComponent<FullBodyBipedIK>();
            var solver = ik.solver;
            Debug.Log("solver.iterations = 7;");
            ik.solver.iterations = 2 + 1;
            this.ik.solver.leftHandEffector.positionWeight = (float)1; // full
            ik.solver.leftHandEffector.position =
                Vector3.up * 1.2f + new Vector3(-0.5f, 0, .5f);
            solver.rightHandEffector.rotation = Quaternion.Euler(0, 90f, 0);
            solver.rightHandEffector.target.position = new Vector3(0, 1f, .5f);
            solver.leftArmChain.bendConstraint.direction = Vector3.back;
            if (cup != null)
            {
                solver.rightArmChain.pull = weight;
                solver.rightArmChain.reach = 0.25f;
            }
            if (weight > 0) solver.chain[0].pin = 1f;
            solver.leftLegChain.pull = 7f;
        }
    }
}
"#;
    let mut settings = Settings { pin: 0.25, ..Settings::default() };
    let skipped = from_csharp(code, &mut settings).unwrap();
    let mut expected = Settings { pin: 0.25, ..Settings::default() };
    expected.solver.iterations = 3;
    let hand = expected.effector_mut(Effector::LeftHand);
    (hand.position_weight, hand.position) = (1.0, Some(Vec3::new(0.5, 1.2, 0.5)));
    let hand = expected.effector_mut(Effector::RightHand);
    hand.position = Some(Vec3::new(0.0, 1.0, 0.5));
    expected.chain_mut(LimbName::LeftArm).bend_direction = Some(Vec3::NEG_Z);
    expected.chain_mut(LimbName::RightArm).reach = 0.25;
    // Unity's rotation to the right is a rotation around −Y in right-handed axes.
    let turn = settings.effector_mut(Effector::RightHand).rotation.take().unwrap();
    assert!(turn.abs_diff_eq(Quat::from_rotation_y(-std::f32::consts::FRAC_PI_2), 1e-6), "{turn}");
    assert_eq!(settings, expected);
    let skipped: Vec<String> = skipped.iter().map(ToString::to_string).collect();
    assert_eq!(
        skipped,
        [
            "line 15: \"public float weight\" does not exist in Kinescope's solver",
            "line 19: \"ik\" does not exist in Kinescope's solver",
            "line 21: \"Debug.Log(\\\"solver.iterations = 7;\\\")\" is not an assignment, `name = value;`",
            "line 29: \"if (cup != null)\" is not evaluated; assignments in its block are read",
            "line 31: solver.chain[2].pull: \"weight\" is not a known constant; write its value",
            "line 34: \"if (weight > 0) solver.chain[0].pin = 1f\" is not evaluated; nothing in it is read",
            "line 35: chains.left_leg.pull: is 7; it must be a number from 0 to 1",
        ]
    );
}

#[test]
fn the_header_of_a_for_is_one_statement() {
    let mut settings = Settings::default();
    let code = "for (int i = 0; i < 3; i++)\n{\n    solver.chain[0].pin = 0.5f;\n}\nfor (;;) solver.iterations = 2;";
    let skipped = from_csharp(code, &mut settings).unwrap();
    assert_eq!((settings.pin, settings.solver.iterations), (0.5, 4));
    let skipped: Vec<String> = skipped.iter().map(ToString::to_string).collect();
    assert_eq!(
        skipped,
        [
            "line 1: \"for (int i = 0; i < 3; i++)\" is not evaluated; assignments in its block are read",
            "line 5: \"for (;;) solver.iterations = 2\" is not evaluated; nothing in it is read",
        ]
    );
}

const PARTS: [&str; 40] = [
    "solver.",
    "ik.",
    "iterations",
    "leftHandEffector.",
    "position",
    "positionWeight",
    "rotation",
    "chain[1].",
    "pull",
    "leftArmChain.",
    "bendConstraint.bendGoal",
    " = ",
    ";",
    "\n",
    "{",
    "}",
    "(",
    ")",
    ",",
    "new ",
    "Vector3",
    "Vector3.up",
    "Quaternion.Euler",
    "Quaternion",
    "0.5f",
    "1e9",
    ".5",
    "-",
    "*",
    "/",
    "//",
    "/*",
    "*/",
    "\"",
    "'",
    "#if",
    "[",
    "]",
    "é",
    "Smoothing.Cubic",
];

property! {
    #[test]
    fn any_code_is_read_without_a_panic(parts in proptest::collection::vec(0..PARTS.len(), 0..40), other in ".{0,40}") {
        let code: String = parts.iter().map(|&at| PARTS[at]).collect();
        for code in [format!("{code}{other}"), format!("solver.iterations = 2;{code}"), other] {
            let mut settings = Settings::default();
            let done = from_csharp(&code, &mut settings);
            prop_assert!(settings.validate().is_ok(), "{code}");
            prop_assert!(done.is_ok() || settings == Settings::default(), "{code}");
            is_csharp(&code);
        }
    }

    #[test]
    fn exported_settings_are_read_back(pull in 0f32..=1.0, x in -9f32..9.0, y in -9f32..9.0, limb in 0..4usize, iterations in 0..=16u32) {
        let mut settings = Settings::default();
        settings.solver.iterations = iterations;
        let chain = &mut settings.chains[limb];
        (chain.pull, chain.bend_goal, chain.bend_direction) = (pull, Some(Vec3::new(x, y, 1.0)), Some(Vec3::new(1.0, x, y)));
        settings.effectors[limb].position = Some(Vec3::new(x, 0.5, y));
        let mut back = Settings { pin: 0.5, ..Settings::default() };
        prop_assert_eq!(from_csharp(&to_csharp(&settings), &mut back), Ok(Vec::new()));
        prop_assert_eq!(back, settings);
    }
}
