//! Readings of Chinese text (grapheme to phoneme): characters to pinyin with the tones that are said.
//!
//! Many characters have several readings (行 is *háng* in 银行 and *xíng* in 行走). The longest known phrase that begins at a
//! character decides, else the character's usual reading (`readings`); then the tones change by their neighbours
//! (`tones`). Phrases are known in traditional characters, too. The phrases are part of the program; their terms are in the file `NOTICE`.
//!
//! ```
//! let said: Vec<_> = quartet_chinese_g2p::reading("在银行里走一步").map(|(_, said)| said.unwrap().to_string()).collect();
//! assert_eq!(said.join(" "), "zai4 yin2 hang2 li2 zou3 yi2 bu4");
//! ```

mod readings;
mod syllable;
#[cfg(test)]
mod tests;
mod tones;

use std::cmp::Ordering;

pub use syllable::Syllable;

/// Readings other than those of the crate `pinyin`, which reads characters one by one: a line each with a phrase or character,
/// a tabulator, and syllables with a space between them. In the order of their bytes; made by the build script.
static PHRASES: &str = include_str!(concat!(env!("OUT_DIR"), "/phrases.tsv"));

/// Traditional characters with the simplified ones that they have become, in their order; made by the build script.
static SIMPLIFIED: &[(char, char)] = include!(concat!(env!("OUT_DIR"), "/simplified.rs"));

/// The characters of a text, with the readings of those that have one.
///
/// Time and memory are in proportion to the text's length.
pub fn reading(text: &str) -> impl Iterator<Item = (char, Option<Syllable>)> {
    let mut readings = readings::readings_by(text, phrase, simplified);
    tones::settle(&mut readings);
    readings.into_iter()
}

/// What a traditional character has become; all others are what they are.
fn simplified(character: char) -> char {
    let found = SIMPLIFIED.binary_search_by_key(&character, |(traditional, _)| *traditional);
    found.map_or(character, |at| SIMPLIFIED[at].1)
}

/// All phrases and characters of the table, with their readings before tones change: for tests of what is made of them.
pub fn phrases() -> impl Iterator<Item = (&'static str, Vec<Syllable>)> {
    PHRASES.lines().filter_map(|line| {
        let (phrase, reading) = line.split_once('\t')?;
        Some((phrase, reading.split(' ').map(Syllable::new).collect()))
    })
}

/// The reading of a phrase of the table, by halving it until one line is left.
fn phrase(wanted: &str) -> Option<&'static str> {
    let mut rest = PHRASES;
    while !rest.is_empty() {
        let line = rest.as_bytes()[..rest.len() / 2]
            .iter()
            .rposition(|byte| *byte == b'\n');
        let (before, from) = rest.split_at(line.map_or(0, |at| at + 1));
        let (line, after) = from.split_once('\n')?;
        let (found, reading) = line.split_once('\t')?;
        rest = match wanted.cmp(found) {
            Ordering::Less => before,
            Ordering::Equal => return Some(reading),
            Ordering::Greater => after,
        };
    }
    None
}
