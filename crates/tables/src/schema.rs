//! The schema that a model's query is held to: the columns of the tables, values that stand in them or in the question, and
//! numbers that the question has.

use std::collections::BTreeSet;

use crate::cell::{Kind, is_nothing};
use crate::engine::folded;
use crate::table::{Column, Table};

/// Answer of a model that sees nothing in the tables that answers.
pub const NONE: &str = "NONE";

/// Limit for the different values of a column that a model is all shown.
pub(crate) const MAX_SHOWN: usize = 6;
/// Limit for the values of a column that a schema lists.
const MAX_VALUES: usize = 120;
/// Limit in characters for a value that is listed.
const MAX_VALUE_CHARS: usize = 80;
/// Limit in words for a text of the question that cells are compared with.
const MAX_PHRASE_WORDS: usize = 4;
/// Characters from which on two words that begin alike are taken for one.
const STEM_CHARS: usize = 4;

/// The JSON Schema of a query over some tables for a question: a string of SQL, or [`NONE`].
#[must_use]
pub fn schema(tables: &[Table], question: &str) -> String {
    let mut choices = vec![NONE.to_owned()];
    choices.extend(
        tables
            .iter()
            .enumerate()
            .map(|(place, table)| select(table, place, question)),
    );
    serde_json::json!({"type": "string", "pattern": format!("^({})$", choices.join("|"))}).to_string()
}

fn select(table: &Table, place: usize, question: &str) -> String {
    let column = any(table.columns.iter().map(name));
    let numeric = |column: &&Column| matches!(column.kind, Kind::Number { .. });
    let sortable = |column: &&Column| !matches!(column.kind, Kind::Text);
    let (numeric, sortable) = (
        any(table.columns.iter().filter(numeric).map(name)),
        any(table.columns.iter().filter(sortable).map(name)),
    );
    let mut computed = vec![r"COUNT\(\*\)".to_owned(), format!(r"COUNT\(DISTINCT {column}\)")];
    if numeric != NEVER {
        computed.push(format!(r"(SUM|AVG)\({numeric}\)"));
    }
    if sortable != NEVER {
        computed.push(format!(r"(MIN|MAX)\({sortable}\)"));
    }
    let computed = format!("({})", computed.join("|"));
    let conditions = (0..table.columns.len()).filter_map(|place| condition(table, place, question));
    let condition = any(conditions);
    let filter = match condition == NEVER {
        true => String::new(),
        false => format!("( WHERE {condition}( (AND|OR) {condition}){{0,2}})?"),
    };
    let items = format!("({computed}|(DISTINCT )?{column}(, ({column}|{computed})){{0,2}})");
    let ending = format!("( GROUP BY {column})?( ORDER BY ({column}|{computed})( ASC| DESC))?( LIMIT [0-9]{{1,2}})?");
    format!("SELECT {items} FROM t{}{filter}{ending}", place + 1)
}

/// A pattern that fits nothing.
const NEVER: &str = "()";

fn any(patterns: impl Iterator<Item = String>) -> String {
    format!("({})", patterns.collect::<Vec<_>>().join("|"))
}

fn name(column: &Column) -> String {
    format!("`{}`", escaped(&column.name))
}

/// The pattern of a condition on a column; none where the question has nothing to compare its cells with.
fn condition(table: &Table, place: usize, question: &str) -> Option<String> {
    let column = &table.columns[place];
    let name = name(column);
    match column.kind {
        Kind::Number { .. } => {
            let numbers = numbers(question);
            if numbers.is_empty() {
                return None;
            }
            let number = any(numbers.iter().map(|number| escaped(number)));
            Some(format!("{name} (=|!=|>|<|>=|<=) {number}"))
        }
        // A year and a month are dates, too.
        Kind::Date(_) => Some(format!(
            "{name} ((=|!=|>|<|>=|<=) '[0-9]{{4}}(-[0-9]{{2}}(-[0-9]{{2}})?)?'|LIKE '([0-9]{{4}}%|[0-9]{{4}}-[0-9]{{2}}%|%-[0-9]{{2}}-%|%-[0-9]{{2}}-[0-9]{{2}})')"
        )),
        Kind::Text => {
            let values = values(table, place, question);
            let phrases = phrases(question);
            let mut choices = Vec::new();
            if !values.is_empty() {
                choices.push(format!("(=|!=) '{}'", any(values.iter().map(|value| literal(value)))));
            }
            if !phrases.is_empty() {
                choices.push(format!(
                    "LIKE '%{}%'",
                    any(phrases.iter().map(|phrase| literal(phrase)))
                ));
            }
            (!choices.is_empty()).then(|| format!("{name} ({})", choices.join("|")))
        }
    }
}

