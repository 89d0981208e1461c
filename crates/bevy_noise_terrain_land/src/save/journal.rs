//! A journal: a file of changes since a save, a line each.
//!
//! ```text
//! terrain-journal 3 5f0c…e1 7 0a1b2c3d
//! 9d41ab02 0 1 (edits:(edits:[((0),(area:…))],next:(1)))
//! 71c0ffee 1 2 (removed:(removed:[(kind:1,…)]))
//! ```
//!
//! The first line has the version of the format, the save that it follows, and a checksum. Each other line is a record: a
//! checksum, which depends on the first line too, a number that rises by one, how many lines of the file were known to be on
//! disk when it was written, and the changes as RON. As long as the journal before this one was not on disk, that count is 0.
//!
//! A record is handed to the operating system at once, so that it survives the program; a moment later it is on disk and
//! survives the machine. What was not yet on disk may be there in part, in any order. So a line that is incomplete or has a
//! wrong checksum ends the journal, and what follows it is left out, unless a later line says that it had been on disk:
//! then the file is damaged, and is refused.
//!
//! In version 2, all of the journal before was on disk before a record was written, and the count left out the first line. In
//! version 1, also each record was on disk before the next one was written, and the count was not there.

use std::fs::{File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::{SaveError, SaveErrorReason};
use super::record::Record;
use crate::files;

/// The version of the format.
const VERSION: u32 = 3;
/// What a journal begins with.
const NAME: &str = "terrain-journal";

/// Which journal follows a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// A random number, to know the journals of one save from those of another that was put in its place.
    pub id: u64,
    /// The first journal with changes that the save lacks. It and those that follow it belong to the save.
    pub number: u64,
}

impl Link {
    /// Of a new save.
    pub fn new() -> Self {
        Self { id: RandomState::new().build_hasher().finish(), number: 0 }
    }

    /// Of the journal after this one.
    pub fn next(self) -> Self {
        Self { number: self.number.saturating_add(1), ..self }
    }

    /// The file of the journal.
    pub fn path(self, save: &Path) -> PathBuf {
        let mut path = save.as_os_str().to_owned();
        path.push(format!(".{}.journal", self.number));
        path.into()
    }

    /// The first line, up to its checksum.
    fn title(self, version: u32) -> String {
        format!("{NAME} {version} {:016x} {}", self.id, self.number)
    }
}

/// Where a journal ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The version of its format.
    pub version: u32,
    /// Bytes up to the end of the last record.
    pub length: u64,
    /// Records.
    pub records: u64,
    /// Whether something follows that was not yet on disk, and is left out.
    pub is_torn: bool,
    /// Whether a record says that all journals before this one were on disk.
    pub follows_disk: bool,
}

impl Tail {
    /// Whether records can be added.
    pub fn is_current(&self) -> bool {
        self.version == VERSION
    }
}

fn checksum(title: &str, text: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(title.as_bytes());
    hasher.update(text);
    hasher.finalize()
}

/// An intact line.
struct Line<'a> {
    number: u64,
    /// How many lines were on disk before it; 0 if the journal before was not.
    on_disk: u64,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn parse(title: &str, version: u32, line: &'a [u8]) -> Option<Self> {
        let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
        let (sum, rest) = line.split_once(' ')?;
        if sum != format!("{:08x}", checksum(title, rest.as_bytes())) {
            return None;
        }
        let (number, text) = rest.split_once(' ')?;
        let number = number.parse().ok()?;
        if version == 1 {
            return Some(Self { number, on_disk: number + 1, text });
        }
        let (on_disk, text) = text.split_once(' ')?;
        let on_disk: u64 = on_disk.parse().ok()?;
        Some(Self { number, on_disk: if version == 2 { on_disk.checked_add(1)? } else { on_disk }, text })
    }
}

/// The version, and the bytes of the first line; `None` if it is that of another save.
fn head(bytes: &[u8], link: Link) -> Result<Option<(u32, usize)>, SaveErrorReason> {
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or(SaveErrorReason::NoJournal)?;
    let line = std::str::from_utf8(&bytes[..end]).map_err(|_| SaveErrorReason::NoJournal)?;
    let mut words = line.split(' ');
    if words.next() != Some(NAME) {
        return Err(SaveErrorReason::NoJournal);
    }
    // Before anything else: a later version may have another first line.
    let found = words.next().unwrap_or_default();
    let Some(version) = (1..=VERSION).find(|version| version.to_string() == found) else {
        let found = found.chars().take(20).collect();
        return Err(SaveErrorReason::Version { found, allowed: VERSION });
    };
    let (title, sum) = line.rsplit_once(' ').unwrap_or_default();
    if sum != format!("{:08x}", checksum(title, b"")) {
        return Err(SaveErrorReason::Damaged { line: 1 });
    }
    Ok((title == link.title(version)).then_some((version, end + 1)))
}

