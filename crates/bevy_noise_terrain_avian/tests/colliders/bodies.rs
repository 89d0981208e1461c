//! Bodies stand on the ground that is drawn, wherever they are put.

use std::time::Duration;

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::{RemovedScatter, ScatterMap, ScatterObject};
use bevy_noise_terrain_avian::{TerrainBody, TerrainColliders, TerrainTile, TerrainTiles};

use crate::app::{Lifted, anchor, app, ball, cast, land, position};

#[test]
fn a_ball_comes_to_rest_on_the_ground_whatever_the_order_of_plugins() {
    for physics_first in [false, true] {
        let mut app = app(NoiseTerrain::default(), physics_first);
        let ground = land().height(0.0, 0.0) as f32;
        let ball = app.world_mut().spawn((ball(Vec3::Y * (ground + 5.0)), TerrainBody::new(1.0))).id();
        for _ in 0..200 {
            app.update();
            let at = position(&app, ball);
            let height = f64::from(at.y) - land().height(f64::from(at.x), f64::from(at.z));
            // At 10 m/s it goes in by up to 15 cm in a tick, before the engine pushes it out.
            assert!(height > 0.3, "{height} m above the ground at {at}");
        }
        let at = position(&app, ball);
        let height = f64::from(at.y) - land().height(f64::from(at.x), f64::from(at.z));
        assert!((0.45..1.0).contains(&height), "it lies on the ground: {height}");
        assert_eq!(app.world().resource::<Lifted>().0, 0);
    }
}

#[test]
fn every_dynamic_body_stands_if_the_app_says_so() {
    let mut app = app(NoiseTerrain::default(), true);
    let ground = land().height(0.0, 0.0) as f32;
    // One is below the ground when the app says so, the other is not yet.
    let below = app.world_mut().spawn(ball(Vec3::Y * (ground + 1.0))).id();
    let above = app.world_mut().spawn(ball(Vec3::new(-300.0, land().height(-300.0, 0.0) as f32 + 60.0, 0.0))).id();
    for _ in 0..120 {
        app.update();
    }
    assert!(position(&app, below).y < ground - 5.0, "nobody asked for ground");
    app.world_mut().resource_mut::<TerrainColliders>().all_dynamic_bodies = true;
    let late = app.world_mut().spawn(ball(Vec3::new(300.0, land().height(300.0, 0.0) as f32 + 1.0, 0.0))).id();
    for _ in 0..240 {
        app.update();
    }
    for body in [below, above, late] {
        let at = position(&app, body);
        assert!(f64::from(at.y) > land().height(f64::from(at.x), f64::from(at.z)), "{at}");
    }
}

#[test]
fn ground_is_there_after_a_jump_and_at_a_far_origin() {
    let mut app = app((NoiseTerrain::default(), TerrainOrigin { x: 1e6, z: 5e5 }), true);
    let height = |at: Vec3| f64::from(at.y) - land().height(1e6 + f64::from(at.x), 5e5 + f64::from(at.z));
    let start = Vec3::Y * (land().height(1e6, 5e5) as f32 + 0.6);
    let ball = app.world_mut().spawn((ball(start), TerrainBody::new(1.0))).id();
    app.update();
    for jump in 1..20 {
        let x = jump as f32 * 1_000.0;
        let ground = land().height(1e6 + f64::from(x), 5e5) as f32;
        // Falling fast, just above the ground.
        app.world_mut().get_mut::<Transform>(ball).unwrap().translation = Vec3::new(x, ground + 0.6, 0.0);
        app.world_mut().get_mut::<LinearVelocity>(ball).unwrap().0 = Vec3::Y * -60.0;
        for _ in 0..3 {
            app.update();
            assert!(height(position(&app, ball)) > 0.0, "{} m after jump {jump}", height(position(&app, ball)));
        }
    }
}

#[test]
fn rays_hit_what_the_surface_says_on_scaled_land_too() {
    let place = Transform::from_xyz(3.0, 10.0, -7.0).with_scale(Vec3::splat(2.0));
    let mut app = app((NoiseTerrain::default(), place), true);
    let above = Vec3::new(40.0, 2_000.0, 90.0);
    app.world_mut().spawn(anchor(above, 10.0));
    app.update();
    app.update();
    let (_, way) = cast(&mut app, above - Vec3::Y * 5.0, Vec3::NEG_Y, 5e3).unwrap();
    let ground = 2.0 * land().height(f64::from(above.x - 3.0) / 2.0, f64::from(above.z + 7.0) / 2.0) + 10.0;
    assert!((f64::from(above.y - 5.0 - way) - ground).abs() < 2e-3, "{} {ground}", above.y - 5.0 - way);
}

#[test]
fn sleeping_bodies_cost_nothing_and_wake_when_the_land_changes() {
    // Flat, so that it can sleep.
    let flat = NoiseTerrain { noise: bevy_noise_terrain::terrain_noise::constant(3.0), ..default() };
    let mut app = app(flat, true);
    let cube = (RigidBody::Dynamic, Collider::cuboid(1.0, 1.0, 1.0), Transform::from_xyz(0.0, 3.6, 0.0));
    let cube = app.world_mut().spawn((cube, TerrainBody::new(1.0))).id();
    for _ in 0..200 {
        app.update();
    }
    assert!(app.world().get::<Sleeping>(cube).is_some(), "at rest at {}", position(&app, cube));
    let mut terrains = app.world_mut().query::<&mut NoiseTerrain>();
    terrains.single_mut(app.world_mut()).unwrap().noise = bevy_noise_terrain::terrain_noise::constant(-4.0);
    for _ in 0..400 {
        std::thread::sleep(Duration::from_millis(1));
        app.update();
    }
    let at = position(&app, cube);
    assert!((at.y - -3.5).abs() < 0.05, "it fell with the land: {at}");
}

