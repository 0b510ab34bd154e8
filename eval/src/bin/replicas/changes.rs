//! Changes of the version of three replicas: from the command until all of them serve it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, ensure};
use quartet_tests::versions::padded;

use crate::bytes::size;
use crate::stored::memory;
use crate::world::{Fleet, Replica, components, median};

/// Replicas.
const REPLICAS: usize = 3;

/// Pause between two looks at a replica.
const LOOK_PAUSE: Duration = Duration::from_millis(20);

/// The capabilities that are changed, with an operation that is asked meanwhile: those that have one that takes nothing.
const CAPABILITIES: [(&str, &str); 2] = [("chat", "/chat/info"), ("tts", "/tts/languages")];

/// Seconds of one change.
struct Change {
    first: f64,
    all: f64,
    told: f64,
}

/// Prints the times, and what versions take in the store.
///
/// # Errors
/// When something does not start, or a change is refused.
pub fn print(rounds: usize) -> Result<()> {
    let Some(mut fleet) = Fleet::new()? else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    for (name, _) in CAPABILITIES {
        let file = format!("{name}.wasm");
        fs::copy(components().join(&file), folder.path().join(&file)).context("copying a component")?;
    }
    for _ in 0..REPLICAS {
        fleet.join(folder.path(), true, &[])?;
    }
    fleet.meet()?;
    println!(
        "## Changes of the version\n\n{REPLICAS} replicas, each of which compiles the version for itself, on the same processors. \
         Seconds from the command; another client looks every {} ms.\n",
        LOOK_PAUSE.as_millis()
    );
    println!(
        "| | component | the first serves it | all serve it | the command is done | beside one replica alone |\n|---|---|---|---|---|---|"
    );
    let before = memory(&fleet.store);
    for (name, path) in CAPABILITIES {
        let original = fs::read(components().join(name).with_extension("wasm"))?;
        let new = folder.path().join("new");
        let (mut swaps, mut backs, mut alone) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..rounds {
            let file = new.display().to_string();
            // Bytes that nobody runs make another version of it.
            fs::write(&new, padded(&original, 8 + 2 * round))?;
            swaps.push(change(&fleet.replicas, path, &["swap", name, &file])?);
            backs.push(change(&fleet.replicas, path, &["rollback", name])?);
            fs::write(&new, padded(&original, 9 + 2 * round))?;
            let only = &fleet.replicas[..1];
            alone.push(change(only, path, &["swap", name, &file, "--this-replica"])?.all);
        }
        let alone = median(alone);
        for (what, changes) in [("swap", &swaps), ("rollback", &backs)] {
            let of = |value: &dyn Fn(&Change) -> f64| median(changes.iter().map(value));
            let beside = match what {
                "swap" => format!("{:.1} ×", of(&|change| change.all) / alone),
                _ => String::new(),
            };
            println!(
                "| {what} of `{name}` | {} | {:.2} | {:.2} | {:.2} | {beside} |",
                size(original.len() as f64),
                of(&|change| change.first),
                of(&|change| change.all),
                of(&|change| change.told),
            );
        }
    }
    let after = memory(&fleet.store);
    let more = |part: &str| after.get(part).unwrap_or(&0.0) - before.get(part).unwrap_or(&0.0);
    println!(
        "\nIn the store: what is desired of {} capabilities {}, their versions with those before {}, and for each replica {}.",
        CAPABILITIES.len(),
        size(more("d")),
        size(more("c")),
        size((after.get("n").unwrap_or(&0.0) + after.get("q").unwrap_or(&0.0)) / REPLICAS as f64),
    );
    trial(&fleet, folder.path())?;
    println!();
    Ok(())
}

/// Begins a trial and has it counted, for its numbers in the store.
fn trial(fleet: &Fleet, folder: &std::path::Path) -> Result<()> {
    let file = folder.join("new");
    let file = file.display().to_string();
    fleet.replicas[0].quartet(&["canary", "tts", &file, "--percent", "50", "--requests", "100000"])?;
    for number in 0..300 {
        let session = format!("a-session-that-is-measured-{number}");
        let client = fleet.replicas[number % REPLICAS].service.client();
        client.get_with("/tts/languages", &[("x-session-id", session.as_str())]);
    }
    thread::sleep(Duration::from_secs(3));
    let numbers = memory(&fleet.store).get("t").copied().unwrap_or_default();
    println!(
        "The numbers of a canary of {REPLICAS} replicas with one operation take {} for each replica.",
        size(numbers / REPLICAS as f64)
    );
    fleet.replicas[0].quartet(&["canary", "tts", "--abort"])?;
    Ok(())
}

/// Runs a command that changes the version, and watches the replicas.
fn change(replicas: &[Replica], path: &str, command: &[&str]) -> Result<Change> {
    let version = |replica: &Replica| {
        let reply = replica.service.client().get(path);
        reply.header("x-quartet-component").unwrap_or_default().to_owned()
    };
    let before: Vec<_> = replicas.iter().map(version).collect();
    // A look that is told no version would see none change.
    ensure!(
        before.iter().all(|version| !version.is_empty()),
        "{path} does not tell a version"
    );
    let (is_over, seen) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    let begun = Instant::now();
    thread::scope(|scope| {
        for (replica, before) in replicas.iter().zip(&before) {
            let (is_over, seen) = (&is_over, &seen);
            scope.spawn(move || {
                loop {
                    let ended = is_over.load(Ordering::SeqCst);
                    if version(replica) != *before {
                        seen.lock().expect("no look failed").push(begun.elapsed().as_secs_f64());
                        return;
                    }
                    if ended {
                        return;
                    }
                    thread::sleep(LOOK_PAUSE);
                }
            });
        }
        let done = replicas[0].quartet(command);
        is_over.store(true, Ordering::SeqCst);
        done
    })
    .map(|(_, took)| {
        let seen = seen.into_inner().unwrap_or_default();
        Change {
            first: seen.iter().copied().fold(f64::NAN, f64::min),
            all: seen.iter().copied().fold(f64::NAN, f64::max),
            told: took.as_secs_f64(),
        }
    })
}
