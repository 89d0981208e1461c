//! Edits over a network that loses, doubles, delays and reorders packets: a server and its clients, over real sockets.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

mod common;

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::NoiseTerrain;
use bevy_noise_terrain::edits::{Edit, EditArea, EditId, TerrainEdits};
use bevy_noise_terrain::terrain_noise::perlin;
use bevy_noise_terrain_net::{
    CompareRegion, EditAsk, EditChange, EditGranted, EditLimits, EditRulesAppExt, EditsTraffic, Refusal, Region,
    RegionCompared,
};
use bevy_replicon::prelude::*;
use common::{Heard, LAND, Machine, Net, land};

/// An edit of any kind.
fn edit(number: u32) -> Edit {
    let angle = 2.4 * f64::from(number);
    let at = DVec3::new(60.0 * angle.cos(), f64::from(number % 9), 60.0 * angle.sin());
    let radius = 1.0 + f64::from(number % 7);
    let edit = match number % 5 {
        0 => Edit::raise(at, radius, 1.5),
        1 => Edit::flatten(at, radius),
        2 => Edit::smooth(at, radius, 8.0),
        3 => Edit::add(at, radius, perlin().fbm().octaves(3).feature_size(9.0), u64::from(number)),
        _ => Edit::path([at, 0.3 * at, -at], radius),
    };
    edit.falloff(3.0)
}

const REGION: Region = Region { min: [-60.0; 2], max: [60.0; 2], spacing: 1.0 };

/// Compares a region from both sides: of each client with the server, and of the server with all.
fn compare(net: &mut Net) -> Vec<bool> {
    let wanted = CompareRegion { terrain: LAND, region: REGION };
    net.server.app.world_mut().write_message(wanted);
    for client in &mut net.clients {
        client.machine.app.world_mut().write_message(wanted);
    }
    let count = net.clients.len();
    let heard = |machine: &Machine| machine.heard().compared.len();
    let before: Vec<usize> = net.clients.iter().map(|client| heard(&client.machine)).collect();
    let servers = heard(&net.server);
    net.until("all have compared", |net| {
        let clients = net.clients.iter().zip(&before).all(|(client, before)| heard(&client.machine) == before + 2);
        clients && heard(&net.server) == servers + 2 * count
    });
    let own = net.clients.iter().zip(&before).flat_map(|(client, &before)| &client.machine.heard().compared[before..]);
    own.chain(&net.server.heard().compared[servers..]).map(RegionCompared::is_equal).collect()
}

fn limits(net: &mut Net, per_second: u32) {
    net.server.app.insert_resource(EditLimits { per_second, at_once: 2 * per_second });
}

#[test]
fn everybody_ends_with_the_same_land() {
    let mut net = Net::new();
    limits(&mut net, 100_000);
    (0..2).for_each(|_| _ = net.join(land()));
    net.until("both have joined", |net| net.clients.iter().all(|client| client.machine.is_live()));
    let (mut expected, mut asked) = (Vec::new(), [0; 2]);
    for number in 0..600 {
        match number % 3 {
            // The server's own game code: it just changes its list.
            0 => _ = net.server.edits().apply(edit(number)).unwrap(),
            which => {
                let which = which as usize - 1;
                net.clients[which].machine.apply(number, edit(number));
                asked[which] += 1;
            }
        }
        // Some are taken away again, by whoever made them.
        if number % 11 == 0 {
            let client = &mut net.clients[0].machine;
            if let Some(accepted) = client.heard().accepted.last().copied() {
                client.request(10_000 + number, EditChange::Undo(accepted.id));
                expected.push(accepted.id);
                asked[0] += 1;
            }
        }
        net.update();
    }
    net.until("all requests are answered", |net| {
        let answers = |heard: &Heard| heard.accepted.len() + heard.refused.len();
        net.clients.iter().zip(asked).all(|(client, asked)| answers(client.machine.heard()) == asked)
    });
    net.until_equal();
    assert!(!expected.is_empty() && net.server.list().len() < 600 && net.server.list().len() > 500);
    assert!(expected.iter().all(|id| net.server.list().get(*id).is_none()));
    // Each client's edits are in the order in which it asked for them.
    for client in &net.clients {
        let applied: Vec<_> = client.machine.heard().accepted.iter().filter(|accepted| accepted.tag < 10_000).collect();
        assert!(applied.is_sorted_by_key(|accepted| accepted.tag) && applied.is_sorted_by_key(|accepted| accepted.id));
    }
    assert_eq!(compare(&mut net), [true; 8]);
    let traffic: Vec<_> = net.clients.iter().map(|client| client.link.traffic()).collect();
    assert!(traffic.iter().all(|traffic| traffic.lost > 50 && traffic.overtaken > 50), "{traffic:?}");
    // Somebody cheats, and is found out.
    net.clients[1].machine.edits().apply(Edit::raise(DVec3::ZERO, 2.0, 0.01)).unwrap();
    assert_eq!(compare(&mut net).iter().filter(|&&is_equal| is_equal).count(), 4);
}

