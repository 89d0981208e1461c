//! One kind's pages, and which of their objects are drawn at which distance.

use bevy::prelude::*;

use super::record::{KindHeader, Records};
use crate::scatter::draw::bands::EXCHANGE;
use crate::scatter::draw::batch_mesh::size_for;
use crate::scatter::draw::canopy::Crown;
use crate::scatter::draw::shapes::Model;
use crate::scatter::placement::{Instance, Lattice};
use crate::scatter::settings::ScatterKind;
use crate::scatter::shape::ScatterShape;
use crate::streaming::Slots;
use crate::wind::WindRecord;

/// Reach of the near shape as a fraction of a kind's distance.
const NEAR_SHARE: f32 = 0.15;
/// Boulders take the colour of ground whose slope has this sine: bare rock. `canopy.wesl` has the same.
pub const CLIFF: f32 = 0.85;

/// The distances at which a kind's objects are visible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Distance at which the first objects appear, in metres; 0 if they are visible up close.
    pub from: f32,
    /// Distance at which the last objects disappear, in metres.
    pub to: f32,
    /// Fraction of `to` at which objects begin to become rarer.
    pub full_share: f32,
    /// Factor of the width, which also grows as objects become rarer; 0 turns both off.
    pub widen: f32,
}

/// One kind's pages.
pub struct Layer {
    pub kind: ScatterKind,
    /// The kind's index in the settings.
    pub index: usize,
    pub lattice: Lattice,
    pub reach: Reach,
    /// Reach of the near shape in metres; infinite if it is the only one.
    pub near: f32,
    /// Corners of the near and the far shape.
    corners: [u32; 2],
    variants: u32,
    luminance: f32,
    pub crown: Crown,
    pub pages: Slots,
    pub records: Records,
    pub uploads: Vec<(u32, Vec<Instance>)>,
}

/// A page in use.
pub struct Page {
    pub page: u32,
    /// Position of the block within the cell.
    pub index: [u16; 2],
    pub count: u16,
    /// Number of objects with a rank up to each eighth.
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
    /// A layer of `pages` pages for the kind at `index`.
    pub fn new(kind: &ScatterKind, index: usize, lattice: Lattice, model: &Model, reach: Reach, pages: u32) -> Self {
        Self {
            kind: kind.clone(),
            index,
            lattice,
            reach,
            near: if model.far.is_empty() { f32::INFINITY } else { NEAR_SHARE * reach.to },
            corners: [&model.near, &model.far]
                .map(|shapes| shapes.first().map_or(0, |shape| shape.corners.len() as u32)),
            variants: model.near.len() as u32,
            luminance: model.luminance(),
            crown: Crown::of(&model.near),
            pages: Slots::new(pages),
            records: Records::default(),
            uploads: Vec::new(),
        }
    }

    /// Whether the objects are in shadow maps. Far away they are smaller than a few texels, and far too many.
    pub fn casts_shadows(&self) -> bool {
        self.kind.shadows && self.reach.from == 0.0
    }

    /// The distances in metres from where on the kind's shade is worked out, and from where on it is in no shadow map.
    pub fn shade_span(&self) -> [f32; 2] {
        let Reach { from, to, full_share, .. } = self.reach;
        match (self.kind.shadows, from > 0.0) {
            (false, _) => [f32::MAX; 2],
            (true, false) => [full_share * to, to],
            (true, true) => [from, from / EXCHANGE],
        }
    }

    /// Bytes of a page.
    pub fn page_bytes(&self) -> usize {
        self.lattice.capacity() as usize * size_of::<Instance>()
    }

    /// Bytes of all pages.
    pub fn bytes(&self) -> u64 {
        u64::from(self.pages.capacity()) * self.page_bytes() as u64
    }

    /// Applies the appearance of `kind`. Returns whether the entities of its blocks can stay as they are.
    pub fn restyle(&mut self, kind: &ScatterKind) -> bool {
        let outer = |kind: &ScatterKind| (kind.shadows, kind.max_size);
        let is_unchanged = outer(&self.kind) == outer(kind);
        self.kind = kind.clone();
        is_unchanged
    }

    /// Width of a block in cells of `width`.
    pub fn block_width(&self, width: f64) -> f64 {
        self.lattice.block_width(width)
    }

