//! Memory for objects on the GPU: a fixed number of pages per kind, each for one block of objects.

mod layer;
mod record;

#[cfg(test)]
pub use layer::CLIFF;
pub use layer::{Layer, Page, Reach, pages_in_reach};
pub use record::{KindHeader, NO_SLOT, PageRecord};
