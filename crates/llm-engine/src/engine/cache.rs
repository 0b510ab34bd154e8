//! Prefix cache: what sequences have computed is what the next prompts may begin with: the system's turn, which many share, and the
//! earlier turns of a conversation. Of another client's prompt only what the host has said itself (`owner`).
//!
//! A long beginning that a second prompt shares is kept in a sequence of its own, where nothing is written: instructions with
//! their examples take many seconds to compute, and other prompts would soon take their place.

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::token::LlamaToken;

use super::owner::Owner;
use super::sequence::Sequence;

/// A beginning that is shorter is computed again instead of being taken from another sequence.
pub const MIN_SHARED_PREFIX_TOKENS: usize = 16;

/// Beginnings that are kept apart from those of the last prompts.
pub const MAX_KEPT_PREFIXES: usize = 24;

/// Of these, beginnings that a client has, before its own oldest makes place for the next.
const MAX_KEPT_OF_A_CLIENT: usize = 3;

/// A shared beginning that is shorter is computed again rather than kept.
pub const MIN_KEPT_PREFIX_TOKENS: usize = 128;

/// A beginning that more than one prompt had.
pub struct KeptPrefix {
    /// The number of its sequence in the context.
    number: i32,
    tokens: Vec<LlamaToken>,
    /// When it was last used, as the number of the answer.
    used: u64,
    owner: Owner,
}

impl KeptPrefix {
    /// An empty one.
    pub fn new(number: u32) -> Self {
        Self {
            number: i32::try_from(number).unwrap_or(i32::MAX),
            tokens: Vec::new(),
            used: 0,
            owner: Owner::default(),
        }
    }

    /// The context holds nothing of it any more.
    pub fn forget(&mut self) {
        self.tokens.clear();
        self.used = 0;
    }

    /// The number of its sequence.
    pub const fn number(&self) -> i32 {
        self.number
    }

    /// The tokens that the context holds of it.
    pub fn tokens(&self) -> &[LlamaToken] {
        &self.tokens
    }

    /// The context holds these tokens of it, which an earlier engine has computed for everybody.
    pub fn restore(&mut self, tokens: Vec<LlamaToken>) {
        self.tokens = tokens;
        self.owner = Owner::new(None, 0);
    }

    /// The context holds more of it now.
    pub fn extend(&mut self, tokens: &[LlamaToken]) {
        self.tokens.extend(tokens);
        self.owner.touch();
    }

    /// Returns true if it is this client's, who has not forgotten it; the host, which is none, has nothing of its own here.
    fn is_of(&self, client: Option<u64>) -> bool {
        let is_own = client.is_some() && self.owner.is_of_same_client(&Owner::new(client, 0));
        is_own && self.owner.open_to(client) == usize::MAX && !self.tokens.is_empty()
    }

    const fn size(&self) -> Size {
        Size {
            held: self.tokens.len(),
            used: self.used,
            is_clients: self.owner.is_client(),
        }
    }

    /// Whose the tokens are.
    pub const fn owner(&self) -> &Owner {
        &self.owner
    }

    /// Whose the tokens are.
    pub const fn owner_mut(&mut self) -> &mut Owner {
        &mut self.owner
    }
}

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

/// A prompt, and the client whose it is.
#[derive(Debug, Clone, Copy)]
pub struct Owned<'a> {
    /// Its tokens.
    pub tokens: &'a [LlamaToken],
    /// Number of the client; none for the host's own.
    pub client: Option<u64>,
}

/// The place that a prompt gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Index of its sequence.
    pub sequence: usize,
    /// Tokens of the prompt that the context holds for it.
    pub cached: usize,
    /// The owner of the prompt.
    pub owner: Owner,
}

/// Holds nothing any more that owners have had forgotten; answers that are being written are left to their end.
pub fn forget(llama: &mut LlamaContext<'_>, sequences: &mut [Sequence], kept: &mut [KeptPrefix]) -> Option<()> {
    for sequence in sequences.iter_mut().filter(|sequence| sequence.is_idle()) {
        if let Some(left) = sequence.owner.left() {
            llama
                .kv_cache_seq_rm(sequence.number, Some(u32::try_from(left).ok()?), None)
                .ok()?;
            sequence.truncate(left);
        }
    }
    for prefix in kept {
        if let Some(left) = prefix.owner.left() {
            llama
                .kv_cache_seq_rm(prefix.number, Some(u32::try_from(left).ok()?), None)
                .ok()?;
            prefix.tokens.truncate(left);
        }
    }
    Some(())
}

