//! Discounts as they are said in Chinese, Japanese and Korean: "八五折" leaves 85 %, "3割引" and "3할" take 30 % off.

use quartet_api::Language;
use quartet_text_normalization::chinese_numerals;

use super::expression::{Expression, Formula};
use super::measures::{self, Item};
use super::number;
use super::question::Question;
use super::said::Said;

/// A discount of a question: what it leaves in hundredths, how it is shown, and its place.
struct Discount {
    left: u32,
    place: (usize, usize),
}

/// Returns true if a question has a discount that is said like that.
pub(super) fn has(question: &Question) -> bool {
    !discounts(question).is_empty()
}

/// The price that a discount leaves of the only other number of a question.
pub(super) fn only(question: &Question) -> Option<Expression> {
    let found = discounts(question);
    let [discount] = &found[..] else { return None };
    if question.says(Said::Saved) || question.says(Said::Original) || question.says(Said::Twice) {
        return None;
    }
    let within = |item: &&Item| item.start < discount.place.1 && discount.place.0 < item.end;
    let items = measures::read(question)?;
    let numbers: Vec<&Item> = items
        .iter()
        .filter(|item| item.value.is_some() && !within(item))
        .collect();
    let [price] = numbers[..] else { return None };
    // "打八折后是160元" and "3割引で2100円" say what is left. A name for the price before it says that this is it.
    let is_price = price.end <= discount.place.0 && !asks_for_price_before(question.text());
    if !is_price || question.asks_for_percentage() || question.has_clock_time() {
        return None;
    }
    let value = price.value.as_deref()?;
    let unit = match price.measure {
        Some(measures::Measure::Money(_)) => question.as_written(&question.text()[price.name.0..price.name.1]),
        Some(measures::Measure::Unit(_)) => return None,
        None => "",
    };
    let shown = number::write(value, question.language());
    let shown = match question.language() {
        Language::Chinese => format!("{shown} × {} %", discount.left),
        _ => format!("{shown} - {} %", 100 - discount.left),
    };
    Some(Expression::Formula(Formula {
        engine: format!("{value} * {} / 100", discount.left),
        shown,
        unit: unit.to_owned(),
    }))
}

/// Returns true if the price before the discount has a name that no number follows: it is asked for.
fn asks_for_price_before(text: &str) -> bool {
    let names = [
        "原价",
        "原價",
        "定价",
        "定価",
        "標準価格",
        "通常価格",
        "정가",
        "원가",
        "标价",
        "吊牌价",
    ];
    names.iter().any(|name| {
        text.match_indices(name).any(|(start, _)| {
            let after = text[start + name.len()..].chars().take(6).collect::<String>();
            !after.contains(|c: char| c.is_ascii_digit()) && chinese_numerals(&after).next().is_none()
        })
    }) || text.contains("后的价")
        || text.contains("後の値段")
        || text.contains("後の価格")
}

/// The discounts of a question.
fn discounts(question: &Question) -> Vec<Discount> {
    let text = question.text();
    match question.language() {
        Language::Chinese => marked(text, '折', chinese),
        Language::Japanese => marked(text, '割', japanese),
        Language::Korean => marked(text, '할', japanese),
        _ => Vec::new(),
    }
}

/// Reads a discount from the text before its sign and the text behind it: bytes that belong to it before, the percentage that
/// is left, and bytes that belong to it behind.
type Read = fn(&str, &str) -> Option<(usize, u32, usize)>;

/// The discounts whose sign is this one, as `read` reads the text before it and the text behind it.
fn marked(text: &str, sign: char, read: Read) -> Vec<Discount> {
    let found = text.match_indices(sign).filter_map(|(at, _)| {
        let end = at + sign.len_utf8();
        let (before, left, after) = read(&text[..at], &text[end..])?;
        Some(Discount {
            left,
            place: (at - before, end + after),
        })
    });
    found.collect()
}

