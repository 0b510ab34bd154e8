//! Object detection and classification: a detector that finds and locates everyday objects, and a classifier that knows
//! more classes but only of the whole picture.

mod classifier;
mod detected;
pub mod kinds;
pub mod labels;
mod second_look;

use quartet_inference::{Data, GraphError, Graphs, NamedTensor};

pub use classifier::{Tag, tags};
pub use detected::DetectedObject;
pub use quartet_api::image::MAX_OBJECTS;

use crate::models;
use crate::picture::Picture;
use quartet_ocr::geometry::Bounds;

/// Least confidence of a listed object, unless the client asks for another.
pub const DEFAULT_THRESHOLD: f32 = 0.4;
/// Confidence from which on an object is certain.
const SURE_CONFIDENCE: f32 = 0.5;
/// The same where it takes nearly all of the picture: patterns are taken for one large object.
const FULL_PICTURE_SURE_CONFIDENCE: f32 = 0.7;
/// Share of the picture above which an object takes nearly all of it.
const FULL_PICTURE_SHARE: f32 = 0.9;
/// Pixels that are enough to find objects in: several times what the detector sees, so that the second look at a part of the
/// picture has as many as the classifier sees.
pub const ENOUGH_PIXELS: usize = 2_000_000;
/// Width and height of the detector's input, in pixels.
const DETECTOR_SIDE_PIXELS: usize = 416;
/// Pixels between two anchor points of the detector, at each of its scales.
const STRIDES: [usize; 3] = [8, 16, 32];
/// Bins of the distance from an anchor point to a side of its box: the detector outputs a logit for each.
const DISTANCE_BINS: usize = 11;
/// Intersection over union above which two boxes of one class are one object.
const SAME_CLASS_OVERLAP: f32 = 0.55;
/// The same of classes that are easily taken for each other, as a cow and a horse.
const ALIKE_CLASS_OVERLAP: f32 = 0.65;
/// Intersection over union above which two boxes of different classes are one object that the detector cannot decide
/// about.
const OTHER_CLASS_OVERLAP: f32 = 0.85;

/// Initialises what is the same for all pictures, so that it can be part of a snapshot.
pub fn init() {
    std::sync::LazyLock::force(&labels::IMAGENET);
    std::sync::LazyLock::force(&kinds::IMAGENET_KINDS);
}

/// Returns true if an object is certain, by its confidence and by the share of the picture that it takes.
pub fn is_sure(confidence: f32, share: f32) -> bool {
    confidence
        >= if share > FULL_PICTURE_SHARE {
            FULL_PICTURE_SURE_CONFIDENCE
        } else {
            SURE_CONFIDENCE
        }
}

/// Detects objects, the most certain first.
///
/// # Errors
/// When the model is missing or fails.
pub fn detect(
    picture: &Picture,
    graphs: &dyn Graphs,
    threshold: f32,
    maximum: usize,
) -> Result<Vec<DetectedObject>, GraphError> {
    let seen = picture.resized(DETECTOR_SIDE_PIXELS, DETECTOR_SIDE_PIXELS);
    let input = models::tensor(
        vec![1, 3, DETECTOR_SIDE_PIXELS, DETECTOR_SIDE_PIXELS],
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
        picture.width() as f32 / DETECTOR_SIDE_PIXELS as f32,
        picture.height() as f32 / DETECTOR_SIDE_PIXELS as f32,
    );
    let mut objects = Vec::new();
    for (stride, pair) in STRIDES.into_iter().zip(outputs.chunks_exact(2)) {
        let scores = pair[0].tensor.as_f32().ok_or_else(wrong)?;
        let distances = pair[1].tensor.as_f32().ok_or_else(wrong)?;
        let places = DETECTOR_SIDE_PIXELS.div_ceil(stride).pow(2);
        if scores.len() != places * labels::COCO.len() || distances.len() != places * 4 * DISTANCE_BINS {
            return Err(wrong());
        }
        objects.extend(decode_scale(stride, scores, distances, threshold).map(|mut object| {
            let Bounds {
                left,
                top,
                right,
                bottom,
            } = object.bounds;
            let inside = |at: f32, factor: f32, most: usize| (at * factor).clamp(0.0, most as f32);
            object.bounds = Bounds {
                left: inside(left, x, picture.width()),
                top: inside(top, y, picture.height()),
                right: inside(right, x, picture.width()),
                bottom: inside(bottom, y, picture.height()),
            };
            object
        }));
    }
    Ok(suppress_overlaps(objects, maximum))
}

