//! The compiled noise, ready to be sampled.

mod compile;
mod leaf;
mod node;
mod octaves;
mod seeds;
mod transform;

use std::sync::Arc;

use self::compile::{Shared, compile};
pub(crate) use self::leaf::{Leaf, faded};
pub(crate) use self::node::{AnyRecipe, Node, warp_axis, with_recipe};
pub(crate) use self::transform::Transform;
use crate::bounds::Bounds;
use crate::error::NoiseError;
use crate::lattice::derive;
use crate::noise::Noise;
use crate::real::{Field, Jet, reachable};
use crate::simd::{DetectedIsa, Instructions};

/// A noise ready to be sampled: immutable, cheap to clone, shared freely between threads.
#[derive(Clone, Debug)]
pub struct Sampler {
    pub(crate) root: Arc<Node>,
    /// The number of grid-aligned parts of the tree, each of which keeps state in a scratch.
    pub(crate) slots: usize,
    bounds: Bounds,
    pub(crate) instructions: DetectedIsa,
}

impl Noise {
    /// Checks and compiles the tree. The same tree and seed give the same bits everywhere.
    ///
    /// No two parts of a tree look alike, whatever their `seed`: in `a.add(a).add(a)` every `a` looks
    /// different, and a noise warped by itself is not displaced along itself. Wrapping a noise in another
    /// node, as its first operand, does not change it: the node's other operands get other random numbers.
    /// Of several parts with the same `seed`, the first looks as it would alone, and the others depend on
    /// how many come before them. A part with a `seed` of its own stays the same while others come and go.
    ///
    /// # Errors
    /// The first field that is not allowed, by its path.
    pub fn build(&self, seed: u64) -> Result<Sampler, NoiseError> {
        self.validate()?;
        let mut shared = Shared::default();
        let (root, interval) = compile(self, derive(seed, 0), "", &mut shared)?;
        Ok(Sampler {
            root: Arc::new(root),
            slots: shared.slots,
            bounds: interval.bounds(),
            instructions: DetectedIsa::new(Instructions::best()),
        })
    }
}

impl Sampler {
    /// Uses another instruction set than the best one of this machine, for tests and benchmarks: the bits are
    /// the same. A set that the machine does not support gives way to a narrower one.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        Self { instructions: DetectedIsa::new(instructions), ..self }
    }

    /// The instruction set in use.
    #[must_use]
    pub fn instructions(&self) -> Instructions {
        self.instructions.get()
    }

    /// The range that no value leaves, derived from the tree itself.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The value at a point on the ground, in metres.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let land = perlin().fbm().feature_size(500.0).range(0.0, 300.0).build(1)?;
    /// let height = land.sample([1.0e9, -2.5]);
    /// assert!((0.0..=300.0).contains(&height));
    /// # Ok::<(), NoiseError>(())
    /// ```
    #[must_use]
    pub fn sample(&self, at: [f64; 2]) -> f32 {
        self.sample_filtered(at, 0.0)
    }

    /// The value at a point on the ground as samples `footprint` metres apart can show it: octaves
    /// with a wavelength below four footprints fade towards their mean and are gone at two.
    #[must_use]
    pub fn sample_filtered(&self, at: [f64; 2], footprint: f64) -> f32 {
        self.height(at, footprint)
    }

    /// The value and its slopes along x and z, per metre. The value has the same bits as
    /// [`sample_filtered`](Self::sample_filtered).
    #[must_use]
    pub fn sample_with_gradient(&self, at: [f64; 2], footprint: f64) -> Jet<2> {
        self.sample_jet(at, footprint)
    }

    /// The value on a line, for animation, profiles, anything that depends on one number. It is a
    /// separate noise, not a slice of [`sample`](Self::sample).
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let sway = perlin().fbm().octaves(3).feature_size(2.0).build(1)?;
    /// let angles: Vec<f32> = (0..60).map(|frame| sway.sample_1d(f64::from(frame) / 60.0)).collect();
    /// assert!(angles.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.2));
    /// # Ok::<(), NoiseError>(())
    /// ```
    #[must_use]
    pub fn sample_1d(&self, at: f64) -> f32 {
        self.height([at], 0.0)
    }

    /// The value in space, x, y up, z: for planets, caves and overhangs, or for pictures that change
    /// with time along y. It is a separate noise: its slice at y = 0 is not [`sample`](Self::sample).
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let rock = simplex().fbm().feature_size(30.0).build(1)?;
    /// let solid = rock.sample_3d([10.0, -4.0, 2.0]) > 0.0;
    /// # let _ = solid;
    /// # Ok::<(), NoiseError>(())
    /// ```
    #[must_use]
    pub fn sample_3d(&self, at: [f64; 3]) -> f32 {
        self.height(at, 0.0)
    }

    /// The value and its slopes in one, two or three dimensions, as samples `footprint` metres apart
    /// can show them. Other dimensions are not supported: they give 0.
    #[must_use]
    pub fn sample_jet<const D: usize>(&self, at: [f64; D], footprint: f64) -> Jet<D> {
        if D == 0 || D > 3 {
            return Jet::default();
        }
        let jet = self.root.at::<D, Jet<D>>(&Jet::place(reachable(at)), footprint, self.instructions);
        if jet.gradient.iter().all(|slope| slope.is_finite()) {
            jet
        } else {
            Jet { gradient: self.slopes_by_differences(at, footprint), ..jet }
        }
    }

    #[inline]
    fn height<const D: usize>(&self, at: [f64; D], footprint: f64) -> f32 {
        self.root.at::<D, f32>(&reachable(at), footprint, self.instructions)
    }

    /// Slopes from the heights on both sides, for positions where the analytic ones overflow 32 bits: infinity
    /// times 0 is NaN, though the product has a slope.
    #[cold]
    pub(crate) fn slopes_by_differences<const D: usize>(&self, at: [f64; D], footprint: f64) -> [f32; D] {
        let at = reachable(at);
        std::array::from_fn(|axis| {
            // Centimetres, or the smallest step that samples and 64 bits can resolve.
            let least = at[axis].abs() * (1.0 / (1u64 << 40) as f64);
            let step = least.max(footprint.min(1e9)).max(1.0) / 16.0;
            let height = |by: f64| {
                let mut at = at;
                at[axis] += by;
                f64::from(self.height(at, footprint))
            };
            let slope = (height(step) - height(-step)) * (0.5 / step);
            (slope as f32).clamp(f32::MIN, f32::MAX)
        })
    }
}
