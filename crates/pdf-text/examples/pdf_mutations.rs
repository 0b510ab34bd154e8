//! Breaks real PDFs in many ways and reads what is left: `pdf_mutations FOLDER [COUNT] [SEED]`. Nothing may panic, and
//! nothing may take much longer than its time. Prints a summary, and fails when something did.

use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use quartet_pdf_text::{Options, read};

/// Time that reading is given.
const READING_TIME: Duration = Duration::from_secs(5);
/// Time after which it counts as hanging.
const HANG_TIME: Duration = Duration::from_secs(10);

/// Small random number generator (xorshift64*), so that a run can be repeated.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16;
        usize::try_from(number).unwrap_or(0) % end.max(1)
    }
}

fn mutate(bytes: &mut Vec<u8>, numbers: &mut Numbers) -> &'static str {
    let length = bytes.len();
    match numbers.below(6) {
        0 => {
            bytes.truncate(numbers.below(length));
            "cut off"
        }
        1 => {
            let from = numbers.below(length);
            let to = (from + numbers.below(4096)).min(length);
            bytes.drain(from..to);
            "piece taken out"
        }
        2 => {
            let from = numbers.below(length);
            let to = (from + numbers.below(4096)).min(length);
            let piece = bytes[from..to].to_vec();
            let at = numbers.below(length);
            bytes.splice(at..at, piece);
            "piece doubled"
        }
        3 => {
            // Digits: lengths, offsets, numbers of objects.
            for _ in 0..=numbers.below(16) {
                let from = numbers.below(length);
                if let Some(at) = bytes[from..].iter().position(u8::is_ascii_digit) {
                    bytes[from + at] = b'0' + u8::try_from(numbers.below(10)).unwrap_or(0);
                }
            }
            "digits changed"
        }
        _ => {
            for _ in 0..=numbers.below(64) {
                let at = numbers.below(length);
                bytes[at] ^= 1 << numbers.below(8);
            }
            "bits flipped"
        }
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".into());
    let count: usize = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(1000);
    let mut numbers = Numbers(
        arguments
            .next()
            .and_then(|seed| seed.parse().ok())
            .unwrap_or(0x9e37_79b9_7f4a_7c15),
    );
    let mut files: Vec<Vec<u8>> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "pdf"))
        .filter_map(|entry| std::fs::read(entry.path()).ok())
        .filter(|bytes| (100..2_000_000).contains(&bytes.len()))
        .collect();
    files.sort();
    if files.is_empty() {
        eprintln!("no PDFs in {folder}");
        return ExitCode::FAILURE;
    }
    let (mut outcomes, mut slowest, mut bad) = (BTreeMap::<String, usize>::new(), Duration::ZERO, 0);
    for turn in 0..count {
        let mut bytes = files[numbers.below(files.len())].clone();
        let kind = mutate(&mut bytes, &mut numbers);
        let kept = bytes.clone();
        let begun = Instant::now();
        let found = std::thread::Builder::new()
            .stack_size(2 << 20)
            .spawn(move || {
                catch_unwind(|| {
                    let time_left = || begun.elapsed() < READING_TIME;
                    read(
                        bytes,
                        &Options {
                            time_left: &time_left,
                            ..Options::default()
                        },
                    )
                })
            })
            .expect("a thread")
            .join();
        let time = begun.elapsed();
        slowest = slowest.max(time);
        let outcome = match found {
            Ok(Ok(Ok(document))) if document.truncated => "read in part".to_owned(),
            Ok(Ok(Ok(_))) => "read".to_owned(),
            Ok(Ok(Err(error))) => error.to_string(),
            _ => "PANIC".to_owned(),
        };
        if outcome == "PANIC" || time > HANG_TIME {
            bad += 1;
            let name = std::env::temp_dir().join(format!("mutation-{turn}.pdf"));
            let _ = std::fs::write(&name, kept);
            println!("{kind}: {outcome} after {time:?}, kept as {}", name.display());
        }
        *outcomes.entry(outcome).or_default() += 1;
    }
    println!("{count} mutations, slowest {slowest:?}");
    for (outcome, count) in outcomes {
        println!("{count:7}  {outcome}");
    }
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
