//! Holes of drawn chunks on the GPU: behind the detail normals and the paint.

use bevy::platform::collections::HashMap;

use crate::edits::ChunkHoles;

/// Words for the holes of all drawn chunks: 256 kB. A disc takes four and a few more in each chunk.
pub const HOLE_WORDS: usize = 1 << 16;

/// The holes of the chunks that are drawn, one after the other. They are written anew when others are drawn.
#[derive(Default)]
pub struct HoleTable {
    /// Slots of the vertex pool, and what was drawn there in the last frame.
    held: Vec<(u32, ChunkHoles)>,
    /// The first word of each slot's holes.
    starts: HashMap<u32, usize>,
}

/// What is to be written.
#[derive(Debug, Default, PartialEq)]
pub struct Written {
    pub words: Vec<u32>,
    /// Chunks for whose holes there is no room.
    pub left_out: usize,
}

impl HoleTable {
    /// Takes over the holes of the chunks that are drawn in this frame, the most important first; returns the words, if they
    /// are others than in the last frame.
    pub fn update(&mut self, drawn: Vec<(u32, ChunkHoles)>) -> Option<Written> {
        let is_same = |(a, b): (&(u32, ChunkHoles), &(u32, ChunkHoles))| a.0 == b.0 && a.1.is(&b.1);
        if drawn.len() == self.held.len() && drawn.iter().zip(&self.held).all(is_same) {
            return None;
        }
        self.starts.clear();
        let mut written = Written::default();
        for (slot, holes) in &drawn {
            if written.words.len() + holes.words().len() > HOLE_WORDS {
                written.left_out += 1;
                continue;
            }
            self.starts.insert(*slot, written.words.len());
            written.words.extend(holes.words());
        }
        self.held = drawn;
        Some(written)
    }

    /// Whether nothing with holes was drawn in the last frame.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// The first word of a slot's holes.
    pub fn start(&self, slot: u32) -> Option<usize> {
        self.starts.get(&slot).copied()
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;
    use crate::chunk::ChunkKey;
    use crate::edits::{Hole, TerrainHoles};

    #[test]
    fn holes_are_written_when_others_are_drawn_and_as_many_as_fit() {
        let mut holes = TerrainHoles::default();
        for index in 0..2_000 {
            let at = DVec3::new(f64::from(index % 50) + 5.0, 0.0, f64::from(index / 50) + 5.0);
            holes.apply(Hole::disc(at, 0.2)).unwrap();
        }
        let near = ChunkHoles::new(holes.set(), ChunkKey::new(0, 0, 0), 1.0).unwrap();
        let far = ChunkHoles::new(holes.set(), ChunkKey::new(4, 0, 0), 1.0).unwrap();
        let mut table = HoleTable::default();
        assert_eq!(table.update(Vec::new()), None, "land without holes writes nothing");
        let written = table.update(vec![(7, near.clone()), (2, far.clone())]).unwrap();
        assert_eq!((table.start(7), table.start(2)), (Some(0), Some(near.words().len())));
        assert_eq!(written.words, [near.words(), far.words()].concat());
        assert_eq!(table.update(vec![(7, near.clone()), (2, far.clone())]), None);
        let many: Vec<_> = (0..20).map(|slot| (slot, near.clone())).collect();
        let written = table.update(many).unwrap();
        assert!(written.left_out > 0 && written.words.len() <= HOLE_WORDS, "{}", written.words.len());
        assert!(table.start(0).is_some() && table.start(19).is_none());
        assert_eq!(table.update(Vec::new()), Some(Written::default()));
    }
}
