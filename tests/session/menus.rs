use std::collections::BTreeSet;

use egui_kittest::Harness;
use egui_kittest::kittest::{Node, Queryable};
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{self, Key, Order, Vec2};
use kinescope::character::Character;
use kinescope::picture::labels::Density;
use kinescope::scenes::{SCENES, Scene, TOPICS};
use kinescope::session::commands::{COMMANDS, Command, MENUS, SUBMENUS};
use kinescope::session::{Action, Dialog, Pane, Selection, Session};
use kinescope::shell::panes::layout::Layout;
use kinescope::shell::panes::palette::{self, Entry, Place, Setting};
use kinescope_ik::chain_ik::Solver;
use kinescope_ik::full_body::{Chain, Effector};
use kinescope_ik::grounding::{LimbSettings, SpeedSettings, WeightSource};
use kinescope_ik::parameter::{Field, find_field};
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::parameters::ParameterId;
use kinescope_ik::stack::{Drive, GroundingRule, GroundingSection, LayerId, Method};

use crate::common::session::{biped, in_scene};
use crate::harness::{Window, window};
use crate::panels::desktop;

pub(crate) fn type_text(harness: &mut Harness<Window>, text: &str) {
    harness.input_mut().events.push(egui::Event::Text(text.to_owned()));
    harness.run();
}

fn run(harness: &mut Harness<Window>, command: Command) {
    harness.state_mut().session.apply(Action::Command(command));
    harness.run();
}

pub(crate) fn jump(harness: &mut Harness<Window>, text: &str) {
    run(harness, Command::Palette);
    type_text(harness, text);
    harness.press_key(Key::Enter);
    harness.run();
    assert_eq!(harness.state().session.window.dialog, None, "{text} was not found");
}

fn rect(node: &Node<'_>) -> egui::Rect {
    let bounds = node.raw_bounds().unwrap();
    egui::Rect::from_min_max(
        egui::pos2(bounds.x0 as f32, bounds.y0 as f32),
        egui::pos2(bounds.x1 as f32, bounds.y1 as f32),
    )
}

