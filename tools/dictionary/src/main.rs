//! The command `quartet-dictionary`: from the wheel of `pyopenjtalk-plus` to the file that the Japanese front end of text
//! to speech embeds.
//!
//! The format of the output is described where it is read, in `crates/japanese-g2p/src/dictionary.rs`. The same
//! input gives the same bytes.

mod characters;
mod compile;
mod mecab;
mod pool;
mod wheel;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;

/// Converts the Japanese dictionary.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The wheel (a zip archive) of the Python package pyopenjtalk-plus, of any platform.
    wheel: PathBuf,
    /// The file to write.
    output: PathBuf,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let files = wheel::read(&arguments.wheel).with_context(|| format!("reading {}", arguments.wheel.display()))?;
    let dictionary = compile::compile(&files)?;
    fs::write(&arguments.output, &dictionary).with_context(|| format!("writing {}", arguments.output.display()))?;
    println!("{}: {} bytes", arguments.output.display(), dictionary.len());
    Ok(())
}
