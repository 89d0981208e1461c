//! The entities that draw blocks.

use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::light::NotShadowCaster;
use bevy::mesh::MeshTag;
use bevy::prelude::*;

use crate::chunk::Square;
use crate::render::DrawnPart;
use crate::scatter::draw::batch_mesh::SIZES;
use crate::scatter::draw::material::ScatterMaterial;
use crate::scatter::draw::pages::{Layer, Page};
use crate::scatter::draw::stream::ScatterState;
use crate::scatter::placement::Cell;
use crate::terrain::TerrainOrigin;

/// A block of scattered objects: one entity for each drawn shape (near, far), a child of the terrain.
#[derive(Component, Clone, Copy, Debug)]
#[require(DrawnPart)]
pub struct ScatterBlock {
    /// The cell that it is a part of.
    cell: Cell,
    /// Absolute x and z of its corner.
    pub(in crate::scatter) corner: [f64; 2],
}

/// Meshes and material of a near or a far shape.
#[derive(Clone, Default, PartialEq)]
pub struct LodMeshes {
    /// One for each size.
    pub meshes: [Handle<Mesh>; SIZES],
    pub material: Handle<ScatterMaterial>,
}

/// The parent of block entities.
#[derive(Clone, Copy)]
pub struct Home {
    pub terrain: Entity,
    pub origin: TerrainOrigin,
}

/// A square of the plane, a part of a cell, and its lowest and highest ground.
#[derive(Clone, Copy)]
pub struct Site {
    pub cell: Cell,
    pub square: Square,
    pub heights: [f32; 2],
}

/// Spawns, despawns or updates a page's entities so that they have the wanted mesh sizes.
pub fn show(
    page: &mut Page,
    wanted: [Option<usize>; 2],
    layer: &Layer,
    lod_meshes: &[LodMeshes],
    site: &Site,
    home: Home,
    commands: &mut Commands,
) {
    for ((shown, wanted), lod_mesh) in page.shown.iter_mut().zip(wanted).zip(lod_meshes) {
        match (*shown, wanted) {
            (None, None) => {}
            (Some((entity, _)), None) => {
                commands.entity(entity).try_despawn();
                *shown = None;
            }
            (Some((_, size)), Some(wanted)) if size == wanted => {}
            (Some((entity, _)), Some(wanted)) => {
                commands.entity(entity).try_insert(Mesh3d(lod_mesh.meshes[wanted].clone()));
                *shown = Some((entity, wanted));
            }
            (None, Some(wanted)) => {
                let mut entity = commands.spawn(bundle(page.page, layer, lod_mesh, wanted, site, home));
                if !layer.casts_shadows() {
                    entity.insert(NotShadowCaster);
                }
                *shown = Some((entity.id(), wanted));
            }
        }
    }
}

/// Has the blocks shown again that the app despawns.
pub fn on_lost_block(
    removed: On<Remove<ScatterBlock>>,
    blocks: Query<(&ScatterBlock, &ChildOf)>,
    mut states: Query<&mut ScatterState>,
) {
    let Ok((block, terrain)) = blocks.get(removed.entity) else { return };
    if let Ok(mut state) = states.get_mut(terrain.parent()) {
        // Those that the streaming has despawned are on no page any more.
        state.bypass_change_detection().forget_block(block.cell, removed.entity);
    }
}

/// Despawns a page's entities.
pub fn hide(page: &mut Page, commands: &mut Commands) {
    for (entity, _) in page.shown.iter_mut().filter_map(Option::take) {
        // They may have been despawned with the terrain.
        commands.entity(entity).try_despawn();
    }
}

fn bundle(page: u32, layer: &Layer, lod_mesh: &LodMeshes, size: usize, site: &Site, home: Home) -> impl Bundle + use<> {
    let Site { cell, square, heights } = site;
    let width = square.width as f32;
    let tall = layer.kind.max_size;
    // Margins: objects extend beyond their block, and heights of coarse levels differ from the finest.
    let (aside, slack) = (0.6 * tall, 0.5 * tall + 8.0 + 0.02 * layer.reach.to);
    let low = Vec3::new(-aside, heights[0] - slack, -aside);
    let high = Vec3::new(width + aside, heights[1] + tall + slack, width + aside);
    (
        ScatterBlock { cell: *cell, corner: square.min },
        Mesh3d(lod_mesh.meshes[size].clone()),
        MeshMaterial3d(lod_mesh.material.clone()),
        MeshTag::new(page),
        Transform::from_translation(place(square.min, &home.origin)),
        Aabb::from_min_max(low, high),
        // Bevy would compute the bounds from the mesh, which has no positions.
        NoAutoAabb,
        ChildOf(home.terrain),
    )
}

/// A block's corner relative to the terrain's origin.
pub fn place(corner: [f64; 2], origin: &TerrainOrigin) -> Vec3 {
    Vec3::new((corner[0] - origin.x) as f32, 0.0, (corner[1] - origin.z) as f32)
}
