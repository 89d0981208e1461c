//! Heights and normals of the land at its finest level.

use std::sync::Arc;

use bevy::math::DVec3;
use terrain_noise::{Grid, Scratch};

use super::triangle::{Place, Triangle};
use crate::chunk::{CHUNK_QUADS, CHUNK_VERTICES, ChunkKey};
use crate::climate::{Climate, ClimateField, Site, TerrainClimate};
use crate::edits::{EditedSource, LandEdits, LandHoles, Painted, Rect, TerrainEdits, TerrainHoles, painted_within};
use crate::mesh::Shade;
use crate::settings::SettingsError;
use crate::source::HeightSource;
use crate::volumes::{TerrainVolume, TerrainVolumes, VolumeKey, VolumePlaces, VolumeScatter};

/// The surface of a terrain at its finest level: what is drawn under a viewer's feet, triangle by triangle.
///
/// Positions are absolute, in metres, in the terrain's own frame.
#[derive(Clone)]
pub struct Surface {
    pub(super) source: Arc<dyn HeightSource>,
    pub(super) spacing: f64,
    pub(super) climate: Arc<TerrainClimate>,
}

/// A point of the land.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Absolute position.
    pub position: DVec3,
    /// Unit normal of the triangle there.
    pub normal: DVec3,
}

/// The point where a ray hits the terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceHit {
    /// Absolute position.
    pub position: DVec3,
    /// Distance from the ray's origin in metres.
    pub distance: f64,
    /// Unit normal of the triangle that was hit.
    pub normal: DVec3,
}

/// What decides how the land is shaded.
pub(crate) struct SurfaceShade {
    /// x and z of the unit normal.
    pub horizontal: [f32; 2],
    /// −1 on sharp crests, 1 in deep hollows.
    pub curvature: f32,
}

/// Normal and curvature at a place. `at` returns the heights of the 4 × 4 vertices around it, by their steps along x and z.
pub(super) fn shade_of(place: &Place, spacing: f64, at: impl Fn(usize, usize) -> f32) -> SurfaceShade {
    let [u, v] = place.within;
    let scale = (0.5 / spacing) as f32;
    let shade = |i: usize, j: usize| {
        let gradient = [(at(i + 1, j) - at(i - 1, j)) * scale, (at(i, j + 1) - at(i, j - 1)) * scale];
        let sides = (at(i + 1, j) + at(i - 1, j)) + (at(i, j + 1) + at(i, j - 1));
        let shade = Shade::new(gradient, (sides - 4.0 * at(i, j)) / spacing as f32);
        let [x, z] = shade.horizontal();
        [x, z, shade.curvature()]
    };
    let mix = |a: [f32; 3], b: [f32; 3], t: f64| [0, 1, 2].map(|n| a[n] + t as f32 * (b[n] - a[n]));
    let [x, z, curvature] = mix(mix(shade(1, 1), shade(2, 1), u), mix(shade(1, 2), shade(2, 2), u), v);
    SurfaceShade { horizontal: [x, z], curvature }
}

impl Surface {
    /// The same land with edits, without any app: what a server asks.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy::math::DVec3;
    /// # use bevy_noise_terrain::{prelude::*, edits::{Edit, TerrainEdits}};
    /// let mut edits = TerrainEdits::default();
    /// edits.apply(Edit::flatten(DVec3::new(50.0, 7.0, 50.0), 20.0))?;
    /// let land = NoiseTerrain::default().surface()?.with_edits(&edits);
    /// assert_eq!(land.height(55.0, 45.0), 7.0);
    /// # Ok::<(), bevy_noise_terrain::SettingsError>(())
    /// ```
    #[must_use]
    pub fn with_edits(&self, edits: &TerrainEdits) -> Self {
        let land = LandEdits { edits: edits.tree().clone(), holes: EditedSource::hole_set_of(self.source.as_ref()) };
        Self { source: EditedSource::compose(&self.source, &land), ..self.clone() }
    }

