//! Evidence for what is said of a document: the passages that a model gets, and citations as the interface has them.

use quartet_api::pdf::Citation;
use quartet_text_analysis::{Answer, Index, PassageEmbeddings, SemanticSearch};

use super::Context;

/// Passages that are searched for a model; how many it gets depends on its context and the time.
const SEARCHED_PASSAGES: usize = 40;
/// The passages that come nearest to a question, by words and, where there is a model for that, by meaning.
pub fn passages(
    context: &Context<'_>,
    index: &Index,
    found: &Answer,
    meanings: &mut PassageEmbeddings,
) -> Vec<quartet_text_analysis::Citation> {
    match context.embed {
        Some(embed) => index.passages_with_embeddings(
            &found.question,
            SEARCHED_PASSAGES,
            &mut SemanticSearch {
                embed,
                embeddings: meanings,
                // Its time went into the search before.
                time_left: &|| false,
            },
        ),
        None => index.passages(&found.question, SEARCHED_PASSAGES),
    }
}

/// Citations of the search as those of an answer.
pub fn cited(citations: Vec<quartet_text_analysis::Citation>) -> Vec<Citation> {
    let each = |citation: quartet_text_analysis::Citation| Citation {
        page: citation.page,
        quote: citation.quote,
        score: citation.score,
    };
    citations.into_iter().map(each).collect()
}
