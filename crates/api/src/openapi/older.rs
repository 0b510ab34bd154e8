//! The document in the form of OpenAPI 3.0, for generators of clients that do not read 3.1.
//!
//! The differences are those of its [schema objects](https://spec.openapis.org/oas/v3.0.3.html#schema-object): one `type` with
//! `nullable` instead of a list with `null`, `enum` for `const`, and nothing beside a `$ref`. Nothing is lost by them here.

use serde_json::{Map, Value, json};

/// Keys whose objects have names for keys, and not words of the specification.
const NAMED: [&str; 12] = [
    "callbacks",
    "content",
    "encoding",
    "examples",
    "headers",
    "links",
    "parameters",
    "paths",
    "properties",
    "responses",
    "schemas",
    "securitySchemes",
];

/// Keys whose values are data.
const DATA: [&str; 4] = ["default", "enum", "example", "value"];

/// The same document in the form of OpenAPI 3.0.
pub fn document(mut document: Value) -> Value {
    document["openapi"] = json!("3.0.3");
    if let Some(license) = document["info"]["license"].as_object_mut() {
        license.remove("identifier");
    }
    older(document)
}

fn older(value: Value) -> Value {
    match value {
        Value::Array(all) => all.into_iter().map(older).collect(),
        Value::Object(object) => {
            let inner = object.into_iter().map(|(key, value)| {
                let value = match value {
                    Value::Object(named) if NAMED.contains(&key.as_str()) => {
                        named.into_iter().map(|(name, value)| (name, older(value))).collect()
                    }
                    value if DATA.contains(&key.as_str()) || key == "const" => value,
                    value => older(value),
                };
                (key, value)
            });
            Value::Object(schema(inner.collect()))
        }
        other => other,
    }
}

/// An object in the older form, if it is a schema that has anything of the newer one.
fn schema(mut object: Map<String, Value>) -> Map<String, Value> {
    let null = json!("null");
    if let Some(Value::Array(types)) = object.get("type") {
        let (nulls, mut others): (Vec<_>, Vec<_>) = types.iter().cloned().partition(|kind| *kind == null);
        if let (Some(kind), true) = (others.pop(), others.is_empty()) {
            object.insert("type".to_owned(), kind);
            if !nulls.is_empty() {
                object.insert("nullable".to_owned(), json!(true));
            }
        }
    }
    if let Some(constant) = object.remove("const") {
        object.insert("enum".to_owned(), json!([constant]));
    }
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(all)) = object.get_mut(key) else {
            continue;
        };
        let before = all.len();
        all.retain(|one| one["type"] != null);
        if all.len() == before {
            continue;
        }
        let one = all.len() == 1;
        object.insert("nullable".to_owned(), json!(true));
        if one && let Some(only) = object.remove(key) {
            object.insert("allOf".to_owned(), only);
        }
    }
    // What stands beside a reference is not read.
    if object.len() > 1
        && let Some(Value::String(target)) = object.get("$ref").cloned()
    {
        object.remove("$ref");
        object.insert("allOf".to_owned(), json!([{"$ref": target}]));
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_written_as_they_were_before() {
        for (new, old) in [
            (
                json!({"type": ["string", "null"]}),
                json!({"type": "string", "nullable": true}),
            ),
            (
                json!({"const": "a", "type": "string"}),
                json!({"enum": ["a"], "type": "string"}),
            ),
            (
                json!({"anyOf": [{"$ref": "#/a"}, {"type": "null"}]}),
                json!({"allOf": [{"$ref": "#/a"}], "nullable": true}),
            ),
            (
                json!({"$ref": "#/a", "description": "One."}),
                json!({"allOf": [{"$ref": "#/a"}], "description": "One."}),
            ),
            (
                json!({"properties": {"const": {"type": ["integer", "null"]}, "type": {"type": "string"}}}),
                json!({"properties": {"const": {"type": "integer", "nullable": true}, "type": {"type": "string"}}}),
            ),
            (json!({"example": {"const": 5}}), json!({"example": {"const": 5}})),
        ] {
            assert_eq!(older(new.clone()), old, "{new}");
        }
    }

    #[test]
    fn nothing_of_the_newer_form_is_left() {
        let text = document(super::super::document("1")).to_string();
        assert!(text.contains("\"openapi\":\"3.0.3\""));
        for new in ["\"const\":", "\"null\"", "\"identifier\":"] {
            assert!(!text.contains(new), "{new}");
        }
    }
}
