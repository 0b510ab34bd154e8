//! The tools that compute, ask the language model and search the web: one operation, asked in three ways.

use quartet_api::chat::{ChatAnswer, ChatRequest, ChatToken};
use quartet_api::operations::{CHAT, EVENT_STREAM};
use quartet_api::tools::{ChatArguments, ComputeArguments, SearchArguments};
use quartet_api::{Code, FailureBody, Success};
use serde_json::Value;

use super::progress::{self, Telling};
use super::result::{Outcome, ToolResult};
use crate::failure::Failure;
use crate::http::doors::events::{Event, Events};
use crate::http::doors::reply::{self, Names};
use crate::http::doors::translate::{self, Translate};
use crate::http::doors::visit::{Call, Visit};

/// Characters of an answer between two notifications of progress.
const PROGRESS_CHARACTERS: f64 = 80.0;

/// The field of the operation that has another name in two of the tools.
const NAMES: Names = &[("message", "question")];

/// Computes.
///
/// # Errors
/// When the question is none that can be computed.
pub async fn compute(asked: ComputeArguments, visit: &mut Visit<'_>) -> Result<Outcome, Failure> {
    // What cannot be computed would be answered by the language model, at length.
    let call = Call::json(&CHAT, &request(asked.question, false, None, Some(1)));
    let response = visit.call(call).await?;
    let other = || {
        let problem = "is nothing that can be computed; what can be are formulas, percentages, conversions of units, days \
                       and dates";
        Failure::field("question", problem)
    };
    let answer: Value = match reply::take(response, NAMES).await {
        Err(failure) if failure.code == Code::Unavailable => return Err(other()),
        answer => answer?,
    };
    match answer.get("computation") {
        Some(computation) if !computation.is_null() => Ok(Outcome::Done(result(&answer))),
        _ => Err(other()),
    }
}

/// Asks the language model.
///
/// # Errors
/// When there is no answer.
pub async fn chat(asked: ChatArguments, telling: Telling, visit: &mut Visit<'_>) -> Result<Outcome, Failure> {
    let request = request(asked.message, false, asked.instructions, asked.max_tokens);
    answer(request, &[("maxTokens", "maxTokens")], telling, visit).await
}

/// Searches the web.
///
/// # Errors
/// When there is no answer.
pub async fn search(asked: SearchArguments, telling: Telling, visit: &mut Visit<'_>) -> Result<Outcome, Failure> {
    answer(request(asked.question, true, None, None), NAMES, telling, visit).await
}

fn request(message: String, search: bool, instructions: Option<String>, max_tokens: Option<u32>) -> ChatRequest {
    ChatRequest {
        message,
        use_search: Some(search),
        // With a history, even an empty one, nothing is remembered.
        messages: Some(Vec::new()),
        instructions,
        max_tokens,
        ..ChatRequest::default()
    }
}

async fn answer(
    request: ChatRequest,
    names: Names,
    telling: Telling,
    visit: &mut Visit<'_>,
) -> Result<Outcome, Failure> {
    let mut call = Call::json(&CHAT, &request);
    if !telling.streams() {
        let answer: Value = reply::take(visit.call(call).await?, names).await?;
        return Ok(Outcome::Done(result(&answer)));
    }
    call.accept = EVENT_STREAM;
    let response = visit.call(call).await?;
    if !response.status().is_success() {
        let answer: Value = reply::take(response, names).await?;
        return Ok(Outcome::Done(result(&answer)));
    }
    let writing = Writing {
        telling,
        events: Events::default(),
        written: 0,
        ended: false,
    };
    let id = visit.id().to_owned();
    let body = translate::inline(response.into_body(), writing, &id);
    Ok(Outcome::Streamed(progress::response(true, body)))
}

/// The answer in words, with its sources; an error where a search was asked for and there was none.
fn result(answer: &Value) -> ToolResult {
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let mut words = text(answer, "answer");
    let sources = answer["sources"].as_array().map_or(&[][..], Vec::as_slice);
    for (index, source) in sources.iter().enumerate() {
        words += if index == 0 { "\n\n" } else { "\n" };
        words += &format!(
            "[{}] {} {}",
            source["number"],
            text(source, "title"),
            text(source, "url")
        );
    }
    let searched = answer["search"]["status"].as_str().unwrap_or_default();
    let failed = ["off", "unreachable", "refused"].contains(&searched);
    if failed && let Some(problem) = answer["search"]["problem"].as_str() {
        words += &format!("\n\n{problem}");
    }
    ToolResult {
        is_error: failed,
        ..ToolResult::new(words, answer.clone())
    }
}

