//! The names and numbers of an answer that its model was not sure of.
//!
//! A model that knows a name or a number expects it; where it guesses, others were as likely. Other words may always be said in
//! another way, which says nothing of what they mean, so that only names and numbers are looked at, and only those that the question
//! did not bring.

use quartet_api::Language;
use quartet_llm_client::Token;
use quartet_text_analysis::analyzer::Analyzer;
use quartet_text_analysis::sentence::sentences;
use unicode_segmentation::UnicodeSegmentation;

/// Probability below which a name or a number is a guess. Of the questions of `eval/chat`, 53 of 108 wrong answers have one such, and
/// 17 of 52 right ones; below 0.5 it is 59 of 107 and 21 of 53.
const UNSURE: f32 = 0.4;

/// German articles, words in their place, and those that are joined with a preposition.
const ARTICLES: [&str; 42] = [
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines", "kein", "keine",
    "keinen", "seine", "seiner", "seinen", "seinem", "sein", "ihre", "ihrer", "ihren", "ihrem", "ihr", "diese",
    "dieser", "dieses", "diesem", "diesen", "alle", "viele", "einige", "mehrere", "andere", "im", "am", "zum", "zur",
    "vom", "beim", "ins",
];
/// German words between which and an article stands no noun phrase: "der in Wien".
const PREPOSITIONS: [&str; 16] = [
    "in", "an", "auf", "aus", "bei", "mit", "nach", "von", "zu", "um", "für", "gegen", "durch", "über", "und", "oder",
];

/// Words in small letters inside names: Leonardo da Vinci, Bank of England.
const PARTICLES: [&str; 17] = [
    "da", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "la", "le", "of", "van", "von", "y", "zu",
];

/// A word of an answer.
struct Word {
    /// Where it begins and ends in the answer, in bytes.
    start: usize,
    end: usize,
    /// Probability of its least likely token.
    probability: f32,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A name or a number.
    Fact,
    /// A word whose capital says nothing, because a sentence begins with it.
    First,
    Other,
}

/// Names and numbers of an answer that its model was not sure of, each once, in their order and as they stand there.
pub fn unsure(answer: &str, tokens: &[Token], question: &str, language: Language) -> Vec<String> {
    let asked = words_of(question);
    let mut words = words(answer, tokens, &asked);
    if language == Language::German {
        leave_nouns_out(answer, &mut words);
    }
    take_first_names(answer, &mut words, language);
    take_particles(answer, &mut words);
    let mut found: Vec<String> = Vec::new();
    let mut rest = &words[..];
    while let Some(first) = rest.first() {
        // A name of several words is one, and so is a day of a month.
        let more = rest.windows(2).take_while(|pair| {
            pair.iter().all(|word| word.kind == Kind::Fact) && is_joined(&answer[pair[0].end..pair[1].start])
        });
        let (run, after) = rest.split_at(1 + more.count());
        rest = after;
        let is_unsure = run.iter().any(|word| word.probability < UNSURE);
        if first.kind != Kind::Fact || !is_unsure {
            continue;
        }
        let text = without_ending(&answer[first.start..run.last().map_or(first.end, |last| last.end)]);
        // "C" of 20 °C and "X" of a formula.
        let is_letter = text.len() == 1 && text.chars().all(char::is_alphabetic);
        if !is_letter && !found.iter().any(|other| other == text) {
            found.push(text.to_owned());
        }
    }
    found
}

/// Takes the nouns of German, which all have capitals, for other words where an article stands before them. In the first sentence
/// they stay: it answers, and rivers have articles, too.
fn leave_nouns_out(answer: &str, words: &mut [Word]) {
    let first = sentences(answer, Language::German);
    let begun = first.get(1).map_or(answer.len(), |second| {
        second.as_ptr() as usize - answer.as_ptr() as usize
    });
    let is_noun = |place: usize| {
        let mut end = words[place].start;
        let before = words[..place].iter().rev().take_while(|word| {
            let is_near = &answer[word.end..end] == " ";
            end = word.start;
            is_near
        });
        // "Der alte, sehr kalte Winter": adjectives may stand between.
        let before = before.take(3).map(|word| answer[word.start..word.end].to_lowercase());
        before
            .take_while(|word| !PREPOSITIONS.contains(&word.as_str()))
            .any(|word| ARTICLES.contains(&word.as_str()))
    };
    let nouns: Vec<_> = (0..words.len())
        .filter(|place| words[*place].start >= begun && is_noun(*place))
        .collect();
    for place in nouns {
        if !is_number(answer, &words[place]) {
            words[place].kind = Kind::Other;
        }
    }
}

/// True for what stands between the words of one name or number, as in `Jean-Paul`, `B. Johnson`, `15. November` and `10–15`.
fn is_joined(between: &str) -> bool {
    matches!(between, " " | "-" | "–" | "." | ". ")
}

