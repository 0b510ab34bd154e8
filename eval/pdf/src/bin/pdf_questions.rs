//! Scores answers on real documents: `cargo run --release -p quartet-eval-pdf --bin pdf_questions -- FOLDER
//! [dev|test|all] [words|meaning] [verbose]`. With `meaning`, the folder that `QUARTET_MODELS` names has the model.
//!
//! FOLDER has the PDFs of the Debian packages `debian-faq`, `debian-faq-{de,fr,it,pt,ru}` and
//! `maint-guide-{es,ja,zh-cn}`, named as in `eval/pdf/questions`. The Universal Declaration of Human Rights is taken from
//! `tests/data/declaration`. Each file of questions is halved: every other question develops (thresholds and weights may
//! be set on it), the rest tests. Evidence that does not stand in its document ends the run.

use std::error::Error;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use quartet_embeddings::{Embedder, GRAPH};
use quartet_inference::engine::{Catalog, Engine};
use quartet_pdf_text::{Options, read};
use quartet_text_analysis::{
    Answer, Citation, Embed, Index, PassageEmbeddings, SemanticSearch, sections::without_number,
};
use quartet_text_analysis::{Block, Document, Kind, Metadata, Page, Source};
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;

/// A file of `eval/pdf/questions`.
#[derive(Deserialize)]
struct Questions {
    /// Name of the document.
    document: String,
    /// Questions with a text that their evidence contains.
    answerable: Vec<(String, String)>,
    /// Questions about matters that are not in the document.
    unanswerable: Vec<String>,
    /// Two questions, and a text that the evidence for the second one contains.
    #[serde(default)]
    follow_ups: Vec<(String, String, String)>,
    /// Answerable questions in other languages than the document's.
    #[serde(default)]
    foreign: Vec<(String, String)>,
    #[serde(default)]
    foreign_unanswerable: Vec<String>,
}

/// Counts of one document or of several.
#[derive(Default, Clone, Copy)]
struct Score {
    asked: f32,
    hit_1: f32,
    hit_5: f32,
    reciprocal: f32,
    /// Answers that contain the evidence.
    exact: f32,
    /// Questions that were answered at all.
    answered: f32,
    /// Answers of which a citation contains the evidence and stands on the page that it names.
    cited: f32,
    /// Citations, and those that stand on their page.
    citations: f32,
    placed: f32,
    /// Unanswerable questions, and those that were refused.
    unanswerable: f32,
    refused: f32,
}

impl Score {
    fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.values().into_iter().zip(other.clone().values()) {
            *mine += *theirs;
        }
    }

    fn values(&mut self) -> [&mut f32; 11] {
        [
            &mut self.asked,
            &mut self.hit_1,
            &mut self.hit_5,
            &mut self.reciprocal,
            &mut self.exact,
            &mut self.answered,
            &mut self.cited,
            &mut self.citations,
            &mut self.placed,
            &mut self.unanswerable,
            &mut self.refused,
        ]
    }

    fn print(&self, name: &str) {
        let part = |some: f32, all: f32| {
            if all == 0.0 {
                "    -".to_owned()
            } else {
                format!("{:.3}", some / all)
            }
        };
        println!(
            "{name:22} {:4} {} {} {} | {} {} {} {} | {:3} {}",
            self.asked,
            part(self.hit_1, self.asked),
            part(self.hit_5, self.asked),
            part(self.reciprocal, self.asked),
            part(self.exact, self.asked),
            part(self.answered, self.asked),
            part(self.cited, self.asked),
            part(self.placed, self.citations),
            self.unanswerable,
            part(self.refused, self.unanswerable),
        );
    }

    /// Asks and counts one question.
    fn count(
        &mut self,
        index: &mut Asked<'_>,
        document: &Document,
        question: &str,
        before: Option<&str>,
        is_evidence: &dyn Fn(&str) -> bool,
    ) -> Answer {
        let answer = index.answer(question, before);
        self.asked += 1.0;
        let passages = index.passages(&answer.question);
        if let Some(rank) = passages.iter().position(|passage| is_evidence(&passage.quote)) {
            self.hit_1 += f32::from(rank == 0);
            self.hit_5 += 1.0;
            self.reciprocal += 1.0 / (rank + 1) as f32;
        }
        self.answered += f32::from(answer.found);
        self.exact += f32::from(answer.found && is_evidence(&answer.text));
        let placed: Vec<bool> = answer
            .citations
            .iter()
            .map(|citation| stands_on(document, citation.page, &citation.quote))
            .collect();
        self.citations += placed.len() as f32;
        self.placed += placed.iter().filter(|placed| **placed).count() as f32;
        let cited = answer
            .citations
            .iter()
            .zip(&placed)
            .any(|(citation, placed)| *placed && is_evidence(&citation.quote));
        self.cited += f32::from(cited);
        answer
    }
}

