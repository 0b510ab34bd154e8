//! Abbreviations that end with a full stop, by language, in lower case and without the last stop. They are what style
//! guides and dictionaries of the languages list, as far as running text has them.

use quartet_api::Language;

/// The continuation after an abbreviation in running text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    /// Something always: a title or "for example". Its stop ends no sentence.
    Always,
    /// A number, else it is another word or the end: "No. 5".
    Number,
    /// Often nothing: "etc.". A capital letter after it begins a sentence.
    Maybe,
}

/// Always followed by something, in any language that uses Latin letters.
const LATIN: &str = "dr prof mr mrs ms st jr sr e.g i.e cf vs viz al ca ph.d approx dept est inc ltd co corp bros rev gen col capt lt sgt";

const fn always(language: Language) -> &'static str {
    match language {
        Language::English => {
            "messrs mme gov sen rep hon pres supt det esp resp incl misc tel ext assn mt ft blvd ave rd"
        }
        Language::German => {
            "z.b z. b d.h d. h u.a u. a i.d.r i. d. r o.ä o. ä z.t z. t v.a v. a u.u u. u i.a i. a s.o s. o s.u s. u m.e \
             n.chr v.chr bzw ggf evtl vgl bspw sog insb inkl exkl zzgl abzgl ca hr fr frl dipl ing med phil jur hrsg verf \
             str tel geb gest gegr allg ausschl einschl entspr mind max min lt gem vorm nachm jh sen ehem eigtl einschl"
        }
        Language::French => {
            "m mm mme mlle mgr me p.ex p. ex c.-à-d c.à.d env éd hab tél av bd boul ste sté chap fig vol"
        }
        Language::Spanish => {
            "sr sra srta srs d dña ud uds vd vds p.ej p. ej ej dres dra lic ing arq prof profa tel avda av pza dpto admón ee \
             excmo ilmo ee.uu ee. uu ed eds"
        }
        Language::Italian => {
            "sig sigg sig.ra sig.na dott dott.ssa avv ing arch geom on egr gent.mo spett p.es p. es es ecc.mo tel prof.ssa v.le p.zza s.p.a s.r.l ed"
        }
        Language::Portuguese => {
            "sr sra srs sras srta d dra drª drs dras exmo exma ilmo prof profa p.ex p. ex ex v.ex.ª eng arq av tel ed eds"
        }
        Language::Russian => {
            "т.е т. е т.к т. к т.н т. н напр см ср им ул пр пл просп д кв стр рис табл гл проф акад доц инж тел г-н г-жа св \
             о-в р-н обл п.п в т.ч в т. ч мин макс прим пер ред изд"
        }
        Language::Arabic => "د أ م أ.د ص ت ج ط هـ",
        Language::Hindi => "डॉ डा श्री प्रो पं कु सु मि रु क्र ई.पू वि.सं",
        Language::Japanese | Language::Chinese | Language::Korean => "",
    }
}

const fn number(language: Language) -> &'static str {
    match language {
        Language::English => {
            "no nos fig figs eq eqs sec sect ch chap vol p pp art tab ref refs jan feb mar apr jun jul aug sep sept oct nov dec"
        }
        Language::German => "nr nrn abb abs art bd s kap tab jan feb mär apr jun jul aug sep sept okt nov dez",
        Language::French => "n no nos fig p pp art chap janv févr avr juil sept oct nov déc",
        Language::Spanish => "n núm núms fig p pp pág págs art cap vol ene feb mar abr jun jul ago sept oct nov dic",
        Language::Italian => "n nn fig p pp pag pagg art artt cap vol tab gen feb mar apr giu lug ago set ott nov dic",
        Language::Portuguese => "n nº fig p pp pág págs art arts cap vol jan fev mar abr jun jul ago set out nov dez",
        Language::Russian => "№ рис п пп ст гл с стр т тт разд",
        _ => "no fig p pp",
    }
}

const fn maybe(language: Language) -> &'static str {
    match language {
        Language::English => "etc a.m p.m u.s u.s.a u.k u.n e.u d.c b.c a.d inc ltd co corp jr sr",
        Language::German => "usw etc u.s.w u. s. w uvm u.v.m",
        Language::French => "etc av. j.-c apr. j.-c",
        Language::Spanish => "etc a.c d.c a. c d. c a.m p.m a. m p. m",
        Language::Italian => "ecc etc a.c d.c s.p.a s.r.l",
        Language::Portuguese => "etc a.c d.c ltda cia",
        Language::Russian => "т.д т. д т.п т. п др пр г гг в вв н.э н. э до н.э руб коп тыс кг км",
        Language::Hindi => "आदि",
        _ => "etc",
    }
}

/// Limit for the words of one abbreviation ("u. s. w").
pub(super) const MAX_WORDS: usize = 3;

/// Looks up the abbreviation `word`, in lower case and without the stop at its end; stops inside it may be followed by
/// single spaces.
pub(super) fn find(word: &str, language: Language) -> Option<Follows> {
    if word.is_empty() {
        return None;
    }
    let whole = |list: &str| {
        list.match_indices(word).any(|(at, _)| {
            let (before, after) = (&list[..at], &list[at + word.len()..]);
            // "e" is not a word of its own in "t. e".
            (before.is_empty() || before.ends_with(' ') && !before.ends_with(". "))
                && (after.is_empty() || after.starts_with(' '))
        })
    };
    if whole(maybe(language)) {
        Some(Follows::Maybe)
    } else if whole(always(language)) || (quartet_lang_detect::is_latin(language) && whole(LATIN)) {
        Some(Follows::Always)
    } else if whole(number(language)) {
        Some(Follows::Number)
    } else {
        None
    }
}
