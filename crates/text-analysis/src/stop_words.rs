//! Stop words: the lists of the crate `stop-words` and some more.

use quartet_api::Language;
use stop_words::lookup;

/// The NLTK list of the crate where it has one, else its longer one of Stopwords ISO.
pub(super) fn stop_words(language: Language) -> &'static [&'static str] {
    lookup(language.code()).unwrap_or_default()
}

/// Additional stop words: words of questions and requests, which tell the type of answer, or that one is wanted, and not
/// its subject.
pub(super) fn additional_stop_words(language: Language) -> &'static str {
    match language {
        Language::English => {
            "does tell explain please document pdf mean means allowed permitted possible say says called stand stands purpose happens \
             happen need needs must may might can could would want way kind sort exist exists"
        }
        Language::German => {
            "dokument pdf bitte erkläre bedeutet wofür womit worum wieso welche welcher welches wieviel erlaubt dürfen darf möglich heißt \
             gibt sagt dient nötig braucht brauche brauchen muss kann geschieht zweck art macht machen mache tun tut"
        }
        Language::French => {
            "document pdf quel quelle quels quelles combien comment pourquoi est-ce expliquez signifie qu'est-ce permis permise possible sert \
             servent dit existe faut peut doit appelle besoin but sorte faire fait fais va vont t-il t-elle t-on"
        }
        Language::Spanish => {
            "documento pdf cuál cuáles cuánto cuántos cuántas explica significa permite permitido posible sirve sirven dice existe hay debe \
             puede necesita llama tipo hacer hace hago hacen va van"
        }
        Language::Italian => {
            "documento pdf qual quale quali quanto quanti quante spiega significa permesso permessa possibile serve servono dice esiste \
             bisogna può deve chiama tipo fa fare fanno va vanno"
        }
        Language::Portuguese => {
            "documento pdf qual quais quanto quantos quantas explique significa permitido permitida possível serve servem diz existe há deve \
             pode precisa chama tipo faz fazer fazem vai vão"
        }
        Language::Russian => {
            "документ pdf какой какая какое какие сколько почему зачем объясни означает такое разрешено разрешены можно нужно нужен служит \
             существует говорит называется является вид делать сделать делает"
        }
        Language::Japanese => "何が 何で 何を どの なに",
        Language::Chinese => "什么 怎么 如何 哪些 哪个 为何 多少 请问 是否 可以 文档 文件 允许 被允 能否",
        Language::Korean => "무엇 어떻 떻게 왜 누가 언제 어디 얼마 문서 허용 가능",
        Language::Hindi => {
            "क्या क्यों कैसे कौन कब कहाँ कहां कितने कितना कितनी किस किसे दस्तावेज़ सकता सकती सकते मिल मिलेगी मिलेगा मिलता जा दी करें करना करते"
        }
        Language::Arabic => "ما ماذا كيف لماذا متى اين من كم هل المستند الوثيقه مسموح يمكن يجوز هناك يوجد يتم",
    }
}
