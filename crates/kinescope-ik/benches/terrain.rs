//! Casts of a foot's size against hills of 129 × 129 points over 12.8 m, and the cost of editing them.

use divan::{Bencher, black_box};
use glam::{Vec2, Vec3};
use kinescope_ik::ground::Ground;
use kinescope_ik::terrain::{Mesh, Platform, Surface, Terrain};

fn main() {
    divan::main();
}

fn terrain() -> Terrain {
    let heights = (0..129 * 129).map(|index| ((index % 129) as f32 * 0.11).sin() * ((index / 129) as f32 * 0.07).cos());
    Terrain {
        size: Vec2::splat(12.8),
        columns: 129,
        rows: 129,
        heights: heights.map(|height| 0.3 * height).collect(),
        platforms: vec![Platform { from: Vec3::new(3.0, 0.5, 3.0), ..Platform::default() }],
        ..Terrain::default()
    }
}

fn surface() -> Surface {
    terrain().at(0.0).unwrap()
}

#[divan::bench]
fn ray_down(bencher: Bencher) {
    let surface = surface();
    bencher.bench(|| surface.ray(black_box(Vec3::new(0.53, 1.0, 0.71)), Vec3::NEG_Y, 2.0));
}

#[divan::bench]
fn ray_across(bencher: Bencher) {
    let surface = surface();
    bencher.bench(|| surface.ray(black_box(Vec3::new(-6.0, 1.5, -6.0)), Vec3::new(0.69, -0.2, 0.69), 20.0));
}

#[divan::bench]
fn sphere_down(bencher: Bencher) {
    let surface = surface();
    bencher.bench(|| surface.sphere(black_box(Vec3::new(0.53, 1.0, 0.71)), 0.08, Vec3::NEG_Y, 2.0));
}

#[divan::bench]
fn capsule_down(bencher: Bencher) {
    let surface = surface();
    let (heel, toe) = (Vec3::new(0.53, 1.0, 0.71), Vec3::new(0.55, 1.0, 0.91));
    bencher.bench(|| surface.capsule(black_box(heel), toe, 0.06, Vec3::NEG_Y, 2.0));
}

#[divan::bench]
fn capsule_across(bencher: Bencher) {
    let surface = surface();
    let (low, high) = (Vec3::new(-6.0, 0.6, -6.0), Vec3::new(-6.0, 1.8, -6.0));
    bencher.bench(|| surface.capsule(black_box(low), high, 0.25, Vec3::new(0.7, -0.01, 0.7), 20.0));
}

#[divan::bench]
fn build(bencher: Bencher) {
    let terrain = terrain();
    bencher.bench(|| black_box(&terrain).at(1.0));
}

#[divan::bench]
fn move_platforms(bencher: Bencher) {
    let mut surface = surface();
    bencher.bench_local(|| surface.set_time(black_box(1.0)));
}

#[divan::bench]
fn sculpt(bencher: Bencher) {
    let (mut terrain, mut surface) = (terrain(), surface());
    bencher.bench_local(|| {
        let changes = terrain.raise(black_box(Vec2::ZERO), 0.5, 0.0001);
        surface.sculpt(&changes);
    });
}

#[divan::bench]
fn mesh(bencher: Bencher) {
    let (terrain, mut mesh) = (terrain(), Mesh::default());
    bencher.bench_local(|| terrain.mesh(black_box(&mut mesh)));
}
