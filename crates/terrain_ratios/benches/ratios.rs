//! One table of medians and ratios in under a minute: `cargo bench -p terrain_ratios --bench ratios`.
//!
//! All contestants of a case take turns, so that other load on the machine affects them equally.
//! `--json FILE` also writes the rows to a file; `--case NAME` runs only cases whose names begin with `NAME`;
//! `--fastest` compares the fastest turns instead of the medians, for a machine that is busy with other work;
//! `--alone` runs no peers, to profile what remains.

mod kernels;
mod work;

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::json;
use terrain_noise::{Instructions, Sampler, Scratch};
use work::Square;

/// Time that one case may take.
const BUDGET: Duration = Duration::from_millis(2600);
/// The least and the greatest number of turns of a case.
const TURNS: [usize; 2] = [5, 101];

/// One contestant of a case.
struct Runner<'a> {
    name: &'a str,
    run: Box<dyn FnMut() + 'a>,
    /// Runs per turn, so that short runs are longer than the clock's resolution.
    repeat: u32,
    times: Vec<f64>,
}

impl<'a> Runner<'a> {
    fn new(name: &'a str, run: impl FnMut() + 'a) -> Self {
        Self { name, run: Box::new(run), repeat: 1, times: Vec::new() }
    }
    fn turn(&mut self) -> Duration {
        // Warms the caches after other contestants; negligible where a run takes long.
        if self.repeat > 1 {
            (self.run)();
        }
        let start = Instant::now();
        for _ in 0..self.repeat {
            (self.run)();
        }
        start.elapsed()
    }
    fn time(&self, fastest: bool) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        times[if fastest { 0 } else { times.len() / 2 }]
    }
}

/// Runs all in turns; times are in milliseconds per part, of which a run has `parts`.
fn race(runners: &mut [Runner], parts: f64) {
    for runner in &mut *runners {
        let warm = runner.turn().as_secs_f64();
        runner.repeat = (8e-3 / warm).clamp(1.0, 1000.0) as u32;
    }
    let start = Instant::now();
    for turn in 0..TURNS[1] {
        if turn >= TURNS[0] && start.elapsed() > BUDGET {
            break;
        }
        for runner in &mut *runners {
            let time = runner.turn().as_secs_f64() * 1e3 / f64::from(runner.repeat) / parts;
            runner.times.push(time);
        }
    }
}

/// Runs cases, with and without SIMD, and reports them against every peer.
struct Table {
    rows: Vec<serde_json::Value>,
    only: Option<String>,
    fastest: bool,
    alone: bool,
}

impl Table {
    fn case(&mut self, case: &str, parts: usize, mut runners: Vec<Runner>) {
        if self.only.as_ref().is_some_and(|only| !case.starts_with(only.as_str())) {
            return;
        }
        if self.alone {
            let ours = |runner: &Runner| runner.name.is_empty() || [AVX2, BASELINE].contains(&runner.name);
            runners.retain(ours);
        }
        race(&mut runners, parts as f64);
        let (ours, peers): (Vec<_>, Vec<_>) =
            runners.iter().partition(|runner| runner.name.is_empty() || [AVX2, BASELINE].contains(&runner.name));
        for ours in ours {
            let case = format!("{case}{}", ours.name);
            for peer in &peers {
                let (ours_ms, peer_ms) = (ours.time(self.fastest), peer.time(self.fastest));
                let ratio = peer_ms / ours_ms;
                println!("{case:<26} {ours_ms:>11.6} {:<22} {peer_ms:>11.6} {ratio:>8.2}", peer.name);
                self.rows.push(json!({
                    "case": case, "ours_ms": ours_ms, "peer": peer.name, "peer_ms": peer_ms, "ratio": ratio,
                }));
            }
        }
    }
}

const BASELINE: &str = "_baseline";
const AVX2: &str = "_avx2";
const LARGE: [Square; 1] = [Square { start: [-300, 1000], side: 1024 }];

