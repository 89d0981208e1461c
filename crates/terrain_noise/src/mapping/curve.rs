//! A curve through points, without overshoot.

use serde::{Deserialize, Serialize};

use crate::real::Function;

/// How a curve continues beyond its first and its last point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum CurveEnds {
    /// Level, reached without a kink: two points make an S, not a line.
    #[default]
    Level,
    /// Straight on, along the line between the two outermost points: two points make a line.
    Straight,
}

/// A piecewise cubic through points with rising x. Between two points it never leaves their values
/// (Fritsch and Carlson 1980), so its extremes are among the points and the ends of a stretch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    points: Vec<[f32; 2]>,
    /// Before the first point, between each and the next, and after the last.
    pieces: Vec<Piece>,
}

/// A line, and the curve's deviation from it. A straight curve is exact to the last bit this way: computed
/// from a left point 10 km away, heights would be a millimetre off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Piece {
    /// The point on the line that is nearest to x = 0, where sums round least.
    at: [f32; 2],
    slope: f32,
    /// The x of the left point. Positions in the piece are fractions of `width` from here.
    left: f32,
    width: f32,
    /// By how much the slopes at both ends exceed the line's, times `width`.
    more: [f32; 2],
}

impl Piece {
    /// Beyond an end: of infinite width, so that the fraction of any x is 0 and no large number is squared.
    fn beyond(at: [f64; 2], slope: f64) -> Self {
        let at = at.map(|x| x as f32);
        Self { at, slope: slope as f32, left: at[0], width: f32::INFINITY, more: [0.0; 2] }
    }

    fn between([x0, y0]: [f64; 2], [x1, y1]: [f64; 2], slopes: [f64; 2]) -> Self {
        let width = x1 - x0;
        let slope = (y1 - y0) / width;
        let nearest = 0.0f64.clamp(x0, x1);
        let at = if nearest == x1 { [x1, y1] } else { [nearest, y0 + (nearest - x0) * slope] };
        Self {
            at: at.map(|x| x as f32),
            slope: slope as f32,
            left: x0 as f32,
            width: width as f32,
            more: slopes.map(|end| ((end - slope) * width) as f32),
        }
    }
}

impl Piece {
    /// The value and the slope at `x`.
    #[inline(always)]
    fn value(&self, x: f32) -> (f32, f32) {
        let Self { at: [x0, y0], slope, left, width, more: [m0, m1] } = *self;
        let t = (x - left) / width;
        // Hermite's form minus the line between its ends.
        let (back, sum) = (1.0 - t, m0 + m1);
        let value = y0 + (x - x0) * slope + t * back * (m0 - sum * t);
        (value, slope + (m0 + t * (3.0 * sum * t - 4.0 * m0 - 2.0 * m1)) / width)
    }
}

impl Curve {
    pub fn new(points: &[[f64; 2]], ends: CurveEnds) -> Self {
        // Rounded as they are used; validation has refused points that are equal in 32 bits.
        let points: Vec<[f64; 2]> = points.iter().map(|point| point.map(|x| f64::from(x as f32))).collect();
        let secants: Vec<f64> =
            points.windows(2).map(|pair| (pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0])).collect();
        let beyond = |secant: Option<&f64>| match ends {
            CurveEnds::Level => 0.0,
            CurveEnds::Straight => secant.copied().unwrap_or_default(),
        };
        let slopes = (0..points.len()).map(|i| {
            let (before, after) = (i.checked_sub(1).and_then(|i| secants.get(i)), secants.get(i));
            match (before, after) {
                // The harmonic mean is at most three times either slope, which is all that monotonicity takes.
                (Some(&a), Some(&b)) if a * b > 0.0 => 2.0 * a * b / (a + b),
                (Some(_), Some(_)) => 0.0,
                (before, after) => beyond(before.or(after)),
            }
        });
        let slopes: Vec<f64> = slopes.collect();
        let inner = points.windows(2).zip(slopes.windows(2)).map(|(p, m)| Piece::between(p[0], p[1], [m[0], m[1]]));
        let first = points.first().map(|&first| Piece::beyond(first, beyond(secants.first())));
        let last = points.last().map(|&last| Piece::beyond(last, beyond(secants.last())));
        let pieces = first.into_iter().chain(inner).chain(last).collect();
        Self { points: points.iter().map(|point| point.map(|x| x as f32)).collect(), pieces }
    }

    /// Values and slopes at several places. Each number of the pieces is chosen in a pass over the points of
    /// its own, without branches or gathers.
    #[inline(always)]
    pub fn all<const N: usize>(&self, xs: [f32; N]) -> [[f32; N]; 2] {
        let ax = self.chosen(&xs, |piece| piece.at[0]);
        let ay = self.chosen(&xs, |piece| piece.at[1]);
        let slopes = self.chosen(&xs, |piece| piece.slope);
        let lefts = self.chosen(&xs, |piece| piece.left);
        let widths = self.chosen(&xs, |piece| piece.width);
        let before = self.chosen(&xs, |piece| piece.more[0]);
        let behind = self.chosen(&xs, |piece| piece.more[1]);
        let mut out = [[0.0; N]; 2];
        for lane in 0..N {
            let (at, more) = ([ax[lane], ay[lane]], [before[lane], behind[lane]]);
            let piece = Piece { at, slope: slopes[lane], left: lefts[lane], width: widths[lane], more };
            (out[0][lane], out[1][lane]) = piece.value(xs[lane]);
        }
        out
    }

    /// A number of the piece that each place lies in.
    #[inline(always)]
    fn chosen<const N: usize>(&self, xs: &[f32; N], number: impl Fn(&Piece) -> f32) -> [f32; N] {
        let mut all = [self.pieces.first().map_or(0.0, &number); N];
        for ([knot, _], piece) in self.points.iter().zip(self.pieces.iter().skip(1)) {
            let number = number(piece);
            for lane in 0..N {
                all[lane] = if *knot <= xs[lane] { number } else { all[lane] };
            }
        }
        all
    }
}

