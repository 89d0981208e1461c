//! The scenes: which world, from where, when.

/// A view that anybody can find again.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Of the picture's file.
    pub name: &'static str,
    /// Seed of the world.
    pub seed: u64,
    /// Metres east and south of the origin.
    pub place: [f64; 2],
    /// Metres of the eye over the ground.
    pub height: f32,
    /// Degrees clockwise from north.
    pub heading: f32,
    /// Degrees up from level.
    pub pitch: f32,
}

/// All scenes.
pub const SCENES: [Scene; 1] =
    [Scene { name: "valley", seed: 1, place: [0.0, 0.0], height: 40.0, heading: 20.0, pitch: -4.0 }];
