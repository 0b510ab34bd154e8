//! Query over the record of a picture: what a question asks for, in whatever language it is asked.

use serde::{Deserialize, Serialize};

/// Kind of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ask {
    /// Number of things.
    Count,
    /// Presence of a thing, yes or no.
    Exists,
    /// Things of a kind, or all.
    List,
    /// Place of a thing.
    Where,
    /// Colour of a thing, or the main colours of the picture.
    Colour,
    /// Largest thing.
    Largest,
    /// Description of the picture.
    Describe,
    /// Size and format of the picture.
    Size,
    /// Light: bright or dark, black and white.
    Light,
    /// Kind: photo, drawing, document.
    Kind,
    /// All of its text.
    Read,
    /// Total of a receipt.
    Total,
    /// Amount of an item of a receipt.
    Price,
    /// Date.
    Date,
    /// Name of the shop or company.
    Shop,
    /// Postal address.
    Address,
    /// Telephone number.
    Phone,
    /// E-mail address.
    Email,
    /// Web address.
    Web,
    /// Anything else: its text may say.
    Other,
}

/// Most things that a query names.
const MAX_THINGS: usize = 3;
/// Most letters of the name of a thing.
const MAX_THING_CHARACTERS: usize = 40;

/// Meaning of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// Kind of the question.
    pub ask: Ask,
    /// English nouns of the things that it asks about; none where it asks about the picture.
    #[serde(rename = "of", default)]
    pub things: Vec<String>,
}

impl Query {
    /// Reads what a model wrote.
    ///
    /// # Errors
    /// When it is no query.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let mut query: Self = serde_json::from_str(text)?;
        query.things = query.things.iter().map(|thing| thing.trim().to_lowercase()).collect();
        query.things.retain(|thing| !thing.is_empty());
        query.things.dedup();
        Ok(query)
    }

    /// Schema of a query as JSON.
    pub fn schema() -> String {
        let kinds = [
            "count", "exists", "list", "where", "colour", "largest", "describe", "size", "light", "kind", "read",
            "total", "price", "date", "shop", "address", "phone", "email", "web", "other",
        ];
        serde_json::json!({
            "type": "object",
            "properties": {
                "ask": { "enum": kinds },
                "of": {
                    "type": "array",
                    "items": { "type": "string", "maxLength": MAX_THING_CHARACTERS },
                    "maxItems": MAX_THINGS,
                },
            },
            "required": ["ask", "of"],
            "additionalProperties": false,
        })
        .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_what_its_schema_says() {
        let schema: serde_json::Value = serde_json::from_str(&Query::schema()).unwrap();
        for kind in schema["properties"]["ask"]["enum"].as_array().unwrap() {
            let text = format!("{{\"ask\": {kind}, \"of\": [\" Dogs \", \"\"]}}");
            let query = Query::parse(&text).unwrap();
            assert_eq!(query.things, ["dogs"]);
            assert_eq!(serde_json::to_value(query.ask).unwrap(), *kind);
        }
        assert!(Query::parse("{\"ask\": \"sing\", \"things\": []}").is_err());
        assert!(Query::parse("{\"ask\": \"count\", \"o").is_err());
    }
}
