//! Water (feature `water`): [`TerrainWater`] on a terrain floods it up to a level, to the horizon.
//!
//! # How it works
//!
//! Every chunk that reaches below the level gets a child with the same grid mesh and the same slot. Its vertex
//! shader lays the grid at the level and keeps what [morphing](crate::lod) makes of the land beneath: the depth
//! of the water is known everywhere, and the water ends exactly where the land as it is drawn rises out of it, at
//! every level of detail. Where there is no depth nothing is drawn, so nothing fights for a pixel. Beyond the last
//! chunks one more mesh goes on to the horizon.
//!
//! The waves are a sum of sines, known at every place without a texture: near viewers the long ones move the
//! vertices; every pixel gets the slopes of those that it can show, and the others make it rougher. The water is Bevy's
//! standard material otherwise: lights, shadows and fog fall on it as on everything.

mod material;
mod motion;
mod patches;
mod ring;
mod settings;
mod surface;
mod uniforms;
mod waves;

use material::WaterMaterial;

pub use settings::TerrainWater;

use bevy::asset::embedded_asset;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;

use crate::{TerrainSystems, gpu};

/// Draws [`TerrainWater`]. Part of [`NoiseTerrainPlugin`](crate::NoiseTerrainPlugin); idle without a renderer and
/// without water.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainWaterPlugin;

impl Plugin for TerrainWaterPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TerrainWater>();
        if !gpu::has_renderer(app) {
            return;
        }
        embedded_asset!(app, "water/water.wgsl");
        app.add_plugins(MaterialPlugin::<WaterMaterial>::default()).add_systems(
            PostUpdate,
            (surface::prepare_water, surface::spawn_water_meshes, ring::update_horizon_ring, surface::upload_uniforms)
                .chain()
                .after(TerrainSystems::Show)
                .before(TerrainSystems::Report),
        );
    }
}
