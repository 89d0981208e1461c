//! Writes a picture of everything the crate computes, one contact sheet, and the fragments with
//! pictures that the crate documentation includes from `pictures/guide`.
//!
//! `cargo run --release -p terrain_noise --example gallery [folder]`; the folder is `pictures/noise`
//! by default.

#![allow(clippy::disallowed_methods, reason = "pictures and tests make no worlds")]

mod canvas;
mod guide;
mod scenes;

use std::path::PathBuf;

use canvas::Canvas;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "pictures/noise".to_owned()));
    std::fs::create_dir_all(&folder)?;
    let mut thumbnails = Vec::new();
    let scenes = scenes::all()?;
    guide::write(&scenes, &folder.join("guide"))?;
    for (title, picture) in scenes {
        let mut labelled = picture.clone();
        labelled.label(&title);
        let name: String =
            title.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
        labelled.save(&folder.join(format!("{name}.png")))?;
        thumbnails.push((title, picture.halved()));
    }
    let columns = 10;
    let (width, height) = (thumbnails[0].1.width + 4, thumbnails[0].1.height + 16);
    let mut sheet = Canvas::new(columns * width + 4, thumbnails.len().div_ceil(columns) * height + 4);
    for (i, (title, picture)) in thumbnails.iter().enumerate() {
        let (x, y) = (4 + i % columns * width, 4 + i / columns * height);
        sheet.paste(picture, x, y);
        sheet.text(title, x, y + picture.height + 2, 1);
    }
    sheet.save(&folder.join("contact-sheet.png"))?;
    println!("{} pictures and contact-sheet.png in {}", thumbnails.len(), folder.display());
    Ok(())
}
