//! What is drawn of a volume: triangles at a level of detail, and the seam that joins them to the land.
//!
//! Vertices on the sides of the box lie on edges of the land's triangles of the same level. The land morphs with distance, and far
//! parts of a box may lie on coarser land: these vertices know the height of the land at each level, and the vertex shader moves
//! them as it moves the land. A *curtain* of a pixel or two along the sides covers what rounding leaves open.

use bevy::asset::RenderAssetUsages;
use bevy::camera::primitives::Aabb;
use bevy::math::Vec3;
use bevy::mesh::{Indices, Mesh, MeshVertexAttribute, PrimitiveTopology, VertexFormat};
use bevy::platform::collections::HashMap;
use terrain_noise::Scratch;

use super::lattice::Lattice;
use super::sky_light::SkyLight;
use crate::edits::VolumeHole;
use crate::source::HeightSource;

/// How much higher the land is drawn at a vertex on a side of the box, in metres: at the volume's own level, and at the next
/// three. 0 elsewhere.
pub(crate) const LAND_NEAR: MeshVertexAttribute =
    MeshVertexAttribute::new("TerrainVolumeLandNear", 0x7E44_A100, VertexFormat::Float32x4);
/// The same at the next four levels.
pub(crate) const LAND_FAR: MeshVertexAttribute =
    MeshVertexAttribute::new("TerrainVolumeLandFar", 0x7E44_A101, VertexFormat::Float32x4);
/// Levels whose land a seam knows.
const LEVELS: u8 = 8;

/// A mesh of a volume.
pub(crate) struct VolumeMesh {
    pub mesh: Mesh,
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
}

impl VolumeMesh {
    /// Of a volume at a level, relative to the corner of least x and z of its box; `None` if its land has no heights.
    pub fn build(hole: &VolumeHole, land: &dyn HeightSource, level: u8) -> Option<Self> {
        let rect = hole.volume.rect(hole.spacing);
        let cells = hole.cells(level, &rect)?;
        let mut scratch = Scratch::default();
        let lattice = Lattice::sample(&hole.volume, land, hole.spacing, cells, &mut scratch)?;
        let surface = lattice.surface(&mut scratch);
        let sky = SkyLight::new(&lattice);
        let [nx, _, nz] = lattice.count();
        let last = [(nx - 1) as f64, (nz - 1) as f64];
        let sides = |vertex: [f64; 3]| [vertex[0] == 0.0, vertex[0] == last[0], vertex[2] == 0.0, vertex[2] == last[1]];
        let seam = Seam { land, spacing: hole.spacing, first: level };
        let mut vertices =
            Vertices { normals: lattice.normals(&surface.vertices, &mut scratch), ..Vertices::default() };
        for &vertex in &surface.vertices {
            let at = lattice.site(vertex).at;
            vertices.positions.push([at[0] - rect.min[0], at[1], at[2] - rect.min[1]].map(|metres| metres as f32));
            vertices.light.push([sky.at(vertex), 0.0]);
            let is_side = sides(vertex).contains(&true);
            let offsets =
                if is_side { seam.offsets([at[0], at[2]], at[1], &mut scratch) } else { [0.0; LEVELS as usize] };
            let (near, far) = offsets.split_at(4);
            vertices.near.push([near[0], near[1], near[2], near[3]]);
            vertices.far.push([far[0], far[1], far[2], far[3]]);
        }
        let mut indices: Vec<u32> = surface.triangles.iter().flatten().copied().collect();
        let mut hung: HashMap<(u32, i8), u32> = HashMap::default();
        for corners in &surface.triangles {
            for k in 0..3 {
                let [a, b] = [corners[k], corners[(k + 1) % 3]];
                let [on_a, on_b] = [a, b].map(|vertex| sides(surface.vertices[vertex as usize]));
                if (0..4).any(|side| on_a[side] && on_b[side]) {
                    let mut hang = |vertex: u32, way: i8| {
                        *hung.entry((vertex, way)).or_insert_with(|| vertices.copy(vertex, f32::from(way)))
                    };
                    let [a_low, b_low, a_high, b_high] = [hang(a, -1), hang(b, -1), hang(a, 1), hang(b, 1)];
                    // Seen from both sides.
                    for [p, q, r] in [[a_low, b_low, b_high], [a_low, b_high, a_high]] {
                        indices.extend([p, q, r, p, r, q]);
                    }
                }
            }
        }
        let bounds = vertices.bounds(seam.reach(&vertices));
        let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vertices.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vertices.normals)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, vertices.light)
            .with_inserted_attribute(LAND_NEAR, vertices.near)
            .with_inserted_attribute(LAND_FAR, vertices.far)
            .with_inserted_indices(Indices::U32(indices));
        Some(Self { mesh, bounds })
    }
}

impl Vertices {
    /// Copies a vertex into the curtain.
    fn copy(&mut self, vertex: u32, way: f32) -> u32 {
        let vertex = vertex as usize;
        self.positions.push(self.positions[vertex]);
        self.normals.push(self.normals[vertex]);
        self.light.push([self.light[vertex][0], way]);
        self.near.push(self.near[vertex]);
        self.far.push(self.far[vertex]);
        self.positions.len() as u32 - 1
    }

    fn bounds(&self, reach: f32) -> Aabb {
        let points = self.positions.iter().map(|&at| Vec3::from(at));
        let (low, high) = points.fold((Vec3::MAX, Vec3::MIN), |(low, high), at| (low.min(at), high.max(at)));
        if low.x > high.x {
            return Aabb::default();
        }
        let up = Vec3::new(0.0, reach, 0.0);
        Aabb::from_min_max(low - up, high + up)
    }
}

/// The land along the sides.
struct Seam<'a> {
    land: &'a dyn HeightSource,
    spacing: f64,
    first: u8,
}

impl Seam<'_> {
    /// How much higher than `height` the land of each level is.
    fn offsets(&self, at: [f64; 2], height: f64, scratch: &mut Scratch) -> [f32; LEVELS as usize] {
        std::array::from_fn(|level| {
            let width = self.spacing * f64::from(1u32 << (self.first + level as u8).min(24));
            (self.triangle(at, width, scratch) - height) as f32
        })
    }

    /// The height of the land with vertices `width` metres apart.
    fn triangle(&self, at: [f64; 2], width: f64, scratch: &mut Scratch) -> f64 {
        let cell = at.map(|metres| (metres / width).floor());
        let [u, v] = [0, 1].map(|axis| at[axis] / width - cell[axis]);
        let corner = |i: f64, k: f64| [(cell[0] + i) * width, (cell[1] + k) * width];
        let corners = [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
        let mut heights = [0.0; 4];
        self.land.fill_points(&corners, width, scratch, &mut heights);
        let [a, b, c, d] = heights.map(f64::from);
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
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0f32; 3]; 3])
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0f32, 1.0, 0.0]; 3])
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, vec![[0.0f32; 2]; 3])
        .with_inserted_attribute(LAND_NEAR, vec![[0.0f32; 4]; 3])
        .with_inserted_attribute(LAND_FAR, vec![[0.0f32; 4]; 3])
        .with_inserted_indices(Indices::U32(vec![0, 1, 2]))
}
