//! Players on the same land: who digs asks the server, and what it grants everybody sees.
//!
//! ```sh
//! cargo run --all-features --example shared_land -- --server
//! cargo run --all-features --example shared_land -- --client 127.0.0.1:5210
//! cargo run --all-features --example shared_land -- --headless
//! ```
//!
//! The left button digs in the middle of the window and, with Shift, heaps up; Z takes back what this player did last. W, A,
//! S, D and the right mouse button fly the camera. Near the origin nobody may dig.
//!
//! Without a display, or with `--headless`, a server and two players in one process print what happens.

mod connection;
mod headless;
mod player;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use bevy::app::ScheduleRunnerPlugin;
use bevy::camera_controller::free_camera::FreeCameraPlugin;
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_noise_terrain::edits::{Edit, EditArea};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain_net::{
    EditAsk, EditChange, EditGranted, EditRulesAppExt, Refusal, SharedTerrain, TerrainEditsNetPlugin,
};
use bevy_replicon::prelude::*;
use bevy_replicon_renet::RepliconRenetPlugins;
use clap::Parser;
use examples_common::adapter;

/// Dig together.
#[derive(Parser)]
struct Options {
    /// Serve the land, without a window.
    #[arg(long, conflicts_with_all = ["client", "headless"])]
    server: bool,
    /// Play, with the server at this address.
    #[arg(long, value_name = "ADDR", conflicts_with = "headless")]
    client: Option<SocketAddr>,
    /// The port of the server.
    #[arg(long, default_value_t = 5210)]
    port: u16,
    /// A server and two players in one process.
    #[arg(long)]
    headless: bool,
}

type Error = Box<dyn std::error::Error>;

/// The number of the terrain, for everybody.
const LAND: SharedTerrain = SharedTerrain(0);
/// Metres around the origin in which nobody may change the land.
const PROTECTED: f64 = 20.0;

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(AppExit::Success) => ExitCode::SUCCESS,
        Ok(AppExit::Error(code)) => ExitCode::from(code.get()),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<AppExit, Error> {
    let mut app = App::new();
    match options.client {
        _ if options.server => {
            let rate = ScheduleRunnerPlugin::run_loop(Duration::from_millis(16));
            app.add_plugins((MinimalPlugins.set(rate), StatesPlugin, TransformPlugin, game));
            let address = connection::serve(&mut app, options.port)?;
            println!("serving on {address}");
        }
        Some(server) if adapter::has_display() => {
            app.add_plugins((DefaultPlugins.set(examples_common::assets()), FreeCameraPlugin, game, player::play));
            connection::connect(&mut app, server)?;
        }
        Some(_) => return Err("there is no display to play on; try --headless".into()),
        None => return headless::play(),
    }
    Ok(app.run())
}

/// What servers and players have in common.
fn game(app: &mut App) {
    app.add_plugins((RepliconPlugins, RepliconRenetPlugins, NoiseTerrainPlugin, TerrainEditsNetPlugin))
        .add_edit_rule(outside_the_protected_area)
        .add_observer(|granted: On<EditGranted>| {
            let what = if granted.undone { "took back" } else { "made" };
            println!("server: {} {what} change {}", granted.client, granted.id.0);
        })
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn((NoiseTerrain::default(), TerrainScatter::temperate(), LAND));
        });
}

/// A rule of this game: the server asks it before it changes anything.
fn outside_the_protected_area(InRef(ask): InRef<EditAsk>) -> Result<(), Refusal> {
    match &ask.change {
        EditChange::Apply(Edit { area: EditArea::Disc { center: [x, z], radius }, falloff, .. }) => {
            let is_outside = x.hypot(*z) > PROTECTED + radius + falloff;
            if is_outside { Ok(()) } else { Err(Refusal::OutOfBounds) }
        }
        EditChange::Apply(_) => Err(Refusal::Rule("only the shovel is allowed".to_owned())),
        EditChange::Undo(_) => Ok(()),
    }
}
