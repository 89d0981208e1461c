//! Writing files so that a crash or a full disk destroys nothing.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Writes a file beside `path` and puts it in its place once it is complete and on disk; creates the folder. If it fails,
/// what was there stays.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs::create_dir_all(folder)?;
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = File::create(&part).and_then(|mut file| {
        write(&mut file)?;
        // The contents must be on disk before the rename is.
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&part, path)).inspect_err(|_| {
        // Fails if it was never created.
        let _ = fs::remove_file(&part);
    })?;
    // So that the rename itself survives; not every system can.
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_was_there_stays_until_the_new_file_is_complete() {
        let folder = std::env::temp_dir().join(format!("terrain-files-{}", std::process::id()));
        let path = folder.join("deep/world.ron");
        replace(&path, |file| file.write_all(b"old")).unwrap();
        let failed = replace(&path, |file| {
            file.write_all(b"ne")?;
            Err(io::Error::other("the disk is full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        replace(&path, |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        fs::remove_dir_all(folder).unwrap();
    }
}
