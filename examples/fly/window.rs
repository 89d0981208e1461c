//! The flight in a window, with the panel and the keys.

use std::process::ExitCode;

use bevy::asset::{AssetPath, UnapprovedPathMode};
use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin, FreeCameraState};
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use bevy_egui::input::{EguiWantsInput, egui_wants_any_keyboard_input};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_noise_terrain::BoundPreset;
use bevy_noise_terrain::panel;
use bevy_noise_terrain::prelude::*;
use examples_common::{adapter, camera};

use crate::cli::Options;
use crate::report;
use crate::start::{self, Start};

/// Metres the camera stays above ground.
const EYE_HEIGHT: f32 = 1.8;

const KEYS: [(&str, &str); 8] = [
    ("W A S D", "fly forward, left, back, right"),
    ("E, Q", "up, down"),
    ("Shift", "faster while held"),
    ("Mouse wheel", "speed"),
    ("Right mouse", "look around while held"),
    ("P", "panel on, off"),
    ("T", "travel 1 000 km east"),
    ("H", "this help on, off"),
];

#[derive(Resource)]
struct ShowHelp(bool);

/// The eye at the beginning.
#[derive(Resource)]
struct Eye(Transform);

/// When to leave, and what to leave behind.
#[derive(Resource)]
struct Leaving {
    after: f32,
    screenshot: Option<std::path::PathBuf>,
    asked: bool,
}

/// Opens the window and flies until it is closed.
pub fn fly(options: &Options, start: Start) -> ExitCode {
    let mut app = App::new();
    let (width, height) = options.size.unwrap_or((1280, 720));
    let window = Window { title: "Noise terrain".into(), resolution: (width, height).into(), ..default() };
    let unapproved_path_mode = UnapprovedPathMode::Deny;
    let assets = AssetPlugin { unapproved_path_mode, ..examples_common::assets() };
    app.add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }).set(assets))
        .add_plugins((FreeCameraPlugin, NoiseTerrainPlugin, TerrainPanelPlugin))
        .insert_resource(start::sky(options, &start.world))
        .insert_resource(options.quality)
        .insert_resource(ShowHelp(true))
        .insert_resource(Eye(start.eye()))
        .add_systems(Startup, (start::spawn_sun, spawn_camera))
        .add_systems(PreUpdate, rest_in_panel.after(bevy_egui::input::write_egui_wants_input_system))
        .add_systems(Update, (keys.run_if(not(egui_wants_any_keyboard_input)), stay_above_ground, rebase).chain())
        .add_systems(EguiPrimaryContextPass, help);
    let terrain = start.spawn(&mut app);
    if let Some(file) = start.file {
        // A file anywhere: whoever names it has approved of it.
        let server = app.world().resource::<AssetServer>();
        let preset = server.load_builder().override_unapproved().load(AssetPath::from_path(&file).into_owned());
        app.world_mut().entity_mut(terrain).insert(BoundPreset(preset));
    }
    if let Some(path) = options.report.clone() {
        app.world_mut().resource_mut::<TerrainPanel>().tells = true;
        app.insert_resource(report::Report(path)).add_systems(Last, report::write);
    }
    if let Some(after) = options.exit_after {
        app.insert_resource(Leaving { after, screenshot: options.screenshot.clone(), asked: false })
            .add_systems(Update, leave);
    }
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

fn spawn_camera(mut commands: Commands, eye: Res<Eye>, adapter: Option<Res<RenderAdapterInfo>>) {
    commands.spawn((
        TerrainSkyView::default(),
        camera::lens(),
        if adapter::is_software(adapter.as_deref()) { Msaa::Off } else { Msaa::Sample4 },
        eye.0,
        FreeCamera { walk_speed: 60.0, run_speed: 400.0, friction: 8.0, ..default() },
        TerrainViewer,
    ));
}

