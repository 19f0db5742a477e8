//! The window: reads real input, hands it to the session, draws. Nothing else touches macroquad but [`crate::picture`].

#[cfg(target_os = "linux")]
use std::io::IsTerminal;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use egui_macroquad::egui;
use glam::{Vec2, Vec3};
use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::miniquad::{EventHandler, KeyMods};
use macroquad::prelude as mq;
use serde_json::{Value, json};

use crate::character::Character;
use crate::character::preset_model::no_model;
use crate::picture::camera::Viewport;
use crate::picture::navigation::{Button, Move, NUMBER_PAD};
use crate::picture::{Renderer, paint};
use crate::scenes::{SCENES, Scene};
use crate::session::commands::{COMMANDS, Command};
use crate::session::{Action, Dialog, Request, Session, Start};
use crate::shell::autosave::{Keeper, Left};
use crate::shell::capture::{self, Capture};
#[cfg(target_os = "linux")]
use crate::system::waker::Waker;
use crate::tools::pose::gizmo::{self, PoseGizmo};
use crate::tools::pose::handles;
use crate::tools::pose::session::PoseAction;
use crate::tools::steps::session::StepAction;
use crate::ui::fonts::SystemFonts;
use crate::ui::layout::Layout;
use crate::ui::shortcuts::{Shortcuts, typed_field};
use crate::ui::theme::{self, Theme};
use crate::ui::{self, Panes};
use kinescope_ik::full_body::{Effector, Node};
use kinescope_ik::json::shortest;
use kinescope_ik::stack::MeasureId;
use kinescope_ik::timing::{Laps, Times, Work};

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
    /// Where games are waited for.
    pub listen: Option<String>,
    /// The model whose mesh a recording is drawn with.
    pub body: Option<PathBuf>,
}

/// Size of a new window, pixels.
const SIZE: (u32, u32) = (1440, 900);

const TITLE: &str = "Kinescope";

