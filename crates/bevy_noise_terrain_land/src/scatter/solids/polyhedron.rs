//! Convex polyhedra, clipped by planes.

use bevy::math::Vec3;

/// Points nearer than this are merged.
const EPSILON: f32 = 1e-4;

/// A face: its outward normal and its corners, counter-clockwise as seen from outside.
#[derive(Clone, Debug)]
pub struct Face {
    pub normal: Vec3,
    pub points: Vec<Vec3>,
}

/// A convex body around the origin.
#[derive(Clone, Debug)]
pub struct Polyhedron {
    pub faces: Vec<Face>,
}

impl Polyhedron {
    /// A cube from −1 to 1.
    pub fn cube() -> Self {
        let face = |normal: Vec3| {
            let across = normal.any_orthonormal_vector();
            let up = normal.cross(across);
            let points = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            // Rounds to the cube's corners: in general `across` and `up` are not aligned with its edges.
            let points = points.map(|(a, b)| (normal + across * a + up * b).round());
            Face { normal, points: points.to_vec() }
        };
        Self { faces: [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z].map(face).to_vec() }
    }

    /// Cuts off everything further than `depth` from the origin along `normal`.
    pub fn cut(&mut self, normal: Vec3, depth: f32) {
        let outside = |point: Vec3| point.dot(normal) - depth;
        let mut rim: Vec<Vec3> = Vec::new();
        for face in &mut self.faces {
            // Sutherland and Hodgman, "Reentrant polygon clipping", 1974.
            let mut kept = Vec::with_capacity(face.points.len() + 1);
            for (index, &from) in face.points.iter().enumerate() {
                let to = face.points[(index + 1) % face.points.len()];
                let (a, b) = (outside(from), outside(to));
                if a <= EPSILON {
                    kept.push(from);
                }
                if (a > EPSILON && b < -EPSILON) || (a < -EPSILON && b > EPSILON) {
                    kept.push(from.lerp(to, a / (a - b)));
                }
            }
            rim.extend(kept.iter().filter(|point| outside(**point).abs() <= 2.0 * EPSILON));
            face.points = kept;
        }
        self.faces.retain(|face| face.points.len() > 2);
        let mut points: Vec<Vec3> = Vec::new();
        for point in rim {
            if points.iter().all(|known| known.distance(point) > 10.0 * EPSILON) {
                points.push(point);
            }
        }
        if points.len() < 3 {
            return;
        }
        let middle = points.iter().sum::<Vec3>() / points.len() as f32;
        let across = normal.any_orthonormal_vector();
        let up = normal.cross(across);
        let angle = |point: &Vec3| libm::atan2f((*point - middle).dot(up), (*point - middle).dot(across));
        points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        self.faces.push(Face { normal, points });
    }

    /// Planes that bevel the sharp edges: normal and depth of each, `width` below the edge.
    pub fn bevels(&self, width: f32) -> Vec<(Vec3, f32)> {
        let mut bevels = Vec::new();
        for (index, a) in self.faces.iter().enumerate() {
            for b in &self.faces[index + 1..] {
                let is_shared = |point: &&Vec3| b.points.iter().any(|other| other.distance(**point) < 20.0 * EPSILON);
                let shared: Vec<&Vec3> = a.points.iter().filter(is_shared).collect();
                // Obtuse edges need no bevel.
                if let [from, to, ..] = shared[..]
                    && a.normal.dot(b.normal) < 0.8
                {
                    let normal = (a.normal + b.normal).normalize_or(Vec3::Y);
                    bevels.push((normal, normal.dot((*from + *to) * 0.5) - width));
                }
            }
        }
        bevels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume of a closed polyhedron: a sixth of the sum of triple products.
    fn volume(body: &Polyhedron) -> f32 {
        let fan = |face: &Face| -> f32 {
            let first = face.points[0];
            face.points.windows(2).skip(1).map(|pair| first.dot(pair[0].cross(pair[1])) / 6.0).sum()
        };
        body.faces.iter().map(fan).sum()
    }

    #[test]
    fn a_cut_leaves_a_closed_body_whose_faces_face_outward() {
        let mut body = Polyhedron::cube();
        assert!((volume(&body) - 8.0).abs() < 1e-4);
        // A corner of the cube: a tetrahedron with three edges of 1.
        body.cut(Vec3::ONE.normalize(), 2.0 / 3f32.sqrt());
        assert_eq!(body.faces.len(), 7);
        assert!((volume(&body) - (8.0 - 1.0 / 6.0)).abs() < 1e-3, "{}", volume(&body));
        body.cut(Vec3::Y, 0.25);
        assert!(body.faces.iter().flat_map(|face| &face.points).all(|point| point.y <= 0.2501));
        for face in &body.faces {
            let [a, b, c] = [0, 1, 2].map(|index| face.points[index]);
            assert!((b - a).cross(c - a).dot(face.normal) > 0.0);
        }
        // A plane that misses the body changes nothing.
        let before = body.faces.len();
        body.cut(Vec3::X, 5.0);
        assert_eq!(body.faces.len(), before);
    }

    #[test]
    fn every_sharp_edge_has_a_bevel() {
        let cube = Polyhedron::cube();
        let bevels = cube.bevels(0.1);
        assert_eq!(bevels.len(), 12);
        let mut body = cube.clone();
        bevels.into_iter().for_each(|(normal, depth)| body.cut(normal, depth));
        assert_eq!(body.faces.len(), 18);
        assert!(volume(&body) < 7.9 && volume(&body) > 7.0, "{}", volume(&body));
    }
}
