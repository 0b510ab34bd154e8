//! Tags of HTML and of SSML (Speech Synthesis Markup Language 1.1, W3C), which other speech services take: what is said in their
//! place, and where one ends a sentence.
//!
//! Of SSML, `speak`, `p`, `s` and `break` are boundaries, `sub` says its alias, and `say-as` spells; of the others the text is said.
//! Brackets that plain text may have, too (`List<String>`, `a < b`), are text.

use quartet_api::Language;

/// HTML elements that may stand in text; other things in angle brackets are text, unless they have the shape of a tag.
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
const UNREAD_TAGS: &[&str] = &["script", "style", "template", "rt", "rp", "metadata"];
/// Attributes of HTML that stand without a value.
const BARE_ATTRIBUTES: &[&str] = &[
    "async", "autoplay", "checked", "controls", "defer", "disabled", "hidden", "loop", "muted", "open", "required",
    "selected",
];

/// The end of a sentence that a tag marks. Text cannot have this character here: it ends lines.
pub(super) const SENTENCE_END: char = '\u{2028}';
/// The end of a paragraph that a tag marks.
pub(super) const PARAGRAPH_END: char = '\u{2029}';

/// Bytes within which a tag ends, and what belongs to it: about what is read at once.
const REACH: usize = 6_000;

/// Speech in the place of a tag.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Said<'a> {
    Nothing,
    /// These words.
    Words(&'a str),
    /// The letters and digits of this, one by one.
    Letters(&'a str),
    /// Nothing, but words before and after it are apart.
    Boundary(char),
}

/// A tag, with as much behind it as is said otherwise, or not at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tag<'a> {
    /// The length of all that it stands for, in bytes.
    pub length: usize,
    /// The length of the part from its beginning in which no word is written that is said.
    pub unsaid: usize,
    said: Said<'a>,
}

impl<'a> Tag<'a> {
    /// A tag of this length without anything behind it.
    const fn alone(length: usize, said: Said<'a>) -> Self {
        Self {
            length,
            unsaid: length,
            said,
        }
    }

    /// Appends what is said in its place, in a text of `language`.
    pub(super) fn say(&self, language: Language, out: &mut String) {
        match self.said {
            Said::Nothing => {}
            Said::Words(words) => out.push_str(words),
            Said::Letters(text) => spell(text, language, out),
            Said::Boundary('\n') => out.push('\n'),
            Said::Boundary(mark) => {
                // The space ends an address before it.
                out.push(' ');
                out.push(mark);
            }
        }
    }
}

/// Returns true for a document of SSML, in which everything in angle brackets is a tag.
pub(super) fn is_ssml(text: &str) -> bool {
    let mut start = text.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with("<?xml") {
        start = near(start).split_once("?>").map_or("", |(_, rest)| rest).trim_start();
    }
    let name = start.strip_prefix('<').and_then(|rest| rest.get(..5));
    name.is_some_and(|name| name.eq_ignore_ascii_case("speak"))
}

/// The tag, the comment or the address in angle brackets that `text` begins with; nothing where its "<" is text. `ssml` is true in a
/// document of SSML.
pub(super) fn tag(text: &str, ssml: bool) -> Option<Tag<'_>> {
    let text = near(text);
    if let Some(comment) = text.strip_prefix("<!--") {
        let end = comment.find("-->")?;
        return Some(Tag::alone(4 + end + 3, Said::Nothing));
    }
    if let Some(data) = text.strip_prefix("<![CDATA[") {
        let end = data.find("]]>")?;
        return Some(Tag {
            length: 9 + end + 3,
            unsaid: 9,
            said: Said::Words(&data[..end]),
        });
    }
    let end = text[1..]
        .find(['>', '<'])
        .filter(|end| text[1 + end..].starts_with('>'))?
        + 1;
    let content = &text[1..end];
    if content.starts_with(['!', '?']) {
        return Some(Tag::alone(end + 1, Said::Nothing));
    }
    if content.contains("://") && !content.contains([' ', '"']) || content.starts_with("mailto:") || is_mail(content) {
        return Some(Tag {
            length: end + 1,
            unsaid: 0,
            said: Said::Words(content),
        });
    }
    let closes = content.starts_with('/');
    let bare = content.strip_prefix('/').unwrap_or(content);
    let length = bare
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '_')))
        .unwrap_or(bare.len());
    let (name, attributes) = bare.split_at(length);
    let name = name.to_ascii_lowercase();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !are_attributes(attributes) {
        return None;
    }
    let behind = &text[end + 1..];
    let is_known = ssml || KNOWN_TAGS.contains(&name.as_str());
    let has_shape =
        || closes || name.contains(':') || attributes.contains(['=', '/']) || closing(behind, &name).is_some();
    if !is_known && !has_shape() {
        return None;
    }
    let said = said(&name, attributes, closes, ssml);
    let mut tag = Tag::alone(end + 1, said);
    if closes || attributes.ends_with('/') {
        return Some(tag);
    }
    if UNREAD_TAGS.contains(&name.as_str()) {
        if let Some(content) = closing(behind, &name) {
            tag.length += content;
            tag.unsaid = tag.length;
        }
    } else if name == "sub" && said != Said::Nothing {
        match closing(behind, &name) {
            Some(content) => tag.length += content,
            None => tag.said = Said::Nothing,
        }
    } else if is_spelled(&name, attributes)
        && let Some(content) = closing(behind, &name).filter(|content| !behind[..*content].contains('<'))
    {
        tag.length += content;
        tag.said = Said::Letters(&behind[..content]);
    }
    Some(tag)
}

