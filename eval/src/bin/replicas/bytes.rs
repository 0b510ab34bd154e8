//! Bytes in the store by kind, of real files: the difference that so many of a kind make to the memory of its keys.

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use anyhow::{Result, ensure};
use quartet_eval::client::{Client, Ending, Manner};
use quartet_eval::files::Files;
use quartet_eval::requests::Request;
use serde_json::json;

use crate::load::runtime;
use crate::stored::memory;
use crate::world::{Fleet, components};

/// Name of a row, the kinds of values that it counts, and what each client asks.
type Row<'a> = (&'a str, &'a [&'a str], Vec<Vec<Request>>);

/// Clients, each with an address and a session of its own.
const CLIENTS: u16 = 50;

/// Turns of a longer conversation.
const TURNS: usize = 10;

/// Prints what each kind takes.
///
/// # Errors
/// When something does not start, or a request fails.
pub fn print(files: &Files) -> Result<()> {
    let Some(mut fleet) = Fleet::new()? else { return Ok(()) };
    let budgets = [
        "--kept-bytes",
        "2000000000",
        "--shared-job-bytes",
        "2000000000",
        "--client-jobs",
        "1000",
    ];
    fleet.join(
        &components(),
        false,
        &[&budgets[..], &["--requests-per-minute", "1000"]].concat(),
    )?;
    fleet.meet()?;
    println!(
        "## Bytes in the store\n\nMemory that the store has for a key's name, value and accounts (`MEMORY USAGE`), each: the mean, \
         and the most where they differ.\n"
    );
    println!("| | number | each | the largest |\n|---|---|---|---|");
    let questions = |number: u16, turns: usize| {
        let body = json!({"message": "How many feet are in 3 miles?"});
        vec![in_session(Request::json("/chat", &body), number); turns]
    };
    let forms = |path: &'static str, field: &'static str, files: &[quartet_eval::files::File]| -> Vec<Vec<Request>> {
        let each = files.iter().enumerate();
        each.map(|(number, file)| {
            vec![in_session(
                Request::form(path, field, file, &[]),
                20_000 + number as u16,
            )]
        })
        .collect()
    };
    let clients = |of: &dyn Fn(u16) -> Vec<Request>| -> Vec<Vec<Request>> { (0..CLIENTS).map(of).collect() };
    let job = |number: u16| {
        let body = json!({"message": "How many feet are in 3 miles?"});
        vec![in_session(Request::json("/chat", &body), 10_000 + number).with("prefer", "respond-async")]
    };
    let values = ["v", "i", "x", "h", "o", "b"];
    let all: Vec<Row> = vec![
        (
            "rate, a client's first request",
            &["r", "s"],
            clients(&|_| vec![Request::get("/tts/voices")]),
        ),
        (
            "rate, 99 requests more",
            &["r", "s"],
            clients(&|_| vec![Request::get("/tts/voices"); 99]),
        ),
        (
            "conversation of one question",
            &values,
            clients(&|number| questions(number, 1)),
        ),
        (
            "the same, nine questions more",
            &values,
            clients(&|number| questions(number, TURNS - 1)),
        ),
        (
            "document, PDFs",
            &values,
            forms("/pdf/extract-text", "pdf", &files.pdfs),
        ),
        (
            "document, other kinds",
            &values,
            forms("/pdf/extract-text", "document", &files.others),
        ),
        (
            "picture, photographs",
            &values,
            forms("/image/analyze", "image", &files.photographs),
        ),
        (
            "picture, pages of text",
            &values,
            forms("/image/extract-text", "image", &files.pages),
        ),
        ("job, a question to chat, when it is over", &["jobs"], clients(&job)),
    ];
    let runtime = runtime()?;
    let address = fleet.replicas[0].address();
    for (number, (name, parts, visits)) in all.into_iter().enumerate() {
        let sum = |memory: &BTreeMap<String, f64>| -> f64 { parts.iter().filter_map(|part| memory.get(*part)).sum() };
        let first = sum(&memory(&fleet.store));
        let (mut before, mut largest, mut kept) = (first, 0.0_f64, 0_usize);
        let one_by_one = visits.len() < usize::from(CLIENTS);
        for (visitor, requests) in visits.iter().enumerate() {
            // Those who ask again have the addresses that they had.
            let client = if number < 2 { visitor } else { visitor + 1_000 * number };
            let mut client = Client::new(address, u16::try_from(client)?);
            let mut all_answered = true;
            for request in requests {
                let ending = runtime.block_on(client.send(request, Manner::Whole));
                let answered = matches!(&ending, Ending::Answered(answer) if [200, 202].contains(&answer.status));
                // Some files are meant to be refused, and leave nothing.
                ensure!(answered || one_by_one, "{name}: {ending:?}");
                all_answered &= answered;
            }
            kept += usize::from(all_answered);
            if one_by_one {
                let after = sum(&memory(&fleet.store));
                largest = largest.max(after - before);
                before = after;
            }
        }
        if parts == ["jobs"] {
            thread::sleep(Duration::from_secs(3));
        }
        let each = (sum(&memory(&fleet.store)) - first) / kept as f64;
        let largest = if one_by_one { size(largest) } else { String::new() };
        println!("| {name} | {kept} | {} | {largest} |", size(each));
    }
    println!();
    Ok(())
}

fn in_session(request: Request, number: u16) -> Request {
    request.with("x-session-id", format!("a-session-that-is-measured-{number}"))
}

/// Bytes, with as many digits as they are worth.
pub fn size(bytes: f64) -> String {
    match bytes {
        bytes if bytes >= 1e7 => format!("{:.0} MB", bytes / 1e6),
        bytes if bytes >= 1e6 => format!("{:.1} MB", bytes / 1e6),
        bytes if bytes >= 1e4 => format!("{:.0} kB", bytes / 1e3),
        bytes if bytes >= 1e3 => format!("{:.1} kB", bytes / 1e3),
        bytes => format!("{bytes:.0} B"),
    }
}
