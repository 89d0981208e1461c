//! The land from above, lit from the north-west.

use terrain_noise::prelude::*;

use crate::Options;
use crate::paint::{ground, lit, pixel};

pub fn paint(land: &Sampler, options: &Options, side: usize) -> (Vec<[u8; 3]>, Bounds) {
    let spacing = options.span / side as f64;
    let start = options.at.map(|middle| ((middle - options.span / 2.0) / spacing).round() as i64);
    let grid = Grid::new(start, spacing, [side + 1, side + 1]);
    let mut heights = vec![0.0; grid.len()];
    let range = land.fill(&grid, &mut Scratch::default(), &mut heights);
    let mut pixels = Vec::with_capacity(side * side);
    for y in 0..side {
        for x in 0..side {
            let at = |dx: usize, dy: usize| heights[(y + dy) * (side + 1) + x + dx];
            let height = at(0, 0);
            let wet = height < 0.0;
            let flat = if wet { 0.15 } else { 1.0 };
            let slope = [at(1, 0) - height, at(0, 1) - height].map(|d| flat * d / spacing as f32);
            let length = (1.0 + slope[0] * slope[0] + slope[1] * slope[1]).sqrt();
            let normal = [-slope[0] / length, 1.0 / length, -slope[1] / length];
            pixels.push(pixel(lit(ground(height, range.min < -1.0, normal[1], wet, options.tint), normal, 1.0)));
        }
    }
    (pixels, range)
}
