//! A curve through points, without overshoot.

use crate::real::each;

/// A piecewise cubic through points with rising x, level beyond the ends. Between two points it
/// never leaves their values (Fritsch and Carlson 1980), so its extremes are among the points.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    points: Vec<[f32; 2]>,
    /// Before the first point, between each and the next, and after the last.
    pieces: Vec<Piece>,
}

/// Hermite's form about the left point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Piece {
    x: f32,
    y: f32,
    width: f32,
    c1: f32,
    c2: f32,
    c3: f32,
}

impl Piece {
    fn level([x, y]: [f32; 2]) -> Self {
        Self { x, y, width: 1.0, ..Self::default() }
    }

    fn between([x0, y0]: [f32; 2], [x1, y1]: [f32; 2], slopes: [f32; 2]) -> Self {
        let width = x1 - x0;
        let [m0, m1] = slopes.map(|slope| slope * width);
        let rise = y1 - y0;
        Self { x: x0, y: y0, width, c1: m0, c2: 3.0 * rise - 2.0 * m0 - m1, c3: m0 + m1 - 2.0 * rise }
    }
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
        let slopes: Vec<f32> = slopes.map(|slope| slope as f32).collect();
        let points: Vec<[f32; 2]> = points.iter().map(|point| point.map(|x| x as f32)).collect();
        let inner = points.windows(2).zip(slopes.windows(2)).map(|(p, m)| Piece::between(p[0], p[1], [m[0], m[1]]));
        let pieces = points.first().map(|&first| Piece::level(first)).into_iter();
        let pieces = pieces.chain(inner).chain(points.last().map(|&last| Piece::level(last))).collect();
        Self { points, pieces }
    }

    /// The value and the slope at `x`.
    pub fn at(&self, x: f32) -> (f32, f32) {
        let [[value], [slope]] = self.all([x]);
        (value, slope)
    }

    /// Values and slopes at several places: counting the points before each needs no branches.
    #[inline(always)]
    pub fn all<const N: usize>(&self, xs: [f32; N]) -> [[f32; N]; 2] {
        let mut before = [0u32; N];
        for [knot, _] in &self.points {
            for lane in 0..N {
                before[lane] += u32::from(*knot <= xs[lane]);
            }
        }
        let pieces: [Piece; N] = each(|lane| self.pieces.get(before[lane] as usize).copied().unwrap_or_default());
        let mut out = [[0.0; N]; 2];
        for lane in 0..N {
            let Piece { x, y, width, c1, c2, c3 } = pieces[lane];
            let t = (xs[lane] - x) / width;
            out[0][lane] = y + t * (c1 + t * (c2 + t * c3));
            out[1][lane] = (c1 + t * (2.0 * c2 + t * 3.0 * c3)) / width;
        }
        out
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
