//! Bodies on the land, with Rapier. One program, as each links Bevy and the engine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

mod bodies;
mod holes;
