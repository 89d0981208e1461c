//! Where vertices of a volume move to with distance: the nearest places on the surface of the next coarser level.

use bevy::math::DVec3;
use terrain_noise::Scratch;

use super::lattice::Lattice;
use super::sky_light::SkyLight;

/// The surface of a level, for vertices of the next finer one.
pub(super) struct MorphTargets<'a> {
    lattice: Lattice<'a>,
    vertices: Vec<Target>,
    triangles: Vec<[u32; 3]>,
    /// Triangles by the cell that they lie in: where those of each cell begin in `sorted`.
    begins: Vec<u32>,
    sorted: Vec<u32>,
}

/// A place on a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// In cells of the coarser lattice at first; an absolute position in metres when it is handed out.
    pub at: DVec3,
    pub normal: DVec3,
    /// Light of the sky.
    pub light: f64,
}

impl<'a> MorphTargets<'a> {
    /// On land with vertices `spacing` metres apart.
    pub fn new(lattice: Lattice<'a>, spacing: f64, scratch: &mut Scratch) -> Self {
        let surface = lattice.surface(scratch);
        let sky = SkyLight::new(&lattice, spacing);
        let normals = lattice.normals(&surface.vertices, scratch);
        let target = |(&at, normal): (&[f64; 3], [f32; 3])| Target {
            at: at.into(),
            normal: normal.map(f64::from).into(),
            light: sky.at(at).into(),
        };
        let vertices: Vec<_> = surface.vertices.iter().zip(normals).map(target).collect();
        let mut targets =
            Self { lattice, vertices, triangles: surface.triangles, begins: Vec::new(), sorted: Vec::new() };
        targets.sort();
        targets
    }

    /// The nearest place, within the width of a cell, on triangles that face the same way as a vertex; `None` if there is none.
    /// [`Target::at`] is an absolute position, as `at`.
    pub fn nearest(&self, at: [f64; 3], normal: DVec3) -> Option<Target> {
        let place = DVec3::from(self.lattice.place(at));
        let cell = self.cell(place);
        let (mut least, mut nearest) = (1.0, None);
        let mut look = |way: [i64; 3]| {
            let Some(cell) = self.beside(cell, way) else { return };
            let low = DVec3::from(cell.map(|cell| cell as f64));
            if (place - place.clamp(low, low + 1.0)).length_squared() >= least {
                return;
            }
            for &triangle in self.in_cell(cell) {
                let corners = self.triangles[triangle as usize].map(|corner| self.vertices[corner as usize]);
                let points = corners.map(|corner| corner.at);
                if (points[1] - points[0]).cross(points[2] - points[0]).dot(normal) <= 0.0 {
                    continue;
                }
                let weights = nearest_of_triangle(points, place);
                let mix = |part: fn(&Target) -> DVec3| (0..3).map(|k| weights[k] * part(&corners[k])).sum::<DVec3>();
                let at = mix(|target| target.at);
                let far = (at - place).length_squared();
                if far < least {
                    least = far;
                    let light = (0..3).map(|k| weights[k] * corners[k].light).sum();
                    nearest = Some(Target { at, normal: mix(|target| target.normal).normalize_or(normal), light });
                }
            }
        };
        look([0; 3]);
        for k in (0..27).filter(|&k| k != 13) {
            look([k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1]);
        }
        nearest.map(|target| Target { at: self.lattice.site(target.at.to_array()).at.into(), ..target })
    }

    /// Sorts triangles by cell.
    fn sort(&mut self) {
        let cells: Vec<usize> = self.triangles.iter().map(|corners| self.index(self.cell_of(corners))).collect();
        let [nx, ny, nz] = self.lattice.count();
        self.begins = vec![0; nx * ny * nz + 1];
        for &cell in &cells {
            self.begins[cell + 1] += 1;
        }
        for cell in 1..self.begins.len() {
            self.begins[cell] += self.begins[cell - 1];
        }
        let mut next = self.begins.clone();
        self.sorted = vec![0; cells.len()];
        for (triangle, &cell) in cells.iter().enumerate() {
            self.sorted[next[cell] as usize] = triangle as u32;
            next[cell] += 1;
        }
    }

    fn cell_of(&self, corners: &[u32; 3]) -> [usize; 3] {
        self.cell(corners.iter().map(|&corner| self.vertices[corner as usize].at).sum::<DVec3>() / 3.0)
    }

