//! Any text is a noise or is refused in words; what is read can be written and read again.
//!
//! `cargo +nightly fuzz run read_file` in `crates/terrain_noise`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrain_noise::{from_ron, to_ron};

fuzz_target!(|text: &str| {
    if let Ok(noise) = from_ron(text) {
        assert_eq!(to_ron(&noise).and_then(|text| from_ron(&text)).as_ref(), Ok(&noise));
        if let Ok(sampler) = noise.build(1) {
            let value = sampler.sample([12.3, -4.5]);
            assert!(sampler.bounds().contains(value), "{value} {:?}", sampler.bounds());
        }
    }
});
