//! How much of the sky is seen from within a volume.

use super::lattice::Lattice;

/// Metres of air to the open sky after which it is dark.
const REACH: f64 = 16.0;
/// How often light fades to 1/e on the way there.
const FADES: f32 = 2.0;
/// What is left of it: eyes get used to the dark.
const DARK: f32 = 0.04;
/// Passes over all samples in both directions: light goes around as many corners.
const PASSES: usize = 2;

/// The light of the sky at the samples of a lattice: 1 in the open, less with every metre of air to it.
///
/// Distances are those of a chamfer transform along the axes: Borgefors, "Distance transformations in digital images", 1986.
pub(super) struct SkyLight {
    count: [usize; 3],
    /// Cells of air to the open sky; infinite in rock. In the order of the lattice's values.
    far: Vec<f32>,
    /// Cells after which it is dark.
    reach: f32,
}

/// Quads of land around a piece that light comes from: whole cells of the coarsest level. On fine land, where they would be many,
/// it reaches less far.
pub(crate) fn apron(spacing: f64) -> f64 {
    if spacing < 1.0 { 32.0 } else { 16.0 }
}

impl SkyLight {
    /// On land with vertices `spacing` metres apart.
    pub fn new(lattice: &Lattice, spacing: f64) -> Self {
        let [nx, ny, nz] = lattice.count();
        let mut far = vec![f32::INFINITY; nx * ny * nz];
        let is_air = |at: [usize; 3]| lattice.value(at) <= 0.0;
        let at = |x: usize, y: usize, z: usize| (z * ny + y) * nx + x;
        for z in 0..nz {
            for x in 0..nx {
                for y in (0..ny).rev().take_while(|&y| is_air([x, y, z])) {
                    far[at(x, y, z)] = 0.0;
                }
            }
        }
        let steps = [1, nx, nx * ny];
        for pass in 0..2 * PASSES {
            let is_back = pass % 2 == 1;
            for k in 0..far.len() {
                let index = if is_back { far.len() - 1 - k } else { k };
                let place = [index % nx, index / nx % ny, index / (nx * ny)];
                if far[index] == 0.0 || !is_air(place) {
                    continue;
                }
                for axis in 0..3 {
                    let neighbour = if is_back { index + steps[axis] } else { index.wrapping_sub(steps[axis]) };
                    let has_one = if is_back { place[axis] + 1 < [nx, ny, nz][axis] } else { place[axis] > 0 };
                    if has_one {
                        far[index] = far[index].min(far[neighbour] + 1.0);
                    }
                }
            }
        }
        // So that pieces agree along their borders, no light comes from farther than they look.
        let reach = REACH.min(apron(spacing) * spacing) / lattice.width();
        Self { count: [nx, ny, nz], far, reach: reach as f32 }
    }

    /// The light after some cells of air.
    fn after(&self, far: f32) -> f32 {
        let end = (-FADES).exp();
        let fresh = (((-FADES * far / self.reach).exp() - end) / (1.0 - end)).max(0.0);
        DARK + (1.0 - DARK) * fresh
    }

    /// The light at a place, given in cells from the first sample: the mean of the samples of air around it.
    pub fn at(&self, place: [f64; 3]) -> f32 {
        let [nx, ny, _] = self.count;
        let cell = [0, 1, 2].map(|axis| (place[axis] as usize).min(self.count[axis].saturating_sub(2)));
        let (mut sum, mut weight) = (0.0, 0.0);
        for corner in 0..8 {
            let way = [corner & 1, corner >> 1 & 1, corner >> 2];
            let index = ((cell[2] + way[2]) * ny + cell[1] + way[1]) * nx + cell[0] + way[0];
            let far = self.far[index];
            if far.is_finite() {
                let part = |axis: usize| {
                    let part = (place[axis] - cell[axis] as f64) as f32;
                    if way[axis] == 1 { part } else { 1.0 - part }
                };
                let own = part(0) * part(1) * part(2) + 1e-3;
                sum += own * self.after(far);
                weight += own;
            }
        }
        if weight > 0.0 { sum / weight } else { DARK }
    }
}
