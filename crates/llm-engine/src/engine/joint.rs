//! Joint reading: of prompts that begin alike and are unread at the same time, one is read and the others wait for it.
//!
//! Instructions with their examples take a cold engine many seconds, and whoever asks first after a start asks with the same ones
//! as all others. What the host reads for everybody is waited for by all, and among the prompts of one client the oldest is
//! waited for by the younger ones.

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::token::LlamaToken;

use super::cache::{self, KeptPrefix, MIN_KEPT_PREFIX_TOKENS, MIN_SHARED_PREFIX_TOKENS};
use super::sequence::Sequence;

/// For each sequence, the index of the one that reads the next of its tokens for it; none where it reads for itself or has read
/// its prompt.
pub fn readers(sequences: &[Sequence]) -> Vec<Option<usize>> {
    (0..sequences.len()).map(|index| reader(sequences, index)).collect()
}

fn reader(sequences: &[Sequence], index: usize) -> Option<usize> {
    let own = &sequences[index];
    let number = unread(own)?;
    let reads_on = |other: &Sequence| {
        let common = common(other, own, &other.tokens);
        other.fed < common && common >= own.fed + MIN_SHARED_PREFIX_TOKENS
    };
    let others = sequences.iter().enumerate().filter_map(|(other, sequence)| {
        let other_number = unread(sequence)?;
        let is_hosts = !sequence.owner.is_client();
        // Nobody waits for one that waits for him: the host for no client, and of two alike the older for none.
        let comes_first = match (is_hosts, own.owner.is_client()) {
            (true, true) => true,
            (false, false) => false,
            _ => other_number < number,
        };
        (other != index && comes_first && reads_on(sequence)).then_some((is_hosts, sequence.fed, other))
    });
    others.max().map(|(_, _, other)| other)
}

/// The sequence that reads for one in the end, which may be itself.
pub fn last(readers: &[Option<usize>], index: usize) -> usize {
    let mut last = index;
    // Nobody waits in a circle, and in no longer row than there are sequences.
    for _ in readers {
        last = readers[last].unwrap_or(last);
    }
    last
}

/// The number of the answer whose prompt is being read.
fn unread(sequence: &Sequence) -> Option<u64> {
    let running = sequence.running.as_ref()?;
    sequence.is_reading().then_some(running.number)
}

/// How many of a sequence's tokens, computed or not, another one may take as the beginning of its prompt.
fn common(of: &Sequence, prompt: &Sequence, tokens: &[LlamaToken]) -> usize {
    // The last token is computed in any case: what follows it is what is asked for.
    cache::shared(tokens, &prompt.tokens)
        .min(of.owner.open_to_owner(&prompt.owner))
        .min(prompt.tokens.len().saturating_sub(1))
}

/// Gives each prompt that is being read what others have computed of it meanwhile. `room` is how many tokens may be kept apart,
/// and `now` the number of the last answer. None where the context cannot do that.
pub fn take(
    llama: &mut LlamaContext<'_>,
    sequences: &mut [Sequence],
    kept: &mut [KeptPrefix],
    room: usize,
    now: u64,
) -> Option<()> {
    for index in 0..sequences.len() {
        let own = &sequences[index];
        if unread(own).is_none() {
            continue;
        }
        let others = sequences.iter().enumerate().filter(|(other, _)| *other != index);
        let best = others
            .map(|(other, sequence)| (common(sequence, own, sequence.held()), other))
            .max();
        let Some((tokens, other)) = best.filter(|(tokens, _)| *tokens >= own.fed + MIN_SHARED_PREFIX_TOKENS) else {
            continue;
        };
        let other = &sequences[other];
        let everybodys = tokens.min(other.owner.common());
        let (from, fed) = (other.number, own.fed);
        llama
            .kv_cache_seq_cp(from, own.number, u32::try_from(fed).ok(), u32::try_from(tokens).ok())
            .ok()?;
        let own = &mut sequences[index];
        own.take(tokens, everybodys);
        if tokens >= MIN_KEPT_PREFIX_TOKENS {
            cache::keep(llama, kept, from, (&own.tokens[..tokens], own.owner), room, now)?;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::owner::Owner;
    use crate::engine::sampling::Sampler;
    use crate::engine::sequence::Running;
    use crate::protocol::Options;

    /// A sequence that has computed `fed` tokens of a prompt of 300, of which the first `same` are those of all others.
    fn sequence(id: u16, client: Option<u64>, same: i32, fed: usize) -> Sequence {
        let own = 1000 * i32::from(id);
        let prompt: Vec<_> = (0..300)
            .map(|token| LlamaToken(if token < same { token } else { own + token }))
            .collect();
        let options = Options::default();
        let sampler = Sampler::new(&options, None);
        let id = u64::from(id);
        let running = Running::new(id, prompt.len(), 0, id, None, sampler, options);
        let mut sequence = Sequence::new(0);
        sequence.begin(prompt, 0, Owner::new(client, 0), running);
        sequence.fed = fed;
        sequence
    }

    #[test]
    fn all_wait_for_the_host_and_it_for_nobody() {
        let sequences = [
            sequence(1, Some(1), 200, 0),
            sequence(2, Some(2), 200, 60),
            sequence(3, None, 200, 40),
            sequence(4, Some(3), 50, 40),
        ];
        let found = readers(&sequences);
        assert_eq!(found, [Some(2), Some(2), None, None]);
        assert_eq!([0, 1, 2, 3].map(|index| last(&found, index)), [2, 2, 2, 3]);
    }

    #[test]
    fn a_client_waits_for_its_own_older_prompt_and_for_nobody_elses() {
        let sequences = [
            sequence(3, Some(1), 200, 0),
            sequence(2, Some(1), 200, 0),
            sequence(1, Some(2), 200, 0),
        ];
        assert_eq!(readers(&sequences), [Some(1), None, None]);
    }

    #[test]
    fn nobody_waits_for_what_is_read_or_for_one_that_writes() {
        let mut sequences = [sequence(1, Some(1), 200, 0), sequence(2, None, 200, 200)];
        assert_eq!(readers(&sequences), [None, None], "it reads on alone");
        sequences[1].fed = 150;
        assert_eq!(readers(&sequences), [Some(1), None]);
        sequences[1].end();
        assert_eq!(readers(&sequences), [None, None]);
    }

    #[test]
    fn what_was_taken_counts_as_known_and_as_everybodys() {
        let mut own = sequence(1, Some(1), 200, 10);
        own.take(150, 120);
        assert_eq!(own.running.as_ref().map(|running| running.cached), Some(140));
        assert_eq!((own.held().len(), own.owner.open_to(Some(2))), (150, 120));
    }
}
