//! Frames have two cases each in the table: crates are compiled in one codegen unit, as by CI, or in several, as by default.
//!
//! They are counted with the Bevy that the tests have built, and what was built otherwise takes other instructions. So each
//! build is compared with its own cases.

use std::env;

use super::table::Table;

/// How the names of frames begin, and how they end if crates were compiled in one unit each.
const FRAME: &str = "frame/";
const ONE_UNIT: &str = "/one unit";

/// Does cargo compile crates in one unit each? `.ci/run` asks for it.
pub fn is_one_unit() -> bool {
    env::var("CARGO_PROFILE_DEV_CODEGEN_UNITS").is_ok_and(|units| units == "1")
}

/// A frame's name in the table.
pub fn name(case: &str, one_unit: bool) -> String {
    format!("{case}{}", if one_unit { ONE_UNIT } else { "" })
}

/// Is it a frame of the other kind of build?
pub fn is_of_other(case: &str, one_unit: bool) -> bool {
    case.starts_with(FRAME) && case.ends_with(ONE_UNIT) != one_unit
}

/// What is counted anew, with the frames of the other kind of build as they were.
pub fn with_others(mut found: Table, known: Table, one_unit: bool) -> Table {
    let others = known.counts.into_iter().filter(|(case, _)| is_of_other(case, one_unit));
    found.counts.extend(others);
    found.counts.sort_by(|(a, _), (b, _)| match [a, b].map(|case| case.starts_with(FRAME)) {
        [true, true] => a.cmp(b),
        [a, b] => a.cmp(&b),
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(counts: &[(&str, u64)]) -> Table {
        let counts = counts.iter().map(|&(case, count)| (case.to_owned(), count)).collect();
        Table { compiler: "rustc 1.95.0".into(), counts }
    }

    #[test]
    fn each_build_has_frames_of_its_own() {
        let known =
            [("kernel/b", 1), ("kernel/a", 1), ("frame/moving", 10), ("frame/moving/one unit", 9), ("frame/lost", 3)];
        for (one_unit, expected) in [
            (true, vec![("frame/lost", 3), ("frame/moving", 10), ("frame/moving/one unit", 5)]),
            (false, vec![("frame/moving", 5), ("frame/moving/one unit", 9)]),
        ] {
            let moving = name("frame/moving", one_unit);
            let found = table(&[("kernel/b", 2), ("kernel/a", 2), (&moving, 5)]);
            let expected = [vec![("kernel/b", 2), ("kernel/a", 2)], expected].concat();
            assert_eq!(with_others(found, table(&known), one_unit), table(&expected), "{one_unit}");
            assert!(!is_of_other(&moving, one_unit) && is_of_other(&moving, !one_unit));
            assert!(!is_of_other("kernel/a", one_unit));
        }
    }
}
