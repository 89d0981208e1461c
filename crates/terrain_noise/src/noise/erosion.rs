//! Nodes that carve a land as water and layered rock do.

use super::node;
use super::node::check_above;
use crate::error::NoiseError;
use crate::params::whole;

node! {
    /// Gullies, as running water leaves them, down the slopes of a land.
    ///
    /// Smaller gullies run down the sides of larger ones, and so on. They end on flat ground and fade at
    /// crests and beds, and wherever the slope turns faster than they can follow. Slope and curvature of the
    /// source come from a lattice of its heights, a ninth of a feature apart, that a spline smooths and that
    /// leave out detail finer than a fifth of a feature; so the source should be smooth at that size. On the
    /// ground (2D) only: in other dimensions the result is the source alone.
    Gullies: Map {
        /// From bed to crest of the first octave, on steep ground.
        depth: f64 = 60.0, [0.0..=1e6, "m"];
        /// From one gully to the next.
        feature_size: f64 = 500.0, [0.001..=1e9, "m"];
        /// Number of octaves.
        #[serde(deserialize_with = "whole")]
        octaves: u32 = 5, [1..=16];
        /// Factor of the frequency from one octave to the next.
        lacunarity: f64 = 2.0, [1.01..=16.0];
        /// Factor of the depth from one octave to the next.
        persistence: f64 = 0.5, [0.0..=2.0];
        /// The slope, rise over run, at and above which gullies have their full depth.
        slope: f64 = 0.5, [0.001..=100.0];
        /// How much gullies turn the smaller ones on their sides; 0 leaves all parallel.
        branching: f64 = 0.5, [0.0..=16.0];
        /// Creases the crests (up to 1) or the beds (down to -1).
        sharpness: f64 = 0.5, [-1.0..=1.0];
        /// Rounds creases off over this many samples to either side, so that meshes show no teeth; 0 leaves them sharp.
        #[serde(default)]
        rounding: f64 = 0.0, [0.0..=8.0];
        /// Flat ground at or below this height is lowered to the beds.
        low: f64 = 0.0, [-1e9..=1e9, "m"];
        /// Flat ground at or above this height is raised to the crests.
        high: f64 = 1000.0, [-1e9..=1e9, "m"];
        /// Selects these gullies among others of the same tree; even with equal seeds no two are alike.
        seed: u64 = 0, [any];
    }
    operands {
        /// The land that is carved.
        source,
    }
    rules {
        fn check_combination(&self, path: &str) -> Result<(), NoiseError> {
            // They are used as 32-bit numbers: they must differ as such.
            check_above(path, self.high as f32 > self.low as f32, ("high", self.high), ("low", self.low))
        }
        fn octaves(&self) -> usize {
            self.octaves as usize
        }
        fn evaluations(&self, _operand: &str) -> usize {
            // On grids less than two. At a single point the land itself and 36 points of its lattice, which take about
            // as long as six: sixteen are computed at once.
            7
        }
    }
}
node! {
    /// Steps in layers of rock that are lifted by another noise and differ in hardness.
    ///
    /// Otherwise as [`Terrace`](crate::Terrace).
    Strata: Map {
        /// Height of a layer, in the unit of the source.
        step: f64 = 40.0, [1e-6..=1e9];
        /// 0 leaves the slope as it is, 1 makes the treads of the hardest layers flat.
        sharpness: f64 = 0.8, [0.0..=1.0];
        /// How much softer than the hardest a layer can be.
        variety: f64 = 0.7, [0.0..=1.0];
        /// Selects the hardness of each layer. The world's seed does not change it.
        seed: u64 = 0, [any];
    }
    operands {
        /// What is cut into steps.
        source,
        /// By how much the layers are lifted, in the unit of the source.
        lift = 0.0,
    }
}
