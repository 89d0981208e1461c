//! Edits of the land, without a screen: how soon they are seen, what they cost on the main thread and in a chunk, whether
//! they leave holes, cracks or pops, how long a save of many takes, whether kills while saving lose anything, and whether
//! machines agree over a bad network.

mod audit;
mod chunks;
mod kills;
mod network;
mod saves;
mod strokes;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use serde::Serialize;

/// Edits the land, and reports what it costs.
#[derive(Parser)]
struct Options {
    /// Edits that lie far away, and that are saved and loaded.
    #[arg(long, default_value_t = 100_000)]
    many: u32,
    /// Edits and undos of the audit.
    #[arg(long, default_value_t = 10_000)]
    audited: u32,
    /// Seconds of strokes, 60 a second.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Edits that a server shares with two clients.
    #[arg(long, default_value_t = 10_000)]
    shared: u32,
    /// Kills while saving.
    #[arg(long, default_value_t = 1_000)]
    kills: u32,
    /// Strokes and saves in this file until it is killed: what the kills are aimed at.
    #[arg(long, value_name = "FILE", hide = true)]
    be_killed: Option<PathBuf>,
    /// The strokes that are in that file.
    #[arg(long, default_value_t = 0, hide = true)]
    strokes: u64,
    /// File for the results as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// What was measured; times in milliseconds unless they are named otherwise.
#[derive(Serialize)]
struct Figures {
    /// From an edit to the frame in which all its chunks are other: half, and 99 of 100. Brushes of 20 m.
    click_p50_ms: f64,
    click_p99_ms: f64,
    /// Main thread of a frame during strokes: 99 of 100, and the worst.
    frame_p99_ms: f64,
    frame_max_ms: f64,
    /// A chunk far from many edits, and one under a hundred, against one without any.
    far_ratio: f64,
    near_ratio: f64,
    /// Holes, overlaps, cracks and pops of all frames with random edits, flights and undos.
    defects: usize,
    audited_frames: usize,
    /// Whether all chunks are again what they were before the edits, bit for bit.
    undo_exact: bool,
    /// Seconds of many edits, and megabytes of their file.
    apply_s: f64,
    save_s: f64,
    load_s: f64,
    file_mb: f64,
    /// Whether they come back equal.
    load_equal: bool,
    /// Whether a server and two clients end with the same land over a network that loses and reorders packets.
    net_equal: bool,
    /// Bytes of an edit for a client: as a message, and as UDP packets with all that is sent again, in both directions.
    net_bytes_an_edit: f64,
    net_packet_bytes_an_edit: f64,
    /// Bytes of a second in which nobody edits.
    net_unedited_bytes: usize,
    /// Seconds of all edits, and the shares of packets that were lost and overtaken.
    net_s: f64,
    net_lost: f64,
    net_overtaken: f64,
    /// Beside many edits that are saved: the main thread in a frame with a stroke, and a stroke until it is on disk, 99 of
    /// 100.
    autosave_frame_p99_ms: f64,
    on_disk_p99_ms: f64,
    /// Kills while saving; after how many of them something was lost that was on disk; after how many the stroke under way
    /// was kept; and all strokes.
    kills: u32,
    kills_lost: u32,
    kills_kept_under_way: u32,
    kills_strokes: u64,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(path) = options.be_killed {
        let ended = kills::be_killed(path, options.strokes);
        return ended.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    let figures = match collect(&options) {
        Ok(figures) => serde_json::to_string_pretty(&figures).unwrap_or_default(),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("{figures}");
    if let Some(path) = &options.json
        && let Err(error) = std::fs::write(path, &figures)
    {
        eprintln!("cannot write {}: {error}", path.display());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn collect(options: &Options) -> Result<Figures, Box<dyn std::error::Error>> {
    let [click_p50_ms, click_p99_ms] = strokes::clicks(200)?;
    let [frame_p99_ms, frame_max_ms] = strokes::minute(60 * options.seconds)?;
    let [far_ratio, near_ratio] = chunks::ratios(options.many)?;
    let audit = audit::run(options.audited)?;
    let saves = saves::run(options.many)?;
    let network = network::run(options.shared)?;
    let autosave = kills::autosave(options.many, 500)?;
    let kills = kills::run(options.kills)?;
    Ok(Figures {
        click_p50_ms,
        click_p99_ms,
        frame_p99_ms,
        frame_max_ms,
        far_ratio,
        near_ratio,
        defects: audit.defects,
        audited_frames: audit.frames,
        undo_exact: audit.undo_exact,
        apply_s: saves.apply_s,
        save_s: saves.save_s,
        load_s: saves.load_s,
        file_mb: saves.file_mb,
        load_equal: saves.is_equal,
        net_equal: network.is_equal,
        net_bytes_an_edit: network.bytes_an_edit,
        net_packet_bytes_an_edit: network.packet_bytes_an_edit,
        net_unedited_bytes: network.unedited_bytes,
        net_s: network.seconds,
        net_lost: network.lost,
        net_overtaken: network.overtaken,
        autosave_frame_p99_ms: autosave.frame_p99_ms,
        on_disk_p99_ms: autosave.on_disk_p99_ms,
        kills: options.kills,
        kills_lost: kills.lost,
        kills_kept_under_way: kills.under_way,
        kills_strokes: kills.strokes,
    })
}

/// The value below which this share of all lies.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted.get((sorted.len().saturating_sub(1) as f64 * share) as usize).copied().unwrap_or_default()
}
