//! The crowd of the example `navigate` arrives, and keeps to ground that one can walk on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_landmass::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::ScatterMap;
use bevy_noise_terrain::terrain_noise::prelude::*;

use bake::{Footing, Land};

#[path = "../bake.rs"]
mod bake;
#[path = "../crowd.rs"]
mod crowd;
#[path = "../tiles.rs"]
#[expect(dead_code, reason = "the example uses all of it")]
mod tiles;

/// Wooded hills with lakes.
fn hills() -> NoiseTerrain {
    let hills = perlin().fbm().octaves(5).feature_size(500.0).scale(70.0).add(12.0);
    NoiseTerrain { noise: hills, seed: 5, ..default() }
}

fn land() -> Land {
    let surface = hills().surface().unwrap();
    let objects = ScatterMap::new(&TerrainScatter::temperate(), &surface).unwrap();
    Land { surface, objects: Some(objects), water: Some(TerrainWater::default()) }
}

#[test]
fn areas_cover_what_can_be_walked_on_and_nothing_else() {
    let land = land();
    let mut counts = [0; 4];
    for tile in [[0, 0], [-3, 2], [5, -4], [1_000_000, 0]] {
        let areas = bake::areas(&land, tile);
        let mut covered = vec![None; 64 * 64];
        for area in &areas {
            for z in area.min[1]..area.max[1] {
                for x in area.min[0]..area.max[0] {
                    assert!(covered[z * 64 + x].replace(area.footing).is_none(), "two areas on one cell");
                }
            }
        }
        assert_eq!(bake::mesh(&areas).is_some(), !areas.is_empty());
        let [left, top] = bake::corner(tile);
        for (cell, footing) in covered.iter().enumerate() {
            counts[footing.map_or(3, |footing: Footing| footing as usize)] += 1;
            let [x, z] = [left + (cell % 64) as f64, top + (cell / 64) as f64];
            let around = [[x, z], [x + 1.0, z], [x, z + 1.0], [x + 1.0, z + 1.0]];
            let heights = land.surface.heights(&around);
            let depth = -heights.iter().copied().fold(f64::INFINITY, f64::min);
            let rise = (heights[1] - heights[0]).abs();
            if let Some(footing) = footing {
                assert!(rise <= bake::STEEPEST && depth <= bake::DEEPEST);
                assert_eq!(*footing == Footing::Wet, depth > 0.0);
            }
        }
        let max = [left + bake::TILE, top + bake::TILE];
        for (object, _) in land.objects.as_ref().unwrap().solid_objects([left, top], max) {
            let [x, z] = [object.position.x - left, object.position.z - top].map(|at| at as usize);
            assert_eq!(covered[z * 64 + x], None, "one cannot walk through {object:?}");
        }
    }
    assert!(counts.iter().all(|&count| count > 20), "all kinds of ground are tried: {counts:?}");
}

#[test]
fn a_crowd_arrives_on_ground_that_it_can_walk_on() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()))
        .add_plugins((NoiseTerrainPlugin, Landmass3dPlugin::default(), tiles::stream, crowd::wander))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)))
        .insert_resource(crowd::Size(24));
    app.world_mut().spawn((hills(), TerrainScatter::temperate(), TerrainWater::default()));
    app.finish();
    app.cleanup();
    let land = land();
    let (mut steps, mut astray) = (0, 0);
    for _ in 0..64 * 90 {
        app.update();
        let world = app.world_mut();
        let mut walkers = world.query_filtered::<(&Transform, &AgentState), With<crowd::Walker>>();
        for (transform, state) in walkers.iter(world) {
            let [x, z] = [transform.translation.x, transform.translation.z].map(f64::from);
            assert!((f64::from(transform.translation.y) - land.surface.height(x, z)).abs() < 1e-3);
            if *state == AgentState::Moving {
                let tile = [x, z].map(|metres| (metres / bake::TILE).floor() as i64);
                let depth = -land.surface.height(x, z);
                assert!(depth < bake::DEEPEST + 1.0, "{depth} m of water at {x}, {z}, tile {tile:?}");
                steps += 1;
                astray += u32::from(depth > bake::DEEPEST);
            }
        }
    }
    let world = app.world_mut();
    let walkers: Vec<&crowd::Walker> = world.query::<&crowd::Walker>().iter(world).collect();
    let arrivals: u32 = walkers.iter().map(|walker| walker.arrivals).sum();
    assert!(arrivals >= 24, "{arrivals} arrivals");
    assert!(steps > 10_000 && astray * 100 < steps, "{astray} of {steps} steps where one cannot walk");
}
