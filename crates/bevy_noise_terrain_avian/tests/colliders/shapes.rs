//! Bodies of any shape that get below the ground come back onto it, and no higher.

use std::f32::consts::FRAC_PI_2;

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::{Compose, constant, perlin};

use crate::app::{Lifted, anchor, app, compound, cuboid, cylinder, dynamic, mesh, position, velocity};

/// Flat land at a height of 3 m.
fn flat() -> NoiseTerrain {
    NoiseTerrain { noise: constant(3.0), ..default() }
}

/// The greatest and the last height of a body over some ticks.
fn heights(app: &mut App, body: Entity, ticks: u32) -> [f32; 2] {
    let mut highest = f32::MIN;
    for _ in 0..ticks {
        app.update();
        highest = highest.max(position(app, body).y);
    }
    [highest, position(app, body).y]
}

#[test]
fn what_lies_a_little_too_low_rises_by_its_own_thickness() {
    let turned = Quat::from_rotation_z(FRAC_PI_2);
    let rail = || cuboid(Vec3::new(0.3, 12.0, 0.3));
    // Two rails beside each other, and a plate as a mesh.
    let ladder = compound(vec![(Vec3::Z * 0.5, rail()), (Vec3::Z * -0.5, rail())]);
    let corners = [[-3.0, -3.0], [3.0, -3.0], [3.0, 3.0], [-3.0, 3.0]];
    let points = [-0.1, 0.1].iter().flat_map(|&y| corners.map(|[x, z]| Vec3::new(x, y, z))).collect();
    let sides = [[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6], [0, 4, 1], [1, 4, 5], [1, 5, 2], [2, 5, 6]];
    let ends = [[2, 6, 3], [3, 6, 7], [3, 7, 0], [0, 7, 4]];
    let slab = mesh(points, [&sides[..], &ends].concat());
    let cases = [
        ("log", cylinder(0.15, 20.0), turned, 0.15),
        ("ladder", ladder, turned, 0.15),
        ("plate", cuboid(Vec3::new(4.0, 0.02, 4.0)), Quat::IDENTITY, 0.01),
        ("slab", slab, Quat::from_rotation_y(0.3), 0.1),
    ];
    for (name, collider, rotation, thickness) in cases {
        let mut app = app(flat(), true);
        let place = Transform::from_xyz(0.0, 2.95, 0.0).with_rotation(rotation);
        let body = app.world_mut().spawn(dynamic(collider, place)).id();
        let [highest, last] = heights(&mut app, body, 200);
        assert!(highest < 3.0 + thickness + 0.1, "{name}: {highest} m");
        assert!((last - 3.0 - thickness).abs() < 0.05, "{name}: at {last} m, half as thick as {thickness} m");
        // A mesh is a skin: engines let it through again and again.
        let lifted = app.world().resource::<Lifted>().0;
        assert!(lifted < 3 || name == "slab", "{name}: lifted {lifted} times");
    }
}

#[test]
fn a_thin_plate_that_falls_through_is_lifted_once() {
    for fall in [1.3, 4.0, 12.0] {
        let mut app = app(flat(), true);
        let plate = cuboid(Vec3::new(2.0, 0.02, 2.0));
        let bundle = (dynamic(plate, Transform::from_xyz(20.0, 3.2, 20.0)), velocity(Vec3::NEG_Y * fall));
        let body = app.world_mut().spawn(bundle).id();
        let [highest, last] = heights(&mut app, body, 300);
        assert!(highest < 3.3 && (2.95..3.1).contains(&last), "at {fall} m/s: up to {highest} m, then at {last} m");
        assert!(app.world().resource::<Lifted>().0 < 3, "lifted {} times", app.world().resource::<Lifted>().0);
    }
}

#[test]
fn upright_bodies_and_steep_land_are_taken_into_account() {
    // A log that stands upright with its middle below the ground.
    let mut on_flat = app(flat(), true);
    let log = dynamic(cylinder(0.15, 6.0), Transform::from_xyz(0.0, 2.9, 0.0));
    let log = on_flat.world_mut().spawn(log).id();
    let [highest, _] = heights(&mut on_flat, log, 30);
    assert!((5.8..6.3).contains(&highest), "a log of 6 m rose to {highest} m");
    // One that lies along a slope.
    let slope = perlin().feature_size(400.0).scale(400.0);
    let terrain = NoiseTerrain { noise: slope, ..default() };
    let land = terrain.surface().unwrap();
    let steepest = |a: &i32, b: &i32| {
        let steepness = |x: i32| (land.height(f64::from(x) + 1.0, 0.0) - land.height(f64::from(x), 0.0)).abs();
        steepness(*a).total_cmp(&steepness(*b))
    };
    let x = f64::from((-300..300).max_by(steepest).unwrap()) + 0.5;
    let rise = land.height(x + 0.5, 0.0) - land.height(x - 0.5, 0.0);
    assert!(rise.abs() > 0.6, "{rise}");
    let ground = land.height(x, 0.0) as f32;
    let mut app = app(terrain, true);
    let along = Quat::from_rotation_z(rise.atan() as f32 - FRAC_PI_2);
    let place = Transform::from_xyz(x as f32, ground - 0.05, 0.0).with_rotation(along);
    let log = app.world_mut().spawn(dynamic(cylinder(0.15, 10.0), place)).id();
    let [highest, _] = heights(&mut app, log, 5);
    assert!(highest < ground + 0.4, "it rose by {} m", highest - ground);
}

#[test]
fn kinematic_and_heavy_bodies_rise_alike() {
    let mut app = app(flat(), true);
    let kinematic = app.world_mut().spawn(anchor(Vec3::new(30.0, 2.9, 0.0), 1.0)).id();
    let boulder = dynamic(cuboid(Vec3::splat(8.0)), Transform::from_xyz(0.0, 2.9, 0.0));
    let boulder = app.world_mut().spawn(boulder).id();
    (0..100).for_each(|_| app.update());
    let [low, high] = [kinematic, boulder].map(|body| position(&app, body).y);
    assert!((low - 3.1).abs() < 1e-3, "a ball of 10 cm at {low} m");
    assert!((high - 7.0).abs() < 0.05, "a cube of 8 m at {high} m");
}
