//! How far each level reaches.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Viewer, distance};
use crate::chunk::{CHUNK_QUADS, ChunkKey, MAX_LEVEL};
use crate::settings::{self, Settings, SettingsError, settings};

/// Diagonal of a unit square.
const DIAGONAL: f64 = std::f64::consts::SQRT_2;

/// The least [`TerrainLod::detail`]. The coarsest level and the start of the morph depend on it instead of on the
/// settings, so that more detail needs no more of the coarsest chunks, and detail can change without moving a vertex.
pub(super) const LEAST_DETAIL: f64 = 4.0;

settings! {
    /// Level of detail.
    #[derive(Clone, Copy, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct TerrainLod {
        /// Distance between neighbouring vertices at the finest level, in metres.
        pub spacing: f64 = 1.0, [0.01..=1_000.0, "m"], slider [0.25..=16.0];
        /// Distance to which terrain is drawn, in metres.
        /// At least the width of a finest chunk, 64 · `spacing`, and at most 2^17 times that.
        pub view_distance: f64 = 30_000.0, [0.64..=8_388_608_000.0, "m"], slider [1_000.0..=100_000.0];
        /// Reach of each level, in widths of its chunks. Larger is sharper; the cost grows with its square.
        /// If not all of it fits in [`memory_mb`](crate::TerrainStreaming::memory_mb), less is drawn:
        /// [`TerrainStats::detail`](crate::TerrainStats::detail) has the detail that fits.
        pub detail: f64 = 4.0, [4.0..=32.0];
    }
}

impl Settings for TerrainLod {
    const NAME: &str = "lod";

    fn check(&self) -> Result<(), SettingsError> {
        let chunk = self.spacing * CHUNK_QUADS as f64;
        let furthest = chunk * f64::from(1u32 << (MAX_LEVEL + 2));
        if (chunk..=furthest).contains(&self.view_distance) {
            return Ok(());
        }
        let allowed = format!("{chunk} to {furthest} m with this spacing");
        Err(SettingsError::new("view_distance", self.view_distance, allowed))
    }
}

impl TerrainLod {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first invalid field, its value and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }

    /// The coarsest level: the first that covers the view at the least detail. It is always loaded and never morphs.
    pub fn top_level(&self) -> u8 {
        let first = LEAST_DETAIL * self.spacing * CHUNK_QUADS as f64;
        let mut level = 0;
        while level < MAX_LEVEL && first * f64::from(1u32 << level) < self.view_distance {
            level += 1;
        }
        level
    }

    /// Where a chunk begins to morph, as a fraction of its level's range: just above ½ + √2 / 4, the least value for
    /// which full ranges satisfy the inequality of the module at the least detail.
    pub fn morph_start(&self) -> f64 {
        0.5 + DIAGONAL / LEAST_DETAIL + 0.005
    }

    /// The greatest range of level `level − 1`, in metres, if `level` has the range `range`: by the inequality of
    /// the module.
    pub(super) fn finer_range(&self, level: u8, range: f64) -> f64 {
        let diagonal = DIAGONAL * ChunkKey::new(level, 0, 0).width(self.spacing);
        (self.morph_start() * range - diagonal).max(0.0)
    }

    /// The range of `level` when everything is loaded, in metres. Infinite for the coarsest level.
    pub fn full_range(&self, level: u8) -> f64 {
        if level >= self.top_level() {
            f64::INFINITY
        } else {
            self.detail * ChunkKey::new(level, 0, 0).width(self.spacing)
        }
    }
}

/// The distance up to which each level is drawn, in metres, finest first; the last is infinite.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranges(Vec<f64>);

impl Ranges {
    /// Every level at its full range.
    pub fn full(lod: &TerrainLod) -> Self {
        Self((0..=lod.top_level()).map(|level| lod.full_range(level)).collect())
    }

    /// Only the coarsest level: for a generation that has just begun.
    pub fn coarsest(lod: &TerrainLod) -> Self {
        let mut ranges = vec![0.0; usize::from(lod.top_level())];
        ranges.push(f64::INFINITY);
        Self(ranges)
    }

    /// The range of `level`; infinite from the coarsest level on.
    pub fn of(&self, level: u8) -> f64 {
        self.0.get(usize::from(level)).copied().unwrap_or(f64::INFINITY)
    }

    /// Whether this chunk, with its nearest point at distance `d`, is replaced by its children.
    pub fn splits(&self, key: ChunkKey, d: f64) -> bool {
        key.level > 0 && d < self.of(key.level - 1)
    }

