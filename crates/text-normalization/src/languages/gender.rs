//! The number word before a noun, in the languages in which it agrees with the noun's gender: French, Spanish, Portuguese,
//! Italian and German.

use quartet_api::Language;

use super::gender_tables::{Nouns, nouns_of};
use super::rules::Agreement;

/// The words for `number` before the noun that `following` begins with, if they differ from counting, and how many bytes of
/// `following` they say too. `previous`: the word before the number, in lower case.
pub(super) fn counted(
    language: Language,
    number: u64,
    previous: &str,
    following: &str,
    cardinal: fn(u64, Agreement) -> String,
) -> Option<(String, usize)> {
    let alone = cardinal(number, Agreement::Alone);
    if alone == cardinal(number, Agreement::Feminine) && alone == cardinal(number, Agreement::Masculine) {
        return None;
    }
    let nouns = nouns_of(language);
    // "2 mil pessoas": what is counted stands after the thousand.
    let following = following.strip_prefix("mil ").unwrap_or(following);
    if language == Language::German {
        return german(number, previous, following, nouns).map(|words| (words, 0));
    }
    let noun = word(following);
    let is_noun = noun.chars().count() >= 2 && noun.starts_with(char::is_lowercase);
    if !is_noun || listed(nouns.no_nouns, noun) {
        return None;
    }
    let feminine = is_feminine(noun, nouns);
    if language == Language::Italian {
        // "un'ora"
        if feminine && noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
            return Some((format!("un'{noun}"), noun.len()));
        }
        return Some((italian_one(noun, feminine).to_owned(), 0));
    }
    // "un agua", "veintiún aulas": before a stressed a.
    let agreement = if feminine && !(language == Language::Spanish && number % 100 == 1 && listed(STRESSED_A, noun)) {
        Agreement::Feminine
    } else {
        Agreement::Masculine
    };
    Some((cardinal(number, agreement), 0))
}

/// Spanish feminine nouns before which "una" becomes "un".
const STRESSED_A: &str = "agua aguas águila águilas alma almas arma armas área áreas aula aulas ave aves hacha hachas hambre \
    ala alas arpa arpas ancla anclas asa asas hada hadas ama amas acta actas";

/// Italian "un", "uno" before s with a consonant, z, gn, ps, x and y, and "una".
fn italian_one(noun: &str, feminine: bool) -> &'static str {
    let second = noun.chars().nth(1).unwrap_or('a');
    let impure = noun.starts_with('s') && !"aeiouàèéìòù".contains(second);
    match feminine {
        true => "una",
        _ if impure
            || ["z", "gn", "ps", "pn", "x", "y"]
                .iter()
                .any(|start| noun.starts_with(start)) =>
        {
            "uno"
        }
        _ => "un",
    }
}

/// The case that a German preposition or verb before the number asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Nominative,
    Accusative,
    Dative,
}

const DATIVE: &str = "mit von bei aus nach zu seit ab in an auf vor unter hinter neben zwischen außer gegenüber";
const ACCUSATIVE: &str = "für um ohne durch gegen pro per je habe hast hat haben hatte kaufe kauft kaufen nehme nimmt brauche \
    braucht brauchen";

/// German "ein" in the gender and case of the noun, or of the adjective before it.
fn german(number: u64, previous: &str, following: &str, nouns: &Nouns) -> Option<String> {
    if number != 1 {
        return None;
    }
    let case = if listed(DATIVE, previous) {
        Case::Dative
    } else if listed(ACCUSATIVE, previous) {
        Case::Accusative
    } else {
        Case::Nominative
    };
    let mut rest = following;
    let mut noun = word(rest);
    let mut adjective = "";
    for _ in 0..2 {
        if noun.starts_with(char::is_lowercase) && noun.len() >= 4 {
            adjective = noun;
            rest = rest[noun.len()..].strip_prefix(' ')?;
            noun = word(rest);
        }
    }
    if !noun.starts_with(char::is_uppercase) || noun.chars().count() < 2 {
        return None;
    }
    // "1 Uhr", "1 Million" is feminine, "1 Euro" is said by the table of currencies.
    if noun == "Uhr" {
        return Some("ein".into());
    }
    let feminine = is_feminine(noun, nouns) && !adjective.ends_with("er") && !adjective.ends_with("es");
    let neuter = adjective.ends_with("es") || is_neuter(noun);
    Some(
        match (case, feminine, neuter) {
            (Case::Dative, true, _) => "einer",
            (Case::Dative, ..) => "einem",
            (_, true, _) => "eine",
            (Case::Accusative, _, false) => "einen",
            _ => "ein",
        }
        .into(),
    )
}

