//! A virtual display (Xvfb).

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

use super::headless::in_vulkan;
use crate::job::Job;
use crate::picture::Picture;
use crate::process::{self, Running};

/// A virtual display, which ends with this value.
pub struct Display {
    /// What `DISPLAY` must be for a program to show its windows there.
    pub name: String,
    scale: f32,
    _server: Running,
}

impl Display {
    /// Starts one of 1280 by 720 pixels.
    pub fn open(job: &Job) -> Result<Self> {
        Self::scaled(job, 1.0)
    }

    /// Starts one of 640 by 360 pixels, where windows are half as wide as they ask for: a quarter as much to draw.
    pub fn small(job: &Job) -> Result<Self> {
        Self::scaled(job, 0.5)
    }

    fn scaled(job: &Job, scale: f32) -> Result<Self> {
        let screen = format!("{}x{}x24", 1280.0 * scale, 720.0 * scale);
        let mut command = Command::new("Xvfb");
        // The server chooses a free number and says so once it is ready.
        command.args(["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(job.output()?);
        let mut server = process::start(&mut command)?;
        let mut number = String::new();
        if let Some(output) = server.output() {
            BufReader::new(output).read_line(&mut number)?;
        }
        ensure!(!number.trim().is_empty(), "the virtual display (Xvfb) ended before it was ready");
        Ok(Self { name: format!(":{}", number.trim()), scale, _server: server })
    }

    /// Lets a program show its windows here, and nowhere else.
    pub fn show<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        in_vulkan(command)
            .env("DISPLAY", &self.name)
            .env("WINIT_X11_SCALE_FACTOR", self.scale.to_string())
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
    }

    /// Takes a picture of it.
    pub fn picture(&self, file: &Path) -> Result<Picture> {
        let mut command = Command::new("import");
        command.args(["-window", "root"]).arg(file).env("DISPLAY", &self.name).stdin(Stdio::null());
        process::run(&mut command)?;
        Picture::read(file)
    }
}