/// Document with its index, and with its embeddings where questions are answered by meaning.
struct Asked<'a> {
    index: Index,
    embed: Option<&'a dyn Embed>,
    meanings: PassageEmbeddings,
}

impl<'a> Asked<'a> {
    /// Indexes a document. Embeddings are cached in the folder, because they take longer than all the rest.
    fn new(document: &Document, embed: Option<&'a dyn Embed>, folder: &Path) -> Result<Self, Box<dyn Error>> {
        let bytes = Index::build(document).to_bytes();
        let index = Index::from_bytes(&bytes)?;
        let mut hasher = std::hash::DefaultHasher::new();
        bytes.hash(&mut hasher);
        let kept = folder.join(format!("{:016x}.meanings", hasher.finish()));
        let mut meanings = fs::read(&kept)
            .ok()
            .and_then(|bytes| PassageEmbeddings::from_bytes(&bytes).ok())
            .unwrap_or_default();
        if let Some(embed) = embed
            && meanings.is_empty()
        {
            index.embed_passages(&mut SemanticSearch {
                embed,
                embeddings: &mut meanings,
                time_left: &|| true,
            });
            fs::write(kept, meanings.to_bytes())?;
        }
        Ok(Self { index, embed, meanings })
    }

    fn answer(&mut self, question: &str, before: Option<&str>) -> Answer {
        match self.embed {
            Some(embed) => self.index.answer_with_embeddings(
                question,
                before,
                &mut SemanticSearch {
                    embed,
                    embeddings: &mut self.meanings,
                    time_left: &|| true,
                },
            ),
            None => self.index.answer(question, before),
        }
    }

