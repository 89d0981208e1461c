//! A noise as words for a shader, which then computes the same values.
//!
//! [`Sampler::for_shader`] takes a compiled noise apart into what a shader needs of it: for each octave its seed, where
//! its lattice lies, and how metres become cells. A shader that has these words hashes the same lattice points to the
//! same bits, and its values are those of the sampler within 1e-5 of an octave, near and a million kilometres out:
//! positions are fixed point, 32 bits each for whole cells and fractions, relative to an origin that is split in 64
//! bits here. `bevy_noise_terrain::noise` is such a shader library, for Bevy or any other user of WGSL.
//!
//! # What a shader can do
//!
//! One chain of nodes, from a basis to its values:
//!
//! | node | on the card |
//! |---|---|
//! | `Single`, `Fractal` of `Value`, `Perlin`, `Simplex`, `Cellular` | yes, on the plane and in space, with slopes |
//! | all kinds of `Fractal`, any lacunarity, rotation, rounding; every fade and cell output | yes, up to 16 octaves |
//! | `Transform`, `FixedSeed` over them | yes |
//! | `Affine`, `Range` over these | yes |
//! | `Clamp`, `Abs`, `Power`, `Bias`, `Gain`, `Terrace`, `Curve`, `Shore` | no: one line of WGSL over the value |
//! | `Add`, `Mul`, `Min`, `Max`, `SmoothMin`, `SmoothMax`, `Blend`, `AddAbove`, `Strata` | no: send each operand, join them in WGSL; operands have the numbers they have alone, with the seed they are built with |
//! | `Warp`, `Swirl` | no: they move the position; send both noises, and start the second where the first has moved it |
//! | `Damped`, `Gullies`, `Dunes` | no |
//! | `SmoothedValue`, `CubicValue`, `ClassicPerlin`, lattices other than `Hashed`, periods | no |
//! | noise on a line | no: it is cheap, and time is the same for all of a frame; send the value of a [`Signal`](crate::signal::Signal) |
//!
//! What cannot be done is refused with the node's path.

mod lattice;
mod octave;

pub use self::lattice::PlaneLattice;
use self::octave::{plane_words, space_words};
use crate::basis::cellular::{CellOutput, scale};
use crate::basis::{Basis, Octave, Random};
use crate::error::{NoiseError, join, number};
use crate::interpolation::Fade;
use crate::lattice::Lattice;
use crate::mapping::Mapping;
use crate::real::reachable;
use crate::sampler::{AnyRecipe, Leaf, Node, Sampler, Transform};

/// Octaves that a shader has room for.
pub const MAX_OCTAVES: usize = 16;
/// Words of the settings, before the octaves.
pub const SETTINGS_WORDS: usize = 12;
/// Words of an octave on the plane.
pub const PLANE_OCTAVE_WORDS: usize = 28;
/// Words of an octave in space.
pub const SPACE_OCTAVE_WORDS: usize = 44;
/// Words of a noise on the plane: its settings and [`MAX_OCTAVES`] octaves.
pub const PLANE_WORDS: usize = SETTINGS_WORDS + MAX_OCTAVES * PLANE_OCTAVE_WORDS;
/// Words of a noise in space.
pub const SPACE_WORDS: usize = SETTINGS_WORDS + MAX_OCTAVES * SPACE_OCTAVE_WORDS;

/// The most cells of a first octave in a metre: 56 bits after the point leave so many before it.
const MOST_CELLS: f64 = 64.0;

/// A noise that a shader can compute. Immutable; it is asked for words whenever the origin moves.
#[derive(Clone, Debug)]
pub struct ShaderNoise {
    basis: Basis,
    octaves: Vec<Octave>,
    recipe: AnyRecipe,
    mean: f32,
    rounding: f32,
    /// From the root down.
    transforms: Vec<Transform>,
    /// `factor · value + offset`.
    affine: [f32; 2],
}

