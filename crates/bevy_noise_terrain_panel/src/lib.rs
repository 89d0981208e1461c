//! An egui panel that edits a terrain live: `bevy_noise_terrain::panel`, with the feature `panel`.
//!
//! Seven tabs at the left of the window: the world with its presets and files, the noise tree, all other
//! settings, tools to sculpt the land, a map, statistics, and the export. It only ever writes to [`NoiseTerrain`] and
//! [`TerrainGround`]; to [`TerrainWater`], [`TerrainScatter`] and [`TerrainSky`] where they exist; to [`TerrainEdits`] when
//! the user sculpts; to [`TerrainOrigin`] when the user travels on the map; and to [`BoundPreset`] when a preset is chosen.
//! Changed settings go to a draft. An invalid draft is not applied: the panel shows the error at its field, and the running
//! world stays. Everything can be undone.

mod bounds;
mod curve;
mod edit_step;
mod export_tab;
mod fault;
mod files;
mod history;
mod inspect;
mod keys;
mod layout_probe;
mod map_tab;
mod merge;
mod noise_tab;
mod number;
mod params;
mod plot;
#[cfg(feature = "picking")]
mod pointers;
mod raster;
mod replace;
mod sculpt;
mod sculpt_tab;
mod session;
mod span;
mod stats_tab;
mod terrain_tab;
mod tree;
mod view;
mod world_tab;

pub use keys::KEYS;
pub use layout_probe::LayoutProbe;

use std::path::PathBuf;
use std::time::Duration;

use bevy::asset::io::file::FileAssetReader;
use bevy::asset::{AssetLoadFailedEvent, AssetPlugin};
use bevy::diagnostic::{Diagnostic, DiagnosticsStore};
use bevy::ecs::system::SystemParam;
use bevy::gizmos::config::GizmoConfigStore;
use bevy::platform::collections::HashMap;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::time::Real;
use bevy_egui::{EguiClipboard, EguiContexts, EguiPlugin, EguiPrimaryContextPass, egui};
use bevy_noise_terrain::edits::TerrainEdits;
use bevy_noise_terrain::ground::TerrainGround;
use bevy_noise_terrain::quality::{QualityInUse, TerrainQuality};
use bevy_noise_terrain::scatter::{RemovedScatter, TerrainScatter};
use bevy_noise_terrain::sky::TerrainSky;
use bevy_noise_terrain::volumes::VolumeScatter;
use bevy_noise_terrain::water::TerrainWater;
use bevy_noise_terrain::wind::TerrainWind;
use bevy_noise_terrain::{
    BoundPreset, FreezeViewers, NoiseTerrain, TerrainOrigin, TerrainPreset, TerrainQuery, TerrainState, TerrainStats,
    TerrainViewers, Viewer,
};

use files::Files;
use map_tab::Dot;
use session::Live;
use view::{Action, Input, PanelView};

/// Shows the panel at the left of the window.
///
/// Adds [`EguiPlugin`] if the app has not. Disable your camera's input by
/// [`EguiWantsInput`](bevy_egui::input::EguiWantsInput) while the pointer or the keyboard is in the panel.
pub struct TerrainPanelPlugin;

/// The tabs of the panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PanelTab {
    /// Seed, presets, files.
    World,
    /// The noise tree.
    #[default]
    Noise,
    /// Level of detail, streaming, ground.
    Terrain,
    /// Tools that change the land under the pointer.
    Sculpt,
    /// A map of the heights.
    Map,
    /// Statistics of the streaming.
    Statistics,
    /// Exports regions as files.
    Export,
}

/// The panel's state.
#[derive(Resource)]
pub struct TerrainPanel {
    /// Whether the panel is shown.
    pub open: bool,
    /// The current tab.
    pub tab: PanelTab,
    /// Whether a click on the map moves the first viewer there, by the terrain's [`TerrainOrigin`]. If not, the click
    /// only triggers [`TerrainTravel`].
    pub travels: bool,
    /// Whether to record [`places`](Self::places), for tests that move a real pointer and for tutorials.
    pub tells: bool,
    /// Positions of the fields in the last frame, and the errors shown.
    pub places: LayoutProbe,
    /// Time that the panel took on the main thread in the last frame.
    pub took: Duration,
    views: HashMap<Entity, PanelView>,
    /// The terrain that is edited.
    chosen: Option<Entity>,
    files: Files,
    /// The asset folder, where new presets are saved.
    folder: PathBuf,
    /// Number of presses of the pointer so far.
    presses: u64,
}

impl Default for TerrainPanel {
    fn default() -> Self {
        Self {
            open: true,
            tab: PanelTab::default(),
            travels: true,
            tells: false,
            places: LayoutProbe::default(),
            took: Duration::ZERO,
            views: HashMap::default(),
            chosen: None,
            files: Files::default(),
            folder: PathBuf::from("assets"),
            presses: 0,
        }
    }
}

