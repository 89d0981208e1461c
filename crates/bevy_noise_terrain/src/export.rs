//! A piece of the land as a file (feature `export`): heights as 16-bit PNG, the surface as OBJ or glTF.
//!
//! Pure functions that need no app. Give them a [`Surface`], a [`Region`] and a [`Progress`], and call them
//! from a thread that may take its time:
//!
//! ```no_run
//! use bevy_noise_terrain::export::{Format, Progress, Region, export};
//! use bevy_noise_terrain::prelude::*;
//!
//! let surface = NoiseTerrain::default().surface()?;
//! let region = Region::around([0.0, 0.0], 2_000.0, 2.0);
//! export(&surface, &region, Format::Png, "land.png".as_ref(), &Progress::default())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod glb;
mod heights;
mod obj;
mod png16;
mod progress;

pub use heights::{Heights, Region};
pub use progress::Progress;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::query::Surface;

/// What kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Heights as grey, 16 bits: 0 is the lowest, 65 535 the highest. Both, the spacing and the place are
    /// written beside the picture as text, in metres.
    Png,
    /// A triangle mesh as text.
    Obj,
    /// A triangle mesh as binary glTF.
    Glb,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Png, Self::Obj, Self::Glb];

    /// The usual ending of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Obj => "obj",
            Self::Glb => "glb",
        }
    }

    /// Samples along one side at most: what a picture viewer or a mesh editor still opens.
    pub const fn most_samples(self) -> usize {
        match self {
            Self::Png => 8_193,
            Self::Obj | Self::Glb => 2_049,
        }
    }
}

/// An export that was not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The region is empty, endless or too fine.
    #[error("{field} is {found}; it must be {allowed}")]
    Region {
        /// Which field.
        field: &'static str,
        /// What it is.
        found: f64,
        /// What it may be.
        allowed: String,
    },
    /// [`Progress::cancel`] was called.
    #[error("cancelled")]
    Cancelled,
    /// The disk refused.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Samples a region and writes it to `path`, its folder too if need be. The file appears when it is
/// complete: what is cancelled or fails leaves nothing behind.
///
/// # Errors
/// A bad region, a refusing disk, or that it was cancelled.
pub fn export(
    surface: &Surface,
    region: &Region,
    format: Format,
    path: &Path,
    progress: &Progress,
) -> Result<Heights, ExportError> {
    region.check(format.most_samples())?;
    let heights = Heights::sample(surface, region, &progress.part(0.0, 0.6))?;
    let failed = |source| ExportError::File { path: path.to_owned(), source };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = File::create(&part).and_then(|file| {
        let mut file = BufWriter::new(file);
        let progress = progress.part(0.6, 1.0);
        match format {
            Format::Png => png16::write(&heights, &mut file, &progress),
            Format::Obj => obj::write(&heights, &mut file, &progress),
            Format::Glb => glb::write(&heights, &mut file, &progress),
        }?;
        file.flush()
    });
    match written.and_then(|()| fs::rename(&part, path)) {
        Ok(()) => Ok(heights),
        Err(error) => {
            // It may never have been made.
            let _ = fs::remove_file(&part);
            Err(if progress.is_cancelled() { ExportError::Cancelled } else { failed(error) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::NoiseTerrain;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("terrain-export-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn every_format_writes_a_file_and_reaches_the_end() {
        let folder = folder("formats");
        let surface = NoiseTerrain::default().surface().unwrap();
        for format in Format::ALL {
            let path = folder.join("sub").join(format!("land.{}", format.extension()));
            let progress = Progress::default();
            let heights = export(&surface, &Region::around([10.0, -7.0], 64.0, 2.0), format, &path, &progress).unwrap();
            assert_eq!(heights.size, [33, 33]);
            assert_eq!(progress.share(), 1.0);
            assert!(fs::metadata(&path).unwrap().len() > 1_000);
        }
        assert_eq!(fs::read_dir(folder.join("sub")).unwrap().count(), 3);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_cancelled_leaves_nothing_behind() {
        let folder = folder("cancelled");
        let progress = Progress::default();
        progress.cancel();
        let surface = NoiseTerrain::default().surface().unwrap();
        let path = folder.join("land.png");
        let region = Region::around([0.0, 0.0], 64.0, 1.0);
        let error = export(&surface, &region, Format::Png, &path, &progress).unwrap_err();
        assert!(matches!(error, ExportError::Cancelled), "{error}");
        assert!(!path.exists());
    }

    #[test]
    fn a_disk_that_refuses_is_told() {
        let surface = NoiseTerrain::default().surface().unwrap();
        let file = std::env::temp_dir().join(format!("terrain-export-file-{}", std::process::id()));
        fs::write(&file, "a file, not a folder").unwrap();
        let path = file.join("land.png");
        let region = Region::around([0.0, 0.0], 64.0, 1.0);
        let error = export(&surface, &region, Format::Png, &path, &Progress::default()).unwrap_err();
        assert!(matches!(error, ExportError::File { .. }), "{error}");
        fs::remove_file(file).unwrap();
    }
}
