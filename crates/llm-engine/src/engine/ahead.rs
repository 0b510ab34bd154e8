//! Reading ahead: beginnings of prompts that are computed while nobody waits, so that a question about a document does not have to
//! wait for the document.
//!
//! A beginning grows, some tokens at a time, among those that are kept apart (`cache`). Whoever asks meanwhile comes first, and
//! goes on from as much of it as is there.

use std::collections::VecDeque;

use llama_cpp_2::token::LlamaToken;

/// Tokens that are computed at once: between two steps commands are heard, and who asks then must not notice that something was
/// read ahead. A slow machine takes up to two seconds for them.
pub const STEP_TOKENS: usize = 32;

/// Beginnings that wait; of more, the one that came first is given up.
const MAX_WAITING: usize = 16;

/// Fewer tokens than this are as quickly computed with the question.
pub const MIN_TOKENS: usize = 16;

/// The part of the context that a beginning may take.
pub const CONTEXT_PART: usize = 2;

/// Beginnings that wait to be read ahead.
#[derive(Default)]
pub struct Ahead(VecDeque<Beginning>);

/// The beginning of a client's prompts.
pub struct Beginning {
    /// The host's number for it.
    pub id: u64,
    /// Number of the client.
    pub client: Option<u64>,
    /// Its tokens.
    pub tokens: Vec<LlamaToken>,
    /// Tokens that were computed for it.
    pub computed: usize,
}

impl Ahead {
    /// Returns true if nothing waits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds one, which takes the place of an earlier one of its client. Returns those that are given up for it.
    pub fn push(&mut self, beginning: Beginning) -> Vec<Beginning> {
        let mut given_up = self.remove(beginning.client);
        if self.0.len() >= MAX_WAITING {
            given_up.extend(self.0.pop_front());
        }
        self.0.push_back(beginning);
        given_up
    }

    /// Removes the one that came first.
    pub fn pop(&mut self) -> Option<Beginning> {
        self.0.pop_front()
    }

    /// Puts one back that is not at its end.
    pub fn put_back(&mut self, beginning: Beginning) {
        self.0.push_front(beginning);
    }

    /// Removes all.
    pub fn take(&mut self) -> Vec<Beginning> {
        std::mem::take(&mut self.0).into()
    }

    /// Removes those of a client.
    pub fn remove(&mut self, client: Option<u64>) -> Vec<Beginning> {
        let all = std::mem::take(&mut self.0);
        let (removed, left): (Vec<_>, Vec<_>) = all.into_iter().partition(|beginning| beginning.client == client);
        self.0 = left.into();
        removed
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
