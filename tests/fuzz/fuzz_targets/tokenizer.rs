//! Fuzz target: any text becomes pieces of a vocabulary that put it together again, and no others would do so at a better score.
//!
//! The vocabulary is built here, out of words of the Declaration of Human Rights: the real one comes
//! with a model.

#![no_main]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use normalise::{SPACE, normalise};
use quartet_embeddings::Tokenizer;

#[allow(unreachable_pub)]
#[path = "../../../crates/embeddings/src/normalise.rs"]
mod normalise;

/// Texts whose words are pieces.
const TEXTS: [&str; 4] = [
    include_str!("../../data/declaration/en.txt"),
    include_str!("../../data/declaration/de.txt"),
    include_str!("../../data/declaration/ja.txt"),
    include_str!("../../data/declaration/hi.txt"),
];
/// Bytes of each text that are looked at.
const TEXT_BYTES: usize = 2_000;
/// The number of what is no piece.
const UNKNOWN: u32 = 3;
/// The first number of a piece.
const FIRST: u32 = 4;
/// Score of what is no piece.
const UNKNOWN_SCORE: f32 = -20.0;
/// Characters that are in no short piece, so that some are unknown.
const LEFT_OUT: [char; 4] = ['q', 'ß', '権', '%'];

struct Vocabulary {
    /// Pieces with their scores; the place is the number less [`FIRST`].
    pieces: Vec<(String, f32)>,
    scores: HashMap<String, f32>,
    /// Bytes of the longest piece.
    longest: usize,
    bytes: Vec<u8>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut words = BTreeSet::from([SPACE.to_string()]);
    for text in TEXTS {
        let end = text.floor_char_boundary(TEXT_BYTES);
        for word in normalise(&text[..end]).split_inclusive(SPACE) {
            let word = format!("{SPACE}{}", word.trim_end_matches(SPACE));
            let chars: Vec<char> = word.chars().collect();
            words.extend(chars.iter().map(char::to_string));
            words.extend(chars.windows(2).map(String::from_iter));
            words.extend(chars.windows(3).map(String::from_iter));
            words.insert(word);
        }
    }
    words.retain(|word| !word.is_empty() && !word.contains(LEFT_OUT) || word.chars().count() > 3);
    // Longer pieces are likelier than their parts, and the scores differ.
    let score = |place: usize, word: &str| -6.0 - (place % 61) as f32 / 16.0 - word.chars().count() as f32 / 4.0;
    let pieces: Vec<(String, f32)> = words
        .into_iter()
        .enumerate()
        .map(|(place, word)| (word.clone(), score(place, &word)))
        .collect();
    let mut bytes = Vec::new();
    let count = u32::try_from(pieces.len()).expect("there are few");
    bytes.extend(count.to_le_bytes());
    bytes.extend(UNKNOWN.to_le_bytes());
    bytes.extend(UNKNOWN_SCORE.to_le_bytes());
    bytes.extend((FIRST..FIRST + count).flat_map(u32::to_le_bytes));
    bytes.extend(pieces.iter().flat_map(|(_, score)| score.to_le_bytes()));
    let mut map = fst::raw::Builder::memory();
    for (place, (word, _)) in pieces.iter().enumerate() {
        map.insert(word, place as u64).expect("they are in order");
    }
    bytes.extend(map.into_inner().expect("a map in memory"));
    Vocabulary {
        scores: pieces.iter().cloned().collect(),
        longest: pieces.iter().map(|(word, _)| word.len()).max().unwrap_or_default(),
        pieces,
        bytes,
    }
});

/// The best score of a text, by way of every piece at every place.
fn best(normal: &str, vocabulary: &Vocabulary) -> f32 {
    let mut scores = vec![f32::NEG_INFINITY; normal.len() + 1];
    scores[0] = 0.0;
    for (from, c) in normal.char_indices() {
        let before = scores[from];
        let after = from + c.len_utf8();
        let ends = normal[from..]
            .char_indices()
            .map(|(offset, next)| from + offset + next.len_utf8());
        for end in ends.take_while(|end| *end <= from + vocabulary.longest) {
            if let Some(score) = vocabulary.scores.get(&normal[from..end]) {
                scores[end] = scores[end].max(before + score);
            }
        }
        if !vocabulary.scores.contains_key(&normal[from..after]) {
            scores[after] = scores[after].max(before + UNKNOWN_SCORE);
        }
    }
    scores[normal.len()]
}

/// The best score by which the pieces with these numbers are the text; none where they are not.
fn put_together(normal: &str, numbers: &[u32], vocabulary: &Vocabulary) -> Option<f32> {
    let mut places = BTreeMap::from([(0, 0.0_f32)]);
    for number in numbers {
        let mut next: BTreeMap<usize, f32> = BTreeMap::new();
        let mut reach = |place: usize, score: f32| {
            let known = next.entry(place).or_insert(f32::NEG_INFINITY);
            *known = known.max(score);
        };
        for (place, before) in places {
            if *number == UNKNOWN {
                let mut score = before;
                let rest = normal[place..].char_indices();
                // A character that is a piece is never unknown.
                for (offset, c) in
                    rest.take_while(|(_, c)| !vocabulary.scores.contains_key(&*c.encode_utf8(&mut [0; 4])))
                {
                    score += UNKNOWN_SCORE;
                    reach(place + offset + c.len_utf8(), score);
                }
            } else {
                let (piece, score) = vocabulary.pieces.get((*number - FIRST) as usize)?;
                if normal[place..].starts_with(piece.as_str()) {
                    reach(place + piece.len(), before + *score);
                }
            }
        }
        places = next;
    }
    places.get(&normal.len()).copied()
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let vocabulary = &*VOCABULARY;
    let tokenizer = Tokenizer::new(&vocabulary.bytes).expect("it is a vocabulary");
    let normal = normalise(text);
    assert_eq!(normalise(&normal), normal, "a normal text is not normal");
    let numbers: Vec<u32> = tokenizer.encode(text, usize::MAX).collect();
    assert!(numbers.len() <= normal.chars().count(), "more pieces than characters");
    let again: Vec<u32> = tokenizer.encode(&normal, usize::MAX).collect();
    assert_eq!(numbers, again, "a normal text has other pieces");
    let most = bytes.len() % 9;
    assert!(
        tokenizer.encode(text, most).eq(numbers.iter().copied().take(most)),
        "a limit changes the pieces"
    );
    assert!(
        !numbers.windows(2).any(|pair| pair == [UNKNOWN; 2]),
        "what is unknown in a row is not one"
    );
    let score = put_together(&normal, &numbers, vocabulary).expect("the pieces are not the text");
    let best = best(&normal, vocabulary);
    assert!(
        (score - best).abs() < 0.01 * (1.0 - best),
        "others would score {best}, and not {score}"
    );
});
