//! The language of a text that is to be read aloud, where nobody says which it is: English where the text says little, as names,
//! acronyms and code do.
//!
//! In text of a few words, triples of letters take names for words of whatever language has such triples ("NASA FBI"). There, words
//! that are known decide, and letters that few languages have; triples only decide between languages that have as many of them, or
//! where they are far from English.

use quartet_api::Language;

use super::common_words::{LANGUAGES, LETTERS, WORDS};
use super::detect::{self, detect};
use super::question::{OVER_ENGLISH, is_in_another};
use super::words_alone::WORDS_ALONE;
use super::writing::is_latin;

/// Words up to which a text is told by those of them that are known.
const FEW_WORDS: usize = 2;
/// Words from which on a text may be in none of the twelve languages without a letter that says so.
const WORDS_OF_OTHERS: usize = 5;
/// The weight that a language must have over English, in the unit of the detection (about 45 for a common word): in a text without a
/// sign of its own, and in one with.
///
/// Of a thousand fragments of three words in each of six languages, English is told 99 % then (96 % by the detection alone), Spanish
/// 85 (86), French 92 (94), German 95 (97), Italian 93 (95), Portuguese 82 (83); of six words and of sentences each within a point.
const FAR_FROM_ENGLISH: i32 = 50;
const NEAR_ENGLISH: i32 = 10;
/// The part of a text in which other languages are looked for; more would only cost time.
const SAMPLE_BYTES: usize = 600;
/// The place of English in the tables.
const ENGLISH: usize = 0;

/// The language that a text is to be read aloud in; nothing where it is in none of the twelve. What says little is English: names,
/// acronyms, code, a text without letters.
///
/// ```
/// use quartet_api::Language;
/// use quartet_lang_detect::spoken_in;
///
/// assert_eq!(spoken_in("NASA FBI"), Some(Language::English));
/// assert_eq!(spoken_in("Komm her!"), Some(Language::German));
/// assert_eq!(spoken_in("Jaka jest dziś stolica Polski?"), None);
/// ```
#[must_use]
pub fn spoken_in(text: &str) -> Option<Language> {
    let sample = &text[..text.floor_char_boundary(SAMPLE_BYTES)];
    // A few words are too often names for triples of letters to tell them from those of a rare language.
    if is_in_another(sample, WORDS_OF_OTHERS) {
        return None;
    }
    let guess = detect(text);
    if !is_latin(guess) || text.len() > detect::SHORT_TEXT_BYTES {
        return Some(guess);
    }
    // Only Spanish has these marks.
    if text.contains(['¿', '¡']) {
        return Some(Language::Spanish);
    }
    Some(in_short(text, guess))
}

/// The language of a short text in Latin letters that the detection takes for one in `guess`.
fn in_short(text: &str, guess: Language) -> Language {
    let words = words(text);
    let signs = Signs::of(&words);
    let has_none = signs.own.iter().all(|count| *count == 0);
    if words.len() <= FEW_WORDS {
        return match has_none {
            true => Language::English,
            false => signs.most(text, words.len()),
        };
    }
    let least = if has_none { FAR_FROM_ENGLISH } else { NEAR_ENGLISH };
    match guess == Language::English || detect::margin(text, guess, Language::English) < least {
        true => Language::English,
        false => guess,
    }
}

/// The words of a text in lower case. Addresses, sizes and the like are none: they are the same in every language.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace('’', "'");
    let mut words = Vec::new();
    for token in lower.split_whitespace() {
        let parts = token.split('.').filter(|part| part.contains(char::is_alphabetic));
        if token.contains(|c: char| c.is_ascii_digit() || matches!(c, '@' | '/')) || parts.count() > 1 {
            continue;
        }
        let found = token
            .split(|c: char| !(c.is_alphabetic() || c == '\''))
            .map(|word| word.trim_matches('\''))
            .filter(|word| !word.is_empty());
        words.extend(found.map(str::to_owned));
    }
    words
}

/// Signs of each language in a text, by its place in the tables: words that are known, letters that few languages have, elisions.
struct Signs {
    /// All of them.
    all: [usize; 6],
    /// Those that are none of English, letters that are words by themselves left out.
    own: [usize; 6],
}

impl Signs {
    fn of(words: &[String]) -> Self {
        let mut signs = Self {
            all: [0; 6],
            own: [0; 6],
        };
        for word in words {
            let has = |list: &str| list.split_ascii_whitespace().any(|known| known == word.as_str());
            let known: [bool; 6] = std::array::from_fn(|place| has(WORDS[place]) || has(WORDS_ALONE[place]));
            let counts = !known[ENGLISH] && word.chars().nth(1).is_some();
            for (place, known) in known.into_iter().enumerate() {
                signs.all[place] += usize::from(known);
                signs.own[place] += usize::from(known && counts);
            }
            for (letters, owners) in LETTERS {
                let count = word.chars().filter(|c| letters.contains(*c)).count();
                owners.iter().for_each(|owner| signs.add(*owner, count));
            }
            let elides = detect::elides(word);
            for (place, language) in LANGUAGES.into_iter().enumerate() {
                let french = language == Language::French && (word.starts_with("j'") || word.starts_with("qu'"));
                let may_elide = matches!(language, Language::French | Language::Italian);
                signs.add(place, usize::from(french || elides && may_elide));
            }
        }
        signs
    }

