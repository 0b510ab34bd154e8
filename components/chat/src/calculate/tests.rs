//! Questions that are certain, questions that are not, and questions that a model understood well or badly.

use jiff::civil::date;
use quartet_llm_client::scripted::Scripted;

use super::*;

fn now() -> Option<DateTime> {
    // A Saturday.
    Some(date(2026, 11, 21).at(13, 45, 0, 0))
}

fn ask(question: &str, code: &str) -> Option<String> {
    Some(answer(question, code.parse().unwrap(), now())?.answer)
}

/// The answer to a question that a model writes as `expression`.
pub(super) fn with_model(question: &str, code: &str, expression: &str) -> Option<String> {
    let model = Scripted::new([format!("\"{expression}\"").as_str()]);
    let understood = understand(question, code.parse().unwrap(), now(), &model, 1_000);
    Some(understood.computed?.answer)
}

#[test]
fn the_year_of_an_event_is_no_question_of_now() {
    let of_now = |question: &str, code: &str, expression: &str| {
        let model = Scripted::new([format!("\"{expression}\"").as_str()]);
        let understood = understand(question, code.parse().unwrap(), now(), &model, 1_000);
        (understood.asks_of_now, understood.computed.is_some())
    };
    for (code, question) in [
        ("en", "In what year was Pushkin born?"),
        ("de", "In welchem Jahr wurde Mozart geboren?"),
        ("fr", "En quelle année est né Victor Hugo ?"),
        ("es", "¿En qué año nació Picasso?"),
        ("it", "In che anno è nato Verdi?"),
        ("pt", "Em que ano nasceu Camões?"),
        ("ru", "В каком году родился Пушкин?"),
        ("ja", "モーツァルトは何年に生まれましたか？"),
        ("zh", "莫扎特出生于哪一年？"),
        ("ko", "모차르트는 몇 년에 태어났습니까?"),
        ("ar", "في أي عام ولد موزارت؟"),
        ("hi", "मोज़ार्ट का जन्म किस वर्ष हुआ?"),
    ] {
        for expression in ["years 1799-06-06 to today", "date today - 200 years"] {
            assert_eq!(of_now(question, code, expression), (false, false), "{question}");
        }
    }
    for (question, expression) in [
        ("How many days are left this year?", "days today to next friday"),
        ("In what year was it 30 years ago?", "date today - 20 years"),
    ] {
        assert_eq!(of_now(question, "en", expression), (true, false), "{question}");
    }
}

