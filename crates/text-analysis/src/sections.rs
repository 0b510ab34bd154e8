//! Sections of a document, and their roles as their headings tell.

/// A section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its heading; empty for the text before any heading.
    pub title: String,
    /// The page of the heading, from 1.
    pub page: usize,
    /// Its depth, from 1.
    pub level: u8,
    /// Its role.
    pub role: Role,
}

/// The role of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// An abstract or summary of the whole.
    Abstract,
    /// An opening of the text.
    Introduction,
    /// A closing part.
    Conclusion,
    /// Any other part of the text.
    Body,
    /// A list for reference: contents, bibliography, index.
    List,
    /// Matter about the document rather than its subject: thanks, licence, history of changes.
    About,
}

const ABSTRACT_TITLES: &str = "\
    abstract|summary|executive summary|overview|at a glance|key points|zusammenfassung|überblick|kurzfassung|\
    résumé|sommaire exécutif|synthèse|resumen|resumen ejecutivo|riassunto|sommario|sintesi|resumo|аннотация|\
    резюме|краткое содержание|要旨|概要|要約|あらまし|摘要|概述|提要|초록|요약|개요|सारांश|सार|ملخص|الملخص|خلاصة|نبذة";
const INTRODUCTION_TITLES: &str = "\
    introduction|background|motivation|preface|foreword|preamble|einleitung|einführung|vorwort|präambel|\
    avant-propos|préface|préambule|introducción|prefacio|preámbulo|prólogo|introduzione|prefazione|preambolo|\
    introdução|prefácio|preâmbulo|введение|предисловие|преамбула|はじめに|序論|序文|まえがき|前文|引言|前言|简介|介绍|导言|序言|서론|소개|머리말|\
    전문|परिचय|प्रस्तावना|भूमिका|مقدمة|المقدمة|تمهيد|الديباجة";
const CONCLUSION_TITLES: &str = "\
    conclusion|conclusions|concluding remarks|discussion|summary and outlook|summary and conclusions|fazit|\
    schluss|schlussfolgerung|schlussfolgerungen|ausblick|conclusión|conclusiones|conclusione|conclusioni|\
    conclusão|conclusões|заключение|выводы|結論|おわりに|まとめ|结论|总结|结语|결론|निष्कर्ष|الخاتمة|خاتمة|الاستنتاج";
const LIST_TITLES: &str = "\
    contents|table of contents|list of figures|list of tables|references|bibliography|literature|index|glossary|\
    further reading|works cited|see also|footnotes|inhalt|inhaltsverzeichnis|literatur|literaturverzeichnis|\
    quellen|stichwortverzeichnis|tabellenverzeichnis|abbildungsverzeichnis|table des matières|références|\
    bibliographie|sommaire|liste des tableaux|table des figures|índice|contenido|índice general|referencias|\
    bibliografía|indice|riferimenti|bibliografia|elenco delle tabelle|conteúdo|sumário|referências|\
    lista de tabelas|índice de cuadros|содержание|оглавление|литература|список литературы|список таблиц|目次|参考文献|\
    索引|表目次|目录|参考资料|目錄|表格清单|차례|목차|참고문헌|참고 문헌|색인|विषय सूची|विषय-सूची|संदर्भ|المحتويات|جدول المحتويات|المراجع|فهرس";
const ABOUT_TITLES: &str = "\
    acknowledgements|acknowledgments|acknowledgement|acknowledgment|copyright|license|licence|legal notice|\
    copyright notice|revision history|changelog|disclaimer|authors|about the author|about the authors|\
    author information|funding|conflict of interest|document format|feedback|translators|session information|\
    computational details|danksagung|lizenz|urheberrecht|rückmeldungen|remerciements|droits d'auteur|\
    agradecimientos|licencia|derechos de autor|ringraziamenti|licenza|agradecimentos|licença|благодарности|\
    лицензия|авторские права|謝辞|著作権|致谢|版权|감사의 말|저작권|आभार|شكر وتقدير";

/// Limit for the headings between a section and the one that it is part of.
const MAX_PARENT_DISTANCE: usize = 2_000;

/// The role of a section with the heading `title`. Sections below a list or a part about the document inherit its role.
pub(super) fn role(title: &str, level: u8, before: &[Section]) -> Role {
    let title = title.trim_end_matches([':', '.', ' ']).to_lowercase();
    let is = |list: &str| list.split('|').any(|name| name == title);
    if is(ABSTRACT_TITLES) {
        Role::Abstract
    } else if is(INTRODUCTION_TITLES) {
        Role::Introduction
    } else if is(CONCLUSION_TITLES) {
        Role::Conclusion
    } else if is(LIST_TITLES) {
        Role::List
    } else if is(ABOUT_TITLES) {
        Role::About
    } else {
        let above = before
            .iter()
            .rev()
            .take(MAX_PARENT_DISTANCE)
            .find(|section| section.level < level);
        match above.map(|section| section.role) {
            Some(role @ (Role::List | Role::About)) => role,
            _ => Role::Body,
        }
    }
}

