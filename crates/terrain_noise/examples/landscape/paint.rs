//! Colours, light and air.

pub type Colour = [f32; 3];

/// Where the sun stands: a unit vector, y up.
pub const SUN: [f32; 3] = [-0.62, 0.44, -0.65];

pub fn mix(a: Colour, b: Colour, t: f32) -> Colour {
    std::array::from_fn(|c| a[c] + (b[c] - a[c]) * t)
}

pub fn smooth(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The ground's own colour, by its height and by how steep it is; `coast` if the land has a sea.
pub fn ground(height: f32, coast: bool, up: f32, wet: bool, tint: Option<Colour>) -> Colour {
    if wet {
        let deep = (-height / 120.0).clamp(0.0, 1.0).sqrt();
        return mix([0.10, 0.30, 0.33], [0.015, 0.06, 0.13], deep);
    }
    if let Some(tint) = tint {
        return mix(tint.map(|c| 0.72 * c), tint, smooth(0.7, 0.95, up));
    }
    let low = mix([0.13, 0.17, 0.06], [0.22, 0.21, 0.11], smooth(100.0, 1300.0, height));
    let high = mix(low, [0.27, 0.25, 0.22], smooth(1100.0, 1900.0, height));
    let snow = mix(high, [0.88, 0.90, 0.94], smooth(1900.0, 2300.0, height));
    let rock = mix([0.22, 0.19, 0.16], [0.27, 0.25, 0.24], smooth(200.0, 2000.0, height));
    let sand = smooth(9.0, 2.0, height) * smooth(0.93, 0.98, up) * f32::from(coast);
    mix(mix(rock, snow, smooth(0.6, 0.84, up)), [0.52, 0.45, 0.29], sand)
}

/// Sun, sky from above and a little light from the ground.
pub fn lit(colour: Colour, normal: [f32; 3], sun: f32) -> Colour {
    let facing = (0..3).map(|i| normal[i] * SUN[i]).sum::<f32>().max(0.0);
    let sky = 0.5 + 0.5 * normal[1];
    let light: Colour = std::array::from_fn(|c| {
        facing * sun * [1.85, 1.68, 1.42][c] + sky * [0.30, 0.36, 0.46][c] + (1.0 - sky) * [0.12, 0.11, 0.10][c]
    });
    std::array::from_fn(|c| colour[c] * light[c])
}

/// The sky in a direction.
pub fn sky(direction: [f32; 3]) -> Colour {
    let up = direction[1].max(0.0);
    let blue = mix([0.70, 0.78, 0.86], [0.22, 0.42, 0.72], 1.0 - (-5.0 * up).exp());
    let toward = (0..3).map(|i| direction[i] * SUN[i]).sum::<f32>().max(0.0);
    mix(blue, [1.0, 0.93, 0.80], 0.35 * toward.powi(8))
}

pub fn pixel(colour: Colour) -> [u8; 3] {
    // A filmic curve (Narkowicz 2015), then gamma.
    colour.map(|c| {
        let x = 0.62 * c.max(0.0);
        let film = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
        (film.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0) as u8
    })
}
