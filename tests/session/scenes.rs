//! Scenes do what their purposes and hints say. Those of the full body do so on characters of different sizes and
//! poses.

use glam::{Quat, Vec3};
use kinescope_ik::full_body::Recording;
use kinescope_ik::full_body::child_constraint::PAIRS;
use kinescope_ik::full_body::{Chain, Effector, Node, Settings, Stage, State};
use kinescope_ik::math::{sine, unit_or_zero};
use kinescope_ik::modifiers::Modifier;
use kinescope_ik::rig::{BoneIndex, LimbName, ModelPose};
use kinescope_ik::stack::{self, Frame, Input, LayerId, MeasureId, Stack, Tools};

use crate::common;
use crate::common::figure::{has_human_proportions, is_as_in_ground_truth};
use crate::common::session::in_scene;
use kinescope::character::{BuiltIn, Character};
use kinescope::scenes::{RestPose, SCENES, Scene};
use kinescope::session::Action;
use kinescope::session::commands::Command;

struct Subject {
    character: Character,
    measures: RestPose,
    rest: ModelPose,
}

struct Solved {
    recording: Recording,
    /// State before the closing pass, which puts hands and feet on their targets even if the limbs are too short.
    state: State,
    pose: ModelPose,
    frame: Frame,
}

/// Returns the built-in character, and the sample models of a person's proportions whose roles are detected as in the
/// ground truth.
fn subjects() -> Vec<Subject> {
    let mut characters = vec![Character::built_in().unwrap()];
    if let Some(folder) = common::shared("models") {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| ["glb", "gltf", "vrm"].iter().any(|other| extension == *other))
            {
                let character = Character::load(&path).unwrap();
                if has_human_proportions(&character.model)
                    && is_as_in_ground_truth(&folder, &character.model, &character.detection)
                {
                    characters.push(character);
                }
            }
        }
    }
    assert!(characters.len() == 1 || characters.len() > 7, "{} characters", characters.len());
    characters.into_iter().map(Subject::new).collect()
}

fn settings(scene: &str, subject: &Subject) -> Settings {
    Scene::find(scene).unwrap_or_else(|| panic!("{scene}")).document(&subject.measures).stack.full_body
}

fn strain(index: usize) -> String {
    let [a, b] = PAIRS[index];
    format!("{}_{}_strain", a.key(), b.key())
}

fn stretch(limb: LimbName) -> String {
    format!("{}_stretch", Chain::from(limb).key())
}

fn each(scene: &str, mut check: impl FnMut(&Subject, Settings)) {
    for subject in subjects() {
        println!("{scene}: {}", subject.character.model.name);
        check(&subject, settings(scene, &subject));
    }
}

impl Subject {
    fn new(character: Character) -> Self {
        let rest = ModelPose::from_local(&character.model.skeleton, &character.rest);
        Self { measures: RestPose::of(&character), rest, character }
    }

    fn bone(&self, node: Node) -> BoneIndex {
        self.character.rig.full_body.as_ref().unwrap().bone_of(node)
    }

    fn solve(&self, settings: &Settings) -> Solved {
        let stack = Stack { full_body: *settings, ..Stack::default() };
        stack.validate().unwrap();
        let frame = stack::solve(&self.character.rig, Tools::default(), &Input::new(stack, self.rest.clone()));
        let recording = frame.full_body().unwrap().recording.clone();
        let pose = ModelPose { bones: frame.pose.clone(), ..self.rest.clone() };
        Solved { state: recording.solve.steps[recording.settled()].state, recording, pose, frame }
    }

    fn with(&self, settings: &Settings, change: impl FnOnce(&mut Settings)) -> Solved {
        let mut settings = *settings;
        change(&mut settings);
        self.solve(&settings)
    }

    fn at_rest(&self, node: Node) -> Vec3 {
        self.rest.position(self.bone(node))
    }

    /// Returns a node's displacement from rest to the left, up and forward, as fractions of the character's height.
    fn moved(&self, solved: &Solved, node: Node) -> Vec3 {
        let by = (solved.state.node(node) - self.at_rest(node)) / self.measures.height;
        Vec3::new(by.dot(self.measures.left), by.y, by.dot(self.measures.facing))
    }

