//! Builds and updates cells from settings, land and viewers, once per frame.

use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy::render::renderer::RenderDevice;
use bevy::tasks::Task;
use bevy::tasks::futures::check_ready;
use bevy::time::Real;

use super::bands::{Band, Need, Share, share_pages, shares};
use super::build_request::{BuildRequest, absent_kinds};
use super::canopy::canopies;
use super::cells::{Cells, Home, ScatterBlock, place};
use super::material::ScatterMaterial;
use super::pages::Layer;
use super::prepare::{ModelSource, PrepareRequest, Prepared, spawn};
use super::removal::Removal;
use super::render_assets::{KindAssets, is_same};
use super::shapes::Model;
use crate::edits::Change;
use crate::quality::QualityInUse;
use crate::render::{CanopyUniforms, PageInputs, VertexPool};
use crate::scatter::RemovedScatter;
use crate::scatter::placement::{Cell, PlacementContext};
use crate::scatter::query::PreparedScatter;
use crate::scatter::settings::TerrainScatter;
use crate::scatter::shape::ScatterShape;
use crate::streaming::{TerrainDescriptor, TerrainState};
use crate::terrain::TerrainOrigin;
use crate::uniforms::split_origin;
use crate::viewer::TerrainViewers;

/// The running state of scattered objects; required by [`TerrainScatter`].
#[derive(Component, Default)]
#[require(ScatterStats)]
pub struct ScatterState {
    /// The last valid settings.
    settings: Option<TerrainScatter>,
    /// The level of the terrain's water.
    water: Option<f32>,
    removed: RemovedScatter,
    /// The generation of the land, and how often edits have changed it.
    land: Option<(u64, u64)>,
    built_for: Option<BuildRequest>,
    preparing: Option<(BuildRequest, Task<Vec<Prepared>>)>,
    /// The near band, then the far one.
    bands: Vec<Cells>,
    /// For each layer of each band.
    kind_assets: Vec<Vec<KindAssets>>,
    epochs: u64,
    /// Meshes that cannot be scattered, for which a warning has been logged.
    reported: Vec<AssetId<Mesh>>,
    main_ms: f32,
}

/// Statistics of scattering, updated every frame.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct ScatterStats {
    /// Objects in memory.
    pub objects: u64,
    /// Cells in memory.
    pub cells: u32,
    /// Cells within reach that are not loaded yet.
    pub missing: u32,
    /// Blocks of objects in memory.
    pub blocks: u32,
    /// The greatest number of blocks that fit.
    pub most_blocks: u32,
    /// Bytes allocated for them, limited by [`TerrainScatter::memory_mb`].
    pub bytes: u64,
    /// Whether models, meshes and rules are being built.
    pub preparing: bool,
    /// Mean milliseconds per cell on one core, over about the last fifty cells.
    pub cell_ms: f32,
    /// Milliseconds that scattering took on the main thread in this frame.
    pub main_ms: f32,
}

/// Asset collections for new meshes and materials.
#[derive(SystemParam)]
pub(super) struct AssetStores<'w> {
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<ScatterMaterial>>,
    server: Option<Res<'w, AssetServer>>,
}

impl ScatterState {
    fn clear(&mut self, commands: &mut Commands) {
        for cells in &mut self.bands {
            cells.hide(commands);
        }
        self.bands.clear();
        self.built_for = None;
    }

    /// Has a block shown again if this entity draws it.
    pub(super) fn forget_block(&mut self, cell: Cell, entity: Entity) {
        self.bands.iter_mut().for_each(|cells| cells.forget_block(cell, entity));
    }

    /// How far plants yield to the wind.
    pub(super) fn yielding(&self) -> f32 {
        self.settings.as_ref().map_or(0.0, |settings| settings.wind)
    }

    /// All layers and their render assets.
    pub(super) fn layers(&mut self) -> impl Iterator<Item = (&mut Layer, &KindAssets)> {
        let bands = self.bands.iter_mut().zip(&self.kind_assets);
        bands.flat_map(|(cells, kind_assets)| cells.layers.iter_mut().zip(kind_assets))
    }

    /// What of the objects is seen beyond the last one that is drawn.
    fn canopies(&self, origin: &TerrainOrigin) -> CanopyUniforms {
        canopies(self.bands.iter().flat_map(|cells| cells.layers.iter().zip(cells.rules().iter())), origin)
    }

