//! Sentences in twelve languages, from the catalogs in `words/`, and the nouns in them.

mod grammar;
mod nouns;

use std::collections::BTreeMap;

use quartet_api::Language;
use quartet_api::image::{Area, PictureFacts};
use quartet_messages::{Catalog, Catalogs};

use crate::objects::labels::COCO;
use nouns::{Noun, noun};

static CATALOGS: Catalogs = quartet_messages::catalogs!("words");

/// Least characters of a name that is looked for inside text without spaces.
const MIN_UNSPACED_CHARACTERS: usize = 2;
/// Least letters of a name of which forms are looked for.
const MIN_FORM_CHARACTERS: usize = 3;
/// Most letters of an ending.
const MAX_ENDING_CHARACTERS: usize = 2;
/// Share of the picture above which a thing fills most of it.
const FILLING_SHARE: f32 = 0.6;
/// Place of a thing that fills most of the picture.
const ALL: &str = "all";

/// Words of a language.
pub struct Words {
    /// The language.
    pub language: Language,
    catalog: &'static Catalog,
}

impl Words {
    /// Words of a language.
    pub fn of(language: Language) -> Self {
        Self {
            language,
            catalog: CATALOGS.of(language),
        }
    }

    /// Sentence with values for its placeholders.
    pub fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        let sentence = self.catalog.format(key, values);
        // Only where the sentence itself has particles: a text that is quoted stays as it is.
        if grammar::has_particles(self.catalog.get(key)) {
            return grammar::with_particles(&sentence);
        }
        sentence
    }

    /// The same of so many things: "there is", "there are".
    pub fn say_of(&self, count: usize, key: &str, values: &[(&str, &str)]) -> String {
        grammar::with_particles(&self.catalog.plural(key, count as u64, values))
    }

    /// Name of a colour, a place and so on: `colour`, `dark blue`. What has no name here keeps its own.
    pub fn name(&self, kind: &str, name: &str) -> String {
        let found = self.catalog.get(&format!("{kind}_{}", key(name)));
        if found.is_empty() { name } else { found }.to_owned()
    }

    /// What `phrase` makes of the noun for a class of COCO or a family; what has none here keeps its own name.
    fn phrase(&self, label: &str, phrase: impl FnOnce(&Noun) -> String) -> String {
        noun(self.language, label).map_or_else(|| label.to_owned(), phrase)
    }

    fn numbers(&self, noun: &Noun) -> &'static str {
        let feminine = noun.class == "f";
        self.catalog.get(if feminine { "numbers_feminine" } else { "numbers" })
    }

    /// Number and noun: "two dogs".
    pub fn counted(&self, count: usize, label: &str) -> String {
        self.phrase(label, |noun| {
            grammar::counted(self.language, count, noun, self.numbers(noun))
        })
    }

    /// The same as it is read in a description, where one is not counted: "a dog".
    pub fn shown(&self, count: usize, label: &str) -> String {
        self.phrase(label, |noun| {
            grammar::shown(self.language, count, noun, self.numbers(noun))
        })
    }

    /// A thing that something else is likened to.
    pub fn likened(&self, label: &str) -> String {
        self.phrase(label, |noun| grammar::likened(self.language, noun))
    }

    /// The thing that is meant, at the start of a sentence: "The dog".
    pub fn definite(&self, label: &str) -> String {
        self.phrase(label, |noun| grammar::definite(self.language, noun))
    }

    /// Things of which there are none, as they stand in a denial: "dogs".
    pub fn denied(&self, label: &str) -> String {
        self.phrase(label, |noun| grammar::denied(self.language, noun))
    }

    /// Enumeration: "a, b and c".
    pub fn listed(&self, parts: &[String]) -> String {
        self.enumerated("and", self.separators().0, parts)
    }

    /// Enumeration of things that are each at a place.
    pub fn listed_clauses(&self, parts: &[String]) -> String {
        let comma = match self.language {
            Language::Chinese => "，",
            _ => self.separators().0,
        };
        self.enumerated("clauses", comma, parts)
    }

    /// Enumeration of what is denied: "a, b or c".
    pub fn listed_alternatives(&self, parts: &[String]) -> String {
        self.enumerated("or", self.separators().0, parts)
    }

    fn enumerated(&self, key: &str, comma: &str, parts: &[String]) -> String {
        match parts {
            [] => String::new(),
            [one] => one.clone(),
            [first @ .., last] => self.say(key, &[("first", &first.join(comma)), ("last", last)]),
        }
    }

    /// Sentences in a row.
    pub fn joined(&self, sentences: &[String]) -> String {
        sentences.join(self.separators().1)
    }

    /// What stands between parts of an enumeration, and between sentences.
    fn separators(&self) -> (&'static str, &'static str) {
        match self.language {
            Language::Chinese | Language::Japanese => ("、", ""),
            Language::Arabic => (" و", " "),
            _ => (", ", " "),
        }
    }

    /// Text in parentheses after another.
    pub fn aside(&self, text: &str, aside: &str) -> String {
        match self.language {
            Language::Chinese | Language::Japanese => format!("{text}（{aside}）"),
            Language::Korean => format!("{text}({aside})"),
            _ => format!("{text} ({aside})"),
        }
    }

    /// Place of an area in a picture: "at the upper left".
    pub fn place(&self, area: &Area, picture: &PictureFacts) -> String {
        self.name("place", place(area, picture))
    }

    /// A thing and where it is: "a dog at the upper left".
    pub fn at_place(&self, thing: &str, area: &Area, picture: &PictureFacts) -> String {
        let key = if place(area, picture) == ALL {
            "filling"
        } else {
            "at_place"
        };
        self.say(key, &[("thing", thing), ("place", &self.place(area, picture))])
    }

    /// Classes of COCO that a text in this language names, as whole words; short words of scripts without spaces are too
    /// often part of others.
    pub fn named_in(&self, text: &str) -> Vec<&'static str> {
        let text = spelt(text);
        let words: Vec<&str> = text
            .split(|c: char| !c.is_alphanumeric() && c != '\u{94d}' && !is_mark(c))
            .filter(|word| !word.is_empty())
            .collect();
        let spaced = !matches!(self.language, Language::Chinese | Language::Japanese | Language::Korean);
        let says = |name: &str| {
            let name = spelt(name);
            let letters = name.chars().count();
            if self.language == Language::Korean && letters == 1 {
                let particles = ["은", "는", "이", "가", "을", "를", "의", "도"];
                return words.iter().any(|word| {
                    let rest = word.strip_prefix(name.as_str());
                    rest.is_some_and(|rest| particles.contains(&rest))
                });
            }
            if !spaced {
                return letters >= MIN_UNSPACED_CHARACTERS && text.contains(&name);
            }
            if name.contains(' ') {
                return text.contains(&name);
            }
            words.iter().any(|word| self.is_form(word, &name, letters))
        };
        let named = |label: &&str| noun(self.language, label).is_some_and(|noun| noun.names().any(says));
        let found: Vec<&'static str> = COCO.into_iter().filter(named).collect();
        // "hot dog" names no dog.
        let name = |label: &str| spelt(noun(self.language, label).map_or(label, |noun| noun.one));
        let inside = |label: &&str| {
            found
                .iter()
                .any(|other| other != label && name(other).contains(&name(label)) && text.contains(&name(other)))
        };
        found.iter().copied().filter(|label| !inside(label)).collect()
    }

    /// True if a word is a name or a form of it: Arabic puts its article before a name and a case behind it, Hindi and
    /// Russian change its end.
    fn is_form(&self, word: &str, name: &str, letters: usize) -> bool {
        if word == name {
            return true;
        }
        match self.language {
            Language::Arabic if letters >= MIN_FORM_CHARACTERS => {
                let articles = ["ال", "وال", "بال", "لل"];
                let bare = articles.iter().find_map(|article| word.strip_prefix(article));
                let stem = |word: &str| word.trim_end_matches(['ا', 'ً', 'ة', 'ه']).to_owned();
                stem(bare.unwrap_or(word)) == stem(name)
            }
            Language::Hindi if letters >= MIN_FORM_CHARACTERS => {
                let stem = |word: &str| word.trim_end_matches(is_mark).to_owned();
                stem(word) == stem(name)
            }
            Language::Russian if letters > MIN_FORM_CHARACTERS => {
                let stem = name.trim_end_matches(['а', 'я', 'ь', 'о', 'е', 'й']);
                let end = word.strip_prefix(stem);
                end.is_some_and(|end| end.chars().count() <= MAX_ENDING_CHARACTERS)
            }
            _ => false,
        }
    }

    /// Shares of things by label, in the order in which they come first.
    pub fn counts<'a>(
        &self,
        labels: impl Iterator<Item = &'a str>,
        one: fn(&Self, usize, &str) -> String,
    ) -> Vec<String> {
        let (mut order, mut counts) = (Vec::new(), BTreeMap::new());
        for label in labels {
            if !order.contains(&label) {
                order.push(label);
            }
            *counts.entry(label).or_insert(0) += 1;
        }
        order.iter().map(|label| one(self, counts[label], label)).collect()
    }
}

