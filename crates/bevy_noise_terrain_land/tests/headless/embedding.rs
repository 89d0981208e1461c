//! Use in an app: changing viewers, teleports, transforms, other sources, several terrains.

#![cfg(feature = "validation")]

use bevy::math::DVec3;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_noise_terrain::edits::{Edit, TerrainEdits, TerrainHoles};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::{Grid, Scratch};
use bevy_noise_terrain::validation::DrawnFrame;
use bevy_noise_terrain::volumes::{TerrainVolumes, VolumeScatter};
use bevy_noise_terrain::{ChunkFailed, ChunkKey, ChunkReady, ChunkRemoved};
use bevy_noise_terrain::{SpawnNoTerrain, Surface};

use crate::world::{World, settings};

fn chunk_entities(world: &mut World) -> usize {
    world.app.world_mut().query::<&TerrainChunk>().iter(world.app.world()).count()
}

#[test]
fn an_app_without_a_terrain_gets_one_unless_disabled() {
    let count = |disabled: bool| {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin));
        if disabled {
            app.insert_resource(SpawnNoTerrain);
        }
        app.update();
        app.world_mut().query::<&NoiseTerrain>().iter(app.world()).count()
    };
    assert_eq!((count(false), count(true)), (1, 0));
    let mut world = World::new(settings(4_000.0));
    world.update();
    assert_eq!(world.app.world_mut().query::<&NoiseTerrain>().iter(world.app.world()).count(), 1);
}

#[test]
fn after_startup_the_default_terrain_can_be_queried() {
    #[derive(Resource, Default)]
    struct TerrainGround(Option<f64>);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin)).init_resource::<TerrainGround>();
    app.add_systems(PostStartup, |terrain: TerrainQuery, mut ground: ResMut<TerrainGround>| {
        ground.0 = terrain.surface().map(|surface| surface.height(10.0, 20.0));
    });
    app.update();
    let expected = NoiseTerrain::default().surface().unwrap().height(10.0, 20.0);
    assert_eq!(app.world().resource::<TerrainGround>().0, Some(expected));
}

#[test]
fn a_teleport_by_a_million_metres_shows_no_holes() {
    let mut world = World::new(settings(8_000.0));
    world.settle();
    for (x, z) in [(1e6, 0.0), (-1e6, 1e6), (0.0, 0.0)] {
        world.place(Vec3::new(x, 400.0, z));
        world.update();
        world.check();
    }
}

#[test]
fn a_moved_origin_only_moves_transforms() {
    let mut world = World::new(settings(4_000.0));
    world.place(Vec3::new(1_000.0, 300.0, -500.0));
    world.settle();
    let drawn = world.drawn().to_vec();
    let origin = TerrainOrigin { x: 8_192.0, z: -4_096.0 };
    *world.app.world_mut().get_mut::<TerrainOrigin>(world.terrain).unwrap() = origin;
    world.place(Vec3::new(1_000.0 - 8_192.0, 300.0, -500.0 + 4_096.0));
    world.update();
    world.check();
    let mut after = world.drawn().to_vec();
    let mut before = drawn;
    before.sort_unstable();
    after.sort_unstable();
    assert_eq!(before, after);
    let mut chunks = world.app.world_mut().query::<(&TerrainChunk, &Transform)>();
    for (chunk, transform) in chunks.iter(world.app.world()) {
        let corner = chunk.key.square(1.0).min;
        assert_eq!(transform.translation.x, (corner[0] - origin.x) as f32);
        assert_eq!(transform.translation.z, (corner[1] - origin.z) as f32);
    }
}

#[test]
fn ten_thousand_kilometres_out_edges_meet() {
    let origin = TerrainOrigin { x: 1e7 + 0.5, z: -1e7 };
    let mut world = World::new((settings(4_000.0), origin));
    world.settle();
    world.check();
}

#[test]
fn ten_thousand_kilometres_out_nothing_jitters() {
    // A slowly moving camera whose origin follows it in every frame: each vertex must be within a tenth of a
    // millimetre of the 64-bit result.
    let mut world = World::new(settings(2_000.0));
    let mut worst = 0f64;
    for step in 0..40 {
        let origin = TerrainOrigin { x: 1e7 + 0.013 * f64::from(step), z: -1e7 };
        *world.app.world_mut().get_mut::<TerrainOrigin>(world.terrain).unwrap() = origin;
        world.place(Vec3::new(0.0, 300.0, 0.0));
        world.update();
        let frame = world.frame();
        for &key in world.drawn().iter().filter(|key| key.square(1.0).outside([origin.x, origin.z]) == [0.0; 2]) {
            let [x, height, z] = frame.vertex(key, 32, 32).unwrap();
            let exact = key.first_quad().map(|quad| quad as f64 + f64::from(32u32 << key.level));
            worst = worst.max((f64::from(x) - (exact[0] - origin.x)).abs());
            worst = worst.max((f64::from(z) - (exact[1] - origin.z)).abs());
            assert!(height.is_finite());
        }
    }
    assert!(worst < 1e-4, "vertices are off by up to {worst} m");
}

