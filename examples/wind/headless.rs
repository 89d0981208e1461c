//! A gust that passes, without a window.

use std::fs;
use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::prelude::*;
use examples_common::trip::{self, Error};

use crate::Options;
use crate::pennant::Pennant;

/// Seconds between the two pictures.
const PAUSE: f32 = 4.0;

/// Draws, waits, draws again; tells the wind at every pennant.
pub fn blow(options: &Options) -> Result<(), Error> {
    fs::create_dir_all(&options.out)?;
    let eye = crate::outlook().map_err(|error| error.to_string())?;
    let (mut app, canvas) = trip::app((Camera3d::default(), TerrainSkyView::default()));
    let mut cameras = app.world_mut().query_filtered::<&mut Transform, With<Camera3d>>();
    cameras.iter_mut(app.world_mut()).for_each(|mut camera| *camera = eye);
    crate::build(&mut app);
    app.world_mut().spawn((TerrainViewer, eye));
    trip::begin(&mut app)?;
    for number in 0..2 {
        // Plants come a little later than the land.
        (0..200).for_each(|_| app.update());
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(number as f32 * PAUSE)));
        app.update();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        if let Some(canvas) = &canvas {
            let path = options.out.join(format!("wind-{number}.png"));
            trip::picture(&mut app, canvas)?.save(&path)?;
            println!("{}", path.display());
        }
        let mut pennants = app.world_mut().query::<&Pennant>();
        let wind = app.world().resource::<Wind>();
        let speeds: Vec<f32> =
            pennants.iter(app.world()).map(|pennant| wind.at(pennant.place[0], pennant.place[1]).length()).collect();
        let (least, most) = speeds.iter().fold((f32::MAX, 0.0_f32), |(least, most), &v| (least.min(v), most.max(v)));
        println!("{} pennants in {least:.1} to {most:.1} m/s, {:.1} on average", speeds.len(), wind.mean().length());
    }
    Ok(())
}