    /// All ranges, finest first.
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// The greatest ranges with which only ready chunks are drawn: a level ends before the nearest chunk that lacks a
    /// child.
    ///
    /// Every chunk of `roots` is assumed to be ready. `can_split` tells whether all children of a chunk are.
    pub fn reachable(
        lod: &TerrainLod,
        viewers: &[Viewer],
        roots: &[ChunkKey],
        can_split: impl Fn(ChunkKey) -> bool,
    ) -> Self {
        let full = Self::full(lod);
        let mut ranges = full.clone();
        let mut open = roots.to_vec();
        while let Some(key) = open.pop() {
            let Some(children) = key.children() else { continue };
            let d = distance(viewers, &key.square(lod.spacing));
            // If the range already ends before this chunk, its children are not needed.
            if !ranges.splits(key, d) {
                continue;
            }
            if can_split(key) {
                open.extend(children);
            } else {
                ranges.0[usize::from(key.level - 1)] = d;
            }
        }
        ranges.limit(lod);
        ranges
    }

    /// Shortens finer ranges so that `range[l − 1] + diagonal(l) ≤ morph_start · range[l]`.
    pub fn limit(&mut self, lod: &TerrainLod) {
        for level in (1..self.0.len()).rev() {
            self.0[level - 1] = self.0[level - 1].min(lod.finer_range(level as u8, self.0[level]));
        }
    }

    /// Moves towards `target` by at most the fraction `share` of each level's full range, so that detail morphs in and
    /// out instead of popping; but never beyond `most`, which the loaded chunks allow.
    pub fn approach(&mut self, target: &Self, most: &Self, lod: &TerrainLod, share: f64) {
        let goals = target.0.iter().zip(&most.0);
        for (level, (range, (&goal, &most))) in self.0.iter_mut().zip(goals).enumerate() {
            let step = share * lod.full_range(level as u8);
            *range = if most.is_infinite() { most } else { goal.clamp(*range - step, *range + step).min(most) };
        }
        self.limit(lod);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_ranges_keep_the_inequality_for_every_detail() {
        for detail in [4.0, 4.5, 5.0, 6.0, 8.0, 32.0] {
            let lod = TerrainLod { detail, ..default() };
            let mut limited = Ranges::full(&lod);
            limited.limit(&lod);
            assert_eq!(limited, Ranges::full(&lod), "detail {detail}");
            assert!(lod.morph_start() < f64::from(super::super::MORPH_END));
        }
    }

    #[test]
    fn a_missing_coarse_chunk_holds_back_everything_finer() {
        let lod = TerrainLod::default();
        let viewers = [Viewer::default()];
        let roots = super::super::roots(&viewers, &lod, lod.view_distance);
        let top = lod.top_level();
        let ranges = Ranges::reachable(&lod, &viewers, &roots, |key| key.level >= top);
        assert_eq!(ranges.of(top - 2), 0.0);
        assert_eq!(ranges.of(0), 0.0);
        assert_eq!(ranges.of(top - 1), lod.full_range(top - 1));
    }

    #[test]
    fn ranges_move_in_steps_but_shrink_at_once_if_chunks_are_missing() {
        let lod = TerrainLod::default();
        let (full, coarsest) = (Ranges::full(&lod), Ranges::coarsest(&lod));
        let mut ranges = full.clone();
        ranges.approach(&coarsest, &coarsest, &lod, 0.1);
        assert_eq!(ranges, coarsest);
        let mut steps = |goal: &Ranges| {
            let mut frames = 0;
            while ranges != *goal {
                ranges.approach(goal, &full, &lod, 0.1);
                frames += 1;
                assert!(frames < 100);
            }
            frames
        };
        assert!(steps(&full) >= 10);
        // Finer levels shrink before coarser ones, as the inequality demands.
        assert!(steps(&coarsest) >= 10);
    }

    #[test]
    fn the_view_must_suit_the_spacing() {
        let error = |spacing, view_distance| {
            TerrainLod { spacing, view_distance, ..default() }.validate().unwrap_err().to_string()
        };
        assert_eq!(error(1.0, 63.0), "lod.view_distance: found 63, allowed is 64 to 8388608 m with this spacing");
        assert_eq!(error(2.0, 64.0), "lod.view_distance: found 64, allowed is 128 to 16777216 m with this spacing");
        assert!(error(0.01, 83_887.0).starts_with("lod.view_distance: found 83887, allowed is 0.64 to 83886.08 m"));
        for (spacing, view_distance) in [(0.01, 0.64), (1_000.0, 8_388_608_000.0), (1.0, 64.0)] {
            assert_eq!(TerrainLod { spacing, view_distance, ..default() }.validate(), Ok(()));
        }
    }

    #[test]
    fn the_least_detail_is_the_lower_limit_of_the_setting() {
        assert_eq!(TerrainLod { detail: LEAST_DETAIL, ..default() }.validate(), Ok(()));
        assert!(TerrainLod { detail: LEAST_DETAIL.next_down(), ..default() }.validate().is_err());
    }
}
