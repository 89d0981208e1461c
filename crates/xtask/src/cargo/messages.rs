//! Cargo's messages in JSON: the files that it built from each target.

use std::env::consts::DLL_EXTENSION;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The option for these messages. Warnings and errors stay text.
pub const FORMAT: &str = "--message-format=json-render-diagnostics";

/// The files of a target, built now or before.
#[derive(Debug, Deserialize)]
pub struct Artifact {
    /// The manifest of the package.
    pub manifest_path: PathBuf,
    /// The target.
    pub target: Target,
    /// How it was built.
    pub profile: Profile,
    /// All its files.
    pub filenames: Vec<PathBuf>,
    /// The program among them, if it is one.
    pub executable: Option<PathBuf>,
}

/// A library, a program, a test, ...
#[derive(Debug, Deserialize)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// Where its code begins.
    pub src_path: PathBuf,
    /// `lib`, `bin`, `test`, `bench`, …
    #[serde(default)]
    kind: Vec<String>,
}

impl Target {
    fn is_bench(&self) -> bool {
        self.kind.iter().any(|kind| kind == "bench")
    }
}

/// A part of how a target was built.
#[derive(Debug, Deserialize)]
pub struct Profile {
    /// As a program of tests?
    pub test: bool,
}

/// The artifact in a line of cargo's standard output, if it has one.
pub fn artifact(line: &str) -> Option<Artifact> {
    // Other messages have other fields.
    if !line.contains(r#""reason":"compiler-artifact""#) {
        return None;
    }
    serde_json::from_str(line).ok()
}

/// The program of this name, which is no test, as `cargo run` would start it.
pub fn program(artifacts: &[Artifact], name: &str) -> Result<Command> {
    // For cargo, benches are tests.
    let is_it =
        |artifact: &&Artifact| artifact.target.name == name && (!artifact.profile.test || artifact.target.is_bench());
    let found = artifacts.iter().filter(is_it).find_map(|artifact| Some((artifact, artifact.executable.as_ref()?)));
    let (artifact, executable) = found.with_context(|| format!("cargo did not say where it put {name}"))?;
    let mut command = Command::new(executable);
    // Assets are found by the folder of the package.
    if let Some(folder) = artifact.manifest_path.parent() {
        command.env("CARGO_MANIFEST_DIR", folder);
    }
    Ok(command)
}

/// The shared library of this name.
pub fn library<'a>(artifacts: &'a [Artifact], name: &str) -> Result<&'a Path> {
    let is_it = |artifact: &&Artifact| artifact.target.name == name && !artifact.profile.test;
    let files = artifacts.iter().filter(is_it).flat_map(|artifact| &artifact.filenames);
    let file = files.into_iter().find(|file| file.extension().is_some_and(|extension| extension == DLL_EXTENSION));
    file.map(PathBuf::as_path).with_context(|| format!("cargo did not say where it put the library {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, test: bool, executable: &str) -> String {
        format!(
            r#"{{"reason":"compiler-artifact","package_id":"p","manifest_path":"/p/Cargo.toml","target":{{"kind":["bin"],
            "name":"{name}","src_path":"/p/src/main.rs","test":true}},"profile":{{"opt_level":"0","test":{test}}},
            "filenames":["/t/x"],"executable":{executable},"fresh":true}}"#
        )
        .replace('\n', "")
    }

    #[test]
    fn the_program_is_found_among_cargos_messages() {
        let lines = [
            line("counts", false, "null"),
            r#"{"reason":"build-finished","success":true}"#.into(),
            line("counts", true, "\"/t/counts-test\""),
            line("counts", false, "\"/t/counts\""),
        ];
        let artifacts: Vec<_> = lines.iter().filter_map(|line| artifact(line)).collect();
        assert_eq!(artifacts.len(), 3);
        let counts = program(&artifacts, "counts").unwrap();
        assert_eq!(counts.get_program(), "/t/counts");
        assert_eq!(counts.get_envs().next().unwrap().1.unwrap(), "/p");
        let bench = line("frame_counts", true, "\"/t/frame_counts\"").replace("\"bin\"", "\"bench\"");
        assert_eq!(program(&[artifact(&bench).unwrap()], "frame_counts").unwrap().get_program(), "/t/frame_counts");
        let library_line =
            line("layer", false, "null").replace("/t/x", &format!("/t/layer.d\",\"/t/layer.{DLL_EXTENSION}"));
        let library_file = format!("/t/layer.{DLL_EXTENSION}");
        assert_eq!(library(&[artifact(&library_line).unwrap()], "layer").unwrap(), Path::new(&library_file));
        assert!(program(&artifacts, "flight").unwrap_err().to_string().contains("flight"));
    }
}
