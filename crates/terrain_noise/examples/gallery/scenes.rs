//! The pictures of the gallery.

use terrain_noise::texture::{cloud, curl, marble, on_sphere, wood};
use terrain_noise::{Damped, DiamondSquare, prelude::*};

use crate::canvas::Canvas;

const SIDE: usize = 320;

type Scene = (String, Canvas);

pub fn all() -> Result<Vec<Scene>, Box<dyn std::error::Error>> {
    let mut scenes = Vec::new();
    for (title, noise) in bases() {
        scenes.push((title, grey(&noise)?));
    }
    for (title, noise) in fractals().into_iter().chain(mappings()).chain(erosion()) {
        scenes.push((title, hillshade(&noise, SIDE, 4.0)?));
    }
    scenes.push(("3D Perlin, y = 0".into(), slice(&perlin().feature_size(60.0).into())?));
    scenes.push(("3D simplex, y = 0".into(), slice(&simplex().feature_size(60.0).into())?));
    scenes.push(("3D cellular, y = 0".into(), slice(&cellular(CellOutput::F2MinusF1).feature_size(60.0).into())?));
    scenes.push(("1D fBm".into(), line()?));
    scenes.push(("Diamond-square".into(), shade(&DiamondSquare::with_side(3, 513, 2.0)?.finite(), 513, 0.013, None)));
    scenes.push(("Endless, 2x2 patches".into(), endless()?));
    #[cfg(feature = "fourier")]
    {
        let tile = terrain_noise::fourier_tile(3, SIDE / 2, 1.9)?;
        let twice: Vec<f32> =
            (0..SIDE * SIDE).map(|i| tile[i / SIDE % (SIDE / 2) * (SIDE / 2) + i % SIDE % (SIDE / 2)]).collect();
        scenes.push(("Fourier tile, 2x2".into(), shade(&twice, SIDE, 0.03, None)));
    }
    scenes.push(("Clouds".into(), clouds()?));
    scenes.push(("Marble".into(), marbled()?));
    scenes.push(("Wood".into(), wooden()?));
    scenes.push(("Flow field".into(), flow()?));
    scenes.push(("Tileable rock, 2x2".into(), tileable()?));
    scenes.push(("Planet".into(), planet()?));
    scenes.push(("1e9 m from origin".into(), far()?));
    scenes.push(("Mountains".into(), mountains()?));
    Ok(scenes)
}

fn bases() -> Vec<(String, Noise)> {
    let size = 40.0;
    let mut all: Vec<(String, Noise)> = Vec::new();
    for fade in [Fade::Linear, Fade::Cosine, Fade::Smoothstep, Fade::Quintic] {
        all.push((format!("Value, {fade:?}"), value().fade(fade).feature_size(size).into()));
    }
    for cubic in [Cubic::Lagrange, Cubic::Elias, Cubic::CatmullRom] {
        all.push((format!("Value, {cubic:?}"), cubic_value(cubic).feature_size(size).into()));
    }
    all.push(("Smoothed value".into(), smoothed_value().feature_size(size).into()));
    for lattice in [Lattice::IntNoise, Lattice::ClassicTable, Lattice::Permutation] {
        all.push((format!("Value, {lattice:?}"), value().lattice(lattice).feature_size(12.0).into()));
    }
    all.push(("Perlin".into(), perlin().feature_size(size).into()));
    all.push(("Perlin, Linear".into(), perlin().fade(Fade::Linear).feature_size(size).into()));
    all.push(("Perlin, far zoom".into(), perlin().feature_size(6.0).into()));
    all.push(("Classic Perlin".into(), classic_perlin().feature_size(size).into()));
    all.push(("Simplex".into(), simplex().feature_size(size).into()));
    all.push(("Simplex, far zoom".into(), simplex().feature_size(6.0).into()));
    for output in [CellOutput::F1, CellOutput::F2, CellOutput::F2MinusF1, CellOutput::CellValue] {
        all.push((format!("Cellular {output:?}"), cellular(output).feature_size(size).into()));
    }
    all
}

