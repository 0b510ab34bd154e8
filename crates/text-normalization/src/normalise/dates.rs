//! Dates and times of day: which strings of digits are ones. How they are said is the language's.

use super::super::languages::{Case, Date, Rules, russian_case, russian_time};
use super::numerals::run;
use super::{Scanner, after_space};
use quartet_api::Language;

impl Scanner<'_> {
    /// A date or a time at a digit. Says it and returns true, or does nothing.
    pub(super) fn date_or_time(&mut self) -> bool {
        let rest = self.rest();
        if let Some((date, len)) = numeric_date(rest, self.rules) {
            let date = Date {
                oblique: self.wants_oblique(),
                article: self.has_article(),
                ..date
            };
            self.say(&(self.rules.date)(date), len);
            self.skip_year_word();
            // ISO 8601 joins the time with a T.
            if self.rest().starts_with('T') && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) {
                self.at += 1;
                self.date_or_time();
                if self.rest().starts_with('Z') {
                    self.at += 1;
                }
            }
            return true;
        }
        if let Some((date, len)) = self.day_and_month(rest) {
            self.say(&(self.rules.date)(date), len);
            return true;
        }
        if let Some((date, len)) = self.named_month(rest) {
            let words = self.in_case((self.rules.date)(date));
            let words = if self.previous_word() == "the" {
                words.trim_start_matches("the ")
            } else {
                &words
            };
            self.say(words, len);
            self.skip_year_word();
            return true;
        }
        self.time()
    }

    /// A Russian date after "к" is in the dative: "к первому сентября".
    fn in_case(&self, words: String) -> String {
        if self.language != Language::Russian || !matches!(self.previous_word().as_str(), "к" | "ко") {
            return words;
        }
        let Some((day, rest)) = words.split_once(' ') else {
            return words;
        };
        let (day, rest) = match day {
            "двадцать" | "тридцать" => match rest.split_once(' ') {
                Some((ones, rest)) if ones.ends_with("го") || ones.ends_with("ое") || ones.ends_with("ье") => {
                    (format!("{day} {ones}"), rest)
                }
                _ => return words,
            },
            _ => (day.to_owned(), rest),
        };
        let stem = day.strip_suffix("го").or_else(|| day.strip_suffix('е'));
        stem.map_or(words.clone(), |stem| format!("{stem}му {rest}"))
    }

    /// Returns true if the words before ask for the oblique form of a day: "am 3. Mai".
    fn wants_oblique(&self) -> bool {
        match self.language {
            // After "vom 1.–" the second day has the case of the first.
            Language::German => {
                is_dative(&self.previous_word()) || self.text[..self.at].ends_with(".–") && self.out.ends_with("en bis")
            }
            Language::Russian => {
                matches!(
                    self.previous_word().as_str(),
                    "с" | "со" | "до" | "от" | "после" | "около" | "утро" | "вечером"
                )
            }
            _ => false,
        }
    }

    /// Returns true after a German article in the nominative: "der 15. Mai".
    fn has_article(&self) -> bool {
        self.language == Language::German
            && matches!(
                self.previous_word().as_str(),
                "der" | "dieser" | "jeder" | "die" | "das"
            )
    }

    /// The Russian date says "года" itself.
    fn skip_year_word(&mut self) {
        if self.language != Language::Russian {
            return;
        }
        let (rest, space) = after_space(self.rest());
        for word in ["года", "г."] {
            if let Some(after) = rest.strip_prefix(word).filter(|after| !super::begins_word(after)) {
                let ends = word.ends_with('.') && {
                    let after = after.trim_start();
                    after.is_empty() || after.starts_with(char::is_uppercase)
                };
                self.at += space + word.len() - usize::from(ends);
                return;
            }
        }
    }

    /// A day and a month in two digits each ("02.03.", "am 17.06"), where it cannot be a number: decimals have another sign, and
    /// a word before it announces a date or nothing stands beside it. In Hindi they are joined by a hyphen.
    fn day_and_month(&self, text: &str) -> Option<(Date, usize)> {
        if let Some(found) = self.announced_day(text) {
            return Some(found);
        }
        const CUES: &[&str] = &[
            "am", "vom", "zum", "bis", "ab", "seit", "le", "du", "au", "el", "del", "al", "il", "dal", "с", "до", "от",
            "по",
        ];
        let hindi = self.language == Language::Hindi;
        let sign = if hindi { '-' } else { '.' };
        let (day, rest) = text.split_at_checked(2)?;
        let (month, after) = rest.strip_prefix(sign)?.split_at_checked(2)?;
        let two = |digits: &str| run(digits) == 2;
        if self.rules.decimal != ',' && !hindi
            || !two(day)
            || !two(month)
            || after.starts_with(|c: char| c.is_ascii_digit())
        {
            return None;
        }
        let dot = after.starts_with('.');
        let tail = after.strip_prefix('.').unwrap_or(after);
        let cued = CUES.contains(&self.previous_word().as_str());
        let alone = self.at == 0 && after.is_empty();
        let padded = day.starts_with('0') || month.starts_with('0');
        let written = if hindi {
            alone && padded
        } else {
            alone && padded || cued || dot && self.language == Language::German
        };
        if !written
            || tail.starts_with(|c: char| c.is_alphanumeric() || "%€$₽".contains(c))
            || self.previous().is_some_and(|c| !c.is_whitespace())
        {
            return None;
        }
        let date = Date {
            year: None,
            month: month.parse().ok().filter(|month| (1..=12).contains(month))?,
            day: Some(day.parse().ok().filter(|day| (1..=31).contains(day))?),
            oblique: self.wants_oblique(),
            article: self.has_article(),
        };
        let ends = dot && tail.trim_start().is_empty();
        Some((date, 5 + usize::from(dot && !ends && self.language == Language::German)))
    }

    /// A day and a month with a slash between ("le 25/12", "on 12/25") after a word that announces a date: without one it may be
    /// a fraction.
    fn announced_day(&self, text: &str) -> Option<(Date, usize)> {
        let cues: &[&str] = match self.language {
            Language::English => &["on", "by", "until"],
            Language::French => &["le", "du", "au"],
            Language::Spanish => &["el", "del", "al"],
            Language::Italian => &["il", "dal", "al"],
            Language::Portuguese => &["dia", "em", "até"],
            Language::German => &["am", "vom", "zum"],
            _ => return None,
        };
        let first = run(text);
        let after = text[first..].strip_prefix('/')?;
        let second = run(after);
        let tail = &after[second..];
        let two = |len: usize| (1..=2).contains(&len);
        if !two(first)
            || !two(second)
            || tail.starts_with(|c: char| c.is_alphanumeric() || "/%€$".contains(c))
            || tail.strip_prefix(['.', ',']).is_some_and(|next| run(next) > 0)
            || !cues.contains(&self.previous_word().as_str())
        {
            return None;
        }
        let (a, b): (u64, usize) = (text[..first].parse().ok()?, after[..second].parse().ok()?);
        let (day, month) = match self.rules.month_first {
            true => (b as u64, usize::try_from(a).ok()?),
            false => (a, b),
        };
        // "by 1/2" is a half.
        let sure = second == 2 && first == 2 || day > 12;
        (sure && (1..=31).contains(&day) && (1..=12).contains(&month)).then_some((
            Date {
                year: None,
                month,
                day: Some(day),
                oblique: self.wants_oblique(),
                article: false,
            },
            first + 1 + second,
        ))
    }

    /// A day before the name of its month: "15 March 2024", "15 de marzo de 2024", "15. März", "1er janvier".
    fn named_month(&self, text: &str) -> Option<(Date, usize)> {
        let digits = run(text);
        let day = text[..digits]
            .parse()
            .ok()
            .filter(|day| (1..=31).contains(day) && digits <= 2)?;
        let mut at = digits;
        for suffix in [".º", "º", "°", "er", "st", "nd", "rd", "th", "."] {
            if text[at..].starts_with(suffix) {
                at += suffix.len();
                break;
            }
        }
        at += after_space(&text[at..]).1;
        for link in ["de ", "of "] {
            if text[at..].starts_with(link) {
                at += link.len();
            }
        }
        let (month, len) = month(&text[at..], self.rules, self.language)?;
        if at == digits {
            return None;
        }
        at += len;
        let modal = matches!(&text[at - len..at], "may" | "march") && self.language == Language::English;
        let year = ["", ",", " de", " del", " of"].into_iter().find_map(|link| {
            let after = text[at..].strip_prefix(link)?;
            let (after, space) = after_space(after);
            let plain = run(after) == 4 && !after[4..].starts_with(|c: char| c.is_alphanumeric() || c == ':');
            let decimal = after
                .get(4..)
                .is_some_and(|r| r.starts_with(['.', ',']) && r[1..].starts_with(|c: char| c.is_ascii_digit()));
            // "23rd july,1998": no space is needed after the comma.
            (space + link.len() > 0 && (space > 0 || link == ",") && plain && !decimal)
                .then(|| (after[..4].parse().ok(), link.len() + space + 4))
        });
        // "5 mar", "3 set": other words, unless a full stop or a year shows an abbreviation.
        let short = text[at - len..at].chars().count() <= 5
            && !text[at - len..at].ends_with('.')
            && self.rules.months.iter().filter(|(_, number)| *number == month).count() > 1
            && self.rules.months.iter().any(|(name, number)| {
                *number == month
                    && name.chars().count() > len
                    && !matches!(self.language, Language::English | Language::German)
            });
        if short && year.is_none() {
            return None;
        }
        if modal && year.is_none() && digits + 1 == at - len {
            return None;
        }
        let (year, len) = year.unwrap_or((None, 0));
        let oblique = match self.language {
            Language::Russian => true,
            _ => self.wants_oblique(),
        };
        Some((
            Date {
                year,
                month,
                day: Some(day),
                oblique,
                article: self.has_article(),
            },
            at + len,
        ))
    }

    /// Returns true if a point stands between hours and minutes: a word before or after says so ("ore 14.05", "1.30 pm",
    /// "14.05 h"), in languages whose decimals have another sign or where a half of the day follows.
    fn is_pointed_time(&self, text: &str) -> bool {
        let hours = run(text);
        let minutes = text[hours..].strip_prefix('.').map_or(0, run);
        if !(1..=2).contains(&hours) || minutes != 2 {
            return false;
        }
        let (after, space) = after_space(&text[hours + 3..]);
        let follows = |word: &str| after.strip_prefix(word).is_some_and(|rest| !super::begins_word(rest));
        let halved = HALVES.iter().any(|half| follows(half));
        let before = self.previous_word();
        match self.language {
            Language::English => halved,
            Language::German => follows("Uhr"),
            Language::Spanish => {
                const CUES: [&str; 9] = [
                    "a las",
                    "de las",
                    "desde las",
                    "hasta las",
                    "sobre las",
                    "hacia las",
                    "son las",
                    "a la",
                    "es la",
                ];
                let text = self.text[..self.at].trim_end_matches([' ', '\u{a0}']);
                let cued = CUES.iter().any(|cue| {
                    let start = text.len().saturating_sub(cue.len());
                    let apart = !text[..text.floor_char_boundary(start)].ends_with(char::is_alphabetic);
                    apart && text.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(cue))
                });
                halved || cued || space > 0 && (follows("h") || follows("horas"))
            }
            Language::Portuguese => {
                space > 0 && (follows("h") || follows("horas")) || matches!(before.as_str(), "às" | "das" | "pelas")
            }
            Language::Italian => matches!(before.as_str(), "ore" | "alle" | "dalle" | "le" | "delle"),
            Language::Hindi => follows("बजे"),
            Language::Arabic => before == "الساعة",
            Language::Russian => before == "в" && !follows("раза") && !follows("раз") && !after.starts_with('%'),
            _ => false,
        }
    }

    /// Times of day: "14:30", "14:30:15", "9.30 Uhr", "14h30".
    fn time(&mut self) -> bool {
        let text = self.rest();
        let Some((hours, minutes, seconds, mut len)) = clock(text, self.language, self.is_pointed_time(text)) else {
            return false;
        };
        let (after, space) = after_space(&text[len..]);
        let word = ["Uhr", "часов", "h", "hrs", "heures", "horas", "ore", "बजे", "点"]
            .into_iter()
            .find(|word| after.strip_prefix(word).is_some_and(|rest| !super::begins_word(rest)));
        if let Some(word) = word {
            len += space + word.len();
        }
        let mut words = match self.language {
            Language::Russian => {
                let case = match self.governor().as_str() {
                    "в" => Case::Nominative,
                    governor => russian_case(governor),
                };
                russian_time(hours, minutes, seconds, case)
            }
            _ => (self.rules.time)(hours, minutes, seconds),
        };
        if self.language == Language::English && ["a", "p", "A", "P"].iter().any(|half| after.starts_with(half)) {
            words = words.trim_end_matches(" o'clock").to_owned();
        }
        self.say(&words, len);
        if self.language == Language::Arabic {
            self.arabic_half();
        }
        true
    }

    /// The half of the day after an Arabic time: one letter.
    fn arabic_half(&mut self) {
        let (next, space) = after_space(self.rest());
        let half = [("ص", "صباحا"), ("م", "مساء")].into_iter().find(|(written, _)| {
            next.strip_prefix(written)
                .is_some_and(|after| !after.starts_with(|c: char| c.is_alphanumeric() || super::is_mark(c)))
        });
        if let Some((written, said)) = half {
            self.say(said, space + written.len());
        }
    }
}

