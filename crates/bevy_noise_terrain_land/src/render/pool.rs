//! The vertex pool and the terrain's uniforms: created once per terrain, written once per frame.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::render::render_resource::Buffer;
use bevy::render::renderer::RenderDevice;

use super::canopy_uniforms::CanopyUniforms;
use super::ground_pages::{Fill, GroundPages, PageFills, PageInputs, PagedChunk, page_count};
use super::ground_uniforms::GroundUniforms;
use super::hole_pipelines::HoleProxy;
use super::hole_table::{HOLE_WORDS, HoleTable};
use super::material::{OwnMaterial, TerrainBuffers, TerrainExtension, TerrainMaterial};
use super::page_table::PageTable;
use super::uniforms::{Placement, TerrainUniforms};
use crate::chunk::{CHUNK_QUADS, CHUNK_VERTICES};
use crate::edits::{CHUNK_PAINT_WORDS, ChunkPaint};
use crate::gpu::{SkyBuffer, Uploads, storage_buffer};
use crate::mesh::{self, grid_indices};
use crate::quality::QualityInUse;
use crate::streaming::{DrawnSlot, RendererDemand, TerrainState, Upload};
use crate::terrain::{DETAIL_NORMAL_BYTES, TerrainOrigin, VERTEX_BYTES};
use crate::uniforms::{ChunkRecord, MorphUniforms, split_origin};
use crate::viewer::TerrainViewers;

/// The buffers of a terrain, and the mesh and material that its chunks share.
#[derive(Component)]
pub(crate) struct VertexPool {
    pub vertices: Buffer,
    pub uniforms: Buffer,
    #[cfg_attr(
        not(any(feature = "scatter", feature = "water")),
        expect(dead_code, reason = "for what draws on the land")
    )]
    pub sky: Buffer,
    /// Detail normals of all slots, then pages of paint, then holes.
    detail_normals: Buffer,
    /// Pages of paint, by the slots of chunks.
    paint: PageTable<u32, ChunkPaint>,
    ground: GroundPages,
    slots: u32,
    /// What chunks are instances of.
    grids: Grids,
    pub material: Handle<TerrainMaterial>,
    /// That of chunks with holes.
    pub holed_material: Handle<TerrainMaterial>,
    /// That of volumes.
    pub volume_material: Handle<TerrainMaterial>,
    pub(super) volume_proxy: Option<HoleProxy>,
    /// Whether the pipelines of volumes are ready. They stay so.
    pub(super) draws_volumes: bool,
    holes: HoleTable,
    pub(super) hole_proxy: Option<HoleProxy>,
    /// Whether the pipelines of chunks with holes are ready. They stay so.
    pub(super) draws_holes: bool,
    /// The terrain's placement in the previous frame.
    placement: Option<Placement>,
}

impl VertexPool {
    /// The vertices, the uniforms and the sky, for other materials that draw on the land.
    #[cfg(feature = "scatter")]
    pub(crate) fn shared(&self) -> [Buffer; 3] {
        [self.vertices.clone(), self.uniforms.clone(), self.sky.clone()]
    }
}

impl VertexPool {
    /// What chunks of a level are instances of.
    pub(super) fn grid(&self, level: u8, half_meshes: bool) -> &Handle<Mesh> {
        let Grids { full, of_quads } = &self.grids;
        if half_meshes { &of_quads[mesh::step(level, true) - 1] } else { full }
    }

    /// The mesh with every vertex of a chunk.
    #[cfg(feature = "water")]
    pub(crate) fn full_grid(&self) -> &Handle<Mesh> {
        &self.grids.full
    }

    /// The byte of the first word of holes in the buffer of detail normals.
    fn first_hole(&self) -> usize {
        self.slots as usize * DETAIL_NORMAL_BYTES + paint_pages(self.slots) * CHUNK_PAINT_WORDS * size_of::<u32>()
    }