fn fractals() -> Vec<(String, Noise)> {
    let base = || perlin().feature_size(700.0);
    vec![
        ("fBm".into(), base().fbm().octaves(9).scale(220.0)),
        ("fBm of value noise".into(), value().feature_size(700.0).fbm().octaves(9).scale(170.0)),
        ("fBm of simplex".into(), simplex().feature_size(700.0).fbm().octaves(9).scale(220.0)),
        ("fBm, octaves turned".into(), base().fbm().octaves(9).octave_rotation(31.7).scale(220.0)),
        ("fBm, classic Perlin".into(), classic_perlin().feature_size(700.0).fbm().octaves(9).scale(170.0)),
        ("fBm of cells".into(), cellular(CellOutput::F1).feature_size(700.0).fbm().octaves(6).scale(120.0)),
        ("Billow".into(), base().billow().octaves(9).scale(170.0)),
        ("Ridged".into(), base().ridged().octaves(9).scale(220.0)),
        ("Multifractal".into(), base().multifractal().octaves(9).scale(140.0)),
        ("Multifractal printed".into(), base().printed_multifractal().octaves(3).scale(1500.0)),
        ("Ridged multifractal".into(), base().ridged_multifractal().octaves(10).scale(330.0)),
        ("Ridged MF, printed".into(), base().printed_ridged_multifractal().octaves(3).scale(2500.0)),
        ("Hybrid multifractal".into(), base().hybrid_multifractal().octaves(10).scale(110.0)),
    ]
}

fn mappings() -> Vec<(String, Noise)> {
    let land = || perlin().feature_size(700.0).fbm().octaves(9).scale(220.0);
    let ridges = || perlin().feature_size(700.0).ridged_multifractal().octaves(9).scale(330.0);
    vec![
        ("Warped fBm".into(), land().warp(perlin().feature_size(400.0).fbm().octaves(4), 160.0)),
        (
            "Warped twice".into(),
            ridges().warp(simplex().feature_size(500.0), 120.0).warp(perlin().feature_size(260.0), 60.0),
        ),
        ("Rotate 30, stretch".into(), ridges().stretch(3.0, 0.8).rotate(30.0)),
        ("Swirl".into(), ridges().swirl(perlin().feature_size(900.0), 60.0).translate(640.0, 640.0)),
        ("Bias 0.3".into(), land().bias(0.3)),
        ("Gain 0.8".into(), land().gain(0.8)),
        ("Power 2.2".into(), land().power(2.2).scale(1.8)),
        ("Terraces".into(), land().terrace(40.0, 0.9)),
        ("Clamp".into(), land().clamp(-40.0, 60.0)),
        ("Absolute value".into(), land().abs()),
        ("Curve".into(), land().curve([[-200.0, -60.0], [0.0, 0.0], [30.0, 90.0], [80.0, 100.0], [200.0, 330.0]])),
        ("Shore".into(), land().shore(0.0, 0.35, 1.6)),
        ("Min".into(), land().min(ridges().offset(-240.0))),
        ("Smooth min".into(), land().smooth_min(ridges().offset(-240.0), 120.0)),
        ("Smooth max".into(), land().smooth_max(ridges().offset(-300.0), 120.0)),
        ("Add, multiply".into(), land().scale(0.2).add(ridges().mul(simplex().feature_size(900.0).range(0.0, 1.0)))),
        ("Blend by a mask".into(), land().scale(0.2).blend(ridges(), simplex().feature_size(900.0).range(-2.0, 3.0))),
    ]
}

