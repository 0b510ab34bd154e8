//! State of one reading: the picture that lines are cropped from, the models and the deadline.

use quartet_inference::Graphs;

use crate::geometry::RotatedRect;
use crate::picture::Picture;

/// Deadline: returns true once the time for reading is up.
pub type TimeIsUp<'a> = &'a dyn Fn() -> bool;

/// Picture, models and deadline that the recognisers work with.
pub struct Context<'a> {
    /// Runs the models.
    pub graphs: &'a dyn Graphs,
    picture: &'a Picture,
    /// Image pyramid: copies of half the size each, made when they are needed. A line is cropped from the level at
    /// which it is about as high as a model takes it.
    pyramid: Vec<Picture>,
    time_is_up: TimeIsUp<'a>,
    stopped: bool,
}

impl<'a> Context<'a> {
    /// Starts reading a picture.
    pub fn new(picture: &'a Picture, graphs: &'a dyn Graphs, time_is_up: TimeIsUp<'a>) -> Self {
        Self {
            graphs,
            picture,
            pyramid: Vec::new(),
            time_is_up,
            stopped: false,
        }
    }

    /// Checks the deadline; returns true if reading must stop here, and from then on.
    pub fn must_stop(&mut self) -> bool {
        self.stopped = self.stopped || (self.time_is_up)();
        self.stopped
    }

    /// Returns true if the time was up before all places were read.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Crops a place, upright and scaled to the given size.
    pub fn crop(&mut self, place: &RotatedRect, width: usize, height: usize) -> Picture {
        let mut halvings = 0;
        while place.height / (1 << halvings) as f32 >= 2.0 * height as f32 {
            halvings += 1;
            if self.pyramid.len() < halvings {
                let larger = self.pyramid.last().unwrap_or(self.picture);
                let half = larger.resized(larger.width() / 2, larger.height() / 2);
                self.pyramid.push(half);
            }
        }
        let picture = halvings
            .checked_sub(1)
            .map_or(self.picture, |index| &self.pyramid[index]);
        let x = picture.width() as f32 / self.picture.width() as f32;
        let y = picture.height() as f32 / self.picture.height() as f32;
        picture.crop(&place.scaled(x, y), width, height)
    }
}
