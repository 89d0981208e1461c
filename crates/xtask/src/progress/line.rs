//! How the line is shown: on the standard error, so that the standard output has results alone.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often the line is repeated where it cannot be replaced.
const PAUSE: Duration = Duration::from_secs(60);

/// The line.
pub enum Line {
    /// On a terminal it stays below everything else.
    Terminal(ProgressBar),
    /// Elsewhere it is repeated, with the time of the last.
    Plain(Instant),
}

impl Line {
    /// An empty line.
    pub fn new() -> Self {
        if !io::stderr().is_terminal() {
            return Self::Plain(Instant::now());
        }
        let style = ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
        Self::Terminal(ProgressBar::new_spinner().with_style(style))
    }

    /// Replaces the line. `now`: without a terminal, is it worth another one?
    pub fn show(&mut self, text: &str, now: bool) {
        match self {
            Self::Terminal(bar) => {
                bar.set_message(text.to_owned());
                bar.tick();
            }
            Self::Plain(last) if now || last.elapsed() > PAUSE => {
                eprintln!("{text}");
                *last = Instant::now();
            }
            Self::Plain(_) => {}
        }
    }

    /// Shows a result above the line.
    pub fn tell(&self, text: &str) {
        match self {
            Self::Terminal(bar) => bar.suspend(|| println!("{text}")),
            Self::Plain(_) => println!("{text}"),
        }
    }

    /// Shows a warning above the line.
    pub fn warn(&self, text: &str) {
        match self {
            Self::Terminal(bar) => bar.suspend(|| eprintln!("{text}")),
            Self::Plain(_) => eprintln!("{text}"),
        }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if let Self::Terminal(bar) = self {
            bar.finish_and_clear();
        }
    }
}
