//! Exports a region of the land as a file (feature `export`): heights as 16-bit PNG, the surface as OBJ or glTF.
//!
//! Functions that need no app, only a [`Surface`], a [`Region`] and a [`Progress`]. They may take long: call them from
//! a background thread.
//!
//! ```no_run
//! # use bevy_noise_terrain_land as bevy_noise_terrain;
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

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::files;
use crate::query::Surface;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Heights as 16-bit grey: 0 is the lowest, 65 535 the highest. Both, the spacing and the position are
    /// stored in the file's text chunks, in metres.
    Png,
    /// A triangle mesh as text.
    Obj,
    /// A triangle mesh as binary glTF.
    Glb,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Png, Self::Obj, Self::Glb];

    /// The usual file extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Obj => "obj",
            Self::Glb => "glb",
        }
    }

    /// The greatest number of samples along one side: what image viewers and mesh editors can still open.
    pub const fn most_samples(self) -> usize {
        match self {
            Self::Png => 8_193,
            Self::Obj | Self::Glb => 2_049,
        }
    }
}

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The region is empty, too large or too fine.
    #[error("{field} is {found}; it must be {allowed}")]
    Region {
        /// Which field.
        field: &'static str,
        /// Its value.
        found: f64,
        /// What is allowed.
        allowed: String,
    },
    /// [`Progress::cancel`] was called.
    #[error("cancelled")]
    Cancelled,
    /// The file could not be written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Samples a region and writes it to `path`, creating its folder. The file appears only when it is
/// complete: a cancelled or failed export leaves no file behind.
///
/// # Errors
/// If the region is invalid, the file cannot be written, or the export was cancelled.
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
    let written = files::replace(path, |file| {
        let mut file = BufWriter::new(file);
        let progress = progress.part(0.6, 1.0);
        match format {
            Format::Png => png16::write(&heights, &mut file, &progress),
            Format::Obj => obj::write(&heights, &mut file, &progress),
            Format::Glb => glb::write(&heights, &mut file, &progress),
        }?;
        file.flush()
    });
    match written {
        Ok(()) => Ok(heights),
        Err(_) if progress.is_cancelled() => Err(ExportError::Cancelled),
        Err(error) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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
    fn a_cancelled_export_leaves_nothing_behind() {
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
    fn a_file_that_cannot_be_written_is_an_error() {
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