fn erosion() -> Vec<(String, Noise)> {
    let range = || perlin().ridged().octaves(2).persistence(0.35).feature_size(1300.0).scale(520.0);
    let smooth = || perlin().fbm().octaves(2).feature_size(800.0).scale(260.0);
    vec![
        ("Damped fBm".into(), Damped { damping: 1.2, ..perlin().feature_size(700.0).damped() }.scale(330.0)),
        (
            "Damped ridges, warp".into(),
            Damped { damping: 0.15, ridges: 1.0, warp: 0.08, ..perlin().feature_size(900.0).damped() }.scale(240.0),
        ),
        ("Gullies".into(), range().gullies(70.0, 260.0).into()),
        ("Strata".into(), smooth().strata(34.0, 0.95, perlin().feature_size(900.0).scale(60.0)).into()),
        ("Dunes".into(), dunes(160.0).warp(perlin().feature_size(500.0).fbm().octaves(2), 110.0).scale(26.0)),
        (
            "Add above".into(),
            smooth().add_above(perlin().ridged().octaves(7).feature_size(260.0).scale(90.0), 0.0, 60.0),
        ),
    ]
}

/// A noise in -1 ..= 1 as grey, one pixel per metre.
fn grey(noise: &Noise) -> Result<Canvas, NoiseError> {
    let sampler = noise.build(11)?;
    let half = SIDE as i64 / 2;
    let grid = Grid { start: [-half, -half], spacing: 1.0, size: [SIDE, SIDE], footprint: 0.0 };
    let mut heights = vec![0.0; grid.len()];
    sampler.fill(&grid, &mut Scratch::default(), &mut heights);
    Ok(Canvas::paint(SIDE, SIDE, |x, y| [0.5 + 0.5 * heights[y * SIDE + x]; 3]))
}

fn slice(noise: &Noise) -> Result<Canvas, NoiseError> {
    let sampler = noise.build(11)?;
    Ok(Canvas::paint(SIDE, SIDE, |x, y| [0.5 + 0.5 * sampler.sample_3d([x as f64 - 160.0, 0.0, y as f64 - 160.0]); 3]))
}

/// Terrain lit from the north-west, coloured by height.
fn hillshade(noise: &Noise, side: usize, spacing: f64) -> Result<Canvas, NoiseError> {
    let sampler = noise.build(11)?;
    let grid = Grid::new([0, 0], spacing, [side, side]);
    let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
    let bounds = sampler.fill_with_gradient(&grid, &mut Scratch::default(), &mut heights, &mut dx, &mut dz);
    Ok(Canvas::paint(side, side, |x, y| {
        let i = y * side + x;
        lit((heights[i] - bounds.min) / (bounds.max - bounds.min), [dx[i], dz[i]])
    }))
}

/// Heights without slopes, with unit spacing.
fn shade(heights: &[f32], side: usize, spacing: f32, out: Option<usize>) -> Canvas {
    let out = out.unwrap_or(SIDE.min(side));
    let (low, high) = heights.iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)));
    let at = |x: usize, y: usize| heights[y.min(side - 1) * side + x.min(side - 1)];
    Canvas::paint(out, out, |x, y| {
        let slope = [at(x + 1, y) - at(x, y), at(x, y + 1) - at(x, y)].map(|d| d / spacing);
        lit((at(x, y) - low) / (high - low), slope)
    })
}

fn lit(height: f32, slope: [f32; 2]) -> [f32; 3] {
    let light = [-0.45f32, 0.75, -0.5];
    let [dx, dz] = slope.map(|d| 0.6 * d);
    let length = (dx * dx + dz * dz + 1.0).sqrt();
    let shade = ((-dx * light[0] + light[1] - dz * light[2]) / length).max(0.0);
    let ramp = [[0.30, 0.38, 0.24], [0.45, 0.47, 0.30], [0.52, 0.44, 0.35], [0.60, 0.57, 0.54], [0.95, 0.95, 0.97]];
    let t = (height * 4.0).clamp(0.0, 3.999);
    let (i, f) = (t as usize, t.fract());
    std::array::from_fn(|c| (ramp[i][c] + (ramp[i + 1][c] - ramp[i][c]) * f) * (0.2 + 1.05 * shade))
}

