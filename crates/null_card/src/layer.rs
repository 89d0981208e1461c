//! - [`interface`]: how the loader of Vulkan calls a layer, and which functions it gets from this one.
//! - [`next`]: instances and devices, and the driver's functions behind the layer.
//! - [`stand_ins`]: the functions in the place of the driver's, and those that do nothing.
//! - [`memory`] and [`semaphores`]: what has to remember something.
//! - [`pipelines`] and [`report`]: the statistics.
#![expect(unsafe_code, reason = "a layer takes and gives the raw pointers of Vulkan")]

mod chain;
mod interface;
mod memory;
mod next;
mod pipelines;
mod report;
mod semaphores;
mod stand_ins;
