//! What covers the ground, computed once for each chunk that is drawn: layers, climate, paint and woods change from frame to
//! frame no more than the land does. A compute shader writes them to pages of an array texture, see `fill_pages.wesl`; the
//! shader of the ground reads them, see `pages.wesl`.
//!
//! What a camera sees is filled first. A chunk whose page is still to be filled shows its old one, or that of its nearest
//! ancestor.

mod fill;

use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy::prelude::*;
use bevy::render::render_resource::{
    Extent3d, TextureDimension, TextureFormat, TextureUsages, TextureViewDescriptor, TextureViewDimension,
};

use super::canopy_uniforms::CanopyUniforms;
use super::ground_uniforms::GroundUniforms;
use super::page_table::PageTable;
use crate::chunk::{CHUNK_QUADS, ChunkKey, MAX_LEVEL};
use crate::uniforms::ChunkRecord;
pub(super) use fill::{Fill, PageFill, PageFills, add};

/// Texels along a side of a page, two per quad and a border; `PAGE` in `pages.wesl`.
const PAGE: u32 = 2 * CHUNK_QUADS as u32 + 2 * BORDER;
/// Texels on each side of a page that belong to its neighbours, for filtering; `BORDER` in `pages.wesl`.
const BORDER: u32 = 4;
/// Pages beside each other; `COLUMNS` in `pages.wesl`.
const COLUMNS: u32 = 16;
/// Layers of the texture: see `pages.wesl`.
const LAYERS: u32 = 3;
/// Mip levels: that of chunks, and those of their parents.
const MIPS: u32 = 4;
/// Bytes of a page.
const PAGE_BYTES: usize = (PAGE * PAGE * 4 * LAYERS * 85 / 64) as usize;
/// Pages that are filled in a frame, besides those of chunks in sight that have none to show.
const FILLED_PER_FRAME: usize = 24;
/// How many of them may be those of chunks out of sight, for when a camera turns.
const FILLED_OUT_OF_SIGHT: usize = 2;
/// Stands for the page of a chunk that is not to be seen yet; `UNSEEN` in `bindings.wesl`.
const UNSEEN: u32 = u32::MAX;
/// Steps in which detail normals appear on pages as they fade in.
const DETAIL_STEPS: f32 = 4.0;

/// What pages follow from, besides chunks. It does not depend on the terrain's origin, which may move at any time.
#[derive(Component, Clone, Debug, Default)]
pub(crate) struct PageInputs {
    ground: GroundUniforms,
    canopy: CanopyUniforms,
    /// How often it has changed.
    revision: u32,
}

impl PageInputs {
    /// Takes over the ground's settings, for an origin of zero.
    #[cfg_attr(not(feature = "ground"), expect(dead_code, reason = "for layers of the ground"))]
    pub fn set_ground(&mut self, ground: GroundUniforms) {
        if self.ground != ground {
            self.ground = ground;
            self.revision += 1;
        }
    }

    /// Takes over what is seen of plants from afar, for an origin of zero.
    #[cfg_attr(not(feature = "scatter"), expect(dead_code, reason = "for plants"))]
    pub fn set_canopy(&mut self, canopy: CanopyUniforms) {
        if self.canopy != canopy {
            self.canopy = canopy;
            self.revision += 1;
        }
    }
}

/// What a page was filled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version {
    /// Number of the last upload to the chunk's slot.
    upload: u64,
    /// How much of the detail normals it shows, in [`DETAIL_STEPS`].
    detail: u8,
    is_painted: bool,
    inputs: u32,
}

/// The pages of a terrain.
pub(super) struct GroundPages {
    pub image: Handle<Image>,
    table: PageTable<ChunkKey, Version>,
    /// The number of the last upload to each slot.
    uploads: Vec<u64>,
    next_upload: u64,
}

/// A chunk that is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct PagedChunk {
    pub key: ChunkKey,
    pub slot: u32,
    pub detail_normals: f32,
    pub is_painted: bool,
    /// Whether a camera sees it in this frame.
    pub is_seen: bool,
}

/// The number of pages that fit into a number of megabytes.
pub(super) fn page_count(megabytes: u32) -> usize {
    megabytes as usize * 1_000_000 / PAGE_BYTES
}

