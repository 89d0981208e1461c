//! Samples of a volume's density.

use terrain_noise::{Grid, Scratch};

use super::density::{Density, LandPoint};
use super::prepared::Prepared;
use crate::source::HeightSource;

/// Heights of samples, as a part of a cell over whole numbers of cells: land at a whole height does not lie on samples.
const OFFSET: f64 = 0.381_966;
/// The greatest number of samples of a lattice.
const MOST_SAMPLES: usize = 40_000_000;

/// Columns of cells of a level, seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    pub level: u8,
    /// Least x and z, in cells.
    pub first: [i64; 2],
    /// Number along x and z.
    pub count: [usize; 2],
}

/// Samples of a density.
#[cfg_attr(not(feature = "render"), allow(dead_code, reason = "normals are for what is drawn"))]
pub(crate) struct Lattice<'a> {
    density: Density<'a>,
    cells: Cells,
    /// Width of a cell in metres.
    width: f64,
    /// The lowest sample.
    bottom: i64,
    /// Samples along x, y and z.
    count: [usize; 3],
    /// Heights of the land, with one more sample on every side, x fastest.
    heights: Vec<f32>,
    /// x fastest, then y.
    values: Vec<f32>,
}

#[cfg_attr(not(feature = "render"), allow(dead_code, reason = "normals are for what is drawn"))]
impl<'a> Lattice<'a> {
    /// Samples columns of a volume; `None` if its land has no height somewhere, or if there were too many samples.
    pub fn sample(
        volume: &'a Prepared,
        land: &dyn HeightSource,
        spacing: f64,
        cells: Cells,
        scratch: &mut Scratch,
    ) -> Option<Self> {
        let width = spacing * f64::from(1u32 << cells.level);
        let density = Density::new(volume, spacing, width);
        let [nx, nz] = cells.count.map(|count| count + 1);
        let around = cells.first.map(|first| first - 1);
        let mut heights = vec![0.0; (nx + 2) * (nz + 2)];
        land.fill(&Grid::new(around, width, [nx + 2, nz + 2]), scratch, &mut heights);
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for &height in &heights {
            if !height.is_finite() {
                return None;
            }
            let [low, high] = density.span(f64::from(height));
            range = [range[0].min(low), range[1].max(high)];
        }
        let bottom = (range[0] / width - OFFSET).floor() as i64 - 1;
        let top = (range[1] / width - OFFSET).ceil() as i64 + 1;
        let ny = usize::try_from(top - bottom).ok()? + 1;
        if nx.checked_mul(ny)?.checked_mul(nz)? > MOST_SAMPLES {
            return None;
        }
        let mut lattice = Self { density, cells, width, bottom, count: [nx, ny, nz], heights, values: Vec::new() };
        lattice.values.reserve_exact(nx * ny * nz);
        for z in 0..nz {
            let sites: Vec<LandPoint> =
                (0..nx * ny).map(|k| lattice.site([k % nx, k / nx, z].map(|part| part as f64))).collect();
            lattice.values.extend(density.values(&sites, scratch).into_iter().map(|value| value as f32));
        }
        Some(lattice)
    }

    /// Samples along x, y and z.
    pub fn count(&self) -> [usize; 3] {
        self.count
    }

    /// Width of a cell in metres.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The density of a sample: above 0 in rock.
    pub fn value(&self, [x, y, z]: [usize; 3]) -> f32 {
        let [nx, ny, _] = self.count;
        self.values[(z * ny + y) * nx + x]
    }

    /// Densities of samples along x.
    pub fn row(&self, y: usize, z: usize) -> &[f32] {
        let [nx, ny, _] = self.count;
        let start = (z * ny + y) * nx;
        &self.values[start..start + nx]
    }

    /// The height of a place, given in cells from the first sample, in metres.
    pub fn altitude(&self, y: f64) -> f64 {
        (self.bottom as f64 + OFFSET + y) * self.width
    }

