//! The layers' textures: loaded one by one, assembled into two array textures on a task.

mod array;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use bevy::asset::io::embedded::EmbeddedAssetRegistry;
use bevy::asset::{LoadState, RenderAssetUsages};
use bevy::image::ImageLoaderSettings;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::tasks::{AsyncComputeTaskPool, Task, TaskPool, block_on, futures_lite::future};

use super::PreparedGround;
use crate::render::{TerrainMaterial, VertexPool};
use crate::streaming::TerrainState;
use array::Arrays;

/// Registers the textures that come with this crate as `embedded://bevy_noise_terrain/ground/….png`.
pub fn embed(app: &mut App) {
    let Some(registry) = app.world_mut().get_resource_mut::<EmbeddedAssetRegistry>() else { return };
    macro_rules! embed {
        ($($name:literal),*) => {$(
            registry.insert_asset(
                PathBuf::from(concat!("assets/ground/", $name, ".png")),
                Path::new(concat!("bevy_noise_terrain/ground/", $name, ".png")),
                include_bytes!(concat!("../../assets/ground/", $name, ".png")).as_slice(),
            );
        )*};
    }
    embed!("rock_albedo", "rock_normal", "scree_albedo", "scree_normal", "grass_albedo", "grass_normal");
    embed!("forest_albedo", "forest_normal", "sand_albedo", "sand_normal", "snow_albedo", "snow_normal");
}

/// The asset paths of a layer's two textures.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Paths {
    albedo: String,
    normal: String,
}

/// The textures of a terrain's ground.
#[derive(Component, Default)]
pub struct GroundTextures {
    /// The textures that the settings name.
    wanted: Vec<Paths>,
    stage: Stage,
    /// The textures in use, with their mean albedo, in the order of the arrays' layers.
    ready: Vec<(Paths, [f32; 3])>,
    albedo: Option<Handle<Image>>,
    normal: Option<Handle<Image>>,
}

#[derive(Default)]
enum Stage {
    #[default]
    Idle,
    Loading(Vec<[Handle<Image>; 2]>),
    Assembling(Task<Arrays>, Vec<Paths>),
    /// Only if the asset server watches files: the handles are kept so that changes are noticed.
    Watching(Vec<[Handle<Image>; 2]>),
}

impl GroundTextures {
    /// The array layer and the mean albedo of a layer's textures, once they are loaded.
    pub fn find(&self, albedo: &str, normal: &str) -> Option<(u32, [f32; 3])> {
        let index = self.ready.iter().position(|(paths, _)| paths.albedo == albedo && paths.normal == normal)?;
        Some((index as u32, self.ready[index].1))
    }
}

