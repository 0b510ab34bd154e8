//! The numbers and words of a question, against which an expression is held: in digits of any script, in words, as
//! parts of dates and times.

use std::collections::BTreeSet;

use jiff::civil::{Time, Weekday};
use quartet_api::Language;
use quartet_measures::is_dense_char;
use quartet_measures::units;
use quartet_text_normalization::{chinese_numerals, spelled, spellings};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::calendar;
use super::lexer;
use super::lexicon::{self, Row};
use super::number::canonical;
use super::term::{Operation, factors};
use super::written::{Written, without_one, written};

/// Signs that numbers are written with in scripts without spaces.
const NUMERAL_SIGNS: &str =
    "〇零一二三四五六七八九十百千万億亿萬两廿영일이삼사오육칠팔구십백천만억조하둘셋넷다섯여덟아홉열";

/// A question that bears out what is computed from it.
#[derive(Debug)]
pub(super) struct Question {
    /// The text with the letters as they were.
    original: String,
    text: String,
    language: Language,
    numbers: Vec<Written>,
    /// Places of number words that bore out something.
    spelled: std::cell::RefCell<Vec<(usize, usize)>>,
}

impl Question {
    /// Reads a question in `language`.
    pub fn new(question: &str, language: Language) -> Self {
        let text = lexer::normalised(question);
        let numbers = written(&text, language);
        Self {
            original: question.to_owned(),
            text,
            language,
            numbers,
            spelled: std::cell::RefCell::default(),
        }
    }

    /// Returns true if something in it could bear out an expression. False costs nothing: what it is false for would be
    /// refused later.
    pub fn has_anything(&self) -> bool {
        // Tens are parts of longer words, too.
        let large = [13, 14, 15, 16, 17, 18, 19, 20, 30, 40, 50, 60, 70, 80, 90, 100, 1000];
        self.numbers.iter().any(|number| number.value.is_some())
            || lexicon::marks(self.language).any(|phrase| self.has(phrase))
            || self.is_a_weekday()
            || large
                .iter()
                .filter_map(|value| spelled(&value.to_string(), self.language))
                .any(|word| self.text.contains(&word))
    }

    /// Returns true for little more than the name of a weekday: "next friday?"
    fn is_a_weekday(&self) -> bool {
        let mut all = Weekday::Monday.cycle_forward().take(7);
        self.text.split_whitespace().count() < 4
            && all.any(|weekday| calendar::whole_names_of_weekday(weekday).any(|name| self.has(&name)))
    }

    /// Returns true if nothing in it but a word for years could bear out an expression: "In what year was Mozart born?" and "In what year
    /// did Apollo 11 land?"
    pub fn has_only_years(&self) -> bool {
        let mut rest = self.text.clone();
        for (start, end) in self.named_numbers().into_iter().rev() {
            rest.replace_range(start..end, " ");
        }
        for phrase in lexicon::years(self.language) {
            while let Some((start, end)) = find(&rest, phrase) {
                rest.replace_range(start..end, " ");
            }
        }
        !Self::new(&rest, self.language).has_anything()
    }

    /// Returns true if it has numbers, and all of them are parts of names.
    pub fn has_only_named_numbers(&self) -> bool {
        self.has_digits() && self.named_numbers().len() == self.numbers.len()
    }

    /// Places of the numbers that are parts of names, as in Apollo 11: right behind a word with a capital that no sentence begins with, and
    /// that is no month. Every noun has a capital in German.
    fn named_numbers(&self) -> Vec<(usize, usize)> {
        let is_name = |number: &&Written| {
            let before = self.text[..number.start].trim_end();
            let begins = before.rfind([' ', '-']).map_or(0, |place| place + 1);
            let word = &before[begins..];
            let sign = before[..begins].trim_end().chars().next_back();
            let is_inside = sign.is_some_and(|sign| !".?!:;".contains(sign));
            is_inside
                && self.language != Language::German
                && self.as_written(word).starts_with(char::is_uppercase)
                && (1..=12).all(|month| !calendar::names_of_month(month).iter().any(|name| name == word))
        };
        let named = self.numbers.iter().filter(is_name);
        named.map(|number| (number.start, number.end)).collect()
    }

