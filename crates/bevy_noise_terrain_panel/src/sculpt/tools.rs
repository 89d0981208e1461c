//! The tools, and what they have in hand.

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_egui::egui::{self, Key};
use bevy_noise_terrain::edits::{Brush, BrushKind, Edit, EditId, Stroke, TerrainEdits};
use bevy_noise_terrain::internal::{Settings, settings, validate};
use bevy_noise_terrain::{SettingsError, Surface};

use super::pointer::Pointer;
use crate::edit_step::{EditStep, Way};
use crate::session::Session;

/// A press of a key changes the size of the brush by this factor.
const RESIZE: f64 = 1.15;

/// Who gets the left button over the land.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// The app.
    #[default]
    Off,
    /// A brush that does this.
    Brush(BrushKind),
    /// Points of a road.
    Road,
}

settings! {
    /// A road that is laid by clicks.
    #[derive(Clone, Debug, PartialEq, Reflect)]
    pub struct Road {
        /// From side to side.
        pub width: f64 = 6.0, [0.1..=10_000.0, "m"], slider [1.0..=100.0];
        /// Distance from its sides over which the land is cut or banked.
        pub falloff: f64 = 8.0, [0.0..=10_000.0, "m"], slider [0.0..=100.0];
        /// Distance on either side that is level too, but not paved.
        pub shoulder: f64 = 1.0, [0.0..=10_000.0, "m"], slider [0.0..=20.0];
        /// Take grass, rocks and trees away.
        pub clear_plants: bool = true;
        /// The layer of the ground that it is paved with, if any.
        pub layer: Option<u8> = None, [0..=7];
    }
}

impl Settings for Road {
    const NAME: &str = "road";
}

/// A frame, as the tools see it.
pub struct Moment<'a> {
    pub pointer: Pointer,
    /// The land under the pointer.
    pub on_land: Option<DVec3>,
    /// The land on screen.
    pub surface: Option<&'a Surface>,
    /// Since the last frame.
    pub seconds: f64,
}

/// The tools of a terrain.
#[derive(Default)]
pub struct Sculpt {
    pub tool: Tool,
    pub brush: Brush,
    pub road: Road,
    /// Why the last press did nothing.
    pub error: Option<SettingsError>,
    /// Where the pointer is on the land, while a tool is in use.
    pub cursor: Option<DVec3>,
    /// Points of the road so far.
    pub points: Vec<DVec3>,
    /// Take all edits away.
    pub clears: bool,
    /// The stroke under way, and the land as it was when it began.
    stroke: Option<(Stroke, Surface)>,
    /// Pressure of the pen, if there is one.
    pressure: Option<f32>,
    /// Lay the road.
    finishes: bool,
    /// Take back its last point.
    takes_back: bool,
}

impl Sculpt {
    /// Handles the keys of the tools. Call it before any field is shown: Enter in a field is not meant for the road.
    pub fn listen(&mut self, context: &egui::Context) {
        let is_pressed = |key| context.input(|input| input.key_pressed(key));
        match self.tool {
            Tool::Off => {}
            Tool::Brush(_) if context.text_edit_focused() => {}
            Tool::Brush(_) => {
                let factor = match (is_pressed(Key::OpenBracket), is_pressed(Key::CloseBracket)) {
                    (true, false) => 1.0 / RESIZE,
                    (false, true) => RESIZE,
                    _ => return,
                };
                let resized = Brush { radius: rounded(self.brush.radius * factor), ..self.brush.clone() };
                if resized.validate().is_ok() {
                    self.brush = resized;
                }
            }
            Tool::Road if context.egui_wants_keyboard_input() => {}
            Tool::Road => {
                self.finishes |= is_pressed(Key::Enter);
                self.takes_back |= is_pressed(Key::Escape);
            }
        }
    }

    /// Whether a stroke is under way.
    pub fn is_stroking(&self) -> bool {
        self.stroke.is_some()
    }

    /// The land that the pointer is looked for on, if it is not that on screen.
    pub fn land(&self) -> Option<&Surface> {
        self.stroke.as_ref().map(|(_, land)| land)
    }