    /// The same land with these holes, and no others, without any app.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy::math::DVec3;
    /// # use bevy_noise_terrain::{prelude::*, edits::{Hole, TerrainHoles}};
    /// let mut holes = TerrainHoles::default();
    /// holes.apply(Hole::disc(DVec3::new(50.0, 0.0, 50.0), 4.0))?;
    /// let land = NoiseTerrain::default().surface()?.with_holes(&holes);
    /// assert_eq!(land.ground(53.9, 50.0), None);
    /// assert_eq!(land.ground(54.1, 50.0), Some(land.height(54.1, 50.0)));
    /// # Ok::<(), bevy_noise_terrain::SettingsError>(())
    /// ```
    #[must_use]
    pub fn with_holes(&self, holes: &TerrainHoles) -> Self {
        Self { source: EditedSource::with_holes(&self.source, holes.set().clone()), ..self.clone() }
    }

    /// The same land with these volumes, and no others, without any app.
    #[must_use]
    pub fn with_volumes(&self, volumes: &TerrainVolumes) -> Self {
        let holes = EditedSource::hole_set_of(self.source.as_ref());
        let holes = holes.with_volumes(volumes.holes(self.spacing), &holes.places(), self.spacing);
        Self { source: EditedSource::with_holes(&self.source, holes), ..self.clone() }
    }

    /// The same land with these scattered volumes, and no others, without any app.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed.
    pub fn with_volume_scatter(&self, scatter: &VolumeScatter) -> Result<Self, SettingsError> {
        scatter.validate()?;
        Ok(self.with_volume_places(&VolumePlaces::new(scatter)?))
    }

    fn with_volume_places(&self, places: &VolumePlaces) -> Self {
        let holes = EditedSource::hole_set_of(self.source.as_ref());
        let listed = holes.volumes().filter(|hole| matches!(hole.key, VolumeKey::Listed(_))).cloned();
        let holes = holes.with_volumes(listed, places, self.spacing);
        Self { source: EditedSource::with_holes(&self.source, holes), ..self.clone() }
    }

    /// The [volumes](TerrainVolumes) whose box reaches an area, from the least absolute x and z to the greatest, and those that
    /// are [scattered](VolumeScatter) there.
    ///
    /// To dig in a scattered one, add it to the terrain's [`TerrainVolumes`], with one shape more: the scattered one makes room.
    ///
    /// Scattered ones are found one by one, as the iterator is asked for them: an area without an end has volumes without an end.
    pub fn volumes_within(&self, min: [f64; 2], max: [f64; 2]) -> impl Iterator<Item = TerrainVolume> {
        let holes = self.holes().map(|holes| holes.volumes(Rect { min, max }));
        holes.into_iter().flatten().map(|hole| hole.volume.in_place())
    }

    /// Whether there is rock at an absolute position: below the ground, or within a [volume](TerrainVolumes).
    pub fn is_solid(&self, at: DVec3) -> bool {
        let Some(hole) = self.holes().and_then(|holes| holes.volume([at.x, at.z])) else {
            return at.y < self.height(at.x, at.z) && !self.is_hole(at.x, at.z);
        };
        hole.density().values(&[self.triangle(at.x, at.z).land_point(at, self.spacing)], &mut Scratch::default())[0]
            > 0.0
    }