    /// Applies settings that only change the appearance.
    fn restyle(&mut self, settings: &TerrainScatter, commands: &mut Commands) {
        let Some(built_for) = &mut self.built_for else { return };
        if built_for.settings == *settings {
            return;
        }
        built_for.settings = settings.clone();
        for cells in &mut self.bands {
            cells.restyle(&settings.kinds, commands);
        }
    }

    /// Logs once that a mesh cannot be scattered.
    fn report(&mut self, index: usize, mesh: AssetId<Mesh>, why: &str) {
        if !self.reported.contains(&mesh) {
            self.reported.push(mesh);
            warn!("scatter.kinds.{index}.shape {why}: the kind is left out");
        }
    }

    /// Starts preparing what `request` needs; kinds whose mesh is not loaded are skipped.
    fn start_preparing(&mut self, request: BuildRequest, meshes: &Assets<Mesh>) {
        let [width, wide] = request.widths;
        let mut requests = Vec::new();
        for share in shares(&request.settings.kinds, width, wide) {
            if request.absent & 1 << share.index != 0 {
                continue;
            }
            let known = self.kind_assets.iter().flatten().find(|assets| assets.is_of(share.band, &share.kind.shape));
            let source = match (&share.kind.shape, known) {
                (_, Some(assets)) => ModelSource::Known { model: assets.model.clone(), capacity: assets.capacity },
                (ScatterShape::Custom(handle), None) => {
                    let Some(model) = meshes.get(handle).and_then(Model::of_mesh) else {
                        let why = "is not a triangle list in main memory with at most 65535 vertices";
                        self.report(share.index, handle.id(), why);
                        continue;
                    };
                    ModelSource::Mesh(model)
                }
                (_, None) => ModelSource::Shape,
            };
            let width = if share.band == Band::Near { width } else { wide };
            requests.push(PrepareRequest { share, source, width });
        }
        self.preparing = Some((request, spawn(requests)));
    }

    /// Creates the cells from what has been prepared; a band whose placement does not change keeps its cells.
    fn apply_prepared(
        &mut self,
        request: BuildRequest,
        prepared: Vec<Prepared>,
        shape: &TerrainDescriptor,
        device: &RenderDevice,
        stores: &mut AssetStores,
        commands: &mut Commands,
    ) {
        let limits = device.limits();
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let need = |prepared: &Prepared| Need {
            reach: prepared.share.reach.to,
            lattice: prepared.rule.lattice,
            width: prepared.width,
        };
        let needs: Vec<_> = prepared.iter().map(need).collect();
        let pages = share_pages(&needs, request.viewers, u64::from(request.settings.memory_mb) * 1_000_000, largest);
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for (prepared, pages) in prepared.into_iter().zip(pages) {
            // The kind of the settings, not that of the band: later settings are compared with it.
            let Some(kind) = request.settings.kinds.get(prepared.share.index) else { continue };
            let list = if prepared.share.band == Band::Near { &mut near } else { &mut far };
            let Share { index, reach, .. } = prepared.share;
            let layer = Layer::new(kind, index, prepared.rule.lattice, &prepared.model, reach, pages);
            list.push((prepared, layer));
        }
        let before: Vec<_> = self
            .bands
            .drain(..)
            .map(Some)
            .chain([None, None])
            .zip(self.kind_assets.drain(..).chain([Vec::new(), Vec::new()]))
            .collect();
        let spacing = shape.lod.spacing;
        for (((part_of_pool, width), list), (cells, before)) in
            [(2, request.widths[0]), (4, request.widths[1])].into_iter().zip([near, far]).zip(before)
        {
            let quads = (width / spacing).round().max(1.0) as u32;
            let (prepared, layers): (Vec<_>, Vec<_>) = list.into_iter().unzip();
            match cells {
                Some(mut cells) if cells.holds(&layers, quads, &request.climate) => {
                    cells.restyle(&request.settings.kinds, commands);
                    self.bands.push(cells);
                    self.kind_assets.push(before);
                    continue;
                }
                Some(mut cells) => cells.hide(commands),
                None => {}
            }
            let mut before: Vec<Option<KindAssets>> = before.into_iter().map(Some).collect();
            let (mut kind_assets, mut rules) = (Vec::new(), Vec::new());
            for (mut prepared, layer) in prepared.into_iter().zip(&layers) {
                let share = &prepared.share;
                let is_of = |assets: &Option<KindAssets>| {
                    assets.as_ref().is_some_and(|assets| assets.is_of(share.band, &share.kind.shape))
                };
                let known = before.iter().position(is_of).and_then(|known| before[known].take());
                let AssetStores { meshes, materials, .. } = &mut *stores;
                kind_assets.push(KindAssets::new(
                    &mut prepared,
                    layer,
                    known,
                    &request.land,
                    device,
                    meshes,
                    materials,
                ));
                rules.push(prepared.rule);
            }
            let lod_meshes = kind_assets.iter().map(|assets| assets.lod_meshes.clone()).collect();
            let (source, climate) = (shape.source.clone(), request.climate.clone());
            let ground = PlacementContext { source, climate, spacing, quads, rules: Arc::from(rules) };
            let removal = match self.bands.first() {
                None => Removal::near(self.removed.clone()),
                Some(near) => Removal::far(self.removed.clone(), near.rules().clone(), near.quads()),
            };
            self.epochs += 1;
            self.kind_assets.push(kind_assets);
            self.bands.push(Cells::new(self.epochs, ground, removal, layers, lod_meshes, part_of_pool));
        }
        self.built_for = Some(request);
    }

