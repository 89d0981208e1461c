//! A sea (feature `render`): [`Sea`] on a terrain floods it up to a level, to the horizon.
//!
//! # How it works
//!
//! Every chunk that reaches below the level gets a child with the same grid mesh and the same slot. Its vertex
//! shader lies the grid flat at the level and keeps what [morphing](crate::lod) makes of the land beneath: the depth
//! of the water is known everywhere, and the water ends exactly where the land as it is drawn rises out of it, at
//! every level of detail. Where there is no depth nothing is drawn, so nothing fights for a pixel. The water is Bevy's
//! standard material otherwise: lights, shadows and fog fall on it as on everything.

mod frame;
mod material;
mod settings;
mod surface;
mod waves;

pub use material::{WaterExtension, WaterMaterial};
pub use settings::{Sea, SeaError, SeaRejected};

use bevy::asset::embedded_asset;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;

use crate::TerrainSystems;

/// Draws [`Sea`]s. Part of the terrain's own plugin; idle without one.
pub(crate) fn add(app: &mut App) {
    embedded_asset!(app, "sea/water.wgsl");
    app.add_plugins(MaterialPlugin::<WaterMaterial>::default()).add_systems(
        PostUpdate,
        (surface::fill, surface::flood, surface::flow)
            .chain()
            .after(TerrainSystems::Show)
            .before(TerrainSystems::Report),
    );
}