    fn written(&self, solved: &Solved, node: Node) -> Vec3 {
        solved.pose.position(self.bone(node))
    }

    fn measure(&self, solved: &Solved, key: &str) -> f32 {
        let id = MeasureId::Of(LayerId::FullBody, key.to_owned());
        solved.frame.outcome(&id).unwrap_or_else(|| panic!("no measure {key}"))
    }

    fn residual(&self, solved: &Solved) -> f32 {
        let weighted = |effector: Effector| {
            let weight = solved.recording.frame.effector(effector).position_weight;
            weight * self.measure(solved, &format!("{}_node_error", effector.key()))
        };
        Effector::ALL.map(weighted).iter().sum::<f32>() / self.measures.height
    }

    fn error(&self, solved: &Solved, effector: Effector) -> f32 {
        self.measure(solved, &format!("{}_node_error", effector.key())) / self.measures.height
    }

    fn elbow_between(&self, a: &Solved, b: &Solved) -> f32 {
        self.written(a, Node::LeftForearm).distance(self.written(b, Node::LeftForearm)) / self.measures.height
    }
}

#[test]
fn every_scene_is_finite_and_keeps_bones_whole() {
    for subject in subjects() {
        for scene in SCENES {
            let label = format!("{} on {}", scene.name, subject.character.model.name);
            let solved = subject.solve(&settings(scene.name, &subject));
            assert!(solved.pose.bones.iter().all(|bone| bone.is_finite()), "{label}");
            assert!(
                solved.recording.solve.steps.iter().all(|step| step
                    .state
                    .nodes()
                    .0
                    .iter()
                    .all(|node| node.is_finite()))
            );
            for limb in LimbName::ALL {
                let [first, second, last] = Node::of_limb(limb);
                for (a, b) in [(first, second), (second, last)] {
                    let length = subject.written(&solved, a).distance(subject.written(&solved, b));
                    let before = subject.at_rest(a).distance(subject.at_rest(b));
                    assert!((length - before).abs() < 1e-4 * subject.measures.height, "{label}: {a:?}–{b:?}");
                }
            }
        }
    }
}

#[test]
fn standing_characters_stay() {
    each("stand", |subject, settings| {
        let solved = subject.solve(&settings);
        for foot in [Node::LeftFoot, Node::RightFoot] {
            let by = subject.written(&solved, foot).distance(subject.at_rest(foot));
            assert!(by < 0.005 * subject.measures.height, "{by}");
        }
        assert!(subject.moved(&solved, Node::Body).length() < 0.02);
    });
}

#[test]
fn a_far_target_takes_the_body_along_by_pull() {
    each("reach up and far", |subject, settings| {
        let arm = subject.measures.limb_length(LimbName::LeftArm);
        let target = settings.effector(Effector::LeftHand).position.unwrap();
        assert!(target.distance(subject.at_rest(Node::LeftUpperArm)) > arm * 1.3);
        let solved = subject.solve(&settings);
        let by = subject.moved(&solved, Node::Body);
        let without = subject.moved(&subject.with(&settings, |s| s.chains[0].pull = 0.0), Node::Body);
        assert!(by.length() > 0.02 && by.length() > 1.2 * without.length(), "{by} {without}");
        assert!(subject.error(&solved, Effector::LeftHand) < 0.1);
        assert!(subject.measure(&solved, &stretch(LimbName::LeftArm)) > 0.99);
    });
}

#[test]
fn one_arm_braces() {
    each("reach and brace", |subject, settings| {
        let error = |solved: &Solved| subject.error(solved, Effector::LeftHand);
        let before = error(&subject.solve(&settings));
        let after = error(&subject.with(&settings, |s| s.chains[1].pull = 0.0));
        assert!(after < before, "{after} {before}");
    });
}