    /// Adds signs that English does not have.
    fn add(&mut self, place: usize, count: usize) {
        self.all[place] += count;
        self.own[place] += count;
    }

    /// The language with most signs in a text of so many words. Among several it is English, if that is one of them, or the one that
    /// letters speak for. Where all words are known in several, letters say little: the first is the one that most people speak.
    fn most(&self, text: &str, words: usize) -> Language {
        let most = self.all.into_iter().max().unwrap_or_default();
        let least = if most >= words { OVER_ENGLISH } else { 0 };
        let mut found: Option<Language> = None;
        for (count, language) in self.all.into_iter().zip(LANGUAGES) {
            if count < most {
                continue;
            }
            found = match found {
                Some(before) if before == Language::English || detect::margin(text, language, before) <= least => {
                    Some(before)
                }
                _ => Some(language),
            };
        }
        found.unwrap_or(Language::English)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, texts: &[&str]) {
        for text in texts {
            assert_eq!(spoken_in(text), Some(language), "{text:?}");
        }
    }

    #[test]
    fn what_says_little_is_english() {
        check(
            Language::English,
            &[
                "NASA FBI",
                "USA",
                "• item",
                "Wi-Fi 6E",
                "Price: 5&nbsp;€",
                "AT&T",
                "I'm gonna wanna y'all",
                "Chapter IV",
                "hmm...",
                "http://192.168.1.10:8080/x",
                "Louis XIV",
                "> quote",
                "etc.",
                "Come here!",
                "Happy birthday",
                "Play some music",
                "Error 404",
                "iPhone 15 Pro",
                "Los Altos High School",
                "",
                "12:30",
                "OK",
                "Your package has been delivered.",
                "Kubernetes pods",
                "README.md",
                "facebook.com",
                "It costs $5.20 today.",
            ],
        );
    }

    #[test]
    fn a_word_that_is_known_tells_its_language() {
        check(
            Language::German,
            &[
                "Komm her!",
                "Guten Morgen",
                "Hallo",
                "Danke",
                "Katze",
                "Es regnet",
                "Alles Gute",
                "Wie geht's?",
                "Montag",
                "Das Essen ist fertig.",
                "Licht an",
                "Straße",
            ],
        );
        check(
            Language::French,
            &[
                "Bonjour",
                "Merci",
                "Excusez-moi",
                "Au revoir",
                "J'arrive",
                "lundi",
                "Le chat dort.",
                "L'eau est froide.",
                "C'est la vie",
            ],
        );
        check(
            Language::Italian,
            &[
                "Buongiorno",
                "Ciao",
                "Come stai?",
                "Tanti auguri",
                "Andiamo",
                "Accendi la luce",
                "La cena è pronta.",
            ],
        );
        check(
            Language::Portuguese,
            &[
                "Obrigado",
                "Olá",
                "Tchau",
                "Bem-vindo",
                "gato preto",
                "Parabéns",
                "Não importa.",
                "A máquina terminou.",
            ],
        );
        check(
            Language::Spanish,
            &[
                "Gracias",
                "Hola",
                "¿Qué?",
                "¡Ven!",
                "Llueve",
                "Feliz Navidad",
                "Capítulo cuatro",
                "Enciende la luz.",
                "El perro ladra.",
            ],
        );
    }

    #[test]
    fn other_scripts_tell_their_languages() {
        check(Language::Russian, &["Привет", "Доброе утро, NASA"]);
        check(Language::Japanese, &["こんにちは", "iPhoneを買いました"]);
        check(Language::Chinese, &["你好"]);
        check(Language::Korean, &["안녕하세요"]);
        check(Language::Hindi, &["नमस्ते"]);
        check(Language::Arabic, &["مرحبا"]);
    }

    #[test]
    fn other_languages_are_none_of_the_twelve() {
        for text in [
            "Goedemorgen, hoe gaat het met u?",
            "De trein naar Amsterdam vertrekt over tien minuten.",
            "Dziękuję bardzo",
            "Jaka jest dziś stolica Polski?",
            "Bugün hava çok güzel, değil mi?",
            "Tack så mycket",
            "Καλημέρα σας",
            "בוקר טוב",
            "สวัสดีครับ",
        ] {
            assert_eq!(spoken_in(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_sample_of_a_long_text_is_enough() {
        let text = "Der Zug fährt in zehn Minuten ab. ".repeat(1_000);
        check(Language::German, &[text.as_str()]);
    }
}
