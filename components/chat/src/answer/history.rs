//! Earlier turns of a conversation that the model is shown: as many as it can read in time, and of those that are long a part.

use std::borrow::Cow;

use quartet_api::chat::ChatTurn;
use quartet_grounding::estimate_tokens;
use quartet_llm_client::Model;

use super::messages::without_remarks;
use super::truncate::shorten;

/// Limit in tokens, about, for the turns before the last question and its answer, and the part of a larger context that they may have.
const MAX_EARLIER_TOKENS: usize = 600;
const MAX_EARLIER_PART: f32 = 0.15;

/// Limit for the last answer, which most messages are about: this part of the context. An engine has mostly read it already; where it
/// has lost it, as many tokens as it reads in so many seconds, but no fewer than above. Its question may have a third of that.
const MAX_LAST_PART: f32 = 0.375;
const MAX_LAST_SECONDS: f32 = 8.0;

/// Context in tokens of a model that is not known.
const CONTEXT: u32 = 4_096;

/// Limit in tokens for all turns where functions are called: what they gave is what is talked about.
const MAX_CALLED_TOKENS: usize = 2_000;

/// Limits in tokens, about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// For the turns before the last question and its answer.
    earlier: usize,
    /// For the last answer; none where it is limited as all are.
    last: Option<usize>,
}

impl Limits {
    /// The limits for what a model reads.
    pub fn of(model: Option<&Model>) -> Self {
        let context = model.map_or(CONTEXT, |model| model.context) as f32;
        let speed = model.and_then(|model| model.reading_speed);
        let in_time = speed.map_or(f32::INFINITY, |speed| speed * MAX_LAST_SECONDS);
        let limit = |part: f32| ((context * part).min(in_time) as usize).max(MAX_EARLIER_TOKENS);
        Self {
            earlier: limit(MAX_EARLIER_PART),
            last: Some(limit(MAX_LAST_PART)),
        }
    }

    /// The limits where functions are called.
    pub const fn of_calls() -> Self {
        Self {
            earlier: MAX_CALLED_TOKENS,
            last: None,
        }
    }

    /// The end of an answer that the model goes on with, from the beginning of a word.
    pub fn end_of(self, text: &str) -> &str {
        let Some(limit) = self.last.filter(|limit| estimate_tokens(text) > *limit) else {
            return text;
        };
        let left_out = text.len() - text.len() * limit / estimate_tokens(text);
        let from = text.ceil_char_boundary(left_out);
        let word = text[from..].find(char::is_whitespace).unwrap_or_default();
        text[from + word..].trim_start()
    }

    /// The place of the first turn that is shown, with at most `most` from there on. The last question and its answer are shown whatever
    /// their length.
    fn recent(self, turns: &[ChatTurn], most: usize) -> usize {
        let last = self
            .last
            .and_then(|_| turns.iter().rposition(|turn| turn.role == "user"));
        let last = last.unwrap_or(turns.len());
        let mut size = 0;
        let fits = |(index, turn): &(usize, &ChatTurn)| {
            if *index < last {
                size += estimate_tokens(&turn.content);
            }
            size <= self.earlier
        };
        let count = turns.iter().enumerate().rev().take(most).take_while(fits).count();
        turns.len() - count
    }

    /// The turns that are shown, at most `most` of them, oldest first. A result of a function is of no use without its call.
    pub fn shown(self, turns: &[ChatTurn], most: usize) -> &[ChatTurn] {
        let recent = &turns[self.recent(turns, most)..];
        let whole = recent.iter().position(|turn| turn.role != "tool");
        &recent[whole.unwrap_or(recent.len())..]
    }

    /// The text of a turn as it is shown. Of a long one the beginning and the end are.
    pub fn text(self, turn: &ChatTurn) -> Cow<'_, str> {
        let text = match turn.role.as_str() {
            "assistant" => without_remarks(&turn.content),
            _ => &turn.content,
        };
        let limit = self.last.map(|last| if turn.role == "user" { last / 3 } else { last });
        let Some(limit) = limit.filter(|limit| estimate_tokens(text) > *limit) else {
            return Cow::Borrowed(text);
        };
        let most = text.chars().count() * limit / estimate_tokens(text);
        shorten(text, most, quartet_lang_detect::detect(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(context: u32, reading_speed: Option<f32>) -> Model {
        Model {
            name: "Tiny 1B".to_owned(),
            context,
            sees: false,
            remote: false,
            schemas: true,
            tools: true,
            reading_speed,
        }
    }

    #[test]
    fn limits_follow_the_context_and_what_is_read_in_time() {
        let limits = |context, speed| {
            let Limits { earlier, last } = Limits::of(Some(&model(context, speed)));
            (earlier, last.unwrap())
        };
        assert_eq!(limits(4_096, None), (614, 1_536));
        assert_eq!(limits(32_768, None), (4_915, 12_288));
        assert_eq!(limits(4_096, Some(100.0)), (614, 800));
        assert_eq!(limits(32_768, Some(10.0)), (600, 600));
    }

    #[test]
    fn a_long_answer_stays_in_part_and_takes_no_room_from_turns_before() {
        let limits = Limits::of(Some(&model(4_096, None)));
        let long = format!("Edda kept the light. {}She slept.", "The sea was calm. ".repeat(600));
        let turns = [
            ChatTurn::new("user", "x".repeat(4_000)),
            ChatTurn::new("assistant", "Yes."),
            ChatTurn::new("user", "A story, please."),
            ChatTurn::new("assistant", long.clone()),
        ];
        let shown = limits.shown(&turns, 12);
        // The first turn alone is longer than those before the last two may be.
        assert_eq!((shown.len(), shown[0].content.as_str()), (3, "Yes."));
        assert_eq!(limits.shown(&turns, 1).len(), 1);
        let text = limits.text(&turns[3]);
        assert!(text.starts_with("Edda kept") && text.ends_with("She slept."), "{text}");
        assert!(
            (1_300..=1_536).contains(&estimate_tokens(&text)),
            "{}",
            estimate_tokens(&text)
        );
        let end = limits.end_of(&long);
        assert!(end.ends_with("calm. She slept.") && estimate_tokens(end) <= 1_537);
        assert_eq!(limits.end_of("Short."), "Short.");
        // Where functions are called, all count together.
        assert_eq!(Limits::of_calls().shown(&turns, 12).len(), 0);
        assert_eq!(Limits::of_calls().text(&turns[3]), long);
    }
}
