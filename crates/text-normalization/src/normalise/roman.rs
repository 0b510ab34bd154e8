//! Roman numerals: after rulers and before centuries as ordinals or cardinals, elsewhere as cardinals.

use quartet_api::Language;

use super::super::languages::{Agreement, Rulers, feminine};
use super::{Scanner, after_space};

impl Scanner<'_> {
    /// Roman numerals: "Louis XIV", "World War II", "XIXe siècle", "XX век".
    pub(super) fn roman(&mut self, word: &str, after: &str) -> bool {
        let latin = word.trim_end_matches(|c: char| !"IVXLCDM".contains(c));
        let suffix = &word[latin.len()..];
        // "Le", "Ce", "De", "Me" are words.
        if !suffix.is_empty() && matches!(latin, "L" | "C" | "D" | "M") {
            return false;
        }
        let Some(number) = roman(latin) else { return false };
        let before = self.previous_word();
        let (next, _) = after_space(after);
        let next_word: String = next
            .chars()
            .take_while(|c| c.is_alphabetic())
            .take(16)
            .collect::<String>()
            .to_lowercase();
        let ruler = self.rules.rulers.contains(&before.as_str());
        let numbered = self.counts_parts(latin);
        let century = self.rules.centuries.contains(&next_word.as_str())
            || matches!(before.as_str(), "século" | "siglo" | "secolo")
            || matches!(next_word.as_str(), "в" | "вв") && next[next_word.len()..].starts_with('.');
        if !suffix.is_empty() {
            // Only French writes letters after them.
            let words = (self.language == Language::French)
                .then(|| (self.rules.ordinal)(number, suffix))
                .flatten();
            return words.is_some_and(|words| {
                self.say(&words, word.len());
                true
            });
        }
        if let Some(words) = self.ordered(number, &next_word) {
            self.say(&words, word.len());
            return true;
        }
        if numbered {
            self.say(&(self.rules.cardinal)(number, Agreement::Alone), word.len());
            return true;
        }
        // A single letter is a numeral only where nothing else can be meant, and so are words that look like numerals.
        let single = latin.len() == 1;
        let ambiguous = matches!(
            latin,
            "DC" | "CD"
                | "MC"
                | "MD"
                | "DI"
                | "MI"
                | "LI"
                | "DM"
                | "CV"
                | "MM"
                | "CC"
                | "MIX"
                | "DIV"
                | "CL"
                | "LC"
                | "CM"
                | "ML"
                | "XL"
                | "CI"
                | "LCD"
        );
        let foreign = self.latin_is_foreign();
        if self.latin_is_foreign() && self.language != Language::Russian {
            return false;
        }
        let certain = ruler || century;
        if !certain
            && (single
                || ambiguous
                || after.starts_with(['.', '\'']) && self.language != Language::German
                || foreign && self.rules.rulers.is_empty())
        {
            return false;
        }
        if single && !certain
            || single && latin == "I" && matches!(self.language, Language::English | Language::Italian)
        {
            return false;
        }
        if self.language == Language::Russian && matches!(next_word.as_str(), "в" | "вв") && century {
            return self.russian_century(number, word.len(), next, &before, after);
        }
        let words = self.roman_words(number, ruler, century, &next_word, &before);
        // "Ludwig XIV." has the full stop of an ordinal.
        let dot = usize::from(
            self.language == Language::German
                && after.starts_with('.')
                && next.trim_start_matches(['.', ' ']).starts_with(char::is_lowercase),
        );
        self.say(&words, word.len() + dot);
        true
    }

    /// Returns true if the word before is a noun whose parts are counted ("Chapter V", "Kap. IV") with a numeral like this one. Other
    /// letters are letters ("Part D"), and after a full stop the English "I" begins a sentence.
    fn counts_parts(&self, numeral: &str) -> bool {
        let before = self.text[..self.at].trim_end_matches([' ', '\u{a0}']);
        let short = before.strip_suffix('.');
        let noun = short.unwrap_or(before);
        let start = noun
            .rfind(|c: char| !c.is_alphabetic())
            .map_or(0, |at| at + noun[at..].chars().next().map_or(1, char::len_utf8));
        let noun = &noun[start..];
        let nouns = if short.is_some() { SHORT_PARTS } else { COUNTED_PARTS };
        let known = nouns.split_ascii_whitespace().any(|part| part == noun.to_lowercase());
        // "the book I read"
        let named = self.language != Language::English || numeral.len() > 1 || noun.starts_with(char::is_uppercase);
        known && named && before.len() < self.at && numeral.bytes().all(|letter| b"IVX".contains(&letter))
    }

    /// The ordinal of a Roman number before a noun that is ordered, in the noun's gender.
    fn ordered(&self, number: u64, next: &str) -> Option<String> {
        let languages = [Language::Spanish, Language::Portuguese, Language::Italian];
        if !languages.contains(&self.language) || !ORDERED.split_ascii_whitespace().any(|noun| noun == next) {
            return None;
        }
        let shortened = self.language == Language::Spanish && matches!(number, 1 | 3);
        let suffix = match (feminine(self.language, next), shortened) {
            (true, _) => "ª",
            (_, true) => "er",
            _ => "º",
        };
        (self.rules.ordinal)(number, suffix)
    }

    /// Russian centuries whose noun is short, too: "в XX в.", "XIX–XX вв.".
    fn russian_century(&mut self, number: u64, len: usize, next: &str, before: &str, after: &str) -> bool {
        let (suffix, noun) = match (next.starts_with("вв."), before) {
            (true, "в" | "во") => ("х", "веках"),
            (true, _) => ("е", "века"),
            (_, "в" | "во") => ("м", "веке"),
            (_, "") => ("й", "век"),
            _ => ("го", "века"),
        };
        let Some(words) = (self.rules.ordinal)(number, suffix) else {
            return false;
        };
        let written = if next.starts_with("вв.") { "вв." } else { "в." };
        let rest = next[written.len()..].trim_start();
        let ends = rest.is_empty() || rest.starts_with(char::is_uppercase);
        let gap = after.len() - next.len();
        self.say(&format!("{words} {noun}"), len + gap + written.len());
        if ends {
            self.stop();
        }
        true
    }

    fn roman_words(&self, number: u64, ruler: bool, century: bool, next: &str, before: &str) -> String {
        let cardinal = || (self.rules.cardinal)(number, Agreement::Alone);
        let ordinal = |suffix: &str| (self.rules.ordinal)(number, suffix);
        let words = match (self.language, self.rules.ruler_style) {
            (Language::Russian, _) if century => ordinal(match next {
                "века" | "столетия" | "съезда" => "го",
                "веке" => "м",
                "веком" => "ым",
                "веку" => "му",
                "столетие" => "е",
                "веков" => "х",
                _ => "й",
            }),
            (Language::Russian, _) if ruler => {
                let feminine =
                    before.ends_with(['а', 'ы']) && before.starts_with(['е', 'а', 'м']) && before != "александра";
                ordinal(match (feminine, before.ends_with(['а', 'я', 'ы'])) {
                    (true, _) if before.ends_with('ы') => "ой",
                    (true, _) => "я",
                    (_, true) => "го",
                    (_, _) if before.ends_with('у') => "му",
                    _ => "й",
                })
            }
            (_, Rulers::Ordinals) if ruler => match self.language {
                Language::English => ordinal("th").map(|words| format!("the {words}")),
                Language::German => ordinal(".").map(|words| format!("der {words}")),
                Language::Italian if before.ends_with('a') && before != "andrea" => ordinal("ª"),
                _ => ordinal("º"),
            },
            (_, Rulers::OrdinalsToTen) if (ruler || century) && number <= 10 => {
                ordinal(if before.ends_with('a') || before == "isabel" {
                    "ª"
                } else {
                    "º"
                })
            }
            (_, Rulers::FirstOnly) if ruler && number == 1 => ordinal("er"),
            (Language::English, _) if century => ordinal("th"),
            (Language::Italian, _) if century => ordinal("º"),
            (Language::German, _) if century => ordinal("."),
            (Language::French, _) if century => ordinal("e"),
            _ => None,
        };
        words.unwrap_or_else(cardinal)
    }
}