#[test]
fn what_is_certain_is_computed_without_a_model() {
    for (code, question, expected) in [
        ("en", "17*23", "17 × 23 = 391"),
        ("en", "3 + 4 =", "3 + 4 = 7"),
        ("en", "9/11=", "9 ÷ 11 ≈ 0.8181818"),
        ("en", "98765432/12=", "98765432 ÷ 12 ≈ 8230452.67"),
        ("en", "12 % of 50", "12 % × 50 = 6"),
        ("en", "5 km in mi", "5 km ≈ 3.106856 mi"),
        ("en", "What is 12 times 12?", "12 × 12 = 144"),
        ("en", "(2 + 3) * 4 =", "(2 + 3) × 4 = 20"),
        ("en", "1,234.5 + 0.5", "1234.5 + 0.5 = 1235"),
        ("en", "What is 5 / 0?", "5 ÷ 0: division by zero has no result"),
        (
            "en",
            "What is 9^9^9?",
            "9^9^9: the number is too large to be computed here",
        ),
        ("en", "What is -40 °C in °F?", "-40 °C = -40 °F"),
        ("es", "¿Cuánto es el 15% de 80?", "15 % × 80 = 12"),
        ("fr", "Combien fait 3,5 + 1,25 ?", "3,5 + 1,25 = 4,75"),
        ("de", "Was ist 1.234 mal 2?", "1234 × 2 = 2468"),
        ("de", "Wie viele Meter sind 5 Meilen?", "5 Meilen = 8046,72 Meter"),
        ("ru", "Сколько метров в 3 километрах?", "3 километрах = 3000 метров"),
        ("zh", "12乘以12等于多少？", "12 × 12 = 144"),
        ("ar", "كم يساوي ١٢ ضرب ١٢؟", "12 × 12 = 144"),
        ("hi", "१२ गुणा १२ कितना होता है?", "12 × 12 = 144"),
        ("en", "What day is it today?", "Saturday, 21 November 2026"),
        ("en", "What time is it?", "13:45 UTC"),
        ("en", "What day of the week was July 14, 1789?", "Tuesday, 14 July 1789"),
        ("en", "Is 2024 a leap year?", "2024: yes, 366 days"),
        (
            "fr",
            "Quel jour de la semaine était le 14 juillet 1789 ?",
            "mardi 14 juillet 1789",
        ),
        ("ja", "今日は何曜日ですか？", "2026年11月21日(土曜日)"),
        ("en", "What day is the day after tomorrow?", "Monday, 23 November 2026"),
        ("de", "Welches Datum ist übermorgen?", "Montag, 23. November 2026"),
        ("de", "Welcher Tag war vorgestern?", "Donnerstag, 19. November 2026"),
        ("es", "¿Qué día es pasado mañana?", "lunes, 23 de noviembre de 2026"),
        ("ru", "Какое число будет послезавтра?", "понедельник, 23 ноября 2026 г."),
        ("zh", "后天是几月几号？", "2026年11月23日，星期一"),
        ("es", "¿a cuántos estamos?", "sábado, 21 de noviembre de 2026"),
        ("fr", "on est le combien ?", "samedi 21 novembre 2026"),
    ] {
        assert_eq!(ask(question, code).as_deref(), Some(expected), "{question}");
    }
}

#[test]
fn what_is_not_certain_is_left_to_the_model() {
    for (code, question) in [
        ("en", "Hello"),
        ("en", "Data"),
        ("en", "9/11"),
        ("en", "What is 9/11?"),
        ("en", "24/7"),
        ("en", "4x4"),
        ("en", "What is 4 x 4?"),
        ("en", "555-1234"),
        ("en", "Who won the 1998 World Cup?"),
        ("en", "What happened on July 14, 1789?"),
        ("en", "Convert a mile to kilometers"),
        ("en", "How many days between November 1 and December 25?"),
        ("en", "How many days until December 25?"),
        ("en", "What date is 90 days from today?"),
        ("en", "If I have 3 apples and buy 5 more, how many do I have?"),
        ("en", "How many days does it take to walk 100 km?"),
        ("en", "03/04/2024 is what day of the week?"),
        ("en", "Version 1.2.3"),
        ("de", "Wie viele Tage hat ein Jahr?"),
        ("hi", "कल कौन सा दिन है?"),
        ("ja", "80の15%はいくつですか"),
        ("zh", "中国有多少人口？"),
    ] {
        assert_eq!(ask(question, code), None, "{question}");
    }
    assert_eq!(answer("What day is it today?", Language::English, None), None);
    // Italian, which looks like Portuguese.
    let counted = answer("quanto manca a ferragosto?", Language::Portuguese, now());
    assert_eq!(counted.map(|computed| computed.value).as_deref(), Some("267"));
}

