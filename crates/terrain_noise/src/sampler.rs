//! The compiled noise: what a tree becomes before it is sampled.

use std::sync::Arc;

use crate::basis::together::{EIGHT, Together};
use crate::basis::{Basis, Octave, jet};
use crate::bounds::{Bounds, Interval};
use crate::combine::{Combination, blend};
use crate::error::NoiseError;
use crate::fractal::{
    Billow, Fbm, FractalKind, Hybrid, Multifractal, PrintedMultifractal, PrintedRidgedMultifractal, Recipe, Ridged,
    RidgedMultifractal, Round, Sharp,
};
use crate::lattice::derive;
use crate::mapping::{Curve, Mapping, Shape};
use crate::noise::{self, Noise};
use crate::real::{Field, Jet, Real};
use crate::relief::damped::{self, Damped};
use crate::relief::differences::by_differences;
use crate::relief::dunes::{Blow, Dunes};
use crate::relief::gullies::{Carve, Gullies};
use crate::simd::{Checked, Instructions};

/// A noise ready to be sampled: immutable, cheap to clone, shared freely between threads.
#[derive(Clone, Debug)]
pub struct Sampler {
    pub(crate) root: Arc<Node>,
    /// Grid-aligned parts of the tree, each of which keeps state in a scratch.
    pub(crate) slots: usize,
    bounds: Bounds,
    pub(crate) instructions: Checked,
}

impl Noise {
    /// Checks and compiles the tree. The same tree and seed give the same bits everywhere.
    ///
    /// Operands do not share their seeds: of `a.add(a)` the second `a` looks different, and a noise
    /// warped by itself is not displaced along itself. The first operand of a node keeps the
    /// seed, so wrapping a noise in another node does not change it.
    ///
    /// # Errors
    /// The first field that is not allowed, by its path.
    pub fn build(&self, seed: u64) -> Result<Sampler, NoiseError> {
        self.validate()?;
        let mut slots = 0;
        let (root, interval) = compile(self, derive(seed, 0), "", &mut slots)?;
        Ok(Sampler {
            root: Arc::new(root),
            slots,
            bounds: interval.bounds(),
            instructions: Checked::new(Instructions::best()),
        })
    }
}

impl Sampler {
    /// Uses other instructions than the best that this machine has: for tests and benches, as the
    /// bits are the same. Those it does not have give way to narrower ones.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        Self { instructions: Checked::new(instructions), ..self }
    }

    /// The instructions in use.
    #[must_use]
    pub fn instructions(&self) -> Instructions {
        self.instructions.get()
    }

    /// The range that no value leaves, from the expression itself.
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
        self.root.at::<2, f32>(&at, footprint, self.instructions)
    }

    /// The value and its slopes along x and z, per metre. The value has the same bits as
    /// [`sample_filtered`](Self::sample_filtered).
    #[must_use]
    pub fn sample_with_gradient(&self, at: [f64; 2], footprint: f64) -> Jet<2> {
        self.root.at::<2, Jet<2>>(&Jet::place(at), footprint, self.instructions)
    }

    /// The value on a line: for animation, profiles, anything that depends on one number. It is a
    /// noise of its own, not a cut through [`sample`](Self::sample).
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
        self.root.at::<1, f32>(&[at], 0.0, self.instructions)
    }

    /// The value in space, x, y up, z: for planets, caves and overhangs, or for pictures that change
    /// with time along y. It is a noise of its own: its cut at y = 0 is not [`sample`](Self::sample).
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
        self.root.at::<3, f32>(&at, 0.0, self.instructions)
    }

    /// The value and its slopes in one, two or three dimensions, as samples `footprint` metres apart
    /// can show them. Other dimensions do not exist; they give 0.
    #[must_use]
    pub fn sample_jet<const D: usize>(&self, at: [f64; D], footprint: f64) -> Jet<D> {
        self.root.at::<D, Jet<D>>(&Jet::place(at), footprint, self.instructions)
    }
}

