//! The water over each chunk.

use bevy::asset::RenderAssetUsages;
use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::light::NotShadowCaster;
use bevy::mesh::MeshTag;
use bevy::prelude::*;
use bevy::render::render_resource::{Buffer, Extent3d, TextureDimension, TextureFormat};
use bevy::render::renderer::RenderDevice;

use super::material::{WaterExtension, WaterMaterial};
use super::motion::Motion;
use super::ring::Ring;
use super::uniforms::WaterUniforms;
use super::{TerrainWater, patches};
use crate::chunk::TerrainChunk;
use crate::gpu::{Uploads, storage_buffer};
use crate::render::{DrawnPart, VertexPool};
use crate::settings;
use crate::streaming::TerrainState;
use crate::terrain::TerrainOrigin;
use crate::uniforms::{ChunkRecord, split_origin};
use crate::wind::Wind;

/// The water of a terrain: the last valid settings, the uniforms and how far the waves have moved.
#[derive(Component)]
pub(super) struct WaterState {
    settings: TerrainWater,
    buffer: Buffer,
    /// The vertex buffer that the material binds. A pool of another size has another one.
    vertices: Buffer,
    motion: Motion,
}

/// The vertical extent of the water, and its material.
#[derive(Component, Clone, PartialEq)]
pub struct WaterExtent {
    level: f32,
    waves: f32,
    pub(super) material: Handle<WaterMaterial>,
}

/// The water over a chunk, a child of it; or that beyond all chunks, a child of the terrain.
#[derive(Component)]
#[require(DrawnPart)]
pub(super) struct WaterSurface;

/// A chunk whose water the app has despawned.
#[derive(Component)]
pub(super) struct LostWater;

/// Has the water over a chunk spawned again that the app despawns.
pub(super) fn on_lost_water(
    removed: On<Remove<WaterSurface>>,
    parents: Query<&ChildOf, With<WaterSurface>>,
    chunks: Query<&Children, With<TerrainChunk>>,
    water: Query<(), With<WaterSurface>>,
    mut commands: Commands,
) {
    let Ok(chunk) = parents.get(removed.entity).map(ChildOf::parent) else { return };
    let Ok(children) = chunks.get(chunk) else { return };
    // Where the settings change, its successor is there already.
    if !children.iter().any(|child| child != removed.entity && water.contains(child)) {
        commands.entity(chunk).try_insert(LostWater);
    }
}

/// Makes the pattern of gusts and foam, which all terrains share.
fn create_patches(images: &mut Assets<Image>) -> Handle<Image> {
    let patches = patches::pattern().unwrap_or_else(|error| {
        error!("the water has no foam: {error}");
        let size = Extent3d { width: 1, height: 1, depth_or_array_layers: 1 };
        let usage = RenderAssetUsages::RENDER_WORLD;
        Image::new(size, TextureDimension::D2, vec![128, 128], TextureFormat::Rg8Unorm, usage)
    });
    images.add(patches)
}

