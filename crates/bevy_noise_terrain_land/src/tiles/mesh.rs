//! The triangles of a tile, without what lies in holes.

use bevy::prelude::*;
use terrain_noise::Scratch;

use super::tile::TerrainTile;
use crate::chunk::{CHUNK_QUADS, CHUNK_VERTICES};
use crate::edits::{Corner, Cutter, Rect, VolumeHole};
use crate::volumes::Lattice;

/// Triangles of a [`TerrainTile`], around its middle at height 0; see [`TerrainTile::mesh`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TileMesh {
    /// Positions in metres.
    pub positions: Vec<Vec3>,
    /// Corners of each triangle, counter-clockwise seen from above.
    pub triangles: Vec<[u32; 3]>,
}

/// A vertex of the tile's own that has not been added to the mesh.
const NOT_YET: u32 = u32::MAX;

impl TerrainTile {
    /// The triangles of the tile, those of its quads in the order of [`rows`](Self::rows), cut along the outlines of
    /// [holes](crate::edits::TerrainHoles): circles to a millimetre, straight lines exactly. In their
    /// place [volumes](crate::volumes::TerrainVolumes) have their own. Nothing is left of a tile that lies in
    /// a hole, all of it.
    pub fn mesh(&self) -> TileMesh {
        let square = self.key().square(self.spacing());
        let cutter = Cutter::new(self.holes(), square.min, self.spacing(), CHUNK_QUADS);
        let mut mesh = Builder::new(self);
        for z in 0..CHUNK_QUADS {
            for x in 0..CHUNK_QUADS {
                let [a, b, c, d] = [[x, z], [x + 1, z], [x + 1, z + 1], [x, z + 1]];
                // The diagonal from lesser to greater x and z.
                for triangle in [[a, c, b], [a, d, c]] {
                    if !cutter.is_plain([x, z]) {
                        for piece in cutter.cut([x, z], triangle.map(|vertex| mesh.corner(vertex))) {
                            mesh.add_piece(&piece);
                        }
                    } else if cutter.is_land([x, z]) {
                        let corners = triangle.map(|vertex| mesh.vertex(vertex));
                        mesh.mesh.triangles.push(corners);
                    }
                }
            }
        }
        for volume in self.holes().iter().filter_map(|hole| hole.volume.as_ref()) {
            mesh.add_volume(volume);
        }
        mesh.mesh
    }
}

struct Builder<'a> {
    tile: &'a TerrainTile,
    mesh: TileMesh,
    /// The index of each vertex of the tile in the mesh.
    indices: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn new(tile: &'a TerrainTile) -> Self {
        Self { tile, mesh: TileMesh::default(), indices: vec![NOT_YET; CHUNK_VERTICES * CHUNK_VERTICES] }
    }

    /// A vertex of the tile, relative to its corner of least x and z.
    fn corner(&self, [x, z]: [usize; 2]) -> Corner {
        let height = self.tile.vertex(x as i32, z as i32).unwrap_or_default();
        [x as f64 * self.tile.spacing(), f64::from(height), z as f64 * self.tile.spacing()]
    }

    /// The index of a vertex of the tile.
    fn vertex(&mut self, [x, z]: [usize; 2]) -> u32 {
        let index = z * CHUNK_VERTICES + x;
        if self.indices[index] == NOT_YET {
            self.indices[index] = self.add(self.corner([x, z]));
        }
        self.indices[index]
    }

    fn add(&mut self, [x, y, z]: Corner) -> u32 {
        let middle = 0.5 * self.tile.width();
        self.mesh.positions.push(Vec3::new((x - middle) as f32, y as f32, (z - middle) as f32));
        self.mesh.positions.len() as u32 - 1
    }

    /// Adds the triangles of a volume above and below the tile.
    fn add_volume(&mut self, volume: &VolumeHole) {
        let square = self.tile.key().square(self.tile.spacing());
        let rect = Rect { min: square.min, max: square.min.map(|metres| metres + square.width) };
        let Some(cells) = volume.cells(0, &rect) else { return };
        let land = self.tile.source();
        let mut scratch = Scratch::default();
        let Some(lattice) = Lattice::sample(&volume.volume, land, volume.spacing, cells, &mut scratch) else { return };
        let surface = lattice.surface(&mut scratch);
        let first = self.mesh.positions.len() as u32;
        for &vertex in &surface.vertices {
            let [x, y, z] = lattice.site(vertex).at;
            self.add([x - square.min[0], y, z - square.min[1]]);
        }
        self.mesh.triangles.extend(surface.triangles.iter().map(|corners| corners.map(|corner| first + corner)));
    }

    /// Adds a convex polygon.
    fn add_piece(&mut self, piece: &[Corner]) {
        let corners: Vec<u32> = piece.iter().map(|&corner| self.add(corner)).collect();
        self.mesh.triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bevy::math::DVec3;

    use super::*;
    use crate::chunk::ChunkKey;
    use crate::edits::{Hole, Outline};
    use crate::mesh::{ChunkHeights, SampleScratch};
    use crate::prelude::*;

    fn tile(holes: &[Hole]) -> TerrainTile {
        let surface = NoiseTerrain::default().surface().unwrap();
        let key = ChunkKey::new(0, 70, -31);
        let heights = ChunkHeights::sample(surface.source(), key, 1.0, &mut SampleScratch::default());
        let holes = holes.iter().map(|hole| Arc::new(Outline::new(hole.clone()))).collect();
        TerrainTile::new(
            Entity::PLACEHOLDER,
            key,
            1.0,
            heights,
            holes,
            crate::NoiseTerrain::default().heights().unwrap(),
        )
    }

    #[test]
    fn without_holes_it_is_the_whole_surface() {
        let mesh = tile(&[]).mesh();
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (65 * 65, 2 * 64 * 64));
        let area = |[a, b, c]: [Vec3; 3]| 0.5 * (b - a).cross(c - a).y;
        let areas = mesh.triangles.iter().map(|corners| area(corners.map(|corner| mesh.positions[corner as usize])));
        assert!(areas.clone().all(|area| area == 0.5), "they face up");
    }

    #[test]
    fn a_tile_within_a_hole_has_no_triangles() {
        let [x, z] = [70.5 * 64.0, -30.5 * 64.0];
        let mesh = tile(&[Hole::disc(DVec3::new(x, 0.0, z), 46.0)]).mesh();
        assert_eq!(mesh, TileMesh::default());
        // A corner of it is left.
        assert!(!tile(&[Hole::disc(DVec3::new(x, 0.0, z), 45.0)]).mesh().triangles.is_empty());
    }
}
