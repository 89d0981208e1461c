//! A sea (feature `render`): [`Sea`] on a terrain floods it up to a level, to the horizon.
//!
//! # How it works
//!
//! Every chunk that reaches below the level gets a child with the same grid mesh and the same slot. Its vertex
//! shader lays the grid at the level and keeps what [morphing](crate::lod) makes of the land beneath: the depth
//! of the water is known everywhere, and the water ends exactly where the land as it is drawn rises out of it, at
//! every level of detail. Where there is no depth nothing is drawn, so nothing fights for a pixel. Beyond the last
//! chunks one more mesh goes on to the horizon.
//!
//! The waves are a sum of sines, known at every place without a texture: near viewers the long ones move the
//! vertices; every pixel gets the slopes of those that it can show, and the others make it rougher. The water is Bevy's
//! standard material otherwise: lights, shadows and fog fall on it as on everything.

mod frame;
mod material;
mod motion;
mod patches;
mod ring;
mod settings;
mod surface;
mod waves;

pub use material::{WaterExtension, WaterMaterial};
pub(crate) use surface::Water;

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
        (surface::fill, surface::flood, ring::encircle, surface::flow)
            .chain()
            .after(TerrainSystems::Show)
            .before(TerrainSystems::Report),
    );
}
