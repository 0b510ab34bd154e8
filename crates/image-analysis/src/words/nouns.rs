//! Names of things in twelve languages, from the tables in `nouns/`: a line a thing, with what its language must know of
//! a noun to count it and to put an article before it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use quartet_api::Language;

const LANGUAGES: usize = Language::ALL.len();

/// The tables, in the order of [`Language::ALL`].
const TABLES: [&str; LANGUAGES] = [
    include_str!("nouns/en.tsv"),
    include_str!("nouns/hi.tsv"),
    include_str!("nouns/es.tsv"),
    include_str!("nouns/fr.tsv"),
    include_str!("nouns/de.tsv"),
    include_str!("nouns/it.tsv"),
    include_str!("nouns/pt.tsv"),
    include_str!("nouns/ru.tsv"),
    include_str!("nouns/ja.tsv"),
    include_str!("nouns/zh.tsv"),
    include_str!("nouns/ko.tsv"),
    include_str!("nouns/ar.tsv"),
];

/// Name of a thing in a language.
pub struct Noun {
    /// Gender (`m`, `f`, `n`, in Russian `p` for what has no singular), or the counter of a language that counts with
    /// one.
    pub class: &'static str,
    /// One of them.
    pub one: &'static str,
    /// Several of them; where a language has no such form, the same as one.
    pub several: &'static str,
    /// A form of its own for few of them: two to four in Russian, two in Arabic.
    pub few: &'static str,
    /// Other names by which it is asked for.
    others: &'static str,
}

impl Noun {
    /// All names of it.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let forms = [self.one, self.several, self.few].into_iter();
        forms.chain(self.others.split(", ")).filter(|name| !name.is_empty())
    }
}

/// Noun for a class of COCO or a family in a language.
pub fn noun(language: Language, label: &str) -> Option<&'static Noun> {
    static PARSED: [OnceLock<BTreeMap<&str, Noun>>; LANGUAGES] = [const { OnceLock::new() }; LANGUAGES];
    let place = language as usize;
    let nouns = PARSED[place].get_or_init(|| TABLES[place].lines().filter_map(parsed).collect());
    nouns.get(label)
}

/// Label and noun of a line.
fn parsed(line: &'static str) -> Option<(&'static str, Noun)> {
    let (line, others) = line.split_once("\t= ").unwrap_or((line, ""));
    let mut cells = line.split('\t').filter(|_| !line.starts_with('#'));
    let (label, class, one) = (cells.next()?, cells.next()?, cells.next()?);
    let noun = Noun {
        class,
        one,
        several: cells.next().unwrap_or(one),
        few: cells.next().unwrap_or_default(),
        others,
    };
    Some((label, noun))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::kinds::FAMILIES;
    use crate::objects::labels::COCO;

    #[test]
    fn every_thing_and_every_family_has_a_noun_with_what_its_language_needs() {
        for language in Language::ALL {
            let classes: &[&str] = match language {
                Language::English => &["-"],
                Language::German => &["m", "f", "n"],
                Language::Russian => &["m", "f", "n", "p"],
                Language::Japanese | Language::Chinese | Language::Korean => &[],
                _ => &["m", "f"],
            };
            let families = FAMILIES.iter().map(|(family, _)| family);
            for label in COCO.iter().chain(families).chain(&["thing"]) {
                let noun = noun(language, label).unwrap_or_else(|| panic!("{}: {label}", language.code()));
                assert!(
                    classes.is_empty() || classes.contains(&noun.class),
                    "{}: {label}",
                    language.code()
                );
                let few = matches!(language, Language::Russian | Language::Arabic);
                assert_eq!(noun.few.is_empty(), !few, "{}: {label}", language.code());
                assert!(noun.names().count() >= 2 && !noun.class.is_empty(), "{label}");
            }
            assert!(noun(language, "unicorn").is_none());
        }
    }
}
