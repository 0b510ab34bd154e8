//! Comparison of what a model writes with its passages, sentence by sentence, also while it writes.

use quartet_api::pdf::{self, Statement, StatementSupport, StreamedStatement};
use quartet_api::{Language, PhrasedSentence, Phrasing};
use quartet_grounding::{Evidence, Support};
use quartet_llm_client::Model;
use quartet_text_analysis::sentence::sentences;
use quartet_text_analysis::{Citation, Embed, Index};

use super::material::{Material, Piece, PieceKind};
use super::reply::{self, Reply};
use crate::events::Event;

/// An answer of a model, as far as its statements are borne out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    /// The statements as one text.
    pub text: String,
    /// The statements.
    pub statements: Vec<Statement>,
    /// Their evidence.
    pub citations: Vec<Citation>,
    /// The sentences that bear them out, also those of the file's description, which is on no page.
    pub quotes: Vec<String>,
    /// The sentence that is nearest to the first statement that was left out, in the passage that the model names.
    pub near: Option<Citation>,
    /// True if the first sentence that the model wrote was left out.
    pub has_lost_first: bool,
    /// The report on the model.
    pub phrasing: Phrasing,
}

impl Answer {
    /// An answer of this model without any statement yet.
    pub fn empty(model: &Model) -> Self {
        Self {
            text: String::new(),
            statements: Vec::new(),
            citations: Vec::new(),
            quotes: Vec::new(),
            near: None,
            has_lost_first: false,
            phrasing: Phrasing {
                used: true,
                model: Some(model.name.clone()),
                remote: model.remote,
                ..Phrasing::default()
            },
        }
    }
}

/// The grounds on which statements are judged, and who hears of them.
pub(super) struct Grounds<'a> {
    /// The document.
    pub index: &'a Index,
    /// The embedding model, for comparing meanings.
    pub embed: Option<&'a dyn Embed>,
    /// Language of the answer.
    pub language: Language,
    /// Is told of statements that hold.
    pub tell: &'a dyn Fn(Event),
}

/// An answer that is being compared with the passages that it is written from.
pub(super) struct Comparing<'a> {
    grounds: Grounds<'a>,
    material: &'a Material,
    evidence: Evidence<'a>,
    answer: Answer,
    /// Sentences that were compared.
    compared: usize,
    /// Statements that were told of.
    told: usize,
    /// Limit for the statements.
    pub most: usize,
    /// True once the first sentence was left out.
    has_lost_first: bool,
}

impl<'a> Comparing<'a> {
    /// Begins an answer of this model.
    pub fn new(grounds: Grounds<'a>, question: &str, material: &'a Material, model: &Model) -> Self {
        let evidence = Evidence::new(
            &material.evidence(),
            question,
            grounds.language,
            grounds.index.language(),
            grounds.embed,
        );
        Self {
            grounds,
            material,
            evidence,
            answer: Answer::empty(model),
            compared: 0,
            told: 0,
            most: usize::MAX,
            has_lost_first: false,
        }
    }

    /// Compares the sentences that are complete in what is written so far, and tells of those that hold.
    pub fn follow(&mut self, written: &str) {
        // What names no passage is no answer.
        let Some(reply) = reply::read_so_far(written).filter(|reply| reply.passage > 0) else {
            return;
        };
        // The last one may go on.
        let complete = self.sentences(&reply).len().saturating_sub(1);
        if complete > self.compared {
            self.compare(&reply, complete);
            self.tell();
        }
    }

    /// Returns true while there may be more statements.
    pub fn goes_on(&self) -> bool {
        self.answer.statements.len() < self.most
    }

    /// Compares the rest of the whole reply, and tells of it where that is wanted.
    pub fn finish(mut self, reply: &Reply, tell: bool) -> Answer {
        self.compare(reply, usize::MAX);
        if tell {
            self.tell();
        }
        let mut answer = self.answer;
        answer.has_lost_first = self.has_lost_first;
        answer.text = joined(&answer.statements, self.grounds.language);
        answer.phrasing.sentences = answer
            .statements
            .iter()
            .map(|statement| PhrasedSentence {
                text: statement.text.clone(),
                evidence: statement.citations.clone(),
            })
            .collect();
        answer
    }

