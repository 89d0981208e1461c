//! Rays on their way to the land.

use bevy::math::{DVec2, DVec3};
use terrain_noise::Scratch;

use super::strip::{Stretch, Strip};
use super::surface::{Surface, SurfaceHit};
use super::triangle::{Place, Triangle};

/// The steepest slope that a long step reckons with.
const STEEPEST: f64 = 4.0;
/// The least step, as a share of the distance so far.
const SHARE: f64 = 1.0 / 4_000.0;
/// The shortest leap that is worth it, in spacings over the land: where only shorter ones are safe, the ray goes from triangle to
/// triangle.
const SHORTEST_LEAP: f64 = 8.0;
/// How many vertices it asks for at a time: at first, then twice as many each time, and at most. Fewer take as long.
const VERTICES: [usize; 2] = [16, 128];

/// A ray, and how far it has come.
pub(super) struct March<'a> {
    surface: &'a Surface,
    origin: DVec3,
    /// A unit vector.
    direction: DVec3,
    /// Length of the direction's horizontal part.
    horizontal: f64,
    reach: f64,
    /// Metres from the origin.
    distance: f64,
    /// Metres over the land.
    gap: f64,
    /// Above the land 1, below it −1.
    side: f64,
    scratch: Scratch,
    /// Heights that were asked for last.
    heights: Vec<f32>,
}

impl<'a> March<'a> {
    pub fn new(surface: &'a Surface, origin: DVec3, direction: DVec3, reach: f64) -> Self {
        let horizontal = DVec2::new(direction.x, direction.z).length();
        let (scratch, heights) = (Scratch::default(), Vec::new());
        Self { surface, origin, direction, horizontal, reach, distance: 0.0, gap: 0.0, side: 1.0, scratch, heights }
    }

    /// Where it first meets the land outside of holes.
    pub fn hit(mut self) -> Option<SurfaceHit> {
        [self.gap] = self.gaps_at([0.0]);
        if self.gap <= 0.0 {
            let hit = self.cross(0.0);
            if hit.is_some() {
                return hit;
            }
        }
        if self.horizontal == 0.0 {
            let is_met = self.side > 0.0 && self.direction.y < 0.0 && self.gap <= self.reach;
            return if is_met { self.cross(self.gap) } else { None };
        }
        while self.distance < self.reach {
            let before = self.distance;
            let mut hit = if self.is_near() { self.walk() } else { None };
            // Numbers may be too large for triangles.
            if self.distance <= before && hit.is_none() {
                hit = self.leap();
            }
            if hit.is_some() {
                return hit;
            }
        }
        None
    }

    /// How far it may go before it could meet land, or farther.
    fn step(&self) -> f64 {
        let closing = STEEPEST * self.horizontal + (-self.side * self.direction.y).max(0.0);
        (self.side * self.gap / closing).max(SHARE * self.distance)
    }

    /// Whether a leap is not worth it.
    fn is_near(&self) -> bool {
        self.step() * self.horizontal < SHORTEST_LEAP * self.surface.spacing()
    }

    /// Steps over the land, several times if what is found there allows it.
    fn leap(&mut self) -> Option<SurfaceHit> {
        let (start, step) = (self.distance, self.step().max(0.25 * self.surface.spacing()));
        let ends = [1.0, 2.0, 3.0, 4.0, 5.0].map(|steps| (start + steps * step).min(self.reach));
        // Backwards from there.
        let closing = STEEPEST * self.horizontal + (self.side * self.direction.y).max(0.0);
        for (end, gap) in ends.into_iter().zip(self.gaps_at(ends)) {
            let from = self.distance;
            let is_crossed = self.side * gap <= 0.0;
            let is_clear = self.step() + (self.side * gap / closing).max(0.0) >= end - from;
            if from > start && !is_clear {
                break;
            }
            (self.distance, self.gap) = (end, gap);
            if is_crossed {
                let side = self.side;
                let met = bisect(|distance| side * self.gaps_at([distance])[0], from, end);
                return self.cross(met);
            }
        }
        None
    }

    /// Goes from triangle to triangle, until a leap is worth it.
    fn walk(&mut self) -> Option<SurfaceHit> {
        let (from, horizontal, spacing) = (self.distance, self.horizontal, self.surface.spacing());
        let (at, [x, z]) = (self.at(from), [self.direction.x, self.direction.z]);
        let mut strip = Strip::new([at.x, at.z], [x / horizontal, z / horizontal], spacing)?;
        let (mut stretch, mut vertices) = (Stretch::default(), VERTICES[0]);
        loop {
            let before = self.distance;
            // An edge more than there are to the end of the ray, as the first is known; and one vertex more than edges.
            let most = strip.edges_within((self.reach - before) * horizontal).saturating_add(2);
            strip.walk(vertices.min(most), &mut stretch);
            self.ask(&stretch.vertices);
            for crossing in &stretch.crossings {
                let distance = from + crossing.along / horizontal;
                // The first may be behind it, by rounding.
                if distance <= self.distance {
                    continue;
                }
                let [left, right] = crossing.ends.map(|end| f64::from(self.heights[end]));
                let gap = self.at(distance).y - (left + crossing.share * (right - left));
                let hit = self.advance(distance, gap);
                if hit.is_some() || self.distance >= self.reach {
                    return hit;
                }
            }
            if self.distance <= before || !self.is_near() {
                return None;
            }
            vertices = (2 * vertices).min(VERTICES[1]);
        }
    }

