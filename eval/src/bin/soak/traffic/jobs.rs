//! Jobs: asked for, waited for, their answers fetched, or taken back.

use hyper::Method;
use quartet_eval::files::Files;
use quartet_eval::requests::Request;
use serde_json::json;

use super::speech;
use crate::ledger::Group::Documents;
use crate::visitor::Visitor;

/// Questions after which a job is given up: each waits 20 seconds.
const QUESTIONS: usize = 6;

/// One job.
pub async fn one(visitor: &mut Visitor) {
    let request = match visitor.rng.bool() {
        true => speech::whole_request(&mut visitor.rng),
        false => {
            let file = visitor.file(|files: &Files| &files.pdfs);
            Request::form("/pdf/extract-text", "pdf", &file, &[])
        }
    };
    let request = request.with("prefer", "respond-async");
    let Some(answer) = visitor.expect(Documents, "jobs, asked for", &[202], &request).await else {
        return;
    };
    let id = answer.json()["data"]["jobId"].as_str().unwrap_or_default().to_owned();
    let own = format!("/jobs/{id}");
    if visitor.rng.usize(..4) > 0 {
        for _ in 0..QUESTIONS {
            let question = Request::get(&format!("{own}?wait=20"));
            let Some(answer) = visitor.ask(Documents, "jobs, waited for", &question).await else {
                break;
            };
            let state = answer.json()["data"]["state"].clone();
            if state == json!("done") {
                let result = Request::get(&format!("{own}/result"));
                visitor.ask(Documents, "jobs, result", &result).await;
                break;
            }
            if state == json!("failed") {
                let said = answer.json()["data"]["failure"].clone();
                if said["code"] != "busy" {
                    visitor.unexpected("jobs, waited for", format!("the job failed: {said}"));
                }
                break;
            }
        }
    }
    let request = Request::new(Method::DELETE, &own, None, "");
    visitor.ask(Documents, "jobs, taken back", &request).await;
}
