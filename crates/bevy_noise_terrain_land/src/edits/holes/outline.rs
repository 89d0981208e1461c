//! A hole that is ready to be asked.

use std::sync::Arc;

use super::hole::{Hole, HoleArea};
use crate::edits::tree::Rect;
use crate::source::HeightSource;
use crate::volumes::{Cells, Density, LandPoint, Prepared, VolumeKey};

/// How far the chords of a disc may lie within its circle, in metres, where triangles are cut along it.
const CHORD_ERROR: f64 = 1e-3;
/// The most chords of a disc.
const MOST_CHORDS: f64 = 20_000.0;

/// A hole with what it takes to find out what lies in it.
#[derive(Debug)]
pub(crate) struct Outline {
    pub hole: Hole,
    /// What it reaches.
    pub rect: Rect,
    pub shape: Shape,
    /// What is there instead of the land.
    pub volume: Option<VolumeHole>,
}

/// The hole that a volume takes the place of.
#[derive(Clone, Debug)]
pub(crate) struct VolumeHole {
    pub key: VolumeKey,
    pub volume: Arc<Prepared>,
    /// Of the land's vertices.
    pub spacing: f64,
    /// Whether the volume is drawn. If not, the land is.
    pub is_drawn: bool,
}

/// Metres by which the surface of a volume may differ from the land where plants still stand.
const UNCHANGED: f64 = 0.1;

impl VolumeHole {
    /// Its density, as the finest samples show it.
    pub fn density(&self) -> Density<'_> {
        Density::new(&self.volume, self.spacing, self.spacing)
    }

    /// The columns of cells of a level within a rectangle; `None` if none is.
    pub fn cells(&self, level: u8, within: &Rect) -> Option<Cells> {
        let Rect { min, max } = self.volume.rect(self.spacing);
        let width = self.spacing * f64::from(1u32 << level);
        let first = [0, 1].map(|axis| (min[axis].max(within.min[axis]) / width).round() as i64);
        let last = [0, 1].map(|axis| (max[axis].min(within.max[axis]) / width).round() as i64);
        let count = [0, 1].map(|axis| usize::try_from(last[axis] - first[axis]).unwrap_or(0));
        count.iter().all(|&count| count > 0).then_some(Cells { level, first, count })
    }

    /// Whether the ground is not where the land has it, at an absolute position.
    pub fn is_changed(&self, at: [f64; 2], land: &dyn HeightSource) -> bool {
        let height = f64::from(land.height(at, self.spacing));
        let site = LandPoint { at: [at[0], height, at[1]], height, slope: [0.0; 2] };
        self.density().values(&[site], &mut Default::default())[0].abs() > UNCHANGED
    }
}

impl PartialEq for VolumeHole {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.volume.has_shapes_of(&other.volume)
            && (self.spacing, self.is_drawn) == (other.spacing, other.is_drawn)
    }
}

/// The outline, relative to [`Outline::middle`].
#[derive(Debug, PartialEq)]
pub(crate) enum Shape {
    Disc {
        radius: f64,
    },
    /// Straight lines from corner to corner.
    Polygon {
        corners: Vec<[f64; 2]>,
    },
}

impl Outline {
    /// Of a valid hole.
    pub fn new(hole: Hole) -> Self {
        let (middle, shape) = match &hole.area {
            HoleArea::Disc { center, radius } => (*center, Shape::Disc { radius: *radius }),
            HoleArea::Rectangle { center, size, turn } => {
                let (sin, cos) = libm::sincos(*turn);
                let corner = |x: f64, z: f64| {
                    let [x, z] = [0.5 * x * size[0], 0.5 * z * size[1]];
                    [cos * x - sin * z, sin * x + cos * z]
                };
                let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
                (*center, Shape::Polygon { corners: corners.into() })
            }
            HoleArea::Polygon { corners } => {
                let first = corners[0];
                let relative = corners.iter().map(|corner| [corner[0] - first[0], corner[1] - first[1]]);
                (first, Shape::Polygon { corners: relative.collect() })
            }
        };
        let within = match &shape {
            Shape::Disc { radius } => Rect::point([0.0; 2]).grown(*radius),
            Shape::Polygon { corners } => {
                corners.iter().map(|&corner| Rect::point(corner)).reduce(Rect::join).unwrap_or(Rect::point([0.0; 2]))
            }
        };
        let absolute = |corner: [f64; 2]| [corner[0] + middle[0], corner[1] + middle[1]];
        let rect = Rect { min: absolute(within.min), max: absolute(within.max) };
        Self { hole, rect, shape, volume: None }
    }

    /// Of a volume.
    pub fn of_volume(hole: VolumeHole) -> Self {
        let Rect { min, max } = hole.volume.rect(hole.spacing);
        let [center, size] = [0, 1].map(|half| {
            [0, 1].map(|axis| if half == 0 { 0.5 * (min[axis] + max[axis]) } else { max[axis] - min[axis] })
        });
        let area = HoleArea::Rectangle { center, size, turn: 0.0 };
        Self { volume: Some(hole), ..Self::new(Hole { area }) }
    }

