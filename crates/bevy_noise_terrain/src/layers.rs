//! Where the layers of the ground lie: the rules of `render/ground/layers.wgsl`, which declares the same records.
//!
//! Shared by the shader's uniforms and by questions that need no picture.

mod noises;
mod record;

#[cfg(feature = "render")]
pub use noises::PATCHES;
pub use noises::PatchesRecord;
pub use record::{ENDLESS, LayerRecord, MAX_LAYERS, Place};
