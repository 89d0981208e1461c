//! Where scattered volumes are: found by place, with nothing stored for each.

use std::sync::Arc;

use super::list::VolumeId;
use super::prepared::Prepared;
use super::scatter::{VolumeKind, VolumeScatter};
use crate::edits::{Rect, VolumeHole};
use crate::random::mix;
use crate::settings::SettingsError;
use crate::source::HeightSource;

/// Names a volume among all of a terrain. Where boxes overlap, the greater one is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum VolumeKey {
    /// The kind, and the square of its grid.
    Scattered(u32, [i64; 2]),
    Listed(VolumeId),
}

/// Scattered volumes. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct VolumePlaces(Arc<[Kind]>);

#[derive(Debug)]
struct Kind {
    settings: VolumeKind,
    prepared: Prepared,
}

/// Land on which there are volumes.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    /// Without edits: volumes stay where they are when players dig.
    pub land: &'a dyn HeightSource,
    /// Of its finest vertices, in metres.
    pub spacing: f64,
}

impl VolumePlaces {
    /// Of valid settings.
    pub fn new(scatter: &VolumeScatter) -> Result<Self, SettingsError> {
        let kind = |(index, settings): (usize, &VolumeKind)| {
            let prepared = Prepared::new(settings.volume.clone());
            let prepared = prepared.map_err(|error| error.below(index).below("volumes.kinds"))?;
            Ok(Kind { settings: settings.clone(), prepared })
        };
        Ok(Self(scatter.kinds.iter().enumerate().map(kind).collect::<Result<_, _>>()?))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether they are the same, not just alike.
    pub fn is(&self, other: &Self) -> bool {
        self.is_empty() && other.is_empty() || Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether a volume is one of these.
    pub fn has(&self, hole: &VolumeHole) -> bool {
        match hole.key {
            VolumeKey::Scattered(kind, _) => {
                self.0.get(kind as usize).is_some_and(|kind| kind.prepared.has_shapes_of(&hole.volume))
            }
            VolumeKey::Listed(_) => false,
        }
    }

    /// How wide the widest boxes are, in metres.
    pub fn widest(&self, spacing: f64) -> f64 {
        self.0.iter().map(|kind| kind.widest(spacing)).fold(0.0, f64::max)
    }

    /// Volumes whose box reaches a rectangle.
    pub fn within<'a>(&'a self, rect: Rect, ground: Ground<'a>) -> impl Iterator<Item = VolumeHole> + 'a {
        (0..self.0.len()).flat_map(move |kind| self.of_kind(kind, rect, ground))
    }

    /// Volumes around a position, each kind as far as `widths` times its width and `more` metres.
    #[cfg(feature = "render")]
    pub fn around<'a>(
        &'a self,
        at: [f64; 2],
        widths: f64,
        more: f64,
        ground: Ground<'a>,
    ) -> impl Iterator<Item = VolumeHole> + 'a {
        (0..self.0.len()).flat_map(move |kind| {
            let reach = widths * self.0[kind].widest(ground.spacing) + more;
            self.of_kind(kind, Rect::point(at).grown(reach), ground)
        })
    }

    fn of_kind<'a>(&'a self, kind: usize, rect: Rect, ground: Ground<'a>) -> impl Iterator<Item = VolumeHole> + 'a {
        let holes = self.0[kind].squares(&rect).filter_map(move |square| self.at(kind, square, ground));
        holes.filter(move |hole| hole.volume.rect(ground.spacing).touches(&rect))
    }

    /// Volumes in squares that a line from one position to another passes over.
    pub fn along<'a>(&'a self, line: [[f64; 2]; 2], ground: Ground<'a>) -> impl Iterator<Item = VolumeHole> + 'a {
        (0..self.0.len()).flat_map(move |kind| {
            self.0[kind].squares_along(line).filter_map(move |square| self.at(kind, square, ground))
        })
    }

