//! The step `readme`: the README's lines in a new project, in a window on a virtual display.
//!
//! The project lies outside the workspace and has Bevy's default features, as a reader's would. What its window
//! shows must be the picture that the README promises; `readme.png` beside this file is that picture, made small.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::display::Display;
use super::hand::Hand;
use super::headless::in_vulkan;
use super::project;
use crate::cargo::cargo_in;
use crate::error::Error;
use crate::picture::{Picture, Squares};
use crate::process::{self, clock};
use crate::workspace;

/// How long the picture may take. In software a frame takes seconds.
const LIMIT: Duration = Duration::from_secs(420);

/// Time between two looks.
const PAUSE: Duration = Duration::from_secs(5);

/// What stands in the README for where the plugin comes from.
const PLACEHOLDER: &str = r#"{ git = "…" } # not yet published"#;

/// Makes the project, runs it, and waits for the picture.
pub fn check() -> Result<(), Error> {
    let folder = env::temp_dir().join("bevy_noise_terrain_readme");
    write(&folder)?;
    let target = workspace::target().join("readme");
    let mut build = cargo_in(&folder, &["build"]);
    process::run(project::build_in(&target, &mut build))?;

    let display = Display::open()?;
    let mut program = Command::new(target.join("debug").join("land"));
    program.env("DISPLAY", &display.name).env_remove("WAYLAND_DISPLAY").stdin(Stdio::null());
    let mut program = Running(process::start(in_vulkan(&mut program))?);
    let file = target.join("readme.png");
    let expected = Squares::of(&Picture::read(&workspace::root().join("crates/xtask/src/steps/readme.png"))?);
    let hand = Hand { display: &display.name };
    let begun = Instant::now();
    loop {
        thread::sleep(PAUSE);
        if let Ok(Some(status)) = program.0.try_wait() {
            return Err(Error::Failed { program: "the README's program".to_owned(), status });
        }
        let differences = Squares::of(&hand.picture(&file)?).differences(&expected);
        match differences {
            None => {
                println!("the window looks as the README says after {}: {}", clock(begun.elapsed()), file.display());
                return Ok(());
            }
            Some(words) if begun.elapsed() > LIMIT => {
                let text = format!("the window does not look as the README says: {words}; see {}", file.display());
                return Err(Error::NoEvidence(text));
            }
            Some(_) => {}
        }
    }
}

/// A program that ends with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Writes the project with the README's lines.
fn write(folder: &Path) -> Result<(), Error> {
    let root = workspace::root();
    let readme = root.join("README.md");
    let text = fs::read_to_string(&readme).map_err(|source| Error::File { path: readme.clone(), source })?;
    let [manifest, program] = ["toml", "rust"].map(|language| {
        let missing = || Error::NoEvidence(format!("{} has no {language} under `In your app`", readme.display()));
        block(&text, language).ok_or_else(missing)
    });
    let plugin = format!("{{ path = {:?} }}", root.join("crates/bevy_noise_terrain"));
    project::write(folder, "land", &manifest?.replace(PLACEHOLDER, &plugin), program?)
}

/// The first block of code in this language under the heading `In your app`.
fn block<'a>(readme: &'a str, language: &str) -> Option<&'a str> {
    let (_, section) = readme.split_once("\n## In your app\n")?;
    let (_, rest) = section.split_once(&format!("```{language}\n"))?;
    Some(rest.split_once("```")?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_what_a_project_needs() {
        let text = fs::read_to_string(workspace::root().join("README.md")).unwrap();
        assert!(block(&text, "toml").unwrap().contains(PLACEHOLDER));
        let program = block(&text, "rust").unwrap();
        assert!(program.contains("fn main()") && program.contains("NoiseTerrainPlugin"), "{program}");
        let minimal = fs::read_to_string(workspace::root().join("examples/minimal.rs")).unwrap();
        assert!(minimal.ends_with(program), "examples/minimal.rs has other lines than the README");
    }
}
