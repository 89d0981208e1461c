//! Nodes that carve a land, or build on it.

use crate::params::node;

node! {
    /// What running water leaves: gullies down the slopes of a land, smaller ones down the sides of
    /// these, and so on. They end on flat ground and give way to crests and beds, and to ground whose slope
    /// turns faster than they can. Slope and bend of the source are taken from the place itself and five
    /// others a fifth of a feature away, sampled that coarsely; so the source should be smooth at that size.
    /// On the ground only, elsewhere the source alone.
    Gullies {
        /// From bed to crest of the first octave, on steep ground.
        depth: f64 = 60.0, [0.0..=1e6, "m"];
        /// From one gully to the next.
        feature_size: f64 = 500.0, [0.001..=1e9, "m"];
        /// Number of octaves.
        octaves: u32 = 5, [1..=16];
        /// Factor of the frequency from one octave to the next.
        lacunarity: f64 = 2.0, [1.01..=16.0];
        /// Factor of the depth from one octave to the next.
        persistence: f64 = 0.5, [0.0..=2.0];
        /// The slope, rise over run, from which on gullies are as deep as they get.
        slope: f64 = 0.5, [0.001..=100.0];
        /// How much gullies turn the smaller ones on their sides; 0 leaves all parallel.
        branching: f64 = 0.5, [0.0..=16.0];
        /// Creases the crests (up to 1) or the beds (down to -1).
        sharpness: f64 = 0.5, [-1.0..=1.0];
        /// Rounds creases off over so many samples either way, lest meshes show teeth; 0 leaves them sharp.
        #[serde(default)]
        rounding: f64 = 0.0, [0.0..=8.0];
        /// Flat ground here or below lies at the height of the beds.
        low: f64 = 0.0, [-1e9..=1e9, "m"];
        /// Flat ground here or above lies at the height of the crests.
        high: f64 = 1000.0, [-1e9..=1e9, "m"];
        /// Tells these gullies from others of the same tree. Those with the same seed differ from them all the same.
        seed: u64 = 0, [any];
    }
    operands {
        /// The land that is carved.
        source,
    }
}
node! {
    /// Steps in layers of rock: as `Terrace`, but another noise lifts the layers, and they differ in how
    /// hard they are.
    Strata {
        /// Height of a layer, in the unit of the source.
        step: f64 = 40.0, [1e-6..=1e9];
        /// 0 leaves the slope as it is, 1 makes the treads of the hardest layers flat.
        sharpness: f64 = 0.8, [0.0..=1.0];
        /// How much softer than the hardest a layer can be.
        variety: f64 = 0.7, [0.0..=1.0];
        /// Tells these layers from others. It alone decides: worlds of different seeds have the same layers.
        seed: u64 = 0, [any];
    }
    operands {
        /// What is stepped.
        source,
        /// By how much the layers are lifted, in the unit of the source.
        lift,
    }
}
node! {
    /// `a`, and `b` on top of it where `a` is high: hills inland, roughness on heights.
    AddAbove {
        /// Where `a` is as low as this, nothing is added.
        low: f64 = 0.0, [-1e9..=1e9];
        /// Where `a` is as high as this, all of `b` is added.
        high: f64 = 1.0, [-1e9..=1e9];
    }
    operands {
        /// The ground, which also decides.
        a,
        /// What is added.
        b,
    }
}