/// Nouns whose parts are counted with Roman numbers after them, in lower case.
const COUNTED_PARTS: &str = "war chapter part volume act phase appendix book title section stage type \
    kapitel teil band akt anhang buch phase typ abschnitt chapitre tome partie livre acte titre annexe \
    capítulo parte tomo libro acto título volumen anexo fase tipo capitolo atto titolo allegato livro ato anexo tipo \
    глава часть том книга акт раздел";
/// Their abbreviations, before their full stop.
const SHORT_PARTS: &str = "chap cap kap ch vol bd гл";

/// Nouns before which a Roman number is an ordinal, in lower case: "II Guerra Mundial", "XX edizione".
const ORDERED: &str = "guerra congreso congresso edición edição edizione festival aniversario aniversário anniversario \
    conferencia conferência conferenza cumbre república repubblica dinastía dinastia premio prêmio torneo torneio encuentro \
    encontro concilio concílio legislatura simposio simpósio jornada región brigata legione";

/// Returns true if `text` begins with a Roman number and no initial: "IV", but not "C." of a name.
pub(super) fn is_numbered(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    roman(word).is_some() && !(word.len() == 1 && after.starts_with('.'))
}

/// The value of a Roman numeral in its canonical form.
fn roman(written: &str) -> Option<u64> {
    const VALUES: [(u64, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut rest = written;
    let mut total = 0;
    for (value, symbol) in VALUES {
        let most = if symbol.len() == 2 || "VLD".contains(symbol) {
            1
        } else {
            3
        };
        for _ in 0..most {
            let Some(tail) = rest.strip_prefix(symbol) else { break };
            rest = tail;
            total += value;
        }
    }
    (rest.is_empty() && total > 0).then_some(total)
}
