//! Choice of the recogniser for each line. Most pictures have one script, and the first recogniser knows most of them:
//! the others are tried only where it reads badly, on a few lines, and what most of them say is tried on the rest.

use quartet_inference::GraphError;

use crate::context::Context;
use crate::geometry::RotatedRect;
use crate::plausibility::is_sparse;
use crate::script::Script;
use crate::transcription::{Transcription, Word, length};
use crate::{recognise, tesseract};

/// Lines that are tried with every script.
const SAMPLE_LINES: usize = 3;
/// Evidence of a line from which on its script is on the picture. Printed lines do with 0.97 and more; rows of round
/// things have reached more than 0.86.
const SCRIPT_EVIDENCE_THRESHOLD: f32 = 0.93;
/// Least number of letters of a line that shows a script.
const MIN_EVIDENCE_LETTERS: usize = 3;
/// Evidence from which on a line is in a script that is known to be on the picture.
const LINE_EVIDENCE_THRESHOLD: f32 = 0.86;
/// Score of the first recogniser below which a line may be in such a script, too: in letters that look alike.
const LOOKALIKE_SCORE: f32 = 0.97;
/// Score below which a line is tried with other recognisers.
const DOUBTFUL_SCORE: f32 = 0.8;
/// Score by which another recogniser's reading must be better.
const SCORE_MARGIN: f32 = 0.02;
/// Ratio of characters from which on a reading shows that the other one passed letters over.
const FULLER_LENGTH_RATIO: f32 = 1.2;
/// Letters per height of a line, for letters that are not wide: a line that has fewer may have others between them.
const MIN_LETTERS_PER_HEIGHT: f32 = 1.4;
/// Confidence below which a word, in a script whose recogniser reads no Latin letters, may be in Latin letters.
const UNSURE_WORD_CONFIDENCE: f32 = 0.97;
/// Confidence of the first recogniser from which on it is.
const LATIN_WORD_CONFIDENCE: f32 = 0.9;
/// Most other scripts that are looked for on one picture.
const MAX_OTHER_SCRIPTS: usize = 3;
/// Most lines that are tried with one other script.
const MAX_RETRIED_LINES: usize = 200;
/// Lines of a batch. Batches are read from the top of the page, so that what is not read when the time is up is its
/// end.
const BATCH_LINES: usize = 24;
/// Width over height below which a line says too little to find out a script.
const MIN_SAMPLE_ASPECT: f32 = 2.0;
/// Width over height of the lines that are sampled first.
const BEST_SAMPLE_ASPECT: f32 = 16.0;

/// Score of a reading, 0 to 1: its confidence, or 0 if it has no letters or digits, or hardly any for its length.
pub fn score(written: &Transcription, place: &RotatedRect) -> f32 {
    let says = written.text.chars().any(char::is_alphanumeric) && !is_sparse(&written.text, place);
    if says { written.confidence } else { 0.0 }
}

/// Returns true if the first recogniser may have passed over letters that it does not know: it reads the digits and
/// marks between them, and is sure of those.
fn has_gaps(written: &Transcription, place: &RotatedRect) -> bool {
    let wide = |character: char| character >= '\u{2e80}';
    place.width >= MIN_SAMPLE_ASPECT * place.height
        && !written.text.chars().any(wide)
        && (length(&written.text) as f32) < MIN_LETTERS_PER_HEIGHT * place.width / place.height.max(1.0)
}

/// Reads places, given from the top of the page. `script` is that of most of them; none for one that the first
/// recogniser knows.
///
/// # Errors
/// When a model is missing that all need, or one fails.
pub fn read(
    context: &mut Context<'_>,
    places: &[RotatedRect],
    script: Option<Script>,
) -> Result<Vec<Transcription>, GraphError> {
    let mut written = Vec::with_capacity(places.len());
    for batch in places.chunks(BATCH_LINES) {
        written.extend(match script {
            None => recognise::read(context, batch)?,
            Some(script) => in_script(context, batch, script)?,
        });
    }
    let mut left: Vec<Script> = Script::ALL.into_iter().filter(|other| Some(*other) != script).collect();
    for _ in 0..MAX_OTHER_SCRIPTS {
        let doubtful = doubtful(&written, places);
        if doubtful.is_empty() || context.stopped() {
            break;
        }
        let doubtful_places: Vec<RotatedRect> = doubtful.iter().map(|index| places[*index]).collect();
        let Some((script, _)) = detect_script(context, &doubtful_places, &left)? else {
            break;
        };
        left.retain(|other| *other != script);
        let tried = below(&written, places, LOOKALIKE_SCORE);
        let tried: Vec<usize> = (0..written.len())
            .filter(|index| doubtful.contains(index) || written[*index].script.is_none() && tried.contains(index))
            .collect();
        let tried_places: Vec<RotatedRect> = tried.iter().map(|index| places[*index]).collect();
        let read = tesseract::read(context, script, &tried_places)?;
        for (index, other) in tried.into_iter().zip(read) {
            let before = &written[index];
            let more =
                other.evidence_for(script) >= LINE_EVIDENCE_THRESHOLD.max(score(before, &places[index]) + SCORE_MARGIN);
            // Its words of Latin letters and its numbers say nothing for a script, but that others stand between them
            // does.
            let fuller = other.has_letters_of(script)
                && other.confidence >= LINE_EVIDENCE_THRESHOLD
                && length(&other.text) as f32 > FULLER_LENGTH_RATIO * length(&before.text) as f32;
            if more || fuller {
                written[index] = other;
            }
        }
    }
    latin_words(context, &mut written)?;
    Ok(written)
}

