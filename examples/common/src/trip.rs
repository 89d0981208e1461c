//! Trips without a window: pictures if there is any graphics driver, the same world in any case.

use std::time::Duration;

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::{TerrainStats, TerrainViewer};
use wgpu::DeviceType;

use crate::adapter::{DRIVER_HELP, device_type};
use crate::{camera, offscreen};

/// Why a trip ended early.
pub type Error = Box<dyn std::error::Error>;

/// Size of a picture; the processor draws it half as wide and high.
const SIZE: [u32; 2] = [960, 540];

/// Frames in which the land around the start has to be there.
const PATIENCE: u32 = 5_000;

/// An app with a camera that has these components, and the image that it draws into; without a graphics driver, an app
/// with neither. [`begin`] completes it.
pub fn app(camera: impl Bundle) -> (App, Option<Handle<Image>>) {
    let Some(device) = device_type() else {
        println!("{DRIVER_HELP}");
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin));
        return (app, None);
    };
    let [width, height] = SIZE.map(|side| if device == DeviceType::Cpu { side / 2 } else { side });
    let (mut app, image) = offscreen::app(width, height);
    let target = RenderTarget::Image(image.clone().into());
    // It draws only when a picture is taken.
    let asleep = Camera { is_active: false, ..default() };
    app.world_mut().spawn((camera, camera::lens(), asleep, Msaa::Off, target, TerrainViewer));
    (app, Some(image))
}

/// Completes the plugins, and waits while the clock stands still until nobody misses land.
///
/// # Errors
/// If it does not come.
pub fn begin(app: &mut App) -> Result<(), Error> {
    offscreen::finish(app);
    let step = stop_clock(app);
    for _ in 0..PATIENCE {
        app.update();
        let mut terrains = app.world_mut().query::<&TerrainStats>();
        if terrains.iter(app.world()).all(|stats| stats.missing == 0) {
            app.insert_resource(step);
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Err("the land does not come".into())
}

fn stop_clock(app: &mut App) -> TimeUpdateStrategy {
    let stopped = TimeUpdateStrategy::ManualDuration(Duration::ZERO);
    std::mem::replace(&mut *app.world_mut().resource_mut::<TimeUpdateStrategy>(), stopped)
}

/// Draws what the camera sees, while the world stands still.
///
/// # Errors
/// If the land does not become whole, or the renderer has stopped.
pub fn picture(app: &mut App, canvas: &Handle<Image>) -> Result<image::RgbImage, Error> {
    let wake = |app: &mut App, is_active: bool| {
        let mut cameras = app.world_mut().query::<&mut Camera>();
        cameras.iter_mut(app.world_mut()).for_each(|mut camera| camera.is_active = is_active);
    };
    let step = stop_clock(app);
    wake(app, true);
    crate::settle(app)?;
    let picture = offscreen::picture(app, canvas, offscreen::update);
    wake(app, false);
    app.insert_resource(step);
    picture.ok_or_else(|| "a picture never came: the renderer has stopped".into())
}
