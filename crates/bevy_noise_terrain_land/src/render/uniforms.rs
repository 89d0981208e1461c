//! The uniforms of a terrain. `bindings.wesl` declares the same layout.

use bevy::math::{Affine3A, DVec3};
use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use super::canopy_uniforms::CanopyUniforms;
use super::ground_uniforms::GroundUniforms;
use crate::terrain::TerrainOrigin;
use crate::uniforms::MorphUniforms;

/// The head of the buffer; the records of all slots follow it.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct TerrainUniforms {
    /// Terrain-local to world.
    pub world_from_terrain: [[f32; 4]; 4],
    /// World to terrain-local.
    pub terrain_from_world: [[f32; 4]; 4],
    /// Terrain-local to the world position in the previous frame, for motion vectors.
    pub previous_world_from_terrain: [[f32; 4]; 4],
    /// Viewers and ranges.
    pub morph: MorphUniforms,
    /// The ground's layers.
    pub ground: GroundUniforms,
    /// Woods from afar.
    pub canopy: CanopyUniforms,
}

/// Where a terrain lies in a frame: the transform of its entity, and its origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    pub transform: Affine3A,
    pub origin: TerrainOrigin,
}

impl Placement {
    /// Transforms positions relative to the origin `now` to world positions of this placement.
    fn world_from_terrain(&self, now: &TerrainOrigin) -> Mat4 {
        let shift = DVec3::new(now.x - self.origin.x, 0.0, now.z - self.origin.z);
        Mat4::from(self.transform) * Mat4::from_translation(shift.as_vec3())
    }
}

impl TerrainUniforms {
    /// `now` and `before` are the placements in this frame and the previous one.
    pub(crate) fn new(
        now: &Placement,
        before: &Placement,
        morph: MorphUniforms,
        ground: GroundUniforms,
        canopy: CanopyUniforms,
    ) -> Self {
        Self {
            world_from_terrain: Mat4::from(now.transform).to_cols_array_2d(),
            terrain_from_world: Mat4::from(now.transform.inverse()).to_cols_array_2d(),
            previous_world_from_terrain: before.world_from_terrain(&now.origin).to_cols_array_2d(),
            morph,
            ground,
            canopy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<TerrainUniforms>() % 16, 0);
        assert_eq!(std::mem::offset_of!(TerrainUniforms, morph), 192);
        assert_eq!(std::mem::offset_of!(TerrainUniforms, ground) % 16, 0);
        assert_eq!(std::mem::offset_of!(TerrainUniforms, canopy) % 16, 0);
    }

    #[test]
    fn positions_do_not_move_when_the_origin_does() {
        let transform = Affine3A::from_rotation_y(0.5) * Affine3A::from_translation(Vec3::new(3.0, 4.0, 5.0));
        let before = Placement { transform, origin: TerrainOrigin { x: 1e9, z: -1e9 } };
        let now = TerrainOrigin { x: 1e9 - 8_192.0, z: -1e9 + 64.0 };
        // Ten metres from the old origin.
        let local = Vec3::new(8_192.0 + 10.0, 20.0, -64.0);
        let previous = before.world_from_terrain(&now).transform_point3(local);
        let wanted = transform.transform_point3(Vec3::new(10.0, 20.0, 0.0));
        assert!(previous.distance(wanted) < 0.01, "{previous} is not {wanted}");
    }
}
