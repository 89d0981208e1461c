//! Samples of a volume's density, and the triangles between rock and air.
//!
//! Triangles are those of marching cubes in the variant of Lengyel, ["Voxel-Based Terrain for Real-Time Virtual
//! Simulations"](https://transvoxel.org), 2010, whose cells fit together in all cases. Vertices lie on edges of cells, so at
//! the sides of the box they lie exactly on the edges of the land's triangles.

use bevy::platform::collections::HashMap;
use terrain_noise::{Grid, Scratch};
use transvoxel::prelude::{Block, BlockStarView, extract};
use transvoxel::structs::grid_point::GridPoint;
use transvoxel::structs::vertex_index::VertexIndex;
use transvoxel::structs::voxel_index::VoxelIndex;
use transvoxel::traits::mesh_builder::MeshBuilder;
use transvoxel::traits::voxel_block::VoxelBlock;

use super::density::{Density, LandPoint};
use super::prepared::Prepared;
use crate::source::HeightSource;

/// Cells along a side of the cubes in which triangles are looked for.
const CUBE: usize = 16;
/// Heights of samples, as a part of a cell over whole numbers of cells: land at a whole height does not lie on samples.
const OFFSET: f64 = 0.381_966;
/// How near vertices come to samples, in cells: triangles have an area.
const NEAREST: f64 = 1e-4;
/// The greatest number of samples of a lattice.
const MOST_SAMPLES: usize = 40_000_000;

/// Columns of cells of a level, seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    pub level: u8,
    /// Least x and z, in cells.
    pub first: [i64; 2],
    /// Number along x and z.
    pub count: [usize; 2],
}

/// Samples of a density.
#[cfg_attr(not(feature = "render"), allow(dead_code, reason = "normals are for what is drawn"))]
pub(crate) struct Lattice<'a> {
    density: Density<'a>,
    cells: Cells,
    /// Width of a cell in metres.
    width: f64,
    /// The lowest sample.
    bottom: i64,
    /// Samples along x, y and z.
    count: [usize; 3],
    /// Heights of the land, with one more sample on every side, x fastest.
    heights: Vec<f32>,
    /// x fastest, then y.
    values: Vec<f32>,
}

/// Triangles between rock and air.
#[derive(Default)]
pub(crate) struct Isosurface {
    /// In cells, from the first sample.
    pub vertices: Vec<[f64; 3]>,
    /// Counter-clockwise seen from the air.
    pub triangles: Vec<[u32; 3]>,
}

impl Isosurface {
    /// The same triangles, without vertices of none.
    fn without_unused(mut self) -> Self {
        let mut indices = vec![u32::MAX; self.vertices.len()];
        let mut vertices = Vec::new();
        for corner in self.triangles.iter_mut().flatten() {
            let index = &mut indices[*corner as usize];
            if *index == u32::MAX {
                *index = vertices.len() as u32;
                vertices.push(self.vertices[*corner as usize]);
            }
            *corner = *index;
        }
        Self { vertices, triangles: self.triangles }
    }
}

#[cfg_attr(not(feature = "render"), allow(dead_code, reason = "normals are for what is drawn"))]
impl<'a> Lattice<'a> {
    /// Samples columns of a volume; `None` if its land has no height somewhere, or if there were too many samples.
    pub fn sample(
        volume: &'a Prepared,
        land: &dyn HeightSource,
        spacing: f64,
        cells: Cells,
        scratch: &mut Scratch,
    ) -> Option<Self> {
        let width = spacing * f64::from(1u32 << cells.level);
        let density = Density::new(volume, spacing, width);
        let [nx, nz] = cells.count.map(|count| count + 1);
        let around = cells.first.map(|first| first - 1);
        let mut heights = vec![0.0; (nx + 2) * (nz + 2)];
        land.fill(&Grid::new(around, width, [nx + 2, nz + 2]), scratch, &mut heights);
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for &height in &heights {
            if !height.is_finite() {
                return None;
            }
            let [low, high] = density.span(f64::from(height));
            range = [range[0].min(low), range[1].max(high)];
        }
        let bottom = (range[0] / width - OFFSET).floor() as i64 - 1;
        let top = (range[1] / width - OFFSET).ceil() as i64 + 1;
        let ny = usize::try_from(top - bottom).ok()? + 1;
        if nx.checked_mul(ny)?.checked_mul(nz)? > MOST_SAMPLES {
            return None;
        }
        let mut lattice = Self { density, cells, width, bottom, count: [nx, ny, nz], heights, values: Vec::new() };
        lattice.values.reserve_exact(nx * ny * nz);
        for z in 0..nz {
            let sites: Vec<LandPoint> =
                (0..nx * ny).map(|k| lattice.site([k % nx, k / nx, z].map(|part| part as f64))).collect();
            lattice.values.extend(density.values(&sites, scratch).into_iter().map(|value| value as f32));
        }
        Some(lattice)
    }

