//! Paint of drawn chunks on the GPU: pages behind the detail normals, handed out as chunks are drawn.

use bevy::platform::collections::HashMap;

use crate::edits::{CHUNK_PAINT_WORDS, ChunkPaint};

/// Words of a page.
pub const PAGE_WORDS: usize = CHUNK_PAINT_WORDS;

/// A fixed number of pages. With fewer of them than drawn chunks that are painted, some are drawn without paint.
pub struct PaintPages {
    pages: Vec<Page>,
    /// The page of each slot of the vertex pool that has one.
    of_slot: HashMap<u32, usize>,
    frame: u64,
}

#[derive(Default)]
struct Page {
    /// What it holds, and for which slot.
    paint: Option<(u32, ChunkPaint)>,
    /// The frame in which it was drawn last.
    drawn: u64,
}

/// Where a chunk's paint lies.
#[derive(Debug, PartialEq)]
pub struct Place {
    /// The index of its page.
    pub page: usize,
    /// Whether the page must be written.
    pub is_new: bool,
}

impl PaintPages {
    /// `count` pages, all free.
    pub fn new(count: usize) -> Self {
        Self { pages: (0..count).map(|_| Page::default()).collect(), of_slot: HashMap::default(), frame: 0 }
    }

    /// Begins another frame.
    pub fn begin_frame(&mut self) {
        self.frame += 1;
    }

    /// The page of a chunk that is drawn in this frame; `None` if all are taken by others.
    pub fn place(&mut self, slot: u32, paint: &ChunkPaint) -> Option<Place> {
        let own = self.of_slot.get(&slot).copied();
        let page = own.or_else(|| {
            let oldest = self.pages.iter().enumerate().min_by_key(|(_, page)| page.drawn);
            oldest.filter(|(_, page)| page.drawn < self.frame).map(|(index, _)| index)
        })?;
        let entry = &mut self.pages[page];
        let is_new = !matches!(&entry.paint, Some((old, held)) if *old == slot && held.is(paint));
        if is_new && let Some((old, _)) = entry.paint.replace((slot, paint.clone())) {
            self.of_slot.remove(&old);
        }
        entry.drawn = self.frame;
        self.of_slot.insert(slot, page);
        Some(Place { page, is_new })
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;
    use crate::chunk::ChunkKey;
    use crate::edits::{Edit, TerrainEdits};

    #[test]
    fn pages_go_to_what_is_drawn() {
        let mut edits = TerrainEdits::default();
        edits.apply(Edit::paint(DVec3::ZERO, 500.0, 1)).unwrap();
        let paint = |x| ChunkPaint::new(edits.tree(), ChunkKey::new(0, x, 0), 1.0).unwrap();
        let [first, second, third] = [0, 1, 2].map(paint);
        let mut pages = PaintPages::new(2);
        pages.begin_frame();
        assert_eq!(pages.place(7, &first), Some(Place { page: 0, is_new: true }));
        assert_eq!(pages.place(9, &second), Some(Place { page: 1, is_new: true }));
        assert_eq!(pages.place(3, &third), None, "all are drawn");
        pages.begin_frame();
        assert_eq!(pages.place(9, &second), Some(Place { page: 1, is_new: false }));
        assert_eq!(pages.place(3, &third), Some(Place { page: 0, is_new: true }), "the other is not drawn any more");
        pages.begin_frame();
        assert_eq!(pages.place(9, &first), Some(Place { page: 1, is_new: true }), "another chunk has come to the slot");
        assert_eq!(pages.place(7, &first), Some(Place { page: 0, is_new: true }));
    }
}
