//! The mesh of a chunk and its detail normals, from heights that cost nothing.

use std::hint::black_box;

use bevy_noise_terrain::terrain_noise::{Grid, Scratch};
use bevy_noise_terrain::validation::ChunkWork;
use bevy_noise_terrain::{ChunkKey, HeightSource};

/// The same heights for every grid.
struct Given(Vec<f32>);

impl HeightSource for Given {
    fn fill(&self, _: &Grid, _: &mut Scratch, heights: &mut [f32]) {
        heights.copy_from_slice(&self.0[..heights.len()]);
    }

    fn height(&self, _: [f64; 2], _: f64) -> f32 {
        0.0
    }
}

fn main() {
    // Steep and flat, up and down; more heights than any grid asks for. Whole numbers are the same on every machine.
    let heights = (0..300 * 300).map(|i| (i * 7_919 % 97) as f32 * 0.5 + (i % 1_009) as f32 * 0.1).collect();
    let (source, mut work) = (Given(heights), ChunkWork::default());
    let (key, spacing, top) = (ChunkKey::new(2, 5, -9), 2.0, 7);
    count("mesh/chunk", || {
        black_box(work.vertices(&source, key, spacing, top));
    });
    count("mesh/detail normals", || {
        black_box(work.detail_normals(&source, key, spacing));
    });
}

/// Does it twice: the first time allocates what is kept.
fn count(case: &str, mut work: impl FnMut()) {
    work();
    println!("{case}");
    counted_by_callgrind(&mut work);
}

/// As in `crates/terrain_bench/src/counting.rs`.
#[inline(never)]
fn counted_by_callgrind(work: &mut dyn FnMut()) {
    work();
    black_box(work);
}
