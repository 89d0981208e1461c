//! The holes of a chunk, as shaders read them (`render/holes.wesl`).

use std::sync::Arc;

use super::outline::{Outline, Shape};
use super::set::HoleSet;
use crate::chunk::ChunkKey;
use crate::edits::tree::Rect;

/// Cells along a side of a chunk: a pixel looks at the holes of its own cell alone.
const CELLS: usize = 8;

/// Words of a chunk's holes: for each cell the offset of its list, or 0 for none. A list is a number of holes and their offsets.
/// A hole is the number of its corners and their positions; with 0 corners, a disc: its middle and its radius. Metres are `f32`,
/// relative to the chunk's corner of least x and z. Offsets are from the first word. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct ChunkHoles(Arc<[u32]>);

impl ChunkHoles {
    /// Those of a chunk; `None` if it has none.
    pub fn new(holes: &HoleSet, key: ChunkKey, spacing: f64) -> Option<Self> {
        if holes.is_empty() {
            return None;
        }
        let square = key.square(spacing);
        let rect = Rect { min: square.min, max: square.min.map(|metres| metres + square.width) };
        let outlines = holes.drawn_within(&rect);
        if outlines.is_empty() {
            return None;
        }
        let mut words = vec![0; CELLS * CELLS];
        let offsets: Vec<u32> = outlines
            .iter()
            .map(|outline| {
                let offset = words.len() as u32;
                write(outline, square.min, &mut words);
                offset
            })
            .collect();
        let width = square.width / CELLS as f64;
        let mut lists: Vec<(Vec<u32>, u32)> = Vec::new();
        for index in 0..CELLS * CELLS {
            let cell = [index % CELLS, index / CELLS];
            let min = [0, 1].map(|axis| square.min[axis] + cell[axis] as f64 * width);
            // The shader's rounding may put a place into the next cell.
            let cell = Rect { min, max: min.map(|metres| metres + width) }.grown(1e-3 * width);
            let near = outlines.iter().zip(&offsets).filter(|(outline, _)| outline.rect.touches(&cell));
            let list: Vec<u32> = near.map(|(_, &offset)| offset).collect();
            if list.is_empty() {
                continue;
            }
            words[index] = match lists.iter().find(|(known, _)| *known == list) {
                Some(&(_, offset)) => offset,
                None => {
                    let offset = words.len() as u32;
                    words.push(list.len() as u32);
                    words.extend(&list);
                    lists.push((list, offset));
                    offset
                }
            };
        }
        Some(Self(words.into()))
    }

    /// Whether it is the same, not just alike.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub fn words(&self) -> &[u32] {
        &self.0
    }
}

/// Writes a hole relative to a corner.
fn write(outline: &Outline, corner: [f64; 2], words: &mut Vec<u32>) {
    let middle = outline.middle();
    let place = |at: [f64; 2]| [0, 1].map(|axis| ((middle[axis] - corner[axis] + at[axis]) as f32).to_bits());
    match &outline.shape {
        Shape::Disc { radius } => {
            words.push(0);
            words.extend(place([0.0; 2]));
            words.push((*radius as f32).to_bits());
        }
        Shape::Polygon { corners } => {
            words.push(corners.len() as u32);
            words.extend(corners.iter().flat_map(|&at| place(at)));
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use proptest::prelude::*;

    use super::super::hole::Hole;
    use super::super::list::TerrainHoles;
    use super::*;
    use crate::source::NoiseSource;

    /// The arithmetic of `holes.wesl`.
    fn is_hole(words: &[u32], place: [f32; 2], width: f32) -> bool {
        let cell = place.map(|metres| (metres / width * CELLS as f32).clamp(0.0, CELLS as f32 - 1.0) as usize);
        let list = words[cell[1] * CELLS + cell[0]] as usize;
        let metres = |index: usize| f32::from_bits(words[index]);
        let count = if list == 0 { 0 } else { words[list] as usize };
        (0..count).any(|index| {
            let hole = words[list + 1 + index] as usize;
            let corners = words[hole] as usize;
            if corners == 0 {
                let way = [place[0] - metres(hole + 1), place[1] - metres(hole + 2)];
                return way[0] * way[0] + way[1] * way[1] < metres(hole + 3) * metres(hole + 3);
            }
            let corner = |index: usize| [0, 1].map(|axis| metres(hole + 1 + 2 * (index % corners) + axis));
            let crossed = (0..corners).filter(|&index| {
                let (a, b) = (corner(index), corner(index + 1));
                (a[1] > place[1]) != (b[1] > place[1])
                    && place[0] < (b[0] - a[0]) * (place[1] - a[1]) / (b[1] - a[1]) + a[0]
            });
            crossed.count() % 2 == 1
        })
    }

    proptest! {
        #[test]
        fn shaders_see_the_holes_of_the_land(
            level in 0u8..6, turn in -4.0..4.0f64,
            discs in prop::collection::vec((-0.1..1.1f64, -0.1..1.1f64, 0.001..0.3f64), 0..12),
            places in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64), 60),
        ) {
            let key = ChunkKey::new(level, 1 << 30 >> level, -5);
            let square = key.square(1.0);
            let at = |x: f64, z: f64| DVec3::new(square.min[0] + x * square.width, 0.0, square.min[1] + z * square.width);
            let mut holes = TerrainHoles::default();
            for (x, z, radius) in discs {
                holes.apply(Hole::disc(at(x, z), radius * square.width)).unwrap();
            }
            holes.apply(Hole::rectangle(at(0.5, 0.5), [0.7, 0.1].map(|share| share * square.width), turn)).unwrap();
            let chunk = ChunkHoles::new(holes.set(), key, 1.0).unwrap();
            let land = NoiseSource(terrain_noise::constant(0.0).build(0).unwrap());
            for (x, z) in places {
                let absolute = at(x, z);
                let expected = holes.set().on(&land).contains([absolute.x, absolute.z]);
                let near = 1e-5 * square.width;
                let is_on_rim = [[near, 0.0], [-near, 0.0], [0.0, near], [0.0, -near]]
                    .iter()
                    .any(|d| holes.set().on(&land).contains([absolute.x + d[0], absolute.z + d[1]]) != expected);
                if !is_on_rim {
                    let place = [x, z].map(|share| (share * square.width) as f32);
                    prop_assert_eq!(is_hole(chunk.words(), place, square.width as f32), expected, "{} {}", x, z);
                }
            }
        }
    }

    #[test]
    fn chunks_beside_a_hole_have_none() {
        let mut holes = TerrainHoles::default();
        holes.apply(Hole::disc(DVec3::new(20.0, 0.0, 20.0), 3.0)).unwrap();
        let has = |key| ChunkHoles::new(holes.set(), key, 1.0).is_some();
        assert!(has(ChunkKey::new(0, 0, 0)) && has(ChunkKey::new(9, 0, 0)));
        assert!(!has(ChunkKey::new(0, 1, 0)) && !has(ChunkKey::new(9, -1, 0)));
        assert!(ChunkHoles::new(&HoleSet::default(), ChunkKey::new(0, 0, 0), 1.0).is_none());
    }
}
