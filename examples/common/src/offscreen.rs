//! An app that draws into an image instead of a window: for pictures, in examples and tests alike.

use std::time::{Duration, Instant};

use bevy::app::PluginsState;
use bevy::prelude::*;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::{CachedPipelineState, PipelineCache, PollType, TextureFormat};
use bevy::render::renderer::RenderDevice;
use bevy::render::settings::WgpuSettings;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::render::{RenderApp, RenderPlugin};
use bevy::shader::ShaderCacheError;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;

use crate::sleep;

/// How long a picture may take to come back from the renderer. A task of the pool that builds the land brings it: with much
/// land to build, that takes more than a few frames.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The pictures that have been captured.
#[derive(Resource, Default)]
struct Captured(Vec<Image>);

/// Bevy's default plugins without a window, and the image to draw into, sRGB.
pub fn app(width: u32, height: u32) -> (App, Handle<Image>) {
    app_with(width, height, WgpuSettings::default())
}

/// The same with a device of one's own choice.
pub fn app_with(width: u32, height: u32, device: WgpuSettings) -> (App, Handle<Image>) {
    let render = RenderPlugin { synchronous_pipeline_compilation: true, render_creation: device.into(), ..default() };
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .set(crate::assets())
            .set(render)
            .disable::<WinitPlugin>()
            .disable::<PipelinedRenderingPlugin>(),
    )
    .init_resource::<Captured>();
    let image = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
    let canvas = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    (app, canvas)
}

/// Completes the plugins; call it once, after the last was added.
pub fn finish(app: &mut App) {
    while app.plugins_state() == PluginsState::Adding {
        bevy::tasks::tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
}

/// One frame.
pub fn update(app: &mut App) {
    timed(app);
}

/// What a frame took.
#[derive(Clone, Copy)]
pub struct FrameTime {
    /// Until the adapter was told all that it has to draw.
    pub processor: Duration,
    /// From then until it had drawn it. A card is told at the end, so this is all of its work; software draws while it is told.
    pub adapter: Duration,
}

impl FrameTime {
    /// What drawing took; in software, with all that led to it.
    pub fn drawing(self, is_software: bool) -> Duration {
        if is_software { self.processor + self.adapter } else { self.adapter }
    }
}

/// One frame, timed.
pub fn timed(app: &mut App) -> FrameTime {
    let began = Instant::now();
    app.update();
    let told = Instant::now();
    if let Some(device) = app.world().get_resource::<RenderDevice>() {
        // Nobody else drives the device. A lost one shows as a missing picture.
        let _ = device.poll(PollType::wait_indefinitely());
    }
    FrameTime { processor: told - began, adapter: told.elapsed() }
}

/// What the camera of `canvas` sees, after `update` has run a few times; nothing if the renderer has stopped.
///
/// While the picture comes back, cameras sleep if somebody else is the viewer: in software a frame takes long.
pub fn picture(app: &mut App, canvas: &Handle<Image>, mut update: impl FnMut(&mut App)) -> Option<image::RgbImage> {
    let start = Instant::now();
    let mut taken = 0;
    // What has no pipeline yet is missing in a picture: then another one is taken.
    while taken == 0 || is_compiling(app) && start.elapsed() < PATIENCE {
        let keep = |captured: On<ScreenshotCaptured>, mut kept: ResMut<Captured>| kept.0.push(captured.image.clone());
        app.world_mut().spawn(Screenshot::image(canvas.clone())).observe(keep);
        taken += 1;
        update(app);
    }
    let asleep = sleep::put_to_sleep(app);
    while app.world().resource::<Captured>().0.len() < taken && start.elapsed() < PATIENCE {
        update(app);
    }
    sleep::wake(app, asleep);
    let mut pictures = std::mem::take(&mut app.world_mut().resource_mut::<Captured>().0);
    let last = pictures.pop().filter(|_| pictures.len() + 1 == taken)?;
    Some(last.try_into_dynamic().ok()?.to_rgb8())
}

/// Whether what was drawn waits for its pipelines, whose shaders come from files.
fn is_compiling(app: &App) -> bool {
    use CachedPipelineState::{Creating, Err, Queued};
    use ShaderCacheError::{ShaderImportNotYetAvailable, ShaderNotLoaded};
    let cache = app.get_sub_app(RenderApp).and_then(|renderer| renderer.world().get_resource::<PipelineCache>());
    let is_waiting = |state: &CachedPipelineState| {
        matches!(state, Queued | Creating(_) | Err(ShaderNotLoaded(_) | ShaderImportNotYetAvailable))
    };
    cache.is_some_and(|cache| cache.pipelines().any(|pipeline| is_waiting(&pipeline.state)))
}
