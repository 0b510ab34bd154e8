//! Trials of all replicas in the store: each puts its own numbers there, and one of them decides by the numbers of all.
//!
//! The one that decides has asked first when nobody did, and goes on for as long as it asks again in time, by the clock of the
//! server. One that is gone is followed by whoever asks next. Two can never decide differently: the end of a trial is a new
//! desired version, and of two of them one is taken (`desired`).

use std::time::Duration;

use super::call::{Call, CallError};
use super::state::{SharedState, invocation};

/// Time for which a replica decides without asking again.
const LEASE: Duration = Duration::from_secs(5);

/// Time for which the numbers of a trial stay after the last replica has told its own.
const STAY: Duration = Duration::from_secs(60 * 60);

/// Longest sealed numbers of one replica: times of a few operations, two digits each.
const MAX_SEALED_BYTES: usize = 256 * 1024;

/// The answer to a replica that has told its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Time since the trial began.
    pub since: Duration,
    /// The means to decide, where this replica is to.
    pub leads: Option<Leads>,
}

/// The means to decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leads {
    /// Requests of the candidate at the last look.
    pub looked: u64,
    /// The numbers of each replica that has told any, this one among them.
    pub numbers: Vec<Vec<u8>>,
}

impl SharedState {
    /// Tells this replica's numbers of a trial, as text, and asks whether it is to decide.
    ///
    /// # Errors
    /// When the store does not answer, or has no memory for them.
    pub async fn tell_trial(&self, capability: &str, began: u64, text: &[u8]) -> Result<Told, CallError> {
        let id = self.trial_id(capability, began);
        let name = numbers_name(&id, &self.replica);
        let sealed = self.seal.seal(&name, text).ok_or(CallError::Away)?;
        let (leads, since, looked, all): (u8, u64, u64, Vec<Vec<u8>>) = self
            .link
            .call(Call::Trial, async |mut connection| {
                let mut call = invocation(&self.scripts.trial, &self.prefix);
                call.arg(&id).arg(&self.replica).arg(&sealed[..]);
                call.arg(LEASE.as_millis() as u64).arg(STAY.as_millis() as u64);
                call.invoke_async(&mut connection).await
            })
            .await?;
        let leads = (leads == 1).then(|| Leads {
            looked,
            numbers: self.open_numbers(&id, &all),
        });
        Ok(Told {
            since: Duration::from_millis(since),
            leads,
        })
    }

    /// Notes that a trial was looked at when its candidate had answered so many requests.
    ///
    /// # Errors
    /// When the store does not answer, or has no memory for it.
    pub async fn note_look(&self, capability: &str, began: u64, looked: u64) -> Result<(), CallError> {
        let key = self.trial_key(capability, began);
        self.link
            .call(Call::Trial, async |mut connection| {
                let mut call = redis::cmd("HSET");
                call.arg(&key).arg("looked").arg(looked);
                call.exec_async(&mut connection).await
            })
            .await
    }

    /// The numbers of all replicas.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn read_trial(&self, capability: &str, began: u64) -> Result<Vec<Vec<u8>>, CallError> {
        let (id, key) = (self.trial_id(capability, began), self.trial_key(capability, began));
        let all: Vec<Vec<u8>> = self
            .link
            .call(Call::Trial, async |mut connection| {
                let mut call = redis::cmd("HGETALL");
                call.arg(&key);
                call.query_async(&mut connection).await
            })
            .await?;
        let told: Vec<_> = all
            .chunks_exact(2)
            .filter_map(|pair| Some([pair[0].strip_prefix(b"r:")?.to_vec(), pair[1].clone()]))
            .flatten()
            .collect();
        Ok(self.open_numbers(&id, &told))
    }

    /// The secret by which it is told of a person whether a trial is for them: the same at all replicas.
    pub fn trial_salt(&self, capability: &str, began: u64) -> String {
        self.seal
            .name("persons", &[capability.as_bytes(), &began.to_be_bytes()])
    }

    /// The numbers among replicas and sealed numbers in turn that this service has sealed.
    fn open_numbers(&self, id: &str, all: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let open = |pair: &[Vec<u8>]| {
            let replica = str::from_utf8(&pair[0]).ok()?;
            let opened = (pair[1].len() <= MAX_SEALED_BYTES)
                .then(|| self.seal.open(&numbers_name(id, replica), pair[1].clone()))
                .flatten();
            if opened.is_none() {
                self.metrics.unsealed();
            }
            opened
        };
        all.chunks_exact(2).filter_map(open).collect()
    }

    fn trial_id(&self, capability: &str, began: u64) -> String {
        self.seal.name("trial", &[capability.as_bytes(), &began.to_be_bytes()])
    }

    fn trial_key(&self, capability: &str, began: u64) -> String {
        format!("{}t:{}", self.prefix, self.trial_id(capability, began))
    }
}

/// The name under which the numbers of a replica are sealed.
fn numbers_name(id: &str, replica: &str) -> String {
    format!("trial:{id}:{replica}")
}
