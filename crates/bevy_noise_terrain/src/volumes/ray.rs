//! Rays against a volume.

use std::cell::RefCell;

use bevy::math::DVec3;
use terrain_noise::Scratch;

use super::density::LandPoint;
use crate::edits::{Rect, VolumeHole};
use crate::query::{Surface, SurfaceHit, bisect};

/// The part of the way to the surface that one step takes. Densities that rise by more than 1/this a metre may be stepped over.
const SHARE: f64 = 0.4;
/// The smallest and the greatest step, in distances of samples.
const STEPS: [f64; 2] = [0.2, 4.0];

impl VolumeHole {
    /// Where a ray first meets rock within the box; one that begins or enters in rock meets it at once.
    pub(crate) fn raycast(&self, surface: &Surface, origin: DVec3, direction: DVec3, reach: f64) -> Option<SurfaceHit> {
        let direction = direction.try_normalize()?;
        let density = self.density();
        let [first, last] = crossing(density.rect(), origin, direction, reach)?;
        let scratch = RefCell::new(Scratch::default());
        let site = |t: f64| {
            let at = origin + t * direction;
            LandPoint { at: at.to_array(), height: surface.height(at.x, at.z), slope: [0.0; 2] }
        };
        let rock = |t: f64| {
            let site = site(t);
            let [low, high] = density.span(site.height);
            // Far above all that may be there, the next step is as far.
            let over = site.at[1] - high;
            if over > 0.0 {
                (-over, true)
            } else {
                (density.values(&[site], &mut scratch.borrow_mut())[0], site.at[1] < low)
            }
        };
        let (mut before, mut t) = (first, first);
        loop {
            let (value, is_outside) = rock(t);
            if value > 0.0 {
                break;
            }
            if t >= last {
                return None;
            }
            before = t;
            let [least, most] = STEPS.map(|step| step * self.spacing);
            let step = (-value * SHARE * if is_outside { 0.6 } else { 1.0 }).max(least);
            t = (t + if is_outside { step } else { step.min(most) }).min(last);
        }
        let met = bisect(|t| -rock(t).0, before, t);
        let position = origin + met * direction;
        let normal = surface.normal(position.x, position.z);
        let site = LandPoint { slope: [-normal.x / normal.y, -normal.z / normal.y], ..site(met) };
        let normal = DVec3::from(density.normals(&[site], &mut Scratch::default())[0].map(f64::from));
        Some(SurfaceHit { position, distance: met, normal })
    }
}

/// Where a ray is within a rectangle, seen from above.
fn crossing(rect: &Rect, origin: DVec3, direction: DVec3, reach: f64) -> Option<[f64; 2]> {
    let mut range = [0.0, reach];
    for (axis, (from, way)) in [(origin.x, direction.x), (origin.z, direction.z)].into_iter().enumerate() {
        if way == 0.0 {
            if from < rect.min[axis] || from > rect.max[axis] {
                return None;
            }
            continue;
        }
        let [a, b] = [rect.min[axis], rect.max[axis]].map(|side| (side - from) / way);
        range = [range[0].max(a.min(b)), range[1].min(a.max(b))];
    }
    (range[0] <= range[1]).then_some(range)
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::super::{TerrainVolume, TerrainVolumes, VolumeShape};
    use crate::NoiseTerrain;

    #[test]
    fn rays_meet_floors_and_ceilings() {
        let noise = terrain_noise::constant(10.0);
        let land = NoiseTerrain { noise, ..NoiseTerrain::default() }.surface().unwrap();
        let mut volumes = TerrainVolumes::default();
        // A tunnel under the land, and a shaft down to it.
        let shapes = vec![
            VolumeShape::dig(DVec3::new(-15.0, -2.0, 0.0), DVec3::new(15.0, -2.0, 0.0), 3.0),
            VolumeShape::dig(DVec3::new(0.0, -2.0, 0.0), DVec3::new(0.0, 20.0, 0.0), 2.0),
        ];
        volumes.apply(TerrainVolume { shapes, ..TerrainVolume::default() }).unwrap();
        let land = land.with_volumes(&volumes);
        let hit = |from: DVec3, way: DVec3| land.raycast(from, way, 1e3);
        let near = |a: f64, b: f64| (a - b).abs() < 0.01;
        let down = hit(DVec3::new(0.0, 50.0, 0.0), DVec3::NEG_Y).unwrap();
        assert!(near(down.position.y, -5.0) && down.normal.y > 0.99, "{down:?}");
        let beside = hit(DVec3::new(8.0, 50.0, 0.0), DVec3::NEG_Y).unwrap();
        assert!(near(beside.position.y, 10.0) && beside.normal.y > 0.99, "{beside:?}");
        let up = hit(DVec3::new(8.0, -2.0, 0.0), DVec3::Y).unwrap();
        assert!(near(up.position.y, 1.0) && up.normal.y < -0.99, "{up:?}");
        let out = hit(DVec3::new(8.0, -2.0, 0.0), DVec3::X).unwrap();
        assert!(near(out.position.x, 18.0), "{out:?}");
        assert_eq!(hit(DVec3::new(0.0, -2.0, 0.0), DVec3::Y), None, "through the shaft");
        let far = hit(DVec3::new(-500.0, 60.0, 9.0), DVec3::new(10.0, -1.0, 0.0)).unwrap();
        assert!(near(far.position.y, 10.0), "{far:?}");
        // Open where the shaft is, and only there.
        assert!(land.is_hole(0.0, 0.0) && !land.is_hole(8.0, 0.0) && land.ground(0.0, 0.0).is_none());
        let solid = |x: f64, y: f64| land.is_solid(DVec3::new(x, y, 0.0));
        assert!(!solid(8.0, -2.0) && solid(8.0, 5.0) && !solid(8.0, 11.0) && !solid(0.0, 5.0) && solid(200.0, 9.0));
    }
}
