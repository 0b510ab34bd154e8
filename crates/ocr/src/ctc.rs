//! CTC best-path decoding of PP-OCR's recogniser, and its alphabet.

use std::sync::LazyLock;

use crate::transcription::Transcription;

/// Characters in the model's order, one a line. The model has a class for "blank" before them and one for the space
/// behind them.
static FILE: &str = include_str!(concat!(env!("OUT_DIR"), "/ocr-alphabet.txt"));

static ALPHABET: LazyLock<Vec<&str>> = LazyLock::new(|| FILE.lines().collect());

/// Characters of the recogniser; none where the component was built without them.
pub fn alphabet() -> &'static [&'static str] {
    &ALPHABET
}

/// Decodes one line of the model's output, a probability for each class at each step: of each step the most probable
/// class, without repetitions and without blanks (connectionist temporal classification, best path).
pub fn decode(steps: &[f32], alphabet: &[&str]) -> Transcription {
    let mut written = Transcription::default();
    let (mut before, mut characters) = (0, 0);
    for step in steps.chunks_exact(alphabet.len() + 2) {
        let (class, probability) = most_probable(step);
        if class != 0 && class != before {
            written.text.push_str(alphabet.get(class - 1).copied().unwrap_or(" "));
            written.confidence += probability;
            characters += 1;
        }
        before = class;
    }
    if characters > 0 {
        written.confidence /= characters as f32;
    }
    let trimmed = written.text.trim();
    if trimmed.len() != written.text.len() {
        written.text = trimmed.to_owned();
    }
    written
}

/// Class with the highest probability. In two passes: finding the largest value is done in vectors, finding its place
/// among 18,000 is not.
fn most_probable(step: &[f32]) -> (usize, f32) {
    let mut lanes = [f32::NEG_INFINITY; 8];
    let chunks = step.chunks_exact(8);
    let mut largest = chunks.remainder().iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = if *value > *lane { *value } else { *lane };
        }
    }
    largest = lanes.into_iter().fold(largest, f32::max);
    let class = step.iter().position(|value| *value == largest).unwrap_or(0);
    (class, largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

    fn written(classes: &[usize]) -> Transcription {
        let of = LETTERS.len() + 2;
        let mut steps = vec![0.0; classes.len() * of];
        for (step, class) in classes.iter().enumerate() {
            steps[step * of + class] = 0.5;
        }
        decode(&steps, &LETTERS)
    }

    #[test]
    fn repetitions_and_nothing_are_left_out() {
        let line = written(&[0, 1, 1, 0, 1, 9, 9, 10, 2, 10, 0]);
        assert_eq!(line.text, "aai b");
        assert!((line.confidence - 0.5).abs() < 0.001);
        assert_eq!(written(&[0, 0]), Transcription::default());
    }
}
