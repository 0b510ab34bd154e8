//! OpenAI's own packages, which are what most programs are built on: for Python and for JavaScript; clients of services
//! that read documents, and of the Model Context Protocol; and what is made of the service's own description: clients and
//! requests. `cargo xtask test` fetches the packages; where it cannot, these tests are not run, and say so.

use std::path::{Path, PathBuf};
use std::process::Command;

use quartet_tests::Service;
use quartet_tests::files::pdf;
use quartet_tests::skip::not_run;

use crate::start;

/// Node.js as the test command found it, or the machine's own.
pub fn node() -> Command {
    Command::new(std::env::var_os("QUARTET_NODE").unwrap_or_else(|| "node".into()))
}

/// Runs a program that asks the service, and checks that it says that all is well.
pub fn check(name: &str, variable: &str, program: impl Fn(&Path) -> Command) {
    check_with(&["--language-model", "off"], name, variable, program);
}

/// The same with a service of these flags.
fn check_with(flags: &[&str], name: &str, variable: &str, program: impl Fn(&Path) -> Command) {
    let Some(packages) = std::env::var_os(variable) else {
        return not_run(name, &format!("{variable} does not say where the packages are"));
    };
    let service = start(flags);
    if let Err(problem) = run(&service, &mut program(Path::new(&packages))) {
        panic!("{problem}");
    }
}

/// Runs a program that asks a service, and returns what it printed unless it says that all is well.
pub fn run(service: &Service, program: &mut Command) -> Result<(), String> {
    let output = program
        .env("OPENAI_BASE_URL", format!("{}/v1", service.address))
        .env("OPENAI_API_KEY", "anything")
        .env("QUARTET_ADDRESS", &service.address)
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    match output.status.success() && text.trim_end().ends_with("all is well") {
        true => Ok(()),
        false => Err(format!("{text}{}", String::from_utf8_lossy(&output.stderr))),
    }
}

#[test]
fn openai_for_python() {
    check("openai_for_python", "QUARTET_OPENAI_PYTHON", |python| {
        let mut command = Command::new(python);
        command.args(["-c", include_str!("packages/check.py")]);
        command
    });
}

#[test]
fn openai_for_javascript() {
    check("openai_for_javascript", "QUARTET_OPENAI_JAVASCRIPT", |folder| {
        let mut command = node();
        command.current_dir(folder).arg("check.mjs");
        command
    });
}

/// A document of two pages, in a folder that goes with the test.
pub fn document() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("Mühle.pdf");
    let lines: [&[&str]; 2] = [
        &["The mill of Aldebourne was built in 1742 by Thomas Reed."],
        &["The river that drives the wheel is called the Lenn."],
    ];
    std::fs::write(&file, pdf(&lines)).expect("a file");
    (folder, file)
}

#[test]
fn clients_of_services_that_read_documents() {
    let (_folder, file) = document();
    check(
        "clients_of_services_that_read_documents",
        "QUARTET_OPENAI_PYTHON",
        |python| {
            let mut command = Command::new(python);
            command
                .args(["-c", include_str!("packages/documents.py")])
                .env("QUARTET_DOCUMENT", &file)
                .env("TIKA_CLIENT_ONLY", "True");
            command
        },
    );
}

#[test]
fn the_model_context_protocol_for_python() {
    let (_folder, file) = document();
    check(
        "the_model_context_protocol_for_python",
        "QUARTET_OPENAI_PYTHON",
        |python| {
            let mut command = Command::new(python);
            command
                .args(["-c", include_str!("packages/mcp_tools.py")])
                .env("QUARTET_DOCUMENT", &file);
            command
        },
    );
}

#[test]
fn the_model_context_protocol_for_javascript() {
    check(
        "the_model_context_protocol_for_javascript",
        "QUARTET_OPENAI_JAVASCRIPT",
        |folder| {
            let mut command = node();
            command.current_dir(folder).arg("tools.mjs");
            command
        },
    );
}

/// Those of the protocol's own checks that ask for no tool of their own.
const SCENARIOS: [&str; 4] = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

#[test]
fn the_model_context_protocols_own_checks() {
    let name = "the_model_context_protocols_own_checks";
    let Some(packages) = std::env::var_os("QUARTET_OPENAI_JAVASCRIPT") else {
        return not_run(name, "QUARTET_OPENAI_JAVASCRIPT does not say where the packages are");
    };
    let version = node().arg("--version").output().expect("node is there");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let major = version
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|major| major.parse().ok());
    if major.is_none_or(|major: u32| major < 22) {
        return not_run(name, &format!("they need Node 22, and this is {}", version.trim()));
    }
    let program = Path::new(&packages).join("node_modules/@modelcontextprotocol/conformance/dist/index.js");
    let service = start(&["--language-model", "off"]);
    let folder = tempfile::tempdir().expect("a folder");
    for scenario in SCENARIOS {
        let mut command = node();
        command.arg(&program).args([
            "server",
            "--url",
            &format!("{}/mcp", service.address),
            "--scenario",
            scenario,
        ]);
        let output = command.current_dir(folder.path()).output().expect("the checks run");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains(", 0 failed"),
            "{scenario}: {text}"
        );
        assert!(!text.contains("Passed: 0/0"), "{scenario}: {text}");
    }
}

#[test]
fn answers_are_as_the_service_describes_them() {
    let (_folder, file) = document();
    check(
        "answers_are_as_the_service_describes_them",
        "QUARTET_OPENAI_PYTHON",
        |python| {
            let mut command = Command::new(python);
            command
                .args(["-c", include_str!("packages/contract.py")])
                .env("QUARTET_DOCUMENT", &file);
            command
        },
    );
}

#[test]
fn clients_are_generated_for_python() {
    let (_folder, file) = document();
    check("clients_are_generated_for_python", "QUARTET_OPENAI_PYTHON", |python| {
        let mut command = Command::new(python);
        command
            .args(["-c", include_str!("packages/generated.py")])
            .env("QUARTET_DOCUMENT", &file);
        command
    });
}

#[test]
fn clients_are_generated_for_typescript() {
    check(
        "clients_are_generated_for_typescript",
        "QUARTET_OPENAI_JAVASCRIPT",
        |folder| {
            let mut command = node();
            command.current_dir(folder).arg("generated.mjs");
            command
        },
    );
}

#[test]
fn requests_made_of_the_description_are_answered_by_it() {
    let (folder, file) = document();
    check_with(
        // It asks for searches, too, and nothing is to leave the machine.
        &["--language-model", "off", "--search-wikipedia", "off"],
        "requests_made_of_the_description_are_answered_by_it",
        "QUARTET_OPENAI_PYTHON",
        |python| {
            let mut command = Command::new(python);
            command
                .args(["-c", include_str!("packages/properties.py")])
                .env("QUARTET_DOCUMENT", &file)
                // It keeps a cache where it runs.
                .current_dir(folder.path());
            command
        },
    );
}