/// Speech where a tag stands, without what stands behind it.
fn said<'a>(name: &str, attributes: &'a str, closes: bool, ssml: bool) -> Said<'a> {
    match name {
        "img" => attribute(attributes, "alt").map_or(Said::Nothing, Said::Words),
        "sub" if !closes => attribute(attributes, "alias").map_or(Said::Nothing, Said::Words),
        "break" => pause(attributes)
            .filter(|_| !closes)
            .map_or(Said::Nothing, Said::Boundary),
        "p" => Said::Boundary(PARAGRAPH_END),
        "speak" => Said::Boundary(SENTENCE_END),
        "paragraph" if ssml => Said::Boundary(PARAGRAPH_END),
        "s" | "sentence" if ssml => Said::Boundary(SENTENCE_END),
        "audio" | "metadata" if ssml => Said::Nothing,
        _ if KNOWN_TAGS.contains(&name) && !INLINE_TAGS.contains(&name) && !UNREAD_TAGS.contains(&name) => {
            Said::Boundary('\n')
        }
        _ if UNREAD_TAGS.contains(&name) && closes && !INLINE_TAGS.contains(&name) => Said::Boundary('\n'),
        _ => Said::Nothing,
    }
}

/// The boundary of speech that comes nearest to a `break`; nothing where it asks for none. Boundaries are as long as the voice makes
/// them, from a fifth to three quarters of a second.
fn pause(attributes: &str) -> Option<char> {
    if let Some(time) = attribute(attributes, "time").and_then(milliseconds) {
        return match time {
            time if time < 90.0 => None,
            time if time < 290.0 => Some('\n'),
            time if time < 575.0 => Some(SENTENCE_END),
            _ => Some(PARAGRAPH_END),
        };
    }
    let strength = attribute(attributes, "strength").unwrap_or_default().trim();
    match strength.to_ascii_lowercase().as_str() {
        "none" | "x-weak" => None,
        "weak" => Some('\n'),
        "x-strong" => Some(PARAGRAPH_END),
        _ => Some(SENTENCE_END),
    }
}

/// A time of SSML, "2s" or "500ms", in milliseconds.
fn milliseconds(time: &str) -> Option<f64> {
    let time = time.trim().to_ascii_lowercase();
    let (number, unit) = match time.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => (time.strip_suffix('s')?, 1_000.0),
    };
    let number: f64 = number.trim().parse().ok()?;
    Some(number * unit)
}

fn is_spelled(name: &str, attributes: &str) -> bool {
    let manner = attribute(attributes, "interpret-as").unwrap_or_default().trim();
    name == "say-as" && ["characters", "spell-out"].contains(&manner.to_ascii_lowercase().as_str())
}

/// Appends the letters and digits of a text, one by one. A comma keeps numbers and units from forming among them.
fn spell(text: &str, language: Language, out: &mut String) {
    let mut first = true;
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        if !std::mem::take(&mut first) {
            out.push_str(", ");
        }
        let capital: String = c.to_uppercase().collect();
        out.push_str(super::normalise::letter_name(&capital, language));
    }
}

/// Returns true if this can stand behind the name of a tag. Words of a comparison cannot: "a <b and c> d".
fn are_attributes(text: &str) -> bool {
    let list = text.trim_end_matches('/').trim();
    let is_apart = text.starts_with(char::is_whitespace) || text.starts_with('/');
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '_' | '.');
    if list.is_empty() {
        return text.is_empty() || is_apart;
    }
    let name = list.find(|c: char| !is_name(c)).unwrap_or(list.len());
    let bare = &list[..name];
    let has_value = list[name..].trim_start().starts_with('=');
    is_apart && name > 0 && (has_value || BARE_ATTRIBUTES.contains(&bare.to_ascii_lowercase().as_str()))
}

