//! Pipelines for chunks with holes and for volumes, compiled before the first of them is drawn: what has no pipeline is missing.
//!
//! As soon as holes are asked for, a *proxy* is drawn with their material: one triangle of no size. Every camera and every light
//! sees it, so that Bevy asks for the pipelines of all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::{NoAutoAabb, NoFrustumCulling};
use bevy::mesh::{Indices, MeshTag, PrimitiveTopology};
use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy::render::render_resource::{CachedPipelineState, PipelineCache, PipelineDescriptor};
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::shader::ShaderDefVal;

use super::material::{HOLES, OwnMaterial, TerrainMaterial, VOLUME};
use super::pool::VertexPool;
use super::render_layers::DrawnPart;
use crate::streaming::TerrainState;
use crate::volumes::{TerrainVolumes, no_triangle as no_volume};

/// Seconds after which holes are shown although no pipeline has been requested: no camera may be looking.
const LONGEST: f32 = 3.0;

/// How far the pipelines are; both worlds share it.
#[derive(Resource, Clone, Default)]
pub(super) struct HolePipelines {
    holes: Arc<AtomicU8>,
    volumes: Arc<AtomicU8>,
}

const NOT_WANTED: u8 = 0;
const WANTED: u8 = 1;
const COMPILING: u8 = 2;
const READY: u8 = 3;

/// What is drawn with the material of chunks with holes, and since when.
pub(super) struct HoleProxy {
    pub entity: Entity,
    since: Instant,
}

pub(super) fn add(app: &mut App) {
    let pipelines = HolePipelines::default();
    app.insert_resource(pipelines.clone());
    if let Some(render_app) = app.get_sub_app_mut(RenderApp) {
        render_app.insert_resource(pipelines).add_systems(Render, watch.in_set(RenderSystems::Cleanup));
    }
}

/// Draws the proxy of terrains that have holes, or will have some, and finds out whether holes can be drawn.
pub(super) fn prepare(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut TerrainState, &mut VertexPool, Has<OwnMaterial>, Option<&TerrainVolumes>)>,
    parts: Query<(), With<DrawnPart>>,
    pipelines: Res<HolePipelines>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for (terrain, mut state, mut pool, has_own_material, volumes) in &mut terrains {
        let proxies = pool.bypass_change_detection();
        for proxy in [&mut proxies.hole_proxy, &mut proxies.volume_proxy] {
            // One that the app has despawned is spawned again.
            proxy.take_if(|proxy| !parts.contains(proxy.entity));
        }
        let has_volumes = volumes.is_some_and(|volumes| !volumes.is_empty()) || state.scatters_volumes();
        if has_volumes && !has_own_material {
            let pool = pool.bypass_change_detection();
            match &pool.volume_proxy {
                None => {
                    let mesh = meshes.add(no_volume());
                    pool.volume_proxy = Some(HoleProxy::spawn(&mut commands, terrain, mesh, &pool.volume_material));
                    want(&pipelines.volumes);
                }
                Some(proxy) => pool.draws_volumes |= proxy.is_ready(&pipelines.volumes),
            }
        }
        let has_holes = state.has_holes();
        let lacks_volumes = has_volumes && !has_own_material && !pool.draws_volumes;
        let is_ready = || match &pool.hole_proxy {
            Some(proxy) => proxy.is_ready(&pipelines.holes),
            None => pipelines.holes.load(Ordering::Acquire) == READY,
        };
        let draws_holes = pool.draws_holes || has_holes && (has_own_material || is_ready());
        state.bypass_change_detection().outstanding_mut().kept_back = lacks_volumes || has_holes && !draws_holes;
        if !has_holes && let Some(proxy) = pool.bypass_change_detection().hole_proxy.take() {
            commands.entity(proxy.entity).try_despawn();
        }
        if !has_holes {
            continue;
        }
        if !pool.draws_holes && draws_holes {
            pool.draws_holes = true;
        }
        if has_own_material || pool.hole_proxy.is_some() {
            continue;
        }
        let proxy = HoleProxy::spawn(&mut commands, terrain, meshes.add(no_triangle()), &pool.holed_material);
        pool.bypass_change_detection().hole_proxy = Some(proxy);
        want(&pipelines.holes);
    }
}

impl HoleProxy {
    fn spawn(commands: &mut Commands, terrain: Entity, mesh: Handle<Mesh>, material: &Handle<TerrainMaterial>) -> Self {
        let proxy = (
            DrawnPart,
            Mesh3d(mesh),
            MeshMaterial3d(material.clone()),
            MeshTag::new(0),
            NoAutoAabb,
            NoFrustumCulling,
            ChildOf(terrain),
        );
        Self { entity: commands.spawn(proxy).id(), since: Instant::now() }
    }

    fn is_ready(&self, pipelines: &AtomicU8) -> bool {
        match pipelines.load(Ordering::Acquire) {
            READY => true,
            COMPILING => false,
            _ => self.since.elapsed().as_secs_f32() > LONGEST,
        }
    }
}

/// Asks for pipelines. Others may have made them ready.
fn want(pipelines: &AtomicU8) {
    let _ = pipelines.compare_exchange(NOT_WANTED, WANTED, Ordering::AcqRel, Ordering::Acquire);
}

/// A triangle of no size, with the vertices of the grid that chunks share.
fn no_triangle() -> Mesh {
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0f32; 3]; 3])
        .with_inserted_indices(Indices::U16(vec![0, 1, 2]))
}

/// Waits for the pipelines: all of those that a view needs are asked for in the same frame.
fn watch(pipelines: Res<HolePipelines>, cache: Res<PipelineCache>) {
    for (wanted, word) in [(&pipelines.holes, HOLES), (&pipelines.volumes, VOLUME)] {
        if !matches!(wanted.load(Ordering::Acquire), WANTED | COMPILING) {
            continue;
        }
        let word = ShaderDefVal::from(word);
        let states = cache.pipelines().filter_map(|pipeline| match &pipeline.descriptor {
            PipelineDescriptor::RenderPipelineDescriptor(descriptor) => {
                let fragment = descriptor.fragment.as_ref()?;
                fragment.shader_defs.contains(&word).then_some(&pipeline.state)
            }
            PipelineDescriptor::ComputePipelineDescriptor(_) | PipelineDescriptor::MeshPipelineDescriptor(_) => None,
        });
        let states: Vec<_> = states.collect();
        let is_coming = |state: &&CachedPipelineState| {
            matches!(state, CachedPipelineState::Queued | CachedPipelineState::Creating(_))
        };
        let is_ready = |state: &&CachedPipelineState| matches!(state, CachedPipelineState::Ok(_));
        let now = if states.iter().any(is_coming) {
            COMPILING
        } else if !states.is_empty() && states.iter().all(is_ready) {
            READY
        } else {
            WANTED
        };
        wanted.store(now, Ordering::Release);
    }
}