    /// Returns true if a phrase stands in it as words of its own.
    pub fn has(&self, phrase: &str) -> bool {
        // "EL" is a spoon in German, "el" is "the" in Spanish.
        if phrase.starts_with(|c: char| c.is_ascii_uppercase()) {
            return find(&self.original, phrase).is_some();
        }
        self.find(phrase).is_some()
    }

    /// Returns true if a word of a kind stands in it, also as a part of a longer one.
    pub fn has_part(&self, row: Row<'_>) -> bool {
        lexicon::rows_of(row).any(|part| self.text.contains(part))
    }

    /// Returns true if a name stands in it, whatever marks its letters have: "Montréal" for "montreal".
    pub fn has_unmarked(&self, name: &str) -> bool {
        let unmarked: String = self.text.nfd().filter(|c| !is_combining_mark(*c)).collect();
        find(&unmarked, name).is_some()
    }

    /// Returns true if it has numbers in digits.
    pub fn has_digits(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Returns true if it has a number, in digits or in words.
    pub fn has_number(&self) -> bool {
        self.has_digits() || self.values().is_none()
    }

    /// The number in digits, if there is one only.
    pub fn only_number(&self) -> Option<&str> {
        match &self.numbers[..] {
            [number] => number.value.as_deref(),
            _ => None,
        }
    }

    /// The text before its only number and the text after it, without the space between.
    pub fn around_only_number(&self) -> Option<(&str, &str)> {
        match &self.numbers[..] {
            [number] => Some((
                self.text[..number.start].trim_end(),
                self.after((number.start, number.end)),
            )),
            _ => None,
        }
    }

    /// The two times of day, if it has these numbers and no others, and they are written with 24 hours.
    pub fn only_times(&self) -> Option<(Time, Time)> {
        let [a, b, c, d] = &self.numbers[..] else {
            return None;
        };
        let time = |hour: &Written, minute: &Written| {
            let between = &self.text[hour.end..minute.start];
            let value = |number: &Written| number.value.as_ref()?.parse::<i8>().ok();
            let two = minute.end - minute.start == 2;
            let time = Time::new(value(hour)?, value(minute)?, 0, 0).ok()?;
            (two && between == ":").then_some(time)
        };
        let (from, to) = (time(a, b)?, time(c, d)?);
        // "10:35" may be at night; where one hour is past twelve, all are counted to 24.
        (from.hour() > 12 || to.hour() > 12).then_some((from, to))
    }

    /// The numbers that it has, with a point for their decimals; none where numbers stand in words, too.
    pub fn values(&self) -> Option<BTreeSet<String>> {
        let numerals = lexicon::numerals_of(self.language)
            .filter(|(value, _)| *value > 1)
            .map(|(_, word)| word);
        let scales = lexicon::scales().map(|(_, word)| word).filter(|word| word.len() > 1);
        // Parts of words count in "hunderttausend" and "二十", but there is no hundred in "percentuale".
        let is_fused = matches!(self.language, Language::German | Language::Italian);
        let has_word = |word: &str| {
            self.has(word)
                || is_dense(word) && self.text.contains(word)
                || is_fused && lexicon::FUSED.contains(&word) && self.ends_with_word(word)
        };
        let in_words = numerals.chain(scales).any(has_word)
            || lexicon::value_words().any(|word| self.has(word))
            || self.numbers.iter().any(|number| self.is_scaled(number));
        (!in_words).then(|| self.numbers.iter().filter_map(|number| number.value.clone()).collect())
    }

    /// Returns true if a word of it ends with a word, and is no percentage.
    fn ends_with_word(&self, end: &str) -> bool {
        let mut words = self.text.split(|c: char| !c.is_alphabetic());
        words.any(|word| word.ends_with(end) && !lexicon::rows_of(Row::Percent).any(|percent| percent == word))
    }

    /// Returns true if it has a time of day such as 14:47, whose numbers are no numbers to compute with.
    pub fn has_clock_time(&self) -> bool {
        self.numbers.windows(2).any(|pair| {
            let at_most = |number: &Written, most: u32| {
                let value = number.value.as_ref().and_then(|value| value.parse::<u32>().ok());
                value.is_some_and(|value| value <= most)
            };
            let minutes = pair[1].end - pair[1].start == 2 && at_most(&pair[1], 59);
            minutes
                && at_most(&pair[0], 24)
                && pair[0].end + 1 == pair[1].start
                && self.text[pair[0].end..].starts_with(':')
        })
    }

    /// Returns true if it asks how many hundredths something is.
    pub fn asks_for_percentage(&self) -> bool {
        self.text.contains(['%', '٪']) || self.has_part(Row::Percent) || self.text.contains("百分")
    }

    /// The times of day, `HH:MM`, that its numbers can mean; none where numbers stand in words, too.
    pub fn times(&self) -> Option<BTreeSet<String>> {
        self.values()?;
        let value = |number: &Written| number.value.as_ref()?.parse::<u8>().ok();
        let values: BTreeSet<u8> = self.numbers.iter().filter_map(value).collect();
        let minutes: BTreeSet<u8> = values.iter().copied().filter(|value| *value < 60).chain([0]).collect();
        let hours = values.range(..24).flat_map(|hour| [*hour, (*hour + 12) % 24]);
        let decimal = self
            .numbers
            .iter()
            .filter_map(|number| decimal_time(&self.text[number.start..number.end]));
        let decimal = decimal.flat_map(|(hour, minute)| [(hour, minute), ((hour + 12) % 24, minute)]);
        let times: BTreeSet<_> = hours
            .flat_map(|hour| minutes.iter().map(move |minute| format!("{hour:02}:{minute:02}")))
            .chain(decimal.map(|(hour, minute)| format!("{hour:02}:{minute:02}")))
            .collect();
        (!times.is_empty()).then_some(times)
    }

    /// The numbers in digits that are percentages, where no other number of it is what a model may write for them.
    pub fn percentages(&self) -> Vec<String> {
        let values = || self.numbers.iter().filter_map(|number| number.value.as_deref());
        let is_free = |value: &&str| {
            factors(value)
                .iter()
                .all(|factor| values().all(|other| other != factor))
        };
        let all = values().filter(|value| self.is_percentage(value)).filter(is_free);
        all.map(str::to_owned).collect()
    }

    /// Returns true if a number begins as "1.22" does: a model that writes "1.250,00" as it stands there would go on with that.
    pub fn begins_like_a_factor(&self) -> bool {
        self.numbers.iter().any(|number| {
            let written = &self.text[number.start..number.end];
            ["1.", "1,", "0.", "0,"].iter().any(|start| written.starts_with(start))
        })
    }

    /// Returns true if an `h` stands behind a number, as in "2h35" and "8 h".
    pub fn has_hour_sign(&self) -> bool {
        self.numbers.iter().any(|number| {
            let after = self.text[number.end..].trim_start();
            after
                .strip_prefix('h')
                .is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
        })
    }

    /// Looks for a time that is written like a decimal, "23.40", and marks it as used.
    pub fn decimal_time(&self, hour: i8, minute: i8) -> bool {
        let is_it = |number: &&Written| decimal_time(&self.text[number.start..number.end]) == Some((hour, minute));
        let found = self.numbers.iter().filter(|number| !number.used.get()).find(is_it);
        found.inspect(|number| number.used.set(true)).is_some()
    }

    /// The numbers in digits: their places and values.
    pub fn places(&self) -> impl Iterator<Item = (usize, usize, Option<&str>)> {
        let all = self.numbers.iter();
        all.map(|number| (number.start, number.end, number.value.as_deref()))
    }

    /// A phrase with the letters that it has in the question.
    pub fn as_written<'t>(&'t self, phrase: &'t str) -> &'t str {
        lexer::as_written(&self.original, phrase)
    }

    /// The text in lower case.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns true if a name of the table of zones stands in it.
    pub fn has_zone_name(&self, name: &str) -> bool {
        if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
            return self.has(name);
        }
        // "est" is a word of French, "cet" another one.
        find(&self.original, name).is_some()
            || self.language == Language::English
                && matches!(name, "EST" | "CET")
                && self.has(&name.to_ascii_lowercase())
    }

