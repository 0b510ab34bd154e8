//! Material that a model answers from: numbered passages, the ones that stay the same for a document first, so that an
//! engine that keeps what it computed does not compute them again for the next question.

use quartet_grounding::{Passage, estimate_tokens, sanitize};
use quartet_llm_client::Model;
use quartet_text_analysis::{Citation, Index};

/// Context up to which a model is taken for a small one on an ordinary processor, in tokens.
const SMALL_CONTEXT: u32 = 4_096;
/// Tokens of the beginning of the document and of its outline for a small model. They do not depend on the time, because
/// only what is the same again need not be computed again.
const SMALL_OPENING_TOKENS: usize = 160;
const SMALL_OUTLINE_TOKENS: usize = 80;
/// Tokens of the other passages for a small model.
const SMALL_TOKENS: usize = 420;
/// Tokens of everything else: instructions, marks of passages, the question.
const FRAME_TOKENS: usize = 230;
/// The same without the instructions, which were read when the model was loaded.
const QUESTION_TOKENS: usize = 60;
/// Tokens that two cores read in a second, where nobody knows how many, and the time that is left for writing, in milliseconds.
const TOKENS_A_SECOND: usize = 50;
const WRITING_MILLISECONDS: usize = 5_500;
/// The same on a slower machine, in tokens that could be read in that time: a short answer, each of whose tokens takes three
/// times as long, and its confirmation.
const WRITING_TOKENS: usize = 200;
/// Tokens a second, beside others, below which the beginning of the document is left out unless it is asked for: it would take all
/// of the time.
const LEAN_TOKENS_A_SECOND: usize = 35;
/// Tokens of the beginning where it is asked for on such a machine.
const LEAN_OPENING_TOKENS: usize = 80;
/// Tokens of a confirmation, in tokens that could be read in its time.
const CONFIRMING_TOKENS: usize = 90;
/// The same of a translation of a few sentences; one that is cut off has those before.
const TRANSLATING_TOKENS: usize = 350;
/// The part of its speed alone that a machine has left while it serves others.
const BUSY_SPEED: f32 = 0.8;
/// Tokens of a document that a model reads whole, and words of each passage of it.
const WHOLE_TOKENS: usize = 900;
const WHOLE_PASSAGE_WORDS: usize = 80;
/// Limit in tokens for the passages whatever the context is.
const MAX_TOKENS: usize = 24_000;
/// Smallest passage that is worth being cut to, in tokens.
const MIN_PASSAGE_TOKENS: usize = 40;

/// Sizes of what a model gets and writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// Tokens for the beginning of the document.
    opening: usize,
    /// Tokens for its outline.
    outline: usize,
    /// Tokens for the other passages.
    pub tokens: usize,
    /// True for a model with room for long answers.
    pub large: bool,
    /// True on a machine that is too slow to read passages and to write from them in time.
    pub lean: bool,
}

/// Tokens of a prompt that a model reads in a second beside others, 1 or more.
fn speed(model: &Model) -> usize {
    let known = model.reading_speed.map(|speed| (speed * BUSY_SPEED) as usize);
    known.map_or(TOKENS_A_SECOND, |speed| speed.clamp(1, TOKENS_A_SECOND))
}

/// Milliseconds in which a model confirms a short answer, its examples known.
pub(crate) fn confirming_milliseconds(model: &Model) -> u32 {
    u32::try_from(CONFIRMING_TOKENS * 1_000 / speed(model)).unwrap_or(u32::MAX)
}

/// Milliseconds in which a model reads an answer about the whole and translates it.
pub(crate) fn translating_milliseconds(model: &Model) -> u32 {
    u32::try_from(TRANSLATING_TOKENS * 1_000 / speed(model)).unwrap_or(u32::MAX)
}

/// Milliseconds in which a model reads so many tokens and a question, and answers.
pub(crate) fn whole_milliseconds(model: &Model, unread: u32) -> u32 {
    let speed = speed(model);
    let tokens = (unread as usize).saturating_add(QUESTION_TOKENS);
    let milliseconds = tokens.saturating_mul(1_000) / speed + writing_milliseconds(speed);
    u32::try_from(milliseconds).unwrap_or(u32::MAX)
}

/// Milliseconds in which a short answer is written and confirmed by a model that reads so many tokens in a second.
fn writing_milliseconds(speed: usize) -> usize {
    WRITING_MILLISECONDS.max(WRITING_TOKENS * 1_000 / speed)
}

