//! The check of an answer against what a step of a probe expects. Errors are reasons for the operator.

use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use quartet_api::FailureBody;
use serde_json::Value;

use super::{contract, sound};
use crate::capabilities::probe::{Check, Expected, Status};

/// Characters of an answer or a value that a reason has at most.
const QUOTED_CHARACTERS: usize = 200;

/// Checks the whole answer of what has this path.
pub(super) fn check(
    expected: &Expected,
    path: &str,
    status: StatusCode,
    headers: &HeaderMap,
    bytes: &[u8],
) -> Result<(), String> {
    check_status(expected.status, status, bytes)?;
    if let Some(media_type) = &expected.content_type {
        let is = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let bare = is.and_then(|value| value.split(';').next()).map(str::trim);
        if !bare.is_some_and(|bare| bare.eq_ignore_ascii_case(media_type)) {
            let is = is.unwrap_or("missing");
            return Err(format!("its content type is {is} and not {media_type}"));
        }
    }
    if status == StatusCode::OK {
        contract::check(path, bytes)?;
    }
    if !expected.answer.is_empty() {
        let json: Value = serde_json::from_slice(bytes).map_err(|error| format!("the answer is no JSON: {error}"))?;
        expected.answer.iter().try_for_each(|check| holds(check, &json))?;
    }
    expected
        .audio
        .as_ref()
        .map_or(Ok(()), |audio| sound::check(audio, bytes))
}

fn check_status(expected: Status, status: StatusCode, bytes: &[u8]) -> Result<(), String> {
    match expected {
        Status::NoServerError if status < StatusCode::INTERNAL_SERVER_ERROR => Ok(()),
        Status::NoServerError => Err(format!("it answered with the status {status}")),
        Status::Is(expected) if status == expected => Ok(()),
        Status::Is(_) => Err(format!(
            "it answered with the status {status}: {}",
            beginning(&String::from_utf8_lossy(bytes))
        )),
        Status::Failure(code) => {
            let body: Option<FailureBody> = serde_json::from_slice(bytes).ok();
            match body {
                Some(body) if body.code == code.word() && status == code.status() => Ok(()),
                _ => Err(format!("it answered with the status {status} and not with {code}")),
            }
        }
    }
}

fn holds(check: &Check, answer: &Value) -> Result<(), String> {
    let at = &check.at;
    let value = answer.pointer(at).ok_or_else(|| format!("`{at}` is missing"))?;
    let is_not = |expected: String| {
        let value = beginning(&value.to_string());
        Err(format!("`{at}` is {value} and not {}", beginning(&expected)))
    };
    if let Some(expected) = &check.is
        && !includes(value, expected)
    {
        return is_not(expected.to_string());
    }
    let text = value.as_str().unwrap_or_default();
    if let Some(expected) = &check.trimmed
        && text.trim() != expected
    {
        return is_not(format!("{expected:?}"));
    }
    if let Some(expected) = &check.contains
        && !text.contains(expected)
    {
        return is_not(format!("with {expected:?} in it"));
    }
    if let Some(expected) = &check.ends_with
        && !text.ends_with(expected)
    {
        return is_not(format!("with {expected:?} at its end"));
    }
    if let Some(expected) = check.length
        && value.as_array().map(Vec::len) != Some(expected)
    {
        return is_not(format!("an array of {expected}"));
    }
    Ok(())
}

/// Returns true if a value is what is expected. Objects may have members beside those.
fn includes(value: &Value, expected: &Value) -> bool {
    match (value, expected) {
        (Value::Object(members), Value::Object(expected)) => expected
            .iter()
            .all(|(name, expected)| members.get(name).is_some_and(|value| includes(value, expected))),
        (Value::Array(elements), Value::Array(expected)) => {
            elements.len() == expected.len()
                && elements
                    .iter()
                    .zip(expected)
                    .all(|(value, expected)| includes(value, expected))
        }
        (Value::Number(value), Value::Number(expected)) => value == expected || value.as_f64() == expected.as_f64(),
        _ => value == expected,
    }
}

