//! The pointer and the keyboard of a display, moved by `xdotool`.

use std::process::{Command, Stdio};

use anyhow::Result;

use super::display::Display;
use crate::process;

/// The pointer and the keyboard of a display.
pub struct Input<'a>(pub &'a Display);

impl Input<'_> {
    fn act(&self, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new("xdotool");
        command.args(arguments).env("DISPLAY", &self.0.name).stdin(Stdio::null()).stdout(Stdio::null());
        process::run(&mut command)
    }

    /// Gives the keyboard to the window.
    pub fn focus(&self, title: &str) -> Result<()> {
        self.act(&["search", "--sync", "--name", title, "windowfocus"])
    }

    /// Moves the pointer.
    pub fn point(&self, x: f64, y: f64) -> Result<()> {
        self.act(&["mousemove", &format!("{x:.0}"), &format!("{y:.0}")])
    }

    /// Presses the button, or lets it go.
    pub fn button(&self, down: bool) -> Result<()> {
        self.act(&[if down { "mousedown" } else { "mouseup" }, "1"])
    }

    /// Presses the button and lets it go at once.
    pub fn click(&self) -> Result<()> {
        self.act(&["click", "1"])
    }

    /// Turns the wheel by so many notches, so that pages move up.
    pub fn scroll(&self, notches: u32) -> Result<()> {
        self.act(&["click", "--repeat", &notches.to_string(), "5"])
    }

    /// Presses a key and lets it go at once.
    pub fn key(&self, key: &str) -> Result<()> {
        self.act(&["key", key])
    }

    /// Holds a key down, or lets it go. Other keys than modifiers would repeat.
    pub fn hold(&self, modifier: &str, down: bool) -> Result<()> {
        self.act(&[if down { "keydown" } else { "keyup" }, modifier])
    }

    /// Types a text.
    pub fn write(&self, text: &str) -> Result<()> {
        self.act(&["type", "--delay", "30", text])
    }
}
