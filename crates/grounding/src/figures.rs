//! Figures that are taken from beside others: the hours of other days, the price of other people. Each word and each figure of such a
//! statement stands in its passage, and not together.

use std::collections::HashSet;

use quartet_api::Language;
use quartet_measures::{Quantity, quantities};
use quartet_text_analysis::Analyzer;

use crate::calendar::{Dates, weekdays};
use crate::numbers::Numbers;

/// A sentence, or a row of a table, with what it is made of.
pub(crate) struct Line {
    /// Its content words.
    pub words: HashSet<String>,
    /// Its numbers.
    pub numbers: Numbers,
    /// Its figures with the things that they count.
    pub quantities: Vec<Quantity>,
}

impl Line {
    /// Reads a line.
    pub fn of(text: &str, analyzer: &Analyzer, language: Language) -> Self {
        Self {
            words: analyzer.content(text).collect(),
            numbers: Numbers::of(text, &Dates::of(text, language), language),
            quantities: quantities(text, language),
        }
    }
}

/// The words of a line that a statement has, too, without its numbers.
fn shared<'w>(words: &'w HashSet<String>, line: &Line) -> HashSet<&'w String> {
    let shared = words.iter().filter(|word| line.words.contains(*word));
    shared.filter(|word| !word.contains(char::is_numeric)).collect()
}

/// Returns true if figures stand in lines that have fewer of the words said of them than another line with figures that count
/// the same: "students pay 49" of a table that has 49 in the row of adults. Figures that are of several lines are left alone. `counted` is
/// what the figures count.
pub(crate) fn are_of_another_line(
    words: &HashSet<String>,
    figures: &HashSet<String>,
    counted: &[Quantity],
    lines: &[Line],
) -> bool {
    if figures.is_empty() {
        return false;
    }
    let has_all = |line: &Line| figures.iter().all(|figure| line.numbers.have(figure));
    let (own, others): (Vec<&Line>, Vec<&Line>) = lines.iter().partition(|line| has_all(line));
    let own: Vec<HashSet<&String>> = own.into_iter().map(|line| shared(words, line)).collect();
    let counts_the_same = |line: &&Line| {
        let mut pairs = line
            .quantities
            .iter()
            .flat_map(|own| counted.iter().map(move |said| (own, said)));
        pairs.any(|(own, said)| !own.differs(said))
    };
    let mut others = others.into_iter().filter(counts_the_same);
    !own.is_empty()
        && others.any(|other| {
            let other = shared(words, other);
            own.iter().all(|own| own.len() < other.len() && own.is_subset(&other))
        })
}

/// Returns true if a sentence gives figures for some days of the week, and other ones for one of these days: "on Sundays until 21:00" of
/// "Monday to Friday until 21:00, Sunday until 18:00".
pub(crate) fn are_of_other_days(
    days: &HashSet<usize>,
    figures: &HashSet<String>,
    sentence: &str,
    language: Language,
) -> bool {
    if days.is_empty() || figures.is_empty() {
        return false;
    }
    let groups = groups(sentence, language);
    let has_all = |text: &str| {
        let numbers = Numbers::of(text, &Dates::of(text, language), language);
        figures.iter().all(|figure| numbers.have(figure))
    };
    let (own, others): (Vec<_>, Vec<_>) = groups.iter().partition(|(_, text)| has_all(text));
    let names = |group: &&(HashSet<usize>, String)| !group.0.is_disjoint(days);
    !own.is_empty() && !own.iter().any(names) && others.iter().any(names)
}

