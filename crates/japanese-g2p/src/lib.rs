//! Readings of Japanese text (grapheme to phoneme): kanji, numbers and counters in katakana, by a dictionary.
//!
//! Speech engines read kana only. Text is brought into the dictionary's spelling (`normalise`), cut into sentences
//! (`sentences`) and these into words (`lattice` over the `dictionary`); `phrases` says the words together and
//! `kana` keeps to the combinations that the engine of Quartet reads. The dictionary is part of the program; its terms
//! are in the file `NOTICE`.
//!
//! ```
//! let reading = quartet_japanese_g2p::reading("日本語で三人に話します。");
//! assert_eq!(reading.replace(' ', ""), "ニホンゴデサンニンニハナシマス。");
//! ```
//!
//! Not here: other scripts than the Japanese ones. Text in them shall be cut out before; single Latin letters are spelt.

mod dictionary;
mod kana;
mod lattice;
mod normalise;
mod phrases;
mod sentences;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use dictionary::Dictionary;

/// Made by `cargo xtask setup`, which also names it in the environment of the compiler.
static BYTES: &[u8] = include_bytes!(env!(
    "QUARTET_JA_DICTIONARY",
    "the Japanese dictionary is not there: build with `cargo xtask build`, which gets and names it, or run `cargo xtask setup` \
     and set QUARTET_JA_DICTIONARY to the path of the file"
));

static DICTIONARY: LazyLock<Dictionary> = LazyLock::new(|| Dictionary::open(BYTES));

/// Opens the dictionary now, so that it can be part of a snapshot. The rules for numbers are not loaded: their tables
/// are hash maps with random seeds, which a snapshot would freeze.
pub fn init() {
    LazyLock::force(&DICTIONARY);
}

/// Japanese text as it is read: in katakana, with ー for long vowels, particles as they sound, a space between phrases, and
/// every mark of punctuation where it stood (in its full-width form).
///
/// Nothing is dropped: a kanji without any known reading is called ゲタ. Time and memory are in proportion to the text's
/// length.
pub fn reading(text: &str) -> String {
    let text = normalise::normalise(text);
    let mut said = String::with_capacity(text.len());
    for sentence in sentences::sentences(&text) {
        let words = lattice::words(&DICTIONARY, sentence);
        said.push_str(&phrases::say(&DICTIONARY, sentence, &words));
    }
    said
}