impl Sampler {
    /// Takes the noise apart for a shader.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let land = simplex().ridged_multifractal().octaves(7).feature_size(800.0).scale(300.0).build(1)?;
    /// let words = land.for_shader()?.plane([1.0e9, -2.0e6]);
    /// # let _ = words;
    /// let error = perlin().warp(perlin(), 30.0).scale(2.0).build(1)?.for_shader().unwrap_err();
    /// assert!(error.to_string().starts_with("source: found Warp, allowed is "));
    /// # Ok::<(), NoiseError>(())
    /// ```
    ///
    /// # Errors
    /// The first part of the noise that a shader cannot compute, by its path: see the [module](self).
    pub fn for_shader(&self) -> Result<ShaderNoise, NoiseError> {
        let (mut node, mut path) = (&*self.root, String::new());
        let (mut transforms, mut maps) = (Vec::new(), Vec::new());
        let (leaf, recipe, mean) = loop {
            match node {
                Node::Single { leaf, mean } => break (leaf, AnyRecipe::Fbm(crate::fractal::Fbm), *mean),
                Node::Fractal { leaf, recipe, mean } => break (leaf, *recipe, *mean),
                Node::Map { source, mapping: Mapping::Affine { factor, offset } } => {
                    maps.push([*factor, *offset]);
                    node = source;
                }
                Node::Transform { source, transform, .. } => {
                    transforms.push(transform.clone());
                    node = source;
                }
                other => return Err(refused(&path, kind(other))),
            }
            path = join(&path, "source");
        };
        check(leaf, &path)?;
        let affine = maps.iter().rev().fold([1.0, 0.0], |[factor, offset], [f, o]| [factor * f, offset * f + o]);
        let noise = ShaderNoise {
            basis: leaf.basis,
            octaves: leaf.octaves.clone(),
            recipe,
            mean,
            rounding: leaf.rounding() as f32,
            transforms,
            affine,
        };
        noise.check_frequencies(&path)?;
        Ok(noise)
    }
}

impl ShaderNoise {
    /// The words of the noise on the plane, for positions relative to `origin` in metres, x and z.
    ///
    /// They are exact for positions up to 2^23 cells of the first octave and 2^31 m from the origin; further out the
    /// noise repeats. `settings` and `octaves` of the shader's `Noise` are these words, in a uniform or a storage
    /// buffer.
    #[must_use]
    pub fn plane(&self, origin: [f64; 2]) -> [u32; PLANE_WORDS] {
        let mut words = [0; PLANE_WORDS];
        let (settings, octaves) = words.split_at_mut(SETTINGS_WORDS);
        settings.copy_from_slice(&self.settings(2));
        let place = self.transformed(reachable(origin));
        for (k, words) in octaves.as_chunks_mut().0.iter_mut().take(self.octaves.len()).enumerate() {
            *words = plane_words(self, k, place);
        }
        words
    }

    /// The words of the noise in space, for positions relative to `origin` in metres, x, y and z. As
    /// [`plane`](Self::plane) otherwise, for the shader's `SpaceNoise`.
    #[must_use]
    pub fn space(&self, origin: [f64; 3]) -> [u32; SPACE_WORDS] {
        let mut words = [0; SPACE_WORDS];
        let (settings, octaves) = words.split_at_mut(SETTINGS_WORDS);
        settings.copy_from_slice(&self.settings(3));
        let place = self.transformed(reachable(origin));
        for (k, words) in octaves.as_chunks_mut().0.iter_mut().take(self.octaves.len()).enumerate() {
            *words = space_words(self, k, place);
        }
        words
    }

    /// Number of octaves.
    #[must_use]
    pub fn octaves(&self) -> usize {
        self.octaves.len()
    }

    fn settings(&self, dimensions: usize) -> [u32; SETTINGS_WORDS] {
        let ([basis, option], [jitter, scale]) = match self.basis {
            Basis::Value { fade, .. } => ([0, fade_index(fade)], [0.0; 2]),
            Basis::Perlin { fade, .. } => ([1, fade_index(fade)], [0.0; 2]),
            Basis::Cellular { output, jitter } => {
                let jitter = jitter as f32;
                ([3, output_index(output)], [jitter, scale(output, dimensions, jitter)])
            }
            // Nothing else passes `check`.
            _ => ([2, 0], [0.0; 2]),
        };
        let (kind, offset, gain) = match self.recipe {
            AnyRecipe::Fbm(_) => (0, 0.0, 0.0),
            AnyRecipe::Billow(_) => (1, 0.0, 0.0),
            AnyRecipe::Ridged(_) => (2, 0.0, 0.0),
            AnyRecipe::Multifractal(recipe) => (3, recipe.offset(), 0.0),
            AnyRecipe::PrintedMultifractal(recipe) => (4, recipe.offset(), 0.0),
            AnyRecipe::RidgedMultifractal(recipe) => (5, recipe.offset, recipe.gain),
            AnyRecipe::PrintedRidgedMultifractal(recipe) => (6, recipe.offset, 0.0),
            AnyRecipe::Hybrid(recipe) => (7, recipe.offset, recipe.gain),
        };
        let [first, second] = [[jitter, scale], [offset, gain]].map(|pair| pair.map(f32::to_bits));
        let [factor, add] = self.affine;
        let last = [self.mean, self.rounding, factor, add].map(f32::to_bits);
        let mut words =
            [basis, option, first[0], first[1], kind, self.octaves.len() as u32, second[0], second[1], 0, 0, 0, 0];
        words[8..].copy_from_slice(&last);
        words
    }

