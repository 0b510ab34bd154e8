//! Clients that leave in the middle: of their upload, of the work, of the answer.

use std::time::Duration;

use quartet_eval::client::Manner;
use quartet_eval::files::Files;
use quartet_eval::requests::Request;

use super::{chat, images, speech};
use crate::ledger::Group::{Chat, Documents, Images, Speech};
use crate::visitor::Visitor;

/// One of them.
pub async fn one(visitor: &mut Visitor) {
    let picture = images::picture(visitor);
    let picture = Request::form("/image/analyze", "image", &picture, &[]);
    let pdf = visitor.file(|files: &Files| &files.pdfs);
    let pdf = Request::form("/pdf/summarize", "pdf", &pdf, &[]);
    // As soon as they have asked, or when somebody has lost patience.
    let most = *visitor.draw(&[20, 200, 2_000]);
    let manner = Manner::LeaveAfter(Duration::from_millis(visitor.rng.u64(..most)));
    match visitor.rng.usize(..6) {
        0 => {
            let bytes = visitor.rng.usize(..picture.body.len());
            visitor.leave_in_upload("leaves in the upload", &picture, bytes).await;
        }
        1 => {
            visitor
                .ask_in_manner(Images, "image/analyze, leaves", &picture, manner)
                .await;
        }
        2 => {
            visitor
                .ask_in_manner(Documents, "pdf/summarize, leaves", &pdf, manner)
                .await;
        }
        3 => {
            let request = chat::written_request(visitor).with("accept", "text/event-stream");
            visitor.ask_in_manner(Chat, "chat, leaves", &request, manner).await;
        }
        _ => {
            let request = speech::streamed_request(&mut visitor.rng);
            visitor
                .ask_in_manner(Speech, "tts/stream, leaves", &request, manner)
                .await;
        }
    }
}