    fn sentences<'r>(&self, reply: &'r Reply) -> Vec<&'r str> {
        let lines = reply.answer.lines();
        let all = lines.flat_map(|line| sentences(line, self.grounds.language));
        all.filter(|sentence| sentence.chars().any(char::is_alphanumeric))
            .collect()
    }

    /// Compares sentences up to this one.
    fn compare(&mut self, reply: &Reply, end: usize) {
        for sentence in self.sentences(reply).into_iter().take(end).skip(self.compared) {
            if !self.goes_on() {
                return;
            }
            self.compared += 1;
            let number = reply::first_mark(sentence).unwrap_or(reply.passage);
            let text = reply::without_marks(sentence);
            // Small models begin again where they were told to write more, and some with the question.
            if text.ends_with(['?', '？', '؟']) || self.answer.statements.iter().any(|statement| statement.text == text)
            {
                continue;
            }
            let compared = self.evidence.compare(&text, number.checked_sub(1));
            let (Some((piece, quote)), Some(support)) = (compared.place, support(compared.support)) else {
                self.answer.phrasing.left_out += 1;
                self.has_lost_first |= self.compared == 1;
                if self.answer.near.is_none() {
                    self.answer.near = number.checked_sub(1).and_then(|source| self.near(&text, source));
                }
                continue;
            };
            let cited = self.cite(&self.material.pieces[piece], &quote);
            if !self.answer.quotes.contains(&quote) {
                self.answer.quotes.push(quote);
            }
            self.answer.statements.push(Statement {
                text,
                support,
                citations: cited.into_iter().collect(),
            });
        }
    }

    /// The sentence of a passage that is nearest to a statement.
    fn near(&self, statement: &str, source: usize) -> Option<Citation> {
        let piece = self.material.pieces.get(source)?;
        let quote = self.evidence.nearest(statement, source)?;
        let page = self.page(piece, &quote)?;
        Some(Citation {
            page,
            quote: spaced(&quote),
            score: piece.score,
        })
    }

    fn tell(&mut self) {
        tell(self.grounds.tell, &self.answer, self.told);
        self.told = self.answer.statements.len();
    }

    /// The page of a sentence of a piece; none for what stands nowhere as it is.
    fn page(&self, piece: &Piece, quote: &str) -> Option<usize> {
        match piece.kind {
            PieceKind::File => None,
            PieceKind::Opening => Some(piece.page),
            PieceKind::Found => Some(self.grounds.index.page_of(quote, piece.page)),
        }
    }

    /// The position of a citation, which is added where it is not there yet; none for what stands nowhere as it is.
    fn cite(&mut self, piece: &Piece, quote: &str) -> Option<usize> {
        let page = self.page(piece, quote)?;
        // An item of a list bears out what the line before the list says of it.
        let listed = self.grounds.index.with_its_list(quote, Some(page));
        let (page, quote) = listed.unwrap_or_else(|| (page, spaced(quote)));
        let citations = &mut self.answer.citations;
        if let Some(known) = citations.iter().position(|citation| citation.quote == quote) {
            return Some(known);
        }
        citations.push(Citation {
            page,
            quote,
            score: piece.score,
        });
        Some(citations.len() - 1)
    }
}

/// A text with one space between its words.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tells of the statements from one on, each with its evidence.
pub(super) fn tell(tell: &dyn Fn(Event), answer: &Answer, from: usize) {
    for statement in answer.statements.iter().skip(from) {
        let cited = |position: &usize| {
            let citation = answer.citations.get(*position)?;
            Some(pdf::Citation {
                page: citation.page,
                quote: citation.quote.clone(),
                score: citation.score,
            })
        };
        tell(Event::Statement(StreamedStatement {
            text: statement.text.clone(),
            support: statement.support,
            citations: statement.citations.iter().filter_map(cited).collect(),
        }));
    }
}

/// The support of a statement that may stay in an answer; none of one that may not.
pub(super) fn support(support: Support) -> Option<StatementSupport> {
    match support {
        Support::BorneOut => Some(StatementSupport::BorneOut),
        Support::Reworded => Some(StatementSupport::Reworded),
        Support::Contradicted | Support::Missing => None,
    }
}

/// The statements as one text.
pub(super) fn joined(statements: &[Statement], language: Language) -> String {
    let space = if matches!(language, Language::Japanese | Language::Chinese) {
        ""
    } else {
        " "
    };
    let texts: Vec<&str> = statements.iter().map(|statement| statement.text.as_str()).collect();
    texts.join(space)
}
