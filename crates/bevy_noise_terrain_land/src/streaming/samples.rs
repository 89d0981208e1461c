//! Counts what a flight samples: heights of chunks in memory are not sampled again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bevy::prelude::*;
use terrain_noise::{Grid, Scratch};

use super::loaded::DetailNormals;
use super::{RendererDemand, TerrainState, Upload};
use crate::prelude::*;

/// Samples of a chunk, of the part of its parent under it, and of a chunk at twice its resolution.
const SIDES: [usize; 3] = [67, 35, 131];

/// Hills that count how often each size of grid is sampled.
struct Counting(Arc<[AtomicUsize; 3]>);

impl HeightSource for Counting {
    fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
        let size = SIDES.iter().position(|&side| grid.size == [side; 2]).expect("a grid of a known size");
        self.0[size].fetch_add(1, Ordering::Relaxed);
        for (index, height) in heights.iter_mut().enumerate() {
            let position = [grid.x(index % grid.size[0]), grid.z(index / grid.size[0])];
            *height = self.height(position, grid.footprint);
        }
    }

    fn height(&self, [x, z]: [f64; 2], _: f64) -> f32 {
        (1e-3 * (x % 1_000.0) * (z % 700.0)) as f32
    }
}

/// Meshes and detail normals that a renderer would have got.
#[derive(Default)]
struct Taken {
    meshes: usize,
    detail_normals: usize,
}

/// Updates until nothing is left to build.
fn settle(app: &mut App, terrain: Entity, taken: &mut Taken) {
    let began = Instant::now();
    loop {
        app.update();
        let mut state = app.world_mut().get_mut::<TerrainState>(terrain).unwrap();
        state.renderer =
            RendererDemand { takes_uploads: true, detail_normals: true, draws_holes: true, half_meshes: false };
        for upload in std::mem::take(&mut state.uploads) {
            match upload {
                Upload::Vertices { .. } => taken.meshes += 1,
                Upload::DetailNormals { .. } => taken.detail_normals += 1,
            }
        }
        let shown = state.shown.as_ref().unwrap();
        let is_plain = |wanted: &crate::lod::Wanted| {
            let chunk = shown.chunks.get(wanted.key);
            wanted.key.level > 0 && chunk.is_none_or(|chunk| chunk.detail_normals == DetailNormals::Missing)
        };
        if state.missing == 0 && !state.wanted.iter().any(is_plain) {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(120), "{} chunks are missing", state.missing);
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_flight_samples_heights_once() {
    let counts = Arc::new([const { AtomicUsize::new(0) }; 3]);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin));
    let settings = NoiseTerrain { lod: TerrainLod { view_distance: 4_000.0, ..default() }, ..default() };
    let terrain = app.world_mut().spawn((settings, TerrainSource::new(Counting(counts.clone())))).id();
    let viewer = app.world_mut().spawn((TerrainViewer, Transform::from_xyz(0.0, 200.0, 0.0))).id();
    let mut taken = Taken::default();
    settle(&mut app, terrain, &mut taken);
    let mut before = Taken::default();
    let mut counted = [0; 3];
    for (part, share) in [("loading", 0.75), ("flying", 0.82)] {
        for _ in 0..if part == "flying" { 40 } else { 0 } {
            app.world_mut().get_mut::<Transform>(viewer).unwrap().translation.x += 40.0;
            settle(&mut app, terrain, &mut taken);
        }
        let now = counts.each_ref().map(|count| count.load(Ordering::Relaxed));
        let grids = [0, 1, 2].map(|size| now[size] - counted[size]);
        let (meshes, detail_normals) = (taken.meshes - before.meshes, taken.detail_normals - before.detail_normals);
        let samples = |grids: [usize; 3]| (0..3).map(|size| grids[size] * SIDES[size].pow(2)).sum::<usize>();
        let alone = samples([meshes + detail_normals, meshes, detail_normals]);
        let ratio = samples(grids) as f64 / alone as f64;
        println!(
            "{part}: {meshes} meshes, {detail_normals} detail normals, grids {grids:?}: {ratio:.3} of the samples"
        );
        assert!(meshes > 20 && detail_normals > 20, "{meshes} meshes, {detail_normals} detail normals");
        assert!(ratio < share, "{part} took {ratio} of what chunks would sample by themselves");
        (before, counted) = (Taken { ..taken }, now);
    }
}