/// A compiled node.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Constant(f32),
    Single {
        leaf: Leaf,
        mean: f32,
    },
    Fractal {
        leaf: Leaf,
        recipe: AnyRecipe,
        mean: f32,
    },
    Damped {
        leaf: Leaf,
        damped: Damped,
    },
    Dunes {
        dunes: Box<Dunes>,
        slot: usize,
    },
    /// The land, and the land once more for each of the places that its slope is taken from.
    Gullies {
        source: Box<[Node; 4]>,
        gullies: Box<Gullies>,
        slot: usize,
    },
    Transform {
        source: Box<Node>,
        transform: Transform,
        slot: usize,
    },
    Warp {
        source: Box<Node>,
        by: Box<[Node; 3]>,
        amount: f32,
        slot: usize,
    },
    Swirl {
        source: Box<Node>,
        by: Box<Node>,
        angle: f32,
        slot: usize,
    },
    Map {
        source: Box<Node>,
        mapping: Mapping,
    },
    Pair {
        operands: Box<[Node; 2]>,
        combination: Combination,
    },
    Blend {
        operands: Box<[Node; 3]>,
    },
}

/// A basis and its octaves.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub basis: Basis,
    pub octaves: Vec<Octave>,
    pub slot: usize,
    /// Samples over which creases are rounded off.
    rounding: f64,
    /// The octaves side by side, where a point can be evaluated so.
    together: Vec<Together>,
}

/// A fractal of any kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AnyRecipe {
    Fbm(Fbm),
    Billow(Billow),
    Ridged(Ridged),
    Multifractal(Multifractal),
    PrintedMultifractal(PrintedMultifractal),
    RidgedMultifractal(RidgedMultifractal),
    PrintedRidgedMultifractal(PrintedRidgedMultifractal),
    Hybrid(Hybrid),
}

/// Runs the same code for the recipe at hand, compiled once for each.
macro_rules! with_recipe {
    ($any:expr, $recipe:ident => $body:expr) => {
        match $any {
            $crate::sampler::AnyRecipe::Fbm($recipe) => $body,
            $crate::sampler::AnyRecipe::Billow($recipe) => $body,
            $crate::sampler::AnyRecipe::Ridged($recipe) => $body,
            $crate::sampler::AnyRecipe::Multifractal($recipe) => $body,
            $crate::sampler::AnyRecipe::PrintedMultifractal($recipe) => $body,
            $crate::sampler::AnyRecipe::RidgedMultifractal($recipe) => $body,
            $crate::sampler::AnyRecipe::PrintedRidgedMultifractal($recipe) => $body,
            $crate::sampler::AnyRecipe::Hybrid($recipe) => $body,
        }
    };
}
pub(crate) use with_recipe;

/// An affine change of coordinates. Without a rotation a grid stays a grid.
#[derive(Clone, Debug)]
pub(crate) struct Transform {
    /// Metres of the source per metre, along x, y and z.
    pub scale: [f64; 3],
    pub offset: [f64; 3],
    /// Cosine and sine of the rotation about y.
    pub turn: [f64; 2],
}

impl Transform {
    fn new(node: &noise::Transform) -> Self {
        let scale = [1.0 / node.scale_x, 1.0 / node.scale_y, 1.0 / node.scale_z];
        let radians = node.rotation.to_radians();
        // Whole quarter turns are exact, so that 360° is no rotation at all.
        let turn = match node.rotation {
            0.0 | 360.0 | -360.0 => [1.0, 0.0],
            90.0 | -270.0 => [0.0, 1.0],
            180.0 | -180.0 => [-1.0, 0.0],
            270.0 | -90.0 => [0.0, -1.0],
            _ => [libm::cos(radians), libm::sin(radians)],
        };
        let [c, s] = turn;
        let (x, z) = (-node.move_x, -node.move_z);
        let offset = [(c * x + s * z) * scale[0], -node.move_y * scale[1], (c * z - s * x) * scale[2]];
        Self { scale, offset, turn }
    }

    pub fn keeps_axes(&self) -> bool {
        self.turn == [1.0, 0.0]
    }

    /// How much finer the source is sampled than the result.
    pub fn footprint(&self, footprint: f64) -> f64 {
        footprint * self.scale[0].max(self.scale[2])
    }