/// Opens the window and runs until it is closed.
///
/// # Errors
/// One line: no display, or a model, preset, scene or clip that does not load.
pub fn run(options: Options) -> Result<(), String> {
    let mut session = open_session(&options)?;
    let inputs: Vec<PathBuf> = session.inputs().into_iter().chain(options.model.clone()).collect();
    options.screenshot.as_ref().map_or(Ok(()), |out| crate::system::files::check_output(out, &inputs))?;
    let commands = options.run.iter().map(|name| {
        let found = COMMANDS
            .iter()
            .find(|info| info.label.trim_end_matches('…').eq_ignore_ascii_case(name.trim_end_matches('…')));
        found.map(|info| info.command).ok_or_else(|| format!("--run: there is no command {name:?}; Ctrl+P lists them"))
    });
    let commands: Vec<Command> = commands.collect::<Result<_, _>>()?;
    if !has_display() {
        return Err(NO_DISPLAY.to_owned());
    }
    let (width, height) = options.size.unwrap_or(SIZE);
    let samples = std::env::var("KINESCOPE_SAMPLES").ok().and_then(|samples| samples.parse().ok());
    let samples = samples.unwrap_or(if options.screenshot.is_none() && draws_in_software() { 1 } else { 4 });
    let window = macroquad::miniquad::conf::Conf {
        window_title: TITLE.to_owned(),
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
        draw_call_vertex_capacity: crate::picture::LARGEST_CALL,
        draw_call_index_capacity: 3 * crate::picture::LARGEST_CALL,
        ..Default::default()
    };
    let outcome = std::sync::Arc::new(std::sync::Mutex::new(Ok(())));
    let result = outcome.clone();
    // A picture is to repeat.
    session.measure(options.screenshot.is_none().then_some(crate::system::clock::micros));
    let mut keeper = None;
    // A picture is to be of what was asked for, and leaves nothing behind.
    if options.screenshot.is_none() {
        session.files.recent = crate::system::files::RecentFiles::load();
        match Keeper::start() {
            Ok(started) => keeper = Some(started),
            Err(error) => session.warn(error),
        }
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

/// Whether it is the processor that draws: smooth edges then cost more than they are worth. To be known before there is
/// anything to ask the driver with.
fn draws_in_software() -> bool {
    let is_asked_for = std::env::var_os("LIBGL_ALWAYS_SOFTWARE").is_some_and(|value| value != "0" && value != "false");
    let has_card = std::fs::read_dir("/dev/dri").is_ok_and(|mut devices| devices.next().is_some());
    cfg!(target_os = "linux") && (is_asked_for || !has_card)
}

fn has_display() -> bool {
    !cfg!(target_os = "linux") || std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty())
}

/// How long a window waits for the file of the command line before it opens without it: what fails by then fails in the
/// terminal.
const WAITS_FOR_FILE: Duration = Duration::from_secs(1);

/// Everything that can fail before the window opens. A file that takes longer goes on being opened in the window, on the built-in
/// character; a picture waits for its file.
fn open_session(options: &Options) -> Result<Session, String> {
    let is_error = |session: &mut Session| match session.desk.notice.take_if(|notice| notice.is_error) {
        Some(notice) => Err(notice.text),
        None => Ok(()),
    };
    let scene = options.scene.as_ref().map(|name| {
        Scene::find(name).ok_or_else(|| {
            let names: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
            format!("--scene: there is no scene {name:?}; there are {}", names.join("; "))
        })
    });
    let (preset, clip, is_silent) = (options.preset.clone(), options.clip.clone(), options.screenshot.is_some());
    let start = Start { scene: scene.transpose()?, preset, clip, is_silent, ..Start::default() };
    let longest = if options.screenshot.is_some() { Duration::MAX } else { WAITS_FOR_FILE };
    let mut session = Session::new(Character::built_in()?);
    let has_bones = |path: &PathBuf| crate::system::files::is_json(path) || crate::system::files::is_recording(path);
    if options.body.is_some() && !options.model.as_ref().is_some_and(has_bones) {
        return Err("--body: is for a game's recording or a bug capsule; name that first".to_owned());
    }
    match &options.model {
        Some(path) if has_bones(path) => {
            session.apply(Action::OpenAny(path.clone()));
            session.wait_for_opening(longest);
            match &session.desk.notice {
                // Of a recording that is there a part is not: that is told beside it.
                Some(notice) if session.games.is_shown() && notice.is_error => {
                    eprintln!("{}", crate::system::files::one_line(&notice.text))
                }
                _ => is_error(&mut session)?,
            }
            wear_body(&mut session, options.body.as_deref(), longest)?;
            session.start(Start { keeps_character: true, ..start })?;
        }
        Some(path) => {
            session.open_model_and_start(path, Start { keeps_character: true, ..start });
            session.wait_for_model(longest)?;
        }
        None => {
            session.start(start)?;
            // That of the preset.
            session.wait_for_model(longest)?;
        }
    }
    if options.preset.is_some()
        && let Some(difference) = session.files.difference.take()
    {
        eprintln!("kinescope: warning: {}", crate::system::files::one_line(&difference));
    }
    // Nobody answers the question in a picture: whoever runs the command reads why it is there.
    if options.screenshot.is_some()
        && let Some(Dialog::SceneNeedsClips { scene, missing }) = &session.desk.dialog
    {
        let text = crate::ui::dialogs::missing_clips_text(&session.character.model, scene, missing);
        eprintln!("kinescope: warning: {}", crate::system::files::one_line(&text));
    }
    if options.screenshot.is_some()
        && let Some(Dialog::ModelOfPreset { preset, why, .. }) = &session.desk.dialog
    {
        return Err(no_model(preset, why));
    }
    if let Some(address) = &options.listen {
        session.listen(address);
        is_error(&mut session)?;
    }
    Ok(session)
}

/// Draws what was opened with the mesh of the command line. What of it does not match is no error.
fn wear_body(session: &mut Session, body: Option<&Path>, longest: Duration) -> Result<(), String> {
    match (&mut session.games.opening, body) {
        // The recording gets it once it is open.
        (Some(opening), Some(body)) => opening.body = Some(body.to_owned()),
        (None, Some(body)) => session.choose_body(body),
        (_, None) => {}
    }
    session.wait_for_model(longest)?;
    match (session.desk.notice.as_ref().filter(|notice| notice.is_error), session.character.body()) {
        (Some(notice), Some(_)) => eprintln!("kinescope: warning: {}", crate::system::files::one_line(&notice.text)),
        (Some(notice), None) if !session.games.is_shown() => return Err(notice.text.clone()),
        (Some(_), None) | (None, _) => {}
    }
    Ok(())
}

/// What one frame of the window keeps for the next.
struct Shell {
    session: Session,
    keeping: Keeping,
    panes: Panes,
    renderer: Renderer,
    gizmo: PoseGizmo,
    pointer: Pointer,
    typing: Typing,
    shortcuts: Shortcuts,
    number_pad: NumberPad,
    rest: Rest,
    fonts: SystemFonts,
    #[cfg(target_os = "linux")]
    asked: Option<Asked>,
    themed: Option<bool>,
    /// The number of the character that the renderer has.
    character: Option<u64>,
    log: Option<Value>,
    frame: u64,
    /// Pictures that were asked for and wait until no dialog covers the window.
    pictures: Vec<Request>,
    capture: Option<Capture>,
    /// What drawing this frame took so far.
    drawing: Laps,
    /// The scene of frames before that one is not drawn: nobody sees it.
    drawn_from: u64,
}

/// Lines on standard input beside a log, each of which is answered once the window shows all input that came before it. Tests
/// on a virtual screen then need no pauses, however slow the machine is.
#[cfg(target_os = "linux")]
struct Asked {
    /// How many lines there were.
    heard: Arc<AtomicU64>,
    answered: u64,
    /// The newest line that the window has seen, and its frame then.
    seen: (u64, u64),
}

#[cfg(target_os = "linux")]
impl Asked {
    /// Frames after a line until the window may answer. Each begins with the events that came before it.
    const SEES: u64 = 2;
    /// Frames after which a window answers in which something always moves.
    const LONGEST: u64 = 12;

    /// `None` for a terminal, from which nobody asks.
    fn start(wake: impl Fn() + Send + 'static) -> Option<Self> {
        let input = std::io::stdin();
        if input.is_terminal() {
            return None;
        }
        let heard = Arc::new(AtomicU64::new(0));
        let counts = heard.clone();
        let read = move || {
            for _ in input.lines().map_while(Result::ok) {
                counts.fetch_add(1, Ordering::Relaxed);
                wake();
            }
        };
        std::thread::Builder::new().name("standard input".to_owned()).spawn(read).ok()?;
        Some(Self { heard, answered: 0, seen: (0, 0) })
    }

    /// Whether a line waits for its answer, and whether it is answered now.
    fn look(&mut self, frame: u64, is_moving: bool) -> (bool, bool) {
        let heard = self.heard.load(Ordering::Relaxed);
        if heard != self.seen.0 {
            self.seen = (heard, frame);
        }
        let frames = frame - self.seen.1;
        let answers = heard != self.answered && frames >= if is_moving { Self::LONGEST } else { Self::SEES };
        if answers {
            self.answered = heard;
        }
        (heard != self.answered, answers)
    }
}

/// Keeps what is unsaved.
struct Keeping {
    keeper: Option<Keeper>,
    /// What was taken back is not kept anew yet: the disk is full, say.
    is_taking_back: bool,
}

/// The pointer on the picture.
#[derive(Default)]
struct Pointer {
    /// Whose the button is that was pressed there and is still down.
    owner: Option<Owner>,
    at: Vec2,
    before: Vec2,
}

/// What was typed after a key that opens a dialog, until there is a field for it.
#[derive(Default)]
struct Typing {
    held: Vec<egui::Event>,
    /// Frames it has waited.
    held_for: u32,
    /// The frame that read the newest input.
    read_in: u64,
}

/// When nothing has to be drawn.
struct Rest {
    /// After how long the interface itself wants to be drawn again: an animation, a hover that is to show its help.
    repaint: Arc<Mutex<Option<Duration>>>,
    /// Frames still to be drawn until sizes and states have settled.
    unsettled: u32,
    /// Seconds since there was any input.
    quiet: f32,
    #[cfg(target_os = "linux")]
    waker: Option<Waker>,
}

/// Steps of the wheel for a pixel of a drag that zooms.
const ZOOM_SPEED: f32 = 0.03;
/// Frames drawn after the last change of anything.
const SETTLES: u32 = 3;
/// Frames that typing waits for a field.
const LONGEST_HELD: u32 = 12;
/// Seconds that drawing goes on after the last input where nothing can wake the window. Its library, about to wait, first
/// takes the events that came while it drew and then waits for one more.
const LINGER: f32 = 0.4;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Handle,
    /// The camera, by the button that was pressed.
    Camera(Move, Button),
}