    /// Whether it is the same hole.
    pub fn is_same(&self, other: &Self) -> bool {
        self.hole == other.hole && self.volume == other.volume
    }

    /// Whether the land is not there at an absolute position, or not as it would be without.
    pub fn is_hole(&self, at: [f64; 2], land: &dyn HeightSource) -> bool {
        self.contains(at) && self.volume.as_ref().is_none_or(|volume| volume.is_changed(at, land))
    }

    /// An absolute position that its shape is relative to.
    pub fn middle(&self) -> [f64; 2] {
        match &self.hole.area {
            HoleArea::Disc { center, .. } | HoleArea::Rectangle { center, .. } => *center,
            HoleArea::Polygon { corners } => corners[0],
        }
    }

    /// Whether an absolute position lies within its outline.
    pub fn contains(&self, at: [f64; 2]) -> bool {
        if !self.rect.touches(&Rect::point(at)) {
            return false;
        }
        let middle = self.middle();
        let [x, z] = [at[0] - middle[0], at[1] - middle[1]];
        match &self.shape {
            Shape::Disc { radius } => x * x + z * z < radius * radius,
            Shape::Polygon { corners } => {
                // How often a line towards greater x crosses the outline: `holes.wesl` has the same arithmetic.
                let ends = corners.iter().zip(corners.iter().cycle().skip(1));
                let crossed = ends
                    .filter(|(a, b)| (a[1] > z) != (b[1] > z) && x < (b[0] - a[0]) * (z - a[1]) / (b[1] - a[1]) + a[0]);
                crossed.count() % 2 == 1
            }
        }
    }

    /// Its corners relative to an absolute position, those of a disc on its circle: the chords between them lie within it, by
    /// a millimetre at most.
    pub fn ring(&self, origin: [f64; 2]) -> Vec<[f64; 2]> {
        let middle = self.middle();
        let middle = [middle[0] - origin[0], middle[1] - origin[1]];
        let place = |[x, z]: [f64; 2]| [middle[0] + x, middle[1] + z];
        match &self.shape {
            Shape::Polygon { corners } => corners.iter().map(|&corner| place(corner)).collect(),
            Shape::Disc { radius } => {
                // A chord over an angle `a` lies `radius · (1 − cos(a / 2))` within, nearly `radius · a² / 8`.
                let most = std::f64::consts::TAU / (8.0 * CHORD_ERROR / radius).sqrt();
                let chords = most.clamp(16.0, MOST_CHORDS).ceil();
                let corner = |chord: u32| {
                    let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(chord) / chords);
                    place([radius * cos, radius * sin])
                };
                (0..chords as u32).map(corner).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;

    fn outline(hole: Hole) -> Outline {
        hole.validate().unwrap();
        Outline::new(hole)
    }

    #[test]
    fn outlines_are_exact_far_out_too() {
        for far in [0.0, 1e9] {
            let at = DVec3::new(far, 3.0, -far);
            let disc = outline(Hole::disc(at, 2.0));
            assert!(disc.contains([far + 1.999, -far]) && !disc.contains([far + 2.001, -far]));
            assert!(disc.contains([far + 1.4, -far - 1.4]) && !disc.contains([far + 1.42, -far - 1.42]));
            // Turned by an eighth, its corners lie on the axes.
            let turned = outline(Hole::rectangle(at, [2.0, 2.0], std::f64::consts::FRAC_PI_4));
            assert!(turned.contains([far + 1.41, -far]) && !turned.contains([far + 0.8, -far + 0.8]));
            // From x towards z.
            let long = outline(Hole::rectangle(at, [8.0, 1.0], 0.5));
            assert!(long.contains([far + 3.0, -far + 1.7]) && !long.contains([far + 3.0, -far - 1.7]));
            let hook = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [3.0, 4.0], [3.0, 1.0], [0.0, 1.0]];
            let hook = outline(Hole::polygon(hook.map(|[x, z]| DVec3::new(far + x, 0.0, z - far))));
            assert!(hook.contains([far + 3.5, 3.5 - far]) && hook.contains([far + 0.5, 0.5 - far]));
            assert!(!hook.contains([far + 1.0, 3.0 - far]) && !hook.contains([far + 5.0, 0.5 - far]));
        }
    }

    #[test]
    fn chords_of_discs_are_close_to_their_circles() {
        for radius in [0.01, 1.0, 30.0, 2_000.0, 10_000.0] {
            let ring = outline(Hole::disc(DVec3::new(7.0, 0.0, 9.0), radius)).ring([7.0, 9.0]);
            for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
                let within = radius - libm::hypot(middle[0], middle[1]);
                assert!((-1e-9..=1.02 * CHORD_ERROR).contains(&within), "{radius}: {within}");
            }
        }
    }
}
