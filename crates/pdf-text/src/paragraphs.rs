//! Lines from text runs, and paragraphs from lines.

use super::characters;
use super::line::Line;
use super::text_runs::TextRun;

/// Paragraph: lines that belong together.
#[derive(Debug, Clone)]
pub struct Paragraph {
    /// Its lines from top to bottom.
    pub lines: Vec<Line>,
    /// Left edge of the part of the page that it is in.
    pub left: f64,
    /// Right edge of that part.
    pub right: f64,
}

/// Groups text runs into lines, from top to bottom. Small runs beside a line, raised or lowered, belong to it.
pub fn lines(mut runs: Vec<TextRun>) -> Vec<Line> {
    runs.sort_by(|a, b| b.size.total_cmp(&a.size).then(a.y.total_cmp(&b.y)));
    let mut rows: Vec<(f64, f64, Vec<TextRun>)> = Vec::new();
    // The large ones make the rows, in the order of their height on the page; the small ones find theirs.
    let mut order: Vec<TextRun> = Vec::with_capacity(runs.len());
    let mut small: Vec<TextRun> = Vec::new();
    let largest_share = runs.iter().map(|run| run.size).fold(0.0, f64::max);
    for run in runs {
        let tiny = run.chars.len() <= 6 && run.size < 0.8 * largest_share;
        if tiny { small.push(run) } else { order.push(run) }
    }
    order.sort_by(|a, b| a.y.total_cmp(&b.y));
    for run in order {
        match rows
            .iter_mut()
            .rev()
            .take(3)
            .find(|row| (run.y - row.0).abs() < 0.3 * run.size.min(row.1))
        {
            Some(row) => row.2.push(run),
            None => rows.push((run.y, run.size, vec![run])),
        }
    }
    small.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.area.x0.total_cmp(&b.area.x0)));
    for run in small {
        let beside = rows.iter_mut().find(|(y, size, members)| {
            let (top, bottom) = (y - 0.8 * size, y + 0.22 * size);
            let common = bottom.min(run.area.y1) - top.max(run.area.y0);
            common > 0.5 * (run.area.y1 - run.area.y0)
                && members.iter().any(|member| {
                    let gap = (run.area.x0 - member.area.x1).max(member.area.x0 - run.area.x1);
                    (gap < 0.6 * size && gap > -0.5 * size) || (run.y - y).abs() < 0.1 * size
                })
        });
        match beside {
            Some(row) => row.2.push(run),
            None => match rows
                .iter_mut()
                .find(|row| (run.y - row.0).abs() < 0.3 * run.size.min(row.1))
            {
                Some(row) => row.2.push(run),
                None => rows.push((run.y, run.size, vec![run])),
            },
        }
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().filter_map(|(_, _, runs)| Line::new(runs)).collect()
}

/// Groups lines into paragraphs.
pub fn paragraphs(lines: Vec<Line>) -> Vec<Paragraph> {
    let left = lines.iter().map(|line| line.x0).fold(f64::INFINITY, f64::min);
    let right = lines.iter().map(|line| line.x1).fold(f64::NEG_INFINITY, f64::max);
    let pitch = pitch(&lines);
    let mut found: Vec<Paragraph> = Vec::new();
    for line in lines {
        let goes_on = found.last().is_some_and(|paragraph| continues(paragraph, &line, pitch));
        match found.last_mut() {
            Some(paragraph) if goes_on => paragraph.lines.push(line),
            _ => found.push(Paragraph {
                lines: vec![line],
                left,
                right,
            }),
        }
    }
    found
}

/// Usual distance of lines, in sizes of their font.
fn pitch(lines: &[Line]) -> f64 {
    let mut distances: Vec<f64> = lines
        .windows(2)
        .filter(|pair| (pair[0].size - pair[1].size).abs() < 0.1 * pair[0].size)
        .map(|pair| (pair[1].y - pair[0].y) / pair[0].size.max(0.1))
        .filter(|distance| (0.8..2.6).contains(distance))
        .collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 3).copied().unwrap_or(1.3)
}

