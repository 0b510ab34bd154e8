//! A look at the machine and the settings before, or while, the service runs: what is wrong, and what would be better.
//!
//! Each module looks at one part and adds [`Finding`]s; nothing is changed but the cache of compiled code.

mod components;
mod folders;
mod machine;
mod models;
mod ports;
mod report;
mod workbench;

use crate::config::Config;
use crate::config::sources::Values;

pub use self::report::{Finding, Level, Report};
pub use self::workbench::Workbench;

/// How far the look goes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Depth {
    /// Ask every component its built-in requests.
    pub probe: bool,
    /// Compare models by size only, which is done in no time.
    pub quick: bool,
}

/// Looks at everything.
pub fn examine(config: &Config, values: &Values, depth: Depth) -> Report {
    let mut report = Report::default();
    machine::examine(config, values, &mut report);
    folders::examine(config, &mut report);
    ports::examine(config, &mut report);
    models::examine(config, depth, &mut report);
    components::examine(config, depth, &mut report);
    report
}

/// Bytes for a person.
fn human(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