fn beginning(text: &str) -> String {
    text.chars().take(QUOTED_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capabilities::Capabilities;
    use quartet_api::Code;
    use quartet_api::chat::Mode;
    use quartet_api::tts::{LanguageList, SAMPLE_RATE, WAV};
    use serde_json::json;

    fn expected(status: Status, answer: &str) -> Expected {
        #[derive(serde::Deserialize)]
        struct Checks {
            answer: Vec<Check>,
        }
        let checks: Checks = toml::from_str(&format!("answer = [{answer}]")).unwrap();
        Expected {
            status,
            content_type: None,
            answer: checks.answer,
            audio: None,
        }
    }

    fn said(expected: &Expected, path: &str, status: u16, body: &str) -> Result<(), String> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, "application/json; charset=utf-8".parse().unwrap());
        let status = StatusCode::from_u16(status).unwrap();
        check(expected, path, status, &headers, body.as_bytes())
    }

    #[test]
    fn an_answer_is_what_is_expected_or_the_reason_says_what_it_is() {
        let body = json!({"data": {"text": " OPEN\n", "pages": [1], "size": {"width": 2, "height": 3}}}).to_string();
        for (checks, reason) in [
            (r#"{ at = "/data/text", trimmed = "OPEN" }"#, None),
            (r#"{ at = "/data/size", is = { width = 2.0 } }"#, None),
            (
                r#"{ at = "/data/text", contains = "PE" }, { at = "/data/pages", length = 1 }"#,
                None,
            ),
            (
                r#"{ at = "/data/text", is = "OPEN" }"#,
                Some(r#"`/data/text` is " OPEN\n" and not "OPEN""#),
            ),
            (r#"{ at = "/data/text", ends_with = "N" }"#, Some("at its end")),
            (r#"{ at = "/data/text", contains = "x" }"#, Some("in it")),
            (
                r#"{ at = "/data/pages", length = 2 }"#,
                Some("`/data/pages` is [1] and not an array of 2"),
            ),
            (r#"{ at = "/data/pages", is = [1, 1] }"#, Some("and not [1,1]")),
            (r#"{ at = "/data/word", is = 1 }"#, Some("`/data/word` is missing")),
        ] {
            let result = said(
                &expected(Status::Is(StatusCode::OK), checks),
                "/api/v1/words",
                200,
                &body,
            );
            assert_eq!(result.is_ok(), reason.is_none(), "{checks}: {result:?}");
            if let (Err(said), Some(reason)) = (result, reason) {
                assert!(said.contains(reason), "{said}");
            }
        }
    }

    #[test]
    fn statuses_failures_and_media_types_are_looked_at() {
        let ok = Status::Is(StatusCode::OK);
        assert_eq!(said(&expected(Status::NoServerError, ""), "/", 404, ""), Ok(()));
        assert!(said(&expected(Status::NoServerError, ""), "/", 503, "").is_err());
        assert!(
            said(&expected(ok, ""), "/", 404, "gone")
                .unwrap_err()
                .contains("404 Not Found: gone")
        );
        let failure = json!({"success": false, "error": "no", "code": "missing_field"}).to_string();
        let missing = expected(Status::Failure(Code::MissingField), "");
        assert_eq!(said(&missing, "/", 400, &failure), Ok(()));
        assert!(
            said(&missing, "/", 404, &failure)
                .unwrap_err()
                .contains("missing_field")
        );
        let typed = |media_type: &str| Expected {
            content_type: Some(media_type.to_owned()),
            ..expected(ok, "")
        };
        assert_eq!(said(&typed("application/json"), "/", 200, ""), Ok(()));
        assert!(
            said(&typed("audio/wav"), "/", 200, "")
                .unwrap_err()
                .contains("content type")
        );
    }

    #[test]
    fn answers_of_the_contract_have_its_form() {
        let ok = expected(Status::Is(StatusCode::OK), "");
        let path = quartet_api::operations::TTS_LANGUAGES.path;
        let body = |success| json!({"success": success, "data": LanguageList::all()}).to_string();
        assert_eq!(said(&ok, path, 200, &body(true)), Ok(()));
        assert!(said(&ok, path, 200, &body(false)).unwrap_err().contains("`success`"));
        assert!(said(&ok, path, 200, "{}").unwrap_err().contains("not the contract's"));
    }

    #[test]
    fn the_probes_of_the_program_expect_what_the_contract_says() {
        let all = Capabilities::embedded().unwrap();
        let step = |name: &str, path: &str| {
            let probe = &all.get(name).unwrap().probe;
            probe.iter().find(|step| step.path == path).unwrap().expected.clone()
        };
        let languages = json!({"success": true, "data": LanguageList::all()});
        let path = quartet_api::operations::TTS_LANGUAGES.path;
        assert_eq!(
            said(&step("tts", "/languages"), path, 200, &languages.to_string()),
            Ok(())
        );
        let mut fewer = LanguageList::all();
        fewer.languages.pop();
        let fewer = json!({"success": true, "data": fewer}).to_string();
        assert!(said(&step("tts", "/languages"), path, 200, &fewer).is_err());
        let speech = step("tts", "/generate");
        assert_eq!(speech.audio.unwrap().sample_rate, SAMPLE_RATE);
        assert!(speech.answer.iter().any(|check| check.is == Some(WAV.into())));
        let info = step("chat", "/info");
        assert_eq!(info.answer[0].is, Some(Mode::default().name().into()));
    }
}
