//! A server and two players in one process.

use std::time::{Duration, Instant};

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_noise_terrain::edits::{Edit, EditId, TerrainEdits};
use bevy_noise_terrain_net::{
    CompareRegion, EditAccepted, EditChange, EditRefused, EditRequest, EditsJoined, EditsTraffic, Region,
    RegionCompared,
};

use crate::{Error, LAND, connection, game};

/// What must happen within a while.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many answers this machine has got, of any kind.
#[derive(Resource, Default)]
struct Answers(usize);

/// Digs, is refused, undoes, joins late and compares.
pub fn play() -> Result<AppExit, Error> {
    let mut server = machine("server");
    let address = connection::serve(&mut server, 0)?;
    let mut apps = vec![server, machine("Ada")];
    connection::connect(&mut apps[1], address)?;
    wait(&mut apps, 1, 1)?;
    println!("Ada digs a pit, raises a heap, and tries it in the protected area, and with a radius of minus one");
    let place = DVec3::new(60.0, 0.0, 0.0);
    request(&mut apps[1], EditChange::Apply(Edit::raise(place, 3.0, -2.0).falloff(4.0)));
    request(&mut apps[1], EditChange::Apply(Edit::raise(place + 12.0 * DVec3::X, 3.0, 2.0).falloff(4.0)));
    request(&mut apps[1], EditChange::Apply(Edit::raise(DVec3::ZERO, 3.0, -2.0)));
    request(&mut apps[1], EditChange::Apply(Edit::raise(place, -1.0, -2.0)));
    wait(&mut apps, 1, 5)?;
    println!("the server's own game levels a place, by changing its list");
    let mut terrains = apps[0].world_mut().query::<&mut TerrainEdits>();
    for mut edits in terrains.iter_mut(apps[0].world_mut()) {
        edits.apply(Edit::flatten(DVec3::new(-40.0, 30.0, 10.0), 10.0).falloff(5.0))?;
    }
    println!("Bob joins late, and takes back the heap");
    apps.push(machine("Bob"));
    connection::connect(&mut apps[2], address)?;
    wait(&mut apps, 2, 1)?;
    request(&mut apps[2], EditChange::Undo(EditId(1)));
    wait(&mut apps, 2, 2)?;
    let region = Region { min: [-63.0; 2], max: [63.0; 2], spacing: 1.0 };
    apps[0].world_mut().write_message(CompareRegion { terrain: LAND, region });
    wait(&mut apps, 0, 2)?;
    let mut traffic = apps[0].world_mut().query::<&EditsTraffic>();
    for traffic in traffic.iter(apps[0].world()) {
        println!("server: {} edits sent to both together, {} bytes", traffic.entries, traffic.bytes);
    }
    Ok(AppExit::Success)
}

/// A machine that prints what it is told.
fn machine(name: &'static str) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, StatesPlugin, TransformPlugin, game))
        .init_resource::<Answers>()
        .add_observer(move |joined: On<EditsJoined>, mut answers: ResMut<Answers>| {
            println!("{name}: joined, {} changes so far", joined.edits);
            answers.0 += 1;
        })
        .add_observer(move |accepted: On<EditAccepted>, mut answers: ResMut<Answers>| {
            println!("{name}: granted, change {}", accepted.id.0);
            answers.0 += 1;
        })
        .add_observer(move |refused: On<EditRefused>, mut answers: ResMut<Answers>| {
            println!("{name}: refused, {}", refused.reason);
            answers.0 += 1;
        })
        .add_observer(move |compared: On<RegionCompared>, mut answers: ResMut<Answers>| {
            println!("{name}: own hash {:016x}, the other's {:016x}", compared.own, compared.other);
            answers.0 += 1;
        });
    app.finish();
    app.cleanup();
    app
}

fn request(app: &mut App, change: EditChange) {
    app.world_mut().write_message(EditRequest { terrain: LAND, tag: 0, change });
}

/// Updates all machines until one of them has got so many answers.
fn wait(apps: &mut [App], which: usize, answers: usize) -> Result<(), Error> {
    let began = Instant::now();
    while apps[which].world().resource::<Answers>().0 < answers {
        if began.elapsed() > PATIENCE {
            return Err(format!("machine {which} has not got {answers} answers within {PATIENCE:?}").into());
        }
        apps.iter_mut().for_each(App::update);
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}
