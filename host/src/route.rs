//! Where a path leads: to the host's own pages or to a component.

use quartet_api::operations::{self, Found, Method, Operation};

/// What answers a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// The process is alive.
    Health,
    /// The service can answer.
    Ready,
    /// A component answers.
    Operation(&'static Operation),
    /// The path is there, for this method only.
    OtherMethod(Method),
    /// Nothing has this path.
    Nothing,
}

/// Finds what answers.
pub fn find(method: &http::Method, path: &str) -> Route {
    let own = match path {
        "/healthz" => Some(Route::Health),
        "/readyz" => Some(Route::Ready),
        _ => None,
    };
    match own {
        Some(route) if method == http::Method::GET => route,
        Some(_) => Route::OtherMethod(Method::Get),
        None => match operations::find(method.as_str(), path) {
            Found::Operation(operation) => Route::Operation(operation),
            Found::OtherMethod(method) => Route::OtherMethod(method),
            Found::Nothing => Route::Nothing,
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
}
