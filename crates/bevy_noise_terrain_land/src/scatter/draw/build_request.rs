//! The inputs for which cells are built.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::render::render_resource::Buffer;

use super::bands::far_from;
use super::render_assets::is_same;
use crate::climate::TerrainClimate;
use crate::edits::is_same_land;
use crate::scatter::placement::{cell_quads, far_quads};
use crate::scatter::settings::{ScatterKind, TerrainScatter};
use crate::scatter::shape::ScatterShape;
use crate::source::HeightSource;
use crate::streaming::TerrainDescriptor;

/// The inputs for which cells are built.
#[derive(Clone)]
pub struct BuildRequest {
    /// Kinds are within their biomes, and above the water.
    pub settings: TerrainScatter,
    /// The land's generation.
    generation: u64,
    source: Arc<dyn HeightSource>,
    spacing: f64,
    /// That of the land, or the default one if no kind follows it.
    pub climate: Arc<TerrainClimate>,
    /// Widths of near and far cells in metres.
    pub widths: [f64; 2],
    /// The land's vertices, uniforms and sky.
    pub land: [Buffer; 3],
    pub viewers: usize,
    /// Kinds whose mesh is not loaded, one bit each.
    pub absent: u32,
}

impl BuildRequest {
    /// For settings and the level of the water, and a generation of the land, its descriptor and its climate.
    pub fn new(
        (settings, water): (&TerrainScatter, Option<f32>),
        (generation, shape): (u64, &TerrainDescriptor),
        climate: Arc<TerrainClimate>,
        land: [Buffer; 3],
        viewers: usize,
        absent: u32,
    ) -> Self {
        let TerrainDescriptor { source, lod, .. } = shape;
        let spacing = lod.spacing;
        let width = f64::from(cell_quads(spacing)) * spacing;
        let wide = f64::from(far_quads(lod, f64::from(far_from(width)))) * spacing;
        let kinds: Vec<_> = settings.kinds.iter().map(|kind| kind.on_land(&climate, water)).collect();
        let climate = if kinds.iter().any(ScatterKind::follows_climate) { climate } else { default() };
        let (settings, source) = (TerrainScatter { kinds, ..settings.clone() }, source.clone());
        Self { settings, generation, source, spacing, climate, widths: [width, wide], land, viewers, absent }
    }

    /// Whether the land of `newer` is the same land; if so, adopts its generation.
    pub fn follow(&mut self, newer: &Self) -> bool {
        if self.generation != newer.generation {
            if self.spacing != newer.spacing || !is_same_land(&self.source, &newer.source) {
                return false;
            }
            self.generation = newer.generation;
        }
        // Edits change it within a generation, and the cells that they touch are placed again.
        self.source = newer.source.clone();
        true
    }

    /// Whether cells built for this request also fit `other`, on the same land.
    pub fn serves(&self, other: &Self) -> bool {
        self.generation == other.generation
            && self.widths == other.widths
            && self.climate == other.climate
            && is_same(&self.land, &other.land)
            && self.viewers >= other.viewers
            && self.absent == other.absent
            && self.settings.places_as(&other.settings)
    }
}

/// Kinds whose custom mesh is not loaded (yet), one bit each. Calls `report` for those that failed to load.
pub fn absent_kinds(
    settings: &TerrainScatter,
    meshes: &Assets<Mesh>,
    server: Option<&AssetServer>,
    mut report: impl FnMut(usize, AssetId<Mesh>, String),
) -> u32 {
    let mut absent = 0;
    for (index, kind) in settings.kinds.iter().enumerate() {
        let ScatterShape::Custom(handle) = &kind.shape else { continue };
        if meshes.contains(handle) {
            continue;
        }
        absent |= 1 << index;
        if let Some(bevy::asset::LoadState::Failed(error)) = server.and_then(|server| server.get_load_state(handle)) {
            report(index, handle.id(), error.to_string());
        }
    }
    absent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_absent_until_their_mesh_is_loaded() {
        let mut meshes = Assets::<Mesh>::default();
        let loaded = meshes.add(Cuboid::default());
        let loading = meshes.reserve_handle();
        let of = |shape| ScatterKind { shape, ..ScatterKind::rock() };
        let kinds =
            vec![of(ScatterShape::Custom(loading.clone())), ScatterKind::grass(), of(ScatterShape::Custom(loaded))];
        let settings = TerrainScatter { kinds, ..default() };
        let absent = |meshes: &Assets<Mesh>| absent_kinds(&settings, meshes, None, |_, _, _| {});
        assert_eq!(absent(&meshes), 0b001);
        meshes.insert(&loading, Cuboid::default().into()).unwrap();
        assert_eq!(absent(&meshes), 0);
    }
}
