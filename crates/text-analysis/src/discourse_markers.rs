//! Discourse markers: sentences that begin with "However", "This" or "For example" point back and cannot stand alone.

use quartet_api::Language;

use crate::lexicon::lexicon;

/// Nouns for the document itself, of which "this …" may speak without pointing back.
const DOCUMENT_NOUNS: &[&str] = &[
    "paper",
    "article",
    "document",
    "manual",
    "guide",
    "book",
    "report",
    "study",
    "vignette",
    "tutorial",
    "package",
    "thesis",
    "faq",
    "chapter",
    "review",
    "survey",
    "work",
    "dokument",
    "handbuch",
    "artikel",
    "bericht",
    "buch",
    "anleitung",
    "arbeit",
    "kapitel",
    "studie",
    "manuel",
    "rapport",
    "livre",
    "étude",
    "ouvrage",
    "chapitre",
    "documento",
    "manuale",
    "manual",
    "guía",
    "guida",
    "guia",
    "libro",
    "livro",
    "informe",
    "relatório",
    "articolo",
    "artículo",
    "artigo",
    "capítulo",
    "capitolo",
    "estudio",
    "estudo",
    "studio",
    "документ",
    "документе",
    "руководство",
    "руководстве",
    "книга",
    "книге",
    "статья",
    "статье",
    "отчёт",
    "отчет",
    "доклад",
    "문서",
    "문서는",
    "책",
    "책은",
    "보고서",
    "보고서는",
    "दस्तावेज़",
    "दस्तावेज",
    "पुस्तक",
    "रिपोर्ट",
    "الوثيقة",
    "المستند",
    "الكتاب",
    "التقرير",
    "الدليل",
];
/// Nouns for the document itself in scripts without spaces.
const UNSPACED_DOCUMENT_NOUNS: &[&str] = &[
    "文書",
    "本",
    "書",
    "マニュアル",
    "ガイド",
    "論文",
    "章",
    "文档",
    "手册",
    "指南",
    "论文",
    "报告",
    "本书",
    "パッケージ",
];

/// Returns true if `sentence` begins with a marker that points back to another one.
#[must_use]
pub(super) fn points_back(sentence: &str, language: Language) -> bool {
    let start = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    let list = lexicon(language).get("discourse_markers");
    if matches!(language, Language::Japanese | Language::Chinese) {
        return list.split_ascii_whitespace().any(|opener| {
            start.strip_prefix(opener).is_some_and(|after| {
                !UNSPACED_DOCUMENT_NOUNS
                    .iter()
                    .any(|word| after.trim_start_matches(['份', '本', '篇', '个']).starts_with(word))
            })
        });
    }
    let words: Vec<String> = start
        .split_whitespace()
        .take(4)
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .collect();
    let Some(first) = words.first() else {
        return true;
    };
    if words
        .iter()
        .skip(1)
        .take(2)
        .any(|word| DOCUMENT_NOUNS.contains(&word.as_str()))
    {
        return false;
    }
    list.split_ascii_whitespace().any(|opener| {
        let mut parts = opener.split('_');
        if opener.contains('_') {
            parts
                .zip(words.iter().chain(std::iter::repeat(&words[words.len() - 1])))
                .all(|(part, word)| part == word)
        } else {
            parts.next() == Some(first)
        }
    })
}
