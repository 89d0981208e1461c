//! Where a kind's objects stand: a pure function of settings, source and cell. The same on every machine.
//!
//! A cell is cut into n × n equal squares with one candidate each, somewhere in its square: as dense as asked,
//! without rows and without crowding. A hash of the seed and the candidate's number decides everything
//! about it. The ground's height and slope and the patches are sampled on a grid over the cell.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use terrain_noise::{Compose, Grid, NoiseError, Sampler, Scratch, perlin};

use super::settings::{Patches, ScatterKind};
use crate::chunk::CHUNK_QUADS;
use crate::source::HeightSource;

/// Cells are at most this wide, in metres, if the spacing allows it.
const MAX_CELL: f64 = 96.0;
/// Most candidates along one side of a cell.
const MAX_SIDE: f64 = 2_048.0;
/// Samples of the ground along one side of a cell at most.
const SAMPLES: u32 = 32;

/// A square of the plane, `cell_quads` quads of level 0 wide.
pub type Cell = [i64; 2];

/// One object: 16 bytes, the very ones the shader reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Instance {
    /// Metres from the cell's corner of least x and z.
    pub place: [f32; 2],
    /// Turn about the vertical, as a share of a full turn.
    pub yaw: u16,
    /// 0: the kind's least size, 65 535: its greatest.
    pub size: u16,
    /// The order in which objects vanish with distance: the greatest first.
    pub rank: u16,
    /// Picks the colour.
    pub tint: u16,
}

/// The objects of one square part of a cell, by rising rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Which part, along x and z.
    pub index: [u16; 2],
    /// Its objects: at most [`Lattice::capacity`].
    pub instances: Vec<Instance>,
}

/// What a job yields for one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Lowest and highest ground.
    pub heights: [f32; 2],
    /// For each kind that was asked for: its index and its blocks that are not empty.
    pub kinds: Vec<(usize, Vec<Block>)>,
}

impl Placed {
    /// Bytes of its objects.
    pub fn bytes(&self) -> usize {
        let blocks = self.kinds.iter().flat_map(|(_, blocks)| blocks);
        blocks.map(|block| block.instances.len() * size_of::<Instance>()).sum()
    }
}

/// How a cell is cut for one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// Blocks along one side of the cell.
    pub blocks: u32,
    /// Candidates along one side of a block.
    pub side: u32,
}

impl Lattice {
    /// For `density` objects per square metre in cells `width` metres wide, blocks of at most `most` candidates.
    pub fn new(density: f32, width: f64, most: u32) -> Self {
        let all = (f64::from(density).sqrt() * width).ceil().clamp(1.0, MAX_SIDE) as u32;
        let longest = most.max(1).isqrt();
        let blocks = all.div_ceil(longest);
        Self { blocks, side: all.div_ceil(blocks) }
    }

    /// Most objects of a block.
    pub fn capacity(&self) -> u32 {
        self.side * self.side
    }

    fn candidates(&self) -> u32 {
        self.blocks * self.side
    }
}

/// The width of a cell in quads of level 0: that of a chunk, or an even part of it where quads are wide.
pub fn cell_quads(spacing: f64) -> u32 {
    let mut quads = CHUNK_QUADS as u32;
    while quads > 1 && f64::from(quads) * spacing > MAX_CELL {
        quads /= 2;
    }
    quads
}

/// A noise with its values where a group ends and where it is full.
#[derive(Clone, Debug)]
struct Mask {
    noise: Sampler,
    none: f32,
    all: f32,
}

