//! How strong an edit is at a distance, and what of it samples can show.

/// The effect of an edit by the distance from the middle of its area: 1 up to `radius`, 0 from `radius + falloff` on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    pub radius: f64,
    pub falloff: f64,
}

/// A profile as samples some distance apart can show it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mask {
    /// Up to here it has its full strength; may be negative.
    inner: f64,
    /// From here on it has none.
    pub outer: f64,
    /// The reciprocal of the width between them.
    steepness: f64,
    /// Its strength in the middle, 0 to 1.
    strength: f64,
}

impl Profile {
    /// Where the effect is half as strong.
    pub fn middle(&self) -> f64 {
        self.radius + 0.5 * self.falloff
    }

    /// Where it ends, for samples `footprint` metres apart.
    pub fn reach(&self, footprint: f64) -> f64 {
        self.middle() + 0.5 * self.falloff.max(footprint)
    }

    /// Filters the profile as the octaves of a noise are: twice as wide as the area counts as half a wavelength, which
    /// fades below four samples and is gone at two. Edges become as wide as the distance between samples.
    pub fn mask(&self, footprint: f64) -> Mask {
        let (middle, edge) = (self.middle(), self.falloff.max(footprint));
        let strength = if footprint > 0.0 { (2.0 * middle / footprint - 1.0).clamp(0.0, 1.0) } else { 1.0 };
        let steepness = (1.0 / edge).min(f64::MAX);
        Mask { inner: middle - 0.5 * edge, outer: middle + 0.5 * edge, steepness, strength }
    }
}

impl Mask {
    /// Whether nothing of it is left.
    pub fn is_nothing(&self) -> bool {
        self.strength <= 0.0
    }

    /// Whether it has its full effect up to this distance.
    pub fn is_full(&self, distance: f64) -> bool {
        self.strength >= 1.0 && distance <= self.inner
    }

    /// The effect at a distance, 0 to 1: smooth, and level at both ends.
    pub fn at(&self, distance: f64) -> f64 {
        if distance <= self.inner {
            return self.strength;
        }
        if distance >= self.outer {
            return 0.0;
        }
        let t = (self.outer - distance) * self.steepness;
        self.strength * (t * t * t * (t * (t * 6.0 - 15.0) + 10.0))
    }

    /// The same for the heights of points, without branches: rows of them are computed side by side.
    pub fn share(&self, distance: f64) -> f32 {
        let t = ((self.outer - distance) * self.steepness).clamp(0.0, 1.0) as f32;
        self.strength as f32 * (t * t * t * (t * (t * 6.0 - 15.0) + 10.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_widen_and_small_things_fade() {
        let profile = Profile { radius: 10.0, falloff: 4.0 };
        let fine = profile.mask(1.0);
        assert_eq!([fine.at(0.0), fine.at(10.0), fine.at(12.0), fine.at(14.0)], [1.0, 1.0, 0.5, 0.0]);
        let coarse = profile.mask(8.0);
        assert_eq!([coarse.at(8.0), coarse.at(12.0), coarse.at(16.0)], [1.0, 0.5, 0.0]);
        assert_eq!(profile.mask(16.0).at(0.0), 0.5);
        assert!(profile.mask(24.0).is_nothing());
        for footprint in [0.0, 1.0, 3.0, 7.9, 20.0] {
            let mask = profile.mask(footprint);
            assert_eq!(mask.outer, profile.reach(footprint));
            for step in 0..400 {
                let distance = 0.1 * f64::from(step);
                assert!((f64::from(mask.share(distance)) - mask.at(distance)).abs() < 1e-6, "{distance}");
            }
            let samples: Vec<f64> = (0..400).map(|step| mask.at(0.1 * f64::from(step))).collect();
            assert!(samples.windows(2).all(|pair| pair[0] >= pair[1]) && samples[399] == 0.0);
        }
        let sharp = Profile { radius: 5.0, falloff: 0.0 }.mask(0.0);
        assert_eq!([sharp.at(5.0), sharp.at(5.1)], [1.0, 0.0]);
    }
}