/// Returns true if a line continues a paragraph.
fn continues(paragraph: &Paragraph, line: &Line, pitch: f64) -> bool {
    let Some(last) = paragraph.lines.last() else {
        return false;
    };
    let size = last.size.max(line.size);
    let distance = (line.y - last.y) / last.size.max(0.1);
    if distance > pitch.mul_add(1.25, 0.08) || (last.size - line.size).abs() > 0.12 * size {
        return false;
    }
    if last.fixed != line.fixed || is_item(&line.text) || last.text.contains(". . . .") || last.text.contains(".....") {
        return false;
    }
    if line.fixed {
        return true;
    }
    if is_numbered_heading(&line.text) {
        return false;
    }
    if last.bold != line.bold && (last.bold || paragraph.lines.len() == 1) && last.x1 < paragraph.right - 2.0 * size {
        return false;
    }
    // A line that ends early at the end of a sentence ends a paragraph, when the next one begins as a paragraph does.
    let mirrored = last
        .text
        .chars()
        .find(|c| c.is_alphabetic())
        .is_some_and(characters::is_right_to_left);
    let rest = if mirrored {
        last.x0 - paragraph.left
    } else {
        paragraph.right - last.x1
    };
    let short = rest > 0.2 * (paragraph.right - paragraph.left);
    let ended = ends_sentence(&last.text);
    if short && ended && starts_sentence(&line.text) {
        return false;
    }
    // So does a line that begins further right than the one before it.
    let first = paragraph.lines.len() == 1;
    let indent = if mirrored { last.x1 - line.x1 } else { line.x0 - last.x0 };
    let indented = indent > 0.9 * size && indent < 4.0 * size;
    !(indented && !first && ended)
}

fn ends_sentence(text: &str) -> bool {
    let trimmed = text.trim_end_matches(['"', '”', '’', '»', ')', ']', ' ']);
    trimmed.ends_with(['.', '!', '?', ':', '。', '！', '？', '।', '؟', '…'])
}

fn starts_sentence(text: &str) -> bool {
    text.chars()
        .find(|c| c.is_alphanumeric())
        .is_none_or(|c| !c.is_lowercase())
}

/// Returns true if a line begins with a section number of several levels and a word after it.
fn is_numbered_heading(text: &str) -> bool {
    let Some((number, rest)) = text.split_once(char::is_whitespace) else {
        return false;
    };
    let number = number.strip_suffix('.').unwrap_or(number);
    number.contains('.')
        && number
            .split('.')
            .all(|part| (1..=3).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric()))
        && number.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase())
        && number.ends_with(|c: char| c.is_ascii_digit())
        && rest
            .trim_start()
            .starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
}

/// Returns true if a line begins an item of a list: a sign, or a number with a dot or bracket, and something after it.
pub fn is_item(text: &str) -> bool {
    let text = text.trim_start();
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return false };
    if matches!(
        first,
        '•' | '◦' | '▪' | '‣' | '●' | '○' | '■' | '□' | '➢' | '✓' | '∙' | '⁃'
    ) {
        return true;
    }
    if matches!(first, '-' | '–' | '—' | '*' | '·') {
        return chars.next() == Some(' ');
    }
    let (open, rest) = match text.strip_prefix('(').or_else(|| text.strip_prefix('[')) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let digits = rest.chars().take_while(char::is_ascii_digit).count();
    let label = if (1..=3).contains(&digits) {
        digits
    } else {
        rest.chars().take_while(char::is_ascii_alphabetic).count()
    };
    if label == 0 || (digits == 0 && label > 1) {
        return false;
    }
    let mut after = rest[label..].chars();
    match after.next() {
        Some(')' | ']') => after.next().is_none_or(char::is_whitespace),
        Some('.') => !open && digits > 0 && after.next() == Some(' '),
        _ => false,
    }
}

/// Joins the lines of a paragraph into one text.
pub fn joined(lines: &[Line], words: &dyn Fn(&str) -> bool) -> String {
    let mut out = String::new();
    for line in lines {
        append(&mut out, line.text.trim(), words);
    }
    out
}

