//! The package for Debian and what is made of it, by Debian's own `dpkg-deb`.
//!
//! Not by `cargo-deb`: most of what is packed is not built by cargo (components, man pages, the unit of a file that others
//! use too), and it would be compiled, with its 200 crates, to write four small files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::contents;
use super::files::{Content, Tree, compress};
use super::release::{Release, date};
use crate::command;
use crate::project::Project;

const DESCRIPTION: &str = "\
Description: speech, pictures, PDF and chat behind one HTTP API
 Quartet is a service for one's own machine: it speaks, reads pictures and
 documents, answers questions about them and converses. It works offline,
 with small models, on an ordinary processor. Each capability is a sandboxed
 WebAssembly component.
 .
 Models are fetched at the first start, or with `quartet models get`.
";

const POSTINST: &str = r#"#!/bin/sh
set -e
if [ "$1" = configure ]; then
    if ! getent passwd quartet >/dev/null; then
        adduser --quiet --system --group --home /var/lib/quartet --no-create-home quartet
    fi
    install -d -o quartet -g quartet -m 0755 /var/lib/quartet /var/lib/quartet/models
    install -d -o quartet -g quartet -m 0700 /var/cache/quartet
    deb-systemd-helper unmask quartet.service >/dev/null || true
    if deb-systemd-helper --quiet was-enabled quartet.service; then
        deb-systemd-helper enable quartet.service >/dev/null || true
    else
        deb-systemd-helper update-state quartet.service >/dev/null || true
    fi
    if [ -d /run/systemd/system ]; then
        systemctl --system daemon-reload >/dev/null || true
        if [ -n "$2" ]; then action=restart; else action=start; fi
        deb-systemd-invoke $action quartet.service >/dev/null || true
    fi
fi
"#;

const PRERM: &str = r#"#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    deb-systemd-invoke stop quartet.service >/dev/null || true
fi
"#;

const POSTRM: &str = r#"#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload >/dev/null || true
fi
if [ "$1" = remove ] && command -v deb-systemd-helper >/dev/null; then
    deb-systemd-helper mask quartet.service >/dev/null || true
fi
if [ "$1" = purge ]; then
    if command -v deb-systemd-helper >/dev/null; then
        deb-systemd-helper purge quartet.service >/dev/null || true
        deb-systemd-helper unmask quartet.service >/dev/null || true
    fi
    # Models and compiled components; nothing of it was made by a person.
    rm -rf /var/lib/quartet /var/cache/quartet
fi
"#;

