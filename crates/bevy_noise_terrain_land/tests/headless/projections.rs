//! The land is detailed where it is looked at: on maps, and in caves.

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::TerrainViewers;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::volumes::{TerrainVolume, TerrainVolumes, VolumeShape};

use crate::world::{World, settings};

/// An orthographic camera that sees as many metres from the upper to the lower edge.
#[cfg(feature = "render")]
fn map(height: f32) -> Projection {
    let area = Rect::from_center_size(Vec2::ZERO, Vec2::new(1.6 * height, height));
    Projection::Orthographic(OrthographicProjection { area, ..OrthographicProjection::default_3d() })
}

fn viewer(world: &World) -> ([f64; 2], f64) {
    let viewer = world.app.world().get::<TerrainViewers>(world.terrain).unwrap().as_slice()[0];
    (viewer.position, viewer.height)
}

#[cfg(feature = "render")]
#[test]
fn a_map_is_as_sharp_from_any_height() {
    let mut world = World::new(settings(6_000.0));
    let looks_at = Vec3::new(1_000.0, 0.0, -2_000.0);
    let land = world.settings().surface().unwrap();
    let ground = land.height(1_000.0, -2_000.0) as f32;
    for (way, visible) in [(500.0, 60.0), (9_000.0, 60.0), (9_000.0, 2_000.0)] {
        let back = Vec3::new(0.3, 1.0, 0.5).normalize() * way;
        let eye =
            Transform::from_translation(looks_at.with_y(ground) + back).looking_at(looks_at.with_y(ground), Vec3::Y);
        world.app.world_mut().entity_mut(world.viewer).insert((eye, map(visible)));
        world.settle();
        world.check();
        let (position, height) = viewer(&world);
        let away = f64::from(visible) / (2.0 * (std::f64::consts::PI / 8.0).tan());
        let off = (position[0] - 1_000.0).hypot(position[1] + 2_000.0);
        assert!(off < 1.0, "{off} m beside what it looks at, from {way} m");
        assert!((height - away).abs() < 0.02 * away, "{height} m up instead of {away}");
        let level = world.level_at([1_000.0, -2_000.0]);
        let with_lens =
            world.state().ranges().unwrap().as_slice().iter().position(|range| *range > 1.2 * away).unwrap();
        assert!(usize::from(level) <= with_lens, "level {level}, from {away} m it is {with_lens}");
        assert!(visible > 100.0 || level == 0, "level {level}");
    }
}

#[test]
fn a_cave_is_as_detailed_as_the_land_above() {
    let deep = |terrain: &NoiseTerrain, down: f64| {
        let ground = terrain.surface().unwrap().height(0.0, 0.0);
        let at = |up: f64| DVec3::new(0.0, ground + up, 0.0);
        let shapes = vec![VolumeShape::dig(at(8.0), at(-down), 6.0)];
        let mut volumes = TerrainVolumes::default();
        volumes.apply(TerrainVolume { depth: down + 20.0, shapes, ..default() }).unwrap();
        (volumes, ground)
    };
    let terrain = settings(6_000.0);
    let (volumes, ground) = deep(&terrain, 380.0);
    let mut world = World::new((terrain, volumes));
    for (x, up, height) in [
        (0.0, 2.0, 0.0),
        (0.0, -370.0, 0.0),
        // Beside the box, as far as to the box, and over it.
        (600.0, -300.0, 300.0),
        (90.0, -300.0, 58.0),
        (0.0, 320.0, 300.0),
    ] {
        let land = world.settings().surface().unwrap().height(x, 0.0);
        let y = if x > 0.0 { land } else { ground } + up;
        world.place(Vec3::new(x as f32, y as f32, 0.0));
        world.settle();
        world.check();
        let found = viewer(&world).1;
        assert!((found - height).abs() < 1.0, "{found} m instead of {height} at {x}, {up} m up");
        let finest = world.level_at([x, 0.0]);
        assert!(height > 10.0 || finest == 0, "level {finest} above the cave, at {up} m");
    }
}
