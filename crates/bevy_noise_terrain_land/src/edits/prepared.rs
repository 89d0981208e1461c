//! An edit that is ready to be applied.

use std::ops::Range;

use terrain_noise::{Sampler, Scratch};

use super::edit::{Edit, EditAction, EditArea};
use super::mask::{Mask, Profile};
use super::painted::Painted;
use super::path::{Segment, runs, segments};
use super::points::{MOST, Points, Row};
use super::stamp::StampImage;
use super::tree::{Effect, Item, Rect};
use crate::settings::SettingsError;

/// An edit with what it takes to apply it.
#[derive(Debug)]
pub struct Prepared {
    pub edit: Edit,
    profile: Profile,
    /// The profile of its paint, which leaves out the shoulders of a path.
    paint: Profile,
    /// Of a path.
    segments: Vec<Segment>,
    /// Of an added noise.
    noise: Option<Sampler>,
    /// Cosine and sine of a stamp's turn.
    turn: [f64; 2],
}

/// A part of an edit that is found by itself: all of a disc, some segments of a path.
#[derive(Clone, Debug)]
pub struct Part {
    pub index: u32,
    /// Its segments.
    segments: [u32; 2],
    /// What it reaches, but for the edges that coarse samples widen.
    pub rect: Rect,
    /// Half of the area's width.
    pub largest: f64,
}

impl Part {
    /// The middle of what it reaches.
    pub fn middle(&self) -> [f64; 2] {
        [0, 1].map(|axis| 0.5 * (self.rect.min[axis] + self.rect.max[axis]))
    }
}

/// How strong an edit is at the points of a row, 0 to 1, and the heights of a path there.
struct Strength {
    shares: [f32; MOST],
    grades: [f32; MOST],
}

impl Default for Strength {
    fn default() -> Self {
        Self { shares: [0.0; MOST], grades: [0.0; MOST] }
    }
}

impl Prepared {
    /// Checks and prepares an edit.
    pub fn new(edit: Edit) -> Result<Self, SettingsError> {
        edit.validate()?;
        let (radius, shoulder, segments) = match &edit.area {
            EditArea::Disc { radius, .. } => (*radius, 0.0, Vec::new()),
            EditArea::Path { points, width, shoulder } => (0.5 * width, *shoulder, segments(points)),
        };
        let noise = match &edit.action {
            EditAction::Add { noise, seed } => {
                Some(noise.build(*seed).map_err(|error| SettingsError::of_noise(&error, "edit.action.noise"))?)
            }
            _ => None,
        };
        let turn = match &edit.action {
            EditAction::Stamp { turn, .. } => [libm::cos(*turn), libm::sin(*turn)],
            _ => [1.0, 0.0],
        };
        let profile = Profile { radius: radius + shoulder, falloff: edit.falloff };
        let paint = Profile { radius, falloff: edit.paint.map_or(0.0, |paint| paint.falloff) };
        Ok(Self { edit, profile, paint, segments, noise, turn })
    }

    /// Its parts, each of which is found by itself.
    pub fn parts(&self) -> Vec<Part> {
        let reach = self.profile.reach(0.0).max(self.paint.reach(0.0));
        let largest = self.profile.middle().max(self.paint.middle());
        match &self.edit.area {
            EditArea::Disc { center, .. } => {
                vec![Part { index: 0, segments: [0; 2], rect: Rect::point(*center).grown(reach), largest }]
            }
            EditArea::Path { .. } => runs(&self.segments)
                .enumerate()
                .map(|(index, (range, rect))| Part {
                    index: index as u32,
                    segments: [range.start as u32, range.end as u32],
                    rect: rect.grown(reach),
                    largest,
                })
                .collect(),
        }
    }

    /// Whether it changes this at all.
    pub fn has(&self, effect: Effect) -> bool {
        match effect {
            Effect::Heights => self.edit.action != EditAction::Keep,
            Effect::Paint => self.edit.paint.is_some(),
            Effect::Plants => self.edit.clear_plants,
        }
    }

    /// The scale below which it smooths, in metres.
    pub fn smooths(&self) -> Option<f64> {
        match self.edit.action {
            EditAction::Smooth { scale } => Some(scale),
            _ => None,
        }
    }

    /// Whether nothing of the land before it is left within a rectangle.
    pub fn hides(&self, rect: &Rect, footprint: f64) -> bool {
        let (EditArea::Disc { center, .. }, EditAction::Flatten { .. }) = (&self.edit.area, &self.edit.action) else {
            return false;
        };
        let far = [0, 1].map(|axis| (rect.max[axis] - center[axis]).abs().max((rect.min[axis] - center[axis]).abs()));
        self.profile.mask(footprint).is_full(length(far))
    }

    /// Its strength at a position, 0 to 1, as exact as can be.
    pub fn strength(&self, part: &Part, at: [f64; 2]) -> f64 {
        let distance = match &self.edit.area {
            EditArea::Disc { center, .. } => length([at[0] - center[0], at[1] - center[1]]),
            EditArea::Path { .. } => nearest(&self.segments_of([part].into_iter()), at).0,
        };
        self.profile.mask(0.0).at(distance)
    }