    fn passages(&mut self, question: &str) -> Vec<Citation> {
        match self.embed {
            Some(embed) => self.index.passages_with_embeddings(
                question,
                5,
                &mut SemanticSearch {
                    embed,
                    embeddings: &mut self.meanings,
                    time_left: &|| true,
                },
            ),
            None => self.index.passages(question, 5),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name the folder of the PDFs")?);
    let half = arguments.next().unwrap_or_else(|| "test".to_owned());
    let by_meaning = arguments.next().is_some_and(|way| way == "meaning");
    let verbose = arguments.next().is_some();
    let models = PathBuf::from(std::env::var_os("QUARTET_MODELS").unwrap_or_default());
    let engine = Engine::new(Catalog::of_folder(&models, [GRAPH]));
    if by_meaning {
        engine.open(GRAPH)?;
    }
    let embedder = by_meaning
        .then(|| Embedder::new(&engine))
        .transpose()
        .map_err(|_| "there was no vocabulary when this was built")?;
    let embed = embedder.as_ref().map(|embedder| embedder as &dyn Embed);
    let taken = |number: usize| match half.as_str() {
        "dev" => number.is_multiple_of(2),
        "test" => number % 2 == 1,
        _ => true,
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("questions");
    let mut files: Vec<PathBuf> = fs::read_dir(own)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    println!("{half:22}    n hit@1 hit@5 MRR   | exact answ. cited placed |  no refused");
    let (mut total, mut total_headings, mut total_hidden) = (Score::default(), Score::default(), Score::default());
    let mut follow_ups = Score::default();
    let mut foreign = Score::default();
    let mut foreign_confidences: Vec<(f32, bool)> = Vec::new();
    let mut declarations = Vec::new();
    let mut headings_table = Vec::new();
    let mut confidences: Vec<(f32, bool)> = Vec::new();
    for file in files {
        let questions: Questions = toml::from_str(&fs::read_to_string(&file)?)?;
        let document = document(&questions.document, &folder)?;
        let text = squeezed(&document.pages.iter().map(|page| page.text() + "\n").collect::<String>());
        let mut index = Asked::new(&document, embed, &folder)?;
        let evidences = questions
            .answerable
            .iter()
            .map(|(_, evidence)| evidence)
            .chain(questions.follow_ups.iter().map(|(_, _, evidence)| evidence))
            .chain(questions.foreign.iter().map(|(_, evidence)| evidence));
        for evidence in evidences {
            if !text.contains(&squeezed(evidence)) {
                return Err(format!("“{evidence}” does not stand in {}", questions.document).into());
            }
        }
        let mut score = Score::default();
        for (_, (question, evidence)) in questions
            .answerable
            .iter()
            .enumerate()
            .filter(|(number, _)| taken(*number))
        {
            let evidence = squeezed(evidence);
            let before = score;
            let answer = score.count(&mut index, &document, question, None, &|text| {
                squeezed(text).contains(&evidence)
            });
            confidences.push((answer.confidence, true));
            if verbose && score.exact == before.exact {
                println!(
                    "   - {question} [{evidence}] {} {:.2}: {}",
                    if score.hit_5 > before.hit_5 { "hit" } else { "miss" },
                    answer.confidence,
                    answer.text
                );
            }
        }
        for (_, question) in questions
            .unanswerable
            .iter()
            .enumerate()
            .filter(|(number, _)| taken(*number))
        {
            let answer = index.answer(question, None);
            score.unanswerable += 1.0;
            score.refused += f32::from(!answer.found);
            confidences.push((answer.confidence, false));
            if verbose && answer.found {
                println!("   ! {question} {:.2}: {}", answer.confidence, answer.text);
            }
        }
        score.print(&questions.document);
        total.add(&score);
        for (_, (first, second, evidence)) in questions
            .follow_ups
            .iter()
            .enumerate()
            .filter(|(number, _)| taken(*number))
        {
            let evidence = squeezed(evidence);
            let before = index.answer(first, None).question;
            let exact = follow_ups.exact;
            let answer = follow_ups.count(&mut index, &document, second, Some(&before), &|text| {
                squeezed(text).contains(&evidence)
            });
            if verbose && follow_ups.exact == exact {
                println!(
                    "   - {first} {second} [{evidence}] {:.2}: {}",
                    answer.confidence, answer.text
                );
            }
        }
        let mut other = Score::default();
        for (_, (question, evidence)) in questions
            .foreign
            .iter()
            .enumerate()
            .filter(|(number, _)| taken(*number))
        {
            let evidence = squeezed(evidence);
            let exact = other.exact;
            let answer = other.count(&mut index, &document, question, None, &|text| {
                squeezed(text).contains(&evidence)
            });
            foreign_confidences.push((answer.confidence, true));
            if verbose && other.exact == exact {
                println!("   / {question} [{evidence}] {:.2}: {}", answer.confidence, answer.text);
            }
        }
        for (_, question) in questions
            .foreign_unanswerable
            .iter()
            .enumerate()
            .filter(|(number, _)| taken(*number))
        {
            let answer = index.answer(question, None);
            other.unanswerable += 1.0;
            other.refused += f32::from(!answer.found);
            foreign_confidences.push((answer.confidence, false));
            if verbose && answer.found {
                println!("   / ! {question} {:.2}: {}", answer.confidence, answer.text);
            }
        }
        foreign.add(&other);
        if let Some(name) = questions.document.strip_prefix("declaration.") {
            declarations.push((
                name.to_owned(),
                document.clone(),
                questions.answerable.clone(),
                questions.unanswerable.clone(),
            ));
        }
        if questions.document.starts_with("debian-faq") {
            let shown = headings(&document, &document, embed, &folder, &taken)?;
            let hidden = headings(&document, &without_questions(&document), embed, &folder, &taken)?;
            total_headings.add(&shown);
            total_hidden.add(&hidden);
            headings_table.push((questions.document, shown, hidden));
        }
    }
    total.print("all");
    follow_ups.print("follow-ups");
    foreign.print("other languages");
    // The questions on the Declaration are the same in all languages, in the same order.
    let mut crossing = Score::default();
    for (number, (name, document, questions, _)) in declarations.iter().enumerate() {
        let (asked_in, _, asked, unanswerable) = &declarations[(number + 1) % declarations.len()];
        let mut index = Asked::new(document, embed, &folder)?;
        for (_, ((question, _), (_, evidence))) in asked
            .iter()
            .zip(questions)
            .enumerate()
            .filter(|(number, _)| taken(*number) && *number < 11)
        {
            let evidence = squeezed(evidence);
            let exact = crossing.exact;
            let answer = crossing.count(&mut index, document, question, None, &|text| {
                squeezed(text).contains(&evidence)
            });
            foreign_confidences.push((answer.confidence, true));
            if verbose && crossing.exact == exact {
                println!(
                    "   / {asked_in}-{name} {question} [{evidence}] {:.2}: {}",
                    answer.confidence, answer.text
                );
            }
        }
        for (_, question) in unanswerable.iter().enumerate().filter(|(number, _)| taken(*number)) {
            let answer = index.answer(question, None);
            crossing.unanswerable += 1.0;
            crossing.refused += f32::from(!answer.found);
            foreign_confidences.push((answer.confidence, false));
            if verbose && answer.found {
                println!(
                    "   / ! {asked_in}-{name} {question} {:.2}: {}",
                    answer.confidence, answer.text
                );
            }
        }
    }
    crossing.print("Declaration");
    println!("\nThe questions that are headings of the documents, and the same with the headings taken out:");
    for (name, shown, hidden) in &headings_table {
        shown.print(name);
        hidden.print("  hidden");
    }
    total_headings.print("all");
    total_hidden.print("  hidden");
    thresholds("the document's own language", &confidences);
    thresholds("other languages", &foreign_confidences);
    Ok(())
}

/// Prints the effect of other thresholds.
fn thresholds(name: &str, confidences: &[(f32, bool)]) {
    println!(
        "\nConfidence, {name}: part of the answerable that is answered, of the unanswerable that is refused, by threshold:"
    );
    for step in 3..=18 {
        let threshold = step as f32 * 0.05;
        let part = |answerable: bool| {
            let those: Vec<f32> = confidences
                .iter()
                .filter(|(_, kind)| *kind == answerable)
                .map(|(confidence, _)| *confidence)
                .collect();
            let above =
                those.iter().filter(|confidence| **confidence >= threshold).count() as f32 / those.len().max(1) as f32;
            if answerable { above } else { 1.0 - above }
        };
        println!("  {threshold:.2}  {:.3}  {:.3}", part(true), part(false));
    }
}

/// Asks the headings that are questions; what stands below them is the evidence.
fn headings(
    document: &Document,
    read: &Document,
    embed: Option<&dyn Embed>,
    folder: &Path,
    taken: &dyn Fn(usize) -> bool,
) -> Result<Score, Box<dyn Error>> {
    let mut index = Asked::new(read, embed, folder)?;
    let mut sections: Vec<(String, String)> = Vec::new();
    for block in document.pages.iter().flat_map(|page| &page.blocks) {
        match block.kind {
            Kind::Title | Kind::Heading => sections.push((without_number(&block.text).to_owned(), String::new())),
            kind if kind.repeats() => {}
            _ => {
                if let Some((_, text)) = sections.last_mut() {
                    text.push_str(&squeezed(&block.text));
                }
            }
        }
    }
    let mut score = Score::default();
    let asked = sections
        .iter()
        .filter(|(title, text)| is_question(title) && text.len() > 60);
    for (_, (title, text)) in asked.enumerate().filter(|(number, _)| taken(*number)) {
        // A passage begins with a sentence of the section, an answer is one.
        let is_evidence = |quote: &str| {
            let quote = squeezed(quote);
            let end = quote.char_indices().nth(40).map_or(quote.len(), |(at, _)| at);
            text.contains(&quote[..end])
        };
        score.count(&mut index, read, title, None, &is_evidence);
    }
    Ok(score)
}

fn is_question(title: &str) -> bool {
    title.trim_end().ends_with(['?', '？'])
}

/// Document with other words in the headings that are questions, and in its contents.
fn without_questions(document: &Document) -> Document {
    let mut document = document.clone();
    document.outline.clear();
    for block in document.pages.iter_mut().flat_map(|page| &mut page.blocks) {
        if matches!(block.kind, Kind::Heading | Kind::Title) && is_question(&block.text) {
            block.text = "Xyzzy".to_owned();
        }
    }
    document
}

/// Reads a document by its name.
fn document(name: &str, folder: &Path) -> Result<Document, Box<dyn Error>> {
    let Some(language) = name.strip_prefix("declaration.") else {
        let path = folder.join(format!("{name}.pdf"));
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        return Ok(read(bytes, &Options::default())?);
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/data/declaration/{language}.txt"));
    let text = fs::read_to_string(path)?;
    let articles: Vec<&str> = text
        .split("\n\n")
        .map(str::trim)
        .filter(|article| !article.is_empty())
        .collect();
    let pages: Vec<Page> = articles
        .chunks(10)
        .enumerate()
        .map(|(number, articles)| Page {
            number: number + 1,
            blocks: articles
                .iter()
                .map(|article| Block {
                    kind: Kind::Paragraph,
                    text: (*article).to_owned(),
                })
                .collect(),
            source: Source::Text,
            ..Page::default()
        })
        .collect();
    Ok(Document {
        metadata: Metadata {
            page_count: pages.len(),
            ..Metadata::default()
        },
        pages,
        ..Document::default()
    })
}

/// Returns true if a page, or the turn to the next one, contains a quotation.
fn stands_on(document: &Document, page: usize, quote: &str) -> bool {
    let text: String = document
        .pages
        .iter()
        .filter(|other| other.number == page || other.number == page + 1)
        .map(|page| page.text() + "\n")
        .collect();
    let own: String = document
        .pages
        .iter()
        .filter(|other| other.number == page)
        .map(Page::text)
        .collect();
    let quote = squeezed(quote);
    // It begins on that page and may end on the next one, after the notes at its foot.
    let begins = quote.char_indices().nth(30).map_or(quote.len(), |(at, _)| at);
    squeezed(&text).contains(&quote) || squeezed(&own).contains(&quote[..begins])
}

/// Text in lower case, without white space, hyphens and quotation marks, which differ between a line and its text.
fn squeezed(text: &str) -> String {
    text.nfkc()
        .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '\u{ad}' | '\u{2010}' | '\u{2011}'))
        .flat_map(char::to_lowercase)
        .collect()
}
