//! The language of sentences, of their first three words, and of pairs of words, beside the crate `whichlang` alone.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use quartet_api::Language;
use quartet_lang_detect::detect;
use whichlang::Lang;

use super::half::Half;

/// Scores every language that the folder has.
pub fn run(folder: &Path, half: Half, code: Option<&str>) -> ExitCode {
    let mut failed = true;
    for language in Language::ALL {
        if code.is_some_and(|code| code != language.code()) {
            continue;
        }
        let file = |name: &str| fs::read_to_string(folder.join(language.code()).join(name)).unwrap_or_default();
        let kept = |text: &String| Half::of(text) == half;
        let sentences: Vec<String> = file("sentences.txt").lines().map(str::to_owned).filter(kept).collect();
        let pairs: Vec<String> = file("word-pairs.txt").lines().map(str::to_owned).filter(kept).collect();
        let words: Vec<String> = file("single-words.txt")
            .lines()
            .map(str::to_owned)
            .filter(kept)
            .collect();
        // Words of scripts without spaces are no thirds of a sentence.
        let thirds: Vec<String> = sentences
            .iter()
            .map(|sentence| sentence.split_whitespace().take(3).collect::<Vec<_>>().join(" "))
            .filter(|text| text.contains(' '))
            .collect();
        failed &= sentences.is_empty() && pairs.is_empty();
        let parts = [
            ("sentences", sentences),
            ("three words", thirds),
            ("word pairs", pairs),
            ("single words", words),
        ];
        for (name, texts) in &parts {
            score(language, name, texts, half);
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn score(language: Language, name: &str, texts: &[String], half: Half) {
    let mut right = [0_usize; 2];
    for text in texts {
        let ours = detect(text);
        right[0] += usize::from(ours == language);
        right[1] += usize::from(whichlang(text) == Some(language));
        if half == Half::Open && ours != language && name != "single words" {
            println!("{} {name}: {} for {text}", language.code(), ours.code());
        }
    }
    let share = |right: usize| 100.0 * right as f64 / texts.len().max(1) as f64;
    println!(
        "{} {half:?} {name}: {:.1} % of {}, whichlang alone {:.1} %",
        language.code(),
        share(right[0]),
        texts.len(),
        share(right[1]),
    );
}

fn whichlang(text: &str) -> Option<Language> {
    Some(match whichlang::detect_language(text) {
        Lang::Ara => Language::Arabic,
        Lang::Cmn => Language::Chinese,
        Lang::Deu => Language::German,
        Lang::Eng => Language::English,
        Lang::Fra => Language::French,
        Lang::Hin => Language::Hindi,
        Lang::Ita => Language::Italian,
        Lang::Jpn => Language::Japanese,
        Lang::Kor => Language::Korean,
        Lang::Por => Language::Portuguese,
        Lang::Rus => Language::Russian,
        Lang::Spa => Language::Spanish,
        _ => return None,
    })
}
