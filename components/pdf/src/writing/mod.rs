//! Answers and summaries that a language model writes from passages, each statement held against its passage.

mod comparing;
mod confirming;
mod judging;
mod making;
mod material;
mod pointing;
mod prompt;
mod querying;
mod reply;
mod translating;
mod translating_parts;

use std::collections::HashSet;

use quartet_api::{Language, Phrasing, Stage};
use quartet_grounding::{Writer, is_yes_or_no, sanitize};
use quartet_lang_detect::is_latin;
use quartet_llm_client::{Finish, Model, Options, Role, Turn};
use quartet_text_analysis::{Analyzer, Citation, Embed, Index, answer_in};

use crate::events::Event;
pub(crate) use comparing::Answer;
use comparing::{Comparing, Grounds};
pub(crate) use confirming::Confirmation;
pub(crate) use material::{Material, Piece, Room};
use material::{PieceKind, confirming_milliseconds, whole_milliseconds};
use prompt::INSTRUCTIONS;
pub(crate) use prompt::read_ahead;
pub(crate) use querying::read_tables_ahead;
use reply::Translation;

/// Time that is kept for comparing and sending, in milliseconds.
const RESERVED_MILLISECONDS: u32 = 1_500;
/// Time below which a model is not asked, in milliseconds.
const MIN_MILLISECONDS: u32 = 4_000;
/// Tokens of a document that may be left to read with the question: as many as are read of a longer one.
const MAX_UNREAD_TOKENS: u32 = 660;
/// Time below which an answer is not confirmed, in milliseconds.
const MIN_CONFIRMING_MILLISECONDS: u32 = 3_000;

/// Requests, and what they are about. Without them a model of 1.5B takes half of the questions without their mark for requests.
const REQUESTS: [(&str, &str); 4] = [
    ("What does the hall cost on Monday", "a detail"),
    ("Sum it up in two sentences", "the whole document"),
    ("is the garden open", "a detail"),
    ("Worum geht es", "the whole document"),
];
/// Probability from which on a request is about the whole document. Of 11 such requests all had 0.3 and more, of 17 questions about
/// details, in five languages, none had more than 0.17.
const MIN_WHOLE_PROBABILITY: f32 = 0.25;

/// What a model is asked to do.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Task<'a> {
    /// Answer a question about something in the document; the question and answer before it, where it goes on from them.
    Answer {
        question: &'a str,
        /// The question with the one before it, where it goes on from that.
        whole: &'a str,
        before: Option<(&'a str, &'a str)>,
        /// True if the search is sure that the document answers, so that a large model need not confirm what it says.
        sure: bool,
    },
    /// Answer a question about the whole document.
    Whole(&'a str),
    /// Do what a request about the whole document asks for, such as a summary.
    Request {
        request: &'a str,
        /// The number of sentences that it asks for.
        sentences: Option<usize>,
    },
    /// Summarise the document.
    Summary,
}

/// What came of asking a model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Written {
    /// An answer, and whether it is one to just this question.
    Said(Answer, Confirmation),
    /// The passages do not say, as the model judges, or it is not sure enough that they do; the sentence that comes nearest, where
    /// there is one.
    NotSaid(Phrasing, Option<Citation>, Confirmation),
    /// The model saw no answer in the passages; true if its provider tells how probable a reply is, so that it can be asked how
    /// sure it is.
    Unseen(Phrasing, bool),
    /// Nothing that the passages bear out; the sentence that the model seems to have meant, where there is one.
    Unheld(Phrasing, Option<Citation>),
    /// A sentence of the document instead of what the model made of it, and whether that answers just this question.
    Quoted(Phrasing, Citation, Confirmation),
    /// Nothing that may be used, and a sentence that the search found and the model does not confirm.
    Doubted(Phrasing, Citation, Confirmation),
    /// Nothing that may be used of what was asked about the whole document, which has sentences of its own for that.
    NoWhole(Phrasing),
    /// Nothing that may be used.
    Nothing(Phrasing),
}

