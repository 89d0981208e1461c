//! One frame, vertex by vertex.

use std::collections::{BTreeMap, HashMap, HashSet};

use bevy::math::Affine3A;
use bevy_noise_terrain::chunk::{CHUNK_QUADS, CHUNK_VERTICES};
use bevy_noise_terrain::lod::{self, LodSettings, Morph, displayed_vertex, morph};
use bevy_noise_terrain::mesh::Vertex;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::render::{ChunkRecord, FrameHeader};
use bevy_noise_terrain::{TerrainState, lod::Viewer};

/// What is drawn in a frame.
pub struct Frame {
    pub header: FrameHeader,
    pub lod: LodSettings,
    viewers: Vec<Viewer>,
    /// Chunks with their records, vertices.
    chunks: BTreeMap<ChunkKey, (ChunkRecord, Vec<Vertex>)>,
}

impl Frame {
    pub fn of(state: &TerrainState, origin: TerrainOrigin) -> Self {
        let lod = *state.lod().expect("a world is on screen");
        let ranges = state.ranges().expect("a world is on screen");
        let header = FrameHeader::new(Affine3A::IDENTITY, &origin, &lod, state.viewers(), ranges, &Ground::default());
        let origin_quad = [origin.x, origin.z].map(|metres| (metres / lod.spacing).floor() as i64);
        let mut chunks = BTreeMap::new();
        for &key in state.drawn() {
            let vertices = state.vertices(key).unwrap_or_else(|| panic!("{key:?} is drawn and not there")).to_vec();
            assert!(
                chunks.insert(key, (ChunkRecord::new(key, origin_quad), vertices)).is_none(),
                "{key:?} is drawn twice"
            );
        }
        Self { header, lod, viewers: state.viewers().to_vec(), chunks }
    }

    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Distance of a place relative to the origin, as the shader computes it.
    fn distance(&self, place: [f32; 2]) -> f32 {
        let viewers = &self.header.viewers[..self.header.viewer_count as usize];
        let to = |viewer: &[f32; 4]| {
            let (x, z) = (place[0] - viewer[0], place[1] - viewer[1]);
            (x * x + z * z + viewer[2] * viewer[2]).sqrt()
        };
        viewers.iter().map(to).fold(1e30, f32::min)
    }

    /// How far a level has morphed at a place relative to the origin.
    pub fn morph_at(&self, level: u8, place: [f32; 2]) -> Morph {
        let range = self.header.ranges[usize::from(level)];
        let range = if range >= 1e30 { f32::INFINITY } else { range };
        morph(self.distance(place), range, self.header.morph_start)
    }

    /// Vertex (`i`, `j`) of a chunk as drawn, relative to the origin: place on the plane and height.
    fn vertex(&self, key: ChunkKey, i: usize, j: usize) -> [f32; 3] {
        let (record, vertices) = &self.chunks[&key];
        let scale = (1u32 << key.level) as f32;
        let spacing = self.header.spacing;
        let at = |grid: [f32; 2]| {
            [0, 1].map(|axis| {
                (record.first_quad[axis] as f32 + grid[axis] * scale) * spacing - self.header.remainder[axis]
            })
        };
        let morph = self.morph_at(key.level, at([i as f32, j as f32]));
        let [x, height, z] = displayed_vertex(vertices, i, j, morph);
        let [x, z] = at([x, z]);
        [x, height, z]
    }

    /// Every place of the plane within view is drawn exactly once.
    pub fn check_cover(&self) {
        let roots: HashSet<ChunkKey> =
            lod::roots(&self.viewers, &self.lod, self.lod.view_distance).into_iter().collect();
        let top = self.lod.top_level();
        // In units of the finest chunk, so that the sum is exact.
        let area = |key: ChunkKey| 1u64 << (2 * key.level);
        let mut covered: HashMap<ChunkKey, u64> = HashMap::new();
        for &key in self.chunks.keys() {
            let mut above = key;
            while above.level < top {
                above = above.parent();
                assert!(!self.chunks.contains_key(&above), "{key:?} is drawn over {above:?}");
            }
            assert!(roots.contains(&above), "{key:?} is drawn out of view");
            *covered.entry(above).or_default() += area(key);
        }
        for root in roots {
            assert_eq!(covered.get(&root).copied().unwrap_or(0), area(root), "{root:?} has a hole");
        }
    }