/// Detects objects, and has the classifier look at each of them again.
///
/// # Errors
/// When a model is missing or fails.
pub fn find(
    picture: &Picture,
    graphs: &dyn Graphs,
    threshold: f32,
    maximum: usize,
) -> Result<Vec<DetectedObject>, GraphError> {
    let mut objects = detect(picture, graphs, threshold, MAX_OBJECTS)?;
    second_look::look(picture, graphs, &mut objects)?;
    // What has become of one class may be one thing.
    Ok(suppress_overlaps(objects, maximum))
}

/// Objects of one scale of the detector, in pixels of its input.
fn decode_scale(
    stride: usize,
    scores: &[f32],
    distances: &[f32],
    threshold: f32,
) -> impl Iterator<Item = DetectedObject> {
    let row = DETECTOR_SIDE_PIXELS.div_ceil(stride);
    let classes = labels::COCO.len();
    scores
        .chunks_exact(classes)
        .zip(distances.chunks_exact(4 * DISTANCE_BINS))
        .enumerate()
        .filter_map(move |(place, (scores, distances))| {
            let (class, confidence) = scores.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
            if confidence < threshold {
                return None;
            }
            let centre = |index: usize| (index as f32 + 0.5) * stride as f32;
            let (x, y) = (centre(place % row), centre(place / row));
            let mut sides = distances
                .chunks_exact(DISTANCE_BINS)
                .map(|steps| expected(steps) * stride as f32);
            let [left, top, right, bottom] = std::array::from_fn(|_| sides.next().unwrap_or(0.0));
            let bounds = Bounds {
                left: x - left,
                top: y - top,
                right: x + right,
                bottom: y + bottom,
            };
            Some(DetectedObject {
                class,
                confidence,
                bounds,
                finer: None,
            })
        })
}

/// Mean of a distribution over 0, 1, 2, … that is given by its logits.
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

/// Non-maximum suppression: of boxes that lie on each other the most certain is kept.
fn suppress_overlaps(mut objects: Vec<DetectedObject>, maximum: usize) -> Vec<DetectedObject> {
    objects.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let mut kept: Vec<DetectedObject> = Vec::new();
    for object in objects {
        if kept.len() == maximum {
            break;
        }
        let same = |other: &DetectedObject| {
            let overlap = other.bounds.overlap(&object.bounds);
            overlap
                > if other.class == object.class {
                    SAME_CLASS_OVERLAP
                } else if kinds::are_alike(other.label(), object.label()) {
                    ALIKE_CLASS_OVERLAP
                } else {
                    OTHER_CLASS_OVERLAP
                }
        };
        if !kept.iter().any(same) {
            kept.push(object);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(class: usize, confidence: f32, left: f32) -> DetectedObject {
        DetectedObject {
            class,
            confidence,
            bounds: Bounds {
                left,
                top: 0.0,
                right: left + 10.0,
                bottom: 10.0,
            },
            finer: None,
        }
    }

    #[test]
    fn a_thing_is_listed_once_and_the_surest_first() {
        let found = suppress_overlaps(
            vec![
                object(0, 0.5, 1.0),
                object(0, 0.9, 0.0),
                object(2, 0.6, 5.0),
                object(0, 0.7, 30.0),
            ],
            100,
        );
        let confidences: Vec<f32> = found.iter().map(|object| object.confidence).collect();
        assert_eq!(confidences, [0.9, 0.7, 0.6]);
        assert_eq!(
            suppress_overlaps(vec![object(0, 0.5, 0.0), object(0, 0.9, 50.0)], 1).len(),
            1
        );
    }

    #[test]
    fn a_distance_is_the_mean_of_its_distribution() {
        let mut logits = [-50.0; DISTANCE_BINS];
        (logits[3], logits[4]) = (1.0, 1.0);
        assert!((expected(&logits) - 3.5).abs() < 0.001);
    }
}
