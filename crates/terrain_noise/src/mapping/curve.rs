//! A curve through points, without overshoot.

/// A piecewise cubic through points with rising x, level beyond the ends. Between two points it
/// never leaves their values (Fritsch and Carlson 1980), so its extremes are among the points.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    points: Vec<[f32; 2]>,
    slopes: Vec<f32>,
}

impl Curve {
    pub fn new(points: &[[f64; 2]]) -> Self {
        let secants: Vec<f64> =
            points.windows(2).map(|pair| (pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0])).collect();
        let slopes = (0..points.len()).map(|i| {
            let (before, after) = (i.checked_sub(1).and_then(|i| secants.get(i)), secants.get(i));
            match (before, after) {
                // The harmonic mean keeps within three times either, which is all it takes.
                (Some(&a), Some(&b)) if a * b > 0.0 => 2.0 * a * b / (a + b),
                _ => 0.0,
            }
        });
        Self {
            slopes: slopes.map(|slope| slope as f32).collect(),
            points: points.iter().map(|point| point.map(|x| x as f32)).collect(),
        }
    }

    /// The value and the slope at `x`.
    pub fn at(&self, x: f32) -> (f32, f32) {
        let right = self.points.partition_point(|point| point[0] <= x);
        let Some(left) = right.checked_sub(1) else {
            return (self.points.first().map_or(0.0, |point| point[1]), 0.0);
        };
        let [x0, y0] = self.points[left];
        let Some(&[x1, y1]) = self.points.get(right) else {
            return (y0, 0.0);
        };
        let width = x1 - x0;
        let t = (x - x0) / width;
        let (m0, m1) = (self.slopes[left] * width, self.slopes[right] * width);
        let rise = y1 - y0;
        // Hermite's form about the left point.
        let (c2, c3) = (3.0 * rise - 2.0 * m0 - m1, m0 + m1 - 2.0 * rise);
        let value = y0 + t * (m0 + t * (c2 + t * c3));
        let slope = (m0 + t * (2.0 * c2 + t * 3.0 * c3)) / width;
        (value, slope)
    }

    /// The lowest and the highest value over a stretch of x.
    pub fn range(&self, low: f32, high: f32) -> (f32, f32) {
        let ends = [self.at(low).0, self.at(high).0];
        let inside = self.points.iter().filter(|point| low <= point[0] && point[0] <= high).map(|point| point[1]);
        let all = || ends.into_iter().chain(inside.clone());
        (all().fold(f32::INFINITY, f32::min), all().fold(f32::NEG_INFINITY, f32::max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_its_points_and_stays_between_them() {
        let points = [[-1.0, 3.0], [0.0, 0.0], [0.5, 0.1], [2.0, 0.1], [3.0, 9.0]];
        let curve = Curve::new(&points);
        for [x, y] in points {
            assert!((f64::from(curve.at(x as f32).0) - y).abs() < 1e-6);
        }
        for pair in points.windows(2) {
            let (low, high) = (pair[0][1].min(pair[1][1]), pair[0][1].max(pair[1][1]));
            for i in 0..=100 {
                let x = pair[0][0] + (pair[1][0] - pair[0][0]) * f64::from(i) / 100.0;
                let (y, slope) = curve.at(x as f32);
                assert!(f64::from(y) > low - 1e-5 && f64::from(y) < high + 1e-5, "{x} {y}");
                let near = (curve.at(x as f32 + 1e-3).0 - curve.at(x as f32 - 1e-3).0) / 2e-3;
                assert!((near - slope).abs() < 0.05, "{x}: {near} {slope}");
            }
        }
        assert_eq!((curve.at(-9.0), curve.at(9.0)), ((3.0, 0.0), (9.0, 0.0)));
        assert_eq!(curve.range(-0.5, 2.5).0, 0.0);
    }
}
