//! Bodies on the land, with Rapier. One program, as each links Bevy and the engine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

mod app;
mod bodies;

// What both engines must do alike.
#[path = "../../../bevy_noise_terrain_avian/tests/colliders/borders.rs"]
mod borders;
#[path = "../../../bevy_noise_terrain_avian/tests/colliders/holes.rs"]
mod holes;
#[path = "../../../bevy_noise_terrain_avian/tests/colliders/shapes.rs"]
mod shapes;
