//! Questions about the text of a picture.

use quartet_api::image::TextLine;

use super::answer::{Answer, not_looked_for, of_line};
use super::question::Question;
use super::record::Record;
use crate::describe::{counted, listed};

/// Words of the question, test of a line, and name.
type TextForm = (&'static [&'static str], fn(&str) -> bool, &'static str);

/// Parts of a text that have a form of their own.
const TEXT_FORMS: [TextForm; 4] = [
    (&["email", "mail"], is_email, "e-mail address"),
    (&["website", "url", "link", "web"], is_address, "web address"),
    (&["telephone", "phone", "tel"], is_telephone, "telephone number"),
    (&["date", "when", "day"], is_date, "date"),
];

/// Answers questions about the content of the text.
pub fn answer(record: &Record, question: &Question) -> Option<Answer> {
    let asked = TEXT_FORMS.iter().find(|(words, ..)| question.has(words));
    let whole = question.has(&[
        "text",
        "say",
        "says",
        "read",
        "reads",
        "written",
        "writing",
        "sign",
        "words",
        "word",
        "lines",
        "letters",
        "transcribe",
    ]);
    let title = question.has(&["title", "heading", "headline"]);
    if asked.is_none() && !whole && !title {
        return None;
    }
    let Some(lines) = &record.lines else {
        return not_looked_for("text", "/api/v1/image/extract-text");
    };
    if lines.is_empty() {
        return Answer::no(match record.unread {
            0 => "No text was found in the picture.",
            _ => "There is what looks like text in the picture, but it could not be read.",
        });
    }
    if let Some((_, is, name)) = asked {
        let found: Vec<&TextLine> = lines.iter().filter(|line| is(&line.text)).collect();
        if found.is_empty() {
            return Answer::no(format!("No {name} was found in the picture's text."));
        }
        let parts: Vec<String> = found.iter().map(|line| format!("“{}”", line.text)).collect();
        return Answer::yes(
            format!("The text has {}.", listed(&parts)),
            found.into_iter().map(of_line).collect(),
        );
    }
    if title {
        // What is highest is the title; of equals the first.
        let highest = lines.iter().fold(None, |best: Option<&TextLine>, line| match best {
            Some(best) if best.area.height as f32 * 1.1 >= line.area.height as f32 => Some(best),
            _ => Some(line),
        })?;
        return Answer::yes(
            format!("The largest line says “{}”.", highest.text),
            vec![of_line(highest)],
        );
    }
    if question.contains("how many") {
        let words = lines.iter().map(|line| line.text.split_whitespace().count()).sum();
        let text = format!(
            "{} with {} were found.",
            counted(lines.len(), "line"),
            counted(words, "word")
        );
        return Answer::yes(text, lines.iter().map(of_line).collect());
    }
    let all = lines
        .iter()
        .map(|line| line.text.as_str())
        .collect::<Vec<_>>()
        .join("\n");
    Answer::yes(format!("It says:\n{all}"), lines.iter().map(of_line).collect())
}

/// Searches the text for the question's own words.
pub fn search(record: &Record, question: &Question) -> Option<Answer> {
    let lines = record.lines.as_deref()?;
    let words: Vec<&str> = question.content().filter(|word| word.chars().count() > 2).collect();
    let mut rows = Vec::new();
    for line in lines {
        let text = line.text.to_lowercase();
        let hit = text
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| words.iter().any(|asked| same(word, asked)));
        if hit && !rows.contains(&line.row) {
            rows.push(line.row);
        }
    }
    if rows.is_empty() {
        return None;
    }
    let found: Vec<&TextLine> = lines.iter().filter(|line| rows.contains(&line.row)).collect();
    let text = found
        .iter()
        .map(|line| line.text.as_str())
        .collect::<Vec<_>>()
        .join(" / ");
    Answer::yes(
        format!("The text says: “{text}”."),
        found.into_iter().map(of_line).collect(),
    )
}

fn same(word: &str, asked: &str) -> bool {
    let stem = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    !word.is_empty() && stem(word) == stem(asked)
}

/// True if a text has such a part.
pub fn is_email(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        word.split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
    })
}

/// True if a text has such a part.
pub fn is_address(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains("www.")
        || text.contains("http")
        || [".com", ".org", ".net", ".de", ".io"]
            .iter()
            .any(|end| text.trim_end().ends_with(end))
}

/// True if a text has such a part.
pub fn is_telephone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let others = text
        .chars()
        .filter(|c| !c.is_ascii_digit() && !" +-()/.".contains(*c))
        .count();
    (7..=15).contains(&digits)
        && (text.contains('+') || text.to_lowercase().contains("tel") || others == 0 && text.contains([' ', '-', '/']))
}

/// True if a text has such a part.
pub fn is_date(text: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let parts: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .collect();
    let number = |part: &str| part.parse::<u32>().ok();
    let numeric = text.split_whitespace().any(|word| {
        let parts: Vec<u32> = word.split(['.', '/', '-']).filter_map(number).collect();
        parts.len() == 3
            && parts.iter().any(|part| (1..=12).contains(part))
            && parts.iter().any(|part| (1900..=2100).contains(part) || *part <= 31)
            && word.chars().filter(|c| "./-".contains(*c)).count() == 2
    });
    let named = parts
        .iter()
        .any(|part| MONTHS.iter().any(|month| part.to_lowercase().starts_with(month)))
        && parts
            .iter()
            .any(|part| number(part).is_some_and(|number| number <= 31 || (1900..=2100).contains(&number)));
    numeric || named
}
