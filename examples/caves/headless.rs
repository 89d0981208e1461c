//! The cave in three pictures, without a window.

use std::fs;
use std::time::Duration;

use bevy::prelude::*;
use bevy_noise_terrain::TerrainState;
use bevy_noise_terrain::prelude::*;
use examples_common::trip::{self, Error};

use crate::Options;

/// Draws the mouth, the hall and the way out; tells how high the hall is.
pub fn visit(options: &Options) -> Result<(), Error> {
    fs::create_dir_all(&options.out)?;
    let eyes = crate::outlooks().map_err(|error| error.to_string())?;
    let (mut app, canvas) = trip::app((Camera3d::default(), TerrainSkyView::default()));
    app.add_plugins(NoiseTerrainPlugin).add_systems(Startup, crate::spawn_land);
    app.world_mut().spawn((TerrainViewer, eyes[0]));
    trip::begin(&mut app)?;
    for (number, eye) in eyes.into_iter().enumerate() {
        let mut cameras = app.world_mut().query_filtered::<&mut Transform, Or<(With<Camera3d>, With<TerrainViewer>)>>();
        cameras.iter_mut(app.world_mut()).for_each(|mut camera| *camera = eye);
        // The volume is built in the background.
        for _ in 0..20 {
            app.update();
            std::thread::sleep(Duration::from_millis(60));
        }
        if let Some(canvas) = &canvas {
            let path = options.out.join(format!("caves-{number}.png"));
            trip::picture(&mut app, canvas)?.save(&path)?;
            println!("{}", path.display());
        }
    }
    let state = app.world_mut().query::<&TerrainState>().single(app.world()).map_err(|error| error.to_string())?;
    let surface = state.surface().ok_or("no land is there")?;
    let eye = eyes[1].translation.as_dvec3();
    let [below, above] = [-1.0, 1.0].map(|way| surface.raycast(eye, way * bevy::math::DVec3::Y, 100.0));
    if let (Some(below), Some(above)) = (below, above) {
        println!("the hall is {:.1} m high", below.distance + above.distance);
    }
    Ok(())
}
