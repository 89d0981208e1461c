//! Running a program: shown, timed, and where need be with a limit and its lines read.

use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;

/// Runs a program to its end, its output going where ours goes.
pub fn run(command: &mut Command) -> Result<(), Error> {
    let mut child = start(command)?;
    let status = child.wait().map_err(|source| start_error(command, source))?;
    judge(command, status)
}

/// Runs a program and gives back the lines of its standard output, which are shown as well.
///
/// At `limit` the program is ended, and that is an error.
pub fn run_reading(command: &mut Command, limit: Duration) -> Result<Vec<String>, Error> {
    let mut child = start(command.stdout(Stdio::piped()))?;
    let output = child.stdout.take();
    let reader = thread::spawn(move || output.map(echo).unwrap_or_default());
    let status = wait(command, &mut child, limit)?;
    let lines = reader.join().unwrap_or_default();
    judge(command, status)?;
    Ok(lines)
}

/// Starts a program.
pub fn start(command: &mut Command) -> Result<Child, Error> {
    command.spawn().map_err(|source| start_error(command, source))
}

/// Does this program run and succeed? Its output is not shown.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// What a program prints, where it runs and succeeds.
pub fn output_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A program with its arguments, as one would type it.
pub fn line(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_stem().unwrap_or(command.get_program());
    std::iter::once(name)
        .chain(command.get_args())
        .map(|part| part.to_string_lossy())
        .map(|part| match part.contains(char::is_whitespace) {
            true => format!("\"{part}\""),
            false => part.into_owned(),
        })
        .collect::<Vec<_>>()
        .join(" ")
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

fn echo(output: impl io::Read) -> Vec<String> {
    BufReader::new(output)
        .split(b'\n')
        .map_while(Result::ok)
        .map(|line| String::from_utf8_lossy(&line).trim_end().to_owned())
        .inspect(|line| println!("{line}"))
        .collect()
}

fn wait(command: &Command, child: &mut Child, limit: Duration) -> Result<ExitStatus, Error> {
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if begun.elapsed() < limit => thread::sleep(Duration::from_millis(50)),
            Ok(None) => {
                // It may have ended just now; then there is nothing to end.
                let _ = child.kill();
                let _ = child.wait();
                let program = line(command);
                return Err(Error::TooSlow { program, limit });
            }
            Err(source) => return Err(start_error(command, source)),
        }
    }
}

fn judge(command: &Command, status: ExitStatus) -> Result<(), Error> {
    if status.success() {
        return Ok(());
    }
    let program = line(command);
    Err(Error::Failed { program, status })
}

fn start_error(command: &Command, source: io::Error) -> Error {
    let program = command.get_program().to_string_lossy().into_owned();
    Error::Start { program, source }
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
        let lines = run_reading(&mut shell("echo one; echo two"), Duration::from_secs(10)).unwrap();
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
        let error = run_reading(&mut shell("exec sleep 60"), Duration::from_millis(100));
        assert!(matches!(error, Err(Error::TooSlow { .. })));
        assert!(begun.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn times_read_well() {
        assert_eq!(clock(Duration::from_millis(1234)), "1.2 s");
        assert_eq!(clock(Duration::from_secs(61)), "61 s");
        assert_eq!(clock(Duration::from_secs(723)), "12 min 03 s");
    }
}
