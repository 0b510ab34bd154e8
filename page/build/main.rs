//! Embeds the files of the page, compressed: those in `web`, and the libraries that `cargo xtask setup` names in variables.
//!
//! All files but the first lie in one folder that is named by a digest of them all, so that browsers may keep them for ever
//! and no file is ever read with one of another version. Without the libraries there is one file, which says so.

mod icon;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// Variables that name a file each, the name that it gets, and what is taken from beside it as well.
const LIBRARIES: &[(&str, &str, &[&str])] = &[
    ("QUARTET_PAGE_LIT_HTML", "lit-html.js", &[]),
    ("QUARTET_PAGE_LIT_ELEMENT", "lit-element.js", &[]),
    ("QUARTET_PAGE_REACTIVE_ELEMENT", "reactive-element.js", &["css-tag.js"]),
    (
        "QUARTET_PAGE_PDFJS",
        "pdf.min.mjs",
        &[
            "pdf.worker.min.mjs",
            "cmaps",
            "FoxitDingbats.pfb",
            "FoxitSymbol.pfb",
            "LICENSE_FOXIT",
            "openjpeg.wasm",
            "jbig2.wasm",
            "qcms_bg.wasm",
            "LICENSE_JBIG2",
            "LICENSE_OPENJPEG",
            "LICENSE_PDFJS_JBIG2",
            "LICENSE_PDFJS_OPENJPEG",
            "LICENSE_PDFJS_QCMS",
            "LICENSE_QCMS",
        ],
    ),
    (
        "QUARTET_PAGE_SWAGGER_UI",
        "swagger-ui-bundle.js",
        &["swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt", "NOTICE"],
    ),
];

/// Packages that the libraries import by name; a browser needs the file's.
const IMPORTS: &[(&str, &str)] = &[
    ("from\"@lit/reactive-element\"", "from\"./reactive-element.js\""),
    ("from\"lit-html\"", "from\"./lit-html.js\""),
];

/// Stands in the first file for the folder of the others.
const FOLDER: &str = "@folder@";

/// The file that is shown at the service's address, and the one that is in its place without the libraries.
const FIRST: [&str; 2] = ["index.html", "without.html"];

/// The viewer of the operations.
const VIEWER: &str = "docs.html";

/// The service worker. It stands outside of the folder: browsers ask at one address for ever whether it is another one, and it
/// has a say in what lies below its own address.
const WORKER: &str = "worker.js";

/// Libraries without which nothing of the page is shown.
const LIT: [&str; 4] = [
    "library/css-tag.js",
    "library/lit-element.js",
    "library/lit-html.js",
    "library/reactive-element.js",
];

/// A file of the page: its name in the folder, and its bytes.
type Named = (String, Vec<u8>);

fn main() -> io::Result<()> {
    // Asked when the script runs: the script itself may have been compiled for another clone with the same target folder.
    let package = env::var_os("CARGO_MANIFEST_DIR").ok_or_else(|| io::Error::other("cargo runs this"))?;
    let web = Path::new(&package).join("web");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed={}", web.display());
    let libraries = libraries()?;
    let whole = libraries.is_some();
    let mut files = Vec::new();
    if let Some(libraries) = libraries {
        read(&web, "", &mut files)?;
        files.retain(|(name, _)| !FIRST.contains(&name.as_str()) && name != VIEWER && name != WORKER);
        files.extend(libraries);
        files.push(("icon.svg".to_owned(), icon::svg().into_bytes()));
        for pixels in [192, 512] {
            files.push((format!("icon-{pixels}.png"), icon::png(pixels)?));
        }
    }
    files.sort();
    let mut all = Sha256::new();
    for (name, bytes) in &files {
        all.update(name);
        all.update((bytes.len() as u64).to_le_bytes());
        all.update(bytes);
    }
    let folder = format!("/page/{:.16}", hex(&all.finalize()));
    let first = fs::read_to_string(web.join(FIRST[usize::from(!whole)]))?;
    let first = first.replace(FOLDER, &folder);
    let worker = match whole {
        true => Some(worker(&fs::read_to_string(web.join(WORKER))?, &folder, &files, &first)),
        false => None,
    };
    files.insert(0, (String::new(), first.into_bytes()));
    let admin = String::from_utf8_lossy(&files[0].1).replace("<quartet-page>", "<quartet-page place=\"admin\">");
    let target = env::var_os("OUT_DIR")
        .map(PathBuf::from)
        .ok_or(io::ErrorKind::NotFound)?;
    let mut list = format!(
        "/// True if the page is whole: its libraries were there when it was built.\npub const WHOLE: bool = {whole};\n\n"
    );
    list.push_str("/// Every file of the page; the first is the page itself.\npub static FILES: &[File] = &[\n");
    for (number, (name, bytes)) in files.iter().enumerate() {
        let path = if number == 0 {
            "/".to_owned()
        } else {
            format!("{folder}/{name}")
        };
        let _ = writeln!(list, "    {},", file(&target, &format!("{number}.gz"), &path, bytes)?);
    }
    list.push_str("];\n\n/// The page itself at the admin interface.\n");
    let _ = writeln!(
        list,
        "static ADMIN: File = {};",
        file(&target, "admin.gz", "/", admin.as_bytes())?
    );
    list.push_str("\n/// The viewer of the operations, where its library was there when it was built.\n");
    let viewer = match whole {
        true => {
            let text = fs::read_to_string(web.join(VIEWER))?.replace(FOLDER, &folder);
            format!("Some({})", file(&target, "viewer.gz", "/docs", text.as_bytes())?)
        }
        false => "None".to_owned(),
    };
    let _ = writeln!(list, "static VIEWER: Option<File> = {viewer};");
    list.push_str("\n/// The service worker, where there is a page that it could keep.\n");
    let worker = match worker {
        Some(text) => format!("Some({})", file(&target, "worker.gz", "/worker.js", text.as_bytes())?),
        None => "None".to_owned(),
    };
    let _ = writeln!(list, "static WORKER: Option<File> = {worker};");
    fs::write(target.join("files.rs"), list)
}

