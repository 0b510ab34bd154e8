//! Answers to questions about a document: its own sentences, with their pages, or that it does not say.
//!
//! Which sentence answers is decided in `judge`; what is read with it, and what is said of the file itself, here.

use quartet_api::Language;

use crate::index::Index;
use crate::judge::Candidate;
use crate::openers::points_back;
use crate::question::{self, Wants, Whole};
use crate::search::{Found, Query, search};
use crate::senses::Senses;
use crate::summary::length;
use crate::wording::{Say, say};
use crate::words::{Term, Words};

/// Below this confidence the document does not say. Set on the development half of the questions in
/// `tests/questions`; the other half measures it.
pub const ENOUGH: f32 = 0.50;
/// From this confidence on the words alone answer, and no time goes into the meaning.
const SURE: f32 = 0.75;
/// A question with fewer content words than this leans on the one before it.
const ALONE: usize = 2;
/// An answer has at most so many words, unless its first sentence alone is longer.
const WORDS: usize = 70;
/// Further places that say something are given when they are this good beside the best.
const ALSO: f32 = 0.85;
/// So many citations at most.
const CITATIONS: usize = 4;
/// Longer questions are cut, in bytes.
const LONGEST: usize = 2_000;

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// What is said to the person, in the question's language as far as it is not a quotation.
    pub text: String,
    /// Whether the document says it.
    pub found: bool,
    /// How sure that is, from 0 to 1.
    pub confidence: f32,
    /// Where it stands; empty when nothing was found, and for facts about the file.
    pub citations: Vec<Citation>,
    /// The language of the question.
    pub language: Language,
    /// What was looked for, with what was taken from the question before. It is what to give as the question before, next
    /// time.
    pub question: String,
}

/// A place in the document.
#[derive(Debug, Clone, PartialEq)]
pub struct Citation {
    /// From 1.
    pub page: usize,
    /// The sentence as it stands there, in one line.
    pub quote: String,
    /// How well it fits, from 0 to 1.
    pub score: f32,
}

impl Index {
    /// Answers `question`; `before` is the question before it in the same conversation, as [`Answer::question`] gave it.
    #[must_use]
    pub fn answer(&self, question: &str, before: Option<&str>) -> Answer {
        self.reply(question, before, None)
    }

    /// The same, also by what the question means. When the model gives nothing, it is the same as [`Index::answer`].
    #[must_use]
    pub fn answer_by_meaning(&self, question: &str, before: Option<&str>, senses: &mut Senses<'_>) -> Answer {
        self.reply(question, before, Some(senses))
    }

    fn reply(&self, question: &str, before: Option<&str>, senses: Option<&mut Senses<'_>>) -> Answer {
        let question = cut(question.trim());
        let language = self.asked_in(question);
        let mut answer = Answer {
            text: String::new(),
            found: false,
            confidence: 0.0,
            citations: Vec::new(),
            language,
            question: question.to_owned(),
        };
        let asked = Words::new(language);
        if let Some(whole) = question::whole(question, &asked) {
            self.about_itself(whole, &mut answer);
            return answer;
        }
        if self.sentences.is_empty() {
            answer.text = say(Say::NoText, language);
            return answer;
        }
        let words = Words::new(self.language());
        let terms = |text: &str| -> Vec<String> {
            // What says nothing in the question's language says nothing here, too.
            let own = words.terms(text);
            let said: Vec<Term> = if self.language() == language {
                own.clone()
            } else {
                asked.terms(text)
            };
            let silent = |position: usize| said.len() == own.len() && !said[position].content;
            own.iter()
                .enumerate()
                .filter(|(position, term)| term.content && !silent(*position))
                .map(|(_, term)| term.text.clone())
                .collect()
        };
        let wants = question::wants(question, language);
        let amount = asked.terms(question::amount(question, language));
        let mut wanted = terms(question);
        wanted.retain(|term| amount.iter().all(|word| word.text != *term));
        let mut distinct = wanted.clone();
        distinct.sort_unstable();
        distinct.dedup();
        // "What is APT?" stands alone, "Where?" and "And in testing?" do not.
        let alone = distinct.len() >= ALONE || distinct.len() == 1 && wants == Wants::Definition;
        if !alone && let Some(before) = before {
            let earlier = cut(before.trim());
            wanted.extend(terms(earlier));
            answer.question = cut(&format!("{earlier} {question}")).to_owned();
        }
        let query = Query::new(self, wanted.iter().cloned(), &named(question, language, &words));
        let mut found = search(self, &query);
        if wants == Wants::Number {
            self.add_counts(&query, &words, &mut found);
        }
        let mut sensed = None;
        if let Some(senses) = senses {
            let candidates = self.candidates(&query, &wanted, wants, &found, None, &words);
            let confidence = candidates.first().map_or(0.0, |best| best.confidence);
            let abroad = language != self.language();
            if confidence < SURE {
                sensed = self.sense(&answer.question, senses, &found, confidence < ENOUGH || abroad, abroad);
            }
            if let Some(sensed) = &mut sensed {
                found = self.fuse(&found, sensed);
                self.compare(&found, senses, sensed);
            }
        }
        let candidates = self.candidates(&query, &wanted, wants, &found, sensed.as_ref(), &words);
        let Some(best) = candidates.first() else {
            answer.text = say(Say::NotSaid, language);
            return answer;
        };
        answer.confidence = best.confidence;
        if best.confidence < ENOUGH {
            answer.text = say(Say::NotSaid, language);
            return answer;
        }
        answer.found = true;
        let lines = self.extent(best);
        let texts: Vec<&str> = lines.iter().map(|line| self.line(*line)).collect();
        let space = if matches!(self.language(), Language::Japanese | Language::Chinese) {
            ""
        } else {
            " "
        };
        let text = texts.join(space);
        answer.text = if language == self.language() {
            text
        } else {
            say(Say::Quote(self.sentences[lines[0]].page as usize, &text), language)
        };
        answer.citations = self.citations(&lines, best, &candidates);
        answer
    }

