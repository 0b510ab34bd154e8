//! The presence of a replica: it reaches the store, gives signs of life with its report, and hears of what clients had
//! forgotten elsewhere and of the versions that all are to serve.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use anyhow::bail;

use super::call::Call;
use super::state::{SharedState, invocation};
use crate::auth::Client;

/// Time between two signs of life.
const TICK: Duration = Duration::from_secs(1);

/// Time after which a replica that gave no sign of life counts as gone.
pub(super) const REPLICA_TIMEOUT: Duration = Duration::from_secs(10);

/// Words of what was forgotten that one sign of life brings.
const MOST_WORDS: usize = 256;

/// Words that a sign of life has brought.
#[derive(PartialEq, Eq)]
enum Heard {
    /// All that there were.
    All,
    /// As many as one brings: there may be more.
    Some,
}

/// Pauses between attempts to reach the store.
const PAUSES: std::ops::Range<Duration> = Duration::from_millis(50)..Duration::from_secs(1);

/// The answer to a sign of life: replicas, words, and desired versions.
type Tick = (usize, Vec<Vec<u8>>, Vec<Vec<u8>>);

impl SharedState {
    /// Tries to reach the store, as the service starts.
    ///
    /// # Errors
    /// When the store answers, and will not let this service in by waiting. One that does not answer may come later.
    pub async fn reach(&self) -> anyhow::Result<()> {
        match self.link.connect().await {
            Err(error) if error.lasting => bail!(
                "the store of `shared_state` does not let this service in: {}; see `shared_password_file` and \
                 `shared_authorities`",
                error.reason
            ),
            Err(error) => {
                tracing::warn!(reason = error.reason, "the store of shared state cannot be reached yet");
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Keeps the connection, for as long as the service runs. `told` hears of clients that had something forgotten at
    /// another replica.
    pub async fn run(self: Arc<Self>, told: impl Fn(Client) + Send + Sync) {
        let mut pause = PAUSES.start;
        let mut is_said = false;
        loop {
            let connected = match self.link.is_open() {
                true => Ok(()),
                false => self.link.connect().await,
            };
            match connected {
                Ok(()) => {
                    tracing::info!("the store of shared state answers");
                    is_said = false;
                    let begun = Instant::now();
                    self.open.send_replace(true);
                    let signs = async {
                        while self.link.is_open() {
                            // Whoever has much to hear is not left behind by those who say more each second.
                            while self.tick(&told).await == Heard::Some {}
                            // Either it is time, or there is nothing to wait for.
                            let _ = tokio::time::timeout(TICK, self.link.lost()).await;
                        }
                    };
                    tokio::select! {
                        () = signs => {}
                        () = self.link.replaced() => {}
                    }
                    self.open.send_replace(false);
                    tracing::warn!("the store of shared state is away");
                    if begun.elapsed() > REPLICA_TIMEOUT {
                        pause = PAUSES.start;
                    }
                }
                Err(error) => {
                    if !is_said {
                        tracing::warn!(reason = error.reason, "the store of shared state cannot be reached");
                    }
                    is_said = true;
                }
            }
            // One that lets in and then fails at once is not asked without a break.
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSES.end);
        }
    }

    /// Takes leave, as the service stops: nobody waits for this replica until its last sign of life is old.
    pub async fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
        // Where the store is away, time does it.
        let _: Result<(), _> = self
            .link
            .call(Call::Tick, async |mut connection| {
                let mut pipe = redis::pipe();
                pipe.cmd("ZREM").arg(format!("{}n", self.prefix)).arg(&self.replica);
                pipe.cmd("HDEL").arg(format!("{}q", self.prefix)).arg(&self.replica);
                pipe.exec_async(&mut connection).await
            })
            .await;
    }

    /// Gives a sign of life, and hears what was forgotten elsewhere and which versions are desired.
    async fn tick(&self, told: &(impl Fn(Client) + Send + Sync)) -> Heard {
        if self.left.load(Ordering::Relaxed) {
            return Heard::All;
        }
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let report = self.sealed_report();
        let answer: Result<Tick, _> = self
            .link
            .call(Call::Tick, async |mut connection| {
                let mut call = invocation(&self.scripts.tick, &self.prefix);
                call.arg(&self.replica);
                call.arg(REPLICA_TIMEOUT.as_millis() as u64).arg(heard).arg(&report[..]);
                call.arg(MOST_WORDS);
                call.invoke_async(&mut connection).await
            })
            .await;
        let Ok((replicas, words, desired)) = answer else {
            return Heard::All;
        };
        self.replicas.store(replicas, Ordering::Relaxed);
        self.metrics.replicas(replicas);
        self.hear_desired(&desired);
        for word in words.chunks_exact(2) {
            if let Some(client) = self.open_client(&word[1]) {
                told(client);
            }
        }
        if let Some(last) = words
            .chunks_exact(2)
            .last()
            .and_then(|word| str::from_utf8(&word[0]).ok())
        {
            last.clone_into(&mut self.heard.lock().unwrap_or_else(PoisonError::into_inner));
        }
        match words.len() / 2 {
            MOST_WORDS.. => Heard::Some,
            _ => Heard::All,
        }
    }
}
