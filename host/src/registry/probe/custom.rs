//! What a version of a component must answer whose capability was added: what its settings say, else anything.

use http::StatusCode;
use quartet_api::operations::Operation;

use super::Probe;
use crate::custom_capabilities;

/// Asks for the path that the settings name, which must be a success; without one for the capability's own, where every
/// answer will do that tells of no failure inside: nobody here knows what it takes.
pub(super) async fn run(probe: &Probe<'_>, name: &str) -> Result<(), String> {
    let Some(added) = custom_capabilities::of(name) else {
        return Err(format!("there is no capability {name}"));
    };
    let (path, must_succeed) = added.probe;
    let operation = Operation {
        path,
        ..*added.operation
    };
    if must_succeed {
        return probe.ask(&operation, None).await.map(|_| ());
    }
    match probe.send(&operation, None).await? {
        (status, _) if status >= StatusCode::INTERNAL_SERVER_ERROR => {
            Err(format!("{path}: it answered with the status {status}"))
        }
        _ => Ok(()),
    }
}
