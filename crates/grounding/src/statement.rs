//! Comparison of the statements of an answer with the passages that it was written from.
//!
//! A statement may use words of its own, so it is not held against words alone, as a rephrased sentence is
//! ([`crate::Attribution`]): its numbers, with what they count, its days, months and dates, its names, its denials and words
//! that have an opposite must be those of its passage, and what it means must be near to a sentence there.

use std::collections::HashSet;

use quartet_api::Language;
use quartet_measures::{Quantity, quantities};
use quartet_text_analysis::analyzer::Analyzer;
use quartet_text_analysis::sentence::sentences;
use quartet_text_analysis::{Embed, Embedding, Role};

use crate::attribution::{Passage, names};
use crate::calendar::{Dates, NumericDate, weekdays};
use crate::figures::{Line, are_of_another_line, are_of_other_days};
use crate::negation::is_negated;
use crate::numbers::Numbers;
use crate::numerals::digits;
use crate::opposites::{Opposition, opposition};

/// Fraction of the content words of a statement, those of the question aside, that its passage has, from which on it is
/// borne out by words.
const MIN_WORDS: f32 = 0.6;
/// Similarity of a statement with a sentence of its passage from which on it means the same.
const SAME_MEANING: f32 = 0.87;
/// Similarity from which on it is likely the same in other words; texts that have nothing to do with each other have 0.7
/// to 0.8.
const LIKE_MEANING: f32 = 0.81;
/// Fraction of the words that a statement and a sentence must share for a difference in denial to be a contradiction.
const SAME_MATTER: f32 = 0.6;
/// Passages whose sentences are compared by meaning.
const COMPARED_PASSAGES: usize = 3;

/// The degree to which a passage bears a statement out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// The passage says it.
    BorneOut,
    /// The passage says something near to it in other words.
    Reworded,
    /// A number, what it counts, a name or a denial is not the passage's.
    Contradicted,
    /// No passage says anything near to it.
    Missing,
}

impl Support {
    /// Returns true if the statement may stay in an answer.
    #[must_use]
    pub fn holds(self) -> bool {
        matches!(self, Self::BorneOut | Self::Reworded)
    }
}

/// A statement compared with the passages.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The degree to which it is borne out.
    pub support: Support,
    /// The position of its passage, and the sentences there that are nearest to it, in their order; none where it has no
    /// passage.
    pub place: Option<(usize, String)>,
}

/// The passages of an answer, prepared for comparisons.
pub struct Evidence<'a> {
    passages: Vec<Known>,
    asked: HashSet<String>,
    asked_numbers: Numbers,
    asked_text: String,
    asked_weekdays: HashSet<usize>,
    asked_months: HashSet<usize>,
    analyzer: Analyzer,
    /// Language of the answer.
    language: Language,
    /// Language of the passages.
    source_language: Language,
    embed: Option<&'a dyn Embed>,
}

/// A passage.
struct Known {
    source: usize,
    lower: String,
    terms: HashSet<String>,
    numbers: Numbers,
    quantities: Vec<Quantity>,
    weekdays: HashSet<usize>,
    /// Also those of dates in digits.
    months: HashSet<usize>,
    sentences: Vec<String>,
}

impl Known {
    /// Returns false if this number counts something else wherever it stands here.
    fn counts(&self, said: &Quantity) -> bool {
        let mut same = self
            .quantities
            .iter()
            .filter(|written| written.digits == said.digits)
            .peekable();
        // It may stand here in words.
        same.peek().is_none() || same.any(|written| !said.differs(written))
    }

    /// Returns true if a date in digits stands here, as it is or in other words.
    fn has_date(&self, date: &NumericDate) -> bool {
        self.lower.contains(&date.written)
            || self.numbers.have(&date.year.to_string())
                && date.readings.iter().any(|(day, month)| {
                    self.numbers.have(&day.to_string()) && self.has_months(&HashSet::from([*month]))
                })
    }

    /// Returns true if these months are its own. A passage that names none may have them in another way.
    fn has_months(&self, months: &HashSet<usize>) -> bool {
        self.months.is_empty() || months.is_subset(&self.months)
    }
}

