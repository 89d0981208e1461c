//! What is drawn of a volume: pieces of its surface, each at a level of detail, and the seams that join them.
//!
//! With distance the vertices of a piece move to the surface of the next coarser level (`morph_target`), as those of the land do.
//! Vertices on the sides of the box lie on edges of the land's triangles of the same level. The land morphs with distance, and far
//! parts of a box may lie on coarser land: these vertices know the height of the land at each level, and the vertex shader moves
//! them as it moves the land. A *curtain* of a pixel or two along the sides covers what rounding leaves open. Where pieces of
//! different levels meet, a *skirt* reaches from their borders into the rock.

use bevy::asset::RenderAssetUsages;
use bevy::camera::primitives::Aabb;
use bevy::math::{DVec3, Vec3};
use bevy::mesh::{Indices, Mesh, MeshVertexAttribute, PrimitiveTopology, VertexAttributeValues, VertexFormat};
use bevy::platform::collections::HashMap;
use terrain_noise::Scratch;

use super::isosurface::{Extent, Isosurface};
use super::lattice::Lattice;
use super::morph_target::{MorphTargets, Target};
use super::prepared::COARSEST;
use super::sky_light::{SkyLight, apron};
use crate::edits::{Rect, VolumeHole};
use crate::mesh;
use crate::source::HeightSource;

/// How much higher the land is drawn at a vertex on a side of the box, in metres: at the piece's own level, and at the next
/// three. 0 elsewhere.
pub(crate) const LAND_NEAR: MeshVertexAttribute =
    MeshVertexAttribute::new("TerrainVolumeLandNear", 0x7E44_A100, VertexFormat::Float32x4);
/// The same at the next four levels.
pub(crate) const LAND_FAR: MeshVertexAttribute =
    MeshVertexAttribute::new("TerrainVolumeLandFar", 0x7E44_A101, VertexFormat::Float32x4);
/// Where a vertex is at the next coarser level.
pub(crate) const TARGET: MeshVertexAttribute =
    MeshVertexAttribute::new("TerrainVolumeTarget", 0x7E44_A102, VertexFormat::Float32x3);
/// Its normal there, and the light of the sky.
pub(crate) const TARGET_SHADE: MeshVertexAttribute =
    MeshVertexAttribute::new("TerrainVolumeTargetShade", 0x7E44_A103, VertexFormat::Snorm8x4);
/// Levels whose land a seam knows.
const LEVELS: u8 = 8;
/// How far skirts reach into the rock, in cells.
const SKIRT: f64 = 0.75;

/// A mesh of a piece.
pub(crate) struct VolumeMesh {
    /// `None` where nothing is to be seen.
    pub mesh: Option<Mesh>,
    pub bounds: Aabb,
}

/// Vertices and what belongs to each.
#[derive(Default)]
struct Vertices {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    /// Light of the sky, and which way the curtain hangs: −1, 0 or 1.
    light: Vec<[f32; 2]>,
    near: Vec<[f32; 4]>,
    far: Vec<[f32; 4]>,
    targets: Vec<[f32; 3]>,
    shades: Vec<[i8; 4]>,
}

/// The four borders of a piece: least x, greatest x, least z, greatest z.
struct Borders {
    extent: Extent,
    /// Whether each is a side of the box.
    is_side: [bool; 4],
}

/// What vertices along a border are copied for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Strip {
    /// The curtain, below or above.
    Curtain(i8),
    Skirt,
}