    /// Writes the holes of the chunks that are drawn, if they are others than before.
    fn write_holes(&mut self, state: &TerrainState, uploads: &mut Uploads) {
        if self.holes.is_empty() && !state.has_holes() {
            return;
        }
        let drawn = state.drawn_slots().filter_map(|chunk| Some((chunk.key.level, chunk.slot, chunk.holes?.clone())));
        let mut drawn: Vec<_> = drawn.collect();
        // Where there is no room for all, those far away are left out.
        drawn.sort_by_key(|(level, slot, _)| (*level, *slot));
        let Some(written) = self.holes.update(drawn.into_iter().map(|(_, slot, holes)| (slot, holes)).collect()) else {
            return;
        };
        if written.left_out > 0 {
            warn_once!(
                "{} chunks are drawn without their holes: there is room for some ten thousand holes in view",
                written.left_out
            );
        }
        uploads.write(&self.detail_normals, self.first_hole(), written.words);
    }
}

/// Creates a pool for each terrain that has none of the right size.
pub(super) fn open_pools(
    mut commands: Commands,
    device: Option<Res<RenderDevice>>,
    sky: Option<Res<SkyBuffer>>,
    quality: Res<QualityInUse>,
    mut terrains: Query<(Entity, &mut TerrainState, &GroundUniforms, Option<&mut VertexPool>)>,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<TerrainMaterial>>,
) {
    let (Some(device), Some(sky)) = (device, sky) else { return };
    for (entity, mut state, ground, pool) in &mut terrains {
        let demand = RendererDemand {
            takes_uploads: true,
            detail_normals: ground.detail_normals > 0.0,
            draws_holes: pool.as_ref().is_some_and(|pool| pool.draws_holes),
            half_meshes: quality.levers.half_meshes,
        };
        state.bypass_change_detection().serve(demand);
        let slots = state.capacity();
        if slots == 0 {
            continue;
        }
        let wanted_pages = page_count(state.budgets().ground_memory_mb).min(slots as usize);
        let mut pool = pool;
        if let Some(pool) = pool.as_mut().filter(|pool| pool.slots == slots) {
            if pool.ground.count() != wanted_pages {
                pool.bypass_change_detection().ground = GroundPages::new(wanted_pages, slots, &mut images);
                for handle in [&pool.material, &pool.holed_material, &pool.volume_material] {
                    if let Some(mut material) = materials.get_mut(handle) {
                        material.extension.pages = Some(pool.ground.image.clone());
                    }
                }
            }
            continue;
        }
        let buffer = |label, bytes: usize| storage_buffer(&device, label, bytes);
        let vertices = buffer("terrain vertex pool", slots as usize * VERTEX_BYTES);
        let paint_pages = paint_pages(slots);
        let ground = GroundPages::new(wanted_pages, slots, &mut images);
        let detail_normals = buffer(
            "terrain detail normals",
            slots as usize * DETAIL_NORMAL_BYTES + (paint_pages * CHUNK_PAINT_WORDS + HOLE_WORDS) * size_of::<u32>(),
        );
        let uniforms =
            buffer("terrain uniforms", size_of::<TerrainUniforms>() + slots as usize * size_of::<ChunkRecord>());
        let base = StandardMaterial { perceptual_roughness: 0.95, reflectance: 0.25, ..default() };
        let extension = TerrainExtension {
            vertices: vertices.clone(),
            uniforms: uniforms.clone(),
            detail_normals: detail_normals.clone(),
            sky: sky.0.clone(),
            albedo: None,
            normal: None,
            pages: Some(ground.image.clone()),
            has_holes: false,
            is_volume: false,
        };
        // Shadows leave pixels out in no other mode.
        let holed_base = StandardMaterial { alpha_mode: AlphaMode::Mask(0.5), ..base.clone() };
        let holed = TerrainExtension { has_holes: true, ..extension.clone() };
        let volume = TerrainExtension { is_volume: true, ..extension.clone() };
        let volume_material = materials.add(TerrainMaterial { base: base.clone(), extension: volume });
        let holed_material = materials.add(TerrainMaterial { base: holed_base, extension: holed });
        let material = materials.add(TerrainMaterial { base, extension });
        let pool = pool.as_deref();
        let grids = pool.map_or_else(|| Grids::new(&mut meshes), |pool| pool.grids.clone());
        let proxies = pool.map(|pool| [&pool.hole_proxy, &pool.volume_proxy]);
        for proxy in proxies.into_iter().flatten().flatten() {
            commands.entity(proxy.entity).try_despawn();
        }
        let sky = sky.0.clone();
        commands.entity(entity).insert(TerrainBuffers {
            vertices: vertices.clone(),
            uniforms: uniforms.clone(),
            detail_normals: detail_normals.clone(),
            sky: sky.clone(),
        });
        commands.entity(entity).insert(VertexPool {
            vertices,
            detail_normals,
            paint: PageTable::new(paint_pages),
            ground,
            uniforms,
            sky,
            slots,
            grids,
            material,
            holed_material,
            volume_material,
            volume_proxy: None,
            draws_volumes: pool.is_some_and(|pool| pool.draws_volumes),
            holes: HoleTable::default(),
            hole_proxy: None,
            draws_holes: pool.is_some_and(|pool| pool.draws_holes),
            placement: None,
        });
    }
}

