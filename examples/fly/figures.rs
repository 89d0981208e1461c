//! Streaming figures of a flight.

use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::ScatterStats;
use serde::Serialize;

/// Collected frame by frame.
#[derive(Default)]
pub struct Recorder {
    main_ms: Vec<f32>,
    chunks_drawn: Vec<u32>,
    finest_range: Vec<f64>,
    most_triangles: u32,
    last: TerrainStats,
    scatter_ms: Vec<f32>,
    scatter: ScatterStats,
}

/// What the file holds.
#[derive(Serialize)]
pub struct Figures {
    adapter: String,
    frames: usize,
    seconds: f32,
    metres: f32,
    /// Main-thread milliseconds a frame that the streaming took.
    main_ms: Spread,
    /// Milliseconds of one core that a chunk took on average.
    chunk_ms: f32,
    chunks_drawn: Spread,
    /// The most triangles of land that a picture has seen.
    most_triangles: u32,
    /// Pages of ground filled.
    filled_pages: u64,
    chunks_built: u64,
    chunks_built_in_vain: u64,
    chunks_failed: u64,
    vertex_bytes: usize,
    /// The least distance to which the finest level was drawn, once it had grown to its full range.
    finest_level_metres: f64,
    /// Grass, rocks and trees; none of them without a renderer.
    scatter: Scattered,
}

#[derive(Serialize)]
struct Scattered {
    /// Main-thread milliseconds a frame.
    main_ms: Spread,
    /// Milliseconds of one core that a cell took on average.
    cell_ms: f32,
    objects: u64,
    cells: u32,
    blocks: u32,
    most_blocks: u32,
}

#[derive(Serialize)]
struct Spread {
    p50: f64,
    p99: f64,
    max: f64,
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| {
            values.get(((values.len().saturating_sub(1)) as f64 * share).round() as usize).copied().unwrap_or(0.0)
        };
        Self { p50: at(0.5), p99: at(0.99), max: at(1.0) }
    }
}

impl Recorder {
    /// Notes a frame.
    pub fn note(&mut self, stats: &TerrainStats) {
        self.main_ms.push(stats.main_ms);
        self.chunks_drawn.push(stats.drawn_total());
        self.finest_range.push(stats.ranges.first().copied().unwrap_or(0.0));
        self.most_triangles = self.most_triangles.max(stats.triangles);
        self.last = stats.clone();
    }

    /// Notes what the scatter did in a frame.
    pub fn note_scatter(&mut self, stats: &ScatterStats) {
        self.scatter_ms.push(stats.main_ms);
        self.scatter = *stats;
    }

    /// Sums up.
    pub fn figures(self, adapter: String, seconds: f32, speed: f32) -> Figures {
        let full = self.finest_range.iter().copied().fold(0.0, f64::max);
        let complete = self.finest_range.iter().position(|&range| range == full).unwrap_or(0);
        Figures {
            adapter,
            frames: self.main_ms.len(),
            seconds,
            metres: seconds * speed,
            main_ms: Spread::of(self.main_ms.into_iter().map(f64::from).collect()),
            chunk_ms: self.last.chunk_ms,
            chunks_drawn: Spread::of(self.chunks_drawn.into_iter().map(f64::from).collect()),
            most_triangles: self.most_triangles,
            filled_pages: self.last.filled_pages,
            chunks_built: self.last.built,
            chunks_built_in_vain: self.last.wasted,
            chunks_failed: self.last.failed,
            vertex_bytes: self.last.vertex_bytes,
            finest_level_metres: self.finest_range[complete..].iter().copied().fold(f64::INFINITY, f64::min),
            scatter: Scattered {
                main_ms: Spread::of(self.scatter_ms.into_iter().map(f64::from).collect()),
                cell_ms: self.scatter.cell_ms,
                objects: self.scatter.objects,
                cells: self.scatter.cells,
                blocks: self.scatter.blocks,
                most_blocks: self.scatter.most_blocks,
            },
        }
    }
}
