//! From the settings to cells on screen, once a frame.

use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy::render::render_resource::Buffer;
use bevy::render::renderer::RenderDevice;
use bevy::tasks::Task;
use bevy::tasks::futures::check_ready;
use bevy::time::Real;

use super::bands::{Band, Need, far_from, share_pages, shares};
use super::cells::{Cells, Home, ScatterBlock, place};
use super::kit::{Kit, is_same};
use super::material::ScatterMaterial;
use super::pages::Layer;
use super::place::{Ground, cell_quads, far_quads};
use super::prepare::{Order, Origin, Prepared, spawn};
use super::settings::{Scatter, ScatterRejected, ScatterShape};
use super::shapes::Model;
use crate::frame::split_origin;
use crate::render::VertexPool;
use crate::streaming::{Shape, TerrainState};
use crate::terrain::TerrainOrigin;

/// What cells are made for.
#[derive(Clone)]
struct Wish {
    settings: Scatter,
    /// The land's generation and its buffers.
    generation: u64,
    land: [Buffer; 3],
    viewers: usize,
}

impl Wish {
    fn is_on(&self, generation: u64, land: &[Buffer; 3]) -> bool {
        self.generation == generation && is_same(&self.land, land)
    }

    /// Do things that were made for this serve `other` too?
    fn serves(&self, other: &Self) -> bool {
        self.is_on(other.generation, &other.land)
            && self.viewers >= other.viewers
            && self.settings.places_as(&other.settings)
    }
}

/// The running state of scattered objects; [`Scatter`] brings it along.
#[derive(Component, Default)]
#[require(ScatterStats)]
pub struct ScatterState {
    /// The newest settings that are valid.
    settings: Option<Scatter>,
    made_for: Option<Wish>,
    preparing: Option<(Wish, Task<Vec<Prepared>>)>,
    /// Narrow cells, then wide ones.
    bands: Vec<Cells>,
    /// For each layer of each band.
    kits: Vec<Vec<Kit>>,
    epochs: u64,
    main_ms: f32,
}

/// What scattering is doing, renewed every frame.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct ScatterStats {
    /// Objects in memory.
    pub objects: u64,
    /// Cells in memory.
    pub cells: u32,
    /// Cells within reach and not there yet.
    pub missing: u32,
    /// Blocks of objects in memory.
    pub blocks: u32,
    /// Blocks there is room for.
    pub most_blocks: u32,
    /// Bytes of that room; [`Scatter::memory_mb`] is its bound.
    pub bytes: u64,
    /// Are models, meshes and rules being made?
    pub preparing: bool,
    /// Milliseconds of one core that a cell took on average, over the last fifty or so.
    pub cell_ms: f32,
    /// Milliseconds this frame's scattering took on the main thread.
    pub main_ms: f32,
}

/// Where new meshes and materials go.
#[derive(SystemParam)]
pub(super) struct Shop<'w> {
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<ScatterMaterial>>,
}

impl ScatterState {
    fn clear(&mut self, commands: &mut Commands) {
        for cells in &mut self.bands {
            cells.hide(commands);
        }
        self.bands.clear();
        self.made_for = None;
    }

    /// The wind, if there is anything to bend.
    pub(super) fn wind(&self) -> f32 {
        self.settings.as_ref().map_or(0.0, |settings| settings.wind)
    }

    /// All layers and what they are drawn from.
    pub(super) fn layers(&mut self) -> impl Iterator<Item = (&mut Layer, &Kit)> {
        let bands = self.bands.iter_mut().zip(&self.kits);
        bands.flat_map(|(cells, kits)| cells.layers.iter_mut().zip(kits))
    }

    /// Takes over settings that put everything where it is.
    fn restyle(&mut self, settings: &Scatter, commands: &mut Commands) {
        let Some(made_for) = &mut self.made_for else { return };
        if made_for.settings == *settings {
            return;
        }
        made_for.settings = settings.clone();
        for cells in &mut self.bands {
            let mut is_as_before = true;
            for layer in &mut cells.layers {
                if let Some(kind) = settings.kinds.get(layer.index) {
                    is_as_before &= layer.restyle(kind);
                }
            }
            if !is_as_before {
                cells.hide(commands);
            }
        }
    }

    /// Begins to prepare what `wish` needs; not while a mesh is loading.
    fn order(&mut self, wish: Wish, shape: &Shape, meshes: &Assets<Mesh>) {
        let spacing = shape.lod.spacing;
        let width = f64::from(cell_quads(spacing)) * spacing;
        let wide = f64::from(far_quads(&shape.lod, f64::from(far_from(width)))) * spacing;
        let mut orders = Vec::new();
        for share in shares(&wish.settings.kinds, width, wide) {
            let known = self.kits.iter().flatten().find(|kit| kit.is_of(share.band, &share.kind.shape));
            let origin = match (&share.kind.shape, known) {
                (_, Some(kit)) => Origin::Known { model: kit.model.clone(), capacity: kit.capacity },
                (ScatterShape::Custom(handle), None) => {
                    let Some(mesh) = meshes.get(handle) else { return };
                    let Some(model) = Model::of_mesh(mesh) else {
                        warn!(
                            "scatter.kinds[{}].shape is no list of triangles in main memory with at most 65535 \
                             vertices: it is left out",
                            share.index
                        );
                        continue;
                    };
                    Origin::Mesh(model)
                }
                (_, None) => Origin::Shape,
            };
            let width = if share.band == Band::Near { width } else { wide };
            orders.push(Order { share, origin, width });
        }
        self.preparing = Some((wish, spawn(orders)));
    }

