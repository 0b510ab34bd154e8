//! The files that are installed, by their paths below `/` as Debian has them.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::files::{Content, Tree};
use super::release::{Release, printed};
use crate::command;
use crate::project::Project;

/// The unit, the settings and the programs of an installed service.
const UNIT: &str = "usr/lib/systemd/system/quartet.service";

/// Settings of the installed service.
pub const SETTINGS: &str = "etc/quartet/quartet.toml";

/// The manual of the engine, which has no command line.
const ENGINE_PAGE: &str = "\
.TH quartet-llm 1
.SH NAME
quartet-llm \\- engine of Quartet's language model
.SH DESCRIPTION
Not for people: the host starts it and talks to it by lines of JSON. The setting
.B language_engine
names it.
.SH SEE ALSO
.BR quartet-serve (1)
";

/// Texts that go with it: the file in the tree, and its name in the documentation.
const TEXTS: &[(&str, &str)] = &[
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("crates/formant-synthesis/LICENSE", "LICENSE-GPL-3.0"),
    ("components/tts/NOTICE", "NOTICE.tts"),
    ("crates/chinese-g2p/NOTICE", "NOTICE.chinese-g2p"),
    ("crates/formant-synthesis/NOTICE", "NOTICE.formant-synthesis"),
    ("crates/japanese-g2p/NOTICE", "NOTICE.japanese-g2p"),
    ("crates/lang-detect/NOTICE", "NOTICE.lang-detect"),
    ("page/NOTICE", "NOTICE.page"),
    ("docs/licences.md", "licences.md"),
    ("models.toml", "models.toml"),
];

/// Shells whose completions are installed, with the place of each.
const SHELLS: &[(&str, &str)] = &[
    ("bash", "usr/share/bash-completion/completions/quartet"),
    ("zsh", "usr/share/zsh/vendor-completions/_quartet"),
    ("fish", "usr/share/fish/vendor_completions.d/quartet.fish"),
];

/// All files.
///
/// # Errors
/// When one of them is not there, or the program does not run.
pub fn tree(project: &Project, release: &Release, work: &Path, sbom: &Path) -> Result<Tree> {
    let mut tree = Tree::default();
    let programs = [
        ("usr/bin/quartet", Some(&release.host)),
        ("usr/bin/quartet-llm", release.engine.as_ref()),
    ];
    let programs = programs.map(|(path, program)| Some((path.to_owned(), program?)));
    let faster = release.faster_engines.iter();
    let faster = faster.map(|(name, program)| (format!("usr/lib/quartet/{name}"), program));
    for (path, program) in programs.into_iter().flatten().chain(faster) {
        let work = work.join("programs").join(&path);
        tree.add_program(path, Content::Of(stripped(program, &work)?));
    }
    let components = fs::read_dir(&release.components)?.collect::<Result<Vec<_>, _>>()?;
    for file in components.into_iter().map(|entry| entry.path()) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".wasm") {
            tree.add(format!("usr/share/quartet/components/{name}"), Content::Of(file));
        }
    }
    let code = work.join("code");
    fs::create_dir_all(&code)?;
    let components = release.components.to_string_lossy();
    eprintln!("dist: compiling the components ahead");
    printed(
        &release.host,
        &["precompile", "--components", &components, &code.to_string_lossy()],
    )?;
    for file in fs::read_dir(&code)? {
        let file = file?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        tree.add(format!("usr/lib/quartet/compiled/{name}"), Content::Of(file));
    }
    for (shell, place) in SHELLS {
        tree.add(*place, Content::Text(printed(&release.host, &["completions", shell])?));
    }
    let manual = work.join("man");
    fs::create_dir_all(&manual)?;
    printed(&release.host, &["man-pages", &manual.to_string_lossy()])?;
    for page in fs::read_dir(&manual)? {
        let page = page?.path();
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        tree.add(format!("usr/share/man/man1/{name}"), Content::Of(page));
    }
    if release.engine.is_some() {
        tree.add(
            "usr/share/man/man1/quartet-llm.1",
            Content::Text(ENGINE_PAGE.to_owned()),
        );
    }
    for (file, name) in TEXTS {
        let file = project.root.join(file);
        tree.add(format!("usr/share/doc/quartet/{name}"), Content::Of(file));
    }
    tree.add("usr/share/doc/quartet/sbom.cdx.json", Content::Of(sbom.to_owned()));
    tree.add("usr/share/doc/quartet/SOURCES", Content::Text(offer(release)));
    let unit = project.root.join("deploy/quartet.service");
    let unit = fs::read_to_string(&unit).with_context(|| format!("reading {}", unit.display()))?;
    tree.add(UNIT, Content::Text(installed_unit(&unit)));
    tree.add(SETTINGS, Content::Of(project.root.join("deploy/quartet.toml")));
    Ok(tree)
}