/// Appends a line to a text. A hyphen at its end goes when a small letter follows, unless the word is written
/// with a hyphen elsewhere, as `words` says.
pub fn append(out: &mut String, next: &str, words: &dyn Fn(&str) -> bool) {
    let (Some(last), Some(first)) = (out.chars().next_back(), next.chars().next()) else {
        out.push_str(next);
        return;
    };
    if characters::is_hyphen(last) {
        let stem = &out[..out.len() - last.len_utf8()];
        let before: String = stem
            .chars()
            .rev()
            .take_while(|c| c.is_alphanumeric())
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        let after: String = next.chars().take_while(|c| c.is_alphanumeric()).collect();
        let inside = before.chars().next_back().is_some_and(char::is_alphabetic) && !after.is_empty();
        if inside {
            let broken = last == '\u{ad}' || (first.is_lowercase() && is_broken(&before, &after, words));
            if broken {
                out.truncate(stem.len());
            }
            out.push_str(next);
            return;
        }
    } else if last == '/' && !out.ends_with(" /") && !next.contains(' ') {
        // A path or an address that was broken.
        out.push_str(next);
        return;
    } else if characters::is_unspaced(last) && characters::is_unspaced(first) {
        out.push_str(next);
        return;
    }
    out.push(' ');
    out.push_str(next);
}

/// Returns true if two parts with a hyphen between them are one word that was broken. It is when the word is written in
/// one elsewhere, and is not when it is written with a hyphen, or when both parts are words of their own.
fn is_broken(before: &str, after: &str, words: &dyn Fn(&str) -> bool) -> bool {
    let (low, end) = (before.to_lowercase(), after.to_lowercase());
    if words(&format!("{low}{end}")) {
        return true;
    }
    let whole = |part: &str| part.chars().count() > 2 && words(part);
    let two = words(&format!("{low}-{end}")) || (whole(&low) && whole(&end));
    !two
}

/// Text of lines with their breaks and indentation, as in program text.
pub fn verbatim(lines: &[Line]) -> String {
    let left = lines.iter().map(|line| line.x0).fold(f64::INFINITY, f64::min);
    let text: Vec<String> = lines
        .iter()
        .map(|line| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a few characters"
            )]
            let indent = ((line.x0 - left) / line.step.max(1.0)).round().clamp(0.0, 120.0) as usize;
            format!("{}{}", " ".repeat(indent), line.text.trim_end())
        })
        .collect();
    text.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_content::Area;

    fn line(text: &str) -> Line {
        Line {
            text: text.into(),
            x0: 0.0,
            x1: 100.0,
            y: 0.0,
            size: 10.0,
            bold: false,
            fixed: false,
            step: 5.0,
            area: Area {
                x0: 0.0,
                y0: -8.0,
                x1: 100.0,
                y1: 2.0,
            },
        }
    }

    #[test]
    fn hyphens_go_where_a_word_was_broken() {
        let join =
            |a: &str, b: &str, known: &str| joined(&[line(a), line(b)], &|word| known.split(' ').any(|k| k == word));
        assert_eq!(join("an exam-", "ple of it", ""), "an example of it");
        assert_eq!(
            join("to under-", "stand it", "under stand understand"),
            "to understand it"
        );
        assert_eq!(
            join("of intermediate-", "risk", "intermediate risk"),
            "of intermediate-risk"
        );
        assert_eq!(join("a well-", "known one", "well-known"), "a well-known one");
        assert_eq!(join("from New-", "York on", ""), "from New-York on");
        assert_eq!(join("three –", "or four", ""), "three – or four");
        assert_eq!(join("日本", "語です", ""), "日本語です");
        assert_eq!(join("one", "two", ""), "one two");
    }

    #[test]
    fn items_are_known_by_their_signs() {
        for item in ["• one", "1. one", "12) one", "(3) one", "a) one", "- one", "[7] one"] {
            assert!(is_item(item), "{item}");
        }
        for other in ["one", "1.5 metres", "2024 was", "-5", "I. think", "(see", "a. b"] {
            assert!(!is_item(other), "{other}");
        }
    }
}
