//! Gullies: stripes that run down the slope of a height field, each octave down the slope of the
//! octaves before it, so that gullies branch.
//!
//! The land's slope and curvature come from a spline through its heights on a lattice, with octaves too
//! fine for gullies left out. An octave fades at the crests and beds of the one before, and wherever the
//! direction turns so fast that its waves would crowd into steps.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use super::spline::Shape;
use super::stripes::{Stripes, share};
use crate::bounds::Interval;
use crate::lattice::derive;
use crate::noise;
use crate::real::Field;

/// What is finer than this does not turn gullies, in wavelengths of the first octave.
const REACH: f64 = 0.2;
/// Spacing of the lattice that the land is sampled on, in the same unit times [`REACH`]. Its spline smooths about
/// as much as the mean over a circle of that radius.
const SPACING: f64 = 0.57;
/// The widest lattice, in metres: curvatures per metre stay what 32 bits hold.
const COARSEST: f64 = 1e12;
/// Where a flank is less steep than this fraction of its steepest, it counts as crest or bed.
const EDGE: f32 = 0.15;
/// The typical distance, in wavelengths, of a wave from its middle: its phase shifts by this much when the
/// direction turns by a radian.
const LEVER: f32 = 0.72;
/// Rounds off the crease of sharp crests, whatever the sampling distance.
const BLUNT: f32 = 0.002;
/// The limit of slopes and curvatures, so that the squares of their sums stay finite.
const STEEPEST: f32 = 1e17;
/// Intervals in the table of the profile's means, over creases of 0 to 1.
const MEANS: usize = 16;
/// The most octaves.
pub(crate) const OCTAVES: usize = 16;

/// How many were compiled.
static BUILT: AtomicU64 = AtomicU64::new(0);

/// Which of all compiled gullies they are. It is no part of what they look like, so it is not told with the rest.
#[derive(Clone, Copy)]
struct Id(u64);

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Id")
    }
}

/// Compiled gullies.
#[derive(Clone, Debug)]
pub(crate) struct Gullies {
    id: Id,
    octaves: Vec<Gully>,
    /// The finest that turns gullies, in metres.
    reach: f64,
    /// One over the slope at which gullies have their full depth.
    steep: f32,
    low: f32,
    range: f32,
    sharpness: f32,
    /// Samples over which creases are rounded off.
    rounding: f64,
    /// Means of the profile over the width of the rounded crease, from 0 to 1 in even steps.
    means: [f32; MEANS + 1],
}

/// One octave.
#[derive(Clone, Debug)]
struct Gully {
    stripes: Stripes,
    amplitude: f32,
    /// Slope of the flanks, which the next octave follows.
    flank: f32,
}

/// One octave at a sampling distance.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SampledGully {
    amplitude: f32,
    flank: f32,
    /// Radians per metre across the gullies.
    frequency: f32,
    lever: f32,
    share: f32,
    blunt: f32,
    mean: f32,
}

impl SampledGully {
    /// Whether samples can show anything of it.
    #[inline(always)]
    pub fn is_visible(&self) -> bool {
        self.share > 0.0
    }
}

/// The sum so far, and what the next octave needs to know of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<R> {
    pub sum: R,
    slope: [R; 2],
    /// How the slope changes from place to place, a symmetric matrix: along x, mixed, along z.
    bend: [R; 3],
    mask: R,
    level: R,
}

/// The numbers of a state, to store them side by side.
pub(crate) const STATE: usize = 8;

impl<R: Copy> State<R> {
    #[inline(always)]
    pub fn numbers(self) -> [R; STATE] {
        let ([x, z], [xx, xz, zz]) = (self.slope, self.bend);
        [self.sum, x, z, xx, xz, zz, self.mask, self.level]
    }
    #[inline(always)]
    pub fn of([sum, x, z, xx, xz, zz, mask, level]: [R; STATE]) -> Self {
        Self { sum, slope: [x, z], bend: [xx, xz, zz], mask, level }
    }
}

/// Where the waves of an octave run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course<R> {
    /// The unit vector across.
    pub across: [R; 2],
    /// Less than 1 where the direction turns too fast.
    pub steady: R,
}

/// From bed to crest over the cosine of the phase: plain, or with a crease on the crests (above 0) or
/// in the beds (below).
#[inline(always)]
fn profile<R: Field<2>>(cos: R, sharpness: f32, blunt: f32) -> R {
    let side = if sharpness < 0.0 { -1.0 } else { 1.0 };
    let below = (cos * (-0.5 * side) + 0.5).max(R::constant(0.0)) + blunt;
    let root = below.map_increasing(|x| {
        let root = x.sqrt();
        (root, 0.5 / root)
    });
    let creased = root * (-2.0 * side) + side;
    cos + (creased - cos) * sharpness.abs()
}

/// Limits a slope or curvature so that its square stays finite. Also turns NaN into a number.
#[inline(always)]
fn bounded<R: Field<2>>(slope: R) -> R {
    slope.min(R::constant(STEEPEST)).max(R::constant(-STEEPEST))
}

