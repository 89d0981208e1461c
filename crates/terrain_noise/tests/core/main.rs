//! What the core promises, seen from outside: one program, as each takes seconds to link. What counts
//! allocations has an allocator of its own, and so a program of its own (`allocation.rs`).
//!
//! Whatever samples a noise is tested here and not below the code it tests: a unit test that did would compile every
//! kernel again, which takes as long as the library.

#[path = "../common/mod.rs"]
mod common;

mod blocks;
mod carving;
mod crests;
mod damped;
mod drift;
mod extremes;
mod few_cells;
mod file;
mod golden;
mod grid;
mod gullies;
mod instructions;
mod kinds;
mod lists;
mod params;
mod presets;
mod promises;
mod reflect;
mod robust;
mod seeds;
mod shader;
mod space;
mod trees;