impl Written {
    /// The report on the model.
    pub fn into_report(self) -> Phrasing {
        match self {
            Self::Said(answer, _) => answer.phrasing,
            Self::NotSaid(report, ..)
            | Self::Unseen(report, _)
            | Self::Unheld(report, _)
            | Self::Quoted(report, ..)
            | Self::Doubted(report, ..)
            | Self::NoWhole(report)
            | Self::Nothing(report) => report,
        }
    }
}

/// Text that a model wrote.
struct Generated {
    written: String,
    finish: Finish,
    /// Probability of it among all that fit its schema, where the provider tells.
    probability: Option<f32>,
}

/// A model with what it is asked about.
pub(crate) struct Asking<'a> {
    /// The model with its deadline.
    pub writer: Writer<'a>,
    /// The document.
    pub index: &'a Index,
    /// The embedding model, for comparing meanings.
    pub embed: Option<&'a dyn Embed>,
    /// Language of the answer.
    pub language: Language,
    /// Is told what happens, while the client waits.
    pub tell: &'a dyn Fn(Event),
}

impl Asking<'_> {
    /// Milliseconds for a model's work.
    fn time(&self) -> u32 {
        (self.writer.milliseconds_left)().saturating_sub(RESERVED_MILLISECONDS)
    }

    /// The room for passages, where there is a model and time enough. With `again`, the model has read the beginning of the
    /// document before; with `detail`, the question is about something in the text.
    ///
    /// # Errors
    /// The report on why there is none.
    pub fn room(&self, again: bool, detail: bool) -> Result<(Model, Room), Phrasing> {
        let model = self
            .writer
            .model
            .info()
            .map_err(|error| unused(None, error.to_string()))?;
        let time = self.time();
        if time < MIN_MILLISECONDS {
            return Err(late(&model));
        }
        let room = Room::of(&model, time, again, detail);
        Ok((model, room))
    }

    /// The whole of a short document, where the model has read so much of it that it can answer in time. What is unread then is
    /// read ahead for the next question.
    pub fn whole_document(&self, model: &Model) -> Option<Material> {
        let material = Material::whole(self.index)?;
        let size = self.writer.model.prepare(prompt::turns(&material, "")).ok()??;
        let unread = size.unread();
        (unread <= MAX_UNREAD_TOKENS && whole_milliseconds(model, unread) <= self.time()).then_some(material)
    }

    /// The passage of a whole document that the model takes for the one that answers, and the probability of that among all
    /// passages and none; nothing where it takes none, or its provider tells no probability.
    pub fn chosen_passage<'m>(&self, task: Task<'_>, material: &'m Material, room: Room) -> Option<(&'m Piece, f32)> {
        if self.time() < MIN_CONFIRMING_MILLISECONDS {
            return None;
        }
        let turns = prompt::turns(material, &self.task(task, room));
        let schema = reply::passage_schema(material.pieces.len());
        let generated = self
            .generate(turns, confirming::MAX_TOKENS, Some(schema), 0, &mut |_| true)
            .ok()?;
        let piece = material
            .pieces
            .get(reply::passage(&generated.written)?.checked_sub(1)?)?;
        // What is known of the file stands on no page.
        (piece.kind == PieceKind::Found).then_some((piece, generated.probability?))
    }

    /// Has the model judge whether a question is about the document as a whole, where its words do not tell.
    pub fn is_about_the_whole(&self, question: &str, model: &Model) -> bool {
        if !model.schemas || self.time() < MIN_MILLISECONDS * 3 {
            return false;
        }
        let schema = r#"{"type":"object","properties":{"about":{"enum":["the whole document","a detail"]}},"required":["about"],"additionalProperties":false}"#;
        let task = |request: &str| {
            format!(
                "Request: {}\nIs this about the whole document (its subject, purpose, parts, a summary of it) or about a \
                 detail? Reply with JSON.",
                sanitize(request)
            )
        };
        let mut turns = vec![Turn::new(Role::System, INSTRUCTIONS)];
        for (request, about) in REQUESTS {
            turns.push(Turn::new(Role::User, task(request)));
            turns.push(Turn::new(Role::Assistant, format!("{{\"about\": \"{about}\"}}")));
        }
        turns.push(Turn::new(Role::User, task(question)));
        let generated = self.generate(turns, 16, Some(schema.to_owned()), 0, &mut |_| true);
        generated.is_ok_and(|generated| {
            let says_so = generated.written.contains("whole");
            match generated.probability {
                Some(probability) if says_so => probability >= MIN_WHOLE_PROBABILITY,
                Some(probability) => 1.0 - probability >= MIN_WHOLE_PROBABILITY,
                None => says_so,
            }
        })
    }

    /// Has the model write, and holds what it wrote against the passages.
    pub fn write(&self, task: Task<'_>, material: &Material, model: &Model, room: Room) -> Written {
        let is_foreign = self.language != self.index.language();
        let translated = if is_foreign && task.is_about_the_whole() && model.schemas && !room.large {
            self.write_and_translate(task, material, model, room)
        } else {
            None
        };
        translated.unwrap_or_else(|| self.write_at_once(task, material, model, room))
    }

    /// The same in one step, in the language of the answer.
    fn write_at_once(&self, task: Task<'_>, material: &Material, model: &Model, room: Room) -> Written {
        // A document always has something to summarise; asked for a passage, small models find that none says the whole.
        let must_answer = matches!(task, Task::Summary | Task::Request { .. });
        let translation = Translation {
            from: self.index.language(),
            to: self.language,
            question: task.question(),
        };
        // Of a long text, small models speak in English whatever the language.
        let may_stray = must_answer && !is_latin(self.language);
        let translation = (translation.from != translation.to || may_stray).then_some(translation);
        let schema = model.schemas.then(|| match must_answer {
            true => reply::whole_schema(&material.of_the_text(), translation),
            false => reply::schema(material.pieces.len(), translation),
        });
        let turns = prompt::turns(material, &self.task(task, room));
        (self.tell)(Event::at(Stage::Writing));
        let to_confirm = match task {
            // A search that is sure has found the right place, which may still say something else than what is asked. Large models see
            // that themselves.
            Task::Answer { whole, sure, .. } if !(sure && room.large) => Some(whole),
            _ => None,
        };
        let grounds = Grounds {
            index: self.index,
            embed: self.embed,
            language: self.language,
            tell: self.tell,
        };
        let mut comparing = Comparing::new(grounds, &self.given(task), material, model);
        // What nobody has confirmed is worth little.
        let kept = to_confirm.map_or(0, |_| confirming_milliseconds(model));
        if let Task::Request {
            sentences: Some(most), ..
        } = task
        {
            comparing.most = most;
        }
        // What is still to be confirmed is told to nobody.
        let mut follow = |written: &str| {
            if to_confirm.is_none() {
                comparing.follow(written);
            }
            comparing.goes_on()
        };
        let Generated {
            written,
            finish,
            probability,
        } = match self.generate(turns, task.max_tokens(room, self.language), schema, kept, &mut follow) {
            Ok(generated) => generated,
            Err(reason) => return Written::Nothing(unused(Some(model), reason)),
        };
        let reply = reply::read(&written, finish == Finish::Stop);
        if reply.passage == 0 && finish == Finish::Stop || reply.answer.trim().is_empty() {
            if finish != Finish::Stop {
                return Written::Nothing(unended(model, finish));
            }
            let report = unused(Some(model), "the passages do not say".to_owned());
            return Written::Unseen(report, probability.is_some());
        }
        let answer = comparing.finish(&reply, to_confirm.is_none());
        // The first sentence answers. Without it, what comes after answers something else.
        let has_lost_answer = to_confirm.is_some() && !room.large && answer.has_lost_first;
        if answer.statements.is_empty() || has_lost_answer {
            let reason = "what the language model wrote is not borne out by the passages".to_owned();
            let report = Phrasing {
                left_out: answer.statements.len() + answer.phrasing.left_out,
                ..unused(Some(model), reason)
            };
            return Written::Unheld(report, answer.near);
        }
        if let Task::Answer { question, .. } = task
            && only_repeats(question, &answer.text, self.language)
        {
            let reason = "what the language model wrote only repeats the question".to_owned();
            let report = Phrasing {
                left_out: answer.statements.len() + answer.phrasing.left_out,
                ..unused(Some(model), reason)
            };
            return Written::Unheld(report, answer.citations.into_iter().next());
        }
        let mut confirmation = Confirmation::NotAsked;
        if let Some(question) = to_confirm {
            (self.tell)(Event::at(Stage::Confirming));
            let quotes: Vec<_> = answer.quotes.iter().map(String::as_str).collect();
            confirmation = self.confirm(question, &quotes, model);
            if !confirmation.is_enough() {
                return Written::NotSaid(not_exactly(model), answer.citations.into_iter().next(), confirmation);
            }
            let strayed = self.strayed(&answer.text).filter(|_| model.schemas && !room.large);
            // A sentence bears out what it says, and not a yes or a no that a small model draws from it.
            if !room.large
                && [Some(self.language), strayed]
                    .into_iter()
                    .flatten()
                    .any(|language| is_yes_or_no(&answer.text, language))
                && let Some(first) = answer.citations.first()
            {
                let is_quoted = confirmation != Confirmation::NoTime || matches!(task, Task::Answer { sure: true, .. });
                return match is_quoted {
                    true => Written::Quoted(yes_or_no(model), first.clone(), confirmation),
                    false => Written::NotSaid(unconfirmed(model), Some(first.clone()), confirmation),
                };
            }
            let answer = match strayed {
                Some(other) => self.brought_back(answer, other, model),
                None => answer,
            };
            comparing::tell(self.tell, &answer, 0);
            return Written::Said(answer, confirmation);
        }
        Written::Said(answer, confirmation)
    }

    /// Text whose words a statement may use without being borne out by its passage: what the question says, and in statements about the whole, what
    /// the document is called.
    fn given(&self, task: Task<'_>) -> String {
        let mut given = task.question().to_owned();
        if task.is_about_the_whole() {
            let (_, title) = self.index.metadata();
            let heading = self.index.overview().headings.first();
            for name in title.into_iter().chain(heading.map(|heading| heading.title.as_str())) {
                given.push(' ');
                given.push_str(name);
            }
        }
        given
    }

    /// The end of the prompt, with everything that changes from question to question.
    fn task(&self, task: Task<'_>, room: Room) -> String {
        let language = self.language.name();
        let task = match task {
            Task::Answer { question, before, .. } => {
                let before = before.map_or_else(String::new, |(question, answer)| {
                    format!(
                        "The question before it was: {} It was answered: {}\n",
                        sanitize(question),
                        sanitize(answer)
                    )
                });
                let length = if room.large {
                    "as long as it needs"
                } else {
                    "one short sentence"
                };
                format!(
                    "{before}Question: {}\nAnswer in {language}, {length}.",
                    sanitize(question)
                )
            }
            Task::Whole(question) | Task::Request { request: question, .. } => format!(
                "Request about the whole document: {}\nAnswer in {language}, in words of your own from all passages, in as many \
                 short sentences as it asks for, else in one or two.",
                sanitize(question)
            ),
            Task::Summary => {
                let length = if room.large {
                    "five to eight"
                } else {
                    "three or four short"
                };
                format!(
                    "Summarise the whole document in {language}, from all passages, in {length} sentences: what it is about, and \
                     what matters most in it."
                )
            }
        };
        if self.language == self.index.language() {
            task
        } else {
            format!("{task} {}", answer_in(self.language))
        }
    }

    /// Has the model write, in the time that is left but for some milliseconds that are kept; `follow` is told of all that is
    /// written so far, each time that there is more, and returns false when that is enough.
    fn generate(
        &self,
        turns: Vec<Turn>,
        tokens: u32,
        schema: Option<String>,
        kept: u32,
        follow: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Generated, String> {
        let time = self.time().saturating_sub(kept);
        let options = Options {
            max_tokens: Some(tokens),
            max_milliseconds: Some(time),
            temperature: Some(0.0),
            seed: Some(1),
            json_schema: schema,
            ..Options::default()
        };
        let mut generation = self
            .writer
            .model
            .generate(turns, &options)
            .map_err(|error| error.to_string())?;
        let mut written = String::new();
        while let Some(piece) = generation.next().map_err(|error| error.to_string())? {
            written.push_str(&piece);
            if !follow(&written) {
                return Ok(Generated {
                    written,
                    finish: Finish::Length,
                    probability: None,
                });
            }
            // A provider may be late with its own limit.
            if self.time() <= kept {
                return Ok(Generated {
                    written,
                    finish: Finish::Time,
                    probability: None,
                });
            }
        }
        let outcome = generation.outcome();
        let finish = outcome.map_or(Finish::Stop, |outcome| outcome.finish);
        let probability = outcome.and_then(|outcome| outcome.probability);
        Ok(Generated {
            written,
            finish,
            probability,
        })
    }

    /// A sentence in one line with the list that it introduces or is an item of, the items parted by semicolons.
    fn with_its_list(&self, sentence: &str) -> String {
        let listed = self.index.with_its_list(sentence, None);
        let listed = listed.map(|(_, listed)| listed.replace(":\n", ": ").replace('\n', "; "));
        listed.unwrap_or_else(|| sentence.to_owned())
    }

    /// Asks the model whether sentences of the document answer a question.
    pub fn confirm(&self, question: &str, quotes: &[&str], model: &Model) -> Confirmation {
        if !model.schemas {
            return Confirmation::NotAsked;
        }
        if self.time() < MIN_CONFIRMING_MILLISECONDS {
            return Confirmation::NoTime;
        }
        // A line that introduces a list answers by what stands in that.
        let mut whole: Vec<String> = quotes.iter().map(|quote| self.with_its_list(quote)).collect();
        whole.dedup();
        let quotes: Vec<&str> = whole.iter().map(String::as_str).collect();
        let (turns, schema) = (confirming::turns(question, &quotes), confirming::SCHEMA.to_owned());
        let generated = self.generate(turns, confirming::MAX_TOKENS, Some(schema), 0, &mut |_| true);
        match generated {
            Ok(generated) if generated.finish == Finish::Stop => {
                Confirmation::of(&generated.written, generated.probability)
            }
            _ => Confirmation::NoTime,
        }
    }
}

