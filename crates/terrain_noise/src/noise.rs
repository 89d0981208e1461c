//! The tree: a noise is one value, written by hand, by an editor or in a file.

mod choices;
mod combiners;
mod domain;
mod erosion;
mod maps;
mod operand;
mod sources;
mod validate;

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
pub use combiners::{Add, Blend, Max, Min, Mul, SmoothMax, SmoothMin};
pub use domain::{Swirl, Transform, Warp};
pub use erosion::{AddAbove, Gullies, Strata};
pub use maps::{Abs, Affine, Bias, Clamp, Curve, Gain, Power, Range, Shore, Terrace};
pub use operand::Operand;
use serde::{Deserialize, Serialize};
pub use sources::{Constant, Damped, Dunes, Fractal, Single};
pub use validate::{MAX_DEPTH, MAX_NODES, MAX_OCTAVES};

use crate::params::{ParamInfo, ParamMut, Parameters};

/// Declares the enum over all nodes, and what is the same for each of them.
macro_rules! tree {
    ($( #[doc = $help:literal] $variant:ident, )*) => {
        /// A noise: a tree of nodes that gives a value at every position.
        ///
        /// Build it with [`perlin`](crate::perlin) and its sisters and the methods of
        /// [`Compose`](crate::Compose), or read it from a file; then [`build`](Self::build) it.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
        #[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, PartialEq, Default, Serialize, Deserialize))]
        #[serde(deny_unknown_fields)]
        pub enum Noise {
            $( #[doc = $help] $variant($variant), )*
        }
        impl Noise {
            pub(crate) fn node(&self) -> &dyn Parameters {
                match self { $( Self::$variant(node) => node, )* }
            }
            fn node_mut(&mut self) -> &mut dyn Parameters {
                match self { $( Self::$variant(node) => node, )* }
            }
            /// What is known of a parameter of a node, by their names in a file, and whether it is a whole number.
            #[cfg(feature = "file")]
            pub(crate) fn param(node: &str, name: &str) -> Option<&'static (ParamInfo, bool)> {
                let params = match node {
                    $( stringify!($variant) => $variant::PARAMS, )*
                    "Cellular" => choices::CELLULAR,
                    _ => return None,
                };
                params.iter().find(|(info, _)| info.name == name)
            }
            /// The name of the node at the root, as in a file.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self { $( Self::$variant(_) => stringify!($variant), )* }
            }
        }
        $( impl From<$variant> for Noise {
            fn from(node: $variant) -> Self {
                Self::$variant(node)
            }
        } )*
    };
}

tree! {
    /// The same value everywhere.
    Constant,
    /// One octave of a basis.
    Single,
    /// Octaves of a basis, combined.
    Fractal,
    /// Octaves that fade where the sum so far is steep.
    Damped,
    /// Ridges across the wind.
    Dunes,
    /// What running water leaves on a land.
    Gullies,
    /// Turns, moves and stretches the ground under a noise.
    Transform,
    /// Looks a noise up at a place displaced by another.
    Warp,
    /// Turns the place by an angle that follows another noise.
    Swirl,
    /// `factor · source + offset`.
    Affine,
    /// Maps the bounds of the source to a range.
    Range,
    /// Cuts off what leaves a range.
    Clamp,
    /// The absolute value.
    Abs,
    /// Moves the middle of the range.
    Bias,
    /// Steepens or flattens the middle of the range.
    Gain,
    /// A power of the fraction of the range.
    Power,
    /// Steps of equal height.
    Terrace,
    /// A curve through points.
    Curve,
    /// Different scales above and below a level.
    Shore,
    /// The sum of two noises.
    Add,
    /// The product of two noises.
    Mul,
    /// The lower of two noises.
    Min,
    /// The higher of two noises.
    Max,
    /// The lower of two noises, rounded off.
    SmoothMin,
    /// The higher of two noises, rounded off.
    SmoothMax,
    /// Steps in layers of rock.
    Strata,
    /// One noise on top of another where that is high.
    AddAbove,
    /// One noise or another, by a mask.
    Blend,
}

impl From<f64> for Noise {
    fn from(value: f64) -> Self {
        Self::Constant(Constant { value })
    }
}

impl Default for Noise {
    fn default() -> Self {
        Self::Fractal(Fractal::default())
    }
}

impl Noise {
    /// Visits the parameters of the root node, for an editor. What it writes is checked by
    /// [`validate`](Self::validate), not here.
    pub fn edit_params(&mut self, mut visit: impl FnMut(&ParamInfo, ParamMut<'_>)) {
        self.node_mut().edit(&mut visit);
    }

    /// The nodes directly below this one, by field name.
    #[must_use]
    pub fn operands(&self) -> Vec<(&'static str, &Noise)> {
        self.node().operands()
    }

    /// The nodes directly below this one, by field name, to be changed.
    pub fn operands_mut(&mut self) -> Vec<(&'static str, &mut Noise)> {
        self.node_mut().operands_mut()
    }
}
