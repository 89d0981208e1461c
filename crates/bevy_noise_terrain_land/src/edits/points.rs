//! Points whose heights are edited, row by row.

use terrain_noise::{Grid, Sampler, Scratch};

use super::tree::Rect;

/// Most points of a [`Row`].
pub const MOST: usize = 64;

/// Points whose heights are edited, in rows or as a list.
#[derive(Clone, Copy)]
pub enum Points<'a> {
    Grid(Grid),
    List { positions: &'a [[f64; 2]], footprint: f64 },
}

impl Points<'_> {
    /// What samples can show, in metres.
    pub fn footprint(&self) -> f64 {
        match self {
            Self::Grid(grid) => grid.footprint,
            Self::List { footprint, .. } => *footprint,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Grid(grid) => grid.len(),
            Self::List { positions, .. } => positions.len(),
        }
    }

    /// The same points as samples another distance apart show them.
    pub fn at(self, footprint: f64) -> Self {
        match self {
            Self::Grid(grid) => Self::Grid(Grid { footprint, ..grid }),
            Self::List { positions, .. } => Self::List { positions, footprint },
        }
    }

    /// The rectangle they lie in; `None` without points.
    pub fn rect(&self) -> Option<Rect> {
        match self {
            Self::Grid(grid) if grid.is_empty() => None,
            Self::Grid(grid) => {
                Some(Rect { min: [grid.x(0), grid.z(0)], max: [grid.x(grid.size[0] - 1), grid.z(grid.size[1] - 1)] })
            }
            Self::List { positions, .. } => {
                // Positions that are not numbers are in no rectangle: no edit reaches them.
                positions.iter().map(|&at| Rect::point(at)).reduce(Rect::join)
            }
        }
    }

    /// The points of a grid within a rectangle, or all of a list.
    pub fn within(&self, rect: &Rect) -> Within<'_> {
        match self {
            Self::Grid(grid) => {
                let columns = span(|column| grid.x(column), grid.size[0], grid.spacing, [rect.min[0], rect.max[0]]);
                let rows = span(|row| grid.z(row), grid.size[1], grid.spacing, [rect.min[1], rect.max[1]]);
                let start = [grid.start[0] + columns.start as i64, grid.start[1] + rows.start as i64];
                let part = Grid { start, size: [columns.len(), rows.len()], ..*grid };
                Within::Grid { part, first: rows.start * grid.size[0] + columns.start, stride: grid.size[0] }
            }
            Self::List { positions, footprint } => Within::List { positions, footprint: *footprint },
        }
    }
}

/// The indices of a row of points, `spacing` metres apart, that lie between two ends.
fn span(at: impl Fn(usize) -> f64, size: usize, spacing: f64, [low, high]: [f64; 2]) -> std::ops::Range<usize> {
    // Near enough, but for rounding.
    let guess = |end: f64| (((end - at(0)) / spacing).clamp(0.0, size as f64)) as usize;
    let mut first = guess(low).saturating_sub(1);
    while first < size && at(first) < low {
        first += 1;
    }
    let mut end = guess(high).saturating_sub(1).max(first);
    while end < size && at(end) <= high {
        end += 1;
    }
    first..end
}

/// Some of the points.
pub enum Within<'a> {
    /// Part of a grid: the index of its first point among all, and how many follow from row to row.
    Grid { part: Grid, first: usize, stride: usize },
    /// All of a list.
    List { positions: &'a [[f64; 2]], footprint: f64 },
}

/// Points with the same z, [`MOST`] at most.
pub struct Row<'a> {
    pub x: &'a [f64],
    pub z: f64,
    /// The index of the first among all points; the others follow.
    pub first: usize,
    /// Its number among the points that are visited.
    pub number: usize,
}

impl Within<'_> {
    /// Visits all of them, row by row.
    pub fn rows(&self, mut visit: impl FnMut(Row)) {
        match self {
            Self::Grid { part, first, stride } => {
                let [columns, rows] = part.size;
                let mut x = [0.0; MOST];
                for column in (0..columns).step_by(MOST) {
                    let count = MOST.min(columns - column);
                    x.iter_mut().zip(column..columns).for_each(|(x, column)| *x = part.x(column));
                    for row in 0..rows {
                        let (first, number) = (first + row * stride + column, row * columns + column);
                        visit(Row { x: &x[..count], z: part.z(row), first, number });
                    }
                }
            }
            Self::List { positions, .. } => {
                for (index, &[x, z]) in positions.iter().enumerate() {
                    visit(Row { x: &[x], z, first: index, number: index });
                }
            }
        }
    }

    /// A noise at each, in the order of their numbers.
    pub fn sample(&self, noise: &Sampler, scratch: &mut Scratch) -> Vec<f32> {
        match self {
            Self::Grid { part, .. } => {
                let mut heights = vec![0.0; part.len()];
                noise.fill(part, scratch, &mut heights);
                heights
            }
            Self::List { positions, footprint } => {
                let mut heights = vec![0.0; positions.len()];
                noise.fill_points(positions, *footprint, scratch, &mut heights);
                heights
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_the_points_within() {
        for size in [[7, 5], [150, 9], [64, 1]] {
            let grid = Grid::new([-3, 40], 0.5, size);
            let rect = Rect { min: [0.2, 20.0], max: [61.0, 21.6] };
            let (mut visited, mut numbers) = (Vec::new(), Vec::new());
            Points::Grid(grid).within(&rect).rows(|row| {
                for (k, &x) in row.x.iter().enumerate() {
                    let index = row.first + k;
                    assert_eq!([x, row.z], [grid.x(index % size[0]), grid.z(index / size[0])]);
                    visited.push(index);
                    numbers.push(row.number + k);
                }
            });
            let is_within = |&index: &usize| {
                let [x, z] = [grid.x(index % size[0]), grid.z(index / size[0])];
                (rect.min[0]..=rect.max[0]).contains(&x) && (rect.min[1]..=rect.max[1]).contains(&z)
            };
            visited.sort_unstable();
            numbers.sort_unstable();
            assert_eq!(visited, (0..grid.len()).filter(is_within).collect::<Vec<_>>());
            assert_eq!(numbers, (0..visited.len()).collect::<Vec<_>>());
        }
    }
}
