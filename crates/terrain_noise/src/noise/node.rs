//! The declaration of a node: everything that is known of it, said once.
//!
//! [`node!`] makes the struct with its documentation, defaults, setters and reflection, what
//! validation and files need to know of its parameters, and its [`NodeKind`] for editors.

use crate::error::{NoiseError, join};
use crate::noise::{Noise, Operand};
use crate::params::{ParamInfo, ParamMut};

/// What a kind of node is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeGroup {
    /// A noise of its own, without operands.
    Source,
    /// Samples its first operand somewhere else.
    Domain,
    /// Changes the values of its first operand.
    Map,
    /// Makes one noise of several.
    Combiner,
}

impl NodeGroup {
    /// All groups, in the order in which an editor lists them.
    pub const ALL: [Self; 4] = [Self::Source, Self::Domain, Self::Map, Self::Combiner];

    /// The name that an editor shows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "Source",
            Self::Domain => "Domain",
            Self::Map => "Map",
            Self::Combiner => "Combiner",
        }
    }
}

/// A kind of node, as an editor lists it. See [`Noise::kinds`].
///
/// Two kinds are equal if they have the same name.
#[derive(Clone, Copy)]
pub struct NodeKind {
    /// The name, as in files and in [`Noise::name`].
    pub name: &'static str,
    /// What it is for.
    pub group: NodeGroup,
    /// One line of help.
    pub help: &'static str,
    pub(crate) over: fn(Operand) -> Noise,
}

impl NodeKind {
    /// A new node of this kind with `source` as its first operand. It changes the source as little as it
    /// can: sums add 0, products multiply by 1. Sources have no operand: they drop it.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let add = Noise::kinds().iter().find(|kind| kind.name == "Add").unwrap();
    /// assert_eq!(add.over(perlin()), perlin().add(0.0));
    /// ```
    #[must_use]
    pub fn over(&self, source: impl Into<Noise>) -> Noise {
        (self.over)(Operand::new(source))
    }
}

impl PartialEq for NodeKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for NodeKind {}

impl std::fmt::Debug for NodeKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("NodeKind").field("name", &self.name).field("group", &self.group).finish()
    }
}

