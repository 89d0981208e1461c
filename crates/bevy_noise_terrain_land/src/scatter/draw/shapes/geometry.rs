//! Building blocks of shapes: balls, trunks and nearest points.

use std::f32::consts::TAU;

use bevy::math::{Vec2, Vec3};

use super::{Corner, Shape, Skin};
use crate::scatter::solids::numbers::chance;

impl Shape {
    pub fn corner(&mut self, corner: Corner) -> u16 {
        self.corners.push(corner);
        (self.corners.len() - 1) as u16
    }

    pub fn triangle(&mut self, a: u16, b: u16, c: u16) {
        self.indices.extend([a, b, c]);
    }

    /// A unit icosphere with shared corners, subdivided `halvings` times.
    pub fn ball(halvings: u32) -> Self {
        const GOLDEN: f32 = 1.618_034;
        const FACES: [[u16; 3]; 20] = [
            [0, 11, 5],
            [0, 5, 1],
            [0, 1, 7],
            [0, 7, 10],
            [0, 10, 11],
            [1, 5, 9],
            [5, 11, 4],
            [11, 10, 2],
            [10, 7, 6],
            [7, 1, 8],
            [3, 9, 4],
            [3, 4, 2],
            [3, 2, 6],
            [3, 6, 8],
            [3, 8, 9],
            [4, 9, 5],
            [2, 4, 11],
            [6, 2, 10],
            [8, 6, 7],
            [9, 8, 1],
        ];
        let mut points: Vec<Vec3> = [
            [-1.0, GOLDEN, 0.0],
            [1.0, GOLDEN, 0.0],
            [-1.0, -GOLDEN, 0.0],
            [1.0, -GOLDEN, 0.0],
            [0.0, -1.0, GOLDEN],
            [0.0, 1.0, GOLDEN],
            [0.0, -1.0, -GOLDEN],
            [0.0, 1.0, -GOLDEN],
            [GOLDEN, 0.0, -1.0],
            [GOLDEN, 0.0, 1.0],
            [-GOLDEN, 0.0, -1.0],
            [-GOLDEN, 0.0, 1.0],
        ]
        .map(|point| Vec3::from(point).normalize())
        .to_vec();
        let mut faces = FACES.to_vec();
        for _ in 0..halvings {
            let mut middles: Vec<([u16; 2], u16)> = Vec::new();
            let mut middle = |a: u16, b: u16| {
                let edge = [a.min(b), a.max(b)];
                if let Some((_, index)) = middles.iter().find(|(known, _)| *known == edge) {
                    return *index;
                }
                points.push((points[usize::from(a)] + points[usize::from(b)]).normalize());
                let index = (points.len() - 1) as u16;
                middles.push((edge, index));
                index
            };
            faces = faces
                .iter()
                .flat_map(|&[a, b, c]| {
                    let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
                    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
                })
                .collect();
        }
        let corners = points.iter().map(|&point| Corner { position: point, normal: point, ..Corner::default() });
        Self { corners: corners.collect(), indices: faces.concat() }
    }

    /// The point of the surface nearest to `point`.
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        let faces = self.indices.chunks_exact(3);
        let mut best = (f32::INFINITY, point);
        for face in faces {
            let [a, b, c] = [0, 1, 2].map(|k| self.corners[usize::from(face[k])].position);
            let found = nearest_on_triangle(point, a, b, c);
            let distance = found.distance_squared(point);
            if distance < best.0 {
                best = (distance, found);
            }
        }
        best.1
    }
}

/// The point of a triangle nearest to `p`: Ericson, *Real-Time Collision Detection* (2005), 5.1.5.
fn nearest_on_triangle(p: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (ab.dot(p - a), ac.dot(p - a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let (d3, d4) = (ab.dot(p - b), ac.dot(p - b));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let (d5, d6) = (ab.dot(p - c), ac.dot(p - c));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let sum = va + vb + vc;
    if sum <= 0.0 { a } else { a + ab * (vb / sum) + ac * (vc / sum) }
}

/// A tapering tube through rings of (height, radius) that leans by about `lean` of its height. An even number of `sides` suits
/// bark best.
pub fn trunk(shape: &mut Shape, sides: u32, bark: Vec3, rings: &[(f32, f32)], lean: f32) {
    let mut below: Vec<u16> = Vec::new();
    for (ring, &(height, radius)) in rings.iter().enumerate() {
        let lean = Vec3::new(chance(ring as u32, 31) - 0.5, 0.0, chance(ring as u32, 32) - 0.5) * (lean * height);
        let corners: Vec<u16> = (0..sides)
            .map(|side| {
                let out = around(TAU * side as f32 / sides as f32);
                let normal = Vec3::new(out.x, 0.0, out.y);
                let position = normal * radius + Vec3::Y * height + lean;
                let color = bark * (0.75 + 0.4 * chance(side, ring as u32));
                // There and back, so that it meets itself.
                let uv = Vec2::new((2.0 * side as f32 / sides as f32 - 1.0).abs(), height.clamp(0.0, 1.0));
                let bend = height.max(0.0).powi(2);
                shape.corner(Corner { position, normal, color, bend, uv, skin: Skin::Bark })
            })
            .collect();
        for side in 0..below.len() {
            let next = (side + 1) % below.len();
            shape.triangle(below[side], corners[side], corners[next]);
            shape.triangle(below[side], corners[next], below[next]);
        }
        below = corners;
    }
}

/// A point on the unit circle.
pub fn around(angle: f32) -> Vec2 {
    Vec2::from_angle(angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_face_outward() {
        let ball = Shape::ball(2);
        assert_eq!((ball.corners.len(), ball.indices.len()), (162, 320 * 3));
        for face in ball.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| ball.corners[usize::from(face[k])].position);
            assert!((b - a).cross(c - a).dot(a) > 0.0);
        }
    }

    #[test]
    fn the_nearest_point_lies_on_the_triangle() {
        let [a, b, c] = [Vec3::ZERO, Vec3::X, Vec3::Z];
        let inside = nearest_on_triangle(Vec3::new(0.2, 3.0, 0.2), a, b, c);
        assert!(inside.abs_diff_eq(Vec3::new(0.2, 0.0, 0.2), 1e-6), "{inside}");
        assert_eq!(nearest_on_triangle(Vec3::new(-1.0, 1.0, -1.0), a, b, c), a);
        assert_eq!(nearest_on_triangle(Vec3::new(0.5, 0.0, -2.0), a, b, c), Vec3::new(0.5, 0.0, 0.0));
        assert_eq!(nearest_on_triangle(Vec3::new(1.0, 0.0, 1.0), a, b, c), Vec3::new(0.5, 0.0, 0.5));
    }
}
