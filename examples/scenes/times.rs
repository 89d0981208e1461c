//! What scenes take to draw on this machine's adapter, and how much less without shadows, clouds or plants.
//!
//! Bevy's timestamps do not cover shadow maps, so what something costs is told by leaving it out.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bevy::diagnostic::{Diagnostic, DiagnosticsStore};
use bevy::prelude::*;
use bevy::render::diagnostic::RenderDiagnosticsPlugin;
use bevy::render::renderer::RenderAdapterInfo;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::ScatterStats;
use examples_common::adapter;

use crate::scenes::Scene;
use crate::stage::Stage;

/// Frames before those that are timed: a card that has slept is slow at first. There is one at least.
const WARM: Duration = Duration::from_millis(300);
/// Frames that are timed: this many, or as many as this time has room for, and two at least.
const FRAMES: usize = 60;
const LONGEST: Duration = Duration::from_secs(2);

/// Draws scenes without writing pictures, with four samples a pixel, which is what Bevy starts with.
pub struct Times {
    stage: Stage,
    is_software: bool,
}

impl Times {
    /// For pictures of this size. Prints what draws them.
    pub fn new([width, height]: [u32; 2]) -> Self {
        let mut stage = Stage::with(width, height, |app| {
            app.add_plugins(RenderDiagnosticsPlugin);
        });
        let world = stage.world();
        let cameras: Vec<Entity> = world.query_filtered::<Entity, With<Camera>>().iter(world).collect();
        for camera in cameras {
            world.entity_mut(camera).insert(Msaa::Sample4);
        }
        let adapter = world.get_resource::<RenderAdapterInfo>();
        let is_software = adapter::is_software(adapter);
        let software = if is_software { ", in software" } else { "" };
        let name = adapter.map_or("no adapter", |info| info.name.as_str());
        println!("{name}{software}, {width} x {height}, 4 samples a pixel; medians in ms");
        Self { stage, is_software }
    }

    /// The world that is measured.
    pub fn world(&mut self) -> &mut World {
        self.stage.world()
    }

    /// Measures a scene and prints a line.
    pub fn tell(&mut self, title: &str, scene: &Scene) -> Result<(), String> {
        self.stage.set_plants(true);
        self.stage.set(scene)?;
        let Median { adapter, processor } = self.measure();
        println!("{title:70} {adapter:7.2} {processor:9.2}   {} plants", self.plants());
        Ok(())
    }

    /// The same with what is saved without some of it, and a second line for what timestamps tell of the passes.
    pub fn tell_parts(&mut self, title: &str, scene: &Scene) -> Result<(), String> {
        self.stage.set_plants(true);
        self.stage.set(scene)?;
        let whole = self.measure();
        let passes = self.passes();
        let plants = self.plants();
        self.shadows(false);
        let shadows = self.measure();
        self.shadows(true);
        let sky = self.stage.world().get_resource::<TerrainSky>().cloned().unwrap_or_default();
        self.stage.world().insert_resource(TerrainSky { cloud_cover: 0.0, cirrus: 0.0, ..sky });
        let clouds = self.measure();
        self.stage.set_plants(false);
        self.stage.set(scene)?;
        let bare = self.measure();
        let less = |part: Median| whole.adapter - part.adapter;
        println!(
            "{title:44.44} {:7.2} {:9.2}                {:7.2}  {:7.2}  {:7.2}",
            whole.adapter,
            whole.processor,
            less(shadows),
            less(clouds),
            less(bare)
        );
        println!("    {passes}; {plants} plants");
        Ok(())
    }

    fn measure(&mut self) -> Median {
        let warm = Instant::now();
        while {
            self.stage.update();
            warm.elapsed() < WARM
        } {}
        // Timestamps are averaged: those of other scenes, and of frames before these, do not count.
        if let Some(mut store) = self.stage.world().get_resource_mut::<DiagnosticsStore>() {
            store.iter_mut().for_each(Diagnostic::clear_history);
        }
        let began = Instant::now();
        let (mut adapter, mut processor) = (Vec::new(), Vec::new());
        while adapter.len() < FRAMES && (adapter.len() < 2 || began.elapsed() < LONGEST) {
            let time = self.stage.update();
            adapter.push(time.drawing(self.is_software));
            processor.push(time.processor);
        }
        Median { adapter: median(adapter), processor: median(processor) }
    }

    /// What timestamps tell: each pass that takes more than a hundredth of a millisecond.
    fn passes(&mut self) -> String {
        let Some(store) = self.stage.world().get_resource::<DiagnosticsStore>() else { return String::new() };
        let passes: BTreeMap<String, f64> = store
            .iter()
            .filter_map(|one| {
                let pass = one.path().as_str().strip_prefix("render/")?.strip_suffix("/elapsed_gpu")?;
                Some((pass.to_owned(), one.average()?))
            })
            .filter(|(_, time)| *time > 0.01)
            .collect();
        let told: Vec<String> = passes.iter().map(|(pass, time)| format!("{pass} {time:.2}")).collect();
        if told.is_empty() { "no timestamps".into() } else { told.join(", ") }
    }

    fn plants(&mut self) -> u64 {
        let world = self.stage.world();
        world.query::<&ScatterStats>().iter(world).map(|stats| stats.objects).sum()
    }

    fn shadows(&mut self, cast: bool) {
        let world = self.stage.world();
        for mut sun in world.query::<&mut DirectionalLight>().iter_mut(world) {
            sun.shadow_maps_enabled = cast;
        }
    }
}

/// Names the columns of [`Times::tell`].
pub fn heading() {
    println!("{:70} {:>7} {:>9}", "view", "adapter", "processor");
}

/// Names the columns of [`Times::tell_parts`].
pub fn parts_heading() {
    println!("{:44} {:>7} {:>9}  less without: shadows   clouds   plants", "scene", "adapter", "processor");
}

/// In milliseconds.
#[derive(Clone, Copy)]
struct Median {
    adapter: f64,
    processor: f64,
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
}