    /// The place of a phrase that stands in it as words of its own.
    pub fn find(&self, phrase: &str) -> Option<(usize, usize)> {
        find(&self.text, phrase)
    }

    /// The language that it is read in.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Looks for a number, and marks its digits as used. Returns its place.
    pub fn number(&self, value: &str) -> Option<(usize, usize)> {
        let value = canonical(value);
        let free = self.numbers.iter().find(|number| {
            !number.used.get() && number.value.as_deref() == Some(value.as_str()) && !self.is_scaled(number)
        });
        if let Some(number) = free {
            number.used.set(true);
            return Some((number.start, number.end));
        }
        self.in_words(&value)
            .or_else(|| self.in_signs(&value))
            .or_else(|| self.scaled(&value))
    }

    /// Marks what stands at a place as used.
    pub fn mark(&self, (start, end): (usize, usize)) {
        let within = self
            .numbers
            .iter()
            .filter(|number| start <= number.start && number.end <= end);
        within.for_each(|number| number.used.set(true));
        self.spelled.borrow_mut().push((start, end));
    }

    /// Marks the one of fractions such as "3分の1", which divides by nothing.
    pub fn mark_numerators(&self) {
        let ones = ["分の1", "分之1", "분의 1", "분의1"].into_iter();
        let places = ones.flat_map(|fraction| self.text.match_indices(fraction));
        places
            .map(|(start, fraction)| start + fraction.len())
            .filter(|end| !self.text[*end..].starts_with(|c: char| c.is_ascii_digit() || c == '.'))
            .for_each(|end| self.mark((end - 1, end)));
    }

