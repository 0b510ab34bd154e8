//! Utterances: what the model says in one breath, at most a few clauses.

use quartet_api::Language;
use quartet_text_normalization::{Clause, Ending, Pause, Span};

use crate::symbols;

/// One run of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Utterance {
    /// The numbers of its symbols; never empty.
    pub tokens: Vec<u8>,
    /// Clauses, or parts of them, in order: the number of each in the text, and its first symbol.
    pub clauses: Vec<(usize, usize)>,
    /// The silence that follows, in milliseconds, beside the one that the model makes.
    pub pause: u32,
}

impl Utterance {
    /// Its symbols, with the silences at both ends.
    pub(crate) fn symbols(&self) -> u64 {
        self.tokens.len() as u64 + 2
    }
}

/// Symbols of an utterance at most, about seven seconds. The model takes 510, but the sound of an utterance is made before any
/// of it is heard, and a stream that stands still for long is given up.
const MOST_TOKENS: usize = 110;

/// The same for the first utterance of a text, where somebody waits.
const FIRST_TOKENS: usize = 60;

/// Symbols up to which a sentence is said together with the next one: the model says very short ones badly.
const FEW_TOKENS: usize = 24;

/// Silence after a paragraph, in milliseconds.
const PARAGRAPH_MS: u32 = 350;

/// Puts clauses together. `write` gives the words of a span in the form that [`symbols::symbols`] takes.
pub fn utterances<C, W>(clauses: C, write: W) -> impl Iterator<Item = Utterance>
where
    C: Iterator<Item = Clause>,
    W: Fn(&Span) -> String,
{
    let clauses = clauses.enumerate();
    let mut pieces = clauses
        .flat_map(move |(number, clause)| pieces(number, &clause, &write))
        .peekable();
    let mut first = true;
    std::iter::from_fn(move || {
        let mut current = pieces.next()?;
        let most = if first { FIRST_TOKENS } else { MOST_TOKENS };
        first = false;
        let mut clauses = vec![(current.clause, 0)];
        while let Some(next) = pieces.peek() {
            let together = current.tokens.len() + 1 + next.tokens.len();
            let ends = current.ends && current.tokens.len() > FEW_TOKENS;
            if current.pause > 0 || ends || together > most {
                break;
            }
            current.tokens.extend(symbols::tokens(" "));
            clauses.push((next.clause, current.tokens.len()));
            current.tokens.extend_from_slice(&next.tokens);
            current.ends = next.ends;
            current.pause = next.pause;
            pieces.next();
        }
        Some(Utterance {
            tokens: current.tokens,
            clauses,
            pause: current.pause,
        })
    })
}

/// A clause, or a part of a long one.
struct Piece {
    /// The number of its clause in the text.
    clause: usize,
    tokens: Vec<u8>,
    /// True at the end of a sentence.
    ends: bool,
    pause: u32,
}

fn pieces(number: usize, clause: &Clause, write: &impl Fn(&Span) -> String) -> Vec<Piece> {
    let said = |span: &Span| symbols::symbols(span.language, &write(span));
    let words = clause.spans.iter().map(said).collect::<Vec<_>>().join(" ");
    let mark = match clause.ending {
        Ending::Statement => ".",
        Ending::Continuation => ",",
        Ending::Question => "?",
        Ending::Exclamation => "!",
    };
    let mut tokens = symbols::tokens(words.trim());
    if tokens.is_empty() {
        return Vec::new();
    }
    let space = symbols::tokens(" ");
    let mut pieces = Vec::new();
    while tokens.len() > MOST_TOKENS {
        // Parts are about equally long: the model says very short ones badly, and the first is heard when all of it is made.
        let part = tokens.len().div_ceil(tokens.len().div_ceil(MOST_TOKENS));
        let at = tokens[..part].iter().rposition(|token| space.contains(token));
        let rest = tokens.split_off(at.filter(|at| *at > 0).unwrap_or(part));
        pieces.push(Piece {
            clause: number,
            tokens: std::mem::replace(&mut tokens, rest),
            ends: false,
            pause: 0,
        });
    }
    tokens.extend(symbols::tokens(mark));
    pieces.push(Piece {
        clause: number,
        tokens,
        ends: clause.pause > Pause::Clause,
        pause: if clause.pause == Pause::Paragraph {
            PARAGRAPH_MS
        } else {
            0
        },
    });
    pieces
}

/// Languages that the model speaks: those of its training, and three that are near enough. In each of them a recogniser
/// understands it better than the other engine; Arabic has to have its vowels.
pub const fn is_spoken(language: Language) -> bool {
    !matches!(language, Language::Korean)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(text: &str, ending: Ending, pause: Pause) -> Clause {
        Clause {
            spans: vec![Span {
                language: Language::Spanish,
                text: text.to_owned(),
            }],
            ending,
            pause,
        }
    }

    fn made(clauses: Vec<Clause>) -> Vec<Utterance> {
        utterances(clauses.into_iter(), |span| span.text.clone()).collect()
    }

    #[test]
    fn clauses_of_a_sentence_are_said_together() {
        let sentence = vec![
            clause("la kasa", Ending::Continuation, Pause::Clause),
            clause("el libro", Ending::Statement, Pause::Paragraph),
        ];
        let expected = Utterance {
            tokens: symbols::tokens("la kasa, el libro."),
            clauses: vec![(0, 0), (1, 9)],
            pause: PARAGRAPH_MS,
        };
        assert_eq!(made(sentence), [expected]);
    }

    #[test]
    fn sentences_are_apart_and_the_first_is_short() {
        let long = "palabra ".repeat(5);
        let text = vec![clause(&long, Ending::Statement, Pause::Sentence); 3];
        assert_eq!(made(text).len(), 3);
        let clauses = vec![clause(&long, Ending::Continuation, Pause::Clause); 8];
        let made = made(clauses);
        assert!(
            made[0].tokens.len() <= FIRST_TOKENS && made[1].tokens.len() > FIRST_TOKENS,
            "{made:?}"
        );
    }

    #[test]
    fn a_long_clause_is_parted_evenly_between_words() {
        let text = "palabra ".repeat(16);
        let lengths: Vec<_> = made(vec![clause(&text, Ending::Statement, Pause::Sentence)])
            .iter()
            .map(|utterance| utterance.tokens.len())
            .collect();
        let [first, second] = lengths[..] else {
            panic!("{lengths:?}");
        };
        assert!(first.abs_diff(second) < 10, "{lengths:?}");
        let word = symbols::tokens("palabra ").len();
        assert_eq!((first + 1) % word, 0, "{lengths:?}");
    }

    #[test]
    fn nothing_is_longer_than_the_model_takes_or_lost() {
        let text = "palabra ".repeat(200);
        let made = made(vec![clause(&text, Ending::Question, Pause::Sentence)]);
        assert!(made.iter().all(|utterance| utterance.tokens.len() <= MOST_TOKENS + 1));
        let said: usize = made.iter().map(|utterance| utterance.tokens.len()).sum();
        assert_eq!(said, symbols::tokens(text.trim()).len() + 1);
        assert!(self::made(vec![clause("7", Ending::Statement, Pause::Sentence)]).is_empty());
    }
}