    /// A point, given in cells from the first sample, and the land there.
    pub fn site(&self, [x, y, z]: [f64; 3]) -> LandPoint {
        let [nx, _, nz] = self.count;
        let cell = |metres: f64, count: usize| (metres as usize).min(count - 2);
        let [i, k] = [cell(x, nx), cell(z, nz)];
        let [u, v] = [x - i as f64, z - k as f64];
        let row = nx + 2;
        let height = |i: usize, k: usize| f64::from(self.heights[(k + 1) * row + i + 1]);
        let beside = |i: usize, k: usize, dx: usize, dz: usize| {
            let at = (k + 1) * row + i + 1;
            f64::from(self.heights[at + dx + dz * row]) - f64::from(self.heights[at - dx - dz * row])
        };
        // The land's triangles: the diagonal goes from lesser to greater x and z.
        let [a, b, c, d] = [height(i, k), height(i + 1, k), height(i + 1, k + 1), height(i, k + 1)];
        let land = if u >= v { a + u * (b - a) + v * (c - b) } else { a + v * (d - a) + u * (c - d) };
        let mix = |a: f64, b: f64, t: f64| a + t * (b - a);
        let slope = [[1, 0], [0, 1]].map(|[dx, dz]| {
            let corner = |i: usize, k: usize| beside(i, k, dx, dz);
            let rise = mix(mix(corner(i, k), corner(i + 1, k), u), mix(corner(i, k + 1), corner(i + 1, k + 1), u), v);
            0.5 * rise / self.width
        });
        let [first_x, first_z] = self.cells.first.map(|first| first as f64);
        let at = [(first_x + x) * self.width, self.altitude(y), (first_z + z) * self.width];
        LandPoint { at, height: land, slope }
    }

    /// A position, in cells from the first sample: the inverse of [`site`](Self::site).
    pub fn place(&self, at: [f64; 3]) -> [f64; 3] {
        let [first_x, first_z] = self.cells.first.map(|first| first as f64);
        let [x, y, z] = at.map(|metres| metres / self.width);
        [x - first_x, y - OFFSET - self.bottom as f64, z - first_z]
    }

    /// Densities at places, given in cells from the first sample.
    pub fn values_at(&self, places: &[[f64; 3]], scratch: &mut Scratch) -> Vec<f64> {
        let sites: Vec<_> = places.iter().map(|&place| self.site(place)).collect();
        self.density.values(&sites, scratch)
    }

    /// Unit normals of the surface at its vertices, out of the rock.
    pub fn normals(&self, vertices: &[[f64; 3]], scratch: &mut Scratch) -> Vec<[f32; 3]> {
        let sites: Vec<_> = vertices.iter().map(|&vertex| self.site(vertex)).collect();
        self.density.normals(&sites, scratch)
    }
}

#[cfg(test)]
pub mod tests {
    use std::sync::Arc;

    use terrain_noise::prelude::*;

    use super::super::list::VolumeId;
    use super::super::places::VolumeKey;
    use super::super::prepared::COARSEST;
    use super::super::volume::{TerrainVolume, VolumeShape};
    use super::{Lattice, *};
    use crate::edits::VolumeHole;
    use crate::source::NoiseSource;

    pub fn land() -> NoiseSource {
        NoiseSource(perlin().fbm().octaves(3).feature_size(60.0).range(-12.0, 12.0).build(3).unwrap())
    }

    pub fn volume() -> Prepared {
        let noise = |size: f64, most: f64| perlin().fbm().octaves(2).feature_size(size).range(-most, most);
        let shapes = vec![
            VolumeShape::Displace { noise: noise(12.0, 5.0) },
            VolumeShape::Fill { noise: noise(10.0, 8.0) },
            VolumeShape::Carve { noise: noise(14.0, 9.0) },
        ];
        Prepared::new(TerrainVolume { center: [8.0, 40.0], shapes, ..TerrainVolume::default() }).unwrap()
    }

    pub fn whole(volume: &Prepared, level: u8) -> Cells {
        let rect = volume.rect(1.0);
        let width = f64::from(1u32 << level);
        let first = [0, 1].map(|axis| (rect.min[axis] / width) as i64);
        Cells { level, first, count: [0, 1].map(|axis| ((rect.max[axis] - rect.min[axis]) / width) as usize) }
    }

    #[test]
    fn its_sides_are_the_land_vertex_by_vertex() {
        let (volume, land) = (volume(), land());
        for level in 0..4 {
            let lattice = Lattice::sample(&volume, &land, 1.0, whole(&volume, level), &mut Scratch::default()).unwrap();
            let mut met = 0;
            for vertex in lattice.surface(&mut Scratch::default()).vertices {
                let [nx, _, nz] = lattice.count();
                let is_side = vertex[0] == 0.0
                    || vertex[0] == (nx - 1) as f64
                    || vertex[2] == 0.0
                    || vertex[2] == (nz - 1) as f64;
                if is_side {
                    let site = lattice.site(vertex);
                    assert!((site.at[1] - site.height).abs() < 2e-4 * lattice.width(), "{site:?}");
                    met += 1;
                }
            }
            assert!(met >= 4 * (whole(&volume, level).count[0]), "{met}");
        }
    }

