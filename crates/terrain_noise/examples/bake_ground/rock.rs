//! Rock: beds that end in ledges, broken into facets, with cracks between them, weathered.

use terrain_noise::NoiseError;
use terrain_noise::prelude::*;
use terrain_noise::texture::wood;

use crate::colour::{Colour, blend, ramp, shade};
use crate::ground::{Ground, Texel};
use crate::picture::{Finish, Steps};
use crate::plane::{Plane, SIDE, fbm, smoothstep, tile};

const METRES: f32 = 6.0;
const TONES: [Colour; 5] =
    [[0.20, 0.185, 0.165], [0.30, 0.27, 0.23], [0.28, 0.265, 0.245], [0.36, 0.335, 0.295], [0.25, 0.235, 0.215]];
const RUST: Colour = [0.30, 0.20, 0.12];
const LICHEN: Colour = [0.40, 0.40, 0.31];

/// A tile of facets: plates of their own tilt and height, and the distance from their borders.
struct Facets {
    height: Plane,
    border: Plane,
    tone: Plane,
}

impl Facets {
    /// `cells` along x and z; borders are moved by `warp`, in tiles.
    fn new(seed: u64, cells: [u32; 2], tilt: f32, warp: [&Plane; 2], amount: f32) -> Result<Self, NoiseError> {
        let sampler = |output| tile(cellular(output), cells, Into::into).build(seed);
        let (nearest, value, border) =
            (sampler(CellOutput::F1)?, sampler(CellOutput::CellValue)?, sampler(CellOutput::F2MinusF1)?);
        let mut facets = Self { height: Plane::of(0.0), border: Plane::of(0.0), tone: Plane::of(0.0) };
        for i in 0..SIDE * SIDE {
            let place = [i % SIDE, i / SIDE].map(|k| k as f64 / SIDE as f64);
            let at = std::array::from_fn(|axis| place[axis] + f64::from(amount * warp[axis].0[i]));
            let jet = nearest.sample_with_gradient(at, 0.0);
            let value = value.sample(at);
            // Further digits of the random value of the cell.
            let digits = |factor: f32| (value * factor).rem_euclid(2.0) - 1.0;
            // From the cell's point: distance times direction, in cells. F1 is -1 there and 1 at √2.
            let slope = jet.gradient;
            let steep = (slope[0] * slope[0] + slope[1] * slope[1]).sqrt().max(1e-6);
            let away = (jet.value + 1.0) * std::f32::consts::FRAC_1_SQRT_2 / steep;
            let tilted = away * (digits(37.0) * slope[0] + digits(91.0) * slope[1]);
            facets.height.0[i] = value + tilt * tilted;
            facets.border.0[i] = border.sample(at) + 1.0;
            facets.tone.0[i] = digits(17.0);
        }
        Ok(facets)
    }
}

pub fn bake() -> Result<(Ground, Finish), NoiseError> {
    let wander = [Plane::noise(&fbm(9, 7), 1)?, Plane::noise(&fbm(9, 7), 2)?];
    let warp = [&wander[0], &wander[1]];
    let large = Facets::new(3, [6, 9], 1.0, warp, 0.022)?;
    let middle = Facets::new(4, [15, 20], 1.3, warp, 0.018)?;
    let small = Facets::new(5, [44, 56], 1.3, warp, 0.012)?;
    let crag = Plane::noise(&tile(perlin(), [9; 2], |basis| basis.fbm().octaves(7).persistence(0.52).into()), 6)?;
    let grain = Plane::noise(&fbm(48, 5), 7)?;
    let bend = Plane::noise(&fbm(6, 7), 8)?;
    let pits = Plane::noise(&tile(cellular(CellOutput::F1), [110; 2], Into::into), 9)?;
    let stain = Plane::noise(&fbm(9, 6), 10)?.levelled(90.0).ranked();
    let spots = Plane::noise(&fbm(24, 6), 11)?.levelled(60.0).ranked();
    let open = Plane::noise(&fbm(7, 3), 12)?.ranked();
    // Beds: each rises along the dip and ends in a ledge.
    let beds = Plane::ask(|[x, z]| (6.0 * z + 5.0 * x) as f32);
    let beds = Plane((0..SIDE * SIDE).map(|i| wood(beds.0[i] + 0.3 * large.tone.0[i], bend.0[i], 0.9)).collect());
    let ledge = beds.map(|t| t - smoothstep(0.90, 1.0, t));

    // Bowls with sharp rims, where chips broke out.
    let chips = Plane::noise(
        &tile(cellular(CellOutput::F1), [17; 2], |basis| basis.fbm().octaves(4).persistence(0.45).into()),
        13,
    )?;
    let chips = chips.warped(&wander[0], &wander[1], 0.02).map(|c| c.abs() * c);

    let height = |i: usize| {
        // Joints gape here and are closed there.
        let gape = smoothstep(0.2, 0.6, open.0[i]);
        let joint = gape * (1.0 - smoothstep(0.0, 0.05, large.border.0[i]));
        // Blocks of the middle size stand out of the large ones, or lie hidden in them.
        let blocks = (0.10 * large.height.0[i]).max(0.09 * middle.height.0[i] - 0.02);
        blocks
            + 0.09 * ledge.0[i]
            + 0.08 * crag.0[i]
            + 0.05 * chips.0[i]
            + 0.004 * small.height.0[i]
            + 0.008 * grain.0[i]
            - 0.05 * joint
            + 0.005 * (pits.0[i] + 0.4).min(0.0)
    };
    let mut ground = Ground::new(METRES, |i| {
        let tone = 0.5 + 0.24 * large.tone.0[i] + 0.16 * middle.tone.0[i] + 0.4 * crag.0[i] + 0.25 * (ledge.0[i] - 0.4);
        let tone = shade(ramp(&TONES, tone), 1.0 + 0.30 * grain.0[i] + 0.06 * small.tone.0[i]);
        let tone = blend(tone, RUST, 0.4 * smoothstep(0.70, 1.0, stain.0[i] + 0.12 * grain.0[i]));
        let tone = blend(tone, LICHEN, 0.55 * smoothstep(0.88, 0.93, spots.0[i] + 0.1 * grain.0[i]));
        Texel { height: height(i), albedo: tone, rough: 0.78 + 0.1 * grain.0[i] + 0.06 * small.tone.0[i] }
    });
    ground.height = ground.height.evened(130.0);
    // Hollows hold dirt, edges are worn clean.
    let [narrow, wide] = [4.0, 20.0].map(|radius| ground.height.levelled(radius));
    for (i, colour) in ground.albedo.iter_mut().enumerate() {
        let relief = 5.0 * narrow.0[i] + 2.0 * wide.0[i];
        *colour = shade(*colour, (1.0 + 1.6 * relief).clamp(0.4, 1.3));
    }
    ground.even(64.0);
    ground.tint([0.30, 0.275, 0.245]);
    Ok((ground, Finish { relief: 0.9, reach: 0.4, steps: Steps { normal: 6, ..Steps::default() } }))
}
