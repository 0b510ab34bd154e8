//! XML as a stream of elements and text, by the names that elements have without their prefixes.
//!
//! The parser is quick-xml, which expands no entity that a file declares. Nothing here recurses, and nesting is bounded, so
//! that a file of opening tags costs no more than its length.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesEnd, BytesStart, Event};

use crate::error::Error;
use crate::limits::MAX_DEPTH;

/// A document of XML that is being read.
pub struct Xml<'x> {
    reader: Reader<&'x [u8]>,
    depth: usize,
    /// True once something was no XML; nothing comes after it.
    broken: bool,
}

/// A piece of a document.
pub enum Node<'x> {
    /// An element begins. Elements without content begin and end.
    Open(Tag<'x>),
    /// An element ends.
    Close(End<'x>),
    /// Text.
    Text(Cow<'x, str>),
}

/// The beginning of an element.
pub struct Tag<'x>(BytesStart<'x>);

/// The end of an element.
pub struct End<'x>(BytesEnd<'x>);

impl Tag<'_> {
    /// The name, without its prefix.
    pub fn name(&self) -> &str {
        std::str::from_utf8(self.0.local_name().into_inner()).unwrap_or_default()
    }

    /// The value of an attribute, by its name without prefix.
    pub fn attribute(&self, name: &str) -> Option<String> {
        self.find(|key| key.local_name().into_inner() == name.as_bytes())
    }

    /// The value of an attribute, by its name with prefix.
    pub fn qualified(&self, name: &str) -> Option<String> {
        self.find(|key| key.into_inner() == name.as_bytes())
    }

    /// The number that an attribute has.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.attribute(name)?.trim().parse().ok()
    }

    fn find(&self, is_it: impl Fn(quick_xml::name::QName<'_>) -> bool) -> Option<String> {
        let mut attributes = self.0.attributes();
        let found = attributes
            .with_checks(false)
            .flatten()
            .find(|attribute| is_it(attribute.key))?;
        Some(match found.unescape_value() {
            Ok(value) => value.into_owned(),
            Err(_) => String::from_utf8_lossy(&found.value).into_owned(),
        })
    }
}

impl End<'_> {
    /// The name, without its prefix.
    pub fn name(&self) -> &str {
        std::str::from_utf8(self.0.local_name().into_inner()).unwrap_or_default()
    }
}

impl<'x> Xml<'x> {
    /// Begins a document.
    pub fn new(text: &'x str) -> Self {
        let mut reader = Reader::from_reader(text.as_bytes());
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        // Better a part of a document than none.
        config.allow_unmatched_ends = true;
        config.check_end_names = false;
        config.allow_dangling_amp = true;
        Self {
            reader,
            depth: 0,
            broken: false,
        }
    }

    /// The next piece; none at the end.
    ///
    /// # Errors
    /// When elements are nested too deeply.
    pub fn next(&mut self) -> Result<Option<Node<'x>>, Error> {
        loop {
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(_) => {
                    self.broken = true;
                    return Ok(None);
                }
            };
            return Ok(Some(match event {
                Event::Start(tag) => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return Err(Error::Limit {
                            what: "levels of nested elements",
                            limit: MAX_DEPTH as u64,
                        });
                    }
                    Node::Open(Tag(tag))
                }
                Event::End(end) => {
                    self.depth = self.depth.saturating_sub(1);
                    Node::Close(End(end))
                }
                Event::Text(text) => Node::Text(text.decode().unwrap_or_default()),
                Event::CData(text) => Node::Text(text.decode().unwrap_or_default()),
                Event::GeneralRef(entity) => {
                    let text = match entity.resolve_char_ref() {
                        Ok(Some(c)) => c.to_string(),
                        _ => named(&entity.decode().unwrap_or_default()).to_owned(),
                    };
                    Node::Text(text.into())
                }
                Event::Eof => {
                    self.broken |= self.depth > 0;
                    return Ok(None);
                }
                _ => continue,
            }));
        }
    }

    /// Passes over the content of the element that just began, and its end.
    pub fn skip(&mut self) -> Result<(), Error> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside && self.next()?.is_some() {}
        Ok(())
    }

    /// The text in the element that just began, whose end is passed.
    pub fn text(&mut self) -> Result<String, Error> {
        let outside = self.depth.saturating_sub(1);
        let mut all = String::new();
        while self.depth > outside {
            match self.next()? {
                Some(Node::Text(text)) => all.push_str(&text),
                Some(_) => {}
                None => break,
            }
        }
        Ok(all)
    }

    /// Returns true if the document ended early, or with something that is no XML.
    pub fn is_broken(&self) -> bool {
        self.broken
    }
}

/// The entities that XML has, and the one that writers use without declaring it.
fn named(entity: &str) -> &'static str {
    match entity {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        "nbsp" => " ",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_are_unescaped_and_no_entity_is_expanded() {
        let mut xml = Xml::new(
            "<!DOCTYPE a [<!ENTITY b 'bomb'>]><w:a r:id=\"x&amp;y\" id='z'>1 &lt; 2&#33;&b;<c/><![CDATA[<d>]]></w:a>",
        );
        let Ok(Some(Node::Open(tag))) = xml.next() else {
            panic!("an element")
        };
        assert_eq!(tag.name(), "a");
        assert_eq!(tag.attribute("id").as_deref(), Some("x&y"));
        assert_eq!(tag.qualified("id").as_deref(), Some("z"));
        assert_eq!(xml.text().unwrap(), "1 < 2!<d>");
        assert!(xml.next().unwrap().is_none() && !xml.is_broken());
    }

    #[test]
    fn nesting_is_bounded_and_early_ends_are_noticed() {
        let deep = "<a>".repeat(100_000);
        let mut xml = Xml::new(&deep);
        let failed = loop {
            match xml.next() {
                Ok(Some(_)) => {}
                other => break other.err(),
            }
        };
        assert!(matches!(failed, Some(Error::Limit { limit: 512, .. })), "{failed:?}");
        let mut cut = Xml::new("<a><b>text");
        while cut.next().unwrap().is_some() {}
        assert!(cut.is_broken());
    }
}
