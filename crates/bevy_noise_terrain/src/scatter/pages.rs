//! Places for objects on the GPU: per kind a fixed number of pages, one block of objects each.

mod layer;
mod record;

pub use layer::{Layer, Page, Reach, pages_in_reach};
pub use record::{KindHeader, NO_SLOT, PageRecord};
