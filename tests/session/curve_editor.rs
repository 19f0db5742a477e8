use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{self, Event, Key as Press, Modifiers, PointerButton, Pos2, Vec2, vec2};

use kinescope::ui::curve_editor::curve_editor;
use kinescope::ui::theme::{self, Theme};
use kinescope_ik::grounding::{Key, WeightCurve};

struct Editor {
    curve: WeightCurve,
    derived: Option<WeightCurve>,
    now: Option<f32>,
    changes: usize,
    gestures: usize,
    ready: bool,
}

fn curve(keys: &[(f32, f32)]) -> WeightCurve {
    WeightCurve::from_keys(keys.iter().map(|&(time, value)| Key { time, value }).collect()).unwrap()
}

fn editor(width: f32, keys: &[(f32, f32)]) -> Harness<'static, Editor> {
    let state = Editor {
        curve: curve(keys),
        derived: Some(curve(&[(0.2, 1.0), (0.7, 0.0)])),
        now: Some(0.4),
        changes: 0,
        gestures: 0,
        ready: false,
    };
    let mut harness = Harness::builder().with_size(Vec2::new(width, 120.0)).build_state(
        |ctx, editor: &mut Editor| {
            if !std::mem::replace(&mut editor.ready, true) {
                // Fonts are available from the next frame on.
                ctx.set_fonts(theme::fonts());
                Theme::of(false).apply(ctx);
                return;
            }
            let theme = Theme::of(false);
            egui::CentralPanel::default().show(ctx, |ui| {
                let Editor { curve, derived, now, .. } = &*editor;
                let (id, derived) = (ui.id().with("left"), derived.as_ref());
                if let Some((edited, ended)) =
                    curve_editor(ui, theme, id, curve, derived, *now, theme.left, "left foot")
                {
                    editor.curve = edited;
                    editor.changes += 1;
                    editor.gestures += usize::from(ended);
                }
            });
        },
        state,
    );
    harness.run();
    harness
}

const KEYS: [(f32, f32); 3] = [(0.2, 0.0), (0.5, 1.0), (0.8, 0.5)];
const MIDDLE: &str = "left foot, key 2 at 0.50 of the clip";

fn wide() -> Harness<'static, Editor> {
    editor(420.0, &KEYS)
}

fn place(harness: &Harness<Editor>, label: &str) -> Pos2 {
    let bounds = harness.get_by_role_and_label(Role::Slider, label).raw_bounds().unwrap();
    Pos2::new((bounds.x0 + bounds.x1) as f32 * 0.5, (bounds.y0 + bounds.y1) as f32 * 0.5)
}

/// Returns pixels per unit of time, and per unit of weight (negative, because y points down), measured between keys.
fn scale(harness: &Harness<Editor>) -> Vec2 {
    let (first, second) = (place(harness, "left foot, key 1 at 0.20 of the clip"), place(harness, MIDDLE));
    vec2((second.x - first.x) / 0.3, second.y - first.y)
}

fn push(harness: &mut Harness<Editor>, pos: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
    harness.input_mut().events.push(Event::PointerMoved(pos));
    harness.input_mut().events.push(Event::PointerButton { pos, button, pressed, modifiers });
    harness.input_mut().modifiers = modifiers;
}

/// Presses and releases a button in one frame, because over two frames a double click would be too slow.
fn click(harness: &mut Harness<Editor>, pos: Pos2, button: PointerButton, modifiers: Modifiers) {
    push(harness, pos, button, true, modifiers);
    push(harness, pos, button, false, modifiers);
    harness.step();
}

fn drag(harness: &mut Harness<Editor>, from: Pos2, by: Vec2, button: PointerButton) {
    push(harness, from, button, true, Modifiers::NONE);
    harness.step();
    for step in 1..=8 {
        harness.input_mut().events.push(Event::PointerMoved(from + by * (step as f32 / 8.0)));
        harness.step();
    }
    push(harness, from + by, button, false, Modifiers::NONE);
    harness.run();
}

fn keys(harness: &Harness<Editor>) -> Vec<(f32, f32)> {
    harness.state().curve.keys().iter().map(|key| (key.time, key.value)).collect()
}

fn close(a: (f32, f32), b: (f32, f32)) -> bool {
    (a.0 - b.0).abs() < 0.006 && (a.1 - b.1).abs() < 0.02
}

#[test]
fn a_key_is_dragged_and_it_is_one_gesture() {
    let mut harness = wide();
    let (at, scale) = (place(&harness, MIDDLE), scale(&harness));
    // A key that is grabbed beside its centre does not jump.
    drag(&mut harness, at + vec2(6.0, 5.0), vec2(0.1 * scale.x, -0.5 * scale.y), PointerButton::Primary);
    assert!(close(keys(&harness)[1], (0.6, 0.5)), "{:?}", keys(&harness));
    assert_eq!((keys(&harness)[0], keys(&harness)[2]), (KEYS[0], KEYS[2]));
    let state = harness.state();
    assert!(state.gestures == 1 && state.changes > 4, "{} {}", state.gestures, state.changes);
}

#[test]
fn a_dragged_key_passes_neither_neighbour_nor_range() {
    for (by, beside) in [(vec2(2.0, 3.0), 2), (vec2(-2.0, -3.0), 0)] {
        let mut harness = wide();
        let (at, scale) = (place(&harness, MIDDLE), scale(&harness));
        drag(&mut harness, at, by * scale.abs(), PointerButton::Primary);
        let keys = keys(&harness);
        assert!(keys[0].0 < keys[1].0 && keys[1].0 < keys[2].0, "{keys:?}");
        assert!((keys[1].0 - keys[beside].0).abs() < 1e-3, "{keys:?}");
        assert_eq!(keys[1].1, if by.y > 0.0 { 0.0 } else { 1.0 });
    }
}

