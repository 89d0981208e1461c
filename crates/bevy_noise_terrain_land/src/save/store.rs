//! A save and its journals: files beside each other.
//!
//! `world.save.ron` names the first journal with changes that it lacks, say `world.save.ron.7.journal`. When that one has
//! grown, journal 8 is begun and records go there, and meanwhile all that is in the save and in journal 7 is written as a new
//! save, which names journal 8. Then journal 7 is deleted. Whenever the program is stopped, the save and the journals from the
//! one that it names onwards hold everything, once. Where the machine stops before the end of journal 7 was on disk, journal 8
//! says so, and is left out.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::TerrainSave;
use super::error::{SaveError, SaveErrorReason};
use super::format::{self, SaveFile};
use super::journal::{self, Flush, Journal, Link, Tail};
use super::record::Record;
use crate::files;
use crate::preset_asset::PresetError;

/// What a journal added to a save when it was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SaveReplay {
    /// Records that were replayed.
    pub records: u64,
    /// Whether something was left out at the end that was incomplete: the program or the machine stopped while it was written.
    pub torn: bool,
}

/// What has been read.
struct Loaded {
    save: TerrainSave,
    replay: SaveReplay,
    link: Option<Link>,
    last: Option<(Link, Tail)>,
    /// Whether a journal is left out, as the one before it was not yet on disk.
    is_cut: bool,
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, SaveError> {
    fs::read(path).map_err(|error| SaveErrorReason::from(error).of(path))
}

fn parse(bytes: &[u8]) -> Result<SaveFile, SaveErrorReason> {
    SaveFile::from_ron(std::str::from_utf8(bytes).map_err(PresetError::from)?)
}

/// Writes a save that is followed by the journal of `link`, if any.
pub fn write_file(path: &Path, save: &TerrainSave, link: Option<Link>) -> Result<(), SaveError> {
    let write = || {
        let text = format::to_ron(save, link)?;
        Ok::<_, SaveErrorReason>(files::replace(path, |file| file.write_all(text.as_bytes()))?)
    };
    write().map_err(|reason| reason.of(path))
}

/// Reads a save with its journals, also while somebody keeps it.
pub fn read(path: &Path) -> Result<(TerrainSave, SaveReplay), SaveError> {
    let mut bytes = read_bytes(path)?;
    loop {
        let loaded = load(path, &bytes, u64::MAX);
        let now = read_bytes(path)?;
        if now == bytes {
            return loaded.map(|loaded| (loaded.save, loaded.replay));
        }
        // A journal may have become part of the save meanwhile, and be gone.
        bytes = now;
    }
}

/// Reads a save with its journals before number `end`.
fn load(path: &Path, bytes: &[u8], end: u64) -> Result<Loaded, SaveError> {
    let SaveFile { mut save, link } = parse(bytes).map_err(|reason| reason.of(path))?;
    let (mut replay, mut last, mut is_cut) = (SaveReplay::default(), None::<(Link, Tail)>, false);
    let mut next = link;
    while let Some(link) = next.filter(|link| link.number < end) {
        let of = |link: Link| move |reason: SaveErrorReason| reason.of(&link.path(path));
        let Some((records, tail)) = journal::read(path, link).map_err(of(link))? else { break };
        if let Some((before, Tail { records: whole, is_torn: true, .. })) = last {
            if !tail.follows_disk {
                is_cut = true;
                break;
            }
            return Err(of(before)(SaveErrorReason::Damaged { line: whole as usize + 2 }));
        }
        for (record, line) in records.into_iter().zip(2..) {
            record.apply(&mut save, line).map_err(of(link))?;
        }
        replay = SaveReplay { records: replay.records + tail.records, torn: tail.is_torn };
        last = Some((link, tail));
        next = Some(link.next());
    }
    Ok(Loaded { save, replay, link, last, is_cut })
}

/// Deletes journals by their number. It does not matter if one stays: nothing reads it.
fn delete_journals(path: &Path, goes: impl Fn(u64) -> bool) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Some(save), Ok(entries)) = (path.file_name().and_then(|name| name.to_str()), fs::read_dir(folder)) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let number =
            name.to_str().and_then(|name| name.strip_prefix(save)?.strip_prefix('.')?.strip_suffix(".journal"));
        if number.and_then(|number| number.parse().ok()).is_some_and(&goes) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A save that is being kept.
#[derive(Debug)]
pub struct SaveStore {
    path: PathBuf,
    journal: Option<Journal>,
}

impl SaveStore {
    /// Nothing is there, or what is there does not matter.
    pub fn new(path: PathBuf) -> Self {
        Self { path, journal: None }
    }