    /// Octaves whose coordinates an octave shares: the first of them, and how often its frequency is doubled.
    fn shared(&self, k: usize) -> (usize, u32) {
        let first = k - k % 8;
        let (octave, base) = (&self.octaves[k], &self.octaves[first]);
        let doublings = (k - first) as u32;
        let doubled = octave.frequency == base.frequency * f64::from(1u32 << doublings) && octave.turn == base.turn;
        if doubled { (first, doublings) } else { (k, 0) }
    }

    fn check_frequencies(&self, path: &str) -> Result<(), NoiseError> {
        for k in 0..self.octaves.len() {
            if self.shared(k).1 > 0 {
                continue;
            }
            let most = octave::cells::<3>(self, k).as_flattened().iter().fold(0.0f64, |most, x| most.max(x.abs()));
            if most > MOST_CELLS {
                let found = format!("{} cells in a metre in octave {}", number(most), k + 1);
                return Err(NoiseError::new(
                    path,
                    found,
                    format!("what a shader can count, {MOST_CELLS} cells in a metre"),
                ));
            }
        }
        Ok(())
    }
}

fn refused(path: &str, found: &str) -> NoiseError {
    NoiseError::new(path, found, "what a shader can compute, see the documentation of `terrain_noise::shader`")
}

fn kind(node: &Node) -> &'static str {
    match node {
        Node::Constant(_) => "Constant",
        Node::Single { .. } => "Single",
        Node::Fractal { .. } => "Fractal",
        Node::Damped { .. } => "Damped",
        Node::Dunes { .. } => "Dunes",
        Node::Gullies { .. } => "Gullies",
        Node::Transform { .. } => "Transform",
        Node::Warp { .. } => "Warp",
        Node::Swirl { .. } => "Swirl",
        Node::Map { .. } => "a mapping that bends values",
        Node::Pair { .. } => "a combination of two noises",
        Node::Blend { .. } => "Blend",
    }
}

/// Refuses bases and lattices that shaders lack.
fn check(leaf: &Leaf, path: &str) -> Result<(), NoiseError> {
    let basis = join(path, "basis");
    match leaf.basis {
        Basis::Value { lattice, .. } | Basis::Perlin { lattice, .. } if lattice != Lattice::Hashed => {
            return Err(refused(&basis, &format!("the lattice {lattice:?}")));
        }
        Basis::Value { .. } | Basis::Perlin { .. } | Basis::Simplex | Basis::Cellular { .. } => {}
        Basis::SmoothedValue { .. } => return Err(refused(&basis, "SmoothedValue")),
        Basis::CubicValue { .. } => return Err(refused(&basis, "CubicValue")),
        Basis::ClassicPerlin => return Err(refused(&basis, "ClassicPerlin")),
    }
    if leaf.octaves.len() > MAX_OCTAVES {
        return Err(NoiseError::new(
            &join(path, "octaves"),
            leaf.octaves.len(),
            format!("1 to {MAX_OCTAVES} in a shader"),
        ));
    }
    if leaf.octaves.iter().any(|octave| !matches!(octave.random, Random::Hashed(_))) {
        return Err(refused(path, "a period"));
    }
    Ok(())
}

fn fade_index(fade: Fade) -> u32 {
    match fade {
        Fade::Linear => 0,
        Fade::Cosine => 1,
        Fade::Smoothstep => 2,
        Fade::Quintic => 3,
    }
}

