//! The table of costs: how it is written, and what has changed since.

use std::fmt;

use anyhow::{Context, Result};

/// The share by which a figure may change.
pub const TOLERANCE: f64 = 0.05;

/// What stands above the shaders.
const HEAD: &str = "# What shaders cost on a card that is not there. Compared and explained by: cargo xtask check --only costs\n\
    # Renewed by: UPDATE_COSTS=1 cargo xtask check --only costs\n";
const COMPILER: &str = "# Compiled by ";

/// The columns: those that name a shader, and its figures.
const NAMES: [&str; 4] = ["# pipeline", "shader", "samples", "number"];
const FIGURES: [&str; 5] = ["instructions", "VGPRs", "bytes", "cycles", "spills"];

/// Shaders and what they cost.
#[derive(Debug, PartialEq)]
pub struct Table {
    /// The version of Mesa, and the card.
    pub compiler: String,
    /// In the order of their names.
    pub shaders: Vec<Shader>,
}

/// A shader of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shader {
    /// The name of the pipeline.
    pub pipeline: String,
    /// `vertex`, `fragment` or `compute`.
    pub stage: String,
    /// Samples a pixel; none where it computes.
    pub samples: u32,
    /// Which of those that have all of this in common, from 1, the cheapest.
    pub number: usize,
    /// What it costs.
    pub cost: Cost,
}

/// The figures of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// An estimate for one wave, with every branch taken and every loop run once.
    pub cycles: u64,
    /// Instructions.
    pub instructions: u64,
    /// Vector registers: the more, the fewer waves can hide how long memory takes.
    pub registers: u64,
    /// The size of its code.
    pub bytes: u64,
    /// Vector registers for which there was no room, so that they are kept in memory. Scalar ones go into vector registers.
    pub spills: u64,
}

impl Cost {
    /// In the order of [`FIGURES`].
    fn figures(self) -> [u64; 5] {
        [self.instructions, self.registers, self.bytes, self.cycles, self.spills]
    }
}

impl Shader {
    /// Do they differ at most in their numbers and figures?
    pub fn is_variant_of(&self, other: &Self) -> bool {
        (&self.pipeline, &self.stage, self.samples) == (&other.pipeline, &other.stage, other.samples)
    }

    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        // Names of pipelines have blanks.
        let (pipeline, rest) = words.split_at_checked(words.len().checked_sub(NAMES.len() - 1 + FIGURES.len())?)?;
        let [stage, samples, number, figures @ ..] = rest else { return None };
        let figures = figures.iter().map(|figure| figure.parse().ok()).collect::<Option<Vec<u64>>>()?;
        let [instructions, registers, bytes, cycles, spills] = figures[..] else { return None };
        Some(Self {
            pipeline: pipeline.join(" "),
            stage: (*stage).to_owned(),
            samples: samples.parse().ok()?,
            number: number.parse().ok()?,
            cost: Cost { cycles, instructions, registers, bytes, spills },
        })
    }
}

impl fmt::Display for Shader {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { pipeline, stage, samples, number, .. } = self;
        write!(f, "{pipeline}, {stage}, samples {samples}, number {number}")
    }
}

impl Table {
    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Result<Self> {
        let (comments, shaders): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.starts_with('#'));
        let compiler = comments.iter().find_map(|line| line.strip_prefix(COMPILER)).context("no compiler is named")?;
        let shaders =
            shaders.into_iter().map(|line| Shader::parse(line).with_context(|| format!("not a shader: {line}")));
        Ok(Self { compiler: compiler.to_owned(), shaders: shaders.collect::<Result<_>>()? })
    }

    fn get(&self, shader: &Shader) -> Option<&Shader> {
        self.shaders.iter().find(|known| known.is_variant_of(shader) && known.number == shader.number)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{HEAD}{COMPILER}{}", self.compiler)?;
        let mut line = |[pipeline, stage, samples, number]: [&str; 4], figures: [&str; 5]| {
            write!(f, "{pipeline:<54} {stage:<8} {samples:>7} {number:>6}")?;
            let [instructions, registers, bytes, cycles, spills] = figures;
            writeln!(f, " {instructions:>12} {registers:>5} {bytes:>6} {cycles:>7} {spills:>6}")
        };
        line(NAMES, FIGURES)?;
        for shader in &self.shaders {
            let [samples, number] = [u64::from(shader.samples), shader.number as u64].map(|number| number.to_string());
            let figures = shader.cost.figures().map(|figure| figure.to_string());
            line([&shader.pipeline, &shader.stage, &samples, &number], figures.each_ref().map(String::as_str))?;
        }
        Ok(())
    }
}

/// The figures of each shader that both tables have: which shader, what, before, now, and the share by which it has grown.
fn changes<'a>(known: &'a Table, found: &'a Table) -> impl Iterator<Item = (&'a Shader, &'static str, u64, u64, f64)> {
    let both = found.shaders.iter().filter_map(|now| Some((known.get(now)?, now)));
    both.flat_map(|(before, now)| {
        let figures = before.cost.figures().into_iter().zip(now.cost.figures());
        FIGURES.into_iter().zip(figures).map(move |(what, (before, after))| {
            let share = after as f64 / before.max(1) as f64 - 1.0;
            (now, what, before, after, if before == after { 0.0 } else { share })
        })
    })
}