/// Pages of paint beside a number of slots: for a world that is painted everywhere, as not all chunks in memory are drawn.
fn paint_pages(slots: u32) -> usize {
    slots as usize / 4
}

/// The flat meshes that chunks share: vertex (i, j) lies at (i, 0, j).
#[derive(Clone)]
struct Grids {
    full: Handle<Mesh>,
    /// The same, and with every second vertex, for quads that turn: each has four vertices of its own, whose heights are the numbers
    /// of its corners.
    of_quads: [Handle<Mesh>; 2],
}

impl Grids {
    fn new(meshes: &mut Assets<Mesh>) -> Self {
        let along = 0..CHUNK_VERTICES;
        let vertices = along.clone().flat_map(|j| along.clone().map(move |i| [i as f32, 0.0, j as f32]));
        let full = meshes.add(grid_mesh(vertices.collect(), grid_indices(CHUNK_QUADS)));
        let of_quads = [1, 2].map(|step| {
            let along = || (0..CHUNK_QUADS).step_by(step).map(|quad| quad as f32);
            let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|corner| corner.map(|index| (index * step) as f32));
            let quad = |i: f32, j: f32| {
                (0..4).map(move |corner| [i + corners[corner][0], corner as f32, j + corners[corner][1]])
            };
            let vertices: Vec<_> = along().flat_map(|j| along().flat_map(move |i| quad(i, j))).collect();
            let firsts = (0..vertices.len() as u16).step_by(4);
            let indices = firsts.flat_map(|first| [0, 3, 2, 0, 2, 1].map(|corner| first + corner)).collect();
            meshes.add(grid_mesh(vertices, indices))
        });
        Self { full, of_quads }
    }
}

fn grid_mesh(vertices: Vec<[f32; 3]>, indices: Vec<u16>) -> Mesh {
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vertices)
        .with_inserted_indices(Indices::U16(indices))
}

type Terrain = (
    &'static mut VertexPool,
    &'static mut TerrainState,
    &'static TerrainViewers,
    &'static GlobalTransform,
    &'static TerrainOrigin,
    &'static GroundUniforms,
    &'static CanopyUniforms,
    &'static PageInputs,
    Has<OwnMaterial>,
);