    /// The pages and sentences of the passages that are nearest to `question`, best first: what [`Index::answer`] chooses
    /// from.
    #[must_use]
    pub fn passages(&self, question: &str, most: usize) -> Vec<Citation> {
        self.cite_passages(&self.nearest(question), most)
    }

    /// The same, also by what the question means: what [`Index::answer_by_meaning`] chooses from.
    #[must_use]
    pub fn passages_by_meaning(&self, question: &str, most: usize, senses: &mut Senses<'_>) -> Vec<Citation> {
        let found = self.nearest(question);
        let abroad = self.asked_in(question) != self.language();
        let sensed = self.sense(cut(question), senses, &found, true, abroad);
        self.cite_passages(&sensed.map_or(found.clone(), |sensed| self.fuse(&found, &sensed)), most)
    }

    fn nearest(&self, question: &str) -> Vec<Found> {
        let words = Words::new(self.language());
        search(self, &Query::new(self, words.content(cut(question)), &[]))
    }

    fn cite_passages(&self, found: &[Found], most: usize) -> Vec<Citation> {
        let best = found.first().map_or(1.0, |found| found.score).max(f32::EPSILON);
        found
            .iter()
            .take(most)
            .map(|found| {
                let passage = &self.passages[found.passage];
                let lines: Vec<&str> = (passage.first as usize..(passage.first + passage.count) as usize)
                    .map(|line| self.line(line))
                    .collect();
                Citation {
                    page: self.sentences[passage.first as usize].page as usize,
                    quote: lines.join(" "),
                    score: found.score / best,
                }
            })
            .collect()
    }

    /// The language of a question: the document's, unless its letters or enough of its words say otherwise.
    fn asked_in(&self, question: &str) -> Language {
        let guess = quartet_lang_detect::detect(question);
        let own = self.language();
        if guess == own {
            return own;
        }
        let same_script = quartet_lang_detect::is_latin(own) && quartet_lang_detect::is_latin(guess);
        // Short questions in kindred languages are told apart by their small words, and the document's language is likelier.
        let (ours, theirs) = (Words::new(own), Words::new(guess));
        let count = |words: &Words| {
            let lower = question.to_lowercase().replace('’', "'");
            lower
                .split(|c: char| !(c.is_alphabetic() || c == '\''))
                .filter(|word| !word.is_empty() && words.is_stop(word))
                .count()
        };
        let short = same_script && count(&ours) >= count(&theirs)
            // In Chinese characters alone a short Japanese question may be written.
            || own == Language::Japanese && guess == Language::Chinese && question.chars().count() < 8;
        if short { own } else { guess }
    }

