//! What is drawn takes no more than WebGPU guarantees, and every shader is composed as it is for such a device.
//!
//! With `TERRAIN_SHADERS=DIR` the composed shaders are written there, to translate them for other systems.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs};

use bevy::asset::AssetId;
use bevy::camera::{Hdr, RenderTarget};
use bevy::core_pipeline::prepass::{DeferredPrepass, DepthPrepass, MotionVectorPrepass, NormalPrepass};
use bevy::light::DirectionalLightShadowMap;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::render_resource::{
    BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, BufferBindingType, CachedPipelineState,
    PipelineCache, PipelineDescriptor, ShaderStages, TextureFormat,
};
use bevy::render::settings::WgpuSettings;
use bevy::shader::{
    Shader, ShaderCache, ShaderCacheError, ShaderCacheSource, ShaderDefVal, ShaderImport, ValidateShader,
};
use bevy_noise_terrain::edits::{Hole, TerrainHoles};
use bevy_noise_terrain::prelude::*;
use examples_common::{offscreen, settle};
use wgpu::naga::front::wgsl;
use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
use wgpu::{Features, Limits};

/// Width and height of the pictures.
const SIZE: [u32; 2] = [64, 36];
/// Where the shaders of this crate are, for Bevy.
const OWN: &str = "embedded://bevy_noise_terrain/";
/// Their sources.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/bevy_noise_terrain_land/src");

/// An app whose device has what WebGPU guarantees, and nothing else.
fn webgpu() -> (App, Handle<Image>) {
    let device = WgpuSettings {
        disabled_features: Some(Features::all() - Features::all_webgpu_mask()),
        constrained_limits: Some(Limits::default()),
        ..default()
    };
    offscreen::app_with(SIZE[0], SIZE[1], device)
}

/// All that this crate draws, seen by cameras of every kind, until it is whole.
fn everything() -> App {
    let (mut app, canvas) = webgpu();
    // Small shadows, as all is drawn in software.
    app.add_plugins(NoiseTerrainPlugin).insert_resource(DirectionalLightShadowMap { size: 256 });
    let mut land = NoiseTerrain::default();
    land.lod.view_distance = 1_000.0;
    let ground = land.surface().unwrap().height(0.0, 0.0) as f32;
    // Trees have far forms, grass and rocks none.
    let near = |kind: ScatterKind| ScatterKind { distance: 0.1 * kind.distance, density: 0.1 * kind.density, ..kind };
    let kinds = [ScatterKind::grass(), ScatterKind::rock(), ScatterKind::conifer(), ScatterKind::broadleaf()];
    let water = TerrainWater { level: ground + 0.5, ..default() };
    let scatter = TerrainScatter { kinds: kinds.map(near).into(), ..default() };
    let mut holes = TerrainHoles::default();
    holes.apply(Hole::disc(DVec3::new(3.0, 0.0, -4.0), 1.0)).unwrap();
    app.world_mut().spawn((land, holes, scatter, water));
    app.world_mut().spawn(TerrainSun::default());
    let eye = Transform::from_xyz(0.0, ground + 3.0, 0.0).looking_to(Vec3::new(0.6, -0.3, -0.8), Vec3::Y);
    // Each draws to an image of its own: cameras that share one must agree on its samples.
    let target = |app: &mut App| {
        let image = Image::new_target_texture(SIZE[0], SIZE[1], TextureFormat::Rgba8UnormSrgb, None);
        app.world_mut().resource_mut::<Assets<Image>>().add(image)
    };
    let targets = [canvas.clone(), target(&mut app), target(&mut app), target(&mut app)];
    let mut cameras = targets.iter().map(|target| {
        let view = (TerrainSkyView::default(), RenderTarget::Image(target.clone().into()), Msaa::Off, eye);
        app.world_mut().spawn(view).id()
    });
    let [plain, multisampled, prepasses, deferred] = std::array::from_fn(|_| cameras.next().unwrap());
    drop(cameras);
    let world = app.world_mut();
    world.entity_mut(plain).insert(TerrainViewer);
    // One is enough until all is there.
    for camera in [multisampled, prepasses, deferred] {
        world.entity_mut(camera).insert(Camera { is_active: false, ..default() });
    }
    world.entity_mut(multisampled).insert((Msaa::Sample4, DepthPrepass, NormalPrepass));
    world.entity_mut(prepasses).insert((DepthPrepass, NormalPrepass, MotionVectorPrepass));
    // Without HDR the land's own shader maps tones, which takes a texture more.
    for camera in [multisampled, prepasses] {
        world.entity_mut(camera).remove::<Hdr>();
    }
    world.entity_mut(deferred).insert((DepthPrepass, MotionVectorPrepass, DeferredPrepass));
    offscreen::finish(&mut app);
    // Nothing is drawn before all of it is there.
    settle(&mut app).unwrap();
    let mut cameras = app.world_mut().query::<&mut Camera>();
    cameras.iter_mut(app.world_mut()).for_each(|mut camera| camera.is_active = true);
    // A renderer that has failed gives no picture, and one that draws nothing a plain one.
    let picture = offscreen::picture(&mut app, &canvas, offscreen::update).expect("no picture came");
    let colors: BTreeSet<[u8; 3]> = picture.pixels().map(|pixel| pixel.0).collect();
    assert!(colors.len() > 40, "{} colours", colors.len());
    app
}

