//! What the tools show on the ground, as lines.

use std::f64::consts::TAU;

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::internal::segments;

use super::tools::{Sculpt, Tool};

/// Segments of a circle.
const CIRCLE: usize = 96;
/// Points of a road's course that are drawn at most, about.
const COURSE: usize = 512;
/// Height of a line over the ground, in metres and as a share of what it surrounds: more would look detached, less would sink
/// in between two of its points.
const LIFT: [f64; 2] = [0.1, 0.01];

const EDGE: Color = Color::srgb(1.0, 1.0, 1.0);
const FULL: Color = Color::srgb(1.0, 0.75, 0.2);

/// A line on the ground: absolute positions.
pub struct Line {
    pub points: Vec<DVec3>,
    pub color: Color,
}

/// The lines of the chosen tool.
pub fn of(sculpt: &Sculpt, surface: &Surface) -> Vec<Line> {
    if sculpt.validate().is_err() {
        return Vec::new();
    }
    match (sculpt.tool, sculpt.cursor) {
        (Tool::Brush(_), Some(at)) => {
            let (radius, full) = (sculpt.brush.radius, sculpt.brush.full_radius());
            let mut lines = vec![circle(surface, at, radius, EDGE)];
            // Where they are one, one is enough.
            if full > 0.05 * radius && full < 0.99 * radius {
                lines.push(circle(surface, at, full, FULL));
            }
            lines
        }
        (Tool::Road, cursor) => road(sculpt, cursor, surface),
        _ => Vec::new(),
    }
}

fn circle(surface: &Surface, center: DVec3, radius: f64, color: Color) -> Line {
    let around = (0..=CIRCLE).map(|step| {
        let (sin, cos) = libm::sincos(step as f64 * TAU / CIRCLE as f64);
        [center.x + radius * cos, center.z + radius * sin]
    });
    on_ground(surface, &around.collect::<Vec<_>>(), LIFT[0] + LIFT[1] * radius, color)
}

/// The points so far, the course through them and the pointer, and its sides.
fn road(sculpt: &Sculpt, cursor: Option<DVec3>, surface: &Surface) -> Vec<Line> {
    let width = sculpt.road.width;
    let mut lines: Vec<Line> =
        sculpt.points.iter().chain(&cursor).map(|&point| circle(surface, point, 0.5 * width, FULL)).collect();
    let points: Vec<[f64; 3]> = sculpt.points.iter().chain(&cursor).map(DVec3::to_array).collect();
    let segments = if points.len() < 2 { Vec::new() } else { segments(&points) };
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else { return lines };
    let every = segments.len() / COURSE + 1;
    let ends = segments.iter().step_by(every).map(|segment| (segment.to, [segment.from, segment.to]));
    let course: Vec<([f64; 3], [f64; 2])> = [(first.from, [first.from, first.to])]
        .into_iter()
        .chain(ends)
        .chain([(last.to, [last.from, last.to])])
        .map(|(at, [from, to])| (at, across(from, to)))
        .collect();
    for (side, color) in [(0.0, FULL), (-0.5 * width, EDGE), (0.5 * width, EDGE)] {
        let beside = |&([x, _, z], [dx, dz]): &([f64; 3], [f64; 2])| [x + side * dx, z + side * dz];
        lines.push(on_ground(
            surface,
            &course.iter().map(beside).collect::<Vec<_>>(),
            LIFT[0] + LIFT[1] * width,
            color,
        ));
    }
    lines
}

/// The direction across a segment, of length 1.
fn across([x0, _, z0]: [f64; 3], [x1, _, z1]: [f64; 3]) -> [f64; 2] {
    let [x, z] = [x1 - x0, z1 - z0];
    let length = (x * x + z * z).sqrt().max(f64::MIN_POSITIVE);
    [-z / length, x / length]
}

fn on_ground(surface: &Surface, places: &[[f64; 2]], lift: f64, color: Color) -> Line {
    let heights = surface.heights(places);
    let points = places.iter().zip(heights).map(|(&[x, z], height)| DVec3::new(x, height + lift, z)).collect();
    Line { points, color }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_noise_terrain::NoiseTerrain;
    use bevy_noise_terrain::edits::BrushKind;

    #[test]
    fn lines_follow_the_land_however_far_out() {
        let surface = NoiseTerrain::default().surface().unwrap();
        let far = 4e9;
        let at = |x: f64, z: f64| DVec3::new(far + x, surface.height(far + x, z), z);
        let mut sculpt = Sculpt::default();
        (sculpt.tool, sculpt.cursor) = (Tool::Brush(BrushKind::Raise), Some(at(0.0, 0.0)));
        let circles = of(&sculpt, &surface);
        assert_eq!(circles.len(), 2, "where it ends, and where it has its full effect");
        for (line, radius) in circles.iter().zip([sculpt.brush.radius, sculpt.brush.full_radius()]) {
            let [Some(first), Some(last)] = [line.points.first(), line.points.last()] else { panic!("no points") };
            assert!(first.distance(*last) < 1e-9, "it is closed");
            for point in &line.points {
                let [x, z] = [point.x - far, point.z];
                assert!((x.hypot(z) - radius).abs() < 1e-5);
                let over = point.y - surface.height(point.x, point.z);
                assert!((0.05..0.5).contains(&over), "{over}");
            }
        }
        sculpt.tool = Tool::Road;
        sculpt.points = vec![at(-900.0, 0.0), at(-400.0, 100.0)];
        let lines = of(&sculpt, &surface);
        assert_eq!(lines.len(), 3 + 3);
        let [middle, left, right] = &lines[3..] else { panic!("{}", lines.len()) };
        assert_eq!(middle.points.last().map(|point| point.x), Some(far));
        for ((middle, left), right) in middle.points.iter().zip(&left.points).zip(&right.points) {
            let flat = |a: &DVec3, b: &DVec3| (a.x - b.x).hypot(a.z - b.z);
            assert!((flat(left, right) - 6.0).abs() < 1e-5 && (flat(middle, left) - 3.0).abs() < 1e-5);
        }
        // A circle that cannot be is not drawn.
        sculpt.road.width = f64::NAN;
        assert!(of(&sculpt, &surface).is_empty());
    }
}