/// Chunks as in a terrain: the last row and column are the first of the next chunk.
fn chunks() -> [Square; 16] {
    std::array::from_fn(|i| Square { start: [(i as i64 % 4 - 2) * 64, (i as i64 / 4 - 2) * 64], side: 65 })
}

/// A runner over a function that fills a square.
fn peer<'a>(name: &'a str, squares: &'a [Square], fill: impl Fn(Square, &mut [f32]) + 'a) -> Runner<'a> {
    let mut out = vec![0.0; squares[0].side.pow(2)];
    Runner::new(name, move || {
        for &square in squares {
            fill(square, &mut out);
            black_box(&mut out);
        }
    })
}

/// `terrain_noise` with each set of instructions that is raced: the machine's best, AVX2 if that is not the best,
/// and the baseline.
fn sets(sampler: &Sampler) -> Vec<(&'static str, Sampler)> {
    let mut all = vec![("", sampler.clone())];
    if Instructions::best() > Instructions::Avx2 {
        all.push((AVX2, sampler.clone().with_instructions(Instructions::Avx2)));
    }
    all.push((BASELINE, sampler.clone().with_instructions(Instructions::Baseline)));
    all
}

/// The runners of `terrain_noise`, one for each set of instructions.
fn ours<'a>(sampler: Sampler, squares: &'a [Square], gradients: bool) -> Vec<Runner<'a>> {
    sets(&sampler)
        .into_iter()
        .map(|(name, sampler)| {
            let mut scratch = Scratch::default();
            let length = squares[0].side.pow(2);
            let [mut out, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; length]);
            Runner::new(name, move || {
                for &square in squares {
                    let grid = square.grid();
                    if gradients {
                        sampler.fill_with_gradient(&grid, &mut scratch, &mut out, &mut dx, &mut dz);
                    } else {
                        sampler.fill(&grid, &mut scratch, &mut out);
                    }
                    black_box((&mut out, &mut dx, &mut dz));
                }
            })
        })
        .collect()
}

/// Scattered points, to be sampled one at a time.
fn points() -> Vec<[f64; 2]> {
    (0..4096).map(|i| [f64::from(i * 733 % 4099) * 1.37, f64::from(i * 197 % 4111) * 0.93]).collect()
}

