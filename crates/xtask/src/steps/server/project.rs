//! A server of one thread: Bevy without its threads, its windows and its renderer.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::ScatterQuery;

/// How long the land may take, and a frame. Nothing is optimised but the terrain.
const LIMIT: Duration = Duration::from_secs(120);
const FRAME: Duration = Duration::from_secs(5);

fn main() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin));
    app.world_mut().spawn((NoiseTerrain::default(), TerrainScatter::temperate(), TerrainWater::default()));
    app.add_systems(PostStartup, survey);
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

/// What is underfoot, what stands there and how deep the water is: a server knows it as well.
fn survey(terrain: TerrainQuery, scatter: ScatterQuery, terrains: Query<(&TerrainGround, &TerrainWater)>) {
    let (land, map) = (terrain.surface().expect("land"), scatter.map().expect("objects"));
    let (ground, water) = terrains.single().expect("one terrain");
    let shares = ground.shares(&land, 10.0, 20.0);
    assert!(shares.len() == ground.layers.len() && (shares.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{shares:?}");
    assert_eq!(water.depth(&land, 10.0, 20.0), (f64::from(water.level) - land.height(10.0, 20.0)).max(0.0));
    let trees = map.objects([-500.0; 2], [500.0; 2], |kind| kind.shape == ScatterShape::Conifer).count();
    assert!(trees > 100, "{trees} trees");
    println!("{trees} trees stand within 500 m");
}
