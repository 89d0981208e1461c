//! The step `window`: the example in a window on a virtual display.
//!
//! What the example promises: `fly --exit-after SECONDS --screenshot FILE` opens its window, writes what
//! the window shows to FILE as PNG before it ends, and ends by itself after SECONDS. The file is the
//! evidence: a panic on Bevy's render thread ends the program with 0.
//!
//! Then the panel is used as people do, with the pointer and the keyboard: see [`panel`].

mod panel;
mod report;

use std::time::Duration;

use anyhow::{Context, Result};

use super::display::Display;
use crate::job::Job;
use crate::picture::{self, Picture};
use crate::{fly, workspace};

/// How long the example flies. In software a frame takes half a second.
const SECONDS: u64 = 30;

/// Starting in software takes its time as well.
const LIMIT: Duration = Duration::from_secs(SECONDS + 300);

/// Flies in a window, and checks that something was drawn.
pub fn check(job: &Job) -> Result<()> {
    let folder = workspace::target().join("window");
    super::empty(&folder)?;
    let file = folder.join("window.png");
    let mut flight = fly::program(job, "fly")?;
    let display = Display::open(job)?;
    flight.arg(format!("--exit-after={SECONDS}")).arg("--screenshot").arg(&file);
    job.read(display.show(&mut flight), LIMIT)?;
    let drawn = picture::check_drawn(&Picture::read(&file)?);
    drawn.with_context(|| format!("the window was not drawn ({})", file.display()))?;
    job.note(&format!("the window as it was: {}", file.display()));
    panel::check(job, &folder, display)
}
