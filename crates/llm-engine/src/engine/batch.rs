//! The tokens computed in one step.

use llama_cpp_2::llama_batch::LlamaBatch;

use super::joint;
use super::prompt_scheduler::{self, UnreadPrompt};
use super::sequence::Sequence;

/// A sequence's share of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Index of the sequence.
    pub sequence: usize,
    /// Number of its tokens to compute.
    pub tokens: usize,
    /// The row of the probabilities of its next token, when the step comes so far.
    pub row: Option<i32>,
}

/// Fills the batch with at most `room` tokens: one of each answer, then of prompts that nobody reads for them. Nobody has a share
/// when nothing is to be done.
///
/// # Errors
/// When a token finds no room, which is a mistake here.
pub fn fill(batch: &mut LlamaBatch<'_>, sequences: &[Sequence], room: usize) -> Result<Vec<Share>, String> {
    let (mut wanted, mut unread) = (Vec::new(), Vec::new());
    let readers = joint::readers(sequences);
    for (index, sequence) in sequences.iter().enumerate() {
        let Some(running) = &sequence.running else { continue };
        if running.answer > 0 {
            wanted.push((index, 1));
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
    let answers = wanted.len();
    wanted.extend(prompt_scheduler::share(unread, answers, room));
    batch.clear();
    wanted
        .into_iter()
        .map(|(index, tokens)| add(batch, &sequences[index], index, tokens))
        .collect()
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
    })
}
