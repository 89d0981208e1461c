//! Dunes: ridges across the wind, with a gentle back and a steep slip face.

use super::stripes::{Stripes, share};
use crate::lattice::derive;
use crate::noise;
use crate::real::Field;

/// Compiled dunes.
#[derive(Clone, Debug)]
pub(crate) struct Dunes {
    stripes: Stripes,
    /// Unit vector downwind.
    wind: [f32; 2],
    /// Fraction of a wavelength that the slip face takes up.
    slip: f32,
    mean: f32,
}

/// The angle of a wave in turns, 0 to 1. A polynomial, exact to 2e-5 turns.
#[inline(always)]
fn turns(cos: f32, sin: f32) -> f32 {
    let (x, y) = (cos.abs(), sin.abs());
    let (small, large) = if x < y { (x, y) } else { (y, x) };
    let t = small / (large + 1e-20);
    let square = t * t;
    // Over an eighth of a turn.
    let odd = -0.052_568_8 + square * (0.028_670_3 + square * (-0.013_549_4 + square * 0.003_316));
    let part = t * (0.159_133_7 + square * odd);
    let quarter = if x < y { 0.25 - part } else { part };
    let half = if cos < 0.0 { 0.5 - quarter } else { quarter };
    if sin < 0.0 { 1.0 - half } else { half }
}

impl Dunes {
    pub fn new(node: &noise::Dunes, seed: u64) -> Self {
        let radians = node.wind.to_radians();
        let mut dunes = Self {
            stripes: Stripes::new(derive(seed, 1), node.feature_size),
            wind: [libm::cos(radians) as f32, libm::sin(radians) as f32],
            slip: node.slip as f32,
            mean: 0.0,
        };
        dunes.mean = dunes.measured();
        dunes
    }

    /// The mean height, measured on a fixed area.
    fn measured(&self) -> f32 {
        const SIDE: u32 = 48;
        let model = Self { stripes: Stripes::new(derive(0, 0), 1.0), ..self.clone() };
        let heights = (0..SIDE * SIDE).map(|i| {
            let at = [f64::from(i % SIDE) * 0.383, f64::from(i / SIDE) * 0.383];
            f64::from(model.at::<f32>(at, 0.0))
        });
        (heights.sum::<f64>() / f64::from(SIDE * SIDE)) as f32
    }

    /// The ridges.
    #[inline(always)]
    pub fn stripes(&self) -> &Stripes {
        &self.stripes
    }

    /// The unit vector downwind, across the ridges.
    #[inline(always)]
    pub fn wind(&self) -> [f32; 2] {
        self.wind
    }

    /// The mean height.
    #[inline(always)]
    pub fn mean(&self) -> f32 {
        self.mean
    }

    /// How much of the dunes samples `footprint` metres apart can show, 0 to 1.
    #[inline(always)]
    pub fn share(&self, footprint: f64) -> f32 {
        share(self.stripes.wavelength, footprint)
    }

    /// The height from 0 in the hollows to 1 on the crests over the cosine and the sine of the phase, and its slopes by
    /// them.
    #[inline(always)]
    fn profile(&self, c: f32, s: f32) -> (f32, [f32; 2]) {
        let u = turns(c, s);
        let up = u / (1.0 - self.slip);
        let down = (1.0 - u) / self.slip;
        // The back rises out of the flat and rounds off towards the crest; the face falls straight.
        let back = up * up * (2.2 - 1.2 * up);
        let face = down * (1.0 + 0.35 * (down - 1.0));
        let is_back = u < 1.0 - self.slip;
        let shape = if is_back { back } else { face };
        let steep = if is_back { up * (4.4 - 3.6 * up) / (1.0 - self.slip) } else { (0.7 * down + 0.65) / -self.slip };
        // Where ridges fork the wave vector is short: the dune is low there.
        let strength = c * c + s * s;
        let height = shape * strength;
        if height < 1.0 {
            // The phase turns by (c·ds − s·dc) / strength.
            let turn = steep * (1.0 / std::f32::consts::TAU);
            (height, [2.0 * shape * c - turn * s, 2.0 * shape * s + turn * c])
        } else {
            (1.0, [0.0; 2])
        }
    }

    /// The height over the cosine and the sine of the phase, as far as samples can show it.
    #[inline(always)]
    pub fn height<R: Field<2>>(&self, [cos, sin]: [R; 2], share: f32) -> R {
        let height = cos.map_pair(sin, |c, s| self.profile(c, s));
        if share < 1.0 { (height - self.mean) * share + self.mean } else { height }
    }

    /// The height at a position, as samples `footprint` metres apart can show it.
    pub fn at<R: Field<2>>(&self, at: [f64; 2], footprint: f64) -> R {
        let share = self.share(footprint);
        if share == 0.0 {
            return R::constant(self.mean);
        }
        self.height(self.stripes.straight_wave(at, self.wind), share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_go_round() {
        for i in 0..1000 {
            let angle = f64::from(i) / 1000.0;
            let (s, c) = (angle * std::f64::consts::TAU).sin_cos();
            assert!((f64::from(turns(0.7 * c as f32, 0.7 * s as f32)) - angle).abs() < 1e-4, "{angle}");
        }
    }

    #[test]
    fn the_back_is_gentle_and_the_face_is_steep() {
        let node = noise::Dunes { feature_size: 100.0, slip: 0.2, wind: 0.0, seed: 0 };
        let dunes = Dunes::new(&node, 5);
        let height = |x: f64, z: f64| dunes.at::<f32>([x, z], 0.0);
        let (mut up, mut down) = (0, 0);
        for i in 0..20_000 {
            let (x, z) = (f64::from(i % 200) * 5.3, f64::from(i / 200) * 31.0);
            let rise = height(x + 0.5, z) - height(x - 0.5, z);
            up += i32::from(rise > 0.0);
            down += i32::from(rise < -0.03);
        }
        assert!(up > 13_000, "the wind climbs for most of the way: {up}");
        assert!((2_000..5_000).contains(&down), "and falls steeply for the rest: {down}");
        assert!((0.3..0.5).contains(&dunes.mean), "{}", dunes.mean);
    }
}
