//! How much of a file is read at most, so that a small file cannot ask for much work or memory.

/// The most pixels of a picture that is decoded to be read.
pub const PICTURE: u64 = 40_000_000;

/// Bounds of what is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Pages that are read; those after them are left out, and the document says so.
    pub pages: usize,
    /// Objects in the file.
    pub objects: usize,
    /// Bytes that one stream may have when it is decoded.
    pub stream: usize,
    /// Bytes that all streams that stay in memory may have when they are decoded.
    pub streams: usize,
    /// Bytes of content of one page, with all forms that it draws.
    pub page_content: usize,
    /// Characters on one page.
    pub characters: usize,
    /// Forms drawn inside forms.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pages: 5_000,
            objects: 1_000_000,
            stream: 64 << 20,
            streams: 96 << 20,
            page_content: 64 << 20,
            characters: 500_000,
            depth: 16,
        }
    }
}
