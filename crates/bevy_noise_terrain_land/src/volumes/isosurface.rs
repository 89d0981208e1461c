//! The triangles between rock and air.
//!
//! They are those of marching cubes in the variant of Lengyel, ["Voxel-Based Terrain for Real-Time Virtual
//! Simulations"](https://transvoxel.org), 2010, whose cells fit together in all cases. Vertices lie on edges of cells, so at
//! the sides of the box they lie exactly on the edges of the land's triangles.

use bevy::platform::collections::HashMap;
use terrain_noise::Scratch;
use transvoxel::prelude::{Block, BlockStarView, extract};
use transvoxel::structs::grid_point::GridPoint;
use transvoxel::structs::vertex_index::VertexIndex;
use transvoxel::structs::voxel_index::VoxelIndex;
use transvoxel::traits::mesh_builder::MeshBuilder;
use transvoxel::traits::voxel_block::VoxelBlock;

use super::lattice::Lattice;

/// Cells along a side of the cubes in which triangles are looked for.
const CUBE: usize = 16;
/// How near vertices come to samples, in cells: triangles have an area.
const NEAREST: f64 = 1e-4;
/// How often the place of a vertex is improved. Between samples densities are not straight where surfaces meet, and edges
/// would be saws.
const ROUNDS: usize = 3;
/// Nearer to the surface, in cells, a vertex is not improved.
const EXACT: f64 = 1e-3;

/// A box of samples of a lattice, the last ones included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub first: [usize; 3],
    pub last: [usize; 3],
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

impl Lattice<'_> {
    /// All of the surface.
    pub fn surface(&self, scratch: &mut Scratch) -> Isosurface {
        self.surface_of(Extent { first: [0; 3], last: self.count().map(|count| count - 1) }, scratch)
    }

    /// The surface within a part of the samples.
    pub fn surface_of(&self, extent: Extent, scratch: &mut Scratch) -> Isosurface {
        let mut builder = Builder {
            lattice: self,
            last: extent.last,
            first: extent.first,
            edges: HashMap::default(),
            crossings: Vec::new(),
            triangles: Vec::new(),
            dropped: Vec::new(),
        };
        let cubes = [0, 1, 2].map(|axis| (extent.last[axis] - extent.first[axis]).div_ceil(CUBE));
        for z in 0..cubes[2] {
            for y in 0..cubes[1] {
                for x in 0..cubes[0] {
                    let first = [(0, x), (1, y), (2, z)].map(|(axis, cube)| extent.first[axis] + cube * CUBE);
                    if self.has_surface(first, extent.last) {
                        builder.first = first;
                        let block = Block::new([0.0; 3], CUBE as f32, CUBE);
                        let block = Cube { lattice: self, first, last: extent.last, block };
                        let view = BlockStarView::<f32, f32, &Cube<'_, '_>, &Cube<'_, '_>>::new_simple(&block);
                        builder = extract(&view, 0.0, builder);
                    }
                }
            }
        }
        let Builder { crossings, triangles, .. } = builder;
        Isosurface { vertices: self.vertices(crossings, scratch), triangles }.without_unused()
    }

    /// Where the density is 0 on edges of cells.
    fn vertices(&self, mut crossings: Vec<Crossing>, scratch: &mut Scratch) -> Vec<[f64; 3]> {
        let mut open: Vec<usize> = (0..crossings.len()).collect();
        for _ in 0..ROUNDS {
            let places: Vec<_> = open.iter().map(|&index| crossings[index].place()).collect();
            let values = self.values_at(&places, scratch);
            for (&index, &value) in open.iter().zip(&values) {
                crossings[index].narrow(value);
            }
            let mut values = values.iter();
            open.retain(|_| values.next().is_some_and(|value| value.abs() > EXACT * self.width()));
        }
        crossings.iter().map(Crossing::place).collect()
    }

    /// Whether a cube has both rock and air.
    fn has_surface(&self, first: [usize; 3], last: [usize; 3]) -> bool {
        let last = [0, 1, 2].map(|axis| (first[axis] + CUBE).min(last[axis]));
        let is_rock = self.value(first) > 0.0;
        (first[2]..=last[2]).any(|z| {
            (first[1]..=last[1])
                .any(|y| self.row(y, z)[first[0]..=last[0]].iter().any(|&value| (value > 0.0) != is_rock))
        })
    }
}

