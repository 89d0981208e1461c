//! Nodes that change the values of a noise.

use super::node;
use super::node::check_above;
use crate::error::NoiseError;
use crate::mapping::CurveEnds;

/// Beyond the height of any land, in metres.
const HIGH: f64 = 10_000.0;

node! {
    /// factor · source + offset.
    Affine: Map {
        /// Multiplies the source.
        factor: f64 = 1.0, [-1e9..=1e9];
        /// Added to the product.
        offset: f64 = 0.0, [-1e9..=1e9] => with_offset;
    }
    operands {
        /// What is changed.
        source,
    }
}
node! {
    /// Maps the bounds of the source to a range.
    ///
    /// The bounds are what the source could reach at most; most fractals stay well inside them. A constant
    /// source goes to the middle of the range.
    Range: Map {
        /// Where the lower bound goes.
        min: f64 = 0.0, [-1e9..=1e9] => with_min;
        /// Where the upper bound goes.
        max: f64 = 1.0, [-1e9..=1e9] => with_max;
    }
    operands {
        /// What is mapped.
        source,
    }
    rules {
        fn check_combination(&self, path: &str) -> Result<(), NoiseError> {
            check_above(path, self.max > self.min, ("max", self.max), ("min", self.min))
        }
    }
}
node! {
    /// Limits values to a range.
    Clamp: Map {
        /// The lowest value let through.
        min: f64 = -1.0, [-1e9..=1e9] => with_min;
        /// The highest value let through.
        max: f64 = 1.0, [-1e9..=1e9] => with_max;
    }
    operands {
        /// What is limited.
        source,
    }
    fresh { min: -HIGH, max: HIGH, }
    rules {
        fn check_combination(&self, path: &str) -> Result<(), NoiseError> {
            check_above(path, self.max > self.min, ("max", self.max), ("min", self.min))
        }
    }
}
node! {
    /// The absolute value: folds valleys into creases.
    Abs: Map {}
    operands {
        /// What is folded.
        source,
    }
}
node! {
    /// Perlin's bias: moves the middle of the heights.
    ///
    /// The middle of the source's bounds goes to `amount` of the way between them. The bounds stay.
    Bias: Map {
        /// Where the middle goes; 0.5 changes nothing.
        amount: f64 = 0.5, [0.01..=0.99];
    }
    operands {
        /// What is changed.
        source,
    }
}
node! {
    /// Perlin's gain: steepens or flattens the middle of the heights.
    ///
    /// Pulls the source towards the ends of its bounds (amount above a half) or towards their middle
    /// (below). The bounds stay.
    Gain: Map {
        /// How steep the middle is; 0.5 changes nothing.
        amount: f64 = 0.5, [0.01..=0.99];
    }
    operands {
        /// What is changed.
        source,
    }
}
node! {
    /// A power: flattens low or high ground.
    ///
    /// Raises the source, as a fraction of its bounds, to a power. The bounds stay.
    Power: Map {
        /// The exponent; above 1 it flattens the low ground.
        exponent: f64 = 1.0, [0.05..=20.0];
    }
    operands {
        /// What is raised to the power.
        source,
    }
}
node! {
    /// Steps of equal height.
    Terrace: Map {
        /// Height of a step, in the unit of the source.
        step: f64 = 40.0, [1e-6..=1e9];
        /// 0 leaves the slope as it is, 1 makes the treads flat.
        sharpness: f64 = 0.8, [0.0..=1.0];
    }
    operands {
        /// What is cut into steps.
        source,
    }
}
node! {
    /// A curve through points.
    ///
    /// Maps heights to heights, and never leaves the values of the two points it runs between.
    Curve: Map {
        /// The points, source value and result, with rising source values.
        points: Vec<[f64; 2]> = vec![[-1.0, -1.0], [1.0, 1.0]], [-1e9..=1e9];
        /// How the curve continues beyond the first and the last point.
        #[serde(default)]
        ends: CurveEnds = CurveEnds::Level, [any];
    }
    operands {
        /// What is mapped.
        source,
    }
    fresh { points: vec![[-HIGH, -HIGH], [HIGH, HIGH]], ends: CurveEnds::Straight, }
}
node! {
    /// Different scales above and below a level: flat beaches, deep seas.
    Shore: Map {
        /// The height of the water.
        level: f64 = 0.0, [-1e9..=1e9];
        /// Multiplies heights above the level, counted from there.
        above: f64 = 1.0, [0.0..=1e6];
        /// Multiplies depths below the level, counted from there.
        below: f64 = 1.0, [0.0..=1e6];
    }
    operands {
        /// What is scaled.
        source,
    }
}
