//! Interpreter of content streams, for text and the ruling lines of tables.
//!
//! This walks the operators itself and does not use an interpreter that draws, for three reasons: colours, patterns and
//! pictures need no work; a page can be left in the middle when the time is up or a limit is reached; and the width and
//! weight of the fonts are at hand.

mod paths;
mod text;

use hayro_font::kurbo::Affine;
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction;
use hayro_syntax::object::{Array, Dict, Name, Object, Rect, Stream, dict_or_stream};
use hayro_syntax::page::Resources;

use crate::decompress::{self, DecodeError};
use crate::font::Fonts;
use crate::limits::Limits;
use crate::marked_content::{MarkedContent, OptionalContent};
use crate::page_content::{Area, PageContent};
use crate::state::{Path, State};

/// Most pictures of a page.
const MAX_PICTURES: usize = 1_000;
/// Most graphics states that are saved at once.
const MAX_SAVED_STATES: usize = 512;
/// Operators between two checks of the time.
const OPERATORS_PER_TIME_CHECK: u32 = 2_048;

/// Resources that all pages of a document share.
pub struct DocumentContext<'r, 'a> {
    /// The fonts.
    pub fonts: &'r Fonts<'a>,
    /// Optional content groups that are hidden.
    pub optional_content: &'r OptionalContent,
    /// Bounds of what is read.
    pub limits: &'r Limits,
    /// Deadline: returns true while time is left.
    pub time_left: &'r dyn Fn() -> bool,
}

/// Interpreter of the content of one page.
pub struct Interpreter<'r, 'a> {
    context: &'r DocumentContext<'r, 'a>,
    page: PageContent,
    page_area: Area,
    state: State<'a>,
    saved: Vec<State<'a>>,
    text_matrix: Affine,
    line_matrix: Affine,
    path: Path,
    marked: Vec<MarkedContent>,
    depth: usize,
    bytes: usize,
    operators: u32,
    /// True if the page was left before its end.
    stopped: bool,
    /// True if that was because the time was up.
    pub timed_out: bool,
}

impl<'r, 'a> Interpreter<'r, 'a> {
    /// Starts an empty page; `matrix` transforms its units to points from its upper left corner.
    pub fn new(context: &'r DocumentContext<'r, 'a>, matrix: Affine, (width, height): (f64, f64)) -> Self {
        Self {
            context,
            page: PageContent {
                width,
                height,
                ..PageContent::default()
            },
            page_area: Area {
                x0: -2.0,
                y0: -2.0,
                x1: width + 2.0,
                y1: height + 2.0,
            },
            state: State::new(matrix),
            saved: Vec::new(),
            text_matrix: Affine::IDENTITY,
            line_matrix: Affine::IDENTITY,
            path: Path::default(),
            marked: Vec::new(),
            depth: 0,
            bytes: 0,
            operators: 0,
            stopped: false,
            timed_out: false,
        }
    }

    /// Returns what was found.
    pub fn into_page_content(self) -> PageContent {
        self.page
    }

    /// Adds a warning, unless it is there already.
    fn warn(&mut self, warning: &str) {
        if !self.page.warnings.iter().any(|known| known == warning) {
            self.page.warnings.push(warning.into());
        }
    }

