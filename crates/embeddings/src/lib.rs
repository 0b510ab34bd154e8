//! Text embeddings: texts that say the same lie close together, in whatever language they are.
//!
//! The model is multilingual-e5-small (Wang et al., "Multilingual E5 Text Embeddings", 2024), computed by an
//! implementation of [`Graphs`]. Its tokenizer is here, because a graph takes numbers; the vocabulary comes into the
//! program when it is built.
//!
//! ```
//! use quartet_embeddings::Embedder;
//! use quartet_inference::{GraphError, Graphs};
//! use quartet_text_analysis::Role;
//!
//! fn similarity(graphs: &dyn Graphs, question: &str, passage: &str) -> Result<f32, GraphError> {
//!     let embedder = Embedder::new(graphs).map_err(|_| GraphError::Failed("no vocabulary".to_owned()))?;
//!     let question = embedder.embeddings(Role::Question, &[question])?;
//!     let passage = embedder.embeddings(Role::Passage, &[passage])?;
//!     Ok(question[0].cosine_similarity(&passage[0]))
//! }
//! ```

mod normalise;
mod tokenizer;

use quartet_inference::{Data, GraphError, Graphs, NamedTensor, Tensor};
use quartet_text_analysis::{Embed, Embedding, Role};

pub use tokenizer::{InvalidVocabulary, Tokenizer};

/// The name of the graph.
pub const GRAPH: &str = "embedding";
/// Limit for the tokens of a text that is searched: passages are shorter, and longer texts cost too much.
const MAX_TEXT_TOKENS: usize = 256;
/// Limit for the tokens of a text, with those around it, that the model was trained with.
pub const MAX_MODEL_TOKENS: usize = 512;
/// Numbers in a vector.
pub const DIMENSIONS: usize = 384;
/// The name that the model was published under.
pub const MODEL: &str = "multilingual-e5-small";
/// Limit for the tokens of a batch, padding included.
const MAX_BATCH_TOKENS: usize = 1024;
/// The token that pads texts of a batch to the same length.
const PADDING_TOKEN: i64 = 1;
/// The tokens before and after each text.
const BEGIN_TOKEN: i64 = 0;
const END_TOKEN: i64 = 2;

/// The vocabulary; empty when it was not there at the build.
static VOCABULARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/vocabulary.bin"));

/// Computes embeddings of texts.
pub struct Embedder<'a> {
    tokenizer: Tokenizer<'static>,
    graphs: &'a dyn Graphs,
}

impl<'a> Embedder<'a> {
    /// Creates an embedder with the vocabulary in this program.
    ///
    /// # Errors
    /// When there is none.
    pub fn new(graphs: &'a dyn Graphs) -> Result<Self, InvalidVocabulary> {
        Ok(Self {
            tokenizer: Tokenizer::new(VOCABULARY)?,
            graphs,
        })
    }

    /// Computes one embedding per text, in the order of the texts.
    ///
    /// # Errors
    /// See [`GraphError`].
    pub fn embeddings(&self, role: Role, texts: &[&str]) -> Result<Vec<Embedding>, GraphError> {
        let tokens: Vec<Vec<i64>> = texts
            .iter()
            .map(|text| self.tokens(role, text, MAX_TEXT_TOKENS))
            .collect();
        let mut embeddings = vec![Embedding::default(); texts.len()];
        self.compute(&tokens, &mut |text, vector| {
            embeddings[text] = Embedding::new(vector);
            true
        })?;
        Ok(embeddings)
    }

    /// The tokens of a text with those around it, at most so many.
    pub fn tokens(&self, role: Role, text: &str, most: usize) -> Vec<i64> {
        // The model was trained with these words before its texts.
        let purpose = match role {
            Role::Question => "query: ",
            Role::Passage => "passage: ",
        };
        let mut tokens = vec![BEGIN_TOKEN];
        let text = format!("{purpose}{text}");
        tokens.extend(self.tokenizer.encode(&text, most.saturating_sub(2)).map(i64::from));
        tokens.push(END_TOKEN);
        tokens
    }

    /// Computes the vectors of texts that [`tokens`](Self::tokens) made, those of about the same length together, the
    /// shortest first. `take` gets the position of each text and its [`DIMENSIONS`] numbers, and returns false to end.
    ///
    /// # Errors
    /// See [`GraphError`].
    pub fn compute(&self, tokens: &[Vec<i64>], take: &mut dyn FnMut(usize, &[f32]) -> bool) -> Result<(), GraphError> {
        let mut order: Vec<usize> = (0..tokens.len()).collect();
        order.sort_by_key(|text| tokens[*text].len());
        let mut rest = &order[..];
        while let Some(first) = rest.first() {
            let mut count = 1;
            let mut length = tokens[*first].len();
            // Texts of about the same length go together: padding costs as much as text.
            while let Some(next) = rest.get(count).map(|text| tokens[*text].len())
                && next * (count + 1) <= MAX_BATCH_TOKENS
                && next * 4 <= tokens[*first].len() * 5
            {
                length = next;
                count += 1;
            }
            let (batch, after) = rest.split_at(count);
            rest = after;
            let mut numbers = Vec::with_capacity(count * length);
            for text in batch {
                numbers.extend(&tokens[*text]);
                numbers.resize(numbers.len() + length - tokens[*text].len(), PADDING_TOKEN);
            }
            let values = self.run(count, length, numbers)?;
            for (text, vector) in batch.iter().zip(values.chunks_exact(values.len() / count)) {
                if !take(*text, vector) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Computes a batch: `count` vectors behind one another.
    fn run(&self, count: usize, length: usize, tokens: Vec<i64>) -> Result<Vec<f32>, GraphError> {
        let defect = |what: &str| GraphError::Failed(format!("`{GRAPH}`: {what}"));
        let tokens = Tensor::new([count, length], Data::I64(tokens)).map_err(|error| defect(&error.to_string()))?;
        let outputs = self
            .graphs
            .run(GRAPH, vec![NamedTensor::new("tokens", tokens)], &["embedding"])?;
        let output = outputs.first().ok_or_else(|| defect("it gave no output"))?;
        let (shape, values) = (output.tensor.shape(), output.tensor.as_f32());
        match (shape, values) {
            ([rows, width], Some(values)) if *rows == count && *width > 0 => Ok(values.to_vec()),
            _ => Err(defect("its output has another shape")),
        }
    }
}

impl Embed for Embedder<'_> {
    fn embed(&self, role: Role, texts: &[&str]) -> Option<Vec<Embedding>> {
        self.embeddings(role, texts)
            // For the log: without vectors, answers are found by their words.
            .inspect_err(|error| eprintln!("{error}"))
            .ok()
    }
}
