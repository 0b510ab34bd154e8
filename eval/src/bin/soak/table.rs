//! The table of all operations.

use quartet_eval::times::milliseconds;

use crate::ledger::Ledger;

/// Prints it as Markdown.
pub fn print(ledger: &Ledger) {
    println!("Times in ms, until the last byte; refusals (429) have their own.\n");
    println!("| operation | answers | p50 | p95 | p99 | longest | refused | p95 | left | cut | statuses |");
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    ledger.with_operations(|operations| {
        for (name, operation) in operations {
            let statuses: Vec<_> = operation
                .statuses
                .iter()
                .map(|(status, count)| format!("{status}: {count}"))
                .collect();
            println!(
                "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                operation.times.count(),
                milliseconds(operation.times.quantile(0.5)),
                milliseconds(operation.times.quantile(0.95)),
                milliseconds(operation.times.quantile(0.99)),
                milliseconds(operation.times.longest()),
                operation.refusals.count(),
                milliseconds(operation.refusals.quantile(0.95)),
                operation.left,
                operation.cut,
                statuses.join(", ")
            );
        }
    });
    println!();
}
