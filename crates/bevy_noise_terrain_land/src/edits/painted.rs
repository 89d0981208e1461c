//! What is painted on the land: how much of each layer of the ground, at points and for whole chunks.

use std::any::Any;
use std::sync::Arc;

use terrain_noise::Grid;

use super::points::Points;
use super::source::{EditedSource, by_edit};
use super::tree::{EditTree, Effect};
use crate::chunk::{CHUNK_QUADS, CHUNK_VERTICES, ChunkKey};
use crate::source::HeightSource;

/// Layers that can be painted.
pub const PAINTED_LAYERS: usize = 8;
/// Steps of a layer's share in a packed word.
const STEPS: f32 = 15.0;
/// Vertices along one side of the part of its parent that a chunk covers.
const PARENT_VERTICES: usize = CHUNK_QUADS / 2 + 1;
/// Words of a chunk's paint.
pub const CHUNK_PAINT_WORDS: usize = CHUNK_VERTICES * CHUNK_VERTICES + PARENT_VERTICES * PARENT_VERTICES;

/// How much of each layer is painted at a place, 0 to 1; what is left to 1 lies there by nature.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Painted(pub [f32; PAINTED_LAYERS]);

impl Painted {
    /// Puts a layer over what is there; none takes paint off.
    pub fn cover(&mut self, layer: Option<u8>, share: f32) {
        self.0.iter_mut().for_each(|below| *below *= 1.0 - share);
        if let Some(own) = layer.and_then(|layer| self.0.get_mut(usize::from(layer))) {
            *own += share;
        }
    }

    /// Four bits for each layer, the first in the lowest.
    fn pack(self) -> u32 {
        let bits = self.0.map(|share| (share.clamp(0.0, 1.0) * STEPS + 0.5) as u32);
        bits.iter().enumerate().fold(0, |word, (layer, bits)| word | bits << (4 * layer))
    }

    fn unpack(word: u32) -> Self {
        Self(std::array::from_fn(|layer| (word >> (4 * layer) & 15) as f32 / STEPS))
    }
}

/// What is painted on a chunk, as the shader reads it (`render/ground/paint.wesl`): a word for each of its vertices, then for
/// each of its parent's under it. Clones share it.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "render"), allow(dead_code, reason = "without a renderer nobody reads it"))]
pub(crate) struct ChunkPaint(Arc<[u32]>);

impl ChunkPaint {
    /// What edits paint on a chunk; `None` if they do not.
    pub fn new(edits: &EditTree, key: ChunkKey, spacing: f64) -> Option<Self> {
        let words = |key: ChunkKey, [x, z]: [i64; 2], side: usize| {
            let grid = Grid::new([x, z], key.vertex_spacing(spacing), [side; 2]);
            painted(edits, &Points::Grid(grid)).map(|painted| painted.into_iter().map(Painted::pack))
        };
        let [own, parent] = [CHUNK_QUADS as i64, CHUNK_QUADS as i64 / 2].map(|quads| [key.x * quads, key.z * quads]);
        let own = words(key, own, CHUNK_VERTICES);
        let parent = words(key.parent(), parent, PARENT_VERTICES);
        if own.is_none() && parent.is_none() {
            return None;
        }
        let mut all = Vec::with_capacity(CHUNK_PAINT_WORDS);
        all.extend(own.into_iter().flatten());
        all.resize(CHUNK_VERTICES * CHUNK_VERTICES, 0);
        all.extend(parent.into_iter().flatten());
        all.resize(CHUNK_PAINT_WORDS, 0);
        Some(Self(all.into()))
    }

    /// Whether it is the same, not just alike.
    #[cfg(feature = "render")]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// [`CHUNK_PAINT_WORDS`] words.
    #[cfg(feature = "render")]
    pub fn words(&self) -> &[u32] {
        &self.0
    }
}

/// What is painted at each of some points; `None` if nothing is painted near them.
fn painted(edits: &EditTree, points: &Points) -> Option<Vec<Painted>> {
    let items = edits.items(Effect::Paint, &points.rect()?, points.footprint());
    let mut painted = (!items.is_empty()).then(|| vec![Painted::default(); points.len()])?;
    for (edit, parts) in by_edit(&items) {
        edit.paint(parts, points, &mut painted);
    }
    Some(painted)
}

