//! Checks a drawn frame vertex by vertex, from the same uniforms as the shader: for tests, benches and debugging.
//!
//! Needs [`TerrainStreaming::keep_vertices`](crate::TerrainStreaming::keep_vertices).

mod chunk_work;
mod pops;

pub use chunk_work::ChunkWork;
pub use pops::{Motion, Pop};

use std::collections::BTreeMap;

use bevy::ecs::world::EntityRef;
use bevy::platform::collections::{HashMap, HashSet};

use crate::chunk::{CHUNK_QUADS, CHUNK_VERTICES, ChunkKey};
use crate::lod::{self, Morph, TerrainLod, Viewer, displayed_vertex, morph};
use crate::mesh::{self, Vertex};
use crate::streaming::{DrawnChunks, TerrainState};
use crate::terrain::TerrainOrigin;
use crate::uniforms::{ChunkRecord, ENDLESS, MorphUniforms, split_origin};
use crate::viewer::TerrainViewers;

/// A visible error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// A drawn chunk has no vertices.
    #[error("{0:?} is drawn, but its vertices are not loaded")]
    Absent(ChunkKey),
    /// Two drawn chunks overlap.
    #[error("{0:?} is drawn over {1:?}")]
    Overlap(ChunkKey, ChunkKey),
    /// Part of the plane in view is not drawn. Names the coarsest chunk that should cover it.
    #[error("{0:?} has a hole")]
    Hole(ChunkKey),
    /// Two chunks have different vertices along their common edge.
    #[error("{0:?} and {1:?} do not meet")]
    Crack(ChunkKey, ChunkKey),
}

/// Everything that is drawn in a frame.
#[derive(Clone)]
pub struct DrawnFrame {
    /// The uniforms of the shader.
    pub numbers: MorphUniforms,
    /// The level of detail.
    pub lod: TerrainLod,
    /// The generation that is drawn.
    pub generation: u64,
    /// Distance to the end of the land, in metres.
    pub reach: f64,
    origin: [f64; 2],
    viewers: Vec<Viewer>,
    absent: Vec<ChunkKey>,
    chunks: BTreeMap<ChunkKey, (ChunkRecord, Vec<Vertex>)>,
}

impl DrawnFrame {
    /// The frame that the components of a terrain describe; `None` while there is no land on screen.
    pub fn of(terrain: EntityRef) -> Option<Self> {
        let (state, drawn) = (terrain.get::<TerrainState>()?, terrain.get::<DrawnChunks>()?);
        let (viewers, origin) = (terrain.get::<TerrainViewers>()?.as_slice(), terrain.get::<TerrainOrigin>()?);
        let lod = *state.lod()?;
        let (origin_quad, _) = split_origin(origin, lod.spacing);
        let half_meshes = state.half_meshes();
        let mut absent = Vec::new();
        let mut chunks = BTreeMap::new();
        for &key in drawn.keys() {
            match state.vertices(key) {
                Some(vertices) => {
                    chunks.insert(key, (ChunkRecord::new(key, origin_quad), vertices.to_vec()));
                }
                None => absent.push(key),
            }
        }
        Some(Self {
            numbers: MorphUniforms::new(origin, &lod, viewers, state.ranges()?, half_meshes),
            lod,
            generation: state.generation()?,
            reach: state.reach()?,
            origin: [origin.x, origin.z],
            viewers: viewers.to_vec(),
            absent,
            chunks,
        })
    }

    /// The same frame as it would be drawn with half meshes.
    pub fn with_half_meshes(mut self) -> Self {
        self.numbers.mesh_step = mesh::step(1, true) as u32;
        self
    }

    /// How many quads of a level lie along a side of one that is drawn.
    fn step(&self, level: u8) -> usize {
        if level == 0 { 1 } else { self.numbers.mesh_step as usize }
    }

    /// Number of drawn chunks.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// All defects of the frame.
    pub fn defects(&self) -> Vec<Defect> {
        let mut defects: Vec<Defect> = self.absent.iter().map(|&key| Defect::Absent(key)).collect();
        self.check_cover(&mut defects);
        self.check_edges(&mut defects);
        defects
    }

    /// Checks that every point of the plane in view is drawn exactly once.
    fn check_cover(&self, defects: &mut Vec<Defect>) {
        let top = self.lod.top_level();
        // In units of the finest chunk, so that the sum is exact.
        let area = |key: ChunkKey| 1u64 << (2 * key.level);
        let mut covered: HashMap<ChunkKey, u64> = HashMap::default();
        for &key in self.chunks.keys() {
            let mut above = key;
            while above.level < top {
                above = above.parent();
                if self.chunks.contains_key(&above) {
                    defects.push(Defect::Overlap(key, above));
                }
            }
            *covered.entry(above).or_default() += area(key);
        }
        let roots: HashSet<ChunkKey> = lod::roots(&self.viewers, &self.lod, self.reach).into_iter().collect();
        let uncovered = roots.into_iter().filter(|root| covered.get(root) != Some(&area(*root)));
        defects.extend(uncovered.map(Defect::Hole));
    }

