//! Any tree of any numbers is refused, or stays finite and inside its bounds.
//!
//! `cargo +nightly fuzz run random_tree` in `crates/terrain_noise`.
#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use terrain_noise::{Choice, ParamMut, prelude::*};

/// A tree whose shape and numbers come from bytes.
#[derive(Debug)]
struct Tree(Noise);

impl<'a> Arbitrary<'a> for Tree {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        grow(bytes, 6).map(Tree)
    }
}

fn grow(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Noise> {
    let choice = if depth == 0 { 0 } else { bytes.int_in_range(0..=14)? };
    let below = |bytes: &mut Unstructured<'_>| grow(bytes, depth - 1);
    let mut noise = match choice {
        0 | 1 => perlin().fbm().into(),
        2 => perlin().into(),
        3 => below(bytes)?.range(0.0, 1.0),
        4 => below(bytes)?.scale(2.0),
        5 => below(bytes)?.bias(0.4),
        6 => below(bytes)?.gain(0.4),
        7 => below(bytes)?.power(2.0),
        8 => below(bytes)?.terrace(1.0, 0.5),
        9 => below(bytes)?.rotate(10.0),
        10 => below(bytes)?.warp(below(bytes)?, 5.0),
        11 => below(bytes)?.mul(below(bytes)?),
        12 => below(bytes)?.smooth_min(below(bytes)?, 1.0),
        13 => below(bytes)?.swirl(below(bytes)?, 1.0),
        _ => below(bytes)?.blend(below(bytes)?, below(bytes)?),
    };
    let mut result = Ok(());
    noise.edit_params(|_, param| {
        let change = || -> Result<()> {
            if bytes.ratio(1, 3)? {
                match param {
                    ParamMut::Number(number) => *number = bytes.arbitrary()?,
                    ParamMut::Integer(number) => *number = bytes.arbitrary()?,
                    ParamMut::Seed(number) => *number = bytes.arbitrary()?,
                    ParamMut::Points(points) => *points = bytes.arbitrary()?,
                    ParamMut::Choice(choice) => choose(choice, bytes.arbitrary()?),
                }
            }
            Ok(())
        };
        if let Err(error) = change() {
            result = Err(error);
        }
    });
    result.map(|()| noise)
}

fn choose(choice: &mut dyn Choice, random: u8) {
    choice.choose(usize::from(random) % choice.names().len());
}

fuzz_target!(|input: (Tree, [f64; 2], f64)| {
    let (Tree(noise), at, footprint) = input;
    if let Ok(sampler) = noise.build(1) {
        let value = sampler.sample_filtered(at, footprint);
        assert!(sampler.bounds().contains(value), "{value} {:?}", sampler.bounds());
        assert_eq!(sampler.sample_with_gradient(at, footprint).value.to_bits(), value.to_bits());
    }
});
