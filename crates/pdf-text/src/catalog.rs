//! Metadata and outline of a document.

use hayro_syntax::Pdf;
use hayro_syntax::object::{DateTime, Dict, ObjRef, Stream, String as PdfString};
use quick_xml::events::Event;
use rustc_hash::{FxHashMap, FxHashSet};

use quartet_text_analysis::{Heading, Metadata};

use super::decompress;
use super::links::Destinations;
use super::strings;

/// Most bytes of an XMP packet.
const MAX_XMP_BYTES: usize = 4 << 20;
/// Most entries of the outline.
const MAX_BOOKMARKS: usize = 10_000;

/// Deepest level of the outline.
const MAX_OUTLINE_DEPTH: usize = 32;

/// Reads the metadata of a document from its information dictionary or, where that is silent, from its XMP packet.
pub fn metadata(pdf: &Pdf) -> Metadata {
    let info = pdf.metadata();
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
    let packet = catalog
        .get::<Stream<'_>>("Metadata")
        .and_then(|stream| decompress::decode(&stream, MAX_XMP_BYTES).ok());
    let mut xmp = packet.map(|packet| xmp(&packet)).unwrap_or_default();
    let text = |bytes: &Option<Box<[u8]>>| bytes.as_deref().and_then(strings::line);
    let mut other = |key: &str| xmp.remove(key);
    Metadata {
        title: text(&info.title).or_else(|| other("title")),
        author: text(&info.author).or_else(|| other("creator")),
        subject: text(&info.subject).or_else(|| other("description")),
        created: info
            .creation_date
            .map(|date| iso(&date))
            .or_else(|| other("CreateDate")),
        modified: info
            .modification_date
            .map(|date| iso(&date))
            .or_else(|| other("ModifyDate")),
        page_count: pdf.pages().len(),
        language: catalog
            .get::<PdfString<'_>>("Lang")
            .and_then(|tag| strings::line(&tag))
            .or_else(|| other("language")),
    }
}

/// Formats a date as ISO 8601.
fn iso(date: &DateTime) -> String {
    let DateTime {
        year,
        month,
        day,
        hour,
        minute,
        second,
        utc_offset_hour,
        utc_offset_minute,
    } = date;
    let zone = if *utc_offset_hour == 0 && *utc_offset_minute == 0 {
        "Z".to_owned()
    } else {
        format!("{utc_offset_hour:+03}:{utc_offset_minute:02}")
    };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}")
}

/// First value of each property of an XMP packet (ISO 16684-1) that is of use here.
fn xmp(packet: &[u8]) -> FxHashMap<&'static str, String> {
    const KEYS: [&str; 6] = [
        "title",
        "creator",
        "description",
        "CreateDate",
        "ModifyDate",
        "language",
    ];
    let mut found = FxHashMap::default();
    let mut reader = quick_xml::Reader::from_reader(packet);
    let mut inside: Option<&'static str> = None;
    let key_of = |name: &[u8]| KEYS.into_iter().find(|key| key.as_bytes() == name);
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) | Event::Empty(tag) => {
                if let Some(key) = key_of(tag.local_name().as_ref()) {
                    inside = Some(key);
                }
                for attribute in tag.attributes().flatten() {
                    if let Some(key) = key_of(attribute.key.local_name().as_ref())
                        && let Ok(value) = attribute.unescape_value()
                    {
                        found.entry(key).or_insert_with(|| value.trim().to_owned());
                    }
                }
            }
            Event::Text(text) => {
                if let (Some(key), Ok(value)) = (inside, text.decode())
                    && !value.trim().is_empty()
                {
                    found.entry(key).or_insert_with(|| value.trim().to_owned());
                }
            }
            Event::End(tag) if inside.is_some_and(|key| key.as_bytes() == tag.local_name().as_ref()) => inside = None,
            Event::Eof => break,
            _ => {}
        }
    }
    found.retain(|_, value: &mut String| !value.is_empty());
    found
}

/// Reads the outline of a document.
pub fn outline<'a>(pdf: &'a Pdf, known: &Destinations<'a>) -> Vec<Heading> {
    let xref = pdf.xref();
    let catalog = xref.get::<Dict<'_>>(xref.root_id()).unwrap_or_default();
    let Some(root) = catalog.get::<Dict<'_>>("Outlines") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut seen: FxHashSet<(u32, i32)> = FxHashSet::default();
    // The entry that is next on each level.
    let mut stack: Vec<Option<ObjRef>> = vec![root.get_ref("First")];
    while let Some(next) = stack.last_mut() {
        let Some(at) = next.take() else {
            stack.pop();
            continue;
        };
        if found.len() >= MAX_BOOKMARKS
            || stack.len() > MAX_OUTLINE_DEPTH
            || !seen.insert((at.obj_number, at.gen_number))
        {
            continue;
        }
        let Some(entry) = xref.get::<Dict<'_>>(at.into()) else {
            continue;
        };
        let level = stack.len();
        if let Some(last) = stack.last_mut() {
            *last = entry.get_ref("Next");
        }
        if let Some(title) = entry
            .get::<PdfString<'_>>("Title")
            .and_then(|title| strings::line(&title))
        {
            found.push(Heading {
                title,
                level: u8::try_from(level).unwrap_or(u8::MAX),
                page: known.page(&entry),
            });
        }
        stack.push(entry.get_ref("First"));
    }
    found
}
