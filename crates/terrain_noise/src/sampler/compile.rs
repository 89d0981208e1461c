//! Compiles a tree for sampling, and finds the bounds of every node.

use std::sync::Arc;

use super::leaf::Leaf;
use super::node::Node;
use super::octaves::{compile_fractal, damped_octaves, mean_signal, octaves};
use super::seeds::Seeds;
use super::transform::Transform;
use crate::basis::Octave;
use crate::bounds::Interval;
use crate::combine::{Combination, blend};
use crate::erosion::damped::Damped;
use crate::erosion::dunes::Dunes;
use crate::erosion::gullies::Gullies;
use crate::error::NoiseError;
use crate::fractal::{Fbm, Folded};
use crate::lattice::derive;
use crate::mapping::{Curve, Mapping, Shape};
use crate::noise::{self, Noise};
use crate::real::Real;

/// Derives the seeds of a node's operands: the first one keeps the node's seed.
const OPERAND: [u64; 3] = [0, 0x10, 0x11];
const WARP: [u64; 3] = [0x20, 0x21, 0x22];

/// Sources no wider than this count as constant to a range: the factor would not fit 32 bits.
const FAINTEST: f64 = 1e-29;

/// State shared by all nodes of a tree while it is compiled.
#[derive(Default)]
pub(super) struct Shared<'a> {
    pub slots: usize,
    seeds: Seeds<'a>,
}

impl Shared<'_> {
    fn slot(&mut self) -> usize {
        self.slots += 1;
        self.slots - 1
    }
}

