//! The nodes below a node.

use std::ops::{Deref, DerefMut};

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use serde::{Deserialize, Serialize};

use super::{Constant, Noise};

/// A noise below another one: a box that is cloned and dropped without recursion, so that no tree,
/// however deep a program has built it, overflows the stack. (Comparing and writing such a tree, and
/// printing it, does recurse; [`validate`](Noise::validate) first.)
///
/// Reflection sees it as one opaque value, as `bevy_reflect` does not support boxes: downcast to an
/// `Operand` and continue with the [`Noise`] in it.
///
/// ```
/// use terrain_noise::{Abs, Noise, Operand, prelude::*};
/// let mut abs = Abs { source: Operand::new(perlin()) };
/// *abs.source = value().into();
/// assert_eq!(Noise::from(abs), value().abs());
/// ```
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(opaque, Clone, Debug, PartialEq, Serialize, Deserialize))]
pub struct Operand(Box<Noise>);

impl Operand {
    /// Boxes a noise.
    pub fn new(noise: impl Into<Noise>) -> Self {
        Self(Box::new(noise.into()))
    }

    /// Unboxes the noise.
    #[must_use]
    pub fn into_noise(mut self) -> Noise {
        std::mem::replace(&mut *self.0, LEAF)
    }

    /// Takes the place of an operand until it is set.
    pub(crate) fn placeholder() -> Self {
        Self(Box::new(LEAF))
    }
}

/// A node without operands, which is dropped without recursion.
const LEAF: Noise = Noise::Constant(Constant { value: 0.0 });

impl From<Noise> for Operand {
    fn from(noise: Noise) -> Self {
        Self::new(noise)
    }
}

impl Deref for Operand {
    type Target = Noise;
    fn deref(&self) -> &Noise {
        &self.0
    }
}

impl DerefMut for Operand {
    fn deref_mut(&mut self) -> &mut Noise {
        &mut self.0
    }
}

impl Clone for Operand {
    fn clone(&self) -> Self {
        let mut root = Self(Box::new(self.node().without_operands()));
        let mut open: Vec<(&Noise, &mut Noise)> = vec![(self, &mut root)];
        while let Some((from, to)) = open.pop() {
            for ((_, from), (_, to)) in from.operands().into_iter().zip(to.operands_mut()) {
                *to = from.node().without_operands();
                open.push((from, to));
            }
        }
        root
    }
}

impl Drop for Operand {
    fn drop(&mut self) {
        let mut open = Vec::new();
        let take = |noise: &mut Noise, open: &mut Vec<Noise>| {
            for (_, operand) in noise.operands_mut() {
                if !operand.operands().is_empty() {
                    open.push(std::mem::replace(operand, LEAF));
                }
            }
        };
        take(&mut self.0, &mut open);
        while let Some(mut noise) = open.pop() {
            take(&mut noise, &mut open);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn a_tree_of_any_depth_is_cloned_dropped_and_refused() {
        let mut deep = perlin().abs();
        for i in 0..200_000 {
            deep = if i % 2 == 0 { deep.add(constant(f64::from(i))) } else { constant(1.0).warp(deep, 3.0) };
        }
        let copy = deep.clone();
        assert!(copy.validate().is_err_and(|error| error.to_string().contains("nodes deep")));
        assert!(copy.build(1).is_err());
        drop(deep);
        drop(copy);
    }

    #[test]
    fn a_clone_is_the_same_tree() {
        let tree = perlin().fbm().octaves(3).blend(value().abs().scale(3.0), simplex().warp(constant(2.0), 5.0));
        let copy = tree.clone();
        assert_eq!(copy, tree);
        assert_ne!(copy, tree.clone().offset(0.0));
        assert_eq!(crate::Operand::new(tree.clone()).into_noise(), tree);
    }
}