/// Chooses an idle sequence for a prompt and makes the context hold the prompt's beginning for it, as far as another one or
/// the same one has computed it and the prompt's client may go on from it. None when no sequence is idle. `room` is how many
/// tokens may be kept apart, and `now` the number of the answer.
pub fn prepare(
    llama: &mut LlamaContext<'_>,
    sequences: &mut [Sequence],
    kept: &mut [KeptPrefix],
    prompt: Owned<'_>,
    room: usize,
    now: u64,
) -> Option<Place> {
    let Owned { tokens: prompt, client } = prompt;
    // One token must be computed in any case: what follows it is what is asked for.
    let common = |held: &[LlamaToken]| shared(held, prompt).min(prompt.len().saturating_sub(1));
    let owners = sequences.iter().map(|sequence| (sequence.held(), sequence.owner));
    let owners = owners.chain(kept.iter().map(|prefix| (prefix.tokens.as_slice(), prefix.owner)));
    let of_all = owners.map(|(held, owner)| common(held).min(owner.common()));
    let owner = Owner::new(client, of_all.max().unwrap_or(0));
    let mut candidates: Vec<_> = sequences
        .iter()
        .map(|sequence| Candidate {
            idle: sequence.is_idle(),
            used: sequence.used,
            held: sequence.held().len(),
            shared: common(sequence.held()).min(sequence.owner.open_to(client)),
        })
        .collect();
    candidates.extend(kept.iter().map(|prefix| Candidate {
        // Nothing is written there.
        idle: false,
        used: prefix.used,
        held: prefix.tokens.len(),
        shared: common(&prefix.tokens).min(prefix.owner.open_to(client)),
    }));
    let choice = choose(&candidates)?;
    let end = u32::try_from(choice.tokens).ok()?;
    let from = match choice.from.checked_sub(sequences.len()) {
        Some(index) => {
            kept[index].used = now;
            kept[index].owner.touch();
            kept[index].number
        }
        None => sequences[choice.from].number,
    };
    let to = sequences[choice.to].number;
    if choice.from < sequences.len() && choice.tokens >= MIN_KEPT_PREFIX_TOKENS {
        keep(llama, kept, from, (&prompt[..choice.tokens], owner), room, now)?;
    }
    if from == to {
        llama.kv_cache_seq_rm(to, Some(end), None).ok()?;
    } else {
        llama.kv_cache_seq_rm(to, None, None).ok()?;
        if choice.tokens > 0 {
            llama.kv_cache_seq_cp(from, to, Some(0), Some(end)).ok()?;
        }
    }
    Some(Place {
        sequence: choice.to,
        cached: choice.tokens,
        owner,
    })
}

/// Tokens at the beginning of a prompt that the context holds and that the prompt's client may go on from.
pub fn known(sequences: &[Sequence], kept: &[KeptPrefix], prompt: Owned<'_>) -> usize {
    let held = sequences.iter().map(|sequence| (sequence.held(), &sequence.owner));
    let held = held.chain(kept.iter().map(|prefix| (prefix.tokens.as_slice(), &prefix.owner)));
    let known = held.map(|(held, owner)| shared(held, prompt.tokens).min(owner.open_to(prompt.client)));
    known.max().unwrap_or(0)
}

