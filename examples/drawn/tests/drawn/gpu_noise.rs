//! The noise in shaders is that of the core: the same random bits, values within 1e-5, near and far.
//!
//! A device is needed, a software adapter at least; no window.

use bevy_noise_terrain::render::NOISE_WGSL;
use bevy_noise_terrain::terrain_noise::{Single, prelude::*, shader::PlaneLattice};
use examples_common::adapter::DRIVER_HELP;
use examples_common::compute::Compute;

/// Places of each basis, and of each fractal.
const PLACES: usize = 1 << 18;
const FRACTAL_PLACES: usize = 1 << 16;
/// How far values may be off. Slopes per cell may be off ten times as far, and a quarter of that more for each octave.
const ALLOWED: f64 = 1e-5;
/// Invocations of a workgroup.
const GROUP: usize = 64;
/// Origins along an axis, in cells of a single octave: at the origin, where a window of the lattice ends, where `f32`
/// counts in eights, and a million kilometres out.
const ORIGINS: [f64; 4] = [0.0, 8_388_600.0, 1e8, -1e9];

/// Random numbers of the lattice, from cells and seeds of 64 bits.
const HASHES: &str = "
@group(0) @binding(0) var<storage, read> given: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read_write> found: array<vec4<u32>>;

@compute @workgroup_size(64)
fn hashes(@builtin(global_invocation_id) id: vec3<u32>) {
    let first = 7u * id.x;
    let cell = array(given[first + 1u], given[first + 2u], given[first + 3u]);
    let parts = plane_parts_anywhere(given[first], cell[0], cell[2]);
    let x = folded(add_wide(multiply_wide(cell[0], SPREAD_X), given[first + 4u]));
    let y = folded(add_wide(multiply_wide(cell[1], SPREAD_Y), given[first + 5u]));
    let z = folded(add_wide(multiply_wide(cell[2], SPREAD_Z), given[first + 6u]));
    let product = multiply_fixed(cell[0], cell[1]);
    found[2u * id.x] = vec4(scattered(parts), sixteenth(parts), hashed(x ^ y), hashed(x ^ y ^ z));
    found[2u * id.x + 1u] = vec4(point_bits(parts), product);
}
";

/// Octaves one by one, at places relative to an origin.
const PLANE: &str = "
@group(0) @binding(0) var<uniform> land: Noise;
@group(0) @binding(1) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> found: array<vec4<f32>>;

@compute @workgroup_size(64)
fn sample(@builtin(global_invocation_id) id: vec3<u32>) {
    var walk = start(place_at(places[id.x].xy), places[id.x].w);
    for (var octave = 0u; octave < land.settings.octaves; octave += 1u) {
        walk = next(land.settings, land.octaves[octave], walk);
    }
    found[id.x] = vec4(total(land.settings, walk), 0.0);
}
";

/// The same, from whole metres and a part of one.
const SPLIT_PLANE: [&str; 2] =
    ["place_at(places[id.x].xy)", "place_split(vec2<i32>(floor(places[id.x].xy)), fract(places[id.x].xy))"];

const SPACE: &str = "
@group(0) @binding(0) var<uniform> land: SpaceNoise;
@group(0) @binding(1) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> found: array<vec4<f32>>;

@compute @workgroup_size(64)
fn sample(@builtin(global_invocation_id) id: vec3<u32>) {
    var walk = space_start(space_place_at(places[id.x].xyz), places[id.x].w);
    for (var octave = 0u; octave < land.settings.octaves; octave += 1u) {
        walk = space_next(land.settings, land.octaves[octave], walk);
    }
    found[id.x] = space_total(land.settings, walk);
}
";

/// Lattice points around a cell, so many steps from that of a lattice.
const LATTICE: &str = "
@group(0) @binding(0) var<storage, read> lattice: PlaneLattice;
@group(0) @binding(1) var<storage, read> steps: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> found: array<vec4<f32>>;

@compute @workgroup_size(64)
fn corners(@builtin(global_invocation_id) id: vec3<u32>) {
    found[id.x] = lattice_values(lattice_corners(lattice, steps[id.x]));
}
";

fn compute() -> Compute {
    Compute::open().expect(DRIVER_HELP)
}