fn focused(harness: &Harness<Window>) -> Option<String> {
    let mut focused = harness.get_all_by(|node: &Node<'_>| node.is_focused());
    focused.next().and_then(|node| node.label())
}

fn first(session: &Session, query: &str) -> (Setting, Option<&'static str>) {
    let found = palette::matching(query, &palette::settings(session)).into_iter();
    let settings = found.filter_map(|found| match found.entry {
        Entry::Setting(setting) => Some((setting, found.by)),
        Entry::Command(_) | Entry::Scene(_) => None,
    });
    settings.into_iter().next().unwrap_or_else(|| panic!("{query} finds no setting"))
}

/// Names that the sources give settings of motion, grounding and the full body, with the setting's key in Kinescope.
const SOURCES: &[(&str, &str)] = &[
    // *Foot IK by ray and curve*.
    ("enableFeetIk", "enable_feet_ik"),
    ("heightFromGroundRaycast", "height_from_ground_raycast"),
    ("raycastDownDistance", "raycast_down_distance"),
    ("environmentLayer", "environment"),
    ("pelvisOffset", "pelvis_offset"),
    ("pelvisUpAndDownSpeed", "pelvis_up_and_down_speed"),
    ("feetToIkPositionSpeed", "feet_to_ik_position_speed"),
    ("leftFootAnimCurveName", "curves"),
    ("rightFootAnimCurveName", "curves"),
    ("leftFootAngleOffset", "left_foot_angle_offset"),
    ("rightFootAngleOffset", "right_foot_angle_offset"),
    ("useIkFeature", "rotate_feet"),
    // *Foot IK with velocity prediction*.
    ("maxStep", "max_step"),
    ("layerMask", "environment"),
    ("footSpeed", "foot_speed"),
    ("footRadius", "foot_radius"),
    ("prediction", "prediction"),
    ("footCenterOffset", "foot_center_offset"),
    ("invertFootCenter", "invert_foot_center"),
    ("heightOffset", "height_offset"),
    ("footRotationWeight", "foot_rotation_weight"),
    ("footRotationSpeed", "foot_rotation_speed"),
    ("maxFootRotationAngle", "max_foot_rotation_angle"),
    ("pelvisSpeed", "pelvis_speed"),
    ("pelvisDamper", "pelvis_damper"),
    ("rootSphereCastRadius", "root_sphere_cast_radius"),
    ("lowerPelvisWeight", "lower_pelvis_weight"),
    ("liftPelvisWeight", "lift_pelvis_weight"),
    ("overstepFallsDown", "overstep_falls_down"),
    ("Quality", "quality"),
    ("EnableIK", "method"),
    ("pelvisWeight", "pelvis"),
    ("leftFootPositionWeight", "left_foot_position"),
    ("rightFootPositionWeight", "right_foot_position"),
    ("leftFootRotationWeight", "left_foot_rotation"),
    ("rightFootRotationWeight", "right_foot_rotation"),
    // *Full-body notes*.
    ("IKPositionWeight", "weight"),
    ("iterations", "iterations"),
    ("FABRIKPass", "fabrik_pass"),
    ("spineMapping.iterations", "spine_iterations"),
    ("twistWeight", "spine_twist_weight"),
    ("maintainRotationWeight", "head_maintain_rotation"),
    ("pull", "pull"),
    ("push", "push"),
    ("pushParent", "push_parent"),
    ("pushSmoothing", "push_smoothing"),
    ("reach", "reach"),
    ("reachSmoothing", "reach_smoothing"),
    ("bendConstraint.weight", "bend_weight"),
    ("bendGoal", "bend_goal"),
    ("bendConstraint.direction", "bend_direction"),
    ("limbMapping.weight", "mapping_weight"),
    ("positionWeight", "position_weight"),
    ("rotationWeight", "rotation_weight"),
    ("positionOffset", "position_offset"),
    ("maintainRelativePositionWeight", "maintain_relative_position"),
    ("pin", "pin"),
    // *Animation programming notes*.
    ("fadeTime", "fade"),
];

#[test]
fn every_name_in_the_sources_finds_its_setting() {
    let session = Session::new(biped());
    let settings = palette::settings(&session);
    for (name, key) in SOURCES {
        let has_it = settings
            .iter()
            .any(|own| own.field.key == *key && own.field.sources.iter().any(|source| source.name == *name));
        assert!(has_it, "{key} does not have {name}");
        // Another setting may match as well: `leftFootPositionWeight` is also the left foot's position weight.
        let found = palette::matching(name, &settings).into_iter().take(4);
        let mut keys = found.filter_map(|found| match found.entry {
            Entry::Setting(setting) => Some(setting.field.key),
            Entry::Command(_) | Entry::Scene(_) => None,
        });
        assert!(keys.any(|found| found == *key), "{name}");
    }
    let lab = in_scene("chain lab");
    for (name, key) in [("mThreshold", "tolerance"), ("mNumSteps", "max_iterations"), ("useRotationLimits", "limits")] {
        let (setting, by) = first(&lab, name);
        assert_eq!((setting.field.key, by), (key, Some(name)));
    }
    let layers = in_scene("additive lean");
    assert_eq!(first(&layers, "additiveBasePose").0.field.key, "base");
    assert_eq!(first(&layers, "blendroot").0.field.key, "under");
}

#[test]
fn a_setting_names_its_place_and_its_precondition() {
    let session = Session::new(biped());
    let (setting, by) = first(&session, "push parent right leg");
    assert_eq!((setting.label().as_str(), by), ("right leg, push parent", None));
    assert_eq!(setting.place, Place::Inspector(Selection::Chain(Chain::RightLeg)));
    assert_eq!(first(&session, "pushParent").1, None, "the setting has this name itself");
    let mut session = session;
    for chain in [Chain::RightArm, Chain::LeftLeg] {
        session.apply(Action::Select(Selection::Chain(chain)));
        assert_eq!(first(&session, "push parent").0.place, Place::Inspector(Selection::Chain(chain)));
    }
    session.apply(Action::Select(Selection::Effector(Effector::RightFoot)));
    assert_eq!(first(&session, "position weight").0.owner, "right foot");
    session.apply(Action::Select(Selection::Nothing));
    // Without a grounder, the jump leads to the choice of a grounder.
    let (setting, by) = first(&session, "useIkFeature");
    assert_eq!((setting.field.key, by), ("rotate_feet", Some("useIkFeature")));
    assert_eq!((setting.place, setting.control.key), (Place::Pane(Pane::Motion), "method"));
    assert!(setting.first.is_some());
    let session = in_scene("ray and curve");
    let (setting, _) = first(&session, "useIkFeature");
    assert_eq!((setting.place, setting.first), (Place::Inspector(Selection::Layer(LayerId::Grounding)), None));
    let (setting, _) = first(&session, "foot lock distance");
    assert_eq!((setting.control.key, setting.first.is_some()), ("on", true));
    // The chain lab hides the body, so the jump leads to the pane Lab.
    let session = in_scene("chain lab");
    assert_eq!(first(&session, "push parent").0.place, Place::Pane(Pane::Lab));
}

#[test]
fn the_palette_jumps_to_a_parameter() {
    let mut harness = desktop();
    jump(&mut harness, "push parent right arm");
    assert_eq!(harness.state().session.interaction.selection, Selection::Chain(Chain::RightArm));
    assert_eq!(focused(&harness).as_deref(), Some("push parent"));
    harness.press_key(Key::ArrowRight);
    harness.run();
    assert!(harness.state().session.world.settings().chain(LimbName::RightArm).push_parent > 0.0);
    // The name is one that a source uses, the pane is closed, and all panes are hidden.
    harness.state_mut().panes.layout.hide(Pane::Inspector);
    run(&mut harness, Command::TogglePanes);
    jump(&mut harness, "FABRIKPass");
    assert!(harness.state().panes.layout.is_shown(Pane::Inspector));
    assert!(!harness.state().session.window.hides_panes);
    harness.get_by(|node: &Node<'_>| node.is_focused() && node.role() == Role::CheckBox);
    jump(&mut harness, "left hand position weight");
    assert_eq!(harness.state().session.interaction.selection, Selection::Effector(Effector::LeftHand));
    assert_eq!(focused(&harness).as_deref(), Some("position weight"));
}

#[test]
fn the_palette_jumps_into_a_section_that_is_closed() {
    let mut harness = desktop();
    harness.get_by_role_and_label(Role::Button, "Solver").click();
    harness.run();
    assert!(harness.query_by_role_and_label(Role::Slider, "pull body vertical").is_none());
    jump(&mut harness, "pullBodyVertical");
    assert_eq!(focused(&harness).as_deref(), Some("pull body vertical"));
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "pull body vertical");
}

#[test]
fn the_palette_jumps_to_grounding_and_to_other_panes() {
    let mut harness = desktop();
    let scene = Scene::find("stairs").unwrap();
    harness.state_mut().session.start_scene(scene);
    harness.run();
    harness.state_mut().session.apply(Action::Select(Selection::Nothing));
    jump(&mut harness, "overstepFallsDown");
    assert_eq!(harness.state().session.interaction.selection, Selection::Layer(LayerId::Grounding));
    assert_eq!(focused(&harness).as_deref(), Some("Overstep falls down"));
    jump(&mut harness, "lean");
    assert!(harness.state().panes.layout.is_shown(Pane::Motion));
    assert_eq!(focused(&harness).as_deref(), Some("lean"));
    harness.run_steps(20);
    assert!(!panels_ask(&harness));
}

fn panels_ask(harness: &Harness<Window>) -> bool {
    kinescope::ui::jump::is_pending(&harness.ctx)
}

#[test]
fn typing_stairs_starts_the_stairs() {
    let mut harness = desktop();
    jump(&mut harness, "stairs");
    assert_eq!(harness.state().session.started_scene.scene.map(|scene| scene.name), Some("stairs"));
    assert_eq!(harness.state().session.world.stack().grounding.method, Method::Predictive);
}

#[test]
fn the_palette_reports_no_match_and_why_a_command_cannot_apply() {
    let mut harness = desktop();
    run(&mut harness, Command::Palette);
    type_text(&mut harness, "xqzy");
    harness.get_by_label_contains("Nothing matches \"xqzy\"");
    harness.press_key(Key::Enter);
    harness.run();
    assert_eq!(harness.state().session.window.dialog, Some(Dialog::Palette));
    harness.press_key(Key::Escape);
    harness.run();
    run(&mut harness, Command::Palette);
    type_text(&mut harness, "swap a and b");
    harness.get_by_label_contains("There is no B to compare");
    harness.press_key(Key::Enter);
    harness.run();
    assert_eq!(harness.state().session.window.dialog, Some(Dialog::Palette), "the command cannot apply");
}

#[test]
fn the_palette_lists_commands_and_scenes_in_groups() {
    let mut harness = window(Vec2::new(1440.0, 1100.0));
    run(&mut harness, Command::Palette);
    let mut groups: Vec<String> = palette::matching("", &[]).iter().map(|found| found.entry.group()).collect();
    groups.dedup();
    let topics = TOPICS.iter().map(|(topic, _)| format!("Scenes: {topic}"));
    let expected: Vec<String> = MENUS.iter().map(|&menu| menu.to_owned()).chain(topics).collect();
    assert_eq!(groups, expected);
    harness.get_by_role_and_label(Role::Label, "File");
    harness.get_all_by_label("Open model…").next().unwrap();
}

#[test]
fn menus_tick_what_is_on_and_grey_what_cannot_apply() {
    let mut session = Session::new(biped());
    let layout = Layout::default();
    let on = |session: &Session, command| session.is_on(command, |pane| layout.is_shown(pane));
    assert_eq!(on(&session, Command::SolidMesh), Some(true));
    assert_eq!(on(&session, Command::XrayMesh), Some(false));
    assert_eq!(on(&session, Command::Snap), Some(false));
    assert_eq!(on(&session, Command::ShowInspector), Some(true));
    assert_eq!(on(&session, Command::Plots), Some(false));
    assert_eq!(on(&session, Command::Undo), None);
    session.apply(Action::Command(Command::Snap));
    assert_eq!(on(&session, Command::Snap), Some(true));
    for command in [Command::Undo, Command::SwapAB, Command::StopListening, Command::BakeClip, Command::NextMarker] {
        assert!(session.why_not(command).is_some_and(|why| why.ends_with('.')), "{command:?}");
    }
    assert!(session.why_not(Command::EndCompare).is_some_and(|why| why.contains("a game's result")));
    session.apply(Action::Command(Command::KeepAsB));
    session.apply(Action::Command(Command::Mark));
    for command in [Command::SwapAB, Command::EndCompare, Command::NextMarker, Command::SavePreset] {
        assert_eq!(session.why_not(command), None, "{command:?}");
    }
    for info in COMMANDS {
        let mut session = Session::new(biped());
        let before = session.world.history.document().clone();
        if session.why_not(info.command).is_some() {
            session.apply(Action::Command(info.command));
            assert!(*session.world.history.document() == before, "{}", info.label);
        }
    }
}

/// All of these reasons used to be one text, which named two causes.
#[test]
fn commands_say_whether_there_is_no_biped_or_it_cannot_be_solved() {
    let why = |character: Character, command| Session::new(character).why_not(command).unwrap_or_default();
    let mut without = Character::built_in().unwrap();
    without.detection.biped = None;
    without.rig.full_body = Err("no biped was found".to_owned());
    for command in [Command::PinHandsAndFeet, Command::MirrorPose, Command::ExportTrace, Command::SimulateTrackers] {
        let text = why(without.copy(), command);
        assert!(text.starts_with("No biped was found") && text.contains("assign its bones"), "{command:?}: {text}");
        let mut unsolvable = Character::built_in().unwrap();
        unsolvable.rig.full_body = Err("left arm: both bones have no length".to_owned());
        let text = why(unsolvable, command);
        assert!(text.starts_with("The biped's bones cannot be solved") && !text.contains("No biped"), "{text}");
    }
    let text = why(without, Command::AddMotion);
    assert!(text.starts_with("Clips of another file move a biped") && !text.contains("full body"), "{text}");
}

#[test]
fn a_menu_shows_ticks_reasons_and_quit_last() {
    let mut harness = desktop();
    harness.get_by_role_and_label(Role::Button, "Edit").click();
    harness.run();
    let undo = harness.get_all_by_label("Undo").find(|node| node.is_disabled());
    assert!(undo.is_some());
    harness.press_key(Key::Escape);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "View").click();
    harness.run();
    let toggled = |name: &str| harness.get_by_role_and_label(Role::CheckBox, name).toggled();
    use egui_macroquad::egui::accesskit::Toggled;
    assert_eq!(toggled("Solid character"), Some(Toggled::True));
    assert_eq!(toggled("X-ray character"), Some(Toggled::False));
    harness.press_key(Key::Escape);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "File").click();
    harness.run();
    let quit = rect(&harness.get_by_label("Quit"));
    for other in ["Open model…", "Recent models", "Recent presets", "Pictures"] {
        assert!(rect(&harness.get_by_label(other)).bottom() <= quit.top() + 1.0, "{other}");
    }
}

