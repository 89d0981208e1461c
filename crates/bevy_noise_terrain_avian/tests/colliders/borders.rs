//! At the borders of tiles, rays and shapes meet the ground as they do a millimetre beside them.

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;

use crate::app::{anchor, app, cast, cast_ball};

/// Land whose tiles are as wide as 64 of these spacings.
fn terrain(spacing: f64) -> NoiseTerrain {
    let mut terrain = NoiseTerrain::default();
    terrain.lod.spacing = spacing;
    terrain
}

/// Where a terrain of these tests is in the scene.
#[derive(Clone, Copy, Debug)]
struct Place {
    origin: TerrainOrigin,
    transform: Transform,
}

impl Place {
    fn point(&self, [x, z]: [f64; 2]) -> Vec3 {
        self.transform.transform_point(Vec3::new((x - self.origin.x) as f32, 0.0, (z - self.origin.z) as f32))
    }

    fn absolute(&self, point: Vec3) -> DVec3 {
        let local = self.transform.compute_affine().inverse().transform_point3(point).as_dvec3();
        local + DVec3::new(self.origin.x, 0.0, self.origin.z)
    }
}

#[test]
fn rays_and_balls_meet_the_ground_at_every_border() {
    let turned = Transform::from_xyz(3.3, 10.0, -7.7).with_rotation(Quat::from_rotation_y(0.5));
    let places = [
        (0.0, 0.0, Transform::IDENTITY),
        (1e6 + 0.3, -5e5 - 0.7, Transform::IDENTITY),
        (0.0, 0.0, turned),
        (4_000.3, 0.0, turned.with_scale(Vec3::splat(2.0))),
        // Far from the scene's origin, where positions step by 0.5 mm.
        (0.0, 0.0, Transform::from_xyz(7_000.3, 0.0, 0.1)),
    ];
    for spacing in [0.5, 0.7, 1.0, 2.0] {
        let land = terrain(spacing).surface().unwrap();
        let width = 64.0 * spacing;
        for (x, z, transform) in places {
            let place = Place { origin: TerrainOrigin { x, z }, transform };
            let mut app = app((terrain(spacing), place.origin, transform), true);
            let scale = f64::from(transform.scale.y);
            let corner = [x, z].map(|metres| (metres / width).round() * width);
            let margin = (1.3 * width * scale) as f32;
            app.world_mut().spawn(anchor(place.point(corner) + Vec3::Y * 4_500.0, margin));
            (0..3).for_each(|_| app.update());
            let mut met = [0, 0];
            for step in 0..120 {
                // On borders along x, along z, and at corners.
                let along = width * (f64::from(step / 3) * 0.618).fract();
                let side = width * f64::from(step % 2);
                let at = match step % 3 {
                    0 => [corner[0] + side, corner[1] - along],
                    1 => [corner[0] - along, corner[1] + side],
                    _ => [corner[0] + side, corner[1] + width * f64::from(step / 2 % 2)],
                };
                let from = place.point(at) + Vec3::Y * 4_000.0;
                let ground = |from: Vec3| {
                    let at = place.absolute(from);
                    (land.height(at.x, at.z) * scale) as f32 + transform.translation.y
                };
                let hit = cast(&mut app, from, Vec3::NEG_Y, 9e3).map(|(_, way)| from.y - way);
                let far = hit.is_none_or(|hit| (hit - ground(from)).abs() > 5e-3);
                assert!(!far, "{hit:?} instead of {} at {at:?}, {place:?}, spacing {spacing}", ground(from));
                let ball = |app: &mut App, from: Vec3| cast_ball(app, 0.3, from, Vec3::NEG_Y, 9e3);
                let beside = from + Vec3::new(1e-3, 0.0, 1e-3);
                let balls = [from, beside].map(|from| ball(&mut app, from));
                let [Some(on), Some(beside)] = balls else {
                    panic!("{balls:?} at {at:?}, {place:?}, spacing {spacing}")
                };
                assert!((on - beside).abs() < 0.01, "{on} and {beside} at {at:?}, {place:?}, spacing {spacing}");
                met[0] += 1;
                // Along the border, down to the ground.
                let way = place.point([at[0], at[1] + 1.0]) - place.point(at);
                let way = (way.normalize() - Vec3::Y).normalize();
                let start = Vec3::new(from.x, ground(from) + 3.0, from.z);
                let way_on_land = transform.rotation.inverse() * way;
                let met_land = land.raycast(place.absolute(start), way_on_land.as_dvec3(), 40.0);
                let Some(met_land) = met_land.filter(|_| at[1] < corner[1] + 0.9 * width) else { continue };
                let found = cast(&mut app, start, way, 80.0).map(|(_, way)| way);
                let wanted = (met_land.distance * scale) as f32;
                let far = found.is_none_or(|found| (found - wanted).abs() > 0.02);
                assert!(!far, "{found:?} instead of {wanted} from {start}, {place:?}, spacing {spacing}");
                met[1] += 1;
            }
            assert!(met[0] == 120 && met[1] > 60, "{met:?}");
        }
    }
}
