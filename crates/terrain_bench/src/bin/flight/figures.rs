//! The figures, for people and for files.

use std::fmt;
use std::path::Path;

use bevy_noise_terrain::SettingsError;
use serde::Serialize;

use crate::measure::{self, Spread};
use crate::{Options, audit};

/// What the file holds.
#[derive(Serialize)]
pub struct Figures {
    frames: usize,
    /// CPU milliseconds of the main thread a frame: the whole app, which is the terrain and Bevy's bookkeeping.
    main_ms: Spread,
    /// Milliseconds of one core that a chunk takes.
    chunk_ms: f32,
    chunks_per_second_and_core: f32,
    /// Most in a frame.
    chunks_drawn: u32,
    /// Milliseconds from wanted to loaded.
    wait_ms: f32,
    audited_frames: u32,
    holes: usize,
    cracks: usize,
    pops: usize,
    /// From a settings change to the new world on screen, the longest.
    retune_coarse_ms: f32,
    /// From a settings change to all detail, the longest.
    retune_full_ms: f32,
    mesh_bytes: usize,
    peak_bytes: u64,
    /// Resident memory at the end of the flight over that after its first tenth.
    memory_growth: f32,
    chunks_built: u64,
    tasks_wasted_share: f32,
}

/// Both passes.
pub fn collect(options: &Options) -> Result<Figures, SettingsError> {
    let measured = measure::fly(options)?;
    let seen = audit::fly(options)?;
    Ok(Figures {
        frames: measured.main_ms.len(),
        main_ms: Spread::of(&measured.main_ms),
        chunk_ms: measured.chunk_ms,
        chunks_per_second_and_core: 1e3 / measured.chunk_ms,
        chunks_drawn: measured.chunks_drawn.into_iter().max().unwrap_or(0),
        wait_ms: measured.wait_ms,
        audited_frames: seen.frames,
        holes: seen.holes,
        cracks: seen.cracks,
        pops: seen.pops,
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
    /// Writes the file.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        std::fs::write(path, serde_json::to_string_pretty(self)?)
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spread = |spread: &Spread| format!("p50 {:.3}, p99 {:.3}, max {:.3}", spread.p50, spread.p99, spread.max);
        writeln!(out, "frames                 {}", self.frames)?;
        writeln!(out, "main thread, ms        {}", spread(&self.main_ms))?;
        writeln!(
            out,
            "a chunk, ms            {:.3} ({:.0} a second and core)",
            self.chunk_ms, self.chunks_per_second_and_core
        )?;
        writeln!(out, "wanted to loaded, ms   {:.1}", self.wait_ms)?;
        writeln!(out, "chunks drawn           {} at most", self.chunks_drawn)?;
        writeln!(
            out,
            "chunks built           {}, {:.1} % in vain",
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
            "seen in {} frames    {} holes, {} cracks, {} pops",
            self.audited_frames, self.holes, self.cracks, self.pops
        )
    }
}
