//! Which chunks give way when all slots are taken.

use super::generation::Generation;
use crate::chunk::ChunkKey;

/// What may be evicted in a frame.
#[derive(Default)]
pub struct Evictable {
    pub shown: Unwanted,
    pub pending: Unwanted,
}

/// Chunks of a generation that are neither wanted nor drawn. Only those that are likely to go are sorted: few at first, twice
/// as many whenever they are used up.
#[derive(Default)]
pub struct Unwanted {
    /// The first to go is last.
    keys: Vec<ChunkKey>,
    /// How many were looked for.
    most: usize,
    /// Whether there are no more than these.
    is_all: bool,
}

impl Unwanted {
    /// How many are looked for at first: more than a frame uploads by default.
    pub const FEW: usize = 64;

    /// The chunk unwanted for longest. It has to be removed from the generation, and comes only once.
    pub fn next(&mut self, generation: &Generation) -> Option<ChunkKey> {
        if self.keys.is_empty() && !self.is_all {
            self.most = (2 * self.most).max(Self::FEW);
            self.keys = generation.unwanted(self.most);
            self.is_all = self.keys.len() < self.most;
        }
        self.keys.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::TerrainStreaming;

    #[test]
    fn a_frame_looks_once_by_default() {
        assert!(TerrainStreaming::default().uploads_per_frame() <= Unwanted::FEW);
    }
}
