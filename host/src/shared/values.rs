//! Values of components in the store.
//!
//! A value is sealed together with the client that it is kept for, so that whoever has it forgotten can tell the replicas
//! whose it was. What one owner keeps counts for its owner, and when all that is kept fills `kept_bytes`, whoever holds most
//! gives way, as in a replica's own memory.

use std::net::IpAddr;
use std::time::Duration;

use super::call::{Call, CallError};
use super::seal::{Mark, SEAL_BYTES, mark};
use super::state::{Area, SharedState, invocation};
use crate::auth::Client;

/// Bytes that an entry takes in the store beside its sealed value, with names and accounts. Measured in Valkey 9: 350 where
/// an owner has several, 500 where each has one.
const ENTRY_BYTES: usize = 512;

/// Bytes of a client before the value.
const CLIENT_BYTES: usize = 17;

/// A value in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The value.
    pub value: Vec<u8>,
    /// The version of it.
    pub mark: Mark,
    /// The client that it is kept for.
    pub holder: Option<Client>,
}

/// The end of an attempt to set a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It is set, and this is its version.
    As(Mark),
    /// Another request has changed it since it was read.
    Changed,
    /// It is longer than a value may be.
    TooLong,
}

impl SharedState {
    /// The name of a key of a capability in the store.
    pub fn name(&self, capability: &str, key: &str) -> String {
        self.seal.name("value", &[capability.as_bytes(), key.as_bytes()])
    }

    /// The value of a name, if it is kept. What was not sealed by this service is none.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn get(&self, name: &str) -> Result<Option<Stored>, CallError> {
        self.get_in(&self.values, Call::Get, name).await
    }

    /// The value of a name in an area.
    pub(super) async fn get_in(&self, area: &Area, call: Call, name: &str) -> Result<Option<Stored>, CallError> {
        let sealed: Option<Vec<u8>> = self
            .link
            .call(call, async |mut connection| {
                redis::cmd("GET")
                    .arg(format!("{}v:{name}", area.prefix))
                    .query_async(&mut connection)
                    .await
            })
            .await?;
        let opened = sealed.and_then(|sealed| {
            let mark = mark(&sealed)?;
            let mut value = self.seal.open(name, sealed)?;
            let holder = decode(value.first_chunk()?);
            value.drain(..CLIENT_BYTES);
            Some(Stored { value, mark, holder })
        });
        Ok(opened)
    }

    /// Sets the value of a name for a client and a time; with `unless_changed` only where the version is still this one, or where there
    /// is still none.
    ///
    /// # Errors
    /// When the store does not answer, or has no memory for it even when others give way.
    pub async fn set(
        &self,
        name: &str,
        value: &[u8],
        holder: Option<Client>,
        unless_changed: Option<Option<Mark>>,
        time_to_live: Duration,
    ) -> Result<Written, CallError> {
        let place = (&self.values, Call::Set);
        self.set_in(place, name, value, holder, unless_changed, time_to_live)
            .await
    }

    /// Sets the value of a name in an area.
    pub(super) async fn set_in(
        &self,
        (area, call): (&Area, Call),
        name: &str,
        value: &[u8],
        holder: Option<Client>,
        unless_changed: Option<Option<Mark>>,
        time_to_live: Duration,
    ) -> Result<Written, CallError> {
        let bytes = value.len() + CLIENT_BYTES + SEAL_BYTES + ENTRY_BYTES;
        if value.len() > area.value_bytes || bytes > area.bytes {
            return Ok(Written::TooLong);
        }
        let sealed = self.seal.seal(name, &[&encode(holder), value].concat());
        let (Some(sealed), owner) = (sealed, self.owner(holder)) else {
            return Err(CallError::Away);
        };
        let Some(mark) = mark(&sealed) else {
            return Err(CallError::Away);
        };
        for attempt in 0..2 {
            let answer: i64 = self
                .link
                .call(call, async |mut connection| {
                    let mut call = invocation(&self.scripts.set, &area.prefix);
                    call.arg(name).arg(&owner).arg(&sealed[..]);
                    call.arg((time_to_live.as_millis() as u64).max(1))
                        .arg(area.bytes)
                        .arg(bytes);
                    call.arg(area.kept.as_millis() as u64);
                    if let Some(version) = unless_changed {
                        let version: &[u8] = version.as_ref().map_or(&[], |version| &version[..]);
                        call.arg(version);
                    }
                    call.invoke_async(&mut connection).await
                })
                .await?;
            match answer {
                1 => return Ok(Written::As(mark)),
                0 => return Ok(Written::Changed),
                // The server has less memory than these settings take for granted.
                _ if attempt == 0 => self.make_room((area, call), &owner, bytes * 2).await?,
                _ => {}
            }
        }
        Err(CallError::Full)
    }

    async fn make_room(&self, (area, call): (&Area, Call), owner: &str, bytes: usize) -> Result<(), CallError> {
        self.link
            .call(call, async |mut connection| {
                let mut call = invocation(&self.scripts.room, &area.prefix);
                call.arg(owner).arg(bytes);
                let _: i64 = call.invoke_async(&mut connection).await?;
                Ok(())
            })
            .await
    }

    /// Forgets a name, and tells the other replicas of these clients.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn forget(&self, name: &str, clients: &[Client]) -> Result<(), CallError> {
        self.link
            .call(Call::Forget, async |mut connection| {
                let mut call = invocation(&self.scripts.forget, &self.prefix);
                call.arg(name).arg(self.values.kept.as_millis() as u64);
                for client in clients {
                    if let Some(sealed) = self.seal.seal(WORD, &encode(Some(*client))) {
                        call.arg(sealed);
                    }
                }
                let _: i64 = call.invoke_async(&mut connection).await?;
                Ok(())
            })
            .await
    }

    /// The client that word was left of.
    pub(super) fn open_client(&self, sealed: &[u8]) -> Option<Client> {
        decode(self.seal.open(WORD, sealed.to_vec())?.first_chunk()?)
    }

    pub(super) fn owner(&self, holder: Option<Client>) -> String {
        self.seal.name("owner", &[&encode(holder)])
    }
}

