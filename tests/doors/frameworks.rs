//! Frameworks and programs by their own code: Vercel's `ai`, LangChain, and Open WebUI out of its wheel. `cargo xtask test`
//! fetches them; where it cannot, these tests are not run, and say so.

use std::process::Command;

use quartet_tests::skip::not_run;

use crate::packages::{check, document, node};

#[test]
fn ai_of_vercel() {
    let (_folder, file) = document();
    check("ai_of_vercel", "QUARTET_OPENAI_JAVASCRIPT", |folder| {
        let mut command = node();
        command.current_dir(folder).arg("ai.mjs").env("QUARTET_DOCUMENT", &file);
        command
    });
}

#[test]
fn langchain() {
    let name = "langchain";
    let Some(wheel) = std::env::var_os("QUARTET_LANGCHAIN_DOCLING") else {
        return not_run(name, "QUARTET_LANGCHAIN_DOCLING does not say where its loader is");
    };
    let (_folder, file) = document();
    check(name, "QUARTET_OPENAI_PYTHON", |python| {
        let mut command = Command::new(python);
        command
            .args(["-c", include_str!("packages/langchain.py")])
            .env("QUARTET_LANGCHAIN_DOCLING", &wheel)
            .env("QUARTET_DOCUMENT", &file);
        command
    });
}

#[test]
fn open_webuis_own_code() {
    let name = "open_webuis_own_code";
    let Some(wheel) = std::env::var_os("QUARTET_OPEN_WEBUI") else {
        return not_run(name, "QUARTET_OPEN_WEBUI does not say where its wheel is");
    };
    let (_folder, file) = document();
    check(name, "QUARTET_OPENAI_PYTHON", |python| {
        let mut command = Command::new(python);
        command
            .args(["-c", include_str!("packages/open_webui.py")])
            .env("QUARTET_OPEN_WEBUI", &wheel)
            .env("QUARTET_DOCUMENT", &file);
        command
    });
}
