//! The step `package`: what is to be published is complete, and as small as it says.
//!
//! Cargo packs all crates and does everything but upload them. The core, which needs no Bevy, is also built from its
//! package; building the others would build Bevy once more, with other features.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::{build, cargo};
use crate::job::Job;
use crate::{process, workspace};

/// What is published, in its order, and the most bytes that a package may have. Registries take ten million.
const CRATES: [(&str, u64); 7] = [
    ("terrain_noise", 700_000),
    ("bevy_noise_terrain_land", 8_000_000),
    ("bevy_noise_terrain_panel", 200_000),
    ("bevy_noise_terrain", 600_000),
    ("bevy_noise_terrain_avian", 100_000),
    ("bevy_noise_terrain_net", 120_000),
    ("bevy_noise_terrain_rapier", 100_000),
];

/// What every manifest says.
const FIELDS: [&str; 10] = [
    "categories",
    "description",
    "documentation",
    "edition",
    "keywords",
    "license",
    "lints",
    "readme",
    "rust-version",
    "version",
];

const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Packs them, and looks at them.
pub fn check(job: &Job) -> Result<()> {
    check_rust(job)?;
    for (name, _) in CRATES {
        check_manifest(name)?;
    }
    // Cargo leaves what it packed before. What it built beside that stays, for the next time.
    let target = workspace::target().join("package");
    super::empty(&target.join("package"))?;
    let mut publish = cargo(&["publish", "--dry-run", "--no-verify", "--allow-dirty", "--target-dir"]);
    publish.arg(&target);
    for (name, _) in CRATES {
        publish.args(["--package", name]);
    }
    build::call(job, &mut publish)?;
    for (name, most) in CRATES {
        let file = find(&target, &format!("{name}-"))?;
        let bytes = fs::metadata(&file)?.len();
        job.note(&format!("{name}: {} kB packed, {} kB allowed", bytes / 1_000, most / 1_000));
        ensure!(bytes <= most, "{} has {bytes} bytes, allowed are {most}", file.display());
        check_files(job, name)?;
    }
    build::call(job, cargo(&["package", "--package=terrain_noise", "--allow-dirty", "--target-dir"]).arg(&target))
}

/// Whether the promised version of Rust is the one that everything is tested with.
fn check_rust(job: &Job) -> Result<()> {
    let root = manifest(&workspace::root())?;
    let promised = value(&root, "rust-version").context("Cargo.toml has no rust-version")?;
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let found = process::output(Command::new(rustc).arg("--version").current_dir(workspace::root()))?;
    if found.starts_with(&format!("rustc {promised}.")) {
        job.note(&format!("Rust {promised}, as the manifests promise"));
    } else {
        job.tell(&format!(
            "The manifests promise Rust {promised}; whether that suffices is not tested here, with {}",
            found.trim()
        ));
    }
    let readme = fs::read_to_string(workspace::root().join("README.md"))?;
    ensure!(readme.contains(&format!("| {promised} |")), "README.md has no Rust {promised} in its table of versions");
    Ok(())
}

fn check_manifest(name: &str) -> Result<()> {
    let folder = workspace::root().join("crates").join(name);
    let text = manifest(&folder)?;
    let has = |field: &str| {
        text.lines().any(|line| {
            line == format!("[{field}]")
                || line
                    .strip_prefix(field)
                    .is_some_and(|rest| rest.starts_with(" =") || rest.starts_with(".workspace ="))
        })
    };
    if let Some(field) = FIELDS.iter().find(|field| !has(field)) {
        bail!("{name}: Cargo.toml has no {field}");
    }
    ensure!(
        text.contains("[package.metadata.docs.rs]\nall-features = true\n"),
        "{name}: docs.rs would leave features out"
    );
    for licence in LICENCES {
        let [own, root] = [folder.join(licence), workspace::root().join(licence)].map(fs::read);
        ensure!(own.is_ok_and(|own| root.is_ok_and(|root| own == root)), "{name}: {licence} is not that of the root");
    }
    Ok(())
}

/// All code, shaders and assets are in the package, and the licences.
fn check_files(job: &Job, name: &str) -> Result<()> {
    let mut list = cargo(&["package", "--list", "--allow-dirty", "--quiet", "--package"]);
    let list = process::output(list.arg(name).stderr(job.output()?))?;
    let packed: Vec<String> = list.lines().map(|line| line.replace('\\', "/")).collect();
    let folder = workspace::root().join("crates").join(name);
    let mut files = LICENCES.map(ToOwned::to_owned).to_vec();
    for part in ["src", "assets", "pictures/guide"] {
        collect(&folder, &folder.join(part), &mut files)?;
    }
    ensure!(files.len() > 5, "{name} has only {} files", files.len());
    match files.iter().find(|file| !packed.contains(file)) {
        None => Ok(()),
        Some(missing) => bail!("{name}: {missing} is not in the package"),
    }
}

/// The files below a folder, by their path in the crate. There may be none.
fn collect(root: &Path, folder: &Path, files: &mut Vec<String>) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else {
            files.push(path.strip_prefix(root)?.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}

/// A package below a folder. `start` is its name, up to the version.
fn find(folder: &Path, start: &str) -> Result<std::path::PathBuf> {
    let mut files = Vec::new();
    collect(folder, folder, &mut files)?;
    let is_it = |file: &&String| {
        let name = file.rsplit('/').next().unwrap_or_default();
        name.strip_prefix(start)
            .is_some_and(|rest| rest.ends_with(".crate") && rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let file = files.iter().find(is_it).with_context(|| format!("cargo packed no {start}….crate"))?;
    Ok(folder.join(file))
}

fn manifest(folder: &Path) -> Result<String> {
    let path = folder.join("Cargo.toml");
    fs::read_to_string(&path).with_context(|| path.display().to_string())
}

/// The text of a field, without its quotes.
fn value<'a>(manifest: &'a str, field: &str) -> Option<&'a str> {
    let line = manifest.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(" = "))?;
    Some(line.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_crate_can_be_published() {
        for (name, _) in CRATES {
            check_manifest(name).unwrap();
        }
    }

    #[test]
    fn no_crate_is_forgotten() {
        for entry in fs::read_dir(workspace::root().join("crates")).unwrap() {
            let folder = entry.unwrap().path();
            let name = folder.file_name().unwrap().to_string_lossy();
            let is_private = manifest(&folder).unwrap().contains("publish = false");
            assert_eq!(CRATES.iter().any(|(known, _)| *known == name), !is_private, "{name}");
        }
    }

    #[test]
    fn crates_of_the_workspace_are_found_by_version() {
        // Published ones are found in a registry, where a path alone is nothing.
        let root = manifest(&workspace::root()).unwrap();
        let version = value(&root, "version").unwrap();
        let dependencies = root.split("[workspace.dependencies]").nth(1).unwrap();
        for (name, _) in CRATES {
            let path = format!("path = \"crates/{name}\"");
            for line in dependencies.lines().filter(|line| line.contains(&path)) {
                assert!(line.contains(&format!("version = {version:?}")), "{line}");
            }
        }
    }
}
