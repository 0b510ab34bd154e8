//! Fonts, as far as reading needs them: text and widths of character codes.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use compact_str::CompactString;
use hayro_cmap::{BfString, CMap, CMapName, CidFamily};
use hayro_font::{CMapResolverFn, FontCache, FontGlyph, FontQuery, FontResolverFn, StandardFont};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as PdfString};
use rustc_hash::FxHashMap;
use skrifa::MetadataProvider;

use super::characters;
use super::decompress;
use super::gbk;

/// Text and metrics of a character code.
#[derive(Debug, Clone)]
pub struct Code {
    /// Its text; none where the file gives none.
    pub text: Option<CompactString>,
    /// Advance, in thousandths of the size, to the right and (in vertical writing) up.
    pub advance: (f64, f64),
    /// Displacement of the glyph from the pen, in thousandths; vertical writing only.
    pub displacement: (f64, f64),
}

/// Font.
pub struct Font<'a> {
    font: hayro_font::Font<'a>,
    /// True if its letters are bold.
    pub bold: bool,
    /// True if it is monospaced.
    pub fixed: bool,
    /// Height of its letters at size 1: not 1 for Type 3 fonts, whose glyphs are small programs.
    pub scale: f64,
    kind: Fallback,
    codes: RefCell<FxHashMap<u32, Rc<Code>>>,
}

/// Source of the text of a code where the font does not give it.
enum Fallback {
    /// The code itself, as in Latin-1.
    Code,
    /// The character map of the font file, reversed.
    File(RefCell<Option<FxHashMap<u32, char>>>),
    /// The characters of an East Asian character collection.
    Collection(Box<Collection>),
    /// Pairs of bytes in GBK.
    Gbk,
    /// Nothing.
    None,
}

/// Maps from the codes of a font to glyphs of an East Asian character collection, and from these to characters.
struct Collection {
    encoding: CMap,
    characters: CMap,
}