/// Name under which word of clients is sealed.
const WORD: &str = "forgotten";

/// A client as bytes: its kind, and its identity or address.
pub fn encode(client: Option<Client>) -> [u8; CLIENT_BYTES] {
    let mut bytes = [0; CLIENT_BYTES];
    let (kind, rest) = bytes.split_at_mut(1);
    match client {
        None => {}
        Some(Client::Key(identity)) => {
            kind[0] = 1;
            rest.copy_from_slice(&identity);
        }
        Some(Client::Address(IpAddr::V4(address))) => {
            kind[0] = 4;
            rest[..4].copy_from_slice(&address.octets());
        }
        Some(Client::Address(IpAddr::V6(address))) => {
            kind[0] = 6;
            rest.copy_from_slice(&address.octets());
        }
    }
    bytes
}

fn decode(bytes: &[u8; CLIENT_BYTES]) -> Option<Client> {
    let [kind, rest @ ..] = bytes;
    match kind {
        1 => Some(Client::Key(*rest)),
        4 => Some(Client::Address(IpAddr::from([rest[0], rest[1], rest[2], rest[3]]))),
        6 => Some(Client::Address(IpAddr::from(*rest))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_come_back_as_they_went() {
        let clients = [
            None,
            Some(Client::Key([7; 16])),
            Some(Client::Address(IpAddr::from([192, 0, 2, 1]))),
            Some(Client::Address("2001:db8::".parse().unwrap())),
        ];
        for client in clients {
            assert_eq!(decode(&encode(client)), client);
        }
        let all: std::collections::HashSet<_> = clients.into_iter().map(encode).collect();
        assert_eq!(all.len(), clients.len());
    }
}
