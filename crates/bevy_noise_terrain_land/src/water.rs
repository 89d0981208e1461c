//! Water: [`TerrainWater`] on a terrain floods it up to a level, as far as the horizon. Feature `water` draws it.
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

#[cfg(feature = "water")]
mod material;
#[cfg(feature = "water")]
mod motion;
#[cfg(feature = "water")]
mod patches;
#[cfg(feature = "water")]
mod ring;
mod settings;
#[cfg(feature = "water")]
mod surface;
#[cfg(feature = "water")]
mod uniforms;
#[cfg(feature = "water")]
mod waves;

pub use settings::TerrainWater;

use bevy::prelude::*;

use crate::TerrainSystems;

/// Checks [`TerrainWater`], and draws it (feature `water`). Part of [`NoiseTerrainPlugin`](crate::NoiseTerrainPlugin); idle
/// without water.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainWaterPlugin;

impl Plugin for TerrainWaterPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TerrainWater>();
        #[cfg(feature = "water")]
        if crate::gpu::has_renderer(app) {
            crate::wind::add(app);
            draw(app);
            return;
        }
        app.add_systems(PostUpdate, settings::report_invalid.in_set(TerrainSystems::Apply));
    }
}

#[cfg(feature = "water")]
fn draw(app: &mut App) {
    crate::gpu::embed_shaders!(app, "water/water.wesl");
    app.add_observer(surface::on_lost_water)
        .add_plugins(bevy::pbr::MaterialPlugin::<material::WaterMaterial>::default())
        .add_systems(
            PostUpdate,
            (surface::prepare_water, surface::spawn_water_meshes, ring::update_horizon_ring, surface::upload_uniforms)
                .chain()
                .after(TerrainSystems::Show)
                .before(TerrainSystems::Report),
        );
}