    /// Comes to another point over the same triangle.
    fn advance(&mut self, distance: f64, gap: f64) -> Option<SurfaceHit> {
        let (from, over) = (self.distance, self.gap);
        (self.distance, self.gap) = (distance, gap);
        if self.side * gap > 0.0 {
            return None;
        }
        // A ray along the ground, from a hole, meets it at once: 0 / 0.
        let met = from + (distance - from) * (over / (over - gap)).max(0.0);
        if met <= self.reach { self.cross(met) } else { None }
    }

    /// The ray crosses the land at a distance: it is met there, unless that is in a hole.
    fn cross(&mut self, distance: f64) -> Option<SurfaceHit> {
        let position = self.at(distance);
        let [x, z] = [position.x, position.z];
        if self.surface.holes().is_some_and(|holes| holes.contains([x, z])) {
            self.side = -self.side;
            return None;
        }
        let [triangle] = self.triangles([[x, z]]);
        Some(SurfaceHit { position, distance, normal: triangle.normal(self.surface.spacing()) })
    }

    fn at(&self, distance: f64) -> DVec3 {
        self.origin + distance * self.direction
    }

    fn gaps_at<const N: usize>(&mut self, distances: [f64; N]) -> [f64; N] {
        let places = distances.map(|distance| self.at(distance));
        let triangles = self.triangles(places.map(|at| [at.x, at.z]));
        std::array::from_fn(|index| places[index].y - triangles[index].height())
    }

    /// The triangles around absolute positions.
    fn triangles<const N: usize>(&mut self, positions: [[f64; 2]; N]) -> [Triangle; N] {
        let spacing = self.surface.spacing();
        let places = positions.map(|position| Place::new(position, spacing));
        self.ask(places.map(|place| place.vertices(spacing)).as_flattened());
        let heights = self.heights.as_chunks::<3>().0;
        std::array::from_fn(|index| Triangle::new(places[index], heights[index].map(f64::from)))
    }

    /// Asks for the heights at absolute positions.
    fn ask(&mut self, positions: &[[f64; 2]]) {
        self.heights.resize(positions.len(), 0.0);
        self.surface.source.fill_points(positions, self.surface.spacing(), &mut self.scratch, &mut self.heights);
    }
}

/// The last point above ground between `above` and `below`, to a tenth of a millimetre.
pub(crate) fn bisect(mut clearance: impl FnMut(f64) -> f64, mut above: f64, mut below: f64) -> f64 {
    while below - above > 1e-4 {
        let middle = 0.5 * (above + below);
        // At great distances the middle of two neighbours is one of them.
        if middle <= above || middle >= below {
            break;
        }
        if clearance(middle) > 0.0 {
            above = middle;
        } else {
            below = middle;
        }
    }
    above
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use crate::source::{HeightSource, TerrainSource};

    /// Spikes: each vertex has a height of its own, from −2 to 2 m.
    struct Spikes;

    impl HeightSource for Spikes {
        fn fill(&self, _: &terrain_noise::Grid, _: &mut terrain_noise::Scratch, _: &mut [f32]) {
            unreachable!("rays ask for points")
        }

        fn height(&self, [x, z]: [f64; 2], footprint: f64) -> f32 {
            let [i, j] = [x, z].map(|metres| (metres / footprint).round() as i64 as u64);
            let mixed = (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ j.wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
                .wrapping_mul(0xD6E8_FEB8_6659_FD93);
            (mixed >> 40) as f32 / (1 << 22) as f32 - 2.0
        }
    }

    #[test]
    fn near_the_ground_no_spike_is_missed() {
        let directions =
            [[1.0, 0.0], [0.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [2.0, 1.0], [0.3, -0.9], [1e-9, 1.0]];
        let (mut hits, mut misses, mut worst) = (0, 0, 0f64);
        for (spacing, far) in [(1.0, 0.0), (0.7, -5e3), (3.0, 1e7)] {
            let surface = TerrainSource::new(Spikes).surface(spacing);
            for k in 0..40 {
                // On vertices, on edges, on diagonals, and anywhere.
                let place = f64::from(k % 5) * 0.25 * spacing;
                let origin = DVec3::new(
                    (far / spacing).round() * spacing + place,
                    1.9 - 0.05 * f64::from(k),
                    if k % 2 == 0 { place } else { 0.0 },
                );
                for [x, z] in directions {
                    let direction = DVec3::new(x, 0.02 * f64::from(k % 7 - 5), z).normalize();
                    let gap = |t: f64| {
                        let at = origin + t * direction;
                        at.y - surface.height(at.x, at.z)
                    };
                    let hit = surface.raycast(origin, direction, 30.0);
                    let until = hit.map_or(30.0, |hit| hit.distance);
                    let least = (0..3_000)
                        .map(|step| f64::from(step) * 0.01)
                        .take_while(|&t| t < until)
                        .map(gap)
                        .fold(f64::INFINITY, f64::min);
                    assert!(least > -1e-4, "{origin} {direction}, {spacing}: {least} before {until}");
                    if let Some(hit) = hit {
                        hits += 1;
                        worst = worst.max(if hit.distance > 0.0 { gap(hit.distance).abs() } else { 0.0 });
                    } else {
                        misses += 1;
                    }
                }
            }
        }
        assert!(hits > 600 && misses > 40, "{hits} hits, {misses} misses");
        assert!(worst < 1e-5, "{worst} m from the ground");
    }
}
