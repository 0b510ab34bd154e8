//! `embed FOLDER THREADS < TEXTS`: for each line its tokens, and its similarity to the first one. Prints times.

use std::error::Error;
use std::io::read_to_string;
use std::path::Path;
use std::time::Instant;

use quartet_embeddings::{Embedder, GRAPH, Tokenizer};
use quartet_inference::engine::{Catalog, Engine};
use quartet_text_analysis::Role;

fn main() -> Result<(), Box<dyn Error>> {
    let [folder, threads] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "usage: embed FOLDER THREADS")?;
    let vocabulary = std::fs::read(Path::new(&folder).join("embedding-vocabulary.bin"))?;
    let tokenizer = Tokenizer::new(&vocabulary).map_err(|_| "no vocabulary")?;
    let engine = Engine::new(Catalog::of_folder(Path::new(&folder), [GRAPH])).with_threads(threads.parse()?);
    let start = Instant::now();
    engine.open(GRAPH)?;
    eprintln!("opened in {:?}", start.elapsed());
    let text = read_to_string(std::io::stdin())?;
    let lines: Vec<&str> = text.lines().collect();
    let start = Instant::now();
    let tokens: Vec<Vec<u32>> = lines
        .iter()
        .map(|line| tokenizer.encode(line, usize::MAX).collect())
        .collect();
    eprintln!(
        "{} bytes, {} tokens in {:?}",
        text.len(),
        tokens.iter().map(Vec::len).sum::<usize>(),
        start.elapsed()
    );
    let embedder = Embedder::new(&engine).map_err(|_| "no vocabulary at the build")?;
    let start = Instant::now();
    let vectors = embedder.embeddings(Role::Passage, &lines)?;
    eprintln!("{} texts embedded in {:?}", lines.len(), start.elapsed());
    for ((tokens, vector), line) in tokens.iter().zip(&vectors).zip(&lines) {
        println!("{:.4}\t{tokens:?}\t{line}", vectors[0].cosine_similarity(vector));
    }
    Ok(())
}
