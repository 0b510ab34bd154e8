//! A picture that is being read: lines are cut out of it at any angle, and the time for it may be up.

use quartet_inference::Graphs;

use crate::Picture;
use crate::TimeIsUp;
use crate::geometry::Slanted;

/// What recognisers read from.
pub struct Sheet<'a> {
    /// Computes the models.
    pub graphs: &'a dyn Graphs,
    picture: &'a Picture,
    /// Copies of half the size each, made when they are needed: a line is cut from where it is about as high as a model
    /// takes it.
    smaller: Vec<Picture>,
    time_is_up: TimeIsUp<'a>,
    stopped: bool,
}

impl<'a> Sheet<'a> {
    /// Gets a picture ready.
    pub fn new(picture: &'a Picture, graphs: &'a dyn Graphs, time_is_up: TimeIsUp<'a>) -> Self {
        Self {
            graphs,
            picture,
            smaller: Vec::new(),
            time_is_up,
            stopped: false,
        }
    }

    /// Whether reading must stop here. Once it must, it stays so.
    pub fn must_stop(&mut self) -> bool {
        self.stopped = self.stopped || (self.time_is_up)();
        self.stopped
    }

    /// Whether the time was up before all places were read.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// What is inside a place, upright and of the given size.
    pub fn cut(&mut self, place: &Slanted, width: usize, height: usize) -> Picture {
        let mut halvings = 0;
        while place.height / (1 << halvings) as f32 >= 2.0 * height as f32 {
            halvings += 1;
            if self.smaller.len() < halvings {
                let larger = self.smaller.last().unwrap_or(self.picture);
                let half = larger.resized(larger.width() / 2, larger.height() / 2);
                self.smaller.push(half);
            }
        }
        let picture = halvings
            .checked_sub(1)
            .map_or(self.picture, |index| &self.smaller[index]);
        let x = picture.width() as f32 / self.picture.width() as f32;
        let y = picture.height() as f32 / self.picture.height() as f32;
        picture.cut(&place.scaled(x, y), width, height)
    }
}