#[test]
fn the_spine_shares_the_twist_of_the_shoulders() {
    each("reach with twist", |subject, settings| {
        let across = |solved: &Solved, [left, right]: [Node; 2]| {
            let across = subject.written(solved, left) - subject.written(solved, right);
            across.z.atan2(across.x).to_degrees()
        };
        let twist = |solved: &Solved| {
            let [hips, shoulders] = [[Node::LeftThigh, Node::RightThigh], [Node::LeftUpperArm, Node::RightUpperArm]];
            across(solved, shoulders) - across(solved, hips)
        };
        let solved = subject.solve(&settings);
        assert!(twist(&solved).abs() > 10.0, "{}", twist(&solved));
    });
}

#[test]
fn without_the_fabrik_pass_an_arm_flies_off() {
    each("flying arm", |subject, settings| {
        let off = |solved: &Solved| {
            let chest = |node| subject.written(solved, node);
            let between = chest(Node::LeftUpperArm).distance(chest(Node::RightUpperArm));
            between / subject.at_rest(Node::LeftUpperArm).distance(subject.at_rest(Node::RightUpperArm)) - 1.0
        };
        let flies = off(&subject.solve(&settings));
        let stays = off(&subject.with(&settings, |s| s.solver.fabrik_pass = true));
        assert!(flies > 0.3 && stays.abs() < 0.05, "{flies} {stays}");
    });
}

#[test]
fn a_hand_on_the_ground_lowers_the_body() {
    each("one hand on the ground", |subject, settings| {
        let by = |pull: f32| {
            let solved = subject.with(&settings, |s| s.solver.pull_body_vertical = pull);
            let [left, right] = [Node::LeftUpperArm, Node::RightUpperArm].map(|node| subject.moved(&solved, node));
            (subject.moved(&solved, Node::Body).y, (left + right).z / 2.0)
        };
        let solved = subject.solve(&settings);
        assert!(subject.error(&solved, Effector::LeftHand) < 0.05);
        assert!(subject.error(&solved, Effector::LeftFoot) < 0.03);
        let [none, half, all] = [0.0, 0.5, 1.0].map(by);
        assert_eq!(half.0, subject.moved(&solved, Node::Body).y);
        assert!(half.0 < -0.1 && none.0 > half.0 + 0.05 && all.0 < half.0 - 0.05, "{none:?} {half:?} {all:?}");
        // The less the character squats, the more it bows.
        assert!(none.1 > half.1);
    });
}

#[test]
fn hands_at_odds_share_the_body_by_pull() {
    each("two hands at odds", |subject, settings| {
        let even = subject.moved(&subject.solve(&settings), Node::Body);
        let right = subject.moved(&subject.with(&settings, |s| s.chains[0].pull = 0.2), Node::Body);
        assert!(even.x.abs() < 0.005 && right.x < -0.01, "{even} {right}");
    });
}

#[test]
fn push_parent_pushes_the_body() {
    each("push against a wall", |subject, settings| {
        let back = |solved: &Solved| subject.moved(solved, Node::Body).z;
        let pushed = back(&subject.solve(&settings));
        let shoulders_only = back(&subject.with(&settings, |s| {
            (s.chains[0].push_parent, s.chains[1].push_parent) = (0.0, 0.0);
        }));
        let none = back(&subject.with(&settings, |s| (s.chains[0].push, s.chains[1].push) = (0.0, 0.0)));
        assert!(pushed < shoulders_only - 0.02 && shoulders_only < none + 1e-3, "{pushed} {shoulders_only} {none}");
    });
}

#[test]
fn a_crouch_bends_the_knees_and_leaves_the_feet() {
    each("crouch", |subject, settings| {
        let solved = subject.solve(&settings);
        assert!((subject.moved(&solved, Node::Body).y + 0.18).abs() < 0.01);
        for (leg, foot) in [(LimbName::LeftLeg, Effector::LeftFoot), (LimbName::RightLeg, Effector::RightFoot)] {
            assert!(subject.error(&solved, foot) < 0.01);
            assert!(subject.measure(&solved, &stretch(leg)) < 0.8);
        }
    });
}

