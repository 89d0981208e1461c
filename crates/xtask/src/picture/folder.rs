//! The pictures of one flight.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::image::Picture;
use super::measures::{Measures, difference};
use super::thresholds;

/// A camera that moves is seen in two pictures at least.
const FEWEST: usize = 2;

/// Checks the pictures of a flight and gives back how many there are.
pub fn check(folder: &Path) -> Result<usize> {
    let pictures = read(folder)?;
    let complaints = complaints(&pictures);
    let folder = folder.display();
    ensure!(complaints.is_empty(), "the pictures in {folder} are not of a landscape seen in flight:{complaints}");
    Ok(pictures.len())
}

/// Prints the figures of every picture, and checks them.
pub fn show(folder: &Path) -> Result<()> {
    for (name, picture) in read(folder)? {
        println!("{name}: {}", Measures::of(&picture));
    }
    let pictures = check(folder)?;
    println!("{pictures} pictures of a landscape");
    Ok(())
}

/// What is wrong with these pictures, each thing on a line of its own.
fn complaints(pictures: &[(String, Picture)]) -> String {
    let mut lines = Vec::new();
    if pictures.len() < FEWEST {
        let count = pictures.len();
        lines.push(format!("{count} pictures fly-NN.png; at least {FEWEST} are demanded"));
    }
    for (index, (name, picture)) in pictures.iter().enumerate() {
        let own = thresholds::complaints(&Measures::of(picture));
        lines.extend(own.iter().map(|complaint| format!("{name}: {complaint}")));
        for (earlier, before) in &pictures[..index] {
            let complaint = thresholds::difference_complaint(difference(before, picture));
            lines.extend(complaint.map(|complaint| format!("{earlier}, {name}: {complaint}")));
        }
    }
    lines.iter().map(|line| format!("\n  {line}")).collect()
}

/// Reads `fly-00.png`, `fly-01.png` and so on, in order.
fn read(folder: &Path) -> Result<Vec<(String, Picture)>> {
    let mut files: Vec<(String, PathBuf)> = fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .flatten()
        .map(|file| (file.file_name().to_string_lossy().into_owned(), file.path()))
        .filter(|(name, _)| name.starts_with("fly-") && name.ends_with(".png"))
        .collect();
    files.sort();
    let read = |(name, path): (String, PathBuf)| Ok((name, Picture::read(&path)?));
    files.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{self, Scene};
    use super::*;

    fn flight(scenes: &[(Scene, usize)]) -> Vec<(String, Picture)> {
        let named = |(index, (scene, frame)): (usize, &(Scene, usize))| {
            let name = format!("fly-{index:02}.png");
            (name, synthetic::picture(*scene, *frame))
        };
        scenes.iter().enumerate().map(named).collect()
    }

    fn text(scenes: &[(Scene, usize)]) -> String {
        complaints(&flight(scenes))
    }

    #[test]
    fn a_flight_passes() {
        let scenes = [0, 1, 2].map(|frame| (Scene::Landscape, frame));
        assert_eq!(text(&scenes), "");
    }

    #[test]
    fn a_camera_that_stands_still_is_noticed() {
        let text = text(&[(Scene::Landscape, 0), (Scene::Peak, 1), (Scene::Landscape, 0)]);
        assert!(text.contains("fly-00.png, fly-02.png: 0.0 % of the pixels differ"), "{text}");
    }

    #[test]
    fn one_picture_is_no_flight() {
        assert!(text(&[(Scene::Landscape, 0)]).contains("1 pictures"));
        assert!(text(&[]).contains("0 pictures"));
    }

    #[test]
    fn the_picture_at_fault_is_named() {
        let text = text(&[(Scene::Landscape, 0), (Scene::Black, 0)]);
        assert!(text.contains("fly-01.png: 0.0 % of the top is sky"), "{text}");
        assert!(!text.contains("fly-00.png: "), "{text}");
    }
}
