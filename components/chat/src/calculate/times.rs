//! Times of day as they are said, in digits and in words, with the part of the day that they are in: the table `times.tsv`. A time that
//! may be before noon or after it stays uncertain.

use jiff::civil::Time;
use quartet_api::Language;
use quartet_measures::{begins_word, ends_word};

use super::lexicon;
use super::question::Question;

/// A time of day that a question has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// Start in the text, with the part of the day before it.
    pub start: usize,
    /// End in the text, with the part of the day behind it.
    pub end: usize,
    /// The times that it may be: one, or two that are twelve hours apart.
    pub readings: Vec<Time>,
    /// The time on a clock of 24 hours.
    pub as_written: Time,
    /// True if it can only be one of 24 hours.
    is_of_24: bool,
    /// True if the part of the day says which it is.
    has_part: bool,
}

/// Two times of which a question says that one follows the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pair {
    /// The times, and the places that say them.
    Clear {
        /// The first time.
        from: Time,
        /// The last time.
        to: Time,
        /// Where they stand.
        places: [(usize, usize); 2],
    },
    /// Nobody says which half of the day is meant.
    Unclear,
}

/// The only two times of a question, if a word such as "to" is all that stands between them.
pub(super) fn pair(question: &Question) -> Option<Pair> {
    let mentions = mentions(question);
    let table = Table::new(question.language());
    let mut pairs = mentions.windows(2).filter(|pair| {
        let between = question.text()[pair[0].end..pair[1].start].trim_matches([' ', ',']);
        // "Alle" is the article and says "to".
        let last = &question.text()[pair[1].start..pair[1].end];
        let own = || {
            let mut articles = table.articles.iter().filter(|article| last.starts_with(**article));
            articles.any(|article| table.between.contains(&article.trim()))
        };
        table.between.contains(&between) || between.is_empty() && own()
    });
    let (found, None) = (pairs.next()?, pairs.next()) else {
        return None;
    };
    let times = resolved(&found[0], &found[1]);
    Some(times.map_or(Pair::Unclear, |(from, to)| Pair::Clear {
        from,
        to,
        places: [(found[0].start, found[0].end), (found[1].start, found[1].end)],
    }))
}

/// The place of a mention that says a time for certain.
pub(super) fn place(question: &Question, time: Time) -> Option<(usize, usize)> {
    let mut mentions = mentions(question).into_iter();
    let found = mentions.find(|mention| mention.readings == [time] && (mention.has_part || mention.is_of_24))?;
    Some((found.start, found.end))
}

/// Returns true if a mention says for certain that a time is in the other half of the day.
pub(super) fn contradict(question: &Question, time: Time) -> bool {
    let mentions = mentions(question);
    let other = |mention: &Mention| match mention.readings[..] {
        [said] if mention.has_part => said.minute() == time.minute() && (said.hour() - time.hour()).abs() == 12,
        _ => false,
    };
    !mentions.iter().any(|mention| mention.readings == [time]) && mentions.iter().any(other)
}

/// Two times of which one follows the other, where their halves of the day are certain.
fn resolved(first: &Mention, last: &Mention) -> Option<(Time, Time)> {
    let any_24 = first.is_of_24 || last.is_of_24;
    match (&first.readings[..], &last.readings[..]) {
        ([from], [to]) => Some((*from, *to)),
        // All are counted to 24 where one is.
        ([from], _) if any_24 && !first.has_part => Some((*from, last.as_written)),
        (_, [to]) if any_24 && !last.has_part => Some((first.as_written, *to)),
        // "From nine to half past five in the afternoon": the one before it that is nearest.
        ([early, late], [to]) => match (late < to, early < to) {
            (true, _) => Some((*late, *to)),
            (_, true) => Some((*early, *to)),
            _ => None,
        },
        // "From nine in the morning to half past five": not before it, and not the next day.
        ([from], [early, late]) if from.hour() < 12 && early <= from => Some((*from, *late)),
        // The same half of the day, whichever it is.
        ([_, _], [_, _]) if first.as_written < last.as_written => Some((first.as_written, last.as_written)),
        _ => None,
    }
}

