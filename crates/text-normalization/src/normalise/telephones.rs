//! Telephone and postal numbers: which strings of digits are read digit by digit.

use quartet_api::Language;

use super::super::languages::digits;
use super::numerals::run;
use super::{Scanner, begins_word, is_mark};

/// Words before telephone numbers, in lower case.
const TELEPHONE_CUES: &[&str] = &[
    "tel",
    "phone",
    "telephone",
    "fax",
    "mobile",
    "telefon",
    "handy",
    "teléfono",
    "móvil",
    "tél",
    "téléphone",
    "portable",
    "telefono",
    "cellulare",
    "telefone",
    "telemóvel",
    "тел",
    "телефон",
    "फ़ोन",
    "फोन",
    "मोबाइल",
    "电话",
    "手机",
    "電話",
    "전화",
    "هاتف",
    "جوال",
];

impl Scanner<'_> {
    /// Returns true if the word before announces a telephone number.
    fn is_called(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches([' ', ':', '.', '：', '\u{a0}']);
        let start = before
            .char_indices()
            .rev()
            .take(12)
            .take_while(|(_, c)| c.is_alphabetic() || is_mark(*c))
            .last();
        if before.ends_with('〒') {
            return true;
        }
        let word = before[start.map_or(before.len(), |(at, _)| at)..].to_lowercase();
        TELEPHONE_CUES
            .iter()
            .any(|cue| word == *cue || !cue.is_ascii() && word.ends_with(cue))
    }

    /// Telephone numbers, digit by digit with a pause between groups.
    pub(super) fn telephone(&mut self) -> bool {
        let Some(len) = telephone(self.rest(), self.previous(), self.is_called()) else {
            return false;
        };
        let written = &self.rest()[..len];
        let plus = if written.starts_with('+') {
            self.rules.words.plus
        } else {
            ""
        };
        let groups: Vec<String> = written
            .split(|c: char| !c.is_ascii_digit())
            .filter(|group| !group.is_empty())
            .map(|group| match self.language {
                Language::Japanese => kana_digits(group),
                _ => digits(group, self.rules.cardinal, self.rules.space),
            })
            .collect();
        let comma = match self.language {
            Language::Chinese | Language::Japanese => "，",
            Language::Arabic => "، ",
            _ => ", ",
        };
        let groups = groups.join(comma);
        let gap = if plus.is_empty() { "" } else { self.rules.space };
        self.say(&format!("{plus}{gap}{groups}"), len);
        true
    }
}

/// Digits one by one, as Japanese telephone and postal numbers are read.
fn kana_digits(group: &str) -> String {
    const NAMES: [&str; 10] = [
        "ゼロ",
        "イチ",
        "ニー",
        "サン",
        "ヨン",
        "ゴー",
        "ロク",
        "ナナ",
        "ハチ",
        "キュー",
    ];
    group.bytes().map(|digit| NAMES[usize::from(digit - b'0')]).collect()
}

/// The length of the telephone number that `text` begins with: an international one (+49 …), one with its area code in
/// brackets, or groups of digits that begin with 0 or come in threes and fours ("555-123-4567").
/// Any grouping is one after a word such as "Tel.".
fn telephone(text: &str, previous: Option<char>, called: bool) -> Option<usize> {
    if previous.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '/')) {
        return None;
    }
    let international = text.starts_with('+');
    let bracketed = text.starts_with('(');
    let mut end = 0;
    let mut groups: Vec<usize> = Vec::new();
    let mut signs = String::new();
    let mut rest = text.strip_prefix('+').unwrap_or(text);
    loop {
        rest = rest.strip_prefix('(').unwrap_or(rest);
        let digits = run(rest);
        if digits == 0 {
            break;
        }
        groups.push(digits);
        rest = &rest[digits..];
        rest = rest.strip_prefix(')').unwrap_or(rest);
        end = text.len() - rest.len();
        let Some(sign) = rest
            .chars()
            .next()
            .filter(|c| matches!(c, ' ' | '-' | '\u{a0}' | '.' | '/' | '\u{2013}'))
        else {
            break;
        };
        let next = &rest[sign.len_utf8()..];
        if !next.starts_with(|c: char| c.is_ascii_digit() || c == '(') || groups.len() > 7 {
            break;
        }
        signs.push(sign);
        rest = next;
    }
    let total: usize = groups.iter().sum();
    if !(7..=15).contains(&total) || begins_word(&text[end..]) {
        return None;
    }
    let hyphens = signs.chars().filter(|c| *c == '-').count();
    let zero = text.starts_with('0') || text.starts_with("(0");
    let typical =
        groups.len() >= 3 && hyphens >= 2 && groups.iter().all(|group| *group <= 4) && groups.last() == Some(&4);
    let two = groups == [3, 4] && signs == "-";
    // French numbers come in pairs after a zero; others begin with their trunk zero too.
    let pairs = groups.iter().all(|group| *group >= 2);
    let trunk = zero && pairs && (groups.len() >= 2 && !signs.contains('.') || groups.len() >= 4 || total >= 9);
    let area = bracketed && groups.len() >= 2;
    // Chinese mobile numbers are eleven digits without a gap.
    let mobile = groups == [11] && text.starts_with("1") && matches!(text.as_bytes()[1], b'3'..=b'9');
    (international || typical || two || trunk || area || called || mobile).then_some(end)
}
