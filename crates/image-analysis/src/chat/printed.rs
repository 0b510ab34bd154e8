//! Answers from the text of a picture: quoted, never retold.

use super::amounts::written;
use super::answer::Answer;
use super::query::{Ask, Query};
use super::record::Record;
use super::reply::{FINDS_TEXT, Pick, not_looked_for, of_lines, refusal};
use super::rows::{Row, rows};
use super::{receipt, text};
use crate::words::Words;

/// Most rows that an answer quotes.
const MAX_QUOTED_ROWS: usize = 4;
/// Least letters of a word that names a row.
const MIN_NAME_CHARACTERS: usize = 3;
/// Subjects of rows that have words of their own in every language.
const SUBJECTS: [&str; 6] = ["tax", "subtotal", "change", "cash", "service", "discount"];

/// Rows of the text, or the answer that there is none.
fn rows_of<'a>(record: &'a Record, words: &Words) -> Result<Vec<Row<'a>>, Option<Answer>> {
    let Some(lines) = &record.lines else {
        return Err(not_looked_for(FINDS_TEXT, words));
    };
    if lines.is_empty() {
        let key = if record.unread == 0 { "no_text" } else { "unread" };
        return Err(Some(refusal(key, words)));
    }
    Ok(rows(lines))
}

/// Quotes rows.
fn quoted(rows: &[&Row<'_>], words: &Words) -> Option<Answer> {
    let parts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
    let evidence = of_lines(rows.iter().flat_map(|row| row.lines.iter().copied()));
    Answer::yes(words.say("reads", &[("text", &parts.join(" / "))]), evidence)
}

/// All of the text.
pub fn read(record: &Record, words: &Words) -> Option<Answer> {
    let rows = match rows_of(record, words) {
        Ok(rows) => rows,
        Err(answer) => return answer,
    };
    let parts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
    let evidence = of_lines(rows.iter().flat_map(|row| row.lines.iter().copied()));
    Answer::yes(words.say("reads", &[("text", &parts.join("\n"))]), evidence)
}

/// Total of a receipt.
pub fn total(record: &Record, words: &Words) -> Option<Answer> {
    let rows = match rows_of(record, words) {
        Ok(rows) => rows,
        Err(answer) => return answer,
    };
    let Some((row, amount)) = receipt::total(&rows) else {
        return Some(refusal("no_amount", words));
    };
    let amount = written(amount.hundredths, amount.sign);
    let text = words.say("total", &[("amount", &amount), ("row", &row.text)]);
    Answer::yes(text, of_lines(row.lines.iter().copied()))
}

/// Amount of an item, by the words of the question and by those of the query.
pub fn price(record: &Record, query: &Query, question: &str, words: &Words, pick: Pick<'_>) -> Option<Answer> {
    let rows = match rows_of(record, words) {
        Ok(rows) => rows,
        Err(answer) => return answer,
    };
    let priced: Vec<&Row<'_>> = rows.iter().filter(|row| row.amount().is_some()).collect();
    let thing = query.things.join(" ");
    let about = |subject: &str| thing.split(' ').any(|word| word == subject);
    let subject = SUBJECTS.iter().find(|subject| about(subject));
    let found: Vec<&Row<'_>> = match subject {
        Some(subject) => priced
            .iter()
            .copied()
            .filter(|row| receipt::has(row, subject))
            .collect(),
        None => best_named(&priced, &[thing.as_str(), question]),
    };
    let found = if found.is_empty() && subject.is_none() {
        let texts: Vec<&str> = priced.iter().map(|row| row.text.as_str()).collect();
        let picked = pick(&texts);
        // One row is an item's; a model that names more has not found it.
        if picked.len() == 1 {
            picked.into_iter().map(|row| priced[row]).collect()
        } else {
            Vec::new()
        }
    } else {
        found
    };
    match found.as_slice() {
        [] => Some(refusal("no_amount", words)),
        [row] => {
            let amount = row.amount()?;
            let amount = written(amount.hundredths, amount.sign);
            let text = words.say("amount", &[("amount", &amount), ("row", &row.text)]);
            Answer::yes(text, of_lines(row.lines.iter().copied()))
        }
        several => quoted(&several[..several.len().min(MAX_QUOTED_ROWS)], words),
    }
}

/// Rows that have most of the words that name an item, by the first of the texts that names any.
fn best_named<'a, 'b>(rows: &[&'b Row<'a>], texts: &[&str]) -> Vec<&'b Row<'a>> {
    for text in texts {
        let lower = text.to_lowercase();
        let names: Vec<&str> = lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() >= MIN_NAME_CHARACTERS)
            .collect();
        let hits = |row: &Row<'_>| names.iter().filter(|name| row.is_about(name)).count();
        let most = rows.iter().map(|row| hits(row)).max().unwrap_or(0);
        if most > 0 {
            return rows.iter().copied().filter(|row| hits(row) == most).collect();
        }
    }
    Vec::new()
}

/// Part of the text that has a form of its own.
pub fn field(record: &Record, ask: Ask, words: &Words, pick: Pick<'_>) -> Option<Answer> {
    let rows = match rows_of(record, words) {
        Ok(rows) => rows,
        Err(answer) => return answer,
    };
    let with = |is: fn(&str) -> bool| -> Vec<&Row<'_>> {
        let found = rows.iter().filter(|row| is(&row.text));
        found.take(MAX_QUOTED_ROWS).collect()
    };
    let found = match ask {
        Ask::Date => with(receipt::is_date),
        Ask::Shop => receipt::shop(&rows).into_iter().collect(),
        Ask::Address => receipt::address(&rows),
        Ask::Phone => with(text::is_telephone),
        Ask::Email => with(text::is_email),
        Ask::Web => with(text::is_address),
        _ => Vec::new(),
    };
    if found.is_empty() {
        // What has a form of its own is there or not; a date may be written out, and an address in any way.
        if matches!(ask, Ask::Date | Ask::Address) {
            return other(record, words, pick);
        }
        return Some(refusal("no_field", words));
    }
    quoted(&found, words)
}

/// Whatever the text says.
pub fn other(record: &Record, words: &Words, pick: Pick<'_>) -> Option<Answer> {
    // Of what cannot be seen nothing is known; where nobody looked for text, that is no reason to send it again.
    let lines = record.lines.as_deref().filter(|lines| !lines.is_empty())?;
    let rows = rows(lines);
    let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
    let picked = pick(&texts);
    if picked.is_empty() {
        return Some(refusal("no_field", words));
    }
    let found: Vec<&Row<'_>> = picked.into_iter().map(|row| &rows[row]).collect();
    quoted(&found, words)
}