impl VolumeMesh {
    /// Of a piece of a volume at a level, relative to the piece's corner of least x and z; `None` if its land has no heights.
    /// Pieces consist of whole cells of the coarsest level. The land around is drawn with half meshes or with whole ones.
    pub fn build(
        hole: &VolumeHole,
        land: &dyn HeightSource,
        piece: &Rect,
        level: u8,
        half_meshes: bool,
    ) -> Option<Self> {
        let mut scratch = Scratch::default();
        let around = piece.grown(apron(hole.spacing) * hole.spacing);
        let cells = hole.cells(level, &around)?;
        let own = hole.cells(level, piece)?;
        let lattice = Lattice::sample(&hole.volume, land, hole.spacing, cells, &mut scratch)?;
        let [_, ny, _] = lattice.count();
        let first = [0, 1].map(|axis| usize::try_from(own.first[axis] - cells.first[axis]).unwrap_or(0));
        let extent =
            Extent { first: [first[0], 0, first[1]], last: [first[0] + own.count[0], ny - 1, first[1] + own.count[1]] };
        let surface = lattice.surface_of(extent, &mut scratch);
        let coarser = if level < COARSEST {
            let cells = hole.cells(level + 1, &around)?;
            let lattice = Lattice::sample(&hole.volume, land, hole.spacing, cells, &mut scratch)?;
            Some(MorphTargets::new(lattice, hole.spacing, &mut scratch))
        } else {
            None
        };
        let sky = SkyLight::new(&lattice, hole.spacing);
        let borders = Borders::new(extent, lattice.count());
        let seam = Seam { land, spacing: hole.spacing, first: level, half_meshes };
        let normals = lattice.normals(&surface.vertices, &mut scratch);
        let mut vertices = Vertices::default();
        for (&vertex, normal) in surface.vertices.iter().zip(normals) {
            let at = lattice.site(vertex).at;
            let is_side = borders.is_on_side(vertex);
            let own = Target { at: at.into(), normal: normal.map(f64::from).into(), light: sky.at(vertex).into() };
            let target = coarser.as_ref().filter(|_| !is_side).and_then(|coarser| coarser.nearest(at, own.normal));
            let offsets =
                if is_side { seam.offsets([at[0], at[2]], at[1], &mut scratch) } else { [0.0; LEVELS as usize] };
            vertices.push(&own, &target.unwrap_or(own), offsets, DVec3::new(piece.min[0], 0.0, piece.min[1]));
        }
        let indices = vertices.add_strips(&surface, &borders, (SKIRT * lattice.width()) as f32);
        let bounds = vertices.bounds(seam.reach(&vertices));
        let mesh = (!indices.is_empty()).then(|| vertices.mesh(indices));
        Some(Self { mesh, bounds })
    }
}

impl Borders {
    fn new(extent: Extent, count: [usize; 3]) -> Self {
        let is_side = [0, 2].map(|axis| [extent.first[axis] == 0, extent.last[axis] == count[axis] - 1]);
        Self { extent, is_side: [is_side[0][0], is_side[0][1], is_side[1][0], is_side[1][1]] }
    }

    /// Which borders a vertex lies on.
    fn of(&self, vertex: [f64; 3]) -> [bool; 4] {
        let Extent { first, last } = self.extent;
        [(first, 0), (last, 0), (first, 2), (last, 2)].map(|(samples, axis)| vertex[axis] == samples[axis] as f64)
    }

    fn is_on_side(&self, vertex: [f64; 3]) -> bool {
        self.of(vertex).into_iter().zip(self.is_side).any(|(is_on, is_side)| is_on && is_side)
    }
}

impl Vertices {
    /// Adds a vertex; `origin` is what positions are relative to.
    fn push(&mut self, own: &Target, target: &Target, land: [f32; LEVELS as usize], origin: DVec3) {
        let relative = |at: DVec3| (at - origin).as_vec3().to_array();
        self.positions.push(relative(own.at));
        self.normals.push(own.normal.as_vec3().to_array());
        self.light.push([own.light as f32, 0.0]);
        let (near, far) = land.split_at(4);
        self.near.push([near[0], near[1], near[2], near[3]]);
        self.far.push([far[0], far[1], far[2], far[3]]);
        self.targets.push(relative(target.at));
        let DVec3 { x, y, z } = target.normal;
        self.shades.push([x, y, z, target.light].map(|part| (127.0 * part).round() as i8));
    }

