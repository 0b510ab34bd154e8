//! What a PDF says: [`read`] makes a [`quartet_document::Document`] of a file's bytes. Plain Rust, without files, network or
//! randomness; time and recognisers of text are given to it.

pub mod read;