/// Loads the textures that changed settings name, and updates the materials when all are loaded.
pub fn load_textures(
    server: Res<AssetServer>,
    adapter: Option<Res<RenderAdapterInfo>>,
    mut changed: MessageReader<AssetEvent<Image>>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<TerrainMaterial>>,
    mut terrains: Query<(Ref<PreparedGround>, &mut GroundTextures, Ref<VertexPool>, &mut TerrainState)>,
) {
    let modified: HashSet<AssetId<Image>> = changed
        .read()
        .filter_map(|event| if let AssetEvent::Modified { id } = event { Some(*id) } else { None })
        .collect();
    for (ground, mut textures, pool, mut state) in &mut terrains {
        let textures = &mut *textures;
        let is_stale = match &textures.stage {
            Stage::Watching(handles) => handles.iter().flatten().any(|handle| modified.contains(&handle.id())),
            _ => false,
        };
        if ground.is_changed() || is_stale {
            let wanted = wanted(&ground);
            if wanted != textures.wanted || is_stale {
                let load = |paths: &Paths| [&paths.albedo, &paths.normal].map(|path| load(&server, path));
                textures.stage = Stage::Loading(wanted.iter().map(load).collect());
                textures.wanted = wanted;
            }
        }
        let mut is_new = false;
        match &mut textures.stage {
            Stage::Loading(handles) => {
                if let Some(found) = loaded(&server, &images, handles) {
                    let (paths, sources): (Vec<_>, Vec<_>) = textures
                        .wanted
                        .iter()
                        .cloned()
                        .zip(found)
                        .filter_map(|(paths, found)| Some((paths, found?)))
                        .unzip();
                    // Anisotropic filtering is expensive on software adapters.
                    let is_software =
                        adapter.as_ref().is_some_and(|adapter| adapter.device_type == wgpu_types::DeviceType::Cpu);
                    let anisotropy = if is_software { 1 } else { 8 };
                    let tasks = AsyncComputeTaskPool::get_or_init(TaskPool::default);
                    let task = tasks.spawn(async move { Arrays::assemble(&sources, anisotropy) });
                    textures.stage = Stage::Assembling(task, paths);
                }
            }
            Stage::Assembling(task, paths) => {
                if let Some(arrays) = block_on(future::poll_once(task)) {
                    textures.ready = std::mem::take(paths).into_iter().zip(arrays.means).collect();
                    textures.albedo = arrays.albedo.map(|image| images.add(image));
                    textures.normal = arrays.normal.map(|image| images.add(image));
                    is_new = true;
                    let watched = server.watching_for_changes().then(|| {
                        let load = |paths: &Paths| [&paths.albedo, &paths.normal].map(|path| load(&server, path));
                        textures.wanted.iter().map(load).collect()
                    });
                    textures.stage = watched.map_or(Stage::Idle, Stage::Watching);
                }
            }
            Stage::Idle | Stage::Watching(_) => {}
        }
        let is_loading = matches!(textures.stage, Stage::Loading(_) | Stage::Assembling(..));
        state.bypass_change_detection().outstanding_mut().textures =
            if is_loading { textures.wanted.len() as u32 } else { 0 };
        // A recreated pool has a new material.
        if is_new || pool.is_changed() {
            for handle in [&pool.material, &pool.holed_material, &pool.volume_material] {
                let Some(mut material) = materials.get_mut(handle) else { continue };
                material.extension.albedo.clone_from(&textures.albedo);
                material.extension.normal.clone_from(&textures.normal);
            }
        }
    }
}

/// Each pair of paths once, in the order of the layers; layers that lack one of the two are plain.
fn wanted(ground: &PreparedGround) -> Vec<Paths> {
    let mut wanted: Vec<Paths> = Vec::new();
    for layer in &ground.ground().layers {
        let paths = Paths { albedo: layer.albedo.clone(), normal: layer.normal.clone() };
        if !paths.albedo.is_empty() && !paths.normal.is_empty() && !wanted.contains(&paths) {
            wanted.push(paths);
        }
    }
    wanted
}

fn load(server: &AssetServer, path: &str) -> Handle<Image> {
    let settings = |settings: &mut ImageLoaderSettings| settings.asset_usage = RenderAssetUsages::MAIN_WORLD;
    server.load_builder().with_settings(settings).load(path.to_owned())
}

/// Albedo and normal of each pair, `None` for a pair that failed to load; `None` as a whole while any is loading.
fn loaded(
    server: &AssetServer,
    images: &Assets<Image>,
    handles: &[[Handle<Image>; 2]],
) -> Option<Vec<Option<[Image; 2]>>> {
    let states: Vec<_> = handles.iter().map(|pair| pair.each_ref().map(|handle| server.load_state(handle))).collect();
    if states.iter().flatten().any(|state| matches!(state, LoadState::NotLoaded | LoadState::Loading)) {
        return None;
    }
    let pair = |pair: &[Handle<Image>; 2]| Some([images.get(&pair[0])?.clone(), images.get(&pair[1])?.clone()]);
    // The asset server has logged why a file failed to load; its layer stays plain.
    Some(handles.iter().map(pair).collect())
}
