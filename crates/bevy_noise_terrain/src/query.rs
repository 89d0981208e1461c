//! Heights, normals and ray hits anywhere, loaded or not.

use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::math::{DVec2, DVec3};
use bevy::prelude::*;

use crate::settings::SettingsError;
use terrain_noise::{Grid, Scratch};

use crate::chunk::{CHUNK_QUADS, CHUNK_VERTICES, ChunkKey};
use crate::source::{HeightSource, TerrainSource};
use crate::streaming::TerrainState;
use crate::terrain::NoiseTerrain;

/// The surface of a terrain at its finest level: what is drawn under a viewer's feet, triangle by triangle.
///
/// Positions are absolute, in metres, in the terrain's own frame.
#[derive(Clone)]
pub struct Surface {
    source: Arc<dyn HeightSource>,
    spacing: f64,
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

/// Gives access to the surface of terrains.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_noise_terrain::prelude::*;
/// fn stand_on_the_ground(terrain: TerrainQuery, mut players: Query<&mut Transform, With<TerrainViewer>>) {
///     let Some(surface) = terrain.surface() else { return };
///     for mut transform in &mut players {
///         let [x, z] = [transform.translation.x, transform.translation.z].map(f64::from);
///         transform.translation.y = surface.height(x, z) as f32 + 1.8;
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct TerrainQuery<'w, 's> {
    terrains: Query<'w, 's, (Entity, &'static NoiseTerrain, Option<&'static TerrainSource>, &'static TerrainState)>,
}

impl TerrainQuery<'_, '_> {
    /// The surface of the only terrain, or of the one spawned first. `None` if there is none with valid settings.
    pub fn surface(&self) -> Option<Surface> {
        let first = self.terrains.iter().map(|(entity, ..)| entity).min()?;
        self.surface_of(first)
    }

    /// The surface of one terrain: of the generation on screen, or of the settings if nothing is on screen yet.
    pub fn surface_of(&self, terrain: Entity) -> Option<Surface> {
        let (_, settings, source, state) = self.terrains.get(terrain).ok()?;
        match state.surface() {
            Some(surface) => Some(surface),
            None => match source {
                Some(source) => Some(Surface { source: source.0.clone(), spacing: settings.lod.spacing }),
                None => settings.surface().ok(),
            },
        }
    }
}

impl NoiseTerrain {
    /// The surface these settings describe, without any app: the same bits on every machine.
    ///
    /// # Errors
    /// If the settings are not valid.
    pub fn surface(&self) -> Result<Surface, SettingsError> {
        self.validate()?;
        Ok(Surface { source: self.heights()?, spacing: self.lod.spacing })
    }
}

impl TerrainState {
    /// The surface of the generation on screen; `None` before the first frame.
    pub fn surface(&self) -> Option<Surface> {
        let shape = self.descriptor()?;
        Some(Surface { source: shape.source.clone(), spacing: shape.lod.spacing })
    }
}

impl Surface {
    /// Where the heights come from.
    pub fn source(&self) -> &dyn HeightSource {
        self.source.as_ref()
    }

    /// Height in metres at an absolute position.
    pub fn height(&self, x: f64, z: f64) -> f64 {
        let (corners, [u, v]) = self.quad(x, z);
        let [a, b, c, d] = corners;
        if u >= v { a + u * (b - a) + v * (c - b) } else { a + v * (d - a) + u * (c - d) }
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

    /// Unit normal of the triangle at an absolute position.
    pub fn normal(&self, x: f64, z: f64) -> DVec3 {
        let ([a, b, c, d], [u, v]) = self.quad(x, z);
        let (dx, dz) = if u >= v { (b - a, c - b) } else { (c - d, d - a) };
        DVec3::new(-dx, self.spacing, -dz).normalize()
    }

    /// Where a ray first meets the land within `reach` metres, of which 1 000 km are looked at. A ray that begins below
    /// ground meets it at once.
    ///
    /// Marches by the clearance under the ray and assumes that no slope is steeper than 76° over more than one step. A
    /// step is at least a quarter of the spacing and a four-thousandth of the distance so far: sharper spikes may be
    /// missed.
    pub fn raycast(&self, origin: DVec3, direction: DVec3, reach: f64) -> Option<SurfaceHit> {
        const STEEPEST: f64 = 4.0;
        const FARTHEST: f64 = 1e6;
        const SHARE: f64 = 1.0 / 4_000.0;
        let reach = reach.min(FARTHEST);
        let direction = direction.try_normalize()?;
        let closing = STEEPEST * DVec2::new(direction.x, direction.z).length() + (-direction.y).max(0.0);
        let clearance = |t: f64| {
            let p = origin + t * direction;
            p.y - self.height(p.x, p.z)
        };
        let (mut before, mut t) = (0.0, 0.0);
        while t <= reach {
            let gap = clearance(t);
            if gap <= 0.0 {
                let t = bisect(clearance, before, t);
                let position = origin + t * direction;
                return Some(SurfaceHit { position, distance: t, normal: self.normal(position.x, position.z) });
            }
            before = t;
            // A ray that leaves the ground faster than any slope rises never returns.
            t += if closing > 0.0 { (gap / closing).max(0.25 * self.spacing).max(SHARE * t) } else { return None };
        }
        None
    }

    /// Heights at the corners of the finest quad around a position, counter-clockwise seen from below
    /// (−x −z, +x −z, +x +z, −x +z), and the place within it from 0 to 1.
    fn quad(&self, x: f64, z: f64) -> ([f64; 4], [f64; 2]) {
        let cell = [x, z].map(|metres| (metres / self.spacing).floor());
        let place = [x / self.spacing - cell[0], z / self.spacing - cell[1]];
        let corner = |i: f64, j: f64| {
            let position = [(cell[0] + i) * self.spacing, (cell[1] + j) * self.spacing];
            f64::from(self.source.height(position, self.spacing))
        };
        ([corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)], place)
    }
}

/// The last point above ground between `above` and `below`, to a tenth of a millimetre.
fn bisect(clearance: impl Fn(f64) -> f64, mut above: f64, mut below: f64) -> f64 {
    while below - above > 1e-4 {
        let middle = 0.5 * (above + below);
        // At great distances the middle of two neighbours is one of them.
        if middle <= above || middle >= below {
            break;
        }
        if clearance(middle) > 0.0 {
            above = middle;
        } else {
            below = middle;
        }
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn a_ray_ends_on_the_ground() {
        let surface = NoiseTerrain::default().surface().unwrap();
        for (x, direction) in
            [(0.0, DVec3::NEG_Y), (5e3, DVec3::new(1.0, -0.4, 0.3)), (1e7, DVec3::new(-0.2, -0.5, 0.9))]
        {
            let origin = DVec3::new(x, surface.height(x, 0.0) + 400.0, 0.0);
            let hit = surface.raycast(origin, direction, 1e5).unwrap();
            assert!((hit.position.y - surface.height(hit.position.x, hit.position.z)).abs() < 1e-2);
            assert!((hit.position.distance(origin) - hit.distance).abs() < 1e-6 * x.max(1.0));
            assert!(hit.normal.y > 0.0);
        }
        assert_eq!(surface.raycast(DVec3::Y * 9e3, DVec3::Y, 1e5), None);
        // Rays end, however far they may go: level ones above all summits, along the ground, and to nowhere.
        for reach in [1e12, f64::MAX, f64::INFINITY, f64::NAN] {
            let began = std::time::Instant::now();
            assert_eq!(surface.raycast(DVec3::Y * 9e3, DVec3::X, reach), None);
            let low = DVec3::Y * (surface.height(0.0, 0.0) + 0.01);
            let _ = surface.raycast(low, DVec3::X, reach);
            assert_eq!(surface.raycast(DVec3::Y * f64::INFINITY, DVec3::X, reach), None);
            assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
        }
        assert_eq!(surface.raycast(DVec3::Y * 9e3, DVec3::ZERO, 1e5), None);
    }
}