#[test]
fn feet_apart_pull_the_body_down() {
    each("crouch by feet", |subject, settings| {
        let solved = subject.solve(&settings);
        assert!(subject.moved(&solved, Node::Body).y < -0.03);
        let without = subject.with(&settings, |s| (s.chains[2].pull, s.chains[3].pull) = (0.0, 0.0));
        let foot = |solved: &Solved| subject.error(solved, Effector::LeftFoot);
        assert!(subject.moved(&without, Node::Body).length() < 0.005);
        assert!(foot(&without) > foot(&solved) + 0.005, "{} {}", foot(&without), foot(&solved));
        // Both feet have targets, the left one raised.
        let mut lifted = settings;
        for foot in [Effector::LeftFoot, Effector::RightFoot] {
            lifted.effector_mut(foot).position = Some(subject.measures.effectors[foot as usize]);
        }
        let lift = Vec3::Y * 0.15 * subject.measures.height;
        *lifted.effector_mut(Effector::LeftFoot).position.as_mut().unwrap() += lift;
        let folded = subject.solve(&lifted);
        let pushed = subject.with(&lifted, |s| (s.chains[2].push, s.chains[2].push_parent) = (1.0, 1.0));
        assert!(subject.moved(&folded, Node::Body).y.abs() < 0.01);
        assert!(subject.moved(&pushed, Node::Body).y > subject.moved(&folded, Node::Body).y + 0.01);
    });
}

#[test]
fn a_pinned_body_stays() {
    each("pin the body", |subject, settings| {
        let by = |pin: f32| subject.moved(&subject.with(&settings, |s| s.pin = pin), Node::Body).length();
        let [free, half, pinned] = [0.0, 0.5, 1.0].map(by);
        assert!(pinned < 1e-5 && half > 0.01 && free > half + 0.005, "{free} {half} {pinned}");
        assert_eq!(settings.pin, 1.0);
        let lacks = |pin: f32| subject.error(&subject.with(&settings, |s| s.pin = pin), Effector::LeftFoot);
        assert!(lacks(1.0) > lacks(0.0) + 0.005);
        let unpinned = Settings { pin: 0.0, ..settings };
        assert_eq!(unpinned, self::settings("crouch by feet", subject));
    });
}

#[test]
fn stiffness_keeps_the_torso_from_caving_in() {
    each("spine stiffness", |subject, settings| {
        let strain = |stiffness: f32| {
            let solved = subject.with(&settings, |s| s.solver.spine_stiffness = stiffness);
            subject.measure(&solved, &strain(0))
        };
        assert_eq!(strain(settings.solver.spine_stiffness), strain(0.0));
        assert!(strain(0.0) < -0.15 && strain(0.0) < strain(0.5) && strain(0.5) < strain(1.0));
        assert!(strain(1.0) > strain(0.0) / 2.0);
    });
}

#[test]
fn shoulders_and_thighs_follow_their_own_targets() {
    each("shoulders and thighs by hand", |subject, settings| {
        let solved = subject.solve(&settings);
        for effector in [Effector::LeftShoulder, Effector::RightShoulder, Effector::LeftThigh, Effector::RightThigh] {
            let target = settings.effector(effector).position.unwrap();
            let wanted = target.distance(subject.at_rest(effector.node())) / subject.measures.height;
            let lacks = subject.error(&solved, effector);
            assert!(wanted > 0.01 && lacks < wanted / 2.0, "{effector:?} lacks {lacks} of {wanted}");
        }
        let left = subject.moved(&solved, Node::LeftUpperArm).z - subject.moved(&solved, Node::LeftThigh).z;
        let right = subject.moved(&solved, Node::RightUpperArm).z - subject.moved(&solved, Node::RightThigh).z;
        assert!(left > 0.02 && right < -0.02, "{left} {right}");
        let one = subject.with(&settings, |s| s.effector_mut(Effector::RightShoulder).position_weight = 0.0);
        let back = |solved: &Solved| subject.moved(solved, Node::RightUpperArm).z;
        assert!(back(&one).abs() < back(&solved).abs() / 3.0);
        assert!(subject.measure(&one, &strain(2)).abs() < 0.05);
    });
}

