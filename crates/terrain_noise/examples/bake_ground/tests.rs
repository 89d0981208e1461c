//! Tests of the files in the repository.

use std::path::{Path, PathBuf};

use crate::colour::from_srgb;
use crate::picture::{PIXELS, Picture};
use crate::{LAYERS, options::Options};

fn asset(name: &str) -> Picture {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bevy_noise_terrain_land/assets");
    Picture::load(&assets.join(name)).unwrap()
}

fn all() -> impl Iterator<Item = (String, Picture)> {
    let ground = LAYERS
        .iter()
        .flat_map(|layer| ["albedo", "normal"].into_iter().map(|kind| format!("ground/{}_{kind}.png", layer.name)));
    ground.map(|name| {
        let picture = asset(&name);
        (name, picture)
    })
}

#[test]
fn no_edge_is_a_seam() {
    for (name, picture) in all() {
        for channel in 0..4 {
            let at = |x: usize, z: usize| f32::from(picture.0[4 * (z * PIXELS + x) + channel]);
            // How much changes, in the mean, from one column or row to the next: the last step is
            // the one across the edge.
            let steps = |at: &dyn Fn(usize, usize) -> f32| -> Vec<f32> {
                let change = |x: usize, z: usize| (at((x + 1) % PIXELS, z) - at(x, z)).abs();
                (0..PIXELS).map(|x| (0..PIXELS).map(|z| change(x, z)).sum::<f32>() / PIXELS as f32).collect()
            };
            for steps in [steps(&at), steps(&|z, x| at(x, z))] {
                let (edge, inside) = steps.split_last().unwrap();
                let most = inside.iter().copied().fold(0.0, f32::max);
                assert!(*edge <= 1.02 * most, "{name}, channel {channel}: {edge} across the edge, {most} inside");
            }
        }
    }
}

#[test]
fn from_afar_every_part_looks_the_same() {
    // A quarter of a quarter of the tile.
    let (parts, part) = (4, PIXELS / 4);
    for layer in &LAYERS {
        let picture = asset(&format!("ground/{}_albedo.png", layer.name));
        let bright = |i: usize| {
            let [r, g, b] = [0, 1, 2].map(|c| from_srgb(f32::from(picture.0[4 * i + c]) / 255.0));
            0.3 * r + 0.6 * g + 0.1 * b
        };
        let mut sums = vec![0.0; parts * parts];
        for i in 0..PIXELS * PIXELS {
            sums[i / PIXELS / part * parts + i % PIXELS / part] += bright(i) / (part * part) as f32;
        }
        let mean = sums.iter().sum::<f32>() / sums.len() as f32;
        for sum in sums {
            assert!((sum / mean - 1.0).abs() < 0.04, "{}: {sum} beside {mean}", layer.name);
        }
    }
}

#[test]
fn on_the_whole_every_ground_is_level() {
    for layer in &LAYERS {
        let picture = asset(&format!("ground/{}_normal.png", layer.name));
        for channel in 0..2 {
            let normals = picture.0.iter().skip(channel).step_by(4);
            let mean = normals.map(|&n| f64::from(n) - 128.0).sum::<f64>() / (PIXELS * PIXELS) as f64;
            assert!(mean.abs() < 0.5, "{}, channel {channel}: {mean}", layer.name);
        }
    }
}

#[test]
fn heights_use_the_whole_range() {
    for layer in &LAYERS {
        let picture = asset(&format!("ground/{}_albedo.png", layer.name));
        let heights = || picture.0.iter().skip(3).step_by(4);
        assert_eq!((heights().min(), heights().max()), (Some(&0), Some(&255)), "{}", layer.name);
    }
}

#[test]
fn the_command_line_is_read() {
    let read = |line: &str| Options::read(line.split_whitespace().map(String::from));
    let options = read("crates/x rock --check").unwrap();
    assert_eq!(options.assets, PathBuf::from("crates/x/assets"));
    assert!(options.check && options.wants("rock") && !options.wants("sand"));
    for wrong in ["", "here lava", "here --look", "here --loud"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