#[test]
fn viewers_come_and_go() {
    let mut world = World::new(settings(4_000.0));
    world.settle();
    let alone = world.drawn().len();
    let second = world.app.world_mut().spawn((TerrainViewer, Transform::from_xyz(2_500.0, 300.0, 2_500.0))).id();
    world.settle();
    world.check();
    assert!(world.drawn().len() > alone);
    world.app.world_mut().despawn(second);
    world.settle();
    assert_eq!(world.drawn().len(), alone);
    world.app.world_mut().despawn(world.viewer);
    world.update();
    assert!(world.drawn().is_empty(), "nobody looks, nothing is drawn");
}

#[test]
fn a_terrain_under_a_rotated_parent_finds_its_viewer() {
    let mut world = World::new(settings(4_000.0));
    let turn = Transform::from_xyz(300.0, -40.0, 80.0).with_rotation(Quat::from_rotation_y(1.1));
    let parent = world.app.world_mut().spawn(turn).id();
    let terrain = world.terrain;
    world.app.world_mut().entity_mut(terrain).insert(ChildOf(parent));
    world.place(turn.transform_point(Vec3::new(700.0, 250.0, -900.0)));
    world.settle();
    world.check();
    let viewer = world.app.world().get::<bevy_noise_terrain::TerrainViewers>(world.terrain).unwrap().as_slice()[0];
    assert!((viewer.position[0] - 700.0).abs() < 0.01 && (viewer.position[1] + 900.0).abs() < 0.01, "{viewer:?}");
}

#[test]
fn two_terrains_are_independent() {
    let mut world = World::new(settings(4_000.0));
    let other = NoiseTerrain { seed: 2, ..settings(4_000.0) };
    let other = world.app.world_mut().spawn((other, Transform::from_xyz(0.0, 5_000.0, 0.0))).id();
    world.settle();
    let frame = DrawnFrame::of(world.app.world().entity(other)).unwrap();
    assert_eq!(frame.defects(), []);
    let mut per_terrain: HashMap<Entity, usize> = HashMap::default();
    let mut chunks = world.app.world_mut().query_filtered::<&ChildOf, With<TerrainChunk>>();
    for parent in chunks.iter(world.app.world()) {
        *per_terrain.entry(parent.parent()).or_default() += 1;
    }
    assert_eq!(per_terrain.len(), 2);
}

