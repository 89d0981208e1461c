//! From the settings to cells on screen, once a frame.

use std::sync::Arc;

use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy::render::render_resource::{Buffer, BufferDescriptor, BufferUsages};
use bevy::render::renderer::RenderDevice;
use bevy::time::Real;

use super::cells::{Cells, Home, Look, ScatterBlock, place};
use super::copies::SIZES;
use super::jobs::Workers;
use super::material::{ScatterExtension, ScatterMaterial};
use super::pages::{KindHeader, Layer, PageRecord, pages_in_reach};
use super::place::{Ground, Instance, Rule};
use super::settings::{Scatter, ScatterKind, ScatterRejected, ScatterShape};
use super::shapes::Model;
use crate::frame::split_origin;
use crate::render::VertexPool;
use crate::streaming::{Shape, TerrainState};
use crate::terrain::TerrainOrigin;

/// What a kind's objects are drawn from.
#[derive(Clone)]
pub(super) struct Buffers {
    pub instances: Buffer,
    pub pages: Buffer,
}

/// What meshes and buffers of a kind are made for: as long as it stays, they serve any world.
#[derive(Clone, PartialEq)]
struct Plan {
    shape: ScatterShape,
    capacity: u32,
    pages: u32,
}

/// The running state of scattered objects; [`Scatter`] brings it along.
#[derive(Component, Default)]
#[require(ScatterStats)]
pub struct ScatterState {
    /// The newest settings that are valid.
    settings: Option<Scatter>,
    pub(super) cells: Option<Cells>,
    pub(super) buffers: Vec<Buffers>,
    plans: Vec<Plan>,
    looks: Vec<Look>,
    /// What the cells were made for: the land's generation, its buffers, and how many viewers.
    made_for: Option<(u64, [Buffer; 2], usize)>,
    /// The land's buffers that the materials hold.
    drawn_on: Option<[Buffer; 2]>,
    epochs: u64,
    workers: Workers,
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
    /// Milliseconds of one core that a cell took on average, over the last fifty or so.
    pub cell_ms: f32,
    /// Milliseconds this frame's scattering took on the main thread.
    pub main_ms: f32,
}

/// A kind that has its model.
struct Ready<'a> {
    kind: &'a ScatterKind,
    model: Model,
    rule: Rule,
}

/// Makes everything ready for placing; `None` while a custom mesh is still loading.
fn prepare<'a>(settings: &'a Scatter, width: f64, meshes: &Assets<Mesh>) -> Option<Vec<Ready<'a>>> {
    let ready = |kind: &'a ScatterKind| {
        let model = match &kind.shape {
            ScatterShape::Custom(handle) => Model::of_mesh(meshes.get(handle)?)?,
            shape => Model::of(shape)?,
        };
        let rule = match Rule::new(kind, width, model.most_copies()) {
            Ok(rule) => rule,
            Err(error) => {
                // Ranges are validated: there is no way here that is known.
                error!("scatter: {error}");
                return None;
            }
        };
        Some(Ready { kind, model, rule })
    };
    settings.kinds.iter().map(ready).collect()
}

/// Pages of each kind: all that viewers can need, or the same share of it for all if that is more than `bytes`.
pub(super) fn share_pages(
    rules: &[(&ScatterKind, &Rule)],
    width: f64,
    viewers: usize,
    bytes: u64,
    buffer: u64,
) -> Vec<u32> {
    let page = |rule: &Rule| u64::from(rule.lattice.capacity()) * size_of::<Instance>() as u64;
    let needed: Vec<u64> = rules
        .iter()
        .map(|(kind, rule)| u64::from(pages_in_reach(kind, rule.lattice, width)) * viewers.max(1) as u64)
        .collect();
    let all: u64 = needed.iter().zip(rules).map(|(pages, (_, rule))| pages * page(rule)).sum();
    let share = (bytes as f64 / all.max(1) as f64).min(1.0);
    needed
        .iter()
        .zip(rules)
        .map(|(&pages, (_, rule))| {
            let pages = ((pages as f64 * share) as u64).min(buffer / page(rule));
            pages.clamp(1, u64::from(u32::MAX)) as u32
        })
        .collect()
}

fn same(a: &[Buffer; 2], b: &[Buffer; 2]) -> bool {
    a[0].id() == b[0].id() && a[1].id() == b[1].id()
}

