//! The sentences of a passage that answer a question, where the model finds that the passage does and that none of its sentences does
//! by itself.
//!
//! Made to copy the words that answer from one passage, Qwen2.5-Coder-1.5B copies them from the sentence that has the answer, or from
//! one beside it, for 16 of 17 questions in other languages (XQuAD) and for 26 of 30 about pages of gov.uk (ConditionalQA), both of the
//! open half, and the sentence found by the words shared with it. Asked for the number of the sentence instead, it has to read the passage again, and is right as often.

use quartet_grounding::{Evidence, Passage, sanitize};
use quartet_llm_client::Model;
use quartet_text_analysis::sentence::sentences;

use super::material::{Material, Piece};
use super::{Asking, MIN_CONFIRMING_MILLISECONDS, Task, prompt, reply};

/// Limit in tokens for the words that are copied.
const MAX_TOKENS: u32 = 60;
/// Limit for the sentences that they are of, and sentences up to which a passage is quoted whole.
const MAX_SENTENCES: usize = 3;

impl Asking<'_> {
    /// The sentences of a passage that answer, with what stands around them, and the page on which they begin; all of a passage that
    /// has no more than a few. None where there is no time to ask, or the model copies nothing.
    pub fn pointed(
        &self,
        task: Task<'_>,
        material: &Material,
        passage: &Piece,
        model: &Model,
    ) -> Option<(usize, String)> {
        let place = material.pieces.iter().position(|piece| std::ptr::eq(piece, passage))?;
        let lines = passage.text.lines();
        let count: usize = lines.map(|line| sentences(line, self.index.language()).len()).sum();
        if count <= MAX_SENTENCES {
            return Some((passage.page, passage.text.trim().to_owned()));
        }
        if !model.schemas || self.time() < MIN_CONFIRMING_MILLISECONDS {
            return None;
        }
        let number = place + 1;
        let task = format!(
            "Question: {}\nPassage {number} answers it: reply with the words of that passage that do.",
            sanitize(task.whole_question())
        );
        let turns = prompt::turns(material, &task);
        let generated = self
            .generate(turns, MAX_TOKENS, Some(reply::words_schema(number)), 0, &mut |_| true)
            .ok()?;
        self.around(&reply::words(&generated.written)?, passage)
    }

    /// The sentences of a passage that are nearest to words that were copied from it, with what stands around them.
    fn around(&self, words: &str, passage: &Piece) -> Option<(usize, String)> {
        let language = self.index.language();
        let whole = Passage {
            source: 0,
            text: passage.text.clone(),
        };
        let evidence = Evidence::new(&[whole], "", language, language, self.embed);
        let copied = words.lines().flat_map(|line| sentences(line, language));
        let nearest: Vec<String> = copied
            .take(MAX_SENTENCES)
            .filter_map(|sentence| evidence.nearest(sentence, 0))
            .collect();
        let all: Vec<&str> = nearest.iter().map(String::as_str).collect();
        let around = |sentences: &[&str]| self.index.with_neighbours(sentences, passage.page);
        around(&all).or_else(|| around(all.get(..1)?))
    }
}
