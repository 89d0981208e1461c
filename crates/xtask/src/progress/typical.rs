//! How long things take on two cores that draw in software, from nothing: the estimate of a first run.

/// Seconds of parts that are not listed.
const ELSE: f64 = 3.0;

/// Seconds of the land, which nearly everything waits for, so that it is one of the last units.
const LAND: f64 = 60.0;

/// Units at the end of a build, among them Bevy's largest crates, and what each of them takes in seconds.
const LAST_UNITS: u64 = 25;
const SECONDS_PER_LAST_UNIT: f64 = 6.0;
const SECONDS_PER_UNIT: f64 = 1.6;

/// Seconds of parts. Builds are estimated by their units once these are known.
const SECONDS: &[(&str, f64)] = &[
    ("fly: build", 900.0),
    ("scenes: build", 900.0),
    ("test: build", 1_500.0),
    ("test: drawn drawn", 600.0),
    ("test: bevy_noise_terrain_land lib", 15.0),
    ("test: terrain_noise core", 10.0),
    ("test: bevy_noise_terrain_avian colliders", 9.0),
    ("test: navigate crowd", 15.0),
    ("test: bevy_noise_terrain_land headless", 90.0),
    ("test: bevy_noise_terrain_net share", 13.0),
    ("test: documentation", 25.0),
    ("check: clippy", 300.0),
    ("check: features", 110.0),
    ("check: doc", 60.0),
    ("check: server", 200.0),
    ("check: package", 30.0),
    ("check: wasm", 5.0),
    ("check: shaders", 40.0),
    ("check: costs", 60.0),
    ("check: scenes", 110.0),
    ("check: counts", 300.0),
    ("check: examples", 500.0),
    ("check: readme", 5.0),
    ("check: window", 400.0),
];

/// The seconds that a build takes which has so many units left.
pub fn seconds_of_units(left: u64) -> f64 {
    if left == 0 {
        return 0.0;
    }
    let last = left.min(LAST_UNITS);
    LAND + last as f64 * SECONDS_PER_LAST_UNIT + (left - last) as f64 * SECONDS_PER_UNIT
}

/// The seconds that a part takes by this table.
pub fn seconds(key: &str) -> f64 {
    SECONDS.iter().find(|(known, _)| *known == key).map_or(ELSE, |(_, seconds)| *seconds)
}
