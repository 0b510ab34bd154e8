//! Lines in scripts that the first recogniser has no letters for: each has a recogniser of its own, which is one of
//! Tesseract's small recurrent networks.

mod alphabet;
mod beam;
pub mod logical;

use std::sync::LazyLock;

use quartet_inference::{Data, GraphError, NamedTensor};

use crate::Picture;
use crate::characters::{Word, Written};
use crate::geometry::{Point, Slanted};
use crate::models;
use crate::sheet::Sheet;
use alphabet::Alphabet;
use beam::Character;

/// Pixels of a line for each step of a network.
const STEP: usize = 3;
/// Beyond this a line is squeezed, in pixels.
const WIDEST: usize = 3_000;
/// Width of all lines of one run together, in pixels: this bounds what a run needs to 20 MB or so.
const RUN: usize = 3_000;
/// Lines of one run are at least this share of the widest one's width: empty paper behind a line is read, too.
const ALIKE: f32 = 0.9;
/// Places are looked at in copies of this height first, in pixels, to find their ink.
const LOOK: usize = 48;
/// As a part of their height, what is looked at beyond them: the detector cuts marks above and below letters off.
const BEYOND: f32 = 0.12;
/// A row with a larger share of dark pixels than this has ink.
const INK: f32 = 0.003;
/// Paper that is left around the ink, as a part of its height.
const MARGIN: f32 = 0.12;
/// Ink that is lower than this part of its place is a rule or a speck, and the place stays as it is.
const LOWEST: f32 = 0.3;

/// A script with a recogniser of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Of Russian and others.
    Cyrillic,
    /// Of Korean.
    Hangul,
    /// Of Hindi and others.
    Devanagari,
    /// Of Arabic, Persian and others.
    Arabic,
}

/// The tables of characters, as the build put them in; empty where they were not to be had.
static ALPHABETS: LazyLock<[Alphabet; 4]> = LazyLock::new(|| {
    [
        include_str!(concat!(env!("OUT_DIR"), "/ocr-cyrillic-alphabet.txt")),
        include_str!(concat!(env!("OUT_DIR"), "/ocr-hangul-alphabet.txt")),
        include_str!(concat!(env!("OUT_DIR"), "/ocr-devanagari-alphabet.txt")),
        include_str!(concat!(env!("OUT_DIR"), "/ocr-arabic-alphabet.txt")),
    ]
    .map(Alphabet::parse)
});

impl Script {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Cyrillic, Self::Hangul, Self::Devanagari, Self::Arabic];

    fn graph(self) -> &'static str {
        match self {
            Self::Cyrillic => models::TEXT_CYRILLIC,
            Self::Hangul => models::TEXT_HANGUL,
            Self::Devanagari => models::TEXT_DEVANAGARI,
            Self::Arabic => models::TEXT_ARABIC,
        }
    }

    fn alphabet(self) -> &'static Alphabet {
        &ALPHABETS[self as usize]
    }

    /// The height of a line in the network's input, in pixels.
    fn height(self) -> usize {
        match self {
            Self::Cyrillic | Self::Devanagari => 36,
            Self::Hangul | Self::Arabic => 48,
        }
    }

    /// Whether a character belongs to it.
    fn has(self, character: char) -> bool {
        match self {
            Self::Cyrillic => matches!(character, '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}'),
            Self::Hangul => {
                matches!(character, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}')
            }
            Self::Devanagari => matches!(character, '\u{900}'..='\u{97f}' | '\u{a8e0}'..='\u{a8ff}'),
            Self::Arabic => logical::is_right_to_left(character),
        }
    }

    /// Whether its recogniser reads Latin letters, too. That of Cyrillic writes them in those of its own that look alike.
    pub fn reads_latin(self) -> bool {
        self != Self::Cyrillic
    }

    /// A line that it reads as surely as this needs no other recogniser.
    pub fn sure(self) -> f32 {
        if self.reads_latin() { 0.9 } else { 0.985 }
    }

    /// Whether some of the letters are its own.
    pub fn is_in(self, written: &Written) -> bool {
        written
            .text
            .chars()
            .any(|character| character.is_alphabetic() && self.has(character))
    }

    /// What a reading says for the script, 0 to 1: how sure it is, times the share of its letters among the letters.
    pub fn speaks_for(self, written: &Written) -> f32 {
        let letters = written
            .text
            .chars()
            .filter(|character| character.is_alphabetic())
            .count();
        let own = written
            .text
            .chars()
            .filter(|character| character.is_alphabetic() && self.has(*character))
            .count();
        if letters == 0 {
            return 0.0;
        }
        written.confidence * own as f32 / letters as f32
    }
}

