//! Texts before which an answer ends: `stop` in requests. Answers are cut here, so that it holds for what is computed or
//! found as well as for what a model writes.

use serde_json::Value;

use crate::failure::Failure;

/// Most texts in a request, as OpenAI has it.
const MAX_TEXTS: usize = 4;

/// Most bytes of a text, so that looking for its beginning costs nothing to speak of.
const MAX_BYTES: usize = 1_000;

/// The texts; none where an answer ends by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stop(Vec<String>);

impl Stop {
    /// Reads the field. Empty texts ask for nothing, and are passed over.
    ///
    /// # Errors
    /// When it is neither a text nor a list of them.
    pub fn read(value: Option<&Value>) -> Result<Self, Failure> {
        let wrong = || {
            let problem = format!("takes a text, or a list of up to {MAX_TEXTS}, of up to {MAX_BYTES} bytes each");
            Failure::field("stop", problem)
        };
        let texts = match value {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::String(text)) => vec![text.clone()],
            Some(Value::Array(list)) if list.len() <= MAX_TEXTS => {
                let texts = list.iter().map(|text| text.as_str().map(str::to_owned));
                texts.collect::<Option<Vec<_>>>().ok_or_else(wrong)?
            }
            Some(_) => return Err(wrong()),
        };
        if texts.iter().any(|text| text.len() > MAX_BYTES) {
            return Err(wrong());
        }
        Ok(Self(texts.into_iter().filter(|text| !text.is_empty()).collect()))
    }

    /// The place before which a text ends: where the one begins that is whole first.
    pub fn find(&self, text: &str) -> Option<usize> {
        let places = self
            .0
            .iter()
            .filter_map(|stop| text.find(stop.as_str()).map(|begin| (begin + stop.len(), begin)));
        places.min().map(|(_, begin)| begin)
    }

    /// Bytes at the end of a text that may be the beginning of one.
    fn begun(&self, text: &str) -> usize {
        let begins = |stop: &String| {
            (1..stop.len().min(text.len() + 1))
                .rev()
                .find(|&bytes| text.as_bytes().ends_with(&stop.as_bytes()[..bytes]))
        };
        // A whole character of the text begins where its first byte does.
        self.0.iter().filter_map(begins).max().unwrap_or(0)
    }
}

/// An answer that comes in pieces, cut as the whole would be.
#[derive(Debug)]
pub struct Cutter {
    stop: Stop,
    /// The end of what came, which may be the beginning of a text that ends the answer.
    held: String,
    /// True once the answer has ended.
    ended: bool,
}

impl Cutter {
    /// An answer that has not begun.
    pub fn new(stop: Stop) -> Self {
        Self {
            stop,
            held: String::new(),
            ended: false,
        }
    }

    /// The texts before which it ends.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Takes a piece, and returns what can be sent now.
    pub fn push(&mut self, piece: &str) -> String {
        if self.ended {
            return String::new();
        }
        self.held.push_str(piece);
        let sent = match self.stop.find(&self.held) {
            Some(place) => {
                self.ended = true;
                place
            }
            None => self.held.len() - self.stop.begun(&self.held),
        };
        let rest = self.held.split_off(sent);
        std::mem::replace(&mut self.held, rest)
    }

    /// Ends the answer, and returns what was held back for nothing.
    pub fn finish(&mut self) -> String {
        match std::mem::replace(&mut self.ended, true) {
            true => String::new(),
            false => std::mem::take(&mut self.held),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn stop(texts: &[&str]) -> Stop {
        Stop(texts.iter().map(|text| (*text).to_owned()).collect())
    }

    #[test]
    fn a_text_or_up_to_four_are_taken() {
        let read = |value: Value| Stop::read(Some(&value));
        assert_eq!(Stop::read(None), Ok(Stop::default()));
        for (value, texts) in [
            (json!("END"), &["END"][..]),
            (Value::Null, &[]),
            (json!(["\n", "", "b"]), &["\n", "b"]),
            (json!([]), &[]),
            (json!(""), &[]),
        ] {
            assert_eq!(read(value), Ok(stop(texts)));
        }
        for value in [
            json!(5),
            json!([5]),
            json!(["a", "b", "c", "d", "e"]),
            json!("x".repeat(1_001)),
            json!({"a": 1}),
        ] {
            assert_eq!(read(value).unwrap_err().wrong_field(), Some("stop"));
        }
    }

    #[test]
    fn pieces_are_cut_as_the_whole_is() {
        for (texts, answer, left) in [
            (&["two"][..], "One two.", "One "),
            (&[], "One two.", "One two."),
            (&["three"], "One two th", "One two th"),
            (&["aab"], "aaab", "a"),
            // The one that is whole first, wherever it began.
            (&["One two three", "two"], "One two three", "One "),
            (&["b", "abc"], "abc", "a"),
            (&["ab", "b"], "ab", ""),
            (&["é!"], "cafè, café!", "cafè, caf"),
            (&["ß"], "ärß", "är"),
            (&["\n\n"], "a\nb\n\nc\n\n", "a\nb"),
            (&["x"], "", ""),
        ] {
            let stop = stop(texts);
            assert_eq!(&answer[..stop.find(answer).unwrap_or(answer.len())], left, "{texts:?}");
            for size in 1..5 {
                let mut cutter = Cutter::new(stop.clone());
                let characters: Vec<_> = answer.chars().collect();
                let mut sent: String = characters
                    .chunks(size)
                    .map(|piece| cutter.push(&piece.iter().collect::<String>()))
                    .collect();
                sent.push_str(&cutter.finish());
                assert_eq!(sent, left, "{texts:?} {size}");
            }
        }
    }

    #[test]
    fn what_cannot_begin_one_is_sent_at_once() {
        let mut cutter = Cutter::new(stop(&["END"]));
        assert_eq!(cutter.push("the E"), "the ");
        assert_eq!(cutter.push("N"), "");
        assert_eq!(cutter.push("T"), "ENT");
        assert_eq!(cutter.push(" EN"), " ");
        assert_eq!(cutter.push("D more"), "");
        assert_eq!(
            (cutter.push("still more"), cutter.finish()),
            (String::new(), String::new())
        );
    }
}
