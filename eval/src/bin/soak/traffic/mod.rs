//! What clients do: one visit is a request, or a few that belong together.

mod bad;
mod chat;
mod documents;
mod doors;
mod images;
mod jobs;
mod leaving;
mod lists;
mod speech;
mod tools;

use crate::visitor::Visitor;

/// One in so many visits sends what is wrong.
const BAD_ONE_IN: usize = 10;

/// Kinds of visits.
#[derive(Clone, Copy)]
enum Kind {
    Lists,
    Speech,
    Streams,
    SlowReader,
    Leaves,
    Pictures,
    Pdfs,
    OtherDocuments,
    Questions,
    Conversation,
    Model,
    OpenAi,
    DocumentDoors,
    Tools,
    Jobs,
}

/// How often each comes, of the sum of all. What computes for long comes seldom enough that two processors are busy and not
/// buried.
const WEIGHTS: [(Kind, usize); 15] = [
    (Kind::Lists, 20),
    (Kind::Speech, 14),
    (Kind::Streams, 10),
    (Kind::SlowReader, 3),
    (Kind::Leaves, 7),
    (Kind::Pictures, 9),
    (Kind::Pdfs, 9),
    (Kind::OtherDocuments, 8),
    (Kind::Questions, 14),
    (Kind::Conversation, 6),
    (Kind::Model, 3),
    (Kind::OpenAi, 10),
    (Kind::DocumentDoors, 6),
    (Kind::Tools, 6),
    (Kind::Jobs, 3),
];

/// One visit.
pub async fn one(visitor: &mut Visitor) {
    if visitor.rng.usize(..BAD_ONE_IN) == 0 {
        return bad::one(visitor).await;
    }
    match draw(visitor) {
        Kind::Lists => lists::ask(visitor).await,
        Kind::Speech => speech::whole(visitor).await,
        Kind::Streams => speech::streamed(visitor).await,
        Kind::SlowReader => speech::read_slowly(visitor).await,
        Kind::Leaves => leaving::one(visitor).await,
        Kind::Pictures => images::visit(visitor).await,
        Kind::Pdfs => documents::of_pdfs(visitor).await,
        Kind::OtherDocuments => documents::of_other_kinds(visitor).await,
        Kind::Questions => chat::computed(visitor).await,
        Kind::Conversation => chat::conversation(visitor).await,
        Kind::Model => chat::written(visitor).await,
        Kind::OpenAi => doors::openai(visitor).await,
        Kind::DocumentDoors => doors::documents(visitor).await,
        Kind::Tools => tools::call(visitor).await,
        Kind::Jobs => jobs::one(visitor).await,
    }
}

fn draw(visitor: &mut Visitor) -> Kind {
    let all = WEIGHTS.iter().map(|(_, weight)| weight).sum::<usize>();
    let mut left = visitor.rng.usize(..all);
    for (kind, weight) in WEIGHTS {
        if left < weight {
            return kind;
        }
        left -= weight;
    }
    Kind::Lists
}
