//! Reading ahead: beginnings of prompts that are computed while nobody waits, so that a question about a document does not have to
//! wait for the document.
//!
//! A beginning grows, some tokens at a time, among those that are kept apart (`cache`). Whoever asks meanwhile comes first, and
//! goes on from as much of it as is there.

use std::collections::VecDeque;

use llama_cpp_2::token::LlamaToken;

use super::Engine;
use super::cache::{self, Owned};
use crate::protocol::{Event, Prepare, Refusal};

/// Tokens that are computed at once: between two steps commands are heard, and who asks then must not notice that something was
/// read ahead. A slow machine takes up to two seconds for them.
const STEP_TOKENS: usize = 32;

/// Beginnings that wait; of more, the one that came first is given up.
const MAX_WAITING: usize = 16;

/// Fewer tokens than this are as quickly computed with the question.
const MIN_TOKENS: usize = 16;

/// The part of the context that a beginning may take.
const CONTEXT_PART: usize = 2;

/// Beginnings that wait to be read ahead.
#[derive(Default)]
pub struct Ahead(VecDeque<Beginning>);

/// The beginning of a client's prompts.
struct Beginning {
    id: u64,
    client: Option<u64>,
    tokens: Vec<LlamaToken>,
    /// Tokens that were computed for it.
    computed: usize,
}

impl Ahead {
    /// Returns true if nothing waits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds one, which takes the place of an earlier one of its client. Returns those that are given up for it.
    fn push(&mut self, beginning: Beginning) -> Vec<Beginning> {
        let mut given_up = self.remove(beginning.client);
        if self.0.len() >= MAX_WAITING {
            given_up.extend(self.0.pop_front());
        }
        self.0.push_back(beginning);
        given_up
    }

    /// Removes those of a client.
    fn remove(&mut self, client: Option<u64>) -> Vec<Beginning> {
        let all = std::mem::take(&mut self.0);
        let (removed, left): (Vec<_>, Vec<_>) = all.into_iter().partition(|beginning| beginning.client == client);
        self.0 = left.into();
        removed
    }
}

impl Engine<'_> {
    /// Notes what is to be read ahead, and says how much of it is known.
    pub fn prepare(&mut self, prepare: Prepare) {
        let Prepare { id, client, turns } = prepare;
        let mut tokens = match self.prompts.tokens(&turns) {
            Ok(tokens) => tokens,
            Err(reason) => {
                let refusal = Refusal::Failed { reason };
                return (self.say)(Event::Refused { id, refusal });
            }
        };
        let count = |tokens| u32::try_from(tokens).unwrap_or(u32::MAX);
        let prompt = Owned {
            tokens: &tokens,
            client,
        };
        let known = cache::known(&self.sequences, &self.kept, prompt);
        (self.say)(Event::Known {
            id,
            tokens: count(tokens.len()),
            cached_tokens: count(known),
        });
        tokens.truncate(self.context / CONTEXT_PART);
        let beginning = Beginning {
            id,
            client,
            tokens,
            computed: 0,
        };
        if beginning.tokens.len() < known + MIN_TOKENS {
            return self.tell_prepared([beginning]);
        }
        let given_up = self.ahead.push(beginning);
        self.tell_prepared(given_up);
    }

    /// Reads nothing ahead any more for a client.
    pub fn stop_preparing(&mut self, client: u64) {
        let removed = self.ahead.remove(Some(client));
        self.tell_prepared(removed);
    }

    /// Reads no beginning ahead any more.
    pub fn stop_all_preparing(&mut self) {
        let all = std::mem::take(&mut self.ahead.0);
        self.tell_prepared(all);
    }

    /// Computes some tokens of the beginning that came first.
    pub fn read_ahead(&mut self) {
        let Some(mut beginning) = self.ahead.0.pop_front() else {
            return;
        };
        match self.read_more_of(&mut beginning) {
            Ok(true) => self.ahead.0.push_front(beginning),
            Ok(false) => self.tell_prepared([beginning]),
            Err(reason) => {
                self.tell_prepared([beginning]);
                self.fail(&reason);
            }
        }
    }

    /// Computes some tokens of a beginning; returns true if there are more.
    fn read_more_of(&mut self, beginning: &mut Beginning) -> Result<bool, String> {
        self.begun += 1;
        let prompt = Owned {
            tokens: &beginning.tokens,
            client: beginning.client,
        };
        let place = cache::open(
            &mut self.llama,
            &self.sequences,
            &mut self.kept,
            prompt,
            self.context,
            self.begun,
        )?;
        // None where others that are in use have all the room.
        let Some(place) = place else { return Ok(false) };
        let prefix = &mut self.kept[place];
        let from = prefix.tokens().len();
        let to = beginning.tokens.len().min(from + STEP_TOKENS);
        self.batch.clear();
        for (position, token) in beginning.tokens.iter().enumerate().take(to).skip(from) {
            let number = i32::try_from(position).map_err(|error| error.to_string())?;
            self.batch
                .add(*token, number, &[prefix.number()], false)
                .map_err(|error| error.to_string())?;
        }
        self.llama.decode(&mut self.batch).map_err(|error| error.to_string())?;
        prefix.extend(&beginning.tokens[from..to]);
        beginning.computed += to - from;
        Ok(to < beginning.tokens.len())
    }

    fn tell_prepared(&mut self, beginnings: impl IntoIterator<Item = Beginning>) {
        for Beginning { id, computed, .. } in beginnings {
            let tokens = u32::try_from(computed).unwrap_or(u32::MAX);
            (self.say)(Event::Prepared { id, tokens });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beginning(id: u64, client: u64) -> Beginning {
        Beginning {
            id,
            client: Some(client),
            tokens: Vec::new(),
            computed: 0,
        }
    }

    fn ids(beginnings: impl IntoIterator<Item = Beginning>) -> Vec<u64> {
        beginnings.into_iter().map(|beginning| beginning.id).collect()
    }

    #[test]
    fn a_client_has_one_that_waits_and_all_together_a_bounded_number() {
        let mut ahead = Ahead::default();
        assert!(ahead.push(beginning(1, 1)).is_empty());
        assert!(ahead.push(beginning(2, 2)).is_empty());
        assert_eq!(ids(ahead.push(beginning(3, 1))), [1]);
        let many = u64::try_from(MAX_WAITING).unwrap();
        let given_up: Vec<_> = (10..10 + many)
            .flat_map(|id| ids(ahead.push(beginning(id, id))))
            .collect();
        assert_eq!(given_up, [2, 3], "the oldest");
        assert_eq!(ids(ahead.remove(Some(11))), [11]);
        assert_eq!(ahead.0.len(), MAX_WAITING - 1);
    }
}
