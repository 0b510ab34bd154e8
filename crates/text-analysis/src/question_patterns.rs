//! Question patterns of the twelve languages: phrases that ask about the document itself, and cues for the expected
//! type of answer.

use quartet_api::Language;

use crate::lexicon::lexicon;

/// A question about the document as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MetadataQuestion {
    Pages,
    Author,
    Title,
    Date,
    About,
    Language,
}

/// The type of answer that a question expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerType {
    Person,
    Time,
    Number,
    Place,
    Reason,
    Definition,
    Other,
}

/// Phrases that ask about the document itself, in lower case and separated by bars.
pub(super) fn metadata_phrases(language: Language) -> [(MetadataQuestion, &'static str); 6] {
    let lexicon = lexicon(language);
    [
        (MetadataQuestion::Pages, lexicon.get("asks_pages")),
        (MetadataQuestion::Author, lexicon.get("asks_author")),
        (MetadataQuestion::Title, lexicon.get("asks_title")),
        (MetadataQuestion::Date, lexicon.get("asks_date")),
        (MetadataQuestion::About, lexicon.get("asks_about")),
        (MetadataQuestion::Language, lexicon.get("asks_language")),
    ]
}

/// Names for a document and the words around them, in lower case.
pub(super) const DOCUMENT_WORDS: &str = " document pdf file paper text book manual guide article report it this written created published made has have wrote \
     about main dokument datei text buch handbuch artikel bericht geschrieben verfasst erstellt hat haben es fichier texte livre manuel article rapport \
     écrit créé a-t-il contient compte-t-il documento archivo fichero texto libro manual artículo informe guía escrito creado tiene esta este file testo libro manuale articolo \
     guida scritto creato ha ficheiro arquivo livro artigo relatório guia tem está escrito criado документ документе документа файл файле книга книги книге \
     текст статья статьи руководство этот этом этого это в написан создан pdf 문서 문서는 문서의 문서가 파일 파일은 책 책의 책은 글 이 페이지 페이지인가요 페이지입니까 있나요 있습니까 있는가 \
     दस्तावेज़ दस्तावेज किताब पुस्तक फ़ाइल फाइल यह इस में हैं है की का गई गया المستند الوثيقة الملف الكتاب هذا هذه في النص pdf ";
/// Names for a document in scripts without spaces, and words around them; removed one after the other.
pub(super) const UNSPACED_DOCUMENT_WORDS: [&str; 42] = [
    "ドキュメント",
    "ファイル",
    "マニュアル",
    "文書",
    "文章",
    "論文",
    "この",
    "その",
    "本書",
    "資料",
    "です",
    "ます",
    "ありますか",
    "ました",
    "れた",
    "か",
    "は",
    "が",
    "の",
    "を",
    "教えて",
    "ください",
    "书かれ",
    "這個",
    "文件",
    "文档",
    "这份",
    "这个",
    "这本",
    "本文",
    "手册",
    "这篇",
    "论文",
    "有",
    "是",
    "的",
    "一下",
    "请",
    "用",
    "写",
    "吗",
    "什么",
];

/// Words that tell the kind of answer, in the order in which they decide.
pub(super) fn answer_type_cues(language: Language) -> [(AnswerType, &'static str); 6] {
    let lexicon = lexicon(language);
    [
        (AnswerType::Time, lexicon.get("cue_time")),
        (AnswerType::Number, lexicon.get("cue_number")),
        (AnswerType::Reason, lexicon.get("cue_reason")),
        (AnswerType::Place, lexicon.get("cue_place")),
        (AnswerType::Person, lexicon.get("cue_person")),
        (AnswerType::Definition, lexicon.get("cue_definition")),
    ]
}
