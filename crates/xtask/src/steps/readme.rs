//! The step `readme`: the README's lines in a new project, in a window on a virtual display.
//!
//! The project lies outside the workspace and has Bevy's default features, as a reader's would. What its window
//! shows must be the picture that the README promises; `readme.png` beside this file is that picture, made small.
//!
//! Bevy is built once more for it. So the step runs where it has been built for it before, and when it is named; the step
//! `examples` has the same lines, with the features of this workspace, and looks at the same picture.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};

use super::display::Display;
use super::{Outcome, project};
use crate::job::Job;
use crate::picture::{Picture, Squares};
use crate::process::{self, clock};
use crate::workspace;

/// How long the picture may take. In software a frame takes seconds.
const LIMIT: Duration = Duration::from_secs(420);

/// Time between two looks.
const PAUSE: Duration = Duration::from_secs(5);

/// Where the README's project finds the plugin: the clone lies beside it.
const PLACEHOLDER: &str = r#"{ path = "../bevy_noise_terrain/crates/bevy_noise_terrain" }"#;

/// Makes the project, runs it, and waits for the picture.
pub fn check(job: &Job, is_named: bool) -> Result<Outcome> {
    if !is_named && !project::has_built("bevy_gilrs") {
        let why = "it would build Bevy once more, with its default features; from then on it runs with the others. \
                   Run it with: cargo xtask check --only readme";
        return Ok(Outcome::Skipped(why.into()));
    }
    let folder = env::temp_dir().join("bevy_noise_terrain_readme");
    write(&folder)?;
    let mut program = project::build(job, &folder, "land")?;
    let display = Display::small(job)?;
    program.stdout(job.output()?).stderr(job.output()?);
    let mut program = process::start(display.show(&mut program))?;
    let file = project::target().join("readme.png");
    let expected = expected()?;
    let begun = Instant::now();
    loop {
        if let Some(status) = program.wait_for(PAUSE)? {
            bail!("the README's program ended by itself ({status})");
        }
        let Some(words) = Squares::of(&display.picture(&file)?).differences(&expected) else { break };
        let file = file.display();
        ensure!(begun.elapsed() < LIMIT, "the window does not look as the README says: {words}; see {file}");
    }
    job.note(&format!("the window looks as the README says after {}: {}", clock(begun.elapsed()), file.display()));
    Ok(Outcome::Passed)
}

/// What the window of the README's lines shows.
pub fn expected() -> Result<Squares> {
    Ok(Squares::of(&Picture::read(&workspace::root().join("crates/xtask/src/steps/readme.png"))?))
}

/// Writes the project with the README's lines.
fn write(folder: &Path) -> Result<()> {
    let root = workspace::root();
    let readme = root.join("README.md");
    let text = fs::read_to_string(&readme).with_context(|| readme.display().to_string())?;
    let [manifest, program] = ["toml", "rust"].map(|language| {
        block(&text, language).with_context(|| format!("README.md has no {language} under `In your app`"))
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
