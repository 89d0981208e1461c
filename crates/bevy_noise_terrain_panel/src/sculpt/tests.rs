//! The tools, used with a pointer and keys in an app without a renderer.

use std::time::Duration;

use bevy::camera::RenderTargetInfo;
use bevy::time::TimeUpdateStrategy;
use bevy_egui::egui::{Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, TouchPhase, pos2, vec2};
use bevy_noise_terrain::edits::{BrushKind, EditAction, EditArea, EditId};
use bevy_noise_terrain::{NoiseTerrain, NoiseTerrainPlugin, TerrainStats, TerrainViewer};

use super::*;
use crate::files::Files;
use crate::layout_probe;
use crate::view::{Input, PanelView};

const ORIGIN: TerrainOrigin = TerrainOrigin { x: 3e6, z: -7e5 };
/// The middle of the screen: the camera looks straight down at the terrain's origin.
const MIDDLE: Pos2 = pos2(640.0, 360.0);

/// An app with a panel, without a renderer and a window.
struct Bench {
    app: App,
    terrain: Entity,
    context: egui::Context,
    seconds: f64,
}

impl Bench {
    fn new() -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin))
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)))
            .insert_resource(TerrainPanel { tab: PanelTab::Sculpt, ..default() })
            .add_systems(Update, (show, work).chain());
        let settings = NoiseTerrain::default();
        let ground = settings.surface().unwrap().height(ORIGIN.x, ORIGIN.z) as f32;
        let terrain = app.world_mut().spawn((settings, ORIGIN)).id();
        let mut camera = Camera::default();
        camera.computed.target_info =
            Some(RenderTargetInfo { physical_size: UVec2::new(1280, 720), scale_factor: 1.0 });
        camera.computed.clip_from_view = bevy::math::proj::perspective_infinite_reverse(0.8, 1280.0 / 720.0, 0.1);
        let eye = Transform::from_xyz(0.0, ground + 100.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
        let target = RenderTarget::default();
        let camera = (Camera3d::default(), camera, target, TerrainViewer, eye, PrimaryEguiContext);
        let camera = app.world_mut().spawn(camera).id();
        let context = app.world_mut().get_mut::<EguiContext>(camera).unwrap().get_mut().clone();
        context.options_mut(|options| options.max_passes = std::num::NonZeroUsize::MIN);
        let mut panel = app.world_mut().resource_mut::<TerrainPanel>();
        let view = PanelView::new(default(), "mine.terrain.ron".into());
        panel.views.insert(terrain, view);
        panel.chosen = Some(terrain);
        let mut bench = Self { app, terrain, context, seconds: 0.0 };
        for _ in 0..10_000 {
            bench.frame([]);
            if bench.app.world().get::<TerrainState>(terrain).is_some_and(|state| state.surface().is_some()) {
                break;
            }
        }
        bench
    }

    fn frame(&mut self, events: impl IntoIterator<Item = Event>) {
        self.seconds += 0.1;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 720.0)));
        let events = events.into_iter().collect();
        let input = RawInput { screen_rect, time: Some(self.seconds), events, ..default() };
        self.context.run_ui(input, |_| self.app.update()).textures_delta.clear();
    }

    fn tools(&mut self) -> &mut Sculpt {
        let panel = self.app.world_mut().resource_mut::<TerrainPanel>().into_inner();
        &mut panel.views.get_mut(&self.terrain).unwrap().sculpt.tools
    }

    fn session(&mut self) -> &mut crate::session::Session {
        let panel = self.app.world_mut().resource_mut::<TerrainPanel>().into_inner();
        &mut panel.views.get_mut(&self.terrain).unwrap().session
    }

    fn edits(&self) -> TerrainEdits {
        self.app.world().get(self.terrain).cloned().unwrap_or_default()
    }

    /// Holds the left button for some frames on the way between two places.
    fn drag(&mut self, from: Pos2, to: Pos2, frames: u16) {
        self.frame([Event::PointerMoved(from)]);
        self.frame([button(from, PointerButton::Primary, true)]);
        for frame in 1..=frames {
            self.frame([Event::PointerMoved(from + (to - from) * (f32::from(frame) / f32::from(frames)))]);
        }
        self.frame([button(to, PointerButton::Primary, false)]);
    }

    fn click(&mut self, at: Pos2, which: PointerButton) {
        self.frame([Event::PointerMoved(at)]);
        self.frame([button(at, which, true), button(at, which, false)]);
    }

    fn key(&mut self, key: Key, modifiers: Modifiers) {
        self.frame([true, false].map(|pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers,
        }));
    }

    fn undo(&mut self) {
        self.key(Key::Z, Modifiers::COMMAND);
    }

    fn redo(&mut self) {
        self.key(Key::Y, Modifiers::COMMAND);
    }
}

fn button(pos: Pos2, button: PointerButton, pressed: bool) -> Event {
    Event::PointerButton { pos, button, pressed, modifiers: Modifiers::default() }
}

