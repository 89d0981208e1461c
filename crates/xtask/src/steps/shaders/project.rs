//! Translates the shaders of a folder for Vulkan, Metal, Direct3D and OpenGL.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use naga::back::{glsl, hlsl, msl, spv};
use naga::proc::BoundsCheckPolicies;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ShaderStage};

type Translation = fn(&Module, &ModuleInfo, ShaderStage, &str) -> Result<usize, String>;

/// The oldest versions that devices with WebGPU's limits come with.
const LANGUAGES: [(&str, Translation); 5] =
    [("SPIR-V 1.0", vulkan), ("MSL 2.1", metal), ("HLSL 5.1", direct3d), ("GLSL ES 3.20", opengl_es), ("GLSL 4.50", opengl)];

fn main() -> ExitCode {
    let folder = env::args().nth(1).expect("a folder");
    let mut files: Vec<_> = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let (mut entries, mut bytes, mut failures) = (0, [0; LANGUAGES.len()], Vec::new());
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let (module, info) = read(file);
        for entry in &module.entry_points {
            entries += 1;
            for ((language, translate), bytes) in LANGUAGES.iter().zip(&mut bytes) {
                match translate(&module, &info, entry.stage, &entry.name) {
                    Ok(length) => *bytes += length,
                    Err(error) => failures.push(format!("{name}, {:?} `{}`, {language}: {error}", entry.stage, entry.name)),
                }
            }
        }
    }
    for failure in &failures {
        println!("{failure}");
    }
    let sizes = LANGUAGES.iter().zip(bytes).map(|((language, _), bytes)| format!("{language} ({} kB)", bytes / 1_000));
    let sizes = sizes.collect::<Vec<_>>().join(", ");
    if entries == 0 || !failures.is_empty() {
        println!("{} of {} translations failed", failures.len(), entries * LANGUAGES.len());
        return ExitCode::FAILURE;
    }
    println!("translated {entries} entry points of {} shaders to {sizes}", files.len());
    ExitCode::SUCCESS
}

fn read(file: &Path) -> (Module, ModuleInfo) {
    let text = fs::read_to_string(file).expect("text");
    let module = naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module);
    let info = info.unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
    (module, info)
}

fn vulkan(module: &Module, info: &ModuleInfo, shader_stage: ShaderStage, name: &str) -> Result<usize, String> {
    let pipeline = spv::PipelineOptions { shader_stage, entry_point: name.into() };
    let options = spv::Options { lang_version: (1, 0), ..Default::default() };
    let words = spv::write_vec(module, info, &options, Some(&pipeline)).map_err(|error| error.to_string())?;
    Ok(4 * words.len())
}

fn metal(module: &Module, info: &ModuleInfo, stage: ShaderStage, name: &str) -> Result<usize, String> {
    let pipeline = msl::PipelineOptions { entry_point: Some((stage, name.into())), ..Default::default() };
    let options = msl::Options { lang_version: (2, 1), fake_missing_bindings: true, ..Default::default() };
    let (text, translated) = msl::write_string(module, info, &options, &pipeline).map_err(|error| error.to_string())?;
    // One name or error for each entry point that was written.
    translated.entry_point_names.into_iter().try_for_each(|name| name.map(drop)).map_err(|error| error.to_string())?;
    Ok(text.len())
}

fn direct3d(module: &Module, info: &ModuleInfo, stage: ShaderStage, name: &str) -> Result<usize, String> {
    let pipeline = hlsl::PipelineOptions { entry_point: Some((stage, name.into())) };
    let options =
        hlsl::Options { shader_model: hlsl::ShaderModel::V5_1, fake_missing_bindings: true, ..Default::default() };
    let mut text = String::new();
    let translated = hlsl::Writer::new(&mut text, &options, &pipeline).write(module, info, None);
    let translated = translated.map_err(|error| error.to_string())?;
    translated.entry_point_names.into_iter().try_for_each(|name| name.map(drop)).map_err(|error| error.to_string())?;
    Ok(text.len())
}

fn opengl_es(module: &Module, info: &ModuleInfo, stage: ShaderStage, name: &str) -> Result<usize, String> {
    glsl(module, info, stage, name, glsl::Version::new_gles(320))
}

fn opengl(module: &Module, info: &ModuleInfo, stage: ShaderStage, name: &str) -> Result<usize, String> {
    glsl(module, info, stage, name, glsl::Version::Desktop(450))
}

fn glsl(
    module: &Module,
    info: &ModuleInfo,
    shader_stage: ShaderStage,
    name: &str,
    version: glsl::Version,
) -> Result<usize, String> {
    let pipeline = glsl::PipelineOptions { shader_stage, entry_point: name.into(), multiview: None };
    let options = glsl::Options { version, ..Default::default() };
    let mut text = String::new();
    let writer = glsl::Writer::new(&mut text, module, info, &options, &pipeline, BoundsCheckPolicies::default());
    writer.and_then(|mut writer| writer.write().map(drop)).map_err(|error| error.to_string())?;
    Ok(text.len())
}
