//! Text recognition with PP-OCR's model. Each line is cropped, set upright at the height that the model takes, and read
//! in a batch with others of about its length.

use quartet_inference::{Data, GraphError, NamedTensor};

use crate::context::Context;
use crate::ctc::{self, alphabet};
use crate::geometry::RotatedRect;
use crate::models;
use crate::transcription::Transcription;

/// Height of a line in the model's input, in pixels.
const LINE_HEIGHT_PIXELS: usize = 48;
/// Least width of the input, in pixels, as in the training; shorter lines are padded with grey.
const MIN_INPUT_WIDTH_PIXELS: usize = 320;
/// Width beyond which a line is squeezed, in pixels: about 150 characters.
const MAX_LINE_WIDTH_PIXELS: usize = 3_200;
/// Width of all lines of one batch together, in pixels. The model outputs 18,000 probabilities for each eight of them:
/// this bounds its output to 16 MB.
const MAX_BATCH_WIDTH_PIXELS: usize = 1_920;
/// Pixels of the input for each step of the output.
const STEP_PIXELS: usize = 8;

/// Reads the text of each place, seen from its own side; empty where the time was up before.
///
/// # Errors
/// When the model or its alphabet is missing, or it fails.
pub fn read(context: &mut Context<'_>, places: &[RotatedRect]) -> Result<Vec<Transcription>, GraphError> {
    if alphabet().is_empty() {
        return Err(GraphError::Missing {
            graph: models::TEXT_RECOGNITION.to_owned(),
            reason: "the component was built without its alphabet".to_owned(),
        });
    }
    let mut order: Vec<(usize, usize)> = places.iter().map(width).enumerate().collect();
    order.sort_by_key(|(_, width)| *width);
    let mut written = vec![Transcription::default(); places.len()];
    let mut rest = order.as_slice();
    while !rest.is_empty() {
        if context.must_stop() {
            break;
        }
        // The widest of a batch decides how wide all are: they are in order, so it is the last.
        let count = (1..=rest.len())
            .take_while(|count| {
                *count == 1 || count * rest[count - 1].1.max(MIN_INPUT_WIDTH_PIXELS) <= MAX_BATCH_WIDTH_PIXELS
            })
            .last()
            .unwrap_or(1);
        let (batch, others) = rest.split_at(count);
        rest = others;
        let lines: Vec<_> = batch.iter().map(|(index, width)| (places[*index], *width)).collect();
        for ((index, _), line) in batch.iter().zip(read_batch(context, &lines)?) {
            written[*index] = line;
        }
    }
    Ok(written)
}

fn read_batch(context: &mut Context<'_>, lines: &[(RotatedRect, usize)]) -> Result<Vec<Transcription>, GraphError> {
    let widest = lines
        .iter()
        .map(|(_, width)| *width)
        .fold(MIN_INPUT_WIDTH_PIXELS, usize::max);
    let widest = widest.next_multiple_of(STEP_PIXELS);
    // Grey is 0.
    let mut input = vec![0.0; lines.len() * 3 * LINE_HEIGHT_PIXELS * widest];
    for (line, (place, width)) in lines.iter().enumerate() {
        let line_picture = context.crop(place, *width, LINE_HEIGHT_PIXELS);
        let planes = models::planes(&line_picture, &models::PP_OCR);
        for (row, values) in planes.chunks_exact(*width).enumerate() {
            let start = (line * 3 * LINE_HEIGHT_PIXELS + row) * widest;
            input[start..start + width].copy_from_slice(values);
        }
    }
    let shape = vec![lines.len(), 3, LINE_HEIGHT_PIXELS, widest];
    let input = NamedTensor::new("x", models::tensor(shape, Data::F32(input))?);
    let output = context
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
        .map(|line| ctc::decode(line, alphabet()))
        .collect())
}

/// Width of a line in the model's input, in pixels.
fn width(place: &RotatedRect) -> usize {
    let width = LINE_HEIGHT_PIXELS as f32 * place.width / place.height.max(1.0);
    (width.round() as usize).clamp(STEP_PIXELS, MAX_LINE_WIDTH_PIXELS)
}
