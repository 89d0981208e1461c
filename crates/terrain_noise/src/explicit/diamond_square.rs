//! Diamond-square (Fournier, Fussell and Carpenter 1982), finite and endless.
//!
//! Each pass halves the spacing: first the middle of every square becomes the mean of its corners,
//! then the middle of every edge the mean of its neighbours, each with a random offset that shrinks
//! by `roughness` from pass to pass.
//!
//! Drawn from a running generator, the offsets depend on the order in which patches are made, and
//! neighbouring patches do not fit. Drawn from a hash of position and level, they do not: any patch
//! of the endless plane can be made alone, and its edge has the bits of its neighbour's.

use crate::error::NoiseError;
use crate::lattice::{Key, derive, hash, unit};

/// A generator of diamond-square patches.
///
/// ```
/// use terrain_noise::DiamondSquare;
/// let land = DiamondSquare::new(7, 6, 2.0)?;
/// let (west, east) = (land.patch([0, 0]), land.patch([1, 0]));
/// let side = land.side();
/// for row in 0..side {
///     assert_eq!(west[row * side + side - 1], east[row * side]);
/// }
/// # Ok::<(), terrain_noise::NoiseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DiamondSquare {
    levels: u32,
    /// The largest offset of each pass.
    offsets: Vec<f32>,
    keys: Vec<Key>,
}

/// The most passes of a patch, which then has 4097² points.
const MOST_LEVELS: u32 = 12;

impl DiamondSquare {
    /// Patches of `2^levels + 1` points a side; the offset of pass k is at most `1 / roughness^(k + 1)`.
    ///
    /// # Errors
    /// Levels outside 1 to 12, a roughness outside 1 to 16.
    pub fn new(seed: u64, levels: u32, roughness: f64) -> Result<Self, NoiseError> {
        if !(1..=MOST_LEVELS).contains(&levels) {
            return Err(NoiseError::new("levels", levels, format!("1 to {MOST_LEVELS}")));
        }
        if !(1.0..=16.0).contains(&roughness) {
            return Err(NoiseError::new("roughness", roughness, "1 to 16"));
        }
        let offsets = (0..levels).map(|k| libm::pow(roughness, -f64::from(k + 1)) as f32).collect();
        let keys = (0..=levels).map(|level| Key::new(derive(seed, level.into()))).collect();
        Ok(Self { levels, offsets, keys })
    }

    /// As [`new`](Self::new), for patches of `side` points.
    ///
    /// # Errors
    /// A side that is not one more than a power of two.
    ///
    /// ```
    /// let error = terrain_noise::DiamondSquare::with_side(7, 64, 2.0).unwrap_err();
    /// assert_eq!(error.to_string(), "side: found 64, allowed is 2^n + 1, n from 1 to 12 (65 is next)");
    /// ```
    pub fn with_side(seed: u64, side: usize, roughness: f64) -> Result<Self, NoiseError> {
        let quads = side.saturating_sub(1);
        if (2..=1 << MOST_LEVELS).contains(&quads) && quads.is_power_of_two() {
            return Self::new(seed, quads.ilog2(), roughness);
        }
        let next = quads.clamp(2, 1 << MOST_LEVELS).checked_next_power_of_two().unwrap_or(1 << MOST_LEVELS) + 1;
        let allowed = format!("2^n + 1, n from 1 to {MOST_LEVELS} ({next} is next)");
        Err(NoiseError::new("side", side, allowed))
    }

    /// Points along a side of a patch.
    #[must_use]
    pub fn side(&self) -> usize {
        (1 << self.levels) + 1
    }

    /// The bound of all heights: corners reach 1, and every pass adds its offset.
    #[must_use]
    pub fn bound(&self) -> f32 {
        1.0 + self.offsets.iter().map(|offset| 2.0 * offset).sum::<f32>()
    }

    /// The random number of a point in a pass.
    fn random(&self, level: u32, at: [i64; 2]) -> f32 {
        let key = &self.keys[level as usize];
        unit(hash(key.axis(0, at[0]) ^ key.axis(1, at[1])))
    }

    /// A single patch, as in textbooks: points on its edges have neighbours on the inside only. Row by row.
    #[must_use]
    pub fn finite(&self) -> Vec<f32> {
        let side = self.side();
        let mut heights = vec![0.0; side * side];
        let quads = side - 1;
        for (x, z) in [(0, 0), (quads, 0), (0, quads), (quads, quads)] {
            heights[z * side + x] = self.random(0, [x as i64, z as i64]);
        }
        for level in 1..=self.levels {
            let step = quads >> level;
            self.pass(&mut heights, side, step, level, [0, 0], |_| true);
        }
        heights
    }