    /// Returns true if all numbers in digits were used, and the small ones in words.
    pub fn is_used_up(&self) -> bool {
        let spelled = self.spelled.borrow();
        let within = |place: (usize, usize)| {
            spelled.iter().any(|(start, end)| *start <= place.0 && place.1 <= *end)
                || self
                    .numbers
                    .iter()
                    .any(|number| number.start < place.1 && place.0 < number.end)
        };
        // Words of other languages are other words.
        let words = lexicon::numerals_of(self.language).filter(|(value, _)| *value > 1);
        self.numbers.iter().all(|number| number.used.get())
            && words
                .filter(|(_, word)| !is_dense(word))
                .all(|(_, word)| self.find(word).is_none_or(within))
    }

    /// Returns true if it has a minus, as a sign or a word.
    pub fn has_minus(&self) -> bool {
        let mut signs = self.text.match_indices(['-', '−']);
        let counts = |rest: &str| rest.starts_with(|c: char| c == ' ' || c == '(' || c.is_ascii_digit());
        signs.any(|(at, sign)| counts(&self.text[at + sign.len()..]))
            || lexicon::rows_of(Row::Minus).any(|word| self.has(word))
    }

    /// Returns true if a minus stands before a place.
    pub fn is_negative_at(&self, place: (usize, usize)) -> bool {
        let before = self.text[..place.0].trim_end();
        let sign = before.ends_with(['-', '−'])
            && !before
                .trim_end_matches(['-', '−', ' '])
                .ends_with(|c: char| c.is_ascii_digit());
        sign || lexicon::rows_of(Row::Minus).any(|word| before.ends_with(word) && before.len() > 1 && word.len() > 1)
    }

