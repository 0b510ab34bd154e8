//! Second look at each thing: the detector is quick, and takes dogs for cows; the classifier knows a thousand classes, but
//! only of a whole picture. Each box is cut out and shown to the classifier, whose classes are summed up by the
//! detector's.
//!
//! It decides about animals, of which it knows hundreds of kinds, and about exact names. Measured on 159 annotated photographs
//! (`eval/pictures/boxes.py`) it was wrong about other things wherever it contradicted the detector, and what it
//! agreed with was no likelier to be there than the detector's confidence said: it sees what is in a box, not whether the
//! box is that of one thing.

use quartet_inference::{GraphError, Graphs};
use quartet_ocr::geometry::Bounds;

use super::classifier::classify;
use super::detected::DetectedObject;
use super::kinds::{IMAGENET_KINDS, is_of};
use super::labels::{COCO, IMAGENET};
use crate::picture::Picture;

/// Most boxes that are looked at again: each takes about as long as the detector.
const MAX_BOXES: usize = 8;
/// Least side of a box that is looked at again, in pixels: of less the classifier sees only squares.
const MIN_SIDE_PIXELS: f32 = 28.0;
/// Margin around a box, as a share of its longer side.
const MARGIN: f32 = 0.1;
/// Probability of another animal from which on it replaces the detector's.
const MIN_OTHER_PROBABILITY: f32 = 0.5;
/// The same where the detector saw a person.
const MIN_UNLIKE_PROBABILITY: f32 = 0.8;
/// Share of the other class's probability that the detector's own must stay below.
const MAX_OWN_SHARE: f32 = 0.3;
/// Probability from which on a class of ImageNet is the thing's more exact name.
const MIN_NAME_PROBABILITY: f32 = 0.5;

/// Probabilities of a box by the classes of COCO.
struct Shown {
    of_class: Vec<f32>,
    /// Most probable class of ImageNet.
    best: (usize, f32),
}

impl Shown {
    fn new(probabilities: &[f32]) -> Self {
        let mut of_class = vec![0.0; COCO.len()];
        let mut best = (0, 0.0);
        for (index, (kind, probability)) in IMAGENET_KINDS.iter().zip(probabilities).enumerate() {
            if let Some(class) = kind.class {
                of_class[class] += probability;
            }
            if *probability > best.1 {
                best = (index, *probability);
            }
        }
        Self { of_class, best }
    }
}

/// Looks again at the things that take most of the picture.
///
/// # Errors
/// When the model is missing or fails.
pub(super) fn look(picture: &Picture, graphs: &dyn Graphs, objects: &mut [DetectedObject]) -> Result<(), GraphError> {
    let mut order: Vec<usize> = (0..objects.len()).collect();
    let weight = |object: &DetectedObject| object.confidence * object.bounds.area().sqrt();
    order.sort_by(|a, b| weight(&objects[*b]).total_cmp(&weight(&objects[*a])));
    let large = |object: &DetectedObject| object.bounds.width().min(object.bounds.height()) >= MIN_SIDE_PIXELS;
    order.retain(|index| large(&objects[*index]));
    for index in order.into_iter().take(MAX_BOXES) {
        let Some(part) = cut(picture, &objects[index].bounds) else {
            continue;
        };
        let shown = Shown::new(&classify(&part, graphs)?);
        fuse(&mut objects[index], &shown);
    }
    Ok(())
}

/// Square around a box with a margin, as far as the picture has it.
fn cut(picture: &Picture, bounds: &Bounds) -> Option<Picture> {
    let side = bounds.width().max(bounds.height()) * (1.0 + 2.0 * MARGIN);
    let centre = bounds.centre();
    let span = |middle: f32, most: usize| {
        let first = (middle - side / 2.0).clamp(0.0, most as f32) as usize;
        let last = (middle + side / 2.0).clamp(0.0, most as f32) as usize;
        (first, last - first)
    };
    let (left, width) = span(centre.x, picture.width());
    let (top, height) = span(centre.y, picture.height());
    (width > 1 && height > 1).then(|| picture.part(left, top, width, height))
}

