//! The length that a request asks for: "Summarise it in two sentences."

use quartet_api::Language;
use unicode_normalization::char::is_combining_mark;

use crate::lexicon::lexicon;

/// Words before the one for a sentence among which its number stands: "in drei ganz kurzen Sätzen".
const WORDS_BEFORE: usize = 3;
/// Characters before it, in languages that put no spaces between words.
const CHARACTERS_BEFORE: usize = 3;
/// Largest number of sentences that is taken for one.
const MOST: usize = 20;

/// The number of sentences that a request in `language` asks for, where it says one.
#[must_use]
pub fn wanted_sentences(request: &str, language: Language) -> Option<usize> {
    let lower = request.to_lowercase();
    match language {
        Language::Chinese | Language::Japanese | Language::Korean => before_in_characters(&lower, language),
        _ => beside_in_words(&lower, language),
    }
}

fn beside_in_words(request: &str, language: Language) -> Option<usize> {
    let words: Vec<&str> = request
        .split(|c: char| !c.is_alphanumeric() && !is_combining_mark(c))
        .filter(|word| !word.is_empty())
        .collect();
    let sentences = lexicon(language).get("sentence_words");
    let is_sentence = |word: &&str| sentences.split(' ').any(|other| other == *word);
    let place = words.iter().position(is_sentence)?;
    // Arabic has a word for two sentences, and says "one" after it.
    let beside = &words[place.saturating_sub(WORDS_BEFORE)..words.len().min(place + 2)];
    beside.iter().find_map(|word| number(word, language))
}

fn before_in_characters(request: &str, language: Language) -> Option<usize> {
    let mut places = lexicon(language)
        .get("sentence_words")
        .split(' ')
        .flat_map(|word| request.match_indices(word));
    places.find_map(|(place, _)| {
        let before: Vec<char> = request[..place].chars().rev().take(CHARACTERS_BEFORE).collect();
        let digits: String = before
            .iter()
            .skip_while(|c| c.is_whitespace())
            .take_while(|c| c.is_ascii_digit())
            .collect();
        match digits.is_empty() {
            false => number(&digits.chars().rev().collect::<String>(), language),
            true => before.iter().find_map(|c| number(&c.to_string(), language)),
        }
    })
}

/// Returns true for a word that only says in how many sentences, or how short ones.
pub(super) fn is_of_length(word: &str, language: Language) -> bool {
    let words = ["sentence_words", "sentence_lengths"].map(|key| lexicon(language).get(key));
    words.iter().any(|words| words.split(' ').any(|other| other == word)) || number(word, language).is_some()
}

/// A text in a language without spaces, without such words.
pub(super) fn without_length(text: &str, language: Language) -> String {
    let keys = ["sentence_words", "sentence_lengths", "sentence_numbers"];
    let words = keys.iter().flat_map(|key| lexicon(language).get(key).split(['|', ' ']));
    let rest = words.fold(text.to_owned(), |rest, word| rest.replace(word, ""));
    rest.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// The number that a word says, from 1 on.
fn number(word: &str, language: Language) -> Option<usize> {
    let mut numbers = lexicon(language).get("sentence_numbers").split('|');
    let said = numbers.position(|forms| forms.split(' ').any(|form| form == word));
    let said = said.map(|place| place + 1).or_else(|| word.parse().ok());
    said.filter(|number| (1..=MOST).contains(number))
}

#[cfg(test)]
mod tests {
    use Language::{
        Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
    };

    use super::*;

    #[test]
    fn a_request_says_how_many_sentences_it_wants() {
        for (request, language, sentences) in [
            ("Summarise it in two sentences.", English, Some(2)),
            ("Give me a summary in 5 short sentences", English, Some(5)),
            ("One sentence, please: what is this?", English, Some(1)),
            ("Fasse das Dokument in drei kurzen Sätzen zusammen.", German, Some(3)),
            ("Résume-le en une phrase.", French, Some(1)),
            ("Resúmelo en tres frases", Spanish, Some(3)),
            ("Riassumilo in due frasi.", Italian, Some(2)),
            ("Resuma em três frases.", Portuguese, Some(3)),
            ("Перескажи в двух предложениях.", Russian, Some(2)),
            ("请用三句话总结", Chinese, Some(3)),
            ("用10句话概括", Chinese, Some(10)),
            ("2文で要約してください。", Japanese, Some(2)),
            ("세 문장으로 요약해 주세요.", Korean, Some(3)),
            ("لخصه في جملتين", Arabic, Some(2)),
            ("لخصه في جملة واحدة", Arabic, Some(1)),
            ("इसे दो वाक्यों में संक्षेप में बताओ", Hindi, Some(2)),
            ("Summarise it.", English, None),
            ("Summarise chapter 3.", English, None),
            ("Tell me of the sentence for murder.", English, None),
        ] {
            assert_eq!(wanted_sentences(request, language), sentences, "{request}");
        }
    }
}
