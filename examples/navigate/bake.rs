//! A tile of the navigation mesh, from the heights of the land, the water and what stands there.
//!
//! Land has one layer, so the mesh is flat: heights only tell where one can walk.

use bevy::prelude::*;
use bevy_landmass::prelude::*;
use bevy_noise_terrain::scatter::{ScatterMap, ScatterSolid};
use bevy_noise_terrain::{Surface, prelude::*};

/// Metres along a side of a tile.
pub const TILE: f64 = 64.0;
/// Cells of one metre along a side of a tile.
const CELLS: usize = 64;

/// Metres from the middle of a walker to its sides.
pub const RADIUS: f64 = 0.4;
/// Slopes, as rise over run: from here on it is hard to walk, from here on nobody can.
const STEEP: f64 = 0.45;
pub const STEEPEST: f64 = 0.85;
/// Metres of water that nobody wades through.
pub const DEEPEST: f64 = 0.7;

/// How the ground is to walk on. Ways over hard ground count longer than they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Footing {
    Firm,
    Steep,
    Wet,
}

impl Footing {
    pub const ALL: [Self; 3] = [Self::Firm, Self::Steep, Self::Wet];

    /// What a metre costs, in metres of firm ground.
    pub fn cost(self) -> f32 {
        match self {
            Self::Firm => 1.0,
            Self::Steep => 2.5,
            Self::Wet => 4.0,
        }
    }
}

/// All that decides where one can walk. It can be sent to tasks.
#[derive(Clone)]
pub struct Land {
    pub surface: Surface,
    pub objects: Option<ScatterMap>,
    pub water: Option<TerrainWater>,
}

/// Equal cells that form a rectangle: lattice points of its corners, the second one beyond its last cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Area {
    pub min: [usize; 2],
    pub max: [usize; 2],
    pub footing: Footing,
}

/// The walkable areas of a tile, none of which overlap.
pub fn areas(land: &Land, tile: [i64; 2]) -> Vec<Area> {
    merge(&cells(land, tile))
}

/// The absolute position of a tile's least corner, in metres.
pub fn corner(tile: [i64; 2]) -> [f64; 2] {
    tile.map(|index| index as f64 * TILE)
}

/// The ground of each cell, in rows along x; `None` where one cannot walk.
fn cells(land: &Land, tile: [i64; 2]) -> Vec<Option<Footing>> {
    let [left, top] = corner(tile);
    let side = CELLS + 1;
    let places: Vec<[f64; 2]> =
        (0..side * side).map(|index| [left + (index % side) as f64, top + (index / side) as f64]).collect();
    let heights = land.surface.heights(&places);
    let level = land.water.as_ref().map_or(f64::NEG_INFINITY, |water| f64::from(water.level));
    // A cell's corners and its middle.
    let is_hole = |at: usize| {
        let [x, z] = places[at];
        [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.5, 0.5]]
            .iter()
            .any(|[dx, dz]| land.surface.is_hole(x + dx, z + dz))
    };
    let mut cells: Vec<Option<Footing>> = (0..CELLS * CELLS)
        .map(|cell| {
            let at = cell / CELLS * side + cell % CELLS;
            let [a, b, c, d] = [at, at + 1, at + side, at + side + 1].map(|at| heights[at]);
            let slope = (b - a).abs().max((d - c).abs()).hypot((c - a).abs().max((d - b).abs()));
            let depth = level - a.min(b).min(c).min(d);
            match () {
                () if slope > STEEPEST || depth > DEEPEST || is_hole(at) => None,
                () if depth > 0.0 => Some(Footing::Wet),
                () if slope > STEEP => Some(Footing::Steep),
                () => Some(Footing::Firm),
            }
        })
        .collect();
    let Some(objects) = &land.objects else { return cells };
    // An object that stands outside may reach in.
    let reach = 8.0;
    let (min, max) = ([left - reach, top - reach], [left + TILE + reach, top + TILE + reach]);
    for (object, solid) in objects.solid_objects(min, max) {
        let radius = f64::from(width(solid) * object.size) + RADIUS;
        let place = [object.position.x - left, object.position.z - top];
        // The cells that it reaches, if they are in the tile.
        let [columns, rows] = place.map(|at| {
            let [first, end] = [(at - radius).floor(), (at + radius).ceil()];
            first.clamp(0.0, TILE) as usize..end.clamp(0.0, TILE) as usize
        });
        for z in rows {
            cells[z * CELLS..][columns.clone()].fill(None);
        }
    }
    cells
}