/// The camera rests while the pointer or the keyboard is in the panel.
fn rest_in_panel(wants: Res<EguiWantsInput>, mut cameras: Query<&mut FreeCameraState>) {
    for mut camera in &mut cameras {
        camera.enabled = !wants.wants_any_input();
    }
}

fn keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut panel: ResMut<TerrainPanel>,
    mut help: ResMut<ShowHelp>,
    mut origins: Query<&mut TerrainOrigin>,
) {
    if keys.just_pressed(KeyCode::KeyP) {
        panel.open = !panel.open;
    }
    if keys.just_pressed(KeyCode::KeyH) {
        help.0 = !help.0;
    }
    if keys.just_pressed(KeyCode::KeyT) {
        for mut origin in &mut origins {
            origin.x += 1e6;
        }
    }
}

fn stay_above_ground(
    terrain: TerrainQuery,
    origin: Single<&TerrainOrigin>,
    mut camera: Single<&mut Transform, With<FreeCamera>>,
) {
    let Some(surface) = terrain.surface() else { return };
    let Vec3 { x, y, z } = camera.translation;
    let floor = surface.height(origin.x + f64::from(x), origin.z + f64::from(z)) as f32 + EYE_HEIGHT;
    if y < floor {
        camera.translation.y = floor;
    }
}

/// Keeps the scene precise: far from its origin, camera and origin move together.
fn rebase(mut origin: Single<&mut TerrainOrigin>, mut camera: Single<&mut Transform, With<FreeCamera>>) {
    const FAR: f32 = 8_192.0;
    let Vec3 { x, z, .. } = camera.translation;
    if x.abs().max(z.abs()) > FAR {
        let shift = Vec2::new(x, z).div_euclid(Vec2::splat(FAR)) * FAR;
        camera.translation -= Vec3::new(shift.x, 0.0, shift.y);
        origin.x += f64::from(shift.x);
        origin.z += f64::from(shift.y);
    }
}

fn help(
    mut contexts: EguiContexts,
    help: Res<ShowHelp>,
    origin: Single<&TerrainOrigin>,
    camera: Single<(&Transform, &FreeCamera, &FreeCameraState)>,
) -> Result {
    let (transform, settings, state) = *camera;
    let context = contexts.ctx_mut()?;
    let frame = egui::Frame::new().fill(egui::Color32::from_black_alpha(200)).corner_radius(4).inner_margin(8);
    egui::Area::new("help".into()).anchor(egui::Align2::RIGHT_BOTTOM, [-12.0, -12.0]).interactable(false).show(
        context,
        |ui| {
            frame.show(ui, |ui| {
                // On snow and at night, in light mode and in dark.
                ui.visuals_mut().override_text_color = Some(egui::Color32::from_gray(225));
                let [x, z] =
                    [origin.x + f64::from(transform.translation.x), origin.z + f64::from(transform.translation.z)];
                let speed = settings.walk_speed * state.speed_multiplier;
                ui.label(format!(
                    "x {x:.0} m, z {z:.0} m, height {:.0} m, speed {speed:.0} m/s",
                    transform.translation.y
                ));
                if help.0 {
                    egui::Grid::new("keys").num_columns(2).show(ui, |ui| {
                        for (key, action) in KEYS.iter().chain(&panel::KEYS) {
                            ui.colored_label(egui::Color32::WHITE, *key);
                            ui.label(*action);
                            ui.end_row();
                        }
                    });
                } else {
                    ui.label("H for help");
                }
            });
        },
    );
    Ok(())
}

fn leave(
    mut commands: Commands,
    mut leaving: ResMut<Leaving>,
    time: Res<Time<Real>>,
    waiting: Query<(), With<Screenshot>>,
    mut exit: MessageWriter<AppExit>,
) {
    if time.elapsed_secs() < leaving.after {
        return;
    }
    match leaving.screenshot.clone().filter(|_| !leaving.asked) {
        Some(path) => {
            commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path));
            leaving.asked = true;
        }
        None if waiting.is_empty() => {
            exit.write(AppExit::Success);
        }
        None => {}
    }
}