/// Gives an object the animal's class and the name that both looks agree on best.
fn fuse(object: &mut DetectedObject, shown: &Shown) {
    let own = shown.of_class[object.class];
    let other = (0..COCO.len()).max_by(|a, b| shown.of_class[*a].total_cmp(&shown.of_class[*b]));
    let animal = |class: &usize| is_of("animal", COCO[*class]);
    if let Some(other) = other.filter(|other| *other != object.class && animal(other)) {
        let probability = shown.of_class[other];
        let needed = if animal(&object.class) {
            MIN_OTHER_PROBABILITY
        } else if COCO[object.class] == "person" {
            MIN_UNLIKE_PROBABILITY
        } else {
            f32::INFINITY
        };
        if probability >= needed && own < MAX_OWN_SHARE * probability {
            object.class = other;
        }
    }
    let (index, probability) = shown.best;
    if probability >= MIN_NAME_PROBABILITY && IMAGENET_KINDS[index].class == Some(object.class) {
        object.finer = IMAGENET.get(index).copied().filter(|name| *name != COCO[object.class]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::kinds::class_named;

    fn object(label: &str, confidence: f32) -> DetectedObject {
        DetectedObject {
            class: class_named(label).unwrap(),
            confidence,
            bounds: Bounds {
                left: 0.0,
                top: 0.0,
                right: 50.0,
                bottom: 40.0,
            },
            finer: None,
        }
    }

    fn fused(label: &str, confidence: f32, probabilities: &[(&str, f32)]) -> DetectedObject {
        let mut all = vec![0.0; IMAGENET.len()];
        for (name, probability) in probabilities {
            all[IMAGENET.iter().position(|known| known == name).unwrap()] = *probability;
        }
        let mut object = object(label, confidence);
        fuse(&mut object, &Shown::new(&all));
        object
    }

    #[test]
    fn breeds_of_dogs_are_no_cow() {
        let dog = fused("cow", 0.5, &[("Siberian husky", 0.35), ("malamute", 0.3), ("ox", 0.05)]);
        assert_eq!((dog.label(), dog.finer, dog.confidence), ("dog", None, 0.5));
    }

    #[test]
    fn of_other_things_the_detector_knows_more() {
        let suitcase = fused("suitcase", 0.5, &[("backpack", 0.8)]);
        assert_eq!((suitcase.label(), suitcase.finer), ("suitcase", None));
        assert_eq!(fused("chair", 0.5, &[("dining table", 0.7)]).label(), "chair");
    }

    #[test]
    fn a_thing_has_its_more_exact_name() {
        let bird = fused("bird", 0.7, &[("bald eagle", 0.8)]);
        assert_eq!(
            (bird.label(), bird.finer, bird.confidence),
            ("bird", Some("bald eagle"), 0.7)
        );
    }

    #[test]
    fn what_a_person_wears_is_not_the_person() {
        let person = fused("person", 0.5, &[("Windsor tie", 0.95)]);
        assert_eq!((person.label(), person.confidence), ("person", 0.5));
        assert_eq!(fused("person", 0.5, &[("tabby", 0.85)]).label(), "cat");
        assert_eq!(fused("person", 0.5, &[("tabby", 0.6)]).label(), "person");
    }

    #[test]
    fn a_box_at_the_edge_is_cut_inside_the_picture() {
        let picture = Picture::new(40, 30, vec![0; 40 * 30 * 3]).unwrap();
        let bounds = Bounds {
            left: 30.0,
            top: 0.0,
            right: 40.0,
            bottom: 30.0,
        };
        let part = cut(&picture, &bounds).unwrap();
        assert_eq!((part.width(), part.height()), (23, 30));
    }
}
