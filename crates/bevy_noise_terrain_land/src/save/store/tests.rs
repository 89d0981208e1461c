//! A save and its journals, stopped between any two steps.

use bevy::math::DVec3;

use super::*;
use crate::edits::{Edit, EditId};

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("terrain-store-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn save(&self) -> PathBuf {
        self.0.join("world.save.ron")
    }

    /// The files in it.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Makes a stroke and adds it to the journal.
fn stroke(store: &mut SaveStore, save: &mut TerrainSave) {
    let before = save.edits.revision();
    save.edits.apply(Edit::raise(DVec3::X, 2.0, save.edits.len() as f32)).unwrap();
    store.append(&Record { edits: save.edits.changes_since(before), ..Record::default() }).unwrap();
}

#[test]
fn nothing_is_lost_or_made_twice_wherever_folding_stops() {
    let folder = Folder::new("fold");
    let path = folder.save();
    let (mut store, mut save) = (SaveStore::new(path.clone()), TerrainSave::default());
    store.write(&save, true).unwrap();
    (0..3).for_each(|_| stroke(&mut store, &mut save));
    assert!(store.next_journal(u64::MAX).is_none() && store.next_journal(0).is_none(), "the save is larger");
    // As if it were larger.
    let sealed = store.journal.as_ref().unwrap().link();
    let next = Creation { path: path.clone(), link: sealed.next() }.run().unwrap();
    // The machine stops before records go there: those of the present one may be torn.
    let whole = fs::read(sealed.path(&path)).unwrap();
    fs::write(sealed.path(&path), &whole[..whole.len() - 3]).unwrap();
    let (found, replay) = read(&path).unwrap();
    assert_eq!((found.edits.len(), replay), (2, SaveReplay { records: 2, torn: true }));
    fs::write(sealed.path(&path), whole).unwrap();
    let flush = store.flush().unwrap();
    flush.run(&path).unwrap();
    assert!(store.precedes(&next) && store.flushed(&flush) && store.flush().is_none());
    let fold = store.go_on_with(next);
    let is_kept = |save: &TerrainSave, records, what: &str| {
        let (found, replay) = read(&path).unwrap();
        assert!(found == *save && found.edits.next_id() == save.edits.next_id(), "{what}");
        assert_eq!(replay, SaveReplay { records, torn: false }, "{what}");
    };
    is_kept(&save, 3, "the next journal has been begun");
    stroke(&mut store, &mut save);
    is_kept(&save, 4, "it has a record");
    let old = fs::read(sealed.path(&path)).unwrap();
    fold.run().unwrap();
    is_kept(&save, 1, "folded");
    assert_eq!(folder.names(), ["world.save.ron", "world.save.ron.1.journal"]);
    fs::write(sealed.path(&path), old).unwrap();
    is_kept(&save, 1, "the old journal is still there");
    drop(store);
    let (mut store, found) = SaveStore::open(path.clone()).unwrap();
    assert_eq!(found.unwrap().0, save);
    assert_eq!(folder.names(), ["world.save.ron", "world.save.ron.1.journal"]);
    // A save of everything: the journal of before is still there, or the next one is not yet.
    let old = fs::read(sealed.next().path(&path)).unwrap();
    save.edits.undo(EditId(3));
    store.write(&save, true).unwrap();
    assert_eq!(folder.names(), ["world.save.ron", "world.save.ron.2.journal"]);
    fs::write(sealed.next().path(&path), old).unwrap();
    fs::remove_file(sealed.next().next().path(&path)).unwrap();
    is_kept(&save, 0, "between a save and its journal");
    drop(store);
    let (mut store, _) = SaveStore::open(path.clone()).unwrap();
    stroke(&mut store, &mut save);
    assert_eq!(save.edits.iter().last().unwrap().0, EditId(4), "the name of the last one is taken");
    is_kept(&save, 1, "afterwards");
}

