//! Keeps pointers on the panel from what lies below it (feature `picking`).
//!
//! `bevy_egui` can do so too, with a feature that warns in every app without Bevy's picking.

use bevy::prelude::*;
use bevy_egui::EguiContext;
use bevy_egui::input::EguiWantsInput;
use bevy_picking::backend::{HitData, PointerHits};
use bevy_picking::pointer::{PointerId, PointerLocation};

/// Above all that the camera draws, and above Bevy's own interfaces, which have half of a step.
const ABOVE: f32 = 0.6;

/// Reports pointers as hits of the panel's camera while egui wants them: nothing below is hit.
pub fn block(
    wants: Res<EguiWantsInput>,
    pointers: Query<(&PointerId, &PointerLocation)>,
    contexts: Query<(Entity, &Camera), With<EguiContext>>,
    mut hits: MessageWriter<PointerHits>,
) {
    if !wants.wants_any_pointer_input() {
        return;
    }
    for (pointer, _) in pointers.iter().filter(|(_, location)| location.location.is_some()) {
        for (camera, lens) in &contexts {
            let hit = (camera, HitData::new(camera, 0.0, None, None));
            hits.write(PointerHits::new(*pointer, vec![hit], lens.order as f32 + ABOVE));
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::camera::NormalizedRenderTarget;
    use bevy_egui::egui;
    use bevy_egui::input::write_egui_wants_input_system;
    use bevy_picking::pointer::{Location, PointerMap};

    use super::*;

    /// What a pointer hits that is this many pixels from the left.
    fn hits(x: f32) -> Vec<PointerHits> {
        let mut app = App::new();
        app.add_message::<PointerHits>()
            .init_resource::<EguiWantsInput>()
            .init_resource::<PointerMap>()
            .add_systems(Update, (write_egui_wants_input_system, block).chain());
        let mut context = EguiContext::default();
        for _ in 0..2 {
            let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(800.0, 600.0)));
            let events = vec![egui::Event::PointerMoved(egui::pos2(x, 300.0))];
            let input = egui::RawInput { screen_rect, events, ..Default::default() };
            let mut output = context.get_mut().run_ui(input, |ui| {
                egui::Area::new(egui::Id::new("panel")).fixed_pos(egui::Pos2::ZERO).show(ui.ctx(), |ui| {
                    ui.allocate_space(egui::vec2(200.0, 600.0));
                });
            });
            // Nothing is drawn.
            output.textures_delta.clear();
        }
        app.world_mut().spawn((context, Camera { order: 2, ..default() }));
        let target = NormalizedRenderTarget::None { width: 800, height: 600 };
        let location = Some(Location { target, position: Vec2::new(x, 300.0) });
        app.world_mut().spawn((PointerId::Mouse, PointerLocation { location }));
        app.update();
        app.world_mut().resource_mut::<Messages<PointerHits>>().drain().collect()
    }

    #[test]
    fn a_pointer_on_the_panel_hits_nothing_below() {
        let on = hits(100.0);
        assert!(on.len() == 1 && on[0].order == 2.6 && on[0].picks.len() == 1, "{on:?}");
        assert!(hits(500.0).is_empty());
    }
}