impl Task<'_> {
    /// The question; nothing where a summary is asked for.
    fn question(&self) -> &str {
        match self {
            Task::Answer { question, .. } | Task::Whole(question) | Task::Request { request: question, .. } => question,
            Task::Summary => "",
        }
    }

    /// The question with the one before it, where it goes on from that.
    fn whole_question(&self) -> &str {
        match self {
            Task::Answer { whole, .. } => whole,
            other => other.question(),
        }
    }

    /// Returns true for what is asked about the document as a whole.
    fn is_about_the_whole(&self) -> bool {
        match self {
            Task::Answer { .. } => false,
            Task::Whole(_) | Task::Request { .. } | Task::Summary => true,
        }
    }

    /// Limit in tokens for what is written. The vocabularies of models have fewer whole words in other scripts.
    fn max_tokens(&self, room: Room, language: Language) -> u32 {
        match (self, room.large) {
            (Task::Answer { .. }, false) if is_latin(language) => 90,
            (Task::Answer { .. }, false) => 150,
            (Task::Whole(_) | Task::Request { .. } | Task::Summary, false) if is_latin(language) => 150,
            (Task::Whole(_) | Task::Request { .. } | Task::Summary, false) => 220,
            (_, true) => 700,
        }
    }
}

/// True if all words of an answer stand in its question, also those such as "not".
fn only_repeats(question: &str, answer: &str, language: Language) -> bool {
    let analyzer = Analyzer::new(language);
    let words = |text| analyzer.terms(text).into_iter().map(|term| term.text);
    let asked: HashSet<String> = words(question).collect();
    words(answer).all(|word| asked.contains(&word))
}

