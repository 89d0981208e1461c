//! Random places, the same for a seed on every machine.

use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::{ScatterMap, ScatterObject};

use crate::scenes::Scene;
use crate::stage::{Outlook, preset};

/// The worlds: `assets/presets/….terrain.ron`.
pub const WORLDS: [&str; 11] =
    ["alien", "alps", "badlands", "canyon", "continents", "dunes", "hills", "islands", "tundra", "biomes", "karst"];

/// Metres over the ground, and degrees up from level.
const EYES: [(f32, f32); 4] = [(2.0, -2.0), (60.0, -6.0), (600.0, -14.0), (3_000.0, -24.0)];
/// Views from lower than this begin on land.
const ON_LAND: f32 = 1_000.0;
/// Places that are tried to find land.
const TRIES: u64 = 200;
/// Trees are no higher.
const TREES: f32 = 30.0;
/// How far eyes below that keep from trees and bushes: as a fraction of their height, at least, and in metres, at most.
const CROWN: f64 = 0.45;
const WIDEST: f64 = 14.0;
/// Metres from the origin, at most, along each axis.
const FARTHEST: f64 = 1e6;

/// A view that anybody can draw again.
pub struct View {
    pub scene: Scene,
    pub title: String,
}

/// The views of a world.
pub fn views(world: &'static str, seed: u64) -> Result<Vec<View>, String> {
    let preset = preset(world)?;
    let number = WORLDS.iter().position(|name| *name == world).unwrap_or(WORLDS.len()) as u64;
    let mut random = Random(seed << 32 | number << 16);
    EYES.into_iter()
        .map(|(height, pitch)| {
            let mut scene = Scene { name: "", preset: world, height, pitch, ..random.scene() };
            for _ in 0..TRIES {
                let Outlook { land, sea, .. } = Outlook::new(&scene, &preset)?;
                if height > ON_LAND || land.height(scene.place[0], scene.place[1]) > f64::from(sea) {
                    break;
                }
                scene.place = random.place();
            }
            if height < TREES {
                step_out_of_trees(&mut scene.place, &preset)?;
            }
            let [x, z] = scene.place;
            let title = format!(
                "{world} ({x:.0}, {z:.0}) {height} m up, heading {:.0}, at {:.1}, clouds {:.2}",
                scene.heading, scene.time, scene.clouds
            );
            Ok(View { scene, title })
        })
        .collect()
}

/// Steps aside to where no crown hides the view.
fn step_out_of_trees(place: &mut [f64; 2], preset: &TerrainPreset) -> Result<(), String> {
    let Some(scatter) = &preset.scatter else { return Ok(()) };
    let land = preset.terrain.surface().map_err(|error| error.to_string())?;
    let map = ScatterMap::new(scatter, &land).map_err(|error| error.to_string())?;
    let has_crown =
        |kind: &ScatterKind| matches!(kind.shape, ScatterShape::Conifer | ScatterShape::Broadleaf | ScatterShape::Bush);
    for _ in 0..TRIES {
        let [x, z] = *place;
        let mut near = map.objects([x - WIDEST, z - WIDEST], [x + WIDEST, z + WIDEST], has_crown);
        let hides = |plant: ScatterObject| {
            (plant.position.x - x).hypot(plant.position.z - z) < (CROWN * f64::from(plant.size)).clamp(2.0, WIDEST)
        };
        if !near.any(hides) {
            break;
        }
        place[0] += 1.0;
    }
    Ok(())
}

/// Numbers that look random (Steele and others, *Fast splittable pseudorandom number generators*, 2014).
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        let share = (mixed ^ mixed >> 31) as f64 / u64::MAX as f64;
        low + share * (high - low)
    }

    fn place(&mut self) -> [f64; 2] {
        [0; 2].map(|_| self.between(-FARTHEST, FARTHEST).round())
    }

    /// A place, a heading, an hour of the day and its clouds.
    fn scene(&mut self) -> Scene {
        Scene {
            name: "",
            preset: "",
            place: self.place(),
            height: 0.0,
            heading: self.between(0.0, 360.0) as f32,
            pitch: 0.0,
            time: self.between(6.5, 18.5) as f32,
            clouds: self.between(0.0, 0.6) as f32,
        }
    }
}