#[test]
fn what_the_model_understands_is_computed_and_said_in_the_language() {
    for (code, question, expression, expected) in [
        (
            "en",
            "Convert a mile to kilometers",
            "convert 1 mile to km",
            "1 mile = 1.609344 kilometers",
        ),
        (
            "en",
            "How many days between November 1 and December 25?",
            "days 11-01 to 12-25",
            "1 November 2026 → 25 December 2026: 54 days",
        ),
        (
            "en",
            "What day is the day after tomorrow?",
            "date today + 2 days",
            "21 November 2026 + 2 days = Monday, 23 November 2026",
        ),
        (
            "ru",
            "Сколько дней осталось до 25 декабря?",
            "days today to next 12-25",
            "21 ноября 2026 г. → 25 декабря 2026 г.: 34 дня",
        ),
        (
            "fr",
            "Combien de jours jusqu'au 1er janvier ?",
            "days today to next 01-01",
            "21 novembre 2026 → 1er janvier 2027: 41 jours",
        ),
        (
            "it",
            "Quanti giorni mancano al 1º gennaio?",
            "days today to next 01-01",
            "21 novembre 2026 → 1º gennaio 2027: 41 giorni",
        ),
        (
            "es",
            "¿Cuántos días faltan para el 1.º de enero?",
            "days today to next 01-01",
            "21 de noviembre de 2026 → 1 de enero de 2027: 41 días",
        ),
        (
            "de",
            "Was bleibt von 35 € nach 15 % Rabatt?",
            "calc 35 - 15%",
            "35 - 15 % = 29,75 €",
        ),
        (
            "fr",
            "la moyenne de 3, 5 et 10",
            "calc mean(3, 5, 10)",
            "(3 + 5 + 10) ÷ 3 = 6",
        ),
        (
            "en",
            "How old is somebody born on May 3, 1990?",
            "years 1990-05-03 to today",
            "3 May 1990 → 21 November 2026: 36 years",
        ),
        (
            "en",
            "18 is what percent of 60?",
            "calc share(18, 60)",
            "18 ÷ 60 = 30 %",
        ),
        (
            "en",
            "an 18 percent tip on 40 dollars",
            "calc 18% of 40",
            "18 % × 40 = 7.20 dollars",
        ),
        ("zh", "三十三乘以7", "calc 33 * 7", "33 × 7 = 231"),
        (
            "en",
            "how long until my birthday on March 3?",
            "days today to 03-03",
            "21 November 2026 → 3 March 2027: 102 days",
        ),
        (
            "de",
            "Wie viel ist ein Drittel von 240?",
            "calc 240 / 3",
            "240 ÷ 3 = 80",
        ),
        ("es", "dos tercios de 240", "calc 240 * 2 / 3", "240 × 2 ÷ 3 = 160"),
        (
            "fr",
            "le tiers de 240, ça fait combien ?",
            "calc 240 / 3",
            "240 ÷ 3 = 80",
        ),
        ("ru", "Сколько будет треть от 240?", "calc 240 / 3", "240 ÷ 3 = 80"),
        ("ja", "240の3分の1は?", "calc 240 / 3", "240 ÷ 3 = 80"),
        ("zh", "240的三分之一是多少", "calc 240 / 3", "240 ÷ 3 = 80"),
        ("ko", "240의 3분의 1은?", "calc 240 / 3", "240 ÷ 3 = 80"),
        ("en", "Is 2100 a leap year or not", "leap 2100", "2100: no, 365 days"),
        ("ja", "東京は今何時？", "time now in Asia/Tokyo", "22:45 東京"),
        (
            "en",
            "if its 3pm in new york today what time is it in london",
            "time 15:00 America/New_York in Europe/London",
            "15:00 New York = 20:00 London",
        ),
        (
            "en",
            "What time is it in Seoul when it is 8 pm in Rome?",
            "time 20:00 Europe/Rome in Asia/Seoul",
            "20:00 Rome = 04:00 Seoul (Sunday, 22 November 2026)",
        ),
        (
            "en",
            "It's 8 pm in Rome, what time is it in Seoul?",
            "time 20:00 Europe/Rome in Asia/Seoul",
            "20:00 Rome = 04:00 Seoul (Sunday, 22 November 2026)",
        ),
        (
            "es",
            "¿Cuánto dura de 9:30 a 17:15?",
            "hours 09:30 to 17:15",
            "09:30 → 17:15: 7 horas 45 minutos",
        ),
        (
            "en",
            "how tall is 5 feet 10 inches in cm",
            "convert 5 foot 10 inch to cm",
            "5 feet 10 inches = 177.8 cm",
        ),
        (
            "en",
            "2 million divided by 4",
            "calc 2000000 / 4",
            "2000000 ÷ 4 = 500000",
        ),
        (
            "en",
            "How many days are left in this year?",
            "days today to year-end",
            "21 November 2026 → 31 December 2026: 40 days",
        ),
        (
            "en",
            "How many days are left in November?",
            "days today to next 11-30",
            "21 November 2026 → 30 November 2026: 9 days",
        ),
        (
            "it",
            "Quanti giorni mancano alla fine del mese?",
            "days today to month-end",
            "21 novembre 2026 → 30 novembre 2026: 9 giorni",
        ),
        (
            "en",
            "What was the date two weeks ago?",
            "date today - 14 days",
            "21 November 2026 − 14 days = Saturday, 7 November 2026",
        ),
        (
            "fr",
            "Quelle heure est-il à Montréal ?",
            "time now in America/Montreal",
            "08:45 Montreal",
        ),
        (
            "es",
            "¿Cuántos años tiene alguien nacido en 1990?",
            "years 1990-01-01 to today",
            "1990 → 2026: 35–36 años",
        ),
        (
            "en",
            "How many days are left in November?",
            "days today to month-end",
            "21 November 2026 → 30 November 2026: 9 days",
        ),
        (
            "en",
            "date of next friday",
            "date next friday",
            "Friday, 27 November 2026",
        ),
    ] {
        let answer = with_model(question, code, expression);
        assert_eq!(answer.as_deref(), Some(expected), "{question}");
    }
}