/// The report on a model that wrote nothing that is used.
fn unused(model: Option<&Model>, reason: String) -> Phrasing {
    Phrasing {
        reason: Some(reason),
        model: model.map(|model| model.name.clone()),
        remote: model.is_some_and(|model| model.remote),
        ..Phrasing::default()
    }
}

/// The report on a model that does not confirm an answer.
pub(crate) fn not_exactly(model: &Model) -> Phrasing {
    unused(Some(model), "the passages do not answer exactly this".to_owned())
}

/// The report on a model that said yes or no, instead of which the sentence is quoted that it has it from.
fn yes_or_no(model: &Model) -> Phrasing {
    unused(
        Some(model),
        "the language model answered with a yes or a no, which no sentence of the document can bear out".to_owned(),
    )
}

/// The report on a model that had no time to confirm its answer.
pub(crate) fn unconfirmed(model: &Model) -> Phrasing {
    unused(
        Some(model),
        "there was not time enough for the language model to confirm its answer".to_owned(),
    )
}

/// The report on a model that judged sentences of the document and wrote none.
pub(crate) fn judged(model: &Model) -> Phrasing {
    unused(
        Some(model),
        "this machine is too slow for the language model to write: it judged sentences of the document".to_owned(),
    )
}

/// The report on a model that was asked about the whole document, and said what is known of the file.
pub(crate) fn of_the_file(phrasing: Phrasing) -> Phrasing {
    Phrasing {
        used: false,
        sentences: Vec::new(),
        reason: Some("what the language model wrote is about the file and not about the document".to_owned()),
        ..phrasing
    }
}

