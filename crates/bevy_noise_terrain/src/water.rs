//! Water (feature `water`): [`TerrainWater`] on a terrain floods it up to a level, as far as the horizon.
//!
//! # How it works
//!
//! Every chunk that reaches below the level gets a child with the same grid mesh and the same slot. Its vertex
//! shader places the grid at the level and also computes the morphed land beneath. So the depth of the
//! water is known everywhere, and the shoreline is exactly where the drawn land rises out of the water, at every level
//! of detail. Where there is no depth nothing is drawn, so there is no z-fighting. Beyond the last chunks one more mesh
//! extends to the horizon.
//!
//! The waves are a sum of sines, computed anywhere without a texture: near viewers the long ones displace the
//! vertices; each pixel gets the slopes of the waves that it can resolve, and the others increase its roughness.
//! Otherwise the water is Bevy's standard material: lights, shadows and fog apply as usual.

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
