//! Where things are on screen and what is refused, for those who ask: tests that move a real pointer, tutorials.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bevy_egui::egui::{self, Id, Rect};

/// Where the fields of the panel were in the last frame, and what it said.
#[derive(Clone, Debug, Default)]
pub struct LayoutProbe {
    /// By name: `terrain.noise.octaves.slider`, `terrain.noise.octaves.value`, `tab.World`, `world.load`; in points.
    pub rects: BTreeMap<String, Rect>,
    /// What is wrong, in the words on screen.
    pub complaints: Vec<String>,
}

type Shared = Arc<Mutex<LayoutProbe>>;

fn id() -> Id {
    Id::new("places of the terrain panel")
}

fn shared(context: &egui::Context) -> Option<Shared> {
    context.data(|data| data.get_temp::<Shared>(id()))
}

/// Begins a frame: what was there is forgotten. Nothing is kept unless somebody asks.
pub fn begin(context: &egui::Context, asked: bool) {
    if asked {
        context.data_mut(|data| data.insert_temp(id(), Shared::default()));
    }
}

/// What was drawn since [`begin`].
pub fn take(context: &egui::Context) -> LayoutProbe {
    let Some(shared) = shared(context) else { return LayoutProbe::default() };
    std::mem::take(&mut *shared.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Notes where something is.
pub fn mark(context: &egui::Context, name: impl FnOnce() -> String, rect: Rect) {
    if let Some(shared) = shared(context) {
        shared.lock().unwrap_or_else(PoisonError::into_inner).rects.insert(name(), rect);
    }
}

/// Notes what is wrong.
pub fn note(context: &egui::Context, words: &str) {
    if let Some(shared) = shared(context) {
        shared.lock().unwrap_or_else(PoisonError::into_inner).complaints.push(words.to_owned());
    }
}
