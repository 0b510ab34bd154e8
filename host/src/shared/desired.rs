//! Desired versions in the store: each sealed under a name of its own, so that only who has the secret can make one.
//!
//! One is replaced only by whoever has read the one before, in one step of the store, so that of two changes at the same time
//! one wins. A sign of life brings all of them (`presence`).

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::watch;

use super::call::{Call, CallError};
use super::components::{STAY, pieces_of};
use super::fleet::{Desired, Found, Heard};
use super::state::{SharedState, invocation};

/// Longest sealed desired version: a few digests and numbers.
const MAX_SEALED_BYTES: usize = 4096;

/// Most desired versions that are taken from the store; there is one for each capability.
const MAX_DESIRED: usize = 256;

/// The end of an attempt to replace a desired version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// It is replaced.
    Done,
    /// Somebody else has replaced it since it was read.
    Changed,
    /// The store does not have all bytes of a component that the new one names.
    Incomplete,
}

impl SharedState {
    /// Changes when a sign of life brings other desired versions than the one before.
    pub fn desired_changes(&self) -> watch::Receiver<Heard> {
        self.desired.subscribe()
    }

    /// The desired version of a capability at the last sign of life; none before the first.
    pub fn heard_desired(&self, capability: &str) -> Option<Found> {
        let place = self.desired_place(capability);
        let heard = self.desired.borrow();
        let all = heard.as_ref()?;
        Some(all.get(&place).cloned().unwrap_or_default())
    }

    /// Reads the desired version of a capability.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn read_desired(&self, capability: &str) -> Result<Found, CallError> {
        let place = self.desired_place(capability);
        let raw: Option<Vec<u8>> = self
            .link
            .call(Call::Desired, async |mut connection| {
                let mut call = redis::cmd("HGET");
                call.arg(format!("{}d", self.prefix)).arg(&place);
                call.query_async(&mut connection).await
            })
            .await?;
        Ok(raw.map(|raw| self.open_desired(&place, raw)).unwrap_or_default())
    }

    /// Replaces the desired version of a capability, unless it is no longer what was found. The components that only the
    /// one before has named are deleted.
    ///
    /// # Errors
    /// When the store does not answer, or has no memory for it.
    pub async fn replace_desired(&self, found: &Found, next: &Desired) -> Result<Replaced, CallError> {
        let place = self.desired_place(&next.capability);
        let text = serde_json::to_vec(next).map_err(|_| CallError::Away)?;
        let sealed = self.seal.seal(&seal_name(&place), &text).ok_or(CallError::Away)?;
        let named = |desired: &Desired| -> Vec<_> {
            let artifacts = desired.artifacts();
            artifacts
                .map(|artifact| {
                    let id = self.component_id(&desired.capability, artifact);
                    (id, pieces_of(artifact.bytes))
                })
                .collect()
        };
        let kept = named(next);
        let mut dropped = found.desired.as_ref().map(named).unwrap_or_default();
        dropped.retain(|component| !kept.contains(component));
        let answer: i64 = self
            .link
            .call(Call::Desired, async |mut connection| {
                let mut call = invocation(&self.scripts.desire, &self.prefix);
                call.arg(&place).arg(&sealed[..]).arg(found.head());
                call.arg(STAY.as_millis() as u64).arg(kept.len());
                for (id, pieces) in &kept {
                    call.arg(id).arg(*pieces);
                }
                for (id, _) in &dropped {
                    call.arg(id);
                }
                call.invoke_async(&mut connection).await
            })
            .await?;
        Ok(match answer {
            1 => Replaced::Done,
            0 => Replaced::Changed,
            _ => Replaced::Incomplete,
        })
    }

    /// Takes the desired versions that a sign of life has brought: places and sealed values in turn.
    pub(super) fn hear_desired(&self, fields: &[Vec<u8>]) {
        let before = self.desired.borrow().clone();
        let mut all = BTreeMap::new();
        for pair in fields.chunks_exact(2).take(MAX_DESIRED) {
            let Ok(place) = str::from_utf8(&pair[0]) else { continue };
            let known = before.as_ref().and_then(|before| before.get(place));
            let found = match known.filter(|known| known.raw == pair[1]) {
                Some(known) => known.clone(),
                None => self.open_desired(place, pair[1].clone()),
            };
            all.insert(place.to_owned(), found);
        }
        self.desired.send_if_modified(|heard| {
            let is_new = heard.as_deref() != Some(&all);
            if is_new {
                *heard = Some(Arc::new(all));
            }
            is_new
        });
    }

    fn open_desired(&self, place: &str, mut raw: Vec<u8>) -> Found {
        let is_short = raw.len() <= MAX_SEALED_BYTES;
        raw.truncate(MAX_SEALED_BYTES);
        let opened = is_short
            .then(|| self.seal.open(&seal_name(place), raw.clone()))
            .flatten();
        let desired = opened.and_then(|text| serde_json::from_slice(&text).ok());
        let desired = desired.filter(|desired: &Desired| {
            // Only this service can have sealed it; a release to come may have other rules.
            desired.is_valid() && self.desired_place(&desired.capability) == place
        });
        if desired.is_none() {
            self.metrics.unsealed();
            tracing::error!("the store has a desired version that this service has not sealed: it is not followed");
        }
        Found { raw, desired }
    }

    fn desired_place(&self, capability: &str) -> String {
        self.seal.name("desired", &[capability.as_bytes()])
    }
}

/// The name under which the desired version in a place is sealed.
fn seal_name(place: &str) -> String {
    format!("desired:{place}")
}