#[test]
fn only_the_hand_with_a_maintained_position_is_carried() {
    each("maintain relative position", |subject, settings| {
        let solved = subject.solve(&settings);
        let shoulder = subject.moved(&solved, Node::LeftUpperArm);
        assert!(shoulder.z > 0.08, "{shoulder}");
        let carried = subject.moved(&solved, Node::LeftHand).length();
        let left_behind = subject.moved(&solved, Node::RightHand).length();
        assert!(carried > 0.08 && left_behind < carried / 2.0, "{carried} {left_behind}");
        // An arm that is straight at rest has no slack, so its hand moves along. The slack of any other arm keeps the
        // hand in place.
        let slack = subject.measures.limb_length(LimbName::RightArm) - subject.measures.spans[1].length();
        assert!(slack < 0.002 * subject.measures.height || left_behind < 0.01, "{left_behind}");
        let both = subject.with(&settings, |s| s.effector_mut(Effector::RightHand).maintain_relative_position = 1.0);
        assert!((subject.moved(&both, Node::RightHand).length() - carried).abs() < 0.02);
    });
}

#[test]
fn the_head_keeps_level() {
    each("head keeps level", |subject, settings| {
        let Some(head) = subject.character.detection.biped.as_ref().unwrap().head else { return };
        let turned = |solved: &Solved| {
            let (before, after) = (subject.rest.bones[head].rotation, solved.pose.bones[head].rotation);
            before.angle_between(after).to_degrees()
        };
        let level = turned(&subject.solve(&settings));
        let tilted = turned(&subject.with(&settings, |s| s.solver.head_maintain_rotation = 0.0));
        assert!(level < 0.5 && tilted > 15.0, "{level} {tilted}");
    });
}

#[test]
fn knees_and_elbows_turn_to_their_goals() {
    each("bend goals", |subject, settings| {
        let solved = subject.solve(&settings);
        let free = subject.with(&settings, |s| s.chains.iter_mut().for_each(|chain| chain.bend_weight = 0.0));
        for limb in LimbName::ALL {
            let toward_goal = |solved: &Solved| {
                let [first, second, last] = Node::of_limb(limb).map(|node| subject.written(solved, node));
                let along = unit_or_zero(last - first);
                let across = |v: Vec3| unit_or_zero(v - along * v.dot(along));
                across(second - first).dot(across(settings.chain(limb).bend_goal.unwrap() - first))
            };
            assert!(toward_goal(&solved) > 0.99 && toward_goal(&free) < 0.9);
        }
    });
}

#[test]
fn a_turned_hand_turns_the_elbow() {
    each("hand turns elbow", |subject, settings| {
        let solved = subject.solve(&settings);
        let hand = subject.bone(Node::LeftHand);
        let wanted = settings.effector(Effector::LeftHand).rotation.unwrap();
        assert!(solved.pose.bones[hand].rotation.angle_between(wanted) < 0.01);
        let turned = |hand: Effector| {
            let [first, second, _] = Node::of_limb(hand.limb().unwrap()).map(|node| subject.written(&solved, node));
            let without = subject.with(&settings, |s| s.effector_mut(hand).rotation_weight = 0.0);
            let [other_first, other, last] =
                Node::of_limb(hand.limb().unwrap()).map(|node| subject.written(&without, node));
            let along = unit_or_zero(last - other_first);
            let across = |v: Vec3| unit_or_zero(v - along * v.dot(along));
            across(second - first).angle_between(across(other - other_first)).to_degrees()
        };
        assert!(turned(Effector::LeftHand) > 45.0 && turned(Effector::RightHand) < 30.0);
    });
}