impl GroundPages {
    /// `count` pages for a pool of so many slots.
    pub fn new(count: usize, slots: u32, images: &mut Assets<Image>) -> Self {
        Self {
            image: images.add(image(count as u32)),
            table: PageTable::new(count),
            uploads: vec![0; slots as usize],
            next_upload: 1,
        }
    }

    /// The number of pages.
    pub fn count(&self) -> usize {
        self.table.count()
    }

    /// Notes that vertices, detail normals or paint of a slot are others from now on.
    pub fn outdate(&mut self, slot: u32) {
        if let Some(upload) = self.uploads.get_mut(slot as usize) {
            *upload = self.next_upload;
            self.next_upload += 1;
        }
    }

    /// Keeps drawn chunks unseen, as no page can be filled yet; returns their number.
    pub fn hide(drawn: &[PagedChunk], records: &mut [ChunkRecord]) -> usize {
        for chunk in drawn {
            if let Some(record) = records.get_mut(chunk.slot as usize) {
                record.page = UNSEEN;
            }
        }
        drawn.len()
    }

    /// Writes the pages of drawn chunks into their records; returns those that must be filled, and the number of chunks in sight
    /// that wait for theirs.
    pub fn assign(
        &mut self,
        inputs: &PageInputs,
        mut drawn: Vec<PagedChunk>,
        records: &mut [ChunkRecord],
    ) -> (Vec<PageFill>, usize) {
        self.table.begin_frame();
        if drawn.len() > self.count() {
            drawn.retain(|chunk| chunk.is_seen);
        }
        // The nearest first.
        drawn.sort_by_key(|chunk| (!chunk.is_seen, chunk.key.level));
        let mut out_of_sight = if drawn.iter().any(|chunk| chunk.is_seen) { FILLED_OUT_OF_SIGHT } else { 0 };
        let (mut bare, mut outdated) = (Vec::new(), Vec::new());
        for chunk in drawn {
            let version = self.version(inputs, &chunk);
            let shown = self.table.draw(chunk.key).map(|(page, held)| (page, *held == version));
            let Some(record) = records.get_mut(chunk.slot as usize) else { continue };
            match shown {
                Some((page, is_valid)) => {
                    show(record, page, chunk.key, chunk.key);
                    if !is_valid {
                        outdated.push((chunk, version, true));
                    }
                }
                None if !chunk.is_seen => outdated.push((chunk, version, false)),
                None => match self.ancestor(chunk.key) {
                    Some((page, ancestor)) => {
                        show(record, page, ancestor, chunk.key);
                        outdated.push((chunk, version, false));
                    }
                    None => bare.push((chunk, version)),
                },
            }
        }
        let mut fills = Vec::new();
        let mut left = 0;
        // The coarsest of those without any page first: they stand for the others where there is no room for all.
        bare.reverse();
        for (chunk, version) in bare {
            let record = &mut records[chunk.slot as usize];
            if let Some(page) = self.table.write(chunk.key, version) {
                show(record, page, chunk.key, chunk.key);
                fills.push(PageFill { slot: chunk.slot, page: page as u32 });
                continue;
            }
            left += 1;
            if let Some((page, ancestor)) = self.ancestor(chunk.key) {
                show(record, page, ancestor, chunk.key);
            }
        }
        let (mut waiting, mut renewed) = (0, 0);
        for (chunk, version, has_page) in outdated {
            let is_due = renewed < FILLED_PER_FRAME && (chunk.is_seen || out_of_sight > 0);
            // Those without room take nothing from the others.
            let page = if is_due { self.table.write(chunk.key, version) } else { None };
            match page {
                Some(page) => {
                    renewed += 1;
                    out_of_sight -= usize::from(!chunk.is_seen);
                    show(&mut records[chunk.slot as usize], page, chunk.key, chunk.key);
                    fills.push(PageFill { slot: chunk.slot, page: page as u32 });
                }
                None if !chunk.is_seen => {}
                None if has_page => waiting += 1,
                None => left += 1,
            }
        }
        let free = self.table.free();
        if left > free {
            warn_once!(
                "the ground of {} chunks is drawn more coarsely: there is room for that of {} in `ground_memory_mb` of \
                 `TerrainStreaming`",
                left - free,
                self.count()
            );
        }
        (fills, waiting + left.min(free))
    }