/// A cube of cells.
struct Cube<'a, 'b> {
    lattice: &'a Lattice<'b>,
    first: [usize; 3],
    /// The last samples that count; those beyond repeat them.
    last: [usize; 3],
    block: Block<f32>,
}

impl VoxelBlock<f32, f32> for Cube<'_, '_> {
    fn block(&self) -> &Block<f32> {
        &self.block
    }

    fn get(&self, index: VoxelIndex) -> f32 {
        let VoxelIndex { x, y, z } = index;
        let at = [(0, x), (1, y), (2, z)]
            .map(|(axis, index)| self.first[axis].saturating_add_signed(index).min(self.last[axis]));
        self.lattice.value(at)
    }
}

/// An edge of a cell with rock at one end and air at the other.
struct Crossing {
    /// Its lower sample.
    from: [usize; 3],
    axis: usize,
    /// The part of it that the surface lies in, from 0 to 1, and the densities there.
    part: [f64; 2],
    values: [f64; 2],
}

impl Crossing {
    /// Where the density would be 0 if it were straight.
    fn middle(&self) -> f64 {
        let ([from, to], [low, high]) = (self.part, self.values);
        (from + (to - from) * low / (low - high)).clamp(NEAREST, 1.0 - NEAREST)
    }

    /// In cells, from the first sample.
    fn place(&self) -> [f64; 3] {
        let mut place = self.from.map(|part| part as f64);
        place[self.axis] += self.middle();
        place
    }

    /// Takes the density in the middle into account: the method of false position, in the variant of Illinois, which halves
    /// the value of an end that stays.
    fn narrow(&mut self, value: f64) {
        let end = usize::from((value > 0.0) == (self.values[1] > 0.0));
        self.part[end] = self.middle();
        self.values[end] = value;
        self.values[1 - end] *= 0.5;
    }
}

/// Collects triangles; vertices of neighbouring cubes are the same.
struct Builder<'a, 'b> {
    lattice: &'a Lattice<'b>,
    last: [usize; 3],
    first: [usize; 3],
    /// Vertices by the edge they lie on: its lower sample and its axis.
    edges: HashMap<u64, u32>,
    crossings: Vec<Crossing>,
    triangles: Vec<[u32; 3]>,
    /// Whether a vertex lies beyond the last samples, where cubes are not full.
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
        let place = |axis: usize| (self.lattice.count()[axis] + CUBE + 1) as u64;
        let key = 3 * ((a.0[2] as u64 * place(1) + a.0[1] as u64) * place(0) + a.0[0] as u64) + axis as u64;
        let next = self.crossings.len() as u32;
        let index = *self.edges.entry(key).or_insert(next);
        if index == next {
            let values = [a.1, b.1].map(f64::from);
            self.crossings.push(Crossing { from: a.0, axis, part: [0.0, 1.0], values });
            self.dropped.push((0..3).any(|axis| b.0[axis] > self.last[axis]));
        }
        VertexIndex(index as usize)
    }

    fn add_triangle(&mut self, a: VertexIndex, b: VertexIndex, c: VertexIndex) {
        let corners = [a.0, b.0, c.0];
        if !corners.iter().any(|&corner| self.dropped[corner]) {
            self.triangles.push(corners.map(|corner| corner as u32));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lattice::tests::{land, volume, whole};
    use super::super::lattice::{Cells, Lattice};
    use super::*;

    #[test]
    fn the_surface_is_closed_but_for_the_sides() {
        let (volume, land) = (volume(), land());
        for level in 0..4 {
            let lattice = Lattice::sample(&volume, &land, 1.0, whole(&volume, level), &mut Scratch::default()).unwrap();
            let surface = lattice.surface(&mut Scratch::default());
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
    fn parts_of_a_box_have_the_triangles_of_the_whole() {
        let (volume, land) = (volume(), land());
        let all = whole(&volume, 0);
        let area = |cells: Cells| {
            let lattice = Lattice::sample(&volume, &land, 1.0, cells, &mut Scratch::default()).unwrap();
            let surface = lattice.surface(&mut Scratch::default());
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
}