#[test]
fn refusals_say_why() {
    fn within_reach(InRef(ask): InRef<EditAsk>, terrains: Query<&TerrainEdits>) -> Result<(), Refusal> {
        // A rule is a system: it may look at anything.
        terrains.get(ask.terrain).map_err(|_| Refusal::OutOfBounds)?;
        match &ask.change {
            EditChange::Apply(Edit { area: EditArea::Disc { center: [x, _], .. }, .. }) if *x > 100.0 => {
                Err(Refusal::OutOfReach)
            }
            EditChange::Undo(EditId(0)) => Err(Refusal::Rule("the first one stays".to_owned())),
            _ => Ok(()),
        }
    }
    #[derive(Resource, Default)]
    struct Granted(Vec<EditGranted>);
    let mut net = Net::new();
    net.server
        .app
        .add_edit_rule(within_reach)
        .init_resource::<Granted>()
        .add_observer(|event: On<EditGranted>, mut granted: ResMut<Granted>| granted.0.push(*event));
    net.join(land());
    // Before it has joined, nothing is allowed.
    net.clients[0].machine.apply(1, edit(0));
    net.until("it has joined", |net| net.clients[0].machine.is_live());
    let client = &mut net.clients[0].machine;
    client.apply(2, Edit::raise(DVec3::new(200.0, 0.0, 0.0), 5.0, 1.0));
    client.apply(3, Edit::raise(DVec3::ZERO, -5.0, 1.0));
    client.apply(4, Edit::add(DVec3::ZERO, 5.0, perlin().fbm().octaves(3), 1).falloff(f64::INFINITY));
    client.apply(5, Edit::raise(DVec3::ZERO, 5.0, 1.0));
    client.request(6, EditChange::Undo(EditId(0)));
    client.request(7, EditChange::Undo(EditId(9)));
    client.apply(8, Edit::raise(DVec3::ONE, 5.0, 1.0));
    client.request(9, EditChange::Undo(EditId(1)));
    net.until("all is answered", |net| {
        let heard = net.clients[0].machine.heard();
        heard.refused.len() + heard.accepted.len() == 9
    });
    let heard = net.clients[0].machine.heard();
    let refused: Vec<(u32, String)> =
        heard.refused.iter().map(|refused| (refused.tag, refused.reason.to_string())).collect();
    let words = [
        (1, "the terrain is not shared yet"),
        (2, "out of reach"),
        (3, "edit.area.radius: found -5, allowed is 0.01 to 100000 m"),
        (4, "edit.falloff: found inf, allowed is 0 to 100000 m"),
        (6, "the first one stays"),
        (7, "there is no edit 9"),
    ];
    assert_eq!(refused, words.map(|(tag, words)| (tag, words.to_owned())));
    let accepted: Vec<_> = heard.accepted.iter().map(|accepted| (accepted.tag, accepted.id)).collect();
    assert_eq!(accepted, [(5, EditId(0)), (8, EditId(1)), (9, EditId(1))]);
    net.until_equal();
    assert_eq!(net.server.list().len(), 1);
    let granted = &net.server.app.world().resource::<Granted>().0;
    assert_eq!(granted.iter().map(|granted| granted.undone).collect::<Vec<_>>(), [false, false, true]);
    assert!(granted.iter().all(|granted| granted.client.entity().is_some()));
    // Too many at once.
    limits(&mut net, 5);
    for tag in 100..150 {
        net.clients[0].machine.apply(tag, Edit::raise(DVec3::ONE, 5.0, 1.0));
    }
    net.until("all is answered", |net| {
        let heard = net.clients[0].machine.heard();
        heard.refused.len() + heard.accepted.len() == 59
    });
    let heard = net.clients[0].machine.heard();
    let fast = heard.refused.iter().filter(|refused| refused.reason == Refusal::TooFast { per_second: 5 }).count();
    assert!((30..=40).contains(&fast), "{fast}");
}

