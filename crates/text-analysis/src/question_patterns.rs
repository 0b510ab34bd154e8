//! Question patterns of the twelve languages: phrases that ask about the document itself, and cues for the expected type
//! of answer.

use quartet_api::Language;

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
pub(super) const fn metadata_phrases(language: Language) -> [(MetadataQuestion, &'static str); 6] {
    let [pages, author, title, date, about, tongue] = match language {
        Language::English => [
            "how many pages|how long is|number of pages|page count|pages does",
            "who wrote|who is the author|who are the authors|who's the author|author of|authors of|who made|who created|written by whom|who published",
            "what is the title|what's the title|title of|what is it called|what is this called|name of this|name of the document|what is the name",
            "when was it written|when was this written|when written|what is the date|date of|when was it created|when was this created|when was this published|when was it published|how old is|when was this document|when was the document|when was this file|what date",
            "what is it about|what is this about|about what|what's it about|what's this about|what is this document about|what is the document about|summarize|summarise|summary of|give me a summary|main topic|main point|main idea|what does it say|what is this|what does this document say|tl;dr|overview of|topic of|what is this pdf about|what is the pdf about|what is this file about|what does the document cover|what does this document cover",
            "what language|which language|in what language|language is",
        ],
        Language::German => [
            "wie viele seiten|wieviele seiten|wie lang ist|anzahl der seiten|seitenzahl",
            "wer hat geschrieben|wer schrieb|wer hat das|wer hat dieses|wer ist der autor|wer ist der verfasser|wer sind die autoren|autor von|autor des|verfasser des|von wem ist|von wem stammt",
            "wie heißt|wie lautet der titel|was ist der titel|titel des|wie ist der titel",
            "wann wurde es geschrieben|wann wurde das|wann wurde dieses|wann ist das|von wann ist|wie alt ist|welches datum|datum des|wann entstand|wann geschrieben",
            "worum geht es|wovon handelt|um was geht|worüber handelt|fasse zusammen|fass zusammen|zusammenfassung|was steht in|thema des|was ist das thema|fasse",
            "welche sprache|in welcher sprache",
        ],
        Language::French => [
            "combien de pages|nombre de pages|quelle est la longueur",
            "qui a écrit|qui est l'auteur|qui sont les auteurs|auteur de|auteur du|auteurs du|écrit par qui|qui a rédigé",
            "quel est le titre|titre du|titre de|comment s'appelle|quel est le nom",
            "quand a été écrit|quand a-t-il été|de quand date|quelle est la date|date du|date de création|quand ce document|quand fut écrit|quand a été",
            "de quoi parle|de quoi s'agit|de quoi traite|résume|résumé|quel est le sujet|sujet du|de quoi est-il question",
            "quelle langue|en quelle langue|dans quelle langue",
        ],
        Language::Spanish => [
            "cuántas páginas|cuantas páginas|número de páginas|cuantas paginas|qué longitud",
            "quién escribió|quien escribió|quién es el autor|quién ha escrito|quiénes son los autores|autor de|autor del|autores del|escrito por quién",
            "cuál es el título|título del|título de|cómo se llama|cuál es el nombre",
            "cuándo se escribió|cuándo fue escrito|de cuándo es|cuál es la fecha|fecha del|fecha de|cuándo se creó|cuándo se publicó",
            "de qué trata|de qué habla|sobre qué es|sobre qué trata|resume|resumen|cuál es el tema|tema del",
            "en qué idioma|qué idioma|en qué lengua",
        ],
        Language::Italian => [
            "quante pagine|numero di pagine|quanto è lungo",
            "chi ha scritto|chi è l'autore|chi sono gli autori|autore di|autore del|autori del|chi scrisse",
            "qual è il titolo|titolo del|titolo di|come si chiama|come si intitola",
            "quando è stato scritto|di quando è|qual è la data|data del|data di|quando fu scritto|quando è stato",
            "di cosa parla|di che cosa parla|di cosa tratta|di che cosa tratta|riassumi|riassunto|qual è l'argomento|argomento del",
            "in che lingua|in quale lingua|quale lingua",
        ],
        Language::Portuguese => [
            "quantas páginas|número de páginas|quantas paginas",
            "quem escreveu|quem é o autor|quem são os autores|autor de|autor do|autores do",
            "qual é o título|qual o título|título do|título de|como se chama|qual é o nome",
            "quando foi escrito|de quando é|qual é a data|data do|data de|quando foi criado|quando foi publicado",
            "do que trata|de que trata|sobre o que é|do que fala|de que fala|resuma|resumo|resume|qual é o tema|tema do|qual é o assunto",
            "em que língua|em que idioma|qual é a língua|qual o idioma",
        ],
        Language::Russian => [
            "сколько страниц|количество страниц|число страниц",
            "кто написал|кто автор|кто является автором|кто авторы|автор документа|автор книги|кем написан",
            "как называется|какое название|название документа|каков заголовок|заголовок документа|какой заголовок",
            "когда написан|когда был написан|когда создан|когда был создан|какая дата|дата документа|дата создания|когда это написано",
            "о чем|о чём|краткое содержание|резюме|перескажи|какая тема|тема документа|подведи итог",
            "на каком языке|какой язык",
        ],
        Language::Japanese => [
            "何ページ|ページ数|何頁|何枚",
            "誰が書|著者は|作者は|誰の|著者|作者",
            "タイトル|題名|題は|表題|名前は",
            "いつ書|いつ作成|日付|いつ作|いつの|作成日",
            "何について|何に関する|要約|どんな内容|概要|テーマ|何の文書|内容は",
            "何語|言語",
        ],
        Language::Chinese => [
            "多少页|几页|页数|有多长",
            "谁写|作者是谁|谁是作者|作者|谁编写",
            "标题是|标题|题目|叫什么|名称是",
            "什么时候写|何时写|日期|什么时候创建|何时创建|写于何时|创建时间",
            "关于什么|讲什么|讲了什么|主要内容|总结|概括|摘要|主题|说什么|讲的是什么",
            "什么语言|哪种语言|何种语言",
        ],
        Language::Korean => [
            "몇 페이지|몇 쪽|페이지 수|쪽수|몇페이지",
            "누가 썼|누가 작성|저자|작성자|글쓴이|지은이",
            "제목",
            "언제 쓰|언제 작성|날짜|작성일|언제 만들",
            "무엇에 관한|무엇에 대한|무슨 내용|요약|주제|어떤 내용|뭐에 대한",
            "무슨 언어|어떤 언어|어느 언어",
        ],
        Language::Hindi => [
            "कितने पृष्ठ|कितने पन्ने|कितने पेज|पृष्ठों की संख्या|पृष्ठ संख्या",
            "किसने लिखा|लेखक कौन|किसने लिखी|लेखक का नाम",
            "शीर्षक क्या|शीर्षक|नाम क्या",
            "कब लिखा|कब लिखी|तारीख|कब बनाया|दिनांक|तिथि",
            "किस बारे में|किसके बारे में|सारांश|विषय क्या|क्या है यह|किस विषय",
            "किस भाषा|कौन सी भाषा",
        ],
        Language::Arabic => [
            "كم صفحة|كم عدد الصفحات|عدد الصفحات|عدد صفحات",
            "من كتب|من هو المؤلف|من المؤلف|مؤلف|من هو مؤلف|من ألف",
            "ما العنوان|ما هو العنوان|عنوان|ما عنوان|ما اسم",
            "متى كتب|متى كُتب|ما التاريخ|تاريخ|متى أنشئ|متى نشر",
            "عن ماذا|عم يتحدث|ماذا يتناول|ملخص|لخص|ما موضوع|موضوع|ما هو موضوع|عما يتحدث",
            "بأي لغة|ما اللغة|ما لغة|ما هي لغة",
        ],
    };
    [
        (MetadataQuestion::Pages, pages),
        (MetadataQuestion::Author, author),
        (MetadataQuestion::Title, title),
        (MetadataQuestion::Date, date),
        (MetadataQuestion::About, about),
        (MetadataQuestion::Language, tongue),
    ]
}

/// Names for a document and the words around them, in lower case.
pub(super) const DOCUMENT_WORDS: &str = " document pdf file paper text book manual guide article report it this written created published made has have wrote \
     about main dokument datei text buch handbuch artikel bericht geschrieben verfasst erstellt hat haben es fichier texte livre manuel article rapport \
     écrit créé a-t-il contient compte-t-il documento archivo fichero texto libro manual artículo informe guía escrito creado tiene esta este file testo libro manuale articolo \
     guida scritto creato ha ficheiro arquivo livro artigo relatório guia tem está escrito criado документ документе документа файл файле книга книги книге \
     текст статья статьи руководство этот этом этого это в написан создан pdf 문서 문서는 문서의 문서가 파일 파일은 책 책의 책은 글 이 페이지 페이지인가요 페이지입니까 있나요 있습니까 있는가 \
     दस्तावेज़ दस्तावेज किताब पुस्तक फ़ाइल फाइल यह इस में हैं है की का गई गया المستند الوثيقة الملف الكتاب هذا هذه في النص pdf ";
/// The same in scripts without spaces; removed one after the other.
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
pub(super) const fn answer_type_cues(language: Language) -> [(AnswerType, &'static str); 6] {
    let [person, time, number, place, reason, definition] = match language {
        Language::English => [
            "who |whom |whose ",
            "when |what year|what date|how long ago",
            "how many|how much|how often|how long|how large|how big|how old|what percentage|what number",
            "where |which country|what place",
            "why |what is the reason|how come",
            "what is |what's |what are |what does |define |what was |meaning of",
        ],
        Language::German => [
            "wer |wem |wen ",
            "wann |welches jahr|seit wann",
            "wie viele|wie viel|wieviel|wie oft|wie lange|wie groß|wie hoch",
            "wo |wohin |woher ",
            "warum |weshalb |wieso |aus welchem grund",
            "was ist |was sind |was bedeutet|was heißt|was war",
        ],
        Language::French => [
            "qui a |qui est |qui sont ",
            "quand |quelle année",
            "combien ",
            "où ",
            "pourquoi ",
            "qu'est-ce que|qu'est ce que|que signifie|que veut dire|c'est quoi|quelle est la définition",
        ],
        Language::Spanish => [
            "quién |quiénes ",
            "cuándo |en qué año",
            "cuánto|cuánta|cuántos|cuántas",
            "dónde |adónde ",
            "por qué ",
            "qué es |qué son |qué significa|qué era",
        ],
        Language::Italian => [
            "chi ",
            "quando |in che anno",
            "quanto |quanti |quante |quanta ",
            "dove |dov'è",
            "perché |come mai",
            "cos'è |che cos'è|cosa è |cosa sono|che cosa sono|cosa significa",
        ],
        Language::Portuguese => [
            "quem ",
            "quando |em que ano",
            "quanto |quantos |quantas |quanta ",
            "onde |aonde ",
            "por que |porque |porquê",
            "o que é|o que são|que é |o que significa",
        ],
        Language::Russian => [
            "кто |кому |кем ",
            "когда |в каком году",
            "сколько ",
            "где |куда |откуда ",
            "почему |зачем |отчего ",
            "что такое|что это|что значит|что означает|кто такой",
        ],
        Language::Japanese => [
            "誰|だれ",
            "いつ|何年",
            "いくつ|何個|何人|どれくらい|どのくらい|いくら|何件",
            "どこ",
            "なぜ|どうして|何故",
            "とは何|って何|とはなん|とは|何ですか",
        ],
        Language::Chinese => [
            "谁|哪位",
            "何时|什么时候|哪一年|几时",
            "多少|几个|多大|多久|几",
            "哪里|哪儿|何处|在哪",
            "为什么|为何|怎么会",
            "什么是|是什么|什么叫|何谓",
        ],
        Language::Korean => [
            "누가|누구",
            "언제|몇 년",
            "몇 |얼마",
            "어디",
            "왜 |이유",
            "무엇인|무엇입|뭐|란 무엇|이란 ",
        ],
        Language::Hindi => [
            "कौन |किसने|किसे",
            "कब |किस वर्ष",
            "कितने|कितना|कितनी",
            "कहाँ|कहां|किधर",
            "क्यों|क्यूँ",
            "क्या है|क्या हैं|का अर्थ|क्या होता",
        ],
        Language::Arabic => [
            "من هو|من هي|من الذي|من هم|من كتب|من ",
            "متى|في أي عام|أي سنة",
            "كم ",
            "أين",
            "لماذا|لم ",
            "ما هو|ما هي|ماذا يعني|ما معنى|ما المقصود",
        ],
    };
    [
        (AnswerType::Time, time),
        (AnswerType::Number, number),
        (AnswerType::Reason, reason),
        (AnswerType::Place, place),
        (AnswerType::Person, person),
        (AnswerType::Definition, definition),
    ]
}
