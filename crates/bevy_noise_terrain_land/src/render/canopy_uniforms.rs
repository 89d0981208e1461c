//! Trees, bushes and rocks too far away to be drawn singly. `bindings.wesl` declares the same layout.

use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use crate::patches::PatchesRecord;

/// Maximum number of kinds; of more, those are seen from afar that cover most.
const MAX_CANOPIES: usize = 8;

/// One kind of object: where it stands, and what of it is seen from afar. A crown is all of a bush or a rock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct CanopyRecord {
    /// Mean linear colour of a crown.
    pub color: [f32; 3],
    /// Area of the crowns seen from above, per area of the land in the best conditions.
    pub top: f32,
    /// The same seen from the side.
    pub side: f32,
    /// Distance in metres at which the last objects disappear.
    pub reach: f32,
    /// Fraction of that over which they become rarer.
    pub spread: f32,
    /// How much of the crowns' colour is that of steep ground, from 0 to 1: rocks' is.
    pub ground_color: f32,
    /// Least and greatest height in metres, reciprocal of the width over which objects become rarer towards them, opacity of
    /// the crowns.
    pub height: [f32; 4],
    /// Squared tangents of the least and the greatest slope; the distances in metres from where on their shade sets in and is
    /// complete, as they are no longer in shadow maps.
    pub slope: [f32; 4],
    /// Spans as those of [`LayerRecord`](crate::layers::LayerRecord).
    pub moisture: [f32; 4],
    pub temperature: [f32; 4],
    /// Groups of objects.
    pub patches: PatchesRecord,
}

/// What of a terrain's objects is seen beyond the last one that is drawn.
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
        assert!(include_str!("bindings.wesl").contains(&declared));
    }
}
