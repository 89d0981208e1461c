//! Checks the ranges of all numbers of all settings.

use bevy::prelude::*;
use bevy::reflect::ReflectMut;
use terrain_noise::{Noise, ParamInfo};

use super::{Settings, SettingsError, SliderRange, ranges, validate};
use crate::lod::TerrainLod;
use crate::terrain::NoiseTerrain;
use crate::terrain::TerrainStreaming;

/// Names of fields whose numbers are not limited.
const UNBOUNDED: [&str; 3] = ["seed", "from", "to"];

/// A number of settings, to be changed.
enum Number<'a> {
    Single(&'a mut f32),
    Double(&'a mut f64),
    Whole(&'a mut u32),
    Seed,
}

/// Visits every number with its path and declaration; values of type `Color`, which have no range, are skipped.
fn visit(
    value: &mut dyn PartialReflect,
    path: &str,
    declared: Option<ParamInfo>,
    see: &mut dyn FnMut(&str, Option<ParamInfo>, Number),
) {
    // `terrain_noise` tests its own ranges.
    if value.try_downcast_ref::<Noise>().is_some() || value.try_downcast_ref::<Color>().is_some() {
        return;
    }
    if let Some(number) = value.try_downcast_mut::<f32>() {
        return see(path, declared, Number::Single(number));
    }
    if let Some(number) = value.try_downcast_mut::<f64>() {
        return see(path, declared, Number::Double(number));
    }
    if let Some(number) = value.try_downcast_mut::<u32>() {
        return see(path, declared, Number::Whole(number));
    }
    if value.try_downcast_ref::<u64>().is_some() {
        return see(path, declared, Number::Seed);
    }
    let info = value.get_represented_type_info();
    match value.reflect_mut() {
        ReflectMut::Struct(parts) => {
            for index in 0..parts.field_len() {
                let field = info.and_then(|info| info.as_struct().ok()?.field_at(index)).unwrap();
                let own = field.get_attribute::<ParamInfo>().copied();
                if let Some(SliderRange { min, max }) = field.get_attribute() {
                    let allowed = own.unwrap();
                    assert!(allowed.min <= *min && min < max && *max <= allowed.max, "{path}.{}", field.name());
                }
                let part = parts.field_at_mut(index).unwrap();
                visit(part, &format!("{path}.{}", field.name()), own.or(declared), see);
            }
        }
        ReflectMut::List(parts) => {
            for index in 0..parts.len() {
                visit(parts.get_mut(index).unwrap(), &format!("{path}.{index}"), declared, see);
            }
        }
        ReflectMut::Array(parts) => {
            for index in 0..parts.len() {
                visit(parts.get_mut(index).unwrap(), &format!("{path}.{index}"), declared, see);
            }
        }
        // Only `Some(…)` has fields here, and it adds nothing to the path.
        ReflectMut::Enum(parts) => {
            for index in 0..parts.field_len() {
                visit(parts.field_at_mut(index).unwrap(), path, declared, see);
            }
        }
        ReflectMut::Opaque(_) => {}
        _ => panic!("{path}: settings of this kind are not tested yet"),
    }
}

/// Invalid values, and valid ones at the ends of the range.
fn probes(number: &Number, ParamInfo { min, max, .. }: ParamInfo) -> (Vec<f64>, Vec<f64>) {
    match number {
        Number::Single(_) => {
            let (low, high) = (min as f32, max as f32);
            let beyond = [low.next_down(), high.next_up(), f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
            let bounded = low.is_finite();
            let beyond = if bounded { beyond.as_slice() } else { &beyond[2..3] };
            (beyond.iter().copied().map(f64::from).collect(), vec![low.into(), high.into()])
        }
        Number::Double(_) => {
            let beyond = vec![min.next_down(), max.next_up(), f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
            (beyond, vec![min, max])
        }
        Number::Whole(_) => {
            let beyond = [min - 1.0, max + 1.0, f64::from(u32::MAX)].into_iter().filter(|&number| number >= 0.0);
            (beyond.collect(), vec![min, max])
        }
        Number::Seed => (Vec::new(), Vec::new()),
    }
}

fn put(number: Number, value: f64) {
    match number {
        Number::Single(number) => *number = value as f32,
        Number::Double(number) => *number = value,
        Number::Whole(number) => *number = value as u32,
        Number::Seed => {}
    }
}

/// Tests every number of settings; returns how many there are.
fn guard<S: Settings + Reflect + Clone>(settings: &S) -> usize {
    assert_eq!(validate(settings), Ok(()));
    let mut numbers = Vec::new();
    visit(&mut settings.clone(), S::NAME, None, &mut |path, declared, number| {
        let declared = declared.unwrap_or_else(|| panic!("{path} is not declared"));
        let name = path.rsplit('.').next().unwrap();
        let bounded = declared.min.is_finite() && declared.max.is_finite() && declared.min < declared.max;
        assert!(bounded != UNBOUNDED.contains(&name), "{path} has no range, or one that is not wanted");
        assert!(!declared.help.is_empty() && !declared.help.starts_with(' '), "{path}: “{}”", declared.help);
        numbers.push((path.to_owned(), probes(&number, declared)));
    });
    let with = |wanted: &str, value: f64| {
        let mut changed = settings.clone();
        visit(&mut changed, S::NAME, None, &mut |path, _, number| {
            if path == wanted {
                put(number, value);
            }
        });
        changed
    };
    for (path, (beyond, ends)) in &numbers {
        for &value in beyond {
            let error = validate(&with(path, value)).expect_err(&format!("{path} may be {value}"));
            assert_eq!(error.path, *path, "{value}: {error}");
        }
        for &value in ends {
            assert_eq!(ranges::check(&with(path, value), None), Ok(()), "{path} may be {value}");
        }
    }
    numbers.len()
}

#[test]
fn every_number_of_a_terrain_has_a_range_that_is_checked() {
    assert!(guard(&TerrainLod::default()) >= 3);
    assert!(guard(&TerrainStreaming::default()) >= 5);
    assert!(guard(&NoiseTerrain::default()) > 3 + 5);
}

#[cfg(feature = "sky")]
#[test]
fn every_number_of_the_visual_settings_has_a_range_that_is_checked() {
    use crate::scatter::{ScatterKind, TerrainScatter};
    let kind = ScatterKind { patches: Some(default()), ..default() };
    assert!(guard(&crate::sky::TerrainSky::default()) >= 15);
    assert!(guard(&crate::water::TerrainWater::default()) >= 8 + 2 * 4);
    assert!(guard(&TerrainScatter { kinds: vec![ScatterKind::rock(), kind], ..default() }) >= 2 + 20 + 23);
    let ground = crate::ground::TerrainGround::default();
    assert!(guard(&ground) >= 5 + ground.layers.len() * (2 + 4 * 3));
}

#[test]
fn an_error_names_field_value_and_range() {
    let mut terrain = NoiseTerrain::default();
    terrain.streaming.memory_mb = 8;
    let error = terrain.validate().unwrap_err();
    let SettingsError { path, found, allowed } = error.clone();
    assert_eq!([&*path, &*found, &*allowed], ["terrain.streaming.memory_mb", "8", "16 to 4096 MB"]);
    assert_eq!(error.to_string(), "terrain.streaming.memory_mb: found 8, allowed is 16 to 4096 MB");
    assert_eq!(terrain.streaming.validate().unwrap_err().path, "streaming.memory_mb");
    terrain.lod.spacing = 1e300;
    assert!(terrain.validate().unwrap_err().to_string().starts_with("terrain.lod.spacing: found 1e300, allowed is"));
}

#[test]
fn errors_of_the_noise_have_the_full_path() {
    let with = |noise| NoiseTerrain { noise, ..default() }.validate().unwrap_err();
    let octaves = terrain_noise::Fractal { octaves: 0, ..default() };
    assert_eq!(with(octaves.into()).to_string(), "terrain.noise.octaves: found 0, allowed is 1 to 32");
    let deep = (0..100).fold(terrain_noise::perlin().into(), |noise: Noise, _| terrain_noise::Compose::abs(noise));
    assert!(with(deep).path.starts_with("terrain.noise"));
}

#[cfg(feature = "sky")]
#[test]
fn parts_of_colours_and_vectors_are_named() {
    let sky = crate::sky::TerrainSky { cloud_drift: Vec2::new(0.0, 300.0), ..default() };
    assert_eq!(sky.validate().unwrap_err().to_string(), "sky.cloud_drift.y: found 300, allowed is -200 to 200 m/s");
    let water = crate::water::TerrainWater { deep: LinearRgba::rgb(0.0, -0.1, 0.0), ..default() };
    assert_eq!(water.validate().unwrap_err().to_string(), "water.deep.green: found -0.1, allowed is 0 to 1");
    let mut ground = crate::ground::TerrainGround::default();
    ground.layers[2].color = Color::linear_rgb(f32::NAN, 0.0, 0.0);
    assert_eq!(ground.validate().unwrap_err().path, "ground.layers.2.color.red");
}
