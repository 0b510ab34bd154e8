//! Evidence that today's date is asked for: a small model writes it for "when is my birthday", too.

use quartet_api::Language;
use quartet_llm_client::{Judgement, LanguageModel, Outcome};

use super::expression::{Base, Expression};
use super::lexicon::{self, Row};
use super::question::Question;

/// Probability from which on a message asks for it. Of 30 messages that do and 38 that do not, in twelve languages, all looked at, 26
/// and 1 have it and no possessive; of the other four, two have a word for today.
const MIN_PROBABILITY: f32 = 0.6;

const TODAY: Judgement = Judgement {
    property: "now",
    instructions: "Say whether the message asks what the date, the day of the week or the year is today. When something else is or was is no.",
    examples: &[
        ("what is the date", true),
        ("when is the next full moon", false),
        ("Welcher Wochentag ist heute?", true),
        ("wann hat Oma Namenstag", false),
        ("qué día es hoy", true),
        ("quand est le match", false),
        ("今日は何曜日", true),
        ("入学式はいつ？", false),
        ("какое сегодня число", true),
        ("when do we meet", false),
        ("date please", true),
        ("¿cuándo nací?", false),
        ("오늘 무슨 요일이야", true),
        ("我们什么时候放假", false),
        ("when was the war", false),
    ],
};

/// Words of the table that say "today" only beside others: "quel jour sommes-nous".
const WEAK: [&str; 5] = ["nous", "on est", "estamos", "haben wir", "now"];

/// Words that make a day somebody's own, which a small model takes for today all the same: "what day is my birthday". Those that are
/// other words in another language, as "mes" is a month in Spanish, are left out.
const POSSESSIVES: [&str; 40] = [
    "my",
    "our",
    "your",
    "his",
    "her",
    "their",
    "mi",
    "mis",
    "tu",
    "su",
    "nuestro",
    "mon",
    "ton",
    "notre",
    "mein",
    "meine",
    "meinen",
    "meiner",
    "unser",
    "dein",
    "mio",
    "mia",
    "tuo",
    "suo",
    "meu",
    "minha",
    "seu",
    "sua",
    "мой",
    "моя",
    "мои",
    "моё",
    "твой",
    "наш",
    "私の",
    "僕の",
    "我的",
    "내",
    "मेरा",
    "मेरी",
];

/// Returns true for today's date where no word of the question says that it is asked for.
pub(super) fn is_doubtful(expression: &Expression, question: &Question) -> bool {
    let is_today =
        matches!(expression, Expression::Day(day) if matches!(day.base, Base::Today) && day.shifts.is_empty());
    let mut words = lexicon::rows_of(Row::Relative(0)).filter(|word| !WEAK.contains(word));
    is_today && !words.any(|word| question.has(word))
}

/// Has the model judge whether a question asks for today's date, in at most so many milliseconds. One that cannot tell how sure it is has
/// understood it so.
pub(super) fn is_asked_for(question: &str, model: &dyn LanguageModel, milliseconds: u32) -> (bool, Option<Outcome>) {
    let read = Question::new(question, Language::English);
    if POSSESSIVES.iter().any(|word| read.has(word)) {
        return (false, None);
    }
    if !model
        .info()
        .is_ok_and(|model| model.schemas && model.reading_speed.is_some())
    {
        return (true, None);
    }
    let (probability, outcome) = TODAY.judge(question, model, milliseconds);
    (
        probability.is_some_and(|probability| probability >= MIN_PROBABILITY),
        outcome,
    )
}

#[cfg(test)]
mod tests {
    use super::super::expression::parse;
    use super::*;
    use quartet_llm_client::scripted::Scripted;

    #[test]
    fn today_without_a_word_for_it_is_doubtful() {
        let is_doubtful = |question: &str, language, expression: &str| {
            is_doubtful(&parse(expression).unwrap(), &Question::new(question, language))
        };
        assert!(is_doubtful("私の誕生日っていつ？", Language::Japanese, "date today"));
        assert!(is_doubtful("wann haben wir ferien", Language::German, "date today"));
        assert!(!is_doubtful(
            "was ist heute für ein tag",
            Language::German,
            "date today"
        ));
        assert!(!is_doubtful(
            "wann haben wir ferien",
            Language::German,
            "date today + 3 days"
        ));
    }

    #[test]
    fn the_model_says_whether_it_is_asked_for() {
        for (probability, is_asked) in [(0.9, true), (0.3, false)] {
            let mut model = Scripted::new(["unused"]);
            model.judged = vec![("now", probability)];
            model.reading_speed = Some(100.0);
            assert_eq!(is_asked_for("when is it", &model, 1_000).0, is_asked, "{probability}");
        }
        for question in ["qué día es mi cumpleaños", "내 생일은 며칠이야", "我的生日是几号"] {
            assert!(
                !is_asked_for(question, &Scripted::new(["unused"]), 1_000).0,
                "{question}"
            );
        }
        // No model of this machine: it was understood by a larger one.
        assert!(is_asked_for("when is it", &Scripted::new(["unused"]), 1_000).0);
    }
}
