//! The order in which prompts are read: a multilevel feedback queue, as for graphs.
//!
//! A prompt of which little has been read comes before one of which much has been read; among equals, the older one comes
//! first. So a question does not wait for a document, and of several questions the first is answered early instead of all
//! late.

/// Tokens after which a prompt comes behind shorter ones.
const LEVEL_TOKENS: [usize; 2] = [512, 2048];

/// Tokens of prompts that are read in a step beside answers that are being written: these go on at a good half of their pace.
const MAX_PROMPT_TOKENS_BESIDE_ANSWERS: usize = 32;

/// A prompt that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnreadPrompt {
    /// Index of the sequence.
    pub sequence: usize,
    /// The number of the answer: the smaller, the older.
    pub number: u64,
    /// Tokens that have been read for it.
    pub read: usize,
    /// Tokens that have not.
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
    prompts.sort_by_key(|prompt| (level(prompt.read), prompt.number));
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

fn level(read: usize) -> usize {
    LEVEL_TOKENS.iter().take_while(|level| read >= **level).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(sequence: usize, number: u64, read: usize, left: usize) -> UnreadPrompt {
        UnreadPrompt {
            sequence,
            number,
            read,
            left,
        }
    }

    #[test]
    fn the_oldest_first_and_what_is_left_to_the_next() {
        let prompts = vec![prompt(0, 2, 0, 300), prompt(1, 1, 0, 200)];
        assert_eq!(share(prompts, 0, 256), [(1, 200), (0, 56)]);
    }

    #[test]
    fn a_question_comes_before_the_rest_of_a_document() {
        let prompts = vec![prompt(0, 1, 512, 3000), prompt(1, 2, 0, 40)];
        assert_eq!(share(prompts, 0, 256), [(1, 40), (0, 216)]);
    }

    #[test]
    fn answers_go_on_meanwhile() {
        assert_eq!(
            share(vec![prompt(0, 1, 0, 3000)], 3, 256),
            [(0, MAX_PROMPT_TOKENS_BESIDE_ANSWERS)]
        );
        assert_eq!(share(Vec::new(), 3, 256), []);
        assert_eq!(share(vec![prompt(0, 1, 0, 9)], 4, 4), []);
    }
}
