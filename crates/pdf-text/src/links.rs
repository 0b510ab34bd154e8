//! Links: their targets and their text on the page.

use hayro_font::kurbo::{Affine, Point};
use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, Name, Object, Rect, String as PdfString};
use hayro_syntax::page::Page;
use quartet_text_analysis::Link;
use rustc_hash::FxHashMap;

use super::page_content::{Area, Glyph};
use super::strings;

/// Most annotations of a page that are read.
const MAX_ANNOTATIONS: usize = 5_000;
/// Most named destinations that are read.
const MAX_NAMED_DESTINATIONS: usize = 20_000;
/// Most areas of one link.
const MAX_LINK_AREAS: usize = 100;

/// Destinations of links and of the outline.
pub struct Destinations<'a> {
    /// Page numbers, from 1, by the objects of the pages.
    pages: FxHashMap<(u32, i32), usize>,
    /// Named destinations.
    names: FxHashMap<Vec<u8>, Array<'a>>,
}

impl<'a> Destinations<'a> {
    /// Reads those of a file: names stand in a dictionary, or in a tree of sorted names (ISO 32000-2, 12.3.2.4).
    pub fn new(pdf: &'a Pdf) -> Self {
        let xref = pdf.xref();
        let catalog: Dict<'a> = xref.get(xref.root_id()).unwrap_or_default();
        let mut pages = FxHashMap::default();
        for (index, page) in pdf.pages().iter().enumerate() {
            if let Some(id) = page.raw().obj_id() {
                pages.insert((id.obj_number, id.gen_number), index + 1);
            }
        }
        let mut names = FxHashMap::default();
        if let Some(dict) = catalog.get::<Dict<'_>>("Dests") {
            for name in dict.keys().take(MAX_NAMED_DESTINATIONS) {
                if let Some(target) = dict.get::<Object<'_>>(&name).and_then(target) {
                    names.insert(name.to_vec(), target);
                }
            }
        }
        let mut nodes: Vec<Dict<'a>> = catalog
            .get::<Dict<'_>>("Names")
            .and_then(|names| names.get::<Dict<'_>>("Dests"))
            .into_iter()
            .collect();
        let mut left = MAX_NAMED_DESTINATIONS;
        while let Some(node) = nodes.pop() {
            let Some(less) = left.checked_sub(1) else { break };
            left = less;
            if let Some(kids) = node.get::<Array<'_>>("Kids") {
                nodes.extend(kids.iter::<Dict<'_>>().take(left));
            }
            if let Some(pairs) = node.get::<Array<'_>>("Names") {
                let mut pairs = pairs.iter::<Object<'_>>().take(4 * MAX_NAMED_DESTINATIONS);
                while let (Some(Object::String(name)), Some(value)) = (pairs.next(), pairs.next()) {
                    if let Some(target) = target(value) {
                        names.insert(name.to_vec(), target);
                    }
                }
            }
        }
        Self { pages, names }
    }

    /// Page number of the target of a link or an entry of the outline: by its destination, or by its action.
    pub fn page(&self, entry: &Dict<'a>) -> Option<usize> {
        let action = action(entry, b"GoTo");
        let target = entry
            .get::<Object<'_>>("Dest")
            .or_else(|| action?.get::<Object<'_>>("D"))?;
        let target = match target {
            Object::Array(array) => array,
            Object::Name(name) => self.names.get(&*name)?.clone(),
            Object::String(name) => self.names.get(&*name)?.clone(),
            _ => return None,
        };
        let reference = target.raw_iter().next()?.as_obj_ref()?;
        self.pages.get(&(reference.obj_number, reference.gen_number)).copied()
    }
}

/// Action of an entry, if it is of a kind.
fn action<'a>(entry: &Dict<'a>, kind: &[u8]) -> Option<Dict<'a>> {
    entry
        .get::<Dict<'_>>("A")
        .filter(|action| action.get::<Name<'_>>("S").is_some_and(|name| name.as_ref() == kind))
}

fn target(value: Object<'_>) -> Option<Array<'_>> {
    match value {
        Object::Array(array) => Some(array),
        Object::Dict(dict) => dict.get("D"),
        _ => None,
    }
}

/// Reads the links of a page, in the order of the file; one over two lines may be two there. `matrix` transforms the
/// page's own coordinates to those of `glyphs`.
pub fn read<'a>(page: &Page<'a>, matrix: Affine, glyphs: &[Glyph], known: &Destinations<'a>) -> Vec<Link> {
    let mut links = Vec::new();
    let Some(annotations) = page.raw().get::<Array<'a>>("Annots") else {
        return links;
    };
    for annotation in annotations.iter::<Dict<'a>>().take(MAX_ANNOTATIONS) {
        if annotation
            .get::<Name<'_>>("Subtype")
            .is_none_or(|kind| kind.as_ref() != b"Link")
        {
            continue;
        }
        let url = action(&annotation, b"URI")
            .and_then(|action| action.get::<PdfString<'_>>("URI"))
            .and_then(|url| strings::line(&url));
        let page = known.page(&annotation);
        if url.is_none() && page.is_none() {
            continue;
        }
        let areas = areas(&annotation, matrix);
        let text = text(glyphs, &areas);
        links.push(Link { text, url, page });
    }
    links
}

/// Areas that a link covers: its quadrilaterals, or else its rectangle.
fn areas(annotation: &Dict<'_>, matrix: Affine) -> Vec<Area> {
    let around = |corners: &[Point]| {
        let first = corners[0];
        let start = Area {
            x0: first.x,
            y0: first.y,
            x1: first.x,
            y1: first.y,
        };
        corners.iter().fold(start, |area, corner| {
            area.with(&Area {
                x0: corner.x,
                y0: corner.y,
                x1: corner.x,
                y1: corner.y,
            })
        })
    };
    let numbers: Vec<f64> = annotation
        .get::<Array<'_>>("QuadPoints")
        .map(|points| points.iter::<f64>().take(8 * MAX_LINK_AREAS).collect())
        .unwrap_or_default();
    let quadrilaterals: Vec<Area> = numbers
        .chunks_exact(8)
        .map(|quad| {
            let corners: Vec<Point> = quad
                .chunks_exact(2)
                .map(|pair| matrix * Point::new(pair[0], pair[1]))
                .collect();
            around(&corners)
        })
        .collect();
    if !quadrilaterals.is_empty() {
        return quadrilaterals;
    }
    let Some(rectangle) = annotation.get::<Rect>("Rect") else {
        return Vec::new();
    };
    vec![around(&[
        matrix * Point::new(rectangle.x0, rectangle.y0),
        matrix * Point::new(rectangle.x1, rectangle.y1),
    ])]
}

/// Text of the glyphs whose middle is in one of the areas, in the order in which they were drawn.
fn text(glyphs: &[Glyph], areas: &[Area]) -> String {
    let mut text = String::new();
    let mut before: Option<&Glyph> = None;
    for glyph in glyphs {
        let (x, y) = (
            f64::midpoint(glyph.start.0, glyph.end.0),
            f64::midpoint(glyph.start.1, glyph.end.1) - 0.3 * glyph.size,
        );
        let inside = |area: &Area| (area.x0..=area.x1).contains(&x) && (area.y0..=area.y1).contains(&y);
        if !areas.iter().any(inside) {
            continue;
        }
        let apart = before.is_some_and(|before| {
            (glyph.start.0 - before.end.0).hypot(glyph.start.1 - before.end.1) > 0.2 * glyph.size
        });
        if apart && !text.ends_with(' ') {
            text.push(' ');
        }
        text.push_str(&glyph.text);
        before = Some(glyph);
    }
    text.trim().to_owned()
}
