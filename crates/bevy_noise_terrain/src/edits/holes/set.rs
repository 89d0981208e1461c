//! All holes, found by place.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::list::HoleId;
use super::outline::{Outline, VolumeHole};
use crate::edits::tree::Rect;
use crate::source::HeightSource;

/// Width of the smallest cells, in metres.
const SMALLEST: f64 = 0.0625;

/// A snapshot of all holes. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct HoleSet(Option<Arc<Index>>);

/// Holes by the cell that their middle lies in, of the smallest grid whose cells are as wide as they.
#[derive(Debug)]
struct Index {
    /// In the order of their names.
    holes: Vec<(HoleId, Arc<Outline>)>,
    /// Indices of holes.
    grids: BTreeMap<i32, HashMap<[i64; 2], Vec<u32>>>,
    /// Indices of holes with volumes.
    volumes: Vec<u32>,
}

/// Names of volumes among those of holes.
const FIRST_VOLUME: u64 = u64::MAX - u32::MAX as u64;

/// Width of a grid's cells in metres.
fn width(grid: i32) -> f64 {
    SMALLEST * (1u64 << grid) as f64
}

fn cell(at: [f64; 2], width: f64) -> [i64; 2] {
    at.map(|metres| (metres / width).floor() as i64)
}

impl HoleSet {
    /// In the order of their names.
    pub fn new(holes: Vec<(HoleId, Arc<Outline>)>) -> Self {
        if holes.is_empty() {
            return Self::default();
        }
        let mut grids: BTreeMap<i32, HashMap<_, Vec<u32>>> = BTreeMap::new();
        for ((_, outline), index) in holes.iter().zip(0..) {
            let Rect { min, max } = outline.rect;
            let widest = (max[0] - min[0]).max(max[1] - min[1]);
            let grid = (0..40).find(|&grid| width(grid) >= widest).unwrap_or(40);
            let middle = [0, 1].map(|axis| 0.5 * (min[axis] + max[axis]));
            grids.entry(grid).or_default().entry(cell(middle, width(grid))).or_default().push(index);
        }
        let volumes =
            (0..).zip(&holes).filter(|(_, (_, outline))| outline.volume.is_some()).map(|(index, _)| index).collect();
        Self(Some(Arc::new(Index { holes, grids, volumes })))
    }

    /// The same holes, and volumes.
    pub fn with_volumes(&self, volumes: impl IntoIterator<Item = VolumeHole>) -> Self {
        let own = self.0.iter().flat_map(|index| &index.holes).filter(|(_, outline)| outline.volume.is_none()).cloned();
        let volumes = volumes
            .into_iter()
            .map(|volume| (HoleId(FIRST_VOLUME + u64::from(volume.id.0)), Arc::new(Outline::of_volume(volume))));
        let mut holes: Vec<_> = own.chain(volumes).collect();
        holes.sort_by_key(|(id, _)| *id);
        Self::new(holes)
    }