/// Halves of the day after a time.
const HALVES: [&str; 10] = ["am", "pm", "AM", "PM", "a.m.", "p.m.", "a. m.", "p. m.", "A.M.", "P.M."];

/// Prepositions and articles after which German ordinals end in -en.
pub(super) fn is_dative(word: &str) -> bool {
    matches!(
        word,
        "am" | "vom" | "zum" | "beim" | "im" | "dem" | "den" | "des" | "seit" | "ab" | "bis" | "einem"
    )
}

/// The month whose name `text` begins with, and the name's length.
pub(super) fn month(text: &str, rules: &Rules, language: Language) -> Option<(usize, usize)> {
    let end = text
        .find(|c: char| !(c.is_alphabetic() || super::is_mark(c)))
        .unwrap_or(text.len());
    if end == 0 || end > 40 {
        return None;
    }
    let capitalised = text.starts_with(char::is_uppercase);
    let word = text[..end].to_lowercase();
    // "mar", "jun" and "sep" are too short to be months in small letters, and "may" is a verb.
    if language == Language::German && !capitalised && word.chars().count() < 4
        || language == Language::English && !capitalised && matches!(word.as_str(), "mar" | "sep" | "dec")
    {
        return None;
    }
    let (name, month) = rules.months.iter().find(|(name, _)| *name == word)?;
    // "Sept." and its like bring their full stop.
    let is_short = rules.months.iter().any(|(long, number)| {
        number == month && long.len() > name.len() && long.starts_with(name.chars().next().unwrap_or(' '))
    });
    let dot = text[end..]
        .strip_prefix('.')
        .is_some_and(|next| next.trim_start().starts_with(|c: char| !c.is_uppercase()));
    Some((*month, end + usize::from(is_short && dot)))
}

