//! The surface through a grid of heights, row by row: loops over arrays, which the compiler turns into vector
//! instructions.

use super::shade::Shade;

/// The length of rows that hold a chunk's vertices: a multiple of the registers' lengths.
pub const ROW: usize = 72;
/// The length of rows that hold every second vertex, and one more.
pub const HALF_ROW: usize = 40;

/// Heights around vertices: `stride` a row, with a border of one sample.
#[derive(Clone, Copy)]
pub struct Samples<'a> {
    pub heights: &'a [f32],
    pub stride: usize,
    /// Distance between samples in metres.
    pub spacing: f64,
}

impl<'a> Samples<'a> {
    /// The samples around `COUNT` vertices of row `j`: those before, at and after it along z.
    #[inline(always)]
    fn rows<const COUNT: usize>(&self, j: usize) -> [&'a [f32]; 3] {
        let rows = &self.heights[j * self.stride..];
        [&rows[..COUNT + 2], &rows[self.stride..][..COUNT + 2], &rows[2 * self.stride..][..COUNT + 2]]
    }

    /// Gradients (∂x, ∂z) at `COUNT` vertices of row `j`, by central differences; the rest is 0.
    #[inline(always)]
    pub fn gradients<const COUNT: usize, const N: usize>(&self, j: usize) -> [[f32; N]; 2] {
        let [before, here, after] = self.rows::<COUNT>(j);
        let scale = (0.5 / self.spacing) as f32;
        let [mut dx, mut dz] = [[0.0; N]; 2];
        for i in 0..COUNT {
            dx[i] = (here[i + 2] - here[i]) * scale;
            dz[i] = (after[i + 1] - before[i + 1]) * scale;
        }
        [dx, dz]
    }
}

/// A row of vertices of a surface. Beyond the vertices lie copies of the last height, and zeros.
#[derive(Clone, Copy)]
pub struct SurfaceRow<const N: usize> {
    pub height: [f32; N],
    gradient: [[f32; N]; 2],
    /// The sum of the four slopes away from a vertex, positive in hollows.
    curvature: [f32; N],
}

impl<const N: usize> SurfaceRow<N> {
    /// `COUNT` vertices of row `j`.
    #[inline(always)]
    pub fn new<const COUNT: usize>(samples: &Samples, j: usize) -> Self {
        let [before, here, after] = samples.rows::<COUNT>(j);
        let spacing = samples.spacing as f32;
        let mut curvature = [0.0; N];
        for i in 0..COUNT {
            let around = (here[i + 2] + here[i]) + (after[i + 1] + before[i + 1]);
            curvature[i] = (around - 4.0 * here[i + 1]) / spacing;
        }
        let mut height = [here[COUNT]; N];
        height[..COUNT].copy_from_slice(&here[1..=COUNT]);
        Self { height, gradient: samples.gradients::<COUNT, N>(j), curvature }
    }

    /// Packed normals and curvatures.
    #[inline(always)]
    pub fn shades(&self) -> [Shade; N] {
        let mut shades = [Shade::default(); N];
        for (i, shade) in shades.iter_mut().enumerate() {
            *shade = Shade::new([self.gradient[0][i], self.gradient[1][i]], self.curvature[i]);
        }
        shades
    }
}

impl SurfaceRow<ROW> {
    /// The row between two rows of a grid with half as many vertices; `low` and `high` may be the same. Odd vertices lie
    /// in the middle of an edge, or of the diagonal from lesser to greater x and z along which every quad is split.
    #[inline(always)]
    pub fn between(low: &SurfaceRow<HALF_ROW>, high: &SurfaceRow<HALF_ROW>) -> Self {
        Self {
            height: middles(&low.height, &high.height),
            gradient: [middles(&low.gradient[0], &high.gradient[0]), middles(&low.gradient[1], &high.gradient[1])],
            curvature: middles(&low.curvature, &high.curvature),
        }
    }
}

#[inline(always)]
fn middles(low: &[f32; HALF_ROW], high: &[f32; HALF_ROW]) -> [f32; ROW] {
    let mut middles = [0.0; ROW];
    for i in 0..ROW / 2 {
        middles[2 * i] = 0.5 * (low[i] + high[i]);
        middles[2 * i + 1] = 0.5 * (low[i] + high[i + 1]);
    }
    middles
}