    /// The cell that a place is in, or the nearest one.
    fn cell(&self, place: DVec3) -> [usize; 3] {
        let count = self.lattice.count();
        [0, 1, 2].map(|axis| (place[axis].max(0.0) as usize).min(count[axis] - 1))
    }

    fn beside(&self, cell: [usize; 3], way: [i64; 3]) -> Option<[usize; 3]> {
        let count = self.lattice.count();
        let beside = [0, 1, 2].map(|axis| cell[axis] as i64 + way[axis]);
        (0..3).all(|axis| (0..count[axis] as i64).contains(&beside[axis])).then(|| beside.map(|cell| cell as usize))
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        let [nx, ny, _] = self.lattice.count();
        (z * ny + y) * nx + x
    }

    fn in_cell(&self, cell: [usize; 3]) -> &[u32] {
        let index = self.index(cell);
        &self.sorted[self.begins[index] as usize..self.begins[index + 1] as usize]
    }
}

/// How much of each corner the point of a triangle has that is nearest to another point.
fn nearest_of_triangle(corners: [DVec3; 3], to: DVec3) -> [f64; 3] {
    let [a, b, c] = corners;
    let across = (b - a).cross(c - a);
    let area = across.length_squared();
    let weights = [(c - b, b), (a - c, c), (b - a, a)].map(|(edge, from)| across.dot(edge.cross(to - from)) / area);
    if weights.iter().all(|&weight| weight >= 0.0) {
        return weights;
    }
    // It is on an edge.
    let on_edge = |from: usize| {
        let next = (from + 1) % 3;
        let edge = corners[next] - corners[from];
        let length = edge.length_squared();
        let part = if length > 0.0 { ((to - corners[from]).dot(edge) / length).clamp(0.0, 1.0) } else { 0.0 };
        let mut weights = [0.0; 3];
        (weights[from], weights[next]) = (1.0 - part, part);
        ((corners[from] + part * edge - to).length_squared(), weights)
    };
    let [first, second, third] = [0, 1, 2].map(on_edge);
    [second, third].into_iter().fold(first, |least, other| if other.0 < least.0 { other } else { least }).1
}

#[cfg(test)]
mod tests {
    use super::super::lattice::tests::{land, volume, whole};
    use super::*;

    #[test]
    fn the_nearest_point_of_a_triangle_is_nearer_than_others() {
        let mut random = 1u32;
        let mut next = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(random >> 8) / f64::from(1 << 24)
        };
        for _ in 0..2_000 {
            let mut point = || DVec3::new(next(), next(), next());
            let (corners, to) = ([point(), point(), point()], 2.0 * point() - 0.5);
            let of = |weights: [f64; 3]| (0..3).map(|k| weights[k] * corners[k]).sum::<DVec3>();
            let weights = nearest_of_triangle(corners, to);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9 && weights.iter().all(|&w| w >= 0.0));
            let least = of(weights).distance(to);
            for _ in 0..50 {
                let [u, v] = [next(), next()];
                let other = if u + v > 1.0 { [1.0 - u, 1.0 - v, u + v - 1.0] } else { [u, v, 1.0 - u - v] };
                assert!(of(other).distance(to) >= least - 1e-9);
            }
        }
    }

    #[test]
    fn vertices_have_a_target_on_the_coarser_surface() {
        let (volume, land) = (volume(), land());
        let mut scratch = Scratch::default();
        for level in 0..2 {
            let sample = |level| {
                Lattice::sample(&volume, &land, 1.0, whole(&volume, level), &mut Scratch::default()).expect("samples")
            };
            let (fine, targets) = (sample(level), MorphTargets::new(sample(level + 1), 1.0, &mut scratch));
            let surface = fine.surface(&mut scratch);
            let normals = fine.normals(&surface.vertices, &mut scratch);
            let (mut found, mut far) = (0, 0);
            for (&vertex, normal) in surface.vertices.iter().zip(normals) {
                let at = fine.site(vertex).at;
                let Some(target) = targets.nearest(at, normal.map(f64::from).into()) else { continue };
                found += 1;
                let moved = target.at.distance(at.into());
                far += usize::from(moved > 0.5 * targets.lattice.width());
                // It is on the coarser surface: the density there is near 0.
                let density = targets.lattice.values_at(&[targets.lattice.place(target.at.to_array())], &mut scratch);
                assert!(density[0].abs() < targets.lattice.width(), "{density:?}");
            }
            let all = surface.vertices.len();
            // Small lumps of the finer level are not there in the coarser one.
            assert!(4 * found > 3 * all && 8 * far < all, "{found} of {all}, {far} far");
        }
    }
}
