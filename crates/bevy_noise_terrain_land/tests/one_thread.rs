//! With a single thread terrain still loads, and no frame waits for all of it.

#![cfg(feature = "validation")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

// As users name it.
extern crate bevy_noise_terrain_land as bevy_noise_terrain;

#[path = "headless/world.rs"]
mod world;

use bevy::tasks::{AsyncComputeTaskPool, ComputeTaskPool, IoTaskPool, TaskPoolBuilder};
use world::{World, settings};

#[test]
fn pools_of_one_thread_stream_a_whole_world() {
    // The pools of a process are created once: this test has its own process.
    let one = || TaskPoolBuilder::new().num_threads(1).build();
    ComputeTaskPool::get_or_init(one);
    AsyncComputeTaskPool::get_or_init(one);
    IoTaskPool::get_or_init(one);
    let mut world = World::new(settings(8_000.0));
    world.settle();
    world.check();
}