/// Compiles a node and returns the interval of its values. Operands come first and in order: of parts with
/// the same seed the first keeps it, so that wrapping a noise does not change it.
pub(super) fn compile<'a>(
    noise: &'a Noise,
    seed: u64,
    path: &str,
    shared: &mut Shared<'a>,
) -> Result<(Node, Interval), NoiseError> {
    let below = |noise: &'a Noise, name: &str, part: u64, shared: &mut Shared<'a>| {
        let seed = if part == 0 { seed } else { derive(seed, part) };
        compile(noise, seed, &crate::error::join(path, name), shared)
    };
    let map = |source: &'a Noise, shared: &mut Shared<'a>, mapping: &dyn Fn(Interval) -> Mapping| {
        let (source, interval) = below(source, "source", OPERAND[0], shared)?;
        let mapping = mapping(interval);
        let interval = mapping.apply(interval);
        Ok((Node::Map { source: Box::new(source), mapping }, interval))
    };
    let pair = |a: &'a Noise, b: &'a Noise, shared: &mut Shared<'a>, combination: Combination| {
        let (a, ia) = below(a, "a", OPERAND[0], shared)?;
        let (b, ib) = below(b, "b", OPERAND[1], shared)?;
        Ok((Node::Pair { operands: Box::new([a, b]), combination }, combination.apply(ia, ib)))
    };
    let (node, interval) = match noise {
        Noise::Constant(node) => {
            let value = node.value as f32;
            (Node::Constant(value), Interval::constant(value))
        }
        Noise::Single(node) => {
            let seed = shared.seeds.of(noise, seed, node.seed);
            let period = node.periods().map(i64::from);
            let octave = Octave::new(node.basis, seed, 1.0 / node.feature_size, 1.0, period);
            let leaf = Leaf::new(node.basis, vec![octave], shared.slot(), 0.0);
            let mean = mean_signal(&leaf, Fbm);
            (Node::Single { leaf, mean }, Interval::new(-1.0, 1.0))
        }
        Noise::Fractal(node) => compile_fractal(node, shared.seeds.of(noise, seed, node.seed), shared.slot()),
        Noise::Damped(node) => {
            let octaves = octaves(&damped_octaves(node), shared.seeds.of(noise, seed, node.seed));
            let leaf = Leaf::new(node.basis, octaves, shared.slot(), node.rounding);
            // The mean of `1 − |n|`, from which that of `|n|` follows.
            let damped = Damped::new(node, 1.0 - mean_signal(&leaf, Folded::RIDGED));
            let interval = damped.interval(&leaf.octaves);
            (Node::Damped { leaf, damped }, interval)
        }
        Noise::Dunes(node) => {
            let dunes = Dunes::new(node, shared.seeds.of(noise, seed, node.seed));
            (Node::Dunes { dunes: Box::new(dunes), slot: shared.slot() }, Interval::new(0.0, 1.0))
        }
        Noise::Gullies(node) => {
            let (land, interval) = below(&node.source, "source", 0, shared)?;
            let source = Box::new([land, below(&node.source, "source", 0, shared)?.0]);
            let gullies = Box::new(Gullies::new(node, shared.seeds.of(noise, seed, node.seed)));
            let interval = interval + gullies.interval();
            (Node::Gullies { source, gullies, slot: shared.slot() }, interval)
        }
        Noise::Transform(node) => {
            let (source, interval) = below(&node.source, "source", 0, shared)?;
            let transform = Transform::new(node);
            (Node::Transform { source: Box::new(source), transform, slot: shared.slot() }, interval)
        }
        Noise::Warp(node) => {
            let (source, interval) = below(&node.source, "source", 0, shared)?;
            let by = [
                below(&node.by, "by", WARP[0], shared)?.0,
                below(&node.by, "by", WARP[1], shared)?.0,
                below(&node.by, "by", WARP[2], shared)?.0,
            ];
            let amount = node.amount as f32;
            (Node::Warp { source: Box::new(source), by: Box::new(by), amount, slot: shared.slot() }, interval)
        }
        Noise::Swirl(node) => {
            let (source, interval) = below(&node.source, "source", 0, shared)?;
            let by = Box::new(below(&node.by, "by", WARP[0], shared)?.0);
            let angle = node.angle.to_radians() as f32;
            (Node::Swirl { source: Box::new(source), by, angle, slot: shared.slot() }, interval)
        }
        Noise::FixedSeed(node) => {
            // What the tree around it has does not count: equal ones are meant to be equal.
            let mut alone = Shared { slots: shared.slots, ..Shared::default() };
            let path = crate::error::join(path, "source");
            let built = compile(&node.source, derive(node.seed, 0), &path, &mut alone);
            shared.slots = alone.slots;
            built?
        }
        Noise::Affine(node) => {
            map(&node.source, shared, &|_| Mapping::Affine { factor: node.factor as f32, offset: node.offset as f32 })?
        }
        Noise::Range(node) => map(&node.source, shared, &|source| range(node, source))?,
        Noise::Clamp(node) => {
            map(&node.source, shared, &|_| Mapping::Clamp { min: node.min as f32, max: node.max as f32 })?
        }
        Noise::Abs(node) => map(&node.source, shared, &|_| Mapping::Abs)?,
        Noise::Bias(node) => map(&node.source, shared, &|source| shape(Shape::bias(node.amount), source))?,
        Noise::Gain(node) => map(&node.source, shared, &|source| shape(Shape::gain(node.amount), source))?,
        Noise::Power(node) => {
            map(&node.source, shared, &|source| shape(Shape::Power { exponent: node.exponent as f32 }, source))?
        }
        Noise::Terrace(node) => map(&node.source, shared, &|_| Mapping::Terrace {
            step: node.step as f32,
            sharpness: node.sharpness as f32,
        })?,
        Noise::Curve(node) => {
            map(&node.source, shared, &|_| Mapping::Curve(Arc::new(Curve::new(&node.points, node.ends))))?
        }
        Noise::Shore(node) => map(&node.source, shared, &|_| {
            let [level, above, below] = [node.level, node.above, node.below].map(|x| x as f32);
            Mapping::Shore { level, above, below }
        })?,
        Noise::Add(node) => pair(&node.a, &node.b, shared, Combination::Add)?,
        Noise::Mul(node) => pair(&node.a, &node.b, shared, Combination::Mul)?,
        Noise::Min(node) => pair(&node.a, &node.b, shared, Combination::Min)?,
        Noise::Max(node) => pair(&node.a, &node.b, shared, Combination::Max)?,
        Noise::SmoothMin(node) => {
            pair(&node.a, &node.b, shared, Combination::SmoothMin { radius: node.radius as f32 })?
        }
        Noise::SmoothMax(node) => {
            pair(&node.a, &node.b, shared, Combination::SmoothMax { radius: node.radius as f32 })?
        }
        Noise::AddAbove(node) => {
            let (low, range) = (node.low as f32, (node.high - node.low) as f32);
            pair(&node.a, &node.b, shared, Combination::AddAbove { low, range })?
        }
        Noise::Strata(node) => {
            let (a, ia) = below(&node.source, "source", OPERAND[0], shared)?;
            let (b, ib) = below(&node.lift, "lift", OPERAND[1], shared)?;
            // A step moves no height by more than half its own; adding and subtracting the lift only rounds.
            let reach = [ia.low, ia.high, ib.low, ib.high].map(f64::abs).iter().sum::<f64>();
            let most = 0.5 * node.step * node.sharpness + 16.0 * reach * f64::from(f32::EPSILON);
            let interval = ia + Interval::new(-most, most);
            let combination = Combination::Strata {
                step: node.step as f32,
                sharpness: node.sharpness as f32,
                variety: node.variety as f32,
                seed: derive(node.seed, 0) as u32,
            };
            (Node::Pair { operands: Box::new([a, b]), combination }, interval)
        }
        Noise::Blend(noise::Blend { a, b, mask }) => {
            let (a, ia) = below(a, "a", OPERAND[0], shared)?;
            let (b, ib) = below(b, "b", OPERAND[1], shared)?;
            let (mask, im) = below(mask, "mask", OPERAND[2], shared)?;
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

/// Maps the bounds of the source to those of the node.
fn range(node: &noise::Range, source: Interval) -> Mapping {
    let width = source.high - source.low;
    // Bounds that differ by rounding alone are a constant: it goes to the middle.
    let rounding = 64.0 * f64::from(f32::EPSILON) * source.low.abs().max(source.high.abs());
    if width <= rounding.max(FAINTEST) {
        return Mapping::Affine { factor: 0.0, offset: (0.5 * (node.min + node.max)) as f32 };
    }
    let factor = (node.max - node.min) / width;
    Mapping::Affine { factor: factor as f32, offset: (node.min - source.low * factor) as f32 }
}

/// Bends the source between its bounds.
fn shape(shape: Shape, source: Interval) -> Mapping {
    let (low, size) = (source.low as f32, (source.high - source.low) as f32);
    Mapping::Shape { low, size: if size > 0.0 { size } else { 1.0 }, shape }
}
