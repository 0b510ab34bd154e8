//! Components in the store: for all replicas to take what they are to serve.
//!
//! A component is kept in pieces, each sealed under its place, so that no call moves more than a piece and nobody can
//! exchange one for another. What no desired version names ends within minutes; what one names stays as long as it. All
//! together may have `shared_component_bytes`.
//!
//! However many replicas there are, one of them brings a component and the others wait for it; and they fetch it no faster
//! than a link carries beside the calls of requests.

use std::ops::Range;
use std::time::Duration;

use tokio::time::sleep;

use super::call::{Call, CallError};
use super::fleet::Artifact;
use super::state::{SharedState, invocation};

/// Time for which the store keeps a desired version, and the components that it names, after a replica was there.
pub(super) const STAY: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Size of a piece: small enough that calls of requests, which share the connection, do not wait behind it.
pub(super) const PIECE_BYTES: usize = 256 * 1024;

/// Time for which a component stays that no desired version names, after its last piece.
const UNNAMED_STAY: Duration = Duration::from_secs(180);

/// Time for which nobody else brings a component, after a replica began or brought a piece.
const CLAIMED: Duration = Duration::from_secs(5);

/// Time between two looks at a component that another replica brings.
const CLAIM_PAUSE: Duration = Duration::from_millis(250);

/// Replicas that may fetch a component at the same time, each as fast as it can.
const UNHURRIED: usize = 8;

/// Pause of a replica between two pieces for each replica more: together they fetch less than 100 MB a second then, which
/// a link of a gigabit carries. Calls that waited behind pieces would come late, and the store would count as away.
const PIECE_PAUSE: Duration = Duration::from_millis(4);

/// The end of an attempt to bring a component.
enum Claim {
    /// This replica is to bring it.
    Granted,
    /// It is there as a whole.
    Whole,
    /// Another replica brings it.
    Another,
}

/// The reason why a component is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutError {
    /// The call has failed.
    Call(CallError),
    /// Other components have so many bytes that it would be more than all may have.
    NoRoom(u64),
}

/// The reason why a component cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GetError {
    /// The call has failed.
    Call(CallError),
    /// The store does not have all of it.
    Missing,
    /// The store has something in its place that this service has not sealed.
    Unsealed,
}

impl From<CallError> for PutError {
    fn from(error: CallError) -> Self {
        Self::Call(error)
    }
}

impl From<CallError> for GetError {
    fn from(error: CallError) -> Self {
        Self::Call(error)
    }
}

impl SharedState {
    /// Bytes that all components together may have in the store.
    pub fn component_budget(&self) -> u64 {
        self.component_bytes
    }

    /// Keeps a component, for the time until a desired version names it. Where another replica is about to bring the same,
    /// it is waited for.
    ///
    /// # Errors
    /// When the store does not answer, has no memory, or there is no room among the other components.
    pub async fn put_component(&self, capability: &str, artifact: &Artifact, bytes: &[u8]) -> Result<(), PutError> {
        let id = self.component_id(capability, artifact);
        let (mut has_waited, mut is_damaged) = (false, false);
        loop {
            match self.claim(&id, artifact, is_damaged).await? {
                Claim::Granted => break,
                // Somebody may have put something else in its place, which only whoever brings it anew makes good.
                Claim::Whole if !has_waited => match self.get_component(capability, artifact).await {
                    Ok(_) => return Ok(()),
                    Err(GetError::Call(error)) => return Err(error.into()),
                    Err(GetError::Missing | GetError::Unsealed) => is_damaged = true,
                },
                Claim::Whole => return Ok(()),
                // One that is gone holds it no longer after a while.
                Claim::Another => {
                    has_waited = true;
                    sleep(CLAIM_PAUSE).await;
                }
            }
        }
        let last = pieces_of(artifact.bytes).saturating_sub(1);
        for (index, piece) in bytes.chunks(PIECE_BYTES).enumerate() {
            let sealed = self.seal.seal(&piece_name(&id, index), piece).ok_or(CallError::Away)?;
            let claimed = if index == last { Duration::ZERO } else { CLAIMED };
            self.link
                .call(Call::Component, async |mut connection| {
                    let mut call = invocation(&self.scripts.piece, &self.prefix);
                    call.arg(&id).arg(index).arg(&sealed[..]);
                    call.arg(UNNAMED_STAY.as_millis() as u64).arg(&self.replica);
                    call.arg(claimed.as_millis() as u64);
                    let _: i64 = call.invoke_async(&mut connection).await?;
                    Ok(())
                })
                .await?;
        }
        Ok(())
    }