/// Makes the context hold the beginning of a prompt apart, as far as something else has computed it; it may grow there to its
/// `prompt`. Returns its index; none where there is no room.
///
/// # Errors
/// When the context cannot do that.
pub fn open(
    llama: &mut LlamaContext<'_>,
    sequences: &[Sequence],
    kept: &mut [KeptPrefix],
    prompt: Owned<'_>,
    room: usize,
    now: u64,
) -> Result<Option<usize>, String> {
    let Owned { tokens: prompt, client } = prompt;
    let own = kept.iter().enumerate().filter(|(_, prefix)| prefix.is_of(client));
    let own: Vec<_> = own
        .map(|(index, prefix)| Own {
            index,
            used: prefix.used,
            is_beginning: prompt.starts_with(&prefix.tokens),
        })
        .collect();
    let sizes: Vec<_> = kept.iter().map(KeptPrefix::size).collect();
    let Some((index, evicted)) = give_way(&sizes, own_place(&own), prompt.len(), client.is_some(), room) else {
        return Ok(None);
    };
    let goes_on = own.iter().any(|own| own.index == index && own.is_beginning);
    let uncut = || "what was kept apart cannot be cut".to_owned();
    for other in evicted.into_iter().chain((!goes_on).then_some(index)) {
        let removed = llama.kv_cache_seq_rm(kept[other].number, None, None);
        removed.map_err(|_| uncut())?;
        kept[other].forget();
    }
    kept[index].used = now;
    if goes_on {
        return Ok(Some(index));
    }
    let of_sequences = sequences
        .iter()
        .map(|sequence| (sequence.held(), sequence.owner, sequence.number));
    let of_kept = kept
        .iter()
        .map(|prefix| (prefix.tokens.as_slice(), prefix.owner, prefix.number));
    let (mut common, mut best) = (0, None);
    for (held, owner, number) in of_sequences.chain(of_kept) {
        let same = shared(held, prompt);
        common = common.max(same.min(owner.common()));
        let same = same.min(owner.open_to(client));
        if best.is_none_or(|(most, _)| same > most) {
            best = Some((same, number));
        }
    }
    let (tokens, from) = best.unwrap_or((0, 0));
    let prefix = &mut kept[index];
    if tokens > 0 {
        let end = u32::try_from(tokens).map_err(|error| error.to_string())?;
        llama
            .kv_cache_seq_cp(from, prefix.number, Some(0), Some(end))
            .map_err(|_| uncut())?;
    }
    prefix.tokens = prompt[..tokens].to_vec();
    prefix.owner = Owner::new(client, common);
    Ok(Some(index))
}

/// A beginning that the client has already whose prompt is read ahead.
#[derive(Debug, Clone, Copy)]
struct Own {
    index: usize,
    used: u64,
    /// True if the prompt begins with all of it.
    is_beginning: bool,
}

/// The place of a client's own that a prompt takes: of the one that it goes on from, or of the oldest where the client has as many as
/// it may.
fn own_place(own: &[Own]) -> Option<usize> {
    let goes_on = own.iter().find(|own| own.is_beginning);
    let oldest = || {
        let is_full = own.len() >= MAX_KEPT_OF_A_CLIENT;
        own.iter().min_by_key(|own| own.used).filter(|_| is_full)
    };
    goes_on.or_else(oldest).map(|own| own.index)
}

/// Keeps a beginning that the sequence `from` holds.
pub fn keep(
    llama: &mut LlamaContext<'_>,
    kept: &mut [KeptPrefix],
    from: i32,
    (prefix, owner): (&[LlamaToken], Owner),
    room: usize,
    now: u64,
) -> Option<()> {
    // Each client asks with the host's instructions, and says something short behind them.
    let of_host = kept.iter().filter(|kept| !kept.owner.is_client());
    let known = of_host.map(|kept| shared(&kept.tokens, prefix)).max().unwrap_or(0);
    if owner.is_client() && prefix.len() < known + MIN_KEPT_PREFIX_TOKENS {
        return Some(());
    }
    // A conversation that goes on shares more each time: its earlier beginning makes place for the later one. Of the host's own,
    // what ends in another message does: different tasks may begin with the same instructions.
    let same = kept.iter().position(|kept| {
        let held = kept.tokens.len();
        let least = if owner.is_client() { held / 2 } else { held / 4 * 3 };
        kept.owner.is_of_same_client(&owner) && held > 0 && shared(&kept.tokens, prefix) >= least
    });
    if same.is_some_and(|index| prefix.len() <= kept[index].tokens.len()) {
        return Some(());
    }
    let sizes: Vec<_> = kept.iter().map(KeptPrefix::size).collect();
    let Some((index, evicted)) = give_way(&sizes, same, prefix.len(), owner.is_client(), room) else {
        return Some(());
    };
    for other in evicted {
        llama.kv_cache_seq_rm(kept[other].number, None, None).ok()?;
        kept[other].forget();
    }
    let end = u32::try_from(prefix.len()).ok()?;
    let entry = &mut kept[index];
    llama.kv_cache_seq_rm(entry.number, None, None).ok()?;
    llama.kv_cache_seq_cp(from, entry.number, Some(0), Some(end)).ok()?;
    entry.tokens = prefix.to_vec();
    entry.used = now;
    entry.owner = owner;
    Some(())
}

/// Size of a beginning that is kept apart, in tokens.
#[derive(Debug, Clone, Copy)]
struct Size {
    held: usize,
    /// When it was used; 0 for what an earlier engine has read and nobody has asked with since.
    used: u64,
    is_clients: bool,
}

