//! Triangles without what lies in holes.
//!
//! Each triangle is split along the lines of the outline's edges that pass through it, as a binary space partition does
//! (Fuchs, Kedem and Naylor, "On visible surface generation by a priori tree structures", 1980). No edge passes through what is
//! left of it: each piece lies in a hole or outside, all of it.

use std::sync::Arc;

use super::outline::Outline;

/// A corner of a triangle in metres: x, height, z.
pub(crate) type Corner = [f64; 3];

/// Points so close to a line lie on it, in metres.
const ON_LINE: f64 = 1e-6;
/// Smaller pieces are left out, in square metres.
const LEAST_AREA: f64 = 1e-8;

/// An edge of an outline.
type Edge = [[f64; 2]; 2];

/// Outlines over a square of quads.
pub(crate) struct Cutter<'a> {
    outlines: &'a [Arc<Outline>],
    /// Corner of least x and z, in absolute metres: what is cut is relative to it.
    corner: [f64; 2],
    /// Width of a quad in metres.
    spacing: f64,
    /// Quads along a side.
    side: usize,
    /// The edges that pass through each quad, row by row.
    edges: Vec<Vec<Edge>>,
}

impl<'a> Cutter<'a> {
    /// For `side`² quads, `spacing` metres wide, from an absolute corner on.
    pub fn new(outlines: &'a [Arc<Outline>], corner: [f64; 2], spacing: f64, side: usize) -> Self {
        let mut edges = vec![Vec::new(); side * side];
        let quads = |a: f64, b: f64| {
            let quad = |metres: f64| (metres / spacing).floor().clamp(0.0, (side - 1) as f64) as usize;
            quad(a.min(b) - ON_LINE)..=quad(a.max(b) + ON_LINE)
        };
        for outline in outlines {
            let ring = outline.ring(corner);
            for (&from, &to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                let is_off = |axis: usize| {
                    let width = spacing * side as f64;
                    from[axis].max(to[axis]) < -ON_LINE || from[axis].min(to[axis]) > width + ON_LINE
                };
                if is_off(0) || is_off(1) {
                    continue;
                }
                for z in quads(from[1], to[1]) {
                    for x in quads(from[0], to[0]) {
                        let min = [x, z].map(|quad| quad as f64 * spacing);
                        if passes([from, to], min, spacing) {
                            edges[z * side + x].push([from, to]);
                        }
                    }
                }
            }
        }
        Self { outlines, corner, spacing, side, edges }
    }

    /// Whether no edge passes through a quad: all of it is land, or none.
    pub fn is_plain(&self, [x, z]: [usize; 2]) -> bool {
        self.edges[z * self.side + x].is_empty()
    }

    /// Whether the middle of a quad is land.
    pub fn is_land(&self, quad: [usize; 2]) -> bool {
        !self.is_hole(quad.map(|quad| (quad as f64 + 0.5) * self.spacing))
    }

    /// What is land of a triangle within a quad, as convex polygons that go around as the triangle does.
    pub fn cut(&self, [x, z]: [usize; 2], triangle: [Corner; 3]) -> Vec<Vec<Corner>> {
        let mut pieces = vec![triangle.to_vec()];
        for edge in &self.edges[z * self.side + x] {
            pieces = pieces.into_iter().flat_map(|piece| split(piece, edge)).collect();
        }
        pieces.retain(|piece| area(piece).abs() > LEAST_AREA && !self.is_hole(middle(piece)));
        pieces
    }

    fn is_hole(&self, at: [f64; 2]) -> bool {
        let at = [at[0] + self.corner[0], at[1] + self.corner[1]];
        self.outlines.iter().any(|outline| outline.contains(at))
    }
}

