//! Damage of every kind: what was complete before it is kept, or the file is refused.

use bevy::math::DVec3;

use super::*;
use crate::edits::{Edit, EditChanges, EditId};
use crate::scatter::{RemovedChanges, ScatterId};

const LINK: Link = Link { id: 0x5f0c_0000_1234_abcd, number: 3 };

fn record(number: u64) -> Record {
    let edit = Edit::raise(DVec3::splat(number as f64), 2.0, 0.1);
    let edits =
        EditChanges { edits: vec![(EditId(number), Some(edit))], next: EditId(number + 1), ..Default::default() };
    let tree = ScatterId { kind: 1, cell: [-2, 5], candidate: number as u32 };
    let removed = (number == 1).then(|| RemovedChanges { removed: vec![tree], ..Default::default() });
    Record { edits: Some(edits), removed, ..Default::default() }
}

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("terrain-journal-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn save(&self) -> PathBuf {
        self.0.join("world.save.ron")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A journal of three records.
fn journal(folder: &Folder) -> Vec<u8> {
    let mut journal = Journal::create(&folder.save(), LINK).unwrap();
    for number in 0..3 {
        journal.append(&record(number)).unwrap();
        flush(&mut journal, &folder.save());
    }
    let bytes = std::fs::read(LINK.path(&folder.save())).unwrap();
    assert_eq!(journal.length(), bytes.len() as u64);
    bytes
}

/// Puts all of it on disk.
fn flush(journal: &mut Journal, save: &Path) {
    let flush = journal.flush().unwrap();
    flush.run(save).unwrap();
    assert!(journal.flushed(&flush) && journal.flush().is_none());
}

fn records(count: u64) -> Vec<Record> {
    (0..count).map(record).collect()
}

#[test]
fn a_torn_tail_is_left_out_wherever_it_ends() {
    let folder = Folder::new("torn");
    let bytes = journal(&folder);
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').map(|at| at + 1).collect();
    assert_eq!(ends.len(), 4);
    for length in 0..=bytes.len() {
        let parsed = parse(&bytes[..length], LINK);
        let whole = ends.iter().filter(|&&end| end <= length).count();
        if whole == 0 {
            assert!(matches!(parsed, Err(SaveErrorReason::NoJournal)), "{length}: {parsed:?}");
            continue;
        }
        let (found, tail) = parsed.unwrap().unwrap();
        let expected = Tail {
            version: 3,
            length: ends[whole - 1] as u64,
            records: whole as u64 - 1,
            is_torn: !ends.contains(&length),
            follows_disk: whole > 1,
        };
        assert_eq!((found, tail), (records(expected.records), expected), "{length}");
    }
}

#[test]
fn no_changed_byte_goes_unnoticed() {
    let folder = Folder::new("flipped");
    let bytes = journal(&folder);
    let line = |at: usize| bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
    for at in 0..bytes.len() {
        for other in [bytes[at] ^ 1, bytes[at] ^ 0x80, bytes[at] ^ 0x20, b'\n', b' ', 0, 255] {
            if other == bytes[at] {
                continue;
            }
            let mut damaged = bytes.clone();
            damaged[at] = other;
            match (line(at), parse(&damaged, LINK)) {
                (0, Err(_)) => {}
                // Another one comes after it.
                (1, Err(SaveErrorReason::Damaged { line: 2 })) => {}
                // The end of this line is that of the last one.
                (2, Ok(Some((found, tail)))) if bytes[at] == b'\n' => assert!(found == records(1) && tail.is_torn),
                (2, Err(SaveErrorReason::Damaged { line: 3 })) => {}
                (3, Ok(Some((found, tail)))) => assert!(found == records(2) && tail.is_torn, "{at}"),
                (line, other) => panic!("byte {at} in line {line}: {other:?}"),
            }
        }
    }
}

#[test]
fn foreign_later_and_mixed_journals_are_told_apart() {
    let folder = Folder::new("foreign");
    let text = String::from_utf8(journal(&folder)).unwrap();
    let message = |text: &str| parse(text.as_bytes(), LINK).unwrap_err().to_string();
    assert_eq!(message("(version: 2)\n"), "line 1: found no journal of a terrain");
    assert_eq!(message(&text.replacen("journal 3", "journal 4", 1)), "line 1: found version 4, allowed is 3");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(message(&[lines[0], lines[2]].concat()), "line 2: found record 1, allowed is 0");
    assert_eq!(message(&[lines[0], lines[1], lines[1]].concat()), "line 3: found record 0, allowed is 1");
    // That of the save that was here before counts for nothing.
    assert!(parse(text.as_bytes(), Link { id: 1, ..LINK }).unwrap().is_none());
    assert!(parse(text.as_bytes(), LINK.next()).unwrap().is_none());
    // Its records are not those of another, either.
    let other = Link { id: 1, ..LINK };
    let title = other.title(VERSION);
    let title = format!("{title} {:08x}\n", checksum(&title, b""));
    let (found, tail) = parse([title.as_str(), lines[1]].concat().as_bytes(), other).unwrap().unwrap();
    assert!(found.is_empty() && tail.is_torn);
}

#[test]
fn what_a_record_holds_is_refused_by_place_and_path() {
    let line = |text: &str| {
        let title = LINK.title(VERSION);
        let text = format!("0 0 {text}");
        format!("{title} {:08x}\n{:08x} {text}\n", checksum(&title, b""), checksum(&title, text.as_bytes()))
    };
    let message = |text: &str| parse(line(text).as_bytes(), LINK).unwrap_err().to_string();
    let radius = message("(edits:(edits:[((0),(area:Disc(center:(0,0),radius:wide),action:Grade))],next:(1)))");
    assert!(radius.starts_with("edits.edits.0.1.area.radius, line 2, column "), "{radius}");
    let unknown = message("(sounds:[])");
    assert!(unknown.contains("sounds") && unknown.contains("line 2"), "{unknown}");
}

#[test]
fn a_journal_goes_on_where_it_was_torn() {
    let folder = Folder::new("goes-on");
    let bytes = journal(&folder);
    let path = LINK.path(&folder.save());
    std::fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
    let (found, tail) = read(&folder.save(), LINK).unwrap().unwrap();
    assert_eq!(found, records(2));
    let mut journal = Journal::open(&folder.save(), LINK, tail).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().len(), tail.length, "the torn tail is cut off");
    journal.append(&record(2)).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

/// The machine stops while four records are on their way to the disk: they arrive in any order, or not at all.
#[test]
fn what_was_not_yet_on_disk_is_left_out_from_its_first_gap_on() {
    let folder = Folder::new("gap");
    let mut journal = Journal::create(&folder.save(), LINK).unwrap();
    journal.append(&record(0)).unwrap();
    flush(&mut journal, &folder.save());
    (1..5).for_each(|number| journal.append(&record(number)).unwrap());
    let bytes = std::fs::read(LINK.path(&folder.save())).unwrap();
    let begins: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').map(|at| at + 1).collect();
    let with_gap = |line: usize| {
        let mut bytes = bytes.clone();
        bytes[begins[line - 1]..begins[line] - 1].fill(0);
        parse(&bytes, LINK)
    };
    for gap in 2..=5 {
        let (found, tail) = with_gap(gap).unwrap().unwrap();
        assert_eq!(found, records(gap as u64 - 1), "line {gap}");
        assert!(tail.is_torn);
    }
    // Those that came later knew that the first one was on disk.
    assert!(matches!(with_gap(1), Err(SaveErrorReason::Damaged { line: 2 })));
    // It goes on before the gap, and what came after it is gone.
    let mut gap = bytes.clone();
    gap[begins[2]..begins[3] - 1].fill(0);
    std::fs::write(LINK.path(&folder.save()), gap).unwrap();
    drop(journal);
    let (_, tail) = read(&folder.save(), LINK).unwrap().unwrap();
    Journal::open(&folder.save(), LINK, tail).unwrap().append(&record(3)).unwrap();
    let (found, tail) = read(&folder.save(), LINK).unwrap().unwrap();
    assert_eq!((found, tail.is_torn), ([0, 1, 3].map(record).to_vec(), false));
}

#[test]
fn version_1_is_read() {
    let title = LINK.title(1);
    let line = |number: u64| {
        let text = format!("{number} {}", record(number).to_line().unwrap());
        format!("{:08x} {text}\n", checksum(&title, text.as_bytes()))
    };
    let head = format!("{title} {:08x}\n", checksum(&title, b""));
    let text = [head, line(0), line(1)].concat();
    let (found, tail) = parse(text.as_bytes(), LINK).unwrap().unwrap();
    assert_eq!(found, records(2));
    assert!(!tail.is_current() && !tail.is_torn);
    let damaged = text.replacen("(edits:", "(Edits:", 1);
    assert!(matches!(parse(damaged.as_bytes(), LINK), Err(SaveErrorReason::Damaged { line: 2 })));
}

#[test]
fn version_2_is_read() {
    let title = LINK.title(2);
    let line = |number: u64, on_disk: u64| {
        let text = format!("{number} {on_disk} {}", record(number).to_line().unwrap());
        format!("{:08x} {text}\n", checksum(&title, text.as_bytes()))
    };
    let head = format!("{title} {:08x}\n", checksum(&title, b""));
    let text = [head, line(0, 0), line(1, 0), line(2, 1)].concat();
    let (found, tail) = parse(text.as_bytes(), LINK).unwrap().unwrap();
    assert_eq!(found, records(3));
    assert!(!tail.is_current() && !tail.is_torn && tail.follows_disk);
    // Record 0 was on disk when record 2 was written, record 1 was not.
    let damaged = |number: u64| text.replacen(&line(number, 0), &line(number, 0).to_uppercase(), 1);
    assert!(matches!(parse(damaged(0).as_bytes(), LINK), Err(SaveErrorReason::Damaged { line: 2 })));
    assert_eq!(parse(damaged(1).as_bytes(), LINK).unwrap().unwrap().0, records(1));
}

#[cfg(unix)]
#[test]
fn two_programs_do_not_write_one_journal() {
    let folder = Folder::new("lock");
    let first = Journal::create(&folder.save(), LINK).unwrap();
    let (_, tail) = read(&folder.save(), LINK).unwrap().unwrap();
    let second = Journal::open(&folder.save(), LINK, tail);
    assert!(matches!(second, Err(SaveErrorReason::InUse)), "{second:?}");
    drop(first);
    Journal::open(&folder.save(), LINK, tail).unwrap();
}
