//! The window: reads real input, hands it to the session, draws. Nothing else touches macroquad but [`super::render`].

use std::io::Write;
use std::path::PathBuf;

use egui_macroquad::egui;
use glam::{Quat, Vec2, Vec3};
use macroquad::prelude as mq;
use serde_json::{Value, json};
use transform_gizmo_egui::math::{DQuat, DVec3, Transform};
use transform_gizmo_egui::{
    EnumSet, Gizmo, GizmoConfig, GizmoInteraction, GizmoMode, GizmoOrientation, GizmoResult, GizmoVisuals,
};

use super::autosave::{Keeper, Left};
use super::camera::Viewport;
use super::capture::{self, Capture};
use super::character::Character;
use super::commands::{COMMANDS, Command};
use super::handles;
use super::layout::Layout;
use super::panels::{self, Panes};
use super::render::{Renderer, overlay};
use super::scenes::{SCENES, Scene};
use super::session::{Action, GizmoStyle, Request, Selection, Session};
use super::theme::{self, Theme};
use super::timeline::Steps;
use crate::full_body::{Effector, Node};
use crate::preset::shortest;

/// How the window is opened.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub model: Option<PathBuf>,
    pub preset: Option<PathBuf>,
    pub scene: Option<String>,
    pub clip: Option<String>,
    /// Pixels.
    pub size: Option<(u32, u32)>,
    /// Where to write a picture before ending.
    pub screenshot: Option<PathBuf>,
    /// Frames to run before the picture.
    pub frames: u32,
    /// Names of commands to run half-way to the picture, or at the start.
    pub run: Vec<String>,
    /// Print a line for each frame in which anything changed.
    pub log: bool,
}

/// Size of a new window, pixels.
const SIZE: (u32, u32) = (1440, 900);

/// Opens the window and runs until it is closed.
///
/// # Errors
/// One line: no display, or a model, preset, scene or clip that does not load.
pub fn run(options: Options) -> Result<(), String> {
    let mut session = open_session(&options)?;
    let commands = options.run.iter().map(|name| {
        let found = COMMANDS.iter().find(|info| info.label.trim_end_matches('…').eq_ignore_ascii_case(name));
        found.map(|info| info.command).ok_or_else(|| format!("--run: there is no command {name:?}; Ctrl+P lists them"))
    });
    let commands: Vec<Command> = commands.collect::<Result<_, _>>()?;
    if !has_display() {
        return Err(NO_DISPLAY.to_owned());
    }
    let (width, height) = options.size.unwrap_or(SIZE);
    let samples = std::env::var("KINESCOPE_SAMPLES").ok().and_then(|samples| samples.parse().ok()).unwrap_or(4);
    let window = macroquad::miniquad::conf::Conf {
        window_title: "Kinescope".to_owned(),
        window_width: i32::try_from(width).unwrap_or(1440),
        window_height: i32::try_from(height).unwrap_or(900),
        high_dpi: true,
        sample_count: samples,
        window_resizable: options.screenshot.is_none(),
        platform: macroquad::miniquad::conf::Platform {
            swap_interval: options.screenshot.is_some().then_some(0),
            // Nothing is drawn while nothing changes.
            blocking_event_loop: options.screenshot.is_none(),
            ..Default::default()
        },
        ..Default::default()
    };
    let update_on = macroquad::conf::UpdateTrigger {
        key_down: true,
        mouse_down: true,
        mouse_up: true,
        mouse_motion: true,
        mouse_wheel: true,
        specific_key: None,
        touch: true,
    };
    let conf = macroquad::conf::Conf {
        miniquad_conf: window,
        update_on: Some(update_on),
        draw_call_vertex_capacity: super::render::LARGEST_CALL,
        draw_call_index_capacity: 3 * super::render::LARGEST_CALL,
        ..Default::default()
    };
    let outcome = std::sync::Arc::new(std::sync::Mutex::new(Ok(())));
    let result = outcome.clone();
    session.measures_time = options.screenshot.is_none();
    session.solve_micros = 0.0;
    let mut keeper = None;
    // A picture is to be of what was asked for, and leaves nothing behind.
    if options.screenshot.is_none() {
        session.recent = super::files::RecentFiles::load();
        keeper = Keeper::start();
        if let Some(left) = Left::find() {
            session.offer(left);
        }
    }
    // A screen that is named but not there, or lets nobody in, makes the window's library panic before it begins.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let begun = std::sync::Arc::new(std::sync::Mutex::new(Some(hook)));
    let waiting = begun.clone();
    let window = std::panic::AssertUnwindSafe(|| {
        macroquad::Window::from_config(conf, async move {
            if let Some(hook) = begun.lock().ok().and_then(|mut hook| hook.take()) {
                std::panic::set_hook(hook);
            }
            let done = main_loop(session, keeper, &options, commands).await;
            if let Ok(mut result) = result.lock() {
                *result = done;
            }
        });
    });
    if let Err(panic) = std::panic::catch_unwind(window) {
        if waiting.lock().is_ok_and(|hook| hook.is_some()) {
            return Err(NO_DISPLAY.to_owned());
        }
        std::panic::resume_unwind(panic);
    }
    outcome.lock().map_or(Ok(()), |outcome| outcome.clone())
}

