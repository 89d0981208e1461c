//! What is demanded of the figures, and what to say where they miss it.

use std::fmt;

use super::image::Picture;
use super::measures::{Measures, colours};

/// What is demanded of a picture. Shares go from 0 to 1.
///
/// Loose on purpose: a peak may stand in the sky and a lake lie in the valley. What must not pass is
/// a picture of nothing.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// At least this share of the top is sky.
    pub sky: f32,
    /// At least this share of the bottom has relief.
    pub relief: f32,
    /// At least so many colours are in the bottom.
    pub colours: usize,
    /// At most this share of the bottom is one flat colour.
    pub flat: f32,
    /// At most this share of the bottom is black.
    pub black: f32,
    /// At most this share of the bottom has the colour of a failed material.
    pub magenta: f32,
    /// At least this share of the pixels differs from picture to picture.
    pub difference: f32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { sky: 0.5, relief: 0.4, colours: 40, flat: 0.05, black: 0.05, magenta: 0.0, difference: 0.03 }
    }
}

impl Limits {
    /// What is wrong with a picture of these figures.
    pub fn complaints(&self, measures: &Measures) -> Vec<String> {
        let mut complaints = Vec::new();
        let at_least = |measured: f32, demanded: f32, what: &str| {
            (measured < demanded).then(|| sentence(measured, what, "at least", demanded))
        };
        let at_most = |measured: f32, demanded: f32, what: &str| {
            (measured > demanded).then(|| sentence(measured, what, "at most", demanded))
        };
        let sky = "of the top is sky (bright, bluish or grey, smooth)";
        complaints.extend(at_least(measures.sky, self.sky, sky));
        let relief = "of the bottom has the shades of lit ground";
        complaints.extend(at_least(measures.relief, self.relief, relief));
        if measures.colours < self.colours {
            complaints.push(format!(
                "{} colours are in the bottom; at least {} are demanded",
                measures.colours, self.colours
            ));
        }
        let flat = "of the bottom is one flat colour (holes)";
        complaints.extend(at_most(measures.flat, self.flat, flat));
        complaints.extend(at_most(measures.black, self.black, "of the bottom is black"));
        let magenta = "of the bottom is magenta (a material failed)";
        complaints.extend(at_most(measures.magenta, self.magenta, magenta));
        complaints
    }

    /// What is wrong with two pictures that differ by this share of their pixels.
    pub fn difference_complaint(&self, measured: f32) -> Option<String> {
        let what = "of the pixels differ (does the camera move?)";
        (measured < self.difference).then(|| sentence(measured, what, "at least", self.difference))
    }
}

/// Was anything drawn at all? For pictures that need not show a landscape.
pub fn check_drawn(picture: &Picture) -> Result<(), String> {
    let demanded = 32;
    match colours(picture, 0) {
        enough if enough >= demanded => Ok(()),
        few => Err(format!("it has {few} colours; at least {demanded} are demanded")),
    }
}

fn sentence(measured: f32, what: &str, bound: &str, demanded: f32) -> String {
    let (measured, demanded) = (100.0 * measured, 100.0 * demanded);
    format!("{measured:.1} % {what}; {bound} {demanded:.1} % is demanded")
}

/// What is wrong with the pictures of a flight, one line each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Complaints(pub Vec<String>);

impl fmt::Display for Complaints {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.0.iter().map(|line| format!("  {line}")).collect();
        formatter.write_str(&lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{self, Scene};
    use super::*;

    fn complaints(scene: Scene) -> String {
        let measures = Measures::of(&synthetic::picture(scene, 0));
        Limits::default().complaints(&measures).join("\n")
    }

    #[test]
    fn a_landscape_passes() {
        assert_eq!(complaints(Scene::Landscape), "");
    }

    #[test]
    fn a_landscape_with_a_peak_in_the_sky_passes() {
        assert_eq!(complaints(Scene::Peak), "");
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
            let complaints = complaints(scene);
            assert!(complaints.contains(reason), "{scene:?}: {complaints:?}");
        }
    }

    #[test]
    fn a_complaint_says_what_was_measured_and_what_is_demanded() {
        let text = Limits::default().difference_complaint(0.0123).unwrap();
        assert!(text.contains("1.2 %") && text.contains("at least 3.0 %"), "{text}");
    }

    #[test]
    fn an_empty_window_is_not_drawn() {
        assert!(check_drawn(&synthetic::picture(Scene::FlatBlue, 0)).is_err());
        assert_eq!(check_drawn(&synthetic::picture(Scene::Landscape, 0)), Ok(()));
    }
}
