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

/// The ground's own colour, by its height in the land's range and by how steep it is.
pub fn ground(height: f32, range: [f32; 2], up: f32, wet: bool) -> Colour {
    if wet {
        let deep = (-height / 120.0).clamp(0.0, 1.0).sqrt();
        return mix([0.20, 0.42, 0.47], [0.03, 0.11, 0.21], deep);
    }
    let t = ((height - range[0].max(0.0)) / (range[1] - range[0].max(0.0)).max(1.0)).clamp(0.0, 1.0);
    let low = mix([0.30, 0.34, 0.18], [0.40, 0.38, 0.26], smooth(0.0, 0.45, t));
    let high = mix(low, [0.46, 0.43, 0.40], smooth(0.35, 0.7, t));
    let snow = mix(high, [0.92, 0.93, 0.96], smooth(0.72, 0.85, t) * smooth(0.62, 0.82, up));
    let rock = mix([0.42, 0.38, 0.34], [0.48, 0.46, 0.45], t);
    let sand = smooth(12.0, 2.0, height) * smooth(0.9, 0.97, up) * f32::from(range[0] < -1.0);
    mix(mix(rock, snow, smooth(0.66, 0.86, up)), [0.72, 0.66, 0.48], sand)
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
    // Soft shoulder, then gamma.
    colour.map(|c| ((1.0 - (-1.35 * c.max(0.0)).exp()).powf(1.0 / 2.0) * 255.0).min(255.0) as u8)
}
