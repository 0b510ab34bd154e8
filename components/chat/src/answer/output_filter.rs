//! The filter between the model and the client: corrects wrong arithmetic, and drops sentences that no source supports.
//! Text that needs no check is passed on at once.

use std::io;

use quartet_api::Language;
use quartet_grounding::Attribution;
use quartet_text_analysis::sentence::sentences;

use crate::calculate::wrong_claims;

/// Sends a piece of an answer to the client.
pub type Emit<'a> = &'a mut dyn FnMut(&str) -> io::Result<()>;

/// The beginning of an answer's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Without the white space that it begins with, behind this text.
    Trimmed(&'static str),
    /// In a block of code that is opened once more, with the space before its first line.
    Code,
    /// As the model wrote it: it goes on in the middle of a text.
    AsWritten,
}

impl Default for Start {
    /// Answers do not begin with empty lines.
    fn default() -> Self {
        Self::Trimmed("")
    }
}

/// Checks an answer while it is generated.
pub struct OutputFilter<'a> {
    emit: Emit<'a>,
    language: Language,
    /// The question: what it names may be counted in the answer.
    question: &'a str,
    attribution: Option<Attribution>,
    /// Returns the number of a source in the answer.
    number: &'a dyn Fn(usize) -> usize,
    /// False to pass everything on as it comes.
    checks: bool,
    start: Start,
    held: String,
    /// The text that was passed on.
    pub answer: String,
    /// The number of corrected statements of arithmetic.
    pub corrected: usize,
    /// The number of sentences that were left out because no source supports them.
    pub left_out: usize,
    /// The sources that support something, from 0.
    pub used: Vec<usize>,
}

impl<'a> OutputFilter<'a> {
    /// Corrects arithmetic only; with `attribution`, it also drops sentences that no source supports.
    pub fn new(
        emit: Emit<'a>,
        language: Language,
        attribution: Option<Attribution>,
        number: &'a dyn Fn(usize) -> usize,
    ) -> Self {
        Self {
            emit,
            language,
            question: "",
            attribution,
            number,
            checks: true,
            start: Start::default(),
            held: String::new(),
            answer: String::new(),
            corrected: 0,
            left_out: 0,
            used: Vec::new(),
        }
    }

    /// The same for the answer to this question.
    pub fn about(self, question: &'a str) -> Self {
        Self { question, ..self }
    }

    /// The same for an answer that starts like this.
    pub fn starting(self, start: Start) -> Self {
        Self { start, ..self }
    }

    /// Checks nothing: for answers that are data.
    pub fn unchecked(emit: Emit<'a>, language: Language, number: &'a dyn Fn(usize) -> usize) -> Self {
        Self {
            checks: false,
            ..Self::new(emit, language, None, number)
        }
    }

    /// Takes the next piece.
    ///
    /// # Errors
    /// When the client has disconnected.
    pub fn push(&mut self, piece: &str) -> io::Result<()> {
        if !self.checks {
            return self.pass(piece);
        }
        self.held.push_str(piece);
        // Without a number there is nothing to correct, and nothing is held up.
        if self.attribution.is_none() && !self.held.contains(|c: char| c.is_numeric()) {
            let text = std::mem::take(&mut self.held);
            return self.pass(&text);
        }
        let end = self.complete();
        if end > 0 {
            let rest = self.held.split_off(end);
            let text = std::mem::replace(&mut self.held, rest);
            self.check(&text)?;
        }
        Ok(())
    }

    /// Checks the rest at the end of an answer.
    ///
    /// # Errors
    /// When the client has disconnected.
    pub fn finish(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.held);
        self.check(&text)
    }

    /// The end of the complete sentences.
    fn complete(&self) -> usize {
        let begun = self.held.rfind('\n').map_or(0, |at| at + 1);
        let parts = sentences(&self.held[begun..], self.language);
        let last = parts.last().filter(|_| parts.len() > 1);
        // Slices of the same text: their distance is a length.
        last.map_or(begun, |last| last.as_ptr() as usize - self.held.as_ptr() as usize)
    }

    fn check(&mut self, text: &str) -> io::Result<()> {
        let Some(attribution) = self.attribution.take() else {
            let corrected = self.correct(text);
            return self.pass(&corrected);
        };
        let language = self.language;
        let mut parts = text.lines().flat_map(|line| sentences(line, language));
        let result = parts.try_for_each(|sentence| {
            let bare = without_references(sentence);
            if bare.trim().is_empty() {
                return Ok(());
            }
            let Some(source) = attribution.source(&bare) else {
                self.left_out += 1;
                return Ok(());
            };
            if !self.used.contains(&source) {
                self.used.push(source);
            }
            let gap = if self.answer.is_empty() { "" } else { " " };
            let number = (self.number)(source);
            let corrected = self.correct(bare.trim());
            self.pass(&format!("{gap}{corrected} [{number}]"))
        });
        self.attribution = Some(attribution);
        result
    }

    /// Corrects the statements of arithmetic in a text.
    fn correct(&mut self, text: &str) -> String {
        let mut corrected = text.to_owned();
        let before = format!("{} {}", self.question, self.answer);
        for (place, value) in wrong_claims(&before, text, self.language).into_iter().rev() {
            corrected.replace_range(place, &value);
            self.corrected += 1;
        }
        corrected
    }

    fn pass(&mut self, text: &str) -> io::Result<()> {
        let (lead, text) = match self.start {
            Start::Trimmed(lead) if self.answer.is_empty() => (lead, text.trim_start()),
            Start::Code if self.answer.is_empty() => ("```\n", text.trim_start_matches('\n')),
            _ => ("", text),
        };
        if text.is_empty() {
            return Ok(());
        }
        let begun = self.answer.len();
        self.answer.push_str(lead);
        self.answer.push_str(text);
        (self.emit)(&self.answer[begun..])
    }
}

