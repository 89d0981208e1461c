//! A flight without a window: pictures if there is any graphics driver, figures in any case.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bevy::camera::RenderTarget;
use bevy::math::DVec2;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::ScatterStats;
use examples_common::adapter::{DRIVER_HELP, device_type};
use examples_common::{camera, offscreen};
use image::RgbImage;
use wgpu::DeviceType;

use crate::cli::Options;
use crate::figures::Recorder;
use crate::flight::Flight;
use crate::start::{self, Start};

/// Frames a second of the flight where nothing slows it down.
const RATE: f32 = 30.0;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum HeadlessError {
    /// The folder or a file in it.
    #[error("cannot write {path}: {error}", path = path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A picture did not come.
    #[error("picture {0} was asked for and never came: the renderer has stopped")]
    NoPicture(u32),
    /// Figures that are no JSON.
    #[error("the figures could not be written down: {0}")]
    Figures(#[from] serde_json::Error),
}

/// Flies, writes, tells.
pub fn fly(options: &Options, start: Start) -> Result<(), HeadlessError> {
    let write_error = |path: &Path| {
        let path = path.to_owned();
        move |error| HeadlessError::Write { path, error }
    };
    fs::create_dir_all(&options.out).map_err(write_error(&options.out))?;
    let adapter = device_type();
    let mut app = match adapter {
        Some(kind) => with_pictures(options, &start, kind),
        None => without_pictures(),
    };
    app.add_plugins(NoiseTerrainPlugin).insert_resource(options.quality);
    start.spawn(&mut app);
    offscreen::finish(&mut app);

    let flight = Flight {
        speed: f64::from(options.speed),
        start: start.place,
        clearance: f64::from(start.height),
        sea: start.world.water.as_ref().map_or(f64::NEG_INFINITY, |sea| f64::from(sea.level)),
        heading: options.heading,
    };
    let mut flown =
        Flown { app, surface: start.surface, flight, origin: start.place, recorder: Recorder::default(), flown: 0.0 };
    let mut pictures = 0;
    if adapter.is_some() {
        for index in 0..options.pictures {
            flown.until(options.seconds * (index + 1) as f32 / options.pictures as f32);
            let path = options.out.join(format!("fly-{index:02}.png"));
            let image = flown.picture().ok_or(HeadlessError::NoPicture(index))?;
            image.save(&path).map_err(std::io::Error::other).map_err(write_error(&path))?;
            println!("{}", path.display());
            pictures += 1;
        }
    } else {
        flown.until(options.seconds);
        println!("{DRIVER_HELP}");
    }
    let name =
        flown.app.world().get_resource::<RenderAdapterInfo>().map_or_else(|| "none".into(), |info| info.name.clone());
    let figures = serde_json::to_string_pretty(&flown.recorder.figures(name, options.seconds, options.speed))?;
    println!("{figures}");
    let path = options.out.join("figures.json");
    fs::write(&path, figures).map_err(write_error(&path))?;
    println!("wrote {pictures} pictures and figures to {}", options.out.display());
    Ok(())
}

/// The picture being drawn.
#[derive(Resource)]
struct Canvas(Handle<Image>);

fn with_pictures(options: &Options, start: &Start, kind: DeviceType) -> App {
    let (width, height) = options.size.unwrap_or(if kind == DeviceType::Cpu { (640, 360) } else { (1920, 1080) });
    let samples = if kind == DeviceType::Cpu { Msaa::Off } else { Msaa::Sample4 };
    let (mut app, canvas) = offscreen::app(width, height);
    // It draws only when a picture is due.
    let asleep = Camera { is_active: false, ..default() };
    let target = RenderTarget::Image(canvas.clone().into());
    app.world_mut().spawn((TerrainSkyView::default(), camera::lens(), asleep, samples, target, TerrainViewer));
    app.insert_resource(Canvas(canvas)).add_systems(Startup, start::spawn_sun);
    app.insert_resource(start::sky(options, &start.world));
    app
}

fn without_pictures() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin));
    app.world_mut().spawn((Transform::default(), TerrainViewer));
    app
}

/// A flight under way.
struct Flown {
    app: App,
    surface: Surface,
    flight: Flight,
    origin: DVec2,
    recorder: Recorder,
    flown: f32,
}

impl Flown {
    /// Flies on until `seconds` after the start, as fast as a clock would.
    fn until(&mut self, seconds: f32) {
        let step = 1.0 / RATE;
        while self.flown + 0.5 * step < seconds {
            let began = Instant::now();
            self.flown += step;
            self.frame();
            std::thread::sleep(Duration::from_secs_f32(step).saturating_sub(began.elapsed()));
        }
    }

    /// One frame at the present place.
    fn frame(&mut self) {
        let pose = self.flight.pose(f64::from(self.flown), &self.surface, self.origin);
        let world = self.app.world_mut();
        let mut viewers = world.query_filtered::<&mut Transform, With<TerrainViewer>>();
        for mut transform in viewers.iter_mut(world) {
            *transform = pose;
        }
        offscreen::update(&mut self.app);
        let world = self.app.world_mut();
        let mut stats = world.query::<&TerrainStats>();
        if let Some(stats) = stats.iter(world).next() {
            self.recorder.note(stats);
        }
        let mut scattered = world.query::<&ScatterStats>();
        if let Some(stats) = scattered.iter(world).next() {
            self.recorder.note_scatter(stats);
        }
    }

    /// Draws what is seen now.
    fn picture(&mut self) -> Option<RgbImage> {
        self.set_active(true);
        // The first frames compile pipelines and fill shadow maps.
        for _ in 0..3 {
            self.frame();
        }
        let canvas = self.app.world().resource::<Canvas>().0.clone();
        let image = offscreen::picture(&mut self.app, &canvas, offscreen::update);
        self.set_active(false);
        image
    }

    fn set_active(&mut self, active: bool) {
        let world = self.app.world_mut();
        for mut camera in world.query::<&mut Camera>().iter_mut(world) {
            camera.is_active = active;
        }
    }
}
