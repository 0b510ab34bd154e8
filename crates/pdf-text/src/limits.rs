//! How much of a file is read at most, so that a small file cannot ask for much work or memory.

/// The most pixels of a picture that is decoded to be read.
pub const PICTURE: u64 = 40_000_000;

/// Bounds of what is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Pages that are read; those after them are left out, and the document says so.
    pub max_pages: usize,
    /// Objects in the file.
    pub max_objects: usize,
    /// Bytes that one stream may have when it is decoded.
    pub max_stream_bytes: usize,
    /// Bytes that all streams that stay in memory may have when they are decoded.
    pub max_retained_stream_bytes: usize,
    /// Bytes of content of one page, with all forms that it draws.
    pub max_page_content_bytes: usize,
    /// Characters on one page.
    pub max_page_characters: usize,
    /// Forms drawn inside forms.
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
