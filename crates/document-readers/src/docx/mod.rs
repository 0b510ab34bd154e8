//! Documents of Word (WordprocessingML of ECMA-376, part 1).
//!
//! The elements come as a stream. Paragraphs stand on a stack, because a text box has paragraphs inside of one, and so do
//! tables. Text that was deleted while changes were tracked is left out, and so is hidden text.

mod body;
mod numbering;
mod styles;

use quartet_text_analysis::{Document, Kind as BlockKind};

use self::body::{Body, Notes};
use self::numbering::Numbering;
use self::styles::Styles;
use crate::archive::Archive;
use crate::draft::Draft;
use crate::error::Error;
use crate::options::Options;
use crate::package::{self, Relationships};
use crate::xml::{Node, Xml};
use quartet_document_kinds::Kind;

/// Reads a document.
pub fn read(bytes: &[u8], options: &Options<'_>) -> Result<Document, Error> {
    let mut archive = Archive::open(bytes, Kind::Docx, &options.limits)?;
    let main = package::main_part(&mut archive, "word/document.xml")?;
    let text = archive.needed(&main)?;
    let relationships = package::relationships(&mut archive, &main)?;
    let mut related = |kind: &str| -> Result<String, Error> {
        let part = package::of_kind(&relationships, kind).map(str::to_owned);
        part.map_or(Ok(String::new()), |part| Ok(archive.text(&part)?.unwrap_or_default()))
    };
    let styles = Styles::read(&related("styles")?)?;
    let numbering = Numbering::read(&related("numbering")?)?;
    let footnotes = notes(&related("footnotes")?, "footnote")?;
    let endnotes = notes(&related("endnotes")?, "endnote")?;
    let comments = count(&related("comments")?, "comment")?;
    let mut draft = Draft::new(options);
    package::properties(&mut archive, &mut draft)?;
    for (kind, block) in [("header", BlockKind::Header), ("footer", BlockKind::Footer)] {
        for line in repeated(&mut archive, &relationships, kind)? {
            draft.block(block, &line);
        }
    }
    let mut body = Body::new(&text, styles, numbering, &relationships, (&footnotes, &endnotes));
    body.read(&mut draft)?;
    let left_out = body.left_out();
    if comments > 0 {
        draft.warn(&format!("Comments in the margin are left out: {comments}."));
    }
    left_out.iter().for_each(|warning| draft.warn(warning));
    archive.warnings().iter().for_each(|warning| draft.warn(warning));
    Ok(draft.finish(0))
}

/// The lines of headers or footers, each once.
fn repeated(archive: &mut Archive<'_>, relationships: &Relationships, kind: &str) -> Result<Vec<String>, Error> {
    let mut parts: Vec<&str> = relationships
        .values()
        .filter(|relationship| relationship.kind == kind)
        .map(|relationship| relationship.target.as_str())
        .collect();
    parts.sort_unstable();
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        let text = archive.text(part)?.unwrap_or_default();
        for line in paragraphs(&text)? {
            if !line.is_empty() && !lines.contains(&line) && lines.len() < 20 {
                lines.push(line);
            }
        }
    }
    Ok(lines)
}

/// Texts of notes. Those that draw the line above them have a type.
fn notes(text: &str, element: &str) -> Result<Notes, Error> {
    let mut all = Notes::default();
    let mut xml = Xml::new(text);
    while let Some(node) = xml.next()? {
        let Node::Open(tag) = node else { continue };
        if tag.name() != element {
            continue;
        }
        let (id, is_line) = (
            tag.attribute("id"),
            tag.attribute("type").is_some_and(|kind| kind != "normal"),
        );
        let content = note(&mut xml, element)?;
        if let Some(id) = id.filter(|_| !is_line) {
            all.insert(id, content);
        }
    }
    Ok(all)
}

/// The text of a note that just began.
fn note(xml: &mut Xml<'_>, element: &str) -> Result<String, Error> {
    let mut out = String::new();
    let mut in_text = false;
    while let Some(node) = xml.next()? {
        match node {
            Node::Open(tag) => in_text = tag.name() == "t",
            Node::Text(text) if in_text => out.push_str(&text),
            Node::Text(_) => {}
            Node::Close(end) if end.name() == element => break,
            Node::Close(end) => {
                in_text = false;
                if end.name() == "p" {
                    out.push(' ');
                }
            }
        }
    }
    Ok(out.trim().to_owned())
}

/// Texts of the paragraphs of a part, without anything else.
fn paragraphs(text: &str) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    let mut line = String::new();
    let mut in_text = false;
    let mut xml = Xml::new(text);
    while let Some(node) = xml.next()? {
        match node {
            Node::Open(tag) if tag.name() == "Fallback" => xml.skip()?,
            Node::Open(tag) => {
                in_text = tag.name() == "t";
                if tag.name() == "tab" {
                    line.push('\t');
                }
            }
            Node::Text(text) if in_text => line.push_str(&text),
            Node::Text(_) => {}
            Node::Close(end) => {
                in_text = false;
                if end.name() == "p" {
                    all.push(std::mem::take(&mut line).trim().to_owned());
                }
            }
        }
    }
    Ok(all)
}

/// The number of elements of a name.
fn count(text: &str, element: &str) -> Result<usize, Error> {
    let mut found = 0;
    let mut xml = Xml::new(text);
    while let Some(node) = xml.next()? {
        found += usize::from(matches!(node, Node::Open(tag) if tag.name() == element));
    }
    Ok(found)
}
