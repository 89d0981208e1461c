//! Nodes that look a noise up at another place.

use crate::params::node;

node! {
    /// Turns, moves and stretches the ground under a noise.
    Transform {
        /// Makes features this many times as long along x.
        scale_x: f64 = 1.0, [1e-6..=1e6];
        /// Makes features this many times as long along y (3D only).
        scale_y: f64 = 1.0, [1e-6..=1e6];
        /// Makes features this many times as long along z.
        scale_z: f64 = 1.0, [1e-6..=1e6];
        /// Turns the noise about the vertical.
        rotation: f64 = 0.0, [-360.0..=360.0, "°"];
        /// Moves the noise along x.
        move_x: f64 = 0.0, [-1e12..=1e12, "m"];
        /// Moves the noise along y (3D only).
        move_y: f64 = 0.0, [-1e12..=1e12, "m"];
        /// Moves the noise along z.
        move_z: f64 = 0.0, [-1e12..=1e12, "m"];
    }
    operands {
        /// What is transformed.
        source,
    }
}
node! {
    /// Domain warp: looks the source up at a place displaced by another noise (Quilez 2002). Each
    /// axis gets a noise of its own from the same tree.
    Warp {
        /// Displacement per unit of the warping noise.
        amount: f64 = 100.0, [-1e6..=1e6, "m"];
    }
    operands {
        /// What is warped.
        source,
        /// The warping noise.
        by,
    }
}
node! {
    /// Turns the place about the origin by an angle that follows another noise. It winds up with the
    /// distance from the origin: for pictures and bounded islands, not for endless ground.
    Swirl {
        /// Angle per unit of the turning noise.
        angle: f64 = 0.0, [-36000.0..=36000.0, "°"];
    }
    operands {
        /// What is turned.
        source,
        /// The turning noise.
        by,
    }
}
