//! The order in which prompts are read: the one with the least left to read comes first, by levels; among equals, the older one. Once
//! the oldest has waited for some time, half of a step is its own.
//!
//! The length of a prompt is known, so this needs no feedback as graphs' turns do: shortest remaining processing time (Schrage, 1968)
//! ends the most prompts in a given time. So a question does not wait for a document, and of several questions the first is
//! answered early instead of all late. By itself it starves the long: under load there is always a shorter one, and instructions
//! of 2,000 tokens, for which many questions wait, are never read. Hence the oldest prompt's half; not from its beginning, because who
//! asks first after a start should not wait for what is read for everybody.

use std::time::Duration;

/// Tokens up to which a prompt comes before longer ones: what a step reads, and a page.
const LEVEL_TOKENS: [usize; 2] = [256, 1024];

/// Time after which half of a step is the oldest prompt's.
const PATIENCE: Duration = Duration::from_secs(20);

/// Tokens of prompts that are read in a step beside answers that are being written, which would stand still beside more.
const MAX_PROMPT_TOKENS_BESIDE_ANSWERS: usize = 32;

/// A prompt that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnreadPrompt {
    /// Index of the sequence.
    pub sequence: usize,
    /// The number of the answer: the smaller, the older.
    pub number: u64,
    /// Tokens that have not been read yet.
    pub left: usize,
    /// Time since it, or what waits for it, was begun.
    pub age: Duration,
}

/// Shares out the tokens of a step that has room for `room` among the prompts, beside `answers` being written.
pub fn share(mut prompts: Vec<UnreadPrompt>, answers: usize, room: usize) -> Vec<(usize, usize)> {
    let most = if answers == 0 {
        room
    } else {
        MAX_PROMPT_TOKENS_BESIDE_ANSWERS
    };
    let most = most.min(room.saturating_sub(answers));
    prompts.sort_by_key(|prompt| (level(prompt.left), prompt.number));
    let oldest = prompts.iter().min_by_key(|prompt| prompt.number).copied();
    let reserved = match oldest {
        Some(oldest) if oldest.age >= PATIENCE => oldest.left.min(most / 2),
        _ => 0,
    };
    let mut left = most - reserved;
    let mut shares = Vec::new();
    for prompt in prompts {
        let own = match oldest {
            Some(oldest) if oldest.sequence == prompt.sequence => reserved,
            _ => 0,
        };
        let more = (prompt.left - own).min(left);
        if own + more > 0 {
            shares.push((prompt.sequence, own + more));
        }
        left -= more;
    }
    shares
}

fn level(left: usize) -> usize {
    LEVEL_TOKENS.iter().take_while(|level| left > **level).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One that has waited for long.
    fn prompt(sequence: usize, number: u64, left: usize) -> UnreadPrompt {
        UnreadPrompt {
            sequence,
            number,
            left,
            age: PATIENCE,
        }
    }

    #[test]
    fn the_oldest_first_and_what_is_left_to_the_next() {
        let prompts = vec![prompt(0, 2, 240), prompt(1, 1, 200)];
        assert_eq!(share(prompts, 0, 256), [(1, 200), (0, 56)]);
    }

    #[test]
    fn a_question_comes_before_the_rest_of_a_document() {
        let prompts = vec![prompt(0, 1, 3000), prompt(1, 2, 40)];
        assert_eq!(share(prompts, 0, 256), [(1, 40), (0, 216)]);
        // The rest of a document that is nearly read comes before a longer one, and not behind who asked later.
        let prompts = vec![prompt(0, 1, 900), prompt(1, 2, 700), prompt(2, 3, 2000)];
        assert_eq!(share(prompts, 0, 256), [(0, 256)]);
    }

    #[test]
    fn a_long_one_is_read_however_many_shorter_ones_come() {
        let prompts = vec![prompt(0, 1, 2000), prompt(1, 8, 240), prompt(2, 9, 250)];
        assert_eq!(share(prompts, 0, 256), [(1, 128), (0, 128)]);
        let prompts = vec![prompt(0, 1, 2000), prompt(1, 8, 20)];
        assert_eq!(share(prompts.clone(), 2, 256), [(1, 16), (0, 16)]);
        let young = |prompt| UnreadPrompt {
            age: Duration::ZERO,
            ..prompt
        };
        let prompts = prompts.into_iter().map(young).collect();
        assert_eq!(share(prompts, 2, 256), [(1, 20), (0, 12)], "not yet");
    }

    #[test]
    fn answers_go_on_meanwhile() {
        assert_eq!(
            share(vec![prompt(0, 1, 3000)], 3, 256),
            [(0, MAX_PROMPT_TOKENS_BESIDE_ANSWERS)]
        );
        assert_eq!(share(Vec::new(), 3, 256), []);
        assert_eq!(share(vec![prompt(0, 1, 9)], 4, 4), []);
    }
}
