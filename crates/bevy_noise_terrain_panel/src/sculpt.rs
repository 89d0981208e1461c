//! Sculpting: the tools of the tab *Sculpt*, at work on the land under the pointer.
//!
//! - `tools`: what a tool does with the pointer, and the steps it leaves in the history.
//! - `pointer`: buttons, keys and pen of a frame.
//! - `lines`: the circle of the brush and the course of a road, on the ground.
//!
//! They act only while the tab is open and one of them is chosen, and only where the pointer is not over the panel.

mod lines;
mod pointer;
#[cfg(test)]
mod tests;
mod tools;

pub use pointer::Pointer;
pub use tools::{Road, Sculpt, Tool};

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::shape::Ray3d;
use bevy::time::Real;
use bevy_egui::{EguiContext, PrimaryEguiContext, egui};
use bevy_noise_terrain::edits::TerrainEdits;
use bevy_noise_terrain::internal::LandFrame;
use bevy_noise_terrain::{TerrainOrigin, TerrainState};

use super::{PanelTab, TerrainPanel};
use tools::Moment;

/// Greatest distance of the pointer on the land from the camera, in metres.
const REACH: f64 = 20_000.0;

type Land = (&'static TerrainState, &'static TerrainOrigin, &'static GlobalTransform);

/// Applies what was undone and redone, and lets the chosen tool work.
pub fn work(
    mut commands: Commands,
    mut panel: ResMut<TerrainPanel>,
    mut contexts: Query<(Entity, &mut EguiContext), With<PrimaryEguiContext>>,
    mut terrains: Query<(Land, Option<&mut TerrainEdits>)>,
    cameras: Query<(&Camera, &GlobalTransform, &RenderTarget), With<Camera3d>>,
    targets: Query<&RenderTarget>,
    time: Res<Time<Real>>,
) {
    let panel = panel.bypass_change_detection();
    let is_shown = panel.open && panel.tab == PanelTab::Sculpt;
    let Some(chosen) = panel.chosen else { return };
    let (Ok((screen, mut context)), Ok(((state, origin, transform), mut edits)), Some(view)) =
        (contexts.single_mut(), terrains.get_mut(chosen), panel.views.get_mut(&chosen))
    else {
        return;
    };
    let context: &egui::Context = context.get_mut();
    if context.current_pass_index() > 0 {
        // egui lays out anew what did not fit: no time has passed since.
        return;
    }
    let mut none = TerrainEdits::default();
    let list = edits.as_mut().map_or(&mut none, |edits| edits.bypass_change_detection());
    let before = list.revision();
    for (step, way) in view.session.take_edits() {
        step.apply(list, way);
    }
    let pointer = Pointer::read(context);
    let frame = LandFrame::new(transform, *origin);
    let surface = state.surface().filter(|_| is_shown);
    let on_land = || {
        let ray = ray(context, pointer.position?, targets.get(screen).ok()?, &cameras)?;
        let (from, direction) = frame.ray(ray);
        let surface = view.sculpt.tools.land().or(surface.as_ref())?;
        Some(surface.raycast(from, direction, REACH)?.position)
    };
    let is_working = is_shown && view.sculpt.tools.tool != Tool::Off;
    let on_land = if is_working { on_land() } else { None };
    let moment = Moment { pointer, on_land, surface: surface.as_ref(), seconds: time.delta_secs_f64() };
    view.sculpt.tools.update(&moment, list, &mut view.session);
    if list.revision() != before {
        match edits {
            Some(mut edits) => edits.set_changed(),
            None => {
                commands.entity(chosen).insert(none);
            }
        }
    }
}

/// The ray from the camera under a position on egui's screen.
fn ray(
    context: &egui::Context,
    position: egui::Pos2,
    screen: &RenderTarget,
    cameras: &Query<(&Camera, &GlobalTransform, &RenderTarget), With<Camera3d>>,
) -> Option<Ray3d> {
    // Without a window to name, those that draw to the primary one still are equal to each other.
    let target = |target: &RenderTarget| target.normalize(None);
    let physical = Vec2::new(position.x, position.y) * context.pixels_per_point();
    let under = cameras.iter().filter_map(|(camera, transform, own)| {
        let (view, scale) = (camera.logical_viewport_rect()?, camera.target_scaling_factor()?);
        let at = physical / scale;
        let sees = camera.is_active && target(own) == target(screen) && view.contains(at);
        sees.then_some((camera, transform, at))
    });
    let (camera, transform, at) = under.max_by_key(|(camera, ..)| camera.order)?;
    camera.viewport_to_world(transform, at).ok()
}

/// Draws what the chosen tool shows on the ground.
pub fn draw(panel: Res<TerrainPanel>, terrains: Query<Land>, mut gizmos: Gizmos) {
    let Some(chosen) = panel.chosen.filter(|_| panel.open && panel.tab == PanelTab::Sculpt) else { return };
    let (Some(view), Ok((state, origin, transform))) = (panel.views.get(&chosen), terrains.get(chosen)) else { return };
    let Some(surface) = state.surface() else { return };
    let frame = LandFrame::new(transform, *origin);
    for line in lines::of(&view.sculpt.tools, &surface) {
        gizmos.linestrip(line.points.iter().map(|&point| frame.point(point)), line.color);
    }
}
