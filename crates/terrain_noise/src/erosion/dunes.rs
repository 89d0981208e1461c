//! Dunes: ridges across the wind, with a gentle back and a steep slip face.

use super::stripes::{Stripes, share};
use crate::lattice::derive;
use crate::noise;
use crate::simd::{Isa, Plain};

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
            f64::from(model.heights(Plain, [&[at[0]], &[at[1]]])[0])
        });
        (heights.sum::<f64>() / f64::from(SIDE * SIDE)) as f32
    }

    /// Heights from 0 in the hollows to 1 on the crests.
    #[inline(always)]
    fn heights<const N: usize, const W: usize>(&self, isa: impl Isa<W>, places: [&[f64; N]; 2]) -> [f32; N] {
        let [cos, sin] = self.stripes.straight(isa, places, self.wind);
        let mut out = [0.0; N];
        for lane in 0..N {
            let (c, s) = (cos[lane], sin[lane]);
            let u = turns(c, s);
            let back = u / (1.0 - self.slip);
            let fall = (1.0 - u) / self.slip;
            // The back rises out of the flat and rounds off towards the crest; the face falls straight.
            let back = back * back * (2.2 - 1.2 * back);
            let fall = fall * (1.0 + 0.35 * (fall - 1.0));
            let height = if u < 1.0 - self.slip { back } else { fall };
            // Where ridges fork the wave vector is short: the dune is low there.
            let strength = c * c + s * s;
            out[lane] = if height * strength < 1.0 { height * strength } else { 1.0 };
        }
        out
    }

    /// Heights as samples `footprint` metres apart can show them.
    #[inline(always)]
    pub fn filtered<const N: usize, const W: usize>(
        &self,
        isa: impl Isa<W>,
        places: [&[f64; N]; 2],
        footprint: f64,
    ) -> [f32; N] {
        let share = share(self.stripes.wavelength, footprint);
        if share == 0.0 {
            return [self.mean; N];
        }
        let mut out = self.heights(isa, places);
        if share < 1.0 {
            for lane in 0..N {
                out[lane] = self.mean + share * (out[lane] - self.mean);
            }
        }
        out
    }

    /// See [`Plane::step`](super::plane::Plane::step).
    pub fn step(&self) -> f64 {
        self.stripes.wavelength / 4096.0
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
        let height = |x: f64, z: f64| dunes.heights(Plain, [&[x], &[z]])[0];
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