#[test]
fn targets_circle_through_reach_and_out_of_it() {
    let scene = Scene::find("target circles").unwrap();
    let script = scene.script.unwrap();
    each(scene.name, |subject, settings| {
        let at = |seconds: f32| {
            let mut moved = settings;
            script(&mut moved, &subject.measures, seconds);
            moved
        };
        assert_eq!(at(0.0), settings);
        let arm = subject.measures.limb_length(LimbName::LeftArm);
        let mut reached = [0, 0];
        let mut last: Option<Vec3> = None;
        for frame in 0..240 {
            let settings = at(frame as f32 / 60.0);
            let solved = subject.solve(&settings);
            assert!(solved.pose.bones.iter().all(|bone| bone.is_finite()));
            let target = settings.effector(Effector::LeftHand).position.unwrap();
            let is_far = target.distance(subject.at_rest(Node::LeftUpperArm)) > arm;
            reached[usize::from(is_far)] += 1;
            let step = last.map_or(0.0, |last| last.distance(target));
            assert!(step < arm * 0.02, "{step}");
            last = Some(target);
        }
        assert!(reached[0] > 60 && reached[1] > 60, "{reached:?}");
        let again = at(4.0).effector(Effector::LeftHand).position.unwrap();
        assert!(again.distance(settings.effector(Effector::LeftHand).position.unwrap()) < arm * 1e-3);
    });
}

#[test]
fn each_iteration_improves_less_than_the_previous() {
    for subject in subjects() {
        let name = &subject.character.model.name;
        let solved = [0, 1, 2, 4, 8].map(|count| {
            let settings = settings(&format!("iterations {count}"), &subject);
            assert_eq!(settings.solver.iterations, count);
            subject.solve(&settings)
        });
        let left = solved.each_ref().map(|solved| subject.residual(solved));
        assert!(left.windows(2).all(|pair| pair[1] < pair[0]), "{name}: {left:?}");
        assert!(left[4] < left[1] / 2.0);
        let gains = [left[0] - left[1], left[1] - left[2], (left[2] - left[3]) / 2.0, (left[3] - left[4]) / 4.0];
        assert!(gains.windows(2).all(|pair| pair[1] < pair[0]), "{name}: {gains:?}");
        let torso = solved.each_ref().map(|solved| solved.state.node(Node::LeftUpperArm));
        let moves = [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 2.0), (3, 4, 4.0)];
        let moves = moves.map(|(from, to, count)| torso[from].distance(torso[to]) / count);
        assert!(moves.windows(2).all(|pair| pair[1] < pair[0]), "{name}: {moves:?}");
        // With no iterations the torso stays as animated.
        for node in [Node::Body, Node::LeftUpperArm, Node::RightUpperArm, Node::LeftThigh, Node::RightThigh] {
            assert_eq!(subject.written(&solved[0], node), subject.at_rest(node), "{name}");
        }
        assert!(subject.moved(&solved[1], Node::LeftUpperArm).length() > 0.02);
        // The two scenes have the same settings except the number of iterations.
        let mut other = settings("iterations 0", &subject);
        other.solver.iterations = 8;
        assert_eq!(other, settings("iterations 8", &subject));
    }
}

#[test]
fn straight_limbs_are_straight() {
    each("straight limbs", |subject, settings| {
        let solved = subject.solve(&settings);
        for limb in LimbName::ALL {
            let stretch = subject.measure(&solved, &stretch(limb));
            assert!((0.999..1.0001).contains(&stretch), "{limb:?} {stretch}");
        }
        let reaching = subject.with(&settings, |s| (s.chains[2].reach, s.chains[3].reach) = (0.1, 0.1));
        let stretch = subject.measure(&reaching, &stretch(LimbName::LeftLeg));
        assert!(stretch < 0.995, "{stretch}");
    });
}

#[test]
fn unreachable_targets_stay_out_of_reach() {
    each("unreachable", |subject, settings| {
        let lacks = |horizontal: f32| {
            let solved = subject.with(&settings, |s| s.solver.pull_body_horizontal = horizontal);
            subject.error(&solved, Effector::LeftHand)
        };
        assert!(lacks(0.0) > 0.2 && lacks(1.0) < lacks(0.0) - 0.01);
    });
}

