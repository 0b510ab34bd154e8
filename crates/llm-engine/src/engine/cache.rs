//! Prefix cache: what sequences have computed is what the next prompts may begin with: the system's turn, which many share, and the
//! earlier turns of a conversation.

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::token::LlamaToken;

use super::sequence::Sequence;

/// A beginning that is shorter is computed again instead of being taken from another sequence.
const MIN_SHARED_PREFIX_TOKENS: usize = 16;

/// Sequence that a prompt gets, and the source of its prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Choice {
    /// The sequence that it gets, as an index.
    to: usize,
    /// The sequence that holds the same beginning, which may be the same one.
    from: usize,
    /// Length of the prefix in tokens.
    tokens: usize,
}

/// Chooses an idle sequence for a prompt and makes the context hold the prompt's beginning for it, as far as another one or
/// the same one has computed it. Returns its index and how many tokens that are. None when no sequence is idle.
pub fn prepare(
    llama: &mut LlamaContext<'_>,
    sequences: &mut [Sequence],
    prompt: &[LlamaToken],
) -> Option<(usize, usize)> {
    let candidates: Vec<_> = sequences
        .iter()
        .map(|sequence| Candidate {
            idle: sequence.is_idle(),
            used: sequence.used,
            held: sequence.held().len(),
            // One token must be computed in any case: what follows it is what is asked for.
            shared: shared(sequence.held(), prompt).min(prompt.len().saturating_sub(1)),
        })
        .collect();
    let choice = choose(&candidates)?;
    let end = u32::try_from(choice.tokens).ok()?;
    let (from, to) = (sequences[choice.from].number, sequences[choice.to].number);
    if from == to {
        llama.kv_cache_seq_rm(to, Some(end), None).ok()?;
    } else {
        llama.kv_cache_seq_rm(to, None, None).ok()?;
        if choice.tokens > 0 {
            llama.kv_cache_seq_cp(from, to, Some(0), Some(end)).ok()?;
        }
    }
    Some((choice.to, choice.tokens))
}

/// Length of the common prefix of two sequences, in tokens.
fn shared(held: &[LlamaToken], prompt: &[LlamaToken]) -> usize {
    held.iter()
        .zip(prompt)
        .take_while(|(held, wanted)| held == wanted)
        .count()
}

/// A sequence that a prompt may get, or whose beginning it may have.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    idle: bool,
    used: u64,
    held: usize,
    shared: usize,
}

fn choose(candidates: &[Candidate]) -> Option<Choice> {
    let (best, from) = candidates
        .iter()
        .enumerate()
        .max_by_key(|(_, candidate)| candidate.shared)?;
    let tokens = from.shared;
    // It goes on in the same sequence when that is mostly what it needs; otherwise that one may yet be needed as it is.
    if from.idle && tokens * 2 >= from.held && tokens >= MIN_SHARED_PREFIX_TOKENS {
        return Some(Choice {
            to: best,
            from: best,
            tokens,
        });
    }
    let idle = candidates.iter().enumerate().filter(|(_, candidate)| candidate.idle);
    let (to, _) = idle.min_by_key(|(_, candidate)| candidate.used)?;
    Some(Choice {
        to,
        from: best,
        tokens: if tokens >= MIN_SHARED_PREFIX_TOKENS { tokens } else { 0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(idle: bool, used: u64, held: usize, shared: usize) -> Candidate {
        Candidate {
            idle,
            used,
            held,
            shared,
        }
    }

    fn chosen(candidates: &[Candidate]) -> Option<(usize, usize, usize)> {
        choose(candidates).map(|choice| (choice.to, choice.from, choice.tokens))
    }

    #[test]
    fn a_conversation_goes_on_where_it_was() {
        let candidates = [candidate(true, 1, 0, 0), candidate(true, 2, 300, 290)];
        assert_eq!(chosen(&candidates), Some((1, 1, 290)));
    }

    #[test]
    fn another_conversation_takes_the_common_beginning_and_leaves_the_rest() {
        let candidates = [
            candidate(true, 2, 900, 100),
            candidate(true, 1, 500, 100),
            candidate(true, 0, 0, 0),
        ];
        let (to, _, tokens) = chosen(&candidates).unwrap();
        assert_eq!((to, tokens), (2, 100));
    }

    #[test]
    fn the_beginning_of_one_that_runs_is_taken_too() {
        let candidates = [candidate(false, 2, 900, 100), candidate(true, 1, 500, 20)];
        assert_eq!(chosen(&candidates), Some((1, 0, 100)));
        assert_eq!(chosen(&[candidate(false, 2, 900, 100)]), None);
    }

    #[test]
    fn little_in_common_is_nothing() {
        let candidates = [candidate(true, 2, 900, 3), candidate(true, 1, 500, 4)];
        let (to, _, tokens) = chosen(&candidates).unwrap();
        assert_eq!((to, tokens), (1, 0));
        assert_eq!(
            shared(&[LlamaToken(1), LlamaToken(2)], &[LlamaToken(1), LlamaToken(3)]),
            1
        );
    }
}
