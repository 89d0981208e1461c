//! A brush under the pointer: a mouse, or a pen with its pressure.

use bevy::ecs::system::SystemParam;
use bevy::input::mouse::AccumulatedMouseScroll;
use bevy::input::touch::{ForceTouch, Touch, Touches};
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::edits::{Brush, BrushKind, EditId, Stroke, TerrainEdits};
use bevy_noise_terrain::prelude::*;

/// The layer of the default ground that is painted.
const SAND: u8 = 2;

/// The brush, and what it has done.
#[derive(Resource, Default)]
pub struct Hand {
    brush: Brush,
    /// The stroke under way, and the land as it was when it began.
    stroke: Option<(Stroke, Surface)>,
    /// Strokes of this session, each with its edits.
    strokes: Vec<Vec<EditId>>,
}

#[derive(SystemParam)]
pub struct Pointer<'w, 's> {
    window: Single<'w, 's, &'static Window, With<PrimaryWindow>>,
    camera: Single<'w, 's, (&'static Camera, &'static GlobalTransform)>,
    touches: Res<'w, Touches>,
}

impl Pointer<'_, '_> {
    /// The ground under it.
    fn on(&self, land: &Surface) -> Option<DVec3> {
        let touched = self.touches.iter().next().map(Touch::position);
        let (camera, eye) = *self.camera;
        let ray = camera.viewport_to_world(eye, touched.or_else(|| self.window.cursor_position())?).ok()?;
        Some(land.raycast(ray.origin.as_dvec3(), ray.direction.as_dvec3(), 2_000.0)?.position)
    }

    /// 0 to 1, if it is a pen or a finger: 1 if it feels no pressure.
    fn pressure(&self) -> Option<f64> {
        Some(match self.touches.iter().next()?.force() {
            Some(ForceTouch::Normalized(force)) => force,
            Some(ForceTouch::Calibrated { force, max_possible_force, .. }) => force / max_possible_force,
            None => 1.0,
        })
    }
}

pub fn resize(scroll: Res<AccumulatedMouseScroll>, mut hand: ResMut<Hand>) {
    if scroll.delta.y != 0.0 {
        hand.brush.radius = (hand.brush.radius * 1.1f64.powf(f64::from(scroll.delta.y))).clamp(1.0, 200.0);
    }
}

/// What the keys and buttons ask for.
fn wanted(keys: &ButtonInput<KeyCode>, is_down: bool) -> Option<BrushKind> {
    let kinds = [
        (KeyCode::KeyF, BrushKind::Flatten),
        (KeyCode::KeyG, BrushKind::Smooth),
        (KeyCode::KeyR, BrushKind::Roughen),
        (KeyCode::KeyP, BrushKind::Paint),
        (KeyCode::KeyO, BrushKind::Erase),
    ];
    let digs = if keys.pressed(KeyCode::ShiftLeft) { BrushKind::Raise } else { BrushKind::Lower };
    kinds.iter().find(|(key, _)| keys.pressed(*key)).map(|(_, kind)| *kind).or(is_down.then_some(digs))
}

/// Changes the land as long as a button or a key is held.
pub fn stroke(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Pointer,
    terrain: TerrainQuery,
    mut edits: Single<&mut TerrainEdits>,
    mut hand: ResMut<Hand>,
) {
    let pressure = pointer.pressure();
    let Some(kind) = wanted(&keys, buttons.pressed(MouseButton::Left) || pressure.is_some()) else {
        if let Some((stroke, _)) = hand.stroke.take() {
            hand.strokes.push(stroke.ids().collect());
        }
        if keys.just_pressed(KeyCode::KeyZ) {
            hand.strokes.pop().into_iter().flatten().for_each(|id| drop(edits.undo(id)));
        }
        return;
    };
    if hand.stroke.is_none() {
        let brush = Brush { kind, layer: SAND, ..hand.brush.clone() };
        hand.stroke = Stroke::new(brush).ok().zip(terrain.surface());
    }
    let Some((stroke, land)) = &mut hand.stroke else { return };
    match pointer.on(land) {
        Some(at) => stroke
            .advance(&mut edits, at, time.delta_secs_f64(), pressure.unwrap_or(1.0))
            .unwrap_or_else(|error| warn!("{error}")),
        None => stroke.lift(),
    }
}

/// Draws the edge of the brush on the ground.
pub fn draw(mut lines: Gizmos, terrain: TerrainQuery, pointer: Pointer, hand: Res<Hand>) {
    let Some(surface) = terrain.surface() else { return };
    let land = hand.stroke.as_ref().map_or(&surface, |(_, land)| land);
    let Some(at) = pointer.on(land) else { return };
    let edge: Vec<[f64; 2]> = (0..=64)
        .map(|step| DVec3::X.rotate_y(f64::from(step) * std::f64::consts::TAU / 64.0) * hand.brush.radius + at)
        .map(|place| [place.x, place.z])
        .collect();
    let heights = surface.heights(&edge);
    let edge = edge.iter().zip(heights).map(|(&[x, z], height)| DVec3::new(x, height + 0.2, z).as_vec3());
    lines.linestrip(edge, Color::WHITE);
}