    /// The matrix and offset over the axes of `D` dimensions: x, or x and z, or x, y and z.
    #[inline(always)]
    pub fn over<const D: usize>(&self) -> ([[f64; D]; D], [f64; D]) {
        let [c, s] = if D == 1 { [1.0, 0.0] } else { self.turn };
        let last = D - 1;
        // The place of a dimension's axis among x, y, z.
        let axis = |i: usize| if i == last && D > 1 { 2 } else { i };
        let mut matrix = [[0.0; D]; D];
        let mut offset = [0.0; D];
        for i in 0..D {
            matrix[i][i] = self.scale[axis(i)];
            offset[i] = self.offset[axis(i)];
        }
        if !self.keeps_axes() && D > 1 {
            matrix[0][0] = c * self.scale[0];
            matrix[0][last] = s * self.scale[0];
            matrix[last][0] = -s * self.scale[2];
            matrix[last][last] = c * self.scale[2];
        }
        (matrix, offset)
    }
}

impl Leaf {
    fn new(basis: Basis, octaves: Vec<Octave>, slot: usize, rounding: f64) -> Self {
        let together = Together::all(basis, &octaves);
        Self { basis, octaves, slot, rounding, together }
    }

    /// How an octave is folded where samples are `footprint` metres apart.
    #[inline(always)]
    pub fn fold(&self, octave: &Octave, footprint: f64) -> Round {
        Round::new(self.rounding, octave.frequency, footprint)
    }

    /// How much of octave `k` samples `footprint` metres apart can show, 0 to 1.
    #[inline(always)]
    pub fn share(&self, octave: &Octave, footprint: f64) -> f32 {
        if footprint > 0.0 { (0.5 / (octave.frequency * footprint) - 1.0).clamp(0.0, 1.0) as f32 } else { 1.0 }
    }

    /// The octaves that something is left of: frequencies rise, so these are the first.
    #[inline(always)]
    pub fn visible(&self, footprint: f64) -> usize {
        let left = |octave: &&Octave| self.share(octave, footprint) > 0.0;
        self.octaves.iter().take_while(left).count()
    }

    /// One octave at one place.
    pub fn noise<const D: usize, R: Field<D>>(&self, octave: &Octave, place: &R::Place) -> R {
        match octave.turned::<D>() {
            None => R::lift(octave.at(self.basis, R::at(place)), octave.frequency, place),
            Some(matrix) => {
                let place = R::moved(place, &matrix, &[0.0; D]);
                R::lift(octave.at(self.basis, R::at(&place)), octave.frequency, &place)
            }
        }
    }
}

/// All octaves of a damped fractal at a place.
fn damped(leaf: &Leaf, damped: &Damped, at: [f64; 2], footprint: f64) -> f32 {
    let mut state = damped::State::default();
    for octave in &leaf.octaves[..leaf.visible(footprint)] {
        let moved = damped.moved(state, octave.frequency);
        let place = Jet::place([at[0] + f64::from(moved[0]), at[1] + f64::from(moved[1])]);
        let noise = leaf.noise::<2, Jet<2>>(octave, &place);
        let fold = leaf.fold(octave, footprint);
        state = damped.next(state, noise, fold, octave.amplitude, leaf.share(octave, footprint));
    }
    state.sum
}

/// What an octave contributes once `share` of it is left: the rest is its mean.
#[inline(always)]
pub(crate) fn faded<R: Real>(signal: R, mean: f32, share: f32) -> R {
    if share < 1.0 { signal.raised(-mean).scaled(share).raised(mean) } else { signal }
}

/// All octaves of a fractal at one place.
#[inline(always)]
fn fractal<const D: usize, R: Field<D>>(
    leaf: &Leaf,
    recipe: impl Recipe,
    mean: f32,
    place: &R::Place,
    footprint: f64,
    set: Checked,
) -> R {
    let whole = leaf.visible(footprint);
    let signal = |octave: &Octave, noise| {
        faded(recipe.signal(noise, leaf.fold(octave, footprint)), mean, leaf.share(octave, footprint))
    };
    let (seen, unseen) = leaf.octaves.split_at(whole);
    let mut state = None;
    let mut add = |octave: &Octave, noise| {
        let signal = signal(octave, noise);
        state = Some(match state {
            None => recipe.begin(signal),
            Some(state) => recipe.next(state, signal, octave.amplitude),
        });
    };
    if D == 2 && !leaf.together.is_empty() {
        for (octaves, together) in seen.chunks(EIGHT).zip(&leaf.together) {
            let locals = together.at(set, leaf.basis, R::SLOPES, R::at(place));
            for (n, octave) in octaves.iter().enumerate() {
                let local = jet(locals[0][n], [locals[1][n], locals[2][n]]);
                add(octave, R::lift(local, octave.frequency, place));
            }
        }
    } else {
        for octave in seen {
            add(octave, leaf.noise::<D, R>(octave, place));
        }
    }
    let (state, unseen) = match (state, unseen.split_first()) {
        (Some(state), _) => (state, unseen),
        (None, Some((_, rest))) => (recipe.begin(R::constant(mean)), rest),
        (None, None) => return R::constant(0.0),
    };
    recipe.rest(state, mean, unseen).sum
}

