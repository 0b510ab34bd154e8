//! The project's own commands, `cargo xtask <command>`: their names and flags. Each command is
//! a file of its own; nothing here is part of the service.

mod bench;
mod build;
mod command;
mod converse;
mod crates;
mod deploy_check;
mod digest;
mod dist;
mod docs;
mod flags;
mod fuzz;
mod hosts;
mod installed;
mod language;
mod load;
mod models;
mod native;
mod pictures;
mod progress;
mod project;
mod provide;
mod python;
mod read_pdfs;
mod recognise;
mod replicas;
mod reproduce;
mod samples;
mod scratch;
mod serve;
mod service;
mod setup;
mod test;
mod tidy;
mod understand_pdfs;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use project::Project;

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

/// A command.
#[derive(Subcommand)]
enum Task {
    /// Get what a clean clone lacks: the WebAssembly target of the compiler, the data packages and the models.
    Setup,
    /// List the models of `models.toml`, or get some of them.
    Models {
        /// Names of the models to get, as the list has them.
        names: Vec<String>,
    },
    /// Build the host and the components into the target folder.
    Build,
    /// Build the language model's engine for graphics processors, beside the host: `docs/accelerators.md` says what that needs.
    /// Takes some minutes, on two cores more than ten.
    Accelerator {
        /// The backend of llama.cpp.
        accelerator: setup::llama::Accelerator,
    },
    /// Build everything, and a component of your own: into `target/own`.
    Component {
        /// The name of its crate, which is a member of the workspace.
        package: String,
    },
    /// Build everything, and put the components together with what other hosts do not give them: into `target/composed`.
    Compose,
    /// Serve the same components on every host that can be had, run the suite against each, and write the table of
    /// `docs/hosts.md`. Not part of `test`: it needs Python and fetches about 50 MB once.
    Hosts {
        /// Hosts to try: quartet, wasmtime, wasmcloud, spin. All where none is named.
        names: Vec<String>,
    },
    /// Set up and build what is missing, then run the host.
    Serve {
        /// Flags of the host, after `--`.
        #[arg(last = true)]
        host: Vec<OsString>,
    },
    /// Check the tree, then build everything and run all tests; with a name, run one suite or the tests of one crate.
    Test {
        /// A suite (`swap`), or a crate (`quartet-ocr`, `ocr`, `host`). Another name lists all of them.
        name: Option<String>,
        /// Run only the tests whose names contain one of these.
        filters: Vec<String>,
        /// Leave out tidy, rustfmt and clippy.
        #[arg(long)]
        no_lint: bool,
    },
    /// Build everything for any processor of this kind, and pack what a user installs into `target/dist`: a tarball, a Debian
    /// package, an SBOM, the sources of the part under the GPL, digests.
    Dist {
        /// Pack what `build` has built already, as it is.
        #[arg(long)]
        built: bool,
    },
    /// Build the last commit again, in a clone of its own, compare what `dist` makes there with a release, and fail if anything
    /// differs. Not part of `test`: it takes as long as the first build of all.
    Reproduce {
        /// Folder of the release, with its `SHA256SUMS`; what `dist` made in the target folder where none is named.
        release: Option<PathBuf>,
    },
    /// Install what `dist` made into bare roots of Debian 12 and into images, measure that, and write the table of
    /// `docs/install.md`. Not part of `test`: it needs root, mmdebstrap and podman, and takes some minutes.
    Installed {
        /// Flags of `eval/install/install.py`, after `--`.
        #[arg(last = true)]
        script: Vec<OsString>,
    },
    /// Build the host, and write the parts of the documentation that are made of it.
    Docs,
    /// Build everything and run the benchmarks; with `-- first-sound`, only that of the first sound of each format.
    Bench {
        /// Flags of the benchmark, after `--`.
        #[arg(last = true)]
        bench: Vec<OsString>,
    },
    /// Build everything and measure the built-in language model, beside llama.cpp by itself.
    Language {
        /// The model, if another one than the default.
        #[arg(last = true)]
        measure: Vec<OsString>,
    },
    /// Build everything, ask the service sixty questions in several languages and score the answers.
    Converse {
        /// After `--`: `--soak N` has so many conversations instead, and looks at the memory; `--compute open` or `--compute
        /// frozen` scores what is computed.
        #[arg(last = true)]
        flags: Vec<OsString>,
    },
    /// Build everything and have many clients ask for everything at once while components are swapped, an hour by default;
    /// print what was answered, what the process took, and a verdict. Fetches about 50 MB of files once.
    Soak {
        /// After `--`: `--minutes N`, `--clients N`, `--seed N`, `--plot FILE`; `--help` lists all. After a second `--`, flags of
        /// the host.
        #[arg(last = true)]
        flags: Vec<OsString>,
    },
    /// Build everything and measure each operation at several numbers of clients, and what overload costs. Fetches about 50 MB
    /// of files once, and takes half an hour.
    LoadTable {
        /// After `--`: `--clients 1,4,16,64`, `--seconds N`, `--only PART`, `--overload-seconds N`; `--help` lists all. After a
        /// second `--`, flags of the host.
        #[arg(last = true)]
        flags: Vec<OsString>,
    },
    /// Build everything and measure what several replicas cost that share their state: throughput behind a balancer, processor
    /// time, latency and bytes in the store, changes of version. Needs HAProxy for the first, and takes a quarter of an hour.
    Replicas {
        /// After `--`: `--parts scale,kept,bytes,changes,rest`, `--rounds N`, `--seconds N`; `--help` lists all.
        #[arg(last = true)]
        flags: Vec<OsString>,
    },
    /// Let a fuzzer look for input that a reader of strangers' bytes fails at: documents, events, forms, heads, json, mcp, pdf,
    /// pictures, proxies, questions, robots, speech, tokenizer. Not part of `test`.
    Fuzz {
        /// Targets; all where none is named.
        targets: Vec<String>,
        /// Time for each target.
        #[arg(long, default_value_t = 3_600)]
        seconds: u64,
    },
    /// Build everything and have a recogniser judge the speech. Not part of `test`: it needs Python and the program
    /// `espeak-ng`, fetches about 1 GB once, and takes up to an hour.
    Recognise {
        /// Languages, and flags of `eval/recogniser/recognise.py`, after `--`.
        #[arg(last = true)]
        script: Vec<OsString>,
    },
    /// Build everything and make a page with a sound and a spectrogram of every voice, engine and language, in
    /// `target/samples`. Not part of `test`: it needs Python, fetches 100 MB once, and takes some minutes.
    Samples {
        /// Languages, and flags of `eval/samples/samples.py`, after `--`.
        #[arg(last = true)]
        script: Vec<OsString>,
    },
    /// Build everything, show the service real pictures and compare it with other engines. Not part of `test`: it needs
    /// Python and packages of Debian that `docs/pictures.md` names, fetches about 400 MB once, and takes half an hour.
    Pictures {
        /// Parts of it, after `--`: gallery, text, objects, speed.
        #[arg(last = true)]
        script: Vec<OsString>,
    },
    /// Read real PDFs beside other readers. Not part of `test`: it needs Python, npm and apt, fetches about 80 MB once, and
    /// takes some minutes.
    ReadPdfs {
        /// Parts of names, and flags of `eval/pdf/compare.py`, after `--`.
        #[arg(last = true)]
        script: Vec<OsString>,
    },
    /// Score answers and summaries on real documents, beside other summarizers. Not part of `test`: it needs Python and
    /// `apt-get`, and fetches about 60 MB once.
    UnderstandPdfs {
        /// Flags of `eval/pdf/understand.py`, after `--`.
        #[arg(last = true)]
        script: Vec<OsString>,
    },
    /// Judge the files of `deploy/` by the tools of their fields. Not part of `test`: it needs Python and fetches some
    /// packages once.
    DeployCheck,
    /// Check the rules of the tree that no compiler checks.
    Tidy,
}

