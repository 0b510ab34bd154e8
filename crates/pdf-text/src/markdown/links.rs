//! Links out of the document, marked up where their text stands.

use quartet_text_analysis::Link;

use super::escape::{address, escape, link_text};

/// Beginnings of addresses that are marked up: those that programs which show Markdown open safely.
const SCHEMES: [&str; 4] = ["https://", "http://", "mailto:", "ftp://"];

/// Least bytes of the text of a link: one sign stands at many places.
const MIN_TEXT_BYTES: usize = 2;

/// Links of a page that are not marked up yet.
pub struct Links<'l> {
    /// Text and address. One over two lines is two in the file, and one here where its text was joined so.
    waiting: Vec<(String, &'l str)>,
}

impl<'l> Links<'l> {
    /// Takes those of a page that lead out of the document.
    pub fn new(links: &'l [Link]) -> Self {
        let mut waiting: Vec<(String, &str)> = Vec::new();
        for link in links {
            let text = link.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let Some(url) = link.url.as_deref().map(str::trim) else {
                continue;
            };
            let is_safe = SCHEMES.iter().any(|scheme| {
                url.get(..scheme.len())
                    .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            });
            if !is_safe || text.len() < MIN_TEXT_BYTES {
                continue;
            }
            if let Some((above, _)) = waiting.last().filter(|(_, known)| *known == url) {
                let joined = match above.strip_suffix(['-', '\u{2010}', '\u{ad}']) {
                    Some(stem) => format!("{stem}{text}"),
                    None if above.ends_with('/') => format!("{above}{text}"),
                    None => format!("{above} {text}"),
                };
                waiting.push((joined, url));
            }
            waiting.push((text, url));
        }
        // The longest first: a part of one must not be taken before the whole.
        waiting.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        Self { waiting }
    }

    /// Escapes a text, and marks up the links in it; each is used once.
    pub fn marked(&mut self, text: &str) -> String {
        let mut found: Vec<(usize, usize, &str)> = Vec::new();
        self.waiting.retain(|(words, url)| {
            let places = text.match_indices(words.as_str()).map(|(at, _)| (at, at + words.len()));
            let free = |(from, to): &(usize, usize)| {
                is_whole(text, *from, *to) && found.iter().all(|(begin, end, _)| to <= begin || from >= end)
            };
            let place = { places }.find(free);
            if let Some((from, to)) = place {
                found.push((from, to, *url));
            }
            place.is_none()
        });
        found.sort_unstable();
        let mut out = String::with_capacity(text.len() + 16);
        let mut done = 0;
        for (from, to, url) in found {
            out.push_str(&escape(&text[done..from]));
            let words = &text[from..to];
            if words == url && !words.contains([' ', '<', '>']) {
                out.push_str(&format!("<{words}>"));
            } else {
                // What ends the text before it must not make a picture of the link.
                if out.ends_with('!') {
                    out.insert(out.len() - 1, '\\');
                }
                out.push_str(&format!("[{}]({})", link_text(words), address(url)));
            }
            done = to;
        }
        out.push_str(&escape(&text[done..]));
        out
    }
}

/// Returns true if a part of a text does not begin or end inside a word.
fn is_whole(text: &str, from: usize, to: usize) -> bool {
    let inside = |before: Option<char>, after: Option<char>| {
        before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
    };
    let part = &text[from..to];
    !inside(text[..from].chars().next_back(), part.chars().next())
        && !inside(part.chars().next_back(), text[to..].chars().next())
}
