//! Marks inside a paragraph that lay text out: links, images, footnotes, tags and entities, escapes.
//!
//! Emphasis needs nothing here: whatever `*`, `_`, `~` and backticks remain are never said, except between numbers.

use std::borrow::Cow;
use std::ops::Range;

use quartet_api::Language;

use super::clean::clean;
use super::tags::{self, PARAGRAPH_END, SENTENCE_END};

/// Characters that a backslash makes text of.
const ESCAPED: &str = "*_`[]#~>|";
/// The longest name of an entity that stands for white space, with its marks.
const MAX_SPACE_ENTITY_BYTES: usize = 24;
/// Bytes within which a link ends.
const MAX_LINK_BYTES: usize = 6_000;

/// The text that a paragraph is of, as far as its markup depends on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Document {
    /// True for a document of SSML.
    pub ssml: bool,
    /// The language that it is read in.
    pub language: Language,
}

impl Document {
    /// The whole of `text`, read in `language`.
    pub(super) fn of(text: &str, language: Language) -> Self {
        Self {
            ssml: tags::is_ssml(text),
            language,
        }
    }
}

/// The text of a paragraph, or part of one, without markup. Borrowed if it had none.
pub(super) fn strip(text: &str, document: Document) -> Cow<'_, str> {
    if !text.contains(['[', '<', '&', '\\']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', '<', '\\', '!']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = match rest.as_bytes()[0] {
            b'<' => tags::tag(rest, document.ssml).map(|tag| {
                tag.say(document.language, &mut out);
                tag.length
            }),
            b'\\' => escape(rest, &mut out),
            b'!' => rest[1..]
                .starts_with('[')
                .then(|| link(&rest[1..]))
                .flatten()
                .map(|(label, end)| {
                    out.push_str(&rest[1..][label]);
                    end + 1
                }),
            _ => link(rest).map(|(label, end)| {
                out.push_str(&rest[label]);
                end
            }),
        };
        let taken = taken.unwrap_or_else(|| {
            out.push_str(&rest[..1]);
            1
        });
        rest = &rest[taken..];
    }
    out.push_str(rest);
    let decoded = decoded(&out);
    Cow::Owned(decoded.unwrap_or(out))
}

/// The text with characters in the place of entities, if it has any. They are cleaned as others were: a dash, a quotation mark, a
/// space.
fn decoded(text: &str) -> Option<String> {
    if !text.contains('&') {
        return None;
    }
    let decoded = html_escape::decode_html_entities(text);
    if *decoded == *text {
        return None;
    }
    let ends = [SENTENCE_END, PARAGRAPH_END];
    let mut out = String::with_capacity(decoded.len());
    for part in decoded.split_inclusive(ends) {
        let words = part.trim_end_matches(ends);
        clean(words, &mut out);
        out.push_str(&part[words.len()..]);
    }
    Some(out)
}

