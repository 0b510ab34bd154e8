//! Throughput of one, two and three replicas behind a balancer, and of one without.

use std::time::Duration;

use anyhow::Result;
use quartet_eval::files::Files;
use quartet_eval::requests::Request;
use serde_json::json;

use crate::load::{Load, measure, runtime, time};
use crate::world::{Fleet, components, median};

/// Clients that ask at a time.
const CLIENTS: u16 = 16;

/// Most replicas.
const MOST: usize = 3;

/// Measures all in turn, and prints the medians.
///
/// # Errors
/// When something does not start, or a request fails.
pub fn print(files: &Files, rounds: usize, seconds: u64) -> Result<()> {
    let Some(mut fleet) = Fleet::new()? else { return Ok(()) };
    for _ in 0..MOST {
        fleet.join(&components(), false, &["--queue-milliseconds", "60000"])?;
    }
    fleet.meet()?;
    let mut balancers = Vec::new();
    for replicas in 1..=MOST {
        let Some(balancer) = fleet.balancer(replicas) else {
            return Ok(());
        };
        balancers.push(balancer);
    }
    let session = |request: Request| request.with("x-session-id", "a-session-that-is-measured");
    let asked = [
        ("`GET /tts/voices`", vec![Request::get("/tts/voices")]),
        (
            "`/chat`, computed, in one conversation",
            vec![session(Request::json(
                "/chat",
                &json!({"message": "How many feet are in 3 miles?"}),
            ))],
        ),
        (
            "`/pdf/extract-text`, a PDF",
            vec![session(Request::form("/pdf/extract-text", "pdf", files.a_pdf(), &[]))],
        ),
    ];
    println!(
        "## One, two and three replicas\n\n{CLIENTS} clients that ask again as soon as they are answered. `beside one`: answers a \
         second beside one replica behind the balancer, in the same round. Processor time for each answer.\n"
    );
    println!(
        "| | replicas | answers/s | beside one | p50 | p99 | replicas | balancer | store | clients |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    let runtime = runtime()?;
    let hosts: Vec<_> = fleet.replicas.iter().map(|replica| replica.service.pid()).collect();
    let (store, own) = ([fleet.store.pid()], [std::process::id()]);
    for (name, requests) in &asked {
        let mut measured: Vec<Vec<Load>> = vec![Vec::new(); MOST + 1];
        for round in 0..=rounds {
            for (replicas, measured) in measured.iter_mut().enumerate() {
                let (address, balancer) = match replicas {
                    0 => (fleet.replicas[0].address(), None),
                    _ => (balancers[replicas - 1].address, Some(balancers[replicas - 1].pid())),
                };
                let balancer: Vec<_> = balancer.into_iter().collect();
                let processes: [&[u32]; 4] = [&hosts, &balancer, &store, &own];
                let length = Duration::from_secs(if round == 0 { 1 } else { seconds });
                let load = measure(&runtime, address, requests, CLIENTS, length, &processes)?;
                // The first one is for what is read and compiled only once.
                if round > 0 {
                    measured.push(load);
                }
            }
        }
        let one = measured[1].clone();
        for (replicas, loads) in measured.iter().enumerate() {
            let of = |value: &dyn Fn(&Load) -> f64| median(loads.iter().map(value));
            let beside = median(
                loads
                    .iter()
                    .zip(&one)
                    .map(|(load, one)| load.per_second / one.per_second),
            );
            let number = match replicas {
                0 => "1, no balancer".to_owned(),
                _ => replicas.to_string(),
            };
            println!(
                "| {name} | {number} | {:.0} | {beside:.2} × | {:.1} ms | {:.1} ms | {} | {} | {} | {} |",
                of(&|load| load.per_second),
                of(&|load| load.p50),
                of(&|load| load.p99),
                time(of(&|load| load.processor[0])),
                time(of(&|load| load.processor[1])),
                time(of(&|load| load.processor[2])),
                time(of(&|load| load.processor[3])),
            );
        }
    }
    println!();
    Ok(())
}
