//! Four digits that are a year, and those that are a number.

use quartet_api::Language;

use super::Scanner;

/// English words after which four digits count something, or may.
const COUNTING: &[&str] = &[
    "about",
    "approximately",
    "around",
    "roughly",
    "nearly",
    "almost",
    "over",
    "under",
    "some",
    "than",
    "least",
    "most",
    "only",
    "exactly",
    "all",
    "these",
    "those",
    "many",
    "to",
    "every",
    "another",
    "has",
    "have",
    "had",
    "were",
    "are",
    "sold",
    "paid",
    "up",
];
/// English plurals without an s.
const PLURALS: &[&str] = &[
    "people", "men", "women", "children", "feet", "teeth", "mice", "fish", "sheep", "geese", "police", "staff",
    "deaths", "of",
];

impl Scanner<'_> {
    /// Returns true if four digits are a year: in English and German, where years are said otherwise than numbers. They are one
    /// after words such as "in", and in our time or after "the" unless they count something.
    pub(super) fn is_year(&self, number: u64, next: &str) -> bool {
        if self.rules.year_cues.is_empty() {
            return false;
        }
        let before = self.previous_word();
        let following = next.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        let cue = self.rules.year_cues.contains(&before.as_str());
        let our_time = (1900..2100).contains(&number);
        let bracketed = (1100..1900).contains(&number) && self.previous() == Some('(');
        match self.language {
            Language::English => {
                let lower = following.starts_with(char::is_lowercase);
                let plural = lower
                    && (PLURALS.contains(&following)
                        || following.ends_with('s')
                            && following.len() > 3
                            && !following.ends_with("ss")
                            && !following.ends_with("us")
                            && !matches!(
                                following,
                                "was" | "has" | "does" | "goes" | "is" | "this" | "always" | "perhaps" | "sees"
                            ));
                if plural && !matches!(before.as_str(), "in" | "since" | "until" | "year" | "during" | "circa") {
                    return false;
                }
                let counts = COUNTING.contains(&before.as_str()) && lower && !next.is_empty();
                let named = before == "the" && lower && (1010..2100).contains(&number);
                cue || named || our_time && !counts || bracketed
            }
            // German: "1848 brach" is a year, "1950 Menschen" are counted.
            Language::German => {
                let noun = following.starts_with(char::is_uppercase) && following.chars().nth(1).is_some();
                let verb = following.starts_with(char::is_lowercase) && before.is_empty();
                !noun && (cue || our_time || bracketed || verb && (1100..2100).contains(&number))
                    || noun && matches!(before.as_str(), "jahr" | "jahre" | "anno")
            }
            Language::Hindi => {
                let after = next.split(' ').next().unwrap_or_default();
                cue || (1100..2000).contains(&number) && matches!(after, "में" | "का" | "की" | "के" | "से" | "तक")
                    || our_time
            }
            _ => cue || our_time || bracketed,
        }
    }
}
