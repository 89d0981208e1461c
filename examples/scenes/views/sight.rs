//! Which parts of a picture show land, by rays into the land itself.

use std::ops::Range;
use std::thread;

use bevy::math::DVec3;
use bevy::prelude::*;
use examples_common::camera;

use crate::scenes::Scene;
use crate::stage::Outlook;

/// Pixels along a side of the squares that a ray stands for.
const SQUARE: u32 = 12;

/// Land or not, square by square.
pub struct Sights {
    columns: u32,
    is_land: Vec<bool>,
}

impl Sights {
    /// Of a picture of some pixels; land ends `reach` metres away.
    pub fn new(scene: &Scene, outlook: &Outlook, reach: f64, [width, height]: [u32; 2]) -> Self {
        let (columns, rows) = (width.div_ceil(SQUARE), height.div_ceil(SQUARE));
        let fov = match camera::lens() {
            Projection::Perspective(lens) => lens.fov,
            _ => 1.0,
        };
        let slope = (0.5 * fov).tan();
        let position = outlook.eye.translation.as_dvec3() + DVec3::new(scene.place[0], 0.0, scene.place[1]);
        let sees_land = |column: u32, row: u32| {
            let middle = |index: u32, side: u32| ((index * SQUARE + SQUARE / 2) as f32 / side as f32) * 2.0 - 1.0;
            let [x, y] = [middle(column, width) * width as f32 / height as f32, -middle(row, height)];
            let direction = outlook.eye.rotation * Vec3::new(slope * x, slope * y, -1.0).normalize();
            let hit = outlook.land.raycast(position, direction.as_dvec3(), reach);
            hit.is_some_and(|hit| hit.position.y > f64::from(outlook.sea))
        };
        let count = columns * rows;
        let threads = thread::available_parallelism().map_or(1, usize::from) as u32;
        let part = count.div_ceil(threads);
        let look = |part: Range<u32>| part.map(|index| sees_land(index % columns, index / columns)).collect::<Vec<_>>();
        let is_land = thread::scope(|scope| {
            let parts = (0..threads).map(|index| index * part..count.min((index + 1) * part));
            let looking: Vec<_> = parts.map(|part| scope.spawn(move || look(part))).collect();
            looking.into_iter().flat_map(|part| part.join().unwrap_or_default()).collect()
        });
        Self { columns, is_land }
    }

    /// Whether a pixel shows land.
    pub fn is_land(&self, x: u32, y: u32) -> bool {
        self.is_land.get((y / SQUARE * self.columns + x / SQUARE) as usize).copied().unwrap_or(false)
    }
}
