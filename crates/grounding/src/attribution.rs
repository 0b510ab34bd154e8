//! Attribution of a model's sentences to the passages that support them.

use std::collections::HashSet;

use quartet_api::Language;
use quartet_text_analysis::analyzer::Analyzer;

use crate::negation::is_negated;
use crate::numerals::{digits, numerals};

/// Fraction of the content words of a sentence that a passage of the web must have.
const MIN_WEB_TERM_RATIO: f32 = 0.7;
/// Fraction of the content words of a sentence that the passage itself must have, not the question.
const MIN_OWN_TERM_RATIO: f32 = 0.5;
/// Fraction of the words from a passage that must keep their order, so that a part may move to the front, but not two
/// change places: with the same words, "A pays B" says something else than "B pays A".
const MIN_ORDER_RATIO: f32 = 0.6;

/// A passage of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The caller's number for its source.
    pub source: usize,
    /// Its text.
    pub text: String,
}

/// An attribution check: the words, numbers and names of passages and of the question.
pub struct Attribution {
    analyzer: Analyzer,
    language: Language,
    passages: Vec<TextTerms>,
    asked: TextTerms,
}

/// The features of a text that are compared.
struct TextTerms {
    source: usize,
    /// Its content terms, in order.
    terms: Vec<String>,
    known: HashSet<String>,
    numbers: HashSet<String>,
    /// The text in lower case.
    text: String,
    negated: bool,
}

impl TextTerms {
    fn new(text: &str, source: usize, analyzer: &Analyzer, language: Language) -> Self {
        let terms: Vec<String> = analyzer.content(text).collect();
        Self {
            source,
            known: terms.iter().cloned().collect(),
            numbers: numerals(text, language).collect(),
            text: text.to_lowercase(),
            negated: is_negated(text, language),
            terms,
        }
    }

    /// Both, one after the other.
    fn with(&self, other: &Self) -> Self {
        Self {
            source: self.source,
            terms: self.terms.iter().chain(&other.terms).cloned().collect(),
            known: self.known.union(&other.known).cloned().collect(),
            numbers: self.numbers.union(&other.numbers).cloned().collect(),
            text: format!("{}\n{}", self.text, other.text),
            negated: self.negated || other.negated,
        }
    }
}

impl Attribution {
    /// Creates a check of an answer in `language` to a question, from passages.
    #[must_use]
    pub fn new(passages: &[Passage], question: &str, language: Language) -> Self {
        let analyzer = Analyzer::new(language);
        let said = |text: &str, source| TextTerms::new(text, source, &analyzer, language);
        Self {
            passages: passages
                .iter()
                .map(|passage| said(&passage.text, passage.source))
                .collect(),
            asked: said(question, 0),
            analyzer,
            language,
        }
    }

    /// The source that supports a sentence: one that has nearly all of its words, in the same order, and every number
    /// and name in it or in the question. None where no source does, or where the sentence has no content. This is for
    /// pages of the web, where the question's words mix with theirs.
    #[must_use]
    pub fn source(&self, sentence: &str) -> Option<usize> {
        let said = self.said(sentence);
        let asked = &self.asked;
        let names: Vec<String> = names(sentence, self.language).collect();
        let best = self.passages.iter().filter_map(|passage| {
            let share = said.share(|term| passage.known.contains(term) || asked.known.contains(term))?;
            let of_numbers =
                digits(sentence).all(|number| passage.numbers.contains(&number) || asked.numbers.contains(&number));
            let of_names = names
                .iter()
                .all(|name| passage.text.contains(name) || asked.text.contains(name));
            let borne_out = share >= MIN_WEB_TERM_RATIO
                && of_numbers
                && of_names
                && said.is_new(passage, asked)
                && said.negated == passage.negated
                && said.in_order(passage, asked);
            borne_out.then_some((passage.source, share))
        });
        best.max_by(|one, other| one.1.total_cmp(&other.1))
            .map(|(source, _)| source)
    }

    /// The sources that support a sentence: one passage, or with `joined` two, which have the fraction `share` of its
    /// words, in the same order, with every number beside the same word, every name, and a negation exactly where there
    /// is one. The other words may be the question's, but not its numbers and names.
    #[must_use]
    pub fn sources(&self, sentence: &str, share: f32, joined: bool) -> Option<Vec<usize>> {
        let said = self.said(sentence);
        let names: Vec<String> = names(sentence, self.language).collect();
        let one = self
            .passages
            .iter()
            .find(|passage| self.says(passage, &said, &names, share));
        if let Some(passage) = one {
            return Some(vec![passage.source]);
        }
        if !joined {
            return None;
        }
        let pairs = self.passages.iter().enumerate().flat_map(|(at, first)| {
            let later = self.passages[at + 1..].iter();
            later.map(move |second| (first, second))
        });
        // Where only one is negated, it cannot be told which of both the sentence has its "not" from.
        let alike = pairs.filter(|(first, second)| first.negated == second.negated);
        let both = alike.filter_map(|(first, second)| {
            let together = first.with(second);
            let known = said.share(|term| together.known.contains(term))?;
            self.says(&together, &said, &names, share)
                .then_some((vec![first.source, second.source], known))
        });
        both.max_by(|one, other| one.1.total_cmp(&other.1))
            .map(|(sources, _)| sources)
    }

