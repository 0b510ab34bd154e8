//! Hindi requests that end with a verb that is a number as well: "दे दो" is "give", and no two.

use std::borrow::Cow;

use quartet_api::Language;

/// Stems of verbs that requests are made of with "दो", "give".
const STEMS: [&str; 24] = [
    "दे",
    "कर",
    "बता",
    "लिख",
    "बना",
    "सुना",
    "कह",
    "दिखा",
    "भेज",
    "समझा",
    "हटा",
    "जोड़",
    "घटा",
    "निकाल",
    "बदल",
    "रख",
    "डाल",
    "छोड़",
    "बोल",
    "पढ़",
    "खोल",
    "सिखा",
    "गिना",
    "बढ़ा",
];

/// "Give", as a number and as it is politely said.
const GIVE: &str = "दो";
const POLITE: &str = "दें";

/// A question in which such requests are in the polite form, which is no number.
pub(super) fn without_numbers(question: &str, language: Language) -> Cow<'_, str> {
    if language != Language::Hindi || !question.contains(GIVE) {
        return Cow::Borrowed(question);
    }
    let mut before = "";
    let words = question.split(' ').map(|word| {
        let is_request = STEMS.contains(&before) && word.trim_end_matches(['।', '?', '!', '.']) == GIVE;
        before = word;
        match is_request {
            true => Cow::Owned(word.replacen(GIVE, POLITE, 1)),
            false => Cow::Borrowed(word),
        }
    });
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_no_number() {
        for (question, expected) in [
            ("2 और दे दो", "2 और दे दें"),
            ("45 को 23 से गुणा कर दो।", "45 को 23 से गुणा कर दें।"),
            ("दो और दो कितने", "दो और दो कितने"),
            ("चार में दो जोड़ दो", "चार में दो जोड़ दें"),
        ] {
            assert_eq!(without_numbers(question, Language::Hindi), expected);
        }
    }
}
