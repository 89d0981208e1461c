#![doc = include_str!("guide/index.md")]
#![doc = include_str!("guide/pictures/hero.md")]
// The pages are Markdown, compiled as documentation tests. Pictures follow a page, written by
// `cargo xtask scenes -- --guide` from those of the README.
// For links alone.
#![allow(unused_imports)]

use crate::edits::TerrainEdits;
use crate::ground::TerrainGround;
use crate::prelude::*;
use crate::quality::{QualityInUse, QualityLevers};
use crate::scatter::TerrainScatter;
use crate::sky::TerrainSky;
use crate::*;

#[doc = include_str!("guide/first_world.md")]
#[doc = include_str!("guide/pictures/hero.md")]
pub mod first_world {}

#[doc = include_str!("guide/shaping.md")]
#[doc = include_str!("guide/pictures/panel.md")]
pub mod shaping {}

#[doc = include_str!("guide/ground.md")]
#[doc = include_str!("guide/pictures/straight_down.md")]
pub mod ground {}

#[doc = include_str!("guide/surroundings.md")]
#[doc = include_str!("guide/pictures/islands.md")]
#[doc = include_str!("guide/pictures/meadow.md")]
pub mod surroundings {}

// This page's lines need the crate for Avian, which tests them.
#[cfg_attr(not(doctest), doc = include_str!("guide/standing.md"))]
#[doc = include_str!("guide/pictures/alpine_dawn.md")]
pub mod standing {}

#[doc = include_str!("guide/changing.md")]
#[doc = include_str!("guide/pictures/from_a_cave.md")]
pub mod changing {}

// This page's lines need the crate for networks, which tests them.
#[cfg_attr(not(doctest), doc = include_str!("guide/players.md"))]
pub mod players {}

#[doc = include_str!("guide/far.md")]
pub mod far {}

#[doc = include_str!("guide/performance.md")]
pub mod performance {}

#[doc = include_str!("guide/own_parts.md")]
#[doc = include_str!("guide/pictures/alien.md")]
pub mod own_parts {}

#[doc = include_str!("guide/platforms.md")]
pub mod platforms {}

#[doc = include_str!("guide/upgrading.md")]
pub mod upgrading {}

#[doc = include_str!("guide/cookbook.md")]
#[doc = include_str!("guide/pictures/from_above.md")]
pub mod cookbook {}

#[doc = include_str!("guide/troubleshooting.md")]
pub mod troubleshooting {}

#[doc = include_str!("guide/formats/index.md")]
pub mod formats {
    #![allow(unused_imports)]

    use crate::ground::TerrainGround;
    use crate::prelude::*;
    use crate::scatter::TerrainScatter;
    use crate::sky::TerrainSky;
    use crate::water::TerrainWater;
    use crate::*;

    #[doc = include_str!("guide/formats/preset_file.md")]
    pub mod preset_file {}

    #[doc = include_str!("guide/formats/save_file.md")]
    pub mod save_file {}

    #[doc = include_str!("guide/formats/journal.md")]
    pub mod journal {}

    #[doc = include_str!("guide/formats/stamp_image.md")]
    pub mod stamp_image {}

    #[doc = include_str!("guide/formats/export.md")]
    pub mod export {}
}