    /// Binds the land's new buffers.
    fn rebind(&mut self, request: &BuildRequest, stores: &mut AssetStores, commands: &mut Commands) {
        for (cells, kind_assets) in self.bands.iter_mut().zip(&mut self.kind_assets) {
            for assets in &mut *kind_assets {
                assets.rebind(&request.land, &mut stores.materials);
            }
            cells.replace_meshes(kind_assets.iter().map(|assets| assets.lod_meshes.clone()).collect(), commands);
        }
    }

    /// Has the cells placed again that edits have touched.
    fn follow_edits(&mut self, state: &TerrainState) {
        let Some(land) = state.shown_land() else { return };
        let now = (land.generation(), land.revision());
        let before = self.land.replace(now);
        if let Some((_, revision)) = before.filter(|&before| before.0 == now.0 && before.1 != now.1) {
            let changes = land.changes_since(revision).unwrap_or_else(|| vec![Change::EVERYTHING]);
            for cells in &mut self.bands {
                cells.follow_edits(&land.descriptor().source, &changes);
            }
        }
    }

    /// Makes sure that there are cells for the current settings on the current land, or that they are being prepared.
    fn update_request(
        &mut self,
        land: &TerrainState,
        viewers: usize,
        pool: &VertexPool,
        device: &RenderDevice,
        stores: &mut AssetStores,
        commands: &mut Commands,
    ) {
        let (Some(generation), Some(shape), Some(settings)) = (land.generation(), land.descriptor(), &self.settings)
        else {
            return;
        };
        let mut broken = Vec::new();
        let absent = absent_kinds(settings, &stores.meshes, stores.server.as_deref(), |index, mesh, error| {
            broken.push((index, mesh, format!("was not loaded ({error})")));
        });
        let mut request = BuildRequest::new(
            (settings, self.water),
            (generation, shape),
            land.climate(),
            pool.shared(),
            viewers,
            absent,
        );
        for (index, mesh, why) in broken {
            self.report(index, mesh, &why);
        }
        if let Some((pending, _)) = &mut self.preparing {
            pending.follow(&request);
        }
        if let Some(built_for) = &mut self.built_for {
            if !built_for.follow(&request) {
                // Other land: no object fits it.
                self.clear(commands);
            } else if !is_same(&built_for.land, &request.land) {
                built_for.land = request.land.clone();
                self.rebind(&request, stores, commands);
            }
        }
        if self.built_for.as_ref().is_some_and(|built_for| built_for.serves(&request)) {
            self.preparing = None;
            self.restyle(&request.settings, commands);
            return;
        }
        match self.preparing.take() {
            Some((pending, mut task)) if pending.serves(&request) => match check_ready(&mut task) {
                Some(prepared) => {
                    request.viewers = pending.viewers;
                    self.apply_prepared(request, prepared, shape, device, stores, commands);
                }
                None => self.preparing = Some((pending, task)),
            },
            // What is being prepared is outdated.
            _ => self.start_preparing(request, &stores.meshes),
        }
    }
}

/// The settings with distances of `share` times as much, within what is allowed.
fn drawn_to(settings: &TerrainScatter, share: f32) -> TerrainScatter {
    let mut settings = settings.clone();
    for kind in &mut settings.kinds {
        kind.distance = (share * kind.distance).clamp(1.0, 20_000.0);
    }
    settings
}