#[test]
fn late_joiners_and_those_who_come_back_get_the_list() {
    let mut net = Net::new();
    for number in 0..20_000u32 {
        let at = DVec3::new(f64::from(number % 200), 1.0, f64::from(number / 200));
        net.server.edits().apply(Edit::raise(at, 1.0, 0.5)).unwrap();
    }
    net.update();
    net.join(land());
    // What it had before, by itself, must go.
    net.clients[0].machine.edits().insert(EditId(90_000), Edit::raise(DVec3::ZERO, 9.0, 9.0)).unwrap();
    let mut number = 0;
    let mut lists = std::collections::BTreeSet::new();
    net.until("it has joined", |net| {
        // Meanwhile the land goes on changing, at both ends of the list.
        number += 1;
        net.server.edits().undo(EditId(number));
        net.server.edits().apply(edit(number as u32)).unwrap();
        let client = &net.clients[0].machine;
        if !client.is_live() {
            lists.insert(client.list().len());
        }
        client.is_live()
    });
    assert_eq!(lists.len(), 1, "all edits come at once: {lists:?}");
    net.until_equal();
    assert!(number > 10 && net.server.list().len() == 20_000);
    assert_eq!(net.clients[0].machine.heard().joined.len(), 1);
    // It leaves; the land changes on both sides; it comes back.
    net.clients[0].machine.disconnect();
    net.until("it is gone", |net| !net.clients[0].machine.is_live());
    net.clients[0].machine.edits().clear();
    net.server.edits().clear();
    for number in 0..50 {
        net.server.edits().apply(edit(number)).unwrap();
    }
    net.for_a_while(0.3);
    net.come_back(0);
    net.until("it has come back", |net| net.clients[0].machine.is_live());
    net.until_equal();
    let joined: Vec<_> = net.clients[0].machine.heard().joined.iter().map(|joined| joined.edits).collect();
    assert!(joined.len() == 2 && joined[1] == 50, "{joined:?}");
    assert_eq!(compare(&mut net), [true; 4]);
}

#[test]
fn a_terrain_that_is_spawned_again_gets_the_list_again() {
    let mut net = Net::new();
    net.join(land());
    net.server.edits().apply(edit(0)).unwrap();
    net.until("it has joined", |net| net.clients[0].machine.is_live());
    let client = &mut net.clients[0].machine;
    client.app.world_mut().despawn(client.terrain);
    net.server.edits().apply(edit(1)).unwrap();
    net.for_a_while(0.3);
    let client = &mut net.clients[0].machine;
    client.terrain = client.app.world_mut().spawn((land(), LAND)).id();
    net.until("it has joined again", |net| net.clients[0].machine.is_live());
    net.until_equal();
    // The server's as well.
    let server = &mut net.server;
    server.app.world_mut().despawn(server.terrain);
    net.for_a_while(0.3);
    let server = &mut net.server;
    server.terrain = server.app.world_mut().spawn((land(), LAND)).id();
    net.server.edits().apply(edit(2)).unwrap();
    net.until_equal();
    assert_eq!(net.server.list().len(), 1);
}