fn output_index(output: CellOutput) -> u32 {
    match output {
        CellOutput::F1 => 0,
        CellOutput::F2 => 1,
        CellOutput::F2MinusF1 => 2,
        CellOutput::CellValue => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{Noise, Transform as TransformNode};
    use crate::prelude::*;

    #[test]
    fn one_chain_over_any_of_the_four_bases_is_possible() {
        let mut chains: Vec<Noise> = vec![
            value().into(),
            perlin().fbm().octaves(16).into(),
            simplex().ridged_multifractal().octave_rotation(20.0).into(),
            cellular(CellOutput::F2).billow().octaves(3).into(),
        ];
        for noise in chains.clone() {
            chains.push(noise.clone().stretch(2.0, 3.0).rotate(40.0).scale(300.0).translate(5.0, 6.0).offset(2.0));
            chains.push(TransformNode::new(noise.range(-1.0, 7.0)).scale_y(0.1).into());
        }
        for noise in chains {
            let noise = noise.build(1).unwrap().for_shader();
            assert!(noise.is_ok_and(|noise| noise.plane([3.0, 4.0]) != noise.plane([3.0, 5.0])));
        }
    }

    #[test]
    fn everything_else_is_refused_by_its_path() {
        let other: [(Noise, &str); 18] = [
            (constant(2.0), "noise: found Constant, "),
            (perlin().damped().into(), "noise: found Damped, "),
            (Noise::from(dunes(30.0)).scale(2.0), "source: found Dunes, "),
            (perlin().gullies(3.0, 30.0).into(), "noise: found Gullies, "),
            (perlin().warp(perlin(), 3.0).scale(2.0).offset(1.0), "source.source: found Warp, "),
            (perlin().swirl(perlin(), 3.0), "noise: found Swirl, "),
            (perlin().abs().scale(2.0), "source: found a mapping that bends values, "),
            (perlin().curve([[0.0, 1.0], [1.0, 3.0]]), "noise: found a mapping that bends values, "),
            (perlin().add(perlin()), "noise: found a combination of two noises, "),
            (perlin().strata(3.0, 0.5, perlin()).into(), "noise: found a combination of two noises, "),
            (perlin().blend(perlin(), perlin()).rotate(3.0), "source: found Blend, "),
            (smoothed_value().into(), "basis: found SmoothedValue, "),
            (cubic_value(Cubic::Elias).fbm().scale(3.0), "source.basis: found CubicValue, "),
            (classic_perlin().into(), "basis: found ClassicPerlin, "),
            (perlin().lattice(Lattice::IntNoise).into(), "basis: found the lattice IntNoise, "),
            (simplex().period(3, 4).into(), "noise: found a period, "),
            (perlin().ridged().octaves(17).scale(2.0), "source.octaves: found 17, allowed is 1 to 16 in a shader"),
            (perlin().enlarge(1e-6), "source: found 1000 cells in a metre in octave 1, "),
        ];
        for (noise, expected) in other {
            let error = noise.build(1).unwrap().for_shader().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}\n{expected}");
        }
    }

    /// The cells and fractions that a shader finds along an axis, from the fixed-point rows of the octave that starts
    /// anew and the words of this one.
    fn found(rows: &[u64], metres: &[f64], doublings: u32, fraction: u32) -> (i64, f64) {
        let fixed = |metres: f64| (metres * 4_294_967_296.0) as i128;
        let products = rows.iter().zip(metres).map(|(&row, &metres)| (fixed(metres) * i128::from(row as i64)) >> 56);
        let place = (products.sum::<i128>() << doublings) + i128::from(fraction);
        ((place >> 32) as i64, (place & 0xFFFF_FFFF) as f64 / 4_294_967_296.0)
    }

    #[test]
    fn words_lead_to_the_cells_of_the_core() {
        let wide = |words: &[u32]| u64::from(words[0]) | u64::from(words[1]) << 32;
        for noise in [
            Noise::from(perlin().fbm().octaves(12).feature_size(700.0)),
            simplex().fbm().octaves(9).feature_size(700.0).rotate(25.0).stretch(3.0, 0.5),
            value().fbm().octaves(5).lacunarity(1.7).octave_rotation(13.0).feature_size(90.0).into(),
        ] {
            let noise = noise.build(3).unwrap().for_shader().unwrap();
            for origin in [[0.0, 0.0], [1e6, -3e5], [-1e9, 1e9], [7e11, 1.0]] {
                let words = noise.plane(origin);
                let octaves: Vec<&[u32]> = words[SETTINGS_WORDS..].chunks(PLANE_OCTAVE_WORDS).collect();
                let mut base = 0;
                for k in 0..noise.octaves() {
                    let octave = octaves[k];
                    let doublings = octave[10];
                    if doublings == 0 {
                        base = k;
                    }
                    let rows: Vec<u64> = octaves[base][16..24].chunks(2).map(wide).collect();
                    for metres in [[0.0, 0.0], [12.5, -700.25], [-3000.0, 4096.5]] {
                        let at = [origin[0] + metres[0], origin[1] + metres[1]];
                        let Some(plane) = &noise.octaves[k].plane else { panic!("on the plane") };
                        let place = plane.site.coordinates(octave::turned(&noise.octaves[k], noise.transformed(at)));
                        for axis in 0..2 {
                            let (cell, fraction) = crate::basis::fixed::fixed(crate::simd::Scalar, place[axis]);
                            let shift = crate::basis::fixed::Shift::new(plane.site.shift);
                            let (cell, f) = shift.whole(plane.site.offset[axis], cell, fraction);
                            let (step, g) = found(&rows[2 * axis..][..2], &metres, doublings, octave[4 + axis]);
                            let apart = (wide(&octave[2 * axis..]) as i64 + step - cell) as f64 + g - f64::from(f);
                            // The last place of an `f64` that holds the cells, before they are doubled.
                            let allowed = 3e-7 + at[0].abs().max(at[1].abs()) * 2e-16 * noise.octaves[k].frequency;
                            assert!(
                                apart.abs() < 4.0 * allowed,
                                "octave {k}, {origin:?} {metres:?}: {apart} {allowed}"
                            );
                        }
                    }
                }
            }
        }
    }
}
