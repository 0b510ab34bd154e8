//! Messages around answers, and instead of them.

use quartet_api::Language;

use crate::messages::messages;

/// Names and numbers that are listed; more say nothing more to a reader.
const MAX_UNSURE: usize = 5;

/// The reason why a search gave nothing.
pub(super) fn no_search(status: &str, language: Language) -> &'static str {
    messages(language).get(match status {
        "off" => "search_off",
        "unreachable" => "search_unreachable",
        "refused" => "search_refused",
        _ => "search_found_nothing",
    })
}

/// The words before the nearest passage where nothing answers.
pub(super) fn not_answered(language: Language) -> &'static str {
    messages(language).get("not_answered")
}

/// The answer to a question about what is so today.
pub(super) fn not_looked_up(language: Language) -> &'static str {
    messages(language).get("not_looked_up")
}

/// The answer to a question for a date or a time that could not be computed.
pub(super) fn not_computed(language: Language) -> &'static str {
    messages(language).get("not_computed")
}

/// The answer to somebody who thinks of ending their life.
pub(super) fn crisis(language: Language) -> &'static str {
    messages(language).get("crisis")
}

/// The question for a number that a sum lacks, by its name in English.
pub(super) fn missing(what: &str, language: Language) -> String {
    messages(language).format("missing", &[("what", what)])
}

/// Returns true for a question for a number that a sum lacks, in whatever language.
pub(super) fn asks_for_missing(answer: &str) -> bool {
    Language::ALL.into_iter().any(|language| {
        let parts = messages(language).get("missing").split_once("{what}");
        parts.is_some_and(|(begin, end)| answer.starts_with(begin) && answer.ends_with(end))
    })
}

/// What stands behind figures of the model that should have been computed.
pub(super) fn unchecked_figures(language: Language) -> &'static str {
    messages(language).get("unchecked_figures")
}

/// What stands behind figures of the model where there was no time to understand what is to be computed.
pub(super) fn figures_without_time(language: Language) -> &'static str {
    messages(language).get("figures_without_time")
}

/// What stands behind a sum that the model made of a word problem.
pub(super) fn unchecked_reading(language: Language) -> &'static str {
    messages(language).get("unchecked_reading")
}

/// What stands behind a result that somebody doubts, and that was computed again.
pub(super) fn computed_again(language: Language) -> &'static str {
    messages(language).get("computed_again")
}

/// The remark behind advice about somebody's body.
pub(super) fn no_doctor(language: Language) -> &'static str {
    messages(language).get("no_doctor")
}

/// What stands behind an answer with names and numbers that the model was not sure of: the first of them.
pub(super) fn unsure(list: &[String], language: Language) -> String {
    let mut text = list[..list.len().min(MAX_UNSURE)].join(if is_wide(language) { "、" } else { ", " });
    if list.len() > MAX_UNSURE {
        text.push('…');
    }
    messages(language).format("unsure", &[("list", &text)])
}

/// The words before what an answer is not sure of.
fn unsure_begins(language: Language) -> &'static str {
    let message = messages(language).get("unsure");
    message.split('{').next().unwrap_or(message)
}

/// An answer of an earlier turn without the remarks of the service behind it, in whatever language: a model would repeat them.
pub(super) fn without_remarks(answer: &str) -> &str {
    let mut text = answer.trim_end();
    while let Some(shorter) = Language::ALL
        .into_iter()
        .find_map(|language| without_remark(text, language))
    {
        text = shorter.trim_end();
    }
    text
}

/// An answer without the last remark of the service behind it; nothing where it has none.
fn without_remark(answer: &str, language: Language) -> Option<&str> {
    let fixed = [
        unchecked_figures(language),
        figures_without_time(language),
        unchecked_reading(language),
        computed_again(language),
        no_doctor(language),
    ];
    let fixed = fixed.into_iter().find_map(|remark| answer.strip_suffix(remark));
    // What is listed differs: the words before it do not.
    fixed.or_else(|| {
        let begins = unsure_begins(language);
        let (before, remark) = answer.rsplit_once("\n\n")?;
        remark.starts_with(begins).then_some(before)
    })
}

/// Returns true for an answer that is none: a sentence of the service, in whatever language.
pub(super) fn is_no_answer(answer: &str) -> bool {
    let answer = answer.trim();
    Language::ALL
        .into_iter()
        .any(|language| [not_looked_up(language), not_computed(language)].contains(&answer))
}

/// True for languages that list without spaces.
fn is_wide(language: Language) -> bool {
    matches!(language, Language::Chinese | Language::Japanese)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_message_of_its_own() {
        for language in Language::ALL {
            let mut all = ["off", "unreachable", "refused", "nothing_found"]
                .map(|status| no_search(status, language))
                .to_vec();
            all.extend([
                not_answered(language),
                not_computed(language),
                not_looked_up(language),
                unchecked_figures(language),
                figures_without_time(language),
                unchecked_reading(language),
                crisis(language),
                no_doctor(language),
            ]);
            all.sort_unstable();
            all.dedup();
            assert!(all.len() == 12 && !all[0].is_empty(), "{language}: {all:?}");
        }
    }
}