const NO_DISPLAY: &str = "no display to open a window on; `xvfb-run -a kinescope --screenshot FILE.png` draws without \
    one, `kinescope solve`, `trace` and `inspect` need none";

fn has_display() -> bool {
    !cfg!(target_os = "linux") || std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty())
}

/// All that can fail before there is a window.
fn open_session(options: &Options) -> Result<Session, String> {
    let character = match &options.model {
        Some(path) => Character::load(path)?,
        None => Character::built_in()?,
    };
    let mut session = Session::new(character);
    if let Some(name) = &options.scene {
        let scene = Scene::find(name).ok_or_else(|| {
            let names: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
            format!("--scene: there is no scene {name:?}; there are {}", names.join(", "))
        })?;
        session.start_scene(scene);
    }
    if let Some(path) = &options.preset {
        session.open_preset(path.clone());
        if let Some(notice) = session.notice.take().filter(|notice| notice.is_error) {
            return Err(notice.text);
        }
    }
    if let Some(name) = &options.clip {
        let clip = session.character.find_clip(name)?;
        session.apply(Action::Clip(Some(clip)));
        session.history.mark_saved();
    }
    Ok(session)
}

/// What one frame of the window keeps for the next.
struct Shell {
    session: Session,
    /// Keeps what is unsaved.
    keeper: Option<Keeper>,
    panes: Panes,
    renderer: Renderer,
    gizmo: Gizmo,
    /// The button that was pressed on the picture and is still down.
    owner: Option<Owner>,
    pointer: Vec2,
    pointer_before: Vec2,
    themed: Option<bool>,
    /// The number of the character that the renderer has.
    character: Option<u64>,
    log: Option<Value>,
    frame: u64,
    /// Pictures that were asked for and wait until no dialog covers the window.
    pictures: Vec<Request>,
    capture: Option<Capture>,
    /// What the interface itself wants drawn again: an animation, a hover that is to show its help.
    wants_repaint: bool,
    /// Seconds since there was any input.
    quiet: f32,
}

/// Seconds that drawing goes on after the last input. The window's library, about to wait, first takes the events that
/// came while it drew and then waits for one more: what is typed or clicked in one go must find it still drawing.
const LINGER: f32 = 0.4;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Handle,
    Orbit,
    Pan,
}

async fn main_loop(
    mut session: Session,
    keeper: Option<Keeper>,
    options: &Options,
    commands: Vec<Command>,
) -> Result<(), String> {
    mq::prevent_quit();
    egui_macroquad::cfg(|ctx| {
        ctx.set_fonts(theme::fonts());
        if options.screenshot.is_some() {
            ctx.style_mut(|style| {
                style.animation_time = 0.0;
                style.visuals.text_cursor.blink = false;
            });
        }
    });
    let layout = match options.screenshot {
        Some(_) => Layout::default(),
        None => Layout::load().unwrap_or_else(|error| {
            session.fail(error);
            Layout::default()
        }),
    };
    let mut shell = Shell {
        renderer: Renderer::new()?,
        session,
        keeper,
        panes: Panes::new(layout),
        gizmo: Gizmo::default(),
        owner: None,
        pointer: Vec2::ZERO,
        pointer_before: Vec2::ZERO,
        themed: None,
        character: None,
        log: options.log.then_some(Value::Null),
        frame: 0,
        pictures: Vec::new(),
        capture: None,
        wants_repaint: true,
        quiet: 0.0,
    };
    loop {
        let dt = match options.screenshot {
            Some(_) => 1.0 / 60.0,
            None => mq::get_frame_time().min(0.25),
        };
        shell.frame(dt);
        let frames = u64::from(options.frames.max(5));
        if shell.frame == if options.screenshot.is_some() { frames / 2 } else { 5 } {
            commands.iter().for_each(|&command| shell.session.apply(Action::Command(command)));
        }
        // Work that a command began is to be in the picture.
        if let Some(path) = &options.screenshot
            && shell.frame >= frames
            && !shell.session.debugger.has_jobs()
        {
            return capture::screen().and_then(|image| capture::write_png(path, &image)).map(|_| ());
        }
        if shell.session.quit {
            shell.panes.layout.store();
            if let Some(keeper) = shell.keeper {
                keeper.end();
            }
            return Ok(());
        }
        if shell.is_moving() {
            macroquad::miniquad::window::schedule_update();
        }
        mq::next_frame().await;
    }
}

