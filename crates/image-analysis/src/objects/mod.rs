//! The things in a picture: a detector that finds everyday things and says where they are, and a classifier that knows
//! more things but only says what the whole picture shows most.

pub mod labels;

use quartet_inference::{Data, GraphError, Graphs, NamedTensor};

use crate::models;
use crate::picture::Picture;
use quartet_ocr::geometry::Bounds;

/// A thing below this confidence is not listed, unless the client asks for another.
pub const THRESHOLD: f32 = 0.4;
/// So many things are listed, unless the client asks for fewer.
pub const MAXIMUM: usize = 100;
/// A thing below this confidence is one perhaps,
const SURE: f32 = 0.5;
/// and below this one where it takes nearly all of the picture: patterns are taken for one large thing.
const SURE_OF_ALL: f32 = 0.7;
/// What share of the picture that is.
const NEARLY_ALL: f32 = 0.9;
/// Width and height of what the detector sees, in pixels.
const SIDE: usize = 416;
/// Pixels between two places that the detector looks from, at each of its scales.
const STRIDES: [usize; 3] = [8, 16, 32];
/// Steps of the distance from a place to a side of its thing: the detector gives a probability for each.
const STEPS: usize = 11;
/// Two boxes of one label that overlap more than this are one thing.
const SAME: f32 = 0.55;
/// Width and height of what the classifier sees, and the share of the picture's shorter side that this is.
const TAG_SIDE: usize = 260;
const TAG_SHARE: f32 = 0.875;

/// Makes what is the same for all pictures, so that it can be part of a snapshot.
pub fn init() {
    std::sync::LazyLock::force(&labels::IMAGENET);
}

/// A thing is large from this share of the picture on.
const LARGE: f32 = 0.25;
/// The detector's classes of people and animals.
const ANIMATE: [usize; 11] = [0, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23];
/// Animals that both models know: the detector's name, and the classifier's classes of them.
const ANIMALS: [(&str, std::ops::Range<usize>); 4] = [
    ("dog", 151..269),
    ("cat", 281..286),
    ("bear", 294..298),
    ("elephant", 385..387),
];
/// The classifier is believed from this probability on.
const SURE_ANIMAL: f32 = 0.6;

/// A thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Thing {
    /// Its class: an index of [`labels::COCO`].
    pub class: usize,
    /// How sure it is, 0 to 1.
    pub confidence: f32,
    /// Where it is, in the picture's pixels.
    pub bounds: Bounds,
}

impl Thing {
    /// What it is called.
    pub fn label(&self) -> &'static str {
        labels::COCO.get(self.class).copied().unwrap_or("thing")
    }
}

/// Whether a thing is there for sure, or perhaps: by its confidence and by the share of the picture that it takes.
pub fn is_sure(confidence: f32, share: f32) -> bool {
    confidence >= if share > NEARLY_ALL { SURE_OF_ALL } else { SURE }
}

/// What the whole picture may show.
#[derive(Debug, Clone, PartialEq)]
pub struct Tag {
    /// Its name.
    pub label: &'static str,
    /// How sure it is, 0 to 1.
    pub confidence: f32,
}