/// Updates scattered objects for settings, land and viewers.
pub(super) fn stream_cells(
    mut commands: Commands,
    mut terrains: Query<(
        Entity,
        Has<TerrainScatter>,
        Ref<PreparedScatter>,
        &RemovedScatter,
        &mut ScatterState,
        &TerrainState,
        &TerrainViewers,
        &TerrainOrigin,
        Option<&VertexPool>,
        &mut CanopyUniforms,
        &mut PageInputs,
    )>,
    device: Option<Res<RenderDevice>>,
    mut stores: AssetStores,
    time: Res<Time<Real>>,
    quality: Res<QualityInUse>,
) {
    let Some(device) = device else { return };
    for (terrain, has_scatter, prepared, removed, mut state, land, viewers, origin, pool, mut canopy, mut pages) in
        &mut terrains
    {
        let began = Instant::now();
        let state = &mut *state;
        if !has_scatter {
            state.clear(&mut commands);
            if canopy.set_if_neq(CanopyUniforms::default()) {
                pages.set_canopy(CanopyUniforms::default());
            }
            commands.entity(terrain).try_remove::<(ScatterState, ScatterStats)>();
            continue;
        }
        if prepared.is_changed() || quality.is_changed() || state.settings.is_none() {
            let settings = prepared.settings().map(|settings| drawn_to(settings, quality.levers.plant_distance));
            (state.settings, state.water) = (settings, prepared.water());
        }
        if state.removed != *removed {
            state.removed = removed.clone();
            for cells in &mut state.bands {
                cells.remove(removed);
            }
        }
        let (Some(lod), Some(pool)) = (land.lod(), pool) else { continue };
        let viewers = viewers.as_slice();
        state.update_request(land, viewers.len().max(1), pool, &device, &mut stores, &mut commands);
        state.follow_edits(land);
        let now = time.elapsed_secs_f64();
        let (origin_quad, _) = split_origin(origin, lod.spacing);
        for cells in &mut state.bands {
            cells.receive(viewers, now, &mut commands);
            cells.update(viewers, Home { terrain, origin: *origin }, &mut commands);
            cells.record(origin_quad, lod.top_level(), now, |key| land.drawn_slot(key));
        }
        if canopy.set_if_neq(state.canopies(origin)) {
            pages.set_canopy(state.canopies(&TerrainOrigin::default()));
        }
        state.main_ms = began.elapsed().as_secs_f32() * 1e3;
    }
}

/// Moves blocks when their terrain's origin has moved.
pub(super) fn shift_origin(
    terrains: Query<&TerrainOrigin, Changed<TerrainOrigin>>,
    mut blocks: Query<(&ScatterBlock, &ChildOf, &mut Transform)>,
) {
    if terrains.is_empty() {
        return;
    }
    for (block, parent, mut transform) in &mut blocks {
        if let Ok(origin) = terrains.get(parent.parent()) {
            transform.translation = place(block.corner, origin);
        }
    }
}

/// Updates [`ScatterStats`].
pub(super) fn update_stats(mut terrains: Query<(&ScatterState, &mut ScatterStats)>) {
    for (state, mut stats) in &mut terrains {
        let mut now = ScatterStats { main_ms: state.main_ms, preparing: state.preparing.is_some(), ..default() };
        for cells in &state.bands {
            let [blocks, most_blocks] = cells.pages();
            now.objects += cells.objects;
            now.cells += cells.len() as u32;
            now.missing += cells.missing;
            now.blocks += blocks;
            now.most_blocks += most_blocks;
            now.bytes += cells.layers.iter().map(Layer::bytes).sum::<u64>();
        }
        now.cell_ms = state.bands.first().map_or(0.0, |cells| cells.cell_ms);
        stats.set_if_neq(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scatter::ScatterKind;
    use crate::{NoiseTerrain, NoiseTerrainPlugin, TerrainViewer};

    #[test]
    fn without_a_renderer_it_is_idle() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin));
        let scatter = TerrainScatter { kinds: vec![ScatterKind::grass()], ..default() };
        let terrain = app.world_mut().spawn((NoiseTerrain::default(), scatter)).id();
        app.world_mut().spawn((TerrainViewer, Transform::from_xyz(0.0, 500.0, 0.0)));
        for _ in 0..5 {
            app.update();
        }
        let mut blocks = app.world_mut().query::<&ScatterBlock>();
        assert_eq!(blocks.iter(app.world()).count(), 0);
        assert!(app.world().get::<ScatterState>(terrain).unwrap().bands.is_empty());
        assert_eq!(app.world().get::<ScatterStats>(terrain), Some(&ScatterStats::default()));
    }
}
