//! The results, printed and written to a file.

use std::fmt;
use std::path::Path;

use bevy_noise_terrain::SettingsError;
use serde::Serialize;

use crate::measure::{self, Spread};
use crate::{Options, audit};

/// The results of both passes.
#[derive(Serialize)]
pub struct Figures {
    frames: usize,
    /// CPU milliseconds of the main thread per frame, for the whole app: the terrain and Bevy's overhead.
    main_ms: Spread,
    /// Milliseconds of the streaming alone, by the clock: where cores are busy, with waits for one.
    own_main_ms: Spread,
    /// Milliseconds per chunk on one core.
    chunk_ms: f32,
    chunks_per_second_and_core: f32,
    /// The greatest number in a frame.
    chunks_drawn: u32,
    /// Milliseconds from request to arrival.
    wait_ms: f32,
    audited_frames: u32,
    holes: usize,
    cracks: usize,
    pops: usize,
    /// Longest time from a change of settings until the new generation is drawn.
    retune_coarse_ms: f32,
    /// Longest time from a change of settings until full detail.
    retune_full_ms: f32,
    mesh_bytes: usize,
    peak_bytes: u64,
    /// Resident memory at the end of the flight relative to that after its first tenth.
    memory_growth: f32,
    chunks_built: u64,
    tasks_wasted_share: f32,
}

/// Runs both passes.
pub fn collect(options: &Options) -> Result<Figures, SettingsError> {
    let measured = measure::fly(options)?;
    let counts = audit::fly(options)?;
    Ok(Figures {
        frames: measured.main_ms.len(),
        main_ms: Spread::of(&measured.main_ms),
        own_main_ms: Spread::of(&measured.own_main_ms),
        chunk_ms: measured.chunk_ms,
        chunks_per_second_and_core: 1e3 / measured.chunk_ms,
        chunks_drawn: measured.chunks_drawn.into_iter().max().unwrap_or(0),
        wait_ms: measured.wait_ms,
        audited_frames: counts.frames,
        holes: counts.holes,
        cracks: counts.cracks,
        pops: counts.pops,
        retune_coarse_ms: Spread::of(&measured.retune_coarse_ms).max,
        retune_full_ms: Spread::of(&measured.retune_full_ms).max,
        mesh_bytes: measured.mesh_bytes,
        peak_bytes: measured.peak_bytes,
        memory_growth: measured.resident[1] as f32 / measured.resident[0].max(1) as f32,
        chunks_built: measured.built,
        tasks_wasted_share: measured.wasted as f32 / measured.built.max(1) as f32,
    })
}

impl Figures {
    /// Writes the results as JSON.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        std::fs::write(path, serde_json::to_string_pretty(self)?)
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spread = |spread: &Spread| format!("p50 {:.3}, p99 {:.3}, max {:.3}", spread.p50, spread.p99, spread.max);
        writeln!(out, "frames                 {}", self.frames)?;
        writeln!(out, "main thread, ms        {}", spread(&self.main_ms))?;
        writeln!(out, "streaming, by clock    {}", spread(&self.own_main_ms))?;
        writeln!(
            out,
            "per chunk, ms          {:.3} ({:.0} per second and core)",
            self.chunk_ms, self.chunks_per_second_and_core
        )?;
        writeln!(out, "request to arrival, ms {:.1}", self.wait_ms)?;
        writeln!(out, "chunks drawn           {} at most", self.chunks_drawn)?;
        writeln!(
            out,
            "chunks built           {}, {:.1} % discarded",
            self.chunks_built,
            100.0 * self.tasks_wasted_share
        )?;
        writeln!(out, "vertices, MB           {:.1}", self.mesh_bytes as f64 / 1e6)?;
        writeln!(
            out,
            "process at most, MB    {:.1}, × {:.3} over the flight",
            self.peak_bytes as f64 / 1e6,
            self.memory_growth
        )?;
        writeln!(out, "retune coarse, ms      {:.1} at most", self.retune_coarse_ms)?;
        writeln!(out, "retune full, ms        {:.1} at most", self.retune_full_ms)?;
        write!(
            out,
            "checked {} frames    {} holes, {} cracks, {} pops",
            self.audited_frames, self.holes, self.cracks, self.pops
        )
    }
}
