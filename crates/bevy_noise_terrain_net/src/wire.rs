//! What travels, and how it is written.
//!
//! There is one message in each direction: an ordered channel keeps the order within a message type only.

use bevy::prelude::*;
use bevy_noise_terrain::SettingsError;
use bevy_noise_terrain::edits::{Edit, EditAction, EditArea, EditId, Paint, StampImage};
use bevy_noise_terrain::terrain_noise::{self, FileError, Noise};
use bevy_replicon::bytes::Bytes;
use bevy_replicon::postcard_utils::{from_buf, to_extend_mut};
use bevy_replicon::prelude::*;
use bevy_replicon::shared::message::ctx::{ClientSendCtx, ServerReceiveCtx};
use serde::{Deserialize, Serialize};

use crate::SharedTerrain;
use crate::compare::Region;
use crate::request::Refusal;

/// The most bytes that a client may send at once: a path of 4096 points takes 98 000.
pub const MOST_BYTES: usize = 128 * 1024;

/// From a client to the server.
#[derive(Message, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToServer {
    /// It wants the edits of a terrain; the number tells which land it has.
    Join { terrain: SharedTerrain, fingerprint: u64 },
    /// A piece has arrived.
    Received { terrain: SharedTerrain },
    /// It wants a change; the answer carries the same tag.
    Request { terrain: SharedTerrain, tag: u32, change: WireChange },
    /// It wants to know whether a region is the same.
    Compare { terrain: SharedTerrain, region: Region },
    /// Its hash of the region that the server has sent longest ago.
    Compared { terrain: SharedTerrain, hash: u64 },
}

impl ToServer {
    /// Which terrain it is about.
    pub fn terrain(&self) -> SharedTerrain {
        match *self {
            Self::Join { terrain, .. }
            | Self::Received { terrain }
            | Self::Request { terrain, .. }
            | Self::Compare { terrain, .. }
            | Self::Compared { terrain, .. } => terrain,
        }
    }
}

/// From the server to a client.
#[derive(Message, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToClient {
    /// Some edits, written by [`put`].
    Piece { terrain: SharedTerrain, begins: bool, completes: bool, entries: Vec<u8> },
    /// The client has another land: its edits would be nonsense there.
    Differs { terrain: SharedTerrain, fingerprint: u64 },
    /// What the client wanted has been done.
    Accepted { terrain: SharedTerrain, tag: u32, id: EditId },
    /// What the client wanted has not been done.
    Refused { terrain: SharedTerrain, tag: u32, reason: Refusal },
    /// The server's hash of a region.
    Compare { terrain: SharedTerrain, region: Region, hash: u64 },
}

/// A change that a client wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WireChange {
    Apply(WireEdit),
    Undo(EditId),
}

/// An edit as it travels: without trees, as reading a deep one would overflow the stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WireEdit {
    area: EditArea,
    falloff: f64,
    clear_plants: bool,
    paint: Option<Paint>,
    action: WireAction,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum WireAction {
    Keep,
    Raise {
        by: f32,
    },
    Flatten {
        height: f32,
        slope: [f32; 2],
    },
    Grade,
    Smooth {
        scale: f64,
    },
    /// The noise as RON, whose reader knows how deep a tree may be.
    Add {
        noise: String,
        seed: u64,
    },
    /// The image as a PNG.
    Stamp {
        image: StampImage,
        height: f32,
        turn: f64,
    },
}

impl WireEdit {
    /// # Errors
    /// If the edit is not valid and cannot be written therefore.
    pub fn new(edit: &Edit) -> Result<Self, SettingsError> {
        let action = match &edit.action {
            EditAction::Keep => WireAction::Keep,
            EditAction::Raise { by } => WireAction::Raise { by: *by },
            EditAction::Flatten { height, slope } => WireAction::Flatten { height: *height, slope: *slope },
            EditAction::Grade => WireAction::Grade,
            EditAction::Smooth { scale } => WireAction::Smooth { scale: *scale },
            EditAction::Add { noise, seed } => WireAction::Add { noise: write(noise)?, seed: *seed },
            EditAction::Stamp { image, height, turn } => {
                WireAction::Stamp { image: image.clone(), height: *height, turn: *turn }
            }
        };
        let Edit { falloff, clear_plants, paint, .. } = *edit;
        Ok(Self { area: edit.area.clone(), falloff, clear_plants, paint, action })
    }

    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed.
    pub fn into_edit(self) -> Result<Edit, SettingsError> {
        let action = match self.action {
            WireAction::Keep => EditAction::Keep,
            WireAction::Raise { by } => EditAction::Raise { by },
            WireAction::Flatten { height, slope } => EditAction::Flatten { height, slope },
            WireAction::Grade => EditAction::Grade,
            WireAction::Smooth { scale } => EditAction::Smooth { scale },
            WireAction::Add { noise, seed } => {
                EditAction::Add { noise: terrain_noise::from_ron(&noise).map_err(|error| of_noise(&error))?, seed }
            }
            WireAction::Stamp { image, height, turn } => EditAction::Stamp { image, height, turn },
        };
        let Self { area, falloff, clear_plants, paint, .. } = self;
        let edit = Edit { area, falloff, clear_plants, paint, action };
        edit.validate().map(|()| edit)
    }
}

fn write(noise: &Noise) -> Result<String, SettingsError> {
    let text = terrain_noise::to_ron(noise).map_err(|error| of_noise(&error))?;
    // Names and numbers are never next to each other in it.
    Ok(text.split_whitespace().collect())
}