/// Stafford's mix 13.
fn mix(value: u64) -> u64 {
    let z = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The core's lattice as its documentation has it, in 64 bits, for words that no public function of it returns.
mod lattice {
    use super::mix;

    const SPREAD: [u64; 3] = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03, 0xABC9_8388_FB8F_AC03];

    pub fn keys(seed: u64) -> [u64; 3] {
        [mix(seed), mix(seed ^ 0x6A09_E667_F3BC_C909), mix(seed ^ 0xBB67_AE85_84CA_A73B)]
    }

    pub fn part(axis: usize, cell: i64, key: u64) -> u64 {
        let spread = (cell as u64).wrapping_mul(SPREAD[axis]).wrapping_add(key);
        spread ^ (spread >> 32)
    }

    pub fn hash(parts: u64) -> u32 {
        let product = (parts & 0xFFFF_FFFF).wrapping_mul(parts >> 32);
        (product ^ (product >> 32)) as u32
    }

    pub fn plane_parts(seed: u64, [x, z]: [i64; 2]) -> u32 {
        let window = |cell: i64| (cell.wrapping_add(1 << 23) >> 24) as u64;
        let row = mix(seed ^ window(z).wrapping_mul(SPREAD[1]));
        let seeds = mix(row.wrapping_add(window(x).wrapping_mul(SPREAD[0])));
        let x = (x as u32).wrapping_mul(0x9E37_79B1).wrapping_add(seeds as u32);
        x ^ (z as u32).wrapping_mul(0x85EB_CA77) ^ (seeds >> 32) as u32
    }

    pub fn scattered(parts: u32) -> u32 {
        let h = (parts ^ (parts >> 16)).wrapping_mul(0x7FEB_352D);
        let h = (h ^ (h >> 15)).wrapping_mul(0x846C_A68B);
        h ^ (h >> 16)
    }

    pub fn sixteenth(parts: u32) -> u32 {
        let halves = |a: u32, b: u32| {
            let low = i32::from(a as i16) * i32::from(b as i16);
            low.wrapping_add(i32::from((a >> 16) as i16) * i32::from((b >> 16) as i16)) as u32
        };
        halves(halves(parts, 0x6C8F_5A35), parts) >> 16 & 15
    }
}

#[test]
fn random_numbers_are_equal_bit_for_bit() {
    let (mut given, mut expected) = (Vec::new(), Vec::new());
    for i in 0..PLACES as u64 {
        let random = |k: u64| mix(8 * i + k);
        // Cells near and far.
        let cells = [1, 2, 3].map(|k| (random(k) as i64) >> (8 + i % 55));
        let (seed, [x, y, z]) = (random(0), cells);
        let keys = lattice::keys(seed);
        for wide in [seed, x as u64, y as u64, z as u64].into_iter().chain(keys) {
            given.extend([wide as u32, (wide >> 32) as u32]);
        }
        let parts = lattice::plane_parts(seed, [x, z]);
        let flat = lattice::part(0, x, keys[0]) ^ lattice::part(1, y, keys[1]);
        let point = mix(u64::from(parts) | 1 << 40);
        let size = ((u128::from(x.unsigned_abs()) * u128::from(y.unsigned_abs())) >> 56) as i64;
        let product = if (x < 0) == (y < 0) { size } else { size.wrapping_neg() };
        expected.extend([lattice::scattered(parts), lattice::sixteenth(parts)]);
        expected.extend([flat, flat ^ lattice::part(2, z, keys[2])].map(lattice::hash));
        expected.extend([point, product as u64].map(|wide| [wide as u32, (wide >> 32) as u32]).as_flattened());
    }
    let compute = compute();
    let pipeline = compute.pipeline(&format!("{NOISE_WGSL}{HASHES}"), "hashes");
    let (found, _) = compute.run(&pipeline, &[&given], expected.len(), [(PLACES / GROUP) as u32, 1]).unwrap();
    let wrong = found.iter().zip(&expected).position(|(found, expected)| found != expected);
    assert_eq!(wrong, None, "number {:?} of the place", wrong.map(|word| word % 8));
}