/// The places of a text, as it was sent, that are markup and no words, in its order: tags, targets of links, entities of spaces.
pub(super) fn markup(text: &str) -> Vec<Range<usize>> {
    let ssml = tags::is_ssml(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(['[', '<', '&', '\\']) {
        at += next;
        let rest = &text[at..];
        at += match rest.as_bytes()[0] {
            b'<' => {
                let unsaid = tags::tag(rest, ssml).map_or(0, |tag| tag.unsaid);
                found.extend((unsaid > 0).then(|| at..at + unsaid));
                unsaid.max(1)
            }
            b'&' => {
                let space = space_entity(rest).unwrap_or_default();
                found.extend((space > 0).then(|| at..at + space));
                space.max(1)
            }
            b'\\' if rest[1..].starts_with(|c: char| ESCAPED.contains(c)) => 2,
            b'[' => match link(&rest[..rest.floor_char_boundary(MAX_LINK_BYTES)]) {
                Some((label, end)) => {
                    found.push(at..at + label.start);
                    found.push(at + label.end..at + end);
                    end
                }
                None => 1,
            },
            _ => 1,
        };
    }
    found
}

/// The length of the entity that `text` begins with, if it stands for white space.
fn space_entity(text: &str) -> Option<usize> {
    let near = &text[..text.floor_char_boundary(MAX_SPACE_ENTITY_BYTES)];
    let end = near.find(';')? + 1;
    let character = html_escape::decode_html_entities(&near[..end]);
    character.chars().all(char::is_whitespace).then_some(end)
}

/// Escapes ("\*" and the like): the character itself. A Windows path keeps its backslashes.
fn escape(text: &str, out: &mut String) -> Option<usize> {
    let escaped = text[1..].chars().next().filter(|c| ESCAPED.contains(*c))?;
    out.push(escaped);
    Some(2)
}

/// A link or a footnote that `text` begins with: the place of its label, and the end of all of it. `[text](target)`, `[text][name]`,
/// `[^note]`, which has no label; `[text]` is not markup. Images come here without their "!".
fn link(text: &str) -> Option<(Range<usize>, usize)> {
    let inner = &text[1..];
    if let Some(image) = inner.strip_prefix("![") {
        // A badge: an image inside a link.
        let alt = image.find(']')?;
        let target = image[alt..].find(')')?;
        let end = 2 + alt + target + 1;
        let rest = inner[end..].strip_prefix("](")?;
        let close = rest.find(')')?;
        return Some((3..3 + alt, 1 + end + 2 + close + 1));
    }
    let close = inner
        .find(['[', ']', '\n'])
        .filter(|at| inner[*at..].starts_with(']'))?;
    let label = &inner[..close];
    let place = 1..1 + close;
    let after = &inner[close + 1..];
    if label.starts_with('^') {
        return Some((1..1, close + 2));
    }
    if let Some(target) = after.strip_prefix('(') {
        let mut depth = 0;
        let end = target.find(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth < 0 || c == '\n'
        })?;
        let address = target[..end].split(' ').next().unwrap_or_default();
        // "[sic](see below)" is text: a link's target has no spaces but before its title.
        let titled = target[..end].trim_end().ends_with(['"', '\'']);
        if target[end..].starts_with(')') && (address.len() == end || titled || !target[..end].contains(' ')) {
            return Some((place, close + 2 + 1 + end + 1));
        }
    }
    if let Some(name) = after.strip_prefix('[') {
        let end = name
            .find([']', ' ', '\n'])
            .filter(|end| name[*end..].starts_with(']'))?;
        return Some((place, close + 2 + 1 + end + 1));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: &str) {
        assert_eq!(
            strip(input, Document::of(input, Language::English)),
            expected,
            "{input:?}"
        );
    }

    #[test]
    fn links_and_images() {
        check("see [the docs](https://a.org/x_(y)) now", "see the docs now");
        check("![a cat](cat.png) sleeps", "a cat sleeps");
        check("[text][1] and [note] and fact[^2].", "text and [note] and fact.");
        check("[![Build](b.svg)](https://ci) ok", "Build ok");
        check("[x](a \"title\")", "x");
        check("array[1](see below)", "array[1](see below)");
    }

    #[test]
    fn html() {
        check("a<br>b <b>bold</b> x &amp; y", "a\nb bold x & y");
        check("<script>var x;</script>done", "\ndone");
        check("1 < 2 and 3 > 2", "1 < 2 and 3 > 2");
        check("List<String> x", "List<String> x");
        check("<img src='a' alt='A dog'>", "A dog");
        check("<https://a.org>", "https://a.org");
        check("a <!-- no --> b", "a  b");
        check("<ruby>漢字<rt>かんじ</rt></ruby>", "漢字");
    }

    #[test]
    fn entities_are_characters() {
        check(
            "Fish &amp; chips &#8212; it&#39;s &#x201c;good&#x201d;",
            "Fish & chips — it's good",
        );
        check("5&nbsp;km", "5\u{a0}km");
        check("Q&A, &unknown; &lt;p&gt;", "Q&A, &unknown; <p>");
    }

    #[test]
    fn places_of_markup_are_those_of_the_text_as_it_was_sent() {
        let text = "<p>See [the manual](https://a.org/b),&nbsp;a < b</p> \\[x] <sub alias='W'>V</sub>";
        let found: Vec<&str> = markup(text).into_iter().map(|place| &text[place]).collect();
        let expected = [
            "<p>",
            "[",
            "](https://a.org/b)",
            "&nbsp;",
            "</p>",
            "<sub alias='W'>",
            "</sub>",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn escapes() {
        check("\\*not\\* C:\\dir", "*not* C:\\dir");
    }
}