/// The figures that have changed by more than [`TOLERANCE`], as text.
pub fn changed(known: &Table, found: &Table) -> Vec<String> {
    changes(known, found)
        .filter(|(.., share)| share.abs() > TOLERANCE)
        .map(|(shader, what, before, now, share)| {
            format!("{shader}: {before} {what} before, {now} now ({:+.1} %)", 100.0 * share)
        })
        .collect()
}

/// The greatest change of a figure, in per cent.
pub fn most(known: &Table, found: &Table) -> f64 {
    let most = changes(known, found).map(|(.., share)| share).max_by(|a, b| a.abs().total_cmp(&b.abs()));
    100.0 * most.unwrap_or(0.0)
}

/// The shaders of the table that were not found, as text.
pub fn missing(known: &Table, found: &Table) -> Vec<String> {
    let missing = known.shaders.iter().filter(|shader| found.get(shader).is_none());
    missing.map(|shader| format!("{shader}: is no longer compiled")).collect()
}

/// The shaders that the table lacks, as text.
pub fn new(known: &Table, found: &Table) -> Vec<String> {
    let new = found.shaders.iter().filter(|shader| known.get(shader).is_none());
    new.map(|shader| format!("{shader}: is not in the table")).collect()
}

/// The shaders that spill, as text.
pub fn spilling(found: &Table) -> Vec<String> {
    let spilling = found.shaders.iter().filter(|shader| shader.cost.spills > 0);
    spilling.map(|shader| format!("{shader}: spills {} registers", shader.cost.spills)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn land() -> Shader {
        let cost = Cost { cycles: 41_490, instructions: 6_417, registers: 136, bytes: 34_760, spills: 0 };
        let [pipeline, stage] = ["terrain land: pbr_opaque_mesh_pipeline", "fragment"].map(str::to_owned);
        Shader { pipeline, stage, samples: 4, number: 1, cost }
    }

    fn table(shaders: &[Shader]) -> Table {
        Table { compiler: "Mesa 22.3.6 vangogh".into(), shaders: shaders.to_vec() }
    }

    /// The same shader with other figures.
    fn with(change: impl Fn(&mut Cost)) -> Shader {
        let mut shader = land();
        change(&mut shader.cost);
        shader
    }

    #[test]
    fn what_is_written_can_be_read() {
        let pages = Shader { pipeline: "terrain ground pages".into(), stage: "compute".into(), samples: 0, ..land() };
        let known = table(&[pages, land()]);
        assert_eq!(Table::parse(&known.to_string()).unwrap(), known);
        assert!(Table::parse("a fragment 1 1 1 1 1 1 0\n").is_err());
        let error = Table::parse("# Compiled by Mesa\nterrain fragment 1 1 many 1 1 1 0\n").unwrap_err();
        assert!(error.to_string().contains("many"), "{error}");
    }

    #[test]
    fn growing_and_shrinking_by_more_than_a_twentieth_is_reported() {
        let known = table(&[land()]);
        assert_eq!(changed(&known, &table(&[with(|cost| cost.cycles = 43_500)])), [""; 0]);
        let grown = table(&[with(|cost| cost.registers = 144)]);
        let words =
            "terrain land: pbr_opaque_mesh_pipeline, fragment, samples 4, number 1: 136 VGPRs before, 144 now (+5.9 %)";
        assert_eq!(changed(&known, &grown), [words]);
        assert!((most(&known, &grown) - 5.88).abs() < 0.01);
        let shrunk = table(&[with(|cost| (cost.bytes, cost.instructions) = (30_000, 6_000))]);
        let changed = changed(&known, &shrunk);
        assert!(changed[0].ends_with("instructions before, 6000 now (-6.5 %)"), "{changed:?}");
        assert!(changed[1].ends_with("bytes before, 30000 now (-13.7 %)"), "{changed:?}");
        assert_eq!(changed.len(), 2);
    }

    #[test]
    fn a_shader_that_only_one_side_knows_is_reported() {
        let other = Shader { number: 2, ..land() };
        let (known, found) = (table(&[land()]), table(&[other]));
        assert_eq!(missing(&known, &found), [format!("{}: is no longer compiled", land())]);
        assert_eq!(new(&known, &found), [format!("{}: is not in the table", found.shaders[0])]);
        assert_eq!(changed(&known, &found), [""; 0]);
    }

    #[test]
    fn what_spills_is_reported_whatever_the_table_says() {
        let found = table(&[with(|cost| cost.spills = 3)]);
        assert_eq!(changed(&found, &found), [""; 0]);
        assert_eq!(spilling(&found), [format!("{}: spills 3 registers", land())]);
        assert_eq!(spilling(&table(&[land()])), [""; 0]);
    }
}
