//! Fills pages on the GPU, before anything of the frame is drawn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::asset::AssetId;
use bevy::prelude::*;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::binding_types::{storage_buffer_read_only_sized, texture_storage_2d_array};
use bevy::render::render_resource::{
    BindGroupEntries, BindGroupLayoutDescriptor, BindGroupLayoutEntries, Buffer, BufferInitDescriptor, BufferUsages,
    CachedComputePipelineId, CommandEncoderDescriptor, ComputePassDescriptor, ComputePipelineDescriptor, PipelineCache,
    ShaderStages, StorageTextureAccess, TextureFormat, TextureViewDescriptor, TextureViewDimension,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::texture::GpuImage;
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderStartup, RenderSystems};
use bevy::shader::ShaderDefVal;
use bytemuck::{Pod, Zeroable};

use super::{MIPS, PAGE};
use crate::gpu::{self, asset_path};

/// A page that is to be filled with the ground of the chunk in a slot; `Fill` in `fill_pages.wesl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PageFill {
    pub slot: u32,
    pub page: u32,
}

/// Pages of a terrain that are to be filled.
pub struct Fill {
    pub image: AssetId<Image>,
    pub vertices: Buffer,
    pub uniforms: Buffer,
    pub detail_normals: Buffer,
    pub pages: Vec<PageFill>,
}

/// What is to be filled before the next frame is drawn.
#[derive(Resource, Default)]
pub struct PageFills {
    fills: Vec<Fill>,
    /// Whether pages can be filled: the pipelines are compiled. Both worlds share it.
    is_ready: Arc<AtomicBool>,
}

impl PageFills {
    pub fn push(&mut self, fill: Fill) {
        self.fills.push(fill);
    }

    pub fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Acquire)
    }
}

/// One pipeline for each mip level.
#[derive(Resource)]
struct FillPipelines {
    layout: BindGroupLayoutDescriptor,
    of_mip: [CachedComputePipelineId; MIPS as usize],
}

pub fn add(app: &mut App) {
    let fills = PageFills::default();
    if let Some(render_app) = app.get_sub_app_mut(RenderApp) {
        render_app
            .insert_resource(PageFills { is_ready: fills.is_ready.clone(), ..default() })
            .add_systems(RenderStartup, queue_pipelines)
            .add_systems(ExtractSchedule, extract)
            .add_systems(Render, fill.in_set(RenderSystems::PrepareResources).after(gpu::write_uploads));
    }
    app.insert_resource(fills);
}

fn queue_pipelines(mut commands: Commands, server: Res<AssetServer>, cache: Res<PipelineCache>) {
    let read = || storage_buffer_read_only_sized(false, None);
    let texels = texture_storage_2d_array(TextureFormat::Rgba8Unorm, StorageTextureAccess::WriteOnly);
    let entries = BindGroupLayoutEntries::with_indices(
        ShaderStages::COMPUTE,
        ((100, read()), (101, read()), (102, read()), (120, read()), (121, texels)),
    );
    let layout = BindGroupLayoutDescriptor::new("terrain ground pages", &entries);
    let of_mip = std::array::from_fn(|mip| {
        cache.queue_compute_pipeline(ComputePipelineDescriptor {
            label: Some("terrain ground pages".into()),
            layout: vec![layout.clone()],
            shader: server.load(asset_path("render/fill_pages.wesl")),
            shader_defs: vec![
                ShaderDefVal::UInt("MATERIAL_BIND_GROUP".into(), 0),
                ShaderDefVal::UInt("MIP".into(), mip as u32),
            ],
            entry_point: Some("fill".into()),
            ..default()
        })
    });
    commands.insert_resource(FillPipelines { layout, of_mip });
}

fn extract(mut main: ResMut<MainWorld>, mut fills: ResMut<PageFills>) {
    if let Some(mut pending) = main.get_resource_mut::<PageFills>() {
        // Append: rendering can skip frames.
        fills.fills.append(&mut pending.bypass_change_detection().fills);
    }
}

fn fill(
    mut fills: ResMut<PageFills>,
    pipelines: Res<FillPipelines>,
    cache: Res<PipelineCache>,
    images: Res<RenderAssets<GpuImage>>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    let compiled: Option<Vec<_>> =
        pipelines.of_mip.iter().map(|pipeline| cache.get_compute_pipeline(*pipeline)).collect();
    let Some(of_mip) = compiled else { return };
    fills.is_ready.store(true, Ordering::Release);
    if fills.fills.is_empty() {
        return;
    }
    let layout = cache.get_bind_group_layout(&pipelines.layout);
    let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor { label: Some("terrain ground pages") });
    // What has no image yet waits.
    fills.fills.retain(|fill| {
        let Some(image) = images.get(fill.image) else { return true };
        let pages = device.create_buffer_with_data(&BufferInitDescriptor {
            label: Some("terrain ground pages to fill"),
            contents: bytemuck::cast_slice(&fill.pages),
            usage: BufferUsages::STORAGE,
        });
        for (mip, pipeline) in of_mip.iter().enumerate() {
            let texels = image.texture.create_view(&TextureViewDescriptor {
                dimension: Some(TextureViewDimension::D2Array),
                base_mip_level: mip as u32,
                mip_level_count: Some(1),
                ..default()
            });
            let entries = BindGroupEntries::with_indices((
                (100, fill.vertices.as_entire_binding()),
                (101, fill.uniforms.as_entire_binding()),
                (102, fill.detail_normals.as_entire_binding()),
                (120, pages.as_entire_binding()),
                (121, &texels),
            ));
            let bind_group = device.create_bind_group("terrain ground pages", &layout, &entries);
            let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor {
                label: Some("terrain ground pages"),
                timestamp_writes: None,
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &bind_group, &[]);
            let groups = (PAGE >> mip).div_ceil(8);
            pass.dispatch_workgroups(groups, groups, fill.pages.len() as u32);
        }
        false
    });
    queue.submit([encoder.finish()]);
}