fn sampled<'a>(name: &'a str, points: &'a [[f64; 2]], sample: impl Fn([f64; 2]) -> f32 + 'a) -> Runner<'a> {
    Runner::new(name, move || {
        for &at in points {
            black_box(sample(black_box(at)));
        }
    })
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| arguments.iter().position(|a| a == name).and_then(|i| arguments.get(i + 1)).cloned();
    let flag = |name: &str| arguments.iter().any(|argument| argument == name);
    let (only, fastest, alone) = (option("--case"), flag("--fastest"), flag("--alone"));
    let mut table = Table { rows: Vec::new(), only, fastest, alone };
    println!("{:<26} {:>11} {:<22} {:>11} {:>8}", "case", "ours, ms", "peer", "peer, ms", "ratio");

    let mut all = ours(work::fbm(), &LARGE, false);
    all.push(peer("noiz", &LARGE, work::noiz));
    all.push(peer("noise-functions", &LARGE, work::noise_functions));
    all.push(peer("fastnoise-lite", &LARGE, work::fastnoise_lite));
    all.push(peer("noise", &LARGE, work::noise_rs));
    all.push(peer("libnoise", &LARGE, work::libnoise));
    all.push(peer("simdnoise", &LARGE, work::simdnoise));
    table.case("grid1024", 1, all);

    let chunks = chunks();
    let mut all = ours(work::fbm(), &chunks, false);
    all.push(peer("noiz", &chunks, work::noiz));
    all.push(peer("noise-functions", &chunks, work::noise_functions));
    all.push(peer("fastnoise-lite", &chunks, work::fastnoise_lite));
    all.push(peer("noise", &chunks, work::noise_rs));
    all.push(peer("libnoise", &chunks, work::libnoise));
    all.push(peer("simdnoise", &chunks, work::simdnoise));
    table.case("chunk65", chunks.len(), all);

    let mut all = ours(work::fbm(), &chunks, true);
    all.push(peer("noiz", &chunks, work::noiz));
    table.case("chunk65_gradients", chunks.len(), all);

    for (name, sampler, fill) in [
        ("ridged65", work::ridged(), work::noise_rs_ridged as fn(Square, &mut [f32])),
        ("hybrid65", work::hybrid(), work::noise_rs_hybrid),
    ] {
        let mut all = ours(sampler, &chunks, false);
        all.push(peer("noise", &chunks, fill));
        table.case(name, chunks.len(), all);
    }

    let mut all = ours(work::warped(), &LARGE, false);
    all.push(peer("noiz", &LARGE, work::noiz_warped));
    all.push(peer("simdnoise", &LARGE, work::simdnoise_three_times));
    table.case("warp1024", 1, all);

    let mut all = ours(work::turned(), &LARGE, false);
    all.push(peer("noiz", &LARGE, work::noiz));
    all.push(peer("simdnoise", &LARGE, work::simdnoise));
    table.case("turned1024", 1, all);

    for (name, sampler, fill) in [
        ("turned65", work::turned(), work::noiz as fn(Square, &mut [f32])),
        ("simplex65", work::simplex_fbm(), work::noiz_simplex),
        ("warp65", work::warped(), work::noiz_warped),
    ] {
        let mut all = ours(sampler, &chunks, false);
        all.push(peer("noiz", &chunks, fill));
        table.case(name, chunks.len(), all);
    }
    let mut all = ours(work::turned(), &chunks, true);
    all.push(peer("noiz", &chunks, work::noiz));
    table.case("turned65_gradients", chunks.len(), all);

    let points = points();
    let mut all = Vec::new();
    for (name, sampler) in sets(&work::fbm()) {
        all.push(sampled(name, &points, move |at| sampler.sample(at)));
    }
    all.push(sampled("noise-functions", &points, work::noise_functions_point()));
    all.push(sampled("noiz", &points, work::noiz_point()));
    table.case("point", points.len(), all);

    let mut all = Vec::new();
    for (name, sampler) in sets(&work::fbm()) {
        let (points, mut scratch, mut out) = (&points, Scratch::default(), vec![0.0; points.len()]);
        all.push(Runner::new(name, move || {
            sampler.fill_points(black_box(points), 0.0, &mut scratch, &mut out);
            black_box(&mut out);
        }));
    }
    all.push(sampled("noise-functions", &points, work::noise_functions_point()));
    all.push(sampled("noiz", &points, work::noiz_point()));
    table.case("many", points.len(), all);

    kernels::cases(&mut table);

    threads(&mut table);
    if let Some(file) = option("--json") {
        let text = format!("{:#}\n", serde_json::Value::from(table.rows));
        if let Err(error) = std::fs::write(&file, text) {
            eprintln!("cannot write {file}: {error}");
            std::process::exit(1);
        }
    }
}

/// One thread against two. The grid is large, so that the overhead of distributing the work is negligible.
fn threads(table: &mut Table) {
    let grid = Square { start: [-300, 1000], side: 2048 }.grid();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let (Ok(one), Ok(two)) = (pool(1), pool(2)) else {
        eprintln!("threads2: no threads");
        return;
    };
    let [mut a, mut b] = std::array::from_fn(|_| vec![0.0; grid.len()]);
    let sampler = work::fbm();
    let all = vec![
        Runner::new("", || {
            two.install(|| sampler.fill_parallel(&grid, &mut a));
            black_box(&mut a);
        }),
        Runner::new("one thread", || {
            one.install(|| sampler.fill_parallel(&grid, &mut b));
            black_box(&mut b);
        }),
    ];
    table.case("threads2", 1, all);
}