/// Tells lintian what the code of components is.
const OVERRIDES: &str = "\
# Machine code of the components in the form of wasmtime, which reads its ELF file by itself and needs all of it.
quartet: unstripped-binary-or-object [usr/lib/quartet/compiled/*.cwasm]
# A component reads PDF with a program of its own in it; its words are taken for those of the library.
quartet: embedded-library freetype [usr/lib/quartet/compiled/*.cwasm]
";

/// Whoever made the package, unless this variable says who else.
const MAINTAINER: (&str, &str) = ("DEBEMAIL", "The Quartet authors <noreply@example.org>");

/// Writes the package and returns its file.
///
/// # Errors
/// When a file cannot be read or written, or `dpkg-deb` fails.
pub fn write(project: &Project, release: &Release, tree: &Tree, glibc: &str, work: &Path) -> Result<PathBuf> {
    let architecture = command::output(Command::new("dpkg").arg("--print-architecture"))?
        .trim_end()
        .to_owned();
    let mut tree = tree.moved(debian);
    tree.add("usr/share/doc/quartet/copyright", Content::Text(copyright(project)?));
    let overrides = Content::Text(OVERRIDES.to_owned());
    tree.add("usr/share/lintian/overrides/quartet", overrides);
    let changelog = work.join("changelog");
    fs::write(&changelog, changes(release)?)?;
    compress(&changelog, &work.join("changelog.gz"))?;
    tree.add(
        "usr/share/doc/quartet/changelog.gz",
        Content::Of(work.join("changelog.gz")),
    );
    for (page, plain) in manual(&tree, work, release.epoch)? {
        tree.add(format!("usr/share/man/man1/{page}"), Content::Of(plain));
    }
    let mut tree = tree.moved(|path| (!path.ends_with(".1")).then(|| path.to_owned()));
    tree.add("DEBIAN/conffiles", Content::Text(format!("/{}\n", contents::SETTINGS)));
    for (name, text) in [("postinst", POSTINST), ("prerm", PRERM), ("postrm", POSTRM)] {
        tree.add_program(format!("DEBIAN/{name}"), Content::Text(text.to_owned()));
    }
    let folder = work.join("package");
    // Measured before the control file says so.
    tree.write(&folder, release.epoch)?;
    let kilobytes = command::output(
        Command::new("du")
            .args(["--summarize", "--apparent-size", "-k"])
            .arg(&folder),
    )?;
    let kilobytes = kilobytes.split_whitespace().next().unwrap_or("0");
    tree.add(
        "DEBIAN/control",
        Content::Text(control(release, &architecture, glibc, kilobytes)),
    );
    tree.add("DEBIAN/md5sums", Content::Text(sums(&folder)?));
    tree.write(&folder, release.epoch)?;
    let package = release
        .folder
        .join(format!("quartet_{}_{architecture}.deb", release.version));
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "--threads-max=1", "-Zxz", "-z2", "--build"]);
    command::output(
        build
            .env("SOURCE_DATE_EPOCH", release.epoch.to_string())
            .arg(&folder)
            .arg(&package),
    )?;
    Ok(package)
}

/// The place of a file in a package of Debian's; `None` for what Debian has by itself.
fn debian(path: &str) -> Option<String> {
    let own = ["LICENSE-APACHE", "LICENSE-GPL-3.0"]
        .iter()
        .any(|name| path.ends_with(name));
    (!own).then(|| path.to_owned())
}

/// Man pages, compressed as Debian wants them: their names and files.
fn manual(tree: &Tree, work: &Path, epoch: u64) -> Result<Vec<(String, PathBuf)>> {
    let folder = work.join("pages");
    tree.moved(|path| path.strip_prefix("usr/share/man/man1/").map(str::to_owned))
        .write(&folder, epoch)?;
    let mut pages = Vec::new();
    for page in fs::read_dir(&folder)? {
        let page = page?.path();
        let packed = page.with_extension("1.gz");
        compress(&page, &packed)?;
        pages.push((
            packed.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            packed,
        ));
    }
    Ok(pages)
}

fn control(release: &Release, architecture: &str, glibc: &str, kilobytes: &str) -> String {
    format!(
        "Package: quartet\nVersion: {}\nArchitecture: {architecture}\nMaintainer: {}\n\
         Installed-Size: {kilobytes}\nDepends: libc6 (>= {glibc}), libgcc-s1, libstdc++6, adduser\n\
         Recommends: ca-certificates\nSection: net\nPriority: optional\n{DESCRIPTION}",
        release.version,
        maintainer(),
    )
}

fn maintainer() -> String {
    std::env::var(MAINTAINER.0).unwrap_or_else(|_| MAINTAINER.1.to_owned())
}

fn changes(release: &Release) -> Result<String> {
    let date = date(release.epoch, "%a, %d %b %Y %H:%M:%S +0000")?;
    Ok(format!(
        "quartet ({}) unstable; urgency=medium\n\n  * See CHANGELOG.md of the sources.\n\n -- {}  {date}\n",
        release.version,
        maintainer(),
    ))
}

/// The terms, as Debian's policy has them.
fn copyright(project: &Project) -> Result<String> {
    let mit = fs::read_to_string(project.root.join("LICENSE-MIT"))?;
    let indented = |text: &str| {
        let line = |line: &str| {
            if line.trim().is_empty() {
                " .\n".to_owned()
            } else {
                format!(" {line}\n")
            }
        };
        text.lines().map(line).collect::<String>()
    };
    Ok(format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Quartet\n\n\
         Files: *\nCopyright: The Quartet authors\nLicense: Apache-2.0 or MIT\n\n\
         Files: usr/share/quartet/components/tts.wasm\nCopyright: The Quartet authors, the authors of eSpeak NG\n\
         License: GPL-3+\n\n\
         License: Apache-2.0\n On Debian, /usr/share/common-licenses/Apache-2.0 has the text.\n\n\
         License: MIT\n{}\n\
         License: GPL-3+\n On Debian, /usr/share/common-licenses/GPL-3 has the text.\n\
         \u{20}SOURCES says where the source is, licences.md names what else is inside.\n",
        indented(&mit)
    ))
}

/// `md5sums` of all files but those of the control part.
fn sums(folder: &Path) -> Result<String> {
    let mut find = Command::new("sh");
    find.current_dir(folder);
    find.args([
        "-c",
        "find usr etc -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum",
    ]);
    command::output(&mut find)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_files_have_what_debian_asks_for() {
        let release = Release {
            version: "1.2.3".to_owned(),
            epoch: 1_700_000_000,
            folder: PathBuf::new(),
            host: PathBuf::new(),
            engine: None,
            faster_engines: Vec::new(),
            components: PathBuf::new(),
        };
        let control = control(&release, "amd64", "2.34", "1000");
        for field in [
            "Package: quartet\n",
            "Version: 1.2.3\n",
            "Depends: libc6 (>= 2.34), ",
            "\nDescription: ",
        ] {
            assert!(control.contains(field), "{control}");
        }
        assert!(control.ends_with('\n') && !control.contains("\n\n"));
        let changes = changes(&release).unwrap();
        assert!(changes.contains("Tue, 14 Nov 2023 22:13:20 +0000"), "{changes}");
        let copyright = copyright(&Project::find().unwrap()).unwrap();
        assert!(
            copyright.contains("License: MIT\n ") && copyright.contains("GPL-3+"),
            "{copyright}"
        );
        assert_eq!(debian("usr/share/doc/quartet/LICENSE-GPL-3.0"), None);
    }
}
