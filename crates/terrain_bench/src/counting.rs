//! Work whose instructions callgrind counts: what `cargo xtask check --only counts` compares with `counts.txt`.
//!
//! The step runs a program of this crate under `valgrind --tool=callgrind`, which counts between the entry and the exit
//! of one function, on the thread that calls it, and writes one dump a call. The program prints the name of a case
//! for each call. Without valgrind it does the same work, and nothing is counted.

use std::hint::black_box;

/// Does `work`, and has its instructions counted as those of `case`.
pub fn count(case: &str, mut work: impl FnMut()) {
    println!("{case}");
    counted_by_callgrind(&mut work);
}

/// As [`count`], but does the work once beforehand, so that memory it keeps for later is not counted.
pub fn count_again(case: &str, mut work: impl FnMut()) {
    work();
    count(case, work);
}

/// The step `counts` knows this function by its name.
#[inline(never)]
fn counted_by_callgrind(work: &mut dyn FnMut()) {
    work();
    // What follows a call keeps it from being made a jump, with which callgrind would see no return.
    black_box(work);
}
