//! Arabic with the vowels that nobody writes, for natural voices. The fast ones read what is written: a recogniser understood them
//! no better with vowels.

use quartet_api::Language;
use quartet_arabic_g2p::vowelled;
use quartet_inference::{GraphError, Graphs};
use quartet_text_normalization::{self as text, Clause, Pause};

/// Knowledge of the vowels of a text's Arabic.
#[derive(Debug)]
pub struct Vowels {
    /// The Arabic spans of the text with their vowels, in order; none where the text is read as it is written.
    spans: Option<Vec<String>>,
    /// The reason why Arabic in the text has no vowels.
    missing: Option<GraphError>,
}

/// Letters of Arabic in a text at most, about twelve minutes of speech: the network takes three seconds for so many.
pub const MOST_LETTERS: usize = 10_000;

/// Characters up to which clauses of a sentence are looked at together.
const SENTENCE_CHARACTERS: usize = 400;

impl Vowels {
    /// Asks the graph for the vowels of a text's Arabic, if that has at most `most` letters. Where there is none, nothing is asked.
    pub fn of(text: &str, language: Language, most: usize, graphs: &impl Graphs) -> Self {
        let letters = text.chars().filter(|character| is_arabic(*character));
        let letters = letters.take(most + 1).count();
        if letters == 0 && language != Language::Arabic {
            return Self {
                spans: None,
                missing: None,
            };
        }
        let spans = if letters > most {
            Err(GraphError::TooLarge(format!("more than {most} letters")))
        } else {
            spans(text, language, graphs)
        };
        match spans {
            Ok(spans) => Self {
                spans: Some(spans),
                missing: None,
            },
            Err(reason) => Self {
                spans: None,
                missing: Some(reason),
            },
        }
    }

    /// The reason why Arabic in the text has no vowels, where there is one.
    pub fn missing(&self) -> Option<&GraphError> {
        self.missing.as_ref()
    }

    /// The clauses of the text, with vowels in their Arabic where they are known. `text` and `language` are those that the vowels
    /// were asked for.
    pub fn clauses(&self, text: &str, language: Language) -> impl Iterator<Item = Clause> {
        let mut vowelled = self.spans.iter().flatten();
        text::clauses(text, language).map(move |mut clause| {
            let arabic = clause.spans.iter_mut().filter(|span| span.language == Language::Arabic);
            for (span, vowelled) in arabic.zip(&mut vowelled) {
                span.text.clone_from(vowelled);
            }
            clause
        })
    }
}

/// Returns true for a letter in Arabic script, in any of its forms.
const fn is_arabic(character: char) -> bool {
    matches!(character, '\u{620}'..='\u{64a}' | '\u{66e}'..='\u{6d3}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// The Arabic spans of a text with their vowels.
fn spans(text: &str, language: Language, graphs: &impl Graphs) -> Result<Vec<String>, GraphError> {
    let mut spans = Vec::new();
    let mut sentence: Vec<String> = Vec::new();
    let mut characters = 0;
    for clause in text::clauses(text, language) {
        for span in clause.spans {
            if span.language == Language::Arabic {
                characters += span.text.chars().count();
                sentence.push(span.text);
            }
        }
        if clause.pause > Pause::Clause || characters > SENTENCE_CHARACTERS {
            spans.extend(of_sentence(&mut sentence, graphs)?);
            characters = 0;
        }
    }
    spans.extend(of_sentence(&mut sentence, graphs)?);
    Ok(spans)
}

/// The parts of a sentence with their vowels; the next sentence is empty.
fn of_sentence(sentence: &mut Vec<String>, graphs: &impl Graphs) -> Result<Vec<String>, GraphError> {
    let parts = std::mem::take(sentence);
    let parts: Vec<_> = parts.iter().map(String::as_str).collect();
    vowelled(&parts, graphs)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use quartet_inference::{Data, NamedTensor, Tensor};

    use super::*;

    /// A network that gives every letter an *a*, and counts how often it is asked.
    #[derive(Default)]
    struct Fatha {
        asked: Cell<usize>,
    }

    impl Graphs for Fatha {
        fn run(&self, _: &str, inputs: Vec<NamedTensor>, _: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
            self.asked.set(self.asked.get() + 1);
            let count = inputs[0].tensor.shape()[1];
            let classes = Tensor::new([1, count], Data::I64(vec![24; count])).expect("it fits");
            Ok(vec![NamedTensor::new("gated_cls", classes)])
        }
    }

    fn read(vowels: &Vowels, text: &str, language: Language) -> Vec<String> {
        let spans = vowels.clauses(text, language).flat_map(|clause| clause.spans);
        spans.map(|span| span.text).collect()
    }

    #[test]
    fn arabic_has_its_vowels_and_nothing_else_changes() {
        let graphs = Fatha::default();
        let text = "كتب، ذهب. كتب in Cairo";
        let vowels = Vowels::of(text, Language::Arabic, MOST_LETTERS, &graphs);
        assert_eq!(read(&vowels, text, Language::Arabic), ["كَتَبَ", "ذَهَبَ", "كَتَبَ", "in Cairo"]);
        assert_eq!(graphs.asked.get(), 2, "once for each sentence");
        assert!(vowels.missing().is_none());
        let english = "He wrote كتب.";
        let vowels = Vowels::of(english, Language::English, MOST_LETTERS, &graphs);
        assert_eq!(read(&vowels, english, Language::English), ["He wrote", "كَتَبَ"]);
    }

    #[test]
    fn other_languages_ask_nothing() {
        let graphs = Fatha::default();
        let text = "Good morning.";
        let vowels = Vowels::of(text, Language::English, MOST_LETTERS, &graphs);
        assert_eq!(read(&vowels, text, Language::English), ["Good morning"]);
        assert_eq!(graphs.asked.get(), 0);
    }

    #[test]
    fn without_the_network_and_in_long_texts_arabic_is_read_as_it_is_written() {
        let text = "كتب";
        let vowels = Vowels::of(text, Language::Arabic, MOST_LETTERS, &crate::surroundings::HostGraphs);
        assert_eq!(read(&vowels, text, Language::Arabic), ["كتب"]);
        assert!(matches!(vowels.missing(), Some(GraphError::Unknown(_))));
        let graphs = Fatha::default();
        let long = "كتب ".repeat(4);
        let vowels = Vowels::of(&long, Language::Arabic, 11, &graphs);
        assert!(matches!(vowels.missing(), Some(GraphError::TooLarge(_))));
        assert_eq!(graphs.asked.get(), 0);
    }
}
