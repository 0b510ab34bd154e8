//! Marks inside a paragraph that lay text out: links, images, footnotes, HTML tags and entities, escapes.
//!
//! Emphasis needs nothing here: whatever `*`, `_`, `~` and backticks remain are never said, except between numbers.

use std::borrow::Cow;

/// HTML elements that may stand in text; other things in angle brackets are text.
const KNOWN_TAGS: &[&str] = &[
    "a",
    "abbr",
    "address",
    "article",
    "aside",
    "audio",
    "b",
    "blockquote",
    "body",
    "br",
    "button",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "font",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "li",
    "link",
    "main",
    "mark",
    "meta",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "script",
    "section",
    "select",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
    "video",
    "wbr",
];
/// Tags that leave the words before and after them in one line.
const INLINE_TAGS: &[&str] = &[
    "a", "abbr", "b", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "label", "mark", "q", "rp", "rt",
    "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
];
/// Tags whose content is not for reading (rt: the gloss above a Japanese word repeats it).
const UNREAD_TAGS: &[&str] = &["script", "style", "template", "rt", "rp"];

/// The text without markup. Borrowed if it had none.
pub(super) fn strip(text: &str) -> Cow<'_, str> {
    if !text.contains(['[', '<', '&', '\\']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', '<', '\\', '!']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = match rest.as_bytes()[0] {
            b'<' => tag(rest, &mut out),
            b'\\' => escape(rest, &mut out),
            b'!' => rest[1..]
                .starts_with('[')
                .then(|| link(&rest[1..], &mut out))
                .flatten()
                .map(|taken| taken + 1),
            _ => link(rest, &mut out),
        };
        let taken = taken.unwrap_or_else(|| {
            out.push_str(&rest[..1]);
            1
        });
        rest = &rest[taken..];
    }
    out.push_str(rest);
    if out.contains('&') {
        return Cow::Owned(html_escape::decode_html_entities(&out).into_owned());
    }
    Cow::Owned(out)
}

/// Escapes ("\*" and the like): the character itself. A Windows path keeps its backslashes.
fn escape(text: &str, out: &mut String) -> Option<usize> {
    let escaped = text[1..].chars().next().filter(|c| "*_`[]#~>|".contains(*c))?;
    out.push(escaped);
    Some(2)
}

/// Links and footnotes: `[text](target)`, `[text][name]`, `[^note]`, `[text]` (not markup: `None`). Images come here without their "!".
fn link(text: &str, out: &mut String) -> Option<usize> {
    let inner = &text[1..];
    let close = match inner.strip_prefix("![") {
        // A badge: an image inside a link.
        Some(image) => {
            let alt = image.find(']')?;
            let target = image[alt..].find(')')?;
            let end = 2 + alt + target + 1;
            return inner[end..].starts_with("](").then(|| {
                out.push_str(&image[..alt]);
                inner[end..].find(')').map(|close| 1 + end + close + 1)
            })?;
        }
        None => inner
            .find(['[', ']', '\n'])
            .filter(|at| inner[*at..].starts_with(']'))?,
    };
    let label = &inner[..close];
    let after = &inner[close + 1..];
    if label.starts_with('^') {
        return Some(close + 2);
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
            out.push_str(label);
            return Some(close + 2 + 1 + end + 1);
        }
    }
    if let Some(name) = after.strip_prefix('[') {
        let end = name
            .find([']', ' ', '\n'])
            .filter(|end| name[*end..].starts_with(']'))?;
        out.push_str(label);
        return Some(close + 2 + 1 + end + 1);
    }
    None
}

/// An HTML tag, a comment, or an address in angle brackets.
fn tag(text: &str, out: &mut String) -> Option<usize> {
    if let Some(comment) = text.strip_prefix("<!--") {
        return comment.find("-->").map(|end| 4 + end + 3);
    }
    let end = text[1..]
        .find(['>', '<'])
        .filter(|end| text[1 + end..].starts_with('>'))?
        + 1;
    let content = &text[1..end];
    if content.starts_with(['!', '?']) {
        return Some(end + 1);
    }
    if content.contains("://") && !content.contains([' ', '"']) || content.starts_with("mailto:") || is_mail(content) {
        out.push_str(content);
        return Some(end + 1);
    }
    let bare = content.strip_prefix('/').unwrap_or(content);
    let name: String = bare
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    let attributes = &bare[name.len()..];
    if !KNOWN_TAGS.contains(&name.as_str()) || !(attributes.is_empty() || attributes.starts_with([' ', '\n', '/'])) {
        return None;
    }
    if name == "img" {
        let alt = attributes.split_once("alt=").and_then(|(_, alt)| {
            let quote = alt.chars().next().filter(|c| "'\"".contains(*c))?;
            alt[1..].split(quote).next()
        });
        out.push_str(alt.unwrap_or_default());
    } else if UNREAD_TAGS.contains(&name.as_str()) && !content.starts_with('/') {
        let closing = format!("</{name}");
        if let Some(at) = find_ignoring_case(&text[end..], &closing) {
            return Some(end + at);
        }
    } else if !INLINE_TAGS.contains(&name.as_str()) {
        out.push('\n');
    }
    Some(end + 1)
}

fn is_mail(content: &str) -> bool {
    content
        .split_once('@')
        .is_some_and(|(user, host)| !user.is_empty() && host.contains('.') && !content.contains(' '))
}

fn find_ignoring_case(text: &str, needle: &str) -> Option<usize> {
    text.as_bytes()
        .windows(needle.len())
        .position(|window| window.eq_ignore_ascii_case(needle.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: &str) {
        assert_eq!(strip(input), expected, "{input:?}");
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
    fn escapes() {
        check("\\*not\\* C:\\dir", "*not* C:\\dir");
    }
}
