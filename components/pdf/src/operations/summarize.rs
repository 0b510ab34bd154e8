//! `POST /pdf/summarize`: a summary of a document, which a language model writes from its beginning, its outline and the
//! openings of its sections, or in a few of its own sentences.

use quartet_api::pdf::{DocumentSummary, LANGUAGE_FIELD, Origin, Statement, SummarySentence};
use quartet_api::{Language, Phrasing};
use quartet_component_sdk::{Failure, Request, Response};

use super::Context;
use super::upload::Upload;
use crate::writing::{Asking, Material, Task, Written};
use quartet_text_analysis::{Citation, Document, Extract, Index, SummaryLimits};

/// Limit in tokens for each opening of a section, so that more sections are seen.
const OPENING_TOKENS: usize = 75;

/// Answers a request.
///
/// # Errors
/// When the form or the document is wrong.
pub fn answer(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    let upload = Upload::read(request, context, &[LANGUAGE_FIELD])?;
    let asked = upload.language()?;
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
    let language = asked.unwrap_or(found.language);
    let written = if found.sentences.len() > 1 || language != found.language {
        write(context, &upload.document, language)
    } else {
        Attempt::default()
    };
    let counted = |count: usize| match count {
        0 => "The document has no sentences to summarise.".to_owned(),
        1 => "The document in one of its sentences.".to_owned(),
        count => format!("The document in {count} of its sentences."),
    };
    let (message, origin, text, basis, statements, language) = match written.summary {
        Some((text, statements, citations)) => {
            let cite = |citation: Citation| SummarySentence {
                text: citation.quote,
                page: citation.page,
                section: None,
            };
            let basis: Vec<SummarySentence> = citations.into_iter().map(cite).collect();
            let message = format!(
                "The document in a language model's words, held against {} of its sentences.",
                basis.len()
            );
            (message, Origin::Model, text, basis, statements, language)
        }
        None => {
            if language != found.language {
                warnings.push(format!(
                    "There is no summary in {}: only a language model can write one, and none did.",
                    language.name()
                ));
            }
            let message = counted(found.sentences.len());
            let basis = sentences(&found.sentences);
            (
                message,
                Origin::Extract,
                found.text(),
                basis,
                Vec::new(),
                found.language,
            )
        }
    };
    upload.answer(context, |document_id| DocumentSummary {
        document_id,
        message,
        summary: text,
        sentences: basis,
        key_points: sentences(&found.key_points),
        key_phrases: found.key_phrases,
        language: language.code().to_owned(),
        title: found.title,
        metadata,
        truncated,
        warnings,
        origin,
        statements,
        phrasing: written.phrasing,
    })
}

/// What came of asking a model for a summary.
#[derive(Default)]
struct Attempt {
    /// The summary, its statements and their evidence.
    summary: Option<(String, Vec<Statement>, Vec<Citation>)>,
    /// The report on the model.
    phrasing: Option<Phrasing>,
}

/// Has the language model write a summary, where there is one.
fn write(context: &Context<'_>, document: &Document, language: Language) -> Attempt {
    let Some(writer) = context.writer else {
        return Attempt::default();
    };
    let index = Index::build(document);
    let asking = Asking {
        writer,
        index: &index,
        embed: context.embed,
        language,
    };
    let written = match asking.room(false) {
        Ok((model, room)) => {
            let openings = index.section_openings((room.tokens / OPENING_TOKENS).max(2));
            let material = Material::new(&index, openings, room, OPENING_TOKENS);
            asking.write(Task::Summary, &material, &model, room)
        }
        Err(reason) => Written::Nothing(reason),
    };
    match written {
        Written::Said(said) => Attempt {
            summary: Some((said.text, said.statements, said.citations)),
            phrasing: Some(said.phrasing),
        },
        Written::NotSaid(phrasing) | Written::Nothing(phrasing) => Attempt {
            summary: None,
            phrasing: Some(phrasing),
        },
    }
}