    #[test]
    fn cells_of_every_level_fill_the_box() {
        let volume = TerrainVolume { center: [7.3, -901.0], size: [3.0, 70.0], ..TerrainVolume::default() };
        let volume = Arc::new(Prepared::new(volume).unwrap());
        for spacing in [0.3, 1.0, 2.5] {
            let rect = volume.rect(spacing);
            let hole =
                VolumeHole { key: VolumeKey::Listed(VolumeId(0)), volume: volume.clone(), spacing, is_drawn: true };
            for level in 0..=COARSEST {
                let Cells { first, count, .. } = hole.cells(level, &rect).unwrap();
                let width = spacing * f64::from(1u32 << level);
                for axis in 0..2 {
                    let side = |cells: i64, metres: f64| assert!((cells as f64 * width - metres).abs() < 1e-6);
                    side(first[axis], rect.min[axis]);
                    side(first[axis] + count[axis] as i64, rect.max[axis]);
                }
            }
        }
    }

    #[test]
    fn triangles_face_the_air() {
        let (volume, land) = (volume(), land());
        let lattice = Lattice::sample(&volume, &land, 1.0, whole(&volume, 0), &mut Scratch::default()).unwrap();
        let surface = lattice.surface(&mut Scratch::default());
        let normals = lattice.normals(&surface.vertices, &mut Scratch::default());
        let (mut with, mut against) = (0, 0);
        for &[a, b, c] in &surface.triangles {
            let [p, q, r] = [a, b, c].map(|vertex| bevy::math::DVec3::from(surface.vertices[vertex as usize]));
            let face = (q - p).cross(r - p);
            let normal: bevy::math::Vec3 =
                [a, b, c].map(|vertex| bevy::math::Vec3::from(normals[vertex as usize])).iter().sum();
            *if face.dot(normal.as_dvec3()) > 0.0 { &mut with } else { &mut against } += 1;
        }
        assert!(against * 50 < with, "{against} of {with}");
    }

    fn noise() -> Noise {
        perlin().fbm().octaves(4).feature_size(30.0).range(-9.0, 9.0)
    }

    /// A cube of 64 cells, on flat land.
    pub fn cube() -> (Prepared, NoiseSource) {
        let shapes = vec![VolumeShape::Carve { noise: noise() }];
        let volume = TerrainVolume { depth: 61.0, height: 1.0, falloff: 0.1, shapes, ..TerrainVolume::default() };
        (Prepared::new(volume).unwrap(), NoiseSource(constant(0.25).build(0).unwrap()))
    }

    #[test]
    fn the_cost_of_a_volume_is_bounded_by_that_of_its_samples() {
        let sampler = noise().build(5).unwrap();
        let (volume, land) = cube();
        let mut scratch = Scratch::default();
        let mut least = [f64::INFINITY; 2];
        for _ in 0..5 {
            let began = std::time::Instant::now();
            let points: Vec<[f64; 3]> =
                (0..65 * 65 * 65).map(|k| [k % 65, k / 65 % 65, k / 4_225].map(f64::from)).collect();
            let mut values = vec![0.0; points.len()];
            sampler.fill_points_3d(&points, 1.0, &mut scratch, &mut values);
            least[0] = least[0].min(began.elapsed().as_secs_f64());
            let began = std::time::Instant::now();
            let lattice = Lattice::sample(&volume, &land, 1.0, whole(&volume, 0), &mut scratch).unwrap();
            let sampled = began.elapsed();
            let surface = lattice.surface(&mut scratch);
            let extracted = began.elapsed();
            let normals = lattice.normals(&surface.vertices, &mut scratch);
            println!("sampled after {sampled:?}, triangles after {extracted:?}, normals after {:?}", began.elapsed());
            assert!(surface.triangles.len() > 5_000 && normals.len() == surface.vertices.len());
            least[1] = least[1].min(began.elapsed().as_secs_f64());
        }
        let [samples, whole] = least.map(|seconds| 1e3 * seconds);
        println!("64 cells cubed: samples {samples:.1} ms, volume {whole:.1} ms, {:.2} times as long", whole / samples);
        // Fourteen times on a quiet machine, without optimisation of this crate: two thirds are triangles and their vertices.
        assert!(whole < 20.0 * samples, "{whole} {samples}");
    }
}