/// The parts of a sentence that are about days of the week of their own, each with these days and its text. Days stand before their
/// figures throughout a sentence, or behind them.
fn groups(sentence: &str, language: Language) -> Vec<(HashSet<usize>, String)> {
    // Texts between figures, each with the figure behind it.
    let mut parts: Vec<(&str, &str)> = Vec::new();
    let mut rest = sentence;
    while let Some(start) = rest.find(char::is_numeric) {
        let end = rest[start..]
            .find(|c: char| !c.is_numeric() && !matches!(c, '.' | ':' | ','))
            .map_or(rest.len(), |length| start + length);
        parts.push((&rest[..start], &rest[start..end]));
        rest = &rest[end..];
    }
    parts.push((rest, ""));
    let is_before = parts
        .first()
        .is_some_and(|(text, _)| !weekdays(text, language).is_empty());
    let mut groups = vec![(HashSet::new(), String::new())];
    for (text, figure) in parts {
        let days = weekdays(text, language);
        let names = !days.is_empty();
        if is_before && names {
            groups.push((HashSet::new(), String::new()));
        }
        if let Some((named, whole)) = groups.last_mut() {
            named.extend(days);
            whole.push_str(text);
        }
        if !is_before && names {
            groups.push((HashSet::new(), String::new()));
        }
        if let Some((_, whole)) = groups.last_mut() {
            whole.push_str(figure);
        }
    }
    groups.retain(|(days, text)| !days.is_empty() && text.contains(char::is_numeric));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerals::digits;
    use Language::{English, French, German, Japanese, Spanish};

    #[test]
    fn figures_of_other_days_are_told_from_those_of_the_day_itself() {
        let before = "The pool is open from Monday to Friday from 6:30 to 21:00 and on Saturdays and Sundays from 9:00 to 18:00.";
        let behind = "Ouvert de 9h à 12h le lundi, de 14h à 19h le mardi et le jeudi.";
        for (sentence, language, day, figures, other) in [
            (before, English, 6, "21:00", true),
            (before, English, 6, "18:00", false),
            (before, English, 0, "21:00", false),
            (before, English, 0, "18:00", true),
            // Who is open from Monday to Friday is on Wednesday, and nobody says otherwise.
            (before, English, 2, "21:00", false),
            (behind, French, 0, "19", true),
            (behind, French, 3, "19", false),
            (behind, French, 0, "9 12", false),
            (
                "Donnerstag 10 - 19:30 Uhr, Samstag 10 - 13 Uhr",
                German,
                5,
                "19:30",
                true,
            ),
            ("Donnerstag 10 - 19:30 Uhr, Samstag 10 - 13 Uhr", German, 5, "10", false),
            ("Cerrado los lunes; el resto de 9 a 14.", Spanish, 1, "14", false),
            ("月曜日は9時から17時、土曜日は10時から12時。", Japanese, 5, "17", true),
            ("月曜日は9時から17時、土曜日は10時から12時。", Japanese, 5, "12", false),
        ] {
            let figures: HashSet<String> = digits(figures).collect();
            let found = are_of_other_days(&HashSet::from([day]), &figures, sentence, language);
            assert_eq!(found, other, "{sentence} {day} {figures:?}");
        }
    }

    #[test]
    fn figures_of_another_row_are_told_from_those_of_the_row_that_is_named() {
        let rows = [
            "Adults £6.00 £49.00",
            "Students £4.20 £25.50",
            "The card is valid for 12 months.",
            "Lost cards cost £5; please tell the desk.",
        ];
        let analyzer = Analyzer::new(English);
        let lines = rows.map(|row| Line::of(row, &analyzer, English));
        for (statement, other) in [
            ("A monthly card for students is £49.00.", true),
            ("A monthly pass for students is £25.50.", false),
            ("A monthly pass for adults is £49.00.", false),
            ("A monthly pass is £49.00.", false),
            ("A lost card costs £5.", false),
            ("A card is valid for 12 months.", false),
            // Both figures, each in its row.
            ("Adults pay £6.00, students £4.20.", false),
        ] {
            let words = analyzer.content(statement).collect();
            let figures = digits(statement).collect();
            let counted = quantities(statement, English);
            assert_eq!(
                are_of_another_line(&words, &figures, &counted, &lines),
                other,
                "{statement}"
            );
        }
    }
}
