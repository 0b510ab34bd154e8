//! Text recognition with Tesseract's small recurrent networks, one for each script that PP-OCR's recogniser has no
//! letters for.

mod alphabet;
mod beam;

use std::sync::LazyLock;

use quartet_inference::{Data, GraphError, NamedTensor};

use crate::context::Context;
use crate::geometry::{Point, RotatedRect};
use crate::picture::Picture;
use crate::script::Script;
use crate::transcription::{Transcription, Word};
use crate::{bidi, models};
use alphabet::Alphabet;
use beam::Character;

/// Pixels of the input for each step of the output.
const STEP_PIXELS: usize = 3;
/// Width beyond which a line is squeezed, in pixels.
const MAX_LINE_WIDTH_PIXELS: usize = 3_000;
/// Width of all lines of one batch together, in pixels: this bounds the memory of a batch to 20 MB or so.
const MAX_BATCH_WIDTH_PIXELS: usize = 3_000;
/// Least width of the lines of a batch, as a share of the widest one's: empty paper behind a line is read, too.
const MIN_BATCH_WIDTH_RATIO: f32 = 0.9;
/// Height of the copies in which ink is searched for, in pixels.
const SEARCH_HEIGHT_PIXELS: usize = 48;
/// Margin around a place that is searched for ink, as a share of its height: the detector cuts off marks above and
/// below letters.
const SEARCH_MARGIN: f32 = 0.12;
/// Share of dark pixels above which a row has ink.
const MIN_INK_SHARE: f32 = 0.003;
/// Paper that is left around the ink, as a share of its height.
const INK_MARGIN: f32 = 0.12;
/// Height of the ink, as a share of its place, below which it is a rule or a speck and the place stays as it is.
const MIN_INK_HEIGHT: f32 = 0.3;

/// Character tables, as the build put them in; empty where they were not to be had.
static ALPHABETS: LazyLock<[Alphabet; 4]> = LazyLock::new(|| {
    [
        include_str!(concat!(env!("OUT_DIR"), "/ocr-cyrillic-alphabet.txt")),
        include_str!(concat!(env!("OUT_DIR"), "/ocr-hangul-alphabet.txt")),
        include_str!(concat!(env!("OUT_DIR"), "/ocr-devanagari-alphabet.txt")),
        include_str!(concat!(env!("OUT_DIR"), "/ocr-arabic-alphabet.txt")),
    ]
    .map(Alphabet::parse)
});

/// Name of the network of a script.
fn graph(script: Script) -> &'static str {
    match script {
        Script::Cyrillic => models::TEXT_CYRILLIC,
        Script::Hangul => models::TEXT_HANGUL,
        Script::Devanagari => models::TEXT_DEVANAGARI,
        Script::Arabic => models::TEXT_ARABIC,
    }
}

/// Character table of a script.
fn alphabet(script: Script) -> &'static Alphabet {
    &ALPHABETS[script as usize]
}

/// Height of a line in the network's input, in pixels.
fn input_height(script: Script) -> usize {
    match script {
        Script::Cyrillic | Script::Devanagari => 36,
        Script::Hangul | Script::Arabic => 48,
    }
}