impl Node {
    /// The value at one place.
    pub fn at<const D: usize, R: Field<D>>(&self, place: &R::Place, footprint: f64, set: Checked) -> R {
        match self {
            Self::Constant(value) => R::constant(*value),
            Self::Single { leaf, mean } => fractal::<D, R>(leaf, Fbm, *mean, place, footprint, set),
            Self::Fractal { leaf, recipe, mean } => {
                with_recipe!(*recipe, recipe => fractal::<D, R>(leaf, recipe, *mean, place, footprint, set))
            }
            Self::Damped { leaf, damped: recipe } => {
                let step = recipe.step(leaf, footprint);
                by_differences::<D, R>(place, step, |at| damped(leaf, recipe, at, footprint))
            }
            Self::Dunes { dunes, .. } => by_differences::<D, R>(place, dunes.step(), |[x, z]| {
                set.run(Blow { dunes, places: [&[x], &[z]], footprint })[0]
            }),
            Self::Gullies { source, gullies, .. } => {
                let [land, around @ ..] = &**source;
                let land = land.at::<D, R>(place, footprint, set);
                if D != 2 {
                    return land;
                }
                let coarse = gullies.footprint(footprint);
                let corners = gullies.corners();
                land.plus(by_differences::<D, R>(place, gullies.step(footprint), |[x, z]| {
                    let around: [[f32; 1]; 3] = std::array::from_fn(|i| {
                        [around[i].at::<2, f32>(&[x + corners[i][0], z + corners[i][1]], coarse, set)]
                    });
                    let around = [&around[0], &around[1], &around[2]];
                    set.run(Carve { gullies, places: [&[x], &[z]], around, footprint })[0]
                }))
            }
            Self::Transform { source, transform, .. } => {
                let (matrix, offset) = transform.over::<D>();
                source.at::<D, R>(&R::moved(place, &matrix, &offset), transform.footprint(footprint), set)
            }
            Self::Warp { source, by, amount, .. } => {
                let by = std::array::from_fn(|axis| {
                    by[warp_axis(D, axis)].at::<D, R>(place, footprint, set).scaled(*amount)
                });
                source.at::<D, R>(&R::displaced(place, by), footprint, set)
            }
            Self::Swirl { source, by, angle, .. } => {
                let angle = by.at::<D, R>(place, footprint, set).scaled(*angle);
                source.at::<D, R>(&R::swirled(place, angle), footprint, set)
            }
            Self::Map { source, mapping } => mapping.apply(source.at::<D, R>(place, footprint, set)),
            Self::Pair { operands, combination } => {
                let [a, b] = &**operands;
                combination.apply(a.at::<D, R>(place, footprint, set), b.at::<D, R>(place, footprint, set))
            }
            Self::Blend { operands } => {
                let [a, b, mask] = &**operands;
                blend(
                    a.at::<D, R>(place, footprint, set),
                    b.at::<D, R>(place, footprint, set),
                    mask.at::<D, R>(place, footprint, set),
                )
            }
        }
    }
}

/// Which of the three warping noises moves a dimension: x, z and then y, so that the ground plane
/// of a 3D warp is not a special case.
pub(crate) fn warp_axis(dimensions: usize, axis: usize) -> usize {
    match (dimensions, axis) {
        (3, 1) => 2,
        (3, 2) => 1,
        _ => axis,
    }
}

/// Parts of the seed of a node's second and further operands.
const OPERAND: [u64; 3] = [0, 0x10, 0x11];
const WARP: [u64; 3] = [0x20, 0x21, 0x22];

