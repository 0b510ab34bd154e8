//! The most common words of the languages in Latin letters, greetings included, and letters that only some of them have.
//! They decide short texts, in which n-grams say little.

use quartet_api::Language;

/// Words in lower case, separated by spaces. A word may stand in several lists: it then counts for each.
pub(super) const WORDS: [(Language, &str); 6] = [
    (
        Language::English,
        "the a of and to in is it you that he was for on are with as his they be at this have from or by not what all were we when \
         your can an each which she do how their if will up about out many then them these so some her would him has my no yes \
         i i'm don't it's hello hi please thanks thank good morning night welcome who where why test everyone shall",
    ),
    (
        Language::Spanish,
        "el la de a o ni ser será nadie que y en un los se no las por con una su para es al lo como más pero sus le ya o este sí porque esta cuando muy \
         sin sobre también me hasta hay donde quien desde todo nos todos uno yo eso mi del tu si está hola gracias buenos \
         buenas días noches adiós qué cómo dónde mundo toda persona tiene tienen derecho ahora además",
    ),
    (
        Language::French,
        "le la les de a ou d des du un une et en est que qui dans pour pas ce il elle sur au avec ne se plus par je vous nous on mais \
         sont à être cette ses son sa aux comme tout si leur y même sans fait bonjour merci oui non bonne bon salut bonsoir quel \
         quelle où comment ça c'est s'il j'ai n'est très toute personne droit aucun",
    ),
    (
        Language::German,
        "der die das und in zu den ist nicht von sie mit dem des ein eine auf für im sich auch als es an er so dass wir ich war \
         haben hat einen aus wie wird bei oder aber nur noch über nach um am sind einer eines vor kann wenn mehr ja nein bitte \
         danke hallo guten morgen tag nacht welt was wo warum jeder sehr mein dein gut",
    ),
    (
        Language::Italian,
        "il la di che e un una in per è non del della si da con le i al sono come più ma lo anche dei ha nel alla mi se delle gli \
         questo questa su ci o a dal ogni suo sua essere io tu lui lei ciao grazie buongiorno buonasera sì no cosa dove quando \
         perché molto bene mondo mille allo dell individuo diritto",
    ),
    (
        Language::Portuguese,
        "o a os as de que e do da em um uma para com não é no na por mais se dos das como mas ao ele seu sua ou quando muito nos \
         já eu também só pelo pela até isso ela entre depois sem mesmo aos seus quem nas me esse eles você olá obrigado obrigada \
         sim bom boa dia noite mundo onde fica está são toda pessoa tem direito",
    ),
];

/// Letters and signs which only these languages use.
pub(super) const LETTERS: [(&str, &[Language]); 9] = [
    ("ñ¿¡", &[Language::Spanish]),
    ("ßäö", &[Language::German]),
    ("ü", &[Language::German, Language::Spanish]),
    ("ãõ", &[Language::Portuguese]),
    ("œîûëï", &[Language::French]),
    ("ìò", &[Language::Italian]),
    ("áíúó", &[Language::Spanish, Language::Portuguese]),
    ("êâ", &[Language::French, Language::Portuguese]),
    ("èù", &[Language::French, Language::Italian]),
];
