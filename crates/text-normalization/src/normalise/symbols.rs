//! Signs that are said, and signs that are not.

use super::super::languages::{Agreement, digits};
use super::numerals::run;
use super::{Scanner, after_space, begins_word};

/// Emoticons, longest first. They decorate like emoji do.
const EMOTICONS: &[&str] = &[
    ":'-(",
    ":'-)",
    ">:-(",
    "¯\\_(ツ)_/¯",
    ":-)",
    ":-(",
    ":-D",
    ":-P",
    ":-p",
    ":-/",
    ":-|",
    ":-O",
    ":-o",
    ";-)",
    ":'(",
    ":')",
    "=)",
    "=(",
    ":)",
    ":(",
    ":D",
    ":P",
    ":p",
    ";)",
    ":/",
    ":|",
    ":O",
    ":o",
    "<3",
    "^^",
    "^_^",
    "-_-",
];

impl Scanner<'_> {
    /// Says, keeps or drops a character that is neither letter nor digit.
    pub(super) fn symbol(&mut self, c: char) {
        if matches!(c, ' ' | ',' | '\n') {
            return self.copy(1);
        }
        if self.emoticon() {
            return;
        }
        let rest = self.rest();
        let len = c.len_utf8();
        let next = rest[len..].chars().next();
        let words = &self.rules.words;
        let before = self.text[..self.at].trim_end_matches(' ').chars().next_back();
        let after = rest[len..].trim_start_matches(' ').chars().next();
        let between_digits = before.is_some_and(|c| c.is_ascii_digit()) && after.is_some_and(|c| c.is_ascii_digit());
        let opens = self
            .previous()
            .is_none_or(|c| !c.is_alphanumeric() && !")]}%°'".contains(c))
            // Nothing separates words there.
            || self.rules.space.is_empty() && self.previous().is_some_and(|c| c.is_alphabetic() && !c.is_ascii());
        let single = next != Some(c) && self.previous() != Some(c);
        let digit_follows = next.is_some_and(|c| c.is_ascii_digit());
        if matches!(c, '+' | '(') && self.telephone() || self.price_first() {
            self.number_end = self.at;
            return;
        }
        if self.power() || self.weekday() || self.until(c, len, next) || self.percent_first(c) {
            return;
        }
        match c {
            '-' | '–' | '~' | '～' | '〜' if before == Some('%') && digit_follows && self.previous() == Some('%') =>
            {
                let to = if self.rules.words.to == "–" {
                    ""
                } else {
                    self.rules.words.to
                };
                self.say(to, len);
            }
            '-' | '–' | '~' | '～' | '〜' if self.joins_numbers(&rest[len..]) => {
                self.say(words.to, len);
                if self.language == quartet_api::Language::Korean {
                    self.out.push(' ');
                }
            }
            '-' if digit_follows && opens => self.say(words.minus, len),
            '-' if opens && matches!(next, Some('$' | '€' | '£' | '¥' | '₹' | '₽' | '₩')) => {
                self.say(words.minus, len)
            }
            '-' if between_digits && single && self.previous() == Some(' ') && next == Some(' ') => {
                self.say(words.minus, len)
            }
            '+' if single && self.previous() == Some(' ') && next == Some(' ') => self.say(words.plus, len),
            '+' if digit_follows || between_digits || self.is_joined() && !next.is_some_and(char::is_alphanumeric) => {
                self.say(words.plus, len);
            }
            '=' if single && before.is_some() && after.is_some() && !rest[len..].starts_with(['=', '>']) => {
                self.say(words.equals, len);
            }
            '×' | '✕' | '⋅' => self.say(words.times, len),
            '*' if between_digits && single => self.say(words.times, len),
            '÷' => self.say(words.divided, len),
            '±' => self.say(words.plus_minus, len),
            '≈' => self.say(words.about, len),
            '~' | '～' if digit_follows && opens => self.say(words.about, len),
            '<' if between_digits => self.say(words.less, len),
            '>' if between_digits => self.say(words.greater, len),
            '&' if single => self.say(words.and, len),
            '≥' | '⩾' | '≤' | '⩽' if after.is_some_and(char::is_alphanumeric) => {
                let (least, most) = self.bounds();
                self.say(if matches!(c, '≥' | '⩾') { least } else { most }, len);
            }
            '√' if digit_follows => {
                let root = match self.language {
                    quartet_api::Language::English => "the square root of",
                    quartet_api::Language::Japanese => "ルート",
                    quartet_api::Language::Korean => "루트",
                    quartet_api::Language::Chinese => "根号",
                    quartet_api::Language::German => "Wurzel aus",
                    quartet_api::Language::French => "racine de",
                    quartet_api::Language::Spanish => "raíz de",
                    quartet_api::Language::Italian => "radice di",
                    quartet_api::Language::Portuguese => "raiz de",
                    quartet_api::Language::Russian => "корень из",
                    quartet_api::Language::Hindi => "वर्गमूल",
                    quartet_api::Language::Arabic => "جذر",
                };
                self.say(root, len);
            }
            '§' => {
                let repeated = rest.chars().take_while(|c| *c == '§').count();
                self.say(words.section, repeated * len);
            }
            '№' => self.say(words.number, len),
            '#' if digit_follows && !self.is_joined() => self.say(words.number, len),
            '#' if self.is_joined()
                && !begins_word(&rest[len..])
                && self.language == quartet_api::Language::English =>
            {
                // C#, F#: as programmers say.
                self.say("sharp", len);
            }
            '@' if next.is_none_or(|c| c != '@') && next.is_some() => self.say(words.at, len),
            '%' => self.say(words.percent.1, len),
            '.' if digit_follows && opens => self.leading_point(),
            '½' | '⅓' | '⅔' | '¼' | '¾' | '⅕' | '⅖' | '⅗' | '⅘' | '⅙' | '⅚' | '⅛' | '⅜' | '⅝' | '⅞' => {
                self.vulgar(c)
            }
            '°' | 'º' | 'ª' | '©' | '®' | '™' | '^' | '*' | '~' | '`' | '#' | '¨' | '†' | '‡' => {
                self.drop(len)
            }
            '_' | '\\' | '\u{a0}' => {
                self.out.push(' ');
                self.drop(len);
            }
            '/' => {
                self.out.push(' ');
                self.drop(len);
            }
            '|' | '→' | '←' | '⇒' | '•' | '·' if !self.is_between_letters(next) => {
                self.out.push_str(", ");
                self.drop(len);
            }
            '$' | '€' | '£' | '¥' | '₹' | '₽' | '₩' if !begins_word(&rest[len..]) => self.bare_currency(c),
            _ => self.copy(len),
        }
    }

    /// The words for "at least" and "at most" before a number.
    fn bounds(&self) -> (&'static str, &'static str) {
        match self.language {
            quartet_api::Language::English => ("at least", "at most"),
            quartet_api::Language::Hindi => ("कम से कम", "अधिक से अधिक"),
            quartet_api::Language::Spanish => ("al menos", "como máximo"),
            quartet_api::Language::French => ("au moins", "au plus"),
            quartet_api::Language::German => ("mindestens", "höchstens"),
            quartet_api::Language::Italian => ("almeno", "al massimo"),
            quartet_api::Language::Portuguese => ("pelo menos", "no máximo"),
            quartet_api::Language::Russian => ("минимум", "максимум"),
            quartet_api::Language::Japanese => ("最低", "最大"),
            quartet_api::Language::Chinese => ("至少", "至多"),
            quartet_api::Language::Korean => ("최소", "최대"),
            quartet_api::Language::Arabic => ("على الأقل", "على الأكثر"),
        }
    }

    /// Japanese and Korean days of the week in brackets after a date: "12月26日(木)", "8월20일(토〜일)".
    fn weekday(&mut self) -> bool {
        let (days, day, from) = match self.language {
            quartet_api::Language::Japanese => ("月火水木金土日", "曜日", "から"),
            quartet_api::Language::Korean => ("월화수목금토일", "요일", "부터 "),
            _ => return false,
        };
        let rest = self.rest();
        let Some(inside) = rest.strip_prefix(['(', '（']) else {
            return false;
        };
        let Some(end) = inside.find([')', '）']).filter(|end| *end <= 12) else {
            return false;
        };
        if !self.previous().is_some_and(|c| matches!(c, '日' | '일')) {
            return false;
        }
        let mut parts = inside[..end].split(['〜', '~', '～', '-', '–']);
        let named = |part: &str| part.chars().count() == 1 && part.chars().all(|c| days.contains(c));
        let said: Option<Vec<String>> = parts
            .by_ref()
            .take(2)
            .map(|part| named(part).then(|| format!("{part}{day}")))
            .collect();
        let Some(said) = said.filter(|_| parts.next().is_none()) else {
            return false;
        };
        let closing = inside[end..].chars().next().map_or(1, char::len_utf8);
        let len = rest.len() - inside.len() + end + closing;
        let gap = if self.rules.space.is_empty() { "" } else { " " };
        self.out.push_str(gap);
        self.say(&said.join(from), len);
        // A range may follow at once.
        self.number_end = self.at;
        true
    }

    /// A wave between dates or words of Japanese, Korean and Chinese: "7月〜8月", "8월 20일〜25일".
    fn until(&mut self, c: char, len: usize, next: Option<char>) -> bool {
        let between = self
            .previous()
            .is_some_and(|c| c.is_alphabetic() || matches!(c, ')' | '）'))
            && next.is_some_and(char::is_alphanumeric);
        if !matches!(c, '〜' | '～' | '~') || !between {
            return false;
        }
        if self.weekday_range(len) {
            return true;
        }
        let word = match self.language {
            quartet_api::Language::Japanese => "から",
            quartet_api::Language::Korean => "부터 ",
            quartet_api::Language::Chinese => "到",
            _ => return false,
        };
        self.out.push_str(word);
        self.at += len;
        self.loose = false;
        true
    }

    /// Japanese and Korean days of the week on both sides of a wave of so many bytes: "月〜金", "월~금". The first has been copied.
    fn weekday_range(&mut self, len: usize) -> bool {
        let (days, between, after) = match self.language {
            quartet_api::Language::Japanese => ("月火水木金土日", "曜から", "曜"),
            quartet_api::Language::Korean => ("월화수목금토일", "요일부터 ", "요일까지"),
            _ => return false,
        };
        let mut before = self.text[..self.at].chars().rev();
        let first = before.next().is_some_and(|c| days.contains(c));
        let alone = before
            .next()
            .is_none_or(|c| !c.is_alphanumeric() || matches!(c, 'は' | 'の' | '日'));
        let rest = &self.rest()[len..];
        let Some(second) = rest.chars().next().filter(|c| days.contains(*c)) else {
            return false;
        };
        let tail = &rest[second.len_utf8()..];
        let named = tail.starts_with('曜') || tail.starts_with("요일");
        if !first || !alone || !named && tail.starts_with(|c: char| c.is_alphanumeric() && c != 'の') {
            return false;
        }
        self.out.push_str(between);
        self.out.push(second);
        self.out.push_str(if named { "" } else { after });
        self.at += len + second.len_utf8();
        self.loose = false;
        true
    }

    /// Arabic writes the sign before the number, too: "%7".
    fn percent_first(&mut self, c: char) -> bool {
        if c != '%' || self.language != quartet_api::Language::Arabic || self.number_end == self.at && self.at > 0 {
            return false;
        }
        let Some(numeral) = super::numerals::parse(&self.rest()[1..], self.rules) else {
            return false;
        };
        let words = format!(
            "{} {}",
            self.plain(&numeral, Agreement::Alone),
            self.rules.words.percent.1
        );
        self.say(&words, 1 + numeral.len);
        true
    }

    /// Returns true between two numbers of which the first has just been said with its unit: "$250-$300", "2pm-5pm",
    /// "1960s–1980s".
    fn joins_numbers(&self, next: &str) -> bool {
        let symbol = next
            .chars()
            .next()
            .filter(|c| "$€£¥₹₽₩".contains(*c))
            .map_or(0, char::len_utf8);
        // "8 a.m.-5 p.m."
        let abbreviated = self.number_end == self.at && self.previous() == Some('.');
        let counted = self.loose
            && self
                .previous()
                .is_some_and(|c| c.is_alphanumeric() || "$€£¥₹₽₩%°".contains(c));
        let number = next[symbol..].starts_with(|c: char| c.is_ascii_digit());
        // "8:00-17:00", "8h30-17h"
        let minutes = self.at.checked_sub(3).and_then(|start| self.text.get(start..self.at));
        let timed = self.number_end == self.at
            && self.rules.words.to != "–"
            && minutes.is_some_and(|minutes| minutes.starts_with([':', 'h']) && run(&minutes[1..]) == 2);
        (abbreviated || timed) && number
            || counted && number && self.at > 0 && self.rules.words.to != "–" && {
                let before =
                    self.text[..self.at].trim_end_matches(|c: char| c.is_alphabetic() || "$€£¥₹₽₩%°".contains(c));
                (symbol > 0 || before.len() < self.at)
                    && before.len() + 4 >= self.at
                    && before.ends_with(|c: char| c.is_ascii_digit())
            }
    }

    fn drop(&mut self, len: usize) {
        self.at += len;
    }

    /// Returns true if a letter or digit stands right before.
    fn is_joined(&self) -> bool {
        self.previous().is_some_and(|c| c.is_alphanumeric() || c == '+')
    }

    /// A dot inside a word, as in Catalan or a Japanese name: no pause.
    fn is_between_letters(&self, next: Option<char>) -> bool {
        self.previous().is_some_and(char::is_alphabetic) && next.is_some_and(char::is_alphabetic)
    }

    fn emoticon(&mut self) -> bool {
        let rest = self.rest();
        if !self.previous().is_none_or(|c| c.is_whitespace() || "!?.)".contains(c)) {
            return false;
        }
        let found = EMOTICONS.iter().find(|emoticon| {
            rest.strip_prefix(**emoticon)
                .is_some_and(|after| !begins_word(after) && !after.starts_with('/'))
        });
        let Some(emoticon) = found else { return false };
        self.at += emoticon.len();
        true
    }

    /// Decimals without an integer: ".5".
    fn leading_point(&mut self) {
        let count = run(&self.rest()[1..]);
        let decimals = &self.rest()[1..1 + count];
        let words = match self.language {
            quartet_api::Language::Japanese => format!("0.{decimals}"),
            _ if count > 17 => digits(decimals, self.rules.cardinal, " "),
            _ => (self.rules.fraction)("0", decimals),
        };
        self.say(&words, 1 + count);
    }

    /// Fractions of one character (½), also after a whole number ("1½").
    fn vulgar(&mut self, c: char) {
        let (numerator, denominator) = match c {
            '½' => (1, 2),
            '⅓' => (1, 3),
            '⅔' => (2, 3),
            '¼' => (1, 4),
            '¾' => (3, 4),
            '⅕'..='⅘' => (c as u64 - '⅕' as u64 + 1, 5),
            '⅙' => (1, 6),
            '⅚' => (5, 6),
            '⅛' => (1, 8),
            '⅜' => (3, 8),
            '⅝' => (5, 8),
            _ => (7, 8),
        };
        let mixed = self.text[..self.at]
            .trim_end_matches(' ')
            .ends_with(|c: char| c.is_ascii_digit());
        let part = (self.rules.part)(numerator, denominator).unwrap_or_else(|| {
            let name = |number| (self.rules.cardinal)(number, Agreement::Alone);
            format!("{} {} {}", name(numerator), self.rules.words.over, name(denominator))
        });
        if mixed {
            let half = (numerator, denominator) == (1, 2);
            let joined = match self.language {
                quartet_api::Language::English if half => Some("and a half"),
                quartet_api::Language::English if (numerator, denominator) == (1, 4) => Some("and a quarter"),
                quartet_api::Language::French if half => Some("et demi"),
                quartet_api::Language::Spanish if half => Some("y medio"),
                quartet_api::Language::Italian if half => Some("e mezzo"),
                quartet_api::Language::Portuguese if half => Some("e meio"),
                quartet_api::Language::Russian if half => Some("с половиной"),
                quartet_api::Language::German if half => Some("einhalb"),
                _ => None,
            };
            if let Some(joined) = joined {
                return self.say(joined, c.len_utf8());
            }
            let and = if self.rules.space.is_empty() {
                "又"
            } else {
                self.rules.words.and
            };
            self.say(and, 0);
        }
        let (next, space) = after_space(&self.rest()[c.len_utf8()..]);
        if !mixed
            && let Some((unit, len)) = self.unit_at(next, space > 0)
            && let Some(words) = self.part_of(numerator, denominator, unit)
        {
            return self.say(&words, c.len_utf8() + space + len);
        }
        let half = ((numerator, denominator) == (1, 2))
            .then(|| self.half_of(next))
            .flatten();
        self.say(half.unwrap_or(&part), c.len_utf8());
    }

    /// A currency sign without a number: its name.
    fn bare_currency(&mut self, c: char) {
        let name = self
            .rules
            .currencies
            .iter()
            .find(|currency| {
                currency
                    .symbols
                    .split(' ')
                    .any(|symbol| symbol.starts_with(c) && symbol.len() == c.len_utf8())
            })
            .map_or("", |currency| currency.forms[0]);
        self.say(name, c.len_utf8());
    }
}