fn first_reach(solved: &Solved) -> Vec3 {
    let step = solved.recording.solve.steps.iter().find(|step| step.step.stage == Stage::EndEffectors).unwrap();
    step.state.node(Node::LeftHand) - step.state.node(Node::LeftUpperArm)
}

#[test]
fn a_target_on_the_shoulder_has_no_direction() {
    each("target on the shoulder", |subject, settings| {
        let solved = subject.solve(&settings);
        assert_eq!(first_reach(&solved), Vec3::ZERO);
        let elbows = hairs(subject).map(|hair| {
            subject.with(&settings, |s| *s.effector_mut(Effector::LeftHand).position.as_mut().unwrap() += hair * 100.0)
        });
        let apart = elbows.each_ref().map(|other| subject.elbow_between(&elbows[0], other));
        assert!(apart.iter().any(|&apart| apart > 0.01), "{apart:?}");
    });
}

#[test]
fn an_antiparallel_target_leaves_the_elbow_to_chance() {
    let largest = |subject: &Subject, settings: &Settings| {
        let elbows = hairs(subject).map(|hair| {
            subject.with(settings, |s| *s.effector_mut(Effector::LeftHand).position.as_mut().unwrap() += hair)
        });
        let apart = elbows.each_ref().map(|other| subject.elbow_between(&elbows[0], other));
        apart.into_iter().fold(0.0, f32::max)
    };
    each("antiparallel", |subject, settings| {
        let solved = subject.solve(&settings);
        let bone = |node: Node| solved.recording.frame.bone(node);
        let animated = bone(Node::LeftHand) - bone(Node::LeftUpperArm);
        let reach = first_reach(&solved);
        assert!(sine(reach, animated) < 1e-4 && reach.dot(animated) < 0.0);
        let elsewhere = self::settings("reach up and far", subject);
        assert!(largest(subject, &settings) > 0.03);
        assert!(largest(subject, &elsewhere) < 1e-3);
    });
}

/// Returns displacements of a few millionths of the height in several directions.
fn hairs(subject: &Subject) -> [Vec3; 4] {
    let hair = subject.measures.height * 4e-6;
    let turn = Quat::from_axis_angle(Vec3::ONE.normalize(), std::f32::consts::TAU / 3.0);
    [Vec3::X, turn * Vec3::X, turn * turn * Vec3::X, Vec3::NEG_ONE.normalize()].map(|direction| direction * hair)
}

/// The next scene replaces a character that a scene opened. A character that the user chose stays.
#[test]
fn a_scene_about_another_character_opens_it() {
    let [digitigrade, walk] = ["digitigrade", "walk with hands pinned"].map(|name| Scene::find(name).unwrap());
    let mut session = in_scene("stand");
    session.start_scene(digitigrade);
    assert_eq!(session.world.character.built_in_kind(), Some(BuiltIn::Faun));
    assert!(session.world.stack().modifiers.iter().any(|modifier| matches!(modifier, Modifier::FourBones(_))));
    session.start_scene(walk);
    assert_eq!(session.world.character.built_in_kind(), Some(BuiltIn::Mannequin));
    assert!(session.world.stack().modifiers.is_empty());
    // A character that the user chose stays, and keeps the modifier of its hocks in every scene.
    session.apply(Action::Command(Command::BuiltInFaun));
    for scene in [walk, digitigrade, walk] {
        session.start_scene(scene);
        session.update(1.0 / 60.0);
        assert_eq!(session.world.character.built_in_kind(), Some(BuiltIn::Faun));
        assert!(session.world.stack().modifiers.iter().any(|modifier| matches!(modifier, Modifier::FourBones(_))));
    }
    session.apply(Action::Command(Command::BuiltInModel));
    assert_eq!(session.world.character.built_in_kind(), Some(BuiltIn::Mannequin));
    // The user's own model stays.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/biped.glb");
    session.take(Character::load(std::path::Path::new(path)).unwrap());
    session.start_scene(digitigrade);
    assert_eq!(session.world.character.built_in_kind(), None);
    assert!(session.window.notice.as_ref().is_some_and(|notice| notice.text.contains("faun")));
}
