//! Annotations: their appearances, and the values and notes that have none.

use hayro_syntax::object::{Array, Dict, Name, Object, Rect, Stream, String as PdfString};
use hayro_syntax::page::Page;

use super::content::Interpreter;
use super::strings;

/// Most annotations of a page that are read.
const MAX_ANNOTATIONS: usize = 5_000;
/// Most levels of parents of a form field.
const MAX_FIELD_DEPTH: usize = 16;
/// Flag of annotations that are not shown.
const HIDDEN_FLAG: u32 = 1 << 1;
/// Flag of annotations that are shown in print only.
const NO_VIEW_FLAG: u32 = 1 << 5;

/// Reads the annotations of a page: appearances become a part of its content; the values of fields and the text of
/// notes that have none are returned.
pub fn read<'a>(page: &Page<'a>, interpreter: &mut Interpreter<'_, 'a>) -> Vec<String> {
    let mut notes = Vec::new();
    let Some(annotations) = page.raw().get::<Array<'a>>("Annots") else {
        return notes;
    };
    for annotation in annotations.iter::<Dict<'a>>().take(MAX_ANNOTATIONS) {
        if annotation.get::<u32>("F").unwrap_or(0) & (HIDDEN_FLAG | NO_VIEW_FLAG) != 0 {
            continue;
        }
        let kind = annotation.get::<Name<'_>>("Subtype");
        let kind = kind.as_ref().map_or("", |name| name.as_str());
        match (appearance(&annotation), annotation.get::<Rect>("Rect")) {
            (Some(form), Some(into)) if kind != "Popup" && kind != "Text" => {
                interpreter.appearance(&form, into, page.resources());
            }
            _ if kind == "Widget" => notes.extend(field(&annotation)),
            _ => {}
        }
        if matches!(
            kind,
            "Text" | "Highlight" | "Underline" | "StrikeOut" | "Squiggly" | "Caret" | "FileAttachment"
        ) {
            let note = annotation
                .get::<PdfString<'_>>("Contents")
                .and_then(|text| strings::line(&text));
            notes.extend(note);
        }
    }
    notes
}

/// Normal appearance of an annotation in its current state.
fn appearance<'a>(annotation: &Dict<'a>) -> Option<Stream<'a>> {
    match annotation.get::<Dict<'a>>("AP")?.get::<Object<'a>>("N")? {
        Object::Stream(stream) => Some(stream),
        Object::Dict(states) => states.get::<Stream<'a>>(annotation.get::<Name<'_>>("AS")?),
        _ => None,
    }
}

/// Name and value of a form field without an appearance.
fn field(annotation: &Dict<'_>) -> Option<String> {
    let mut at = annotation.clone();
    let mut name: Option<String> = None;
    for _ in 0..MAX_FIELD_DEPTH {
        name = name.or_else(|| at.get::<PdfString<'_>>("T").and_then(|name| strings::line(&name)));
        let value = match at.get::<Object<'_>>("V") {
            Some(Object::String(value)) => strings::line(&value),
            Some(Object::Name(value)) if value.as_ref() != b"Off" => Some(value.as_str().to_owned()),
            _ => None,
        };
        if let Some(value) = value {
            return Some(name.map_or(value.clone(), |name| format!("{name}: {value}")));
        }
        at = at.get::<Dict<'_>>("Parent")?;
    }
    None
}
