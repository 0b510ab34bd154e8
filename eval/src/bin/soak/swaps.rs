//! Swaps of components while requests run: one capability after the other gets a new version, and every second time the
//! version before comes back half-way to the next swap.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use bytes::Bytes;

use crate::admin::Admin;

/// The capabilities, in the order in which they are swapped.
const CAPABILITIES: [&str; 4] = ["tts", "image", "pdf", "chat"];

/// Versions of a capability that take turns: some come again and find their compiled code, some have been forgotten.
const VERSIONS: usize = 6;

/// One change of a version.
#[derive(Debug)]
pub struct Swap {
    /// The capability.
    pub capability: &'static str,
    /// True where the version before came back.
    pub rolled_back: bool,
    /// Seconds from the start to when it was done.
    pub seconds: f64,
    /// Seconds that it took.
    pub took: f64,
    /// The reason for which it was refused.
    pub refused: Option<String>,
}

/// All changes.
#[derive(Debug, Default)]
pub struct Swaps(pub Vec<Swap>);

/// Reads the components as they are at the start.
///
/// # Errors
/// When one is missing.
pub fn originals(components: &Path) -> Result<Vec<Bytes>> {
    let read = |name: &&str| {
        let path = components.join(name).with_extension("wasm");
        let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        Ok(bytes.into())
    };
    CAPABILITIES.iter().map(read).collect()
}

/// The same component with another digest: a custom section at its end changes nothing that runs.
fn version(component: &Bytes, number: usize) -> Bytes {
    let mark = u8::try_from(number % VERSIONS).unwrap_or_default();
    [component.as_ref(), &[0, 3, 1, b'v', mark]].concat().into()
}

impl Swaps {
    /// Swaps until the end.
    pub async fn go_on(admin: Admin, originals: Vec<Bytes>, start: Instant, end: Instant, every: Duration) -> Self {
        let mut swaps = Self::default();
        for round in 0.. {
            let due = start + every * round;
            // The first swap comes when there is something to disturb.
            if !wait_until(due + every / 4, end).await {
                break;
            }
            let round = round as usize;
            let (index, number) = (round % CAPABILITIES.len(), round / CAPABILITIES.len());
            let component = version(&originals[index], number);
            let began = Instant::now();
            let done = admin.swap(CAPABILITIES[index], component).await;
            swaps.add(CAPABILITIES[index], false, start, began, done.map(drop));
            // Each capability is rolled back in every second of its turns.
            if (number + index).is_multiple_of(2) {
                if !wait_until(due + every * 3 / 4, end).await {
                    break;
                }
                let began = Instant::now();
                let done = admin.roll_back(CAPABILITIES[index]).await;
                swaps.add(CAPABILITIES[index], true, start, began, done.map(drop));
            }
        }
        swaps
    }

    fn add(&mut self, capability: &'static str, rolled_back: bool, start: Instant, began: Instant, done: Result<()>) {
        self.0.push(Swap {
            capability,
            rolled_back,
            seconds: start.elapsed().as_secs_f64(),
            took: began.elapsed().as_secs_f64(),
            refused: done.err().map(|error| format!("{error:#}")),
        });
    }
}

/// Waits; false where the end comes first.
async fn wait_until(due: Instant, end: Instant) -> bool {
    tokio::time::sleep_until(due.min(end).into()).await;
    due < end
}

/// Prints how many there were and how long they took.
pub fn print(swaps: &Swaps) {
    let of = |rolled_back: bool| {
        let mut took: Vec<f64> = swaps
            .0
            .iter()
            .filter(|swap| swap.rolled_back == rolled_back && swap.refused.is_none())
            .map(|swap| swap.took)
            .collect();
        took.sort_by(f64::total_cmp);
        let median = took.get(took.len() / 2).copied().unwrap_or(f64::NAN);
        let longest = took.last().copied().unwrap_or(f64::NAN);
        (took.len(), median, longest)
    };
    let ((swapped, swap_median, swap_longest), (back, back_median, back_longest)) = (of(false), of(true));
    println!(
        "{swapped} swaps (median {swap_median:.1} s, longest {swap_longest:.1} s), {back} rollbacks (median {back_median:.2} s, longest {back_longest:.2} s).\n"
    );
}
