//! Drafts: how an answer may go on, because its last words went on so before, in its prompt or in itself. A step computes a draft beside
//! the token that is due, and what is drawn as it stands there needs no step of its own: whoever has a letter changed or a text put
//! right waits for the words that change. What is drawn is the same with and without.
//!
//! Speculative decoding ([Leviathan et al., 2023](https://arxiv.org/abs/2211.17192)) whose draft is looked up rather than written by a
//! smaller model ([prompt lookup decoding](https://github.com/apoorvumang/prompt-lookup-decoding)).

use llama_cpp_2::token::LlamaToken;

/// Tokens that must have been there before in the same order.
const NGRAM: usize = 3;

/// Tokens of a draft: at first, at least and at most. On two cores, a step of nine tokens takes less than twice as long as one of one.
const FIRST: usize = 4;
const LEAST: usize = 2;
const MOST: usize = 8;

/// The length of the drafts of one answer, which follows how much of them is drawn.
#[derive(Debug)]
pub struct DraftLength(usize);

impl Default for DraftLength {
    fn default() -> Self {
        Self(FIRST)
    }
}

impl DraftLength {
    /// Tokens of the next draft at most.
    pub const fn tokens(&self) -> usize {
        self.0
    }

    /// So many tokens of a draft were drawn.
    pub fn learn(&mut self, drawn: usize, draft: usize) {
        self.0 = match drawn {
            0 => (self.0 / 2).max(LEAST),
            _ if drawn == draft => (self.0 * 2).min(MOST),
            _ => self.0,
        };
    }
}

/// The tokens that followed where the last ones stood before; none where they did not.
pub fn continuation(tokens: &[LlamaToken], most: usize) -> &[LlamaToken] {
    let Some(begin) = tokens.len().checked_sub(NGRAM) else {
        return &[];
    };
    let last = &tokens[begin..];
    let before = tokens[..tokens.len() - 1]
        .windows(NGRAM)
        .rposition(|ngram| ngram == last);
    before.map_or(&[], |place| {
        let from = place + NGRAM;
        &tokens[from..tokens.len().min(from + most)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(all: &[i32]) -> Vec<LlamaToken> {
        all.iter().copied().map(LlamaToken).collect()
    }

    #[test]
    fn an_answer_goes_on_as_its_words_did_lately() {
        let all = tokens(&[1, 2, 3, 4, 1, 2, 3, 5, 6, 7, 1, 2, 3]);
        assert_eq!(continuation(&all, 2), tokens(&[5, 6]));
        assert_eq!(continuation(&all, 9), tokens(&[5, 6, 7, 1, 2, 3]));
        assert_eq!(continuation(&tokens(&[7, 7, 7, 7]), 4), tokens(&[7]));
        for nothing in [&[1, 2, 3, 4][..], &[1, 2], &[]] {
            assert_eq!(continuation(&tokens(nothing), 4), tokens(&[]));
        }
    }

    #[test]
    fn drafts_are_as_long_as_they_are_drawn() {
        let mut length = DraftLength::default();
        length.learn(4, 4);
        assert_eq!(length.tokens(), 8);
        length.learn(8, 8);
        length.learn(3, 8);
        assert_eq!(length.tokens(), 8);
        for _ in 0..5 {
            length.learn(0, 8);
        }
        assert_eq!(length.tokens(), 2);
    }
}
