//! A request of a service that shares its state, beside the same of one that keeps it in memory.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Result, bail};
use quartet_eval::client::{Client, Ending, Manner};
use quartet_eval::files::Files;
use quartet_eval::requests::Request;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::load::{Load, measure, runtime, time};
use crate::stored::Traffic;
use crate::world::{Fleet, Replica, components, median};

/// Number of a client that nobody else is.
const UPLOADER: u16 = 40_000;

/// An operation, with a request for each of the two services.
struct Asked {
    name: String,
    requests: [Request; 2],
}

/// Measures both in turn, and prints the medians.
///
/// # Errors
/// When something does not start, or a request fails.
pub fn print(files: &Files, rounds: usize, seconds: u64) -> Result<()> {
    let Some(mut fleet) = Fleet::new()? else { return Ok(()) };
    let alone = Replica::start(&components(), false, &[])?;
    fleet.join(&components(), false, &[])?;
    fleet.meet()?;
    let shared = &fleet.replicas[0];
    let runtime = runtime()?;
    let addresses = [alone.address(), shared.address()];
    let processes = [alone.service.pid(), shared.service.pid()];
    let store = [fleet.store.pid()];
    println!(
        "## Shared state beside memory\n\nOne client that asks again as soon as it is answered, and 16 for the light request. \
         Processor time of the service for each answer; of the store: its processor time with what it does by itself, \
         calls, and bytes to it and from it, for each answer.\n"
    );
    println!(
        "| | p50, memory | shared | | processor, memory | shared | more | store | calls | to it | from it |\n|---|---|---|---|---|---|---|---|---|---|---|"
    );
    for (asked, clients) in asked(files, &runtime, addresses)? {
        let mut measured: [Vec<Load>; 2] = Default::default();
        let mut traffic = Vec::new();
        for round in 0..=rounds {
            for (which, measured) in measured.iter_mut().enumerate() {
                let groups: [&[u32]; 2] = [&[processes[which]], &store];
                let length = Duration::from_secs(if round == 0 { 1 } else { seconds });
                let requests = [asked.requests[which].clone()];
                let before = Traffic::look(&fleet.store, shared);
                let load = measure(&runtime, addresses[which], &requests, clients, length, &groups)?;
                let moved = Traffic::look(&fleet.store, shared).since(&before);
                // The first one is for what is read and compiled only once.
                if round == 0 {
                    continue;
                }
                if which == 1 {
                    traffic.push((moved, load.answers));
                }
                measured.push(load);
            }
        }
        let [memory, shared] = &measured;
        let of = |loads: &[Load], value: &dyn Fn(&Load) -> f64| median(loads.iter().map(value));
        let each =
            |value: &dyn Fn(&Traffic) -> f64| median(traffic.iter().map(|(moved, answers)| value(moved) / answers));
        let [before, after] = [memory, shared].map(|loads| of(loads, &|load| load.p50) * 1e3);
        let [cost, costs] = [memory, shared].map(|loads| of(loads, &|load| load.processor[0]));
        let ratio = median(
            memory
                .iter()
                .zip(shared)
                .map(|(memory, shared)| shared.p50 / memory.p50),
        );
        let more = median(
            memory
                .iter()
                .zip(shared)
                .map(|(memory, shared)| shared.processor[0] - memory.processor[0]),
        );
        println!(
            "| {} | {} | {} | {ratio:.2} × | {} | {} | {} | {} | {:.1} | {} | {} |",
            asked.name,
            time(before),
            time(after),
            time(cost),
            time(costs),
            time(more),
            time(of(shared, &|load| load.processor[1])),
            each(&|moved| moved.calls),
            crate::bytes::size(each(&|moved| moved.bytes_in)),
            crate::bytes::size(each(&|moved| moved.bytes_out)),
        );
    }
    println!();
    Ok(())
}

/// The operations, and the clients that ask at a time. Questions are about files that both services were sent.
fn asked(files: &Files, runtime: &Runtime, addresses: [SocketAddr; 2]) -> Result<Vec<(Asked, u16)>> {
    let session = |request: Request| request.with("x-session-id", "a-session-that-is-measured");
    let same = |name: &str, request: Request| Asked {
        name: name.to_owned(),
        requests: [request.clone(), request],
    };
    let [photograph, pdf] = [&files.photographs[0], files.a_pdf()];
    let picture = session(Request::form("/image/detect-objects", "image", photograph, &[]));
    let document = session(Request::form("/pdf/extract-text", "pdf", pdf, &[]));
    let question = session(Request::json(
        "/chat",
        &json!({"message": "How many feet are in 3 miles?"}),
    ));
    let [images, documents] = [(&picture, "imageId"), (&document, "documentId")].map(|(request, id)| {
        let sent = addresses.map(|address| id_of(runtime, address, request, id));
        let [first, second] = sent;
        first.and_then(|first| Ok([first, second?]))
    });
    let about = |path: &'static str, message: &'static str, id: &'static str, ids: [String; 2]| {
        ids.map(|sent| session(Request::json(path, &json!({"message": message, id: sent}))))
    };
    Ok(vec![
        (same("`GET /tts/voices`", Request::get("/tts/voices")), 1),
        (same("the same, 16 clients", Request::get("/tts/voices")), 16),
        (same("`/chat`, computed, in a conversation", question.clone()), 1),
        (
            Asked {
                name: "`/pdf/chat`, about a document".to_owned(),
                requests: about("/pdf/chat", "What is this about?", "documentId", documents?),
            },
            1,
        ),
        (
            Asked {
                name: "`/image/chat`, about a picture".to_owned(),
                requests: about("/image/chat", "Which colours does it have?", "imageId", images?),
            },
            1,
        ),
        (
            same(
                &format!(
                    "`/pdf/extract-text`, {} ({})",
                    pdf.name,
                    crate::bytes::size(pdf.bytes.len() as f64)
                ),
                document,
            ),
            1,
        ),
        (
            same(
                &format!(
                    "`/image/detect-objects`, {} ({})",
                    photograph.name,
                    crate::bytes::size(photograph.bytes.len() as f64)
                ),
                picture,
            ),
            1,
        ),
    ])
}

fn id_of(runtime: &Runtime, address: SocketAddr, request: &Request, id: &str) -> Result<String> {
    let mut client = Client::new(address, UPLOADER);
    match runtime.block_on(client.send(request, Manner::Whole)) {
        Ending::Answered(answer) if answer.status == 200 => {
            Ok(answer.json()["data"][id].as_str().unwrap_or_default().to_owned())
        }
        other => bail!("{} fails: {other:?}", request.path),
    }
}