#[test]
fn what_the_question_does_not_bear_out_is_refused() {
    for (code, question, expression) in [
        // Numbers that are not there, or are left over.
        ("en", "What is 12 plus 5?", "calc 12 + 6"),
        ("en", "What is 12 plus 5?", "calc 12 + 5 + 5"),
        ("fr", "tu me donnes les trois quarts de 260 ?", "calc 260 / 3"),
        ("en", "3 apples and 5 pears in 2 boxes, how many fruits?", "calc 3 + 5"),
        ("en", "Where is the nearest 7-Eleven?", "calc 7 * 24"),
        ("de", "Wie viel Trinkgeld sind 18 % von 40 €?", "calc share(18, 40)"),
        ("de", "Wie viel Trinkgeld sind 18 % von 40 €?", "calc 18 * 40"),
        ("zh", "十月的倒数第一个星期一是几月几号?", "date 10-01"),
        ("zh", "最后一个星期五是几号？", "date last friday"),
        ("en", "What date is the second Monday?", "date next monday"),
        ("en", "What is 2 million plus 5?", "calc 2 + 5"),
        ("de", "Was kosten 4 Tassen zu je 9,05 €?", "calc 9.05 / 4"),
        // Operations that nothing asks for.
        (
            "en",
            "The Sun's surface is roughly 10,000 degrees hot, and its core?",
            "calc sqrt(10000)",
        ),
        ("de", "Wie viel sind 2 Eier und 3 Eier?", "calc 2 ^ 3"),
        ("fr", "Combien font 4 et 8 ?", "calc mean(4, 8)"),
        ("es", "¿Cuántos son 5 libros?", "calc 5!"),
        (
            "es",
            "la cena fueron 137,50 euros y somos 5, a cuanto tocamos cada uno?",
            "calc 137.50 - 5",
        ),
        // Units and their direction.
        ("en", "How long is 5 miles?", "convert 5 mile to km"),
        ("en", "How many km are 5 pounds?", "convert 5 lb to km"),
        ("en", "What is -5 °C in °F?", "convert 5 °C to °F"),
        ("en", "How many dollars are 5 pounds?", "convert 5 lb to kg"),
        // Days.
        ("en", "What day is the day after tomorrow?", "date today + 1 days"),
        ("en", "What date is tomorrow?", "date today"),
        ("en", "What date was 10 days ago?", "date today - 11 days"),
        ("en", "Which day is December 25?", "date 2024-12-25"),
        ("en", "Which day is 3/4/2024?", "date 2024-03-04"),
        ("en", "How many days since May 3, 2030?", "days 2030-05-03 to today"),
        ("en", "Which day is February 30?", "date next 02-30"),
        ("en", "When was Justin Bieber born?", "date 1994-03-01"),
        ("en", "Which date is on friday?", "date next monday"),
        ("en", "How many days does this year have?", "days today to year-end"),
        ("en", "How many days are there in November?", "days today to next 11-30"),
        (
            "en",
            "How many days are left until the end of May?",
            "days today to month-end",
        ),
        ("en", "What was the date two weeks ago?", "date today - 21 days"),
        ("ko", "저번주 일요일은 며칠인가요?", "date today - 1 weeks"),
        ("en", "is 126 divisible by 8", "calc share(126, 8)"),
        ("ja", "100Kかける7はいくつですか?", "calc 100 * 7"),
        // Times.
        (
            "de",
            "Mein Zug fährt um 14:47 los und braucht 3 Std 38 Min, wann bin ich da?",
            "calc 14 + 47 + 3 * 38",
        ),
        (
            "en",
            "What is the time difference between California and Tokyo?",
            "time now in Asia/Tokyo",
        ),
        (
            "en",
            "What time is it 3 and a half hours from now?",
            "time now + 3 hours",
        ),
        ("en", "What time is it in Seoul?", "time now in Asia/Tokyo"),
        (
            "fr",
            "S'il est midi à Trifouillis, quelle heure est-il à Paris ?",
            "time now in Europe/Paris",
        ),
        (
            "en",
            "It's 8 in Rome, what time is it in Seoul?",
            "time 20:00 Europe/Rome in Asia/Seoul",
        ),
        ("en", "Who was it?", "calc 2 + 2"),
        ("ar", "كم مليلتر في لتر ونص؟", "convert 1 liter to ml"),
        (
            "en",
            "How many millilitres is a litre and a half?",
            "convert 1 liter to ml",
        ),
        (
            "en",
            "How many metres are in a quarter of a mile?",
            "convert 1 mile to m",
        ),
    ] {
        assert_eq!(with_model(question, code, expression), None, "{question} {expression}");
    }
}

