//! Woods too far away for single trees. `bindings.wgsl` declares the same layout.

use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use crate::patches::PatchesRecord;

/// Maximum number of kinds of trees; of more, the first ones are seen from afar.
pub const MAX_CANOPIES: usize = 4;

/// One kind of tree: where it grows, and what of it is seen from afar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct CanopyRecord {
    /// Mean linear colour of a crown.
    pub color: [f32; 3],
    /// Area of the crowns seen from above, per area of the land in the best conditions.
    pub top: f32,
    /// The same seen from the side.
    pub side: f32,
    /// Distance in metres at which the last trees disappear.
    pub reach: f32,
    /// Fraction of that over which they become rarer.
    pub spread: f32,
    /// Pads the size to a multiple of 16 bytes.
    pub padding: f32,
    /// Least and greatest height in metres, reciprocal of the width over which trees become rarer towards them, unused.
    pub height: [f32; 4],
    /// Squared tangents of the least and the greatest slope, unused.
    pub slope: [f32; 4],
    /// Spans as those of [`LayerRecord`](crate::layers::LayerRecord).
    pub moisture: [f32; 4],
    pub temperature: [f32; 4],
    /// Groups of trees.
    pub patches: PatchesRecord,
}

/// What of a terrain's trees is seen beyond the last drawn tree.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct CanopyUniforms {
    pub canopies: [CanopyRecord; MAX_CANOPIES],
    /// Canopies in use.
    pub count: u32,
    /// Pads the size to a multiple of 16 bytes.
    pub padding: [u32; 3],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<CanopyRecord>(), 368);
        assert_eq!(size_of::<CanopyUniforms>(), MAX_CANOPIES * 368 + 16);
        let declared = format!("canopies: array<Canopy, {MAX_CANOPIES}>");
        assert!(include_str!("bindings.wgsl").contains(&declared));
    }
}