/// What is written in each place, in this script. Nothing where the time was up before, or the model is not there: who has
/// no model for a script gets its lines as unread.
///
/// # Errors
/// When the model fails.
pub fn read(sheet: &mut Sheet<'_>, script: Script, places: &[Slanted]) -> Result<Vec<Written>, GraphError> {
    let mut written = vec![Written::default(); places.len()];
    if script.alphabet().is_empty() {
        return Ok(written);
    }
    let places: Vec<Slanted> = places.iter().map(|place| core(sheet, place)).collect();
    let mut order: Vec<(usize, usize)> = places.iter().map(|place| width(script, place)).enumerate().collect();
    order.sort_by_key(|(_, width)| std::cmp::Reverse(*width));
    let mut rest = order.as_slice();
    while let Some((_, widest)) = rest.first() {
        if sheet.must_stop() {
            break;
        }
        let alike = |width: usize| width as f32 >= ALIKE * *widest as f32;
        let count = (1..=rest.len())
            .take_while(|count| *count == 1 || count * widest <= RUN && alike(rest[count - 1].1))
            .last()
            .unwrap_or(1);
        let (run, others) = rest.split_at(count);
        rest = others;
        let lines: Vec<_> = run.iter().map(|(index, width)| (places[*index], *width)).collect();
        match compute(sheet, script, &lines) {
            Ok(read) => {
                for ((index, _), line) in run.iter().zip(read) {
                    written[*index] = line;
                }
            }
            Err(GraphError::Missing { .. } | GraphError::Unknown(_)) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(written)
}

/// The place without the empty paper that the detector adds around the letters, but for a little: the networks were
/// trained with tight lines, and read marks into what is beyond.
fn core(sheet: &mut Sheet<'_>, place: &Slanted) -> Slanted {
    let place = Slanted {
        width: place.width + BEYOND * place.height,
        height: place.height * (1.0 + BEYOND),
        ..*place
    };
    let wide = (LOOK as f32 * place.width / place.height.max(1.0)).round() as usize;
    let wide = wide.clamp(LOOK, WIDEST);
    let light = light(&sheet.cut(&place, wide, LOOK));
    let dark = |row: usize| {
        light[row * wide..(row + 1) * wide]
            .iter()
            .filter(|value| **value < 0.0)
            .count()
    };
    let rows = ends((0..LOOK).filter(|row| dark(*row) as f32 > INK * wide as f32));
    let columns = ends((0..wide).filter(|column| light.iter().skip(*column).step_by(wide).any(|value| *value < 0.0)));
    let (Some((top, bottom)), Some((left, right))) = (rows, columns) else {
        return place;
    };
    let (along, across) = (place.width / wide as f32, place.height / LOOK as f32);
    let height = (bottom - top) as f32 * across;
    if height < LOWEST * place.height {
        return place;
    }
    let off = Point::new(
        (left + right) as f32 / 2.0 * along - place.width / 2.0,
        (top + bottom) as f32 / 2.0 * across - place.height / 2.0,
    )
    .turned(place.angle);
    let margins = 2.0 * MARGIN * height;
    Slanted {
        centre: Point::new(place.centre.x + off.x, place.centre.y + off.y),
        width: (right - left) as f32 * along + margins,
        height: height + margins,
        angle: place.angle,
    }
}

/// The first of some numbers, and one more than the last.
fn ends(mut numbers: impl Iterator<Item = usize>) -> Option<(usize, usize)> {
    let first = numbers.next()?;
    Some((first, numbers.last().unwrap_or(first) + 1))
}

/// The width of a line in the network's input, in pixels.
fn width(script: Script, place: &Slanted) -> usize {
    let width = script.height() as f32 * place.width / place.height.max(1.0);
    (width.round() as usize).clamp(STEP, WIDEST)
}

fn compute(sheet: &mut Sheet<'_>, script: Script, lines: &[(Slanted, usize)]) -> Result<Vec<Written>, GraphError> {
    let widest = lines.iter().map(|(_, width)| *width).max().unwrap_or(STEP);
    let height = script.height();
    // Paper is 1.
    let mut input = vec![1.0; lines.len() * height * widest];
    for ((place, width), rows) in lines.iter().zip(input.chunks_exact_mut(height * widest)) {
        let light = light(&sheet.cut(place, *width, height));
        for (row, values) in rows.chunks_exact_mut(widest).zip(light.chunks_exact(*width)) {
            row[..*width].copy_from_slice(values);
        }
    }
    let shape = vec![lines.len(), 1, height, widest];
    let input = NamedTensor::new("line", models::tensor(shape, Data::F32(input))?);
    let output = sheet.graphs.run(script.graph(), vec![input], &[])?.into_iter().next();
    let wrong = || GraphError::Failed(format!("`{}` gave no probabilities of its characters", script.graph()));
    let output = output.ok_or_else(wrong)?.tensor;
    let &[count, steps, codes] = output.shape() else {
        return Err(wrong());
    };
    if count != lines.len() || codes != script.alphabet().codes() || steps < widest / STEP {
        return Err(wrong());
    }
    let probabilities = output.as_f32().ok_or_else(wrong)?;
    let lines = lines.iter().zip(probabilities.chunks_exact((steps * codes).max(1)));
    Ok(lines
        .map(|((place, width), line)| {
            let characters = beam::read(&line[..(width / STEP).max(1) * codes], script.alphabet());
            written(script, &characters, place, *width)
        })
        .collect())
}

fn written(script: Script, characters: &[Character], place: &Slanted, width: usize) -> Written {
    if characters.is_empty() {
        return Written::default();
    }
    let texts: Vec<&str> = characters.iter().map(|character| character.text).collect();
    let text = match script {
        Script::Arabic => logical::order(&texts),
        _ => texts.concat(),
    };
    Written {
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        confidence: average(characters),
        script: Some(script),
        // Who reads from the right has no need of them.
        words: match script {
            Script::Arabic => Vec::new(),
            _ => words(characters, place, width),
        },
    }
}

fn average(characters: &[Character]) -> f32 {
    characters.iter().map(|character| character.probability).sum::<f32>() / characters.len().max(1) as f32
}

/// The words of a line that is at a place and was `width` pixels wide for the network: each goes from one space to the next.
fn words(characters: &[Character], place: &Slanted, width: usize) -> Vec<Word> {
    let is_space = |character: &Character| character.text.trim().is_empty();
    let share = |character: &Character| ((character.step as f32 + 0.5) * STEP as f32 / width as f32).min(1.0);
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
                place: Slanted {
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

/// How light each pixel is, from −1 for ink to 1 for paper. What ink and paper are is seen in the middle row, as the
/// networks' training did: its dark and its light turning points.
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
    let black = quarter(dark).unwrap_or(0.0);
    let white = 255.0 - quarter(bright.iter().map(|value| 255 - value).collect()).unwrap_or(0.0);
    let half = if white > black { (white - black) / 2.0 } else { 1.0 };
    let values: [f32; 256] = std::array::from_fn(|value| ((value as f32 - black) / half - 1.0).clamp(-1.0, 1.0));
    light.into_iter().map(|value| values[usize::from(value)]).collect()
}

/// What a quarter of the values is below.
fn quarter(mut values: Vec<u8>) -> Option<f32> {
    values.sort_unstable();
    values.get(values.len() / 4).map(|value| f32::from(*value))
}
