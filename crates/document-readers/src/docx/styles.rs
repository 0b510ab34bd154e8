//! Styles of a document of Word: headings, titles, lists and program text, by the styles that they are based on.

use quartet_text_analysis::Kind;
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::xml::{Node, Xml};

/// Most styles that a style is based on, one on the other.
const MAX_ANCESTORS: usize = 20;

/// A style of paragraphs.
#[derive(Debug, Clone, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    /// Level of its headings, from 0.
    outline_level: Option<u8>,
    numbering: Option<(String, usize)>,
}

/// The styles of a document, by their ids.
#[derive(Debug, Default)]
pub struct Styles(FxHashMap<String, Style>);

/// The meaning of a style.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meaning {
    /// Kind of its blocks, as far as the style tells.
    pub kind: Option<Kind>,
    /// Level of its headings, from 1.
    pub level: Option<u8>,
    /// Its list, and the level in it from 0.
    pub numbering: Option<(String, usize)>,
}

impl Styles {
    /// Reads the part with the styles.
    pub fn read(text: &str) -> Result<Self, Error> {
        let mut all = FxHashMap::default();
        let mut current: Option<(String, Style)> = None;
        let mut xml = Xml::new(text);
        while let Some(node) = xml.next()? {
            match node {
                Node::Open(tag) => {
                    let value = || tag.attribute("val");
                    match (tag.name(), &mut current) {
                        ("style", _) => {
                            current = tag.attribute("styleId").map(|id| (id, Style::default()));
                        }
                        ("name", Some((_, style))) => style.name = value().unwrap_or_default().to_lowercase(),
                        ("basedOn", Some((_, style))) => style.based_on = value(),
                        ("outlineLvl", Some((_, style))) => {
                            style.outline_level = value().and_then(|level| level.parse().ok())
                        }
                        ("numId", Some((_, style))) => {
                            style.numbering.get_or_insert_default().0 = value().unwrap_or_default();
                        }
                        ("ilvl", Some((_, style))) => {
                            style.numbering.get_or_insert_default().1 = tag.number("val").unwrap_or(0);
                        }
                        _ => {}
                    }
                }
                Node::Close(end) if end.name() == "style" => all.extend(current.take()),
                _ => {}
            }
        }
        Ok(Self(all))
    }

    /// The meaning of a style and those that it is based on.
    pub fn meaning(&self, id: &str) -> Meaning {
        let mut meaning = Meaning::default();
        let mut id = Some(id.to_owned());
        for _ in 0..MAX_ANCESTORS {
            let Some(style) = id.as_ref().and_then(|id| self.0.get(id)) else {
                break;
            };
            let by_name = style
                .name
                .strip_prefix("heading ")
                .and_then(|level| level.trim().parse::<u8>().ok());
            let level = by_name.or(style.outline_level.filter(|level| *level < 9).map(|level| level + 1));
            meaning.level = meaning.level.or(level);
            meaning.kind = meaning.kind.or_else(|| kind(&style.name));
            meaning.numbering = meaning.numbering.or_else(|| style.numbering.clone());
            id.clone_from(&style.based_on);
        }
        meaning
    }
}

/// The kind that the name of a style tells. Names of built-in styles are English in every language of Word.
fn kind(name: &str) -> Option<Kind> {
    match name {
        "title" => Some(Kind::Title),
        "caption" => Some(Kind::Caption),
        "header" => Some(Kind::Header),
        "footer" => Some(Kind::Footer),
        "macro" | "html preformatted" | "plain text" => Some(Kind::Code),
        _ if name.contains("source code") || name.contains("preformatted") || name == "code" => Some(Kind::Code),
        _ if name.starts_with("list bullet") || name.starts_with("list number") => Some(Kind::ListItem),
        _ => None,
    }
}
