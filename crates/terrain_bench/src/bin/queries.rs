//! What heights and rays cost: single heights beside lists of them, and `Surface::raycast` beside a march that asks for one
//! height after the other.

use std::time::Instant;

use bevy::math::{DVec2, DVec3};
use bevy_noise_terrain::terrain_noise::prelude::*;
use bevy_noise_terrain::{NoiseTerrain, Surface};

/// Rays of each kind.
const RAYS: usize = 200;
/// All of a kind are timed so often, in turns; the fastest counts.
const ROUNDS: usize = 5;

/// Rays of one kind.
struct Kind {
    name: &'static str,
    /// Metres over the ground.
    eye: f64,
    /// Metres down for each metre over the land.
    down: f64,
    reach: f64,
}

const KINDS: [Kind; 6] = [
    Kind { name: "straight down, from 60 m", eye: 60.0, down: f64::INFINITY, reach: 1e3 },
    Kind { name: "a pointer, from 60 m", eye: 60.0, down: 0.5, reach: 2e3 },
    Kind { name: "a pointer, from 2 m", eye: 2.0, down: 0.1, reach: 2e3 },
    Kind { name: "aslant, from 1 km", eye: 1e3, down: 0.3, reach: 1e5 },
    Kind { name: "at eye level, 200 m", eye: 2.0, down: 0.0, reach: 200.0 },
    Kind { name: "at eye level, 2 km", eye: 2.0, down: 0.0, reach: 2e3 },
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plain = perlin().fbm().octaves(8).feature_size(800.0).scale(200.0);
    let plain = NoiseTerrain { noise: plain, ..NoiseTerrain::default() };
    for (world, settings) in [("8 octaves", plain), ("the default world", NoiseTerrain::default())] {
        let surface = settings.surface()?;
        println!("{world}, microseconds a height of `height`, and of `heights` of so many");
        for count in [1, 4, 16, 64, 256] {
            let [single, list] = heights(&surface, count);
            println!("{count:>5} {single:>8.2} {list:>8.2}");
        }
        println!("{world}, microseconds a ray of `raycast`, and height by height");
        for kind in &KINDS {
            println!("{:<26} {}", kind.name, kind.compare(&surface));
        }
    }
    Ok(())
}

/// Microseconds a height, one by one and in a list.
fn heights(surface: &Surface, count: usize) -> [f64; 2] {
    let places: Vec<[f64; 2]> = (0..count as u32).map(|k| [f64::from(k) * 3.7, f64::from(k % 7) * 2.1]).collect();
    let mut sums = [0.0; 2];
    let [single, list] = &mut sums;
    let mut one_by_one = || *single = places.iter().map(|&[x, z]| surface.height(x, z)).sum::<f64>();
    let mut together = || *list = surface.heights(&places).iter().sum::<f64>();
    let times = fastest(200, [&mut one_by_one, &mut together]);
    assert_eq!(sums[0], sums[1], "lists have the heights of single calls");
    times.map(|time| time / count as f64)
}

/// The least microseconds that each of two takes, in turns.
fn fastest(rounds: usize, mut both: [&mut dyn FnMut(); 2]) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    for _ in 0..rounds {
        for (run, best) in both.iter_mut().zip(&mut best) {
            let begun = Instant::now();
            run();
            *best = best.min(begun.elapsed().as_secs_f64() * 1e6);
        }
    }
    best
}

impl Kind {
    /// Casts rays in both ways, and tells what they take and whether they find the same.
    fn compare(&self, surface: &Surface) -> String {
        let rays: Vec<_> = (0..RAYS).map(|index| self.ray(surface, index)).collect();
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        let mut cast = || {
            let hit = |&(origin, direction): &(DVec3, DVec3)| surface.raycast(origin, direction, self.reach);
            found = rays.iter().map(|ray| hit(ray).map(|hit| hit.distance)).collect();
        };
        let mut march = || {
            expected = rays.iter().map(|&(origin, way)| height_by_height(surface, origin, way, self.reach)).collect();
        };
        let [ours, others] = fastest(ROUNDS, [&mut cast, &mut march]).map(|time| time / RAYS as f64);
        let both = || found.iter().zip(&expected);
        let apart = both().filter_map(|(a, b)| Some((a.as_ref()? - b.as_ref()?).abs())).fold(0.0, f64::max);
        let alone = both().filter(|(a, b)| a.is_some() != b.is_some()).count();
        let hits = found.iter().flatten().count();
        let ratio = others / ours;
        format!(
            "{ours:>8.1} {others:>8.1}, × {ratio:.1}; {hits} of {RAYS} hit, {apart:.4} m apart, {alone} hit in one way alone"
        )
    }

    /// A ray from anywhere to anywhere.
    fn ray(&self, surface: &Surface, index: usize) -> (DVec3, DVec3) {
        let index = index as f64;
        let [x, z] = [index * 617.3 % 5e3, index * 1_171.9 % 7e3];
        let (sin, cos) = (index * 2.4).sin_cos();
        let direction = if self.down.is_finite() { DVec3::new(cos, -self.down, sin) } else { DVec3::NEG_Y };
        (DVec3::new(x, surface.height(x, z) + self.eye, z), direction.normalize())
    }
}

/// Marches by the clearance below, and bisects: how far the land is.
fn height_by_height(surface: &Surface, origin: DVec3, direction: DVec3, reach: f64) -> Option<f64> {
    let clearance = |t: f64| {
        let at = origin + t * direction;
        at.y - surface.height(at.x, at.z)
    };
    let closing = 4.0 * DVec2::new(direction.x, direction.z).length() + (-direction.y).max(0.0);
    let (mut before, mut t) = (0.0, 0.0);
    while t <= reach {
        let gap = clearance(t);
        if gap <= 0.0 {
            let (mut above, mut below) = (before, t);
            while below - above > 1e-4 {
                let middle = 0.5 * (above + below);
                *if clearance(middle) > 0.0 { &mut above } else { &mut below } = middle;
            }
            return Some(above);
        }
        before = t;
        t += (gap / closing).max(0.25 * surface.spacing()).max(t / 4_000.0);
    }
    None
}