    fn said(&self, text: &str) -> TextTerms {
        TextTerms::new(text, 0, &self.analyzer, self.language)
    }

    fn says(&self, passage: &TextTerms, said: &TextTerms, names: &[String], share: f32) -> bool {
        let known = said.share(|term| passage.known.contains(term) || self.asked.known.contains(term));
        // The question gives words, not content.
        let own = said.share(|term| passage.known.contains(term));
        known.is_some_and(|known| known >= share)
            && own.is_some_and(|own| own >= MIN_OWN_TERM_RATIO)
            && said.is_new(passage, &self.asked)
            && said.numbers.is_subset(&passage.numbers)
            && said.numbers.iter().all(|number| same_place(number, said, passage))
            && names.iter().all(|name| passage.text.contains(name))
            && said.negated == passage.negated
            && said.in_order(passage, &self.asked)
    }
}

impl TextTerms {
    /// The fraction of the terms that hold; none where there are no terms.
    fn share(&self, holds: impl Fn(&String) -> bool) -> Option<f32> {
        let count = self.known.iter().filter(|term| holds(term)).count();
        (!self.known.is_empty()).then(|| count as f32 / self.known.len() as f32)
    }

    /// Returns true if the words from the passage that are not the question's mostly keep their order.
    fn in_order(&self, passage: &TextTerms, asked: &TextTerms) -> bool {
        let new = |term: &&String| passage.known.contains(*term) && !asked.known.contains(*term);
        let new: Vec<&String> = self.terms.iter().filter(new).collect();
        common(&new, &passage.terms) as f32 >= new.len() as f32 * MIN_ORDER_RATIO
    }

    /// Returns true if it has something from the passage that the question has not.
    fn is_new(&self, passage: &TextTerms, asked: &TextTerms) -> bool {
        let own = |term: &String| passage.known.contains(term) && !asked.known.contains(term);
        // A sentence that only repeats the question is no answer.
        !self.known.is_subset(&asked.known) && (self.known.iter().any(own) || passage.text.contains(&self.text))
    }
}

/// Returns true if a number stands beside the same word in both, where there are others that it could be mistaken for.
fn same_place(number: &String, said: &TextTerms, passage: &TextTerms) -> bool {
    if passage.numbers.len() < 2 {
        return true;
    }
    let beside = |terms: &[String]| -> Vec<(Option<String>, Option<String>)> {
        let places = terms
            .iter()
            .enumerate()
            .filter(|(_, term)| digits(term).any(|digits| digits == *number));
        places
            .map(|(at, _)| {
                (
                    at.checked_sub(1).map(|at| terms[at].clone()),
                    terms.get(at + 1).cloned(),
                )
            })
            .collect()
    };
    let there = beside(&passage.terms);
    let here = beside(&said.terms);
    // Numbers in words are no terms in some languages: what stands beside them is not known.
    !here.is_empty()
        && here.iter().all(|(before, after)| {
            there.iter().any(|(was_before, was_after)| {
                before.is_some() && before == was_before || after.is_some() && after == was_after
            })
        })
}

/// The length of the longest sequence of terms that both have in the same order.
fn common(one: &[&String], other: &[String]) -> usize {
    let mut best = vec![0; other.len() + 1];
    for term in one {
        let mut diagonal = 0;
        for (at, beside) in other.iter().enumerate() {
            let above = best[at + 1];
            best[at + 1] = if *term == beside {
                diagonal + 1
            } else {
                above.max(best[at])
            };
            diagonal = above;
        }
    }
    best[other.len()]
}

/// Words with a capital letter inside of a sentence, in lower case; not in German, where all nouns have one, and not the first
/// word.
pub(crate) fn names(sentence: &str, language: Language) -> impl Iterator<Item = String> {
    sentence
        .split_whitespace()
        .skip(1)
        .filter(move |_| language != Language::German)
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| word.chars().next().is_some_and(char::is_uppercase) && word.chars().count() > 1)
        .map(|word| word.trim_end_matches("'s").trim_end_matches("’s").to_lowercase())
}