    /// Reads what is there; `None` if nothing is.
    pub fn open(path: PathBuf) -> Result<(Self, Option<(TerrainSave, SaveReplay)>), SaveError> {
        if !path.exists() {
            return Ok((Self::new(path), None));
        }
        let Loaded { save, replay, link, last, is_cut } = load(&path, &read_bytes(&path)?, u64::MAX)?;
        let of = |link: Link| {
            let path = &path;
            move |reason: SaveErrorReason| reason.of(&link.path(path))
        };
        let journal = match (link, last) {
            // All of it is written anew.
            (Some(_), Some((_, tail))) if is_cut || !tail.is_current() => None,
            (Some(first), Some((last, tail))) => {
                for number in first.number..last.number {
                    let link = Link { number, ..first };
                    journal::sync(&path, link).map_err(of(link))?;
                }
                Some(Journal::open(&path, last, tail).map_err(of(last))?)
            }
            (Some(link), None) => Some(Journal::create(&path, link).map_err(of(link))?),
            (None, _) => None,
        };
        if let Some(link) = link {
            delete_journals(&path, |number| number < link.number);
        }
        Ok((Self { path, journal }, Some((save, replay))))
    }

    /// Whether there is a journal to add records to.
    pub fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    /// Writes everything, and begins a journal if there is to be one.
    pub fn write(&mut self, save: &TerrainSave, with_journal: bool) -> Result<(), SaveError> {
        save.world.validate().map_err(|error| SaveErrorReason::from(error).of(&self.path))?;
        let link = with_journal.then(|| self.journal.as_ref().map_or_else(Link::new, |journal| journal.link().next()));
        write_file(&self.path, save, link)?;
        // What it holds is in the save.
        self.journal = None;
        if let Some(link) = link {
            let journal = Journal::create(&self.path, link);
            self.journal = Some(journal.map_err(|reason| reason.of(&link.path(&self.path)))?);
        }
        delete_journals(&self.path, |number| link.is_none_or(|link| link.number != number));
        Ok(())
    }

    /// Adds a record to the journal. When this returns, it survives the program; it survives the machine once
    /// [`flush`](Self::flush) has been run.
    pub fn append(&mut self, record: &Record) -> Result<(), SaveError> {
        let Some(journal) = &mut self.journal else {
            return Err(SaveErrorReason::from(io::Error::from(io::ErrorKind::NotFound)).of(&self.path));
        };
        journal.append(record).map_err(|reason| reason.of(&journal.link().path(&self.path)))
    }

    /// What is left to do until all records are on disk; `None` if they are.
    pub fn flush(&self) -> Option<Flush> {
        self.journal.as_ref()?.flush()
    }

    /// Takes note of a flush that has been run. Returns whether it was of this journal.
    pub fn flushed(&mut self, flush: &Flush) -> bool {
        self.journal.as_mut().is_some_and(|journal| journal.flushed(flush))
    }

    /// The file of the save.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The creation of the next journal, if this one has more than `bytes`, and more than the save.
    pub fn next_journal(&self, bytes: u64) -> Option<Creation> {
        let journal = self.journal.as_ref().filter(|journal| journal.length() > bytes)?;
        let saved = fs::metadata(&self.path).map_or(0, |file| file.len());
        (journal.length() > saved).then(|| Creation { path: self.path.clone(), link: journal.link().next() })
    }

    /// Whether this journal is the one that comes after the present one.
    pub fn precedes(&self, next: &Journal) -> bool {
        self.journal.as_ref().is_some_and(|journal| journal.link().next() == next.link())
    }

    /// Whether a journal can follow this one: those before this one are on disk.
    pub fn can_go_on(&self) -> bool {
        self.journal.as_ref().is_some_and(Journal::follows_disk)
    }

    /// Goes on with the next journal: what is in this one is to be folded.
    pub fn go_on_with(&mut self, mut next: Journal) -> Fold {
        let link = next.link();
        if let Some(journal) = &self.journal {
            next.follow(journal);
        }
        self.journal = Some(next);
        Fold { path: self.path.clone(), link }
    }
}

/// A journal that is to be created.
#[derive(Debug)]
pub struct Creation {
    path: PathBuf,
    link: Link,
}

impl Creation {
    pub fn run(&self) -> Result<Journal, SaveError> {
        Journal::create(&self.path, self.link).map_err(|reason| reason.of(&self.link.path(&self.path)))
    }
}

/// Journals that are to become part of the save, while another one is written.
#[derive(Debug)]
pub struct Fold {
    path: PathBuf,
    /// The journal that stays.
    link: Link,
}

/// Why journals have not become part of their save.
#[derive(Debug)]
pub struct FoldError {
    pub error: SaveError,
    /// Whether the save is gone, damaged or another one.
    pub is_lost: bool,
}

impl Fold {
    /// Writes a save with all that is in the journals before the one that stays, and deletes them.
    pub fn run(&self) -> Result<(), FoldError> {
        let Self { path, link } = self;
        let lost = |error| FoldError { error, is_lost: true };
        let loaded = read_bytes(path).and_then(|bytes| load(path, &bytes, link.number)).map_err(lost)?;
        if loaded.link.is_none_or(|found| found.id != link.id) {
            return Err(lost(SaveErrorReason::Replaced.of(path)));
        }
        write_file(path, &loaded.save, Some(*link)).map_err(|error| FoldError { error, is_lost: false })?;
        delete_journals(path, |number| number < link.number);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
