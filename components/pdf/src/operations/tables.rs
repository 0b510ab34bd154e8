//! Answers from the tables of a document: the language model writes a query, and what it finds is looked up and computed.

use quartet_api::Phrasing;
use quartet_api::pdf::{Citation, DocumentAnswer, Origin};
use quartet_tables::{Query, Table};
use quartet_text_analysis::{Answer, Basis, Index, perhaps};

use super::Context;
use super::storage::{self, Record};

/// Tables that a model is shown: of more, those that share most words with the question.
pub(super) const MAX_TABLES: usize = 3;
/// Confidence in an answer where nobody knows how probable its query is.
const USUAL_CONFIDENCE: f32 = 0.7;
/// Words up to which a question that goes on from the one before it does not name what it asks for.
const MAX_WORDS_THAT_GO_ON: usize = 4;
/// Rows that are cited.
const MAX_CITED: usize = 4;

/// The answer of a document's tables to a question that was searched for; nothing where they have none, or nobody can ask them.
pub(super) fn answer(
    context: &Context<'_>,
    record: &Record,
    document_id: &str,
    index: &Index,
    message: &str,
    found: &Answer,
) -> Option<DocumentAnswer> {
    if !matches!(found.basis, Basis::Text | Basis::Metadata) {
        return None;
    }
    let asking = context.asking(index, found.language)?;
    let (model, _) = asking.room(true, true).ok()?;
    let document = storage::document(context, document_id, record).ok()??;
    let (tables, _) = Table::all_of(&document, index.language());
    // "And the year before?" goes on from a question of which a small model keeps too much.
    let goes_on = found.question.trim() != message.trim();
    if goes_on && message.split_whitespace().count() <= MAX_WORDS_THAT_GO_ON {
        return None;
    }
    let tables = Table::nearest(tables, message, MAX_TABLES);
    let written = asking.query(&tables, message, &model)?;
    let query = Query::parse(&written.text, &tables)?;
    let table = &tables[query.table];
    if query.leaves_out(&written.text, message, table) {
        return None;
    }
    let rows = query.run(table)?;
    let cited = rows.rows.iter().take(MAX_CITED).map(|row| Citation {
        page: table.page,
        quote: table.line(*row),
        score: 1.0,
    });
    Some(DocumentAnswer {
        answer: rows.text(&query, table, found.language),
        answered: true,
        confidence: written.confidence.unwrap_or(USUAL_CONFIDENCE),
        citations: cited.collect(),
        origin: Origin::Table,
        statements: Vec::new(),
        phrasing: Some(Phrasing {
            reason: Some("the language model wrote a query, and a table of the document answered it".to_owned()),
            model: Some(model.name),
            remote: model.remote,
            ..Phrasing::default()
        }),
        query: Some(written.text),
        document_id: document_id.to_owned(),
    })
}

/// An answer made of rows without the names of their columns is none that one can rely on: of somebody's row a model makes a telephone
/// number. The rows are shown as what may answer.
pub(super) fn doubted(
    context: &Context<'_>,
    record: &Record,
    document_id: &str,
    index: &Index,
    found: &Answer,
    answer: DocumentAnswer,
) -> DocumentAnswer {
    let Some(first) = answer.citations.first().filter(|_| answer.answered) else {
        return answer;
    };
    let Ok(Some(document)) = storage::document(context, document_id, record) else {
        return answer;
    };
    let (tables, _) = Table::all_of(&document, index.language());
    let is_row = |quote: &str| {
        let mut lines = tables
            .iter()
            .flat_map(|table| (0..table.row_count()).map(|row| table.line(row)));
        lines.any(|line| line == quote)
    };
    let mut lines = answer.citations.iter().flat_map(|citation| citation.quote.lines());
    if !lines.all(is_row) {
        return answer;
    }
    DocumentAnswer {
        answer: perhaps(first.page, &first.quote, found.language),
        answered: false,
        statements: Vec::new(),
        ..answer
    }
}
