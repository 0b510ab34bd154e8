//! Reading ahead: the engine reads beginnings of prompts when nobody waits, and says how much of them it knows.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::oneshot;

use super::suspects::Digest;
use crate::host_functions::llm::types::PromptSize;

/// Time in which an engine that has nothing else to do says how much it knows: a step of reading ahead on a slow machine. One that
/// writes for others may take longer, and is not waited for.
const ANSWER_TIME: Duration = Duration::from_millis(2_500);

/// Beginnings that the engine was told to read ahead and has not read, or given up, yet.
pub type Ahead = HashMap<u64, Unread>;

/// A beginning of prompts.
pub struct Unread {
    /// Is told its size.
    size: Option<oneshot::Sender<PromptSize>>,
    digest: Digest,
}

/// Notes what the engine is told to read ahead; its size comes by the receiver.
pub fn begin(ahead: &mut Ahead, id: u64, digest: Digest) -> oneshot::Receiver<PromptSize> {
    let (sender, receiver) = oneshot::channel();
    let size = Some(sender);
    ahead.insert(id, Unread { size, digest });
    receiver
}

/// Waits for the size as long as an engine takes that has nothing else to do.
pub async fn in_time(size: oneshot::Receiver<PromptSize>) -> Option<PromptSize> {
    tokio::time::timeout(ANSWER_TIME, size).await.ok()?.ok()
}

/// Passes on what the engine knows of a beginning.
pub fn told(ahead: &mut Ahead, id: u64, tokens: u32, cached_tokens: u32) {
    let size = ahead.get_mut(&id).and_then(|unread| unread.size.take());
    if let Some(size) = size {
        // Whoever asked may have gone.
        let _ = size.send(PromptSize { tokens, cached_tokens });
    }
}

/// Digests of what the engine may be reading.
pub fn digests(ahead: &Ahead) -> impl Iterator<Item = Digest> {
    ahead.values().map(|unread| unread.digest)
}
