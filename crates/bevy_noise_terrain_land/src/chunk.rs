//! The part of the plane that a chunk covers: an integer cell and a level.

use bevy::prelude::*;

/// Quads along one side of a chunk, at every level.
pub const CHUNK_QUADS: usize = 64;

/// Vertices along one side of a chunk.
pub const CHUNK_VERTICES: usize = CHUNK_QUADS + 1;

/// The coarsest level that settings can lead to: at 1 m spacing its chunks are 2 000 km wide.
pub const MAX_LEVEL: u8 = 15;

/// A square of the infinite plane: cell (`x`, `z`) of the grid whose cells are [`CHUNK_QUADS`]
/// · 2^`level` quads of level 0 wide. Cells are 64-bit, so the plane is infinite in practice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Reflect)]
pub struct ChunkKey {
    /// 0 is the finest; each level doubles the width of a chunk.
    pub level: u8,
    /// Cell along x, in chunks of this level.
    pub x: i64,
    /// Cell along z, in chunks of this level.
    pub z: i64,
}

impl ChunkKey {
    /// The chunk of cell (`x`, `z`) at `level`.
    pub const fn new(level: u8, x: i64, z: i64) -> Self {
        Self { level, x, z }
    }

    /// The chunk one level coarser that covers this one.
    pub const fn parent(self) -> Self {
        Self::new(self.level + 1, self.x >> 1, self.z >> 1)
    }

    /// The four chunks one level finer that cover this one. `None` at level 0.
    pub fn children(self) -> Option<[Self; 4]> {
        let (level, x, z) = (self.level.checked_sub(1)?, 2 * self.x, 2 * self.z);
        let child = |dx, dz| Self::new(level, x + dx, z + dz);
        Some([child(0, 0), child(1, 0), child(0, 1), child(1, 1)])
    }

    /// Distance between neighbouring vertices in metres; `spacing` is that of level 0.
    pub fn vertex_spacing(self, spacing: f64) -> f64 {
        // Signed numbers become floating-point ones in a single instruction.
        spacing * (1i64 << self.level) as f64
    }

    /// Width in metres; `spacing` is the vertex spacing of level 0.
    pub fn width(self, spacing: f64) -> f64 {
        self.vertex_spacing(spacing) * CHUNK_QUADS as f64
    }

    /// The corner with the least x and z, in quads of level 0 from the absolute origin.
    pub fn first_quad(self) -> [i64; 2] {
        [self.x, self.z].map(|cell| (cell << self.level) * CHUNK_QUADS as i64)
    }

    /// The square this chunk covers, in absolute metres.
    pub fn square(self, spacing: f64) -> Square {
        let width = self.width(spacing);
        Square { min: [self.x as f64 * width, self.z as f64 * width], width }
    }

    /// The chunk of `level` that holds the absolute position (`x`, `z`).
    pub fn at(level: u8, x: f64, z: f64, spacing: f64) -> Self {
        let width = Self::new(level, 0, 0).width(spacing);
        Self::new(level, (x / width).floor() as i64, (z / width).floor() as i64)
    }
}

/// An axis-aligned square of the plane, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Square {
    /// Least x and z.
    pub min: [f64; 2],
    /// Side length.
    pub width: f64,
}

impl Square {
    /// How far `point` lies outside along each axis; 0 if inside.
    pub fn outside(&self, point: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| (self.min[axis] - point[axis]).max(point[axis] - self.min[axis] - self.width).max(0.0))
    }
}

/// A loaded chunk: an entity, child of its terrain.
///
/// Attach grass, colliders or navigation with an observer for
/// [`ChunkReady`](crate::ChunkReady); children of this entity are despawned with it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component)]
pub struct TerrainChunk {
    /// The part of the plane that it covers.
    pub key: ChunkKey,
    /// The generation it belongs to: [`TerrainState::generation`](crate::TerrainState::generation), or the one that will
    /// take its place.
    pub generation: u64,
    /// Lowest height within, its coarser shape included, in metres.
    pub min_height: f32,
    /// Highest height of the chunk and its morph target, in metres.
    pub max_height: f32,
    /// Its slot in the terrain's vertex pool.
    pub(crate) slot: u32,
    /// Whether some of its land is not there.
    #[cfg(feature = "render")]
    pub(crate) has_holes: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn children_cover_their_parent_and_name_it(level in 1u8..=MAX_LEVEL, x in -1i64 << 40..1 << 40, z in -1i64 << 40..1 << 40) {
            let parent = ChunkKey::new(level, x, z);
            let square = parent.square(1.0);
            let children = parent.children().unwrap();
            let mut area = 0.0;
            for child in children {
                prop_assert_eq!(child.parent(), parent);
                let inner = child.square(1.0);
                area += inner.width * inner.width;
                for axis in 0..2 {
                    prop_assert!(inner.min[axis] >= square.min[axis]);
                    prop_assert!(inner.min[axis] + inner.width <= square.min[axis] + square.width);
                }
            }
            prop_assert_eq!(area, square.width * square.width);
        }

        #[test]
        fn a_point_lies_in_the_chunk_found_for_it(level in 0u8..=MAX_LEVEL, x in -1e9..1e9f64, z in -1e9..1e9f64) {
            let chunk = ChunkKey::at(level, x, z, 1.0);
            prop_assert_eq!(chunk.square(1.0).outside([x, z]), [0.0, 0.0]);
        }
    }

    #[test]
    fn outside_measures_each_axis() {
        let square = ChunkKey::new(0, 0, 0).square(1.0);
        assert_eq!(square.outside([-3.0, 70.0]), [3.0, 6.0]);
        assert_eq!(square.outside([10.0, 10.0]), [0.0, 0.0]);
    }
}
