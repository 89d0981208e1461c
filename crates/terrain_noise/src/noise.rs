//! The tree: a noise is one value, written by hand, by an editor or in a file.

mod choices;
mod combiners;
mod domain;
mod erosion;
mod maps;
mod node;
mod operand;
mod sources;
mod validate;

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
pub use combiners::*;
pub use domain::*;
pub use erosion::*;
pub use maps::*;
pub(crate) use node::{Fields, Rules, node, setter};
pub use node::{NodeGroup, NodeKind};
pub use operand::Operand;
use serde::{Deserialize, Serialize};
pub use sources::*;
pub use validate::{MAX_DEPTH, MAX_NODES, MAX_OCTAVES};

use crate::params::{ParamInfo, ParamMut};

/// Declares the enum over all nodes, and what is the same for each of them.
macro_rules! tree {
    ($( $variant:ident, )*) => {
        /// A noise: a tree of nodes that gives a value at every position.
        ///
        /// Build it with [`perlin`](crate::perlin) and its sisters and the methods of
        /// [`Compose`](crate::Compose), or read it from a file; then [`build`](Self::build) it.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
        #[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, PartialEq, Default, Serialize, Deserialize))]
        #[serde(deny_unknown_fields)]
        pub enum Noise {
            $(
                #[doc = concat!("See [the node](struct@", stringify!($variant), ").")]
                $variant($variant),
            )*
        }
        impl Noise {
            /// All kinds of nodes, for an editor: name, group, help, and how to make a new one.
            #[must_use]
            pub const fn kinds() -> &'static [NodeKind] {
                const { &[$( $variant::KIND, )*] }
            }
            /// The kind of the node at the root.
            #[must_use]
            pub const fn kind(&self) -> &'static NodeKind {
                match self { $( Self::$variant(_) => const { &$variant::KIND }, )* }
            }
            pub(crate) fn node(&self) -> &dyn Rules {
                match self { $( Self::$variant(node) => node, )* }
            }
            fn node_mut(&mut self) -> &mut dyn Rules {
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
        }
        $( impl From<$variant> for Noise {
            fn from(node: $variant) -> Self {
                Self::$variant(node)
            }
        } )*
    };
}

tree! {
    Constant,
    Single,
    Fractal,
    Damped,
    Dunes,
    Gullies,
    Transform,
    Warp,
    Swirl,
    FixedSeed,
    Affine,
    Range,
    Clamp,
    Abs,
    Bias,
    Gain,
    Power,
    Terrace,
    Curve,
    Shore,
    Add,
    Mul,
    Min,
    Max,
    SmoothMin,
    SmoothMax,
    Strata,
    AddAbove,
    Blend,
}

impl From<f64> for Noise {
    fn from(value: f64) -> Self {
        Self::Constant(Constant { value })
    }
}

impl From<Operand> for Noise {
    fn from(operand: Operand) -> Self {
        operand.into_noise()
    }
}

impl Default for Noise {
    fn default() -> Self {
        Self::Fractal(Fractal::default())
    }
}

impl Noise {
    /// The name of the node at the root, as in a file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kind().name
    }

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
