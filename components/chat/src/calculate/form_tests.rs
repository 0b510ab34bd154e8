//! Questions whose form says what is meant: sides, rates, ordinals, clock times in words, periods, discounts, change and temperatures,
//! as a model writes them well or badly, in twelve languages.

use jiff::civil::date;
use quartet_llm_client::scripted::Scripted;

use super::*;

/// The answer to a question that a model writes as `expression`.
fn with_model(question: &str, code: &str, expression: &str) -> Option<String> {
    let model = Scripted::new([format!("\"{expression}\"").as_str()]);
    let now = Some(date(2026, 11, 21).at(13, 45, 0, 0));
    let understood = understand(question, code.parse().unwrap(), now, &model, 1_000);
    Some(understood.computed?.answer)
}

/// The answer to a question of whose expression a model is as sure as `probability`.
fn with_sure_model(question: &str, code: &str, expression: &str, probability: f32) -> Option<String> {
    let mut model = Scripted::new([format!("\"{expression}\"").as_str()]);
    model.probability = Some(probability);
    let now = Some(date(2026, 11, 21).at(13, 45, 0, 0));
    let understood = understand(question, code.parse().unwrap(), now, &model, 1_000);
    Some(understood.computed?.answer)
}

fn assert_answers(cases: &[(&str, &str, &str, &str)]) {
    for (code, question, expression, expected) in cases {
        let answer = with_model(question, code, expression);
        assert_eq!(answer.as_deref(), Some(*expected), "{question} {expression}");
    }
}

fn assert_left(cases: &[(&str, &str, &str)]) {
    for (code, question, expression) in cases {
        assert_eq!(with_model(question, code, expression), None, "{question} {expression}");
    }
}

#[test]
fn an_age_is_that_of_the_date_of_the_question() {
    let answer = |written| with_model("How old is someone born on 5 May 1990?", "en", written);
    for written in ["years 1990-05-03 to today", "years 1990-05-05 to today"] {
        assert!(
            answer(written).is_some_and(|answer| answer.starts_with("5 May 1990") && answer.ends_with(" 36 years"))
        );
    }
}

#[test]
fn a_year_may_be_that_of_two_dates() {
    for (code, question, written, expected) in [
        (
            "fr",
            "Combien de jours entre le 3 mars et le 17 mai 2026 ?",
            "days 03-03 to 05-17",
            Some("75"),
        ),
        (
            "en",
            "How long is it from July 4 to November 11, 2027 in days?",
            "days 07-04 to 11-11",
            Some("130"),
        ),
        (
            "de",
            "Wie viele Tage sind es vom 24. Dezember bis zum 6. Januar 2028?",
            "days 12-24 to 01-06",
            Some("13"),
        ),
        (
            "zh",
            "2028年1月7日至2月11日有几天？",
            "days 2028-01-07 to 2028-02-11",
            Some("35"),
        ),
        (
            "ko",
            "5월 5일부터 2028년 6월 6일까지 며칠?",
            "days 05-05 to 2028-06-06",
            Some("32"),
        ),
        (
            "en",
            "How many working days are there from 4 May to 5 June 2028?",
            "days 05-04 to 06-05",
            None,
        ),
        (
            "en",
            "How many Mondays are there between 4 May and 5 June 2028?",
            "days 05-04 to 06-05",
            None,
        ),
    ] {
        let answer = with_model(question, code, written);
        let is_expected = match (&answer, expected) {
            (Some(answer), Some(days)) => answer.split(|c: char| !c.is_ascii_digit()).any(|number| number == days),
            (answer, expected) => answer.is_none() && expected.is_none(),
        };
        assert!(is_expected, "{question}: {answer:?}");
    }
}