/// Whether an edge has a point in common with a square: Liang and Barsky, "A new concept and method for line clipping", 1984.
fn passes([from, to]: Edge, min: [f64; 2], width: f64) -> bool {
    let (mut first, mut last) = (0.0f64, 1.0f64);
    for axis in 0..2 {
        let way = to[axis] - from[axis];
        let [low, high] = [min[axis] - ON_LINE - from[axis], min[axis] + width + ON_LINE - from[axis]];
        if way == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let (a, b) = (low / way, high / way);
        (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
    }
    first <= last
}

/// Splits a convex polygon along the line of an edge, if the edge passes through it.
fn split(piece: Vec<Corner>, edge: &Edge) -> Vec<Vec<Corner>> {
    let [from, to] = *edge;
    let way = [to[0] - from[0], to[1] - from[1]];
    let length = libm::hypot(way[0], way[1]);
    if length == 0.0 || !crosses(&piece, edge, length) {
        return vec![piece];
    }
    // Metres to the left of the line.
    let side = |[x, _, z]: Corner| (way[0] * (z - from[1]) - way[1] * (x - from[0])) / length;
    let sides: Vec<f64> = piece.iter().map(|&corner| side(corner)).collect();
    let is_beside = |sign: f64| sides.iter().any(|side| sign * side > ON_LINE);
    if !is_beside(1.0) || !is_beside(-1.0) {
        return vec![piece];
    }
    let mut halves = [Vec::new(), Vec::new()];
    for (index, &a) in piece.iter().enumerate() {
        let next = (index + 1) % piece.len();
        let (b, from, to) = (piece[next], sides[index], sides[next]);
        let is_on = from.abs() <= ON_LINE;
        if is_on || from > 0.0 {
            halves[0].push(a);
        }
        if is_on || from < 0.0 {
            halves[1].push(a);
        }
        if (from > ON_LINE && to < -ON_LINE) || (from < -ON_LINE && to > ON_LINE) {
            // From the same end on both sides of an edge that two triangles share.
            let (a, b, from, to) = if a <= b { (a, b, from, to) } else { (b, a, to, from) };
            let share = from / (from - to);
            let between = [0, 1, 2].map(|axis| a[axis] + share * (b[axis] - a[axis]));
            halves.iter_mut().for_each(|half| half.push(between));
        }
    }
    halves.into()
}

/// Whether an edge passes through the inside of a convex polygon: Cyrus and Beck, "Generalized two- and three-dimensional
/// clipping", 1978.
fn crosses(piece: &[Corner], [from, to]: &Edge, length: f64) -> bool {
    let turn = area(piece).signum();
    let (mut first, mut last) = (0.0f64, 1.0f64);
    for (a, b) in piece.iter().zip(piece.iter().cycle().skip(1)) {
        // Twice the area that a point spans with the polygon's edge: positive inside.
        let inside = |[x, z]: [f64; 2]| turn * ((b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0]));
        let (start, end) = (inside(*from), inside(*to));
        if start <= 0.0 && end <= 0.0 {
            return false;
        }
        let share = start / (start - end);
        if start < 0.0 {
            first = first.max(share);
        } else if end < 0.0 {
            last = last.min(share);
        }
    }
    (last - first) * length > ON_LINE
}

/// Area seen from above in square metres, by the direction in which the corners go around.
fn area(piece: &[Corner]) -> f64 {
    let [x, _, z] = piece[0];
    let from_first = |corner: &Corner| [corner[0] - x, corner[2] - z];
    let pairs = piece.windows(2).map(|pair| [from_first(&pair[0]), from_first(&pair[1])]);
    0.5 * pairs.map(|[a, b]| a[0] * b[1] - a[1] * b[0]).sum::<f64>()
}