/// The same files in a folder that lies anywhere: programs find components beside themselves.
pub fn portable(tree: &Tree) -> Tree {
    tree.moved(|path| Some(path.strip_prefix("usr/").unwrap_or(path).to_owned()))
}

/// A copy of a program without its symbols, which are half of it.
fn stripped(program: &Path, work: &Path) -> Result<std::path::PathBuf> {
    fs::create_dir_all(work)?;
    let copy = work.join(program.file_name().unwrap_or_default());
    let mut strip = Command::new("strip");
    // The note would be of the program with symbols.
    strip.args(["--strip-unneeded", "--remove-section=.comment", "-o"]);
    command::run(strip.arg(&copy).arg(program))?;
    Ok(copy)
}

/// The unit with the paths and the user of a package.
fn installed_unit(unit: &str) -> String {
    let mut text = "# Quartet as a service of systemd. Settings: /etc/quartet/quartet.toml; `systemctl edit quartet` for the rest.\n"
        .to_owned();
    let body = unit.find("[Unit]").map_or(unit, |begin| &unit[begin..]);
    for line in body.lines() {
        match line {
            "ExecStart=/usr/local/bin/quartet serve" => {
                text += "ExecStart=/usr/bin/quartet serve\nEnvironment=QUARTET_CONFIG=/etc/quartet/quartet.toml\n";
            }
            // In the settings, where `quartet doctor` reads them, too.
            _ if ["COMPONENTS", "COMPONENT_VERSIONS", "MODELS", "CACHE"]
                .iter()
                .any(|name| line.starts_with(&format!("Environment=QUARTET_{name}="))) => {}
            "DynamicUser=yes" => text += "User=quartet\nGroup=quartet\n",
            "StateDirectoryMode=0700" => text += "StateDirectoryMode=0755\n",
            // A private one would hide who owns the folders.
            "PrivateUsers=yes" => {}
            _ => {
                text += line;
                text.push('\n');
            }
        }
    }
    text
}

/// Where the sources of the part under the GPL are.
fn offer(release: &Release) -> String {
    format!(
        "The speech component, usr/share/quartet/components/tts.wasm, is under GPL-3.0-or-later: LICENSE-GPL-3.0.\n\
         Its complete corresponding source is quartet-tts-{}-source.tar.gz, which is published beside this package, at the\n\
         same place and for as long. Whoever passes the package on has to offer that file with it.\n",
        release.version
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_a_package_runs_the_installed_program_as_its_user() {
        let unit = installed_unit(include_str!("../../../deploy/quartet.service"));
        for line in [
            "ExecStart=/usr/bin/quartet serve",
            "Environment=QUARTET_CONFIG=/etc/quartet/quartet.toml",
            "User=quartet",
            "StateDirectory=quartet",
            "CacheDirectory=quartet",
            "NoNewPrivileges=yes",
            "WantedBy=multi-user.target",
        ] {
            assert!(unit.lines().any(|found| found == line), "{line} is missing in {unit}");
        }
        assert!(!unit.contains("/usr/local") && !unit.contains("DynamicUser"), "{unit}");
    }
}