impl TerrainPanel {
    /// How many steps of the edited terrain can be undone, and how many redone.
    pub fn steps(&self) -> (usize, usize) {
        self.chosen.and_then(|chosen| self.views.get(&chosen)).map_or((0, 0), |view| view.session.steps())
    }

    fn shows_bounds(&self) -> bool {
        self.views.values().any(|view| view.aids.bounds)
    }
}

/// Triggered by a click on the map. Targets the terrain's entity.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct TerrainTravel {
    /// The terrain's entity.
    pub entity: Entity,
    /// The destination: absolute x and z in metres.
    pub position: [f64; 2],
}

impl Plugin for TerrainPanelPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        let assets = app.get_added_plugins::<AssetPlugin>();
        let folder = assets.first().map_or("assets", |plugin| plugin.file_path.as_str());
        let folder = FileAssetReader::get_base_path().join(folder);
        app.insert_resource(TerrainPanel { folder, ..default() })
            .add_systems(
                EguiPrimaryContextPass,
                (
                    show.run_if(resource_exists::<Assets<TerrainPreset>>),
                    sculpt::work,
                    sculpt::draw.run_if(resource_exists::<GizmoConfigStore>),
                )
                    .chain(),
            )
            .add_systems(Update, bounds::draw.run_if(resource_exists::<GizmoConfigStore>));
        #[cfg(feature = "picking")]
        app.add_systems(
            PreUpdate,
            pointers::block
                .in_set(bevy_picking::PickingSystems::Backend)
                .run_if(resource_exists::<Messages<bevy_picking::backend::PointerHits>>),
        );
    }
}

type Terrain = (
    Entity,
    Option<&'static Name>,
    &'static NoiseTerrain,
    &'static TerrainGround,
    (Option<&'static TerrainWater>, Option<&'static TerrainScatter>, Option<&'static VolumeScatter>),
    &'static mut TerrainOrigin,
    &'static TerrainStats,
    &'static TerrainState,
    &'static TerrainViewers,
    Option<&'static BoundPreset>,
    Option<&'static TerrainEdits>,
    Option<&'static RemovedScatter>,
    Has<FreezeViewers>,
);

#[derive(SystemParam)]
struct Presets<'w, 's> {
    server: Res<'w, AssetServer>,
    presets: Res<'w, Assets<TerrainPreset>>,
    changes: MessageReader<'w, 's, AssetEvent<TerrainPreset>>,
    failures: MessageReader<'w, 's, AssetLoadFailedEvent<TerrainPreset>>,
}

/// What all terrains share.
#[derive(SystemParam)]
struct Shared<'w> {
    wind: Option<Res<'w, TerrainWind>>,
    sky: Option<Res<'w, TerrainSky>>,
    quality: Option<ResMut<'w, TerrainQuality>>,
    quality_in_use: Option<Res<'w, QualityInUse>>,
}

