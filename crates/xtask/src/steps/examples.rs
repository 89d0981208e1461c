//! The step `examples`: every example runs for a while and shows something.
//!
//! Those that can do without a window run so, briefly, and must write what they promise; pictures that have a namesake in the
//! folder `examples` beside this file must look like it, and those of the flight must show a landscape. The others open their window on a virtual display, and must draw
//! land into it. Where an example has both, its window must open and stay.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::display::Display;
use super::{empty, headless, readme};
use crate::cargo::{self, build, cargo, messages};
use crate::job::Job;
use crate::picture::{self, Picture, Squares};
use crate::process::{self, clock};
use crate::workspace;

/// An example without a window: its name, its arguments, and whether it writes pictures to the folder of `--out`.
type Headless = (&'static str, &'static [&'static str], bool);

/// Those that take longest come first.
const HEADLESS: [Headless; 10] = [
    (headless::NAME, headless::ARGUMENTS, true),
    ("walk", &["--headless", "--seconds=8"], true),
    ("navigate", &["--headless", "--seconds=10", "--people=20"], true),
    ("caves", &["--headless"], true),
    ("wind", &["--headless"], true),
    ("drive", &["--headless", "--seconds=5"], true),
    ("sculpt", &["--headless", "--save=sculpt.save.ron"], true),
    ("noise_on_card", &[], false),
    ("server", &["--seconds=3", "--bodies=100"], false),
    ("shared_land", &["--headless"], false),
];

/// With a window.
const WINDOWS: [&str; 6] = ["minimal", "presets", "own_material", "height_source", "two_viewers", "chunk_events"];

/// With a window as well: it is opened for a moment.
const BOTH: [&str; 6] = ["drive", "walk", "navigate", "sculpt", "wind", "caves"];

/// How long such a window must stay: what is wrong with an app is found in its first frames.
const MOMENT: Duration = Duration::from_secs(8);

/// The one with the lines of the README.
const README: &str = "minimal";

/// How long any of them may take. In software a frame takes seconds.
const LIMIT: Duration = Duration::from_secs(600);

/// How many run at once without a window: in software, half of a frame is work for one core.
const AT_ONCE: usize = 2;

/// Time between two looks at a window.
const PAUSE: Duration = Duration::from_secs(3);

/// Runs them all.
pub fn check(job: &Job) -> Result<()> {
    let built = build::build(job, cargo(cargo::BUILD).arg("--examples"))?;
    let program = |name| messages::program(&built, name);
    let folder = workspace::target().join("examples");
    empty(&folder)?;
    let left = Mutex::new(HEADLESS.into_iter());
    let next = || left.lock().ok()?.next();
    let shown = Count::new(job);
    let work = || -> Result<()> {
        while let Some(example) = next() {
            run(job, program(example.0)?, example, &folder)?;
            shown.step();
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers = [(); AT_ONCE].map(|()| scope.spawn(work));
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| anyhow!("a thread of this program ended"))?)
    })?;
    let display = Display::small(job)?;
    for name in WINDOWS {
        let begun = Instant::now();
        look(job, program(name)?, name, &display, &folder.join(format!("{name}.png")))?;
        job.note(&format!("{name}: its window was drawn after {}", clock(begun.elapsed())));
        shown.step();
    }
    for name in BOTH {
        let mut example = program(name)?;
        example.current_dir(folder.join(name)).stdout(job.output()?).stderr(job.output()?);
        let mut running = process::start(display.show(&mut example))?;
        if let Some(status) = running.wait_for(MOMENT)? {
            bail!("the window of `{name}` ended by itself ({status})");
        }
        job.note(&format!("{name}: its window stays"));
        shown.step();
    }
    Ok(())
}

/// Runs an example without a window, and looks at its pictures.
fn run(job: &Job, mut example: Command, (name, arguments, draws): Headless, folder: &Path) -> Result<()> {
    let begun = Instant::now();
    let out = folder.join(name);
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    example.args(arguments).current_dir(&out);
    if draws {
        example.arg("--out").arg(&out);
    }
    let lines = job.read(headless::in_vulkan(example.stdin(Stdio::null())), LIMIT)?;
    ensure!(!lines.is_empty(), "`{name}` said nothing");
    let pictures = pictures(&out)?;
    ensure!(!draws || !pictures.is_empty(), "`{name}` wrote no picture to {}", out.display());
    for file in &pictures {
        let drawn = picture::check_drawn(&Picture::read(file)?);
        drawn.with_context(|| format!("`{name}` drew nothing ({})", file.display()))?;
        compare(file).with_context(|| format!("`{name}` drew something else ({})", file.display()))?;
    }
    if name == headless::NAME {
        headless::check(&lines, &out)?;
    }
    job.note(&format!("{name}: {} pictures in {}", pictures.len(), clock(begun.elapsed())));
    Ok(())
}

/// Compares a picture with its namesake beside this file, if there is one.
fn compare(file: &Path) -> Result<()> {
    let Some(name) = file.file_name() else { return Ok(()) };
    let expected = workspace::root().join("crates/xtask/src/steps/examples").join(name);
    if !expected.exists() {
        return Ok(());
    }
    let [found, expected] = [file, &expected].map(|file| Ok::<_, anyhow::Error>(Squares::of(&Picture::read(file)?)));
    found?.differences(&expected?).map_or(Ok(()), |words| Err(anyhow!(words)))
}

/// Opens the window of an example, and waits until land is drawn in it: the README's picture, if it has its lines.
fn look(job: &Job, mut example: Command, name: &str, display: &Display, file: &Path) -> Result<()> {
    let begun = Instant::now();
    example.stdout(job.output()?).stderr(job.output()?);
    let mut running = process::start(display.show(&mut example))?;
    let expected = (name == README).then(readme::expected).transpose()?;
    loop {
        if let Some(status) = running.wait_for(PAUSE)? {
            bail!("`{name}` ended by itself ({status})");
        }
        let picture = display.picture(file)?;
        let other = expected.as_ref().and_then(|expected| Squares::of(&picture).differences(expected));
        match picture::check_ground(&picture).and_then(|()| other.map_or(Ok(()), |words| Err(anyhow!(words)))) {
            Ok(()) => return Ok(()),
            Err(error) if begun.elapsed() > LIMIT => {
                return Err(
                    error.context(format!("the window of `{name}` is not as it should be ({})", file.display()))
                );
            }
            Err(_) => {}
        }
    }
}

/// How many examples are done.
struct Count<'a> {
    job: &'a Job<'a>,
    done: AtomicU64,
}

impl<'a> Count<'a> {
    fn new(job: &'a Job<'a>) -> Self {
        Self { job, done: AtomicU64::new(0) }
    }

    fn step(&self) {
        let all = HEADLESS.len() + WINDOWS.len() + BOTH.len();
        self.job.count(self.done.fetch_add(1, Ordering::Relaxed) + 1, all as u64);
    }
}

fn pictures(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    Ok(files.into_iter().filter(|file| file.extension() == Some(OsStr::new("png"))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Run by tests, or tools that are no examples.
    const ELSEWHERE: [&str; 2] = ["scenes", "material_cost"];

    #[test]
    fn no_example_is_left_out() {
        let known: Vec<_> = HEADLESS.iter().map(|(name, ..)| *name).chain(WINDOWS).chain(ELSEWHERE).collect();
        let entries = fs::read_dir(workspace::root().join("examples")).unwrap();
        const OTHERS: [&str; 3] = ["Cargo", "common", "drawn"];
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(known.contains(&name) || OTHERS.contains(&name), "{name} is never run");
        }
    }
}
