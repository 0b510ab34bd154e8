//! Questions whose expression a model wrote nearly right, and what looks like them.

use super::tests::with_model;

#[test]
fn what_the_model_turned_round_is_put_right() {
    for (code, question, written, expected) in [
        (
            "es",
            "54 de 240 ¿qué porcentaje es?",
            "calc (54 / 240) * 100",
            "54 ÷ 240 = 22,5 %",
        ),
        (
            "en",
            "if its 3pm in new york today what time is it in london",
            "time 15:00 Europe/London in America/New_York",
            "15:00 New York = 20:00 London",
        ),
        (
            "ja",
            "東京で午後3時は、ロンドンで何時？",
            "time 15:00 Europe/London in Asia/Tokyo",
            "15:00 東京 = 06:00 ロンドン",
        ),
        (
            "pt",
            "Se em Brasília são 9h, que horas são em Roma?",
            "time 09:00 Europe/Rome in America/Sao_Paulo",
            "13:00",
        ),
        (
            "fr",
            "S'il est 15 heures à Paris, quelle heure est-il à Tokyo ?",
            "time 15:00 Asia/Tokyo in Europe/Paris",
            "23:00",
        ),
        (
            "ar",
            "وُلدت هدى في 8 يوليو 1984، كم عمرها؟",
            "years 1984-07-08 to today",
            "42",
        ),
        (
            "ko",
            "식사비 96000원을 넷이서 나누면 얼마야?",
            "calc 96000 / 4",
            "24000",
        ),
        (
            "en",
            "what's the date 45 days before Christmas",
            "date today - 45 days",
            "25 December 2026 − 45 days = Tuesday, 10 November 2026",
        ),
        (
            "de",
            "Welches Datum ist 10 Tage nach Ostern?",
            "date today + 10 days",
            "28. März 2027 + 10 Tage = Mittwoch, 7. April 2027",
        ),
        (
            "es",
            "¿Qué fecha es dos semanas antes de Navidad?",
            "date today + 2 weeks",
            "viernes, 11 de diciembre de 2026",
        ),
        (
            "zh",
            "北京时间晚上8点伦敦是几点",
            "time 20:00 Europe/London in Asia/Shanghai",
            "20:00 北京 = 12:00 伦敦",
        ),
    ] {
        let answer = with_model(question, code, written).unwrap_or_default();
        assert!(answer.contains(expected), "{question}: {answer}");
    }
}

#[test]
fn what_a_question_asks_for_otherwise_is_refused() {
    for (code, question, written) in [
        (
            "en",
            "if a pizza is cut into 8 slices and I eat 3, what percent is left",
            "calc share(3, 8)",
        ),
        ("zh", "三分之二乘以九再加一等于多少", "calc 3 / 2 * 9 + 1"),
        ("en", "How long is it today?", "years today to today"),
        ("en", "which date is 45 days and Christmas", "date today + 45 days"),
    ] {
        assert_eq!(with_model(question, code, written), None, "{question}");
    }
}

#[test]
fn a_tax_is_taken_on_the_price_that_stands_beside_its_word() {
    for (code, question, written, expected) in [
        (
            "de",
            "wieviel sind 19% mwst auf 480 euro netto",
            "calc 480 * 0.19",
            Some("91,20 euro"),
        ),
        (
            "de",
            "was sind 19% mehrwertsteuer auf 240 euro",
            "calc 240 + 19%",
            Some("45,60 euro"),
        ),
        (
            "en",
            "dinner was $84.50, whats a 18% tip",
            "calc 84.50 + 18%",
            Some("15.21"),
        ),
        (
            "en",
            "dinner was $84.50, how much is it with 18% tip",
            "calc 84.50 + 18%",
            Some("99.71"),
        ),
        (
            "en",
            "what is the total with 20% VAT on 50",
            "calc 50 + 20%",
            Some("60"),
        ),
        (
            "ja",
            "税抜き2480円で消費税10%だと税込いくら",
            "calc 2480 * (1 + 10%)",
            Some("2728円"),
        ),
        (
            "ja",
            "税込2728円で消費税10%だと税抜きいくら",
            "calc 2728 / (1 + 10%)",
            Some("2480円"),
        ),
        (
            "ja",
            "税込2728円で消費税10%だと税抜きいくら",
            "calc 2728 * (1 + 10%)",
            None,
        ),
        (
            "de",
            "480 euro netto und 19% mwst, wieviel zahle ich",
            "calc 480 * 19%",
            None,
        ),
    ] {
        let answer = with_model(question, code, written);
        match expected {
            Some(expected) => assert!(
                answer.as_deref().is_some_and(|answer| answer.contains(expected)),
                "{question}: {answer:?}"
            ),
            None => assert_eq!(answer, None, "{question}"),
        }
    }
}

#[test]
fn a_price_for_a_dozen_and_an_amount_for_each_are_not_taken_for_another_thing() {
    for (code, question, written) in [
        (
            "en",
            "four dozen rolls at 3.10 a dozen, how much?",
            "calc 4 * 12 * 3.10",
        ),
        (
            "es",
            "cuatro docenas de rosas a 9,50 la docena, cuánto es",
            "calc 4 * 12 * 9.50",
        ),
        (
            "it",
            "120 grammi di riso a testa, siamo in 5, quanto ne serve?",
            "calc 120 / 5",
        ),
    ] {
        assert_eq!(with_model(question, code, written), None, "{question}");
    }
    let answer = with_model("how much is a dozen rolls at 0.40 each?", "en", "calc 12 * 0.40");
    assert!(answer.is_some_and(|answer| answer.contains("4.8")));
    let answer = with_model(
        "how much are four dozen rolls at 0.40 each?",
        "en",
        "calc 4 * 12 * 0.40",
    );
    assert!(answer.is_some_and(|answer| answer.contains("19.2")));
    let answer = with_model(
        "120 grammi di riso a testa, siamo in 5, quanto ne serve?",
        "it",
        "calc 120 * 5",
    );
    assert!(answer.is_some_and(|answer| answer.contains("600")));
}