/// Takes the small words inside names for parts of them.
fn take_particles(answer: &str, words: &mut [Word]) {
    let is_name = |word: &Word| word.kind == Kind::Fact && !is_number(answer, word);
    let mut begun = None;
    for place in 0..words.len() {
        if is_name(&words[place]) {
            if let Some(begun) = begun {
                words[begun + 1..place].iter_mut().for_each(|word| {
                    word.kind = Kind::Fact;
                    word.probability = 1.0;
                });
            }
            begun = Some(place);
        } else if !PARTICLES.contains(&&answer[words[place].start..words[place].end])
            || place > 0 && &answer[words[place - 1].end..words[place].start] != " "
        {
            begun = None;
        }
    }
}

/// A name or number of another script without what Korean writes behind it: "Sydney입니다", "1992년".
fn without_ending(text: &str) -> &str {
    let is_hangul = |c: char| ('\u{ac00}'..='\u{d7a3}').contains(&c);
    match text.find(is_hangul) {
        Some(place) if place > 0 => text[..place].trim_end(),
        _ => text,
    }
}

/// Takes a word with which a sentence begins for a name where it goes on like one, or is all that is said.
fn take_first_names(answer: &str, words: &mut [Word], language: Language) {
    let analyzer = Analyzer::new(language);
    let is_alone = words.len() == 1;
    for place in 0..words.len() {
        let Word { start, end, .. } = words[place];
        let goes_on = words
            .get(place + 1)
            .is_some_and(|next| next.kind == Kind::Fact && &answer[end..next.start] == " " && !is_number(answer, next));
        let is_stop = || analyzer.is_stop(&answer[start..end].to_lowercase());
        if words[place].kind == Kind::First && (goes_on || is_alone) && !is_stop() {
            words[place].kind = Kind::Fact;
        }
    }
}

fn is_number(answer: &str, word: &Word) -> bool {
    answer[word.start..word.end].contains(char::is_numeric)
}

/// The words of a text without their endings of possession, in lower case.
fn words_of(text: &str) -> Vec<String> {
    text.unicode_words().map(plain).collect()
}

fn plain(word: &str) -> String {
    let word = word.to_lowercase().replace('’', "'");
    word.strip_suffix("'s").unwrap_or(&word).to_owned()
}

/// The words of an answer with the probability of each.
fn words(answer: &str, tokens: &[Token], asked: &[String]) -> Vec<Word> {
    let mut ends = 0;
    let places: Vec<_> = tokens
        .iter()
        .map(|token| {
            let start = ends;
            ends += token.bytes;
            (start, ends, token.probability)
        })
        .collect();
    let (mut looked, mut ticks) = (0, 0);
    let words = answer.unicode_word_indices().map(|(start, text)| {
        // Between one backtick or three and the next there is code, in which names are as free as in a story.
        ticks += answer[looked..start].matches('`').count();
        looked = start;
        let is_code = ticks % 2 == 1;
        let end = start + text.len();
        let first = places.partition_point(|place| place.1 <= start);
        let own = places[first..].iter().take_while(|place| place.0 < end);
        let kind = match is_code || asked.contains(&plain(text)) {
            true => Kind::Other,
            false => kind(answer, start, text),
        };
        Word {
            start,
            end,
            probability: own.map(|place| place.2).fold(1.0, f32::min),
            kind,
        }
    });
    words.collect()
}

/// What a word is by its form and its place. Scripts without capitals show no names, but for Katakana, in which Japanese writes foreign
/// ones.
fn kind(answer: &str, start: usize, word: &str) -> Kind {
    let before = answer[..start].trim_end_matches([' ', '"', '“', '«', '„', '*', '(', '#', '_']);
    let begins_line = before.is_empty() || before.ends_with('\n');
    let is_fact = if word.chars().any(char::is_numeric) {
        // But for the number of an item.
        !(begins_line && answer[start + word.len()..].starts_with(['.', ')']))
    } else if word.chars().next().is_some_and(char::is_uppercase) {
        // English writes "I" like a name.
        let is_pronoun = matches!(plain(word).as_str(), "i" | "i'm" | "i've" | "i'll" | "i'd");
        if begins_line || ends_sentence(before) {
            return Kind::First;
        }
        !is_pronoun
    } else {
        word.chars().count() > 1 && word.chars().all(|c| ('\u{30a1}'..='\u{30fc}').contains(&c))
    };
    if is_fact { Kind::Fact } else { Kind::Other }
}

