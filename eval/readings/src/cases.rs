//! Files of written forms and the ways to say them.

use std::fs;
use std::path::Path;

/// A written form.
pub struct Case {
    /// The file that it stands in, without its ending: the class of the form.
    pub class: String,
    /// The text as it is written.
    pub written: String,
    /// Everything that is right to say.
    pub spoken: Vec<String>,
}

/// The cases of all files in a folder, in the order of the files' names.
pub fn read(folder: &Path) -> std::io::Result<Vec<Case>> {
    let mut paths: Vec<_> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut cases = Vec::new();
    for path in paths
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
    {
        let class = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let class = class.trim_start_matches("test_cases_").to_owned();
        for line in fs::read_to_string(path)?.lines() {
            add(&mut cases, &class, line);
        }
    }
    // The same form on several lines: each of them is right.
    let mut merged: Vec<Case> = Vec::new();
    for case in cases {
        match merged
            .iter_mut()
            .find(|known| known.written == case.written && known.class == case.class)
        {
            Some(known) => known.spoken.extend(case.spoken),
            None => merged.push(case),
        }
    }
    let mut cases = merged;
    cases.retain(|case| !case.spoken.is_empty());
    Ok(cases)
}

/// A line `written~spoken~spoken`, or `~written` followed by a line for each way to say it.
fn add(cases: &mut Vec<Case>, class: &str, line: &str) {
    if let Some(written) = line.strip_prefix('~') {
        return cases.push(Case {
            class: class.to_owned(),
            written: written.trim().to_owned(),
            spoken: Vec::new(),
        });
    }
    if let Some((written, spoken)) = line.split_once('~') {
        // German and Russian files have the spoken form first.
        let digits = |text: &str| text.chars().any(char::is_numeric);
        let (written, spoken) = if digits(spoken) && !digits(written) {
            (spoken, written)
        } else {
            (written, spoken)
        };
        return cases.push(Case {
            class: class.to_owned(),
            written: written.trim().to_owned(),
            spoken: spoken.split('~').map(str::to_owned).collect(),
        });
    }
    if let Some(case) = cases
        .last_mut()
        .filter(|case| case.class == class && !line.trim().is_empty())
    {
        case.spoken.push(line.trim().to_owned());
    }
}