    fn version(&self, inputs: &PageInputs, chunk: &PagedChunk) -> Version {
        Version {
            upload: self.uploads.get(chunk.slot as usize).copied().unwrap_or_default(),
            detail: (chunk.detail_normals * DETAIL_STEPS).floor() as u8,
            is_painted: chunk.is_painted,
            inputs: inputs.revision,
        }
    }

    /// The page of the nearest ancestor that has one, and whose it is.
    fn ancestor(&mut self, key: ChunkKey) -> Option<(usize, ChunkKey)> {
        let ancestors = std::iter::successors(Some(key.parent()), |key| Some(key.parent()));
        let mut ancestors = ancestors.take_while(|ancestor| ancestor.level <= MAX_LEVEL);
        ancestors.find_map(|ancestor| self.table.draw(ancestor).map(|(page, _)| (page, ancestor)))
    }
}

/// Sets the page on which a chunk finds its ground: that of `owner`, itself or an ancestor.
fn show(record: &mut ChunkRecord, page: usize, owner: ChunkKey, key: ChunkKey) {
    let up = owner.level - key.level;
    record.page = page as u32 + 1;
    record.page_scale = 2.0 / f32::from(1u16 << up);
    let width = 2.0 * CHUNK_QUADS as f32 / f32::from(1u16 << up);
    record.page_offset =
        [key.x - (owner.x << up), key.z - (owner.z << up)].map(|cell| BORDER as f32 + width * cell as f32);
}

