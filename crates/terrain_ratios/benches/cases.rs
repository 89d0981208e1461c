//! The cases of `ratios` as Criterion benchmarks, to follow one of them over time.

mod work;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use terrain_noise::{Instructions, Sampler, Scratch};
use work::Square;

const CHUNK: Square = Square { start: [64, -128], side: 65 };
const LARGE: Square = Square { start: [-300, 1000], side: 1024 };

type Fill = fn(Square, &mut [f32]);

fn group(c: &mut Criterion, name: &str, square: Square, ours: &Sampler, peers: &[(&str, Fill)]) {
    let mut group = c.benchmark_group(name);
    let samples = square.side.pow(2);
    group.sample_size(20).throughput(Throughput::Elements(samples as u64));
    let mut out = vec![0.0; samples];
    for level in Instructions::available() {
        let (ours, mut scratch) = (ours.clone().with_instructions(level), Scratch::default());
        group.bench_function(BenchmarkId::new("terrain_noise", format!("{level:?}")), |b| {
            b.iter(|| ours.fill(&square.grid(), &mut scratch, &mut out));
        });
    }
    for (name, fill) in peers {
        group.bench_function(*name, |b| b.iter(|| fill(square, &mut out)));
    }
}

fn benches(c: &mut Criterion) {
    let fbm: [(&str, Fill); 6] = [
        ("noiz", work::noiz),
        ("noise-functions", work::noise_functions),
        ("fastnoise-lite", work::fastnoise_lite),
        ("noise", work::noise_rs),
        ("libnoise", work::libnoise),
        ("simdnoise", work::simdnoise),
    ];
    group(c, "grid1024", LARGE, &work::fbm(), &fbm);
    group(c, "chunk65", CHUNK, &work::fbm(), &fbm);
    group(c, "ridged65", CHUNK, &work::ridged(), &[("noise", work::noise_rs_ridged)]);
    group(c, "hybrid65", CHUNK, &work::hybrid(), &[("noise", work::noise_rs_hybrid)]);
    let warp: [(&str, Fill); 2] = [("noiz", work::noiz_warped), ("simdnoise", work::simdnoise_three_times)];
    group(c, "warp1024", LARGE, &work::warped(), &warp);
    group(c, "turned1024", LARGE, &work::turned(), &fbm);
}

criterion_group!(all, benches);
criterion_main!(all);