/// Returns the rectangle of an item of an open menu. The panes behind the menu have controls of the same name.
fn menu_item(harness: &Harness<Window>, label: &str) -> Option<egui::Rect> {
    let is_in_menu = |rect: &egui::Rect| {
        harness.ctx.layer_id_at(rect.center()).is_some_and(|layer| layer.order == Order::Foreground)
    };
    harness.query_all_by_label(label).map(|node| rect(&node)).find(is_in_menu)
}

fn click_at(harness: &mut Harness<Window>, at: egui::Pos2) {
    harness.input_mut().events.push(egui::Event::PointerMoved(at));
    harness.run();
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
        harness.input_mut().events.push(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
        harness.run();
    }
}

/// A menu that is longer than the window scrolls, and its last commands are easily missed.
#[test]
fn menus_and_submenus_fit_into_the_window() {
    for size in [Vec2::new(960.0, 600.0), Vec2::new(1280.0, 800.0)] {
        let mut harness = window(size);
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
        for menu in MENUS {
            let open = |harness: &mut Harness<Window>| {
                harness.get_by_role_and_label(Role::Button, menu).click();
                harness.run();
            };
            open(&mut harness);
            let own: Vec<_> = COMMANDS.iter().filter(|info| info.menu == *menu).collect();
            let mut submenus: Vec<&str> =
                own.iter().map(|info| info.group).filter(|group| SUBMENUS.contains(group)).collect();
            submenus.dedup();
            let items = own.iter().filter(|info| !SUBMENUS.contains(&info.group)).map(|info| info.label);
            for label in items.chain(submenus.iter().copied()) {
                let item = menu_item(&harness, label).unwrap_or_else(|| panic!("{menu} shows no {label} at {size}"));
                assert!(screen.contains_rect(item), "{menu}, {label}: {item} at {size}");
            }
            for submenu in submenus {
                let title = menu_item(&harness, submenu).unwrap_or_else(|| panic!("{menu} is closed at {submenu}"));
                click_at(&mut harness, title.center());
                for info in own.iter().filter(|info| info.group == submenu) {
                    let item = menu_item(&harness, info.label);
                    let item = item.unwrap_or_else(|| panic!("{submenu} shows no {} at {size}", info.label));
                    assert!(screen.contains_rect(item), "{submenu}, {}: {item} at {size}", info.label);
                }
            }
            harness.press_key(Key::Escape);
            harness.run();
        }
    }
}