/// The disk takes longer than the next stroke: a journal follows one whose end is still on its way.
#[test]
fn what_follows_a_journal_that_was_not_yet_on_disk_is_lost_with_its_end_alone() {
    let folder = Folder::new("follows");
    let path = folder.save();
    let (mut store, mut save) = (SaveStore::new(path.clone()), TerrainSave::default());
    store.write(&save, true).unwrap();
    (0..3).for_each(|_| stroke(&mut store, &mut save));
    let first = store.journal.as_ref().unwrap().link();
    let next = Creation { path: path.clone(), link: first.next() }.run().unwrap();
    assert!(store.flush().is_some() && store.can_go_on());
    let fold = store.go_on_with(next);
    assert!(!store.can_go_on(), "one unfinished journal is enough");
    (0..2).for_each(|_| stroke(&mut store, &mut save));
    assert_eq!(read(&path).unwrap(), (save.clone(), SaveReplay { records: 5, torn: false }), "a kill loses nothing");

    // The machine stops.
    let whole = fs::read(first.path(&path)).unwrap();
    let torn = &whole[..whole.len() - 3];
    let stopped = Folder::new("stopped");
    fs::copy(&path, stopped.save()).unwrap();
    fs::write(first.path(&stopped.save()), torn).unwrap();
    fs::copy(first.next().path(&path), first.next().path(&stopped.save())).unwrap();
    let (mut again, found) = SaveStore::open(stopped.save()).unwrap();
    let (mut found, replay) = found.unwrap();
    assert_eq!((found.edits.len(), replay), (2, SaveReplay { records: 2, torn: true }));
    assert!(!again.has_journal(), "all of it is written anew");
    again.write(&found, true).unwrap();
    stroke(&mut again, &mut found);
    assert_eq!(read(&stopped.save()).unwrap(), (found, SaveReplay { records: 1, torn: false }));
    assert_eq!(stopped.names().len(), 2);

    // Once both are on disk, it is damage.
    let flush = store.flush().unwrap();
    flush.run(&path).unwrap();
    assert!(store.flushed(&flush) && store.flush().is_none() && store.can_go_on());
    stroke(&mut store, &mut save);
    fs::write(first.path(&path), torn).unwrap();
    let error = read(&path).unwrap_err();
    assert!(matches!(error.reason, SaveErrorReason::Damaged { line: 4 }), "{error}");
    fs::write(first.path(&path), whole).unwrap();
    fold.run().unwrap();
    assert_eq!(read(&path).unwrap(), (save, SaveReplay { records: 3, torn: false }));
}

#[test]
fn a_save_that_somebody_puts_in_its_place_has_no_journal() {
    let folder = Folder::new("replaced");
    let path = folder.save();
    let (mut store, mut save) = (SaveStore::new(path.clone()), TerrainSave::default());
    store.write(&save, true).unwrap();
    stroke(&mut store, &mut save);
    let other = TerrainSave::default();
    other.write(&path).unwrap();
    assert_eq!(read(&path).unwrap(), (other.clone(), SaveReplay::default()));
    let fold = Fold { path: path.clone(), link: store.journal.as_ref().unwrap().link().next() };
    let FoldError { error, is_lost } = fold.run().unwrap_err();
    assert!(is_lost && matches!(error.reason, SaveErrorReason::Replaced), "{error}");
    // With a journal of its own, that of before is no longer in the way.
    let (mut second, _) = SaveStore::open(path.clone()).unwrap();
    assert!(!second.has_journal());
    second.write(&other, true).unwrap();
    assert_eq!(read(&path).unwrap(), (other, SaveReplay::default()));
}

#[test]
fn damage_is_told_with_its_file_and_line() {
    let folder = Folder::new("damage");
    let path = folder.save();
    let (mut store, mut save) = (SaveStore::new(path.clone()), TerrainSave::default());
    store.write(&save, true).unwrap();
    stroke(&mut store, &mut save);
    let link = store.journal.as_ref().unwrap().link();
    let journal = link.path(&path);
    fs::write(&journal, [&fs::read(&journal).unwrap()[..], b"torn"].concat()).unwrap();
    assert_eq!(read(&path).unwrap(), (save.clone(), SaveReplay { records: 1, torn: true }));
    // It would have been on disk before another had records.
    let record = Record { edits: save.edits.changes_since(Default::default()), ..Record::default() };
    Journal::create(&path, link.next()).unwrap().append(&record).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert_eq!(error, format!("{}: line 3: damaged", journal.display()));
    assert_eq!(SaveStore::open(path.clone()).unwrap_err().to_string(), error);
    // An invalid world is not written, and the old save stays.
    let bytes = fs::read(&path).unwrap();
    save.world.terrain.lod.spacing = -1.0;
    let error = store.write(&save, true).unwrap_err().to_string();
    assert!(error.contains("terrain.lod.spacing: found -1"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}