fn main() -> ExitCode {
    let task = Arguments::parse().task;
    match Project::find().and_then(|project| run(&project, task)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(project: &Project, task: Task) -> Result<ExitCode> {
    match task {
        Task::Setup | Task::Test { name: Some(_), .. } | Task::Bench { .. } | Task::Language { .. } => {
            models::ensure_all(project)?;
        }
        Task::Converse { .. }
        | Task::Soak { .. }
        | Task::LoadTable { .. }
        | Task::Replicas { .. }
        | Task::Pictures { .. }
        | Task::UnderstandPdfs { .. } => {
            models::ensure_all(project)?;
        }
        _ => {}
    }
    match task {
        Task::Setup => setup::run(project).map(drop),
        Task::Models { names } => models::run(project, &names),
        Task::Build => {
            setup::run(project)?;
            let coming = models::Coming::begin(project);
            build::run(project)?;
            coming.wait()
        }
        Task::Accelerator { accelerator } => {
            let engine = build::accelerated_engine(project, accelerator)?;
            eprintln!("accelerator: use it as --language-engine {}", engine.display());
            Ok(())
        }
        Task::Component { package } => build::run_with_own(project, &package),
        Task::Compose => provide::run(project),
        Task::Hosts { names } => hosts::run(project, &names),
        Task::Serve { host } => serve::run(project, &host),
        Task::Test {
            name: Some(name),
            filters,
            ..
        } => return test::run_named(project, &name, &filters),
        Task::Test {
            name: None, no_lint, ..
        } => return test::run(project, !no_lint),
        Task::Dist { built } => dist::run(project, built),
        Task::Reproduce { release } => reproduce::run(project, release),
        Task::Installed { script } => installed::run(project, &script),
        Task::Docs => docs::run(project),
        Task::Bench { bench } => bench::run(project, &bench),
        Task::Language { measure } => language::run(project, &measure),
        Task::Converse { flags } => converse::run(project, &flags),
        Task::Soak { flags } => load::run(project, "soak", &flags),
        Task::LoadTable { flags } => load::run(project, "load-table", &flags),
        Task::Replicas { flags } => replicas::run(project, &flags),
        Task::Fuzz { targets, seconds } => fuzz::run(project, &targets, seconds),
        Task::Recognise { script } => recognise::run(project, &script),
        Task::Samples { script } => samples::run(project, &script),
        Task::Pictures { script } => pictures::run(project, &script),
        Task::ReadPdfs { script } => read_pdfs::run(project, &script),
        Task::UnderstandPdfs { script } => understand_pdfs::run(project, &script),
        Task::DeployCheck => deploy_check::run(project),
        Task::Tidy => tidy::run(project),
    }?;
    Ok(ExitCode::SUCCESS)
}
