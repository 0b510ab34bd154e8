//! From a request to the operation that answers it.

use quartet_api::Code;
use quartet_api::operations::Operation;

use crate::failure::{Failure, quoted};
use crate::request::Request;
use crate::response::Response;

/// An operation and what answers it.
pub struct Route {
    /// Path and method.
    pub operation: &'static Operation,
    /// The answer.
    pub handler: fn(&mut Request) -> Result<Response, Failure>,
}

/// Answers a request from a table of routes.
pub fn answer(routes: &[Route], request: &mut Request) -> Response {
    let result = match find(routes, &request.method, &request.path) {
        Ok(route) => (route.handler)(request),
        Err(failure) => Err(failure),
    };
    result.unwrap_or_else(|failure| failure.into_response(request.id()))
}

fn find<'a>(routes: &'a [Route], method: &str, path: &str) -> Result<&'a Route, Failure> {
    let route = routes
        .iter()
        .find(|route| route.operation.path == path)
        .ok_or_else(|| Failure::new(Code::NotFound, format!("no operation has the path {}", quoted(path))))?;
    let allowed = route.operation.method.name();
    if allowed != method {
        let mut failure = Failure::new(
            Code::MethodNotAllowed,
            format!("{path} takes the method {allowed} only"),
        );
        failure.allow = Some(allowed);
        return Err(failure);
    }
    Ok(route)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::Body;
    use quartet_api::operations::TTS_LANGUAGES;

    const ROUTES: &[Route] = &[Route {
        operation: &TTS_LANGUAGES,
        handler: |_| Ok(Response::success(&"yes")),
    }];

    fn ask(method: &str, path: &str) -> (u16, String) {
        let mut request = Request {
            method: method.into(),
            path: path.into(),
            secure: false,
            headers: vec![("x-request-id".into(), b"abc".to_vec())],
            body: Box::new(std::io::empty()),
        };
        let response = answer(ROUTES, &mut request);
        let Body::Whole(bytes) = response.body else {
            panic!("streamed")
        };
        (response.status, String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn finds_the_route_or_says_what_is_wrong() {
        assert_eq!(
            ask("GET", TTS_LANGUAGES.path),
            (200, r#"{"success":true,"data":"yes"}"#.to_owned())
        );
        let (status, body) = ask("POST", TTS_LANGUAGES.path);
        assert_eq!(status, 405);
        assert!(
            body.contains("GET only") && body.contains(r#""requestId":"abc""#),
            "{body}"
        );
        let (status, body) = ask("GET", "/api/v1/tts/other");
        assert_eq!(status, 404);
        assert!(body.contains("not_found"), "{body}");
    }
}
