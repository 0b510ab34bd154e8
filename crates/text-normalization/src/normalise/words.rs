//! Words that are not said as they are written: abbreviations, initials, acronyms, Roman numerals, months before days.

use quartet_api::Language;
use quartet_lang_detect::{Writing, is_latin, writing};

use super::super::languages::{Place, rules_of};
use super::super::scripts::is_mark;
use super::numerals::run;
use super::roman::is_numbered;
use super::{MAX_WORD_BYTES, Scanner, after_space, begins_word, dates, first_word};

impl Scanner<'_> {
    /// Says or copies the word that comes next.
    pub(super) fn word(&mut self) {
        let rest = self.rest();
        let first = writing(rest.chars().next().unwrap_or(' '));
        // A word ends where the script changes between Latin and another one, too: "iPhoneを".
        let end = rest
            .char_indices()
            .find(|(_, c)| {
                let latin = writing(*c) == Writing::Latin;
                !(c.is_alphabetic() || is_mark(*c)) || latin != (first == Writing::Latin)
            })
            .map_or(rest.len(), |(at, _)| at);
        if end > MAX_WORD_BYTES {
            return self.copy(end);
        }
        let word = &rest[..end];
        let after = &rest[end..];
        let starts = !self.previous().is_some_and(|c| c.is_alphabetic() || c == '\'');
        if matches!(word, "x" | "X") && self.is_between_numbers(after) {
            // "1920x1080" is a size.
            let joined =
                self.previous().is_some_and(|c| c.is_ascii_digit()) && after.starts_with(|c: char| c.is_ascii_digit());
            let by = match self.language {
                Language::English if joined => "by",
                Language::Hindi if joined => "बाई",
                _ => self.rules.words.times,
            };
            return self.say(by, end);
        }
        if starts && self.language == Language::Hindi && word == "रु" && self.price_first() {
            return;
        }
        // "per km²"
        if starts
            && after.starts_with(['²', '³'])
            && let Some((unit, len)) = self.unit_at(rest, false).filter(|(_, len)| *len > end)
        {
            return self.say(unit.forms[0], len);
        }
        if starts
            && (self.month_first() || self.weekdays(word) || self.abbreviation(word, after) || self.dotted(word, after))
        {
            return;
        }
        if starts && self.offset(word, after) {
            return;
        }
        let capital = word.starts_with(|c: char| c.is_uppercase());
        if starts && capital && (self.price_first() || self.roman(word, after) || self.acronym(word, after)) {
            return;
        }
        self.copy(end);
        // Letters and digits that touch are said apart: "mp3", "COVID-19".
        let after = self.rest();
        let number = after
            .strip_prefix('-')
            .filter(|_| first == Writing::Latin)
            .unwrap_or(after);
        if number.starts_with(|c: char| c.is_ascii_digit()) {
            self.at += after.len() - number.len();
            self.loose = true;
        }
    }

    /// A zone by its distance from universal time: "UTC-5", "GMT+1".
    fn offset(&mut self, word: &str, after: &str) -> bool {
        let sign = match after.chars().next() {
            Some('-') => self.rules.words.minus,
            Some('+') => self.rules.words.plus,
            _ => return false,
        };
        if !matches!(word, "UTC" | "GMT") || run(&after[1..]) == 0 {
            return false;
        }
        if !self.acronym(word, after) {
            self.copy(word.len());
            self.loose = true;
        }
        self.say(sign, 1);
        true
    }

    /// Returns true between numbers, where an x is a sign of multiplication: "3 x 4", "1920x1080".
    fn is_between_numbers(&self, after: &str) -> bool {
        self.text[..self.at]
            .trim_end_matches(' ')
            .ends_with(|c: char| c.is_ascii_digit())
            && after.trim_start_matches(' ').starts_with(|c: char| c.is_ascii_digit())
    }

    fn abbreviation(&mut self, word: &str, after: &str) -> bool {
        if self.street(word, after) {
            return true;
        }
        if word.chars().nth(8).is_some() {
            return false;
        }
        let rest = self.rest();
        let after_number = self.number_end > 0
            && self.text[self.number_end..self.at]
                .trim_matches([' ', '\u{a0}'])
                .is_empty();
        let mut best: Option<(&str, Place, usize)> = None;
        for (written, said, place) in self.rules.abbreviations {
            let Some(len) = matches(rest, written) else { continue };
            let next = &rest[len..];
            // One without a full stop must be the whole word.
            let sign = *place == Place::BeforeNumber && written.ends_with(['º', '°']);
            if !written.ends_with('.')
                && !sign
                && (begins_word(next)
                    || next.starts_with(['-', '\''])
                        && !(*place == Place::AfterNumber && next[1..].starts_with(|c: char| c.is_ascii_digit())))
            {
                continue;
            }
            let (follows, _) = after_space(next);
            let fits = match place {
                Place::Anywhere => true,
                Place::Title => !next.is_empty() && !next.starts_with(['\n', '!', '?']) && !follows.is_empty(),
                Place::BeforeNumber => {
                    let roman = is_numbered(follows) && (written.len() > 2 || first_word(follows).len() > 1);
                    follows.starts_with(|c: char| c.is_ascii_digit()) || roman
                }
                Place::AfterNumber => after_number,
            };
            if fits && best.is_none_or(|(_, _, longest)| len > longest) {
                best = Some((said, *place, len));
            }
        }
        let Some((said, place, len)) = best else { return false };
        let follows = rest[len..].trim_start_matches(['\'', ')', '\u{a0}', ' ']);
        let at_end = follows.is_empty() || rest[len..].starts_with('\n');
        let ends = rest[..len].ends_with('.')
            && match place {
                Place::Anywhere => at_end || follows.starts_with(char::is_uppercase),
                // German nouns have capitals, so after "5 Mio." they show nothing.
                Place::AfterNumber => {
                    at_end || follows.starts_with(char::is_uppercase) && self.language != Language::German
                }
                Place::Title | Place::BeforeNumber => false,
            };
        self.say(said, len);
        if place == Place::AfterNumber {
            self.number_end = self.at;
        }
        if ends {
            self.stop();
        }
        true
    }

    /// Writes the full stop that an abbreviation shares with its sentence.
    pub(super) fn stop(&mut self) {
        self.out.push('.');
        self.loose = false;
    }

    /// Initials, letters with full stops: "U.S.A.", "J. R. R. Tolkien".
    fn dotted(&mut self, word: &str, after: &str) -> bool {
        if word.chars().count() != 1 || !after.starts_with('.') {
            return false;
        }
        let rest = self.rest();
        let mut letters: Vec<&str> = Vec::new();
        let mut end = 0;
        let mut spaced = false;
        while letters.len() < 12 {
            let text = &rest[end..];
            let Some(letter) = text.chars().next().filter(|c| c.is_alphabetic()) else {
                break;
            };
            let Some(tail) = text[letter.len_utf8()..].strip_prefix('.') else {
                break;
            };
            letters.push(&text[..letter.len_utf8()]);
            end = rest.len() - tail.len();
            // Initials stand apart: go on after a space only from capital to capital.
            let (next, space) = after_space(tail);
            let another = next.chars().next().is_some_and(char::is_uppercase)
                && next
                    .char_indices()
                    .nth(1)
                    .is_some_and(|(at, c)| c == '.' && next[at..].len() > 1);
            if space > 0 && another && letter.is_uppercase() {
                end += space;
                spaced = true;
            } else if space > 0 || !next.starts_with(char::is_alphabetic) {
                break;
            }
        }
        let next = rest[end..].trim_start();
        let name_follows = next.chars().next().is_some_and(char::is_uppercase);
        let upper = letters.iter().all(|letter| letter.chars().all(char::is_uppercase));
        if letters.is_empty()
            || letters.len() == 1 && !(upper && name_follows && rest[end..].starts_with([' ', '\u{a0}']))
            || letters.len() == 1 && letters[0] == "I" && self.language == Language::English
        {
            return false;
        }
        let ends = letters.len() > 1 && !spaced && (next.is_empty() || rest[end..].starts_with('\n'));
        let names: Vec<&str> = letters
            .iter()
            .map(|letter| letter_name(letter, self.language))
            .collect();
        self.say(&names.join(" "), end);
        if ends {
            self.stop();
        }
        true
    }

    /// English: "March 15, 2024", "Sept 3rd".
    fn month_first(&mut self) -> bool {
        if self.language != Language::English {
            return false;
        }
        let Some((month, len)) = dates::month(self.rest(), self.rules, self.language) else {
            return false;
        };
        let (next, space) = after_space(&self.rest()[len..]);
        let digits = run(next);
        let Some(day) = next[..digits]
            .parse::<u64>()
            .ok()
            .filter(|day| (1..=31).contains(day) && digits <= 2 && space > 0)
        else {
            return false;
        };
        let mut at = digits;
        if let Some(suffix) = ["st", "nd", "rd", "th"]
            .into_iter()
            .find(|suffix| next[at..].starts_with(suffix))
        {
            at += suffix.len();
        }
        if begins_word(&next[at..]) || next[at..].starts_with([':', '%', '/']) {
            return false;
        }
        // "may 5 people", "march 10 miles": in small letters they are other words, unless a year follows.
        let written = &self.rest()[..len];
        let word = matches!(written, "may" | "march" | "mar" | "dec" | "sun");
        let (year, _) = after_space(next[at..].strip_prefix(',').unwrap_or(&next[at..]));
        let followed = run(year) == 4 && !begins_word(&year[4..]);
        if word && !followed {
            return false;
        }
        let name = self
            .rules
            .months
            .iter()
            .find(|(_, number)| *number == month)
            .map_or("", |(name, _)| name);
        let name = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
        let day = (self.rules.ordinal)(day, "th").unwrap_or_default();
        self.say(&format!("{name} {day}"), len + space + at);
        let comma = self.rest().strip_prefix(',').unwrap_or(self.rest());
        let (year, gap) = after_space(comma);
        if gap > 0
            && run(year) == 4
            && !begins_word(&year[4..])
            && let Ok(number) = year[..4].parse()
        {
            let len = self.rest().len() - year.len() + 4;
            self.say(&(self.rules.year)(number), len);
        }
        true
    }

    /// Capitals that are said letter by letter.
    fn acronym(&mut self, word: &str, after: &str) -> bool {
        let letters = word.chars().count();
        if self.shouting || !(2..=6).contains(&letters) || after.starts_with('\'') && letters < 2 {
            return false;
        }
        let plural = word
            .strip_suffix('s')
            .filter(|stem| stem.chars().count() > 1 && stem.chars().all(char::is_uppercase));
        let stem = plural.unwrap_or(word);
        if !stem.chars().all(char::is_uppercase) {
            return false;
        }
        let latin = writing(word.chars().next().unwrap_or(' ')) == Writing::Latin;
        let table = if latin && self.latin_is_foreign() {
            rules_of(Language::English).spelled
        } else {
            self.rules.spelled
        };
        let vowels = "AEIOUYÀÂÄÁÃÉÈÊËÍÎÏÓÔÖÕÚÛÜАЕЁИОУЫЭЮЯ";
        let voiceless = !stem.chars().any(|c| vowels.contains(c));
        if !(table.contains(&stem)
            || voiceless && stem.chars().all(|c| latin || ('А'..='Я').contains(&c) || c == 'Ё')
            || mgu(stem))
        {
            return false;
        }
        let mut ends: Vec<usize> = stem.char_indices().map(|(at, _)| at).collect();
        ends.push(stem.len());
        let names: Vec<&str> = ends
            .windows(2)
            .map(|pair| letter_name(&stem[pair[0]..pair[1]], self.language))
            .collect();
        let mut words = names.join(" ");
        if plural.is_some() {
            words.push_str("'s");
        }
        self.say(&words, word.len());
        true
    }
}

