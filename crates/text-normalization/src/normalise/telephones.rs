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
        if self.book_number() || self.dialled() {
            return true;
        }
        let Some(len) = telephone(self.rest(), self.previous(), self.is_called(), self.language) else {
            return false;
        };
        let written = &self.rest()[..len];
        let plus = match (written.starts_with('+'), self.language) {
            (false, _) => "",
            (_, Language::Korean) => "국가번호",
            _ => self.rules.words.plus,
        };
        let groups: Vec<String> = written
            .split(|c: char| !c.is_ascii_digit())
            .filter(|group| !group.is_empty())
            .map(|group| self.spelt(group))
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

impl Scanner<'_> {
    /// Digits one by one, as they are said in telephone numbers: Korean has another zero there, Chinese another one.
    fn spelt(&self, group: &str) -> String {
        match self.language {
            Language::Japanese => kana_digits(group),
            Language::Korean => digits(group, self.rules.cardinal, "").replace('영', "공"),
            Language::Chinese => digits(group, self.rules.cardinal, "").replace('一', "幺"),
            _ => digits(group, self.rules.cardinal, self.rules.space),
        }
    }

    /// Numbers of books and journals after their name, digit by digit: "ISBN 978-3-16-148410-0".
    fn book_number(&mut self) -> bool {
        let before = self.text[..self.at].trim_end_matches([' ', ':', '\u{a0}']);
        let named = ["ISBN", "ISSN", "ISBN-13", "ISBN-10"]
            .iter()
            .any(|name| before.ends_with(name));
        let rest = self.rest();
        if !named || before.len() == self.at {
            return false;
        }
        let end = rest
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | ' ')))
            .unwrap_or(rest.len());
        // The last of ten may be an X.
        let check = rest[end..].strip_prefix('X').is_some_and(|after| !begins_word(after));
        let written = match check {
            true => &rest[..=end],
            false => rest[..end].trim_end_matches([' ', '-']),
        };
        // "ISBN 13 digits": no number of one.
        if written.bytes().filter(u8::is_ascii_digit).count() < 7 {
            return false;
        }
        let comma = if self.rules.space.is_empty() { "，" } else { ", " };
        let groups = written.split([' ', '-']).filter(|group| !group.is_empty());
        let groups: Vec<String> = groups
            .map(|group| match group.strip_suffix('X') {
                Some("") => "X".to_owned(),
                Some(digits) => format!("{}{}X", self.spelt(digits), self.rules.space),
                None => self.spelt(group),
            })
            .collect();
        self.say(&groups.join(comma), written.len());
        true
    }

    /// Short numbers that are dialled, digit by digit: "Call 911", "拨打110", "119에 신고".
    fn dialled(&mut self) -> bool {
        let rest = self.rest();
        let len = run(rest);
        let next = rest[len..].trim_start_matches(' ');
        let before = self.text[..self.at].trim_end_matches([' ', ':', '：']);
        let previous = self.previous_word();
        let code = (4..=8).contains(&len) && CODE_CUES.contains(&previous.as_str());
        // Numbers of rooms, flights and roads are said in pairs of digits: "room 101" is "one oh one".
        if self.language == Language::English && (3..=4).contains(&len) && PAIRED.contains(&previous.as_str()) {
            let follows = &rest[len..];
            if !follows.starts_with([',', '.', '-', ':', '/']) || run(&follows[1..]) == 0 {
                let words = super::streets::house(&rest[..len], self.rules.cardinal);
                self.say(&words, len);
                return true;
            }
        }
        let fits = code
            || match self.language {
                Language::Chinese => {
                    (3..=5).contains(&len)
                        && ["拨打", "拨", "打", "致电", "呼叫", "热线", "电话"]
                            .iter()
                            .any(|cue| before.ends_with(cue))
                        || matches!(&rest[..len], "110" | "119" | "120" | "122")
                            && ["报警", "火警", "急救", "电话", "救护", "指挥"]
                                .iter()
                                .any(|cue| next.starts_with(cue))
                }
                Language::Korean => {
                    matches!(&rest[..len], "112" | "114" | "119")
                        && (["에", "로", "번", "구급", "신고"]
                            .iter()
                            .any(|cue| next.starts_with(cue))
                            || before.ends_with("전화"))
                }
                Language::English | Language::German | Language::Spanish | Language::Portuguese => {
                    len == 3
                        && !next.starts_with(|c: char| {
                            c.is_alphanumeric()
                                && self.language != Language::German
                                && c.is_lowercase()
                                && !starts_clause(next)
                        })
                        && (self.language == Language::German
                            && (next.starts_with("wählen") || next.starts_with("anrufen"))
                            || DIAL_CUES.contains(&self.previous_word().as_str())
                            || ["wählen Sie", "Wählen Sie", "rufen Sie", "Rufen Sie"]
                                .iter()
                                .any(|cue| before.ends_with(cue)))
                }
                _ => false,
            };
        if !fits || rest[len..].starts_with(['.', ',', ':', '-', '/']) && run(&rest[len + 1..]) > 0 {
            return false;
        }
        let words = self.spelt(&rest[..len]);
        self.say(&words, len);
        true
    }
}

