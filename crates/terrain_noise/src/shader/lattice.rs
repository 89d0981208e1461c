//! The random numbers of value noise, without what lies between them.

use crate::basis::value::INSIDE;
use crate::lattice::plane::{PlaneKey, Seeds, WINDOW_CELLS, scattered, window};
use crate::lattice::{derive, unit};

/// Lattice points of value noise on the plane around a cell: for those who interpolate between them themselves, out of
/// shaders and in them. The struct `PlaneLattice` of the shader library has the same words.
///
/// The numbers are those of `value().build(seed)`, as far as 2²³ cells from the cell.
///
/// ```
/// use terrain_noise::prelude::*;
/// use terrain_noise::shader::PlaneLattice;
///
/// let noise = value().feature_size(10.0).build(7)?;
/// let [near_left, near_right, ..] = PlaneLattice::new(7, [3, -20]).corners([1, 0]);
/// assert_eq!(noise.sample([40.0, -200.0]), near_left);
/// assert_eq!(noise.sample([50.0, -200.0]), near_right);
/// # Ok::<(), NoiseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneLattice {
    /// The low words of x and z.
    cell: [u32; 2],
    /// Seeds of the window that the cell lies in, and of those beyond its nearer border along x, along z and along both.
    windows: [Seeds; 4],
}

impl PlaneLattice {
    /// Around a cell, of the lattice of `value().build(seed)`.
    #[must_use]
    pub fn new(seed: u64, cell: [i64; 2]) -> Self {
        // As of a tree that is this noise alone.
        let key = PlaneKey::new(derive(derive(seed, 0), 0x1_0000_0000));
        let [x, z] = cell.map(window);
        let [beyond_x, beyond_z] = cell.map(nearest_window);
        let windows = [[x, z], [beyond_x, z], [x, beyond_z], [beyond_x, beyond_z]].map(|window| key.seeds(window));
        Self { cell: cell.map(|cell| cell as u32), windows }
    }

    /// The numbers at the corners of the cell so many columns and rows further, in −1 to 1: at the lesser z those at the
    /// lesser and the greater x, then those at the greater z. Steps of 2²³ or more lead to other numbers.
    #[must_use]
    pub fn corners(&self, step: [i32; 2]) -> [f32; 4] {
        let cell = [0, 1].map(|axis| self.cell[axis].wrapping_add(step[axis] as u32));
        let last = cell.map(|cell| cell.wrapping_add(1));
        let is_outside = |axis: usize, to: u32| {
            let moved = to.wrapping_sub(self.cell[axis]).wrapping_add(in_window(self.cell[axis]));
            usize::from(moved >= WINDOW_CELLS)
        };
        let [x, z] = [0, 1].map(|axis| [is_outside(axis, cell[axis]), is_outside(axis, last[axis])]);
        let corners = if x == [0; 2] && z == [0; 2] {
            self.windows[0].corners(cell)
        } else {
            let part = |column: usize, row: usize| {
                let seeds = self.windows[x[column] + 2 * z[row]];
                seeds.x([cell, last][column][0]) ^ seeds.z([cell, last][row][1])
            };
            [part(0, 0), part(1, 0), part(0, 1), part(1, 1)]
        };
        corners.map(|parts| INSIDE * unit(scattered(parts)))
    }

    /// For a shader.
    #[must_use]
    pub fn words(&self) -> [u32; 10] {
        let [[a, b], [c, d], [e, f], [g, h]] = self.windows.map(Seeds::words);
        let [x, z] = self.cell;
        [x, z, a, b, c, d, e, f, g, h]
    }

    /// The lattice of these [`words`](Self::words).
    #[must_use]
    pub fn from_words([x, z, a, b, c, d, e, f, g, h]: [u32; 10]) -> Self {
        Self { cell: [x, z], windows: [[a, b], [c, d], [e, f], [g, h]].map(Seeds::from_words) }
    }
}

/// Where a cell with this low word lies in its window, from 0.
fn in_window(cell: u32) -> u32 {
    cell.wrapping_add(WINDOW_CELLS / 2) % WINDOW_CELLS
}

/// The window beyond the nearer border of a cell's own.
fn nearest_window(cell: i64) -> i64 {
    let is_low = in_window(cell as u32) < WINDOW_CELLS / 2;
    window(cell).wrapping_add(if is_low { -1 } else { 1 })
}
