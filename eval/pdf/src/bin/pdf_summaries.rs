//! Scores summaries: `cargo run --release -p quartet-eval-pdf --bin pdf_summaries -- FOLDER [dev|test|all
//! [json]]`; `cargo xtask understand-pdfs` fetches the files and compares with other summarizers.
//!
//! FOLDER has papers as PDFs, such as the vignettes of R packages (Debian's `r-cran-*`). Of each that has one, the abstract
//! is taken out; a summary of what is left, and for comparison its first and some chance sentences, all of at most 150
//! words, are compared with it by ROUGE-1, -2 and -L (Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004;
//! F measure, stemmed). Every other paper develops, the rest tests.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use quartet_pdf_text::{Options, read};
use quartet_text_analysis::analyzer::Analyzer;
use quartet_text_analysis::prose::Prose;
use quartet_text_analysis::{Document, Kind};
use quartet_text_analysis::{SummaryLimits, summarize, word_count};

/// Most words of a summary.
const MAX_SUMMARY_WORDS: usize = 150;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name the folder of the PDFs")?);
    let half = arguments.next().unwrap_or_else(|| "test".to_owned());
    let json = arguments.next().is_some();
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "pdf"));
    files.sort();
    let mut sums = [[0.0_f64; 3]; 3];
    let (mut papers, mut counted) = (0_usize, 0);
    for file in files {
        let Ok(document) = read(fs::read(&file)?, &Options::default()) else {
            continue;
        };
        let Some((body, reference)) = without_abstract(document) else {
            continue;
        };
        papers += 1;
        if papers.is_multiple_of(2) == (half == "dev") && half != "all" {
            continue;
        }
        counted += 1;
        let prose = Prose::of(&body);
        let analyzer = Analyzer::new(prose.language);
        let sentences: Vec<&str> = prose
            .sentences
            .iter()
            .filter(|sentence| sentence.kind == Kind::Paragraph)
            .map(|sentence| sentence.text.as_str())
            .collect();
        let bounds = SummaryLimits {
            words: MAX_SUMMARY_WORDS,
            sentences: 100,
            ..SummaryLimits::default()
        };
        // Steps that share no factor with most lengths are as good as chance, and the same every time.
        let mixed: Vec<&str> = (0..sentences.len())
            .map(|place| sentences[place * 7_919 % sentences.len()])
            .collect();
        let texts = [summarize(&body, bounds).text(), first(&sentences), first(&mixed)];
        if json {
            let [summary, first, _] = &texts;
            let paper =
                serde_json::json!({"reference": reference, "sentences": sentences, "summary": summary, "first": first});
            println!("{paper}");
        }
        for (sum, text) in sums.iter_mut().zip(&texts) {
            for (sum, score) in sum.iter_mut().zip(rouge(&analyzer, &reference, text)) {
                *sum += score;
            }
        }
    }
    if json {
        return Ok(());
    }
    println!("{half}, {counted} papers   ROUGE-1 ROUGE-2 ROUGE-L");
    for (name, sum) in ["summary", "first sentences", "by chance"].iter().zip(sums) {
        let [one, two, longest] = sum.map(|sum| sum / f64::from(counted.max(1)));
        println!("{name:18}  {one:.3}   {two:.3}   {longest:.3}");
    }
    Ok(())
}

/// Splits a paper into its body and its abstract.
fn without_abstract(mut document: Document) -> Option<(Document, String)> {
    let (page, place) = document.pages.iter().take(2).enumerate().find_map(|(number, page)| {
        let place = page.blocks.iter().position(|block| {
            let text = block.text.trim().to_lowercase();
            let alone = matches!(text.trim_end_matches([':', '.']), "abstract" | "summary");
            alone || text.starts_with("abstract") && text.len() > 200
        })?;
        Some((number, place))
    })?;
    let blocks = &document.pages[page].blocks;
    let mut reference = String::new();
    let mut end = place;
    for block in &blocks[place..] {
        let text = block.text.trim();
        let lower = text.to_lowercase();
        let heading = matches!(block.kind, Kind::Heading | Kind::Title)
            && !lower.starts_with("abstract")
            && !lower.starts_with("summary");
        if heading || lower.starts_with("keyword") || lower.starts_with("1. ") || lower.starts_with("contents") {
            break;
        }
        end += 1;
        if !block.kind.repeats() && text.len() > 12 {
            let bare = if lower.starts_with("abstract") {
                text["abstract".len()..].trim_start_matches([':', '.', ' ', '—'])
            } else {
                text
            };
            reference.push_str(bare);
            reference.push(' ');
        }
        if word_count(&reference) > 260 {
            break;
        }
    }
    document.pages.drain(..page);
    document.pages[0].blocks.drain(..end);
    let body: usize = document
        .pages
        .iter()
        .flat_map(|page| &page.blocks)
        .filter(|block| block.kind == Kind::Paragraph)
        .map(|block| word_count(&block.text))
        .sum();
    ((50..=300).contains(&word_count(&reference)) && body >= 1_200).then_some((document, reference))
}

/// First sentences, as many as fit.
fn first(sentences: &[&str]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        if word_count(&text) + word_count(sentence) <= MAX_SUMMARY_WORDS {
            text.push_str(sentence);
            text.push(' ');
        }
        if word_count(&text) > MAX_SUMMARY_WORDS - 8 {
            break;
        }
    }
    text
}

/// ROUGE-1, -2 and -L of `text` against `reference`.
fn rouge(analyzer: &Analyzer, reference: &str, text: &str) -> [f64; 3] {
    let terms = |text: &str| -> Vec<String> { analyzer.terms(text).into_iter().map(|term| term.text).collect() };
    let (wanted, got) = (terms(reference), terms(text));
    [
        shared(&wanted, &got, 1),
        shared(&wanted, &got, 2),
        measure(common(&wanted, &got), wanted.len(), got.len()),
    ]
}

/// F measure of the runs of `size` terms that two texts share.
fn shared(wanted: &[String], got: &[String], size: usize) -> f64 {
    let mut counts: HashMap<&[String], usize> = HashMap::new();
    for run in wanted.windows(size) {
        *counts.entry(run).or_default() += 1;
    }
    let mut hits = 0;
    for run in got.windows(size) {
        if let Some(count) = counts.get_mut(run).filter(|count| **count > 0) {
            *count -= 1;
            hits += 1;
        }
    }
    measure(hits, wanted.windows(size).len(), got.windows(size).len())
}

/// Length of the longest common subsequence.
fn common(wanted: &[String], got: &[String]) -> usize {
    let mut row = vec![0_usize; got.len() + 1];
    for term in wanted {
        let mut diagonal = 0;
        for (place, other) in got.iter().enumerate() {
            let above = row[place + 1];
            row[place + 1] = if term == other {
                diagonal + 1
            } else {
                above.max(row[place])
            };
            diagonal = above;
        }
    }
    row[got.len()]
}

fn measure(hits: usize, wanted: usize, got: usize) -> f64 {
    2.0 * hits as f64 / (wanted + got).max(1) as f64
}