    /// The uniforms of a frame.
    pub fn header(&self, yielding: f32, wind: WindRecord, time: f32) -> KindHeader {
        let kind = &self.kind;
        KindHeader {
            tint: kind.tint,
            variety: kind.variety,
            least_size: kind.min_size,
            size_range: kind.max_size - kind.min_size,
            reach: self.reach.to,
            spread: 1.0 - self.reach.full_share,
            // Infinity is not portable in shaders.
            near: self.near.min(1e30),
            sink: kind.sink,
            tilt: kind.tilt,
            sway: kind.sway,
            ground_light: kind.ground_light,
            yielding,
            time,
            capacity: self.lattice.capacity(),
            ground_color: if matches!(kind.shape, ScatterShape::Grass | ScatterShape::Rock) {
                kind.ground_color
            } else {
                0.0
            },
            steepness: if kind.shape == ScatterShape::Rock { CLIFF } else { -1.0 },
            start: self.reach.from,
            luminance: self.luminance,
            near_corners: self.corners[0],
            far_corners: self.corners[1],
            variants: self.variants.max(1),
            widen: self.reach.widen,
            // Far trees are fewer, but wider.
            shade: if self.kind.shadows && self.reach.from > 0.0 { self.crown.shade(kind) } else { 0.0 },
            padding: [0.0; 3],
            wind,
        }
    }

    /// An upper bound of the number of a page's objects that are visible at `distance` metres.
    fn visible(&self, page: &Page, distance: f32) -> u32 {
        let spread = 1.0 - self.reach.full_share;
        let rank = (1.0 - distance / self.reach.to) / spread;
        let eighth = (rank * 8.0).ceil().clamp(0.0, 8.0) as usize;
        if eighth == 0 { 0 } else { u32::from(page.ranks[eighth - 1]) }
    }

    /// Mesh sizes for a page's near and far shape, if its block is between `nearest` and `furthest` metres away, with a
    /// tolerance of `margin`. `None`: not drawn.
    pub fn sizes(&self, page: &Page, nearest: f32, furthest: f32, margin: f32) -> [Option<usize>; 2] {
        let nearest = (nearest - margin).max(0.0);
        if furthest + margin < self.reach.from {
            return [None; 2];
        }
        let visible = self.visible(page, nearest);
        let size = (visible > 0).then(|| size_for(self.lattice.capacity(), visible));
        [size.filter(|_| nearest < self.near), size.filter(|_| furthest + margin >= self.near)]
    }
}

/// The greatest number of pages that a viewer can need: all blocks within `reach` metres and the margin around it.
pub fn pages_in_reach(reach: f32, lattice: Lattice, width: f64) -> u32 {
    let reach = f64::from(reach) + 2.2 * width;
    let block = lattice.block_width(width);
    (std::f64::consts::PI * reach * reach / (block * block)).ceil() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scatter::draw::batch_mesh::copies_of;

    fn layer(reach: Reach) -> Layer {
        let model = Model::of(&ScatterShape::Grass).unwrap();
        Layer::new(&ScatterKind::grass(), 0, Lattice { candidates: 64, side: 16 }, &model, reach, 10)
    }

    fn page(count: u16) -> Page {
        let instances: Vec<_> = (0..count)
            .map(|index| Instance { rank: (u32::from(index) * 65_536 / u32::from(count)) as u16, ..default() })
            .collect();
        Page::new(3, [0, 0], &instances)
    }

    const REACH: Reach = Reach { from: 0.0, to: 100.0, full_share: 0.5, widen: 1.0 };

    #[test]
    fn near_and_far_shapes_alternate() {
        let (layer, page) = (layer(REACH), page(256));
        let shown = |layer: &Layer, nearest, furthest| {
            layer.sizes(&page, nearest, furthest, 0.0).map(|size: Option<usize>| size.is_some())
        };
        assert_eq!(shown(&layer, 0.0, 14.0), [true, false]);
        assert_eq!(shown(&layer, 10.0, 26.0), [true, true]);
        assert_eq!(shown(&layer, 40.0, 60.0), [false, true]);
        assert_eq!(shown(&layer, 100.5, 120.0), [false, false]);
        let alone = Layer { near: f32::INFINITY, ..layer };
        assert_eq!(shown(&alone, 40.0, 60.0), [true, false]);
        let beyond = Layer { reach: Reach { from: 50.0, ..REACH }, ..alone };
        assert_eq!(shown(&beyond, 20.0, 40.0), [false, false]);
        assert_eq!(shown(&beyond, 40.0, 60.0), [true, false]);
    }

    #[test]
    fn the_mesh_has_enough_copies_for_all_visible_objects() {
        let (layer, page) = (layer(REACH), page(200));
        for nearest in 0..100u16 {
            let nearest = f32::from(nearest);
            let seen = (0..200u32).filter(|index| REACH.to * (1.0 - 0.5 * (*index as f32 / 200.0)) > nearest).count();
            let size = layer.sizes(&page, nearest, nearest + 10.0, 0.0).into_iter().flatten().next();
            let copies = size.map_or(0, |size| copies_of(256, size) as usize);
            assert!(copies >= seen, "{seen} objects are seen from {nearest} m, the mesh has {copies}");
        }
        assert_eq!(layer.sizes(&page, 95.0, 99.0, 0.0)[1], Some(3), "few are left far away");
    }
}
