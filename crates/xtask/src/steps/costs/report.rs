//! The report of the layer in `crates/null_card`: lines `what: value`, those of shaders below their pipeline's.

use std::collections::BTreeSet;

use anyhow::{Context, Result};

use super::card;
use super::table::{Cost, Shader, Table};

/// What all flights reported.
#[derive(Default)]
pub struct Report {
    driver: String,
    /// Without their numbers. What is compiled twice alike is here once: how often that happens is a matter of chance.
    shaders: BTreeSet<Shader>,
}

impl Report {
    /// Adds what the layer wrote.
    pub fn add(&mut self, text: &str) -> Result<()> {
        // A name may have anything but the end of a line.
        let text = format!("\n{text}");
        let mut pipelines = text.split("\npipeline: ");
        let head = pipelines.next().unwrap_or_default();
        if let Some(driver) = value(head, "driver") {
            self.driver = driver.to_owned();
        }
        for pipeline in pipelines {
            self.shaders.extend(shaders(pipeline).with_context(|| format!("the layer reported: {pipeline}"))?);
        }
        Ok(())
    }

    /// Has a program found the card?
    pub fn has_driver(&self) -> bool {
        !self.driver.is_empty()
    }

    /// The shaders of pipelines whose names begin so, numbered.
    pub fn table(&self, start: &str) -> Table {
        let mut shaders: Vec<Shader> = Vec::new();
        for shader in self.shaders.iter().filter(|shader| shader.pipeline.starts_with(start)) {
            let number = 1 + shaders.iter().filter(|before| before.is_variant_of(shader)).count();
            shaders.push(Shader { number, ..shader.clone() });
        }
        Table { compiler: format!("{} {}", self.driver, card::NAME), shaders }
    }
}

/// The shaders of a pipeline, from its name on.
fn shaders(pipeline: &str) -> Option<Vec<Shader>> {
    let mut parts = pipeline.split("\nshader: ");
    let head = parts.next()?;
    let name = head.lines().next()?;
    let samples = value(head, "samples")?.parse().ok()?;
    let shader = |part: &str| {
        let stage = part.lines().next()?.to_owned();
        Some(Shader { pipeline: name.to_owned(), stage, samples, number: 0, cost: cost(part)? })
    };
    parts.map(shader).collect()
}

/// What a shader costs, by the driver's names.
fn cost(part: &str) -> Option<Cost> {
    let number = |what| value(part, what)?.parse().ok();
    Some(Cost {
        cycles: number("Inverse Throughput")?,
        instructions: number("Instructions")?,
        registers: number("VGPRs")?,
        bytes: number("Code size")?,
        spills: number("Spilled VGPRs")?,
    })
}

fn value<'a>(text: &'a str, what: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(": "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the layer wrote, with some lines left out.
    const TEXT: &str = "card: Null hardware (RADV VANGOGH)\ndriver: Mesa 22.3.6\n\
        pipeline: tonemapping pipeline\nsamples: 1\n\
        shader: fragment\nVGPRs: 16\nSpilled VGPRs: 0\nCode size: 1420\nInstructions: 236\nInverse Throughput: 377\n\
        pipeline: terrain ground pages\nsamples: 0\n\
        shader: compute\nDriver pipeline hash: 1552057408469735817\nSGPRs: 128\nVGPRs: 56\nSpilled SGPRs: 0\n\
        Spilled VGPRs: 0\nCode size: 28996\nSubgroups per SIMD: 18\nInstructions: 5129\nInverse Throughput: 5001\n\
        Pre-Sched VGPRs: 45\n\
        pipeline: terrain ground pages\nsamples: 0\n\
        shader: compute\nVGPRs: 56\nSpilled VGPRs: 0\nCode size: 28076\nInstructions: 4983\nInverse Throughput: 4979\n\
        pipeline: terrain land: pbr_opaque_mesh_pipeline\nsamples: 4\n\
        shader: vertex\nVGPRs: 24\nSpilled VGPRs: 0\nCode size: 3912\nInstructions: 751\nInverse Throughput: 455\n\
        shader: fragment\nVGPRs: 136\nSpilled VGPRs: 2\nCode size: 34760\nInstructions: 6417\nInverse Throughput: 41490\n";

    #[test]
    fn shaders_of_one_name_are_numbered_from_the_cheapest() {
        let mut report = Report::default();
        assert!(!report.has_driver());
        report.add(TEXT).unwrap();
        report.add(TEXT).unwrap();
        let table = report.table("terrain");
        assert_eq!(table.compiler, "Mesa 22.3.6 vangogh");
        let found = table.shaders.iter().map(|it| (it.stage.as_str(), it.samples, it.number, it.cost.cycles));
        let expected =
            [("compute", 0, 1, 4979), ("compute", 0, 2, 5001), ("fragment", 4, 1, 41490), ("vertex", 4, 1, 455)];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        let land = Cost { cycles: 41490, instructions: 6417, registers: 136, bytes: 34760, spills: 2 };
        assert_eq!(
            (table.shaders[2].pipeline.as_str(), table.shaders[2].cost),
            ("terrain land: pbr_opaque_mesh_pipeline", land)
        );
    }

    #[test]
    fn a_figure_that_is_missing_is_an_error() {
        let error = Report::default().add(&TEXT.replace("Code size", "Size")).unwrap_err();
        assert!(error.to_string().contains("tonemapping"), "{error}");
    }
}
