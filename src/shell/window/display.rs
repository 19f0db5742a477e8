pub(super) const NO_DISPLAY: &str = "no display to open a window on; `xvfb-run -a kinescope --screenshot FILE.png` draws without \
    one, `kinescope solve`, `trace` and `inspect` need none";

/// Returns whether the processor draws instead of a graphics card. Multisampling is then too slow. The function looks at the
/// system, because the driver can be asked only after the window has opened.
pub(super) fn draws_in_software() -> bool {
    let is_asked_for = std::env::var_os("LIBGL_ALWAYS_SOFTWARE").is_some_and(|value| value != "0" && value != "false");
    let has_card = std::fs::read_dir("/dev/dri").is_ok_and(|mut devices| devices.next().is_some());
    cfg!(target_os = "linux") && (is_asked_for || !has_card)
}

pub(super) fn has_display() -> bool {
    !cfg!(target_os = "linux") || std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty())
}

/// Returns the physical pixels per logical pixel. The window library reads the ratio only once, at the start, but the ratio
/// of a page can change.
pub(super) fn pixel_ratio() -> f32 {
    #[cfg(target_arch = "wasm32")]
    return crate::system::page::pixel_ratio();
    #[cfg(not(target_arch = "wasm32"))]
    macroquad::miniquad::window::dpi_scale()
}
