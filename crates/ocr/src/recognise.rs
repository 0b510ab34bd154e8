//! What lines of text say. Each line is cut out, set upright at the height that the model takes, and read with others
//! of about its length.

use quartet_inference::{Data, GraphError, NamedTensor};

use crate::characters::{self, Written, alphabet};
use crate::geometry::Slanted;
use crate::models;
use crate::sheet::Sheet;

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

/// What is written in each place, seen from its own side. Nothing where the time was up before.
///
/// # Errors
/// When the model or its alphabet is missing, or it fails.
pub fn read(sheet: &mut Sheet<'_>, places: &[Slanted]) -> Result<Vec<Written>, GraphError> {
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
        if sheet.must_stop() {
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
        for ((index, _), line) in run.iter().zip(run_of(sheet, &lines)?) {
            written[*index] = line;
        }
    }
    Ok(written)
}

fn run_of(sheet: &mut Sheet<'_>, lines: &[(Slanted, usize)]) -> Result<Vec<Written>, GraphError> {
    let widest = lines.iter().map(|(_, width)| *width).fold(NARROWEST, usize::max);
    let widest = widest.next_multiple_of(STEP);
    // Grey is 0.
    let mut input = vec![0.0; lines.len() * 3 * HEIGHT * widest];
    for (line, (place, width)) in lines.iter().enumerate() {
        let cut = sheet.cut(place, *width, HEIGHT);
        let planes = models::planes(&cut, &models::CENTRED);
        for (row, values) in planes.chunks_exact(*width).enumerate() {
            let start = (line * 3 * HEIGHT + row) * widest;
            input[start..start + width].copy_from_slice(values);
        }
    }
    let shape = vec![lines.len(), 3, HEIGHT, widest];
    let input = NamedTensor::new("x", models::tensor(shape, Data::F32(input))?);
    let output = sheet
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

/// The width of a line in the model's input, in pixels.
fn width(place: &Slanted) -> usize {
    let width = HEIGHT as f32 * place.width / place.height.max(1.0);
    (width.round() as usize).clamp(STEP, WIDEST)
}
