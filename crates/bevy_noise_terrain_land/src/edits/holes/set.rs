//! All holes, found by place.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use bevy::math::DVec3;

use super::list::HoleId;
use super::outline::{Outline, VolumeHole};
use crate::edits::tree::Rect;
use crate::source::HeightSource;
use crate::volumes::{Ground, VolumeKey, VolumePlaces};

/// Width of the smallest cells, in metres.
const SMALLEST: f64 = 0.0625;

/// A snapshot of all holes, and of the volumes in the places of some. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct HoleSet(Option<Arc<Index>>);

/// The holes of land. Those of scattered volumes follow from it.
#[derive(Clone, Copy)]
pub(crate) struct LandHoles<'a> {
    set: &'a HoleSet,
    /// Without edits.
    land: &'a dyn HeightSource,
}

/// Holes by the cell that their middle lies in, of the smallest grid whose cells are as wide as they.
#[derive(Debug)]
struct Index {
    /// In the order of their names. Of scattered volumes there are those that are drawn.
    holes: Vec<(HoleName, Arc<Outline>)>,
    /// Indices of holes.
    grids: BTreeMap<i32, HashMap<[i64; 2], Vec<u32>>>,
    /// Indices of volumes.
    volumes: Vec<u32>,
    /// Scattered volumes, on land with vertices this far apart.
    places: Option<(VolumePlaces, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum HoleName {
    Hole(HoleId),
    Volume(VolumeKey),
}

/// Width of a grid's cells in metres.
fn width(grid: i32) -> f64 {
    SMALLEST * (1u64 << grid) as f64
}

fn cell(at: [f64; 2], width: f64) -> [i64; 2] {
    at.map(|metres| (metres / width).floor() as i64)
}

impl HoleSet {
    /// In the order of their names.
    pub fn new(holes: impl Iterator<Item = (HoleId, Arc<Outline>)>) -> Self {
        Self::of(holes.map(|(id, outline)| (HoleName::Hole(id), outline)).collect(), None)
    }

    fn of(holes: Vec<(HoleName, Arc<Outline>)>, places: Option<(VolumePlaces, f64)>) -> Self {
        if holes.is_empty() && places.is_none() {
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
        Self(Some(Arc::new(Index { holes, grids, volumes, places })))
    }

    /// The same holes, and these volumes in the place of all others. What is drawn of scattered ones is among `volumes`.
    pub fn with_volumes(
        &self,
        volumes: impl IntoIterator<Item = VolumeHole>,
        places: &VolumePlaces,
        spacing: f64,
    ) -> Self {
        let own = self.holes().iter().filter(|(_, outline)| outline.volume.is_none()).cloned();
        let volumes =
            volumes.into_iter().map(|volume| (HoleName::Volume(volume.key), Arc::new(Outline::of_volume(volume))));
        let mut holes: Vec<_> = own.chain(volumes).collect();
        holes.sort_by_key(|(name, _)| *name);
        Self::of(holes, (!places.is_empty()).then(|| (places.clone(), spacing)))
    }

    /// The volumes, of scattered ones those that are drawn.
    pub fn volumes(&self) -> impl Iterator<Item = &VolumeHole> {
        let index = self.0.as_deref().into_iter();
        index.flat_map(|index| index.volumes.iter().filter_map(|&hole| index.outline(hole).volume.as_ref()))
    }

    /// The volumes that reach a rectangle, of scattered ones those that are drawn.
    pub fn volumes_within(&self, rect: Rect) -> impl Iterator<Item = &VolumeHole> {
        self.volumes().filter(move |hole| hole.volume.rect(hole.spacing).touches(&rect))
    }

    /// Scattered volumes.
    pub fn places(&self) -> VolumePlaces {
        self.0.iter().find_map(|index| index.places.clone()).map(|(places, _)| places).unwrap_or_default()
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

    /// Those that reach a rectangle and are cut out of what is drawn, in the order of their names.
    #[cfg(feature = "render")]
    pub fn drawn_within(&self, rect: &Rect) -> Vec<Arc<Outline>> {
        // Where a volume is not drawn, the land is.
        let is_drawn = |outline: &Outline| outline.volume.as_ref().is_none_or(|volume| volume.is_drawn);
        self.found(rect).filter(|(_, outline)| is_drawn(outline)).map(|(_, outline)| outline.clone()).collect()
    }

    /// The holes of land.
    pub fn on<'a>(&'a self, land: &'a dyn HeightSource) -> LandHoles<'a> {
        LandHoles { set: self, land }
    }

    fn holes(&self) -> &[(HoleName, Arc<Outline>)] {
        self.0.as_ref().map_or(&[], |index| &index.holes)
    }

    /// Those that reach a rectangle, in the order of their names.
    fn found(&self, rect: &Rect) -> impl Iterator<Item = &(HoleName, Arc<Outline>)> {
        let index = self.0.as_deref();
        let mut found = index.map(|index| index.found(rect)).unwrap_or_default();
        found.sort_unstable();
        found.into_iter().filter_map(move |hole| Some(&index?.holes[hole as usize]))
    }

    /// Where two snapshots may differ.
    pub fn difference(&self, other: &Self) -> Vec<Rect> {
        if self.is(other) {
            return Vec::new();
        }
        if !self.places().is(&other.places()) {
            return vec![Rect::EVERYWHERE];
        }
        let [mut a, mut b] = [self.holes(), other.holes()];
        let mut rects = Vec::new();
        while let Some(id) = [a.first(), b.first()].into_iter().flatten().map(|(id, _)| *id).min() {
            let next = |list: &mut &[(HoleName, Arc<Outline>)]| {
                let ((_, outline), rest) = list.split_first().filter(|((own, _), _)| *own == id)?;
                let outline = outline.clone();
                *list = rest;
                Some(outline)
            };
            let pair = [next(&mut a), next(&mut b)];
            let is_same = matches!(&pair, [Some(a), Some(b)] if Arc::ptr_eq(a, b) || a.is_same(b));
            if !is_same {
                rects.extend(pair.into_iter().flatten().map(|outline| self.changed_by(&outline)));
            }
        }
        rects
    }

    /// Where the land may be another once a hole comes or goes. A listed volume takes the place of scattered ones that it
    /// touches.
    fn changed_by(&self, outline: &Outline) -> Rect {
        let is_listed = outline.volume.as_ref().is_some_and(|hole| matches!(hole.key, VolumeKey::Listed(_)));
        let places = self.0.as_deref().and_then(|index| index.places.as_ref()).filter(|_| is_listed);
        outline.rect.grown(places.map_or(0.0, |(places, spacing)| places.widest(*spacing)))
    }
}

impl<'a> LandHoles<'a> {
    /// The holes that reach a rectangle.
    pub fn within(self, rect: &Rect) -> Vec<Arc<Outline>> {
        let listed = self.set.found(rect).filter(|(name, _)| !name.is_scattered()).map(|(_, outline)| outline.clone());
        listed.chain(self.scattered(*rect).map(|hole| Arc::new(Outline::of_volume(hole)))).collect()
    }

    /// Whether the ground is not where `edited` has it, at an absolute position.
    pub fn is_hole(self, at: [f64; 2], edited: &dyn HeightSource) -> bool {
        self.at(at).any(|outline| outline.is_hole(at, edited))
    }

    /// Whether an absolute position lies within an outline.
    pub fn contains(self, at: [f64; 2]) -> bool {
        self.at(at).any(|outline| outline.contains(at))
    }

    /// The volume at an absolute position.
    pub fn volume(self, at: [f64; 2]) -> Option<VolumeHole> {
        let volumes = self.at(at).filter(|outline| outline.contains(at)).filter_map(|outline| outline.volume.clone());
        volumes.max_by_key(|hole| hole.key)
    }

    /// Volumes within a rectangle.
    pub fn volumes(self, rect: Rect) -> impl Iterator<Item = VolumeHole> {
        let listed: Vec<_> = self.set.found(&rect).filter(|(name, _)| !name.is_scattered()).collect();
        listed.into_iter().filter_map(|(_, outline)| outline.volume.clone()).chain(self.scattered(rect))
    }

    /// Volumes that a ray may meet.
    pub fn volumes_along(self, origin: DVec3, direction: DVec3, reach: f64) -> impl Iterator<Item = VolumeHole> {
        let listed = self.set.volumes().filter(|hole| matches!(hole.key, VolumeKey::Listed(_))).cloned();
        let end = origin + reach * direction;
        let line = [[origin.x, origin.z], [end.x, end.z]];
        let scattered = self.places().map(move |(places, ground)| places.along(line, ground));
        listed.chain(scattered.into_iter().flatten().filter(move |hole| self.has_room_for(hole)))
    }

    /// Scattered volumes within a rectangle.
    pub fn scattered(self, rect: Rect) -> impl Iterator<Item = VolumeHole> {
        let found = self.places().map(|(places, ground)| places.within(rect, ground));
        found.into_iter().flatten().filter(move |hole| self.has_room_for(hole))
    }

    /// Those that may reach an absolute position.
    fn at(self, at: [f64; 2]) -> impl Iterator<Item = Arc<Outline>> {
        self.within(&Rect::point(at)).into_iter()
    }

    fn places(self) -> Option<(&'a VolumePlaces, Ground<'a>)> {
        let (places, spacing) = self.set.0.as_deref()?.places.as_ref()?;
        Some((places, Ground { land: self.land, spacing: *spacing }))
    }

    /// Whether no volume of the list is where a scattered one would be.
    pub fn has_room_for(self, hole: &VolumeHole) -> bool {
        let rect = hole.volume.rect(hole.spacing);
        !self.set.found(&rect).any(|(name, _)| matches!(name, HoleName::Volume(VolumeKey::Listed(_))))
    }
}

impl HoleName {
    fn is_scattered(self) -> bool {
        matches!(self, Self::Volume(VolumeKey::Scattered(..)))
    }
}

impl Index {
    fn outline(&self, hole: u32) -> &Outline {
        &self.holes[hole as usize].1
    }

    /// Indices of the holes that reach a rectangle.
    fn found(&self, rect: &Rect) -> Vec<u32> {
        let mut found = Vec::new();
        for (&grid, cells) in &self.grids {
            let width = width(grid);
            // Holes reach half of a cell beyond their own.
            let around = rect.grown(0.5 * width);
            let [first, last] = [around.min, around.max].map(|at| cell(at, width));
            let count = [0, 1].map(|axis| last[axis].saturating_sub(first[axis]).saturating_add(1) as usize);
            let reaches = |hole: &&u32| self.outline(**hole).rect.touches(rect);
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
    use crate::source::NoiseSource;
    use crate::volumes::{TerrainVolume, TerrainVolumes, VolumeKind, VolumeScatter};

    fn land() -> NoiseSource {
        NoiseSource(terrain_noise::constant(0.0).build(0).unwrap())
    }

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
            let found: Vec<_> = list.set().on(&land()).within(&rect).iter().map(|outline| outline.hole.clone()).collect();
            let expected: Vec<_> =
                outlines.iter().filter(|outline| outline.rect.touches(&rect)).map(|outline| outline.hole.clone()).collect();
            prop_assert_eq!(found, expected);
            let within = outlines.iter().any(|outline| outline.contains([at.0, at.1]));
            prop_assert_eq!(list.set().on(&land()).contains([at.0, at.1]), within);
        }
    }

    #[test]
    fn scattered_volumes_that_one_of_the_list_displaces_are_told_as_wholes() {
        let kind = VolumeKind { spacing: 300.0, share: 1.0, ..VolumeKind::caves() };
        let places = VolumePlaces::new(&VolumeScatter { kinds: vec![kind] }).unwrap();
        let before = HoleSet::default().with_volumes([], &places, 1.0);
        let land = land();
        let all = |set: &HoleSet| -> Vec<_> {
            set.on(&land).scattered(Rect { min: [-2e3; 2], max: [2e3; 2] }).map(|hole| hole.volume.rect(1.0)).collect()
        };
        let scattered = all(&before);
        for corner in scattered.iter().step_by(7).map(|rect| rect.max) {
            let mut listed = TerrainVolumes::default();
            listed.apply(TerrainVolume { center: corner, size: [16.0; 2], ..TerrainVolume::default() }).unwrap();
            let after = before.with_volumes(listed.holes(1.0), &places, 1.0);
            let left = all(&after);
            let gone: Vec<_> = scattered.iter().filter(|rect| !left.contains(rect)).collect();
            assert!(!gone.is_empty());
            for difference in [before.difference(&after), after.difference(&before)] {
                let is_told = |rect: &Rect| difference.iter().any(|told| told.join(*rect) == *told);
                assert!(gone.iter().all(|rect| is_told(rect)), "{gone:?} {difference:?}");
            }
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
        let land = land();
        let before = before.on(&land);
        assert!(!before.contains([f64::NAN, 0.0]) && !before.contains([f64::INFINITY, 0.0]));
        assert_eq!(before.within(&Rect::EVERYWHERE).len(), 50);
    }
}
