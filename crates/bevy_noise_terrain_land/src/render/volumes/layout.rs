//! Which pieces a volume has: squares, each as detailed as the land around it.

use super::nearby::distance;
use crate::chunk::CHUNK_QUADS;
use crate::edits::{Rect, VolumeHole};
use crate::lod::{Ranges, Viewer};
use crate::volumes::COARSEST;

/// A level is built when the viewer comes within this part of its range more, so that it is there when it is needed.
const AHEAD: f64 = 0.85;

/// The widest pieces are as wide as chunks of this level would be.
const WIDEST: u8 = 24;
/// A step ends with the change that brings the new pieces to this number or beyond it: the nearest are there soon.
const MOST: usize = 8;

/// Where a piece is, and its level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub rect: Rect,
    pub level: u8,
}

impl Place {
    /// The cost of building it, where a piece of the finest level costs 1: each coarser level has an eighth of the cells.
    pub fn cost(&self) -> f32 {
        0.125f32.powi(self.level.into())
    }
}

/// Pieces as viewers need them. They are the leaves of a quadtree, in which squares of a level are as wide as chunks of it, and
/// those of the coarsest level may be wider.
pub(super) struct Layout<'a> {
    pub hole: &'a VolumeHole,
    pub ranges: &'a Ranges,
    pub viewers: &'a [Viewer],
}

/// A square of the quadtree; sizes are given as if they were levels.
#[derive(Clone, Copy)]
struct Square {
    size: u8,
    min: [f64; 2],
    rect: Rect,
}

/// What takes the place of what in a square.
struct Change {
    rect: Rect,
    old: Vec<Place>,
    new: Vec<Place>,
}

impl Layout<'_> {
    /// All pieces, for a volume of which nothing is shown.
    pub fn whole(&self) -> Vec<Place> {
        let mut places = Vec::new();
        self.divide(self.root(), &mut places);
        places
    }

    /// The next pieces of a volume that has others already. No place becomes finer by more than one level at once, so that all
    /// morph; near viewers they change first.
    pub fn step(&self, shown: &[Place]) -> Vec<Place> {
        let mut changes = Vec::new();
        self.compare(self.root(), shown.to_vec(), &mut changes);
        let mut open: Vec<usize> =
            (0..changes.len()).filter(|&index| changes[index].old != changes[index].new).collect();
        open.sort_by_cached_key(|&index| distance(&changes[index].rect, self.viewers).to_bits());
        let mut room = MOST;
        open.retain(|&index| {
            let is_chosen = room > 0;
            room = room.saturating_sub(changes[index].new.len());
            is_chosen
        });
        let place = |(index, change): (usize, Change)| if open.contains(&index) { change.new } else { change.old };
        changes.into_iter().enumerate().flat_map(place).collect()
    }

    fn root(&self) -> Square {
        let whole = self.hole.volume.rect(self.hole.spacing);
        let widest = (whole.max[0] - whole.min[0]).max(whole.max[1] - whole.min[1]);
        let size = (0..WIDEST).find(|&size| self.width(size) >= widest).unwrap_or(WIDEST);
        Square { size, min: whole.min, rect: whole }
    }

    fn width(&self, size: u8) -> f64 {
        self.hole.spacing * (CHUNK_QUADS << size) as f64
    }

    /// The quarters of a square within the box.
    fn quarters(&self, square: Square) -> impl Iterator<Item = Square> {
        let size = square.size - 1;
        let (half, max) = (self.width(size), square.rect.max);
        let least = self.hole.spacing;
        [[0.0, 0.0], [half, 0.0], [0.0, half], [half, half]].into_iter().filter_map(move |[x, z]| {
            let min = [square.min[0] + x, square.min[1] + z];
            let rect = Rect { min, max: [0, 1].map(|axis| (min[axis] + half).min(max[axis])) };
            // Others lie beyond the box, maybe by rounding.
            (0..2).all(|axis| rect.max[axis] - min[axis] >= least).then_some(Square { size, min, rect })
        })
    }

    fn level(&self, square: Square, shown: &[Place]) -> u8 {
        level(self.ranges, distance(&square.rect, self.viewers), shown.iter().map(|place| place.level).min())
    }

    fn is_divided(square: Square, level: u8) -> bool {
        level < square.size.min(COARSEST)
    }

    fn divide(&self, square: Square, places: &mut Vec<Place>) {
        let level = self.level(square, &[]);
        if Self::is_divided(square, level) {
            self.quarters(square).for_each(|quarter| self.divide(quarter, places));
        } else {
            places.push(Place { rect: square.rect, level });
        }
    }

    /// Looks for changes in a square with these pieces.
    fn compare(&self, square: Square, old: Vec<Place>, changes: &mut Vec<Change>) {
        let rect = square.rect;
        let level = self.level(square, &old);
        let is_divided = Self::is_divided(square, level);
        let new = match old[..] {
            [only] if is_divided => self
                .quarters(square)
                .map(|quarter| Place {
                    rect: quarter.rect,
                    level: self.level(quarter, &old).max(only.level.saturating_sub(1)),
                })
                .collect(),
            [only] => vec![Place { rect, level: level.max(only.level.saturating_sub(1)) }],
            _ if is_divided => {
                for quarter in self.quarters(square) {
                    let within = old.iter().filter(|place| quarter.rect.overlaps(&place.rect)).copied().collect();
                    self.compare(quarter, within, changes);
                }
                return;
            }
            _ => vec![Place { rect, level }],
        };
        changes.push(Change { rect, old, new });
    }
}

