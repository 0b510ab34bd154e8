//! Numbers in running text and what stands beside them: ordinals, percentages, units, years.

use quartet_api::Language;

use super::super::languages::{
    Agreement, Case, Unit, arabic_unit, counted, pure_number, russian_case, russian_declined, russian_noun,
};
use super::numerals::{Numeral, parse, run};
use super::{Scanner, after_space, dates, is_mark};

impl Scanner<'_> {
    /// Says the number that comes next.
    pub(super) fn number(&mut self) {
        if self.always()
            || self.duration()
            || self.date_or_time()
            || self.telephone()
            || self.address_number()
            || self.version()
            || self.part()
        {
            return;
        }
        let Some(numeral) = parse(self.rest(), self.rules) else {
            return;
        };
        if !self.half_more(&numeral)
            && !self.mixed(&numeral)
            && !self.named_date(&numeral)
            && !self.ratio(&numeral)
            && !self.range(&numeral)
        {
            self.quantity(&numeral);
        }
    }

    /// The number alone.
    pub(super) fn plain(&self, numeral: &Numeral, agreement: Agreement) -> String {
        if self.language == Language::Japanese {
            let decimals = numeral
                .decimals
                .as_ref()
                .map(|decimals| format!(".{decimals}"))
                .unwrap_or_default();
            return numeral.integer.clone() + &decimals;
        }
        match &numeral.decimals {
            Some(decimals) => (self.rules.fraction)(&numeral.integer, decimals),
            None => pure_number(&numeral.integer, agreement, self.rules.cardinal, self.rules.space),
        }
    }

    /// Hindi one and a half and two and a half, which have words of their own before what they count.
    pub(super) fn half(&self, numeral: &Numeral) -> Option<&'static str> {
        match (self.language, numeral.integer.as_str(), numeral.decimals.as_deref()) {
            (Language::Hindi, "1", Some("5")) => Some("डेढ़"),
            (Language::Hindi, "2", Some("5")) => Some("ढाई"),
            _ => None,
        }
    }

    /// The word that governs a number: the one before it, and before the numbers that it is joined with.
    pub(super) fn governor(&self) -> String {
        if self.language != Language::Russian {
            return self.previous_word();
        }
        let mut before = self.text[..self.at].trim_end_matches([' ', '\u{a0}']);
        for _ in 0..2 {
            let joined = before
                .strip_suffix(['–', '-', '—'])
                .or_else(|| before.strip_suffix(" и"))
                .or_else(|| before.strip_suffix(" или"));
            let Some(number) = joined.map(|joined| joined.trim_end_matches(' ')) else {
                break;
            };
            if !number.ends_with(|c: char| c.is_ascii_digit()) {
                break;
            }
            before = number
                .trim_end_matches(|c: char| c.is_ascii_digit())
                .trim_end_matches(' ');
        }
        let start = before
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphabetic() || *c == '-')
            .take(30)
            .last()
            .map_or(before.len(), |(at, _)| at);
        before[start..].to_lowercase()
    }

    /// The word between a number of whole millions and what it counts: "un millón de euros", "un million d'euros".
    pub(super) fn of(&self, numeral: &Numeral, next: &str) -> &'static str {
        let millions = numeral
            .whole()
            .is_some_and(|count| count > 0 && count.is_multiple_of(1_000_000));
        if millions { self.of_before(next) } else { "" }
    }

    /// The word "of" in the form that it has before `next`.
    pub(super) fn of_before(&self, next: &str) -> &'static str {
        let vowel = next.starts_with(['a', 'e', 'é', 'h', 'i', 'o', 'u']);
        if self.language == Language::French && vowel {
            "d'"
        } else {
            self.rules.of
        }
    }

    /// Number and noun.
    pub(super) fn counted_noun(&self, numeral: &Numeral, forms: &[&str; 3], gender: Agreement) -> String {
        if self.language == Language::Russian
            && let Some(count) = numeral.whole()
        {
            let case = self.case_before(forms[0]);
            let number = russian_declined(count, gender, case);
            return format!("{number} {}", russian_noun(forms, count, case));
        }
        if self.language == Language::Arabic
            && let Some(words) = numeral.whole().and_then(|count| arabic_unit(count, forms))
        {
            return words;
        }
        let form = match numeral.whole() {
            Some(count) => (self.rules.form)(count),
            None if numeral.decimals.is_some() => self.rules.form_of_decimals,
            None => 2,
        };
        let of = self.of(numeral, forms[form]);
        format!("{}{}{of}{}", self.plain(numeral, gender), self.rules.space, forms[form])
    }

    /// The case of a Russian number before a unit: that of its preposition; distances also stand in the prepositional
    /// ("в 5 км от города").
    fn case_before(&self, unit: &str) -> Case {
        let governor = self.governor();
        let distance = unit.ends_with("метр") || unit == "шаг";
        match governor.as_str() {
            "в" if distance && self.rest().chars().take(24).collect::<String>().contains(" от ") => {
                Case::Prepositional
            }
            "в" | "на" | "за" | "через" => Case::Accusative,
            _ => russian_case(&governor),
        }
    }

    /// The number with whatever follows that changes how it is said.
    pub(super) fn quantity(&mut self, numeral: &Numeral) {
        let rest = &self.rest()[numeral.len..];
        // "MP3s", "A4": nothing is counted by a number that letters precede.
        let size = self.text[..self.at].ends_with(['x', 'X'])
            && self.text[..self.at - 1].ends_with(|c: char| c.is_ascii_digit());
        if !size && self.previous().is_some_and(|c| c.is_ascii_alphabetic()) {
            return self.say(&self.plain(numeral, Agreement::Alone), numeral.len);
        }
        // "5,- €"
        let dash = [",-", ",–", ",—"].iter().find(|dash| rest.starts_with(**dash));
        if let Some(dash) = dash.filter(|_| self.rules.decimal == ',') {
            let round = Numeral {
                len: numeral.len + dash.len(),
                ..numeral.clone()
            };
            return self.quantity(&round);
        }
        // "1990م": a year, and no metres.
        let christian = self.language == Language::Arabic && numeral.is_year() && rest.starts_with('م');
        if christian
            && !rest['م'.len_utf8()..].starts_with(char::is_alphabetic)
            && let Some(year) = numeral.whole()
        {
            let words = format!("{} ميلادي", (self.rules.year)(year));
            return self.say(&words, numeral.len + 'م'.len_utf8());
        }
        // "08月08日"
        if numeral.len == 2 && self.language == Language::Chinese && numeral.integer.starts_with('0') {
            let day = ["月", "日", "号", "號", "时", "時", "点"]
                .iter()
                .any(|unit| rest.starts_with(unit));
            if day && self.previous() != Some('.') {
                let plain = Numeral {
                    integer: numeral.integer.trim_start_matches('0').to_owned(),
                    ..numeral.clone()
                };
                if !plain.integer.is_empty() {
                    return self.say(&self.plain(&plain, Agreement::Alone), numeral.len);
                }
            }
        }
        if self.ordinal(numeral, rest) || self.percentage(numeral, rest) || self.scaled(numeral, rest) {
            return;
        }
        let (next, space) = after_space(rest);
        if let Some((currency, len)) = self.currency_at(next) {
            let words = self.price(numeral, currency);
            self.say(&words, numeral.len + space + len);
            self.per();
            return;
        }
        // "1.5 लाख" has a word of its own.
        let half = self.half(numeral);
        if let Some(half) = half {
            let unit = self.unit_at(next, space > 0);
            let scale = [
                "सौ",
                "हज़ार",
                "हजार",
                "लाख",
                "करोड़",
                "करोड",
                "घंटे",
                "साल",
                "किलो",
                "मीटर",
                "लीटर",
                "किलोमीटर",
                "महीने",
                "दिन",
            ]
            .iter()
            .any(|word| next.starts_with(word));
            if let Some((unit, len)) = unit {
                return self.say(&format!("{half} {}", unit.forms[2]), numeral.len + space + len);
            }
            if scale {
                return self.say(half, numeral.len);
            }
        }
        let counted = numeral
            .whole()
            .and_then(|number| counted(self.language, number, &self.governor(), next));
        // A form that says the noun too ("1999 г." is a year) goes before a unit ("г" is a gram).
        let unit = if counted.as_ref().is_some_and(|(_, said)| *said > 0) {
            None
        } else {
            self.unit_at(next, space > 0)
        };
        if let Some((unit, len)) = unit {
            let words = self.counted_noun(numeral, &unit.forms, unit.gender);
            self.say(&words, numeral.len + space + len);
            if self.language == Language::English && unit.forms[0] == "foot" {
                self.inches();
            }
            self.per();
            return;
        }
        if self.feet(numeral, rest) {
            return;
        }
        if let Some(number) = numeral.whole() {
            if let Some((words, said)) = counted {
                let gap = if said > 0 { space } else { 0 };
                self.say(words.trim_end(), numeral.len + gap + said);
                if words.ends_with(' ') && !self.rest().starts_with(' ') {
                    self.out.push(' ');
                }
                return;
            }
            if numeral.is_year() && self.is_year(number, next) {
                self.say(&(self.rules.year)(number), numeral.len);
                return;
            }
        }
        // "20-летний": compounds have the genitive.
        if self.language == Language::Russian
            && rest.strip_prefix('-').is_some_and(|after| {
                after.starts_with("лет")
                    || after.starts_with("мину")
                    || after.starts_with("час")
                    || after.starts_with("днев")
                    || after.starts_with("этаж")
                    || after.starts_with("мест")
            })
            && let Some(count) = numeral.whole()
        {
            let words = match count {
                1 => "одно".to_owned(),
                90 | 100 => (self.rules.cardinal)(count, Agreement::Masculine),
                _ => russian_declined(count, Agreement::Masculine, Case::Genitive),
            };
            self.say(&words, numeral.len + 1);
            self.loose = false;
            return;
        }
        // "um milhão de pessoas"
        let noun = next.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
        let of = if space > 0 && noun.len() > 2 && noun.starts_with(char::is_lowercase) && noun != "de" && noun != "di"
        {
            self.of(numeral, noun)
        } else {
            ""
        };
        self.say(
            format!("{} {of}", self.plain(numeral, Agreement::Alone)).trim_end(),
            numeral.len,
        );
        if of.ends_with('\'') {
            self.at += space;
            self.loose = false;
        }
        // "20-year-old": the hyphen joins words now.
        if self.rest().starts_with('-') && self.rest()[1..].starts_with(char::is_alphabetic) {
            self.at += 1;
        }
    }

    fn ordinal(&mut self, numeral: &Numeral, rest: &str) -> bool {
        let Some(number) = numeral.whole() else { return false };
        if self.language == Language::German && rest.starts_with('.') {
            return self.german_ordinal(number, numeral.len, rest);
        }
        let dot = usize::from(rest.starts_with('.') || rest.starts_with('-') && self.language == Language::Russian);
        let letters: usize = rest[dot..]
            .chars()
            .take_while(|c| c.is_alphabetic() || is_mark(*c) || matches!(c, 'º' | 'ª' | '°'))
            .take(6)
            .map(char::len_utf8)
            .sum();
        let mut suffix = &rest[..dot + letters];
        // "5 °C" is no ordinal, nor is the degree sign alone unless the language writes it for º.
        if letters == 0 || suffix.contains('°') && rest[dot + letters..].starts_with(['C', 'F']) {
            return false;
        }
        if suffix.starts_with('\'') {
            suffix = &suffix[1..];
        }
        let Some(words) = (self.rules.ordinal)(number, suffix) else {
            return false;
        };
        self.say(&words, numeral.len + dot + letters);
        true
    }

    /// German ordinals, "3." before a noun: only where an article or preposition, or another ordinal's word, shows that no
    /// sentence ends.
    fn german_ordinal(&mut self, number: u64, len: usize, rest: &str) -> bool {
        // "21." and nothing else
        if rest == "." && self.at == 0 {
            let Some(words) = (self.rules.ordinal)(number, "ter") else {
                return false;
            };
            self.say(&words, len + 1);
            return true;
        }
        let follows = rest
            .strip_prefix(". ")
            .is_some_and(|next| next.starts_with(char::is_alphabetic));
        let before = self.previous_word();
        // "in der 3. Klasse"
        let article = self.text[..self.at].trim_end_matches(' ').strip_suffix(" der");
        let governed = article.is_some_and(|before| {
            let word = before.rsplit(' ').next().unwrap_or("").to_lowercase();
            matches!(
                word.as_str(),
                "in" | "an"
                    | "auf"
                    | "mit"
                    | "von"
                    | "zu"
                    | "bei"
                    | "nach"
                    | "aus"
                    | "seit"
                    | "vor"
                    | "ab"
                    | "neben"
                    | "hinter"
                    | "unter"
            )
        });
        let dative = governed || dates::is_dative(&before);
        // "vom 1.–3. Mai"
        let range = ['–', '-']
            .into_iter()
            .find_map(|dash| rest[1..].strip_prefix(dash).map(|next| (dash, next)))
            .filter(|(_, next)| run(next) > 0 && next[run(next)..].starts_with('.'));
        if let Some((dash, _)) = range {
            let Some(words) = (self.rules.ordinal)(number, if dative { ".n" } else { "." }) else {
                return false;
            };
            let words = format!("{words} {}", self.rules.words.to);
            self.say(&words, len + 1 + dash.len_utf8());
            return true;
        }
        let cued = dative
            || matches!(
                before.as_str(),
                "der" | "die" | "das" | "zur" | "jeder" | "jede" | "jedes" | "ein" | "eine"
            );
        let lower = rest
            .strip_prefix(". ")
            .is_some_and(|next| next.starts_with(char::is_lowercase));
        let century = rest
            .strip_prefix(". ")
            .is_some_and(|next| next.starts_with("Jh") || next.starts_with("Jahrhundert"));
        if !follows || !(cued || lower || century) {
            return false;
        }
        let suffix = match (dative, cued || lower) {
            (true, _) => ".n",
            (_, true) => ".",
            _ => "tes",
        };
        let Some(words) = (self.rules.ordinal)(number, suffix) else {
            return false;
        };
        self.say(&words, len + 1);
        true
    }

    fn percentage(&mut self, numeral: &Numeral, rest: &str) -> bool {
        let (before, after) = self.rules.words.percent;
        let (next, space) = after_space(rest);
        let sign = next.chars().next().filter(|c| matches!(c, '%' | '‰' | '％'));
        let Some(sign) = sign.filter(|sign| *sign == '‰' || !(before.is_empty() && after.is_empty())) else {
            return false;
        };
        if self.unit_at(next, space > 0).is_some() {
            return false;
        }
        let one = if self.language == Language::German {
            Agreement::Masculine
        } else {
            Agreement::Alone
        };
        let number = self.plain(numeral, one);
        let gap = self.rules.space;
        let words = match (sign, before) {
            ('‰', _) if gap.is_empty() => format!("{}{number}", self.rules.words.permille),
            ('‰', _) => format!("{number}{gap}{}", self.rules.words.permille),
            (_, "") => format!("{number}{gap}{after}"),
            _ => format!("{before}{number}"),
        };
        self.say(&words, numeral.len + space + sign.len_utf8());
        // "20%ige": one word
        if self.language == Language::German && self.rest().starts_with("ig") {
            self.loose = false;
        }
        true
    }

    /// The unit whose symbol `text` begins with, and the symbol's length. Case tells units apart (mW and MW), but where no
    /// symbol fits as it is written, one of at least two letters may be in the other case ("KG", "kwh").
    pub(super) fn unit_at(&self, text: &str, spaced: bool) -> Option<(&'static Unit, usize)> {
        self.unit_spelt(text, spaced, true).or_else(|| {
            let latin = text.as_bytes().iter().take_while(|b| b.is_ascii_alphabetic()).count();
            ((2..=4).contains(&latin) && text.as_bytes()[..latin] != *b"am" && text.as_bytes()[..latin] != *b"AM")
                .then(|| self.unit_spelt(text, spaced, false))
                .flatten()
                .filter(|(_, len)| *len >= 2)
        })
    }

    fn unit_spelt(&self, text: &str, spaced: bool, exact: bool) -> Option<(&'static Unit, usize)> {
        let mut best: Option<(&Unit, usize)> = None;
        for unit in self.rules.units {
            for symbol in unit.symbols.split(' ') {
                let head = text.get(..symbol.len());
                let fits = head.is_some_and(|head| head == symbol || !exact && head.eq_ignore_ascii_case(symbol));
                // "2 x 4" is a product.
                if !fits || spaced && symbol == "x" {
                    continue;
                }
                let after = &text[symbol.len()..];
                let ends_in_letter = symbol.ends_with(char::is_alphabetic);
                let cut = ends_in_letter
                    && (after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '\'')
                        || after.starts_with(char::is_alphabetic) && !(symbol.is_ascii() && self.latin_is_foreign()));
                // "5 m-long" is one, "5 t-shirts" is none; "5 s" after a space may be anything.
                let joined = ends_in_letter
                    && symbol.chars().count() == 1
                    && spaced
                    && after.starts_with(['-', '.', '/'])
                    && after[1..].starts_with(char::is_alphabetic);
                if !cut && !joined && best.is_none_or(|(_, len)| symbol.len() > len) {
                    best = Some((unit, symbol.len()));
                }
            }
        }
        best
    }
}
