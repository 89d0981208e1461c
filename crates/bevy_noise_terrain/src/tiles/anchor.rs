//! What tiles are kept around: bodies, and anything else with a place and a reach.

use bevy::prelude::*;

/// A body that stands on terrain: there are tiles under it, built in the very tick that needs them.
///
/// For dynamic bodies, and for kinematic ones such as characters. The plugin of a physics engine keeps its
/// [`TileAnchor`] where the body is.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
#[require(TileAnchor)]
pub struct TerrainBody {
    /// Metres around the body, beyond its size and its motion in a tick, within which there are tiles. A vehicle that casts
    /// rays ahead of itself wants more than a ball.
    pub margin: f32,
    /// Lifts the body back onto the ground if its centre gets below: see [`BodyLifted`](crate::tiles::BodyLifted).
    pub keep_above: bool,
}

impl TerrainBody {
    /// A body with tiles within `margin` metres.
    pub const fn new(margin: f32) -> Self {
        Self { margin, keep_above: true }
    }
}

impl Default for TerrainBody {
    fn default() -> Self {
        Self::new(1.0)
    }
}

/// A ball in the scene under which there are tiles of every terrain, and its motion. Bodies with [`TerrainBody`] have one;
/// whatever else needs ground may bring its own.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct TileAnchor {
    /// Its centre, where transforms are. None needed while it is not finite, as at first.
    pub position: Vec3,
    /// Its radius in metres.
    pub radius: f32,
    /// Metres a second: where tiles will be needed next.
    pub velocity: Vec3,
}

impl Default for TileAnchor {
    fn default() -> Self {
        Self { position: Vec3::NAN, radius: 0.0, velocity: Vec3::ZERO }
    }
}

/// Most tiles along one side of an area. More would be a mistake, and must not fill the memory.
const MAX_SIDE: i64 = 16;

/// Cells that could not be multiplied by a tile's width are nowhere.
const FARTHEST_CELL: f64 = (1u64 << 48) as f64;

/// A rectangle of tiles: cells of level 0, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub min: [i64; 2],
    pub max: [i64; 2],
}

impl Area {
    /// The tiles, each `width` wide, within `reach` of a point that moves by `motion`; metres.
    pub fn swept(point: [f64; 2], motion: [f64; 2], reach: f64, width: f64) -> Option<Self> {
        let mut area = Self { min: [0; 2], max: [0; 2] };
        for axis in 0..2 {
            let (start, end) = (point[axis], point[axis] + motion[axis]);
            let cell = |metres: f64| (metres / width).floor();
            let [low, middle, high] = [cell(start.min(end) - reach), cell(start), cell(start.max(end) + reach)];
            // `min` and `max` pass over NaN, comparisons do not.
            if !(end.is_finite() && low.abs() < FARTHEST_CELL && high.abs() < FARTHEST_CELL) {
                return None;
            }
            let middle = middle as i64;
            area.min[axis] = (low as i64).max(middle - MAX_SIDE / 2);
            area.max[axis] = (high as i64).min(middle + MAX_SIDE / 2 - 1);
        }
        Some(area)
    }

    /// All cells, x fastest.
    pub fn cells(self) -> impl Iterator<Item = [i64; 2]> {
        (self.min[1]..=self.max[1]).flat_map(move |z| (self.min[0]..=self.max[0]).map(move |x| [x, z]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_area_covers_the_way() {
        let area = Area::swept([10.0, -1.0], [100.0, 0.0], 2.0, 64.0).unwrap();
        assert_eq!(area, Area { min: [0, -1], max: [1, 0] });
        assert_eq!(area.cells().collect::<Vec<_>>(), [[0, -1], [1, -1], [0, 0], [1, 0]]);
    }

    #[test]
    fn places_that_are_none_have_no_area() {
        for point in [[f64::NAN, 0.0], [0.0, f64::INFINITY], [1e300, 0.0]] {
            assert_eq!(Area::swept(point, [0.0; 2], 1.0, 64.0), None);
        }
        assert_eq!(Area::swept([0.0; 2], [f64::NAN, 0.0], 1.0, 64.0), None);
    }

    proptest! {
        #[test]
        fn areas_are_bounded_and_hold_their_point(
            x in -1e9..1e9f64, z in -1e9..1e9f64, motion in -1e6..1e6f64, reach in 0.0..1e5f64, width in 1.0..500.0f64,
        ) {
            let area = Area::swept([x, z], [motion, -motion], reach, width).unwrap();
            prop_assert!(area.cells().count() <= (MAX_SIDE * MAX_SIDE) as usize);
            let cell = [x, z].map(|metres| (metres / width).floor() as i64);
            prop_assert!(area.cells().any(|other| other == cell));
        }
    }
}
