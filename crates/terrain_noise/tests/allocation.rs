//! A grid call allocates the first time it sees a shape, and never again.
#![allow(unsafe_code, reason = "counting what is allocated takes an allocator")]
#![allow(clippy::expect_used, reason = "helpers of tests may stop too")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::worlds;
use terrain_noise::prelude::*;

struct Counting;

thread_local! {
    /// Bytes asked for on this thread, and how often.
    static ASKED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

fn count(bytes: usize) {
    ASKED.set((ASKED.get().0 + bytes, ASKED.get().1 + 1));
}

// SAFETY: hands everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promises are handed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are handed on.
        unsafe { System.dealloc(place, layout) }
    }
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        // SAFETY: the caller's promises are handed on.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What a call asks for.
fn asked(call: impl FnOnce()) -> (usize, usize) {
    let before = ASKED.get();
    call();
    (ASKED.get().0 - before.0, ASKED.get().1 - before.1)
}

#[test]
fn the_second_call_allocates_nothing() {
    for (name, noise) in worlds() {
        let sampler = noise.build(1).expect(name);
        let mut scratch = Scratch::default();
        let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; 65 * 65]);
        for round in 0..4 {
            // Another place, the same shape.
            let grid = Grid::new([round * 64, -round * 64], 2.0, [65, 65]);
            let (_, calls) = asked(|| {
                sampler.fill(&grid, &mut scratch, &mut heights);
                sampler.fill_with_gradient(&grid, &mut scratch, &mut heights, &mut dx, &mut dz);
            });
            assert!(round == 0 || calls == 0, "{name}, round {round}: {calls}");
            let places: [[f64; 2]; 100] = std::array::from_fn(|i| [i as f64 * 37.0, round as f64 * 900.0]);
            let (_, calls) = asked(|| {
                sampler.fill_points(&places, 0.0, &mut scratch, &mut heights[..100]);
                let slopes = (&mut dx[..100], &mut dz[..100]);
                sampler.fill_points_with_gradient(&places, 2.0, &mut scratch, &mut heights[..100], slopes.0, slopes.1);
            });
            assert!(round == 0 || calls == 0, "{name}, list, round {round}: {calls}");
        }
    }
}

#[test]
fn positions_far_apart_allocate_once() {
    let carved = |noise: Noise| noise.gullies(30.0, 200.0).build(3).expect("gullies");
    let hills = || perlin().fbm().octaves(3).feature_size(900.0).scale(90.0);
    let lands = [carved(hills()), carved(hills().gullies(9.0, 700.0).into())];
    for land in lands {
        // On threads that keep nothing of the land yet.
        let ask = |ask: &mut (dyn FnMut([f64; 2]) + Send)| {
            // A cell in the middle of tiles, then all others.
            let places = (0..40).map(|i| [f64::from(i) * 60_123.0, f64::from(i * 7 % 11) * 17.9]);
            let calls = places.map(|at| asked(|| ask(at)).1).collect::<Vec<_>>();
            assert!(calls[1..].iter().all(|&calls| calls == 0), "{calls:?}");
        };
        let (mut scratch, mut height) = (Scratch::default(), [0.0]);
        std::thread::scope(|scope| {
            scope.spawn(|| ask(&mut |at| height[0] += land.sample(at)));
        });
        std::thread::scope(|scope| {
            scope.spawn(|| ask(&mut |at| _ = land.fill_points(&[at], 0.0, &mut scratch, &mut height)));
        });
    }
}

#[test]
fn lists_in_space_allocate_once() {
    let points: Vec<[f64; 3]> = (0..300).map(|i| [f64::from(i) * 1.7, f64::from(-i), 0.5]).collect();
    let [mut heights, mut dx, mut dy, mut dz] = std::array::from_fn(|_| vec![0.0; points.len()]);
    for (name, noise) in worlds() {
        let sampler = noise.build(1).expect(name);
        let mut scratch = Scratch::default();
        for round in 0..3 {
            let (_, calls) = asked(|| {
                sampler.fill_points_3d(&points, 2.0, &mut scratch, &mut heights);
                let out = &mut heights;
                sampler.fill_points_3d_with_gradient(&points, 2.0, &mut scratch, out, &mut dx, &mut dy, &mut dz);
            });
            assert!(round == 0 || calls == 0, "{name}, round {round}: {calls}");
        }
    }
}

#[test]
fn a_chunk_needs_less_than_64_kib() {
    let sampler = perlin().fbm().octaves(8).feature_size(256.0).build(1).expect("a plain noise");
    let grid = Grid { start: [64, 64], spacing: 1.0, size: [65, 65], footprint: 0.0 };
    let mut heights = vec![0.0; grid.len()];
    let mut scratch = Scratch::default();
    let (bytes, _) = asked(|| {
        sampler.fill(&grid, &mut scratch, &mut heights);
    });
    assert!(bytes > 0 && bytes < 64 * 1024, "{bytes}");
    let [mut dx, mut dz] = [heights.clone(), heights.clone()];
    let mut scratch = Scratch::default();
    let (bytes, _) = asked(|| {
        sampler.fill_with_gradient(&grid, &mut scratch, &mut heights, &mut dx, &mut dz);
    });
    assert!(bytes > 0 && bytes <= 64 * 1024, "with slopes: {bytes}");
}