/// The service worker, which is told which files it keeps, and by what name: another one for every version of the page.
fn worker(text: &str, folder: &str, files: &[Named], first: &str) -> String {
    let kept = files
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| is_shell(name));
    let kept: Vec<_> = kept.map(|name| format!("'{name}'")).collect();
    text.replace("'@files@'", &kept.join(", "))
        .replace("@digest@", &format!("{:.16}", hex(&Sha256::digest(first))))
        .replace(FOLDER, folder)
}

/// True for a file without which the page is not shown in one of its languages: neither the viewers of PDFs and of operations,
/// which need the service, nor pictures for those who install the page.
fn is_shell(name: &str) -> bool {
    LIT.contains(&name) || !(name.starts_with("library/") || name.starts_with("docs.") || name.ends_with(".png"))
}

/// A file as Rust, compressed into the folder of what is built.
fn file(target: &Path, compressed: &str, path: &str, bytes: &[u8]) -> io::Result<String> {
    let compressed = target.join(compressed);
    fs::write(&compressed, compress(bytes)?)?;
    let name = match path {
        "/" => FIRST[0],
        "/docs" => VIEWER,
        path => path,
    };
    Ok(format!(
        "File {{ path: {path:?}, media_type: {:?}, etag: \"W/\\\"{:.16}\\\"\", gzip: include_bytes!({compressed:?}) }}",
        media_type(name),
        hex(&Sha256::digest(bytes))
    ))
}

/// The libraries; `None` where one of them was not named.
fn libraries() -> io::Result<Option<Vec<Named>>> {
    let mut files = Vec::new();
    for (variable, name, beside) in LIBRARIES {
        println!("cargo::rerun-if-env-changed={variable}");
        let Some(path) = env::var_os(variable).map(PathBuf::from) else {
            return Ok(None);
        };
        println!("cargo::rerun-if-changed={}", path.display());
        let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
        files.push((format!("library/LICENSE-{name}"), fs::read(folder.join("LICENSE"))?));
        for file in [*name].iter().chain(*beside) {
            let found = folder.join(file);
            if found.is_dir() {
                read(&found, &format!("library/{file}/"), &mut files)?;
            } else {
                files.push((format!("library/{file}"), fs::read(found)?));
            }
        }
    }
    for (_, bytes) in files.iter_mut().filter(|(name, _)| name.ends_with(".js")) {
        let mut text = String::from_utf8(std::mem::take(bytes)).map_err(io::Error::other)?;
        for (package, file) in IMPORTS {
            text = text.replace(package, file);
        }
        // What it names is not there.
        if let Some(map) = text.rfind("//# sourceMappingURL=") {
            text.truncate(map);
        }
        *bytes = text.into_bytes();
    }
    Ok(Some(files))
}

/// Reads the files of a folder, and of those in it, under names that begin with `prefix`.
fn read(folder: &Path, prefix: &str, files: &mut Vec<Named>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            read(&path, &format!("{prefix}{name}/"), files)?;
        } else {
            files.push((format!("{prefix}{name}"), fs::read(&path)?));
        }
    }
    Ok(())
}

fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn media_type(name: &str) -> &'static str {
    match Path::new(name).extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("wasm") => "application/wasm",
        _ if name.contains("LICENSE") || name.ends_with("NOTICE") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