/// Words before short numbers that are dialled, in lower case.
const DIAL_CUES: &[&str] = &[
    "call", "dial", "dialled", "called", "phone", "ring", "wählen", "notruf", "wähle", "rufe", "llame", "llama",
    "llamar", "marque", "marca", "ligue", "ligar", "disque",
];

/// English words before numbers that are said in pairs of digits.
const PAIRED: &[&str] = &["room", "flight", "suite", "highway", "route", "apartment", "interstate"];
/// Words before codes, which are read digit by digit.
const CODE_CUES: &[&str] = &[
    "pin",
    "code",
    "zip",
    "otp",
    "plz",
    "postleitzahl",
    "código",
    "cep",
    "cap",
    "индекс",
    "код",
    "कोड",
    "पिन",
    "पिनकोड",
    "अंक",
    "ओटीपी",
    "邮编",
    "우편번호",
    "الرمز",
];

/// Returns true if what follows a dialled number begins another part of the sentence: "call 911 if", not "call 300 people".
fn starts_clause(next: &str) -> bool {
    let word = next.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
    matches!(
        word,
        "if" | "for"
            | "now"
            | "in"
            | "and"
            | "or"
            | "when"
            | "immediately"
            | "to"
            | "right"
            | "at"
            | "si"
            | "en"
            | "para"
            | "y"
            | "o"
            | "se"
            | "em"
            | "e"
            | "ou"
            | "und"
            | "oder"
    )
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
fn telephone(text: &str, previous: Option<char>, called: bool, language: Language) -> Option<usize> {
    let spaceless = matches!(language, Language::Korean | Language::Chinese | Language::Japanese);
    if previous.is_some_and(|c| (c.is_ascii() || !spaceless) && c.is_alphanumeric() || matches!(c, '.' | '-' | '/')) {
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
        // "(555)555-5555"
        if text[..end].ends_with(')') && run(rest) > 0 {
            signs.push(' ');
            continue;
        }
        if rest.starts_with('(') && run(&rest[1..]) > 0 {
            signs.push(' ');
            continue;
        }
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
    let tail = &text[end..];
    let joined = if spaceless {
        tail.starts_with(|c: char| c.is_ascii_alphanumeric())
    } else {
        begins_word(tail)
    };
    if !(7..=16).contains(&total) || joined {
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
    let area = bracketed && groups.len() >= 2 && text[1 + groups[0]..].starts_with(')');
    let bare = signs.chars().all(|c| matches!(c, '-' | '.'));
    let american = groups.starts_with(&[3, 3, 4]) && groups.len() <= 4 && bare;
    let national = match language {
        // Ten digits from six to nine are a mobile number.
        Language::Hindi => groups == [10] && matches!(text.as_bytes()[0], b'6'..=b'9'),
        Language::Portuguese => (groups == [5, 4] || groups == [4, 4]) && signs == "-",
        Language::Korean => groups == [4, 4] && signs == "-",
        // Written with spaces: "612 345 678", "91 123 45 67"; a noun after it makes it a number.
        Language::Spanish => {
            total == 9
                && matches!(text.as_bytes()[0], b'6'..=b'9')
                && (groups == [3, 3, 3] || groups == [2, 3, 2, 2] || groups == [3, 2, 2, 2])
                && signs.chars().all(|c| c == ' ')
                && !tail
                    .trim_start()
                    .starts_with(|c: char| c.is_lowercase() || "€$%".contains(c))
        }
        _ => false,
    };
    // Chinese mobile numbers are eleven digits without a gap.
    let mobile = groups == [11] && text.starts_with("1") && matches!(text.as_bytes()[1], b'3'..=b'9');
    (international || typical || american || national || two || trunk || area || called || mobile).then_some(end)
}
