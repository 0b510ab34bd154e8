//! The language that a request names for its answer: "Summarise it in Spanish".

use quartet_api::Language;

use crate::messages::name_of;

/// The language that a request in `language` wants its answer in, where it names one, and the request without those words, in lower
/// case. Questions name languages for other reasons, too ("Which chapters are in Spanish?"), so that whatever ends as a question
/// names none.
#[must_use]
pub fn wanted_language(request: &str, language: Language) -> Option<(Language, String)> {
    let request = request.trim().to_lowercase();
    if is_question(&request) {
        return None;
    }
    Language::ALL.into_iter().find_map(|wanted| {
        let phrases = phrases(&name_of(wanted, language).to_lowercase(), language);
        let (start, length) = phrases
            .iter()
            .find_map(|phrase| Some((place(&request, phrase)?, phrase.len())))?;
        let (before, after) = (request[..start].trim_end(), &request[start + length..]);
        Some((wanted, format!("{before}{after}")))
    })
}

/// A language that a request in `language` names, other than the one of the document: that of a text to be made of it. Names are also
/// understood in English; with inflections behind them.
#[must_use]
pub fn named_language(request: &str, language: Language, document: Language) -> Option<Language> {
    let request = request.to_lowercase();
    let begins_word = |start: usize| {
        let before = request[..start].chars().next_back();
        before.is_none_or(|c| !c.is_alphabetic() || is_unspaced(c))
    };
    let is_named = |named: Language| {
        [language, Language::English].into_iter().any(|said_in| {
            let name = name_of(named, said_in).to_lowercase();
            let stems = match said_in {
                Language::Russian => vec![name.strip_suffix("ий").unwrap_or(&name).to_owned()],
                // 英语 and 英文; Chinese itself is called by several names.
                Language::Chinese if named == Language::Chinese => vec![name, "中文".to_owned()],
                Language::Chinese => vec![name.replace('语', "文"), name],
                _ => vec![name],
            };
            let mut places = stems.iter().flat_map(|stem| request.match_indices(stem.as_str()));
            places.any(|(start, _)| begins_word(start))
        })
    };
    Language::ALL
        .into_iter()
        .find(|named| *named != document && is_named(*named))
}

/// Returns true for a letter of a script that has no spaces between words, or of one whose words take particles.
fn is_unspaced(c: char) -> bool {
    ('\u{2e80}'..'\u{d7b0}').contains(&c)
}

/// Returns true for a text that ends as a question.
#[must_use]
pub fn is_question(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？', '؟'])
}

/// A language's name with the words around it that say "in this language".
fn phrases(name: &str, language: Language) -> Vec<String> {
    match language {
        Language::English | Language::Italian => vec![format!("in {name}")],
        Language::German => vec![format!("auf {name}"), format!("in {name}")],
        Language::Spanish | Language::French => vec![format!("en {name}")],
        Language::Portuguese => vec![format!("em {name}")],
        // "На испанском языке", "по-испански"
        Language::Russian => {
            let stem = name.strip_suffix("ий").unwrap_or(name);
            vec![
                format!("на {stem}ом языке"),
                format!("на {stem}ом"),
                format!("по-{stem}и"),
            ]
        }
        Language::Japanese => vec![format!("{name}で")],
        Language::Chinese => vec![format!("用{name}"), format!("{name}写"), format!("成{name}")],
        Language::Korean => vec![format!("{name}로")],
        Language::Arabic => vec![format!("ب{name}"), format!("باللغة {name}")],
        Language::Hindi => vec![format!("{name} में")],
    }
}

/// The place where a phrase stands in a text as words of its own; in Chinese, Japanese and Korean, anywhere.
fn place(text: &str, phrase: &str) -> Option<usize> {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() && !is_unspaced(c));
    let mut places = text.match_indices(phrase).map(|(start, _)| start);
    places.find(|start| {
        let after = text[start + phrase.len()..].chars().next();
        !joins(text[..*start].chars().next_back()) && !joins(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_the_language_of_its_answer() {
        use Language::{
            Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
        };
        for (request, language, wanted) in [
            ("Summarise it in Spanish in three sentences.", English, Some(Spanish)),
            ("Fasse das auf Französisch zusammen.", German, Some(French)),
            ("Resúmelo en alemán", Spanish, Some(German)),
            ("Résume-le en anglais.", French, Some(English)),
            ("Riassumilo in inglese", Italian, Some(English)),
            ("Resuma em inglês.", Portuguese, Some(English)),
            ("Перескажи на английском языке", Russian, Some(English)),
            ("英語で要約してください。", Japanese, Some(English)),
            ("请用英语总结", Chinese, Some(English)),
            ("영어로 요약해 주세요.", Korean, Some(English)),
            ("لخصه بالإنجليزية", Arabic, Some(English)),
            ("इसे अंग्रेज़ी में संक्षेप में बताओ", Hindi, Some(English)),
            ("Which chapters are in Spanish?", English, None),
            ("Summarise it", English, None),
            ("Tell me about the Spanish chapters", English, None),
            ("Summarise what it says in Germany", English, None),
        ] {
            let named = wanted_language(request, language).map(|(named, _)| named);
            assert_eq!(named, wanted, "{request}");
        }
        for (request, language, document, named) in [
            (
                "translate this letter from German into Russian",
                English,
                German,
                Some(Russian),
            ),
            ("Übersetze das ins Englische", German, German, Some(English)),
            ("traduce todo al inglés", Spanish, Spanish, Some(English)),
            ("переведи на русский часть про оплату", Russian, English, Some(Russian)),
            ("Podes traduzir para português?", Portuguese, French, Some(Portuguese)),
            ("把这封信翻译成英文", Chinese, Chinese, Some(English)),
            ("한국어로 정리해 줘", Korean, English, Some(Korean)),
            ("translate it", English, German, None),
            ("make a list", English, English, None),
        ] {
            assert_eq!(named_language(request, language, document), named, "{request}");
        }
        for (request, language, rest) in [
            (
                "Summarise it in Spanish in three sentences.",
                English,
                "summarise it in three sentences.",
            ),
            ("请用英语总结", Chinese, "请总结"),
            ("На английском языке, кратко.", Russian, ", кратко."),
        ] {
            assert_eq!(wanted_language(request, language).unwrap().1, rest);
        }
    }
}
