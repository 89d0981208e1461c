//! The keys of the panel.

use bevy_egui::egui::{self, Key, KeyboardShortcut, Modifiers};

use super::session::{Session, Slot};

/// Keys and what they do, for a help screen.
pub const KEYS: [(&str, &str); 7] = [
    ("Ctrl Z", "undo"),
    ("Ctrl Shift Z", "redo; Ctrl Y too"),
    ("Ctrl B", "compare worlds A and B"),
    ("Ctrl C, Ctrl V", "copy, paste the world as text"),
    ("[ and ]", "sculpt: size of the brush"),
    ("Enter, Esc", "sculpt: lay the road, take back its last point"),
    ("Tab, arrows", "go through the fields, change numbers"),
];

const UNDO: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Z);
const REDO: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
const REDO_TOO: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Y);
const COMPARE: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::B);

/// A clipboard command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clip {
    Copy,
    Paste(String),
}

/// Handles shortcuts, unless a text field has the focus: it has its own undo.
pub fn listen(context: &egui::Context, session: &mut Session) -> Option<Clip> {
    if context.egui_wants_keyboard_input() && context.text_edit_focused() {
        return None;
    }
    // The longer shortcut first: the shorter one would match it too.
    let pressed = |shortcut| context.input_mut(|input| input.consume_shortcut(&shortcut));
    if pressed(REDO) || pressed(REDO_TOO) {
        session.redo();
    } else if pressed(UNDO) {
        session.undo();
    } else if pressed(COMPARE) {
        session.compare(if session.slot() == Slot::A { Slot::B } else { Slot::A });
    }
    context.input(|input| {
        input.events.iter().find_map(|event| match event {
            egui::Event::Copy => Some(Clip::Copy),
            egui::Event::Paste(text) => Some(Clip::Paste(text.clone())),
            _ => None,
        })
    })
}
