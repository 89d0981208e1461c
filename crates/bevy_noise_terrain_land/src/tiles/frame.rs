//! Between the scene and a terrain's own, absolute coordinates.

use bevy::math::{Affine3A, DVec3};
use bevy::prelude::*;

use crate::terrain::TerrainOrigin;

/// Where a terrain is in the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    world_from_local: Affine3A,
    local_from_world: Affine3A,
    /// The most that a metre of the scene measures along any axis of the terrain.
    longest: f32,
    origin: TerrainOrigin,
}

impl Frame {
    /// Of a terrain with this transform; `None` if it cannot be inverted.
    pub fn new(transform: &GlobalTransform, origin: TerrainOrigin) -> Option<Self> {
        let world_from_local = transform.affine();
        let local_from_world = world_from_local.inverse();
        let is_finite = local_from_world.is_finite() && origin.x.is_finite() && origin.z.is_finite();
        let rows = local_from_world.matrix3.transpose();
        let longest = rows.x_axis.length().max(rows.y_axis.length()).max(rows.z_axis.length());
        is_finite.then_some(Self { world_from_local, local_from_world, longest, origin })
    }

    /// The absolute position of a point of the scene.
    pub fn position(&self, point: Vec3) -> DVec3 {
        let local = self.local_from_world.transform_point3(point).as_dvec3();
        DVec3::new(local.x + self.origin.x, local.y, local.z + self.origin.z)
    }

    /// A motion in the terrain's own axes.
    pub fn motion(&self, motion: Vec3) -> DVec3 {
        self.local_from_world.transform_vector3(motion).as_dvec3()
    }

    /// The most that a length of the scene measures along any axis of the terrain.
    pub fn length(&self, length: f32) -> f64 {
        f64::from(length * self.longest)
    }

    /// The way in the scene along which a point rises by `height` of the terrain's metres.
    pub fn rise(&self, height: f64) -> Vec3 {
        self.world_from_local.transform_vector3(Vec3::Y * height as f32)
    }

    /// How high above a plane of the land, with this normal, the position of a body is that touches it, in the terrain's metres.
    /// `reach` returns how far the body reaches in a direction of the scene.
    pub fn standing(&self, normal: DVec3, reach: impl Fn(Dir3) -> f32) -> f64 {
        let normal = self.local_from_world.matrix3.transpose() * normal.as_vec3();
        let Ok(normal) = Dir3::new(normal) else { return 0.0 };
        let up = self.world_from_local.transform_vector3(Vec3::Y);
        f64::from(reach(-normal) / normal.dot(up))
    }

    /// The transform, below the terrain, of what stands at absolute x and z, at height 0.
    pub fn place(&self, [x, z]: [f64; 2]) -> Transform {
        Transform::from_xyz((x - self.origin.x) as f32, 0.0, (z - self.origin.z) as f32)
    }

    /// The same in the scene.
    pub fn global(&self, place: &Transform) -> GlobalTransform {
        GlobalTransform::from(self.world_from_local * place.compute_affine())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_the_scene_are_found_in_the_land() {
        let transform = Transform::from_xyz(10.0, 5.0, 0.0)
            .with_rotation(Quat::from_rotation_y(core::f32::consts::FRAC_PI_2))
            .with_scale(Vec3::splat(2.0));
        let frame = Frame::new(&transform.into(), TerrainOrigin { x: 1e6, z: -1e6 }).unwrap();
        let place = frame.place([1e6 + 3.0, -1e6 + 4.0]);
        assert_eq!(place.translation, Vec3::new(3.0, 0.0, 4.0));
        let back = frame.position(frame.global(&place).translation());
        assert!(back.distance(DVec3::new(1e6 + 3.0, 0.0, -1e6 + 4.0)) < 1e-3, "{back}");
        assert!(frame.rise(3.0).distance(Vec3::Y * 6.0) < 1e-5);
        assert!((frame.length(4.0) - 2.0).abs() < 1e-6);
        assert!(frame.motion(Vec3::X).distance(DVec3::new(0.0, 0.0, 0.5)) < 1e-6, "{}", frame.motion(Vec3::X));
        // Of a ball on a slope of 45 degrees, on land twice as large.
        let standing = frame.standing(DVec3::new(1.0, 1.0, 0.0).normalize(), |_| 1.0);
        assert!((standing - core::f64::consts::FRAC_1_SQRT_2).abs() < 1e-6, "{standing}");
        assert!(Frame::new(&Transform::from_scale(Vec3::ZERO).into(), TerrainOrigin::default()).is_none());
    }
}
