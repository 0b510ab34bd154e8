//! Fractions and other numbers with a slash, versions and addresses of the internet.

use quartet_api::Language;

use super::super::languages::{Agreement, Unit, counted, digits, feminine, german_half, may_be_noun, pure_number};
use super::numerals::{Numeral, parse, run};
use super::{Scanner, after_space, begins_word, first_word};

impl Scanner<'_> {
    /// The Korean particle after a number in the form that the number's last sound asks for: 삼분의 이가, not 이이.
    fn particle(&mut self, words: &str) {
        const PARTICLES: [(char, char); 4] = [('이', '가'), ('은', '는'), ('을', '를'), ('과', '와')];
        let Some(next) = self.peek().filter(|_| self.language == Language::Korean) else {
            return;
        };
        let Some((closed, open)) = PARTICLES.iter().find(|(closed, open)| next == *closed || next == *open) else {
            return;
        };
        let after = self.rest()[next.len_utf8()..].chars().next();
        let last = words.chars().next_back().map_or(0, u32::from);
        if after.is_some_and(char::is_alphabetic) || !(0xac00..=0xd7a3).contains(&last) {
            return;
        }
        // A syllable has no final consonant where its number is a multiple of 28.
        let said = if (last - 0xac00).is_multiple_of(28) {
            open
        } else {
            closed
        };
        self.out.push(*said);
        self.at += next.len_utf8();
    }

    /// "24/7": all day, every day.
    pub(super) fn always(&mut self) -> bool {
        let Some(after) = self.rest().strip_prefix("24/7") else {
            return false;
        };
        if after.starts_with(|c: char| c.is_ascii_digit() || c == '/') || self.previous().is_some_and(|c| c == '/') {
            return false;
        }
        self.say(self.rules.words.always, 4);
        true
    }

    /// "50/50": the same to both.
    fn evenly(&mut self) -> bool {
        let Some(after) = self.rest().strip_prefix("50/50") else {
            return false;
        };
        if begins_word(after) || after.starts_with('/') {
            return false;
        }
        let fifty = (self.rules.cardinal)(50, Agreement::Alone);
        self.say(&format!("{fifty}{}{fifty}", self.rules.space), 5);
        true
    }

    /// A number and a half of something that is counted, where the half stands after it: "dos horas y media" for "2½ horas".
    pub(super) fn half_more(&mut self, numeral: &Numeral) -> bool {
        let (half, half_feminine) = match self.language {
            // It has words of its own for one and a half and two and a half.
            Language::Hindi => ("", ""),
            Language::French => ("et demi", "et demie"),
            Language::Spanish => ("y medio", "y media"),
            Language::Italian => ("e mezzo", "e mezza"),
            Language::Portuguese => ("e meio", "e meia"),
            _ => return false,
        };
        let Some(count) = numeral.whole().filter(|count| *count < 1000 && !numeral.grouped) else {
            return false;
        };
        let text = &self.rest()[numeral.len..];
        let Some(tail) = ["½", " ½", " 1/2"].iter().find_map(|half| text.strip_prefix(half)) else {
            return false;
        };
        if self.language == Language::Hindi {
            let len = self.rest().len() - tail.len();
            let words = self.and_part(count, 1, 2);
            self.say(&words, len);
            return true;
        }
        let (next, space) = after_space(tail);
        let (counted, feminine, len) = match self.unit_at(next, space > 0) {
            Some((unit, len)) => {
                let number = (self.rules.cardinal)(count, unit.gender);
                let noun = unit.forms[(self.rules.form)(count)];
                (format!("{number} {noun}"), unit.gender == Agreement::Feminine, len)
            }
            None => {
                let noun = first_word(next);
                if space == 0 || !may_be_noun(self.language, noun) {
                    return false;
                }
                // "1½ tazas": a plural is not what one is counted with.
                if count == 1 && is_plural(self.language, noun) {
                    let (gender, half) = match feminine(self.language, noun) {
                        true => (Agreement::Feminine, half_feminine),
                        false => (Agreement::Masculine, half),
                    };
                    let number = (self.rules.cardinal)(1, gender);
                    let len = self.rest().len() - tail.len();
                    self.say(&format!("{number} {half}"), len);
                    return true;
                }
                let number = counted(self.language, count, &self.previous_word(), next);
                let number = number.unwrap_or_else(|| ((self.rules.cardinal)(count, Agreement::Alone), 0));
                let words = match number {
                    (words, 0) => format!("{words} {noun}"),
                    (words, _) => words,
                };
                (words, feminine(self.language, noun), noun.len())
            }
        };
        let half = if feminine { half_feminine } else { half };
        let len = self.rest().len() - next.len() + len;
        self.say(&format!("{counted} {half}"), len);
        true
    }

    /// A part of a unit: "half a kilogram", "trois quarts d'heure".
    pub(super) fn part_of(&self, numerator: u64, denominator: u64, unit: &Unit) -> Option<String> {
        let part = (self.rules.part)(numerator, denominator)?;
        let half = (numerator, denominator) == (1, 2);
        let [one, few, many] = unit.forms;
        let feminine = unit.gender == Agreement::Feminine;
        let vowel =
            one.starts_with(['a', 'e', 'é', 'i', 'o', 'u']) || one.starts_with("heure") || one.starts_with("hour");
        Some(match self.language {
            Language::English => {
                let article = if vowel { "an" } else { "a" };
                let part = if half { "half".to_owned() } else { format!("{part} of") };
                format!("{part} {article} {one}")
            }
            Language::German if half => format!("{} {one}", german_half(one).unwrap_or("ein halbes")),
            Language::German => format!("{part} {one}"),
            Language::French if half => format!("{} {one}", if feminine { "une demi" } else { "un demi" }),
            Language::French => format!("{part} {}{one}", if vowel { "d'" } else { "de " }),
            Language::Spanish if half => format!("{} {one}", if feminine { "media" } else { "medio" }),
            Language::Portuguese if half => format!("{} {one}", if feminine { "meia" } else { "meio" }),
            Language::Spanish | Language::Portuguese => format!("{part} de {one}"),
            Language::Italian if half => format!("{} {one}", if feminine { "mezza" } else { "mezzo" }),
            Language::Italian => format!("{part} {}{one}", if vowel { "d'" } else { "di " }),
            Language::Russian if half => format!("половина {few}"),
            Language::Russian => format!("{part} {few}"),
            _ => format!("{part}{}{many}", self.rules.space),
        })
    }

    /// The half of what a noun names, in the languages in which it agrees with it: "media hora", "mezzo litro".
    pub(super) fn half_of(&self, next: &str) -> Option<&'static str> {
        let noun = first_word(next);
        let (masculine_half, feminine_half) = match self.language {
            Language::German => return german_half(next),
            Language::English => {
                const MEASURES: &str = "cup hour teaspoon tablespoon mile pint gallon litre liter pound inch foot day year month week \
                    dozen page minute second metre meter kilo ton tonne acre bottle glass slice pack spoon";
                let known = MEASURES.split_ascii_whitespace().any(|measure| measure == noun);
                let article = if noun == "hour" || noun == "inch" || noun == "acre" {
                    "half an"
                } else {
                    "half a"
                };
                return known.then_some(article);
            }
            Language::French => ("un demi", "une demi"),
            Language::Spanish => ("medio", "media"),
            Language::Italian => ("mezzo", "mezza"),
            Language::Portuguese => ("meio", "meia"),
            _ => return None,
        };
        may_be_noun(self.language, noun).then(|| match feminine(self.language, noun) {
            true => feminine_half,
            false => masculine_half,
        })
    }

    /// A whole number and a fraction: "3 1/2", "2 3/4".
    pub(super) fn mixed(&mut self, numeral: &Numeral) -> bool {
        let Some(count) = numeral.whole().filter(|count| *count < 1000 && !numeral.grouped) else {
            return false;
        };
        let Some(text) = self.rest()[numeral.len..].strip_prefix(' ') else {
            return false;
        };
        let first = run(text);
        let Some(after) = text[first..].strip_prefix('/') else {
            return false;
        };
        let second = run(after);
        let tail = &after[second..];
        if !(1..=2).contains(&first) || !(1..=4).contains(&second) || tail.starts_with('/') || self.joins(tail) {
            return false;
        }
        let (Ok(numerator), Ok(denominator)) = (text[..first].parse(), after[..second].parse()) else {
            return false;
        };
        let words = self.and_part(count, numerator, denominator);
        self.say(&words, numeral.len + 1 + first + 1 + second);
        true
    }

    /// A number and a part: "three and a half".
    pub(super) fn and_part(&self, count: u64, numerator: u64, denominator: u64) -> String {
        let number = (self.rules.cardinal)(count, Agreement::Alone);
        let part = (self.rules.part)(numerator, denominator).unwrap_or_else(|| {
            let name = |number| (self.rules.cardinal)(number, Agreement::Alone);
            format!("{} {} {}", name(numerator), self.rules.words.over, name(denominator))
        });
        let and = self.rules.words.and;
        let half = (numerator, denominator) == (1, 2);
        match self.language {
            Language::English if half => format!("{number} and a half"),
            Language::English if (numerator, denominator) == (1, 4) => format!("{number} and a quarter"),
            Language::German if half => {
                format!("{}einhalb", (self.rules.cardinal)(count, Agreement::Masculine))
            }
            Language::French if half => format!("{number} et demi"),
            Language::Spanish if half => format!("{number} y medio"),
            Language::Italian if half => format!("{number} e mezzo"),
            Language::Portuguese if half => format!("{number} e meio"),
            Language::Russian if half => format!("{number} с половиной"),
            Language::Hindi if half && count == 1 => "डेढ़".into(),
            Language::Hindi if half && count == 2 => "ढाई".into(),
            Language::Hindi if half => format!("साढ़े {number}"),
            Language::Chinese => format!("{number}又{part}"),
            Language::Japanese => format!("{number}と{part}"),
            Language::Korean => format!("{number}과 {part}"),
            _ => format!("{number} {and} {part}"),
        }
    }

    /// Returns true if `tail` goes on with letters or digits that belong to the number before it: in scripts without spaces,
    /// only Latin ones.
    fn joins(&self, tail: &str) -> bool {
        if self.latin_is_foreign() {
            tail.starts_with(|c: char| c.is_ascii_alphanumeric())
        } else {
            begins_word(tail)
        }
    }

    /// Fractions ("1/2", "3/4"); other pairs are read over each other.
    pub(super) fn part(&mut self) -> bool {
        if self.evenly() {
            return true;
        }
        let text = self.rest();
        let first = run(text);
        let Some(after) = text[first..].strip_prefix('/') else {
            return false;
        };
        let second = run(after);
        let tail = &after[second..];
        let (next, space) = after_space(tail);
        let unit = self.unit_at(next, space > 0);
        let named_later = unit.is_some() && space == 0;
        if second == 0 || first > 18 || second > 9 || tail.starts_with('/') || self.joins(tail) && !named_later {
            return false;
        }
        let (Ok(numerator), Ok(denominator)) = (text[..first].parse::<u64>(), after[..second].parse::<u64>()) else {
            return false;
        };
        // The attacks of 2001.
        if (numerator, denominator) == (9, 11) && self.language == Language::English {
            self.say("nine eleven", first + 1 + second);
            return true;
        }
        let named = (numerator < denominator
            || denominator <= 10
            || matches!(self.language, Language::Chinese | Language::Japanese | Language::Korean))
        .then(|| (self.rules.part)(numerator, denominator))
        .flatten();
        if let Some((unit, len)) = unit
            && named.is_some()
            && let Some(words) = self.part_of(numerator, denominator, unit)
        {
            self.say(&words, first + 1 + second + space + len);
            return true;
        }
        let half = ((numerator, denominator) == (1, 2) && space > 0)
            .then(|| self.half_of(next))
            .flatten();
        let words = half.map(str::to_owned).or(named).unwrap_or_else(|| {
            let gap = self.rules.space;
            let name = |number| (self.rules.cardinal)(number, Agreement::Alone);
            format!(
                "{}{gap}{}{gap}{}",
                name(numerator),
                self.rules.words.over,
                name(denominator)
            )
        });
        self.say(&words, first + 1 + second);
        self.particle(&words);
        true
    }

    /// Versions and the like ("2.0.1", "192.168.0.1"): parts with points between.
    pub(super) fn version(&mut self) -> bool {
        let text = self.rest();
        let len = text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        let written = text[..len].trim_end_matches('.');
        let parts: Vec<&str> = written.split('.').collect();
        let grouped = parse(text, self.rules).is_some_and(|numeral| numeral.len >= written.len());
        if parts.len() < 3 || parts.iter().any(|part| part.is_empty()) || grouped {
            return false;
        }
        let gap = self.rules.space;
        // An address of the internet is read digit by digit, as it is dictated.
        let address = parts.len() == 4
            && parts.iter().all(|part| part.len() <= 3)
            && parts.iter().any(|part| part.len() == 3)
            && self.language != Language::Japanese;
        if address {
            let spoken: Vec<String> = parts
                .iter()
                .map(|part| digits(part, self.rules.cardinal, gap))
                .collect();
            let between = format!("{gap}{}{gap}", self.rules.words.dot);
            self.say(&spoken.join(&between), written.len());
            return true;
        }
        let spoken: Vec<String> = parts
            .iter()
            .map(|part| pure_number(part, Agreement::Alone, self.rules.cardinal, gap))
            .collect();
        self.say(
            &spoken.join(&format!("{gap}{}{gap}", self.rules.words.point)),
            written.len(),
        );
        true
    }
}

/// Returns true if a noun of French, Spanish, Portuguese or Italian is a plural by its ending.
fn is_plural(language: Language, noun: &str) -> bool {
    const SINGULAR: [&str; 6] = ["mes", "mês", "mese", "mois", "fois", "vez"];
    let ending: &[char] = if language == Language::Italian {
        &['e', 'i']
    } else {
        &['s']
    };
    noun.ends_with(ending) && !SINGULAR.contains(&noun)
}