/// ISO 8601, or day, month and year with one kind of sign between.
fn numeric_date(text: &str, rules: &Rules) -> Option<(Date, usize)> {
    let first = run(text);
    let sign = text[first..].chars().next().filter(|c| matches!(c, '-' | '/' | '.'))?;
    let second = run(&text[first + 1..]);
    let after = first + 1 + second;
    let third = text[after..].strip_prefix(sign).map_or(0, run);
    let len = after + 1 + third;
    if !(1..=2).contains(&second)
        || third == 0
        || text[len..].starts_with(|c: char| c.is_ascii_digit() || c == sign && c != '.')
    {
        return None;
    }
    // A fourth part makes it something else: an address of the internet, a version.
    if text[len..].strip_prefix(sign).is_some_and(|rest| run(rest) > 0) {
        return None;
    }
    let number = |range: std::ops::Range<usize>| text[range].parse::<u64>().ok();
    let (a, b, c) = (number(0..first)?, number(first + 1..after)?, number(after + 1..len)?);
    let (year, month, day) = match (first, third) {
        (4, 1..=2) => (a, b, c),
        (1..=2, 4) if rules.month_first && sign == '/' && a <= 12 => (c, a, b),
        (1..=2, 4) => (c, b, a),
        // "11/17/05": American, with both zeros written.
        (2, 2) if second == 2 && sign == '/' && rules.month_first && a <= 12 => {
            (if c < 70 { 2000 + c } else { 1900 + c }, a, b)
        }
        (2, 2) if second == 2 && sign != '-' && b <= 12 && sign == '.' => {
            (if c < 70 { 2000 + c } else { 1900 + c }, b, a)
        }
        _ => return None,
    };
    let (year, month, day) = if month > 12 && third == 4 {
        (year, day, month)
    } else {
        (year, month, day)
    };
    let valid = (1..=12).contains(&month) && (1..=31).contains(&day) && (1000..=2999).contains(&year);
    valid.then_some((
        Date {
            year: Some(year),
            month: month as usize,
            day: Some(day),
            oblique: false,
            article: false,
        },
        len,
    ))
}