#[test]
fn double_click_and_control_click_add_a_key_on_empty_ground_alone() {
    let mut harness = wide();
    let (at, scale) = (place(&harness, MIDDLE), scale(&harness));
    let empty = at + vec2(0.15 * scale.x, -0.25 * scale.y);
    click(&mut harness, empty, PointerButton::Primary, Modifiers::NONE);
    assert_eq!(harness.state().changes, 0);
    click(&mut harness, empty, PointerButton::Primary, Modifiers::NONE);
    harness.run();
    assert_eq!(keys(&harness).len(), 4);
    assert!(close(keys(&harness)[2], (0.65, 0.75)), "{:?}", keys(&harness));
    // The new key has the keyboard focus at once.
    harness.press_key(Press::Delete);
    harness.run();
    assert_eq!(keys(&harness), KEYS);

    harness.run_steps(60);
    click(&mut harness, empty, PointerButton::Primary, Modifiers::COMMAND);
    harness.run();
    assert!(close(keys(&harness)[2], (0.65, 0.75)), "{:?}", keys(&harness));
    assert_eq!(harness.state().gestures, 3);

    let mut harness = wide();
    for _ in 0..2 {
        click(&mut harness, at, PointerButton::Primary, Modifiers::NONE);
    }
    assert_eq!(keys(&harness), KEYS);
}

#[test]
fn a_right_click_removes_a_key() {
    let mut harness = wide();
    let at = place(&harness, MIDDLE);
    click(&mut harness, at, PointerButton::Secondary, Modifiers::NONE);
    harness.run();
    assert_eq!(keys(&harness), [KEYS[0], KEYS[2]]);
    assert_eq!(harness.state().gestures, 1);
    let at = place(&harness, "left foot, key 1 at 0.20 of the clip");
    drag(&mut harness, at, vec2(40.0, 0.0), PointerButton::Secondary);
    assert_eq!(keys(&harness), [KEYS[0], KEYS[2]]);
}

#[test]
fn the_keyboard_moves_removes_and_adds() {
    let mut harness = wide();
    harness.get_by_role_and_label(Role::Slider, MIDDLE).focus();
    harness.run();
    for (key, expected) in [
        (Press::ArrowRight, (0.51, 1.0)),
        (Press::ArrowDown, (0.51, 0.99)),
        (Press::ArrowLeft, (0.5, 0.99)),
        (Press::ArrowUp, (0.5, 1.0)),
    ] {
        harness.press_key(key);
        harness.run();
        let now = keys(&harness)[1];
        assert!((now.0 - expected.0).abs() < 1e-5 && (now.1 - expected.1).abs() < 1e-5, "{key:?} {now:?}");
    }
    for key in [Press::Backspace, Press::Delete, Press::Delete] {
        harness.press_key(key);
        harness.run();
    }
    // The keyboard focus moves to the remaining keys, then to the curve itself.
    assert_eq!(keys(&harness), []);
    harness.press_key(Press::Insert);
    harness.run();
    assert_eq!(keys(&harness), [(0.4, 1.0)]);
}

#[test]
fn every_key_of_a_curve_has_an_accessible_name() {
    let harness = wide();
    harness.get_by_label("left foot, 3 keys");
    for (label, value) in
        [("left foot, key 1 at 0.20 of the clip", 0.0), (MIDDLE, 1.0), ("left foot, key 3 at 0.80 of the clip", 0.5)]
    {
        let announced = harness.get_by_role_and_label(Role::Slider, label).numeric_value();
        assert_eq!(announced, Some(value), "{label}");
    }
}

#[test]
fn hovering_shows_how_to_edit() {
    let mut harness = wide();
    let at = place(&harness, MIDDLE);
    harness.input_mut().events.push(Event::PointerMoved(at));
    harness.run_steps(60);
    harness.get_by_label_contains(
        "Key 2: at 0.50 of the clip, weight 1.00. Drag the key to move it, right-click to remove it.",
    );
}

#[test]
fn few_keys_narrow_panes_and_invalid_times_are_handled() {
    for width in [1.0, 20.0, 40.0, 90.0, 420.0] {
        for list in [&[][..], &[(0.5, 0.5)], &KEYS, &[(0.3, 0.0), (0.3002, 1.0), (1.0, 1.0)]] {
            for now in [None, Some(0.0), Some(1.0), Some(f32::NAN), Some(7.0)] {
                let mut harness = editor(width, list);
                harness.state_mut().now = now;
                harness.state_mut().derived = None;
                harness.run();
                for x in [0.0, 0.3, 0.5, 1.0] {
                    drag(&mut harness, Pos2::new(width * x, 50.0), vec2(30.0, -30.0), PointerButton::Primary);
                }
                assert!(WeightCurve::from_keys(harness.state().curve.keys().to_vec()).is_ok());
                assert_eq!(harness.state().curve.keys().len(), list.len());
            }
        }
    }
}

#[test]
fn a_key_between_close_neighbours_can_still_be_taken() {
    let mut harness = editor(420.0, &[(0.48, 0.5), (0.5, 0.5), (0.52, 0.5)]);
    let at = place(&harness, MIDDLE);
    drag(&mut harness, at, vec2(0.0, -20.0), PointerButton::Primary);
    let values: Vec<f32> = keys(&harness).iter().map(|key| key.1).collect();
    assert!(values[0] == 0.5 && values[2] == 0.5 && values[1] > 0.7, "{values:?}");
}
