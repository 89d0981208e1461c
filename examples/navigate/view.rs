//! What is seen: people, the navigation mesh if asked for, and a camera.

use bevy::camera_controller::free_camera::FreeCamera;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_landmass::prelude::*;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::prelude::*;

use crate::bake::Footing;
use crate::crowd::Walker;
use crate::tiles::Areas;

/// Whether the navigation mesh is drawn.
#[derive(Resource, Default)]
pub struct ShowMesh(pub bool);

/// Metres around the camera in which the navigation mesh is drawn, and metres that its lines are above the ground.
const SHOWN: f32 = 120.0;
const RAISED: f32 = 0.15;

/// Draws people and, if asked for, the navigation mesh.
pub fn draw(app: &mut App) {
    app.init_resource::<ShowMesh>().add_systems(Update, (dress, draw_mesh.run_if(|show: Res<ShowMesh>| show.0)));
}

/// Gives everybody a body, a head and a coat.
fn dress(
    mut commands: Commands,
    naked: Query<Entity, Added<Walker>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    if naked.is_empty() {
        return;
    }
    let body = meshes.add(Capsule3d::new(0.27, 0.95));
    let head = meshes.add(Sphere::new(0.15));
    let skin = materials.add(StandardMaterial { perceptual_roughness: 0.8, ..Color::srgb(0.80, 0.62, 0.50).into() });
    let coats = [[0.75, 0.20, 0.06], [0.85, 0.60, 0.08], [0.10, 0.30, 0.65], [0.85, 0.85, 0.80], [0.45, 0.10, 0.40]];
    let coats = coats.map(|[red, green, blue]| {
        let coat = StandardMaterial { perceptual_roughness: 0.9, ..Color::srgb(red, green, blue).into() };
        materials.add(coat)
    });
    for (walker, coat) in naked.iter().zip(coats.iter().cycle()) {
        commands.entity(walker).with_children(|parts| {
            let material = MeshMaterial3d(coat.clone());
            parts.spawn((Mesh3d(body.clone()), material, Transform::from_xyz(0.0, 0.74, 0.0)));
            let material = MeshMaterial3d(skin.clone());
            parts.spawn((Mesh3d(head.clone()), material, Transform::from_xyz(0.0, 1.6, 0.0)));
        });
    }
}

/// Outlines where one can walk: green is firm, yellow is steep, blue is wet.
fn draw_mesh(
    mut lines: Gizmos,
    terrain: TerrainQuery,
    tiles: Query<(&Areas, &Transform)>,
    camera: Single<&GlobalTransform, With<Camera3d>>,
) {
    let Some(surface) = terrain.surface() else { return };
    let eye = camera.translation();
    for (areas, transform) in &tiles {
        for area in &areas.0 {
            let [low, high] =
                [area.min, area.max].map(|[x, z]| transform.translation.xz() + Vec2::new(x as f32, z as f32));
            if eye.xz().clamp(low, high).distance(eye.xz()) > SHOWN {
                continue;
            }
            let color = match area.footing {
                Footing::Firm => Color::srgb(0.2, 1.0, 0.3),
                Footing::Steep => Color::srgb(1.0, 0.8, 0.1),
                Footing::Wet => Color::srgb(0.2, 0.6, 1.0),
            };
            lines.linestrip(outline(&surface, low, high), color);
        }
    }
}

/// A rectangle that follows the ground.
fn outline(surface: &Surface, low: Vec2, high: Vec2) -> Vec<Vec3> {
    let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y), low];
    let mut points = Vec::new();
    for side in corners.windows(2) {
        let steps = side[0].distance(side[1]).ceil().max(1.0);
        points.extend((0..steps as u32).map(|step| side[0].lerp(side[1], step as f32 / steps)));
    }
    points.push(low);
    let height = |at: Vec2| surface.height(f64::from(at.x), f64::from(at.y)) as f32;
    points.into_iter().map(|at| Vec3::new(at.x, height(at) + RAISED, at.y)).collect()
}

/// Above the crowd, looking down on it.
pub fn spawn_camera(mut commands: Commands) {
    let free =
        FreeCamera { mouse_key_cursor_grab: MouseButton::Right, walk_speed: 25.0, run_speed: 100.0, ..default() };
    let place = Transform::from_xyz(0.0, 90.0, 60.0).looking_at(Vec3::new(0.0, 20.0, 0.0), Vec3::Y);
    commands.spawn((Camera3d::default(), TerrainSkyView::default(), TerrainViewer, free, place));
    commands.spawn(TerrainSun::default());
}

pub fn read_keys(keys: Res<ButtonInput<KeyCode>>, mut show: ResMut<ShowMesh>) {
    if keys.just_pressed(KeyCode::KeyN) {
        show.0 = !show.0;
    }
}

/// A click on the land sends everybody there.
pub fn send_to_click(
    buttons: Res<ButtonInput<MouseButton>>,
    terrain: TerrainQuery,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut walkers: Query<&mut AgentTarget3d, With<Walker>>,
) {
    let (Some(surface), Some(pointer)) = (terrain.surface(), window.cursor_position()) else { return };
    let (camera, eye) = *camera;
    let Ok(ray) = camera.viewport_to_world(eye, pointer) else { return };
    if !buttons.just_pressed(MouseButton::Left) {
        return;
    }
    let hit = surface.raycast(ray.origin.as_dvec3(), ray.direction.as_dvec3(), 5_000.0);
    for (mut target, hit) in walkers.iter_mut().zip(hit.into_iter().cycle()) {
        *target = AgentTarget3d::Point(hit.position.as_vec3());
    }
}
