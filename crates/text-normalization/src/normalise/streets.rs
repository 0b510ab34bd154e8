//! Streets and house numbers: "Baker St." is no saint, "12 Elm Dr" is no doctor, and "1428 Elm Street" is "fourteen
//! twenty-eight".

use quartet_api::Language;

use super::super::languages::{Agreement, digits};
use super::numerals::run;
use super::{Scanner, after_space};

/// English words at the end of the names of streets, as written and as said.
const STREETS: &[(&str, &str)] = &[
    ("St", "Street"),
    ("Ave", "Avenue"),
    ("Av", "Avenue"),
    ("Rd", "Road"),
    ("Dr", "Drive"),
    ("Blvd", "Boulevard"),
    ("Ln", "Lane"),
    ("Ct", "Court"),
    ("Pl", "Place"),
    ("Sq", "Square"),
    ("Ter", "Terrace"),
    ("Pkwy", "Parkway"),
    ("Hwy", "Highway"),
    ("Cres", "Crescent"),
    ("Cir", "Circle"),
];
/// The same written out, which tell a house number before them.
const STREET_WORDS: &[&str] = &[
    "Street",
    "Avenue",
    "Road",
    "Drive",
    "Boulevard",
    "Lane",
    "Court",
    "Place",
    "Square",
    "Terrace",
    "Parkway",
    "Highway",
    "Crescent",
    "Circle",
    "Way",
];
const DIRECTIONS: &[(&str, &str)] = &[
    ("NE", "Northeast"),
    ("NW", "Northwest"),
    ("SE", "Southeast"),
    ("SW", "Southwest"),
    ("N", "North"),
    ("S", "South"),
    ("E", "East"),
    ("W", "West"),
];
/// The most words in the name of a street, its direction included.
const MAX_NAME_WORDS: usize = 4;

fn street(word: &str) -> Option<&'static str> {
    STREETS
        .iter()
        .find(|(written, _)| *written == word)
        .map(|(_, said)| *said)
}

/// Returns true for a part of a street's name: a capitalised word or an ordinal.
fn names(word: &str) -> bool {
    let ordinal = run(word) > 0 && ["st", "nd", "rd", "th"].iter().any(|end| word.ends_with(end));
    ordinal
        || word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'\'')
}

impl Scanner<'_> {
    /// English house numbers before a street ("1428 Elm St"), with the direction after them.
    pub(super) fn address_number(&mut self) -> bool {
        let text = self.rest();
        let len = run(text);
        if self.language != Language::English || !(1..=5).contains(&len) || text.starts_with('0') {
            return false;
        }
        let Some(after) = text[len..].strip_prefix(' ') else {
            return false;
        };
        let mut words = after.split(' ').take(MAX_NAME_WORDS + 1);
        let Some(first) = words.next() else { return false };
        let direction = DIRECTIONS
            .iter()
            .find(|(written, _)| *written == first.trim_end_matches('.'));
        let mut named = direction.is_none() && names(first);
        if direction.is_none() && !named {
            return false;
        }
        let ends = words.any(|word| {
            let bare = word.trim_end_matches(['.', ',', ';', '!', '?', '\n']);
            let found = named && (street(bare).is_some() || STREET_WORDS.contains(&bare));
            named |= names(bare);
            found
        });
        if !ends {
            return false;
        }
        let number = house(&text[..len], self.rules.cardinal);
        match direction {
            Some((_, said)) => self.say(&format!("{number} {said}"), len + 1 + first.len()),
            None => self.say(&number, len),
        }
        true
    }

    /// Returns true if a house number and words of a street's name stand before.
    fn house_before(&self) -> bool {
        let mut words = self.text[..self.at]
            .trim_end_matches(' ')
            .rsplit(' ')
            .take(MAX_NAME_WORDS + 1);
        let Some(last) = words.next() else { return false };
        names(last)
            && words
                .take_while(|word| names(word) || word.bytes().all(|b| b.is_ascii_digit()))
                .any(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()))
    }

    /// Abbreviations of streets: "Baker St." is no saint, and "Hauptstr. 5" has its abbreviation at the end of the word.
    pub(super) fn street(&mut self, word: &str, after: &str) -> bool {
        match (self.language, after.strip_prefix('.')) {
            (Language::German, Some(next)) if word.len() > 5 && word.ends_with("str") => {
                let ends = next.trim_start().is_empty();
                let said = format!("{}straße", &word[..word.len() - 3]);
                self.say(&said, word.len() + 1);
                if ends {
                    self.stop();
                }
                true
            }
            (Language::English, next) => {
                let Some(said) = street(word) else { return false };
                let before = self.text[..self.at].trim_end_matches(' ');
                let start = before
                    .rfind(|c: char| !c.is_alphanumeric())
                    .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
                let name = &before[start..];
                let named = names(name)
                    && self.at == before.len() + 1
                    && !matches!(
                        name,
                        "Mount" | "Fort" | "The" | "In" | "At" | "And" | "Of" | "To" | "With" | "A" | "An"
                    );
                let follows = after_space(next.unwrap_or(after)).0;
                // "Mr Elm and Dr. Brown": a doctor's name follows, unless a house number stands before.
                let name_follows = word == "Dr" && follows.starts_with(char::is_uppercase);
                let house = named && self.house_before();
                if !named || !house && (next.is_none() || name_follows) {
                    return false;
                }
                let ends = next.is_some() && (follows.is_empty() || follows.starts_with(char::is_uppercase) && !house);
                self.say(said, word.len() + usize::from(next.is_some()));
                if ends {
                    self.stop();
                }
                true
            }
            _ => false,
        }
    }
}

/// A house number: in pairs of digits, as years are read.
pub(super) fn house(written: &str, cardinal: fn(u64, Agreement) -> String) -> String {
    let number = |text: &str| cardinal(text.parse().unwrap_or(0), Agreement::Alone);
    let (head, tail) = written.split_at(written.len().saturating_sub(2));
    match (written.len(), tail) {
        (1 | 2, _) => number(written),
        (5.., _) => digits(written, cardinal, " "),
        _ if written.ends_with("000") => number(written),
        (_, "00") => format!("{} hundred", number(head)),
        _ if tail.starts_with('0') => format!("{} oh {}", number(head), number(&tail[1..])),
        _ => format!("{} {}", number(head), number(tail)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::normalise;
    use quartet_api::Language::English;

    #[test]
    fn streets_and_doctors_are_told_apart() {
        for (written, said) in [
            ("110 Elm Dr.", "one ten Elm Drive."),
            ("I met Dr. Brown.", "I met Doctor Brown."),
            ("708 N 1st St, San Jose", "seven oh eight North first Street, San Jose"),
            ("1428 Elm Street", "fourteen twenty-eight Elm Street"),
            ("123 Laguna Ct, Town", "one twenty-three Laguna Court, Town"),
            ("We flew to St. Louis", "We flew to Saint Louis"),
            ("He lives on Main Rd. Then", "He lives on Main Road. Then"),
            ("5 Baker St. London", "five Baker Street London"),
        ] {
            assert_eq!(normalise(written, English), said);
        }
    }
}
