//! A program that strokes and saves is killed at any moment: what is left of it.
//!
//! It makes a stroke a frame, and after the frame says so on its standard output. Whoever kills it knows from that what must
//! be in the file: every stroke that it spoke of, and at most one more.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::edits::{Edit, EditId, TerrainEdits};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::{RemovedScatter, ScatterId};
use bevy_noise_terrain::{SettingsError, TerrainAutosave, TerrainAutosavePlugin, TerrainSave, TerrainSaved};

pub type Error = Box<dyn std::error::Error>;

/// Kills until it begins with a new file.
const KILLS_OF_A_FILE: u32 = 50;
/// What is said of strokes whose frame is over.
const MADE: &str = "made: ";
/// So many strokes come as fast as frames do, until the program waits for the disk.
const BURST: u64 = 8;

/// Makes the change of this number. Each leads to another state, and all kinds of changes come.
fn stroke(
    number: u64,
    terrain: &mut NoiseTerrain,
    edits: &mut TerrainEdits,
    removed: &mut RemovedScatter,
) -> Result<(), SettingsError> {
    let edit = Edit::raise(DVec3::splat(number as f64), 2.0, number as f32).falloff(0.1);
    let last = edits.iter().next_back().map(|(id, _)| id);
    match (number % 8, last) {
        (3, Some(last)) => drop(edits.undo(last)),
        (4, Some(EditId(last))) => edits.insert(EditId(last / 2), edit)?,
        (5, _) => drop(removed.remove(ScatterId { kind: 1, cell: [number as i64, -7], candidate: 3 })),
        (6, _) if number.is_multiple_of(5) => terrain.seed = number,
        (7, _) if number.is_multiple_of(5) => edits.clear(),
        (7, _) if number.is_multiple_of(3) => {
            // Another list, whose names go on where those of this one end.
            let mut others = TerrainEdits::default();
            for name in edits.next_id().0.. {
                others.insert(EditId(name), edit.clone())?;
                if others.len() == 5 {
                    break;
                }
            }
            *edits = others;
        }
        _ => drop(edits.apply(edit)?),
    }
    Ok(())
}

/// What the file has to say after so many strokes.
fn after(strokes: u64) -> Result<TerrainSave, SettingsError> {
    let mut save = TerrainSave::default();
    for number in 0..strokes {
        stroke(number, &mut save.world.terrain, &mut save.edits, &mut save.removed)?;
    }
    Ok(save)
}

/// How often something has been saved.
#[derive(Resource, Default)]
struct Saves(usize);

/// Goes on after so many strokes, until somebody kills it.
pub fn be_killed(path: PathBuf, strokes: u64) -> Result<(), Error> {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TerrainAutosavePlugin))
        .init_resource::<Saves>()
        .add_observer(|_: On<TerrainSaved>, mut saves: ResMut<Saves>| saves.0 += 1);
    // Everything at once, and made part of the file as often as it can be.
    let autosave = TerrainAutosave { every: Duration::ZERO, fold_above: 0, ..TerrainAutosave::new(path) };
    let parts = (NoiseTerrain::default(), TerrainEdits::default(), RemovedScatter::default(), autosave);
    let terrain = app.world_mut().spawn(parts).id();
    let wait = |app: &mut App, saves: usize| {
        while app.world().resource::<Saves>().0 < saves {
            app.update();
            std::thread::sleep(Duration::from_micros(50));
        }
    };
    // After the first frame there is a file with a journal.
    app.update();
    let say = |strokes: u64| std::io::stdout().lock().write_all(format!("{MADE}{strokes}\n").as_bytes());
    say(strokes)?;
    for number in strokes.. {
        let mut parts = app.world_mut().query::<(&mut NoiseTerrain, &mut TerrainEdits, &mut RemovedScatter)>();
        let (mut land, mut edits, mut removed) = parts.get_mut(app.world_mut(), terrain)?;
        stroke(number, &mut land, &mut edits, &mut removed)?;
        let saves = app.world().resource::<Saves>().0;
        app.update();
        say(number + 1)?;
        if number.is_multiple_of(BURST) {
            wait(&mut app, saves + 1);
        }
    }
    Ok(())
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Kills {
    /// Kills after which the file could not be read, lacked a stroke whose frame was over, or held something else.
    pub lost: u32,
    /// Kills after which the stroke under way was in the file.
    pub under_way: u32,
    /// Strokes that were made.
    pub strokes: u64,
}

/// Kills programs; `program` starts one that calls [`be_killed`] with its arguments.
pub fn kill(times: u32, folder: &Path, program: impl Fn(&Path, u64) -> Result<Command, Error>) -> Result<Kills, Error> {
    let mut kills = Kills::default();
    let (mut path, mut strokes, mut is_there) = (PathBuf::new(), 0, false);
    let mut is_lost = false;
    for time in 0..times {
        if time % KILLS_OF_A_FILE == 0 || is_lost {
            path = folder.join(format!("{time}.save.ron"));
            (strokes, is_there) = (0, false);
        }
        let made = killed(program(&path, strokes)?, time)?;
        is_there |= made.is_some();
        let made = made.unwrap_or(strokes);
        let found = TerrainSave::read(&path);
        let is = |strokes: u64| -> Result<bool, SettingsError> {
            let expected = after(strokes)?;
            Ok(found.as_ref().is_ok_and(|save| *save == expected && save.edits.next_id() == expected.edits.next_id()))
        };
        is_lost = false;
        let before = strokes;
        if is(made)? || (!is_there && !path.exists()) {
            strokes = made;
        } else if is(made + 1)? {
            strokes = made + 1;
            kills.under_way += 1;
        } else {
            is_lost = true;
            kills.lost += 1;
            eprintln!("after kill {time} and stroke {made}: {:?}", found.err());
        }
        kills.strokes += strokes.saturating_sub(before);
    }
    Ok(kills)
}

/// Starts a program and kills it at some moment. Returns the number of strokes that it said to have made.
fn killed(mut program: Command, time: u32) -> Result<Option<u64>, Error> {
    let mut child = program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("it says nothing")?).lines();
    let mut made = None;
    let mut hear = |line: std::io::Result<String>| -> Result<bool, Error> {
        let line = line?;
        let Some((_, strokes)) = line.split_once(MADE) else { return Ok(false) };
        made = Some(strokes.trim().parse()?);
        Ok(true)
    };
    // One in four while it is still reading its file.
    if !time.is_multiple_of(4) {
        for line in lines.by_ref() {
            if hear(line)? {
                break;
            }
        }
    }
    // Multiples of the golden section fill the time evenly.
    let moment = Duration::from_secs_f64(0.03 * (f64::from(time) * 0.618_033_988_75).fract());
    let began = Instant::now();
    while began.elapsed() < moment {
        std::hint::spin_loop();
    }
    child.kill()?;
    child.wait()?;
    for line in lines {
        hear(line)?;
    }
    Ok(made)
}
