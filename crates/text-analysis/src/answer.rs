//! Question answering over a document: its own sentences with their pages, or the statement that none was found.
//!
//! `sentence_scoring` ranks the sentences; here an answer is put together of the best one and those that belong to it,
//! or of the document's metadata.

use std::ops::RangeInclusive;

use quartet_api::Language;

use crate::analyzer::{Analyzer, Term, word_count};
use crate::discourse_markers::points_back;
use crate::index::Index;
use crate::lexical_search::{Hit, Query, search};
use crate::messages::{Message, quoted};
use crate::question;
use crate::question_patterns::{AnswerType, MetadataQuestion};
use crate::sections::{Role, role};
use crate::semantic_search::SemanticSearch;
use crate::sentence_scoring::Candidate;

/// Number of words up to which a question whose small words do not tell is taken for one in the document's language.
const FEW_WORDS: usize = 4;

/// The confidence below which the document is taken not to answer. Set on the development half of the questions in
/// `eval/pdf/questions`; the other half measures it.
pub const ANSWER_CONFIDENCE_THRESHOLD: f32 = 0.50;
/// The confidence from which a sentence is shown as one that may answer, though it does not count as an answer.
const POSSIBLE_CONFIDENCE: f32 = 0.3;
/// The confidence from which lexical search alone answers, and no time goes into semantic search.
const LEXICAL_CONFIDENCE_THRESHOLD: f32 = 0.75;
/// A question with fewer content words than this depends on the one before it.
const MIN_QUESTION_TERMS: usize = 2;
/// Limit in words for an answer, unless its first sentence alone is longer.
const MAX_ANSWER_WORDS: usize = 70;
/// Further sentences are cited when their score is at least this fraction of the best one's.
const FURTHER_CITATION_RATIO: f32 = 0.85;
/// Limit for the citations of an answer.
const MAX_CITATIONS: usize = 4;
/// Limit for the sentences that come nearest.
const MAX_NEAR: usize = 12;
/// Limit in bytes for a question; longer ones are cut.
const MAX_QUESTION_BYTES: usize = 2_000;

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The text for the person, in the question's language as far as it is not a quotation.
    pub text: String,
    /// True if the document answers the question.
    pub found: bool,
    /// The confidence, from 0 to 1.
    pub confidence: f32,
    /// The places in the document, also one that only may answer; empty when nothing was found, and for facts about the file.
    pub citations: Vec<Citation>,
    /// The sentences that come nearest, best first, whether or not they answer.
    pub near: Vec<Citation>,
    /// The language of the question.
    pub language: Language,
    /// The question as it was searched for, with the words taken from the question before. Pass it as `before` next
    /// time.
    pub question: String,
    /// The kind of evidence that the question asks for.
    pub basis: Basis,
}

/// The kind of evidence that a question asks for, as far as its words are certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// Sentences of the text.
    Text,
    /// The text as a whole: what it is about.
    Whole,
    /// What the text and the metadata of the file may both tell: author, title, date.
    Metadata,
    /// What can be counted or computed: the number of pages, the language.
    Certain,
}

/// A place in the document.
#[derive(Debug, Clone, PartialEq)]
pub struct Citation {
    /// The page, from 1.
    pub page: usize,
    /// The sentence as it stands there, in one line; or some that belong together, each paragraph and each item of a list in a line.
    pub quote: String,
    /// The score, from 0 to 1.
    pub score: f32,
}

impl Answer {
    /// An answer that nothing was found for yet.
    fn none(language: Language) -> Self {
        Self {
            text: String::new(),
            found: false,
            confidence: 0.0,
            citations: Vec::new(),
            near: Vec::new(),
            language,
            question: String::new(),
            basis: Basis::Text,
        }
    }
}

impl Index {
    /// Answers `question`; `before` is the question before it in the same conversation, as [`Answer::question`] gave it.
    #[must_use]
    pub fn answer(&self, question: &str, before: Option<&str>) -> Answer {
        self.reply(question, before, None)
    }

    /// The same, with semantic search. When the model gives no embeddings, it is the same as [`Index::answer`].
    #[must_use]
    pub fn answer_with_embeddings(
        &self,
        question: &str,
        before: Option<&str>,
        search: &mut SemanticSearch<'_>,
    ) -> Answer {
        self.reply(question, before, Some(search))
    }

