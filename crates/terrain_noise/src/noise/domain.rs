//! Nodes that sample a noise at another position, or in another world.

use super::{Fractal, node};

/// A broad noise that shows at once what a new node does with it.
fn broad() -> Fractal {
    Fractal::default().octaves(4).feature_size(2_000.0)
}

node! {
    /// Rotates, moves and stretches the ground under a noise.
    Transform: Domain {
        /// Makes features this many times as long along x.
        scale_x: f64 = 1.0, [1e-6..=1e6];
        /// Makes features this many times as long along y (3D only).
        scale_y: f64 = 1.0, [1e-6..=1e6];
        /// Makes features this many times as long along z.
        scale_z: f64 = 1.0, [1e-6..=1e6];
        /// Rotates the noise about the vertical.
        rotation: f64 = 0.0, [-360.0..=360.0, "°"];
        /// Moves the noise along x.
        move_x: f64 = 0.0, [-1e12..=1e12, "m"];
        /// Moves the noise along y (3D only).
        move_y: f64 = 0.0, [-1e12..=1e12, "m"];
        /// Moves the noise along z.
        move_z: f64 = 0.0, [-1e12..=1e12, "m"];
    }
    operands {
        /// What is transformed.
        source,
    }
}
node! {
    /// Domain warp: samples the noise at a position displaced by another noise.
    ///
    /// Quilez 2002. Each axis is displaced by a noise of its own, made from the same tree.
    Warp: Domain {
        /// Displacement per unit of the warping noise.
        amount: f64 = 100.0, [-1e6..=1e6, "m"];
    }
    operands {
        /// What is warped.
        source,
        /// The warping noise.
        by = broad(),
    }
    rules {
        fn evaluations(&self, operand: &str) -> usize {
            // Once per axis.
            if operand == "by" { 3 } else { 1 }
        }
    }
}
node! {
    /// Rotates the position about the origin by an angle that follows another noise.
    ///
    /// It winds up with the distance from the origin: for pictures and bounded islands, not for endless
    /// ground.
    Swirl: Domain {
        /// Angle per unit of the turning noise.
        angle: f64 = 0.0, [-36000.0..=36000.0, "°"];
    }
    operands {
        /// What is turned.
        source,
        /// The turning noise.
        by = broad(),
    }
    fresh { angle: 45.0, }
}
node! {
    /// A noise as a world with this seed has it, whatever the seed of the world around it.
    ///
    /// For continents that stay while the rest of a world changes, and for a mask that is to be the same in two trees: unlike
    /// all other parts, two of these with the same seed and source are equal.
    FixedSeed: Domain {
        /// The seed that the source is built with.
        seed: u64 = 0, [any];
    }
    operands {
        /// What is built with that seed.
        source,
    }
}
