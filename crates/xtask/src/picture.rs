//! Is this a picture of a landscape, and does the camera move from one to the next?
//!
//! - [`image`]: a picture in memory.
//! - [`tiles`]: what is in a small square of it.
//! - [`measures`]: the figures of a whole picture.
//! - [`limits`]: what is demanded of the figures, and what to say where they miss it.
//! - [`squares`]: is it the same picture as another?
//! - [`folder`]: the pictures of one flight.

mod folder;
mod image;
mod limits;
mod measures;
mod squares;
mod tiles;

pub use folder::{check, show};
pub use image::Picture;
pub use limits::{Complaints, check_drawn};
pub use measures::difference;
pub use squares::Squares;

#[cfg(test)]
mod synthetic;
