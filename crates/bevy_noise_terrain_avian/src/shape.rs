//! From a tile's heights to a collider.

use avian3d::parry::shape::{HeightField, HeightFieldCellStatus, HeightFieldFlags, SharedShape, TriMeshFlags};
use avian3d::parry::utils::Array2;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_noise_terrain::CHUNK_VERTICES;

use crate::{TerrainColliders, TerrainTile};

/// The surface of a tile, around its middle: the triangles that are drawn, cut along the same diagonals and along the outlines
/// of [holes](bevy_noise_terrain::edits::TerrainHoles). `None` if all of it lies in a hole.
///
/// It is stretched by the tile's [overlap](TerrainTile::overlap) where it has this transform in the scene.
pub fn tile_shape(tile: &TerrainTile, transform: &GlobalTransform) -> Option<SharedShape> {
    let width = tile.width() as f32;
    let stretched = width + 2.0 * tile.overlap(transform);
    if tile.has_holes() {
        let mesh = tile.mesh();
        let stretch = Vec3::new(stretched / width, 1.0, stretched / width);
        let positions = mesh.positions.iter().map(|&position| position * stretch).collect();
        return SharedShape::trimesh_with_flags(positions, mesh.triangles, TriMeshFlags::FIX_INTERNAL_EDGES).ok();
    }
    let heights = Array2::new(CHUNK_VERTICES, CHUNK_VERTICES, tile.columns());
    let mut field =
        HeightField::with_flags(heights, Vec3::new(stretched, 1.0, stretched), HeightFieldFlags::FIX_INTERNAL_EDGES);
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
/// the ray misses all of it: one of 150 that come from outside did. A scale that is changed and set back rounds the box, with
/// some factors down. The overlap of tiles is wider than that.
fn narrow_box(field: &mut HeightField) {
    const NARROWER: f32 = 1.0 - 5e-7;
    let scale = field.scale();
    let mut half = field.root_aabb().maxs.x;
    let enough = half * NARROWER;
    // Some eighty are tried, and of widths up to a kilometre never more than seven hundred.
    for step in 0..2_000 {
        if half < enough {
            break;
        }
        let [first, second] = [1.11 + 0.37 * (step % 25) as f32, 1.07 + 0.29 * (step / 25) as f32];
        let [a, b] = [first, second].map(|factor| scale * Vec3::new(factor, 1.0, factor));
        let rounded = half * (a.x / scale.x) * (b.x / a.x) * (scale.x / b.x);
        if rounded < half {
            [a, b, scale].into_iter().for_each(|scale| field.set_scale(scale));
            half = rounded;
        }
    }
}

/// Makes a tile a static body.
pub(crate) fn add_collider(
    added: On<Add<TerrainTile>>,
    tiles: Query<(&TerrainTile, &GlobalTransform)>,
    settings: Res<TerrainColliders>,
    mut commands: Commands,
) {
    let Ok((tile, transform)) = tiles.get(added.entity) else { return };
    let Some(shape) = tile_shape(tile, transform) else { return };
    let mut collider = Collider::from(shape);
    // Avian would only do so in the next tick.
    collider.set_scale(transform.scale(), 10);
    commands.entity(added.entity).insert((RigidBody::Static, collider, settings.layers));
}

#[cfg(test)]
mod tests {
    use avian3d::parry::query::{Ray, RayCast};

    use super::*;

    #[test]
    fn boxes_lie_between_tile_and_field_at_any_spacing() {
        for spacing in (1..600).map(|step| 0.02 * step as f32) {
            let tile = 64.0 * spacing;
            // The least that tiles overlap by.
            let width = tile * (1.0 + 2.0 * (1e-6 + 2.0 * f32::EPSILON));
            let heights = Array2::new(2, 2, vec![0.0; 4]);
            let mut field = HeightField::new(heights, Vec3::new(width, 1.0, width));
            narrow_box(&mut field);
            let half = field.root_aabb().maxs.x;
            let (narrower, beyond) = (0.5 * width - half, half - 0.5 * tile);
            assert!(narrower > 2e-7 * width && beyond > 2e-7 * width, "{narrower} and {beyond} at {spacing}");
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
