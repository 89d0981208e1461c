//! Rays against the land.

use bevy::math::DVec3;

use super::march::March;
use super::surface::{Surface, SurfaceHit};

/// How far rays go, in metres.
const FARTHEST: f64 = 1e6;

impl Surface {
    /// Where a ray first meets the land within `reach` metres, of which 1 000 km are looked at. A ray that begins below
    /// ground meets it at once.
    ///
    /// It passes through [holes](crate::edits::TerrainHoles), and so does one that begins in or below a hole. Under the land it
    /// goes on, as in the open, until it meets the land from below.
    ///
    /// Near the ground it goes from triangle to triangle and misses none. Higher up its steps are as long as land no steeper
    /// than 76° allows: a sharper spike may be missed. Far out, beyond some 32 000 spacings, steps are a four-thousandth of the
    /// distance so far or longer, near the ground too.
    pub fn raycast(&self, origin: DVec3, direction: DVec3, reach: f64) -> Option<SurfaceHit> {
        let land = self.meet_land(origin, direction, reach);
        let Some(holes) = self.holes() else { return land };
        let reach = land.map_or(reach, |hit| hit.distance);
        let Some(direction) = direction.try_normalize().filter(|_| origin.is_finite()) else { return land };
        let volumes = holes.volumes_along(origin, direction, reach.min(FARTHEST));
        let hits = volumes.filter_map(|hole| hole.raycast(self, origin, direction, reach));
        hits.chain(land).min_by(|a, b| a.distance.total_cmp(&b.distance))
    }

    /// Where a ray first meets the land outside of holes and volumes.
    fn meet_land(&self, origin: DVec3, direction: DVec3, reach: f64) -> Option<SurfaceHit> {
        let direction = direction.try_normalize().filter(|_| origin.is_finite())?;
        March::new(self, origin, direction, reach.min(FARTHEST)).hit()
    }

    /// Whether the straight line between two points passes over the land, as a look or a shot does. Points on the ground
    /// see and are seen: a hundredth of the spacing at either end does not count. Positions that are not finite see
    /// nothing.
    ///
    /// Marches as [`raycast`](Self::raycast) does, up to 1 000 km.
    pub fn sees(&self, from: DVec3, to: DVec3) -> bool {
        let path = to - from;
        let (length, ends) = (path.length(), 0.01 * self.spacing);
        if !length.is_finite() {
            return false;
        }
        if length <= 2.0 * ends {
            return true;
        }
        let direction = path / length;
        // Above the ground at once, so that a line that rises from it does not begin below it.
        let lifted = from + ends * (direction + DVec3::Y);
        self.raycast(lifted, direction, length - 2.0 * ends).is_none()
    }
}

#[cfg(test)]
mod tests {
    use terrain_noise::prelude::*;

    use super::*;
    use crate::NoiseTerrain;

    #[test]
    fn a_ray_ends_on_the_ground() {
        let surface = NoiseTerrain::default().surface().unwrap();
        for (x, direction) in
            [(0.0, DVec3::NEG_Y), (5e3, DVec3::new(1.0, -0.4, 0.3)), (1e7, DVec3::new(-0.2, -0.5, 0.9))]
        {
            let origin = DVec3::new(x, surface.height(x, 0.0) + 400.0, 0.0);
            let hit = surface.raycast(origin, direction, 1e5).unwrap();
            assert!((hit.position.y - surface.height(hit.position.x, hit.position.z)).abs() < 1e-2);
            assert!((hit.position.distance(origin) - hit.distance).abs() < 1e-6 * x.max(1.0));
            assert!(hit.normal.y > 0.0);
        }
        assert_eq!(surface.raycast(DVec3::Y * 9e3, DVec3::Y, 1e5), None);
        // Rays end, however far they may go: level ones above all summits, along the ground, and to nowhere.
        for reach in [1e12, f64::MAX, f64::INFINITY, f64::NAN] {
            let began = std::time::Instant::now();
            assert_eq!(surface.raycast(DVec3::Y * 9e3, DVec3::X, reach), None);
            let low = DVec3::Y * (surface.height(0.0, 0.0) + 0.01);
            let _ = surface.raycast(low, DVec3::X, reach);
            assert_eq!(surface.raycast(DVec3::Y * f64::INFINITY, DVec3::X, reach), None);
            assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
        }
        assert_eq!(surface.raycast(DVec3::Y * 9e3, DVec3::ZERO, 1e5), None);
    }

    #[test]
    fn hills_hide_what_is_behind_them() {
        // Hills of 20 m, 100 m apart.
        let noise = perlin().feature_size(100.0).scale(20.0);
        let surface = NoiseTerrain { noise, ..NoiseTerrain::default() }.surface().unwrap();
        let stands = |x: f64, z: f64, height: f64| DVec3::new(x, surface.height(x, z) + height, z);
        let (mut seen, mut hidden) = (0, 0);
        for k in 0..200 {
            let from = stands(f64::from(k) * 37.0, 5.0, 1.7);
            let to = stands(f64::from(k) * 37.0 + 150.0, 60.0, 1.7);
            let steps = 4_000;
            let above = |i: i32| {
                let p = from.lerp(to, f64::from(i) / f64::from(steps));
                p.y - surface.height(p.x, p.z)
            };
            let least = (0..=steps).map(above).fold(f64::INFINITY, f64::min);
            // Near grazing the steps decide.
            if least.abs() > 0.05 {
                assert_eq!(surface.sees(from, to), least > 0.0, "{k}: {least} m above the ground");
                assert_eq!(surface.sees(to, from), least > 0.0, "{k}: {least} m above the ground");
                *if least > 0.0 { &mut seen } else { &mut hidden } += 1;
            }
            assert!(surface.sees(from, from - DVec3::Y * 1.7), "the ground below");
            assert!(surface.sees(from - DVec3::Y * 1.7, from), "from the ground below");
        }
        assert!(seen > 20 && hidden > 20, "{seen} seen, {hidden} hidden");
        assert!(!surface.sees(DVec3::NAN, DVec3::Y) && !surface.sees(DVec3::Y, DVec3::INFINITY));
    }
}
