//! Routes requests: to the host's own pages or to a component.

use quartet_api::operations::{self, Found, Method, Operation};

use crate::custom_capabilities;
use crate::own_pages;

/// The page or operation that answers a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// The process is alive.
    Health,
    /// The service can answer.
    Ready,
    /// The metrics.
    Metrics,
    /// A component answers.
    Operation(&'static Operation),
    /// The path exists, for this method only.
    OtherMethod(Method),
    /// No page has this path.
    Nothing,
}

/// The name of the page at a path, whatever the method: an operation such as `tts/stream`, a capability that was added,
/// a page of the host's own, or `none`.
pub fn name(path: &str) -> &'static str {
    if path.starts_with(quartet_api::BASE_PATH) {
        let operation = operations::OPERATIONS.iter().find(|operation| operation.path == path);
        let added = || custom_capabilities::at(path).map_or(own_pages::NOTHING, |added| added.name);
        return operation.map_or_else(added, |operation| &operation.path[quartet_api::BASE_PATH.len() + 1..]);
    }
    let own = path.strip_prefix('/').unwrap_or(path);
    own_pages::NAMES
        .iter()
        .copied()
        .find(|name| *name == own)
        .unwrap_or(own_pages::NOTHING)
}

/// Every name, `none` first.
pub fn names() -> impl Iterator<Item = &'static str> {
    let operations = operations::OPERATIONS.iter().map(|operation| name(operation.path));
    let added = custom_capabilities::all().iter().map(|added| added.name);
    [own_pages::NOTHING]
        .into_iter()
        .chain(own_pages::NAMES.iter().copied())
        .chain(operations)
        .chain(added)
}

/// Finds the page or operation.
pub fn find(method: &http::Method, path: &str) -> Route {
    let own = match path {
        "/healthz" => Some(Route::Health),
        "/readyz" => Some(Route::Ready),
        "/metrics" => Some(Route::Metrics),
        _ => None,
    };
    match own {
        Some(route) if method == http::Method::GET => route,
        Some(_) => Route::OtherMethod(Method::Get),
        None => match operations::find(method.as_str(), path) {
            Found::Operation(operation) => Route::Operation(operation),
            Found::OtherMethod(method) => Route::OtherMethod(method),
            Found::Nothing => {
                custom_capabilities::at(path).map_or(Route::Nothing, |added| Route::Operation(added.operation))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_own_pages_operations_and_nothing() {
        assert_eq!(find(&http::Method::GET, "/healthz"), Route::Health);
        assert_eq!(find(&http::Method::POST, "/readyz"), Route::OtherMethod(Method::Get));
        assert_eq!(
            find(&http::Method::GET, "/api/v1/tts/info"),
            Route::Operation(&operations::TTS_INFO)
        );
        assert_eq!(
            find(&http::Method::PUT, "/api/v1/tts/stream"),
            Route::OtherMethod(Method::Post)
        );
        assert_eq!(find(&http::Method::GET, "/api/v1/tts"), Route::Nothing);
    }

    #[test]
    fn everything_with_a_path_has_a_name() {
        assert_eq!(name("/api/v1/tts/stream"), "tts/stream");
        assert_eq!(name("/readyz"), "readyz");
        for nothing in [
            "/",
            "",
            "/api/v1",
            "/api/v1/",
            "/api/v1/tts",
            "/tts/stream",
            "metrics2",
            "/healthz/",
        ] {
            assert_eq!(name(nothing), "none", "{nothing}");
        }
    }
}
