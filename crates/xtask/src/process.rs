//! Running a program: timed, and where need be with a limit and its lines read.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// Runs a program to its end, its output going where ours goes.
pub fn run(command: &mut Command) -> Result<()> {
    let status = start(command)?.wait()?;
    judge(command, status)
}

/// Runs a program and gives back what it wrote to its standard output. Where its errors go is the caller's choice.
pub fn output(command: &mut Command) -> Result<String> {
    let child = command.stdout(Stdio::piped()).spawn();
    let output = child.and_then(Child::wait_with_output);
    let output = output.with_context(|| format!("could not start `{}`", line(command)))?;
    judge(command, output.status)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program and gives back the lines of its standard output, which `each` gets as they come.
///
/// At `limit` the program is ended, and that is an error.
pub fn run_reading(command: &mut Command, limit: Duration, each: impl Fn(&str) + Sync) -> Result<Vec<String>> {
    let mut program = start(command.stdout(Stdio::piped()))?;
    let output = program.output();
    let (status, lines) = thread::scope(|scope| {
        let reader = scope.spawn(|| output.map(|output| lines(output, &each)).unwrap_or_default());
        let status = program.wait_for(limit);
        // With its end its output ends as well.
        drop(program);
        (status, reader.join().unwrap_or_default())
    });
    let late = || format!("`{}` was still running after {} and was ended", line(command), clock(limit));
    judge(command, status?.with_context(late)?)?;
    Ok(lines)
}

/// Starts a program, which is ended with the value.
pub fn start(command: &mut Command) -> Result<Running> {
    let child = command.spawn();
    child.map(Running).with_context(|| format!("could not start `{}`", command.get_program().to_string_lossy()))
}

/// A program that ends with this value.
pub struct Running(Child);

impl Running {
    /// Its standard output, once, if that was piped.
    pub fn output(&mut self) -> Option<ChildStdout> {
        self.0.stdout.take()
    }

    /// Its standard error, once, if that was piped.
    pub fn error(&mut self) -> Option<ChildStderr> {
        self.0.stderr.take()
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        self.0.wait()
    }

    /// Waits for its end, but not longer than this.
    pub fn wait_for(&mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        let begun = Instant::now();
        loop {
            match self.0.try_wait()? {
                None if begun.elapsed() < limit => thread::sleep(Duration::from_millis(50)),
                status => return Ok(status),
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How variables begin that cargo sets as well, or that only change how it talks.
const UNTOLD: [&str; 3] = ["CARGO_MANIFEST_", "CARGO_PKG_", "CARGO_TERM_"];

/// A program with its variables and arguments, as one would type it.
pub fn line(command: &Command) -> String {
    let quote = |part: &OsStr| match part.to_string_lossy() {
        part if part.contains(char::is_whitespace) => format!("\"{part}\""),
        part => part.into_owned(),
    };
    let is_told = |name: &OsStr| !UNTOLD.iter().any(|start| name.to_string_lossy().starts_with(start));
    let set = |(name, value): (&OsStr, Option<&OsStr>)| {
        value.map(|value| format!("{}={}", name.to_string_lossy(), quote(value)))
    };
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let parts = command
        .get_envs()
        .filter(|(name, _)| is_told(name))
        .filter_map(set)
        .chain([quote(program)])
        .chain(command.get_args().map(quote));
    parts.collect::<Vec<_>>().join(" ")
}

/// A time as a person would say it.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", time.as_secs_f32()),
        10..100 => format!("{seconds} s"),
        _ => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

fn lines(output: impl io::Read, each: impl Fn(&str)) -> Vec<String> {
    let lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
    let lines = lines.map(|line| String::from_utf8_lossy(&line).trim_end().to_owned());
    lines.inspect(|line| each(line)).collect()
}

/// A program that failed is an error.
pub fn judge(command: &Command, status: ExitStatus) -> Result<()> {
    ensure!(status.success(), "`{}` failed ({status})", line(command));
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn lines_are_read() {
        let lines = run_reading(&mut shell("echo one; echo two"), Duration::from_secs(10), |_| {}).unwrap();
        assert_eq!(lines, ["one", "two"]);
    }

    #[test]
    fn a_failure_names_the_program() {
        let error = run(&mut shell("exit 3")).unwrap_err().to_string();
        assert!(error.contains("sh -c \"exit 3\""), "{error}");
        assert!(error.contains('3'), "{error}");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&mut Command::new("no-such-program-here")).unwrap_err();
        assert!(error.to_string().contains("no-such-program-here"));
    }

    #[test]
    fn what_takes_too_long_is_ended() {
        let begun = Instant::now();
        let limit = Duration::from_millis(100);
        let error = run_reading(&mut shell("exec sleep 60"), limit, |_| {}).unwrap_err().to_string();
        assert!(error.contains("still running after 0.1 s"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn times_read_well() {
        assert_eq!(clock(Duration::from_millis(1234)), "1.2 s");
        assert_eq!(clock(Duration::from_secs(61)), "61 s");
        assert_eq!(clock(Duration::from_secs(723)), "12 min 03 s");
    }
}