fn show(
    mut commands: Commands,
    mut contexts: EguiContexts,
    mut clipboard: ResMut<EguiClipboard>,
    mut panel: ResMut<TerrainPanel>,
    mut presets: Presets,
    order: TerrainQuery,
    mut terrains: Query<Terrain>,
    mut viewers: Query<&mut Transform, Without<NoiseTerrain>>,
    mut shared: Shared,
    gizmos: Option<Res<GizmoConfigStore>>,
    adapter: Option<Res<RenderAdapterInfo>>,
    diagnostics: Option<Res<DiagnosticsStore>>,
    time: Res<Time<Real>>,
    types: Res<AppTypeRegistry>,
) -> Result {
    let began = Instant::now();
    let context = contexts.ctx_mut()?;
    inspect::register_types(context, &types.0);
    let panel = panel.bypass_change_detection();
    panel.files.update(context, &presets.server, &presets.presets, &mut presets.changes, &mut presets.failures);
    panel.views.retain(|entity, _| terrains.contains(*entity));
    let name_of = |entity: Entity| {
        let (_, name, ..) = terrains.get(entity).ok()?;
        Some((entity, name.map_or_else(|| format!("Terrain {entity}"), ToString::to_string)))
    };
    let names: Vec<_> = order.entities().into_iter().filter_map(name_of).collect();
    if panel.chosen.is_none_or(|chosen| !terrains.contains(chosen)) {
        panel.chosen = names.first().map(|(entity, _)| *entity);
    }
    let Some(chosen) = panel.chosen else { return Ok(()) };
    let (entity, _, terrain, ground, parts, mut origin, stats, state, watched, bound, edits, removed, frozen) =
        terrains.get_mut(chosen)?;
    let (water, scatter, volumes) = parts;
    let live =
        Live { terrain, ground, water, scatter, volumes, wind: shared.wind.as_deref(), sky: shared.sky.as_deref() };

    layout_probe::begin(context, panel.tells);
    let gesture = gesture(context, &mut panel.presses);
    let folder = &panel.folder;
    let view = panel.views.entry(entity).or_insert_with(|| {
        let path = files::short_path(folder).join("presets/mine.terrain.ron");
        PanelView::new(live.world(), path.display().to_string())
    });
    view.session.follow(&live);
    view.aids.freeze = frozen;
    view.aids.quality = shared.quality.as_deref().copied().zip(shared.quality_in_use.as_deref().copied());
    let software = adapter.is_some_and(|adapter| adapter.device_type == wgpu_types::DeviceType::Cpu);
    view.stats.record(stats, (!software).then(|| time.delta_secs()));
    let dots = dots(watched, &viewers);
    let surface = state.surface();
    let input = Input {
        names: &names,
        stats,
        surface: surface.as_ref(),
        dots: &dots,
        files: &panel.files,
        bound: bound.map(|bound| &bound.0),
        edits,
        removed,
        gizmos: gizmos.is_some(),
        passes: &diagnostics.as_deref().map_or_else(Vec::new, passes),
    };
    let actions = view.show(context, &mut panel.open, &mut panel.tab, &input);
    let mut rescan = false;
    for action in actions {
        match action {
            Action::Bind(handle) => {
                // Choosing it is a step of the history; later changes of the file are not.
                if let Some(preset) = presets.presets.get(&handle) {
                    view.session.choose(preset.clone());
                }
                commands.entity(entity).insert(BoundPreset(handle));
            }
            Action::Rescan => rescan = true,
            Action::Paste => view.world.paste(&mut view.session, clipboard.get_text().as_deref()),
            Action::Choose(other) => panel.chosen = Some(other),
            Action::Travel(position) => {
                commands.trigger(TerrainTravel { entity, position });
                if panel.travels {
                    travel(state, watched, &mut origin, &mut viewers, position);
                }
            }
        }
    }
    match gesture {
        Some(gesture) => view.session.settle(Some(gesture)),
        None => {
            view.session.end_gesture();
            view.session.settle(None);
        }
    }
    let world = view.session.accepted();
    if live.differs(world) {
        world.clone().apply(commands.entity(entity));
    }
    if let (Some(quality), Some((asked, _))) = (&mut shared.quality, view.aids.quality) {
        quality.set_if_neq(asked);
    }
    match (view.aids.freeze, frozen) {
        (true, false) => {
            commands.entity(entity).insert(FreezeViewers);
        }
        (false, true) => {
            commands.entity(entity).remove::<FreezeViewers>();
        }
        _ => {}
    }
    if rescan {
        panel.files.scan(&presets.server);
    }
    if panel.tells {
        panel.places = layout_probe::take(context);
    }
    panel.took = began.elapsed();
    Ok(())
}

/// What the card took for each pass, in milliseconds, by Bevy's `RenderDiagnosticsPlugin`.
fn passes(diagnostics: &DiagnosticsStore) -> Vec<(String, f64)> {
    let pass = |one: &Diagnostic| {
        let pass = one.path().as_str().strip_prefix("render/")?.strip_suffix("/elapsed_gpu")?;
        Some((pass.to_owned(), one.smoothed()?))
    };
    let mut passes: Vec<_> = diagnostics.iter().filter_map(pass).collect();
    passes.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    passes
}

/// Identifies what undo treats as one step: a press of the pointer until its release, or typing in one field.
fn gesture(context: &egui::Context, presses: &mut u64) -> Option<u64> {
    let (pressed, held) =
        context.input(|input| (input.pointer.any_pressed(), input.pointer.any_down() || input.pointer.any_released()));
    if pressed {
        *presses += 1;
    }
    // The highest bit keeps the two kinds of ids apart.
    let focused = || context.memory(egui::Memory::focused).map(|id| id.value() | 1 << 63);
    if held { Some(*presses & !(1 << 63)) } else { focused() }
}

/// Who looks at the terrain, and which way.
fn dots(watched: &TerrainViewers, transforms: &Query<&mut Transform, Without<NoiseTerrain>>) -> Vec<Dot> {
    let dot = |(entity, viewer): (Entity, &Viewer)| {
        let forward = transforms.get(entity).map_or(Vec3::ZERO, |transform| *transform.forward());
        Dot { position: viewer.position, facing: [forward.x, forward.z] }
    };
    watched.iter().map(dot).collect()
}

/// Moves the terrain's origin so that its first viewer is at `position`, at the same height above ground.
fn travel(
    state: &TerrainState,
    watched: &TerrainViewers,
    origin: &mut TerrainOrigin,
    viewers: &mut Query<&mut Transform, Without<NoiseTerrain>>,
    position: [f64; 2],
) {
    let Some((entity, viewer)) = watched.iter().next() else { return };
    origin.x += position[0] - viewer.position[0];
    origin.z += position[1] - viewer.position[1];
    let height = |at| state.surface().map_or(0.0, |surface| surface.source().height(at, 1.0));
    if let Ok(mut transform) = viewers.get_mut(entity) {
        transform.translation.y += height(position) - height(viewer.position);
    }
}
