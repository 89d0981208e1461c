//! Meshes, buffers and materials of a kind in a band; reused across rebuilds as long as they fit.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::render::render_resource::{Buffer, BufferInitDescriptor, BufferUsages};
use bevy::render::renderer::RenderDevice;

use super::bands::Band;
use super::batch_mesh::SIZES;
use super::cells::LodMeshes;
use super::material::{ScatterExtension, ScatterMaterial};
use super::pages::{KindHeader, Layer, PageRecord};
use super::prepare::{NewAssets, Prepared};
use super::shapes::Model;
use crate::gpu::storage_buffer;
use crate::scatter::shape::ScatterShape;

/// The buffers of a kind's objects.
#[derive(Clone)]
pub struct Buffers {
    pub instances: Buffer,
    pub pages: Buffer,
    pub corners: Buffer,
}

/// The render assets of a kind in a band.
pub struct KindAssets {
    band: Band,
    shape: ScatterShape,
    pub model: Arc<Model>,
    pub capacity: u32,
    pages: u32,
    land: [Buffer; 3],
    meshes: Vec<[Handle<Mesh>; SIZES]>,
    pub buffers: Buffers,
    pub lod_meshes: Vec<LodMeshes>,
}

impl KindAssets {
    /// Whether these are for this shape in this band.
    pub fn is_of(&self, band: Band, shape: &ScatterShape) -> bool {
        self.band == band && self.shape == *shape
    }

    /// The assets for `layer` on the land in the buffers `land`, reusing whatever fits of `before`.
    pub fn new(
        prepared: &mut Prepared,
        layer: &Layer,
        before: Option<Self>,
        land: &[Buffer; 3],
        device: &RenderDevice,
        meshes: &mut Assets<Mesh>,
        materials: &mut Assets<ScatterMaterial>,
    ) -> Self {
        let (capacity, pages) = (layer.lattice.capacity(), layer.pages.capacity());
        let shape = prepared.share.kind.shape.clone();
        let band = prepared.share.band;
        let (mesh_handles, corners) = match (prepared.new_assets.take(), &before) {
            (None, Some(before)) => (before.meshes.clone(), before.buffers.corners.clone()),
            (new_assets, _) => {
                let new_assets = new_assets.unwrap_or_else(|| NewAssets {
                    meshes: prepared.model.meshes(capacity),
                    corners: prepared.model.corner_records(),
                });
                let handles = new_assets.meshes.into_iter().map(|sizes| sizes.map(|mesh| meshes.add(mesh))).collect();
                let contents = bytemuck::cast_slice(&new_assets.corners);
                let label = Some("scatter corners");
                let usage = BufferUsages::STORAGE;
                (handles, device.create_buffer_with_data(&BufferInitDescriptor { label, contents, usage }))
            }
        };
        let is_fit = |before: &Self| before.capacity == capacity && before.pages == pages;
        let buffers = match before.as_ref().filter(|before| is_fit(before)) {
            Some(before) => Buffers { corners, ..before.buffers.clone() },
            None => Buffers {
                instances: storage_buffer(device, "scatter objects", pages as usize * layer.page_bytes()),
                pages: storage_buffer(
                    device,
                    "scatter pages",
                    size_of::<KindHeader>() + pages as usize * size_of::<PageRecord>(),
                ),
                corners,
            },
        };
        let lod_meshes = match before.filter(|before| is_fit(before) && is_same(&before.land, land)) {
            Some(before) if before.buffers.corners.id() == buffers.corners.id() => before.lod_meshes,
            _ => {
                let lod_mesh = |(far, meshes): (usize, &[Handle<Mesh>; SIZES])| LodMeshes {
                    meshes: meshes.clone(),
                    material: materials.add(material(&shape, band, far > 0, land, &buffers)),
                };
                mesh_handles.iter().enumerate().map(lod_mesh).collect()
            }
        };
        let model = prepared.model.clone();
        Self { band, shape, model, capacity, pages, land: land.clone(), meshes: mesh_handles, buffers, lod_meshes }
    }
}

impl KindAssets {
    /// Binds other buffers of the land.
    pub fn rebind(&mut self, land: &[Buffer; 3], materials: &mut Assets<ScatterMaterial>) {
        self.land = land.clone();
        for (far, lod_mesh) in self.lod_meshes.iter_mut().enumerate() {
            lod_mesh.material = materials.add(material(&self.shape, self.band, far > 0, land, &self.buffers));
        }
    }
}

/// Whether these are the same buffers.
pub fn is_same(a: &[Buffer; 3], b: &[Buffer; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.id() == b.id())
}

fn material(
    shape: &ScatterShape,
    band: Band,
    is_far: bool,
    [vertices, terrain, sky]: &[Buffer; 3],
    buffers: &Buffers,
) -> ScatterMaterial {
    let is_leafy = matches!(shape, ScatterShape::Conifer | ScatterShape::Broadleaf | ScatterShape::Bush);
    // Only near by there are gaps between leaves.
    let has_gaps = is_leafy && !is_far && band == Band::Near;
    let is_thin = has_gaps || *shape == ScatterShape::Grass;
    let base = StandardMaterial {
        perceptual_roughness: 0.9,
        reflectance: if is_leafy || is_thin { 0.15 } else { 0.25 },
        alpha_mode: if has_gaps { AlphaMode::Mask(0.5) } else { AlphaMode::Opaque },
        // Blades and leaves are single-sided.
        cull_mode: if is_thin { None } else { StandardMaterial::default().cull_mode },
        ..default()
    };
    let Buffers { instances, pages, corners } = buffers.clone();
    let (vertices, terrain, sky) = (vertices.clone(), terrain.clone(), sky.clone());
    let extension = ScatterExtension { vertices, terrain, sky, instances, pages, corners };
    ScatterMaterial { base, extension }
}
