//! The sources of the page: its texts in twelve languages, and what no file of it may do.

use std::collections::{BTreeMap, BTreeSet};

use crate::whole;

/// Files of the page's own, without the libraries and without pictures: their names and texts.
fn own() -> Vec<(String, String)> {
    let files = quartet_page::FILES
        .iter()
        .chain(quartet_page::at(quartet_page::WORKER_PATH))
        .filter(|file| !file.path.contains("/library/") && file.media_type != "image/png");
    files
        .map(|file| {
            let name = file.path.splitn(4, '/').nth(3).unwrap_or("").to_owned();
            (name, String::from_utf8(file.bytes()).expect("text"))
        })
        .collect()
}

/// Placeholders of a text, in order.
fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn every_language_has_every_text() {
    if !whole("every_language_has_every_text") {
        return;
    }
    let files = own();
    let texts: BTreeMap<&str, BTreeMap<String, String>> = files
        .iter()
        .filter_map(|(name, text)| {
            let language = name.strip_prefix("texts/")?.strip_suffix(".json")?;
            Some((language, serde_json::from_str(text).expect("texts by their names")))
        })
        .collect();
    let codes: BTreeSet<_> = texts.keys().copied().collect();
    let expected = ["en", "de", "fr", "es", "it", "pt", "ru", "ja", "ko", "zh", "hi", "ar"];
    assert_eq!(codes, BTreeSet::from(expected));
    let english = &texts["en"];
    for (language, own) in &texts {
        assert!(own.keys().eq(english.keys()), "{language} has other texts than English");
        for (name, text) in own {
            assert!(!text.trim().is_empty(), "{language}: {name}");
            assert_eq!(placeholders(text), placeholders(&english[name]), "{language}: {name}");
        }
    }
    let mut named = 0;
    for (file, source) in files.iter().filter(|(name, _)| name.ends_with(".js")) {
        for (at, call) in source.match_indices("t('") {
            let before = source[..at].chars().next_back().unwrap_or(' ');
            // The end of another function's name.
            if before.is_alphanumeric() || before == '.' {
                continue;
            }
            let (name, _) = source[at + call.len()..].split_once('\'').expect("the end of a name");
            assert!(english.contains_key(name), "{file}: there is no text {name}");
            named += 1;
        }
        for call in source.split("counted('").skip(1) {
            let (name, _) = call.split_once('\'').expect("the end of a name");
            for form in [name.to_owned(), format!("{name}_one")] {
                assert!(english.contains_key(&form), "{file}: there is no text {form}");
            }
        }
    }
    assert!(named > 100, "{named} texts are named");
}

#[test]
fn no_file_makes_markup_of_text_or_knows_an_address() {
    if !whole("no_file_makes_markup_of_text_or_knows_an_address") {
        return;
    }
    let files = own();
    assert!(files.len() > 30, "{} files", files.len());
    for (name, text) in files {
        for forbidden in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "unsafeHTML",
            " style=",
            "onclick=",
        ] {
            assert!(!text.contains(forbidden), "{name} has {forbidden}");
        }
        let addresses = text.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !addresses.contains("http://") && !addresses.contains("https://"),
            "{name} knows an address"
        );
    }
}
