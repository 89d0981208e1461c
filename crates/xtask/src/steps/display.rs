//! A virtual display (Xvfb).

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::error::Error;
use crate::process;

/// A virtual display, which ends with this value.
pub struct Display {
    /// What `DISPLAY` must be for a program to show its windows there.
    pub name: String,
    server: Child,
}

impl Display {
    /// Starts one of 1280 by 720 pixels.
    pub fn open() -> Result<Self, Error> {
        let mut command = Command::new("Xvfb");
        // The server chooses a free number and says so once it is ready.
        command
            .args(["-displayfd", "1", "-screen", "0", "1280x720x24"])
            .args(["-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut server = process::start(&mut command)?;
        let mut number = String::new();
        if let Some(output) = server.stdout.take() {
            // An unreadable line stays empty, which is judged below.
            let _ = BufReader::new(output).read_line(&mut number);
        }
        let name = format!(":{}", number.trim());
        let display = Self { name, server };
        if number.trim().is_empty() {
            let text = "the virtual display (Xvfb) ended before it was ready".to_owned();
            return Err(Error::NoEvidence(text));
        }
        Ok(display)
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
