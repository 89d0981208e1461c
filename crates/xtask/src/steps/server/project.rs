//! A server of one thread: Bevy without its threads, its windows and its renderer.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;

/// How long the land may take, and a frame. Nothing is optimised but the terrain.
const LIMIT: Duration = Duration::from_secs(120);
const FRAME: Duration = Duration::from_secs(5);

fn main() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin));
    app.world_mut().spawn((TerrainViewer, Transform::from_xyz(0.0, 400.0, 0.0)));
    app.finish();
    app.cleanup();
    let begun = Instant::now();
    let mut slowest = Duration::ZERO;
    loop {
        let before = Instant::now();
        app.update();
        slowest = slowest.max(before.elapsed());
        assert!(slowest < FRAME, "a frame took {slowest:?}");
        assert!(begun.elapsed() < LIMIT, "the land did not come");
        let mut terrains = app.world_mut().query::<&TerrainStats>();
        if terrains.iter(app.world()).any(|stats| stats.drawn_total() > 0 && stats.missing == 0) {
            println!("land is whole after {:?}, the slowest frame took {slowest:?}", begun.elapsed());
            return;
        }
    }
}
