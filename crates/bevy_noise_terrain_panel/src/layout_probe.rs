//! Records positions on screen and errors shown, for tests that move a real pointer and for tutorials.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bevy_egui::egui::{self, Id, Rect};

/// Positions of the panel's fields in the last frame, and the errors shown.
#[derive(Clone, Debug, Default)]
pub struct LayoutProbe {
    /// By name: `terrain.noise.octaves.slider`, `terrain.noise.octaves.value`, `tab.World`, `world.load`; in points.
    pub rects: BTreeMap<String, Rect>,
    /// The errors shown, word for word.
    pub complaints: Vec<String>,
}

type Shared = Arc<Mutex<LayoutProbe>>;

fn id() -> Id {
    Id::new("places of the terrain panel")
}

fn shared(context: &egui::Context) -> Option<Shared> {
    context.data(|data| data.get_temp::<Shared>(id()))
}

/// Begins a frame and clears the record. Nothing is recorded unless `enabled`.
pub fn begin(context: &egui::Context, enabled: bool) {
    if enabled {
        context.data_mut(|data| data.insert_temp(id(), Shared::default()));
    }
}

/// What was recorded since [`begin`].
pub fn take(context: &egui::Context) -> LayoutProbe {
    let Some(shared) = shared(context) else { return LayoutProbe::default() };
    std::mem::take(&mut *shared.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Records a position.
pub fn mark(context: &egui::Context, name: impl FnOnce() -> String, rect: Rect) {
    if let Some(shared) = shared(context) {
        shared.lock().unwrap_or_else(PoisonError::into_inner).rects.insert(name(), rect);
    }
}

/// Records an error.
pub fn note(context: &egui::Context, message: &str) {
    if let Some(shared) = shared(context) {
        shared.lock().unwrap_or_else(PoisonError::into_inner).complaints.push(message.to_owned());
    }
}
