//! The heights of a region.

use terrain_noise::{Grid, Scratch};

use super::{ExportError, Progress};
use crate::query::Surface;

/// A rectangle of the plane, in absolute metres, and how finely it is sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Least x and z.
    pub min: [f64; 2],
    /// Width along x and z.
    pub size: [f64; 2],
    /// Distance between samples.
    pub spacing: f64,
}

impl Region {
    /// A square with sides of `width` metres.
    pub fn around(center: [f64; 2], width: f64, spacing: f64) -> Self {
        Self { min: center.map(|middle| middle - 0.5 * width), size: [width; 2], spacing }
    }

    /// Samples along x and z, both ends included.
    pub fn samples(&self) -> [usize; 2] {
        self.size.map(|width| ((width / self.spacing).round() as usize).saturating_add(1))
    }

    /// Rejects regions that cannot be sampled or have more than `most` samples on a side.
    pub(super) fn check(&self, most: usize) -> Result<(), ExportError> {
        let fault = |field, found, allowed: String| Err(ExportError::Region { field, found, allowed });
        for (field, found) in [("x", self.min[0]), ("z", self.min[1])] {
            if !(-1e12..=1e12).contains(&found) {
                return fault(field, found, "at most 1e12 m from 0".into());
            }
        }
        if !(0.001..=1e6).contains(&self.spacing) {
            return fault("spacing", self.spacing, "from 0.001 to 1e6 m".into());
        }
        for (field, width) in [("width", self.size[0]), ("depth", self.size[1])] {
            let longest = (most - 1) as f64 * self.spacing;
            if !(self.spacing..=longest).contains(&width) {
                return fault(field, width, format!("from {} to {longest} m at this spacing", self.spacing));
            }
        }
        Ok(())
    }
}

/// Heights on a grid, row-major with x fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Heights {
    /// Columns (along x) and rows (along z).
    pub size: [usize; 2],
    /// Absolute x and z of the first sample, a multiple of the spacing.
    pub origin: [f64; 2],
    /// Distance between samples in metres.
    pub spacing: f64,
    /// Heights in metres.
    pub heights: Vec<f32>,
    /// The lowest height.
    pub min: f32,
    /// The highest height.
    pub max: f32,
}

