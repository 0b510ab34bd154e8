//! Translation of clauses to phoneme codes, by the engine's rules and dictionaries.
//!
//! A call of the engine's translator has a fixed cost (it reads its data again: 0.2 ms for most languages, 2.5 ms for
//! Russian), so the texts of several clauses go into one call. They are separated by marks that keep the engine from
//! linking the last sound of one with the first of the next, and that are found again in the codes:
//! `SEPARATOR`.

use std::borrow::Cow;
use std::mem;

use espeak_ng::PhonemeCode;
use espeak_ng::phoneme::{
    PHON_END_WORD, PHON_PAUSE, PHON_PAUSE_CLAUSE, PHON_PAUSE_LONG, PHON_PAUSE_NOLINK, PHON_PAUSE_SHORT,
    PHON_PAUSE_VSHORT, PHON_SWITCH,
};
use espeak_ng::translate::CodeMarker;
use quartet_api::Language;

use super::{data, engine, phoneme_fixups};
use quartet_text_normalization::{Clause, Ending};

/// Sounds of one language with one tune.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    /// The language whose phoneme table the codes belong to.
    pub language: Language,
    /// Words and the boundaries between them; never empty.
    pub codes: Vec<PhonemeCode>,
    /// The tune.
    pub ending: Ending,
}

/// The approximate size of a batch of clauses, in characters: enough to spread the fixed cost of a call, little enough
/// that the codes take no memory worth mentioning.
const BATCH_CHARACTERS: usize = 1_500;

/// Takes the next clauses for [`translate`] from an iterator, empty at its end.
///
/// Clauses are grouped by their own length only, so two passes over the same clauses make the same batches.
pub fn next_batch(clauses: &mut impl Iterator<Item = Clause>) -> Vec<Clause> {
    let mut batch = Vec::new();
    let mut characters = 0;
    while characters < BATCH_CHARACTERS {
        let Some(clause) = clauses.next() else { break };
        characters += clause
            .spans
            .iter()
            .map(|span| span.text.chars().count())
            .sum::<usize>()
            .max(1);
        batch.push(clause);
    }
    batch
}

/// The phrases of every clause, in order; none for a clause in which the engine finds nothing to say.
pub fn translate(clauses: &[Clause]) -> Vec<Vec<Phrase>> {
    let mut spans: Vec<Vec<Vec<Phrase>>> = clauses
        .iter()
        .map(|clause| vec![Vec::new(); clause.spans.len()])
        .collect();
    for language in Language::ALL {
        let mut places = Vec::new();
        let mut texts = Vec::new();
        for (clause, span) in clauses.iter().enumerate().flat_map(|(index, clause)| {
            clause
                .spans
                .iter()
                .enumerate()
                .map(move |(place, span)| ((index, place), span))
        }) {
            if span.language == language {
                places.push(clause);
                texts.push(readable(language, &span.text));
            }
        }
        let codes = codes(language, &texts);
        for (((clause, span), text), codes) in places.into_iter().zip(&texts).zip(codes) {
            spans[clause][span] = phrases(language, text, codes);
        }
    }
    let mut spoken: Vec<Vec<Phrase>> = spans
        .into_iter()
        .map(|spans| spans.into_iter().flatten().collect())
        .collect();
    for (clause, phrases) in clauses.iter().zip(&mut spoken) {
        let last = phrases.len().saturating_sub(1);
        for (index, phrase) in phrases.iter_mut().enumerate() {
            // What is not the end of the clause has the tune of "more follows".
            phrase.ending = if index == last {
                clause.ending
            } else {
                Ending::Continuation
            };
        }
    }
    spoken
}

/// A text as the engine can read it: Japanese in kana, nothing that the engine takes for a command.
pub(super) fn readable(language: Language, text: &str) -> String {
    let text = match language {
        Language::Japanese => Cow::Owned(quartet_japanese_g2p::reading(text)),
        _ => Cow::Borrowed(text),
    };
    // Control characters start commands, `[[` starts phonemes, private characters stand for markup.
    let command = |character: char| character.is_control() || matches!(character, '[' | ']' | '\u{E000}'..='\u{F8FF}');
    text.replace(command, " ").trim().to_owned()
}

/// The command letter of the mark that ends each text of a batch (in the engine an effect on the room that it does
/// not make).
const MARK_COMMAND: char = 'H';

/// Ends a text, says a pause as a clause of its own so that nothing is linked across, and sets the mark.
const SEPARATOR: &str = " . [[_]]. \u{1}1H ";

/// The codes of each text.
fn codes(language: Language, texts: &[String]) -> Vec<Vec<PhonemeCode>> {
    if texts.is_empty() {
        return Vec::new();
    }
    let translator = &engine::settings_of(language).translator;
    let batch: String = texts.iter().flat_map(|text| [text.as_str(), SEPARATOR]).collect();
    let codes = translator
        .translate_to_codes(&batch)
        .expect("the engine's own data are whole");
    let mut split = Vec::with_capacity(texts.len());
    let mut current = Vec::new();
    for code in codes {
        match &code.marker {
            Some(CodeMarker::Embedded(command)) if command.letter == MARK_COMMAND => {
                split.push(mem::take(&mut current))
            }
            _ => current.push(code),
        }
    }
    if split.len() == texts.len() {
        return split;
    }
    // A text has swallowed its mark. It alone shall have the loss.
    texts
        .iter()
        .map(|text| translator.translate_to_codes(text).unwrap_or_default())
        .collect()
}

/// Returns true for the boundary of a clause.
fn ends_clause(code: &PhonemeCode) -> bool {
    code.is_boundary && code.code == 0
}

/// Returns true for the boundary of a word.
fn ends_word(code: &PhonemeCode) -> bool {
    code.is_boundary && code.code == PHON_END_WORD
}

