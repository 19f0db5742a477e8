//! Posing without a window: several effectors at once, mirror editing, snapping, the gizmo, poses on the clipboard.

use egui_macroquad::egui::{Pos2, Rect, vec2};
use glam::{Quat, Vec2, Vec3};
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::LimbName;

use crate::common::session::{in_scene, run, session};
use kinescope::session::commands::Command;
use kinescope::session::{Action, Posing, Request, Selection, Session};
use kinescope::tools::pose::gizmo::{Pointer, PoseGizmo, letters};
use kinescope::tools::pose::handles::HandleId;
use kinescope::tools::pose::session::PoseAction;

fn screen(session: &Session, effector: Effector) -> Vec2 {
    let wanted = HandleId::Effector(effector);
    session.handles().into_iter().find(|handle| handle.id == wanted).expect("the handle is in the picture").screen
}

fn place(session: &Session, effector: Effector) -> Vec3 {
    let own = session.world.settings().effector(effector).position;
    own.unwrap_or_else(|| session.state().unwrap().nodes()[effector.node()])
}

fn drag(session: &mut Session, effector: Effector, by: Vec2) {
    let from = screen(session, effector);
    session.press(from);
    for step in 1..=10 {
        session.drag_to(from + by * (step as f32 / 10.0));
        session.update(1.0 / 60.0);
    }
    session.release();
    session.update(1.0 / 60.0);
}

fn shift_click(session: &mut Session, effector: Effector) {
    session.interaction.posing.shift = true;
    session.press(screen(session, effector));
    session.release();
    session.interaction.posing.shift = false;
}

#[test]
fn several_effectors_are_dragged_as_one() {
    let mut session = session();
    session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    shift_click(&mut session, Effector::RightHand);
    let selected: Vec<Effector> = session.selected_effectors().iter().collect();
    assert_eq!(selected, [Effector::LeftHand, Effector::RightHand]);
    let before = [Effector::LeftHand, Effector::RightHand].map(|effector| place(&session, effector));
    drag(&mut session, Effector::LeftHand, Vec2::new(20.0, -60.0));
    let after = [Effector::LeftHand, Effector::RightHand].map(|effector| place(&session, effector));
    let moved = after[0] - before[0];
    assert!(moved.length() > 0.05);
    assert!((after[1] - before[1]).distance(moved) < 1e-4, "the right hand moved by {}", after[1] - before[1]);
    assert_eq!(session.selected_effectors().len(), 2, "dragging one effector keeps the others selected");
    run(&mut session, Command::Undo);
    assert_eq!(session.world.settings().effector(Effector::RightHand).position, None, "the drag is one edit");
    shift_click(&mut session, Effector::LeftHand);
    assert_eq!(
        session.interaction.selection,
        Selection::Effector(Effector::RightHand),
        "the next effector becomes the main one"
    );
    assert_eq!(session.selected_effectors().len(), 1);
    run(&mut session, Command::SelectAll);
    assert_eq!(session.selected_effectors().len(), Effector::COUNT);
    session.apply(Action::Select(Selection::Nothing));
    assert!(session.selected_effectors().is_empty());
}

#[test]
fn effectors_have_handles_if_only_another_solver_poses_the_body() {
    for name in ["least squares", "Position-based body"] {
        let mut session = in_scene(name);
        assert!(session.world.stack().order.full_body_off);
        assert_eq!(session.handles().len(), Effector::COUNT + LimbName::ALL.len(), "{name}");
        let before = place(&session, Effector::RightHand);
        drag(&mut session, Effector::RightHand, Vec2::new(20.0, -30.0));
        assert!(place(&session, Effector::RightHand).distance(before) > 0.05);
        assert!(session.world.gap(Effector::RightHand) < 2e-3, "{name}: the hand follows");
    }
}

#[test]
fn with_mirror_edits_on_the_other_hand_follows_in_the_mirror() {
    let mut session = session();
    run(&mut session, Command::MirrorEdits);
    drag(&mut session, Effector::LeftHand, Vec2::new(30.0, -80.0));
    let [left, right] = [Effector::LeftHand, Effector::RightHand].map(|effector| place(&session, effector));
    assert!(right.distance(Vec3::new(-left.x, left.y, left.z)) < 1e-3, "{left} and {right}");
    assert_eq!(session.world.settings().effector(Effector::RightHand).position_weight, 1.0);
    run(&mut session, Command::MirrorEdits);
    drag(&mut session, Effector::LeftHand, Vec2::new(0.0, 40.0));
    assert_eq!(place(&session, Effector::RightHand), right, "mirroring is off again");
}

