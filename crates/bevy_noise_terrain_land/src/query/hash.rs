//! A number for the land of a region: equal where the land is.

use terrain_noise::{Grid, Scratch};

use super::surface::Surface;

/// The most samples that a region may have: as many take about a second.
const MOST_SAMPLES: usize = 1 << 24;
/// Samples that are taken at once.
const BLOCK: usize = 1 << 16;

/// FNV-1a with 64 bits (Fowler, Noll and Vo; RFC 9923).
const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 0x0100_0000_01B3;

impl Surface {
    /// A hash of the heights in a region: two machines that get the same number have the same land there, edits included.
    /// `min` and `max` are absolute x and z in metres, `spacing` the metres between samples: at
    /// [`Surface::spacing`] all vertices of the finest mesh are looked at, and nothing that is drawn can differ unseen.
    ///
    /// Samples lie at whole multiples of `spacing`. The hash is FNV-1a with 64 bits over the bits of the heights as `f32`, least
    /// byte first, row by row with x fastest; it does not depend on the machine or the number of threads.
    ///
    /// `None` if the region is not finite, `spacing` is not positive, or it has more than 2²⁴ samples.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy::math::DVec3;
    /// # use bevy_noise_terrain::{prelude::*, edits::{Edit, TerrainEdits}};
    /// let land = NoiseTerrain::default().surface()?;
    /// let mut edits = TerrainEdits::default();
    /// edits.apply(Edit::raise(DVec3::new(20.0, 0.0, 20.0), 5.0, 0.01))?;
    /// let hash = |land: &bevy_noise_terrain::Surface| land.hash([0.0, 0.0], [64.0, 64.0], 1.0);
    /// assert_ne!(hash(&land), hash(&land.with_edits(&edits)));
    /// # Ok::<(), bevy_noise_terrain::SettingsError>(())
    /// ```
    pub fn hash(&self, min: [f64; 2], max: [f64; 2], spacing: f64) -> Option<u64> {
        let cells = [0, 1].map(|axis| [(min[axis] / spacing).ceil(), (max[axis] / spacing).floor()]);
        // Far out, whole numbers are no longer exact.
        let is_exact = cells.as_flattened().iter().all(|cell| cell.abs() < (1u64 << 53) as f64);
        if !is_exact || spacing.partial_cmp(&0.0).is_none_or(std::cmp::Ordering::is_le) {
            return None;
        }
        let [width, depth] = cells.map(|[first, last]| (last - first + 1.0).max(0.0) as usize);
        if width.checked_mul(depth).is_none_or(|samples| samples > MOST_SAMPLES) {
            return None;
        }
        let start = cells.map(|[first, _]| first as i64);
        let (mut hash, mut scratch, mut heights) = (OFFSET, Scratch::default(), Vec::new());
        let rows = (BLOCK / width.max(1)).max(1);
        for row in (0..depth).step_by(rows) {
            let size = [width, rows.min(depth - row)];
            let grid = Grid { footprint: self.spacing, ..Grid::new([start[0], start[1] + row as i64], spacing, size) };
            heights.resize(grid.len(), 0.0f32);
            self.source.fill(&grid, &mut scratch, &mut heights);
            hash = heights.iter().flat_map(|height| height.to_bits().to_le_bytes()).fold(hash, step);
        }
        Some(hash)
    }
}

fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(PRIME)
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;
    use crate::edits::{Edit, TerrainEdits};
    use crate::{NoiseTerrain, TerrainSource};

    #[test]
    fn the_hash_is_fnv_1a() {
        let text = |text: &str| text.bytes().fold(OFFSET, step);
        // From RFC 9923.
        assert_eq!(text(""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(text("a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(text("foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn it_is_that_of_the_heights_row_by_row() {
        let surface = NoiseTerrain::default().surface().unwrap();
        let mut edits = TerrainEdits::default();
        edits.apply(Edit::raise(DVec3::new(1e6 + 40.0, 0.0, 3.0), 9.0, 2.0).falloff(4.0)).unwrap();
        let land = surface.with_edits(&edits);
        // Wider than a block of samples is long, and begun between samples.
        let (min, max) = ([1e6 - 100.5, -3.5], [1e6 + 300.0, 400.25]);
        let mut expected = OFFSET;
        for z in -3..=400 {
            let row: Vec<[f64; 2]> = (-100..=300).map(|x| [1e6 + f64::from(x), f64::from(z)]).collect();
            let heights = land.heights(&row);
            expected = heights.iter().flat_map(|&height| (height as f32).to_bits().to_le_bytes()).fold(expected, step);
        }
        assert_eq!(land.hash(min, max, 1.0), Some(expected));
        assert_ne!(surface.hash(min, max, 1.0), Some(expected));
        assert_ne!(land.hash(min, max, 8.0), Some(expected));
    }

    #[test]
    fn regions_that_cannot_be_have_none() {
        let surface = TerrainSource(NoiseTerrain::default().surface().unwrap().source.clone()).surface(1.0);
        assert_eq!(surface.hash([0.0; 2], [-1.0; 2], 1.0), Some(OFFSET), "nothing in it");
        for (min, max, spacing) in [
            ([f64::NAN, 0.0], [1.0; 2], 1.0),
            ([0.0; 2], [f64::INFINITY, 1.0], 1.0),
            ([0.0; 2], [1.0; 2], 0.0),
            ([0.0; 2], [1.0; 2], -1.0),
            ([0.0; 2], [1.0; 2], f64::NAN),
            ([0.0; 2], [5_000.0; 2], 1.0),
            ([-1e300; 2], [1e300; 2], 1.0),
            ([0.0; 2], [1.0; 2], 1e-300),
        ] {
            assert_eq!(surface.hash(min, max, spacing), None, "{min:?} {max:?} {spacing}");
        }
    }
}
