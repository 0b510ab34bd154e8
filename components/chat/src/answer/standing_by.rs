//! Doubts about a result: a small model agrees with whoever says that 7 × 8 is 54. What was computed is computed once more, and said
//! again.

use quartet_llm_client::Judgement;

use super::{AnswerError, Answering, Emit, Question, follow_up, messages};

/// Probability from which on a message doubts the result before it. Of 32 messages that do and 40 that do not, in twelve languages, written
/// by somebody who had not seen this, 29 and 6 have it. The examples and the bound were set on one half; of the other, 14 of 16 and 2 of 20.
/// Three of the four on the first half correct what was asked, and are mostly computed before they come here.
const MIN_PROBABILITY: f32 = 0.75;

const DOUBT: Judgement = Judgement {
    property: "disputes",
    instructions: "A calculator gave the result in the first line. Say whether the message in the second line doubts that result, calls it \
        wrong, or claims another result. Thanks, a new question, and a correction of the numbers that were asked are no.",
    examples: &[
        ("5 × 3 = 15\nno, it is 12", true),
        ("9 − 4 = 5\nthanks", false),
        ("120 × 19 % = 22,80\ndas stimmt nicht", true),
        ("10 m ≈ 32.8 ft\nand in yards?", false),
        ("Friday, 1 May 2026\nare you sure?", true),
        ("20 ÷ 4 = 5\nsorry, I meant 30", false),
        ("8 × 6 = 48\nmi calculadora dice 40", true),
        ("300 − 15 % = 255\ny si son 500", false),
        ("12 h 30 = 20:30 Tokyo\nje crois que tu te trompes", true),
        ("25 × 4 = 100\ncomment tu as calculé ?", false),
        ("7 + 7 = 14\nразве не 15?", true),
        ("20 × 8 = 160\nошибся, не 20, а 25", false),
        ("60 ÷ 5 = 12\n違うと思う", true),
        ("5 × 5 = 25\n50の間違いでした", false),
        ("3 ft = 0.91 m\nits 0.8", true),
        ("1 Juni → 4 Juli: 33 Tage\nups, Mai statt Juni", false),
        ("2 × 21 = 42\nwrong", true),
        ("90 ÷ 3 = 30\nشكرا جزيلا", false),
        ("90 ÷ 3 = 30\nمو صحيح", true),
        ("75 × 2 = 150\nplus 20 %", false),
        ("11 × 11 = 121\nwrite it in words", false),
        ("6 × 8 = 48\nगलती से 8 लिखा, 7 है", false),
        ("14 × 3 = 42\nwhat does that mean", false),
    ],
};

impl Answering<'_> {
    /// Says a computed result once more where the message doubts it. Returns false for any other message, and where what was said before
    /// does not come out again: then something else was computed, or not for certain.
    pub(super) fn stand_by_result(&mut self, emit: Emit<'_>) -> Result<bool, AnswerError> {
        let question = self.question;
        if follow_up::computed_before(&question.message, &question.history).is_empty() {
            return Ok(false);
        }
        let [earlier @ .., asked, answer] = &question.history[..] else {
            return Ok(false);
        };
        let result = messages::without_remarks(&answer.content);
        if self.judged_of(&DOUBT, &format!("{result}\n{}", question.message)) < MIN_PROBABILITY {
            return Ok(false);
        }
        let before = Question {
            message: asked.content.clone(),
            history: earlier.to_vec(),
            ..question.clone()
        };
        let mut again = Answering::new(&before, self.context);
        let understood = again.compute();
        self.add_work_of(&again.result);
        let computed = understood.computed.filter(|_| !understood.is_loose);
        let Some(computed) = computed.filter(|computed| computed.answer == result) else {
            return Ok(false);
        };
        self.tell_computed(computed, emit)?;
        let remark = format!("\n\n{}", messages::computed_again(self.language));
        emit(&remark)?;
        self.result.answer.push_str(&remark);
        self.note("The message doubts the result before it, which was computed again.");
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use quartet_api::chat::{ChatAnswer, ChatTurn, Mode, Sampling};
    use quartet_component_sdk::ResponseTime;
    use quartet_llm_client::scripted::Scripted;

    use super::*;
    use crate::answer::tests::context;
    use crate::answer::{answer, time};
    use crate::web::tests::FakeWeb;

    /// The answer to a message after `17 × 23`, whose answer was `result`.
    fn after(result: &str, message: &str, doubt: f32) -> ChatAnswer {
        let mut model = Scripted::new(["none", "none", "I apologize, it is 381."]);
        model.judged = vec![(DOUBT.property, doubt), ("current", 0.0)];
        model.reading_speed = Some(100.0);
        let question = Question {
            message: message.to_owned(),
            mode: Mode::General,
            use_search: false,
            instructions: None,
            schema: None,
            tools: None,
            max_tokens: None,
            sampling: Sampling::default(),
            history: vec![
                ChatTurn::new("user", "what is 17 * 23?"),
                ChatTurn::new("assistant", result),
            ],
            until: time(false, ResponseTime::of(|_| None)),
        };
        answer(&question, &context(Rc::new(model), FakeWeb::default()), &mut |_| Ok(())).unwrap()
    }

    #[test]
    fn a_result_that_is_doubted_is_computed_again() {
        let answer = after("17 × 23 = 391", "my phone gives me less", 0.9);
        assert_eq!(answer.origin, "computation", "{answer:?}");
        let again = messages::computed_again(quartet_api::Language::English);
        assert_eq!(answer.answer, format!("17 × 23 = 391\n\n{again}"));
        assert_eq!(messages::without_remarks(&answer.answer), "17 × 23 = 391");
    }

    #[test]
    fn what_is_no_doubt_or_no_result_of_the_service_is_the_models() {
        for (result, doubt) in [("17 × 23 = 391", 0.2), ("17 × 23 = 381", 0.9)] {
            let answer = after(result, "my phone gives me less", doubt);
            assert_eq!(answer.origin, "model", "{result}");
        }
    }
}