/// Creates the materials of new water, replaces those whose vertex buffer is gone, applies changed settings.
pub(super) fn prepare_water(
    mut commands: Commands,
    device: Option<Res<RenderDevice>>,
    mut patches: Local<Option<Handle<Image>>>,
    mut waters: Query<(Entity, Ref<TerrainWater>, &VertexPool, Option<(&mut WaterState, &mut WaterExtent)>)>,
    dry: Query<Entity, (With<WaterState>, Without<TerrainWater>)>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<WaterMaterial>>,
) {
    for entity in &dry {
        commands.entity(entity).remove::<(WaterState, WaterExtent)>();
    }
    let Some(device) = device else { return };
    for (entity, settings, pool, water_state) in &mut waters {
        let is_new = water_state.as_ref().is_none_or(|(state, _)| state.vertices.id() != pool.vertices.id());
        if !is_new && !settings.is_changed() {
            continue;
        }
        let mut valid = TerrainWater::clone(&settings);
        if let Err(error) = settings.validate() {
            if settings.is_changed() {
                settings::reject(&mut commands, Some(entity), error);
            }
            let Some((water_state, _)) = &water_state else { continue };
            valid = water_state.settings.clone();
        }
        let mut motion = Motion::default();
        if let Some((mut water_state, mut extent)) = water_state {
            if !is_new {
                if water_state.settings != valid {
                    extent.set_if_neq(WaterExtent {
                        level: valid.level,
                        waves: valid.wave_height,
                        material: extent.material.clone(),
                    });
                    water_state.settings = valid;
                }
                continue;
            }
            motion = std::mem::take(&mut water_state.motion);
        }
        let buffer = storage_buffer(&device, "water uniforms", size_of::<WaterUniforms>());
        let extension = WaterExtension {
            vertices: pool.vertices.clone(),
            terrain: pool.uniforms.clone(),
            sky: pool.sky.clone(),
            uniforms: buffer.clone(),
            patches: patches.get_or_insert_with(|| create_patches(&mut images)).clone(),
        };
        // Fresnel reflectance of water: 2 %.
        let base = StandardMaterial { reflectance: 0.354, alpha_mode: AlphaMode::Blend, ..default() };
        let material = materials.add(WaterMaterial { base, extension });
        let extent = WaterExtent { level: valid.level, waves: valid.wave_height, material };
        commands
            .entity(entity)
            .insert((WaterState { settings: valid, buffer, vertices: pool.vertices.clone(), motion }, extent));
    }
}

/// Spawns water over chunks that reach below the level, and despawns it elsewhere.
pub(super) fn spawn_water_meshes(
    mut commands: Commands,
    waters: Query<(Ref<WaterExtent>, &VertexPool)>,
    mut removed: RemovedComponents<WaterExtent>,
    chunks: Query<(Entity, Ref<TerrainChunk>, &ChildOf, &Aabb, Option<&Children>, Has<LostWater>)>,
    water: Query<(), With<WaterSurface>>,
) {
    let removed = removed.read().count() > 0;
    if waters.is_empty() && !removed {
        return;
    }
    for (entity, chunk, parent, land, children, is_lost) in &chunks {
        let settings = waters.get(parent.parent()).ok();
        if is_lost {
            commands.entity(entity).remove::<LostWater>();
        }
        if !chunk.is_added()
            && !removed
            && !is_lost
            && !settings.as_ref().is_some_and(|(extent, _)| extent.is_changed())
        {
            continue;
        }
        if let Some((extent, pool)) = settings.filter(|(extent, _)| chunk.min_height < extent.level) {
            let (low, high) = (Vec3::from(land.min()), Vec3::from(land.max()));
            commands.spawn((
                WaterSurface,
                Mesh3d(pool.full_grid().clone()),
                MeshMaterial3d(extent.material.clone()),
                MeshTag::new(chunk.slot),
                Aabb::from_min_max(
                    low.with_y(extent.level - 0.5 - extent.waves),
                    high.with_y(extent.level + 0.5 + extent.waves),
                ),
                NoAutoAabb,
                NotShadowCaster,
                ChildOf(entity),
            ));
        }
        for child in children.into_iter().flatten().copied().filter(|&child| water.contains(child)) {
            commands.entity(child).despawn();
        }
    }
}

/// Uploads this frame's uniforms.
pub(super) fn upload_uniforms(
    mut waters: Query<(&mut WaterState, &TerrainOrigin, &TerrainState, Option<&Ring>)>,
    time: Res<Time>,
    wind: Res<Wind>,
    mut uploads: ResMut<Uploads>,
) {
    for (mut water_state, origin, state, ring) in &mut waters {
        let WaterState { settings, buffer, motion, .. } = &mut *water_state;
        motion.advance(settings, wind.mean().as_dvec2(), time.delta_secs_f64());
        let quads = state.lod().map(|lod| split_origin(origin, lod.spacing).0);
        let corner = ring.zip(quads).map_or([0; 2], |(ring, quads)| ChunkRecord::new(ring.corner, quads).first_quad);
        let uniforms = WaterUniforms::new(settings, origin, corner, motion, &wind);
        uploads.write(buffer, 0, vec![uniforms]);
    }
}
