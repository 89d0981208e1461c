//! A journal: a file of changes since a save, a line each.
//!
//! ```text
//! terrain-journal 1 5f0c…e1 7 0a1b2c3d
//! 9d41ab02 0 (edits:(edits:[((0),(area:…))],next:(1)))
//! 71c0ffee 1 (removed:(removed:[(kind:1,…)]))
//! ```
//!
//! The first line has the version of the format, the save that it follows, and a checksum. Each other line is a record: a
//! checksum, which depends on the first line too, a number that rises by one, and the changes as RON.
//!
//! A record is on disk before the next one is begun. So a line at the end that is incomplete or has a wrong checksum was
//! under way when the program or the machine stopped, and is left out; a damaged line with an intact one after it is
//! damage, and the file is refused.

use std::fs::{File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::SaveErrorReason;
use super::record::Record;
use crate::files;

/// The version of the format.
const VERSION: u32 = 1;
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
    fn title(self) -> String {
        format!("{NAME} {VERSION} {:016x} {}", self.id, self.number)
    }
}

/// Where a journal ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Bytes up to the end of the last record.
    pub length: u64,
    /// Records.
    pub records: u64,
    /// Whether a record was under way, and is left out.
    pub is_torn: bool,
}

fn checksum(title: &str, text: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(title.as_bytes());
    hasher.update(text);
    hasher.finalize()
}

/// The number and the text of an intact record.
fn intact<'a>(title: &str, line: &'a [u8]) -> Option<(u64, &'a str)> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (sum, rest) = line.split_once(' ')?;
    let (number, text) = rest.split_once(' ')?;
    let is_intact = sum == format!("{:08x}", checksum(title, rest.as_bytes()));
    is_intact.then_some((number.parse().ok()?, text))
}

/// The bytes of the first line; `None` if it is that of another save.
fn head(bytes: &[u8], link: Link) -> Result<Option<usize>, SaveErrorReason> {
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or(SaveErrorReason::NoJournal)?;
    let line = std::str::from_utf8(&bytes[..end]).map_err(|_| SaveErrorReason::NoJournal)?;
    let mut words = line.split(' ');
    if words.next() != Some(NAME) {
        return Err(SaveErrorReason::NoJournal);
    }
    // Before anything else: a later version may have another first line.
    let version = words.next().unwrap_or_default();
    if version != VERSION.to_string() {
        let found = version.chars().take(20).collect();
        return Err(SaveErrorReason::Version { found, allowed: VERSION });
    }
    let (title, sum) = line.rsplit_once(' ').unwrap_or_default();
    if sum != format!("{:08x}", checksum(title, b"")) {
        return Err(SaveErrorReason::Damaged { line: 1 });
    }
    Ok((title == link.title()).then_some(end + 1))
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
    let Some(head) = head(bytes, link)? else { return Ok(None) };
    let title = link.title();
    let mut records = Vec::new();
    let mut tail = Tail { length: head as u64, records: 0, is_torn: false };
    let mut lines = bytes[head..].split_inclusive(|&byte| byte == b'\n').zip(2..);
    while let Some((bytes, line)) = lines.next() {
        let Some((found, text)) = intact(&title, bytes) else {
            if lines.any(|(later, _)| intact(&title, later).is_some()) {
                return Err(SaveErrorReason::Damaged { line });
            }
            tail.is_torn = true;
            break;
        };
        if found != tail.records {
            return Err(SaveErrorReason::Order { line, found, allowed: tail.records });
        }
        records.push(Record::from_line(text, line, bytes.len() - text.len())?);
        tail.length += bytes.len() as u64;
        tail.records += 1;
    }
    Ok(Some((records, tail)))
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    link: Link,
    title: String,
    file: File,
    tail: Tail,
}

impl Journal {
    /// Begins a journal.
    pub fn create(save: &Path, link: Link) -> Result<Self, SaveErrorReason> {
        let title = link.title();
        let line = format!("{title} {:08x}\n", checksum(&title, b""));
        files::replace(&link.path(save), |file| file.write_all(line.as_bytes()))?;
        Self::open(save, link, Tail { length: line.len() as u64, records: 0, is_torn: false })
    }

    /// Goes on with a journal that has been read. A record that was under way is cut off.
    pub fn open(save: &Path, link: Link, tail: Tail) -> Result<Self, SaveErrorReason> {
        let file = OpenOptions::new().read(true).write(true).open(link.path(save))?;
        lock(&file)?;
        let mut journal = Self { link, title: link.title(), file, tail };
        journal.cut()?;
        Ok(journal)
    }

    pub fn link(&self) -> Link {
        self.link
    }

    /// Bytes so far.
    pub fn length(&self) -> u64 {
        self.tail.length
    }

    /// Adds a record. When this returns, it is on disk; after an error it is as if it had never been begun.
    pub fn append(&mut self, record: &Record) -> Result<(), SaveErrorReason> {
        let text = format!("{} {}", self.tail.records, record.to_line()?);
        let line = format!("{:08x} {text}\n", checksum(&self.title, text.as_bytes()));
        // What is left of one that failed.
        self.cut()?;
        self.tail.is_torn = true;
        self.file.seek(SeekFrom::Start(self.tail.length))?;
        self.file.write_all(line.as_bytes())?;
        self.file.sync_data()?;
        self.tail =
            Tail { length: self.tail.length + line.len() as u64, records: self.tail.records + 1, is_torn: false };
        Ok(())
    }

    /// Removes what is not a whole record.
    fn cut(&mut self) -> io::Result<()> {
        if self.tail.is_torn {
            self.file.set_len(self.tail.length)?;
            self.file.sync_data()?;
            self.tail.is_torn = false;
        }
        Ok(())
    }
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
