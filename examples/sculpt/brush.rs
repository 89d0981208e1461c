//! A round brush under the pointer.

use bevy::input::mouse::AccumulatedMouseScroll;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_noise_terrain::edits::{Edit, EditId, TerrainEdits};
use bevy_noise_terrain::prelude::*;

#[derive(Resource)]
pub struct Brush {
    /// Metres.
    radius: f64,
    /// The height that a stroke began at, for flattening.
    begun: Option<f64>,
    /// Strokes of this session, each with its edits.
    strokes: Vec<Vec<EditId>>,
}

impl Default for Brush {
    fn default() -> Self {
        Self { radius: 8.0, begun: None, strokes: Vec::new() }
    }
}

/// Metres that a second of digging takes away in the middle.
const STRENGTH: f32 = 4.0;

/// The ground under the pointer.
fn under_pointer(terrain: &TerrainQuery, window: &Window, (camera, eye): (&Camera, &GlobalTransform)) -> Option<DVec3> {
    let ray = camera.viewport_to_world(eye, window.cursor_position()?).ok()?;
    let hit = terrain.surface()?.raycast(ray.origin.as_dvec3(), ray.direction.as_dvec3(), 2_000.0)?;
    Some(hit.position)
}

pub fn resize(scroll: Res<AccumulatedMouseScroll>, mut brush: ResMut<Brush>) {
    if scroll.delta.y != 0.0 {
        brush.radius = (brush.radius * 1.1f64.powf(f64::from(scroll.delta.y))).clamp(1.0, 200.0);
    }
}

/// Changes the land as long as a button or a key is held.
pub fn stroke(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    terrain: TerrainQuery,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut edits: Single<&mut TerrainEdits>,
    mut brush: ResMut<Brush>,
) {
    if keys.just_pressed(KeyCode::KeyZ) {
        for id in brush.strokes.pop().unwrap_or_default() {
            edits.undo(id);
        }
    }
    let (digs, flattens, smooths) =
        (buttons.pressed(MouseButton::Left), keys.pressed(KeyCode::KeyF), keys.pressed(KeyCode::KeyG));
    let at = under_pointer(&terrain, &window, *camera).filter(|_| digs || flattens || smooths);
    let Some(at) = at else {
        brush.begun = None;
        return;
    };
    if brush.begun.is_none() {
        brush.strokes.push(Vec::new());
    }
    let begun = *brush.begun.get_or_insert(at.y);
    let sign = if keys.pressed(KeyCode::ShiftLeft) { 1.0 } else { -1.0 };
    let radius = brush.radius;
    let edit = match () {
        () if flattens => Edit::flatten(at.with_y(begun), radius),
        () if smooths => Edit::smooth(at, radius, radius),
        () => Edit::raise(at, 0.3 * radius, sign * STRENGTH * time.delta_secs()),
    };
    match edits.apply(edit.falloff(radius)) {
        Ok(id) => brush.strokes.last_mut().into_iter().for_each(|stroke| stroke.push(id)),
        Err(error) => warn!("{error}"),
    }
}

/// Draws the edge of the brush on the ground.
pub fn draw(
    mut lines: Gizmos,
    terrain: TerrainQuery,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    brush: Res<Brush>,
) {
    let (Some(surface), Some(at)) = (terrain.surface(), under_pointer(&terrain, &window, *camera)) else { return };
    let edge = (0..=48).map(|step| {
        let angle = f64::from(step) * std::f64::consts::TAU / 48.0;
        let [x, z] = [at.x + brush.radius * angle.cos(), at.z + brush.radius * angle.sin()];
        Vec3::new(x as f32, surface.height(x, z) as f32 + 0.2, z as f32)
    });
    lines.linestrip(edge, Color::WHITE);
}
