//! Uniforms of kinds and pages. `scatter.wesl` declares the same layout.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use crate::wind::WindRecord;

/// The slot of a page without a drawn chunk beneath.
pub const NO_SLOT: u32 = u32::MAX;

/// The position of a page's objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PageRecord {
    /// The cell's corner, in quads of level 0 from the terrain's origin.
    pub first_quad: [i32; 2],
    /// Slot of the drawn chunk beneath, or [`NO_SLOT`].
    pub slot: u32,
    /// Objects in the page.
    pub count: u16,
    /// How far they have grown, 0 to 65 535.
    pub grow: u16,
}

impl Default for PageRecord {
    fn default() -> Self {
        Self { first_quad: [0; 2], slot: NO_SLOT, count: 0, grow: 0 }
    }
}

/// The uniforms of a kind, updated every frame.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct KindHeader {
    pub tint: [f32; 3],
    pub variety: f32,
    pub least_size: f32,
    pub size_range: f32,
    pub reach: f32,
    /// Fraction of the reach over which objects become rarer.
    pub spread: f32,
    pub near: f32,
    pub sink: f32,
    pub tilt: f32,
    pub sway: f32,
    pub ground_light: f32,
    /// How far objects yield to the wind.
    pub yielding: f32,
    pub time: f32,
    pub capacity: u32,
    pub ground_color: f32,
    /// Objects take the colour of ground whose slope has this sine; if negative, of the actual slope.
    pub steepness: f32,
    /// Distance at which the first objects appear.
    pub start: f32,
    /// Mean luminance of the shape.
    pub luminance: f32,
    pub near_corners: u32,
    pub far_corners: u32,
    pub variants: u32,
    /// See [`Reach::widen`](super::Reach::widen).
    pub widen: f32,
    /// Optical depth of a wood for a sun at 45 degrees, where its trees are in no shadow map; 0 where they are.
    pub shade: f32,
    pub padding: [f32; 3],
    pub wind: WindRecord,
}

const _: () = assert!(size_of::<KindHeader>() == 336 && size_of::<PageRecord>() == 16);

/// The records of a kind's pages, and which of them have to be uploaded.
#[derive(Default)]
pub struct Records {
    records: Vec<PageRecord>,
    changed: Range<usize>,
}

impl Records {
    /// Sets the record of a page.
    pub fn set(&mut self, page: u32, record: PageRecord) {
        let page = page as usize;
        if self.records.len() <= page {
            self.records.resize(page + 1, PageRecord::default());
        }
        if self.records[page] == record {
            return;
        }
        self.records[page] = record;
        let changed = &mut self.changed;
        *changed = if changed.start == changed.end {
            page..page + 1
        } else {
            changed.start.min(page)..changed.end.max(page + 1)
        };
    }

    /// The first changed page, and the records from it on that have to be uploaded.
    pub fn take_changed(&mut self) -> (usize, &[PageRecord]) {
        let changed = std::mem::take(&mut self.changed);
        (changed.start, &self.records[changed])
    }

    /// The record of a page.
    #[cfg(test)]
    pub fn get(&self, page: u32) -> PageRecord {
        self.records.get(page as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_uploaded_once() {
        let mut records = Records::default();
        let of = |slot| PageRecord { slot, ..PageRecord::default() };
        assert_eq!(records.take_changed(), (0, [].as_slice()));
        records.set(5, of(1));
        records.set(3, of(2));
        let (first, changed) = records.take_changed();
        assert_eq!((first, changed), (3, [of(2), of(NO_SLOT), of(1)].as_slice()));
        records.set(5, of(1));
        assert!(records.take_changed().1.is_empty(), "nothing new");
        records.set(0, of(7));
        assert_eq!(records.take_changed(), (0, [of(7)].as_slice()));
    }
}