    /// Returns true if it has a date in digits of which nobody can say what is the month, such as 3/4/2024 in English.
    pub fn has_ambiguous_date(&self) -> bool {
        let value = |number: &Written| number.value.as_ref().and_then(|value| value.parse::<u32>().ok());
        self.language == Language::English
            && self.numbers.windows(2).any(|pair| {
                let between = &self.text[pair[0].end..pair[1].start];
                let (first, second) = (value(&pair[0]), value(&pair[1]));
                between == "/" && first != second && first.max(second).is_some_and(|most| most <= 12)
            })
    }

    /// The text after a place, without space.
    pub fn after(&self, place: (usize, usize)) -> &str {
        self.text[place.1..].trim_start_matches([' ', '-', '°'])
    }

    /// A number in words, as it is said in the language.
    fn in_words(&self, value: &str) -> Option<(usize, usize)> {
        let place = lexicon::rows_of(Row::Value(value))
            .find_map(|word| self.find(word))
            .or_else(|| {
                let small = lexicon::numerals().filter(|(number, _)| number.to_string() == value);
                let mut places = small.filter_map(|(_, word)| self.find(word));
                places.find(|place| !self.goes_on(*place))
            })
            .or_else(|| {
                let forms = spellings(value, self.language);
                let words = spelled(value, self.language)?;
                let short = without_one(&words).map(str::to_owned);
                let mut places = forms.iter().chain(&short).filter_map(|form| self.find(form));
                places.find(|place| !self.goes_on(*place))
            })?;
        self.spelled.borrow_mut().push(place);
        Some(place)
    }

    /// The place of a number in the numerals of Chinese or Japanese that has not borne out anything yet.
    fn in_signs(&self, value: &str) -> Option<(usize, usize)> {
        let wanted: u64 = value.parse().ok()?;
        let free = |place: &(usize, usize)| !self.spelled.borrow().contains(place);
        let mut places = chinese_numerals(&self.text)
            .filter(|(found, _)| *found == wanted)
            .map(|(_, place)| place);
        let place = places.find(free)?;
        self.spelled.borrow_mut().push(place);
        Some(place)
    }

    /// Returns true if a word for a power of ten follows a number.
    fn is_scaled(&self, number: &Written) -> bool {
        let rest = self.text[number.end..].trim_start();
        lexicon::scales().any(|(_, word)| {
            let joins = |c: char| c.is_alphabetic() && !is_dense_char(c);
            rest.starts_with(word) && (is_dense(word) || !rest[word.len()..].starts_with(joins))
        })
    }

    /// Returns true if a percent sign or word stands beside a number with this value.
    pub fn is_percentage(&self, value: &str) -> bool {
        let value = canonical(value);
        let beside = |(start, end): (usize, usize)| {
            let after = self.text[end..].trim_start();
            let before = self.text[..start].trim_end();
            after.starts_with(['%', '٪'])
                || lexicon::rows_of(Row::Percent).any(|word| after.starts_with(word))
                || before.ends_with(['%', '٪'])
                || before.ends_with("百分之")
        };
        let written = self
            .numbers
            .iter()
            .filter(|number| number.value.as_deref() == Some(value.as_str()))
            .map(|number| (number.start, number.end));
        written.chain(self.in_words(&value)).any(beside)
    }

    /// Returns true if it has a sign or a word for an operation.
    pub fn names(&self, operation: Operation) -> bool {
        let signs: &[char] = match operation {
            Operation::Division => &['/', '÷', ':'],
            Operation::Subtraction => &['-', '−', '–'],
            Operation::Power => &['^', '²', '³'],
            Operation::Root => &['√', '∛'],
            Operation::Mean => &[],
            Operation::Factorial => &['!'],
            Operation::Common => &[],
        };
        self.text.contains(signs) || lexicon::rows_of(Row::Operation(operation)).any(|word| self.text.contains(word))
    }

