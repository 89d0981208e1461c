//! Where the layers of the ground lie: the rules of `render/ground/layers.wesl`, which declares the same records.
//!
//! Shared by the shader's uniforms and by questions that need no picture.

mod record;

pub use record::{LayerRecord, MAX_LAYERS, Place};
