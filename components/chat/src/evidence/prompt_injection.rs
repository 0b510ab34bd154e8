//! Removal of prompt injections: sentences of pages that address a language model. They say nothing about the page's
//! subject, and a small model may do as they say, so they are left out of all that answers are made from. This is a
//! list of phrases seen in practice and not a proof: in any case a sandbox has nothing to give away.

use quartet_text_analysis::sentence::sentences;
use quartet_text_analysis::{Block, Kind};

/// Parts of such sentences, in lower case.
const INJECTION_PHRASES: [&str; 56] = [
    "ignore all previous",
    "ignore previous",
    "ignore the previous",
    "ignore the above",
    "ignore all above",
    "ignore any previous",
    "ignore your instructions",
    "ignore all instructions",
    "disregard all",
    "disregard previous",
    "disregard the above",
    "disregard your",
    "forget all previous",
    "forget your instructions",
    "forget everything",
    "new instructions:",
    "system prompt",
    "system message",
    "you are now",
    "you must now",
    "from now on you",
    "act as a",
    "pretend to be",
    "developer mode",
    "reply only with",
    "respond only with",
    "answer only with",
    "your answer must",
    "reveal your",
    "print your",
    "note to ai",
    "note to the ai",
    "instructions for ai",
    "language model must",
    "assistant must",
    "assistant should",
    "<|im_",
    "[inst]",
    "### instruction",
    "ignoriere alle",
    "ignora las instrucciones",
    "ignore les instructions",
    "ignora le istruzioni",
    "ignore as instruções",
    "игнорируй",
    "忽略之前",
    "以前の指示",
    "忽略以上",
    "忽略所有",
    "指示を無視",
    "이전 지시",
    "지시를 무시",
    "تجاهل التعليمات",
    "تجاهل جميع",
    "निर्देशों को अनदेखा",
    "निर्देशों को नज़रअंदाज़",
];

/// Removes such sentences from a block, and counts them.
pub(super) fn remove(block: &Block, left_out: &mut usize) -> Block {
    if !is_injection(&block.text) {
        return block.clone();
    }
    let mut kept = String::new();
    let lines = matches!(block.kind, Kind::Code | Kind::Table);
    let language = quartet_lang_detect::detect(&block.text);
    let parts: Vec<&str> = if lines {
        block.text.lines().collect()
    } else {
        sentences(&block.text, language)
    };
    for part in parts {
        if is_injection(part) {
            *left_out += 1;
            continue;
        }
        if !kept.is_empty() {
            kept.push(if lines { '\n' } else { ' ' });
        }
        kept.push_str(part);
    }
    Block {
        kind: block.kind,
        text: kept,
    }
}

fn is_injection(text: &str) -> bool {
    let text = text.to_lowercase();
    INJECTION_PHRASES.iter().any(|phrase| text.contains(phrase))
}
