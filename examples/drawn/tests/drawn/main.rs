//! How terrains look, by pictures that are drawn off-screen. One program, as each links the whole of Bevy.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

mod clouds;
mod gpu_noise;
mod guide_shaders;
mod hands;
mod holes;
mod layers;
mod origin;
mod picture;
mod portable;
mod quality;
mod scatter;
mod scene_pictures;
mod shadow_casters;
mod shimmer;
mod sky_light;
mod tools;
mod views;
mod volumes;
mod water;
mod wind;
mod wood_light;

#[path = "../../../scenes/views/places.rs"]
mod places;
#[path = "../../../scenes/scenes.rs"]
mod scenes;
#[path = "../../../scenes/views/sight.rs"]
mod sight;
#[path = "../../../scenes/stage.rs"]
mod stage;