/// Compiles a node and says what it can reach.
fn compile(noise: &Noise, seed: u64, path: &str, slots: &mut usize) -> Result<(Node, Interval), NoiseError> {
    let mut below = |noise: &Noise, name: &str, part: u64| {
        let seed = if part == 0 { seed } else { derive(seed, part) };
        compile(noise, seed, &crate::error::join(path, name), slots)
    };
    let (node, interval) = match noise {
        Noise::Constant(node) => {
            let value = node.value as f32;
            (Node::Constant(value), Interval::constant(value))
        }
        Noise::Single(node) => {
            let seed = derive(seed, mixed(node.seed));
            let period = node.periods().map(i64::from);
            let octave = Octave::new(node.basis, seed, 1.0 / node.feature_size, 1.0, period);
            let leaf = Leaf::new(node.basis, vec![octave], next(slots), 0.0);
            let mean = mean_signal(&leaf, Fbm);
            (Node::Single { leaf, mean }, Interval::new(-1.0, 1.0))
        }
        Noise::Fractal(node) => compile_fractal(node, derive(seed, mixed(node.seed)), next(slots)),
        Noise::Damped(node) => {
            let octaves = octaves(&damped_octaves(node), derive(seed, mixed(node.seed)));
            let leaf = Leaf::new(node.basis, octaves, next(slots), node.rounding);
            // The mean of `1 − |n|`, from which that of `|n|` follows.
            let damped = Damped::new(node, 1.0 - mean_signal(&leaf, Ridged));
            let interval = damped.interval(&leaf);
            (Node::Damped { leaf, damped }, interval)
        }
        Noise::Dunes(node) => {
            let dunes = Box::new(Dunes::new(node, derive(seed, mixed(node.seed))));
            (Node::Dunes { dunes, slot: next(slots) }, Interval::new(0.0, 1.0))
        }
        Noise::Gullies(node) => {
            let (land, interval) = below(&node.source, "source", 0)?;
            let mut again = || below(&node.source, "source", 0).map(|(land, _)| land);
            let source = Box::new([land, again()?, again()?, again()?]);
            let gullies = Box::new(Gullies::new(node, derive(seed, mixed(node.seed))));
            let interval = interval.plus(gullies.interval());
            (Node::Gullies { source, gullies, slot: next(slots) }, interval)
        }
        Noise::Transform(node) => {
            let (source, interval) = below(&node.source, "source", 0)?;
            let transform = Transform::new(node);
            (Node::Transform { source: Box::new(source), transform, slot: next(slots) }, interval)
        }
        Noise::Warp(node) => {
            let (source, interval) = below(&node.source, "source", 0)?;
            let by = [
                below(&node.by, "by", WARP[0])?.0,
                below(&node.by, "by", WARP[1])?.0,
                below(&node.by, "by", WARP[2])?.0,
            ];
            let amount = node.amount as f32;
            (Node::Warp { source: Box::new(source), by: Box::new(by), amount, slot: next(slots) }, interval)
        }
        Noise::Swirl(node) => {
            let (source, interval) = below(&node.source, "source", 0)?;
            let by = Box::new(below(&node.by, "by", WARP[0])?.0);
            let angle = node.angle.to_radians() as f32;
            (Node::Swirl { source: Box::new(source), by, angle, slot: next(slots) }, interval)
        }
        Noise::Affine(noise::Affine { source, .. })
        | Noise::Range(noise::Range { source, .. })
        | Noise::Clamp(noise::Clamp { source, .. })
        | Noise::Abs(noise::Abs { source })
        | Noise::Bias(noise::Bias { source, .. })
        | Noise::Gain(noise::Gain { source, .. })
        | Noise::Power(noise::Power { source, .. })
        | Noise::Terrace(noise::Terrace { source, .. })
        | Noise::Curve(noise::Curve { source, .. })
        | Noise::Shore(noise::Shore { source, .. }) => {
            let (source, interval) = below(source, "source", 0)?;
            let mapping = mapping(noise, interval);
            let interval = mapping.apply(interval);
            (Node::Map { source: Box::new(source), mapping }, interval)
        }
        Noise::Add(noise::Add { a, b })
        | Noise::Mul(noise::Mul { a, b })
        | Noise::Min(noise::Min { a, b })
        | Noise::Max(noise::Max { a, b })
        | Noise::SmoothMin(noise::SmoothMin { a, b, .. })
        | Noise::AddAbove(noise::AddAbove { a, b, .. })
        | Noise::SmoothMax(noise::SmoothMax { a, b, .. }) => {
            let (a, ia) = below(a, "a", OPERAND[0])?;
            let (b, ib) = below(b, "b", OPERAND[1])?;
            let combination = combination(noise);
            (Node::Pair { operands: Box::new([a, b]), combination }, combination.apply(ia, ib))
        }
        Noise::Strata(node) => {
            let (a, ia) = below(&node.source, "source", OPERAND[0])?;
            let (b, ib) = below(&node.lift, "lift", OPERAND[1])?;
            // A step moves no height further than half of itself; lift and drop only round.
            let reach = [ia.low, ia.high, ib.low, ib.high].map(f64::abs).iter().sum::<f64>();
            let most = 0.5 * node.step * node.sharpness + 16.0 * reach * f64::from(f32::EPSILON);
            let interval = ia.plus(Interval::new(-most, most));
            (Node::Pair { operands: Box::new([a, b]), combination: combination(noise) }, interval)
        }
        Noise::Blend(noise::Blend { a, b, mask }) => {
            let (a, ia) = below(a, "a", OPERAND[0])?;
            let (b, ib) = below(b, "b", OPERAND[1])?;
            let (mask, im) = below(mask, "mask", OPERAND[2])?;
            (Node::Blend { operands: Box::new([a, b, mask]) }, blend(ia, ib, im))
        }
    };
    if interval.is_finite() {
        Ok((node, interval))
    } else {
        let found = format!("values from {:e} to {:e}", interval.low, interval.high);
        Err(NoiseError::new(path, found, "what a 32-bit number can hold"))
    }
}