    fn reply(&self, question: &str, before: Option<&str>, semantic: Option<&mut SemanticSearch<'_>>) -> Answer {
        let question = truncate(question.trim());
        let language = self.asked_in(question);
        let mut answer = Answer {
            question: question.to_owned(),
            ..Answer::none(language)
        };
        let asked = Analyzer::new(language);
        if let Some(metadata) = question::metadata_question(question, &asked) {
            answer.basis = match metadata {
                MetadataQuestion::Pages | MetadataQuestion::Language => Basis::Certain,
                MetadataQuestion::About => Basis::Whole,
                MetadataQuestion::Author | MetadataQuestion::Title | MetadataQuestion::Date => Basis::Metadata,
            };
            if self.answer_from_metadata(metadata, &mut answer) {
                return answer;
            }
        }
        if self.sentences.is_empty() {
            answer.text = Message::NoText.text(language);
            return answer;
        }
        let analyzer = Analyzer::new(self.language());
        let terms = |text: &str| -> Vec<String> {
            // A stop word of the question's language is one here, too.
            let own = analyzer.terms(text);
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
        let expected = question::answer_type(question, language);
        let quantity = asked.terms(question::quantity_words(question, language));
        let mut wanted = terms(question);
        wanted.retain(|term| quantity.iter().all(|word| word.text != *term));
        let mut distinct = wanted.clone();
        distinct.sort_unstable();
        distinct.dedup();
        // "What is APT?" stands alone, "Where?" and "And in testing?" do not.
        let alone = distinct.len() >= MIN_QUESTION_TERMS || distinct.len() == 1 && expected == AnswerType::Definition;
        if !alone && let Some(before) = before {
            let earlier = truncate(before.trim());
            wanted.extend(terms(earlier));
            answer.question = truncate(&format!("{earlier} {question}")).to_owned();
        }
        let query = Query::new(self, wanted.iter().cloned(), &named(question, language, &analyzer));
        let mut found = search(self, &query);
        if expected == AnswerType::Number {
            self.add_counts(&query, &analyzer, &mut found);
        }
        let mut scores = None;
        if let Some(semantic) = semantic {
            let candidates = self.candidates(&query, &wanted, expected, &found, None, &analyzer);
            let confidence = candidates.first().map_or(0.0, |best| best.confidence);
            let cross_lingual = language != self.language();
            if confidence < LEXICAL_CONFIDENCE_THRESHOLD {
                let widely = confidence < ANSWER_CONFIDENCE_THRESHOLD || cross_lingual;
                scores = self.semantic_scores(&answer.question, semantic, &found, widely, cross_lingual);
            }
            if let Some(scores) = &mut scores {
                found = self.fuse(&found, scores);
                self.score_sentences(&found, semantic, scores);
            }
        }
        let candidates = self.candidates(&query, &wanted, expected, &found, scores.as_ref(), &analyzer);
        let Some(best) = candidates.first() else {
            answer.text = Message::NotFound.text(language);
            return answer;
        };
        answer.near = candidates
            .iter()
            .take(MAX_NEAR)
            .map(|near| self.cite(near.line, near.confidence))
            .collect();
        answer.confidence = best.confidence;
        if best.confidence < ANSWER_CONFIDENCE_THRESHOLD {
            // A search that is not sure is no proof that the document is silent.
            if best.confidence < POSSIBLE_CONFIDENCE {
                answer.text = Message::NotFound.text(language);
                return answer;
            }
            answer.citations = self.citations(&[best.line], best, &[]);
            let near = &answer.citations[0];
            answer.text = Message::Perhaps(near.page, &near.quote).text(language);
            return answer;
        }
        answer.found = true;
        let lines = self.extent(best);
        let text = self.text_of(lines[0]..=lines[lines.len() - 1]);
        answer.text = quoted(self.sentences[lines[0]].page as usize, &text, self.language(), language);
        answer.citations = self.citations(&lines, best, &candidates);
        answer
    }

    /// The answer to what the document is about, in its own sentences with words around them in `language`.
    #[must_use]
    pub fn about(&self, language: Language) -> Answer {
        let mut answer = Answer {
            basis: Basis::Whole,
            ..Answer::none(language)
        };
        if !self.answer_from_metadata(MetadataQuestion::About, &mut answer) {
            answer.text = Message::NoText.text(language);
        }
        answer
    }

    /// The pages and sentences of the passages that are nearest to `question`, best first: what [`Index::answer`] chooses
    /// from.
    #[must_use]
    pub fn passages(&self, question: &str, most: usize) -> Vec<Citation> {
        self.cite_passages(&self.nearest(question), most)
    }

    /// The same, with semantic search: what [`Index::answer_with_embeddings`] chooses from.
    #[must_use]
    pub fn passages_with_embeddings(
        &self,
        question: &str,
        most: usize,
        search: &mut SemanticSearch<'_>,
    ) -> Vec<Citation> {
        let found = self.nearest(question);
        let cross_lingual = self.asked_in(question) != self.language();
        let scores = self.semantic_scores(truncate(question), search, &found, true, cross_lingual);
        self.cite_passages(&scores.map_or(found.clone(), |scores| self.fuse(&found, &scores)), most)
    }

    /// The passages by which a person would learn what the document is about: those of its abstract and its end, then the
    /// first one of each section, spread evenly over the document and in its order.
    #[must_use]
    pub fn section_openings(&self, most: usize) -> Vec<Citation> {
        let mut first: Vec<usize> = Vec::new();
        for passage in 0..self.passages.len() {
            let heading = |passage: usize| self.sentences[self.passages[passage].first as usize].heading;
            if first.last().is_none_or(|last| heading(*last) != heading(passage)) {
                first.push(passage);
            }
        }
        let framing = |passage: &usize| {
            let heading = self.heading(self.passages[*passage].first as usize);
            matches!(role(heading, 1, &[]), Role::Abstract | Role::Conclusion)
        };
        let mut chosen: Vec<usize> = first.iter().copied().filter(framing).take(most).collect();
        let others: Vec<usize> = first.iter().copied().filter(|passage| !framing(passage)).collect();
        let room = most.saturating_sub(chosen.len()).min(others.len());
        chosen.extend((0..room).map(|place| others[place * others.len() / room]));
        chosen.sort_unstable();
        let hits = chosen.into_iter().map(|passage| Hit {
            passage,
            score: 1.0,
            coverage: 1.0,
        });
        self.cite_passages(&hits.collect::<Vec<_>>(), most)
    }

    /// The page of a sentence of a passage that begins on page `near`: that one, or the next.
    #[must_use]
    pub fn page_of(&self, sentence: &str, near: usize) -> usize {
        let lines = (0..self.sentences.len()).filter(|line| self.line(*line).contains(sentence));
        let pages = lines.map(|line| self.sentences[line].page as usize);
        pages
            .filter(|page| *page == near || *page == near + 1)
            .min()
            .unwrap_or(near)
    }

    fn nearest(&self, question: &str) -> Vec<Hit> {
        let analyzer = Analyzer::new(self.language());
        search(self, &Query::new(self, analyzer.content(truncate(question)), &[]))
    }

    fn cite_passages(&self, found: &[Hit], most: usize) -> Vec<Citation> {
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

    /// The language of a question about this document.
    fn asked_in(&self, question: &str) -> Language {
        asked_in(question, self.language())
    }

    /// Answers from what is known of the file and its beginning; returns false where that says nothing.
    fn answer_from_metadata(&self, asked: MetadataQuestion, answer: &mut Answer) -> bool {
        let facts = &self.facts;
        let language = answer.language;
        let text = match asked {
            MetadataQuestion::Pages => Some(Message::Pages(facts.pages).text(language)),
            MetadataQuestion::Title => facts.title.as_deref().map(|title| Message::Title(title).text(language)),
            MetadataQuestion::Author => facts
                .author
                .as_deref()
                .map(|author| Message::Author(author).text(language)),
            MetadataQuestion::Date => {
                let date = facts.created.as_deref().or(facts.modified.as_deref());
                date.map(|date| Message::Created(date.split('T').next().unwrap_or(date)).text(language))
            }
            MetadataQuestion::Language if self.sentences.is_empty() => None,
            MetadataQuestion::Language => Some(Message::Language(self.language()).text(language)),
            MetadataQuestion::About => {
                let cite = |(quote, page): &(String, usize)| Citation {
                    page: *page,
                    quote: quote.clone(),
                    score: 1.0,
                };
                answer.citations = facts.about.iter().map(cite).collect();
                let title = facts.title.as_deref().map(|title| Message::Title(title).text(language));
                let quotes = facts.about.iter().map(|(quote, _)| quote.clone());
                let parts: Vec<String> = title.into_iter().chain(quotes).collect();
                (!parts.is_empty()).then(|| parts.join(" "))
            }
        };
        let Some(text) = text else {
            return false;
        };
        answer.text = text;
        answer.found = true;
        answer.confidence = 1.0;
        true
    }

    /// The sentences that make up the answer around the best one, one after the other.
    fn extent(&self, best: &Candidate) -> Vec<usize> {
        // A list says what it says as a whole.
        let list = self.list_of(best.line).map(|(first, last)| first..=last);
        let is_short = |lines: &RangeInclusive<usize>| {
            let words: usize = lines.clone().map(|line| word_count(self.line(line))).sum();
            words <= MAX_ANSWER_WORDS
        };
        if let Some(lines) = list.filter(is_short) {
            return lines.collect();
        }
        let mut lines = vec![best.line];
        let mut words = word_count(self.line(best.line));
        let same = |one: usize, other: usize| self.sentences[one].heading == self.sentences[other].heading;
        let paragraph = |one: usize, other: usize| self.sentences[one].paragraph == self.sentences[other].paragraph;
        // A sentence that points back is read with the one that it points to.
        while let Some(before) = lines[0].checked_sub(1).filter(|before| paragraph(*before, lines[0])) {
            let more = word_count(self.line(before));
            if !points_back(self.line(lines[0]), self.language()) || words + more > MAX_ANSWER_WORDS || lines.len() > 2
            {
                break;
            }
            lines.insert(0, before);
            words += more;
        }
        // An announcement is read with what it announces, and a heading's question is answered by more than one
        // sentence.
        loop {
            let last = lines[lines.len() - 1];
            let next = last + 1;
            if next >= self.sentences.len() || !same(last, next) {
                break;
            }
            let announced = self.line(last).ends_with([':', '：']) || (!self.sentences[last].prose && lines.len() > 1);
            let more = word_count(self.line(next));
            let wanted = announced || best.titled > 0.6 && paragraph(last, next) && words < MAX_ANSWER_WORDS / 2;
            if !wanted || words + more > MAX_ANSWER_WORDS || lines.len() >= 6 {
                break;
            }
            lines.push(next);
            words += more;
        }
        lines
    }

    fn cite(&self, line: usize, score: f32) -> Citation {
        Citation {
            page: self.sentences[line].page as usize,
            quote: self.line(line).to_owned(),
            score: score.clamp(0.0, 1.0),
        }
    }

    fn citations(&self, lines: &[usize], best: &Candidate, candidates: &[Candidate]) -> Vec<Citation> {
        let mut citations = vec![self.cite(best.line, best.confidence)];
        citations.extend(
            lines
                .iter()
                .filter(|line| **line != best.line)
                .map(|line| self.cite(*line, best.confidence)),
        );
        let also = candidates.iter().skip(1).filter(|other| {
            other.score >= best.score * FURTHER_CITATION_RATIO
                && other.confidence >= ANSWER_CONFIDENCE_THRESHOLD
                && !lines.contains(&other.line)
                && self.sentences[other.line].prose
        });
        citations.extend(also.map(|other| self.cite(other.line, other.confidence)));
        citations.truncate(MAX_CITATIONS.max(lines.len()));
        citations
    }
}

/// The terms of a question that are names or have digits.
fn named(question: &str, language: Language, analyzer: &Analyzer) -> Vec<String> {
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
        .flat_map(|(_, word)| analyzer.content(word))
        .collect()
}

/// Truncates a question that is too long.
fn truncate(text: &str) -> &str {
    let mut end = text.len().min(MAX_QUESTION_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The language of a question about a document in `own`: that one, unless its letters or enough of its words say otherwise.
fn asked_in(question: &str, own: Language) -> Language {
    let guess = quartet_lang_detect::detect(question);
    if guess == own {
        return own;
    }
    let same_script = quartet_lang_detect::is_latin(own) && quartet_lang_detect::is_latin(guess);
    let (ours, theirs) = (Analyzer::new(own), Analyzer::new(guess));
    let asks = |analyzer| question::metadata_question(question, analyzer).is_some();
    if asks(&theirs) && !asks(&ours) {
        return guess;
    }
    // Short questions in kindred languages are told apart by their small words, and the document's language is likelier.
    let lower = question.to_lowercase().replace('’', "'");
    let words = lower.split(|c: char| !(c.is_alphabetic() || c == '\''));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let count = |analyzer: &Analyzer| words.iter().filter(|word| analyzer.is_stop(word)).count();
    let (ours, theirs) = (count(&ours), count(&theirs));
    let short = same_script && (ours > theirs || ours == theirs && words.len() <= FEW_WORDS)
            // In Chinese characters alone a short Japanese question may be written.
            || own == Language::Japanese && guess == Language::Chinese && question.chars().count() < 8;
    if short { own } else { guess }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_in_its_own_language_unless_it_is_too_short_to_tell() {
        for (question, own, language) in [
            (
                "Welche beiden Verbindungen unterschied al-Muwaffaq?",
                Language::Spanish,
                Language::German,
            ),
            (
                "¿Quién era el hijo de Ayurbarwada?",
                Language::German,
                Language::Spanish,
            ),
            ("Total amount?", Language::Italian, Language::Italian),
            ("Riassumilo in due frasi.", Language::English, Language::Italian),
            ("Wer dominiert?", Language::Russian, Language::German),
        ] {
            assert_eq!(asked_in(question, own), language, "{question}");
        }
    }
}