/// Reads the text of each place in a script; empty where the time was up before or the model is not there, so that
/// without a model for a script its lines are unread.
///
/// # Errors
/// When the model fails.
pub fn read(
    context: &mut Context<'_>,
    script: Script,
    places: &[RotatedRect],
) -> Result<Vec<Transcription>, GraphError> {
    let mut written = vec![Transcription::default(); places.len()];
    if alphabet(script).is_empty() {
        return Ok(written);
    }
    let places: Vec<RotatedRect> = places.iter().map(|place| tight(context, place)).collect();
    let mut order: Vec<(usize, usize)> = places.iter().map(|place| width(script, place)).enumerate().collect();
    order.sort_by_key(|(_, width)| std::cmp::Reverse(*width));
    let mut rest = order.as_slice();
    while let Some((_, widest)) = rest.first() {
        if context.must_stop() {
            break;
        }
        let alike = |width: usize| width as f32 >= MIN_BATCH_WIDTH_RATIO * *widest as f32;
        let count = (1..=rest.len())
            .take_while(|count| *count == 1 || count * widest <= MAX_BATCH_WIDTH_PIXELS && alike(rest[count - 1].1))
            .last()
            .unwrap_or(1);
        let (batch, others) = rest.split_at(count);
        rest = others;
        let lines: Vec<_> = batch.iter().map(|(index, width)| (places[*index], *width)).collect();
        match read_batch(context, script, &lines) {
            Ok(read) => {
                for ((index, _), line) in batch.iter().zip(read) {
                    written[*index] = line;
                }
            }
            Err(GraphError::Missing { .. } | GraphError::Unknown(_)) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(written)
}

/// Shrinks a place to its ink with a small margin: the networks were trained with tight lines, and read marks into the
/// empty paper that the detector adds around the letters.
fn tight(context: &mut Context<'_>, place: &RotatedRect) -> RotatedRect {
    let place = RotatedRect {
        width: place.width + SEARCH_MARGIN * place.height,
        height: place.height * (1.0 + SEARCH_MARGIN),
        ..*place
    };
    let wide = (SEARCH_HEIGHT_PIXELS as f32 * place.width / place.height.max(1.0)).round() as usize;
    let wide = wide.clamp(SEARCH_HEIGHT_PIXELS, MAX_LINE_WIDTH_PIXELS);
    let light = light(&context.crop(&place, wide, SEARCH_HEIGHT_PIXELS));
    let dark = |row: usize| {
        light[row * wide..(row + 1) * wide]
            .iter()
            .filter(|value| **value < 0.0)
            .count()
    };
    let rows = span((0..SEARCH_HEIGHT_PIXELS).filter(|row| dark(*row) as f32 > MIN_INK_SHARE * wide as f32));
    let columns = span((0..wide).filter(|column| light.iter().skip(*column).step_by(wide).any(|value| *value < 0.0)));
    let (Some((top, bottom)), Some((left, right))) = (rows, columns) else {
        return place;
    };
    let (along, across) = (place.width / wide as f32, place.height / SEARCH_HEIGHT_PIXELS as f32);
    let height = (bottom - top) as f32 * across;
    if height < MIN_INK_HEIGHT * place.height {
        return place;
    }
    let off = Point::new(
        (left + right) as f32 / 2.0 * along - place.width / 2.0,
        (top + bottom) as f32 / 2.0 * across - place.height / 2.0,
    )
    .turned(place.angle);
    let margins = 2.0 * INK_MARGIN * height;
    RotatedRect {
        centre: Point::new(place.centre.x + off.x, place.centre.y + off.y),
        width: (right - left) as f32 * along + margins,
        height: height + margins,
        angle: place.angle,
    }
}

/// Range from the first of some numbers to the last, its end excluded.
fn span(mut numbers: impl Iterator<Item = usize>) -> Option<(usize, usize)> {
    let first = numbers.next()?;
    Some((first, numbers.last().unwrap_or(first) + 1))
}

/// Width of a line in the network's input, in pixels.
fn width(script: Script, place: &RotatedRect) -> usize {
    let width = input_height(script) as f32 * place.width / place.height.max(1.0);
    (width.round() as usize).clamp(STEP_PIXELS, MAX_LINE_WIDTH_PIXELS)
}

fn read_batch(
    context: &mut Context<'_>,
    script: Script,
    lines: &[(RotatedRect, usize)],
) -> Result<Vec<Transcription>, GraphError> {
    let widest = lines.iter().map(|(_, width)| *width).max().unwrap_or(STEP_PIXELS);
    let height = input_height(script);
    // Paper is 1.
    let mut input = vec![1.0; lines.len() * height * widest];
    for ((place, width), rows) in lines.iter().zip(input.chunks_exact_mut(height * widest)) {
        let light = light(&context.crop(place, *width, height));
        for (row, values) in rows.chunks_exact_mut(widest).zip(light.chunks_exact(*width)) {
            row[..*width].copy_from_slice(values);
        }
    }
    let shape = vec![lines.len(), 1, height, widest];
    let input = NamedTensor::new("line", models::tensor(shape, Data::F32(input))?);
    let output = context.graphs.run(graph(script), vec![input], &[])?.into_iter().next();
    let wrong = || GraphError::Failed(format!("`{}` gave no probabilities of its characters", graph(script)));
    let output = output.ok_or_else(wrong)?.tensor;
    let &[count, steps, codes] = output.shape() else {
        return Err(wrong());
    };
    if count != lines.len() || codes != alphabet(script).codes() || steps < widest / STEP_PIXELS {
        return Err(wrong());
    }
    let probabilities = output.as_f32().ok_or_else(wrong)?;
    let lines = lines.iter().zip(probabilities.chunks_exact((steps * codes).max(1)));
    Ok(lines
        .map(|((place, width), line)| {
            let characters = beam::read(&line[..(width / STEP_PIXELS).max(1) * codes], alphabet(script));
            transcription(script, &characters, place, *width)
        })
        .collect())
}

fn transcription(script: Script, characters: &[Character], place: &RotatedRect, width: usize) -> Transcription {
    if characters.is_empty() {
        return Transcription::default();
    }
    let texts: Vec<&str> = characters.iter().map(|character| character.text).collect();
    let text = match script {
        Script::Arabic => bidi::logical_order(&texts),
        _ => texts.concat(),
    };
    Transcription {
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        confidence: average(characters),
        script: Some(script),
        // Lines that are read from the right have no use for them.
        words: match script {
            Script::Arabic => Vec::new(),
            _ => words(characters, place, width),
        },
    }
}

fn average(characters: &[Character]) -> f32 {
    characters.iter().map(|character| character.probability).sum::<f32>() / characters.len().max(1) as f32
}

/// Words of a line at a place that was `width` pixels wide for the network: each goes from one space to the next.
fn words(characters: &[Character], place: &RotatedRect, width: usize) -> Vec<Word> {
    let is_space = |character: &Character| character.text.trim().is_empty();
    let share = |character: &Character| ((character.step as f32 + 0.5) * STEP_PIXELS as f32 / width as f32).min(1.0);
    let mut words = Vec::new();
    let mut from = 0.0;
    for word in characters.split_inclusive(is_space) {
        let (letters, to) = match word.split_last() {
            Some((last, letters)) if is_space(last) => (letters, share(last)),
            _ => (word, 1.0),
        };
        if !letters.is_empty() && to > from {
            let off = Point::new(((from + to) / 2.0 - 0.5) * place.width, 0.0).turned(place.angle);
            words.push(Word {
                text: letters.iter().map(|character| character.text).collect(),
                confidence: average(letters),
                place: RotatedRect {
                    centre: Point::new(place.centre.x + off.x, place.centre.y + off.y),
                    width: (to - from) * place.width,
                    ..*place
                },
            });
        }
        from = to;
    }
    words
}

/// Lightness of each pixel, from −1 for ink to 1 for paper. The levels of ink and paper are those of the middle row, as
/// in the networks' training: its dark and its light turning points.
fn light(line: &Picture) -> Vec<f32> {
    let grey = |rgb: &[u8]| (u32::from(rgb[0]) * 299 + u32::from(rgb[1]) * 587 + u32::from(rgb[2]) * 114 + 500) / 1000;
    let mut light: Vec<u8> = line.pixels().chunks_exact(3).map(|rgb| grey(rgb) as u8).collect();
    // There is more paper than ink: where most is darker than the average, the ink is light.
    let mut counts = [0usize; 256];
    light.iter().for_each(|value| counts[usize::from(*value)] += 1);
    let sum: usize = light.iter().map(|value| usize::from(*value)).sum();
    let mut seen = 0;
    let median = counts.iter().position(|count| {
        seen += count;
        2 * seen >= light.len()
    });
    if median.unwrap_or_default() * light.len() < sum {
        light.iter_mut().for_each(|value| *value = 255 - *value);
    }
    let middle = &light[line.height() / 2 * line.width()..][..line.width()];
    let (mut dark, mut bright) = (Vec::new(), Vec::new());
    for three in middle.windows(3) {
        let &[before, here, after] = three else { continue };
        if here < before && here <= after || here <= before && here < after {
            dark.push(here);
        }
        if here > before && here >= after || here >= before && here > after {
            bright.push(here);
        }
    }
    let black = first_quartile(dark).unwrap_or(0.0);
    let white = 255.0 - first_quartile(bright.iter().map(|value| 255 - value).collect()).unwrap_or(0.0);
    let half = if white > black { (white - black) / 2.0 } else { 1.0 };
    let values: [f32; 256] = std::array::from_fn(|value| ((value as f32 - black) / half - 1.0).clamp(-1.0, 1.0));
    light.into_iter().map(|value| values[usize::from(value)]).collect()
}

/// First quartile of values.
fn first_quartile(mut values: Vec<u8>) -> Option<f32> {
    values.sort_unstable();
    values.get(values.len() / 4).map(|value| f32::from(*value))
}
