//! From a tile's heights to a collider.

use bevy::prelude::*;
use bevy_noise_terrain::CHUNK_VERTICES;
use bevy_rapier3d::parry::shape::{HeightField, HeightFieldCellStatus, HeightFieldFlags, SharedShape, TriMeshFlags};
use bevy_rapier3d::parry::utils::Array2;
use bevy_rapier3d::prelude::*;

use crate::{TerrainColliders, TerrainTile};

/// The surface of a tile, around its middle: the triangles that are drawn, cut along the same diagonals and along the outlines
/// of [holes](bevy_noise_terrain::edits::TerrainHoles). `None` if all of it lies in a hole.
pub fn tile_shape(tile: &TerrainTile) -> Option<SharedShape> {
    if tile.has_holes() {
        let mesh = tile.mesh();
        return SharedShape::trimesh_with_flags(mesh.positions, mesh.triangles, TriMeshFlags::FIX_INTERNAL_EDGES).ok();
    }
    let width = tile.width() as f32;
    let heights = Array2::new(CHUNK_VERTICES, CHUNK_VERTICES, tile.columns());
    let scale = Vec3::new(width, 1.0, width);
    let mut field = HeightField::with_flags(heights, scale, HeightFieldFlags::FIX_INTERNAL_EDGES);
    // Parry's own diagonal is the other one.
    let rows_and_columns = CHUNK_VERTICES - 1;
    for column in 0..rows_and_columns {
        for row in 0..rows_and_columns {
            field.set_cell_status(row, column, HeightFieldCellStatus::ZIGZAG_SUBDIVISION);
        }
    }
    narrow_box(&mut field);
    Some(SharedShape::new(field))
}

/// Makes a field's box a few hundredths of a millimetre narrower than the field.
///
/// Parry looks for the cell in which a ray enters the box. By rounding, that point may lie just outside of the field, and then
/// the ray misses all of it: one of 150 that come from outside did. A scale that is set back and forth rounds the box, with
/// some factors down.
fn narrow_box(field: &mut HeightField) {
    const NARROWER: f32 = 1.0 - 5e-7;
    let scale = field.scale();
    let mut half = field.root_aabb().maxs.x;
    let enough = half * NARROWER;
    // A few dozen are tried, three hundred at most.
    for factor in (0..400).map(|step| 1.0 + 0.37 * step as f32) {
        if half < enough {
            break;
        }
        let stretched = scale * Vec3::new(factor, 1.0, factor);
        let rounded = half * (stretched.x / scale.x) * (scale.x / stretched.x);
        if rounded < half {
            field.set_scale(stretched);
            field.set_scale(scale);
            half = rounded;
        }
    }
}

/// Makes a tile a fixed body.
pub(crate) fn add_collider(
    added: On<Add<TerrainTile>>,
    tiles: Query<&TerrainTile>,
    settings: Res<TerrainColliders>,
    mut commands: Commands,
) {
    let Ok(tile) = tiles.get(added.entity) else { return };
    let Some(shape) = tile_shape(tile) else { return };
    let collider = Collider::from(shape);
    commands.entity(added.entity).insert((RigidBody::Fixed, collider, settings.groups));
}

#[cfg(test)]
mod tests {
    use bevy_rapier3d::parry::query::{Ray, RayCast};

    use super::*;

    #[test]
    fn boxes_are_narrower_than_their_fields_at_any_spacing() {
        for spacing in [0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 1.0, 1.1, 1.5, 2.0, 3.0, 3.3, 7.7, 10.0] {
            let width = 64.0 * spacing;
            let heights = Array2::new(2, 2, vec![0.0; 4]);
            let mut field = HeightField::new(heights, Vec3::new(width, 1.0, width));
            narrow_box(&mut field);
            let narrower = 0.5 * width - field.root_aabb().maxs.x;
            assert!(narrower > 2e-7 * width && narrower < 2e-5 * width, "{narrower} at {spacing}");
            assert_eq!(field.scale(), Vec3::new(width, 1.0, width));
        }
    }

    #[test]
    fn rays_from_outside_find_the_field() {
        let bumpy = |index: usize| 2.0 * (index as f32 * 0.7).sin();
        let heights = Array2::new(CHUNK_VERTICES, CHUNK_VERTICES, (0..CHUNK_VERTICES.pow(2)).map(bumpy).collect());
        let mut field = HeightField::new(heights, Vec3::new(64.0, 1.0, 64.0));
        narrow_box(&mut field);
        let missed = (0..20_000).filter(|n| {
            let angle = *n as f32 * 0.618;
            let start = Vec3::new(150.0 * angle.cos(), 40.0 + (n % 97) as f32, 150.0 * angle.sin());
            let target = Vec3::new((n % 41) as f32 - 20.3, -2.0, (n % 37) as f32 - 18.7);
            let ray = Ray::new(start, (target - start).normalize());
            field.cast_local_ray(&ray, 1e3, true).is_none()
        });
        assert_eq!(missed.count(), 0);
    }
}
