//! A piece of work under the line of progress, with a log of its own.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::process;
use crate::progress::Progress;

/// How many lines of a log are shown where something failed.
const TAIL: usize = 60;

/// A piece of work.
pub struct Job<'a> {
    progress: &'a Progress,
    path: PathBuf,
    log: Mutex<File>,
    /// Are warnings shown at once, or do they only go to the log?
    pub shows_warnings: bool,
}

impl<'a> Job<'a> {
    /// Begins the next part of the progress, with an empty log.
    pub fn begin(progress: &'a Progress, folder: &Path, name: &str) -> Result<Self> {
        progress.next(name);
        let path = folder.join(format!("{}.log", name.replace([' ', '/'], "-")));
        let open = || {
            fs::create_dir_all(folder)?;
            File::options().create(true).append(true).read(true).open(&path).and_then(|file| {
                file.set_len(0)?;
                Ok(file)
            })
        };
        let log = open().with_context(|| path.display().to_string())?;
        Ok(Self { progress, path, log: Mutex::new(log), shows_warnings: false })
    }

    /// Where the log lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a line to the log.
    pub fn note(&self, line: &str) {
        if let Ok(mut log) = self.log.lock() {
            // A full disk shows elsewhere.
            let _ = writeln!(log, "{line}");
        }
    }

    /// Shows a result, and writes it to the log.
    pub fn tell(&self, line: &str) {
        self.progress.tell(line);
        self.note(line);
    }

    /// Shows a line that is no result, and writes it to the log.
    pub fn hint(&self, line: &str) {
        self.progress.warn(line);
        self.note(line);
    }

    /// A line of a compiler's warning or error.
    pub fn warn(&self, line: &str) {
        if self.shows_warnings {
            self.progress.warn(line);
        }
        self.note(&console::strip_ansi_codes(line));
    }

    /// Says how many units of a build are done.
    pub fn units(&self, done: u64, total: u64) {
        self.progress.units(done, total);
    }

    /// Says how many of a known number of things are done.
    pub fn count(&self, done: u64, total: u64) {
        self.progress.count(done, total);
    }

    /// Keeps how long a build took from so many units left to its end.
    pub fn learn(&self, left: impl Iterator<Item = (u64, Duration)>) {
        self.progress.learn(left);
    }

    /// A handle that appends to the log, for the output of a program.
    pub fn output(&self) -> Result<Stdio> {
        let log = self.log.lock().map_err(|_| anyhow::anyhow!("a thread of this program ended"))?;
        Ok(log.try_clone()?.into())
    }

    /// Runs a program to its end. What it says goes to the log; how it ended is for the caller to judge.
    pub fn wait_for(&self, command: &mut Command, mut each_second: impl FnMut(&mut Log)) -> Result<ExitStatus> {
        command.stdin(Stdio::null()).stdout(self.output()?).stderr(self.output()?);
        let mut running = process::start(command)?;
        let mut log = Log { file: File::open(&self.path)?, at: 0 };
        loop {
            if let Some(status) = running.wait_for(Duration::from_secs(1))? {
                return Ok(status);
            }
            each_second(&mut log);
        }
    }

    /// Runs a program, which must succeed. What it says goes to the log.
    pub fn run(&self, command: &mut Command) -> Result<()> {
        self.note(&process::line(command));
        let status = self.wait_for(command, |_| {})?;
        process::judge(command, status)
    }

    /// Runs a program, which must succeed within a time, and gives back the lines of its standard output. All that it
    /// says goes to the log.
    pub fn read(&self, command: &mut Command, limit: Duration) -> Result<Vec<String>> {
        self.note(&process::line(command));
        process::run_reading(command.stderr(self.output()?), limit, |line| self.note(line))
    }

    /// All that was said so far.
    pub fn said(&self) -> Result<String> {
        let bytes = fs::read(&self.path).with_context(|| self.path.display().to_string())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Shows the last lines of the log.
    pub fn show_end(&self) -> Result<()> {
        self.progress.tell(&tail(&self.said()?, TAIL));
        Ok(())
    }
}

/// A log that is still being written.
pub struct Log {
    file: File,
    at: u64,
}

impl Log {
    /// What has been written since the last look.
    pub fn news(&mut self) -> String {
        let mut bytes = Vec::new();
        if self.file.seek(SeekFrom::Start(self.at)).and_then(|_| self.file.read_to_end(&mut bytes)).is_ok() {
            self.at += bytes.len() as u64;
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// The last lines of a text.
pub fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.trim_end().lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_text_has_so_many_lines() {
        assert_eq!(tail("a\nb\nc\n", 2), "b\nc");
        assert_eq!(tail("a\n", 2), "a");
        assert_eq!(tail("", 2), "");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_program_says_goes_to_the_log() {
        let folder = std::env::temp_dir().join(format!("xtask-job-{}", std::process::id()));
        let progress = Progress::new("trying", vec!["a b".into()]);
        let job = Job::begin(&progress, &folder, "a b").unwrap();
        let mut shell = Command::new("sh");
        job.run(shell.args(["-c", "echo one; echo two >&2"])).unwrap();
        let lines = job.read(Command::new("sh").args(["-c", "echo three"]), Duration::from_secs(10)).unwrap();
        assert_eq!(lines, ["three"]);
        let said = job.said().unwrap();
        assert!(said.contains("one\ntwo\n") && said.ends_with("three\n"), "{said}");
        assert_eq!(job.path().file_name().unwrap(), "a-b.log");
        fs::remove_dir_all(folder).unwrap();
    }
}