    /// Decodes a stream, within what is left of the page's share.
    fn decode<'s>(&mut self, stream: &Stream<'s>) -> Option<std::borrow::Cow<'s, [u8]>> {
        let left = self.context.limits.max_page_content_bytes.saturating_sub(self.bytes);
        match decompress::decode(stream, self.context.limits.max_stream_bytes.min(left)) {
            Ok(bytes) => {
                self.bytes += bytes.len();
                Some(bytes)
            }
            Err(DecodeError::TooLarge) => {
                let limit = self.context.limits.max_page_content_bytes;
                self.warn(&format!(
                    "The page's content is over the limit of {limit} bytes; a part of it was left out."
                ));
                None
            }
            Err(DecodeError::Undecodable) => {
                self.warn("A part of the page's content is damaged and was left out.");
                None
            }
        }
    }

    /// Interprets the content streams of a page.
    pub fn run_page(&mut self, contents: Option<Object<'a>>, resources: &Resources<'a>) {
        let streams: Vec<Stream<'a>> = match contents {
            Some(Object::Stream(stream)) => vec![stream],
            Some(Object::Array(array)) => array.iter::<Stream<'a>>().collect(),
            _ => return,
        };
        let mut whole = Vec::new();
        for stream in &streams {
            if let Some(bytes) = self.decode(stream) {
                whole.extend_from_slice(&bytes);
                whole.push(b'\n');
            }
        }
        self.run(&whole, resources);
    }

    /// Interprets the appearance of an annotation, which is drawn into a rectangle (ISO 32000-2, 12.5.5).
    pub fn appearance(&mut self, form: &Stream<'a>, into: Rect, resources: &Resources<'a>) {
        let dict = form.dict();
        let matrix = Affine::new(dict.get::<[f64; 6]>("Matrix").unwrap_or([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]));
        let Some(bounds) = dict.get::<Rect>("BBox") else { return };
        let bounds = hayro_font::kurbo::Rect::new(bounds.x0, bounds.y0, bounds.x1, bounds.y1);
        let bounds = matrix.transform_rect_bbox(bounds);
        let (sx, sy) = (
            (into.x1 - into.x0) / bounds.width(),
            (into.y1 - into.y0) / bounds.height(),
        );
        if !sx.is_finite() || !sy.is_finite() {
            return;
        }
        let fit = Affine::new([sx, 0.0, 0.0, sy, into.x0 - sx * bounds.x0, into.y0 - sy * bounds.y0]);
        let before = self.state.clone();
        self.state.matrix *= fit;
        self.form(form, resources);
        self.state = before;
    }

    fn is_visible(&self) -> bool {
        self.marked.last().is_none_or(|mark| mark.visible)
    }

    fn form(&mut self, stream: &Stream<'a>, resources: &Resources<'a>) {
        if self.depth >= self.context.limits.max_form_depth {
            let limit = self.context.limits.max_form_depth;
            self.warn(&format!(
                "Forms are nested deeper than the limit of {limit}; those inside were left out."
            ));
            return;
        }
        let Some(bytes) = self.decode(stream) else { return };
        let dict = stream.dict();
        let own = dict.get::<Dict<'_>>("Resources").map(Resources::new);
        let matrix = Affine::new(dict.get::<[f64; 6]>("Matrix").unwrap_or([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]));
        let (before, text, line) = (self.state.clone(), self.text_matrix, self.line_matrix);
        self.state.matrix *= matrix;
        self.depth += 1;
        self.path.clear();
        self.run(&bytes, own.as_ref().unwrap_or(resources));
        self.depth -= 1;
        (self.state, self.text_matrix, self.line_matrix) = (before, text, line);
    }

    fn run(&mut self, bytes: &[u8], resources: &Resources<'a>) {
        let (saved, marks) = (self.saved.len(), self.marked.len());
        let mut operators = TypedIter::new(bytes);
        while !self.stopped
            && let Some(operator) = operators.next()
        {
            self.operators += 1;
            if self.operators.is_multiple_of(OPERATORS_PER_TIME_CHECK) && !(self.context.time_left)() {
                (self.stopped, self.timed_out) = (true, true);
            }
            if self.page.glyphs.len() > self.context.limits.max_page_characters {
                let limit = self.context.limits.max_page_characters;
                self.warn(&format!(
                    "The page is over the limit of {limit} characters; the rest was left out."
                ));
                self.stopped = true;
            }
            if !self.text_operator(&operator, resources) && !self.path_operator(&operator) {
                self.other_operator(operator, resources, saved, marks);
            }
        }
        while self.marked.len() > marks {
            self.end_marked_content();
        }
        if self.saved.len() > saved {
            self.state = self.saved.swap_remove(saved);
            self.saved.truncate(saved);
        }
    }

    fn other_operator(
        &mut self,
        operator: TypedInstruction<'_, '_>,
        resources: &Resources<'a>,
        saved: usize,
        marks: usize,
    ) {
        use TypedInstruction as Op;
        match operator {
            Op::SaveState(_) if self.saved.len() < MAX_SAVED_STATES => self.saved.push(self.state.clone()),
            Op::RestoreState(_) if self.saved.len() > saved => {
                if let Some(state) = self.saved.pop() {
                    self.state = state;
                }
            }
            Op::Transform(m) => {
                let matrix = [m.0, m.1, m.2, m.3, m.4, m.5].map(|number| number.as_f64());
                self.state.matrix *= Affine::new(matrix);
            }
            Op::SetGraphicsState(name) => {
                let Some(font) = resources
                    .get_ext_g_state(name.0)
                    .and_then(|dict| dict.get::<Array<'_>>("Font"))
                else {
                    return;
                };
                let mut parts = font.iter::<Object<'_>>();
                if let (Some(Object::Dict(dict)), Some(Object::Number(size))) = (parts.next(), parts.next()) {
                    self.state.size = size.as_f64();
                    self.state.font = self.font(&dict);
                }
            }
            Op::XObject(name) => self.object(name.0, resources),
            Op::InlineImage(image) => self.picture(image.0.dict()),
            Op::Shading(_) => self.page.drawn = true,
            Op::BeginMarkedContent(_) => {
                let visible = self.is_visible();
                self.marked
                    .push(MarkedContent::new(visible, None, self.page.glyphs.len()));
            }
            Op::BeginMarkedContentWithProperties(content) => {
                let name = content.1.clone().into_name();
                let listed = name
                    .as_ref()
                    .and_then(|name| resources.properties.get::<Dict<'_>>(name));
                let direct = dict_or_stream(content.1).map(|(dict, _)| dict.clone());
                let properties = listed.or(direct);
                let mut visible = self.is_visible();
                if content.0.as_ref() == b"OC" {
                    let reference = name.as_ref().and_then(|name| resources.properties.get_ref(name));
                    visible &= self.context.optional_content.is_visible(reference, properties.as_ref());
                }
                self.marked
                    .push(MarkedContent::new(visible, properties.as_ref(), self.page.glyphs.len()));
            }
            Op::EndMarkedContent(_) if self.marked.len() > marks => self.end_marked_content(),
            _ => {}
        }
    }

    fn end_marked_content(&mut self) {
        if let Some(mark) = self.marked.pop() {
            mark.apply(&mut self.page.glyphs);
        }
    }

    fn object(&mut self, name: &Name<'_>, resources: &Resources<'a>) {
        let Some(stream) = resources.get_x_object(name) else {
            return;
        };
        let dict = stream.dict();
        let membership = dict.get::<Dict<'_>>("OC");
        if !self.is_visible()
            || !self
                .context
                .optional_content
                .is_visible(dict.get_ref("OC"), membership.as_ref())
        {
            return;
        }
        match dict.get::<Name<'_>>("Subtype").as_deref() {
            Some(b"Form") => self.form(&stream, resources),
            Some(b"Image") => self.picture(dict),
            _ => {}
        }
    }

    /// Keeps the bounds of a picture: the unit square under the current matrix.
    fn picture(&mut self, dict: &Dict<'_>) {
        let side = |long: &str, short: &str| dict.get::<u32>(long).or_else(|| dict.get::<u32>(short)).unwrap_or(0);
        let pixels = u64::from(side("Width", "W")) * u64::from(side("Height", "H"));
        let square = hayro_font::kurbo::Rect::new(0.0, 0.0, 1.0, 1.0);
        let square = self.state.matrix.transform_rect_bbox(square);
        if self.page.pictures.len() < MAX_PICTURES {
            let area = Area {
                x0: square.x0,
                y0: square.y0,
                x1: square.x1,
                y1: square.y1,
            };
            self.page.pictures.push((area, pixels));
        }
    }
}