    /// Adds curtains and skirts along the borders of a surface whose vertices are there already, and returns the indices of all
    /// triangles.
    fn add_strips(&mut self, surface: &Isosurface, borders: &Borders, skirt: f32) -> Vec<u32> {
        let mut indices: Vec<u32> = surface.triangles.iter().flatten().copied().collect();
        let mut copies: HashMap<(u32, Strip), u32> = HashMap::default();
        let mut copy = |vertices: &mut Self, vertex: u32, strip: Strip| {
            *copies.entry((vertex, strip)).or_insert_with(|| vertices.copy(vertex, strip, skirt))
        };
        for corners in &surface.triangles {
            for k in 0..3 {
                let [a, b] = [corners[k], corners[(k + 1) % 3]];
                let [on_a, on_b] = [a, b].map(|vertex| borders.of(surface.vertices[vertex as usize]));
                let Some(border) = (0..4).find(|&border| on_a[border] && on_b[border]) else { continue };
                let [a_low, b_low, a_high, b_high] = if borders.is_side[border] {
                    [(a, -1), (b, -1), (a, 1), (b, 1)].map(|(vertex, way)| copy(self, vertex, Strip::Curtain(way)))
                } else {
                    let [a_low, b_low] = [a, b].map(|vertex| copy(self, vertex, Strip::Skirt));
                    [a_low, b_low, a, b]
                };
                // Seen from both sides.
                for [p, q, r] in [[a_low, b_low, b_high], [a_low, b_high, a_high]] {
                    indices.extend([p, q, r, p, r, q]);
                }
            }
        }
        indices
    }

    /// Copies a vertex.
    fn copy(&mut self, vertex: u32, strip: Strip, skirt: f32) -> u32 {
        let vertex = vertex as usize;
        let (way, down) = match strip {
            Strip::Curtain(way) => (f32::from(way), Vec3::ZERO),
            Strip::Skirt => (0.0, -skirt * Vec3::from(self.normals[vertex])),
        };
        let moved = |at: [f32; 3]| (Vec3::from(at) + down).to_array();
        self.positions.push(moved(self.positions[vertex]));
        self.targets.push(moved(self.targets[vertex]));
        self.normals.push(self.normals[vertex]);
        self.light.push([self.light[vertex][0], way]);
        self.near.push(self.near[vertex]);
        self.far.push(self.far[vertex]);
        self.shades.push(self.shades[vertex]);
        self.positions.len() as u32 - 1
    }

    fn bounds(&self, reach: f32) -> Aabb {
        let points = self.positions.iter().chain(&self.targets).map(|&at| Vec3::from(at));
        let (low, high) = points.fold((Vec3::MAX, Vec3::MIN), |(low, high), at| (low.min(at), high.max(at)));
        if low.x > high.x {
            return Aabb::default();
        }
        let up = Vec3::new(0.0, reach, 0.0);
        Aabb::from_min_max(low - up, high + up)
    }

    fn mesh(self, indices: Vec<u32>) -> Mesh {
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, self.light)
            .with_inserted_attribute(LAND_NEAR, self.near)
            .with_inserted_attribute(LAND_FAR, self.far)
            .with_inserted_attribute(TARGET, self.targets)
            .with_inserted_attribute(TARGET_SHADE, VertexAttributeValues::Snorm8x4(self.shades))
            .with_inserted_indices(Indices::U32(indices))
    }
}

/// The land along the sides.
struct Seam<'a> {
    land: &'a dyn HeightSource,
    spacing: f64,
    first: u8,
    half_meshes: bool,
}

impl Seam<'_> {
    /// How much higher than `height` the land of each level is.
    fn offsets(&self, at: [f64; 2], height: f64, scratch: &mut Scratch) -> [f32; LEVELS as usize] {
        std::array::from_fn(|level| {
            let level = (self.first + level as u8).min(24);
            let width = self.spacing * f64::from(1u32 << level);
            (self.triangle(at, width, mesh::step(level, self.half_meshes), scratch) - height) as f32
        })
    }

    /// The height of the land with vertices `spacing` metres apart, of which every `step`th is drawn.
    fn triangle(&self, at: [f64; 2], spacing: f64, step: usize, scratch: &mut Scratch) -> f64 {
        let width = step as f64 * spacing;
        let cell = at.map(|metres| (metres / width).floor());
        let [u, v] = [0, 1].map(|axis| at[axis] / width - cell[axis]);
        let corner = |i: f64, k: f64| [(cell[0] + i) * width, (cell[1] + k) * width];
        let corners = [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
        let mut heights = [0.0; 4];
        self.land.fill_points(&corners, spacing, scratch, &mut heights);
        let [a, b, c, d] = heights.map(f64::from);
        if step > 1 && mesh::is_turned(heights) {
            return if u + v <= 1.0 {
                a + u * (b - a) + v * (d - a)
            } else {
                c + (1.0 - u) * (d - c) + (1.0 - v) * (b - c)
            };
        }
        if u >= v { a + u * (b - a) + v * (c - b) } else { a + v * (d - a) + u * (c - d) }
    }

    /// How far vertices move.
    fn reach(&self, vertices: &Vertices) -> f32 {
        let all = vertices.near.iter().chain(&vertices.far).flatten();
        all.fold(0.0, |most: f32, offset| most.max(offset.abs())) + 1.0
    }
}

