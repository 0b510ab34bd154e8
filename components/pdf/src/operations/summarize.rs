//! `POST /pdf/summarize`: a summary of a document, in a few of its own sentences.

use quartet_api::Phrasing;
use quartet_api::pdf::{DocumentSummary, SummarySentence};
use quartet_component_sdk::{Failure, Request, Response};

use super::Context;
use super::upload::Upload;
use quartet_grounding::{Draft, Passage, Task};
use quartet_text_analysis::{Extract, Summary, SummaryLimits};

/// Answers a request.
///
/// # Errors
/// When the form or the document is wrong.
pub fn answer(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    let upload = Upload::read(request, context)?;
    let found = quartet_text_analysis::summarize(&upload.document, SummaryLimits::default());
    let metadata = upload.facts();
    let (truncated, mut warnings) = (upload.document.truncated, upload.document.warnings.clone());
    for page in &upload.document.pages {
        warnings.extend(
            page.warnings
                .iter()
                .map(|warning| format!("Page {}: {warning}", page.number)),
        );
    }
    let sentences = |extracts: &[Extract]| -> Vec<SummarySentence> {
        let each = |extract: &Extract| SummarySentence {
            text: extract.text.clone(),
            page: extract.page,
            section: extract.section.clone(),
        };
        extracts.iter().map(each).collect()
    };
    let (summary, phrasing) = phrase(context, &found);
    let message = match (found.sentences.len(), &phrasing) {
        (0, _) => "The document has no sentences to summarise.".to_owned(),
        (count, Some(phrasing)) if phrasing.used => {
            format!("The document in a language model's words, held against {count} of its sentences.")
        }
        (1, _) => "The document in one of its sentences.".to_owned(),
        (count, _) => format!("The document in {count} of its sentences."),
    };
    upload.answer(context, |document_id| DocumentSummary {
        document_id,
        message,
        summary,
        sentences: sentences(&found.sentences),
        key_points: sentences(&found.key_points),
        key_phrases: found.key_phrases,
        language: found.language.code().to_owned(),
        title: found.title,
        metadata,
        truncated,
        warnings,
        phrasing,
    })
}

/// Words the summary with a language model, where one is configured: one paragraph instead of sentences from here and
/// there.
fn phrase(context: &Context<'_>, found: &Summary) -> (String, Option<Phrasing>) {
    let text = found.text();
    let Some(writer) = context.writer.as_ref().filter(|_| found.sentences.len() > 1) else {
        return (text, None);
    };
    let sentences = found.sentences.iter().enumerate();
    let draft = Draft {
        task: Task::Summary(found.title.as_deref()),
        language: found.language,
        text: &text,
        evidence: sentences
            .map(|(source, extract)| Passage {
                source,
                text: extract.text.clone(),
            })
            .collect(),
        keep: Vec::new(),
    };
    let (text, phrasing) = quartet_grounding::rephrase(writer, &draft);
    (text, Some(phrasing))
}
