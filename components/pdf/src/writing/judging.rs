//! Kinds of messages that are no questions: texts to be made of a document, and mere talk.

use quartet_grounding::sanitize;
use quartet_llm_client::{Finish, Judgement, Model};

use super::{Asking, MIN_MILLISECONDS};

/// Tokens that a machine must read in a second for the person to wait for this: a slower one would not write a text in time either.
const MIN_READING_SPEED: f32 = 35.0;

/// Limit in characters for a message that is judged: a longer one has a text of its own to work on.
const MAX_CHARS: usize = 400;

/// Limit in characters for talk.
const MAX_TALK_CHARS: usize = 40;

/// Probability from which on a message asks for a text to be made. Of 144 messages about 24 documents in eleven languages, written by
/// somebody who had seen nothing of this, 65 ask for a text, and 64 of these have 0.63 or more; of the others, one has 0.81, and the rest
/// at most 0.61. So have twelve requests for summaries at most 0.51.
const MIN_MAKE: f32 = 0.62;

const MAKE: Judgement = Judgement {
    property: "make",
    instructions: "Someone has a document before them and sends a message about it. Say whether the message asks to have a text made from \
        the document: a letter or message to write, a translation, a list, a table, a simpler wording, an exercise. Asking for a fact, a \
        summary or a reason, thanks and talk are no.",
    examples: &[
        ("write a reply to the sender that I cannot come", true),
        ("tell me the price for children", false),
        ("Übersetze den ersten Absatz ins Englische", true),
        ("who has to pay for repairs", false),
        ("summarise the article in five points", false),
        ("thanks, that helps", false),
        ("Could you put all the dates in a list?", true),
        ("Oeffnungszeiten am Sonntag", false),
        ("tl;dr", false),
        ("explain section 3 to a child", true),
        ("¿Puedes escribir un mensaje para mis vecinos con esto?", true),
        ("give me the phone number of the office", false),
        ("fasse den Brief in drei Sätzen zusammen", false),
        ("explain why the hall is closed", false),
        ("turn it into a checklist", true),
        ("Can I bring my dog?", false),
        ("faites-moi un tableau des tarifs", true),
        ("ist das wirklich richtig", false),
        ("what does it say about parking", false),
    ],
};

/// Probability from which on a text that is asked for in another language than the document's is a translation. Of 21 requests that name
/// a language, 17 of them of the messages above, all looked at, eleven ask for a translation and have 0.63 or more, the others 0.53 or
/// less.
const MIN_TRANSLATE: f32 = 0.6;

const TRANSLATE: Judgement = Judgement {
    property: "translate",
    instructions: "Say whether the message asks for a translation of a text into another language, as it stands. Lists, letters, tables, \
        posts, recipes and explanations that are to be made in a language are no.",
    examples: &[
        ("what does the second paragraph say in Spanish", true),
        ("write a reply in French", false),
        ("fais-moi un tableau des prix en anglais", false),
        ("übersetz das mal", true),
        ("Could I have this letter in Russian?", true),
        ("explain the rules in simple English", false),
        ("haz una lista de la compra en alemán", false),
        ("tradurre la parte sui cani", true),
        ("make a checklist in Italian", false),
        ("把这封信翻译成英文", true),
        ("Reescreve isto em inglês, mais curto", false),
        ("一覧を英語で作って", false),
        ("Переведи второй раздел", true),
        ("list who does what in English", false),
        ("Übersetze den zweiten Absatz ins Spanische", true),
        ("traduci la lettera", true),
    ],
};

/// Probability from which on a translation is one of a part. Of twenty requests in eight languages, ten of each kind, all looked at, nine
/// of a part have 0.74 or more, and all others 0.7 or less.
const MIN_PART: f32 = 0.72;

const PART: Judgement = Judgement {
    property: "part",
    instructions: "Somebody wants a translation. Say whether only a part of the document is to be translated: a section, a paragraph, a \
        subject. Say no if it is the whole document, text or letter.",
    examples: &[
        ("translate the paragraph about dogs", true),
        ("translate this letter into Spanish", false),
        ("übersetze den Text", false),
        ("traduis la partie sur le parking", true),
        ("Could you put the whole thing into Russian?", false),
        ("traduce el último punto al alemán", true),
        ("英語に翻訳してください", false),
        ("what do the house rules say in Arabic", true),
        ("I need this in Italian", false),
        ("ins Deutsche übersetzen, aber nur die Termine", true),
    ],
};

/// Probability from which on a message is mere talk. Of 29 greetings, thanks and the like in eleven languages, all looked at, 26 have 0.77
/// or more; of 118 other short messages none has more than 0.71.
const MIN_TALK: f32 = 0.75;

const TALK: Judgement = Judgement {
    property: "talk",
    instructions: "Somebody reads a document and sends a message. Say whether the message is only talk: a greeting, thanks, a farewell, \
        praise, a complaint, or about you. Whatever may stand in the document, be it a word, is no.",
    examples: &[
        ("hello there", true),
        ("opening hours", false),
        ("Danke, das hilft", true),
        ("Vermieter", false),
        ("fasse das kurz zusammen", false),
        ("are you a robot?", true),
        ("and on Sundays", false),
        ("nein, das stimmt nicht", true),
        ("telefono", false),
        ("great, bye", true),
        ("is it free", false),
        ("très bien merci", true),
        ("what is it about", false),
        ("la date limite", false),
        ("明白了", true),
        ("住所", false),
        ("who made this", false),
        ("что ты умеешь?", true),
        ("translate this, please", false),
    ],
};

/// Probability from which on a translation is right. Of 32 pairs of lines in seven languages, half of them wrong, all looked at, each right
/// one has 0.85 or more, and 14 wrong ones have less.
const MIN_RIGHT: f32 = 0.84;