/// Reads a journal of a save; `None` if there is none, or only that of a save that was here before.
pub fn read(save: &Path, link: Link) -> Result<Option<(Vec<Record>, Tail)>, SaveErrorReason> {
    match std::fs::read(link.path(save)) {
        Ok(bytes) => parse(&bytes, link),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn parse(bytes: &[u8], link: Link) -> Result<Option<(Vec<Record>, Tail)>, SaveErrorReason> {
    let Some((version, head)) = head(bytes, link)? else { return Ok(None) };
    let title = link.title(version);
    let mut records = Vec::new();
    let mut tail = Tail { version, length: head as u64, records: 0, is_torn: false, follows_disk: false };
    let mut lines = bytes[head..].split_inclusive(|&byte| byte == b'\n').zip(2..);
    while let Some((bytes, line)) = lines.next() {
        let Some(Line { number, on_disk, text }) = Line::parse(&title, version, bytes) else {
            let later = lines.filter_map(|(bytes, _)| Line::parse(&title, version, bytes));
            let on_disk = later.map(|later| later.on_disk).max().unwrap_or(0);
            // The first line, the records, and this line.
            if on_disk >= tail.records + 2 {
                return Err(SaveErrorReason::Damaged { line });
            }
            tail.is_torn = true;
            tail.follows_disk |= on_disk > 0;
            break;
        };
        if number != tail.records {
            return Err(SaveErrorReason::Order { line, found: number, allowed: tail.records });
        }
        records.push(Record::from_line(text, line, bytes.len() - text.len())?);
        tail.length += bytes.len() as u64;
        tail.records += 1;
        tail.follows_disk |= on_disk > 0;
    }
    Ok(Some((records, tail)))
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    link: Link,
    title: String,
    file: Arc<File>,
    tail: Tail,
    /// Records that are on disk; the others have been handed to the operating system.
    on_disk: u64,
    /// The journal before, until all of it is on disk.
    before: Option<Arc<File>>,
}

impl Journal {
    /// Begins a journal.
    pub fn create(save: &Path, link: Link) -> Result<Self, SaveErrorReason> {
        let title = link.title(VERSION);
        let line = format!("{title} {:08x}\n", checksum(&title, b""));
        files::replace(&link.path(save), |file| file.write_all(line.as_bytes()))?;
        let length = line.len() as u64;
        Self::open(save, link, Tail { version: VERSION, length, records: 0, is_torn: false, follows_disk: false })
    }

    /// Goes on with a journal of the current version that has been read. What is left out of it is cut off. Those before it are
    /// on disk.
    pub fn open(save: &Path, link: Link, tail: Tail) -> Result<Self, SaveErrorReason> {
        let file = OpenOptions::new().read(true).write(true).open(link.path(save))?;
        lock(&file)?;
        let (title, file, on_disk) = (link.title(VERSION), Arc::new(file), tail.records);
        let mut journal = Self { link, title, file, tail, on_disk, before: None };
        journal.cut()?;
        // The program before may have stopped before it was.
        journal.file.sync_all()?;
        Ok(journal)
    }

    pub fn link(&self) -> Link {
        self.link
    }

    /// Bytes so far.
    pub fn length(&self) -> u64 {
        self.tail.length
    }

    /// Whether all journals before this one are on disk.
    pub fn follows_disk(&self) -> bool {
        self.before.is_none()
    }

    /// Follows another one, of which a part may still be on its way to the disk. Those before that are on disk.
    pub fn follow(&mut self, before: &Self) {
        self.before = before.flush().map(|flush| flush.file);
    }

    /// Adds a record. When this returns, the operating system has it; after an error it is as if it had never been begun.
    pub fn append(&mut self, record: &Record) -> Result<(), SaveErrorReason> {
        let on_disk = if self.follows_disk() { self.on_disk + 1 } else { 0 };
        let text = format!("{} {on_disk} {}", self.tail.records, record.to_line()?);
        let line = format!("{:08x} {text}\n", checksum(&self.title, text.as_bytes()));
        // What is left of one that failed.
        self.cut()?;
        self.tail.is_torn = true;
        self.file.seek(SeekFrom::Start(self.tail.length))?;
        self.file.write_all(line.as_bytes())?;
        self.tail.length += line.len() as u64;
        self.tail.records += 1;
        self.tail.is_torn = false;
        Ok(())
    }

    /// What is left to do until all records are on disk; `None` if they are.
    pub fn flush(&self) -> Option<Flush> {
        let (records, before) = (self.tail.records, self.before.clone());
        let is_needed = records > self.on_disk || before.is_some();
        is_needed.then(|| Flush { before, file: self.file.clone(), link: self.link, records })
    }

    /// Takes note of a flush that has been run. Returns whether it was of this journal.
    pub fn flushed(&mut self, flush: &Flush) -> bool {
        let is_own = flush.link == self.link;
        if is_own {
            self.on_disk = self.on_disk.max(flush.records);
            self.before = None;
        }
        is_own
    }

    /// Removes what is not a whole record.
    fn cut(&mut self) -> io::Result<()> {
        if self.tail.is_torn {
            self.file.set_len(self.tail.length)?;
            self.tail.is_torn = false;
        }
        Ok(())
    }
}

/// Records that are to be put on disk, by any thread.
#[derive(Debug)]
pub struct Flush {
    before: Option<Arc<File>>,
    file: Arc<File>,
    link: Link,
    records: u64,
}

impl Flush {
    /// Waits until they are on disk.
    pub fn run(&self, save: &Path) -> Result<(), SaveError> {
        let sync =
            |file: &File| file.sync_data().map_err(|error| SaveErrorReason::from(error).of(&self.link.path(save)));
        self.before.as_deref().map_or(Ok(()), sync)?;
        sync(&self.file)
    }
}

/// Puts a journal on disk, that of a program that may have stopped before it was.
pub fn sync(save: &Path, link: Link) -> Result<(), SaveErrorReason> {
    Ok(OpenOptions::new().write(true).open(link.path(save))?.sync_all()?)
}

/// Keeps other programs from writing the same journal, until this one ends.
fn lock(file: &File) -> Result<(), SaveErrorReason> {
    // On Windows nobody could read it then.
    if cfg!(windows) {
        return Ok(());
    }
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(SaveErrorReason::InUse),
        // Not every file system can.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
