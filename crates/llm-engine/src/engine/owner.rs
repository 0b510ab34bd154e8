//! Owners of what was computed: a client's conversation is only that client's to go on from, so that nobody learns from
//! the time of an answer, or from its count of known tokens, what others have said. What the host itself had read before
//! anybody came, instructions with their examples, is everybody's.

use std::time::{Duration, Instant};

/// The owner of a sequence's tokens, and how many of the first of them are everybody's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    /// Number of the client; none where all is everybody's.
    client: Option<u64>,
    /// The first tokens that hold nothing of the client.
    common: usize,
    used: Instant,
    /// True if the client wants nothing held of it.
    forgotten: bool,
}

impl Default for Owner {
    fn default() -> Self {
        Self::new(None, 0)
    }
}

impl Owner {
    /// The owner of a client's tokens, of which the first `common` are everybody's; of the host's, all are.
    pub fn new(client: Option<u64>, common: usize) -> Self {
        Self {
            client,
            common: if client.is_some() { common } else { usize::MAX },
            used: Instant::now(),
            forgotten: false,
        }
    }

    /// The first tokens that a client may go on from. The host, which is none, may go on from all: where its own prompt begins like
    /// a client's, it says nothing of the client, and nobody sees how long it takes.
    pub fn open_to(&self, client: Option<u64>) -> usize {
        if (client.is_none() || self.client == client) && !self.forgotten {
            usize::MAX
        } else {
            self.common
        }
    }

    /// The first tokens that the owner of others may go on from.
    pub fn open_to_owner(&self, other: &Self) -> usize {
        self.open_to(other.client)
    }

    /// The first tokens that everybody may go on from.
    pub const fn common(&self) -> usize {
        self.common
    }

    /// Returns true if the tokens are a client's, and not the host's own.
    pub const fn is_client(&self) -> bool {
        self.client.is_some()
    }

    /// Returns true if other tokens are the same client's, or both are the host's own.
    pub fn is_of_same_client(&self, other: &Self) -> bool {
        self.client == other.client
    }

    /// Notes that the first of the tokens turned out to be everybody's.
    pub fn learn_common(&mut self, tokens: usize) {
        self.common = self.common.max(tokens);
    }

    /// Notes that the tokens are used now.
    pub fn touch(&mut self) {
        self.used = Instant::now();
    }

    /// Notes that a client wants nothing held.
    pub fn forget(&mut self, client: u64) {
        self.forgotten |= self.client == Some(client);
    }

    /// Notes that nothing is to be held that was not used for so long.
    pub fn forget_unused(&mut self, time: Duration) {
        self.forgotten |= self.client.is_some() && self.used.elapsed() >= time;
    }

    /// The tokens that may be held on, where not all of them may; what is left is everybody's.
    pub fn left(&mut self) -> Option<usize> {
        if !self.forgotten {
            return None;
        }
        let common = self.common;
        *self = Self::new(None, common);
        Some(common)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_is_its_clients_and_instructions_are_everybodys() {
        let owner = Owner::new(Some(1), 300);
        assert_eq!(owner.open_to(Some(1)), usize::MAX);
        assert_eq!((owner.open_to(Some(2)), owner.open_to(None)), (300, usize::MAX));
        assert_eq!(Owner::new(None, 0).open_to(Some(2)), usize::MAX);
    }

    #[test]
    fn what_a_client_has_forgotten_is_gone_but_for_what_is_everybodys() {
        let mut owner = Owner::new(Some(1), 300);
        owner.forget(2);
        assert_eq!(owner.left(), None);
        owner.forget(1);
        // Until it is cut, it is nobody's to go on from.
        assert_eq!((owner.open_to(Some(1)), owner.open_to(None)), (300, 300));
        assert_eq!((owner.left(), owner.left()), (Some(300), None));
        assert_eq!(owner.open_to(Some(2)), usize::MAX);
    }

    #[test]
    fn what_nobody_used_is_gone_in_time() {
        let (mut owner, mut of_all) = (Owner::new(Some(1), 0), Owner::new(None, 0));
        owner.forget_unused(Duration::from_secs(60));
        assert_eq!(owner.left(), None);
        owner.forget_unused(Duration::ZERO);
        of_all.forget_unused(Duration::ZERO);
        assert_eq!((owner.left(), of_all.left()), (Some(0), None));
    }
}