#[test]
fn a_terrain_despawned_while_loading_leaves_nothing() {
    let mut world = World::new(settings(30_000.0));
    world.update();
    world.update();
    assert!(chunk_entities(&mut world) > 0);
    world.app.world_mut().despawn(world.terrain);
    for _ in 0..5 {
        world.app.update();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(chunk_entities(&mut world), 0);
}

#[test]
fn events_announce_every_loaded_chunk() {
    #[derive(Resource, Default)]
    struct Announced(HashMap<Entity, ChunkKey>);
    let mut world = World::new(settings(4_000.0));
    world.app.init_resource::<Announced>();
    world.app.world_mut().add_observer(
        |ready: On<ChunkReady>, chunks: Query<&TerrainChunk>, mut announced: ResMut<Announced>| {
            assert_eq!(chunks.get(ready.entity).unwrap().key, ready.key);
            assert!(announced.0.insert(ready.entity, ready.key).is_none());
        },
    );
    world.app.world_mut().add_observer(
        |gone: On<ChunkRemoved>, chunks: Query<&TerrainChunk>, mut announced: ResMut<Announced>| {
            assert!(chunks.contains(gone.entity), "the entity still exists");
            assert_eq!(announced.0.remove(&gone.entity), Some(gone.key));
        },
    );
    for step in 0..120 {
        world.place(Vec3::new(60.0 * step as f32, 300.0, 0.0));
        if step == 60 {
            world.settings().seed = 5;
        }
        world.update();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    world.settle();
    let announced = world.app.world().resource::<Announced>().0.len();
    assert_eq!(announced, chunk_entities(&mut world));
}

/// Sine waves, with a position at which the source panics.
struct Waves {
    fails_at: Option<f64>,
}

impl HeightSource for Waves {
    fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
        let end = grid.x(grid.size[0] - 1);
        // Only for the finest chunks that contain the position.
        assert!(!self.fails_at.is_some_and(|x| grid.spacing == 1.0 && (grid.x(1)..end).contains(&x)), "on purpose");
        for (index, height) in heights.iter_mut().enumerate() {
            *height = self.height([grid.x(index % grid.size[0]), grid.z(index / grid.size[0])], grid.footprint);
        }
    }

    fn height(&self, [x, z]: [f64; 2], _: f64) -> f32 {
        (20.0 * (x / 100.0).sin() + 20.0 * (z / 70.0).cos()) as f32
    }
}

#[test]
fn any_source_of_heights_works() {
    let mut world = World::new((settings(4_000.0), TerrainSource::new(Waves { fails_at: None })));
    world.settle();
    world.check();
    assert_eq!(world.state().source().unwrap().height([0.0, 0.0], 1.0), 20.0);
    world.app.world_mut().entity_mut(world.terrain).remove::<TerrainSource>();
    world.update();
    world.settle();
    assert_eq!(world.stats().generation, 2, "the noise is back");
}

#[test]
fn a_panic_in_a_source_only_loses_its_chunk() {
    #[derive(Resource, Default)]
    struct Failed(Vec<ChunkKey>);
    // The panics are intended; their messages would only confuse.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !info.to_string().contains("on purpose") {
            hook(info);
        }
    }));
    let mut world = World::new((settings(4_000.0), TerrainSource::new(Waves { fails_at: Some(200.5) })));
    world.app.init_resource::<Failed>();
    world.app.world_mut().add_observer(|failed: On<ChunkFailed>, mut list: ResMut<Failed>| list.0.push(failed.key));
    world.place(Vec3::new(0.0, 30.0, 0.0));
    for _ in 0..300 {
        world.update();
        world.check();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let failed = &world.app.world().resource::<Failed>().0;
    assert!(!failed.is_empty() && failed.iter().all(|key| key.level == 0 && key.x == 3), "{failed:?}");
    assert_eq!(world.stats().failed as usize, failed.len());
    assert!(world.stats().drawn[0] > 0, "the finest level is still drawn before it");
}

#[test]
fn a_paused_game_still_loads_terrain() {
    let mut world = World::new(settings(4_000.0));
    world.app.world_mut().resource_mut::<Time<Virtual>>().pause();
    world.settle();
}

#[test]
fn queries_answer_before_the_first_frame_and_agree_with_it() {
    #[derive(Resource)]
    struct Asked(Surface);
    let mut world = World::new(settings(4_000.0));
    world.app.add_systems(Startup, |terrain: TerrainQuery, mut commands: Commands| {
        commands.insert_resource(Asked(terrain.surface().unwrap()));
    });
    world.settle();
    let asked = world.app.world().resource::<Asked>().0.clone();
    let shown = world.state().source().unwrap();
    for x in [-3_000.0, 17.0, 1e9] {
        assert_eq!(asked.height(x, 5.0), f64::from(shown.height([x, 5.0], 1.0)));
    }
}

/// Everything that a system may want to change beside asking for the land.
type Changed<'a> =
    (&'a mut NoiseTerrain, &'a mut TerrainEdits, &'a mut TerrainHoles, &'a mut TerrainVolumes, &'a mut VolumeScatter);

#[derive(Resource, Default)]
struct Heights(Vec<f64>);

fn raise_what_is_there(terrain: TerrainQuery, mut land: Single<Changed>, mut heights: ResMut<Heights>) -> Result {
    let height = terrain.surface().ok_or("no land")?.height(3.0, 4.0);
    heights.0.push(height);
    land.1.apply(Edit::flatten(DVec3::new(3.0, height + 1.0, 4.0), 9.0))?;
    Ok(())
}

#[test]
fn one_system_may_ask_for_the_land_and_change_it() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin)).init_resource::<Heights>();
    let mut edits = TerrainEdits::default();
    edits.apply(Edit::flatten(DVec3::new(3.0, 55.0, 4.0), 9.0)).unwrap();
    let land =
        (NoiseTerrain::default(), edits, TerrainHoles::default(), TerrainVolumes::default(), VolumeScatter::default());
    app.add_systems(Startup, move |mut commands: Commands| {
        commands.spawn(land.clone());
    });
    // Before the first frame, and in every one.
    app.add_systems(PostStartup, raise_what_is_there).add_systems(Update, raise_what_is_there);
    for _ in 0..200 {
        app.update();
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let Heights(heights) = app.world().resource();
    assert_eq!(heights[..1], [55.0]);
    assert!(heights.last().unwrap() > &58.0, "{heights:?}");
}
