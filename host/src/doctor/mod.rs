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

pub use self::report::{Depth, Finding, Level, Report};
pub use self::workbench::Workbench;

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