    /// Lays the road with the next update.
    pub fn finish_road(&mut self) {
        self.finishes = true;
    }

    /// Checks the settings of the tool.
    pub fn validate(&self) -> Result<(), SettingsError> {
        match self.tool {
            Tool::Off => Ok(()),
            Tool::Brush(_) => self.brush.validate(),
            Tool::Road => validate(&self.road),
        }
    }

    /// Works on the land for a frame. What a stroke or a road has changed becomes one step of the history.
    pub fn update(&mut self, moment: &Moment, edits: &mut TerrainEdits, session: &mut Session) {
        if let Some(pressure) = moment.pointer.pressure {
            self.pressure = pressure;
        }
        self.cursor = moment.on_land;
        if moment.pointer.pressed {
            self.error = None;
        }
        let done = self.draw_stroke(moment, edits).and_then(|()| self.build_road(moment, edits, session));
        self.error = done.err().or(self.error.take());
        if !(moment.pointer.held && moment.surface.is_some()) {
            self.end_stroke(edits, session);
        }
        if std::mem::take(&mut self.clears)
            && let Some(step) = EditStep::clearing(edits)
        {
            step.apply(edits, Way::Forth);
            session.step_edits(step);
        }
    }

    fn draw_stroke(&mut self, moment: &Moment, edits: &mut TerrainEdits) -> Result<(), SettingsError> {
        let Moment { pointer, on_land, surface, seconds } = moment;
        if let (Tool::Brush(kind), None, true, Some(_), Some(land)) =
            (self.tool, &self.stroke, pointer.pressed, on_land, surface)
        {
            let stroke = Stroke::new(Brush { kind, ..self.brush.clone() })?;
            self.stroke = Some((stroke, (*land).clone()));
        }
        let Some((stroke, _)) = &mut self.stroke else { return Ok(()) };
        let Some(at) = *on_land else {
            stroke.lift();
            return Ok(());
        };
        // A press counts from the frame that sees it; what is left of the frame that sees the end does not.
        let seconds = if pointer.held || pointer.pressed { *seconds } else { 0.0 };
        stroke.advance(edits, at, seconds, f64::from(self.pressure.unwrap_or(1.0)))
    }

    fn end_stroke(&mut self, edits: &TerrainEdits, session: &mut Session) {
        if let Some((stroke, _)) = self.stroke.take() {
            step(edits, session, stroke.ids());
        }
    }

    fn build_road(
        &mut self,
        moment: &Moment,
        edits: &mut TerrainEdits,
        session: &mut Session,
    ) -> Result<(), SettingsError> {
        let (finishes, takes_back) = (std::mem::take(&mut self.finishes), std::mem::take(&mut self.takes_back));
        let Moment { pointer, on_land, surface, .. } = moment;
        if self.tool != Tool::Road || surface.is_none() {
            return Ok(());
        }
        if takes_back || pointer.secondary_clicked {
            self.points.pop();
        }
        if let (true, Some(at)) = (pointer.pressed, *on_land)
            // The second click of two is at the same place.
            && self.points.last().is_none_or(|last| (at - last).length() > 0.5 * self.road.width)
        {
            self.points.push(at);
        }
        if !(finishes || pointer.double_clicked) || self.points.len() < 2 {
            return Ok(());
        }
        validate(&self.road)?;
        let Road { width, falloff, shoulder, clear_plants, layer } = self.road;
        let road = Edit::path(self.points.iter().copied(), width).shoulder(shoulder).falloff(falloff);
        let road = road.clear_plants(clear_plants);
        let road = match layer {
            Some(layer) => road.painted(layer),
            None => road,
        };
        let id = edits.apply(road)?;
        self.points.clear();
        step(edits, session, [id]);
        Ok(())
    }
}

/// Metres with no more digits than their field has room for.
fn rounded(metres: f64) -> f64 {
    let steps = if metres < 100.0 { 100.0 } else { 1.0 };
    (metres * steps).round() / steps
}

/// Makes added edits a step of the history.
fn step(edits: &TerrainEdits, session: &mut Session, ids: impl IntoIterator<Item = EditId>) {
    if let Some(step) = EditStep::added(edits, ids) {
        session.step_edits(step);
    }
}
