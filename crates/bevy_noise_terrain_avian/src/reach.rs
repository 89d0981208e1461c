//! How far the parts of a body reach.

use avian3d::parry::math::Pose;
use avian3d::parry::shape::{Shape, SharedShape, TypedShape};
use bevy::prelude::*;

/// Parts of a body, each with its place on the body.
pub(crate) type Parts = Vec<(Pose, SharedShape)>;

/// Metres from a body's position to the farthest point of its parts.
pub(crate) fn radius(parts: &Parts) -> f32 {
    let reaches = parts.iter().map(|(pose, part)| {
        let ball = part.compute_local_bounding_sphere();
        pose.transform_point(ball.center).length() + ball.radius
    });
    reaches.fold(0.0, f32::max)
}

/// Metres from a body's position to the farthest point of its parts along a direction.
pub(crate) fn reach(parts: &Parts, direction: Vec3) -> f32 {
    farthest(parts.iter().map(|(pose, part)| reach_of(pose, &**part, direction)))
}

fn reach_of(pose: &Pose, shape: &dyn Shape, direction: Vec3) -> f32 {
    let along = pose.rotation.inverse() * direction;
    let within = match shape.as_typed_shape() {
        TypedShape::Compound(compound) => {
            farthest(compound.shapes().iter().map(|(pose, part)| reach_of(pose, &**part, along)))
        }
        // Parry's box of a turned mesh is that of its box.
        TypedShape::TriMesh(mesh) => farthest(mesh.vertices().iter().map(|vertex| vertex.dot(along))),
        _ => shape.compute_aabb(&Pose::from_rotation(Quat::from_rotation_arc(along, Vec3::Y))).maxs.y,
    };
    pose.translation.dot(direction) + within
}

fn farthest(reaches: impl Iterator<Item = f32>) -> f32 {
    reaches.fold(f32::NEG_INFINITY, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32, y: f32, z: f32) -> Pose {
        Pose::from_translation(Vec3::new(x, y, z))
    }

    fn assert_reach(parts: &Parts, direction: Vec3, metres: f32) {
        let found = reach(parts, direction.normalize());
        assert!((found - metres).abs() < 1e-4 * metres.abs().max(1.0), "{found} instead of {metres} along {direction}");
    }

    #[test]
    fn bodies_reach_as_far_as_their_shapes() {
        let log = SharedShape::cylinder(10.0, 0.15);
        let upright = vec![(Pose::IDENTITY, log.clone())];
        assert_reach(&upright, Vec3::X, 0.15);
        assert_reach(&upright, Vec3::NEG_Y, 10.0);
        let lying = Pose::from_rotation(Quat::from_rotation_z(core::f32::consts::FRAC_PI_2));
        assert_reach(&vec![(lying, log)], Vec3::NEG_Y, 0.15);
        let cube = SharedShape::cuboid(1.0, 1.0, 1.0);
        assert_reach(&vec![(Pose::IDENTITY, cube.clone())], Vec3::ONE, 3f32.sqrt());
        // A dumb-bell, as parts and as one shape, and a table whose position is at its top.
        let balls = [(at(-2.0, 0.0, 0.0), SharedShape::ball(0.5)), (at(2.0, 0.0, 0.0), SharedShape::ball(0.5))];
        for parts in [balls.to_vec(), vec![(Pose::IDENTITY, SharedShape::compound(balls.to_vec()))]] {
            assert_reach(&parts, Vec3::X, 2.5);
            assert_reach(&parts, Vec3::NEG_Y, 0.5);
            assert_reach(&parts, Vec3::new(-1.0, -1.0, 0.0), 2f32.sqrt() + 0.5);
            assert!((2.4999..2.61).contains(&radius(&parts)), "{}", radius(&parts));
        }
        let table = vec![(at(0.0, -1.0, 0.0), cube)];
        assert_reach(&table, Vec3::NEG_Y, 2.0);
        assert_reach(&table, Vec3::Y, 0.0);
    }

    #[test]
    fn turned_meshes_reach_as_far_as_their_vertices() {
        let vertices = vec![Vec3::X, Vec3::Y, Vec3::Z, Vec3::ZERO];
        let mesh = SharedShape::trimesh(vertices, vec![[0, 1, 2], [0, 1, 3]]).unwrap();
        let turned = Pose::from_rotation(Quat::from_rotation_y(core::f32::consts::FRAC_PI_4));
        assert_reach(&vec![(turned, mesh)], Vec3::X, core::f32::consts::FRAC_1_SQRT_2);
    }
}
