//! Pictures for the crate documentation: fragments of Markdown with the pictures inside.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::canvas::Canvas;

/// The fragments, and the titles of the pictures they show.
const FRAGMENTS: [(&str, &[&str]); 6] = [
    ("lattice", &["Value, Linear", "Value, Quintic", "Value, CatmullRom"]),
    ("basis", &["Value, Quintic", "Perlin", "Simplex", "Cellular F1"]),
    ("fractal", &["fBm", "Billow", "Ridged multifractal", "Hybrid multifractal"]),
    ("mapping", &["Terraces", "Warped fBm", "Blend by a mask"]),
    ("erosion", &["Gullies", "Damped ridges, warp", "Strata", "Dunes"]),
    ("explicit", &["Endless, 2x2 patches", "Tileable rock, 2x2", "Planet"]),
];

/// Writes one fragment per chapter of the guide.
pub fn write(scenes: &[(String, Canvas)], folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    fs::create_dir_all(folder)?;
    for (name, titles) in FRAGMENTS {
        let mut text = String::new();
        for title in titles {
            let (_, canvas) = scenes.iter().find(|(scene, _)| scene == title).ok_or(*title)?;
            let png = base64(&canvas.halved().grey_png()?);
            writeln!(text, "![{title}](data:image/png;base64,{png} \"{title}\")")?;
        }
        fs::write(folder.join(format!("{name}.md")), text)?;
    }
    Ok(())
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let all = (0..3).fold(0, |all, i| all << 8 | u32::from(*three.get(i).unwrap_or(&0)));
        for i in 0..4 {
            let letter = LETTERS[(all >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= three.len() { letter.into() } else { '=' });
        }
    }
    text
}
