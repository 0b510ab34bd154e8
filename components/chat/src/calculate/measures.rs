//! Quantities of a question: its numbers, each with the unit or the currency beside it, and units that stand by themselves; read in
//! the question's own language.

use std::cmp::Reverse;
use std::ops::Range;

use quartet_api::Language;
use quartet_measures::units::{self, Unit};
use quartet_measures::{begins_word, currencies, ends_word, is_dense_char};
use quartet_text_normalization::{chinese_numerals, spelled};

use super::lexicon;
use super::question::Question;
use super::said::{self, Said};

/// A unit or a currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// A unit of measurement.
    Unit(&'static Unit),
    /// A currency by its code.
    Money(&'static str),
}

impl Measure {
    /// Its dimension; every currency is a dimension of its own.
    pub fn dimension(self) -> &'static str {
        match self {
            Measure::Unit(unit) => unit.dimension,
            Measure::Money(code) => code,
        }
    }
}

/// A number, a unit, or both together, where they stand in a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    /// The number, with a point for its decimals; none for a unit by itself.
    pub value: Option<String>,
    /// The unit or currency; none for a number by itself.
    pub measure: Option<Measure>,
    /// Place of the name of the unit.
    pub name: (usize, usize),
    /// Start in the text.
    pub start: usize,
    /// End in the text.
    pub end: usize,
    /// True if the number has a half that is said in words.
    pub has_half: bool,
}

impl Item {
    /// The unit; none for a currency, and for a number by itself.
    pub fn unit(&self) -> Option<&'static Unit> {
        match self.measure? {
            Measure::Unit(unit) => Some(unit),
            Measure::Money(_) => None,
        }
    }

    /// Place of its number in the text that it stands in.
    pub fn number_in(&self, text: &str) -> Range<usize> {
        let (begin, end) = match self.measure {
            None => (self.start, self.end),
            // "$80"
            Some(_) if self.name.0 == self.start => (self.name.1, self.end),
            Some(_) => (self.start, self.name.0),
        };
        let number = &text[begin..end];
        let begin = begin + number.len() - number.trim_start().len();
        begin..begin + number.trim().len()
    }

    /// Dimension of its measure.
    pub fn dimension(&self) -> Option<&'static str> {
        self.measure.map(Measure::dimension)
    }
}

/// The items of a question in their order; none where a number of it is not understood.
pub(super) fn read(question: &Question) -> Option<Vec<Item>> {
    let reader = Reader {
        question,
        text: question.text(),
        language: question.language(),
        names: names(question.language()),
    };
    reader.read()
}

/// Returns true if all that the numbers of a question say is in its items: no percentages, no times, no halves of something, and
/// nothing that there is two of.
pub(super) fn are_plain(question: &Question, items: &[Item]) -> bool {
    let halves = question.says(Said::Half) && !items.iter().any(|item| item.has_half);
    !halves && !question.says(Said::Twice) && !question.asks_for_percentage() && !question.has_clock_time()
}

/// Returns true if a unit that stands by itself is asked for, or is what the result is wanted in.
pub(super) fn is_asked(question: &Question, item: &Item) -> bool {
    let before = question.text()[..item.start].trim_end();
    let language = question.language();
    said::is_at_end(before, Said::HowMany, language) || said::is_at_end(before, Said::In, language)
}

struct Reader<'a> {
    question: &'a Question,
    text: &'a str,
    language: Language,
    names: Vec<(&'static str, Measure)>,
}

/// A number and its place.
type Number = (usize, usize, String);