/// Whole places around an origin: lattice points of noise with cells of a metre.
#[test]
fn at_lattice_points_values_have_the_bits_of_the_core() {
    let compute = compute();
    let noise = value().feature_size(1.0).build(5).unwrap();
    let portable = noise.for_shader().unwrap();
    let places: Vec<[f32; 4]> =
        places(PLACES / 8, 4000.0, 0.0).into_iter().map(|place| place.map(f32::floor)).collect();
    let words: Vec<u32> = places.iter().flatten().map(|x| x.to_bits()).collect();
    let groups = [(places.len() / GROUP) as u32, 1];
    for (shader, dimensions) in [(PLANE, 2), (SPACE, 3)] {
        let pipeline = compute.pipeline(&format!("{NOISE_WGSL}{shader}"), "sample");
        for far in ORIGINS {
            let origin = [far, -far, far + 5.0];
            let settings =
                if dimensions == 2 { portable.plane([far, -far]).to_vec() } else { portable.space(origin).to_vec() };
            let (found, _) = compute.run(&pipeline, &[&settings, &words], words.len(), groups).unwrap();
            for (place, found) in places.iter().zip(found.as_chunks::<4>().0) {
                let [x, y, z] = [0, 1, 2].map(|axis| origin[axis] + f64::from(place[axis]));
                let expected = if dimensions == 2 { noise.sample([x, y]) } else { noise.sample_3d([x, y, z]) };
                assert_eq!(found[0], expected.to_bits(), "{x} {y} {z}: {} {expected}", f32::from_bits(found[0]));
            }
        }
    }
}

/// Steps at random, also across the borders of windows.
#[test]
fn lattices_are_the_same_in_shaders_also_where_their_windows_end() {
    const BORDER: i64 = 1 << 23;
    let compute = compute();
    let pipeline = compute.pipeline(&format!("{NOISE_WGSL}{LATTICE}"), "corners");
    for cell in [[0, 0], [BORDER - 1, -BORDER], [-BORDER - 4, BORDER + 2], [5 * BORDER, 1_000_000_000_001]] {
        let lattice = PlaneLattice::new(7, cell);
        let steps: Vec<[i32; 2]> = (0..4_096)
            .map(|at| {
                let random = mix(at);
                // Most are short.
                [random, random >> 32].map(|random| (random as i32) >> (9 + at % 20))
            })
            .collect();
        let words: Vec<u32> = steps.as_flattened().iter().map(|step| *step as u32).collect();
        let groups = [(steps.len() / GROUP) as u32, 1];
        let (found, _) = compute.run(&pipeline, &[&lattice.words(), &words], 4 * steps.len(), groups).unwrap();
        for (step, found) in steps.iter().zip(found.as_chunks::<4>().0) {
            let expected = lattice.corners(*step);
            assert_eq!(found.map(f32::from_bits), expected, "{step:?} from {cell:?}");
        }
    }
}

/// Places within a reach, on even spread, and a distance between samples.
fn places(count: usize, reach: f64, footprint: f32) -> Vec<[f32; 4]> {
    let place = |i: u64| {
        let [x, y, z] = [0, 1, 2].map(|axis| {
            let random = (mix(4 * i + axis) >> 11) as f64 / (1u64 << 53) as f64;
            ((2.0 * random - 1.0) * reach) as f32
        });
        [x, y, z, footprint]
    };
    (0..count as u64).map(place).collect()
}

/// What is compared.
struct Case {
    name: String,
    noise: Noise,
    /// Cells of the first octave.
    feature_size: f64,
    /// The distance between samples.
    footprint: f32,
    /// How far places lie from the origin of the words.
    reach: f64,
}

fn case(name: &str, noise: impl Into<Noise>, feature_size: f64) -> Case {
    Case { name: name.to_owned(), noise: noise.into(), feature_size, footprint: 0.0, reach: 2000.0 }
}

fn bases() -> Vec<Case> {
    let basis = Basis::Cellular { output: CellOutput::F2, jitter: 0.4 };
    let calm = Single { basis, ..simplex().feature_size(37.0) };
    let mut all = vec![case("simplex", simplex().feature_size(37.0), 37.0), case("F2, jitter 0.4", calm, 37.0)];
    for fade in [Fade::Quintic, Fade::Smoothstep, Fade::Cosine, Fade::Linear] {
        all.push(case(&format!("value, {fade:?}"), value().fade(fade).feature_size(37.0), 37.0));
        all.push(case(&format!("Perlin, {fade:?}"), perlin().fade(fade).feature_size(37.0), 37.0));
    }
    for output in [CellOutput::F1, CellOutput::F2, CellOutput::F2MinusF1, CellOutput::CellValue] {
        all.push(case(&format!("{output:?}"), cellular(output).feature_size(37.0), 37.0));
    }
    all
}

