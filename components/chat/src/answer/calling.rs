//! Calls of a client's functions, which the model decides about.

use quartet_api::chat::ToolCall;
use quartet_component_sdk::Failure;
use quartet_llm_client::{Finish, Turn};

use super::error::{AnswerError, GenerationError};
use super::output_filter::Emit;
use super::tools::{Decision, Problem, Tools};
use super::unchanged::Held;
use super::{Answering, TURNS_LEFT_OUT};
use crate::calculate;

impl Answering<'_> {
    /// Has the model call the client's functions, or reply.
    pub(super) fn call_or_reply(&mut self, tools: &Tools, emit: Emit<'_>) -> Result<(), AnswerError> {
        let model = self.context.model.info();
        let model = model.map_err(|error| GenerationError::from(error).into_answer_error())?;
        if !model.schemas || !model.tools {
            let problem = format!(
                "cannot be called by the language model that is set up here: {} gets calls wrong",
                model.name
            );
            return Err(AnswerError::Failed(Failure::field("tools", problem)));
        }
        match self.decide(tools) {
            Ok(Decision::Words(turns)) => {
                let certain = calculate::answer(&self.question.message, self.language, self.context.now);
                if let Some(computed) = certain.filter(|_| self.question.instructions.is_none()) {
                    return self.tell_computed(computed, emit);
                }
                let reply = self.reply(turns, model.name, emit);
                return reply.map_err(GenerationError::into_answer_error);
            }
            Ok(Decision::Calls(calls)) => {
                let finish = Finish::Stop.word();
                self.result.finish = Some(finish.to_owned());
                let calls = calls.into_iter().map(|(place, arguments)| ToolCall {
                    id: call_id((self.context.random)()),
                    name: tools.list[place].name.clone(),
                    arguments,
                });
                self.result.tool_calls = calls.collect();
            }
            // Nothing of a call can be used before its end.
            Ok(Decision::Cut(Finish::Time)) => return Err(GenerationError::Late.into_answer_error()),
            Ok(Decision::Cut(finish)) => self.ended(finish),
            Err(problem) => return Err(problem.into_answer_error()),
        }
        self.result.model = Some(model.name);
        self.result.origin = "model".to_owned();
        Ok(())
    }

    /// Has the model decide which functions to call, with as many of the earlier turns as it can read.
    fn decide(&mut self, tools: &Tools) -> Result<Decision, Problem> {
        let question = self.question;
        let all = self.prompt(&question.message, &[]).earlier();
        let mut history = all;
        loop {
            let turns = self.prompt(&question.message, &[]).turns(history);
            let mut write = |turns: &[Turn], schema: &str, tokens: u32| self.write(turns, schema, tokens);
            match tools.ask(
                turns,
                (&question.message, &question.history),
                question.max_tokens,
                &mut write,
            ) {
                Err(problem) if history > 0 && problem.is_too_long() => history /= 2,
                decision => {
                    if history < all {
                        self.note(TURNS_LEFT_OUT);
                    }
                    return decision;
                }
            }
        }
    }

    /// Has the model reply after these turns, in words or in a document of the question's schema.
    fn reply(&mut self, turns: Vec<Turn>, model: String, emit: Emit<'_>) -> Result<(), GenerationError> {
        let options = self.prompt(&self.question.message, &[]).options(self.milliseconds()?);
        let generation = self.context.model.generate(turns, &options)?;
        let filter = self.filter(None, &|source| source, emit);
        self.receive(generation, filter, Held::nothing(), &model, &[], true)
            .map(drop)
    }
}

/// An id for a call, which nobody else's has.
fn call_id(random: [u8; 16]) -> String {
    let digits: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("call_{digits}")
}
