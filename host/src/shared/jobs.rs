//! Jobs in the store: any replica tells of them, and another goes on with them when the one that works on them is gone.
//!
//! A job is a record, which only the replica that works on it changes (by compare-and-set, so that one which was taken for
//! gone changes nothing any more), and parts: its request, pages and its answer, each in pieces. All of them are values like
//! those of components, in an area with accounts and a budget of its own: whoever holds most gives way. That a replica
//! still works on a job it says by holding it for a while, again and again; what nobody holds any more, one replica takes.

use std::time::Duration;

use super::call::{Call, CallError};
use super::components::{PIECE_BYTES, pieces_of, range};
use super::presence::REPLICA_TIMEOUT;
use super::seal::Mark;
use super::state::{SharedState, invocation};
use super::values::{Stored, Written};
use crate::auth::Client;

/// Time for which a job is held, and after which one whose replica is gone is taken by another.
const HELD: Duration = REPLICA_TIMEOUT;

/// The end of an attempt to hold a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// It is held.
    Yes,
    /// Its record is not what this replica has written.
    Changed,
    /// Its owner has as many at work as may be.
    TooMany,
}

/// A part of a job: the request, pages or the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobPart {
    /// Its name in the job.
    pub name: String,
    /// Number of bytes.
    pub bytes: u64,
}

impl SharedState {
    /// The name of this replica, which is another one after each start.
    pub fn replica(&self) -> &str {
        &self.replica
    }

    /// The name of a job's record.
    pub fn job_name(&self, id: &str) -> String {
        self.seal.name("job", &[id.as_bytes()])
    }

    /// Largest part of a job: what one client may have.
    pub fn job_part_bytes(&self) -> u64 {
        self.job_client_bytes
    }

    /// Largest body of a request that is kept for another replica.
    pub fn job_request_bytes(&self) -> usize {
        self.job_request_bytes
    }

