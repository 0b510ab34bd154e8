//! `POST /pdf/chat`: a question about an earlier document.

use quartet_api::pdf::{Citation, DocumentAnswer, DocumentQuestion};
use quartet_api::{Language, Phrasing};
use quartet_component_sdk::{Failure, Request, Response, Session, json};
use quartet_grounding::{Draft, Passage, Task};
use quartet_text_analysis::{Answer, SemanticSearch};

use super::Context;
use super::storage::{self, Record};

/// Answers a request.
///
/// # Errors
/// When the question is wrong, or it is not about a document of this client.
pub fn answer(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    let session = Session::of(request)?;
    let DocumentQuestion { message, document_id } = json::read(request)?;
    if message.trim().is_empty() {
        return Err(Failure::field(
            "message",
            "is empty; it takes a question about the document",
        ));
    }
    let (document_id, mut record): (String, Record) = context.documents().recall(&session, document_id.as_deref())?;
    let index = storage::index(context, &document_id, &mut record)?;
    let before = record.question.as_deref();
    let mut known = record.meanings;
    let found = if let Some(embed) = context.embed {
        let mut meanings = storage::read_meanings(context, &document_id, &record)?;
        let passages = meanings.len();
        let mut senses = SemanticSearch {
            embed,
            embeddings: &mut meanings,
            time_left: context.time_to_learn,
        };
        let found = index.answer_with_embeddings(&message, before, &mut senses);
        if meanings.len() > passages {
            known = storage::write_meanings(context, &document_id, &meanings)?;
        }
        found
    } else {
        index.answer(&message, before)
    };
    let record = Record {
        question: Some(found.question.clone()),
        meanings: known,
        ..record
    };
    context.documents().update(&session, &document_id, &record)?;
    let (text, phrasing) = phrase(context, &message, &found, index.language());
    Ok(Response::success(&DocumentAnswer {
        document_id,
        answer: text,
        answered: found.found,
        confidence: found.confidence,
        citations: found
            .citations
            .into_iter()
            .map(|citation| Citation {
                page: citation.page,
                quote: citation.quote,
                score: citation.score,
            })
            .collect(),
        phrasing,
    }))
}

/// Words the answer with a language model, where one is configured and the answer is in the language of the document,
/// with which it is compared.
fn phrase(context: &Context<'_>, question: &str, found: &Answer, language: Language) -> (String, Option<Phrasing>) {
    // Only what the answer is made of: a citation beside it says something else.
    let cited = found.citations.iter().enumerate();
    let evidence: Vec<Passage> = cited
        .filter(|(_, citation)| found.text.contains(&citation.quote))
        .map(|(source, citation)| Passage {
            source,
            text: citation.quote.clone(),
        })
        .collect();
    match &context.writer {
        Some(writer) if found.found && found.language == language && !evidence.is_empty() => {
            let draft = Draft {
                task: Task::Answer(question),
                language,
                text: &found.text,
                evidence,
                keep: Vec::new(),
            };
            let (text, phrasing) = quartet_grounding::rephrase(writer, &draft);
            (text, Some(phrasing))
        }
        _ => (found.text.clone(), None),
    }
}