impl Shell {
    fn frame(&mut self, dt: f32) {
        self.frame += 1;
        if mq::is_quit_requested() {
            self.session.apply(Action::Command(Command::Quit));
        }
        for file in mq::get_dropped_files() {
            if let Some(path) = file.path {
                self.session.apply(Action::OpenAny(path));
            }
        }
        if self.character != Some(self.session.character_number) {
            self.renderer.set_character(&self.session);
            self.character = Some(self.session.character_number);
        }
        for request in std::mem::take(&mut self.session.requests) {
            self.pictures.extend(self.panes.handle(request));
        }
        if let Some(capture) = &mut self.capture
            && let Some(cursor) = capture.next()
        {
            self.session.apply(Action::Seek(cursor));
        }
        self.session.update(dt);

        let scale = macroquad::miniquad::window::dpi_scale();
        let mut actions = Vec::new();
        let mut free = false;
        self.pointer_before = self.pointer;
        egui_macroquad::ui(|ctx| {
            repair_input(ctx, scale);
            if self.themed != Some(self.session.view.light_theme) {
                self.themed = Some(self.session.view.light_theme);
                Theme::of(self.session.view.light_theme).apply(ctx);
            }
            shortcuts(ctx, &self.session, &mut actions);
            let picture = panels::show(ctx, &self.session, &mut self.panes, &mut actions);
            self.session.viewport = Viewport {
                min: Vec2::new(picture.min.x, picture.min.y),
                size: Vec2::new(picture.width(), picture.height()),
            };
            panels::dialogs::notice(ctx, &self.session, picture, &mut actions);
            overlay::paint(ctx, &self.session, picture);
            let pointer = ctx.input(|input| input.pointer.latest_pos()).unwrap_or_default();
            self.pointer = Vec2::new(pointer.x, pointer.y);
            // The edges of the picture are where panes are resized.
            free = picture.shrink(3.0).contains(pointer)
                && ctx.layer_id_at(pointer).is_none_or(|layer| layer.order == egui::Order::Background)
                && !ctx.is_using_pointer()
                && self.session.dialog.is_none();
            // Where a ring is under the pointer it is the ring that is meant, not an arrow behind it.
            let on_handle = handles::handle_at(&self.session.handles(), self.pointer).is_some();
            let to_gizmo = free && self.owner.is_none() && (!on_handle || self.gizmo.is_focused());
            show_gizmo(ctx, &mut self.gizmo, &mut self.session, picture, to_gizmo);
            free &= !self.gizmo.is_focused();
            self.wants_repaint = ctx.has_requested_repaint();
            self.quiet = if ctx.input(|input| input.events.is_empty()) { self.quiet + dt } else { 0.0 };
        });
        // The marks are painted: the surface under them has to be of the same instant. What was asked for shows next.
        self.renderer.draw(&self.session, scale);
        egui_macroquad::draw();
        self.take_pictures(scale);
        for action in actions {
            self.session.apply(action);
        }
        self.pointer_input(free);
        self.session.update(0.0);
        if let Some(keeper) = &mut self.keeper {
            keeper.look(&self.session);
        }
        if let Some(left) = self.session.done_with.take() {
            // Not before it is kept anew.
            self.keeper.iter().for_each(Keeper::flush);
            left.remove();
        }
        self.write_log();
    }

    /// Whether the next frame is to be drawn without waiting for input.
    fn is_moving(&self) -> bool {
        // The first frames settle sizes and fonts; an action asked for in this one shows in the next.
        self.frame < 5
            || self.quiet < LINGER
            || self.wants_repaint
            || self.owner.is_some()
            || self.capture.is_some()
            || !self.pictures.is_empty()
            || !self.session.requests.is_empty()
            || self.session.is_moving()
    }