/// The place for a beginning of `wanted` tokens, which is `to` where it has one, and others that make place for it; none where there
/// is no room. What clients have makes place first, by its age; for what the host asks, then also its own: in the end clients
/// ask with that each time, and would wait for it.
fn give_way(
    kept: &[Size],
    to: Option<usize>,
    wanted: usize,
    is_clients: bool,
    room: usize,
) -> Option<(usize, Vec<usize>)> {
    let mut by_age: Vec<usize> = (0..kept.len())
        .filter(|index| kept[*index].is_clients || !is_clients || kept[*index].held == 0)
        .collect();
    by_age.sort_by_key(|index| (kept[*index].held > 0, !kept[*index].is_clients, kept[*index].used));
    let index = to.or(by_age.first().copied())?;
    let mut others: usize = kept.iter().map(|size| size.held).sum::<usize>() - kept[index].held;
    let mut evicted = Vec::new();
    for other in by_age {
        if others + wanted <= room {
            break;
        }
        let Size { held, used, is_clients } = kept[other];
        // What the host asks with and is in use stays.
        if other != index && held > 0 && (is_clients || used == 0) {
            others -= held;
            evicted.push(other);
        }
    }
    (others + wanted <= room).then_some((index, evicted))
}

/// Length of the common prefix of two sequences, in tokens.
pub fn shared(held: &[LlamaToken], prompt: &[LlamaToken]) -> usize {
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

    fn size(held: usize, used: u64, is_clients: bool) -> Size {
        Size { held, used, is_clients }
    }

    #[test]
    fn what_is_kept_takes_an_empty_place_or_that_of_a_client() {
        let (hosts, unused, empty) = (size(300, 4, false), size(300, 0, false), size(0, 0, false));
        let (older, newer) = (size(200, 7, true), size(200, 9, true));
        let place = |kept: &[Size], is_clients| give_way(kept, None, 100, is_clients, 4096);
        assert_eq!(place(&[hosts, empty, older], true), Some((1, vec![])));
        for is_clients in [true, false] {
            assert_eq!(place(&[hosts, newer, older], is_clients), Some((2, vec![])));
        }
        assert_eq!(place(&[hosts, unused], true), None, "the host's own stays");
        assert_eq!(place(&[hosts, unused], false), Some((1, vec![])));
        assert_eq!(place(&[], false), None);
    }

    #[test]
    fn where_there_is_no_room_clients_give_way_and_then_what_nobody_asked_with() {
        let kept = [
            size(300, 4, false),
            size(300, 0, false),
            size(200, 7, true),
            size(200, 9, true),
            size(0, 0, false),
        ];
        let place = |wanted, is_clients| give_way(&kept, None, wanted, is_clients, 1200);
        assert_eq!(place(200, true), Some((4, vec![])));
        assert_eq!(place(300, true), Some((4, vec![2])));
        assert_eq!(place(600, true), Some((4, vec![2, 3])));
        assert_eq!(place(700, true), None);
        assert_eq!(place(700, false), Some((4, vec![2, 3, 1])));
        assert_eq!(place(1000, false), None, "what is in use stays");
        assert_eq!(give_way(&kept, Some(3), 500, true, 1200), Some((3, vec![2])));
    }

    fn own(index: usize, used: u64, is_beginning: bool) -> Own {
        Own {
            index,
            used,
            is_beginning,
        }
    }

    #[test]
    fn what_is_read_ahead_goes_on_where_it_was() {
        assert_eq!(own_place(&[]), None);
        assert_eq!(own_place(&[own(4, 1, false), own(2, 9, true)]), Some(2));
        assert_eq!(
            own_place(&[own(4, 1, false), own(2, 9, false)]),
            None,
            "there may be one more"
        );
        assert_eq!(
            own_place(&[own(4, 7, false), own(2, 9, false), own(3, 6, false)]),
            Some(3)
        );
    }

    #[test]
    fn what_is_read_ahead_takes_a_free_place_or_that_of_the_oldest() {
        let (hosts, empty) = (size(200, 1, false), size(0, 0, false));
        let (newer, older) = (size(300, 5, true), size(300, 4, true));
        assert_eq!(
            give_way(&[hosts, newer, empty], None, 600, true, 4096),
            Some((2, vec![]))
        );
        let place = |room| give_way(&[hosts, newer, older], None, 600, true, room);
        assert_eq!(place(4096), Some((2, vec![])));
        assert_eq!(place(900), Some((2, vec![1])));
        assert_eq!(place(700), None);
        assert_eq!(give_way(&[hosts], None, 600, true, 4096), None, "the host's own stays");
    }
}
