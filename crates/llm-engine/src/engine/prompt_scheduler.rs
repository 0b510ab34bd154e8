//! The order in which prompts are read: the one with the least left to read comes first, by levels; among equals, the older one.
//!
//! The length of a prompt is known, so this needs no feedback as graphs' turns do: shortest remaining processing time (Schrage, 1968)
//! ends the most prompts in a given time. So a question does not wait for a document, and of several questions the first is
//! answered early instead of all late.

/// Tokens up to which a prompt comes before longer ones: what a step reads, and a page.
const LEVEL_TOKENS: [usize; 2] = [256, 1024];

/// Tokens of prompts that are read in a step beside answers that are being written: these go on at a good half of their pace.
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
}

/// Shares out the tokens of a step that has room for `room` among the prompts, beside `answers` being written.
pub fn share(mut prompts: Vec<UnreadPrompt>, answers: usize, room: usize) -> Vec<(usize, usize)> {
    let most = if answers == 0 {
        room
    } else {
        MAX_PROMPT_TOKENS_BESIDE_ANSWERS
    };
    let mut left = most.min(room.saturating_sub(answers));
    prompts.sort_by_key(|prompt| (level(prompt.left), prompt.number));
    let mut shares = Vec::new();
    for prompt in prompts {
        let tokens = prompt.left.min(left);
        if tokens > 0 {
            shares.push((prompt.sequence, tokens));
        }
        left -= tokens;
    }
    shares
}

fn level(left: usize) -> usize {
    LEVEL_TOKENS.iter().take_while(|level| left > **level).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(sequence: usize, number: u64, left: usize) -> UnreadPrompt {
        UnreadPrompt { sequence, number, left }
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
    fn answers_go_on_meanwhile() {
        assert_eq!(
            share(vec![prompt(0, 1, 3000)], 3, 256),
            [(0, MAX_PROMPT_TOKENS_BESIDE_ANSWERS)]
        );
        assert_eq!(share(Vec::new(), 3, 256), []);
        assert_eq!(share(vec![prompt(0, 1, 9)], 4, 4), []);
    }
}