impl Function for Curve {
    fn at(&self, x: f32) -> (f32, f32) {
        let before = self.points.iter().filter(|point| point[0] <= x).count();
        self.pieces.get(before).copied().unwrap_or_default().value(x)
    }

    fn range(&self, low: f32, high: f32) -> (f32, f32) {
        let ends = [self.at(low).0, self.at(high).0];
        let inside = self.points.iter().filter(|point| low <= point[0] && point[0] <= high).map(|point| point[1]);
        let all = || ends.into_iter().chain(inside.clone());
        (all().fold(f32::INFINITY, f32::min), all().fold(f32::NEG_INFINITY, f32::max))
    }

    fn magnitude(&self) -> f32 {
        self.points.iter().map(|point| point[1].abs()).fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_its_points_and_stays_between_them() {
        let points = [[-1.0, 3.0], [0.0, 0.0], [0.5, 0.1], [2.0, 0.1], [3.0, 9.0]];
        let curve = Curve::new(&points, CurveEnds::Level);
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

    #[test]
    fn straight_ends_go_on() {
        let points = [[-10.0, 4.0], [0.0, 2.0], [5.0, 12.0]];
        let curve = Curve::new(&points, CurveEnds::Straight);
        for (x, y, slope) in [(-60.0, 14.0, -0.2), (-10.0, 4.0, -0.2), (5.0, 12.0, 2.0), (55.0, 112.0, 2.0)] {
            let (value, found) = curve.at(x);
            assert!((value - y).abs() < 1e-4 && (found - slope).abs() < 1e-4, "{x}: {value} {found}");
        }
        assert_eq!(curve.range(-60.0, 55.0), (2.0, 112.0));
    }

    #[test]
    fn a_line_through_two_points_is_that_line() {
        let line = |points: [[f64; 2]; 2]| Curve::new(&points, CurveEnds::Straight);
        // Nothing is lost at all where heights stay as they are.
        for (low, high) in [(-10_000.0, 10_000.0), (-1e9, 1e9), (-0.1, 10_000.0)] {
            let curve = line([[low, low], [high, high]]);
            for i in -3000..3000 {
                let x = i as f32 * 3.7 + 0.123;
                if x >= low as f32 {
                    assert_eq!(curve.at(x), (x, 1.0), "{low} to {high}");
                }
            }
        }
        // Elsewhere what 32 bits lose: half a millimetre at 10 km, twice.
        for [[x0, y0], [x1, y1]] in
            [[[-10_000.0, 10_000.0], [10_000.0, -10_000.0]], [[2_000.0, 0.0], [9_000.0, 7_000.0]]]
        {
            let curve = line([[x0, y0], [x1, y1]]);
            for i in -30..=30 {
                let x = i as f32 * 321.7;
                let exact = y0 + (f64::from(x) - x0) * (y1 - y0) / (x1 - x0);
                assert!((f64::from(curve.at(x).0) - exact).abs() < 1e-3, "{x}: {} {exact}", curve.at(x).0);
            }
        }
    }
}
