//! The paths of jobs, and the answer that begins one.

use schemars::Schema;
use schemars::generate::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::{failures, headers};
use crate::Code;
use crate::jobs::{Job, MAX_WAIT_SECONDS, PATH, PREFER_HEADER, RESPOND_ASYNC};

/// Adds the paths, and to each operation with a body that it may be asked for as a job.
pub fn add(paths: &mut Map<String, Value>, results: &mut SchemaGenerator, failure: &Schema) {
    let job = json!({"application/json": {"schema": {
        "type": "object",
        "properties": {"success": {"type": "boolean", "const": true}, "data": results.subschema_for::<Job>()},
        "required": ["success", "data"],
    }}});
    for methods in paths.values_mut().filter_map(Value::as_object_mut) {
        for operation in methods
            .values_mut()
            .filter(|operation| operation.get("requestBody").is_some())
        {
            if let Some(parameters) = operation["parameters"].as_array_mut() {
                parameters.push(json!({"$ref": "#/components/parameters/prefer"}));
            }
            operation["responses"]["202"] = json!({
                "description": "The job that was begun",
                "headers": headers::of(headers::ALWAYS.iter().chain(headers::JOB)),
                "content": job,
                "links": links(),
            });
        }
    }
    let described = |id: &str, summary: &str, content: &Value, own: &[Code]| {
        let answer = json!({"description": summary, "headers": headers::of(headers::ALWAYS), "content": content});
        let mut answers = Map::from_iter([("200".to_owned(), answer)]);
        failures::add(&mut answers, failures::HOST.iter().chain(own), failure);
        json!({"operationId": id, "summary": summary, "tags": ["jobs"], "responses": answers})
    };
    let mut look = described(LOOK, "A job: its state and how far it is", &job, &[Code::InvalidField]);
    look["parameters"] = json!([{
        "name": "wait", "in": "query", "description": "Seconds to wait for the job's end",
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_WAIT_SECONDS, "default": 0},
    }]);
    let cancel = described(CANCEL, "Takes a job back, or forgets it with its answer", &job, &[]);
    let any = json!({
        "application/json": {"schema": {"type": "object"}},
        "audio/wav": {"schema": {"type": "string", "format": "binary"}},
    });
    let all: Vec<Code> = failures::all().copied().collect();
    let result = described(
        RESULT,
        "The answer of a job's operation, or its failure with its status",
        &any,
        &all,
    );
    let text = "Events `progress` with the job each, then `done`";
    let events = json!({"text/event-stream": {"schema": {"type": "string", "description": text}}});
    let events = described(EVENTS, "The changes of a job", &events, &[]);
    let parameters = json!([
        {"name": "id", "in": "path", "required": true, "description": "The job's `jobId`", "schema": {"type": "string"}},
        {"$ref": "#/components/parameters/session"},
    ]);
    paths.insert(
        format!("{PATH}/{{id}}"),
        json!({"parameters": parameters, "get": look, "delete": cancel}),
    );
    paths.insert(
        format!("{PATH}/{{id}}/result"),
        json!({"parameters": parameters, "get": result}),
    );
    paths.insert(
        format!("{PATH}/{{id}}/events"),
        json!({"parameters": parameters, "get": events}),
    );
}

const LOOK: &str = "getJob";
const CANCEL: &str = "cancelJob";
const RESULT: &str = "getJobResult";
const EVENTS: &str = "watchJob";

/// The questions that a job which was begun can be asked.
fn links() -> Value {
    let link = |id: &str| {
        let link = json!({"operationId": id, "parameters": {"id": "$response.body#/data/jobId"}});
        (id.to_owned(), link)
    };
    Value::Object([LOOK, RESULT, EVENTS, CANCEL].map(link).into_iter().collect())
}

/// The header by which a client asks for a job.
pub fn parameter() -> Value {
    json!({
        "name": PREFER_HEADER,
        "in": "header",
        "description": format!("With `{RESPOND_ASYNC}` the request becomes a job, and its answer is the job's address. Other \
            preferences are passed over."),
        // Without an example: viewers would send it unasked.
        "schema": {"type": "string"},
    })
}
