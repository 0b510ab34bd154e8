//! Documents, PDFs and others: the fields and results of `/pdf/*`.

use serde::{Deserialize, Serialize};

use crate::Phrasing;
#[cfg(feature = "schema")]
use crate::limits::EMBEDDINGS_TEXTS;

/// The name of the form's file part.
pub const FILE_PART: &str = "pdf";

/// Another name that the file part may have: documents of other kinds are read, too.
pub const FILE_PART_ALIAS: &str = "document";

/// The name of the form's optional field with the code of the language that a summary is wanted in.
pub const LANGUAGE_FIELD: &str = "language";

/// The name of the form's optional field that asks for the text in another form as well: one of [`TextFormat`].
pub const FORMAT_FIELD: &str = "format";

/// The forms of a document's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TextFormat {
    /// Plain text alone.
    #[default]
    Text,
    /// Plain text, and beside it Markdown.
    Markdown,
}

impl TextFormat {
    /// All forms.
    pub const ALL: [TextFormat; 2] = [TextFormat::Text, TextFormat::Markdown];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            TextFormat::Text => "text",
            TextFormat::Markdown => "markdown",
        }
    }

    /// The form with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// Metadata of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DocumentFacts {
    /// Its title, or what stands above its text as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Subject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// When it was made, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// When it was changed last, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Number of pages in the file: of slides, sheets or chapters, where it has those.
    pub page_count: usize,
    /// Media type of the file, as its bytes tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The language that the file names, or that its text is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// An entry of the outline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OutlineEntry {
    /// Text of the block.
    pub title: String,
    /// Its depth, from 1.
    pub level: u8,
    /// The page that it leads to, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
}

/// An upright rectangle on a page, in points (1/72 inch) from its left and upper edge.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageArea {
    /// From the left.
    pub x: f32,
    /// From the top.
    pub y: f32,
    /// From left to right.
    pub width: f32,
    /// From top to bottom.
    pub height: f32,
}

/// The size of a page, in points (1/72 inch).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageSize {
    /// From left to right.
    pub width: f32,
    /// From top to bottom.
    pub height: f32,
}

/// A piece of a page that belongs together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PageBlock {
    /// `title`, `heading`, `paragraph`, `listItem`, `table`, `code`, `caption`, `header`, `footer`, `footnote` or `other`.
    pub kind: String,
    /// Its text; the rows of tables are lines with tabs between the cells.
    pub text: String,
    /// Bounding box, where the page has a size and the block is shown on it.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub area: Option<PageArea>,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PageText {
    /// Its number, from 1.
    pub page: usize,
    /// Its size as it is shown, where it has one: pages of a PDF do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<PageSize>,
    /// Its text, without running headers and footers.
    pub text: String,
    /// The same as Markdown, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
    /// The same in parts, with running headers and footers.
    pub blocks: Vec<PageBlock>,
    /// Links on the page.
    pub links: Vec<PageLink>,
    /// `text` when the file has it as text, `ocr` when it was recognised in a picture, `empty` when there is none.
    pub source: String,
    /// Warnings about text that could not be read well.
    pub warnings: Vec<String>,
}

/// Words of a page that lead elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PageLink {
    /// Anchor text; empty when the link is not on text.
    pub text: String,
    /// The address that it leads to, as the file has it, when it leads out of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The page that it leads to, from 1, when it leads into the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
}

/// The result of `/pdf/extract-text`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DocumentText {
    /// Identifier for questions about this document.
    pub document_id: String,
    /// A sentence for a person.
    pub message: String,
    /// All text, with empty lines between pages.
    pub text: String,
    /// The same as Markdown, with a comment such as `<!-- page 3 -->` before each page, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
    /// The same page by page.
    pub pages: Vec<PageText>,
    /// Metadata of the file.
    pub metadata: DocumentFacts,
    /// Its bookmarks, or without any the headings that were found.
    pub outline: Vec<OutlineEntry>,
    /// True if a limit or the time ended the reading before the end.
    pub truncated: bool,
    /// Warnings about the document as a whole.
    pub warnings: Vec<String>,
}

/// A sentence of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SummarySentence {
    /// As it stands there.
    pub text: String,
    /// The page that it begins on, from 1.
    pub page: usize,
    /// The heading that it stands below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
}

/// The result of `/pdf/summarize`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DocumentSummary {
    /// Identifier for questions about this document.
    pub document_id: String,
    /// A sentence for a person.
    pub message: String,
    /// Title of the document, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The summary: what a language model wrote from the document, or sentences of the document, in its language.
    pub summary: String,
    /// The sentences of the document that it is made of.
    pub sentences: Vec<SummarySentence>,
    /// Summaries of the main sections.
    pub key_points: Vec<SummarySentence>,
    /// Key terms of the document.
    pub key_phrases: Vec<String>,
    /// The code of the document's language.
    pub language: String,
    /// Metadata of the file.
    pub metadata: DocumentFacts,
    /// True if a limit or the time ended the reading before the end.
    pub truncated: bool,
    /// Warnings about text that could not be read.
    pub warnings: Vec<String>,
    /// The way that it came about.
    #[serde(default)]
    pub origin: Origin,
    /// The sentences of a language model's summary, each with its evidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<Statement>,
    /// The language model that was asked, what became of its sentences, and why it did not write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrasing: Option<Phrasing>,
}