#[test]
fn sides_are_multiplied_whatever_the_model_writes() {
    assert_answers(&[
        (
            "en",
            "a floor of 4.20 m by 3.75 m, how many square metres?",
            "convert 4.20 m 3.75 m to m^2",
            "4.2 m × 3.75 m = 15.75 square metres",
        ),
        (
            "de",
            "wie viel Quadratmeter hat ein Zimmer von 4,20 m mal 3,75 m?",
            "calc 4.20 * 3.75",
            "4,2 m × 3,75 m = 15,75 Quadratmeter",
        ),
        (
            "en",
            "What is the area of a room of 12 feet by 10 feet in square metres?",
            "calc 12 * 10",
            "12 feet × 10 feet = 11.1483648 square metres",
        ),
        (
            "en",
            "How many litres does a box of 40 cm x 30 cm x 20 cm hold?",
            "calc 40 * 30 * 20",
            "40 cm × 30 cm × 20 cm = 24 litres",
        ),
        (
            "zh",
            "房间长4.20米宽3.75米，面积是多少平方米？",
            "calc 4.20 * 3.75",
            "4.2 米 × 3.75 米 = 15.75 平方米",
        ),
    ]);
    assert_left(&[
        ("en", "a floor of 4.20 m by 3.75 m, how many square metres?", "none"),
        (
            "en",
            "a triangle with sides of 4 m by 3 m, how many square metres?",
            "calc 4 * 3",
        ),
        (
            "en",
            "how many metres of fence for a garden of 4 m by 3 m?",
            "calc 4 * 3",
        ),
        (
            "en",
            "A pole of 4 m next to one of 3 m, how many square feet?",
            "calc 4 * 3",
        ),
        ("de", "Umfang eines Gartens von 4 m mal 3 m", "calc 4 * 3"),
    ]);
}

#[test]
fn units_of_one_kind_are_not_mixed() {
    assert_left(&[
        (
            "en",
            "5 kg of flour and 300 g of sugar, what do I carry?",
            "calc 5 + 300",
        ),
        ("de", "Wie viele cm sind 3 m und 2 m zusammen?", "calc 3 + 2"),
        (
            "en",
            "Ham is 12 € per kg with 2 for 350 g, what do I pay?",
            "calc 12 * 350 * 2",
        ),
        ("fr", "À 12 € le kilo, et 2 paquets de 350 g ?", "calc 12 * 2 * 350"),
        (
            "en",
            "I earn 20 € per hour, how much do I get for 3 hours 30 minutes and 2 breaks?",
            "calc 20 * 3 * 30 * 2",
        ),
    ]);
    assert_answers(&[(
        "en",
        "5 kg of flour and 3 kg of sugar, what do I carry?",
        "calc 5 + 3",
        "5 + 3 = 8",
    )]);
}

#[test]
fn exponents_and_degrees_are_those_of_the_question() {
    assert_answers(&[
        ("en", "What is 3 to the fifth power?", "calc 5 ^ 3", "3^5 = 243"),
        ("pt", "qual é a quinta potência de 2", "calc 2 * 5", "2^5 = 32"),
        ("en", "cube root of 27 please", "calc sqrt(27)", "∛27 = 3"),
        ("en", "2 to the power of 10", "calc 2 ^ 10", "2^10 = 1024"),
        ("en", "the 3rd power of 2", "calc 2 ^ 3", "2^3 = 8"),
        ("de", "Was ist 2 hoch 5?", "calc 2 ^ 5", "2^5 = 32"),
    ]);
    assert_left(&[
        ("en", "2 to the power of 10", "calc 10 ^ 2"),
        ("en", "the 3rd power of 2", "calc 3 ^ 2"),
        ("en", "10 plus the cube root of 27", "calc 10 + sqrt(27)"),
        ("en", "10 plus the cube root of 27", "calc 10 + 27"),
        ("en", "10 plus the square root of 27", "calc 10 + cbrt(27)"),
        ("en", "10 plus the third power of 5", "calc 10 + 3 ^ 5"),
    ]);
}