/// What is painted at the corners of a cell of the finest vertices, `spacing` metres apart, as the shader gets it; `None` if
/// nothing is. `place` is the position within the cell, 0 to 1.
pub(crate) fn painted_within(
    source: &dyn HeightSource,
    corners: [[f64; 2]; 4],
    place: [f32; 2],
    spacing: f64,
) -> Option<Painted> {
    let edited = <dyn Any>::downcast_ref::<EditedSource>(source)?;
    let painted = painted(edited.edits(), &Points::List { positions: &corners, footprint: spacing })?;
    let mut between = Painted::default();
    for (corner, painted) in painted.into_iter().enumerate() {
        let weight = |axis: usize| if corner >> axis & 1 == 1 { place[axis] } else { 1.0 - place[axis] };
        let shares = Painted::unpack(painted.pack());
        between.0.iter_mut().zip(shares.0).for_each(|(sum, share)| *sum += weight(0) * weight(1) * share);
    }
    Some(between)
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;
    use crate::edits::{Edit, Paint, TerrainEdits};

    /// What is painted at (x, z) for samples 1 m apart.
    fn at(edits: &TerrainEdits, x: f64, z: f64) -> Painted {
        let points = Points::List { positions: &[[x, z]], footprint: 1.0 };
        painted(edits.tree(), &points).map_or(Painted::default(), |painted| painted[0])
    }

    #[test]
    fn the_last_layer_lies_on_top_and_can_be_taken_off() {
        let mut edits = TerrainEdits::default();
        edits.apply(Edit::paint(DVec3::ZERO, 20.0, 2).falloff(4.0)).unwrap();
        edits.apply(Edit::paint(DVec3::ZERO, 5.0, 7).falloff(2.0)).unwrap();
        assert_eq!(at(&edits, 0.0, 0.0).0, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(at(&edits, 0.0, 6.0).0, [0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5]);
        assert_eq!(at(&edits, 22.0, 0.0).0[2], 0.5);
        assert_eq!(at(&edits, 24.0, 0.0), Painted::default());
        let off = Edit { paint: Some(Paint::default()), ..Edit::paint(DVec3::ZERO, 5.0, 0) };
        edits.apply(off).unwrap();
        assert_eq!(at(&edits, 1.0, 0.0), Painted::default());
    }

    #[test]
    fn shoulders_are_levelled_but_not_painted() {
        let road = Edit::path([DVec3::new(-50.0, 9.0, 0.0), DVec3::new(50.0, 9.0, 0.0)], 6.0);
        let mut edits = TerrainEdits::default();
        edits.apply(road.shoulder(4.0).falloff(3.0).painted(1)).unwrap();
        assert_eq!([at(&edits, 0.0, 3.0).0[1], at(&edits, 0.0, 3.5).0[1], at(&edits, 0.0, 4.0).0[1]], [1.0, 0.5, 0.0]);
        let land = crate::NoiseTerrain::default().surface().unwrap();
        let edited = land.with_edits(&edits);
        assert_eq!(edited.height(0.0, 6.0), 9.0);
        assert_ne!(edited.height(0.0, 8.0), 9.0);
        assert_eq!(edited.height(0.0, 12.0), land.height(0.0, 12.0));
    }

    #[test]
    fn chunks_that_meet_have_the_same_paint_there() {
        let mut edits = TerrainEdits::default();
        for k in 0..40 {
            let at = DVec3::new(3.1 * f64::from(k), 0.0, 17.0 * f64::from(k % 7) - 40.0);
            edits.apply(Edit::paint(at, 7.0 + f64::from(k % 5), k as u8 % 8).falloff(6.0)).unwrap();
        }
        let paint = |level, x, z| ChunkPaint::new(edits.tree(), ChunkKey::new(level, x, z), 1.0).unwrap();
        let (left, right, parent) = (paint(0, 0, -1), paint(0, 1, -1), paint(1, 0, -1));
        assert!(left.0.iter().any(|&word| word != 0));
        let word = |paint: &ChunkPaint, x: usize, z: usize| paint.0[z * CHUNK_VERTICES + x];
        for z in 0..CHUNK_VERTICES {
            assert_eq!(word(&left, CHUNK_QUADS, z), word(&right, 0, z));
        }
        // Its parent's words are those of the parent: the chunk is its quarter of least x and greatest z.
        let under = &left.0[CHUNK_VERTICES * CHUNK_VERTICES..];
        for z in 0..PARENT_VERTICES {
            for x in 0..PARENT_VERTICES {
                assert_eq!(under[z * PARENT_VERTICES + x], word(&parent, x, CHUNK_QUADS / 2 + z));
            }
        }
        assert!(ChunkPaint::new(edits.tree(), ChunkKey::new(0, -9, 9), 1.0).is_none());
    }

    #[test]
    fn shares_survive_packing() {
        let painted = Painted([0.0, 1.0 / 15.0, 0.4, 1.0, 0.0, 0.2, 0.0, 14.0 / 15.0]);
        assert_eq!(Painted::unpack(painted.pack()), painted);
    }
}
