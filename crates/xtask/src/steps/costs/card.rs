//! The card that is not there, and a program on it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::report::Report;
use crate::job::Job;
use crate::workspace;

/// The card, by Mesa's name of its family: that of a Steam Deck, the slowest that the terrain is made for.
pub const NAME: &str = "vangogh";

/// The layer, by its name in Vulkan.
const LAYER: &str = "VK_LAYER_null_card";

/// How long a program may run. Software draws nothing here, so that it is a matter of seconds.
const LIMIT: Duration = Duration::from_secs(300);

/// Where the manifests of drivers lie, as `setup.sh` has it.
const FOLDERS: [&str; 4] = [
    "/etc/vulkan/icd.d",
    "/usr/share/vulkan/icd.d",
    "/usr/local/share/vulkan/icd.d",
    "/run/opengl-driver/share/vulkan/icd.d",
];

/// Variables of Vulkan's loader and of wgpu by which a user may choose another driver or card, or more layers.
const CHOICES: [&str; 6] = [
    "VK_DRIVER_FILES",
    "VK_ADD_DRIVER_FILES",
    "VK_ADD_LAYER_PATH",
    "VK_LOADER_DRIVERS_SELECT",
    "VK_LOADER_DRIVERS_DISABLE",
    "WGPU_ADAPTER_NAME",
];

/// The manifest of Mesa's driver for AMD cards, if it is installed.
pub fn driver() -> Option<PathBuf> {
    // A system may have drivers for several processors.
    let names = [format!("radeon_icd.{}.json", env::consts::ARCH), "radeon_icd.json".into()];
    let files = FOLDERS.iter().flat_map(|folder| names.iter().map(move |name| Path::new(folder).join(name)));
    files.filter(|_| cfg!(target_os = "linux")).find(|file| file.is_file())
}

/// What it takes to run a program on the card.
pub struct Card {
    driver: PathBuf,
    folder: PathBuf,
}

impl Card {
    /// Puts the layer where Vulkan's loader finds it.
    pub fn new(driver: PathBuf, layer: &Path) -> Result<Self> {
        let folder = workspace::target().join("costs");
        super::super::empty(&folder)?;
        let manifest = folder.join("layer.json");
        fs::write(&manifest, manifest_of(layer).to_string()).with_context(|| manifest.display().to_string())?;
        Ok(Self { driver, folder })
    }

    /// Runs a program that writes to the folder of `--out`, and adds what is reported to the report, also if the program fails.
    pub fn run(&self, job: &Job, program: &mut Command, report: &mut Report) -> Result<()> {
        let file = self.folder.join("report.txt");
        fs::write(&file, "").with_context(|| file.display().to_string())?;
        program
            .arg("--out")
            .arg(&self.folder)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .env("NULL_CARD_REPORT", &file)
            .env("RADV_FORCE_FAMILY", NAME)
            .env("RADV_DEBUG", "nocache")
            .env("VK_ICD_FILENAMES", &self.driver)
            .env("VK_LAYER_PATH", &self.folder)
            .env("VK_INSTANCE_LAYERS", LAYER)
            .env("VK_LOADER_LAYERS_DISABLE", "~implicit~")
            .env("WGPU_BACKEND", "vulkan")
            // Without these, pipelines of an optimised program have no names, and Vulkan's validation looks into objects that are
            // only numbers.
            .env("WGPU_DEBUG", "1")
            .env("WGPU_DISCARD_HAL_LABELS", "0")
            .env("WGPU_VALIDATION", "0");
        for name in CHOICES {
            program.env_remove(name);
        }
        let ended = job.read(program, LIMIT);
        let said = fs::read(&file).with_context(|| file.display().to_string())?;
        report.add(&String::from_utf8_lossy(&said))?;
        ended?;
        ensure!(
            report.has_driver(),
            "`fly` did not find the card {NAME}, which is offered by {}",
            self.driver.display()
        );
        Ok(())
    }
}

/// What the loader must know of the layer.
fn manifest_of(layer: &Path) -> serde_json::Value {
    json!({
        "file_format_version": "1.2.0",
        "layer": {
            "name": LAYER,
            "type": "GLOBAL",
            "library_path": layer,
            "api_version": "1.3.0",
            "implementation_version": "1",
            "description": "A graphics card that is not there",
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_finds_the_library() {
        let manifest = manifest_of(Path::new("/a/libnull_card.so"));
        assert_eq!(manifest["layer"]["library_path"], "/a/libnull_card.so");
        assert_eq!(manifest["layer"]["name"], LAYER);
    }
}