fn fractals() -> Vec<Case> {
    let size = 1000.0;
    let mut all = Vec::new();
    let octaves = |noise: Fractal| noise.octaves(9).feature_size(size);
    for (name, noise) in [
        ("fBm", perlin().fbm()),
        ("billow", perlin().billow()),
        ("ridged", perlin().ridged()),
        ("multifractal", perlin().multifractal()),
        ("ridged multifractal", perlin().ridged_multifractal()),
        ("hybrid multifractal", perlin().hybrid_multifractal()),
        ("fBm of values", value().fbm()),
        ("fBm of simplex noise", simplex().fbm()),
        ("fBm of cellular noise", cellular(CellOutput::F1).fbm()),
        ("lacunarity 1.9", perlin().fbm().lacunarity(1.9)),
        ("turned octaves", simplex().fbm().octave_rotation(31.0)),
    ] {
        all.push(case(name, octaves(noise.clone()), size));
        let rounded = octaves(noise).rounding(1.5);
        all.push(Case { footprint: 6.0, ..case(&format!("{name}, faded"), rounded, size) });
    }
    // These products shrink with every octave.
    for (name, noise) in [
        ("printed multifractal", perlin().printed_multifractal()),
        ("printed ridged multifractal", perlin().printed_ridged_multifractal()),
    ] {
        all.push(case(name, noise.octaves(3).persistence(1.0).feature_size(size), size));
    }
    let moved = octaves(perlin().ridged()).octaves(6).stretch(2.0, 0.7).rotate(33.0).translate(100.0, -2e5);
    all.push(case("moved, scaled", moved.scale(0.5).offset(0.1), size));
    all.push(case("sixteen octaves", simplex().fbm().octaves(16).feature_size(1e5), 1e5));
    all
}

/// The largest error of the values, how many are off by more than is allowed, and how many slopes are, at places around all origins.
fn compare<const D: usize>(compute: &Compute, shader: &str, case: &Case, count: usize) -> (f64, [usize; 2]) {
    let sampler = case.noise.build(77).unwrap();
    let portable = sampler.for_shader().unwrap();
    let pipeline = compute.pipeline(&format!("{NOISE_WGSL}{shader}"), "sample");
    let places = places(count / ORIGINS.len(), case.reach, case.footprint);
    let slopes_allowed = 10.0 * ALLOWED * (1.0 + 0.25 * portable.octaves() as f64);
    let words: Vec<u32> = places.iter().flatten().map(|x| x.to_bits()).collect();
    let (mut worst, mut off) = (0.0f64, [0; 2]);
    for far in ORIGINS.map(|cells| cells * 37.0) {
        let origin = [far + 0.3, 0.7 - far / 3.0, far];
        let noise =
            if D == 2 { portable.plane([origin[0], origin[1]]).to_vec() } else { portable.space(origin).to_vec() };
        let groups = [(places.len() / GROUP) as u32, 1];
        let (found, _) = compute.run(&pipeline, &[&noise, &words], words.len(), groups).unwrap();
        for (place, found) in places.iter().zip(found.as_chunks::<4>().0) {
            let at: [f64; D] = std::array::from_fn(|axis| origin[axis] + f64::from(place[axis]));
            let expected = sampler.sample_jet(at, case.footprint.into());
            let found = found.map(|word| f64::from(f32::from_bits(word)));
            let error = (found[0] - f64::from(expected.value)).abs();
            off[0] += usize::from(error.is_nan() || error > ALLOWED);
            worst = if error.is_finite() { worst.max(error) } else { f64::INFINITY };
            let is_off = |axis: usize| {
                let per_cell = (found[axis + 1] - f64::from(expected.gradient[axis])).abs() * case.feature_size;
                per_cell.is_nan() || per_cell > slopes_allowed
            };
            off[1] += usize::from((0..D).any(is_off));
        }
    }
    (worst, off)
}

