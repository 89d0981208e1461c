//! The scenes: which world, from where, when.

/// A view that anybody can find again.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Of the picture's file.
    pub name: &'static str,
    /// The world: `assets/presets/….terrain.ron`, or without a name the plugin's default.
    pub preset: &'static str,
    /// Metres east and south of the origin.
    pub place: [f64; 2],
    /// Metres of the eye over the ground, or over the sea where that is higher.
    pub height: f32,
    /// Degrees clockwise from north.
    pub heading: f32,
    /// Degrees up from level.
    pub pitch: f32,
    /// Hour of the day.
    pub time: f32,
    /// Part of the sky that is clouded.
    pub clouds: f32,
}

const fn scene(name: &'static str, preset: &'static str, place: [f64; 2]) -> Scene {
    Scene { name, preset, place, height: 60.0, heading: 0.0, pitch: -4.0, time: 10.0, clouds: 0.35 }
}

/// All scenes.
pub const SCENES: [Scene; 13] = [
    // What the README's lines show, from where they stand.
    Scene { height: 20.0, heading: 233.0, pitch: 3.0, ..scene("valley", "", [-300.0, 360.0]) },
    Scene {
        height: 1_100.0,
        heading: 200.0,
        pitch: -12.0,
        time: 7.4,
        clouds: 0.0,
        ..scene("alpine-dawn", "alps", [-2_500.0, -2_000.0])
    },
    Scene {
        height: 150.0,
        heading: 250.0,
        pitch: -14.0,
        time: 12.5,
        ..scene("canyon-noon", "canyon", [1_300.0, 4_300.0])
    },
    Scene { height: 190.0, heading: 325.0, pitch: -3.0, time: 8.0, ..scene("islands", "islands", [600.0, -1_300.0]) },
    Scene { height: 14.0, heading: 215.0, pitch: -4.0, time: 17.3, ..scene("dunes", "dunes", [0.0, 0.0]) },
    Scene {
        height: 2.0,
        heading: 290.0,
        pitch: -1.0,
        time: 15.0,
        clouds: 0.3,
        ..scene("meadow", "hills", [340.0, 1_550.0])
    },
    Scene {
        height: 5_000.0,
        heading: 225.0,
        pitch: -16.0,
        time: 8.0,
        ..scene("from-above", "continents", [3_000.0, -1_000.0])
    },
    Scene { height: 1_500.0, pitch: -90.0, ..scene("straight-down", "badlands", [0.0, 0.0]) },
    Scene {
        height: 25.0,
        heading: 275.0,
        pitch: 1.0,
        time: 18.3,
        ..scene("into-the-sun", "tundra", [2_500.0, -6_000.0])
    },
    Scene { height: 80.0, heading: 90.0, ..scene("alien", "alien", [0.0, 0.0]) },
    Scene {
        height: 600.0,
        heading: 176.0,
        pitch: -14.0,
        time: 7.2,
        clouds: 0.41,
        ..scene("towers", "karst", [-123_256.0, 650_661.0])
    },
    Scene { height: 12.0, heading: 330.0, pitch: 3.0, ..scene("cave-mouth", "karst", [-449.0, 796.0]) },
    // From within a hill, below its top.
    Scene { height: -66.0, heading: 330.0, pitch: -1.0, ..scene("from-a-cave", "karst", [1_006.0, 187.0]) },
];