/// The report on a model that had no time.
pub(crate) fn late(model: &Model) -> Phrasing {
    unused(
        Some(model),
        "there was not time enough for the language model".to_owned(),
    )
}

/// The report on a model that had to end before its first sentence was whole.
fn unended(model: &Model, finish: Finish) -> Phrasing {
    match finish {
        Finish::Time => late(model),
        Finish::Stop | Finish::Length => unused(
            Some(model),
            "the language model wrote no whole sentence in as many tokens as it may".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_only_repeats_its_question_is_told_from_one_that_says_something() {
        let lineage = "¿De qué linaje son hermanos los ctenóforos según estudios recientes?";
        let delay = "这些影响需要多长时间才能体现为经济增长的变化?";
        let conquest = "Did the Normans conquer Wales?";
        for (language, question, answer, repeats) in [
            (
                Language::Spanish,
                lineage,
                "Los ctenóforos son hermanos los ctenóforos según estudios recientes.",
                true,
            ),
            (
                Language::Spanish,
                lineage,
                "Los ctenóforos son hermanos de Bilateria.",
                false,
            ),
            (Language::Chinese, delay, delay, true),
            (Language::Chinese, delay, "这些影响需要几十年。", false),
            (Language::English, conquest, "The Normans did not conquer Wales.", false),
            (Language::English, conquest, "Yes.", false),
        ] {
            assert_eq!(only_repeats(question, answer, language), repeats, "{answer}");
        }
    }
}