#[test]
fn a_mirrored_pose_solves_to_the_mirror_image() {
    let mut session = session();
    drag(&mut session, Effector::LeftHand, Vec2::new(60.0, -140.0));
    let before = session.state().unwrap();
    run(&mut session, Command::MirrorPose);
    let after = session.state().unwrap();
    let mirror = session.world.mirror().unwrap();
    for effector in Effector::ALL {
        let expected = mirror.position(before.node(effector.node()));
        let found = after.node(effector.opposite().node());
        assert!(found.distance(expected) < 5e-3, "{}: {found}, not {expected}", effector.key());
    }
    run(&mut session, Command::MirrorPose);
    let back = session.state().unwrap();
    assert!(back.nodes()[Effector::LeftHand.node()].distance(before.node(Effector::LeftHand.node())) < 1e-4);
}

#[test]
fn a_snapped_drag_ends_on_the_grid() {
    let mut session = session();
    session.interaction.posing.ctrl = true;
    drag(&mut session, Effector::LeftHand, Vec2::new(43.0, -61.0));
    let step = session.snap_distance();
    let at = place(&session, Effector::LeftHand) / step;
    assert!((at - at.round()).length() < 1e-3, "{at}");
    // While snapping is on, Ctrl turns it off.
    run(&mut session, Command::Snap);
    drag(&mut session, Effector::LeftHand, Vec2::new(7.3, 5.1));
    let at = place(&session, Effector::LeftHand) / step;
    assert!((at - at.round()).length() > 1e-2, "{at}");
}