/// Returns true if a noun of French, Spanish, Portuguese or Italian is feminine, as far as its table and its ending tell.
pub(crate) fn feminine(language: Language, noun: &str) -> bool {
    is_feminine(noun, nouns_of(language))
}

/// Returns true for a word that may be a noun which is counted: of small letters, and none of those that join nouns.
pub(crate) fn may_be_noun(language: Language, word: &str) -> bool {
    word.chars().count() > 2 && word.starts_with(char::is_lowercase) && !listed(nouns_of(language).no_nouns, word)
}

/// German "a half" before the noun that `following` begins with: "ein halber Liter", "eine halbe Stunde", "ein halbes Jahr".
pub(crate) fn german_half(following: &str) -> Option<&'static str> {
    let noun = word(following);
    let is_noun = noun.starts_with(char::is_uppercase) && noun.chars().count() > 2;
    is_noun.then(
        || match (is_feminine(noun, nouns_of(Language::German)), is_neuter(noun)) {
            (true, _) => "eine halbe",
            (_, true) => "ein halbes",
            _ => "ein halber",
        },
    )
}

/// Returns true for German neuter nouns: diminutives, endings, common words.
pub(super) fn is_neuter(noun: &str) -> bool {
    const NOUNS: &str = "Kind Haus Jahr Buch Auto Bild Land Wort Tier Spiel Glas Stück Ei Bett Zimmer Mal Kilo Pfund Gramm Kilogramm \
        Prozent Jahrhundert Jahrzehnt Fenster Messer Mädchen Schiff Pferd Huhn Schwein Schaf Boot Fahrrad Rad Blatt Papier Kleid \
        Hemd Paar Paket Handy Ticket Problem Thema System Programm Team Mitglied Opfer Tor Ende Auge Ohr Herz Gebäude Interesse Bier \
        Brot Brötchen Ergebnis Zentimeter Lied Foto Video Dorf Tal Meer Feld Netz Amt Gericht Gesetz Recht Geschäft Unternehmen";
    listed(NOUNS, noun)
        || ["chen", "lein", "ment", "tum", "zimmer", "jahr", "haus"]
            .iter()
            .any(|end| noun.ends_with(end))
}

/// The noun's gender by the table of its language: words first, then endings.
pub(super) fn is_feminine(noun: &str, nouns: &Nouns) -> bool {
    let lower = noun.to_lowercase();
    let singular = lower.strip_suffix(nouns.plural).unwrap_or(&lower);
    let known = |list| listed(list, &lower) || listed(list, singular);
    if known(nouns.feminine) {
        return true;
    }
    !known(nouns.masculine)
        && nouns
            .endings
            .split_ascii_whitespace()
            .any(|end| singular.ends_with(end))
}

/// The letters that `text` begins with.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    if end > 60 { "" } else { &text[..end] }
}

fn listed(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

#[cfg(test)]
mod tests {
    use super::super::rules_of;
    use super::*;
    use Language::{French, German, Italian, Portuguese, Spanish};

    #[test]
    fn numbers_agree_with_nouns() {
        for (language, number, previous, following, said) in [
            (French, 1, "", "pomme", Some("une")),
            (French, 21, "", "femmes", Some("vingt et une")),
            (French, 1, "", "musée", Some("un")),
            (French, 1, "", "fois par jour", Some("une")),
            (French, 80, "", "pages", None),
            (Spanish, 21, "", "mujeres", Some("veintiuna")),
            (Spanish, 1, "", "mano", Some("una")),
            (Spanish, 1, "", "día", Some("un")),
            (Spanish, 1, "", "agua", Some("un")),
            (Spanish, 200, "", "páginas", Some("doscientas")),
            (Portuguese, 2, "", "maçãs", Some("duas")),
            (Portuguese, 2, "", "mãos", Some("duas")),
            (Portuguese, 2, "", "dias", Some("dois")),
            (Portuguese, 2, "", "mil pessoas", Some("duas")),
            (Italian, 1, "", "mela", Some("una")),
            (Italian, 1, "", "zio", Some("uno")),
            (Italian, 1, "", "studente", Some("uno")),
            (Italian, 1, "", "mano", Some("una")),
            (Italian, 1, "", "ora", Some("un'ora")),
            (German, 1, "", "Frau", Some("eine")),
            (German, 1, "mit", "Kind", Some("einem")),
            (German, 1, "für", "Apfel", Some("einen")),
            (German, 1, "", "kleine Wohnung", Some("eine")),
            (German, 1, "um", "Uhr", Some("ein")),
            (German, 1, "", "Name", Some("ein")),
        ] {
            let cardinal = rules_of(language).cardinal;
            let found = counted(language, number, previous, following, cardinal);
            assert_eq!(
                found.as_ref().map(|(words, _)| words.as_str()),
                said,
                "{number} {following}"
            );
        }
    }
}