/// In place of the panel's own system, which needs a renderer.
fn show(
    mut context: Single<&mut EguiContext>,
    mut panel: ResMut<TerrainPanel>,
    terrain: Single<(&TerrainState, Option<&TerrainEdits>)>,
) {
    let (panel, context) = (&mut *panel, context.get_mut());
    layout_probe::begin(context, true);
    let ((state, edits), stats, files) = (*terrain, TerrainStats::default(), Files::default());
    let surface = state.surface();
    let input = Input {
        names: &[],
        stats: &stats,
        surface: surface.as_ref(),
        dots: &[],
        files: &files,
        bound: None,
        edits,
        removed: None,
        gizmos: true,
        passes: &[],
    };
    let view = panel.views.values_mut().next().unwrap();
    view.show(context, &mut panel.open, &mut panel.tab, &input);
    view.session.settle(None);
    panel.places = layout_probe::take(context);
}

#[test]
fn a_stroke_lands_where_the_pointer_is_and_is_one_step() {
    let mut bench = Bench::new();
    bench.tools().tool = Tool::Brush(BrushKind::Raise);
    bench.drag(MIDDLE, MIDDLE, 10);
    let edits = bench.edits();
    let (id, edit) = edits.iter().next().unwrap();
    assert_eq!((edits.len(), id), (1, EditId(0)), "a pointer at rest leaves one edit");
    let (EditArea::Disc { center, .. }, EditAction::Raise { by }) = (&edit.area, &edit.action) else {
        panic!("{edit:?}")
    };
    assert!((center[0] - ORIGIN.x).abs() < 0.01 && (center[1] - ORIGIN.z).abs() < 0.01, "{center:?}");
    assert!((by - 4.4).abs() < 1e-3, "4 m in each of 1.1 s: {by}");
    bench.drag(MIDDLE, MIDDLE + vec2(200.0, 0.0), 10);
    let both = bench.edits();
    assert!(both.len() > 5);
    let steps = |bench: &mut Bench| bench.session().steps();
    assert_eq!(steps(&mut bench), (2, 0));
    bench.undo();
    assert_eq!((bench.edits(), steps(&mut bench)), (edits, (1, 1)));
    bench.undo();
    assert_eq!((bench.edits().len(), steps(&mut bench)), (0, (0, 2)));
    bench.redo();
    bench.redo();
    assert_eq!((bench.edits(), steps(&mut bench)), (both.clone(), (2, 0)));
    bench.tools().clears = true;
    bench.frame([]);
    assert_eq!((bench.edits().len(), steps(&mut bench)), (0, (3, 0)));
    bench.undo();
    assert_eq!(bench.edits(), both);
}

#[test]
fn undo_goes_back_through_strokes_and_settings_in_their_order() {
    let mut bench = Bench::new();
    bench.tools().tool = Tool::Brush(BrushKind::Lower);
    bench.drag(MIDDLE, MIDDLE, 2);
    bench.session().draft.terrain.seed = 77;
    bench.frame([]);
    bench.drag(MIDDLE, MIDDLE, 2);
    let state = |bench: &mut Bench| (bench.edits().len(), bench.session().draft.terrain.seed);
    let first = NoiseTerrain::default().seed;
    for expected in [(2, 77), (1, 77), (1, first), (0, first)] {
        assert_eq!(state(&mut bench), expected);
        bench.undo();
    }
    for expected in [(0, first), (1, first), (1, 77), (2, 77)] {
        assert_eq!(state(&mut bench), expected);
        bench.redo();
    }
    // What is under way is not undone.
    bench.frame([button(MIDDLE, PointerButton::Primary, true)]);
    bench.undo();
    assert_eq!(state(&mut bench), (3, 77));
    bench.frame([button(MIDDLE, PointerButton::Primary, false)]);
    bench.undo();
    assert_eq!(state(&mut bench), (2, 77));
}

#[test]
fn the_ground_is_painted_and_paved() {
    let mut bench = Bench::new();
    bench.tools().tool = Tool::Brush(BrushKind::Paint);
    bench.tools().brush.layer = 5;
    bench.drag(MIDDLE, MIDDLE, 2);
    bench.tools().tool = Tool::Brush(BrushKind::Erase);
    bench.drag(MIDDLE, MIDDLE, 2);
    bench.tools().tool = Tool::Road;
    (bench.tools().road.layer, bench.tools().road.shoulder) = (Some(3), 2.0);
    bench.click(MIDDLE, PointerButton::Primary);
    bench.click(pos2(MIDDLE.x + 60.0, MIDDLE.y), PointerButton::Primary);
    bench.tools().finish_road();
    bench.frame([]);
    let layers: Vec<_> = bench.edits().iter().map(|(_, edit)| edit.paint.map(|paint| paint.layer)).collect();
    assert_eq!(layers, [Some(Some(5)), Some(None), Some(Some(3))]);
    let is_paint = |edit: &bevy_noise_terrain::edits::Edit| edit.action == EditAction::Keep;
    assert_eq!(bench.edits().iter().filter(|(_, edit)| is_paint(edit)).count(), 2);
}

