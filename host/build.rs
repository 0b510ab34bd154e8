//! Embeds the `capability.toml` of every component, with the files of its probe, and the catalogue of language models.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    // Asked when the script runs: the script itself may have been compiled for another clone with the same target folder.
    let package = env::var_os("CARGO_MANIFEST_DIR").ok_or_else(|| io::Error::other("cargo runs this"))?;
    let root = Path::new(&package).join("..").canonicalize()?;
    println!("cargo::rerun-if-changed=build.rs");
    // A new component changes it. The folder of the components would stand for every source in it.
    println!("cargo::rerun-if-changed={}", root.join("Cargo.lock").display());
    let mut list = "static EMBEDDED: &[Embedded] = &[\n".to_owned();
    for folder in sorted(&root.join("components"))? {
        let (file, name) = (folder.join("capability.toml"), name(&folder));
        if !file.is_file() {
            continue;
        }
        println!("cargo::rerun-if-changed={}", file.display());
        let mut files = String::new();
        let probe = folder.join("probe");
        if probe.is_dir() {
            println!("cargo::rerun-if-changed={}", probe.display());
            for path in sorted(&probe)? {
                let _ = write!(
                    files,
                    "({:?}, include_bytes!({path:?})), ",
                    format!("probe/{}", self::name(&path))
                );
            }
        }
        let _ = writeln!(
            list,
            "    Embedded {{ name: {name:?}, text: include_str!({file:?}), files: &[{files}] }},"
        );
    }
    list.push_str("];\n");
    let target = env::var_os("OUT_DIR")
        .map(PathBuf::from)
        .ok_or(io::ErrorKind::NotFound)?;
    fs::write(target.join("capabilities.rs"), list)?;
    fs::write(
        target.join("language_models.rs"),
        language_models(&root.join("models.toml"))?,
    )
}

/// The models of `models.toml` that want memory, which are the language models.
fn language_models(file: &Path) -> io::Result<String> {
    println!("cargo::rerun-if-changed={}", file.display());
    let invalid = |error: String| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", file.display()));
    let table: toml::Table = fs::read_to_string(file)?
        .parse()
        .map_err(|error: toml::de::Error| invalid(error.to_string()))?;
    let models = table.get("model").and_then(toml::Value::as_array);
    let mut list = "static LANGUAGE_MODELS: &[(&str, &str, u64, bool, bool)] = &[\n".to_owned();
    for model in models.into_iter().flatten() {
        let Some(memory) = model.get("memory").and_then(toml::Value::as_integer) else {
            continue;
        };
        let text = |key: &str| {
            let text = model.get(key).and_then(toml::Value::as_str);
            text.ok_or_else(|| invalid(format!("a model has no `{key}`")))
        };
        let flag = |key: &str| model.get(key).and_then(toml::Value::as_bool);
        let (default, tools) = (flag("default").unwrap_or(false), flag("tools").unwrap_or(true));
        let _ = writeln!(
            list,
            "    ({:?}, {:?}, {memory}, {default}, {tools}),",
            text("name")?,
            text("file")?
        );
    }
    list.push_str("];\n");
    Ok(list)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect();
    let mut paths = entries?;
    paths.sort();
    Ok(paths)
}
