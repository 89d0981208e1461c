//! The hand on the pointer and the keyboard of a display, and the eye on its picture.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::picture::Picture;
use crate::process;

/// Somebody who sits before a display.
pub struct Hand<'a> {
    /// The display's name.
    pub display: &'a str,
}

impl Hand<'_> {
    fn act(&self, arguments: &[&str]) -> Result<(), Error> {
        let mut command = Command::new("xdotool");
        command.args(arguments).env("DISPLAY", self.display).stdin(Stdio::null()).stdout(Stdio::null());
        process::run(&mut command)
    }

    /// Gives the keyboard to the window.
    pub fn focus(&self, title: &str) -> Result<(), Error> {
        self.act(&["search", "--sync", "--name", title, "windowfocus"])
    }

    /// Moves the pointer.
    pub fn point(&self, x: f64, y: f64) -> Result<(), Error> {
        self.act(&["mousemove", &format!("{x:.0}"), &format!("{y:.0}")])
    }

    /// Presses the button, or lets it go.
    pub fn button(&self, down: bool) -> Result<(), Error> {
        self.act(&[if down { "mousedown" } else { "mouseup" }, "1"])
    }

    /// Presses the button and lets it go at once.
    pub fn click(&self) -> Result<(), Error> {
        self.act(&["click", "1"])
    }

    /// Turns the wheel by so many notches, so that pages move up.
    pub fn scroll(&self, notches: u32) -> Result<(), Error> {
        self.act(&["click", "--repeat", &notches.to_string(), "5"])
    }

    /// Presses a key and lets it go at once.
    pub fn key(&self, key: &str) -> Result<(), Error> {
        self.act(&["key", key])
    }

    /// Holds a key down, or lets it go. Other keys than modifiers would repeat.
    pub fn hold(&self, modifier: &str, down: bool) -> Result<(), Error> {
        self.act(&[if down { "keydown" } else { "keyup" }, modifier])
    }

    /// Types a text.
    pub fn write(&self, text: &str) -> Result<(), Error> {
        self.act(&["type", "--delay", "30", text])
    }

    /// Takes a picture of the display.
    pub fn picture(&self, file: &Path) -> Result<Picture, Error> {
        let mut command = Command::new("import");
        command.args(["-window", "root"]).arg(file).env("DISPLAY", self.display).stdin(Stdio::null());
        process::run(&mut command)?;
        Picture::read(file)
    }
}