/// Finds things, the surest first.
///
/// # Errors
/// When the model is missing or fails.
pub fn detect(
    picture: &Picture,
    graphs: &dyn Graphs,
    threshold: f32,
    maximum: usize,
) -> Result<Vec<Thing>, GraphError> {
    let seen = picture.resized(SIDE, SIDE);
    let input = models::tensor(
        vec![1, 3, SIDE, SIDE],
        Data::F32(models::planes(&seen, &models::NANODET)),
    )?;
    let names = STRIDES.map(|stride| (format!("scores_{stride}"), format!("distances_{stride}")));
    let outputs: Vec<&str> = names
        .iter()
        .flat_map(|(scores, distances)| [scores.as_str(), distances])
        .collect();
    let outputs = graphs.run(
        models::OBJECT_DETECTION,
        vec![NamedTensor::new("image", input)],
        &outputs,
    )?;
    let wrong = || GraphError::Failed("object detection gave outputs of another shape".to_owned());
    let (x, y) = (
        picture.width() as f32 / SIDE as f32,
        picture.height() as f32 / SIDE as f32,
    );
    let mut things = Vec::new();
    for (stride, pair) in STRIDES.into_iter().zip(outputs.chunks_exact(2)) {
        let scores = pair[0].tensor.as_f32().ok_or_else(wrong)?;
        let distances = pair[1].tensor.as_f32().ok_or_else(wrong)?;
        let places = SIDE.div_ceil(stride).pow(2);
        if scores.len() != places * labels::COCO.len() || distances.len() != places * 4 * STEPS {
            return Err(wrong());
        }
        things.extend(of_scale(stride, scores, distances, threshold).map(|mut thing| {
            let Bounds {
                left,
                top,
                right,
                bottom,
            } = thing.bounds;
            let inside = |at: f32, factor: f32, most: usize| (at * factor).clamp(0.0, most as f32);
            thing.bounds = Bounds {
                left: inside(left, x, picture.width()),
                top: inside(top, y, picture.height()),
                right: inside(right, x, picture.width()),
                bottom: inside(bottom, y, picture.height()),
            };
            thing
        }));
    }
    Ok(distinct(things, maximum))
}

/// Finds things, and where one of them takes much of the picture asks the classifier too: the detector is quick to call
/// an animal a person, and the classifier knows animals best.
///
/// # Errors
/// When a model is missing or fails.
pub fn find(picture: &Picture, graphs: &dyn Graphs, threshold: f32, maximum: usize) -> Result<Vec<Thing>, GraphError> {
    let mut things = detect(picture, graphs, threshold, maximum)?;
    let area = (picture.width() * picture.height()) as f32;
    let large = |thing: &Thing| ANIMATE.contains(&thing.class) && thing.bounds.area() > LARGE * area;
    if things.iter().any(large) {
        let probabilities = classify(picture, graphs)?;
        for thing in things.iter_mut().filter(|thing| large(thing)) {
            reconcile(thing, &probabilities);
        }
    }
    Ok(things)
}

/// Gives a thing the name of the animal that the classifier is surer of.
fn reconcile(thing: &mut Thing, probabilities: &[f32]) {
    for (label, classes) in ANIMALS {
        let confidence: f32 = probabilities.get(classes).unwrap_or_default().iter().sum();
        let class = labels::COCO.iter().position(|known| *known == label);
        if let Some(class) = class.filter(|class| *class != thing.class)
            && confidence >= SURE_ANIMAL
            && confidence > thing.confidence
        {
            (thing.class, thing.confidence) = (class, confidence);
        }
    }
}

/// The things that one scale of the detector sees, in pixels of what it saw.
fn of_scale(stride: usize, scores: &[f32], distances: &[f32], threshold: f32) -> impl Iterator<Item = Thing> {
    let row = SIDE.div_ceil(stride);
    let classes = labels::COCO.len();
    scores
        .chunks_exact(classes)
        .zip(distances.chunks_exact(4 * STEPS))
        .enumerate()
        .filter_map(move |(place, (scores, distances))| {
            let (class, confidence) = scores.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
            if confidence < threshold {
                return None;
            }
            let centre = |index: usize| (index as f32 + 0.5) * stride as f32;
            let (x, y) = (centre(place % row), centre(place / row));
            let mut sides = distances
                .chunks_exact(STEPS)
                .map(|steps| expected(steps) * stride as f32);
            let [left, top, right, bottom] = std::array::from_fn(|_| sides.next().unwrap_or(0.0));
            let bounds = Bounds {
                left: x - left,
                top: y - top,
                right: x + right,
                bottom: y + bottom,
            };
            Some(Thing {
                class,
                confidence,
                bounds,
            })
        })
}

/// The mean of a distribution over 0, 1, 2, … that is given by its logits.
fn expected(logits: &[f32]) -> f32 {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let (mut sum, mut mean) = (0.0, 0.0);
    for (step, logit) in logits.iter().enumerate() {
        let weight = (logit - largest).exp();
        sum += weight;
        mean += weight * step as f32;
    }
    mean / sum
}

