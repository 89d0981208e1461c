//! The smoothed land around points that share no grid. Its lattice is sampled in tiles, of which every thread keeps some:
//! what a game asks for lies together, and a lattice is wide.

use std::cell::RefCell;

use super::land::line;
use super::window::{AROUND, Reach, TILES, Tile, Window, point_of};
use crate::erosion::gullies::Gullies;
use crate::erosion::spline::{BEFORE, TAPS};
use crate::grid::rows::Pass;
use crate::grid::scratch::{give_spots, take_spots};
use crate::sampler::Node;
use crate::simd::{LANES, Lanes};

/// Tiles along the side of a square that is kept whole.
const KEPT: usize = 32;

/// What tells the lattices apart that lands are sampled on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LatticeKey {
    /// Which gullies it is for.
    gullies: u64,
    spacing: f64,
    /// Of the samples on it.
    footprint: f64,
}

/// Tiles that were sampled: the last of those that belong to a place.
struct TileTable(Vec<(Option<(LatticeKey, Tile)>, Lanes)>);

thread_local! {
    static TABLE: RefCell<TileTable> = const { RefCell::new(TileTable(Vec::new())) };
}

impl TileTable {
    /// The place of a tile. Those of a square of [`KEPT`] tiles have one each.
    fn place(lattice: &LatticeKey, tile: Tile) -> usize {
        // Squares of different gullies are shifted: those of one node and of the node below it are asked for together.
        let shift = 13 * (lattice.gullies % KEPT as u64) as usize;
        let [x, z] = tile.map(|tile| (tile as usize).wrapping_add(shift) % KEPT);
        x + z * KEPT
    }

    fn get(&self, lattice: &LatticeKey, tile: Tile) -> Option<&Lanes> {
        let (of, heights) = self.0.get(Self::place(lattice, tile))?;
        (*of == Some((*lattice, tile))).then_some(heights)
    }

    fn put(&mut self, lattice: &LatticeKey, tile: Tile, heights: &Lanes) {
        if self.0.is_empty() {
            self.0.resize(KEPT * KEPT, (None, Lanes::default()));
        }
        self.0[Self::place(lattice, tile)] = (Some((*lattice, tile)), *heights);
    }
}

/// Tiles to be sampled: no more at once than one window may need. Where positions lie far apart, windows alone are less to
/// sample; and if they are asked for again and again, more of their tiles are kept each time.
#[derive(Default)]
struct Missing {
    tiles: [Tile; TILES],
    count: usize,
}

impl Missing {
    /// Adds the tiles that it has not; none at all if there is no room.
    fn add(&mut self, tiles: impl Iterator<Item = Tile>) -> bool {
        let before = self.count;
        for tile in tiles {
            if self.tiles[..self.count].contains(&tile) {
                continue;
            }
            let Some(next) = self.tiles.get_mut(self.count) else {
                self.count = before;
                return false;
            };
            *next = tile;
            self.count += 1;
        }
        true
    }
}