/// "八折", "八五折", "8.5折", "85折": lengths of the number and of what belongs to the sign behind it, and what is left.
fn chinese(before: &str, after: &str) -> Option<(usize, u32, usize)> {
    // "折扣", "折合" and "折叠" are other words.
    if after.starts_with(['扣', '合', '叠', '疊', '算', '旧', '磨', '返', '腾', '断']) {
        return None;
    }
    if before.ends_with('对') || before.ends_with('對') {
        return Some(('对'.len_utf8(), 50, 0));
    }
    let (number, length) = last_number(before)?;
    // One digit is tenths, two are hundredths.
    let left = match number.split_once('.') {
        Some((tenths, hundredths)) if tenths.len() == 1 && hundredths.len() == 1 => format!("{tenths}{hundredths}"),
        Some(_) => return None,
        None if number.len() == 1 => format!("{number}0"),
        None if number.len() == 2 => number,
        None => return None,
    };
    let left = left.parse().ok().filter(|left| (5..100).contains(left))?;
    Some((length, left, 0))
}

/// "3割引", "3割5分引き", "3割オフ", "3할 할인": lengths of the number and of what belongs to the sign behind it, and what is left.
fn japanese(before: &str, after: &str) -> Option<(usize, u32, usize)> {
    let (number, length) = last_number(before)?;
    let tenths: u32 = number.parse().ok().filter(|tenths| (1..10).contains(tenths))?;
    let trimmed = after.trim_start();
    let mut end = after.len() - trimmed.len();
    let (mut off, mut rest) = (tenths * 10, trimmed);
    if let Some((hundredths, behind)) = rest.split_once('分')
        && let Some(hundredths) = small(hundredths)
    {
        off += hundredths;
        end += rest.len() - behind.len();
        rest = behind;
    }
    let marks = ["引", "オフ", "off", "値引", "할인", "세일", "을 할인", " 할인"];
    let mark = marks.iter().find(|mark| rest.starts_with(**mark))?;
    Some((length, 100 - off, end + mark.len()))
}

/// A digit, in one of two scripts.
fn small(text: &str) -> Option<u32> {
    let (number, length) = last_number(text)?;
    number
        .parse()
        .ok()
        .filter(|digit| length == text.len() && (1..10).contains(digit))
}

/// The digits or numerals that a text ends with, and their length.
fn last_number(text: &str) -> Option<(String, usize)> {
    let digits = text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    if digits > 0 {
        return Some((text[text.len() - digits..].to_owned(), digits));
    }
    let (value, (start, end)) = chinese_numerals(text).last()?;
    (end == text.len()).then(|| (value.to_string(), end - start))
}

#[cfg(test)]
mod tests {
    use super::super::conversion;
    use super::*;

    fn answer(question: &str, language: Language) -> Option<String> {
        match only(&Question::new(question, language))? {
            Expression::Formula(formula) => Some(conversion::formula(&formula, language)?.answer),
            _ => None,
        }
    }

    #[test]
    fn discounts_are_read() {
        use Language::{Chinese, Japanese, Korean};
        for (question, language, expected) in [
            ("原价200元的衣服打八五折是多少钱？", Chinese, "200 × 85 % = 170 元"),
            ("200元打8折多少钱", Chinese, "200 × 80 % = 160 元"),
            ("200元打8.5折多少钱", Chinese, "200 × 85 % = 170 元"),
            ("标价300元，七折后多少钱", Chinese, "300 × 70 % = 210 元"),
            ("2000円の3割引はいくらですか", Japanese, "2000 - 30 % = 1400 円"),
            (
                "定価2000円の商品が三割五分引きだといくら",
                Japanese,
                "2000 - 35 % = 1300 円",
            ),
            ("20000원에서 3할 할인하면 얼마", Korean, "20000 - 30 % = 14000 원"),
        ] {
            assert_eq!(answer(question, language).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn what_else_is_asked_of_a_discount_is_left() {
        for (question, language) in [
            ("原价200元打八折，便宜了多少？", Language::Chinese),
            ("打八折后是160元，原价多少？", Language::Chinese),
            ("花了160元买了打八折的衣服，原价是多少？", Language::Chinese),
            ("160元是打八折后的价格，之前多少钱？", Language::Chinese),
            ("200元的衣服先打八折再打九折多少钱", Language::Chinese),
            ("两件200元的衣服打八折多少钱", Language::Chinese),
            ("200元的衣服第二件半价，打八折多少钱", Language::Chinese),
            ("200美元折合多少人民币", Language::Chinese),
            ("3割引で2100円でした。元の値段は？", Language::Japanese),
            ("2000円の3割引だといくら安くなる？", Language::Japanese),
            ("2000円の3割はいくら", Language::Japanese),
            ("3人で2000円を割り勘すると", Language::Japanese),
        ] {
            assert_eq!(answer(question, language), None, "{question}");
        }
    }
}
