//! Limits of reading, so that a small file cannot cause much work or memory.

/// Most pixels of a picture that is decoded for OCR.
pub const MAX_PICTURE_PIXELS: u64 = 40_000_000;

/// Bounds of what is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Most pages that are read; those after them are left out, and the document says so.
    pub max_pages: usize,
    /// Most objects in the file.
    pub max_objects: usize,
    /// Most bytes of one decoded stream.
    pub max_stream_bytes: usize,
    /// Most bytes of all decoded streams that stay in memory.
    pub max_retained_stream_bytes: usize,
    /// Most bytes of the content of one page, with all forms that it draws.
    pub max_page_content_bytes: usize,
    /// Most characters on one page.
    pub max_page_characters: usize,
    /// Deepest nesting of forms.
    pub max_form_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_pages: 5_000,
            max_objects: 1_000_000,
            max_stream_bytes: 64 << 20,
            max_retained_stream_bytes: 96 << 20,
            max_page_content_bytes: 64 << 20,
            max_page_characters: 500_000,
            max_form_depth: 16,
        }
    }
}