fn of_noise(error: &FileError) -> SettingsError {
    SettingsError {
        path: "edit.action.noise".to_owned(),
        found: error.to_string(),
        allowed: "a valid noise".to_owned(),
    }
}

/// Appends what an edit is now; `None` if it has been taken away.
pub fn put(entries: &mut Vec<u8>, id: EditId, edit: Option<&Edit>) -> Result {
    let edit = edit.map(WireEdit::new).transpose()?;
    to_extend_mut(&(id, edit), entries)?;
    Ok(())
}

/// Calls `visit` with each edit of a piece.
pub fn take(entries: Vec<u8>, mut visit: impl FnMut(EditId, Option<Edit>) -> Result) -> Result {
    let mut entries = Bytes::from(entries);
    while !entries.is_empty() {
        let (id, edit): (EditId, Option<WireEdit>) = from_buf(&mut entries)?;
        visit(id, edit.map(WireEdit::into_edit).transpose()?)?;
    }
    Ok(())
}

/// Registers both messages.
pub fn register(app: &mut App) {
    app.add_client_message_with::<ToServer>(Channel::Ordered, serialize, deserialize)
        .add_server_message::<ToClient>(Channel::Ordered)
        // No entity is named in it: it need not wait for replication.
        .make_message_independent::<ToClient>();
}

fn serialize(_: &mut ClientSendCtx, message: &ToServer, bytes: &mut Vec<u8>) -> Result {
    Ok(to_extend_mut(message, bytes)?)
}

fn deserialize(_: &mut ServerReceiveCtx, bytes: &mut Bytes) -> Result<ToServer> {
    if bytes.len() > MOST_BYTES {
        return Err(format!("found a message of {} bytes, allowed are {MOST_BYTES}", bytes.len()).into());
    }
    Ok(from_buf(bytes)?)
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use bevy_noise_terrain::terrain_noise::{Compose, perlin, value};

    use super::*;

    fn edits() -> Vec<Edit> {
        let at = DVec3::new(1e9 + 0.1, 1.0 / 3.0, -7e11);
        let noise = perlin().ridged().octaves(4).feature_size(14.1).scale(0.3).add(perlin().fbm().warp(value(), 3.0));
        vec![
            Edit::raise(at, 0.7, -0.1).falloff(1.0 / 7.0),
            Edit::flatten(at, 3.0)
                .clear_plants(true)
                .with_action(EditAction::Flatten { height: 0.1, slope: [0.3, -2.0] }),
            Edit::smooth(at, 3.0, 0.9),
            Edit::add(at, 9.0, noise, u64::MAX),
            Edit::path([DVec3::ZERO, DVec3::splat(0.1), at * 0.1], 2.5).shoulder(0.3).painted(5),
            Edit::paint(at, 4.0, 7).falloff(0.2),
            Edit::stamp(at, 4.0, StampImage::new([3, 2], &[7, 8, 9, 0, 4, 65_535]).unwrap(), -3.0).turned(0.4),
        ]
    }

    #[test]
    fn every_edit_comes_back_bit_by_bit() {
        let mut entries = Vec::new();
        for (id, edit) in (0..).zip(edits()) {
            let before = entries.len();
            put(&mut entries, EditId(id), Some(&edit)).unwrap();
            // A disc that is raised: what most edits are.
            assert!(id > 0 || entries.len() - before < 44, "{} bytes", entries.len() - before);
            put(&mut entries, EditId(1_000 + id), None).unwrap();
        }
        let mut read = Vec::new();
        take(entries, |id, edit| {
            read.push((id, edit));
            Ok(())
        })
        .unwrap();
        for (id, edit) in (0..).zip(edits()) {
            assert_eq!(read[2 * id as usize], (EditId(id), Some(edit)));
            assert_eq!(read[2 * id as usize + 1], (EditId(1_000 + id), None));
        }
    }

    #[test]
    fn nonsense_from_outside_is_refused_by_field() {
        let error = |edit: WireEdit| edit.into_edit().unwrap_err().to_string();
        let disc = |radius, action| WireEdit {
            area: EditArea::Disc { center: [0.0; 2], radius },
            falloff: 0.0,
            clear_plants: false,
            paint: None,
            action,
        };
        assert_eq!(
            error(disc(-1.0, WireAction::Raise { by: 1.0 })),
            "edit.area.radius: found -1, allowed is 0.01 to 100000 m"
        );
        let noise = |noise: String| error(disc(1.0, WireAction::Add { noise, seed: 0 }));
        // A tree that is far too deep, as text that fits into a message.
        let deep = format!("(version:1,noise:{}", "Abs(source:".repeat(10_000));
        assert!(deep.len() < MOST_BYTES && noise(deep).contains("brackets"));
        assert!(noise("(version:1,noise:Fractal(octaves:0))".into()).contains("octaves: found 0"));
        assert!(noise("\u{0}".repeat(1_000)).starts_with("edit.action.noise: found"));
    }

    #[test]
    fn random_bytes_are_an_error_at_worst() {
        let (mut random, mut refused) = (1u64, 0);
        for length in (0..3_000).map(|number| number % 60) {
            let bytes: Vec<u8> = (0..length)
                .map(|index| {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    // The first ones choose what it is.
                    if index < 6 { (random >> 61) as u8 } else { (random >> 56) as u8 }
                })
                .collect();
            let _ = take(bytes.clone(), |_, _| Ok(()));
            let read: Result<ToServer, _> = from_buf(&mut Bytes::from(bytes));
            match read {
                Ok(ToServer::Request { change: WireChange::Apply(edit), .. }) => _ = edit.into_edit(),
                Ok(_) => {}
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 100);
    }
}
