//! Many replicas that nobody asks: what each asks of the store by itself, what a change of all of them moves, and what happens
//! when the store comes back empty.

use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::Result;
use quartet_eval::process::{look, processor_time};
use quartet_tests::versions::{padded, version};

use crate::bytes::size;
use crate::load::time;
use crate::stored::{number, scripts};
use crate::world::{Fleet, median, wait_until};

/// Bytes of the component that all are changed to: as many as a large one of the service has.
const COMPONENT_BYTES: usize = 16 << 20;

/// Prints what the store has to do for so many replicas.
///
/// # Errors
/// When something does not start, or a change is refused.
pub fn print(numbers: &[usize], seconds: u64) -> Result<()> {
    let Some(mut fleet) = Fleet::new()? else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("tts.wasm"), version("steady 1"))?;
    println!(
        "## Replicas at rest\n\nReplicas with one small component. For each replica and second: scripts, bytes, and processor time \
         of the store and of the replica. Then a change of all to a component of {}: bytes that came from the store, as often as \
         the component has. Then the store is ended and comes back empty: bytes that \
         come to it until 15 s after it knows again what all are to serve, as often as one version has.\n",
        size(COMPONENT_BYTES as f64)
    );
    println!(
        "| replicas | scripts | to it | from it | store | replica | memory of a replica | change | from the store | empty: whole again | to the store | calls that failed |\n|---|---|---|---|---|---|---|---|---|---|---|---|"
    );
    for (round, replicas) in numbers.iter().enumerate() {
        while fleet.replicas.len() < *replicas {
            fleet.join(folder.path(), false, &["--log", "error"])?;
        }
        fleet.meet()?;
        let length = Duration::from_secs(seconds * 3);
        let names = ["total_net_input_bytes", "total_net_output_bytes"];
        let counts = || names.map(|name| number(&fleet.store, name));
        let of_replicas = || -> f64 {
            let times = fleet
                .replicas
                .iter()
                .filter_map(|replica| processor_time(replica.service.pid()));
            times.sum::<Duration>().as_secs_f64()
        };
        let of_store = || processor_time(fleet.store.pid()).unwrap_or_default().as_secs_f64();
        let before = (scripts(&fleet.store), counts(), of_store(), of_replicas());
        thread::sleep(length);
        let after = (scripts(&fleet.store), counts(), of_store(), of_replicas());
        let each = |difference: f64| difference / length.as_secs_f64() / *replicas as f64;
        let memory = median(
            fleet
                .replicas
                .iter()
                .filter_map(|replica| look(replica.service.pid()).map(|look| look.private_mib * 1024.0 * 1024.0)),
        );

        let file = folder.path().join("new");
        fs::write(
            &file,
            padded(&version(&format!("steady {}", 2 + round)), COMPONENT_BYTES),
        )?;
        let [_, sent] = counts();
        let (_, took) = fleet.replicas[0].quartet(&["swap", "tts", &file.display().to_string()])?;
        let fetched = (counts()[1] - sent) / COMPONENT_BYTES as f64;

        fleet.store.kill();
        thread::sleep(Duration::from_secs(2));
        fleet.store.restart();
        let begun = Instant::now();
        wait_until("the store has what all are to serve", || is_whole(&fleet))?;
        let whole = begun.elapsed();
        // Those who bring it, too, may not be done.
        thread::sleep(Duration::from_secs(15));
        let brought = number(&fleet.store, names[0]) / COMPONENT_BYTES as f64;
        let failed: f64 = fleet
            .replicas
            .iter()
            .map(|replica| {
                let calls = replica.metrics("outcome");
                let name = "quartet_shared_state_calls_total".to_owned();
                calls.get(&(name, "away".to_owned())).copied().unwrap_or_default()
            })
            .sum();
        println!(
            "| {replicas} | {:.1} | {} | {} | {} | {} | {} | {:.1} s | {fetched:.1} × | {:.1} s | {brought:.1} × | {failed:.0} |",
            each(after.0 - before.0),
            size(each(after.1[0] - before.1[0])),
            size(each(after.1[1] - before.1[1])),
            time(each(after.2 - before.2) * 1e6),
            time(each(after.3 - before.3) * 1e6),
            size(memory),
            took.as_secs_f64(),
            whole.as_secs_f64(),
        );
    }
    println!();
    Ok(())
}

/// True if the store has what all are to serve.
fn is_whole(fleet: &Fleet) -> bool {
    let memory = crate::stored::memory(&fleet.store);
    memory.contains_key("d")
}
