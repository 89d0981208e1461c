//! The panel, used with a pointer and a keyboard: a slider is dragged, the world changes and comes back by undo, and so
//! does land that was sculpted;
//! what is no number, what is out of range and a broken file are refused in words, and the world stays.
//!
//! What the example promises: `fly --report FILE` keeps a text file about what the window shows. Everything is
//! paced by the frames it counts, as a frame in software may take seconds.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::report::{Report, wait_for};
use anyhow::{Context, Result, bail, ensure};

use crate::job::Job;
use crate::picture::{self, Picture, difference};
use crate::steps::display::Display;
use crate::steps::input::Input;
use crate::{fly, process};

/// The window, how far down it a line of the panel is wholly seen, and how much of it the panel covers.
const WIDTH: usize = 1280;
const SEEN: f64 = 700.0;
const COVERED: usize = WIDTH / 3;

/// Of a single thing that should happen.
const LIMIT: Duration = Duration::from_secs(300);

/// How often a click is tried.
const CLICKS: usize = 6;

/// How often the wheel is turned to find something.
const SCROLLS: usize = 40;

/// The share of pixels that change when all detail is taken from the land, at least; and that may differ once it
/// is back.
const CHANGED: f32 = 0.02;
const RESTORED: f32 = 0.004;

/// The share that may differ between two frames in which nothing happens.
const STILL: f32 = 0.0005;

/// The pages of the panel, and the share of pixels in which two of them differ at least.
const TABS: [&str; 7] = ["World", "Noise", "Terrain", "Sculpt", "Map", "Statistics", "Export"];
const PAGE: f32 = 0.01;

/// A world with few chunks and one kind of ground: a frame in software takes its time.
const WORLD: &str = r#"(
    terrain: (
        seed: 3,
        noise: Affine(factor: 500.0, offset: 350.0, source: Fractal(octaves: 9, feature_size: 2400.0)),
        lod: (spacing: 8.0, view_distance: 8000.0),
    ),
    ground: (layers: [(name: "clay", color: LinearRgba(red: 0.2, green: 0.15, blue: 0.1, alpha: 1.0))], detail_normals: 0.0),
)
"#;

struct Drive<'a> {
    display: &'a Display,
    input: Input<'a>,
    folder: &'a Path,
    report: PathBuf,
}

/// Opens the example on the display, and uses its panel.
pub fn check(job: &Job, folder: &Path, display: Display) -> Result<()> {
    let report = folder.join("report.txt");
    let world = folder.join("window.terrain.ron");
    fs::write(&world, WORLD).with_context(|| world.display().to_string())?;
    let mut flight = fly::program(job, "fly")?;
    flight
        .args(["--size=1280x720", "--clouds=0", "--height=900", "--exit-after=1800", "--preset"])
        .arg(&world)
        .arg("--report")
        .arg(&report)
        .stdout(job.output()?)
        .stderr(job.output()?);
    let mut window = process::start(display.show(&mut flight))?;
    let drive = Drive { display: &display, input: Input(&display), folder, report };
    let used = drive.use_it();
    // Without its display the window closes.
    drop(display);
    window.wait_for(LIMIT)?;
    used
}