const RIGHT: Judgement = Judgement {
    property: "right",
    instructions: "Say whether the second line is a right translation of the first: the same things, people, times and numbers.",
    examples: &[
        ("1. Katzen sind verboten.\n2. Horses are forbidden.", false),
        (
            "1. Der Garten ist sonntags offen.\n2. The garden is open on Sundays.",
            true,
        ),
        ("1. Adults 12 euros\n2. Adultos 12 euros", true),
        ("1. Adults 12 euros\n2. Niños 12 euros", false),
        ("1. Le bureau est fermé\n2. O escritório está aberto", false),
        ("1. Salida\n2. Exit", true),
        ("1. 朝食付き\n2. with breakfast", true),
        ("1. Keys\n2. Книги", false),
        ("1. Parking\n2. Parkplatz", true),
        ("1. Please ring twice\n2. Klopfen Sie bitte dreimal", false),
    ],
};

/// Probability from which on a text is what was asked for. Of 43 texts that the model made for messages of both halves above, all looked
/// at, those that can be used have 0.77 or more but for one; of 25 with less, 24 are copies of the document or about something else.
const MIN_DONE: f32 = 0.76;
/// Limit in characters for the beginning of a text that is judged.
const MAX_JUDGED_CHARS: usize = 500;

const DONE: Judgement = Judgement {
    property: "done",
    instructions: "Somebody asked for a text about a document, and a text was written. Say whether the text is what was asked for. A text \
        about something else, one that only promises, copies the document or leaves out what was asked for is no.",
    examples: &[
        (
            "Asked for: list of the opening hours\nText: Monday to Friday 9-17\nSaturday 10-14",
            true,
        ),
        (
            "Asked for: Schreib der Schule, dass mein Sohn krank ist\nText: Die Schule beginnt um 8 Uhr. Kranke Kinder bleiben zu Hause.",
            false,
        ),
        (
            "Asked for: write a reply that we accept\nText: Dear Ms Reed,\nthank you for your offer, which we accept.\nKind regards",
            true,
        ),
        (
            "Asked for: make a table of the prices\nText: Yes, I can make a table of the prices.",
            false,
        ),
        (
            "Asked for: explain the rule about bags simply\nText: Dogs are not allowed in the museum.",
            false,
        ),
        (
            "Asked for: fais une liste des dates\nText: - 3 mai : ouverture\n- 12 juin : fête",
            true,
        ),
        (
            "Asked for: turn it into a checklist\nText: The society was founded in 1931 by Ada Reed.",
            false,
        ),
        (
            "Asked for: escribe un mensaje para los vecinos\nText: Hola vecinos: mañana cortan el agua de 9 a 12.",
            true,
        ),
    ],
};

impl Asking<'_> {
    /// Has the model judge whether a text is what was asked for; true where there is no time for that.
    pub fn is_what_was_asked(&self, request: &str, text: &str, model: &Model) -> bool {
        let beginning: String = text.chars().take(MAX_JUDGED_CHARS).collect();
        let pair = format!("Asked for: {}\nText: {}", sanitize(request), sanitize(&beginning));
        self.judged(&DONE, &pair, model, MIN_DONE).unwrap_or(true)
    }

    /// Has the model judge whether a line is a right translation of another one.
    pub fn is_right_translation(&self, line: &str, translation: &str, model: &Model) -> bool {
        let pair = format!("1. {}\n2. {}", sanitize(line), sanitize(translation));
        self.has(&RIGHT, &pair, model, MIN_RIGHT)
    }

    /// Has the model judge whether a message asks for a text to be made of the document.
    pub fn is_to_make(&self, message: &str, model: &Model) -> bool {
        message.chars().count() <= MAX_CHARS && self.has(&MAKE, message, model, MIN_MAKE)
    }

    /// Has it judge whether a text that is asked for is a translation.
    pub fn is_to_translate(&self, message: &str, model: &Model) -> bool {
        self.has(&TRANSLATE, message, model, MIN_TRANSLATE)
    }

    /// Has it judge whether a part of the document is to be translated.
    pub fn is_of_a_part(&self, message: &str, model: &Model) -> bool {
        self.has(&PART, message, model, MIN_PART)
    }

    /// Has it judge whether a message is mere talk.
    pub fn is_talk(&self, message: &str, model: &Model) -> bool {
        message.chars().count() <= MAX_TALK_CHARS && self.has(&TALK, message, model, MIN_TALK)
    }

    /// Returns true if a message has a property, as far as that is known.
    fn has(&self, judgement: &Judgement, message: &str, model: &Model, least: f32) -> bool {
        self.judged(judgement, message, model, least).unwrap_or(false)
    }

    /// Has the model judge whether a message has a property: with the probability that was measured by a model of this machine, by its word
    /// from a server, which tells none. A slow machine is not asked, and none without time.
    fn judged(&self, judgement: &Judgement, message: &str, model: &Model, least: f32) -> Option<bool> {
        let is_fast = model.remote || model.reading_speed.is_some_and(|speed| speed >= MIN_READING_SPEED);
        if !model.schemas || !is_fast || self.time() < MIN_MILLISECONDS {
            return None;
        }
        let turns = judgement.turns(message);
        let written = self.generate(turns, Judgement::MAX_TOKENS, Some(judgement.schema()), 0, &mut |_| true);
        let generated = written.ok().filter(|generated| generated.finish == Finish::Stop)?;
        match Judgement::probability(&generated.written, generated.probability) {
            Some(probability) => Some(probability >= least),
            None => model.remote.then(|| Judgement::says_yes(&generated.written)),
        }
    }
}
