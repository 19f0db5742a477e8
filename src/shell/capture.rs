use std::path::{Path, PathBuf};

use image::RgbaImage;
use macroquad::prelude as mq;

use crate::session::{Action, Session};
use crate::shell::words as text;
use crate::system::files;
use crate::tools::steps::session::StepAction;
use kinescope_ik::stepped::run::Cursor;

pub(crate) fn screen() -> Result<RgbaImage, String> {
    let picture = mq::get_screen_data();
    let mut bytes = picture.bytes;
    for pixel in bytes.chunks_exact_mut(4) {
        pixel[3] = 255;
    }
    let image = RgbaImage::from_raw(u32::from(picture.width), u32::from(picture.height), bytes);
    let mut image = image.ok_or(text::NO_PICTURE)?;
    image::imageops::flip_vertical_in_place(&mut image);
    Ok(image)
}

/// Crops an image to `[x, y, width, height]` in pixels, limited to the image and at least one pixel.
pub fn part(image: &RgbaImage, [x, y, width, height]: [f32; 4]) -> RgbaImage {
    let (x, y) = (x.max(0.0) as u32, y.max(0.0) as u32);
    let (x, y) = (x.min(image.width().saturating_sub(1)), y.min(image.height().saturating_sub(1)));
    let width = (width.max(1.0) as u32).min(image.width().saturating_sub(x));
    let height = (height.max(1.0) as u32).min(image.height().saturating_sub(y));
    image::imageops::crop_imm(image, x, y, width, height).to_image()
}

pub(crate) fn write_png(path: &Path, image: &RgbaImage, inputs: &[PathBuf]) -> Result<PathBuf, String> {
    files::check_output(path, inputs)?;
    let png = kinescope_ik::rig::import::encode_png(image.width(), image.height(), image);
    files::write(path, &png.map_err(|error| format!("{}: {error}", path.display()))?)?;
    Ok(path.to_owned())
}

pub(crate) struct Capture {
    path: PathBuf,
    before: Cursor,
    was_paused: bool,
    steps: Vec<Cursor>,
    images: Vec<RgbaImage>,
    seconds_per_step: f32,
}

impl Capture {
    pub(crate) fn start(path: PathBuf, session: &Session) -> Self {
        let steps = (0..session.shown_run().map_or(0, |run| run.steps())).map(|step| Cursor { step, within: None });
        Self {
            path,
            before: session.world.time.cursor,
            was_paused: session.world.time.is_paused(),
            steps: steps.collect(),
            images: Vec::new(),
            seconds_per_step: 1.0 / session.world.time.stages_per_second.max(0.1),
        }
    }

    pub(crate) fn next(&self) -> Option<Cursor> {
        self.steps.get(self.images.len()).copied()
    }

    pub(crate) fn take(&mut self, at: [f32; 4]) -> Result<bool, String> {
        if self.next().is_some() {
            self.images.push(part(&screen()?, at));
        }
        Ok(self.next().is_some())
    }

    pub(crate) fn finish(self, session: &mut Session) -> Result<String, String> {
        session.apply(Action::Steps(StepAction::Seek(self.before)));
        if !self.was_paused {
            session.apply(Action::Command(crate::session::commands::Command::Live));
        }
        let count = self.images.len();
        if self.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif")) {
            let bytes = gif(self.images, self.seconds_per_step).map_err(|error| {
                let path = self.path.display();
                format!("{path}: {error}")
            })?;
            files::check_output(&self.path, &session.inputs())?;
            files::write(&self.path, &bytes)?;
            return Ok(text::saved_steps(&self.path.display(), &count));
        }
        let stem = self.path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        for (index, image) in self.images.iter().enumerate() {
            write_png(&self.path.with_file_name(format!("{stem}-{index:03}.png")), image, &session.inputs())?;
        }
        let last = count.saturating_sub(1);
        Ok(text::saved_series(&self.path.with_file_name(format!("{stem}-000")).display(), &last))
    }
}

pub fn gif(images: Vec<RgbaImage>, seconds: f32) -> Result<Vec<u8>, String> {
    use image::codecs::gif::{GifEncoder, Repeat};
    let mut bytes = Vec::new();
    let mut encoder = GifEncoder::new_with_speed(&mut bytes, 20);
    encoder.set_repeat(Repeat::Infinite).map_err(|error| error.to_string())?;
    let delay = image::Delay::from_saturating_duration(std::time::Duration::from_secs_f32(seconds.clamp(0.02, 10.0)));
    for image in images {
        encoder.encode_frame(image::Frame::from_parts(image, 0, 0, delay)).map_err(|error| error.to_string())?;
    }
    drop(encoder);
    Ok(bytes)
}
