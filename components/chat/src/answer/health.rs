//! Questions about somebody's body: a small model says as fluently what harms as what helps. It knows when it is asked for such advice, and
//! what it answers then is said to be no doctor's.

use std::time::Duration;

use quartet_llm_client::Judgement;

use super::{AnswerError, Answering, Emit, follow_up, messages};

/// Probability from which on a message asks for advice about a body. Of 80 messages that do and 80 that do not, in twelve languages, most of
/// these about medicine in another way, written by somebody who had not seen this, 70 and 3 have it. Examples and bound were set on one half;
/// of the other, 31 of 36 and none of 42.
const MIN_PROBABILITY: f32 = 0.7;

/// Limit in characters for a message that is judged: a longer one is a text to work on.
const MAX_CHARS: usize = 400;

/// The time that an answer leaves for the judgement, on a machine where answers take as long as they may.
const RESERVED: Duration = Duration::from_millis(2_500);

const HEALTH: Judgement = Judgement {
    property: "health",
    instructions: "Say whether the message asks what to do, or what is safe, about the body or the health of a person or an animal: illness, \
        pain, injuries, first aid, medicine, poison, pregnancy, sleep, the mind. Facts about medicine, texts to write or translate, plants, \
        machines, travel and other talk are no.",
    examples: &[
        ("can I take two aspirin at once", true),
        ("who invented aspirin", false),
        ("Meine Tochter hat sich den Finger verbrannt, was tun?", true),
        ("Schreib eine Karte: gute Besserung", false),
        ("me duele la barriga desde ayer", true),
        ("traduce al inglés: me duele la cabeza", false),
        ("my cat threw up twice today", true),
        ("my laptop has a virus", false),
        ("puis-je boire du vin avec des antibiotiques ?", true),
        ("mon ficus perd ses feuilles", false),
        ("子供が熱を出しました", true),
        ("心臓はどんな働きをしますか", false),
        ("не могу уснуть третью ночь", true),
        ("машина не заводится, что делать", false),
        ("how many mg of paracetamol for a 5 year old", true),
        ("which bus goes to the hospital", false),
        ("is it ok to eat moldy bread", true),
        ("I am tired of this job, write my resignation", false),
        ("ابني بلع زر صغير", true),
        ("اكتب لي قصة عن طبيب", false),
        ("주말에 부산 가는 기차 있어?", false),
        ("write an invitation to my birthday", false),
        ("thanks, that helps", false),
        ("how do I cook rice", false),
    ],
};

impl Answering<'_> {
    /// Has what is written next leave time to judge the message behind it, where it can be judged.
    pub(super) fn leave_time_to_judge(&mut self) {
        if self.may_ask_of_health() && self.can_judge() {
            self.reserved = RESERVED;
        }
    }

    /// Says behind an answer of the model that it is no doctor's, where the message asks for advice about a body. Behind it, and not before:
    /// nobody waits for the judgement then.
    pub(super) fn refer_to_doctors(&mut self, emit: Emit<'_>) -> Result<(), AnswerError> {
        self.reserved = Duration::ZERO;
        if !self.asks_of_health() {
            return Ok(());
        }
        let remark = format!("\n\n{}", messages::no_doctor(self.language));
        emit(&remark)?;
        self.result.answer.push_str(&remark);
        self.note("The message asks for advice about health, which the language model may get wrong.");
        Ok(())
    }

    /// Has the model judge whether the message asks for advice about a body, once.
    pub(super) fn asks_of_health(&mut self) -> bool {
        if let Some(known) = self.health {
            return known;
        }
        let asks = self.may_ask_of_health() && self.judged(&HEALTH) >= MIN_PROBABILITY;
        self.health = Some(asks);
        asks
    }

    /// Behind a result a short message is about that, and the model sees in it whatever it is asked for.
    fn may_ask_of_health(&self) -> bool {
        let is_short = self.question.message.chars().count() <= MAX_CHARS;
        is_short && !follow_up::goes_on_from_computed(&self.question.history)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use quartet_api::Language;
    use quartet_api::chat::{ChatAnswer, ChatTurn};
    use quartet_llm_client::scripted::Scripted;

    use super::*;
    use crate::answer::tests::{context, question};
    use crate::answer::{answer, without_remark};
    use crate::web::tests::FakeWeb;

    /// The answer to a message that the model takes for one about health with this probability.
    fn answered(message: &str, probability: f32) -> ChatAnswer {
        let mut model = Scripted::new(["Butter cools the skin."]);
        model.judged = vec![(HEALTH.property, probability), ("current", 0.0)];
        model.reading_speed = Some(100.0);
        let context = context(Rc::new(model), FakeWeb::default());
        answer(&question(message, false), &context, &mut |_| Ok(())).unwrap()
    }

    #[test]
    fn advice_about_a_body_is_no_doctors() {
        let answer = answered("can I put butter on a burn", 0.8);
        let remark = messages::no_doctor(Language::English);
        assert_eq!(answer.answer, format!("Butter cools the skin.\n\n{remark}"));
        assert_eq!(without_remark(&answer), "Butter cools the skin.");
        assert_eq!(messages::without_remarks(&answer.answer), "Butter cools the skin.");
    }

    #[test]
    fn nobody_who_bleeds_is_told_that_nothing_was_looked_up() {
        let answered = |health| {
            let mut model = Scripted::new(["Press a cloth on it."]);
            model.judged = vec![(HEALTH.property, health), ("current", 0.9)];
            model.reading_speed = Some(100.0);
            let context = context(Rc::new(model), FakeWeb::default());
            let question = question("my finger is cut and will not stop bleeding", false);
            answer(&question, &context, &mut |_| Ok(())).unwrap()
        };
        assert!(answered(0.8).answer.starts_with("Press a cloth on it."));
        assert_eq!(answered(0.2).origin, "none");
    }

    #[test]
    fn what_is_said_of_a_result_asks_for_no_advice() {
        let mut model = Scripted::new(["\"none\"", "It is."]);
        model.probability = Some(0.9);
        model.judged = vec![(HEALTH.property, 0.9), ("current", 0.0), ("disputes", 0.0)];
        model.reading_speed = Some(100.0);
        let context = context(Rc::new(model), FakeWeb::default());
        let mut question = question("isn't that dear for wool", false);
        question.history = vec![
            ChatTurn::new("user", "59.90 - 40%"),
            ChatTurn::new("assistant", "59.90 - 40 % = 35.94"),
        ];
        let answer = answer(&question, &context, &mut |_| Ok(())).unwrap();
        assert_eq!(answer.answer, "It is.");
    }

    #[test]
    fn other_answers_are_left_alone() {
        assert_eq!(answered("why does butter melt", 0.4).answer, "Butter cools the skin.");
        let text = "can I put butter on a burn? ".repeat(20);
        assert_eq!(answered(&text, 0.8).answer, "Butter cools the skin.");
    }
}