/// Places that the first recogniser read badly or not to their end.
fn doubtful(written: &[Transcription], places: &[RotatedRect]) -> Vec<usize> {
    let places = written.iter().zip(places).enumerate();
    let doubtful = places.filter(|(_, (written, place))| {
        score(written, place) < DOUBTFUL_SCORE || written.script.is_none() && has_gaps(written, place)
    });
    doubtful.map(|(index, _)| index).take(MAX_RETRIED_LINES).collect()
}

/// Lets the first recogniser read the words that may be in Latin letters, in lines of scripts whose own recogniser does
/// not know them.
fn latin_words(context: &mut Context<'_>, written: &mut [Transcription]) -> Result<(), GraphError> {
    let unsure = |word: &Word| {
        word.confidence < UNSURE_WORD_CONFIDENCE
            && word.text.chars().filter(|character| character.is_alphabetic()).count() > 1
    };
    let mut words: Vec<&mut Word> = Vec::new();
    for line in written.iter_mut() {
        if line.script.is_some_and(|script| !script.reads_latin()) {
            words.extend(line.words.iter_mut().filter(|word| unsure(word)));
        }
    }
    if words.is_empty() {
        return Ok(());
    }
    words.truncate(MAX_RETRIED_LINES);
    let places: Vec<RotatedRect> = words.iter().map(|word| word.place).collect();
    let read = recognise::read(context, &places)?;
    for (word, read) in words.into_iter().zip(read) {
        let whole = length(&read.text) as f32 * FULLER_LENGTH_RATIO >= length(&word.text) as f32;
        if whole && read.confidence >= LATIN_WORD_CONFIDENCE.max(word.confidence) && !is_sparse(&read.text, &word.place)
        {
            (word.text, word.confidence) = (read.text, read.confidence);
        }
    }
    for line in written.iter_mut().filter(|line| !line.words.is_empty()) {
        let texts: Vec<&str> = line.words.iter().map(|word| word.text.as_str()).collect();
        line.text = texts.join(" ");
    }
    Ok(())
}

/// Reads places of a page in a script; the first recogniser reads what may be in others.
fn in_script(
    context: &mut Context<'_>,
    places: &[RotatedRect],
    script: Script,
) -> Result<Vec<Transcription>, GraphError> {
    let mut written = tesseract::read(context, script, places)?;
    let unsure = below(&written, places, script.sufficient_confidence());
    let unsure_places: Vec<RotatedRect> = unsure.iter().map(|index| places[*index]).collect();
    let first = recognise::read(context, &unsure_places)?;
    for (index, first) in unsure.into_iter().zip(first) {
        let own = &written[index];
        // Of a line in its letters the first recogniser gives the numbers and the marks, and is sure of them.
        let whole = length(&first.text) as f32 * FULLER_LENGTH_RATIO >= length(&own.text) as f32;
        if score(&first, &places[index]) > score(own, &places[index])
            && (whole || own.confidence < LINE_EVIDENCE_THRESHOLD)
        {
            written[index] = first;
        }
    }
    Ok(written)
}

/// Places whose readings score less than `least`.
fn below(written: &[Transcription], places: &[RotatedRect], least: f32) -> Vec<usize> {
    let places = written.iter().zip(places).enumerate();
    places
        .filter(|(_, (written, place))| score(written, place) < least)
        .map(|(index, _)| index)
        .take(MAX_RETRIED_LINES)
        .collect()
}

/// Detects the script that places are in, by a sample of them, and the average evidence for it; none if there is no
/// sign of one.
///
/// # Errors
/// When a model fails.
pub fn detect_script(
    context: &mut Context<'_>,
    places: &[RotatedRect],
    scripts: &[Script],
) -> Result<Option<(Script, f32)>, GraphError> {
    let sample = sample(places, SAMPLE_LINES);
    // For each line of the sample the script that it speaks for.
    let mut best: Vec<Option<(Script, f32)>> = vec![None; sample.len()];
    for script in scripts {
        for (best, written) in best.iter_mut().zip(tesseract::read(context, *script, &sample)?) {
            let says = written.evidence_for(*script);
            let letters = written.text.chars().filter(|character| character.is_alphabetic());
            if says >= SCRIPT_EVIDENCE_THRESHOLD
                && letters.count() >= MIN_EVIDENCE_LETTERS
                && best.is_none_or(|(_, most)| says > most)
            {
                *best = Some((*script, says));
            }
        }
    }
    let sums = scripts.iter().map(|script| {
        let says = best.iter().flatten().filter(|(other, _)| other == script);
        (*script, says.map(|(_, says)| says).sum::<f32>())
    });
    let most = sums.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, sum)| *sum > 0.0);
    Ok(most.map(|(script, sum)| (script, sum / sample.len() as f32)))
}

/// Picks the places that say most: long ones do, but very long ones take long.
pub fn sample(places: &[RotatedRect], count: usize) -> Vec<RotatedRect> {
    let rank = |place: &RotatedRect| {
        let length = place.width / place.height.max(1.0);
        if length > BEST_SAMPLE_ASPECT {
            BEST_SAMPLE_ASPECT / length
        } else {
            length
        }
    };
    let mut sample: Vec<RotatedRect> = places
        .iter()
        .copied()
        .filter(|place| place.width >= MIN_SAMPLE_ASPECT * place.height)
        .collect();
    sample.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    sample.truncate(count);
    sample
}
