//! Replies of a model: a JSON document where the model can be held to a schema, else text that is taken as it is.

use quartet_api::Language;
use quartet_lang_detect::{Writing, is_own, writing};
use serde_json::{Map, Value};

/// A reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reply {
    /// Number of the passage that answers, from 1; 0 when none does, [`ALL`] for all of them.
    pub passage: usize,
    /// The answer.
    pub answer: String,
}

/// The passage of a reply that names none, or all.
const ALL: usize = usize::MAX;

/// The beginning of the name of the field with the answer, with the quotation mark before it.
const ANSWER: &str = "\"answer";

/// Length below which a text is no summary, in characters.
const MIN_SUMMARY_LENGTH: usize = 40;

/// The language of an answer about passages in another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Translation<'a> {
    /// Language of the passages.
    pub from: Language,
    /// Language of the answer.
    pub to: Language,
    /// The question; its letters may stand in the answer.
    pub question: &'a str,
}

/// The schema of replies that name one of so many passages, where 0 is none.
///
/// Where the answer is in another language than the passages, the field for it is called so, since of all reminders a small model
/// heeds the last one; and it has no letters of a script that neither that language nor the question has.
pub(super) fn schema(passages: usize, translation: Option<Translation<'_>>) -> String {
    let passage = format!(r#"{{"type":"integer","minimum":0,"maximum":{passages}}}"#);
    answer_schema("passage", &passage, 0, translation)
}

/// The schema of replies about all of these passages, which cannot say nothing. Small models that choose a passage first write about
/// that one only, and without any they recite the headings.
pub(super) fn whole_schema(passages: &[usize], translation: Option<Translation<'_>>) -> String {
    let passages = format!(r#"{{"const":{passages:?}}}"#);
    answer_schema("passages", &passages, MIN_SUMMARY_LENGTH, translation)
}

fn answer_schema(passage: &str, numbers: &str, least: usize, translation: Option<Translation<'_>>) -> String {
    let field = translation.map_or_else(
        || "answer".to_owned(),
        |translation| format!("answer in {}", translation.to.name()),
    );
    let answer = text_schema(least, translation);
    // The passage comes first, which a map of the crate would not keep.
    format!(
        r#"{{"type":"object","properties":{{"{passage}":{numbers},"{field}":{answer}}},"required":["{passage}","{field}"],"additionalProperties":false}}"#
    )
}

/// The schema of replies with a text that was asked for, and nothing else.
pub(super) fn made_schema(translation: Option<Translation<'_>>) -> String {
    let answer = text_schema(1, translation);
    format!(
        r#"{{"type":"object","properties":{{"answer":{answer}}},"required":["answer"],"additionalProperties":false}}"#
    )
}

/// The schema of a text of this length at least, in the letters of its language.
fn text_schema(least: usize, translation: Option<Translation<'_>>) -> String {
    // A length beside a pattern is more than the engine's library can decide.
    match translation.and_then(|translation| translation.letters(least)) {
        Some(letters) => format!(r#"{{"type":"string","pattern":"{letters}"}}"#),
        None => format!(r#"{{"type":"string","minLength":{least}}}"#),
    }
}

/// The schema of replies with a translation of so many sentences, each under its number.
pub(super) fn sentences_schema(count: usize, translation: Translation<'_>) -> String {
    let text = text_schema(1, Some(translation));
    let fields: Vec<String> = (1..=count).map(|number| format!(r#""{number}":{text}"#)).collect();
    let names: Vec<String> = (1..=count).map(|number| format!(r#""{number}""#)).collect();
    format!(
        r#"{{"type":"object","properties":{{{}}},"required":[{}],"additionalProperties":false}}"#,
        fields.join(","),
        names.join(",")
    )
}

/// The sentences of a reply of that schema, none for those that are missing; one that was cut off has those before its end.
pub(super) fn read_sentences(written: &str, count: usize) -> Vec<Option<String>> {
    let whole = serde_json::from_str::<Map<String, Value>>(written).ok();
    let cut = || {
        let (complete, _) = written.rsplit_once("\",")?;
        serde_json::from_str(&format!("{complete}\"}}")).ok()
    };
    let mut fields: Map<String, Value> = whole.or_else(cut).unwrap_or_default();
    (1..=count)
        .map(|number| match fields.remove(&number.to_string()) {
            Some(Value::String(text)) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            _ => None,
        })
        .collect()
}

/// The schema of replies that name one of so many passages, or none, and nothing else.
pub(super) fn passage_schema(passages: usize) -> String {
    format!(
        r#"{{"type":"object","properties":{{"passage":{{"type":"integer","minimum":0,"maximum":{passages}}}}},"required":["passage"],"additionalProperties":false}}"#
    )
}

/// The passage that a reply of that schema names; 0 for none.
pub(super) fn passage(written: &str) -> Option<usize> {
    let reply: Map<String, Value> = serde_json::from_str(written).ok()?;
    usize::try_from(reply.get("passage")?.as_u64()?).ok()
}

/// The schema of replies with words of one passage.
pub(super) fn words_schema(passage: usize) -> String {
    format!(
        r#"{{"type":"object","properties":{{"passage":{{"const":{passage}}},"{WORDS}":{{"type":"string","minLength":2}}}},"required":["passage","{WORDS}"],"additionalProperties":false}}"#
    )
}

/// The words of a reply of that schema, also of one that was cut off.
pub(super) fn words(written: &str) -> Option<String> {
    let whole = || {
        let fields: Map<String, Value> = serde_json::from_str(written).ok()?;
        fields.get(WORDS)?.as_str().map(str::to_owned)
    };
    let cut = || {
        let (_, value) = written.split_once(WORDS)?;
        let (_, text) = value.split_once(":")?;
        let text = text.trim().trim_start_matches('"');
        serde_json::from_str(&format!("\"{text}\"")).ok()
    };
    let words: Option<String> = whole().or_else(cut);
    words.filter(|words| !words.trim().is_empty())
}

/// The field for words that are copied.
const WORDS: &str = "words of the passage";

impl Translation<'_> {
    /// A regular expression, as it stands in JSON, for texts of this length at least without letters of the passages' script, unless the
    /// answer or the question has such letters, and which begin in those of the answer's language; none where both are Latin, in which
    /// names and units stand in every language.
    fn letters(&self, least: usize) -> Option<String> {
        let classes = |wanted: &dyn Fn(Writing) -> bool| -> String {
            let scripts = SCRIPTS.into_iter().filter(|(script, _)| wanted(*script));
            scripts.map(|(_, class)| class).collect()
        };
        let asked = |script: Writing| self.question.chars().any(|c| writing(c) == script);
        let own = classes(&|script| is_own(script, self.to));
        let foreign = classes(&|script| is_own(script, self.from) && !is_own(script, self.to) && !asked(script));
        let rest = match foreign.as_str() {
            "" => ".".to_owned(),
            foreign => format!("[^{foreign}]"),
        };
        // One letter of its own was followed by a sentence in Latin ones.
        let begins = format!(r"\P{{L}}*[{own}][{own}\P{{L}}]{{{BEGINNING}}}{rest}");
        let after = least.saturating_sub(BEGINNING + 1);
        let pattern = match (own.is_empty(), foreign.is_empty()) {
            (true, true) => return None,
            (true, false) => format!("^{rest}{{{least},}}$"),
            (false, _) if after > 0 => format!("^{begins}{{{after},}}$"),
            (false, _) => {
                let short = format!(r"\P{{L}}*[{own}][{own}\P{{L}}]{{0,{BEGINNING}}}");
                let nothing = if least == 0 { "?" } else { "" };
                format!("^({short}|{begins}*){nothing}$")
            }
        };
        Some(pattern.replace('\\', r"\\"))
    }
}

/// Characters behind the first letter of an answer that are no letters of another script.
const BEGINNING: usize = 6;

/// The scripts of the languages beside Latin, as classes of a regular expression.
const SCRIPTS: [(Writing, &str); 6] = [
    (Writing::Han, r"\p{Han}"),
    (Writing::Kana, r"\p{Hiragana}\p{Katakana}"),
    (Writing::Hangul, r"\p{Hangul}"),
    (Writing::Devanagari, r"\p{Devanagari}"),
    (Writing::Arabic, r"\p{Arabic}"),
    (Writing::Cyrillic, r"\p{Cyrillic}"),
];

/// Reads a reply; one that was cut off has the sentences that are complete.
pub(super) fn read(written: &str, complete: bool) -> Reply {
    let written = written.trim();
    if let Ok(fields) = serde_json::from_str::<Map<String, Value>>(json(written)) {
        return of_fields(&fields);
    }
    let cut = |text: &str| {
        let end = if complete { text.len() } else { last_sentence_end(text) };
        text[..end].to_owned()
    };
    match split_at_answer(written) {
        Some((before, rest)) => {
            let text = rest
                .trim()
                .trim_start_matches('"')
                .trim_end_matches(['}', '"', ' ', '\n']);
            let text = serde_json::from_str(&format!("\"{text}\"")).unwrap_or_else(|_| text.to_owned());
            Reply {
                passage: passage_in(before),
                answer: cut(&text),
            }
        }
        None if written.starts_with('{') => Reply::default(),
        None => Reply {
            passage: first_mark(written).unwrap_or(ALL),
            answer: cut(written),
        },
    }
}

/// The reply of a whole document.
fn of_fields(fields: &Map<String, Value>) -> Reply {
    let answer = fields.iter().find(|(name, _)| name.starts_with(&ANSWER[1..]));
    let answer = answer.and_then(|(_, answer)| answer.as_str()).unwrap_or_default();
    let passage = fields.get("passage").and_then(Value::as_u64).unwrap_or_default();
    let passage = usize::try_from(passage).unwrap_or_default();
    Reply {
        passage: if fields.contains_key("passages") { ALL } else { passage },
        answer: answer.to_owned(),
    }
}

/// The number of the passage in what stands before the answer.
fn passage_in(before: &str) -> usize {
    if before.contains("\"passages\"") {
        return ALL;
    }
    let digits: String = before.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// The text before the field with the answer, and its value as it is written.
fn split_at_answer(written: &str) -> Option<(&str, &str)> {
    let (before, rest) = written.split_once(ANSWER)?;
    let (_, value) = rest.split_once("\":")?;
    Some((before, value))
}

/// Reads a reply that is still being written; none before its answer begins.
pub(super) fn read_so_far(written: &str) -> Option<Reply> {
    match written.trim_start().chars().next()? {
        '{' | '`' => {}
        _ => return Some(read(written, true)),
    }
    let (before, rest) = split_at_answer(written)?;
    let text = rest.trim_start().strip_prefix('"')?;
    let mut escaped = false;
    let end = text.find(|c: char| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    // An escape at the end may be only half there.
    let whole = match (end, text.rfind('\\')) {
        (Some(end), _) => &text[..end],
        (None, Some(escape)) if text.len() - escape < LONGEST_ESCAPE => &text[..escape],
        (None, _) => text,
    };
    Some(Reply {
        passage: passage_in(before),
        answer: serde_json::from_str(&format!("\"{whole}\"")).ok()?,
    })
}

/// Length in bytes of the longest escape of one character in JSON: two halves such as `\ud83d`.
const LONGEST_ESCAPE: usize = 12;

/// The JSON document in a text, without a fence around it.
fn json(text: &str) -> &str {
    match (text.find('{'), text.rfind('}')) {
        (Some(from), Some(to)) if from < to => &text[from..=to],
        _ => text,
    }
}

/// The number of the first mark such as `[2]`.
pub(super) fn first_mark(text: &str) -> Option<usize> {
    let marked = text.split('[').skip(1);
    marked
        .filter_map(|rest| rest.split_once(']'))
        .find_map(|(number, _)| number.trim().parse().ok())
}

/// A text without marks such as `[2]`.
pub(super) fn without_marks(text: &str) -> String {
    let mut clean = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        match after.split_once(']') {
            Some((number, after)) if !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == ' ') => {
                clean.push_str(before.trim_end());
                rest = after;
            }
            _ => {
                clean.push_str(before);
                clean.push('[');
                rest = after;
            }
        }
    }
    clean.push_str(rest);
    clean.trim().to_owned()
}

/// The end of the last complete sentence. A full stop at the very end, or before a letter, may be one of a name that goes on: "mime.cache".
fn last_sentence_end(text: &str) -> usize {
    let mut after = None;
    for (at, c) in text.char_indices().rev() {
        let ends = match c {
            '.' => after.is_some_and(|c: char| !c.is_alphanumeric()),
            '!' | '?' | '。' | '！' | '？' | '।' | '؟' => true,
            _ => false,
        };
        if ends {
            return at + c.len_utf8();
        }
        after = Some(c);
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_read_whole_cut_off_or_as_plain_text() {
        let reply = |passage, answer: &str| Reply {
            passage,
            answer: answer.to_owned(),
        };
        for (written, complete, read_as) in [
            (
                r#"{"passage": 2, "answer": "It is \"old\"."}"#,
                true,
                reply(2, "It is \"old\"."),
            ),
            (r#"{"passage": 0, "answer": ""}"#, true, reply(0, "")),
            (r#"{"passage": 3, "answer": "One. Two"#, false, reply(3, "One.")),
            (r#"{"passage": 3"#, false, reply(0, "")),
            (r#"{"passages": [2, 3], "answer": "All. Of"#, false, reply(ALL, "All.")),
            (
                r#"{"passages":[2,3],"answer":"All of it."}"#,
                true,
                reply(ALL, "All of it."),
            ),
            (
                r#"{"passage": 3, "answer": "It has a cache. Its name is mime."#,
                false,
                reply(3, "It has a cache."),
            ),
            (
                "```json\n{\"passage\": 1, \"answer\": \"Yes.\"}\n```",
                true,
                reply(1, "Yes."),
            ),
            (
                r#"{"passage": 2, "answer in German": "Sie ist alt."}"#,
                true,
                reply(2, "Sie ist alt."),
            ),
            (r#"{"passage":2,"answer in German":"Eins. Zw"#, false, reply(2, "Eins.")),
            ("It is old [4].", true, reply(4, "It is old [4].")),
            ("It is old.", true, reply(usize::MAX, "It is old.")),
        ] {
            assert_eq!(read(written, complete), read_as, "{written}");
        }
    }

    #[test]
    fn a_reply_is_read_while_it_is_written() {
        let whole = r#"{"passage": 12, "answer": "It is \"old\" 😀. The Lenn\u2019s wheel \ud83d\ude00 turns. No."}"#;
        let last = read(whole, true);
        let boundaries = (0..=whole.len()).filter(|end| whole.is_char_boundary(*end));
        let read: Vec<Reply> = boundaries.filter_map(|end| read_so_far(&whole[..end])).collect();
        for reply in &read {
            assert!(
                reply.passage == 12 && last.answer.starts_with(&reply.answer),
                "{reply:?}"
            );
        }
        assert_eq!(read.last(), Some(&last));
        assert!(read.len() > 30, "{}", read.len());
        assert_eq!(read_so_far(r#"{"passage": 1"#), None);
        assert_eq!(
            read_so_far("It is old [4]. It"),
            Some(super::read("It is old [4]. It", true))
        );
    }

    #[test]
    fn an_answer_in_another_language_is_told_so_and_keeps_to_its_letters() {
        let answer = |from, to, question| {
            let schema = schema(7, Some(Translation { from, to, question }));
            let schema: Value = serde_json::from_str(&schema).unwrap();
            assert_eq!(schema["required"][0], "passage");
            let name = schema["required"][1].as_str().unwrap().to_owned();
            let pattern = schema["properties"][&name]["pattern"].as_str().map(str::to_owned);
            (name, pattern)
        };
        let told = |name: &str, pattern: Option<&str>| (name.to_owned(), pattern.map(str::to_owned));
        assert_eq!(
            answer(Language::Russian, Language::German, "Wie oft?"),
            told("answer in German", Some(r"^[^\p{Cyrillic}]{0,}$"))
        );
        assert_eq!(
            answer(Language::Japanese, Language::Chinese, "多少？"),
            told(
                "answer in Chinese",
                Some(
                    r"^(\P{L}*[\p{Han}][\p{Han}\P{L}]{0,6}|\P{L}*[\p{Han}][\p{Han}\P{L}]{6}[^\p{Hiragana}\p{Katakana}]*)?$"
                )
            )
        );
        // Names and units are Latin in every language, but a sentence does not begin with them.
        assert_eq!(
            answer(Language::German, Language::Hindi, "कितने?").1.as_deref(),
            Some(
                r"^(\P{L}*[\p{Devanagari}][\p{Devanagari}\P{L}]{0,6}|\P{L}*[\p{Devanagari}][\p{Devanagari}\P{L}]{6}.*)?$"
            )
        );
        // What is asked for may be answered.
        for (from, to, question) in [
            (Language::Spanish, Language::German, "Wie oft?"),
            (Language::Russian, Language::German, "Was heißt „мир“?"),
        ] {
            assert_eq!(answer(from, to, question).1, None, "{question}");
        }
    }

    #[test]
    fn a_length_and_letters_are_one_limit() {
        let japanese = Translation {
            from: Language::English,
            to: Language::Japanese,
            question: "",
        };
        let schema: Value = serde_json::from_str(&whole_schema(&[2, 3], Some(japanese))).unwrap();
        let answer = &schema["properties"]["answer in Japanese"];
        assert_eq!(answer["minLength"], Value::Null);
        let pattern = answer["pattern"].as_str().unwrap();
        assert!(pattern.ends_with(".{33,}$"), "{pattern}");
        let spanish = Translation {
            to: Language::Spanish,
            ..japanese
        };
        let schema: Value = serde_json::from_str(&sentences_schema(2, spanish)).unwrap();
        assert_eq!(schema["properties"]["2"]["minLength"], 1);
        assert_eq!(schema["required"], serde_json::json!(["1", "2"]));
    }

    #[test]
    fn translated_sentences_are_read_whole_or_cut_off() {
        let two = |one: Option<&str>, other: Option<&str>| vec![one.map(str::to_owned), other.map(str::to_owned)];
        for (written, read) in [
            (
                r#"{"1": "Eins.", "2": "Zwei \"b\"."}"#,
                two(Some("Eins."), Some("Zwei \"b\".")),
            ),
            (r#"{"1":"Eins.","2":"Zw"#, two(Some("Eins."), None)),
            (r#"{"1":"Ei"#, two(None, None)),
            (r#"{"1":" ","2":"Zwei."}"#, two(None, Some("Zwei."))),
        ] {
            assert_eq!(read_sentences(written, 2), read, "{written}");
        }
    }

    #[test]
    fn words_are_read_whole_or_cut_off() {
        for (written, read) in [
            (
                r#"{"passage": 2, "words of the passage": "at \"ten\""}"#,
                Some("at \"ten\""),
            ),
            (r#"{"passage":2,"words of the passage":"at te"#, Some("at te")),
            (r#"{"passage":2,"words of the pass"#, None),
            (r#"{"passage":2,"words of the passage":" "}"#, None),
        ] {
            assert_eq!(words(written).as_deref(), read, "{written}");
        }
        let schema: Value = serde_json::from_str(&words_schema(3)).unwrap();
        assert_eq!(schema["properties"]["passage"]["const"], 3);
        assert_eq!(schema["required"], serde_json::json!(["passage", WORDS]));
    }

    #[test]
    fn marks_are_taken_out_of_a_text() {
        assert_eq!(
            without_marks("It is old [4]. It [a] stands [1][2]."),
            "It is old. It [a] stands."
        );
    }
}