/// Returns true for one of the engine's pauses.
fn is_pause(code: &PhonemeCode) -> bool {
    matches!(
        code.code,
        PHON_PAUSE | PHON_PAUSE_CLAUSE | PHON_PAUSE_LONG | PHON_PAUSE_NOLINK | PHON_PAUSE_SHORT | PHON_PAUSE_VSHORT
    )
}

/// Corrects the codes of a text, cuts them where the language changes, and leaves out what is no sound.
fn phrases(language: Language, text: &str, mut codes: Vec<PhonemeCode>) -> Vec<Phrase> {
    // The separator's pause is what follows the last boundary but one.
    let mut boundaries = codes
        .iter()
        .enumerate()
        .filter(|(_, code)| ends_clause(code))
        .map(|(index, _)| index);
    if let Some(end) = boundaries.next_back().and(boundaries.next_back()) {
        codes.truncate(end);
    }
    phoneme_fixups::fix(language, text, &mut codes);
    let mut phrases = Vec::new();
    let mut current = Phrase {
        language,
        codes: Vec::new(),
        ending: Ending::Continuation,
    };
    let mut garbled = false;
    for code in codes {
        match &code.marker {
            Some(CodeMarker::LangSwitch(target)) => {
                finish(&mut current, &mut phrases);
                current.language = data::language_of(target).unwrap_or(language);
            }
            Some(_) => {}
            // A word of a language that is not one of ours: its codes are letters, no sounds, up to its end.
            None if code.code == PHON_SWITCH && !code.is_boundary => garbled = true,
            None => {
                garbled &= !code.is_boundary;
                if !garbled {
                    current.codes.push(code);
                }
            }
        }
    }
    finish(&mut current, &mut phrases);
    phrases
}

/// Moves the current codes to the phrases, without the boundaries and pauses at their ends, if there are any sounds.
fn finish(current: &mut Phrase, phrases: &mut Vec<Phrase>) {
    let mut codes = mem::take(&mut current.codes);
    let silent = |code: &PhonemeCode| ends_word(code) || ends_clause(code) || is_pause(code);
    let end = codes.iter().rposition(|code| !silent(code)).map_or(0, |last| last + 1);
    codes.truncate(end);
    let start = codes.iter().position(|code| !silent(code)).unwrap_or(end);
    codes.drain(..start);
    // The first nine codes are marks of stress.
    if codes.iter().any(|code| code.code > 8) {
        phrases.push(Phrase {
            language: current.language,
            codes,
            ending: current.ending,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_text_normalization::{Pause, Span};

    fn clause(spans: &[(Language, &str)]) -> Clause {
        let spans = spans.iter().map(|(language, text)| Span {
            language: *language,
            text: (*text).to_owned(),
        });
        Clause {
            spans: spans.collect(),
            ending: Ending::Question,
            pause: Pause::Sentence,
        }
    }

    #[test]
    fn a_batch_says_what_its_clauses_say_alone() {
        let texts = [
            (Language::English, "Everyone has the right to life"),
            (Language::English, "liberty and the security of person"),
            (
                Language::German,
                "Alle Menschen sind frei und gleich an Würde und Rechten geboren",
            ),
            (Language::English, "Is it?"),
            (
                Language::Spanish,
                "Todo individuo tiene derecho a la vida, a la libertad",
            ),
            (Language::German, "Er kostet 3.50 Euro z. B. am 5. Mai"),
            (Language::French, "Tous les êtres humains naissent libres et égaux"),
            (Language::Russian, "Все люди рождаются свободными"),
            (Language::English, "or"),
            (Language::English, "a"),
        ];
        let clauses: Vec<Clause> = texts.iter().map(|text| clause(&[*text])).collect();
        let together = translate(&clauses);
        for (clause, batched) in clauses.iter().zip(together) {
            let alone = translate(std::slice::from_ref(clause));
            assert!(!batched.is_empty());
            assert_eq!(alone[0], batched, "{clause:?}");
        }
    }

    #[test]
    fn a_foreign_word_is_a_phrase_of_its_own_language() {
        // The Italian dictionary names French for this word.
        let phrases = &translate(&[clause(&[(Language::Italian, "il presidente Macron oggi")])])[0];
        let languages: Vec<Language> = phrases.iter().map(|phrase| phrase.language).collect();
        assert!(languages.contains(&Language::Italian), "{languages:?}");
        let mixed = &translate(&[clause(&[
            (Language::Russian, "я люблю"),
            (Language::English, "rock music"),
        ])])[0];
        assert_eq!(
            mixed.iter().map(|phrase| phrase.language).collect::<Vec<_>>(),
            [Language::Russian, Language::English]
        );
        assert_eq!(mixed[0].ending, Ending::Continuation);
        assert_eq!(mixed[1].ending, Ending::Question);
    }

    #[test]
    fn commands_in_the_text_are_text() {
        for text in ["\u{1}1H", "[[_]]", "x\u{1}1H y", "[[", "]] . [[_]]. \u{1}1H "] {
            let three = [
                clause(&[(Language::English, "one")]),
                clause(&[(Language::English, text)]),
                clause(&[(Language::English, "two")]),
            ];
            let spoken = translate(&three);
            assert_eq!(spoken.len(), 3);
            assert_eq!(spoken[0], translate(&three[..1])[0], "{text:?}");
            assert_eq!(spoken[2], translate(&three[2..])[0], "{text:?}");
        }
    }

    #[test]
    fn what_cannot_be_said_is_no_phrase() {
        for text in ["\u{2028}", "—", "…", "\u{E000}"] {
            assert_eq!(
                translate(&[clause(&[(Language::English, text)])]),
                [Vec::new()],
                "{text:?}"
            );
        }
    }
}