impl Reader<'_> {
    fn read(&self) -> Option<Vec<Item>> {
        let numbers = self.numbers()?;
        let mut items: Vec<Item> = Vec::new();
        let mut at = 0;
        while at < self.text.len() {
            let item = match numbers.iter().find(|number| number.0 == at) {
                Some(number) => Some(self.quantity(number, items.last())),
                None => self.name_by_itself(at),
            };
            at = match item {
                Some(item) => {
                    let end = item.end;
                    // The sign before a number is the number's.
                    items.pop_if(|last| item.start < last.end);
                    items.push(item);
                    end
                }
                None => at + self.text[at..].chars().next().map_or(1, char::len_utf8),
            };
        }
        // "One" is an article in many languages: by itself it is no number.
        items.retain(|item| item.measure.is_some() || item.value.as_deref() != Some("1") || self.is_digits(item));
        Some(items)
    }

    fn is_digits(&self, item: &Item) -> bool {
        self.text[item.start..item.end]
            .bytes()
            .all(|byte| byte.is_ascii_digit())
    }

    /// The numbers in digits, and the small ones in words.
    fn numbers(&self) -> Option<Vec<Number>> {
        if self.has_large_words() {
            return None;
        }
        let mut numbers: Vec<Number> = Vec::new();
        for (start, end, value) in self.question.places() {
            if self.is_scaled(end) {
                return None;
            }
            numbers.push((start, end, value?.to_owned()));
        }
        let digits = numbers.clone();
        let is_free = |start: usize, end: usize| digits.iter().all(|number| number.1 <= start || end <= number.0);
        if matches!(self.language, Language::Chinese | Language::Japanese) {
            // "千克" is a unit, and "零下" a word.
            let signs = chinese_numerals(self.text)
                .filter(|(value, (start, end))| *value > 0 && is_free(*start, *end) && self.name_at(*start).is_none());
            numbers.extend(signs.map(|(value, (start, end))| (start, end, value.to_string())));
        } else {
            for (value, word) in lexicon::numerals_of(self.language).filter(|(value, _)| *value > 0) {
                let found = self
                    .text
                    .match_indices(word)
                    .map(|(start, _)| (start, start + word.len()));
                let whole = found.filter(|(start, end)| {
                    begins_word(word, &self.text[..*start]) && ends_word(word, &self.text[*end..])
                });
                numbers.extend(whole.map(|(start, end)| (start, end, value.to_string())));
            }
        }
        numbers.sort();
        Some(numbers)
    }

    /// Returns true if a word for a power of ten stands behind a number, and is no part of a unit.
    fn is_scaled(&self, end: usize) -> bool {
        let rest = &self.text[end..];
        let trimmed = rest.trim_start();
        let scaled = |word: &str| trimmed.strip_prefix(word).is_some_and(|after| ends_word(word, after));
        lexicon::scales().any(|(_, word)| scaled(word)) && self.name_at(end + rest.len() - trimmed.len()).is_none()
    }

    /// Returns true if it has words for numbers beyond the small ones, which are not read here.
    fn has_large_words(&self) -> bool {
        if matches!(self.language, Language::Chinese | Language::Japanese) {
            return false;
        }
        let all: Vec<u32> = match self.language {
            Language::Hindi => (13..100).collect(),
            _ => (13..20).chain((20..100).step_by(10)).collect(),
        };
        let scales = || lexicon::scales().filter(|(_, word)| word.chars().count() > 1);
        all.into_iter()
            .filter_map(|value| spelled(&value.to_string(), self.language))
            .any(|word| self.text.contains(&word))
            || scales().any(|(_, word)| self.question.find(word).is_some())
    }

    /// A number with what stands beside it.
    fn quantity(&self, (start, end, value): &Number, last: Option<&Item>) -> Item {
        let mut item = Item {
            value: Some(value.clone()),
            measure: None,
            name: (*start, *start),
            start: *start,
            end: *end,
            has_half: false,
        };
        // "2h35"
        if let Some(last) = last.filter(|last| last.end == *start && self.text[..*start].ends_with('h'))
            && last.unit().is_some_and(|unit| unit.name == "hour")
        {
            item.measure = units::named("minute").map(Measure::Unit);
            item.name = last.name;
            return item;
        }
        if let Some((place, measure)) = self.sign_before(*start) {
            item.measure = Some(measure);
            item.name = place;
            item.start = place.0;
            // "$12.50 dollars", "US$ 5 USD"
            if let Some((place, _)) = self.name_after(*end).filter(|(_, after)| *after == measure) {
                item.end = place.1;
            }
            return item;
        }
        let half = |at: usize| {
            let rest = &self.text[at..];
            let trimmed = rest.trim_start();
            let length = said::at_start(trimmed, Said::AndHalf, self.language)?;
            Some(at + rest.len() - trimmed.len() + length)
        };
        let counted = self.without_counter(*end);
        let with_half = half(counted).and_then(|at| Some((at, self.name_after(at)?)));
        if let Some((_, (place, measure))) = with_half {
            item.measure = Some(measure);
            item.name = place;
            item.end = place.1;
            item.has_half = true;
        } else if let Some((place, measure)) = self.name_after(counted) {
            item.measure = Some(measure);
            item.name = place;
            item.end = place.1;
            if let Some(at) = half(place.1) {
                item.has_half = true;
                item.end = at;
            }
        }
        if item.has_half && !value.contains('.') {
            item.value = Some(format!("{value}.5"));
        }
        item.measure = item.measure.map(|measure| self.speed_of(*start, measure));
        item
    }

    /// The speed that a length says behind a word such as "時速", or the measure itself.
    fn speed_of(&self, start: usize, measure: Measure) -> Measure {
        let before = self.text[..start].trim_end();
        let Measure::Unit(unit) = measure else { return measure };
        let hourly = before.ends_with("時速") || before.ends_with("时速") || before.ends_with("시속");
        let by_second = before.ends_with("秒速") || before.ends_with("초속");
        let speed = match unit.name {
            "km" if hourly => "km/h",
            "mile" if hourly => "mph",
            "m" if by_second => "m/s",
            _ => return measure,
        };
        units::named(speed).map_or(measure, Measure::Unit)
    }

    /// The place behind the word that Chinese counts with.
    fn without_counter(&self, at: usize) -> usize {
        match self.text[at..].chars().next() {
            Some(counter @ ('个' | '個')) if self.language == Language::Chinese => at + counter.len_utf8(),
            _ => at,
        }
    }

    /// The sign or the name of a currency that stands before a place.
    fn sign_before(&self, at: usize) -> Option<((usize, usize), Measure)> {
        let before = self.text[..at].trim_end();
        let signs = self
            .names
            .iter()
            .filter(|(_, measure)| matches!(measure, Measure::Money(_)));
        // A word before a number may belong to something else: signs and codes do not.
        let mut signs = signs.filter(|(name, _)| name.len() <= 4 && !name.contains(char::is_whitespace));
        signs.find_map(|(name, measure)| {
            let rest = before.strip_suffix(name)?;
            // "12 € 5" has the sign of its first number there.
            let free = begins_word(name, rest) && !rest.trim_end().ends_with(|c: char| c.is_ascii_digit());
            let is_sign = name.len() == 3 && name.is_ascii() || !name.chars().all(char::is_alphabetic);
            (free && is_sign).then_some(((rest.len(), before.len()), *measure))
        })
    }

    /// The name of a unit or a currency that begins behind a place.
    fn name_after(&self, at: usize) -> Option<((usize, usize), Measure)> {
        let rest = &self.text[at..];
        let trimmed = rest.trim_start_matches([' ', '-', '\u{a0}']);
        let start = at + rest.len() - trimmed.len();
        let (length, measure) = self.name_at(start).or_else(|| self.scale_at(start))?;
        Some(((start, start + length), measure))
    }

    /// The longest name that stands at a place.
    fn name_at(&self, at: usize) -> Option<(usize, Measure)> {
        let rest = &self.text[at..];
        let (name, measure) = self.names.iter().find(|(name, _)| {
            let after = rest.strip_prefix(*name);
            // "3,20 l'uno" has no litres.
            after.is_some_and(|after| ends_word(name, after) && !after.starts_with('\''))
        })?;
        Some((name.len(), *measure))
    }

    /// The letter of a scale of temperatures, which is a capital one: "350F"; and what is "how many" or a part of other words in
    /// Arabic where no number stands before it.
    fn scale_at(&self, at: usize) -> Option<(usize, Measure)> {
        let rest = &self.text[at..];
        let arabic = [("كم", "km"), ("سم", "cm"), ("م", "m")];
        for (sign, name) in arabic.into_iter().filter(|_| self.language == Language::Arabic) {
            if rest.strip_prefix(sign).is_some_and(|after| ends_word(sign, after)) {
                return Some((sign.len(), Measure::Unit(units::named(name)?)));
            }
        }
        let unit = [("c", "C", "°C"), ("f", "F", "°F")]
            .into_iter()
            .find(|(lower, capital, _)| {
                rest.strip_prefix(lower).is_some_and(|after| ends_word(lower, after)) && self.question.has(capital)
            });
        Some((1, Measure::Unit(units::named(unit?.2)?)))
    }

    /// A name that no number stands beside.
    fn name_by_itself(&self, at: usize) -> Option<Item> {
        let (length, measure) = self.name_at(at)?;
        let name = &self.text[at..at + length];
        let before = &self.text[..at];
        // A letter is a unit where it cannot be anything else.
        let is_name = name.chars().count() > 1 || !name.chars().all(char::is_alphabetic) || is_ideograph(name);
        if !begins_word(name, before) || !is_name && !before.trim_end().ends_with('/') {
            return None;
        }
        Some(Item {
            value: None,
            measure: Some(measure),
            name: (at, at + length),
            start: at,
            end: at + length,
            has_half: false,
        })
    }
}