    /// Samples along x, y and z.
    pub fn count(&self) -> [usize; 3] {
        self.count
    }

    /// Width of a cell in metres.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The density of a sample: above 0 in rock.
    pub fn value(&self, [x, y, z]: [usize; 3]) -> f32 {
        let [nx, ny, _] = self.count;
        self.values[(z * ny + y) * nx + x]
    }

    /// The height of a place, given in cells from the first sample, in metres.
    pub fn altitude(&self, y: f64) -> f64 {
        (self.bottom as f64 + OFFSET + y) * self.width
    }

    /// A point, given in cells from the first sample, and the land there.
    pub fn site(&self, [x, y, z]: [f64; 3]) -> LandPoint {
        let [nx, _, nz] = self.count;
        let cell = |metres: f64, count: usize| (metres as usize).min(count - 2);
        let [i, k] = [cell(x, nx), cell(z, nz)];
        let [u, v] = [x - i as f64, z - k as f64];
        let row = nx + 2;
        let height = |i: usize, k: usize| f64::from(self.heights[(k + 1) * row + i + 1]);
        let beside = |i: usize, k: usize, dx: usize, dz: usize| {
            let at = (k + 1) * row + i + 1;
            f64::from(self.heights[at + dx + dz * row]) - f64::from(self.heights[at - dx - dz * row])
        };
        // The land's triangles: the diagonal goes from lesser to greater x and z.
        let [a, b, c, d] = [height(i, k), height(i + 1, k), height(i + 1, k + 1), height(i, k + 1)];
        let land = if u >= v { a + u * (b - a) + v * (c - b) } else { a + v * (d - a) + u * (c - d) };
        let mix = |a: f64, b: f64, t: f64| a + t * (b - a);
        let slope = [[1, 0], [0, 1]].map(|[dx, dz]| {
            let corner = |i: usize, k: usize| beside(i, k, dx, dz);
            let rise = mix(mix(corner(i, k), corner(i + 1, k), u), mix(corner(i, k + 1), corner(i + 1, k + 1), u), v);
            0.5 * rise / self.width
        });
        let [first_x, first_z] = self.cells.first.map(|first| first as f64);
        let at = [(first_x + x) * self.width, self.altitude(y), (first_z + z) * self.width];
        LandPoint { at, height: land, slope }
    }

    /// Unit normals of the surface at its vertices, out of the rock.
    pub fn normals(&self, vertices: &[[f64; 3]], scratch: &mut Scratch) -> Vec<[f32; 3]> {
        let sites: Vec<_> = vertices.iter().map(|&vertex| self.site(vertex)).collect();
        self.density.normals(&sites, scratch)
    }

    /// The surface.
    pub fn surface(&self) -> Isosurface {
        let mut builder = Builder {
            lattice: self,
            first: [0; 3],
            edges: HashMap::default(),
            surface: Isosurface::default(),
            dropped: Vec::new(),
        };
        let cubes = self.count.map(|count| (count - 1).div_ceil(CUBE));
        for z in 0..cubes[2] {
            for y in 0..cubes[1] {
                for x in 0..cubes[0] {
                    let first = [x, y, z].map(|cube| cube * CUBE);
                    if self.has_surface(first) {
                        builder.first = first;
                        let block = Cube { lattice: self, first, block: Block::new([0.0; 3], CUBE as f32, CUBE) };
                        let view = BlockStarView::<f32, f32, &Cube<'_, '_>, &Cube<'_, '_>>::new_simple(&block);
                        builder = extract(&view, 0.0, builder);
                    }
                }
            }
        }
        builder.surface.without_unused()
    }

