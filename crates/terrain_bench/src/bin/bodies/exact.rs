//! Rays and balls cast at colliders, against the land itself.

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::tiles::TileAnchor;
use bevy_noise_terrain::{Surface, SurfaceHit};

use crate::engine::Engine;
use crate::world::{Random, app};

const CASTS: usize = 10_000;
const REACH: f32 = 400.0;
const RADIUS: f32 = 0.5;

/// What was cast, and how far from the land it hit.
#[derive(Default)]
pub struct Errors {
    pub ray_mm: f64,
    pub ball_mm: f64,
    /// Balls that went into the ground by more than a millimetre.
    pub inexact_balls: usize,
    pub rays: usize,
    pub balls: usize,
    /// Rays that hit the land and no collider, or the reverse.
    pub missed: usize,
}

/// Casts near the absolute origin, and 1 000 km away.
pub fn measure<E: Engine>() -> Errors {
    let mut errors = Errors::default();
    for far in [0.0, 1e6] {
        cast::<E>(TerrainOrigin { x: far, z: -far }, &mut errors);
    }
    errors
}

fn cast<E: Engine>(origin: TerrainOrigin, errors: &mut Errors) {
    let settings = NoiseTerrain::default();
    let Ok(surface) = settings.surface() else { return };
    let mut app = app::<E>((settings, origin));
    app.world_mut().spawn(TileAnchor { position: Vec3::ZERO, radius: 300.0, velocity: Vec3::ZERO });
    for _ in 0..3 {
        app.update();
    }
    let mut random = Random::new(7);
    let absolute = |point: Vec3| point.as_dvec3() + DVec3::new(origin.x, 0.0, origin.z);
    let rays: Vec<(Vec3, Dir3)> = (0..CASTS)
        .filter_map(|_| {
            let mut point = random.on_plane(150.0);
            let height = surface.height(origin.x + f64::from(point.x), origin.z + f64::from(point.z));
            point.y = (height + random.between(2.0, 60.0)) as f32;
            let way = random.on_plane(1.0) + Vec3::Y * random.between(-3.0, 0.2) as f32;
            Some((point, Dir3::new(way).ok()?))
        })
        .collect();
    for (&(point, way), hit) in rays.iter().zip(E::cast_rays(app.world_mut(), &rays, REACH)) {
        let land = surface.raycast(absolute(point), way.as_dvec3(), f64::from(REACH));
        errors.missed += compare(&surface, absolute(point), way, hit, land, errors);
    }
    for (&(point, way), hit) in rays.iter().zip(E::cast_balls(app.world_mut(), &rays, RADIUS, REACH)) {
        let Some(hit) = hit.filter(|&hit| hit > 0.0 && hit < 120.0) else { continue };
        let centre = absolute(point) + f64::from(hit) * way.as_dvec3();
        errors.balls += 1;
        let error = 1e3 * (distance(&surface, centre) - f64::from(RADIUS)).abs();
        errors.ball_mm = errors.ball_mm.max(error);
        errors.inexact_balls += usize::from(error > 1.0);
    }
}

/// Notes how far a ray's end is from the land. Returns 1 if only one of the two was hit.
fn compare(
    surface: &Surface,
    origin: DVec3,
    way: Dir3,
    hit: Option<f32>,
    land: Option<SurfaceHit>,
    errors: &mut Errors,
) -> usize {
    // A ray that only just touches a crest may pass on one side and not on the other: tiles end at 300 m.
    let near = |distance: f64| distance < 120.0;
    match (hit.map(f64::from), land) {
        (Some(hit), Some(land)) if near(hit) || near(land.distance) => {
            errors.rays += 1;
            let end = origin + hit * way.as_dvec3();
            let error = (end.y - surface.height(end.x, end.z)).abs() * surface.normal(end.x, end.z).y;
            errors.ray_mm = errors.ray_mm.max(1e3 * error);
            usize::from((hit - land.distance).abs() > 0.5)
        }
        (Some(hit), None) => usize::from(near(hit)),
        (None, Some(land)) => usize::from(near(land.distance)),
        _ => 0,
    }
}

/// How far a point is from the triangles of the land near it.
fn distance(surface: &Surface, point: DVec3) -> f64 {
    let spacing = surface.spacing();
    let cell = [point.x, point.z].map(|metres| (metres / spacing).floor());
    let corner = |i: i32, j: i32| {
        let [x, z] = [cell[0] + f64::from(i), cell[1] + f64::from(j)].map(|cell| cell * spacing);
        DVec3::new(x, surface.height(x, z), z)
    };
    let mut least = f64::INFINITY;
    for i in -1..=1 {
        for j in -1..=1 {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            least = least.min(to_triangle(point, [a, b, c])).min(to_triangle(point, [a, c, d]));
        }
    }
    least
}

/// Distance of a point from a triangle: from its plane, or from the nearest of its edges.
fn to_triangle(point: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a).normalize();
    let inside = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal) >= 0.0;
    if inside(a, b) && inside(b, c) && inside(c, a) {
        return (point - a).dot(normal).abs();
    }
    let to_edge = |from: DVec3, to: DVec3| {
        let edge = to - from;
        let t = ((point - from).dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
        (point - from - t * edge).length()
    };
    to_edge(a, b).min(to_edge(b, c)).min(to_edge(c, a))
}