fn is_ideograph(text: &str) -> bool {
    text.chars().all(is_dense_char)
}

/// The names of units and currencies in a language, the longest first.
fn names(language: Language) -> Vec<(&'static str, Measure)> {
    let units = units::names_in(language).map(|(unit, name)| (name, Measure::Unit(unit)));
    // Names in capitals are other words in lower case.
    let units = units.filter(|(name, _)| !name.starts_with(|c: char| c.is_ascii_uppercase()));
    let money = currencies::names(language).map(|(name, code)| (name, Measure::Money(code)));
    let mut all: Vec<_> = units.chain(money).collect();
    all.sort_by_key(|(name, _)| Reverse(name.len()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(question: &str, language: Language) -> Option<Vec<(Option<String>, &'static str)>> {
        let items = read(&Question::new(question, language))?.into_iter();
        Some(
            items
                .map(|item| {
                    let measure = match item.measure {
                        Some(Measure::Unit(unit)) => unit.name,
                        Some(Measure::Money(code)) => code,
                        None => "",
                    };
                    (item.value, measure)
                })
                .collect(),
        )
    }

    #[test]
    fn numbers_have_the_units_beside_them() {
        for (question, language, expected) in [
            (
                "a floor of 4.20 m by 3.75 m, how many square metres?",
                Language::English,
                &[(Some("4.2"), "m"), (Some("3.75"), "m"), (None, "m^2")][..],
            ),
            (
                "6,5 l/100 km auf 350 km",
                Language::German,
                &[(Some("6.5"), "liter"), (Some("100"), "km"), (Some("350"), "km")],
            ),
            (
                "$12.50 per kg, 350 g",
                Language::English,
                &[(Some("12.5"), "USD"), (None, "kg"), (Some("350"), "g")],
            ),
            (
                "1 euro = 1,08 dollar",
                Language::French,
                &[(Some("1"), "EUR"), (Some("1.08"), "USD")],
            ),
            (
                "80 km/h for 2 hours and a half",
                Language::English,
                &[(Some("80"), "km/h"), (Some("2.5"), "hour")],
            ),
            ("5 لتر ونص", Language::Arabic, &[(Some("5.5"), "liter")]),
            ("2个半小时", Language::Chinese, &[(Some("2.5"), "hour")]),
            ("2時間半", Language::Japanese, &[(Some("2.5"), "hour")]),
            ("2h35", Language::French, &[(Some("2"), "hour"), (Some("35"), "minute")]),
            (
                "a 20 euro note and one coffee",
                Language::English,
                &[(Some("20"), "EUR")],
            ),
            ("3,20 l'uno", Language::Italian, &[(Some("3.2"), "")]),
        ] {
            let found = items(question, language).unwrap_or_default();
            let found: Vec<_> = found.iter().map(|(value, name)| (value.as_deref(), *name)).collect();
            assert_eq!(found, expected, "{question}");
        }
    }

    #[test]
    fn numbers_that_are_not_understood_are_noticed() {
        assert_eq!(items("2 million litres", Language::English), None);
        assert_eq!(items("twenty-five litres", Language::English), None);
        assert_eq!(items("B2B at 3 km", Language::English), None);
    }
}
