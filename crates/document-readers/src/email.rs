//! E-mails (RFC 5322 and MIME), by the parser `mail-parser`: sender, recipients, subject and date, then the text. Messages
//! that came along whole are pages of their own; other attachments are named, not read.

use mail_parser::{Address, Message, MessageParser, MimeHeaders, PartType};
use quartet_text_analysis::{Document, Kind as BlockKind};

use crate::draft::Draft;
use crate::error::Error;
use crate::html::{self, Wanted};
use crate::options::Options;
use crate::text;
use quartet_document_kinds::Kind;

/// Most parts of a message.
const MAX_PARTS: usize = 2_000;
/// Deepest nesting of messages in messages that are read.
const MAX_NESTING: usize = 4;
/// Most recipients that are named.
const MAX_ADDRESSES: usize = 100;

/// Reads an e-mail.
pub fn read(bytes: &[u8], options: &Options<'_>) -> Result<Document, Error> {
    // A mailbox begins its messages with a line of its own.
    let first_line = bytes
        .iter()
        .position(|byte| *byte == b'\n')
        .filter(|_| bytes.starts_with(b"From "));
    let bytes = &bytes[first_line.map_or(0, |end| end + 1)..];
    let message = MessageParser::default().parse(bytes).ok_or_else(|| Error::Damaged {
        kind: Kind::Email,
        reason: "it has no head".to_owned(),
    })?;
    if message.parts.len() > MAX_PARTS {
        return Err(Error::Limit {
            what: "parts of an e-mail",
            limit: MAX_PARTS as u64,
        });
    }
    let mut draft = Draft::new(options);
    let metadata = draft.metadata();
    metadata.title = message
        .subject()
        .map(str::trim)
        .filter(|subject| !subject.is_empty())
        .map(str::to_owned);
    metadata.author = message.from().map(addresses).filter(|from| !from.is_empty());
    metadata.created = message.date().map(mail_parser::DateTime::to_rfc3339);
    let mut reader = Reader {
        draft,
        options,
        attachments: Vec::new(),
    };
    reader.message(&message, 0);
    let Reader {
        mut draft, attachments, ..
    } = reader;
    if !attachments.is_empty() {
        let names = attachments.join(", ");
        draft.warn(&format!("Attachments are not read; send them by themselves: {names}."));
    }
    Ok(draft.finish(0))
}

struct Reader<'o> {
    draft: Draft<'o>,
    options: &'o Options<'o>,
    attachments: Vec<String>,
}

impl Reader<'_> {
    fn message(&mut self, message: &Message<'_>, depth: usize) {
        self.draft.begin_page();
        if self.draft.is_full() {
            return;
        }
        if let Some(subject) = message.subject() {
            self.draft.heading(1, subject);
        }
        let date = message.date().map(mail_parser::DateTime::to_rfc3339);
        for (name, value) in [
            ("From", message.from().map(addresses)),
            ("To", message.to().map(addresses)),
            ("Cc", message.cc().map(addresses)),
            ("Date", date),
        ] {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                self.draft.block(BlockKind::Other, &format!("{name}: {value}"));
            }
        }
        self.body(message);
        for part in message.attachments() {
            let is_inline = matches!(part.body, PartType::InlineBinary(_)) && part.attachment_name().is_none();
            match &part.body {
                PartType::Message(inner) if depth < MAX_NESTING => self.message(inner, depth + 1),
                _ if is_inline => {}
                _ => {
                    let name = part.attachment_name().unwrap_or("without a name");
                    let name: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
                    if self.attachments.len() < 50 {
                        self.attachments.push(name);
                    }
                }
            }
        }
    }

    /// The text: where a message has it twice, the plain one, unless that only says that there is the other.
    fn body(&mut self, message: &Message<'_>) {
        let plain: Vec<&str> = message
            .text_bodies()
            .filter_map(|part| match &part.body {
                PartType::Text(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        let pages: Vec<_> = message
            .html_bodies()
            .filter_map(|part| match &part.body {
                PartType::Html(markup) => Some(html::read(markup, Wanted::Everything, self.options.time_left)),
                _ => None,
            })
            .collect();
        let in_pages: usize = pages
            .iter()
            .flat_map(|page| &page.pieces)
            .map(|piece| piece.block.text.len())
            .sum();
        let in_plain: usize = plain.iter().map(|text| text.trim().len()).sum();
        if in_plain * 3 >= in_pages {
            plain.iter().for_each(|text| text::add(text, &mut self.draft));
        } else {
            pages.iter().for_each(|page| html::add(page, &mut self.draft));
        }
    }
}

/// Names and addresses in a line.
fn addresses(list: &Address<'_>) -> String {
    let each = |address: &mail_parser::Addr<'_>| match (address.name(), address.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (name, address) => name.or(address).unwrap_or_default().to_owned(),
    };
    let all: Vec<String> = list
        .iter()
        .take(MAX_ADDRESSES)
        .map(each)
        .filter(|text| !text.is_empty())
        .collect();
    all.join(", ")
}
