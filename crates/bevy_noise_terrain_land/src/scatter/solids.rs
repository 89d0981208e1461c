//! What of an object is solid, for colliders.

pub(super) mod boulder;
pub(super) mod numbers;
pub(super) mod polyhedron;

use bevy::math::Vec3;

use super::shape::ScatterShape;
use boulder::{Boulder, CUTS, VARIANTS};

/// The solid part of an object that is one metre high, with its foot at the origin: scale it by the object's
/// [`size`](super::ScatterObject::size).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScatterSolid {
    /// The trunk of a spruce.
    ConiferTrunk,
    /// The trunk of a round-crowned tree.
    BroadleafTrunk,
    /// A rock, by the number of its variant.
    Rock {
        /// From 0 on.
        variant: u8,
    },
}

impl ScatterSolid {
    /// Corners of its convex hull, in metres.
    ///
    /// A trunk is a prism with eight sides, as wide as the drawn one is at the height of a tenth of the tree.
    pub fn points(self) -> Vec<Vec3> {
        match self {
            Self::ConiferTrunk => prism(0.018, 0.8),
            Self::BroadleafTrunk => prism(0.024, 0.5),
            Self::Rock { variant } => {
                let body = Boulder::new(u32::from(variant), CUTS, true);
                let mut points: Vec<Vec3> = Vec::new();
                for &corner in body.faces().iter().flat_map(|face| &face.points) {
                    let point = body.place(corner);
                    if points.iter().all(|known| known.distance_squared(point) > 1e-5) {
                        points.push(point);
                    }
                }
                points
            }
        }
    }
}

/// An upright prism with eight sides, from a little below its foot.
fn prism(radius: f32, height: f32) -> Vec<Vec3> {
    let corner = |side: u8, y: f32| {
        let angle = f32::from(side) * std::f32::consts::FRAC_PI_4;
        Vec3::new(radius * libm::cosf(angle), y, radius * libm::sinf(angle))
    };
    (0..8).flat_map(|side| [corner(side, -0.05), corner(side, height)]).collect()
}

/// The solid part of an object of this shape whose angle about the vertical is `yaw`, which picks the variant.
pub(super) fn of(shape: &ScatterShape, yaw: u16) -> Option<ScatterSolid> {
    match shape {
        ScatterShape::Conifer => Some(ScatterSolid::ConiferTrunk),
        ScatterShape::Broadleaf => Some(ScatterSolid::BroadleafTrunk),
        ScatterShape::Rock => Some(ScatterSolid::Rock { variant: (u32::from(yaw) % VARIANTS) as u8 }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solids_are_as_large_as_they_look() {
        for variant in 0..VARIANTS as u8 {
            let points = ScatterSolid::Rock { variant }.points();
            let top = points.iter().map(|point| point.y).fold(0.0, f32::max);
            assert!((0.75..=1.1).contains(&top), "{top}");
            assert!((8..=160).contains(&points.len()), "{} corners", points.len());
            assert_eq!(points, ScatterSolid::Rock { variant }.points());
        }
        let trunk = ScatterSolid::ConiferTrunk.points();
        assert!(trunk.len() == 16 && trunk.iter().all(|point| (point.with_y(0.0).length() - 0.018).abs() < 1e-6));
    }
}