fn next(slots: &mut usize) -> usize {
    *slots += 1;
    *slots - 1
}

/// Keeps a node's own seed apart from the parts that are counted.
fn mixed(seed: u64) -> u64 {
    seed.wrapping_add(0x1_0000_0000)
}

fn mapping(noise: &Noise, source: Interval) -> Mapping {
    let (low, size) = (source.low as f32, (source.high - source.low) as f32);
    let size = if size > 0.0 { size } else { 1.0 };
    match noise {
        Noise::Affine(node) => Mapping::Affine { factor: node.factor as f32, offset: node.offset as f32 },
        Noise::Range(node) => {
            let wide = (source.high - source.low).max(f64::MIN_POSITIVE);
            let factor = ((node.max - node.min) / wide).min(1e30);
            Mapping::Affine { factor: factor as f32, offset: (node.min - source.low * factor) as f32 }
        }
        Noise::Clamp(node) => Mapping::Clamp { min: node.min as f32, max: node.max as f32 },
        Noise::Bias(node) => Mapping::Shape { low, size, shape: Shape::bias(node.amount) },
        Noise::Gain(node) => Mapping::Shape { low, size, shape: Shape::gain(node.amount) },
        Noise::Power(node) => Mapping::Shape { low, size, shape: Shape::Power { exponent: node.exponent as f32 } },
        Noise::Curve(node) => Mapping::Curve(Arc::new(Curve::new(&node.points, node.ends))),
        Noise::Shore(node) => {
            let [level, above, below] = [node.level, node.above, node.below].map(|x| x as f32);
            Mapping::Shore { level, above, below }
        }
        Noise::Terrace(node) => Mapping::Terrace { step: node.step as f32, sharpness: node.sharpness as f32 },
        _ => Mapping::Abs,
    }
}

fn combination(noise: &Noise) -> Combination {
    match noise {
        Noise::Mul(_) => Combination::Mul,
        Noise::Min(_) => Combination::Min,
        Noise::Max(_) => Combination::Max,
        Noise::SmoothMin(node) => Combination::SmoothMin { radius: node.radius as f32 },
        Noise::SmoothMax(node) => Combination::SmoothMax { radius: node.radius as f32 },
        Noise::Strata(node) => Combination::Strata {
            step: node.step as f32,
            sharpness: node.sharpness as f32,
            variety: node.variety as f32,
            seed: derive(node.seed, 0) as u32,
        },
        Noise::AddAbove(node) => Combination::AddAbove { low: node.low as f32, range: (node.high - node.low) as f32 },
        _ => Combination::Add,
    }
}

/// Octaves fainter than this change no height that a 32-bit number could tell from another.
const FAINTEST: f64 = 1e-9;