impl<'a> Evidence<'a> {
    /// Prepares passages in `source_language` for an answer in `language` to `question`.
    #[must_use]
    pub fn new(
        passages: &[Passage],
        question: &str,
        language: Language,
        source_language: Language,
        embed: Option<&'a dyn Embed>,
    ) -> Self {
        let own = Analyzer::new(source_language);
        let known = |passage: &Passage| {
            let dates = Dates::of(&passage.text, source_language);
            Known {
                source: passage.source,
                lower: passage.text.to_lowercase(),
                terms: own.content(&passage.text).collect(),
                numbers: Numbers::of(&passage.text, &dates, source_language),
                quantities: quantities(&passage.text, source_language),
                weekdays: weekdays(&passage.text, source_language),
                months: dates.all_months(&passage.text, source_language),
                sentences: passage
                    .text
                    .lines()
                    .flat_map(|line| sentences(line, source_language))
                    .map(str::to_owned)
                    .collect(),
            }
        };
        let analyzer = Analyzer::new(language);
        let asked_dates = Dates::of(question, language);
        Self {
            passages: passages.iter().map(known).collect(),
            asked: analyzer.content(question).collect(),
            asked_numbers: Numbers::of(question, &asked_dates, language),
            asked_text: question.to_lowercase(),
            asked_weekdays: weekdays(question, language),
            asked_months: asked_dates.all_months(question, language),
            analyzer,
            language,
            source_language,
            embed,
        }
    }

    /// Compares a statement with the passages. `hint` is the source that its writer names.
    #[must_use]
    pub fn compare(&self, statement: &str, hint: Option<usize>) -> Comparison {
        let nowhere = |support| Comparison { support, place: None };
        let terms: HashSet<String> = self.analyzer.content(statement).collect();
        let new: HashSet<&String> = terms.difference(&self.asked).collect();
        let dates = Dates::of(statement, self.language);
        let figures: HashSet<String> = digits(&dates.rest)
            .filter(|number| !self.asked_numbers.have(number))
            .collect();
        let months: HashSet<usize> = dates.months.difference(&self.asked_months).copied().collect();
        let counted: Vec<Quantity> = quantities(statement, self.language)
            .into_iter()
            .filter(|quantity| figures.contains(&quantity.digits))
            .collect();
        let named = self.names(statement);
        let days: HashSet<usize> = weekdays(statement, self.language)
            .difference(&self.asked_weekdays)
            .copied()
            .collect();
        let share = |passage: &Known| {
            let known = new.iter().filter(|term| passage.terms.contains(**term)).count();
            if new.is_empty() {
                0.0
            } else {
                known as f32 / new.len() as f32
            }
        };
        let holds = |passage: &Known| {
            figures.iter().all(|number| passage.numbers.have(number))
                && dates.numeric.iter().all(|date| passage.has_date(date))
                && passage.has_months(&months)
                && counted.iter().all(|quantity| passage.counts(quantity))
                && named.iter().all(|name| passage.lower.contains(name))
                // A passage without any may have them for short: "Di–So".
                && (passage.weekdays.is_empty() || days.is_subset(&passage.weekdays))
        };
        let mut ranked: Vec<(f32, &Known)> = self
            .passages
            .iter()
            .map(|passage| {
                let hinted = if Some(passage.source) == hint { 0.25 } else { 0.0 };
                let sound = if holds(passage) { 1.0 } else { 0.0 };
                (share(passage) + hinted + sound, passage)
            })
            .collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
        let Some((_, best)) = ranked.first() else {
            return nowhere(Support::Missing);
        };
        if !holds(best) {
            return nowhere(Support::Contradicted);
        }
        let near: Vec<&Known> = ranked
            .iter()
            .map(|(_, passage)| *passage)
            .filter(|passage| holds(passage))
            .take(COMPARED_PASSAGES)
            .collect();
        let by_words = share(best);
        let (passage, line, similarity) = if by_words >= MIN_WORDS {
            (*best, self.nearest_line(best, &terms), None)
        } else {
            self.nearest_meaning(statement, &near).map_or(
                (*best, self.nearest_line(best, &terms), None),
                |(passage, line, similarity)| (passage, line, Some(similarity)),
            )
        };
        let quote = passage.sentences.get(line).cloned().unwrap_or_default();
        let all_days = days.union(&self.asked_weekdays).copied().collect();
        if are_of_other_days(&all_days, &figures, &quote, self.source_language)
            || self.is_of_another_line(statement, &figures, &counted, passage)
        {
            return nowhere(Support::Contradicted);
        }
        match opposition((statement, self.language), (&quote, self.source_language)) {
            Opposition::Contradicts => return nowhere(Support::Contradicted),
            Opposition::None if self.is_denied(statement, &terms, &quote) => return nowhere(Support::Contradicted),
            Opposition::None | Opposition::Agrees => {}
        }
        let support = if by_words >= MIN_WORDS || similarity.is_some_and(|similarity| similarity >= SAME_MEANING) {
            Support::BorneOut
        } else if similarity.is_some_and(|similarity| similarity >= LIKE_MEANING)
            // Only what the question says, or a few words of the passage among others: by words alone this is little.
            || similarity.is_none() && (by_words > 0.0 || new.is_empty() && !terms.is_empty())
        {
            Support::Reworded
        } else {
            return nowhere(Support::Missing);
        };
        Comparison {
            support,
            place: Some((passage.source, quote)),
        }
    }

