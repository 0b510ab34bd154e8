//! An answer, whatever form it is put into.

use quartet_api::chat::{ChatAnswer, ToolCall};

pub use quartet_api::chat::Usage;

use super::stop::Stop;

/// An answer.
#[derive(Debug)]
pub struct Said {
    /// The text.
    pub text: String,
    /// Calls that are asked for.
    pub calls: Vec<ToolCall>,
    /// The reason why it ends.
    pub finish: Finish,
    /// Tokens of the language model.
    pub usage: Usage,
    /// Its sources, where it cites them.
    pub citations: Vec<Citation>,
}

/// The reason why an answer ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Finish {
    /// It is whole.
    #[default]
    Stop,
    /// It ran out of tokens or time.
    Length,
    /// Functions are to be called.
    Calls,
}

/// A source, and the place at which an answer cites it, in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The place's first character.
    pub start: usize,
    /// The character after its last.
    pub end: usize,
    /// The title of the source.
    pub title: String,
    /// Its address.
    pub url: String,
}

impl Said {
    /// An answer that no language model counted tokens for.
    pub fn found(text: String) -> Self {
        Self {
            text,
            calls: Vec::new(),
            finish: Finish::Stop,
            usage: Usage {
                prompt_tokens: 0,
                cached_tokens: 0,
                answer_tokens: 0,
                total_tokens: 0,
            },
            citations: Vec::new(),
        }
    }

    /// Ends the answer before the first of these texts. Calls would come behind it.
    pub fn cut(&mut self, stop: &Stop) {
        if let Some(place) = stop.find(&self.text) {
            self.text.truncate(place);
            self.calls.clear();
            self.finish = Finish::Stop;
            let characters = self.text.chars().count();
            self.citations.retain(|citation| citation.end <= characters);
        }
    }
}

impl From<ChatAnswer> for Said {
    fn from(answer: ChatAnswer) -> Self {
        Self {
            finish: match answer.finish.as_deref() {
                Some("length" | "time") => Finish::Length,
                _ if !answer.tool_calls.is_empty() => Finish::Calls,
                _ => Finish::Stop,
            },
            usage: answer.usage,
            citations: citations(&answer),
            calls: answer.tool_calls,
            text: answer.answer,
        }
    }
}

/// Every place at which the answer has a source's number in brackets.
fn citations(answer: &ChatAnswer) -> Vec<Citation> {
    let mut found = Vec::new();
    for source in &answer.sources {
        let mark = format!("[{}]", source.number);
        for (byte, _) in answer.answer.match_indices(&mark) {
            let start = answer.answer[..byte].chars().count();
            found.push(Citation {
                start,
                end: start + mark.len(),
                title: source.title.clone(),
                url: source.url.clone(),
            });
        }
    }
    found.sort_by_key(|citation| citation.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_found_where_they_are_cited() {
        let mut answer: ChatAnswer = serde_json::from_value(serde_json::json!({
            "answer": "Übung [2] macht [1] den [2].", "mode": "general", "useSearch": true, "model": null,
            "origin": "sources", "usage": {"promptTokens": 0, "cachedTokens": 0, "answerTokens": 0, "totalTokens": 0},
            "language": "de", "conversationId": null, "notes": [],
            "sources": [{"number": 1, "title": "A", "url": "https://a", "quote": "x"},
                        {"number": 2, "title": "B", "url": "https://b", "quote": "y"}],
        }))
        .unwrap();
        let places: Vec<_> = citations(&answer)
            .into_iter()
            .map(|found| (found.start, found.end, found.title))
            .collect();
        assert_eq!(
            places,
            [
                (6, 9, "B".to_owned()),
                (16, 19, "A".to_owned()),
                (24, 27, "B".to_owned())
            ]
        );
        answer.finish = Some("time".to_owned());
        let mut said = Said::from(answer);
        assert_eq!(said.finish, Finish::Length);
        said.cut(&Stop::read(Some(&" den".into())).unwrap());
        assert_eq!(
            (said.text.as_str(), said.finish, said.citations.len()),
            ("Übung [2] macht [1]", Finish::Stop, 2)
        );
    }
}