#[test]
fn a_command_in_a_submenu_runs() {
    let mut harness = window(Vec2::new(960.0, 600.0));
    harness.get_by_role_and_label(Role::Button, "View").click();
    harness.run();
    for label in ["Labels", "No labels"] {
        let item = menu_item(&harness, label).unwrap_or_else(|| panic!("no {label}"));
        click_at(&mut harness, item.center());
    }
    assert_eq!(harness.state().session.look.view.labels, Density::Off);
    assert_eq!(menu_item(&harness, "No labels"), None, "the menu is still open");
}

#[test]
fn scenes_are_in_menus_by_topic() {
    let mut harness = desktop();
    harness.get_by_role_and_label(Role::Button, "Scenes").click();
    harness.run();
    for (topic, _) in TOPICS {
        // The panes behind the menu have settings of the same name.
        let is_in_menu = harness.get_all_by_label_contains(topic).any(|node| {
            harness.ctx.layer_id_at(rect(&node).center()).is_some_and(|layer| layer.order == Order::Foreground)
        });
        assert!(is_in_menu, "{topic}");
    }
    assert!(harness.query_by_label("crouch by feet").is_none());
    assert!(SCENES.iter().all(|scene| !scene.topic().is_empty()));
}

#[test]
fn the_key_table_is_readable_at_every_size_and_searchable() {
    for size in [Vec2::new(640.0, 480.0), Vec2::new(1024.0, 640.0), Vec2::new(1440.0, 1100.0)] {
        let mut harness = window(size);
        run(&mut harness, Command::Keys);
        harness.run();
        // The row *Open model…* shows its whole name beside its key, and its help inside the window.
        let open = rect(&harness.get_by_label("Open model…"));
        assert!(open.width() > 70.0, "{size}: {open}");
        let help = rect(&harness.get_by_label("Load a .glb, .gltf, .vrm, .fbx or .bvh character."));
        assert!(help.left() >= open.right() && help.right() <= size.x, "{size}: {help}");
        assert!(help.height() < 60.0, "{size}: {help}");
        type_text(&mut harness, "stage");
        harness.get_by_role_and_label(Role::Label, "Next stage");
        harness.get_by_label("Steps of a frame");
        assert!(harness.query_by_label("Open model…").is_none_or(|node| node.role() != Role::Label));
        harness.press_key(Key::Escape);
        harness.run();
        assert_eq!(harness.state().session.window.dialog, None);
        run(&mut harness, Command::Keys);
        harness.run();
        type_text(&mut harness, "orbit");
        harness.get_by_label("Orbit around the view's centre");
        type_text(&mut harness, "xq");
        harness.get_by_label_contains("No key matches");
    }
}

