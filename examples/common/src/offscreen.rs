//! An app that draws into an image instead of a window: for pictures, in examples and tests alike.

use std::time::{Duration, Instant};

use bevy::app::PluginsState;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::{PollType, TextureFormat};
use bevy::render::renderer::RenderDevice;
use bevy::render::settings::WgpuSettings;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;

use crate::sleep;

/// How long a picture may take to come back from the renderer. A task of the pool that builds the land brings it: with much
/// land to build, that takes more than a few frames.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The picture that has been captured.
#[derive(Resource, Default)]
struct Captured(Option<Image>);

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
    let keep = |captured: On<ScreenshotCaptured>, mut kept: ResMut<Captured>| kept.0 = Some(captured.image.clone());
    app.world_mut().spawn(Screenshot::image(canvas.clone())).observe(keep);
    update(app);
    let asleep = sleep::put_to_sleep(app);
    let mut image = app.world_mut().resource_mut::<Captured>().0.take();
    let start = Instant::now();
    while image.is_none() && start.elapsed() < PATIENCE {
        update(app);
        image = app.world_mut().resource_mut::<Captured>().0.take();
    }
    sleep::wake(app, asleep);
    Some(image?.try_into_dynamic().ok()?.to_rgb8())
}
