//! Analysis of documents: language and sentences, extractive summaries, and answers to questions with the pages they
//! stand on. A [`Document`] is pages made of blocks; readers of files and web pages make one. Everything is computed
//! from the text; with an embedding model (the trait [`Embed`]), answers are also found that are worded differently, or
//! in another language, than the question. The same document and model give the same answers.
//!
//! The pipeline: `sentence` and `sections` make [`prose`] of a document, [`analyzer`] its terms. For a summary, `graph`
//! ranks sentences by centrality, and `candidates` chooses among them. For answers, `question` classifies the question,
//! `index` keeps passages, `lexical_search` and `semantic_search` find them, and `sentence_scoring` ranks their
//! sentences. Each module names the sources of its methods.
//!
//! Not done: yes or no, sums and comparisons, and questions about all of a document: for these, an [`Overview`] and the
//! passages are there for whoever has a language model. Without an embedding model: what is said in other words than it is
//! asked in, and questions in another language than the document's (names and numbers apart).
//!
//! ```
//! use quartet_text_analysis::{Block, Document, Index, Kind, Page};
//!
//! let block = Block {
//!     kind: Kind::Paragraph,
//!     text: "Debian was begun in August 1993 by Ian Murdock. It comes with 59000 packages.".to_owned(),
//! };
//! let page = Page { number: 1, blocks: vec![block], ..Page::default() };
//! let document = Document { pages: vec![page], ..Document::default() };
//!
//! let answer = Index::build(&document).answer("When was Debian begun?", None);
//! assert!(answer.found);
//! assert_eq!(answer.citations[0].page, 1);
//! assert_eq!(answer.text, "Debian was begun in August 1993 by Ian Murdock.");
//! ```

mod abbreviations;
pub mod analyzer;
mod answer;
mod candidates;
mod discourse_markers;
mod document;
mod embedding;
mod graph;
mod index;
mod key_phrases;
mod lexical_search;
mod lexicon;
mod messages;
mod overview;
mod parts;
pub mod prose;
mod question;
mod question_patterns;
pub mod sections;
mod semantic_search;
pub mod sentence;
mod sentence_scoring;
mod serialization;
mod stop_words;
mod summary;
mod surroundings;
mod title;
mod wanted_language;
mod wanted_length;

pub use analyzer::{Analyzer, Term, word_count};
pub use answer::{ANSWER_CONFIDENCE_THRESHOLD, Answer, Basis, Citation};
pub use candidates::Extract;
pub use document::{Block, Document, Heading, Kind, Layout, Link, Metadata, Page, Place, Source};
pub use embedding::{Embed, Embedding, Role};
pub use index::{Index, MAX_TEXT_BYTES};
pub use messages::{answer_in, nearest, not_found, not_in_it, not_said, only_talk, perhaps, quoted, translated};
pub use overview::{Overview, OverviewHeading};
pub use parts::Part;
pub use semantic_search::{PassageEmbeddings, SemanticSearch};
pub use serialization::DecodeError;
pub use summary::{Summary, SummaryLimits, summarize};
pub use title::title;
pub use wanted_language::{is_question, named_language, wanted_language};
pub use wanted_length::wanted_sentences;
