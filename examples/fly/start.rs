//! Where the flight begins: the world, the place, and which way one looks.

use std::path::PathBuf;

use bevy::math::DVec2;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::{PresetError, Surface};
use examples_common::ASSETS;

use crate::cli::Options;

/// A world that cannot be flown over.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct StartError {
    path: PathBuf,
    error: PresetError,
}

/// Where the flight begins.
pub struct Start {
    /// The world, with what the command line changes of it.
    pub world: TerrainPreset,
    /// Its land.
    pub surface: Surface,
    /// The file to follow; `None` if the world is no longer what the file says.
    pub file: Option<PathBuf>,
    /// In absolute metres.
    pub place: DVec2,
    /// Metres above the ground, or above the sea where that is higher.
    pub height: f32,
    /// Degrees clockwise from north (−z), if one looks elsewhere than ahead.
    pub heading: Option<f32>,
    /// Degrees up from level.
    pitch: f32,
}

impl Start {
    /// What the command line asks for. If it asks for no world and no place, a view that is worth the flight.
    ///
    /// # Errors
    /// The preset cannot be read: the file, and why.
    pub fn new(options: &Options) -> Result<Self, StartError> {
        let path = match options.preset.as_deref().unwrap_or("alps") {
            name if name.ends_with(".terrain.ron") => std::path::absolute(name).unwrap_or_else(|_| name.into()),
            name => PathBuf::from(ASSETS).join(format!("presets/{name}.terrain.ron")),
        };
        let text = std::fs::read_to_string(&path).map_err(PresetError::from);
        let read = text.and_then(|text| TerrainPreset::from_ron(&text)).and_then(|mut world| {
            let before = world.clone();
            world.terrain.seed = options.seed.unwrap_or(world.terrain.seed);
            if let Some(level) = options.sea {
                world.water = Some(TerrainWater { level, ..world.water.unwrap_or_default() });
            }
            if options.no_scatter {
                world.scatter = None;
            }
            world.ground.show_levels |= options.levels;
            let surface = world.terrain.surface()?;
            let follows = world == before;
            Ok((world, surface, follows))
        });
        let (world, surface, follows) = match read {
            Ok(read) => read,
            Err(error) => return Err(StartError { path, error }),
        };
        let view = options.preset.is_none() && options.place.is_none();
        let (place, height, heading, pitch) = if view {
            (DVec2::new(-2_500.0, -2_000.0), 1_100.0, Some(200.0), -12.0)
        } else {
            (DVec2::ZERO, 60.0, None, -4.0)
        };
        Ok(Self {
            world,
            surface,
            file: follows.then_some(path),
            place: options.place.map_or(place, DVec2::from),
            height: options.height.unwrap_or(height),
            heading: options.heading.or(heading),
            pitch,
        })
    }

    /// The eye at the beginning, in a scene whose origin is the place.
    pub fn eye(&self) -> Transform {
        let sea = self.world.water.as_ref().map_or(f32::NEG_INFINITY, |sea| sea.level);
        let ground = (self.surface.height(self.place.x, self.place.y) as f32).max(sea);
        let heading = Quat::from_rotation_y(-self.heading.unwrap_or(60.0).to_radians());
        let turn = heading * Quat::from_rotation_x(self.pitch.to_radians());
        Transform::from_xyz(0.0, ground + self.height, 0.0).with_rotation(turn)
    }

    /// The terrain's entity.
    pub fn spawn(&self, app: &mut App) -> Entity {
        let TerrainPreset { terrain, ground, water, scatter, volumes, .. } = self.world.clone();
        let origin = TerrainOrigin { x: self.place.x, z: self.place.y };
        let mut entity = app.world_mut().spawn((Name::new("Terrain"), terrain, ground, origin));
        if let Some(water) = water {
            entity.insert(water);
        }
        if let Some(scatter) = scatter {
            entity.insert(scatter);
        }
        if let Some(volumes) = volumes {
            entity.insert(volumes);
        }
        entity.id()
    }
}

/// A sun that follows the hour.
pub fn spawn_sun(mut commands: Commands) {
    commands.spawn(TerrainSun::default());
}

/// The air of the hour that the command line asks for.
pub fn sky(options: &Options, world: &TerrainPreset) -> TerrainSky {
    // Above the summits: the flight begins between them.
    let high = || TerrainSky { cloud_height: 4_200.0, ..TerrainSky::default() };
    TerrainSky { time: options.time, cloud_cover: options.clouds, ..world.sky.clone().unwrap_or_else(high) }
}
