//! What a tree must be like before it is built.

use super::{AddAbove, Clamp, Fractal, Gullies, Noise, Range};
use crate::basis::Basis;
use crate::error::{NoiseError, join};

/// Nodes below one another that a noise may have.
pub const MAX_DEPTH: usize = 32;
/// Nodes that a noise may have.
pub const MAX_NODES: usize = 1024;
/// Octaves that a noise may evaluate for one point, a constant counted as one. A warp evaluates its
/// warping noise once an axis, gullies their land at seven places.
pub const MAX_OCTAVES: usize = 4096;

impl Noise {
    /// Checks every parameter of every node, and that the tree is not too deep, large or costly.
    ///
    /// # Errors
    /// The first field that is not allowed, by its path.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let error = Noise::from(perlin().fbm().octaves(0)).scale(300.0).validate().unwrap_err();
    /// assert_eq!(error.to_string(), "source.octaves: found 0, allowed is 1 to 32");
    /// ```
    pub fn validate(&self) -> Result<(), NoiseError> {
        let mut nodes = 0;
        let octaves = self.check("", 0, &mut nodes)?;
        if octaves > MAX_OCTAVES {
            let found = format!("{octaves} octaves a point");
            return Err(NoiseError::new("", found, format!("at most {MAX_OCTAVES}")));
        }
        Ok(())
    }

    /// Returns the octaves evaluated for a point.
    fn check(&self, path: &str, depth: usize, nodes: &mut usize) -> Result<usize, NoiseError> {
        if depth == MAX_DEPTH {
            return Err(NoiseError::new(path, "a deeper tree", format!("at most {MAX_DEPTH} nodes deep")));
        }
        *nodes += 1;
        if *nodes > MAX_NODES {
            return Err(NoiseError::new(path, "a larger tree", format!("at most {MAX_NODES} nodes")));
        }
        self.node().check(path)?;
        match self {
            Self::Range(Range { min, max, .. }) | Self::Clamp(Clamp { min, max, .. }) if min >= max => {
                return Err(NoiseError::new(&join(path, "max"), max, format!("more than min, {min}")));
            }
            Self::Gullies(Gullies { low, high, .. }) | Self::AddAbove(AddAbove { low, high, .. })
                if *low as f32 >= *high as f32 =>
            {
                return Err(NoiseError::new(&join(path, "high"), high, format!("more than low, {low}")));
            }
            Self::Fractal(fractal) => fractal.check_tiling(path)?,
            Self::Single(single) => check_period(single.basis, single.periods(), path)?,
            _ => {}
        }
        let mut octaves = match self {
            Self::Fractal(fractal) => fractal.octaves as usize,
            Self::Damped(damped) => damped.octaves as usize,
            Self::Gullies(gullies) => gullies.octaves as usize,
            Self::Constant(_) | Self::Single(_) | Self::Dunes(_) => 1,
            _ => 0,
        };
        for (name, operand) in self.node().operands() {
            let below = operand.check(&join(path, name), depth + 1, nodes)?;
            let times = match self {
                Self::Warp(_) if name == "by" => 3,
                Self::Gullies(_) => 7,
                _ => 1,
            };
            octaves = octaves.saturating_add(below.saturating_mul(times));
        }
        Ok(octaves)
    }
}

impl Fractal {
    /// Octaves tile together only if their periods are whole numbers of cells.
    fn check_tiling(&self, path: &str) -> Result<(), NoiseError> {
        if self.periods() == [0; 3] {
            return Ok(());
        }
        check_period(self.basis, self.periods(), path)?;
        if self.lacunarity.fract() != 0.0 {
            let found = format!("{} with a period", self.lacunarity);
            return Err(NoiseError::new(&join(path, "lacunarity"), found, "a whole number where there is a period"));
        }
        if self.rotation != 0.0 {
            let found = format!("{} with a period", self.rotation);
            return Err(NoiseError::new(&join(path, "rotation"), found, "0 where there is a period"));
        }
        let finest = libm::pow(self.lacunarity, f64::from(self.octaves - 1));
        if finest * f64::from(self.periods().into_iter().fold(0, u32::max)) > 1e15 {
            let found = format!("{} with a period", self.octaves);
            return Err(NoiseError::new(&join(path, "octaves"), found, "a period of at most 1e15 cells in the last"));
        }
        Ok(())
    }
}

fn check_period(basis: Basis, periods: [u32; 3], path: &str) -> Result<(), NoiseError> {
    if basis != Basis::ClassicPerlin {
        return Ok(());
    }
    for (name, period) in ["period_x", "period_y", "period_z"].into_iter().zip(periods) {
        if period % 256 != 0 {
            let words = "0 or a multiple of 256, the size of the table of ClassicPerlin";
            return Err(NoiseError::new(&join(path, name), period, words));
        }
    }
    Ok(())
}
