//! What cells are made for.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::render::render_resource::Buffer;

use super::bands::far_from;
use super::placement::{cell_quads, far_quads};
use super::render_assets::is_same;
use super::settings::{ScatterShape, TerrainScatter};
use crate::source::{HeightSource, is_same_land};
use crate::streaming::TerrainDescriptor;

/// What cells are made for.
#[derive(Clone)]
pub struct BuildRequest {
    pub settings: TerrainScatter,
    /// The land: its generation, source and spacing.
    generation: u64,
    source: Arc<dyn HeightSource>,
    spacing: f64,
    /// Widths of near and far cells in metres.
    pub widths: [f64; 2],
    /// The land's buffers.
    pub land: [Buffer; 3],
    pub viewers: usize,
    /// Kinds whose mesh is not there: one bit each.
    pub absent: u32,
}

impl BuildRequest {
    /// For the `generation` of the land that has this shape.
    pub fn new(
        settings: &TerrainScatter,
        (generation, shape): (u64, &TerrainDescriptor),
        land: [Buffer; 3],
        viewers: usize,
        absent: u32,
    ) -> Self {
        let TerrainDescriptor { source, lod } = shape;
        let spacing = lod.spacing;
        let width = f64::from(cell_quads(spacing)) * spacing;
        let wide = f64::from(far_quads(lod, f64::from(far_from(width)))) * spacing;
        let (settings, source) = (settings.clone(), source.clone());
        Self { settings, generation, source, spacing, widths: [width, wide], land, viewers, absent }
    }

    /// Is this for the land of `newer` too? If so it is for that generation from here on.
    pub fn follow(&mut self, newer: &Self) -> bool {
        if self.generation != newer.generation {
            if self.spacing != newer.spacing || !is_same_land(&self.source, &newer.source) {
                return false;
            }
            self.generation = newer.generation;
            self.source = newer.source.clone();
        }
        true
    }

    /// Do things that were made for this serve `other` too, on the same land?
    pub fn serves(&self, other: &Self) -> bool {
        self.generation == other.generation
            && self.widths == other.widths
            && is_same(&self.land, &other.land)
            && self.viewers >= other.viewers
            && self.absent == other.absent
            && self.settings.places_as(&other.settings)
    }
}

/// Which kinds' own meshes are not there (yet): one bit each. `report` is told of those that will never be.
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
    use crate::scatter::ScatterKind;

    #[test]
    fn meshes_that_are_not_there_are_absent_until_they_are() {
        let mut meshes = Assets::<Mesh>::default();
        let there = meshes.add(Cuboid::default());
        let loading = meshes.reserve_handle();
        let of = |shape| ScatterKind { shape, ..ScatterKind::rock() };
        let kinds =
            vec![of(ScatterShape::Custom(loading.clone())), ScatterKind::grass(), of(ScatterShape::Custom(there))];
        let settings = TerrainScatter { kinds, ..default() };
        let absent = |meshes: &Assets<Mesh>| absent_kinds(&settings, meshes, None, |_, _, _| {});
        assert_eq!(absent(&meshes), 0b001);
        meshes.insert(&loading, Cuboid::default().into()).unwrap();
        assert_eq!(absent(&meshes), 0);
    }
}