    /// Whether a cube has both rock and air.
    fn has_surface(&self, first: [usize; 3]) -> bool {
        let last = [0, 1, 2].map(|axis| (first[axis] + CUBE).min(self.count[axis] - 1));
        let is_rock = self.value(first) > 0.0;
        (first[2]..=last[2]).any(|z| {
            (first[1]..=last[1]).any(|y| {
                let start = (z * self.count[1] + y) * self.count[0];
                self.values[start + first[0]..=start + last[0]].iter().any(|&value| (value > 0.0) != is_rock)
            })
        })
    }
}

/// A cube of cells.
struct Cube<'a, 'b> {
    lattice: &'a Lattice<'b>,
    first: [usize; 3],
    block: Block<f32>,
}

impl VoxelBlock<f32, f32> for Cube<'_, '_> {
    fn block(&self) -> &Block<f32> {
        &self.block
    }

    fn get(&self, index: VoxelIndex) -> f32 {
        let VoxelIndex { x, y, z } = index;
        let at = [(0, x), (1, y), (2, z)]
            .map(|(axis, index)| self.first[axis].saturating_add_signed(index).min(self.lattice.count[axis] - 1));
        self.lattice.value(at)
    }
}

/// Collects triangles; vertices of neighbouring cubes are the same.
struct Builder<'a, 'b> {
    lattice: &'a Lattice<'b>,
    first: [usize; 3],
    /// Vertices by the edge they lie on: its lower sample and its axis.
    edges: HashMap<u64, u32>,
    surface: Isosurface,
    /// Whether a vertex lies beyond the samples, where cubes are not full.
    dropped: Vec<bool>,
}

impl MeshBuilder<f32, f32> for Builder<'_, '_> {
    fn add_vertex_between(&mut self, a: GridPoint<f32, f32>, b: GridPoint<f32, f32>, _: f32) -> VertexIndex {
        let sample = |point: &GridPoint<f32, f32>| {
            let local = [point.position.x, point.position.y, point.position.z];
            [0, 1, 2].map(|axis| self.first[axis] + local[axis] as usize)
        };
        let [mut a, mut b] = [(sample(&a), a.voxel_data), (sample(&b), b.voxel_data)];
        if b.0 < a.0 {
            std::mem::swap(&mut a, &mut b);
        }
        let axis = (0..3).find(|&axis| a.0[axis] != b.0[axis]).unwrap_or(0);
        // Samples beyond the last are numbered too.
        let place = |axis: usize| (self.lattice.count[axis] + CUBE + 1) as u64;
        let key = 3 * ((a.0[2] as u64 * place(1) + a.0[1] as u64) * place(0) + a.0[0] as u64) + axis as u64;
        let next = self.surface.vertices.len() as u32;
        let index = *self.edges.entry(key).or_insert(next);
        if index == next {
            let [low, high] = [a.1, b.1].map(f64::from);
            let part = (low / (low - high)).clamp(NEAREST, 1.0 - NEAREST);
            let mut vertex = a.0.map(|part| part as f64);
            vertex[axis] += part;
            self.surface.vertices.push(vertex);
            self.dropped.push((0..3).any(|axis| b.0[axis] >= self.lattice.count[axis]));
        }
        VertexIndex(index as usize)
    }