/// The bluntness that rounds a crease off over `crease`, in sines of half the phase.
#[inline(always)]
fn blunt(crease: f32) -> f32 {
    BLUNT + crease * crease
}

/// The mean of the profile over all phases.
fn mean_of_profile(sharpness: f32, blunt: f32) -> f32 {
    const PHASES: u32 = 256;
    let turns = |i: u32| (f64::from(i) + 0.5) / f64::from(PHASES) * std::f64::consts::TAU;
    let sum: f64 = (0..PHASES).map(|i| f64::from(profile(libm::cos(turns(i)) as f32, sharpness, blunt))).sum();
    (sum / f64::from(PHASES)) as f32
}

impl Gullies {
    pub fn new(node: &noise::Gullies, seed: u64) -> Self {
        let mut octaves = Vec::with_capacity(node.octaves as usize);
        let (mut wavelength, mut amplitude) = (node.feature_size, 0.5 * node.depth);
        for k in 0..node.octaves {
            let stripes = Stripes::new(derive(seed, 1 + u64::from(k)), wavelength);
            let flank = node.branching * amplitude * std::f64::consts::TAU / wavelength;
            octaves.push(Gully { stripes, amplitude: amplitude as f32, flank: bounded(flank as f32) });
            wavelength /= node.lacunarity;
            amplitude *= node.persistence;
        }
        let sharpness = node.sharpness as f32;
        let mut means = [0.0; MEANS + 1];
        for (i, mean) in means.iter_mut().enumerate() {
            *mean = mean_of_profile(sharpness, blunt(i as f32 / MEANS as f32));
        }
        Self {
            id: Id(BUILT.fetch_add(1, Ordering::Relaxed)),
            octaves,
            reach: node.feature_size * REACH,
            steep: (1.0 / node.slope) as f32,
            low: node.low as f32,
            range: (node.high - node.low) as f32,
            sharpness,
            rounding: node.rounding,
            means,
        }
    }

    /// A number that only copies share, which stand on the same land: by it, what was sampled of the land is known again.
    pub fn id(&self) -> u64 {
        self.id.0
    }

    /// The footprint of the land's heights on the lattice: detail finer than gullies must not turn them.
    pub fn footprint(&self, footprint: f64) -> f64 {
        footprint.max(self.reach)
    }

    /// The spacing of the lattice, in metres. Not finer than the samples of a grid, whose points it then shares: far
    /// away it would cost more than it saves.
    pub fn spacing(&self, footprint: f64) -> f64 {
        // In this order, no footprint at all is as good as none.
        (SPACING * self.reach).max(footprint).min(COARSEST)
    }

    /// The stripes of all octaves.
    pub fn stripes(&self) -> impl ExactSizeIterator<Item = &Stripes> {
        self.octaves.iter().map(|gully| &gully.stripes)
    }

    /// The stripes of an octave.
    #[inline(always)]
    pub fn stripe(&self, octave: usize) -> Option<&Stripes> {
        self.octaves.get(octave).map(|gully| &gully.stripes)
    }

    /// The octaves as sampled every `footprint` metres.
    #[inline(always)]
    pub fn sampled(&self, footprint: f64) -> ([SampledGully; OCTAVES], usize) {
        let mut all = [SampledGully::default(); OCTAVES];
        for (gully, sampled) in self.octaves.iter().zip(&mut all) {
            let wavelength = gully.stripes.wavelength;
            let [blunt, mean] = self.crease(wavelength, footprint);
            *sampled = SampledGully {
                amplitude: gully.amplitude,
                flank: gully.flank,
                frequency: std::f32::consts::TAU / wavelength as f32,
                lever: LEVER * wavelength as f32,
                share: share(wavelength, footprint),
                blunt,
                mean,
            };
        }
        (all, self.octaves.len().min(OCTAVES))
    }

    /// How much gullies can add or take away.
    pub fn interval(&self) -> Interval {
        let most: f64 = self.octaves.iter().map(|gully| f64::from(gully.amplitude).abs()).sum();
        // Subtracting its mean makes a profile reach further to one side.
        let most = most * (1.0 + f64::from(self.means[0].abs())) * 1.001;
        Interval::new(-most, most)
    }

    /// The bluntness of creases at a wavelength and a footprint, and the mean of that profile.
    #[inline(always)]
    fn crease(&self, wavelength: f64, footprint: f64) -> [f32; 2] {
        // The sine of half the phase rises by π a wavelength.
        let crease = self.rounding * footprint / wavelength * std::f64::consts::PI;
        if crease > 0.0 {
            let crease = crease.min(1.0) as f32;
            let place = crease * MEANS as f32;
            let below = (place as usize).min(MEANS - 1);
            let [a, b] = [self.means[below], self.means[below + 1]];
            [blunt(crease), a + (place - below as f32) * (b - a)]
        } else {
            [BLUNT, self.means[0]]
        }
    }

