//! A player with a window.

use bevy::camera_controller::free_camera::FreeCamera;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::edits::{Edit, EditId};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain_net::{EditAccepted, EditChange, EditRefused, EditRequest, EditsJoined, LandDiffers};

use crate::LAND;

/// What this player has changed.
#[derive(Resource, Default)]
struct Own(Vec<EditId>);

pub fn play(app: &mut App) {
    app.init_resource::<Own>()
        .add_systems(Startup, spawn_camera)
        .add_systems(Update, dig)
        .add_observer(|joined: On<EditsJoined>| info!("joined: {} changes", joined.edits))
        .add_observer(|_: On<LandDiffers>| error!("the server has another land"))
        .add_observer(|refused: On<EditRefused>| info!("refused: {}", refused.reason))
        .add_observer(|accepted: On<EditAccepted>, mut own: ResMut<Own>| match accepted.tag {
            UNDO => own.0.retain(|id| *id != accepted.id),
            _ => own.0.push(accepted.id),
        });
}

/// Tags of requests.
const DIG: u32 = 0;
const UNDO: u32 = 1;

fn spawn_camera(mut commands: Commands) -> Result {
    let ground = NoiseTerrain::default().surface()?.height(0.0, 60.0) as f32;
    let place = Transform::from_xyz(0.0, ground + 20.0, 60.0).looking_to(Vec3::new(0.3, -0.4, -1.0), Vec3::Y);
    let free =
        FreeCamera { mouse_key_cursor_grab: MouseButton::Right, scroll_factor: 0.0, walk_speed: 20.0, ..default() };
    commands.spawn((Camera3d::default(), TerrainSkyView::default(), free, place));
    commands.spawn(TerrainSun::default());
    Ok(())
}

/// Asks for a pit, a heap, or for neither to be there.
fn dig(
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    camera: Single<&Transform, With<Camera3d>>,
    terrain: TerrainQuery,
    own: Res<Own>,
    mut requests: MessageWriter<EditRequest>,
) {
    if keys.just_pressed(KeyCode::KeyZ)
        && let Some(&last) = own.0.last()
    {
        requests.write(EditRequest { terrain: LAND, tag: UNDO, change: EditChange::Undo(last) });
    }
    if !buttons.just_pressed(MouseButton::Left) {
        return;
    }
    let (eye, forward): (DVec3, DVec3) = (camera.translation.as_dvec3(), camera.forward().as_dvec3());
    let hit = terrain.surface().and_then(|surface| surface.raycast(eye, forward, 500.0));
    if let Some(hit) = hit {
        let by = if keys.pressed(KeyCode::ShiftLeft) { 1.5 } else { -1.5 };
        let change = EditChange::Apply(Edit::raise(hit.position, 1.0, by).falloff(4.0));
        requests.write(EditRequest { terrain: LAND, tag: DIG, change });
    }
}
