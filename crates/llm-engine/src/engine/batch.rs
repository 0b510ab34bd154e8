//! The tokens computed in one step.

use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::token::LlamaToken;

use super::draft;
use super::joint;
use super::prompt_scheduler::{self, UnreadPrompt};
use super::sequence::Sequence;

/// A sequence's share of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// Index of the sequence.
    pub sequence: usize,
    /// Number of its tokens to compute.
    pub tokens: usize,
    /// The row of the probabilities of its next token, when the step comes so far.
    pub row: Option<i32>,
    /// Tokens after these that may be drawn; each has the row after the one before.
    pub draft: Vec<LlamaToken>,
}

/// Tokens of an answer in one step at most, where a schema says which come next: others wait for the step.
const MAX_ANSWER_TOKENS: usize = 32;

/// Bounds of what a step computes.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Tokens.
    pub tokens: usize,
    /// Tokens that a prompt and its answer may have.
    pub context: usize,
    /// True if what was computed of a sequence can be cut, and so drafts be tried.
    pub drafts: bool,
}

/// Fills the batch as far as there is room: with those of each answer that are not computed yet, mostly one, then of prompts that nobody
/// reads for them. Nobody has a share when nothing is to be done.
///
/// # Errors
/// When a token finds no room, which is a mistake here.
pub fn fill(batch: &mut LlamaBatch<'_>, sequences: &[Sequence], room: Room) -> Result<Vec<Share>, String> {
    let (mut wanted, mut unread) = (Vec::new(), Vec::new());
    let readers = joint::readers(sequences);
    for (index, sequence) in sequences.iter().enumerate() {
        let Some(running) = &sequence.running else { continue };
        if !sequence.is_reading() {
            let left = sequence.tokens.len() - sequence.fed;
            let most = MAX_ANSWER_TOKENS.min(room.tokens / sequences.len()).max(1);
            wanted.push((index, left.min(most)));
        } else if readers[index].is_none() {
            // One that others wait for is as old as the oldest of them.
            let waiting = (0..sequences.len()).filter(|other| joint::last(&readers, *other) == index);
            let all = waiting.filter_map(|other| sequences[other].running.as_ref());
            let oldest = all.min_by_key(|other| other.number).unwrap_or(running);
            unread.push(UnreadPrompt {
                sequence: index,
                number: oldest.number,
                left: sequence.tokens.len() - sequence.fed,
                age: oldest.begun.elapsed(),
            });
        }
    }
    // Others would wait for what may not be drawn.
    let is_alone = wanted.len() == 1 && unread.is_empty();
    let answers = wanted.iter().map(|(_, tokens)| tokens).sum();
    wanted.extend(prompt_scheduler::share(unread, answers, room.tokens));
    batch.clear();
    let mut shares = Vec::new();
    for (index, tokens) in wanted {
        let mut share = add(batch, &sequences[index], index, tokens)?;
        if is_alone && room.drafts && share.row.is_some() {
            share.draft = add_draft(batch, &sequences[index], room.context)?;
        }
        shares.push(share);
    }
    Ok(shares)
}

/// Adds the draft of an answer.
fn add_draft(batch: &mut LlamaBatch<'_>, sequence: &Sequence, context: usize) -> Result<Vec<LlamaToken>, String> {
    let Some(running) = &sequence.running else {
        return Ok(Vec::new());
    };
    let left = context.saturating_sub(sequence.tokens.len() + 1);
    let left = left.min((running.most.saturating_sub(running.answer + 1)) as usize);
    let draft = draft::continuation(&sequence.tokens, running.draft.tokens().min(left));
    for (token, position) in draft.iter().zip(sequence.tokens.len()..) {
        let number = i32::try_from(position).map_err(|error| error.to_string())?;
        batch
            .add(*token, number, &[sequence.number], true)
            .map_err(|error| error.to_string())?;
    }
    Ok(draft.to_vec())
}

fn add(batch: &mut LlamaBatch<'_>, sequence: &Sequence, index: usize, tokens: usize) -> Result<Share, String> {
    let end = sequence.fed + tokens;
    let mut row = None;
    for position in sequence.fed..end {
        // Only after the last token of all is there something to draw.
        let last = position + 1 == sequence.tokens.len();
        if last {
            row = Some(batch.n_tokens());
        }
        let number = i32::try_from(position).map_err(|error| error.to_string())?;
        batch
            .add(sequence.tokens[position], number, &[sequence.number], last)
            .map_err(|error| error.to_string())?;
    }
    Ok(Share {
        sequence: index,
        tokens,
        row,
        draft: Vec::new(),
    })
}
