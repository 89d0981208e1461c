//! The report, in lines `what: value`, as the step `costs` reads it.

use std::env;
use std::fs::File;
use std::io::{self, Write};

use ash::vk;

/// The variable with the file that the report is appended to.
const FILE: &str = "NULL_CARD_REPORT";

/// A pipeline.
pub struct Pipeline {
    /// Samples a pixel; none where it computes.
    pub samples: u32,
    /// Its shaders.
    pub shaders: Vec<Shader>,
}

/// A shader of a pipeline.
pub struct Shader {
    /// What it is.
    pub stages: vk::ShaderStageFlags,
    /// What the driver says of it, in the driver's words and order.
    pub statistics: Vec<(String, u64)>,
}

/// The lines about the card.
pub fn card(name: &str, driver: &str) -> String {
    format!("card: {name}\ndriver: {driver}\n")
}

/// The lines about a pipeline.
pub fn pipeline(name: &str, pipeline: &Pipeline) -> String {
    let mut text = format!("pipeline: {name}\nsamples: {}\n", pipeline.samples);
    for shader in &pipeline.shaders {
        text += &format!("shader: {}\n", stage(shader.stages));
        text.extend(shader.statistics.iter().map(|(name, value)| format!("{name}: {value}\n")));
    }
    text
}

fn stage(stages: vk::ShaderStageFlags) -> &'static str {
    match stages {
        vk::ShaderStageFlags::VERTEX => "vertex",
        vk::ShaderStageFlags::FRAGMENT => "fragment",
        vk::ShaderStageFlags::COMPUTE => "compute",
        _ => "other",
    }
}

/// Appends lines to the report, in one piece, so that none of another thread come between them.
pub fn write(text: &str) {
    let written = match env::var_os(FILE) {
        Some(file) => {
            File::options().create(true).append(true).open(file).and_then(|mut file| file.write_all(text.as_bytes()))
        }
        None => io::stderr().write_all(text.as_bytes()),
    };
    if let Err(error) = written {
        eprintln!("null_card: the report cannot be written: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipeline_is_named_before_its_shaders() {
        let statistics = vec![("Instructions".into(), 5_129), ("Code size".into(), 28_996)];
        let found =
            Pipeline { samples: 4, shaders: vec![Shader { stages: vk::ShaderStageFlags::FRAGMENT, statistics }] };
        assert_eq!(
            pipeline("terrain: land", &found),
            "pipeline: terrain: land\nsamples: 4\nshader: fragment\nInstructions: 5129\nCode size: 28996\n"
        );
    }
}
