//! Makes the table of what the characters of Chinese do not say by themselves, the phrases of pypinyin and `readings.tsv`, and that of
//! traditional characters.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs};

#[path = "src/readings.rs"]
mod readings;
#[allow(dead_code, reason = "only the library writes syllables")]
#[path = "src/syllable.rs"]
mod syllable;

use syllable::Syllable;

/// The variables that name the files of the packages.
const PHRASES: &str = "QUARTET_ZH_PHRASES";
const CHARACTERS: &str = "QUARTET_ZH_CHARACTERS";

/// Our own readings, which go before those of the package.
const OWN: &str = "src/readings.tsv";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/readings.rs");
    println!("cargo::rerun-if-changed=src/syllable.rs");
    println!("cargo::rerun-if-changed={OWN}");
    let phrases: BTreeMap<String, Vec<Vec<String>>> =
        serde_json::from_str(&file(PHRASES)).expect("phrases are lists of readings");
    let own = fs::read_to_string(OWN).expect("the file of readings can be read");
    let own = own.lines().map(|line| {
        let (phrase, reading) = line
            .split_once('\t')
            .expect("a line is a phrase, a tabulator and its reading");
        assert_eq!(phrase.chars().count(), reading.split(' ').count(), "{line}");
        (phrase.to_owned(), reading.to_owned())
    });
    let written: String = needed(own.collect(), phrases)
        .iter()
        .map(|(phrase, reading)| format!("{phrase}\t{reading}\n"))
        .collect();
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names it"));
    fs::write(folder.join("phrases.tsv"), written).expect("the folder can be written to");
    let code = format!("&{:?}", simplified(&file(CHARACTERS)));
    fs::write(folder.join("simplified.rs"), code).expect("the folder can be written to");
}

/// The text of the file that a variable names.
fn file(variable: &str) -> String {
    println!("cargo::rerun-if-env-changed={variable}");
    let Ok(path) = env::var(variable) else {
        panic!(
            "a table of Chinese is not there: build with `cargo xtask build`, which gets and names it, or run \
             `cargo xtask setup` and set {variable} to the path of the file"
        );
    };
    println!("cargo::rerun-if-changed={path}");
    fs::read_to_string(&path).expect("the file can be read")
}

/// The traditional characters of OpenCC with what they become, in their order. Of several that one may become the first is the usual one.
fn simplified(table: &str) -> Vec<(char, char)> {
    let single = |text: &str| {
        let mut characters = text.chars();
        characters.next().filter(|_| characters.next().is_none())
    };
    let mut all: Vec<(char, char)> = table
        .lines()
        .filter_map(|line| {
            let (traditional, others) = line.split_once('\t')?;
            Some((single(traditional)?, single(others.split(' ').next()?)?))
        })
        .filter(|(traditional, simplified)| traditional != simplified)
        .collect();
    all.sort_unstable();
    all
}

/// Our own readings, and those phrases that shorter ones and single characters do not read as they are read: one of seven.
fn needed(own: BTreeMap<String, String>, phrases: BTreeMap<String, Vec<Vec<String>>>) -> BTreeMap<String, String> {
    let mut phrases: Vec<(String, String)> = phrases
        .into_iter()
        .filter(|(phrase, syllables)| {
            let characters = phrase.chars().count();
            (2..=readings::LONGEST).contains(&characters) && characters == syllables.len()
        })
        .map(|(phrase, syllables)| {
            let usual: Vec<String> = syllables.iter().map(|choices| numbered(&choices[0])).collect();
            (phrase, usual.join(" "))
        })
        .collect();
    phrases.sort_by_key(|(phrase, _)| phrase.chars().count());
    let mut needed = own;
    for (phrase, reading) in phrases {
        let without = readings::readings_by(&phrase, |word| needed.get(word), |character| character);
        // The tones of these two go by what follows: what the phrases say of them is left out, but for the neutral one.
        let same = without
            .iter()
            .zip(reading.split(' '))
            .all(|((character, without), reading)| {
                let changes = matches!(character, '一' | '不') && !reading.ends_with('5');
                changes || without.as_ref() == Some(&Syllable::new(reading))
            });
        if !same && !needed.contains_key(&phrase) {
            needed.insert(phrase, reading);
        }
    }
    needed
}

/// A syllable with its tone as a number behind it, and `v` for `ü`.
fn numbered(syllable: &str) -> String {
    const VOWELS: &str = "āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ";
    const PLAIN: &str = "aeiouv";
    let mut tone = 5;
    let mut plain = String::new();
    for character in syllable.chars() {
        match (VOWELS.chars().position(|vowel| vowel == character), character) {
            (Some(at), _) => {
                tone = at % 4 + 1;
                plain.extend(PLAIN.chars().nth(at / 4));
            }
            (None, 'ü') => plain.push('v'),
            // Syllables without a vowel.
            (None, 'ń' | 'ḿ') => (tone, plain) = (2, format!("{plain}n")),
            (None, 'ň') => (tone, plain) = (3, format!("{plain}n")),
            (None, 'ǹ') => (tone, plain) = (4, format!("{plain}n")),
            (None, letter) => plain.push(letter),
        }
    }
    format!("{plain}{tone}")
}
