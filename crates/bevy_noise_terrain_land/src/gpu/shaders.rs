//! The crate's shaders. A module has the path of its file below `src`, as `bevy_noise_terrain::render::morph`: by the crate that
//! users name, whichever crate of the workspace it lies in.

use std::path::{Path, PathBuf};

use bevy::asset::AssetPath;
use bevy::asset::io::embedded::EmbeddedAssetRegistry;
use bevy::prelude::*;
use bevy::render::render_resource::RenderPipelineDescriptor;
use bevy::shader::{Shader, ShaderRef};

/// Makes shaders of this crate known, by their paths below `src`: to materials as [`shader`]s, to other shaders as modules.
macro_rules! embed_shaders {
    ($app:expr, $($path:literal),+ $(,)?) => {
        $($crate::gpu::embed_shader(
            $app,
            $path,
            concat!(env!("CARGO_MANIFEST_DIR"), "/src/", $path),
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/", $path)),
        );)+
    };
}
pub(crate) use embed_shaders;

/// What [`embed_shaders`] does for each; Bevy's feature `embedded_watcher` reads `file` anew when it changes.
pub(crate) fn embed_shader(app: &mut App, path: &str, file: &str, text: &'static [u8]) {
    let embedded = app.world_mut().resource_mut::<EmbeddedAssetRegistry>();
    embedded.insert_asset(PathBuf::from(file), &Path::new("bevy_noise_terrain").join(path), text);
    let handle: Handle<Shader> = app.world().resource::<AssetServer>().load(asset_path(path));
    // Shaders live as long as the app, like those of `load_shader_library`.
    std::mem::forget(handle);
}

/// A shader of this crate, by its path below `src`.
pub(crate) fn shader(path: &str) -> ShaderRef {
    ShaderRef::Path(asset_path(path))
}

/// Puts the name of what a pipeline draws before Bevy's own, for debuggers and for the table of what shaders cost.
pub(crate) fn name_pipeline(descriptor: &mut RenderPipelineDescriptor, what: &str) {
    let old = descriptor.label.take().unwrap_or_default();
    descriptor.label = Some(format!("terrain {what}: {old}").into());
}

/// The asset path of a shader of this crate, by its path below `src`.
pub(crate) fn asset_path(path: &str) -> AssetPath<'static> {
    AssetPath::from(format!("embedded://bevy_noise_terrain/{path}"))
}
