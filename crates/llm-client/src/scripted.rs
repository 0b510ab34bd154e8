//! A model for tests: it says what it was told to say, and remembers what it was asked.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use crate::judgement::Judgement;
use crate::model::{Finish, Generation, LanguageModel, Model, ModelError, Options, Outcome, PromptSize, Token, Turn};

/// Says one text after the other, a word at a time.
#[derive(Default)]
pub struct Scripted {
    answers: RefCell<VecDeque<Result<String, ModelError>>>,
    /// Requests that it received, in order.
    pub asked: RefCell<Vec<Vec<Turn>>>,
    /// The options that came with it.
    pub options: RefCell<Vec<Options>>,
    /// Turns that were dropped before their end.
    pub stopped: Rc<Cell<usize>>,
    /// Reason why each answer ends.
    pub finish: Finish,
    /// Probability of each answer among all that fit its schema.
    pub probability: Option<f32>,
    /// Words that it is not sure of, with their probability. Words are its tokens.
    pub unsure: Vec<(String, f32)>,
    /// Tokens of a prompt that it says to read in a second.
    pub reading_speed: Option<f32>,
    /// Properties of messages with the probability that it says they have. Whatever is judged so uses up no answer, and is not
    /// among what it was asked.
    pub judged: Vec<(&'static str, f32)>,
    /// Turns that it was to read ahead, in order.
    pub prepared: RefCell<Vec<Vec<Turn>>>,
    /// Tokens of a prompt that it says to have read ahead; none if it reads nothing ahead.
    pub read_ahead: Option<u32>,
}

impl Scripted {
    /// A model that says these, in order, and after them that it is missing.
    pub fn new<'a>(answers: impl IntoIterator<Item = &'a str>) -> Self {
        Self::of(answers.into_iter().map(|answer| Ok(answer.to_owned())))
    }

    /// The same with errors among the answers.
    pub fn of(answers: impl IntoIterator<Item = Result<String, ModelError>>) -> Self {
        Self {
            answers: RefCell::new(answers.into_iter().collect()),
            ..Self::default()
        }
    }

    /// The reply to a judgement of one of its properties, with the probability of that reply.
    fn judgement(&self, options: &Options) -> Option<(String, f32)> {
        let schema = options.json_schema.as_deref()?;
        let (property, yes) = self.judged.iter().find(|(property, _)| {
            let judgement = Judgement {
                property,
                instructions: "",
                examples: &[],
            };
            judgement.schema() == schema
        })?;
        let word = if *yes >= 0.5 { "yes" } else { "no" };
        Some((format!(r#"{{"{property}": "{word}"}}"#), yes.max(1.0 - yes)))
    }
}

impl LanguageModel for Scripted {
    fn info(&self) -> Result<Model, ModelError> {
        if self.answers.borrow().is_empty() && self.asked.borrow().is_empty() {
            return Err(ModelError::Missing("nothing was scripted".to_owned()));
        }
        Ok(Model {
            name: "scripted".to_owned(),
            context: 4096,
            sees: false,
            remote: false,
            schemas: true,
            tools: true,
            reading_speed: self.reading_speed,
        })
    }

    fn generate(&self, turns: Vec<Turn>, options: &Options) -> Result<Box<dyn Generation>, ModelError> {
        let prompt_tokens = words(&turns);
        if let Some((reply, probability)) = self.judgement(options) {
            return Ok(Box::new(Words {
                left: VecDeque::from([reply]),
                tokens: Vec::new(),
                said: 0,
                prompt_tokens,
                stopped: Rc::clone(&self.stopped),
                finish: Finish::Stop,
                probability: Some(probability),
            }));
        }
        self.asked.borrow_mut().push(turns);
        self.options.borrow_mut().push(options.clone());
        let answer = self.answers.borrow_mut().pop_front();
        let answer = answer.unwrap_or_else(|| Err(ModelError::Missing("nothing more was scripted".to_owned())))?;
        let left: VecDeque<_> = answer.split_inclusive(' ').map(str::to_owned).collect();
        let token = |word: &String| Token {
            bytes: word.len(),
            probability: self
                .unsure
                .iter()
                .find(|(unsure, _)| word.contains(unsure))
                .map_or(1.0, |(_, probability)| *probability),
        };
        let tokens = match options.token_probabilities {
            true => left.iter().map(token).collect(),
            false => Vec::new(),
        };
        Ok(Box::new(Words {
            left,
            tokens,
            said: 0,
            prompt_tokens,
            stopped: Rc::clone(&self.stopped),
            finish: self.finish,
            probability: self.probability,
        }))
    }

    fn prepare(&self, turns: Vec<Turn>) -> Result<Option<PromptSize>, ModelError> {
        let tokens = words(&turns);
        self.prepared.borrow_mut().push(turns);
        Ok(self.read_ahead.map(|read| PromptSize {
            tokens,
            cached_tokens: read.min(tokens),
        }))
    }
}

/// Words of a conversation, which count as its tokens.
fn words(turns: &[Turn]) -> u32 {
    let words = |turn: &Turn| turn.text.split_whitespace().count() as u32;
    turns.iter().map(words).sum()
}

struct Words {
    left: VecDeque<String>,
    tokens: Vec<Token>,
    said: u32,
    prompt_tokens: u32,
    stopped: Rc<Cell<usize>>,
    finish: Finish,
    probability: Option<f32>,
}

impl Generation for Words {
    fn next(&mut self) -> Result<Option<String>, ModelError> {
        let next = self.left.pop_front();
        self.said += u32::from(next.is_some());
        Ok(next)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.left.is_empty().then_some(Outcome {
            finish: self.finish,
            prompt_tokens: self.prompt_tokens,
            cached_tokens: 0,
            answer_tokens: self.said,
            probability: self.probability,
        })
    }

    fn tokens(&self) -> Vec<Token> {
        self.tokens.clone()
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if !self.left.is_empty() {
            self.stopped.set(self.stopped.get() + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Role;

    #[test]
    fn says_what_it_was_told_and_notices_who_leaves() {
        let model = Scripted::new(["Good morning.", "Never to be heard."]);
        let mut first = model
            .generate(vec![Turn::new(Role::User, "Hello")], &Options::default())
            .unwrap();
        let mut said = String::new();
        while let Some(piece) = first.next().unwrap() {
            said.push_str(&piece);
        }
        assert_eq!(said, "Good morning.");
        assert_eq!(first.outcome().unwrap().answer_tokens, 2);
        drop(first);
        drop(model.generate(Vec::new(), &Options::default()).unwrap());
        assert_eq!(model.stopped.get(), 1);
        assert!(model.generate(Vec::new(), &Options::default()).is_err());
    }
}
