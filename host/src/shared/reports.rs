//! Reports of replicas: which versions each serves, and why it does not serve those that it is to.
//!
//! A report goes with each sign of life, sealed, and ends with the replica.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use serde::{Deserialize, Serialize};

use super::call::{Call, CallError};
use super::presence::REPLICA_TIMEOUT;
use super::state::{SharedState, invocation};

/// The state of a replica with regard to a desired version.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Progress {
    /// It has come to serve it, or there is none to come to.
    #[default]
    Done,
    /// It gets, compiles or probes it.
    Working,
    /// It cannot get its bytes now, and tries again.
    Waiting,
    /// It was refused at a step, and is not tried again.
    Refused,
}

/// The part of a report about one capability.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionReport {
    /// The version that serves.
    pub digest: Option<String>,
    /// The generation of the desired version that the replica has last heard of; 0 for none.
    pub generation: u64,
    /// Progress with it.
    pub progress: Progress,
    /// The reason why it has not come further.
    pub reason: Option<String>,
}

/// The report of a replica.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The replica's name, for a person.
    pub name: String,
    /// Its versions, by capability.
    pub versions: BTreeMap<String, VersionReport>,
}

/// A replica that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replica {
    /// True for this one.
    pub here: bool,
    /// Its report; none where it gives none that can be read, as a replica of an earlier release.
    pub report: Option<Report>,
}

impl SharedState {
    /// The name of this replica, for a person: its machine's, and what tells it from others there.
    pub fn replica_name(&self) -> String {
        let host = sysinfo::System::host_name().unwrap_or_else(|_| "replica".to_owned());
        let own = self.replica.get(self.replica.len().saturating_sub(6)..);
        format!("{host}/{}", own.unwrap_or_default())
    }

    /// Gives this report with the signs of life from now on.
    pub fn set_report(&self, report: &Report) {
        let text = serde_json::to_vec(report).unwrap_or_default();
        *self.report.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }

    /// Counts how this replica stands with regard to the desired version of a capability.
    pub fn note_standing(&self, capability: &str, generation: u64, in_step: bool) {
        self.metrics.desired(capability, generation, in_step);
    }

    /// The report, sealed; empty before there is one.
    pub(super) fn sealed_report(&self) -> Vec<u8> {
        let text = self.report.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if text.is_empty() {
            return text;
        }
        self.seal.seal(&seal_name(&self.replica), &text).unwrap_or_default()
    }

    /// The replicas that are there, with their reports.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn read_reports(&self) -> Result<Vec<Replica>, CallError> {
        let all: Vec<Vec<u8>> = self
            .link
            .call(Call::Desired, async |mut connection| {
                let mut call = invocation(&self.scripts.replicas, &self.prefix);
                call.arg(REPLICA_TIMEOUT.as_millis() as u64);
                call.invoke_async(&mut connection).await
            })
            .await?;
        let replicas = all.chunks_exact(2).filter_map(|pair| {
            let replica = str::from_utf8(&pair[0]).ok()?;
            let text = self.seal.open(&seal_name(replica), pair[1].clone());
            Some(Replica {
                here: replica == self.replica,
                report: text.and_then(|text| serde_json::from_slice(&text).ok()),
            })
        });
        Ok(replicas.collect())
    }
}

/// The name under which the report of a replica is sealed.
fn seal_name(replica: &str) -> String {
    format!("report:{replica}")
}
