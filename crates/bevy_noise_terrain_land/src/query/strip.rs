//! The triangles of the finest land that a line passes over, one after the other.

use super::triangle::Place;

/// The strip of triangles under a line.
pub(super) struct Strip {
    line: Line,
    /// The triangle that the line leaves next, across the edge from `left` to `right`: this is its third vertex.
    behind: Vertex,
    left: Vertex,
    right: Vertex,
}

/// The vertices of a part of a strip, and where the line crosses its edges.
#[derive(Default)]
pub(super) struct Stretch {
    /// Absolute positions of vertices.
    pub vertices: Vec<[f64; 2]>,
    pub crossings: Vec<Crossing>,
}

/// Where the line passes over an edge.
pub(super) struct Crossing {
    /// Metres along the line.
    pub along: f64,
    /// The edge's ends among the vertices.
    pub ends: [usize; 2],
    /// How far along the edge, from 0 to 1.
    pub share: f64,
}

/// A line seen from above; lengths in spacings.
struct Line {
    origin: [f64; 2],
    direction: [f64; 2],
    /// How far it is moved to its left.
    shift: f64,
    spacing: f64,
}

/// A vertex of the land.
#[derive(Clone, Copy)]
struct Vertex {
    /// Its position: whole numbers.
    at: [f64; 2],
    /// How far it lies to the left of the line.
    aside: f64,
    /// How far along the line it lies.
    along: f64,
}

/// A line is moved by this much, in spacings, so that it passes through the triangle it begins in, even from its edge.
const SHIFT: f64 = 1e-6;

impl Strip {
    /// The strip from an absolute position on, in the direction of a unit vector. `None` if the numbers are too large for
    /// triangles.
    pub fn new(origin: [f64; 2], direction: [f64; 2], spacing: f64) -> Option<Self> {
        let place = Place::new(origin, spacing);
        let origin = origin.map(|metres| metres / spacing);
        let mut line = Line { origin, direction, shift: 0.0, spacing };
        let corners = place.corners().map(|[i, j]| [place.quad[0] + f64::from(i), place.quad[1] + f64::from(j)]);
        let middle = corners.map(|corner| line.vertex(corner).aside).iter().sum::<f64>() / 3.0;
        line.shift = middle.clamp(-SHIFT, SHIFT);
        let [a, b, c] = corners.map(|corner| line.vertex(corner));
        // One vertex is alone on its side.
        let [is_left, others @ ..] = [a, b, c].map(Vertex::is_left);
        let (alone, others) = match others.map(|other| other == is_left) {
            [true, true] => return None,
            [true, false] => (c, [a, b]),
            [false, true] => (b, [a, c]),
            [false, false] => (a, [b, c]),
        };
        let strips = others.map(|other| {
            let (left, right) = if alone.is_left() { (alone, other) } else { (other, alone) };
            (left, right, crossing(left, right).1)
        });
        // It enters across one edge of that vertex and leaves across the other.
        let leaves = usize::from(strips[1].2 > strips[0].2);
        let (left, right, _) = strips[leaves];
        Some(Self { line, behind: others[1 - leaves], left, right })
    }

    /// How many edges it crosses in `metres`, at most.
    pub fn edges_within(&self, metres: f64) -> usize {
        let [x, z] = self.line.direction;
        // Those along x, those along z, and the diagonals; one more of each by rounding.
        let edges = metres / self.line.spacing * (x.abs() + z.abs() + (x - z).abs());
        (edges as usize).saturating_add(3)
    }

    /// Goes on over edges between so many vertices, from the last edge of the call before.
    pub fn walk(&mut self, vertices: usize, stretch: &mut Stretch) {
        stretch.vertices.clear();
        stretch.crossings.clear();
        let mut push = |vertex: Vertex| {
            stretch.vertices.push(vertex.at.map(|spacings| spacings * self.line.spacing));
            stretch.vertices.len() - 1
        };
        let mut ends = [push(self.left), push(self.right)];
        loop {
            let (share, along) = crossing(self.left, self.right);
            stretch.crossings.push(Crossing { along: along * self.line.spacing, ends, share });
            if stretch.crossings.len() + 1 >= vertices {
                return;
            }
            // The triangles at both sides of an edge are a parallelogram.
            let [left, right, behind] = [self.left, self.right, self.behind].map(|vertex| vertex.at);
            let next = self.line.vertex([0, 1].map(|axis| left[axis] + right[axis] - behind[axis]));
            if next.is_left() {
                self.behind = std::mem::replace(&mut self.left, next);
                ends[0] = push(next);
            } else {
                self.behind = std::mem::replace(&mut self.right, next);
                ends[1] = push(next);
            }
        }
    }
}

impl Line {
    fn vertex(&self, at: [f64; 2]) -> Vertex {
        let ([x, z], [dx, dz]) = ([at[0] - self.origin[0], at[1] - self.origin[1]], self.direction);
        Vertex { at, aside: dz * x - dx * z - self.shift, along: dx * x + dz * z }
    }
}

impl Vertex {
    fn is_left(self) -> bool {
        self.aside >= 0.0
    }
}

/// Where a line crosses the edge between vertices to its left and to its right: the share of the right one, and how far along
/// the line that is.
fn crossing(left: Vertex, right: Vertex) -> (f64, f64) {
    let share = left.aside / (left.aside - right.aside);
    (share, left.along + share * (right.along - left.along))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_crosses_edges_in_their_order() {
        // Along an edge, along diagonals, through vertices, and between them.
        for direction in
            [[1.0, 0.0], [0.6, 0.8], [-0.6, 0.8], [0.5f64.sqrt(), 0.5f64.sqrt()], [-0.8, -0.6], [0.0, -1.0]]
        {
            for origin in [[0.0, 0.0], [2.0, 1.0], [0.25, 0.25], [5e8 + 0.7, -3.1], [0.3, 0.9]] {
                let mut strip = Strip::new(origin, direction, 2.0).unwrap();
                let (mut stretch, mut before) = (Stretch::default(), -1e-3);
                for vertices in [3, 16, 40] {
                    strip.walk(vertices, &mut stretch);
                    assert_eq!((stretch.vertices.len(), stretch.crossings.len()), (vertices, vertices - 1));
                    for Crossing { along, ends, share } in &stretch.crossings {
                        assert!(*along > before - 1e-5 && (0.0..=1.0).contains(share), "{along} after {before}");
                        before = *along;
                        let [left, right] = ends.map(|end| stretch.vertices[end]);
                        for axis in [0, 1] {
                            let met = left[axis] + share * (right[axis] - left[axis]);
                            let expected = origin[axis] + along * direction[axis];
                            assert!((met - expected).abs() < 1e-5, "{origin:?} {direction:?}: {met} for {expected}");
                            assert!((right[axis] - left[axis]).abs() <= 2.0, "an edge of a triangle");
                        }
                    }
                }
                assert!(strip.edges_within(before) >= 3 + 16 + 40 - 5, "{before}");
            }
        }
        assert!(Strip::new([1e300, 1e300], [1.0, 0.0], 1.0).is_none());
        assert!(Strip::new([f64::NAN, 0.0], [1.0, 0.0], 1.0).is_none());
    }
}
