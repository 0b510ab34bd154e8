//! Questions about amounts: totals, prices, sums and differences.

use super::amounts::{Amount, written};
use super::answer::{Answer, not_looked_for, of_line};
use super::question::Question;
use super::receipt;
use super::record::Record;
use super::rows::{Row, rows};
use crate::describe::listed;

/// Answers questions about amounts.
pub fn answer(record: &Record, question: &Question) -> Option<Answer> {
    let total = question.has(&["total", "totals", "sum", "bill", "pay", "paid", "amount", "due"]);
    let price = question.has(&[
        "cost",
        "costs",
        "price",
        "prices",
        "expensive",
        "cheap",
        "much",
        "vat",
        "tax",
        "change",
        "subtotal",
        "tip",
    ]);
    let add = question.has(&["add", "plus", "together", "combined", "sum"]);
    let subtract = question.has(&["difference", "minus", "subtract", "more", "less"]);
    if !(total || price || add || subtract) || question.contains("how many") || !question.labels().is_empty() && !price
    {
        return None;
    }
    let Some(lines) = &record.lines else {
        return not_looked_for("text", "/api/v1/image/extract-text");
    };
    let rows = rows(lines);
    let asked: Vec<(&Row<'_>, Amount)> = rows
        .iter()
        .filter(|row| named(question).iter().any(|word| row.is_about(word)))
        .filter_map(|row| Some((row, row.amount()?)))
        .collect();
    match asked.as_slice() {
        [] => {}
        [(a, first), (b, second)] if subtract => return Some(difference((a, first), (b, second))),
        several if several.len() > 1 && (add || total) => return Some(sum(several)),
        several if !(total && several.len() > 1) => return Some(named_amounts(several)),
        _ => {}
    }
    if total && !subtract && named(question).is_empty() {
        if let Some((row, amount)) = receipt::total(&rows) {
            let text = format!(
                "The total is {} (“{}”).",
                written(amount.hundredths, amount.sign),
                row.text
            );
            return Answer::yes(text, row.lines.iter().copied().map(of_line).collect());
        }
        if question.has(&["sum", "add", "prices"]) {
            let prices: Vec<_> = rows
                .iter()
                .filter_map(|row| Some((row, row.amount().filter(|amount| amount.is_price)?)))
                .collect();
            if prices.len() > 1 {
                return Some(sum(&prices));
            }
        }
    }
    if total {
        return Answer::no("No total was found in the picture's text.");
    }
    None
}

/// Words of the question that may name rows of the text.
fn named(question: &Question) -> Vec<&str> {
    /// Words of questions about amounts that name no row.
    const QUESTION_WORDS: [&str; 36] = [
        "total",
        "totals",
        "sum",
        "bill",
        "pay",
        "paid",
        "amount",
        "due",
        "cost",
        "costs",
        "price",
        "prices",
        "much",
        "add",
        "plus",
        "together",
        "combined",
        "difference",
        "minus",
        "subtract",
        "more",
        "less",
        "than",
        "between",
        "receipt",
        "invoice",
        "up",
        "expensive",
        "cheap",
        "did",
        "they",
        "we",
        "need",
        "will",
        "would",
        "number",
    ];
    question
        .content()
        .filter(|word| !QUESTION_WORDS.contains(word) && word.chars().count() > 1)
        .collect()
}

fn named_amounts(rows: &[(&Row<'_>, Amount)]) -> Answer {
    let parts: Vec<String> = rows.iter().map(|(row, _)| format!("“{}”", row.text)).collect();
    let text = match rows {
        [(row, amount)] => format!("{} (“{}”).", written(amount.hundredths, amount.sign), row.text),
        _ => format!("The text says {}.", listed(&parts)),
    };
    Answer {
        text,
        answered: true,
        evidence: evidence(rows),
    }
}

fn sum(rows: &[(&Row<'_>, Amount)]) -> Answer {
    let total: i64 = rows
        .iter()
        .fold(0, |sum, (_, amount)| sum.saturating_add(amount.hundredths));
    let sign = rows.iter().find_map(|(_, amount)| amount.sign);
    let parts: Vec<String> = rows
        .iter()
        .map(|(_, amount)| written(amount.hundredths, None))
        .collect();
    let text = format!("{} = {}.", parts.join(" + "), written(total, sign));
    Answer {
        text,
        answered: true,
        evidence: evidence(rows),
    }
}

fn difference((a, first): (&Row<'_>, &Amount), (b, second): (&Row<'_>, &Amount)) -> Answer {
    let (more, less) = if first.hundredths >= second.hundredths {
        (first, second)
    } else {
        (second, first)
    };
    let text = format!(
        "{} - {} = {}.",
        written(more.hundredths, None),
        written(less.hundredths, None),
        written(more.hundredths.saturating_sub(less.hundredths), more.sign)
    );
    let evidence = a.lines.iter().chain(&b.lines).map(|line| of_line(line)).collect();
    Answer {
        text,
        answered: true,
        evidence,
    }
}

fn evidence(rows: &[(&Row<'_>, Amount)]) -> Vec<quartet_api::image::Evidence> {
    rows.iter()
        .flat_map(|(row, _)| &row.lines)
        .map(|line| of_line(line))
        .collect()
}
