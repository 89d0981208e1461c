//! What tiles are kept around: bodies, and anything else with a place and a reach.

use std::fmt;
use std::sync::Arc;

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

/// How far a body reaches, along with its [`TileAnchor`]: a long one that lies on the ground is lifted by its thickness. The
/// plugin of a physics engine measures it; a body without one is the ball of its anchor.
#[derive(Component, Clone)]
pub struct BodyShape {
    /// The body's rotation in the scene.
    pub rotation: Quat,
    reach: Arc<dyn Fn(Dir3) -> f32 + Send + Sync>,
}

impl BodyShape {
    /// A shape for which `reach` returns the metres of the scene from the body's position to its farthest point along a
    /// direction in the body's own axes.
    pub fn new(reach: impl Fn(Dir3) -> f32 + Send + Sync + 'static) -> Self {
        Self { rotation: Quat::IDENTITY, reach: Arc::new(reach) }
    }

    /// Metres from the body's position to its farthest point along a direction of the scene.
    pub fn reach(&self, direction: Dir3) -> f32 {
        (self.reach)(self.rotation.inverse() * direction)
    }
}

impl fmt::Debug for BodyShape {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.debug_struct("BodyShape").field("rotation", &self.rotation).finish_non_exhaustive()
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

/// What an anchor reaches within some time: a rectangle along the axes, in absolute metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    middle: [f64; 2],
    low: [f64; 2],
    high: [f64; 2],
}

impl Reach {
    /// What lies within `radius` of a point that moves by `motion`.
    pub fn swept(point: [f64; 2], motion: [f64; 2], radius: f64) -> Self {
        let end = [point[0] + motion[0], point[1] + motion[1]];
        Self {
            middle: point,
            low: [0, 1].map(|axis| if end[axis] < point[axis] { end[axis] } else { point[axis] } - radius),
            high: [0, 1].map(|axis| if end[axis] > point[axis] { end[axis] } else { point[axis] } + radius),
        }
    }

    /// The tiles, each `width` wide, that it touches; `None` if it is nowhere.
    pub fn area(&self, width: f64) -> Option<Area> {
        let cell = |metres: f64| {
            let cell = (metres / width).floor();
            // NaN fails too.
            (cell.abs() < FARTHEST_CELL).then_some(cell as i64)
        };
        let mut area = Area { min: [0; 2], max: [0; 2] };
        for axis in 0..2 {
            let middle = cell(self.middle[axis])?;
            area.min[axis] = cell(self.low[axis])?.max(middle - MAX_SIDE / 2);
            area.max[axis] = cell(self.high[axis])?.min(middle + MAX_SIDE / 2 - 1);
        }
        Some(area)
    }
}

/// A rectangle of tiles: cells of level 0, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub min: [i64; 2],
    pub max: [i64; 2],
}

impl Area {
    /// Whether all of it lies on these tiles, each `width` wide.
    pub fn covers(&self, reach: &Reach, width: f64) -> bool {
        (0..2).all(|axis| {
            let (low, high) = (self.min[axis] as f64 * width, (self.max[axis] + 1) as f64 * width);
            reach.low[axis] >= low && reach.high[axis] < high
        })
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

    fn area(point: [f64; 2], motion: [f64; 2], radius: f64, width: f64) -> Option<Area> {
        Reach::swept(point, motion, radius).area(width)
    }

    #[test]
    fn an_area_covers_the_way() {
        let area = area([10.0, -1.0], [100.0, 0.0], 2.0, 64.0).unwrap();
        assert_eq!(area, Area { min: [0, -1], max: [1, 0] });
        assert_eq!(area.cells().collect::<Vec<_>>(), [[0, -1], [1, -1], [0, 0], [1, 0]]);
    }

    #[test]
    fn places_that_are_none_have_no_area() {
        for point in [[f64::NAN, 0.0], [0.0, f64::INFINITY], [1e300, 0.0]] {
            assert_eq!(area(point, [0.0; 2], 1.0, 64.0), None);
        }
        assert_eq!(area([0.0; 2], [0.0; 2], f64::NAN, 64.0), None);
        assert_eq!(area([0.0; 2], [f64::INFINITY, 0.0], 1.0, 64.0), None);
        let whole = Area { min: [-8; 2], max: [7; 2] };
        assert!(!whole.covers(&Reach::swept([f64::NAN; 2], [0.0; 2], 1.0), 64.0));
    }

    proptest! {
        #[test]
        fn areas_are_bounded_and_hold_their_point(
            x in -1e9..1e9f64, z in -1e9..1e9f64, motion in -1e6..1e6f64, radius in 0.0..1e5f64, width in 1.0..500.0f64,
        ) {
            let reach = Reach::swept([x, z], [motion, -motion], radius);
            let area = reach.area(width).unwrap();
            prop_assert!(area.cells().count() <= (MAX_SIDE * MAX_SIDE) as usize);
            let cell = [x, z].map(|metres| (metres / width).floor() as i64);
            prop_assert!(area.cells().any(|other| other == cell));
            let is_whole = (0..2).all(|axis| area.max[axis] - area.min[axis] < MAX_SIDE / 2 - 1);
            // Where a rectangle ends just at a border, rounding may see it beyond.
            let inner = Reach::swept([x, z], [motion, -motion], radius - 1e-3);
            prop_assert!(!is_whole || radius < 1e-2 || area.covers(&inner, width));
        }
    }
}
