//! How terrains behave in apps without a renderer. One program, as each links the whole of Bevy.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

// As users name it.
extern crate bevy_noise_terrain_land as bevy_noise_terrain;

#[cfg(feature = "validation")]
mod bad_frames;
mod edits;
mod embedding;
mod events;
#[cfg(all(feature = "validation", feature = "presets"))]
mod guest;
#[cfg(feature = "validation")]
mod hands;
mod holes;
mod objects;
#[cfg(feature = "validation")]
mod pool;
mod presets;
#[cfg(feature = "validation")]
mod projections;
mod ready;
mod seamless;
mod settings;
#[cfg(feature = "validation")]
mod several;
mod sky;
mod tiles;
#[cfg(feature = "validation")]
mod world;