fn compile_fractal(node: &noise::Fractal, seed: u64, slot: usize) -> (Node, Interval) {
    let (offset, gain) = (node.offset as f32, node.gain as f32);
    let recipe = match node.kind {
        FractalKind::Fbm => AnyRecipe::Fbm(Fbm),
        FractalKind::Billow => AnyRecipe::Billow(Billow),
        FractalKind::Ridged => AnyRecipe::Ridged(Ridged),
        FractalKind::Multifractal => AnyRecipe::Multifractal(Multifractal { offset }),
        FractalKind::PrintedMultifractal => AnyRecipe::PrintedMultifractal(PrintedMultifractal { offset }),
        FractalKind::RidgedMultifractal => AnyRecipe::RidgedMultifractal(RidgedMultifractal { offset, gain }),
        FractalKind::PrintedRidgedMultifractal => {
            AnyRecipe::PrintedRidgedMultifractal(PrintedRidgedMultifractal { offset })
        }
        FractalKind::HybridMultifractal => AnyRecipe::Hybrid(Hybrid { offset, gain }),
    };
    let leaf = Leaf::new(node.basis, octaves(node, seed), slot, node.rounding);
    with_recipe!(recipe, known => {
        let interval = fractal_interval(&leaf, known);
        let mean = mean_signal(&leaf, known);
        (Node::Fractal { leaf, recipe, mean }, interval)
    })
}

/// The fractal that has the octaves of a damped one.
fn damped_octaves(node: &noise::Damped) -> noise::Fractal {
    let noise::Damped { basis, octaves, feature_size, lacunarity, persistence, rotation, .. } = *node;
    noise::Fractal { basis, octaves, feature_size, lacunarity, persistence, rotation, ..noise::Fractal::default() }
}

fn octaves(node: &noise::Fractal, seed: u64) -> Vec<Octave> {
    let mut octaves = Vec::with_capacity(node.octaves as usize);
    let (mut frequency, mut amplitude) = (1.0 / node.feature_size, 1.0);
    let mut period = node.periods().map(i64::from);
    for k in 0..node.octaves {
        if k > 0 && amplitude < FAINTEST && matches!(node.kind, FractalKind::Fbm | FractalKind::Billow) {
            break;
        }
        let seed = derive(seed, 1 + u64::from(k));
        let mut octave = Octave::new(node.basis, seed, frequency, amplitude as f32, period).shifted(seed);
        if node.rotation != 0.0 && k > 0 {
            let radians = (node.rotation * f64::from(k)).to_radians();
            octave.turn = Some([libm::cos(radians), libm::sin(radians)]);
        }
        octaves.push(octave);
        // Whole numbers, as validated, and no further than an f64 counts exactly.
        period = period.map(|cells| cells * node.lacunarity as i64);
        frequency *= node.lacunarity;
        amplitude *= node.persistence;
    }
    octaves
}

fn fractal_interval(leaf: &Leaf, recipe: impl Recipe) -> Interval {
    let signal = recipe.signal(Interval::new(-1.0, 1.0), Sharp);
    let mut state = recipe.begin(signal);
    for octave in leaf.octaves.iter().skip(1) {
        state = recipe.next(state, signal, octave.amplitude);
    }
    state.sum
}

/// The mean of what an octave contributes, measured on a fixed stretch of ground.
fn mean_signal(leaf: &Leaf, recipe: impl Recipe) -> f32 {
    const SIDE: u32 = 64;
    let octave = Octave::new(leaf.basis, derive(0, 0), 1.0, 1.0, [0; 3]).shifted(derive(0, 0));
    let mut sum = 0.0;
    for j in 0..SIDE {
        for i in 0..SIDE {
            // A third of a cell and a bit: every part of a cell is met, in many cells.
            let at = [f64::from(i) * 0.383, f64::from(j) * 0.383];
            let noise = octave.at(leaf.basis, at).value;
            // Every basis but this is as often above zero as below: use both, and the mean of a plain
            // sum is exactly 0.
            let mirrored = if matches!(leaf.basis, Basis::Cellular { .. }) { noise } else { -noise };
            sum += 0.5 * (f64::from(recipe.signal(noise, Sharp)) + f64::from(recipe.signal(mirrored, Sharp)));
        }
    }
    (sum / f64::from(SIDE * SIDE)) as f32
}
