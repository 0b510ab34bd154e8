//! What texts mean, as vectors: what says the same lies close together, in whatever language it is said.
//!
//! The model is multilingual-e5-small (Wang et al., "Multilingual E5 Text Embeddings", 2024), computed by whoever gives
//! [`Graphs`]. Its tokenizer is here, because a graph takes numbers; the vocabulary comes into the program when it is
//! built.

mod normalise;
mod tokenizer;

use quartet_inference::{Data, GraphError, Graphs, NamedTensor, Tensor};
use quartet_text_analysis::{Embed, Embedding, Role};

pub use tokenizer::{Tokenizer, Unreadable};

/// The graph.
pub const GRAPH: &str = "embedding";
/// The most tokens of a text that are looked at: passages are shorter, and what is longer costs too much.
const LONGEST: usize = 256;
/// So many tokens are computed at once, those that fill a batch up included.
const BATCH: usize = 1024;
/// What fills a batch up.
const PADDING: i64 = 1;
/// What stands before and after each text.
const BEGIN: i64 = 0;
const END: i64 = 2;

/// The vocabulary; empty when it was not there at the build.
static VOCABULARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/vocabulary.bin"));

/// Turns texts into vectors.
pub struct Embedder<'a> {
    tokenizer: Tokenizer<'static>,
    graphs: &'a dyn Graphs,
}

impl<'a> Embedder<'a> {
    /// With the vocabulary that is in this program.
    ///
    /// # Errors
    /// When there is none.
    pub fn new(graphs: &'a dyn Graphs) -> Result<Self, Unreadable> {
        Ok(Self {
            tokenizer: Tokenizer::new(VOCABULARY)?,
            graphs,
        })
    }

    /// One vector a text, in the order of the texts.
    ///
    /// # Errors
    /// See [`GraphError`].
    pub fn vectors(&self, role: Role, texts: &[&str]) -> Result<Vec<Embedding>, GraphError> {
        // The model was trained with these words before its texts.
        let purpose = match role {
            Role::Question => "query: ",
            Role::Passage => "passage: ",
        };
        let tokens: Vec<Vec<i64>> = texts
            .iter()
            .map(|text| {
                let mut tokens = vec![BEGIN];
                let text = format!("{purpose}{text}");
                tokens.extend(self.tokenizer.encode(&text, LONGEST - 2).map(i64::from));
                tokens.push(END);
                tokens
            })
            .collect();
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|text| tokens[*text].len());
        let mut vectors = vec![Embedding::default(); texts.len()];
        let mut rest = &order[..];
        while let Some(first) = rest.first() {
            let mut count = 1;
            let mut length = tokens[*first].len();
            // Texts of about the same length go together: what fills up costs as much as what is said.
            while let Some(next) = rest.get(count).map(|text| tokens[*text].len())
                && next * (count + 1) <= BATCH
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
                numbers.resize(numbers.len() + length - tokens[*text].len(), PADDING);
            }
            for (text, vector) in batch.iter().zip(self.run(count, length, numbers)?) {
                vectors[*text] = vector;
            }
        }
        Ok(vectors)
    }

    fn run(&self, count: usize, length: usize, tokens: Vec<i64>) -> Result<Vec<Embedding>, GraphError> {
        let defect = |what: &str| GraphError::Failed(format!("`{GRAPH}`: {what}"));
        let tokens = Tensor::new([count, length], Data::I64(tokens)).map_err(|error| defect(&error.to_string()))?;
        let outputs = self
            .graphs
            .run(GRAPH, vec![NamedTensor::new("tokens", tokens)], &["embedding"])?;
        let output = outputs.first().ok_or_else(|| defect("it gave no output"))?;
        let (shape, values) = (output.tensor.shape(), output.tensor.as_f32());
        match (shape, values) {
            ([rows, width], Some(values)) if *rows == count && *width > 0 => {
                Ok(values.chunks_exact(*width).map(Embedding::new).collect())
            }
            _ => Err(defect("its output has another shape")),
        }
    }
}

impl Embed for Embedder<'_> {
    fn embed(&self, role: Role, texts: &[&str]) -> Option<Vec<Embedding>> {
        self.vectors(role, texts)
            // For the log: without vectors, answers are found by their words.
            .inspect_err(|error| eprintln!("{error}"))
            .ok()
    }
}