    /// The volumes.
    pub fn volumes(&self) -> impl Iterator<Item = &VolumeHole> {
        let index = self.0.as_deref();
        index
            .into_iter()
            .flat_map(|index| index.volumes.iter().filter_map(|&hole| index.holes[hole as usize].1.volume.as_ref()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether it is the same snapshot.
    pub fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// The holes that reach a rectangle, in the order of their names.
    pub fn within(&self, rect: &Rect) -> Vec<Arc<Outline>> {
        let Some(index) = &self.0 else { return Vec::new() };
        let mut found = index.found(rect);
        found.sort_unstable();
        found.into_iter().map(|hole| index.holes[hole as usize].1.clone()).collect()
    }

    /// Whether the ground is not where the land has it, at an absolute position.
    pub fn is_hole(&self, at: [f64; 2], land: &dyn HeightSource) -> bool {
        self.at(at).any(|outline| outline.is_hole(at, land))
    }

    /// Whether an absolute position lies within an outline.
    pub fn contains(&self, at: [f64; 2]) -> bool {
        self.at(at).any(|outline| outline.contains(at))
    }

    /// The volume at an absolute position.
    pub fn volume(&self, at: [f64; 2]) -> Option<&VolumeHole> {
        self.at(at)
            .filter(|outline| outline.contains(at))
            .filter_map(|outline| outline.volume.as_ref())
            .max_by_key(|hole| hole.id)
    }

    /// Those that may reach an absolute position.
    fn at(&self, at: [f64; 2]) -> impl Iterator<Item = &Outline> {
        let index = self.0.as_deref();
        let found = index.map(|index| index.found(&Rect::point(at))).unwrap_or_default();
        found.into_iter().filter_map(move |hole| Some(&*index?.holes[hole as usize].1))
    }

    /// Where two snapshots may differ.
    pub fn difference(&self, other: &Self) -> Vec<Rect> {
        if self.is(other) {
            return Vec::new();
        }
        let [mut a, mut b] = [self, other].map(|set| set.0.as_ref().map_or(&[][..], |index| &index.holes));
        let mut rects = Vec::new();
        while let Some(id) = [a.first(), b.first()].into_iter().flatten().map(|(id, _)| *id).min() {
            let next = |list: &mut &[(HoleId, Arc<Outline>)]| {
                let ((_, outline), rest) = list.split_first().filter(|((own, _), _)| *own == id)?;
                let outline = outline.clone();
                *list = rest;
                Some(outline)
            };
            let pair = [next(&mut a), next(&mut b)];
            let is_same = matches!(&pair, [Some(a), Some(b)] if Arc::ptr_eq(a, b) || a.is_same(b));
            if !is_same {
                rects.extend(pair.into_iter().flatten().map(|outline| outline.rect));
            }
        }
        rects
    }
}

impl Index {
    /// Indices of the holes that reach a rectangle.
    fn found(&self, rect: &Rect) -> Vec<u32> {
        let mut found = Vec::new();
        for (&grid, cells) in &self.grids {
            let width = width(grid);
            // Holes reach half of a cell beyond their own.
            let around = rect.grown(0.5 * width);
            let [first, last] = [around.min, around.max].map(|at| cell(at, width));
            let count = [0, 1].map(|axis| last[axis].saturating_sub(first[axis]).saturating_add(1) as usize);
            let reaches = |hole: &&u32| self.holes[**hole as usize].1.rect.touches(rect);
            if count[0].saturating_mul(count[1]) > cells.len() {
                let near =
                    cells.iter().filter(|(at, _)| (0..2).all(|axis| (first[axis]..=last[axis]).contains(&at[axis])));
                found.extend(near.flat_map(|(_, holes)| holes.iter().filter(reaches)));
                continue;
            }
            for z in first[1]..=last[1] {
                for x in first[0]..=last[0] {
                    found.extend(cells.get(&[x, z]).into_iter().flatten().filter(reaches));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use proptest::prelude::*;

    use super::super::hole::Hole;
    use super::super::list::TerrainHoles;
    use super::*;

    proptest! {
        #[test]
        fn what_is_found_by_place_is_what_a_search_of_all_finds(
            holes in prop::collection::vec((-100.0..100.0f64, -100.0..100.0f64, 0.01..90.0f64), 0..30),
            at in (-150.0..150.0f64, -150.0..150.0f64), width in 0.0..300.0f64,
        ) {
            let mut list = TerrainHoles::default();
            for (x, z, radius) in holes {
                list.apply(Hole::disc(DVec3::new(x, 0.0, z), radius)).unwrap();
            }
            let outlines: Vec<_> = list.iter().map(|(_, hole)| Outline::new(hole.clone())).collect();
            let rect = Rect { min: [at.0, at.1], max: [at.0 + width, at.1 + width] };
            let found: Vec<_> = list.set().within(&rect).iter().map(|outline| outline.hole.clone()).collect();
            let expected: Vec<_> =
                outlines.iter().filter(|outline| outline.rect.touches(&rect)).map(|outline| outline.hole.clone()).collect();
            prop_assert_eq!(found, expected);
            let within = outlines.iter().any(|outline| outline.contains([at.0, at.1]));
            prop_assert_eq!(list.set().contains([at.0, at.1]), within);
        }
    }

    #[test]
    fn only_what_differs_is_told() {
        let mut holes = TerrainHoles::default();
        let ids: Vec<_> =
            (0..50).map(|k| holes.apply(Hole::disc(DVec3::splat(f64::from(k) * 10.0), 1.0)).unwrap()).collect();
        let before = holes.set().clone();
        assert!(before.difference(holes.set()).is_empty());
        holes.undo(ids[3]);
        holes.insert(ids[7], Hole::disc(DVec3::splat(70.0), 2.0)).unwrap();
        holes.insert(ids[9], Hole::disc(DVec3::splat(90.0), 1.0)).unwrap();
        holes.apply(Hole::disc(DVec3::splat(-10.0), 1.0)).unwrap();
        let rect = |at: f64, radius: f64| Rect::point([at; 2]).grown(radius);
        let expected = [rect(30.0, 1.0), rect(70.0, 1.0), rect(70.0, 2.0), rect(-10.0, 1.0)];
        assert_eq!(before.difference(holes.set()), expected);
        assert_eq!(HoleSet::default().difference(&before).len(), 50);
        // Not a number is nowhere, and what is endless has all.
        assert!(!before.contains([f64::NAN, 0.0]) && !before.contains([f64::INFINITY, 0.0]));
        assert_eq!(before.within(&Rect::EVERYWHERE).len(), 50);
    }
}
