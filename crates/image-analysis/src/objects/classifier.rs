//! Classes of a picture, by the network of tags: ImageNet's thousand.

use quartet_inference::{Data, GraphError, Graphs, NamedTensor};

use super::labels;
use crate::models;
use crate::picture::Picture;

/// Width and height of the classifier's input, in pixels.
const CLASSIFIER_SIDE_PIXELS: usize = 260;
/// Share of the picture's shorter side that the classifier's input shows.
const CENTRE_CROP_SHARE: f32 = 0.875;

/// Class that the whole picture may show.
#[derive(Debug, Clone, PartialEq)]
pub struct Tag {
    /// Name of the class.
    pub label: &'static str,
    /// Confidence, 0 to 1.
    pub confidence: f32,
}

/// Classifies the whole picture; returns the likeliest classes first.
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

/// Probability of each class of the classifier, for the middle of the picture.
pub fn classify(picture: &Picture, graphs: &dyn Graphs) -> Result<Vec<f32>, GraphError> {
    let side = ((picture.width().min(picture.height()) as f32 * CENTRE_CROP_SHARE) as usize).max(1);
    let (left, top) = ((picture.width() - side) / 2, (picture.height() - side) / 2);
    let seen = picture
        .part(left, top, side, side)
        .resized(CLASSIFIER_SIDE_PIXELS, CLASSIFIER_SIDE_PIXELS);
    let shape = vec![1, 3, CLASSIFIER_SIDE_PIXELS, CLASSIFIER_SIDE_PIXELS];
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
