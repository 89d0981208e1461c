//! Benchmarks of `terrain_noise` against other crates, of streaming during a flight, and work whose instructions are
//! counted.

pub mod counting;