/// Values of a column that a condition may name, in the order of the table: all where a model sees them all, and else those that
/// share a word with the question. Few values may have another name in the question's language, and so may all in another script.
pub(crate) fn values<'t>(table: &'t Table, place: usize, question: &str) -> Vec<&'t str> {
    let mut seen = BTreeSet::new();
    let cells = table.rows.iter().map(|row| row[place].trim());
    let mut values: Vec<&str> = cells
        .filter(|cell| !is_nothing(cell) && cell.chars().count() <= MAX_VALUE_CHARS && seen.insert(*cell))
        .collect();
    let asked = Asked::new(question);
    let is_named = |value: &&str| asked.shares_word(value);
    if values.len() > MAX_SHOWN && (is_latin(question) || values.len() > MAX_VALUES) {
        values.retain(is_named);
        values.truncate(MAX_VALUES);
    }
    values
}

/// Returns true if a question is in Latin letters, so that names in tables stand in it as they do there.
fn is_latin(question: &str) -> bool {
    question.chars().filter(|c| c.is_alphabetic()).all(|c| c < '\u{250}')
}

/// The words of a question, which values are compared with.
pub(crate) struct Asked {
    folded: String,
    words: Vec<String>,
}

impl Asked {
    pub fn new(question: &str) -> Self {
        Self {
            folded: folded(question),
            words: words(question),
        }
    }

    /// Returns true if a value stands in the question, or has a word that begins as one of the question does.
    pub fn shares_word(&self, value: &str) -> bool {
        let mut said = words(value).into_iter();
        self.folded.contains(&folded(value)) || said.any(|word| self.words.iter().any(|other| is_same(&word, other)))
    }
}

fn words(text: &str) -> Vec<String> {
    let folded = folded(text);
    let words = folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn is_same(word: &str, other: &str) -> bool {
    let stem = |word: &str| word.chars().take(STEM_CHARS).collect::<String>();
    word == other || word.chars().count() >= STEM_CHARS && stem(word) == stem(other)
}

/// Texts of the question that a cell may have in it.
fn phrases(question: &str) -> BTreeSet<String> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let mut phrases = BTreeSet::new();
    for first in 0..words.len() {
        for last in first..words.len().min(first + MAX_PHRASE_WORDS) {
            let phrase = words[first..=last].join(" ");
            let phrase = phrase.trim_matches(|c: char| !c.is_alphanumeric());
            if !phrase.is_empty() && !phrase.contains(['%', '\\', '"']) {
                phrases.insert(phrase.to_owned());
            }
        }
    }
    phrases
}

/// The numbers of a question in plain digits. A sign that may part thousands or decimals gives both.
pub(crate) fn numbers(question: &str) -> BTreeSet<String> {
    let mut numbers = BTreeSet::new();
    for word in question.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))) {
        let word = word.trim_matches(['.', ',']);
        if word.is_empty() {
            continue;
        }
        if word.bytes().all(|b| b.is_ascii_digit()) {
            numbers.insert(word.to_owned());
            continue;
        }
        let plain: String = word.chars().filter(char::is_ascii_digit).collect();
        let last = word.rfind(['.', ',']).unwrap_or_default();
        if word.len() - last == 4 {
            numbers.insert(plain);
        }
        let whole: String = word[..last].chars().filter(char::is_ascii_digit).collect();
        numbers.insert(format!("{whole}.{}", &word[last + 1..]));
    }
    let lower = question.to_lowercase();
    let factors = [
        ("thousand", 3),
        ("tausend", 3),
        ("mil", 3),
        ("million", 6),
        ("millón", 6),
        ("billion", 9),
        ("milliard", 9),
    ];
    for (word, zeros) in factors {
        if lower
            .split(|c: char| !c.is_alphabetic())
            .any(|other| other.starts_with(word) && other.len() <= word.len() + 2)
        {
            let scaled: Vec<String> = numbers
                .iter()
                .filter_map(|number| Some(number.parse::<f64>().ok()? * 10_f64.powi(zeros)))
                .map(|number| number.to_string())
                .collect();
            numbers.extend(scaled);
        }
    }
    numbers
}

/// A text between quotes of SQL, in a pattern.
fn literal(text: &str) -> String {
    escaped(&text.replace('\'', "''"))
}

/// A text as a pattern that fits it and nothing else.
fn escaped(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if "\\.^$|?*+()[]{}".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}