impl Pass<'_> {
    /// The windows around positions in some cells of the lattice, at most [`LANES`] of them.
    pub fn windows(
        &mut self,
        smooth: &Node,
        gullies: &Gullies,
        footprint: f64,
        cells: &[[i64; 2]],
        windows: &mut [Window],
    ) {
        let (spacing, coarse) = (gullies.spacing(footprint), gullies.footprint(footprint));
        let lattice = LatticeKey { gullies: gullies.id(), spacing, footprint: coarse };
        let mut missing = Missing::default();
        let (mut alone, mut count) = ([0; LANES], 0);
        let mut look_up = |table: &TileTable| {
            for (i, (&cell, window)) in cells.iter().zip(&mut *windows).enumerate() {
                let reach = Reach::new(cell);
                reach.place(window);
                let missed = reach.tiles().filter_map(|(tile, place)| match table.get(&lattice, tile) {
                    Some(heights) => {
                        window.copy(place, heights);
                        None
                    }
                    None => Some(tile),
                });
                if !missing.add(missed) {
                    alone[count] = i;
                    count += 1;
                }
            }
        };
        if TABLE.try_with(|table| look_up(&table.borrow())).is_err() {
            // The thread ends, and its table is gone.
            look_up(&TileTable(Vec::new()));
        }
        if missing.count > 0 {
            self.sample_tiles(smooth, &lattice, &missing.tiles[..missing.count], cells, windows);
        }
        if count > 0 {
            self.sample_windows(smooth, &lattice, &alone[..count], cells, windows);
        }
    }

    /// Samples tiles, keeps them, and copies them to the windows that reach into them.
    fn sample_tiles(
        &mut self,
        smooth: &Node,
        lattice: &LatticeKey,
        tiles: &[Tile],
        cells: &[[i64; 2]],
        windows: &mut [Window],
    ) {
        let point = |k: usize| point_of(tiles[k / LANES], k % LANES);
        let heights = self.sample(smooth, lattice, tiles.len() * LANES, point);
        for (&cell, window) in cells.iter().zip(windows) {
            for (tile, place) in Reach::new(cell).tiles() {
                if let Some(i) = tiles.iter().position(|&sampled| sampled == tile) {
                    window.copy(place, &heights[i]);
                }
            }
        }
        let keep = |table: &RefCell<TileTable>| {
            let mut table = table.borrow_mut();
            tiles.iter().zip(&heights).for_each(|(&tile, heights)| table.put(lattice, tile, heights));
        };
        // A thread that ends keeps nothing.
        let _ = TABLE.try_with(keep);
        self.give_rows::<f32, 1>([heights]);
    }

    /// Samples some of the windows, and keeps nothing.
    fn sample_windows(
        &mut self,
        smooth: &Node,
        lattice: &LatticeKey,
        alone: &[usize],
        cells: &[[i64; 2]],
        windows: &mut [Window],
    ) {
        let heights = self.sample(smooth, lattice, alone.len() * AROUND, |k| {
            let [x, z] = cells[alone[k / AROUND]].map(|cell| cell - BEFORE);
            [x + (k % TAPS) as i64, z + (k % AROUND / TAPS) as i64]
        });
        for k in 0..alone.len() * AROUND {
            windows[alone[k / AROUND]].set(k % AROUND / TAPS, k % TAPS, heights[k / LANES].0[k % LANES]);
        }
        self.give_rows::<f32, 1>([heights]);
    }

    /// The heights of lattice points, at most [`AROUND`] blocks of them. They are to be given back.
    #[inline(never)]
    fn sample(
        &mut self,
        smooth: &Node,
        lattice: &LatticeKey,
        count: usize,
        point: impl Fn(usize) -> [i64; 2],
    ) -> Vec<Lanes> {
        let blocks = count.div_ceil(LANES);
        let mut spots = take_spots::<f32>(self.scratch, blocks);
        let [mut heights] = self.rows::<f32, 1>(blocks);
        for k in 0..blocks * LANES {
            let [x, z] = point(k.min(count - 1)).map(|which| line(which, lattice.spacing));
            let spot = &mut spots[k / LANES];
            [spot[0].0[k % LANES], spot[1].0[k % LANES]] = [x, z];
        }
        self.points::<f32>(smooth, &spots, lattice.footprint, &mut heights);
        give_spots::<f32>(self.scratch, spots);
        heights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_of_tiles_is_kept_whole() {
        let lattice = LatticeKey { gullies: 7, spacing: 9.0, footprint: 20.0 };
        let mut table = TileTable(Vec::new());
        let square = || (-5..27).flat_map(|x| (100..132).map(move |z| [x, z]));
        for tile in square() {
            table.put(&lattice, tile, &Lanes([(tile[0] * 1000 + tile[1]) as f32; LANES]));
        }
        for tile in square() {
            assert_eq!(table.get(&lattice, tile).unwrap().0[3], (tile[0] * 1000 + tile[1]) as f32, "{tile:?}");
        }
        assert!(table.get(&LatticeKey { gullies: 8, ..lattice }, [0, 100]).is_none());
        // The tile that belongs to the same place.
        assert!(table.get(&lattice, [27, 100]).is_none() && table.get(&lattice, [27 - KEPT as i64, 100]).is_some());
    }

    #[test]
    fn tiles_without_room_are_not_added() {
        let mut missing = Missing::default();
        let row = |from: i64, to: i64| (from..to).map(|x| [x, 0]);
        assert!(missing.add(row(0, 6)) && missing.add(row(4, 8)));
        assert!(!missing.add(row(7, 12)));
        assert_eq!(missing.tiles[..missing.count].to_vec(), row(0, 8).collect::<Vec<_>>());
        assert!(missing.add(row(20, 21)) && !missing.add(row(21, 22)) && missing.add(row(0, 8)));
    }
}
