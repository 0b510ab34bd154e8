//! Reads the server-sent events of operations, in whatever pieces they come.

/// Largest event that is waited for, in bytes: the text of a long document with all of its blocks.
const MAX_EVENT_BYTES: usize = 64 * 1024 * 1024;

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The name, which says what the data is.
    pub name: String,
    /// The data: one JSON document.
    pub data: String,
}

/// Events out of pieces of a stream. Components of ours write two lines for each (`quartet_component_sdk::write_event`);
/// other fields and comments are passed over, as the standard has it.
#[derive(Debug, Default)]
pub struct Events {
    rest: Vec<u8>,
    /// Bytes of the rest in which no event ends.
    searched: usize,
}

impl Events {
    /// Takes a piece, and returns the events that are whole now.
    ///
    /// # Errors
    /// When an event has no end.
    pub fn push(&mut self, piece: &[u8]) -> Result<Vec<Event>, String> {
        self.rest.extend_from_slice(piece);
        let mut events = Vec::new();
        let mut begin = 0;
        while let Some(more) = ends(&self.rest[begin.max(self.searched)..]) {
            let end = begin.max(self.searched) + more;
            let text = String::from_utf8_lossy(&self.rest[begin..end]);
            begin = end + 2;
            let field = |name: &str| {
                let lines = text.lines().filter_map(|line| line.strip_prefix(name));
                let values: Vec<_> = lines.map(|value| value.strip_prefix(' ').unwrap_or(value)).collect();
                values.join("\n")
            };
            let (name, data) = (field("event:"), field("data:"));
            if !data.is_empty() {
                events.push(Event { name, data });
            }
        }
        self.rest.drain(..begin);
        // An end may begin with the last byte.
        self.searched = self.rest.len().saturating_sub(1);
        if self.rest.len() > MAX_EVENT_BYTES {
            return Err("an event has no end".to_owned());
        }
        Ok(events)
    }
}

/// The place of the empty line that ends an event.
fn ends(bytes: &[u8]) -> Option<usize> {
    bytes.windows(2).position(|end| end == b"\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_do_not_matter() {
        let text = "event: token\ndata: {\"text\":\"é\"}\n\n: a comment\n\nevent: done\ndata:{}\n\nevent: to";
        let all = |size: usize| -> Vec<Event> {
            let mut events = Events::default();
            text.as_bytes()
                .chunks(size)
                .flat_map(|piece| events.push(piece).unwrap())
                .collect()
        };
        let whole = all(1_000);
        assert_eq!(whole.len(), 2);
        assert_eq!(
            (whole[0].name.as_str(), whole[0].data.as_str()),
            ("token", "{\"text\":\"é\"}")
        );
        assert_eq!((whole[1].name.as_str(), whole[1].data.as_str()), ("done", "{}"));
        for size in 1..9 {
            assert_eq!(all(size), whole, "{size}");
        }
        let mut events = Events::default();
        let endless = (0..9).map(|_| events.push(&[b'x'; 8 * 1024 * 1024]));
        assert!(endless.last().unwrap().is_err());
    }
}
