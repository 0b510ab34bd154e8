//! Which recogniser reads which line. Most pictures have one script, and the first recogniser knows most of them: the others
//! are tried only where it reads badly, on a few lines, and what most of them say is tried on the rest.

use quartet_inference::GraphError;

use crate::characters::{Word, Written};
use crate::geometry::Slanted;
use crate::scripts::{self, Script};
use crate::sheet::Sheet;
use crate::{is_sparse, recognise};

/// Lines that are tried with every script.
const SAMPLE: usize = 3;
/// A line shows that a script is on the picture from here on. Printed lines do with 0.97 and more; rows of round things have
/// reached more than 0.86.
const SHOWS: f32 = 0.93;
/// With fewer letters it shows nothing.
const LETTERS: usize = 3;
/// Where a script is on the picture, a line speaks for it from here on.
const SPEAKS: f32 = 0.86;
/// There, what the first recogniser reads less surely than this may be in the script, too: in letters that look alike.
const ALIKE: f32 = 0.97;
/// A reading that is worth less than this is tried with other recognisers.
const DOUBTFUL: f32 = 0.8;
/// Another recogniser's reading must be worth more by this much.
const MARGIN: f32 = 0.02;
/// A reading with so many times as many characters shows that the other one passed letters over.
const FULLER: f32 = 1.2;
/// Letters that are not wide are on average so close: a line that has fewer for each time that it is as long as high may
/// have others between them.
const CLOSE: f32 = 1.4;
/// A word that is less sure than this, in a script whose recogniser reads no Latin letters, may be in Latin letters.
const UNSURE_WORD: f32 = 0.97;
/// It is, if the first recogniser is so sure.
const SURE_WORD: f32 = 0.9;
/// So many other scripts are looked for on one picture.
const SCRIPTS: usize = 3;
/// Lines that are tried with one other script.
const MOST: usize = 200;
/// Lines are read from the top of the page in runs of so many, so that what is not read when the time is up is its end.
const RUN: usize = 24;
/// What is not so many times as long as high says too little to find out a script.
const LONG: f32 = 2.0;

/// What a reading of a place is worth, 0 to 1: nothing if it has no letters or digits, or hardly any for its length.
pub fn worth(written: &Written, place: &Slanted) -> f32 {
    let says = written.text.chars().any(char::is_alphanumeric) && !is_sparse(&written.text, place);
    if says { written.confidence } else { 0.0 }
}

/// How much there is to read in a text: its characters but for spaces.
fn length(text: &str) -> usize {
    text.chars().filter(|character| !character.is_whitespace()).count()
}

/// Whether the first recogniser may have passed letters over that it does not know: it reads the digits and marks between
/// them, and is sure of those.
fn has_gaps(written: &Written, place: &Slanted) -> bool {
    let wide = |character: char| character >= '\u{2e80}';
    place.width >= LONG * place.height
        && !written.text.chars().any(wide)
        && (length(&written.text) as f32) < CLOSE * place.width / place.height.max(1.0)
}

/// Reads places, given from the top of the page. Most of them are in `script`; none: in one that the first recogniser knows.
///
/// # Errors
/// When a model is missing that all need, or one fails.
pub fn read(sheet: &mut Sheet<'_>, places: &[Slanted], script: Option<Script>) -> Result<Vec<Written>, GraphError> {
    let mut written = Vec::with_capacity(places.len());
    for run in places.chunks(RUN) {
        written.extend(match script {
            None => recognise::read(sheet, run)?,
            Some(script) => in_script(sheet, run, script)?,
        });
    }
    let mut left: Vec<Script> = Script::ALL.into_iter().filter(|other| Some(*other) != script).collect();
    for _ in 0..SCRIPTS {
        let doubtful = doubtful(&written, places);
        if doubtful.is_empty() || sheet.stopped() {
            break;
        }
        let doubtful_places: Vec<Slanted> = doubtful.iter().map(|index| places[*index]).collect();
        let Some((script, _)) = script_of(sheet, &doubtful_places, &left)? else {
            break;
        };
        left.retain(|other| *other != script);
        let tried = below(&written, places, ALIKE);
        let tried: Vec<usize> = (0..written.len())
            .filter(|index| doubtful.contains(index) || written[*index].script.is_none() && tried.contains(index))
            .collect();
        let tried_places: Vec<Slanted> = tried.iter().map(|index| places[*index]).collect();
        let read = scripts::read(sheet, script, &tried_places)?;
        for (index, other) in tried.into_iter().zip(read) {
            let before = &written[index];
            let more = script.speaks_for(&other) >= SPEAKS.max(worth(before, &places[index]) + MARGIN);
            // Its words of Latin letters and its numbers say nothing for a script, but that others stand between them does.
            let fuller = script.is_in(&other)
                && other.confidence >= SPEAKS
                && length(&other.text) as f32 > FULLER * length(&before.text) as f32;
            if more || fuller {
                written[index] = other;
            }
        }
    }
    latin_words(sheet, &mut written)?;
    Ok(written)
}

