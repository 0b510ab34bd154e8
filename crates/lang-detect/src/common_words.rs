//! The most common words of the languages in Latin letters, greetings included, and letters that only some of them have.
//! They decide short texts, in which n-grams say little.

use quartet_api::Language;

/// The languages in Latin letters, in the order of every table here.
pub(super) const LANGUAGES: [Language; 6] = [
    Language::English,
    Language::Spanish,
    Language::French,
    Language::German,
    Language::Italian,
    Language::Portuguese,
];

/// The place of a language in the tables.
pub(super) fn place(language: Language) -> Option<usize> {
    LANGUAGES.iter().position(|other| *other == language)
}

/// Words in lower case, separated by spaces. A word may stand in several lists: it then counts for each.
pub(super) const WORDS: [&str; 6] = [
    // English
    "the a of and to in is it you that he was for on are with as his they be at this have from or by not what all \
     were we when your can an each which she do how their if will up about out many then them these so some her would \
     him has my no yes i i'm don't it's hello hi please thanks thank good morning night welcome who where why test \
     everyone shall me us our come here there go let's let get got give take make made see look know think want need \
     like love say said tell told ask work call try use find feel leave put keep begin help show hear play run move \
     live believe bring happen write sit stand lose pay meet set learn change lead understand watch follow stop \
     create speak read spend grow open walk win teach offer remember buy wait serve die send build stay fall cut \
     reach kill could should may might must been being had did does done doing having than more most less least also \
     only just very too even still already again ever never always often sometimes now today tomorrow yesterday \
     before after while during since until against between through over under into onto off down back away around \
     without within because although though but however both either neither any every other another such own same few \
     much next last first second new old big small long little great high low right left man woman men women child \
     children people day week month year time way thing world life hand part place case point home house water room \
     mother father friend name number word money story didn't doesn't isn't aren't wasn't weren't won't can't \
     couldn't wouldn't shouldn't i've i'll i'd you're you've we're they're that's what's there's he's she's mr mrs \
     its those whose whom upon per via yet soon later once twice ours yours mine theirs sorry okay ok things percent percentage",
    // Spanish
    "el la de a ni ser será nadie que y en un los se las por con una su para es al lo como más pero sus le ya este sí \
     porque esta cuando muy sin sobre también me hasta hay donde quien desde todo nos todos uno yo eso mi del tu si \
     está hola gracias buenos buenas días noches adiós qué cómo dónde mundo toda persona tiene tienen derecho ahora \
     además no les unos unas esto ese esa esos esas estos estas aquel aquella él ella ellos ellas nosotros usted \
     ustedes vosotros mis tus nuestro nuestra nuestros nuestras son era eran fue fueron ha han he hemos había habían \
     haber estar estoy estás están estaba estaban estamos soy eres somos tener tengo tienes tenía hacer hace hacen \
     hizo hecho decir dice dicen dijo ir voy vas va vamos van iba poder puedo puede pueden podía podría deber debe \
     deben querer quiero quiere quieren saber sé sabe ver veo ve vez veces dar da dan dio venir viene vienen llegar \
     llega llegó pasar pasa pasó creer creo hablar habla dejar deja seguir sigue encontrar llamar llama año años día \
     hombre mujer vida cosa casa parte tiempo forma trabajo gobierno país lugar grupo problema caso mano manera agua \
     hoy ayer mañana siempre nunca aquí allí ahí así antes después entonces luego pues aunque mientras según entre \
     contra hacia ante bajo durante mediante tras mucho mucha muchos muchas poco poca otro otra otros otras mismo \
     misma cada algo alguien alguno algunos algunas nada ningún ninguno ninguna tan tanto menos mejor peor gran \
     grande nuevo nueva primer primero primera segundo dos tres cuatro cinco seis siete ocho nueve diez mil e u cual \
     cuál quién cuándo favor perdón señor señora buen bueno buena sólo solo tal quizá quizás acá allá vosotras espero \
     tamaño niño niña españa español cuánto cuánta cuántos cuántas cuáles quiénes adónde",
    // French
    "le la les de a ou d des du un une et en est que qui dans pour pas ce il elle sur au avec ne se plus par je vous \
     nous on mais sont à être cette ses son sa aux comme tout si leur y même sans fait bonjour merci oui non bonne \
     bon salut bonsoir quel quelle où comment ça c'est s'il j'ai n'est très toute personne droit aucun ces cet mon ma \
     mes ton ta tes notre votre nos vos leurs ils elles moi toi lui eux tu te me quand quoi dont donc car ni or puis \
     ainsi alors aussi encore déjà toujours jamais souvent parfois ici là là-bas hier aujourd'hui demain maintenant \
     avant après pendant depuis entre contre vers chez sous selon malgré parmi chaque plusieurs quelques quelque \
     autre autres ai as avons avez ont avait avaient avoir été était étaient étais suis es sommes êtes sera serait \
     soit fut faire fais font faites faisait aller vais vas va allons allez vont allait pouvoir peux peut pouvons \
     peuvent pourrait devoir dois doit doivent vouloir veux veut voulez veulent voudrais savoir sais sait savez voir \
     vois voit venir viens vient viennent dire dis dit disent prendre prend mettre met trouver trouve donner donne \
     parler parle penser pense croire crois passer rester demander ans année années jour jours temps vie homme femme \
     monde pays ville maison chose choses fois nom enfant enfants travail partie point groupe eau deux trois quatre \
     cinq six sept huit neuf dix cent mille premier première dernier dernière nouveau nouvelle grand grande petit \
     petite beau belle meilleur mieux moins peu beaucoup trop assez tous toutes rien quelqu'un celui celle ceux \
     celles cela ceci lequel laquelle madame monsieur s'est l'on d'un d'une qu'il qu'elle qu'on n'a n'ont j'avais \
     étant ayant lors afin parce pourquoi combien quels \
     quelles lesquels lesquelles",
    // German
    "der die das und in zu den ist nicht von sie mit dem des ein eine auf für im sich auch als es an er so dass wir \
     ich war haben hat einen aus wie wird bei oder aber nur noch über nach um am sind einer eines vor kann wenn mehr \
     ja nein bitte danke hallo guten morgen tag nacht welt was wo warum jeder sehr mein dein gut ihr ihre ihren ihrem \
     ihrer uns unser unsere euch euer mir mich dir dich ihm ihn ihnen man sein seine seinen seinem seiner keine kein \
     keinen einem dieser diese dieses diesen diesem jene jede jedes alle allen alles andere anderen viel viele wenig \
     meist ganz schon immer nie wieder hier da dort dann jetzt heute gestern bald oft werden wurde wurden worden wäre \
     würde würden bin bist seid waren gewesen habe hast hatte hatten hätte können konnte könnte müssen muss musste \
     sollen soll sollte wollen will wollte dürfen darf mögen möchte mag machen macht gemacht gehen geht ging kommen \
     kommt kam sagen sagt sagte geben gibt gab sehen sieht wissen weiß weil während obwohl damit ob denn doch durch \
     gegen ohne unter zwischen neben hinter seit bis zum zur vom beim ins ans zwei drei vier fünf sechs sieben acht \
     neun zehn hundert tausend erste ersten zweite neue neuen neuer großen große kleine jahr jahre jahren tage zeit \
     mann frau kind kinder leute leben haus stadt land herr wasser arbeit teil fall ende mal wer wen wem welche \
     welcher deutsche deutschen liebe sollten wann woher wohin \
     welches welchem welchen wessen wieso weshalb wieviel wieviele womit wovon wozu",
    // Italian
    "il la di che e un una per è non del della si da con le i al sono come più ma lo anche dei ha nel alla mi delle \
     gli questo questa su ci dal ogni suo sua essere io tu lui lei ciao grazie buongiorno buonasera sì no cosa dove \
     quando perché molto bene mondo mille allo dell individuo diritto in a se o ed ad noi voi loro mio mia tuo tua \
     nostro nostra vostro vostra suoi sue miei mie questi queste quello quella quelli quelle quel cui chi ne ti vi ce \
     ai agli alle dai dagli dalle dalla dallo degli nei negli nelle nella nello sui sugli sulle sulla sullo col uno \
     era erano sia siamo siete sei stato stata stati state ho hai abbiamo avete hanno aveva avevano avere fa fare \
     fatto fanno può possono potrebbe poter deve devono dovrebbe vuole voglio vuoi sa so va vai vado andare viene \
     vengono dice detto dire vedere visto dare stare sta stanno stavo già ancora sempre mai poi ora oggi ieri domani \
     qui qua là lì così allora quindi però invece mentre prima dopo durante contro verso tra fra senza sotto sopra \
     secondo fino solo soltanto tutto tutta tutti tutte altro altra altri altre stesso stessa molti molta molte poco \
     pochi due tre quattro cinque sette otto nove dieci cento primo nuovo nuova nuovi grande grandi piccolo buono \
     buona bello bella anno anni giorno giorni volta volte uomo donna vita casa tempo parte paese città lavoro modo \
     gruppo acqua nome signore signora qualche qualcosa qualcuno niente nulla nessuno meno meglio peggio quanto quale \
     quali chiaro c'è dov'è cos'è com'è l'ho un'altra all'interno dell'anno sull'autobus nell'ambito dall'altra quanti quante quanta",
    // Portuguese
    "o a os as de que e do da em um uma para com não é no na por mais se dos das como mas ao ele seu sua ou quando \
     muito nos já eu também só pelo pela até isso ela entre depois sem mesmo aos seus quem nas me esse eles você olá \
     obrigado obrigada sim bom boa dia noite mundo onde fica está são toda pessoa tem direito à às num numa nuns \
     pelos pelas deste desta destes destas desse dessa neste nesta nesse nessa disso disto isto esta este estes estas \
     essa esses essas aquele aquela àquele lhe lhes meu minha meus minhas teu tua nosso nossa nossos nossas suas \
     vocês nós elas tu te era eram foi foram ser sou és somos estar estou estás estamos estão estava estavam esteve \
     ter tenho tens têm tinha tinham teve temos houve havia há haver fazer faz fazem fez feito faço dizer diz dizem \
     disse ir vou vai vamos vão ia poder pode podem podia poderia posso dever deve devem querer quero quer querem \
     saber sei sabe ver vejo vê vez vezes dar dá dão deu vir vem vêm veio ficar ficou passar passou achar acho \
     achamos afirmou falar fala deixar deixa seguir encontrar chamar ano anos dias homem mulher vida coisa casa parte \
     tempo forma trabalho governo país lugar grupo problema caso mão maneira água hoje ontem amanhã sempre nunca aqui \
     ali lá aí assim antes então logo pois embora enquanto segundo contra sobre ante sob durante após muita muitos \
     muitas pouco pouca outro outra outros outras mesma cada algo alguém algum alguma alguns algumas nada nenhum \
     nenhuma tão tanto menos melhor pior grande novo nova primeiro primeira dois duas três quatro cinco seis sete \
     oito nove dez mil qual quais porque porquê favor desculpe senhor senhora ainda apenas além através enfim \
     conforme portanto porém contudo todavia todo todos todas tudo nem seja sejam fosse queremos entendemos vai-se \
     trata-se pra pro tá né ouvinte juntos quanto quanta quantos quantas aonde cadê",
];

/// Letters and signs which only these languages use, by their places in [`LANGUAGES`].
pub(super) const LETTERS: [(&str, &[usize]); 9] = [
    ("ñ¿¡", &[1]),
    ("ßäö", &[3]),
    ("ü", &[3, 1]),
    ("ãõ", &[5]),
    ("œîûëï", &[2]),
    ("ìò", &[4]),
    ("áíúó", &[1, 5]),
    ("êâ", &[2, 5]),
    ("èù", &[2, 4]),
];