    /// Checks that along every edge both sides have the same vertices, bit for bit.
    fn check_edges(&self, defects: &mut Vec<Defect>) {
        for &key in self.chunks.keys() {
            for (dx, dz) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                let neighbour_key = ChunkKey::new(key.level, key.x + dx, key.z + dz);
                let Some(neighbour) = self.covering(neighbour_key) else { continue };
                let ours = self.edge(key, dx, dz);
                let mut theirs = self.edge(neighbour, -dx, -dz);
                // A coarser neighbour's edge is longer.
                theirs.retain(|place| neighbour.level == key.level || within(place, &ours));
                if ours != theirs {
                    defects.push(Defect::Crack(key, neighbour));
                }
            }
        }
    }

    /// The drawn chunk of the same or a coarser level that covers `key`; edges to finer ones are checked from there.
    fn covering(&self, key: ChunkKey) -> Option<ChunkKey> {
        let above = |key: &ChunkKey| (key.level < self.lod.top_level()).then(|| key.parent());
        std::iter::successors(Some(key), above).find(|key| self.chunks.contains_key(key))
    }

    /// The distinct vertices along one side, as bits, in order.
    fn edge(&self, key: ChunkKey, dx: i64, dz: i64) -> Vec<[u32; 3]> {
        let side = |direction: i64| if direction > 0 { CHUNK_QUADS } else { 0 };
        let place = |step| if dx == 0 { (step, side(dz)) } else { (side(dx), step) };
        let mut vertices: Vec<[u32; 3]> = (0..CHUNK_VERTICES)
            .step_by(self.step(key.level))
            .filter_map(|step| self.vertex(key, place(step).0, place(step).1))
            // −0 and 0 are the same position.
            .map(|vertex| vertex.map(|part| (part + 0.0).to_bits()))
            .collect();
        vertices.dedup();
        vertices
    }

    /// Vertex (`i`, `j`) of a chunk as drawn, relative to the origin: x, height, z.
    pub fn vertex(&self, key: ChunkKey, i: usize, j: usize) -> Option<[f32; 3]> {
        let (record, vertices) = self.chunks.get(&key)?;
        let scale = (1u32 << key.level) as f32;
        let at = |grid: [f32; 2]| {
            [0, 1].map(|axis| {
                (record.first_quad[axis] as f32 + grid[axis] * scale) * self.numbers.spacing
                    - self.numbers.remainder[axis]
            })
        };
        let morph = self.morph_at(key.level, at([i as f32, j as f32]));
        let [x, height, z] = displayed_vertex(vertices, [i, j], self.numbers.mesh_step as usize, morph);
        let [x, z] = at([x, z]);
        Some([x, height, z])
    }

    /// Quads of level 0 along a side of those of the coarsest mesh.
    fn coarsest_step(&self) -> i64 {
        let top = self.lod.top_level();
        (self.step(top) as i64) << top
    }

    /// The morph of a level at a position relative to the origin.
    pub fn morph_at(&self, level: u8, place: [f32; 2]) -> Morph {
        let range = self.numbers.ranges[usize::from(level)];
        let range = if range >= ENDLESS { f32::INFINITY } else { range };
        morph(self.distance(place), range, self.numbers.morph_start)
    }

    /// Distance of a position relative to the origin to the nearest viewer, as the shader computes it.
    fn distance(&self, place: [f32; 2]) -> f32 {
        let viewers = &self.numbers.viewers[..self.numbers.viewer_count as usize];
        let to = |viewer: &[f32; 4]| {
            let (x, z) = (place[0] - viewer[0], place[1] - viewer[1]);
            (x * x + z * z + viewer[2] * viewer[2]).sqrt()
        };
        viewers.iter().map(to).fold(ENDLESS, f32::min)
    }

    /// Level and drawn height at a vertex of the coarsest mesh; `None` out of view.
    pub fn height_at(&self, vertex: [i64; 2]) -> Option<(u8, f32)> {
        let quad = vertex.map(|index| index * self.coarsest_step());
        let fine = ChunkKey::new(0, quad[0].div_euclid(CHUNK_QUADS as i64), quad[1].div_euclid(CHUNK_QUADS as i64));
        let key = self.covering(fine)?;
        let first = key.first_quad();
        let [i, j] = [0, 1].map(|axis| ((quad[axis] - first[axis]) >> key.level) as usize);
        Some((key.level, self.vertex(key, i, j)?[1]))
    }
}

fn within(place: &[u32; 3], edge: &[[u32; 3]]) -> bool {
    let (Some(first), Some(last)) = (edge.first(), edge.last()) else { return false };
    [0, 2].into_iter().all(|axis| {
        let [value, low, high] = [place, first, last].map(|vertex| f32::from_bits(vertex[axis]));
        (low..=high).contains(&value)
    })
}