/// Returns true if a line belongs to a table of contents: dots that lead to a page number.
pub(super) fn is_contents_line(text: &str) -> bool {
    let dots = |pattern: &str| text.matches(pattern).count();
    // Entries without dots: "12.1.1 Shell 225 12.1.2 …".
    let (mut numbered, mut pages) = (0, 0);
    for word in text.split_whitespace() {
        let digits = word.chars().all(|c| c.is_ascii_digit() || c == '.');
        numbered += usize::from(digits && word.trim_matches('.').contains('.'));
        pages += usize::from(digits && !word.contains('.') && word.len() <= 4);
    }
    if numbered >= 3 && pages + 1 >= numbered {
        return true;
    }
    dots(". . . .") > 0 || dots("......") > 0 || dots("……") > 1 || dots("· · ·") > 0
}

/// Strips the number off a heading: "3.1.2 Packages", "Chapter 3. Packages", "第3章 …", "IV. …".
///
/// ```
/// use quartet_text_analysis::sections::without_number;
///
/// assert_eq!(without_number("Chapter 3. Packages"), "Packages");
/// ```
#[must_use]
pub fn without_number(title: &str) -> &str {
    const WORDS: [&str; 16] = [
        "chapter",
        "section",
        "appendix",
        "article",
        "part",
        "kapitel",
        "anhang",
        "artikel",
        "chapitre",
        "annexe",
        "capítulo",
        "apéndice",
        "capitolo",
        "appendice",
        "глава",
        "статья",
    ];
    let title = title.trim();
    let mut rest = title;
    let lower = title.to_lowercase();
    if let Some(word) = WORDS.iter().find(|word| lower.starts_with(**word)) {
        let after: usize = title
            .char_indices()
            .nth(word.chars().count())
            .map_or(title.len(), |(at, _)| at);
        let number = title[after..].trim_start();
        if number.starts_with(|c: char| c.is_numeric())
            || number.chars().next().is_some_and(|c| "IVXABCDEFG".contains(c))
        {
            rest = number;
        }
    } else if let Some(after) = title.strip_prefix('第') {
        let parts = after.split_once(['章', '条', '節', '节', '部']);
        let numbered = |number: &str| number.chars().all(|c| c.is_numeric() || c.is_whitespace());
        if let Some((_, name)) = parts.filter(|(number, name)| numbered(number) && !name.trim().is_empty()) {
            return name.trim();
        }
    }
    let end = rest
        .find(|c: char| !(c.is_numeric() || matches!(c, '.' | ')' | '-' | '–')))
        .unwrap_or(rest.len());
    let (number, name) = rest.split_at(end);
    let name_trimmed = name.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '.' | '、' | '．'));
    if number.chars().any(char::is_numeric)
        && !name_trimmed.is_empty()
        && (name.starts_with(char::is_whitespace) || number.ends_with(['.', ')']))
    {
        return name_trimmed;
    }
    // "A.1 Files", "IV. Results".
    if let Some((number, name)) = rest.split_once(char::is_whitespace) {
        let label = number.trim_end_matches(['.', ':', ')']);
        let marked = label.len() < number.len() || label.contains('.');
        if marked
            && label.len() <= 6
            && label.chars().all(|c| "IVXLABCDEFG.0123456789".contains(c))
            && !label.is_empty()
        {
            return name.trim();
        }
    }
    title
}

/// The depth of a heading by its number: "3" is 1, "3.1" is 2; 1 without any.
pub(super) fn level_by_number(title: &str) -> u8 {
    let number: &str = title.split_whitespace().next().unwrap_or("");
    if !number.chars().all(|c| c.is_numeric() || c == '.') {
        return 1;
    }
    let parts = number.split('.').filter(|part| !part.is_empty()).count();
    u8::try_from(parts.clamp(1, 6)).unwrap_or(6)
}

/// Returns true if a heading has a number only, as in "Chapter 1": the next one names its subject.
pub(super) fn is_label(title: &str) -> bool {
    const WORDS: [&str; 24] = [
        "chapter",
        "section",
        "appendix",
        "part",
        "kapitel",
        "anhang",
        "teil",
        "chapitre",
        "annexe",
        "partie",
        "capítulo",
        "apéndice",
        "parte",
        "capitolo",
        "appendice",
        "apêndice",
        "anexo",
        "глава",
        "приложение",
        "часть",
        "章",
        "장",
        "अध्याय",
        "الفصل",
    ];
    let lower = title.to_lowercase();
    let mut parts = lower.split_whitespace();
    let (first, second, third) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""), parts.next());
    let number = |word: &str| word.chars().all(|c| c.is_numeric() || "ivxabcdef.:".contains(c));
    (WORDS.contains(&first) && number(second) && third.is_none())
        || (title.starts_with('第')
            && title.ends_with(['章', '部', '节', '節', '条', '條'])
            && title.chars().count() <= 8)
}
