//! The person of the example `walk` stays on the ground, and each footstep tells what is underfoot.

use std::collections::BTreeMap;
use std::time::Duration;

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::prelude::*;
use bevy_noise_terrain_avian::TerrainColliderPlugin;

#[path = "../../../../examples/walk/footsteps.rs"]
#[expect(dead_code, reason = "the example uses all of it")]
mod footsteps;
#[path = "../../../../examples/walk/person.rs"]
mod person;

#[derive(Resource, Default)]
struct Steps(BTreeMap<String, usize>);

#[test]
fn a_person_walks_on_the_ground_and_hears_it() {
    let hills = perlin().fbm().octaves(4).feature_size(400.0).scale(40.0).add(10.0);
    let land = NoiseTerrain { noise: hills, ..default() };
    let surface = land.surface().unwrap();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()))
        .add_plugins((NoiseTerrainPlugin, TerrainColliderPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)))
        .init_resource::<Steps>()
        .add_systems(PostStartup, person::spawn)
        .add_systems(FixedUpdate, (person::walk, footsteps::step).chain())
        .add_observer(|step: On<footsteps::Footstep>, mut steps: ResMut<Steps>| {
            assert!((0.0..=1.0).contains(&step.share) && step.share > 0.1);
            *steps.0.entry(step.layer.clone()).or_default() += 1;
        });
    app.world_mut().spawn((land, TerrainWater::default()));
    app.finish();
    app.cleanup();
    let mut people = app.world_mut().query::<(&mut person::Person, &Transform)>();
    let mut start = None;
    for tick in 0..1_500 {
        app.update();
        let (mut person, transform) = people.single_mut(app.world_mut()).unwrap();
        if !person.is_released {
            assert!(tick < 1_000, "the land does not come");
            std::thread::sleep(Duration::from_millis(1));
            continue;
        }
        let at = transform.translation;
        start.get_or_insert(at);
        (person.wish, person.runs) = (Vec2::new(0.8, 0.6), true);
        let feet = f64::from(at.y - person::MIDDLE) - surface.height(f64::from(at.x), f64::from(at.z));
        assert!(feet > -0.02, "{feet} m at {at} in tick {tick}");
        assert!(!person.is_grounded || feet < 0.25, "{feet} m above the ground that it stands on");
        if start.unwrap().distance(at) > 30.0 {
            break;
        }
    }
    let at = people.single(app.world()).unwrap().1.translation;
    assert!(start.unwrap().distance(at) > 30.0, "it got only from {start:?} to {at}");
    let steps = &app.world().resource::<Steps>().0;
    let names: Vec<String> = TerrainGround::default().layers.into_iter().map(|layer| layer.name).collect();
    assert!(steps.values().sum::<usize>() >= 20, "{steps:?}");
    assert!(steps.keys().all(|layer| names.contains(layer)), "{steps:?}");
}