impl Drive<'_> {
    fn use_it(&self) -> Result<()> {
        let whole = |report: &Report| {
            report.number("frame") > 3.0 && report.number("octaves") > 0.0 && report.number("missing") == 0.0
        };
        let first =
            self.wait("the world of the file is whole", |report| whole(report) && report.number("octaves") == 9.0)?;
        let steps = first.number("undo");
        self.input.focus("Noise terrain")?;
        self.input.point(700.0, 300.0)?;
        let before = self.view("panel-1-before.png")?;

        self.drag_octaves(&first)?;
        let changed = self.wait("fewer octaves, and a world of them", |report| {
            report.number("octaves") <= 2.0 && report.number("world") > first.number("world") && whole(report)
        })?;
        let shown = changed.number("built") > first.number("built") && changed.number("undo") == steps + 1.0;
        ensure!(shown, "the figures do not show the new world: {changed:?}");
        self.input.point(700.0, 300.0)?;
        let after = self.view("panel-2-fewer-octaves.png")?;
        ensure!(difference(&before, &after) >= CHANGED, "moved the octaves slider, and too little changed");

        self.control("z")?;
        self.wait("undo brings the octaves back", |report| {
            report.number("octaves") == first.number("octaves") && report.number("undo") == steps
        })?;
        self.wait("the first world is whole again", |report| {
            report.number("world") > changed.number("world") && whole(report)
        })?;
        let undone = self.view("panel-3-undone.png")?;
        let differs = difference(&before, &undone);
        ensure!(differs <= RESTORED, "undo does not bring the picture back: {differs} differs");

        self.refuse_numbers(&first)?;
        self.refuse_file()?;
        self.see_tabs()?;
        let last = self.wait("the world is whole at the end", whole)?;
        let same = last.number("octaves") == first.number("octaves") && last.number("undo") == steps;
        ensure!(same, "what was refused has changed the world");
        ensure!(last.text("camera") == first.text("camera"), "the camera moved while the panel was used");
        self.sculpt()?;
        self.see_bounds()?;
        self.travel(&last)?;
        Ok(())
    }

    fn drag_octaves(&self, report: &Report) -> Result<()> {
        let [x, y, width] = report.place("octaves.slider")?;
        // From where the handle stands for the octaves there are, to the left end.
        let share = (report.number("octaves") - 1.0) / 31.0;
        let from = x - 0.5 * width + 6.0 + share * (width - 12.0);
        self.step(|| self.input.point(from, y))?;
        self.step(|| self.input.button(true))?;
        self.step(|| self.input.point(0.5 * (from + x - 0.5 * width), y))?;
        self.step(|| self.input.point(x - 0.5 * width - 4.0, y))?;
        self.step(|| self.input.button(false))
    }

    /// Neither text that is no number nor a number out of range reaches the world.
    fn refuse_numbers(&self, first: &Report) -> Result<()> {
        let [x, y, _] = first.place("octaves.value")?;
        for (typed, words) in [("many", "is not a number"), ("99", "allowed is 1 to 32")] {
            self.click([x, y], "the field of the octaves takes text", is_typing)?;
            self.control("a")?;
            self.step(|| self.input.write(typed))?;
            self.step(|| self.input.key("Return"))?;
            let said = |report: &Report| report.refused.iter().any(|refused| refused.contains(words));
            let report = self.wait(&format!("`{typed}` is refused in words"), said)?;
            ensure!(report.number("octaves") == first.number("octaves"), "a refused number has reached the world");
        }
        // What the report says is on screen a frame later.
        self.step(|| Ok(()))?;
        self.display.picture(&self.folder.join("panel-4-refused-number.png"))?;
        self.input.point(700.0, 300.0)?;
        self.control("z")?;
        self.wait("undo gives the draft up", |report| report.refused.is_empty())?;
        Ok(())
    }

    /// A broken file is told with its place.
    fn refuse_file(&self) -> Result<()> {
        let file = self.folder.join("broken.terrain.ron");
        let text = "(\n    terrain: (\n        noise: Fractal(octaves: many),\n    ),\n)\n";
        fs::write(&file, text).with_context(|| file.display().to_string())?;
        let report = self.open("World")?;
        let [x, y, _] = report.place("world.path")?;
        self.click([x, y], "the field of the file takes text", is_typing)?;
        self.control("a")?;
        self.step(|| self.input.write(&file.display().to_string()))?;
        let [x, y, _] = report.place("world.load")?;
        self.click([x, y], "the broken file is refused with its line", |report| {
            report.refused.iter().any(|words| words.contains("noise.octaves, line 3, column "))
        })?;
        // What the report says is on screen a frame later.
        self.step(|| Ok(()))?;
        self.display.picture(&self.folder.join("panel-5-refused-file.png"))?;
        Ok(())
    }

    /// Opens a page of the panel.
    fn open(&self, tab: &str) -> Result<Report> {
        let place = format!("tab.{tab}");
        let report = self.wait("the tabs are there", |report| report.place(&place).is_ok())?;
        let [x, y, _] = report.place(&place)?;
        self.click([x, y], &format!("the tab {tab} is shown"), |report| report.text("tab") == tab)
    }

    /// Every page has its own picture, in dark and in light.
    fn see_tabs(&self) -> Result<()> {
        let mut pages: Vec<(String, Picture)> = Vec::new();
        for tab in TABS {
            self.open(tab)?;
            // The map is made beside the frames.
            std::thread::sleep(Duration::from_secs(2));
            self.step(|| self.input.point(700.0, 300.0))?;
            let name = format!("panel-{}.png", tab.to_lowercase());
            let page = self.display.picture(&self.folder.join(&name))?.columns(0..COVERED);
            if let Some((other, _)) = pages.iter().find(|(_, other)| difference(other, &page) < PAGE) {
                bail!("{name} looks like {other}");
            }
            pages.push((name, page));
        }
        let [x, y, _] = self.wait("the tabs are there", |report| report.place("theme").is_ok())?.place("theme")?;
        self.click([x, y], "the panel is light", |report| report.text("theme") == "Light")?;
        // What the report says is on screen a frame later.
        self.step(|| Ok(()))?;
        let light = self.display.picture(&self.folder.join("panel-light.png"))?.columns(0..COVERED);
        let changed = pages.last().map_or(0.0, |(_, dark)| difference(dark, &light));
        ensure!(changed > 0.5, "the panel is not light: {changed} differs");
        Ok(())
    }

    /// A press on the land with a brush heaps it up, and undo takes that back.
    fn sculpt(&self) -> Result<()> {
        let report = self.open("Sculpt")?;
        let steps = report.number("undo");
        let has_brush = |report: &Report| report.place("brush.radius.value").is_ok();
        let [x, y, _] = report.place("sculpt.Raise")?;
        self.click([x, y], "a brush is chosen", has_brush)?;
        self.step(|| self.input.point(700.0, 600.0))?;
        self.step(|| self.input.button(true))?;
        self.wait("the land is edited", |report| report.number("edits") == 1.0)?;
        self.display.picture(&self.folder.join("panel-sculpting.png"))?;
        self.step(|| self.input.button(false))?;
        self.wait("a stroke is a step of the history", |report| report.number("undo") == steps + 1.0)?;
        self.control("z")?;
        self.wait("undo takes the stroke back", |report| {
            report.number("edits") == 0.0 && report.number("undo") == steps
        })?;
        let [x, y, _] = report.place("sculpt.Off")?;
        self.click([x, y], "no tool is chosen", |report| !has_brush(report))?;
        Ok(())
    }

    /// Boxes around chunks are drawn while their switch is on.
    fn see_bounds(&self) -> Result<()> {
        let before = self.view("panel-6-without-bounds.png")?;
        self.open("Terrain")?;
        let [x, y, _] = self.scroll_to("aids.bounds")?;
        for (name, least, most) in [("panel-7-bounds.png", CHANGED, 1.0), ("panel-8-bounds-off.png", 0.0, RESTORED)] {
            self.step(|| self.input.point(x, y))?;
            self.step(|| self.input.click())?;
            self.input.point(700.0, 300.0)?;
            let differs = difference(&before, &self.view(name)?);
            ensure!((least..=most).contains(&differs), "{name} differs by {differs}");
        }
        Ok(())
    }

    /// Turns the wheel over the panel until something is in sight.
    fn scroll_to(&self, place: &str) -> Result<[f64; 3]> {
        self.step(|| self.input.point(0.5 * COVERED as f64, 500.0))?;
        let seen = |report: &Report| report.place(place).is_ok_and(|[_, y, _]| y < SEEN);
        for _ in 0..SCROLLS {
            let report = self.wait("frames", |report| report.number("frame") > 0.0)?;
            if seen(&report) {
                return report.place(place);
            }
            self.step(|| self.input.scroll(5))?;
            // The page glides to rest.
            self.step(|| Ok(()))?;
        }
        bail!("scrolled {SCROLLS} times, and `{place}` never came into sight")
    }

    /// A click on the map takes the camera there.
    fn travel(&self, from: &Report) -> Result<()> {
        let [x, y, width] = self.open("Map")?.place("map")?;
        let to = [x + 0.3 * width, y - 0.2 * width];
        self.click(to, "the camera is elsewhere", |report| report.text("camera") != from.text("camera"))?;
        self.wait("the world is whole there", |report| report.number("missing") == 0.0)?;
        self.input.point(700.0, 300.0)?;
        self.view("panel-9-travelled.png").map(drop)
    }

    /// Presses a key with the control key, which is held before and after: a frame sees the modifiers of its end.
    fn control(&self, key: &str) -> Result<()> {
        self.step(|| self.input.hold("ctrl", true))?;
        self.step(|| self.input.key(key))?;
        self.step(|| self.input.hold("ctrl", false))
    }

    /// Clicks until it does what it should: to be a click it must be short, and where a frame takes seconds, a press
    /// that is let go in the next one is long.
    fn click(&self, [x, y]: [f64; 2], what: &str, done: impl Fn(&Report) -> bool) -> Result<Report> {
        self.step(|| self.input.point(x, y))?;
        for _ in 0..CLICKS {
            self.step(|| self.input.click())?;
            let report = self.wait("frames", |report| report.number("frame") > 0.0)?;
            if done(&report) {
                return Ok(report);
            }
        }
        bail!("clicked {CLICKS} times at {x}, {y}, and it never came to this: {what}")
    }

    /// Acts, and lets three frames pass: one that sees it, one that answers, one that says so.
    fn step(&self, act: impl FnOnce() -> Result<()>) -> Result<()> {
        act()?;
        let now = self.wait("frames", |report| report.number("frame") > 0.0)?.number("frame");
        self.wait("frames pass", |report| report.number("frame") >= now + 3.0)?;
        Ok(())
    }

    fn wait(&self, what: &str, is: impl Fn(&Report) -> bool) -> Result<Report> {
        wait_for(&self.report, what, LIMIT, is)
    }

    /// What is seen of the land, once it has been drawn and stays as it is: pipelines are compiled and details
    /// fade in while frames pass.
    fn view(&self, name: &str) -> Result<Picture> {
        let begun = Instant::now();
        let mut before: Option<Picture> = None;
        loop {
            self.step(|| Ok(()))?;
            let picture = self.display.picture(&self.folder.join(name))?.columns(COVERED..WIDTH);
            let is_still = before.is_some_and(|before| difference(&before, &picture) < STILL);
            if is_still && picture::check_drawn(&picture).is_ok() {
                return Ok(picture);
            }
            ensure!(begun.elapsed() < LIMIT, "{name} never came to rest, or shows no land");
            before = Some(picture);
        }
    }
}

fn is_typing(report: &Report) -> bool {
    report.text("typing") == "true"
}
