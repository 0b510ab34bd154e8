//! The pronunciation of the words of a sentence together.
//!
//! The rules for numbers, counters and phrases are those of Open JTalk, in the crate `jpreprocess-njd`; this file gives it
//! the words, mends what the dictionary leaves open (何, 言う, unlisted words) and writes the outcome down.

use jpreprocess_core::pos::{Joshi, Meishi, POS, Setsubi};
use jpreprocess_core::pronunciation::Pronunciation;
use jpreprocess_core::word_details::WordDetails;
use jpreprocess_core::word_entry::WordEntry;
use jpreprocess_njd::{NJD, NJDNode, currency};

use super::dictionary::{Dictionary, Entry};
use super::kana::{for_engine, katakana};
use super::lattice::Word;

/// The word for a kanji without a known reading: the printer's name of the mark 〓 that stands for a missing one.
const MISSING_READING: &str = "ゲタ";
/// The pronunciation that stands for no sound. The rules drop words without any.
const SILENCE: &str = "、";

/// The sentence in katakana, its phrases separated by spaces, its punctuation where it stood.
pub fn say(dictionary: &Dictionary, sentence: &str, words: &[Word]) -> String {
    let mut nodes = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let surface = &sentence[word.start..word.end];
        let details = &dictionary.class(word.entry.class).details;
        if word.entry.is_pronounced() {
            let (said, reading) = dictionary.pronunciation(word.entry);
            let said = match surface {
                "何" if said == "ナニ" && is_nan(dictionary, sentence, words.get(index + 1)) => "ナン".to_owned(),
                // ヤオ only in words that are listed as a whole.
                "八百" if said == "ヤオ" => "ハッピャク".to_owned(),
                "言う" | "いう" | "云う" if said == "イウ" => "ユー".to_owned(),
                _ => said,
            };
            nodes.extend(node(surface, details, &said, reading));
        } else if let Some(said) = symbol(dictionary, words, index, surface) {
            // ノ clings to the number before it as the particle does.
            let particle = (said == "ノ").then(|| dictionary.cheapest("の")).flatten();
            let details = particle.map_or(details, |particle| &dictionary.class(particle.class).details);
            nodes.extend(node(surface, details, said, None));
        } else {
            nodes.extend(spelled(dictionary, sentence, *word, details));
        }
    }
    let mut njd = NJD { nodes };
    currency::process_currency(&mut njd);
    njd.preprocess();
    written(&njd)
}

/// A word for the rules.
fn node(surface: &str, grammar: &WordDetails, said: &str, reading: Option<String>) -> Vec<NJDNode> {
    let pronunciation = Pronunciation::parse(said, 0).unwrap_or_default();
    let details = WordDetails {
        read: Some(reading.unwrap_or_else(|| said.to_owned())),
        pron: pronunciation,
        ..grammar.clone()
    };
    NJDNode::load(surface, &WordEntry::Single(details))
}

/// Returns true if 何 is read ナン rather than ナニ: before a counter, a number, or a particle or verb with t, d or n, but に.
fn is_nan(dictionary: &Dictionary, sentence: &str, next: Option<&Word>) -> bool {
    let Some(next) = next else { return false };
    match dictionary.class(next.entry.class).details.pos {
        POS::Meishi(Meishi::Kazu | Meishi::Setsubi(Setsubi::Josuushi)) => true,
        POS::Joshi(Joshi::FukuJoshi) if sentence[next.start..].starts_with("など") => false,
        POS::Joshi(_) | POS::Jodoushi => sentence[next.start..]
            .chars()
            .next()
            .is_some_and(|first| "たちつてとだでどなぬねの".contains(first)),
        _ => false,
    }
}

/// The words for a symbol that is silent elsewhere: numbers make a dash the ノ of addresses or a minus, and an equals
/// sign (which otherwise joins the parts of foreign names) a word.
fn symbol(dictionary: &Dictionary, words: &[Word], index: usize, surface: &str) -> Option<&'static str> {
    let is_number = |index: Option<usize>| {
        index
            .and_then(|index| words.get(index))
            .is_some_and(|word| dictionary.class(word.entry.class).details.pos.is_kazu())
    };
    let (before, after) = (is_number(index.checked_sub(1)), is_number(Some(index + 1)));
    match surface {
        "−" if before && after => Some("ノ"),
        "−" if after => Some("マイナス"),
        "＝" if before || after => Some("イコール"),
        _ => None,
    }
}

/// A word without a pronunciation in the dictionary: an unlisted one, read character by character, or a symbol.
fn spelled(dictionary: &Dictionary, sentence: &str, word: Word, grammar: &WordDetails) -> Vec<NJDNode> {
    let surface = &sentence[word.start..word.end];
    let mut nodes = Vec::new();
    let mut before = sentence[..word.start].chars().next_back();
    // Runs of kana are words, whatever else the dictionary's categories count to them (・ is one of katakana).
    for run in runs(surface) {
        let said: String = run.chars().map(katakana).collect();
        if said.chars().all(is_katakana) {
            let spoken = node(run, grammar, &for_engine(&said), None);
            if spoken.iter().all(|node| node.get_pron().mora_size() > 0) {
                nodes.extend(spoken);
                before = run.chars().next_back();
                continue;
            }
        }
        for character in run.chars() {
            let read = match character {
                '々' => before.unwrap_or(character),
                _ => character,
            };
            before = Some(read);
            let text = character.to_string();
            nodes.extend(match said_alone(dictionary, read) {
                Some((entry, said)) => {
                    let grammar = entry.map_or(grammar, |entry| &dictionary.class(entry.class).details);
                    node(&text, grammar, &said, None)
                }
                None => node(&text, grammar, SILENCE, None),
            });
        }
    }
    nodes
}

/// The text cut between kana and other characters.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let kind = is_katakana(katakana(rest.chars().next()?));
        let end = rest
            .find(|character| is_katakana(katakana(character)) != kind)
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

fn is_katakana(character: char) -> bool {
    matches!(character, 'ァ'..='ヺ' | 'ー')
}

/// The pronunciation of a single character; none for a symbol.
fn said_alone(dictionary: &Dictionary, character: char) -> Option<(Option<Entry>, String)> {
    if !character.is_alphanumeric() {
        return None;
    }
    let mut bytes = [0; 4];
    if let Some(entry) = dictionary.cheapest(character.encode_utf8(&mut bytes)) {
        return Some((Some(entry), dictionary.pronunciation(entry).0));
    }
    let kana = katakana(character);
    match kana {
        'ァ'..='ヺ' => {
            Some((None, for_engine(&kana.to_string()))).filter(|(_, said)| !said.is_empty() && said != "ッ")
        }
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}' => {
            Some((None, MISSING_READING.to_owned()))
        }
        _ => None,
    }
}

/// The words after the rules, as text.
fn written(njd: &NJD) -> String {
    let mut text = String::new();
    for node in &njd.nodes {
        let pronunciation = node.get_pron();
        if pronunciation.mora_size() == 0 {
            text.push_str(node.get_string());
            continue;
        }
        let apart = node.get_chain_flag() != Some(true);
        if apart && text.chars().next_back().is_some_and(is_katakana) {
            text.push(' ');
        }
        // The rules mark voiceless vowels; the engine knows them itself.
        text.push_str(&for_engine(&pronunciation.to_pure_string().replace('’', "")));
    }
    text
}