    /// Its holes; `None` if it has none.
    pub(crate) fn holes(&self) -> Option<LandHoles<'_>> {
        EditedSource::holes_of(self.source.as_ref())
    }

    /// The same land in another climate.
    #[must_use]
    pub fn with_climate(&self, climate: TerrainClimate) -> Self {
        Self { climate: Arc::new(climate), ..self.clone() }
    }

    /// What its climate follows from.
    pub fn climate_settings(&self) -> &TerrainClimate {
        &self.climate
    }

    #[doc(hidden)]
    pub fn shared_climate(&self) -> Arc<TerrainClimate> {
        self.climate.clone()
    }

    /// The name of the biome that most of the land at an absolute position belongs to; `None` where
    /// [`TerrainClimate::biomes`] has none.
    pub fn biome(&self, x: f64, z: f64) -> Option<&str> {
        Some(&self.climate.biome(self.climate(x, z))?.name)
    }

    /// Temperature and moisture at an absolute position, as ground and plants have them there.
    pub fn climate(&self, x: f64, z: f64) -> Climate {
        let mut field = ClimateField::new(&self.climate, [x, z]);
        let site = Site { height: self.height(x, z) as f32, facing: self.shade(x, z).horizontal[1] };
        let local = field.local([0.0; 2]);
        field.at(0.0, site, local)
    }

    /// Where the heights come from.
    pub fn source(&self) -> &dyn HeightSource {
        self.source.as_ref()
    }

    /// Its source, for tasks.
    pub(crate) fn shared_source(&self) -> Arc<dyn HeightSource> {
        self.source.clone()
    }

    /// Metres between neighbouring vertices.
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Height of the ground in metres at an absolute position; `None` where it [is not](Self::is_hole).
    pub fn ground(&self, x: f64, z: f64) -> Option<f64> {
        (!self.is_hole(x, z)).then(|| self.height(x, z))
    }

    /// Whether the ground is not where the land has it: an absolute position lies in one of its [holes](TerrainHoles), or in a
    /// [volume](TerrainVolumes) that takes the ground away there or buries it.
    pub fn is_hole(&self, x: f64, z: f64) -> bool {
        self.holes().is_some_and(|holes| holes.is_hole([x, z], self.source.as_ref()))
    }

    /// Height in metres at an absolute position: in a hole, that of the land as if there was none. See
    /// [`ground`](Self::ground).
    pub fn height(&self, x: f64, z: f64) -> f64 {
        self.triangle(x, z).height()
    }

    /// Unit normal of the triangle at an absolute position.
    pub fn normal(&self, x: f64, z: f64) -> DVec3 {
        self.triangle(x, z).normal(self.spacing)
    }

    /// Heights in metres at absolute positions, x and z: those of [`height`](Self::height), in a fraction of the time that
    /// single calls take.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy_noise_terrain::prelude::*;
    /// let surface = NoiseTerrain::default().surface()?;
    /// let wheels = [[0.0, 0.0], [1.6, 0.0], [0.0, 2.7], [1.6, 2.7]];
    /// assert_eq!(surface.heights(&wheels)[3], surface.height(1.6, 2.7));
    /// # Ok::<(), bevy_noise_terrain::SettingsError>(())
    /// ```
    pub fn heights(&self, positions: &[[f64; 2]]) -> Vec<f64> {
        self.triangles(positions).iter().map(Triangle::height).collect()
    }

    /// Points of the land at absolute positions, x and z, with the bits of [`height`](Self::height) and
    /// [`normal`](Self::normal), in a fraction of the time that single calls take.
    pub fn points(&self, positions: &[[f64; 2]]) -> Vec<SurfacePoint> {
        let points = self.triangles(positions).into_iter().zip(positions).map(|(triangle, &[x, z])| SurfacePoint {
            position: DVec3::new(x, triangle.height(), z),
            normal: triangle.normal(self.spacing),
        });
        points.collect()
    }

    /// The heights of a chunk's own vertices in metres, [`CHUNK_VERTICES`]² of them, x fastest: what a collider or a
    /// navigation mesh of the chunk is made from. They are sampled by this call.
    pub fn chunk_heights(&self, key: ChunkKey) -> Vec<f32> {
        let spacing = key.vertex_spacing(self.spacing);
        let first = [key.x, key.z].map(|cell| cell * CHUNK_QUADS as i64);
        let grid = Grid::new(first, spacing, [CHUNK_VERTICES; 2]);
        let mut heights = vec![0.0; CHUNK_VERTICES * CHUNK_VERTICES];
        self.source.fill(&grid, &mut Scratch::default(), &mut heights);
        heights
    }

    /// Normal and curvature at an absolute position, as the finest vertices have them, interpolated as the shader does.
    pub(crate) fn shade(&self, x: f64, z: f64) -> SurfaceShade {
        let place = Place::new([x, z], self.spacing);
        let around: Vec<[f64; 2]> = (0..16)
            .map(|k| [0, 1].map(|axis| (place.quad[axis] + f64::from([k % 4, k / 4][axis]) - 1.0) * self.spacing))
            .collect();
        let mut heights = [0.0; 16];
        self.source.fill_points(&around, self.spacing, &mut Scratch::default(), &mut heights);
        shade_of(&place, self.spacing, |i, j| heights[4 * j + i])
    }

    /// What is painted at an absolute position, as the shader draws it next to a viewer; `None` if nothing is.
    pub(crate) fn painted(&self, x: f64, z: f64) -> Option<Painted> {
        let Place { quad, within } = Place::new([x, z], self.spacing);
        let corner = |k: usize| [0, 1].map(|axis| (quad[axis] + (k >> axis & 1) as f64) * self.spacing);
        painted_within(self.source.as_ref(), std::array::from_fn(corner), within.map(|part| part as f32), self.spacing)
    }

    /// Heights of the vertices around a place: those of [`Place::corners`].
    pub(crate) fn vertex_heights(&self, place: Place) -> [f64; 3] {
        place.vertices(self.spacing).map(|vertex| f64::from(self.source.height(vertex, self.spacing)))
    }

    fn triangle(&self, x: f64, z: f64) -> Triangle {
        let place = Place::new([x, z], self.spacing);
        Triangle::new(place, self.vertex_heights(place))
    }

    fn triangles(&self, positions: &[[f64; 2]]) -> Vec<Triangle> {
        let places: Vec<_> = positions.iter().map(|&position| Place::new(position, self.spacing)).collect();
        let vertices: Vec<_> = places.iter().flat_map(|place| place.vertices(self.spacing)).collect();
        let mut heights = vec![0.0; vertices.len()];
        self.source.fill_points(&vertices, self.spacing, &mut Scratch::default(), &mut heights);
        let heights = heights.as_chunks::<3>().0.iter().map(|heights| heights.map(f64::from));
        places.into_iter().zip(heights).map(|(place, heights)| Triangle::new(place, heights)).collect()
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::default;

    use super::*;
    use crate::NoiseTerrain;
    use crate::mesh;

    #[test]
    fn the_surface_is_the_finest_mesh() {
        let terrain = NoiseTerrain::default();
        let surface = terrain.surface().unwrap();
        let key = ChunkKey::new(0, 70, -31);
        let (mesh, _) = mesh::build(surface.source.as_ref(), key, 1.0, 7, None, &mut default());
        let [x, z] = key.first_quad().map(|quad| quad as f64);
        let at = |i: usize, j: usize| f64::from(mesh.vertices[j * CHUNK_VERTICES + i].height);
        for (i, j) in [(0, 0), (64, 64), (13, 50)] {
            assert_eq!(surface.height(x + i as f64, z + j as f64), at(i, j));
        }
        assert!((surface.height(x + 10.5, z + 20.5) - 0.5 * (at(10, 20) + at(11, 21))).abs() < 1e-9, "on the diagonal");
        assert!((surface.height(x + 10.5, z + 20.0) - 0.5 * (at(10, 20) + at(11, 20))).abs() < 1e-9, "on an edge");
    }

    #[test]
    fn heights_of_a_chunk_are_those_of_its_vertices() {
        let surface = NoiseTerrain::default().surface().unwrap();
        for key in [ChunkKey::new(0, 70, -31), ChunkKey::new(3, -2, 5)] {
            let (mesh, _) = mesh::build(surface.source.as_ref(), key, 1.0, 7, None, &mut default());
            let own: Vec<f32> = mesh.vertices.iter().map(|vertex| vertex.height).collect();
            assert_eq!(surface.chunk_heights(key), own);
        }
    }

    #[test]
    fn lists_have_the_bits_of_single_points() {
        let surface = NoiseTerrain::default().surface().unwrap();
        let positions: Vec<[f64; 2]> =
            (0..333).map(|i| [f64::from(i) * 17.3 - 2e3, f64::from(i % 7) * -1e5 + 0.25 * f64::from(i)]).collect();
        let heights = surface.heights(&positions);
        for ((&[x, z], height), point) in positions.iter().zip(heights).zip(surface.points(&positions)) {
            assert_eq!(height, surface.height(x, z), "{x} {z}");
            assert_eq!(point, SurfacePoint { position: DVec3::new(x, height, z), normal: surface.normal(x, z) });
        }
        assert!(surface.heights(&[]).is_empty());
        assert_eq!(surface.heights(&[[f64::NAN, 0.0], [f64::INFINITY, 1e300], [0.0, 0.0]]).len(), 3);
    }
}