/// The level of the finest land there, or a finer one.
fn level(ranges: &Ranges, distance: f64, shown: Option<u8>) -> u8 {
    let of = |distance: f64| (0..COARSEST).find(|&level| ranges.of(level) > distance).unwrap_or(COARSEST);
    let [fine, coarse] = [of(AHEAD * distance), of(distance)];
    // Between the two, whatever is shown is kept.
    shown.filter(|shown| (fine..=coarse).contains(shown)).unwrap_or(fine)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bevy::prelude::*;

    use super::{Rect, *};
    use crate::lod::TerrainLod;
    use crate::volumes::{Prepared, TerrainVolume, VolumeId, VolumeKey};

    #[test]
    fn a_level_is_built_ahead_of_need_and_none_is_coarser_than_sides_are_exact() {
        let ranges = Ranges::full(&TerrainLod::default());
        let end = ranges.of(0);
        assert_eq!(level(&ranges, 0.0, None), 0);
        // On the way out it stays as it is, on the way in it comes early.
        assert_eq!([level(&ranges, 1.1 * end, Some(0)), level(&ranges, 1.1 * end, Some(1))], [0, 1]);
        assert_eq!(level(&ranges, 1.3 * end, Some(0)), 1);
        for distance in [1e4, 1e6, f64::INFINITY] {
            assert!(level(&ranges, distance, None) <= COARSEST);
        }
    }

    #[test]
    fn pieces_cover_the_box_and_are_finer_near_the_viewer() {
        let volume = TerrainVolume { center: [3.0, -40.0], size: [500.0, 200.0], ..default() };
        let volume = Arc::new(Prepared::new(volume).unwrap());
        let hole = VolumeHole { key: VolumeKey::Listed(VolumeId(0)), volume, spacing: 1.0, is_drawn: true };
        let whole = hole.volume.rect(1.0);
        let area = |rect: &Rect| (rect.max[0] - rect.min[0]) * (rect.max[1] - rect.min[1]);
        let ranges = Ranges::full(&TerrainLod::default());
        let seen_from = |x: f64| {
            let viewers = [Viewer { position: [x, 0.0], height: 2.0, ..default() }];
            let places = Layout { hole: &hole, ranges: &ranges, viewers: &viewers }.whole();
            assert_eq!(places.iter().map(|place| area(&place.rect)).sum::<f64>(), area(&whole), "from {x}");
            for Place { rect, level } in &places {
                let cell = f64::from(1u32 << level);
                assert!([rect.min, rect.max].iter().flatten().all(|at| at % cell == 0.0), "{rect:?}");
                // Never coarser than the land beside it.
                assert!(*level == 0 || ranges.of(level - 1) <= distance(rect, &viewers), "{rect:?} {level}");
            }
            let levels = [0, 1, 2, 3, 4].map(|level| places.iter().filter(|place| place.level == level).count());
            (places.len(), levels)
        };
        assert_eq!(seen_from(-400.0), (20, [12, 8, 0, 0, 0]));
        assert_eq!(seen_from(10_000.0), (1, [0, 0, 0, 0, 1]));
    }

    #[test]
    fn after_a_jump_pieces_become_finer_level_by_level_the_nearest_first() {
        let volume = TerrainVolume { size: [2_000.0; 2], ..default() };
        let volume = Arc::new(Prepared::new(volume).unwrap());
        let hole = VolumeHole { key: VolumeKey::Listed(VolumeId(0)), volume, spacing: 1.0, is_drawn: true };
        let ranges = Ranges::full(&TerrainLod::default());
        let area = |places: &[Place]| {
            places
                .iter()
                .map(|Place { rect, .. }| (rect.max[0] - rect.min[0]) * (rect.max[1] - rect.min[1]))
                .sum::<f64>()
        };
        let viewer = |x: f64| [Viewer { position: [x, 30.0], height: 2.0, ..default() }];
        let mut shown = Layout { hole: &hole, ranges: &ranges, viewers: &viewer(90_000.0) }.whole();
        let whole = area(&shown);
        assert_eq!(shown.len(), 1);
        for x in [-20.0, 500.0, 50_000.0] {
            let viewers = viewer(x);
            let layout = Layout { hole: &hole, ranges: &ranges, viewers: &viewers };
            let (mut steps, mut sharp) = (0, None);
            loop {
                let next = layout.step(&shown);
                if next == shown {
                    break;
                }
                let added = next.iter().filter(|place| !shown.contains(place)).count();
                assert!((1..MOST + 4).contains(&added), "{added}");
                for Place { rect, level } in &next {
                    let before = shown.iter().filter(|place| place.rect.overlaps(rect)).map(|place| place.level);
                    assert!(before.max().unwrap() <= level + 1, "finer by more than a level");
                }
                assert_eq!(area(&next), whole);
                shown = next;
                steps += 1;
                let is_near = |place: &&Place| distance(&place.rect, &viewers) < 10.0;
                if sharp.is_none() && shown.iter().filter(is_near).all(|place| place.level == 0) {
                    sharp = Some(steps);
                }
                assert!(steps < 200);
            }
            // In the end they are what one would have who has always been there, but for levels that are kept a little longer.
            let most = layout.whole().len();
            assert!(shown.len() <= most + most / 4 && most <= 2 * shown.len(), "{} {most}", shown.len());
            let mut of_all = shown.iter();
            assert!(
                of_all.all(|place| place.level == 0 || ranges.of(place.level - 1) <= distance(&place.rect, &viewers))
            );
            if x < 1_000.0 {
                assert!(sharp.is_some_and(|sharp| 3 * sharp < steps), "{sharp:?} of {steps}");
            }
        }
    }
}