    /// Returns true if the figures of a statement are those of another sentence of its passage than its words.
    fn is_of_another_line(
        &self,
        statement: &str,
        figures: &HashSet<String>,
        counted: &[Quantity],
        passage: &Known,
    ) -> bool {
        if self.language != self.source_language || figures.is_empty() {
            return false;
        }
        // A unit goes with its figure.
        let written: Vec<&str> = statement
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let units: HashSet<String> = written
            .windows(2)
            .filter(|pair| pair[0].ends_with(char::is_numeric))
            .flat_map(|pair| self.analyzer.content(pair[1]))
            .collect();
        let words: HashSet<String> = self
            .analyzer
            .content(statement)
            .filter(|word| !units.contains(word))
            .collect();
        let lines: Vec<Line> = passage
            .sentences
            .iter()
            .map(|sentence| Line::of(sentence, &self.analyzer, self.source_language))
            .collect();
        are_of_another_line(&words, figures, counted, &lines)
    }

    /// The sentence that is nearest to a statement in the passage that its writer names, whether it bears the statement out or not;
    /// by meaning where there is a model for that, else by words.
    #[must_use]
    pub fn nearest(&self, statement: &str, source: usize) -> Option<String> {
        let passage = self.passages.iter().find(|passage| passage.source == source)?;
        let line = match self.nearest_meaning(statement, &[passage]) {
            Some((_, line, _)) => line,
            None => self.nearest_line(passage, &self.analyzer.content(statement).collect()),
        };
        passage.sentences.get(line).cloned()
    }

    /// The names in a statement that must stand in its passage: those that are not the question's, and are written in a
    /// script of the passages. Names that are translated are left to the comparison of meanings.
    fn names(&self, statement: &str) -> Vec<String> {
        let foreign = self.language != self.source_language;
        names(statement, self.language)
            .filter(|name| !self.asked_text.contains(name))
            .filter(|name| !foreign || name.is_ascii())
            .filter(|name| !foreign || self.passages.iter().any(|passage| passage.lower.contains(name)))
            .collect()
    }

    /// The sentence of a passage that is nearest to a statement by words: the share of both that they have in common, so that
    /// a title is preferred to a long sentence that has its words among many others.
    fn nearest_line(&self, passage: &Known, terms: &HashSet<String>) -> usize {
        let likeness = |line: &String| {
            let there: HashSet<String> = self.analyzer.content(line).collect();
            let shared = terms.intersection(&there).count();
            2.0 * shared as f32 / (terms.len() + there.len()).max(1) as f32
        };
        let lines = passage.sentences.iter().map(likeness).enumerate();
        let nearest = lines.reduce(|best, other| if other.1 > best.1 { other } else { best });
        nearest.map_or(0, |(line, _)| line)
    }

