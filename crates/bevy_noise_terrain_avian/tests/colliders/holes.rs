//! Where the land has holes, bodies and rays go through them, exactly as far as they reach.

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::edits::{Hole, TerrainHoles};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::volumes::{TerrainVolume, TerrainVolumes, VolumeShape};

use crate::app::{Lifted, TerrainBody, anchor, app, ball, cast, land, position};

/// Height of what a ray hits that falls from a position.
fn ray_down(app: &mut App, from: Vec3) -> Option<f32> {
    cast(app, from, Vec3::NEG_Y, 2_000.0).map(|(_, distance)| from.y - distance)
}

/// Land with a hole where a body falls, and one around a whole tile.
fn land_with_holes() -> (NoiseTerrain, TerrainHoles) {
    let mut holes = TerrainHoles::default();
    holes.apply(Hole::disc(DVec3::new(10.0, 0.0, 12.0), 3.0)).unwrap();
    holes.apply(Hole::rectangle(DVec3::new(-300.0, 0.0, 0.0), [400.0, 200.0], 0.3)).unwrap();
    (NoiseTerrain::default(), holes)
}

#[test]
fn bodies_fall_through_holes_and_stand_beside_them() {
    let mut app = app(land_with_holes(), true);
    let over = |x: f64, z: f64| Vec3::new(x as f32, land().height(x, z) as f32 + 2.0, z as f32);
    let mut drop = |x: f64, z: f64| app.world_mut().spawn((ball(over(x, z)), TerrainBody::new(1.0))).id();
    let bodies = [drop(10.0, 12.0), drop(-300.0, 0.0), drop(30.0, 12.0)];
    for _ in 0..100 {
        app.update();
    }
    let below = |body: Entity| {
        let at = position(&app, body);
        land().height(f64::from(at.x), f64::from(at.z)) - f64::from(at.y)
    };
    let [through, through_all, beside] = bodies.map(below);
    assert!(through > 5.0 && through_all > 5.0, "they have fallen {through} m and {through_all} m");
    assert!((-1.0..-0.4).contains(&beside), "it lies on the ground: {beside}");
    assert_eq!(app.world().resource::<Lifted>().0, 0, "who comes below through a hole may be there");
    // Where the hole is filled, what is in it comes up.
    let terrain = app.world_mut().query_filtered::<Entity, With<TerrainHoles>>().single(app.world()).unwrap();
    app.world_mut().get_mut::<TerrainHoles>(terrain).unwrap().clear();
    for _ in 0..60 {
        app.update();
    }
    for body in [bodies[0], bodies[1]] {
        let at = position(&app, body);
        let height = f64::from(at.y) - land().height(f64::from(at.x), f64::from(at.z));
        assert!(height > 0.3, "{height} m above the ground at {at}");
    }
    assert_eq!(app.world().resource::<Lifted>().0, 2);
}

#[test]
fn a_body_at_rest_falls_when_the_ground_is_taken_away() {
    // Flat, so that it can sleep.
    let flat = NoiseTerrain { noise: bevy_noise_terrain::terrain_noise::constant(3.0), ..default() };
    let mut app = app((flat, TerrainHoles::default()), false);
    let body = app.world_mut().spawn((ball(Vec3::Y * 3.6), TerrainBody::new(1.0))).id();
    for _ in 0..600 {
        app.update();
    }
    let rest = position(&app, body);
    let terrain = app.world_mut().query_filtered::<Entity, With<TerrainHoles>>().single(app.world()).unwrap();
    app.world_mut().get_mut::<TerrainHoles>(terrain).unwrap().apply(Hole::disc(rest.as_dvec3(), 2.0)).unwrap();
    for _ in 0..60 {
        app.update();
    }
    assert!(position(&app, body).y < rest.y - 2.0, "{} from {rest}", position(&app, body));
}

#[test]
fn the_rim_of_the_ground_is_that_of_the_hole() {
    let mut app = app(land_with_holes(), true);
    app.world_mut().spawn(anchor(Vec3::new(10.0, 900.0, 12.0), 20.0));
    app.update();
    app.update();
    let mut hits = 0;
    for step in 0..4_000 {
        let angle = f64::from(step) * 0.618;
        // To a few millimetres on either side of the rim.
        let radius = 3.0 + if step % 2 == 0 { 0.003 } else { -0.003 };
        let [x, z] = [10.0 + radius * angle.cos(), 12.0 + radius * angle.sin()];
        // From farther away, parry misses more of what lies at the edges of triangles.
        let from = Vec3::new(x as f32, land().height(x, z) as f32 + 20.0, z as f32);
        let height = ray_down(&mut app, from);
        if step % 2 == 0 {
            let height = height.unwrap_or_else(|| panic!("no ground at {x} {z}"));
            assert!((f64::from(height) - land().height(x, z)).abs() < 0.01, "{height} at {x} {z}");
            hits += 1;
        } else {
            assert_eq!(height, None, "at {x} {z}");
        }
    }
    assert_eq!(hits, 2_000);
}

#[test]
fn bodies_stand_on_the_floor_of_a_cave() {
    let ground = land().height(0.0, 0.0);
    let at = |up: f64| DVec3::new(0.0, ground + up, 0.0);
    let mut volumes = TerrainVolumes::default();
    let shapes = vec![VolumeShape::dig(at(8.0), at(-12.0), 4.0)];
    volumes.apply(TerrainVolume { shapes, ..default() }).unwrap();
    let mut app = app((NoiseTerrain::default(), volumes.clone()), true);
    let surface = land().with_volumes(&volumes);
    let floor = surface.raycast(at(5.0), DVec3::NEG_Y, 100.0).unwrap().position.y as f32;
    assert!((floor - (ground as f32 - 16.0)).abs() < 0.1, "{floor}");
    let drop =
        |app: &mut App, x: f32, y: f32| app.world_mut().spawn((ball(Vec3::new(x, y, 0.0)), TerrainBody::new(1.0))).id();
    let deep = drop(&mut app, 0.0, ground as f32 + 2.0);
    let beside = land().height(25.0, 0.0) as f32;
    let high = drop(&mut app, 25.0, beside + 2.0);
    (0..60).for_each(|_| app.update());
    let found = ray_down(&mut app, Vec3::new(0.5, ground as f32 + 5.0, 0.5)).unwrap();
    let met = surface.raycast(DVec3::new(0.5, ground + 5.0, 0.5), DVec3::NEG_Y, 100.0).unwrap().position.y as f32;
    assert!((found - met).abs() < 0.15, "{found} {met}");
    (0..180).for_each(|_| app.update());
    let [deep, high] = [deep, high].map(|body| position(&app, body));
    assert!((deep.y - floor - 0.5).abs() < 0.2, "{deep}, the floor is at {floor}");
    assert!(high.y > land().height(high.x.into(), high.z.into()) as f32, "{high}");
    assert_eq!(app.world().resource::<Lifted>().0, 0);
}