    fn add_triangle(&mut self, a: VertexIndex, b: VertexIndex, c: VertexIndex) {
        let corners = [a.0, b.0, c.0];
        if !corners.iter().any(|&corner| self.dropped[corner]) {
            self.surface.triangles.push(corners.map(|corner| corner as u32));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrain_noise::prelude::*;

    use super::super::list::VolumeId;
    use super::super::prepared::COARSEST;
    use super::super::volume::{TerrainVolume, VolumeShape};
    use super::{Lattice, *};
    use crate::edits::VolumeHole;
    use crate::source::NoiseSource;

    fn land() -> NoiseSource {
        NoiseSource(perlin().fbm().octaves(3).feature_size(60.0).range(-12.0, 12.0).build(3).unwrap())
    }

    fn volume() -> Prepared {
        let noise = |size: f64, most: f64| perlin().fbm().octaves(2).feature_size(size).range(-most, most);
        let shapes = vec![
            VolumeShape::Displace { noise: noise(12.0, 5.0) },
            VolumeShape::Fill { noise: noise(10.0, 8.0) },
            VolumeShape::Carve { noise: noise(14.0, 9.0) },
        ];
        Prepared::new(TerrainVolume { center: [8.0, 40.0], shapes, ..TerrainVolume::default() }).unwrap()
    }

    fn whole(volume: &Prepared, level: u8) -> Cells {
        let rect = volume.rect(1.0);
        let width = f64::from(1u32 << level);
        let first = [0, 1].map(|axis| (rect.min[axis] / width) as i64);
        Cells { level, first, count: [0, 1].map(|axis| ((rect.max[axis] - rect.min[axis]) / width) as usize) }
    }

    #[test]
    fn the_surface_is_closed_but_for_the_sides() {
        let (volume, land) = (volume(), land());
        for level in 0..4 {
            let lattice = Lattice::sample(&volume, &land, 1.0, whole(&volume, level), &mut Scratch::default()).unwrap();
            let surface = lattice.surface();
            assert!(surface.triangles.len() > 10_000 >> (2 * level), "{}", surface.triangles.len());
            let mut edges: HashMap<[u32; 2], i32> = HashMap::default();
            for &[a, b, c] in &surface.triangles {
                for [from, to] in [[a, b], [b, c], [c, a]] {
                    *edges.entry([from.min(to), from.max(to)]).or_default() += if from < to { 1 } else { -1 };
                }
            }
            let [nx, _, nz] = lattice.count();
            let side = |v: [f64; 3]| [v[0] == 0.0, v[0] == (nx - 1) as f64, v[2] == 0.0, v[2] == (nz - 1) as f64];
            let mut open = 0;
            for ([a, b], count) in edges {
                if count != 0 {
                    let [a, b] = [a, b].map(|vertex| side(surface.vertices[vertex as usize]));
                    assert!((0..4).any(|side| a[side] && b[side]), "an open edge within");
                    open += 1;
                }
            }
            assert!(open >= 4 * (nx - 1), "{open}");
        }
    }

    #[test]
    fn its_sides_are_the_land_vertex_by_vertex() {
        let (volume, land) = (volume(), land());
        for level in 0..4 {
            let lattice = Lattice::sample(&volume, &land, 1.0, whole(&volume, level), &mut Scratch::default()).unwrap();
            let mut met = 0;
            for vertex in lattice.surface().vertices {
                let [nx, _, nz] = lattice.count();
                let is_side = vertex[0] == 0.0
                    || vertex[0] == (nx - 1) as f64
                    || vertex[2] == 0.0
                    || vertex[2] == (nz - 1) as f64;
                if is_side {
                    let site = lattice.site(vertex);
                    assert!((site.at[1] - site.height).abs() < 2e-4 * lattice.width(), "{site:?}");
                    met += 1;
                }
            }
            assert!(met >= 4 * (whole(&volume, level).count[0]), "{met}");
        }
    }

    #[test]
    fn cells_of_every_level_fill_the_box() {
        let volume = TerrainVolume { center: [7.3, -901.0], size: [3.0, 70.0], ..TerrainVolume::default() };
        let volume = Arc::new(Prepared::new(volume).unwrap());
        for spacing in [0.3, 1.0, 2.5] {
            let rect = volume.rect(spacing);
            let hole = VolumeHole { id: VolumeId(0), volume: volume.clone(), spacing, is_drawn: true };
            for level in 0..=COARSEST {
                let Cells { first, count, .. } = hole.cells(level, &rect).unwrap();
                let width = spacing * f64::from(1u32 << level);
                for axis in 0..2 {
                    let side = |cells: i64, metres: f64| assert!((cells as f64 * width - metres).abs() < 1e-6);
                    side(first[axis], rect.min[axis]);
                    side(first[axis] + count[axis] as i64, rect.max[axis]);
                }
            }
        }
    }

    #[test]
    fn triangles_face_the_air() {
        let (volume, land) = (volume(), land());
        let lattice = Lattice::sample(&volume, &land, 1.0, whole(&volume, 0), &mut Scratch::default()).unwrap();
        let surface = lattice.surface();
        let normals = lattice.normals(&surface.vertices, &mut Scratch::default());
        let (mut with, mut against) = (0, 0);
        for &[a, b, c] in &surface.triangles {
            let [p, q, r] = [a, b, c].map(|vertex| bevy::math::DVec3::from(surface.vertices[vertex as usize]));
            let face = (q - p).cross(r - p);
            let normal: bevy::math::Vec3 =
                [a, b, c].map(|vertex| bevy::math::Vec3::from(normals[vertex as usize])).iter().sum();
            *if face.dot(normal.as_dvec3()) > 0.0 { &mut with } else { &mut against } += 1;
        }
        assert!(against * 50 < with, "{against} of {with}");
    }

    #[test]
    fn parts_of_a_box_have_the_triangles_of_the_whole() {
        let (volume, land) = (volume(), land());
        let all = whole(&volume, 0);
        let area = |cells: Cells| {
            let lattice = Lattice::sample(&volume, &land, 1.0, cells, &mut Scratch::default()).unwrap();
            let surface = lattice.surface();
            let point = |v: u32| bevy::math::DVec3::from(surface.vertices[v as usize]);
            surface
                .triangles
                .iter()
                .map(|&[a, b, c]| (point(b) - point(a)).cross(point(c) - point(a)).length())
                .sum::<f64>()
        };
        let half = all.count[0] / 2;
        let left = Cells { count: [half, all.count[1]], ..all };
        let right = Cells {
            first: [all.first[0] + half as i64, all.first[1]],
            count: [all.count[0] - half, all.count[1]],
            ..all
        };
        let parts = area(left) + area(right);
        assert!((area(all) - parts).abs() < 1e-6 * parts, "{} {parts}", area(all));
    }

    #[test]
    fn the_cost_of_a_volume_is_bounded_by_that_of_its_samples() {
        let noise = perlin().fbm().octaves(4).feature_size(30.0).range(-9.0, 9.0);
        let sampler = noise.clone().build(5).unwrap();
        let shapes = vec![VolumeShape::Carve { noise }];
        let volume = TerrainVolume { depth: 61.0, height: 1.0, falloff: 0.1, shapes, ..TerrainVolume::default() };
        let volume = Prepared::new(volume).unwrap();
        let land = NoiseSource(constant(0.25).build(0).unwrap());
        let mut scratch = Scratch::default();
        let mut least = [f64::INFINITY; 2];
        for _ in 0..5 {
            let began = std::time::Instant::now();
            let points: Vec<[f64; 3]> =
                (0..65 * 65 * 65).map(|k| [k % 65, k / 65 % 65, k / 4_225].map(f64::from)).collect();
            let mut values = vec![0.0; points.len()];
            sampler.fill_points_3d(&points, 1.0, &mut scratch, &mut values);
            least[0] = least[0].min(began.elapsed().as_secs_f64());
            let began = std::time::Instant::now();
            let lattice = Lattice::sample(&volume, &land, 1.0, whole(&volume, 0), &mut scratch).unwrap();
            let sampled = began.elapsed();
            let surface = lattice.surface();
            let extracted = began.elapsed();
            let normals = lattice.normals(&surface.vertices, &mut scratch);
            println!("sampled after {sampled:?}, triangles after {extracted:?}, normals after {:?}", began.elapsed());
            assert!(surface.triangles.len() > 5_000 && normals.len() == surface.vertices.len());
            least[1] = least[1].min(began.elapsed().as_secs_f64());
        }
        let [samples, whole] = least.map(|seconds| 1e3 * seconds);
        println!("64 cells cubed: samples {samples:.1} ms, volume {whole:.1} ms, {:.2} times as long", whole / samples);
        // Seven times on a quiet machine.
        assert!(whole < 20.0 * samples, "{whole} {samples}");
    }
}
