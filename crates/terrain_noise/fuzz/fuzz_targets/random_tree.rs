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
    let below = depth.checked_sub(1);
    let source = below.map_or_else(|| Ok(perlin().fbm().into()), |below| grow(bytes, below))?;
    let mut noise = bytes.choose(Noise::kinds())?.over(source);
    for (_, operand) in noise.operands_mut().into_iter().skip(1) {
        if let Some(below) = below {
            *operand = grow(bytes, below)?;
        }
    }
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