const GROUNDING: [&str; 7] = [
    "grounding.foot_ik",
    "grounding.predictive",
    "grounding.footprints",
    "grounding.lock",
    "grounding.weights",
    "grounding.limbs",
    "grounding.speed",
];

/// With any method, even off, the palette finds every setting of grounding. A setting's control exists once the
/// setting's precondition is met.
#[test]
fn every_parameter_of_grounding_is_in_the_palette() {
    let mut harness = window(Vec2::new(1440.0, 1600.0));
    harness.state_mut().session.start_scene(Scene::find("stairs").unwrap());
    harness.run();
    let plain = harness.state().session.world.history.document().stack.clone();
    let switched = |method: Method, drive: Drive, solver: Solver, source: WeightSource, on: bool| {
        let mut stack = plain.clone();
        let own = &mut stack.grounding;
        (own.method, own.drive, own.limbs.solver, own.weight_source, own.lock.on) = (method, drive, solver, source, on);
        own.rules = if on { vec![GroundingRule::default()] } else { Vec::new() };
        stack
    };
    let stacks = [
        switched(Method::Off, Drive::FullBody, Solver::TwoBone, WeightSource::Curve, false),
        switched(Method::Predictive, Drive::FullBody, Solver::TwoBone, WeightSource::Curve, false),
        switched(Method::Path, Drive::Limbs, Solver::Ccd, WeightSource::Speed, true),
        switched(Method::FootIk, Drive::Limbs, Solver::TwoBone, WeightSource::Curve, true),
    ];
    let mut landed: BTreeSet<(String, &str)> = BTreeSet::new();
    let mut ways: BTreeSet<(&str, String)> = BTreeSet::new();
    for stack in stacks {
        let own = stack.grounding.clone();
        harness.state_mut().session.edit_stack("grounding", None, stack.clone());
        harness.run();
        let settings = palette::settings(&harness.state().session);
        let all = ParameterId::all(&stack).filter(|own| GROUNDING.iter().any(|under| own.path().starts_with(under)));
        for parameter in all.filter(|own| own.parameter.key != "foot_height") {
            let count = settings.iter().filter(|own| own.field == parameter.parameter.field()).count();
            assert_eq!(count, 1, "{} in the palette with {own:?}", parameter.path());
        }
        let of_section = |key: &&str| !GROUNDING.iter().any(|under| under.ends_with(&format!(".{key}")));
        for key in GroundingSection::FIELDS.iter().map(|field| field.key).filter(of_section) {
            let count = settings.iter().filter(|own| own.field == *find_field(GroundingSection::FIELDS, key)).count();
            assert_eq!(count, 1, "{key} in the palette with {own:?}");
        }
        let of_grounding = ["foot IK", "predictive grounder", "footprints", "grounding's weights", "grounding"];
        let of_grounding = of_grounding.iter().chain(&["foot weight", "limbs", "foot lock"]);
        for owner in of_grounding {
            for setting in settings.iter().filter(|own| own.owner == **owner) {
                let is_known = match setting.first {
                    Some(_) => !ways.insert((setting.control.key, format!("{:?}", setting.place))),
                    None => landed.contains(&(setting.owner.clone(), setting.field.key)),
                };
                if is_known {
                    continue;
                }
                harness.state_mut().session.apply(Action::Select(Selection::Nothing));
                run(&mut harness, Command::Palette);
                type_text(&mut harness, &setting.label());
                harness.press_key(Key::Enter);
                // A control needs at most this many frames to appear. The jump would wait longer.
                harness.run_steps(6);
                assert!(!panels_ask(&harness), "{} has no control with {own:?}", setting.label());
                if setting.first.is_none() {
                    landed.insert((setting.owner.clone(), setting.field.key));
                }
            }
        }
    }
    for section in [SpeedSettings::FIELDS, LimbSettings::FIELDS] {
        let is_there = |field: &Field| landed.iter().any(|(_, key)| *key == field.key);
        assert!(section.iter().all(is_there), "{landed:?}");
    }
    assert!(landed.contains(&("grounding".to_owned(), "weight_source")), "{landed:?}");
}

