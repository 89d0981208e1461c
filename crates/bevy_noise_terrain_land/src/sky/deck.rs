//! The clouds that may be nearer than the land.

use bevy::prelude::*;

use super::material::SkyLayer;

/// The clouds below an eye, and all of them around one among them. The land hides those behind it.
#[derive(TypePath, Clone, Debug)]
pub struct CloudDeck;

impl SkyLayer for CloudDeck {
    const SHADER: &'static str = "sky/deck.wesl";
    // Drawn after the water, which lies below.
    const NAME: &str = "clouds";
    const DEPTH_BIAS: f32 = 1e6;
}
