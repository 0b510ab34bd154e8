//! The table of operations, row by row.

use quartet_eval::closed::Measured;
use quartet_eval::times::milliseconds;

/// Prints what the columns are.
pub fn head() {
    println!(
        "Times in ms until the last byte. A client asks again when it is answered, after a refusal (429, 503) a tenth of a second later. `light` is `GET /tts/voices` by another client meanwhile.\n"
    );
    println!("| operation | clients | answers/s | p50 | p95 | p99 | refused | p95 | failed | light p50 | light p95 |");
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
}

/// Prints one measurement.
pub fn row(operation: &str, clients: u16, measured: &Measured) {
    let (asked, light) = (&measured.asked, &measured.light);
    println!(
        "| {operation} | {clients} | {:.2} | {} | {} | {} | {} | {} | {} | {} | {} |",
        asked.answers.count() as f64 / measured.seconds,
        milliseconds(asked.answers.quantile(0.5)),
        milliseconds(asked.answers.quantile(0.95)),
        milliseconds(asked.answers.quantile(0.99)),
        asked.refusals.count(),
        milliseconds(asked.refusals.quantile(0.95)),
        asked.failed,
        milliseconds(light.answers.quantile(0.5)),
        milliseconds(light.answers.quantile(0.95)),
    );
}
