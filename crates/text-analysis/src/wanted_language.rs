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
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() && !('\u{2e80}'..'\u{d7b0}').contains(&c));
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