/// True where a capital says nothing, because a sentence or an item begins. After a number or an initial, a full stop ends none.
fn ends_sentence(before: &str) -> bool {
    let Some(rest) = before.strip_suffix('.') else {
        return before.ends_with(['!', '?', ':', '…', '-', '–', '•', '。']);
    };
    let mut last = rest.chars().rev();
    match (last.next(), last.next()) {
        (Some(c), _) if c.is_numeric() => false,
        (Some(c), before) if c.is_uppercase() => before.is_some_and(char::is_alphabetic),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer whose tokens are words with the space before them, in which `<word>` is a guess.
    fn unsure_of(marked: &str, question: &str, language: Language) -> Vec<String> {
        let mut answer = String::new();
        let mut tokens = Vec::new();
        for (place, part) in marked.split(' ').enumerate() {
            let text = part.replace(['<', '>'], "");
            let text = if place == 0 { text } else { format!(" {text}") };
            tokens.push(Token {
                bytes: text.len(),
                probability: if part.contains('<') { 0.2 } else { 0.9 },
            });
            answer.push_str(&text);
        }
        unsure(&answer, &tokens, question, language)
    }

    #[test]
    fn names_and_numbers_that_were_guessed_are_named_whole() {
        for (answer, question, found) in [
            (
                "Golda Meir grew up in <Tel> Aviv, Israel.",
                "Where did Golda Meir grow up?",
                &["Tel Aviv"][..],
            ),
            (
                "Max Roth was born on <June> 3, 1880, in Bonn.",
                "When was Max Roth born?",
                &["June 3"],
            ),
            ("Das war am <15.> November 1801.", "Wann?", &["15. November 1801"]),
            ("It was Lyndon <B.> Johnson.", "Who?", &["Lyndon B. Johnson"]),
            (
                "A lion carries its young for <100> to <115> days, <115> at most.",
                "How long?",
                &["100", "115"],
            ),
            ("It costs <1,090> dollars.", "How much?", &["1,090"]),
            ("<Isabel> Allende wrote it.", "Who wrote it?", &["Isabel Allende"]),
            ("<Canberra>", "What is the capital?", &["Canberra"]),
            ("It was <Leonardo> da Vinci.", "Who was it?", &["Leonardo da Vinci"]),
            ("It boils at <78.3> °C.", "When does it boil?", &["78.3"]),
            ("수도는 <Sydney입니다>.", "수도는 어디입니까?", &["Sydney"]),
            ("首都は<メルボルン>です。", "首都はどこですか？", &["メルボルン"]),
            ("Он родился в <Туле>.", "Где он родился?", &["Туле"]),
        ] {
            assert_eq!(unsure_of(answer, question, Language::English), found, "{answer}");
        }
    }

    #[test]
    fn what_the_question_brought_what_begins_a_sentence_and_other_words_are_not_named() {
        for (answer, question) in [
            ("It is in Bonn.", "Where?"),
            ("I think <I> know: <The> city is <large> and <old>.", "How is it?"),
            ("Well. <Perhaps> it is.", "Is it?"),
            ("<In> Paris it is warm, at 20 <°C.>", "Is it warm?"),
            ("That was in <1999> in <Merkel's> house.", "Where was Merkel in 1999?"),
            ("Two things:\n<1.> one\n<2.> two", "Which?"),
            ("It is a <cheetah>.", "Which is fastest?"),
            (
                "Call `<Names> Anna` or `sorted(<Names>, <3>)` of it:\n```\nprint(<Anna>, <7>)\n```",
                "How do I sort?",
            ),
        ] {
            assert_eq!(unsure_of(answer, question, Language::English), [""; 0], "{answer}");
        }
    }

    #[test]
    fn tokens_may_be_parts_of_words_and_of_characters() {
        let token = |bytes, probability| Token { bytes, probability };
        let found = |answer, tokens: &[Token]| unsure(answer, tokens, "Where?", Language::English);
        // The second word in two tokens.
        assert_eq!(
            found("In Wien", &[token(2, 0.1), token(3, 0.9), token(2, 0.2)]),
            ["Wien"]
        );
        // Its first letter in two tokens, the second of which is unlikely.
        let tokens = [token(2, 0.9), token(2, 0.9), token(1, 0.1), token(5, 0.9)];
        assert_eq!(found("In Łódź", &tokens), ["Łódź"]);
        // A provider that does not tell, and one that told less than it wrote.
        assert_eq!(found("In Wien", &[]), [""; 0]);
        assert_eq!(found("In Wien", &[token(2, 0.1)]), [""; 0]);
    }

    #[test]
    fn german_nouns_behind_articles_are_names_in_the_first_sentence_only() {
        let german = |answer| unsure_of(answer, "Wer war das?", Language::German);
        assert_eq!(german("Das war die <Wolga>."), ["Wolga"]);
        let long = "Das war Carl Gauß. Die <Schule> und die sehr alte <Stadt> in <Göttingen> mochte der kluge <Mann> seit <1795>.";
        assert_eq!(german(long), ["Göttingen", "1795"]);
        let english = unsure_of("It was he. The <Danube> is long.", "Who?", Language::English);
        assert_eq!(english, ["Danube"]);
    }
}
