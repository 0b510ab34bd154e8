//! Short documents, which a model reads whole: ahead of the first question, where its provider can do that.

use quartet_grounding::Writer;
use quartet_llm_client::{Model, Role, Turn};
use quartet_text_analysis::Index;
use serde::Deserialize;

use super::material::{Material, Piece, Room, whole_milliseconds};
use super::{Asking, INSTRUCTIONS, MIN_CONFIRMING_MILLISECONDS, Task, confirming, reply};

/// Tokens of a document that may be left to read with the question: what is read of a longer document, too.
const MAX_UNREAD_TOKENS: u32 = 660;

impl Asking<'_> {
    /// The whole of a short document, where the model has read so much of it that it can answer in time. What is unread then is
    /// read ahead for the next question.
    pub fn whole_document(&self, model: &Model) -> Option<Material> {
        let material = Material::whole(self.index)?;
        let size = self.writer.model.prepare(turns(&material, "")).ok()??;
        let unread = size.unread();
        (unread <= MAX_UNREAD_TOKENS && whole_milliseconds(model, unread) <= self.time()).then_some(material)
    }
}

impl Asking<'_> {
    /// The passage of a whole document that the model takes for the one that answers, and the probability of that among all
    /// passages and none; nothing where it takes none, or its provider tells no probability.
    pub fn chosen_passage<'m>(&self, task: Task<'_>, material: &'m Material, room: Room) -> Option<(&'m Piece, f32)> {
        if self.time() < MIN_CONFIRMING_MILLISECONDS {
            return None;
        }
        let turns = turns(material, &self.task(task, room));
        let schema = reply::passage_schema(material.pieces.len());
        let generated = self
            .generate(turns, confirming::MAX_TOKENS, Some(schema), 0, &mut |_| {})
            .ok()?;
        let chosen: Chosen = serde_json::from_str(&generated.written).ok()?;
        let piece = material.pieces.get(chosen.passage.checked_sub(1)?)?;
        Some((piece, generated.probability?))
    }
}

/// A reply that names a passage only.
#[derive(Deserialize)]
struct Chosen {
    /// Its number, from 1; 0 for none.
    passage: usize,
}

/// Has the model read a short document ahead, when it has nothing else to do.
pub(crate) fn read_ahead(writer: Writer<'_>, index: &Index) {
    if let Some(material) = Material::whole(index) {
        // Whoever asks later waits for it instead.
        let _ = writer.model.prepare(turns(&material, ""));
    }
}

/// The conversation about some material: what stays the same for each question first.
pub(super) fn turns(material: &Material, task: &str) -> Vec<Turn> {
    vec![
        Turn::new(Role::System, INSTRUCTIONS),
        Turn::new(Role::User, format!("{}\n{task}", material.prompt())),
    ]
}
