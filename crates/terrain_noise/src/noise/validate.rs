//! Checking a tree before it is built.

use super::Noise;
use crate::error::{NoiseError, join};

/// The most levels of nodes that a noise may have.
pub const MAX_DEPTH: usize = 32;
/// The most nodes that a noise may have.
pub const MAX_NODES: usize = 1024;
/// The most octaves that a noise may evaluate for one point; a constant counts as one. A warp evaluates
/// its warping noise once per axis; what gullies evaluate of their land at a single point takes about as long as
/// seven evaluations.
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
        let node = self.node();
        node.check_ranges(path)?;
        node.check_combination(path)?;
        let mut octaves = node.octaves();
        for (name, operand) in node.operands() {
            let below = operand.check(&join(path, name), depth + 1, nodes)?;
            octaves = octaves.saturating_add(below.saturating_mul(node.evaluations(name)));
        }
        Ok(octaves)
    }
}
