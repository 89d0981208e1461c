//! Benches of the noise core against other crates, and of the streaming over a flight.
