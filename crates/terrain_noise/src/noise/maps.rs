//! Nodes that change the heights of a noise.

use crate::mapping::CurveEnds;
use crate::params::node;

node! {
    /// `factor · source + offset`.
    Affine {
        /// Multiplies the source.
        factor: f64 = 1.0, [-1e9..=1e9];
        /// Added to the product.
        offset: f64 = 0.0, [-1e9..=1e9];
    }
    operands {
        /// What is changed.
        source,
    }
}
node! {
    /// Maps the bounds of the source to a range. The bounds are what the source could reach at
    /// most; most fractals stay well inside them. A source of one height goes to the middle.
    Range {
        /// Where the lower bound goes.
        min: f64 = 0.0, [-1e9..=1e9];
        /// Where the upper bound goes.
        max: f64 = 1.0, [-1e9..=1e9];
    }
    operands {
        /// What is mapped.
        source,
    }
}
node! {
    /// Cuts off what leaves a range.
    Clamp {
        /// The lowest value let through.
        min: f64 = -1.0, [-1e9..=1e9];
        /// The highest value let through.
        max: f64 = 1.0, [-1e9..=1e9];
    }
    operands {
        /// What is cut.
        source,
    }
}
node! {
    /// The absolute value: folds valleys into creases.
    Abs {}
    operands {
        /// What is folded.
        source,
    }
}
node! {
    /// Perlin's bias: pushes the middle of the source's bounds to `amount` of the way. The bounds stay.
    Bias {
        /// Where the middle goes; 0.5 changes nothing.
        amount: f64 = 0.5, [0.01..=0.99];
    }
    operands {
        /// What is pushed.
        source,
    }
}
node! {
    /// Perlin's gain: pulls the source towards the ends of its bounds (amount above a half) or
    /// towards their middle (below). The bounds stay.
    Gain {
        /// How steep the middle is; 0.5 changes nothing.
        amount: f64 = 0.5, [0.01..=0.99];
    }
    operands {
        /// What is pulled.
        source,
    }
}
node! {
    /// Raises the source, as a fraction of its bounds, to a power. The bounds stay.
    Power {
        /// The exponent; above 1 it flattens the low ground.
        exponent: f64 = 1.0, [0.05..=20.0];
    }
    operands {
        /// What is raised.
        source,
    }
}
node! {
    /// Steps of equal height.
    Terrace {
        /// Height of a step, in the unit of the source.
        step: f64 = 40.0, [1e-6..=1e9];
        /// 0 leaves the slope as it is, 1 makes the treads flat.
        sharpness: f64 = 0.8, [0.0..=1.0];
    }
    operands {
        /// What is stepped.
        source,
    }
}
node! {
    /// A curve through points: maps heights to heights, never outside the values of the two points it
    /// runs between.
    Curve {
        /// The points, source value and result, with rising source values.
        points: Vec<[f64; 2]> = vec![[-1.0, -1.0], [1.0, 1.0]], [-1e9..=1e9];
        /// How it goes on beyond the first and the last point.
        #[serde(default)]
        ends: CurveEnds = CurveEnds::Level, [any];
    }
    operands {
        /// What is mapped.
        source,
    }
}
node! {
    /// Different scales above and below a level: flat beaches, deep seas.
    Shore {
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