impl Room {
    /// The room that a model's context and speed and the time leave. With `again`, the model has read the beginning of the
    /// document for the question before; with `detail`, the question is about something in the text.
    pub fn of(model: &Model, milliseconds: u32, again: bool, detail: bool) -> Self {
        let context = model.context;
        if context > SMALL_CONTEXT {
            let tokens = (context as usize / 4).clamp(SMALL_TOKENS, MAX_TOKENS);
            return Self {
                opening: tokens / 4,
                outline: tokens / 6,
                tokens,
                large: true,
                lean: false,
            };
        }
        let speed = speed(model);
        let time = (milliseconds as usize).saturating_sub(writing_milliseconds(speed));
        let fixed = FRAME_TOKENS + SMALL_OPENING_TOKENS + SMALL_OUTLINE_TOKENS;
        let readable = time * speed / 1_000;
        if speed < LEAN_TOKENS_A_SECOND && readable < fixed + SMALL_TOKENS / 2 {
            let opening = if detail { 0 } else { LEAN_OPENING_TOKENS };
            return Self {
                opening,
                outline: opening / 2,
                tokens: SMALL_TOKENS.min(readable.saturating_sub(QUESTION_TOKENS + opening * 3 / 2)),
                large: false,
                lean: true,
            };
        }
        Self {
            opening: SMALL_OPENING_TOKENS,
            outline: SMALL_OUTLINE_TOKENS,
            tokens: SMALL_TOKENS
                .min(readable.saturating_sub(if again { FRAME_TOKENS } else { fixed }))
                .min(context as usize / 2),
            large: false,
            lean: false,
        }
    }
}

/// The kind of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PieceKind {
    /// The beginning of the document.
    Opening,
    /// Counts, metadata and headings: nothing that stands anywhere as it is.
    File,
    /// A passage that was searched for.
    Found,
}

/// A passage with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece {
    /// Its page, from 1.
    pub page: usize,
    /// The heading above it; empty where it is not known.
    pub heading: String,
    /// Its text.
    pub text: String,
    /// Its kind.
    pub kind: PieceKind,
    /// Its score as evidence for the question, from 0 to 1.
    pub score: f32,
}

impl Piece {
    /// Returns true if a sentence stands in it, however its words are spaced.
    pub fn has(&self, sentence: &str) -> bool {
        squeezed(&self.text).contains(&squeezed(sentence))
    }

    /// Its text in one line, with its heading before it.
    pub fn headed(&self) -> String {
        let heading = Some(self.heading.trim()).filter(|heading| !heading.is_empty());
        let words = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        heading.map_or_else(|| words.clone(), |heading| format!("{heading}: {words}"))
    }
}

/// Numbered passages, from 1.
pub(crate) struct Material {
    /// The passages; those at the beginning are the document's own.
    pub pieces: Vec<Piece>,
}

impl Material {
    /// The beginning and the outline of a document, and then passages, each with at most `each` tokens, as far as there is
    /// room.
    pub fn new(index: &Index, passages: Vec<Citation>, room: Room, each: usize) -> Self {
        let overview = index.overview();
        let page = overview.page as usize;
        let mut pieces = Vec::new();
        let opening = cut(&overview.opening, room.opening);
        if !opening.is_empty() {
            pieces.push(Piece {
                page,
                heading: String::new(),
                text: opening,
                kind: PieceKind::Opening,
                score: 0.5,
            });
        }
        if room.outline > 0 {
            pieces.push(Piece {
                page,
                heading: String::new(),
                text: outline(index, room.outline),
                kind: PieceKind::File,
                score: 0.5,
            });
        }
        let fixed = pieces.len();
        let used = |pieces: &[Piece]| {
            let sizes = pieces.iter().skip(fixed).map(|piece| estimate_tokens(&piece.text));
            sizes.sum::<usize>()
        };
        for passage in passages {
            let left = room.tokens.saturating_sub(used(&pieces));
            if left < MIN_PASSAGE_TOKENS {
                break;
            }
            let known = pieces
                .iter()
                .any(|piece| squeezed(&piece.text).contains(&squeezed(&passage.quote)));
            let text = cut(&passage.quote, left.min(each));
            if !known && !text.is_empty() {
                pieces.push(Piece {
                    page: passage.page,
                    heading: String::new(),
                    text,
                    kind: PieceKind::Found,
                    score: passage.score.clamp(0.0, 1.0),
                });
            }
        }
        Self { pieces }
    }

    /// All of a document that is short; none where it is longer, or has no text.
    pub fn whole(index: &Index) -> Option<Self> {
        if index.is_truncated() {
            return None;
        }
        let mut pieces = vec![Piece {
            page: index.overview().page as usize,
            heading: String::new(),
            text: outline(index, SMALL_OUTLINE_TOKENS),
            kind: PieceKind::File,
            score: 0.5,
        }];
        let mut size = 0;
        for part in index.parts(WHOLE_PASSAGE_WORDS) {
            size += estimate_tokens(&part.text) + estimate_tokens(&part.heading);
            if size > WHOLE_TOKENS {
                return None;
            }
            pieces.push(Piece {
                page: part.page,
                heading: part.heading,
                text: part.text,
                kind: PieceKind::Found,
                score: 1.0,
            });
        }
        (pieces.len() > 1).then_some(Self { pieces })
    }

    /// The numbers of the passages that are text of the document; small models take what is known of the file for the whole of it.
    pub fn of_the_text(&self) -> Vec<usize> {
        let numbered = self.pieces.iter().zip(1..);
        let text = numbered.filter(|(piece, _)| piece.kind != PieceKind::File);
        text.map(|(_, number)| number).collect()
    }