/// A pipeline, for drawing or computing: its shaders with their definitions, and what it binds.
struct Pipeline {
    stages: Vec<(AssetId<Shader>, Vec<ShaderDefVal>)>,
    layout: Vec<BindGroupLayoutDescriptor>,
}

impl Pipeline {
    fn new(descriptor: &PipelineDescriptor) -> Option<Self> {
        let (stages, layout) = match descriptor {
            PipelineDescriptor::RenderPipelineDescriptor(pipeline) => {
                let vertex = (pipeline.vertex.shader.id(), pipeline.vertex.shader_defs.clone());
                let fragment = pipeline.fragment.iter().map(|stage| (stage.shader.id(), stage.shader_defs.clone()));
                ([vertex].into_iter().chain(fragment).collect(), pipeline.layout.clone())
            }
            PipelineDescriptor::ComputePipelineDescriptor(pipeline) => {
                (vec![(pipeline.shader.id(), pipeline.shader_defs.clone())], pipeline.layout.clone())
            }
            PipelineDescriptor::MeshPipelineDescriptor(_) => return None,
        };
        Some(Self { stages, layout })
    }
}

/// The pipelines with a shader of this crate.
fn pipelines(app: &App) -> Vec<Pipeline> {
    let own: BTreeSet<AssetId<Shader>> =
        shaders(app).iter().filter(|(_, shader)| shader.path.starts_with(OWN)).map(|(id, _)| *id).collect();
    let cache = app.get_sub_app(RenderApp).unwrap().world().resource::<PipelineCache>();
    let mut found = Vec::new();
    for cached in cache.pipelines() {
        let Some(pipeline) = Pipeline::new(&cached.descriptor) else { continue };
        if !pipeline.stages.iter().any(|(id, _)| own.contains(id)) {
            continue;
        }
        let is_ready = matches!(cached.state, CachedPipelineState::Ok(_));
        assert!(is_ready, "{:?}: {:?}", cached.descriptor, cached.state);
        found.push(pipeline);
    }
    found
}

fn shaders(app: &App) -> Vec<(AssetId<Shader>, Shader)> {
    app.world().resource::<Assets<Shader>>().iter().map(|(id, shader)| (id, shader.clone())).collect()
}

/// What is composed is kept as it is.
fn keep(_: &(), source: ShaderCacheSource, _: &ValidateShader) -> Result<String, ShaderCacheError> {
    match source {
        ShaderCacheSource::Wgsl(text) => Ok(text),
        other => Err(ShaderCacheError::CreateShaderModule(format!("not composed: {other:?}"))),
    }
}

/// Every shader in every form that a pipeline uses, as WGSL, by a name.
fn composed(app: &App, pipelines: &[Pipeline]) -> BTreeMap<String, String> {
    let mut cache = ShaderCache::new((), keep);
    let known = shaders(app);
    for (id, shader) in &known {
        let mut shader = shader.clone();
        // As Bevy does.
        let buffers = Limits::default().max_storage_buffers_per_shader_stage;
        shader.shader_defs.push(ShaderDefVal::UInt("AVAILABLE_STORAGE_BUFFER_BINDINGS".into(), buffers));
        for least in [3, 6] {
            let name = format!("AVAILABLE_STORAGE_BUFFER_BINDINGS__GE_{least}");
            shader.shader_defs.push(ShaderDefVal::Bool(name.into(), buffers >= least));
        }
        cache.set_shader(*id, shader);
    }
    let mut texts = BTreeMap::new();
    for (index, pipeline) in pipelines.iter().enumerate() {
        for (id, definitions) in &pipeline.stages {
            let (_, shader) = known.iter().find(|(known, _)| known == id).unwrap();
            let text = cache.get(index, *id, definitions).unwrap_or_else(|error| panic!("{}: {error}", shader.path));
            let module = wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
            let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module);
            info.unwrap_or_else(|error| panic!("{}: {}", shader.path, error.emit_to_string(&text)));
            let name = shader.path.trim_start_matches(OWN).replace("embedded://", "").replace(['/', '.'], "-");
            // The composer's order of declarations is any: shaders of the same lines are the same.
            let sorted = |text: &str| text.lines().map(ToOwned::to_owned).collect::<BTreeSet<String>>();
            if !texts.values().any(|known: &String| sorted(known) == sorted(&text)) {
                texts.insert(format!("{name}-{}", texts.len()), String::clone(&text));
            }
        }
    }
    texts
}

