//! `POST /pdf/embeddings`: vectors of texts, for clients that search by themselves.

use quartet_api::pdf::{EmbeddingPurpose, TextEmbeddings, TextsToEmbed};
use quartet_api::{Code, limits};
use quartet_component_sdk::{Failure, Request, Response, json};
use quartet_embeddings::{DIMENSIONS, Embedder, MAX_MODEL_TOKENS, MODEL};
use quartet_inference::GraphError;
use quartet_text_analysis::Role;

/// The words that the model knows before its texts, where a client writes them itself.
const PURPOSES: [(&str, Role); 2] = [("query: ", Role::Question), ("passage: ", Role::Passage)];

/// Answers a request by a model, as long as `time_left` returns true.
///
/// # Errors
/// When the texts are wrong, the model is missing or fails, or there is no time for all of them.
pub fn answer(
    request: &mut Request,
    embedder: Option<&Embedder<'_>>,
    time_left: &dyn Fn() -> bool,
) -> Result<Response, Failure> {
    let TextsToEmbed { texts, purpose } = json::read(request)?;
    let most = usize::try_from(limits::EMBEDDINGS_TEXTS).unwrap_or(usize::MAX);
    if texts.is_empty() || texts.len() > most {
        let problem = format!("has {} texts; it takes 1 to {most}", texts.len());
        return Err(Failure::field("texts", problem));
    }
    let embedder = embedder.ok_or_else(|| {
        Failure::new(
            Code::Unavailable,
            "this operation needs the model embedding, which is not there",
        )
    })?;
    let role = match purpose {
        EmbeddingPurpose::Question => Role::Question,
        EmbeddingPurpose::Passage => Role::Passage,
    };
    let mut tokens = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        if text.trim().is_empty() {
            return Err(Failure::field(&format!("texts[{index}]"), "is empty"));
        }
        let written = PURPOSES
            .iter()
            .find_map(|(words, role)| Some((text.strip_prefix(words)?, *role)));
        let (text, role) = written.unwrap_or((text, role));
        let numbers = embedder.tokens(role, text, usize::MAX);
        if numbers.len() > MAX_MODEL_TOKENS {
            let problem = format!("has {} tokens; the model takes up to {MAX_MODEL_TOKENS}", numbers.len());
            return Err(Failure::field(&format!("texts[{index}]"), problem));
        }
        tokens.push(numbers);
    }
    let mut embeddings = vec![Vec::new(); texts.len()];
    let mut done = 0;
    embedder
        .compute(&tokens, &mut |text, vector| {
            embeddings[text] = unit(vector);
            done += 1;
            done == tokens.len() || time_left()
        })
        .map_err(failure)?;
    if done < tokens.len() {
        let all = tokens.len();
        return Err(Failure::new(
            Code::DeadlineExceeded,
            format!("there was time for {done} of the {all} texts; send fewer in a request"),
        ));
    }
    Ok(Response::success(&TextEmbeddings {
        model: MODEL.to_owned(),
        dimensions: DIMENSIONS,
        embeddings,
        tokens: tokens.iter().map(Vec::len).sum(),
    }))
}

/// A vector of length 1 in the same direction.
fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let scale = if length > 0.0 { length.recip() } else { 0.0 };
    vector.iter().map(|value| value * scale).collect()
}

fn failure(error: GraphError) -> Failure {
    eprintln!("{error}");
    match error {
        GraphError::Unknown(graph) | GraphError::Missing { graph, .. } => Failure::new(
            Code::Unavailable,
            format!("this operation needs the model {graph}, which is not there"),
        ),
        GraphError::OutOfBudget => Failure::new(
            Code::ComputeExhausted,
            "the texts need more computation than one request may use; send fewer",
        ),
        GraphError::InvalidInput(_) | GraphError::TooLarge(_) | GraphError::Failed(_) => {
            Failure::new(Code::Internal, "the model failed at these texts")
        }
    }
}
