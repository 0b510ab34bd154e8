//! Written forms against what is right to say.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use quartet_api::Language;

use super::cases::{Case, read};
use super::compare::said;
use super::half::Half;

/// Classes that are read otherwise on purpose, with the language that they are skipped in (all of them if it is empty).
const OTHERWISE: &[(&str, &str)] = &[
    // Addresses of the web and mail are said as words here ("example dot com"), letter by letter there.
    ("", "electronic"),
    // Every number near a street is read digit by digit there.
    ("hi", "address"),
    // "2.8" is "two and eight of ten" there, "two comma eight" here.
    ("ar", "decimal"),
    // Decimals are read digit by digit there, as one number of two digits here.
    ("pt", "decimal"),
];

/// Returns true for a case that has no right answer of ours: Russian numbers alone that are ordinals there.
fn is_otherwise(language: Language, case: &Case) -> bool {
    OTHERWISE
        .iter()
        .any(|(code, class)| (code.is_empty() || *code == language.code()) && *class == case.class)
        || language == Language::Russian && case.class == "ordinal" && case.written.chars().all(|c| c.is_ascii_digit())
}

/// Scores every language that the folder has.
pub fn run(folder: &Path, half: Half, code: Option<&str>) -> ExitCode {
    let mut failed = true;
    for language in Language::ALL {
        if code.is_some_and(|code| code != language.code()) {
            continue;
        }
        let Ok(cases) = read(&folder.join(language.code())) else {
            println!("{}: not there", language.code());
            continue;
        };
        failed = false;
        score(language, &cases, half);
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn score(language: Language, cases: &[Case], half: Half) {
    let mut classes: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut skipped = 0;
    for case in cases.iter().filter(|case| Half::of(&case.written) == half) {
        // Where digits stay written there is nothing to compare with.
        let spoken: Vec<&String> = case
            .spoken
            .iter()
            .filter(|spoken| !spoken.chars().any(|c| c.is_ascii_digit()))
            .collect();
        if is_otherwise(language, case) || spoken.is_empty() {
            skipped += 1;
            continue;
        }
        let heard = said(&case.written, language);
        let right = spoken.iter().any(|spoken| said(spoken, language) == heard);
        let counts = classes.entry(&case.class).or_default();
        counts[1] += 1;
        if right {
            counts[0] += 1;
        } else if half == Half::Open {
            println!(
                "{} {}: {}\n    said     {heard}\n    expected {}",
                language.code(),
                case.class,
                case.written,
                said(spoken[0], language),
            );
        }
    }
    let total = classes
        .values()
        .fold([0, 0], |sum, [right, all]| [sum[0] + right, sum[1] + all]);
    let parts: Vec<String> = classes
        .iter()
        .map(|(class, [right, all])| format!("{class} {right}/{all}"))
        .collect();
    println!(
        "{} {half:?}: {}/{} = {:.1} % ({skipped} skipped): {}",
        language.code(),
        total[0],
        total[1],
        100.0 * total[0] as f64 / total[1].max(1) as f64,
        parts.join(", "),
    );
}
