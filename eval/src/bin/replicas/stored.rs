//! Looks into the store: its traffic, and the memory of what it keeps.

use std::collections::BTreeMap;

use quartet_tests::store::Store;

use crate::world::Replica;

/// Calls of requests: replicas make others by themselves.
const OF_REQUESTS: [&str; 4] = ["get", "set", "forget", "count"];

/// Traffic of the store since its start.
#[derive(Debug, Clone, Copy, Default)]
pub struct Traffic {
    /// Calls that requests of a replica made, as it counts them.
    pub calls: f64,
    /// Bytes that came.
    pub bytes_in: f64,
    /// Bytes that went.
    pub bytes_out: f64,
}

impl Traffic {
    /// Looks at the counts.
    pub fn look(store: &Store, replica: &Replica) -> Self {
        let calls = replica.metrics("call");
        let [bytes_in, bytes_out] = ["input", "output"].map(|way| number(store, &format!("total_net_{way}_bytes")));
        Self {
            calls: OF_REQUESTS
                .iter()
                .filter_map(|call| calls.get(&("quartet_shared_state_calls_total".to_owned(), (*call).to_owned())))
                .sum(),
            bytes_in,
            bytes_out,
        }
    }

    /// The difference from an earlier look.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            calls: self.calls - before.calls,
            bytes_in: self.bytes_in - before.bytes_in,
            bytes_out: self.bytes_out - before.bytes_out,
        }
    }
}

/// A number that the store tells of itself.
pub fn number(store: &Store, name: &str) -> f64 {
    let info: String = redis::cmd("INFO")
        .arg("all")
        .query(&mut store.connection())
        .unwrap_or_default();
    let line = info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|value| value.trim().parse().ok()).unwrap_or(f64::NAN)
}

/// Scripts that the store has run, each of which is a call of a replica.
pub fn scripts(store: &Store) -> f64 {
    let info: String = redis::cmd("INFO")
        .arg("commandstats")
        .query(&mut store.connection())
        .unwrap_or_default();
    let line = info
        .lines()
        .find_map(|line| line.strip_prefix("cmdstat_evalsha:calls="));
    line.and_then(|values| values.split(',').next()?.parse().ok())
        .unwrap_or_default()
}

/// Bytes of memory in the store, by the parts of the names that `host/src/shared/scripts/prelude.lua` lists.
pub fn memory(store: &Store) -> BTreeMap<String, f64> {
    let mut connection = store.connection();
    let keys: Vec<String> = redis::cmd("KEYS").arg("*").query(&mut connection).unwrap_or_default();
    let mut memory = BTreeMap::new();
    for key in keys {
        // `quartet`, the service, and the part; jobs have parts of their own.
        let mut parts = key.splitn(3, ':').nth(2).unwrap_or_default().split(':');
        let part = match parts.next().unwrap_or_default() {
            "j" => "jobs",
            part => part,
        };
        let bytes: Option<f64> = redis::cmd("MEMORY")
            .arg("USAGE")
            .arg(&key)
            .arg("SAMPLES")
            .arg(0)
            .query(&mut connection)
            .unwrap_or_default();
        *memory.entry(part.to_owned()).or_default() += bytes.unwrap_or_default();
    }
    memory
}
