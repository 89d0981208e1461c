//! Saves lose nothing: whatever stops the program, and whatever has happened to the files.

#![cfg(feature = "presets")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

// As users name it.
extern crate bevy_noise_terrain_land as bevy_noise_terrain;

#[path = "common/kills.rs"]
mod kills;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::edits::{Edit, EditId, Hole, TerrainEdits, TerrainHoles};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::{RemovedScatter, ScatterId};
use bevy_noise_terrain::volumes::{TerrainVolume, TerrainVolumes, VolumeId, VolumeShape};
use bevy_noise_terrain::{
    Revision, SaveReplay, TerrainAutosave, TerrainAutosavePlugin, TerrainLoaded, TerrainSave, TerrainSaveFailed,
    TerrainSaved,
};

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("terrain-saves-{name}-{}", std::process::id()));
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

/// What has been told.
#[derive(Resource, Default)]
struct Told {
    saved: Vec<Revision>,
    failed: Vec<String>,
    loaded: Vec<SaveReplay>,
}

/// An app with a terrain that is saved, and nothing else.
struct Game {
    app: App,
    terrain: Entity,
}

impl Game {
    fn new(autosave: TerrainAutosave) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TerrainAutosavePlugin))
            .init_resource::<Told>()
            .add_observer(|saved: On<TerrainSaved>, mut told: ResMut<Told>| told.saved.push(saved.edits))
            .add_observer(|failed: On<TerrainSaveFailed>, mut told: ResMut<Told>| {
                told.failed.push(failed.error.to_string());
            })
            .add_observer(|loaded: On<TerrainLoaded>, mut told: ResMut<Told>| told.loaded.push(loaded.replay));
        let terrain = app.world_mut().spawn((NoiseTerrain::default(), TerrainEdits::default(), autosave)).id();
        Self { app, terrain }
    }

    /// One that is kept in a file, with settings that are compared in each frame.
    fn at(path: &Path) -> Self {
        Self::new(TerrainAutosave { every: Duration::ZERO, ..TerrainAutosave::new(path) })
    }

    fn edits(&mut self) -> Mut<'_, TerrainEdits> {
        self.app.world_mut().get_mut(self.terrain).unwrap()
    }

    fn stroke(&mut self) -> EditId {
        let number = self.edits().len() as f32;
        self.edits().apply(Edit::raise(DVec3::X, 2.0, number)).unwrap()
    }

    fn told(&self) -> &Told {
        self.app.world().resource()
    }

    /// Updates until something is so.
    fn until(&mut self, is: impl Fn(&Self) -> bool) {
        let began = Instant::now();
        while !is(self) {
            assert!(began.elapsed() < Duration::from_secs(20), "it never came: {:?}", self.told().failed);
            self.app.update();
            std::thread::sleep(Duration::from_micros(100));
        }
    }

    /// Updates until the present edits are on disk.
    fn until_saved(&mut self) {
        let revision = self.edits().revision();
        self.until(|game| game.told().saved.last() == Some(&revision));
    }

    /// The last frame.
    fn exit(mut self) -> TerrainSave {
        self.app.world_mut().write_message(AppExit::Success);
        self.app.update();
        assert!(self.told().failed.is_empty(), "{:?}", self.told().failed);
        TerrainSave::of(self.app.world(), self.terrain).unwrap()
    }
}

#[test]
fn a_file_passes_from_the_terrain_that_goes_to_the_one_that_comes() {
    let folder = Folder::new("hand-over");
    for journal in [true, false] {
        // Whether the next terrain comes before the last one goes, and frames in between.
        for (comes_first, frames) in [(false, 0), (false, 2), (true, 0), (true, 3)] {
            let path = folder.0.join(format!("{journal}-{comes_first}-{frames}.save.ron"));
            let autosave = TerrainAutosave { every: Duration::ZERO, journal, ..TerrainAutosave::new(&path) };
            let mut game = Game::new(autosave.clone());
            game.stroke();
            game.until_saved();
            game.stroke();
            let next = (NoiseTerrain::default(), TerrainEdits::default(), autosave);
            let last = game.terrain;
            if comes_first {
                game.terrain = game.app.world_mut().spawn(next).id();
                (0..frames).for_each(|_| game.app.update());
                game.app.world_mut().despawn(last);
            } else {
                game.app.world_mut().despawn(last);
                (0..frames).for_each(|_| game.app.update());
                game.terrain = game.app.world_mut().spawn(next).id();
            }
            game.app.update();
            // It has been waited for in vain only where both were there for some frames.
            let failed = usize::from(comes_first && frames > 0);
            let case = format!("journal {journal}, comes first {comes_first}, {frames} frames");
            assert_eq!((game.told().failed.len(), game.told().loaded.len()), (failed, 1), "{case}");
            assert_eq!(game.edits().len(), 2, "{case}");
            game.app.world_mut().resource_mut::<Told>().failed.clear();
            game.stroke();
            game.until_saved();
            assert_eq!(TerrainSave::read(&path).unwrap().edits.len(), 3, "{case}");
            game.exit();
        }
    }
}

