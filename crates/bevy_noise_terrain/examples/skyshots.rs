#![allow(missing_docs, clippy::all, clippy::unwrap_used, clippy::expect_used)]
use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::DirectionalLightShadowMap;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
#[path = "../../../examples/common/offscreen.rs"]
mod offscreen;
// usage: skyshots WxH terrain|none noise < shots ; each: name time heading pitch height clouds sea|- shadows(0/1) x z [visibility]
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (w, h) = args[1].split_once('x').unwrap();
    let land = args[2] != "none";
    let (mut app, canvas) = offscreen::app(w.parse().unwrap(), h.parse().unwrap());
    app.add_plugins((NoiseTerrainPlugin, TerrainAirPlugin));
    app.insert_resource(bevy_noise_terrain::SpawnNoTerrain);
    app.insert_resource(DirectionalLightShadowMap { size: 1024 });
    let spacing: f64 = args.get(4).map_or(4.0, |v| v.parse().unwrap());
    let mut settings = NoiseTerrain::default();
    settings.lod.spacing = spacing;
    settings.streaming.grow_seconds = 0.0;
    if args[2] == "coast" {
        let hills = perlin().fbm().octaves(10).persistence(0.5).feature_size(3_000.0).seed(1).scale(220.0);
        settings.noise = hills.add(perlin().fbm().octaves(3).feature_size(14_000.0).seed(2).scale(420.0)).offset(-20.0);
    }
    let surface = settings.surface().unwrap();
    let terrain = land.then(|| app.world_mut().spawn(settings).id());
    let camera = app
        .world_mut()
        .spawn((
            Camera3d::default(),
            Msaa::Off,
            Tonemapping::AgX,
            RenderTarget::Image(canvas.clone().into()),
            TerrainViewer,
            AirView::default(),
            Projection::Perspective(PerspectiveProjection {
                fov: 60f32.to_radians(),
                near: 0.5,
                far: 100_000.0,
                ..default()
            }),
        ))
        .id();
    let sun = app
        .world_mut()
        .spawn((DirectionalLight { shadow_depth_bias: 0.04, shadow_normal_bias: 2.2, ..default() }, Sun::default()))
        .id();
    offscreen::finish(&mut app);
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let f: Vec<&str> = line.split_whitespace().collect();
        if f.len() < 10 {
            continue;
        }
        let n = |i: usize| f[i].parse::<f32>().unwrap();
        let began = std::time::Instant::now();
        {
            let mut air = app.world_mut().resource_mut::<Air>();
            air.time = n(1);
            air.cloud_cover = n(5);
            if let Some(v) = f.get(10) {
                air.visibility = v.parse().unwrap();
            }
        }
        let mut floor = if land { surface.height(n(8) as f64, n(9) as f64) as f32 } else { 0.0 };
        if let Some(t) = terrain {
            match f[6].parse::<f32>() {
                Ok(level) => {
                    floor = floor.max(level);
                    app.world_mut().entity_mut(t).insert(Sea { level, ..default() });
                }
                Err(_) => {
                    app.world_mut().entity_mut(t).remove::<Sea>();
                }
            }
        }
        app.world_mut().get_mut::<DirectionalLight>(sun).unwrap().shadow_maps_enabled = f[7] == "1";
        *app.world_mut().get_mut::<Transform>(camera).unwrap() = Transform::from_xyz(n(8), floor + n(4), n(9))
            .with_rotation(Quat::from_rotation_y(-n(2).to_radians()) * Quat::from_rotation_x(n(3).to_radians()));
        app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = false;
        for _ in 0..4000 {
            offscreen::update(&mut app);
            if let Some(t) = terrain {
                let s = app.world().get::<TerrainStats>(t).unwrap();
                if s.missing == 0 && s.drawn_total() > 0 {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(15));
            } else {
                break;
            }
        }
        app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = true;
        let stream = began.elapsed();
        let frames = std::env::var("WARM").map_or(1, |v| v.parse().unwrap());
        for _ in 0..frames {
            let t = std::time::Instant::now();
            offscreen::update(&mut app);
            eprintln!("frame {:?}", t.elapsed());
        }
        let image = offscreen::picture(&mut app, &canvas, offscreen::update).unwrap();
        image.save(format!("/tmp/sky/{}.png", f[0])).unwrap();
        println!("{} stream {:?} all {:?}", f[0], stream, began.elapsed());
    }
}