/// Files of shaders below a folder, as paths in it.
fn sources(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "wesl") {
            found.push(path.strip_prefix(SOURCES).unwrap().to_str().unwrap().replace('\\', "/"));
        }
    }
    found
}

/// The shaders of this crate that pipelines use, imported ones too.
fn used(app: &App, pipelines: &[Pipeline]) -> BTreeSet<String> {
    let known = shaders(app);
    let imported = |import: &ShaderImport| known.iter().map(|(_, shader)| shader).find(|it| it.import_path == *import);
    let mut open: Vec<&Shader> = pipelines
        .iter()
        .flat_map(|pipeline| &pipeline.stages)
        .map(|(id, _)| &known.iter().find(|(known, _)| known == id).unwrap().1)
        .collect();
    let mut paths = BTreeSet::new();
    while let Some(shader) = open.pop() {
        if paths.insert(shader.path.clone()) {
            open.extend(shader.imports.iter().filter_map(imported));
        }
    }
    paths.iter().filter_map(|path| path.strip_prefix(OWN)).map(ToOwned::to_owned).collect()
}

/// How many of a stage's bindings in a layout `is` accepts.
fn count(pipeline: &Pipeline, stage: ShaderStages, is: fn(&BindingType) -> bool) -> usize {
    let entries = pipeline.layout.iter().flat_map(|layout| &layout.entries);
    let counts = entries.filter(|entry| entry.visibility.contains(stage) && is(&entry.ty));
    counts.map(|entry: &BindGroupLayoutEntry| entry.count.map_or(1, |count| count.get() as usize)).sum()
}

const KINDS: [(&str, fn(&BindingType) -> bool); 4] = [
    ("storage buffers", |kind| matches!(kind, BindingType::Buffer { ty: BufferBindingType::Storage { .. }, .. })),
    ("uniform buffers", |kind| matches!(kind, BindingType::Buffer { ty: BufferBindingType::Uniform, .. })),
    ("sampled textures", |kind| matches!(kind, BindingType::Texture { .. })),
    ("samplers", |kind| matches!(kind, BindingType::Sampler(_))),
];

#[test]
fn everything_is_drawn_with_what_webgpu_guarantees_and_every_shader_is_composed() {
    let app = everything();
    let pipelines = pipelines(&app);

    // All files are used: none is left out of what follows.
    let used = used(&app, &pipelines);
    for name in sources(Path::new(SOURCES)) {
        assert!(used.contains(&name), "no pipeline uses {name}; these are used: {used:?}");
    }

    // The documentation's table.
    let page = include_str!("../../../../crates/bevy_noise_terrain/src/guide/platforms.md");
    let most = |stage, is| pipelines.iter().map(|pipeline| count(pipeline, stage, is)).max().unwrap();
    let mut rows: Vec<String> = KINDS
        .iter()
        .map(|(name, is)| {
            let stages = [ShaderStages::VERTEX, ShaderStages::FRAGMENT, ShaderStages::COMPUTE];
            let most = stages.into_iter().map(|stage| most(stage, *is)).max().unwrap();
            format!("| {name} in a shader stage | {most} |")
        })
        .collect();
    let groups = pipelines.iter().map(|pipeline| pipeline.layout.len()).max().unwrap();
    rows.push(format!("| bind groups | {groups} |"));
    println!("{rows:#?}");
    for row in rows {
        assert!(page.contains(&row), "platforms.md has no row {row}");
    }

    let texts = composed(&app, &pipelines);
    println!("{} pipelines, {} shaders", pipelines.len(), texts.len());
    assert!(texts.len() >= 12, "{:?}", texts.keys());
    if let Some(folder) = env::var_os("TERRAIN_SHADERS") {
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in texts {
            fs::write(Path::new(&folder).join(format!("{name}.wgsl")), text).unwrap();
        }
    }
}
