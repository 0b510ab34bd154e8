//! Answers from pages of the web: in the model's words as far as the pages bear them out, else in theirs.

use quartet_grounding::{Attribution, Passage};

use super::error::{AnswerError, GenerationError};
use super::output_filter::Emit;
use super::{Answering, messages, prompt};
use crate::evidence::{Evidence, Extract};
use crate::search::{self, Source};

impl Answering<'_> {
    /// Answers from pages of the web.
    pub(super) fn search(&mut self, emit: Emit<'_>) -> Result<(), AnswerError> {
        let message = &self.question.message;
        let before = self.question.history.iter().rev().find(|turn| turn.role == "user");
        let before = before.map(|turn| turn.content.as_str());
        let context = self.context;
        let found = search::search(
            &context.search,
            &*context.web,
            &*context.clock,
            message,
            before,
            self.language,
        );
        let status = found.report.status.clone();
        let problem = found.report.problem.clone();
        self.result.search = Some(found.report);
        if found.sources.is_empty() {
            if let Some(problem) = problem {
                self.note(format!("Search: {problem}."));
            }
            return self.without_sources(&status, emit);
        }
        let evidence = Evidence::new(&found.sources);
        if evidence.left_out > 0 {
            self.note(format!(
                "{} sentences of the pages that speak to machines were left out.",
                evidence.left_out
            ));
        }
        let extract = evidence.extract(message, before);
        // Where sentences answer by themselves, the model only rephrases them; it must not find others that do not.
        let passages = match &extract {
            Some(extract) if extract.answers => extract.passages.clone(),
            _ => evidence.passages(message, prompt::MAX_PASSAGE_TOKENS),
        };
        let listed = listed(&passages);
        let number = |source| {
            listed
                .iter()
                .position(|other| *other == source)
                .map_or(0, |place| place + 1)
        };
        let attribution = Attribution::new(&passages, message, self.language);
        let titled: Vec<_> = passages
            .iter()
            .map(|passage| (passage.clone(), found.sources[passage.source].title.clone()))
            .collect();
        if !titled.is_empty() {
            match self.generate(&titled, Some(attribution), &number, emit) {
                Ok(_) if !self.result.answer.is_empty() => {
                    self.result.sources = sources(&found.sources, &passages, &listed);
                    return Ok(());
                }
                Ok(_) => {
                    self.result.model = None;
                    self.note(
                        "Nothing that the model wrote is borne out by the sources; the answer is in their own words.",
                    );
                }
                Err(GenerationError::Disconnected(error)) => return Err(AnswerError::Disconnected(error)),
                Err(error) => {
                    let reason = error.reason();
                    self.note(format!("{reason} The answer is in the words of the sources."));
                }
            }
        }
        self.extract(extract, &found.sources, &status, emit)
    }

    /// Answers with sentences of the sources.
    fn extract(
        &mut self,
        extract: Option<Extract>,
        found: &[Source],
        status: &str,
        emit: Emit<'_>,
    ) -> Result<(), AnswerError> {
        let Some(extract) = extract else {
            return self.without_sources(if status == "answered" { "nothing_found" } else { status }, emit);
        };
        let listed = listed(&extract.passages);
        let mut text = if extract.answers {
            String::new()
        } else {
            format!("{} ", messages::not_answered(self.language))
        };
        for (index, passage) in extract.passages.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            let number = listed.iter().position(|other| *other == passage.source).unwrap_or(0) + 1;
            text.push_str(&format!("{gap}{} [{number}]", passage.text.trim()));
        }
        emit(&text)?;
        self.result.answer.push_str(&text);
        self.result.origin = "sources".to_owned();
        self.result.sources = sources(found, &extract.passages, &listed);
        Ok(())
    }

    /// Reports that the web gave nothing, and answers as far as possible without.
    fn without_sources(&mut self, status: &str, emit: Emit<'_>) -> Result<(), AnswerError> {
        let mut said = messages::no_search(status, self.language).to_owned();
        let model = self.context.model.info().is_ok();
        if model {
            said.push_str("\n\n");
        }
        emit(&said)?;
        self.result.answer = said;
        if !model {
            self.note("There is no language model that could answer without the web.");
            return Ok(());
        }
        match self.generate(&[], None, &|source| source, emit) {
            Ok(_) => self.name_unsure(emit),
            Err(GenerationError::Disconnected(error)) => Err(AnswerError::Disconnected(error)),
            Err(error) => {
                self.result.answer = messages::no_search(status, self.language).to_owned();
                self.note(error.reason());
                Ok(())
            }
        }
    }
}

/// The sources of passages, each once, in order.
fn listed(passages: &[Passage]) -> Vec<usize> {
    let mut listed = Vec::new();
    for passage in passages {
        if !listed.contains(&passage.source) {
            listed.push(passage.source);
        }
    }
    listed
}

fn sources(found: &[Source], passages: &[Passage], listed: &[usize]) -> Vec<quartet_api::chat::Source> {
    let sources = listed.iter().enumerate().map(|(place, source)| {
        let Source { title, url, date, .. } = &found[*source];
        let quote = passages.iter().find(|passage| passage.source == *source);
        quartet_api::chat::Source {
            number: place + 1,
            title: title.clone(),
            url: url.clone(),
            date: date.clone(),
            quote: quote.map_or_else(String::new, |passage| passage.text.clone()),
        }
    });
    sources.collect()
}