    /// The patch at a position on the endless plane, in patches. Its border belongs to its neighbours
    /// too, and is the same there. Row by row.
    #[must_use]
    pub fn patch(&self, place: [i64; 2]) -> Vec<f32> {
        // A pass needs neighbours up to a step beyond what it fills. With a whole patch around, the
        // errors at the outer border move in by less than the sum of the steps: one patch.
        let quads = self.side() - 1;
        let side = 3 * quads + 1;
        let first = place.map(|patch| patch.wrapping_sub(1).wrapping_mul(quads as i64));
        let mut heights = vec![0.0; side * side];
        for z in (0..side).step_by(quads) {
            for x in (0..side).step_by(quads) {
                heights[z * side + x] = self.random(0, global(first, x, z));
            }
        }
        let mut margin = 0;
        for level in 1..=self.levels {
            let step = quads >> level;
            margin += step;
            let inside = move |x: usize| x + 1 >= margin && x <= side - margin;
            self.pass(&mut heights, side, step, level, first, inside);
        }
        let rows = heights.chunks_exact(side).skip(quads).take(quads + 1);
        rows.flat_map(|row| row[quads..=2 * quads].iter().copied()).collect()
    }

    /// One pass over a square of points; `near` says which rows and columns are worth filling.
    fn pass(
        &self,
        heights: &mut [f32],
        side: usize,
        step: usize,
        level: u32,
        first: [i64; 2],
        near: impl Fn(usize) -> bool,
    ) {
        let offset = self.offsets[level as usize - 1];
        for z in (step..side).step_by(2 * step).filter(|&z| near(z)) {
            for x in (step..side).step_by(2 * step).filter(|&x| near(x)) {
                let corner = |dx: usize, dz: usize| heights[(z + dz - step) * side + x + dx - step];
                let mean =
                    0.25 * (corner(0, 0) + corner(2 * step, 0) + corner(0, 2 * step) + corner(2 * step, 2 * step));
                heights[z * side + x] = mean + offset * self.random(level, global(first, x, z));
            }
        }
        for z in (0..side).step_by(step).filter(|&z| near(z)) {
            let odd = z / step % 2 == 1;
            for x in (if odd { 0 } else { step }..side).step_by(2 * step).filter(|&x| near(x)) {
                let mut sum = 0.0;
                let mut count = 0.0;
                // In the same order everywhere, so that a point shared by two patches has the same bits.
                let neighbours = [
                    (z >= step).then(|| (z - step) * side + x),
                    (x >= step).then(|| z * side + x - step),
                    (x + step < side).then(|| z * side + x + step),
                    (z + step < side).then(|| (z + step) * side + x),
                ];
                for neighbour in neighbours.into_iter().flatten() {
                    sum += heights[neighbour];
                    count += 1.0;
                }
                heights[z * side + x] = sum / count + offset * self.random(level, global(first, x, z));
            }
        }
    }
}

/// The place of a point on the endless plane.
fn global(first: [i64; 2], x: usize, z: usize) -> [i64; 2] {
    [first[0].wrapping_add(x as i64), first[1].wrapping_add(z as i64)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_meet_in_every_direction_and_do_not_depend_on_order() {
        for levels in [1, 2, 3, 5, 7] {
            let land = DiamondSquare::new(3, levels, 1.9).unwrap();
            let side = land.side();
            for place in [[0, 0], [-3, 5], [1_000_000_007, -9]] {
                let here = land.patch(place);
                let east = land.patch([place[0] + 1, place[1]]);
                let south = land.patch([place[0], place[1] + 1]);
                for i in 0..side {
                    assert_eq!(here[i * side + side - 1].to_bits(), east[i * side].to_bits(), "{levels} {place:?} {i}");
                    assert_eq!(here[(side - 1) * side + i].to_bits(), south[i].to_bits(), "{levels} {place:?} {i}");
                }
                assert!(here.iter().all(|height| height.abs() <= land.bound()));
            }
        }
    }

    #[test]
    fn seams_are_as_smooth_as_the_inside() {
        // The mean second difference across the shared edge is that of the inside.
        let land = DiamondSquare::new(3, 6, 2.0).unwrap();
        let side = land.side();
        let (mut seam, mut inside, mut count) = (0.0, 0.0, 0.0);
        for patch in 0..12 {
            let (west, east) = (land.patch([patch, 4]), land.patch([patch + 1, 4]));
            for z in 0..side {
                let bend = |a: f32, b: f32, c: f32| f64::from((a - 2.0 * b + c).abs());
                let row = &west[z * side..][..side];
                seam += bend(row[side - 2], row[side - 1], east[z * side + 1]);
                inside += bend(row[31], row[32], row[33]);
                count += 1.0;
            }
        }
        let ratio = (seam / count) / (inside / count);
        assert!((0.7..1.4).contains(&ratio), "{ratio}");
    }

    #[test]
    fn a_finite_patch_is_filled_and_bounded() {
        let land = DiamondSquare::new(3, 7, 2.0).unwrap();
        let heights = land.finite();
        assert_eq!(heights.len(), 129 * 129);
        assert!(heights.iter().all(|height| *height != 0.0 && height.abs() <= land.bound()));
    }

    #[test]
    fn other_sizes_are_refused_in_words() {
        assert_eq!(DiamondSquare::with_side(1, 129, 2.0).unwrap().side(), 129);
        for side in [0, 1, 2, 64, 66, 1 << 20, usize::MAX] {
            assert!(DiamondSquare::with_side(1, side, 2.0).unwrap_err().to_string().contains("2^n + 1"), "{side}");
        }
        for roughness in [0.5, f64::NAN, f64::INFINITY] {
            assert!(DiamondSquare::new(1, 4, roughness).is_err());
        }
    }
}