fn line() -> Result<Canvas, NoiseError> {
    let sampler = perlin().fbm().octaves(6).feature_size(120.0).build(3)?;
    let mut canvas = Canvas::paint(SIDE, SIDE, |_, y| [if y == SIDE / 2 { 0.35 } else { 0.1 }; 3]);
    for x in 0..SIDE * 4 {
        let y = 0.5 - 0.4 * sampler.sample_1d(x as f64 / 4.0);
        canvas.set(x / 4, (y * SIDE as f32) as usize, [0.9, 0.8, 0.4]);
    }
    Ok(canvas)
}

fn endless() -> Result<Canvas, NoiseError> {
    let land = DiamondSquare::new(5, 8, 2.0)?;
    let (side, quads) = (land.side(), land.side() - 1);
    let patches: Vec<_> = [[0, 0], [1, 0], [0, 1], [1, 1]].iter().map(|&place| land.patch(place)).collect();
    let all = 2 * quads + 1;
    let mut heights = vec![0.0; all * all];
    for (i, patch) in patches.iter().enumerate() {
        for (j, row) in patch.chunks_exact(side).enumerate() {
            let start = (i / 2 * quads + j) * all + i % 2 * quads;
            heights[start..start + side].copy_from_slice(row);
        }
    }
    // The middle, where four patches meet.
    let corner = (all - SIDE) / 2;
    let middle: Vec<f32> = (0..SIDE * SIDE).map(|i| heights[(corner + i / SIDE) * all + corner + i % SIDE]).collect();
    Ok(shade(&middle, SIDE, 0.02, None))
}

fn clouds() -> Result<Canvas, NoiseError> {
    let sampler = perlin().fbm().octaves(7).feature_size(140.0).build(8)?;
    Ok(Canvas::paint(SIDE, SIDE, |x, y| {
        let cover = cloud(sampler.sample([x as f64, y as f64]), 0.52, 4.0);
        let sky = [0.25, 0.47 + 0.1 * y as f32 / SIDE as f32, 0.85];
        std::array::from_fn(|c| sky[c] + (0.98 - sky[c]) * cover)
    }))
}

fn marbled() -> Result<Canvas, NoiseError> {
    let turbulence = perlin().billow().octaves(6).feature_size(110.0).build(8)?;
    Ok(Canvas::paint(SIDE, SIDE, |x, y| {
        let along = (x as f32 * 4.0 + y as f32 * 2.0) / SIDE as f32;
        let vein = marble(along, turbulence.sample([x as f64, y as f64]), 1.2);
        let vein = vein.sqrt();
        [0.25 + 0.7 * vein, 0.24 + 0.69 * vein, 0.27 + 0.65 * vein]
    }))
}

fn wooden() -> Result<Canvas, NoiseError> {
    let bend = perlin().fbm().octaves(3).feature_size(160.0).stretch(1.0, 4.0).build(8)?;
    let grain = value().feature_size(3.0).stretch(0.6, 14.0).build(9)?;
    Ok(Canvas::paint(SIDE, SIDE, |x, y| {
        let at = [x as f64, y as f64];
        let distance = ((x as f32 - 130.0).powi(2) + (y as f32 * 0.12 + 20.0).powi(2)).sqrt() / 16.0;
        let ring = wood(distance, bend.sample(at), 1.4);
        let tone = 0.72 + 0.28 * ring.powi(2) * (1.0 - ring.powi(12)) + 0.05 * grain.sample(at);
        [0.78 * tone, 0.53 * tone, 0.30 * tone]
    }))
}

