//! From turns to tokens, by the model's own chat template.
//!
//! Prompts from templates. Text of people, pages and documents must never be read as control tokens, which say who speaks. So the template is
//! filled with placeholders, and only what stands between them is read with control tokens; each turn's text is read by
//! itself, as nothing but text.

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;

use super::template::{Message, Template};
use crate::protocol::{Role, Turn};

/// Makes prompts for one model.
pub struct Prompts<'a> {
    model: &'a LlamaModel,
    template: Template,
}

impl<'a> Prompts<'a> {
    /// Prompts by the template in the model's file.
    ///
    /// # Errors
    /// When there is none, or it cannot be rendered.
    pub fn new(model: &'a LlamaModel) -> Result<Self, String> {
        let template = model
            .chat_template(None)
            .map_err(|error| format!("the model's file has no chat template: {error}"))?;
        let template = template
            .to_str()
            .map_err(|error| format!("its chat template is no text: {error}"))?;
        let vocabulary = model.vocab();
        let text = |token| String::from_utf8_lossy(&vocabulary.token_to_piece(token, true, None)).into_owned();
        let template = Template::new(template, &text(vocabulary.bos()), &text(vocabulary.eos()))
            .map_err(|reason| format!("the model's chat template cannot be read: {reason}"))?;
        let prompts = Self { model, template };
        let turn = |role| Turn {
            role,
            text: "a".to_owned(),
        };
        prompts
            .tokens(&[turn(Role::System), turn(Role::User)])
            .map_err(|reason| format!("the model's chat template cannot be used: {reason}"))?;
        Ok(prompts)
    }

    /// The tokens of a conversation, up to where the next turn of the assistant begins, or to where its last turn ends, which is to go
    /// on there.
    ///
    /// # Errors
    /// When the template takes no such conversation.
    pub fn tokens(&self, turns: &[Turn]) -> Result<Vec<LlamaToken>, String> {
        // The template ends a turn that it is given; a turn that goes on is not ended.
        let (turns, begun) = match turns {
            [before @ .., last] if last.role == Role::Assistant => (before, Some(last)),
            _ => (turns, None),
        };
        let messages: Vec<_> = turns
            .iter()
            .enumerate()
            .map(|(index, turn)| Message {
                role: turn.role.name(),
                content: placeholder(index),
            })
            .collect();
        let filled = self.template.render(&messages)?;
        let vocabulary = self.model.vocab();
        let mut tokens = Vec::new();
        let mut rest = filled.as_str();
        // Most templates begin with the token of the beginning; llama.cpp would add a second one.
        let begins = self.template.begins(&filled);
        for (index, turn) in turns.iter().enumerate() {
            let placeholder = placeholder(index);
            let (before, after) = rest
                .split_once(placeholder.as_str())
                .ok_or_else(|| format!("it leaves out turn {}", index + 1))?;
            tokens.extend(vocabulary.tokenize(before.as_bytes(), index == 0 && !begins, true));
            tokens.extend(self.text(turn, index)?);
            rest = after;
        }
        tokens.extend(vocabulary.tokenize(rest.as_bytes(), false, true));
        if let Some(begun) = begun {
            tokens.extend(self.text(begun, turns.len())?);
        }
        Ok(tokens)
    }

    /// The tokens of a turn's text, which has the place `index`.
    fn text(&self, turn: &Turn, index: usize) -> Result<Vec<LlamaToken>, String> {
        let vocabulary = self.model.vocab();
        let text = vocabulary.tokenize(turn.text.as_bytes(), false, false);
        // The engine promises it; what follows from it is too important to take its word.
        match text.iter().find(|token| vocabulary.is_control(**token)) {
            Some(control) => Err(format!(
                "the text of turn {} has the control token {control}",
                index + 1
            )),
            None => Ok(text),
        }
    }
}

/// Placeholder of a turn's text while the template is filled.
fn placeholder(index: usize) -> String {
    format!("[[turn {index}]]")
}