    /// The volume of a square, if it has one.
    fn at(&self, index: usize, square: [i64; 2], ground: Ground) -> Option<VolumeHole> {
        let kind = &self.0[index];
        let center = kind.place(square, ground.spacing).filter(|&center| kind.likes(center, ground))?;
        let volume = kind.prepared.moved_to(center);
        if self.has_any(index, &volume.rect(ground.spacing), ground) {
            return None;
        }
        let key = VolumeKey::Scattered(index as u32, square);
        Some(VolumeHole { key, volume: Arc::new(volume), spacing: ground.spacing, is_drawn: true })
    }

    /// Whether there are volumes of the first kinds within a rectangle.
    fn has_any(&self, kinds: usize, rect: &Rect, ground: Ground) -> bool {
        (0..kinds).any(|kind| {
            let mut holes = self.0[kind].squares(rect).filter_map(|square| self.at(kind, square, ground));
            holes.any(|hole| hole.volume.rect(ground.spacing).touches(rect))
        })
    }
}

impl Kind {
    fn widest(&self, spacing: f64) -> f64 {
        let [x, z] = self.settings.volume.size;
        x.max(z) + 2.0 * Prepared::cell(spacing)
    }

    /// The squares of a rectangle.
    fn squares(&self, rect: &Rect) -> impl Iterator<Item = [i64; 2]> + use<> {
        let [first, last] = [rect.min, rect.max].map(|at| at.map(|metres| self.square(metres)));
        (first[1]..=last[1]).flat_map(move |z| (first[0]..=last[0]).map(move |x| [x, z]))
    }