#[test]
fn nothing_else_sculpts() {
    let mut bench = Bench::new();
    bench.drag(MIDDLE, MIDDLE, 3);
    assert!(bench.edits().is_empty(), "no tool is chosen");
    bench.tools().tool = Tool::Brush(BrushKind::Raise);
    bench.drag(pos2(150.0, 650.0), MIDDLE, 3);
    assert!(bench.edits().is_empty(), "it was pressed over the panel");
    bench.frame([Event::PointerMoved(MIDDLE)]);
    bench.click(MIDDLE, PointerButton::Secondary);
    assert!(bench.edits().is_empty(), "it was the right button");
    for tab in [PanelTab::World, PanelTab::Map] {
        bench.app.world_mut().resource_mut::<TerrainPanel>().tab = tab;
        bench.drag(MIDDLE, MIDDLE, 3);
        assert!(bench.edits().is_empty() && bench.tools().cursor.is_none(), "another tab is open: {tab:?}");
    }
    bench.app.world_mut().resource_mut::<TerrainPanel>().tab = PanelTab::Sculpt;
    // Keys that are typed into a field.
    bench.frame([]);
    let field = bench.app.world().resource::<TerrainPanel>().places.rects["brush.radius.value"].center();
    let radius = bench.tools().brush.radius;
    bench.click(field, PointerButton::Primary);
    bench.frame([]);
    bench.key(Key::CloseBracket, Modifiers::NONE);
    assert_eq!((bench.tools().brush.radius, bench.edits().len()), (radius, 0), "it was typed into a field");
    bench.drag(MIDDLE, MIDDLE, 3);
    bench.key(Key::CloseBracket, Modifiers::NONE);
    assert!(bench.tools().brush.radius > radius && bench.edits().len() == 1);
    // A brush that cannot be does nothing, and says why.
    bench.tools().brush.radius = -1.0;
    bench.drag(MIDDLE, MIDDLE, 3);
    let error = bench.tools().error.clone().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("brush.radius: found -1, allowed is 0.1 to 10000 m"));
    assert_eq!(bench.edits().len(), 1);
}

#[test]
fn a_road_is_laid_by_clicks() {
    let mut bench = Bench::new();
    bench.tools().tool = Tool::Road;
    let at = |x: f32| MIDDLE + vec2(x, 0.3 * x);
    for x in [0.0, 100.0, 200.0, 300.0] {
        bench.click(at(x), PointerButton::Primary);
        // Two clicks in a row would be a double click.
        (0..10).for_each(|_| bench.frame([]));
    }
    bench.click(at(300.0), PointerButton::Secondary);
    assert_eq!((bench.tools().points.len(), bench.edits().len()), (3, 0));
    bench.key(Key::Enter, Modifiers::NONE);
    let edits = bench.edits();
    let points = |edit: &bevy_noise_terrain::edits::Edit| match &edit.area {
        EditArea::Path { points, .. } => points.len(),
        EditArea::Disc { .. } => 0,
    };
    assert_eq!(edits.iter().map(|(_, edit)| points(edit)).collect::<Vec<_>>(), [3]);
    assert!(edits.iter().all(|(_, edit)| edit.clear_plants && edit.action == EditAction::Grade));
    assert_eq!((bench.tools().points.len(), bench.session().steps()), (0, (1, 0)));
    // The second of two clicks ends a road, and is no point of it.
    bench.click(at(-100.0), PointerButton::Primary);
    (0..10).for_each(|_| bench.frame([]));
    bench.click(at(200.0), PointerButton::Primary);
    bench.click(at(200.0), PointerButton::Primary);
    assert_eq!(bench.edits().iter().map(|(_, edit)| points(edit)).collect::<Vec<_>>(), [3, 2]);
    bench.undo();
    assert_eq!(bench.edits(), edits);
}

#[test]
fn a_pen_presses() {
    let mut bench = Bench::new();
    bench.tools().tool = Tool::Brush(BrushKind::Raise);
    let touch = |phase, force| Event::Touch {
        device_id: egui::TouchDeviceId(0),
        id: egui::TouchId(1),
        phase,
        pos: MIDDLE,
        force,
    };
    let rise = |bench: &Bench| match bench.edits().iter().next_back().map(|(_, edit)| edit.action.clone()) {
        Some(EditAction::Raise { by }) => by,
        _ => 0.0,
    };
    bench.frame([Event::PointerMoved(MIDDLE)]);
    bench.frame([touch(TouchPhase::Start, Some(0.25)), button(MIDDLE, PointerButton::Primary, true)]);
    // A pen at rest says nothing.
    bench.frame([]);
    bench.frame([touch(TouchPhase::Move, Some(0.5))]);
    bench.frame([touch(TouchPhase::End, None), button(MIDDLE, PointerButton::Primary, false)]);
    assert!((rise(&bench) - 0.4).abs() < 1e-4, "{}", rise(&bench));
    bench.frame([button(MIDDLE, PointerButton::Primary, true), button(MIDDLE, PointerButton::Primary, false)]);
    assert!((rise(&bench) - 0.4).abs() < 1e-4, "a mouse presses with 1: {}", rise(&bench));
}
