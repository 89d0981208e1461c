//! A flight without a display, and a look at what it saw.
//!
//! What the example promises: `fly --headless --out DIR` writes `DIR/fly-00.png`, `DIR/fly-01.png`,
//! and so on, and `DIR/figures.json`; the last line it prints is `wrote N pictures and figures to DIR`.
//! Its exit code alone proves nothing: a panic on Bevy's render thread ends it with 0.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::picture;

/// The example, and the arguments that let it fly.
pub const NAME: &str = "fly";
pub const ARGUMENTS: &[&str] = &["--headless"];

/// Checks what it said, the pictures and the figures.
pub fn check(lines: &[String], folder: &Path) -> Result<()> {
    let announced = announced(lines).with_context(|| {
        let last = lines.last().map_or("nothing", String::as_str);
        format!("`fly` did not print `wrote N pictures and figures to DIR`; its last line was: {last}")
    })?;
    check_figures(&folder.join("figures.json"))?;
    let pictures = picture::check(folder)?;
    ensure!(pictures == announced, "`fly` said that it wrote {announced} pictures, and {pictures} are there");
    Ok(())
}

/// Draws with Vulkan unless told otherwise: software OpenGL gives no picture.
pub fn in_vulkan(command: &mut Command) -> &mut Command {
    if cfg!(target_os = "linux") && std::env::var_os("WGPU_BACKEND").is_none() {
        command.env("WGPU_BACKEND", "vulkan");
    }
    command
}

/// How many pictures the program says it wrote.
fn announced(lines: &[String]) -> Option<usize> {
    lines.iter().rev().find_map(|line| {
        let (number, _) = line.strip_prefix("wrote ")?.split_once(" pictures and figures to ")?;
        number.parse().ok()
    })
}

fn check_figures(path: &Path) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let has_figures = text.trim_start().starts_with(['{', '[']) && text.bytes().any(|byte| byte.is_ascii_digit());
    ensure!(has_figures, "{} holds no figures", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_read_from_the_line() {
        let lines = ["flying", "wrote 12 pictures and figures to /tmp/a b", ""].map(String::from);
        assert_eq!(announced(&lines), Some(12));
        assert_eq!(announced(&lines[..1]), None);
    }
}