    /// The squares that a line passes over.
    fn squares_along(&self, [a, b]: [[f64; 2]; 2]) -> impl Iterator<Item = [i64; 2]> + '_ {
        let [low, high] = if a[0] <= b[0] { [a, b] } else { [b, a] };
        let way = [high[0] - low[0], high[1] - low[1]];
        (self.square(low[0])..=self.square(high[0])).flat_map(move |x| {
            // The part of the line that lies in this column.
            let part = |column: i64| ((column as f64 * self.settings.spacing - low[0]) / way[0]).clamp(0.0, 1.0);
            let [from, to] = if way[0] > 0.0 { [part(x), part(x.saturating_add(1))] } else { [0.0, 1.0] };
            let [from, to] = [from, to].map(|part| self.square(low[1] + part * way[1]));
            (from.min(to)..=from.max(to)).map(move |z| [x, z])
        })
    }

    fn square(&self, metres: f64) -> i64 {
        (metres / self.settings.spacing).floor() as i64
    }

    /// The middle of the volume that a square may have: its box lies within the square.
    fn place(&self, square: [i64; 2], spacing: f64) -> Option<[f64; 2]> {
        let VolumeKind { spacing: width, share, seed, ref volume, .. } = self.settings;
        let hash = square.iter().fold(mix(seed), |seed, &part| mix(seed ^ part as u64));
        // From 0 to 1, by 24 bits each.
        let part = |bits: u64| (bits & 0xFF_FFFF) as f64 / 16_777_216.0;
        if part(mix(hash)) >= share {
            return None;
        }
        let room = volume.size.map(|size| width - size - 2.0 * Prepared::cell(spacing));
        let moved = [part(hash), part(hash >> 24)];
        let middle = |axis: usize| (square[axis] as f64 + 0.5) * width + (moved[axis] - 0.5) * room[axis];
        room.iter().all(|&room| room >= 0.0).then(|| [0, 1].map(middle))
    }

    /// Whether the land is as high as the kind wants it.
    fn likes(&self, at: [f64; 2], ground: Ground) -> bool {
        let VolumeKind { min_height, max_height, .. } = self.settings;
        let all = VolumeKind::default();
        (min_height, max_height) == (all.min_height, all.max_height)
            || (min_height..=max_height).contains(&ground.land.height(at, ground.spacing).into())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use terrain_noise::prelude::*;

    use super::super::volume::TerrainVolume;
    use super::*;
    use crate::source::NoiseSource;

    fn land() -> NoiseSource {
        NoiseSource(perlin().feature_size(3_000.0).scale(100.0).build(1).unwrap())
    }

    fn places(kinds: Vec<VolumeKind>) -> VolumePlaces {
        let scatter = VolumeScatter { kinds };
        scatter.validate().unwrap();
        VolumePlaces::new(&scatter).unwrap()
    }

    fn kind(width: f64, spacing: f64) -> VolumeKind {
        let volume = TerrainVolume { size: [width, 0.7 * width], ..TerrainVolume::default() };
        VolumeKind { volume, spacing, ..VolumeKind::default() }
    }

    #[test]
    fn boxes_never_overlap_and_as_many_squares_have_one_as_wanted() {
        let land = land();
        let places =
            places(vec![VolumeKind { share: 0.3, ..kind(90.0, 240.0) }, VolumeKind { seed: 5, ..kind(30.0, 100.0) }]);
        let ground = Ground { land: &land, spacing: 1.0 };
        for far in [0.0, -7e8] {
            let rect = Rect { min: [far; 2], max: [far + 12_000.0; 2] };
            let holes: Vec<_> = places.within(rect, ground).collect();
            let rects: Vec<_> = holes.iter().map(|hole| hole.volume.rect(1.0)).collect();
            for (index, rect) in rects.iter().enumerate() {
                assert!(rects[..index].iter().all(|other| !other.touches(rect)), "{rect:?}");
            }
            let count = |kind| {
                holes.iter().filter(|hole| matches!(hole.key, VolumeKey::Scattered(of, _) if of == kind)).count()
            };
            assert!((650..850).contains(&count(0)), "{} of 2500", count(0));
            assert!((4_000..7_000).contains(&count(1)), "{}", count(1));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn parts_of_the_land_have_the_volumes_of_the_whole(x in -1e3..1e3f64, z in -1e3..1e3f64, way in 0.0..7.0f64, far in 0.0..2e3f64) {
            let land = land();
            let low = VolumeKind { max_height: 10.0, ..kind(60.0, 200.0) };
            let places = places(vec![low, VolumeKind { seed: 5, ..kind(30.0, 90.0) }]);
            let ground = Ground { land: &land, spacing: 0.5 };
            let all: Vec<_> = places.within(Rect { min: [-3e3; 2], max: [3e3; 2] }, ground).collect();
            let rect = Rect { min: [x, z], max: [x + 0.2 * far, z + 0.1 * far] };
            let keys = |holes: Vec<VolumeHole>| holes.into_iter().map(|hole| hole.key).collect::<BTreeSet<_>>();
            let reached = |touches: &dyn Fn(&Rect) -> bool| {
                keys(all.iter().filter(|hole| touches(&hole.volume.rect(0.5))).cloned().collect())
            };
            prop_assert_eq!(keys(places.within(rect, ground).collect()), reached(&|other| other.touches(&rect)));
            // No box that a line passes over is missed.
            let line = [[x, z], [x + far * way.cos(), z + far * way.sin()]];
            let along = keys(places.along(line, ground).collect());
            for step in 0..=1_000 {
                let part = f64::from(step) / 1e3;
                let at = [0, 1].map(|axis| line[0][axis] + part * (line[1][axis] - line[0][axis]));
                prop_assert!(reached(&|other| other.touches(&Rect::point(at))).is_subset(&along));
            }
            for hole in &all {
                let height = f64::from(land.height(hole.volume.center, 0.5));
                prop_assert!(matches!(hole.key, VolumeKey::Scattered(1, _)) || height <= 10.0);
            }
        }
    }

    #[test]
    fn land_too_coarse_for_them_has_none() {
        let land = land();
        let places = places(vec![kind(64.0, 128.0)]);
        let count = |spacing: f64| {
            places.within(Rect { min: [0.0; 2], max: [2e3; 2] }, Ground { land: &land, spacing }).count()
        };
        assert!(count(1.0) > 50 && count(4.0) == 0, "{} {}", count(1.0), count(4.0));
    }
}
