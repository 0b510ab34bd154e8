//! The few words around what was computed, in twelve languages.

use quartet_api::Language;

use super::engine::Problem;

/// A weekday and its date.
pub(super) fn date(weekday: &str, date: &str, language: Language) -> String {
    match language {
        Language::French | Language::Italian | Language::Arabic => format!("{weekday} {date}"),
        Language::Japanese => format!("{date}({weekday})"),
        Language::Chinese => format!("{date}，{weekday}"),
        Language::Korean => format!("{date} {weekday}"),
        _ => format!("{weekday}, {date}"),
    }
}

/// So many days.
pub(super) fn days(count: i64, language: Language) -> String {
    let one = count.abs() == 1;
    let word = match language {
        Language::English => {
            if one {
                "day"
            } else {
                "days"
            }
        }
        Language::Spanish => {
            if one {
                "día"
            } else {
                "días"
            }
        }
        Language::French => {
            if one {
                "jour"
            } else {
                "jours"
            }
        }
        Language::German => {
            if one {
                "Tag"
            } else {
                "Tage"
            }
        }
        Language::Italian => {
            if one {
                "giorno"
            } else {
                "giorni"
            }
        }
        Language::Portuguese => {
            if one {
                "dia"
            } else {
                "dias"
            }
        }
        Language::Russian => match (count.abs() % 10, count.abs() % 100) {
            (_, 11..=14) => "дней",
            (1, _) => "день",
            (2..=4, _) => "дня",
            _ => "дней",
        },
        Language::Japanese => return format!("{count}日"),
        Language::Chinese => return format!("{count}天"),
        Language::Korean => return format!("{count}일"),
        Language::Arabic => {
            if (3..=10).contains(&(count.abs() % 100)) {
                "أيام"
            } else {
                "يوم"
            }
        }
        Language::Hindi => "दिन",
    };
    format!("{count} {word}")
}

/// Yes or no.
pub(super) fn yes(yes: bool, language: Language) -> &'static str {
    let (affirmed, denied) = match language {
        Language::English => ("yes", "no"),
        Language::Spanish => ("sí", "no"),
        Language::French => ("oui", "non"),
        Language::German => ("ja", "nein"),
        Language::Italian => ("sì", "no"),
        Language::Portuguese => ("sim", "não"),
        Language::Russian => ("да", "нет"),
        Language::Japanese => ("はい", "いいえ"),
        Language::Chinese => ("是", "不是"),
        Language::Korean => ("예", "아니요"),
        Language::Arabic => ("نعم", "لا"),
        Language::Hindi => ("हाँ", "नहीं"),
    };
    if yes { affirmed } else { denied }
}

/// Why an expression has no value.
pub(super) fn problem(expression: &str, problem: Problem, language: Language) -> String {
    let zero = problem == Problem::DivisionByZero;
    let reason = match language {
        Language::English => {
            if zero {
                "division by zero has no result"
            } else {
                "the number is too large to be computed here"
            }
        }
        Language::Spanish => {
            if zero {
                "la división por cero no tiene resultado"
            } else {
                "el número es demasiado grande para calcularlo aquí"
            }
        }
        Language::French => {
            if zero {
                "la division par zéro n'a pas de résultat"
            } else {
                "le nombre est trop grand pour être calculé ici"
            }
        }
        Language::German => {
            if zero {
                "die Division durch null hat kein Ergebnis"
            } else {
                "die Zahl ist zu groß, um hier berechnet zu werden"
            }
        }
        Language::Italian => {
            if zero {
                "la divisione per zero non ha risultato"
            } else {
                "il numero è troppo grande per essere calcolato qui"
            }
        }
        Language::Portuguese => {
            if zero {
                "a divisão por zero não tem resultado"
            } else {
                "o número é grande demais para ser calculado aqui"
            }
        }
        Language::Russian => {
            if zero {
                "деление на ноль не имеет результата"
            } else {
                "число слишком велико, чтобы вычислить его здесь"
            }
        }
        Language::Japanese => {
            if zero {
                "ゼロで割ることはできません"
            } else {
                "数が大きすぎて計算できません"
            }
        }
        Language::Chinese => {
            if zero {
                "除以零没有结果"
            } else {
                "数字太大，无法在此计算"
            }
        }
        Language::Korean => {
            if zero {
                "0으로 나눌 수 없습니다"
            } else {
                "수가 너무 커서 계산할 수 없습니다"
            }
        }
        Language::Arabic => {
            if zero {
                "لا نتيجة للقسمة على صفر"
            } else {
                "العدد أكبر من أن يُحسب هنا"
            }
        }
        Language::Hindi => {
            if zero {
                "शून्य से भाग का कोई परिणाम नहीं होता"
            } else {
                "संख्या इतनी बड़ी है कि यहाँ गणना नहीं हो सकती"
            }
        }
    };
    format!("{expression}: {reason}")
}

#[cfg(test)]
mod golden {
    use super::*;
    use crate::calculate::calendar;

    /// Every sentence in every language, as it was when the sentences stood in the code.
    #[test]
    fn sentences_are_as_they_were() {
        let mut all = String::new();
        for language in Language::ALL {
            let mut line = |text: String| all.push_str(&format!("{}\t{text}\n", language.code()));
            for count in [
                -21, -5, -3, -1, 0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 14, 15, 19, 20, 21, 22, 25, 99, 100, 101, 103, 111,
                112, 121, 1001, 365, 366,
            ] {
                line(days(count, language));
            }
            line(yes(true, language).to_owned());
            line(yes(false, language).to_owned());
            line(problem("1 {reason} {weekday}", Problem::DivisionByZero, language));
            line(problem("1", Problem::TooLarge, language));
            line(problem("1", Problem::Invalid, language));
            line(date("{date}", "{weekday}", language));
            for month in 1..=12 {
                let day = jiff::civil::Date::new(2023 + i16::from(month), month, 2 * month).unwrap();
                line(date(
                    &calendar::weekday(day, language),
                    &calendar::date(day, language),
                    language,
                ));
            }
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/calculate/messages.golden");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, &all).unwrap();
        }
        assert_eq!(all, std::fs::read_to_string(path).unwrap());
    }
}