/// An answer that is being written.
struct Writing {
    telling: Telling,
    events: Events,
    /// Characters so far.
    written: usize,
    ended: bool,
}

impl Writing {
    fn take(&mut self, Event { name, data }: &Event, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        match name.as_str() {
            "token" => {
                let token: ChatToken = serde_json::from_str(data)?;
                self.written += token.text.chars().count();
                let message = format!("{} characters written", self.written);
                self.telling
                    .progress(self.written as f64, PROGRESS_CHARACTERS, None, &message, out);
            }
            "done" => {
                let Success { data: answer, .. } = serde_json::from_str::<Success<Value>>(data)?;
                // The type is what the schema of the result was made of.
                serde_json::from_value::<ChatAnswer>(answer.clone())?;
                self.telling.end(result(&answer), out);
                self.ended = true;
            }
            "error" => {
                let failure: FailureBody = serde_json::from_str(data)?;
                self.telling.end(ToolResult::failure(&failure.error), out);
                self.ended = true;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Translate for Writing {
    fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        for event in self.events.push(piece)? {
            let taken = self.take(&event, out);
            taken.map_err(|error| format!("an event is not the contract's: {error}"))?;
        }
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<u8>) -> Result<(), String> {
        match self.ended {
            true => Ok(()),
            false => Err("the answer's events have no end".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::message::{Reply, Revision};
    use super::*;

    const DONE: &str = concat!(
        r#"{"success":true,"data":{"answer":"One [1].","mode":"general","useSearch":true,"model":null,"origin":"sources","#,
        r#""sources":[{"number":1,"title":"A","url":"https://a.example/","quote":"x"}],"usage":{"promptTokens":0,"#,
        r#""cachedTokens":0,"answerTokens":0,"totalTokens":0},"search":{"status":"answered","pages":1},"#,
        r#""language":"en","conversationId":null,"notes":[]}}"#
    );

    fn translate(text: &str) -> Result<Vec<Value>, String> {
        let mut writing = Writing {
            telling: Telling::new(Reply::new(json!(1), Revision::Stateless), Some(json!(7))),
            events: Events::default(),
            written: 0,
            ended: false,
        };
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(11) {
            writing.push(piece, &mut out)?;
        }
        writing.end(&mut out)?;
        let text = String::from_utf8(out).unwrap();
        let events = text.split_terminator("\n\n");
        Ok(events
            .map(|event| serde_json::from_str(event.strip_prefix("data: ").unwrap()).unwrap())
            .collect())
    }

    #[test]
    fn progress_comes_before_the_answer_and_sources_with_it() {
        let token = format!("event: token\ndata: {{\"text\":\"{}\"}}\n\n", "x".repeat(50));
        let events = translate(&format!("{token}{token}{token}event: done\ndata: {DONE}\n\n")).unwrap();
        let [progress, answer] = &events[..] else {
            panic!("{events:?}")
        };
        assert_eq!(
            (&progress["params"]["progress"], &progress["params"]["progressToken"]),
            (&json!(100.0), &json!(7))
        );
        let result = &answer["result"];
        assert_eq!(result["content"][0]["text"], "One [1].\n\n[1] A https://a.example/");
        assert_eq!(
            (&result["isError"], &result["resultType"]),
            (&json!(false), &json!("complete"))
        );
        assert_eq!(result["structuredContent"]["origin"], "sources");
    }

    #[test]
    fn failures_are_results_and_half_an_answer_is_none() {
        let events =
            translate("event: error\ndata: {\"success\":false,\"error\":\"no model\",\"code\":\"unavailable\"}\n\n")
                .unwrap();
        assert_eq!(events[0]["result"]["isError"], true);
        assert_eq!(events[0]["result"]["content"][0]["text"], "no model");
        assert!(translate("event: token\ndata: {\"text\":\"One\"}\n\n").is_err());
        let off = json!({"answer": "The search is off.", "search": {"status": "off", "pages": 0}});
        assert!(result(&off).is_error);
    }
}