async fn main_loop(
    mut session: Session,
    keeper: Option<Keeper>,
    options: &Options,
    commands: Vec<Command>,
) -> Result<(), String> {
    mq::prevent_quit();
    let repaint = Arc::new(Mutex::new(None));
    let asked = repaint.clone();
    egui_macroquad::cfg(|ctx| {
        ctx.set_fonts(theme::fonts());
        // What an action changed is in the picture of the same frame.
        ctx.options_mut(|options| options.max_passes = NonZeroUsize::new(3).unwrap_or(NonZeroUsize::MIN));
        ctx.set_request_repaint_callback(move |info| {
            if let Ok(mut asked) = asked.lock() {
                *asked = Some(asked.map_or(info.delay, |delay: Duration| delay.min(info.delay)));
            }
        });
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
    session.look.navigation = layout.navigation;
    let mut shell = Shell {
        renderer: Renderer::new()?,
        session,
        keeping: Keeping { keeper, is_taking_back: false },
        panes: Panes::new(layout),
        gizmo: PoseGizmo::default(),
        pointer: Pointer::default(),
        typing: Typing::default(),
        shortcuts: Shortcuts::default(),
        number_pad: NumberPad { subscriber: register_input_subscriber(), pressed: Vec::new() },
        rest: Rest {
            repaint,
            unsettled: 5,
            quiet: 0.0,
            #[cfg(target_os = "linux")]
            waker: if options.screenshot.is_some() { None } else { Waker::start(TITLE) },
        },
        fonts: SystemFonts::default(),
        #[cfg(target_os = "linux")]
        asked: None,
        themed: None,
        character: None,
        log: options.log.then_some(Value::Null),
        frame: 0,
        pictures: Vec::new(),
        capture: None,
        drawing: Laps::new(Some(crate::system::clock::micros)),
        // Two more than the last, for whatever takes hold a frame late.
        drawn_from: options.screenshot.as_ref().map_or(0, |_| u64::from(options.frames).saturating_sub(2)),
    };
    #[cfg(target_os = "linux")]
    if let Some(waker) = &shell.rest.waker {
        shell.session.games.wake.set(waker.bell());
        shell.asked = if options.log { Asked::start(waker.bell()) } else { None };
    }
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
            && !shell.session.games.has_jobs()
            && !shell.session.is_opening_model()
        {
            let inputs = shell.session.inputs();
            return capture::screen().and_then(|image| capture::write_png(path, &image, &inputs)).map(|_| ());
        }
        if shell.session.desk.quit {
            shell.panes.layout.navigation = shell.session.look.navigation;
            shell.panes.layout.store();
            if let Some(keeper) = shell.keeping.keeper {
                keeper.end();
            }
            return Ok(());
        }
        let is_moving = shell.is_moving();
        let is_moving = is_moving | shell.answer(is_moving);
        match is_moving {
            true => macroquad::miniquad::window::schedule_update(),
            false => shell.wait(),
        }
        shell.drawing.skip();
        mq::next_frame().await;
        // Where nothing moves it is input that was waited for.
        if is_moving {
            shell.drawing.end(Work::Screen);
            shell.session.drew(&shell.drawing.times);
        }
        shell.drawing.times = Times::default();
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
        if let Some(capture) = &mut self.capture
            && let Some(cursor) = capture.next()
        {
            self.session.apply(Action::Steps(StepAction::Seek(cursor)));
        }
        self.session.update(dt);

        let scale = macroquad::miniquad::window::dpi_scale();
        if let Ok(mut repaint) = self.rest.repaint.lock() {
            *repaint = None;
        }
        self.pointer.before = self.pointer.at;
        let mut is_first = true;
        egui_macroquad::ui(|ctx| {
            self.pass(ctx, dt, scale, is_first);
            is_first = false;
        });
        if self.character != Some(self.session.desk.characters) {
            self.renderer.set_character(&self.session);
            self.character = Some(self.session.desk.characters);
        }
        self.drawing.skip();
        if self.frame >= self.drawn_from || !self.pictures.is_empty() || self.capture.is_some() {
            self.renderer.draw(&self.session, scale, &mut self.drawing);
        }
        egui_macroquad::draw();
        self.drawing.end(Work::Panes);
        self.take_pictures(scale);
        if let Some(keeper) = &mut self.keeping.keeper {
            keeper.look(&self.session);
            if let Some(failure) = keeper.new_failure() {
                self.session.warn(failure);
            }
        }
        if let Some(left) = self.session.files.done_with.take() {
            // Not before it is kept anew, or nothing of it is unsaved any more.
            let is_kept = self.keeping.keeper.as_ref().is_some_and(|keeper| match self.keeping.is_taking_back {
                false => keeper.flush(),
                true => keeper.is_kept(),
            });
            self.keeping.is_taking_back = !is_kept;
            match is_kept {
                true => left.remove(),
                false => self.session.files.done_with = Some(left),
            }
        }
        self.write_log(false);
    }

    /// The interface, and what is done with it. The first pass of a frame has its input; if that changed anything, another
    /// one draws what came of it, so that it is in the same picture.
    fn pass(&mut self, ctx: &egui::Context, dt: f32, scale: f32, is_first: bool) {
        let mut actions = Vec::new();
        let mut draws_again = false;
        if is_first {
            repair_input(ctx, scale);
            self.number_pad.hand_on(ctx);
            self.hold_typing(ctx);
            let (is_quiet, is_motion) = ctx.input(|input| {
                let moves = |event: &egui::Event| {
                    matches!(
                        event,
                        egui::Event::PointerMoved(_) | egui::Event::MouseMoved(_) | egui::Event::PointerGone
                    )
                };
                (input.events.is_empty(), input.events.iter().all(moves))
            });
            // More motion is to come, and what a drag of a slider changes is in the picture anyway: the panels may have
            // their numbers a frame later.
            draws_again = !is_motion;
            self.rest.quiet = if is_quiet { self.rest.quiet + dt } else { 0.0 };
            if !is_quiet {
                self.rest.unsettled = SETTLES;
                self.typing.read_in = self.frame;
            }
            self.shortcuts.before(ctx, &self.session, &mut actions);
        }
        if self.themed != Some(self.session.view.light_theme) {
            self.themed = Some(self.session.view.light_theme);
            Theme::of(self.session.view.light_theme).apply(ctx);
        }
        self.drawing.skip();
        let picture = ui::show(ctx, &self.session, &mut self.panes, &mut actions);
        self.shortcuts.after(&mut actions);
        self.drawing.end(Work::Panes);
        self.session.set_viewport(Viewport {
            min: Vec2::new(picture.min.x, picture.min.y),
            size: Vec2::new(picture.width(), picture.height()),
        });
        ui::dialogs::notice(ctx, &self.session, picture, &mut actions);
        ui::dialogs::opening(ctx, &self.session, picture, &mut actions);
        let pointer = ctx.input(|input| input.pointer.latest_pos()).unwrap_or_default();
        self.pointer.at = Vec2::new(pointer.x, pointer.y);
        // The edges of the picture are where panes are resized.
        let mut free = picture.shrink(3.0).contains(pointer)
            && ctx.layer_id_at(pointer).is_none_or(|layer| layer.order == egui::Order::Background)
            && !ctx.is_using_pointer()
            && (self.session.desk.dialog.is_none() || self.session.in_doctor());
        // Where a ring is under the pointer it is the ring that is meant, not an arrow behind it.
        let on_handle = handles::handle_at(&self.session.handles(), self.pointer.at).is_some();
        let to_gizmo = free && self.pointer.owner.is_none() && (!on_handle || self.gizmo.is_focused());
        let primary = egui::PointerButton::Primary;
        let (pressed, down, held, released) = ctx.input(|input| {
            let pointer = &input.pointer;
            (pointer.button_pressed(primary), pointer.button_down(primary), input.modifiers, pointer.any_released())
        });
        // Who lets go of button and key at once means the drag as it was.
        if !released {
            (self.session.hands.posing.ctrl, self.session.hands.posing.shift) = (held.ctrl, held.shift);
        }
        // A button that moves the camera grabs no arrow.
        let to_gizmo = to_gizmo && self.session.look.navigation.drag(Button::Left, held).is_none();
        let at_gizmo = gizmo::Pointer { at: pointer, pressed, down, is_free: to_gizmo };
        let turned = self.gizmo.update(&self.session, picture, ctx.pixels_per_point(), at_gizmo);
        actions.extend(turned.map(|turned| Action::Edit {
            label: turned.label,
            gesture: Some(turned.gesture),
            document: Box::new(self.session.history.document().with_stack(turned.stack)),
        }));
        free &= !self.gizmo.is_focused();
        let mut changed = !actions.is_empty();
        for action in actions {
            self.session.apply(action);
        }
        self.handle_requests(ctx);
        if is_first {
            changed |= self.pointer_input(free, held);
        }
        changed |= self.session.update(0.0);
        if changed {
            self.rest.unsettled = SETTLES;
            if draws_again {
                ctx.request_discard("what was asked for is in this picture");
            }
        }
        if !ctx.will_discard() {
            self.drawing.skip();
            let painter = ctx.layer_painter(egui::LayerId::background()).with_clip_rect(picture);
            self.gizmo.paint(&self.session, &painter, pointer);
            paint::paint(ctx, &self.session, picture);
            if let Some(missing) = self.fonts.update(ctx) {
                self.session.fail(missing);
            }
            self.drawing.end(Work::Panes);
        }
    }

    fn handle_requests(&mut self, ctx: &egui::Context) {
        for request in std::mem::take(&mut self.session.desk.requests) {
            match request {
                Request::Copy(text) => ctx.copy_text(text),
                Request::Paste => {
                    let text = macroquad::miniquad::window::clipboard_get().unwrap_or_default();
                    self.session.apply(Action::Pose(PoseAction::Paste(text)));
                }
                request => self.pictures.extend(self.panes.handle(request)),
            }
        }
    }

    /// Lets what was typed after a key that opens a dialog wait until there is a field for it.
    fn hold_typing(&mut self, ctx: &egui::Context) {
        let wants_text = matches!(&self.session.desk.dialog, Some(dialog) if dialog.takes_text());
        let has_field = typed_field(ctx).is_some();
        // Escape has taken the keyboard from its field before it is seen here: it waits for none, or the dialog stays open.
        let leaves = self.typing.held.is_empty() && ctx.input(|input| input.key_pressed(egui::Key::Escape));
        let waits = wants_text && !has_field && !leaves && self.typing.held_for < LONGEST_HELD;
        let is_typed =
            |event: &egui::Event| matches!(event, egui::Event::Text(_) | egui::Event::Key { pressed: true, .. });
        ctx.input_mut(|input| {
            input.events.splice(0..0, self.typing.held.drain(..));
            // What comes after a key with Ctrl is for whatever that opens: not before the next frame.
            let is_command = |event: &egui::Event| {
                matches!(event, egui::Event::Key { pressed: true, modifiers, .. } if modifiers.ctrl)
            };
            let from = match waits {
                true => 0,
                false => input.events.iter().position(is_command).map_or(input.events.len(), |at| at + 1),
            };
            let (typed, rest): (Vec<_>, Vec<_>) = input.events.drain(from..).partition(is_typed);
            input.events.extend(rest);
            self.typing.held = typed;
        });
        if !self.typing.held.is_empty() {
            self.rest.unsettled = SETTLES;
        }
        self.typing.held_for = if waits { self.typing.held_for + 1 } else { 0 };
        if waits {
            self.rest.unsettled = SETTLES;
        }
    }

    /// Whether the next frame is to be drawn without waiting for input.
    fn is_moving(&mut self) -> bool {
        let is_settled = self.rest.unsettled == 0;
        self.rest.unsettled = self.rest.unsettled.saturating_sub(1);
        #[cfg(target_os = "linux")]
        let lingers = self.rest.waker.is_none() && self.rest.quiet < LINGER;
        #[cfg(not(target_os = "linux"))]
        let lingers = self.rest.quiet < LINGER;
        !is_settled
            || lingers
            || self.repaint_after().is_some_and(|delay| delay < Duration::from_millis(10))
            || self.pointer.owner.is_some()
            || self.capture.is_some()
            || !self.pictures.is_empty()
            || !self.session.desk.requests.is_empty()
            || self.session.is_moving()
    }

    /// Answers what was asked on standard input, if it is time. Returns whether something waits for its answer.
    #[cfg(target_os = "linux")]
    fn answer(&mut self, is_moving: bool) -> bool {
        let Some((waits, answers)) = self.asked.as_mut().map(|asked| asked.look(self.frame, is_moving)) else {
            return false;
        };
        if answers {
            self.write_log(true);
        }
        waits
    }

    #[cfg(not(target_os = "linux"))]
    fn answer(&mut self, _: bool) -> bool {
        false
    }

    /// After how long the interface wants to be drawn again.
    fn repaint_after(&self) -> Option<Duration> {
        self.rest.repaint.lock().ok().and_then(|repaint| *repaint)
    }

    /// From now on the next frame waits for an event.
    fn wait(&self) {
        #[cfg(target_os = "linux")]
        if let Some(waker) = &self.rest.waker {
            waker.waits(self.repaint_after());
        }
    }

    /// What is on the screen, as asked for.
    fn take_pictures(&mut self, scale: f32) {
        if self.session.desk.dialog.is_some() {
            return;
        }
        let viewport = self.session.look.viewport;
        let picture = [viewport.min.x, viewport.min.y, viewport.size.x, viewport.size.y].map(|x| x * scale);
        let inputs = self.session.inputs();
        for request in std::mem::take(&mut self.pictures) {
            let done = match request {
                Request::Picture(path) => {
                    capture::screen().and_then(|image| capture::write_png(&path, &image, &inputs))
                }
                Request::PlotPicture(path) => match self.panes.plots {
                    Some(at) => {
                        let at = [at.min.x, at.min.y, at.width(), at.height()].map(|x| x * scale);
                        capture::screen()
                            .and_then(|image| capture::write_png(&path, &capture::part(&image, at), &inputs))
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

    /// Mouse on the picture: a press chooses what the drag does, until the button is up again. Whether anything changed.
    fn pointer_input(&mut self, free: bool, held: egui::Modifiers) -> bool {
        use mq::MouseButton::{Left, Middle, Right};
        let session = &mut self.session;
        let pointer = self.pointer.at;
        let moved = pointer - self.pointer.before;
        let before = (
            session.hands.hovered,
            session.hands.selection,
            session.look.camera,
            self.pointer.owner,
            session.history.revision(),
        );
        if let Some(owner) = self.pointer.owner {
            let button = match owner {
                Owner::Handle | Owner::Camera(_, Button::Left) => Left,
                Owner::Camera(_, Button::Middle) => Middle,
                Owner::Camera(_, Button::Right) => Right,
            };
            if mq::is_mouse_button_down(button) {
                match owner {
                    Owner::Handle => session.drag_to(pointer),
                    Owner::Camera(Move::Orbit, _) => session.look.camera.orbit(moved),
                    Owner::Camera(Move::Pan, _) => session.look.camera.pan(moved, session.look.viewport),
                    // To the right and up is nearer.
                    Owner::Camera(Move::Zoom, _) => {
                        session.look.camera.zoom((moved.x - moved.y) * ZOOM_SPEED, session.character.height);
                    }
                }
            } else {
                if owner == Owner::Handle {
                    session.drag_to(pointer);
                    session.release();
                }
                self.pointer.owner = None;
            }
        } else if free {
            let is_other = pointer != self.pointer.before;
            if session.in_doctor() && is_other && session.point_at_bone(pointer) {
                self.rest.unsettled = SETTLES;
            }
            let all = session.handles();
            session.hands.hovered = handles::handle_at(&all, pointer).map(|handle| handle.id);
            let buttons = [(Left, Button::Left), (Middle, Button::Middle), (Right, Button::Right)];
            let pressed = buttons.into_iter().find(|(button, _)| mq::is_mouse_button_pressed(*button));
            if let Some((_, button)) = pressed {
                match session.look.navigation.drag(button, held) {
                    Some(moves) => self.pointer.owner = Some(Owner::Camera(moves, button)),
                    None if button == Button::Left => {
                        session.press(pointer);
                        self.pointer.owner =
                            (session.hands.drag.is_some() || session.hands.stroke.is_some()).then_some(Owner::Handle);
                    }
                    None => {}
                }
            }
            let (_, wheel) = mq::mouse_wheel();
            if wheel != 0.0 {
                session.look.camera.zoom(wheel.signum(), session.character.height);
            }
        } else {
            session.hands.hovered = None;
        }
        before
            != (
                session.hands.hovered,
                session.hands.selection,
                session.look.camera,
                self.pointer.owner,
                session.history.revision(),
            )
    }

    /// One JSON line if anything of the picture changed.
    /// What changed since the last line; all of it too if it is `asked_for`.
    fn write_log(&mut self, asked_for: bool) {
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
            Node::ALL.into_iter().map(|node| (node.key().to_owned(), json!(vector(state.node(node))))).collect()
        });
        let frame = session.body_frame();
        let weighted = Effector::ALL.into_iter().filter(|effector| frame.effector(*effector).position_weight > 0.0);
        let gaps: serde_json::Map<String, Value> =
            weighted.map(|effector| (effector.key().to_owned(), json!(shortest(session.gap(effector))))).collect();
        let measures = session.solved.measures();
        let ids: Vec<&MeasureId> = measures.iter().map(|measure| &measure.id).collect();
        let (rig, at) = (&session.character.rig, session.time.cursor);
        let values = session.solved.values(rig, &ids, session.focus(), std::iter::once(at)).pop().unwrap_or_default();
        let values = measures.iter().zip(values).filter_map(|(measure, value)| Some((&measure.view.key, value?)));
        let values: serde_json::Map<String, Value> =
            values.map(|(key, value)| (key.clone(), json!(shortest(value)))).collect();
        let step = session.shown_run().filter(|run| session.time.cursor.step < run.steps());
        let step = step.map(|run| run.step(session.time.cursor.step));
        let crowd = session.crowd.crowd().map(|crowd| {
            json!({ "members": crowd.members().len(), "followed": session.crowd.followed.map(|index| index + 1) })
        });
        let game = session.games.shown().zip(session.lane()).map(|((game, character), lane)| {
            let differs = lane.entries().find(|(_, entry)| entry.verdict.differs()).map(|(_, entry)| entry);
            json!({
                "name": game.name,
                "character": game.header.characters[character].name,
                "frames": lane.len(),
                "frame": session.shown_frame().map(|(frame, _)| frame),
                "differing": lane.differing,
                "first_difference": differs.map(|entry| {
                    json!({ "frame": entry.outline.frame, "stage": game.place(entry.verdict) })
                }),
                "connected": session.games.is_connected(),
            })
        });
        let line = json!({
            "live": session.is_live(),
            "paused": session.time.is_paused(),
            "cursor": {
                "layer": session.focus(),
                "iteration": step.as_ref().and_then(|step| step.iteration),
                "stage": step.as_ref().map(|step| step.key),
                "move": session.time.cursor.within,
            },
            "tape": {
                "frame": session.time.frame,
                "what_if": session.debugger.what_if.as_ref().map_or(0, |what_if| what_if.changes.len()),
            },
            "selected": session.hands.selection.key(),
            "unsaved": session.history.is_unsaved(),
            "dialog": session.desk.dialog.as_ref().map(|dialog| dialog.key()),
            "message": session.desk.notice.as_ref().map(|notice| &notice.text),
            "handles": handles,
            "nodes": nodes,
            "gaps": gaps,
            "measures": values,
            "crowd": crowd,
            "game": game,
        });
        if line == *last && !asked_for {
            return;
        }
        last.clone_from(&line);
        let mut line = line;
        line["frame"] = json!(self.frame);
        line["input"] = json!(self.typing.read_in);
        #[cfg(target_os = "linux")]
        if let Some(asked) = &self.asked {
            line["answer"] = json!(asked.answered);
        }
        let tenths = |micros: f32| json!(shortest((micros * 10.0).round() / 10.0));
        line["solve_us"] = tenths(session.solved.times().total());
        if let Some(taken) = session.crowd.taken {
            line["crowd_us"] = tenths(taken.frame);
        }
        if let Some(drawing) = session.picture.drawing {
            line["drawing_us"] = tenths(drawing.sum(Work::is_drawing));
        }
        // Whoever read it may have gone.
        let mut out = std::io::stdout().lock();
        let line = line.to_string();
        let _ = writeln!(out, "{}", crate::system::files::for_terminal(&line)).and_then(|()| out.flush());
    }
}

/// The keys of the number pad, which the glue between egui and macroquad leaves out.
struct NumberPad {
    subscriber: usize,
    /// Since the last frame; the places of the keys in [`NUMBER_PAD`]. A key that is up again by now was pressed too.
    pressed: Vec<(usize, KeyMods)>,
}

impl NumberPad {
    /// Adds what was pressed to the input of a frame.
    fn hand_on(&mut self, ctx: &egui::Context) {
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
        ctx.input_mut(|input| {
            for (place, held) in self.pressed.drain(..) {
                let modifiers = egui::Modifiers {
                    alt: held.alt,
                    ctrl: held.ctrl,
                    shift: held.shift,
                    mac_cmd: false,
                    command: held.ctrl,
                };
                let (key, pressed, repeat, physical_key) = (NUMBER_PAD[place].0, true, false, None);
                input.events.push(egui::Event::Key { key, pressed, repeat, modifiers, physical_key });
            }
        });
    }
}

impl EventHandler for NumberPad {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn key_down_event(&mut self, key: mq::KeyCode, held: KeyMods, _: bool) {
        use mq::KeyCode::{Kp0, Kp1, Kp2, Kp3, Kp4, Kp5, Kp6, Kp7, Kp8, Kp9, KpDecimal};
        const KEYS: [mq::KeyCode; NUMBER_PAD.len()] = [Kp0, Kp1, Kp2, Kp3, Kp4, Kp5, Kp6, Kp7, Kp8, Kp9, KpDecimal];
        self.pressed.extend(KEYS.iter().position(|own| *own == key).map(|place| (place, held)));
    }
}

const FUNCTION_KEYS: [(mq::KeyCode, egui::Key); 12] = [
    (mq::KeyCode::F1, egui::Key::F1),
    (mq::KeyCode::F2, egui::Key::F2),
    (mq::KeyCode::F3, egui::Key::F3),
    (mq::KeyCode::F4, egui::Key::F4),
    (mq::KeyCode::F5, egui::Key::F5),
    (mq::KeyCode::F6, egui::Key::F6),
    (mq::KeyCode::F7, egui::Key::F7),
    (mq::KeyCode::F8, egui::Key::F8),
    (mq::KeyCode::F9, egui::Key::F9),
    (mq::KeyCode::F10, egui::Key::F10),
    (mq::KeyCode::F11, egui::Key::F11),
    (mq::KeyCode::F12, egui::Key::F12),
];

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
        // The letter of a key comes just before the key itself, which knows whether Ctrl was held for it.
        let keys: Vec<Option<bool>> = input
            .events
            .iter()
            .map(|event| match event {
                egui::Event::Key { pressed: true, modifiers, .. } => Some(modifiers.ctrl),
                _ => None,
            })
            .collect();
        let mut index = 0;
        input.events.retain_mut(|event| {
            index += 1;
            match event {
                egui::Event::PointerButton { modifiers: late, .. } => {
                    *late = modifiers;
                    true
                }
                egui::Event::Text(_) => !keys.get(index).copied().flatten().unwrap_or(ctrl),
                _ => true,
            }
        });
        // The glue takes what is pasted for typed text, and tells of no key.
        if ctrl && mq::is_key_pressed(mq::KeyCode::V) {
            input.events.push(egui::Event::Paste(macroquad::miniquad::window::clipboard_get().unwrap_or_default()));
        }
        // The glue knows no function keys.
        for (key, egui_key) in FUNCTION_KEYS {
            if mq::is_key_pressed(key) {
                let (pressed, repeat, physical_key) = (true, false, None);
                input.events.push(egui::Event::Key { key: egui_key, pressed, repeat, modifiers, physical_key });
            }
        }
    });
}