    /// The amounts behind which a word such as "each" stands, which are for one already: "2.50 each", and "80 g of pasta each".
    pub fn rates(&self) -> impl Iterator<Item = &str> {
        let rates = self.numbers.iter().filter(|number| {
            let after = self.text[number.end..].trim_start_matches([' ', '€', '$', '£']);
            let end = after.find(|c: char| c.is_numeric() || ",.;:?!،؟，。；？".contains(c));
            let clause = &after[..end.unwrap_or(after.len())];
            let unit = || {
                let amounts = units::all().filter(|unit| matches!(unit.dimension, "mass" | "volume"));
                let mut names = amounts.flat_map(units::names_of);
                names.any(|name| clause.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')))
            };
            lexicon::rows_of(Row::Each).any(|word| {
                after.starts_with(word) || clause.ends_with(word) && clause.split(' ').count() < 8 && unit()
            })
        });
        rates.filter_map(|number| number.value.as_deref())
    }

    /// Returns true if any number in digits is a percentage.
    pub fn has_percentage(&self) -> bool {
        let mut values = self.numbers.iter().filter_map(|number| number.value.as_deref());
        values.any(|value| self.is_percentage(value))
    }

    /// Returns true if a number word goes on before or after a place.
    fn goes_on(&self, (start, end): (usize, usize)) -> bool {
        let (before, after) = (&self.text[..start], &self.text[end..]);
        let sign = |c: char| NUMERAL_SIGNS.contains(c);
        let within = &self.text[start..end];
        if is_dense(within) {
            return before.ends_with(sign) || after.starts_with(sign);
        }
        let is_number = |word: &str| {
            lexicon::scales().any(|(_, scale)| scale == word)
                || lexicon::numerals_of(self.language).any(|(value, numeral)| value > 1 && numeral == word)
        };
        let next = after
            .trim_start_matches([' ', '-'])
            .split([' ', '-', ','])
            .next()
            .unwrap_or_default();
        let last = before
            .trim_end_matches([' ', '-'])
            .rsplit([' ', '-'])
            .next()
            .unwrap_or_default();
        after.starts_with([' ', '-']) && is_number(next) || before.ends_with([' ', '-']) && is_number(last)
    }

    /// A word for a power of ten, perhaps after digits, such as `2 million`.
    fn scaled(&self, value: &str) -> Option<(usize, usize)> {
        let wanted: f64 = value.parse().ok()?;
        let bare = lexicon::scales().filter(|(scale, word)| *scale == wanted && word.chars().count() > 1);
        if let Some(place) = bare.filter_map(|(_, word)| self.find(word)).next() {
            let digits = self.text[..place.0].trim_end().ends_with(|c: char| c.is_ascii_digit());
            return (!digits && !self.goes_on(place)).then_some(place);
        }
        let number = self.numbers.iter().find(|number| {
            let written = number.value.as_ref().and_then(|value| value.parse::<f64>().ok());
            let rest = self.text[number.end..].trim_start();
            written.filter(|_| !number.used.get()).is_some_and(|written| {
                lexicon::scales().any(|(scale, word)| {
                    (written * scale - wanted).abs() < 1e-6 * wanted.abs()
                        && rest.starts_with(word)
                        && (is_dense(word) || !rest[word.len()..].starts_with(char::is_alphabetic))
                })
            })
        })?;
        number.used.set(true);
        Some((number.start, number.end))
    }
}

/// Returns true if words of the script stand together without spaces.
fn is_dense(text: &str) -> bool {
    text.chars().next().is_some_and(is_dense_char)
}

/// The hour and the minute of a time that is written like a decimal.
fn decimal_time(text: &str) -> Option<(i8, i8)> {
    let (hour, minute) = text.split_once('.')?;
    let (hour, minute) = (hour.parse().ok()?, minute.parse().ok().filter(|_| minute.len() == 2)?);
    ((0..24).contains(&hour) && (0..60).contains(&minute)).then_some((hour, minute))
}

/// The place of a phrase as words of their own. In scripts without spaces any place is one; Arabic has prefixes.
pub(super) fn find(text: &str, phrase: &str) -> Option<(usize, usize)> {
    places(text, phrase).next()
}

/// All places of a phrase as words of their own.
pub(super) fn places<'t>(text: &'t str, phrase: &'t str) -> impl Iterator<Item = (usize, usize)> + use<'t> {
    let joins = |c: char| {
        (c.is_alphabetic() || matches!(c, '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}')) && !is_dense_char(c)
    };
    let (first, last) = (phrase.chars().next(), phrase.chars().next_back());
    let found = text
        .match_indices(phrase)
        .map(|(start, _)| (start, start + phrase.len()));
    found.filter(move |(start, end)| {
        let prefixed = matches!(first, Some('\u{600}'..='\u{6ff}'));
        let begins = prefixed || !first.is_some_and(joins) || !text[..*start].chars().next_back().is_some_and(joins);
        let ends = !last.is_some_and(joins) || !text[*end..].chars().next().is_some_and(joins);
        first.is_some() && begins && ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bears_out(question: &str, language: Language, numbers: &[&str]) -> bool {
        let question = Question::new(question, language);
        numbers.iter().all(|number| question.number(number).is_some()) && question.is_used_up()
    }

    #[test]
    fn numbers_in_digits_and_words_are_found() {
        for (question, language, numbers) in [
            ("what is 1,234.50 times 2", Language::English, ["1234.5", "2"]),
            ("Was ist 1.234,5 mal zwei?", Language::German, ["1234.5", "2"]),
            ("twenty-five plus twelve", Language::English, ["25", "12"]),
            ("Wie viel ist hunderttausend mal 7?", Language::German, ["100000", "7"]),
            ("三十三乘以7", Language::Chinese, ["33", "7"]),
            ("१२ गुणा ३", Language::Hindi, ["12", "3"]),
            ("2 million divided by 4", Language::English, ["2000000", "4"]),
            ("half of 30", Language::English, ["2", "30"]),
            ("12,50 x 4", Language::English, ["12.5", "4"]),
        ] {
            assert!(bears_out(question, language, &numbers), "{question}");
        }
    }

    #[test]
    fn numbers_that_are_not_there_or_not_used_are_noticed() {
        for (question, numbers) in [
            ("what is 12 plus 5", &["12", "6"][..]),
            ("3 apples and 5 pears in 2 boxes", &["3", "5"]),
            ("add seven and eight and nine", &["7", "8"]),
            ("iphone7 and 3", &["7", "3"]),
            ("what is 5 squared", &["5", "5"]),
            ("covid19 plus 2", &["2"]),
            ("2 million plus 2", &["2", "2"]),
            ("one hundred thousand plus 2", &["100", "2"]),
            ("twenty-five plus 2", &["20", "2"]),
        ] {
            assert!(!bears_out(question, Language::English, numbers), "{question}");
        }
    }

    #[test]
    fn a_part_of_a_number_word_is_no_number() {
        assert!(!bears_out("십하나 곱하기 7", Language::Korean, &["10", "7"]));
        assert!(!bears_out("三十三乘以7", Language::Chinese, &["3", "7"]));
    }

    #[test]
    fn numbers_of_names_are_none_to_compute_with() {
        let named = |question: &str, language| Question::new(question, language).has_only_named_numbers();
        assert!(named("In what year did Apollo 11 land?", Language::English));
        assert!(named("Когда полетел Союз 11?", Language::Russian));
        assert!(!named("what is Apollo 11 plus 3", Language::English));
        assert!(!named("How many days until March 3?", Language::English));
        assert!(!named("In welchem Jahr war Seite 11?", Language::German));
        assert!(!named("Divide 12 by four", Language::English));
        assert!(Question::new("In what year did Apollo 11 land?", Language::English).has_only_years());
        assert!(!Question::new("What year was 11 years ago?", Language::English).has_only_years());
    }

    #[test]
    fn words_are_whole() {
        let question = Question::new("The weather in Königswinter", Language::English);
        assert!(!question.has("winter") && !question.has("we") && question.has("weather"));
        assert!(Question::new("東京は今何時", Language::Japanese).has("東京"));
    }
}