/// The body of `/pdf/chat`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DocumentQuestion {
    /// The question.
    #[cfg_attr(feature = "schema", schemars(length(min = 1), regex(pattern = r"\S")))]
    pub message: String,
    /// The document; without it, the last one of the session.
    #[serde(default)]
    pub document_id: Option<String>,
}

/// The way that an answer or a summary came about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Origin {
    /// A language model wrote it from passages, and each statement was compared with its passage.
    Model,
    /// It is made of sentences of the document.
    #[default]
    Extract,
    /// It is made of the file's metadata, or of what can be counted.
    Metadata,
    /// It was looked up or computed in a table of the document, by a query that a language model wrote.
    Table,
    /// A language model composed a text that was asked for, such as a letter or a list. Its sentences were not compared with the
    /// document, unless it is a translation: that has statements.
    Composed,
    /// It says what can be done with a document: the message was only talk.
    None,
}

/// The degree to which the document bears a statement out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum StatementSupport {
    /// The cited sentences say it.
    BorneOut,
    /// The cited sentences say something near to it in other words.
    Reworded,
}

/// A sentence that a language model wrote, with its evidence. Those that are contradicted or have none are left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    /// The sentence.
    pub text: String,
    /// The degree to which its citations bear it out.
    pub support: StatementSupport,
    /// Positions in the list of citations (of a summary: in the list of sentences), from 0.
    pub citations: Vec<usize>,
}

/// A place in the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Citation {
    /// From 1.
    pub page: usize,
    /// The sentence as it stands there; or some that answer together, such as a list with the line before it, one item a line.
    pub quote: String,
    /// Relevance to the question, 0 to 1.
    pub score: f32,
}

/// The result of `/pdf/chat`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DocumentAnswer {
    /// The document that was asked about.
    pub document_id: String,
    /// The answer, or that the document does not say, with the sentence that comes nearest if there is one.
    pub answer: String,
    /// True if the document answers the question.
    pub answered: bool,
    /// Confidence, 0 to 1; where it is not answered, the probability that the sentence in `citations` answers all the same, or 0.
    pub confidence: f32,
    /// Evidence for the answer; where it is not answered, the sentence that comes nearest, if there is one.
    pub citations: Vec<Citation>,
    /// The way that it came about.
    #[serde(default)]
    pub origin: Origin,
    /// The sentences of a language model's answer, each with its evidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<Statement>,
    /// The language model that was asked, what became of its sentences, and why it did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrasing: Option<Phrasing>,
    /// The query, in SQL, that a table of the document answered. Tables are called `t1`, `t2` and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
}

/// The text of a page that `/pdf/extract-text` streams as soon as it is known: the data of the event `page`. It is as it stands in
/// lines; the whole answer has paragraphs, and leaves out what repeats on every page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StreamedPage {
    /// Its number, from 1.
    pub page: usize,
    /// Its lines.
    pub text: String,
    /// `text`, or `ocr` where it was recognised in a picture.
    pub source: String,
}

/// A sentence of an answer or a summary that is streamed: the data of the event `statement`. It was compared with the
/// document, and stands in the whole answer as it was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StreamedStatement {
    /// The sentence.
    pub text: String,
    /// The degree to which its citations bear it out.
    pub support: StatementSupport,
    /// Its evidence.
    pub citations: Vec<Citation>,
}

/// The body of `/pdf/forget`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DocumentToForget {
    /// The document; without it, the last one of the session.
    #[serde(default)]
    pub document_id: Option<String>,
}

/// The result of `/pdf/forget`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DocumentForgotten {
    /// The document of which nothing is kept any more.
    pub document_id: String,
}

/// The purpose of a vector: the model makes others of questions than of the texts that may answer them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum EmbeddingPurpose {
    /// A question; also whatever is compared with texts of its own kind.
    #[default]
    Question,
    /// A text that may answer a question.
    Passage,
}

/// The body of `/pdf/embeddings`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TextsToEmbed {
    /// The texts, each of up to 512 tokens.
    #[cfg_attr(
        feature = "schema",
        schemars(
            length(min = 1, max = EMBEDDINGS_TEXTS),
            inner(length(min = 1), regex(pattern = r"\S"))
        )
    )]
    pub texts: Vec<String>,
    /// The purpose of their vectors.
    #[serde(default)]
    pub purpose: EmbeddingPurpose,
}

/// The result of `/pdf/embeddings`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TextEmbeddings {
    /// The name of the model.
    pub model: String,
    /// Numbers in a vector.
    pub dimensions: usize,
    /// One vector of length 1 for each text, in their order.
    pub embeddings: Vec<Vec<f32>>,
    /// Tokens of all texts together, with those that are put around each.
    pub tokens: usize,
}