    /// The state before the first octave.
    #[inline(always)]
    pub fn begin<R: Field<2>>(&self, land: Shape<R>) -> State<R> {
        let [x, z] = [bounded(land.slope[0]), bounded(land.slope[1])];
        // 0 on flat ground, 1 where it is steep.
        let mask = (x.squared() + z.squared()).map_increasing(|square| {
            let t = square.sqrt() * self.steep;
            if t < 1.0 { (t * t * (3.0 - 2.0 * t), 3.0 * (1.0 - t) * self.steep * self.steep) } else { (1.0, 0.0) }
        });
        // Flat low ground is lowered to the beds, flat high ground raised to the crests.
        let level = ((land.height - self.low) * (1.0 / self.range)).max(R::constant(0.0)).min(R::constant(1.0));
        State {
            sum: R::constant(0.0),
            slope: [x, z],
            bend: [bounded(land.bend[0]), bounded(land.bend[1]), bounded(land.bend[2])],
            mask,
            level: level * 2.0 - 1.0,
        }
    }

    /// Where the waves of the next octave run.
    #[inline(always)]
    pub fn course<R: Field<2>>(state: &State<R>, gully: &SampledGully) -> Course<R> {
        let ([x, z], [xx, xz, zz]) = (state.slope, state.bend);
        // The tiny number gives flat ground a direction; its mask is 0 anyway.
        let square = x.squared() + z.squared() + 1e-20;
        let inverse = square.map_smooth(|square| {
            let inverse = 1.0 / square.sqrt();
            (inverse, -0.5 * inverse / square)
        });
        let across = [z * inverse * -1.0, x * inverse];
        let turn_x = (xx * across[0] + xz * across[1]) * gully.lever;
        let turn_z = (xz * across[0] + zz * across[1]) * gully.lever;
        let steady = square.divided_by(square + turn_x.squared() + turn_z.squared());
        Course { across, steady }
    }

    /// How sharp crests or beds are.
    #[inline(always)]
    pub fn sharpness(&self) -> f32 {
        self.sharpness
    }

    /// Adds an octave, whose wave is `[cos, sin]`.
    #[inline(always)]
    pub fn next<R: Field<2>>(
        sharpness: f32,
        state: State<R>,
        course: Course<R>,
        [cos, sin]: [R; 2],
        gully: &SampledGully,
    ) -> State<R> {
        let State { sum, slope: [x, z], bend: [xx, xz, zz], mask, level } = state;
        let Course { across: [ax, az], steady } = course;
        let shaped = if sharpness == 0.0 { cos } else { profile(cos, sharpness, gully.blunt) };
        let here = (shaped - gully.mean) * gully.share;
        let level = level + steady * mask * (here - level);
        let flank = steady * (gully.flank * gully.share);
        let fall = sin * flank * -1.0;
        let turn = cos * (flank * gully.frequency).min(R::constant(STEEPEST)) * -1.0;
        let (turn_x, turn_z) = (turn * ax, turn * az);
        let square = sin.squared();
        let edge = (square * (1.0 + EDGE)).divided_by(square + EDGE);
        // A fading octave has crests only as far as it is visible.
        let edge = (edge - unseen()) * gully.share + unseen();
        State {
            sum: sum + level * gully.amplitude,
            slope: [x + fall * ax, z + fall * az],
            bend: [xx + turn_x * ax, xz + turn_x * az, zz + turn_z * az],
            mask: opened(mask) * edge,
            level,
        }
    }

    /// Adds an octave that samples cannot show.
    #[inline(always)]
    pub fn rest<R: Field<2>>(state: State<R>, course: Course<R>, gully: &SampledGully) -> State<R> {
        let level = state.level - course.steady * state.mask * state.level;
        let mask = opened(state.mask) * unseen();
        State { sum: state.sum + level * gully.amplitude, mask, level, ..state }
    }
}

impl Gullies {
    /// What to add to a land of this shape at a position.
    pub fn at<R: Field<2>>(&self, at: [f64; 2], land: Shape<R>, footprint: f64) -> R {
        let (octaves, count) = self.sampled(footprint);
        let mut state = self.begin(land);
        for (gully, octave) in self.octaves.iter().zip(&octaves[..count]) {
            let course = Self::course(&state, octave);
            state = if octave.is_visible() {
                let wave = gully.stripes.wave(at, course.across);
                Self::next(self.sharpness, state, course, wave, octave)
            } else {
                Self::rest(state, course, octave)
            };
        }
        state.sum
    }
}

/// The mean of `1 − edge` over all phases.
#[inline(always)]
fn unseen() -> f32 {
    (1.0 + EDGE) * (1.0 - (EDGE / (1.0 + EDGE)).sqrt())
}

/// A mask that opens wider than the one before.
#[inline(always)]
fn opened<R: Field<2>>(mask: R) -> R {
    mask * (mask * -1.0 + 2.0)
}
