//! Message catalogs: texts in twelve languages as data, a file a language, with named placeholders.
//!
//! A file is TOML with a line per text, `key = "text"`, and comments; a text has no escapes. Forms for numbers have the
//! plural categories of CLDR at the end of their keys, as in `days_one`, `days_few` and `days_other`; only the last
//! must be there. Files are part of the program and are parsed once, when a language is first needed.
//!
//! ```
//! use quartet_api::Language;
//! use quartet_messages::Catalog;
//!
//! let catalog = Catalog::parse(
//!     Language::English,
//!     r#"
//!     # How long something takes.
//!     days_one = "{count} day"
//!     days_other = "{count} days"
//!     title = "The title is “{title}”."
//!     "#,
//! );
//! assert_eq!(catalog.format("title", &[("title", "Emma")]), "The title is “Emma”.");
//! assert_eq!(catalog.plural("days", 1, &[("count", "1")]), "1 day");
//! assert_eq!(catalog.plural("days", 3, &[("count", "3")]), "3 days");
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use quartet_api::Language;

/// The number of languages.
const LANGUAGES: usize = Language::ALL.len();

/// Embeds the files `en.toml`, `de.toml` and so on of a folder, which is relative to the source file, as [`Catalogs`].
#[macro_export]
macro_rules! catalogs {
    ($folder:literal) => {
        // In the order of `Language::ALL`.
        $crate::Catalogs::new([
            include_str!(concat!($folder, "/en.toml")),
            include_str!(concat!($folder, "/hi.toml")),
            include_str!(concat!($folder, "/es.toml")),
            include_str!(concat!($folder, "/fr.toml")),
            include_str!(concat!($folder, "/de.toml")),
            include_str!(concat!($folder, "/it.toml")),
            include_str!(concat!($folder, "/pt.toml")),
            include_str!(concat!($folder, "/ru.toml")),
            include_str!(concat!($folder, "/ja.toml")),
            include_str!(concat!($folder, "/zh.toml")),
            include_str!(concat!($folder, "/ko.toml")),
            include_str!(concat!($folder, "/ar.toml")),
        ])
    };
}

/// The catalogs of all languages.
pub struct Catalogs {
    files: [&'static str; LANGUAGES],
    parsed: [OnceLock<Catalog>; LANGUAGES],
}

impl Catalogs {
    /// Takes the files in the order of [`Language::ALL`]; see [`catalogs!`].
    #[must_use]
    pub const fn new(files: [&'static str; LANGUAGES]) -> Self {
        Self {
            files,
            parsed: [const { OnceLock::new() }; LANGUAGES],
        }
    }

    /// The catalog of a language.
    pub fn of(&self, language: Language) -> &Catalog {
        let place = language as usize;
        self.parsed[place].get_or_init(|| Catalog::parse(language, self.files[place]))
    }

    /// Compares all languages with English: keys that are missing or too many, other placeholders, lines that are no
    /// message. A test wants this to be empty.
    #[must_use]
    pub fn differences(&self) -> Vec<String> {
        let reference = self.of(Language::English).placeholders();
        let mut differences = Vec::new();
        for (language, file) in Language::ALL.into_iter().zip(self.files) {
            let ours = self.of(language).placeholders();
            for key in ours.keys().chain(reference.keys()).collect::<BTreeSet<_>>() {
                if ours.get(key) != reference.get(key) {
                    differences.push(format!("{}: `{key}` differs from English", language.code()));
                }
            }
            let lines = file.lines().map(str::trim).filter(|line| !is_blank(line));
            let mut keys = BTreeSet::new();
            for line in lines {
                if !message(line).is_some_and(|(key, _)| keys.insert(key)) {
                    differences.push(format!("{}: no message, or one too many: {line}", language.code()));
                }
            }
        }
        differences
    }
}

/// The texts of a language by key.
pub struct Catalog {
    language: Language,
    texts: BTreeMap<&'static str, &'static str>,
}

impl Catalog {
    /// Parses a file; lines that are no message are passed over, and told by [`Catalogs::differences`].
    #[must_use]
    pub fn parse(language: Language, file: &'static str) -> Self {
        Self {
            language,
            texts: file.lines().filter_map(|line| message(line.trim())).collect(),
        }
    }