/// Hands on new vertices and this frame's numbers.
pub(super) fn upload(
    mut terrains: Query<Terrain>,
    views: Query<&ViewVisibility>,
    mut uploads: ResMut<Uploads>,
    mut fills: ResMut<PageFills>,
) {
    for (mut pool, mut state, viewers, transform, origin, ground, canopy, page_inputs, has_own_material) in
        &mut terrains
    {
        let (Some(lod), Some(ranges)) = (state.lod().copied(), state.ranges()) else { continue };
        let morph = MorphUniforms::new(origin, &lod, viewers.as_slice(), ranges, state.half_meshes());
        let now = Placement { transform: transform.affine(), origin: *origin };
        let before = pool.bypass_change_detection().placement.replace(now).unwrap_or(now);
        let (origin_quad, _) = split_origin(origin, lod.spacing);
        let mut records = vec![ChunkRecord::default(); pool.slots as usize];
        let pool = pool.bypass_change_detection();
        pool.paint.begin_frame();
        pool.write_holes(&state, &mut uploads);
        for DrawnSlot { key, slot, detail_normals, paint, holes, .. } in state.drawn_slots() {
            let Some(record) = records.get_mut(slot as usize) else { continue };
            *record = ChunkRecord { detail_normals, ..ChunkRecord::new(key, origin_quad) };
            if let Some(start) = holes.and_then(|_| pool.holes.start(slot)) {
                record.holes = (pool.first_hole() / size_of::<u32>() + start) as u32;
            }
            let Some(paint) = paint else { continue };
            let written = match pool.paint.draw(slot) {
                Some((page, held)) if held.is(paint) => Some((page, false)),
                _ => pool.paint.write(slot, paint.clone()).map(|page| (page, true)),
            };
            let Some((page, is_new)) = written else {
                warn_once!(
                    "some chunks are drawn without their paint: there is room for that of {} chunks, a quarter of those \
                     that fit in `memory_mb` of `TerrainStreaming`",
                    paint_pages(pool.slots)
                );
                continue;
            };
            let first = pool.slots as usize * DETAIL_NORMAL_BYTES + page * CHUNK_PAINT_WORDS * size_of::<u32>();
            record.paint = (first / size_of::<u32>()) as u32;
            if is_new {
                uploads.write(&pool.detail_normals, first, paint.words().to_vec());
                pool.ground.outdate(slot);
            }
        }
        for upload in state.bypass_change_detection().take_uploads() {
            match upload {
                Upload::Vertices { slot, vertices } => {
                    pool.ground.outdate(slot);
                    uploads.write(&pool.vertices, slot as usize * VERTEX_BYTES, vertices);
                }
                Upload::DetailNormals { slot, texels } => {
                    pool.ground.outdate(slot);
                    uploads.write(&pool.detail_normals, slot as usize * DETAIL_NORMAL_BYTES, texels);
                }
            }
        }
        let paged = |chunk: DrawnSlot| PagedChunk {
            key: chunk.key,
            slot: chunk.slot,
            detail_normals: chunk.detail_normals,
            is_painted: records.get(chunk.slot as usize).is_some_and(|record| record.paint > 0),
            is_seen: views.get(chunk.entity).is_ok_and(|view| view.get()),
        };
        let mut drawn: Vec<_> = state.drawn_slots().map(paged).collect();
        let quads = |chunk: &PagedChunk| CHUNK_QUADS / mesh::step(chunk.key.level, state.half_meshes());
        let triangles = drawn.iter().filter(|chunk| chunk.is_seen).map(|chunk| 2 * quads(chunk).pow(2) as u32).sum();
        if has_own_material {
            // Such a material reads no pages.
            drawn.clear();
        }
        let (pages, waiting) = if fills.is_ready() {
            pool.ground.assign(page_inputs, drawn, &mut records)
        } else {
            (Vec::new(), GroundPages::hide(&drawn, &mut records))
        };
        state.bypass_change_detection().outstanding_mut().pages = waiting as u32;
        state.bypass_change_detection().note_drawn(triangles, pages.len());
        if !pages.is_empty() {
            fills.push(Fill {
                image: pool.ground.image.id(),
                vertices: pool.vertices.clone(),
                uniforms: pool.uniforms.clone(),
                detail_normals: pool.detail_normals.clone(),
                pages,
            });
        }
        let uniforms = TerrainUniforms::new(&now, &before, morph, *ground, *canopy);
        uploads.write(&pool.uniforms, 0, vec![uniforms]);
        uploads.write(&pool.uniforms, size_of::<TerrainUniforms>(), records);
    }
}
