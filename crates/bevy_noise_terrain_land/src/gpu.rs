//! Shared by everything that is drawn (feature `render`): buffers and their uploads, the sky buffer, tiling textures,
//! and checks of the renderer and the device.

mod limits;
mod noise;
#[cfg(any(feature = "sky", feature = "water"))]
pub(crate) mod pattern;
mod renderer;
mod shaders;
mod sky_buffer;
mod uploads;

#[cfg(feature = "sky")]
pub(crate) use limits::ATMOSPHERE_STORAGE_BUFFERS;
pub(crate) use limits::too_few_storage_buffers;
pub use noise::{NOISE_WGSL, NoiseUniform, SpaceNoiseUniform};
#[cfg(any(feature = "ground", feature = "scatter", feature = "water"))]
pub(crate) use renderer::has_renderer;
pub(crate) use renderer::{error_if_too_early, finds_renderer};
pub(crate) use shaders::{asset_path, embed_shader, embed_shaders, name_pipeline, shader};
pub(crate) use sky_buffer::SkyBuffer;
#[cfg(feature = "sky")]
pub(crate) use sky_buffer::{AZIMUTHS, ELEVATIONS, SHADE_OFFSET, SHADE_SIDE, SkyUniforms, TABLE_OFFSET};
pub(crate) use uploads::{Uploads, storage_buffer, write as write_uploads};

use bevy::prelude::*;
use bevy::render::renderer::{RenderAdapter, RenderDevice};
use wgpu_types::DownlevelFlags;

/// Adds [`GpuPlugin`] once.
pub(crate) fn add(app: &mut App) {
    if !app.is_plugin_added::<GpuPlugin>() {
        app.add_plugins(GpuPlugin);
    }
}

/// Shader libraries, uploads and the sky buffer.
struct GpuPlugin;

impl Plugin for GpuPlugin {
    fn build(&self, app: &mut App) {
        embed_shaders!(
            app,
            "gpu/bounce.wesl",
            "gpu/cloud_shadow.wesl",
            "gpu/fog.wesl",
            "gpu/sky.wesl",
            "gpu/value_noise.wesl",
            "gpu/wind.wesl",
            "gpu/wood_light.wesl",
        );
        uploads::add(app);
    }

    fn finish(&self, app: &mut App) {
        noise::add(app.world_mut());
        let world = app.world();
        let Some(device) = world.get_resource::<RenderDevice>() else { return };
        let downlevel = world.get_resource::<RenderAdapter>().map(|adapter| adapter.get_downlevel_capabilities().flags);
        // Everything that is drawn waits for the sky's buffer. On a lesser device Bevy would end the app.
        match limits::lacking(&device.limits(), downlevel.unwrap_or(DownlevelFlags::all())) {
            None => {
                let buffer = SkyBuffer::new(device);
                app.insert_resource(buffer);
            }
            Some(lacking) => error!("land, water, plants and sky are not drawn: they need {lacking}"),
        }
    }
}