#[test]
fn a_question_with_nothing_to_compute_is_not_shown_to_the_model() {
    for (code, question) in [
        ("en", "Who was Shakespeare and what is an epigram?"),
        ("de", "Was ist die Hauptstadt von Italien?"),
        ("ja", "こんにちは"),
        ("en", ""),
    ] {
        let model = Scripted::new(["\"calc 2 + 2\""]);
        let understood = understand(question, code.parse().unwrap(), now(), &model, 1_000);
        assert!(
            understood.computed.is_none() && model.asked.borrow().is_empty(),
            "{question}"
        );
    }
    let long = "What is 2 + 2? ".repeat(40);
    assert!(answer(&long, Language::English, now()).is_none());
}

#[test]
fn times_prices_and_units_are_computed_as_they_are_said() {
    for (code, question, expression, expected) in [
        (
            "fr",
            "Quel jour serons-nous dans 3 semaines ?",
            "date today + 3 weeks",
            "21 novembre 2026 + 3 semaines = samedi 12 décembre 2026",
        ),
        (
            "pt",
            "nós somos 5 e a conta deu 80, quanto é para cada um",
            "calc 80 / 5",
            "80 ÷ 5 = 16",
        ),
        (
            "en",
            "3 packs of vitamin C at 5 dollars, what do I pay?",
            "calc 3 * 5",
            "3 × 5 = 15 dollars",
        ),
        (
            "fr",
            "un pull à 79,90€ soldé à -40%, je paye combien au final",
            "calc 79.9 - (-40%)",
            "79,9 - 40 % = 47,94 €",
        ),
        (
            "es",
            "la cuenta salió en $1,840.50 pesos y quiero dejar el 15% de propina, cuánto pago en total?",
            "calc 1840.50 + 15%",
            "1840,50 + 15 % = 2116,575",
        ),
        (
            "en",
            "remainder when two thousand and twenty-five is divided by 17",
            "calc 2025 mod 17",
            "2025 mod 17 = 2",
        ),
        (
            "en",
            "How many km are 5 miles?",
            "convert 5 km to mile",
            "5 miles = 8.04672 km",
        ),
        ("ja", "大さじ4は何ccですか", "convert 4 cc to ml", "4 大さじ = 60 cc"),
        (
            "en",
            "Recipe says 350F, my oven only does celcius",
            "convert 350 degrees celsius to",
            "350 F ≈ 176.6667 celcius",
        ),
        (
            "ar",
            "كم يساوي ١٥٪ من ٢٬٤٠٠ ريال",
            "calc 2400 * 15%",
            "2400 × 15 % = 360 SAR",
        ),
        (
            "es",
            "¿Si en Bogotá son las 3 de la tarde, qué hora es en Buenos Aires?",
            "time 15:00 America/Bogota in America/Bogota",
            "15:00 Bogotá = 17:00 Buenos Aires",
        ),
        (
            "pt",
            "parcelei um celular de 1.799,90 em 12x sem juros quanto fica cada parcela",
            "calc 1799.9 / 12",
            "1799,9 ÷ 12 ≈ 149,9917",
        ),
        (
            "de",
            "wir sind zu fünft, rechnung 87,40 plus 10% trinkgeld, wieviel zahlt jeder",
            "calc (87.40 + 10%) / 5",
            "(87,40 + 10 %) ÷ 5 = 19,228",
        ),
        (
            "fr",
            "Le train part à 17h48 et met 2h35, j’arrive à quelle heure",
            "time 17:48 + 2 hours + 35 minutes",
            "17:48 + 2 heures + 35 minutes = 20:23",
        ),
        (
            "en",
            "The bus arrives at 18:05 and the trip takes 1 hour 50 minutes. When did it leave?",
            "time 18:05 - 1 hours + 50 minutes",
            "18:05 − 1 hour − 50 minutes = 16:15",
        ),
        (
            "ru",
            "Поезд отправляется в 23.40, идёт 8 часов 55 минут. Во сколько прибудет?",
            "time 23:40 + 8 hours + 55 minutes",
            "23:40 + 8 часов + 55 минут = 08:35 (+ 1 день)",
        ),
        (
            "ko",
            "오후 1시 50분에서 3시간 25분 뒤",
            "time 13:50 + 3 hours + 25 minutes",
            "13:50 + 3시간 + 25분 = 17:15",
        ),
        (
            "de",
            "Schicht von 21:45 bis 6:10, davon 45 min Pause. Arbeitszeit?",
            "hours 21:45 to 06:10 - 45 minutes",
            "21:45 → 06:10 − 45 Minuten: 7 Stunden 40 Minuten",
        ),
        (
            "en",
            "jacket was 189.99, its 30 percent off and then an extra 10% off.. final price",
            "calc 189.99 * 0.70 * 0.90",
            "189.99 - 30 % - 10 % = 119.6937",
        ),
        (
            "de",
            "Brutto 1.249,00 € inkl. 19 % MwSt, was ist das netto",
            "calc 1249 / 1.19",
            "1249 ÷ (1 + 19 %) ≈ 1049,58 €",
        ),
        (
            "ja",
            "税抜12,800円に消費税10％足した値段",
            "calc 12800 * (1 + 0.1)",
            "12800 + 10 % = 14080円",
        ),
        (
            "es",
            "la cuenta salió en $80 y quiero dejar el 15% de propina, cuánto pago en total?",
            "calc 80 + 80 * 15 / 100",
            "80 + 15 % = $92",
        ),
        (
            "de",
            "wieviel ml sind 3 EL",
            "convert 3 metric_tablespoon to ml",
            "3 EL = 45 ml",
        ),
        (
            "ko",
            "25평이 몇 제곱미터임",
            "convert 25 pyeong to m^2",
            "25 평 ≈ 82.64463 제곱미터",
        ),
        (
            "pt",
            "37,8 graus celcius em fahrenheit",
            "convert 37.8 celcius to fahrenheit",
            "37,8 celcius = 100,04 fahrenheit",
        ),
        (
            "zh",
            "2008年8月8号到2022年2月4号一共多少天",
            "calc 2008 + 8",
            "2008年8月8日 → 2022年2月4日: 4928天",
        ),
    ] {
        assert_eq!(
            with_model(question, code, expression).as_deref(),
            Some(expected),
            "{question} {expression}"
        );
    }
    for (code, question, expression) in [
        // The tax itself is asked for, or nothing says what the sum is without.
        ("ru", "Выдели НДС 20% из суммы 48 600,00 руб.", "calc 48600 / 1.2"),
        ("en", "a dinner for 60 with a 20% tip", "calc 60 / 1.2"),
        ("en", "The net price is 100, what is it with 20% VAT?", "calc 100 - 20%"),
        // What each pays on top is no sum to be divided.
        (
            "it",
            "stasera siamo in 4, conto 118 euro, da aggiungere il coperto di 2,50 a testa. Quanto a persona?",
            "calc (118 + 2.5) / 4",
        ),
        (
            "zh",
            "我们8个人吃火锅花了736.8，用了张满700减80的券，人均多少",
            "calc (736.8 - 700 + 80) / 8",
        ),
        // It is left before the film.
        (
            "en",
            "The film starts at 20:30 and I need 45 minutes to get there. When do I have to leave?",
            "time 20:30 + 45 minutes",
        ),
        // What is not in the question.
        (
            "fr",
            "Le train part à 17h48 et met 2h35, j’arrive à quelle heure",
            "time 17:48 + 2 hours",
        ),
        (
            "de",
            "Schicht von 21:45 bis 6:10, davon 45 min Pause.",
            "hours 21:45 to 06:10",
        ),
    ] {
        assert_eq!(with_model(question, code, expression), None, "{question} {expression}");
    }
}