/// The times of day of a question in their order.
pub(super) fn mentions(question: &Question) -> Vec<Mention> {
    let (text, language) = (question.text(), question.language());
    let table = Table::new(language);
    let mut mentions: Vec<Mention> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let free = mentions.last().map_or(0, |mention| mention.end);
        let mention = table.fixed(text, at).or_else(|| table.said(text, at, free, language));
        at = match mention {
            Some(mention) => {
                let end = mention.end;
                mentions.push(mention);
                end
            }
            None => at + text[at..].chars().next().map_or(1, char::len_utf8),
        };
    }
    mentions
}

/// The rows of a language.
struct Table {
    hours: Vec<(i8, &'static str)>,
    next: Vec<(i8, &'static str)>,
    /// Patterns with the minutes that they add to the hour; none where the minutes are said.
    patterns: Vec<(&'static str, Sign)>,
    weak: Vec<&'static str>,
    articles: Vec<&'static str>,
    fixed: Vec<(Time, &'static str)>,
    /// Hours from and to with the words for this part of the day; past 24 it is the next day.
    parts: Vec<(i8, i8, &'static str)>,
    between: Vec<&'static str>,
}

/// Minutes that a pattern says.
#[derive(Debug, Clone, Copy)]
enum Sign {
    Fixed(i16),
    After,
    Before,
}

impl Table {
    fn new(language: Language) -> Self {
        let mut table = Self {
            hours: lexicon::numerals_of(language)
                .filter_map(|(value, word)| Some((i8::try_from(value).ok().filter(|value| *value > 0)?, word)))
                .collect(),
            next: Vec::new(),
            patterns: Vec::new(),
            weak: Vec::new(),
            articles: Vec::new(),
            fixed: Vec::new(),
            parts: Vec::new(),
            between: Vec::new(),
        };
        let lines = include_str!("times.tsv").lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let mut fields = line.splitn(3, '\t');
            let (Some(kind), Some(code), Some(phrases)) = (fields.next(), fields.next(), fields.next()) else {
                continue;
            };
            if code == language.code() {
                table.add(kind, phrases.split('|'));
            }
        }
        table
    }

    fn add(&mut self, kind: &'static str, phrases: impl Iterator<Item = &'static str>) {
        match kind {
            "hours" => self.hours.extend((1..).zip(phrases)),
            "next" => self.next.extend((1..).zip(phrases)),
            "weak" => self.weak.extend(phrases),
            "article" => self.articles.extend(phrases),
            "to" => self.between.extend(phrases),
            "+m" => self.patterns.extend(phrases.map(|phrase| (phrase, Sign::After))),
            "-m" => self.patterns.extend(phrases.map(|phrase| (phrase, Sign::Before))),
            kind => {
                if let Some(time) = kind.strip_prefix("at ").and_then(|time| time.split_once(':')) {
                    if let Ok(time) = Time::new(time.0.parse().unwrap_or(0), time.1.parse().unwrap_or(0), 0, 0) {
                        self.fixed.extend(phrases.map(|phrase| (time, phrase)));
                    }
                } else if kind.starts_with(['+', '-']) {
                    let minutes = kind.trim_start_matches('+').parse().unwrap_or(0);
                    self.patterns
                        .extend(phrases.map(|phrase| (phrase, Sign::Fixed(minutes))));
                } else if let Some((from, to)) = kind.split_once('-') {
                    let (from, to) = (from.parse().unwrap_or(0), to.parse().unwrap_or(0));
                    self.parts.extend(phrases.map(|phrase| (from, to, phrase)));
                }
            }
        }
    }

    /// A word for a time, such as noon.
    fn fixed(&self, text: &str, at: usize) -> Option<Mention> {
        let stands = |phrase: &str| is_word(text, at, at + phrase.len());
        let found = self
            .fixed
            .iter()
            .filter(|(_, phrase)| text[at..].starts_with(phrase) && stands(phrase));
        let (time, phrase) = found.max_by_key(|(_, phrase)| phrase.len())?;
        Some(Mention {
            start: at,
            end: at + phrase.len(),
            readings: vec![*time],
            as_written: *time,
            is_of_24: false,
            has_part: true,
        })
    }

    /// A time that begins at a place; `free` is where the one before it ends.
    fn said(&self, text: &str, at: usize, free: usize, language: Language) -> Option<Mention> {
        // "二十点" is not ten.
        if ends_with_numeral(&text[..at]) {
            return None;
        }
        let article = self
            .articles
            .iter()
            .find(|article| text[at..].starts_with(**article))
            .map_or(0, |article| article.len());
        let begin = at + article;
        let strong = self.patterns.iter().filter_map(|(pattern, sign)| {
            let found = self.matched(pattern, text, begin)?;
            Some((found, *sign, true))
        });
        let weak = self.weak.iter().filter_map(|pattern| {
            let found = self.matched(pattern, text, begin)?;
            Some((found, Sign::Fixed(0), article > 0))
        });
        let all = strong
            .chain(weak)
            .filter(|((end, ..), ..)| is_word(text, at, *end) && is_no_period(&text[*end..]));
        let ((end, hour, minute), sign, is_strong) = all.max_by_key(|((end, ..), _, strong)| (*end, *strong))?;
        let (part, start, end) = self.part(text, (at, end), free, language);
        if !is_strong && part.is_none() {
            return None;
        }
        let minutes = match sign {
            Sign::Fixed(minutes) => minutes,
            Sign::After => i16::from(minute?),
            Sign::Before => -i16::from(minute?),
        };
        let is_of_24 = hour > 12 || hour == 0;
        let hours = if is_of_24 {
            vec![hour % 24]
        } else {
            vec![hour % 12, hour % 12 + 12]
        };
        let of_day = |hour: i8| (i16::from(hour) * 60 + minutes).rem_euclid(24 * 60);
        // The part of the day is that of the time: "quarter to twelve in the morning".
        let is_in = |minute: i16| match part {
            Some((from, to)) => {
                let (from, to) = (i16::from(from) * 60, i16::from(to) * 60);
                (from..to).contains(&minute) || (from..to).contains(&(minute + 24 * 60))
            }
            None => true,
        };
        let time = |minute: i16| {
            let (hour, minute) = (i8::try_from(minute / 60).ok()?, i8::try_from(minute % 60).ok()?);
            Time::new(hour, minute, 0, 0).ok()
        };
        let times = hours.into_iter().map(of_day).filter(|minute| is_in(*minute)).map(time);
        let mut readings: Vec<Time> = times.collect::<Option<_>>()?;
        readings.sort();
        // "Fourteen in the morning" is no time.
        (!readings.is_empty()).then_some(Mention {
            start,
            end,
            as_written: time(of_day(hour % 24))?,
            is_of_24,
            has_part: part.is_some() && readings.len() == 1,
            readings,
        })
    }

    /// The part of the day beside a time, and the place of both.
    fn part(
        &self,
        text: &str,
        (start, end): (usize, usize),
        free: usize,
        language: Language,
    ) -> (Option<(i8, i8)>, usize, usize) {
        let stands_before = matches!(
            language,
            Language::Japanese | Language::Chinese | Language::Korean | Language::Hindi
        );
        let before = text[free.min(start)..start].trim_end();
        let after = text[end..].trim_start_matches([' ', ',']);
        let skipped = text[end..].len() - after.len();
        let beside = |(from, to, phrase): &(i8, i8, &str)| {
            let found = if stands_before {
                before.strip_suffix(phrase).filter(|rest| begins_word(phrase, rest))
            } else {
                after.strip_prefix(phrase).filter(|rest| ends_word(phrase, rest))
            };
            found.map(|_| (*from, *to, phrase.len()))
        };
        match self.parts.iter().filter_map(beside).max_by_key(|(.., length)| *length) {
            Some((from, to, length)) if stands_before => {
                let begin = start - (text[..start].len() - text[..start].trim_end().len()) - length;
                (Some((from, to)), begin, end)
            }
            Some((from, to, length)) => (Some((from, to)), start, end + skipped + length),
            None => (None, start, end),
        }
    }

    /// Where a pattern ends that begins at a place, with the hour and the minute that stand in it.
    fn matched(&self, pattern: &str, text: &str, start: usize) -> Option<(usize, i8, Option<i8>)> {
        let (mut at, mut hour, mut minute) = (start, None, None);
        let mut rest = pattern;
        while let Some(c) = rest.chars().next() {
            if let Some((slot, after)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
                let (value, length) = match slot {
                    "m" => digits(&text[at..], 59)?,
                    "n" => word(&text[at..], &self.next)?,
                    _ => digits(&text[at..], 24).or_else(|| word(&text[at..], &self.hours))?,
                };
                if slot == "m" {
                    minute = Some(value);
                } else {
                    hour = Some(value);
                }
                at += length;
                rest = after;
                continue;
            }
            if text[at..].starts_with(c) {
                at += c.len_utf8();
            } else {
                // "9uhr" and "9 uhr"
                let joins = text[..at].ends_with(|c: char| c.is_ascii_digit())
                    || text[at..].starts_with(|c: char| c.is_ascii_digit());
                if c != ' ' || !joins {
                    return None;
                }
            }
            rest = &rest[c.len_utf8()..];
        }
        Some((at, hour?, minute))
    }
}

/// The digits that a text begins with: their value, if it is not too large, and their length.
fn digits(text: &str, most: i8) -> Option<(i8, usize)> {
    let length = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let value = text[..length].parse().ok().filter(|value| (0..=most).contains(value))?;
    (length <= 2).then_some((value, length))
}

/// The longest of some words that a text begins with.
fn word(text: &str, words: &[(i8, &'static str)]) -> Option<(i8, usize)> {
    let found = words
        .iter()
        .filter(|(_, word)| text.strip_prefix(word).is_some_and(|rest| ends_word(word, rest)));
    let (value, word) = found.max_by_key(|(_, word)| word.len())?;
    Some((*value, word.len()))
}

/// Returns true if nothing beside a place makes it a part of a number or of another word.
fn is_word(text: &str, start: usize, end: usize) -> bool {
    let (before, phrase, after) = (&text[..start], &text[start..end], &text[end..]);
    let number_before = before.strip_suffix(['.', ',', ':', '/', '-']).unwrap_or(before);
    let separated = number_before.len() < before.len() || phrase.starts_with(|c: char| c.is_ascii_digit());
    let number_after = after.strip_prefix(['.', ',', ':', '/']).unwrap_or(after);
    let is_digit = |c: char| c.is_ascii_digit();
    begins_word(phrase, before)
        && ends_word(phrase, after)
        && !(separated && phrase.starts_with(is_digit) && number_before.ends_with(is_digit))
        && !(phrase.ends_with(is_digit) && number_after.starts_with(is_digit))
}

/// Returns true if a text ends with a sign that a numeral goes on from.
fn ends_with_numeral(text: &str) -> bool {
    text.ends_with(|c: char| "一二三四五六七八九十".contains(c))
}

/// Returns true unless the sign for hours of the clock is the beginning of the word for hours that pass.
fn is_no_period(after: &str) -> bool {
    !after.starts_with(['間', '间', '간'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said_pair(question: &str, language: Language) -> Option<String> {
        let shown = |time: Time| format!("{:02}:{:02}", time.hour(), time.minute());
        Some(match pair(&Question::new(question, language))? {
            Pair::Clear { from, to, .. } => format!("{} {}", shown(from), shown(to)),
            Pair::Unclear => "unclear".to_owned(),
        })
    }

    #[test]
    fn every_row_of_the_table_is_read() {
        for line in include_str!("times.tsv").lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<_> = line.split('\t').collect();
            assert_eq!(fields.len(), 3, "{line}");
            assert!(fields[1].parse::<Language>().is_ok(), "{line}");
            if matches!(fields[0], "hours" | "next") {
                assert_eq!(fields[2].split('|').count(), 12, "{line}");
            }
            if fields[0].starts_with(|c: char| c.is_ascii_digit()) {
                let (from, to) = fields[0].split_once('-').unwrap();
                let hours = to.parse::<i8>().unwrap() - from.parse::<i8>().unwrap();
                assert!((1..=12).contains(&hours), "{line}");
            }
        }
    }

    #[test]
    fn times_are_read_as_they_are_said() {
        use Language::{
            Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
        };
        for (question, language, expected) in [
            (
                "from quarter past nine in the morning to half past five in the afternoon",
                English,
                "09:15 17:30",
            ),
            ("from 9:15 am to 5:30 pm", English, "09:15 17:30"),
            ("from 9 a.m. until noon", English, "09:00 12:00"),
            ("from 10 at night to 6 in the morning", English, "22:00 06:00"),
            ("from 9:30 to 17:15", English, "09:30 17:15"),
            ("from 9 in the morning to 5:30", English, "09:00 17:30"),
            (
                "de las nueve y cuarto a las cinco y media de la tarde",
                Spanish,
                "09:15 17:30",
            ),
            ("de 3 a 5 de la tarde", Spanish, ""),
            ("de las 3 a las 5 de la tarde", Spanish, "15:00 17:00"),
            (
                "de neuf heures et quart du matin à cinq heures et demie de l'après-midi",
                French,
                "09:15 17:30",
            ),
            ("de 9h15 à 17h30", French, "09:15 17:30"),
            (
                "von viertel nach neun morgens bis halb sechs abends",
                German,
                "09:15 17:30",
            ),
            ("von 9 Uhr morgens bis 17.30 Uhr", German, "09:00 17:30"),
            (
                "dalle nove e un quarto di mattina alle cinque e mezza del pomeriggio",
                Italian,
                "09:15 17:30",
            ),
            (
                "das nove e quinze da manhã às cinco e meia da tarde",
                Portuguese,
                "09:15 17:30",
            ),
            (
                "с четверти десятого утра до половины шестого вечера",
                Russian,
                "09:15 17:30",
            ),
            ("с 9 утра до 5 вечера", Russian, "09:00 17:00"),
            ("朝9時から夕方5時半まで", Japanese, "09:00 17:30"),
            ("午前9時15分から午後5時30分まで", Japanese, "09:15 17:30"),
            ("从早上九点一刻到下午五点半", Chinese, "09:15 17:30"),
            ("오전 9시 15분부터 오후 5시 반까지", Korean, "09:15 17:30"),
            ("아침 아홉 시부터 저녁 여섯 시까지", Korean, "09:00 18:00"),
            ("من التاسعة والربع صباحا إلى الخامسة والنصف مساء", Arabic, "09:15 17:30"),
            ("सुबह सवा नौ बजे से शाम साढ़े पाँच बजे तक", Hindi, "09:15 17:30"),
        ] {
            let expected = Some(expected.to_owned()).filter(|expected| !expected.is_empty());
            assert_eq!(said_pair(question, language), expected, "{question}");
        }
    }

    #[test]
    fn what_may_be_before_noon_or_after_it_is_unclear() {
        for (question, language) in [
            ("from half past nine to quarter past five", Language::English),
            ("from 2 in the afternoon to half past five", Language::English),
            ("from 9 in the morning to 11:30", Language::English),
            ("de las nueve y cuarto a las cinco y media", Language::Spanish),
            ("9時から5時まで", Language::Japanese),
        ] {
            assert_eq!(said_pair(question, language).as_deref(), Some("unclear"), "{question}");
        }
        assert_eq!(said_pair("from 9 to 17 people", Language::English), None);
        assert_eq!(said_pair("9時間から5時間まで", Language::Japanese), None);
        assert_eq!(said_pair("chapters 9.15 to 5.30", Language::English), None);
    }
}