/// A text in lower case, letters of Devanagari with a dot as a letter and a dot.
fn spelt(text: &str) -> String {
    let text = text.to_lowercase();
    text.replace('\u{95c}', "\u{921}\u{93c}")
        .replace('\u{95b}', "\u{91c}\u{93c}")
}

/// True for the vowel signs of Devanagari, which are no letters and yet part of a word.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{955}'..='\u{957}')
}

fn key(name: &str) -> String {
    name.replace(' ', "_")
}

/// Key of a place: row and column of the thirds of the picture, or `all`.
fn place(area: &Area, picture: &PictureFacts) -> &'static str {
    let (width, height) = (picture.width as f32, picture.height as f32);
    if area.width as f32 * area.height as f32 > FILLING_SHARE * width * height {
        return ALL;
    }
    let third =
        |at: u32, size: u32, length: f32| ((at as f32 + size as f32 / 2.0) / length * 3.0).clamp(0.0, 2.0) as usize;
    const KEYS: [[&str; 3]; 3] = [["00", "01", "02"], ["10", "11", "12"], ["20", "21", "22"]];
    KEYS[third(area.y, area.height, height)][third(area.x, area.width, width)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catalogs_have_the_same_texts_in_all_languages() {
        assert_eq!(CATALOGS.differences(), [""; 0]);
    }

    #[test]
    fn enumerations_stand_as_each_language_writes_them() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(Words::of(Language::Chinese).listed(&parts), "a、b和c");
        assert_eq!(Words::of(Language::Chinese).listed_clauses(&parts), "a，b，c");
        assert_eq!(Words::of(Language::French).listed(&parts), "a, b et c");
        assert_eq!(Words::of(Language::German).listed_alternatives(&parts), "a, b oder c");
        assert_eq!(
            Words::of(Language::Korean).listed(&["갈색", "흰색"].map(str::to_owned)),
            "갈색과 흰색"
        );
    }

    #[test]
    fn names_in_a_question_are_found_as_whole_words() {
        let named = |language, text| Words::of(language).named_in(text);
        assert_eq!(named(Language::German, "Wie viele Hunde und Katzen?"), ["cat", "dog"]);
        assert_eq!(named(Language::Arabic, "كم كلبا في الصورة؟"), ["dog"]);
        assert_eq!(named(Language::Arabic, "ما لون الدراجة؟"), ["bicycle"]);
        assert_eq!(named(Language::English, "Is there a hot dog?"), ["hot dog"]);
        assert_eq!(named(Language::Hindi, "क्या यहाँ कोई कार है?"), ["car"]);
        assert_eq!(named(Language::Hindi, "क्या यहाँ घोड़े हैं?"), ["horse"]);
        assert_eq!(named(Language::Russian, "Сколько здесь собак и кошек?"), ["cat", "dog"]);
        assert_eq!(named(Language::Russian, "Где находятся лошади?"), ["horse"]);
        assert_eq!(named(Language::Korean, "말은 무슨 색이에요?"), ["horse"]);
        assert_eq!(named(Language::Korean, "이게 몇 개예요?"), [""; 0]);
        assert_eq!(named(Language::Chinese, "有长颈鹿吗？"), ["giraffe"]);
    }

    #[test]
    fn a_place_is_one_of_nine_or_all() {
        let picture = PictureFacts {
            width: 300,
            height: 300,
            format: "PNG".to_owned(),
            orientation: "square".to_owned(),
        };
        let area = |x, y, width, height| Area { x, y, width, height };
        let words = Words::of(Language::German);
        assert_eq!(words.place(&area(0, 0, 50, 50), &picture), "oben links");
        assert_eq!(words.place(&area(220, 120, 50, 50), &picture), "rechts");
        assert_eq!(words.place(&area(0, 0, 290, 290), &picture), "fast im ganzen Bild");
    }
}