#[test]
fn clock_times_are_those_of_the_part_of_the_day() {
    assert_answers(&[
        (
            "en",
            "how long is it from quarter past nine in the morning to half past five in the afternoon",
            "hours 09:15 to 05:30",
            "09:15 → 17:30: 8 hours 15 minutes",
        ),
        (
            "es",
            "¿cuánto tiempo pasa de las nueve y cuarto a las cinco y media de la tarde?",
            "hours 09:15 to 17:30",
            "09:15 → 17:30: 8 horas 15 minutos",
        ),
        (
            "ja",
            "朝9時から夕方5時半まで何時間ですか",
            "hours 09:00 to 05:30",
            "09:00 → 17:30: 8 時間 30 分",
        ),
        (
            "de",
            "Von 9 Uhr morgens bis halb sechs abends mit 45 Minuten Pause, wie lange?",
            "hours 09:00 to 18:30 - 45 minutes",
            "09:00 → 17:30 − 45 Minuten: 7 Stunden 45 Minuten",
        ),
        (
            "en",
            "The film starts at half past eight in the evening and lasts 2 hours, when does it end?",
            "time 20:30 + 2 hours",
            "20:30 + 2 hours = 22:30",
        ),
    ]);
    assert_left(&[
        (
            "en",
            "how long is it from half past nine to quarter past five",
            "hours 09:30 to 17:15",
        ),
        (
            "it",
            "dalle 9:15 alle 18 con pausa di un'ora e un quarto, quante ore?",
            "hours 09:15 to 18:00 - 1 hours - 20 minutes",
        ),
        (
            "en",
            "I work from 9:30 to 5:15, how long is that?",
            "hours 09:30 to 05:15",
        ),
        ("en", "I work from 9 to 5, how long is that?", "hours 09:00 to 05:00"),
        (
            "en",
            "from 2 in the afternoon to half past five, how long?",
            "hours 14:00 to 17:30",
        ),
        (
            "en",
            "The film starts at 9 in the evening and lasts 2 hours, when does it end?",
            "time 09:00 + 2 hours",
        ),
        (
            "de",
            "Von 9 Uhr morgens bis halb sechs abends mit 45 Minuten Pause, wie lange?",
            "hours 09:00 to 17:30",
        ),
    ]);
}

#[test]
fn periods_lie_on_the_side_that_is_said() {
    assert_answers(&[
        (
            "en",
            "a two-year contract that starts on 15 March 2025, when does it end?",
            "date 2025-03-15 - 2 years",
            "15 March 2025 + 2 years = Monday, 15 March 2027. If the first day is counted, the last day is Sunday, 14 March 2027.",
        ),
        (
            "en",
            "What date is 6 weeks before 1 May 2026?",
            "date 2026-05-01 + 6 weeks",
            "1 May 2026 − 6 weeks = Friday, 20 March 2026",
        ),
        (
            "de",
            "Welches Datum ist 6 Wochen vor dem 1. Mai 2026?",
            "date 2026-05-01 - 42 days",
            "1. Mai 2026 − 6 Wochen = Freitag, 20. März 2026",
        ),
        (
            "en",
            "What date is it in 90 days?",
            "date today + 90 days",
            "21 November 2026 + 90 days = Friday, 19 February 2027",
        ),
    ]);
    assert_left(&[
        ("en", "What date is it in 90 days?", "date today - 90 days"),
        ("fr", "Quelle date était-ce il y a 90 jours ?", "date today + 90 days"),
        ("en", "What date is 10 working days after 1 May 2026?", "calc 10 + 1"),
        ("zh", "90天前是几号？", "date today + 90 days"),
    ]);
}

#[test]
fn discounts_in_tenths_are_not_taken_for_amounts() {
    assert_answers(&[
        (
            "zh",
            "原价200元的衣服打八五折是多少钱？",
            "calc 200 - 85",
            "200 × 85 % = 170 元",
        ),
        (
            "ja",
            "2000円の3割引はいくらですか",
            "calc 2000 - 3",
            "2000 - 30 % = 1400 円",
        ),
    ]);
    assert_left(&[
        ("zh", "打8折后是160元，原价多少？", "calc 160 - 8"),
        ("zh", "200元打8折，再减8元多少钱", "calc 200 - 8 - 8"),
        ("ja", "3割引で2100円でした。元の値段は？", "calc 2100 - 3"),
    ]);
}

#[test]
fn change_is_what_was_paid_without_the_price() {
    let question = "I bought 4 coffees at 3.20 each and gave a 20 euro note, what is my change?";
    assert_answers(&[
        ("en", question, "calc 4 * 3.20 - 20", "20 - 4 × 3.20 = 7.2"),
        ("en", question, "calc 20 - 4 * 3.20", "20 - 4 × 3.20 = 7.2"),
        (
            "de",
            "3 Brote zu 2,40 € und ich zahle mit einem 10 Euro Schein, wie viel Rückgeld bekomme ich?",
            "calc 3 * 2.40 - 10",
            "10 - 3 × 2,40 = 2,80 €",
        ),
        (
            "es",
            "Compro 2 libros de 7,50 euros y pago con 20 euros, ¿cuánto es el cambio?",
            "calc 20 - 2 * 7.50",
            "20 - 2 × 7,50 = 5 euros",
        ),
        (
            "ja",
            "380円の本を買って1000円払いました。お釣りは？",
            "calc 380 - 1000",
            "1000 - 380 = 620円",
        ),
    ]);
    assert_left(&[
        ("en", question, "calc 20 - 4 - 3.20"),
        ("en", question, "calc 20 * 4 - 3.20"),
        ("en", question, "calc 20 - 3.20"),
        (
            "en",
            "4 coffees at 3.20 and a 20 euro note, what is my change?",
            "calc 20 - 4 - 3.20",
        ),
        ("en", "4 coffees at 3.20, what is my change?", "calc 3.20 - 4"),
    ]);
}

