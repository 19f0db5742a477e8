mod display;
mod keys;
mod log;
mod opening;
#[cfg(target_arch = "wasm32")]
mod page;
mod pictures;
mod pointer;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use egui_macroquad::egui;
use glam::Vec2;
use macroquad::input::utils::register_input_subscriber;
use macroquad::prelude as mq;
use serde_json::Value;

use crate::picture::camera::Viewport;
use crate::session::autosave::{Keeper, Recovered};
use crate::session::commands::{COMMANDS, Command};
use crate::session::{Action, Request, Session};
use crate::shell::capture::{self, Capture};
use crate::shell::panes::layout::Layout;
use crate::shell::panes::shortcuts::Shortcuts;
use crate::shell::panes::{self, Panes};
use crate::shell::picture::{Renderer, paint};
use crate::shell::words as text;
use crate::system::IS_PAGE;
use crate::system::waker::Waker;
use crate::tools::pose::gizmo::PoseGizmo;
use crate::tools::pose::session::PoseAction;
use crate::tools::steps::session::StepAction;
use crate::ui::fonts::SystemFonts;
use crate::ui::theme::{self, Theme};
use display::{NO_DISPLAY, Scale, draws_in_software, has_display};
use keys::{NumberPad, Typing, repair_input};
use kinescope_ik::rig::LengthUnit;
use kinescope_ik::timing::{Laps, Times, Work};
use log::LogRequests;
use opening::open_session;
#[cfg(target_arch = "wasm32")]
pub use page::run_in_page;
use pointer::Pointer;

#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) model: Option<PathBuf>,
    /// The unit of the model's lengths, for formats that do not state it.
    pub(crate) unit: Option<LengthUnit>,
    pub(crate) preset: Option<PathBuf>,
    pub(crate) scene: Option<String>,
    /// Key or title of a lesson, optionally with `:N` after it for its step N, counted from 1.
    pub(crate) lesson: Option<String>,
    pub(crate) clip: Option<String>,
    pub(crate) size: Option<(u32, u32)>,
    pub(crate) screenshot: Option<PathBuf>,
    /// Number of frames before the screenshot: at least 5, and more while jobs run.
    pub(crate) frames: u32,
    pub(crate) run: Vec<String>,
    pub(crate) log: bool,
    pub(crate) listen: Option<String>,
    pub(crate) body: Option<PathBuf>,
    /// An error that the window shows, such as an unknown scene or lesson.
    pub(crate) failure: Option<String>,
}

const SIZE: (u32, u32) = (1440, 900);

const TITLE: &str = text::TITLE;

