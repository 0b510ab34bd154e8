//! Puts the file that speech comes as into events.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;

use crate::http::doors::reply::event;
use crate::http::doors::translate::Translate;

/// Audio on its way into events.
pub struct AudioEvents;

impl Translate for AudioEvents {
    fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        if !piece.is_empty() {
            event(
                out,
                &Delta {
                    r#type: "speech.audio.delta",
                    audio: BASE64_STANDARD.encode(piece),
                },
            );
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<(), String> {
        event(
            out,
            &Done {
                r#type: "speech.audio.done",
                usage: Usage::default(),
            },
        );
        Ok(())
    }
}

#[derive(Serialize)]
struct Delta {
    r#type: &'static str,
    audio: String,
}

#[derive(Serialize)]
struct Done {
    r#type: &'static str,
    usage: Usage,
}

/// Speech is not made of tokens: there are none to count.
#[derive(Default, Serialize)]
struct Usage {
    input_tokens: u64,
    output_tokens: u64,
    total_tokens: u64,
}
