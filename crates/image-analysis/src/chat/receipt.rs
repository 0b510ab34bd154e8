//! Fields of receipts and other printed matter: rows by what they are about, the shop and its address, dates.

use std::sync::LazyLock;

use super::amounts::Amount;
use super::rows::Row;

/// Words of rows by what they are about, in lower case without spaces; a line a subject.
static SUBJECTS: LazyLock<Vec<(&str, Vec<&str>)>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let (subject, words) = line.split_once('\t')?;
        Some((subject, words.split('|').collect()))
    };
    include_str!("receipt.tsv").lines().filter_map(line).collect()
});

/// Most rows from the top in which the name of the shop stands.
const MAX_SHOP_ROWS: usize = 6;
/// Most rows from the top in which its address stands.
const MAX_ADDRESS_ROWS: usize = 14;

/// Words of rows that are about a subject, such as `total` or `tax`.
pub fn words_of(subject: &str) -> &'static [&'static str] {
    let found = SUBJECTS.iter().find(|(known, _)| *known == subject);
    found.map_or(&[], |(_, words)| words)
}

/// True if a row is about a subject, such as `tax`.
pub fn has(row: &Row<'_>, subject: &str) -> bool {
    let text = row.text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    words_of(subject).iter().any(|word| {
        if word.is_ascii() {
            words.contains(word) || word.contains(['.', ' ']) && text.contains(word)
        } else {
            text.contains(word)
        }
    })
}

/// Row with the total and its amount: by its words, in the order of how plainly they say so; the last such row.
pub fn total<'a, 'b>(rows: &'b [Row<'a>]) -> Option<(&'b Row<'a>, Amount)> {
    let other = |text: &str| words_of("not total").iter().any(|word| text.contains(word));
    words_of("total").iter().find_map(|word| {
        rows.iter().enumerate().rev().find_map(|(index, row)| {
            let text = row.squeezed();
            if other(&text) || !text.contains(word) {
                return None;
            }
            // The amount may stand below its word, or above where the rows are skewed.
            let alone = |at: usize| {
                let row = rows.get(at)?;
                let digits = row.squeezed().chars().all(|c| !c.is_alphabetic() || "rm".contains(c));
                row.price().filter(|_| digits).map(|amount| (row, amount))
            };
            row.price()
                .map(|amount| (row, amount))
                .or_else(|| alone(index + 1))
                .or_else(|| index.checked_sub(1).and_then(alone))
                .or_else(|| row.amount().map(|amount| (row, amount)))
        })
    })
}

/// Row with the name of the shop: near the top, with its legal form, or else the first that is a name.
pub fn shop<'a, 'b>(rows: &'b [Row<'a>]) -> Option<&'b Row<'a>> {
    let top = || rows.iter().take(MAX_SHOP_ROWS);
    let letters = |row: &&Row<'_>| row.text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    top()
        .find(|row| has(row, "legal form") && !has(row, "street"))
        .or_else(|| top().filter(letters).find(|row| !has(row, "heading")))
}

/// Rows with the address of the shop: the first run below its name that reads like one.
pub fn address<'a, 'b>(rows: &'b [Row<'a>]) -> Vec<&'b Row<'a>> {
    let shop = shop(rows).map(|row| row.text.as_str());
    let mut found: Vec<&Row<'_>> = Vec::new();
    for row in rows.iter().take(MAX_ADDRESS_ROWS) {
        if Some(row.text.as_str()) == shop {
            continue;
        }
        let digits = row.text.chars().any(|c| c.is_ascii_digit());
        let letters = row.text.chars().filter(|c| c.is_alphabetic()).count() >= 4;
        let other = has(row, "no street") || is_date(&row.text);
        let begins = !other && letters && (has(row, "street") || digits && row.text.contains(','));
        let goes_on = !found.is_empty() && !other && letters && (begins || digits || row.text.contains([',', '.']));
        if begins || goes_on {
            found.push(row);
        } else if !found.is_empty() {
            break;
        }
    }
    found
}

/// True if a text has a date in it.
pub fn is_date(text: &str) -> bool {
    super::text::is_date(text)
}
