//! `POST /pdf/summarize`: a summary of a document, which a language model writes from its beginning, its outline and the
//! openings of its sections, or in a few of its own sentences.

use quartet_api::pdf::{DocumentSummary, LANGUAGE_FIELD, Origin, Statement, SummarySentence};
use quartet_api::{Language, Phrasing};
use quartet_component_sdk::{Failure, Request, Session};

use super::upload::{Sent, Upload};
use super::{Context, Work};
use crate::writing::{Asking, Material, Task, Written};
use quartet_text_analysis::{Citation, Document, Extract, Index, SummaryLimits};

/// Limit in tokens for each opening of a section, so that more sections are seen.
const OPENING_TOKENS: usize = 75;

/// A document whose summary is asked for.
pub struct ToSummarize {
    sent: Sent,
    /// Language of the summary, where one is asked for.
    language: Option<Language>,
}

impl Work for ToSummarize {
    type Answer = DocumentSummary;

    fn read(request: &mut Request, random: fn() -> [u8; 16]) -> Result<Self, Failure> {
        let sent = Sent::read(request, random, &[LANGUAGE_FIELD])?;
        let language = sent.language()?;
        Ok(Self { sent, language })
    }

    fn session(&self) -> &Session {
        &self.sent.session
    }

    fn run(self, context: &Context<'_>) -> Result<DocumentSummary, Failure> {
        let upload = self.sent.open(context)?;
        let document_id = upload.keep(context)?;
        let summary = summary(&upload, document_id, self.language, context);
        upload.read_ahead(context);
        Ok(summary)
    }
}

/// The summary of a document, in a language where one is asked for.
fn summary(upload: &Upload, document_id: String, asked: Option<Language>, context: &Context<'_>) -> DocumentSummary {
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
            let written_in = written_in(&text, language, found.language);
            if written_in != language {
                warnings.push(format!(
                    "The language model was asked for {} and wrote in {}.",
                    language.name(),
                    written_in.name()
                ));
            }
            let language = written_in;
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
    DocumentSummary {
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
    }
}

/// The language of a summary that was asked for in one language: that one, or the document's, which models fall back to.
fn written_in(text: &str, asked: Language, documents: Language) -> Language {
    if asked != documents && quartet_lang_detect::detect(text) == documents {
        documents
    } else {
        asked
    }
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
        tell: context.tell,
    };
    let written = match asking.room(false, false) {
        Ok((model, room)) => {
            let openings = || {
                let openings = index.section_openings((room.tokens / OPENING_TOKENS).max(2));
                Material::new(&index, openings, room, OPENING_TOKENS)
            };
            let material = asking.whole_document(&model).unwrap_or_else(openings);
            asking.write(Task::Summary, &material, &model, room)
        }
        Err(reason) => Written::Nothing(reason),
    };
    match written {
        Written::Said(said, _) => Attempt {
            summary: Some((said.text, said.statements, said.citations)),
            phrasing: Some(said.phrasing),
        },
        other => Attempt {
            summary: None,
            phrasing: Some(other.into_report()),
        },
    }
}