    /// Asks to bring a component, also where it seems to be whole and is damaged.
    async fn claim(&self, id: &str, artifact: &Artifact, is_damaged: bool) -> Result<Claim, PutError> {
        let (answer, held): (i64, u64) = self
            .link
            .call(Call::Component, async |mut connection| {
                let mut call = invocation(&self.scripts.claim, &self.prefix);
                call.arg(id).arg(pieces_of(artifact.bytes));
                call.arg(&self.replica).arg(CLAIMED.as_millis() as u64);
                call.arg(artifact.bytes).arg(self.component_bytes);
                call.arg(UNNAMED_STAY.as_millis() as u64).arg(STAY.as_millis() as u64);
                call.arg(u8::from(is_damaged));
                call.invoke_async(&mut connection).await
            })
            .await?;
        match answer {
            1 => Ok(Claim::Granted),
            2 => Ok(Claim::Whole),
            3 => Ok(Claim::Another),
            _ => Err(PutError::NoRoom(held)),
        }
    }

    /// The bytes of a component, each piece as it was sealed. Whether they have the digest, the caller checks.
    ///
    /// # Errors
    /// When the store does not answer, or does not have all of it.
    pub async fn get_component(&self, capability: &str, artifact: &Artifact) -> Result<Vec<u8>, GetError> {
        let id = self.component_id(capability, artifact);
        let key = self.component_key(&id);
        let total = usize::try_from(artifact.bytes).map_err(|_| GetError::Missing)?;
        let mut bytes = Vec::with_capacity(total);
        for index in 0..pieces_of(artifact.bytes) {
            if index > 0 {
                sleep(fetch_pause(self.replicas())).await;
            }
            let sealed: Option<Vec<u8>> = self
                .link
                .call(Call::Component, async |mut connection| {
                    let mut call = redis::cmd("HGET");
                    call.arg(&key).arg(index);
                    call.query_async(&mut connection).await
                })
                .await?;
            let sealed = sealed.ok_or(GetError::Missing)?;
            let piece = self.seal.open(&piece_name(&id, index), sealed);
            match piece.filter(|piece| piece.len() == range(index, total).len()) {
                Some(piece) => bytes.extend_from_slice(&piece),
                None => {
                    self.metrics.unsealed();
                    return Err(GetError::Unsealed);
                }
            }
        }
        Ok(bytes)
    }

    /// Has the store keep the desired versions, and components that they name, for another while. Returns which of the
    /// components it has all of.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn renew(&self, named: &[(&str, &Artifact)]) -> Result<Vec<bool>, CallError> {
        let complete: Vec<i64> = self
            .link
            .call(Call::Component, async |mut connection| {
                let mut call = invocation(&self.scripts.renew, &self.prefix);
                call.arg(STAY.as_millis() as u64);
                for (capability, artifact) in named {
                    call.arg(self.component_id(capability, artifact))
                        .arg(pieces_of(artifact.bytes));
                }
                call.invoke_async(&mut connection).await
            })
            .await?;
        Ok(complete.into_iter().map(|number| number == 1).collect())
    }

    pub(super) fn component_id(&self, capability: &str, artifact: &Artifact) -> String {
        let parts = [capability.as_bytes(), artifact.digest.as_bytes()];
        self.seal.name("component", &parts)
    }

    fn component_key(&self, id: &str) -> String {
        format!("{}c:{id}", self.prefix)
    }
}

/// The pause of one of so many replicas between two pieces, when all of them fetch a component.
fn fetch_pause(replicas: usize) -> Duration {
    PIECE_PAUSE * u32::try_from(replicas.saturating_sub(UNHURRIED)).unwrap_or(u32::MAX)
}

/// The number of pieces of so many bytes.
pub(super) fn pieces_of(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX).div_ceil(PIECE_BYTES)
}

/// The part of so many bytes that a piece has.
pub(super) fn range(index: usize, total: usize) -> Range<usize> {
    let start = (index * PIECE_BYTES).min(total);
    start..(start + PIECE_BYTES).min(total)
}

/// The name under which a piece is sealed.
fn piece_name(id: &str, index: usize) -> String {
    format!("component:{id}:{index}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_replicas_together_fetch_no_more_than_a_link_carries() {
        assert_eq!(fetch_pause(3), Duration::ZERO);
        // What is still on its way when the next piece is asked for comes besides: a piece takes a moment itself.
        for replicas in [30, 100, 1_000] {
            let a_second = (replicas * PIECE_BYTES) as f64 / fetch_pause(replicas).as_secs_f64();
            assert!(
                a_second < 1e9 / 8.0,
                "{replicas} replicas fetch {a_second} bytes a second"
            );
        }
        // And a large component comes within the time that a command waits for all.
        let pieces = pieces_of(40_000_000);
        assert!(fetch_pause(100) * u32::try_from(pieces).unwrap() < Duration::from_secs(60));
    }

    #[test]
    fn pieces_are_all_of_it_and_no_more() {
        for total in [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES] {
            let pieces = pieces_of(total as u64);
            let lengths: Vec<_> = (0..pieces).map(|index| range(index, total).len()).collect();
            assert_eq!(lengths.iter().sum::<usize>(), total);
            assert!(
                lengths.iter().all(|length| (1..=PIECE_BYTES).contains(length)),
                "{lengths:?}"
            );
        }
    }
}
