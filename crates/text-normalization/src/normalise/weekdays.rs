//! Ranges of days of the week in short forms, as opening hours have them: "Mon–Fri 9–5", "пн-пт".

use quartet_api::Language;

use super::{Scanner, is_mark};

/// Monday to Sunday: short forms in small letters, joined by "|" where there are several, and what is said of them as the
/// first and as the last day of a range.
type Days = [(&'static str, &'static str, &'static str); 7];

const ENGLISH: Days = [
    ("mon", "Monday", "Monday"),
    ("tue|tues", "Tuesday", "Tuesday"),
    ("wed", "Wednesday", "Wednesday"),
    ("thu|thur|thurs", "Thursday", "Thursday"),
    ("fri", "Friday", "Friday"),
    ("sat", "Saturday", "Saturday"),
    ("sun", "Sunday", "Sunday"),
];
const GERMAN: Days = [
    ("mo", "Montag", "Montag"),
    ("di", "Dienstag", "Dienstag"),
    ("mi", "Mittwoch", "Mittwoch"),
    ("do", "Donnerstag", "Donnerstag"),
    ("fr", "Freitag", "Freitag"),
    ("sa", "Samstag", "Samstag"),
    ("so", "Sonntag", "Sonntag"),
];
const FRENCH: Days = [
    ("lun", "lundi", "lundi"),
    ("mar", "mardi", "mardi"),
    ("mer", "mercredi", "mercredi"),
    ("jeu", "jeudi", "jeudi"),
    ("ven", "vendredi", "vendredi"),
    ("sam", "samedi", "samedi"),
    ("dim", "dimanche", "dimanche"),
];
const SPANISH: Days = [
    ("lun", "lunes", "lunes"),
    ("mar", "martes", "martes"),
    ("mié|mie", "miércoles", "miércoles"),
    ("jue", "jueves", "jueves"),
    ("vie", "viernes", "viernes"),
    ("sáb|sab", "sábado", "sábado"),
    ("dom", "domingo", "domingo"),
];
const ITALIAN: Days = [
    ("lun", "lunedì", "lunedì"),
    ("mar", "martedì", "martedì"),
    ("mer", "mercoledì", "mercoledì"),
    ("gio", "giovedì", "giovedì"),
    ("ven", "venerdì", "venerdì"),
    ("sab", "sabato", "sabato"),
    ("dom", "domenica", "domenica"),
];
const PORTUGUESE: Days = [
    ("seg", "segunda", "segunda"),
    ("ter", "terça", "terça"),
    ("qua", "quarta", "quarta"),
    ("qui", "quinta", "quinta"),
    ("sex", "sexta", "sexta"),
    ("sáb|sab", "sábado", "sábado"),
    ("dom", "domingo", "domingo"),
];
const RUSSIAN: Days = [
    ("пн", "с понедельника", "понедельник"),
    ("вт", "со вторника", "вторник"),
    ("ср", "со среды", "среду"),
    ("чт", "с четверга", "четверг"),
    ("пт", "с пятницы", "пятницу"),
    ("сб", "с субботы", "субботу"),
    ("вс", "с воскресенья", "воскресенье"),
];

const HINDI: Days = [
    ("सोम", "सोमवार", "सोमवार"),
    ("मंगल", "मंगलवार", "मंगलवार"),
    ("बुध", "बुधवार", "बुधवार"),
    ("गुरु|गुरू", "गुरुवार", "गुरुवार"),
    ("शुक्र", "शुक्रवार", "शुक्रवार"),
    ("शनि", "शनिवार", "शनिवार"),
    ("रवि", "रविवार", "रविवार"),
];

/// The longest short form, in bytes.
const MAX_BYTES: usize = 24;

/// The days of a language, and the word between two of them.
fn days_of(language: Language, to: &'static str) -> Option<(&'static Days, &'static str)> {
    Some(match language {
        Language::English => (&ENGLISH, to),
        Language::German => (&GERMAN, to),
        Language::French => (&FRENCH, to),
        Language::Spanish => (&SPANISH, to),
        Language::Italian => (&ITALIAN, to),
        Language::Portuguese => (&PORTUGUESE, to),
        Language::Russian => (&RUSSIAN, "по"),
        Language::Hindi => (&HINDI, to),
        _ => return None,
    })
}

impl Scanner<'_> {
    /// Says a range of days that `word` begins; false where it begins none.
    pub(super) fn weekdays(&mut self, word: &str) -> bool {
        let Some((days, to)) = days_of(self.language, self.rules.words.to) else {
            return false;
        };
        let day = |word: &str| {
            // "so-so", "sat-in": in small letters they are words of English and German.
            let capital = word.starts_with(char::is_uppercase);
            let needed = matches!(self.language, Language::English | Language::German);
            let lower = word.to_lowercase();
            days.iter()
                .position(|(short, ..)| short.split('|').any(|short| short == lower))
                .filter(|_| capital || !needed)
        };
        let Some(first) = (word.len() <= MAX_BYTES).then(|| day(word)).flatten() else {
            return false;
        };
        let rest = self.rest();
        let after = rest[word.len()..].strip_prefix('.').unwrap_or(&rest[word.len()..]);
        let Some(after) = after.trim_start_matches(' ').strip_prefix(['-', '–', '—']) else {
            return false;
        };
        let after = after.trim_start_matches(' ');
        let end = after
            .find(|c: char| !(c.is_alphabetic() || is_mark(c)))
            .unwrap_or(after.len());
        let Some(last) = (end <= MAX_BYTES)
            .then(|| day(&after[..end]))
            .flatten()
            .filter(|last| *last != first)
        else {
            return false;
        };
        let tail = &after[end..];
        // A full stop in front of more belongs to the short form.
        let dot = usize::from(
            tail.strip_prefix('.')
                .is_some_and(|next| next.trim_start().starts_with(|c: char| !c.is_uppercase())),
        );
        if tail.starts_with(['-', '\'']) {
            return false;
        }
        let len = rest.len() - tail.len() + dot;
        self.say(&format!("{} {to} {}", days[first].1, days[last].2), len);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::normalise;
    use quartet_api::Language::{English, French, German, Portuguese, Russian};

    #[test]
    fn ranges_of_days_are_said_in_full() {
        for (language, written, said) in [
            (English, "Mon–Fri 9–5", "Monday to Friday nine to five"),
            (English, "Sat. - Sun.", "Saturday to Sunday."),
            (English, "a sat-in and Sun-Times", "a sat-in and Sun-Times"),
            (German, "Mo-Fr, so-so", "Montag bis Freitag, so-so"),
            (
                French,
                "lun.-ven. 9h-17h",
                "lundi à vendredi neuf heures à dix-sept heures",
            ),
            (Portuguese, "seg.-sex.", "segunda a sexta."),
            (Russian, "пн-пт", "с понедельника по пятницу"),
        ] {
            assert_eq!(normalise(written, language), said);
        }
    }
}
