//! Nodes that make one noise of several.

use super::node;
use super::node::check_above;
use crate::error::NoiseError;

/// Beyond the height of any land, in metres: the minimum of a land and this is the land.
const HIGH: f64 = 10_000.0;

node! {
    /// The sum of two noises.
    Add: Combiner {}
    operands {
        /// One term.
        a,
        /// The other term.
        b = 0.0,
    }
}
node! {
    /// The product of two noises.
    Mul: Combiner {}
    operands {
        /// One factor.
        a,
        /// The other factor.
        b = 1.0,
    }
}
node! {
    /// The lower of two noises.
    Min: Combiner {}
    operands {
        /// One noise.
        a,
        /// The other noise.
        b = HIGH,
    }
}
node! {
    /// The higher of two noises.
    Max: Combiner {}
    operands {
        /// One noise.
        a,
        /// The other noise.
        b = -HIGH,
    }
}
node! {
    /// The lower of two noises, with the crease rounded off (Quilez's polynomial smooth minimum).
    SmoothMin: Combiner {
        /// Values that differ by less than this are blended.
        radius: f64 = 1.0, [1e-6..=1e9];
    }
    operands {
        /// One noise.
        a,
        /// The other noise.
        b = HIGH,
    }
}
node! {
    /// The higher of two noises, with the crease rounded off (Quilez's polynomial smooth maximum).
    SmoothMax: Combiner {
        /// Values that differ by less than this are blended.
        radius: f64 = 1.0, [1e-6..=1e9];
    }
    operands {
        /// One noise.
        a,
        /// The other noise.
        b = -HIGH,
    }
}
node! {
    /// A noise, and another on top of it where it is high: hills inland, roughness on mountains.
    AddAbove: Combiner {
        /// Where `a` is as low as this, nothing is added.
        low: f64 = 0.0, [-1e9..=1e9];
        /// Where `a` is as high as this, all of `b` is added.
        high: f64 = 1.0, [-1e9..=1e9];
    }
    operands {
        /// The ground, which also decides.
        a,
        /// What is added.
        b = 0.0,
    }
    rules {
        fn check_combination(&self, path: &str) -> Result<(), NoiseError> {
            // They are used as 32-bit numbers: they must differ as such.
            check_above(path, self.high as f32 > self.low as f32, ("high", self.high), ("low", self.low))
        }
    }
}
node! {
    /// One noise or another, by a mask.
    ///
    /// `a` where the mask is 0, `b` where it is 1, a blend between; the mask is clamped to 0 ..= 1.
    Blend: Combiner {}
    operands {
        /// Where the mask is 0.
        a,
        /// Where the mask is 1.
        b = a.clone(),
        /// Which of the two, and how much.
        mask = 0.0,
    }
}