/// A sentence without `[1]` and the like: references are ours to give.
fn without_references(sentence: &str) -> String {
    let mut text = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some(at) = rest.find('[') {
        let inside = &rest[at + 1..];
        let end = inside.find(']').filter(|end| {
            let reference = inside[..*end].trim_start_matches("passage").trim();
            !reference.is_empty()
                && reference
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b' '))
        });
        match end {
            Some(end) => {
                text.push_str(rest[..at].trim_end());
                rest = &inside[end + 1..];
            }
            None => {
                text.push_str(&rest[..=at]);
                rest = inside;
            }
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_grounding::Passage;

    fn through(pieces: &[&str], attribution: Option<Attribution>) -> (Vec<String>, String, usize, usize) {
        let mut passed = Vec::new();
        let mut emit = |piece: &str| {
            passed.push(piece.to_owned());
            Ok(())
        };
        let mut filter = OutputFilter::new(&mut emit, Language::English, attribution, &|source| source + 1);
        pieces.iter().for_each(|piece| filter.push(piece).unwrap());
        filter.finish().unwrap();
        let (answer, corrected, left_out) = (filter.answer.clone(), filter.corrected, filter.left_out);
        (passed, answer, corrected, left_out)
    }

    #[test]
    fn words_pass_at_once_and_numbers_when_their_sentence_is_whole() {
        let (passed, answer, ..) = through(&["\n", "Good ", "morning. ", "It is ", "5 ", "o'clock. ", "Yes."], None);
        assert_eq!(answer, "Good morning. It is 5 o'clock. Yes.");
        assert_eq!(passed[..3], ["Good ", "morning. ", "It is "]);
    }

    #[test]
    fn wrong_arithmetic_does_not_get_out() {
        let (passed, answer, corrected, _) = through(&["So 17 × 3 ", "= 5", "2, and ", "that is all. Done."], None);
        assert_eq!(answer, "So 17 × 3 = 51, and that is all. Done.");
        assert_eq!(corrected, 1);
        assert!(!passed.concat().contains("52"));
    }

    #[test]
    fn only_what_a_source_bears_out_gets_out() {
        let passages = [Passage {
            source: 0,
            text: "The tower is 330 metres tall and was finished in 1889.".to_owned(),
        }];
        let attribution = Attribution::new(&passages, "How tall is it?", Language::English);
        let pieces = [
            "The tower is 330 metres tall [2]. The password ",
            "is 4711. It was finished in 1889.",
        ];
        let (_, answer, _, left_out) = through(&pieces, Some(attribution));
        assert_eq!(answer, "The tower is 330 metres tall. [1] It was finished in 1889. [1]");
        assert_eq!(left_out, 1);
    }

    #[test]
    fn what_the_question_names_is_counted() {
        let text = "There are 366 * 24 * 60 * 60 = 525600 seconds in a leap year.";
        for (question, right) in [("How many seconds are in a leap year?", "31622400"), ("Why?", "525600")] {
            let mut said = String::new();
            let mut emit = |text: &str| {
                said.push_str(text);
                Ok(())
            };
            let mut filter = OutputFilter::new(&mut emit, Language::English, None, &|source| source).about(question);
            filter.push(text).unwrap();
            filter.finish().unwrap();
            assert_eq!(said, text.replace("525600", right), "{question}");
        }
    }

    #[test]
    fn who_has_left_is_noticed() {
        let mut emit = |_: &str| Err(io::ErrorKind::BrokenPipe.into());
        let mut filter = OutputFilter::new(&mut emit, Language::English, None, &|source| source);
        assert!(filter.push("word").is_err());
    }
}
