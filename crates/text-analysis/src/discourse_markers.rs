//! Discourse markers: sentences that begin with "However", "This" or "For example" point back and cannot stand alone.

use quartet_api::Language;

/// Words, or beginnings of them in languages that are written without spaces. Phrases of two words have a low line
/// between them.
const fn markers(language: Language) -> &'static str {
    match language {
        Language::English => {
            "however this that these those it its he she they his her their them such but and so thus then therefore hence moreover \
             furthermore also additionally besides nevertheless nonetheless otherwise instead likewise similarly consequently yet or \
             nor finally still accordingly meanwhile here there again second secondly third thirdly next both all_this in_addition \
             for_example for_instance in_this in_that in_these in_such in_other in_contrast on_the_other as_a_result as_such as_above \
             as_mentioned as_described as_shown as_noted as_we_have as_before after_this after_that because_of_this because_of_that \
             to_this to_that to_do_this with_this at_this at_that by_this from_this of_course another one_of_these some_of_these \
             the_latter the_former the_following the_above the_same see note note_that that_is neither most_of_them all_of_them \
             of_these even_so rather either if_so if_not why yes no indeed for_this for_these due_to_this under_this under_these \
             once_this until_this when_this while_this although_this since_this this_means where which who whose such_a"
        }
        Language::German => {
            "jedoch dies diese dieser dieses diesem diesen das_ist es er sie ihr ihre sein seine aber und also daher deshalb deswegen darum \
             somit dann dadurch damit dabei dafür dagegen danach davor darüber darin daraus hierbei hierfür hierzu außerdem ferner zudem \
             weiterhin trotzdem dennoch allerdings andernfalls sonst stattdessen ebenso ähnlich folglich oder schließlich hier dort \
             zum_beispiel beispielsweise so solche solcher solches siehe auch beide jene jener im_gegensatz daneben dazu denn ja nein letztere"
        }
        Language::French => {
            "cependant ceci cela ce cet cette ces c’est c'est il elle ils elles son sa ses leur leurs mais et donc ainsi alors puis toutefois néanmoins \
             pourtant de_plus en_outre par_exemple par_conséquent en_effet en_revanche d'autre d’autre aussi enfin ensuite ici là sinon or voir cela_dit \
             celui-ci celle-ci ceux-ci ces_derniers dans_ce dans_cette à_cette pour_cela pour_cette oui non de_même également"
        }
        Language::Spanish => {
            "sin_embargo esto este esta estos estas eso ese esa esos esas él ella ellos ellas su sus pero y o así entonces luego además también \
             no_obstante por_ejemplo por_lo_tanto por_tanto por_eso por_ello en_cambio de_hecho aquí allí finalmente asimismo tal tales véase ver \
             en_este en_esta en_estos en_ese para_ello para_esto sí no aun_así aunque_esto es_decir igualmente dicho dicha ambos"
        }
        Language::Italian => {
            "tuttavia questo questa questi queste ciò quello quella quelli esso essa essi lui lei loro suo sua ma e o quindi dunque allora poi inoltre \
             anche perciò pertanto però infatti invece ad_esempio per_esempio di_conseguenza infine qui lì così tale tali vedi vedere si_veda \
             in_questo in_questa in_tal per_questo sì no ossia cioè altrimenti entrambi"
        }
        Language::Portuguese => {
            "no_entanto isto isso este esta estes estas esse essa esses essas aquilo ele ela eles elas seu sua seus suas mas e ou assim então depois \
             além_disso também contudo todavia porém por_exemplo portanto por_isso de_facto de_fato aqui ali finalmente tal tais veja ver consulte \
             neste nesta nesse nessa para_isso sim não ambos caso_contrário ou_seja"
        }
        Language::Russian => {
            "однако это этот эта эти этого этому этих он она оно они его её ее их но и а так таким_образом поэтому тогда затем кроме_того также тоже \
             например следовательно впрочем тем_не_менее наконец здесь там такой такая такие такое иначе зато причём причем см смотрите в_этом в_этой \
             при_этом для_этого после_этого из-за_этого да нет или то_есть оба потом"
        }
        Language::Japanese => {
            "しかし また そして この その これ それ さらに なお ただし つまり 例えば たとえば そのため したがって 従って 一方 こうした こう そう ここ そこ \
             だから でも けれど ところが すなわち よって まず 次に 最後に 同様 もし_そう あの 彼 彼女 ちなみに それでも もちろん"
        }
        Language::Chinese => {
            "但是 但 然而 因此 所以 这 那 该 此 其 另外 此外 同时 例如 比如 而且 不过 它 他 她 对此 于是 而 并且 或者 也 还 同样 首先 其次 最后 即 也就是说 \
             总之 否则 當 如果这样 请参 参见 详见 這 您 你 接下来 然后"
        }
        Language::Korean => {
            "그러나 하지만 그리고 또한 또 이 그 이것 이것은 그것 그것은 이는 이를 따라서 예를 즉 그래서 이러한 그러한 여기 여기서 거기 그런데 그러면 이와 그는 그녀는 \
             그들은 이런 그런 다만 다음 마지막으로 물론 이에 그 결과 이 때 그 때"
        }
        Language::Hindi => {
            "लेकिन और यह ये वह वे इस उस इसलिए परन्तु परंतु किन्तु किंतु इसके उसके तथा अतः इन उन इससे इसमें जैसे उदाहरण इसी उसी इनके उनके हालांकि यहाँ यहां वहाँ फिर \
             साथ_ही अन्त_में"
        }
        Language::Arabic => {
            "لكن ولكن هذا هذه ذلك تلك وهذا وهذه وهو وهي هو هي هم كما لذلك ولذلك ومع_ذلك مع_ذلك ثم أما بالإضافة علاوة فضلا مثلا وبالتالي بالتالي وقد وكان أيضا \
             وأخيرا هنا هناك وفي_هذا في_هذا لهذا ولهذا وإذا وإلا نعم لا وكذلك كذلك"
        }
    }
}

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
/// The same in scripts without spaces.
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
    let list = markers(language);
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
