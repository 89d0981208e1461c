//! Benchmarks of `terrain_noise` against other crates, and of streaming during a flight.
