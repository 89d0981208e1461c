//! Places for objects on the GPU: per kind a fixed number of pages, one block of objects each.

use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use super::copies::{SIZES, size_for};
use super::place::{Instance, Lattice};
use super::settings::ScatterKind;
use crate::streaming::Slots;

/// A page that lies on no drawn chunk.
pub const NO_SLOT: u32 = u32::MAX;

/// The near shape reaches to this share of a kind's distance.
const NEAR_SHARE: f32 = 0.15;

/// Where a page's objects stand, renewed every frame. `scatter.wgsl` declares the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PageRecord {
    /// The cell's corner, in quads of level 0 from the terrain's origin.
    pub first_quad: [i32; 2],
    /// Slot of the drawn chunk beneath, or [`NO_SLOT`].
    pub slot: u32,
    /// Objects in the page.
    pub count: u16,
    /// How far they have grown in.
    pub grow: u16,
}

impl Default for PageRecord {
    fn default() -> Self {
        Self { first_quad: [0; 2], slot: NO_SLOT, count: 0, grow: 0 }
    }
}

/// What all objects of a kind share. `scatter.wgsl` declares the same.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct KindHeader {
    tint: [f32; 3],
    variety: f32,
    least_size: f32,
    size_range: f32,
    reach: f32,
    spread: f32,
    near: f32,
    sink: f32,
    tilt: f32,
    sway: f32,
    ground_light: f32,
    wind: f32,
    time: f32,
    capacity: u32,
}

/// One kind's pages.
pub struct Layer {
    pub kind: ScatterKind,
    pub lattice: Lattice,
    /// How far objects are seen.
    pub reach: f32,
    /// How far the near shape is drawn; infinite if it is the only one.
    pub near: f32,
    pub pages: Slots,
    /// By page, up to the highest ever used.
    pub records: Vec<PageRecord>,
    pub uploads: Vec<(u32, Vec<Instance>)>,
}

/// A page in use.
pub struct Page {
    pub page: u32,
    /// Which part of the cell.
    pub index: [u16; 2],
    pub count: u16,
    /// Objects with a rank below each eighth.
    ranks: [u16; 8],
    /// Entities of the near and the far shape, with the size of their mesh.
    pub shown: [Option<(Entity, usize)>; 2],
}

impl Page {
    pub fn new(page: u32, index: [u16; 2], instances: &[Instance]) -> Self {
        let ranks = std::array::from_fn(|eighth| {
            instances.partition_point(|instance| usize::from(instance.rank >> 13) <= eighth) as u16
        });
        Self { page, index, count: instances.len() as u16, ranks, shown: [None; 2] }
    }
}

impl Layer {
    /// Pages for what is within reach of `viewers` viewers, but no more than `most`.
    pub fn new(kind: &ScatterKind, lattice: Lattice, has_far: bool, width: f64, pages: u32) -> Self {
        let reach = reach(kind, width);
        Self {
            lattice,
            reach,
            near: if has_far { NEAR_SHARE * reach } else { f32::INFINITY },
            kind: kind.clone(),
            pages: Slots::new(pages),
            records: Vec::new(),
            uploads: Vec::new(),
        }
    }

    /// Bytes of a page.
    pub fn page_bytes(&self) -> usize {
        self.lattice.capacity() as usize * size_of::<Instance>()
    }

    /// Width of a block in cells of `width`.
    pub fn block_width(&self, width: f64) -> f64 {
        width / f64::from(self.lattice.blocks)
    }

    /// The numbers of a frame.
    pub fn header(&self, wind: f32, time: f32) -> KindHeader {
        let kind = &self.kind;
        KindHeader {
            tint: kind.tint,
            variety: kind.variety,
            least_size: kind.min_size,
            size_range: kind.max_size - kind.min_size,
            reach: self.reach,
            spread: 1.0 - kind.full_share,
            // Infinity is not portable in shaders.
            near: self.near.min(1e30),
            sink: kind.sink,
            tilt: kind.tilt,
            sway: kind.sway,
            ground_light: kind.ground_light,
            wind,
            time,
            capacity: self.lattice.capacity(),
        }
    }

