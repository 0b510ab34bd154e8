//! Questions in twelve languages with their answers, and questions that must be left to others.

use jiff::civil::date;

use super::*;

fn ask(question: &str, code: &str) -> Option<String> {
    let now = date(2026, 11, 21).at(13, 45, 0, 0);
    let language = code.parse().unwrap();
    Some(answer(question, language, Some(now))?.answer)
}

fn check(cases: &[(&str, &str, &str)]) {
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|(code, question, expected)| {
            let is = ask(question, code);
            (is.as_deref() != Some(*expected)).then(|| format!("{code} {question}: {is:?}, not {expected:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn arithmetic_in_twelve_languages() {
    check(&[
        ("en", "What is 12 times 12?", "12 × 12 = 144"),
        ("en", "What is 17 * 23 + 4?", "17 × 23 + 4 = 395"),
        ("en", "how much is 15% of 80", "15 % × 80 = 12"),
        ("en", "(2 + 3) * 4 =", "(2 + 3) × 4 = 20"),
        ("en", "What is the square root of 144?", "√144 = 12"),
        ("en", "What's two plus two?", "2 + 2 = 4"),
        ("en", "Calculate 2 to the power of 10", "2^10 = 1024"),
        ("en", "1,234.5 + 0.5", "1234.5 + 0.5 = 1235"),
        ("en", "What is 10 divided by 4?", "10 ÷ 4 = 2.5"),
        ("en", "What is 0.1 + 0.2?", "0.1 + 0.2 = 0.3"),
        ("en", "What is 5 / 0?", "5 ÷ 0: division by zero has no result"),
        (
            "en",
            "What is 9^9^9?",
            "9^9^9: the number is too large to be computed here",
        ),
        ("es", "¿Cuánto es 12 por 12?", "12 × 12 = 144"),
        ("es", "¿Cuál es la raíz cuadrada de 81?", "√81 = 9"),
        ("es", "¿Cuánto es el 15% de 80?", "15 % × 80 = 12"),
        ("fr", "Combien font 7 fois 8 ?", "7 × 8 = 56"),
        ("fr", "Combien fait 3,5 + 1,25 ?", "3,5 + 1,25 = 4,75"),
        ("de", "Was ist 1.234 mal 2?", "1234 × 2 = 2468"),
        ("de", "Wie viel sind 15 Prozent von 80?", "15 % × 80 = 12"),
        ("it", "Quanto fa 9 per 9?", "9 × 9 = 81"),
        ("pt", "Quanto é 100 dividido por 8?", "100 ÷ 8 = 12,5"),
        ("ru", "Сколько будет 12 умножить на 12?", "12 × 12 = 144"),
        ("ru", "Чему равен корень из 49?", "√49 = 7"),
        ("ja", "12かける12はいくつですか？", "12 × 12 = 144"),
        ("ja", "80の15%はいくつですか", "15 % × 80 = 12"),
        ("zh", "12乘以12等于多少？", "12 × 12 = 144"),
        ("zh", "三加五等于多少？", "3 + 5 = 8"),
        ("ko", "12 곱하기 12는 얼마인가요?", "12 × 12 = 144"),
        ("ar", "كم يساوي ١٢ ضرب ١٢؟", "12 × 12 = 144"),
        ("hi", "१२ गुणा १२ कितना होता है?", "12 × 12 = 144"),
    ]);
}

#[test]
fn units_in_twelve_languages() {
    check(&[
        ("en", "Convert 10 km to miles", "10 km ≈ 6.213712 miles"),
        ("en", "How many feet are in a mile?", "1 mile = 5280 feet"),
        (
            "en",
            "What is 100 degrees Fahrenheit in Celsius?",
            "100 degrees fahrenheit ≈ 37.77778 celsius",
        ),
        ("en", "How many seconds are in 3 days?", "3 days = 259200 seconds"),
        ("en", "What is -40 °C in °F?", "-40 °c = -40 °f"),
        ("es", "¿Cuántos metros son 3 millas?", "3 millas = 4828,032 metros"),
        (
            "fr",
            "Combien de grammes y a-t-il dans 2 kilogrammes ?",
            "2 kilogrammes = 2000 grammes",
        ),
        ("de", "Wie viele Meter sind 5 Meilen?", "5 meilen = 8046,72 meter"),
        ("it", "Quanti metri sono 2 chilometri?", "2 chilometri = 2000 metri"),
        ("pt", "Quantos litros são 5 galões?", "5 galões = 18,92705892 litros"),
        ("ru", "Сколько метров в 3 километрах?", "3 километрах = 3000 метров"),
        (
            "ja",
            "10キロメートルは何マイルですか？",
            "10 キロメートル ≈ 6.213712 マイル",
        ),
        ("zh", "10公里是多少英里？", "10 公里 ≈ 6.213712 英里"),
        ("ko", "10킬로미터는 몇 마일인가요?", "10 킬로미터 ≈ 6.213712 마일"),
        ("ar", "كم متر في 3 كيلومترات؟", "3 كيلومترات = 3000 متر"),
        ("hi", "5 किलोमीटर में कितने मीटर होते हैं?", "5 किलोमीटर = 5000 मीटर"),
    ]);
}

#[test]
fn dates_in_twelve_languages() {
    check(&[
        ("en", "What day is it today?", "Saturday, 21 November 2026"),
        ("en", "What's the date?", "Saturday, 21 November 2026"),
        ("en", "What time is it?", "13:45 UTC"),
        ("en", "What day of the week was July 14, 1789?", "Tuesday, 14 July 1789"),
        (
            "en",
            "How many days until December 25?",
            "21 November 2026 → 25 December 2026: 34 days",
        ),
        (
            "en",
            "How many days are there between 2024-01-01 and 2024-12-31?",
            "1 January 2024 → 31 December 2024: 365 days",
        ),
        (
            "en",
            "What date is 90 days from today?",
            "21 November 2026 + 90 d = Friday, 19 February 2027",
        ),
        ("en", "Is 2024 a leap year?", "2024: yes, 366 days"),
        ("en", "Was 1900 a leap year?", "1900: no, 365 days"),
        (
            "es",
            "¿Qué día de la semana fue el 14 de julio de 1789?",
            "martes, 14 de julio de 1789",
        ),
        (
            "fr",
            "Quel jour de la semaine était le 14 juillet 1789 ?",
            "mardi 14 juillet 1789",
        ),
        (
            "de",
            "Welcher Wochentag war der 14. Juli 1789?",
            "Dienstag, 14. Juli 1789",
        ),
        ("de", "Welcher Tag ist heute?", "Samstag, 21. November 2026"),
        (
            "it",
            "Che giorno della settimana era il 14 luglio 1789?",
            "martedì 14 luglio 1789",
        ),
        (
            "pt",
            "Que dia da semana foi 14 de julho de 1789?",
            "terça-feira, 14 de julho de 1789",
        ),
        (
            "ru",
            "Какой день недели был 14 июля 1789 года?",
            "вторник, 14 июля 1789 г.",
        ),
        ("ja", "1789年7月14日は何曜日でしたか？", "1789年7月14日(火曜日)"),
        ("ja", "今日は何曜日ですか？", "2026年11月21日(土曜日)"),
        ("zh", "1789年7月14日是星期几？", "1789年7月14日，星期二"),
        ("zh", "今天是星期几？", "2026年11月21日，星期六"),
        ("ko", "1789년 7월 14일은 무슨 요일이었나요?", "1789년 7월 14일 화요일"),
        ("ar", "ما هو اليوم؟", "السبت 21 نوفمبر 2026"),
        ("hi", "आज कौन सा दिन है?", "शनिवार, 21 नवंबर 2026"),
    ]);
}

#[test]
fn what_merely_has_numbers_in_it_is_left_to_others() {
    for (code, question) in [
        ("en", "Hello"),
        ("en", "What is the capital of France?"),
        ("en", "Who won the 1998 World Cup?"),
        ("en", "What happened on July 14, 1789?"),
        ("en", "24/7"),
        ("en", "555-1234"),
        ("en", "What is 100 + 10%?"),
        ("en", "If I have 3 apples and buy 5 more, how many do I have?"),
        ("en", "How many days does it take to walk 100 km?"),
        ("en", "What is 10?"),
        ("en", "How many kilometers are in 3 hours?"),
        ("en", "03/04/2024 is what day of the week?"),
        ("en", "Version 1.2.3"),
        ("de", "Was ist ein Meter?"),
        ("de", "Wie viele Tage hat ein Jahr?"),
        ("fr", "Combien de temps dure un vol de 500 km ?"),
        ("es", "¿Qué es la vida?"),
        ("it", "Che cosa è successo nel 1492?"),
        ("ru", "Что такое 7 чудес света?"),
        ("ja", "富士山は何メートルですか？"),
        ("zh", "中国有多少人口？"),
        ("ko", "한국의 수도는 어디인가요?"),
        ("en", "What is the date of the French Revolution?"),
        ("en", "What day is Christmas?"),
    ] {
        assert_eq!(ask(question, code), None, "{question}");
    }
}

#[test]
fn without_a_clock_only_what_needs_none_is_answered() {
    assert_eq!(answer("What day is it today?", Language::English, None), None);
    assert_eq!(
        answer("How many days until December 25?", Language::English, None),
        None
    );
    assert!(answer("What is 2 + 2?", Language::English, None).is_some());
}
