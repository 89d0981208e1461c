//! The crowd of the example `server` walks, and nobody gets below the ground.

use std::time::Duration;

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain_avian::TerrainColliderPlugin;

#[path = "../../../../examples/server/crowd.rs"]
mod crowd;

#[test]
fn a_crowd_wanders_above_the_ground() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()))
        .add_plugins((NoiseTerrainPlugin, TerrainColliderPlugin, crowd::wander))
        .insert_resource(crowd::Size(60))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)));
    app.world_mut().spawn(NoiseTerrain::default());
    app.finish();
    app.cleanup();
    let surface = NoiseTerrain::default().surface().unwrap();
    let mut crowd = app.world_mut().query_filtered::<&Position, With<crowd::Wanderer>>();
    let positions = |app: &App, crowd: &mut QueryState<&Position, With<crowd::Wanderer>>| -> Vec<Vec3> {
        crowd.iter_manual(app.world()).map(|position| position.0).collect()
    };
    app.update();
    crowd.update_archetypes(app.world());
    let start = positions(&app, &mut crowd);
    assert_eq!(start.len(), 60);
    for tick in 0..320 {
        app.update();
        crowd.update_archetypes(app.world());
        for at in positions(&app, &mut crowd) {
            let height = f64::from(at.y) - surface.height(f64::from(at.x), f64::from(at.z));
            assert!(height > 0.0, "{height} m at {at} in tick {tick}");
        }
    }
    let walked = start.iter().zip(positions(&app, &mut crowd)).filter(|(from, to)| from.distance(*to) > 5.0).count();
    assert!(walked > 40, "{walked} of 60 got anywhere");
}