fn middle(piece: &[Corner]) -> [f64; 2] {
    [0, 2].map(|axis| piece.iter().map(|corner| corner[axis]).sum::<f64>() / piece.len() as f64)
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use proptest::prelude::*;

    use super::super::hole::{Hole, HoleArea};
    use super::*;

    const SIDE: usize = 8;

    /// Land of a sloping plane that is left, as polygons.
    fn cut(holes: &[Hole], corner: [f64; 2]) -> Vec<Vec<Corner>> {
        let outlines: Vec<_> = holes.iter().map(|hole| Arc::new(Outline::new(hole.clone()))).collect();
        let cutter = Cutter::new(&outlines, corner, 1.0, SIDE);
        let mut pieces = Vec::new();
        for index in 0..SIDE * SIDE {
            let quad = [index % SIDE, index / SIDE];
            let at = |i: usize, j: usize| {
                let [x, z] = [(quad[0] + i) as f64, (quad[1] + j) as f64];
                [x, 0.5 * x - 0.25 * z, z]
            };
            for triangle in [[at(0, 0), at(1, 1), at(1, 0)], [at(0, 0), at(0, 1), at(1, 1)]] {
                if !cutter.is_plain(quad) {
                    pieces.extend(cutter.cut(quad, triangle));
                } else if cutter.is_land(quad) {
                    pieces.push(triangle.to_vec());
                }
            }
        }
        pieces
    }

    fn land(pieces: &[Vec<Corner>]) -> f64 {
        // All go around as their triangles did: seen from above, against the clock.
        pieces.iter().map(|piece| -area(piece)).inspect(|&area| assert!(area > 0.0)).sum()
    }

    #[test]
    fn what_is_cut_out_has_the_area_of_the_hole() {
        let far = [1e6 + 3.0, -2e6];
        let at = |x: f64, z: f64| DVec3::new(far[0] + x, 9.0, far[1] + z);
        let all = (SIDE * SIDE) as f64;
        for (hole, gone) in [
            (Hole::disc(at(4.1, 3.7), 2.5), std::f64::consts::PI * 6.25),
            (Hole::disc(at(4.3, 4.2), 0.3), std::f64::consts::PI * 0.09),
            (Hole::disc(at(0.0, 8.0), 2.0), std::f64::consts::PI),
            // Along the edges of quads and their diagonals.
            (Hole::rectangle(at(4.0, 3.0), [4.0, 2.0], 0.0), 8.0),
            (Hole::rectangle(at(4.0, 4.0), [2.0_f64.sqrt(); 2], std::f64::consts::FRAC_PI_4), 2.0),
            (Hole::rectangle(at(4.2, 3.9), [5.0, 0.2], 0.7), 1.0),
            (Hole::rectangle(at(4.0, 4.0), [0.4, 0.3], 2.0), 0.12),
            (Hole::rectangle(at(4.0, 4.0), [20.0, 20.0], 0.3), all),
            (Hole::rectangle(at(40.0, 4.0), [2.0, 2.0], 0.3), 0.0),
            (Hole::polygon([at(1.0, 1.0), at(7.0, 1.0), at(7.0, 6.0), at(5.0, 6.0), at(5.0, 3.0), at(1.0, 3.0)]), 18.0),
        ] {
            let pieces = cut(std::slice::from_ref(&hole), far);
            let left = land(&pieces);
            // The chords of a disc lie within its circle, by two thirds of a millimetre on average.
            let tolerance = match &hole.area {
                HoleArea::Disc { radius, .. } => 1e-3 * std::f64::consts::TAU * radius,
                HoleArea::Rectangle { .. } | HoleArea::Polygon { .. } => 1e-5,
            };
            assert!((all - left - gone).abs() < tolerance, "{hole:?}: {left}, {gone}");
            for [x, y, z] in pieces.iter().flatten() {
                assert!((y - (0.5 * x - 0.25 * z)).abs() < 1e-9, "heights stay on their triangles");
            }
        }
    }

    proptest! {
        #[test]
        fn every_place_is_land_or_hole_as_the_outlines_say(
            corners in prop::collection::vec((-1.0..9.0f64, -1.0..9.0f64), 3..9),
            disc in (0.0..8.0f64, 0.0..8.0f64, 0.05..4.0f64),
            places in prop::collection::vec((0.01..7.99f64, 0.01..7.99f64), 40),
        ) {
            let polygon = Hole::polygon(corners.iter().map(|&(x, z)| DVec3::new(x, 0.0, z)));
            let holes = [polygon, Hole::disc(DVec3::new(disc.0, 0.0, disc.1), disc.2)];
            let outlines = holes.clone().map(Outline::new);
            let pieces = cut(&holes, [0.0; 2]);
            for (x, z) in places {
                // How far inside of a piece, in metres.
                let depth = |piece: &Vec<Corner>| {
                    let ends = piece.iter().zip(piece.iter().cycle().skip(1));
                    let sides = ends.map(|(a, b)| {
                        let side = (b[2] - a[2]) * (x - a[0]) - (b[0] - a[0]) * (z - a[2]);
                        side / libm::hypot(b[0] - a[0], b[2] - a[2])
                    });
                    sides.fold(f64::INFINITY, f64::min)
                };
                let depths: Vec<f64> = pieces.iter().map(depth).collect();
                let is_hole = |at: [f64; 2]| outlines.iter().any(|outline| outline.contains(at));
                let near = [[-2e-3, 0.0], [2e-3, 0.0], [0.0, -2e-3], [0.0, 2e-3]];
                let is_on_rim = near.iter().any(|d| is_hole([x + d[0], z + d[1]]) != is_hole([x, z]));
                if is_on_rim {
                    continue;
                }
                prop_assert!(depths.iter().filter(|&&depth| depth > 1e-7).count() <= 1, "pieces overlap");
                let is_land = depths.iter().any(|&depth| depth > -1e-5);
                prop_assert_eq!(is_land, !is_hole([x, z]), "{} {}", x, z);
            }
        }
    }
}