    /// The sentence of the passages that means nearly the same as a statement.
    fn nearest_meaning<'p>(&self, statement: &str, passages: &[&'p Known]) -> Option<(&'p Known, usize, f32)> {
        let lines: Vec<(&'p Known, usize)> = passages
            .iter()
            .flat_map(|passage| (0..passage.sentences.len()).map(move |line| (*passage, line)))
            .collect();
        let mut texts: Vec<&str> = vec![statement];
        texts.extend(lines.iter().map(|(passage, line)| passage.sentences[*line].as_str()));
        let meanings: Vec<Embedding> = self.embed?.embed(Role::Passage, &texts)?;
        let (said, others) = meanings.split_first()?;
        let similar = others.iter().map(|other| said.cosine_similarity(other));
        lines
            .into_iter()
            .zip(similar)
            .max_by(|one, other| one.1.total_cmp(&other.1))
            .map(|((passage, line), similarity)| (passage, line, similarity))
    }

    /// Returns true if a statement denies what `quote` says of the same matter, or the other way round.
    fn is_denied(&self, statement: &str, terms: &HashSet<String>, quote: &str) -> bool {
        if self.language != self.source_language || terms.is_empty() {
            return false;
        }
        let there: HashSet<String> = self.analyzer.content(quote).collect();
        let shared = terms.intersection(&there).count();
        shared as f32 >= SAME_MATTER * terms.len() as f32
            && is_negated(statement, self.language)
            && !is_negated(quote, self.language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(statement: &str) -> Comparison {
        let passages = [
            "The mill was built in 1742 by Thomas Reed. It grinds wheat.",
            "The river is called Lenn.",
        ];
        let passages: Vec<Passage> = passages
            .iter()
            .enumerate()
            .map(|(source, text)| Passage {
                source,
                text: (*text).to_owned(),
            })
            .collect();
        let english = Language::English;
        Evidence::new(&passages, "Who built the mill?", english, english, None).compare(statement, None)
    }

    #[test]
    fn what_a_passage_says_is_borne_out_with_its_sentence() {
        let said = compare("Thomas Reed built the mill in 1742.");
        assert_eq!(said.support, Support::BorneOut);
        assert_eq!(
            said.place,
            Some((0, "The mill was built in 1742 by Thomas Reed.".to_owned()))
        );
        assert_eq!(
            compare("The river is the Lenn.").place.map(|(source, _)| source),
            Some(1)
        );
    }

    #[test]
    fn other_numbers_names_and_denials_contradict() {
        for wrong in [
            "Thomas Reed built the mill in 1842.",
            "The mill was built by John Reed.",
            "The mill was not built by Thomas Reed.",
        ] {
            let said = compare(wrong);
            assert_eq!((said.support, said.place), (Support::Contradicted, None), "{wrong}");
        }
    }

    #[test]
    fn a_number_that_counts_something_else_contradicts() {
        let passages = [Passage {
            source: 0,
            text: "A card for ten visits costs £40 and is valid for three months. Each visit may last 90 minutes."
                .to_owned(),
        }];
        let compare = |statement, language| {
            let evidence = Evidence::new(&passages, "", language, Language::English, None);
            evidence.compare(statement, None).support
        };
        assert_eq!(
            compare("A card for ten visits costs £40.", Language::English),
            Support::BorneOut
        );
        assert_eq!(
            compare("A visit may last 90 minutes.", Language::English),
            Support::BorneOut
        );
        for (wrong, language) in [
            ("A card for ten visits costs 40 euros.", Language::English),
            ("Each visit may last 90 days.", Language::English),
            ("Die Karte kostet 40 Pfennig.", Language::German),
        ] {
            assert_eq!(compare(wrong, language), Support::Contradicted, "{wrong}");
        }
        // Three stands there in words.
        assert_ne!(
            compare("It is valid for 3 months.", Language::English),
            Support::Contradicted
        );
    }

    #[test]
    fn the_opposite_of_what_a_passage_says_contradicts() {
        let passages = [Passage {
            source: 0,
            text: "Water is turned on from 20 March to 5 November. Dogs are forbidden in the hall.".to_owned(),
        }];
        let english = Language::English;
        let evidence = Evidence::new(&passages, "When is the water off?", english, english, None);
        for (statement, support) in [
            (
                "Water is turned off from 20 March to 5 November.",
                Support::Contradicted,
            ),
            ("Water is turned on from 20 March to 5 November.", Support::BorneOut),
            ("Dogs are not allowed in the hall.", Support::BorneOut),
        ] {
            assert_eq!(evidence.compare(statement, None).support, support, "{statement}");
        }
    }

    #[test]
    fn other_days_of_the_week_contradict_in_every_language() {
        let passages = [Passage {
            source: 0,
            text: "Das Bad ist dienstags bis sonntags geöffnet.".to_owned(),
        }];
        let compare = |statement, question, language| {
            let evidence = Evidence::new(&passages, question, language, Language::German, None);
            evidence.compare(statement, None).support
        };
        for (statement, question, language, contradicts) in [
            (
                "Das Bad ist dienstags bis sonntags geöffnet.",
                "",
                Language::German,
                false,
            ),
            ("Das Bad ist montags bis freitags geöffnet.", "", Language::German, true),
            ("Das Bad is open Monday through Friday.", "", Language::English, true),
            ("Das Bad is open Tuesday to Sunday.", "", Language::English, false),
            // What is asked may follow from a range.
            (
                "Das Bad ist mittwochs geöffnet.",
                "Ist mittwochs geöffnet?",
                Language::German,
                false,
            ),
        ] {
            let support = compare(statement, question, language);
            assert_eq!(support == Support::Contradicted, contradicts, "{statement} {support:?}");
        }
    }

    #[test]
    fn other_months_and_dates_contradict_and_the_same_in_other_words_do_not() {
        use Language::{English, German, Japanese, Russian};
        let contradicts = |passage: &str, from, statement, to, question| {
            let passages = [Passage {
                source: 0,
                text: passage.to_owned(),
            }];
            let evidence = Evidence::new(&passages, question, to, from, None);
            evidence.compare(statement, None).support == Support::Contradicted
        };
        let pool = "Das Freibad ist von Mai bis September geöffnet, ab 15.05.2025 auch abends.";
        for (passage, from, statement, to, question, expected) in [
            (
                pool,
                German,
                "The pool is open from May to September.",
                English,
                "",
                false,
            ),
            (
                pool,
                German,
                "The pool is open from March to September.",
                English,
                "",
                true,
            ),
            (
                pool,
                German,
                "From 15 May 2025 on it is open in the evening.",
                English,
                "",
                false,
            ),
            (
                pool,
                German,
                "From 15 June 2025 on it is open in the evening.",
                English,
                "",
                true,
            ),
            (
                pool,
                German,
                "From 16 May 2025 on it is open in the evening.",
                English,
                "",
                true,
            ),
            (
                pool,
                German,
                "Ab 15.5.2025 ist es auch abends geöffnet.",
                German,
                "",
                false,
            ),
            (
                pool,
                German,
                "Ab 15.6.2025 ist es auch abends geöffnet.",
                German,
                "",
                true,
            ),
            // A month that is asked for may lie in a range.
            (
                pool,
                German,
                "Im Juli ist das Freibad geöffnet.",
                German,
                "Ist es im Juli geöffnet?",
                false,
            ),
            (
                "5月15日から営業します。",
                Japanese,
                "It opens on 15 May.",
                English,
                "",
                false,
            ),
            (
                "5月15日から営業します。",
                Japanese,
                "It opens on 15 March.",
                English,
                "",
                true,
            ),
            (
                "It opens on 15 May.",
                English,
                "5月15日に開きます。",
                Japanese,
                "",
                false,
            ),
            (
                "It opens on 15 May.",
                English,
                "3月15日に開きます。",
                Japanese,
                "",
                true,
            ),
            (
                "You may enter with thirty-five guests.",
                English,
                "Войти могут 35 гостей.",
                Russian,
                "",
                false,
            ),
            (
                "You may enter with thirty-five guests.",
                English,
                "Войти могут 36 гостей.",
                Russian,
                "",
                true,
            ),
        ] {
            assert_eq!(
                contradicts(passage, from, statement, to, question),
                expected,
                "{statement}"
            );
        }
    }

    #[test]
    fn what_no_passage_says_is_missing() {
        assert_eq!(compare("It costs a lot of money.").support, Support::Missing);
    }

    #[test]
    fn the_sentence_that_a_statement_was_made_of_is_found_where_it_does_not_hold() {
        let passages = [Passage {
            source: 3,
            text: "The mill grinds wheat. Dogs must not enter the mill.".to_owned(),
        }];
        let english = Language::English;
        let evidence = Evidence::new(&passages, "May dogs enter?", english, english, None);
        let statement = "Yes, dogs may enter the mill with 2 people.";
        assert_eq!(evidence.compare(statement, Some(3)).support, Support::Contradicted);
        assert_eq!(
            evidence.nearest(statement, 3).as_deref(),
            Some("Dogs must not enter the mill.")
        );
        assert_eq!(evidence.nearest(statement, 0), None);
    }
}