#[test]
fn temperatures_and_speeds_are_put_together_soundly() {
    assert_answers(&[
        (
            "en",
            "I drive at 80 km/h for 2.5 hours, how far do I get?",
            "calc 80 * 2.5",
            "80 km/h × 2.5 hours = 200 km",
        ),
        (
            "en",
            "What is the difference between -3 °C and 5 °C?",
            "calc 5 - 3",
            "5 - (-3) = 8 °C",
        ),
        (
            "en",
            "What is the average of 12 °C, 15 °C and -3 °C?",
            "calc mean(12, 15, -3)",
            "(12 + 15 + -3) ÷ 3 = 8",
        ),
    ]);
    assert_left(&[
        (
            "en",
            "What is the average of 12 °C, 15 °C and -3 °C?",
            "calc mean(12, 15, 3)",
        ),
        ("en", "What is the average of 12 °C and 60 °F?", "calc mean(12, 60)"),
        ("en", "What is 12 °C times 3?", "calc 12 * 3"),
        ("en", "It was 12 °C and got 7 °C warmer, how warm is it?", "calc 12 + 7"),
        ("en", "80 km/h and 100 km/h, what is that together?", "calc 80 + 100"),
        ("en", "How fast is 100 km/h in 3 hours?", "calc 100 / 3"),
    ]);
}

#[test]
fn rates_and_shares_are_computed() {
    assert_answers(&[
        (
            "en",
            "Cheese is 12 € per kg, what do 350 g cost?",
            "calc 12 * 350",
            "(12 € / kg) × 350 g = 4.2 €",
        ),
        (
            "de",
            "Mein Auto braucht 6,5 Liter auf 100 km. Wie viel Liter sind das bei 350 km?",
            "calc 6.5 * 350",
            "(6,5 Liter / 100 km) × 350 km = 22,75 Liter",
        ),
        (
            "en",
            "If 1 euro is 1.08 dollars, how many dollars are 250 euros?",
            "calc 250 * 1.08",
            "(1.08 dollars / 1 euro) × 250 euros = 270 dollars",
        ),
        (
            "ar",
            "لو الدولار 3.75 ريال كم يساوي 200 دولار",
            "calc 200 / 3.75",
            "(3.75 ريال / دولار) × 200 دولار = 750 ريال",
        ),
        (
            "es",
            "el euro está a 1,10 dólares, ¿cuántos euros son 55 dólares?",
            "calc 55 * 1.10",
            "55 dólares ÷ (1,1 dólares / euro) = 50 euros",
        ),
        (
            "ru",
            "доллар по 90 рублей, сколько стоит 50 долларов",
            "calc 50 / 90",
            "(90 рублей / доллар) × 50 долларов = 4500 рублей",
        ),
        (
            "en",
            "12 people share a bill of 186.60, how much each?",
            "calc 186.60 / 12",
            "186.60 ÷ 12 = 15.55",
        ),
        (
            "fr",
            "12 personnes partagent une addition de 186,60 €, combien chacun ?",
            "calc 186.60 / 12",
            "186,60 ÷ 12 = 15,55 €",
        ),
        (
            "en",
            "A laptop is 500 before tax, what is it with 20% VAT?",
            "calc 500 * 1.2",
            "500 + 20 % = 600",
        ),
    ]);
    assert_left(&[
        (
            "en",
            "12 people share a bill of 186.60, how much each?",
            "calc 12 / 186.60",
        ),
        (
            "fr",
            "12 personnes partagent une addition de 186,60 €, combien chacun ?",
            "calc 12 / 186.60",
        ),
        ("en", "At a rate of 1.08, what are 250 euros in dollars?", "none"),
    ]);
}