#[test]
fn a_pose_is_copied_and_pasted() {
    let mut session = session();
    drag(&mut session, Effector::LeftHand, Vec2::new(30.0, -80.0));
    let posed = *session.world.settings();
    run(&mut session, Command::CopyPose);
    let copied = session.window.requests.iter().find_map(|request| match request {
        Request::Copy(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.expect("the pose is copied");
    run(&mut session, Command::ReleaseEffectors);
    assert_eq!(session.world.settings().effector(Effector::LeftHand).position, None);
    session.apply(Action::Pose(PoseAction::Paste(copied)));
    assert_eq!(session.world.settings().effectors, posed.effectors);
    session.apply(Action::Pose(PoseAction::Paste("something else".to_owned())));
    let notice = session.window.notice.clone().unwrap();
    assert!(
        notice.is_error && notice.text.contains("Could not paste the clipboard as a pose or a preset"),
        "{}",
        notice.text
    );
    assert_eq!(session.world.settings().effectors, posed.effectors);
}

/// Drags the gizmo from one pixel to another. Returns the axis and the length or angle that the gizmo showed last, or
/// `None` if no arrow or ring was grabbed.
fn drag_gizmo(session: &mut Session, from: Pos2, to: Pos2) -> Option<String> {
    let mut gizmo = PoseGizmo::default();
    let (min, size) = (session.look.viewport.min, session.look.viewport.size);
    let picture = Rect::from_min_size(Pos2::new(min.x, min.y), vec2(size.x, size.y));
    let mut label = None;
    for step in 0..=20 {
        let at = from.lerp(to, (step as f32 - 2.0).max(0.0) / 18.0);
        let pointer = Pointer { at, pressed: step == 1, down: step > 0, is_free: true };
        if let Some(turned) = gizmo.update(session, picture, 1.0, pointer) {
            session.apply(Action::Edit {
                label: turned.label,
                gesture: Some(turned.gesture),
                document: Box::new(session.world.history.document().with_stack(turned.stack)),
            });
        }
        session.update(1.0 / 60.0);
        label = gizmo.dragged().map(str::to_owned).or(label);
    }
    session.apply(Action::EndGesture);
    label
}

/// Returns a pixel on an arrow near its tip, and a unit vector along the arrow.
fn arrow(session: &Session, name: &str, axes: Quat) -> (Pos2, egui_macroquad::egui::Vec2) {
    let Selection::Effector(effector) = session.interaction.selection else { panic!("nothing is selected") };
    let middle = screen(session, effector);
    let middle = Pos2::new(middle.x, middle.y);
    let letter = letters(session, place(session, effector), axes).into_iter().find(|(_, letter)| *letter == name);
    let (at, _) = letter.expect("the arrow is in the picture");
    let along = (at - middle).normalized();
    (at - along * 24.0, along)
}

#[test]
fn an_arrow_moves_along_its_axis_and_shows_the_distance() {
    let mut session = session();
    session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    let before = place(&session, Effector::LeftHand);
    let (from, along) = arrow(&session, "y", Quat::IDENTITY);
    let label = drag_gizmo(&mut session, from, from + along * 50.0).expect("the arrow was dragged");
    let moved = place(&session, Effector::LeftHand) - before;
    assert!(moved.y > 0.05 && moved.x.abs() + moved.z.abs() < 1e-4, "{moved}");
    assert_eq!(label, format!("y +{:.1} mm", moved.y * 1000.0));
    let (back, step) = (session.world.settings().effectors, session.snap_distance());
    session.interaction.posing.ctrl = true;
    let (from, along) = arrow(&session, "y", Quat::IDENTITY);
    let before = place(&session, Effector::LeftHand);
    drag_gizmo(&mut session, from, from + along * 60.0);
    let steps = (place(&session, Effector::LeftHand) - before).y / step;
    assert!(steps.abs() > 0.5 && (steps - steps.round()).abs() < 1e-3, "{steps} steps");
    assert_ne!(session.world.settings().effectors, back);
}

#[test]
fn along_the_bone_the_arrows_are_the_bones() {
    let mut session = session();
    session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    session.apply(Action::Pose(PoseAction::Settings(Posing { local_axes: true, ..session.interaction.posing })));
    let axes = session.gizmo_target().unwrap().2;
    let before = place(&session, Effector::LeftHand);
    let (from, along) = arrow(&session, "x", axes);
    drag_gizmo(&mut session, from, from + along * 40.0);
    let moved = place(&session, Effector::LeftHand) - before;
    assert!(moved.length() > 0.02 && moved.normalize().dot(axes * Vec3::X) > 0.999, "{moved}");
}

#[test]
fn a_ring_turns_and_shows_the_degrees() {
    for local_axes in [false, true] {
        ring_turns(local_axes);
    }
}

fn ring_turns(local_axes: bool) {
    let mut session = session();
    session.apply(Action::Command(Command::RotateGizmo));
    session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    (session.interaction.posing.ctrl, session.interaction.posing.local_axes) = (true, local_axes);
    let before = session.gizmo_target().unwrap().2;
    let middle = screen(&session, Effector::LeftHand);
    let mut label = None;
    // Tries places around the hand until one of them is on a ring of the gizmo.
    for step in 0..60 {
        let angle = step as f32 * 0.1;
        let aside = Vec2::new(angle.cos(), angle.sin());
        let [from, to] = [middle + aside * 78.0, middle + (aside * 78.0) + Vec2::new(-aside.y, aside.x) * 60.0]
            .map(|at| Pos2::new(at.x, at.y));
        label = drag_gizmo(&mut session, from, to);
        if label.is_some() {
            break;
        }
    }
    let label = label.expect("a ring was dragged");
    let degrees: f32 = label.split(' ').nth(1).unwrap().trim_end_matches('°').replace('−', "-").parse().unwrap();
    let turned = session.gizmo_target().unwrap().2;
    let axis = match label.split(' ').next().unwrap() {
        "x" => Vec3::X,
        "y" => Vec3::Y,
        "z" => Vec3::Z,
        other => panic!("{other}"),
    };
    let axis = if local_axes { before * axis } else { axis };
    let expected = Quat::from_axis_angle(axis, degrees.to_radians()) * before;
    let off = expected.angle_between(turned).to_degrees();
    assert!(off < 0.2, "local {local_axes}: shows {label}, which is off by {off}");
    assert!((degrees / 15.0 - (degrees / 15.0).round()).abs() < 0.01 && degrees != 0.0, "{label}");
    assert_eq!(session.world.settings().effector(Effector::LeftHand).rotation_weight, 1.0);
}

#[test]
fn a_click_moves_nothing_even_where_moves_snap() {
    let mut session = session();
    run(&mut session, Command::Snap);
    let at = screen(&session, Effector::LeftHand);
    session.press(at);
    session.drag_to(at);
    session.release();
    assert_eq!(session.world.settings().effector(Effector::LeftHand).position, None);
    assert!(!session.world.history.is_unsaved());
}

#[test]
fn a_multiple_selection_ends_with_the_selection() {
    let mut session = session();
    run(&mut session, Command::SelectAll);
    session.start_scene(session.started_scene.scene.unwrap());
    session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    assert_eq!(session.selected_effectors().len(), 1);
}

#[test]
fn an_out_of_range_value_of_a_file_survives_other_edits() {
    let mut session = session();
    let far = Vec3::new(1e6, 0.0, 0.0);
    let mut document = session.world.history.document().clone();
    document.stack.full_body.effector_mut(Effector::RightHand).position = Some(far);
    let path = crate::common::files::temporary("far.json");
    std::fs::write(&path, document.to_preset().to_json()).unwrap();
    session.apply(Action::File(Command::OpenPreset, path));
    session.update(0.0);
    let edit = |session: &mut Session, change: &dyn Fn(&mut kinescope_ik::full_body::Settings)| {
        let mut settings = *session.world.settings();
        change(&mut settings);
        session.apply(Action::Edit {
            label: "test".into(),
            gesture: None,
            document: Box::new(session.world.history.document().with_settings(settings)),
        });
        session.update(0.0);
    };
    edit(&mut session, &|settings| settings.solver.spine_stiffness = 0.25);
    assert_eq!(session.world.settings().effector(Effector::RightHand).position, Some(far));
    edit(&mut session, &|settings| settings.effector_mut(Effector::LeftHand).position = Some(far));
    let notice = session.window.notice.clone().unwrap();
    assert!(notice.is_error && notice.text.contains("the allowed range"), "{}", notice.text);
}

#[test]
fn a_gizmo_whose_effector_disappears_releases_the_pointer() {
    let mut session = session();
    session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    let (at, _) = arrow(&session, "y", Quat::IDENTITY);
    let (min, size) = (session.look.viewport.min, session.look.viewport.size);
    let picture = Rect::from_min_size(Pos2::new(min.x, min.y), vec2(size.x, size.y));
    let mut gizmo = PoseGizmo::default();
    let pointer = Pointer { at, is_free: true, ..Pointer::default() };
    gizmo.update(&session, picture, 1.0, pointer);
    gizmo.update(&session, picture, 1.0, pointer);
    assert!(gizmo.is_focused());
    run(&mut session, Command::RigDoctor);
    gizmo.update(&session, picture, 1.0, pointer);
    assert!(!gizmo.is_focused());
}

#[test]
fn a_role_is_not_given_away_by_a_click_of_the_next_visit() {
    let mut session = session();
    run(&mut session, Command::RigDoctor);
    session.window.doctor.role = Some(kinescope_ik::rig::Role::LeftHand);
    run(&mut session, Command::RigDoctor);
    run(&mut session, Command::RigDoctor);
    assert_eq!(session.window.doctor.role, None);
    // The rig doctor's key does not replace an open file dialog.
    session.window.dialog = Some(kinescope::session::Dialog::File(kinescope::session::commands::Command::SavePresetAs));
    run(&mut session, Command::RigDoctor);
    assert_eq!(
        session.window.dialog,
        Some(kinescope::session::Dialog::File(kinescope::session::commands::Command::SavePresetAs))
    );
}

/// A single key is easily pressed by mistake, so the message names the change and how to undo it.
#[test]
fn messages_of_pose_commands_name_the_change_and_its_undo() {
    let mut session = session();
    drag(&mut session, Effector::LeftHand, Vec2::new(30.0, -80.0));
    let mut settings = *session.world.settings();
    settings.solver.iterations = 7;
    session.edit_settings("iterations", None, settings);
    let commands = [
        (Command::PinHandsAndFeet, "Pinned hands and feet"),
        (Command::MirrorPose, "Exchanged left and right"),
        (Command::ReleaseEffectors, "Released all effectors"),
        (Command::ResetParameters, "to their defaults"),
    ];
    for (command, what) in commands {
        let (before, steps) = (*session.world.settings(), session.world.history.labels().0.map(str::to_owned));
        session.window.notice = None;
        run(&mut session, command);
        let notice = session.window.notice.clone().expect("a notice is shown").text;
        assert!(notice.starts_with(what) || notice.contains(what), "{notice}");
        assert!(notice.ends_with("Ctrl+Z undoes it"), "{notice}");
        assert_ne!((*session.world.settings(), session.world.history.labels().0.map(str::to_owned)), (before, steps));
        run(&mut session, Command::Undo);
        assert_eq!(*session.world.settings(), before);
        run(&mut session, Command::Redo);
        // A second press changes nothing, so its message offers no undo.
        if command != Command::MirrorPose {
            run(&mut session, command);
            let notice = session.window.notice.clone().unwrap().text;
            assert!(!notice.contains("Ctrl+Z"), "{notice}");
        }
    }
    let pose = |x: f32| {
        format!(
            r#"{{ "format": "kinescope-preset", "version": 1,
            "effectors": {{ "left_hand": {{ "position": [{x}, 1.2, 0.5], "position_weight": 1 }} }} }}"#
        )
    };
    session.apply(Action::Pose(PoseAction::Paste(pose(0.4))));
    assert_eq!(session.window.notice.clone().unwrap().text, "Pasted a pose. Ctrl+Z undoes it");

    run(&mut session, Command::KeepAsB);
    session.update(1.0 / 60.0);
    run(&mut session, Command::PlayPause);
    session.apply(Action::Pose(PoseAction::Paste(pose(0.5))));
    run(&mut session, Command::SwapAB);
    assert_eq!(session.window.notice.clone().unwrap().text, "Swapped A and B. X swaps them again");
    session.apply(Action::Pose(PoseAction::Paste(pose(0.6))));
    run(&mut session, Command::DropWhatIf);
    let notice = session.window.notice.clone().unwrap().text;
    assert_eq!(notice, "Discarded the changes made while paused. Ctrl+Z undoes it");
    run(&mut session, Command::DropWhatIf);
    assert_eq!(session.window.notice.clone().unwrap().text, "Nothing was changed while paused");
}
