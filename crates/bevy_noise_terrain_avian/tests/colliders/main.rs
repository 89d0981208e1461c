//! Bodies on the land, with Avian. One program, as each links Bevy and the engine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

mod app;
mod bodies;
mod borders;
mod holes;
mod server;
mod shapes;
mod walk;
