//! Plants and rocks during a flight: bounded, none left behind, and the same from wherever one arrives.

use std::collections::HashSet;
use std::time::Duration;

use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::{ScatterBlock, ScatterStats};
use examples_common::offscreen;

struct Flight {
    app: App,
    terrain: Entity,
    viewer: Entity,
}

/// Trees, which are also in the far band, and kinds that are not.
fn scatter(memory_mb: u32) -> TerrainScatter {
    let trees = ScatterKind { density: 0.01, distance: 2_500.0, max_slope: 1.5, ..ScatterKind::conifer() };
    let grass = ScatterKind { density: 0.5, ..ScatterKind::grass() };
    TerrainScatter {
        kinds: vec![grass, trees, ScatterKind { max_slope: 1.5, ..ScatterKind::rock() }],
        memory_mb,
        ..default()
    }
}

impl Flight {
    fn new(scatter: TerrainScatter) -> Self {
        // Without a camera everything but drawing happens.
        let (mut app, _) = offscreen::app(64, 64);
        app.add_plugins(NoiseTerrainPlugin);
        let settings = NoiseTerrain { lod: TerrainLod { view_distance: 4_000.0, ..default() }, ..default() };
        let terrain = app.world_mut().spawn((settings, scatter)).id();
        let viewer = app.world_mut().spawn((TerrainViewer, Transform::default())).id();
        offscreen::finish(&mut app);
        let mut flight = Self { app, terrain, viewer };
        flight.go(0.0, 0.0);
        flight
    }

    /// Moves the viewer to 20 m above the ground.
    fn go(&mut self, x: f64, z: f64) {
        let settings = self.app.world().get::<NoiseTerrain>(self.terrain).unwrap().clone();
        let height = settings.surface().unwrap().height(x, z) as f32 + 20.0;
        *self.app.world_mut().get_mut::<Transform>(self.viewer).unwrap() =
            Transform::from_xyz(x as f32, height, z as f32);
    }

    fn frame(&mut self) -> ScatterStats {
        offscreen::update(&mut self.app);
        std::thread::sleep(Duration::from_millis(2));
        let stats = *self.app.world().get::<ScatterStats>(self.terrain).unwrap();
        let scatter = self.app.world().get::<TerrainScatter>(self.terrain).unwrap();
        assert!(stats.bytes <= u64::from(scatter.memory_mb) * 1_000_000, "{} bytes", stats.bytes);
        assert!(stats.blocks <= stats.most_blocks, "{stats:?}");
        // At most a near and a far shape for each block.
        assert!(self.blocks().len() <= 2 * stats.blocks as usize, "more entities than blocks: {stats:?}");
        stats
    }

    fn settle(&mut self) -> ScatterStats {
        let mut calm = 0;
        for _ in 0..20_000 {
            let stats = self.frame();
            let land = self.app.world().get::<TerrainStats>(self.terrain).unwrap();
            let is_calm = stats.cells > 0 && stats.missing == 0 && !stats.preparing && land.missing == 0;
            calm = if is_calm { calm + 1 } else { 0 };
            if calm > 10 {
                return stats;
            }
        }
        panic!("the scatter never became complete");
    }

    fn blocks(&mut self) -> HashSet<Entity> {
        let world = self.app.world_mut();
        world.query_filtered::<Entity, With<ScatterBlock>>().iter(world).collect()
    }
}

#[test]
fn a_flight_leaves_nothing_behind() {
    let mut flight = Flight::new(scatter(64));
    // Models are built in the background, and frames go on.
    let preparing = (0..2_000).map(|_| flight.frame()).find(|stats| stats.preparing || stats.cells > 0).unwrap();
    assert!(preparing.preparing && preparing.cells == 0, "models are not built in the background: {preparing:?}");
    let first = flight.settle();
    let before = flight.blocks().len();
    assert!(first.objects > 1_000 && before > 100, "{before} blocks: {first:?}");
    // A fast flight, a teleport, and back.
    for step in 0..150 {
        flight.go(10.0 * f64::from(step), -4.0 * f64::from(step));
        flight.frame();
    }
    flight.go(-50_000.0, 70_000.0);
    flight.settle();
    flight.go(0.0, 0.0);
    let last = flight.settle();
    assert_eq!((last.objects, last.cells, last.blocks), (first.objects, first.cells, first.blocks));
    assert_eq!(flight.blocks().len(), before);

    // Another tint does not rebuild the plants.
    let entities = flight.blocks();
    let mut settings = flight.app.world_mut().get_mut::<TerrainScatter>(flight.terrain).unwrap();
    settings.kinds[1].tint = [2.0, 0.5, 0.5];
    settings.wind = 3.0;
    for _ in 0..5 {
        let stats = flight.frame();
        assert_eq!((stats.objects, stats.preparing), (first.objects, false));
    }
    assert_eq!(flight.blocks(), entities, "a tint must not respawn blocks");
    // Shadows need new entities, but the objects stay.
    flight.app.world_mut().get_mut::<TerrainScatter>(flight.terrain).unwrap().kinds[1].shadows = false;
    for _ in 0..5 {
        assert_eq!(flight.frame().objects, first.objects);
    }
    assert_eq!(flight.blocks().len(), before);
    assert!(!flight.blocks().is_subset(&entities));
    // Half the density: the old objects stay until the new rules are ready.
    flight.app.world_mut().get_mut::<TerrainScatter>(flight.terrain).unwrap().kinds[0].density = 0.25;
    flight.frame();
    let thinned = flight.settle();
    assert!(thinned.objects < first.objects, "{thinned:?}");

    flight.app.world_mut().entity_mut(flight.terrain).remove::<TerrainScatter>();
    offscreen::update(&mut flight.app);
    offscreen::update(&mut flight.app);
    assert_eq!(flight.blocks().len(), 0, "without the component nothing is left");
}