/// The value of an attribute. Its quotes may be gone, because characters are cleaned before tags are looked for.
fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = attributes;
    loop {
        let at = find_ignoring_case(rest, name)?;
        let is_apart = rest[..at].ends_with(char::is_whitespace);
        rest = &rest[at + name.len()..];
        let Some(value) = rest.trim_start().strip_prefix('=').filter(|_| is_apart) else {
            continue;
        };
        let value = value.trim_start();
        return match value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            Some(quote) => value[1..].split(quote).next(),
            None => Some(unquoted(value)),
        };
    }
}

/// A value without quotes: up to the next attribute.
fn unquoted(value: &str) -> &str {
    let value = value.trim_end().trim_end_matches('/').trim_end();
    let end = value.find('=').and_then(|at| value[..at].rfind(char::is_whitespace));
    value[..end.unwrap_or(value.len())].trim_end()
}

/// The place of the closing tag of an element whose content `text` begins with.
fn closing(text: &str, name: &str) -> Option<usize> {
    find_ignoring_case(text, &format!("</{name}"))
}

/// The beginning of a text, as far as a tag may reach.
fn near(text: &str) -> &str {
    &text[..text.floor_char_boundary(REACH)]
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

    /// Speech of a text whose markup is tags alone; `/` and `¶` for ends of sentences and paragraphs.
    fn said_of(text: &str, language: Language) -> String {
        let ssml = is_ssml(text);
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('<') {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let taken = match tag(rest, ssml) {
                Some(tag) => {
                    tag.say(language, &mut out);
                    tag.length
                }
                None => {
                    out.push('<');
                    1
                }
            };
            rest = &rest[taken..];
        }
        out.push_str(rest);
        out.replace(SENTENCE_END, "/").replace(PARAGRAPH_END, "¶")
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(said_of(text, Language::English), expected, "{text:?}");
    }

    #[test]
    fn speech_markup_ends_sentences_and_says_its_text() {
        check("<speak>Hello</speak>", " /Hello /");
        check(
            "<?xml version=\"1.0\"?>\n<speak version=\"1.0\"><s>One</s><p>Two</p></speak>",
            "\n / /One / ¶Two ¶ /",
        );
        check(
            "<speak><voice name=\"x\"><prosody rate=\"slow\">a</prosody> <emphasis>b</emphasis></voice></speak>",
            " /a b /",
        );
        check(
            "<speak><phoneme alphabet='ipa' ph='x'>tomato</phoneme><mark name='m'/></speak>",
            " /tomato /",
        );
        check("<mstts:express-as style=\"sad\">no</mstts:express-as>", "no");
    }

    #[test]
    fn breaks_are_the_nearest_boundary() {
        for (tag, expected) in [
            ("<break time='2s'/>", "a ¶b"),
            ("<break time=\"400ms\"/>", "a /b"),
            ("<break time=0.2s/>", "a\nb"),
            ("<break time=\"10ms\"/>", "ab"),
            ("<break strength=\"x-strong\" />", "a ¶b"),
            ("<break strength=\"medium\"/>", "a /b"),
            ("<break strength=weak/>", "a\nb"),
            ("<break strength='none'/>", "ab"),
            ("<break/>", "a /b"),
        ] {
            check(&format!("a{tag}b"), expected);
        }
    }

    #[test]
    fn an_alias_is_said_and_characters_are_spelled() {
        check(
            "<sub alias=\"World Wide Web Consortium\">W3C</sub> rules",
            "World Wide Web Consortium rules",
        );
        // As it is when characters were cleaned.
        check("<sub alias=World Wide Web id=x>WWW</sub>", "World Wide Web");
        check("H<sub>2</sub>O", "H2O");
        check("<say-as interpret-as=\"characters\">Ab1</say-as>", "eigh, B, 1");
        check("<say-as interpret-as='spell-out'>NHS</say-as>", "N, H, S");
        check(
            "<say-as interpret-as=\"date\" format=\"ymd\">2024-05-03</say-as>",
            "2024-05-03",
        );
        let german = said_of("<say-as interpret-as='characters'>AG</say-as>", Language::German);
        assert_eq!(german, "A, G");
    }

    #[test]
    fn comparisons_and_types_are_text() {
        for text in [
            "a < b",
            "x <3 y",
            "a <b and c> d",
            "Map<String, List<int>> x",
            "press <enter> now",
            "if (a<b && c>d)",
            "1 <",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn what_has_the_shape_of_a_tag_is_not_said() {
        check("<thing>x</thing>", "x");
        check("<thing size=\"2\">x", "x");
        check("<thing/>x</other>", "x");
        check("<![CDATA[a < b]]>", "a < b");
    }
}
