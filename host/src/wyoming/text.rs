//! Text that comes in pieces, as a language model writes it: its sentences, each as soon as it is known where it ends.

use quartet_api::{Code, Language};
use quartet_text_analysis::sentence::sentences;

use crate::failure::Failure;

/// Largest text of a stream, in bytes: more than an hour of speech.
const MAX_TEXT_BYTES: usize = 64 * 1024;

/// Characters after an end by which it is certain, whatever comes: the first word after it decides, and few are longer.
const CERTAIN_CHARS: usize = 20;

/// A text that is still being written.
#[derive(Debug)]
pub struct Text {
    language: Option<Language>,
    /// What was not given back as a sentence.
    rest: String,
    /// Bytes so far.
    bytes: usize,
}

impl Text {
    /// A text in a language; without one, each part is split by the rules of its own.
    pub fn new(language: Option<Language>) -> Self {
        Self {
            language,
            rest: String::new(),
            bytes: 0,
        }
    }

    /// Takes a piece, and returns the sentences that have ended.
    ///
    /// # Errors
    /// When the text is too long.
    pub fn push(&mut self, piece: &str) -> Result<Vec<String>, Failure> {
        self.bytes = self.bytes.saturating_add(piece.len());
        if self.bytes > MAX_TEXT_BYTES {
            let problem = format!("a streamed text may have {MAX_TEXT_BYTES} bytes; send it in several");
            return Err(Failure::new(Code::TextTooLong, problem));
        }
        self.rest.push_str(piece);
        let mut ended = Vec::new();
        let mut begin = 0;
        let found = sentences(&self.rest, self.language());
        for pair in found.windows(2) {
            let next = pair[1].as_ptr() as usize - self.rest.as_ptr() as usize;
            if !is_certain(pair[0], &self.rest[next..]) {
                break;
            }
            ended.push(pair[0].to_owned());
            begin = next;
        }
        self.rest.drain(..begin);
        Ok(ended)
    }

    /// Returns the sentences that are left when nothing more comes.
    pub fn end(&mut self) -> Vec<String> {
        let rest = std::mem::take(&mut self.rest);
        let found = sentences(&rest, self.language_of(&rest));
        found.into_iter().map(str::to_owned).collect()
    }

    fn language(&self) -> Language {
        self.language_of(&self.rest)
    }

    fn language_of(&self, text: &str) -> Language {
        self.language.unwrap_or_else(|| quartet_lang_detect::detect(text))
    }
}

/// True if a sentence has ended, whatever else comes after what is there: a whole word, or anything after a mark of the East.
fn is_certain(sentence: &str, rest: &str) -> bool {
    let rest = rest.trim_start();
    sentence.ends_with(['。', '！', '？', '।'])
        || rest.contains(char::is_whitespace)
        || rest.chars().count() > CERTAIN_CHARS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sentences of a text that comes in pieces of so many characters.
    fn split(text: &str, language: Option<Language>, size: usize) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        let mut stream = Text::new(language);
        let mut found = Vec::new();
        for piece in chars.chunks(size) {
            found.extend(stream.push(&piece.iter().collect::<String>()).unwrap());
        }
        found.extend(stream.end());
        found
    }

    #[test]
    fn pieces_do_not_matter() {
        for (language, expected) in [
            (
                Language::English,
                &[
                    "Dr. Smith met Mr. Jackson at 5 p.m. in town.",
                    "Is it so?",
                    "It is 3.5 degrees!",
                ][..],
            ),
            (
                Language::German,
                &[
                    "Am 3. Oktober 1990 kam Dr. Müller z. B. nach Berlin.",
                    "Das Licht ist an.",
                    "Gut.",
                ],
            ),
            (
                Language::Japanese,
                &["「これは何ですか。」と彼は聞いた。", "本当？", "はい。"],
            ),
            (Language::Chinese, &["版本是3.5。", "好！"]),
            (Language::Hindi, &["डॉ. शर्मा आए।", "क्या यह सच है?"]),
        ] {
            let space = if matches!(language, Language::Japanese | Language::Chinese) {
                ""
            } else {
                " "
            };
            let text = expected.join(space);
            for size in [1, 2, 3, 5, 8, 13, 1_000] {
                assert_eq!(split(&text, Some(language), size), expected, "{language} {size}");
            }
        }
    }

    #[test]
    fn a_sentence_comes_before_the_next_one_ends() {
        let mut text = Text::new(None);
        assert!(text.push("The lamp is on.").unwrap().is_empty());
        assert_eq!(text.push(" The door is").unwrap(), ["The lamp is on."]);
        assert!(text.push(" open").unwrap().is_empty());
        assert_eq!(text.end(), ["The door is open"]);
        assert!(text.end().is_empty());
        assert!(Text::new(None).push(" … ").unwrap().is_empty());
    }

    #[test]
    fn what_has_no_end_is_given_back_all_the_same() {
        let mut text = Text::new(Some(Language::English));
        let mut given = 0;
        let mut kept = 0;
        for _ in 0..10_000 {
            given += text.push("word ").unwrap().iter().map(String::len).sum::<usize>();
            kept = kept.max(text.rest.len());
        }
        assert!(given > 40_000 && kept < 10_000, "{given} {kept}");
        let failure = (0..10_000).find_map(|_| text.push("word ").err()).unwrap();
        assert_eq!(failure.code, Code::TextTooLong);
    }
}