    fn about_itself(&self, whole: Whole, answer: &mut Answer) {
        let facts = &self.facts;
        let language = answer.language;
        let (text, found) = match whole {
            Whole::Pages => (say(Say::Pages(facts.pages), language), true),
            Whole::Title => facts.title.as_deref().map_or_else(
                || (say(Say::NoTitle, language), false),
                |title| (say(Say::Title(title), language), true),
            ),
            Whole::Author => facts.author.as_deref().map_or_else(
                || (say(Say::NoAuthor, language), false),
                |author| (say(Say::Author(author), language), true),
            ),
            Whole::Date => facts.created.as_deref().or(facts.modified.as_deref()).map_or_else(
                || (say(Say::NoDate, language), false),
                |date| {
                    (
                        say(Say::Created(date.split('T').next().unwrap_or(date)), language),
                        true,
                    )
                },
            ),
            Whole::Language if self.sentences.is_empty() => (say(Say::NoText, language), false),
            Whole::Language => (say(Say::Language(self.language()), language), true),
            Whole::About => {
                answer.citations = facts
                    .about
                    .iter()
                    .map(|(quote, page)| Citation {
                        page: *page,
                        quote: quote.clone(),
                        score: 1.0,
                    })
                    .collect();
                let title = facts.title.as_deref().map(|title| say(Say::Title(title), language));
                let parts: Vec<String> = title
                    .into_iter()
                    .chain(facts.about.iter().map(|(quote, _)| quote.clone()))
                    .collect();
                if parts.is_empty() {
                    (say(Say::NoText, language), false)
                } else {
                    (parts.join(" "), true)
                }
            }
        };
        answer.text = text;
        answer.found = found;
        answer.confidence = if found { 1.0 } else { 0.0 };
    }

    /// The sentences that make up the answer around the best one.
    fn extent(&self, best: &Candidate) -> Vec<usize> {
        let mut lines = vec![best.line];
        let mut words = length(self.line(best.line));
        let same = |one: usize, other: usize| self.sentences[one].heading == self.sentences[other].heading;
        let paragraph = |one: usize, other: usize| self.sentences[one].paragraph == self.sentences[other].paragraph;
        // What points back is read with what it points to.
        while let Some(before) = lines[0].checked_sub(1).filter(|before| paragraph(*before, lines[0])) {
            let more = length(self.line(before));
            if !points_back(self.line(lines[0]), self.language()) || words + more > WORDS || lines.len() > 2 {
                break;
            }
            lines.insert(0, before);
            words += more;
        }
        // What announces something is read with it, and what a heading asks is answered by more than its first sentence.
        loop {
            let last = lines[lines.len() - 1];
            let next = last + 1;
            if next >= self.sentences.len() || !same(last, next) {
                break;
            }
            let announced = self.line(last).ends_with([':', '：']) || (!self.sentences[last].prose && lines.len() > 1);
            let more = length(self.line(next));
            let wanted = announced || best.titled > 0.6 && paragraph(last, next) && words < WORDS / 2;
            if !wanted || words + more > WORDS || lines.len() >= 6 {
                break;
            }
            lines.push(next);
            words += more;
        }
        lines
    }

    fn citations(&self, lines: &[usize], best: &Candidate, candidates: &[Candidate]) -> Vec<Citation> {
        let cite = |line: usize, score: f32| Citation {
            page: self.sentences[line].page as usize,
            quote: self.line(line).to_owned(),
            score: score.clamp(0.0, 1.0),
        };
        let mut citations = vec![cite(best.line, best.confidence)];
        citations.extend(
            lines
                .iter()
                .filter(|line| **line != best.line)
                .map(|line| cite(*line, best.confidence)),
        );
        let also = candidates.iter().skip(1).filter(|other| {
            other.score >= best.score * ALSO
                && other.confidence >= ENOUGH
                && !lines.contains(&other.line)
                && self.sentences[other.line].prose
        });
        citations.extend(also.map(|other| cite(other.line, other.confidence)));
        citations.truncate(CITATIONS.max(lines.len()));
        citations
    }
}

/// The terms of a question that are names or have digits.
fn named(question: &str, language: Language, words: &Words) -> Vec<String> {
    question
        .split_whitespace()
        .enumerate()
        .filter(|(place, word)| {
            // In German every noun has a capital letter, and everywhere the first word.
            let capital = *place > 0
                && language != Language::German
                && word
                    .chars()
                    .find(|c| c.is_alphanumeric())
                    .is_some_and(char::is_uppercase);
            capital || word.chars().any(char::is_numeric)
        })
        .flat_map(|(_, word)| words.content(word))
        .collect()
}

/// The beginning of a text that is too long.
fn cut(text: &str) -> &str {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
