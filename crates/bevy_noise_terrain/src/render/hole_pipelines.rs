//! Pipelines for chunks with holes, compiled before the first of them is drawn: a chunk whose pipeline is not ready is missing.
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

use super::material::{HOLES, OwnMaterial};
use super::pool::VertexPool;
use super::render_layers::DrawnPart;
use crate::streaming::TerrainState;

/// Seconds after which holes are shown in any case: nobody may be looking.
const LONGEST: f32 = 3.0;

/// How far the pipelines are; both worlds share it.
#[derive(Resource, Clone, Default)]
pub(super) struct HolePipelines(Arc<AtomicU8>);

const NOT_WANTED: u8 = 0;
const WANTED: u8 = 1;
const READY: u8 = 2;

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
    mut terrains: Query<(Entity, &TerrainState, &mut VertexPool, Has<OwnMaterial>)>,
    pipelines: Res<HolePipelines>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for (terrain, state, mut pool, has_own_material) in &mut terrains {
        let has_holes = state.has_holes();
        if !has_holes && let Some(proxy) = pool.bypass_change_detection().hole_proxy.take() {
            commands.entity(proxy.entity).try_despawn();
        }
        if !has_holes {
            continue;
        }
        let since = pool.hole_proxy.as_ref().map(|proxy| proxy.since);
        let is_ready = || {
            pipelines.0.load(Ordering::Acquire) == READY
                || since.is_some_and(|since| since.elapsed().as_secs_f32() > LONGEST)
        };
        if !pool.draws_holes && (has_own_material || is_ready()) {
            pool.draws_holes = true;
        }
        if has_own_material || since.is_some() {
            continue;
        }
        let proxy = (
            DrawnPart,
            Mesh3d(meshes.add(no_triangle())),
            MeshMaterial3d(pool.holed_material.clone()),
            MeshTag(0),
            NoAutoAabb,
            NoFrustumCulling,
            ChildOf(terrain),
        );
        let entity = commands.spawn(proxy).id();
        pool.bypass_change_detection().hole_proxy = Some(HoleProxy { entity, since: Instant::now() });
        // Others may have made them ready.
        let _ = pipelines.0.compare_exchange(NOT_WANTED, WANTED, Ordering::AcqRel, Ordering::Acquire);
    }
}

/// A triangle of no size, with the vertices of the grid that chunks share.
fn no_triangle() -> Mesh {
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0f32; 3]; 3])
        .with_inserted_indices(Indices::U16(vec![0, 1, 2]))
}

/// Waits for the pipelines: all of those that a view needs are asked for in the same frame.
fn watch(pipelines: Res<HolePipelines>, cache: Res<PipelineCache>) {
    if pipelines.0.load(Ordering::Acquire) != WANTED {
        return;
    }
    let hole = ShaderDefVal::from(HOLES);
    let mut states = cache.pipelines().filter_map(|pipeline| match &pipeline.descriptor {
        PipelineDescriptor::RenderPipelineDescriptor(descriptor) => {
            let fragment = descriptor.fragment.as_ref()?;
            fragment.shader_defs.contains(&hole).then_some(&pipeline.state)
        }
        PipelineDescriptor::ComputePipelineDescriptor(_) => None,
    });
    let is_ready = |state: &CachedPipelineState| matches!(state, CachedPipelineState::Ok(_));
    // There is at least one, and none that is not.
    if states.next().is_some_and(is_ready) && states.all(is_ready) {
        pipelines.0.store(READY, Ordering::Release);
    }
}
