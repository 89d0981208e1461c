//! What scattered objects look like.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The shape of a kind's objects. It does not matter to where they stand.
#[derive(Clone, Debug, Default, PartialEq, Reflect, Serialize, Deserialize)]
#[serde(from = "StoredShape", into = "StoredShape")]
pub enum ScatterShape {
    /// A tuft of bent blades, lit like the ground.
    #[default]
    Grass,
    /// A weathered boulder.
    Rock,
    /// A spruce.
    Conifer,
    /// A round-crowned tree.
    Broadleaf,
    /// A leafy bush, wider than it is high. One can walk through it.
    Bush,
    /// (Feature `scatter`.) Any triangle list that is kept in main memory, with its base at y = 0. Positions are multiplied by the object's
    /// size; there is one level of detail.
    ///
    /// A file tells that there is such a mesh, not which. One that is applied to a terrain takes the mesh of the kind in the same
    /// place of its [`TerrainScatter`](super::TerrainScatter); where that has none, nothing is drawn.
    #[cfg(feature = "scatter")]
    Custom(Handle<Mesh>),
}

/// A shape as files have it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename = "ScatterShape")]
enum StoredShape {
    Grass,
    Rock,
    Conifer,
    Broadleaf,
    Bush,
    Custom,
}

impl From<ScatterShape> for StoredShape {
    fn from(shape: ScatterShape) -> Self {
        match shape {
            ScatterShape::Grass => Self::Grass,
            ScatterShape::Rock => Self::Rock,
            ScatterShape::Conifer => Self::Conifer,
            ScatterShape::Broadleaf => Self::Broadleaf,
            ScatterShape::Bush => Self::Bush,
            #[cfg(feature = "scatter")]
            ScatterShape::Custom(_) => Self::Custom,
        }
    }
}

impl From<StoredShape> for ScatterShape {
    fn from(stored: StoredShape) -> Self {
        match stored {
            StoredShape::Grass => Self::Grass,
            StoredShape::Rock => Self::Rock,
            StoredShape::Conifer => Self::Conifer,
            StoredShape::Broadleaf => Self::Broadleaf,
            StoredShape::Bush => Self::Bush,
            #[cfg(feature = "scatter")]
            StoredShape::Custom => Self::Custom(Handle::default()),
            // Nothing is drawn, and like grass it is nothing that one could bump into.
            #[cfg(not(feature = "scatter"))]
            StoredShape::Custom => Self::Grass,
        }
    }
}

#[cfg(all(feature = "presets", feature = "scatter"))]
impl super::TerrainScatter {
    /// Gives kinds whose mesh a file could not hold the mesh of the kind in the same place of `present`.
    pub(crate) fn take_meshes(&mut self, present: &Self) {
        for (kind, present) in self.kinds.iter_mut().zip(&present.kinds) {
            if let (ScatterShape::Custom(mesh), ScatterShape::Custom(present)) = (&mut kind.shape, &present.shape)
                && *mesh == Handle::default()
            {
                *mesh = present.clone();
            }
        }
    }
}
