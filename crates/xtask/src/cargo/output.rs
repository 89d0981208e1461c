//! Cargo's standard error: progress, status lines, warnings and errors.

use std::io::{self, BufRead, BufReader, Read};

/// One line.
#[derive(Debug, PartialEq)]
pub enum Line {
    /// So many units of so many are built.
    Progress(u64, u64),
    /// What cargo does: `Compiling bevy v0.19.1`.
    Status(String),
    /// Anything else: a line of a warning or an error.
    Other(String),
}

/// The variables that make cargo tell its progress where it sees no terminal.
pub const TELL_PROGRESS: [(&str, &str); 2] =
    [("CARGO_TERM_PROGRESS_WHEN", "always"), ("CARGO_TERM_PROGRESS_WIDTH", "100")];

/// Reads all lines up to the end. Progress ends with a carriage return.
pub fn read(output: impl Read, mut each: impl FnMut(Line)) -> io::Result<()> {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    while output.read_until(b'\n', &mut bytes)? > 0 {
        for part in bytes.split(|byte| *byte == b'\r') {
            let text = String::from_utf8_lossy(part);
            let text = text.trim_end_matches('\n');
            // What a line of progress leaves is wiped out with blanks.
            if !text.trim().is_empty() || part == b"\n" {
                each(parse(text));
            }
        }
        bytes.clear();
    }
    Ok(())
}

fn parse(text: &str) -> Line {
    let plain = console::strip_ansi_codes(text);
    if let Some((done, total)) = units(&plain) {
        Line::Progress(done, total)
    } else if is_status(&plain) {
        Line::Status(plain.trim().to_owned())
    } else {
        Line::Other(text.trim_end().to_owned())
    }
}

/// `    Building [====>       ] 211/330: bevy_ecs`.
fn units(text: &str) -> Option<(u64, u64)> {
    let (_, rest) = text.trim_start().strip_prefix("Building [")?.split_once("] ")?;
    let (done, rest) = rest.split_once('/')?;
    let total: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((done.trim().parse().ok()?, total.parse().ok()?))
}

/// Does the line begin with a verb that ends in the twelfth column?
fn is_status(text: &str) -> bool {
    let Some((verb, rest)) = text.split_at_checked(12) else { return false };
    let is_verb = verb.trim_start().starts_with(|first: char| first.is_ascii_uppercase()) && !verb.ends_with(' ');
    is_verb && rest.starts_with(' ') && !verb.trim_start().contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_status_and_warnings_are_told_apart() {
        let text = "   Compiling a v0.1.0 (/a)\n    Building [        ] 0/6: a         \r    Building [===>  ] 4/6: b(test)  \r\
                    warning: unused variable: `un`\n --> a/tests/slow_a.rs:1:105\n\n             \r  Executable x\n\
                    \u{1b}[1m\u{1b}[92m    Finished\u{1b}[0m `test` profile\n";
        let mut lines = Vec::new();
        read(text.as_bytes(), |line| lines.push(line)).unwrap();
        let status = |text: &str| Line::Status(text.into());
        let other = |text: &str| Line::Other(text.into());
        assert_eq!(
            lines,
            [
                status("Compiling a v0.1.0 (/a)"),
                Line::Progress(0, 6),
                Line::Progress(4, 6),
                other("warning: unused variable: `un`"),
                other(" --> a/tests/slow_a.rs:1:105"),
                other(""),
                status("Executable x"),
                status("Finished `test` profile"),
            ]
        );
    }

    #[test]
    fn code_in_an_error_is_no_status() {
        for text in ["error: no", "1 | Some text of code", "   |", "           A", "   = note: B"] {
            assert_eq!(parse(text), Line::Other(text.into()));
        }
    }
}
