//! Limits of reading, so that a small file cannot cause much work or memory.

/// Bounds of what is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Most pages, slides, sheets or chapters; those after them are left out, and the document says so.
    pub max_pages: usize,
    /// Most bytes of text; what comes after is left out, and the document says so.
    pub max_text_bytes: usize,
    /// Most blocks; what comes after is left out, and the document says so.
    pub max_blocks: usize,
    /// Most entries of an archive.
    pub max_entries: usize,
    /// Most bytes of one part of an archive when it is inflated.
    pub max_part_bytes: u64,
    /// Most bytes of all parts of an archive that are read, inflated.
    pub max_inflated_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_pages: 5_000,
            max_text_bytes: 8 << 20,
            max_blocks: 200_000,
            max_entries: 20_000,
            max_part_bytes: 64 << 20,
            max_inflated_bytes: 160 << 20,
        }
    }
}

/// Deepest nesting of XML elements: a nested table of Word takes about ten of them.
pub const MAX_DEPTH: usize = 512;

/// Most cells of one row of a table: what Excel has.
pub const MAX_COLUMNS: usize = 16_384;