impl Heights {
    /// Samples a region; its first corner is rounded to a multiple of the spacing.
    ///
    /// # Errors
    /// If it was cancelled.
    pub fn sample(surface: &Surface, region: &Region, progress: &Progress) -> Result<Self, ExportError> {
        /// Rows between updates of the progress.
        const ROWS: usize = 16;
        let size = region.samples();
        let first = region.min.map(|metres| (metres / region.spacing).round() as i64);
        let mut heights = vec![0.0; size[0] * size[1]];
        let mut scratch = Scratch::default();
        for (band, rows) in heights.chunks_mut(size[0] * ROWS).enumerate() {
            if !progress.step(band * ROWS, size[1]) {
                return Err(ExportError::Cancelled);
            }
            let start = [first[0], first[1] + (band * ROWS) as i64];
            let grid = Grid::new(start, region.spacing, [size[0], rows.len() / size[0]]);
            surface.source().fill(&grid, &mut scratch, rows);
        }
        progress.step(1, 1);
        let (min, max) = heights
            .iter()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(min, max), &height| (min.min(height), max.max(height)));
        let origin = first.map(|first| first as f64 * region.spacing);
        Ok(Self { size, origin, spacing: region.spacing, heights, min, max })
    }

    /// The height of a sample.
    pub(super) fn at(&self, column: usize, row: usize) -> f32 {
        self.heights[row * self.size[0] + column]
    }

    /// Position of a sample: x and z relative to the centre of the region, absolute height.
    pub(super) fn position(&self, column: usize, row: usize) -> [f32; 3] {
        let along = |index: usize, count: usize| (index as f64 - 0.5 * (count - 1) as f64) * self.spacing;
        [along(column, self.size[0]) as f32, self.at(column, row), along(row, self.size[1]) as f32]
    }

    /// Unit normal at a sample, from its neighbours.
    pub(super) fn normal(&self, column: usize, row: usize) -> [f32; 3] {
        let slope = |low: f32, high: f32, steps: usize| (high - low) / (steps as f32 * self.spacing as f32);
        let (left, right) = (column.saturating_sub(1), (column + 1).min(self.size[0] - 1));
        let (up, down) = (row.saturating_sub(1), (row + 1).min(self.size[1] - 1));
        let dx = slope(self.at(left, row), self.at(right, row), right - left);
        let dz = slope(self.at(column, up), self.at(column, down), down - up);
        let length = (1.0 + dx * dx + dz * dz).sqrt();
        [-dx / length, 1.0 / length, -dz / length]
    }

    /// The corners of the two triangles of each quad, counter-clockwise from above, split along the same
    /// diagonal as the drawn land.
    pub(super) fn triangles(&self, row: usize) -> impl Iterator<Item = [u32; 3]> + use<> {
        let columns = self.size[0];
        let index = move |i: usize, j: usize| (j * columns + i) as u32;
        (0..columns - 1).flat_map(move |i| {
            let (a, b, c, d) = (index(i, row), index(i + 1, row), index(i + 1, row + 1), index(i, row + 1));
            [[a, d, c], [a, c, b]]
        })
    }

    /// The centre of the region, in absolute metres.
    pub(super) fn center(&self) -> [f64; 2] {
        [0, 1].map(|axis| self.origin[axis] + 0.5 * (self.size[axis] - 1) as f64 * self.spacing)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::terrain::NoiseTerrain;

    pub fn some() -> Heights {
        let surface = NoiseTerrain::default().surface().unwrap();
        Heights::sample(&surface, &Region::around([500.0, -300.0], 60.0, 2.0), &Progress::default()).unwrap()
    }

    #[test]
    fn samples_are_those_of_the_surface() {
        let surface = NoiseTerrain::default().surface().unwrap();
        let region = Region { min: [100.0, -50.0], size: [20.0, 40.0], spacing: 1.0 };
        let heights = Heights::sample(&surface, &region, &Progress::default()).unwrap();
        assert_eq!(heights.size, [21, 41]);
        for (column, row) in [(0, 0), (20, 40), (7, 16), (3, 33)] {
            let expected = surface.height(100.0 + column as f64, -50.0 + row as f64);
            assert!((f64::from(heights.at(column, row)) - expected).abs() < 1e-3);
        }
        assert_eq!(heights.min, heights.heights.iter().copied().fold(f32::INFINITY, f32::min));
    }

    #[test]
    fn invalid_regions_are_rejected_with_the_field() {
        let good = Region::around([0.0, 0.0], 100.0, 1.0);
        assert!(good.check(2_049).is_ok());
        for (region, field) in [
            (Region { spacing: 0.0, ..good }, "spacing"),
            (Region { spacing: f64::NAN, ..good }, "spacing"),
            (Region { size: [1e9, 100.0], ..good }, "width"),
            (Region { size: [100.0, 0.5], ..good }, "depth"),
            (Region { min: [f64::NAN, 0.0], ..good }, "x"),
        ] {
            let error = region.check(2_049).unwrap_err().to_string();
            assert!(error.starts_with(field), "{error}");
        }
    }

    #[test]
    fn triangles_face_up_and_cover_the_region_once() {
        let heights = some();
        let mut area = 0.0;
        for row in 0..heights.size[1] - 1 {
            for [a, b, c] in heights.triangles(row) {
                let at =
                    |index: u32| heights.position(index as usize % heights.size[0], index as usize / heights.size[0]);
                let ([ax, _, az], [bx, _, bz], [cx, _, cz]) = (at(a), at(b), at(c));
                let up = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
                assert!(up > 0.0);
                area += 0.5 * up;
            }
        }
        assert!((area - 3_600.0).abs() < 1e-2, "{area}");
    }
}