    /// What is on the screen, as asked for.
    fn take_pictures(&mut self, scale: f32) {
        if self.session.dialog.is_some() {
            return;
        }
        let viewport = self.session.viewport;
        let picture = [viewport.min.x, viewport.min.y, viewport.size.x, viewport.size.y].map(|x| x * scale);
        for request in std::mem::take(&mut self.pictures) {
            let done = match request {
                Request::Picture(path) => capture::screen().and_then(|image| capture::write_png(&path, &image)),
                Request::PlotPicture(path) => match self.panes.plots {
                    Some(at) => {
                        let at = [at.min.x, at.min.y, at.width(), at.height()].map(|x| x * scale);
                        capture::screen().and_then(|image| capture::write_png(&path, &capture::part(&image, at)))
                    }
                    None => Err("the plots are not open: press P first".to_owned()),
                },
                Request::Capture(path) => {
                    self.capture = Some(Capture::start(path, &self.session));
                    continue;
                }
                _ => continue,
            };
            match done {
                Ok(path) => self.session.notify(format!("saved {}", path.display())),
                Err(error) => self.session.fail(error),
            }
        }
        let Some(capture) = &mut self.capture else { return };
        match capture.take(picture) {
            Ok(true) => {}
            Ok(false) => {
                let done = self.capture.take().map(|capture| capture.finish(&mut self.session));
                match done {
                    Some(Ok(text)) => self.session.notify(text),
                    Some(Err(error)) => self.session.fail(error),
                    None => {}
                }
            }
            Err(error) => {
                self.capture = None;
                self.session.fail(error);
            }
        }
    }

    /// Mouse on the picture: a press chooses what the drag does, until the button is up again.
    fn pointer_input(&mut self, free: bool) {
        use mq::MouseButton::{Left, Middle, Right};
        let session = &mut self.session;
        let pointer = self.pointer;
        let moved = pointer - self.pointer_before;
        if let Some(owner) = self.owner {
            let button = match owner {
                Owner::Handle => Left,
                Owner::Orbit => Right,
                Owner::Pan => Middle,
            };
            if mq::is_mouse_button_down(button) {
                match owner {
                    Owner::Handle => session.drag_to(pointer),
                    Owner::Orbit => session.camera.orbit(moved),
                    Owner::Pan => session.camera.pan(moved, session.viewport),
                }
            } else {
                if owner == Owner::Handle {
                    session.drag_to(pointer);
                    session.release();
                }
                self.owner = None;
            }
        } else if free {
            let all = session.handles();
            session.hovered = handles::handle_at(&all, pointer).map(|handle| handle.id);
            if mq::is_mouse_button_pressed(Left) {
                session.press(pointer);
                self.owner = (session.drag.is_some() || session.stroke.is_some()).then_some(Owner::Handle);
            } else if mq::is_mouse_button_pressed(Right) {
                self.owner = Some(Owner::Orbit);
            } else if mq::is_mouse_button_pressed(Middle) {
                self.owner = Some(Owner::Pan);
            }
            let (_, wheel) = mq::mouse_wheel();
            if wheel != 0.0 {
                session.camera.zoom(wheel.signum(), session.character.height);
            }
        } else {
            session.hovered = None;
        }
    }