    /// Begins anew with what has been prepared.
    fn begin(
        &mut self,
        wish: Wish,
        prepared: Vec<Prepared>,
        shape: &Shape,
        device: &RenderDevice,
        shop: &mut Shop,
        commands: &mut Commands,
    ) {
        self.clear(commands);
        let limits = device.limits();
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let need = |prepared: &Prepared| Need {
            reach: prepared.share.reach.to,
            lattice: prepared.rule.lattice,
            width: prepared.width,
        };
        let needs: Vec<_> = prepared.iter().map(need).collect();
        let pages = share_pages(&needs, wish.viewers, u64::from(wish.settings.memory_mb) * 1_000_000, largest);
        let mut before: Vec<Kit> = self.kits.drain(..).flatten().collect();
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for (prepared, pages) in prepared.into_iter().zip(pages) {
            let list = if prepared.share.band == Band::Near { &mut near } else { &mut far };
            list.push((prepared, pages));
        }
        for (part_of_pool, list) in [(2, near), (4, far)] {
            let (mut layers, mut kits, mut rules, mut looks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            let mut width = 0.0;
            for (mut prepared, pages) in list {
                let share = &prepared.share;
                // Its own settings, not those of the band: what changes later is compared with them.
                let Some(kind) = wish.settings.kinds.get(share.index) else { continue };
                let (index, lattice) = (share.index, prepared.rule.lattice);
                let layer = Layer::new(kind, index, lattice, &prepared.model, share.reach, pages);
                let known = before.iter().position(|kit| kit.is_of(share.band, &share.kind.shape));
                let known = known.map(|known| before.swap_remove(known));
                let Shop { meshes, materials } = &mut *shop;
                let kit = Kit::new(&mut prepared, &layer, known, &wish.land, device, meshes, materials);
                width = prepared.width;
                looks.push(kit.looks.clone());
                kits.push(kit);
                layers.push(layer);
                rules.push(prepared.rule);
            }
            self.kits.push(kits);
            let spacing = shape.lod.spacing;
            let quads = (width / spacing).round().max(1.0) as u32;
            let ground = Ground { source: shape.source.clone(), spacing, quads, rules: Arc::from(rules) };
            self.epochs += 1;
            self.bands.push(Cells::new(self.epochs, ground, layers, looks, part_of_pool));
        }
        self.made_for = Some(wish);
    }

    /// Sees to it that there are cells for the present settings on the present land.
    fn provide(
        &mut self,
        land: &TerrainState,
        pool: &VertexPool,
        device: &RenderDevice,
        shop: &mut Shop,
        commands: &mut Commands,
    ) {
        let (Some(shown), Some(settings)) = (&land.shown, &self.settings) else { return };
        let viewers = land.viewers.len().max(1);
        let wish = Wish { settings: settings.clone(), generation: shown.id, land: pool.shared(), viewers };
        if self.made_for.as_ref().is_some_and(|made_for| !made_for.is_on(wish.generation, &wish.land)) {
            // Other land, or land elsewhere in memory: nothing stands on it yet.
            self.clear(commands);
        }
        if self.made_for.as_ref().is_some_and(|made_for| made_for.serves(&wish)) {
            self.preparing = None;
            self.restyle(&wish.settings, commands);
            return;
        }
        match self.preparing.take() {
            Some((ordered, mut task)) if ordered.serves(&wish) => match check_ready(&mut task) {
                Some(prepared) => {
                    let wish = Wish { viewers: ordered.viewers, ..wish };
                    self.begin(wish, prepared, &shown.shape, device, shop, commands);
                }
                None => self.preparing = Some((ordered, task)),
            },
            // What is being made is of no use any more.
            _ => self.order(wish, &shown.shape, &shop.meshes),
        }
    }
}

/// Brings scattered objects up to date with settings, land and viewers.
pub(super) fn stream(
    mut commands: Commands,
    mut terrains: Query<(
        Entity,
        Option<Ref<Scatter>>,
        &mut ScatterState,
        &TerrainState,
        &TerrainOrigin,
        Option<&VertexPool>,
    )>,
    device: Option<Res<RenderDevice>>,
    mut shop: Shop,
    time: Res<Time<Real>>,
) {
    let Some(device) = device else { return };
    for (terrain, scatter, mut state, land, origin, pool) in &mut terrains {
        let began = Instant::now();
        let state = &mut *state;
        let Some(scatter) = scatter else {
            state.clear(&mut commands);
            commands.entity(terrain).try_remove::<(ScatterState, ScatterStats)>();
            continue;
        };
        if scatter.is_changed() {
            match scatter.validate() {
                Ok(()) => state.settings = Some((*scatter).clone()),
                Err(error) => {
                    warn!("terrain {terrain}: scatter settings refused, everything stays as it was: {error}");
                    commands.trigger(ScatterRejected { entity: terrain, error });
                }
            }
        }
        let (Some(shown), Some(pool)) = (&land.shown, pool) else { continue };
        state.provide(land, pool, &device, &mut shop, &mut commands);
        let now = time.elapsed_secs_f64();
        let lod = &shown.shape.lod;
        let (origin_quad, _) = split_origin(origin, lod.spacing);
        for cells in &mut state.bands {
            cells.receive(&land.viewers, now, &mut commands);
            cells.review(&land.viewers, Home { terrain, origin: *origin }, &mut commands);
            cells.record(origin_quad, lod.top_level(), now, |key| {
                shown.chunks.get(&key).filter(|chunk| chunk.visible).map(|chunk| chunk.slot)
            });
        }
        state.main_ms = began.elapsed().as_secs_f32() * 1e3;
    }
}

/// Moves blocks whose terrain's origin has moved.
pub(super) fn rebase(
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

/// Renews [`ScatterStats`].
pub(super) fn report(mut terrains: Query<(&ScatterState, &mut ScatterStats)>) {
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
        let scatter = Scatter { kinds: vec![ScatterKind::grass()], ..default() };
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
