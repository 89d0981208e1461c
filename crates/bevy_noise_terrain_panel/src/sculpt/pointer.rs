//! The pointer of a frame, as the tools see it.

use bevy_egui::egui::{self, Event, PointerButton, TouchPhase};

/// Buttons and place of the pointer, over the land or over the panel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pointer {
    /// Where it is, in points; `None` outside the window and over the panel.
    pub position: Option<egui::Pos2>,
    /// The left button went down in this frame, over the land.
    pub pressed: bool,
    /// The left button is down.
    pub held: bool,
    /// The left button was clicked twice, over the land.
    pub double_clicked: bool,
    /// The right button was clicked over the land: a drag, as to look around, is none.
    pub secondary_clicked: bool,
    /// What a pen said of its pressure: `None` if nothing, or that it was lifted.
    pub pressure: Option<Option<f32>>,
}

impl Pointer {
    pub fn read(context: &egui::Context) -> Self {
        let is_taken = context.is_pointer_over_egui() || context.egui_is_using_pointer();
        context.input(|input| {
            let pointer = &input.pointer;
            Self {
                position: pointer.latest_pos().filter(|_| !is_taken),
                pressed: pointer.primary_pressed() && !is_taken,
                held: pointer.primary_down(),
                double_clicked: pointer.button_double_clicked(PointerButton::Primary) && !is_taken,
                secondary_clicked: pointer.secondary_clicked() && !is_taken,
                pressure: input.events.iter().filter_map(pressure).next_back(),
            }
        })
    }
}

fn pressure(event: &Event) -> Option<Option<f32>> {
    match event {
        Event::Touch { phase: TouchPhase::End | TouchPhase::Cancel, .. } => Some(None),
        // Screens that feel no pressure tell none, or nothing but zeros.
        Event::Touch { force, .. } => Some(force.filter(|force| *force > 0.0)),
        _ => None,
    }
}