#[test]
fn plants_stay_when_only_the_view_distance_or_the_memory_changes() {
    let mut flight = Flight::new(scatter(64));
    let first = flight.settle();
    let entities = flight.blocks();
    let changes: [(fn(&mut NoiseTerrain), bool); 3] = [
        (|terrain| terrain.lod.view_distance = 5_000.0, true),
        (|terrain| terrain.lod.detail = 4.2, true),
        // The land gets new buffers, so entities are respawned.
        (|terrain| terrain.streaming.memory_mb /= 2, false),
    ];
    for (change, are_same) in changes {
        let land = |flight: &Flight| flight.app.world().get::<TerrainStats>(flight.terrain).unwrap().generation;
        let before = land(&flight);
        change(&mut flight.app.world_mut().get_mut::<NoiseTerrain>(flight.terrain).unwrap());
        let mut frames = 0;
        while land(&flight) == before || frames < 20 {
            let stats = flight.frame();
            assert_eq!((stats.objects, stats.preparing), (first.objects, false), "the plants were rebuilt");
            frames += 1;
            assert!(frames < 2_000, "the land never changed");
        }
        if are_same {
            assert_eq!(flight.blocks(), entities, "blocks were respawned");
        }
        assert_eq!(flight.settle().objects, first.objects);
    }
    // Other land, other plants.
    flight.app.world_mut().get_mut::<NoiseTerrain>(flight.terrain).unwrap().seed += 1;
    flight.go(0.0, 0.0);
    assert!((0..2_000).any(|_| flight.frame().objects < first.objects), "the plants of the old land stay");
}

#[test]
fn a_mesh_that_never_loads_does_not_block_other_kinds() {
    let mut settings = scatter(64);
    let mut flight = Flight::new(TerrainScatter::default());
    let server = flight.app.world().resource::<AssetServer>().clone();
    let lost = ScatterShape::Custom(server.load("no/such/mesh.none"));
    let late = flight.app.world().resource::<Assets<Mesh>>().reserve_handle();
    let own = |shape| ScatterKind { shape, density: 0.01, max_slope: 1.5, ..ScatterKind::rock() };
    settings.kinds.insert(0, own(lost));
    settings.kinds.push(own(ScatterShape::Custom(late.clone())));
    *flight.app.world_mut().get_mut::<TerrainScatter>(flight.terrain).unwrap() = settings;
    let without = flight.settle();
    assert!(without.objects > 1_000, "{without:?}");
    // A mesh that is loaded later is scattered too.
    flight.app.world_mut().resource_mut::<Assets<Mesh>>().insert(&late, Cuboid::default().into()).unwrap();
    flight.frame();
    let with = flight.settle();
    assert!(with.objects > without.objects, "{with:?} with it, {without:?} before");
}

#[test]
fn render_layers_and_visibility_propagate_to_everything_drawn() {
    let mut plants = scatter(64);
    // All of them grow in the water that covers the land.
    plants.kinds.iter_mut().for_each(|kind| kind.above_water = -1e6);
    let mut flight = Flight::new(plants);
    let water = TerrainWater { level: 1e4, ..default() };
    flight.app.world_mut().entity_mut(flight.terrain).insert((water, RenderLayers::layer(3)));
    flight.settle();
    let parts = |flight: &mut Flight| {
        let world = flight.app.world_mut();
        let mut parts = world.query_filtered::<(Option<&RenderLayers>, &InheritedVisibility), With<Mesh3d>>();
        parts.iter(world).map(|(layers, visible)| (layers.cloned(), visible.get())).collect::<Vec<_>>()
    };
    let all = |parts: &[(Option<RenderLayers>, bool)], layers: Option<&RenderLayers>| {
        assert!(parts.len() > 300, "land, water and plants: {}", parts.len());
        let other = parts.iter().filter(|(of_part, _)| of_part.as_ref() != layers).count();
        assert_eq!(other, 0, "of {} have other layers", parts.len());
    };
    all(&parts(&mut flight), Some(&RenderLayers::layer(3)));
    // Changes apply to what exists and to what is spawned later.
    flight.app.world_mut().entity_mut(flight.terrain).insert(RenderLayers::layer(5));
    flight.frame();
    flight.go(300.0, 0.0);
    flight.settle();
    all(&parts(&mut flight), Some(&RenderLayers::layer(5)));
    flight.app.world_mut().entity_mut(flight.terrain).remove::<RenderLayers>();
    flight.frame();
    all(&parts(&mut flight), None);

    assert!(parts(&mut flight).iter().any(|(_, is_visible)| *is_visible));
    flight.app.world_mut().entity_mut(flight.terrain).insert(Visibility::Hidden);
    flight.frame();
    let visible = parts(&mut flight).iter().filter(|(_, is_visible)| *is_visible).count();
    assert_eq!(visible, 0, "parts of a hidden terrain are visible");
}

#[test]
fn scarce_memory_keeps_its_bound() {
    let mut flight = Flight::new(scatter(1));
    let first = flight.settle();
    assert!(first.bytes > 500_000, "the memory is used: {first:?}");
    for step in 0..200 {
        flight.go(8.0 * f64::from(step), 3.0 * f64::from(step));
        let stats = flight.frame();
        assert!(stats.main_ms.is_finite());
    }
    let last = flight.settle();
    assert!(last.blocks > last.most_blocks / 2, "pages leak: {last:?}");
}
