//! A few changes without a window: a picture before and after, if there is any graphics driver.

use std::fs;

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::edits::{Edit, StampImage, TerrainEdits};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::prelude::*;
use bevy_noise_terrain::{LandChanged, SettingsError, Surface, TerrainSave};
use examples_common::offscreen;
use examples_common::trip::{self, Error};

use crate::Options;

/// How often the land has changed on screen.
#[derive(Resource, Default)]
struct Changes(usize);

/// Changes, writes, tells.
pub fn sculpt(options: &Options) -> Result<(), Error> {
    fs::create_dir_all(&options.out)?;
    let (mut app, canvas) = trip::app((Camera3d::default(), TerrainSkyView::default()));
    app.world_mut().spawn(TerrainSun::default());
    let land = NoiseTerrain::default();
    let surface = land.surface()?;
    let eye = DVec3::new(-60.0, 45.0, 110.0);
    let height = surface.height(eye.x, eye.z);
    let middle = Vec3::new(0.0, surface.height(0.0, 0.0) as f32, 0.0);
    let eye = Transform::from_translation((eye + height * DVec3::Y).as_vec3()).looking_at(middle, Vec3::Y);
    let mut cameras = app.world_mut().query_filtered::<&mut Transform, With<Camera3d>>();
    cameras.iter_mut(app.world_mut()).for_each(|mut camera| *camera = eye);
    app.add_plugins(NoiseTerrainPlugin)
        .init_resource::<Changes>()
        .add_observer(|_: On<LandChanged>, mut changes: ResMut<Changes>| changes.0 += 1);
    // Without a camera, somebody has to see the land.
    app.world_mut().spawn((TerrainViewer, eye));
    let terrain = app.world_mut().spawn((land, TerrainEdits::default(), TerrainScatter::temperate())).id();
    trip::begin(&mut app)?;
    let shoot = |app: &mut App, name: &str| -> Result<(), Error> {
        if let Some(canvas) = &canvas {
            // Plants come a little later than the land.
            (0..200).for_each(|_| offscreen::update(app));
            let path = options.out.join(name);
            trip::picture(app, canvas)?.save(&path)?;
            println!("{}", path.display());
        }
        Ok(())
    };
    shoot(&mut app, "sculpt-before.png")?;
    let changes = app.world().resource::<Changes>().0;
    if let Some(mut edits) = app.world_mut().get_mut::<TerrainEdits>(terrain) {
        for edit in edits_of(&surface)? {
            edits.apply(edit)?;
        }
    }
    while app.world().resource::<Changes>().0 == changes {
        app.update();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    shoot(&mut app, "sculpt-after.png")?;
    let save = TerrainSave::of(app.world(), terrain).ok_or("the terrain is gone")?;
    let path = options.out.join("sculpt.save.ron");
    save.write(&path)?;
    let is_equal = TerrainSave::read(&path)? == save;
    println!(
        "{}: {} changes, {} bytes, read back equal: {is_equal}",
        path.display(),
        save.edits.len(),
        fs::metadata(&path)?.len()
    );
    Ok(())
}

/// Layers of the default ground.
const SAND: u8 = 2;
const SCREE: u8 = 4;

/// A pad with a road to it, a crater with its rim, a rough field, and the walls of a fort.
fn edits_of(surface: &Surface) -> Result<Vec<Edit>, SettingsError> {
    let on_ground = |x: f64, z: f64| DVec3::new(x, surface.height(x, z), z);
    let pad = on_ground(45.0, 20.0);
    let road = [on_ground(-75.0, 75.0), on_ground(-40.0, 25.0), on_ground(5.0, 40.0), pad];
    let crater = on_ground(70.0, -30.0);
    let rough = perlin().ridged().octaves(4).feature_size(14.0).scale(3.0);
    let fort = on_ground(105.0, 5.0);
    Ok(vec![
        Edit::flatten(pad, 14.0).falloff(10.0).clear_plants(true).painted(SAND),
        Edit::path(road, 5.0).shoulder(1.5).falloff(8.0).painted(SCREE),
        Edit::raise(crater, 12.0, 3.0).falloff(8.0),
        Edit::raise(crater, 5.0, -9.0).falloff(9.0),
        Edit::add(on_ground(0.0, 75.0), 9.0, rough, 3).falloff(10.0),
        Edit::flatten(fort, 22.0).falloff(10.0).clear_plants(true),
        Edit::stamp(fort, 24.0, walls()?, 4.0).turned(0.4),
    ])
}

/// Four walls around a court, with a gate.
fn walls() -> Result<StampImage, SettingsError> {
    const SIDE: u16 = 96;
    let value = |pixel: u16| {
        let [x, z] = [pixel % SIDE, pixel / SIDE].map(|at| 2.0 * f32::from(at) / f32::from(SIDE - 1) - 1.0);
        let is_gate = z > 0.0 && x.abs() < 0.12;
        let wall = (1.0 - ((x.abs().max(z.abs()) - 0.6).abs() / 0.08)).clamp(0.0, 0.5);
        if is_gate { 0 } else { (2.0 * wall * 65_535.0) as u16 }
    };
    StampImage::new([SIDE.into(); 2], &(0..SIDE * SIDE).map(value).collect::<Vec<_>>())
}
