//! A stroke of a brush: from the way of a pointer over the land to edits.

use bevy::math::{DVec2, DVec3};

use super::brush::Brush;
use super::edit::Edit;
use super::list::{EditId, TerrainEdits};
use crate::settings::SettingsError;

/// A longer way between two positions, in radii, is a leap from one hill to the next: nothing is drawn between.
const LEAP: f64 = 64.0;

/// One stroke of a [`Brush`]: the way of a pointer becomes edits, evenly spaced whatever the frame rate.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy::math::DVec3;
/// # use bevy_noise_terrain::edits::{Brush, BrushKind, Stroke, TerrainEdits};
/// # let mut edits = TerrainEdits::default();
/// let mut stroke = Stroke::new(Brush { kind: BrushKind::Lower, radius: 3.0, ..Default::default() })?;
/// // In each frame in which the button is held: where the pointer is, the seconds since the last frame, the pressure.
/// stroke.advance(&mut edits, DVec3::new(10.0, 2.0, 5.0), 0.016, 1.0)?;
/// stroke.advance(&mut edits, DVec3::new(14.0, 2.0, 5.0), 0.016, 1.0)?;
/// // It is undone as a whole.
/// for id in stroke.ids() {
///     edits.undo(id);
/// }
/// # assert!(edits.is_empty());
/// # Ok::<(), bevy_noise_terrain::SettingsError>(())
/// ```
///
/// What grows with time stays one edit as long as the pointer is near: [`advance`](Self::advance) replaces it by a stronger
/// one. So a brush that rests for a minute leaves a single edit, and one that rubs over the same place few.
///
/// Look for the pointer on the [`Surface`](crate::Surface) as it was when the stroke began: a clone of it is free. On land
/// that rises towards the eye, a pointer at rest would wander.
#[derive(Clone, Debug)]
pub struct Stroke {
    brush: Brush,
    touches: Vec<Touch>,
    /// Where the pointer was last, and the touch it was near.
    pointer: Option<(DVec3, usize)>,
}

/// A place that the brush has touched.
#[derive(Clone, Debug)]
struct Touch {
    at: DVec3,
    /// Time that the pointer was near, by its pressure.
    seconds: f64,
    /// Its edit, once there is something to do.
    id: Option<EditId>,
}

impl Stroke {
    /// A stroke that has not begun yet.
    ///
    /// # Errors
    /// Names the first field of the brush that is wrong, what it holds and what is allowed.
    pub fn new(brush: Brush) -> Result<Self, SettingsError> {
        brush.validate()?;
        Ok(Self { brush, touches: Vec::new(), pointer: None })
    }

    /// The brush.
    pub fn brush(&self) -> &Brush {
        &self.brush
    }

    /// Its edits so far, in their order.
    pub fn ids(&self) -> impl Iterator<Item = EditId> + '_ {
        self.touches.iter().filter_map(|touch| touch.id)
    }

    /// Goes on to where the pointer is now: an absolute position on the land. `seconds` have passed since the last call,
    /// or since the button was pressed. `pressure` is that of a pen, 0 to 1; that of a mouse is 1.
    ///
    /// # Errors
    /// If the position is not a number, or farther than 10¹² m from zero; nothing changes there then.
    pub fn advance(
        &mut self,
        edits: &mut TerrainEdits,
        to: DVec3,
        seconds: f64,
        pressure: f64,
    ) -> Result<(), SettingsError> {
        // The place alone decides whether an edit is valid.
        self.brush.touch(to, 0.0).validate()?;
        let mut left = (seconds * pressure.clamp(0.0, 1.0)).max(0.0);
        let (mut from, mut near) = match self.pointer {
            Some((from, near)) if distance(from, to) <= LEAP * self.brush.radius => (from, near),
            _ => (to, self.touch_at(to)),
        };
        let spacing = self.brush.spacing * self.brush.radius;
        // Time is shared out by the way to each touch.
        while let Some(share) = leaves(self.touches[near].at, spacing, from, to) {
            self.press(edits, near, left * share)?;
            left *= 1.0 - share;
            from = from.lerp(to, share);
            near = self.touch_at(from);
        }
        self.press(edits, near, left)?;
        self.pointer = Some((to, near));
        Ok(())
    }

    /// Takes the brush off the land, as when the pointer is over the sky: the next position is not connected to the last.
    pub fn lift(&mut self) {
        self.pointer = None;
    }

    /// A touch at a position: one that has been there before, if it is near enough.
    fn touch_at(&mut self, at: DVec3) -> usize {
        let nearest = self.touches.iter().map(|touch| distance(touch.at, at)).enumerate();
        let nearest = nearest.min_by(|a, b| a.1.total_cmp(&b.1));
        match nearest {
            Some((index, distance)) if distance <= 0.5 * self.brush.spacing * self.brush.radius => index,
            _ => {
                self.touches.push(Touch { at, seconds: 0.0, id: None });
                self.touches.len() - 1
            }
        }
    }

    /// Lets the brush rest at a touch.
    fn press(&mut self, edits: &mut TerrainEdits, index: usize, seconds: f64) -> Result<(), SettingsError> {
        let level = self.touches[0].at.y;
        let touch = &mut self.touches[index];
        touch.seconds += seconds;
        let is_done = if self.brush.kind.grows() { seconds <= 0.0 } else { touch.id.is_some() };
        if is_done {
            return Ok(());
        }
        let edit: Edit = self.brush.touch(touch.at.with_y(level), touch.seconds);
        match touch.id {
            Some(id) => edits.insert(id, edit),
            None => edits.apply(edit).map(|id| touch.id = Some(id)),
        }
    }
}