    /// Changes heights. `smoother` are the heights of the same points at the scale that the edit smooths to.
    pub fn apply(
        &self,
        parts: &[Item],
        points: &Points,
        smoother: Option<&[f32]>,
        scratch: &mut Scratch,
        heights: &mut [f32],
    ) {
        let mask = self.profile.mask(points.footprint());
        let Some(rect) = parts.iter().map(|item| item.part.rect).reduce(Rect::join) else { return };
        if mask.is_nothing() {
            return;
        }
        let within = points.within(&rect.grown(0.5 * points.footprint()));
        let added = self.noise.as_ref().map(|noise| within.sample(noise, scratch));
        let segments = self.segments_of(parts.iter().map(|item| &item.part));
        let mut strength = Strength::default();
        within.rows(|row| {
            let touched = self.measure(&mask, &segments, &row, &mut strength);
            let [first, number] = [row.first, row.number].map(|index| index + touched.start);
            let (heights, shares) = (&mut heights[first..first + touched.len()], &strength.shares[touched.clone()]);
            let (grades, at) = (&strength.grades[touched.clone()], |k: usize| [row.x[touched.start + k], row.z]);
            match &self.edit.action {
                EditAction::Keep => {}
                EditAction::Raise { by } => change(heights, shares, |_, height, share| height + share * by),
                EditAction::Flatten { height: middle, slope } => change(heights, shares, |k, height, share| {
                    let offset = self.offset(at(k));
                    mix(height, middle + (slope[0] * offset[0] + slope[1] * offset[1]), share)
                }),
                EditAction::Grade => change(heights, shares, |k, height, share| mix(height, grades[k], share)),
                EditAction::Smooth { .. } => {
                    let Some(smoother) = smoother else { return };
                    change(heights, shares, |k, height, share| mix(height, smoother[first + k], share));
                }
                EditAction::Add { .. } => {
                    let Some(added) = &added else { return };
                    change(heights, shares, |k, height, share| height + share * added[number + k]);
                }
                EditAction::Stamp { image, height: white, .. } => change(heights, shares, |k, height, share| {
                    height + share * white * self.stamped(image, at(k), points.footprint())
                }),
            }
        });
    }

    /// Paints over what is painted at points.
    pub fn paint(&self, parts: &[Item], points: &Points, painted: &mut [Painted]) {
        let mask = self.paint.mask(points.footprint());
        let Some((rect, paint)) = parts.iter().map(|item| item.part.rect).reduce(Rect::join).zip(self.edit.paint)
        else {
            return;
        };
        if mask.is_nothing() {
            return;
        }
        let segments = self.segments_of(parts.iter().map(|item| &item.part));
        let mut strength = Strength::default();
        points.within(&rect.grown(0.5 * points.footprint())).rows(|row| {
            for k in self.measure(&mask, &segments, &row, &mut strength) {
                painted[row.first + k].cover(paint.layer, strength.shares[k]);
            }
        });
    }

    /// Measures how strong the edit is at the points of a row. Returns those that it touches.
    fn measure(&self, mask: &Mask, segments: &[&Segment], row: &Row, strength: &mut Strength) -> Range<usize> {
        let Strength { shares, grades } = strength;
        match &self.edit.area {
            EditArea::Disc { center, .. } => {
                let square = (row.z - center[1]) * (row.z - center[1]);
                let half = (mask.outer * mask.outer - square).max(0.0).sqrt();
                let first = row.x.partition_point(|x| *x < center[0] - half);
                let end = first + row.x[first..].partition_point(|x| *x <= center[0] + half);
                for (share, x) in shares[first..end].iter_mut().zip(&row.x[first..end]) {
                    *share = mask.share(((x - center[0]) * (x - center[0]) + square).sqrt());
                }
                first..end
            }
            EditArea::Path { .. } => {
                for (k, &x) in row.x.iter().enumerate() {
                    let (distance, grade) = nearest(segments, [x, row.z]);
                    (shares[k], grades[k]) = (mask.share(distance), grade as f32);
                }
                0..row.x.len()
            }
        }
    }

    /// The segments of some parts.
    fn segments_of<'a>(&'a self, parts: impl Iterator<Item = &'a Part>) -> Vec<&'a Segment> {
        parts.flat_map(|part| &self.segments[part.segments[0] as usize..part.segments[1] as usize]).collect()
    }

    /// The brightness of an image that covers the area.
    fn stamped(&self, image: &StampImage, at: [f64; 2], footprint: f64) -> f32 {
        let EditArea::Disc { center, radius } = &self.edit.area else { return 0.0 };
        let width = 2.0 * radius;
        let [x, z] = [0, 1].map(|axis| (at[axis] - center[axis]) / width);
        let [cos, sin] = self.turn;
        image.at([0.5 + cos * x + sin * z, 0.5 + cos * z - sin * x], footprint / width)
    }

    /// From the middle of the area to a point.
    fn offset(&self, [x, z]: [f64; 2]) -> [f32; 2] {
        let middle = match &self.edit.area {
            EditArea::Disc { center, .. } => *center,
            EditArea::Path { points, .. } => points.first().map_or([0.0; 2], |&[x, _, z]| [x, z]),
        };
        [(x - middle[0]) as f32, (z - middle[1]) as f32]
    }
}

/// The distance from a path to a point, and the height of the path there.
fn nearest(segments: &[&Segment], at: [f64; 2]) -> (f64, f64) {
    // The first of equally near segments, whatever else is in the list.
    let nearest = segments.iter().map(|segment| segment.nearest(at)).min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map_or((f64::INFINITY, 0.0), |(square, height)| (square.sqrt(), height))
}

/// Changes each height by its number, itself and the strength there.
fn change(heights: &mut [f32], shares: &[f32], to: impl Fn(usize, f32, f32) -> f32) {
    for (k, (height, share)) in heights.iter_mut().zip(shares).enumerate() {
        *height = to(k, *height, *share);
    }
}

/// From `from` to `to`, which it is exactly at a share of 1.
fn mix(from: f32, to: f32, share: f32) -> f32 {
    if share >= 1.0 { to } else { from + share * (to - from) }
}

fn length([x, z]: [f64; 2]) -> f64 {
    (x * x + z * z).sqrt()
}