fn all_agree<const D: usize>(shader: &str, cases: Vec<Case>, count: usize) {
    let compute = compute();
    let mut wrong = Vec::new();
    for case in cases {
        let (worst, [values_off, slopes_off]) = compare::<D>(&compute, shader, &case, count);
        let line =
            format!("{}: values {worst:.1e}, {values_off} and {slopes_off} slopes of {count} are off", case.name);
        println!("{line}");
        // At a crease or beside the tip of a cone a slope may fall to the other side; where a crease is rounded off
        // over little, slopes change fast.
        // Where two points are as near as 32 bits can tell, either may be the nearest.
        let ties = if case.name == "CellValue" { 3 } else { 0 };
        if values_off > ties || slopes_off > count / 1000 {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn bases_on_the_plane_are_the_cores() {
    all_agree::<2>(PLANE, bases(), PLACES);
}

#[test]
fn fractals_on_the_plane_are_the_cores() {
    all_agree::<2>(PLANE, fractals(), FRACTAL_PLACES);
}

#[test]
fn bases_in_space_are_the_cores() {
    all_agree::<3>(SPACE, bases(), PLACES);
}

#[test]
fn fractals_in_space_are_the_cores() {
    all_agree::<3>(SPACE, fractals(), FRACTAL_PLACES);
}

#[test]
fn split_places_are_the_same_places() {
    let [one, split] = SPLIT_PLANE;
    assert!(PLANE.contains(one));
    let fine = Case { reach: 4e6, ..case("fBm", perlin().fbm().octaves(8).feature_size(1.0), 1.0) };
    let cases = vec![case("Perlin", perlin().feature_size(37.0), 37.0), fine];
    all_agree::<2>(&PLANE.replace(one, split), cases, FRACTAL_PLACES);
}

/// The library as materials get it, by its name.
mod imported {
    use bevy::asset::AssetId;
    use bevy::prelude::*;
    use bevy::shader::{Shader, ShaderCache, ShaderCacheError, ShaderCacheSource, ValidateShader};
    use bevy_noise_terrain::prelude::*;
    use examples_common::offscreen;
    use wgpu::naga::front::wgsl;
    use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};

    /// What a user writes.
    const USER: &str = "
import bevy_noise_terrain::noise;
import bevy_noise_terrain::noise::{in_octave, octave_noise, place_split};

@group(0) @binding(0) var<uniform> rust: noise::Noise;
@group(0) @binding(1) var<uniform> rock: noise::SpaceNoise;

@fragment
fn fragment(@location(0) place: vec3<f32>) -> @location(0) vec4<f32> {
    var walk = noise::start(noise::place_at(place.xz), 0.1);
    var inside = noise::space_start(noise::space_place_at(place), 0.0);
    for (var octave = 0u; octave < rust.settings.octaves; octave += 1u) {
        walk = noise::next(rust.settings, rust.octaves[octave], walk);
        inside = noise::space_next(rock.settings, rock.octaves[octave], inside);
    }
    let first = in_octave(place_split(vec2(7, -3), place.xz), rust.octaves[0]);
    let alone = octave_noise(rust.settings, rust.octaves[0], first);
    return vec4(noise::total(rust.settings, walk) + alone, noise::space_total(rock.settings, inside).x);
}
";

    fn keep(_: &(), source: ShaderCacheSource, _: &ValidateShader) -> Result<String, ShaderCacheError> {
        match source {
            ShaderCacheSource::Wgsl(text) => Ok(text),
            other => Err(ShaderCacheError::CreateShaderModule(format!("not composed: {other:?}"))),
        }
    }

    #[test]
    fn any_material_may_import_it() {
        let (mut app, _) = offscreen::app(64, 36);
        app.add_plugins(NoiseTerrainPlugin);
        offscreen::finish(&mut app);
        let mut shaders = app.world_mut().resource_mut::<Assets<Shader>>();
        let user = shaders.add(Shader::from_wesl(USER, "user.wesl"));
        let mut cache = ShaderCache::new((), keep);
        let known: Vec<(AssetId<Shader>, Shader)> = shaders.iter().map(|(id, shader)| (id, shader.clone())).collect();
        for (id, shader) in known {
            cache.set_shader(id, shader);
        }
        let text = cache.get(0, user.id(), &[]).unwrap_or_else(|error| panic!("{error}"));
        let module = wgsl::parse_str(&text).unwrap();
        // With what WebGPU guarantees.
        Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module).unwrap();
    }
}
