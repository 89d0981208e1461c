//! A compiled tree, and its value at one position.

use super::leaf::{Leaf, damped, fractal};
use super::transform::Transform;
use crate::basis::jet;
use crate::combine::{Combination, blend};
use crate::erosion::damped::Damped;
use crate::erosion::dunes::Dunes;
use crate::erosion::gullies::Gullies;
use crate::fractal::{Fbm, Folded, Hybrid, Multifractal, PrintedRidgedMultifractal, RidgedMultifractal};
use crate::grid::shape_at;
use crate::mapping::Mapping;
use crate::real::{Field, Jet, Real};
use crate::simd::DetectedIsa;

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
    /// The land itself, and a copy that is sampled on the lattice that its slope is taken from.
    Gullies {
        source: Box<[Node; 2]>,
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

/// A fractal of any kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AnyRecipe {
    Fbm(Fbm),
    Billow(Folded),
    Ridged(Folded),
    Multifractal(Multifractal),
    PrintedMultifractal(Multifractal),
    RidgedMultifractal(RidgedMultifractal),
    PrintedRidgedMultifractal(PrintedRidgedMultifractal),
    Hybrid(Hybrid),
}

/// Runs the same code for a recipe of any kind, compiled once for each type of them.
macro_rules! with_recipe {
    ($any:expr, $recipe:ident => $body:expr) => {
        match $any {
            $crate::sampler::AnyRecipe::Fbm($recipe) => $body,
            $crate::sampler::AnyRecipe::Billow($recipe) | $crate::sampler::AnyRecipe::Ridged($recipe) => $body,
            $crate::sampler::AnyRecipe::Multifractal($recipe)
            | $crate::sampler::AnyRecipe::PrintedMultifractal($recipe) => $body,
            $crate::sampler::AnyRecipe::RidgedMultifractal($recipe) => $body,
            $crate::sampler::AnyRecipe::PrintedRidgedMultifractal($recipe) => $body,
            $crate::sampler::AnyRecipe::Hybrid($recipe) => $body,
        }
    };
}
pub(crate) use with_recipe;

impl Node {
    /// Whether a grid of this is, at least in part, evaluated as points off the lattice.
    pub fn has_points(&self) -> bool {
        match self {
            Self::Single { leaf, .. } | Self::Fractal { leaf, .. } => !leaf.is_aligned(),
            Self::Warp { .. } | Self::Swirl { .. } | Self::Dunes { .. } => true,
            Self::Transform { source, transform, .. } => !transform.keeps_axes() || source.has_points(),
            Self::Map { source, .. } => source.has_points(),
            Self::Pair { operands, .. } => operands.iter().any(Self::has_points),
            Self::Blend { operands } => operands.iter().any(Self::has_points),
            Self::Gullies { source, .. } => source[0].has_points(),
            Self::Constant(_) | Self::Damped { .. } => false,
        }
    }

    /// Whether a grid of this is evaluated as points off the lattice alone.
    pub fn has_only_points(&self) -> bool {
        match self {
            Self::Transform { source, transform, .. } => !transform.keeps_axes() || source.has_only_points(),
            Self::Map { source, .. } => source.has_only_points(),
            Self::Pair { operands, .. } => operands.iter().all(Self::has_only_points),
            Self::Blend { operands } => operands.iter().all(Self::has_only_points),
            Self::Single { .. } | Self::Fractal { .. } | Self::Warp { .. } => !self.has_rows(),
            Self::Swirl { .. } | Self::Gullies { .. } | Self::Damped { .. } => false,
            Self::Dunes { .. } | Self::Constant(_) => true,
        }
    }

    /// Whether a grid of this is evaluated row by row, so that each begins with a block of its own.
    pub fn has_rows(&self) -> bool {
        match self {
            Self::Single { leaf, .. } | Self::Fractal { leaf, .. } => leaf.is_aligned(),
            Self::Swirl { .. } | Self::Gullies { .. } | Self::Damped { .. } => true,
            Self::Constant(_)
            | Self::Dunes { .. }
            | Self::Transform { .. }
            | Self::Warp { .. }
            | Self::Map { .. }
            | Self::Pair { .. }
            | Self::Blend { .. } => false,
        }
    }

    /// The value at one position.
    pub fn at<const D: usize, R: Field<D>>(&self, place: &R::Place, footprint: f64, set: DetectedIsa) -> R {
        match self {
            Self::Constant(value) => R::constant(*value),
            Self::Single { leaf, mean } => fractal::<D, R>(leaf, Fbm, *mean, place, footprint, set),
            Self::Fractal { leaf, recipe, mean } => {
                with_recipe!(*recipe, recipe => fractal::<D, R>(leaf, recipe, *mean, place, footprint, set))
            }
            Self::Damped { leaf, damped: recipe } => damped::<D, R>(leaf, recipe, place, footprint),
            Self::Dunes { dunes, .. } => {
                // Wind blows along the plane.
                if D != 2 {
                    return R::constant(0.0);
                }
                let at = R::at(place);
                let at = [at[0], at[D - 1]];
                if R::SLOPES {
                    let Jet { value, gradient } = dunes.at::<Jet<2>>(at, footprint);
                    R::lift(jet(value, gradient), 1.0, place)
                } else {
                    R::constant(dunes.at::<f32>(at, footprint))
                }
            }
            Self::Gullies { source, gullies, .. } => {
                let [land, smooth] = &**source;
                let land = land.at::<D, R>(place, footprint, set);
                if D != 2 {
                    return land;
                }
                let at = R::at(place);
                let at = [at[0], at[D - 1]];
                let carved = if R::SLOPES {
                    gullies.at::<Jet<2>>(at, shape_at(smooth, gullies, at, footprint, set), footprint)
                } else {
                    Jet::constant(gullies.at::<f32>(at, shape_at(smooth, gullies, at, footprint, set), footprint))
                };
                land + R::lift(jet(carved.value, carved.gradient), 1.0, place)
            }
            Self::Transform { source, transform, .. } => {
                let (matrix, offset) = transform.over::<D>();
                source.at::<D, R>(&R::moved(place, &matrix, &offset), transform.footprint(footprint), set)
            }
            Self::Warp { source, by, amount, .. } => {
                let by = std::array::from_fn(|axis| by[warp_axis(D, axis)].at::<D, R>(place, footprint, set) * *amount);
                source.at::<D, R>(&R::displaced(place, by), footprint, set)
            }
            Self::Swirl { source, by, angle, .. } => {
                let angle = by.at::<D, R>(place, footprint, set) * *angle;
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

/// The index of the warping noise that moves an axis. They are in the order x, z, y, so that the ground plane
/// of a 3D warp is not a special case.
pub(crate) fn warp_axis(dimensions: usize, axis: usize) -> usize {
    match (dimensions, axis) {
        (3, 1) => 2,
        (3, 2) => 1,
        _ => axis,
    }
}
