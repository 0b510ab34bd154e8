//! What lines of text say. Each line is cut out, set upright at the height that the model takes, and read with others
//! of about its length.

use quartet_inference::{Data, GraphError, Graphs, NamedTensor};

use crate::Picture;
use crate::TimeIsUp;
use crate::characters::{self, Written, alphabet};
use crate::geometry::Slanted;
use crate::models;

/// The height of a line in the model's input, in pixels.
const HEIGHT: usize = 48;
/// The model was trained with lines of at least this width; shorter ones are followed by grey.
const NARROWEST: usize = 320;
/// Beyond this a line is squeezed, in pixels: about 150 characters.
const WIDEST: usize = 3_200;
/// Width of all lines of one run together, in pixels. The model answers 18,000 probabilities for each eight of them:
/// this bounds its answer to 16 MB.
const RUN: usize = 1_920;
/// The model gives one step for so many pixels.
const STEP: usize = 8;

/// Reads lines of one picture.
pub struct Recogniser<'a> {
    graphs: &'a dyn Graphs,
    picture: &'a Picture,
    /// Copies of half the size each, made when they are needed: a line is cut from where it is about as high as the model
    /// takes it.
    smaller: Vec<Picture>,
    time_is_up: TimeIsUp<'a>,
    stopped: bool,
}

impl<'a> Recogniser<'a> {
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

    /// Whether the time was up before all places were read.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// What is written in each place, seen from its own side. Nothing where the time was up before.
    pub fn read(&mut self, places: &[Slanted]) -> Result<Vec<Written>, GraphError> {
        if alphabet().is_empty() {
            return Err(GraphError::Missing {
                graph: models::TEXT_RECOGNITION.to_owned(),
                reason: "the component was built without its alphabet".to_owned(),
            });
        }
        let mut order: Vec<(usize, usize)> = places.iter().map(width).enumerate().collect();
        order.sort_by_key(|(_, width)| *width);
        let mut written = vec![Written::default(); places.len()];
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            if (self.time_is_up)() {
                self.stopped = true;
                break;
            }
            // The widest of a run decides how wide all are: they are in order, so it is the last.
            let count = (1..=rest.len())
                .take_while(|count| *count == 1 || count * rest[count - 1].1.max(NARROWEST) <= RUN)
                .last()
                .unwrap_or(1);
            let (run, others) = rest.split_at(count);
            rest = others;
            let lines: Vec<_> = run.iter().map(|(index, width)| (places[*index], *width)).collect();
            for ((index, _), line) in run.iter().zip(self.run(&lines)?) {
                written[*index] = line;
            }
        }
        Ok(written)
    }

    fn run(&mut self, lines: &[(Slanted, usize)]) -> Result<Vec<Written>, GraphError> {
        let widest = lines.iter().map(|(_, width)| *width).fold(NARROWEST, usize::max);
        let widest = widest.next_multiple_of(STEP);
        // Grey is 0.
        let mut input = vec![0.0; lines.len() * 3 * HEIGHT * widest];
        for (line, (place, width)) in lines.iter().enumerate() {
            let cut = self.cut(place, *width);
            let planes = models::planes(&cut, &models::CENTRED);
            for (row, values) in planes.chunks_exact(*width).enumerate() {
                let start = (line * 3 * HEIGHT + row) * widest;
                input[start..start + width].copy_from_slice(values);
            }
        }
        let shape = vec![lines.len(), 3, HEIGHT, widest];
        let input = NamedTensor::new("x", models::tensor(shape, Data::F32(input))?);
        let output = self
            .graphs
            .run(models::TEXT_RECOGNITION, vec![input], &[])?
            .into_iter()
            .next();
        let wrong = || GraphError::Failed("text recognition gave no probabilities of the known characters".to_owned());
        let output = output.ok_or_else(wrong)?.tensor;
        let &[count, steps, classes] = output.shape() else {
            return Err(wrong());
        };
        if count != lines.len() || classes != alphabet().len() + 2 {
            return Err(wrong());
        }
        let probabilities = output.as_f32().ok_or_else(wrong)?;
        Ok(probabilities
            .chunks_exact((steps * classes).max(1))
            .map(|line| characters::read(line, alphabet()))
            .collect())
    }

    fn cut(&mut self, place: &Slanted, width: usize) -> Picture {
        let mut halvings = 0;
        while place.height / (1 << halvings) as f32 >= 2.0 * HEIGHT as f32 {
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
        picture.cut(&place.scaled(x, y), width, HEIGHT)
    }
}

/// The width of a line in the model's input, in pixels.
fn width(place: &Slanted) -> usize {
    let width = HEIGHT as f32 * place.width / place.height.max(1.0);
    (width.round() as usize).clamp(STEP, WIDEST)
}