/// An array texture of `count` pages.
fn image(count: u32) -> Image {
    let size = Extent3d {
        width: COLUMNS * PAGE,
        height: count.div_ceil(COLUMNS).max(1) * PAGE,
        depth_or_array_layers: LAYERS,
    };
    let mut image =
        Image::new_uninit(size, TextureDimension::D2, TextureFormat::Rgba8Unorm, RenderAssetUsages::RENDER_WORLD);
    image.texture_descriptor.label = Some("terrain ground pages");
    image.texture_descriptor.mip_level_count = MIPS;
    image.texture_descriptor.usage = TextureUsages::TEXTURE_BINDING | TextureUsages::STORAGE_BINDING;
    image.texture_view_descriptor =
        Some(TextureViewDescriptor { dimension: Some(TextureViewDimension::D2Array), ..default() });
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(count: usize) -> GroundPages {
        GroundPages::new(count, 64, &mut Assets::default())
    }

    fn chunk(level: u8, x: i64, slot: u32) -> PagedChunk {
        PagedChunk { key: ChunkKey::new(level, x, 0), slot, detail_normals: 1.0, is_painted: false, is_seen: true }
    }

    /// What is filled, and the records, of a frame.
    fn frame(pages: &mut GroundPages, inputs: &PageInputs, drawn: &[PagedChunk]) -> (Vec<u32>, Vec<ChunkRecord>) {
        let mut records = vec![ChunkRecord::default(); 64];
        let (fills, _) = pages.assign(inputs, drawn.to_vec(), &mut records);
        (fills.iter().map(|fill| fill.slot).collect(), records)
    }

    #[test]
    fn the_shader_has_the_same_constants() {
        let shader = include_str!("pages.wesl");
        for (name, value) in [("PAGE", PAGE), ("BORDER", BORDER), ("COLUMNS", COLUMNS)] {
            assert!(shader.contains(&format!("const {name}: u32 = {value}u;")), "{name}");
        }
        assert!(include_str!("bindings.wesl").contains(&format!("const UNSEEN: u32 = {UNSEEN:#x}u;")));
    }

    #[test]
    fn a_page_is_filled_once_and_again_when_what_it_follows_from_changes() {
        let (mut pages, mut inputs) = (pages(8), PageInputs::default());
        let drawn = [chunk(0, 0, 3), chunk(0, 1, 5)];
        assert_eq!(frame(&mut pages, &inputs, &drawn).0, [5, 3]);
        assert!(frame(&mut pages, &inputs, &drawn).0.is_empty());
        pages.outdate(5);
        assert_eq!(frame(&mut pages, &inputs, &drawn).0, [5]);
        let painted = [PagedChunk { is_painted: true, ..drawn[0] }, PagedChunk { detail_normals: 0.2, ..drawn[1] }];
        assert_eq!(frame(&mut pages, &inputs, &painted).0, [3, 5]);
        inputs.revision += 1;
        assert_eq!(frame(&mut pages, &inputs, &painted).0, [3, 5]);
        assert!(frame(&mut pages, &inputs, &painted).0.is_empty());
    }

    #[test]
    fn children_show_their_ancestors_page_until_their_own_is_filled() {
        let (mut pages, inputs) = (pages(40), PageInputs::default());
        frame(&mut pages, &inputs, &[chunk(3, -1, 0)]);
        let children: Vec<_> = (0..28).map(|index| chunk(0, -8 + index % 8, 1 + index as u32)).collect();
        let children: Vec<_> = children
            .into_iter()
            .enumerate()
            .map(|(index, child)| PagedChunk { key: ChunkKey { z: index as i64 / 8, ..child.key }, ..child })
            .collect();
        let (filled, records) = frame(&mut pages, &inputs, &children);
        assert_eq!(filled.len(), FILLED_PER_FRAME);
        let of = |slot: usize| (records[slot].page, records[slot].page_scale, records[slot].page_offset);
        assert_eq!(of(1).1, 2.0, "its own");
        assert_eq!(
            of(28),
            (1, 0.25, [52.0, 52.0]),
            "an eighth of its ancestor's along each axis, the fourth along x and z"
        );
        let (filled, records) = frame(&mut pages, &inputs, &children);
        assert_eq!(filled, [25, 26, 27, 28]);
        assert_eq!(records[28].page_offset, [4.0; 2]);
    }

    #[test]
    fn chunks_without_any_page_do_not_wait_and_without_room_some_show_their_ancestors() {
        let (mut pages, inputs) = (pages(30), PageInputs::default());
        let mut drawn: Vec<_> = (0..40).map(|index| chunk(0, index, index as u32)).collect();
        drawn.push(chunk(5, 0, 40));
        let all = drawn.clone();
        let mut records = vec![ChunkRecord::default(); 64];
        let (fills, waiting) = pages.assign(&inputs, drawn, &mut records);
        assert_eq!((fills.len(), waiting), (30, 0), "what there is no room for is not waited for");
        assert_eq!((fills[0].slot, records[40].page_scale), (40, 2.0), "the coarsest has a page in any case");
        let on = |scale: f32| records[..40].iter().filter(|record| record.page_scale == scale).count();
        assert_eq!((on(2.0), on(2.0 / 32.0)), (29, 11));
        assert!(records[..11].iter().all(|record| record.page == records[40].page));
        pages.outdate(39);
        assert_eq!(frame(&mut pages, &inputs, &all).0, [39], "those without room do not keep others from theirs");
    }

    #[test]
    fn what_is_out_of_sight_comes_last_and_is_not_waited_for() {
        let (mut pages, inputs) = (pages(30), PageInputs::default());
        let unseen = |index| PagedChunk { is_seen: false, ..chunk(0, i64::from(index), index) };
        let mut drawn: Vec<_> = (0..20).map(unseen).collect();
        let mut records = vec![ChunkRecord::default(); 64];
        let (fills, waiting) = pages.assign(&inputs, drawn.clone(), &mut records);
        assert_eq!((fills.len(), waiting), (0, 0), "no camera looks");
        drawn.push(chunk(3, 7, 20));
        assert_eq!(frame(&mut pages, &inputs, &drawn).0, [20, 0, 1]);
        assert_eq!(frame(&mut pages, &inputs, &drawn).0, [2, 3]);
        drawn[10].is_seen = true;
        assert_eq!(frame(&mut pages, &inputs, &drawn).0, [10, 4, 5], "what comes into sight is filled at once");
        drawn.extend((30..42).map(unseen));
        assert!(frame(&mut pages, &inputs, &drawn).0.is_empty(), "without room for all, what is out of sight has none");
        let turned: Vec<_> = drawn.iter().map(|chunk| PagedChunk { is_seen: !chunk.is_seen, ..*chunk }).collect();
        assert_eq!(frame(&mut pages, &inputs, &turned).0.len(), 30 - 6, "those that have theirs keep them");
    }
}
