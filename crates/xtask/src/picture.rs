//! Is this a picture of a landscape, and does the camera move from one to the next?
//!
//! - [`image`]: a picture in memory.
//! - [`tiles`]: what is in a small square of it.
//! - [`measures`]: the figures of a whole picture.
//! - [`thresholds`]: what is demanded of the figures, and what to say where they miss it.
//! - [`squares`]: is it the same picture as another?
//! - [`folder`]: the pictures of one flight.

mod folder;
mod image;
mod measures;
mod squares;
mod thresholds;
mod tiles;

pub use folder::{check, show};
pub use image::Picture;
pub use measures::difference;
pub use squares::Squares;
pub use thresholds::{check_drawn, check_ground};

#[cfg(test)]
mod synthetic;