/// A program that is to be killed: it begins with this, as a test of its own.
#[test]
#[ignore = "it runs until it is killed"]
fn be_killed() {
    let variable = |name: &str| std::env::var(name).unwrap();
    kills::be_killed(variable("TERRAIN_SAVE").into(), variable("TERRAIN_STROKES").parse().unwrap()).unwrap();
}

#[test]
fn a_kill_loses_nothing_but_the_stroke_under_way() {
    let folder = Folder::new("kills");
    let kills = kills::kill(50, &folder.0, |path, strokes| {
        let mut program = Command::new(std::env::current_exe()?);
        program.args(["be_killed", "--exact", "--ignored", "--nocapture"]);
        program.env("TERRAIN_SAVE", path).env("TERRAIN_STROKES", strokes.to_string());
        Ok(program)
    });
    let kills = kills.unwrap();
    assert_eq!(kills.lost, 0, "{kills:?}");
    assert!(kills.strokes > 50 && kills.under_way < 50, "it hardly got to work: {kills:?}");
}

#[test]
fn a_terrain_begins_as_it_ended() {
    let folder = Folder::new("again");
    let path = folder.save();
    let mut game = Game::at(&path);
    game.until_saved();
    for _ in 0..5 {
        game.stroke();
        game.until_saved();
    }
    game.edits().undo(EditId(4));
    game.until_saved();
    let tree = ScatterId { kind: 2, cell: [3, -4], candidate: 5 };
    let removed: RemovedScatter = [tree].into_iter().collect();
    game.app.world_mut().entity_mut(game.terrain).insert((removed, TerrainWater { level: 7.0, ..default() }));
    game.app.world_mut().get_mut::<NoiseTerrain>(game.terrain).unwrap().seed = 99;
    // Nobody waits for these.
    game.stroke();
    let left = game.exit();
    assert_eq!((left.edits.len(), left.world.terrain.seed), (5, 99));
    let (found, replay) = TerrainSave::read_with_journal(&path).unwrap();
    assert_eq!(found, left);
    assert!(replay.records > 0 && !replay.torn);

    let mut game = Game::at(&path);
    let loaded = TerrainSave::of(game.app.world(), game.terrain).unwrap();
    assert_eq!(loaded, left, "before the first frame");
    assert_eq!(game.told().loaded, [replay]);
    for _ in 0..20 {
        game.app.update();
    }
    assert!(game.told().saved.is_empty(), "nothing has changed");
    assert_eq!(game.stroke(), EditId(6), "no name comes twice");
    game.app.world_mut().entity_mut(game.terrain).remove::<TerrainWater>();
    let left = game.exit();
    assert!(left.world.water.is_none());
    assert_eq!(TerrainSave::read(&path).unwrap(), left);
}

#[test]
fn holes_and_caves_come_back() {
    let folder = Folder::new("caves");
    let path = folder.save();
    let mut game = Game::at(&path);
    game.app.world_mut().entity_mut(game.terrain).insert((TerrainHoles::default(), TerrainVolumes::default()));
    game.app.update();
    let shape = |y: f64| VolumeShape::dig(DVec3::Y * y, DVec3::Y, 2.0);
    let mut volumes = game.app.world_mut().get_mut::<TerrainVolumes>(game.terrain).unwrap();
    let cave = volumes.apply(TerrainVolume { shapes: vec![shape(1.0)], ..default() }).unwrap();
    let other = volumes.apply(TerrainVolume::default()).unwrap();
    let mut holes = game.app.world_mut().get_mut::<TerrainHoles>(game.terrain).unwrap();
    let hole = holes.apply(Hole::disc(DVec3::ZERO, 3.0)).unwrap();
    game.app.update();
    // Each change is a record of its own: without the volume that stays as it is.
    let mut volumes = game.app.world_mut().get_mut::<TerrainVolumes>(game.terrain).unwrap();
    volumes.edit(cave, |cave| cave.shapes.push(shape(2.0))).unwrap();
    volumes.undo(other);
    game.app.update();
    // The file has them, though the game never ended.
    let (save, replay) = TerrainSave::read_with_journal(&path).unwrap();
    assert_eq!((save.holes.len(), save.volumes.len(), replay.records), (1, 1, 2));
    assert_eq!(save.volumes.get(cave).unwrap().shapes, [shape(1.0), shape(2.0)]);
    assert!(save.holes.get(hole).is_some());
    assert_eq!(save.volumes.next_id(), VolumeId(other.0 + 1));
    assert_eq!(game.exit(), save);

    let mut game = Game::at(&path);
    assert_eq!(game.app.world().get::<TerrainVolumes>(game.terrain), Some(&save.volumes));
    assert_eq!(game.app.world().get::<TerrainHoles>(game.terrain), Some(&save.holes));
    // Without the component there are none.
    game.app.world_mut().entity_mut(game.terrain).remove::<TerrainHoles>();
    game.app.update();
    assert!(game.exit().holes.is_empty());
    let save = TerrainSave::read(&path).unwrap();
    assert!(save.holes.is_empty() && save.volumes.len() == 1);
}