impl Mask {
    fn new(patches: &Patches) -> Result<Self, NoiseError> {
        const SIDE: usize = 96;
        let noise = perlin().fbm().octaves(4).feature_size(patches.feature_size).build(patches.seed)?;
        // The share of the plane above a value is counted, not guessed.
        let grid = Grid::new([0, 0], 0.37 * patches.feature_size, [SIDE, SIDE]);
        let mut values = vec![0.0; grid.len()];
        noise.fill(&Grid { footprint: 0.0, ..grid }, &mut Scratch::default(), &mut values);
        values.sort_unstable_by(f32::total_cmp);
        let above = |share: f32| values[((1.0 - share) * (values.len() - 1) as f32) as usize];
        let covered = if patches.inverted { 1.0 - patches.coverage } else { patches.coverage };
        let soft = 0.06f32.min(covered).min(1.0 - covered);
        let (low, high) = (above(covered + soft), above(covered - soft));
        let (none, all) = if patches.inverted { (high, low) } else { (low, high) };
        Ok(Self { noise, none, all })
    }
}

/// From 0 at `none` to 1 at `all`, which may be the lesser.
fn ramp(none: f32, all: f32, value: f32) -> f32 {
    if none == all {
        return if value >= all { 1.0 } else { 0.0 };
    }
    ((value - none) / (all - none)).clamp(0.0, 1.0)
}

/// A kind, made ready for placing.
#[derive(Clone, Debug)]
pub struct Rule {
    kind: ScatterKind,
    pub lattice: Lattice,
    mask: Option<Mask>,
    /// Squares of the tangents of the least and greatest slope.
    slopes: [f32; 2],
}

impl Rule {
    /// For cells `width` metres wide, in blocks of at most `most` objects.
    ///
    /// # Errors
    /// If the patches have no noise.
    pub fn new(kind: &ScatterKind, width: f64, most: u32) -> Result<Self, NoiseError> {
        let slopes = [kind.min_slope, kind.max_slope].map(|slope| {
            // The tangent must have the same bits everywhere.
            let tangent = libm::tanf(slope);
            tangent * tangent
        });
        let mut kind = kind.clone();
        let grouped = match kind.patches.take() {
            Some(patches) if patches.coverage <= 0.0 => {
                kind.density = 0.0;
                None
            }
            patches => patches.filter(|patches| patches.coverage < 1.0),
        };
        let mask = grouped.as_ref().map(Mask::new).transpose()?;
        Ok(Self { lattice: Lattice::new(kind.density, width, most), kind, mask, slopes })
    }

    /// How likely an object stands on ground of this height, slope (as the tangent squared) and mask value.
    fn chance(&self, height: f32, slope: f32, mask: f32) -> f32 {
        let kind = &self.kind;
        if !(kind.min_height..=kind.max_height).contains(&height) || !(self.slopes[0]..=self.slopes[1]).contains(&slope)
        {
            return 0.0;
        }
        let inside = (height - kind.min_height).min(kind.max_height - height);
        let by_height = if kind.height_fade > 0.0 { (inside / kind.height_fade).min(1.0) } else { 1.0 };
        // Rarer over the last and first part of the slopes.
        let steep = ramp(self.slopes[1], 0.6 * self.slopes[1], slope);
        let gentle = if self.slopes[0] > 0.0 { ramp(self.slopes[0], 1.5 * self.slopes[0], slope) } else { 1.0 };
        by_height * steep * gentle * self.mask.as_ref().map_or(1.0, |used| ramp(used.none, used.all, mask))
    }
}

/// The ground and the rules of a terrain.
#[derive(Clone)]
pub struct Ground {
    pub source: Arc<dyn HeightSource>,
    pub spacing: f64,
    pub rules: Arc<[Rule]>,
}

/// Buffers that are kept from cell to cell.
#[derive(Default)]
pub struct PlaceScratch {
    noise: Scratch,
    heights: Vec<f32>,
    mask: Vec<f32>,
}

/// Samples over a cell with an apron of one.
struct Relief<'a> {
    heights: &'a [f32],
    mask: &'a [f32],
    side: usize,
    step: f32,
}

