//! The genders of nouns, by common words and by endings: data only. Every list is in lower case and in the singular, plurals only
//! where they are made otherwise than by the ending that `plural` names.

use quartet_api::Language;

/// Signs of feminine nouns in a language.
pub(super) struct Nouns {
    /// The ending of the plural.
    pub plural: char,
    /// Feminine words that their ending does not tell.
    pub feminine: &'static str,
    /// Masculine (or neuter) words that end like feminine ones.
    pub masculine: &'static str,
    /// Endings of feminine words.
    pub endings: &'static str,
    /// Words after a number that are not counted by it.
    pub no_nouns: &'static str,
}

/// The table of a language; that of a language without one says that every noun is masculine.
pub(super) fn nouns_of(language: Language) -> &'static Nouns {
    match language {
        Language::French => &FRENCH,
        Language::Spanish => &SPANISH,
        Language::Portuguese => &PORTUGUESE,
        Language::Italian => &ITALIAN,
        Language::German => &GERMAN,
        _ => &NONE,
    }
}

static NONE: Nouns = Nouns {
    plural: 's',
    feminine: "",
    masculine: "",
    endings: "",
    no_nouns: "",
};

static FRENCH: Nouns = Nouns {
    plural: 's',
    feminine: "pomme femme dame fille mère soeur sœur tante personne ville rue route maison chambre table chaise porte fenêtre \
        lettre page plage image cage tige neige orange horloge tasse bouteille boîte carte clé clef clefs fois chose main tête jambe \
        bouche dent oreille voiture moto heure minute seconde semaine année nuit journée soirée saison histoire victoire mémoire \
        bière eau eaux mer terre pierre guerre barre montre ombre poire cerise banane fraise tomate salade soupe viande \
        crème tarte crêpe robe jupe veste chemise chaussure lampe école classe équipe note feuille plume règle \
        langue banque marque boutique clinique musique avenue vue tour chanson leçon façon maman forêt part mort fin faim soif \
        peau peaux vis croix noix voix brebis souris fourmi loi foi dot nef soif cour fleur couleur valeur douleur erreur \
        peur odeur longueur largeur hauteur profondeur sueur faveur usine machine cuisine piscine origine racine vitamine douzaine \
        dizaine quinzaine vingtaine trentaine quarantaine cinquantaine soixantaine centaine tonne colonne antenne étape ligne \
        montagne campagne signature vache poule chèvre abeille girafe baleine grande petite belle bonne nouvelle vieille jolie longue \
        autre seule demi-heure demie affaire demande réponse offre fête vente liste visite copie entrée photo vidéo radio pizza \
        moyenne journaliste amie planète comète étoile île idée fourchette assiette cuillère cuiller casserole \
        tranche fiche branche manche poche cloche mèche brique clinique phrase syllabe lune onde bande tribu vertu bru glu oasis arme \
        âme dame lame rame larme ferme forme norme plateforme gomme somme gamme flamme paire caisse boisson poésie tasse",
    masculine: "été côté comité traité pâté arrêté député doigté squelette silence murmure mercure prélude grade stade musée lycée \
        trophée apogée génie incendie parapluie foie magazine domaine gorille cimetière derrière vase espace service exercice \
        pouce commerce prince indice office sacrifice palace homme programme gramme kilogramme dilemme groupe système problème \
        poème thème diplôme livre arbre frère père nombre membre mètre litre kilomètre centimètre titre théâtre verre siècle article \
        oncle peuple exemple modèle meuble angle spectacle obstacle miracle siège collège piège manège privilège âge étage garage \
        voyage village message fromage visage nuage mariage passage dommage avantage pourcentage ménage média dinosaure \
        dictionnaire anniversaire commentaire mode risque disque casque masque cirque kiosque dimanche reproche reste texte poste geste \
        acte compte doute vote pilote élève touriste artiste architecte chèque arrière régime crime intime costume volume légume \
        téléphone cyclone trône pôle contrôle rôle symbole monopole quadrilatère caractère mystère ministère critère cratère repère \
        phare square centime euro élément an mois jour caprice vice bénéfice précipice orifice édifice hospice artifice",
    endings: "tion sion xion aison ison té ette elle esse euse trice ance ence ure ude ade ée ie ise ine ille eille aille ouille \
        ière ante ente oire sse nne tte mme che gie ce se lle rche",
    no_nouns: "de du des et ou à au aux en sur sous pour par dans avec sans le la les est sont a ont que qui mais donc or ni car \
        plus moins fut était sera",
};