impl<'a> Font<'a> {
    fn new(font: hayro_font::Font<'a>, dict: &Dict<'a>) -> Self {
        let subtype = dict.get::<Name<'_>>("Subtype");
        let type3 = subtype.as_deref().is_some_and(|name| name == b"Type3");
        let composite = subtype.as_deref().is_some_and(|name| name == b"Type0");
        let descendant = dict
            .get::<Array<'_>>("DescendantFonts")
            .and_then(|fonts| fonts.iter::<Dict<'_>>().next());
        let descriptor = descendant
            .as_ref()
            .unwrap_or(dict)
            .get::<Dict<'_>>("FontDescriptor")
            .unwrap_or_default();
        let name = dict
            .get::<Name<'_>>("BaseFont")
            .map(|name| name.as_str().to_lowercase())
            .unwrap_or_default();
        let flags = descriptor.get::<u32>("Flags").unwrap_or(0);
        let bold = ["bold", "black", "heavy", "demi"]
            .iter()
            .any(|word| name.contains(word))
            || descriptor
                .get::<f32>("FontWeight")
                .is_some_and(|weight| weight >= 600.0)
            || ["cmbx", "sfbx", "ecbx", "nimbusromno9l-medi"]
                .iter()
                .any(|word| name.contains(word))
            || flags & (1 << 18) != 0;
        let fixed = flags & 1 != 0
            || ["mono", "courier", "consol", "typewriter", "cmtt", "sftt", "ectt"]
                .iter()
                .any(|word| name.contains(word));
        let kind = if composite {
            descendant
                .and_then(|descendant| collection(dict, &descendant))
                .unwrap_or_else(|| Fallback::File(RefCell::new(None)))
        } else if type3 {
            Fallback::Code
        } else if gbk::is_meant(dict, &descriptor) {
            Fallback::Gbk
        } else if subtype.as_deref().is_some_and(|name| name == b"TrueType") {
            Fallback::File(RefCell::new(None))
        } else {
            Fallback::None
        };
        let scale = if type3 { type3_scale(dict) } else { 1.0 };
        Self {
            font,
            bold,
            fixed,
            scale,
            kind,
            codes: RefCell::default(),
        }
    }

    /// Returns true if its lines are horizontal.
    pub fn is_horizontal(&self) -> bool {
        self.font.is_horizontal()
    }

    /// Next code of a string, and its length in bytes.
    pub fn next_code(&self, bytes: &[u8], at: usize) -> (u32, usize) {
        if let Fallback::Gbk = self.kind
            && let Some(code) = gbk::pair(bytes, at)
        {
            return (code, 2);
        }
        let (code, length) = self.font.read_code(bytes, at);
        (code, length.max(1))
    }

    /// Text and metrics of a code.
    pub fn code(&self, code: u32) -> Rc<Code> {
        if let Some(known) = self.codes.borrow().get(&code) {
            return known.clone();
        }
        if matches!(self.kind, Fallback::Gbk) && code > 0xff {
            let found = Rc::new(Code {
                text: gbk::character(code).and_then(|c| characters::clean(c.encode_utf8(&mut [0; 4]))),
                // Ideographs are as wide as they are high; the widths of the font are those of single bytes.
                advance: (1000.0, 0.0),
                displacement: (0.0, 0.0),
            });
            self.codes.borrow_mut().insert(code, found.clone());
            return found;
        }
        let glyph = self.font.glyph(self.font.map_code(code), code);
        let said = match &glyph {
            FontGlyph::Outline(outline) => outline.as_unicode(),
            FontGlyph::Type3(glyph) => glyph.as_unicode(),
        };
        let said = match said {
            Some(BfString::Char(c)) => characters::clean(c.encode_utf8(&mut [0; 4])),
            Some(BfString::String(text)) => characters::clean(&text),
            None => None,
        };
        let advance = self.font.code_advance(code);
        let displacement = self.font.origin_displacement(code);
        let found = Rc::new(Code {
            text: said.or_else(|| self.guess(code, &glyph)),
            advance: (finite(advance.x), finite(advance.y)),
            displacement: (finite(displacement.x), finite(displacement.y)),
        });
        self.codes.borrow_mut().insert(code, found.clone());
        found
    }

    fn guess(&self, code: u32, glyph: &FontGlyph<'_>) -> Option<CompactString> {
        let c = match &self.kind {
            Fallback::None | Fallback::Gbk => return None,
            Fallback::Code => char::from_u32(code).filter(|_| code < 256)?,
            Fallback::File(map) => {
                let FontGlyph::Outline(outline) = glyph else {
                    return None;
                };
                let mut map = map.borrow_mut();
                let map = map.get_or_insert_with(|| {
                    outline
                        .font_data()
                        .map(|file| reversed((*file.data).as_ref()))
                        .unwrap_or_default()
                });
                map.get(&outline.glyph_id().to_u32()).copied()?
            }
            Fallback::Collection(collection) => {
                let cid = (1..=4).find_map(|length| collection.encoding.lookup_cid_code(code, length))?;
                match collection.characters.lookup_bf_string(cid)? {
                    BfString::Char(c) => c,
                    BfString::String(text) => return characters::clean(&text),
                }
            }
        };
        characters::clean(c.encode_utf8(&mut [0; 4]))
    }
}

fn finite(value: f64) -> f64 {
    if value.is_finite() { value.clamp(-1e5, 1e5) } else { 0.0 }
}

/// Scale of a Type 3 font: the height of its box, which is about the size of other fonts.
fn type3_scale(dict: &Dict<'_>) -> f64 {
    let matrix = dict
        .get::<[f64; 6]>("FontMatrix")
        .unwrap_or([0.001, 0.0, 0.0, 0.001, 0.0, 0.0]);
    let bounds = dict.get::<[f64; 4]>("FontBBox").unwrap_or([0.0; 4]);
    let height = ((bounds[3] - bounds[1]) * matrix[3]).abs();
    if height > 0.05 && height < 50.0 {
        height
            .min(1.2 * (bounds[2] - bounds[0]).abs().max(1.0) * matrix[0].abs())
            .max(0.05)
    } else {
        1.0
    }
}

/// Characters of the glyphs of a font file.
fn reversed(file: &[u8]) -> FxHashMap<u32, char> {
    let Ok(font) = skrifa::FontRef::new(file) else {
        return FxHashMap::default();
    };
    let mut map = FxHashMap::default();
    for (code, glyph) in font.charmap().mappings() {
        if let Some(c) = char::from_u32(code) {
            map.entry(glyph.to_u32()).or_insert(c);
        }
    }
    map
}

/// Characters of an East Asian character collection, for a font that names one.
fn collection(dict: &Dict<'_>, descendant: &Dict<'_>) -> Option<Fallback> {
    let info = descendant.get::<Dict<'_>>("CIDSystemInfo")?;
    let registry = info.get::<PdfString<'_>>("Registry")?;
    let ordering = info.get::<PdfString<'_>>("Ordering")?;
    let mut family = CidFamily::from_registry_ordering(&registry, &ordering);
    let encoding = match dict.get::<Object<'_>>("Encoding")? {
        Object::Name(name) => match CMapName::from_bytes(&name) {
            CMapName::IdentityH => CMap::identity_h(),
            CMapName::IdentityV => CMap::identity_v(),
            name => {
                let found = CMap::parse(hayro_cmap::load_embedded(name)?, hayro_cmap::load_embedded)?;
                if let Some(collection) = &found.metadata().character_collection {
                    family = collection.family.clone();
                }
                found
            }
        },
        _ => return None,
    };
    let characters = CMap::parse(
        hayro_cmap::load_embedded(family.ucs2_cmap()?)?,
        hayro_cmap::load_embedded,
    )?;
    Some(Fallback::Collection(Box::new(Collection { encoding, characters })))
}

