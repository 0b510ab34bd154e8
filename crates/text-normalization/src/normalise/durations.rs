//! Durations whose parts stand side by side: "1h 30m", "5m30s", "2h15". An "m" is minutes there and no metres.

use super::numerals::run;
use super::{Scanner, after_space, begins_word};

/// The letters of the parts, and the symbol that tables of units have for each.
const PARTS: [(&[&str], &str); 3] = [(&["h"], "h"), (&["min", "mn", "m"], "min"), (&["sec", "s"], "s")];

impl Scanner<'_> {
    /// Says a duration of at least two parts, each smaller than the one before; false where there is none.
    pub(super) fn duration(&mut self) -> bool {
        let text = self.rest();
        let mut parts: Vec<(u64, &str)> = Vec::new();
        let (mut at, mut least) = (0, 0);
        loop {
            let digits = run(&text[at..]);
            let next = &text[at + digits..];
            let found = PARTS
                .iter()
                .enumerate()
                .skip(least)
                .find_map(|(place, (letters, symbol))| {
                    let letter = letters.iter().find(|letter| {
                        next.strip_prefix(**letter)
                            .is_some_and(|after| !after.starts_with(char::is_alphabetic))
                    })?;
                    Some((place, letter.len(), *symbol))
                });
            let (Some((place, len, symbol)), 1..=3) = (found, digits) else {
                break;
            };
            let Ok(count) = text[at..at + digits].parse() else {
                break;
            };
            parts.push((count, symbol));
            at += digits + len;
            least = place + 1;
            let (after, space) = after_space(&text[at..]);
            if !after.starts_with(|c: char| c.is_ascii_digit()) {
                break;
            }
            // Only if another part follows does the space belong to it.
            let more = run(after);
            if !PARTS[least.min(PARTS.len() - 1)..]
                .iter()
                .any(|(letters, _)| letters.iter().any(|letter| after[more..].starts_with(letter)))
                || least == PARTS.len()
            {
                break;
            }
            at += space;
        }
        if parts.len() < 2 || begins_word(&text[at..]) {
            return false;
        }
        let words: Option<Vec<String>> = parts
            .into_iter()
            .map(|(count, symbol)| {
                let unit = self.unit_at(symbol, false)?.0;
                let number = (self.rules.cardinal)(count, unit.gender);
                Some(format!(
                    "{number}{}{}",
                    self.rules.space,
                    unit.forms[(self.rules.form)(count)]
                ))
            })
            .collect();
        let Some(words) = words else { return false };
        self.say(&words.join(self.rules.space), at);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::normalise;
    use quartet_api::Language::{English, German, Spanish};

    #[test]
    fn parts_side_by_side_are_one_duration() {
        for (language, written, said) in [
            (English, "1h 30m", "one hour thirty minutes"),
            (English, "5m30s left", "five minutes thirty seconds left"),
            (English, "2h5m10s", "two hours five minutes ten seconds"),
            (English, "run 5 m", "run five metres"),
            (German, "1h 30min", "eine Stunde dreißig Minuten"),
            (Spanish, "12h02m00s", "doce horas dos minutos cero segundos"),
        ] {
            assert_eq!(normalise(written, language), said);
        }
    }
}