pub(crate) fn run(options: Options) -> Result<(), String> {
    let mut session = open_session(&options)?;
    let inputs: Vec<PathBuf> = session.inputs().into_iter().chain(options.model.clone()).collect();
    options.screenshot.as_ref().map_or(Ok(()), |out| crate::system::files::check_output(out, &inputs))?;
    let commands = options.run.iter().map(|name| {
        let found = COMMANDS
            .iter()
            .find(|info| info.label.trim_end_matches('…').eq_ignore_ascii_case(name.trim_end_matches('…')));
        found.map(|info| info.command).ok_or_else(|| text::no_command(&name))
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
            // The window waits for events, so that it draws only when something changes.
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
    // Screenshots must repeat bit for bit, so they show no measured times.
    session.world.measure(options.screenshot.is_none().then_some(crate::system::clock::micros));
    let mut keeper = None;
    // A screenshot does not depend on the configuration folder, and stores nothing in it.
    if options.screenshot.is_none() {
        session.files.recent = crate::system::recent::RecentFiles::load();
        session.tools.learn.progress = crate::tools::learn::progress::Progress::load();
    }
    // A page has no folder for unsaved work.
    if options.screenshot.is_none() && !IS_PAGE {
        match Keeper::start() {
            Ok(started) => keeper = Some(started),
            Err(error) => session.warn(error),
        }
        if let Some(recovered) = Recovered::find() {
            session.offer(recovered);
        }
    }
    // The stored progress has the step of the lesson that was shown last, so the lesson opens after it is loaded.
    opening::open_lesson(&mut session, options.lesson.as_deref())?;
    if let Some(failure) = &options.failure {
        session.fail(failure.trim_start_matches('-'));
    }
    // The window library panics if the named screen is missing or refuses the connection.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let begun = std::sync::Arc::new(std::sync::Mutex::new(Some(hook)));
    let waiting = begun.clone();
    let window = std::panic::AssertUnwindSafe(|| {
        macroquad::Window::from_config(conf, async move {
            if let Some(hook) = begun.lock().ok().and_then(|mut hook| hook.take()) {
                std::panic::set_hook(hook);
            }
            #[cfg(target_arch = "wasm32")]
            page::report_panics();
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
    scale: Scale,
    asked: Option<LogRequests>,
    themed: Option<bool>,
    /// `characters` and `bodies` of the window's state when the renderer last uploaded meshes.
    character: Option<(u64, u64)>,
    log: Option<Value>,
    frame: u64,
    /// Requested pictures that wait until no dialog covers the window.
    pictures: Vec<Request>,
    capture: Option<Capture>,
    drawing: Laps,
    /// Number of the first frame that is drawn. Before a screenshot, nobody sees earlier frames, so they are drawn only
    /// for requested pictures.
    drawn_from: u64,
}

struct Keeping {
    keeper: Option<Keeper>,
    /// Whether recovered work is not autosaved yet, for example because the disk is full.
    is_recovering: bool,
}

/// State that decides whether the window waits instead of drawing.
struct Rest {
    /// Delay after which the interface wants to draw again, for animations and tooltips.
    repaint: Arc<Mutex<Option<Duration>>>,
    /// Number of frames that are still drawn until sizes and states have settled.
    unsettled: u32,
    quiet: f32,
    waker: Option<Waker>,
}

/// Number of frames drawn after the last change.
const SETTLES: u32 = 3;

/// Seconds for which the window draws after the last input if there is no waker. Without one, the window library may
/// wait for another event although some arrived while it drew.
const LINGER: f32 = 0.4;

/// Number of frames after which a page stores its layout again while something moves.
const LAYOUT_INTERVAL: u64 = 64;

/// The longest time step of a frame, seconds.
const LONGEST_STEP: f32 = 0.25;
/// Seconds without a frame beyond which the window was hidden or idle.
const WAS_HIDDEN: f32 = 1.0;

/// Returns the time step of a frame from the seconds since the previous frame, at most [`LONGEST_STEP`]. After a pause
/// of more than [`WAS_HIDDEN`] it is a sixtieth of a second, so that clips do not jump when a hidden page is shown
/// again.
fn step_of(passed: f32) -> f32 {
    if passed > WAS_HIDDEN { 1.0 / 60.0 } else { passed.min(LONGEST_STEP) }
}

async fn main_loop(
    session: Session,
    keeper: Option<Keeper>,
    options: &Options,
    commands: Vec<Command>,
) -> Result<(), String> {
    mq::prevent_quit();
    let mut shell = Shell::start(session, keeper, options)?;
    let is_screenshot = options.screenshot.is_some();
    let frames = u64::from(options.frames.max(5));
    let (mut commands, mut photo_at) = (Some(commands), frames);
    loop {
        let dt = match options.screenshot {
            Some(_) => 1.0 / 60.0,
            None => step_of(mq::get_frame_time()),
        };
        shell.frame(dt);
        // Before a screenshot, commands wait until opened files are loaded, because a command may show the files.
        let due = if is_screenshot { shell.frame >= frames / 2 && !shell.has_jobs() } else { shell.frame >= 5 };
        if let Some(commands) = commands.take_if(|_| due) {
            commands.into_iter().for_each(|command| shell.session.apply(Action::Command(command)));
            photo_at = shell.frame + frames - frames / 2;
        }
        // The screenshot waits until the work that a command started is done.
        if let Some(path) = &options.screenshot
            && shell.frame >= photo_at
            && !shell.has_jobs()
        {
            let inputs = shell.session.inputs();
            return capture::screen().and_then(|image| capture::write_png(path, &image, &inputs)).map(|_| ());
        }
        if shell.session.window.quit {
            shell.keep_layout();
            if let Some(keeper) = shell.keeping.keeper {
                keeper.end();
            }
            return Ok(());
        }
        let is_moving = shell.is_moving();
        let is_moving = is_moving | shell.answer(is_moving);
        // A page closes without a last frame, so it stores its layout earlier.
        if IS_PAGE && (!is_moving || shell.frame.is_multiple_of(LAYOUT_INTERVAL)) {
            shell.keep_layout();
        }
        match is_moving {
            true => macroquad::miniquad::window::schedule_update(),
            false => shell.wait(),
        }
        shell.drawing.skip();
        mq::next_frame().await;
        // While nothing moves, the time would include the wait for input.
        if is_moving {
            shell.drawing.end(Work::Screen);
            shell.session.drew(&shell.drawing.times);
        }
        shell.drawing.times = Times::default();
    }
}

impl Shell {
    fn start(mut session: Session, keeper: Option<Keeper>, options: &Options) -> Result<Self, String> {
        let repaint = Arc::new(Mutex::new(None));
        let asked = repaint.clone();
        egui_macroquad::cfg(|ctx| {
            ctx.set_fonts(theme::fonts());
            // Extra passes show the result of an action in the same frame.
            ctx.options_mut(|options| options.max_passes = NonZeroUsize::new(3).unwrap_or(NonZeroUsize::MIN));
            ctx.options_mut(|options| options.zoom_with_keyboard = false);
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
        let mut shell = Self {
            renderer: Renderer::new()?,
            session,
            keeping: Keeping { keeper, is_recovering: false },
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
                waker: if options.screenshot.is_some() { None } else { Waker::start(TITLE) },
            },
            fonts: SystemFonts::default(),
            scale: Scale::new(),
            asked: None,
            themed: None,
            character: None,
            log: options.log.then_some(Value::Null),
            frame: 0,
            pictures: Vec::new(),
            capture: None,
            drawing: Laps::new(Some(crate::system::clock::micros)),
            // The two frames before the screenshot are drawn as well, because some changes take effect one frame late.
            drawn_from: options.screenshot.as_ref().map_or(0, |_| u64::from(options.frames).saturating_sub(2)),
        };
        if let Some(waker) = &shell.rest.waker {
            shell.session.tools.games.wake.set(waker.bell());
            shell.asked = if options.log { LogRequests::start(waker.bell()) } else { None };
        }
        Ok(shell)
    }

    fn keep_layout(&mut self) {
        self.panes.layout.navigation = self.session.look.navigation;
        self.panes.layout.store();
    }

    fn has_jobs(&self) -> bool {
        let tools = &self.session.tools;
        tools.debugger.has_jobs() || tools.games.has_jobs() || self.session.is_opening_model()
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn take_files(&mut self) {
        for file in mq::get_dropped_files() {
            if let Some(path) = file.path {
                self.session.apply(Action::OpenAny(path));
            }
        }
    }

    fn frame(&mut self, dt: f32) {
        self.frame += 1;
        if mq::is_quit_requested() {
            self.session.apply(Action::Command(Command::Quit));
        }
        self.take_files();
        if let Some(capture) = &mut self.capture
            && let Some(cursor) = capture.next()
        {
            self.session.apply(Action::Steps(StepAction::Seek(cursor)));
        }
        self.session.update(dt);

        let scale = display::pixel_ratio();
        if let Ok(mut repaint) = self.rest.repaint.lock() {
            *repaint = None;
        }
        self.pointer.before = self.pointer.at;
        let mut is_first = true;
        egui_macroquad::cfg(|ctx| self.scale.set(ctx, scale));
        egui_macroquad::ui(|ctx| {
            self.pass(ctx, dt, is_first);
            is_first = false;
        });
        let drawn = (self.session.window.characters, self.session.window.bodies);
        if self.character != Some(drawn) {
            self.renderer.set_character(&self.session);
            self.character = Some(drawn);
        }
        self.drawing.skip();
        if self.is_drawn() {
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
        if let Some(recovered) = self.session.files.settled.take() {
            // Recovered files are removed only once the work is autosaved again, or nothing is unsaved.
            let is_kept = self.keeping.keeper.as_ref().is_some_and(|keeper| match self.keeping.is_recovering {
                false => keeper.flush(),
                true => keeper.is_kept(),
            });
            self.keeping.is_recovering = !is_kept;
            match is_kept {
                true => recovered.remove(),
                false => self.session.files.settled = Some(recovered),
            }
        }
        self.write_log(false);
    }

    /// Runs the interface and its actions. The first pass of a frame processes the input. If the input changed
    /// anything, another pass draws the result in the same frame, unless the pointer only moved.
    fn pass(&mut self, ctx: &egui::Context, dt: f32, is_first: bool) {
        let mut actions = Vec::new();
        let mut draws_again = false;
        if is_first {
            repair_input(ctx);
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
            // To save a pass, numbers in panes may be one frame late while only the pointer moves.
            draws_again = !is_motion;
            self.rest.quiet = if is_quiet { self.rest.quiet + dt } else { 0.0 };
            if !is_quiet {
                self.rest.unsettled = SETTLES;
                self.typing.read_in = self.frame;
            }
            self.shortcuts.before(ctx, &self.session, &mut actions);
        }
        if self.themed != Some(self.session.look.view.light_theme) {
            self.themed = Some(self.session.look.view.light_theme);
            Theme::of(self.session.look.view.light_theme).apply(ctx);
        }
        self.drawing.skip();
        let picture = panes::show(ctx, &self.session, &mut self.panes, &mut actions);
        self.shortcuts.after(&mut actions);
        self.drawing.end(Work::Panes);
        self.session.set_viewport(Viewport {
            min: Vec2::new(picture.min.x, picture.min.y),
            size: Vec2::new(picture.width(), picture.height()),
        });
        panes::dialogs::notice(ctx, &self.session, picture, &mut actions);
        panes::dialogs::opening(ctx, &self.session, picture, &mut actions);
        let pointer = ctx.input(|input| input.pointer.latest_pos()).unwrap_or_default();
        self.pointer.at = Vec2::new(pointer.x, pointer.y);
        let (held, released) = ctx.input(|input| (input.modifiers, input.pointer.any_released()));
        // When the user releases button and key together, the drag keeps its mode to the end.
        if !released {
            (self.session.interaction.posing.ctrl, self.session.interaction.posing.shift) = (held.ctrl, held.shift);
        }
        let mut events = if is_first { pointer::events(ctx) } else { Vec::new() };
        let (turned, free) = self.gizmo_input(ctx, picture, &mut events);
        actions.extend(turned.map(|turned| Action::Edit {
            label: turned.label,
            gesture: Some(turned.gesture),
            document: Box::new(self.session.world.history.document().with_stack(turned.stack)),
        }));
        let mut changed = !actions.is_empty();
        for action in actions {
            self.session.apply(action);
        }
        self.handle_requests(ctx);
        if is_first {
            changed |= self.pointer_input(&events, free, held);
        }
        changed |= self.session.update(0.0);
        if changed {
            self.rest.unsettled = SETTLES;
            if draws_again {
                ctx.request_discard("the actions of this pass changed the picture");
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
            if !self.is_drawn() {
                // Panes are laid out in every frame, because they act on the session. Rendering takes most of the time,
                // so it is skipped.
                ctx.graphics_mut(|layers| drop(layers.drain(&[], &Default::default())));
            }
            self.drawing.end(Work::Panes);
        }
    }

    fn is_drawn(&self) -> bool {
        self.frame >= self.drawn_from || !self.pictures.is_empty() || self.capture.is_some()
    }

    fn handle_requests(&mut self, ctx: &egui::Context) {
        for request in std::mem::take(&mut self.session.window.requests) {
            match request {
                Request::Copy(text) => ctx.copy_text(text),
                Request::OpenAddress(address) => ctx.open_url(egui::OpenUrl::new_tab(address)),
                Request::Paste => {
                    let text = macroquad::miniquad::window::clipboard_get().unwrap_or_default();
                    self.session.apply(Action::Pose(PoseAction::Paste(text)));
                }
                request => self.pictures.extend(self.panes.handle(request)),
            }
        }
    }

    /// Returns whether the next frame is drawn without waiting for input.
    fn is_moving(&mut self) -> bool {
        let is_settled = self.rest.unsettled == 0;
        self.rest.unsettled = self.rest.unsettled.saturating_sub(1);
        let lingers = self.rest.waker.is_none() && self.rest.quiet < LINGER;
        !is_settled
            || lingers
            || self.repaint_after().is_some_and(|delay| delay < Duration::from_millis(10))
            || self.pointer.owner.is_some()
            || self.capture.is_some()
            || !self.pictures.is_empty()
            || !self.session.window.requests.is_empty()
            || self.session.is_moving()
    }

    fn answer(&mut self, is_moving: bool) -> bool {
        let Some((waits, answers)) = self.asked.as_mut().map(|asked| asked.look(self.frame, is_moving)) else {
            return false;
        };
        if answers {
            self.write_log(true);
        }
        waits
    }

    fn repaint_after(&self) -> Option<Duration> {
        self.rest.repaint.lock().ok().and_then(|repaint| *repaint)
    }

    fn wait(&self) {
        if let Some(waker) = &self.rest.waker {
            waker.waits(self.repaint_after());
        }
    }
}