#[test]
fn edits_do_not_come_to_another_land() {
    let mut net = Net::new();
    net.server.edits().apply(edit(0)).unwrap();
    let settings = NoiseTerrain { seed: 99, ..land() };
    net.join(settings.clone());
    net.until("it is told", |net| !net.clients[0].machine.heard().differs.is_empty());
    let differs = net.clients[0].machine.heard().differs[0];
    assert!(differs.terrain == LAND && differs.own != differs.server);
    net.for_a_while(0.2);
    assert!(net.clients[0].machine.list().is_empty() && !net.clients[0].machine.is_live());
    // The client chooses the server's seed.
    let terrain = net.clients[0].machine.terrain;
    *net.clients[0].machine.app.world_mut().get_mut::<NoiseTerrain>(terrain).unwrap() = land();
    net.until("it has joined", |net| net.clients[0].machine.is_live());
    net.until_equal();
    // The server chooses another one, and the client follows.
    let terrain = net.server.terrain;
    *net.server.app.world_mut().get_mut::<NoiseTerrain>(terrain).unwrap() = settings.clone();
    net.until("it is told again", |net| net.clients[0].machine.heard().differs.len() == 2);
    assert!(!net.clients[0].machine.is_live());
    let terrain = net.clients[0].machine.terrain;
    *net.clients[0].machine.app.world_mut().get_mut::<NoiseTerrain>(terrain).unwrap() = settings;
    net.until("it has joined again", |net| net.clients[0].machine.is_live());
    assert_eq!(net.clients[0].machine.heard().differs.len(), 2);
    assert_eq!(compare(&mut net), [true; 4]);
}

#[test]
fn land_that_nobody_changes_costs_nothing() {
    let mut net = Net::new();
    (0..2).for_each(|_| _ = net.join(land()));
    net.until("both have joined", |net| net.clients.iter().all(|client| client.machine.is_live()));
    net.for_a_while(0.5);
    let sent = |net: &Net| {
        let clients: usize = net.clients.iter().map(|client| client.machine.sent()).sum();
        clients + net.server.sent()
    };
    let before = sent(&net);
    // To join takes some bytes, once.
    assert!((1..400).contains(&before), "{before} bytes to join");
    net.for_a_while(1.0);
    assert_eq!(sent(&net), before);
    let traffic = |net: &Net| *net.server.app.world().get::<EditsTraffic>(net.server.terrain).unwrap();
    assert_eq!(traffic(&net), EditsTraffic::default());
    net.server.edits().apply(Edit::raise(DVec3::ONE, 3.0, 1.0)).unwrap();
    net.until_equal();
    assert_eq!(traffic(&net).entries, 2);
    assert!(traffic(&net).bytes < 90, "{:?}", traffic(&net));
}

#[test]
fn nonsense_from_a_client_harms_nobody() {
    let mut net = Net::new();
    limits(&mut net, 100_000);
    (0..2).for_each(|_| _ = net.join(land()));
    net.until("both have joined", |net| net.clients.iter().all(|client| client.machine.is_live()));
    let channel = net.server.app.world().resource::<RepliconChannels>().client_channels().len() - 1;
    let mut random = 1u64;
    for round in 0..200usize {
        let length = if round % 50 == 49 { 300_000 } else { round % 70 };
        let bytes: Vec<u8> = (0..length)
            .map(|index| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if index < 4 { (random >> 62) as u8 } else { (random >> 56) as u8 }
            })
            .collect();
        net.clients[0].machine.app.world_mut().resource_mut::<ClientMessages>().send(channel, bytes);
        net.clients[1].machine.apply(round as u32, edit(round as u32));
        net.update();
    }
    net.until("all of the other one's edits have come", |net| net.clients[1].machine.heard().accepted.len() == 200);
    net.until("it has the list of the server", |net| net.clients[1].machine.list() == net.server.list());
}

#[test]
fn without_a_network_requests_are_granted_as_well() {
    let mut alone = Machine::new(land());
    alone.apply(4, Edit::raise(DVec3::ONE, 3.0, 1.0));
    alone.apply(5, Edit::raise(DVec3::ONE, -3.0, 1.0));
    (0..4).for_each(|_| alone.app.update());
    assert_eq!(alone.list().len(), 1);
    let heard = alone.heard();
    assert!(heard.accepted.len() == 1 && heard.accepted[0].tag == 4);
    assert!(heard.refused.len() == 1 && heard.refused[0].tag == 5);
}
