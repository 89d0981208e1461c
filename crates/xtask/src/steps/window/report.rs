//! What the example says of its window: a line for each thing, its parts apart by tabs.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, ensure};

/// A report of one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    values: HashMap<String, String>,
    /// What the panel refuses, in its words.
    pub refused: Vec<String>,
    /// Where things are: middle and width, in pixels.
    places: HashMap<String, [f64; 3]>,
}

impl Report {
    fn parse(text: &str) -> Self {
        let mut report = Self::default();
        for line in text.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            match parts.as_slice() {
                ["refused", words] => report.refused.push((*words).to_owned()),
                ["place", name, numbers @ ..] => {
                    let numbers: Vec<f64> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
                    if let Ok(place) = numbers.try_into() {
                        report.places.insert((*name).to_owned(), place);
                    }
                }
                [name, value] => {
                    report.values.insert((*name).to_owned(), (*value).to_owned());
                }
                _ => {}
            }
        }
        report
    }

    /// A number of the report.
    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or(f64::NAN)
    }

    /// A value of the report.
    pub fn text(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// The first place whose name has this end: middle and width.
    pub fn place(&self, end: &str) -> Result<[f64; 3]> {
        let place = self.places.iter().find(|(name, _)| name.ends_with(end)).map(|(_, place)| *place);
        place.with_context(|| format!("the panel shows no `{end}`"))
    }
}

/// Waits until the report is as it should be.
pub fn wait_for(path: &Path, what: &str, limit: Duration, is: impl Fn(&Report) -> bool) -> Result<Report> {
    let begun = Instant::now();
    loop {
        // Not there yet, at first.
        let report = Report::parse(&fs::read_to_string(path).unwrap_or_default());
        if is(&report) {
            return Ok(report);
        }
        ensure!(begun.elapsed() < limit, "the window never came to this: {what}; the last frame said {report:?}");
        thread::sleep(Duration::from_millis(100));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read() {
        let text = "frame\t12\nrefused\tfound 99, allowed is 1 to 32\nplace\tnoise.a.octaves.slider\t10.5\t20\t100\n";
        let report = Report::parse(text);
        assert_eq!(report.number("frame"), 12.0);
        assert!(report.number("height").is_nan());
        assert_eq!(report.refused, ["found 99, allowed is 1 to 32"]);
        assert_eq!(report.place("octaves.slider").unwrap(), [10.5, 20.0, 100.0]);
        assert!(report.place("tab.Map").is_err());
    }
}