#[test]
fn tiles_have_what_an_observer_gives_them() {
    let mut app = app(NoiseTerrain::default(), true);
    app.add_observer(|added: On<Add<TerrainTile>>, mut commands: Commands| {
        commands.entity(added.entity).insert(Friction::new(0.1));
    });
    app.world_mut().spawn((ball(Vec3::Y * 3_000.0), TerrainBody::new(1.0)));
    app.update();
    let mut tiles = app.world_mut().query::<(&TerrainTile, &Friction, &Collider)>();
    assert!(tiles.iter(app.world()).count() > 0);
}

#[test]
fn trees_and_rocks_stop_rays_until_they_are_removed() {
    let land = NoiseTerrain { noise: bevy_noise_terrain::terrain_noise::constant(3.0), ..default() };
    let kinds = vec![ScatterKind::grass(), ScatterKind::conifer(), ScatterKind::rock()];
    let scatter = TerrainScatter { kinds, ..default() };
    let map = ScatterMap::new(&scatter, &land.surface().unwrap()).unwrap();
    let mut app = app((land, scatter, TerrainTiles { objects: true, ..default() }), true);
    // High above: it only keeps the tiles there.
    app.world_mut().spawn(anchor(Vec3::Y * 500.0, 30.0));
    app.update();
    app.update();
    for shape in [ScatterShape::Conifer, ScatterShape::Rock] {
        let found: Vec<_> = map.objects([-25.0; 2], [25.0; 2], |kind| kind.shape == shape).take(8).collect();
        assert!(found.len() > 2);
        for object in found {
            // Level, a little above the ground, from a step away.
            let at = object.position.as_vec3() + Vec3::Y * 0.15 * object.size;
            let from = at + Vec3::X * 1.2 * if shape == ScatterShape::Rock { object.size } else { 1.0 };
            let (hit, way) = cast(&mut app, from, Vec3::NEG_X, 50.0).expect("a hit");
            let hit = app.world().get::<ScatterObject>(hit).expect("an object");
            // Another may stand nearer.
            assert!(hit.id == object.id || way < 1.2 * object.size, "{:?} instead of {:?}", hit.id, object.id);
            if hit.id == object.id && shape == ScatterShape::Conifer {
                let radius = 1.2 - way;
                assert!((radius - 0.018 * object.size).abs() < 0.01 * object.size, "a trunk of {radius} m");
            }
            let (hit, _) =
                cast(&mut app, object.position.as_vec3() + Vec3::Y * 40.0, Vec3::NEG_Y, 50.0).expect("a hit");
            assert!(app.world().get::<ScatterObject>(hit).is_some(), "from above");
            let mut terrain = app.world_mut().query::<&mut RemovedScatter>();
            terrain.single_mut(app.world_mut()).unwrap().remove(object.id);
            app.update();
            app.update();
            let (hit, _) =
                cast(&mut app, object.position.as_vec3() + Vec3::Y * 40.0, Vec3::NEG_Y, 50.0).expect("the ground");
            assert!(app.world().get::<ScatterObject>(hit).is_none_or(|hit| hit.id != object.id), "it is gone");
        }
    }
}

#[test]
fn crates_asleep_on_a_rock_fall_when_it_is_taken_away() {
    let land = NoiseTerrain { noise: bevy_noise_terrain::terrain_noise::constant(3.0), ..default() };
    let rock = ScatterKind { min_size: 3.0, max_size: 3.0, tilt: 0.0, density: 0.01, ..ScatterKind::rock() };
    let scatter = TerrainScatter { kinds: vec![rock], ..default() };
    let map = ScatterMap::new(&scatter, &land.surface().unwrap()).unwrap();
    let mut app = app((land, scatter, TerrainTiles { objects: true, ..default() }), true);
    let rocks: Vec<ScatterObject> = map.objects([-60.0; 2], [60.0; 2], |_| true).take(24).collect();
    let crates: Vec<Entity> = rocks
        .iter()
        .map(|rock| {
            let above = Transform::from_translation(rock.position.as_vec3() + Vec3::Y * 4.0);
            let cube = (RigidBody::Dynamic, Collider::cuboid(0.5, 0.5, 0.5), Friction::new(1.0), above);
            app.world_mut().spawn((cube, TerrainBody::new(1.0))).id()
        })
        .collect();
    for _ in 0..500 {
        app.update();
    }
    let sleeps = |app: &App, body| app.world().get::<Sleeping>(body).is_some();
    let high: Vec<_> =
        (0..rocks.len()).filter(|&at| sleeps(&app, crates[at]) && position(&app, crates[at]).y > 4.5).collect();
    assert!(high.len() > 3, "asleep on {} of {} rocks", high.len(), rocks.len());
    let mut removed = app.world_mut().query::<&mut RemovedScatter>();
    removed.single_mut(app.world_mut()).unwrap().extend(high.iter().map(|&at| rocks[at].id));
    for _ in 0..200 {
        app.update();
    }
    for at in high {
        let height = position(&app, crates[at]).y - 3.0;
        assert!((0.2..0.8).contains(&height), "{height} m above the ground, without the rock below it");
    }
}
