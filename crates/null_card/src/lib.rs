//! A Vulkan layer with which a program compiles its shaders for a graphics card that is not there, and tells what they cost.
//!
//! Mesa's driver for AMD cards compiles for any of them, also where there is none: with `RADV_FORCE_FAMILY=vangogh` it offers the
//! card of a Steam Deck. What it says of a shader is the same on every machine, so a table can keep it, as one keeps the
//! instructions of code for the processor. But such a card only compiles. It has no memory, does not know how images are laid
//! out, and ends a program that submits work or waits for it.
//!
//! This layer stands between the program and the driver. It lets through what leads to a pipeline, and does the rest itself:
//! memory is the processor's, images are numbers, commands are not recorded, and what is submitted is done at once. So the program
//! runs to its end, draws nothing, and creates the pipelines that it would create on the card. Of each that gets a name the layer
//! writes what the driver says, to the file in the variable `NULL_CARD_REPORT` or else to the standard error.
//!
//! The step `costs` of `cargo xtask check` builds the layer, runs an example on it, and reads the report. It stands in for the
//! functions that wgpu calls, not for all of Vulkan. On systems other than Linux this crate is empty.

#[cfg(target_os = "linux")]
mod layer;