impl Relief<'_> {
    /// Height, squared tangent of the slope and mask, between the samples.
    fn at(&self, [x, z]: [f32; 2]) -> (f32, f32, f32) {
        let (x, z) = (x / self.step, z / self.step);
        let cell = |v: f32| (v as usize).min(self.side - 4);
        let (i, j) = (cell(x), cell(z));
        let (u, v) = (x - i as f32, z - j as f32);
        let blend = |values: [f32; 4]| {
            let low = values[0] + u * (values[1] - values[0]);
            let high = values[2] + u * (values[3] - values[2]);
            low + v * (high - low)
        };
        let corners = [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)].map(|(i, j)| (j + 1) * self.side + i + 1);
        let scale = 0.5 / self.step;
        let dx = blend(corners.map(|at| (self.heights[at + 1] - self.heights[at - 1]) * scale));
        let dz = blend(corners.map(|at| (self.heights[at + self.side] - self.heights[at - self.side]) * scale));
        let mask = if self.mask.is_empty() { 0.0 } else { blend(corners.map(|at| self.mask[at])) };
        (blend(corners.map(|at| self.heights[at])), dx * dx + dz * dz, mask)
    }
}

impl Ground {
    /// Width of a cell in metres.
    pub fn width(&self) -> f64 {
        f64::from(cell_quads(self.spacing)) * self.spacing
    }

    /// Places the kinds named by the bits of `kinds` in `cell`.
    pub fn place(&self, cell: Cell, kinds: u32, scratch: &mut PlaceScratch) -> Placed {
        let quads = cell_quads(self.spacing);
        let step = quads.div_ceil(SAMPLES);
        let along = quads / step;
        let side = along as usize + 3;
        let start = cell.map(|cell| cell.wrapping_mul(i64::from(along)).wrapping_sub(1));
        let grid = Grid::new(start, self.spacing * f64::from(step), [side, side]);
        let PlaceScratch { noise, heights, mask } = scratch;
        heights.resize(grid.len(), 0.0);
        self.source.fill(&grid, noise, heights);
        let mut placed = Placed { heights: [f32::INFINITY, f32::NEG_INFINITY], kinds: Vec::new() };
        for &height in &*heights {
            placed.heights = [placed.heights[0].min(height), placed.heights[1].max(height)];
        }
        for (index, rule) in self.rules.iter().enumerate() {
            if kinds & (1 << index) == 0 {
                continue;
            }
            mask.clear();
            if let Some(used) = &rule.mask {
                mask.resize(grid.len(), 0.0);
                used.noise.fill(&grid, noise, mask);
            }
            let relief = Relief { heights, mask, side, step: grid.spacing as f32 };
            placed.kinds.push((index, rule.fill(cell, self.width() as f32, &relief)));
        }
        placed
    }
}

impl Rule {
    fn fill(&self, cell: Cell, width: f32, relief: &Relief) -> Vec<Block> {
        let Lattice { blocks, side } = self.lattice;
        let square = width / self.lattice.candidates() as f32;
        let share = self.kind.density * square * square;
        let seed = cell.iter().fold(self.kind.seed, |seed, &cell| mix(seed ^ (cell as u64)));
        let mut filled = Vec::new();
        for index in (0..blocks).flat_map(|z| (0..blocks).map(move |x| [x, z])) {
            let mut instances = Vec::new();
            for [i, j] in (0..side).flat_map(|j| (0..side).map(move |i| [i, j])) {
                let at = [index[0] * side + i, index[1] * side + j];
                let hash = mix(seed.wrapping_add(u64::from(at[0]) | u64::from(at[1]) << 32));
                let jitter = [hash & 0xFF_FFFF, (hash >> 24) & 0xFF_FFFF].map(|bits| bits as f32 / 16_777_216.0);
                // Rounding must not carry an object over the border.
                let place = [0, 1].map(|axis| ((at[axis] as f32 + jitter[axis]) * square).min(width.next_down()));
                let (height, slope, mask) = relief.at(place);
                let chance = self.chance(height, slope, mask);
                let luck = ((hash >> 48) as f32 + 0.5) / 65_536.0;
                if luck >= share * chance {
                    continue;
                }
                let look = mix(hash);
                // At the edge of a group the young ones grow.
                let size = (look >> 16) as u16;
                let size = (f32::from(size) * (0.35 + 0.65 * chance)) as u16;
                let (yaw, rank, tint) = (look as u16, (look >> 32) as u16, (look >> 48) as u16);
                instances.push(Instance { place, yaw, size, rank, tint });
            }
            if !instances.is_empty() {
                instances.sort_by_key(|instance| instance.rank);
                filled.push(Block { index: index.map(|index| index as u16), instances });
            }
        }
        filled
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014), after its increment.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoiseTerrain;
    use crate::source::NoiseSource;

