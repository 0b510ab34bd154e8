//! What the service itself says in an answer, in twelve languages.

use quartet_api::Language;

/// Why a search gave nothing.
pub(super) fn no_search(status: &str, language: Language) -> &'static str {
    let [off, unreachable, refused, nothing] = match language {
        Language::English => [
            "Web search is not set up on this service.",
            "The web search could not be reached.",
            "The web search refused the request.",
            "The web search found nothing.",
        ],
        Language::Spanish => [
            "La búsqueda web no está configurada en este servicio.",
            "No se pudo contactar con la búsqueda web.",
            "La búsqueda web rechazó la consulta.",
            "La búsqueda web no encontró nada.",
        ],
        Language::French => [
            "La recherche web n'est pas configurée sur ce service.",
            "La recherche web est injoignable.",
            "La recherche web a refusé la requête.",
            "La recherche web n'a rien trouvé.",
        ],
        Language::German => [
            "Die Websuche ist auf diesem Dienst nicht eingerichtet.",
            "Die Websuche war nicht erreichbar.",
            "Die Websuche hat die Anfrage abgelehnt.",
            "Die Websuche hat nichts gefunden.",
        ],
        Language::Italian => [
            "La ricerca web non è configurata su questo servizio.",
            "La ricerca web non è raggiungibile.",
            "La ricerca web ha rifiutato la richiesta.",
            "La ricerca web non ha trovato nulla.",
        ],
        Language::Portuguese => [
            "A busca na web não está configurada neste serviço.",
            "Não foi possível contactar a busca na web.",
            "A busca na web recusou o pedido.",
            "A busca na web não encontrou nada.",
        ],
        Language::Russian => [
            "Поиск в интернете в этой службе не настроен.",
            "Поиск в интернете недоступен.",
            "Поиск в интернете отклонил запрос.",
            "Поиск в интернете ничего не нашёл.",
        ],
        Language::Japanese => [
            "このサービスではウェブ検索が設定されていません。",
            "ウェブ検索に接続できませんでした。",
            "ウェブ検索がリクエストを拒否しました。",
            "ウェブ検索では何も見つかりませんでした。",
        ],
        Language::Chinese => [
            "本服务未设置网络搜索。",
            "无法连接网络搜索。",
            "网络搜索拒绝了请求。",
            "网络搜索没有找到任何结果。",
        ],
        Language::Korean => [
            "이 서비스에는 웹 검색이 설정되어 있지 않습니다.",
            "웹 검색에 연결할 수 없습니다.",
            "웹 검색이 요청을 거부했습니다.",
            "웹 검색에서 아무것도 찾지 못했습니다.",
        ],
        Language::Arabic => [
            "البحث في الويب غير مُعدّ في هذه الخدمة.",
            "تعذّر الوصول إلى البحث في الويب.",
            "رفض البحث في الويب الطلب.",
            "لم يجد البحث في الويب شيئًا.",
        ],
        Language::Hindi => [
            "इस सेवा पर वेब खोज सेट नहीं है।",
            "वेब खोज तक पहुँचा नहीं जा सका।",
            "वेब खोज ने अनुरोध अस्वीकार कर दिया।",
            "वेब खोज को कुछ नहीं मिला।",
        ],
    };
    match status {
        "off" => off,
        "unreachable" => unreachable,
        "refused" => refused,
        _ => nothing,
    }
}

/// What stands before the nearest passage where nothing answers.
pub(super) fn not_answered(language: Language) -> &'static str {
    match language {
        Language::English => "The pages that were found do not clearly answer this. The nearest passage:",
        Language::Spanish => "Las páginas encontradas no responden claramente a esto. El pasaje más cercano:",
        Language::French => "Les pages trouvées n'y répondent pas clairement. Le passage le plus proche :",
        Language::German => "Die gefundenen Seiten beantworten das nicht eindeutig. Die nächstliegende Stelle:",
        Language::Italian => "Le pagine trovate non rispondono chiaramente. Il passaggio più vicino:",
        Language::Portuguese => "As páginas encontradas não respondem claramente a isto. A passagem mais próxima:",
        Language::Russian => "Найденные страницы не дают ясного ответа. Ближайший отрывок:",
        Language::Japanese => "見つかったページには明確な答えがありません。最も近い箇所：",
        Language::Chinese => "找到的页面没有明确回答这个问题。最接近的段落：",
        Language::Korean => "찾은 페이지에는 명확한 답이 없습니다. 가장 가까운 구절:",
        Language::Arabic => "الصفحات التي عُثر عليها لا تجيب بوضوح. أقرب مقطع:",
        Language::Hindi => "मिले हुए पृष्ठ इसका स्पष्ट उत्तर नहीं देते। निकटतम अंश:",
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
            for status in ["off", "unreachable", "refused", "nothing_found", "answered"] {
                all.push_str(&format!("{}\t{}\n", language.code(), no_search(status, language)));
            }
            all.push_str(&format!("{}\t{}\n", language.code(), not_answered(language)));
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/answer/messages.golden");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, &all).unwrap();
        }
        assert_eq!(all, std::fs::read_to_string(path).unwrap());
    }
}
