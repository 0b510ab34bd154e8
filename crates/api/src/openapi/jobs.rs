//! The paths of jobs, and the answer that begins one.

use schemars::Schema;
use schemars::generate::SchemaGenerator;
use serde_json::{Map, Value, json};

use crate::jobs::{Job, MAX_WAIT_SECONDS, PATH, PREFER_HEADER, RESPOND_ASYNC};

/// Adds the paths, and to each operation with a body that it may be asked for as a job.
pub fn add(paths: &mut Map<String, Value>, results: &mut SchemaGenerator, failure: &Schema) {
    let job = json!({"application/json": {"schema": {
        "type": "object",
        "properties": {"success": {"const": true}, "data": results.subschema_for::<Job>()},
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
                "headers": {"Location": {"description": "Its address", "schema": {"type": "string"}}},
                "content": job,
            });
        }
    }
    let failed = |words: &str| json!({"description": words, "content": {"application/json": {"schema": failure}}});
    let id = json!([{
        "name": "id", "in": "path", "required": true, "description": "The job's `jobId`", "schema": {"type": "string"},
    }]);
    let described = |id: &str, summary: &str, content: &Value| {
        json!({
            "operationId": id,
            "summary": summary,
            "tags": ["jobs"],
            "responses": {
                "200": {"description": summary, "content": content},
                "401": failed("`unauthorized`"),
                "404": failed("`not_found`"),
                "429": failed("`busy`, `rate_limited`"),
            },
        })
    };
    let mut look = described("getJob", "A job: its state and how far it is", &job);
    look["parameters"] = json!([{
        "name": "wait", "in": "query", "description": "Seconds to wait for the job's end",
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_WAIT_SECONDS, "default": 0},
    }]);
    look["responses"]["400"] = failed("`invalid_field`");
    let cancel = described("cancelJob", "Takes a job back, or forgets it with its answer", &job);
    let any = json!({
        "application/json": {"schema": {"type": "object"}},
        "audio/wav": {"schema": {"type": "string", "format": "binary"}},
    });
    let mut result = described(
        "getJobResult",
        "The answer of a job's operation, or its failure with its status",
        &any,
    );
    result["responses"]["409"] = failed("`conflict`");
    let text = "Events `progress` with the job each, then `done`";
    let events = json!({"text/event-stream": {"schema": {"type": "string", "description": text}}});
    let events = described("watchJob", "The changes of a job", &events);
    paths.insert(
        format!("{PATH}/{{id}}"),
        json!({"parameters": id, "get": look, "delete": cancel}),
    );
    paths.insert(
        format!("{PATH}/{{id}}/result"),
        json!({"parameters": id, "get": result}),
    );
    paths.insert(
        format!("{PATH}/{{id}}/events"),
        json!({"parameters": id, "get": events}),
    );
}

/// The header by which a client asks for a job.
pub fn parameter() -> Value {
    json!({
        "name": PREFER_HEADER,
        "in": "header",
        "description": "With `respond-async` the request becomes a job, and its answer is the job's address.",
        "schema": {"type": "string", "enum": [RESPOND_ASYNC]},
    })
}