    /// Reads a record.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn read_job(&self, name: &str) -> Result<Option<Stored>, CallError> {
        self.get_in(&self.jobs, Call::Job, name).await
    }

    /// Writes a record, which stays for a time; with `unless_changed` only where it still is what it was.
    ///
    /// # Errors
    /// When the store does not answer, or has no memory for it.
    pub async fn write_job(
        &self,
        name: &str,
        record: &[u8],
        owner: Client,
        unless_changed: Option<Option<Mark>>,
        stays: Duration,
    ) -> Result<Written, CallError> {
        let place = (&self.jobs, Call::Job);
        self.set_in(place, name, record, Some(owner), unless_changed, stays)
            .await
    }

    /// Holds a job whose record this replica has written last; where it begins, unless its owner has `most` at work.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn hold_job(
        &self,
        name: &str,
        owner: Client,
        mark: &Mark,
        most: Option<usize>,
    ) -> Result<Held, CallError> {
        let owner = self.owner(Some(owner));
        let answer: i64 = self
            .link
            .call(Call::Job, async |mut connection| {
                let mut call = invocation(&self.scripts.hold, &self.jobs.prefix);
                call.arg(name).arg(&owner).arg(&mark[..]);
                call.arg(HELD.as_millis() as u64);
                if let Some(most) = most {
                    call.arg(most);
                }
                call.invoke_async(&mut connection).await
            })
            .await?;
        Ok(match answer {
            1 => Held::Yes,
            0 => Held::Changed,
            _ => Held::TooMany,
        })
    }

    /// Holds a job no longer: because it is over, or so that another replica takes it at once.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn let_job_go(&self, name: &str, owner: Client, is_over: bool) -> Result<(), CallError> {
        let prefix = &self.jobs.prefix;
        let owner = self.owner(Some(owner));
        self.link
            .call(Call::Job, async |mut connection| {
                let mut pipe = redis::pipe();
                pipe.cmd("ZREM").arg(format!("{prefix}a:{owner}")).arg(name);
                match is_over {
                    true => pipe.cmd("ZREM").arg(format!("{prefix}l")).arg(name),
                    false => pipe.cmd("ZADD").arg(format!("{prefix}l")).arg("XX").arg(0).arg(name),
                };
                pipe.exec_async(&mut connection).await
            })
            .await
    }

    /// Takes a job that nobody holds any more, for as long as one is held: the name of its record.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn take_job(&self) -> Result<Option<String>, CallError> {
        let name: String = self
            .link
            .call(Call::Job, async |mut connection| {
                let mut call = invocation(&self.scripts.take, &self.jobs.prefix);
                call.arg(HELD.as_millis() as u64);
                call.invoke_async(&mut connection).await
            })
            .await?;
        Ok(Some(name).filter(|name| !name.is_empty()))
    }

    /// The pieces that bytes are kept in.
    pub fn job_pieces(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
        bytes.chunks(PIECE_BYTES).enumerate()
    }

    /// Keeps a piece of a part for a time.
    ///
    /// # Errors
    /// When the store does not answer, or has no memory for it.
    pub async fn put_job_piece(
        &self,
        (name, part, index): (&str, &str, usize),
        piece: &[u8],
        owner: Client,
        stays: Duration,
    ) -> Result<(), CallError> {
        let name = self.piece_name(name, part, index);
        let place = (&self.jobs, Call::Job);
        match self.set_in(place, &name, piece, Some(owner), None, stays).await? {
            Written::As(_) => Ok(()),
            // Whatever is larger than all that may be there was not begun with.
            Written::Changed | Written::TooLong => Err(CallError::Full),
        }
    }

    /// True if the store has all of a part.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn has_job_part(&self, name: &str, part: &JobPart) -> Result<bool, CallError> {
        let pieces = pieces_of(part.bytes);
        if pieces == 0 {
            return Ok(true);
        }
        let there: usize = self
            .link
            .call(Call::Job, async |mut connection| {
                let mut call = redis::cmd("EXISTS");
                for index in 0..pieces {
                    let piece = self.piece_name(name, &part.name, index);
                    call.arg(format!("{}v:{piece}", self.jobs.prefix));
                }
                call.query_async(&mut connection).await
            })
            .await?;
        Ok(there == pieces)
    }

    /// A piece of a part, if the store has it as it was put there.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn job_piece(&self, name: &str, part: &JobPart, index: usize) -> Result<Option<Vec<u8>>, CallError> {
        let name = self.piece_name(name, &part.name, index);
        let length = range(index, usize::try_from(part.bytes).unwrap_or(usize::MAX)).len();
        let stored = self.get_in(&self.jobs, Call::Job, &name).await?;
        Ok(stored
            .map(|stored| stored.value)
            .filter(|value| length > 0 && value.len() == length))
    }

    /// All of a part, if the store has it.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn job_part(&self, name: &str, part: &JobPart) -> Result<Option<Vec<u8>>, CallError> {
        let mut bytes = Vec::new();
        for index in 0..pieces_of(part.bytes) {
            match self.job_piece(name, part, index).await? {
                Some(piece) => bytes.extend_from_slice(&piece),
                None => return Ok(None),
            }
        }
        Ok(Some(bytes))
    }

    /// Forgets parts.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn drop_job_parts(&self, name: &str, parts: &[JobPart]) -> Result<(), CallError> {
        let pieces = parts.iter().flat_map(|part| {
            let pieces = 0..pieces_of(part.bytes);
            pieces.map(|index| self.piece_name(name, &part.name, index))
        });
        let pieces: Vec<_> = pieces.collect();
        for pieces in pieces.chunks(MOST_DROPPED) {
            self.drop_all(pieces).await?;
        }
        Ok(())
    }

    /// Forgets the record of a job that nobody has heard of.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn drop_job(&self, name: &str) -> Result<(), CallError> {
        self.drop_all(&[name.to_owned()]).await
    }

    async fn drop_all(&self, names: &[String]) -> Result<(), CallError> {
        self.link
            .call(Call::Job, async |mut connection| {
                let mut call = invocation(&self.scripts.drop, &self.jobs.prefix);
                for name in names {
                    call.arg(name);
                }
                let _: i64 = call.invoke_async(&mut connection).await?;
                Ok(())
            })
            .await
    }

    /// Notes that this replica goes on with a job.
    pub fn took_job(&self) {
        self.metrics.took_job();
    }

    fn piece_name(&self, name: &str, part: &str, index: usize) -> String {
        let index = (index as u64).to_be_bytes();
        self.seal.name("job part", &[name.as_bytes(), part.as_bytes(), &index])
    }
}

/// Pieces that one call forgets, so that others do not wait for it.
const MOST_DROPPED: usize = 64;
