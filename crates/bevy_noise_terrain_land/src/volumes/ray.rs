//! Rays against a volume.

use std::cell::{Cell, RefCell};

use bevy::math::DVec3;
use terrain_noise::Scratch;

use crate::edits::{Rect, VolumeHole};
use crate::query::{Place, Surface, SurfaceHit, Triangle, bisect};

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
        // Steps are short, and the triangle below is often that of the step before.
        let below = Cell::new(None::<(Place, [f64; 3])>);
        let site = |t: f64| {
            let at = origin + t * direction;
            let place = Place::new([at.x, at.z], self.spacing);
            let heights = match below.get() {
                Some((known, heights)) if known.is_in_triangle_of(&place) => heights,
                _ => surface.vertex_heights(place),
            };
            below.set(Some((place, heights)));
            Triangle::new(place, heights).land_point(at, self.spacing)
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
        let normal = DVec3::from(density.normals(&[site(met)], &mut Scratch::default())[0].map(f64::from));
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

    use terrain_noise::prelude::*;

    use super::super::{TerrainVolume, TerrainVolumes, VolumeKind, VolumeScatter, VolumeShape};
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

    #[test]
    fn scattered_caves_are_met_by_rays_and_make_room_for_those_of_hands() {
        let noise = perlin().fbm().octaves(3).feature_size(300.0).scale(20.0);
        let land = NoiseTerrain { noise, ..NoiseTerrain::default() }.surface().unwrap();
        let kind = VolumeKind { spacing: 300.0, share: 1.0, min_height: -5.0, ..VolumeKind::caves() };
        let land = land.with_volume_scatter(&VolumeScatter { kinds: vec![kind] }).unwrap();
        let caves: Vec<_> = land.volumes_within([-1_500.0; 2], [1_500.0; 2]).collect();
        assert!((40..100).contains(&caves.len()), "{}", caves.len());
        let (mut hits, mut open) = (0, 0);
        for cave in &caves {
            let [x, z] = cave.center;
            assert!(land.height(x, z) >= -5.0);
            for step in 0..40 {
                let [x, z] = [x - 40.0 + 2.0 * f64::from(step), z + 7.0 - 0.3 * f64::from(step)];
                let from = DVec3::new(x, land.height(x, z) + 30.0, z);
                let hit = land.raycast(from, DVec3::NEG_Y, 200.0).unwrap();
                let at = |by: f64| hit.position + DVec3::Y * by;
                // From air into rock.
                assert!(!land.is_solid(at(0.02)) && land.is_solid(at(-0.02)), "{hit:?}");
                hits += 1;
                open += usize::from(hit.position.y < land.height(x, z) - 3.0);
            }
        }
        assert!(hits > 1_000 && open > 20, "{open} of {hits}");

        // A long ray meets the nearest of all of them.
        let far = land.raycast(DVec3::new(-1e5, 500.0, 0.0), DVec3::new(1.0, -0.01, 0.001), 1e6).unwrap();
        assert!(!land.is_solid(far.position + DVec3::Y * 0.5 - DVec3::X * 0.5));

        // One that somebody digs in is a volume of the list from then on, and there is no other beside it.
        let mut dug = caves[3].clone();
        let [x, z] = dug.center;
        let floor = DVec3::new(x, land.height(x, z) - 30.0, z);
        dug.shapes.push(VolumeShape::dig(floor, floor + 50.0 * DVec3::Y, 3.0));
        let mut volumes = TerrainVolumes::default();
        volumes.apply(dug.clone()).unwrap();
        let land = land.with_volumes(&volumes);
        let there: Vec<_> = land.volumes_within([x - 1.0, z - 1.0], [x + 1.0, z + 1.0]).collect();
        assert_eq!(there, [dug]);
        assert!(land.is_hole(x, z) && !land.is_solid(floor + 10.0 * DVec3::Y));
        assert_eq!(land.volumes_within([-1_500.0; 2], [1_500.0; 2]).count(), caves.len());
    }
}
