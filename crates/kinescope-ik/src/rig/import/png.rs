//! PNG images, decoded with [pauses](crate::slices). The crate `image` decodes an image in one piece, which takes
//! longer than a frame for large textures.

use ::png::{BitDepth, Decoder, Limits, Transformations};

use super::super::model::Picture;
use crate::slices::pause;

const ROWS: u32 = 32;

/// Decodes a PNG image of 8 or fewer bits per channel. Returns `None` for other formats, for more bits, and for
/// interlaced images, which have no rows in order. `progress` is called with the fraction that is done.
///
/// # Errors
/// The problem: the image is damaged, wider or higher than `most_across` pixels, or takes more than `bytes_left` bytes.
pub(super) async fn decode(
    bytes: &[u8],
    most_across: u32,
    bytes_left: usize,
    progress: &mut dyn FnMut(f32),
) -> Result<Option<Picture>, String> {
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Ok(None);
    }
    let mut decoder = Decoder::new_with_limits(bytes, Limits { bytes: bytes_left });
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let (width, height) = reader.info().size();
    let (color, depth) = reader.output_color_type();
    if depth != BitDepth::Eight || reader.info().interlaced {
        return Ok(None);
    }
    let size = (width as usize).checked_mul(height as usize).and_then(|pixels| pixels.checked_mul(4));
    let Some(size) = size.filter(|&size| width.max(height) <= most_across && size <= bytes_left) else {
        return Err(format!(
            "the image is wider or higher than {most_across} pixels, or all textures together take too much memory; make \
             them smaller"
        ));
    };
    let mut rgba = Vec::with_capacity(size);
    for row in 0..height {
        if row % ROWS == 0 {
            progress(row as f32 / height as f32);
            pause().await;
        }
        let Some(row) = reader.next_row().map_err(|error| error.to_string())? else { break };
        rgba.extend(row.data().chunks_exact(color.samples()).flat_map(|pixel| match *pixel {
            [gray] => [gray, gray, gray, 255],
            [gray, alpha] => [gray, gray, gray, alpha],
            [red, green, blue] => [red, green, blue, 255],
            [red, green, blue, alpha, ..] => [red, green, blue, alpha],
            [] => [0; 4],
        }));
    }
    rgba.resize(size, 0);
    Ok(Some(Picture { width, height, rgba, ..Picture::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slices::finish;
    use ::png::{ColorType, Encoder};

    fn encoded(color: ColorType, depth: BitDepth, (width, height): (u32, u32)) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if color == ColorType::Indexed {
            encoder.set_palette((0..48).map(|part| part * 5).collect::<Vec<u8>>());
            encoder.set_trns((0..9).map(|alpha| alpha * 20).collect::<Vec<u8>>());
        }
        let mut writer = encoder.write_header().unwrap();
        let bits = color.samples() * depth as usize * width as usize;
        let size = bits.div_ceil(8) * height as usize;
        writer.write_image_data(&(0..size).map(|at| (at * 37 % 251) as u8).collect::<Vec<u8>>()).unwrap();
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn images_have_the_pixels_of_the_other_decoder() {
        let [one, two, four, eight] = [BitDepth::One, BitDepth::Two, BitDepth::Four, BitDepth::Eight];
        for (color, depth) in [
            (ColorType::Grayscale, one),
            (ColorType::Grayscale, two),
            (ColorType::Grayscale, eight),
            (ColorType::GrayscaleAlpha, eight),
            (ColorType::Indexed, four),
            (ColorType::Rgb, eight),
            (ColorType::Rgba, eight),
        ] {
            let bytes = encoded(color, depth, (33, 70));
            let decoded = finish(decode(&bytes, 4096, 1 << 20, &mut |_| {})).unwrap().unwrap();
            let other = image::load_from_memory(&bytes).unwrap().into_rgba8();
            assert_eq!((decoded.width, decoded.height), other.dimensions());
            assert!(decoded.rgba == other.into_raw(), "{color:?} {depth:?}");
        }
    }

    #[test]
    fn other_images_are_left_to_the_other_decoder() {
        assert_eq!(finish(decode(b"\xff\xd8\xff\xe0", 4096, 1 << 20, &mut |_| {})), Ok(None));
        let bytes = encoded(ColorType::Rgb, BitDepth::Sixteen, (4, 4));
        assert_eq!(finish(decode(&bytes, 4096, 1 << 20, &mut |_| {})), Ok(None));
    }

    #[test]
    fn damaged_and_large_images_are_errors() {
        let bytes = encoded(ColorType::Rgb, BitDepth::Eight, (200, 100));
        assert!(finish(decode(&bytes, 199, 1 << 20, &mut |_| {})).is_err());
        assert!(finish(decode(&bytes, 4096, 79_999, &mut |_| {})).is_err());
        assert!(finish(decode(&bytes[..bytes.len() / 2], 4096, 1 << 20, &mut |_| {})).is_err());
        assert!(finish(decode(&bytes[..20], 4096, 1 << 20, &mut |_| {})).is_err());
    }

    #[test]
    fn decoding_pauses_between_rows() {
        let bytes = encoded(ColorType::Rgba, BitDepth::Eight, (8, 10 * ROWS));
        let mut done = Vec::new();
        let mut progress = |part: f32| done.push(part);
        let mut work = Box::pin(decode(&bytes, 4096, 1 << 20, &mut progress));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let mut polls = 1;
        while work.as_mut().poll(&mut context).is_pending() {
            polls += 1;
        }
        drop(work);
        assert_eq!((polls, done.len()), (11, 10));
        assert!(done.is_sorted() && done[0] == 0.0 && done[9] == 0.9, "{done:?}");
    }
}