#[test]
fn the_palette_jumps_to_limbs_and_foot_weights() {
    let mut harness = window(Vec2::new(1440.0, 1600.0));
    harness.state_mut().session.start_scene(Scene::find("stairs").unwrap());
    harness.run();
    let mut stack = harness.state().session.world.history.document().stack.clone();
    stack.grounding.weight_source = WeightSource::Speed;
    (stack.grounding.drive, stack.grounding.limbs.solver) = (Drive::Limbs, Solver::Fabrik);
    harness.state_mut().session.edit_stack("grounding", None, stack);
    harness.run();
    for (query, label) in [("planted speed", "planted speed"), ("limbs max iterations", "max iterations")] {
        harness.state_mut().session.apply(Action::Select(Selection::Nothing));
        jump(&mut harness, query);
        assert_eq!(harness.state().session.interaction.selection, Selection::Layer(LayerId::Grounding), "{query}");
        assert_eq!(focused(&harness).as_deref(), Some(label), "{query}");
    }
}

#[test]
fn the_key_table_lists_every_key_of_a_command() {
    let mut harness = window(Vec2::new(1440.0, 1100.0));
    run(&mut harness, Command::NavigateBlender);
    for (query, name) in [("ctrl+numpad 7", "Bottom view"), ("numpad .", "Frame selection"), ("shift+z", "Redo")] {
        run(&mut harness, Command::Keys);
        harness.run();
        type_text(&mut harness, query);
        harness.get_by_role_and_label(Role::Label, name);
        harness.press_key(Key::Escape);
        harness.run();
    }
}
