//! What is demanded of the figures, and what to say where they miss it.
//!
//! Loose on purpose: a peak may stand in the sky and a lake lie in the valley. What must not pass is a picture of
//! nothing.

use anyhow::{Result, ensure};

use super::image::Picture;
use super::measures::{Measures, colours};

/// At least so many colours are in the bottom of a landscape.
const COLOURS: usize = 40;

/// At least so many colours are in a picture of anything.
const COLOURS_DRAWN: usize = 32;

/// What is wrong with a picture of these figures. Shares go from 0 to 1.
pub fn complaints(measures: &Measures) -> Vec<String> {
    let Measures { sky, relief, colours, flat, black, magenta } = *measures;
    let shares = [
        at_least(0.5, sky, "of the top is sky (bright, bluish or grey, smooth)"),
        at_least(0.4, relief, "of the bottom has the shades of lit ground"),
        at_most(0.05, flat, "of the bottom is one flat colour (holes)"),
        at_most(0.05, black, "of the bottom is black"),
        at_most(0.0, magenta, "of the bottom is magenta (a material failed)"),
    ];
    let mut complaints: Vec<_> = shares.into_iter().flatten().collect();
    if colours < COLOURS {
        complaints.push(format!("{colours} colours are in the bottom; at least {COLOURS} are demanded"));
    }
    complaints
}

/// What is wrong with two pictures that differ by this share of their pixels.
pub fn difference_complaint(measured: f32) -> Option<String> {
    at_least(0.03, measured, "of the pixels differ (does the camera move?)")
}

/// Was anything drawn at all? For pictures that need not show a landscape.
pub fn check_drawn(picture: &Picture) -> Result<()> {
    let colours = colours(picture, 0);
    ensure!(colours >= COLOURS_DRAWN, "it has {colours} colours; at least {COLOURS_DRAWN} are demanded");
    Ok(())
}

/// Is there ground in the lower part of it? For windows of any example: plants and sky appear sooner than the land.
pub fn check_ground(picture: &Picture) -> Result<()> {
    check_drawn(picture)?;
    let Measures { flat, black, magenta, .. } = Measures::of(picture);
    let shares = [
        at_most(0.5, flat, "of the bottom is one flat colour (is there no land?)"),
        at_most(0.25, black, "of the bottom is black"),
        at_most(0.0, magenta, "of the bottom is magenta (a material failed)"),
    ];
    let complaints: Vec<_> = shares.into_iter().flatten().collect();
    ensure!(complaints.is_empty(), "{}", complaints.join("; "));
    Ok(())
}

fn at_least(demanded: f32, measured: f32, what: &str) -> Option<String> {
    (measured < demanded).then(|| sentence(measured, what, "at least", demanded))
}

fn at_most(demanded: f32, measured: f32, what: &str) -> Option<String> {
    (measured > demanded).then(|| sentence(measured, what, "at most", demanded))
}

fn sentence(measured: f32, what: &str, bound: &str, demanded: f32) -> String {
    let (measured, demanded) = (100.0 * measured, 100.0 * demanded);
    format!("{measured:.1} % {what}; {bound} {demanded:.1} % is demanded")
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{self, Scene};
    use super::*;

    fn of(scene: Scene) -> String {
        complaints(&Measures::of(&synthetic::picture(scene, 0))).join("\n")
    }

    #[test]
    fn a_landscape_passes() {
        assert_eq!(of(Scene::Landscape), "");
    }

    #[test]
    fn a_landscape_with_a_peak_in_the_sky_passes() {
        assert_eq!(of(Scene::Peak), "");
    }

    #[test]
    fn what_is_no_landscape_fails_for_its_reason() {
        for (scene, reason) in [
            (Scene::UpsideDown, "of the top is sky"),
            (Scene::Noise, "of the top is sky"),
            (Scene::NoiseBelow, "the shades of lit ground"),
            (Scene::Sky, "the shades of lit ground"),
            (Scene::FlatBlue, "one flat colour"),
            (Scene::Black, "is black"),
            (Scene::FlatGround, "one flat colour"),
            (Scene::Hole, "one flat colour"),
            (Scene::BlackGround, "is black"),
            (Scene::Magenta, "is magenta"),
        ] {
            let complaints = of(scene);
            assert!(complaints.contains(reason), "{scene:?}: {complaints:?}");
        }
    }

    #[test]
    fn a_complaint_says_what_was_measured_and_what_is_demanded() {
        let text = difference_complaint(0.0123).unwrap();
        assert!(text.contains("1.2 %") && text.contains("at least 3.0 %"), "{text}");
    }

    #[test]
    fn a_window_without_land_has_no_ground() {
        for scene in [Scene::Sky, Scene::FlatGround, Scene::BlackGround, Scene::Magenta] {
            assert!(check_ground(&synthetic::picture(scene, 0)).is_err(), "{scene:?}");
        }
        assert!(check_ground(&synthetic::picture(Scene::Landscape, 0)).is_ok());
    }

    #[test]
    fn an_empty_window_is_not_drawn() {
        assert!(check_drawn(&synthetic::picture(Scene::FlatBlue, 0)).is_err());
        assert!(check_drawn(&synthetic::picture(Scene::Landscape, 0)).is_ok());
    }
}
