//! The sixteen directions of the plane's slopes.
//!
//! They lie half a sector off the axes, so that none runs along a lattice line. The mean square slope is the
//! same along every direction, and so are all even powers up to the fourteenth: the spectrum has no preferred
//! direction that sixteen are to blame for.

/// Sixteen directions of one length. Entry `i + 8` is the exact opposite of entry `i`.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Directions {
    pub x: [f32; 16],
    pub z: [f32; 16],
    /// The same in pairs, where one load is to take both.
    pub pairs: [[f32; 2]; 16],
}

impl Directions {
    /// At 11.25° and every 22.5° from there.
    pub const fn new(length: f32) -> Self {
        const A: f32 = 0.980_785_3;
        const B: f32 = 0.831_469_6;
        const C: f32 = 0.555_570_24;
        const D: f32 = 0.195_090_32;
        let mut all = Self {
            x: [A, B, C, D, -D, -C, -B, -A, -A, -B, -C, -D, D, C, B, A],
            z: [D, C, B, A, A, B, C, D, -D, -C, -B, -A, -A, -B, -C, -D],
            pairs: [[0.0; 2]; 16],
        };
        let mut i = 0;
        while i < 16 {
            all.x[i] *= length;
            all.z[i] *= length;
            all.pairs[i] = [all.x[i], all.z[i]];
            i += 1;
        }
        all
    }

    /// One of them; only the lowest four bits of `which` count.
    #[inline(always)]
    pub fn get(&self, which: u32) -> [f32; 2] {
        self.pairs[(which & 15) as usize]
    }

    /// The largest `direction · offset` there is.
    #[cfg(test)]
    pub fn most(&self, offset: [f64; 2]) -> f64 {
        let along = |[x, z]: [f32; 2]| f64::from(x) * offset[0] + f64::from(z) * offset[1];
        self.pairs.iter().map(|&pair| along(pair)).fold(f64::MIN, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_are_exact_and_lengths_equal() {
        let all = Directions::new(1.5);
        for i in 0..16u32 {
            let [x, z] = all.get(i);
            assert_eq!(all.get(i + 8), [-x, -z]);
            assert_eq!([x, z], [all.x[i as usize], all.z[i as usize]]);
            let angle = (11.25 + 22.5 * f64::from(i)).to_radians();
            assert!((f64::from(x) - 1.5 * angle.cos()).abs() < 2e-7 && (f64::from(z) - 1.5 * angle.sin()).abs() < 2e-7);
        }
    }

    #[test]
    fn no_direction_is_preferred() {
        // The mean of every even power up to the fourteenth is that of a circle.
        for power in [2, 4, 6, 8, 10, 12, 14] {
            let mean = |angle: f64| {
                let along = |[x, z]: [f32; 2]| f64::from(x) * angle.cos() + f64::from(z) * angle.sin();
                Directions::new(1.0).pairs.iter().map(|&pair| along(pair).powi(power)).sum::<f64>() / 16.0
            };
            for degrees in 0..180 {
                let here = mean(f64::from(degrees).to_radians());
                assert!((here / mean(0.0) - 1.0).abs() < 1e-5, "{power} {degrees}: {here}");
            }
        }
    }
}
