//! What is no place for a frame, an origin or a transform, spoils nothing.

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::{SettingsRejected, TerrainViewers};

use crate::world::{World, settings};

#[derive(Resource, Default)]
struct Refused(Vec<(Option<Entity>, String)>);

fn world() -> World {
    let mut world = World::with((settings(3_000.0), TerrainOrigin { x: 5e6, z: -3e6 }), |app| {
        app.init_resource::<Refused>().add_observer(|refused: On<SettingsRejected>, mut list: ResMut<Refused>| {
            list.0.push((refused.entity, refused.error.to_string()));
        });
    });
    world.settle();
    world
}

fn viewers(world: &World) -> Vec<[f64; 2]> {
    let viewers: &TerrainViewers = world.app.world().get(world.terrain).unwrap();
    viewers.as_slice().iter().map(|viewer| viewer.position).collect()
}

#[test]
fn origins_that_are_no_places_are_refused_by_name() {
    let mut world = world();
    let (loaded, built, drawn) = (world.stats().loaded, world.stats().built, world.drawn().to_vec());
    let sound = TerrainOrigin { x: 5e6, z: -3e6 };
    for (bad, words) in [
        (TerrainOrigin { x: f64::NAN, ..sound }, "origin.x: found NaN, allowed is -1e12 to 1e12 m"),
        (TerrainOrigin { z: f64::NEG_INFINITY, ..sound }, "origin.z: found -inf, allowed is -1e12 to 1e12 m"),
        (TerrainOrigin { x: 1e13, ..sound }, "origin.x: found 10000000000000, allowed is -1e12 to 1e12 m"),
    ] {
        // The same origin in several frames is reported once.
        for _ in 0..3 {
            world.app.world_mut().entity_mut(world.terrain).insert(bad);
            world.update();
            assert_eq!(world.app.world().get(world.terrain), Some(&sound));
            assert_eq!(viewers(&world), [[5e6, -3e6]]);
        }
        let refused = std::mem::take(&mut world.app.world_mut().resource_mut::<Refused>().0);
        assert_eq!(refused, [(Some(world.terrain), words.to_owned())]);
        world.update();
    }
    world.settle();
    world.check();
    assert_eq!((world.stats().loaded, world.stats().built, world.drawn()), (loaded, built, &drawn[..]));
    // Others are taken as ever.
    world.app.world_mut().entity_mut(world.terrain).insert(TerrainOrigin { x: 5e6 + 64.0, ..sound });
    world.update();
    assert_eq!(viewers(&world), [[5e6 + 64.0, -3e6]]);
}

#[test]
fn transforms_that_are_no_places_move_no_viewer() {
    let mut world = world();
    let (loaded, built, drawn) = (world.stats().loaded, world.stats().built, world.drawn().to_vec());
    let before = viewers(&world);
    let bad = [Vec3::NAN, Vec3::X * f32::INFINITY, Vec3::splat(1e30)].map(Transform::from_translation);
    for transform in bad {
        for entity in [world.viewer, world.terrain] {
            let sound = *world.app.world().get::<Transform>(entity).unwrap();
            for _ in 0..3 {
                *world.app.world_mut().get_mut(entity).unwrap() = transform;
                world.update();
                assert_eq!(viewers(&world), before, "{transform:?}");
            }
            *world.app.world_mut().get_mut(entity).unwrap() = sound;
            world.update();
        }
    }
    *world.app.world_mut().get_mut(world.terrain).unwrap() = Transform::from_scale(Vec3::ZERO);
    world.update();
    assert_eq!(viewers(&world), before);
    *world.app.world_mut().get_mut(world.terrain).unwrap() = Transform::IDENTITY;
    world.settle();
    world.check();
    assert_eq!((world.stats().loaded, world.stats().built, world.drawn()), (loaded, built, &drawn[..]));
    // Nor does one that comes with such a transform.
    let other = world.app.world_mut().spawn((TerrainViewer, bad[0])).id();
    world.update();
    assert_eq!(viewers(&world), before);
    *world.app.world_mut().get_mut(other).unwrap() = Transform::from_xyz(100.0, 500.0, 0.0);
    world.update();
    assert_eq!(viewers(&world).len(), 2);
}
