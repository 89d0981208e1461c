//! Chooses a level by the times of frames.

/// What a frame may take, in seconds: 60 Hz.
const BUDGET: f32 = 1.0 / 60.0;
/// A frame that takes more than this, as a fraction of the budget, is slow: with a display that waits, frames jitter.
const SLOW: f32 = 1.25;
/// One that takes less than this is quick: the next level may fit.
const QUICK: f32 = 0.6;
/// Seconds over which frames are judged.
const PERIOD: f32 = 3.0;
/// Seconds after a change that are not judged: plants are placed anew.
const PAUSE: f32 = 2.0;
/// Frames longer than this, in seconds, are none of the card's: a window is moved, a level is loaded.
const STALL: f32 = 0.25;
/// By how much frames must be shorter after a step down, as a fraction: else something else takes the time.
const GAIN: f32 = 0.05;

/// The times of some frames.
#[derive(Clone, Copy, Debug, Default)]
struct Frames {
    seconds: f32,
    count: u32,
    slow: u32,
    quick: u32,
}

impl Frames {
    fn add(&mut self, seconds: f32) {
        self.seconds += seconds;
        self.count += 1;
        self.slow += u32::from(seconds > SLOW * BUDGET);
        self.quick += u32::from(seconds < QUICK * BUDGET);
    }

    fn mean(&self) -> f32 {
        self.seconds / self.count.max(1) as f32
    }
}

/// A level, and what is known of those beside it.
#[derive(Clone, Debug)]
pub struct Governor {
    level: usize,
    /// The greatest level that may fit.
    most: usize,
    /// The least level that may still help.
    least: usize,
    /// The mean frame before the last step down, until that has been judged.
    before: Option<f32>,
    pause: f32,
    frames: Frames,
}

impl Governor {
    /// Begins with `level` of so many levels.
    pub fn new(level: usize, levels: usize) -> Self {
        Self { level, most: levels - 1, least: 0, before: None, pause: PAUSE, frames: Frames::default() }
    }

    /// The level after another frame.
    pub fn observe(&mut self, seconds: f32) -> usize {
        if seconds <= 0.0 || seconds > STALL {
            return self.level;
        }
        if self.pause > 0.0 {
            self.pause -= seconds;
            return self.level;
        }
        self.frames.add(seconds);
        if self.frames.seconds >= PERIOD {
            let frames = std::mem::take(&mut self.frames);
            self.judge(frames);
        }
        self.level
    }

    fn judge(&mut self, frames: Frames) {
        let is_slow = 2 * frames.slow > frames.count;
        if let Some(before) = self.before.take()
            && is_slow
            && frames.mean() > (1.0 - GAIN) * before
        {
            // Less of a picture for nothing.
            self.least = self.level + 1;
            self.step_to(self.least);
        } else if is_slow && self.level > self.least {
            self.most = self.level - 1;
            self.before = Some(frames.mean());
            self.step_to(self.most);
        } else if 20 * frames.quick > 19 * frames.count && self.level < self.most {
            self.step_to(self.level + 1);
        }
    }

    fn step_to(&mut self, level: usize) {
        self.level = level;
        self.pause = PAUSE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The level after a minute in which a frame of each level takes so many milliseconds, and how often it has changed.
    fn after_a_minute(governor: &mut Governor, milliseconds: [f32; 4]) -> (usize, u32) {
        let (mut level, mut changes, mut seconds) = (governor.level, 0, 0.0);
        while seconds < 60.0 {
            let frame = 1e-3 * milliseconds[level];
            seconds += frame;
            let next = governor.observe(frame);
            changes += u32::from(next != level);
            level = next;
        }
        (level, changes)
    }

    #[test]
    fn the_greatest_level_that_fits_is_found_and_kept() {
        let mut governor = Governor::new(2, 4);
        assert_eq!(after_a_minute(&mut governor, [9.0, 14.0, 30.0, 45.0]), (1, 1));
        assert_eq!(
            after_a_minute(&mut governor, [9.0, 8.0, 30.0, 45.0]),
            (1, 0),
            "what was too slow is not tried again"
        );
        let mut governor = Governor::new(1, 4);
        assert_eq!(after_a_minute(&mut governor, [1.0, 2.0, 4.0, 8.0]), (3, 2));
        let mut governor = Governor::new(1, 4);
        assert_eq!(after_a_minute(&mut governor, [1.0, 2.0, 12.0, 8.0]), (2, 1), "neither slow nor quick");
        let mut governor = Governor::new(1, 4);
        assert_eq!(after_a_minute(&mut governor, [12.0, 5.0, 28.0, 40.0]), (1, 2), "up, and back for good");
    }

    #[test]
    fn what_a_processor_takes_lowers_nothing() {
        let mut governor = Governor::new(2, 4);
        assert_eq!(after_a_minute(&mut governor, [40.0; 4]), (2, 2), "down, and up again as nothing was gained");
        assert_eq!(after_a_minute(&mut governor, [40.0; 4]), (2, 0));
    }

    #[test]
    fn a_stall_and_a_clock_that_stands_are_no_frames() {
        let mut governor = Governor::new(2, 4);
        for _ in 0..100 {
            assert_eq!(governor.observe(3.0), 2);
            assert_eq!(governor.observe(0.0), 2);
        }
        assert_eq!(governor.frames.count, 0);
    }
}
