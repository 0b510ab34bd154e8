//! The lexer: splits a question into numbers, dates and known words; fails where a word is not known.

use jiff::civil::Date;
use quartet_api::Language;

use super::lexicon::{self, Meaning};
use super::number;

/// A piece of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A number, with a point for its decimals.
    Number(String),
    /// A whole date.
    Date(Date),
    /// A phrase: its possible meanings, and its start and end in the text.
    Phrase(&'static [Meaning], usize, usize),
}

impl Token {
    /// Returns true if it may have this meaning.
    pub fn is(&self, meaning: Meaning) -> bool {
        matches!(self, Token::Phrase(meanings, ..) if meanings.contains(&meaning))
    }

    /// The first of its meanings that `of` accepts.
    pub fn meaning<T>(&self, of: impl Fn(Meaning) -> Option<T>) -> Option<T> {
        match self {
            Token::Phrase(meanings, ..) => meanings.iter().find_map(|meaning| of(*meaning)),
            _ => None,
        }
    }
}

/// Returns true if a text has only small words, which say nothing by themselves.
pub(super) fn is_small(text: &str, language: Language) -> bool {
    let small = |token: &Token| token.is(Meaning::Glue) || token.is(Meaning::Of);
    !text.contains(char::is_alphanumeric) || tokens(text, language).is_some_and(|tokens| tokens.iter().all(small))
}

/// A question in lower case, with ASCII for digits and marks of any script, and single spaces.
pub(super) fn normalised(question: &str) -> String {
    let mut text = String::with_capacity(question.len());
    for c in question.trim().chars() {
        let c = match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
            '\u{660}'..='\u{669}' => char::from_u32(c as u32 - 0x660 + 0x30).unwrap_or(c),
            '\u{966}'..='\u{96f}' => char::from_u32(c as u32 - 0x966 + 0x30).unwrap_or(c),
            '’' => '\'',
            '、' | '،' | '٬' => ',',
            '٫' => '.',
            '。' | '।' => '.',
            '؟' | '¿' => '?',
            '–' | '\u{2011}' => '-',
            c => c,
        };
        if c.is_whitespace() {
            if !text.ends_with(' ') {
                text.push(' ');
            }
        } else {
            text.extend(c.to_lowercase());
        }
    }
    let end = text.trim_end_matches(['?', '.', ' ', '=', ',', ':']).len();
    text.truncate(end);
    text
}

/// A phrase of a normalised question with the letters that it has in the question; the phrase itself where it is not found.
pub(super) fn as_written<'t>(question: &'t str, phrase: &'t str) -> &'t str {
    let found = question.char_indices().find_map(|(start, _)| {
        let rest = &question[start..];
        let mut wanted = phrase.chars();
        for (at, c) in rest.char_indices() {
            if wanted.as_str().is_empty() {
                return Some(&rest[..at]);
            }
            if !c.to_lowercase().all(|lower| wanted.next() == Some(lower)) {
                return None;
            }
        }
        wanted.as_str().is_empty().then_some(rest)
    });
    found.unwrap_or(phrase)
}

/// Returns true if words of the language stand together without spaces, or with endings of small words.
fn is_dense(language: Language) -> bool {
    matches!(language, Language::Chinese | Language::Japanese | Language::Korean)
}

/// The pieces of a normalised question, read as `language`.
pub(super) fn tokens(text: &str, language: Language) -> Option<Vec<Token>> {
    let mut reader = Reader {
        text,
        language,
        lexicon: lexicon::of(language),
        dead: vec![false; text.len() + 1],
        tokens: Vec::new(),
    };
    reader.read(0).then(|| dates(reader.tokens))
}

/// Reads the longest phrase first, and a shorter one where nothing known follows.
struct Reader<'a> {
    text: &'a str,
    language: Language,
    lexicon: &'static lexicon::Lexicon,
    /// Places from which the rest could not be read.
    dead: Vec<bool>,
    tokens: Vec<Token>,
}

