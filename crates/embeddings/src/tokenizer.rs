//! The unigram tokenizer of SentencePiece: the most likely way to put a text together out of the vocabulary's pieces
//! (Kudo, "Subword Regularization", 2018), found by the Viterbi algorithm.
//!
//! No crate fits: those that read such vocabularies make tables of tens of megabytes when they start, which every request
//! would pay for. Here the vocabulary is searched where it lies, by the crate `fst`; `tools/model-convert` writes it.

use fst::raw::Fst;

use crate::normalise::normalise;

/// The tokenizer of XLM-RoBERTa and its descendants.
pub struct Tokenizer<'a> {
    pieces: Fst<&'a [u8]>,
    /// Numbers of pieces, by the places that `pieces` gives.
    numbers: &'a [[u8; 4]],
    scores: &'a [[u8; 4]],
    unknown: u32,
    unknown_score: f32,
}

/// Error: the bytes are no vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidVocabulary;

/// The best way to a place in the text.
#[derive(Clone, Copy)]
struct Step {
    score: f32,
    /// The start of its last piece.
    from: usize,
    /// The number of that piece.
    piece: u32,
}

impl<'a> Tokenizer<'a> {
    /// Reads a vocabulary, as `tools/model-convert` writes it. Nothing is computed or copied.
    ///
    /// # Errors
    /// When the bytes are no such vocabulary.
    pub fn new(vocabulary: &'a [u8]) -> Result<Self, InvalidVocabulary> {
        let mut rest = vocabulary;
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at_checked(count.checked_mul(4)?)?;
            rest = left;
            Some(taken.as_chunks::<4>().0)
        };
        let mut read = || {
            let head = take(3)?;
            let count = usize::try_from(u32::from_le_bytes(head[0])).ok()?;
            Some((count, head, take(count)?, take(count)?))
        };
        let (count, head, numbers, scores) = read().ok_or(InvalidVocabulary)?;
        let pieces = Fst::new(rest).map_err(|_| InvalidVocabulary)?;
        if pieces.len() != count {
            return Err(InvalidVocabulary);
        }
        Ok(Self {
            pieces,
            numbers,
            scores,
            unknown: u32::from_le_bytes(head[1]),
            unknown_score: f32::from_le_bytes(head[2]),
        })
    }

    /// The numbers of the pieces of a text, at most so many.
    pub fn encode(&self, text: &str, most: usize) -> impl Iterator<Item = u32> {
        let normal = normalise(text);
        let mut steps = vec![
            Step {
                score: f32::NEG_INFINITY,
                from: 0,
                piece: self.unknown,
            };
            normal.len() + 1
        ];
        steps[0].score = 0.0;
        for (from, c) in normal.char_indices() {
            let before = steps[from].score;
            let mut reach = |to: usize, score: f32, piece: u32| {
                if before + score > steps[to].score {
                    steps[to] = Step {
                        score: before + score,
                        from,
                        piece,
                    };
                }
            };
            let mut alone = false;
            let mut node = self.pieces.root();
            let mut place = 0;
            for (offset, byte) in normal.as_bytes()[from..].iter().enumerate() {
                let Some(next) = node.find_input(*byte) else { break };
                let transition = node.transition(next);
                place += transition.out.value();
                node = self.pieces.node(transition.addr);
                if node.is_final() {
                    let at = usize::try_from(place + node.final_output().value()).unwrap_or(usize::MAX);
                    if let (Some(number), Some(score)) = (self.numbers.get(at), self.scores.get(at)) {
                        let end = from + offset + 1;
                        alone |= end == from + c.len_utf8();
                        reach(end, f32::from_le_bytes(*score), u32::from_le_bytes(*number));
                    }
                }
            }
            // A character that is no piece can be passed all the same.
            if !alone {
                reach(from + c.len_utf8(), self.unknown_score, self.unknown);
            }
        }
        let mut pieces = Vec::new();
        let mut at = normal.len();
        while at > 0 {
            let step = steps[at];
            // What is unknown in a row is one.
            if step.piece != self.unknown || pieces.last() != Some(&self.unknown) {
                pieces.push(step.piece);
            }
            at = step.from;
        }
        pieces.into_iter().rev().take(most)
    }
}
