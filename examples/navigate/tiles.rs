//! Tiles of the navigation mesh around the crowd: baked on the task pools, the nearest first, and dropped far behind.

use std::collections::HashMap;
use std::sync::Arc;

use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, poll_once};
use bevy_landmass::prelude::*;
use bevy_landmass::{NavMeshHandle, PointSampleDistance3d};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::ScatterQuery;

use crate::bake::{self, Area, Footing, Land, RADIUS, TILE};
use crate::crowd::Walker;

/// Metres around the middle of the crowd in which there are tiles.
pub const REACH: f64 = 400.0;
/// Tiles are kept until they are this much farther away, in metres.
const KEPT: f64 = 100.0;
/// Tiles that are baked at the same time.
const AT_ONCE: usize = 8;

/// The tiles that there are, or will be.
#[derive(Resource, Default)]
pub struct Tiles(HashMap<[i64; 2], Tile>);

enum Tile {
    Baking(Task<Baked>),
    /// Nothing is spawned where nobody can walk.
    Done(Option<Entity>),
}

type Baked = (Vec<Area>, Option<ValidNavigationMesh3d>);

/// The walkable areas of a tile, on the entity of its navigation mesh.
#[derive(Component)]
pub struct Areas(pub Vec<Area>);

impl Tiles {
    /// How many are done.
    pub fn done(&self) -> usize {
        self.0.values().filter(|tile| matches!(tile, Tile::Done(_))).count()
    }
}

/// Adds an archipelago, and keeps its islands around the crowd.
pub fn stream(app: &mut App) {
    app.init_resource::<Tiles>()
        .add_systems(PreStartup, spawn_archipelago)
        .add_systems(FixedFirst, (collect, request).chain());
}

fn spawn_archipelago(mut commands: Commands) {
    let mut archipelago = Archipelago3d::new(ArchipelagoOptions {
        // The mesh is flat and the land is not: walkers belong to what is below or above them.
        point_sample_distance: PointSampleDistance3d {
            horizontal_distance: 2.0,
            distance_above: 20_000.0,
            distance_below: 20_000.0,
            vertical_preference_ratio: 1e6,
            animation_link_max_vertical_distance: 0.0,
        },
        avoidance_time_horizon: 1.5,
        ..ArchipelagoOptions::from_agent_radius(RADIUS as f32)
    });
    for footing in Footing::ALL {
        if let Err(error) = archipelago.set_type_index_cost(footing as usize, footing.cost()) {
            error!("{error}");
        }
    }
    commands.spawn(archipelago);
}

/// Turns what has been baked into islands.
fn collect(
    mut commands: Commands,
    archipelago: Single<Entity, With<Archipelago3d>>,
    mut meshes: ResMut<Assets<NavMesh3d>>,
    mut tiles: ResMut<Tiles>,
) {
    for (&tile, state) in &mut tiles.0 {
        let Tile::Baking(task) = state else { continue };
        let Some((areas, mesh)) = block_on(poll_once(task)) else { continue };
        let island = mesh.map(|mesh| {
            let [x, z] = bake::corner(tile);
            let bundle = Island3dBundle {
                island: Island,
                archipelago_ref: ArchipelagoRef3d::new(*archipelago),
                nav_mesh: NavMeshHandle(meshes.add(NavMesh3d { nav_mesh: Arc::new(mesh) })),
            };
            commands.spawn((bundle, Areas(areas), Transform::from_xyz(x as f32, 0.0, z as f32))).id()
        });
        *state = Tile::Done(island);
    }
}

/// Asks for tiles that are missing, and drops those that are far away.
fn request(
    mut commands: Commands,
    terrain: TerrainQuery,
    scatter: ScatterQuery,
    water: Query<&TerrainWater>,
    walkers: Query<&Transform, With<Walker>>,
    mut tiles: ResMut<Tiles>,
) {
    let Some(surface) = terrain.surface() else { return };
    if walkers.is_empty() {
        return;
    }
    let middle = walkers.iter().map(|walker| walker.translation.as_dvec3()).sum::<bevy::math::DVec3>();
    let middle = (middle / walkers.iter().len() as f64).xz();
    let distance = |tile: [i64; 2]| {
        let [x, z] = bake::corner(tile).map(|metres| metres + 0.5 * TILE);
        middle.distance([x, z].into())
    };
    tiles.0.retain(|&tile, state| {
        let is_kept = distance(tile) < REACH + KEPT;
        if let (false, Tile::Done(Some(island))) = (is_kept, state) {
            commands.entity(*island).despawn();
        }
        is_kept
    });
    let baking = tiles.0.values().filter(|tile| matches!(tile, Tile::Baking(_))).count();
    let [low, high] = [-REACH, REACH].map(|reach| ((middle + reach) / TILE).floor().as_i64vec2());
    let mut missing: Vec<[i64; 2]> = (low.y..=high.y)
        .flat_map(|z| (low.x..=high.x).map(move |x| [x, z]))
        .filter(|&tile| distance(tile) < REACH && !tiles.0.contains_key(&tile))
        .collect();
    missing.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    missing.truncate(AT_ONCE - baking.min(AT_ONCE));
    if missing.is_empty() {
        return;
    }
    let land = Land { surface, objects: scatter.map(), water: water.iter().next().cloned() };
    for tile in missing {
        let land = land.clone();
        let task = AsyncComputeTaskPool::get().spawn(async move {
            let areas = bake::areas(&land, tile);
            let mesh = bake::mesh(&areas);
            (areas, mesh)
        });
        tiles.0.insert(tile, Tile::Baking(task));
    }
}
