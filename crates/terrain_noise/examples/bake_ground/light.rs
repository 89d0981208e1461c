//! What the light needs to know of a height: the direction of the surface, and how much sky it sees.

use crate::plane::{Plane, SIDE};

/// Ground wider than this, in points, does not lean: it would make the tile seen from afar.
const WIDE: f32 = 90.0;

/// The normal's x and z, as 0 to 1 with level at 128 / 255, of heights and a spacing in metres whose
/// slopes are multiplied by `relief`.
pub fn normals(height: &Plane, spacing: f32, relief: f32) -> [Plane; 2] {
    let along = |[dx, dz]: [i32; 2]| {
        let slope = |i: usize| {
            let [x, z] = [i % SIDE, i / SIDE].map(|k| k as i32);
            (height.at(x + dx, z + dz) - height.at(x - dx, z - dz)) * relief / (2.0 * spacing)
        };
        Plane((0..SIDE * SIDE).map(slope).collect())
    };
    let [dx, dz] = [along([1, 0]), along([0, 1])];
    let length = dx.zip(&dz, |x, z| (1.0 + x * x + z * z).sqrt());
    // A slope leads up; the normal leans the other way.
    [dx, dz].map(|slope| slope.zip(&length, |s, l| s / l).levelled(WIDE).map(|lean| (128.0 - 127.0 * lean) / 255.0))
}

/// The part of the sky that is seen, 0 to 1, from the highest horizon in each of `DIRECTIONS`
/// (Bavoil and Sainz 2008), looking up to `reach` points far.
pub fn occlusion(height: &Plane, spacing: f32, reach: i32) -> Plane {
    const DIRECTIONS: usize = 12;
    let steps: Vec<_> = {
        // Ever wider steps: near things hide most.
        let mut far = 1.0f32;
        std::iter::from_fn(|| {
            let step = far;
            far = (far * 1.6).max(far + 1.0);
            (step <= reach as f32).then_some(step)
        })
        .collect()
    };
    let rays: Vec<Vec<(i32, i32, f32)>> = (0..DIRECTIONS)
        .map(|k| {
            let [c, s] = crate::ground::direction(k as f32 / DIRECTIONS as f32 * std::f32::consts::TAU);
            let ray = steps.iter().map(|step| ((step * c).round() as i32, (step * s).round() as i32));
            ray.map(|(x, z)| (x, z, 1.0 / (((x * x + z * z) as f32).sqrt() * spacing))).collect()
        })
        .collect();
    let sky = |i: usize| {
        let [x, z] = [i % SIDE, i / SIDE].map(|k| k as i32);
        let here = height.0[i];
        let seen = rays.iter().map(|ray| {
            let rise = ray
                .iter()
                .fold(0.0f32, |most, &(dx, dz, inverse)| most.max((height.at(x + dx, z + dz) - here) * inverse));
            // The cosine-weighted share above the horizon: 1 - sin².
            1.0 / (1.0 + rise * rise)
        });
        seen.sum::<f32>() / DIRECTIONS as f32
    };
    Plane((0..SIDE * SIDE).map(sky).collect())
}
