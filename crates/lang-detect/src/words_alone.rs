//! Words that tell a language where they stand nearly alone: greetings, commands, days, months, and nouns that people say in a word
//! or two, besides those of `common_words`. English has words here that are written alike in another of the languages.
//!
//! Longer text is not weighed by them, so that its detection stays as it was measured.

/// Words in lower case, separated by spaces, in the order of the languages in `common_words`. A word may stand in several lists.
pub(super) const WORDS_ALONE: [&str; 6] = [
    // English
    "happy birthday music error quote comment chapter price gonna wanna gotta y'all ain't warning alert battery door \
     light lights kitchen living bedroom off turn switch message messages meeting appointment weather temperature \
     outside inside total street doctor section figure page item list note notes monday tuesday wednesday thursday \
     friday saturday sunday january february march april june july august september october november december one \
     three four five six seven eight nine ten hundred thousand million hey bye goodbye goodnight wow yeah yep nope \
     congratulations excuse christmas merry ladies gentlemen dear sir madam cheers oops hmm god black white red green \
     blue cat dog car coffee tea book phone computer game city country problem question answer idea reason minute \
     minutes hour hours quick close left ready wait attention caution danger emergency exit enter level low full \
     empty version update download file files failed success complete loading links auto super open stop radio taxi \
     hotel café restaurant chat ok menu normal animal alarm system status final original pro",
    // Spanish
    "bienvenido bienvenida bienvenidos atención cuidado felicidades feliz navidad vale vamos vámonos perfecto cuatro \
     capítulo lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto \
     septiembre octubre noviembre diciembre llueve lloviendo tarde tardes encantado encantada claro siento luego ven \
     dime oye mira espera ayuda socorro salud amigo amiga amigos gato perro negro negra blanco blanca rojo roja verde \
     azul puerta abierta abierto cerrado cerrada libro comida escuela calle coche ciudad trabajar comer dormir \
     querido querida corazón guapo amor te entiendo disculpe disculpa lleno vacío pregunta respuesta ejemplo \
     cumpleaños minuto minutos hora horas momento semana mes pronto verdad gente bonito bonita legal segunda luz \
     lluvia sol vemos permiso",
    // French
    "bienvenue pardon excusez excuse d'accord appétit lundi mardi mercredi jeudi vendredi samedi dimanche janvier \
     février mars avril mai juin juillet août septembre octobre novembre décembre attention voilà félicitations \
     anniversaire joyeux joyeuse noël chat chien noir noire blanc blanche rouge vert verte bleu bleue porte ouverte \
     ouvert fermé fermée pleut chapitre viens revoir bientôt plaît allô aime j'aime t'aime désolé désolée rien nuit \
     matin soir soirée heure heures semaine mois minute livre voiture école rue ami amie amis besoin aide secours \
     regarde écoute attends dormir manger santé enchanté vraiment ouais zut génial parfait exactement cher chère \
     bisous question réponse exemple comment danger",
    // German
    "komm her hin weg geh mach sag gib warte schau hör hilfe achtung vorsicht willkommen tschüss tschüs wiedersehen \
     entschuldigung verzeihung dank schön schöne gern gerne genau natürlich klar montag dienstag mittwoch donnerstag \
     freitag samstag sonntag januar februar märz mai juni juli august september oktober november dezember weihnachten \
     frohe fröhliche herzlich herzlichen glückwunsch geburtstag alles gute katze hund schwarz weiß rot grün blau tür \
     offen geschlossen regnet regen sonne wetter kapitel bahnhof zug straße schule buch auto freund freunde freundin \
     essen trinken schlafen abend mittag stunde stunden minute minuten woche monat uhr spät früh kaffee bier brot \
     problem frage antwort beispiel gesundheit prost lieber geht's grüß gott servus moin wohl läuft rechts nichts \
     etwas jemand niemand vielleicht wirklich schluss fenster licht küche na",
    // Italian
    "buonanotte buon buoni arrivederci prego scusa scusi scusate benvenuto benvenuta benvenuti perfetto andiamo vieni \
     vai aspetta guarda ascolta dimmi aiuto attenzione auguri tanti natale pasqua compleanno felice piacere dispiace \
     favore pronto certo lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio marzo aprile \
     maggio giugno luglio agosto settembre ottobre novembre dicembre gatto cane nero nera bianco bianca rosso rossa \
     verde blu porta aperta aperto chiuso chiusa piove pioggia sole capitolo quattro stai ti te amo amore caro cara \
     ragazzo ragazza ragazzi amico amici mangiare dormire libro scuola macchina strada treno sera mattina notte \
     pomeriggio settimana mese momento minuto minuti davvero magari insomma arrivo salute bravo brava bravi domanda \
     risposta esempio capito capisco luce finestra cucina verità gente presto",
    // Portuguese
    "tchau boas tarde tardes bem vindo vinda parabéns atenção cuidado feliz natal aniversário licença desculpa \
     desculpem tudo capítulo quatro segunda feira terça quarta quinta sexta sábado domingo janeiro fevereiro março \
     abril maio junho julho agosto setembro outubro novembro dezembro gato cachorro cão preto preta branco branca \
     vermelho vermelha verde azul porta aberta aberto fechado fechada chove chovendo chuva sol venha vem vamos espere \
     espera olha olhe escuta ajuda socorro saudade saudades saúde te amo amor querido querida amigo amiga amigos \
     meninos menina menino livro escola carro rua comer dormir manhã semana mês hora horas minuto minutos momento \
     claro certo verdade bonito bonita legal beleza pergunta resposta exemplo gente pronto janela luz cozinha",
];