impl Reader<'_> {
    fn read(&mut self, at: usize) -> bool {
        let rest = &self.text[at..];
        let Some(first) = rest.chars().next() else { return true };
        if self.dead[at] {
            return false;
        }
        // The point of "14. Juli".
        let ordinal =
            first == '.' && rest[1..].starts_with(' ') && matches!(self.tokens.last(), Some(Token::Number(_)));
        // "7-Eleven" and "50-plus" are names, not differences.
        let name = first == '-'
            && self.text[..at].ends_with(|before: char| before.is_ascii_digit())
            && rest[1..].starts_with(char::is_alphabetic);
        let read = if name {
            false
        } else if ordinal || matches!(first, ' ' | '?' | ',' | '"') {
            self.read(at + first.len_utf8())
        } else if let Some((length, date)) = numeric_date(rest, self.language) {
            self.go_on(Token::Date(date), at + length)
        } else if first.is_ascii_digit() {
            number::read(rest, self.language)
                .is_some_and(|(length, number)| self.go_on(Token::Number(number), at + length))
        } else {
            self.phrases(at)
                .into_iter()
                .any(|(end, meanings)| self.go_on(Token::Phrase(meanings, at, end), end))
        };
        self.dead[at] = !read;
        read
    }

    fn go_on(&mut self, token: Token, at: usize) -> bool {
        let before = self.tokens.len();
        self.tokens.push(token);
        let read = self.read(at);
        if !read {
            self.tokens.truncate(before);
        }
        read
    }

    /// The phrases at a place, the longest first.
    fn phrases(&self, at: usize) -> Vec<(usize, &'static [Meaning])> {
        let rest = &self.text[at..];
        let ends = rest.char_indices().map(|(start, c)| start + c.len_utf8());
        let mut found: Vec<_> = ends
            .take(self.lexicon.longest)
            .filter_map(|end| {
                let (phrase, after) = rest.split_at(end);
                let meanings = self.lexicon.find(phrase)?;
                let last = phrase.chars().next_back()?;
                let whole = is_dense(self.language)
                    || !last.is_alphabetic()
                    || !after
                        .chars()
                        .next()
                        .is_some_and(|c| c.is_alphabetic() || is_sign_of_devanagari(c));
                whole.then_some((at + end, meanings))
            })
            .collect();
        found.reverse();
        found
    }
}

/// A vowel sign or virama, which is part of the word before it.
fn is_sign_of_devanagari(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}')
}

/// A date that is written with digits only: `2024-02-29`, `29.2.2024`, `29/02/2024`, `2024年2月29日`.
pub(super) fn numeric_date(text: &str, language: Language) -> Option<(usize, Date)> {
    let mut numbers = Vec::new();
    let mut signs = String::new();
    let mut at = 0;
    while numbers.len() < 3 {
        let rest = &text[at..];
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if !(1..=4).contains(&digits) {
            return None;
        }
        numbers.push(rest[..digits].parse::<i16>().ok()?);
        at += digits;
        let Some(sign) = text[at..].chars().next() else { break };
        if numbers.len() == 3 && !matches!(sign, '日' | '号' | '일') {
            break;
        }
        if !matches!(sign, '-' | '.' | '/' | '年' | '月' | '日' | '号' | '년' | '월' | '일') {
            return None;
        }
        signs.push(sign);
        at += sign.len_utf8();
        at += text[at..].len() - text[at..].trim_start_matches(' ').len();
    }
    let [first, second, third] = numbers[..] else {
        return None;
    };
    let (year, month, day) = match signs.as_str() {
        "--" | "年月日" | "年月号" | "년월일" => (first, second, third),
        ".." => (third, second, first),
        // In English either may come first: only where it is clear.
        "//" if language == Language::English => match (first, second) {
            (13.., 1..=12) => (third, second, first),
            (1..=12, 13..) => (third, first, second),
            (first, second) if first == second => (third, first, second),
            _ => return None,
        },
        "//" if first > 31 => (first, second, third),
        "//" => (third, second, first),
        _ => return None,
    };
    if year < 1000 {
        return None;
    }
    let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    Some((at, date))
}

/// Puts days, names of months and years together to dates; a date without its year is left as it is.
fn dates(tokens: Vec<Token>) -> Vec<Token> {
    let mut made = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if let Some((length, date)) = written_date(&tokens[at..]) {
            made.push(Token::Date(date));
            at += length;
        } else {
            made.push(tokens[at].clone());
            at += 1;
        }
    }
    made
}

fn written_date(tokens: &[Token]) -> Option<(usize, Date)> {
    let month_at = tokens.iter().take(4).position(|token| month(token).is_some())?;
    let number = |token: Option<&Token>| match token? {
        Token::Number(number) => number.parse::<i16>().ok(),
        _ => None,
    };
    let fills = |token: &Token| token.is(Meaning::Glue) || token.is(Meaning::Of);
    let month = month(&tokens[month_at])?;
    let (day, mut at) = if month_at == 0 {
        (number(tokens.get(1))?, 2)
    } else {
        if !tokens[1..month_at].iter().all(fills) {
            return None;
        }
        (number(tokens.first())?, month_at + 1)
    };
    while tokens.get(at).is_some_and(fills) {
        at += 1;
    }
    let year = number(tokens.get(at)).filter(|year| *year >= 1000)?;
    at += 1;
    // "1789 года"
    if tokens.get(at).is_some_and(|token| token.is(Meaning::Years)) {
        at += 1;
    }
    Some((at, Date::new(year, month, i8::try_from(day).ok()?).ok()?))
}

/// The month that a token names.
pub(super) fn month(token: &Token) -> Option<i8> {
    token.meaning(|meaning| match meaning {
        Meaning::MonthOfYear(month) => Some(month),
        _ => None,
    })
}