    /// Along every edge both sides have the very same vertices.
    pub fn check_edges(&self) {
        for &key in self.chunks.keys() {
            for (dx, dz) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                let beside = ChunkKey::new(key.level, key.x + dx, key.z + dz);
                let Some(neighbour) = self.neighbour(beside) else { continue };
                assert!(neighbour.level <= key.level + 1, "{key:?} meets {neighbour:?}, two levels coarser");
                let ours = self.edge(key, dx, dz);
                let theirs: Vec<[u32; 3]> = self
                    .edge(neighbour, -dx, -dz)
                    .into_iter()
                    // A coarser neighbour's edge is twice as long.
                    .filter(|place| neighbour.level == key.level || within(place, &ours))
                    .collect();
                assert_eq!(ours, theirs, "{key:?} and {neighbour:?} do not meet");
            }
        }
    }

    /// The drawn chunk of the same or a coarser level that covers `key`; finer ones check themselves.
    fn neighbour(&self, key: ChunkKey) -> Option<ChunkKey> {
        let mut key = key;
        loop {
            if self.chunks.contains_key(&key) {
                return Some(key);
            }
            if key.level >= self.lod.top_level() {
                return None;
            }
            key = key.parent();
        }
    }

    /// The distinct vertices along one side, as bits, in order.
    fn edge(&self, key: ChunkKey, dx: i64, dz: i64) -> Vec<[u32; 3]> {
        let side = |direction: i64| if direction > 0 { CHUNK_QUADS } else { 0 };
        let mut vertices: Vec<[u32; 3]> = (0..CHUNK_VERTICES)
            .map(|step| if dx == 0 { self.vertex(key, step, side(dz)) } else { self.vertex(key, side(dx), step) })
            // −0 and 0 are one place.
            .map(|vertex| vertex.map(|part| (part + 0.0).to_bits()))
            .collect();
        vertices.dedup();
        vertices
    }

    /// The height drawn at a vertex of the coarsest grid, and its level; `None` out of view.
    pub fn height_at(&self, vertex: [i64; 2]) -> Option<(u8, f32)> {
        let quad = vertex.map(|index| index << self.lod.top_level());
        let keys = (0..=self.lod.top_level()).map(|level| {
            let width = (CHUNK_QUADS as i64) << level;
            ChunkKey::new(level, quad[0].div_euclid(width), quad[1].div_euclid(width))
        });
        let key = keys.into_iter().find(|key| self.chunks.contains_key(key))?;
        let first = key.first_quad();
        let [i, j] = [0, 1].map(|axis| ((quad[axis] - first[axis]) >> key.level) as usize);
        Some((key.level, self.vertex(key, i, j)[1]))
    }

    /// Place of a vertex of the coarsest grid relative to the origin.
    pub fn place_of(&self, vertex: [i64; 2], origin: TerrainOrigin) -> [f32; 2] {
        let spacing = self.lod.spacing * f64::from(1u32 << self.lod.top_level());
        [(vertex[0] as f64 * spacing - origin.x) as f32, (vertex[1] as f64 * spacing - origin.z) as f32]
    }
}

fn within(place: &[u32; 3], edge: &[[u32; 3]]) -> bool {
    let (first, last) = (edge[0], edge[edge.len() - 1]);
    [0, 2].into_iter().all(|axis| {
        let [value, low, high] = [place, &first, &last].map(|vertex| f32::from_bits(vertex[axis]));
        (low..=high).contains(&value)
    })
}
