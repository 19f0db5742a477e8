use egui_macroquad::egui::{Rect, pos2};
use glam::{Vec2, Vec3};

use crate::picture::camera::{Camera, Viewport};
use crate::picture::places;
use crate::system::order::sort_by;

/// Radius of a target's ring with its ticks, logical pixels.
const RING: f32 = 20.0;
/// Number of steps that [`fit_clear`] tries from no inset to an edge's largest inset.
const INSETS: usize = 6;
/// Insets replace the best ones so far only if the camera's distance is below this fraction of the best distance.
const NEARER: f32 = 0.97;

/// Returns the part of a picture that is inside the margin and above hint and messages. `margin` is a fraction of the
/// picture's size. In all but small pictures the margin is at least as wide as a ring.
pub(crate) fn inner(viewport: Viewport, margin: f32) -> Viewport {
    let aside = (viewport.size * margin).max(Vec2::splat(RING).min(viewport.size / 8.0));
    let bottom = (places::HINT_HEIGHT + aside.y).min(viewport.size.y / 4.0);
    Viewport { min: viewport.min + aside, size: viewport.size - aside - Vec2::new(aside.x, bottom) }
}

fn rect(viewport: Viewport) -> Rect {
    let max = viewport.min + viewport.size;
    Rect::from_min_max(pos2(viewport.min.x, viewport.min.y), pos2(max.x, max.y))
}

fn covered(viewport: Viewport, has_wide_caption: bool) -> [Rect; 2] {
    let picture = rect(viewport);
    [places::caption(picture, has_wide_caption), places::axes(picture)].map(|place| place.expand(RING))
}

pub(crate) fn is_clear(camera: &Camera, points: &[Vec3], viewport: Viewport, has_wide_caption: bool) -> bool {
    let (projector, covered) = (camera.projector(viewport), covered(viewport, has_wide_caption));
    points.iter().filter_map(|&point| projector.to_screen(point)).all(|screen| {
        let at = pos2(screen.x, screen.y);
        covered.iter().all(|place| !place.contains(at))
    })
}

/// Moves the camera, without turning it, so that `points` are in `whole`, a part of the picture, and neither caption
/// nor axes cover them. Tries insets of the left, right and top edge, and takes about the nearest camera: see
/// [`NEARER`]. If no inset keeps all points clear, the points only fit into `whole`.
pub(crate) fn fit_clear(
    camera: &mut Camera,
    points: &[Vec3],
    (viewport, has_wide_caption): (Viewport, bool),
    whole: Viewport,
) {
    let (from, [caption, axes]) = (rect(whole), covered(viewport, has_wide_caption));
    let most = [
        (caption.right() - from.left()).max(0.0),
        (from.right() - axes.left()).max(0.0),
        (caption.bottom().max(axes.bottom()) - from.top()).max(0.0),
    ];
    let shares = || (0..=INSETS).map(|inset| inset as f32 / INSETS as f32);
    let mut all: Vec<[f32; 3]> =
        shares().flat_map(|x| shares().flat_map(move |z| shares().map(move |y| [x, z, y]))).collect();
    sort_by(&mut all, |a, b| a.iter().sum::<f32>().total_cmp(&b.iter().sum::<f32>()));
    let start = *camera;
    let deciding = start.deciding(points);
    let mut nearest = f32::INFINITY;
    for part in all {
        let [left, right, top] = [0, 1, 2].map(|edge| most[edge] * part[edge]);
        let size = whole.size - Vec2::new(left + right, top);
        if size.min_element() < 1.0 {
            continue;
        }
        let mut tried = start;
        tried.fit(&deciding, viewport, Viewport { min: whole.min + Vec2::new(left, top), size });
        if tried.distance < NEARER * nearest && is_clear(&tried, points, viewport, has_wide_caption) {
            (*camera, nearest) = (tried, tried.distance);
        }
    }
    if nearest.is_infinite() {
        camera.fit(points, viewport, whole);
    }
}