/// The name of a letter that the engine would take for a word, or has no name for, in a text of `language`.
pub(crate) fn letter_name(letter: &str, language: Language) -> &str {
    let english = language == Language::English || !is_latin(language);
    match letter {
        // The engine reads a lone "A" as the article.
        "A" | "a" if english => "eigh",
        "А" => "а",
        "Б" => "бэ",
        "В" => "вэ",
        "Г" => "гэ",
        "Д" => "дэ",
        "Е" => "е",
        "Ё" => "ё",
        "Ж" => "жэ",
        "З" => "зэ",
        "И" => "и",
        "Й" => "и краткое",
        "К" => "ка",
        "Л" => "эль",
        "М" => "эм",
        "Н" => "эн",
        "О" => "о",
        "П" => "пэ",
        "Р" => "эр",
        "С" => "эс",
        "Т" => "тэ",
        "У" => "у",
        "Ф" => "эф",
        "Х" => "ха",
        "Ц" => "цэ",
        "Ч" => "че",
        "Ш" => "ша",
        "Щ" => "ща",
        "Э" => "э",
        "Ю" => "ю",
        "Я" => "я",
        _ => letter,
    }
}

/// Russian acronyms of a consonant pair and a final vowel, which are spelled too: МГУ, МГИ.
fn mgu(stem: &str) -> bool {
    let chars: Vec<char> = stem.chars().collect();
    let vowel = |c: &char| "АЕЁИОУЫЭЮЯ".contains(*c);
    chars.len() == 3
        && chars.iter().all(|c| ('А'..='Я').contains(c))
        && !vowel(&chars[0])
        && !vowel(&chars[1])
        && vowel(&chars[2])
}

/// The length of `written` at the beginning of `text`; a space in it is optional in the text, and its first letter may be
/// a capital there.
fn matches(text: &str, written: &str) -> Option<usize> {
    let mut rest = text;
    for (at, c) in written.char_indices() {
        if c == ' ' {
            rest = after_space(rest).0;
            continue;
        }
        let found = rest.chars().next()?;
        // A capital may be the sentence's.
        let same = found == c || at == 0 && found.to_lowercase().eq(std::iter::once(c));
        rest = same.then(|| &rest[found.len_utf8()..])?;
    }
    Some(text.len() - rest.len())
}
