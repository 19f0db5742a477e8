use egui_macroquad::egui;

pub(super) const NO_DISPLAY: &str = "no display to open a window on; `xvfb-run -a kinescope --screenshot FILE.png` draws without \
    one, `kinescope solve`, `trace` and `inspect` need none";

/// Guesses whether the processor draws instead of a graphics card, which makes multisampling too slow. The guess is
/// from the system, because the driver can be asked only after the window has opened. It is `false` on all systems
/// except Linux.
pub(super) fn draws_in_software() -> bool {
    let is_asked_for = std::env::var_os("LIBGL_ALWAYS_SOFTWARE").is_some_and(|value| value != "0" && value != "false");
    let has_card = std::fs::read_dir("/dev/dri").is_ok_and(|mut devices| devices.next().is_some());
    cfg!(target_os = "linux") && (is_asked_for || !has_card)
}

pub(super) fn has_display() -> bool {
    !cfg!(target_os = "linux") || std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty())
}

/// Returns the physical pixels per logical pixel. In a page, the window library reads the ratio only once, at the
/// start, but the ratio can change.
pub(super) fn pixel_ratio() -> f32 {
    #[cfg(target_arch = "wasm32")]
    return crate::system::page::pixel_ratio();
    #[cfg(not(target_arch = "wasm32"))]
    macroquad::miniquad::window::dpi_scale()
}

/// The scale of the interface, in physical pixels per point.
pub(super) struct Scale {
    /// The window library's ratio at the start.
    first: f32,
    /// Whether egui-miniquad has passed the library's ratio to egui, which it does when the ratio changes for the first time.
    is_passed_on: bool,
}

impl Scale {
    pub(super) fn new() -> Self {
        Self { first: macroquad::miniquad::window::dpi_scale(), is_passed_on: false }
    }

    /// Sets the scale before a frame of the interface begins. [`egui::Context::set_pixels_per_point`] takes effect a pass
    /// later: meanwhile the screen has a wrong size in points, and panes that do not fit into it change their sizes for good.
    pub(super) fn set(&mut self, ctx: &egui::Context, scale: f32) {
        let ratio = macroquad::miniquad::window::dpi_scale();
        self.is_passed_on |= ratio != self.first;
        let zoom = if self.is_passed_on { scale / ratio } else { scale };
        ctx.options_mut(|options| options.zoom_factor = zoom);
        // egui-miniquad divides the screen and the positions of the mouse by the scale of the last frame.
        ctx.input_mut(|input| input.pixels_per_point = scale);
    }
}