#[test]
fn a_torn_journal_is_loaded_and_goes_on() {
    let folder = Folder::new("torn");
    let path = folder.save();
    let mut game = Game::at(&path);
    game.until_saved();
    for _ in 0..3 {
        game.stroke();
        game.until_saved();
    }
    drop(game);
    let journal = folder.0.join("world.save.ron.0.journal");
    let bytes = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &bytes[..bytes.len() - 20]).unwrap();
    let mut game = Game::at(&path);
    assert_eq!(game.told().loaded, [SaveReplay { records: 2, torn: true }]);
    assert_eq!(game.edits().len(), 2);
    game.stroke();
    let left = game.exit();
    assert_eq!(TerrainSave::read_with_journal(&path).unwrap(), (left, SaveReplay { records: 3, torn: false }));
    assert_eq!(std::fs::read(&journal).unwrap(), bytes, "the same stroke is there again");
}

#[test]
fn a_file_that_cannot_be_read_is_never_overwritten() {
    let folder = Folder::new("broken");
    let path = folder.save();
    let text = TerrainSave::default().to_ron().unwrap();
    for broken in [text.replace("version: 3", "version: 9"), text[..text.len() / 2].to_owned(), "a diary".to_owned()] {
        std::fs::write(&path, &broken).unwrap();
        let mut game = Game::at(&path);
        game.stroke();
        for _ in 0..10 {
            game.app.update();
        }
        game.app.world_mut().write_message(AppExit::Success);
        game.app.update();
        let failed = &game.told().failed;
        assert!(
            failed.len() == 1 && failed[0].contains("world.save.ron: ") && failed[0].contains("line "),
            "{failed:?}"
        );
        assert_eq!(game.edits().len(), 1, "the terrain goes on");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), broken);
    }
    // Unless somebody wants it so.
    let mut game = Game::new(TerrainAutosave { load: false, ..TerrainAutosave::new(&path) });
    game.stroke();
    let left = game.exit();
    assert_eq!(TerrainSave::read(&path).unwrap(), left);
}

#[test]
fn what_could_not_be_saved_is_saved_later() {
    let folder = Folder::new("later");
    // No folder can be made here.
    let obstacle = folder.0.join("worlds");
    std::fs::write(&obstacle, "in the way").unwrap();
    let path = obstacle.join("world.save.ron");
    let mut game = Game::at(&path);
    game.stroke();
    game.until(|game| !game.told().failed.is_empty());
    assert!(game.told().failed[0].starts_with(&path.display().to_string()), "{:?}", game.told().failed);
    game.stroke();
    std::fs::remove_file(&obstacle).unwrap();
    game.until_saved();
    assert_eq!(TerrainSave::read(&path).unwrap().edits, *game.edits());
}

#[test]
fn a_terrain_that_goes_is_saved_first() {
    let folder = Folder::new("goes");
    let mut game = Game::at(&folder.save());
    game.until_saved();
    game.stroke();
    let left = TerrainSave::of(game.app.world(), game.terrain).unwrap();
    // Another file from now on.
    let second = folder.0.join("second.save.ron");
    game.app.world_mut().entity_mut(game.terrain).insert(TerrainAutosave::new(&second));
    assert_eq!(TerrainSave::read(folder.save()).unwrap(), left);
    game.until_saved();
    game.stroke();
    let left = TerrainSave::of(game.app.world(), game.terrain).unwrap();
    game.app.world_mut().despawn(game.terrain);
    assert_eq!(TerrainSave::read(&second).unwrap(), left);
    assert_eq!(TerrainSave::read(folder.save()).unwrap().edits.len(), 1);
}

