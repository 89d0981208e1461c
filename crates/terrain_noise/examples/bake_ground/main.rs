//! Bakes the ground textures of `bevy_noise_terrain` out of this crate's noise, and its water and
//! clouds. The same bytes each time.
//!
//! `cargo run --release -p terrain_noise --all-features --example bake_ground -- <crate> [layer ...]`
//! writes into the `assets` of a crate; `--look <folder>` also paints each ground lit by a low sun.

mod clouds;
mod colour;
mod forest;
mod grass;
mod ground;
mod light;
mod picture;
mod plane;
mod preview;
mod rock;
mod sand;
mod scree;
mod snow;
mod stone;
mod water;

use std::path::{Path, PathBuf};

use ground::Ground;
use picture::{Finish, Picture, finish};
use terrain_noise::NoiseError;

/// A ground and how it becomes pictures.
type Bake = fn() -> Result<(Ground, Finish), NoiseError>;

/// Name, brightness of its preview, recipe.
const LAYERS: [(&str, f32, Bake); 6] = [
    ("rock", 1.2, rock::bake),
    ("scree", 1.2, scree::bake),
    ("grass", 2.4, grass::bake),
    ("forest", 2.4, forest::bake),
    ("sand", 0.9, sand::bake),
    ("snow", 0.55, snow::bake),
];

/// Pictures of the air.
const AIR: [(&str, fn() -> Result<Picture, NoiseError>); 2] = [("water_normal", water::bake), ("clouds", clouds::bake)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut folder = None;
    let mut look = None;
    let mut wanted = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--look" => look = arguments.next().map(PathBuf::from),
            _ if folder.is_none() => folder = Some(PathBuf::from(argument)),
            _ => wanted.push(argument),
        }
    }
    let Some(folder) = folder else {
        return Err("where to? bake_ground <crate> [layer ...] [--look <folder>]".into());
    };
    let known = |name: &String| LAYERS.iter().any(|layer| layer.0 == name) || AIR.iter().any(|air| air.0 == name);
    if let Some(name) = wanted.iter().find(|name| !known(name)) {
        return Err(format!("there is no layer {name}").into());
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let [ground_folder, air_folder] = ["ground", "air"].map(|part| folder.join("assets").join(part));
    for folder in [Some(&ground_folder), Some(&air_folder), look.as_ref()].into_iter().flatten() {
        std::fs::create_dir_all(folder)?;
    }
    for (name, exposure, bake) in LAYERS.into_iter().filter(|layer| is_wanted(layer.0)) {
        let (ground, how) = bake()?;
        let [albedo, normal] = finish(&ground, &how);
        let [r, g, b] = mean(&ground);
        let [low, high] = ground.height.stretched(0.001).1;
        let depth = high - low;
        let files = [("albedo", &albedo), ("normal", &normal)].map(|(kind, picture)| {
            let path = ground_folder.join(format!("{name}_{kind}.png"));
            picture.save(&path).map(|()| path)
        });
        let [albedo_size, normal_size] = sizes(files)?;
        println!(
            "{name}: {} m wide, {:.3} m deep, mean albedo {r:.3} {g:.3} {b:.3}, {albedo_size} + {normal_size} KiB",
            ground.metres, depth
        );
        if let Some(folder) = &look {
            preview::save(&albedo, &normal, exposure, &folder.join(format!("{name}.png")))?;
        }
    }
    for (name, bake) in AIR.into_iter().filter(|air| is_wanted(air.0)) {
        let path = air_folder.join(format!("{name}.png"));
        bake()?.save(&path)?;
        println!("{name}: {} KiB", size(&path)?);
    }
    Ok(())
}

/// The mean linear albedo.
fn mean(ground: &Ground) -> [f64; 3] {
    let count = ground.albedo.len() as f64;
    std::array::from_fn(|c| ground.albedo.iter().map(|colour| f64::from(colour[c])).sum::<f64>() / count)
}

fn sizes(files: [Result<PathBuf, Box<dyn std::error::Error>>; 2]) -> Result<[u64; 2], Box<dyn std::error::Error>> {
    let [a, b] = files;
    Ok([size(&a?)?, size(&b?)?])
}

/// In KiB.
fn size(path: &Path) -> std::io::Result<u64> {
    Ok(std::fs::metadata(path)?.len() / 1024)
}