    /// The passages as a prompt has them.
    pub fn prompt(&self) -> String {
        let mut prompt = String::new();
        for (place, piece) in self.pieces.iter().enumerate() {
            let Piece {
                page,
                heading,
                text,
                kind,
                ..
            } = piece;
            let kind = match kind {
                PieceKind::Opening => format!("beginning of the document, page {page}"),
                PieceKind::File => "about the file".to_owned(),
                PieceKind::Found if heading.is_empty() => format!("page {page}"),
                PieceKind::Found => format!("page {page}, {}", sanitize(heading)),
            };
            let number = place + 1;
            prompt.push_str(&format!(
                "<passage number={number}> ({kind})\n{}\n</passage>\n",
                sanitize(text.trim())
            ));
        }
        prompt
    }

    /// The passages as evidence; their sources are their positions.
    pub fn evidence(&self) -> Vec<Passage> {
        let pieces = self.pieces.iter().enumerate();
        pieces
            .map(|(source, piece)| Passage {
                source,
                text: piece.text.clone(),
            })
            .collect()
    }
}

/// What can be said of a file without its text: counts, metadata, and its headings as far as they fit.
fn outline(index: &Index, tokens: usize) -> String {
    let overview = index.overview();
    let (author, title) = index.metadata();
    let count = |number: u32, one: &str| match number {
        0 => format!("no {one}s"),
        1 => format!("1 {one}"),
        more => format!("{more} {one}s"),
    };
    let (tables, figures) = (count(overview.tables, "table"), count(overview.figures, "figure"));
    let mut text = format!(
        "The document has {}, {tables} and {figures}.",
        count(overview.pages, "page")
    );
    for (name, value) in [("title", title), ("author", author)] {
        if let Some(value) = value {
            text.push_str(&format!(" The file names as {name}: {value}."));
        }
    }
    let headings = &overview.headings;
    if !headings.is_empty() {
        text.push_str("\nHeadings: ");
        let titles: Vec<&str> = headings.iter().map(|heading| heading.title.as_str()).collect();
        let left = tokens.saturating_sub(estimate_tokens(&text));
        text.push_str(&cut(&titles.join("; "), left));
    }
    text
}

/// The beginning of a text that has no more than so many tokens, cut between words where it has words.
fn cut(text: &str, tokens: usize) -> String {
    if estimate_tokens(text) <= tokens {
        return text.trim().to_owned();
    }
    let mut size = 0.0_f32;
    let mut end = 0;
    for (at, c) in text.char_indices() {
        size += if c.is_ascii() { 0.25 } else { 0.8 };
        if size > tokens as f32 {
            break;
        }
        end = at + c.len_utf8();
    }
    let cut = &text[..end];
    let at = cut.rfind(char::is_whitespace).filter(|at| *at > end / 2).unwrap_or(end);
    cut[..at].trim().to_owned()
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(context: u32, reading_speed: Option<f32>) -> Model {
        Model {
            name: "some".to_owned(),
            context,
            sees: false,
            remote: false,
            schemas: true,
            tools: true,
            reading_speed,
        }
    }

    #[test]
    fn small_models_get_what_is_read_in_time_and_large_ones_what_they_hold() {
        let room = |milliseconds, again| Room::of(&model(4_096, None), milliseconds, again, true);
        let small = room(24_500, false);
        assert_eq!((small.tokens, small.large), (SMALL_TOKENS, false));
        assert_eq!(room(15_500, false).tokens, 30);
        assert_eq!(room(15_500, true).tokens, 270);
        assert_eq!(room(8_000, false).tokens, 0);
        let large = Room::of(&model(32_768, None), 8_000, false, true);
        assert_eq!((large.tokens, large.large), (8_192, true));
    }

    #[test]
    fn a_slow_machine_reads_passages_rather_than_the_beginning_unless_it_has_time() {
        let room = |speed, milliseconds, detail| Room::of(&model(4_096, Some(speed)), milliseconds, false, detail);
        let slow = room(20.0, 22_000, true);
        assert_eq!((slow.opening, slow.outline), (0, 0));
        assert!((80..200).contains(&slow.tokens), "{slow:?}");
        let about = room(20.0, 22_000, false);
        assert!(about.opening > 0 && about.tokens < slow.tokens, "{about:?}");
        let patient = room(20.0, 120_000, true);
        assert_eq!((patient.opening, patient.tokens), (SMALL_OPENING_TOKENS, SMALL_TOKENS));
        // Beyond what was assumed before, speed changes nothing.
        let (fast, unknown) = (
            room(90.0, 20_000, true),
            Room::of(&model(4_096, None), 20_000, false, true),
        );
        assert_eq!((fast.opening, fast.tokens), (unknown.opening, unknown.tokens));
        assert!(confirming_milliseconds(&model(4_096, Some(20.0))) > confirming_milliseconds(&model(4_096, None)));
    }

    #[test]
    fn a_text_is_cut_to_its_tokens() {
        assert_eq!(cut("one two three four", 2), "one two");
        assert_eq!(cut("one", 2), "one");
        assert_eq!(cut("漢字漢字漢字", 2), "漢字");
    }
}