static SPANISH: Nouns = Nouns {
    plural: 's',
    feminine: "mujer mujere mano foto moto radio vez vece flor flore noche tarde calle clase llave nube sangre leche sal luz luce \
        cruz cruce voz voce paz red rede pared parede ley leye señal señale cárcel cárcele miel piel piele gente \
        parte muerte suerte fuente torre frase base fase serie especie superficie nariz narice raíz raíce actriz actrice \
        madre sede imagen imágene labor labore tos crisis tesis dosis síntesis hipótesis nave clave llave carne nieve",
    masculine: "día problema sistema programa tema clima mapa planeta idioma poeta atleta drama diploma esquema síntoma fantasma \
        telegrama cometa gorila pijama sofá papá aroma axioma carisma crucigrama dilema enigma estigma lema panorama pentagrama \
        poema prisma reuma teorema trauma hombre",
    endings: "a ción sión cione sione xión dad dade tad tade tud tude umbre itis ez ece",
    no_nouns: "para contra hasta hacia desde como con que por del una cada sobre entre sin los las les más era eran fue mil a y o u \
        e de en es al el la lo se su sus",
};

static PORTUGUESE: Nouns = Nouns {
    plural: 's',
    feminine: "maçã manhã irmã lã rã avelã mão mulher mulhere vez veze flor flore noite tarde foto moto parte gente morte sorte fonte \
        ponte torre frase base fase série espécie superfície mãe luz luze cruz cruze voz voze paz rede parede lei sede imagem imagen \
        viagem viagen mensagem mensagen página cor core dor dore colher colhere chave nuvem nuven ordem orden carne neve ave nave \
        tribo nação língua arte classe sala pele febre árvore crise tese dose pele idade chance metade",
    masculine: "dia problema sistema programa tema clima mapa planeta idioma poeta atleta drama diploma esquema sintoma fantasma \
        telegrama cometa gorila pijama sofá papá aroma dilema enigma lema panorama poema prisma teorema trauma homem grama \
        quilograma celular cinema",
    endings: "a ção çõe sõe dade tude ície agem agen ez eza",
    no_nouns: "para contra como com que por da uma cada sobre entre sem mais era eram ora dos das nos nas pela pelo até quando mil e \
        a o de em ou é as os na no um",
};

static ITALIAN: Nouns = Nouns {
    plural: 'i',
    feminine: "mano moto foto radio auto notte parte gente morte sorte fonte torre frase base fase serie specie superficie madre luce \
        croce voce pace rete parete legge sede immagine chiave nave carne neve pelle febbre arte classe estate volpe crisi tesi \
        analisi moglie stazione televisione opinione regione unione ragione canzone lezione persona ora eco virtù tribù gru \
        città metà verità libertà parete vite mente chiesa",
    masculine: "problema sistema programma tema clima planeta idioma poeta atleta dramma diploma schema sintomo fantasma telegramma \
        gorilla pigiama sofà papà aroma dilemma enigma panorama poema prisma teorema trauma chilogrammo cinema boa",
    endings: "a zione sione gione tà tù trice aggine udine igine",
    no_nouns: "a contra come con che per del della alla nella sulla dalla non una ogni sopra tra fra senza più era anche dopo prima \
        di e o ed da in su il lo la gli le i al è dei delle",
};

static GERMAN: Nouns = Nouns {
    plural: '\u{0}',
    feminine: "frau stadt nacht hand person mutter tochter schwester tür wand bank zahl million mark uhr wahl zeit arbeit antwort \
        angst art aussicht bahn brust burg butter dame fahrt faust feder figur form frucht gabel gans gefahr geburt geduld gestalt \
        gewalt haut insel jugend karotte kartoffel kraft kuh kultur kunst kur last laus leber leiter lust luft macht maus mauer milch \
        nadel natur not null nummer nuss oper ordnung pflicht post prüfung qual regel reparatur rechnung sau schlacht \
        schrift schuld schulter schüssel sicht spur steuer tat temperatur trommel uni unterschrift vernunft wand welt wurst wurzel \
        ziffer zwiebel zukunft portion flasche mail e-mail sms email dvd cd app party birne axt bar",
    masculine: "name junge kunde käse buchstabe gedanke kollege affe hase löwe neffe experte franzose russe pole däne schwede grieche \
        türke chinese bote zeuge erbe sklave riese ochse rabe falke wille glaube friede funke haufe same schade ende auge gebäude \
        interesse gemälde getränk gemüse gebirge gelände getreide gewebe finale erbe genre image café termin kamin magazin benzin \
        delfin pin gin bin ei brei papagei polizist abitur zwilling stadion spion champion skorpion ion junggeselle geselle matrose \
        biologe psychologe kommilitone pate insasse kino dino",
    endings: "e ung heit keit schaft tät ion ik enz anz ei in ur",
    no_nouns: "",
};
