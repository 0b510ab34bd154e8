//! What an answer says of its own, in the twelve languages. Everything else that it says is the document's.

use quartet_api::Language;

/// What is to be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Say<'a> {
    /// The document does not answer the question.
    NotSaid,
    /// Nothing in the document could be read.
    NoText,
    /// How many pages it has.
    Pages(usize),
    /// What it is called.
    Title(&'a str),
    /// It has no title.
    NoTitle,
    /// Who wrote it.
    Author(&'a str),
    /// It does not say who.
    NoAuthor,
    /// When it was made.
    Created(&'a str),
    /// It does not say when.
    NoDate,
    /// Its language, as a code.
    Language(Language),
    /// What stands on a page, in another language than the question's.
    Quote(usize, &'a str),
}

/// The sentence for it.
pub(super) fn say(what: Say<'_>, language: Language) -> String {
    let [
        not_said,
        no_text,
        pages,
        title,
        no_title,
        author,
        no_author,
        created,
        no_date,
        tongue,
        quote,
    ] = templates(language);
    let (template, value, page) = match what {
        Say::NotSaid => (not_said, String::new(), 0),
        Say::NoText => (no_text, String::new(), 0),
        Say::Pages(1) if language == Language::English => return "The document has one page.".to_owned(),
        Say::Pages(1) if language == Language::German => return "Das Dokument hat eine Seite.".to_owned(),
        Say::Pages(number) => (pages, number.to_string(), 0),
        Say::Title(title_) => (title, title_.to_owned(), 0),
        Say::NoTitle => (no_title, String::new(), 0),
        Say::Author(author_) => (author, author_.to_owned(), 0),
        Say::NoAuthor => (no_author, String::new(), 0),
        Say::Created(date) => (created, date.to_owned(), 0),
        Say::NoDate => (no_date, String::new(), 0),
        Say::Language(spoken) => (tongue, name(spoken, language).to_owned(), 0),
        Say::Quote(page, text) => (quote, text.to_owned(), page),
    };
    template.replace("{page}", &page.to_string()).replace("{}", &value)
}

const fn templates(language: Language) -> [&'static str; 11] {
    match language {
        Language::English => [
            "The document does not say.",
            "No text could be read in the document.",
            "The document has {} pages.",
            "The title is “{}”.",
            "The document has no title.",
            "The author is {}.",
            "The document does not name an author.",
            "The file was made on {}.",
            "The document does not say when it was made.",
            "The document is in {}.",
            "The document says on page {page}: “{}”",
        ],
        Language::German => [
            "Das steht nicht im Dokument.",
            "Im Dokument war kein Text zu lesen.",
            "Das Dokument hat {} Seiten.",
            "Der Titel lautet „{}“.",
            "Das Dokument hat keinen Titel.",
            "Verfasst von: {}.",
            "Das Dokument nennt keine Verfasser.",
            "Die Datei entstand am {}.",
            "Das Dokument nennt kein Datum.",
            "Das Dokument ist auf {}.",
            "Auf Seite {page} steht: „{}“",
        ],
        Language::French => [
            "Le document ne le dit pas.",
            "Aucun texte n’a pu être lu dans le document.",
            "Nombre de pages du document : {}.",
            "Le titre est « {} ».",
            "Le document n’a pas de titre.",
            "Auteur : {}.",
            "Le document ne nomme pas d’auteur.",
            "Le fichier a été créé le {}.",
            "Le document n’indique pas de date.",
            "Le document est en {}.",
            "Le document dit à la page {page} : « {} »",
        ],
        Language::Spanish => [
            "El documento no lo dice.",
            "No se pudo leer ningún texto en el documento.",
            "Número de páginas del documento: {}.",
            "El título es «{}».",
            "El documento no tiene título.",
            "Autor: {}.",
            "El documento no nombra a ningún autor.",
            "El archivo se creó el {}.",
            "El documento no indica la fecha.",
            "El documento está en {}.",
            "El documento dice en la página {page}: «{}»",
        ],
        Language::Italian => [
            "Il documento non lo dice.",
            "Nel documento non è stato possibile leggere alcun testo.",
            "Numero di pagine del documento: {}.",
            "Il titolo è «{}».",
            "Il documento non ha un titolo.",
            "Autore: {}.",
            "Il documento non nomina alcun autore.",
            "Il file è stato creato il {}.",
            "Il documento non indica la data.",
            "Il documento è in {}.",
            "Il documento dice a pagina {page}: «{}»",
        ],
        Language::Portuguese => [
            "O documento não diz.",
            "Não foi possível ler texto no documento.",
            "Número de páginas do documento: {}.",
            "O título é «{}».",
            "O documento não tem título.",
            "Autor: {}.",
            "O documento não nomeia nenhum autor.",
            "O ficheiro foi criado em {}.",
            "O documento não indica a data.",
            "O documento está em {}.",
            "O documento diz na página {page}: «{}»",
        ],
        Language::Russian => [
            "В документе об этом не сказано.",
            "В документе не удалось прочитать текст.",
            "Число страниц в документе: {}.",
            "Название: «{}».",
            "У документа нет названия.",
            "Автор: {}.",
            "Автор в документе не указан.",
            "Файл создан {}.",
            "Дата в документе не указана.",
            "Язык документа: {}.",
            "На странице {page} сказано: «{}»",
        ],
        Language::Japanese => [
            "文書にはそのことは書かれていません。",
            "文書から文字を読み取れませんでした。",
            "この文書は{}ページあります。",
            "題名は「{}」です。",
            "この文書には題名がありません。",
            "著者は{}です。",
            "この文書には著者の名前がありません。",
            "ファイルの作成日は{}です。",
            "この文書には日付がありません。",
            "この文書は{}で書かれています。",
            "{page}ページに「{}」とあります。",
        ],
        Language::Chinese => [
            "文档中没有提到。",
            "无法从文档中读取文字。",
            "该文档共有{}页。",
            "标题是“{}”。",
            "该文档没有标题。",
            "作者是{}。",
            "该文档没有写明作者。",
            "该文件创建于{}。",
            "该文档没有写明日期。",
            "该文档使用的语言是{}。",
            "文档第{page}页写道：“{}”",
        ],
        Language::Korean => [
            "문서에 그 내용이 없습니다.",
            "문서에서 글자를 읽을 수 없었습니다.",
            "이 문서는 {}쪽입니다.",
            "제목은 “{}”입니다.",
            "이 문서에는 제목이 없습니다.",
            "저자: {}.",
            "이 문서에는 저자가 나와 있지 않습니다.",
            "파일 작성일: {}.",
            "이 문서에는 날짜가 나와 있지 않습니다.",
            "문서의 언어: {}.",
            "문서 {page}쪽: “{}”",
        ],
        Language::Hindi => [
            "दस्तावेज़ में यह नहीं बताया गया है।",
            "दस्तावेज़ में कोई पाठ पढ़ा नहीं जा सका।",
            "दस्तावेज़ में {} पृष्ठ हैं।",
            "शीर्षक “{}” है।",
            "दस्तावेज़ का कोई शीर्षक नहीं है।",
            "लेखक: {}।",
            "दस्तावेज़ में लेखक का नाम नहीं है।",
            "फ़ाइल {} को बनाई गई थी।",
            "दस्तावेज़ में कोई तारीख नहीं है।",
            "दस्तावेज़ की भाषा: {}।",
            "दस्तावेज़ के पृष्ठ {page} पर लिखा है: “{}”",
        ],
        Language::Arabic => [
            "لا يذكر المستند ذلك.",
            "تعذرت قراءة أي نص في المستند.",
            "عدد صفحات المستند: {}.",
            "العنوان هو «{}».",
            "ليس للمستند عنوان.",
            "المؤلف: {}.",
            "لا يذكر المستند اسم المؤلف.",
            "تاريخ إنشاء الملف: {}.",
            "لا يذكر المستند أي تاريخ.",
            "لغة المستند: {}.",
            "يقول المستند في الصفحة {page}: «{}»",
        ],
    }
}

/// What a language is called in another one.
fn name(language: Language, within: Language) -> &'static str {
    let names = match within {
        Language::English => {
            "English Hindi Spanish French German Italian Portuguese Russian Japanese Chinese Korean Arabic"
        }
        Language::Hindi => "अंग्रेज़ी हिन्दी स्पेनिश फ़्रेंच जर्मन इतालवी पुर्तगाली रूसी जापानी चीनी कोरियाई अरबी",
        Language::Spanish => "inglés hindi español francés alemán italiano portugués ruso japonés chino coreano árabe",
        Language::French => {
            "anglais hindi espagnol français allemand italien portugais russe japonais chinois coréen arabe"
        }
        Language::German => {
            "Englisch Hindi Spanisch Französisch Deutsch Italienisch Portugiesisch Russisch Japanisch Chinesisch Koreanisch Arabisch"
        }
        Language::Italian => {
            "inglese hindi spagnolo francese tedesco italiano portoghese russo giapponese cinese coreano arabo"
        }
        Language::Portuguese => {
            "inglês hindi espanhol francês alemão italiano português russo japonês chinês coreano árabe"
        }
        Language::Russian => {
            "английский хинди испанский французский немецкий итальянский португальский русский японский китайский корейский арабский"
        }
        Language::Japanese => {
            "英語 ヒンディー語 スペイン語 フランス語 ドイツ語 イタリア語 ポルトガル語 ロシア語 日本語 中国語 韓国語 アラビア語"
        }
        Language::Chinese => "英语 印地语 西班牙语 法语 德语 意大利语 葡萄牙语 俄语 日语 汉语 韩语 阿拉伯语",
        Language::Korean => {
            "영어 힌디어 스페인어 프랑스어 독일어 이탈리아어 포르투갈어 러시아어 일본어 중국어 한국어 아랍어"
        }
        Language::Arabic => {
            "الإنجليزية الهندية الإسبانية الفرنسية الألمانية الإيطالية البرتغالية الروسية اليابانية الصينية الكورية العربية"
        }
    };
    let place = Language::ALL.iter().position(|other| *other == language).unwrap_or(0);
    names.split(' ').nth(place).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_a_name_in_every_other_one() {
        for within in Language::ALL {
            for language in Language::ALL {
                assert!(!name(language, within).is_empty(), "{language} in {within}");
            }
            let answer = say(Say::Quote(7, "x"), within);
            assert!(
                answer.contains('7') && answer.contains('x') && !answer.contains('{'),
                "{answer}"
            );
        }
    }

    #[test]
    fn one_page_is_no_plural() {
        assert_eq!(say(Say::Pages(1), Language::English), "The document has one page.");
        assert_eq!(say(Say::Pages(2), Language::German), "Das Dokument hat 2 Seiten.");
    }
}

#[cfg(test)]
mod golden {
    use super::*;

    /// Every sentence in every language, as it was when the sentences stood in the code.
    #[test]
    fn sentences_are_as_they_were() {
        let mut all = String::new();
        for language in Language::ALL {
            let mut line =
                |what: Say<'_>| all.push_str(&format!("{}\t{what:?}\t{}\n", language.code(), say(what, language)));
            line(Say::NotSaid);
            line(Say::NoText);
            for pages in [0, 1, 2, 3, 5, 11, 21, 22, 25, 103, 1000] {
                line(Say::Pages(pages));
            }
            line(Say::Title("A {page} title {} {title}"));
            line(Say::NoTitle);
            line(Say::Author("{}"));
            line(Say::NoAuthor);
            line(Say::Created("2024-02-29"));
            line(Say::NoDate);
            for spoken in Language::ALL {
                line(Say::Language(spoken));
            }
            line(Say::Quote(1, "It {page} {} says"));
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/messages.golden");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, &all).unwrap();
        }
        assert_eq!(all, std::fs::read_to_string(path).unwrap());
    }
}
