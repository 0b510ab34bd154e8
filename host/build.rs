//! Embeds the `capability.toml` of every component, with the files of its probe.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
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
    fs::write(target.join("capabilities.rs"), list)
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