/// A triangle of no size, with what vertices of volumes have.
pub(crate) fn no_triangle() -> Mesh {
    let mut vertices = Vertices::default();
    let nowhere = Target { at: DVec3::ZERO, normal: DVec3::Y, light: 0.0 };
    for _ in 0..3 {
        vertices.push(&nowhere, &nowhere, [0.0; LEVELS as usize], DVec3::ZERO);
    }
    vertices.mesh(vec![0, 1, 2])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::lattice::tests::{cube, land, volume};
    use super::super::list::VolumeId;
    use super::super::places::VolumeKey;
    use super::*;

    #[test]
    fn a_piece_costs_little_more_than_its_surface() {
        let (volume, land) = cube();
        let hole =
            VolumeHole { key: VolumeKey::Listed(VolumeId(0)), volume: Arc::new(volume), spacing: 1.0, is_drawn: true };
        let whole = hole.volume.rect(1.0);
        let least = |work: &mut dyn FnMut()| {
            let time = |_| {
                let began = std::time::Instant::now();
                work();
                began.elapsed().as_secs_f64()
            };
            (0..4).map(time).fold(f64::INFINITY, f64::min)
        };
        let surface = least(&mut || {
            let mut scratch = Scratch::default();
            let cells = hole.cells(0, &whole).unwrap();
            let lattice = Lattice::sample(&hole.volume, &land, 1.0, cells, &mut scratch).unwrap();
            let surface = lattice.surface(&mut scratch);
            assert!(lattice.normals(&surface.vertices, &mut scratch).len() > 2_500);
        });
        let piece = least(&mut || assert!(VolumeMesh::build(&hole, &land, &whole, 0, false).unwrap().mesh.is_some()));
        println!("surface {:.1} ms, piece {:.1} ms", 1e3 * surface, 1e3 * piece);
        // Its light, its targets, its seam. A piece has a border of 16 quads besides, where its box goes on.
        assert!(piece < 4.0 * surface, "{piece} {surface}");
    }

    #[test]
    fn pieces_of_one_level_meet_vertex_by_vertex_and_move_alike() {
        let hole = VolumeHole {
            key: VolumeKey::Listed(VolumeId(0)),
            volume: Arc::new(volume()),
            spacing: 1.0,
            is_drawn: true,
        };
        let whole = hole.volume.rect(1.0);
        let middle = whole.min[0] + 32.0;
        let halves = [Rect { max: [middle, whole.max[1]], ..whole }, Rect { min: [middle, whole.min[1]], ..whole }];
        for level in 0..4 {
            // Position, target and light of the vertices on the border between the two, in absolute metres.
            let borders = halves.map(|half| {
                let mesh = VolumeMesh::build(&hole, &land(), &half, level, false).unwrap().mesh.unwrap();
                let part = |attribute: MeshVertexAttribute| {
                    let Some(VertexAttributeValues::Float32x3(values)) = mesh.attribute(attribute) else { panic!() };
                    let origin = Vec3::new(half.min[0] as f32, 0.0, half.min[1] as f32);
                    values.iter().map(|&at| Vec3::from(at) + origin).collect::<Vec<_>>()
                };
                let (places, targets) = (part(Mesh::ATTRIBUTE_POSITION), part(TARGET));
                let mut border: Vec<_> = places
                    .into_iter()
                    .zip(targets)
                    .filter(|(place, _)| place.x == middle as f32)
                    .map(|(place, target)| [place, target].map(|at| (64.0 * at).round().as_ivec3().to_array()))
                    .collect();
                border.sort_unstable();
                border.dedup();
                border
            });
            let [left, right] = &borders;
            let same = left.iter().filter(|vertex| right.contains(vertex)).count();
            // Rounding may part a few of them.
            assert!(
                left.len() >= 64 >> level && 50 * same >= 49 * left.len().max(right.len()),
                "{same} of {}",
                left.len()
            );
        }
    }
}
