//! Marked content (ISO 32000-2, 14.6): replacement text and optional content.

use compact_str::CompactString;
use hayro_syntax::object::{Array, Dict, Name, ObjRef, String as PdfString};
use hayro_syntax::xref::XRef;
use rustc_hash::FxHashSet;

use super::characters;
use super::page_content::Glyph;
use super::strings;

/// Optional content groups (layers) that are hidden.
#[derive(Default)]
pub struct OptionalContent(FxHashSet<(u32, i32)>);

impl OptionalContent {
    /// Reads the groups that the default configuration of the document hides.
    pub fn new(xref: &XRef) -> Self {
        let catalog = xref.get::<Dict<'_>>(xref.root_id()).unwrap_or_default();
        let properties = catalog.get::<Dict<'_>>("OCProperties").unwrap_or_default();
        let defaults = properties.get::<Dict<'_>>("D").unwrap_or_default();
        let mut off = FxHashSet::default();
        let references = |array: Option<Array<'_>>| -> Vec<ObjRef> {
            array
                .map(|array| array.raw_iter().filter_map(|item| item.as_obj_ref()).collect())
                .unwrap_or_default()
        };
        if defaults
            .get::<Name<'_>>("BaseState")
            .is_some_and(|state| state.as_ref() == b"OFF")
        {
            off.extend(
                references(properties.get("OCGs"))
                    .iter()
                    .map(|at| (at.obj_number, at.gen_number)),
            );
        }
        for shown in references(defaults.get("ON")) {
            off.remove(&(shown.obj_number, shown.gen_number));
        }
        off.extend(
            references(defaults.get("OFF"))
                .iter()
                .map(|at| (at.obj_number, at.gen_number)),
        );
        Self(off)
    }

    /// Returns true if content is visible that belongs to a group, or to a membership dictionary that names several.
    pub fn is_visible(&self, reference: Option<ObjRef>, membership: Option<&Dict<'_>>) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let hidden = |at: &ObjRef| self.0.contains(&(at.obj_number, at.gen_number));
        if reference.as_ref().is_some_and(hidden) {
            return false;
        }
        let Some(membership) = membership else { return true };
        let groups: Vec<ObjRef> = match membership.get::<Array<'_>>("OCGs") {
            Some(array) => array.raw_iter().filter_map(|item| item.as_obj_ref()).collect(),
            None => membership.get_ref("OCGs").into_iter().collect(),
        };
        let policy = membership.get::<Name<'_>>("P");
        groups.is_empty()
            || match policy.as_ref().map_or("AnyOn", |name| name.as_str()) {
                "AllOn" => !groups.iter().any(hidden),
                "AnyOff" => groups.iter().any(hidden),
                "AllOff" => groups.iter().all(hidden),
                _ => !groups.iter().all(hidden),
            }
    }
}

/// Marked content sequence.
pub struct MarkedContent {
    /// True if it is visible.
    pub visible: bool,
    /// Text that replaces its glyphs (`ActualText`).
    actual: Option<String>,
    /// Index of its first glyph.
    first: usize,
}

impl MarkedContent {
    /// Starts a sequence at a glyph.
    pub fn new(visible: bool, properties: Option<&Dict<'_>>, first: usize) -> Self {
        let actual = properties.and_then(|dict| dict.get::<PdfString<'_>>("ActualText"));
        Self {
            visible,
            actual: actual.map(|text| strings::decode(&text)),
            first,
        }
    }

    /// Replaces the glyphs of the sequence by its replacement text. Text over several lines stays as its glyphs, whose
    /// positions are known, unless they have no text.
    pub fn apply(self, glyphs: &mut Vec<Glyph>) {
        let Some(actual) = self.actual else { return };
        let Some(inside) = glyphs.get(self.first..).filter(|inside| !inside.is_empty()) else {
            return;
        };
        let one_line = inside.windows(2).all(|pair| {
            let tolerance = pair[0].size.max(pair[1].size) * 0.6;
            let (dx, dy) = (pair[1].start.0 - pair[0].end.0, pair[1].start.1 - pair[0].end.1);
            if pair[0].direction % 180 == 0 {
                dy.abs() < tolerance
            } else {
                dx.abs() < tolerance
            }
        });
        let speaks = inside.iter().any(|glyph| !glyph.text.is_empty());
        if !one_line && speaks {
            return;
        }
        let text: CompactString = actual
            .chars()
            .filter_map(|c| characters::clean(c.encode_utf8(&mut [0; 4])))
            .collect();
        let last = inside
            .iter()
            .rev()
            .find(|glyph| !glyph.is_space())
            .or(inside.last())
            .map(|glyph| glyph.end);
        let mut whole = glyphs[self.first].clone();
        whole.text = text.trim_end().into();
        whole.end = last.unwrap_or(whole.end);
        // A replacement by nothing, as of a hyphen at the end of a line, takes the glyphs away.
        glyphs.truncate(self.first);
        if !whole.text.is_empty() {
            glyphs.push(whole);
        }
    }
}
