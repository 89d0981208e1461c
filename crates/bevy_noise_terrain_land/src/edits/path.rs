//! The curve of a path: a Catmull-Rom spline, cut into straight segments.

use super::tree::Rect;

/// Metres that a segment is long, about.
const LENGTH: f64 = 4.0;
/// Most segments between two points.
const MOST: f64 = 64.0;
/// Segments that are found together.
const RUN: usize = 8;

/// A straight piece of a path: absolute positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    pub from: [f64; 3],
    pub to: [f64; 3],
}

/// Cuts the curve through these points into segments. At each point it runs parallel to the line between the points
/// before and after (Catmull and Rom, *A class of local interpolating splines*, 1974).
pub fn segments(points: &[[f64; 3]]) -> Vec<Segment> {
    let mut corners: Vec<[f64; 3]> = Vec::new();
    for (index, pair) in points.windows(2).enumerate() {
        let [from, to] = [pair[0], pair[1]];
        let before = if index > 0 { points[index - 1] } else { mirrored(to, from) };
        let after = points.get(index + 2).copied().unwrap_or_else(|| mirrored(from, to));
        let length = square_distance([from[0], from[2]], [to[0], to[2]]).sqrt();
        let steps = (length / LENGTH).ceil().clamp(1.0, MOST);
        corners.extend((0..steps as u32).map(|step| spline([before, from, to, after], f64::from(step) / steps)));
    }
    corners.extend(points.last());
    corners.windows(2).map(|pair| Segment { from: pair[0], to: pair[1] }).collect()
}

/// Ranges of segments, and the rectangles they lie in.
pub fn runs(segments: &[Segment]) -> impl Iterator<Item = (std::ops::Range<usize>, Rect)> {
    segments.chunks(RUN).enumerate().map(|(index, run)| {
        let ends = run.iter().flat_map(|segment| [segment.from, segment.to]);
        let rect = ends.map(|[x, _, z]| Rect::point([x, z])).reduce(Rect::join).unwrap_or(Rect::point([0.0; 2]));
        (index * RUN..index * RUN + run.len(), rect)
    })
}

impl Segment {
    /// The square of the distance of a point, and the height of the path there.
    pub fn nearest(&self, [x, z]: [f64; 2]) -> (f64, f64) {
        // Relative to its beginning: far out, differences are exact where products are not.
        let along = [self.to[0] - self.from[0], self.to[2] - self.from[2]];
        let offset = [x - self.from[0], z - self.from[2]];
        let square = along[0] * along[0] + along[1] * along[1];
        let t = if square > 0.0 { (offset[0] * along[0] + offset[1] * along[1]) / square } else { 0.0 };
        let t = t.clamp(0.0, 1.0);
        let distance = square_distance(offset, [t * along[0], t * along[1]]);
        (distance, self.from[1] + t * (self.to[1] - self.from[1]))
    }
}

/// `a` seen from the other side of `b`.
fn mirrored(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| b[axis] + (b[axis] - a[axis]))
}

fn spline([a, b, c, d]: [[f64; 3]; 4], t: f64) -> [f64; 3] {
    [0, 1, 2].map(|axis| {
        // Relative to `b`, as far out the others differ from it by little.
        let [a, c, d] = [a, c, d].map(|point| point[axis] - b[axis]);
        let (linear, square, cubic) = (c - a, 2.0 * a + 4.0 * c - d, d - 3.0 * c - a);
        b[axis] + 0.5 * t * (linear + t * (square + t * cubic))
    })
}

fn square_distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let [x, z] = [a[0] - b[0], a[1] - b[1]];
    x * x + z * z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_passes_through_its_points() {
        let points = [[1e9, 5.0, 0.0], [1e9 + 40.0, 8.0, 10.0], [1e9 + 60.0, 2.0, -30.0], [1e9 + 60.0, 2.0, -31.0]];
        let segments = segments(&points);
        assert!(segments.len() > 20 && segments.windows(2).all(|pair| pair[0].to == pair[1].from));
        for [x, y, z] in points {
            let nearest = segments.iter().map(|segment| segment.nearest([x, z])).min_by(|a, b| a.0.total_cmp(&b.0));
            let (distance, height) = nearest.unwrap();
            assert!(distance < 1e-12 && (height - y).abs() < 1e-6, "{distance} {height}");
        }
        let rects: Vec<Rect> = runs(&segments).map(|(_, rect)| rect).collect();
        assert_eq!(rects.len(), segments.len().div_ceil(RUN));
    }

    #[test]
    fn a_straight_path_is_straight() {
        let segments = segments(&[[0.0, 0.0, 0.0], [100.0, 10.0, 0.0]]);
        assert!(segments.iter().all(|segment| segment.to[2] == 0.0 && segment.to[0] > segment.from[0]));
        let (distance, height) =
            segments.iter().map(|segment| segment.nearest([50.0, 3.0])).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        assert!((distance - 9.0).abs() < 1e-9 && (height - 5.0).abs() < 1e-9);
    }
}
