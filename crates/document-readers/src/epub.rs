//! Books (EPUB 2 and 3): a chapter, as the book's order of reading has them, is a page.

use quartet_text_analysis::Document;
use rustc_hash::FxHashMap;

use crate::archive::{Archive, resolve};
use crate::charset;
use crate::draft::Draft;
use crate::error::Error;
use crate::html::{self, Wanted};
use crate::options::Options;
use crate::package;
use crate::xml::{Node, Xml};
use quartet_document_kinds::Kind;

/// Reads a book.
pub fn read(bytes: &[u8], options: &Options<'_>) -> Result<Document, Error> {
    let mut archive = Archive::open(bytes, Kind::Epub, &options.limits)?;
    let damaged = |reason: &str| Error::Damaged {
        kind: Kind::Epub,
        reason: reason.to_owned(),
    };
    let container = archive.needed("META-INF/container.xml")?;
    let path = first_attribute(&container, "rootfile", "full-path")?;
    let path = path.ok_or_else(|| damaged("nothing in it names its list of chapters"))?;
    let book = archive.needed(&path)?;
    let chapters = chapters(&book, &path)?;
    if chapters.is_empty() {
        return Err(damaged("it lists no chapters"));
    }
    let locked = encrypted(&archive.text("META-INF/encryption.xml")?.unwrap_or_default())?;
    if chapters.iter().all(|chapter| locked.contains(chapter)) {
        return Err(Error::Password { kind: Kind::Epub });
    }
    let mut draft = Draft::new(options);
    package::metadata(&book, draft.metadata())?;
    // The date of a book is that of its publication.
    let published = publication_date(&book)?;
    let metadata = draft.metadata();
    if metadata.modified == published {
        metadata.modified = None;
    }
    metadata.created = metadata.created.take().or(published);
    for chapter in &chapters {
        draft.begin_page();
        if draft.is_full() {
            break;
        }
        if locked.contains(chapter) {
            draft.warn_page("The chapter is encrypted and was not read.");
            continue;
        }
        let Some(bytes) = archive.read(chapter)? else {
            draft.warn_page("The chapter is missing in the file.");
            continue;
        };
        let page = html::read(&charset::markup(bytes), Wanted::Everything, options.time_left);
        html::add(&page, &mut draft);
    }
    archive.warnings().iter().for_each(|warning| draft.warn(warning));
    Ok(draft.finish(chapters.len()))
}

fn first_attribute(text: &str, element: &str, attribute: &str) -> Result<Option<String>, Error> {
    let mut xml = Xml::new(text);
    while let Some(node) = xml.next()? {
        if let Node::Open(tag) = node
            && tag.name() == element
        {
            return Ok(tag.attribute(attribute));
        }
    }
    Ok(None)
}

/// The parts of the chapters in order. A list of contents is one only where the book has it among them.
fn chapters(book: &str, path: &str) -> Result<Vec<String>, Error> {
    let mut parts: FxHashMap<String, String> = FxHashMap::default();
    let mut all = Vec::new();
    let mut xml = Xml::new(book);
    while let Some(node) = xml.next()? {
        let Node::Open(tag) = node else { continue };
        match tag.name() {
            "item" => {
                let media_type = tag.attribute("media-type").unwrap_or_default();
                let is_text = media_type.contains("html") || media_type.contains("xml") && !media_type.contains("svg");
                if let (true, Some(id), Some(href)) = (is_text, tag.attribute("id"), tag.attribute("href")) {
                    parts.insert(id, resolve(path, &decoded(&href)));
                }
            }
            "itemref" => all.extend(tag.attribute("idref").and_then(|id| parts.get(&id).cloned())),
            _ => {}
        }
    }
    Ok(all)
}

/// An address whose bytes may be written as `%20`.
fn decoded(address: &str) -> String {
    let mut out = Vec::with_capacity(address.len());
    let mut rest = address.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code
            .and_then(|code| u8::from_str_radix(code, 16).ok())
            .filter(|_| *first == b'%')
        {
            Some(byte) => {
                out.push(byte);
                rest = &after[2..];
            }
            None => {
                out.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The parts that are encrypted. Fonts often are, against being copied; they are not read here.
fn encrypted(text: &str) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    let mut xml = Xml::new(text);
    while let Some(node) = xml.next()? {
        if let Node::Open(tag) = node
            && tag.name() == "CipherReference"
        {
            all.extend(tag.attribute("URI").map(|part| decoded(&part)));
        }
    }
    Ok(all)
}

/// The date in the metadata; of several, the first that is not one of a change.
fn publication_date(book: &str) -> Result<Option<String>, Error> {
    let mut xml = Xml::new(book);
    while let Some(node) = xml.next()? {
        if let Node::Open(tag) = node
            && tag.name() == "date"
            && tag.attribute("event").is_none_or(|event| event != "modification")
        {
            let date = xml.text()?.trim().to_owned();
            return Ok((!date.is_empty()).then_some(date));
        }
    }
    Ok(None)
}