#[test]
fn a_time_without_a_part_of_the_day_is_one_where_it_is_said_to_be() {
    for (code, question, expression, expected) in [
        (
            "fr",
            "Quelle heure est-il à Tokyo quand il est 9 h à Paris ?",
            "time 09:00 Europe/Paris in Asia/Tokyo",
            Some("09:00 Paris = 17:00 Tokyo"),
        ),
        (
            "fr",
            "Il est 15 heures à Paris, quelle heure est-il à Tokyo ?",
            "time 15:00 Europe/Paris in Asia/Tokyo",
            Some("15:00 Paris = 23:00 Tokyo"),
        ),
        (
            "pt",
            "Quando são 15 horas em Lisboa, que horas são em Lima?",
            "time 15:00 Europe/Lisbon in America/Lima",
            Some("15:00 Lisboa = 10:00 Lima"),
        ),
        // Nine in the evening is not what "9 h" says, and where the difference comes from nobody knows.
        (
            "fr",
            "Quelle heure est-il à Tokyo quand il est 9 h à Paris ?",
            "time 21:00 Europe/Paris in Asia/Tokyo",
            Some("09:00 Paris = 17:00 Tokyo"),
        ),
        (
            "ru",
            "в москве 10:20, во владивостоке сколько времени",
            "time 10:20 + 7 hours",
            Some("10:20 Москва = 17:20 Владивосток"),
        ),
        // That is how long a journey takes.
        (
            "fr",
            "Quelle heure est-il à Tokyo, à 9 h de Paris ?",
            "time 09:00 Europe/Paris in Asia/Tokyo",
            None,
        ),
    ] {
        assert_eq!(
            with_model(question, code, expression).as_deref(),
            expected,
            "{question}"
        );
    }
}
