//! Bakes the ground textures of `bevy_noise_terrain` from this crate's noise: the same pixels on every machine.
//!
//! ```text
//! cargo run --release -p terrain_noise --all-features --example bake_ground -- <crate> [layer ...]
//! ```
//!
//! writes to the folder `assets/ground` of a crate. With `--look <folder>` it also paints each ground under a
//! low sun, near and from afar; with `--check` it writes nothing and fails if the files differ from what it
//! baked.
//!
//! A ground is two files: `<layer>_albedo.png`, sRGB and height, and `<layer>_normal.png`, the normal's
//! x and z (128 is level), perceptual roughness and occlusion.

mod colour;
mod forest;
mod grass;
mod ground;
mod light;
mod options;
mod picture;
mod plane;
mod preview;
mod rock;
mod sand;
mod scree;
mod snow;
mod stone;
#[cfg(test)]
mod tests;

use std::path::Path;

use ground::Ground;
use options::Options;
use picture::{Finish, Picture, finish};
use terrain_noise::NoiseError;

/// Any error.
type Failure = Box<dyn std::error::Error>;

/// A kind of ground.
struct Layer {
    name: &'static str,
    /// Brightness of its preview.
    exposure: f32,
    bake: fn() -> Result<(Ground, Finish), NoiseError>,
}

const LAYERS: [Layer; 6] = [
    Layer { name: "rock", exposure: 0.95, bake: rock::bake },
    Layer { name: "scree", exposure: 1.2, bake: scree::bake },
    Layer { name: "grass", exposure: 2.4, bake: grass::bake },
    Layer { name: "forest", exposure: 2.4, bake: forest::bake },
    Layer { name: "sand", exposure: 0.9, bake: sand::bake },
    Layer { name: "snow", exposure: 0.55, bake: snow::bake },
];

fn main() -> Result<(), Failure> {
    let options = Options::read(std::env::args().skip(1))?;
    for layer in LAYERS.iter().filter(|layer| options.wants(layer.name)) {
        let (ground, how) = (layer.bake)()?;
        let [albedo, normal] = finish(&ground, &how);
        let [low, high] = ground.height.stretched(picture::CUT).1;
        let [r, g, b] = ground.mean();
        println!(
            "{}: {} m wide, {:.3} m deep, mean albedo {r:.3} {g:.3} {b:.3}",
            layer.name,
            ground.metres,
            high - low
        );
        deliver(&options, &format!("ground/{}_albedo.png", layer.name), &albedo)?;
        deliver(&options, &format!("ground/{}_normal.png", layer.name), &normal)?;
        if let Some(folder) = &options.look {
            std::fs::create_dir_all(folder)?;
            preview::save(&albedo, &normal, layer.exposure, &folder.join(format!("{}.png", layer.name)))?;
        }
    }
    Ok(())
}

/// Writes a picture, or compares it with what is there.
fn deliver(options: &Options, name: &str, picture: &Picture) -> Result<(), Failure> {
    let path = options.assets.join(name);
    if !options.check {
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        picture.save(&path)?;
    } else if Picture::load(&path)? != *picture {
        return Err(format!("{} is not what this program bakes: bake it anew", path.display()).into());
    }
    println!("  {name}: {} KiB", std::fs::metadata(&path)?.len() / 1024);
    Ok(())
}
