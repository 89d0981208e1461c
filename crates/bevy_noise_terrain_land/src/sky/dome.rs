//! Draws the sky behind everything, and the clouds that may be nearer than the land.

use std::any::TypeId;

use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::{RenderLayers, VisibleEntities};
use bevy::mesh::PrimitiveTopology;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};

use super::deck::CloudDeck;
use super::drift::CloudDrift;
use super::lands::Lands;
use super::material::{SkyLayer, SkyMaterial, SkyMesh};
use super::uniforms::table;
use super::view::TerrainSkyView;
use super::{SkyLight, SkyModel, clouds};
use crate::gpu::{SHADE_OFFSET, SkyBuffer, SkyUniforms, TABLE_OFFSET, Uploads};
use crate::quality::QualityInUse;

/// The sky behind everything.
#[derive(TypePath, Clone, Debug)]
pub struct SkyDome;

impl SkyLayer for SkyDome {
    const SHADER: &'static str = "sky/dome.wesl";
    // Drawn before everything else that is transparent.
    const NAME: &str = "sky";
    const DEPTH_BIAS: f32 = -1e9;
}

/// Meshes and materials that all cameras share.
#[derive(Resource)]
pub(super) struct SkyAssets {
    /// One triangle that covers the whole screen.
    screen: Handle<Mesh>,
    dome: Handle<SkyMaterial<SkyDome>>,
    deck: Handle<SkyMaterial<CloudDeck>>,
}

/// Creates the sky's assets when the first camera needs them.
pub(super) fn create_assets(
    mut commands: Commands,
    assets: Option<Res<SkyAssets>>,
    buffer: Option<Res<SkyBuffer>>,
    mut uploads: ResMut<Uploads>,
    views: Query<(), With<TerrainSkyView>>,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut domes: ResMut<Assets<SkyMaterial<SkyDome>>>,
    mut decks: ResMut<Assets<SkyMaterial<CloudDeck>>>,
) {
    let (None, Some(buffer), false) = (assets, buffer, views.is_empty()) else { return };
    let patterns = clouds::pattern().unwrap_or_else(|error| {
        error!("the clouds cannot be drawn: {error}");
        let size = Extent3d { width: 1, height: 1, depth_or_array_layers: 1 };
        let usage = RenderAssetUsages::RENDER_WORLD;
        Image::new(size, TextureDimension::D2, vec![0, 0], TextureFormat::Rg8Unorm, usage)
    });
    uploads.write(&buffer.0, SHADE_OFFSET, clouds::shade(&patterns));
    let patterns = images.add(patterns);
    let corners = vec![[-1.0, -1.0, 0.0], [3.0, -1.0, 0.0], [-1.0, 3.0, 0.0]];
    let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners);
    let screen = meshes.add(mesh);
    let dome = domes.add(SkyMaterial::new(&buffer.0, &patterns));
    let deck = decks.add(SkyMaterial::new(&buffer.0, &patterns));
    commands.insert_resource(SkyAssets { screen, dome, deck });
}

/// Uploads this frame's uniforms and, if it changed, the table of radiance.
pub(super) fn upload_uniforms(
    assets: Option<Res<SkyAssets>>,
    buffer: Option<Res<SkyBuffer>>,
    light: Res<SkyLight>,
    views: Query<&TerrainSkyView>,
    lands: Lands,
    drift: Res<CloudDrift>,
    quality: Res<QualityInUse>,
    mut uploads: ResMut<Uploads>,
) {
    let (Some(assets), Some(buffer)) = (assets, buffer) else { return };
    // Bevy's own atmosphere draws its own horizon.
    let dissolves = light.settings.hide_edge && light.settings.sky == SkyModel::Analytic;
    let edge = lands.edge(None).filter(|_| dissolves).unwrap_or(0.0);
    let mut uniforms = SkyUniforms::new(&light.settings, &light.sky, &lands.anchor(), *drift, edge);
    if quality.levers.flat_clouds {
        uniforms.shade[3] = 0.0;
    }
    if !views.iter().any(|view| is_drawn(view, &light)) {
        // Clouds that no camera draws cast no shadows.
        uniforms.cloud[0] = 0.0;
    }
    uploads.write(&buffer.0, 0, vec![uniforms]);
    if light.is_changed() || assets.is_added() {
        uploads.write(&buffer.0, TABLE_OFFSET, table(&light.sky));
    }
}

/// Whether a camera draws this plugin's sky.
fn is_drawn(view: &TerrainSkyView, light: &SkyLight) -> bool {
    view.sky && light.settings.sky == SkyModel::Analytic
}

/// Spawns the sky of cameras that draw it, and despawns that of cameras that no longer do.
pub(super) fn spawn_sky_meshes(
    mut commands: Commands,
    assets: Option<Res<SkyAssets>>,
    light: Res<SkyLight>,
    views: Query<(Entity, &TerrainSkyView, Option<&RenderLayers>)>,
    parts: Query<(Entity, &SkyMesh, &ChildOf, Option<&RenderLayers>)>,
) {
    let Some(SkyAssets { screen, dome, deck }) = assets.as_deref() else { return };
    for (camera, _, layers) in views.iter().filter(|(_, view, _)| is_drawn(view, &light)) {
        for kind in [SkyMesh::Dome, SkyMesh::Clouds] {
            let present = parts.iter().find(|(_, own, parent, _)| **own == kind && parent.parent() == camera);
            let (part, have) = match present {
                Some((part, .., have)) => (part, have),
                None => {
                    let mut part = commands.spawn((kind, Mesh3d(screen.clone()), ChildOf(camera)));
                    match kind {
                        SkyMesh::Dome => part.insert((Name::new("Sky"), MeshMaterial3d(dome.clone()))),
                        SkyMesh::Clouds => part.insert((Name::new("Clouds"), MeshMaterial3d(deck.clone()))),
                    };
                    (part.id(), None)
                }
            };
            match layers {
                _ if have == layers => {}
                Some(layers) => drop(commands.entity(part).insert(layers.clone())),
                None => drop(commands.entity(part).remove::<RenderLayers>()),
            }
        }
    }
    for (part, _, parent, _) in &parts {
        if !views.get(parent.parent()).is_ok_and(|(_, view, _)| is_drawn(view, &light)) {
            commands.entity(part).despawn();
        }
    }
}

/// Removes the skies of other cameras from each camera's visible entities: a sky must not be drawn by a camera nearby.
pub(super) fn hide_from_other_cameras(
    mut cameras: Query<(Entity, &mut VisibleEntities)>,
    parts: Query<(Entity, &ChildOf), With<SkyMesh>>,
) {
    for (camera, mut visible) in &mut cameras {
        let visible = visible.get_mut(TypeId::of::<Mesh3d>());
        for (part, _) in parts.iter().filter(|(_, parent)| parent.parent() != camera) {
            // Bevy keeps the list sorted.
            if let Ok(index) = visible.binary_search(&part) {
                visible.remove(index);
            }
        }
    }
}