/// How much of the way from `from` to `to` lies within a circle that `from` is in; `None` if all of it does.
fn leaves(center: DVec3, radius: f64, from: DVec3, to: DVec3) -> Option<f64> {
    if distance(center, to) <= radius {
        return None;
    }
    let (way, offset) = (on_plane(to - from), on_plane(from - center));
    let (square, along) = (way.length_squared(), way.dot(offset));
    let root = (along * along - square * (offset.length_squared() - radius * radius)).max(0.0).sqrt();
    Some(((root - along) / square).clamp(0.0, 1.0))
}

fn distance(a: DVec3, b: DVec3) -> f64 {
    on_plane(a - b).length()
}

fn on_plane(way: DVec3) -> DVec2 {
    DVec2::new(way.x, way.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoiseTerrain;
    use crate::edits::{BrushKind, EditAction, EditArea};

    fn stroke(brush: Brush) -> Stroke {
        Stroke::new(brush).unwrap()
    }

    fn brush(kind: BrushKind) -> Brush {
        Brush { kind, ..Brush::default() }
    }

    fn rise(edit: &Edit) -> f32 {
        match edit.action {
            EditAction::Raise { by } => by,
            _ => f32::NAN,
        }
    }

    fn center(edit: &Edit) -> DVec2 {
        match edit.area {
            EditArea::Disc { center, .. } => center.into(),
            EditArea::Path { .. } => DVec2::NAN,
        }
    }

    /// A way of three seconds: a rest, a bow, back a little, a rest.
    fn way(seconds: f64) -> DVec3 {
        let along = (seconds - 0.5).clamp(0.0, 1.6);
        let angle = if along > 1.2 { 2.4 - along } else { along };
        DVec3::new(60.0 * angle.cos(), 7.0, 60.0 * angle.sin())
    }

    #[test]
    fn the_frame_rate_makes_no_difference() {
        let surface = NoiseTerrain::default().surface().unwrap();
        for kind in [BrushKind::Raise, BrushKind::Lower, BrushKind::Flatten, BrushKind::Smooth, BrushKind::Roughen] {
            let land = |frames: u32| {
                let (mut stroke, mut edits) = (stroke(brush(kind)), TerrainEdits::default());
                for frame in 1..=3 * frames {
                    let at = way(f64::from(frame) / f64::from(frames));
                    stroke.advance(&mut edits, at, 1.0 / f64::from(frames), 1.0).unwrap();
                }
                (surface.with_edits(&edits), edits.len())
            };
            let ((slow, few), (fast, many)) = (land(20), land(200));
            assert!(few.abs_diff(many) <= 2 && few < 60, "{kind:?}: {few} and {many} edits");
            let (mut most, mut differs) = (0.0f64, 0.0f64);
            for step in 0..3_600 {
                let [x, z] = [step % 60, step / 60].map(|k| 1.5 * f64::from(k) - 10.0);
                most = most.max((slow.height(x, z) - surface.height(x, z)).abs());
                differs = differs.max((slow.height(x, z) - fast.height(x, z)).abs());
            }
            assert!(most > 0.01 && differs < 0.05 * most, "{kind:?}: {differs} of {most}");
        }
    }

    #[test]
    fn a_fast_pointer_leaves_no_gaps() {
        let (mut stroke, mut edits) = (stroke(brush(BrushKind::Lower)), TerrainEdits::default());
        stroke.advance(&mut edits, DVec3::new(1e9, 0.0, 0.0), 0.1, 1.0).unwrap();
        stroke.advance(&mut edits, DVec3::new(1e9 + 101.0, 0.0, 0.0), 1.0, 0.5).unwrap();
        let centers: Vec<DVec2> = edits.iter().map(|(_, edit)| center(edit)).collect();
        assert_eq!(centers.len(), 51);
        for pair in centers.windows(2) {
            assert!((pair[0].distance(pair[1]) - 2.0).abs() < 1e-6, "{pair:?}");
        }
        // Nothing of the time is lost.
        let sum: f32 = edits.iter().map(|(_, edit)| rise(edit)).sum();
        assert!((sum + 4.0 * 0.6).abs() < 1e-3, "{sum}");
    }

    #[test]
    fn a_minute_of_rest_is_one_edit_and_a_minute_of_rubbing_few() {
        let (mut resting, mut edits) = (stroke(brush(BrushKind::Raise)), TerrainEdits::default());
        for _ in 0..60 * 60 {
            resting.advance(&mut edits, DVec3::new(5.0, 1.0, 5.0), 1.0 / 60.0, 1.0).unwrap();
        }
        let (id, edit) = edits.iter().next().unwrap();
        assert_eq!((edits.len(), resting.ids().collect::<Vec<_>>()), (1, vec![id]));
        assert!((rise(edit) - 240.0).abs() < 0.01, "{edit:?}");
        let (mut rubbing, mut edits) = (stroke(brush(BrushKind::Raise)), TerrainEdits::default());
        for frame in 0..60 * 60 {
            let at = DVec3::new(20.0 * (f64::from(frame) * 0.1).sin(), 0.0, 0.3 * f64::from(frame % 7));
            rubbing.advance(&mut edits, at, 1.0 / 60.0, 1.0).unwrap();
        }
        assert!((20..80).contains(&edits.len()), "{}", edits.len());
    }

    #[test]
    fn flattening_keeps_the_height_of_its_beginning() {
        let (mut stroke, mut edits) = (stroke(brush(BrushKind::Flatten)), TerrainEdits::default());
        for (x, height) in [(0.0, 40.0), (10.0, 50.0), (30.0, 20.0), (30.0, 99.0)] {
            stroke.advance(&mut edits, DVec3::new(x, height, 0.0), 0.1, 0.0).unwrap();
        }
        let land = NoiseTerrain::default().surface().unwrap().with_edits(&edits);
        assert!([0.0, 7.5, 21.0, 30.0].iter().all(|&x| land.height(x, 0.0) == 40.0));
        let before = edits.clone();
        stroke.advance(&mut edits, DVec3::new(30.0, 99.0, 0.0), 9.0, 1.0).unwrap();
        assert_eq!(edits, before, "it is level already");
    }

    #[test]
    fn leaps_and_lifts_are_not_drawn() {
        let (mut stroke, mut edits) = (stroke(brush(BrushKind::Raise)), TerrainEdits::default());
        stroke.advance(&mut edits, DVec3::ZERO, 0.1, 1.0).unwrap();
        stroke.advance(&mut edits, DVec3::new(20_000.0, 0.0, 0.0), 0.1, 1.0).unwrap();
        assert_eq!(edits.len(), 2);
        stroke.lift();
        stroke.advance(&mut edits, DVec3::new(20_100.0, 0.0, 0.0), 0.1, 1.0).unwrap();
        assert_eq!((edits.len(), stroke.ids().count()), (3, 3));
        // Nonsense is refused, and the stroke goes on.
        let before = edits.clone();
        let error = stroke.advance(&mut edits, DVec3::new(f64::NAN, 0.0, 0.0), 0.1, 1.0).unwrap_err();
        assert!(error.to_string().starts_with("edit.area.center.0: found NaN"), "{error}");
        stroke.advance(&mut edits, DVec3::new(20_100.0, 0.0, 0.0), f64::NAN, f64::NAN).unwrap();
        assert_eq!(edits, before);
        assert!(Stroke::new(Brush { radius: -1.0, ..Brush::default() }).is_err());
    }

    #[test]
    fn a_stroke_is_undone_as_a_whole() {
        let (mut stroke, mut edits) = (stroke(brush(BrushKind::Roughen)), TerrainEdits::default());
        let other = edits.apply(Edit::raise(DVec3::ZERO, 4.0, 1.0)).unwrap();
        for step in 0..20 {
            stroke.advance(&mut edits, DVec3::new(3.0 * f64::from(step), 0.0, 0.0), 0.1, 0.7).unwrap();
        }
        assert!(edits.len() > 20);
        for id in stroke.ids() {
            edits.undo(id);
        }
        assert_eq!(edits.iter().map(|(id, _)| id).collect::<Vec<_>>(), [other]);
    }
}