/// Fonts of a document.
pub struct Fonts<'a> {
    cache: FontCache<'a>,
    fonts: FontResolverFn,
    maps: CMapResolverFn,
    /// Fonts by the addresses of their dictionaries: a direct dictionary has no number of its own.
    known: RefCell<FxHashMap<*const u8, Option<Rc<Font<'a>>>>>,
    /// Most bytes of one stream of a font.
    max_stream_bytes: usize,
}

impl<'a> Fonts<'a> {
    /// Creates an empty cache.
    pub fn new(max_stream_bytes: usize) -> Self {
        Self {
            cache: FontCache::new(),
            fonts: Arc::new(|query| match query {
                FontQuery::Standard(font) => Some(font.get_font_data()),
                FontQuery::Fallback(query) => Some(query.pick_standard_font().get_font_data()),
            }),
            maps: Arc::new(hayro_cmap::load_embedded),
            known: RefCell::default(),
            max_stream_bytes,
        }
    }

    /// Font that a dictionary describes; none if it cannot be read.
    pub fn font(&self, dict: &Dict<'a>) -> Option<Rc<Font<'a>>> {
        let key = dict.data().as_ptr();
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let found = self
            .is_bounded(dict)
            .then(|| self.cache.font(dict, &self.fonts, &self.maps))
            .flatten();
        let found = found.map(|font| Rc::new(Font::new(font, dict)));
        self.known.borrow_mut().insert(key, found.clone());
        found
    }

    /// Font for text that names none.
    pub fn plain(&self) -> Option<Rc<Font<'a>>> {
        let font = self.cache.standard_font(StandardFont::Helvetica, &self.fonts)?;
        Some(Rc::new(Font::new(font, &Dict::empty())))
    }

    /// Returns true if the streams of a font are of a size that may be decoded.
    fn is_bounded(&self, dict: &Dict<'a>) -> bool {
        let descendant = dict
            .get::<Array<'_>>("DescendantFonts")
            .and_then(|fonts| fonts.iter::<Dict<'_>>().next());
        let parts = [Some(dict.clone()), descendant];
        parts.into_iter().flatten().all(|part| {
            let own = ["ToUnicode", "Encoding", "CIDToGIDMap"]
                .iter()
                .filter_map(|key| part.get::<Stream<'_>>(key));
            let descriptor = part.get::<Dict<'_>>("FontDescriptor").unwrap_or_default();
            let files = ["FontFile", "FontFile2", "FontFile3"]
                .iter()
                .filter_map(|key| descriptor.get::<Stream<'_>>(key));
            own.chain(files)
                .all(|stream| decompress::fits(&stream, self.max_stream_bytes))
                && widths_are_bounded(&part)
        })
    }
}

/// Returns true if no range of widths is of millions of codes, which would be filled one by one.
fn widths_are_bounded(dict: &Dict<'_>) -> bool {
    ["W", "W2"]
        .iter()
        .filter_map(|key| dict.get::<Array<'_>>(key))
        .all(|widths| {
            let mut previous: Option<f64> = None;
            widths.iter::<Object<'_>>().all(|object| {
                let number = object.into_number().map(|number| number.as_f64());
                let wide = matches!((previous, number), (Some(first), Some(last)) if last - first > 70_000.0);
                previous = number;
                !wide
            })
        })
}