#[test]
fn a_journal_becomes_part_of_its_file() {
    let folder = Folder::new("fold");
    let path = folder.save();
    let mut game = Game::new(TerrainAutosave { fold_above: 0, ..TerrainAutosave::new(&path) });
    game.until_saved();
    let size = || std::fs::metadata(&path).unwrap().len();
    let before = size();
    let began = Instant::now();
    while size() == before {
        assert!(began.elapsed() < Duration::from_secs(20), "the journal only grows");
        for _ in 0..10 {
            game.stroke();
        }
        game.until_saved();
    }
    let left = game.exit();
    assert_eq!(TerrainSave::read(&path).unwrap(), left);
    let names = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.count(), 2, "one file and one journal");
}

#[test]
fn a_file_that_is_lost_while_it_is_kept_is_written_again() {
    let folder = Folder::new("lost");
    let path = folder.save();
    let mut game = Game::new(TerrainAutosave { fold_above: 0, ..TerrainAutosave::new(&path) });
    game.until_saved();
    std::fs::write(&path, "nonsense").unwrap();
    // It is noticed when the journal is to become part of it.
    game.stroke();
    game.until(|game| !game.told().failed.is_empty());
    game.until(|_| TerrainSave::read(&path).is_ok());
    assert_eq!(TerrainSave::read(&path).unwrap().edits, *game.edits());
}

#[test]
fn other_edits_in_their_place_are_saved_as_a_whole() {
    let folder = Folder::new("replaced");
    let path = folder.save();
    let mut game = Game::at(&path);
    game.until_saved();
    game.stroke();
    game.until_saved();
    let mut others = TerrainEdits::default();
    others.apply(Edit::smooth(DVec3::Z, 4.0, 2.0)).unwrap();
    *game.edits() = others;
    game.until_saved();
    let left = game.exit();
    assert_eq!(TerrainSave::read(&path).unwrap(), left);
    // More changes at once than are remembered.
    let mut game = Game::at(&path);
    for _ in 0..20_000 {
        game.stroke();
    }
    game.edits().clear();
    game.stroke();
    let left = game.exit();
    assert_eq!((left.edits.len(), left.edits.next_id()), (1, EditId(20_002)));
    let found = TerrainSave::read(&path).unwrap();
    assert_eq!((&found, found.edits.next_id()), (&left, EditId(20_002)));
}

#[test]
fn other_edits_in_their_place_are_in_the_file_before_the_frame_ends() {
    let folder = Folder::new("in-place");
    let path = folder.save();
    let mut game = Game::at(&path);
    game.until_saved();
    game.stroke();
    let mut others = TerrainEdits::default();
    for index in 0..500 {
        others.apply(Edit::smooth(DVec3::splat(f64::from(index)), 4.0, 2.0)).unwrap();
    }
    for _ in 0..3 {
        *game.edits() = others.clone();
        game.app.update();
        assert_eq!(TerrainSave::read(&path).unwrap().edits, *game.edits());
        game.stroke();
        game.app.update();
        assert_eq!(TerrainSave::read(&path).unwrap().edits, *game.edits());
    }
    game.app.world_mut().entity_mut(game.terrain).remove::<TerrainEdits>();
    game.app.update();
    assert!(TerrainSave::read(&path).unwrap().edits.is_empty());
}

#[test]
fn without_a_journal_a_file_is_written_now_and_then() {
    let folder = Folder::new("plain");
    let path = folder.save();
    let hour = Duration::from_secs(3_600);
    let mut game = Game::new(TerrainAutosave { journal: false, every: hour, ..TerrainAutosave::new(&path) });
    game.until_saved();
    game.stroke();
    for _ in 0..20 {
        game.app.update();
    }
    assert!(TerrainSave::read(&path).unwrap().edits.is_empty(), "not yet");
    let left = game.exit();
    assert_eq!(TerrainSave::read_with_journal(&path).unwrap(), (left, SaveReplay::default()));
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
}

#[test]
fn invalid_settings_are_not_saved() {
    let folder = Folder::new("invalid");
    let path = folder.save();
    let mut game = Game::at(&path);
    game.until_saved();
    game.app.world_mut().get_mut::<NoiseTerrain>(game.terrain).unwrap().lod.spacing = -1.0;
    game.stroke();
    game.until_saved();
    game.exit();
    let found = TerrainSave::read(&path).unwrap();
    assert_eq!((found.world.terrain, found.edits.len()), (NoiseTerrain::default(), 1));
}