    /// Level along z, rising along x by `slope`.
    struct Ramp {
        slope: f64,
    }

    impl HeightSource for Ramp {
        fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
            for (index, height) in heights.iter_mut().enumerate() {
                *height = self.height([grid.x(index % grid.size[0]), grid.z(index / grid.size[0])], 0.0);
            }
        }

        fn height(&self, [x, _]: [f64; 2], _: f64) -> f32 {
            (self.slope * x) as f32
        }
    }

    const WIDTH: f64 = 64.0;

    fn ground(source: Arc<dyn HeightSource>, kinds: &[ScatterKind]) -> Ground {
        let rules = kinds.iter().map(|kind| Rule::new(kind, WIDTH, 900).unwrap()).collect();
        Ground { source, spacing: 1.0, rules }
    }

    fn on_ramp(slope: f64, kind: ScatterKind) -> Ground {
        ground(Arc::new(Ramp { slope }), &[kind])
    }

    fn place(ground: &Ground, cell: Cell) -> Vec<Instance> {
        let placed = ground.place(cell, 1, &mut PlaceScratch::default());
        placed.kinds[0].1.iter().flat_map(|block| block.instances.clone()).collect()
    }

    /// Objects of cells along x, with absolute places.
    fn along_x(ground: &Ground, cells: std::ops::Range<i64>) -> Vec<([f64; 2], Instance)> {
        let of = |cell: i64| {
            let instances = place(ground, [cell, 3]);
            instances.into_iter().map(move |instance| {
                let [x, z] = instance.place.map(f64::from);
                ([cell as f64 * WIDTH + x, 3.0 * WIDTH + z], instance)
            })
        };
        cells.flat_map(of).collect()
    }

    #[test]
    fn a_cell_depends_on_nothing_but_its_settings() {
        let terrain = NoiseTerrain::default();
        let source = Arc::new(NoiseSource(terrain.noise.build(1).unwrap()));
        let patches = Patches { feature_size: 40.0, ..Patches::default() };
        let kinds = [
            ScatterKind { patches: Some(patches), ..ScatterKind::grass() },
            ScatterKind { max_slope: 1.2, ..ScatterKind::rock() },
        ];
        let ground = ground(source, &kinds);
        let mut scratch = PlaceScratch::default();
        let first = ground.place([1 << 40, -77], 0b11, &mut scratch);
        // A used scratch, another cell between, one kind alone: nothing of that matters.
        let _ = ground.place([5, 5], 0b11, &mut scratch);
        assert_eq!(ground.place([1 << 40, -77], 0b11, &mut scratch), first);
        assert_eq!(ground.place([1 << 40, -77], 0b10, &mut scratch).kinds[0], first.kinds[1]);
        assert!(first.kinds.iter().all(|(_, blocks)| !blocks.is_empty()));
    }

    #[test]
    fn objects_are_the_same_bits_everywhere() {
        let patches = Patches { feature_size: 30.0, seed: 5, ..Patches::default() };
        let ground = on_ramp(0.2, ScatterKind { patches: Some(patches), ..ScatterKind::rock() });
        let bytes: Vec<u8> = (-8..8).flat_map(|x| bytemuck::cast_slice(&place(&ground, [x, -x])).to_vec()).collect();
        // FNV-1a.
        let hash = bytes
            .iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        assert!(bytes.len() > 1_000);
        assert_eq!(
            hash, 17_779_458_040_814_141_626,
            "objects of old worlds move: if that is meant, write this hash here and say so in the changelog"
        );
    }

    #[test]
    fn density_is_as_asked() {
        for (density, cells) in [(5.0, 2), (0.02, 400), (0.0003, 4_000), (0.0, 10)] {
            let ground = on_ramp(0.0, ScatterKind { density, ..ScatterKind::grass() });
            let found = along_x(&ground, 0..cells).len() as f64;
            let asked = f64::from(density) * WIDTH * WIDTH * cells as f64;
            assert!((found - asked).abs() <= 0.05 * asked + 1.0, "{found} objects instead of {asked}");
        }
    }

    #[test]
    fn cells_meet_without_a_seam_and_without_rows() {
        let ground = on_ramp(0.0, ScatterKind { density: 1.0, ..ScatterKind::grass() });
        let found = along_x(&ground, -8..8);
        assert!(found.iter().all(|([x, z], _)| (-512.0..512.0).contains(x) && (192.0..256.0).contains(z)));
        for instance in place(&ground, [4, 4]) {
            assert!(instance.place.iter().all(|at| (0.0..64.0).contains(at)));
        }
        // Strips along the borders hold as many as strips elsewhere; so do all eighths of a candidate's square.
        let strip = |from: f64, period: f64, width: f64| {
            found.iter().filter(|([x, _], _)| (x - from).rem_euclid(period) < width).count() as f64
        };
        let (border, middle) = (strip(-2.0, 64.0, 4.0), strip(30.0, 64.0, 4.0));
        assert!((border / middle - 1.0).abs() < 0.1, "{border} at the borders, {middle} amid");
        let eighths: Vec<f64> = (0..8).map(|eighth| strip(f64::from(eighth) / 8.0, 1.0, 0.125)).collect();
        let mean = found.len() as f64 / 8.0;
        assert!(eighths.iter().all(|count| (count / mean - 1.0).abs() < 0.05), "{eighths:?}");
    }

    #[test]
    fn groups_do_not_know_of_cells() {
        let patches = Patches { feature_size: 150.0, coverage: 0.4, seed: 3, inverted: false };
        let kind = ScatterKind { density: 4.0, patches: Some(patches), ..ScatterKind::grass() };
        let ground = on_ramp(0.0, kind);
        let found = along_x(&ground, 0..120);
        // Tiles of 4 by 8 m: those on both sides of a border are as alike as any two neighbours.
        let mut tiles = vec![0i64; 120 * 16 * 8];
        for ([x, z], _) in &found {
            tiles[(x / 4.0) as usize + ((z - 192.0) / 8.0) as usize * 120 * 16] += 1;
        }
        let unlike = |offset: usize| {
            let pairs = (0..8).flat_map(|row| (1..120).map(move |border| row * 120 * 16 + border * 16 + offset));
            pairs.map(|at| (tiles[at] - tiles[at - 1]).abs()).sum::<i64>() as f64
        };
        let (across, within) = (unlike(0), unlike(8));
        assert!(across < 1.25 * within, "tiles differ by {across} across borders, by {within} within cells");
        assert!(tiles.contains(&0) && tiles.iter().any(|&count| count > 110), "there are groups and clearings");
    }

    #[test]
    fn coverage_is_as_asked_and_inverted_is_the_rest() {
        let of = |coverage, inverted| {
            let patches = Patches { feature_size: 30.0, coverage, seed: 9, inverted };
            on_ramp(0.0, ScatterKind { density: 0.5, patches: Some(patches), ..ScatterKind::grass() })
        };
        let all = 0.5 * WIDTH * WIDTH * 100.0;
        let share = |coverage, inverted| along_x(&of(coverage, inverted), 0..100).len() as f64 / all;
        for coverage in [0.0, 0.2, 0.5, 1.0] {
            let (plain, rest) = (share(coverage, false), share(1.0 - coverage, true));
            assert!((plain - f64::from(coverage)).abs() < 0.06, "{plain} instead of {coverage}");
            assert!((plain + rest - 1.0).abs() < 0.06, "{plain} and {rest}");
        }
        // Where the one is dense the other is not.
        let mut scratch = PlaceScratch::default();
        let blocks = |ground: &Ground, scratch: &mut PlaceScratch| {
            let placed = ground.place([0, 3], 1, scratch);
            placed.kinds[0].1.iter().map(|block| block.instances.len()).sum::<usize>()
        };
        let both = blocks(&of(0.5, false), &mut scratch) + blocks(&of(0.5, true), &mut scratch);
        assert!((both as f64 / (0.5 * WIDTH * WIDTH) - 1.0).abs() < 0.2);
    }

    #[test]
    fn heights_and_slopes_are_kept() {
        let kind = ScatterKind { min_height: 20.0, max_height: 60.0, height_fade: 10.0, ..ScatterKind::grass() };
        let found = along_x(&on_ramp(0.25, kind), -4..8);
        assert!(found.iter().all(|([x, _], _)| (20.0..=60.0).contains(&(0.25 * x))));
        let between =
            |low: f64, high: f64| found.iter().filter(|([x, _], _)| (low..high).contains(&(0.25 * x))).count();
        assert!(2 * between(20.0, 22.0) < between(40.0, 42.0), "rarer towards the limit");
        let kind = || ScatterKind { min_slope: 0.3, max_slope: 0.7, ..ScatterKind::grass() };
        let count = |angle: f64| along_x(&on_ramp(angle.tan(), kind()), 0..1).len();
        assert_eq!((count(0.0), count(0.29), count(0.71)), (0, 0, 0));
        assert!(count(0.5) > 1_000);
    }

    #[test]
    fn blocks_hold_no_more_than_a_page_by_rising_rank() {
        for (density, most) in [(5.0, 900), (0.02, 40), (64.0, 1_024), (0.0001, 64)] {
            let kind = ScatterKind { density, ..ScatterKind::grass() };
            let rule = Rule::new(&kind, WIDTH, most).unwrap();
            assert!(rule.lattice.capacity() <= most, "{:?}", rule.lattice);
            let lattice = rule.lattice;
            let ground = Ground { rules: [rule].into(), ..on_ramp(0.0, kind) };
            let placed = ground.place([7, -2], 1, &mut PlaceScratch::default());
            let width = WIDTH as f32 / lattice.blocks as f32;
            for block in &placed.kinds[0].1 {
                assert!(block.instances.len() <= lattice.capacity() as usize);
                assert!(block.instances.is_sorted_by_key(|instance| instance.rank));
                for instance in &block.instances {
                    for axis in 0..2 {
                        let at = instance.place[axis] / width - f32::from(block.index[axis]);
                        assert!((-1e-3..=1.001).contains(&at), "{at}");
                    }
                }
            }
        }
    }

    #[test]
    fn wide_quads_make_small_cells() {
        assert_eq!([0.01, 1.0, 1.5, 2.0, 16.0, 1_000.0].map(cell_quads), [64, 64, 64, 32, 4, 1]);
        for spacing in [0.1, 1.0, 3.0, 100.0, 1_000.0] {
            let kind = ScatterKind { density: 0.001, ..ScatterKind::rock() };
            let width = f64::from(cell_quads(spacing)) * spacing;
            let rules = [Rule::new(&kind, width, 900).unwrap()].into();
            let ground = Ground { source: Arc::new(Ramp { slope: 0.1 }), spacing, rules };
            let heights = ground.place([2, 0], 1, &mut PlaceScratch::default()).heights;
            assert!(heights[0] <= (0.2 * width) as f32 && heights[1] >= (0.3 * width) as f32, "{heights:?}");
        }
    }
}
