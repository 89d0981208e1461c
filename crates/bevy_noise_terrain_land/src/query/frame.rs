//! Between the scene and a terrain's own frame.

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::shape::Ray3d;

use crate::terrain::TerrainOrigin;

/// Where a terrain is in the scene: its transform, and what its local origin is in absolute metres.
pub struct LandFrame {
    transform: GlobalTransform,
    to_land: bevy::math::Affine3A,
    shift: DVec3,
}

impl LandFrame {
    /// From the transform of a terrain's entity and its origin.
    pub fn new(transform: &GlobalTransform, origin: TerrainOrigin) -> Self {
        let shift = DVec3::new(origin.x, 0.0, origin.z);
        Self { transform: *transform, to_land: transform.affine().inverse(), shift }
    }

    /// A ray of the scene, on the land: its absolute origin, and its direction.
    pub fn ray(&self, ray: Ray3d) -> (DVec3, DVec3) {
        let from = self.to_land.transform_point3(ray.origin).as_dvec3() + self.shift;
        (from, self.to_land.transform_vector3(*ray.direction).as_dvec3())
    }

    /// An absolute position, in the scene.
    pub fn point(&self, position: DVec3) -> Vec3 {
        self.transform.transform_point((position - self.shift).as_vec3())
    }

    /// A normal of the land, in the scene.
    #[cfg(feature = "picking")]
    pub fn normal(&self, normal: DVec3) -> Vec3 {
        (self.to_land.matrix3.transpose() * normal.as_vec3()).normalize_or(Vec3::Y)
    }
}
