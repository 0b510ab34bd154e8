//! Second look at each thing: the detector is quick, and takes dogs for cows; the classifier knows a thousand classes, but
//! only of a whole picture. Each box is cut out and shown to the classifier, whose classes are summed up by the
//! detector's.

use quartet_inference::{GraphError, Graphs};
use quartet_ocr::geometry::Bounds;

use super::classifier::classify;
use super::detected::DetectedObject;
use super::kinds::{IMAGENET_KINDS, are_alike, is_of};
use super::labels::{COCO, IMAGENET};
use crate::picture::Picture;

/// Most boxes that are looked at again: each takes about as long as the detector.
const MAX_BOXES: usize = 8;
/// Least side of a box that is looked at again, in pixels: of less the classifier sees only squares.
const MIN_SIDE_PIXELS: f32 = 28.0;
/// Margin around a box, as a share of its longer side.
const MARGIN: f32 = 0.1;
/// Probability of another class from which on it may replace the detector's.
const MIN_OTHER_PROBABILITY: f32 = 0.5;
/// The same where the two are not easily taken for each other, as a person and a cat.
const MIN_UNLIKE_PROBABILITY: f32 = 0.8;
/// Share of the other class's probability that the detector's own must stay below.
const MAX_OWN_SHARE: f32 = 0.3;
/// Probability from which on a class of ImageNet is the thing's more exact name.
const MIN_NAME_PROBABILITY: f32 = 0.5;
/// Probability of the detector's class from which on a thing that it doubts is listed.
const MIN_CONFIRMING_PROBABILITY: f32 = 0.5;

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

/// Looks again at the things that take most of the picture, and drops those below `threshold` that are not confirmed.
///
/// # Errors
/// When the model is missing or fails.
pub(super) fn look(
    picture: &Picture,
    graphs: &dyn Graphs,
    objects: &mut Vec<DetectedObject>,
    threshold: f32,
) -> Result<(), GraphError> {
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
    objects.retain(|object| object.confidence >= threshold);
    objects.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
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

/// Gives an object the class and the name that both looks agree on best.
fn fuse(object: &mut DetectedObject, shown: &Shown) {
    let own = shown.of_class[object.class];
    let other = (0..COCO.len()).max_by(|a, b| shown.of_class[*a].total_cmp(&shown.of_class[*b]));
    if let Some(other) = other.filter(|other| *other != object.class) {
        let probability = shown.of_class[other];
        let needed = if are_alike(COCO[other], COCO[object.class]) {
            MIN_OTHER_PROBABILITY
        } else if COCO[object.class] == "person" && is_of("animal", COCO[other]) {
            MIN_UNLIKE_PROBABILITY
        } else {
            // Clothes and what is held are in the box of a person, and what lies on it in that of a table.
            f32::INFINITY
        };
        if probability >= needed && own < MAX_OWN_SHARE * probability {
            object.class = other;
            object.confidence = object.confidence.max(probability);
        }
    }
    let own = shown.of_class[object.class];
    if own >= MIN_CONFIRMING_PROBABILITY {
        object.confidence = object.confidence.max(own);
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
        assert_eq!((dog.label(), dog.finer), ("dog", None));
        assert!((dog.confidence - 0.65).abs() < 0.001);
    }

    #[test]
    fn a_thing_has_its_more_exact_name() {
        let bird = fused("bird", 0.7, &[("bald eagle", 0.8)]);
        assert_eq!(
            (bird.label(), bird.finer, bird.confidence),
            ("bird", Some("bald eagle"), 0.8)
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