#[test]
fn a_sure_model_needs_no_word_for_what_it_divides() {
    let recipe = "the pancake recipe for 4 people needs 250 g flour. how much flour for 7 people";
    let answer = |expression, probability| with_sure_model(recipe, "en", expression, probability);
    assert_eq!(answer("calc 250 / 4 * 7", 0.5).as_deref(), Some("250 ÷ 4 × 7 = 437.5"));
    assert_eq!(answer("calc 250 / 4 * 7", 0.1), None);
    // Its numbers must be the question's, each once.
    assert_eq!(answer("calc 250 / 4", 0.9), None);
    assert_eq!(answer("calc 250 / 4 / 4", 0.9), None);
    assert_eq!(answer("calc 250 ^ 4 * 7", 0.9), None);
}

#[test]
fn changes_and_common_divisors_are_computed() {
    assert_answers(&[
        (
            "it",
            "il prezzo è passato da 80 a 92 euro, aumento percentuale?",
            "calc change(80, 92)",
            "(92 - 80) ÷ 80 = 15 %",
        ),
        (
            "en",
            "the fare fell from 80 to 60, what percentage is that",
            "calc change(80, 60)",
            "(80 - 60) ÷ 80 = 25 %",
        ),
        ("de", "ggT von 84 und 126", "calc gcd(84, 126)", "gcd(84; 126) = 42"),
        ("en", "lcm of 4, 6 and 10", "calc lcm(4, 6, 10)", "lcm(4; 6; 10) = 60"),
    ]);
    assert_left(&[("en", "what is 84 and 126", "calc gcd(84, 126)")]);
}

#[test]
fn the_only_date_and_the_only_time_are_those_of_the_question() {
    assert_answers(&[
        (
            "de",
            "wie viele tage sinds noch bis zum 31. dezember?",
            "days today to month-end",
            "21. November 2026 → 31. Dezember 2026: 40 Tage",
        ),
        (
            "pt",
            "nasci em 15 de março de 1998, quantos anos vou fazer em 2040",
            "years 1998-03-15 to 2040-03-15",
            "15 de março de 1998 → 15 de março de 2040: 42 anos",
        ),
        (
            "de",
            "Zug fährt um 8:47 ab und braucht 5 Stunden 38 Minuten, wann bin ich da?",
            "time 20:47 + 5 hours + 38 minutes",
            "08:47 + 5 Stunden + 38 Minuten = 14:25",
        ),
        (
            "ja",
            "1月に東京が午前9時のとき、ニューヨークは何時ですか",
            "time 09:00 Asia/Tokyo in America/New_York",
            "09:00 東京 (2027年1月15日) = 19:00 ニューヨーク (2027年1月14日(木曜日))",
        ),
    ]);
}

#[test]
fn what_a_model_multiplies_by_one_or_divides_by_a_hundred_too_much_is_put_right() {
    assert_answers(&[
        (
            "en",
            "tv costs 649 plus 8.25% sales tax, what do I pay at the register",
            "calc (649 + 8.25%) / 1",
            "649 + 8.25 % = 702.5425",
        ),
        (
            "hi",
            "10000 रुपये पर सालाना 7% साधारण ब्याज, 3 साल में कुल ब्याज कितना होगा?",
            "calc (10000 * 7% * 3) / 100",
            "10000 × 7 % × 3 = 2100 रुपये",
        ),
    ]);
}

#[test]
fn a_time_in_two_places_is_one_though_a_model_doubts_it() {
    let question = "если в москве 15:30 то сколько времени во владивостоке";
    let answer = |probability| with_sure_model(question, "ru", "none", probability);
    assert_eq!(answer(0.45).as_deref(), Some("15:30 Москва = 22:30 Владивосток"));
    assert_eq!(answer(0.95), None);
    let told = "встреча в москве в 15:30, напиши во владивосток";
    assert_eq!(with_sure_model(told, "ru", "none", 0.45), None);
}

#[test]
fn an_end_that_is_asked_for_in_one_breath_is_no_beginning() {
    let question = "un film qui commence a 20h50 et dure 2h25 finit a quelle heure";
    let answer = with_sure_model(question, "fr", "time 20:50 + 2 hours + 25 minutes", 0.93);
    assert!(answer.is_some_and(|answer| answer.contains("23:15")));
}

#[test]
fn an_amount_of_data_is_not_divided_by_what_comes_in_a_second() {
    let question = "wie lange dauert ein download von 6 GB bei 50 Mbit/s?";
    assert_eq!(with_sure_model(question, "de", "calc 6 / 50", 0.9), None);
}