fn flow() -> Result<Canvas, NoiseError> {
    let sampler = perlin().fbm().octaves(3).feature_size(130.0).build(21)?;
    let mut density = vec![0.0f32; SIDE * SIDE];
    for start in 0..2600 {
        let mut at = [f64::from(start * 37 % 320) + 0.3, f64::from(start * 101 / 7 % 320) + 0.6];
        for _ in 0..90 {
            let [u, v] = curl(&sampler, at);
            let speed = (u * u + v * v).sqrt().max(1e-6);
            at = [at[0] + f64::from(0.7 * u / speed), at[1] + f64::from(0.7 * v / speed)];
            if at.iter().all(|&x| (0.0..SIDE as f64).contains(&x)) {
                density[at[1] as usize * SIDE + at[0] as usize] += 0.055;
            }
        }
    }
    Ok(Canvas::paint(SIDE, SIDE, |x, y| {
        let d = density[y * SIDE + x];
        [0.05 + 0.5 * d, 0.08 + 0.75 * d, 0.14 + 0.9 * d]
    }))
}

fn tileable() -> Result<Canvas, NoiseError> {
    let half = SIDE as f64 / 2.0;
    let rock =
        perlin().feature_size(half / 4.0).period(4, 4).ridged_multifractal().octaves(5).persistence(0.42).scale(26.0);
    let cracks = cellular(CellOutput::F2MinusF1).feature_size(half / 5.0).period(5, 5).scale(20.0);
    let sampler = rock.add(cracks).build(2)?;
    let grid = Grid { start: [0, 0], spacing: 1.0, size: [SIDE, SIDE], footprint: 0.0 };
    let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
    sampler.fill_with_gradient(&grid, &mut Scratch::default(), &mut heights, &mut dx, &mut dz);
    Ok(Canvas::paint(SIDE, SIDE, |x, y| {
        let i = y * SIDE + x;
        let [r, g, b] = lit(0.7, [dx[i], dz[i]]);
        [r * 0.9, g * 0.85, b * 0.8]
    }))
}

fn planet() -> Result<Canvas, NoiseError> {
    let land = simplex().fbm().octaves(9).feature_size(900.0).build(6)?;
    Ok(Canvas::paint(SIDE, SIDE, |px, py| {
        let [x, y] = [px, py].map(|p| (p as f64 + 0.5) / SIDE as f64 * 2.2 - 1.1);
        let squared = x * x + y * y;
        if squared > 1.0 {
            return [0.02, 0.02, 0.05];
        }
        let z = (1.0 - squared).sqrt();
        let at = on_sphere(x.atan2(z), (-y).asin(), 1000.0);
        let height = land.sample_3d(at);
        let light = ((-x * 0.5 - y * 0.5 + z * 0.7) as f32).max(0.03);
        let colour =
            if height < 0.05 { [0.08, 0.2 + 0.1 * height, 0.45 + 0.25 * height] } else { lit(height, [0.0, 0.3]) };
        colour.map(|c| c * (0.1 + 1.1 * light))
    }))
}

fn far() -> Result<Canvas, NoiseError> {
    let sampler = perlin().fbm().octaves(9).feature_size(700.0).scale(220.0).build(11)?;
    let grid = Grid::new([250_000_000, -250_000_000], 4.0, [SIDE, SIDE]);
    let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
    let bounds = sampler.fill_with_gradient(&grid, &mut Scratch::default(), &mut heights, &mut dx, &mut dz);
    Ok(Canvas::paint(SIDE, SIDE, |x, y| {
        let i = y * SIDE + x;
        lit((heights[i] - bounds.min) / (bounds.max - bounds.min), [dx[i], dz[i]])
    }))
}

fn mountains() -> Result<Canvas, NoiseError> {
    let plains = perlin().fbm().octaves(8).feature_size(900.0).scale(40.0);
    let ranges = perlin().ridged_multifractal().octaves(11).feature_size(2600.0).scale(700.0);
    // A curve through two points eases in and out of the ranges: a clamp alone would leave a wall.
    let where_ranges = simplex().fbm().octaves(2).feature_size(8000.0).curve([[-0.5, 0.0], [0.9, 1.0]]);
    let world = plains.blend(ranges, where_ranges).warp(perlin().fbm().octaves(4).feature_size(1500.0), 160.0);
    hillshade(&world, SIDE, 18.0)
}
