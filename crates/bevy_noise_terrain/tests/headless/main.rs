//! How terrains behave in apps without a renderer. One program, as each links the whole of Bevy.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

mod edits;
mod embedding;
mod events;
mod holes;
mod objects;
mod presets;
mod ready;
mod seamless;
mod settings;
mod sky;
mod tiles;
#[cfg(feature = "validation")]
mod world;