/// A node's fields, as validation and editors go through them. Made by [`node!`].
pub(crate) trait Fields {
    /// Checks every parameter against its range.
    fn check_ranges(&self, path: &str) -> Result<(), NoiseError>;
    fn edit(&mut self, visit: &mut dyn FnMut(&ParamInfo, ParamMut<'_>));
    /// A copy of the node with placeholders for its operands.
    fn without_operands(&self) -> Noise;
    fn operands(&self) -> Vec<(&'static str, &Noise)>;
    fn operands_mut(&mut self) -> Vec<(&'static str, &mut Noise)>;
}

/// What validation asks of a node beyond the ranges of its parameters: the clause `rules` of [`node!`].
pub(crate) trait Rules: Fields {
    /// Checks parameters against one another. Each is known to be in its own range.
    fn check_combination(&self, _path: &str) -> Result<(), NoiseError> {
        Ok(())
    }
    /// The octaves that the node itself evaluates for one point. Any source counts as one at least.
    fn octaves(&self) -> usize {
        usize::from(self.operands().is_empty())
    }
    /// How often the node evaluates an operand for one point.
    fn evaluations(&self, _operand: &str) -> usize {
        1
    }
}

/// Refuses the end of a range that is not above its start.
pub(super) fn check_above(
    path: &str,
    is_above: bool,
    (name, value): (&str, f64),
    (other, limit): (&str, f64),
) -> Result<(), NoiseError> {
    if is_above {
        return Ok(());
    }
    Err(NoiseError::new(&join(path, name), value, format!("more than {other}, {limit}")))
}

/// Declares a node of the tree.
///
/// ```text
/// node! {
///     /// One line of help for editors: the first line of the documentation.
///     ///
///     /// Further documentation.
///     Name: Group {
///         /// One line of help.
///         field: type = default, [lowest..=highest, "unit"];
///     }
///     operands {
///         /// What the node works on.
///         source,
///         /// Another noise. An editor that puts a new node over `source` takes 0 for it.
///         other = 0.0,
///     }
///     fresh { field: value, }
///     rules { fn octaves(&self) -> usize { 3 } }
/// }
/// ```
///
/// - Every field gets a setter of its name; of another name with `=> name` behind the range, where its own
///   would hide a method of [`Compose`](crate::Compose).
/// - A source, which has no `operands`, implements `Default`; any other node has `Name::new(operands…)`.
/// - `fresh` (optional) says what a new node in an editor has instead of its defaults.
/// - `rules` (optional) overrides methods of [`Rules`].
/// - A source may leave any field out in a file. Of other nodes, only fields marked `#[serde(default)]`
///   may be left out: those that are younger than files that should still be read.
/// - Whole numbers are marked `#[serde(deserialize_with = "whole")]`, for errors that say what is allowed: other
///   parameters do without, as every mark is a type of its own, with code of its own.
macro_rules! node {
    (
        #[doc = $help:literal] $(#[doc = $more:literal])*
        $name:ident: $group:ident {
            $( #[doc = $field_help:literal] $(#[$serde_field:meta])* $field:ident: $type:ty = $default:expr, [$($range:tt)*] $(=> $setter:ident)?; )*
        }
        $(rules { $($rules:tt)* })?
    ) => {
        $crate::noise::node!(@type #[serde(default, deny_unknown_fields)]
            $(#[doc = $more])* $help, $name, $group
            { $( $field_help, [$(#[$serde_field])*], $field, $type, $default, [$($range)*], [$field $($setter)?]; )* }
            {}
            [|_| Self::default().into()]
            { $($($rules)*)? }
        );
        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }
    };
    (
        #[doc = $help:literal] $(#[doc = $more:literal])*
        $name:ident: $group:ident {
            $( #[doc = $field_help:literal] $(#[$serde_field:meta])* $field:ident: $type:ty = $default:expr, [$($range:tt)*] $(=> $setter:ident)?; )*
        }
        operands {
            #[doc = $first_help:literal] $first:ident,
            $( #[doc = $other_help:literal] $other:ident = $neutral:expr, )*
        }
        $(fresh { $( $fresh:ident: $fresh_value:expr, )* })?
        $(rules { $($rules:tt)* })?
    ) => {
        $crate::noise::node!(@type #[serde(deny_unknown_fields)]
            $(#[doc = $more])* $help, $name, $group
            { $( $field_help, [$(#[$serde_field])*], $field, $type, $default, [$($range)*], [$field $($setter)?]; )* }
            { $first_help, $first; $( $other_help, $other; )* }
            [|$first| {
                $( let $other = $crate::Operand::new($neutral); )*
                Self { $($( $fresh: $fresh_value, )*)? ..Self::new($first, $( $other, )*) }.into()
            }]
            { $($($rules)*)? }
        );
        impl $name {
            /// The node over its operands, with every parameter at its default.
            #[must_use]
            pub fn new($first: impl Into<$crate::Noise>, $( $other: impl Into<$crate::Noise>, )*) -> Self {
                Self {
                    $( $field: $default, )*
                    $first: $crate::Operand::new($first),
                    $( $other: $crate::Operand::new($other), )*
                }
            }
        }
    };
    (
        @type #[$serde:meta] $(#[doc = $more:literal])* $help:literal, $name:ident, $group:ident
        { $( $field_help:literal, [$($serde_field:tt)*], $field:ident, $type:ty, $default:expr, [$($range:tt)*], [$($setter:ident)+]; )* }
        { $( $operand_help:literal, $operand:ident; )* }
        [$over:expr]
        { $($rules:tt)* }
    ) => {
        #[doc = $help] $(#[doc = $more])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
        #[$serde]
        pub struct $name {
            $(
                #[doc = $field_help]
                #[doc = $crate::params::range_text!($($range)*)]
                #[doc = concat!(" Default: `", stringify!($default), "`.")]
                #[cfg_attr(
                    feature = "bevy_reflect",
                    reflect(@$crate::params::info!($field, $field_help, $($range)*))
                )]
                $($serde_field)*
                pub $field: $type,
            )*
            $( #[doc = $operand_help] pub $operand: $crate::Operand, )*
        }
        #[allow(clippy::needless_update, reason = "a node may have no parameters")]
        impl $name {
            pub(crate) const KIND: $crate::noise::NodeKind = $crate::noise::NodeKind {
                name: stringify!($name),
                group: $crate::noise::NodeGroup::$group,
                help: $crate::params::trimmed($help),
                over: $over,
            };
            $( $crate::noise::setter!([$field_help, $($range)*], $field: $type = $default, $($setter)+); )*
        }
        #[cfg(feature = "file")]
        impl $name {
            /// The parameters, and whether they are whole numbers.
            pub(crate) const PARAMS: &'static [($crate::params::ParamInfo, bool)] = &[$(
                ($crate::params::info!($field, $field_help, $($range)*), <$type as $crate::params::Param>::WHOLE),
            )*];
        }
        #[allow(unused_variables, reason = "a node may have no parameters")]
        impl $crate::noise::Fields for $name {
            fn check_ranges(&self, path: &str) -> Result<(), $crate::NoiseError> {
                $(
                    let info = $crate::params::info!($field, $field_help, $($range)*);
                    $crate::params::Param::check(&self.$field, &info, path)?;
                )*
                Ok(())
            }
            fn edit(&mut self, visit: &mut dyn FnMut(&$crate::params::ParamInfo, $crate::params::ParamMut<'_>)) {
                $(
                    let default: $type = $default;
                    let info = $crate::params::ParamInfo {
                        default: $crate::params::Param::number(&default),
                        ..$crate::params::info!($field, $field_help, $($range)*)
                    };
                    $crate::params::Param::edit(&mut self.$field, &info, visit);
                )*
            }
            fn without_operands(&self) -> $crate::Noise {
                Self {
                    $( $field: self.$field.clone(), )*
                    $( $operand: $crate::Operand::placeholder(), )*
                }
                .into()
            }
            fn operands(&self) -> Vec<(&'static str, &$crate::Noise)> {
                vec![$( (stringify!($operand), &*self.$operand), )*]
            }
            fn operands_mut(&mut self) -> Vec<(&'static str, &mut $crate::Noise)> {
                vec![$( (stringify!($operand), &mut *self.$operand), )*]
            }
        }
        impl $crate::noise::Rules for $name {
            $($rules)*
        }
    };
}
pub(crate) use node;

/// The setter of a parameter: named as the field, or otherwise where a second name is given.
macro_rules! setter {
    ([$help:literal, $($range:tt)*], $field:ident: $type:ty = $default:expr, $name:ident) => {
        #[doc = concat!("Sets `", stringify!($field), "`.", $help)]
        #[doc = $crate::params::range_text!($($range)*)]
        #[doc = concat!(" Default: `", stringify!($default), "`.")]
        #[must_use]
        pub fn $name(mut self, $field: $type) -> Self {
            self.$field = $field;
            self
        }
    };
    ($docs:tt, $field:ident: $type:ty = $default:expr, $own:ident $name:ident) => {
        $crate::noise::setter!($docs, $field: $type = $default, $name);
    };
}
pub(crate) use setter;