impl Buffers {
    fn new(device: &RenderDevice, layer: &Layer) -> Self {
        let pages = layer.pages.capacity() as usize;
        let buffer = |label, bytes: usize| {
            device.create_buffer(&BufferDescriptor {
                label: Some(label),
                size: bytes as u64,
                usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        Self {
            instances: buffer("scatter objects", pages * layer.page_bytes()),
            pages: buffer("scatter pages", size_of::<KindHeader>() + pages * size_of::<PageRecord>()),
        }
    }
}

fn material(kind: &ScatterKind, [vertices, frame]: &[Buffer; 2], buffers: &Buffers) -> ScatterMaterial {
    let is_leafy = matches!(kind.shape, ScatterShape::Grass | ScatterShape::Broadleaf);
    let base = StandardMaterial {
        perceptual_roughness: 0.9,
        reflectance: if is_leafy { 0.15 } else { 0.25 },
        // Blades and leaves have no thickness.
        cull_mode: if is_leafy { None } else { StandardMaterial::default().cull_mode },
        ..default()
    };
    let Buffers { instances, pages } = buffers.clone();
    let extension = ScatterExtension { vertices: vertices.clone(), frame: frame.clone(), instances, pages };
    ScatterMaterial { base, extension }
}

impl ScatterState {
    fn clear(&mut self, commands: &mut Commands) {
        if let Some(cells) = &mut self.cells {
            cells.clear(commands);
        }
        self.cells = None;
        self.made_for = None;
    }

    /// Begins anew with the present settings, on the land as it is now.
    fn begin(
        &mut self,
        shape: &Shape,
        land: &[Buffer; 2],
        viewers: usize,
        device: &RenderDevice,
        meshes: &mut Assets<Mesh>,
        materials: &mut Assets<ScatterMaterial>,
        commands: &mut Commands,
    ) -> bool {
        let is_same_land = self.drawn_on.as_ref().is_some_and(|before| same(before, land));
        self.clear(commands);
        let Some(settings) = &self.settings else { return false };
        let ground = Ground { source: shape.source.clone(), spacing: shape.lod.spacing, rules: Arc::new([]) };
        let width = ground.width();
        let Some(ready) = prepare(settings, width, meshes) else { return false };
        let limits = device.limits();
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let rules: Vec<_> = ready.iter().map(|ready| (ready.kind, &ready.rule)).collect();
        let pages = share_pages(&rules, width, viewers, u64::from(settings.memory_mb) * 1_000_000, largest);

        let (mut layers, mut plans, mut looks, mut buffers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (index, (Ready { kind, model, rule }, &pages)) in ready.iter().zip(&pages).enumerate() {
            let layer = Layer::new(kind, rule.lattice, model.far.is_some(), width, pages);
            let plan = Plan { shape: kind.shape.clone(), capacity: rule.lattice.capacity(), pages };
            let before = self.plans.get(index).zip(self.looks.get(index)).zip(self.buffers.get(index));
            let (look, used) = match before {
                Some(((before, look), used)) if *before == plan && is_same_land => (look.clone(), used.clone()),
                before => {
                    let used = Buffers::new(device, &layer);
                    let is_alike = |before: &Plan| before.shape == plan.shape && before.capacity == plan.capacity;
                    let copies = match before {
                        Some(((before, look), _)) if is_alike(before) => look.meshes.clone(),
                        _ => model
                            .meshes(plan.capacity)
                            .into_iter()
                            .map(|sizes| sizes.map(|mesh| meshes.add(mesh)))
                            .collect::<Vec<[Handle<Mesh>; SIZES]>>(),
                    };
                    let material = materials.add(material(kind, land, &used));
                    (Look { meshes: copies, material }, used)
                }
            };
            layers.push(layer);
            plans.push(plan);
            looks.push(look);
            buffers.push(used);
        }
        (self.plans, self.looks, self.buffers) = (plans, looks.clone(), buffers);
        self.drawn_on = Some(land.clone());
        let rules = ready.into_iter().map(|ready| ready.rule).collect();
        self.epochs += 1;
        self.cells = Some(Cells::new(self.epochs, Ground { rules, ..ground }, layers, looks));
        true
    }

    /// The wind, if there is anything to bend.
    pub(super) fn wind(&self) -> f32 {
        self.settings.as_ref().map_or(0.0, |settings| settings.wind)
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
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ScatterMaterial>>,
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
                Ok(()) if state.settings.as_ref() == Some(&*scatter) => {}
                Ok(()) => {
                    state.settings = Some((*scatter).clone());
                    state.made_for = None;
                }
                Err(error) => {
                    warn!("terrain {terrain}: scatter settings refused, everything stays as it was: {error}");
                    commands.trigger(ScatterRejected { entity: terrain, error });
                }
            }
        }
        let (Some(shown), Some(pool)) = (&land.shown, pool) else { continue };
        let buffers = pool.shared();
        let is_fit = state.made_for.as_ref().is_some_and(|(generation, made_for, viewers)| {
            *generation == shown.id && same(made_for, &buffers) && *viewers >= land.viewers.len()
        });
        if !is_fit {
            let viewers = land.viewers.len();
            let shape = &shown.shape;
            if state.begin(shape, &buffers, viewers, &device, &mut meshes, &mut materials, &mut commands) {
                state.made_for = Some((shown.id, buffers, viewers));
            }
        }
        let Some(cells) = &mut state.cells else { continue };
        let now = time.elapsed_secs_f64();
        cells.receive(&state.workers, &land.viewers, now, &mut commands);
        cells.review(&state.workers, &land.viewers, Home { terrain, origin: *origin }, &mut commands);
        let lod = &shown.shape.lod;
        let (origin_quad, _) = split_origin(origin, lod.spacing);
        cells.record(origin_quad, lod.top_level(), now, |key| {
            shown.chunks.get(&key).filter(|chunk| chunk.visible).map(|chunk| chunk.slot)
        });
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
        let Some(cells) = &state.cells else { continue };
        let [blocks, most_blocks] = cells.pages();
        stats.set_if_neq(ScatterStats {
            objects: cells.objects(),
            cells: cells.len() as u32,
            missing: cells.missing,
            blocks,
            most_blocks,
            cell_ms: cells.cell_ms,
            main_ms: state.main_ms,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert!(app.world().get::<ScatterState>(terrain).unwrap().cells.is_none());
        assert_eq!(app.world().get::<ScatterStats>(terrain), Some(&ScatterStats::default()));
    }
}