    /// The text of a key; empty if there is none.
    #[must_use]
    pub fn get(&self, key: &str) -> &'static str {
        self.texts.get(key).copied().unwrap_or_default()
    }

    /// The text of a key with `values` for its placeholders. Values are not looked through for placeholders in turn.
    #[must_use]
    pub fn format(&self, key: &str, values: &[(&str, &str)]) -> String {
        fill(self.get(key), values)
    }

    /// The same for a text that counts: `KEY_CATEGORY` in the plural category of `count`, else `KEY_other`.
    #[must_use]
    pub fn plural(&self, key: &str, count: u64, values: &[(&str, &str)]) -> String {
        let category = plural_category(count, self.language);
        let form = self.texts.get(format!("{key}_{category}").as_str());
        fill(
            form.copied().unwrap_or_else(|| self.get(&format!("{key}_other"))),
            values,
        )
    }

    /// The placeholders of each key; of those that count, of the form for `other`.
    fn placeholders(&self) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
        let counted = |key: &str| ["_one", "_few"].iter().any(|category| key.ends_with(category));
        let texts = self.texts.iter().filter(|(key, _)| !counted(key));
        texts
            .map(|(key, text)| {
                let names = text.split('{').skip(1).filter_map(|part| part.split('}').next());
                (*key, names.collect())
            })
            .collect()
    }
}

fn is_blank(line: &str) -> bool {
    line.is_empty() || line.starts_with('#')
}

/// Key and text of a line.
fn message(line: &'static str) -> Option<(&'static str, &'static str)> {
    let (key, value) = line.split_once(" = ").filter(|_| !is_blank(line))?;
    let text = value.strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains(['"', '\\'])).then_some((key, text))
}

fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        let value = values.iter().find(|(other, _)| *other == name);
        text.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    text + rest
}

/// The plural category of a whole number by the rules of CLDR, as far as texts here tell categories apart: those of
/// zero, two and many are `other`.
fn plural_category(count: u64, language: Language) -> &'static str {
    match (language, count % 10, count % 100) {
        (Language::Russian, _, 11..=14) => "other",
        (Language::Russian, 1, _) => "one",
        (Language::Arabic, ..) if count == 1 => "one",
        (Language::Russian, 2..=4, _) | (Language::Arabic, _, 3..=10) => "few",
        (Language::Russian | Language::Arabic, ..) => "other",
        _ if count == 1 => "one",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_the_places_of_their_files() {
        let order = ["en", "hi", "es", "fr", "de", "it", "pt", "ru", "ja", "zh", "ko", "ar"];
        for (place, code) in order.into_iter().enumerate() {
            assert_eq!(
                (Language::ALL[place].code(), Language::ALL[place] as usize),
                (code, place)
            );
        }
    }

    #[test]
    fn values_are_no_templates() {
        let catalog = Catalog::parse(Language::English, "quote = \"{a} and {b}{c}\"");
        assert_eq!(catalog.format("quote", &[("a", "{b}"), ("b", "{}")]), "{b} and {}");
        assert_eq!(catalog.get("other"), "");
    }

    #[test]
    fn differences_are_told() {
        let mut files = ["a = \"{x}\"\nb_one = \"1\"\nb_other = \"{n}\""; LANGUAGES];
        assert_eq!(Catalogs::new(files).differences(), [""; 0]);
        files[4] = "a = \"{y}\"\nb_few = \"few\"\nb_other = \"{n}\"\nc = d\na = \"{y}\"";
        assert_eq!(
            Catalogs::new(files).differences(),
            [
                "de: `a` differs from English",
                "de: no message, or one too many: c = d",
                "de: no message, or one too many: a = \"{y}\"",
            ]
        );
    }
}
