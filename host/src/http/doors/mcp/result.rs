//! Results of tools.

use http::Response;
use serde_json::{Value, json};

use crate::body::ResponseBody;
use crate::failure::Failure;

/// The result of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// Content for the model: texts, audio.
    pub content: Vec<Value>,
    /// The same as data, of the tool's schema.
    pub structured: Option<Value>,
    /// True if the call failed. Then the content says why, and the model may try something else.
    pub is_error: bool,
}

/// The outcome of a call that did not fail before it began.
pub enum Outcome {
    /// A result.
    Done(ToolResult),
    /// A response that is still being made: progress, then the result.
    Streamed(Response<ResponseBody>),
}

/// A failure that a model is told of in a result, which is a success in HTTP: the log and the metrics have it as the
/// failure that it is.
#[derive(Debug, Clone)]
pub struct ToolFailure(pub Failure);

impl ToolResult {
    /// A result in words and as data.
    pub fn new(text: impl Into<String>, structured: Value) -> Self {
        Self {
            content: vec![text_content(text.into())],
            structured: Some(structured),
            is_error: false,
        }
    }

    /// The result of a call that failed.
    pub fn failure(sentence: &str) -> Self {
        Self {
            content: vec![text_content(sentence.to_owned())],
            structured: None,
            is_error: true,
        }
    }

    /// The result as `tools/call` has it.
    pub fn into_value(self) -> Value {
        let mut result = json!({ "content": self.content, "isError": self.is_error });
        if let Some(structured) = self.structured {
            result["structuredContent"] = structured;
        }
        result
    }
}

/// Content of text.
pub fn text_content(text: String) -> Value {
    json!({ "type": "text", "text": text })
}

impl From<&Failure> for ToolResult {
    fn from(failure: &Failure) -> Self {
        let message = &failure.message;
        Self::failure(&match failure.retry_after {
            Some(seconds) if !message.contains("try again") => format!("{message}; try again in {seconds} seconds"),
            _ => message.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use quartet_api::Code;

    use super::*;

    #[test]
    fn a_failure_is_a_result_that_says_why() {
        let failure = Failure::new(Code::Busy, "the service is full").retry_after(3);
        assert_eq!(
            ToolResult::from(&failure).into_value(),
            json!({
                "content": [{"type": "text", "text": "the service is full; try again in 3 seconds"}],
                "isError": true,
            })
        );
        let result = ToolResult::new("Four.", json!({"number": 4})).into_value();
        assert_eq!(
            (&result["isError"], &result["structuredContent"]["number"]),
            (&json!(false), &json!(4))
        );
    }
}