/// Hours, minutes, seconds and the length of a time. `pointed`: a point stands between hours and minutes, not in a number.
fn clock(text: &str, language: Language, pointed: bool) -> Option<(u64, u64, Option<u64>, usize)> {
    let first = run(text);
    let sign = text[first..].chars().next()?;
    let fits = match sign {
        ':' | '：' => true,
        'h' => matches!(language, Language::French | Language::Portuguese | Language::Spanish),
        '.' => pointed,
        _ => false,
    };
    let start = first + sign.len_utf8();
    let minutes = run(&text[start..]);
    if !fits || first > 2 || minutes != 2 {
        return None;
    }
    let mut len = start + 2;
    let mut seconds = None;
    if sign == ':' && text[len..].starts_with(':') && run(&text[len + 1..]) == 2 {
        seconds = text[len + 1..len + 3].parse().ok();
        len += 3;
    }
    let after = &text[len..];
    if after.starts_with(|c: char| c.is_ascii_digit()) || after.starts_with(':') && run(&after[1..]) > 0 {
        return None;
    }
    let (hour, minute): (u64, u64) = (text[..first].parse().ok()?, text[start..start + 2].parse().ok()?);
    (hour <= 24 && minute < 60 && seconds.is_none_or(|s: u64| s < 60)).then_some((hour, minute, seconds, len))
}
