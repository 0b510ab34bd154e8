//! `cargo xtask fuzz`: lets libFuzzer look for input that a reader of strangers' bytes panics at, hangs at, or takes too much
//! memory for. The targets are those of `tests/fuzz`; `cargo-fuzz` builds them, without a sanitizer, so that the stable compiler
//! does. What it begins with are real files and texts; what it grew lies in the target folder and is gone on from.

use std::env::consts::ARCH;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::project::Project;
use crate::{command, progress, setup};

/// The folder of the targets, and of files to begin with.
const FOLDER: &str = "tests/fuzz";
/// The version of cargo-fuzz that is installed where there is none.
const CARGO_FUZZ: &str = "cargo-fuzz@0.13.2";
/// Seconds for one input.
const INPUT_SECONDS: u32 = 25;
/// Size of a file that is begun with, in bytes.
const MAX_SEED_BYTES: u64 = 200_000;
/// Tables of which each row is a text to begin with: its columns, each a line.
const TEXTS: [(&str, &str, &[usize]); 4] = [
    ("questions", "components/chat/src/calculate/examples.tsv", &[0, 1]),
    ("questions", "eval/chat/computing.open.tsv", &[4]),
    ("speech", "crates/text-normalization/src/readings.tsv", &[1]),
    ("tokenizer", "crates/text-normalization/src/readings.tsv", &[1]),
];
/// Extensions of the files that a target begins with.
const FILES: [(&str, &[&str]); 3] = [
    (
        "documents",
        &[
            "docx", "pptx", "xlsx", "odt", "odp", "ods", "epub", "html", "eml", "md", "csv", "txt",
        ],
    ),
    ("pdf", &["pdf"]),
    ("pictures", &["png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "webp"]),
];
/// Targets with the most bytes of an input.
const TARGETS: [(&str, u32); 13] = [
    ("documents", 60_000),
    ("events", 4_096),
    ("forms", 4_096),
    ("heads", 2_048),
    ("json", 4_096),
    ("mcp", 4_096),
    ("pdf", 200_000),
    ("pictures", 200_000),
    ("proxies", 300),
    ("questions", 300),
    ("robots", 4_096),
    ("speech", 400),
    ("tokenizer", 400),
];

/// Builds the targets, then runs those that are `named`, or all, each for so many seconds.
///
/// # Errors
/// When a name is none of a target, something cannot be built, or an input is found.
pub fn run(project: &Project, named: &[String], seconds: u64) -> Result<()> {
    if let Some(unknown) = named
        .iter()
        .find(|name| TARGETS.iter().all(|(target, _)| target != name))
    {
        let targets = TARGETS.map(|(target, _)| target).join(", ");
        bail!("{unknown} is no target; there are {targets}");
    }
    let folder = project.target.join("fuzz");
    let prepared = setup::run(project)?;
    let mut build = project.command(cargo_fuzz(project)?);
    prepared.name_in(&mut build);
    build.args([
        "fuzz",
        "build",
        "-O",
        "--fuzz-dir",
        FOLDER,
        "--sanitizer",
        "none",
        "--target-dir",
    ]);
    command::run(build.arg(&folder))?;
    seed(project, &folder)?;
    let mut found = Vec::new();
    for (target, longest) in TARGETS {
        if !named.is_empty() && !named.iter().any(|name| name == target) {
            continue;
        }
        progress::setup(&format!("fuzzing {target} for {seconds} s"));
        let mut fuzz = project.command(folder.join(format!("{ARCH}-unknown-linux-gnu/release/{target}")));
        fuzz.arg(corpus(&folder, target))
            .arg(format!("-max_len={longest}"))
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-timeout={INPUT_SECONDS}"))
            .arg(format!("-artifact_prefix={}/{target}-", folder.display()))
            .args(["-rss_limit_mb=4096", "-print_final_stats=1"]);
        if let Err(error) = command::run(&mut fuzz) {
            found.push(format!("{target}: {error:#}"));
        }
    }
    if !found.is_empty() {
        bail!(
            "inputs were found, which lie in {}:\n{}",
            folder.display(),
            found.join("\n")
        );
    }
    Ok(())
}

/// The program, which is installed into the cache where there is none.
fn cargo_fuzz(project: &Project) -> Result<PathBuf> {
    if command::exists("cargo-fuzz") {
        return Ok("cargo-fuzz".into());
    }
    let root = project.cache.join(CARGO_FUZZ);
    let program = root.join("bin/cargo-fuzz");
    if !program.is_file() {
        progress::setup("installing cargo-fuzz");
        let mut install = project.cargo("install");
        command::run(install.args(["--quiet", "--locked", CARGO_FUZZ, "--root"]).arg(&root))?;
    }
    Ok(program)
}

fn corpus(folder: &Path, target: &str) -> PathBuf {
    folder.join("corpus").join(target)
}

/// Puts real files and texts where the fuzzer begins.
fn seed(project: &Project, folder: &Path) -> Result<()> {
    for (target, _) in TARGETS {
        let corpus = corpus(folder, target);
        fs::create_dir_all(&corpus).with_context(|| format!("creating {}", corpus.display()))?;
    }
    let write = |target: &str, name: &str, bytes: &[u8]| {
        let file = corpus(folder, target).join(name);
        fs::write(&file, bytes).with_context(|| format!("writing {}", file.display()))
    };
    for (target, file, columns) in TEXTS {
        let text = fs::read_to_string(project.root.join(file)).with_context(|| format!("reading {file}"))?;
        let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let fields: Vec<_> = line.split('\t').collect();
            let lines: Vec<_> = columns
                .iter()
                .filter_map(|column| fields.get(*column).copied())
                .collect();
            write(target, &format!("{stem}-{number}"), lines.join("\n").as_bytes())?;
        }
    }
    for (target, _) in TARGETS {
        let seeds = fs::read_dir(project.root.join(FOLDER).join("seeds").join(target));
        for seed in seeds.into_iter().flatten() {
            let seed = seed?;
            write(target, &seed.file_name().to_string_lossy(), &fs::read(seed.path())?)?;
        }
    }
    for path in setup::traffic_files(project).iter().flat_map(fs::read_dir).flatten() {
        let path = path?.path();
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let of = FILES.iter().filter(|(_, extensions)| extensions.contains(&&*extension));
        for (target, _) in of {
            if path.metadata()?.len() <= MAX_SEED_BYTES {
                write(
                    target,
                    &path.file_name().unwrap_or_default().to_string_lossy(),
                    &fs::read(&path)?,
                )?;
            }
        }
    }
    Ok(())
}
