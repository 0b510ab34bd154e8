//! Exit codes, the same for every command.

use std::process::ExitCode;

/// Success. For every other code the reason stands on standard error.
pub const DONE: ExitCode = ExitCode::SUCCESS;

/// The service refused or failed, or what was checked is not in order.
pub const FAILED: ExitCode = ExitCode::FAILURE;

/// A wrong use: an unknown flag, a setting that cannot be used.
pub const WRONG_USE: u8 = 2;

/// The service cannot be reached, or went away in the middle.
pub const UNREACHABLE: u8 = 3;