/// The places that were not read in a script of their own, and badly or not all of them.
fn doubtful(written: &[Written], places: &[Slanted]) -> Vec<usize> {
    let places = written.iter().zip(places).enumerate();
    let doubtful = places.filter(|(_, (written, place))| {
        worth(written, place) < DOUBTFUL || written.script.is_none() && has_gaps(written, place)
    });
    doubtful.map(|(index, _)| index).take(MOST).collect()
}

/// Has the first recogniser read those words that may be in Latin letters, in lines of scripts whose own does not know them.
fn latin_words(sheet: &mut Sheet<'_>, written: &mut [Written]) -> Result<(), GraphError> {
    let unsure = |word: &Word| {
        word.confidence < UNSURE_WORD && word.text.chars().filter(|character| character.is_alphabetic()).count() > 1
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
    words.truncate(MOST);
    let places: Vec<Slanted> = words.iter().map(|word| word.place).collect();
    let read = recognise::read(sheet, &places)?;
    for (word, read) in words.into_iter().zip(read) {
        let whole = length(&read.text) as f32 * FULLER >= length(&word.text) as f32;
        if whole && read.confidence >= SURE_WORD.max(word.confidence) && !is_sparse(&read.text, &word.place) {
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
fn in_script(sheet: &mut Sheet<'_>, places: &[Slanted], script: Script) -> Result<Vec<Written>, GraphError> {
    let mut written = scripts::read(sheet, script, places)?;
    let unsure = below(&written, places, script.sure());
    let unsure_places: Vec<Slanted> = unsure.iter().map(|index| places[*index]).collect();
    let first = recognise::read(sheet, &unsure_places)?;
    for (index, first) in unsure.into_iter().zip(first) {
        let own = &written[index];
        // Of a line in its letters the first recogniser gives the numbers and the marks, and is sure of them.
        let whole = length(&first.text) as f32 * FULLER >= length(&own.text) as f32;
        if worth(&first, &places[index]) > worth(own, &places[index]) && (whole || own.confidence < SPEAKS) {
            written[index] = first;
        }
    }
    Ok(written)
}

/// The places whose readings are worth less than `least`.
fn below(written: &[Written], places: &[Slanted], least: f32) -> Vec<usize> {
    let places = written.iter().zip(places).enumerate();
    places
        .filter(|(_, (written, place))| worth(written, place) < least)
        .map(|(index, _)| index)
        .take(MOST)
        .collect()
}

/// The script among `scripts` that places are in, by a sample of them, and how much that says for it. None if there is no
/// sign of one.
///
/// # Errors
/// When a model fails.
pub fn script_of(
    sheet: &mut Sheet<'_>,
    places: &[Slanted],
    scripts: &[Script],
) -> Result<Option<(Script, f32)>, GraphError> {
    let sample = sample(places, SAMPLE);
    // For each line of the sample the script that it speaks for.
    let mut best: Vec<Option<(Script, f32)>> = vec![None; sample.len()];
    for script in scripts {
        for (best, written) in best.iter_mut().zip(scripts::read(sheet, *script, &sample)?) {
            let says = script.speaks_for(&written);
            let letters = written.text.chars().filter(|character| character.is_alphabetic());
            if says >= SHOWS && letters.count() >= LETTERS && best.is_none_or(|(_, most)| says > most) {
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

/// Some of the places, which say most: long ones do, but very long ones take long.
pub fn sample(places: &[Slanted], count: usize) -> Vec<Slanted> {
    let score = |place: &Slanted| {
        let length = place.width / place.height.max(1.0);
        if length > 16.0 { 16.0 / length } else { length }
    };
    let mut sample: Vec<Slanted> = places
        .iter()
        .copied()
        .filter(|place| place.width >= LONG * place.height)
        .collect();
    sample.sort_by(|a, b| score(b).total_cmp(&score(a)));
    sample.truncate(count);
    sample
}