/// Each thing once: of boxes that lie on each other the surest.
fn distinct(mut things: Vec<Thing>, maximum: usize) -> Vec<Thing> {
    things.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let mut kept: Vec<Thing> = Vec::new();
    for thing in things {
        if kept.len() == maximum {
            break;
        }
        let same = |other: &Thing| {
            let overlap = other.bounds.overlap(&thing.bounds);
            // Two classes in one place are one thing that the detector cannot decide about.
            overlap > if other.class == thing.class { SAME } else { 0.85 }
        };
        if !kept.iter().any(same) {
            kept.push(thing);
        }
    }
    kept
}

/// What the whole picture may show, the likeliest first.
///
/// # Errors
/// When the model is missing or fails.
pub fn tags(picture: &Picture, graphs: &dyn Graphs, count: usize) -> Result<Vec<Tag>, GraphError> {
    let probabilities = classify(picture, graphs)?;
    let mut tags: Vec<Tag> = labels::IMAGENET
        .iter()
        .zip(probabilities)
        .map(|(label, confidence)| Tag { label, confidence })
        .collect();
    tags.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    tags.truncate(count);
    Ok(tags)
}

/// The probability of each class of the classifier, for the middle of the picture.
fn classify(picture: &Picture, graphs: &dyn Graphs) -> Result<Vec<f32>, GraphError> {
    let side = ((picture.width().min(picture.height()) as f32 * TAG_SHARE) as usize).max(1);
    let (left, top) = ((picture.width() - side) / 2, (picture.height() - side) / 2);
    let seen = picture.part(left, top, side, side).resized(TAG_SIDE, TAG_SIDE);
    let shape = vec![1, 3, TAG_SIDE, TAG_SIDE];
    let input = models::tensor(shape, Data::F32(models::planes(&seen, &models::EFFICIENTNET)))?;
    let outputs = graphs.run(
        models::IMAGE_TAGS,
        vec![NamedTensor::new("image", input)],
        &["probabilities"],
    )?;
    match outputs.into_iter().next().map(|output| output.tensor.into_parts()) {
        Some((_, Data::F32(probabilities))) if probabilities.len() == labels::IMAGENET.len() => Ok(probabilities),
        _ => Err(GraphError::Failed(
            "the tags have not the probabilities of the known classes".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thing(class: usize, confidence: f32, left: f32) -> Thing {
        Thing {
            class,
            confidence,
            bounds: Bounds {
                left,
                top: 0.0,
                right: left + 10.0,
                bottom: 10.0,
            },
        }
    }

    #[test]
    fn a_thing_is_listed_once_and_the_surest_first() {
        let found = distinct(
            vec![
                thing(0, 0.5, 1.0),
                thing(0, 0.9, 0.0),
                thing(2, 0.6, 5.0),
                thing(0, 0.7, 30.0),
            ],
            100,
        );
        let confidences: Vec<f32> = found.iter().map(|thing| thing.confidence).collect();
        assert_eq!(confidences, [0.9, 0.7, 0.6]);
        assert_eq!(distinct(vec![thing(0, 0.5, 0.0), thing(0, 0.9, 50.0)], 1).len(), 1);
    }

    #[test]
    fn an_animal_that_the_classifier_is_surer_of_is_no_person() {
        let mut probabilities = vec![0.0; 1000];
        (probabilities[281], probabilities[285]) = (0.25, 0.5);
        let mut cat = thing(0, 0.6, 0.0);
        reconcile(&mut cat, &probabilities);
        assert_eq!((cat.label(), cat.confidence), ("cat", 0.75));
        let mut person = thing(0, 0.9, 0.0);
        reconcile(&mut person, &probabilities);
        assert_eq!((person.label(), person.confidence), ("person", 0.9));
    }

    #[test]
    fn a_distance_is_the_mean_of_its_distribution() {
        let mut logits = [-50.0; STEPS];
        (logits[3], logits[4]) = (1.0, 1.0);
        assert!((expected(&logits) - 3.5).abs() < 0.001);
    }
}