/// How far an object of one metre reaches to the side, in metres.
fn width(solid: ScatterSolid) -> f32 {
    let reach = |solid: ScatterSolid| solid.points().iter().map(|point| point.xz().length()).fold(0.0, f32::max);
    match solid {
        // All variants are about as wide; hulls take a moment to make.
        ScatterSolid::Rock { .. } => 0.7,
        trunk => reach(trunk),
    }
}

/// Rectangles of equal cells, as wide and then as deep as they can be.
fn merge(cells: &[Option<Footing>]) -> Vec<Area> {
    let mut free = cells.to_vec();
    let mut areas = Vec::new();
    for first in 0..free.len() {
        let Some(footing) = free[first] else { continue };
        let (x, z) = (first % CELLS, first / CELLS);
        let row = |z: usize, x_end: usize| z * CELLS + x..z * CELLS + x_end;
        let is_free =
            |free: &[Option<Footing>], row: std::ops::Range<usize>| free[row].iter().all(|&cell| cell == Some(footing));
        let x_end = (x + 1..CELLS).find(|&end| !is_free(&free, row(z, end + 1))).unwrap_or(CELLS);
        let z_end = (z + 1..CELLS).find(|&end| !is_free(&free, row(end, x_end))).unwrap_or(CELLS);
        for z in z..z_end {
            free[row(z, x_end)].fill(None);
        }
        areas.push(Area { min: [x, z], max: [x_end, z_end], footing });
    }
    areas
}

/// A navigation mesh of these areas, with its origin in the tile's least corner; `None` if there are none.
pub fn mesh(areas: &[Area]) -> Option<ValidNavigationMesh3d> {
    let mut is_corner = vec![false; (CELLS + 1) * (CELLS + 1)];
    let point = |x: usize, z: usize| z * (CELLS + 1) + x;
    for &Area { min: [x0, z0], max: [x1, z1], .. } in areas {
        for [x, z] in [[x0, z0], [x1, z0], [x1, z1], [x0, z1]] {
            is_corner[point(x, z)] = true;
        }
    }
    let mut vertices = Vec::new();
    let mut numbers = vec![None; is_corner.len()];
    let mut outline = |&Area { min: [x0, z0], max: [x1, z1], .. }: &Area| -> Vec<usize> {
        let sides = (x0..x1).map(|x| [x, z0]).chain((z0..z1).map(|z| [x1, z]));
        let back = (x0 + 1..=x1).rev().map(|x| [x, z1]).chain((z0 + 1..=z1).rev().map(|z| [x0, z]));
        // Neighbours share an edge only if both name the corners on it.
        let corners = sides.chain(back).filter(|&[x, z]| is_corner[point(x, z)]);
        let number = |[x, z]: [usize; 2]| {
            *numbers[point(x, z)].get_or_insert_with(|| {
                vertices.push(Vec3::new(x as f32, 0.0, z as f32));
                vertices.len() - 1
            })
        };
        corners.map(number).collect()
    };
    let polygons = areas.iter().map(&mut outline).collect();
    let polygon_type_indices = areas.iter().map(|area| area.footing as usize).collect();
    let mesh = NavigationMesh3d { vertices, polygons, polygon_type_indices, height_mesh: None };
    if areas.is_empty() { None } else { mesh.validate().ok() }
}