    /// One JSON line if anything of the picture changed.
    fn write_log(&mut self) {
        let Some(last) = &mut self.log else { return };
        let session = &self.session;
        let vector = |v: Vec3| v.to_array().map(shortest);
        let scale = macroquad::miniquad::window::dpi_scale();
        let handles: serde_json::Map<String, Value> = session
            .handles()
            .into_iter()
            .map(|handle| {
                let screen = (handle.screen * scale).round();
                let value =
                    json!({ "screen": [screen.x as i64, screen.y as i64], "position": vector(handle.position) });
                (handle.id.key(), value)
            })
            .collect();
        let nodes: serde_json::Map<String, Value> = session.state().map_or_else(Default::default, |state| {
            Node::ALL.into_iter().map(|node| (node.key().to_owned(), json!(vector(state.nodes[node])))).collect()
        });
        let weighted = Effector::ALL.into_iter().zip(session.gaps.0).filter(|(effector, _)| {
            session.lab().is_none() && session.recording.frame.effector(*effector).position_weight > 0.0
        });
        let gaps: serde_json::Map<String, Value> =
            weighted.map(|(effector, gap)| (effector.key().to_owned(), json!(shortest(gap)))).collect();
        let stage = match session.steps() {
            Steps::Body(recording) => recording.steps.get(session.cursor.step).map(|step| step.step.stage.key()),
            Steps::Chain(recording) => recording.steps.get(session.cursor.step).map(|step| step.step.stage.key()),
            Steps::Ground(recording) => recording.steps.get(session.cursor.step).map(|step| step.key),
            Steps::Nothing => None,
        };
        let line = json!({
            "live": session.is_live(),
            "paused": session.paused,
            "cursor": {
                "iteration": session.steps().iteration(session.cursor.step),
                "stage": stage,
                "move": session.cursor.within,
            },
            "tape": {
                "frame": session.frame,
                "what_if": session.debugger.what_if.as_ref().map_or(0, |what_if| what_if.changes.len()),
            },
            "selected": session.selection.key(),
            "unsaved": session.history.is_unsaved(),
            "dialog": session.dialog.as_ref().map(|dialog| dialog.key()),
            "message": session.notice.as_ref().map(|notice| &notice.text),
            "handles": handles,
            "nodes": nodes,
            "gaps": gaps,
        });
        if line == *last {
            return;
        }
        last.clone_from(&line);
        let mut line = line;
        line["frame"] = json!(self.frame);
        line["solve_us"] = json!(shortest((session.solve_micros * 10.0).round() / 10.0));
        // Whoever read it may have gone.
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}

/// Mends what the glue between egui and macroquad gets wrong on X11: modifiers that come one event late, text typed
/// with Ctrl, a wheel that hardly scrolls, and the scale of a high-dpi screen.
fn repair_input(ctx: &egui::Context, scale: f32) {
    use mq::KeyCode::{LeftAlt, LeftControl, LeftShift, RightAlt, RightControl, RightShift};
    if (ctx.pixels_per_point() - scale).abs() > 1e-3 {
        ctx.set_pixels_per_point(scale);
    }
    let held = |a, b| mq::is_key_down(a) || mq::is_key_down(b);
    let ctrl = held(LeftControl, RightControl);
    let modifiers = egui::Modifiers {
        alt: held(LeftAlt, RightAlt),
        ctrl,
        shift: held(LeftShift, RightShift),
        mac_cmd: false,
        command: ctrl,
    };
    ctx.input_mut(|input| {
        input.modifiers = modifiers;
        input.smooth_scroll_delta *= 90.0;
        input.raw_scroll_delta *= 90.0;
        let with_ctrl = |event: &egui::Event| matches!(event, egui::Event::Key { modifiers, .. } if modifiers.ctrl);
        let ctrl = ctrl || input.events.iter().any(with_ctrl);
        input.events.retain_mut(|event| match event {
            egui::Event::PointerButton { modifiers: late, .. } => {
                *late = modifiers;
                true
            }
            egui::Event::Text(_) => !ctrl,
            _ => true,
        });
    });
}

/// Keys that are commands, unless a text field wants them.
fn shortcuts(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let focused = ctx.memory(|memory| memory.focused());
    let typing = focused.is_some_and(|id| egui::TextEdit::load_state(ctx, id).is_some());
    let in_dialog = session.dialog.is_some();
    for info in COMMANDS {
        let Some(shortcut) = info.shortcut else { continue };
        let with_ctrl = shortcut.modifiers.ctrl;
        let closes = matches!(info.command, Command::Keys | Command::Palette | Command::RigDoctor);
        // With the keyboard on a control, these keys are the control's.
        let of_control = matches!(shortcut.logical_key, egui::Key::Tab | egui::Key::Space) && focused.is_some();
        if (typing && !with_ctrl) || (in_dialog && !closes) || (of_control && shortcut.modifiers.is_none()) {
            continue;
        }
        // A key event has the modifiers of its own moment, which a quick press needs.
        let wanted = shortcut.modifiers;
        ctx.input_mut(|input| {
            input.events.retain(|event| {
                let same = match event {
                    egui::Event::Key { key, pressed: true, modifiers, .. } => {
                        *key == shortcut.logical_key
                            && (modifiers.ctrl, modifiers.shift, modifiers.alt)
                                == (wanted.ctrl, wanted.shift, wanted.alt)
                    }
                    // The glue has no slash key, and where `?` is depends on the keyboard.
                    egui::Event::Text(text) => info.command == Command::Keys && text == "?",
                    _ => false,
                };
                if same {
                    actions.push(Action::Command(info.command));
                }
                !same
            });
        });
    }
}

fn rows(matrix: glam::Mat4) -> [[f64; 4]; 4] {
    matrix.transpose().to_cols_array_2d().map(|row| row.map(f64::from))
}

/// Arrows and rings on the selected effector. `pointer_is_free` lets it take the pointer.
fn show_gizmo(
    ctx: &egui::Context,
    gizmo: &mut Gizmo,
    session: &mut Session,
    picture: egui::Rect,
    pointer_is_free: bool,
) {
    let Some((effector, position, rotation)) = session.gizmo_target() else { return };
    let theme = Theme::of(session.view.light_theme);
    let moves = GizmoMode::TranslateX | GizmoMode::TranslateY | GizmoMode::TranslateZ;
    let turns = GizmoMode::RotateX | GizmoMode::RotateY | GizmoMode::RotateZ;
    let modes: EnumSet<GizmoMode> = match session.gizmo {
        // Body, shoulders and thighs take no rotation.
        _ if effector.limb().is_none() => moves,
        GizmoStyle::Move => moves,
        GizmoStyle::Rotate => turns,
        GizmoStyle::Both => moves | turns,
    };
    gizmo.update_config(GizmoConfig {
        view_matrix: rows(session.camera.view()).into(),
        projection_matrix: rows(session.camera.projection(session.viewport)).into(),
        viewport: picture,
        modes,
        orientation: GizmoOrientation::Global,
        pixels_per_point: ctx.pixels_per_point(),
        visuals: GizmoVisuals {
            x_color: theme.accent,
            y_color: theme.accent,
            z_color: theme.accent,
            s_color: theme.text[1],
            inactive_alpha: 0.62,
            highlight_alpha: 1.0,
            highlight_color: Some(theme.target),
            stroke_width: 2.4,
            gizmo_size: 78.0,
        },
        ..*gizmo.config()
    });
    let target = Transform::from_scale_rotation_translation(
        DVec3::ONE,
        DQuat::from_array(rotation.to_array().map(f64::from)),
        DVec3::from_array(position.to_array().map(f64::from)),
    );
    // Its own egui glue would claim every press on the picture, whatever is under it.
    let (pointer, pressed, down) = ctx.input(|input| {
        let button = egui::PointerButton::Primary;
        let pointer = input.pointer.latest_pos().unwrap_or_default();
        (pointer, input.pointer.button_pressed(button), input.pointer.button_down(button))
    });
    let interaction = GizmoInteraction {
        cursor_pos: (pointer.x, pointer.y),
        hovered: pointer_is_free,
        drag_started: pressed && pointer_is_free,
        dragging: down,
    };
    let result = gizmo.update(interaction, &[target]);
    let drawn = gizmo.draw();
    let vertices = drawn.vertices.into_iter().zip(drawn.colors).map(|(at, [r, g, b, a])| egui::epaint::Vertex {
        pos: at.into(),
        uv: egui::epaint::WHITE_UV,
        color: egui::Rgba::from_rgba_premultiplied(r, g, b, a).into(),
    });
    let mesh = egui::Mesh { indices: drawn.indices, vertices: vertices.collect(), ..Default::default() };
    ctx.layer_painter(egui::LayerId::background()).with_clip_rect(picture).add(mesh);
    let Some((result, transforms)) = result else { return };
    let Some(new) = transforms.first() else { return };
    let mut settings = *session.settings();
    let gesture = match result {
        GizmoResult::Rotation { .. } | GizmoResult::Arcball { .. } => {
            let v = new.rotation.v;
            let rotation = Quat::from_xyzw(v.x as f32, v.y as f32, v.z as f32, new.rotation.s as f32);
            handles::turn(&mut settings, effector, rotation);
            "turn"
        }
        _ => {
            let t = new.translation;
            let position = Vec3::new(t.x as f32, t.y as f32, t.z as f32);
            let position = session.room().clamp(position);
            handles::place(&mut settings, handles::HandleId::Effector(effector), position);
            "move"
        }
    };
    session.selection = Selection::Effector(effector);
    let label = format!("{gesture} {}", crate::full_body::names::label(effector.key()));
    // One drag is one edit: the pointer's release ends it, as for any slider.
    session.edit(&label, Some(u64::MAX - effector as u64), settings);
}