    /// Objects of a page that can be seen from `distance` metres.
    fn visible(&self, page: &Page, distance: f32) -> u32 {
        let spread = 1.0 - self.kind.full_share;
        let rank = (1.0 - distance / self.reach) / spread;
        let eighth = (rank * 8.0).ceil().clamp(0.0, 8.0) as usize;
        if eighth == 0 { 0 } else { u32::from(page.ranks[eighth - 1]) }
    }

    /// The mesh sizes in which a page's near and far shape must be drawn if its block lies between `nearest` and
    /// `furthest` metres away, give or take `margin`.
    pub fn sizes(&self, page: &Page, nearest: f32, furthest: f32, margin: f32) -> [Option<usize>; 2] {
        let nearest = (nearest - margin).max(0.0);
        let visible = self.visible(page, nearest);
        let size = (visible > 0).then(|| size_for(self.lattice.capacity(), visible));
        [size.filter(|_| nearest < self.near), size.filter(|_| furthest + margin >= self.near)]
    }
}

/// How far a kind is seen where cells are `width` metres wide.
pub fn reach(kind: &ScatterKind, width: f64) -> f32 {
    /// Cells, so that their number has a bound.
    const FURTHEST: f64 = 64.0;
    kind.distance.min((FURTHEST * width) as f32)
}

/// Pages that a viewer can need: all blocks within the reach and what is kept around it.
pub fn pages_in_reach(kind: &ScatterKind, lattice: Lattice, width: f64) -> u32 {
    let reach = f64::from(reach(kind, width)) + 2.2 * width;
    let block = width / f64::from(lattice.blocks);
    (std::f64::consts::PI * reach * reach / (block * block)).ceil() as u32
}

const _: () = assert!(SIZES > 0 && size_of::<KindHeader>() == 64 && size_of::<PageRecord>() == 16);

#[cfg(test)]
mod tests {
    use super::*;

    fn layer() -> Layer {
        let kind = ScatterKind { distance: 100.0, full_share: 0.5, ..ScatterKind::grass() };
        Layer::new(&kind, Lattice { blocks: 4, side: 16 }, true, 64.0, 10)
    }

    fn page(count: u16) -> Page {
        let instances: Vec<_> = (0..count)
            .map(|index| Instance { rank: (u32::from(index) * 65_536 / u32::from(count)) as u16, ..default() })
            .collect();
        Page::new(3, [0, 0], &instances)
    }

    #[test]
    fn near_and_far_shape_take_turns() {
        let (layer, page) = (layer(), page(256));
        let shown = |nearest, furthest| layer.sizes(&page, nearest, furthest, 0.0).map(|size| size.is_some());
        assert_eq!(shown(0.0, 14.0), [true, false]);
        assert_eq!(shown(10.0, 26.0), [true, true]);
        assert_eq!(shown(40.0, 60.0), [false, true]);
        assert_eq!(shown(100.5, 120.0), [false, false]);
        let alone = Layer { near: f32::INFINITY, ..layer };
        assert_eq!(alone.sizes(&page, 40.0, 60.0, 0.0).map(|size| size.is_some()), [true, false]);
    }

    #[test]
    fn the_mesh_holds_whatever_can_be_seen() {
        let (layer, page) = (layer(), page(200));
        for nearest in 0..100u16 {
            let nearest = f32::from(nearest);
            let seen =
                (0..200u32).filter(|index| layer.reach * (1.0 - 0.5 * (*index as f32 / 200.0)) > nearest).count();
            let size = layer.sizes(&page, nearest, nearest + 10.0, 0.0).into_iter().flatten().next();
            let copies = size.map_or(0, |size| super::super::copies::copies_of(256, size) as usize);
            assert!(copies >= seen, "{seen} objects are seen from {nearest} m, the mesh has {copies}");
        }
        assert_eq!(layer.sizes(&page, 95.0, 99.0, 0.0)[1], Some(3), "few are left far away");
    }
}
